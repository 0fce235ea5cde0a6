//! Pages in many encodings, declared and not.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, ISO_2022_JP, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251};
use proptest::prelude::*;

use super::*;

/// Long enough to guess by.
const TEXTS: [(&Encoding, &str); 9] = [
    (
        GBK,
        "我们在山脚下的小村庄里住了三天，每天早晨都能听见河水的声音。邻居送来了新鲜的蔬菜和面包。",
    ),
    (
        BIG5,
        "我們在山腳下的小村莊裡住了三天，每天早晨都能聽見河水的聲音。鄰居送來了新鮮的蔬菜和麵包。",
    ),
    (
        SHIFT_JIS,
        "山のふもとの小さな村に三日間泊まりました。毎朝、川の音が聞こえました。パンもおいしかったです。",
    ),
    (
        EUC_JP,
        "山のふもとの小さな村に三日間泊まりました。毎朝、川の音が聞こえました。パンもおいしかったです。",
    ),
    (
        ISO_2022_JP,
        "山のふもとの小さな村に三日間泊まりました。毎朝、川の音が聞こえました。",
    ),
    (
        EUC_KR,
        "우리는 산기슭의 작은 마을에서 사흘을 묵었습니다. 아침마다 강물 소리가 들렸습니다. 빵도 맛있었습니다.",
    ),
    (
        WINDOWS_1251,
        "Мы провели три дня в маленькой деревне у подножия горы. Каждое утро мы слышали шум реки и ели хлеб.",
    ),
    (
        WINDOWS_1250,
        "Spędziliśmy trzy dni w małej wiosce u stóp góry. Każdego ranka słyszeliśmy szum rzeki i jedliśmy świeży chleb.",
    ),
    (
        WINDOWS_1252,
        "Wir blieben drei Tage in dem kleinen Dorf. Jeden Morgen hörten wir den Fluß rauschen, und das Brot war für uns köstlich.",
    ),
];

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, lossy) = encoding.encode(text);
    assert!(!lossy);
    bytes.into_owned()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn an_encoding_is_declared_in_many_ways_or_guessed() {
    for (encoding, text) in TEXTS {
        let name = encoding.name();
        let declarations = [
            format!("<meta charset={name}>"),
            format!("<META http-equiv='Content-Type' content=\"text/html; Charset={name}\">"),
            format!(
                "<!-- <meta charset=utf-8> --><script>\"<meta charset=utf-8>\"</script><meta charset=\"{name}\"/>"
            ),
            format!("<?xml version=\"1.0\" encoding=\"{name}\"?>"),
            String::new(),
        ];
        for declaration in declarations {
            let page = format!("{declaration}<p>{text}</p>");
            assert_eq!(decode(&encoded(encoding, &page), None), page, "{name}");
        }
        let bytes = encoded(encoding, text);
        assert_eq!(decode(&bytes, Some(name)), text);
        let wrong = [b"<meta charset=utf-8>", &bytes[..]].concat();
        assert!(decode(&wrong, Some(name)).ends_with(text));
        // ISO-2022-JP is UTF-8, too.
        let guessed = decode(&wrong, None).ends_with(text);
        assert!(guessed || encoding == ISO_2022_JP, "{name}");
    }
}

#[test]
fn utf16_is_known_by_its_mark_or_its_first_tag() {
    let page = "<p>Käse und 面包</p>";
    for mark in ["", "\u{feff}"] {
        let marked = format!("{mark}{page}");
        assert_eq!(decode(&utf16(&marked, u16::to_le_bytes), None), page);
        assert_eq!(decode(&utf16(&marked, u16::to_be_bytes), None), page);
    }
    let mark = format!("\u{feff}{page}");
    assert_eq!(decode(mark.as_bytes(), Some("gbk")), page);
}

#[test]
fn what_cannot_be_meant_is_not_believed() {
    let page = "<meta charset=utf-16><p>é 一</p>";
    assert_eq!(decode(page.as_bytes(), None), page);
    assert_eq!(decode(page.as_bytes(), Some("no-such")), page);
    assert_eq!(decode(page.as_bytes(), Some("hz-gb-2312")), page);
    let stray = [page.as_bytes(), b"\xff", page.as_bytes()].concat();
    assert_eq!(decode(&stray, None), format!("{page}\u{fffd}{page}"));
    let unlabelled = ["é 一二三四".as_bytes(), b"\xff"].concat();
    assert_eq!(decode(&unlabelled, None), "é 一二三四\u{fffd}");
}

#[test]
fn a_content_type_names_its_encoding() {
    let cases = [
        ("text/html; charset=GBK", Some("GBK")),
        ("text/html;Charset = \"utf-8\"; x=y", Some("utf-8")),
        ("text/html; charset='big5'", Some("big5")),
        ("text/html", None),
        ("text/html; charset", None),
        ("charset=é一", Some("é一")),
    ];
    for (content_type, name) in cases {
        assert_eq!(parameter(content_type), name, "{content_type}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_text_in_any_encoding(bytes in prop::collection::vec(any::<u8>(), 0..300), label in "(gbk|utf-16|big5|utf-8|koi8-r|x)?") {
        let _ = decode(&bytes, Some(&label));
        let _ = decode(&bytes, None);
    }

    #[test]
    fn valid_utf8_stays(text in "[^<]\\PC{0,100}") {
        let unmarked = text.strip_prefix('\u{feff}').unwrap_or(&text);
        prop_assert_eq!(decode(text.as_bytes(), None), unmarked);
    }
}
