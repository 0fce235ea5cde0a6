//! What is a statement about? Its tokens and the title of its article come in; where its subject stands goes out, and
//! whether that is only implied ("It", "The city", a number): then it is the subject of the article.

use std::ops::Range;

use super::tokens::{Class, Tokens};
use super::words;

/// No subject is looked for beyond this many tokens from where it may begin.
const LONGEST: usize = 14;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Subject {
    /// A leading "In 1998," or "在四川省，"; empty if there is none.
    pub(super) setting: Range<usize>,
    /// The noun phrase before the first finite verb.
    pub(super) head: Range<usize>,
    /// Whether the head does not name it.
    pub(super) implied: bool,
}

impl Subject {
    pub(super) fn of(tokens: &Tokens) -> Self {
        let skipped = |at: usize| {
            tokens.class(at) == Some(Class::Mark) && !matches!(tokens.form(at), "《" | "〈")
        };
        let first = (0..tokens.len()).find(|&at| !skipped(at));
        let Some(first) = first else {
            return Self::default();
        };
        let window = &tokens.all[first..tokens.len().min(first + LONGEST)];
        let ideographs = window
            .iter()
            .filter(|token| token.class == Class::Ideograph)
            .count();
        if 2 * ideographs > window.len() {
            in_han(tokens, first)
        } else {
            in_words(tokens, first)
        }
    }
}

impl Subject {
    /// Whether the statement points at the subject of its article: it begins with a pronoun, or says "this station".
    pub(super) fn points(&self, tokens: &Tokens) -> bool {
        let begins = self.implied && words::is_pronoun(tokens.form(self.head.start));
        begins || (0..tokens.len()).any(|at| is_this(tokens, at))
    }

    /// Whether it says 本站: that is never another than the subject of its article.
    pub(super) fn says_own(tokens: &Tokens) -> bool {
        (0..tokens.len()).any(|at| tokens.form(at) == "本" && is_this(tokens, at))
    }
}

/// Whether an ideograph points at the subject of the article: 该镇, 此站, 本作, 他, 其, but not 此外, 日本, 其他 and 其中.
fn is_this(tokens: &Tokens, at: usize) -> bool {
    if tokens.class(at) != Some(Class::Ideograph) {
        return false;
    }
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    let after = tokens.form(at + 1);
    let is_noun = tokens.class(at + 1) == Some(Class::Ideograph);
    let is_one_of = |all: &str, form: &str| !form.is_empty() && all.contains(form);
    match tokens.form(at) {
        "该" => is_noun && before != "应",
        "此" => {
            is_noun
                && !is_one_of("因如从自至由对在就为彼", before)
                && !is_one_of("外后前时次间种类举", after)
        }
        "本" => {
            const KINDS: &str = "游节站区县市镇村乡校书片剧作集季届线路寺省国馆院社团队属种曲专";
            const WORDS: &str = "日基根原资版成样标文抄孤善脚读课剧";
            let begins = at == 0 || tokens.class(at - 1) != Some(Class::Ideograph);
            let is_kind = is_one_of(KINDS, after) || (after == "地" && tokens.form(at + 2) == "区");
            let within = is_kind && !is_one_of(WORDS, before);
            is_noun && !is_one_of("身来人土质能科", after) && (begins || within)
        }
        "他" | "她" | "它" => !is_one_of("其吉", before) && !is_one_of("们人国乡", after),
        "其" => is_noun && !is_one_of("尤与极", before) && !is_one_of("他它中余实间次三二", after),
        _ => false,
    }
}

pub(super) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "in" | "on"
            | "at"
            | "as"
            | "by"
            | "after"
            | "before"
            | "during"
            | "from"
            | "since"
            | "until"
            | "according"
            | "for"
            | "with"
            | "under"
            | "following"
            | "despite"
            | "of"
            | "to"
            | "between"
            | "through"
            | "throughout"
            | "upon"
            | "among"
            | "within"
            | "when"
            | "while"
            | "although"
            | "because"
            | "im"
            | "am"
            | "en"
            | "nel"
            | "em"
            | "à"
            | "au"
            | "w"
            | "в"
            | "i"
            | "pe"
            | "bei"
            | "nach"
            | "seit"
    )
}

