//! What must hold for any bytes whatever: no panic, dense slots, and the same blocks in every pass.
//!
//! A target is a function of bytes that panics where something does not hold. `tests/inputs.rs` calls all of them with the
//! stored inputs and with damaged copies of these; `fuzz/run` lets libFuzzer look for others, and damages copies of what both
//! know as often as asked (`examples/damage.rs`).

pub mod damage;

use std::fs;
use std::sync::LazyLock;

use lookalike_io::{Block, BlockPlace, Error, Field, Input, InputOptions, Reader, Wanted};
use tempfile::TempDir;

/// The line and text of a record, or the reason why there is none.
pub type Outcome = Result<(u64, String), String>;

mod targets {
    pub(crate) mod compression;
    pub(crate) mod config;
    pub(crate) mod csv;
    pub(crate) mod html;
    pub(crate) mod jsonl;
    pub(crate) mod lexicon;
    pub(crate) mod lines;
    pub(crate) mod mail;
    pub(crate) mod manifest;
    pub(crate) mod mediawiki;
    pub(crate) mod parquet;
    pub(crate) mod sentences;
    pub(crate) mod stackexchange;
    pub(crate) mod warc;
}

/// A target with its name, which is that of the folder of its stored inputs.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 14] = [
    ("jsonl", targets::jsonl::target),
    ("lines", targets::lines::target),
    ("csv", targets::csv::target),
    ("compression", targets::compression::target),
    ("parquet", targets::parquet::target),
    ("stackexchange", targets::stackexchange::target),
    ("mediawiki", targets::mediawiki::target),
    ("html", targets::html::target),
    ("warc", targets::warc::target),
    ("mail", targets::mail::target),
    ("lexicon", targets::lexicon::target),
    ("sentences", targets::sentences::target),
    ("config", targets::config::target),
    ("manifest", targets::manifest::target),
];

thread_local! {
    /// Where the input is written for the reader; scripts that run tests name a folder in memory.
    static FOLDER: TempDir = tempfile::tempdir().expect("a folder for the input");
}

/// Small limits, so that small inputs reach them. How many threads the machine has is asked once: that takes longer than
/// reading an input.
static LIMITS: LazyLock<InputOptions> = LazyLock::new(|| {
    InputOptions::default().with(|options| {
        options.max_record = 2000;
        options.max_expansion = 100;
        options.expansion_floor = 1 << 20;
    })
});

/// The block size comes from the input's first byte: one time in four a small one, and else more than most inputs have, which
/// takes a fraction of the time. So does the number of threads: starting them takes longer than reading, so mostly one.
pub fn options(first: u8) -> InputOptions {
    LIMITS.clone().with(|options| {
        options.block_bytes = match first {
            0..64 => 1 + 4 * usize::from(first),
            _ => 64 * usize::from(first),
        };
        options.threads = if first % 16 == 1 { 3 } else { 1 };
    })
}

/// Reads `data` as a file of that name, twice, and compares. The text is in the field `text`.
pub fn check(name: &str, data: &[u8], options: &InputOptions) -> Result<Vec<Outcome>, Error> {
    check_field("text", name, data, options)
}

/// The same for a text in another field.
pub fn check_field(
    field: &str,
    name: &str,
    data: &[u8],
    options: &InputOptions,
) -> Result<Vec<Outcome>, Error> {
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, data).expect("write the input");
        let spool = folder.path().join("spool");
        let input = Input::resolve(&[path.to_string_lossy()], options, &spool);
        let outcomes = input.and_then(|input| read_twice(&input, field));
        let _ = fs::remove_dir_all(&spool);
        outcomes
    })
}

fn read_twice(input: &Input, field: &str) -> Result<Vec<Outcome>, Error> {
    let wanted = Wanted::new([Field::text(field), Field::optional("id")]);
    let mut reader = Reader::new(input, &wanted);
    let mut block = Block::default();
    let mut blocks: Vec<(BlockPlace, Vec<Outcome>)> = Vec::new();
    while reader.next_block(&mut block)? {
        let outcomes = decode(&block)?;
        blocks.push((block.place, outcomes));
    }
    // Seeking is slow in compressed files: a few places are enough.
    let step = 1 + blocks.len() / 8;
    for (place, outcomes) in blocks.iter().step_by(step).rev() {
        reader.seek(*place)?;
        assert!(reader.next_block(&mut block)?, "the block is there again");
        assert_eq!(block.place, *place);
        assert_eq!(&decode(&block)?, outcomes, "the same block");
    }
    Ok(blocks
        .into_iter()
        .flat_map(|(_, outcomes)| outcomes)
        .collect())
}

fn decode(block: &Block) -> Result<Vec<Outcome>, Error> {
    let mut outcomes = Vec::new();
    let slots = block.decode(&mut |_| true, &mut |slot, record| {
        assert_eq!(slot as usize, outcomes.len(), "slots are dense");
        outcomes.push(match record {
            Ok(record) => Ok((
                record.line,
                record.values[0].text().unwrap_or_default().to_owned(),
            )),
            Err(rejection) => Err(rejection.reason),
        });
    })?;
    assert_eq!(slots as usize, outcomes.len());
    let mut skipped = 0;
    assert_eq!(
        block.decode(&mut |_| false, &mut |_, _| skipped += 1)?,
        slots
    );
    assert_eq!(skipped, 0);
    Ok(outcomes)
}
