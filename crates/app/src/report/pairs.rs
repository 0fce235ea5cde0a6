//! The pairs of a page: all, or those nearest to the threshold, those that say why clusters are, and a sample of every kind and
//! similarity.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lookalike_kernel::rows::{SimilarityBin, Table};
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash64;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::clusters::Clusters;
use super::first::First;
use super::overall::Steps;
use super::tables::Rows;
use super::units::Units;
use crate::Error;
use crate::finished::{Finished, Side};

/// The pairs of a page.
#[derive(Debug, Default, Serialize)]
pub(super) struct Pairs {
    /// How many the result has.
    pub(super) all: u64,
    /// Those that are in the page, in the order of the result.
    pub(super) rows: Vec<PagePair>,
    /// How many there are of each kind, of all.
    pub(super) kinds: BTreeMap<String, u64>,
}

/// A pair of the page.
#[derive(Debug, Serialize)]
pub(super) struct PagePair {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) similarity: Option<f64>,
    /// All else that the row says.
    pub(super) row: BTreeMap<String, Box<RawValue>>,
    /// Where the passages are that both share.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) passages: Vec<super::passages::PagePassage>,
}

/// What rows of all jobs have.
#[derive(Deserialize)]
pub(super) struct RawPair<'l> {
    #[serde(borrow)]
    pub(super) a: &'l RawValue,
    #[serde(borrow)]
    pub(super) b: &'l RawValue,
    pub(super) similarity: Option<f64>,
    #[serde(borrow)]
    kind: Option<Cow<'l, str>>,
    #[serde(borrow)]
    relation: Option<Cow<'l, str>>,
}

impl RawPair<'_> {
    /// What kind of pair it is, or what two documents are to each other.
    pub(super) fn kind(&self) -> &str {
        let kind = self.kind.as_ref().or(self.relation.as_ref());
        kind.map_or("", |kind| kind)
    }
}

#[derive(Deserialize)]
struct RawName<'l> {
    #[serde(borrow)]
    id: &'l RawValue,
    sentence: Option<u32>,
}

/// What a side of a pair is known by, as a number.
pub(super) fn name_of(side: &RawValue) -> u64 {
    let json = side.get();
    let object = json
        .starts_with('{')
        .then(|| serde_json::from_str::<RawName<'_>>(json).ok());
    match object.flatten() {
        Some(name) => name_number(name.id.get(), name.sentence),
        None => name_number(json, None),
    }
}

fn name_number(id: &str, sentence: Option<u32>) -> u64 {
    let seed = sentence.map_or(0, |sentence| u64::from(sentence) + 1);
    hash64(id.as_bytes(), Seed(seed))
}

/// The pairs that are wanted because they say why a cluster is one, by the names of both sides.
#[derive(Debug, Default)]
pub(super) struct Links {
    names: Vec<u64>,
    pairs: Vec<(u64, u64)>,
}

impl Links {
    /// Of each member and the one that is kept, the largest clusters first, at most so many.
    pub(super) fn new(clusters: &Clusters, units: &Units, most: usize) -> Self {
        let name = |unit: u32| {
            let unit = &units.list[unit as usize];
            name_number(&unit.id.to_string(), unit.sentence)
        };
        let mut pairs = Vec::new();
        for (members, &kept) in clusters.members.iter().zip(&clusters.kept) {
            let kept = members[kept as usize];
            let others = members.iter().filter(|&&member| member != kept);
            pairs.extend(others.map(|&member| ordered(name(member), name(kept))));
            if pairs.len() >= most {
                break;
            }
        }
        pairs.truncate(most);
        let mut names: Vec<u64> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        names.sort_unstable();
        names.dedup();
        pairs.sort_unstable();
        Links { names, pairs }
    }

    fn has(&self, raw: &RawPair<'_>) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let a = name_of(raw.a);
        self.names.binary_search(&a).is_ok()
            && self
                .pairs
                .binary_search(&ordered(a, name_of(raw.b)))
                .is_ok()
    }
}

fn ordered(a: u64, b: u64) -> (u64, u64) {
    (a.min(b), a.max(b))
}

/// Keeps lines of pairs, however many there are.
struct Chooser<'c> {
    links: &'c Links,
    is_all: bool,
    linked: BTreeMap<u64, String>,
    weakest: First<String>,
    strata: BTreeMap<(String, usize), First<String>>,
    of_stratum: usize,
}

