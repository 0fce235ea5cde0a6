//! What stands in the slots of a frame.

use std::cmp::Reverse;
use std::ops::Range;

use lookalike_text::Seed;
use lookalike_text::hash::{Table, hash128};

use super::frame::Frame;
use super::worded::{Reader, Worded};
use super::{Slot, SlotValue, Template};

/// So many different values of a template are told apart, so that they take no more than some 20 MB; what comes later is
/// counted nowhere.
const MOST_VALUES: usize = 300_000;

/// What stands between the words of a frame.
pub(super) struct Values {
    gaps: Vec<Gap>,
    /// All that are told apart, and where each is.
    values: Vec<Value>,
    numbers: Table<u32>,
    /// Who has the frame.
    pub(super) variants: Vec<u32>,
    /// How many texts these stand for.
    texts: u64,
}

/// A place before, between or after the words of a frame.
#[derive(Clone, Default)]
struct Gap {
    /// How many texts have something there,
    filled: u64,
    /// and the first variant that has not.
    empty: Option<u32>,
    /// What is before and after it where it is filled first.
    around: [String; 2],
}

/// What stands in a gap.
struct Value {
    hash: u128,
    count: u64,
    gap: u32,
    /// The first variant that has it, and the bytes there.
    variant: u32,
    begin: u32,
    end: u32,
}

impl Values {
    pub(super) fn new(words: usize) -> Self {
        Values {
            gaps: vec![Gap::default(); words + 1],
            values: Vec::new(),
            numbers: Table::default(),
            variants: Vec::new(),
            texts: 0,
        }
    }

    /// Adds a variant, of which there are so many copies, with the gaps that it fills, in order.
    pub(super) fn add(&mut self, text: &Worded, copies: u64, filled: Vec<(usize, Range<usize>)>) {
        self.variants.push(text.variant);
        self.texts += copies;
        let mut next = 0;
        for (number, words) in filled {
            self.leave_empty(next..number, text.variant);
            next = number + 1;
            let gap = &mut self.gaps[number];
            if gap.filled == 0 {
                gap.around = text.around(&words).map(str::to_owned);
            }
            gap.filled += copies;
            self.count(number as u32, text, text.source(&words), copies);
        }
        self.leave_empty(next..self.gaps.len(), text.variant);
    }

    fn leave_empty(&mut self, gaps: Range<usize>, variant: u32) {
        for gap in &mut self.gaps[gaps] {
            gap.empty.get_or_insert(variant);
        }
    }

    fn count(&mut self, gap: u32, text: &Worded, source: Range<usize>, copies: u64) {
        let written = text.text.get(source.clone()).unwrap_or_default();
        let hash = hash128(written.as_bytes(), Seed(u64::from(gap)));
        let Values {
            values, numbers, ..
        } = self;
        numbers.make_room(|&number| values[number as usize - 1].hash as u64);
        let is_it = |&number: &u32| values[number as usize - 1].hash == hash;
        if values.len() >= MOST_VALUES {
            if let Some(&number) = numbers.get(hash as u64, is_it) {
                values[number as usize - 1].count += copies;
            }
            return;
        }
        let new = values.len() as u32 + 1;
        let (&mut number, is_new) = numbers.get_or_put(hash as u64, is_it, new);
        if is_new {
            values.push(Value {
                hash,
                count: 0,
                gap,
                variant: text.variant,
                begin: source.start as u32,
                end: source.end as u32,
            });
        }
        values[number as usize - 1].count += copies;
    }

    /// The template of this frame, whose first text is given; `reader` and `read` tell the text of a variant again.
    pub(super) fn template<E>(
        mut self,
        (first, frame): (&Worded, &Frame),
        reader: &mut Reader,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<Template, E> {
        let text = self.text(first, frame);
        // Equally frequent ones stay as they came.
        self.values
            .sort_by_key(|value| (value.gap, Reverse(value.count), value.variant));
        let mut slots = Vec::new();
        let mut rest = self.values.as_slice();
        for (number, gap) in (0..).zip(&self.gaps) {
            let (values, after) = rest.split_at(rest.partition_point(|value| value.gap == number));
            rest = after;
            if gap.filled > 0 {
                slots.push(self.slot((gap, values), reader, read)?);
            }
        }
        Ok(Template {
            text,
            slots,
            variants: self.variants,
        })
    }

    fn slot<E>(
        &self,
        (gap, values): (&Gap, &[Value]),
        reader: &mut Reader,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<Slot, E> {
        let mut listed = Vec::with_capacity(values.len() + 1);
        for value in values {
            let text = reader.text(value.variant, read)?;
            let written = text.get(value.begin as usize..value.end as usize);
            listed.push(SlotValue {
                text: written.unwrap_or_default().to_owned(),
                count: value.count,
            });
        }
        if let Some(variant) = gap.empty {
            let count = self.texts - gap.filled;
            let is_before =
                |value: &Value| (Reverse(value.count), value.variant) < (Reverse(count), variant);
            let empty = SlotValue {
                text: String::new(),
                count,
            };
            listed.insert(values.partition_point(is_before), empty);
        }
        Ok(Slot { values: listed })
    }

    /// The frame as it is written in the first text, with its slots.
    fn text(&self, first: &Worded, frame: &Frame) -> String {
        let mut text = String::new();
        let (mut slots, mut begin) = (0, 0);
        let filled = frame.own_gaps(first);
        for (number, gap) in self.gaps.iter().enumerate() {
            let word = frame.words.get(number);
            let end = word.map_or(first.text.len(), |word| word.source.start);
            if gap.filled == 0 {
                push_doubling(&mut text, first.text.get(begin..end));
            } else {
                slots += 1;
                let own = filled.iter().find(|(filled, _)| *filled == number);
                let own = own.map(|(_, words)| first.around(words));
                let [before, after] = own.unwrap_or([&gap.around[0], &gap.around[1]]);
                push_doubling(&mut text, Some(before));
                text.push_str(&format!("{{{slots}}}"));
                push_doubling(&mut text, Some(after));
            }
            if let Some(word) = word {
                // A character that makes several words stands there once.
                let source = word.source.start.max(begin)..word.source.end;
                push_doubling(&mut text, first.text.get(source));
                begin = word.source.end;
            }
        }
        text.trim().to_owned()
    }
}

/// Appends what is written, if anything, with every brace twice.
fn push_doubling(text: &mut String, written: Option<&str>) {
    let written = written.unwrap_or_default();
    if !written.bytes().any(|byte| matches!(byte, b'{' | b'}')) {
        return text.push_str(written);
    }
    for c in written.chars() {
        text.push(c);
        if matches!(c, '{' | '}') {
            text.push(c);
        }
    }
}
