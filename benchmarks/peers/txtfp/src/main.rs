//! txtfp on all cores: `peer-txtfp FILE --words 5 --threshold 0.7 --out PAIRS`, 16 bands of 8 rows.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use anyhow::{Context, Result};
use clap::Parser;
use serde::Deserialize;
use txtfp::{
    Canonicalizer, Fingerprinter, LshIndex, MinHashFingerprinter, MinHashSig, ShingleTokenizer,
    WordTokenizer,
};

#[derive(Parser)]
struct Options {
    file: String,
    #[arg(long)]
    words: usize,
    #[arg(long)]
    threshold: f32,
    #[arg(long)]
    out: String,
}

#[derive(Deserialize)]
struct Record {
    id: String,
    text: String,
}

const HASHES: usize = 128;

fn main() -> Result<()> {
    let options = Options::parse();
    let lines: Vec<String> = BufReader::new(File::open(&options.file)?)
        .lines()
        .collect::<Result<_, _>>()?;
    let threads = std::thread::available_parallelism()?.get();
    let share = lines.len().div_ceil(threads).max(1);

    let signed: Vec<(String, MinHashSig<HASHES>)> = in_parallel(lines.chunks(share), |part| {
        let tokenizer = ShingleTokenizer {
            k: options.words,
            inner: WordTokenizer,
        };
        let printer = MinHashFingerprinter::<_, HASHES>::new(Canonicalizer::default(), tokenizer);
        let sign = |line: &String| {
            let record: Record = serde_json::from_str(line).context("not a record")?;
            Ok((record.id, printer.fingerprint(&record.text)?))
        };
        part.iter().map(sign).collect()
    })?;
    drop(lines);

    let mut index = LshIndex::<HASHES>::with_bands_rows(16, 8)?;
    index.extend_par(
        signed
            .iter()
            .enumerate()
            .map(|(number, (_, signature))| (number as u64, *signature)),
    );

    let numbered: Vec<_> = signed.iter().enumerate().collect();
    let pairs: Vec<(usize, u64)> = in_parallel(numbered.chunks(share), |part| {
        let mut found = Vec::new();
        for (number, (_, signature)) in part {
            let similar = index.query_with_threshold(signature, options.threshold);
            found.extend(
                similar
                    .into_iter()
                    .filter(|&other| other > *number as u64)
                    .map(|other| (*number, other)),
            );
        }
        Ok(found)
    })?;

    let mut out = BufWriter::new(File::create(&options.out)?);
    for (a, b) in pairs {
        writeln!(
            out,
            r#"{{"a":"{}","b":"{}"}}"#,
            signed[a].0, signed[b as usize].0
        )?;
    }
    Ok(out.flush()?)
}

fn in_parallel<P: Send, T: Send>(
    parts: impl Iterator<Item = P>,
    work: impl Fn(P) -> Result<Vec<T>> + Sync,
) -> Result<Vec<T>> {
    let work = &work;
    std::thread::scope(|scope| {
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.join().expect("a worker panicked")?);
        }
        Ok(all)
    })
}
