//! A text ready to be aligned with others.

use lookalike_pair::assemble::alignment::Page;

use crate::characters::Characters;

/// A text ready to be aligned.
pub struct PreparedPage {
    /// Its words and sentences.
    pub page: Page,
    /// Where its characters are.
    pub characters: Characters,
    /// About how many characters are no boilerplate.
    pub own_characters: u32,
}

impl PreparedPage {
    /// Of a page and its text.
    pub fn new(page: Page, text: String) -> Self {
        let bytes = text.len() as u32;
        let characters = Characters::new(text);
        PreparedPage {
            own_characters: (page.own_share() * f64::from(characters.at(bytes))) as u32,
            page,
            characters,
        }
    }
}
