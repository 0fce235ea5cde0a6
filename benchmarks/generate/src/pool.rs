//! The words that corpora are made of: text that comes with Debian packages, and a walk through it.
//!
//! In: licences, changelogs, documentation, manual pages, POD and docstrings below `/usr`. Out: one long sequence of
//! lower-case words `[a-z0-9]+`, every sentence once, and an index from each word pair to all its places.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use flate2::read::MultiGzDecoder;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::random::Random;

const FOLDERS: [&str; 6] = [
    "/usr/share/common-licenses",
    "/usr/share/doc",
    "/usr/share/man",
    "/usr/share/perl",
    "/usr/share/perl5",
    "/usr/lib/python3",
];
const LARGEST_FILE: usize = 2 << 20;
const SENTENCE_WORDS: RangeInclusive<usize> = 6..=60;
/// Words from one package or one family of manual pages, so that none sets the tone.
const MOST_WORDS_OF_ONE: usize = 150_000;
/// A sentence without two of these is a table, a list of names or code.
const COMMON: [&str; 18] = [
    "a", "an", "and", "are", "as", "be", "by", "for", "if", "in", "is", "not", "of", "or", "that",
    "the", "this", "to",
];
const MOST_WORDS: usize = 12_000_000;
/// The chance, after each word, to go on from another place where the last two words stand.
const HOP: f64 = 0.4;

pub struct Pool {
    vocabulary: Vec<String>,
    words: Vec<u32>,
    /// Places of the sequence sorted by the two words that stand there.
    by_pair: Vec<u32>,
    /// Where each place is in `by_pair`.
    rank: Vec<u32>,
    pub files: usize,
    pub hash: u64,
}

impl Pool {
    pub fn read() -> Result<Pool> {
        let mut paths = Vec::new();
        for folder in FOLDERS {
            list_files(Path::new(folder), &mut paths);
        }
        paths.sort();
        let mut reader = Reader::default();
        for path in &paths {
            if reader.words.len() < MOST_WORDS {
                reader.read_file(path);
            }
        }
        ensure!(
            reader.words.len() > 200_000,
            "only {} words of text were found below /usr/share; install some documentation packages (manpages-dev, perl-doc)",
            reader.words.len()
        );
        let mut hash = Xxh3::new();
        for &word in &reader.words {
            hash.update(reader.vocabulary[word as usize].as_bytes());
            hash.update(b" ");
        }
        let (by_pair, rank) = index_pairs(&reader.words);
        let Reader {
            vocabulary,
            words,
            files,
            ..
        } = reader;
        Ok(Pool {
            vocabulary,
            words,
            by_pair,
            rank,
            files,
            hash: hash.digest(),
        })
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn spelling(&self, word: u32) -> &str {
        &self.vocabulary[word as usize]
    }

    pub fn any_word(&self, random: &mut Random) -> u32 {
        self.words[random.below(self.words.len())]
    }

    /// A new text: a Markov chain of order 2 that follows its source for a few words at a time.
    pub fn walk(&self, count: usize, random: &mut Random, out: &mut Vec<u32>) {
        out.clear();
        let mut place = random.below(self.words.len() - 2);
        for _ in 0..count {
            out.push(self.words[place]);
            if random.share() < HOP {
                place = self.hop(place, random);
            }
            place += 1;
            if place + 2 >= self.words.len() {
                place = random.below(self.words.len() - 2);
            }
        }
    }

    /// Another place with the same two words (this one and the next), if there is one.
    fn hop(&self, place: usize, random: &mut Random) -> usize {
        let pair = |rank: usize| {
            let at = self.by_pair[rank] as usize;
            (self.words[at], self.words[at + 1])
        };
        let here = self.rank[place] as usize;
        let wanted = (self.words[place], self.words[place + 1]);
        let reach = 1 << random.below(12);
        let there = if random.next() & 1 == 0 {
            here.saturating_sub(reach)
        } else {
            (here + reach).min(self.by_pair.len() - 1)
        };
        if pair(there) == wanted {
            self.by_pair[there] as usize
        } else {
            place
        }
    }
}

fn list_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            list_files(&entry.path(), paths);
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
}

fn index_pairs(words: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut by_pair: Vec<u32> = (0..words.len() as u32 - 1).collect();
    by_pair.sort_unstable_by_key(|&at| (words[at as usize], words[at as usize + 1], at));
    let mut rank = vec![0; words.len()];
    for (position, &at) in by_pair.iter().enumerate() {
        rank[at as usize] = position as u32;
    }
    (by_pair, rank)
}

