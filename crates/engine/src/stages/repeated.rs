//! Records whose id had occurred before get another: the second with the id `7` is called `7#2`.
//!
//! In: the hashes of ids. Out: which records are repeated, with their numbers; and the ids of all, in which their new names
//! stand. A name that some record has already is passed over: the next free number is taken.

use std::collections::BTreeSet;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::Plan;
use lookalike_pair::join::RecordPosting;
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_text::hash::hash64;
use lookalike_text::{RecordId, Seed};

use super::sequence::Sequence;
use super::{Context, Signed};
use crate::Error;
use crate::column::{Column, Lists, OfBlock};
use crate::ids::{Ids, Lookup};
use crate::places::Places;
use crate::run::Tolerance;

/// Ids written at a time.
const CHUNK: u32 = 1 << 12;

/// A record whose id had occurred before, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Repeated {
    pub(crate) record: RecordId,
    number: u32,
}

impl Item for Repeated {
    fn place(&self) -> u32 {
        self.record.get()
    }
}

/// Records whose id had occurred before, in input order, and the ids that all are known by.
pub(crate) struct Renamed {
    pub(crate) repeated: Shuffle<Repeated>,
    pub(crate) ids: Ids,
}

/// The seed of what is looked at within each side.
pub(crate) fn side_seed(plan: &Plan, side: usize) -> Seed {
    Seed(plan.background.seed.0.wrapping_add(side as u64))
}

/// The hash by which equal ids are found: that of their text, so that a number and a string that look the same, which are two
/// ids, get different names.
pub(crate) fn hash_of_id(json: &[u8], seed: Seed) -> u64 {
    hash64(text(json), seed)
}

/// Whether an id looks like a name that is given to repeated ones.
pub(crate) fn is_numbered(json: &[u8]) -> bool {
    let text = text(json);
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    digits > 0 && text.len() > digits && text[text.len() - digits - 1] == b'#'
}

/// An id without its quotes.
fn text(json: &[u8]) -> &[u8] {
    let inner = json
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""));
    inner.unwrap_or(json)
}

/// The name of the n-th record with an id, as JSON.
fn name(json: &str, number: u32) -> String {
    let text = json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    format!("\"{}#{number}\"", text.unwrap_or(json))
}

/// Finds the records whose id had occurred before on their side, and names them. Where nothing may be wrong, the first of them
/// ends the run.
pub(crate) fn name_repeated(context: &Context<'_>, signed: &mut Signed) -> Result<(), Error> {
    let mut namer = Namer {
        context,
        signed,
        taken: None,
        repeated: context.by_number("repeated", signed.counts.records as usize, 1),
        first: None,
    };
    namer.find()?;
    let Namer {
        repeated, first, ..
    } = namer;
    let Some((first, second)) = first else {
        return Ok(());
    };
    if context.tolerance == Tolerance::Strict {
        let id = signed.ids().id(first)?.to_string();
        return Err(Error::DuplicateId {
            id,
            first: place_of(context, signed, first)?,
            second: place_of(context, signed, second)?,
        });
    }
    let ids = renamed_ids(context, signed, &repeated)?;
    signed.renamed = Some(Renamed { repeated, ids });
    Ok(())
}

/// Where a record stands, as `file:line`.
fn place_of(context: &Context<'_>, signed: &Signed, record: RecordId) -> Result<String, Error> {
    let (source, line) = Places::new(context.corpus, signed)?.of(record)?;
    Ok(line.map_or(source.clone(), |line| format!("{source}:{line}")))
}

struct Namer<'r> {
    context: &'r Context<'r>,
    signed: &'r Signed,
    /// The hashes of ids that look like given names, once there is one to give.
    taken: Option<BTreeSet<u64>>,
    repeated: Shuffle<Repeated>,
    /// The earliest record that is repeated, after the one that it repeats.
    first: Option<(RecordId, RecordId)>,
}

/// Ids of one text that were met so far: one a number, another a string.
struct Met {
    json: String,
    first: RecordId,
    count: u32,
}

