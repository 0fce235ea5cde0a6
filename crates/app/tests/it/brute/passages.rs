//! The passages job against the rule in its plainest form: every two documents aligned.

use std::collections::BTreeMap;
use std::path::Path;

use lookalike::pair::assemble::alignment::{
    Aligner, Evidence, Page, Passage, PassageOptions, Scratch,
};
use lookalike::text::{SentenceOptions, TextOptions, sentences};
use lookalike::{Request, RunOptions, Spec, Unobserved, jobs, run};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Few words, so that random sentences are alike; some are longer in bytes than in characters.
const WORDS: [&str; 9] = [
    "alpha",
    "beta",
    "gamma",
    "дельта",
    "épsilon",
    "zeta",
    "eta",
    "theta",
    "йота",
];

/// One of some sentences that are all different, or one of its own.
fn sentence() -> impl Strategy<Value = String> {
    let said = prop::collection::vec(0..WORDS.len(), 4..12).prop_map(|words| {
        let said: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
        format!("The {} ended.", said.join(" "))
    });
    let shared = (0..12usize).prop_map(|number| {
        let word = |place: usize| WORDS[(number * 5 + place * (number + 2)) % WORDS.len()];
        let said: Vec<String> = (0..9)
            .map(|place| format!("{}{number}", word(place)))
            .collect();
        format!("Once {} stood.", said.join(" "))
    });
    prop_oneof![said, shared.clone(), shared]
}

fn documents() -> impl Strategy<Value = Vec<Vec<String>>> {
    prop::collection::vec(prop::collection::vec(sentence(), 0..9), 0..8)
}

/// Every passage of every two documents, in characters of both.
type Found = BTreeMap<(usize, usize), Vec<[u64; 4]>>;

struct Plain {
    aligner: Aligner,
    scratch: Scratch,
}

impl Plain {
    fn new(options: PassageOptions) -> Self {
        let aligner = Aligner::new(options, TextOptions::default(), Evidence::Words);
        Plain {
            scratch: aligner.scratch().unwrap(),
            aligner,
        }
    }

    fn page(&mut self, text: &str) -> Page {
        let mut ranges = Vec::new();
        sentences(text, &SentenceOptions::unlimited(), |sentence| {
            ranges.push(sentence.range.start as u32..sentence.range.end as u32);
        });
        self.aligner.page(text, &ranges, &[], &mut self.scratch)
    }

    fn all(&mut self, texts: &[String]) -> Found {
        let pages: Vec<Page> = texts.iter().map(|text| self.page(text)).collect();
        let mut found = Found::new();
        let mut passages: Vec<Passage> = Vec::new();
        for a in 0..pages.len() {
            for b in a + 1..pages.len() {
                self.aligner
                    .align(&pages[a], &pages[b], &mut self.scratch, &mut passages);
                let characters =
                    |text: &str, byte: u32| text[..byte as usize].chars().count() as u64;
                let located = passages.iter().map(|passage| {
                    [
                        characters(&texts[a], passage.a.begin),
                        characters(&texts[a], passage.a.end),
                        characters(&texts[b], passage.b.begin),
                        characters(&texts[b], passage.b.end),
                    ]
                });
                let located: Vec<_> = located.collect();
                if !located.is_empty() {
                    found.insert((a, b), located);
                }
            }
        }
        found
    }
}

/// What a run located, and that its pairs are those with passages.
fn located(folder: &Path, request: &Request, threads: usize) -> Found {
    let mut options = RunOptions::new(folder.join("out"));
    options.threads = threads;
    options.memory = 100_000_000;
    run(request, &options, &Unobserved).unwrap();
    let lines = |name: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(folder.join("out").join(name)).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let mut found = Found::new();
    for line in lines("passages.jsonl") {
        let number = |side: &str, name: &str| line[side][name].as_u64().unwrap();
        let ids = (number("a", "id") as usize, number("b", "id") as usize);
        let place = ["a", "b"].map(|side| [number(side, "begin"), number(side, "end")]);
        found
            .entry(ids)
            .or_default()
            .push([place[0][0], place[0][1], place[1][0], place[1][1]]);
    }
    let pairs: Vec<(usize, usize)> = lines("pairs.jsonl")
        .iter()
        .map(|line| {
            let id = |name: &str| line[name].as_u64().unwrap() as usize;
            assert_eq!(line["passages"], found[&(id("a"), id("b"))].len());
            (id("a"), id("b"))
        })
        .collect();
    assert_eq!(pairs, found.keys().copied().collect::<Vec<_>>());
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_list_of_all_pairs_gives_every_passage_and_a_search_no_other(
        documents in documents(),
        (least_sentences, least_words) in (1u32..4, 5u32..30),
        threads in 1usize..4,
    ) {
        let texts: Vec<String> = documents.iter().map(|document| document.join(" ")).collect();
        let folder = tempfile::tempdir().unwrap();
        let line = |(id, text): (usize, &String)| json!({"id": id, "text": text}).to_string() + "\n";
        let input = folder.path().join("pages.jsonl");
        std::fs::write(&input, texts.iter().enumerate().map(line).collect::<String>()).unwrap();
        let mut list = String::new();
        for a in 0..texts.len() {
            for b in (a + 1..texts.len()).rev() {
                list += &(json!({"a": b, "b": a}).to_string() + "\n");
            }
        }
        let list_file = folder.path().join("list.jsonl");
        std::fs::write(&list_file, list).unwrap();
        let mut spec = Spec::of_job(jobs::PASSAGES);
        (spec.passages.least_sentences, spec.passages.least_words) = (least_sentences, least_words);
        let expected = Plain::new(spec.passages.options()).all(&texts);
        let mut request = Request::new(spec, [input.to_string_lossy()]);
        let searched = located(folder.path(), &request, threads);
        for (pair, passages) in &searched {
            prop_assert_eq!(Some(passages), expected.get(pair));
        }
        // Two sentences word for word, near each other in both, are always found.
        let gap = request.spec.passages.gap as usize;
        for (a, first) in documents.iter().enumerate() {
            for (b, second) in documents.iter().enumerate().skip(a + 1) {
                let place = |of: &[String], said: &String| of.iter().position(|other| other == said);
                let places: Vec<(usize, usize)> = first
                    .iter()
                    .filter_map(|said| Some((place(first, said)?, place(second, said)?)))
                    .collect();
                let near = |x: usize, y: usize| x != y && x.abs_diff(y) <= gap + 1;
                let is_near = places
                    .iter()
                    .any(|one| places.iter().any(|two| near(one.0, two.0) && near(one.1, two.1)));
                if is_near {
                    prop_assert_eq!(expected.contains_key(&(a, b)), searched.contains_key(&(a, b)));
                }
            }
        }
        request.pair_list = Some(list_file);
        prop_assert_eq!(located(folder.path(), &request, threads), expected);
    }
}
