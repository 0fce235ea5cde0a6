//! Which field holds the texts, where none has the usual name: the only one with long strings.
//!
//! The aggregate: of every field how many records were seen with a string in it, and how many characters these have.

/// What was seen of a field in the first records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenField {
    /// Its name.
    pub name: String,
    /// How many records have a string in it,
    pub strings: u64,
    /// and how many characters these have in all.
    pub characters: u64,
}

/// A field is long if its strings have at least this share of the characters that those of the longest have: a title or an
/// address beside a text has less.
const LONG: f64 = 0.25;

/// The only field with long strings; none where there are several, or no strings at all.
pub fn text_field(seen: &[SeenField]) -> Option<&str> {
    let mean = |field: &SeenField| field.characters as f64 / field.strings.max(1) as f64;
    let longest = seen.iter().map(mean).fold(0.0, f64::max);
    let mut long = seen
        .iter()
        .filter(|field| field.characters > 0 && mean(field) >= LONG * longest);
    match (long.next(), long.next()) {
        (Some(only), None) => Some(&only.name),
        _ => None,
    }
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
            characters,
        };
        fields.iter().map(field).collect()
    }

    #[test]
    fn the_only_long_field_is_the_text() {
        let fields = seen(&[("url", 400), ("content", 9000), ("语言", 20)]);
        assert_eq!(text_field(&fields), Some("content"));
        assert_eq!(text_field(&seen(&[("message", 80)])), Some("message"));
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
        assert_eq!(text_field(&seen(&[("n", 0)])), None);
        assert_eq!(text_field(&[]), None);
    }
}
