//! Words of languages with spaces: which are the same word, which contrast, which hold a sentence together.

use std::sync::OnceLock;

use lookalike_text::hash::Table;
use lookalike_text::{Language, function_words};

use super::tokens::id_of;

/// Words in groups, one per line; a word may be in several.
#[derive(Debug)]
pub(super) struct Groups {
    /// The id of a word and the number of its line, in order.
    of: Vec<(u64, u32)>,
}

impl Groups {
    pub(super) fn new(source: &str) -> Self {
        let mut of = Vec::new();
        for (line, words) in (0..).zip(source.lines()) {
            of.extend(words.split_whitespace().map(|word| (id_of(word), line)));
        }
        of.sort_unstable();
        of.dedup();
        Self { of }
    }

    fn lines(&self, id: u64) -> impl Iterator<Item = u32> + '_ {
        let begin = self.of.partition_point(|&(known, _)| known < id);
        self.of[begin..]
            .iter()
            .take_while(move |&&(known, _)| known == id)
            .map(|&(_, line)| line)
    }

    pub(super) fn contains(&self, id: u64) -> bool {
        self.lines(id).next().is_some()
    }

    /// Whether two different words are in one group.
    pub(super) fn share(&self, a: u64, b: u64) -> bool {
        a != b
            && self
                .lines(a)
                .any(|line| self.lines(b).any(|other| other == line))
    }
}

pub(super) fn contrasts() -> &'static Groups {
    static GROUPS: OnceLock<Groups> = OnceLock::new();
    GROUPS.get_or_init(|| Groups::new(include_str!("contrasts.txt")))
}

pub(super) fn synonyms() -> &'static Groups {
    static GROUPS: OnceLock<Groups> = OnceLock::new();
    GROUPS.get_or_init(|| Groups::new(include_str!("synonyms.txt")))
}

/// Whether the word holds a sentence together in any language of [`function_words`].
pub(super) fn is_function(id: u64) -> bool {
    static IDS: OnceLock<Table<u64>> = OnceLock::new();
    let ids = IDS.get_or_init(|| {
        let all = Language::ALL.iter();
        let all = all.filter(|language| **language != Language::Chinese);
        let mut ids = Table::default();
        for word in all.flat_map(|&language| function_words(language)) {
            let id = id_of(word);
            ids.make_room(|&known| known);
            ids.get_or_put(id, |&known| known == id, id);
        }
        ids
    });
    ids.get(id, |&known| known == id).is_some()
}

/// Whether it holds an English sentence together: "Dan" is a name, though "dan" is Dutch for "then".
pub(super) fn is_english_function(id: u64) -> bool {
    static LIST: OnceLock<Vec<u64>> = OnceLock::new();
    let list = LIST.get_or_init(|| {
        let words = function_words(Language::English).iter();
        let mut ids: Vec<u64> = words.map(|word| id_of(word)).collect();
        ids.sort_unstable();
        ids
    });
    list.binary_search(&id).is_ok()
}

/// Pronouns for the subject of an article.
pub(super) fn is_pronoun(word: &str) -> bool {
    matches!(
        word,
        "he" | "she"
            | "it"
            | "they"
            | "his"
            | "her"
            | "its"
            | "their"
            | "this"
            | "these"
            | "him"
            | "them"
            | "who"
            | "i"
            | "we"
            | "er"
            | "sie"
            | "es"
            | "il"
            | "elle"
            | "él"
            | "ella"
            | "ele"
            | "ela"
            | "он"
            | "она"
            | "оно"
            | "они"
            | "lui"
            | "lei"
    )
}

/// Finite verbs that begin what is said of a subject. "a" is a verb in French, but an article far more often.
const VERBS: &str = "is was are were be been has had have having will would can could may might must shall should do does did became become becomes won lost wins plays served serves lies lay won began begins begun born died dies left led leads held holds made makes took takes taken gave gives given went goes came comes got gets found finds saw sees seen knew known wrote writes written grew grows rose rises fell falls built sold bought spoke spoken spent sent ran runs sang stood stands sat met kept fought taught thought brought caught felt told said says meant put set cut hit let read cost shot paid laid flows contains consists includes covers features remains appears occurs belongs refers uses shows describes represents provides produces stars debuted lives feeds breeds inhabits ranges extends reaches rejoined ist sind war waren hat hatte wurde wurden wird werden liegt est sont était étaient fut a ont es son fue fueron era tiene está è sono ha foi são era tem é zijn werd heeft ligt är var har er blev jest był była są был была были является находится sie";

