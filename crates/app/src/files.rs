//! Jobs on files. Names of files come in, and what the engine makes of their records goes into a folder, or to the caller.
//!
//! All that is known here is how the parts fit: [`Input`] is the source, [`FolderSink`] the sink, a lexicon is read where
//! the spec names one.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use lookalike_engine::{
    self as engine, CleanCorpus, Destination, Failure, Observer, PairList, Source, WorkOptions,
    Workspace,
};
use lookalike_io::{
    AnnotatedFile, CleanFile, FolderSink, Input, InputOptions, RecordTexts, Replaceable,
    TableFormat, check_apart, check_replaceable, is_cleaned, is_standard_output, result_files,
};
use lookalike_kernel::jobs::Outcome;
use lookalike_kernel::rows::Summary;
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash128;
use lookalike_kernel::{Error as KernelError, Kernel, Setting, Spec, Statistics};

use crate::Error;
use crate::annotate::annotate;
use crate::finished::Finished;
use crate::indexed_files::{index_as_input, is_index};
use crate::report::{self, ReportOptions};

pub use lookalike_engine::Tolerance;

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
    /// How common words are, as `lexicon build` writes it, where no file of the spec says it.
    pub vocabulary: Option<Vec<u8>>,
}

impl Request {
    /// The input compared with itself.
    pub fn new(spec: Spec, inputs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Request {
            spec,
            inputs: inputs.into_iter().map(Into::into).collect(),
            against: Vec::new(),
            pair_list: None,
            vocabulary: None,
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
    /// What is made of records that cannot be used.
    pub tolerance: Tolerance,
    /// Replace files that no earlier run wrote.
    pub force: bool,
    /// Files that the settings were read from: they are never written to.
    pub also_read: Vec<PathBuf>,
    /// Measure recall and precision on so many records.
    pub audit: Option<u64>,
    /// Where to write the corpus without what was removed.
    pub deduplicated: Option<PathBuf>,
    /// Where to write the whole input, each record with its cluster.
    pub annotate: Option<PathBuf>,
    /// What the tables of the result are written as.
    pub format: TableFormat,
    /// Whether pairs, clusters and removed records are written with their texts.
    pub with_text: bool,
    /// How much work a crash may cost.
    pub checkpoint_every: Duration,
    /// What is in the page that shows the result, if there is to be one.
    pub report: Option<ReportOptions>,
    /// What messages in the result are written as; see [`engine::RunOptions`].
    pub spell: fn(&str) -> String,
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
            tolerance: Tolerance::Usual,
            force: false,
            also_read: Vec::new(),
            audit: None,
            deduplicated: None,
            annotate: None,
            format: TableFormat::JsonLines,
            with_text: false,
            checkpoint_every: Duration::from_secs(30),
            spell: str::to_string,
            report: Some(ReportOptions::default()),
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
    let mut begun = Begun::new(&request.spec, options)?;
    if let Some(vocabulary) = &request.vocabulary {
        begun.kernel = with_vocabulary(begun.kernel, vocabulary)?;
    }
    let converting = Instant::now();
    let spool = begun.workspace.spool();
    let read = |names: &[String]| {
        let reading = InputOptions::default().with(|reading| {
            reading.skip = written_folders(options);
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
        [name] if is_index(Path::new(name)) => {
            Some(index_as_input(Path::new(name), &request.spec, &spool)?)
        }
        names => Some(read(names)?),
    };
    if input.is_converted() || against.as_ref().is_some_and(Input::is_converted) {
        let seconds = converting.elapsed().as_secs_f64();
        begun.seconds.push(("convert", seconds));
    }
    let clean = options.deduplicated.as_deref();
    let also_read = against.iter().flat_map(Input::paths);
    let also_read = also_read.chain(request.pair_list.as_deref());
    let also_read = also_read.chain(request.spec.features.lexicon.as_deref());
    let also_read = also_read.chain(options.also_read.iter().map(PathBuf::as_path));
    let also_read: Vec<&Path> = also_read.collect();
    let all_read: Vec<&Path> = input.paths().chain(also_read.iter().copied()).collect();
    let named: Vec<&str> = (request.inputs.iter().chain(&request.against))
        .map(String::as_str)
        .collect();
    check_apart(&options.out, begun.tables, &named, &all_read)?;
    begun.notes.extend(read_twice(&input, against.as_ref()));
    let also_read: Vec<PathBuf> = also_read.into_iter().map(Path::to_path_buf).collect();
    let replaceable = Arc::clone(&begun.replaceable);
    let clean = clean.map(|destination| {
        CleanFile::new(&input, destination, &replaceable).apart_from(also_read.clone())
    });
    let annotated = options.annotate.as_deref();
    if annotated.is_some() && !request.spec.job.removes_records(&request.spec) {
        let problem = format!(
            "`annotate=` says which records are removed, but {} removes none",
            request.spec.job.name()
        );
        return Err(KernelError::refused(Setting::Annotate, problem, "leave it out").into());
    }
    let annotated =
        annotated.map(|path| AnnotatedFile::new(&input, &also_read, path, &replaceable));
    let annotated = annotated.transpose()?;
    let sources = Sources {
        input: &input,
        against: against.as_ref().map(|against| against as &dyn Source),
        pair_list: request.pair_list.as_deref(),
        clean: clean.as_ref().map(|clean| clean as &dyn CleanCorpus),
    };
    let summary = begun.run(&request.spec, &sources, options, observer)?;
    if let Some(annotated) = &annotated {
        let most = request.spec.limit.unwrap_or(u64::MAX);
        annotate(&input, (&options.out, most), annotated)?;
    }
    Ok(summary)
}

/// The folders that a run writes to, as far as they are its own: what earlier runs wrote there is not read.
fn written_folders(options: &RunOptions) -> Vec<PathBuf> {
    let cleaned = options.deduplicated.as_deref();
    let folders = cleaned.filter(|folder| is_cleaned(folder)).into_iter();
    let folders = folders.chain([options.out.as_path()]);
    folders
        .filter_map(|folder| folder.canonicalize().ok())
        .collect()
}

/// A file that is both input and corpus: all its records would match themselves.
fn read_twice(input: &Input, against: Option<&Input>) -> Option<String> {
    let of_corpus: BTreeSet<PathBuf> = (against.into_iter().flat_map(Input::paths))
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let is_twice = |path: &&Path| {
        let path = path.canonicalize();
        path.is_ok_and(|path| of_corpus.contains(&path))
    };
    let mut twice = input.paths().filter(is_twice);
    let first = twice.next()?.display().to_string();
    Some(match twice.count() {
        0 => format!(
            "{first} is both in the input and in the corpus it is compared with, so each of its records matches itself"
        ),
        others => format!(
            "{first} and {others} more files are both in the input and in the corpus it is compared with, so each of their \
             records matches itself"
        ),
    })
}

/// The kernel with how common words are, as the words of a lexicon say it.
fn with_vocabulary(kernel: Kernel, vocabulary: &[u8]) -> Result<Kernel, Error> {
    let known = Statistics::read(vocabulary, &kernel)?;
    let identity = hash128(vocabulary, Seed(0));
    Ok(kernel.with(Statistics { identity, ..known })?)
}

/// Records that need not be files, and where those of them go that stay.
#[derive(Clone, Copy)]
pub struct Sources<'r> {
    /// The records.
    pub input: &'r dyn Source,
    /// Other records: then the input is compared with these and not with itself.
    pub against: Option<&'r dyn Source>,
    /// Only the pairs of this list are compared.
    pub pair_list: Option<&'r Path>,
    /// Where the corpus without what was removed goes, if it is wanted.
    pub clean: Option<&'r dyn CleanCorpus>,
}

/// The same as [`run`] of records that need not be files. What the options say of cleaned and annotated files is not looked at.
///
/// # Errors
/// As [`run`].
pub fn run_sources(
    spec: &Spec,
    sources: &Sources<'_>,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    Begun::new(spec, options)?.run(spec, sources, options, observer)
}

/// A run whose settings are right and whose folder is its own.
struct Begun {
    begun: Instant,
    kernel: Kernel,
    workspace: Workspace,
    replaceable: Arc<Replaceable>,
    tables: (Outcome, TableFormat),
    /// How long what was done before the run took, by name.
    seconds: Vec<(&'static str, f64)>,
    /// What the user should know of the input.
    notes: Vec<String>,
}

impl Begun {
    fn new(spec: &Spec, options: &RunOptions) -> Result<Self, Error> {
        let begun = Instant::now();
        let kernel = Kernel::new(spec)?;
        kernel.check_nothing_is_idle()?;
        let kernel = kernel.with_saved_lexicon(|path| fs::read(path))?;
        check_destinations(options)?;
        let mut work = WorkOptions::new(&options.out);
        work.work_dir.clone_from(&options.work_dir);
        work.restart = options.restart;
        work.checkpoint_every = options.checkpoint_every;
        let workspace = Workspace::claim(&work)?;
        let mut replaceable = Replaceable::new(&options.out, workspace.journal());
        if options.force {
            replaceable = replaceable.with_anything();
        }
        let tables = (spec.job.outcome(), options.format);
        check_replaceable(&options.out, tables, &replaceable)?;
        Ok(Begun {
            begun,
            kernel,
            workspace,
            replaceable: Arc::new(replaceable),
            tables,
            seconds: Vec::new(),
            notes: Vec::new(),
        })
    }

    fn run(
        self,
        spec: &Spec,
        sources: &Sources<'_>,
        options: &RunOptions,
        observer: &dyn Observer,
    ) -> Result<Summary, Error> {
        let mut asked = engine::Request::new(self.kernel, sources.input);
        asked.against = sources.against;
        asked.pair_list = sources.pair_list.map(pair_list).transpose()?;
        let texts = RecordTexts {
            input: sources.input,
            against: sources.against,
            spec,
        };
        let page = |folder: &Path, summary: &Summary| page_of_run(folder, summary, &texts, options);
        let mut sink = FolderSink::new(&options.out, self.workspace.aside(), &self.replaceable)
            .with_format(options.format)
            .with_texts(options.with_text.then_some(texts))
            .with_page(&page);
        let mut destination = Destination::new(self.workspace, &mut sink);
        destination.clean = sources.clean;
        let mut running = engine::RunOptions::default();
        (running.threads, running.memory) = (options.threads, options.memory);
        (running.tolerance, running.audit) = (options.tolerance, options.audit);
        (running.begun, running.seconds) = (self.begun, self.seconds);
        (running.notes, running.spell) = (self.notes, options.spell);
        Ok(engine::run(&asked, destination, &running, observer)?)
    }
}

/// The page of a result that lies in a folder and is complete but for the page.
fn page_of_run(
    folder: &Path,
    summary: &Summary,
    texts: &RecordTexts<'_>,
    options: &RunOptions,
) -> Result<Option<String>, Failure> {
    let Some(report) = &options.report else {
        return Ok(None);
    };
    let sources = report::Sources {
        result: &Finished::lying_in(folder, summary),
        with: None,
        texts,
    };
    Ok(Some(sources.make(report)?.html))
}

/// The files of these names as a source of records, read as the spec says; what must be converted first is, into a folder.
///
/// # Errors
/// If they cannot be read.
pub fn open_files(spec: &Spec, names: &[String], spool: &Path) -> Result<Input, Error> {
    resolve(spec, names, InputOptions::default(), spool)
}

/// The files of these names, read as the spec says; what must be converted first is, into the folder `spool`.
pub(crate) fn resolve(
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
        options.main_content = settings
            .main_content
            .unwrap_or(spec.job.reads_main_content());
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

/// Ends with an error if what goes beside the results would be written where a result file goes, or both to one place.
fn check_destinations(options: &RunOptions) -> Result<(), Error> {
    let clean = (options.deduplicated.as_deref()).map(|path| (Setting::Deduplicated, path));
    let annotated = (options.annotate.as_deref()).map(|path| (Setting::Annotate, path));
    for (setting, path) in clean.iter().chain(&annotated) {
        check_destination(*setting, path, &options.out)?;
    }
    let (Some((_, clean)), Some((setting, annotated))) = (clean, annotated) else {
        return Ok(());
    };
    let is_device =
        |path| fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let is_taken = match is_standard_output(clean) {
        true => is_standard_output(annotated),
        false => {
            !is_device(clean)
                && (real(annotated).starts_with(real(clean))
                    || real(clean).starts_with(real(annotated)))
        }
    };
    if !is_taken {
        return Ok(());
    }
    let annotated = annotated.display();
    let problem = format!("`annotate=` {annotated} is where the cleaned corpus goes");
    Err(KernelError::refused(setting.given(&annotated), problem, "choose another name").into())
}

/// Ends with an error if a file would be written where a result file goes.
fn check_destination(setting: Setting, destination: &Path, out: &Path) -> Result<(), Error> {
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
    let name = setting.name();
    let problem = format!("`{name}=` {destination} is where the results go, to {taken}");
    Err(KernelError::refused(setting.given(&destination), problem, "choose another name").into())
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
