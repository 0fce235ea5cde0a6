//! Clusters of ids.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::value::RawValue;

use super::Id;
use super::lines::{self, Object, kind_of};
use crate::Error;

/// The cluster of each record. A record that is not in it is alone.
pub type Clusters = BTreeMap<Id, Id>;

const FORMS: &str =
    "a line is {\"cluster\": id, \"members\": [id, …]} or {\"id\": id, \"cluster\": id}";

/// Reads clusters in either form, also `clusters.jsonl` of a result; `name` is for messages. The id of a cluster is
/// only its name: it need not be that of a member, and lines with the same one say more about the same cluster.
///
/// # Errors
/// If the input cannot be read, if a line is malformed, or if a record is listed twice.
pub fn read_clusters(name: &str, input: impl BufRead) -> Result<Clusters, Error> {
    let mut lines_of = BTreeMap::new();
    let mut clusters = Clusters::new();
    lines::for_each(name, input, |line, object| {
        let (cluster, members) = parse(&object)?;
        for member in members {
            if let Some(earlier) = lines_of.insert(member.clone(), line) {
                return Err(format!(
                    "{member} is already listed in line {earlier}; a record belongs to one cluster, once"
                ));
            }
            // Alone: as if it were not listed.
            if let Some(cluster) = &cluster {
                clusters.insert(member, cluster.clone());
            }
        }
        Ok(())
    })?;
    Ok(clusters)
}

/// The name of the cluster, none if it is null, and what is listed in it.
fn parse(object: &Object) -> Result<(Option<Id>, Vec<Id>), String> {
    let value = object
        .get("cluster")
        .ok_or_else(|| format!("\"cluster\" is missing; {FORMS}"))?;
    let cluster = match value.get() {
        "null" => None,
        _ => Some(id("cluster", value)?),
    };
    match (object.get("members"), object.get("id")) {
        (Some(value), _) => {
            let members: Vec<&RawValue> = serde_json::from_str(value.get())
                .map_err(|_| format!("\"members\" is {}, not a list; {FORMS}", kind_of(value)))?;
            let ids = members.into_iter().map(|member| id("members", member));
            Ok((cluster, ids.collect::<Result<_, _>>()?))
        }
        (None, Some(member)) => Ok((cluster, vec![id("id", member)?])),
        (None, None) => Err(format!("neither \"members\" nor \"id\"; {FORMS}")),
    }
}

fn id(name: &str, value: &RawValue) -> Result<Id, String> {
    Id::from_json(value.get()).ok_or_else(|| {
        let kind = kind_of(value);
        format!("{kind} in \"{name}\", but an id is a string or a number; {FORMS}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Clusters, Error> {
        read_clusters("clusters.jsonl", text.as_bytes())
    }

    #[test]
    fn both_forms_say_the_same() {
        let members = read("{\"cluster\": \"甲\", \"size\": 2, \"members\": [\"甲\", 7]}").unwrap();
        let single = "{\"id\": 7, \"cluster\": \"甲\"}\n{\"id\": \"甲\", \"cluster\": \"甲\"}\n{\"id\": 8, \"cluster\": null}";
        assert_eq!(members, read(single).unwrap());
        assert_eq!(members[&Id::from(7)], Id::from("甲"));
    }

    #[test]
    fn the_name_of_a_cluster_is_not_a_member() {
        let clusters = read("{\"cluster\": \"laws\", \"members\": [1, 2]}").unwrap();
        assert_eq!(clusters.len(), 2);
    }

    #[test]
    fn a_record_listed_twice_is_refused() {
        let text = "{\"cluster\": 1, \"members\": [1, 2]}\n{\"cluster\": 3, \"members\": [3, 2]}";
        assert_eq!(
            read(text).unwrap_err().to_string(),
            "clusters.jsonl, line 2: 2 is already listed in line 1; a record belongs to one cluster, once"
        );
    }

    #[test]
    fn malformed_lines_are_refused_with_the_form() {
        for (line, problem) in [
            ("{\"members\": [1]}", "\"cluster\" is missing; a line is"),
            (
                "{\"cluster\": 1}",
                "neither \"members\" nor \"id\"; a line is",
            ),
            (
                "{\"cluster\": 1, \"members\": 4}",
                "\"members\" is a number, not a list; a line is",
            ),
            (
                "{\"cluster\": 1, \"members\": [[2]]}",
                "a list in \"members\", but an id is",
            ),
        ] {
            let error = read(line).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
