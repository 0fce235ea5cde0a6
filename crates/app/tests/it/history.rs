//! `lookalike sentences --history`: when did two sentences part?

use serde_json::Value;

use crate::sentences::dump;
use crate::support::Place;

/// A page with its revisions: a year and the text then.
fn page(id: u32, title: &str, revisions: &[(u32, &str)]) -> String {
    let revision = |(number, (year, text)): (usize, &(u32, &str))| {
        format!(
            "<revision><id>{id}{number}</id><timestamp>{year}-03-01T00:00:00Z</timestamp>\
             <text xml:space=\"preserve\">{text}</text></revision>\n"
        )
    };
    let revisions: String = revisions.iter().enumerate().map(revision).collect();
    format!("<page><title>{title}</title><ns>0</ns><id>{id}</id>{revisions}</page>\n")
}

fn flood(houses: &str) -> String {
    format!(
        "In February 1784 ice dammed the river below the crossing, and the flood that followed carried away {houses} \
         houses and the only bridge."
    )
}

fn history() -> String {
    let [nine, eleven] = ["nine", "eleven"].map(flood);
    let with =
        |said: &str| format!("'''Wend''' is a [[river]] in the north of the country.\n\n{said}");
    let without = with("Nothing is known of the bridge and of those who built it.");
    dump(&[
        page(
            3,
            "Kettlebridge",
            &[(2009, &nine), (2012, ""), (2013, &nine)],
        ),
        page(
            4,
            "Unrelated",
            &[(2001, "The mill of the village was sold to a baker.")],
        ),
        page(
            5,
            "River Wend",
            &[
                (2008, &without),
                (2010, &with(&nine)),
                (2011, &without),
                (2014, &with(&nine)),
                (2015, &with(&eleven)),
                (2017, &with(&eleven)),
            ],
        ),
    ])
}

fn drift(place: &Place, arguments: &str) -> Value {
    let ran = place.run(&format!("sentences --out out {arguments}"));
    ran.exits(0);
    let mut drifts = place.lines("pairs.jsonl");
    drifts.retain(|pair| pair["kind"] == "factual-drift");
    assert_eq!(drifts.len(), 1, "{drifts:?}");
    drifts.remove(0)
}

#[test]
fn revisions_of_a_dump_tell_when_two_sentences_parted() {
    let place = Place::new();
    place.write("wiki.xml", history());
    let pair = drift(&place, "wiki.xml --history");
    assert_eq!(pair["a"]["title"], "Kettlebridge");
    assert_eq!(pair["since_a"], "2009-03-01T00:00:00Z");
    assert_eq!(pair["since_b"], "2015-03-01T00:00:00Z");
    assert_eq!(pair["parted"], "2015-03-01T00:00:00Z");
    let shown = place.run("show out").exits(0).out;
    assert!(shown.contains("; parted 2015-03-01"), "{shown}");
    let plain = drift(&place, "wiki.xml");
    for name in ["since_a", "since_b", "parted"] {
        assert!(plain.get(name).is_none(), "{plain}");
    }
    // The same for any number of threads, and if the other article is in another dump.
    assert_eq!(drift(&place, "wiki.xml --history --threads 3"), pair);
    place.write("other.xml", history());
    let across = drift(
        &place,
        "wiki.xml --against other.xml --history --limit 1 --kinds factual-drift",
    );
    assert_eq!(across["b"]["title"], "River Wend");
    assert_eq!(across["parted"], pair["parted"]);
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    let counts = &summary["counts"];
    // The one sentence of the input is in the other dump, whose own sentences do not count.
    assert_eq!(
        (&counts["removed"], &counts["kept"]),
        (&1.into(), &0.into())
    );
}

#[test]
fn the_history_is_kept_in_tables_of_other_formats() {
    let place = Place::new();
    place.write("wiki.xml", history());
    place
        .run("sentences --out out wiki.xml --history --output-format csv")
        .exits(0);
    let table = std::fs::read_to_string(place.root().join("out/pairs.csv")).unwrap();
    let head = table.lines().next().unwrap();
    assert!(head.ends_with("since_a,since_b,parted"), "{head}");
    assert!(table.contains("2015-03-01T00:00:00Z"), "{table}");
}

#[test]
fn a_dump_of_current_revisions_does_not_say_since_when() {
    let place = Place::new();
    let [nine, eleven] = ["nine", "eleven"].map(flood);
    let pages = [
        page(3, "Kettlebridge", &[(2013, &nine)]),
        page(5, "River Wend", &[(2017, &eleven)]),
    ];
    place.write("wiki.xml", dump(&pages));
    let ran = place.run("sentences --out out wiki.xml --history").exits(0);
    assert!(ran.out.contains("pages-meta-history"), "{}", ran.out);
    let pairs = place.lines("pairs.jsonl");
    assert_eq!(pairs[0]["kind"], "factual-drift");
    for name in ["since_a", "since_b", "parted"] {
        assert!(pairs[0].get(name).is_none_or(Value::is_null), "{pairs:?}");
    }
    assert_eq!(pairs[0]["a"]["date"], "2013-03-01T00:00:00Z");
    let shown = place.run("show out").exits(0).out;
    assert!(!shown.contains("since"), "{shown}");
}

#[test]
fn what_has_no_revisions_has_no_history() {
    let place = Place::new();
    place.write(
        "texts.jsonl",
        "{\"id\":1,\"text\":\"A sentence that stands alone.\"}\n",
    );
    place
        .run("sentences texts.jsonl --out out --history")
        .refused_with(&["--history", "MediaWiki dump"]);
}
