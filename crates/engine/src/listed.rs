//! Only the pairs of a list are compared.
//!
//! In: text with `{"a": id, "b": id}` a line; whatever else a line has is passed over, so that labelled pairs can be named.
//! Out: pairs of records, and what could not be used.

use std::collections::BTreeMap;

use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::Id;
use lookalike_pair::RecordPair;
use lookalike_pair::spill::Shuffle;
use lookalike_text::hash::hash128;
use lookalike_text::{RecordId, Seed};
use serde::Deserialize;

use crate::Error;
use crate::run::Tolerance;
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
#[non_exhaustive]
pub struct PairList {
    /// What it is called where a line is rejected.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
}

impl PairList {
    /// A list of this name.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        PairList {
            name: name.into(),
            bytes,
        }
    }

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
    let sides = Sides {
        records: records(units, &lines)?,
        is_against: context.corpus.is_against(),
    };
    let mut listed = Listed {
        pairs: record_pairs(context, units),
        rejected: Vec::new(),
    };
    let has_text = |record: RecordId| units.signed.records.has_units(record);
    for (number, line) in (1..).zip(&lines) {
        let Some(line) = line else { continue };
        let line = line.as_ref().map_err(String::clone);
        match line.and_then(|line| sides.pair(line)) {
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
    if let (true, Some(first)) = (
        context.tolerance == Tolerance::Strict,
        listed.rejected.first(),
    ) {
        return Err(Error::Strict(first.clone()));
    }
    Ok(listed)
}

/// The records with these ids: of the input and of the corpus it is compared with.
type Records<'l> = BTreeMap<&'l Id, [Option<RecordId>; 2]>;

fn records<'l>(
    units: Units<'_>,
    lines: &'l [Option<Result<Line, String>>],
) -> Result<Records<'l>, Error> {
    let lines = lines.iter().flatten().flatten();
    let mut records: Records<'_> = lines
        .flat_map(|line| [&line.a, &line.b])
        .map(|id| (id, [None; 2]))
        .collect();
    let signed = units.signed;
    let mut ids = signed.ids();
    for record in signed.all_records() {
        let Ok(id) = serde_json::from_str::<Id>(ids.id(record)?) else {
            // A rejected record has none.
            continue;
        };
        if let Some(sides) = records.get_mut(&id) {
            sides[usize::from(record >= signed.first_record_against())] = Some(record);
        }
    }
    Ok(records)
}

struct Sides<'l> {
    records: Records<'l>,
    is_against: bool,
}

impl Sides<'_> {
    fn pair(&self, line: &Line) -> Result<RecordPair, String> {
        let other_side = usize::from(self.is_against);
        let pair = |a, b| Ok::<_, String>((self.record(a, 0)?, self.record(b, other_side)?));
        // Whichever way round it is written.
        let (a, b) = match pair(&line.b, &line.a) {
            Ok(found) if self.is_against => found,
            _ => pair(&line.a, &line.b)?,
        };
        RecordPair::new(a, b)
            .ok_or_else(|| format!("{} is paired with itself; name two records", line.a))
    }

    fn record(&self, id: &Id, side: usize) -> Result<RecordId, String> {
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
