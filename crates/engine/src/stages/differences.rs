//! Tell in what the records of a pair differ, and which pairs therefore take nothing.
//!
//! In: scored pairs. Out: those of records of which none can stand for the other. The texts of all records in pairs are read
//! again, once; they and what differs stay at hand for whoever lists the pairs.

use std::ops::Range;

use lookalike_kernel::Pairs;
use lookalike_pair::assemble::{Difference, RecordChange, RecordComparer};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::workers::in_order;
use lookalike_pair::{Pair, Scored};
use lookalike_text::{Unit, UnitId};

use super::known_changes::{Block, Cursor, KnownChanges};
use super::reread::Reread;
use super::sequence::Sequence;
use super::store::{Store, Window};
use super::verify::Verified;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

/// Pairs looked at in one piece of work.
const CHUNK: usize = 1024;

/// The texts of records, field by field, and what is known to be between some of them.
pub(crate) struct RecordTexts {
    texts: Store<UnitId, u8>,
    known: Option<KnownChanges>,
}

impl RecordTexts {
    /// Those of these units.
    pub(crate) fn read(
        context: &Context<'_>,
        units: Units<'_>,
        wanted: &Bits<UnitId>,
    ) -> Result<Self, Error> {
        Self::read_as(context, units, wanted, keep_fields)
    }

    /// Those of these units, each as one field.
    pub(crate) fn read_whole(
        context: &Context<'_>,
        units: Units<'_>,
        wanted: &Bits<UnitId>,
    ) -> Result<Self, Error> {
        Self::read_as(context, units, wanted, keep_whole)
    }

    fn read_as(
        context: &Context<'_>,
        units: Units<'_>,
        wanted: &Bits<UnitId>,
        keep: fn(&Unit<'_>, &mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let reread = Reread::of(context, units.signed, wanted)?;
        Ok(RecordTexts {
            texts: Store::read(&reread, || Ok(keep))?,
            known: None,
        })
    }

    /// What a unit says whose text is one field.
    pub(crate) fn text<'t>(
        &'t self,
        unit: UnitId,
        window: &'t mut Window<u8>,
    ) -> Result<&'t str, Error> {
        let kept = self.texts.get(unit, window)?;
        Ok(only_field(kept).unwrap_or_default())
    }

    /// What tells in what they differ: one a thread.
    pub(crate) fn differences(&self, context: &Context<'_>) -> Differences<'_> {
        Differences {
            texts: self,
            cursor: Cursor::default(),
            comparer: context.kernel.record_comparer(),
            left: Window::default(),
            right: Window::default(),
        }
    }
}

/// Keeps the fields of a unit, or all its text where there are none.
fn keep_fields(unit: &Unit<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    if unit.fields.is_empty() {
        return keep_whole(unit, out);
    }
    keep_parts(unit, unit.fields, out);
    Ok(())
}

/// Keeps all the text as one field.
fn keep_whole(unit: &Unit<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let whole = 0..unit.text.len();
    keep_parts(unit, std::slice::from_ref(&whole), out);
    Ok(())
}

/// Keeps how many fields there are, where each ends, and all that they say.
fn keep_parts(unit: &Unit<'_>, fields: &[Range<usize>], out: &mut Vec<u8>) {
    out.extend_from_slice(&(fields.len() as u32).to_le_bytes());
    let texts = || {
        let texts = fields.iter().map(|field| unit.text.get(field.clone()));
        texts.map(Option::unwrap_or_default)
    };
    let mut end = 0;
    for text in texts() {
        end += text.len() as u32;
        out.extend_from_slice(&end.to_le_bytes());
    }
    texts().for_each(|text| out.extend_from_slice(text.as_bytes()));
}

/// What [`keep_whole`] kept.
fn only_field(kept: &[u8]) -> Option<&str> {
    let (_, rest) = kept.split_first_chunk::<4>()?;
    let (_, text) = rest.split_first_chunk::<4>()?;
    str::from_utf8(text).ok()
}

/// What [`keep_parts`] kept.
fn fields(kept: &[u8]) -> Vec<&str> {
    let Some((count, rest)) = kept.split_first_chunk() else {
        return Vec::new();
    };
    let count = u32::from_le_bytes(*count) as usize;
    let Some((ends, text)) = rest.split_at_checked(4 * count) else {
        return Vec::new();
    };
    let (ends, _) = ends.as_chunks();
    let mut begin = 0;
    let mut field = |end: &[u8; 4]| {
        let end = u32::from_le_bytes(*end) as usize;
        let text = text.get(begin..end).map(str::from_utf8);
        begin = end;
        text.and_then(Result::ok).unwrap_or_default()
    };
    ends.iter().map(&mut field).collect()
}

