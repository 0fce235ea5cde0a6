//! Records in memory.

use std::sync::Arc;

use lookalike_kernel::record::{Need, Record, Rejection, Value, Wanted};
use lookalike_text::Seed;
use lookalike_text::hash::hash64;

use super::{Block, BlockContent, BlockPlace, Each, Failure, ReadBlocks, Source, Want};

/// How many records a block has.
const BLOCK: usize = 256;

/// Records whose fields are strings.
///
/// ```
/// use lookalike_engine::MemorySource;
/// let source = MemorySource::new("notes", [vec![("id", "a"), ("text", "The same note.")]]);
/// ```
#[derive(Debug, Clone)]
pub struct MemorySource {
    name: String,
    records: Arc<Vec<Vec<(String, String)>>>,
    bytes: u64,
    fingerprint: u64,
}

impl MemorySource {
    /// These records under a name, each as its fields.
    pub fn new<N: Into<String>, T: Into<String>>(
        name: &str,
        records: impl IntoIterator<Item = Vec<(N, T)>>,
    ) -> Self {
        let owned = |(name, text): (N, T)| (name.into(), text.into());
        let records = records.into_iter();
        let records: Vec<Vec<(String, String)>> = records
            .map(|fields| fields.into_iter().map(owned).collect())
            .collect();
        let (mut bytes, mut fingerprint) = (0, 0);
        for (name, text) in records.iter().flatten() {
            bytes += (name.len() + text.len()) as u64;
            fingerprint = hash64(name.as_bytes(), Seed(fingerprint));
            fingerprint = hash64(text.as_bytes(), Seed(fingerprint));
        }
        MemorySource {
            name: name.to_string(),
            records: Arc::new(records),
            bytes,
            fingerprint,
        }
    }
}

impl Source for MemorySource {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        Box::new(Pass {
            source: self,
            wanted: Arc::new(wanted.clone()),
            next: 0,
        })
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn part_name(&self, _: u32) -> &str {
        &self.name
    }
}

struct Pass<'s> {
    source: &'s MemorySource,
    wanted: Arc<Wanted>,
    next: usize,
}

impl ReadBlocks for Pass<'_> {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Failure> {
        let records = &self.source.records;
        let first = self.next.min(records.len());
        self.next = (first + BLOCK).min(records.len());
        block.place = BlockPlace {
            part: 0,
            offset: first as u64,
            line: first as u64 + 1,
        };
        block.rejections.clear();
        *block.content_mut() = Content {
            of: Some(self.source.clone()),
            wanted: Arc::clone(&self.wanted),
            range: first..self.next,
        };
        Ok(first < self.next)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Failure> {
        self.next = place.offset as usize;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        let (passed, all) = (self.next as u64, self.source.records.len().max(1) as u64);
        self.source.bytes * passed / all
    }
}

#[derive(Default)]
struct Content {
    of: Option<MemorySource>,
    wanted: Arc<Wanted>,
    range: std::ops::Range<usize>,
}

impl BlockContent for Content {
    fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Failure> {
        let Some(source) = &self.of else {
            return Ok(0);
        };
        for (slot, place) in (0..).zip(self.range.clone()) {
            if !want(slot) {
                continue;
            }
            let (fields, line) = (&source.records[place], place as u64 + 1);
            let value = |name: &str| {
                let field = fields.iter().find(|(field, _)| field == name);
                field.map_or(Value::Missing, |(_, text)| Value::Text(text))
            };
            let wanted = self.wanted.fields.iter();
            let missing = wanted
                .clone()
                .find(|field| field.need == Need::Text && value(&field.name) == Value::Missing);
            let values: Vec<Value<'_>> = wanted.map(|field| value(&field.name)).collect();
            each(
                slot,
                match missing {
                    None => Ok(Record {
                        line,
                        values: &values,
                        name: None,
                    }),
                    Some(field) => Err(Rejection {
                        source: source.name.clone(),
                        line: Some(line),
                        reason: format!("field \"{}\" is missing", field.name),
                    }),
                },
            );
        }
        Ok(self.range.len() as u32)
    }

    fn bytes_held(&self) -> usize {
        let source = self.of.as_ref().map_or(&[][..], |source| &source.records);
        let records = source[self.range.clone()].iter().flatten();
        records.map(|(name, text)| name.len() + text.len()).sum()
    }
}
