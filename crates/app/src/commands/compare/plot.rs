//! The dot plot of two texts: sentences of the first across, of the second down, a dot where two say the same and a
//! diagonal for each passage, scaled to fit.
//!
//! A character is a cell. In braille it has two by four points; in ASCII it is one.

use std::fmt::Write as _;

use anstyle::Style;
use lookalike::kernel::TwoPages;
use lookalike::pair::assemble::alignment::Span;

use crate::screen::terminal::{Terminal, colour};
use crate::screen::thousands;

/// The largest plot, in cells.
const MOST_COLUMNS: usize = 64;
const MOST_ROWS: usize = 20;
/// Short texts are drawn with so many points a sentence, at most.
const MOST_SCALE: usize = 4;
/// What is left of the plot: the numbers of sentences.
const MARGIN: usize = 9;

/// Points drawn in cells.
struct Canvas {
    points: [usize; 2],
    /// How many points a cell has across and down.
    cell: [usize; 2],
    sentences: [usize; 2],
    cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// The bits of its points, as braille numbers them.
    dots: u8,
    passage: Option<usize>,
}

/// The plot, with its frame.
pub(super) fn plot(pages: &TwoPages, terminal: &Terminal) -> String {
    let sentences = [&pages.a, &pages.b].map(|page| page.sentences.len().max(1));
    let mut canvas = Canvas::new(sentences, terminal);
    for &(a, b, _) in &pages.dots {
        canvas.dot(a as usize, b as usize);
    }
    for (number, passage) in pages.passages.iter().enumerate() {
        canvas.diagonal(number, [passage.a.span, passage.b.span]);
    }
    canvas.framed(terminal)
}

impl Canvas {
    fn new(sentences: [usize; 2], terminal: &Terminal) -> Self {
        let cell = if terminal.ascii { [1, 1] } else { [2, 4] };
        let columns = MOST_COLUMNS.min(terminal.width - MARGIN - 2);
        let most = [columns, MOST_ROWS];
        let points = [0, 1].map(|axis| {
            let wanted = (sentences[axis] * MOST_SCALE).div_ceil(cell[axis]);
            // Cells are twice as high as wide.
            let wanted = if terminal.ascii && axis == 1 {
                wanted / 2
            } else {
                wanted
            };
            wanted.clamp(4, most[axis]) * cell[axis]
        });
        let count = points[0] / cell[0] * (points[1] / cell[1]);
        Canvas {
            points,
            cell,
            sentences,
            cells: vec![Cell::default(); count],
        }
    }

    fn columns(&self) -> usize {
        self.points[0] / self.cell[0]
    }

    fn set(&mut self, [x, y]: [usize; 2], passage: Option<usize>) {
        let [width, height] = self.cell;
        let at = y / height * self.columns() + x / width;
        let (x, y) = (x % width, y % height);
        // Braille counts three points down, then three down on the right, then the last row.
        let bit = if y == 3 { 6 + x } else { 3 * x + y };
        self.cells[at].dots |= 1 << bit;
        if self.cells[at].passage.is_none() {
            self.cells[at].passage = passage;
        }
    }

    fn dot(&mut self, a: usize, b: usize) {
        let middle = |axis: usize, sentence: usize| {
            let place = (2 * sentence + 1) * self.points[axis] / (2 * self.sentences[axis]);
            place.min(self.points[axis] - 1)
        };
        let point = [middle(0, a), middle(1, b)];
        self.set(point, None);
    }

    /// A line from the beginning of a passage to its end.
    fn diagonal(&mut self, passage: usize, sides: [Span; 2]) {
        let ends = [0, 1].map(|axis| {
            let side = &sides[axis];
            let scaled = |sentence: usize| sentence * self.points[axis] / self.sentences[axis];
            let first = scaled(side.first_sentence as usize).min(self.points[axis] - 1);
            let end = scaled((side.first_sentence + side.sentences) as usize);
            [first, end.clamp(first + 1, self.points[axis]) - 1]
        });
        let steps = ends.iter().map(|[first, last]| last - first).max();
        let steps = steps.unwrap_or_default();
        for step in 0..=steps {
            let point = ends.map(|[first, last]| first + (last - first) * step / steps.max(1));
            self.set(point, Some(passage));
        }
    }

    fn framed(&self, terminal: &Terminal) -> String {
        let columns = self.columns();
        let rows = self.cells.len() / columns;
        let frame: [&str; 6] = match terminal.ascii {
            true => ["+", "+", "+", "+", "-", "|"],
            false => ["┌", "┐", "└", "┘", "─", "│"],
        };
        let [across, down] = self.sentences.map(|count| thousands(count as u64));
        let border = frame[4].repeat(columns);
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{:MARGIN$}A: sentences 1 to {across}", "");
        let _ = writeln!(page, "{:>8} {}{border}{}", "B: 1", frame[0], frame[1]);
        for (number, row) in self.cells.chunks(columns).enumerate() {
            let label = if number + 1 == rows {
                down.as_str()
            } else {
                ""
            };
            let _ = write!(page, "{label:>8} {}", frame[5]);
            for cells in row.chunk_by(|one, other| one.style() == other.style()) {
                let style = cells[0].style();
                let drawn: String = cells
                    .iter()
                    .map(|cell| cell.drawn(terminal.ascii))
                    .collect();
                let _ = write!(page, "{style}{drawn}{style:#}");
            }
            let _ = writeln!(page, "{}", frame[5]);
        }
        let _ = writeln!(page, "{:MARGIN$}{}{border}{}", "", frame[2], frame[3]);
        page
    }
}

impl Cell {
    fn style(self) -> Style {
        match self.passage {
            Some(passage) => colour(passage).bold(),
            None if self.dots > 0 => Style::new().dimmed(),
            None => Style::new(),
        }
    }

    fn drawn(self, ascii: bool) -> char {
        match (self.dots, self.passage) {
            (0, _) => ' ',
            (dots, _) if !ascii => char::from_u32(0x2800 + u32::from(dots)).unwrap_or('*'),
            (_, None) => '.',
            // Passages have more numbers than there are digits.
            (_, Some(passage @ 0..9)) => char::from_digit(passage as u32 + 1, 10).unwrap_or('#'),
            (_, Some(_)) => '#',
        }
    }
}
