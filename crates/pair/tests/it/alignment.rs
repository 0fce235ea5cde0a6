//! Passages of pairs of texts: with words as evidence, what copies and edits leave; with sentences, brute force.
#![allow(clippy::reversed_empty_ranges)]

use std::ops::Range;

use lookalike_pair::assemble::alignment::{Aligner, Evidence, Page, Passage, PassageOptions, Span};
use lookalike_sign::Features;
use lookalike_sign::features::{Background, method};
use lookalike_text::{SentenceOptions, TextOptions, Unit, UnitId, sentences};
use proptest::prelude::*;

const KEEPER: [&str; 8] = [
    "They call me the keeper.",
    "Many winters back, it does not matter which, with hardly a coin left in my coat, I decided to row out to the \
     lighthouse and look after its lamp for a season.",
    "That is my own remedy against gloom and against the noise of the harbour.",
    "As soon as I notice that I quarrel with every lamp post, I know that the boat should be tarred and loaded again.",
    "Other people write long letters to the council when the fog comes; I simply take the oars.",
    "Nobody should wonder at that.",
    "Most of my neighbours, if they were honest, would admit to nearly the same longing for the empty horizon.",
    "Behind me lies the crowded market town, ringed by warehouses as an orchard is ringed by hedges.",
];

const TREES: [&str; 4] = [
    "Oaks grow slowly and may live for more than five hundred years.",
    "Their acorns feed jays, squirrels and wild boar through the winter.",
    "Foresters thin young stands so that the best stems get enough light.",
    "A dead trunk is home to beetles, fungi and woodpeckers for decades.",
];

const BREAD: [&str; 4] = [
    "Knead the dough until it no longer sticks to your fingers.",
    "Cover the bowl with a damp cloth and put it in a warm place.",
    "After an hour the volume should have doubled.",
    "Bake the loaf on a hot stone and let it cool on a rack.",
];

const HONGLOU: [&str; 4] = [
    "此开卷第一回也。",
    "作者自云：因曾历过一番梦幻之后，故将真事隐去，而借通灵之说，撰此《石头记》一书也。",
    "今风尘碌碌，一事无成，忽念及当日所有之女子，一一细考较去，觉其行止见识，皆出于我之上。",
    "虽今日之茅椽蓬牖，瓦灶绳床，其晨夕风露，阶柳庭花，亦未有妨我之襟怀笔墨者。",
];

fn ranges(text: &str) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    sentences(text, &SentenceOptions::unlimited(), |sentence| {
        found.push(sentence.range.start as u32..sentence.range.end as u32);
    });
    found
}

fn by_words(options: PassageOptions) -> Aligner {
    Aligner::new(options, TextOptions::default(), Evidence::Words)
}

fn by_sentences(least_sentences: u32, gap: u32, threshold: f64) -> Aligner {
    let options = PassageOptions::default().with(|options| {
        options.least_sentences = least_sentences;
        options.gap = gap;
    });
    let evidence = Evidence::Sentences {
        method: method("shingles:words:1").unwrap(),
        background: Background::default(),
        threshold,
    };
    Aligner::new(options, TextOptions::default(), evidence)
}

fn align_with(aligner: &Aligner, a: (&str, &[bool]), b: (&str, &[bool])) -> Vec<Passage> {
    let mut scratch = aligner.scratch().unwrap();
    let a: Page = aligner.page(a.0, &ranges(a.0), a.1, &mut scratch);
    let b: Page = aligner.page(b.0, &ranges(b.0), b.1, &mut scratch);
    let mut found = Vec::new();
    aligner.align(&a, &b, &mut scratch, &mut found);
    found
}

fn align(a: &str, b: &str) -> Vec<Passage> {
    align_with(&by_words(PassageOptions::default()), (a, &[]), (b, &[]))
}

fn only<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str, f64) {
    let found = align(a, b);
    assert_eq!(found.len(), 1, "{found:?}");
    let (x, y) = (&a[found[0].a.bytes()], &b[found[0].b.bytes()]);
    (x, y, found[0].similarity)
}

