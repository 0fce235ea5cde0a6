//! `lookalike show [DIR]`: the pairs, passages, clusters and templates of a result, differences marked.

mod choose;
mod clusters;
mod pager;
mod side_by_side;
mod stored;
mod suggestions;
mod templates;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use lookalike::pair::assemble::alignment::Relation;
use lookalike::pair::assemble::{Difference, Kind};

use self::choose::{Choice, Order};
use self::stored::{Chosen, Stored};
use self::suggestions::Suggestions;
use super::Run;
use crate::options::fraction;
use crate::screen::terminal::Terminal;
use crate::screen::{counted, safe, thousands};

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Folder of a finished result
    #[arg(default_value = "lookalike-out", value_name = "DIR")]
    result: PathBuf,
    /// Show at most N
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Show the least similar pairs first (similarity), those whose kind is most certain (confidence), or the largest clusters
    /// (size) [default: in input order, or by confidence where kinds were chosen]
    #[arg(long, value_name = "ORDER")]
    sort: Option<Sort>,
    /// Show pairs closest to this similarity first
    #[arg(long, value_name = "0..1", conflicts_with = "sort", value_parser = similarity)]
    near: Option<f64>,
    /// Show N pairs from all over the result, the same ones every time
    #[arg(long, value_name = "N", conflicts_with_all = ["sort", "near", "limit"])]
    sample: Option<usize>,
    /// Show only pairs with the record that has this id, as in pairs.jsonl; a title is none
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Show only pairs of this kind, as in factual-drift, or with this relation, as in contains
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Show the cluster of the record with this id, each member beside the one that is kept
    #[arg(long, value_name = "ID", conflicts_with_all = ["sort", "near", "sample", "kind", "id"])]
    cluster: Option<String>,
    /// Show templates of messages, the largest first: what their variants have in common, and what fills the slots
    #[arg(long, conflicts_with_all = ["sort", "near", "sample", "kind", "cluster"])]
    templates: bool,
    /// Print the rows that would be shown, as JSON Lines
    #[arg(long)]
    json: bool,
    /// Do not use a pager, even on a terminal
    #[arg(long)]
    no_pager: bool,
}

/// Whether pairs of some job can be of this kind.
fn is_kind(name: &str) -> bool {
    let of_sentences = Kind::ALL.iter().any(|kind| kind.name() == name);
    let of_records = Difference::ALL.iter().any(|kind| kind.name() == name);
    of_sentences || of_records || Relation::ALL.iter().any(|kind| kind.name() == name)
}

/// That no pair is of a kind, and which kinds there are.
fn no_such_kind(kind: &str, chosen: &Chosen) -> String {
    let kinds: Vec<&str> = chosen.kinds.iter().map(String::as_str).collect();
    let kind = safe(kind);
    match kinds.is_empty() {
        true => format!("No pair is {kind}: this result has no kinds"),
        false => {
            let kinds = safe(kinds.join(", "));
            format!("No pair is {kind}; the kinds in this result are: {kinds}")
        }
    }
}

/// For clap: a number that a similarity can be.
fn similarity(text: &str) -> Result<f64, String> {
    let number = Some(fraction(text)?).filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is needed, as in 0.8".to_string())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Least similar first
    Similarity,
    /// Most certain of their kind first
    Confidence,
    /// Largest clusters first
    Size,
}

