//! `lookalike compare A B --passages`: both texts with what they share, a table of it, and a dot plot.

use std::fmt::Write as _;

use lookalike::kernel::{Align, CommonPassage, PassageSide, PassagesSpec, TwoPages};
use lookalike::pair::assemble::alignment::{Relation, Shared};
use serde_json::json;

use super::marked::{Block, MarkedText};
use super::plot::plot;
use crate::screen::terminal::{Terminal, colour};
use crate::screen::{counted, safe};

/// From this width on the texts are shown side by side.
const SIDE_BY_SIDE: usize = 90;

/// Two texts that were compared.
#[derive(Debug)]
pub(super) struct Compared<'c> {
    /// Their files, unless they were given as they are.
    pub(super) names: [Option<&'c str>; 2],
    pub(super) texts: [&'c str; 2],
    pub(super) pages: &'c TwoPages,
    pub(super) spec: &'c PassagesSpec,
}

impl Compared<'_> {
    /// All that is shown.
    pub(super) fn page(&self, terminal: &Terminal) -> String {
        let mut page = self.heading();
        let Some(shared) = &self.pages.shared else {
            page += &self.nothing_shared();
            if !self.pages.dots.is_empty() {
                page += "\nSentences that are alike:\n\n";
                page += &plot(self.pages, terminal);
            }
            return page;
        };
        page.push('\n');
        page += &self.texts(terminal);
        page.push('\n');
        page += &self.table(terminal);
        page.push('\n');
        page += &coverage(shared);
        page.push('\n');
        page += &plot(self.pages, terminal);
        page
    }

    /// The same for programs: places count characters.
    pub(super) fn object(&self) -> serde_json::Value {
        let side = |side: &PassageSide, text: &str| {
            let said = text.chars().skip(side.characters.start as usize);
            let said: String = said.take(side.characters.len()).collect();
            json!({"begin": side.characters.start, "end": side.characters.end, "words": side.words, "text": said})
        };
        let passages = self.pages.passages.iter().map(|passage| {
            let [a, b] = self.texts;
            json!({"a": side(&passage.a, a), "b": side(&passage.b, b), "similarity": passage.similarity})
        });
        let passages: Vec<serde_json::Value> = passages.collect();
        match &self.pages.shared {
            Some(shared) => json!({
                "relation": shared.relation.name(),
                "similarity": shared.similarity,
                "covered_a": shared.covered_a,
                "covered_b": shared.covered_b,
                "passages": passages,
            }),
            None => {
                json!({"relation": null, "similarity": 0.0, "covered_a": 0.0, "covered_b": 0.0, "passages": []})
            }
        }
    }

    fn heading(&self) -> String {
        let mut page = String::new();
        for (side, name) in self.names.iter().enumerate() {
            let known = [&self.pages.a, &self.pages.b][side];
            let name = safe(name.unwrap_or("text"));
            // Writing to a string cannot fail.
            let _ = writeln!(
                page,
                "{}  {name}: {}, {}, {}",
                ["A", "B"][side],
                counted(known.sentences.len() as u64, "sentence"),
                counted(known.words.into(), "word"),
                counted(self.texts[side].chars().count() as u64, "character"),
            );
        }
        page
    }

    fn nothing_shared(&self) -> String {
        let least = counted(self.spec.least_sentences.into(), "sentence");
        match self.spec.align {
            Align::Words => format!(
                "\nThe texts share no passage of {least} or {}; --min-sentences and --min-words find shorter ones.\n",
                counted(self.spec.least_words.into(), "word")
            ),
            Align::Sentences => format!(
                "\nThe texts share no passage of {least}; --min-sentences finds shorter ones, and a lower --threshold less similar ones.\n"
            ),
        }
    }

    fn texts(&self, terminal: &Terminal) -> String {
        let is_wide = terminal.width >= SIDE_BY_SIDE;
        let width = match is_wide {
            true => (terminal.width - 3) / 2,
            false => terminal.width,
        };
        let passages = &self.pages.passages;
        let blocks = |side: usize| {
            let spans = passages
                .iter()
                .map(|passage| [&passage.a, &passage.b][side].span);
            let marked = MarkedText {
                text: self.texts[side],
                sentences: &[&self.pages.a, &self.pages.b][side].sentences,
                spans: spans.collect(),
            };
            marked.blocks(terminal, width)
        };
        let (a, b) = (blocks(0), blocks(1));
        if is_wide {
            side_by_side(&a, &b, width, terminal)
        } else {
            one_after_the_other(&a, &b)
        }
    }

    fn table(&self, terminal: &Terminal) -> String {
        let title = "passage  similarity";
        let side = |name: &str| format!(" {name:>13} {:>9} {:>5}", "sentences", "words");
        let mut page = format!(
            "{title}{}{}\n",
            side("A: characters"),
            side("B: characters")
        );
        for (number, passage) in self.pages.passages.iter().enumerate() {
            let CommonPassage { a, b, similarity } = passage;
            let style = colour(number);
            let name = format!("[{}]", number + 1);
            let _ = writeln!(
                page,
                "{style}{name:<7}{style:#}  {similarity:>10.4}{}{}",
                place(a, terminal),
                place(b, terminal)
            );
        }
        page
    }
}

