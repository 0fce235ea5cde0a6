//! The candidates of every unit: the best of all units that it has leads in common with.

use std::ops::Range;

use lookalike_pair::nearest::{Block, Candidate, Candidates, Lead, Sums};
use lookalike_pair::spill::{Spill, Spool};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::UnitId;

use super::vectors::Vectors;
use crate::Error;
use crate::bits::{Bits, Ranked};
use crate::stages::tape::Tape;
use crate::stages::{Context, Units};

/// Finds the best so many candidates of each unit that is looked for; returns them and these units.
pub(super) fn search(
    context: &Context<'_>,
    units: Units<'_>,
    described: &Vectors,
    most: usize,
) -> Result<(Spool<Candidate>, Ranked<UnitId>), Error> {
    let tape = Tape::new(&described.leads, described.lead_counts.as_slice());
    let against = context.corpus.is_against();
    let first_against = units.signed.first_unit_against();
    let is_sought = |unit: UnitId| tape.size(unit) > 0 && (!against || unit < first_against);
    let search = Search {
        context,
        described,
        sought: Ranked::new(Bits::of(units.count(), is_sought)),
        among: if against {
            first_against
        } else {
            UnitId::from(0)
        },
        most,
        tape,
    };
    let mut found = context.spool("candidates", 10);
    for (number, chunks) in search.blocks().into_iter().enumerate() {
        let block = search.block(chunks)?;
        // What is found in a block is weighed against what was found in those before it.
        let before = (number > 0).then_some(&found);
        let with_block = search.with_block(&block, before)?;
        found.clear();
        found = with_block;
    }
    Ok((found, search.sought))
}

struct Search<'s> {
    context: &'s Context<'s>,
    described: &'s Vectors,
    tape: Tape<'s, Lead>,
    sought: Ranked<UnitId>,
    /// Candidates are units from this one on.
    among: UnitId,
    most: usize,
}

impl Search<'_> {
    /// Which chunks of the tape are a block: as many as there is memory for.
    fn blocks(&self) -> Vec<Range<usize>> {
        let room = self.context.budget.percent(20);
        let sums = size_of::<u32>() * self.context.threads;
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let mut taken = 0;
        for (number, chunk) in self.tape.chunks.iter().enumerate() {
            let leads = &self.tape.sizes[chunk.first.index()..][..chunk.units as usize];
            let leads: u32 = leads.iter().sum();
            let bytes = leads as usize * Block::LEAD_BYTES + chunk.units as usize * sums;
            match blocks.last_mut() {
                Some(last) if taken + bytes <= room => last.end = number + 1,
                _ => {
                    blocks.push(number..number + 1);
                    taken = 0;
                }
            }
            taken += bytes;
        }
        blocks
    }

    fn block(&self, chunks: Range<usize>) -> Result<Block, Error> {
        let chunks = &self.tape.chunks[chunks];
        let first = chunks.first().map_or(0, |chunk| chunk.first.get());
        let units = chunks.iter().map(|chunk| chunk.units).sum();
        let mut read = Vec::new();
        Block::new((first, units), &self.described.frequencies, |each| {
            for chunk in chunks {
                self.tape.for_each(chunk, &mut read, &mut |unit, leads| {
                    if unit >= self.among {
                        each(unit.get(), leads);
                    }
                })?;
            }
            Ok(())
        })
    }

    /// The best candidates of all units, those before among them.
    fn with_block(
        &self,
        block: &Block,
        before: Option<&Spool<Candidate>>,
    ) -> Result<Spool<Candidate>, Error> {
        let mut found = self.context.spool("candidates", 10);
        let (chunks, mut next) = (&self.tape.chunks, 0);
        in_order(
            self.context.threads,
            || Ok((0, Worker::new(self.most))),
            |(mine, _): &mut (usize, Worker)| Ok(Pulled::number(&mut next, mine, chunks.len())),
            |(mine, worker)| {
                self.context.go_on()?;
                let (mut out, mut read) = (Vec::new(), std::mem::take(&mut worker.read));
                self.tape
                    .try_for_each(&chunks[*mine], &mut read, &mut |unit, leads| {
                        if self.sought.bits().contains(unit) {
                            worker.find((self, block), before, unit, leads)?;
                            worker.best.take(&mut out);
                        }
                        Ok(())
                    })?;
                worker.read = read;
                Ok(out)
            },
            |candidates: Vec<Candidate>| Ok::<_, Error>(found.append(&candidates)?),
        )?;
        Ok(found)
    }
}

/// What a thread reuses from unit to unit.
struct Worker {
    read: Vec<Lead>,
    leads: Vec<Lead>,
    sums: Sums,
    best: Candidates,
    before: Vec<Candidate>,
}

impl Worker {
    fn new(most: usize) -> Self {
        Worker {
            read: Vec::new(),
            leads: Vec::new(),
            sums: Sums::default(),
            best: Candidates::new(most),
            before: vec![Candidate::default(); most],
        }
    }

    /// Finds the best candidates of a unit in a block, given those of the blocks before it.
    fn find(
        &mut self,
        (search, block): (&Search<'_>, &Block),
        before: Option<&Spool<Candidate>>,
        unit: UnitId,
        leads: &[Lead],
    ) -> Result<(), Error> {
        let frequencies = &search.described.frequencies;
        self.leads.clear();
        self.leads.extend_from_slice(leads);
        Sums::in_order(frequencies, &mut self.leads);
        block.add(frequencies, &self.leads, &mut self.sums);
        block.take(&mut self.sums, unit.get(), &mut self.best);
        if let Some(before) = before {
            let row = search.sought.place(unit) * search.most;
            before.read_at(&mut self.before, row as u64)?;
            let known = self.before.iter().filter(|candidate| candidate.score > 0);
            known.for_each(|&candidate| self.best.offer(candidate));
        }
        Ok(())
    }
}
