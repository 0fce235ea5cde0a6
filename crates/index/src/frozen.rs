//! What is fixed when an index is made: the settings, how common words are, and with these what a text is found by.

use std::io::BufReader;
use std::path::Path;

use lookalike_kernel::jobs::{Outcome, Split};
use lookalike_kernel::sign::keys::{Key, Sieve, Sketch};
use lookalike_kernel::text::hash::{hash128, mix64};
use lookalike_kernel::text::{Seed, SentenceOptions, Unit, UnitId, sentences};
use lookalike_kernel::{
    Error as KernelError, Kernel, Route, SeedSpec, Setting, Signer, Spec, Statistics, TermCounter,
};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::store::{Snapshot, Writing};
use crate::suggest;

/// The format that this version writes.
pub const FORMAT: u32 = 1;

/// Changes if texts get other hashes: what was signed before could not be found any more.
const HASH_VERSION: u32 = 1;

const HEADER: &str = "header";
const VOCABULARY: &str = "vocabulary";

/// What is decided when an index is made.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// How common words are, as `lexicon build` writes it, where the settings need to know.
    pub vocabulary: Option<Vec<u8>>,
    /// Texts of fewer characters are not taken up, and match nothing.
    pub least_characters: usize,
}

impl CreateOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// What stands in the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Header {
    format: u32,
    hash_version: u32,
    /// As a configuration file.
    spec: String,
    /// Of the vocabulary.
    statistics: String,
    /// Of the seed, where it is a secret.
    seed: Option<String>,
    least_characters: usize,
}

/// What is fixed when an index is made.
#[derive(Debug)]
pub(crate) struct Frozen {
    pub(crate) kernel: Kernel,
    header: Header,
    vocabulary: Option<Vec<u8>>,
    found_by: FoundBy,
    pages: Option<SentenceOptions>,
    /// What of the candidates is worth a comparison, where a sketch of each text decides it.
    pub(crate) sieve: Option<Sieve>,
}

/// What texts that may be similar have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundBy {
    /// A key of the method.
    Keys,
    /// Any feature: every pair is found.
    Features,
}

impl Frozen {
    /// Resolves the settings of a new index.
    pub(crate) fn new(spec: &Spec, options: &CreateOptions) -> Result<Self, Error> {
        let spec = settled(spec)?;
        let header = Header {
            format: FORMAT,
            hash_version: HASH_VERSION,
            spec: toml::to_string(&spec).map_err(|error| Error::Internal(error.to_string()))?,
            statistics: hex(options.vocabulary.as_deref().unwrap_or_default()),
            seed: seed_mark(spec.seed),
            least_characters: options.least_characters,
        };
        Frozen::of(&spec, header, options.vocabulary.clone())
    }

    /// Reads them from a file. A secret seed has to be told again.
    pub(crate) fn read(snapshot: &Snapshot, seed: Option<SeedSpec>) -> Result<Self, Error> {
        let folder = snapshot.folder();
        let bytes = snapshot.value(HEADER)?;
        let bytes = bytes.ok_or_else(|| Error::damaged(folder, "its header is missing"))?;
        let number: FormatNumber = parse(folder, &bytes)?;
        if number.format > FORMAT {
            return Err(Error::Version {
                path: folder.to_path_buf(),
                found: number.format,
                known: FORMAT,
            });
        }
        let header: Header = parse(folder, &bytes)?;
        if header.hash_version != HASH_VERSION {
            let problem = format!("its texts have hashes of version {}", header.hash_version);
            return Err(Error::damaged(folder, problem));
        }
        let spec: Result<Spec, _> = toml::from_str(&header.spec);
        let mut spec = spec.map_err(|error| Error::damaged(folder, error.to_string()))?;
        spec.text = spec.text.as_stored();
        if header.seed.is_some() {
            spec.seed = secret_seed(folder, seed, &header)?;
        }
        let vocabulary = snapshot.value(VOCABULARY)?;
        if header.statistics != hex(vocabulary.as_deref().unwrap_or_default()) {
            return Err(Error::damaged(
                folder,
                "its vocabulary is not the one it was created with",
            ));
        }
        Frozen::of(&spec, header, vocabulary)
    }

