//! The templates whose value is prose, by name. All others are left out.

use std::sync::LazyLock;

use super::templates::Rule;
use super::values;

/// Names in lower case, with spaces for underscores.
#[rustfmt::skip]
const RULES: &[(Rule, &[&str])] = &[
    (Rule::Keep(1), &[
        "nowrap", "nobr", "nbr", "small", "smaller", "smalldiv", "big", "larger", "large", "abbr", "abbrlink", "abbreviation", "tooltip",
        "nobold", "noitalic", "em", "strong", "sup", "sub", "smallcaps", "sc", "sc1", "allcaps", "visible anchor", "vanchor",
        "not a typo", "sic", "notatypo", "proper name", "ruby", "ruby-ja", "num", "nombre", "nts", "formatnum", "gaps",
        "le", "link-en", "link-de", "link-fr", "link-ja", "internal link helper", "tsl", "仮リンク", "нп", "нп2", "нп3", "нп5",
        "не переведено", "не переведено 2", "не переведено 3", "не переведено 5", "iw", "s", "comment", "nowr", "font color",
        "linktext", "lt", "angbr", "bracket", "oldstyledate", "langr", "page needed span", "e", "er", "mvar", "math", "var", "code",
        "citation bloc", "abr", "ens", "frs", "ess", "its", "las", "rus", "grcs", "des", "jas", "zhs", "ars", "trs", "pls", "nls", "pts",
        "en", "sup-nowrap", "highlight", "color box text", "interp", "as written", "single+double", "title-text",
    ]),
    (Rule::Keep(2), &["lang", "langue", "script", "rtl-lang", "lang2", "color", "colour", "fontcolor", "font", "нетлинк", "lien langue"]),
    (Rule::Block(1), &[
        "quote", "blockquote", "cquote", "quotation", "quote frame", "rquote", "bquote", "poemquote", "poem quote", "verse translation",
        "zitat", "cytat", "цитата", "начало цитаты", "cita", "cita larga", "citazione", "citat", "引用", "引文", "quote box", "quotebox",
        "اقتباس", "center", "centre", "centered", "resize", "div col item",
    ]),
    (Rule::Note(1), &["efn", "efn-ua", "efn-lr", "efn-la", "refn", "#tag:ref", "ref label note", "fn-note", "note"]),
    (Rule::Literal("–"), &["ndash", "en dash", "nndash", "–"]),
    (Rule::Literal("—"), &["mdash", "em dash", "—"]),
    (Rule::Literal(" – "), &["snd", "snds", "spnd", "sndash", "spndash", "spaced ndash", "spaced en dash", "spaced endash", "dash", "тире"]),
    (Rule::Literal(" — "), &["spaced mdash", "spaced em dash", "smd"]),
    (Rule::Literal(" "), &["nbsp", "space", "spaces", "thinsp", "thin space", "hair space", "!", "!!", "pad", "clear", "-", "br", "break", "crlf", "clr"]),
    (Rule::Literal(" · "), &["·", "middot", "dot", "•", "bull", "bullet", "*"]),
    (Rule::Literal("="), &["="]),
    (Rule::Literal("'"), &["'", "`", "apostrophe"]),
    (Rule::Literal("'s"), &["'s"]),
    (Rule::Literal("\""), &["'\"", "\"'", "-\"", "\"-"]),
    (Rule::Literal("π"), &["pi"]),
    (Rule::Literal("×"), &["times", "×", "x mark"]),
    (Rule::Literal("−"), &["minus"]),
    (Rule::Literal("av. J.-C."), &["av jc", "av. j.-c.", "-s"]),
    (Rule::Title, &["pagename", "fullpagename", "basepagename", "subpagename", "subjectpagename", "articlepagename", "имя страницы"]),
    (Rule::Value(values::last), &["transl", "translit", "transliteration", "nihongo2", "okina", "hamza", "ayin"]),
    (Rule::Value(values::joined), &["date", "unité", "unite", "unit", "date-", "дата", "age", "s-date"]),
    (Rule::Value(values::converted), &["convert", "cvt", "conv", "convertir", "converter", "высота"]),
    (Rule::Value(values::date), &[
        "birth date", "birth date and age", "birth-date", "birth-date and age", "bda", "dob", "death date", "death-date",
        "start date", "start date and age", "end date", "film date", "birth year", "birth date and age2", "date de naissance",
        "date de décès", "launch date", "release date", "dts", "iso date",
    ]),
    (Rule::Value(values::as_of), &["as of", "asof"]),
    (Rule::Value(values::circa), &["circa", "c.", "ca", "c", "ca.", "около"]),
    (Rule::Value(values::fraction), &["frac", "fraction", "sfrac", "fract"]),
    (Rule::Value(values::measured), &["val"]),
    (Rule::Value(values::other_language), &["ill", "illm", "interlanguage link", "interlanguage link multi", "link-interwiki", "lien", "ill2", "красная ссылка"]),
    (Rule::Value(values::with_original), &["nihongo", "korean", "nihongo krt", "nihongo foot"]),
    (Rule::Citation, &[
        "citation", "cite", "literatur", "internetquelle", "ouvrage", "article", "lien web", "lien brisé", "chapitre", "lien vidéo",
        "книга", "статья", "публикация", "cita libro", "cita web", "cita publicación", "cita noticia", "citar web", "citar livro",
        "citar periódico", "citar jornal", "citeer web", "citeer boek", "citeer journal", "webbref", "bokref", "tidskriftsref",
        "cytuj", "cytuj stronę", "cytuj książkę", "cytuj pismo", "cita pubblicazione", "cita news", "vcite journal", "vcite book",
        "vcite web", "harvard citation text", "literature", "obra citada",
    ]),
];

