//! When did two sentences part? What earlier revisions of their articles say of pairs of factual drift.
//!
//! In: the pairs that are listed, and the revisions of the articles of those that are factual drift. Out: since when either
//! article has had its sentence as it is, and when one of them was changed that had been the same in both.
//!
//! A sentence of an earlier revision is an earlier form of the two if it is one of them, or begins and ends like both. The
//! two were the same while both articles had the same form, and parted with the first revision that no longer had it.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_pair::Scored;
use lookalike_pair::assemble::{Comparer, Kind};
use lookalike_pair::spill::Spool;
use lookalike_pair::workers::in_order;
use lookalike_text::hash::hash64;
use lookalike_text::{Seed, UnitId};

use super::named_units::NextPairs;
use super::sentence_quotes::{Quote, Quotes, Reading, written_date};
use crate::Error;
use crate::places::{Place, Places};
use crate::stages::{Context, Units};

/// What is known of the pairs of factual drift.
pub(super) struct History {
    /// In the order of the pairs.
    partings: Spool<Found>,
}

/// Since when two sentences are what they are, and when they parted, as far as that is known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parting {
    pub(super) since: [Option<String>; 2],
    pub(super) parted: Option<String>,
}

/// A date as dumps write it, which sorts as it is read; all zero where there is none.
type Date = [u8; 24];

const NO_DATE: Date = [0; 24];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Found {
    units: [UnitId; 2],
    since: [Date; 2],
    parted: Date,
}

impl History {
    /// Of all pairs that are factual drift.
    pub(super) fn read(
        context: &Context<'_>,
        units: Units<'_>,
        quotes: &Quotes<'_>,
        pairs: NextPairs<'_>,
    ) -> Result<Self, Error> {
        /// What a pair takes while revisions are read, at the most about.
        const PAIR_BYTES: usize = 16_000;
        let drifts = drifts(context, quotes, pairs)?;
        let mut partings = context.spool("partings", 2);
        let at_once = (context.budget.percent(10) / PAIR_BYTES).max(1) as u64;
        let mut done = 0;
        while done < drifts.len() {
            let mut some = vec![[UnitId::NONE; 2]; at_once.min(drifts.len() - done) as usize];
            drifts.read_at(&mut some, done)?;
            partings.append(&partings_of(context, units, quotes, &some)?)?;
            done += some.len() as u64;
        }
        Ok(History { partings })
    }

    /// Of two sentences; none if they are no drift.
    pub(super) fn of(&self, units: [UnitId; 2]) -> Result<Option<Parting>, Error> {
        let (mut begin, mut end) = (0, self.partings.len());
        while begin < end {
            let middle = begin + (end - begin) / 2;
            let mut found = [Found::zeroed()];
            self.partings.read_at(&mut found, middle)?;
            match found[0].units.cmp(&units) {
                std::cmp::Ordering::Less => begin = middle + 1,
                std::cmp::Ordering::Greater => end = middle,
                std::cmp::Ordering::Equal => {
                    return Ok(Some(Parting {
                        since: found[0].since.map(written),
                        parted: written(found[0].parted),
                    }));
                }
            }
        }
        Ok(None)
    }
}

/// The pairs that are factual drift, in their order.
fn drifts(
    context: &Context<'_>,
    quotes: &Quotes<'_>,
    pairs: NextPairs<'_>,
) -> Result<Spool<[UnitId; 2]>, Error> {
    let mut drifts = context.spool("drifts", 1);
    in_order(
        context.threads,
        || Worker::new(quotes),
        |worker: &mut Worker<'_>| pairs(&mut worker.pairs),
        Worker::drifts,
        |some: Vec<[UnitId; 2]>| Ok(drifts.append(&some)?),
    )?;
    Ok(drifts)
}

struct Worker<'q> {
    quotes: &'q Quotes<'q>,
    reading: [Reading<'q>; 2],
    pair: [Quote; 2],
    comparer: Comparer,
    pairs: Vec<Scored>,
}

impl<'q> Worker<'q> {
    fn new(quotes: &'q Quotes<'q>) -> Result<Self, Error> {
        Ok(Worker {
            quotes,
            reading: [quotes.reading()?, quotes.reading()?],
            pair: <[Quote; 2]>::default(),
            comparer: Comparer::default(),
            pairs: Vec::new(),
        })
    }