fn place(side: &PassageSide, terminal: &Terminal) -> String {
    let characters = format!(
        "{}{}{}",
        side.characters.start,
        terminal.dash(),
        side.characters.end
    );
    format!(
        " {characters:>13} {:>9} {:>5}",
        side.span.sentences, side.words
    )
}

fn coverage(shared: &Shared) -> String {
    let relation = match shared.relation {
        Relation::NearDuplicate => "nearly all of each is in the other",
        Relation::Contains => "nearly all of B is in A",
        Relation::Contained => "nearly all of A is in B",
        Relation::Quotes => "they share a part",
        Relation::Boilerplate => "they share only what is common",
    };
    format!(
        "covered     {:.1}% of the words of A, {:.1}% of those of B\nsimilarity  {:.4}\nrelation    {}: {relation}\n",
        100.0 * shared.covered_a,
        100.0 * shared.covered_b,
        shared.similarity,
        shared.relation,
    )
}

fn one_after_the_other(a: &[Block], b: &[Block]) -> String {
    let mut page = String::new();
    for (name, blocks) in [("A", a), ("B", b)] {
        if !page.is_empty() {
            page.push('\n');
        }
        page += name;
        page.push('\n');
        for line in blocks.iter().flat_map(|block| &block.lines) {
            line.write(&mut page, 0);
            page.push('\n');
        }
    }
    page
}

/// Both texts in columns; the sides of a passage begin on the same line if both texts have all in the same order.
fn side_by_side(a: &[Block], b: &[Block], width: usize, terminal: &Terminal) -> String {
    let bar = if terminal.ascii { '|' } else { '│' };
    let order = |blocks: &[Block]| -> Vec<usize> {
        blocks.iter().filter_map(|block| block.passage).collect()
    };
    let mut page = format!("{:<width$} {bar} B\n", "A");
    let (mut a, mut b) = (a, b);
    if order(a) == order(b) {
        while !a.is_empty() || !b.is_empty() {
            for is_passage in [false, true] {
                let rows = [next(&mut a, is_passage), next(&mut b, is_passage)];
                write_rows(&mut page, rows, width, bar);
            }
        }
    } else {
        write_rows(&mut page, [a, b], width, bar);
    }
    page
}

/// Takes the next block, if it is a passage, or if it is none.
fn next<'b>(blocks: &mut &'b [Block], is_passage: bool) -> &'b [Block] {
    match blocks.split_first() {
        Some((first, rest)) if first.passage.is_some() == is_passage => {
            *blocks = rest;
            std::slice::from_ref(first)
        }
        _ => &[],
    }
}

fn write_rows(page: &mut String, sides: [&[Block]; 2], width: usize, bar: char) {
    let [mut left, mut right] = sides.map(|blocks| blocks.iter().flat_map(|block| &block.lines));
    loop {
        let (a, b) = (left.next(), right.next());
        match a {
            Some(line) => line.write(page, width),
            None if b.is_some() => *page += &" ".repeat(width),
            None => return,
        }
        page.push(' ');
        page.push(bar);
        if let Some(line) = b {
            page.push(' ');
            line.write(page, 0);
        }
        page.push('\n');
    }
}
