//! Compressed files as streams of plain bytes: gzip, Zstandard and bzip2, each also as several members one after the
//! other, told apart by their first bytes and not by their names.
//!
//! In goes a path, out come its bytes. What could be decompressed before a damage is given out; then the stream ends and
//! [`Stream::damage`] says why. The codecs are driven step by step rather than through their `Read` adapters, so that
//! where the damage begins depends on the file alone and not on how much was asked for at a time.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::input::InputOptions;

const INPUT_BYTES: usize = 128 << 10;
/// What a codec gives at a time. When a call fails, what it had produced is lost, so the less the better; and always
/// the same, so that as much is lost in every pass.
const OUTPUT_BYTES: usize = 32 << 10;
const SKIP_BYTES: usize = 256 << 10;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
}

impl Codec {
    /// The codec that a file name ends in.
    pub(crate) fn of_path(path: &Path) -> Option<Codec> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" => Some(Codec::Gzip),
            "zst" => Some(Codec::Zstd),
            "bz2" => Some(Codec::Bzip2),
            _ => None,
        }
    }

    /// `pages.jsonl` for `pages.jsonl.gz`.
    pub(crate) fn strip_extension(path: &Path) -> PathBuf {
        match Codec::of_path(path) {
            Some(_) => path.with_extension(""),
            None => path.to_owned(),
        }
    }

    /// The codec that a file's first bytes say.
    pub(crate) fn of_magic(first: &[u8]) -> Option<Codec> {
        match first {
            [0x1f, 0x8b, 0x08, ..] => Some(Codec::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Codec::Zstd),
            // A skippable frame, which may come first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Codec::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Some(Codec::Bzip2),
            // An empty archive has no block, only the end mark.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => Some(Codec::Bzip2),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Zstd => "Zstandard",
            Codec::Bzip2 => "bzip2",
        }
    }
}

/// The plain bytes of a file.
pub(crate) struct Stream {
    path: PathBuf,
    file: File,
    file_bytes: u64,
    /// Bytes taken from the file.
    raw: u64,
    /// Plain bytes given out.
    position: u64,
    expander: Option<Expander>,
    max_expansion: u64,
    expansion_floor: u64,
}

impl Stream {
    pub(crate) fn open(path: &Path, options: &InputOptions) -> Result<Stream, Error> {
        let mut file = File::open(path).map_err(Error::file("open", path))?;
        let file_bytes = file.metadata().map_err(Error::file("read", path))?.len();
        let mut first = Vec::with_capacity(8);
        (&mut file)
            .take(8)
            .read_to_end(&mut first)
            .map_err(Error::file("read", path))?;
        file.rewind().map_err(Error::file("read", path))?;
        let expander = match Codec::of_magic(&first) {
            Some(codec) => Some(Expander::new(codec).map_err(Error::file("decompress", path))?),
            None => None,
        };
        Ok(Stream {
            path: path.to_owned(),
            file,
            file_bytes,
            raw: 0,
            position: 0,
            expander,
            max_expansion: options.max_expansion,
            expansion_floor: options.expansion_floor,
        })
    }

