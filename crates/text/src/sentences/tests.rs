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

/// As many words on each line as fit.
fn wrapped(text: &str, columns: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().unwrap();
        if !line.is_empty() && line.len() + 1 + word.len() > columns {
            lines.push(word.to_owned());
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.join("\n")
}

#[test]
fn lines_of_any_usual_width_are_joined() {
    let text = "The committee met in order to decide whether the old stone bridge over the river should be repaired. \
        Since no one could agree on anything at all it met again a week later, with the same result. Then Mrs. \
        Ames, who had said nothing until that day, offered to pay for the whole of it herself, on one condition: \
        that the committee should never meet again, neither about this bridge nor about any other. It was \
        accepted without a vote.";
    assert_eq!(split(text).len(), 4);
    for columns in [34, 40, 50, 60, 72, 80, 100, 110] {
        let wrapped = wrapped(text, columns);
        let joined = split(&wrapped);
        let joined: Vec<String> = joined
            .iter()
            .map(|sentence| sentence.replace('\n', " "))
            .collect();
        assert_eq!(joined, split(text), "{columns}");
    }
}

#[test]
fn a_word_cut_at_the_end_of_a_line_goes_on_in_the_next() {
    let text = "The harbour master wrote that no ship had arrived since the morn-\ning, and that the fog was there to\nstay for another week at the least, perhaps for more than two.";
    assert_eq!(split(text).len(), 2);
    assert!(split(text)[0].ends_with("there to"));
}

#[test]
fn short_lines_of_lists_and_verses_are_not_joined() {
    let list = "Minutes of the first meeting in May\nA letter to the mayor of the town\nOn bridges\nWhat was said about the bells\nA list of those who came";
    assert_eq!(split(list).len(), 5);
    let menu = "Home\nNews\nSport\nPeople\nContact";
    assert_eq!(split(menu).len(), 5);
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
