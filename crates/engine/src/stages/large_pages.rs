//! Long pages that are ready to be aligned, kept for the next pairs with them.
//!
//! A page that holds thousands of others is in a pair with each of them: it must not be prepared once for each. All
//! workers share what is kept, since two long pages each would not fit in memory.

use std::sync::{Arc, Mutex, PoisonError};

use lookalike_kernel::PreparedPage;
use lookalike_text::RecordId;

/// Long pages that are ready to be aligned, kept for the next pairs with them. The last one is
/// kept, and others as long as they fit.
pub(super) struct LargePages {
    /// The bytes of text that fit beside the last.
    most_text: usize,
    /// Each with how long its text is; the last one asked for comes last.
    kept: Mutex<Vec<(RecordId, usize, Arc<PreparedPage>)>>,
}

impl LargePages {
    pub(super) fn new(most_text: usize) -> Self {
        LargePages {
            most_text,
            kept: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn get(&self, record: RecordId) -> Option<Arc<PreparedPage>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(other, ..)| *other == record)?;
        kept[place..].rotate_left(1);
        kept.last().map(|(.., prepared)| Arc::clone(prepared))
    }

    /// Makes room for a text of so many bytes.
    pub(super) fn make_room(&self, text: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = text + kept.iter().map(|(_, text, _)| text).sum::<usize>();
        kept.retain(|(_, text, _)| {
            let stays = all <= self.most_text;
            all -= if stays { 0 } else { *text };
            stays
        });
    }

    pub(super) fn put(&self, record: RecordId, text: usize, prepared: &Arc<PreparedPage>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Another worker may have been as fast.
        kept.retain(|(other, ..)| *other != record);
        kept.push((record, text, Arc::clone(prepared)));
    }
}

#[cfg(test)]
mod tests {
    use lookalike_pair::assemble::alignment::{Aligner, Evidence, PassageOptions};
    use lookalike_text::TextOptions;

    use super::*;

    fn prepared() -> Arc<PreparedPage> {
        let options = PassageOptions::default();
        let aligner = Aligner::new(options, TextOptions::default(), Evidence::Words);
        let page = aligner.page("灯", &[], &[], &mut aligner.scratch().unwrap());
        Arc::new(PreparedPage::new(page, "灯".to_string()))
    }

    #[test]
    fn what_was_not_asked_for_longest_makes_room() {
        let pages = LargePages::new(100);
        let put = |number: u32, text| {
            pages.make_room(text);
            pages.put(RecordId::from(number), text, &prepared());
        };
        let is_kept = |number: u32| pages.get(RecordId::from(number)).is_some();
        put(1, 40);
        put(2, 40);
        assert!(is_kept(2) && is_kept(1));
        put(3, 50);
        assert!(is_kept(1) && !is_kept(2) && is_kept(3));
        // One that is too long for all is kept alone.
        put(4, 1000);
        assert!(!is_kept(1) && !is_kept(3) && is_kept(4));
        put(5, 10);
        assert!(!is_kept(4) && is_kept(5));
    }
}
