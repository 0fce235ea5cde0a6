//! Which tokens belong to links. Senders give every message a link of its own, so another one is another wording: what its
//! letters happen to be is no name, no number and no edition.

use std::ops::Range;

use super::tokens::{Class, Tokens};

/// Marks the words and numbers of links as such.
pub(super) fn settle(tokens: &mut Tokens, text: &str) {
    if !text.as_bytes().contains(&b'/') {
        return;
    }
    let mut links = links(text).peekable();
    for token in &mut tokens.all {
        while links
            .next_if(|link| link.end <= token.source.start)
            .is_some()
        {}
        let Some(link) = links.peek() else {
            return;
        };
        let is_inside = link.start <= token.source.start && token.source.end <= link.end;
        if is_inside && matches!(token.class, Class::Word | Class::Number) {
            token.class = Class::Link;
        }
    }
}

/// Where links stand, in order.
fn links(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@&=%+".contains(c);
    let runs = text.split(move |c: char| !is_part(c));
    runs.filter(|run| run.contains('/')).filter_map(|run| {
        let begin = run.as_ptr() as usize - text.as_ptr() as usize;
        let link = begin_of_link(run)?;
        Some(begin + link..begin + run.len())
    })
}

/// Where in a run of characters that links are made of one begins: `https://t.cn/x`, `t.cn/x`, `nd/mgp/10GpVQ`.
fn begin_of_link(run: &str) -> Option<usize> {
    if let Some(at) = run.find("://") {
        let scheme = run[..at].bytes().rev();
        return Some(at - scheme.take_while(u8::is_ascii_alphabetic).count());
    }
    // What is said of it may stand before it: "link:t.cn/x".
    let begin = run.rfind(':').map_or(0, |at| at + 1);
    let (host, path) = run[begin..].split_once('/')?;
    let is_link = is_host(host) && !path.is_empty() || is_short(&run[begin..]);
    is_link.then_some(begin)
}

/// Names with stops between them, the last of letters: "t.cn", "www.example.org".
fn is_host(host: &str) -> bool {
    let Some((names, last)) = host.rsplit_once('.') else {
        return false;
    };
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        && names.split('.').all(is_name)
}

/// Letters, perhaps more of them, and a code: "nd/mgp/10GpVQ". Dates and alternatives are none: "3/4/2013", "red/green/blue".
fn is_short(run: &str) -> bool {
    let mut pieces = run.split('/');
    let begins = pieces.next().unwrap_or_default();
    let (middle, last) = (pieces.next().unwrap_or_default(), pieces.next_back());
    let is_plain =
        |piece: &str| !piece.is_empty() && piece.bytes().all(|byte| byte.is_ascii_alphanumeric());
    !begins.is_empty()
        && begins.bytes().all(|byte| byte.is_ascii_alphabetic())
        && is_plain(middle)
        && pieces.all(is_plain)
        && last.is_some_and(|last| is_plain(last) && is_code(last))
}

/// Letters with digits, or with capitals in the midst of them.
fn is_code(piece: &str) -> bool {
    let has = |of: fn(&u8) -> bool| piece.as_bytes().iter().any(of);
    let is_mixed =
        has(u8::is_ascii_lowercase) && piece.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    piece.len() >= 4 && has(u8::is_ascii_alphabetic) && (has(u8::is_ascii_digit) || is_mixed)
}