impl Chooser<'_> {
    fn offer(&mut self, line: &str, raw: &RawPair<'_>, order: u64) {
        if self.is_all || self.links.has(raw) {
            self.linked.insert(order, line.to_string());
            return;
        }
        // Similarities are not negative, so that their bits order as they do.
        let weakness = raw.similarity.map_or(u64::MAX, f64::to_bits);
        if self.weakest.wants(weakness, order) {
            self.weakest.offer(weakness, order, line.to_string());
        }
        let bin = SimilarityBin::number(raw.similarity.unwrap_or_default());
        let sample = hash64(line.as_bytes(), Seed(1));
        let most = self.of_stratum;
        let stratum = (self.strata)
            .entry((raw.kind().to_string(), bin))
            .or_insert_with(|| First::new(most));
        if stratum.wants(sample, order) {
            stratum.offer(sample, order, line.to_string());
        }
    }

    /// In the order of the result, at most so many and those that are linked: of every stratum as many as of any other.
    fn finish(self, most: usize) -> BTreeMap<u64, String> {
        let mut chosen = self.linked;
        chosen.extend(self.weakest.finish());
        let strata = self.strata.into_values();
        let mut strata: Vec<_> = strata.map(|first| first.finish().into_iter()).collect();
        while chosen.len() < most && !strata.is_empty() {
            strata.retain_mut(|stratum| match stratum.next() {
                Some((order, line)) if chosen.len() < most => {
                    chosen.insert(order, line);
                    true
                }
                _ => false,
            });
        }
        chosen
    }
}

/// Chooses the pairs of a page, at most so many, and counts all of them.
pub(super) fn choose(
    result: &Finished,
    links: &Links,
    most: usize,
    (units, steps): (&mut Units, &mut Steps),
) -> Result<Pairs, Error> {
    let mut chooser = Chooser {
        links,
        is_all: result.summary.counts.pairs <= most as u64,
        linked: BTreeMap::new(),
        weakest: First::new(most / 4),
        strata: BTreeMap::new(),
        of_stratum: (most / 8).max(1),
    };
    let mut pairs = Pairs::default();
    result.for_each_line(Table::Pairs, |line| {
        let raw: RawPair<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        steps.count_pair(raw.similarity);
        match pairs.kinds.get_mut(raw.kind()) {
            Some(count) => *count += 1,
            None => _ = pairs.kinds.insert(raw.kind().to_string(), 1),
        }
        chooser.offer(line, &raw, pairs.all);
        pairs.all += 1;
        Ok(())
    })?;
    let is_against = !result.summary.against.is_empty();
    let chosen = chooser.finish(most).into_values();
    pairs.rows = chosen
        .filter_map(|line| page_pair(&line, is_against, units))
        .collect();
    Ok(pairs)
}

/// So many of the pairs that an audit saw are in the page, of each kind.
const MOST_AUDITED: usize = 250;

/// Pairs of an audit that are not listed, the most similar first; none where there was no audit.
pub(super) fn audited(
    result: &Finished,
    units: &mut Units,
) -> Result<Option<Rows<PagePair>>, Error> {
    #[derive(Deserialize)]
    struct RawAudited {
        similarity: f64,
        missed: bool,
    }
    if !result.has(Table::Audited) {
        return Ok(None);
    }
    let mut first = [First::new(MOST_AUDITED), First::new(MOST_AUDITED)];
    let mut all = 0;
    result.for_each_line(Table::Audited, |line| {
        let raw: RawAudited = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let key = (1.0 - raw.similarity).max(0.0).to_bits();
        first[usize::from(raw.missed)].offer(key, all, line.to_string());
        all += 1;
        Ok(())
    })?;
    let is_against = !result.summary.against.is_empty();
    let [below, missed] = first.map(First::finish);
    let lines = missed.iter().chain(&below);
    let rows = lines.filter_map(|(_, line)| page_pair(line, is_against, units));
    let rows = rows.collect();
    Ok(Some(Rows { all, rows }))
}

/// A line of pairs as the page has it.
pub(super) fn page_pair(line: &str, is_against: bool, units: &mut Units) -> Option<PagePair> {
    let mut row: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).ok()?;
    let mut side = |name: &str, is_against: bool| {
        let mut side = Side::read(&row.remove(name)?)?;
        if let Some(text) = row.remove(&format!("text_{name}")) {
            side.text = side.text.take().or(serde_json::from_str(text.get()).ok());
        }
        if let Some(number) = row.remove(&format!("sentence_{name}")) {
            side.sentence = number.get().parse().ok();
        }
        Some(units.add(&side, is_against))
    };
    let (a, b) = (side("a", false)?, side("b", is_against)?);
    let similarity = row.remove("similarity")?;
    // Tables that are no JSON Lines say what these leave out.
    row.retain(|name, value| {
        !matches!(
            (name.as_str(), value.get()),
            (_, "null") | ("verified", "true")
        )
    });
    Some(PagePair {
        a,
        b,
        similarity: similarity.get().parse().ok(),
        row,
        passages: Vec::new(),
    })
}
