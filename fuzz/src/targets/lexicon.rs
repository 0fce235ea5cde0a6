//! Saved lexicons: whatever the bytes, reading ends with a lexicon or an error, and what was read is written as it was.

use lookalike_sign::stats::{Lexicon, Vocabulary};
use lookalike_text::Seed;

pub(crate) fn target(bytes: &[u8]) {
    let lexicon = Lexicon::read(bytes, Seed(1));
    let Ok(vocabulary) = Vocabulary::read(bytes) else {
        return;
    };
    let mut written = Vec::new();
    vocabulary
        .write(&mut written)
        .expect("a vector takes everything");
    let again = Vocabulary::read(written.as_slice()).expect("what was written can be read");
    assert_eq!(again.documents(), vocabulary.documents());
    assert_eq!(again.terms().count(), vocabulary.terms().count());
    if let Ok(lexicon) = lexicon {
        assert_eq!(lexicon.documents(), vocabulary.documents());
    }
}
