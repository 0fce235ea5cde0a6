//! What survives a crash: all that was acknowledged, and nothing of what was not.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lookalike_index::{AddOptions, CheckOptions, CreateOptions, Document, Error, Id, Index, Text};
use redb::StorageBackend;

use crate::support::*;

/// A disk that forgets: what was not synced is there, or not, or half there, as a seed says. After so many writes it fails.
#[derive(Debug, Clone)]
struct Disk(Arc<Mutex<Content>>);

#[derive(Debug, Default)]
struct Content {
    synced: Vec<u8>,
    now: Vec<u8>,
    /// The writes since the last sync.
    unsynced: Vec<(u64, Vec<u8>)>,
    writes_left: Option<usize>,
}

impl Content {
    fn pass(&mut self) -> std::io::Result<()> {
        match &mut self.writes_left {
            Some(0) => Err(std::io::Error::other("the power went off")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Disk {
    fn new() -> Self {
        Disk(Arc::default())
    }

    /// The power goes off after so many writes.
    fn fail_after(&self, writes: usize) {
        self.0.lock().unwrap().writes_left = Some(writes);
    }

    /// What is on the disk when the power is back: of each write that was not synced all, nothing or a part.
    fn after_crash(&self, numbers: &mut Numbers) -> Disk {
        let content = self.0.lock().unwrap();
        let mut bytes = content.synced.clone();
        for (offset, data) in &content.unsynced {
            let kept = match numbers.below(3) {
                0 => 0,
                1 => numbers.below(data.len() + 1),
                _ => data.len(),
            };
            let (begin, end) = (*offset as usize, *offset as usize + kept);
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[begin..end].copy_from_slice(&data[..kept]);
        }
        // The length of a file is not lost with what was written into it.
        if bytes.len() < content.now.len() && numbers.below(2) == 0 {
            bytes.resize(content.now.len(), 0);
        }
        Disk(Arc::new(Mutex::new(Content {
            synced: bytes.clone(),
            now: bytes,
            ..Content::default()
        })))
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> Result<u64, std::io::Error> {
        Ok(self.0.lock().unwrap().now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), std::io::Error> {
        let content = self.0.lock().unwrap();
        let begin = offset as usize;
        let bytes = content.now.get(begin..begin + out.len());
        let bytes = bytes.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(bytes);
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<(), std::io::Error> {
        let mut content = self.0.lock().unwrap();
        content.pass()?;
        content.now.resize(len as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> Result<(), std::io::Error> {
        let mut content = self.0.lock().unwrap();
        content.pass()?;
        content.synced = content.now.clone();
        content.unsynced.clear();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), std::io::Error> {
        let mut content = self.0.lock().unwrap();
        content.pass()?;
        let (begin, end) = (offset as usize, offset as usize + data.len());
        if content.now.len() < end {
            content.now.resize(end, 0);
        }
        content.now[begin..end].copy_from_slice(data);
        content.unsynced.push((offset, data.to_vec()));
        Ok(())
    }
}

/// What the index must hold: the text of each id.
type Model = BTreeMap<u64, String>;

/// Does something at random, and with what the index holds then.
fn step(
    index: &mut Index,
    model: &Model,
    texts: &[String],
    numbers: &mut Numbers,
) -> (Model, Result<(), Error>) {
    let mut after = model.clone();
    let done = match numbers.below(10) {
        0..6 => {
            let mut documents = Vec::new();
            for _ in 0..=numbers.below(20) {
                let (id, text) = (numbers.below(60) as u64, &texts[numbers.below(texts.len())]);
                after.insert(id, text.clone());
                documents.push(Document::new(Id::from(id), Text::whole(text.clone())));
            }
            let documents = documents.into_iter().map(Ok::<_, Error>);
            let added = index.add(documents, &AddOptions::new(1), &mut |_| {});
            added.map(|_| ())
        }
        6 | 7 => {
            let ids: Vec<u64> = (0..5).map(|_| numbers.below(60) as u64).collect();
            for id in &ids {
                after.remove(id);
            }
            let ids: Vec<Id> = ids.into_iter().map(Id::from).collect();
            index.remove(&ids).map(|_| ())
        }
        8 => index.compact(None).map(|_| ()),
        _ => {
            let mut other =
                Index::create_in(Disk::new(), &minhash(), &CreateOptions::default()).unwrap();
            let id = numbers.below(60) as u64;
            let text = &texts[numbers.below(texts.len())];
            after.insert(id, text.clone());
            let document = Document::new(Id::from(id), Text::whole(text.clone()));
            add(&mut other, vec![document], &AddOptions::new(1));
            index.merge(other.view()).map(|_| ())
        }
    };
    (after, done)
}

/// What an index holds, which is found by looking each text up.
fn held(index: &Index) -> Model {
    let view = index.view();
    let mut checker = view.checker().unwrap();
    let mut held = Model::new();
    view.for_each(|document, _| {
        let found = checker.check(view, &document.text, &CheckOptions::all())?;
        let itself = found.matches.iter().find(|found| found.id == document.id);
        assert_eq!(
            itself.unwrap().similarity,
            Some(1.0),
            "what is stored is found"
        );
        let id = document.id.to_string().parse().unwrap();
        let before = held.insert(id, document.text.as_str().to_string());
        assert!(before.is_none(), "an id is there once");
        Ok(())
    })
    .unwrap();
    held
}

#[test]
fn after_hundreds_of_crashes_all_that_was_acknowledged_is_there_and_nothing_else() {
    let texts = corpus(20, 2, 12);
    let mut numbers = Numbers(20_261_117);
    let mut disk = Disk::new();
    let mut index = Index::create_in(disk.clone(), &minhash(), &CreateOptions::default()).unwrap();
    let mut model = Model::new();
    let mut crashes = 0;
    for _ in 0..400 {
        disk.fail_after(numbers.below(300));
        let mut before = model.clone();
        let after = loop {
            let (after, done) = step(&mut index, &before, &texts, &mut numbers);
            if done.is_err() {
                break after;
            }
            before = after;
        };
        crashes += 1;
        drop(index);
        disk = disk.after_crash(&mut numbers);
        index = Index::open_in(disk.clone()).unwrap();
        model = held(&index);
        // What was under way may have been committed just before it failed; it is there as a whole or not at all.
        assert!(model == before || model == after, "crash {crashes}");
    }
}
