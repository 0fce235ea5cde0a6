//! `lookalike show` of clusters: each member is what it is called.

use serde_json::{Value, json};

use crate::support::Place;

const BARGES: &str = "Barges reached Marlstone from the sea until 1892, when the railway took over the trade in grain.";
const MILLS: &str =
    "The mills of the valley stood still in the dry summer of 1911, and bread was brought by boat.";

/// Three articles; two sentences of the first stand in others, changed.
fn articles() -> Place {
    let place = Place::new();
    let article = |id: u32, title: &str, text: &str| {
        format!("{}\n", json!({"id": id, "title": title, "text": text}))
    };
    let lines = article(
        1,
        "Marlstone",
        &format!("Marlstone is a town. {BARGES} {MILLS}"),
    ) + &article(
        2,
        "运河",
        &format!("The canal is old. {}", BARGES.replace("1892", "1890")),
    ) + &article(
        3,
        "Mills",
        &format!(
            "Mills grind corn. {} {}",
            MILLS.replace("1911", "1913"),
            BARGES.replace("grain", "corn")
        ),
    );
    place.write("pages.jsonl", lines);
    place
        .run("sentences pages.jsonl --out out --quiet")
        .exits(0);
    place
}

#[test]
fn the_members_of_a_cluster_of_sentences_are_its_sentences() {
    let place = articles();
    let page = place.run("show out --sort size").exits(0).out;
    let expected = "\
3 members
  Marlstone, sentence 1  Barges reached Marlstone from the sea until 1892, when the railway took over the trade in grain.
  运河, sentence 1  Barges reached Marlstone from the sea until 1890, when the railway took over the trade in grain.
  Mills, sentence 2  Barges reached Marlstone from the sea until 1892, when the railway took over the trade in corn.

2 members
  Marlstone, sentence 2  The mills of the valley stood still in the dry summer of 1911, and bread was brought by boat.
  Mills, sentence 1  The mills of the valley stood still in the dry summer of 1913, and bread was brought by boat.

";
    assert_eq!(page, expected);
}

#[test]
fn an_article_is_in_all_clusters_that_its_sentences_are_in() {
    let place = articles();
    let page = place.run("show out --cluster 3").exits(0).out;
    let headings: Vec<&str> = page.lines().filter(|line| line.contains(" – ")).collect();
    assert_eq!(headings.len(), 3, "{page}");
    for (heading, changed) in headings
        .iter()
        .zip(["1892 → 1890", "grain → corn", "1911 → 1913"])
    {
        assert!(
            heading.starts_with("0.") && heading.ends_with(changed),
            "{page}"
        );
    }
    assert!(
        page.contains("[-1911-]") && page.contains("{+1913+}"),
        "{page}"
    );
    let rows = place.run("show out --cluster 3 --json").exits(0).out;
    assert_eq!(rows, place.read("out/clusters.jsonl"));
}

#[test]
fn sentences_linked_by_way_of_others_are_not_called_unverified() {
    let place = Place::new();
    let words = |from: usize| -> String {
        let words: Vec<String> = (from..from + 24)
            .map(|number| format!("w{number}x"))
            .collect();
        format!("The {}.", words.join(" "))
    };
    let lines: String = [0, 4, 8]
        .into_iter()
        .map(|from| {
            let text = format!(
                "Something else entirely stands here, {from}. {}",
                words(from)
            );
            format!(
                "{}\n",
                json!({"id": from, "title": format!("篇{from}"), "text": text})
            )
        })
        .collect();
    place.write("pages.jsonl", lines);
    place
        .run("sentences pages.jsonl --out out --threshold 0.6 --edit-similarity 0 --quiet")
        .exits(0);
    let cluster = &place.lines("clusters.jsonl");
    let cluster: &Value = cluster.iter().find(|row| row["size"] == 3).unwrap();
    assert_eq!(cluster["members"].as_array().unwrap().len(), 3);
    let page = place.run("show out --cluster 8").exits(0).out;
    assert!(page.contains("linked through others  篇0 – 篇8"), "{page}");
    assert!(!page.contains("not verified"), "{page}");
}

#[test]
fn a_cluster_across_two_corpora_shows_the_texts_of_both() {
    let place = Place::new();
    let line = |id: u32, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    // The same ids for other texts.
    place.write(
        "batch.jsonl",
        line(1, MILLS) + &line(2, &BARGES.replace("1892", "1890")),
    );
    place.write("corpus.jsonl", line(2, MILLS) + &line(1, BARGES));
    place
        .documents("batch.jsonl --against corpus.jsonl --threshold 0.3 --quiet")
        .exits(0);
    let page = place.run("show out --cluster 1").exits(0).out;
    assert!(
        page.contains("{+1892+}") && page.contains("[-1890-]"),
        "{page}"
    );
    assert!(page.contains("1.000  1 – 2"), "{page}");
    let page = place.run("show out --sort size").exits(0).out;
    for said in [
        "  2  Barges reached Marlstone from the sea until 1890",
        "  1  Barges reached Marlstone from the sea until 1892",
    ] {
        assert!(page.contains(said), "{page}");
    }
}
