//! Decompression of one file, member after member.
//!
//! The codecs are driven step by step rather than through their `Read` adapters, so that where a damage begins depends
//! on the file alone and not on how much was asked for at a time.

use std::fs::File;
use std::io::{self, Read};

use super::Codec;

/// What a codec gives at a time. When a call fails, what it had produced is lost, so the less the better; and always
/// the same, so that as much is lost in every pass.
const OUTPUT_BYTES: usize = 32 << 10;

const INPUT_BYTES: usize = 128 << 10;

pub(super) fn read_retrying(file: &mut File, out: &mut [u8]) -> io::Result<usize> {
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
        })
    }

    /// Fills some of `out`; 0 at the end or at a damage. An error is one of the file, not of what is in it.
    pub(super) fn read(
        &mut self,
        file: &mut File,
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
}

impl Member {
    fn new(codec: Codec) -> io::Result<Member> {
        const LARGEST_WINDOW_BITS: u8 = 15;
        Ok(match codec {
            Codec::Gzip => Member::Gzip(flate2::Decompress::new_gzip(LARGEST_WINDOW_BITS)),
            Codec::Zstd => Member::Zstd(Box::new(zstd::stream::raw::Decoder::new()?)),
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
