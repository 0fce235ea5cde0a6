//! `sentences`: which sentences of an encyclopedia were copied between articles, and what changed in the copy.

use std::sync::Arc;

use lookalike_pair::verify::{EditFiltered, EditFloor, Verify};
use lookalike_sign::features::Method;
use lookalike_sign::keys::Sieving;
use lookalike_text::{Han, TextOptions};

use super::{Job, Outcome, PairRows, Preset, SENTENCES, Split, bands_and_rows};
use crate::Error;
use crate::plan::Route;
use crate::recall::FoundBy;
use crate::setting::Setting;
use crate::spec::{Clusters, SentencesSpec, Spec};

/// Which sentences of an encyclopedia were copied between articles, and what changed in the copy.
#[derive(Debug)]
pub(super) struct Sentences;

/// Sentences of fewer letters must be at least so similar: in `Early life and career` a word is a third of it.
const SHORT: (usize, f64) = (40, 0.85);

/// The paper has no threshold of its own: what has a common signature is compared, and the edit similarity decides.
pub const ANY: f64 = 0.001;

impl Job for Sentences {
    fn name(&self) -> &'static str {
        "sentences"
    }

    /// Pairs at least this similar in their shingles are looked at.
    fn threshold(&self) -> f64 {
        0.4
    }

    /// Short shingles: an edit costs as many of them as they are long. Two ideographs say as much as five letters.
    fn features(&self) -> &'static str {
        "shingles:letters:5"
    }

    fn presets(&self) -> Vec<Preset> {
        vec![
            // Ayhan, Bradley and Weissman 2012: shingle length L = 10, N = 10 signatures of K = 8 hashes, the choice they
            // find best where edit similarity is the filter.
            Preset::new(SENTENCES, "paper", ANY, |spec| {
                spec.features.method = Some("shingles:chars:10".to_string());
                spec.keys.method = "signatures:10:8".to_string();
            }),
            // The same with L = 12 and K = 10, where they find the fewest false pairs.
            Preset::new(SENTENCES, "paper-precise", ANY, |spec| {
                spec.features.method = Some("shingles:chars:12".to_string());
                spec.keys.method = "signatures:10:10".to_string();
            }),
        ]
    }

    /// Articles in Chinese are copied from one script to the other.
    fn text(&self, spec: &Spec) -> TextOptions {
        let han = spec.text.han.or(Some(Han::Simplified));
        spec.text.with(|text| text.han = han)
    }

    fn what_it_does(&self) -> &'static str {
        "compares sentences"
    }

    fn check(&self, spec: &Spec) -> Result<(), Error> {
        let SentencesSpec {
            split,
            window,
            edit_similarity,
            ..
        } = &spec.sentences;
        if !(0.0..=1.0).contains(edit_similarity) {
            return Err(Error::refused(
                Setting::EditSimilarity.given(edit_similarity),
                format!("edit-similarity {edit_similarity} is not between 0 and 1"),
                "0.75 is a good start",
            ));
        }
        let (least, most) = (split.least_characters, split.most_characters);
        if least > most {
            return Err(Error::refused(
                Setting::LeastCharacters.given(least),
                format!("at least {least} and at most {most} characters leave no sentence"),
                "give a smaller one",
            ));
        }
        if *window == 0 {
            return Err(Error::refused(
                Setting::Window.given(window),
                "a window cannot have 0 sentences",
                "1 compares single sentences",
            ));
        }
        if spec.verify.unverified {
            return Err(Error::refused(
                Setting::Unverified,
                "every pair of sentences has a similarity, and unverified ones have none",
                "leave `unverified=` out",
            ));
        }
        Ok(())
    }

    /// With the edit similarity that sentences must have beside it.
    fn measure(
        &self,
        spec: &Spec,
        named: Arc<dyn Verify>,
        features: &Arc<dyn Method>,
    ) -> Arc<dyn Verify> {
        let general = spec.sentences.edit_similarity;
        let floor = EditFloor {
            general,
            short: if general > 0.0 { SHORT } else { (0, 0.0) },
        };
        Arc::new(EditFiltered::new(named, Arc::clone(features), floor))
    }

    /// Three rows find nearly all that is at least 0.85 similar in its letters, and the sieve keeps what they propose in
    /// vain from being compared.
    fn bands_and_rows(&self) -> Option<(u32, u32)> {
        Some((28, 3))
    }

    /// Where nothing else is asked for: a threshold or a recall is to be met.
    fn sieving(&self, spec: &Spec) -> Sieving {
        if spec.keys.bands.is_none() && bands_and_rows(spec).is_some() {
            Sieving::Minima
        } else {
            Sieving::No
        }
    }

    /// So many sentences with a common band, nearly all of them alike, are a template: what is closer than that shares other
    /// bands, too. Every listed pair is read and written, which takes longer than finding it.
    fn bucket_limit(&self) -> usize {
        32
    }

    fn exact_units(&self) -> u64 {
        super::EXACT_SENTENCES
    }

    fn split(&self, spec: &Spec) -> Split {
        Split::Sentences(spec.sentences.clone())
    }

    fn outcome(&self) -> Outcome {
        Outcome::Pairs(PairRows::Sentences)
    }

    /// Nothing is removed: what a sentence became on its way through articles belongs together.
    fn clusters(&self) -> Clusters {
        Clusters::Components
    }

    fn recall_because(&self, route: Route, found_by: FoundBy) -> Option<&'static str> {
        match (route, found_by) {
            // With that many an exact search was not thought of.
            (Route::PrefixOr(_), FoundBy::Keys) => {
                Some("sentences with a common MinHash band are compared")
            }
            _ => None,
        }
    }
}
