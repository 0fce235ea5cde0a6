//! Classes of words. A normalised word comes in; what kind of word it is goes out: for Chinese by
//! the dictionary of Jieba, for other languages as far as lists of function words tell.
//!
//! ```
//! use lookalike_text::WordClass;
//!
//! assert_eq!(WordClass::of("银行"), WordClass::Nouns);
//! assert_eq!(WordClass::of("quickly"), WordClass::Adverbs);
//! assert_eq!(WordClass::of("berlin"), WordClass::Open);
//! ```

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::chars::is_han;
use crate::chinese::jieba;
use crate::class::Class;
use crate::function_words::{FunctionWords, sources};
use crate::languages::Language;
use crate::policy;

policy!(
    /// What kind of word a word is.
    WordClass, "word-class", "nouns, verbs, adjectives, adverbs, pronouns, numerals, connectives, \
        symbols or open",
    /// Names of things, places and times; in Chinese those of persons too.
    Nouns = "nouns",
    /// What is done.
    Verbs = "verbs",
    /// What things are like.
    Adjectives = "adjectives",
    /// How, when and how much.
    Adverbs = "adverbs",
    /// What stands for a person or a thing.
    Pronouns = "pronouns",
    /// Digits, number words and, in Chinese, measure words.
    Numerals = "numerals",
    /// What holds sentences together: conjunctions, prepositions, articles, auxiliaries, particles.
    Connectives = "connectives",
    /// Emoji and punctuation.
    Symbols = "symbols",
    /// Words whose class is not known: names, foreign words, all content words that are not Chinese.
    Open = "open",
);

/// English pronouns, in the form of the lists of function words.
const PRONOUNS: &str = "he you i this his they we which her their who what its them these my our me \
    him she your us those himself themselves itself whose herself myself whom whatever whoever \
    yourself ourselves yourselves mine yours hers ours theirs it that anyone anybody anything \
    someone somebody something everyone everybody everything nobody nothing none oneself whichever \
    it's i'm that's he's you're i've i'll they're we're i'd she's what's you've we've they've you'll \
    we'll they'll he'll she'll it'll you'd he'd she'd we'd they'd who's who'll who'd what're what'll \
    what'd that'll that'd it'd";

/// English adverbs that do not end in `ly`, or are function words.
const ADVERBS: &str = "not there more out so up when only then now most also how just where much very \
    too even again here once why down off however yet never still ever less thus quite rather perhaps \
    else almost along therefore hence wherever whenever how's where's when's why's there's here's \
    always often soon already today tomorrow yesterday tonight maybe well together away back \
    sometimes anymore anyway instead indeed twice ahead apart everywhere nowhere somewhere anywhere \
    forever meanwhile nevertheless nonetheless otherwise likewise";

/// Words in `ly` that are no adverbs.
const NO_ADVERBS: &str = "family reply supply apply imply comply multiply rely ally rally bully belly \
    jelly fly july italy assembly anomaly monopoly butterfly lily holy ugly silly early daily weekly \
    monthly yearly friendly lovely lonely lively likely unlikely elderly costly deadly orderly \
    only homely curly hilly oily wily sly ply folly tally bodily gully dolly molly sally emily kelly \
    billy willy holly polly";

/// English number words.
const NUMERALS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen \
    fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy \
    eighty ninety hundred thousand million billion trillion dozen hundreds thousands millions \
    billions dozens first second third fourth fifth sixth seventh eighth ninth tenth half quarter \
    percent pct";

/// Function words that the dictionary has without a class, or not at all.
const HAN_PRONOUNS: &str = "您此每妳祂誰這";
const HAN_ADVERBS: &str = "很仍甚稍较較剛沒總極頗還豈別";

/// Units that stand at the end of a number.
const UNITS: [&str; 12] = [
    "st", "nd", "rd", "th", "k", "m", "bn", "mn", "万", "亿", "千", "%",
];

impl WordClass {
    /// The class of a word as [`Tokenizer::words`](crate::Tokenizer::words) gives it by default.
    #[must_use]
    pub fn of(word: &str) -> Self {
        if !word.bytes().all(|byte| byte.is_ascii_lowercase()) && is_symbol(word) {
            return Self::Symbols;
        }
        if is_number(word) {
            return Self::Numerals;
        }
        if word.chars().any(is_han) {
            return of_han(word);
        }
        let mut lists = LISTS.iter();
        match lists.find(|(_, list)| list.contains(word)) {
            Some((class, _)) => *class,
            None if is_like_adverb(word) => Self::Adverbs,
            None => Self::Open,
        }
    }
}

/// Lists of words with their class, of which the first that has a word counts.
static LISTS: LazyLock<[(WordClass, FunctionWords); 5]> = LazyLock::new(|| {
    let all: Vec<&str> = Language::ALL
        .iter()
        .flat_map(|&language| sources(language))
        .collect();
    [
        (WordClass::Pronouns, FunctionWords::new(&[PRONOUNS])),
        (WordClass::Numerals, FunctionWords::new(&[NUMERALS])),
        (WordClass::Adverbs, FunctionWords::new(&[ADVERBS])),
        (WordClass::Connectives, FunctionWords::new(&all)),
        (WordClass::Open, FunctionWords::new(&[NO_ADVERBS])),
    ]
});

fn is_symbol(word: &str) -> bool {
    let is_content = |c: char| Class::of(c).is_content();
    let is_emoji = |c: char| Class::of(c).is_pictograph();
    word.chars().any(is_emoji) || !word.chars().any(is_content) || is_flag(word)
}

