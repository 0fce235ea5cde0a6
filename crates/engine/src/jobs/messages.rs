//! `messages`: which short texts are the same but for a few words that matter little.

use lookalike_sign::weights::{Formula, WeightRules};

use super::{FieldChoices, Preset};
use crate::spec::{Job, Spec};

/// Where Gong, Huang, Cheng and Bai 2008 find the precision acceptable.
pub(super) const THRESHOLD: f64 = 0.65;

pub(super) const FEATURES: &str = "weighted-terms";

/// SimFinder as published: fingerprints of three contiguous terms, frequent words weigh more.
pub(super) fn paper() -> Preset {
    preset("paper", |spec| {
        spec.weights = WeightRules::of(Formula::Paper);
        spec.keys.method = "simfinder:3".to_string();
    })
}

/// What they compare it with: texts with two contiguous words in common.
pub(super) fn paper_baseline() -> Preset {
    preset("paper-baseline", |spec| {
        spec.weights = WeightRules::of(Formula::Paper);
        spec.keys.method = "bigrams".to_string();
    })
}

fn preset(name: &'static str, settings: fn(&mut Spec)) -> Preset {
    Preset {
        job: Job::Messages,
        name,
        threshold: THRESHOLD,
        choices: FieldChoices::default(),
        settings: Some(settings),
    }
}
