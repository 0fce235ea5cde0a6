//! What counts as the same text.

use clap::Args;
use lookalike::kernel::TextChoices;
use lookalike::text::{
    Case, Characters, Chinese, Dates, Digits, Emoji, Han, LookAlikes, Numbers, Punctuation,
    Repeats, SpacedLetters, Stemming, StopWords, Unicode, Whitespace, ZeroWidth,
};
use serde::Serialize;

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "What counts as the same text")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TextArguments {
    /// Unicode form: nfkc, nfc or as-is [default: nfkc]
    #[arg(long)]
    unicode: Option<Unicode>,
    /// Case: fold or keep [default: fold]
    #[arg(long)]
    case: Option<Case>,
    /// Punctuation: drop or keep [default: drop for words, keep for characters]
    #[arg(long)]
    punctuation: Option<Punctuation>,
    /// White space between characters: collapse, keep or drop [default: collapse]
    #[arg(long)]
    whitespace: Option<Whitespace>,
    /// What a character is: code-point or grapheme [default: code-point]
    #[arg(long)]
    characters: Option<Characters>,
    /// Numbers and dates: as-written, or canonical for one form of each [default: as-written, threads
    /// canonical]
    #[arg(long)]
    numbers: Option<Numbers>,
    /// How to read 3/4/1979 in canonical dates: day-first or month-first [default: day-first]
    #[arg(long)]
    dates: Option<Dates>,
    /// Drop the stop words of these languages, as in en or en,zh; the documentation lists them all [default: keep,
    /// threads en,zh in the first field]
    #[arg(long, value_name = "LANGUAGES")]
    stop_words: Option<StopWords>,
    /// Reduce words to their stems in this language, as in en or de [default: off, threads en in the first field]
    #[arg(long, value_name = "LANGUAGE")]
    stemming: Option<Stemming>,
    /// Split Chinese into characters, or into words found in a dictionary [default: characters, messages words]
    #[arg(long)]
    chinese: Option<Chinese>,
    /// Letters that look like Latin ones: as-written, mixed (replace them in words that mix scripts) or all (replace them
    /// everywhere, digits in words too) [default: as-written, messages mixed,
    /// passages mixed]
    #[arg(long)]
    look_alikes: Option<LookAlikes>,
    /// Spaced-out letters, as in F.R.E.E: as-written or join [default: as-written, messages join]
    #[arg(long)]
    spaced_letters: Option<SpacedLetters>,
    /// Invisible characters: let them separate words, or remove them [default: separate, messages remove, passages
    /// remove]
    #[arg(long)]
    zero_width: Option<ZeroWidth>,
    /// Emoji: keep or drop [default: keep]
    #[arg(long)]
    emoji: Option<Emoji>,
    /// Repeated characters: as-written, punctuation (!!! counts as !, where punctuation is kept) or letters (sooo also counts
    /// as soo) [default: as-written, messages punctuation]
    #[arg(long)]
    repeats: Option<Repeats>,
    /// Digits: as-written, codes (any digit equals any other in words with five or more digits) or all (in all words)
    /// [default: as-written]
    #[arg(long)]
    digits: Option<Digits>,
    /// Traditional Chinese characters: as-written, or simplified to compare them with simplified ones [default: as-written,
    /// messages simplified, passages simplified, sentences simplified]
    #[arg(long)]
    han: Option<Han>,
}

impl TextArguments {
    /// What is given of that which a job may do otherwise by default.
    pub(crate) fn choices(&self) -> TextChoices {
        TextChoices {
            numbers: self.numbers,
            stop_words: self.stop_words,
            stemming: self.stemming,
        }
    }
}
