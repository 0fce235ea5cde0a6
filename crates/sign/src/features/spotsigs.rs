//! SpotSigs: short chains of content words, at the spots where a common word, an antecedent, occurs.
//!
//! Running text is full of common words and navigation has few, so that the features are those of the text. A word is a
//! content word if it is not a stop word. Stop words are the built-in lists or, where antecedents come from the corpus,
//! the most frequent words of the corpus, a hundred at most: with thousands of antecedents, other antecedents would
//! leave little to make chains of.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use lookalike_text::hash::hash_sequence;
use lookalike_text::{Language, Seed, StopWords, Tokenizer, Unit, function_words, policy};
use serde::{Deserialize, Serialize};

use super::{Background, Describe, Features, Method, Tokens};
use crate::Error;
use crate::stats::HashIndex;

pub(super) const FORM: &str = "spotsigs:N:D:C";

const MAX_ANTECEDENTS: usize = 1_000_000;
const MAX_DISTANCE: usize = 100;
const MAX_CHAIN: usize = 15;

/// How many of the most frequent words of a corpus are no content.
const STOP_WORDS_OF_A_CORPUS: usize = 100;

policy!(
    /// Where antecedents come from.
    #[derive(Default)]
    Antecedents, "antecedents", "lists or corpus",
    /// The first N of each of the built-in lists, English and Chinese.
    #[default]
    Lists = "lists",
    /// The N words of the most documents of the corpus.
    Corpus = "corpus",
);

/// At each occurrence of an antecedent, the hash of it and of the chain of content words that follow. A chain that the
/// text does not complete is no feature, and a unit without a complete chain has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpotSigs {
    /// How many antecedents there are.
    pub antecedents: usize,
    /// Each word of the chain is so many content words after the one before: 1 for the next ones.
    pub distance: usize,
    /// How many words a chain has.
    pub chain: usize,
}

impl Method for SpotSigs {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(SpotDescriber {
            spotsigs: *self,
            seed: background.seed,
            // Antecedents are stop words: without them there would be no spots.
            tokenizer: Tokenizer::new(
                background
                    .text
                    .with(|options| options.stop_words = StopWords::Keep),
            ),
            common: self.common_words(background)?,
            words: Vec::new(),
            content: Vec::new(),
            spots: Vec::new(),
        }))
    }

    fn tokens(&self) -> Tokens {
        Tokens::Words
    }

    fn needs_statistics(&self, background: &Background) -> bool {
        background.antecedents == Antecedents::Corpus
    }
}

impl SpotSigs {
    fn common_words(&self, background: &Background) -> Result<CommonWords, Error> {
        if background.antecedents == Antecedents::Corpus {
            let antecedents = background
                .needed_lexicon(self)?
                .most_frequent(self.antecedents);
            let stop_words = &antecedents[..antecedents.len().min(STOP_WORDS_OF_A_CORPUS)];
            return Ok(CommonWords::new(&antecedents, stop_words));
        }
        let lists = [Language::English, Language::Chinese].map(function_words);
        let available = lists.iter().map(|list| list.len()).max().unwrap_or(0);
        if self.antecedents > available {
            return Err(Error::TooFewAntecedents {
                method: self.to_string(),
                wanted: self.antecedents,
                available,
            });
        }
        let first = lists
            .iter()
            .flat_map(|list| &list[..list.len().min(self.antecedents)]);
        let antecedents = word_hashes(first, background);
        let stop_words = word_hashes(lists.iter().copied().flatten(), background);
        Ok(CommonWords::new(&antecedents, &stop_words))
    }
}

/// The hashes that the words have in a text: options of the text may change them.
fn word_hashes<'a>(words: impl Iterator<Item = &'a &'a str>, background: &Background) -> Vec<u64> {
    let mut tokenizer = Tokenizer::new(background.text);
    let mut hashes = Vec::new();
    for word in words {
        tokenizer.word_hashes(word, background.seed, &mut hashes);
    }
    hashes
}

