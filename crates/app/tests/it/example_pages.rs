//! `passages` on the example corpus: every relation comes out as it was put in.

use std::collections::BTreeMap;

use crate::support::{self, Place};
use serde_json::Value;

/// The relation of each pair, and the members of each group.
type Found = (BTreeMap<[String; 2], String>, BTreeMap<String, Vec<String>>);

fn passages(options: &str) -> Found {
    let place = Place::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pages.jsonl");
    let mut command = place.command("passages --out out");
    command.arg(examples).args(options.split_whitespace());
    support::ran(&mut command).exits(0);
    let lines = |name: &str| -> Vec<Value> {
        let lines = place.read(name);
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let mut pairs = BTreeMap::new();
    for pair in lines("out/pairs.jsonl") {
        let mut ids = [text(&pair["a"]), text(&pair["b"])];
        let mut relation = text(&pair["relation"]);
        if ids[0] > ids[1] {
            ids.reverse();
            relation = match relation.as_str() {
                "contains" => "contained".to_string(),
                "contained" => "contains".to_string(),
                _ => relation,
            };
        }
        pairs.insert(ids, relation);
    }
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for cluster in lines("out/clusters.jsonl") {
        let members = cluster["members"].as_array().unwrap().iter().map(text);
        let mut members: Vec<String> = members.collect();
        members.sort();
        let relation = text(&cluster["relation"]);
        groups.entry(relation).or_default().push(members.join(" "));
    }
    groups.values_mut().for_each(|groups| groups.sort());
    (pairs, groups)
}

#[test]
fn every_relation_comes_out_as_it_was_put_in() {
    let (pairs, groups) = passages("--common-limit 5");
    let expected = [
        (["column", "light"], "quotes"),
        (["column", "light-reprint"], "quotes"),
        (["digest", "news-1"], "contains"),
        (["digest", "news-2"], "contains"),
        (["digest", "news-3"], "contains"),
        (["digest", "news-4"], "contains"),
        (["light", "light-reprint"], "near-duplicate"),
        (["story", "story-1"], "contains"),
        (["story", "story-2"], "contains"),
        (["story", "story-3"], "contains"),
        (["survey", "village"], "quotes"),
        (["tale", "tale-1"], "contains"),
        (["tale", "tale-2"], "contains"),
    ];
    let expected = expected.map(|(ids, relation)| (ids.map(str::to_string), relation.to_string()));
    assert_eq!(pairs, BTreeMap::from(expected));
    assert_eq!(groups["near-duplicate"], ["light light-reprint"]);
    assert_eq!(groups["collection"], ["digest news-1 news-2 news-3 news-4"]);
    assert_eq!(
        groups["multi-page"],
        ["story story-1 story-2 story-3", "tale tale-1 tale-2"]
    );
}

#[test]
fn the_frame_of_a_site_is_no_quotation_whatever_the_limit() {
    assert_eq!(passages("--common-limit 5"), passages(""));
}
