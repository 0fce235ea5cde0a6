//! What an index costs: `measure FOLDER documents|messages COUNT [FILE]`. Makes texts, or takes those of a file of JSON Lines,
//! adds them, looks some up, filters a stream and removes by label; prints what each took. The first 20,000 are written to
//! `FOLDER.jsonl`, for other programs.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use lookalike_index::kernel::sign::stats::{Counter, Vocabulary};
use lookalike_index::kernel::text::Tokenizer;
use lookalike_index::kernel::{Spec, jobs};
use lookalike_index::{
    AddOptions, CheckOptions, CreateOptions, Document, Error, Filter, FilterOptions, Id, Index,
    OpenOptions, Text,
};

/// Numbers that look random, the same ones every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The square of a uniform number: low ones are common, as words are.
    fn word(&mut self) -> String {
        const PARTS: [&str; 16] = [
            "ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo",
            "yu", "za",
        ];
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let mut number = (share * share * share * 60_000.0) as usize;
        let mut word = String::new();
        loop {
            word.push_str(PARTS[number % 16]);
            number /= 16;
            if number == 0 {
                return word;
            }
        }
    }

    fn text(&mut self, words: usize) -> Vec<String> {
        (0..words).map(|_| self.word()).collect()
    }
}

/// Texts of which every tenth is a variant of one before.
struct Texts {
    numbers: Numbers,
    words: usize,
    last: Vec<Vec<String>>,
    next: u64,
}

impl Iterator for Texts {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.next;
        self.next += 1;
        let text = if number % 10 == 9 {
            let mut text =
                self.last[(self.numbers.next() % self.last.len() as u64) as usize].clone();
            let place = (self.numbers.next() % text.len() as u64) as usize;
            text[place] = self.numbers.word();
            text
        } else {
            let words = self.words / 2 + (self.numbers.next() % self.words as u64) as usize;
            self.numbers.text(words.max(3))
        };
        if self.last.len() < 100 {
            self.last.push(text.clone());
        } else {
            self.last[(number % 100) as usize].clone_from(&text);
        }
        Some(Ok(Document::new(
            Id::from(number),
            Text::whole(text.join(" ")),
        )))
    }
}

/// The texts of a file over and over, or made ones.
fn texts(words: usize) -> Box<dyn Iterator<Item = Result<Document, Error>> + Send> {
    let Some(file) = std::env::args().nth(4) else {
        return Box::new(made(words));
    };
    let lines =
        std::iter::repeat_with(move || BufReader::new(std::fs::File::open(&file).unwrap()).lines());
    Box::new(lines.flatten().zip(0u64..).map(|(line, number)| {
        let record: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        Ok(Document::new(
            Id::from(number),
            Text::whole(record["text"].as_str().unwrap()),
        ))
    }))
}

fn made(words: usize) -> Texts {
    Texts {
        numbers: Numbers(0x2545_f491_4f6c_dd1d),
        words,
        last: Vec::new(),
        next: 0,
    }
}

/// Of this process, in MB: now and at most.
fn memory() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        number.unwrap_or(0) / 1024
    };
    (of("VmRSS"), of("VmHWM"))
}

