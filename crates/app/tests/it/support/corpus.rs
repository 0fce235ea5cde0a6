//! Made-up corpora with planted near duplicates, the same for the same seed.

use serde_json::{Value, json};

/// SplitMix64: a few lines, the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// What the texts are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// Lower-case words with one space between them.
    English,
    /// Han characters without spaces.
    Chinese,
}

impl Language {
    /// One of 400 words, or of 400 characters.
    pub(crate) fn word(self, random: &mut Random) -> String {
        let number = random.below(400);
        match self {
            Language::English => {
                let syllables = [
                    "ba", "do", "fen", "gil", "ha", "ju", "kor", "li", "mu", "ne", "po", "ra",
                    "so", "tur", "vi", "wen", "yo", "za", "chi", "el",
                ];
                format!("{}{}", syllables[number / 20], syllables[number % 20])
            }
            Language::Chinese => char::from_u32(0x4e00 + 7 * number as u32)
                .unwrap()
                .to_string(),
        }
    }

    pub(crate) fn text(self, words: &[String]) -> String {
        words.join(if self == Language::English { " " } else { "" })
    }
}

/// A record as it goes into the file.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) score: i64,
    pub(crate) date: String,
}

impl Doc {
    pub(crate) fn json(&self) -> Value {
        json!({"id": self.id, "text": self.text, "score": self.score, "date": self.date})
    }
}

/// Texts of 1 to 60 words, half of them an earlier one with none to a third of its words changed, and a few empty ones.
pub(crate) fn corpus(language: Language, records: usize, seed: u64) -> Vec<Doc> {
    let mut random = Random(seed);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for _ in 0..records {
        let text = if texts.is_empty() || random.one_in(2) {
            let length = if random.one_in(6) {
                random.below(5)
            } else {
                5 + random.below(56)
            };
            (0..length).map(|_| language.word(&mut random)).collect()
        } else {
            let original = texts[random.below(texts.len())].clone();
            edited(language, original, &mut random)
        };
        texts.push(text);
    }
    let mut docs = Vec::new();
    for (number, words) in texts.iter().enumerate() {
        docs.push(Doc {
            id: format!("文-{number}"),
            text: language.text(words),
            score: random.below(20) as i64 - 10,
            date: format!(
                "20{:02}-{:02}-{:02}",
                10 + random.below(10),
                1 + random.below(12),
                1 + random.below(28)
            ),
        });
    }
    docs
}

fn edited(language: Language, mut words: Vec<String>, random: &mut Random) -> Vec<String> {
    let edits = random.below(words.len() / 3 + 1);
    for _ in 0..if random.one_in(4) { 0 } else { edits } {
        let place = random.below(words.len());
        match random.below(3) {
            0 => words[place] = language.word(random),
            1 => words.insert(place, language.word(random)),
            _ if words.len() > 1 => drop(words.remove(place)),
            _ => {}
        }
    }
    words
}

/// The records as JSON Lines.
pub(crate) fn jsonl(docs: &[Doc]) -> String {
    docs.iter().map(|doc| format!("{}\n", doc.json())).collect()
}

/// Many short texts, quickly: a third of them near an earlier one.
pub(crate) fn short_texts(records: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let mut lines = String::new();
    let mut recent: Vec<Vec<String>> = Vec::new();
    for number in 0..records {
        let language = if random.one_in(3) {
            Language::Chinese
        } else {
            Language::English
        };
        let words = if recent.len() > 50 && random.one_in(3) {
            let mut words = recent[random.below(recent.len())].clone();
            let last = words.len() - 1;
            if !random.one_in(3) {
                words[last] = language.word(&mut random);
            }
            words
        } else {
            (0..12 + random.below(10))
                .map(|_| language.word(&mut random))
                .collect()
        };
        lines.push_str(&format!(
            "{}\n",
            json!({"id": number, "text": words.join(" ")})
        ));
        if recent.len() < 2000 {
            recent.push(words);
        } else {
            recent[number % 2000] = words;
        }
    }
    lines
}
