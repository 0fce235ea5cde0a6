//! What is most similar to each record, and how much of it was found.

mod recall;

use std::borrow::Cow;

use lookalike_kernel::rows::{
    FieldSimilarity, Row, Shape, Suggested, SuggestionRow, SuggestionsSummary,
};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::UnitId;

use super::named_units::{IdList, id_of};
use crate::Error;
use crate::bits::Bits;
use crate::ids::Lookup;
use crate::sink::{Chunk, Encoder, Encoders, Sink};
use crate::stages::{Context, Nearest, Suggester, Units, suggest};

/// Units whose rows are made in one piece of work.
const CHUNK: u32 = 512;

/// Finds what is most similar to each record of the input and writes it.
pub(crate) fn write_suggestions(
    context: &Context<'_>,
    units: Units<'_>,
    sink: &mut dyn Sink,
) -> Result<SuggestionsSummary, Error> {
    let top = context.spec().top.unwrap_or_default();
    let suggestions = suggest(context, units, top)?;
    let rejected = units.signed.rejected_units()?;
    let mut table = sink.table(Shape::Suggestions).map_err(Error::Sink)?;
    let encoders = Encoders::of(&*table, context.threads);
    let names = context.spec().compared_fields();
    let (count, mut next) = (units.signed.counts.input_units as u32, 0);
    let mut summary = SuggestionsSummary::default();
    in_order(
        context.threads,
        || {
            let worker = Worker {
                units,
                names: &names,
                top,
                suggester: suggestions.suggester(),
                own_id: units.signed.ids(),
                ids: units.signed.ids(),
                listed: IdList::default(),
                encoder: encoders.take()?,
            };
            Ok((0, worker))
        },
        |(mine, _): &mut (usize, Worker<'_>)| {
            let chunks = count.div_ceil(CHUNK) as usize;
            Ok(Pulled::number(&mut next, mine, chunks))
        },
        |(mine, worker)| {
            context.go_on()?;
            let first = *mine as u32 * CHUNK;
            worker.rows(first..count.min(first + CHUNK), &rejected)
        },
        |(chunk, rows, with_suggestions)| {
            summary.records += rows;
            summary.with_suggestions += with_suggestions;
            table.append(chunk).map_err(Error::Sink)
        },
    )?;
    table.finish().map_err(Error::Sink)?;
    (summary.sampled, summary.recall) = recall::measure(&suggestions, top)?;
    Ok(summary)
}

/// Makes rows: one a thread.
struct Worker<'w> {
    units: Units<'w>,
    names: &'w [String],
    top: usize,
    suggester: Suggester<'w>,
    own_id: Lookup<'w>,
    ids: Lookup<'w>,
    listed: IdList,
    encoder: Box<dyn Encoder>,
}

impl Worker<'_> {
    /// The rows of some units, how many there are, and how many of them suggest something.
    fn rows(
        &mut self,
        units: std::ops::Range<u32>,
        rejected: &Bits<UnitId>,
    ) -> Result<(Chunk, u64, u64), Error> {
        let (mut rows, mut with_suggestions) = (0, 0);
        for unit in units.map(UnitId::from) {
            if !rejected.contains(unit) {
                rows += 1;
                with_suggestions += u64::from(self.row(unit)?);
            }
        }
        Ok((self.encoder.take(), rows, with_suggestions))
    }

    /// Adds the row of a unit and says whether something is suggested in it.
    fn row(&mut self, unit: UnitId) -> Result<bool, Error> {
        let groups = self.units.groups;
        let first = groups.first_of(unit);
        let mut nearest = self.suggester.nearest(first, self.top)?;
        // Identical ones are one entry: the first that is not the unit itself.
        if let Some(copy) = groups.members(first).find(|&member| member != unit)
            && !self.units.is_against()
        {
            nearest.push(Nearest {
                unit: copy,
                similarity: 1.0,
            });
            Nearest::sort(&mut nearest);
            nearest.truncate(self.top);
        }
        let records = &self.units.signed.records;
        let listed = nearest.iter().map(|nearest| records.of(nearest.unit));
        self.listed.fill(&mut self.ids, listed)?;
        let mut similar = Vec::with_capacity(nearest.len());
        for (id, nearest) in self.listed.ids()?.into_iter().zip(&nearest) {
            let other = groups.first_of(nearest.unit);
            let fields = self.suggester.of_fields(first, other)?;
            let fields = self.names.iter().zip(fields);
            let named = fields.map(|(name, similarity)| -> FieldSimilarity<'_> {
                (Cow::Borrowed(name.as_str()), similarity)
            });
            similar.push(Suggested {
                id,
                similarity: nearest.similarity,
                fields: named.collect(),
            });
        }
        let is_any = !similar.is_empty();
        let id = id_of(&mut self.own_id, records.of(unit))?;
        let row = Row::Suggestion(SuggestionRow { id, similar });
        self.encoder.encode(&row).map_err(Error::Sink)?;
        Ok(is_any)
    }
}
