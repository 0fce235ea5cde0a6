//! The index on disk.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use lookalike::index::{
    AddOptions, CheckOptions, CreateOptions, Index as Inner, OpenOptions, Reader, Text,
};
use lookalike::kernel::rows::Id;
use lookalike::program::{self, Failure};
use lookalike::{Request, Spec};
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::errors::{calling, exception};
use crate::records::Records;

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
        let done = calling(py, || {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.as_mut().map(work).transpose()
        })?;
        done.ok_or_else(|| {
            let problem = format!(
                "the index {} is closed; open it again",
                self.folder.display()
            );
            exception(py, "OptionError", &problem)
        })
    }
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
    #[pyo3(signature = (folder, arguments, vocabulary=None))]
    fn create(
        py: Python<'_>,
        folder: PathBuf,
        arguments: Vec<OsString>,
        vocabulary: Option<Vec<u8>>,
    ) -> PyResult<Self> {
        let inner = calling(py, || {
            let (request, _) = program::job(&arguments)?;
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
        self.using(py, |index| {
            let now = now();
            let options = AddOptions::new(now).with(|options| {
                options.label = label;
                options.expires = expires.map(|seconds| now.saturating_add(seconds));
            });
            let work = tempfile::tempdir()?;
            let mut spec = index.view().spec().clone();
            let added = match &records {
                None => {
                    let request = Request::new(spec, paths);
                    lookalike::add_files(index, &request, &options, work.path(), &mut |_| {})?
                }
                Some(records) => {
                    let source = records.source(&spec, work.path())?;
                    if may_number && crate::run::lacks_ids(&*source, &spec)? {
                        spec.input.ids = lookalike::kernel::IdSource::Number;
                    }
                    lookalike::add_source(index, &*source, &spec, &options, &mut |_| {})?
                }
            };
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
