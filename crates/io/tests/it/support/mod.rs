//! Reading everything, for tests.

use std::io::Write;
use std::path::{Path, PathBuf};

use lookalike_io::{
    Block, BlockPlace, Error, Field, Input, InputOptions, Reader, Rejection, Replaceable, Value,
    Wanted,
};
use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};

/// What became of a slot: line and values, or the reason.
pub(crate) type Outcome = Result<(u64, Vec<String>), Rejection>;

/// All that a pass gives.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Pass {
    /// Of each block: its place, and the outcome of each slot.
    pub(crate) blocks: Vec<(BlockPlace, Vec<Outcome>)>,
    /// Found while cutting.
    pub(crate) cut_away: Vec<Rejection>,
}

impl Pass {
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.blocks
            .iter()
            .flat_map(|(_, outcomes)| outcomes.clone())
            .collect()
    }

    /// The first value of each good record.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.outcomes()
            .into_iter()
            .flatten()
            .map(|(_, values)| values[0].clone())
            .collect()
    }

    /// `line: reason` of all that was rejected.
    pub(crate) fn reasons(&self) -> Vec<String> {
        let in_slots = self.outcomes().into_iter().filter_map(Result::err);
        let line = |rejection: &Rejection| {
            rejection
                .line
                .map_or("-".to_owned(), |line| line.to_string())
        };
        in_slots
            .chain(self.cut_away.clone())
            .map(|r| format!("{}: {}", line(&r), r.reason))
            .collect()
    }
}

pub(crate) fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => (*text).to_owned(),
        Value::Number(number) => format!("number {number}"),
        other => other.kind().to_owned(),
    }
}

pub(crate) fn wanted() -> Wanted {
    Wanted::new([Field::text("text"), Field::optional("id")])
}

pub(crate) fn resolve(path: &Path, options: &InputOptions) -> Result<Input, Error> {
    Input::resolve(
        &[path.to_string_lossy()],
        options,
        Path::new("/nonexistent"),
    )
}

pub(crate) fn decode(
    block: &Block,
    want: impl Fn(u32) -> bool,
) -> Result<(u32, Vec<(u32, Outcome)>), Error> {
    let mut outcomes = Vec::new();
    let slots = block.decode(&mut |slot| want(slot), &mut |slot, record| {
        let outcome = record.map(|record| (record.line, record.values.iter().map(shown).collect()));
        outcomes.push((slot, outcome));
    })?;
    Ok((slots, outcomes))
}

pub(crate) fn read(input: &Input, wanted: &Wanted) -> Result<Pass, Error> {
    let mut reader = Reader::new(input, wanted);
    let mut block = Block::default();
    let mut pass = Pass::default();
    while reader.next_block(&mut block)? {
        pass.cut_away.append(&mut block.rejections);
        let (slots, outcomes) = decode(&block, |_| true)?;
        assert!(
            outcomes.iter().map(|(slot, _)| *slot).eq(0..slots),
            "slots are dense and in order"
        );
        pass.blocks.push((
            block.place,
            outcomes.into_iter().map(|(_, outcome)| outcome).collect(),
        ));
    }
    assert!(reader.bytes_read() <= input.bytes());
    Ok(pass)
}

/// Reads one file.
pub(crate) fn read_file(path: &Path, options: &InputOptions) -> Result<Pass, Error> {
    read(&resolve(path, options)?, &wanted())
}

/// Reads `content` as a file of that name.
pub(crate) fn read_content(
    name: &str,
    content: &[u8],
    options: &InputOptions,
) -> Result<Pass, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let mut pass = read_file(&path, options)?;
    let slots = pass
        .blocks
        .iter_mut()
        .flat_map(|(_, outcomes)| outcomes)
        .filter_map(|outcome| outcome.as_mut().err());
    slots
        .chain(&mut pass.cut_away)
        .for_each(|rejection| rejection.source = name.to_owned());
    Ok(pass)
}

/// Seeks to every block, last first, and finds it again; then reads every other slot only.
pub(crate) fn assert_repeatable(input: &Input, wanted: &Wanted) {
    let pass = read(input, wanted).unwrap();
    let mut reader = Reader::new(input, wanted);
    let mut block = Block::default();
    for (place, outcomes) in pass.blocks.iter().rev() {
        reader.seek(*place).unwrap();
        assert!(reader.next_block(&mut block).unwrap());
        assert_eq!(block.place, *place);
        let (slots, odd) = decode(&block, |slot| slot % 2 == 1).unwrap();
        assert_eq!(slots as usize, outcomes.len());
        assert!(
            odd.iter()
                .all(|(slot, outcome)| *outcome == outcomes[*slot as usize])
        );
        assert_eq!(odd.len(), outcomes.len() / 2);
    }
    for (place, outcomes) in pass.blocks.iter().step_by(2) {
        reader.seek(*place).unwrap();
        assert!(reader.next_block(&mut block).unwrap());
        assert_eq!(block.place, *place);
        assert_eq!(decode(&block, |_| true).unwrap().1.len(), outcomes.len());
    }
}

/// The same bytes under every compression, each as one member and as several, with the file's ending.
pub(crate) fn compressed(content: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let half = content.len() / 2;
    let parts = [&content[..half], &content[half..], b""];
    let several =
        |compress: fn(&[u8]) -> Vec<u8>| parts.iter().flat_map(|part| compress(part)).collect();
    vec![
        ("", content.to_vec()),
        (".gz", gzip(content)),
        (".gz", several(gzip)),
        (".gz", [gzip(content), vec![0; 700]].concat()),
        (".zst", zstd(content)),
        (".zst", several(zstd)),
        (".bz2", bzip2(content)),
        (".bz2", several(bzip2)),
        (".lz4", lz4(content)),
        (".lz4", several(lz4)),
    ]
}

pub(crate) fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(content: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(content, 3).unwrap()
}

pub(crate) fn lz4(content: &[u8]) -> Vec<u8> {
    let info = FrameInfo::new()
        .block_size(BlockSize::Max64KB)
        .block_checksums(true)
        .content_checksum(true);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

/// What an earlier result in the folder of `destination` allows to be replaced.
pub(crate) fn earlier_result(destination: &Path) -> Replaceable {
    let out = destination.parent().unwrap().join("out");
    Replaceable::new(&out, out.join("replaceable.json"))
}
