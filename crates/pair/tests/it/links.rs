//! Records that differ in their links.

use lookalike_pair::assemble::{Difference, RecordComparer};
use lookalike_text::TextOptions;

fn kind(a: &str, b: &str) -> Difference {
    let mut comparer = RecordComparer::new(TextOptions::default());
    let kind = comparer.kind(&[a], &[b]);
    assert_eq!(comparer.kind(&[b], &[a]), kind, "{a} | {b}");
    kind
}

/// Codes of short links, the same ones every time.
struct Codes(u64);

impl Codes {
    fn next(&mut self, length: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
        let mut letter = || {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(LETTERS[(self.0 >> 33) as usize % LETTERS.len()])
        };
        (0..length).map(|_| letter()).collect()
    }
}

#[test]
fn another_link_is_wording_whatever_its_letters() {
    let mut codes = Codes(7);
    for round in 0..200 {
        let [x, y] = [0, 1].map(|more| codes.next(4 + (round + more) % 4));
        for (a, b) in [
            // A code has a digit, or a capital within it.
            (format!("nd/mgp/{x}7aQ"), format!("np/mgD/{y}xQ")),
            (format!("t.cn/{x}"), format!("t.cn/{y}")),
            (
                format!("https://s.example/{x}?n={round}"),
                format!("https://s.example/{y}"),
            ),
        ] {
            let of = |link: &str| format!("尊敬的会员，本店全场清仓，详情点击 {link} 退订回复");
            assert_eq!(kind(&of(&a), &of(&b)), Difference::Wording, "{a} {b}");
        }
    }
}

#[test]
fn what_only_looks_like_a_link_stays_what_it_is() {
    for (a, b, expected) in [
        (
            "Meet me on 3/4/2013 at the gate",
            "Meet me on 5/4/2013 at the gate",
            Difference::OtherNumber,
        ),
        (
            "Your code is 4415, see t.cn/Rux3Kp",
            "Your code is 9082, see t.cn/Abc9Xq",
            Difference::OtherNumber,
        ),
        (
            "It scored 2.5/10 in the test",
            "It scored 7.5/10 in the test",
            Difference::OtherNumber,
        ),
        (
            "spare parts for the A320/A321/B747",
            "spare parts for the A330/A321/B747",
            Difference::Edition,
        ),
    ] {
        assert_eq!(kind(a, b), expected, "{a} | {b}");
    }
}