#[test]
fn a_copy_has_the_ends_of_what_was_copied() {
    let a = [&TREES[..2], &KEEPER[1..5], &TREES[2..]].concat().join(" ");
    let b = [&BREAD[..], &KEEPER[..]].concat().join("\n");
    let (x, y, similarity) = only(&a, &b);
    assert_eq!(x, KEEPER[1..5].join(" "));
    assert_eq!(y, KEEPER[1..5].join("\n"));
    assert_eq!(similarity, 1.0);
}

#[test]
fn a_copy_may_begin_and_end_inside_a_sentence() {
    let copy = KEEPER[1..5].join(" ");
    let copy = &copy[copy.find("it does").unwrap()..copy.find(';').unwrap()];
    let a = format!("{} They say {copy} and so on. {}", TREES[0], TREES[1]);
    let b = KEEPER.join(" ");
    let (x, y, similarity) = only(&a, &b);
    assert_eq!((x, y, similarity), (copy, copy, 1.0));
}

#[test]
fn other_case_punctuation_and_white_space_are_the_same() {
    let copy = KEEPER[1..5].join(" ");
    let a = format!(
        "{} {}",
        BREAD.join(" "),
        copy.to_uppercase().replace(',', " -")
    );
    let b = format!("{copy} {}", TREES.join(" "));
    assert_eq!(only(&a, &b).2, 1.0);
}

#[test]
fn a_passage_survives_changed_dropped_and_shuffled_words_and_sentences() {
    let edited = "With hardly a coin in my coat, I decided many winters back to look after the lamp of the lighthouse and \
        row out for a season. When I quarrel with every lamp post I notice that the boat must be tarred and loaded again. \
        My remedy against gloom and the noise of the harbour is that.";
    let a = format!("{} {edited} {}", TREES[..2].join(" "), TREES[2..].join(" "));
    let b = [&BREAD[..], &KEEPER[..]].concat().join(" ");
    let (x, y, similarity) = only(&a, &b);
    assert_eq!((x, y), (edited, &*KEEPER[1..4].join(" ")));
    assert!((0.5..0.9).contains(&similarity));
}

#[test]
fn a_passage_survives_a_sentence_that_is_inserted_deleted_split_or_merged() {
    let b = [&BREAD[..], &KEEPER[..]].concat().join(" ");
    let inserted = [KEEPER[1], KEEPER[2], TREES[0], KEEPER[3], KEEPER[4]].join(" ");
    let deleted = [KEEPER[1], KEEPER[3], KEEPER[4]].join(" ");
    let split = KEEPER[1..5].join(" ").replace("coat, I", "coat. I");
    let merged = KEEPER[1..5].join(" ").replace("world. It", "world, and it");
    for edited in [inserted, deleted, split, merged] {
        let a = format!("{} {edited} {}", TREES[1], TREES[2..].join(" "));
        let (x, y, _) = only(&a, &b);
        assert_eq!((x, y), (&*edited, &*KEEPER[1..5].join(" ")));
    }
}

#[test]
fn scripts_without_spaces_have_passages() {
    let other = "春天来了，树叶绿了，燕子从南方飞回来。孩子们在河边放风筝，老人们坐在门口晒太阳。";
    let copy = HONGLOU[1..].concat();
    let a = format!("{other}{copy}");
    let b = format!(
        "{}夏天到了，蝉在树上叫个不停，大家都到河里游泳。",
        HONGLOU.concat()
    );
    assert_eq!(only(&a, &b), (&*copy, &*copy, 1.0));
    let edited = copy.replace("梦幻", "夢境").replace("一事无成", "万事皆空");
    let a = format!("{other}{edited}");
    let (x, y, similarity) = only(&a, &b);
    assert_eq!((x, y), (&*edited, &*copy));
    assert!(similarity > 0.8);
}