/// Whether the word at this place of a sentence is a finite verb, or has the ending of one.
pub(super) fn is_verb(word: &str, at: usize) -> bool {
    static LIST: OnceLock<Vec<u64>> = OnceLock::new();
    let list = LIST.get_or_init(|| {
        let mut ids: Vec<u64> = VERBS
            .split_whitespace()
            .filter(|word| *word != "a")
            .map(id_of)
            .collect();
        ids.sort_unstable();
        ids
    });
    let regular = at > 0
        && word.len() > 4
        && word.ends_with("ed")
        && !matches!(word, "united" | "hundred" | "indeed");
    regular || word.ends_with("n't") || list.binary_search(&id_of(word)).is_ok()
}

pub(super) fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "never"
            | "without"
            | "neither"
            | "nor"
            | "none"
            | "cannot"
            | "nicht"
            | "kein"
            | "keine"
            | "nie"
            | "pas"
            | "jamais"
            | "non"
            | "não"
            | "не"
            | "nunca"
            | "niet"
            | "inte"
            | "ikke"
            | "cancelled"
            | "canceled"
            | "postponed"
            | "unable"
            | "failed"
            | "fails"
            | "fail"
            | "refused"
            | "lacks"
            | "لا"
            | "ليس"
            | "ليست"
            | "لم"
            | "لن"
            | "بدون"
            | "לא"
            | "אין"
            | "בלי"
            | "नहीं"
            | "मत"
            | "बिना"
            | "안"
            | "못"
    ) || word.ends_with("n't")
        || word.contains('않')
}

/// Nouns without an article that often begin a sentence and name nothing.
pub(super) fn is_ordinary_noun(word: &str) -> bool {
    matches!(
        word,
        "population"
            | "people"
            | "residents"
            | "construction"
            | "production"
            | "research"
            | "work"
            | "music"
            | "women"
            | "men"
            | "children"
            | "critics"
            | "reviewers"
            | "scholars"
            | "historians"
            | "members"
            | "students"
            | "president"
            | "king"
            | "queen"
            | "film"
            | "movie"
            | "approximately"
            | "nearly"
    )
}

/// What says of a verb which way it goes: "log in", "turn off". Elsewhere it says where and how things are.
pub(super) fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "in" | "out" | "into" | "on" | "off" | "up" | "down" | "an" | "aus" | "ein" | "auf" | "zu"
    )
}

/// Words before a title or a noun that make something else of it.
pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "vice"
            | "deputy"
            | "half"
            | "acting"
            | "assistant"
            | "step"
            | "great"
            | "former"
            | "anti"
            | "co"
            | "ex"
            | "semi"
    )
}

/// Whether two words are one word in two spellings or two forms.
pub(super) fn are_one(a: &str, b: &str) -> bool {
    a == b || is_one_spelling(a, b) || synonyms().share(id_of(a), id_of(b))
}

/// Whether the letters of two words are the same but for accents and, in words of four and more, one slip.
fn is_one_spelling(a: &str, b: &str) -> bool {
    let plain = |word| {
        str::chars(word)
            .filter(|c| c.is_alphanumeric())
            .map(without_accent)
    };
    let (x, y) = (plain(a), plain(b));
    if x.clone().next() != y.clone().next() {
        return false;
    }
    let (short, long) = {
        let (x, y) = (x.clone().count(), y.clone().count());
        (x.min(y), x.max(y))
    };
    if short < 4 {
        return x.eq(y);
    }
    long - short <= 1 && differ_by_one_slip_at_most(x, y)
}

/// Whether one letter more, one less, another one, or two neighbours in each other's place make one word of the other.
fn differ_by_one_slip_at_most<T: DoubleEndedIterator<Item = char>>(mut x: T, mut y: T) -> bool {
    let (from, to) = loop {
        match (x.next(), y.next()) {
            (None, None) => return true,
            (a, b) if a != b => break (a, b),
            _ => {}
        }
    };
    // What is left of each after the first difference, without the ending that both have.
    let (mut from, mut to) = (from.into_iter().chain(x), to.into_iter().chain(y));
    loop {
        match (from.next_back(), to.next_back()) {
            (Some(a), Some(b)) if a == b => {}
            (None, None | Some(_)) => return to.next().is_none(),
            (Some(_), None) => return from.next().is_none(),
            (Some(a), Some(b)) => {
                return match (from.next_back(), to.next_back()) {
                    (None, None) => true,
                    (Some(c), Some(d)) => {
                        (a, b) == (d, c) && from.next().is_none() && to.next().is_none()
                    }
                    _ => false,
                };
            }
        }
    }
}

