//! A lexicon survives being written and read; whatever else is read is refused with the line and the remedy.

use std::io::{self, BufReader, Read};

use lookalike_sign::Error;
use lookalike_sign::stats::{Counter, IdfRange, Lexicon, Vocabulary};
use lookalike_text::hash::hash64;
use lookalike_text::{Case, Seed, TextOptions, Tokenizer};
use proptest::prelude::*;

const SEED: Seed = Seed(9);

fn vocabulary(texts: &[impl AsRef<str>], options: TextOptions) -> Vocabulary {
    let mut tokenizer = Tokenizer::new(options);
    let mut counter = Counter::new(&std::env::temp_dir(), 1 << 20);
    for text in texts {
        let added = counter.add_document(|words| tokenizer.words(text.as_ref(), words));
        added.unwrap();
    }
    Vocabulary::count(vec![counter], options).unwrap()
}

fn written(vocabulary: &Vocabulary) -> Vec<u8> {
    let mut file = Vec::new();
    vocabulary.write(&mut file).unwrap();
    file
}

fn refusal(file: &str) -> String {
    let refused = Lexicon::read(file.as_bytes(), SEED)
        .unwrap_err()
        .to_string();
    let vocabulary = Vocabulary::read(file.as_bytes()).map(|vocabulary| vocabulary.lexicon(SEED));
    assert!(matches!(vocabulary, Err(_) | Ok(Err(_))), "{refused}");
    refused
}

#[test]
fn the_file_is_a_header_and_a_line_a_term() {
    let texts = ["The cat, the Katze, 猫", "the dog 🐕", "猫"];
    let range = IdfRange::new(0.2, 0.8).ok();
    let file = written(&vocabulary(&texts, TextOptions::default()).with_idf_range(range));
    let options = serde_json::to_string(&TextOptions::default()).unwrap();
    let header = r#"{"lexicon":1,"documents":3,"terms":6,"text":OPTIONS,"idf":[0.2,0.8]}"#;
    let terms = "2\t3\tthe\n2\t2\t猫\n1\t1\tcat\n1\t1\tdog\n1\t1\tkatze\n1\t1\t🐕\n";
    let expected = format!("{}\n{terms}", header.replace("OPTIONS", &options));
    assert_eq!(String::from_utf8(file).unwrap(), expected);
}

#[test]
fn line_ends_of_windows_and_a_missing_last_one_do_not_matter() {
    let file = "{\"lexicon\":1,\"documents\":3,\"terms\":2,\"text\":{}}\r\n2\t2\tthe\r\n1\t1\tcat";
    let lexicon = Lexicon::read(file.as_bytes(), SEED).unwrap();
    assert_eq!(lexicon.document_frequency(hash64(b"the", SEED)), 2);
    assert_eq!(lexicon.document_frequency(hash64(b"cat", SEED)), 1);
}

#[test]
fn a_wrong_first_line_is_refused_with_the_remedy() {
    assert!(refusal("").contains("line 1 of the lexicon: the file is empty; build"));
    assert!(refusal("the\ncat").contains("the first line of a lexicon is like"));
    assert!(refusal("{\"lexicon\":1}").contains("missing field"));
    assert!(
        refusal("{\"lexicon\":2,\"new\":[]}")
            .contains("version 2, but this program reads version 1")
    );
    let text = "{\"lexicon\":1,\"documents\":3,\"terms\":0,\"text\":{\"case\":\"lower\"}}";
    assert!(refusal(text).contains("use fold or keep"));
    let range = "{\"lexicon\":1,\"documents\":3,\"terms\":0,\"text\":{},\"idf\":[0.8,0.2]}";
    assert!(refusal(range).contains("try [0.2, 0.8]"));
}

#[test]
fn a_wrong_term_is_refused_with_its_line_and_the_remedy() {
    let after = |lines: &str| {
        let header = "{\"lexicon\":1,\"documents\":3,\"terms\":2,\"text\":{}}";
        refusal(&format!("{header}\n{lines}"))
    };
    assert!(after("2\t2\tthe\n1\t1").contains("line 3 of the lexicon: \"1\\t1\" is not"));
    assert!(after("two\t2\tthe").contains("does not begin with two numbers"));
    assert!(after("+2\t2\tthe").contains("does not begin with two numbers"));
    assert!(after("99999999999\t2\tthe").contains("does not begin with two numbers"));
    assert!(after("4\t4\tthe").contains("in 1 to 3 documents"));
    assert!(after("0\t4\tthe").contains("in 1 to 3 documents"));
    assert!(after("2\t1\tthe").contains("occurs in each of them"));
    assert!(after("2\t2\t").contains("empty or has control characters"));
    assert!(after("2\t2\tthe\tcat").contains("empty or has control characters"));
    assert!(after("1\t1\tcat\n2\t2\tthe").contains("\"the\" is not in order after \"cat\""));
    assert!(after("2\t2\tthe\n2\t2\tcat").contains("not in order"));
    assert!(after("2\t2\tcat\n2\t2\tcat").contains("not in order"));
    assert!(after("2\t2\tcat\n1\t1\tcat").contains("terms 1 and 2 of the lexicon are the same"));
    assert!(after("2\t2\tcat").contains("ends after 1 terms and its first line says 2"));
}

