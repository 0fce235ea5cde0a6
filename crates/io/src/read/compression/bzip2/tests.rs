//! Blocks, held against the decoder of the library.

use std::io::{Read, Write};

use proptest::prelude::*;

use super::*;

fn compress(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::new(level));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn file_of(content: &[u8]) -> BufReader<File> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content).unwrap();
    io::Seek::rewind(&mut file).unwrap();
    BufReader::new(file)
}

/// What a file comes to, and whether it is damaged.
fn expand(compressed: &[u8], threads: usize) -> (Vec<u8>, bool) {
    let mut file = file_of(compressed);
    let mut blocks = Blocks::new(threads);
    let mut plain = Vec::new();
    let mut buffer = vec![0; 70_000];
    let mut raw = 0;
    loop {
        match blocks.read(&mut file, &mut raw, &mut buffer).unwrap() {
            0 => break,
            count => plain.extend_from_slice(&buffer[..count]),
        }
    }
    (plain, blocks.damage.is_some())
}

/// What the decoder of the library gives before the first error.
fn reference(compressed: &[u8]) -> (Vec<u8>, bool) {
    let mut decoder = ::bzip2::read::MultiBzDecoder::new(compressed);
    let mut plain = Vec::new();
    let damaged = decoder.read_to_end(&mut plain).is_err();
    (plain, damaged)
}

/// Words, and bytes that cannot be compressed.
fn content(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    (0..len)
        .map(|at| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let byte = (state >> 56) as u8;
            if (at >> 14) & 1 == 0 {
                b'a' + byte % 7
            } else {
                byte
            }
        })
        .collect()
}

#[test]
fn streams_of_many_blocks_come_out_whole_on_any_number_of_threads() {
    let plain = content(1_500_000, 3);
    let halves = plain.split_at(700_001);
    let single = compress(&plain, 1);
    let several = [
        compress(halves.0, 9),
        compress(b"", 1),
        compress(halves.1, 1),
    ]
    .concat();
    for compressed in [single, several, compress(b"", 5), compress(b"x", 9)] {
        let expected = reference(&compressed);
        assert!(!expected.1);
        for threads in [1, 2, 4] {
            assert_eq!(expand(&compressed, threads), expected);
        }
    }
}

#[test]
fn a_block_that_is_not_whole_up_to_the_next_mark_is_tried_up_to_the_one_after() {
    let plain = content(250_000, 5);
    let compressed = compress(&plain, 1);
    let mut marks = Vec::new();
    bits::find_marks(&compressed, 0, &mut marks);
    assert!(marks.len() >= 4, "several blocks and an end");
    let mut file = file_of(&compressed);
    let mut blocks = Blocks::new(2);
    let mut raw = 0;
    blocks.read_more(&mut file, &mut raw).unwrap();
    // Pretend that there are marks in the middle of the first block.
    let middle = (marks[0].at + marks[1].at) / 2;
    let false_marks = [(middle, false), (middle + 100, true)];
    for (place, (at, ends)) in (1..).zip(false_marks) {
        blocks.marks.insert(place, Mark { at, ends });
    }
    let mut out = Vec::new();
    let mut buffer = [0; 10_000];
    while let count @ 1.. = blocks.read(&mut file, &mut raw, &mut buffer).unwrap() {
        out.extend_from_slice(&buffer[..count]);
    }
    assert!(blocks.damage.is_none());
    assert!(out == plain);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn damaged_files_come_out_up_to_the_damage(
        seed in any::<u64>(), len in 0..400_000_usize, at in 0.0..1.0_f64, cut in any::<bool>(), bit in 0..8_u32,
    ) {
        let plain = content(len, seed);
        let mut compressed = compress(&plain, 1);
        compressed.extend(compress(&plain[..len / 3], 1));
        let at = ((compressed.len() - 1) as f64 * at) as usize;
        if cut {
            compressed.truncate(at);
        } else {
            compressed[at] ^= 1 << bit;
        }
        let whole = [&plain[..], &plain[..len / 3]].concat();
        let (one, damaged) = expand(&compressed, 1);
        prop_assert!(whole.starts_with(&one));
        // Between two streams the file may end; everywhere else the damage is told.
        prop_assert!(damaged || one == whole || one == plain || compressed.is_empty());
        prop_assert_eq!(expand(&compressed, 3), (one.clone(), damaged));
        // A block is at most 100 kB here: no more than one is given up.
        let (sequential, _) = reference(&compressed);
        let common = sequential.iter().zip(&whole).take_while(|(a, b)| a == b).count();
        prop_assert!(one.len() + 100_000 >= common, "{} of {}", one.len(), common);
    }
}
