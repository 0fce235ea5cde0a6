//! What is looked at in the texts of labelled pairs, each distinct one once.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::gold::{LabelledTexts, Text};

/// What of a text is looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// These fields in their order, or all of them in the order of their names.
    Whole(Vec<String>),
    /// One field.
    Field(String),
}

/// What is looked at in the texts of labelled pairs, each distinct one once.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) texts: Vec<Viewed>,
    pub(super) pairs: Vec<[usize; 2]>,
}

/// What is looked at in one text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Viewed {
    pub(super) text: String,
    /// Where the fields that are looked at end; a line break stands between them.
    ends: Vec<usize>,
}

impl View {
    pub(super) fn new(pairs: &[LabelledTexts], look: &Look) -> Self {
        let mut places = BTreeMap::new();
        let mut view = View::default();
        for pair in pairs {
            let place = [&pair.a, &pair.b].map(|side| {
                let viewed = Viewed::new(side, look);
                *places.entry(viewed).or_insert_with_key(|viewed| {
                    view.texts.push(viewed.clone());
                    view.texts.len() - 1
                })
            });
            view.pairs.push(place);
        }
        view
    }
}

impl Viewed {
    fn new(text: &Text, look: &Look) -> Self {
        let whole = |text: &String| Viewed {
            text: text.clone(),
            ends: Vec::new(),
        };
        match (text, look) {
            (Text::Whole(text), Look::Whole(names)) if !names.is_empty() => {
                Viewed::joined(names.iter().map(|_| text.as_str()))
            }
            (Text::Whole(text), _) => whole(text),
            (Text::Fields(fields), Look::Field(name)) => {
                whole(fields.get(name).unwrap_or(&String::new()))
            }
            (Text::Fields(fields), Look::Whole(names)) if names.is_empty() => {
                let texts: Vec<&str> = fields.values().map(String::as_str).collect();
                whole(&texts.join("\n"))
            }
            (Text::Fields(fields), Look::Whole(names)) => {
                let field = |name: &String| fields.get(name).map_or("", String::as_str);
                Viewed::joined(names.iter().map(field))
            }
        }
    }

    /// As a run reads a record of several fields.
    fn joined<'t>(fields: impl Iterator<Item = &'t str>) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for field in fields {
            if !ends.is_empty() {
                text.push('\n');
            }
            text.push_str(field);
            ends.push(text.len());
        }
        Viewed { text, ends }
    }

    /// Where the fields are.
    pub(super) fn fields(&self) -> Vec<Range<usize>> {
        let begins = std::iter::once(0).chain(self.ends.iter().map(|end| end + 1));
        begins
            .zip(&self.ends)
            .map(|(begin, &end)| begin..end)
            .collect()
    }
}