#[test]
fn a_passage_of_ideographs_survives_a_change_of_every_third() {
    let original = HONGLOU.concat();
    let ideograph = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let (mut count, mut other) = (0_usize, '\u{8f00}'..);
    let reworded: String = original
        .chars()
        .map(|c| {
            count += usize::from(ideograph(c));
            let is_changed = ideograph(c) && count.is_multiple_of(3);
            if is_changed { other.next().unwrap() } else { c }
        })
        .collect();
    let (_, _, similarity) = only(&original, &reworded);
    assert!((0.18..0.25).contains(&similarity), "{similarity}");
}

#[test]
fn what_is_copied_twice_is_two_passages() {
    let copy = KEEPER[1..5].join(" ");
    let a = format!("{} {copy}", BREAD[0]);
    let b = [&copy, &*TREES.join(" "), &BREAD[1..].join(" "), &copy]
        .map(str::to_owned)
        .join(" ");
    let found = align(&a, &b);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|passage| b[passage.b.bytes()] == copy));
    assert!(found.iter().all(|passage| a[passage.a.bytes()] == copy));
}

#[test]
fn identical_texts_are_one_passage() {
    let arabic = "كان يا ما كان في قديم الزمان. عاش ملك عادل في مدينة بعيدة.";
    for text in [
        &*KEEPER.join(" "),
        &HONGLOU.concat(),
        arabic,
        "👍🏽 😀 👨‍👩‍👧",
        "yes",
        "เขาไปตลาด",
    ] {
        let (x, y, similarity) = only(text, text);
        assert_eq!((x, y, similarity), (text, text, 1.0));
    }
}

#[test]
fn texts_that_share_nothing_have_no_passages() {
    let (trees, bread) = (TREES.join(" "), BREAD.join(" "));
    for (a, b) in [
        ("", ""),
        (" \n", " \n"),
        ("yes", "no"),
        ("yes", ""),
        (&trees, &bread),
    ] {
        assert_eq!(align(a, b), []);
    }
}

#[test]
fn a_single_short_sentence_is_no_passage() {
    let a = format!("{} {} {}", TREES[0], KEEPER[2], TREES[1]);
    assert_eq!(align(&a, &KEEPER.join(" ")), []);
}

#[test]
fn spans_count_sentences() {
    let a = [&TREES[..2], &KEEPER[1..5]].concat().join(" ");
    let found = align(&a, &KEEPER.join(" "));
    let Span {
        first_sentence,
        sentences,
        ..
    } = found[0].a;
    assert_eq!((first_sentence, sentences), (2, 4));
    let Span {
        first_sentence,
        sentences,
        ..
    } = found[0].b;
    assert_eq!((first_sentence, sentences), (1, 4));
}

#[test]
fn common_sentences_are_no_passage_by_themselves_and_no_end_of_one() {
    let aligner = by_words(PassageOptions::default());
    let a = [&TREES[..2], &KEEPER[1..5]].concat().join(" ");
    let b = [&BREAD[..2], &KEEPER[1..5]].concat().join(" ");
    let all_common = [false, false, true, true, true, true];
    let found = align_with(&aligner, (&a, &all_common), (&b, &all_common));
    assert!(found.iter().all(|passage| passage.common));
    let some_common = [false, false, true, false, false, true];
    let found = align_with(&aligner, (&a, &some_common), (&b, &some_common));
    assert_eq!(found.len(), 1);
    assert!(!found[0].common);
    assert_eq!(a[found[0].a.bytes()], KEEPER[2..4].join(" "));
    let one_common = [false, false, false, true, false, false];
    let found = align_with(&aligner, (&a, &one_common), (&b, &one_common));
    assert_eq!(a[found[0].a.bytes()], KEEPER[1..5].join(" "));
}

