//! An invented language: words as frequent as Zipf's law has it, and names. The same for a seed on every machine.

use std::collections::HashSet;

use crate::random::Random;

/// The words that make a text look like English, most frequent first.
const COMMON: &str = "the of and in to a was is for as on by with from at that it his he were an are which be this had \
                      its has also or but one their first not who after new two have been she her other they all when \
                      during there can into time school may year more years most only some city over world would where \
                      later up such used many made war state national between three no under part team known became \
                      then about them including while south university out until north being well through number";
const WORDS: usize = 60_000;
const NAMES: usize = 30_000;
/// How finely the frequencies are kept.
const DRAWS: usize = 1 << 20;
const PURPOSE_WORDS: u64 = 11;
const PURPOSE_NAMES: u64 = 12;

const ONSETS: [&str; 24] = [
    "b", "br", "c", "ch", "d", "dr", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "pr", "r", "s",
    "st", "t", "tr", "v", "w", "",
];
const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ea", "io", "ou"];
const CODAS: [&str; 12] = ["", "", "", "n", "r", "s", "l", "t", "nd", "m", "ck", "rt"];
const ENDINGS: [&str; 14] = [
    "ton", "ford", "ville", "berg", "son", "ham", "ley", "wick", "dorf", "sund", "ová", "ić", "ès",
    "mouth",
];

pub struct Words {
    words: Vec<String>,
    names: Vec<String>,
    draws: Vec<u16>,
}

impl Words {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::for_record(seed, 0, PURPOSE_WORDS);
        let mut words: Vec<String> = COMMON.split_whitespace().map(str::to_owned).collect();
        let mut seen: HashSet<String> = words.iter().cloned().collect();
        while words.len() < WORDS {
            // Rare words are longer.
            let syllables = 1 + usize::from(words.len() > 300) + random.below(4) / 3;
            let word = syllabic(syllables, &mut random);
            if word.len() > 2 && seen.insert(word.clone()) {
                words.push(word);
            }
        }
        let mut random = Random::for_record(seed, 0, PURPOSE_NAMES);
        let mut names = Vec::with_capacity(NAMES);
        while names.len() < NAMES {
            let syllables = 1 + random.below(2);
            let mut name = syllabic(syllables, &mut random) + ENDINGS[random.below(ENDINGS.len())];
            name[..1].make_ascii_uppercase();
            if name.len() > 4 && seen.insert(name.clone()) {
                names.push(name);
            }
        }
        Words {
            draws: by_zipf(words.len()),
            words,
            names,
        }
    }

    pub fn any_word(&self, random: &mut Random) -> u16 {
        self.draws[(random.next() >> 44) as usize]
    }

    pub fn any_name(&self, random: &mut Random) -> u16 {
        let most = 1 + random.below(NAMES);
        random.below(most) as u16
    }

    pub fn word(&self, word: u16) -> &str {
        &self.words[usize::from(word)]
    }

    pub fn name(&self, name: u16) -> &str {
        &self.names[usize::from(name)]
    }

    /// The title of a page: a name, later ones with what tells them apart.
    pub fn title(&self, page: usize) -> String {
        let name = &self.names[page % NAMES];
        const KINDS: [&str; 8] = [
            " County",
            " River",
            " (film)",
            " (album)",
            " (surname)",
            " Island",
            " (novel)",
            " Bridge",
        ];
        match page / NAMES {
            0 => name.clone(),
            round if round <= KINDS.len() => format!("{name}{}", KINDS[round - 1]),
            round => format!("{name} (disambiguation {round})"),
        }
    }
}

fn syllabic(syllables: usize, random: &mut Random) -> String {
    let mut word = String::new();
    for _ in 0..syllables {
        word += ONSETS[random.below(ONSETS.len())];
        word += VOWELS[random.below(VOWELS.len())];
        word += CODAS[random.below(CODAS.len())];
    }
    word
}

/// Each rank as often as 1/rank of all draws.
fn by_zipf(ranks: usize) -> Vec<u16> {
    let harmonic: f64 = (1..=ranks).map(|rank| 1.0 / rank as f64).sum();
    let (mut rank, mut below) = (0, 1.0);
    let draw = |draw| {
        let wanted = (draw as f64 + 0.5) / DRAWS as f64 * harmonic;
        while below < wanted && rank + 1 < ranks {
            rank += 1;
            below += 1.0 / (rank + 1) as f64;
        }
        rank as u16
    };
    (0..DRAWS).map(draw).collect()
}
