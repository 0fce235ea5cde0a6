//! A frame of LZ4, or one that is to be skipped, decoded step by step. (LZ4 Frame Format Description 1.6.)

use lz4_flex::block::decompress_into_with_dict;
use xxhash_rust::xxh32::{Xxh32, xxh32};

use super::expander::{Outcome, Step};

/// What a frame starts with.
pub(super) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// How far back a block may refer.
const HISTORY: usize = 64 << 10;

/// The frame is being read up to here.
#[derive(Clone, Copy)]
enum Part {
    Magic,
    SkippedBytes,
    /// The first two bytes of the descriptor, which tell how long it is.
    Flags,
    Descriptor,
    BlockSize,
    Block {
        is_compressed: bool,
    },
    Checksum,
}

/// A frame of LZ4, or one that is to be skipped, decoded step by step.
pub(super) struct Frame {
    part: Part,
    /// Of how many bytes the part is, and those of them that are there.
    needed: usize,
    bytes: Vec<u8>,
    to_skip: usize,
    descriptor: Descriptor,
    /// The plain bytes that the next block may refer to, then those of this block.
    plain: Vec<u8>,
    /// How many of them are given out.
    given: usize,
    content: Xxh32,
}

/// What the descriptor says of the frame.
#[derive(Clone, Copy, Default)]
struct Descriptor {
    most_block_bytes: usize,
    are_blocks_linked: bool,
    has_block_checksums: bool,
    has_content_checksum: bool,
}

impl Frame {
    pub(super) fn new() -> Frame {
        Frame {
            part: Part::Magic,
            needed: MAGIC.len(),
            bytes: Vec::new(),
            to_skip: 0,
            descriptor: Descriptor::default(),
            plain: Vec::new(),
            given: 0,
            content: Xxh32::new(0),
        }
    }

    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (mut rest, mut produced) = (input, 0);
        let outcome = loop {
            produced += self.give(&mut output[produced..]);
            if self.given < self.plain.len() {
                break Ok(Outcome::More);
            }
            if self.to_skip > 0 {
                let skipped = self.to_skip.min(rest.len());
                self.to_skip -= skipped;
                rest = &rest[skipped..];
                if self.to_skip == 0 {
                    break Ok(Outcome::MemberEnds);
                }
                break Ok(Outcome::More);
            }
            let missing = self.needed - self.bytes.len();
            let (taken, after) = rest.split_at(missing.min(rest.len()));
            self.bytes.extend_from_slice(taken);
            rest = after;
            if self.bytes.len() < self.needed {
                break Ok(Outcome::More);
            }
            match self.part_is_there() {
                Ok(Outcome::More) => {}
                ends => break ends,
            }
        };
        Step {
            consumed: input.len() - rest.len(),
            produced,
            outcome,
        }
    }

    /// Gives out what fits.
    fn give(&mut self, output: &mut [u8]) -> usize {
        let plain = &self.plain[self.given..];
        let count = plain.len().min(output.len());
        output[..count].copy_from_slice(&plain[..count]);
        self.given += count;
        count
    }

    fn expect(&mut self, part: Part, needed: usize) -> Result<Outcome, String> {
        self.bytes.clear();
        (self.part, self.needed) = (part, needed);
        Ok(Outcome::More)
    }

    /// The part in hand is complete.
    fn part_is_there(&mut self) -> Result<Outcome, String> {
        match self.part {
            Part::Magic if self.bytes == MAGIC => self.expect(Part::Flags, 2),
            Part::Magic if matches!(self.bytes[..], [0x50..=0x5f, 0x2a, 0x4d, 0x18]) => {
                self.expect(Part::SkippedBytes, 4)
            }
            Part::Magic => Err("no frame begins here".to_owned()),
            Part::SkippedBytes => {
                self.to_skip = self.number() as usize;
                match self.to_skip {
                    0 => Ok(Outcome::MemberEnds),
                    _ => Ok(Outcome::More),
                }
            }
            Part::Flags => {
                self.needed = descriptor_bytes(self.bytes[0]);
                self.part = Part::Descriptor;
                Ok(Outcome::More)
            }
            Part::Descriptor => {
                self.descriptor = Descriptor::read(&self.bytes)?;
                self.expect(Part::BlockSize, 4)
            }
            Part::BlockSize => self.begin_block(),
            Part::Block { is_compressed } => {
                self.expand_block(is_compressed)?;
                self.expect(Part::BlockSize, 4)
            }
            Part::Checksum if self.content.digest() == self.number() => Ok(Outcome::MemberEnds),
            Part::Checksum => Err("wrong checksum of the content".to_owned()),
        }
    }

    /// The last four bytes as a number.
    fn number(&self) -> u32 {
        self.bytes
            .last_chunk()
            .copied()
            .map_or(0, u32::from_le_bytes)
    }

    fn begin_block(&mut self) -> Result<Outcome, String> {
        const PLAIN: u32 = 1 << 31;
        let Descriptor {
            most_block_bytes,
            has_block_checksums,
            has_content_checksum,
            ..
        } = self.descriptor;
        match self.number() {
            0 if has_content_checksum => self.expect(Part::Checksum, 4),
            0 => Ok(Outcome::MemberEnds),
            number => {
                let size = (number & !PLAIN) as usize;
                if size > most_block_bytes {
                    return Err("a block is larger than its frame allows".to_owned());
                }
                let is_compressed = number & PLAIN == 0;
                let checksum = if has_block_checksums { 4 } else { 0 };
                self.expect(Part::Block { is_compressed }, size + checksum)
            }
        }
    }

    /// Makes the plain bytes of a block, all before which are given out.
    fn expand_block(&mut self, is_compressed: bool) -> Result<(), String> {
        let mut block = &self.bytes[..];
        if self.descriptor.has_block_checksums {
            let (data, _) = block.split_at(block.len().saturating_sub(4));
            if xxh32(data, 0) != self.number() {
                return Err("wrong checksum of a block".to_owned());
            }
            block = data;
        }
        let kept = match self.descriptor.are_blocks_linked {
            true => HISTORY.min(self.plain.len()),
            false => 0,
        };
        self.plain.drain(..self.plain.len() - kept);
        if is_compressed {
            self.plain
                .resize(kept + self.descriptor.most_block_bytes, 0);
            let (history, plain) = self.plain.split_at_mut(kept);
            let expanded = decompress_into_with_dict(block, plain, history);
            let count = expanded.map_err(|error| error.to_string());
            // What is damaged gives nothing.
            self.plain
                .truncate(kept + count.as_ref().copied().unwrap_or(0));
            self.given = kept;
            count?;
        } else {
            self.plain.extend_from_slice(block);
            self.given = kept;
        }
        if self.descriptor.has_content_checksum {
            self.content.update(&self.plain[kept..]);
        }
        Ok(())
    }
}

