//! What was made of words lately: few words make up most of a text, and a stem takes longer to find than to remember.

use crate::hash::{Seed, hash64};

/// What was made of words lately. Room is taken when the first word is remembered.
#[derive(Debug, Default)]
pub(crate) struct KnownWords {
    /// Each word at a place that follows from it.
    places: Vec<Place>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    word: Short,
    form: Short,
}

/// A text of a few bytes; an empty one where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Short {
    length: u8,
    bytes: [u8; LONGEST],
}

/// Longer words are not remembered; nearly all are shorter.
const LONGEST: usize = 15;
const PLACES: usize = 1 << 12;

impl Short {
    fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; LONGEST];
        let own = bytes.get_mut(..text.len())?;
        own.copy_from_slice(text.as_bytes());
        Some(Short {
            length: text.len() as u8,
            bytes,
        })
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl KnownWords {
    /// What was made of a word, if that is remembered: `""` where nothing was.
    #[inline]
    pub(super) fn get(&self, word: &str) -> Option<&str> {
        let place = self.places.get(place_of(word))?;
        (place.word.as_str() == word && !word.is_empty()).then(|| place.form.as_str())
    }

    /// Remembers what was made of a word, `""` for nothing, instead of what is there.
    pub(super) fn put(&mut self, word: &str, form: &str) {
        if let (Some(short), Some(form)) = (Short::new(word), Short::new(form)) {
            self.places.resize(PLACES, Place::default());
            self.places[place_of(word)] = Place { word: short, form };
        }
    }
}

fn place_of(word: &str) -> usize {
    hash64(word.as_bytes(), Seed(0)) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_until_another_word_takes_its_place() {
        let mut known = KnownWords::default();
        assert_eq!(known.get("fahren"), None);
        let long = "donaudampfschifffahrt";
        for (word, form) in [
            ("fahren", "fahr"),
            ("die", ""),
            ("字", "字"),
            (long, "donau"),
        ] {
            known.put(word, form);
        }
        assert_eq!(known.get("fahren"), Some("fahr"));
        assert_eq!(known.get("die"), Some(""));
        assert_eq!(known.get("字"), Some("字"));
        for word in ["fahre", "", long] {
            assert_eq!(known.get(word), None, "{word}");
        }
        let others = (0..).map(|number: u32| number.to_string());
        let mut same_place = others.filter(|word| place_of(word) == place_of("fahren"));
        let other = same_place.next().unwrap();
        known.put(&other, "x");
        assert_eq!((known.get(&other), known.get("fahren")), (Some("x"), None));
    }
}
