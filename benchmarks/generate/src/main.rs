//! Makes the corpora: texts from words that any Debian machine has, with near duplicates planted at known strengths.
//!
//! The same machine and seed give the same bytes; another machine has other packages and therefore another pool, whose
//! size and hash are printed and stand beside the corpus.
//!
//! ```text
//! $ generate documents --out work/documents.jsonl          100,000 texts of 200 to 500 words
//! $ generate short --records 1000000 --out work/short.jsonl
//! $ generate messages --records 1000000 --out work/messages.jsonl     the same of words drawn one by one
//! $ generate template --records 200000 --out work/template.jsonl
//! $ generate threads --records 1000000 --out work/threads.jsonl       title, body and answer
//! $ generate wiki --records 50000 --out work/wiki.xml                 a dump as MediaWiki exports it
//! $ generate passages --records 100000 --out work/passages.jsonl      pages that took sentences from each other
//! ```
//! Beside `NAME.jsonl` come `NAME.planted.jsonl` (`{"a","b","strength"}`, the similarity that was aimed at) and
//! `NAME.json` (what was made, and from what). Those of `wiki` name the pages, how the sentence was changed, the edit
//! similarity and both sentences without markup: `{"a","b","change","run","similarity","a_text","b_text"}`. Those of
//! `passages`, `repeat` and `footer` are gold for `lookalike judge`: `{"a","b","kind","spans":[{"a_begin",…},…]}`.

mod files;
mod passages;
mod pool;
mod random;
mod text;
mod wiki;

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};

use files::{Files, Written};
use passages::{Pages, Variant};
use pool::Pool;
use random::Random;
use text::Token;

#[derive(Parser)]
#[command(about = "Make a benchmark corpus from the documentation on this machine")]
struct Options {
    kind: Kind,
    /// Default: 100,000 documents or pages, 1,000,000 short texts, messages or threads, 200,000 messages of one template, 50,000
    /// pages of a wiki, 10,000 pages of repeat and footer
    #[arg(long)]
    records: Option<usize>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The corpus; two files with the same beginning are written beside it
    #[arg(long)]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Documents,
    Short,
    /// Short texts of words drawn one by one, as often as they occur: apart from copies no two are alike, however many
    /// there are
    Messages,
    Template,
    /// Fields of words drawn one by one, as often as they occur
    Threads,
    /// Fields of running text, all of it from the few million words there are, so that phrases recur far more often than
    /// in a real forum of this size
    Phrases,
    /// Pages of an encyclopedia with sentences copied between them, in invented words: the same on every machine
    Wiki,
    /// Pages of about 400 words, of which three in ten took runs of sentences from others
    Passages,
    /// The same, and among them one that says a sentence 100,000 times
    Repeat,
    /// The same, and all end with the same sentences
    Footer,
}

/// The fields of a thread with how many words each has.
const FIELDS: [(&str, Range<usize>); 3] = [("title", 6..13), ("body", 20..61), ("answer", 30..91)];
/// This share of the copied threads has an answer that goes on where the original ends.
const MORE: f64 = 0.2;

struct Shape {
    name: &'static str,
    records: usize,
    words: Range<usize>,
    /// The shingles for which the planted strengths are meant.
    shingle_words: usize,
    copies: f64,
}

impl Kind {
    fn shape(self) -> Shape {
        match self {
            Kind::Documents => Shape {
                name: "documents",
                records: 100_000,
                words: 200..501,
                shingle_words: 5,
                copies: 0.2,
            },
            Kind::Short => Shape {
                name: "short",
                records: 1_000_000,
                words: 12..19,
                shingle_words: 2,
                copies: 0.15,
            },
            Kind::Messages => Shape {
                name: "messages",
                records: 1_000_000,
                words: 12..19,
                shingle_words: 1,
                copies: 0.15,
            },
            Kind::Template => Shape {
                name: "template",
                records: 200_000,
                words: 40..41,
                shingle_words: 5,
                copies: 0.0,
            },
            Kind::Threads | Kind::Phrases => Shape {
                name: if matches!(self, Kind::Threads) {
                    "threads"
                } else {
                    "phrases"
                },
                records: 1_000_000,
                words: 56..164,
                shingle_words: 3,
                copies: 0.15,
            },
            Kind::Wiki | Kind::Passages | Kind::Repeat | Kind::Footer => {
                unreachable!("written by a module of its own")
            }
        }
    }
}

const IDENTICAL: f64 = 0.1;
const WEAKEST: f64 = 0.4;
/// This share of the copies is made of a few much copied originals, so that there are clusters larger than two.
const OF_POPULAR: f64 = 0.3;

