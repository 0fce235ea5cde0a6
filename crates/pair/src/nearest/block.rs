//! Some texts, found by their leads.

use bytemuck::{Pod, Zeroable};
use lookalike_text::hash::mix64;

use super::frequencies::Frequencies;
use super::term::Lead;

/// How many texts one term proposes at the most, and all terms of a text together. With these a text costs the same however
/// many there are.
const MOST_A_TERM: u32 = 1 << 12;
const MOST_A_TEXT: u32 = 1 << 16;

/// An inverted index of consecutive texts.
#[derive(Debug)]
pub struct Block {
    /// The number of the first text.
    first: u32,
    texts: u32,
    /// Where the postings of each place begin.
    begins: Vec<u32>,
    postings: Vec<Posting>,
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Posting {
    /// From the first text of the block on.
    text: u32,
    weight: u32,
}

impl Block {
    /// The bytes that a lead of a text takes in it.
    pub const LEAD_BYTES: usize = size_of::<Posting>();

    /// Of `texts` texts from the number `first` on. `each` tells the leads of every one of them, twice; `leads` counts those
    /// of all texts there are.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn new<E>(
        (first, texts): (u32, u32),
        leads: &Frequencies,
        mut each: impl FnMut(&mut dyn FnMut(u32, &[Lead])) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut begins = vec![0u32; leads.places() + 1];
        each(&mut |text, own| {
            let proposing = own.iter().filter(|lead| proposes(leads, text, lead.term));
            proposing.for_each(|lead| begins[leads.place(lead.term)] += 1);
        })?;
        // Where the postings of each place end, and from there backwards where the next one goes.
        for place in 1..begins.len() {
            begins[place] += begins[place - 1];
        }
        let empty = Posting { text: 0, weight: 0 };
        let mut postings = vec![empty; begins.last().map_or(0, |&end| end as usize)];
        each(&mut |text, own| {
            let proposing = own.iter().filter(|lead| proposes(leads, text, lead.term));
            for &Lead { term, weight } in proposing {
                let next = &mut begins[leads.place(term)];
                *next -= 1;
                let text = text - first;
                postings[*next as usize] = Posting { text, weight };
            }
        })?;
        Ok(Block {
            first,
            texts,
            begins,
            postings,
        })
    }

    /// Whether the sums of all texts are looked at: where there are few more than a text adds to, that takes less time than
    /// to remember which these are.
    fn is_scanned(&self) -> bool {
        self.texts <= 8 * MOST_A_TEXT
    }

    /// Adds up what the leads of a text have in common with those of each text of the block. They are looked at as
    /// [`in_order`](Sums::in_order) says.
    pub fn add(&self, leads: &Frequencies, own: &[Lead], sums: &mut Sums) {
        let Sums { sums, touched } = sums;
        sums.resize((self.texts as usize).next_multiple_of(Sums::GROUP), 0);
        // A common lead counts for something, however light it is; and no text has so many that a sum overflows.
        let more = |own: u32, other: u32| {
            let more = (u64::from(own) * u64::from(other)) >> 16;
            (more as u32).max(1)
        };
        for &Lead { term, weight } in own {
            let place = leads.place(term);
            let range = self.begins[place] as usize..self.begins[place + 1] as usize;
            let postings = self.postings[range].iter();
            if self.is_scanned() {
                postings.for_each(|posting| {
                    sums[posting.text as usize] += more(weight, posting.weight);
                });
            } else {
                postings.for_each(|posting| {
                    let sum = &mut sums[posting.text as usize];
                    if *sum == 0 {
                        touched.push(posting.text);
                    }
                    *sum += more(weight, posting.weight);
                });
            }
        }
    }

    /// Hands the sums to what keeps the best of them, but for that of a text itself, and begins again.
    pub fn take(&self, sums: &mut Sums, but: u32, best: &mut Candidates) {
        let offer = |best: &mut Candidates, text: u32, score: u32| {
            let text = self.first + text;
            if text != but && score > 0 {
                best.offer(Candidate { score, text });
            }
        };
        let Sums { sums, touched } = sums;
        for text in touched.drain(..) {
            let score = std::mem::take(&mut sums[text as usize]);
            offer(best, text, score);
        }
        if !self.is_scanned() {
            return;
        }
        for (number, group) in (0..).zip(sums.chunks_exact_mut(Sums::GROUP)) {
            // A sum that is high enough sets the highest bit, which none of them reaches: so a group is one comparison.
            let missing = Sums::BEYOND - best.least.max(1);
            let any = group.iter().fold(0, |any, &sum| any | (sum + missing));
            if any >= Sums::BEYOND {
                let first = number * Sums::GROUP as u32;
                (first..)
                    .zip(&*group)
                    .for_each(|(text, &score)| offer(best, text, score));
            }
            group.fill(0);
        }
    }
}

/// Whether a text is proposed by a term: of one that very many have, only some do, whichever block they are in.
fn proposes(leads: &Frequencies, text: u32, term: u32) -> bool {
    let count = leads.of(term);
    count <= MOST_A_TERM || {
        let drawn = mix64(u64::from(text) << 32 | u64::from(term)) >> 32;
        drawn * u64::from(count) < u64::from(MOST_A_TERM) << 32
    }
}

/// What the texts of a block have in common with one text. There is one a thread.
#[derive(Debug, Default)]
pub struct Sums {
    sums: Vec<u32>,
    /// The texts that have a sum, where not all sums are looked at.
    touched: Vec<u32>,
}

