//! bzip2, block by block, on several threads.
//!
//! A stream is a header, blocks of up to 900 kB of plain text, and an end mark. Blocks begin at any bit with a mark of 48
//! bits and do not depend on each other. So the file is cut at the marks, each block is decoded as a stream of its own
//! on any thread, and the results are taken in order. A mark may be mere coincidence: then the piece before it does not
//! decode (its checksum is wrong or it is not at its end), and it is tried again up to the next mark. What comes out does
//! not depend on the number of threads, and neither does the place where a damage is found: everything before the block
//! that is damaged is given out.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::bits::{self, MARK_BITS, Mark};
use super::expander::{Damage, read_retrying};

const INPUT_BYTES: usize = 256 << 10;
/// No block is longer: 900,000 symbols of at most 20 bits, and their tables.
const LONGEST_BLOCK: u64 = 2_600_000;
/// So many marks may be coincidence in one block.
const MOST_TRIES: usize = 8;

/// The state of one decompression.
pub(super) struct Blocks {
    threads: usize,
    /// Compressed bytes from byte `begin` of the file on.
    raw: Vec<u8>,
    begin: u64,
    file_ended: bool,
    /// Marks from where the decoding is on, in order, and up to where they were looked for.
    marks: VecDeque<Mark>,
    searched: u64,
    /// Pieces given to the workers, by the bit they begin at.
    started: VecDeque<Started>,
    workers: Option<Sender<Job>>,
    /// What comes at the bit `at` of the file.
    at: u64,
    expected: Expected,
    /// Of the blocks of this stream so far.
    checksum: u32,
    plain: Vec<u8>,
    given: usize,
    pub(super) damage: Option<Damage>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Header,
    Mark,
}

struct Started {
    at: u64,
    end: u64,
    result: Receiver<Option<Vec<u8>>>,
}

struct Job {
    stream: Vec<u8>,
    result: SyncSender<Option<Vec<u8>>>,
}

impl Blocks {
    pub(super) fn new(threads: usize) -> Blocks {
        Blocks {
            threads,
            raw: Vec::new(),
            begin: 0,
            file_ended: false,
            marks: VecDeque::new(),
            searched: 0,
            started: VecDeque::new(),
            workers: None,
            at: 0,
            expected: Expected::Header,
            checksum: 0,
            plain: Vec::new(),
            given: 0,
            damage: None,
        }
    }

    /// Fills some of `out`; 0 at the end or at a damage. An error is one of the file, not of what is in it.
    pub(super) fn read(
        &mut self,
        file: &mut BufReader<File>,
        raw: &mut u64,
        out: &mut [u8],
    ) -> io::Result<usize> {
        while self.given == self.plain.len() && self.damage.is_none() {
            self.plain.clear();
            self.given = 0;
            if !self.step(file, raw)? {
                break;
            }
        }
        let plain = &self.plain[self.given..];
        let count = plain.len().min(out.len());
        out[..count].copy_from_slice(&plain[..count]);
        self.given += count;
        Ok(count)
    }

