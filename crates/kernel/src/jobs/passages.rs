//! `passages`: which parts of documents are in other documents, too, and where.

use std::sync::Arc;

use lookalike_pair::assemble::alignment::{Aligner, Evidence};
use lookalike_pair::join::NearRule;
use lookalike_sign::features::{Antecedents, TermRules};
use lookalike_sign::keys::Sieving;
use lookalike_sign::stats::IdfRange;
use lookalike_text::{Han, LookAlikes, SentenceOptions, TextOptions, ZeroWidth};

use super::{Job, Outcome, PASSAGES, Preset, Split};
use crate::Error;
use crate::plan::{Plan, Route};
use crate::recall::FoundBy;
use crate::setting::{Choice, Setting};
use crate::spec::{Align, Join, Keep, Pairs, PassageSearch, Spec};

/// Which parts of documents are in other documents, too, and where.
#[derive(Debug)]
pub(super) struct Passages;

impl Job for Passages {
    fn name(&self) -> &'static str {
        "passages"
    }

    /// Documents with a pair of sentences at least this similar are compared.
    fn threshold(&self) -> f64 {
        0.5
    }

    /// A word changed in a sentence of fifteen leaves 10 of 16 of them.
    fn features(&self) -> &'static str {
        "shingles:words:3"
    }

    fn presets(&self) -> Vec<Preset> {
        vec![
            // Zhang, Zhang, Yu and Huang 2010: sentences by 4-shingles, which they find best.
            Preset::new(PASSAGES, "paper-shingles", 0.9, |spec| {
                as_published(spec);
                spec.features.method = Some("shingles:words:4".to_string());
            }),
            // The same by I-Match: sentences with the same words of idf 0.1 and above, all of them.
            Preset::new(PASSAGES, "paper-imatch", 1.0, |spec| {
                as_published(spec);
                spec.features.method = Some("terms".to_string());
                spec.terms = TermRules::default().with(|terms| {
                    terms.min_characters = 1;
                    terms.max_digits = usize::MAX;
                    terms.min_unique = 1;
                    terms.idf = IdfRange::new(0.1, 1.0).ok();
                });
            }),
            // The same by spot signatures after the 10,000 most frequent words, their choice for English.
            Preset::new(PASSAGES, "paper-spotsigs", 0.9, |spec| {
                as_published(spec);
                spec.features.method = Some("spotsigs:10000:1:2".to_string());
                spec.features.antecedents = Antecedents::Corpus;
            }),
            // The same after the 60 most frequent words, their choice for Chinese.
            Preset::new(PASSAGES, "paper-spotsigs-chinese", 0.9, |spec| {
                as_published(spec);
                spec.features.method = Some("spotsigs:60:1:2".to_string());
                spec.features.antecedents = Antecedents::Corpus;
            }),
        ]
    }

    fn what_it_does(&self) -> &'static str {
        "keeps every document"
    }

    fn check(&self, spec: &Spec) -> Result<(), Error> {
        refusal(spec).map_or(Ok(()), Err)
    }

    /// One pair of sentences in a passage is enough to compare the documents, so few bands do: 0.68 of the pairs at the
    /// threshold, 0.98 of those at 0.8, all that are identical.
    fn bands_and_rows(&self) -> Option<(u32, u32)> {
        Some((4, 2))
    }

    fn sieving(&self, _: &Spec) -> Sieving {
        Sieving::Features
    }

    fn exact_units(&self) -> u64 {
        super::EXACT_SENTENCES
    }

    fn split(&self, _: &Spec) -> Split {
        Split::Pages(SentenceOptions::unlimited())
    }

    fn has_titles(&self) -> bool {
        true
    }

    fn outcome(&self) -> Outcome {
        Outcome::Passages
    }

    /// Who copies may hide it behind letters that look like others, and behind what cannot be seen.
    fn text(&self, spec: &Spec) -> TextOptions {
        let mut text = spec.text;
        text.look_alikes = text.look_alikes.or(Some(LookAlikes::Mixed));
        text.zero_width = text.zero_width.or(Some(ZeroWidth::Remove));
        text.han = text.han.or(Some(Han::Simplified));
        text
    }

    fn aligner(&self, spec: &Spec, plan: &Plan) -> Result<Aligner, Error> {
        let evidence = match (spec.passages.align, &plan.features) {
            (Align::Words, _) => Evidence::Words,
            (Align::Sentences, Some(method)) => Evidence::Sentences {
                method: Arc::clone(method),
                background: plan.background.clone(),
                threshold: plan.threshold,
            },
            (Align::Sentences, None) => {
                return Err(Error::Internal("no features were chosen".to_string()));
            }
        };
        let text = self.text(spec);
        Ok(Aligner::new(spec.passages.options(), text, evidence))
    }

    fn near(&self, spec: &Spec) -> Option<NearRule> {
        (spec.passages.search() == PassageSearch::Deep).then_some(NEAR)
    }

    /// Menus and footers are what pages of a site have in common, and stock phrases what those of all have.
    fn reads_main_content(&self) -> bool {
        true
    }

    fn recall_because(&self, _: Route, found_by: FoundBy) -> Option<&'static str> {
        match found_by {
            FoundBy::Prefixes => Some(
                "of single sentences; documents are compared where two near each other, or a long one, are similar",
            ),
            FoundBy::Keys => Some(
                "of single sentences; documents are compared where two near each other, or a long one, share a MinHash \
                 band",
            ),
            FoundBy::AllBut(_) => None,
        }
    }
}

