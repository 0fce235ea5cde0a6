//! Which passages do two texts share? What a run of the job `passages` finds of a pair, without a corpus.
//!
//! ```
//! use lookalike_kernel::{Kernel, Spec, TwoPages, jobs};
//!
//! let quoted = "The ferry leaves the old harbour at nine. The crossing takes forty minutes. Dogs travel free.";
//! let quoting = format!("It is raining. {quoted} Nobody came.");
//! let kernel = Kernel::new(&Spec::of_job(jobs::PASSAGES))?;
//! let pages = TwoPages::compare(&kernel, quoted, &quoting)?;
//! assert_eq!(pages.passages[0].b.characters.start, 15);
//! assert_eq!(pages.passages[0].b.span.sentences, 3);
//! assert_eq!(pages.shared.unwrap().relation.name(), "contained");
//! # Ok::<(), lookalike_kernel::Error>(())
//! ```

use std::ops::Range;

use lookalike_pair::assemble::alignment::{Aligner, Page, Passage, Scratch, Shared, Span};
use lookalike_text::{SentenceOptions, sentences};

use crate::Error;
use crate::characters::Characters;
use crate::kernel::Kernel;
use crate::setting::Setting;

/// What two texts have in common.
#[derive(Debug)]
pub struct TwoPages {
    /// The first text.
    pub a: ComparedPage,
    /// The second.
    pub b: ComparedPage,
    /// The passages, in the order of the first text.
    pub passages: Vec<CommonPassage>,
    /// What they come to; none if there are none.
    pub shared: Option<Shared>,
    /// Sentences that say the same, also outside of passages: numbers from 0 in the first text and in the second, and
    /// their similarity.
    pub dots: Vec<(u32, u32, f64)>,
}

/// What is known of one of the texts.
#[derive(Debug)]
pub struct ComparedPage {
    /// The bytes of its sentences.
    pub sentences: Vec<Range<u32>>,
    /// How many words it has.
    pub words: u32,
}

/// A passage of two texts.
#[derive(Debug, Clone)]
pub struct CommonPassage {
    /// Where it is in the first.
    pub a: PassageSide,
    /// Where it is in the second.
    pub b: PassageSide,
    /// How similar its sides are.
    pub similarity: f64,
}

/// One side of a passage.
#[derive(Debug, Clone)]
pub struct PassageSide {
    /// Its bytes, and the sentences of which it has a part.
    pub span: Span,
    /// The characters before it, and those before its end.
    pub characters: Range<u32>,
    /// Its words.
    pub words: u32,
}

impl TwoPages {
    /// Compares two texts by the settings of a job that locates passages.
    ///
    /// # Errors
    /// If the kernel must know the frequencies of words and does not, or a text has 4 GB.
    pub fn compare(kernel: &Kernel, a: &str, b: &str) -> Result<Self, Error> {
        let aligner = kernel.aligner()?;
        let mut scratch = aligner.scratch()?;
        let first = Prepared::new(&aligner, a, &mut scratch)?;
        let second = Prepared::new(&aligner, b, &mut scratch)?;
        let mut passages = Vec::new();
        aligner.align(&first.page, &second.page, &mut scratch, &mut passages);
        let shared = Shared::of(&first.page, &second.page, &mut passages);
        let found = |passage: &Passage| CommonPassage {
            a: first.side(passage.a),
            b: second.side(passage.b),
            similarity: passage.similarity,
        };
        Ok(TwoPages {
            passages: passages.iter().map(found).collect(),
            shared,
            dots: aligner.dots(&first.page, &second.page, &mut scratch),
            a: first.known(),
            b: second.known(),
        })
    }
}

struct Prepared {
    page: Page,
    sentences: Vec<Range<u32>>,
    characters: Characters,
}

impl Prepared {
    fn new(aligner: &Aligner, text: &str, scratch: &mut Scratch) -> Result<Self, Error> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error::refused(
                Setting::Input,
                format!(
                    "a text of {} bytes is too long, 4 GB is the limit",
                    text.len()
                ),
                "compare parts of it",
            ));
        }
        let mut found = Vec::new();
        sentences(text, &SentenceOptions::unlimited(), |sentence| {
            found.push(sentence.range.start as u32..sentence.range.end as u32);
        });
        Ok(Prepared {
            page: aligner.page(text, &found, &[], scratch),
            sentences: found,
            characters: Characters::new(text.to_string()),
        })
    }

    fn side(&self, span: Span) -> PassageSide {
        PassageSide {
            span,
            characters: self.characters.at(span.begin)..self.characters.at(span.end),
            words: self.page.coverage(std::iter::once(span)).covered,
        }
    }

    fn known(self) -> ComparedPage {
        ComparedPage {
            words: self.page.coverage(std::iter::empty()).words,
            sentences: self.sentences,
        }
    }
}
