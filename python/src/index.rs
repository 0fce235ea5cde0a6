//! The index on disk.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use lookalike::engine::{CountOptions, Source};
use lookalike::index::{
    AddOptions, CheckOptions, CreateOptions, Index as Inner, OpenOptions, Reader, Text,
};
use lookalike::kernel::rows::Id;
use lookalike::program::{self, Failure};
use lookalike::{Observer, RunOptions, Spec};
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::errors::{calling, exception};
use crate::observe::watched;
use crate::records::{Records, Stoppable};

/// An index that is open to be written.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct Index {
    inner: Mutex<Option<Inner>>,
    folder: PathBuf,
}

/// Now, in seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

impl Index {
    /// Does something with the index while nobody else does.
    fn using<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.opened(py, calling(py, || self.locked(work)))
    }

    /// The same of what takes long, so that signals are heard meanwhile.
    fn watching<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner, &dyn Observer) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = watched(py, None, |observer| {
            self.locked(|index| work(index, observer))
        });
        self.opened(py, done)
    }

    /// None where the index is closed.
    fn locked<T>(
        &self,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.as_mut().map(work).transpose()
    }

    fn opened<T>(&self, py: Python<'_>, done: PyResult<Option<T>>) -> PyResult<T> {
        done?.ok_or_else(|| {
            let problem = format!(
                "the index {} is closed; open it again",
                self.folder.display()
            );
            exception(py, "OptionError", &problem)
        })
    }
}

/// Texts like those that an index is for: records, or names of files.
type Sample = (Option<Records>, Vec<String>);

