//! An index as the corpus of a job: what is not given comes from the index, and what contradicts it is refused.

use std::path::Path;
use std::sync::Arc;

use lookalike::index::{OpenOptions, Reader, View};
use lookalike::{SeedSpec, Spec, is_index};
use toml::{Table, Value};

use crate::wording::Usage;

/// The index that is named as the corpus, if it is one.
pub(super) fn open(against: &[String], spec: &Spec) -> anyhow::Result<Option<Arc<View>>> {
    if !against.iter().any(|name| is_index(Path::new(name))) {
        return Ok(None);
    }
    let [name] = against else {
        let problem = "an index cannot be combined with other files: name it alone with --against, or combine indexes with index merge";
        return Err(Usage(problem.to_string()).into());
    };
    let seed = Some(spec.seed).filter(|seed| matches!(seed, SeedSpec::Secret(_)));
    let options = OpenOptions::default().with(|options| options.seed = seed);
    Ok(Some(Reader::open(Path::new(name), &options)?.view()?))
}

/// The tables of settings that decide what is found; what is read may differ.
const DECIDING: [&str; 10] = [
    "threshold",
    "seed",
    "text",
    "features",
    "terms",
    "keys",
    "imatch",
    "verify",
    "model",
    "weights",
];

/// The settings of the index with what is given beside them, if that goes together.
pub(super) fn settled(name: &str, index: &View, given: Option<Spec>) -> anyhow::Result<Spec> {
    let of_index = index.spec();
    let Some(given) = given else {
        let job = of_index.job.name();
        let problem = format!(
            "{name} is an index of {job}; only indexes of documents, messages and passages can be used with --against, by the job they were created for"
        );
        return Err(Usage(problem).into());
    };
    let table =
        |spec: &Spec| -> anyhow::Result<Table> { Ok(toml::from_str(&toml::to_string(spec)?)?) };
    let (wanted, there) = (table(&given)?, table(of_index)?);
    for setting in DECIDING {
        if let Some((path, wanted, there)) =
            difference(setting, wanted.get(setting), there.get(setting))
        {
            let problem = format!(
                "{path} is {wanted}, but the index {name} was created with {there}; leave the option out, or create another index"
            );
            return Err(Usage(problem).into());
        }
    }
    Ok(given)
}

/// The first setting in which two differ, and both its values.
fn difference(
    path: &str,
    a: Option<&Value>,
    b: Option<&Value>,
) -> Option<(String, String, String)> {
    let shown = |value: Option<&Value>| value.map_or("not set".to_string(), Value::to_string);
    match (a, b) {
        (Some(Value::Table(a)), Some(Value::Table(b))) => {
            let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
            names.sort();
            names.dedup();
            let of =
                |name: &String| difference(&format!("{path}.{name}"), a.get(name), b.get(name));
            names.into_iter().find_map(of)
        }
        _ if a == b => None,
        _ => Some((path.to_string(), shown(a), shown(b))),
    }
}
