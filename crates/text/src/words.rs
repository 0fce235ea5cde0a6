//! Words. A text comes in; its words go out, normalised, with the bytes they come from.
//!
//! ```
//! use lookalike_text::{TextOptions, Tokenizer};
//!
//! let mut found = Vec::new();
//! let mut tokenizer = Tokenizer::new(TextOptions::default());
//! let text = "Ｒust 很快 👍🏽!";
//! tokenizer.words(text, &mut |word: &str, source: std::ops::Range<usize>| {
//!     found.push((word.to_owned(), &text[source]));
//! });
//! let expected = [("rust", "Ｒust"), ("很", "很"), ("快", "快"), ("👍🏽", "👍🏽")];
//! assert_eq!(found, expected.map(|(word, source)| (word.to_owned(), source)));
//! ```
//!
//! A text goes through three paths, the fastest that applies to each stretch of it: `ascii`, 64
//! bytes at a time; `plain`, a character at a time without copying; and for the rest `piece`,
//! which normalises, and `segment`, which finds the boundaries. All three find the same words.

use std::ops::Range;

use crate::ascii::AsciiWords;
use crate::chars::CharTable;
use crate::chinese::{ChineseWords, HanRun};
use crate::class::{Break, Class};
use crate::disguise::{Chinese, Repeats};
use crate::hash::{Seed, hash64};
use crate::numbers::NumberForms;
use crate::options::{Punctuation, TextOptions};
use crate::piece::{Piece, Until};
use crate::plain::{PlainWords, Stretch};
use crate::refine::{CountWords, KnownWords, Refinement};
use crate::segment::segment_at;
use crate::unmask::{OneMark, Purpose, Unmask, Unmasked};

/// Takes the tokens of a text, in order. Any `FnMut(&str, Range<usize>)` is one.
pub trait TokenSink {
    /// Takes the next token: `token` as texts are compared, `source` the bytes of the text as
    /// given that it comes from, never empty. Neither the beginnings nor the ends of sources ever
    /// go back; where one character of the source makes several tokens (`ﷺ` makes four), each has
    /// the whole of it in its source.
    fn token(&mut self, token: &str, source: Range<usize>);
}

impl<F: FnMut(&str, Range<usize>)> TokenSink for F {
    #[inline]
    fn token(&mut self, token: &str, source: Range<usize>) {
        self(token, source);
    }
}

/// Takes texts apart. Holds buffers that are used again: make one for each thread.
pub struct Tokenizer {
    pub(crate) options: TextOptions,
    pub(crate) table: &'static CharTable,
    pub(crate) piece: Piece,
    ascii: AsciiWords,
    plain: PlainWords,
    pub(crate) numbers: Option<NumberForms>,
    refinement: Option<Refinement>,
    /// What the refinement made of words lately, and what it made of them where it kept stop words.
    known: KnownWords,
    known_kept: KnownWords,
    pub(crate) unmask: Option<Box<Unmask>>,
    chinese: Option<Box<HanRun>>,
}

impl Tokenizer {
    /// A tokenizer for the given policies.
    #[must_use]
    pub fn new(options: TextOptions) -> Self {
        let table = CharTable::of(&options);
        Self {
            options,
            table,
            ascii: AsciiWords::new(options.case),
            plain: PlainWords::new(table),
            piece: Piece::default(),
            numbers: NumberForms::of(&options),
            refinement: Refinement::of(&options),
            known: KnownWords::default(),
            known_kept: KnownWords::default(),
            unmask: Unmask::of(&options).map(Box::new),
            chinese: (options.chinese() == Chinese::Words).then(Box::default),
        }
    }

    /// The policies it was made for.
    #[must_use]
    pub fn options(&self) -> &TextOptions {
        &self.options
    }

    /// Whether there is anything in the text besides white space and invisible characters. Texts
    /// with content have words and characters, texts without have none.
    #[must_use]
    pub fn has_content(&self, text: &str) -> bool {
        text.chars().any(|c| {
            let class = self.table.info(c).class;
            class.breaks != Break::Space && !class.is_invisible()
        })
    }