    /// Fills some of `out`; 0 at the end, or where damage begins.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<usize, Error> {
        let Some(expander) = &mut self.expander else {
            let count =
                read_retrying(&mut self.file, out).map_err(Error::file("read", &self.path))?;
            self.raw += count as u64;
            self.position += count as u64;
            return Ok(count);
        };
        let count = expander
            .read(&mut self.file, &mut self.raw, out)
            .map_err(Error::file("read", &self.path))?;
        self.position += count as u64;
        let most = self
            .max_expansion
            .saturating_mul(self.file_bytes)
            .max(self.expansion_floor);
        if self.position > most {
            return Err(Error::Expansion {
                name: self.path.display().to_string(),
                limit: self.max_expansion,
            });
        }
        Ok(count)
    }

    /// Goes to a position in the plain bytes.
    pub(crate) fn seek(&mut self, position: u64) -> Result<(), Error> {
        let Some(expander) = &self.expander else {
            self.file
                .seek(SeekFrom::Start(position))
                .map_err(Error::file("read", &self.path))?;
            self.raw = position;
            self.position = position;
            return Ok(());
        };
        if position < self.position {
            self.expander =
                Some(Expander::new(expander.codec).map_err(Error::file("decompress", &self.path))?);
            self.file
                .rewind()
                .map_err(Error::file("read", &self.path))?;
            self.raw = 0;
            self.position = 0;
        }
        let mut skipped = vec![0; SKIP_BYTES];
        while self.position < position {
            let most =
                SKIP_BYTES.min(usize::try_from(position - self.position).unwrap_or(SKIP_BYTES));
            if self.read(&mut skipped[..most])? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Plain bytes given out so far.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Bytes on disk used so far.
    pub(crate) fn raw_bytes(&self) -> u64 {
        self.raw
    }

    /// The compression, if there is one.
    pub(crate) fn codec(&self) -> Option<Codec> {
        self.expander.as_ref().map(|expander| expander.codec)
    }

    /// Why the stream ended before its end, once it did.
    pub(crate) fn damage(&self) -> Option<String> {
        let expander = self.expander.as_ref()?;
        let damage = expander.damage.as_ref()?;
        let name = expander.codec.name();
        Some(match damage {
            Damage::CutShort => {
                format!("the {name} data ends in the middle; the file was cut short")
            }
            Damage::Invalid(cause) => {
                format!("the {name} data is damaged ({cause}); what follows is lost")
            }
        })
    }
}

fn read_retrying(file: &mut File, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(out) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

enum Damage {
    CutShort,
    Invalid(String),
}

/// The state of one decompression.
struct Expander {
    codec: Codec,
    member: Member,
    /// Compressed bytes read and not yet used: `input[used..filled]`.
    input: Vec<u8>,
    used: usize,
    filled: usize,
    /// Plain bytes not yet given out: `output[given..produced]`.
    output: Vec<u8>,
    given: usize,
    produced: usize,
    between_members: bool,
    damage: Option<Damage>,
}

/// What one step of a codec did.
struct Step {
    consumed: usize,
    produced: usize,
    outcome: Result<Outcome, String>,
}

#[derive(PartialEq, Eq)]
enum Outcome {
    More,
    MemberEnds,
}

impl Expander {
    fn new(codec: Codec) -> io::Result<Expander> {
        Ok(Expander {
            codec,
            member: Member::new(codec)?,
            input: vec![0; INPUT_BYTES],
            used: 0,
            filled: 0,
            output: vec![0; OUTPUT_BYTES],
            given: 0,
            produced: 0,
            between_members: true,
            damage: None,
        })
    }

    /// Fills some of `out`; 0 at the end or at a damage. An error is one of the file, not of what is in it.
    fn read(&mut self, file: &mut File, raw: &mut u64, out: &mut [u8]) -> io::Result<usize> {
        if self.given == self.produced {
            self.given = 0;
            self.produced = 0;
            self.refill(file, raw)?;
        }
        let plain = &self.output[self.given..self.produced];
        let count = plain.len().min(out.len());
        out[..count].copy_from_slice(&plain[..count]);
        self.given += count;
        Ok(count)
    }

    /// Decompresses until the output is full, the file ends or a damage begins.
    fn refill(&mut self, file: &mut File, raw: &mut u64) -> io::Result<()> {
        while self.produced < self.output.len() && self.damage.is_none() {
            let mut at_end = false;
            if self.used == self.filled {
                self.used = 0;
                self.filled = read_retrying(file, &mut self.input)?;
                *raw += self.filled as u64;
                at_end = self.filled == 0;
            }
            if self.between_members && !self.start_member(at_end)? {
                if at_end {
                    break;
                }
                continue;
            }
            self.step(at_end);
        }
        Ok(())
    }

    fn step(&mut self, at_end: bool) {
        let input = &self.input[self.used..self.filled];
        let step = self.member.step(input, &mut self.output[self.produced..]);
        self.used += step.consumed;
        self.produced += step.produced;
        match step.outcome {
            Err(cause) => self.damage = Some(Damage::Invalid(cause)),
            Ok(Outcome::MemberEnds) => self.between_members = true,
            // With the file at its end, a codec that neither takes nor gives anything will never finish.
            Ok(Outcome::More) if step.consumed == 0 && step.produced == 0 => {
                self.damage = Some(if at_end {
                    Damage::CutShort
                } else {
                    Damage::Invalid("the data makes no sense".to_owned())
                });
            }
            Ok(Outcome::More) => {}
        }
    }

    /// Prepares for the next member; false if there is none in the input at hand. Zero padding after the last member
    /// is common on tapes and not a damage.
    fn start_member(&mut self, at_end: bool) -> io::Result<bool> {
        if at_end {
            return Ok(false);
        }
        if matches!(self.codec, Codec::Gzip) {
            let zeros = self.input[self.used..self.filled]
                .iter()
                .take_while(|&&byte| byte == 0)
                .count();
            self.used += zeros;
            if self.used == self.filled {
                return Ok(false);
            }
        }
        self.member = Member::new(self.codec)?;
        self.between_members = false;
        Ok(true)
    }
}

/// The decoder of one member.
enum Member {
    Gzip(flate2::Decompress),
    Zstd(Box<zstd::stream::raw::Decoder<'static>>),
    Bzip2(bzip2::Decompress),
}

impl Member {
    fn new(codec: Codec) -> io::Result<Member> {
        const LARGEST_WINDOW_BITS: u8 = 15;
        Ok(match codec {
            Codec::Gzip => Member::Gzip(flate2::Decompress::new_gzip(LARGEST_WINDOW_BITS)),
            Codec::Zstd => Member::Zstd(Box::new(zstd::stream::raw::Decoder::new()?)),
            Codec::Bzip2 => Member::Bzip2(bzip2::Decompress::new(false)),
        })
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        match self {
            Member::Gzip(decoder) => {
                let before = (decoder.total_in(), decoder.total_out());
                let result = decoder.decompress(input, output, flate2::FlushDecompress::None);
                let outcome = match result {
                    Ok(flate2::Status::StreamEnd) => Ok(Outcome::MemberEnds),
                    Ok(_) => Ok(Outcome::More),
                    Err(error) => Err(error.to_string()),
                };
                Step::since(before, (decoder.total_in(), decoder.total_out()), outcome)
            }
            Member::Bzip2(decoder) => {
                let before = (decoder.total_in(), decoder.total_out());
                let outcome = match decoder.decompress(input, output) {
                    Ok(bzip2::Status::StreamEnd) => Ok(Outcome::MemberEnds),
                    Ok(_) => Ok(Outcome::More),
                    Err(error) => Err(error.to_string()),
                };
                Step::since(before, (decoder.total_in(), decoder.total_out()), outcome)
            }
            Member::Zstd(decoder) => zstd_step(decoder, input, output),
        }
    }
}

fn zstd_step(
    decoder: &mut zstd::stream::raw::Decoder<'static>,
    input: &[u8],
    output: &mut [u8],
) -> Step {
    use zstd::stream::raw::{InBuffer, Operation, OutBuffer};
    let mut from = InBuffer::around(input);
    let mut to = OutBuffer::around(output);
    let outcome = match decoder.run(&mut from, &mut to) {
        Ok(0) => Ok(Outcome::MemberEnds),
        Ok(_) => Ok(Outcome::More),
        Err(error) => Err(error.to_string()),
    };
    Step {
        consumed: from.pos(),
        produced: to.pos(),
        outcome,
    }
}

impl Step {
    fn since(before: (u64, u64), after: (u64, u64), outcome: Result<Outcome, String>) -> Step {
        // Both are at most the length of a buffer.
        Step {
            consumed: (after.0 - before.0) as usize,
            produced: (after.1 - before.1) as usize,
            outcome,
        }
    }
}
