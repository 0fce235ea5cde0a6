//! `messages`: which short texts are the same but for a few words that matter little.

use lookalike_sign::weights::{Formula, WeightRules};
use lookalike_text::TextOptions;

use super::{Job, MESSAGES, Preset};
use crate::spec::Spec;

/// Which short texts are the same but for a few words that matter little.
#[derive(Debug)]
pub(super) struct Messages;

/// Where Gong, Huang, Cheng and Bai 2008 find the precision acceptable.
const THRESHOLD: f64 = 0.65;

impl Job for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn threshold(&self) -> f64 {
        THRESHOLD
    }

    fn features(&self) -> &'static str {
        "weighted-terms"
    }

    fn presets(&self) -> Vec<Preset> {
        vec![
            // SimFinder as published: fingerprints of three contiguous terms, frequent words weigh more.
            Preset::new(MESSAGES, "paper", THRESHOLD, |spec| {
                spec.weights = Some(WeightRules::of(Formula::Paper));
                spec.keys.method = "simfinder:3".to_string();
            }),
            // What they compare it with: texts with two contiguous words in common.
            Preset::new(MESSAGES, "paper-baseline", THRESHOLD, |spec| {
                spec.weights = Some(WeightRules::of(Formula::Paper));
                spec.keys.method = "bigrams".to_string();
            }),
        ]
    }

    fn tells_differences(&self) -> bool {
        true
    }

    fn what_it_does(&self) -> &'static str {
        "compares whole messages"
    }

    fn text(&self, spec: &Spec) -> TextOptions {
        spec.text.for_messages()
    }

    fn finds_templates(&self) -> bool {
        true
    }

    fn may_assume_pairs(&self) -> bool {
        true
    }

    fn reads_lines(&self) -> bool {
        true
    }
}