impl Run for Show {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let result = Stored::open(&self.result)?;
        let page = if self.templates {
            self.templates(&result)?
        } else if self.sort == Some(Sort::Size) {
            self.clusters(&result)?
        } else if let Some(id) = &self.cluster {
            self.cluster(&result, id)?
        } else {
            self.pairs(&result)?
        };
        if self.json || self.no_pager {
            anstream::stdout().write_all(page.as_bytes())?;
        } else {
            pager::print(&page)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Show {
    fn choice(&self, result: &Stored) -> Choice<'_> {
        let kinds = &result.0.summary.parameters.sentences.kinds;
        Choice {
            most: self.sample.unwrap_or(self.limit),
            order: match (self.sort, self.near, self.sample) {
                (Some(Sort::Confidence), ..) => Order::MostCertain,
                (Some(_), ..) => Order::LeastSimilar,
                (_, Some(near), _) => Order::Near(near),
                (_, _, Some(_)) => Order::Sampled,
                _ if self.kind.is_some() || !kinds.is_empty() => Order::MostCertain,
                _ => Order::AsListed,
            },
            id: self.id.as_deref(),
            kind: self.kind.as_deref(),
        }
    }

    fn pairs(&self, result: &Stored) -> anyhow::Result<String> {
        let chosen = result.choose(&self.choice(result))?;
        let of_id = self.id.as_deref().filter(|_| self.kind.is_none());
        let suggested = of_id.map(|id| Suggestions::of(result, id)).transpose()?;
        let suggested = suggested.flatten();
        if chosen.rows.is_empty() && suggested.is_none() {
            self.check_names(result, &chosen)?;
        }
        if self.json {
            let suggested = suggested.map(|suggested| suggested.line + "\n");
            return Ok(chosen.lines() + &suggested.unwrap_or_default());
        }
        let mut page = match chosen.rows.is_empty() {
            true => self.no_pair(result, &chosen),
            false => self.shown(result, &chosen)?,
        };
        if let Some(suggested) = suggested {
            page += &format!("\n{}", suggested.page(result));
        }
        Ok(page)
    }

    /// Ends with an error where the id or the kind is that of nothing: then it is a slip.
    fn check_names(&self, result: &Stored, chosen: &Chosen) -> anyhow::Result<()> {
        if let Some(id) = &self.id
            && let Some(unknown) = result.unknown_id(id)?
        {
            bail!("{unknown}");
        }
        match &self.kind {
            Some(kind) if !is_kind(kind) && !chosen.kinds.contains(kind) => {
                bail!("{}", no_such_kind(kind, chosen))
            }
            _ => Ok(()),
        }
    }

    /// Says what there is instead.
    fn no_pair(&self, result: &Stored, chosen: &Chosen) -> String {
        let pairs = counted(result.0.summary.counts.pairs, "pair");
        match (&self.kind, &self.id) {
            (Some(kind), _) if !chosen.kinds.contains(kind) => {
                format!("{}.\n", no_such_kind(kind, chosen))
            }
            (Some(_), Some(id)) => {
                let id = safe(id);
                format!("No pair with the record {id} matches; the result has {pairs}.\n")
            }
            (None, Some(id)) => {
                format!(
                    "The record {} is in no pair; the result has {pairs}.\n",
                    safe(id)
                )
            }
            (None, None) if result.0.summary.suggestions.is_some() => {
                format!("The result has {pairs}; --id ID shows what is most similar to a record.\n")
            }
            _ if self.limit == 0 => format!("The result has {pairs}; none is shown.\n"),
            _ => format!("No pair matches; the result has {pairs}.\n"),
        }
    }

    /// The chosen rows with their texts, and how many more there are.
    fn shown(&self, result: &Stored, chosen: &Chosen) -> anyhow::Result<String> {
        let terminal = Terminal::new(false);
        let texts = result.texts(&chosen.rows)?;
        let mut page = String::new();
        for row in &chosen.rows {
            page += &side_by_side::heading(row, &texts);
            page += &side_by_side::columns(row, &texts, &terminal);
            page.push('\n');
        }
        let left = chosen.fitting.saturating_sub(chosen.rows.len() as u64);
        if left > 0 {
            page += &format!("{} more; --limit N shows N of them\n", thousands(left));
        }
        Ok(page)
    }

    fn cluster(&self, result: &Stored, id: &str) -> anyhow::Result<String> {
        let Some(chosen) = clusters::around(result, id, self.limit)? else {
            bail!(
                "no cluster in {} has a member called {id}; --sort size shows the largest clusters",
                self.result.display()
            );
        };
        match self.json {
            true => Ok(chosen.lines()),
            false => self.shown(result, &chosen),
        }
    }

    fn templates(&self, result: &Stored) -> anyhow::Result<String> {
        let largest = templates::largest(result, self.id.as_deref(), self.limit)?;
        if self.json {
            return Ok(largest.lines());
        }
        Ok(match largest.rows.is_empty() {
            true => "No template matches; only results of messages have templates, and those that recluster made have none.\n"
                .to_string(),
            false => largest.page(),
        })
    }

    fn clusters(&self, result: &Stored) -> anyhow::Result<String> {
        let largest = clusters::largest(result, self.limit)?;
        if self.json {
            return Ok(largest
                .iter()
                .map(|cluster| format!("{}\n", cluster.line))
                .collect());
        }
        clusters::page(result, &largest)
    }
}
