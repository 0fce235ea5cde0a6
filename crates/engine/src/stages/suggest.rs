//! Find what is most similar to each unit, whatever the threshold says.
//!
//! In: the corpus, read once more. Out: a vector a unit, and the candidates among which the most similar ones are. Only units
//! that stand for their group are described and looked for, so copies cost nothing; with `--against` those of the input are
//! looked for among those of the corpus. What is found by which terms is a function of all texts, never of the memory.

mod search;
mod vectors;

use lookalike_pair::nearest::{Candidate, Ranking, Spread, Vector};
use lookalike_pair::spill::Spool;
use lookalike_text::UnitId;

use super::{Context, Store, Units, Window};
use crate::Error;
use crate::bits::Ranked;
use search::search;
use vectors::describe;

/// Find what is most similar to each unit, whatever the threshold says.
pub(crate) struct Suggestions<'r> {
    pub(crate) context: &'r Context<'r>,
    pub(crate) units: Units<'r>,
    pub(crate) ranking: Ranking,
    pub(crate) vectors: Store<UnitId, u64>,
    candidates: Spool<Candidate>,
    /// The units with candidates, each with as many.
    sought: Ranked<UnitId>,
    most: usize,
}

/// A unit with how similar it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearest {
    pub(crate) unit: UnitId,
    pub(crate) similarity: f64,
}

impl Nearest {
    /// The most similar first, then in input order.
    pub(crate) fn sort(all: &mut [Nearest]) {
        all.sort_by(|a, b| {
            let by_similarity = b.similarity.total_cmp(&a.similarity);
            by_similarity.then(a.unit.cmp(&b.unit))
        });
    }
}

/// So many candidates are compared exactly, or some times as many as are wanted.
const LEAST_CANDIDATES: usize = 48;

/// Finds the candidates of all units, of which so many are to be suggested each.
pub(crate) fn suggest<'r>(
    context: &'r Context<'r>,
    units: Units<'r>,
    top: usize,
) -> Result<Suggestions<'r>, Error> {
    let ranking = context.kernel.ranking();
    let described = describe(context, units, &ranking)?;
    let most = LEAST_CANDIDATES.max(4 * top);
    let (candidates, sought) = search(context, units, &described, most)?;
    Ok(Suggestions {
        context,
        units,
        ranking,
        vectors: described.vectors,
        candidates,
        sought,
        most,
    })
}

impl Suggestions<'_> {
    pub(crate) fn suggester(&self) -> Suggester<'_> {
        Suggester {
            all: self,
            own: Window::default(),
            spread: Spread::default(),
            other: Window::default(),
            candidates: Vec::new(),
        }
    }
}

/// Compares units with their candidates: one a thread.
pub(crate) struct Suggester<'s> {
    all: &'s Suggestions<'s>,
    own: Window<u64>,
    spread: Spread,
    other: Window<u64>,
    candidates: Vec<Candidate>,
}

impl Suggester<'_> {
    /// The most similar units that stand for their group, but for that of the unit itself.
    pub(crate) fn nearest(&mut self, first: UnitId, top: usize) -> Result<Vec<Nearest>, Error> {
        let Suggestions {
            ranking,
            vectors,
            candidates,
            sought,
            most,
            ..
        } = self.all;
        if !sought.bits().contains(first) {
            return Ok(Vec::new());
        }
        self.candidates.resize(*most, Candidate::default());
        let row = sought.place(first) as u64 * *most as u64;
        candidates.read_at(&mut self.candidates, row)?;
        // In input order, as they are stored.
        self.candidates.retain(|candidate| candidate.score > 0);
        self.candidates
            .sort_unstable_by_key(|candidate| candidate.text);
        let own = Vector::of(vectors.get(first, &mut self.own)?);
        self.spread.set(ranking, own);
        let mut nearest = Vec::with_capacity(self.candidates.len());
        for candidate in &self.candidates {
            let unit = UnitId::from(candidate.text);
            let other = Vector::of(vectors.get(unit, &mut self.other)?);
            let similarity = ranking.similarity_to(&self.spread, other);
            if similarity > 0.0 {
                nearest.push(Nearest { unit, similarity });
            }
        }
        Nearest::sort(&mut nearest);
        nearest.truncate(top);
        Ok(nearest)
    }

    /// How similar each field of two units is.
    pub(crate) fn of_fields(
        &mut self,
        first: UnitId,
        other: UnitId,
    ) -> Result<Vec<Option<f64>>, Error> {
        let Suggestions {
            ranking, vectors, ..
        } = self.all;
        let own = Vector::of(vectors.get(first, &mut self.own)?);
        let other = Vector::of(vectors.get(other, &mut self.other)?);
        Ok(ranking.of_fields(own, other))
    }
}