    fn drifts(&mut self) -> Result<Vec<[UnitId; 2]>, Error> {
        let mut drifts = Vec::new();
        for pair in &self.pairs {
            let units = [pair.lo(), pair.hi()];
            for ((reading, quote), unit) in self.reading.iter_mut().zip(&mut self.pair).zip(units) {
                reading.read(unit, quote)?;
            }
            let [a, b] = self.pair.each_ref().map(Quote::statement);
            let change = (self.comparer).compare_seen(a, b, self.quotes.seen(units));
            if change.kind == Kind::FactualDrift {
                drifts.push(units);
            }
        }
        Ok(drifts)
    }
}

/// Reads the revisions of the articles of some pairs, once.
fn partings_of(
    context: &Context<'_>,
    units: Units<'_>,
    quotes: &Quotes<'_>,
    pairs: &[[UnitId; 2]],
) -> Result<Vec<Found>, Error> {
    let mut places = Places::new(context.corpus, units.signed)?;
    let (mut reading, mut quote) = (quotes.reading()?, Quote::default());
    let mut drifts = Vec::with_capacity(pairs.len());
    // Which sides of which pairs stand in an article.
    let mut standing: BTreeMap<Place, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, pair) in pairs.iter().enumerate() {
        let mut texts = [const { String::new() }; 2];
        for (side, &unit) in pair.iter().enumerate() {
            reading.read(unit, &mut quote)?;
            quote.statement().text.clone_into(&mut texts[side]);
            let place = places.at(units.signed.records.of(unit))?;
            standing.entry(place).or_default().push((number, side));
        }
        drifts.push(Drift::new(texts));
    }
    let (mut splitter, mut json, mut revision) = (context.corpus.splitter(), Vec::new(), 0);
    context.corpus.revisions(
        &|place| standing.contains_key(&place),
        &mut |place, record| {
            context.go_on()?;
            let Some(here) = standing.get(&place) else {
                return Ok(());
            };
            json.clear();
            context.corpus.date(record, &mut json);
            let Some(date) = read_date(&String::from_utf8_lossy(&json)) else {
                return Ok(());
            };
            revision += 1;
            for &(drift, side) in here {
                drifts[drift].sides[side].revisions += 1;
            }
            splitter.split(UnitId::from(0), record, &mut |unit| {
                for &(drift, side) in here {
                    drifts[drift].see(side, unit.text, (revision, date));
                }
            });
            for &(drift, side) in here {
                drifts[drift].sides[side].end_revision((revision, date));
            }
            Ok(())
        },
    )?;
    let found = drifts.iter().zip(pairs).map(|(drift, &units)| Found {
        units,
        since: drift.since(),
        parted: drift.parted(),
    });
    Ok(found.collect())
}

/// A date that is written as JSON.
fn read_date(json: &str) -> Option<Date> {
    let (text, mut date) = (written_date(json)?, NO_DATE);
    date.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some(date)
}

fn written(date: Date) -> Option<String> {
    let length = date.iter().position(|&byte| byte == 0);
    let text = String::from_utf8_lossy(&date[..length.unwrap_or(date.len())]);
    (!text.is_empty()).then(|| text.into_owned())
}

/// A pair of factual drift, and the forms that its sentences had.
struct Drift {
    texts: [String; 2],
    /// How many bytes both begin and end with, if that is most of them.
    alike: Option<(usize, usize)>,
    sides: [Forms; 2],
}

impl Drift {
    fn new(texts: [String; 2]) -> Self {
        let [a, b] = &texts;
        let begin = common(a.char_indices(), b.chars());
        let end = common(a[begin..].char_indices().rev(), b[begin..].chars().rev());
        let longer = a.len().max(b.len());
        Drift {
            alike: (2 * (begin + end) >= longer).then_some((begin, end)),
            sides: [Forms::default(), Forms::default()],
            texts,
        }
    }

