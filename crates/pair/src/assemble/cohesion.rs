//! Do parts that follow each other go on with one story, or are they several?
//!
//! In: the texts of the parts in order. Out: whether parts have as much in common as the halves of a part have.
//! What a story is about, its names above all, is said again and again: so words count by how often they occur.

use std::ops::Range;

use lookalike_text::hash::{hash_sequence, hash64};
use lookalike_text::{Language, Languages, Seed, StopWords, TextOptions, Tokenizer};

/// Parts of a story have at least this share of the similarity to each other that the halves of a part have.
/// With both limits, of 1,000 encyclopedia articles cut into two or three pages 990 are a story, and of 1,323 groups of two
/// or four articles none is.
const GOES_ON: f64 = 0.35;

/// What short texts have in common by chance, also where the halves of a part have less: a report of ten sentences hardly
/// repeats a word. Of unrelated ones, four at a time, 1 in 150 has more; 5 have more than 0.1.
const BY_CHANCE: f64 = 0.11;

/// Whether these texts are parts of one story.
pub fn is_one_story(parts: &[&str]) -> bool {
    let [across, within] = cohesion(parts);
    across >= BY_CHANCE.max(GOES_ON * within)
}

/// How similar parts are to each other, and how similar the halves of a part: means of the cosines of their words.
fn cohesion(parts: &[&str]) -> [f64; 2] {
    let mut tokenizer = Tokenizer::new(
        TextOptions::default()
            .with(|options| options.stop_words = StopWords::Drop(every_language())),
    );
    let words = |part: &&str| words(&mut tokenizer, part);
    let parts: Vec<Vec<u64>> = parts.iter().map(words).collect();
    let whole: Vec<_> = parts.iter().map(|words| direction(words)).collect();
    let within = parts.iter().map(|words| {
        let (first, second) = words.split_at(words.len() / 2);
        mean_cosine(&[direction(first), direction(second)])
    });
    [
        mean_cosine(&whole),
        within.sum::<f64>() / parts.len().max(1) as f64,
    ]
}

fn every_language() -> Languages {
    let first = Languages::from(Language::English);
    Language::ALL.iter().fold(first, |all, &one| all.and(one))
}

/// The words of a text. Where a word is a single character, two of them are one.
fn words(tokenizer: &mut Tokenizer, text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    let mut last: Option<(u64, usize)> = None;
    tokenizer.words(text, &mut |word: &str, place: Range<usize>| {
        let hash = hash64(word.as_bytes(), Seed(0));
        let is_one = word.chars().nth(1).is_none() && !word.is_ascii();
        match last {
            Some((before, end)) if is_one && end == place.start => {
                words.push(hash_sequence(&[before, hash], Seed(0)));
            }
            _ if !is_one => words.push(hash),
            _ => {}
        }
        last = is_one.then_some((hash, place.end));
    });
    words
}

/// A vector of length 1 by how often each word occurs; empty if there are no words. What is said once says little.
fn direction(words: &[u64]) -> Vec<(u64, f64)> {
    let mut words = words.to_vec();
    words.sort_unstable();
    let groups = words.chunk_by(|x, y| x == y);
    let mut weights: Vec<(u64, f64)> = groups
        .map(|same| (same[0], same.len() as f64 - 0.5))
        .collect();
    let length = squares(weights.iter().map(|(_, weight)| *weight)).sqrt();
    for (_, weight) in &mut weights {
        *weight /= length;
    }
    weights
}

fn squares(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum()
}

/// The mean cosine of all pairs of vectors of length 1: the square of their sum has it twice for each pair, and 1 for each
/// vector.
fn mean_cosine(directions: &[Vec<(u64, f64)>]) -> f64 {
    if directions.len() < 2 {
        return 0.0;
    }
    let count = directions.len() as f64;
    let not_empty = directions.iter().filter(|vector| !vector.is_empty());
    let ones = not_empty.count() as f64;
    let mut all = directions.concat();
    all.sort_by_key(|(word, _)| *word);
    let same = all.chunk_by(|x, y| x.0 == y.0);
    let sums = same.map(|same| same.iter().map(|(_, weight)| weight).sum::<f64>());
    (squares(sums) - ones) / (count * (count - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIRL: &str = "The girl found a key under the oak. The key was warm, and the girl put it into her pocket.";
    const DOOR: &str = "No door in the village had a lock for the key. The girl asked the smith, and the smith laughed.";
    const TRAM: &str = "The tram will reach the hospital in March. Engineers laid the last rails of the tram at night.";
    const BEES: &str = "Forty hives crossed the river on Sunday. The bees slept, and one hive was lost on the ramp.";

    #[test]
    fn a_story_goes_on_and_reports_do_not() {
        assert!(is_one_story(&[GIRL, DOOR]));
        assert!(!is_one_story(&[TRAM, BEES]));
        assert!(!is_one_story(&[GIRL, TRAM, BEES]));
    }

    #[test]
    fn characters_without_spaces_count_in_pairs() {
        let boat = [
            "阿满的船是江上最旧的船。阿满说船认得路。",
            "雾里阿满听见有人敲船，阿满不怕。",
        ];
        assert!(is_one_story(&boat));
        assert!(!is_one_story(&[
            boat[0],
            "村口的老井是清代挖的，井水冬暖夏凉。"
        ]));
    }

    #[test]
    fn one_part_or_no_words_are_no_story() {
        assert!(!is_one_story(&[]));
        assert!(!is_one_story(&[GIRL]));
        assert!(!is_one_story(&["", ""]));
    }
}
