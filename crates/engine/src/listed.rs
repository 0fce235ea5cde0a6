//! Only the pairs of a list are compared.
//!
//! In: text with `{"a": id, "b": id}` a line; whatever else a line has is passed over, so that labelled pairs can be named.
//! Out: pairs of records, and what could not be used.

use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::Id;
use lookalike_pair::RecordPair;
use lookalike_pair::spill::Shuffle;
use lookalike_text::hash::hash128;
use lookalike_text::{RecordId, Seed};
use serde::Deserialize;
use std::collections::BTreeMap;

use crate::Error;
use crate::stages::{Context, Units, record_pairs};

#[derive(Deserialize)]
struct Line {
    a: Id,
    b: Id,
}

/// The pairs of a list, and the lines that name none.
pub(crate) struct Listed {
    pub(crate) pairs: Shuffle<RecordPair>,
    pub(crate) rejected: Vec<Rejection>,
}

/// The lines of a list, and what it is called.
#[derive(Debug, Clone)]
pub struct PairList {
    /// What it is called where a line is rejected.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
}

impl PairList {
    /// Changes when the text changes.
    pub(crate) fn fingerprint(&self) -> u128 {
        hash128(&self.bytes, Seed(0))
    }

    /// The lines; none where one is blank.
    fn lines(&self) -> Vec<Option<Result<Line, String>>> {
        let line = |line: &[u8]| {
            let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
            let parsed = || {
                serde_json::from_slice(line).map_err(|problem| {
                    format!("not a pair: {problem}; write {{\"a\": id, \"b\": id}} a line")
                })
            };
            (!line.trim_ascii().is_empty()).then(parsed)
        };
        self.bytes.split(|&byte| byte == b'\n').map(line).collect()
    }
}

/// Reads a list.
pub(crate) fn read(
    context: &Context<'_>,
    units: Units<'_>,
    list: &PairList,
) -> Result<Listed, Error> {
    let lines = list.lines();
    let records = records(units, &lines)?;
    let mut listed = Listed {
        pairs: record_pairs(context, units),
        rejected: Vec::new(),
    };
    let input_records = units.signed.counts.input_records as u32;
    let has_text = |record: RecordId| !units.signed.records.range_of(record.get()).is_empty();
    for (number, line) in (1..).zip(&lines) {
        let Some(line) = line else { continue };
        let found = line.as_ref().map_err(String::clone).and_then(|line| {
            let sides = Sides {
                records: &records,
                against_from: context.corpus.is_against().then_some(input_records),
            };
            sides.pair(line)
        });
        match found {
            // What is empty or was rejected shares nothing.
            Ok(pair) if !has_text(pair.lo()) || !has_text(pair.hi()) => {}
            Ok(pair) => listed.pairs.extend([pair])?,
            Err(reason) => listed.rejected.push(Rejection {
                source: list.name.clone(),
                line: Some(number),
                reason,
            }),
        }
    }
    if let (true, Some(first)) = (context.strict, listed.rejected.first()) {
        return Err(Error::Strict(first.clone()));
    }
    Ok(listed)
}

/// The records with these ids: of the input and of the corpus it is compared with.
type Records<'l> = BTreeMap<&'l Id, [Option<u32>; 2]>;

fn records<'l>(
    units: Units<'_>,
    lines: &'l [Option<Result<Line, String>>],
) -> Result<Records<'l>, Error> {
    let lines = lines.iter().flatten().flatten();
    let mut records: Records<'_> = lines
        .flat_map(|line| [&line.a, &line.b])
        .map(|id| (id, [None; 2]))
        .collect();
    let counts = &units.signed.counts;
    let mut ids = units.signed.ids();
    for record in 0..counts.records as u32 {
        let Ok(id) = serde_json::from_str::<Id>(ids.id(record)?) else {
            // A rejected record has none.
            continue;
        };
        if let Some(sides) = records.get_mut(&id) {
            sides[usize::from(u64::from(record) >= counts.input_records)] = Some(record);
        }
    }
    Ok(records)
}

struct Sides<'l> {
    records: &'l Records<'l>,
    against_from: Option<u32>,
}

impl Sides<'_> {
    fn pair(&self, line: &Line) -> Result<RecordPair, String> {
        let (a, b) = match self.against_from {
            None => (self.record(&line.a, 0)?, self.record(&line.b, 0)?),
            // Whichever way round it is written.
            Some(_) if self.record(&line.b, 0).is_ok() && self.record(&line.a, 1).is_ok() => {
                (self.record(&line.b, 0)?, self.record(&line.a, 1)?)
            }
            Some(_) => (self.record(&line.a, 0)?, self.record(&line.b, 1)?),
        };
        RecordPair::new(RecordId::from(a), RecordId::from(b))
            .ok_or_else(|| format!("{} is paired with itself; name two records", line.a))
    }

    fn record(&self, id: &Id, side: usize) -> Result<u32, String> {
        let known = self.records.get(id).and_then(|sides| sides[side]);
        known.ok_or_else(|| {
            let place = if side == 0 {
                "the input"
            } else {
                "the corpus of `against=`"
            };
            format!("{place} has no record with the id {id}; numbers and strings are different ids")
        })
    }
}