/// Tells in what records differ.
pub(crate) struct Differences<'t> {
    texts: &'t RecordTexts,
    cursor: Cursor,
    comparer: RecordComparer,
    left: Window<u8>,
    right: Window<u8>,
}

impl Differences<'_> {
    /// In what two units differ that stand for themselves.
    pub(crate) fn kind(&mut self, pair: Pair) -> Result<Difference, Error> {
        let a = fields(self.texts.texts.get(pair.lo(), &mut self.left)?);
        let b = fields(self.texts.texts.get(pair.hi(), &mut self.right)?);
        Ok(self.comparer.kind(&a, &b))
    }

    /// The same with the words that differ.
    pub(crate) fn change(&mut self, a: UnitId, b: UnitId) -> Result<RecordChange, Error> {
        // Of a pair the other way round the words are mirrored.
        if a < b
            && let Some(known) = &self.texts.known
            && let Some(pair) = Pair::new(a, b)
            && let Some(change) = self.cursor.find(known, pair)?
        {
            return Ok(change);
        }
        let a = fields(self.texts.texts.get(a, &mut self.left)?);
        let b = fields(self.texts.texts.get(b, &mut self.right)?);
        Ok(self.comparer.compare(&a, &b))
    }
}

/// The units that stand for those in listed pairs.
pub(crate) fn units_in_pairs(
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Bits<UnitId>, Error> {
    let mut members = Bits::new(units.count());
    let mut add = |unit: UnitId| members.insert(unit);
    scored.for_each(|pair| {
        add(pair.lo());
        add(pair.hi());
        Ok::<_, Error>(())
    })?;
    units.groups.with_copies().for_each(add);
    Ok(members)
}

/// Finds the pairs that take nothing, unless that is known, and hands out the texts by which they were found.
pub(crate) fn hold(
    context: &Context<'_>,
    units: Units<'_>,
    verified: &mut Verified,
) -> Result<Option<RecordTexts>, Error> {
    if !context.spec().holds_some() || verified.counts.held_known {
        return Ok(None);
    }
    let wanted = units_in_pairs(units, &verified.scored)?;
    let mut texts = RecordTexts::read(context, units, &wanted)?;
    let mut known = KnownChanges::new(context);
    let is_listed = context.spec().pairs != Pairs::None;
    let mut chunks = Sequence::of(&verified.scored);
    in_order(
        context.threads,
        || Ok((texts.differences(context), Vec::new())),
        |(_, pairs): &mut (Differences<'_>, Vec<Scored>)| chunks.next_chunk(pairs, CHUNK),
        |(differences, pairs)| {
            let (mut held, mut block) = (Vec::new(), Block::default());
            for pair in pairs.iter().map(|pair| pair.pair()) {
                let kind = if is_listed {
                    let change = differences.change(pair.lo(), pair.hi())?;
                    block.push(pair, &change);
                    change.kind
                } else {
                    differences.kind(pair)?
                };
                if !context.spec().removes(kind) {
                    held.push(pair);
                }
            }
            Ok((held, pairs.first().map(|pair| pair.pair()), block))
        },
        |(held, first, block)| {
            verified.held.extend(held)?;
            if let Some(first) = first.filter(|_| is_listed) {
                known.add(first, &block)?;
            }
            context.go_on()
        },
    )?;
    texts.known = is_listed.then_some(known);
    verified.counts.held_known = true;
    Ok(Some(texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_kept_as_they_are() {
        let (text, places) = ("titel\n\n答案", [0..5, 6..6, 7..13]);
        let unit = Unit {
            fields: &places,
            ..Unit::whole(UnitId::from(3), text)
        };
        let mut kept = Vec::new();
        keep_fields(&unit, &mut kept).unwrap();
        assert_eq!(fields(&kept), ["titel", "", "答案"]);
        kept.clear();
        keep_fields(&Unit::whole(UnitId::from(3), text), &mut kept).unwrap();
        assert_eq!(fields(&kept), [text]);
        assert_eq!(only_field(&kept), Some(text));
        assert!(fields(&kept[..3]).is_empty());
    }
}
