//! The scanner against `serde_json`.

use proptest::prelude::*;
use serde_json::Value as Reference;

use super::*;

fn read(line: &str, names: &[&str]) -> Result<Vec<String>, Fault> {
    let fields: Vec<Field> = names.iter().map(|name| Field::optional(*name)).collect();
    let mut scratch = Scratch::default();
    let values = scratch.read(line, &fields)?;
    Ok(values.iter().map(|value| format!("{value:?}")).collect())
}

fn expected(line: &str, names: &[&str]) -> Option<Vec<String>> {
    let Ok(Reference::Object(object)) = serde_json::from_str(line) else {
        return None;
    };
    let value = |name: &&str| match object.get(*name) {
        None => Value::Missing,
        Some(Reference::Null) => Value::Null,
        Some(Reference::Bool(value)) => Value::Bool(*value),
        Some(Reference::String(text)) => Value::Text(text),
        Some(Reference::Array(_)) => Value::Other("an array"),
        Some(Reference::Object(_)) => Value::Other("an object"),
        // `serde_json` keeps the number and not its text.
        Some(Reference::Number(_)) => Value::Number("_"),
    };
    Some(
        names
            .iter()
            .map(|name| format!("{:?}", value(name)))
            .collect(),
    )
}

fn without_digits(values: Vec<String>) -> Vec<String> {
    let blank = |value: String| {
        if value.starts_with("Number") {
            "Number(\"_\")".to_owned()
        } else {
            value
        }
    };
    values.into_iter().map(blank).collect()
}

const NAMES: [&str; 3] = ["text", "id", "标题"];

fn json() -> impl Strategy<Value = Reference> {
    let leaf = prop_oneof![
        Just(Reference::Null),
        any::<bool>().prop_map(Reference::from),
        any::<i64>().prop_map(Reference::from),
        any::<f64>().prop_map(Reference::from),
        any::<String>().prop_map(Reference::from),
        "[ -~\u{e9}一二\n\"\\\\\u{1f600}]{0,80}".prop_map(Reference::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Reference::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Reference::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        prop::sample::select(&NAMES[..]).prop_map(str::to_owned),
        any::<String>()
    ];
    (prop::collection::vec((key, json()), 0..6), any::<bool>()).prop_map(|(fields, spaced)| {
        let colon = if spaced { " : " } else { ":" };
        let fields: Vec<String> = fields
            .iter()
            .map(|(key, value)| format!("{}{colon}{value}", Reference::from(key.as_str())))
            .collect();
        format!("{{{}}}", fields.join(if spaced { " ,\t" } else { "," }))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 512 } else { 20_000 }))]

    #[test]
    fn the_scanner_finds_what_serde_json_finds(line in object()) {
        let found = without_digits(read(&line, &NAMES).unwrap());
        prop_assert_eq!(Some(found), expected(&line, &NAMES));
    }

    #[test]
    fn a_damaged_line_is_refused_like_serde_json_refuses_it(
        line in object(), at in any::<prop::sample::Index>(), with in prop::sample::select(&b"\"\\{}[],:0-.eu \x01t"[..]), cut in any::<bool>(),
    ) {
        let mut bytes = line.into_bytes();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = with }
        let Ok(line) = String::from_utf8(bytes) else { return Ok(()) };
        match (read(&line, &NAMES), expected(&line, &NAMES)) {
            (found, Some(expected)) => prop_assert_eq!(without_digits(found.unwrap()), expected),
            // Half a surrogate pair in a field nobody wants, and numbers too large for a float, are none of our concern.
            (Ok(_), None) => {
                let lenient = line.contains("\\u") || serde_json::from_str::<serde::de::IgnoredAny>(&line).is_ok();
                prop_assert!(lenient, "{}", line);
            }
            (Err(_), None) => {}
        }
    }
}

#[test]
fn numbers_keep_their_text() {
    let line = r#"{"id": 12345678901234567890123.50e-3}"#;
    assert_eq!(
        read(line, &["id"]).unwrap(),
        [r#"Number("12345678901234567890123.50e-3")"#]
    );
}

#[test]
fn of_two_fields_with_one_name_the_last_counts() {
    assert_eq!(
        read(r#"{"a": "x", "a": "y"}"#, &["a"]).unwrap(),
        [r#"Text("y")"#]
    );
    assert_eq!(
        read(r#"{"a": "x", "\u0061": null}"#, &["a"]).unwrap(),
        ["Null"]
    );
}

#[test]
fn escapes_become_characters() {
    let line = r#"{"a": "\"\\\/\b\f\n\r\t\u00e9\u4E00\ud83d\ude00"}"#;
    let expected = format!("{:?}", Value::Text("\"\\/\u{8}\u{c}\n\r\té一😀"));
    assert_eq!(read(line, &["a"]).unwrap(), [expected]);
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    for bad in [
        r"\ud83d",
        r"\ude00",
        r"\ud83dx",
        r"\ud83d\u0041",
        r"\ud83d\ud83d",
        r"\ud83d\n",
    ] {
        assert!(
            read(&format!("{{\"a\": \"{bad}\"}}"), &["a"]).is_err(),
            "{bad}"
        );
    }
}

#[test]
fn no_depth_of_brackets_overflows_the_stack() {
    let deep = format!(
        "{{\"a\": {}{}}}",
        "[".repeat(1_000_000),
        "]".repeat(1_000_000)
    );
    assert_eq!(read(&deep, &["a"]).unwrap(), [r#"Other("an array")"#]);
    assert!(read(&deep[..deep.len() - 2], &["a"]).is_err());
}

#[test]
fn what_is_not_one_object_is_refused() {
    for bad in [
        "",
        " ",
        "[]",
        "1",
        "null",
        "{} {}",
        "{},",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":tru}",
        "{\"a\":[}",
    ] {
        assert!(read(bad, &["a"]).is_err(), "{bad}");
    }
}
