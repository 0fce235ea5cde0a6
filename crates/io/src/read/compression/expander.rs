//! Decompression of one file, member after member.
//!
//! The codecs are driven step by step rather than through their `Read` adapters, so that where a damage begins depends
//! on the file alone and not on how much was asked for at a time.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use memchr::memmem;

use super::Codec;
use super::lz4;

/// What a member of gzip starts with.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// What a codec gives at a time. When a call fails, what it had produced is lost, so the less the better; and always
/// the same, so that as much is lost in every pass.
const OUTPUT_BYTES: usize = 32 << 10;

const INPUT_BYTES: usize = 128 << 10;

/// How far before the place where a damage shows the next member is looked for.
const BACK_BYTES: u64 = 64 << 10;

pub(super) fn read_retrying(file: &mut BufReader<File>, out: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(out) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

pub(super) enum Damage {
    CutShort,
    Invalid(String),
}

/// The state of one decompression.
pub(super) struct Expander {
    pub(super) codec: Codec,
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
    pub(super) damage: Option<Damage>,
    /// What is damaged within is passed over, where the codec allows that.
    pub(super) resumes: bool,
    /// The next member is being looked for.
    searching: bool,
    /// All plain bytes so far, and those before this member.
    total: u64,
    member_begin: u64,
    /// Bytes of the file before this member.
    member_raw: u64,
    pub(super) breaks: Vec<Break>,
}

/// Where something is missing from the plain bytes, because it was damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Break {
    /// Plain bytes before it.
    pub(crate) position: u64,
    /// Plain bytes before the member that is damaged.
    pub(crate) member: u64,
    pub(crate) cause: String,
}

/// What one step of a codec did.
pub(super) struct Step {
    pub(super) consumed: usize,
    pub(super) produced: usize,
    pub(super) outcome: Result<Outcome, String>,
}

#[derive(PartialEq, Eq)]
pub(super) enum Outcome {
    More,
    MemberEnds,
}

impl Expander {
    pub(super) fn new(codec: Codec) -> io::Result<Expander> {
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
            resumes: false,
            searching: false,
            total: 0,
            member_begin: 0,
            member_raw: 0,
            breaks: Vec::new(),
        })
    }

    /// Fills some of `out`; 0 at the end or at a damage. An error is one of the file, not of what is in it.
    pub(super) fn read(
        &mut self,
        file: &mut BufReader<File>,
        raw: &mut u64,
        out: &mut [u8],
    ) -> io::Result<usize> {
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
    fn refill(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        while self.produced < self.output.len() && self.damage.is_none() {
            let mut at_end = false;
            if self.used == self.filled {
                self.used = 0;
                self.filled = read_retrying(file, &mut self.input)?;
                *raw += self.filled as u64;
                at_end = self.filled == 0;
            }
            if self.searching {
                if at_end {
                    break;
                }
                self.search(file, raw)?;
                continue;
            }
            if self.between_members {
                if !self.start_member(at_end)? {
                    if at_end {
                        break;
                    }
                    continue;
                }
                self.member_raw = *raw - (self.filled - self.used) as u64;
            }
            self.step(at_end);
            if self.searching {
                self.go_back(file, raw)?;
            }
        }
        Ok(())
    }

    /// What is damaged may have been taken for more than it is, and the next member with it.
    fn go_back(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        let here = *raw - (self.filled - self.used) as u64;
        let from = here
            .saturating_sub(BACK_BYTES)
            .max(self.member_raw + 1)
            .min(*raw);
        self.read_from(from, file, raw)
    }

    fn read_from(
        &mut self,
        from: u64,
        file: &mut BufReader<File>,
        raw: &mut u64,
    ) -> io::Result<()> {
        (self.used, self.filled) = (0, 0);
        *raw = file.seek(SeekFrom::Start(from))?;
        Ok(())
    }

    fn step(&mut self, at_end: bool) {
        let input = &self.input[self.used..self.filled];
        let step = self.member.step(input, &mut self.output[self.produced..]);
        self.used += step.consumed;
        self.produced += step.produced;
        self.total += step.produced as u64;
        match step.outcome {
            Err(cause) => self.give_up(cause),
            Ok(Outcome::MemberEnds) => self.between_members = true,
            // With the file at its end, a codec that neither takes nor gives anything will never finish.
            Ok(Outcome::More) if step.consumed == 0 && step.produced == 0 => {
                if at_end {
                    self.damage = Some(Damage::CutShort);
                } else {
                    self.give_up("the data makes no sense".to_owned());
                }
            }
            Ok(Outcome::More) => {}
        }
    }

    /// The member is damaged: goes on with the next one, or ends.
    fn give_up(&mut self, cause: String) {
        if !self.resumes || self.mark().is_none() {
            self.damage = Some(Damage::Invalid(cause));
            return;
        }
        self.searching = true;
        // What looks like a member and is none is still the same damage.
        if self
            .breaks
            .last()
            .is_none_or(|last| last.position != self.total)
        {
            self.breaks.push(Break {
                position: self.total,
                member: self.member_begin,
                cause,
            });
        }
    }

    /// What a member begins with, where members are small enough to go on with the next one.
    fn mark(&self) -> Option<&'static [u8]> {
        match self.codec {
            Codec::Gzip => Some(GZIP),
            Codec::Lz4 => Some(&lz4::MAGIC),
            Codec::Zstd | Codec::Bzip2 => None,
        }
    }

    /// Goes to where a member seems to begin.
    fn search(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        let mark = self.mark().unwrap_or_default();
        let input = &self.input[self.used..self.filled];
        if let Some(at) = memmem::find(input, mark) {
            self.used += at;
            self.searching = false;
            self.between_members = true;
            return Ok(());
        }
        // One may begin with the last bytes.
        let shared = mark.len().saturating_sub(1);
        if input.len() > shared {
            return self.read_from(*raw - shared as u64, file, raw);
        }
        self.used = self.filled;
        Ok(())
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
        self.member_begin = self.total;
        self.between_members = false;
        Ok(true)
    }
}

/// The decoder of one member.
enum Member {
    Gzip(flate2::Decompress),
    Zstd(Box<zstd::stream::raw::Decoder<'static>>),
    Lz4(Box<lz4::Frame>),
}

impl Member {
    fn new(codec: Codec) -> io::Result<Member> {
        const LARGEST_WINDOW_BITS: u8 = 15;
        Ok(match codec {
            Codec::Gzip => Member::Gzip(flate2::Decompress::new_gzip(LARGEST_WINDOW_BITS)),
            Codec::Zstd => Member::Zstd(Box::new(zstd::stream::raw::Decoder::new()?)),
            Codec::Lz4 => Member::Lz4(Box::new(lz4::Frame::new())),
            Codec::Bzip2 => return Err(io::Error::other("bzip2 is read by blocks")),
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
            Member::Zstd(decoder) => zstd_step(decoder, input, output),
            Member::Lz4(frame) => frame.step(input, output),
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