impl Sums {
    /// So many sums are looked at together: as many as a line of the cache has.
    const GROUP: usize = 16;
    /// More than any sum: a text has 256 leads at the most ([`Ranking::MOST_LEADS`](super::Ranking::MOST_LEADS)), each of
    /// which adds up to 2¹⁶.
    const BEYOND: u32 = 1 << 31;

    /// Chooses the leads by which a text is looked for: the rarest, as long as they propose few enough.
    pub fn in_order(leads: &Frequencies, own: &mut Vec<Lead>) {
        let proposed = |lead: &Lead| leads.of(lead.term).min(MOST_A_TERM);
        own.sort_by_key(|lead| (proposed(lead), std::cmp::Reverse(lead.weight), lead.term));
        let mut left = MOST_A_TEXT;
        let affordable = own.iter().take_while(|lead| {
            let before = left;
            left = left.saturating_sub(proposed(lead));
            before > 0
        });
        own.truncate(affordable.count());
    }
}

/// A text that may be near another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Candidate {
    /// What the leads have in common; 0 where there is no text.
    pub score: u32,
    /// The text.
    pub text: u32,
}

impl Candidate {
    /// The best first, then in input order.
    fn place(&self) -> (std::cmp::Reverse<u32>, u32) {
        (std::cmp::Reverse(self.score), self.text)
    }
}

/// The best so many candidates of all that were offered.
#[derive(Debug)]
pub struct Candidates {
    most: usize,
    /// Up to some times as many as there are to be.
    offered: Vec<Candidate>,
    /// What has a lower score is none of them.
    least: u32,
}

impl Candidates {
    /// None yet, and never more than so many.
    pub fn new(most: usize) -> Self {
        Candidates {
            most: most.max(1),
            offered: Vec::new(),
            least: 0,
        }
    }

    /// Another one.
    #[inline]
    pub fn offer(&mut self, candidate: Candidate) {
        if candidate.score < self.least {
            return;
        }
        self.offered.push(candidate);
        if self.offered.len() >= 4 * self.most {
            self.drop_worst();
        }
    }

    fn drop_worst(&mut self) {
        if self.offered.len() > self.most {
            let last = self.most - 1;
            let (_, least, _) = self
                .offered
                .select_nth_unstable_by_key(last, Candidate::place);
            self.least = least.score;
            self.offered.truncate(self.most);
        }
    }

    /// The best, in any order, of which there are to be none from now on; nothing where there are fewer.
    pub fn take(&mut self, out: &mut Vec<Candidate>) {
        self.drop_worst();
        let end = out.len() + self.most;
        self.offered.sort_unstable_by_key(Candidate::place);
        out.append(&mut self.offered);
        out.resize(end, Candidate::default());
        self.least = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(text: u32) -> Vec<Lead> {
        let lead = |word: u32| Lead {
            term: word.wrapping_mul(0x9E37_79B1),
            weight: 1 << 12,
        };
        vec![lead(text % 7), lead(text % 11 + 20), lead(100)]
    }

    fn counted(texts: u32) -> Frequencies {
        let frequencies = Frequencies::new(texts as usize);
        for text in 0..texts {
            leads(text)
                .iter()
                .for_each(|lead| frequencies.count(lead.term));
        }
        frequencies
    }

    fn best(texts: u32, a_block: u32, of: u32) -> Vec<Candidate> {
        let frequencies = counted(texts);
        let (mut best, mut sums) = (Candidates::new(5), Sums::default());
        let mut own = leads(of);
        Sums::in_order(&frequencies, &mut own);
        for first in (0..texts).step_by(a_block as usize) {
            let count = a_block.min(texts - first);
            let block = Block::new((first, count), &frequencies, |each| {
                (first..first + count).for_each(|text| each(text, &leads(text)));
                Ok::<_, ()>(())
            });
            let block = block.unwrap();
            let mut sums_of_block = Sums::default();
            std::mem::swap(&mut sums, &mut sums_of_block);
            block.add(&frequencies, &own, &mut sums_of_block);
            block.take(&mut sums_of_block, of, &mut best);
        }
        let mut out = Vec::new();
        best.take(&mut out);
        out
    }

    #[test]
    fn the_best_share_most_leads_and_come_in_input_order() {
        let texts: Vec<u32> = best(300, 300, 3).iter().map(|best| best.text).collect();
        assert_eq!(&texts[..3], [80, 157, 234]);
    }

    #[test]
    fn how_texts_are_put_into_blocks_changes_nothing() {
        // More than a term may propose, so that some are drawn.
        for texts in [300, 3 * MOST_A_TERM] {
            let whole = best(texts, texts, 5);
            assert_eq!(whole, best(texts, 97, 5));
            assert_eq!(whole, best(texts, 1000, 5));
        }
    }

    #[test]
    fn a_term_of_very_many_texts_proposes_no_more_than_its_share() {
        let texts = 4 * MOST_A_TERM;
        let frequencies = counted(texts);
        let of_all = leads(0)[2].term;
        let proposing = (0..texts).filter(|&text| proposes(&frequencies, text, of_all));
        let proposing = proposing.count() as f64;
        assert!(
            (proposing / f64::from(MOST_A_TERM) - 1.0).abs() < 0.1,
            "{proposing}"
        );
    }
}
