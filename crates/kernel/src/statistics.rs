//! What is known of a collection of texts, for plans that must know it before they can sign.

use std::io::BufRead;
use std::sync::Arc;

use lookalike_sign::features::Background;
use lookalike_sign::stats::{Lexicon, Vocabulary};
use lookalike_sign::weights::{Term, TermCounts, TermTable, TermWeights};
use lookalike_text::TextOptions;

use crate::Error;
use crate::kernel::Kernel;

/// What must be known before texts can be signed; several at once.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Needs {
    /// How common words are: a lexicon for each of these ways to tell words.
    pub lexicons: Vec<TextOptions>,
    /// What words weigh, which is known once all texts are.
    pub term_weights: bool,
    /// How common features are, which tells the rarest of each text.
    pub feature_frequencies: bool,
}

/// What is known of a collection of texts.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// How common words are, for each way to tell words.
    pub lexicons: Vec<Arc<Lexicon>>,
    /// How common words are in another collection than the texts themselves, where words are weighed.
    pub collection: Option<Arc<TermCounts>>,
    /// What words weigh.
    pub weights: Option<Arc<TermWeights>>,
    /// Stands for a file that these were read from, or 0: an interrupted run continues only with the same one.
    pub identity: u128,
}

impl Statistics {
    /// A lexicon.
    pub fn of_lexicon(lexicon: Arc<Lexicon>) -> Self {
        Statistics {
            lexicons: vec![lexicon],
            ..Statistics::default()
        }
    }

    /// What words weigh.
    pub fn of_weights(weights: TermWeights) -> Self {
        Statistics {
            weights: Some(Arc::new(weights)),
            ..Statistics::default()
        }
    }

    /// What a saved lexicon tells this kernel.
    ///
    /// # Errors
    /// If it is damaged, or its words are not those of the kernel.
    pub fn read(saved: impl BufRead, kernel: &Kernel) -> Result<Self, Error> {
        let background = &kernel.plan().background;
        if !kernel.plan().weighs {
            let lexicon = Lexicon::read(saved, background.seed)?;
            return Ok(Statistics::of_lexicon(Arc::new(lexicon)));
        }
        Ok(Statistics {
            collection: Some(Arc::new(term_counts(saved, background)?)),
            ..Statistics::default()
        })
    }

    /// What a saved lexicon tells this kernel of texts that are not known yet: also what their words weigh.
    ///
    /// # Errors
    /// As [`Statistics::read`].
    pub fn of_collection(saved: impl BufRead, kernel: &Kernel) -> Result<Self, Error> {
        let plan = kernel.plan();
        if !plan.weighs {
            return Statistics::read(saved, kernel);
        }
        let rules = kernel.spec().weights.unwrap_or_default();
        let counts = term_counts(saved, &plan.background)?;
        Ok(Statistics::of_weights(TermWeights::of_collection(
            rules, counts,
        )))
    }
}

/// How common the words of a saved lexicon are.
fn term_counts(saved: impl BufRead, background: &Background) -> Result<TermCounts, Error> {
    let vocabulary = Vocabulary::read(saved)?;
    background.check_words(vocabulary.text())?;
    let mut table = TermTable::default();
    for term in vocabulary.terms() {
        table.add(Term::of(term.term, background.seed).get(), term.documents);
    }
    Ok(TermCounts::new(vec![table]))
}
