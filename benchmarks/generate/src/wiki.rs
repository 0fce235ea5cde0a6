//! A dump as MediaWiki exports it: an encyclopedia in an invented language, whose pages copied sentences from each other.
//!
//! About half of the bytes of an article are markup. A sentence is a function of its page and place, so that another page
//! can copy it without anything being stored; the pages are independent of each other and of what is installed. The
//! number in `sha1` is not a digest.

mod markup;
mod sentence;
mod words;

use std::fmt::Write as _;
use std::ops::Range;

use crate::random::Random;
use sentence::{Change, Token, changed, edit_similarity, write_marked, write_plain};
use words::Words;

/// This share of the articles begins with the same frame.
const VILLAGES: f64 = 0.05;
/// This share of the articles has one to four copied sentences,
const BORROWERS: f64 = 0.25;
/// and this share a run of them.
const WITH_RUN: f64 = 0.02;
const RUN: Range<usize> = 5..31;

const PURPOSE_LAYOUT: u64 = 21;
const PURPOSE_SENTENCE: u64 = 22;
const PURPOSE_SOURCE: u64 = 23;
const PURPOSE_MARKUP: u64 = 24;
const MOST_SENTENCES: usize = 1 << 10;

const NAMESPACES: [(i32, &str); 17] = [
    (-2, "Media"),
    (-1, "Special"),
    (0, ""),
    (1, "Talk"),
    (2, "User"),
    (3, "User talk"),
    (4, "Wikipedia"),
    (5, "Wikipedia talk"),
    (6, "File"),
    (7, "File talk"),
    (8, "MediaWiki"),
    (10, "Template"),
    (11, "Template talk"),
    (12, "Help"),
    (14, "Category"),
    (100, "Portal"),
    (828, "Module"),
];
/// Of these come the pages that are no articles.
const OTHERS: [usize; 6] = [3, 4, 6, 8, 11, 14];

pub const TAIL: &str = "</mediawiki>\n";

