//! `report.html`: one page that shows a result, without a network and without anything beside it.
//!
//! In: a finished result, and the texts behind it. Out: a page that holds as much of the result as fits (`limit`, and
//! [`MOST_BYTES`] in all), chosen so that a person sees what matters: the largest clusters, the pairs nearest to the threshold,
//! every kind of pair. Counts are of all rows, whatever is in the page.

mod about;
mod changes;
mod clusters;
mod first;
mod overall;
mod page;
mod pairs;
mod passages;
mod tables;
mod texts;
mod units;

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use self::about::About;
use self::changes::Changes;
use self::clusters::Clusters;
use self::overall::{Removed, Steps};
use self::pairs::{Links, PagePair, Pairs};
use self::tables::{PageArticles, PageSuggestions, PageTemplate, Rows};
use self::units::{UnitColumns, Units};
use crate::Error;
use crate::finished::{Finished, unusable};
pub(crate) use texts::{Kept, ReadTexts};

/// No page is larger.
pub const MOST_BYTES: usize = 5_000_000;

/// What is in a page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReportOptions {
    /// At most so many clusters, and as many pairs.
    pub limit: usize,
    /// Other names instead of ids, titles and sources.
    pub anonymous: bool,
}

impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions {
            limit: 2000,
            anonymous: false,
        }
    }
}

/// All that the page is made of.
#[derive(Serialize)]
struct Data<'d> {
    about: About<'d>,
    steps: Steps,
    removed: Removed,
    units: UnitColumns,
    clusters: Clusters,
    pairs: Pairs,
    /// Pairs that an audit saw and that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    audited: Option<Rows<PagePair>>,
    articles: Rows<PageArticles>,
    suggestions: Rows<PageSuggestions>,
    templates: Rows<PageTemplate>,
    changes: Option<Changes>,
    /// Why there are no texts, where there are none.
    without_texts: Option<String>,
    limit: usize,
    anonymous: bool,
}

/// A page that shows a result.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReportPage {
    /// The page.
    pub html: String,
    /// Why it has no texts, where it has none.
    pub without_texts: Option<String>,
}

/// Whether a page that was made before has texts.
pub fn has_texts(html: &str) -> bool {
    html.contains("\"without_texts\":null")
}

/// Makes the page of a finished result.
///
/// # Errors
/// If the result cannot be read.
pub fn report(
    folder: &Path,
    with: Option<&Path>,
    options: &ReportOptions,
) -> Result<ReportPage, Error> {
    let result = Finished::open(folder)?;
    let with = with.map(Finished::open).transpose()?;
    if let Some(other) = &with {
        check_same_job(&result, other)?;
    }
    let texts = crate::texts_again::TextsAgain(&result.summary);
    let sources = Sources {
        result: &result,
        with: with.as_ref(),
        texts: &texts,
    };
    sources.make(options)
}

/// Results of different jobs list different things.
fn check_same_job(result: &Finished, other: &Finished) -> Result<(), Error> {
    let [job, other_job] = [result, other].map(|result| result.summary.parameters.job.name());
    if job == other_job {
        return Ok(());
    }
    let folder = result.folder().display();
    Err(unusable(
        other.folder(),
        format!(
            "it is a result of {other_job}, and {folder} is one of {job}; name a result of {job}"
        ),
    ))
}

/// What a page is made of.
pub(crate) struct Sources<'s> {
    /// The result.
    pub(crate) result: &'s Finished,
    /// The one that it is compared with.
    pub(crate) with: Option<&'s Finished>,
    /// The texts behind it.
    pub(crate) texts: &'s dyn ReadTexts,
}