impl fmt::Display for SpotSigs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpotSigs {
            antecedents,
            distance,
            chain,
        } = self;
        write!(f, "spotsigs:{antecedents}:{distance}:{chain}")
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    let &[antecedents, distance, chain] = arguments else {
        return Err(
            "say how many antecedents, the distance between content words and how many of them, as in spotsigs:20:1:2"
                .to_string(),
        );
    };
    Ok(Arc::new(SpotSigs {
        antecedents: number("number of antecedents", antecedents, MAX_ANTECEDENTS)?,
        distance: number("distance", distance, MAX_DISTANCE)?,
        chain: number("length of the chain", chain, MAX_CHAIN)?,
    }))
}

fn number(what: &str, given: &str, max: usize) -> Result<usize, String> {
    match given.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(number),
        _ => Err(format!(
            "the {what} \"{given}\" is not a number from 1 to {max}"
        )),
    }
}

/// What a word is for, by its hash.
struct CommonWords {
    index: HashIndex,
    roles: Vec<Role>,
}

#[derive(Clone, Copy, Default)]
struct Role {
    antecedent: bool,
    stop_word: bool,
}

impl CommonWords {
    fn new(antecedents: &[u64], stop_words: &[u64]) -> Self {
        let mut roles: BTreeMap<u64, Role> = BTreeMap::new();
        for &hash in antecedents {
            roles.entry(hash).or_default().antecedent = true;
        }
        for &hash in stop_words {
            roles.entry(hash).or_default().stop_word = true;
        }
        let (hashes, roles) = roles.into_iter().unzip();
        CommonWords {
            index: HashIndex::of_sorted(hashes),
            roles,
        }
    }

    fn role(&self, word: u64) -> Role {
        let place = self.index.place(word);
        place.map_or_else(Role::default, |place| self.roles[place])
    }
}

struct SpotDescriber {
    spotsigs: SpotSigs,
    seed: Seed,
    tokenizer: Tokenizer,
    common: CommonWords,
    words: Vec<u64>,
    content: Vec<u64>,
    /// Antecedents, each with the number of content words up to it.
    spots: Vec<(u64, usize)>,
}

