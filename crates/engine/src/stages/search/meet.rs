//! From the keys of documents to the pairs of documents that share enough of them near each other.

use lookalike_pair::RecordPair;
use lookalike_pair::join::{KeyIndex, Meetings, NearRule, PlacedKey};
use lookalike_pair::spill::Shuffle;
use lookalike_pair::workers::{Pulled, in_order};

use super::keys::{Part, SharedKeys};
use crate::Error;
use crate::stages::Context;
use crate::stages::sequence::Sequence;

/// So many keys of documents are looked up in one piece of work, or those of one document.
const CHUNK: usize = 1 << 15;

/// Adds the pairs, by an index of as many documents at a time as there is room for.
pub(super) fn meet(
    context: &Context<'_>,
    keys: SharedKeys,
    rule: NearRule,
    pairs: &Shuffle<RecordPair>,
) -> Result<(), Error> {
    for part in keys.parts {
        look_up(context, part, rule, pairs)?;
    }
    Ok(())
}

/// Looks up every document that is compared with those of a part.
fn look_up(
    context: &Context<'_>,
    part: Part,
    rule: NearRule,
    pairs: &Shuffle<RecordPair>,
) -> Result<(), Error> {
    let index = KeyIndex::new(part.range, part.holders.read_all()?);
    drop(part.holders);
    let mut placed = Sequence::of(&part.placed);
    let mut next = placed.next()?;
    in_order(
        context.threads,
        || Ok((Vec::new(), Meetings::default())),
        |(chunk, _): &mut (Vec<PlacedKey>, Meetings)| {
            chunk.clear();
            while let Some(key) = next.map(|shared| shared.0) {
                let is_other = chunk
                    .last()
                    .is_some_and(|last| last.document != key.document);
                if chunk.len() >= CHUNK && is_other {
                    break;
                }
                chunk.push(key);
                next = placed.next()?;
            }
            Ok::<_, Error>(match chunk.is_empty() {
                true => Pulled::Nothing,
                false => Pulled::Item,
            })
        },
        |(chunk, meetings)| {
            context.go_on()?;
            let mut found = Vec::new();
            for keys in chunk.chunk_by(|a, b| a.document == b.document) {
                let document = keys[0].document;
                meetings.find((&index, rule), keys, |other| {
                    found.extend(RecordPair::new(document.into(), other.into()));
                });
            }
            Ok(found)
        },
        |found| Ok(pairs.extend(found)?),
    )?;
    part.placed.clear();
    Ok(())
}