    /// Gives the words of `text` to `sink`.
    ///
    /// The text is normalised ([`TextOptions`]) and cut at the word boundaries of UAX #29; what
    /// contains a letter, a number or an emoji is a word. Beyond that:
    /// - In scripts without spaces (Han, kana, Thai, Lao, Khmer, Myanmar and others) each character
    ///   with its marks is a word. Tibetan has syllables, Hangul has spaces: words as in UAX #29.
    /// - Each emoji is a word, with its modifiers and whatever is joined to it.
    /// - Punctuation is dropped, or with [`Punctuation::Keep`] a word of its own. If a text has
    ///   nothing else it is kept, so that such texts match if and only if they are the same.
    /// - White space, control characters and the zero width space separate words.
    /// - Other invisible characters (soft hyphen, joiners, byte order mark, variation selectors)
    ///   are removed before anything else, unless they make an emoji or [`Unicode::AsIs`] is
    ///   chosen: two words that look the same are the same.
    /// - The apostrophe `’` is written `'` under [`Unicode::Nfkc`]: copies often differ in this.
    /// - Stretches of more than 64 KB without a boundary are cut there.
    /// - With [`Numbers::Canonical`] a number or date is one word in one form
    ///   ([`numbers`](crate::numbers)), whose source is the whole of what it stands for.
    /// - With [`Chinese::Words`] Han characters that touch are joined into words of Chinese. The other
    ///   policies for messages ([`TextOptions::for_messages`]) change the text before all this; the
    ///   source of a word is what it was before, with whatever was taken out of its midst.
    /// - Then stop words are dropped ([`StopWords`]) and the others stemmed ([`Stemming`]), if that
    ///   is chosen. If a text has nothing but stop words and punctuation, they are kept.
    ///
    /// [`Numbers::Canonical`]: crate::Numbers::Canonical
    /// [`Stemming`]: crate::Stemming
    /// [`StopWords`]: crate::StopWords
    /// [`Unicode::AsIs`]: crate::Unicode::AsIs
    /// [`Unicode::Nfkc`]: crate::Unicode::Nfkc
    pub fn words<S: TokenSink>(&mut self, text: &str, sink: &mut S) {
        self.words_to(text, &mut EachWord { sink, count: 0 });
    }

    /// Appends the [`hash64`] of each word of `text` to `out`: the same as hashing what
    /// [`words`](Self::words) gives, and faster.
    pub fn word_hashes(&mut self, text: &str, seed: Seed, out: &mut Vec<u64>) {
        let before = out.len();
        self.words_to(text, &mut HashWords { seed, out, before });
    }

    fn words_to<S: WordSink>(&mut self, text: &str, sink: &mut S) {
        let Some(mut unmask) = self.unmask.take() else {
            return self.unmasked_words_to(text, sink);
        };
        if unmask.read(text, Purpose::Words, self) {
            let sink: &mut dyn WordSink = sink;
            let mut unmasked = Unmasked {
                unmask: &unmask,
                sink,
            };
            self.unmasked_words_to(unmask.text(), &mut unmasked);
        } else {
            self.unmasked_words_to(text, sink);
        }
        self.unmask = Some(unmask);
    }

    fn unmasked_words_to<S: WordSink>(&mut self, text: &str, sink: &mut S) {
        match self.refinement {
            None => self.all_words_to(text, sink),
            Some(refinement) => self.refined_words_to(text, refinement, sink),
        }
    }

    fn refined_words_to<S: WordSink>(&mut self, text: &str, refine: Refinement, sink: &mut S) {
        let punctuation = self.options.punctuation_of_words();
        // Kept punctuation must not stand for the stop words of a text without other words.
        let is_more_than_stop_words = punctuation == Punctuation::Drop
            || !refine.drops_stop_words()
            || self.has_words_that_count(text, refine);
        if is_more_than_stop_words {
            let mut known = std::mem::take(&mut self.known);
            self.segments(text, punctuation, &mut refine.before(sink, &mut known));
            self.known = known;
        }
        if sink.is_empty() {
            let refine = refine.keeping_stop_words();
            let mut known = std::mem::take(&mut self.known_kept);
            self.all_words_to(text, &mut refine.before(sink, &mut known));
            self.known_kept = known;
        }
    }

    fn has_words_that_count(&mut self, text: &str, refine: Refinement) -> bool {
        let (mut count, mut known) = (CountWords::default(), std::mem::take(&mut self.known));
        let mut refined = refine.before(&mut count, &mut known);
        self.segments(text, Punctuation::Drop, &mut refined);
        self.known = known;
        !count.is_empty()
    }

    fn all_words_to<S: WordSink>(&mut self, text: &str, sink: &mut S) {
        let punctuation = self.options.punctuation_of_words();
        self.segments(text, punctuation, sink);
        if sink.is_empty() && punctuation == Punctuation::Drop {
            self.segments(text, Punctuation::Keep, sink);
        }
    }