    /// Takes the next header, block or end mark; false at the end of the file.
    fn step(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<bool> {
        self.forget_passed();
        match self.expected {
            Expected::Header => self.header(file, raw),
            Expected::Mark => self.mark(file, raw).map(|()| true),
        }
    }

    fn header(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<bool> {
        const HEADER: u64 = 4;
        self.fill(file, raw, self.at / 8 + HEADER)?;
        let from = (self.at / 8 - self.begin) as usize;
        match &self.raw[from.min(self.raw.len())..] {
            [] => return Ok(false),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => {
                self.at += HEADER * 8;
                self.expected = Expected::Mark;
                self.checksum = 0;
            }
            short
                if short.len() < HEADER as usize
                    && b"BZh".starts_with(&short[..short.len().min(3)]) =>
            {
                self.damage = Some(Damage::CutShort);
            }
            _ => self.damage = Some(invalid("no stream begins here")),
        }
        Ok(true)
    }

    fn mark(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        self.look_ahead(file, raw)?;
        match self.marks.front() {
            Some(mark) if mark.at == self.at && mark.ends => self.end_stream(file, raw),
            Some(mark) if mark.at == self.at => self.block(file, raw),
            _ => {
                let left = self.end_of_raw() * 8 - self.at.min(self.end_of_raw() * 8);
                self.damage = Some(if self.file_ended && left < MARK_BITS {
                    Damage::CutShort
                } else {
                    invalid("no block begins here")
                });
                Ok(())
            }
        }
    }

    fn end_stream(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        let after = self.at + MARK_BITS + 32;
        self.fill(file, raw, after.div_ceil(8))?;
        let at = self.at + MARK_BITS - self.begin * 8;
        match bits::read_bits(&self.raw, at, 32) {
            None => self.damage = Some(Damage::CutShort),
            Some(stored) if stored != u64::from(self.checksum) => {
                self.damage = Some(invalid("the checksum of a stream is wrong"));
            }
            Some(_) => {
                self.at = after.next_multiple_of(8);
                self.expected = Expected::Header;
            }
        }
        Ok(())
    }

    fn block(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        let stored = bits::read_bits(&self.raw, self.at + MARK_BITS - self.begin * 8, 32);
        let mut tried = 0;
        if self
            .started
            .front()
            .is_some_and(|started| started.at == self.at)
            && let Some(started) = self.started.pop_front()
        {
            tried = 1;
            if let Ok(Some(plain)) = started.result.recv() {
                self.take(plain, stored, started.end);
                return Ok(());
            }
        }
        // The mark after it may be a coincidence.
        for next in 1..=MOST_TRIES {
            while self.marks.len() <= next && self.find_more(file, raw)? {}
            let Some(end) = self.marks.get(next).map(|mark| mark.at) else {
                break;
            };
            if end - self.at > LONGEST_BLOCK * 8 {
                break;
            }
            if next > tried
                && let Some(plain) = self
                    .wrapped(self.at, end)
                    .and_then(|stream| decode(&stream))
            {
                self.take(plain, stored, end);
                return Ok(());
            }
        }
        self.damage = Some(if self.marks.len() < 2 && self.file_ended {
            self.plain = self.rest();
            Damage::CutShort
        } else {
            invalid("a block is damaged")
        });
        Ok(())
    }

    fn take(&mut self, plain: Vec<u8>, checksum: Option<u64>, end: u64) {
        self.plain = plain;
        self.checksum = self.checksum.rotate_left(1) ^ checksum.unwrap_or(0) as u32;
        self.at = end;
    }

    /// Gives the workers what they can do meanwhile; with one thread the next block only.
    fn look_ahead(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        let most = if self.threads > 1 {
            self.threads + 2
        } else {
            1
        };
        while self.started.len() < most {
            let from = self.started.back().map_or(self.at, |started| started.end);
            let known = self
                .marks
                .iter()
                .position(|mark| mark.at >= from && !mark.ends);
            match known.and_then(|at| Some((self.marks[at].at, self.marks.get(at + 1)?.at))) {
                Some((begin, end)) => self.start(begin, end),
                None if self.is_far_ahead() || !self.find_more(file, raw)? => break,
                None => {}
            }
        }
        Ok(())
    }

    /// More raw bytes than so many blocks can have are not worth keeping.
    fn is_far_ahead(&self) -> bool {
        let ahead = (self.end_of_raw() * 8).saturating_sub(self.at);
        ahead > LONGEST_BLOCK * 8 * (self.threads as u64 + 2)
    }

    fn start(&mut self, at: u64, end: u64) {
        let (sender, result) = sync_channel(1);
        if let Some(stream) = self.wrapped(at, end) {
            let job = Job {
                stream,
                result: sender,
            };
            if self.threads > 1 {
                let threads = self.threads;
                let workers = self.workers.get_or_insert_with(|| start_workers(threads));
                // They end when this sender does.
                let _ = workers.send(job);
            } else {
                let _ = job.result.send(decode(&job.stream));
            }
        }
        self.started.push_back(Started { at, end, result });
    }

    fn wrapped(&self, at: u64, end: u64) -> Option<Vec<u8>> {
        if end - at > LONGEST_BLOCK * 8 {
            return None;
        }
        let base = self.begin * 8;
        bits::as_stream(&self.raw, at - base, end - base).map(|(stream, _)| stream)
    }

    /// The block at the end of a file that was cut short, if it was cut after the block.
    fn rest(&self) -> Vec<u8> {
        let base = self.begin * 8;
        let end = self.end_of_raw() * 8;
        let stream = bits::as_stream(&self.raw, self.at - base, end - base);
        stream.map_or(Vec::new(), |(stream, _)| {
            // Without the end mark that was added.
            let whole = stream.len().saturating_sub(11);
            decode_some(&stream[..whole]).1
        })
    }

    /// Forgets what lies before the place where the decoding is.
    fn forget_passed(&mut self) {
        let passed = self
            .marks
            .iter()
            .take_while(|mark| mark.at < self.at)
            .count();
        self.marks.drain(..passed);
        let passed = self
            .started
            .iter()
            .take_while(|started| started.at < self.at)
            .count();
        self.started.drain(..passed);
        let passed = (self.at / 8 - self.begin) as usize;
        if passed > INPUT_BYTES {
            let passed = passed.min(self.raw.len());
            self.raw.drain(..passed);
            self.begin += passed as u64;
        }
    }

    fn end_of_raw(&self) -> u64 {
        self.begin + self.raw.len() as u64
    }

    /// Reads until the bytes up to `end` are there, or the file ends.
    fn fill(&mut self, file: &mut BufReader<File>, raw: &mut u64, end: u64) -> io::Result<()> {
        while self.end_of_raw() < end && !self.file_ended {
            self.read_more(file, raw)?;
        }
        Ok(())
    }

    /// Reads more of the file and looks for marks in it; false at the end of the file.
    fn find_more(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<bool> {
        self.read_more(file, raw)?;
        Ok(!self.file_ended)
    }

    fn read_more(&mut self, file: &mut BufReader<File>, raw: &mut u64) -> io::Result<()> {
        let len = self.raw.len();
        self.raw.resize(len + INPUT_BYTES, 0);
        let count = read_retrying(file, &mut self.raw[len..])?;
        self.raw.truncate(len + count);
        *raw += count as u64;
        self.file_ended = count == 0;
        // A mark may have begun in what was there before.
        const OVERLAP: u64 = 7;
        let from = self.searched.saturating_sub(OVERLAP).max(self.begin);
        let mut found = Vec::new();
        bits::find_marks(&self.raw, (from - self.begin) as usize, &mut found);
        let last = self.marks.back().map(|mark| mark.at);
        for mut mark in found {
            mark.at += self.begin * 8;
            if last.is_none_or(|last| mark.at > last) && mark.at >= self.at {
                self.marks.push_back(mark);
            }
        }
        self.searched = self.end_of_raw();
        Ok(())
    }
}

fn invalid(cause: &str) -> Damage {
    Damage::Invalid(cause.to_owned())
}

fn start_workers(threads: usize) -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..threads {
        let jobs = Arc::clone(&jobs);
        std::thread::spawn(move || {
            loop {
                let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(job) = job else {
                    return;
                };
                // Nobody waits for it any more if the stream was dropped.
                let _ = job.result.send(decode(&job.stream));
            }
        });
    }
    sender
}

/// The plain bytes of a stream of one block, if it is whole and right.
fn decode(stream: &[u8]) -> Option<Vec<u8>> {
    let (whole, plain) = decode_some(stream);
    whole.then_some(plain)
}

/// The plain bytes of a stream, and whether it is whole.
fn decode_some(stream: &[u8]) -> (bool, Vec<u8>) {
    const FIRST: usize = 1 << 20;
    let mut decoder = ::bzip2::Decompress::new(false);
    let mut plain = Vec::with_capacity(FIRST);
    let mut used = 0;
    loop {
        let before = plain.len();
        let Ok(status) = decoder.decompress_vec(&stream[used..], &mut plain) else {
            return (false, Vec::new());
        };
        let consumed = decoder.total_in() as usize - used;
        used += consumed;
        match status {
            ::bzip2::Status::StreamEnd => return (true, plain),
            _ if plain.len() == plain.capacity() => plain.reserve(FIRST),
            _ if consumed == 0 && plain.len() == before => return (false, plain),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
