//! How pairs and clusters become rows: by ids, with the fields of threads, or as sentences with what changed.

use std::borrow::Cow;

use lookalike_kernel::rows::{IdRef, LostAnswers, RecordCluster, RecordPair, Row, Shape};
use lookalike_pair::Scored;
use lookalike_pair::assemble::{Difference, Kind};
use lookalike_pair::workers::Pulled;
use lookalike_text::{RecordId, UnitId};

use crate::Error;
use crate::ids::Lookup;
use crate::records::Records;
use crate::sink::Encoder;
use crate::stages::{Assembled, RecordTexts, Signed, Units};

/// What a job says of pairs and clusters.
pub(crate) trait UnitRows: Sync {
    /// What the rows of pairs are,
    fn pair_shape(&self) -> Shape;

    /// and those of clusters.
    fn cluster_shape(&self) -> Shape;

    /// Whether it wants to know all pairs before rows are made of them,
    fn looks_back(&self) -> bool {
        false
    }

    /// and learns of them what rows are to say.
    fn look_back(&mut self, _pairs: NextPairs<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Makes the rows: one a thread.
    fn maker(&self) -> Result<Box<dyn MakeRows + '_>, Error>;

    /// The texts of all that is in pairs, where they are at hand as one field each.
    fn texts(&self) -> Option<&RecordTexts> {
        None
    }

    /// What is lost with what is removed, where that is told.
    fn lost_answers(&self, _assembled: &Assembled) -> Result<Option<LostAnswers>, Error> {
        Ok(None)
    }
}

/// Fetches the next pairs, some at a time.
pub(crate) type NextPairs<'p> =
    &'p mut (dyn FnMut(&mut Vec<Scored>) -> Result<Pulled, Error> + Send);

/// Makes rows.
pub(crate) trait MakeRows {
    /// Adds the row of a pair, unless it is of a kind that is not wanted.
    fn pair(&mut self, pair: Scored, out: &mut dyn Encoder) -> Result<Listed, Error>;

    /// Adds the row of a cluster.
    fn cluster(&mut self, cluster: Cluster<'_>, out: &mut dyn Encoder) -> Result<(), Error>;
}

/// A cluster of units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cluster<'c> {
    /// In input order.
    pub(crate) members: &'c [UnitId],
    /// Which of these is kept.
    pub(crate) kept: usize,
}

/// Whether a pair is listed, and of which kind it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) is_wanted: bool,
    /// Where pairs have kinds.
    pub(crate) kind: Option<Kind>,
    /// Where it is told in what records differ.
    pub(crate) difference: Option<Difference>,
}

impl Listed {
    pub(crate) const YES: Listed = Listed {
        is_wanted: true,
        kind: None,
        difference: None,
    };

    /// It is, and its records differ in this.
    pub(crate) fn differing(difference: Difference) -> Self {
        Listed {
            difference: Some(difference),
            ..Listed::YES
        }
    }
}

/// The similarity in a row: none where it was not verified.
pub(super) fn verified(similarity: f64) -> Option<f64> {
    (!similarity.is_nan()).then_some(similarity)
}

/// The id of a record.
pub(super) fn id_of<'l>(ids: &'l mut Lookup<'_>, record: RecordId) -> Result<IdRef<'l>, Error> {
    as_id(ids.id(record)?)
}

/// An id as it is stored.
pub(super) fn as_id(json: &str) -> Result<IdRef<'_>, Error> {
    IdRef::from_json(json).ok_or_else(|| Error::Internal(format!("{json} is no id")))
}

/// The ids of several records, in a buffer that is used again.
#[derive(Default)]
pub(super) struct IdList {
    json: String,
    ends: Vec<usize>,
}

impl IdList {
    /// Makes it the ids of these records.
    pub(super) fn fill(
        &mut self,
        ids: &mut Lookup<'_>,
        records: impl IntoIterator<Item = RecordId>,
    ) -> Result<(), Error> {
        self.json.clear();
        self.ends.clear();
        for record in records {
            self.json.push_str(ids.id(record)?);
            self.ends.push(self.json.len());
        }
        Ok(())
    }

    pub(super) fn ids(&self) -> Result<Vec<IdRef<'_>>, Error> {
        let mut begin = 0;
        let mut list = Vec::with_capacity(self.ends.len());
        for &end in &self.ends {
            list.push(as_id(&self.json[begin..end])?);
            begin = end;
        }
        Ok(list)
    }
}

/// Units that are records are named by their ids.
impl UnitRows for Units<'_> {
    fn pair_shape(&self) -> Shape {
        Shape::RecordPairs
    }

    fn cluster_shape(&self) -> Shape {
        Shape::RecordClusters
    }

    fn maker(&self) -> Result<Box<dyn MakeRows + '_>, Error> {
        Ok(Box::new(NamedById::new(*self)))
    }
}

/// Looks the ids of two records up.
pub(super) struct PairIds<'r> {
    pub(super) a: Lookup<'r>,
    b: Lookup<'r>,
}

impl<'r> PairIds<'r> {
    pub(super) fn new(signed: &'r Signed) -> Self {
        PairIds {
            a: signed.ids(),
            b: signed.ids(),
        }
    }

    pub(super) fn of(&mut self, a: RecordId, b: RecordId) -> Result<[IdRef<'_>; 2], Error> {
        Ok([id_of(&mut self.a, a)?, id_of(&mut self.b, b)?])
    }
}

/// Names units by the ids of the records that they are.
pub(super) struct NamedById<'r> {
    records: &'r Records,
    ids: PairIds<'r>,
    members: IdList,
}

impl<'r> NamedById<'r> {
    pub(super) fn new(units: Units<'r>) -> Self {
        NamedById {
            records: &units.signed.records,
            ids: PairIds::new(units.signed),
            members: IdList::default(),
        }
    }

    /// The ids of both.
    pub(super) fn pair_ids(&mut self, pair: Scored) -> Result<[IdRef<'_>; 2], Error> {
        let [a, b] = [pair.lo(), pair.hi()].map(|unit| self.records.of(unit));
        self.ids.of(a, b)
    }
}

impl MakeRows for NamedById<'_> {
    fn pair(&mut self, pair: Scored, out: &mut dyn Encoder) -> Result<Listed, Error> {
        let [a, b] = self.pair_ids(pair)?;
        let similarity = verified(pair.similarity);
        let row = RecordPair {
            a,
            b,
            similarity,
            verified: similarity.is_some(),
        };
        out.encode(&Row::RecordPair(row)).map_err(Error::Sink)?;
        Ok(Listed::YES)
    }

    fn cluster(&mut self, cluster: Cluster<'_>, out: &mut dyn Encoder) -> Result<(), Error> {
        let records = cluster.members.iter().map(|&unit| self.records.of(unit));
        self.members.fill(&mut self.ids.a, records)?;
        let members = self.members.ids()?;
        let row = RecordCluster {
            cluster: members[cluster.kept],
            size: members.len() as u64,
            members: Cow::Owned(members),
        };
        out.encode(&Row::RecordCluster(row)).map_err(Error::Sink)
    }
}