impl Describe for SpotDescriber {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        self.words.clear();
        self.content.clear();
        self.spots.clear();
        self.tokenizer
            .word_hashes(unit.text, self.seed, &mut self.words);
        for &word in &self.words {
            let role = self.common.role(word);
            if !role.stop_word {
                self.content.push(word);
            }
            if role.antecedent {
                self.spots.push((word, self.content.len()));
            }
        }
        let SpotSigs {
            distance, chain, ..
        } = self.spotsigs;
        let mut signature = [0; 1 + MAX_CHAIN];
        let signature = &mut signature[..=chain];
        for &(antecedent, before) in &self.spots {
            let following = self.content[before..]
                .iter()
                .skip(distance - 1)
                .step_by(distance);
            signature[0] = antecedent;
            let mut length = 0;
            for (link, &word) in signature[1..].iter_mut().zip(following) {
                *link = word;
                length += 1;
            }
            if length == chain {
                out.push(hash_sequence(signature, self.seed));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::TextOptions;
    use lookalike_text::hash::hash64;
    use proptest::prelude::*;

    use super::*;
    use crate::features::method;
    use crate::features::tests::{described, hashes};
    use crate::stats::{LexiconBuilder, TermCount};

    const SEED: Seed = Seed(7);

    fn spots(chains: &[&[&str]]) -> Vec<u64> {
        let hash = |word: &&str| hash64(word.as_bytes(), SEED);
        let sequence =
            |chain: &&[&str]| hash_sequence(&chain.iter().map(hash).collect::<Vec<_>>(), SEED);
        chains.iter().map(sequence).collect()
    }

    fn corpus_background(terms: &[&str]) -> Background {
        let mut builder = LexiconBuilder::new(SEED);
        let total = terms.len() as u32;
        for (rank, term) in terms.iter().enumerate() {
            builder.add(TermCount {
                term,
                documents: total - rank as u32,
                occurrences: 99,
            });
        }
        let lexicon = builder.finish(total.into(), TextOptions::default());
        Background {
            seed: SEED,
            antecedents: Antecedents::Corpus,
            lexicon: Some(Arc::new(lexicon.unwrap())),
            ..Background::default()
        }
    }

    #[test]
    fn a_feature_is_an_antecedent_and_the_content_words_that_follow() {
        let text = "At a rally to kick start a weeklong campaign for the South";
        let expected = spots(&[
            &["at", "rally", "kick"],
            &["a", "rally", "kick"],
            &["to", "kick", "start"],
            &["a", "weeklong", "campaign"],
        ]);
        assert_eq!(hashes("spotsigs:20:1:2", text), expected);
    }

    #[test]
    fn the_distance_is_counted_in_content_words() {
        let text = "the red of blue and green in gold";
        let expected = spots(&[&["the", "blue", "gold"]]);
        assert_eq!(hashes("spotsigs:1:2:2", text), expected);
        let expected = spots(&[&["the", "green"]]);
        assert_eq!(hashes("spotsigs:1:3:1", text), expected);
    }

    #[test]
    fn fewer_antecedents_are_fewer_spots_but_the_same_content() {
        let text = "the cat and the dog of a queen";
        let expected = spots(&[&["the", "cat", "dog"], &["the", "dog", "queen"]]);
        assert_eq!(hashes("spotsigs:1:1:2", text), expected);
    }

    #[test]
    fn chinese_antecedents_are_known_too() {
        let expected = spots(&[&["的", "狐", "狸"], &["了", "懒", "狗"]]);
        assert_eq!(hashes("spotsigs:20:1:2", "棕色的狐狸跳过了懒狗"), expected);
    }

    #[test]
    fn a_text_without_a_complete_chain_has_no_features() {
        for text in [
            "",
            "quick brown fox",
            "home contact imprint",
            "jump to the",
            "the fox",
            "ไทย",
        ] {
            assert!(hashes("spotsigs:20:1:2", text).is_empty(), "{text}");
        }
    }

    #[test]
    fn antecedents_of_the_corpus_are_its_most_frequent_words() {
        let background = corpus_background(&["der", "die", "haus", "baum"]);
        let features = described(
            "spotsigs:2:1:1",
            &background,
            "Der Baum, das Haus, die Stadt",
        );
        assert_eq!(
            features.hashes(),
            spots(&[&["der", "baum"], &["die", "stadt"]])
        );
    }

    #[test]
    fn beyond_a_hundred_an_antecedent_is_content() {
        let words: Vec<String> = (0..150).map(|rank| format!("w{rank:03}")).collect();
        let terms: Vec<&str> = words.iter().map(String::as_str).collect();
        let background = corpus_background(&terms);
        let features = described("spotsigs:150:1:1", &background, "w000 w001 w120 w130");
        assert_eq!(
            features.hashes(),
            spots(&[&["w000", "w120"], &["w001", "w120"], &["w120", "w130"]])
        );
    }

    #[test]
    fn more_antecedents_than_the_lists_have_are_refused_with_the_remedy() {
        let spotsigs = method("spotsigs:100000:1:2").unwrap();
        let refused = spotsigs.describer(&Background::default()).err().unwrap();
        assert!(refused.to_string().contains("set antecedents = \"corpus\""));
        let mut background = Background {
            antecedents: Antecedents::Corpus,
            ..Background::default()
        };
        assert!(spotsigs.needs_statistics(&background));
        let refused = spotsigs.describer(&background).err().unwrap();
        assert!(refused.to_string().contains("`lexicon=`"));
        background.antecedents = Antecedents::Lists;
        assert!(!spotsigs.needs_statistics(&background));
    }

    proptest! {
        #[test]
        fn words_in_front_of_a_text_do_not_change_its_features(
            before in prop::collection::vec("[a-z]{5,7}|猫", 0..5),
            text in prop::collection::vec("the|of|and|的|[x-z]{2}", 0..30),
            distance in 1usize..4,
            chain in 1usize..4,
        ) {
            let form = format!("spotsigs:20:{distance}:{chain}");
            let text = text.join(" ");
            let longer = format!("{} {text}", before.join(" "));
            prop_assert_eq!(hashes(&form, &longer), hashes(&form, &text));
        }

        #[test]
        fn there_is_at_most_one_feature_for_each_antecedent(
            text in prop::collection::vec("the|of|和|[x-z]{2}", 0..30),
        ) {
            let antecedents = text.iter().filter(|word| ["the", "of", "和"].contains(&word.as_str()));
            let most = antecedents.count();
            prop_assert!(hashes("spotsigs:20:1:2", &text.join(" ")).len() <= most);
        }
    }
}
