//! What a dump says about its wiki: the names of the namespaces, and where its articles can be read.

use memchr::memmem;

use super::super::compression::Stream;
use super::super::xml;
use crate::block::Buffer;
use crate::error::Error;

/// The head of a dump is read up to so many bytes.
const HEAD_BYTES: usize = 1 << 20;

/// The names that all wikis know.
const CANONICAL: [(&str, i32); 18] = [
    ("media", -2),
    ("special", -1),
    ("talk", 1),
    ("user", 2),
    ("user talk", 3),
    ("project", 4),
    ("project talk", 5),
    ("file", 6),
    ("image", 6),
    ("file talk", 7),
    ("image talk", 7),
    ("mediawiki", 8),
    ("mediawiki talk", 9),
    ("template", 10),
    ("template talk", 11),
    ("help", 12),
    ("help talk", 13),
    ("category", 14),
];

/// Names of the namespaces of files and categories in other languages, for dumps that do not say theirs.
const COMMON: [(&str, i32); 24] = [
    ("datei", 6),
    ("bild", 6),
    ("fichier", 6),
    ("archivo", 6),
    ("imagen", 6),
    ("ficheiro", 6),
    ("immagine", 6),
    ("bestand", 6),
    ("plik", 6),
    ("файл", 6),
    ("изображение", 6),
    ("картинка", 6),
    ("文件", 6),
    ("檔案", 6),
    ("ファイル", 6),
    ("ملف", 6),
    ("kategorie", 14),
    ("catégorie", 14),
    ("categoría", 14),
    ("categoria", 14),
    ("категория", 14),
    ("分类", 14),
    ("分類", 14),
    ("تصنيف", 14),
];

/// The namespaces of a wiki.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site {
    /// Names in lower case.
    named: Vec<(String, i32)>,
    /// What the titles of articles follow, as in `https://en.wikipedia.org/wiki/`.
    pub(super) address: Option<String>,
}

impl Site {
    /// Reads the head of a dump.
    pub(super) fn read(stream: &mut Stream) -> Result<Site, Error> {
        let mut buffer = Buffer::default();
        let mut len = HEAD_BYTES / 16;
        loop {
            let more = buffer.fill(stream, len)?;
            let head = buffer.as_slice();
            let end =
                memmem::find(head, b"</namespaces>").or_else(|| memmem::find(head, b"<page>"));
            if end.is_some() || !more || len >= HEAD_BYTES {
                let head = String::from_utf8_lossy(&head[..end.unwrap_or(head.len())]);
                return Ok(Site::of_head(&head));
            }
            len *= 2;
        }
    }

    fn of_head(head: &str) -> Site {
        let mut named = Vec::new();
        for piece in head.split_inclusive('>').zip(head.split('>').skip(1)) {
            let (tag, after) = piece;
            let Some(begin) = tag.rfind('<') else {
                continue;
            };
            let Some(attributes) = xml::element(&tag[begin..], "namespace") else {
                continue;
            };
            let key = attributes
                .flatten()
                .find(|(name, _)| *name == "key")
                .and_then(|(_, key)| key.parse().ok());
            let name = after.split('<').next().unwrap_or_default();
            if let Some(key) = key
                && !tag.ends_with("/>")
            {
                let mut plain = String::new();
                xml::unescape(name, &mut plain);
                named.push((normal(&plain), key));
            }
        }
        named.retain(|(name, _)| !name.is_empty());
        Site {
            named,
            address: address_of(head),
        }
    }

    /// The namespace of that name.
    pub(super) fn namespace(&self, name: &str) -> Option<i32> {
        let name = normal(name);
        let known = self.named.iter().find(|(known, _)| *known == name);
        let known = known.map(|(_, key)| *key);
        known.or_else(|| {
            CANONICAL
                .iter()
                .chain(&COMMON)
                .find(|(known, _)| *known == name)
                .map(|(_, key)| *key)
        })
    }

    /// The namespace of a page with that title.
    pub(super) fn of_title(&self, title: &str) -> i32 {
        title
            .split_once(':')
            .and_then(|(prefix, _)| self.namespace(prefix))
            .unwrap_or(0)
    }
}

/// The address of the main page, which `<base>` states, without the name of that page.
fn address_of(head: &str) -> Option<String> {
    let (_, base) = head.split_once("<base>")?;
    let (base, _) = base.split_once("</base>")?;
    let mut address = String::new();
    xml::unescape(base.trim(), &mut address);
    let host = ["https://", "http://"]
        .iter()
        .find_map(|scheme| address.strip_prefix(scheme))?;
    let is_plain = !address.contains(|c: char| c.is_whitespace() || c.is_control());
    // `…/wiki/Main_Page`, or `…/index.php?title=Main_Page`.
    let end = address.rfind(['/', '='])? + 1;
    (is_plain && host.contains('/')).then(|| address[..end].to_string())
}

fn normal(name: &str) -> String {
    name.trim().replace('_', " ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_are_those_of_the_dump_and_the_canonical_ones() {
        let head = "<mediawiki>\n<namespaces>\n<namespace key=\"0\" />\
            <namespace key=\"6\" case=\"first-letter\">Файл</namespace>\n\
            <namespace key=\"100\">Q&amp;A</namespace>\n<namespace key=\"0\"></namespace>";
        let site = Site::of_head(head);
        assert_eq!(site.namespace("файл"), Some(6));
        assert_eq!(site.namespace("Q&A"), Some(100));
        assert_eq!(site.namespace(" image_talk"), Some(7));
        assert_eq!(site.of_title("Category:Rivers"), 14);
        assert_eq!(site.of_title("2001: A journey"), 0);
        assert_eq!(site.of_title(":a"), 0);
    }

    #[test]
    fn articles_are_found_below_the_address_of_the_main_page() {
        let address = |base: &str| Site::of_head(&format!("<base>{base}</base>")).address;
        let wiki = address("https://fr.wiki.example/wiki/Wikip%C3%A9dia:Accueil");
        assert_eq!(wiki.unwrap(), "https://fr.wiki.example/wiki/");
        let query = address("http://wiki.example/index.php?a=1&amp;title=主页");
        assert_eq!(query.unwrap(), "http://wiki.example/index.php?a=1&title=");
        for base in [
            "javascript:alert(1)//",
            "https://wiki.example",
            "https://a b/",
            "",
        ] {
            assert_eq!(address(base), None, "{base}");
        }
        assert_eq!(Site::of_head("<mediawiki>").address, None);
    }
}
