//! Which texts of a corpus are most like some of them, whatever a model says?
//!
//! Texts come in; for a sample of them, those that share most of the words that carry meaning go out, the rare words
//! counting most (cosine of the weights of information retrieval). These are the pairs that a model may take for
//! near-duplicates: pairs drawn at random share nothing, and say nothing about the mistakes of a run.

use lookalike_text::hash::mix64;
use lookalike_text::{Seed, TextOptions, Tokenizer};
use rayon::prelude::*;

/// Texts that are sampled: so many, unless they are long.
const SAMPLED: usize = 2000;
const LEAST_SAMPLED: usize = 100;
/// Neighbours of each that are told.
const NEIGHBOURS: usize = 10;
/// About so many bytes are compared at the most.
const MOST_COMPARED: usize = 40_000_000;
/// Of a text, so many places of its words are looked at, the rarest words first.
const MOST_LOOKED_AT: usize = 50_000;

/// A sampled text and its neighbours, the nearest first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Neighbourhood {
    pub(super) text: usize,
    pub(super) neighbours: Vec<usize>,
}

/// Which texts of a corpus are most like some of them, whatever a model says? Only these places are
/// sampled. Texts without words that carry meaning are nobody's neighbours.
pub(super) fn nearest(
    texts: &[&str],
    mut sample: Vec<usize>,
    (options, seed): (TextOptions, Seed),
) -> Vec<Neighbourhood> {
    let index = Index::new(texts, options);
    sample.sort_by_key(|&text| mix64(text as u64 ^ mix64(seed.0)));
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let each = 1 + NEIGHBOURS * bytes / texts.len().max(1);
    sample.truncate((MOST_COMPARED / each).clamp(LEAST_SAMPLED, SAMPLED));
    sample
        .into_par_iter()
        .map_init(
            || vec![0.0; texts.len()],
            |sums, text| Neighbourhood {
                text,
                neighbours: index.nearest(text, sums),
            },
        )
        .collect()
}

/// Which texts have which words.
struct Index {
    /// For each word the texts that have it.
    texts_of: Vec<Vec<u32>>,
    /// For each text its words.
    words_of: Vec<Vec<u32>>,
    /// What sharing a word counts.
    weights: Vec<f64>,
    /// The length of each text as a vector of weights.
    lengths: Vec<f64>,
}

impl Index {
    fn new(texts: &[&str], options: TextOptions) -> Self {
        let words = |text: &&str| {
            let mut words = Vec::new();
            Tokenizer::new(options).word_hashes(text, Seed(0), &mut words);
            words.sort_unstable();
            words.dedup();
            words
        };
        let hashes: Vec<Vec<u64>> = texts.par_iter().map(words).collect();
        let numbered = (0u32..).zip(&hashes);
        let mut places: Vec<(u64, u32)> = numbered
            .flat_map(|(text, words)| words.iter().map(move |&word| (word, text)))
            .collect();
        places.sort_unstable();
        let mut index = Index {
            texts_of: Vec::new(),
            words_of: vec![Vec::new(); texts.len()],
            weights: Vec::new(),
            lengths: vec![0.0; texts.len()],
        };
        for places in places.chunk_by(|one, two| one.0 == two.0) {
            let word = index.texts_of.len() as u32;
            let idf = libm::log((1.0 + texts.len() as f64) / places.len() as f64);
            for &(_, text) in places {
                index.words_of[text as usize].push(word);
                index.lengths[text as usize] += idf * idf;
            }
            index.weights.push(idf * idf);
            index
                .texts_of
                .push(places.iter().map(|&(_, text)| text).collect());
        }
        index
            .lengths
            .iter_mut()
            .for_each(|length| *length = length.sqrt());
        index
    }

    /// The nearest of a text. The sums are 0 before and after.
    fn nearest(&self, text: usize, sums: &mut [f64]) -> Vec<usize> {
        let mut words = self.words_of[text].clone();
        words.sort_by_key(|&word| (self.texts_of[word as usize].len(), word));
        let (mut touched, mut looked_at) = (Vec::new(), 0);
        for word in words {
            let texts = &self.texts_of[word as usize];
            looked_at += texts.len();
            if looked_at > MOST_LOOKED_AT && !touched.is_empty() {
                break;
            }
            for &other in texts.iter().filter(|&&other| other as usize != text) {
                let sum = &mut sums[other as usize];
                if *sum == 0.0 {
                    touched.push(other as usize);
                }
                *sum += self.weights[word as usize];
            }
        }
        let mut near: Vec<(f64, usize)> = touched
            .iter()
            .map(|&other| (sums[other] / self.lengths[other], other))
            .collect();
        touched.iter().for_each(|&other| sums[other] = 0.0);
        near.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        near.truncate(NEIGHBOURS);
        near.into_iter().map(|(_, other)| other).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 6] = [
        "red kettle boils water",
        "blue kettle boils water",
        "water in the desert",
        "渡轮几点开",
        "渡轮几点到",
        "",
    ];

    #[test]
    fn the_nearest_share_the_rarest_words() {
        let found = nearest(&TEXTS, (0..6).collect(), (TextOptions::default(), Seed(1)));
        assert_eq!(found.len(), TEXTS.len());
        let of = |text: usize| found.iter().find(|near| near.text == text).unwrap();
        assert_eq!(of(0).neighbours, [1, 2]);
        assert_eq!(of(2).neighbours, [0, 1]);
        assert_eq!(of(3).neighbours, [4]);
        assert!(of(5).neighbours.is_empty());
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let texts: Vec<String> = (0..300)
            .map(|n| format!("word{} word{} x", n % 17, n % 23))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let all = (0..300).collect();
            pool.unwrap()
                .install(|| nearest(&texts, all, (TextOptions::default(), Seed(4))))
        };
        assert_eq!(on(1), on(3));
    }
}