/// How many bytes a descriptor with these flags has.
fn descriptor_bytes(flags: u8) -> usize {
    let content_size = if flags & 1 << 3 != 0 { 8 } else { 0 };
    let dictionary = if flags & 1 != 0 { 4 } else { 0 };
    2 + content_size + dictionary + 1
}

impl Descriptor {
    fn read(bytes: &[u8]) -> Result<Descriptor, String> {
        let [flags, sizes, .., checksum] = *bytes else {
            return Err("the descriptor of a frame is too short".to_owned());
        };
        let said = &bytes[..bytes.len() - 1];
        if (xxh32(said, 0) >> 8) as u8 != checksum {
            return Err("wrong checksum of a descriptor".to_owned());
        }
        if flags >> 6 != 1 {
            return Err("an unknown version of the format".to_owned());
        }
        if flags & 1 != 0 {
            return Err("it needs a dictionary".to_owned());
        }
        let most_block_bytes = match sizes >> 4 & 7 {
            size @ 4..=7 => 1 << (8 + 2 * size),
            _ => return Err("an unknown size of blocks".to_owned()),
        };
        Ok(Descriptor {
            most_block_bytes,
            are_blocks_linked: flags & 1 << 5 == 0,
            has_block_checksums: flags & 1 << 4 != 0,
            has_content_checksum: flags & 1 << 2 != 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

    use super::*;

    fn compressed(content: &[u8], info: FrameInfo) -> Vec<u8> {
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// Decodes with so many bytes in and out at a time.
    fn decode(bytes: &[u8], [most_in, most_out]: [usize; 2]) -> Result<Vec<u8>, String> {
        let (mut frame, mut plain) = (Frame::new(), Vec::new());
        let (mut at, mut output) = (0, vec![0; most_out]);
        loop {
            let end = bytes.len().min(at + most_in);
            let step = frame.step(&bytes[at..end], &mut output);
            at += step.consumed;
            plain.extend_from_slice(&output[..step.produced]);
            match step.outcome? {
                Outcome::MemberEnds if at == bytes.len() => return Ok(plain),
                Outcome::MemberEnds => frame = Frame::new(),
                Outcome::More if step.consumed + step.produced == 0 => {
                    return Err("cut short".to_owned());
                }
                Outcome::More => {}
            }
        }
    }

    fn content() -> Vec<u8> {
        let mut number = 7_u32;
        let mut line = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            format!(
                "{{\"id\": {number}, \"text\": \"灯塔 lighthouse {}\"}}\n",
                number % 97
            )
        };
        (0..6000).map(|_| line()).collect::<String>().into_bytes()
    }

    fn frames() -> Vec<FrameInfo> {
        let mut frames = Vec::new();
        for mode in [BlockMode::Independent, BlockMode::Linked] {
            for size in [BlockSize::Max64KB, BlockSize::Max4MB] {
                for checksums in [false, true] {
                    frames.push(
                        FrameInfo::new()
                            .block_mode(mode)
                            .block_size(size)
                            .block_checksums(checksums)
                            .content_checksum(checksums)
                            .content_size(checksums.then_some(content().len() as u64)),
                    );
                }
            }
        }
        frames
    }

    #[test]
    fn every_kind_of_frame_is_read_however_it_is_cut() {
        let content = content();
        for info in frames() {
            let bytes = compressed(&content, info);
            for sizes in [[1 << 17, 1 << 15], [1000, 77], [1, 1 << 15]] {
                assert!(decode(&bytes, sizes).unwrap() == content);
            }
        }
        assert_eq!(
            decode(&compressed(b"", FrameInfo::new()), [9, 9]),
            Ok(vec![])
        );
    }

    #[test]
    fn a_frame_to_be_skipped_is_passed_over() {
        let skipped = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let empty = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
        let bytes = [
            &skipped,
            &empty[..],
            &compressed("灯".as_bytes(), FrameInfo::new()),
        ];
        assert_eq!(
            decode(&bytes.concat(), [2, 2]),
            Ok("灯".as_bytes().to_vec())
        );
    }

    #[test]
    fn what_checksums_cover_cannot_change_unseen() {
        let info = FrameInfo::new()
            .block_checksums(true)
            .content_checksum(true);
        let bytes = compressed(&content()[..300], info);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(decode(&damaged, [64, 64]).is_err(), "byte {at}");
        }
    }
}
