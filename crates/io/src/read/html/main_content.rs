//! The article of a page without what is around it. In go the text and its blocks, out comes the text of those blocks
//! that belong to the article, a block a line; none where no article can be told.
//!
//! A block is *prose* if it is long enough and few of it is links, counted in letters, of which an ideograph is three: no
//! language is assumed. What says that it is navigation, a footer, a comment is left out with all in it, unless much of the
//! page's prose is there. The article is the innermost element that still has nearly all prose. Of it stay prose, the short
//! blocks between prose, and headings of what stays. What leads from the title to it often stands before it, and stays, too.

use std::ops::Range;

use super::blocks::{Block, Blocks};
use super::marks::Mark;

/// A block with more links than this share is no prose.
const PROSE_LINKS: f64 = 0.4;
/// A block with more links than this share is a list of links.
const MOST_LINKS: f64 = 0.5;
/// Letters of a block that is prose.
const PROSE_LETTERS: usize = 80;
/// Letters of a block that is prose if it has the signs of a sentence.
const SENTENCE_LETTERS: usize = 40;
/// Letters of a block that stays with prose on one side of it.
const SHORT_LETTERS: usize = 25;
/// How many blocks before an article its title is looked for.
const LEAD_BLOCKS: usize = 40;
/// What holds this share of the prose is not outside the article, though it says so.
const OUTSIDE_SHARE: f64 = 0.5;
/// The same where only the name of a class says so.
const MAYBE_SHARE: f64 = 0.3;
/// What says that it is the article is it if it has this share of the prose.
const MARKED_SHARE: f64 = 0.5;
/// An element is gone into if it has this share of the prose.
const INNER_SHARE: f64 = 0.92;

/// The text of the article.
pub(super) fn choose(text: &str, blocks: &Blocks) -> Option<String> {
    let mut page = Page::new(text, blocks);
    page.leave_out();
    let article = page.article()?;
    let kept = page.kept(article);
    let mut out = String::new();
    for (block, _) in blocks.blocks.iter().zip(kept).filter(|(_, kept)| *kept) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(text[block.begin..block.end].trim());
    }
    (!out.is_empty()).then_some(out)
}

/// What is known of a page.
struct Page<'b> {
    blocks: &'b Blocks,
    kinds: Vec<Kind>,
    /// Letters of each block.
    letters: Vec<usize>,
    /// Of each element, the letters of the prose in it.
    prose: Vec<usize>,
    /// Of each element, whether it is left out.
    outside: Vec<bool>,
}

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Prose,
    Heading,
    /// Too short to tell.
    Short,
    Links,
}

impl<'b> Page<'b> {
    fn new(text: &str, blocks: &'b Blocks) -> Self {
        let measured = blocks.blocks.iter().map(|block| measure(text, block));
        let (kinds, letters) = measured.unzip();
        let mut page = Page {
            blocks,
            kinds,
            letters,
            prose: Vec::new(),
            outside: vec![false; blocks.nodes.len()],
        };
        page.count_prose();
        page
    }

    /// Counts the letters of prose that is not left out.
    fn count_prose(&mut self) {
        let nodes = &self.blocks.nodes;
        self.prose.clear();
        self.prose.resize(nodes.len(), 0);
        for (number, block) in self.blocks.blocks.iter().enumerate() {
            if self.kinds[number] == Kind::Prose && !self.outside[block.node as usize] {
                self.prose[block.node as usize] += self.letters[number];
            }
        }
        for node in (1..nodes.len()).rev() {
            self.prose[nodes[node].parent as usize] += self.prose[node];
        }
    }

    /// Leaves out what says that it is outside the article, and counts again.
    fn leave_out(&mut self) {
        let nodes = &self.blocks.nodes;
        let all = self.prose[0] as f64;
        let mut in_article = vec![false; nodes.len()];
        for (number, node) in nodes.iter().enumerate().skip(1) {
            let parent = node.parent as usize;
            in_article[number] =
                in_article[parent] || matches!(node.mark, Mark::Main | Mark::Article);
            let most = match node.mark {
                Mark::Outside => OUTSIDE_SHARE,
                Mark::MaybeOutside => MAYBE_SHARE,
                // That of an article has its title and its first words.
                Mark::Header if !in_article[parent] => MAYBE_SHARE,
                _ => 0.0,
            };
            let share = self.prose[number] as f64;
            self.outside[number] = self.outside[parent] || share < most * all;
        }
        self.count_prose();
    }

    /// The element that is the article.
    fn article(&self) -> Option<usize> {
        if self.prose[0] == 0 {
            return None;
        }
        let main = self.marked(Mark::Main, 0);
        let article = self.marked(Mark::Article, main);
        Some(self.innermost(article))
    }

