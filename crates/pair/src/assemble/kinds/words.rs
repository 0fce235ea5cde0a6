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
            | "unable"
            | "failed"
            | "fails"
            | "fail"
            | "refused"
            | "lacks"
    ) || word.ends_with("n't")
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
    if a == b || synonyms().share(id_of(a), id_of(b)) {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let plain = |word: &str| -> String {
        word.chars()
            .filter(|c| c.is_alphanumeric())
            .map(without_accent)
            .collect()
    };
    let (short, long) = (plain(short), plain(long));
    if short == long {
        return true;
    }
    let (x, y): (Vec<char>, Vec<char>) = (short.chars().collect(), long.chars().collect());
    if x.first() != y.first() {
        return false;
    }
    let distance = rapidfuzz::distance::osa::distance(x.iter().copied(), y.iter().copied());
    match x.len().min(y.len()) {
        0..=3 => false,
        _ => distance <= 1,
    }
}

/// Whether one name is the adjective or the genitive of the other: "Germany", "German"; "Smith", "Smith's".
pub(super) fn are_one_name(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if are_one(a, b) && short.chars().count() >= 5 {
        return true;
    }
    let common = short
        .chars()
        .zip(long.chars())
        .take_while(|(x, y)| x == y)
        .count();
    let ending: String = long.chars().skip(common).collect();
    let rest: String = short.chars().skip(common).collect();
    let is_ending = |ending: &str| {
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
    };
    // "IFVs" and "IFV", "Churches" and "Church".
    if ["s", "'s", "es"]
        .iter()
        .any(|ending| long.strip_suffix(ending) == Some(short))
    {
        return true;
    }
    let letters = |word: &str| word.chars().map(without_accent).collect::<Vec<_>>();
    let (x, y) = (letters(short), letters(long));
    let begin = x.first() == y.first();
    // And in all their vowels: "Lankaran", "Lenkeran".
    let consonants = |all: &[char]| -> Vec<char> {
        let is_vowel = |c: &char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        all.iter().copied().filter(|c| !is_vowel(c)).collect()
    };
    if begin && x.len() == y.len() && consonants(&x).len() >= 5 && consonants(&x) == consonants(&y)
    {
        return true;
    }
    // Transliterations of long names differ in more than a letter.
    if begin && x.len() >= 9 && rapidfuzz::distance::osa::distance(x, y) <= 2 {
        return true;
    }
    let initial = short.chars().count() == 1 && common == 1;
    initial
        || synonyms().share(id_of(a), id_of(b))
        || (common >= 4
            && is_ending(&ending)
            && is_ending(&rest)
            && (rest.is_empty() || rest != ending))
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
    fn contrasts_are_between_different_words_of_a_group() {
        assert!(contrasts().share(id_of("north"), id_of("south")));
        assert!(contrasts().share(id_of("won"), id_of("lost")));
        assert!(!contrasts().share(id_of("north"), id_of("north")));
        assert!(!contrasts().share(id_of("north"), id_of("won")));
    }
}
