//! I-Match as a signature of a field: one digest of all its words whose idf is in a range (Chowdhury et al., as Wu, Zhang and
//! Huang compare it), and with extra lexicons one more for each.
//!
//! Two texts have a digest in common if they have the same words of that range, whatever else they say.

use std::fmt;
use std::sync::Arc;

use lookalike_text::Unit;

use super::{Background, Describe, Features, Method, TermRules, Terms, Tokens, Weighting};
use crate::Error;
use crate::keys::{DROPPED, IMatch, IMatchRules, Keys};
use crate::stats::IdfRange;

pub(super) const FORM: &str = "imatch, imatch:MIN:MAX or imatch:MIN:MAX:K";

/// The range of the paper's better result.
const USUAL: (f64, f64) = (0.1, 0.9);

/// Digests of the words whose idf is in a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Digests {
    range: IdfRange,
    extra_lexicons: u32,
}

impl Method for Digests {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        let lexicon = background.needed_lexicon(self)?;
        let words = Background {
            terms: TermRules {
                min_characters: 1,
                max_digits: usize::MAX,
                min_unique: 1,
                idf: None,
            },
            lexicon: Some(Arc::clone(lexicon)),
            weighting: Weighting::Idf,
            weighted: true,
            ..background.clone()
        };
        let rules = IMatchRules {
            idf: Some(self.range),
            min_terms: 1,
            min_share: 0.0,
        };
        Ok(Box::new(DigestDescriber {
            describe: Terms.describer(&words)?,
            imatch: IMatch::new(self.extra_lexicons, DROPPED, rules, background.seed),
            words: Features::default(),
            digests: Vec::new(),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }

    fn needs_statistics(&self, _background: &Background) -> bool {
        true
    }
}

impl fmt::Display for Digests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "imatch:{}:{}", self.range.min(), self.range.max())?;
        match self.extra_lexicons {
            0 => Ok(()),
            extra => write!(f, ":{extra}"),
        }
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    const MOST: u32 = 1000;
    let (range, extra) = match arguments {
        [] => (USUAL, 0),
        [min, max, rest @ ..] if rest.len() < 2 => {
            let number = |given: &str| {
                let number = given.parse::<f64>();
                number.map_err(|_| format!("\"{given}\" is no normalised idf, from 0 to 1"))
            };
            let extra = match rest {
                [given] => given
                    .parse()
                    .ok()
                    .filter(|extra| *extra <= MOST)
                    .ok_or_else(|| {
                        format!("\"{given}\" is not a number of extra lexicons from 0 to {MOST}")
                    })?,
                _ => 0,
            };
            ((number(min)?, number(max)?), extra)
        }
        _ => {
            return Err(
                "it takes the least and the greatest idf of its words, as in imatch:0.1:0.9"
                    .to_string(),
            );
        }
    };
    let range = IdfRange::new(range.0, range.1)?;
    Ok(Arc::new(Digests {
        range,
        extra_lexicons: extra,
    }))
}

struct DigestDescriber {
    describe: Box<dyn Describe>,
    imatch: IMatch,
    words: Features,
    digests: Vec<Option<u128>>,
}

impl Describe for DigestDescriber {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        self.describe.describe(unit, &mut self.words);
        self.digests.clear();
        self.imatch.digests(&self.words, &mut self.digests);
        let digests = self.digests.iter().flatten();
        digests.for_each(|&digest| out.push(digest as u64));
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::{Seed, TextOptions};

    use super::*;
    use crate::features::method;
    use crate::features::tests::described;
    use crate::stats::{LexiconBuilder, TermCount};

    fn background() -> Background {
        let mut builder = LexiconBuilder::new(Seed(3));
        for (term, documents) in [("the", 90), ("river", 9), ("floods", 8), ("often", 40)] {
            builder.add(TermCount {
                term,
                documents,
                occurrences: documents.into(),
            });
        }
        let lexicon = builder.finish(100, TextOptions::default());
        Background {
            seed: Seed(3),
            lexicon: Some(Arc::new(lexicon.unwrap())),
            ..Background::default()
        }
    }

    #[test]
    fn texts_with_the_same_words_of_the_range_have_one_digest_in_common() {
        let hashes =
            |form: &str, text: &str| described(form, &background(), text).hashes().to_vec();
        let digest = hashes("imatch:0.3:1", "The river often floods.");
        assert_eq!(digest.len(), 1);
        assert_eq!(digest, hashes("imatch:0.3:1", "floods: the the RIVER"));
        assert_ne!(digest, hashes("imatch:0.3:1", "the river"));
        assert!(hashes("imatch:0.3:1", "the often").is_empty());
        assert_eq!(hashes("imatch:0.3:1:4", "the river floods").len(), 5);
    }

    #[test]
    fn a_range_that_cannot_be_is_refused_with_the_form() {
        for wrong in [
            "imatch:0.9:0.1",
            "imatch:0.5",
            "imatch:0:1:x",
            "imatch:0:1:2:3",
        ] {
            assert!(
                method(wrong)
                    .unwrap_err()
                    .to_string()
                    .contains("imatch:MIN:MAX"),
                "{wrong}"
            );
        }
        assert_eq!(method("imatch").unwrap().to_string(), "imatch:0.1:0.9");
    }
}
