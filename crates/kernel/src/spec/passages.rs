//! What the job `passages` is told beside what all jobs are.

use lookalike_pair::assemble::alignment::PassageOptions;
use lookalike_text::policy;
use serde::{Deserialize, Serialize};

/// What the job `passages` is told beside what all jobs are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct PassagesSpec {
    /// How documents that may share passages are searched for; where nothing is said, deeply if words are aligned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<PassageSearch>,
    /// What tells that passages match.
    pub align: Align,
    /// How many sentences a passage has at least: the γ of the paper.
    pub least_sentences: u32,
    /// Where words are aligned, passages of fewer sentences count if they have so many words.
    pub least_words: u32,
    /// How many sentences may differ between matching ones.
    pub gap: u32,
    /// A sentence that stands in more documents, near-identical ones counted once, is boilerplate; by default 50, and in
    /// smaller collections what frames documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_limit: Option<u32>,
    /// Whether passages are listed with what they say, on both sides.
    pub text: bool,
}

policy!(
    /// How documents that may share passages are searched for.
    PassageSearch, "search", "quick or deep",
    /// By similar sentences.
    Quick = "quick",
    /// Also by words that are neighbours in both, which finds passages whose words were changed.
    Deep = "deep",
);

policy!(
    /// What tells that passages match.
    Align, "align", "words or sentences",
    /// Their words, also where they were changed, dropped and shuffled.
    Words = "words",
    /// Their sentences: those whose features are at least as similar as the threshold says.
    Sentences = "sentences",
);

impl Default for PassagesSpec {
    fn default() -> Self {
        let options = PassageOptions::default();
        PassagesSpec {
            search: None,
            align: Align::Words,
            least_sentences: options.least_sentences,
            least_words: options.least_words,
            gap: options.gap,
            common_limit: None,
            text: true,
        }
    }
}

impl PassagesSpec {
    /// In how many documents a sentence may stand that is no boilerplate.
    pub fn common_limit(&self) -> usize {
        self.common_limit.unwrap_or(50) as usize
    }

    /// How documents are searched for.
    pub fn search(&self) -> PassageSearch {
        self.search.unwrap_or(match self.align {
            Align::Words => PassageSearch::Deep,
            Align::Sentences => PassageSearch::Quick,
        })
    }

    /// What the aligner is told.
    pub fn options(&self) -> PassageOptions {
        PassageOptions::default().with(|options| {
            options.least_sentences = self.least_sentences;
            options.least_words = self.least_words;
            options.gap = self.gap;
        })
    }
}
