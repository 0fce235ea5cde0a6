//! Damaged copies of inputs. They reach less than what libFuzzer makes of the same inputs, at many times the speed: nothing is
//! recorded of what each of them reaches.

use std::fs;
use std::path::Path;

use lookalike_text::Seed;
use lookalike_text::hash::hash64;

/// The longest damaged input.
const MOST_BYTES: usize = 20_000;

/// Bytes that formats give a meaning to, or that are no text.
const MARKS: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\0",
    b"\"",
    b"\\",
    b",",
    b"\t",
    b"{",
    b"}",
    b"[",
    b"<",
    b">",
    b"</",
    b"&",
    b";",
    b"--",
    b"=",
    b"From ",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xe4\xb8\x80",
    b"-1",
    b"0",
    b"18446744073709551616",
    b"\x1f\x8b\x08",
    b"\x28\xb5\x2f\xfd",
    b"BZh9",
    b"PAR1",
];

/// Draws numbers that depend on nothing but its state.
pub struct Draw(u64);

impl Draw {
    /// What it draws follows from this number.
    pub fn new(number: u64) -> Self {
        Draw(number)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = hash64(&self.0.to_le_bytes(), Seed(1));
        (self.0 % bound.max(1) as u64) as usize
    }

    /// A stretch of up to 64 bytes, or rarely of any length.
    fn stretch(&mut self, length: usize) -> std::ops::Range<usize> {
        let begin = self.below(length + 1);
        let most = if self.below(8) == 0 { length } else { 64 };
        begin..(begin + self.below(most + 1)).min(length)
    }
}

/// Damages a copy of one input, now and then with a piece of another one.
pub fn damaged(inputs: &[Vec<u8>], draw: &mut Draw) -> Vec<u8> {
    let mut bytes = inputs[draw.below(inputs.len())].clone();
    for _ in 0..=draw.below(6) {
        let place = draw.below(bytes.len() + 1);
        match draw.below(7) {
            0 if place < bytes.len() => bytes[place] ^= 1 << draw.below(8),
            1 if place < bytes.len() => bytes[place] = draw.below(256) as u8,
            2 => bytes.truncate(place),
            3 => drop(bytes.drain(draw.stretch(bytes.len()))),
            4 => {
                let copy = bytes[draw.stretch(bytes.len())].to_vec();
                bytes.splice(place..place, copy);
            }
            5 => {
                let other = &inputs[draw.below(inputs.len())];
                let piece = other[draw.stretch(other.len())].to_vec();
                bytes.splice(place..place, piece);
            }
            _ => drop(bytes.splice(place..place, MARKS[draw.below(MARKS.len())].iter().copied())),
        }
    }
    bytes.truncate(MOST_BYTES);
    bytes
}

/// The inputs in a folder, in the order of their names.
///
/// # Panics
/// If one of them cannot be read.
pub fn stored(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder of inputs");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let read = |file| fs::read(file).expect("an input");
    files.iter().map(read).collect()
}