/// Whether one name is the adjective or the genitive of the other: "Germany", "German"; "Smith", "Smith's".
pub(super) fn are_one_name(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let count = short.chars().count();
    if synonyms().share(id_of(a), id_of(b)) || (count >= 5 && (a == b || is_one_spelling(a, b))) {
        return true;
    }
    // "IFVs" and "IFV", "Churches" and "Church".
    if ["s", "'s", "es"]
        .iter()
        .any(|ending| long.strip_suffix(ending) == Some(short))
    {
        return true;
    }
    are_transliterations(short, long) || {
        let same = short.chars().zip(long.chars());
        let common = same.take_while(|(x, y)| x == y);
        let (common, bytes) =
            common.fold((0, 0), |(n, bytes), (c, _)| (n + 1, bytes + c.len_utf8()));
        let (rest, ending) = (&short[bytes..], &long[bytes..]);
        let is_initial = count == 1 && common == 1;
        is_initial
            || (common >= 4
                && is_name_ending(ending)
                && is_name_ending(rest)
                && (rest.is_empty() || rest != ending))
    }
}

fn is_name_ending(ending: &str) -> bool {
    matches!(
        ending,
        "" | "'s"
            | "s"
            | "n"
            | "an"
            | "ian"
            | "ean"
            | "ese"
            | "ish"
            | "i"
            | "y"
            | "a"
            | "ia"
            | "o"
            | "e"
    )
}

/// Whether two names that begin alike differ only in their vowels ("Lankaran", "Lenkeran"), or are long and differ little.
fn are_transliterations(short: &str, long: &str) -> bool {
    let letters = |word| str::chars(word).map(without_accent);
    let (x, y) = (letters(short), letters(long));
    if x.clone().next() != y.clone().next() {
        return false;
    }
    let (of_x, of_y) = (x.clone().count(), y.clone().count());
    let is_consonant = |c: &char| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let consonants = |word| letters(word).filter(is_consonant);
    let by_vowels =
        of_x == of_y && consonants(short).count() >= 5 && consonants(short).eq(consonants(long));
    // Transliterations of long names differ in more than a letter.
    by_vowels
        || (of_x >= 9 && of_x.abs_diff(of_y) <= 2 && rapidfuzz::distance::osa::distance(x, y) <= 2)
}

fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ā' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ē' | 'ě' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'ī' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ō' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'ū' => 'u',
        'ç' | 'č' | 'ć' => 'c',
        'ñ' | 'ń' => 'n',
        'š' | 'ś' | 'ş' => 's',
        'ž' | 'ź' | 'ż' => 'z',
        'ł' => 'l',
        'ý' => 'y',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_and_forms_are_one_word() {
        for (a, b) in [
            ("colour", "color"),
            ("organise", "organize"),
            ("received", "recieved"),
            ("film", "movie"),
            ("café", "cafe"),
        ] {
            assert!(are_one(a, b) && are_one(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("north", "south"),
            ("iran", "iraq"),
            ("austria", "australia"),
        ] {
            assert!(!are_one_name(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("germany", "german"),
            ("china", "chinese"),
            ("france", "french"),
            ("smith", "smith's"),
        ] {
            assert!(are_one_name(a, b) && are_one_name(b, a), "{a} {b}");
        }
    }

    #[test]
    fn a_slip_is_one_edit_or_two_neighbours_exchanged() {
        let letters = ["a", "b", "c"];
        let mut words = vec![String::new()];
        for length in 0..4 {
            let longer = words.iter().filter(|word| word.len() == length);
            let longer = longer.flat_map(|word| letters.map(|letter| word.clone() + letter));
            words.extend(longer.collect::<Vec<_>>());
        }
        for a in &words {
            for b in &words {
                let distance = rapidfuzz::distance::osa::distance(a.chars(), b.chars());
                let slip = differ_by_one_slip_at_most(a.chars(), b.chars());
                assert_eq!(slip, distance <= 1, "{a} {b}");
            }
        }
    }

    #[test]
    fn contrasts_are_between_different_words_of_a_group() {
        assert!(contrasts().share(id_of("north"), id_of("south")));
        assert!(contrasts().share(id_of("won"), id_of("lost")));
        assert!(!contrasts().share(id_of("north"), id_of("north")));
        assert!(!contrasts().share(id_of("north"), id_of("won")));
    }
}