/// Seconds of work of all threads.
fn work() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks = |place: usize| {
        fields
            .get(place)
            .and_then(|field| field.parse::<f64>().ok())
    };
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, job, count, ..] = arguments.as_slice() else {
        println!("measure FOLDER documents|messages COUNT [FILE]");
        return;
    };
    let count: u64 = count.parse().unwrap();
    let folder = Path::new(folder);
    let (words, mut spec) = match job.as_str() {
        "messages" => (16, Spec::of_job(jobs::MESSAGES)),
        _ => (300, Spec::of_job(jobs::DOCUMENTS)),
    };
    let mut options = CreateOptions::default();
    if job == "messages" {
        options.vocabulary = Some(vocabulary(&spec, words));
    } else {
        spec.keys.method = "minhash".to_string();
    }
    let sample = std::fs::File::create(folder.with_extension("jsonl")).unwrap();
    let mut sample = BufWriter::new(sample);
    for text in texts(words).take(20_000) {
        let text = text.unwrap();
        let record = serde_json::json!({"id": text.id, "text": text.text.as_str()});
        writeln!(sample, "{record}").unwrap();
    }
    drop(sample);
    let mut index = Index::create(folder, &spec, &options).unwrap();
    let mut stream = texts(words);
    let part = (count / 10).max(1);
    for tenth in 0..10 {
        let (begun, worked) = (Instant::now(), work());
        let label = format!("part {tenth}");
        let add = AddOptions::new(1).with(|add| {
            add.threads = 2;
            add.label = Some(label);
        });
        index
            .add(stream.by_ref().take(part as usize), &add, &mut |_| {})
            .unwrap();
        let (took, worked) = (begun.elapsed().as_secs_f64(), work() - worked);
        let (now, most) = memory();
        println!(
            "added {part} more: {took:.1} s, {:.0} a second; {worked:.1} s of work; memory {now} MB, at most {most} MB",
            part as f64 / took
        );
    }
    // Closing the file gives back what it grew by in advance.
    drop(index);
    let mut index = Index::open(folder, &OpenOptions::default()).unwrap();
    let stats = index.view().stats(None).unwrap();
    println!(
        "{} texts, {} segments, {} keys, {} bytes a text on disk",
        stats.documents,
        stats.segments,
        stats.keys,
        stats.file_bytes / stats.documents
    );
    check(&index, words);
    let streamed = if job == "messages" { 200_000 } else { 20_000 };
    let lines: Vec<Document> = texts(words)
        .skip(500)
        .take(streamed)
        .map(|text| text.unwrap())
        .collect();
    let (begun, worked) = (Instant::now(), work());
    let filtered = FilterOptions::default().with(|options| options.threads = 2);
    let mut filter = Filter::new(index.view(), &filtered).unwrap();
    let mut duplicates = 0;
    for batch in lines.chunks(4096) {
        let verdicts = filter.check(batch.to_vec()).unwrap();
        duplicates += verdicts.iter().filter(|verdict| verdict.duplicate).count();
    }
    let took = begun.elapsed().as_secs_f64();
    println!(
        "filtered {} known texts: {:.0} a second, {:.1} µs of work each, {duplicates} duplicates",
        lines.len(),
        lines.len() as f64 / took,
        1e6 * (work() - worked) / lines.len() as f64
    );
    drop(filter);
    let fresh: Vec<Document> = texts(words)
        .skip(count as usize)
        .take(streamed)
        .map(|text| text.unwrap())
        .collect();
    let (begun, worked) = (Instant::now(), work());
    let add = AddOptions::new(2);
    let mut filter = Filter::learning(&mut index, &filtered, add, Duration::from_secs(1)).unwrap();
    for batch in fresh.chunks(4096) {
        filter.check(batch.to_vec()).unwrap();
    }
    filter.commit().unwrap();
    let took = begun.elapsed().as_secs_f64();
    println!(
        "filtered and learnt {} texts to come: {:.0} a second, {:.1} µs of work each",
        fresh.len(),
        fresh.len() as f64 / took,
        1e6 * (work() - worked) / fresh.len() as f64
    );
    let (begun, worked) = (Instant::now(), work());
    let removed = index.remove_label("part 3").unwrap();
    println!(
        "removed {removed} by label: {:.2} s, {:.2} s of work",
        begun.elapsed().as_secs_f64(),
        work() - worked
    );
    let (begun, worked) = (Instant::now(), work());
    index.compact(None).unwrap();
    let stats = index.view().stats(None).unwrap();
    println!(
        "compacted: {:.1} s, {:.1} s of work, {} bytes a text on disk; memory at most {} MB",
        begun.elapsed().as_secs_f64(),
        work() - worked,
        stats.file_bytes / stats.documents,
        memory().1
    );
}

fn check(index: &Index, words: usize) {
    let view = index.view();
    let mut checker = view.checker().unwrap();
    let mut asked: Vec<Text> = texts(words)
        .step_by(37)
        .take(5000)
        .map(|text| text.unwrap().text)
        .collect();
    // Half of them are not in the index.
    let mut other = Numbers(77);
    for text in asked.iter_mut().step_by(2) {
        *text = Text::whole(other.text(words).join(" "));
    }
    for round in ["cold", "warm"] {
        let mut times: Vec<f64> = Vec::new();
        let mut found = 0;
        for text in &asked {
            let begun = Instant::now();
            let checked = checker.check(view, text, &CheckOptions::default()).unwrap();
            times.push(1e3 * begun.elapsed().as_secs_f64());
            found += usize::from(!checked.matches.is_empty());
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "check, {round}: median {:.3} ms, 99 % within {:.3} ms, most {:.3} ms; {found} of {} found; memory {} MB",
            at(0.5),
            at(0.99),
            at(1.0),
            asked.len(),
            memory().0
        );
    }
}

fn vocabulary(spec: &Spec, words: usize) -> Vec<u8> {
    let options = spec.resolved().unwrap().text;
    let folder = tempfile::tempdir().unwrap();
    let mut counter = Counter::new(folder.path(), 64 << 20);
    let mut tokenizer = Tokenizer::new(options);
    for text in texts(words).take(20_000) {
        let text = text.unwrap().text;
        counter
            .add_document(|words| tokenizer.words(text.as_str(), words))
            .unwrap();
    }
    let mut bytes = Vec::new();
    Vocabulary::count(vec![counter], options)
        .unwrap()
        .write(&mut bytes)
        .unwrap();
    bytes
}
