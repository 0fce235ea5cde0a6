//! The page itself: data go into a page that was made beforehand.

use serde::Serialize;

use crate::Error;

/// Made from the files in `web` by `web/build.mjs`.
const PAGE: &str = include_str!("page.html");

/// Where data go: within a script element that is no script.
const PLACE: &str = "\"@DATA@\"";

/// The page with these data.
pub(super) fn with_data(data: &impl Serialize) -> Result<String, Error> {
    let json = serde_json::to_string(data)
        .map_err(|error| lookalike_engine::Error::Internal(error.to_string()))?;
    let (before, after) = PAGE.split_once(PLACE).unwrap_or((PAGE, ""));
    Ok([before, &harmless(&json), after].concat())
}

/// The same JSON without anything that could end the element it stands in: in JSON these characters stand in strings only.
fn harmless(json: &str) -> String {
    let mut harmless = String::with_capacity(json.len() + json.len() / 16);
    for part in json.split_inclusive(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        let mut rest = part.chars();
        match rest.next_back() {
            Some(last @ ('<' | '>' | '&' | '\u{2028}' | '\u{2029}')) => {
                harmless.push_str(rest.as_str());
                harmless.push_str(&format!("\\u{:04x}", u32::from(last)));
            }
            _ => harmless.push_str(part),
        }
    }
    harmless
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_element_they_stand_in() {
        let data = [
            "</script><script>alert(1)</script>",
            "<!-- &amp; 页\u{2028}",
            "ok",
        ];
        let json = serde_json::to_string(&data).unwrap();
        let safe = harmless(&json);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&safe).unwrap(), data);
    }

    #[test]
    fn the_page_has_one_place_for_data() {
        assert_eq!(PAGE.matches(PLACE).count(), 1);
    }
}