/// How common words are in a sample, as it is stored in an index.
fn words_of(
    (records, paths): &Sample,
    spec: &Spec,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Vec<u8>, Failure> {
    let spec = Spec {
        text: spec.resolved()?.text,
        ..spec.clone()
    };
    let work = tempfile::tempdir()?;
    let source = source_of(records.as_ref(), paths, &spec, work.path())?;
    let source = Stoppable {
        source: &*source,
        observer,
    };
    let counting = CountOptions::new(options.threads, options.memory, work.path());
    let counted = lookalike::engine::count_words(&source, &spec, &counting, observer)?;
    let mut bytes = Vec::new();
    counted.write(&mut bytes)?;
    Ok(bytes)
}

fn source_of(
    records: Option<&Records>,
    paths: &[String],
    spec: &Spec,
    work: &Path,
) -> Result<Box<dyn Source>, Failure> {
    Ok(match records {
        None => Box::new(lookalike::open_files(spec, paths, work)?),
        Some(records) => records.source(spec, work)?,
    })
}

/// Whether none of the fields is there.
fn is_without(fields: &Map<String, Value>, names: &[String]) -> bool {
    !names.iter().any(|name| fields.contains_key(name))
}

/// A text as a record of the index has it.
fn text_of(spec: &Spec, json: &str) -> Result<Text, Failure> {
    let value: Value = serde_json::from_str(json)?;
    let field = |fields: &Map<String, Value>, name: &str| match fields.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let compared = spec.compared_fields();
    Ok(match value {
        Value::Object(fields) if !compared.is_empty() => {
            let texts: Vec<String> = compared.iter().map(|name| field(&fields, name)).collect();
            Text::of_fields(&texts)
        }
        Value::Object(fields) if is_without(&fields, &spec.input.text_field) => {
            let names = spec.input.text_field.join("\", \"");
            anyhow::bail!("the dict has no field \"{names}\", which the index looks at")
        }
        Value::Object(fields) => {
            let names = spec.input.text_field.iter();
            let texts: Vec<String> = names.map(|name| field(&fields, name)).collect();
            Text::whole(texts.join("\n"))
        }
        Value::String(text) if !compared.is_empty() => {
            let mut texts = vec![String::new(); compared.len()];
            texts[0] = text;
            Text::of_fields(&texts)
        }
        Value::String(text) => Text::whole(text),
        _ => anyhow::bail!("a text is a string, or a dict of fields"),
    })
}

#[pymethods]
impl Index {
    #[staticmethod]
    #[pyo3(signature = (folder, arguments, vocabulary=None, sample=None))]
    fn create(
        py: Python<'_>,
        folder: PathBuf,
        arguments: Vec<OsString>,
        vocabulary: Option<Vec<u8>>,
        sample: Option<Sample>,
    ) -> PyResult<Self> {
        let inner = watched(py, None, |observer| {
            let (request, options) = program::job(&arguments)?;
            let vocabulary = match &sample {
                None => vocabulary,
                Some(sample) => Some(words_of(sample, &request.spec, &options, observer)?),
            };
            let options = CreateOptions::default().with(|options| options.vocabulary = vocabulary);
            Ok(Inner::create(&folder, &request.spec, &options)?)
        })?;
        Ok(Index {
            inner: Mutex::new(Some(inner)),
            folder,
        })
    }

    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let inner = calling(py, || Ok(Inner::open(&folder, &OpenOptions::default())?))?;
        Ok(Index {
            inner: Mutex::new(Some(inner)),
            folder,
        })
    }

    /// Frees the index for others.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        calling(py, || {
            drop(
                self.inner
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .take(),
            );
            Ok(())
        })
    }

    #[pyo3(signature = (records, paths, label=None, expires=None, may_number=false))]
    fn add(
        &self,
        py: Python<'_>,
        records: Option<Records>,
        paths: Vec<String>,
        label: Option<String>,
        expires: Option<u64>,
        may_number: bool,
    ) -> PyResult<String> {
        self.watching(py, |index, observer| {
            let now = now();
            let options = AddOptions::new(now).with(|options| {
                options.label = label;
                options.expires = expires.map(|seconds| now.saturating_add(seconds));
            });
            let work = tempfile::tempdir()?;
            let mut spec = index.view().spec().clone();
            let source = source_of(records.as_ref(), &paths, &spec, work.path())?;
            if may_number && crate::run::lacks_ids(&*source, &spec)? {
                spec.input.ids = lookalike::kernel::IdSource::Number;
            }
            let source = Stoppable {
                source: &*source,
                observer,
            };
            let added = lookalike::add_source(index, &source, &spec, &options, &mut |_| {})?;
            Ok(serde_json::to_string(&added)?)
        })
    }

    #[pyo3(signature = (text, top, label=None, explain=false))]
    fn check(
        &self,
        py: Python<'_>,
        text: &str,
        top: usize,
        label: Option<&str>,
        explain: bool,
    ) -> PyResult<String> {
        self.using(py, |index| {
            let view = index.view();
            let text = text_of(view.spec(), text)?;
            let mut options = CheckOptions::default().with(|options| {
                (options.top, options.explain, options.now) = (top, explain, Some(now()));
            });
            if let Some(label) = label {
                options = options.with_label(view, label);
            }
            let checked = view.checker()?.check(view, &text, &options)?;
            Ok(serde_json::to_string(&checked)?)
        })
    }

    /// Removes the records of these ids, as JSON.
    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<u64> {
        self.using(py, |index| {
            let ids: Vec<Id> = ids.iter().filter_map(|json| Id::from_json(json)).collect();
            Ok(index.remove(&ids)?)
        })
    }

    fn remove_label(&self, py: Python<'_>, label: &str) -> PyResult<u64> {
        self.using(py, |index| Ok(index.remove_label(label)?))
    }

    fn merge(&self, py: Python<'_>, other: PathBuf) -> PyResult<String> {
        self.using(py, |index| {
            let other = Reader::open(&other, &OpenOptions::default())?;
            Ok(serde_json::to_string(&index.merge(&*other.view()?)?)?)
        })
    }

    fn compact(&self, py: Python<'_>) -> PyResult<String> {
        self.using(py, |index| {
            Ok(serde_json::to_string(&index.compact(Some(now()))?)?)
        })
    }

    fn stats(&self, py: Python<'_>) -> PyResult<String> {
        self.using(py, |index| {
            Ok(serde_json::to_string(&index.view().stats(Some(now()))?)?)
        })
    }

    fn settings(&self, py: Python<'_>) -> PyResult<String> {
        self.using(py, |index| Ok(index.view().settings().to_string()))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.using(py, |index| Ok(usize::try_from(index.view().len())?))
    }

    fn contains(&self, py: Python<'_>, id: &str) -> PyResult<bool> {
        self.using(py, |index| {
            let Some(id) = Id::from_json(id) else {
                return Ok(false);
            };
            Ok(index.view().get(&id)?.is_some())
        })
    }
}
