//! What must hold for every text: the paths through it agree, offsets lead back to the source,
//! and what looks the same is the same.

use crate::support::{Token, characters, normalise, words};
use lookalike_text::hash::{Seed, hash64};
use lookalike_text::{
    Case, Characters, Chinese, Dates, Digits, Emoji, Language, Languages, LookAlikes, Numbers,
    Punctuation, Repeats, SpacedLetters, Stemming, StopWords, TextOptions, Tokenizer, Unicode,
    Whitespace, WordClass, ZeroWidth, stop_words,
};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

fn tokens(text: &str, options: TextOptions) -> Vec<String> {
    words(text, options)
        .into_iter()
        .map(|(word, _)| word)
        .collect()
}

/// Characters that meet every rule, each often enough to meet the others.
fn any_text() -> impl Strategy<Value = String> {
    let alphabet = "aZé9_.,:;'\"’-—?!\t\n \u{A0}\u{200B}\u{3000}ßİǅﬁ…½㎏ﷺ¨ＡＢ１～ΣςΐᾳЖёй\
        אבג״עربيةهिकक्षण्डनिनक़ไทยกำลาວພາສາខ្មែរမြန်བོད་ཡིག漢字仮名かがカガｶﾞー한국어各\
        😀👍🏽👨\u{200D}👩❤\u{FE0F}🇩🇪🏴\u{E0067}\u{E007F}1\u{20E3}©™\u{301}\u{308}\u{323}\u{345}\u{338}\
        \u{3099}\u{AD}\u{200C}\u{200D}\u{FEFF}\u{1100}\u{1161}\u{11A8}\u{0}\u{7F}\u{E000}\u{115F}";
    let usual: Vec<char> = alphabet.chars().collect();
    let character = prop_oneof![8 => prop::sample::select(usual), 1 => any::<char>()];
    prop::collection::vec(character, 0..40).prop_map(|chars| chars.into_iter().collect())
}