#[test]
fn texts_that_repeat_themselves_take_linear_time() {
    let repeated = "The quick brown fox jumps over the lazy dog near the bank. ".repeat(4_000);
    let cases = [
        (format!("{repeated}One."), format!("Two. {repeated}")),
        ("a ".repeat(20_000), format!("b {}", "a ".repeat(20_000))),
        (
            "漢字仮名".repeat(20_000),
            format!("か{}", "漢字仮名".repeat(20_000)),
        ),
    ];
    for (a, b) in cases {
        let found = align(&a, &b);
        assert_eq!(found.len(), 1);
        assert!(found[0].a.bytes().len() + 100 > a.len());
        let aligner = by_sentences(3, 1, 0.9);
        assert!(align_with(&aligner, (&a, &[]), (&b, &[])).len() <= 2);
    }
}

#[test]
fn wrong_sentences_do_no_harm() {
    let aligner = by_words(PassageOptions::default());
    let mut scratch = aligner.scratch().unwrap();
    let text = HONGLOU.concat();
    let wrong = [5..2, 1..7, 4_000_000_000..4_000_000_001, 3..3, 0..u32::MAX];
    let page = aligner.page(&text, &wrong, &[true], &mut scratch);
    let mut found = Vec::new();
    aligner.align(&page, &page.clone(), &mut scratch, &mut found);
    assert_eq!(found.len(), 1);
    assert!(text.get(found[0].a.bytes()).is_some());
}

#[test]
fn dots_are_the_sentences_that_match() {
    let a = [TREES[0], KEEPER[3], KEEPER[1]].join(" ");
    let b = KEEPER.join(" ");
    for aligner in [by_words(PassageOptions::default()), by_sentences(3, 0, 0.9)] {
        let mut scratch = aligner.scratch().unwrap();
        let first = aligner.page(&a, &ranges(&a), &[], &mut scratch);
        let second = aligner.page(&b, &ranges(&b), &[], &mut scratch);
        let dots = aligner.dots(&first, &second, &mut scratch);
        let places: Vec<_> = dots.iter().map(|dot| (dot.0, dot.1)).collect();
        assert_eq!(places, [(1, 3), (2, 1)]);
        assert!(dots.iter().all(|dot| dot.2 > 0.9));
    }
}

/// The listing of the paper: from each dot, in order, the diagonal that begins there; its dots are used up.
fn diagonals_by_brute_force(
    a: &[String],
    b: &[String],
    threshold: f64,
    least: usize,
) -> Vec<[usize; 3]> {
    let set = |text: &String| {
        let mut describe = method("shingles:words:1")
            .unwrap()
            .describer(&Background::default())
            .unwrap();
        let mut features = Features::default();
        describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
        features.sort().hashes().to_vec()
    };
    let (a, b): (Vec<_>, Vec<_>) = (a.iter().map(set).collect(), b.iter().map(set).collect());
    let jaccard = |x: &[u64], y: &[u64]| {
        let same = x.iter().filter(|feature| y.contains(feature)).count();
        same as f64 / (x.len() + y.len() - same) as f64
    };
    let mut dots: Vec<Vec<bool>> = Vec::new();
    for x in &a {
        dots.push(b.iter().map(|y| jaccard(x, y) >= threshold).collect());
    }
    let mut found = Vec::new();
    for i in 0..a.len() {
        for j in 0..b.len() {
            let diagonal =
                (0..).take_while(|&k| i + k < a.len() && j + k < b.len() && dots[i + k][j + k]);
            let length = diagonal.count();
            (0..length).for_each(|k| dots[i + k][j + k] = false);
            if length > 0 && length >= least {
                found.push([i, j, length]);
            }
        }
    }
    found
}

fn any_sentences() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(vec!["ox", "elk", "漢", "nu", "emu", "да"]);
    let sentence = prop::collection::vec(word, 1..5).prop_map(|words| words.join(" "));
    prop::collection::vec(sentence, 1..14)
}

/// The text and the ranges of its sentences.
fn joined(sentences: &[String]) -> (String, Vec<Range<u32>>) {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    for sentence in sentences {
        let begin = text.len() as u32;
        text += sentence;
        ranges.push(begin..text.len() as u32);
        text.push('\n');
    }
    (text, ranges)
}