/// Four neighbours of words, five words or more apart, within eighty words of both documents. A phrase that is in both by
/// chance has less, and a passage that is worth the name more, also where four words in ten were changed.
const NEAR: NearRule = NearRule {
    least_keys: 4,
    apart: 2 * 5,
    reach: 2 * 80,
};

/// As in the paper: sentences are aligned as they are written, none between them may differ, and frames of many documents count. Without any
/// limit, what stands in a thousand documents would be half a million pairs.
fn as_published(spec: &mut Spec) {
    spec.passages.align = Align::Sentences;
    spec.passages.gap = 0;
    spec.passages.common_limit = Some(1000);
    spec.text.look_alikes = Some(LookAlikes::AsWritten);
    spec.text.zero_width = Some(ZeroWidth::Separate);
    spec.text.han = Some(Han::AsWritten);
}

/// What cannot be meant.
fn refusal(spec: &Spec) -> Option<Error> {
    let passages = &spec.passages;
    let refused =
        |choice: Choice, problem: &str, remedy: &str| Some(Error::refused(choice, problem, remedy));
    if passages.least_sentences == 0 {
        return refused(
            Setting::LeastSentences.given(0),
            "a passage cannot have 0 sentences",
            "use `min-sentences=1` or more",
        );
    }
    if passages.least_words == 0 {
        return refused(
            Setting::LeastWords.given(0),
            "a passage cannot have 0 words",
            "use `min-words=1` or more",
        );
    }
    if let Some(limit) = passages.common_limit.filter(|&limit| limit < 2) {
        return refused(
            Setting::CommonLimit.given(limit),
            &format!("common-limit {limit}: what stands in two documents would be boilerplate"),
            "use 2 or more",
        );
    }
    if matches!(spec.pairs, Pairs::Links | Pairs::None) {
        return refused(
            Setting::Pairs.given(spec.pairs),
            "passages removes nothing and lists what it found",
            &format!("use `pairs=auto` or `pairs=all`, not {}", spec.pairs),
        );
    }
    if !matches!(spec.keep, Keep::Auto | Keep::First) {
        return refused(
            Setting::Keep.into(),
            "passages keeps every document",
            "leave `keep=` out",
        );
    }
    if spec.keys.join == Join::Unit {
        return refused(
            Setting::Join.given("unit"),
            "passages finds similar sentences by their features, not by comparing all of them",
            "leave `join=` out",
        );
    }
    let measure = spec.verify.measure.as_deref();
    if let Some(other) = measure.filter(|&name| name != "jaccard") {
        return refused(
            Setting::Measure.given(other),
            &format!(
                "passages compares sentences by the Jaccard similarity of their features, not by {other}"
            ),
            "leave `measure=` out",
        );
    }
    if spec.keys.is_by_digest() {
        return refused(
            Setting::Keys.given(&spec.keys.method),
            "imatch keys have no similarity",
            "for sentences with the same terms use `preset=paper-imatch`",
        );
    }
    None
}
