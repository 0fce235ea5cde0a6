//! Which record a unit is part of.

use lookalike_pair::spill::Spool;
use lookalike_text::{RecordId, UnitId};

use crate::Error;
use crate::bits::{Bits, Ranked};
use crate::number::Number;

/// Which record a unit is part of.
#[derive(Debug)]
pub(crate) enum Records {
    /// Every record is a unit.
    Whole,
    /// Records are split into any number of units: a bit per unit, and four bytes per record, stay resident.
    Split {
        /// The first units of the records that have any.
        starts: Ranked<UnitId>,
        /// These records.
        records: Vec<RecordId>,
        /// The number of units.
        units: u32,
    },
}

impl Records {
    /// From how many units each record has.
    pub(crate) fn of_counts(counts: &Spool<u32>) -> Result<Self, Error> {
        let counts = counts.read_all()?;
        let units: u32 = counts.iter().sum();
        let mut starts = Bits::new(units as usize + 1);
        let (mut records, mut unit) = (Vec::new(), 0);
        for (&count, record) in counts.iter().zip(0..) {
            if count > 0 {
                starts.insert(UnitId::from(unit));
                records.push(RecordId::from(record));
                unit += count;
            }
        }
        Ok(Records::Split {
            starts: Ranked::new(starts),
            records,
            units,
        })
    }

    /// The record of a unit.
    pub(crate) fn of(&self, unit: UnitId) -> RecordId {
        match self {
            Records::Whole => RecordId::from(unit.get()),
            Records::Split {
                starts, records, ..
            } => records[starts.place(unit.plus(1)) - 1],
        }
    }

    /// Whether two units, the second of which is not before the first, are of one record.
    pub(crate) fn same(&self, first: UnitId, second: UnitId) -> bool {
        match self {
            Records::Whole => first == second,
            Records::Split { starts, .. } => {
                let between = second.get() - first.get();
                !starts.bits().any(first.plus(1), between)
            }
        }
    }

    /// The units of a record.
    pub(crate) fn units_of(&self, record: RecordId) -> impl ExactSizeIterator<Item = UnitId> {
        let units = match self {
            Records::Whole => record.get()..record.get() + 1,
            Records::Split {
                starts,
                records,
                units,
            } => match records.binary_search(&record) {
                Ok(place) => {
                    let begin = |place| starts.member(place).map_or(*units, UnitId::get);
                    begin(place)..begin(place + 1)
                }
                Err(_) => 0..0,
            },
        };
        units.map(UnitId::from)
    }

    /// Whether a record has any.
    pub(crate) fn has_units(&self, record: RecordId) -> bool {
        self.units_of(record).len() > 0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_pair::spill::Folder;

    use super::*;

    #[test]
    fn a_unit_knows_its_record_also_behind_records_without_units() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path(), 0));
        let counts = [0, 3, 1, 0, 0, 130, 2, 0];
        let mut spool = Spool::new("counts", &folder, 0);
        spool.append(&counts).unwrap();
        let records = Records::of_counts(&spool).unwrap();
        let expected: Vec<RecordId> = (0u32..)
            .zip(counts)
            .flat_map(|(record, count)| std::iter::repeat_n(record.into(), count as usize))
            .collect();
        let units: Vec<UnitId> = (0..136).map(UnitId::from).collect();
        assert!(
            units
                .iter()
                .map(|&unit| records.of(unit))
                .eq(expected.iter().copied())
        );
        for (place, &a) in units.iter().enumerate() {
            for &b in &units[place..] {
                let same = expected[a.index()] == expected[b.index()];
                assert_eq!(records.same(a, b), same, "{a} {b}");
            }
        }
        let all = (0..8).map(|record| records.units_of(record.into()));
        assert!(all.clone().map(|units| units.len() as u32).eq(counts));
        assert!(all.flatten().eq(units));
    }
}