    /// Takes note of a sentence of a revision, if it is a form of the two.
    fn see(&mut self, side: usize, text: &str, revision: (u32, Date)) {
        let is_present = self.texts.iter().any(|present| present == text);
        let is_alike = || {
            self.alike.is_some_and(|(begin, end)| {
                let (first, last) = self.texts[0].split_at(begin);
                text.len() >= begin + end
                    && text.starts_with(first)
                    && text.ends_with(&last[last.len() - end..])
            })
        };
        if is_present || is_alike() {
            self.sides[side].see(form(text), is_present, revision);
        }
    }

    fn since(&self) -> [Date; 2] {
        [0, 1].map(|side| {
            let present = form(&self.texts[side]);
            let Forms { forms, revisions } = &self.sides[side];
            // The date of a single revision says when the article was last changed, and of the sentence nothing.
            if *revisions < 2 {
                return NO_DATE;
            }
            let found = forms.iter().rev().find(|seen| seen.form == present);
            found.map_or(NO_DATE, |seen| seen.first)
        })
    }

    fn parted(&self) -> Date {
        let [a, b] = &self.sides;
        let mut parted = NO_DATE;
        for a in &a.forms {
            for b in b.forms.iter().filter(|b| b.form == a.form) {
                let begin = a.first.max(b.first);
                let ends = [a.gone, b.gone].into_iter().flatten();
                // What both still have somewhere has not parted.
                if let Some(end) = ends.min().filter(|&end| begin < end) {
                    parted = parted.max(end);
                }
            }
        }
        parted
    }
}

/// How many bytes two texts have in common from where their characters begin.
fn common(a: impl Iterator<Item = (usize, char)>, b: impl Iterator<Item = char>) -> usize {
    let alike = a.zip(b).take_while(|((_, a), b)| a == b);
    alike.map(|((_, c), _)| c.len_utf8()).sum()
}

fn form(text: &str) -> u64 {
    hash64(text.as_bytes(), Seed(0))
}

/// The forms that a sentence had in one article.
#[derive(Default)]
struct Forms {
    forms: Vec<Form>,
    /// How many revisions were read.
    revisions: u32,
}

/// A form as long as it was there without a break; one that comes back later is another.
struct Form {
    form: u64,
    /// When it was first there,
    first: Date,
    /// and when it was no longer there.
    gone: Option<Date>,
    /// The last revision that has it.
    last: u32,
}

impl Forms {
    /// There may be any number of revisions.
    const MOST: usize = 64;
    /// What the next revision but one has again was undone at once, and counts as never gone.
    const UNDONE_WITHIN: u32 = 2;

    fn see(&mut self, form: u64, is_present: bool, (revision, date): (u32, Date)) {
        let room = if is_present {
            2 * Self::MOST
        } else {
            Self::MOST
        };
        let has_room = self.forms.len() < room;
        let mut known = self.forms.iter_mut().rev();
        let seen = known.find(|seen| seen.form == form);
        let is_same = |seen: &&mut Form| !has_room || revision - seen.last <= Self::UNDONE_WITHIN;
        if let Some(seen) = seen.filter(is_same) {
            seen.last = revision;
            seen.gone = None;
        } else if has_room {
            self.forms.push(Form {
                form,
                first: date,
                gone: None,
                last: revision,
            });
        }
    }

