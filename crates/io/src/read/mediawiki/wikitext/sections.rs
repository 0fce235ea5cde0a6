//! Which sections hold references and not prose, by their headings.

#[rustfmt::skip]
const TITLES: &[&str] = &[
    "references", "reference", "notes", "note", "notes and references", "references and notes", "footnotes", "citations",
    "sources", "source", "bibliography", "further reading", "external links", "external link", "literature", "works cited",
    "general references", "cited sources", "cited works", "explanatory notes", "endnotes", "references and sources",
    "sources and references", "notes, citations and references", "bibliography and further reading", "other websites",
    "related pages", "see also",
    // German
    "einzelnachweise", "weblinks", "literatur", "quellen", "anmerkungen", "fußnoten", "belege", "quellen und literatur",
    "literatur und quellen", "anmerkungen und einzelnachweise", "einzelnachweise und anmerkungen", "weiterführende literatur",
    "siehe auch", "nachweise", "literaturverzeichnis", "werke und literatur",
    // French
    "références", "notes et références", "bibliographie", "liens externes", "lien externe", "voir aussi", "annexes",
    "sources et bibliographie", "articles connexes", "notes et sources", "ouvrages",
    // Spanish, Portuguese, Catalan, Italian
    "referencias", "notas", "bibliografía", "enlaces externos", "véase también", "fuentes", "notas y referencias",
    "lectura adicional", "referências", "notas e referências", "ligações externas", "ver também", "bibliografia", "fontes",
    "leitura adicional", "referències", "enllaços externs", "vegeu també", "fonts", "collegamenti esterni", "voci correlate",
    "altri progetti", "note e riferimenti", "fonti",
    // Dutch, Swedish, Danish, Norwegian, Polish, Czech, Latgalian
    "referenties", "bronnen", "externe links", "zie ook", "literatuur", "noten", "bronnen, noten en/of referenties",
    "referenser", "källor", "externa länkar", "vidare läsning", "noter", "litteratur", "kilder", "eksterne henvisninger",
    "eksterne lenker", "referanser", "przypisy", "linki zewnętrzne", "zobacz też", "externí odkazy", "reference a poznámky",
    "literatura", "poznámky", "atsauces", "ārejuos saitis",
    // Russian, Ukrainian, Bulgarian
    "примечания", "литература", "ссылки", "источники", "см. также", "библиография", "сноски", "комментарии",
    "примітки", "література", "посилання", "джерела", "див. також", "бележки", "източници", "външни препратки",
    "литература и източници", "вижте също", "бележки и източници",
    // Chinese, Japanese, Korean
    "参考文献", "參考文獻", "参考资料", "參考資料", "注释", "註釋", "注解", "註解", "外部链接", "外部連結", "外部链結", "参考",
    "參考", "延伸阅读", "延伸閱讀", "扩展阅读", "擴展閱讀", "参见", "參見", "参看", "參看", "脚注", "腳註", "注脚", "註腳", "来源",
    "來源", "资料来源", "資料來源", "相关条目", "相關條目", "注释与参考文献", "参考来源", "參考來源", "备注", "備註",
    "注釈", "出典", "関連項目", "外部リンク", "関連文献", "関連書籍", "注釈・出典", "脚注・出典",
    "각주", "참고 문헌", "참고문헌", "외부 링크", "같이 보기", "출처",
    // Arabic, Persian, Hebrew, Turkish
    "المراجع", "مراجع", "المصادر", "مصادر", "وصلات خارجية", "روابط خارجية", "هوامش", "انظر أيضا", "انظر أيضًا", "ملاحظات",
    "منابع", "پانویس", "پیوند به بیرون", "جستارهای وابسته", "הערות שוליים", "לקריאה נוספת", "קישורים חיצוניים", "ראו גם",
    "kaynakça", "dış bağlantılar", "notlar", "ayrıca bakınız",
];

/// Whether the section of that heading lists references, notes, literature or links.
pub(super) fn is_of_references(heading: &str) -> bool {
    let lower = heading.trim().trim_end_matches(':').to_lowercase();
    TITLES.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_references_are_known_in_many_languages() {
        for title in [
            "References",
            "Einzelnachweise",
            "參考文獻",
            "Примечания",
            "المراجع",
            "出典:",
        ] {
            assert!(is_of_references(title), "{title}");
        }
        for title in ["History", "", "Referenzmodell", "歴史"] {
            assert!(!is_of_references(title), "{title}");
        }
    }
}