pub fn head() -> String {
    let mut out = String::from(concat!(
        r#"<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" "#,
        r#"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" "#,
        r#"xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.11/ "#,
        r#"http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="en">"#,
        "\n  <siteinfo>\n    <sitename>Encyclopedia</sitename>\n    <dbname>benchwiki</dbname>\n",
        "    <base>https://encyclopedia.example/wiki/Main_Page</base>\n",
        "    <generator>generate wiki</generator>\n    <case>first-letter</case>\n    <namespaces>\n"
    ));
    for (key, name) in NAMESPACES {
        let case = r#"case="first-letter""#;
        let _ = match name {
            "" => writeln!(out, r#"      <namespace key="{key}" {case} />"#),
            _ => writeln!(
                out,
                r#"      <namespace key="{key}" {case}>{name}</namespace>"#
            ),
        };
    }
    out + "    </namespaces>\n  </siteinfo>\n"
}

pub struct Wiki {
    words: Words,
    pages: usize,
    seed: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Article,
    Redirect,
    Other(usize),
}

/// What an article consists of, drawn before anything of it is written.
struct Layout {
    sentences: usize,
    is_village: bool,
    /// Places of sentences copied one by one.
    borrowed: Vec<usize>,
    /// Places of sentences copied together.
    run: Range<usize>,
}

impl Layout {
    fn is_original(&self, place: usize) -> bool {
        place < self.sentences && !self.borrowed.contains(&place) && !self.run.contains(&place)
    }
}

/// A sentence that was copied from another page.
struct Copied {
    page: usize,
    from: Vec<Token>,
    to: Vec<Token>,
    change: Change,
}

impl Wiki {
    pub fn new(pages: usize, seed: u64) -> Self {
        Wiki {
            words: Words::new(seed),
            pages,
            seed,
        }
    }

    fn random(&self, record: usize, purpose: u64) -> Random {
        Random::for_record(self.seed, record as u64, purpose)
    }

    fn kind(&self, page: usize, random: &mut Random) -> Kind {
        match random.below(100) {
            // The first pages are articles, whatever is drawn: there must be something to copy from.
            _ if page < 4 => Kind::Article,
            0..8 => Kind::Redirect,
            8..14 => Kind::Other(OTHERS[random.below(OTHERS.len())]),
            _ => Kind::Article,
        }
    }

    fn layout(&self, page: usize) -> (Kind, Layout) {
        let mut random = self.random(page, PURPOSE_LAYOUT);
        let kind = self.kind(page, &mut random);
        let share = random.share().max(1e-4);
        let mut layout = Layout {
            sentences: (6.0 + 9.0 / share.sqrt()) as usize,
            is_village: random.share() < VILLAGES,
            borrowed: Vec::new(),
            run: 0..0,
        };
        if kind != Kind::Article {
            layout.sentences = 0;
            return (kind, layout);
        }
        if random.share() < BORROWERS {
            let count = 1 + random.below(4);
            layout.borrowed = (0..count).map(|_| random.below(layout.sentences)).collect();
            layout.borrowed.sort_unstable();
            layout.borrowed.dedup();
        }
        if random.share() < WITH_RUN {
            let length = (RUN.start + random.below(RUN.len())).min(layout.sentences);
            let at = random.below(layout.sentences - length + 1);
            layout.run = at..at + length;
        }
        (kind, layout)
    }

    fn original(&self, page: usize, place: usize) -> Vec<Token> {
        let mut random = self.random(page * MOST_SENTENCES + place, PURPOSE_SENTENCE);
        sentence::sentence(&self.words, &mut random)
    }

    /// So many original sentences in sequence of another article.
    fn source(&self, page: usize, length: usize, random: &mut Random) -> Option<(usize, usize)> {
        for _ in 0..50 {
            let other = random.below(self.pages);
            let (_, layout) = self.layout(other);
            if other == page || layout.sentences < length {
                continue;
            }
            let at = random.below(layout.sentences - length + 1);
            if (at..at + length).all(|place| layout.is_original(place)) {
                return Some((other, at));
            }
        }
        None
    }

    /// `None` if the sentence has no number or no name that could be changed.
    fn copied(
        &self,
        page: usize,
        place: usize,
        change: Change,
        random: &mut Random,
    ) -> Option<Copied> {
        let from = self.original(page, place);
        let to = changed(&from, change, &self.words, random)?;
        Some(Copied {
            page,
            from,
            to,
            change,
        })
    }

    /// The copied sentence that stands at each place of a page, if one does.
    fn copies(&self, page: usize, layout: &Layout) -> Vec<Option<Copied>> {
        let mut copies: Vec<Option<Copied>> = (0..layout.sentences).map(|_| None).collect();
        let mut random = self.random(page, PURPOSE_SOURCE);
        if let Some((other, at)) = self.source(page, layout.run.len(), &mut random) {
            for (place, source) in layout.run.clone().zip(at..) {
                let change = Change::any(&mut random);
                let copied = self.copied(other, source, change, &mut random);
                copies[place] =
                    copied.or_else(|| self.copied(other, source, Change::Identical, &mut random));
            }
        }
        for &place in &layout.borrowed {
            let change = Change::any(&mut random);
            for _ in 0..20 {
                if copies[place].is_none()
                    && let Some((other, source)) = self.source(page, 1, &mut random)
                {
                    copies[place] = self.copied(other, source, change, &mut random);
                }
            }
        }
        copies
    }

    /// The pages, and the copied sentences as lines of JSON.
    pub fn write_block(&self, pages: Range<usize>) -> (Vec<u8>, Vec<u8>) {
        let (mut out, mut planted, mut text) = (String::new(), String::new(), String::new());
        for page in pages {
            text.clear();
            let (kind, layout) = self.layout(page);
            let mut random = self.random(page, PURPOSE_MARKUP);
            let title = self.words.title(page);
            let (namespace, title) = match kind {
                Kind::Other(at) => (NAMESPACES[at].0, format!("{}:{title}", NAMESPACES[at].1)),
                _ => (0, title),
            };
            let target = self.words.title(random.below(self.pages));
            match kind {
                Kind::Article => self.write_article(page, &title, &layout, &mut text, &mut planted),
                Kind::Redirect => {
                    text = format!("#REDIRECT [[{target}]]\n\n{{{{R from other name}}}}");
                }
                Kind::Other(_) => {
                    text.push_str("{{Documentation}}\n");
                    for _ in 0..1 + random.below(5) {
                        let said = sentence::sentence(&self.words, &mut random);
                        write_marked(&said, &self.words, &mut random, &mut text);
                        text.push_str(" ~~~~\n\n");
                    }
                }
            }
            let redirect = match kind {
                Kind::Redirect => format!("    <redirect title=\"{target}\" />\n"),
                _ => String::new(),
            };
            let (id, user) = (page + 1, random.below(50_000));
            let _ = write!(
                out,
                "  <page>\n    <title>{title}</title>\n    <ns>{namespace}</ns>\n    <id>{id}</id>\n{redirect}    \
                 <revision>\n      <id>{}</id>\n      <parentid>{}</parentid>\n      \
                 <timestamp>20{:02}-{:02}-{:02}T{:02}:{:02}:00Z</timestamp>\n      <contributor>\n        \
                 <username>{}</username>\n        <id>{user}</id>\n      </contributor>\n      \
                 <comment>/* History */ copy edit</comment>\n      <origin>{}</origin>\n      \
                 <model>wikitext</model>\n      <format>text/x-wiki</format>\n      \
                 <text bytes=\"{}\" sha1=\"{:0>31}\" xml:space=\"preserve\">",
                1_000_000 + page * 7,
                1_000_000 + page * 7 - 3,
                5 + random.below(20),
                1 + random.below(12),
                1 + random.below(28),
                random.below(24),
                random.below(60),
                self.words.title(user % 30_000),
                1_000_000 + page * 7,
                text.len(),
                base36(random.next()),
            );
            escape(&text, &mut out);
            let sha1 = base36(random.next());
            let _ = write!(
                out,
                "</text>\n      <sha1>{sha1:0>31}</sha1>\n    </revision>\n  </page>\n"
            );
        }
        (out.into_bytes(), planted.into_bytes())
    }

    fn write_article(
        &self,
        page: usize,
        title: &str,
        layout: &Layout,
        out: &mut String,
        planted: &mut String,
    ) {
        let words = &self.words;
        let mut random = self.random(page, PURPOSE_MARKUP ^ PURPOSE_LAYOUT);
        let random = &mut random;
        out.push_str(markup::any(
            &[
                "{{Short description|Article of an encyclopedia}}\n",
                "{{Use dmy dates|date=May 2020}}\n",
                "",
            ],
            random,
        ));
        if random.below(10) < 7 {
            markup::infobox(title, words, random, out);
        }
        let _ = write!(out, "'''{title}''' ");
        if layout.is_village {
            write_marked(&sentence::village(words, random), words, random, out);
        } else {
            out.push_str("is a ");
            let rest = sentence::continued(sentence::sentence(words, random));
            write_marked(&rest, words, random, out);
        }
        let copies = self.copies(page, layout);
        for (place, copied) in copies.iter().enumerate() {
            match random.below(24) {
                0 if place > 2 => markup::heading(3, random, out),
                1..3 if place > 2 => markup::heading(2, random, out),
                3..8 => out.push_str("\n\n"),
                8 if random.below(3) == 0 => {
                    markup::file(words, random, out);
                }
                _ => out.push(' '),
            }
            match copied {
                Some(copied) => {
                    write_marked(&copied.to, words, random, out);
                    self.write_planted(page, copied, layout.run.contains(&place), planted);
                }
                None => write_marked(&self.original(page, place), words, random, out),
            }
            if random.below(100) < 38 {
                markup::citation(words, random, out);
            }
            match random.below(400) {
                0..10 => markup::comment(words, random, out),
                10..13 => markup::math(words, random, out),
                13..17 => markup::table(words, random, out),
                17..24 => markup::list(words, random, out),
                _ => {}
            }
        }
        markup::end(title, words, random, out);
    }

    fn write_planted(&self, page: usize, copied: &Copied, in_run: bool, planted: &mut String) {
        let (mut from, mut to) = (String::new(), String::new());
        write_plain(&copied.from, &self.words, &mut from);
        write_plain(&copied.to, &self.words, &mut to);
        let similarity = edit_similarity(&from, &to);
        let (mut a, mut b) = ((copied.page + 1, from), (page + 1, to));
        if a.0 > b.0 {
            std::mem::swap(&mut a, &mut b);
        }
        let quoted = |text: &str| text.replace('"', "\\\"");
        let _ = writeln!(
            planted,
            r#"{{"a":{},"b":{},"change":"{}","run":{in_run},"similarity":{similarity:.4},"a_text":"{}","b_text":"{}"}}"#,
            a.0,
            b.0,
            copied.change.name(),
            quoted(&a.1),
            quoted(&b.1)
        );
    }
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['<', '>', '&', '"']) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize]);
        number /= 36;
    }
    String::from_utf8(digits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_depend_on_where_they_are_cut() {
        let wiki = Wiki::new(60, 3);
        let whole = wiki.write_block(0..60);
        let (mut first, second) = (wiki.write_block(0..17), wiki.write_block(17..60));
        first.0.extend(second.0);
        first.1.extend(second.1);
        assert!(first == whole);
        assert_ne!(whole, Wiki::new(60, 4).write_block(0..60));
    }

    #[test]
    fn originals_of_copied_sentences_stand_in_their_page() {
        let wiki = Wiki::new(400, 1);
        let mut copies = 0;
        for page in 0..400 {
            let (_, layout) = wiki.layout(page);
            for copied in wiki.copies(page, &layout).into_iter().flatten() {
                let (kind, source) = wiki.layout(copied.page);
                assert!(kind == Kind::Article && copied.page != page);
                let mut places = (0..source.sentences).filter(|&place| source.is_original(place));
                let plain = |tokens: &[Token]| {
                    let mut out = String::new();
                    write_plain(tokens, &wiki.words, &mut out);
                    out
                };
                let wanted = plain(&copied.from);
                assert!(places.any(|place| plain(&wiki.original(copied.page, place)) == wanted));
                copies += 1;
            }
        }
        assert!(copies > 100, "{copies}");
    }
}
