//! Negations: how often a text says no. "What can I eat" and "what can I not eat" have nearly all words in common.
//!
//! The features are the counts up to that of the text, 0 included: under Jaccard, two texts without negations are the same, and
//! one negation more counts for more among few.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use lookalike_text::hash::hash64;
use lookalike_text::{Seed, Tokenizer, Unit};

use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;

pub(super) const FORM: &str = "negations";

/// The words that negate, in the languages of the lists of function words. Contractions of English are told by their end.
/// Polish `nie` is the German one, Norwegian `ikke` the Danish one.
const NEGATIONS: &[&str] = &[
    // English
    "not",
    "no",
    "never",
    "none",
    "nothing",
    "nobody",
    "nor",
    "neither",
    "cannot",
    "without",
    // Chinese, character by character and as words
    "不",
    "没",
    "沒",
    "无",
    "無",
    "非",
    "未",
    "别",
    "別",
    "勿",
    "没有",
    "沒有",
    "不是",
    "不能",
    "不会",
    "不會",
    // German, Dutch
    "nicht",
    "nichts",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keinem",
    "nie",
    "niemals",
    "ohne",
    "niet",
    "geen",
    "nooit",
    "zonder",
    // French
    "pas",
    "jamais",
    "sans",
    "aucun",
    "aucune",
    // Spanish, Italian, Portuguese
    "nunca",
    "jamás",
    "sin",
    "ninguno",
    "ninguna",
    "non",
    "mai",
    "senza",
    "nessuno",
    "nessuna",
    "não",
    "sem",
    "nenhum",
    "nenhuma",
    // Danish, Norwegian, Swedish
    "ikke",
    "aldrig",
    "aldri",
    "uden",
    "uten",
    "inte",
    "utan",
    "ingen",
    // Polish, Russian
    "nigdy",
    "bez",
    "не",
    "нет",
    "никогда",
    "без",
];

/// How often a text negates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Negations;

impl Method for Negations {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(NegationDescriber {
            seed: background.seed,
            tokenizer: Tokenizer::new(background.text),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }
}

impl fmt::Display for Negations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    match arguments {
        [] => Ok(Arc::new(Negations)),
        _ => Err("it has no parameters".to_string()),
    }
}

struct NegationDescriber {
    seed: Seed,
    tokenizer: Tokenizer,
}

impl Describe for NegationDescriber {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        let (mut words, mut negations) = (0, 0u64);
        self.tokenizer
            .words(unit.text, &mut |word: &str, _: Range<usize>| {
                words += 1;
                negations += u64::from(is_negation(word));
            });
        if words > 0 {
            let counts = (0..=negations).map(|count| hash64(&count.to_le_bytes(), self.seed));
            counts.for_each(|count| out.push(count));
        }
    }
}

fn is_negation(word: &str) -> bool {
    let lower;
    let word = if word.chars().any(char::is_uppercase) {
        lower = word.to_lowercase();
        &lower
    } else {
        word
    };
    let stem = word.strip_suffix('t');
    let is_contracted = stem.is_some_and(|stem| stem.ends_with("n'") || stem.ends_with("n’"));
    is_contracted || NEGATIONS.contains(&word)
}

#[cfg(test)]
mod tests {
    use crate::features::tests::hashes;

    fn negations(text: &str) -> usize {
        hashes("negations", text).len() - 1
    }

    #[test]
    fn only_how_often_a_text_negates_counts() {
        assert_eq!(negations("What can I eat?"), 0);
        assert_eq!(negations("What can I NOT eat, and why can't I?"), 2);
        assert_eq!(negations("为什么不能借，没有额度"), 2);
        assert_eq!(negations("Warum geht das nicht?"), 1);
        assert_eq!(
            hashes("negations", "yes, I do"),
            hashes("negations", "是的")
        );
        assert!(hashes("negations", "").is_empty());
    }
}