fn in_words(tokens: &Tokens, first: usize) -> Subject {
    let limit = tokens.len().min(first + LONGEST);
    let comma = (first..limit).find(|&at| tokens.form(at) == ",");
    let is_number = |at: usize| tokens.class(at) == Some(Class::Number);
    let mut begin = first;
    if is_preposition(tokens.form(first)) {
        let number = (first..limit.min(first + 4)).find(|&at| is_number(at));
        begin = comma.or(number).map_or(first, |at| at + 1);
    } else if let Some(comma) = comma.filter(|&at| at <= first + 2) {
        let form = tokens.form(first);
        if form.starts_with(|c: char| c.is_ascii_digit())
            || form.ends_with("ly")
            || tokens.all[first].holds_together
        {
            begin = comma + 1;
        }
    }
    let ends = |at: usize| {
        words::is_verb(tokens.form(at), at)
            || matches!(tokens.form(at), "," | "(" | ";" | ":" | "-")
    };
    if begin == first && comma.is_some_and(|comma| is_aside(tokens, first, comma)) {
        begin = comma.map_or(first, |at| at + 1);
    }
    let limit = tokens.len().min(begin + LONGEST);
    let initials =
        |at: usize| tokens.form(at) == "." && tokens.form(at.wrapping_sub(1)).chars().count() <= 2;
    let hyphen = |at: usize| {
        tokens.form(at) == "-" && tokens.all[at].source.start == tokens.all[at - 1].source.end
    };
    let end = (begin + 1..limit).find(|&at| ends(at) && !initials(at) && !hyphen(at));
    let end = end.unwrap_or_else(|| without_verb(tokens, begin..limit));
    let end = after_apposition(tokens, end);
    let head = begin..end.max(begin).min(tokens.len());
    Subject {
        setting: first..begin,
        implied: is_implied(tokens, &head),
        head,
    }
}

/// Whether what stands before the first comma names nothing and has no verb: "No longer a port, Aken is".
fn is_aside(tokens: &Tokens, first: usize, comma: usize) -> bool {
    let mut all = first..comma;
    let article = matches!(tokens.form(first), "the" | "a" | "an");
    comma >= first + 3
        && !article
        && all.all(|at| !is_name(tokens, at, first) && !words::is_verb(tokens.form(at), at))
}

/// Where a head ends whose verb is not known: after a pronoun, before the first word in lower case after a name, or
/// after a few words.
fn without_verb(tokens: &Tokens, head: Range<usize>) -> usize {
    if is_article_like(tokens, head.start) {
        return head.start + 1;
    }
    let is_lower = |at: usize| {
        let token = &tokens.all[at];
        token.class == Class::Word && !token.capital && !token.holds_together
    };
    let named = |at: usize| tokens.all[at - 1].capital && !tokens.all[at - 1].holds_together;
    let verb = head.clone().skip(1).find(|&at| is_lower(at) && named(at));
    verb.unwrap_or(head.end.min(head.start + 4))
}

/// The end of a head to which a name is added: "The current abbot, Justin Wells, was".
fn after_apposition(tokens: &Tokens, end: usize) -> usize {
    let name =
        tokens.form(end) == "," && tokens.all.get(end + 1).is_some_and(|token| token.capital);
    let close = (end + 1..tokens.len().min(end + 6)).find(|&at| tokens.form(at) == ",");
    close.filter(|_| name).unwrap_or(end)
}

/// Whether a head that begins so is about the subject of the article: a pronoun, a number, "about", "there".
fn is_article_like(tokens: &Tokens, first: usize) -> bool {
    let form = tokens.form(first);
    let about = matches!(
        form,
        "about"
            | "approximately"
            | "around"
            | "some"
            | "over"
            | "nearly"
            | "there"
            | "out"
            | "males"
            | "females"
    );
    words::is_pronoun(form) || about || tokens.class(first) == Some(Class::Number)
}

fn is_implied(tokens: &Tokens, head: &Range<usize>) -> bool {
    if is_article_like(tokens, head.start) {
        // "Its capital", but not "His son William".
        return !head
            .clone()
            .skip(1)
            .any(|at| is_name(tokens, at, head.start));
    }
    let generic = head.clone().any(|at| is_generic(tokens.form(at)));
    generic
        && !head
            .clone()
            .skip(1)
            .any(|at| is_name(tokens, at, head.start))
}

pub(super) fn is_name(tokens: &Tokens, at: usize, first: usize) -> bool {
    let token = &tokens.all[at];
    let peoples = matches!(
        tokens.form(at),
        "hispanic" | "hispanics" | "latino" | "latinos"
    );
    at > first && token.capital && token.class == Class::Word && !token.holds_together && !peoples
}

/// What articles are about, and what they say of it: "the city", "the median age".
fn is_generic(word: &str) -> bool {
    const NOUNS: &str = "city town village hamlet county district municipality commune parish province state region country island river lake mountain \
        film movie album song single band group series episode season show game book novel play opera company firm club team school university college \
        station line airport bridge road street church building house castle museum park ship vessel aircraft engine species genus plant tree population \
        median average mean density income age households household families family racial makeup gender area elevation length height capital language \
        economy climate temperature code number total rate award party player artist author symbol element star planet asteroid crater eclipse isotopes race races album's \
        reserve territory settlement community forest hotel theatre temple monastery fort canal tunnel tower lighthouse journal magazine newspaper software organisation \
        organization association society institute dam port harbour valley peak glacier beach cave mine factory brewery market film's city's town's village's country's stadium hospital library festival tournament championship race event match final";
    static LIST: std::sync::OnceLock<words::Groups> = std::sync::OnceLock::new();
    LIST.get_or_init(|| words::Groups::new(NOUNS))
        .contains(super::tokens::id_of(word))
}