    fn of(spec: &Spec, header: Header, vocabulary: Option<Vec<u8>>) -> Result<Self, Error> {
        let mut kernel = Kernel::new(spec)?;
        let needs = kernel.needs();
        match &vocabulary {
            Some(saved) if needs.term_weights || !needs.lexicons.is_empty() => {
                let known = Statistics::of_collection(BufReader::new(saved.as_slice()), &kernel)?;
                kernel = kernel.with(known)?;
            }
            Some(_) => {
                return Err(KernelError::refused(
                    Setting::Lexicon,
                    "word counts are not needed: these settings do not depend on how common words are",
                    "leave them out",
                )
                .into());
            }
            None => {}
        }
        let needs = kernel.needs();
        if needs.term_weights || !needs.lexicons.is_empty() {
            return Err(KernelError::refused(
                Setting::Lexicon,
                "with these settings, texts are compared by how common their words are, and an index must know that before the first text is added",
                "name a file written by `lexicon build` with `lexicon=`, or files with similar texts with `sample=`",
            )
            .into());
        }
        let found_by = match kernel.plan().route {
            Route::Buckets => FoundBy::Keys,
            Route::Prefix | Route::Terms { .. } => FoundBy::Features,
            Route::PrefixOr(_) | Route::Units | Route::Listed => {
                return Err(KernelError::refused(
                    Setting::Keys.given(&spec.keys.method),
                    "an index finds texts by their keys, but these settings compare every text with all others",
                    "use `keys=minhash`",
                )
                .into());
            }
        };
        let pages = match spec.job.split(spec) {
            Split::Pages(options) => Some(options),
            _ => None,
        };
        // A sketch is of what a text was described as once.
        let plan = kernel.plan();
        let is_one = found_by == FoundBy::Keys && pages.is_none() && plan.probes.len() == 1;
        Ok(Frozen {
            sieve: plan.sieve.filter(|_| is_one),
            kernel,
            header,
            vocabulary,
            found_by,
            pages,
        })
    }

    pub(crate) fn write(&self, writing: &mut Writing<'_>) -> Result<(), Error> {
        let header = serde_json::to_vec(&self.header);
        let header = header.map_err(|error| Error::Internal(error.to_string()))?;
        writing.set(HEADER, &header)?;
        match &self.vocabulary {
            Some(vocabulary) => writing.set(VOCABULARY, vocabulary),
            None => Ok(()),
        }
    }

    /// The settings, as a configuration file.
    pub(crate) fn settings(&self) -> &str {
        &self.header.spec
    }

    pub(crate) fn vocabulary(&self) -> Option<&[u8]> {
        self.vocabulary.as_deref()
    }

    /// Stands for all that decides what is found: two indexes with the same can be merged.
    pub(crate) fn fingerprint(&self) -> u128 {
        let header = serde_json::to_vec(&self.header).unwrap_or_default();
        hash128(&header, Seed(0))
    }

    /// Whether a text is long enough to be taken up.
    pub(crate) fn is_long_enough(&self, text: &str) -> bool {
        let least = self.header.least_characters;
        least == 0 || text.chars().take(least).count() == least
    }

    pub(crate) fn least_characters(&self) -> usize {
        self.header.least_characters
    }

    /// Whether passages are located.
    pub(crate) fn locates_passages(&self) -> bool {
        self.kernel.spec().job.outcome() == Outcome::Passages
    }

    /// What signs texts: one a thread.
    pub(crate) fn keyer(&self) -> Result<Keyer, Error> {
        Ok(Keyer {
            signer: self.kernel.signer()?,
            found_by: self.found_by,
            pages: self.pages,
            sketches: self.sieve.is_some(),
            terms: match self.kernel.spec().job.suggests() {
                true => Some(self.kernel.term_counter()?),
                false => None,
            },
        })
    }
}

/// The first of a header, which every format has.
#[derive(Deserialize)]
struct FormatNumber {
    format: u32,
}

fn parse<'b, T: Deserialize<'b>>(folder: &Path, bytes: &'b [u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|error| Error::damaged(folder, error.to_string()))
}

fn hex(bytes: &[u8]) -> String {
    format!("{:032x}", hash128(bytes, Seed(0)))
}

fn seed_mark(seed: SeedSpec) -> Option<String> {
    match seed {
        SeedSpec::Secret(secret) => Some(hex(&secret.to_le_bytes())),
        _ => None,
    }
}

