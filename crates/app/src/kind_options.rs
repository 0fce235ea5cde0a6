//! Which pairs remove a record, by what is between its two records.

use std::str::FromStr;

use clap::Args;
use lookalike::Spec;
use lookalike::pair::assemble::Difference;
use lookalike::text::UnknownOption;

/// Which pairs remove a record.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct KindArguments {
    /// Kinds of pairs that lead to a removal: same, wording, other-name, other-number, edition, or all of these [default:
    /// same,wording]
    #[arg(long, value_name = "KIND,…")]
    remove_kinds: Option<RemovedKinds>,
}

impl KindArguments {
    /// What was chosen, if anything was.
    pub(crate) fn chosen(&self) -> Option<Vec<Difference>> {
        self.remove_kinds.clone().map(|kinds| kinds.0)
    }

    /// Writes it over what a preset or a configuration says.
    pub(crate) fn apply(&self, spec: &mut Spec) {
        if let Some(kinds) = self.chosen() {
            spec.remove_kinds = Some(kinds);
        }
    }
}

/// Kinds as they are given: `same,wording` or `all`.
#[derive(Debug, Clone)]
struct RemovedKinds(Vec<Difference>);

impl FromStr for RemovedKinds {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        if given == "all" {
            return Ok(RemovedKinds(Difference::ALL.to_vec()));
        }
        let kind = |kind: &str| -> Result<Difference, UnknownOption> { kind.trim().parse() };
        let kinds: Result<_, _> = given.split(',').map(kind).collect();
        let mut kinds: Vec<Difference> =
            kinds.map_err(|error| format!("{error}, or all for all of them"))?;
        kinds.sort_unstable();
        kinds.dedup();
        Ok(RemovedKinds(kinds))
    }
}
