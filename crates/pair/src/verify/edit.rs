//! Edit similarity of the normalised texts: 1 − Levenshtein distance / longer length, in characters.

use rapidfuzz::distance::levenshtein;

use super::{Bounds, Subject, Verify};

pub(super) struct Edit;

impl Verify for Edit {
    fn score(&self, a: Subject<'_>, b: Subject<'_>, floor: f64) -> Option<f64> {
        let longer = a.text.chars().count().max(b.text.chars().count());
        if a.text.is_empty() || b.text.is_empty() {
            return None;
        }
        // Rounded up: the cut-off only saves work, the comparison below decides.
        let most = ((1.0 - floor) * longer as f64).ceil() as usize + 1;
        let arguments = levenshtein::Args::default().score_cutoff(most);
        let distance = levenshtein::distance_with_args(a.text.chars(), b.text.chars(), &arguments)?;
        let similarity = (longer - distance) as f64 / longer as f64;
        (similarity >= floor).then_some(similarity)
    }

    fn bounds(&self) -> Option<Bounds> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_sign::FeatureSet;

    fn score(a: &str, b: &str, floor: f64) -> Option<f64> {
        let subject = |text| Subject {
            text,
            features: FeatureSet::from_sorted(&[]),
        };
        Edit.score(subject(a), subject(b), floor)
    }

    #[test]
    fn one_changed_character_of_four_leaves_three_quarters() {
        assert_eq!(score("abcd", "abxd", 0.0), Some(0.75));
        assert_eq!(score("一二三四", "一二三五", 0.75), Some(0.75));
        assert_eq!(score("abcd", "abxd", 0.76), None);
        assert_eq!(score("abcd", "abcd", 1.0), Some(1.0));
        assert_eq!(score("", "", 0.0), None);
    }
}