/// By the dictionary. A word that it would cut has the class of its last part, which in Chinese is
/// what the others say more about.
fn of_han(word: &str) -> WordClass {
    let parts = jieba().cut(word, false);
    // Only what is in the dictionary is asked for its tag: for the rest the tagger would guess.
    let last = parts.last().filter(|last| jieba().has_word(last.word));
    let tags = last.map(|last| jieba().tag(last.word, false));
    let tag = tags.as_ref().and_then(|tags| tags.last());
    let class = tag.map_or(WordClass::Open, |tagged| of_tag(tagged.tag));
    if class != WordClass::Open {
        return class;
    }
    let is_function_word = FunctionWords::and_fillers_of(Language::Chinese).contains(word);
    let is_in = |list: &str| list.chars().any(|c| word == c.encode_utf8(&mut [0; 4]));
    match word {
        _ if is_in(HAN_PRONOUNS) => WordClass::Pronouns,
        _ if is_in(HAN_ADVERBS) => WordClass::Adverbs,
        _ if is_function_word => WordClass::Connectives,
        _ => WordClass::Open,
    }
}

/// The class that a tag of the dictionary stands for.
fn of_tag(tag: &str) -> WordClass {
    match tag.as_bytes() {
        // Characters that the dictionary knows nothing about.
        b"zg" | b"eng" => WordClass::Open,
        b"ad" => WordClass::Adverbs,
        b"an" => WordClass::Nouns,
        // Things and names, places, times, sides, short forms.
        [b'n' | b's' | b't' | b'f' | b'j', ..] => WordClass::Nouns,
        [b'v', ..] => WordClass::Verbs,
        [b'd', ..] => WordClass::Adverbs,
        // Of quality, of distinction, of state.
        [b'a' | b'b' | b'z', ..] => WordClass::Adjectives,
        [b'r', ..] => WordClass::Pronouns,
        [b'm' | b'q', ..] => WordClass::Numerals,
        // Conjunctions, prepositions, auxiliaries, modal particles, calls, sounds, affixes.
        [b'c' | b'p' | b'u' | b'y' | b'e' | b'o' | b'h' | b'k', ..] => WordClass::Connectives,
        // Idioms and phrases may be anything.
        _ => WordClass::Open,
    }
}

/// Digits, with what may stand between or after them: `1,000`, `3.5`, `50%`, `18th`, `10k`; and codes that are digits
/// for the half, such as `a123`, which say as little.
fn is_number(word: &str) -> bool {
    let is_digit = |c: char| c.is_numeric() && !is_han(c);
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) || !word.chars().any(is_digit) {
        return false;
    }
    let digits = word.chars().filter(|&c| is_digit(c)).count();
    if 2 * digits >= word.chars().count() && !word.chars().any(is_han) {
        return true;
    }
    let unit = UNITS.iter().find_map(|unit| word.strip_suffix(unit));
    let number = unit.unwrap_or(word);
    let is_part = |c: char| c.is_numeric() || ".,:;'’-/_⁄".contains(c);
    // Han numerals are numeric too; which of them are numbers the dictionary knows.
    number.chars().any(|c| c.is_numeric() && !is_han(c))
        && number.chars().all(|c| is_part(c) && !is_han(c))
}

fn is_like_adverb(word: &str) -> bool {
    word.len() >= 5 && word.ends_with("ly") && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

fn is_flag(word: &str) -> bool {
    word.chars().all(|c| matches!(c, '\u{1F1E6}'..='\u{1F1FF}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_of_the_classes_that_readers_give_them() {
        let cases = [
            (WordClass::Nouns, "银行 老师 明天 北京 上面 微信"),
            (WordClass::Verbs, "喜欢 吃 点击 扫码"),
            (WordClass::Adjectives, "漂亮 大型 雪白"),
            (
                WordClass::Adverbs,
                "非常 已经 很 quickly now not always really",
            ),
            (WordClass::Pronouns, "我们 他 您 這 you it's everything"),
            (
                WordClass::Numerals,
                "三 一百 个 5 1,000 3.14 50% 18th 10k 00000 ٣٤ ½ twenty third percent 3万 2024-01-18 a123 v2",
            ),
            (
                WordClass::Connectives,
                "的 因为 对于 吗 在 且 嗎 and of the is because und der mais für и",
            ),
            (WordClass::Symbols, "! ... 。 👍🏽 😀 🇩🇪 — _"),
            (
                WordClass::Open,
                "berlin haus family friendly мир 龘 銀 covid19 画蛇添足 ไ か",
            ),
        ];
        for (class, words) in cases {
            for word in words.split(' ') {
                assert_eq!(WordClass::of(word), class, "{word}");
            }
        }
    }

    #[test]
    fn every_function_word_has_a_closed_class() {
        for &language in Language::ALL.iter().filter(|&&l| l != Language::Chinese) {
            for word in crate::stop_words(language) {
                assert_ne!(WordClass::of(word), WordClass::Open, "{language} {word}");
            }
        }
    }

    #[test]
    fn lists_have_the_form_of_words_and_no_word_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let mut tokenizer = crate::Tokenizer::new(crate::TextOptions::default());
        for list in [PRONOUNS, ADVERBS, NUMERALS] {
            for listed in list.split_ascii_whitespace() {
                assert!(seen.insert(listed), "{listed}");
                let mut words = Vec::new();
                tokenizer.words(listed, &mut |word: &str, _| words.push(word.to_owned()));
                assert_eq!(words, [listed]);
            }
        }
    }
}
