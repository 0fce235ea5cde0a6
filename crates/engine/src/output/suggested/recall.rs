//! Which share of the most similar records are among the suggestions, measured by comparing sampled records with every
//! other.
//!
//! A record of the sample is compared with all others at once, by an index of the terms of the sample: what is added up is
//! just what [`Ranking::similarity`] adds up, in the same order.
//!
//! [`Ranking::similarity`]: lookalike_pair::nearest::Ranking::similarity

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use lookalike_pair::nearest::Vector;
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::UnitId;

use crate::Error;
use crate::audit::choose;
use crate::stages::{Nearest, Spread, Suggestions, Window};

const SAMPLED: u64 = 1000;
/// Of the best so many.
const BEST: usize = 5;
/// Units compared in one piece of work.
const CHUNK: usize = 1024;

/// How many records were sampled, and the share that was found of the most similar ones of these; 1 where there are none.
pub(super) fn measure(suggestions: &Suggestions<'_>, top: usize) -> Result<(u64, f64), Error> {
    let depth = top.min(BEST);
    let sample = Sample::of(suggestions)?;
    let best = sample.best(suggestions, depth)?;
    let (mut suggester, mut found, mut all) = (suggestions.suggester(), 0, 0);
    for (&unit, best) in sample.units.iter().zip(&best) {
        let Some(least) = best.last() else {
            continue;
        };
        // As good as the last of the best is among the best.
        let suggested = suggester.nearest(unit, depth)?;
        let is_best = |nearest: &&Nearest| nearest.similarity >= least.similarity;
        found += suggested.iter().filter(is_best).count().min(best.len());
        all += best.len();
    }
    let recall = if all == 0 {
        1.0
    } else {
        found as f64 / all as f64
    };
    Ok((sample.units.len() as u64, recall))
}

/// A term as the table of them wants it.
fn spread(term: u32) -> u64 {
    u64::from(term) << 32 | u64::from(term)
}

/// The terms of the sample, each with who has it and what it weighs there.
struct Sample {
    units: Vec<UnitId>,
    lengths: Vec<f64>,
    of_term: HashMap<u64, Having, BuildHasherDefault<Spread>>,
}

/// Which units of the sample have a term, and what it weighs there.
enum Having {
    Few(Vec<(u32, f64)>),
    /// One for each, 0 where a unit lacks the term: adding them all is faster than finding those that have it.
    Many(Vec<f64>),
}

impl Having {
    /// In the form that is added fastest, for a sample of so many units.
    fn new(few: Vec<(u32, f64)>, units: usize) -> Self {
        if 4 * few.len() <= units {
            return Having::Few(few);
        }
        let mut many = vec![0.0; units];
        few.iter()
            .for_each(|&(number, weight)| many[number as usize] = weight);
        Having::Many(many)
    }

    fn add_to(&self, sums: &mut [f64], times: f64) {
        match self {
            Having::Few(few) => few
                .iter()
                .for_each(|&(number, weight)| sums[number as usize] += weight * times),
            Having::Many(many) => sums
                .iter_mut()
                .zip(many)
                .for_each(|(sum, weight)| *sum += weight * times),
        }
    }
}

impl Sample {
    fn of(suggestions: &Suggestions<'_>) -> Result<Self, Error> {
        let input = suggestions.units.signed.counts.input_units as u32;
        let mut units: Vec<UnitId> = choose(suggestions.context, input, SAMPLED);
        for unit in &mut units {
            *unit = suggestions.units.groups.first_of(*unit);
        }
        units.sort_unstable();
        units.dedup();
        units.retain(|&unit| suggestions.vectors.has(unit));
        let mut sample = Sample {
            lengths: Vec::new(),
            of_term: HashMap::default(),
            units,
        };
        let mut of_term: HashMap<u64, Vec<(u32, f64)>, BuildHasherDefault<Spread>> =
            HashMap::default();
        let mut window = Window::default();
        for (number, &unit) in (0..).zip(&sample.units) {
            let vector = Vector::of(suggestions.vectors.get(unit, &mut window)?);
            sample.lengths.push(vector.length());
            for (term, weight) in suggestions.ranking.joint(vector) {
                let having = of_term.entry(spread(term)).or_default();
                having.push((number, weight));
            }
        }
        let of_term = of_term.into_iter();
        let settle = |(term, few)| (term, Having::new(few, sample.units.len()));
        sample.of_term = of_term.map(settle).collect();
        Ok(sample)
    }

    /// The best so many units for each of the sample.
    fn best(&self, all: &Suggestions<'_>, depth: usize) -> Result<Vec<Vec<Nearest>>, Error> {
        let is_against = all.units.is_against();
        let from = if is_against {
            all.units.signed.first_unit_against().index()
        } else {
            0
        };
        let (count, mut next) = ((all.units.count() - from).div_ceil(CHUNK), 0);
        let mut best: Vec<Vec<Nearest>> = vec![Vec::new(); self.units.len()];
        in_order(
            all.context.threads,
            || Ok((0, Window::default(), vec![0.0; self.units.len()])),
            |(mine, ..)| Ok(Pulled::number(&mut next, mine, count)),
            |(mine, window, sums): &mut (usize, Window<u64>, Vec<f64>)| {
                all.context.go_on()?;
                let begin = from + *mine * CHUNK;
                let mut near: Vec<Vec<Nearest>> = vec![Vec::new(); self.units.len()];
                for unit in begin..(begin + CHUNK).min(all.units.count()) {
                    let unit = UnitId::from(unit as u32);
                    if all.vectors.has(unit) {
                        let vector = Vector::of(all.vectors.get(unit, window)?);
                        self.compare(all, unit, vector, sums);
                        self.collect((unit, vector), sums, depth, &mut near);
                    }
                }
                Ok(near)
            },
            |near| {
                for (best, more) in best.iter_mut().zip(near) {
                    best.extend(more);
                    Nearest::sort(best);
                    best.truncate(depth);
                }
                Ok::<_, Error>(())
            },
        )?;
        Ok(best)
    }

    /// Adds up what a unit has in common with each of the sample.
    fn compare(&self, all: &Suggestions<'_>, unit: UnitId, vector: Vector<'_>, sums: &mut [f64]) {
        for (term, weight) in all.ranking.joint(vector) {
            if let Some(having) = self.of_term.get(&spread(term)) {
                having.add_to(sums, weight);
            }
        }
        if let Ok(own) = self.units.binary_search(&unit) {
            sums[own] = 0.0;
        }
    }

    /// Adds the unit where it is among the best, and begins again.
    fn collect(
        &self,
        (unit, vector): (UnitId, Vector<'_>),
        sums: &mut [f64],
        depth: usize,
        near: &mut [Vec<Nearest>],
    ) {
        for (number, sum) in sums.iter_mut().enumerate() {
            let common = std::mem::take(sum);
            if common == 0.0 {
                continue;
            }
            let similarity = (common / (self.lengths[number] * vector.length())).min(1.0);
            let best = &mut near[number];
            let is_full = best.len() >= depth;
            if is_full
                && best
                    .last()
                    .is_some_and(|last| last.similarity >= similarity)
            {
                continue;
            }
            best.push(Nearest { unit, similarity });
            Nearest::sort(best);
            best.truncate(depth);
        }
    }
}
