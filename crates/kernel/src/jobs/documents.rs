//! `documents`: which records are near-duplicates of each other, as a whole.

use lookalike_sign::features::TermRules;
use lookalike_text::TextOptions;

use super::{DOCUMENTS, Job, Preset};

/// Which records are near-duplicates of each other, as a whole.
#[derive(Debug)]
pub(super) struct Documents;

impl Job for Documents {
    fn name(&self) -> &'static str {
        "documents"
    }

    fn threshold(&self) -> f64 {
        0.8
    }

    fn features(&self) -> &'static str {
        "shingles:words:5"
    }

    fn presets(&self) -> Vec<Preset> {
        vec![
            // Kołcz, Chowdhury and Alspector 2004: words without case, of four characters and more and with at most one digit, of
            // messages that have five of them; ten extra lexicons; what has a cosine of 0.9 is a near duplicate.
            Preset::new(DOCUMENTS, "mail", 0.9, |spec| {
                spec.text = TextOptions::default();
                spec.features.method = Some("terms".to_string());
                spec.terms = TermRules::default();
                spec.keys.method = "imatch:10".to_string();
                spec.verify.measure = Some("cosine".to_string());
            }),
        ]
    }

    fn what_it_does(&self) -> &'static str {
        "compares whole texts"
    }

    fn has_titles(&self) -> bool {
        true
    }

    fn may_assume_pairs(&self) -> bool {
        true
    }
}