const PURPOSE_ROLE: u64 = 1;
const PURPOSE_TEXT: u64 = 2;
const PURPOSE_EDIT: u64 = 3;

enum Role {
    Original,
    Copy { of: usize, strength: f64 },
}

struct Corpus {
    pool: Pool,
    shape: Shape,
    records: usize,
    seed: u64,
}

impl Corpus {
    fn is_copy(&self, record: usize) -> bool {
        Random::for_record(self.seed, record as u64, PURPOSE_ROLE).share() < self.shape.copies
    }

    fn role(&self, record: usize) -> Role {
        if !self.is_copy(record) {
            return Role::Original;
        }
        let mut random = Random::for_record(self.seed, record as u64, PURPOSE_EDIT);
        let popular = random.share() < OF_POPULAR;
        let mut of = record;
        // The originals are looked for anywhere in the file, so that pairs are as far apart as in a real corpus.
        for _ in 0..1000 {
            of = if popular {
                random.below(self.records / 50 + 1) * 50 % self.records
            } else {
                random.below(self.records)
            };
            if !self.is_copy(of) {
                break;
            }
        }
        let identical = random.share() < IDENTICAL;
        let strength = if identical {
            1.0
        } else {
            WEAKEST + (1.0 - WEAKEST) * random.share()
        };
        if self.is_copy(of) {
            Role::Original
        } else {
            Role::Copy { of, strength }
        }
    }

    fn original(&self, record: usize) -> Vec<Token> {
        let mut random = Random::for_record(self.seed, record as u64, PURPOSE_TEXT);
        self.some_text(&self.shape.words, &mut random)
    }

    fn some_text(&self, words: &Range<usize>, random: &mut Random) -> Vec<Token> {
        let count = words.start + random.below(words.len());
        let mut chosen = Vec::new();
        if matches!(self.shape.name, "threads" | "messages") {
            chosen.extend((0..count).map(|_| self.pool.any_word(random)));
        } else {
            self.pool.walk(count, random, &mut chosen);
        }
        text::punctuate(&chosen, random)
    }

