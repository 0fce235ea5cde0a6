//! Which field holds the texts, where none has the usual name: the only one with long strings that are words, and no
//! addresses, paths, dates or the like.
//!
//! The aggregate: of every field how many records were seen with a string in it, how many of these are words, and how many
//! characters all of them have.

/// What was seen of a field in the first records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenField {
    /// Its name.
    pub name: String,
    /// How many records have a string in it,
    pub strings: u64,
    /// how many of these are words (see [`is_wording`]),
    pub worded: u64,
    /// and how many characters these have in all.
    pub characters: u64,
}

/// A field is long if its strings have at least this share of the characters that those of the longest have: a title or an
/// address beside a text has less.
const LONG: f64 = 0.25;

/// The only field with long strings; none where there are several, or no words at all, or where a name is none.
pub fn text_field(seen: &[SeenField]) -> Option<&str> {
    if seen.iter().any(|field| is_no_name(&field.name)) {
        return None;
    }
    let mean = |field: &SeenField| field.characters as f64 / field.strings.max(1) as f64;
    // A column without a name cannot be chosen by it.
    let named = || seen.iter().filter(|field| !field.name.is_empty());
    let worded = || named().filter(|field| 2 * field.worded > field.strings);
    let longest = worded().map(mean).fold(0.0, f64::max);
    let mut long = worded().filter(|field| mean(field) >= LONG * longest);
    match (long.next(), long.next()) {
        (Some(only), None) => Some(&only.name),
        _ => None,
    }
}

/// Longer names of columns, and those of more words, are rather the first row of a table that names none.
const LONGEST_NAME: usize = 40;
const MOST_WORDS_OF_NAME: usize = 3;

/// Whether this is hardly the name of a column, but a value: a number, or a text.
pub fn is_no_name(name: &str) -> bool {
    let name = name.trim();
    let is_number = name.parse::<f64>().is_ok_and(f64::is_finite);
    // The path to a field within others may be long.
    let is_code = name.is_ascii() && !name.contains(' ');
    is_number
        || (!is_code && name.chars().count() > LONGEST_NAME)
        || name.split_whitespace().count() > MOST_WORDS_OF_NAME
}

/// Whether a string is made of words, and is no address, path, hash, number or date.
pub fn is_wording(text: &str) -> bool {
    let text = text.trim();
    let is_address = text.starts_with('/')
        || text
            .split(char::is_whitespace)
            .all(|word| word.contains("://"));
    // Many scripts have no spaces; codes have neither these nor other scripts.
    let has_words = text.contains(char::is_whitespace) || !text.is_ascii();
    let (mut letters, mut others) = (0, 0);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        match c.is_alphabetic() {
            true => letters += 1,
            false => others += 1,
        }
    }
    has_words && !is_address && letters >= others
}

/// A field whose strings have so many letters on average is running text: a question has 60 (Quora, titles of Stack
/// Exchange), a message 80 to 160.
const RUNNING_TEXT: u64 = 250;

/// Whether a field of so many strings with so many letters in all is running text, and no question.
pub fn is_running_text(strings: u64, letters: u64) -> bool {
    strings > 0 && letters >= RUNNING_TEXT * strings
}

/// How many letters a text is as long as: an ideograph, a kana or a Hangul syllable says as much as three.
pub fn letters(text: &str) -> u64 {
    let says = |c: char| match c {
        '\u{2E80}'.. => 3,
        _ => 1,
    };
    text.chars().map(says).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(fields: &[(&str, u64)]) -> Vec<SeenField> {
        let field = |&(name, characters): &(&str, u64)| SeenField {
            name: name.to_string(),
            strings: 10,
            worded: if name == "url" { 0 } else { 10 },
            characters,
        };
        fields.iter().map(field).collect()
    }

    #[test]
    fn the_only_long_field_is_the_text() {
        let fields = seen(&[("url", 400), ("content", 9000), ("语言", 20)]);
        assert_eq!(text_field(&fields), Some("content"));
        assert_eq!(text_field(&seen(&[("message", 80)])), Some("message"));
        let unnamed = seen(&[("", 9000), ("content", 80)]);
        assert_eq!(text_field(&unnamed), Some("content"));
    }

    #[test]
    fn addresses_are_no_text_however_long() {
        assert_eq!(text_field(&seen(&[("url", 4000)])), None);
        let fields = seen(&[("url", 4000), ("message", 80)]);
        assert_eq!(text_field(&fields), Some("message"));
        for text in [
            "Ferry to the pier",
            "渡轮每天九点出发",
            "Your code is 1234.",
            "สวัสดี",
        ] {
            assert!(is_wording(text), "{text}");
        }
        for code in [
            "https://example.org/a/b",
            "https://zh.example.org/渡轮",
            "/home/anna/my notes.txt",
            "d41d8cd98f00b204e9800998ecf8427e",
            "2026-01-31 12:00:00",
            "Tue, 17 Nov 2026 10:00:00 +0000",
            "",
        ] {
            assert!(!is_wording(code), "{code}");
        }
    }

    #[test]
    fn what_is_no_name_names_no_field() {
        assert!(
            is_no_name("17")
                && is_no_name("cheap pills online now")
                && is_no_name(&"字".repeat(41))
        );
        assert!(!is_no_name("Body of mail") && !is_no_name("正文") && !is_no_name("column_17"));
        assert_eq!(text_field(&seen(&[("1", 20), ("cheap pills", 900)])), None);
    }

    #[test]
    fn long_strings_are_running_text_in_any_script() {
        assert!(is_running_text(
            10,
            10 * letters(&"the quick brown fox ".repeat(20))
        ));
        assert!(is_running_text(
            10,
            10 * letters(&"敏捷的棕色狐狸".repeat(20))
        ));
        assert!(!is_running_text(
            10,
            10 * letters("What is the best way to learn how to play the piano?")
        ));
        assert!(!is_running_text(10, 10 * letters("怎样学钢琴最好？")));
        assert!(!is_running_text(0, 0));
    }

    #[test]
    fn of_two_long_fields_none_is_chosen() {
        assert_eq!(
            text_field(&seen(&[("question", 900), ("answer", 2000)])),
            None
        );
        let nothing = SeenField {
            strings: 0,
            worded: 0,
            ..seen(&[("n", 0)])[0].clone()
        };
        assert_eq!(text_field(&[nothing]), None);
        assert_eq!(text_field(&[]), None);
    }
}