#[derive(Default)]
struct Reader {
    vocabulary: Vec<String>,
    numbers: HashMap<String, u32>,
    words: Vec<u32>,
    seen: HashSet<u64>,
    words_of: HashMap<String, usize>,
    files: usize,
}

impl Reader {
    fn read_file(&mut self, path: &Path) {
        let Some(text) = text_of(path) else { return };
        let before = self.words.len();
        let family = family_of(path);
        let already = self.words_of.get(&family).copied().unwrap_or(0);
        for sentence in text.split(['.', '!', '?', ';', ':', '|']) {
            if already + self.words.len() - before < MOST_WORDS_OF_ONE {
                self.add_sentence(sentence);
            }
        }
        self.words_of
            .insert(family, already + self.words.len() - before);
        self.files += usize::from(self.words.len() > before);
    }

    fn add_sentence(&mut self, sentence: &str) {
        let words: Vec<String> = sentence
            .split_ascii_whitespace()
            .filter_map(plain_word)
            .collect();
        if !is_prose(&words) || !self.seen.insert(xxh3_64(words.join(" ").as_bytes())) {
            return;
        }
        for word in words {
            let next = self.vocabulary.len() as u32;
            let number = *self.numbers.entry(word).or_insert_with_key(|word| {
                self.vocabulary.push(word.clone());
                next
            });
            self.words.push(number);
        }
    }
}

/// The package whose documentation this is, or the first part of a manual page's name.
fn family_of(path: &Path) -> String {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    match parts.as_slice() {
        [_, "usr", "share", "man", .., page] => page
            .split(['-', '_', '.', ':'])
            .next()
            .unwrap_or(page)
            .to_owned(),
        [_, "usr", "share" | "lib", _, package, ..] => (*package).to_owned(),
        _ => String::new(),
    }
}

fn is_prose(words: &[String]) -> bool {
    let distinct: HashSet<&String> = words.iter().collect();
    let common = distinct
        .iter()
        .filter(|word| COMMON.contains(&word.as_str()))
        .count();
    let letters = words
        .iter()
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .count();
    SENTENCE_WORDS.contains(&words.len())
        && common >= 2
        && distinct.len() * 10 >= words.len() * 7
        && letters * 10 >= words.len() * 8
}

/// Only words on whose limits all tools agree: letters and digits, no apostrophes, dots or dashes inside.
fn plain_word(token: &str) -> Option<String> {
    let word = token.trim_matches(|c: char| matches!(c, ',' | '(' | ')' | '"' | '\''));
    let plain = !word.is_empty()
        && word.len() <= 20
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain.then(|| word.to_ascii_lowercase())
}

fn text_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let bytes = fs::read(path).ok()?;
    let (bytes, name) = match name.strip_suffix(".gz") {
        Some(inner) => (unpack(&bytes)?, inner),
        None => (bytes, name),
    };
    if bytes.len() > LARGEST_FILE || bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8(bytes).ok()?;
    let folder = path.to_str()?;
    if folder.starts_with("/usr/share/man/") {
        // Only the untranslated sections: man1, man3, …
        return folder
            .starts_with("/usr/share/man/man")
            .then(|| without_requests(&text));
    }
    if folder.starts_with("/usr/share/perl") {
        return Some(pod_of(&text));
    }
    if folder.starts_with("/usr/lib/python3") {
        return name.ends_with(".py").then(|| {
            text.split("\"\"\"")
                .skip(1)
                .step_by(2)
                .collect::<Vec<_>>()
                .join(". ")
        });
    }
    let skipped = [
        ".html", ".js", ".css", ".svg", ".json", ".xml", ".c", ".h", ".py", ".sh",
    ];
    (!skipped.iter().any(|ending| name.ends_with(ending))).then_some(text)
}

fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(LARGEST_FILE as u64 + 1)
        .read_to_end(&mut out)
        .ok()?;
    Some(out)
}

fn without_requests(roff: &str) -> String {
    let lines = roff
        .lines()
        .filter(|line| !line.starts_with(['.', '\'']))
        .map(|line| line.replace("\\-", "-"));
    lines.collect::<Vec<_>>().join("\n")
}

fn pod_of(source: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for line in source.lines() {
        if line.starts_with('=') {
            inside = !line.starts_with("=cut");
        } else if inside && !line.starts_with(' ') {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