/// Function words of all languages, inflected words and everything else, in any case.
fn any_prose() -> impl Strategy<Value = String> {
    let all = Language::ALL.iter();
    let listed: Vec<&str> = all
        .flat_map(|&language| stop_words(language))
        .copied()
        .collect();
    let inflected = "running cities National’s naïvely Häuser straßen l’été mangeaient gatos \
        домами бегущие δρόμους kitaplardan کتابها हिन्दीयों 書きます ข้อความ 👍🏽 1990s don’t ? — '";
    let inflected: Vec<&str> = inflected.split(' ').collect();
    let word = prop_oneof![
        4 => prop::sample::select(listed).prop_map(str::to_owned),
        2 => prop::sample::select(inflected).prop_map(str::to_owned),
        1 => any_text(),
    ];
    let word = (word, any::<bool>()).prop_map(
        |(word, upper)| {
            if upper { word.to_uppercase() } else { word }
        },
    );
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

fn any_languages() -> impl Strategy<Value = Languages> {
    let one = || prop::sample::select(Language::ALL);
    (one(), one()).prop_map(|(one, other)| Languages::from(one).and(other))
}

/// Parts of numbers and dates of all kinds, with all that may stand between.
fn any_numbers() -> impl Strategy<Value = String> {
    let parts = "1 18 1979 000 5 007 3.50 １９ two one second twenty hundred thousand million and \
        first eighteenth th st k bn January Jan may märz ma\u{308}rz set de of the % ％ percent per \
        cent 年 月 日 号 个 点 一 二 九 十 百 千 万 亿 零 两 几 百分之 分 克 t T10 - / . , ' ’ ; : … \u{A0} \u{202F} \
        \u{301} \u{AD} \u{FE0F}\u{20E3} _ x é 漢 😀 º";
    let mut parts: Vec<&str> = parts.split_ascii_whitespace().collect();
    parts.extend([" ", " ", " ", "\n", "  ", "\n\n"]);
    prop::collection::vec(prop::sample::select(parts), 0..16).prop_map(|parts| parts.concat())
}

fn canonical(options: TextOptions, month_first: bool) -> TextOptions {
    options.with(|options| {
        options.numbers = Numbers::Canonical;
        options.dates = Dates::ALL[usize::from(month_first)];
    })
}

fn any_options() -> impl Strategy<Value = TextOptions> {
    let punctuation = prop_oneof![
        Just(None),
        prop::sample::select(Punctuation::ALL).prop_map(Some)
    ];
    (
        prop::sample::select(Unicode::ALL),
        prop::sample::select(Case::ALL),
        punctuation,
        prop::sample::select(Whitespace::ALL),
        prop::sample::select(Characters::ALL),
        prop_oneof![
            Just(StopWords::Keep),
            any_languages().prop_map(StopWords::Drop)
        ],
        prop::sample::select(Stemming::ALL),
    )
        .prop_map(
            |(unicode, case, punctuation, whitespace, characters, stop_words, stemming)| {
                TextOptions::default().with(|options| {
                    options.unicode = unicode;
                    options.case = case;
                    options.punctuation = punctuation;
                    options.whitespace = whitespace;
                    options.characters = characters;
                    options.stop_words = stop_words;
                    options.stemming = stemming;
                })
            },
        )
}

/// Parts of messages that hide what they say, with all that may stand between.
fn any_message() -> impl Strategy<Value = String> {
    let parts = "free prize f r e A B . - _ * · ' ’ ! ? … 。 $ @ 1 0 3 ７ 48392 １８ ½ Viаgrа рri ρα вн и ϲ ѕ һ \
        ꜰʀ ᴛ ß ﬁ é e\u{301} \u{301} \u{200B} \u{AD} \u{2060} \u{FEFF} \u{200D} 😀 👍🏽 👨\u{200D}👩 🇩🇪 🏴\u{E0067}\u{E007F} \
        加 微 信 银行 我们 明天 龘 哈 哈哈 仮 か ไ ท 한 무료 א ع 1\u{FE0F}\u{20E3} ﷺ aaa eee";
    let mut parts: Vec<&str> = parts.split_ascii_whitespace().collect();
    parts.extend([" ", " ", " ", "\u{3000}", "\n", "  "]);
    prop::collection::vec(prop::sample::select(parts), 0..16).prop_map(|parts| parts.concat())
}

/// All policies, each by its place in `ALL`, or not given.
fn any_message_options() -> impl Strategy<Value = TextOptions> {
    fn one<T: Copy + std::fmt::Debug>(all: &'static [T]) -> impl Strategy<Value = Option<T>> {
        prop::option::of(prop::sample::select(all))
    }
    (
        any_options(),
        one(Chinese::ALL),
        one(LookAlikes::ALL),
        one(SpacedLetters::ALL),
        one(ZeroWidth::ALL),
        one(Emoji::ALL),
        one(Repeats::ALL),
        one(Digits::ALL),
        prop::sample::select(Numbers::ALL),
    )
        .prop_map(
            |(
                options,
                chinese,
                look_alikes,
                spaced_letters,
                zero_width,
                emoji,
                repeats,
                digits,
                numbers,
            )| {
                options.with(|options| {
                    options.chinese = chinese;
                    options.look_alikes = look_alikes;
                    options.spaced_letters = spaced_letters;
                    options.zero_width = zero_width;
                    options.emoji = emoji;
                    options.repeats = repeats;
                    options.digits = digits;
                    options.numbers = numbers;
                })
            },
        )
}

/// The text with each letter of a Latin word replaced by `replace`, if that gives another.
fn disguised(text: &str, replace: impl Fn(usize, char) -> String) -> String {
    let chars = text.chars().enumerate();
    chars.map(|(place, c)| replace(place, c)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn ascii_words_are_those_of_uax_29(text in "[ -~\\t\\n]{0,300}") {
        let lower = text.to_ascii_lowercase();
        let mut expected: Vec<Token> = lower
            .split_word_bound_indices()
            .filter(|(_, word)| word.chars().any(char::is_alphanumeric))
            .map(|(at, word)| (word.to_owned(), at..at + word.len()))
            .collect();
        if expected.is_empty() {
            let segments = lower.split_word_bound_indices();
            expected = segments
                .filter(|(_, word)| !word.trim().is_empty())
                .map(|(at, word)| (word.to_owned(), at..at + word.len()))
                .collect();
        }
        prop_assert_eq!(words(&text, TextOptions::default()), expected);
    }

    #[test]
    fn ascii_words_with_much_punctuation_are_those_of_uax_29(text in "[aB1_'.:,; ]{0,200}") {
        let lower = text.to_ascii_lowercase();
        let expected: Vec<&str> = lower.unicode_words().collect();
        prop_assume!(!expected.is_empty());
        prop_assert_eq!(tokens(&text, TextOptions::default()), expected);
    }

    #[test]
    fn a_normalised_text_is_its_characters(text in "\\PC{0,60}|[ -~\\té¹º가ก\u{301}\u{AD}\u{200D}\u{1100}\u{1161}😀ﬁⅣÀÅ]{0,40}", options in any_options()) {
        let code_points = options.with(|options| options.characters = Characters::CodePoint);
        let characters = characters(&text, code_points).into_iter();
        let joined: String = characters.map(|(character, _)| character).collect();
        prop_assert_eq!(normalise(&text, options), joined);
    }

    #[test]
    fn words_of_spaced_scripts_are_those_of_uax_29(
        text in "([a-zäßéа-яё0-9א-תا-ي가-힣ά-ώ_.,:;'\"’ -]|[क-ह][ा-ौ्]{0,2}){0,80}"
    ) {
        let normalised = normalise(&text, TextOptions::default());
        let expected: Vec<&str> = normalised.unicode_words().collect();
        prop_assume!(!expected.is_empty());
        prop_assert_eq!(tokens(&text, TextOptions::default()), expected);
    }

    #[test]
    fn hashes_are_those_of_the_words(text in any_prose(), options in any_options(), seed: u64) {
        let mut hashes = vec![42];
        Tokenizer::new(options).word_hashes(&text, Seed(seed), &mut hashes);
        let mut expected = vec![42];
        for word in tokens(&text, options) {
            expected.push(hash64(word.as_bytes(), Seed(seed)));
        }
        prop_assert_eq!(hashes, expected);
    }

    #[test]
    fn offsets_ascend_and_slice_the_token_out_of_the_source(
        text in any_prose(),
        options in any_options(),
    ) {
        let found = words(&text, options);
        for pair in found.windows(2) {
            prop_assert!(pair[0].1.start <= pair[1].1.start && pair[0].1.end <= pair[1].1.end);
        }
        for (word, source) in found {
            prop_assert!(!source.is_empty());
            let again = tokens(&text[source], options);
            prop_assert!(again.contains(&word), "{:?} in {:?}", word, again);
        }
    }

    #[test]
    fn offsets_of_characters_ascend_on_boundaries(text in any_text(), options in any_options()) {
        let mut last = 0..0;
        for (_, source) in characters(&text, options) {
            prop_assert!(last.start <= source.start && last.end <= source.end);
            prop_assert!(text.get(source.clone()).is_some());
            last = source;
        }
    }

    #[test]
    fn normalising_keeps_the_words_and_changes_nothing_twice(text in any_text()) {
        let options = TextOptions::default();
        let once = normalise(&text, options);
        prop_assert_eq!(&normalise(&once, options), &once);
        prop_assert_eq!(tokens(&once, options), tokens(&text, options));
    }

    #[test]
    fn composed_and_decomposed_texts_have_the_same_words(text in any_text()) {
        let options = TextOptions::default();
        let expected = tokens(&text, options);
        prop_assert_eq!(&tokens(&text.nfc().collect::<String>(), options), &expected);
        prop_assert_eq!(&tokens(&text.nfd().collect::<String>(), options), &expected);
    }

    #[test]
    fn full_width_texts_have_the_words_of_ascii(text in "[!-~ ]{0,60}") {
        let wide: String = text
            .chars()
            .map(|c| match c {
                ' ' => '\u{3000}',
                c => char::from_u32(c as u32 + 0xFEE0).unwrap(),
            })
            .collect();
        let options = TextOptions::default();
        prop_assert_eq!(tokens(&wide, options), tokens(&text, options));
    }

    #[test]
    fn upper_case_texts_have_the_words_of_lower_case(text in "[a-zа-яёéàß0-9' .,]{0,60}") {
        let options = TextOptions::default();
        prop_assert_eq!(tokens(&text.to_uppercase(), options), tokens(&text, options));
    }

    #[test]
    fn exactly_the_texts_with_content_have_tokens(text in any_prose(), options in any_options()) {
        let content = Tokenizer::new(options).has_content(&text);
        prop_assert_eq!(content, !words(&text, options).is_empty());
        let options = options.with(|options| options.whitespace = Whitespace::Collapse);
        prop_assert_eq!(content, !characters(&text, options).is_empty());
    }

    #[test]
    fn a_text_may_stand_anywhere_among_others(left in any_text(), right in any_text()) {
        let options = TextOptions::default().with(|options| options.punctuation = Some(Punctuation::Keep));
        let joined = format!("{left}\n{right}");
        let mut expected = tokens(&left, options);
        expected.extend(tokens(&right, options));
        prop_assert_eq!(tokens(&joined, options), expected);
    }
    #[test]
    fn the_words_left_are_those_that_are_no_stop_words(
        text in any_prose(),
        options in any_options(),
        languages in any_languages(),
    ) {
        let options = options.with(|options| options.stemming = Stemming::Off);
        let all = words(&text, options.with(|options| options.stop_words = StopWords::Keep));
        let left = words(&text, options.with(|options| options.stop_words = StopWords::Drop(languages)));
        let is_stop_word = |word: &str| {
            let listed = tokens(word, TextOptions::default());
            listed.len() == 1
                && languages.iter().any(|language| stop_words(language).contains(&listed[0].as_str()))
        };
        let content = |word: &str| word.chars().any(|c| c.is_alphanumeric() || c > '\u{2FFF}');
        let counts = |token: &Token| !is_stop_word(&token.0);
        let expected: Vec<Token> = if all.iter().any(|token| counts(token) && content(&token.0)) {
            all.into_iter().filter(counts).collect()
        } else {
            all
        };
        prop_assert_eq!(left, expected);
    }

    #[test]
    fn characters_know_neither_stop_words_nor_stems(text in any_prose(), options in any_options()) {
        let whole = options.with(|options| {
            options.stop_words = StopWords::Keep;
            options.stemming = Stemming::Off;
        });
        prop_assert_eq!(characters(&text, options), characters(&text, whole));
        prop_assert_eq!(normalise(&text, options), normalise(&text, whole));
    }

    #[test]
    fn stems_are_the_same_with_case_kept(
        text in "([a-zA-ZäöüÄÖÜßéÉа-яА-Я]{1,12} ){0,8}",
        stemming in prop::sample::select(&Stemming::ALL[1..]),
    ) {
        let folded = TextOptions::default().with(|options| options.stemming = stemming);
        let kept = folded.with(|options| options.case = Case::Keep);
        prop_assert_eq!(words(&text, kept), words(&text, folded));
    }

    #[test]
    fn forms_of_numbers_keep_what_is_promised_of_words(
        text in prop_oneof![any_numbers(), any_prose(), any_text()],
        options in any_options(),
        month_first: bool,
        seed: u64,
    ) {
        let options = canonical(options, month_first);
        let found = words(&text, options);
        for pair in found.windows(2) {
            prop_assert!(pair[0].1.start <= pair[1].1.start && pair[0].1.end <= pair[1].1.end);
        }
        for (_, source) in &found {
            prop_assert!(text.get(source.clone()).is_some_and(|source| !source.is_empty()));
        }
        let mut hashes = Vec::new();
        Tokenizer::new(options).word_hashes(&text, Seed(seed), &mut hashes);
        let expected: Vec<u64> =
            found.iter().map(|(word, _)| hash64(word.as_bytes(), Seed(seed))).collect();
        prop_assert_eq!(hashes, expected);
        let mut last = 0..0;
        for (_, source) in characters(&text, options) {
            prop_assert!(last.start <= source.start && last.end <= source.end);
            prop_assert!(text.get(source.clone()).is_some());
            last = source;
        }
    }

    #[test]
    fn words_are_as_written_or_stand_for_several_that_are(text in any_numbers()) {
        // Three tokens of one character.
        let text = text.replace('…', "");
        let options = TextOptions::default().with(|options| options.punctuation = Some(Punctuation::Keep));
        let written = words(&text, options);
        let mut rest = written.as_slice();
        for (word, source) in words(&text, canonical(options, false)) {
            let covered = rest.iter().take_while(|(_, at)| at.end <= source.end).count();
            let (replaced, after) = rest.split_at(covered);
            rest = after;
            prop_assert!(!replaced.is_empty(), "{} in {:?}", word, written);
            prop_assert_eq!(replaced[0].1.start, source.start);
            prop_assert_eq!(replaced[covered - 1].1.end, source.end);
            prop_assert!(covered == 1 || word.bytes().any(|byte| byte.is_ascii_digit()));
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn full_width_numbers_have_the_forms_of_ascii(text in "[0-9.,'%/ -]{0,24}") {
        let wide = |c: char| match c {
            ' ' => '\u{3000}',
            c => char::from_u32(c as u32 + 0xFEE0).unwrap(),
        };
        let options = canonical(TextOptions::default(), false);
        let wide: String = text.chars().map(wide).collect();
        prop_assert_eq!(tokens(&wide, options), tokens(&text, options));
    }

    #[test]
    fn upper_case_numbers_have_the_forms_of_lower_case(text in any_numbers()) {
        let options = canonical(TextOptions::default(), false);
        let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
        prop_assert_eq!(tokens(&upper, options), tokens(&lower, options));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn seeing_through_disguises_keeps_what_is_promised_of_words(
        text in prop_oneof![4 => any_message(), 1 => any_prose(), 1 => any_text()],
        options in any_message_options(),
    ) {
        let found = words(&text, options);
        prop_assert_eq!(!found.is_empty(), Tokenizer::new(options).has_content(&text));
        for pair in found.windows(2) {
            prop_assert!(pair[0].1.start <= pair[1].1.start && pair[0].1.end <= pair[1].1.end);
        }
        for (_, source) in &found {
            prop_assert!(text.get(source.clone()).is_some_and(|source| !source.is_empty()));
        }
        // A tokenizer that has seen other texts finds the same.
        let mut tokenizer = Tokenizer::new(options);
        for other in ["f r е e \u{200B}银 行 卡 48392!!! 😀", &text] {
            let mut hashes = Vec::new();
            tokenizer.word_hashes(other, Seed(5), &mut hashes);
            let expected: Vec<u64> =
                words(other, options).iter().map(|(word, _)| hash64(word.as_bytes(), Seed(5))).collect();
            prop_assert_eq!(hashes, expected);
        }
    }

    #[test]
    fn seeing_through_disguises_keeps_what_is_promised_of_characters(
        text in prop_oneof![4 => any_message(), 1 => any_text()],
        options in any_message_options(),
    ) {
        let options = options.with(|options| options.characters = Characters::CodePoint);
        let found = characters(&text, options);
        let mut last = 0..0;
        for (_, source) in &found {
            prop_assert!(last.start <= source.start && last.end <= source.end);
            prop_assert!(text.get(source.clone()).is_some_and(|source| !source.is_empty()));
            last = source.clone();
        }
        let joined: String = found.into_iter().map(|(character, _)| character).collect();
        prop_assert_eq!(normalise(&text, options), joined);
        let options = options.with(|options| options.whitespace = Whitespace::Collapse);
        let content = Tokenizer::new(options).has_content(&text);
        prop_assert_eq!(content, !characters(&text, options).is_empty());
    }

    #[test]
    fn the_defaults_change_nothing(text in prop_oneof![any_message(), any_text()], options in any_options()) {
        let named = options.with(|options| {
            options.chinese = Some(Chinese::Characters);
            options.look_alikes = Some(LookAlikes::AsWritten);
            options.spaced_letters = Some(SpacedLetters::AsWritten);
            options.zero_width = Some(ZeroWidth::Separate);
            options.emoji = Some(Emoji::Keep);
            options.repeats = Some(Repeats::AsWritten);
            options.digits = Some(Digits::AsWritten);
        });
        prop_assert_eq!(words(&text, named), words(&text, options));
        prop_assert_eq!(characters(&text, named), characters(&text, options));
    }

    #[test]
    fn chinese_words_cover_exactly_the_characters(
        text in prop_oneof!["[银行我们明天去北京上海的一二三大学生 ，a1\u{AD}\u{301}]{0,40}", any_message()],
        options in any_message_options(),
    ) {
        let options = options.with(|options| {
            options.stop_words = StopWords::Keep;
            options.stemming = Stemming::Off;
        });
        let single = words(&text, options.with(|options| options.chinese = Some(Chinese::Characters)));
        let mut rest = single.as_slice();
        for (word, source) in words(&text, options.with(|options| options.chinese = Some(Chinese::Words))) {
            let mut joined = String::new();
            let mut covered = 0;
            while joined.len() < word.len() {
                joined.push_str(&rest[covered].0);
                covered += 1;
            }
            let (parts, after) = rest.split_at(covered);
            rest = after;
            prop_assert_eq!(&joined, &word);
            prop_assert_eq!(source, parts[0].1.start..parts[covered - 1].1.end);
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn the_words_of_words_are_themselves(text in any_message(), options in any_message_options()) {
        let options = options.with(|options| {
            options.unicode = Unicode::Nfkc;
            options.case = Case::Fold;
            options.stemming = Stemming::Off;
            options.stop_words = StopWords::Keep;
            options.numbers = Numbers::AsWritten;
        });
        // Disguises are looked for before characters become several words or plain digits and soft
        // hyphens are left out, and marks for letters join words whose parts may say otherwise.
        let reads_digits = options.look_alikes() == LookAlikes::Mixed;
        let left = text.replace(['½', 'ﷺ', '$', '@'], "");
        let left = left.replace(|letter: char| reads_digits && letter.is_numeric(), "");
        let once = tokens(&left, options);
        prop_assert_eq!(tokens(&once.join("\n"), options), once);
    }

    #[test]
    fn a_disguised_text_has_the_words_of_the_plain_one(
        text in "([a-z]{2,9}[.,!?]? ){0,3}[a-z]{4,9}( [a-z]{2,9}){0,3}",
        place in 0..60_usize,
    ) {
        let options = TextOptions::default().for_messages();
        let plain = tokens(&text, options);
        let unseen = disguised(&text, |at, c| match c {
            'a'..='z' if at % 3 == place % 3 => format!("{c}\u{200B}\u{2060}"),
            c => c.to_string(),
        });
        prop_assert_eq!(tokens(&unseen, options), plain.as_slice());
        // Two letters of each word stay as they are, and are like no Cyrillic ones.
        let anchored: String = text.split(' ').map(|word| format!("zn{word} ")).collect();
        let foreign = disguised(&anchored, |at, c| {
            let like = "aceopxyij".find(c).and_then(|at| "асеорхуіј".chars().nth(at));
            like.filter(|_| (at + place) % 2 == 0).unwrap_or(c).to_string()
        });
        prop_assert_eq!(tokens(&foreign, options), tokens(&anchored, options));
        let separator = [" ", ".", "-", "*", "　", "｜"][place % 6];
        let spaced: Vec<String> = text
            .split(' ')
            .map(|word| match word.chars().all(|c| c.is_ascii_lowercase()) && word.len() >= 4 {
                true => word.chars().map(String::from).collect::<Vec<_>>().join(separator),
                false => word.to_owned(),
            })
            .collect();
        prop_assert_eq!(tokens(&spaced.join(" / "), options), plain.as_slice());
        let loud = options.with(|options| options.punctuation = Some(Punctuation::Keep));
        let repeated = text.replace('!', "!!!").replace('.', "…").replace('?', "？？");
        prop_assert_eq!(tokens(&repeated, loud), tokens(&text, loud));
        let smiling = options.with(|options| options.emoji = Some(Emoji::Drop));
        prop_assert_eq!(tokens(&text.replace(' ', " 😀👍🏽 "), smiling), plain.as_slice());
        let leet = options.with(|options| options.look_alikes = Some(LookAlikes::All));
        let digits = disguised(&anchored, |at, c| match c {
            'e' if at % 5 == place % 5 => "3".to_owned(),
            'o' if at % 5 == place % 5 => "0".to_owned(),
            c => c.to_string(),
        });
        prop_assert_eq!(tokens(&digits, leet), tokens(&anchored, leet));
    }

    #[test]
    fn codes_that_differ_in_digits_only_are_the_same(text in "([a-z]{1,5} ?[0-9]{5,9}[.,]? ){1,4}") {
        let options = TextOptions::default().with(|options| options.digits = Some(Digits::Codes));
        let other = disguised(&text, |at, c| match c.to_digit(10) {
            Some(digit) => ((digit as usize + at) % 10).to_string(),
            None => c.to_string(),
        });
        prop_assert_eq!(words(&text, options), words(&other, options));
    }

    #[test]
    fn every_word_has_a_class(text in prop_oneof![any_message(), any_prose()]) {
        for word in tokens(&text, TextOptions::default().for_messages()) {
            prop_assert_eq!(WordClass::of(&word), WordClass::of(&word));
        }
    }
}

#[test]
fn endless_disguises_take_linear_time() {
    let options = TextOptions::default().with(|options| {
        options.look_alikes = Some(LookAlikes::All);
        options.emoji = Some(Emoji::Drop);
        options.repeats = Some(Repeats::Letters);
        options.digits = Some(Digits::All);
    });
    let units = [
        "a ",
        "a.",
        "a-b ",
        "a\u{301} ",
        "\u{301}",
        "а",
        "aа",
        "a1",
        "1",
        "1 ",
        "$",
        "银",
        "银 ",
        "!",
        "\u{200B}",
        "a\u{200B}",
        "😀",
        "😀\u{200D}",
        "é",
        "…",
        "a'",
        "'",
    ];
    for options in [
        options,
        options.for_messages(),
        TextOptions::default().for_messages(),
    ] {
        for unit in units {
            let text = unit.repeat((1 << 17) / unit.len());
            let begin = std::time::Instant::now();
            words(&text, options);
            normalise(&text, options);
            // Quadratic time would be minutes.
            assert!(begin.elapsed().as_secs() < 10, "{unit}");
        }
    }
}

#[test]
fn endless_numbers_take_linear_time() {
    let options = canonical(TextOptions::default(), false);
    let units = [
        "1",
        "1,",
        "1.000.",
        "1\u{A0}000\u{A0}",
        "1'",
        "1/1/",
        "18/1/1979-",
        "five ",
        "twenty-",
        "two hundred ",
        "million ",
        "January ",
        "January 1 ",
        "1 January ",
        "1月",
        "1年1月",
        "一",
        "十",
        "一百",
        "一千万",
        "百分之",
        "5% ",
        "1 % ",
        "a\u{301}",
        "1\u{301}",
        "１",
        "１，",
        "1 \n",
        "the 1",
        "three-thousand-",
        "1st",
        "三点五",
        "零点",
        "1万",
        "1万1千",
    ];
    for unit in units {
        let text = unit.repeat((1 << 19) / unit.len());
        let begin = std::time::Instant::now();
        let found = words(&text, options);
        assert!(!found.is_empty());
        normalise(&text, options);
        // Quadratic time would be minutes.
        assert!(begin.elapsed().as_secs() < 10, "{unit}");
    }
}