/// Functions before a colon whose value is what follows.
const FUNCTIONS: [&str; 7] = [
    "formatnum",
    "lc",
    "uc",
    "lcfirst",
    "ucfirst",
    "subst",
    "safesubst",
];

static BY_NAME: LazyLock<Vec<(&str, Rule)>> = LazyLock::new(|| {
    let mut rules: Vec<_> = RULES
        .iter()
        .flat_map(|(rule, names)| names.iter().map(|name| (*name, *rule)))
        .collect();
    rules.sort_by_key(|(name, _)| *name);
    rules
});

/// What becomes of the template of that name, as written.
pub(super) fn rule(name: &str) -> Rule {
    let name = name.trim().replace('_', " ").to_lowercase();
    if let Ok(at) = BY_NAME.binary_search_by_key(&name.as_str(), |(name, _)| *name) {
        return BY_NAME[at].1;
    }
    if let Some((function, _)) = name.split_once(':') {
        return if FUNCTIONS.contains(&function.trim()) {
            Rule::AfterColon
        } else {
            Rule::Drop
        };
    }
    if name == "citation needed" {
        Rule::Drop
    } else if name.starts_with("lang-") {
        Rule::Keep(1)
    } else if ["cite ", "citation ", "cita ", "citar "]
        .iter()
        .any(|start| name.starts_with(start))
    {
        Rule::Citation
    } else {
        Rule::Drop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_rule() {
        assert!(BY_NAME.is_sorted_by(|a, b| a.0 < b.0));
        for (name, _) in BY_NAME.iter() {
            assert_eq!(*name, name.to_lowercase().replace('_', " "));
        }
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        assert!(matches!(rule(" Birth_date "), Rule::Value(_)));
        assert!(matches!(rule("Книга"), Rule::Citation));
        assert!(matches!(rule("cite web"), Rule::Citation));
        assert!(matches!(rule("lang-ru"), Rule::Keep(1)));
        assert!(matches!(rule("formatnum:1234"), Rule::AfterColon));
        assert!(matches!(rule("#if:a"), Rule::Drop));
        assert!(matches!(rule("citation needed"), Rule::Drop));
    }
}
