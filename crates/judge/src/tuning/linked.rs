//! Which labelled pairs have texts in common, directly or through others?

use std::collections::BTreeMap;

use lookalike_text::Seed;
use lookalike_text::hash::hash64;

use crate::gold::{LabelledTexts, Text};

/// The distinct texts of labelled pairs.
pub(super) struct LinkedTexts<'p> {
    /// In the order of their contents.
    pub(super) texts: Vec<&'p Text>,
    /// The places of the two texts of each pair.
    pub(super) pairs: Vec<[usize; 2]>,
}

impl<'p> LinkedTexts<'p> {
    pub(super) fn new(pairs: &'p [LabelledTexts]) -> Self {
        let both = pairs.iter().flat_map(|pair| [&pair.a, &pair.b]);
        let mut places: BTreeMap<&Text, usize> = both.map(|text| (text, 0)).collect();
        for (number, place) in places.values_mut().enumerate() {
            *place = number;
        }
        let pair = |pair: &LabelledTexts| [places[&pair.a], places[&pair.b]];
        LinkedTexts {
            pairs: pairs.iter().map(pair).collect(),
            texts: places.keys().copied().collect(),
        }
    }

    /// For each pair a number that those have in common that are linked. It depends on what the texts say alone.
    pub(super) fn group_of_each(&self) -> Vec<u64> {
        let groups = self.groups(|_| true);
        let number = |&[a, _]: &[usize; 2]| hash_of(self.texts[groups[a]]);
        self.pairs.iter().map(number).collect()
    }

    /// For each text the first of those that it is linked with by the chosen pairs.
    pub(super) fn groups(&self, is_chosen: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut first: Vec<usize> = (0..self.texts.len()).collect();
        for (_, &[a, b]) in self
            .pairs
            .iter()
            .enumerate()
            .filter(|(pair, _)| is_chosen(*pair))
        {
            let (a, b) = (root(&mut first, a), root(&mut first, b));
            first[a.max(b)] = a.min(b);
        }
        (0..first.len())
            .map(|text| root(&mut first, text))
            .collect()
    }
}

/// The first of a group, to which all on the way there are then linked directly.
fn root(first: &mut [usize], text: usize) -> usize {
    let mut root = text;
    while first[root] != root {
        root = first[root];
    }
    let mut place = text;
    while first[place] != root {
        place = std::mem::replace(&mut first[place], root);
    }
    root
}

fn hash_of(text: &Text) -> u64 {
    match text {
        Text::Whole(text) => hash64(text.as_bytes(), Seed(0)),
        Text::Fields(fields) => fields.iter().fold(0, |hash, (name, text)| {
            hash64(text.as_bytes(), Seed(hash64(name.as_bytes(), Seed(hash))))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: &str, b: &str, same: bool) -> LabelledTexts {
        let [a, b] = [a, b].map(|text| Text::Whole(text.to_string()));
        LabelledTexts { a, b, same }
    }

    #[test]
    fn pairs_are_linked_through_others_and_in_any_order() {
        let mut pairs = vec![
            pair("茶", "咖啡", true),
            pair("水", "油", false),
            pair("奶", "茶", false),
            pair("奶", "糖", true),
        ];
        let groups = LinkedTexts::new(&pairs).group_of_each();
        assert_eq!([groups[0], groups[0]], [groups[2], groups[3]]);
        assert_ne!(groups[0], groups[1]);
        pairs.reverse();
        let mut reversed = LinkedTexts::new(&pairs).group_of_each();
        reversed.reverse();
        assert_eq!(reversed, groups);
    }

    #[test]
    fn only_chosen_pairs_link() {
        let pairs = [
            pair("a", "b", true),
            pair("b", "c", false),
            pair("d", "c", true),
        ];
        let linked = LinkedTexts::new(&pairs);
        assert_eq!(linked.groups(|pair| pairs[pair].same), [0, 0, 2, 2]);
        assert_eq!(linked.groups(|_| false), [0, 1, 2, 3]);
    }
}
