//! How pairs and members are written: by ids, with the fields of threads, or as sentences with what changed.

use std::io::Write as _;

use lookalike_pair::Scored;
use lookalike_pair::assemble::Kind;
use lookalike_text::UnitId;

use super::file::Similarity;
use crate::Error;
use crate::ids::Lookup;
use crate::stages::Units;

/// What a job says of pairs and units.
pub(crate) trait Lines: Sync {
    /// A worker that writes lines: one a thread.
    fn writer(&self) -> Result<Box<dyn WriteLines + '_>, Error>;
}

/// Writes lines.
pub(crate) trait WriteLines {
    /// Appends the line of a pair, unless it is of a kind that is not wanted.
    fn pair(&mut self, pair: Scored, out: &mut Vec<u8>) -> Result<Listed, Error>;

    /// Appends what names a cluster by its kept unit.
    fn cluster(&mut self, kept: UnitId, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Appends a member of a cluster.
    fn member(&mut self, unit: UnitId, out: &mut Vec<u8>) -> Result<(), Error>;
}

/// Whether a pair is listed, and of which kind it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) is_wanted: bool,
    /// Where pairs have kinds.
    pub(crate) kind: Option<Kind>,
}

impl Listed {
    pub(crate) const YES: Listed = Listed {
        is_wanted: true,
        kind: None,
    };
}

/// Units are named by the ids of their records.
pub(crate) struct ById<'r> {
    pub(crate) units: Units<'r>,
}

/// What is said by ids.
pub(crate) struct WriteIds<'r> {
    ids: [Lookup<'r>; 2],
}

impl<'r> WriteIds<'r> {
    pub(crate) fn new(units: Units<'r>) -> Self {
        WriteIds {
            ids: [units.signed.ids(), units.signed.ids()],
        }
    }

    /// The beginning of a pair's object, up to its similarity.
    pub(crate) fn begin_pair(&mut self, pair: Scored, out: &mut Vec<u8>) -> Result<(), Error> {
        let [a, b] = &mut self.ids;
        // Writing to a vector cannot fail.
        let _ = write!(
            out,
            "{{\"a\":{},\"b\":{},{}",
            a.id(pair.lo().get())?,
            b.id(pair.hi().get())?,
            Similarity(pair.similarity),
        );
        Ok(())
    }

    pub(crate) fn id(&mut self, unit: UnitId, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(self.ids[0].id(unit.get())?.as_bytes());
        Ok(())
    }
}

impl Lines for ById<'_> {
    fn writer(&self) -> Result<Box<dyn WriteLines + '_>, Error> {
        Ok(Box::new(WriteIds::new(self.units)))
    }
}

impl WriteLines for WriteIds<'_> {
    fn pair(&mut self, pair: Scored, out: &mut Vec<u8>) -> Result<Listed, Error> {
        self.begin_pair(pair, out)?;
        out.extend_from_slice(b"}\n");
        Ok(Listed::YES)
    }

    fn cluster(&mut self, kept: UnitId, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(b"\"cluster\":");
        self.id(kept, out)
    }

    fn member(&mut self, unit: UnitId, out: &mut Vec<u8>) -> Result<(), Error> {
        self.id(unit, out)
    }
}