    /// The words before they are refined.
    pub(crate) fn segments<S: WordSink>(
        &mut self,
        text: &str,
        punctuation: Punctuation,
        sink: &mut S,
    ) {
        if punctuation == Punctuation::Keep && self.options.repeats() != Repeats::AsWritten {
            let sink = &mut OneMark::before(sink, self.table);
            return self.segments_in_chinese(text, punctuation, sink);
        }
        self.segments_in_chinese(text, punctuation, sink);
    }

    fn segments_in_chinese<S: WordSink>(
        &mut self,
        text: &str,
        punctuation: Punctuation,
        sink: &mut S,
    ) {
        let run = self.chinese.take_if(|_| !text.is_ascii());
        let Some(mut run) = run else {
            return self.segments_with_numbers(text, punctuation, sink);
        };
        let mut words = ChineseWords {
            text,
            table: self.table,
            run: &mut run,
            sink,
        };
        self.segments_with_numbers(text, punctuation, &mut words);
        words.finish();
        self.chinese = Some(run);
    }

    fn segments_with_numbers<S: WordSink>(
        &mut self,
        text: &str,
        punctuation: Punctuation,
        sink: &mut S,
    ) {
        let Some(mut numbers) = self.numbers.take() else {
            return self.segments_as_written(text, 0, punctuation, sink);
        };
        let mut at = 0;
        for (source, form) in numbers.find(text) {
            self.segments_as_written(&text[..source.start], at, punctuation, sink);
            sink.word(form, source.clone());
            at = source.end;
        }
        self.segments_as_written(text, at, punctuation, sink);
        self.numbers = Some(numbers);
    }

    fn segments_as_written<S: WordSink>(
        &mut self,
        text: &str,
        mut at: usize,
        punctuation: Punctuation,
        sink: &mut S,
    ) {
        let mut ascii_seen = match punctuation {
            Punctuation::Drop => 0,
            Punctuation::Keep => usize::MAX,
        };
        while at < text.len() {
            if at >= ascii_seen {
                let stop = self.ascii.read(text, at, sink);
                (at, ascii_seen) = (stop.at, stop.seen);
            }
            let stretch = Stretch {
                punctuation,
                ascii_seen,
            };
            at = self.plain.read(text, at, stretch, sink);
            at = self.piece.read(self.table, text, at, Until::Boundary);
            emit_words(&self.piece, punctuation, sink);
        }
    }
}

fn emit_words<S: WordSink>(piece: &Piece, punctuation: Punctuation, sink: &mut S) {
    let mut at = 0;
    while at < piece.glyphs.len() {
        let segment = segment_at(&piece.glyphs, at);
        at = segment.end;
        let mut classes = piece.glyphs[segment.clone()]
            .iter()
            .map(|glyph| glyph.class);
        let wanted = match punctuation {
            Punctuation::Drop => classes.any(Class::is_content),
            Punctuation::Keep => {
                classes.any(|class| class.breaks != Break::Space && !class.is_invisible())
            }
        };
        if wanted {
            sink.word(piece.text(segment.clone()), piece.source(segment));
        }
    }
}

/// What the paths through a text give their words to.
pub(crate) trait WordSink {
    fn word(&mut self, word: &str, source: Range<usize>);

    /// Many words at once, as ranges of `compared`, which begins at the byte `at` of the source.
    fn words(&mut self, compared: &str, ranges: &[[u32; 2]], at: usize) {
        for &[begin, end] in ranges {
            let word = begin as usize..end as usize;
            self.word(&compared[word.clone()], at + word.start..at + word.end);
        }
    }

    /// Whether no word has been given.
    fn is_empty(&self) -> bool;
}

struct EachWord<'a, S> {
    sink: &'a mut S,
    count: usize,
}

impl<S: TokenSink> WordSink for EachWord<'_, S> {
    #[inline]
    fn word(&mut self, word: &str, source: Range<usize>) {
        self.count += 1;
        self.sink.token(word, source);
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// How many words are sorted by length at a time.
const BATCH: usize = 64;

struct HashWords<'a> {
    seed: Seed,
    out: &'a mut Vec<u64>,
    before: usize,
}

