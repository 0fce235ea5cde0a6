//! Jobs on files. Names of files come in, and what the engine makes of their records goes into a folder, or to the caller.
//!
//! All that is known here is how the parts fit: [`Input`] is the source, [`FolderSink`] the sink, a lexicon is read where
//! the spec names one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::BufReader;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use lookalike_engine::{
    self as engine, CleanCorpus, Destination, Observer, PairList, RecordText, Source, WorkOptions,
    Workspace, records_by_id,
};
use lookalike_io::{
    CleanFile, FolderSink, Input, InputOptions, Replaceable, check_apart, check_replaceable,
    result_files,
};
use lookalike_judge::gold::{Id, Text};
use lookalike_kernel::rows::Summary;
use lookalike_kernel::sign::stats::Vocabulary;
use lookalike_kernel::{Error as KernelError, Kernel, Setting, Spec};

use crate::Error;

pub use lookalike_engine::CountOptions;

/// What decides the result: a spec and an input.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request {
    /// The choices.
    pub spec: Spec,
    /// Files, folders, globs or `-`.
    pub inputs: Vec<String>,
    /// Another corpus: then the input is compared with it and not with itself.
    pub against: Vec<String>,
    /// Only the pairs of this list are compared.
    pub pair_list: Option<PathBuf>,
}

impl Request {
    /// The input compared with itself.
    pub fn new(spec: Spec, inputs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Request {
            spec,
            inputs: inputs.into_iter().map(Into::into).collect(),
            against: Vec::new(),
            pair_list: None,
        }
    }
}

/// What does not decide the result.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunOptions {
    /// The folder of the results.
    pub out: PathBuf,
    /// The folder for temporary files; by default in `out`.
    pub work_dir: Option<PathBuf>,
    /// Worker threads.
    pub threads: usize,
    /// The resident size to stay within, in bytes.
    pub memory: u64,
    /// Discard an unfinished run in `out`.
    pub restart: bool,
    /// End at the first record that would be rejected.
    pub strict: bool,
    /// Measure recall and precision on so many records.
    pub audit: Option<u64>,
    /// Where to write the corpus without what was removed.
    pub deduplicated: Option<PathBuf>,
    /// How much work a crash may cost.
    pub checkpoint_every: Duration,
}

impl RunOptions {
    /// Results in this folder, made with all cores and 2 GB.
    pub fn new(out: impl Into<PathBuf>) -> Self {
        RunOptions {
            out: out.into(),
            work_dir: None,
            threads: available_parallelism().map_or(1, NonZero::get),
            memory: 2_000_000_000,
            restart: false,
            strict: false,
            audit: None,
            deduplicated: None,
            checkpoint_every: Duration::from_secs(30),
        }
    }
}

/// Runs a request and returns its summary, which is also the last file written.
///
/// # Errors
/// If the run cannot be started or finished; nothing half-written is left where results are expected.
pub fn run(
    request: &Request,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let begun = Instant::now();
    let kernel = Kernel::new(&request.spec)?;
    kernel.check_nothing_is_idle()?;
    let kernel = kernel.with_saved_lexicon(|path| fs::read(path))?;
    if let Some(destination) = &options.deduplicated {
        check_destination(destination, &options.out)?;
    }
    let mut work = WorkOptions::new(&options.out);
    work.work_dir.clone_from(&options.work_dir);
    work.restart = options.restart;
    work.checkpoint_every = options.checkpoint_every;
    let workspace = Workspace::claim(&work)?;
    let replaceable = Replaceable::new(&options.out, workspace.journal());
    check_replaceable(&options.out, request.spec.job.outcome(), &replaceable)?;
    let converting = Instant::now();
    let spool = workspace.spool();
    let read = |names: &[String]| {
        let reading = InputOptions::default().with(|reading| {
            reading.skip = options.out.canonicalize().ok();
            reading.threads = options.threads;
        });
        resolve(&request.spec, names, reading, &spool)
    };
    let is_piped = |names: &[String]| names.iter().any(|name| name == "-");
    if is_piped(&request.inputs) && is_piped(&request.against) {
        let problem = "standard input (-) can be read once only";
        let remedy = "write one of the two to a file and name that";
        return Err(KernelError::refused(Setting::Against.given("-"), problem, remedy).into());
    }
    let input = read(&request.inputs)?;
    let against = match request.against.as_slice() {
        [] => None,
        names => Some(read(names)?),
    };
    let mut seconds = Vec::new();
    if input.is_converted() || against.as_ref().is_some_and(Input::is_converted) {
        seconds.push(("convert", converting.elapsed().as_secs_f64()));
    }
    let clean = options.deduplicated.as_deref();
    let also_read = against.iter().flat_map(Input::paths);
    let also_read = also_read.chain(request.pair_list.as_deref());
    let also_read: Vec<&Path> = also_read.collect();
    let all_read: Vec<&Path> = input.paths().chain(also_read.iter().copied()).collect();
    check_apart(&options.out, request.spec.job.outcome(), &all_read)?;
    let also_read: Vec<PathBuf> = also_read.into_iter().map(Path::to_path_buf).collect();
    let clean = clean
        .map(|destination| CleanFile::new(&input, destination, &replaceable).apart_from(also_read));
    let mut asked = engine::Request::new(kernel, &input);
    asked.against = against.as_ref().map(|against| against as &dyn Source);
    asked.pair_list = request.pair_list.as_deref().map(pair_list).transpose()?;
    let mut sink = FolderSink::new(&options.out, workspace.aside(), &replaceable);
    let mut destination = Destination::new(workspace, &mut sink);
    destination.clean = clean.as_ref().map(|clean| clean as &dyn CleanCorpus);
    let mut running = engine::RunOptions::default();
    (running.threads, running.memory) = (options.threads, options.memory);
    (running.strict, running.audit) = (options.strict, options.audit);
    (running.begun, running.seconds) = (begun, seconds);
    Ok(engine::run(&asked, destination, &running, observer)?)
}