    /// The fields of a thread, one after the other.
    fn write_thread(&self, record: usize, random: &mut Random, out: &mut Vec<u8>) {
        let (of, strength) = match self.role(record) {
            Role::Original => (record, None),
            Role::Copy { of, strength } => (of, Some(strength)),
        };
        let mut original = Random::for_record(self.seed, of as u64, PURPOSE_TEXT);
        for (name, words) in &FIELDS {
            let mut tokens = self.some_text(words, &mut original);
            if let Some(strength) = strength {
                let rate = text::edit_rate(strength, self.shape.shingle_words);
                tokens = text::edit(&tokens, rate, &self.pool, random);
                if *name == "answer" && random.share() < MORE {
                    tokens.extend(self.some_text(words, random));
                }
            }
            out.extend_from_slice(format!(r#""{name}":""#).as_bytes());
            text::write(&tokens, &self.pool, out);
            out.extend_from_slice(if *name == "answer" { b"" } else { br#"","# });
        }
    }

    fn write_planted(&self, record: usize, planted: &mut Vec<u8>) -> Result<()> {
        if let Role::Copy { of, strength } = self.role(record) {
            let (a, b) = (self.id(record.min(of)), self.id(record.max(of)));
            writeln!(
                planted,
                r#"{{"a":"{a}","b":"{b}","strength":{strength:.3}}}"#
            )?;
        }
        Ok(())
    }

    fn write_record(&self, record: usize, out: &mut Vec<u8>, planted: &mut Vec<u8>) -> Result<()> {
        let mut random = Random::for_record(self.seed, record as u64, PURPOSE_EDIT ^ PURPOSE_TEXT);
        write!(out, r#"{{"id":"{}","#, self.id(record))?;
        if !matches!(self.shape.name, "short" | "messages") {
            write!(
                out,
                r#""date":"20{:02}-{:02}-{:02}","#,
                random.below(25),
                1 + random.below(12),
                1 + random.below(28)
            )?;
        }
        if matches!(self.shape.name, "threads" | "phrases") {
            self.write_thread(record, &mut random, out);
            out.extend_from_slice(b"\"}\n");
            return self.write_planted(record, planted);
        }
        out.extend_from_slice(br#""text":""#);
        if self.shape.name == "template" {
            self.write_message(&mut random, out)?;
        } else {
            match self.role(record) {
                Role::Original => text::write(&self.original(record), &self.pool, out),
                Role::Copy { of, strength } => {
                    let rate = text::edit_rate(strength, self.shape.shingle_words);
                    text::write(
                        &text::edit(&self.original(of), rate, &self.pool, &mut random),
                        &self.pool,
                        out,
                    );
                    self.write_planted(record, planted)?;
                }
            }
        }
        out.extend_from_slice(b"\"}\n");
        Ok(())
    }

    /// Order confirmations that differ in their numbers and one name.
    fn write_message(&self, random: &mut Random, out: &mut Vec<u8>) -> Result<()> {
        let name = self.pool.spelling(self.pool.any_word(random));
        let (order, parcels, day) = (
            random.below(100_000_000),
            1 + random.below(9),
            1 + random.below(28),
        );
        write!(
            out,
            "Dear {name}, thank you for order {order}. We packed it today in {parcels} parcels and expect it to reach you on \
             day {day} of the month. You can follow the parcel on our page with the number of the order. If something \
             is missing, answer this message within two weeks and we will send it again at no cost."
        )?;
        Ok(())
    }

    fn id(&self, record: usize) -> String {
        let kind = match self.shape.name {
            "threads" => "q",
            name => &name[..1],
        };
        format!("{kind}{record:07}")
    }
}

/// How many pages a dump has by default.
const PAGES: usize = 50_000;

fn main() -> Result<()> {
    let options = Options::parse();
    let written = match options.kind {
        Kind::Wiki => write_wiki(&options),
        Kind::Passages => write_pages(&options, Variant::Ordinary, 100_000),
        Kind::Repeat => write_pages(&options, Variant::Repeat, 10_000),
        Kind::Footer => write_pages(&options, Variant::Footer, 10_000),
        kind => {
            let shape = kind.shape();
            let corpus = Corpus {
                pool: Pool::read()?,
                records: options.records.unwrap_or(shape.records),
                shape,
                seed: options.seed,
            };
            write_corpus(&corpus, &options.out)
        }
    };
    written.with_context(|| format!("cannot write {}", options.out.display()))
}

fn write_wiki(options: &Options) -> Result<()> {
    let (pages, seed) = (options.records.unwrap_or(PAGES), options.seed);
    ensure!(pages >= 4, "a dump has at least 4 pages, not {pages}");
    let wiki = wiki::Wiki::new(pages, seed);
    let mut files = Files::create(&options.out)?;
    files.write(wiki::head().as_bytes(), b"")?;
    files.write_blocks(pages, 2_000, |range| Ok(wiki.write_block(range)))?;
    files.write(wiki::TAIL.as_bytes(), b"")?;
    let Written {
        bytes,
        planted,
        hash,
    } = files.written();
    files.finish(&format!(
        r#"{{"kind":"wiki","records":{pages},"bytes":{bytes},"planted":{planted},"seed":{seed},"xxh3":"{hash:016x}"}}"#
    ))
}

fn write_corpus(corpus: &Corpus, path: &Path) -> Result<()> {
    let mut files = Files::create(path)?;
    files.write_blocks(corpus.records, 20_000, |range| write_block(corpus, range))?;
    let facts = facts(
        corpus.shape.name,
        corpus.records,
        corpus.seed,
        &corpus.pool,
        &files,
    );
    files.finish(&facts)
}

fn write_pages(options: &Options, variant: Variant, records: usize) -> Result<()> {
    let (records, seed) = (options.records.unwrap_or(records), options.seed);
    ensure!(records >= 4, "there are at least 4 pages, not {records}");
    let pool = Pool::read()?;
    let pages = Pages::new(&pool, variant, records, seed);
    let mut files = Files::create(&options.out)?;
    files.write_blocks(records, 5_000, |range| Ok(pages.write_block(range)))?;
    let facts = facts(variant.name(), records, seed, &pool, &files);
    files.finish(&facts)
}

/// What was made, and from what.
fn facts(kind: &str, records: usize, seed: u64, pool: &Pool, files: &Files) -> String {
    let Written {
        bytes,
        planted,
        hash,
    } = files.written();
    format!(
        concat!(
            r#"{{"kind":"{}","records":{},"bytes":{},"planted":{},"seed":{},"xxh3":"{:016x}","#,
            r#""pool":{{"files":{},"words":{},"xxh3":"{:016x}"}}}}"#
        ),
        kind,
        records,
        bytes,
        planted,
        seed,
        hash,
        pool.files,
        pool.len(),
        pool.hash
    )
}

fn write_block(corpus: &Corpus, records: Range<usize>) -> Result<(Vec<u8>, Vec<u8>)> {
    let (mut texts, mut planted) = (Vec::new(), Vec::new());
    for record in records {
        corpus.write_record(record, &mut texts, &mut planted)?;
    }
    Ok((texts, planted))
}
