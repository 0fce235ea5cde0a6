//! Words of Chinese. Han characters come in, each a word; those that touch go out as the words that
//! the dictionary of Jieba makes of them.
//!
//! The dictionary is read when the first of them is met, which takes 0.15 s; texts of other scripts
//! never pay for it. It is of simplified Chinese: of what is written in traditional characters most
//! stays single characters.
//!
//! # Frozen
//! A change of the dictionary, or of the words added to it, changes results.

use std::ops::Range;
use std::sync::OnceLock;

use jieba_rs::Jieba;

use crate::chars::{CharTable, is_han};
use crate::piece::PIECE_BYTES;
use crate::words::WordSink;

/// What messages are about and the dictionary is too old for.
const NOUNS: &str = "微信 公众号 抖音 快手 微博 网贷 拼多多 美团 微商 小程序 币圈 比特币 健康码 快递员 \
    取件码 视频号 外卖员 直播间 粉丝群";
const VERBS: &str = "扫码 网购 刷单 扫一扫 加群 包邮 点赞 日结 动账";

/// The segmenter with its dictionary.
pub(crate) fn jieba() -> &'static Jieba {
    static JIEBA: OnceLock<Jieba> = OnceLock::new();
    JIEBA.get_or_init(|| {
        let mut jieba = Jieba::new();
        for (words, tag) in [(NOUNS, "n"), (VERBS, "v")] {
            for word in words.split_whitespace() {
                jieba.add_word(word, None, Some(tag));
            }
        }
        jieba
    })
}

/// Han characters that touch, in buffers that are used again.
#[derive(Default)]
pub(crate) struct HanRun {
    characters: String,
    sources: Vec<Range<usize>>,
}

/// What words go through on their way to `sink`; to be finished after the last.
pub(crate) struct ChineseWords<'a> {
    pub(crate) text: &'a str,
    pub(crate) table: &'static CharTable,
    pub(crate) run: &'a mut HanRun,
    pub(crate) sink: &'a mut dyn WordSink,
}

impl ChineseWords<'_> {
    /// Gives on what is left.
    pub(crate) fn finish(&mut self) {
        let HanRun {
            characters,
            sources,
        } = &mut *self.run;
        if let [source] = sources.as_slice() {
            self.sink.word(characters, source.clone());
        } else if !sources.is_empty() {
            // Without the Markov model that guesses words: an edit would lose 0.97 words, not 0.86.
            for word in jieba().cut(characters, false) {
                let source = sources[word.start].start..sources[word.end - 1].end;
                self.sink.word(word.word, source);
            }
        }
        characters.clear();
        sources.clear();
    }

    /// Whether nothing that counts is between the run and what begins at `at`.
    fn touches(&self, at: usize) -> bool {
        self.run.sources.last().is_none_or(|last| {
            let between = self.text.get(last.end..at);
            between.is_some_and(|gap| gap.chars().all(|c| self.table.info(c).is_ignored()))
        })
    }
}

impl WordSink for ChineseWords<'_> {
    fn word(&mut self, word: &str, source: Range<usize>) {
        let mut chars = word.chars();
        let is_one = chars.next().is_some_and(is_han) && chars.as_str().is_empty();
        let fits = self.touches(source.start) && self.run.characters.len() < PIECE_BYTES;
        if !is_one || !fits {
            self.finish();
        }
        if is_one {
            self.run.characters.push_str(word);
            self.run.sources.push(source);
        } else {
            self.sink.word(word, source);
        }
    }

    fn words(&mut self, compared: &str, ranges: &[[u32; 2]], at: usize) {
        self.finish();
        self.sink.words(compared, ranges, at);
    }

    fn is_empty(&self) -> bool {
        self.run.sources.is_empty() && self.sink.is_empty()
    }
}