/// Reads a saved lexicon with its words.
///
/// # Errors
/// If it cannot be read.
pub fn read_lexicon(path: &Path) -> Result<Vocabulary, Error> {
    let file = File::open(path).map_err(|error| KernelError::unusable_lexicon(path, &error))?;
    let vocabulary = Vocabulary::read(BufReader::new(file));
    Ok(vocabulary.map_err(|error| KernelError::unusable_lexicon(path, &error))?)
}

/// Counts the words of an input, to be saved.
///
/// # Errors
/// If it cannot be read, or counts that do not fit cannot be written.
pub fn count_words(
    request: &Request,
    options: &CountOptions,
    observer: &dyn Observer,
) -> Result<Vocabulary, Error> {
    let reading = InputOptions::default().with(|reading| reading.threads = options.threads);
    let input = resolve(&request.spec, &request.inputs, reading, &options.work_dir)?;
    let counted = engine::count_words(&input, &request.spec, options, observer);
    Ok(counted?)
}

/// Reads the input and returns the texts of these ids, by field where the spec compares fields; of those that are not in
/// it, none. Standard input is copied to a file in `work_dir`.
///
/// # Errors
/// If the input cannot be read.
pub fn texts_of_ids(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
) -> Result<BTreeMap<Id, Text>, Error> {
    look_up(request, wanted, work_dir, |text| match text {
        RecordText::Whole(text) => Text::Whole(text.to_string()),
        RecordText::Fields(fields) => {
            let fields = fields.iter();
            Text::Fields(
                fields
                    .map(|(name, text)| ((*name).to_string(), (*text).to_string()))
                    .collect(),
            )
        }
    })
}

/// The same, but only how many characters (code points) each text has, or all its fields together.
///
/// # Errors
/// If the input cannot be read.
pub fn lengths_of_ids(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
) -> Result<BTreeMap<Id, u64>, Error> {
    let characters = |text: &str| text.chars().count() as u64;
    look_up(request, wanted, work_dir, |text| match text {
        RecordText::Whole(text) => characters(text),
        RecordText::Fields(fields) => fields.iter().map(|(_, text)| characters(text)).sum(),
    })
}

fn look_up<T>(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
    keep: impl Fn(RecordText<'_>) -> T,
) -> Result<BTreeMap<Id, T>, Error> {
    let reading = InputOptions::default();
    let input = resolve(&request.spec, &request.inputs, reading, work_dir)?;
    Ok(records_by_id(&input, &request.spec, wanted, keep)?)
}

/// The files of these names, read as the spec says; what must be converted first is, into the folder `spool`.
fn resolve(
    spec: &Spec,
    names: &[String],
    reading: InputOptions,
    spool: &Path,
) -> Result<Input, Error> {
    let settings = &spec.input;
    let format = settings.format.as_deref().map(|name| {
        let unknown = KernelError::of::<lookalike_io::Error>(Setting::Format.given(name));
        name.parse().map_err(unknown)
    });
    let format = format.transpose()?;
    let options = reading.with(|options| {
        options.format = format;
        options.max_record = settings.max_record;
        options.max_expansion = settings.max_expansion;
        options.code = settings.code;
        options.main_content = settings.main_content;
        options.text_is_lines = spec.job.reads_lines();
        options.namespaces = settings.namespaces.clone();
    });
    Ok(Input::resolve(names, &options, spool)?)
}

fn pair_list(path: &Path) -> Result<PairList, Error> {
    let bytes = fs::read(path).map_err(|source| {
        let problem = format!("cannot read the pair list {}: {source}", path.display());
        let remedy = "name a file that can be read";
        KernelError::refused(Setting::PairList.given(path.display()), problem, remedy)
    })?;
    Ok(PairList::new(path.display().to_string(), bytes))
}

/// Ends with an error if the cleaned corpus would be written where a result file goes.
fn check_destination(destination: &Path, out: &Path) -> Result<(), Error> {
    let at = real(destination);
    let mut results = result_files().map(|name| out.join(name));
    let taken = match at == real(out) {
        true => Some(out.to_path_buf()),
        false => results.find(|file| at.starts_with(real(file))),
    };
    let Some(taken) = taken else {
        return Ok(());
    };
    let (destination, taken) = (destination.display(), taken.display());
    let choice = Setting::Deduplicated.given(&destination);
    let problem = format!("`deduplicated=` {destination} is where the results go, to {taken}");
    Err(KernelError::refused(choice, problem, "choose another name").into())
}

/// A path without links and `..`, whether it is there or not.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (Err(_), Some(folder)) = (path.canonicalize(), path.parent()) else {
        return path.canonicalize().unwrap_or(path);
    };
    let mut found = real(folder);
    match path.file_name() {
        Some(name) => found.push(name),
        None => drop(found.pop()),
    }
    found
}