fn any_text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(
        [
            &KEEPER[..],
            &TREES,
            &BREAD,
            &HONGLOU,
            &[" ", "\n\n", "😀 ", "ﷺ ", "a a a a a a ", "…", "ไทย", "—"],
        ]
        .concat(),
    );
    let part = prop_oneof![6 => parts.prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.join(" "))
}

fn mirrored(mut found: Vec<Passage>) -> Vec<Passage> {
    for passage in &mut found {
        std::mem::swap(&mut passage.a, &mut passage.b);
    }
    found.sort_by_key(|passage| (passage.a, passage.b));
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn without_a_gap_sentences_give_the_diagonals_of_the_paper(
        a in any_sentences(),
        b in any_sentences(),
        least in 1_u32..4,
        threshold in prop::sample::select(vec![0.3, 0.5, 0.75, 1.0]),
    ) {
        let aligner = by_sentences(least, 0, threshold);
        let mut scratch = aligner.scratch().unwrap();
        let (first, second) = (joined(&a), joined(&b));
        let first = aligner.page(&first.0, &first.1, &[], &mut scratch);
        let second = aligner.page(&second.0, &second.1, &[], &mut scratch);
        let mut found = Vec::new();
        aligner.align(&first, &second, &mut scratch, &mut found);
        let mut places: Vec<_> = found
            .iter()
            .map(|passage| {
                assert_eq!(passage.a.sentences, passage.b.sentences);
                [passage.a.first_sentence, passage.b.first_sentence, passage.a.sentences].map(|n| n as usize)
            })
            .collect();
        places.sort_unstable();
        prop_assert_eq!(places, diagonals_by_brute_force(&a, &b, threshold, least as usize));
    }

    #[test]
    fn a_gap_bridges_what_differs(
        before in 2_u32..5,
        after in 2_u32..5,
        in_a in 0_u32..4,
        in_b in 0_u32..4,
        gap in 0_u32..4,
    ) {
        let text = |side: &str, between: u32| {
            let own = (0..between).map(|n| format!("{side}{n} {side}"));
            let same = |from: u32, to: u32| (from..to).map(|n| format!("x{n} y{n}"));
            let all = same(0, before).chain(own).chain(same(before, before + after));
            all.collect::<Vec<_>>()
        };
        let aligner = by_sentences(1, gap, 0.9);
        let mut scratch = aligner.scratch().unwrap();
        let (first, second) = (joined(&text("a", in_a)), joined(&text("b", in_b)));
        let first = aligner.page(&first.0, &first.1, &[], &mut scratch);
        let second = aligner.page(&second.0, &second.1, &[], &mut scratch);
        let mut found = Vec::new();
        aligner.align(&first, &second, &mut scratch, &mut found);
        prop_assert_eq!(found.len() == 1, in_a.max(in_b) <= gap);
    }

    #[test]
    fn passages_lie_in_the_texts_and_do_not_depend_on_which_comes_first(
        a in any_text(),
        b in any_text(),
        least_words in 1_u32..50,
        gap in 0_u32..4,
    ) {
        let options = PassageOptions::default().with(|options| {
            options.least_words = least_words;
            options.gap = gap;
        });
        for aligner in [by_words(options), by_sentences(2, gap, 0.6)] {
            let found = align_with(&aligner, (&a, &[]), (&b, &[]));
            for passage in &found {
                prop_assert!(!passage.a.bytes().is_empty() && a.get(passage.a.bytes()).is_some());
                prop_assert!(!passage.b.bytes().is_empty() && b.get(passage.b.bytes()).is_some());
                prop_assert!(passage.a.sentences > 0 && passage.b.sentences > 0);
                prop_assert!((0.0..=1.0).contains(&passage.similarity));
            }
            let other = align_with(&aligner, (&b, &[]), (&a, &[]));
            prop_assert_eq!(mirrored(other), found);
        }
    }

    #[test]
    fn a_text_is_one_passage_with_itself(text in any_text()) {
        let found = align(&text, &text);
        prop_assert!(found.len() <= 1);
        prop_assert!(found.iter().all(|passage| passage.similarity == 1.0));
    }
}
