use super::*;

fn split(text: &str) -> Vec<&str> {
    split_lines(text, Lines::Auto)
}

fn split_lines(text: &str, lines: Lines) -> Vec<&str> {
    let options = SentenceOptions {
        lines,
        ..SentenceOptions::unlimited()
    };
    let mut found = Vec::new();
    sentences(text, &options, |sentence| found.push(&text[sentence.range]));
    found
}

#[test]
fn a_text_without_words_has_no_sentences() {
    assert!(split("").is_empty());
    assert!(split(" \n\n\t\r\n\u{3000}").is_empty());
}

#[test]
fn an_abbreviation_ends_a_sentence_before_a_word_that_opens_one() {
    assert_eq!(split("He left the U.S. Navy.").len(), 1);
    assert_eq!(split("He left the U.S. He moved.").len(), 2);
}

#[test]
fn the_marks_of_list_items_are_no_part_of_sentences() {
    let text = "* one\n- two\n• three\n1) four\n2. five\n(3) six\na) seven\n2.1. eight\n## nine\n一、十\n-5 degrees";
    let expected = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "十",
        "-5 degrees",
    ];
    assert_eq!(split(text), expected);
}

#[test]
fn a_date_at_the_beginning_of_a_line_is_no_list_item() {
    assert_eq!(
        split("3. Oktober 1990: Einheit."),
        ["3. Oktober 1990: Einheit."]
    );
}

#[test]
fn lines_that_a_program_broke_are_joined() {
    let wrapped = "The committee met in order to decide whether the old stone\nbridge should be repaired, and since no one could\n\
        agree on anything at all it met again a week later, with\nthe same result.";
    assert_eq!(split(wrapped).len(), 4 - 2);
    let wrapped = wrapped.replace("could\n", "could ever\n");
    assert_eq!(split(&wrapped).len(), 1);
    assert_eq!(split_lines(&wrapped, Lines::Break).len(), 4);
}

#[test]
fn lines_of_different_length_are_not_joined_unless_asked() {
    let poem = "The sea was grey\nAnd the ships went by\nOne after another, on their long way to the harbour of the town";
    assert_eq!(split(poem).len(), 3);
    assert_eq!(split_lines(poem, Lines::Join).len(), 1);
    assert_eq!(
        split_lines("one\n\ntwo\n* three", Lines::Join),
        ["one", "two", "three"]
    );
}

#[test]
fn limits_count_an_ideograph_as_three_letters() {
    let options = SentenceOptions::default();
    assert!(!options.wants("六个字的句子"));
    assert!(options.wants("这是七个字句子"));
    assert!(!options.wants("nineteen letters .."));
    assert!(options.wants("twenty letters here."));
    assert!(options.wants(&"x".repeat(1000)) && !options.wants(&"x".repeat(1001)));
    assert!(options.wants(&"é".repeat(1000)) && !options.wants(&"字".repeat(334)));
}

#[test]
fn numbers_count_the_sentences_that_are_left_out() {
    let mut numbers = Vec::new();
    let text = "Too short. This one is long enough to stay. No. This one is long enough as well.";
    sentences(text, &SentenceOptions::default(), |sentence| {
        numbers.push(sentence.number);
    });
    assert_eq!(numbers, [1, 3]);
}

#[test]
fn options_are_named_in_configuration_files() {
    let options: SentenceOptions =
        toml::from_str("least-characters = 5\nlines = \"break\"").unwrap();
    assert_eq!(
        (
            options.least_characters,
            options.most_characters,
            options.lines
        ),
        (5, 1000, Lines::Break)
    );
    let error = toml::from_str::<SentenceOptions>("lines = \"wrap\"").unwrap_err();
    assert_eq!(
        error.message(),
        "lines \"wrap\" is not known; use auto, break or join"
    );
}

#[test]
fn an_item_is_a_line_whatever_stops_it_has() {
    let text =
        "Ames, J. (1998). A history. Vol. 2.\n\n  短。\n  甲、乙：《某某的历史》。某某出版社。 \n";
    let mut found = Vec::new();
    items(text, &SentenceOptions::default(), |item| {
        found.push((&text[item.range], item.number));
    });
    let expected = [
        ("Ames, J. (1998). A history. Vol. 2.", 0),
        ("甲、乙：《某某的历史》。某某出版社。", 2),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_space_before_the_stop_belongs_to_no_word() {
    for text in ["’10 .\u{a0}》", "é \u{a0}. B", "’ . X"] {
        sentences(text, &SentenceOptions::unlimited(), |sentence| {
            assert!(!text[sentence.range].is_empty());
        });
    }
}