impl WordSink for HashWords<'_> {
    #[inline]
    fn word(&mut self, word: &str, _: Range<usize>) {
        self.out.push(hash64(word.as_bytes(), self.seed));
    }

    /// The words of each of XXH3's length classes together: hashed in order of appearance, every
    /// word would be a mispredicted branch or two, a third of all the time.
    fn words(&mut self, compared: &str, ranges: &[[u32; 2]], _: usize) {
        let bytes = compared.as_bytes();
        for ranges in ranges.chunks(BATCH) {
            let mut classes = [[0u8; BATCH]; 4];
            // Four counters in the bytes of one register: in memory, each increment would wait
            // for the one before.
            let mut sizes = 0u32;
            for (number, [begin, end]) in ranges.iter().enumerate() {
                let length = end - begin;
                let class = u32::from(length > 3) + u32::from(length > 8) + u32::from(length > 16);
                let size = sizes >> (8 * class) & 0xFF;
                classes[class as usize][size as usize % BATCH] = number as u8;
                sizes += 1 << (8 * class);
            }
            let first = self.out.len();
            self.out.resize(first + ranges.len(), 0);
            let out = &mut self.out[first..];
            for (class, size) in classes.iter().zip(sizes.to_le_bytes()) {
                for &number in &class[..usize::from(size)] {
                    let [begin, end] = ranges[usize::from(number)];
                    let word = &bytes[begin as usize..end as usize];
                    out[usize::from(number)] = hash64(word, self.seed);
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.out.len() == self.before
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::options::{Case, Unicode};
    use crate::piece::PIECE_BYTES;

    type Token = (String, Range<usize>);

    fn fast(text: &str, options: TextOptions) -> Vec<Token> {
        let mut found = Vec::new();
        let mut sink = |word: &str, source| found.push((word.to_owned(), source));
        Tokenizer::new(options).words(text, &mut sink);
        found
    }

    /// The words by pieces and segments only, piece by piece between white space.
    fn by_pieces(text: &str, options: TextOptions, punctuation: Punctuation) -> Vec<Token> {
        let table = CharTable::of(&options);
        let mut piece = Piece::default();
        let mut found = Vec::new();
        let mut sink = |word: &str, source| found.push((word.to_owned(), source));
        let mut at = 0;
        while at < text.len() {
            at = piece.read(table, text, at, Until::Space);
            let mut each = EachWord {
                sink: &mut sink,
                count: 0,
            };
            emit_words(&piece, punctuation, &mut each);
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
        found
    }

    fn any_text() -> impl Strategy<Value = String> {
        let alphabet = "aZé9_.:;'\"’-—  \u{A0}\u{200B}ßﬁ…½ﷺ¨Ａ１ΐᾳЖёйאב״عةهिकक्क़ไทำລາខ្ម\
            မြန漢字仮かがカｶﾞ한국\u{1100}\u{1161}😀👍🏽👨\u{200D}👩❤\u{FE0F}🇩🇪🏴\u{E0067}\u{E007F}\u{20E3}©\
            \u{301}\u{323}\u{345}\u{338}\u{3099}\u{AD}\u{200C}\u{FEFF}\u{0}\u{E000}\u{115F}";
        let usual: Vec<char> = alphabet.chars().collect();
        let character = prop_oneof![9 => prop::sample::select(usual), 1 => any::<char>()];
        prop::collection::vec(character, 0..30).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_fast_paths_find_the_words_of_the_general_path(
            text in any_text(),
            unicode in prop::sample::select(Unicode::ALL),
            case in prop::sample::select(Case::ALL),
            keep: bool,
        ) {
            let policy = if keep { Punctuation::Keep } else { Punctuation::Drop };
            let punctuation = Some(policy);
            let options = TextOptions { unicode, case, punctuation, ..TextOptions::default() };
            let mut expected = by_pieces(&text, options, policy);
            if expected.is_empty() {
                expected = by_pieces(&text, options, Punctuation::Keep);
            }
            prop_assert_eq!(fast(&text, options), expected);
        }
    }

    #[test]
    fn endless_texts_take_linear_time_and_bounded_memory() {
        let units = [
            "a",
            "é",
            "\u{301}",
            "a\u{301}\u{323}",
            "\u{323}\u{301}",
            "\u{AD}",
            "漢",
            "_",
            "a.",
            "1,",
            "\u{200D}",
            "😀\u{200D}",
            "🇩",
            "\u{E0067}",
            "ไ",
            "ﷺ",
            "?",
            "\u{1161}",
            "e\u{AD}",
        ];
        let mut tokenizer = Tokenizer::new(TextOptions::default());
        for unit in units {
            let text = unit.repeat((1 << 18) / unit.len());
            let mut covered = 0;
            tokenizer.words(&text, &mut |word: &str, source: Range<usize>| {
                assert!(word.len() < 4 * PIECE_BYTES);
                covered = source.end;
            });
            assert!(tokenizer.piece.capacity() < 256 * PIECE_BYTES, "{unit}");
            assert_eq!(covered > 0, tokenizer.has_content(unit), "{unit}");
        }
    }
}