#[test]
fn a_file_that_is_not_text_is_refused() {
    let refused = Lexicon::read(&b"{\"lexicon\":1\xFF}\n"[..], SEED).unwrap_err();
    assert!(refused.to_string().contains("save the file as UTF-8"));
    let endless = BufReader::new(io::repeat(b'a'));
    let refused = Lexicon::read(endless, SEED).unwrap_err();
    assert!(refused.to_string().contains("without a line break"));
}

#[test]
fn a_claimed_number_of_terms_takes_no_memory() {
    let header = format!(
        "{{\"lexicon\":1,\"documents\":3,\"terms\":{},\"text\":{{}}}}\n",
        u64::MAX
    );
    assert!(refusal(&header).contains("ends after 0 terms"));
}

#[test]
fn a_reader_that_fails_is_an_error_with_the_line() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("cable pulled"))
        }
    }
    let start = &b"{\"lexicon\":1,\"documents\":3,\"terms\":0,\"text\":{}}\n"[..];
    let refused = Lexicon::read(BufReader::new(start.chain(Broken)), SEED).unwrap_err();
    let expected = Error::UnreadableLexicon {
        line: 2,
        problem: "cable pulled".to_string(),
    };
    assert_eq!(refused, expected);
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = "the|[a-e]{1,3}|[А-В]{2}|的|猫|がく|ไทย|😀|\u{202E}\u{85}|\t\"'\\\\";
    let text = prop::collection::vec(word, 0..15).prop_map(|words| words.join(" "));
    prop::collection::vec(prop_oneof![9 => text, 1 => any::<String>()], 0..20)
}

fn nearly_a_file() -> impl Strategy<Value = Vec<u8>> {
    let line = "[0-3]{0,2}\t[0-4]?\t[a-c]{0,2}|\\PC{0,9}|\\{\"lexicon\":1\\}";
    let lines = prop::collection::vec(line, 0..9).prop_map(|lines| {
        let header = "{\"lexicon\":1,\"documents\":9,\"terms\":3,\"text\":{}}\n";
        format!("{header}{}", lines.join("\n")).into_bytes()
    });
    prop_oneof![lines, prop::collection::vec(any::<u8>(), 0..300)]
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(texts in texts(), keep: bool, range in prop::option::of((0.0..0.5, 0.5..=1.0))) {
        let case = if keep { Case::Keep } else { Case::Fold };
        let options = TextOptions::default().with(|options| options.case = case);
        let range = range.map(|(min, max)| IdfRange::new(min, max).unwrap());
        let vocabulary = vocabulary(&texts, options).with_idf_range(range);
        let file = written(&vocabulary);
        let again = Vocabulary::read(&file[..]).unwrap();
        prop_assert_eq!(&written(&again), &file);
        prop_assert!(again.terms().eq(vocabulary.terms()));

        let lexicon = Lexicon::read(&file[..], SEED).unwrap();
        let direct = vocabulary.lexicon(SEED).unwrap();
        prop_assert_eq!(lexicon.documents(), texts.len() as u64);
        prop_assert_eq!(lexicon.terms(), vocabulary.terms().len());
        prop_assert_eq!((lexicon.text(), lexicon.idf_range()), (&options, range));
        let by_rank: Vec<u64> = vocabulary.terms().map(|term| hash64(term.term.as_bytes(), SEED)).collect();
        prop_assert_eq!(lexicon.most_frequent(usize::MAX), &by_rank[..]);
        prop_assert_eq!(direct.most_frequent(usize::MAX), &by_rank[..]);
        for (term, &hash) in vocabulary.terms().zip(&by_rank) {
            prop_assert_eq!(lexicon.document_frequency(hash), term.documents);
            prop_assert_eq!(lexicon.occurrences(hash), term.occurrences);
            prop_assert_eq!(lexicon.idf(hash), direct.idf(hash));
        }
    }

    #[test]
    fn no_file_makes_the_reader_panic(file in nearly_a_file()) {
        let lexicon = Lexicon::read(&file[..], SEED);
        let vocabulary = Vocabulary::read(&file[..]);
        prop_assert!(lexicon.is_err() || vocabulary.is_ok());
    }

    #[test]
    fn a_damaged_file_never_makes_the_reader_panic(
        texts in texts(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut file = written(&vocabulary(&texts, TextOptions::default()));
        for (at, byte) in damage {
            let at = at.index(file.len());
            file[at] = byte;
        }
        if let Ok(lexicon) = Lexicon::read(&file[..], SEED) {
            prop_assert!(lexicon.most_frequent(3).len() <= 3);
        }
    }
}