fn secret_seed(folder: &Path, seed: Option<SeedSpec>, header: &Header) -> Result<SeedSpec, Error> {
    let wrong = |problem| Error::Seed {
        path: folder.to_path_buf(),
        problem,
    };
    let seed = seed.ok_or_else(|| wrong("none was given"))?;
    match seed_mark(seed) == header.seed {
        true => Ok(seed),
        false => Err(wrong("another one was given")),
    }
}

/// The settings with all that they leave open decided: an index cannot decide anew with every text.
fn settled(given: &Spec) -> Result<Spec, Error> {
    let mut spec = given.clone();
    let job = spec.job.name();
    if !matches!(job, "documents" | "messages" | "threads" | "passages") {
        return Err(Error::Unsuited {
            problem: format!("there is no index for {job}"),
            remedy: "use documents, messages, threads or passages".to_string(),
        });
    }
    // Frequencies are in the index itself.
    spec.features.lexicon = None;
    let plan = spec.plan()?;
    if let Route::PrefixOr(_) = plan.route {
        spec.keys.method = "minhash".to_string();
        if spec.plan().is_err() {
            spec.keys.method = "prefix".to_string();
        }
    }
    if spec.keys.method == "auto" {
        // With weights that is what it means.
        spec.keys.method = "prefix".to_string();
    }
    let seed = spec.seed;
    let mut spec = spec.resolved()?;
    spec.seed = seed;
    Ok(spec)
}

/// From a text to what it is found by.
pub(crate) struct Keyer {
    pub(crate) signer: Signer,
    found_by: FoundBy,
    pages: Option<SentenceOptions>,
    /// Whether candidates are sifted by sketches.
    sketches: bool,
    /// Counts what texts are suggested by.
    terms: Option<TermCounter>,
}

impl Keyer {
    /// Replaces `out` by the keys under which a unit is stored: also those by which it is suggested. Returns its sketch,
    /// where candidates are sifted by such.
    pub(crate) fn stored_keys(&mut self, unit: &Unit<'_>, out: &mut Vec<Key>) -> Option<Sketch> {
        let sketch = self.keys(unit, out);
        if let Some(counter) = &mut self.terms {
            let mut terms = Vec::new();
            suggest::term_keys(counter, unit, &mut terms);
            out.append(&mut terms);
            out.sort_unstable();
            out.dedup();
        }
        sketch
    }

    /// Replaces `out` by the keys of a unit, each once; none where there is nothing to compare. Returns its sketch, where
    /// candidates are sifted by such.
    pub(crate) fn keys(&mut self, unit: &Unit<'_>, out: &mut Vec<Key>) -> Option<Sketch> {
        out.clear();
        let mut sketch = Sketch::default();
        match self.pages {
            None => sketch = self.append(unit, out),
            Some(options) => {
                let mut found = Vec::new();
                sentences(unit.text, &options, |sentence| found.push(sentence.range));
                for range in found {
                    let text = unit.text.get(range).unwrap_or_default();
                    self.append(&Unit::whole(UnitId::from(0), text), out);
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        self.sketches.then_some(sketch)
    }

    fn append(&mut self, unit: &Unit<'_>, out: &mut Vec<Key>) -> Sketch {
        let mut sketch = Sketch::default();
        for probe in 0..self.signer.probes() {
            if self.signer.describe(probe, unit).is_empty() {
                continue;
            }
            match self.found_by {
                FoundBy::Keys => {
                    let (keys, sketched) = self.signer.keys(probe);
                    out.extend_from_slice(keys);
                    sketch = sketched.sketch;
                }
                FoundBy::Features => {
                    let key = |feature: &u64| mix64(feature.wrapping_add(probe as u64));
                    out.extend(self.signer.set().iter().map(key));
                }
            }
        }
        sketch
    }

    /// Replaces `out` by the keys of a unit, and `kept` by what the measure keeps of it.
    pub(crate) fn keys_and_kept(
        &mut self,
        unit: &Unit<'_>,
        out: &mut Vec<Key>,
        kept: &mut Vec<u64>,
    ) -> Result<Option<Sketch>, Error> {
        let sketch = self.keys(unit, out);
        kept.clear();
        let is_described = self.found_by == FoundBy::Keys && self.pages.is_none();
        if !is_described || !self.signer.keeps_what_is_described() {
            self.signer.keep(unit, kept)?;
        } else if !self.signer.features().is_empty() {
            self.signer.keep_weighed(unit, kept)?;
        }
        Ok(sketch)
    }
}
