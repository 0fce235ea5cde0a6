//! From bytes of a text to characters.

/// Bytes between two counts.
const STEP: usize = 64;

/// How many characters come before a byte of a text.
pub struct Characters {
    text: String,
    /// How many begin before every so many bytes; none where each is a byte.
    before: Vec<u32>,
}

impl Characters {
    /// Of this text.
    pub fn new(text: String) -> Self {
        let mut before = Vec::new();
        if !text.is_ascii() {
            let mut sum = 0;
            for piece in text.as_bytes().chunks(STEP) {
                before.push(sum);
                sum += begin(piece);
            }
            before.push(sum);
        }
        Characters { text, before }
    }

    /// How many begin before a byte, which is one of the text or its end.
    pub fn at(&self, byte: u32) -> u32 {
        let byte = byte as usize;
        match self.before.get(byte / STEP) {
            None => byte as u32,
            Some(before) => before + begin(&self.text.as_bytes()[byte - byte % STEP..byte]),
        }
    }
}

/// How many characters begin in these bytes of a text.
fn begin(bytes: &[u8]) -> u32 {
    // All other bytes of a character are 10xxxxxx.
    let begins = |&&byte: &&u8| byte & 0xC0 != 0x80;
    bytes.iter().filter(begins).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_at_any_byte() {
        let texts = ["", "plain", "é", &"汉字 and more 𝄞 ".repeat(40)];
        for text in texts {
            let characters = Characters::new(text.to_string());
            for (count, (byte, _)) in text.char_indices().enumerate() {
                assert_eq!(characters.at(byte as u32), count as u32);
            }
            let end = characters.at(text.len() as u32);
            assert_eq!(end as usize, text.chars().count());
        }
    }
}
