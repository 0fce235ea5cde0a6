//! Where records start.

use super::*;

#[test]
fn records_start_with_a_line_of_their_own() {
    for start in ["WARC/1.0\r\n", "WARC/0.18\nx", "WARC/1.1 \r\n"] {
        assert!(starts_record(start.as_bytes()), "{start}");
    }
    for no_start in [
        "",
        "WARC",
        "WARC/",
        "WARC/1.0",
        "WARC/x.y\r\n",
        "WARC/1.0x\r\n",
        "WARC/10000000000000000.0\n",
    ] {
        assert!(!starts_record(no_start.as_bytes()), "{no_start}");
    }
    let bytes = b"WARC/1.0\r\n x WARC/1.0\r\nWARC/2 \r\nWARC/1.1\r\n";
    assert_eq!(find_start(bytes, 0), Some(0));
    assert_eq!(find_start(bytes, 1), Some(bytes.len() - 10));
    assert_eq!(find_start(bytes, 1000), None);
}
