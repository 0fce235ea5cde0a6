//! What each source loses, and of which next to nothing is left: a file that is in another, a site that copies one.

use std::collections::BTreeMap;
use std::path::Path;

use lookalike_kernel::rows::SourceLoss;
use lookalike_text::RecordId;

use crate::Error;
use crate::bits::Bits;
use crate::number::Number;
use crate::stages::{Context, Signed};

/// Of a source that loses a larger share nearly all is gone.
const LARGEST_SHARE: f64 = 0.9;

/// So many are named at most.
const NAMED: usize = 100;

/// Of more sources than this, what each loses says little, and counting it would take memory that nobody allowed.
const MOST_SOURCES: usize = 100_000;

/// What sources lose, those that lose most first. A source is a file, or where a file is a record its folder, or what the field
/// of sources says.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Of each, where there are several.
    pub(super) all: Vec<SourceLoss>,
    /// Those that lose nearly all their records.
    pub(super) lost: Vec<SourceLoss>,
}

/// What the sources of the input lose.
pub(super) fn losses(
    context: &Context<'_>,
    signed: &Signed,
    removed: &Bits<RecordId>,
) -> Result<Losses, Error> {
    let mut losses: BTreeMap<String, SourceLoss> = BTreeMap::new();
    let mut named = signed.source_names();
    for mark in signed.blocks.read_all()? {
        if mark.part() != 0 {
            break;
        }
        let place = mark.place();
        let at = |slot: u32| {
            let line = place.line + u64::from(slot);
            context.corpus.place(0, place.part, line)
        };
        let (mut file, line) = at(0);
        for slot in 0..mark.records {
            let record = mark.first.plus(slot);
            let name = match &mut named {
                Some(names) => names.id(record)?,
                None => {
                    if line.is_none() {
                        file = folder(&at(slot).0);
                    }
                    &file
                }
            };
            if name.is_empty() {
                continue;
            }
            if !losses.contains_key(name) {
                if losses.len() == MOST_SOURCES {
                    return Ok(Losses::default());
                }
                losses.insert(name.to_string(), SourceLoss::default());
            }
            if let Some(loss) = losses.get_mut(name) {
                loss.records += 1;
                loss.removed += u64::from(removed.contains(record));
            }
        }
    }
    let is_lost = |loss: &SourceLoss| loss.records > 1 && loss.share() > LARGEST_SHARE;
    let mut all: Vec<SourceLoss> = (losses.into_iter())
        .map(|(source, loss)| SourceLoss {
            source: serde_json::from_str(&source).unwrap_or(source),
            ..loss
        })
        .collect();
    all.sort_by(|a, b| (b.removed, &a.source).cmp(&(a.removed, &b.source)));
    let mut lost: Vec<SourceLoss> = all.iter().filter(|loss| is_lost(loss)).cloned().collect();
    lost.truncate(NAMED);
    if all.len() == 1 {
        all.clear();
    }
    all.truncate(NAMED);
    Ok(Losses { all, lost })
}

/// The folder of a file.
fn folder(file: &str) -> String {
    let folder = Path::new(file).parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).display().to_string()
}
