//! Links: to pages, files, categories, other languages and other sites.

use super::marks::{Kind, Mark};
use super::walk::{FrameKind, Walker};

/// What begins an address.
const SCHEMES: [&str; 9] = [
    "http://",
    "https://",
    "//",
    "ftp://",
    "ftps://",
    "mailto:",
    "irc://",
    "news:",
    "gopher://",
];

/// The namespaces of files, and of categories.
const MEDIA: i32 = -2;
const FILE: i32 = 6;
const CATEGORY: i32 = 14;

/// Targets longer than that are not ones.
const LONGEST_TARGET: usize = 1000;

impl Walker<'_> {
    pub(super) fn bracket(&mut self) {
        match self.mark() {
            Some(mark) if mark.kind == Kind::Link => self.link(mark),
            _ if self.byte(self.at + 1) == b'[' => self.at += 2,
            _ => self.external_link(),
        }
    }

    fn link(&mut self, mark: Mark) {
        let text = self.text;
        let content = &text.as_bytes()[mark.body..mark.end];
        let content = &content[..content.len().min(LONGEST_TARGET)];
        let len = content
            .iter()
            .position(|byte| matches!(byte, b'|' | b'[' | b'{' | b'<' | b'\n'))
            .unwrap_or(content.len());
        let target_end = floor_boundary(text, mark.body + len);
        let target = text[mark.body..target_end].trim();
        let has_label = self.byte(target_end) == b'|' && target_end < mark.end;
        match self.kind_of(target) {
            Target::File => {
                let kind = FrameKind::File { caption: 0 };
                self.open_collecting(kind, target_end, mark.end, mark.after);
                // Up to the first bar there is nothing to collect.
                if !has_label {
                    self.at = mark.end;
                }
            }
            Target::Nothing => self.at = mark.after,
            Target::Page if has_label && target_end + 1 < mark.end => {
                self.open(FrameKind::Through, target_end + 1, mark.end, mark.after);
            }
            Target::Page if has_label => {
                self.add_text(without_qualifier(target));
                self.at = mark.after;
            }
            Target::Page => {
                let body = mark.body + usize::from(target.starts_with(':'));
                self.open(FrameKind::Through, body, mark.end, mark.after);
            }
        }
    }

    fn kind_of(&self, target: &str) -> Target {
        // A colon first makes it a mere link.
        let Some((prefix, _)) = target
            .split_once(':')
            .filter(|(prefix, _)| !prefix.is_empty())
        else {
            return Target::Page;
        };
        match self.site.namespace(prefix) {
            Some(FILE | MEDIA) => Target::File,
            Some(CATEGORY) => Target::Nothing,
            Some(_) => Target::Page,
            None if is_language(prefix.trim()) => Target::Nothing,
            None => Target::Page,
        }
    }

    /// A part of a link to a file has ended: the last that is no option is the caption.
    pub(super) fn end_file_part(&mut self, caption: usize) -> usize {
        let part = self.collected.text()[caption..].trim();
        if part.is_empty() || is_file_option(part) {
            self.collected.truncate(caption);
            self.collected.next_part();
            return caption;
        }
        self.collected.remove_first(caption);
        self.collected.next_part();
        self.collected.len()
    }

    /// `[http://example.org label]`; without a label nothing.
    fn external_link(&mut self) {
        let rest = &self.text[self.at + 1..self.stop()];
        if !SCHEMES.iter().any(|scheme| rest.starts_with(scheme)) {
            self.add(self.at, self.at + 1);
            self.at += 1;
            return;
        }
        let len = rest
            .bytes()
            .position(|byte| {
                matches!(
                    byte,
                    b' ' | b'\t' | b'\n' | b']' | b'<' | b'[' | b'"' | b'{'
                )
            })
            .unwrap_or(rest.len());
        self.at += 1 + len;
        self.line.brackets += 1;
    }
}

enum Target {
    Page,
    File,
    /// Not shown in the text: a category, the page in another language.
    Nothing,
}