    /// Takes note of what a revision does not have.
    fn end_revision(&mut self, (revision, date): (u32, Date)) {
        for seen in &mut self.forms {
            if seen.last != revision {
                seen.gone.get_or_insert(date);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u32) -> Date {
        read_date(&format!("\"2010-01-{day:02}T00:00:00Z\"")).unwrap()
    }

    /// What a pair comes to whose articles had these sentences on these days.
    fn looked_back(histories: [&[(u32, &str)]; 2]) -> ([Option<String>; 2], Option<String>) {
        let present = histories.map(|history| history[history.len() - 1].1.to_string());
        let mut drift = Drift::new(present);
        let mut revision = 0;
        for (side, history) in histories.into_iter().enumerate() {
            for &(on, text) in history {
                revision += 1;
                drift.sides[side].revisions += 1;
                drift.see(side, text, (revision, day(on)));
                drift.sides[side].end_revision((revision, day(on)));
            }
        }
        let day = |date: Date| written(date).map(|date| date[8..10].to_string());
        (drift.since().map(day), day(drift.parted()))
    }

    const NINE: &str = "Die Flut trug neun Häuser fort.";
    const TEN: &str = "Die Flut trug zehn Häuser fort.";
    const ELEVEN: &str = "Die Flut trug elf Häuser fort.";

    fn told(since: [&str; 2], parted: Option<&str>) -> ([Option<String>; 2], Option<String>) {
        let since = since.map(|day| Some(day.to_string()));
        (since, parted.map(str::to_string))
    }

    #[test]
    fn they_part_when_one_of_two_equal_sentences_is_changed() {
        let kept: &[(u32, &str)] = &[(2, NINE), (9, NINE)];
        let changed: &[(u32, &str)] = &[(3, NINE), (5, NINE), (6, TEN), (8, TEN)];
        assert_eq!(looked_back([kept, changed]), told(["02", "06"], Some("06")));
        assert_eq!(looked_back([changed, kept]), told(["06", "02"], Some("06")));
    }

    #[test]
    fn they_part_when_both_have_been_changed_since() {
        let first: &[(u32, &str)] = &[(2, TEN), (7, NINE)];
        let second: &[(u32, &str)] = &[(3, TEN), (9, ELEVEN)];
        assert_eq!(looked_back([first, second]), told(["07", "09"], Some("07")));
    }

    #[test]
    fn what_was_undone_at_once_does_not_count() {
        let kept: &[(u32, &str)] = &[(1, NINE), (7, NINE)];
        let changed: &[(u32, &str)] = &[(2, NINE), (3, "Nichts."), (4, NINE), (6, ELEVEN)];
        assert_eq!(looked_back([kept, changed]), told(["01", "06"], Some("06")));
    }

    #[test]
    fn what_comes_back_later_was_away_until_then() {
        let back: &[(u32, &str)] = &[(1, NINE), (5, TEN), (6, TEN), (7, TEN), (9, NINE)];
        let other: &[(u32, &str)] = &[(2, TEN), (8, TEN)];
        assert_eq!(looked_back([back, other]), told(["09", "02"], Some("09")));
        // The two never had it at the same time.
        let back: &[(u32, &str)] = &[
            (1, NINE),
            (3, "Nichts."),
            (4, "Nichts."),
            (5, "Nichts."),
            (9, NINE),
        ];
        let between: &[(u32, &str)] = &[(6, NINE), (8, TEN)];
        assert_eq!(looked_back([back, between]), told(["09", "08"], None));
    }

    #[test]
    fn what_was_never_the_same_has_not_parted() {
        let one: &[(u32, &str)] = &[(1, NINE), (9, NINE)];
        let other: &[(u32, &str)] = &[(2, ELEVEN), (3, ELEVEN)];
        assert_eq!(looked_back([one, other]), told(["01", "02"], None));
        // One article came to be when the other had been changed already.
        let earlier: &[(u32, &str)] = &[(1, ELEVEN), (2, NINE)];
        let later: &[(u32, &str)] = &[(5, ELEVEN), (6, ELEVEN)];
        assert_eq!(looked_back([earlier, later]), told(["02", "05"], None));
    }

    #[test]
    fn a_single_revision_does_not_tell_since_when() {
        let changed: &[(u32, &str)] = &[(1, NINE), (3, TEN)];
        let (since, parted) = looked_back([&[(2, NINE)], changed]);
        assert_eq!(since, [None, Some("03".to_string())]);
        assert_eq!(parted.as_deref(), Some("03"));
    }

    #[test]
    fn what_two_sentences_share_is_cut_between_characters() {
        let drift = Drift::new(["人口为1200人。".to_string(), "人口为1300人。".to_string()]);
        assert_eq!(drift.alike, Some(("人口为1".len(), "00人。".len())));
        assert_eq!(Drift::new(["a".repeat(9), "b".repeat(9)]).alike, None);
        // Nothing counts on both sides.
        let drift = Drift::new(["in the end".to_string(), "in the the end".to_string()]);
        assert_eq!(drift.alike, Some(("in the ".len(), "end".len())));
    }
}
