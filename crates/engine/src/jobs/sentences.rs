//! `sentences`: which sentences of an encyclopedia were copied between articles, and what changed in the copy.

use std::sync::Arc;

use lookalike_pair::verify::{EditFiltered, EditFloor, Verify};
use lookalike_sign::features::Method;

use super::{FieldChoices, Preset};
use crate::spec::{Job, SentencesSpec, Spec};

/// Pairs at least this similar in their shingles are looked at.
pub(super) const THRESHOLD: f64 = 0.4;

/// Sentences of fewer letters must be at least so similar: in `Early life and career` a word is a third of it.
const SHORT: (usize, f64) = (40, 0.85);

/// Short shingles: an edit costs as many of them as they are long. Two ideographs say as much as five letters.
pub(super) const FEATURES: &str = "shingles:letters:5";

/// Three rows find nearly all that is at least 0.85 similar in its letters, and the sieve keeps what they propose in vain
/// from being compared.
pub(super) const BANDS_AND_ROWS: (u32, u32) = (28, 3);

/// The paper has no threshold of its own: what has a common signature is compared, and the edit similarity decides.
pub(crate) const ANY: f64 = 0.001;

/// Ayhan, Bradley and Weissman 2012: shingle length L = 10, N = 10 signatures of K = 8 hashes, the choice they find best
/// where edit similarity is the filter.
pub(super) fn paper() -> Preset {
    preset("paper", |spec| {
        spec.features.method = Some("shingles:chars:10".to_string());
        spec.keys.method = "signatures:10:8".to_string();
    })
}

/// The same with L = 12 and K = 10, where they find the fewest false pairs.
pub(super) fn paper_precise() -> Preset {
    preset("paper-precise", |spec| {
        spec.features.method = Some("shingles:chars:12".to_string());
        spec.keys.method = "signatures:10:10".to_string();
    })
}

fn preset(name: &'static str, settings: fn(&mut Spec)) -> Preset {
    Preset {
        job: Job::Sentences,
        name,
        threshold: ANY,
        choices: FieldChoices::default(),
        settings: Some(settings),
    }
}

/// What cannot be meant.
pub(super) fn problem(spec: &Spec) -> Option<String> {
    let SentencesSpec {
        split,
        window,
        edit_similarity,
        ..
    } = &spec.sentences;
    if !(0.0..=1.0).contains(edit_similarity) {
        Some(format!(
            "edit-similarity {edit_similarity} is not between 0 and 1; 0.75 is a good start"
        ))
    } else if split.least_characters > split.most_characters {
        Some(format!(
            "least-characters {} is more than most-characters {}, so no sentence is left; give a smaller one",
            split.least_characters, split.most_characters
        ))
    } else if *window == 0 {
        Some("a window of 0 sentences has none; 1 compares single sentences".to_string())
    } else if spec.keys.is_by_digest() && spec.verify.measure.is_none() {
        Some(
            "every pair of sentences has a similarity, and imatch alone has none; add --measure cosine"
                .to_string(),
        )
    } else {
        None
    }
}

/// The measure of a spec with these features, with the edit similarity that sentences must have beside it.
pub(crate) fn filtered(
    spec: &Spec,
    named: Arc<dyn Verify>,
    features: &Arc<dyn Method>,
) -> Arc<dyn Verify> {
    if spec.job != Job::Sentences {
        return named;
    }
    let general = spec.sentences.edit_similarity;
    let floor = EditFloor {
        general,
        short: if general > 0.0 { SHORT } else { (0, 0.0) },
    };
    Arc::new(EditFiltered::new(named, Arc::clone(features), floor))
}
