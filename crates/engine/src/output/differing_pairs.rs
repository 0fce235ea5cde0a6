//! Pairs of whole records with what is between them.

use std::borrow::Cow;

use lookalike_kernel::rows::{MessagePair, Row, Shape};
use lookalike_pair::Scored;

use super::named_units::{Cluster, Listed, MakeRows, NamedById, UnitRows, verified};
use crate::Error;
use crate::sink::Encoder;
use crate::stages::{Context, Differences, RecordTexts, Units};

/// Names records by their ids, and tells in what those of a pair differ.
pub(crate) struct DifferingPairs<'r> {
    pub(crate) context: &'r Context<'r>,
    pub(crate) units: Units<'r>,
    pub(crate) texts: RecordTexts,
}

impl UnitRows for DifferingPairs<'_> {
    fn pair_shape(&self) -> Shape {
        Shape::MessagePairs
    }

    fn cluster_shape(&self) -> Shape {
        Shape::RecordClusters
    }

    fn texts(&self) -> Option<&RecordTexts> {
        Some(&self.texts)
    }

    fn maker(&self) -> Result<Box<dyn MakeRows + '_>, Error> {
        Ok(Box::new(DifferingRows {
            units: self.units,
            ids: NamedById::new(self.units),
            differences: self.texts.differences(self.context),
        }))
    }
}

struct DifferingRows<'d> {
    units: Units<'d>,
    ids: NamedById<'d>,
    differences: Differences<'d>,
}

impl MakeRows for DifferingRows<'_> {
    fn pair(&mut self, pair: Scored, out: &mut dyn Encoder) -> Result<Listed, Error> {
        let [one, two] = [pair.lo(), pair.hi()].map(|unit| self.units.groups.first_of(unit));
        let change = self.differences.change(one, two)?;
        let [a, b] = self.ids.pair_ids(pair)?;
        let similarity = verified(pair.similarity);
        let row = MessagePair {
            a,
            b,
            similarity,
            verified: similarity.is_some(),
            kind: change.kind,
            changed: Cow::Owned(change.changed),
        };
        out.encode(&Row::MessagePair(row)).map_err(Error::Sink)?;
        Ok(Listed::differing(change.kind))
    }

    fn cluster(&mut self, cluster: Cluster<'_>, out: &mut dyn Encoder) -> Result<(), Error> {
        self.ids.cluster(cluster, out)
    }
}