    /// The element in `within` that has such a mark and most of the prose; if there is none, `within`.
    fn marked(&self, mark: Mark, within: usize) -> usize {
        let nodes = &self.blocks.nodes;
        // Elements come after what they are in.
        let mut is_in = vec![false; nodes.len()];
        for node in within..nodes.len() {
            is_in[node] = node == within || is_in[nodes[node].parent as usize];
        }
        let marked = (0..nodes.len()).filter(|&node| nodes[node].mark == mark && is_in[node]);
        let largest = marked.max_by_key(|&node| (self.prose[node], std::cmp::Reverse(node)));
        let enough = MARKED_SHARE * self.prose[within] as f64;
        largest
            .filter(|&node| self.prose[node] as f64 > enough)
            .unwrap_or(within)
    }

    /// The innermost element in `node` with nearly all of its prose.
    fn innermost(&self, mut node: usize) -> usize {
        let enough = INNER_SHARE * self.prose[node] as f64;
        // Elements come after what they are in, and no two beside each other can have so much.
        for (number, inner) in self.blocks.nodes.iter().enumerate().skip(1) {
            if inner.parent as usize == node && self.prose[number] as f64 > enough {
                node = number;
            }
        }
        node
    }

    /// Of each block, whether it is part of the article.
    fn kept(&self, article: usize) -> Vec<bool> {
        let nodes = &self.blocks.nodes;
        let mut inside = vec![false; nodes.len()];
        for number in 0..nodes.len() {
            let parent = inside[nodes[number].parent as usize];
            inside[number] = (number == article || parent) && !self.outside[number];
        }
        let blocks: Vec<usize> = (0..self.kinds.len())
            .filter(|&number| inside[self.blocks.blocks[number].node as usize])
            .collect();
        let mut kept = vec![false; self.kinds.len()];
        for (number, keep) in blocks.iter().zip(self.kept_inside(&blocks)) {
            kept[*number] = keep;
        }
        for number in self.lead(&blocks) {
            let outside = self.outside[self.blocks.blocks[number].node as usize];
            let is_title = self.blocks.blocks[number].is_title;
            kept[number] = !outside && (is_title || self.kinds[number] == Kind::Prose);
        }
        kept
    }

    /// The blocks from the title of the article up to the first block in it.
    fn lead(&self, article: &[usize]) -> Range<usize> {
        let is_title = |number: usize| {
            let block = &self.blocks.blocks[number];
            let is_link = 2 * block.link_bytes > block.end - block.begin;
            block.is_title && !is_link && !self.outside[block.node as usize]
        };
        let prose = article
            .iter()
            .position(|&number| self.kinds[number] == Kind::Prose);
        let before_prose = &article[..prose.unwrap_or(0)];
        let Some(&first) = article.first() else {
            return 0..0;
        };
        let mut before = (first.saturating_sub(LEAD_BLOCKS)..first).rev();
        match before.find(|&number| is_title(number)) {
            Some(title) if !before_prose.iter().any(|&number| is_title(number)) => title..first,
            _ => 0..0,
        }
    }

    /// Of each of the blocks in the article, whether it stays.
    fn kept_inside(&self, blocks: &[usize]) -> Vec<bool> {
        let telling = |kind: Kind| (kind != Kind::Short && kind != Kind::Heading).then_some(kind);
        let before = blocks.iter().scan(None, |last, &number| {
            let before = *last;
            *last = telling(self.kinds[number]).or(*last);
            Some(before)
        });
        let mut kept: Vec<bool> = before.map(|kind| kind == Some(Kind::Prose)).collect();
        let (mut after, mut next_kept) = (None, false);
        for (place, &number) in blocks.iter().enumerate().rev() {
            let (is_after, is_before) = (after == Some(Kind::Prose), kept[place]);
            kept[place] = match self.kinds[number] {
                Kind::Prose => true,
                Kind::Links => false,
                Kind::Heading => next_kept,
                Kind::Short if self.letters[number] < SHORT_LETTERS => is_before && is_after,
                Kind::Short => is_before || is_after,
            };
            next_kept = kept[place];
            after = telling(self.kinds[number]).or(after);
        }
        kept
    }
}

/// What a block is, and its letters.
fn measure(text: &str, block: &Block) -> (Kind, usize) {
    let text = &text[block.begin..block.end];
    let links = block.link_bytes as f64 / text.len().max(1) as f64;
    let (mut letters, mut stops) = (0, 0);
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' => letters += 1,
            '.' | ',' | '!' | '?' | ';' | ':' | '。' | '，' | '！' | '？' | '、' | '；' | '।'
            | '؟' | '،' => {
                stops += 1;
            }
            '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
                letters += 3;
            }
            '\u{ac00}'..='\u{d7af}' => letters += 2,
            _ => letters += usize::from(c.is_alphanumeric()),
        }
    }
    let kind = match links {
        _ if block.is_heading => Kind::Heading,
        links if links > MOST_LINKS => Kind::Links,
        links if links > PROSE_LINKS => Kind::Short,
        _ if letters >= PROSE_LETTERS => Kind::Prose,
        _ if letters >= SENTENCE_LETTERS && stops > 0 => Kind::Prose,
        _ => Kind::Short,
    };
    (kind, letters)
}