const HAN_ENDS: &str = "参加入调晋授逝去兼荣赴转升改再是为位于在有被由乃系属获曾任生卒当可会将与和及共列公发获成建至从到距担出毕始拥包之的";

fn in_han(tokens: &Tokens, first: usize) -> Subject {
    let limit = tokens.len().min(first + LONGEST);
    let stop = |at: usize| matches!(tokens.form(at), "," | "、" | "." | ";" | ":");
    let is_number = |at: usize| tokens.class(at) == Some(Class::Number);
    let setting = is_number(first)
        || matches!(
            tokens.form(first),
            "在" | "于" | "自" | "从" | "截" | "根" | "据" | "当" | "同" | "由"
        );
    let mut begin = first;
    if setting {
        let comma = (first..limit).find(|&at| tokens.form(at) == ",");
        let dated = |at: usize| {
            is_number(at) || matches!(tokens.form(at), "年" | "月" | "日" | "度" | "初" | "底")
        };
        let after_date = (first..limit).find(|&at| !dated(at)).unwrap_or(limit);
        begin = comma.map_or(after_date, |at| at + 1);
    }
    let limit = tokens.len().min(begin + LONGEST);
    let quoted = matches!(tokens.form(begin), "《" | "〈" | "\"");
    let end = (begin..limit)
        .find(|&at| {
            let form = tokens.form(at);
            let close = quoted && matches!(form, "》" | "〉" | "\"") && at > begin;
            let word = at > begin + 1
                && !quoted
                && tokens.class(at) == Some(Class::Ideograph)
                && HAN_ENDS.contains(form);
            close || word || (stop(at) && !quoted) || form == "("
        })
        .unwrap_or(limit);
    let head = begin..end.max(begin).min(tokens.len());
    let text = tokens.forms_of(&(head.start..tokens.len().min(head.start + 4)));
    let elided = head.start >= tokens.len()
        || HAN_ENDS.contains(tokens.form(head.start))
        || is_number(head.start);
    // What is "proclaimed as" something is the subject of the article, whoever proclaims it.
    let proclaimed = ["公布为", "列为", "评为"]
        .iter()
        .any(|word| tokens.forms().contains(word));
    Subject {
        setting: first..begin,
        implied: elided
            || (setting && proclaimed)
            || HAN_IMPLIED.iter().any(|word| text.starts_with(word)),
        head,
    }
}

/// How sentences begin whose subject is that of the article.
const HAN_IMPLIED: [&str; 65] = [
    "该",
    "其",
    "此",
    "这",
    "本",
    "它",
    "他",
    "她",
    "全",
    "总",
    "共",
    "现",
    "曾",
    "第",
    "车站",
    "人口",
    "面积",
    "海拔",
    "平均",
    "近年",
    "列表",
    "最近",
    "同年",
    "当地",
    "境内",
    "下辖",
    "辖",
    "站",
    "每",
    "年",
    "月",
    "日",
    "公布",
    "列为",
    "属",
    "位",
    "距",
    "占",
    "男",
    "女",
    "时",
    "首",
    "藉",
    "编",
    "分",
    "另",
    "以",
    "母",
    "父",
    "妻",
    "字",
    "号",
    "模式",
    "香港时间",
    "食",
    "影片",
    "电影",
    "专辑",
    "学校",
    "公司",
    "球队",
    "主",
    "国",
    "外",
    "后",
];

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenizer;
    use super::*;

    fn head(text: &str) -> (String, bool) {
        let tokens = Tokens::of(&mut tokenizer(), text);
        let subject = Subject::of(&tokens);
        let head = &tokens.all[subject.head];
        let shown = match (head.first(), head.last()) {
            (Some(first), Some(last)) => text[first.source.start..last.source.end].to_owned(),
            _ => String::new(),
        };
        (shown, subject.implied)
    }

    #[test]
    fn the_subject_stands_before_the_first_verb() {
        let named = |text: &str, subject: &str| {
            assert_eq!(head(text), (subject.to_owned(), false), "{text}");
        };
        named(
            "George W. Bush had an approval rating of 22%.",
            "George W. Bush",
        );
        named(
            "In 1998, the Treaty of Bonn was signed.",
            "the Treaty of Bonn",
        );
        named("菩萨湾石刻位于四川省。", "菩萨湾石刻");
        named("《红河谷》是一部电影。", "《红河谷");
    }

    #[test]
    fn pronouns_numbers_and_general_nouns_imply_the_subject_of_the_article() {
        for text in [
            "It was established in 1997.",
            "The median age was 30 years.",
            "35.4% of all households were small.",
            "2016年度平均人次为13,879人。",
            "车站编号是DT21。",
        ] {
            assert!(head(text).1, "{text}");
        }
    }
}
