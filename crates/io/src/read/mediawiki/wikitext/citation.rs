//! A citation template as one line: authors (date). "title". work. volume (issue): pages. publisher.

use std::sync::LazyLock;

use super::values::Arguments;

/// A part of a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Title,
    Date,
    Work,
    Volume,
    Issue,
    Pages,
    Publisher,
    Author,
    Family,
    Given,
}

const PARTS: usize = 7;
const AUTHORS: usize = 12;

/// The names of parameters in many languages; of several the first counts.
#[rustfmt::skip]
const NAMES: &[(Part, &[&str])] = &[
    (Part::Title, &["title", "titel", "titre", "título", "titulo", "titolo", "заглавие", "название", "заголовок", "标题", "題名", "タイトル", "tytuł", "chapter", "contribution"]),
    (Part::Date, &["date", "year", "datum", "jahr", "année", "fecha", "año", "anno", "data", "год", "дата", "年", "日期", "rok"]),
    (Part::Work, &["journal", "work", "newspaper", "magazine", "website", "periodical", "encyclopedia", "sammelwerk", "werk", "périodique", "publicación", "издание", "журнал", "雑誌", "期刊", "czasopismo", "rivista", "obra", "site"]),
    (Part::Volume, &["volume", "band", "volumen", "том", "卷", "tom"]),
    (Part::Issue, &["issue", "number", "nummer", "numéro", "número", "номер", "выпуск", "期"]),
    (Part::Pages, &["pages", "page", "p", "pp", "seiten", "passage", "páginas", "página", "pagine", "страницы", "страница", "页", "頁", "strony"]),
    (Part::Publisher, &["publisher", "verlag", "hrsg", "éditeur", "editorial", "editore", "издательство", "出版者", "出版社", "wydawca", "editora"]),
    (Part::Author, &["author", "authors", "vauthors", "autor", "auteur", "autore", "автор", "作者", "著者"]),
    (Part::Family, &["last", "surname", "nom", "apellido", "apellidos", "cognome", "sobrenome"]),
    (Part::Given, &["first", "given", "prénom", "nombre", "nome"]),
];

/// Each name with its part and its rank, by name.
static BY_NAME: LazyLock<Vec<(&str, Part, usize)>> = LazyLock::new(|| {
    let mut names: Vec<_> = NAMES
        .iter()
        .flat_map(|(part, names)| {
            names
                .iter()
                .zip(0..)
                .map(|(name, rank)| (*name, *part, rank))
        })
        .collect();
    names.sort_unstable_by_key(|(name, _, _)| *name);
    names
});

/// What a citation says.
#[derive(Default)]
struct Citation<'a> {
    /// By part, with the rank of the name it had.
    parts: [(&'a str, usize); PARTS],
    authors: [Author<'a>; AUTHORS],
}

#[derive(Clone, Copy, Default)]
struct Author<'a> {
    whole: &'a str,
    family: &'a str,
    given: &'a str,
}

/// The citation; none where there is no title, but a text: templates of these names are quotations in some languages.
pub(super) fn line(arguments: &Arguments<'_>) -> Result<String, String> {
    let citation = Citation::of(arguments);
    let first = arguments.numbered(1);
    if citation.part(Part::Title).is_empty() && !first.is_empty() {
        return Err(first.to_owned());
    }
    Ok(citation.line())
}

impl<'a> Citation<'a> {
    fn of(arguments: &Arguments<'a>) -> Self {
        let mut citation = Citation::default();
        for (name, value) in arguments.by_name() {
            if !value.is_empty() {
                citation.set(name, value);
            }
        }
        citation
    }

    fn set(&mut self, name: &str, value: &'a str) {
        let lower = name.to_lowercase();
        let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = lower[bare.len()..].parse::<usize>().unwrap_or(1);
        let Ok(at) = BY_NAME.binary_search_by_key(&bare, |(name, _, _)| *name) else {
            return;
        };
        let (_, part, rank) = BY_NAME[at];
        let author = self.authors.get_mut(number.wrapping_sub(1));
        match (part, author) {
            (Part::Author, Some(author)) => author.whole = value,
            (Part::Family, Some(author)) => author.family = value,
            (Part::Given, Some(author)) => author.given = value,
            (Part::Author | Part::Family | Part::Given, None) => {}
            (part, _) => {
                let known = &mut self.parts[part as usize];
                if known.0.is_empty() || rank < known.1 {
                    *known = (value, rank);
                }
            }
        }
    }

    fn part(&self, part: Part) -> &'a str {
        self.parts[part as usize].0
    }

    fn line(&self) -> String {
        let mut out = self.authors();
        let date = self.part(Part::Date);
        if !date.is_empty() {
            add(&mut out, " ", &format!("({date})"));
        }
        if !out.is_empty() {
            out.push('.');
        }
        let title = self.part(Part::Title);
        let quoted = if title.is_empty() {
            String::new()
        } else {
            format!("\"{title}\"")
        };
        let place = self.place();
        let (work, publisher) = (self.part(Part::Work), self.part(Part::Publisher));
        for text in [&quoted, work, &place, publisher] {
            if !text.is_empty() {
                add(&mut out, " ", text);
                if !text.ends_with('.') {
                    out.push('.');
                }
            }
        }
        out
    }

    /// `Last, First; Last, First`.
    fn authors(&self) -> String {
        let mut out = String::new();
        for author in &self.authors {
            match (author.family, author.given) {
                ("", _) if author.whole.is_empty() => {}
                ("", _) => add(&mut out, "; ", author.whole),
                (family, "") => add(&mut out, "; ", family),
                (family, given) => add(&mut out, "; ", &format!("{family}, {given}")),
            }
        }
        out
    }

    /// Volume (issue): pages.
    fn place(&self) -> String {
        let mut out = self.part(Part::Volume).to_owned();
        let (issue, pages) = (self.part(Part::Issue), self.part(Part::Pages));
        if !issue.is_empty() {
            add(&mut out, " ", &format!("({issue})"));
        }
        if !pages.is_empty() {
            add(&mut out, ": ", pages);
        }
        out
    }
}

fn add(out: &mut String, between: &str, text: &str) {
    if !out.is_empty() {
        out.push_str(between);
    }
    out.push_str(text);
}
