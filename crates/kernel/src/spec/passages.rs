//! What the job `passages` is told beside what all jobs are.

use lookalike_pair::assemble::alignment::PassageOptions;
use lookalike_text::policy;
use serde::{Deserialize, Serialize};

/// See the [module](self).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct PassagesSpec {
    /// What tells that passages match.
    pub align: Align,
    /// How many sentences a passage has at least: the γ of the paper.
    pub least_sentences: u32,
    /// Where words are aligned, passages of fewer sentences count if they have so many words.
    pub least_words: u32,
    /// How many sentences may differ between matching ones.
    pub gap: u32,
    /// A sentence that stands in more documents, near-identical ones counted once, is boilerplate.
    pub common_limit: u32,
}

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
            align: Align::Words,
            least_sentences: options.least_sentences,
            least_words: options.least_words,
            gap: options.gap,
            common_limit: 50,
        }
    }
}

impl PassagesSpec {
    /// What the aligner is told.
    pub fn options(&self) -> PassageOptions {
        PassageOptions::default().with(|options| {
            options.least_sentences = self.least_sentences;
            options.least_words = self.least_words;
            options.gap = self.gap;
        })
    }
}
