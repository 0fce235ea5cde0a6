//! A text with its passages bracketed, numbered and coloured: a text and where its passages are come in, blocks of lines
//! go out, one for each passage and for each stretch between them. What is long is shown by its ends.

use std::ops::Range;

use anstyle::Style;
use lookalike::pair::assemble::alignment::Span;

use crate::screen::columns::{Line, Setter};
use crate::screen::terminal::{Terminal, colour};

/// A stretch with more sentences is shown by this many at either end: outside of passages,
const ENDS_BETWEEN: usize = 1;
/// and in them.
const ENDS_IN_PASSAGE: usize = 6;
/// A sentence with more characters is shown by this many at either end.
const ENDS_OF_SENTENCE: usize = 300;

/// One side of the comparison.
#[derive(Debug)]
pub(super) struct MarkedText<'t> {
    pub(super) text: &'t str,
    pub(super) sentences: &'t [Range<u32>],
    /// The passages, by their numbers from 0.
    pub(super) spans: Vec<Span>,
}

/// The lines of a passage, or of what is between passages.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) passage: Option<usize>,
    pub(super) lines: Vec<Line>,
}

/// A part of the text in which the same passages are.
struct Stretch {
    bytes: Range<usize>,
    passages: Vec<usize>,
}

impl MarkedText<'_> {
    /// The blocks, in lines of a width.
    pub(super) fn blocks(&self, terminal: &Terminal, width: usize) -> Vec<Block> {
        let stretches = self.stretches();
        let blocks = stretches.iter().map(|stretch| Block {
            passage: stretch.passages.last().copied(),
            lines: self.lines(stretch, terminal, width),
        });
        blocks.filter(|block| !block.lines.is_empty()).collect()
    }

    fn stretches(&self) -> Vec<Stretch> {
        let spans = self.spans.iter();
        let mut cuts: Vec<usize> = spans
            .flat_map(|span| [span.begin as usize, span.end as usize])
            .chain([0, self.text.len()])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        let passages = |bytes: &Range<usize>| {
            let spans = self.spans.iter().enumerate();
            let inside = spans.filter(|(_, span)| {
                span.bytes().start <= bytes.start && bytes.end <= span.bytes().end
            });
            inside.map(|(number, _)| number).collect()
        };
        let pairs = cuts.windows(2).map(|pair| pair[0]..pair[1]);
        pairs
            .map(|bytes| Stretch {
                passages: passages(&bytes),
                bytes,
            })
            .collect()
    }

    fn lines(&self, stretch: &Stretch, terminal: &Terminal, width: usize) -> Vec<Line> {
        let mut setter = Setter::new(width);
        let style = stretch
            .passages
            .last()
            .map_or(Style::new(), |&last| colour(last));
        for &passage in &stretch.passages {
            if self.spans[passage].bytes().start == stretch.bytes.start {
                setter.add(colour(passage).bold(), &format!("[{}: ", passage + 1));
            }
        }
        self.add_sentences(stretch, style, terminal, &mut setter);
        for &passage in stretch.passages.iter().rev() {
            if self.spans[passage].bytes().end == stretch.bytes.end {
                // Where passages overlap it is not plain which one ends.
                let end = match stretch.passages.len() {
                    1 => "]".to_string(),
                    _ => format!(" :{}]", passage + 1),
                };
                setter.add(colour(passage).bold(), &end);
            }
        }
        setter.finish()
    }

    fn add_sentences(
        &self,
        stretch: &Stretch,
        style: Style,
        terminal: &Terminal,
        setter: &mut Setter,
    ) {
        let parts = self.parts(&stretch.bytes);
        let ends = match stretch.passages.is_empty() {
            true => ENDS_BETWEEN,
            false => ENDS_IN_PASSAGE,
        };
        // Nothing is gained by leaving out a sentence or two.
        let left_out = match parts.len() > 2 * ends + 2 {
            true => ends..parts.len() - ends,
            false => 0..0,
        };
        for (number, part) in parts.iter().enumerate() {
            if number == left_out.start && !left_out.is_empty() {
                setter.end_line();
                let what = format!("{} sentences", left_out.len());
                setter.add(style.dimmed(), &terminal.left_out(&what));
                setter.end_line();
            }
            if !left_out.contains(&number) {
                let is_last = number + 1 == parts.len();
                self.add_sentence(part, (style, terminal), setter, is_last);
            }
        }
    }

    /// The sentences of a stretch, with what is between each and the next.
    fn parts(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let starts = self
            .sentences
            .iter()
            .map(|sentence| sentence.start as usize);
        let first = self
            .sentences
            .partition_point(|sentence| sentence.start as usize <= bytes.start);
        let inside = starts.skip(first).take_while(|&start| start < bytes.end);
        let mut parts = Vec::new();
        let mut begin = bytes.start;
        for start in inside.chain([bytes.end]) {
            if !self.text[begin..start].trim().is_empty() {
                parts.push(begin..start);
            }
            begin = start;
        }
        parts
    }

    fn add_sentence(
        &self,
        part: &Range<usize>,
        (style, terminal): (Style, &Terminal),
        setter: &mut Setter,
        is_last: bool,
    ) {
        let text = &self.text[part.clone()];
        let said = text.trim_end();
        match ends(said) {
            None => setter.add(style, said),
            Some([first, between, last]) => {
                setter.add(style, first);
                let what = format!("{} characters", between.chars().count());
                setter.add(style.dimmed(), &format!(" {} ", terminal.left_out(&what)));
                setter.add(style, last);
            }
        }
        let after = &text[said.len()..];
        match after.contains('\n') && !is_last {
            true => setter.end_line(),
            false => setter.add(style, after),
        }
    }
}

/// Both ends of a long text, and what is between them.
fn ends(text: &str) -> Option<[&str; 3]> {
    if text.len() <= 2 * ENDS_OF_SENTENCE {
        return None;
    }
    let first = text.char_indices().nth(ENDS_OF_SENTENCE)?.0;
    let last = text.char_indices().nth_back(ENDS_OF_SENTENCE - 1)?.0;
    // The same as for sentences: a little is not left out.
    (first + ENDS_OF_SENTENCE < last).then(|| [&text[..first], &text[first..last], &text[last..]])
}