/// The largest boundary of a character up to `at`.
fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The label that an empty one stands for: `Help:Paris (Texas)` is `Paris`.
fn without_qualifier(target: &str) -> &str {
    let target = target.trim_start_matches(':');
    let name = target.split_once(':').map_or(target, |(_, name)| name);
    let name = name.split_once(" (").map_or(name, |(name, _)| name);
    name.split_once(", ").map_or(name, |(name, _)| name).trim()
}

/// `de`, `zh-min-nan`, `simple`, but not `s` (a sister project) or `doi`.
fn is_language(prefix: &str) -> bool {
    const OTHERS: [&str; 6] = ["doi", "hdl", "bug", "rfc", "irc", "arz-x"];
    if prefix == "simple" {
        return true;
    }
    let first = prefix.split('-').next().unwrap_or_default();
    (2..=3).contains(&first.len())
        && prefix.len() <= 14
        && prefix
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        && !OTHERS.contains(&prefix)
}

/// What may stand in a link to a file beside the caption, in many languages.
#[rustfmt::skip]
const FILE_OPTIONS: [&str; 90] = [
    "thumb", "thumbnail", "frame", "framed", "frameless", "border", "left", "right", "center", "centre", "none",
    "baseline", "middle", "sub", "super", "text-top", "text-bottom", "top", "bottom", "upright",
    // German, French, Spanish, Italian, Portuguese, Dutch, Polish
    "mini", "miniatur", "gerahmt", "rahmenlos", "rand", "links", "rechts", "zentriert", "ohne", "hochkant",
    "vignette", "cadre", "encadré", "sans_cadre", "bordure", "gauche", "droite", "centré", "néant", "redresse",
    "miniatura", "miniaturadeimagen", "miniaturaimagen", "marco", "sinmarco", "borde", "izquierda", "derecha", "centro",
    "ninguna", "no", "min", "destra", "sinistra", "nessuno", "verticale", "riquadrato", "direita", "esquerda", "nenhum",
    "commoldura", "semmoldura", "miniatuur", "omkaderd", "gecentreerd", "geen", "rechtop", "prawo", "lewo", "centruj",
    "brak", "bezramki", "ramka",
    // Russian, Ukrainian, Bulgarian
    "мини", "миниатюра", "справа", "слева", "центр", "без", "мініатюра", "праворуч", "ліворуч", "дясно", "ляво", "вдясно",
    // Chinese, Japanese, Arabic
    "缩略图", "縮圖", "右", "左", "サムネイル",
];

fn is_file_option(part: &str) -> bool {
    const NAMED: [&str; 12] = [
        "alt",
        "link",
        "lang",
        "page",
        "class",
        "upright",
        "thumb",
        "thumbtime",
        "start",
        "end",
        "альт",
        "替代文本",
    ];
    let lower = part.to_lowercase();
    let name = lower
        .split_once('=')
        .map_or(lower.as_str(), |(name, _)| name);
    if name.len() < lower.len() {
        let name = name.trim();
        return NAMED.contains(&name)
            || FILE_OPTIONS.contains(&name)
            || matches!(
                name,
                "hochkant"
                    | "redresse"
                    | "verweis"
                    | "alternativtext"
                    | "lien"
                    | "enlace"
                    | "verticale"
            );
    }
    let size = lower
        .strip_suffix("px")
        .or_else(|| lower.strip_suffix("пкс"))
        .or_else(|| lower.strip_suffix("像素"));
    size.is_some_and(|size| {
        size.bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'x' | b' ' | b'.'))
    }) || FILE_OPTIONS.contains(&lower.as_str())
        || matches!(
            lower.as_str(),
            "منشور"
                | "تصغير"
                | "مصغر"
                | "يسار"
                | "يمين"
                | "وسط"
                | "無"
                | "无"
                | "置中"
                | "中央"
        )
        || lower
            .strip_prefix("upright")
            .is_some_and(|rest| rest.trim().parse::<f32>().is_ok())
}
