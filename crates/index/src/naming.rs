//! Names for texts whose id only says where they were read: `stdin:1` of today is not `stdin:1` of yesterday.
//!
//! The first text that was read there has the place for its name. Another one gets the place and a hash of what it says, so
//! that the same text gets the same name whenever it comes, and finding a free one takes two lookups however many texts came
//! from that place.

use lookalike_kernel::rows::Id;
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash64;

use crate::document::Text;

/// The names that a text may have, of which the first that no other text has is to be taken.
pub(crate) fn names(place: &Id, text: &Text) -> impl Iterator<Item = Id> + use<> {
    let (Id::Text(plain) | Id::Number(plain)) = place;
    let hash = hash64(text.as_str().as_bytes(), Seed(0)) >> 32;
    let hashed = format!("{plain}#{hash:08x}");
    let numbered = (2u64..).map({
        let hashed = hashed.clone();
        move |number| Id::Text(format!("{hashed}#{number}"))
    });
    [place.clone(), Id::Text(hashed)]
        .into_iter()
        .chain(numbered)
}