impl Namer<'_> {
    /// Goes through equal hashes.
    fn find(&mut self) -> Result<(), Error> {
        let mut postings = Sequence::of(&self.signed.columns.id_hashes);
        let mut lookup = self.signed.ids();
        let mut last = postings.next()?;
        while let Some(posting) = last {
            let mut next = postings.next()?;
            let is_same = |other: &Option<RecordPosting>| {
                other.is_some_and(|other| other.key() == posting.key())
            };
            if is_same(&next) {
                let mut group = Group::default();
                self.meet(&mut group, posting.record(), &mut lookup)?;
                while let Some(same) = next.filter(|_| is_same(&next)) {
                    self.meet(&mut group, same.record(), &mut lookup)?;
                    next = postings.next()?;
                }
            }
            last = next;
        }
        Ok(())
    }

    /// Counts a record, and names it if its id was met before.
    fn meet(
        &mut self,
        group: &mut Group,
        record: RecordId,
        lookup: &mut Lookup<'_>,
    ) -> Result<(), Error> {
        let json = lookup.id(record)?;
        let Some(met) = group.met.iter_mut().find(|met| met.json == json) else {
            group.met.push(Met {
                json: json.to_string(),
                first: record,
                count: 1,
            });
            return Ok(());
        };
        met.count += 1;
        let earlier = met.first;
        if self.first.is_none_or(|(_, known)| record < known) {
            self.first = Some((earlier, record));
        }
        let mut number = met.count.max(group.last + 1);
        while self.is_taken(&name(&met.json, number), record)? {
            number += 1;
        }
        group.last = number;
        Ok(self.repeated.extend([Repeated { record, number }])?)
    }

    /// Whether a record of the same side has this name for an id.
    fn is_taken(&mut self, name: &str, record: RecordId) -> Result<bool, Error> {
        let is_against = record >= self.signed.first_record_against();
        let side = self.context.corpus.id_side(usize::from(is_against));
        let seed = side_seed(self.context.plan(), side);
        let numbered = &self.signed.columns.numbered_ids;
        if self.taken.is_none() {
            let mut taken = BTreeSet::new();
            numbered.for_each(|posting| {
                taken.insert(posting.key());
                Ok::<_, Error>(())
            })?;
            self.taken = Some(taken);
        }
        let taken = self.taken.as_ref();
        Ok(taken.is_some_and(|taken| taken.contains(&hash_of_id(name.as_bytes(), seed))))
    }
}

#[derive(Default)]
struct Group {
    met: Vec<Met>,
    /// The last number given.
    last: u32,
}

/// The ids of all records with the names of those that are repeated.
fn renamed_ids(
    context: &Context<'_>,
    signed: &Signed,
    repeated: &Shuffle<Repeated>,
) -> Result<Ids, Error> {
    let mut ids = Ids::new("renamed-ids", context.folder, context.budget.percent(2));
    let (mut lookup, mut numbers) = (signed.ids(), Sequence::of(repeated));
    let mut next = numbers.next()?;
    let records = signed.counts.records as u32;
    let mut first = 0;
    while first < records {
        let mut block = Lists::kept_if(true);
        for record in (first..records.min(first + CHUNK)).map(RecordId::from) {
            block.open();
            let id = lookup.id(record)?;
            match next {
                Some(repeated) if repeated.record == record => {
                    let name = name(id, repeated.number);
                    block.fill(|ids| ids.extend_from_slice(name.as_bytes()));
                    next = numbers.next()?;
                }
                _ => block.fill(|ids| ids.extend_from_slice(id.as_bytes())),
            }
        }
        ids.append(&block, first.into())?;
        first += CHUNK;
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_repeated_id_is_a_string() {
        assert_eq!(name("7", 2), "\"7#2\"");
        assert_eq!(name("\"甲\"", 3), "\"甲#3\"");
    }

    #[test]
    fn only_what_ends_in_a_number_may_be_taken() {
        for json in ["\"7#2\"", "\"#2\"", "\"a#2#13\""] {
            assert!(is_numbered(json.as_bytes()), "{json}");
        }
        for json in ["7", "\"72\"", "\"a#\"", "\"a#b\"", "\"\"", "\"a#2 \""] {
            assert!(!is_numbered(json.as_bytes()), "{json}");
        }
    }
}