impl<'s> Sources<'s> {
    /// Makes a page that is not too large: with less in it until it fits.
    pub(crate) fn make(&self, options: &ReportOptions) -> Result<ReportPage, Error> {
        let mut options = options.clone();
        loop {
            let data = self.gather(&options)?;
            let page = page::with_data(&data)?;
            if page.len() <= MOST_BYTES || options.limit == 0 {
                return Ok(ReportPage {
                    html: page,
                    without_texts: data.without_texts,
                });
            }
            // As many more as there are would not make it larger, and what is too much by a little takes a little less.
            let counts = &self.result.summary.counts;
            let most = counts.pairs.max(counts.clusters) as usize;
            let share = 0.9 * MOST_BYTES as f64 / page.len() as f64;
            let limit = options.limit.min(most);
            options.limit = ((limit as f64 * share) as usize).min(limit / 4 * 3);
        }
    }

    fn gather(&self, options: &ReportOptions) -> Result<Data<'s>, Error> {
        let result = self.result;
        let (mut units, mut steps) = (Units::new(result)?, Steps::default());
        let mut clusters = clusters::choose(result, options.limit, &mut units)?;
        let removed = overall::removed(result, &mut steps, (&mut clusters, &units))?;
        let links = Links::new(&clusters, &units, options.limit);
        let mut pairs = pairs::choose(result, &links, options.limit, (&mut units, &mut steps))?;
        let audited = pairs::audited(result, &mut units)?;
        let articles = tables::articles(result, &mut units)?;
        let templates = tables::templates(result, &mut units)?;
        let suggestions = tables::suggestions(result, &mut units)?;
        let changes = self
            .with
            .map(|with| changes::compare(result, with, &mut units));
        let mut changes = changes.transpose()?;
        units.locate(result)?;
        if let Some(with) = self.with.filter(|with| has_same_input(with, result)) {
            units.locate(with)?;
        }
        let mut important = important(&pairs, &clusters);
        let of_audit = audited.iter().flat_map(|audited| &audited.rows);
        let of_audit = of_audit.flat_map(|pair| [pair.a, pair.b]);
        important.splice(
            0..0,
            changes.iter().flat_map(Changes::units).chain(of_audit),
        );
        important.extend(suggestions.rows.iter().flat_map(PageSuggestions::units));
        let mut without_texts = texts::fill(&mut units, &important, self.texts);
        if suggestions.all > 0 && without_texts.is_none() {
            without_texts = texts::fill_unplaced(&mut units, self.texts);
        }
        if without_texts.is_some() && texts::fill_said(&mut units, &important) {
            without_texts = None;
        }
        passages::fill(result, &units, &mut pairs.rows)?;
        if options.anonymous {
            units.make_anonymous();
            changes.iter_mut().for_each(Changes::make_anonymous);
        }
        Ok(Data {
            about: About::new(&result.summary, options.anonymous),
            steps,
            removed,
            units: units.columns(),
            clusters,
            pairs,
            audited,
            articles,
            suggestions,
            templates,
            changes,
            without_texts,
            limit: options.limit,
            anonymous: options.anonymous,
        })
    }
}

/// Whether two results were made of the same records, so that these have the same numbers.
fn has_same_input(a: &Finished, b: &Finished) -> bool {
    a.summary.fingerprints == b.summary.fingerprints
}

/// Units in the order in which they get their texts: those of the weakest pairs, of the largest clusters, of all other pairs, and
/// of all other clusters.
fn important(pairs: &Pairs, clusters: &Clusters) -> Vec<u32> {
    const WEAKEST: usize = 200;
    const LARGEST: usize = 200;
    let mut by_weakness: Vec<&PagePair> = pairs.rows.iter().collect();
    by_weakness.sort_by(|a, b| {
        let similarity = |pair: &PagePair| pair.similarity.unwrap_or(1.0);
        similarity(a).total_cmp(&similarity(b))
    });
    let of_pairs = by_weakness.iter().flat_map(|pair| [pair.a, pair.b]);
    let of_clusters = clusters.members.iter().flatten().copied();
    let all = of_pairs.clone().take(2 * WEAKEST);
    let all = all.chain(clusters.members.iter().take(LARGEST).flatten().copied());
    let mut seen = BTreeSet::new();
    let all = all.chain(of_pairs.skip(2 * WEAKEST)).chain(of_clusters);
    all.filter(|unit| seen.insert(*unit)).collect()
}
