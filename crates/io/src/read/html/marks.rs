//! What an element says of itself: whether it is the article, or something around it. In goes a start tag, out comes a
//! mark. Names of classes are hints and no more: what they mean is up to the page.

use super::attributes;
use super::scan::StartTag;
use super::tag::Tag;

/// What an element says that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    /// What the page is about.
    Main,
    /// A whole article, or the start of one.
    Article,
    /// Navigation, a footer, an aside: not the article.
    Outside,
    /// The head of the page or of an article.
    Header,
    /// By its class, something around the article.
    MaybeOutside,
}

/// The mark of a start tag.
pub(super) fn of(start: StartTag<'_>) -> Mark {
    let by_tag = match start.tag {
        Tag::Main => Mark::Main,
        Tag::Article => Mark::Article,
        Tag::Navigation | Tag::Footer | Tag::Aside | Tag::Dialog => Mark::Outside,
        Tag::Header => Mark::Header,
        Tag::Form => Mark::MaybeOutside,
        _ => Mark::None,
    };
    let strongest = attributes::of(start.attributes).map(|(name, value)| of_attribute(name, value));
    strongest.fold(by_tag, |mark, other| match (mark, other) {
        (Mark::None, _) | (_, Mark::Outside) => other,
        (Mark::MaybeOutside, Mark::Main | Mark::Article) => other,
        (Mark::Header, Mark::MaybeOutside) => other,
        _ => mark,
    })
}

fn of_attribute(name: &str, value: &str) -> Mark {
    match name {
        "role" => of_role(value),
        "itemprop" if value.eq_ignore_ascii_case("articleBody") => Mark::Article,
        "class" | "id" => of_names(value),
        _ => Mark::None,
    }
}

fn of_role(role: &str) -> Mark {
    match role {
        "main" => Mark::Main,
        "article" => Mark::Article,
        "navigation" | "contentinfo" | "complementary" | "search" | "dialog" | "alertdialog"
        | "menu" | "menubar" | "toolbar" | "banner" => Mark::Outside,
        _ => Mark::None,
    }
}

/// By the words in the names of classes: `site-footer`, `relatedPosts`.
fn of_names(names: &str) -> Mark {
    let mut mark = Mark::None;
    for name in names.split_ascii_whitespace() {
        let mut outside = false;
        let mut content = false;
        for_each_word(name, |word| {
            outside |= OUTSIDE.binary_search(&word).is_ok();
            content |= CONTENT.binary_search(&word).is_ok();
        });
        if outside && !content {
            mark = Mark::MaybeOutside;
        }
    }
    mark
}

/// Tells the words of a name in lower case. What is longer than any in the lists is none.
fn for_each_word(name: &str, mut tell: impl FnMut(&str)) {
    let mut word = [0; LONGEST];
    let mut len = 0;
    let mut after_small = false;
    for byte in name.bytes().chain([b'-']) {
        let is_letter = byte.is_ascii_alphabetic();
        if !is_letter || after_small && byte.is_ascii_uppercase() {
            if let Some(word) = word.get(..len).and_then(|word| str::from_utf8(word).ok()) {
                tell(word);
            }
            len = 0;
        }
        if is_letter {
            if let Some(place) = word.get_mut(len) {
                *place = byte.to_ascii_lowercase();
            }
            len += 1;
        }
        after_small = byte.is_ascii_lowercase();
    }
}

const LONGEST: usize = 16;

/// In names of what is around an article, sorted.
#[rustfmt::skip]
const OUTSIDE: &[&str] = &[
    "ad", "ads", "advert", "advertisement", "advertising", "banner", "breadcrumb", "breadcrumbs", "comment",
    "commentlist", "comments", "consent", "cookie", "cookies", "copyright", "crumbs", "disclaimer", "disqus",
    "dropdown", "flyout", "foot", "footer", "gdpr", "imprint", "login", "masthead", "menu", "metanav", "modal", "nav",
    "navbar", "navi", "navigation", "newsletter", "outbrain", "overlay", "pager", "paginate", "pagination", "paywall",
    "popular", "popup", "promo", "recommendation", "recommendations", "recommended", "related", "reply", "respond",
    "share", "sharedaddy", "sharing", "sidebar", "signup", "sitemap", "skip", "social", "sponsor", "sponsored",
    "subnav", "subscribe", "subscription", "taboola", "tagcloud", "tags", "teaser", "teasers", "toolbar", "topnav",
    "trending", "widget", "widgets",
];

/// In names of what holds an article, sorted: `content-sidebar-wrap`.
const CONTENT: &[&str] = &[
    "article", "body", "column", "content", "entry", "has", "main", "no", "page", "post", "story",
    "text", "with", "without", "wrap", "wrapper",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_short() {
        for list in [OUTSIDE, CONTENT] {
            assert!(list.is_sorted_by(|a, b| a < b));
            assert!(list.iter().all(|word| word.len() <= LONGEST));
        }
    }

    #[test]
    fn names_are_read_word_by_word() {
        for names in [
            "sidebar",
            "site-footer",
            "relatedPosts",
            "a b c cookie_bar",
            "NAV",
        ] {
            assert_eq!(of_names(names), Mark::MaybeOutside, "{names}");
        }
        for names in [
            "",
            "navy",
            "content-sidebar-wrap",
            "has-sidebar",
            "articleShare",
            "评论",
            "adsorption",
        ] {
            assert_eq!(of_names(names), Mark::None, "{names}");
        }
    }
}
