//! `passages`: which parts of documents are in other documents, too, and where.

use lookalike_pair::assemble::alignment::{Aligner, Evidence};
use lookalike_sign::features::{Antecedents, TermRules};
use lookalike_sign::stats::IdfRange;

use super::{FieldChoices, Preset};
use crate::Error;
use crate::plan::Plan;
use crate::spec::{Align, Job, Join, Keep, Pairs, Spec};

/// Documents with a pair of sentences at least this similar are compared.
pub(super) const THRESHOLD: f64 = 0.5;

/// A word changed in a sentence of fifteen leaves 10 of 16 of them.
pub(super) const FEATURES: &str = "shingles:words:3";

/// One pair of sentences in a passage is enough to compare the documents, so few bands do: 0.68 of the pairs at the
/// threshold, 0.98 of those at 0.8, all that are identical.
pub(super) const BANDS_AND_ROWS: (u32, u32) = (4, 2);

/// Zhang, Zhang, Yu and Huang 2010: sentences by 4-shingles, which they find best.
pub(super) fn paper_shingles() -> Preset {
    preset("paper-shingles", 0.9, |spec| {
        as_published(spec);
        spec.features.method = Some("shingles:words:4".to_string());
    })
}

/// The same by I-Match: sentences with the same words of idf 0.1 and above, all of them.
pub(super) fn paper_imatch() -> Preset {
    preset("paper-imatch", 1.0, |spec| {
        as_published(spec);
        spec.features.method = Some("terms".to_string());
        spec.terms = TermRules {
            min_characters: 1,
            max_digits: usize::MAX,
            min_unique: 1,
            idf: IdfRange::new(0.1, 1.0).ok(),
        };
    })
}

/// The same by spot signatures after the 10,000 most frequent words, their choice for English.
pub(super) fn paper_spotsigs() -> Preset {
    preset("paper-spotsigs", 0.9, |spec| {
        as_published(spec);
        spec.features.method = Some("spotsigs:10000:1:2".to_string());
        spec.features.antecedents = Antecedents::Corpus;
    })
}

/// The same after the 60 most frequent words, their choice for Chinese.
pub(super) fn paper_spotsigs_chinese() -> Preset {
    preset("paper-spotsigs-chinese", 0.9, |spec| {
        as_published(spec);
        spec.features.method = Some("spotsigs:60:1:2".to_string());
        spec.features.antecedents = Antecedents::Corpus;
    })
}

/// Diagonals of at least three sentences, without gaps. The paper knows no boilerplate; but what a thousand documents have
/// would be half a million pairs.
fn as_published(spec: &mut Spec) {
    spec.passages.align = Align::Sentences;
    spec.passages.gap = 0;
    spec.passages.common_limit = 1000;
}

fn preset(name: &'static str, threshold: f64, settings: fn(&mut Spec)) -> Preset {
    Preset {
        job: Job::Passages,
        name,
        threshold,
        choices: FieldChoices::default(),
        settings: Some(settings),
    }
}

/// What cannot be meant.
pub(super) fn problem(spec: &Spec) -> Option<String> {
    let passages = &spec.passages;
    if passages.least_sentences == 0 {
        return Some(
            "a passage of 0 sentences is none; use --least-sentences 1 or more".to_string(),
        );
    }
    if passages.least_words == 0 {
        return Some("a passage of 0 words is none; use --least-words 1 or more".to_string());
    }
    if passages.common_limit < 2 {
        return Some(format!(
            "common-limit {}: what stands in two documents would be boilerplate; use 2 or more",
            passages.common_limit
        ));
    }
    if matches!(spec.pairs, Pairs::Links | Pairs::None) {
        return Some(format!(
            "passages removes nothing and lists what it found; use --pairs auto or --pairs all, not {}",
            spec.pairs
        ));
    }
    if spec.keep != Keep::First {
        return Some("passages keeps every document; leave --keep out".to_string());
    }
    if spec.keys.join == Join::Unit {
        return Some(
            "passages finds similar sentences by their features, not by comparing all of them; leave --join out"
                .to_string(),
        );
    }
    let measure = spec.verify.measure.as_deref();
    if let Some(other) = measure.filter(|&name| name != "jaccard") {
        return Some(format!(
            "passages compares sentences by the Jaccard similarity of their features, not by {other}; leave --measure out"
        ));
    }
    if spec.keys.is_by_digest() {
        return Some(
            "imatch keys have no similarity; for sentences with the same terms use --preset paper-imatch".to_string(),
        );
    }
    None
}

/// What locates the passages of two documents.
pub(crate) fn aligner(spec: &Spec, plan: &Plan) -> Result<Aligner, Error> {
    let evidence = match (spec.passages.align, &plan.features) {
        (Align::Words, _) => Evidence::Words,
        (Align::Sentences, Some(method)) => Evidence::Sentences {
            method: std::sync::Arc::clone(method),
            background: plan.background.clone(),
            threshold: plan.threshold,
        },
        (Align::Sentences, None) => {
            return Err(Error::Internal("no features were chosen".to_string()));
        }
    };
    Ok(Aligner::new(spec.passages.options(), spec.text, evidence))
}
