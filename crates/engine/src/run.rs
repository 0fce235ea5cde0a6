//! A whole run, from a source of records to the rows of a result.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use lookalike_kernel::rows::Summary;
use lookalike_kernel::{Error as KernelError, IdSource, Kernel, Route, Setting, Statistics};
use lookalike_text::Seed;
use lookalike_text::hash::hash128;

use crate::Error;
use crate::audit::{audit, audit_passages};
use crate::budget::{Budget, budget};
use crate::corpus::Corpus;
use crate::fields;
use crate::find_pairs::find_pairs;
use crate::find_passages::find_passages;
use crate::lexicon;
use crate::listed::{self, PairList};
use crate::metrics::peak_memory;
use crate::observe::{Observer, Stage};
use crate::output::{
    PairTables, PassageTables, write_pair_tables, write_passage_tables, write_suggestions,
};
use crate::rank::ranks;
use crate::resume::{Checkpointed, Work};
use crate::sink::Sink;
use crate::source::{CleanCorpus, Source};
use crate::stages::{self, Context, UnitsMut};
use crate::workspace::Workspace;

/// What decides the result: a kernel and records.
#[derive(Debug)]
#[non_exhaustive]
pub struct Request<'r> {
    /// What the job means, with the statistics that are not those of the corpus itself.
    pub kernel: Kernel,
    /// The records.
    pub input: &'r dyn Source,
    /// Other records: then the input is compared with these and not with itself.
    pub against: Option<&'r dyn Source>,
    /// Only the pairs of this list are compared.
    pub pair_list: Option<PairList>,
}

impl<'r> Request<'r> {
    /// The input compared with itself.
    pub fn new(kernel: Kernel, input: &'r dyn Source) -> Self {
        Request {
            kernel,
            input,
            against: None,
            pair_list: None,
        }
    }

    fn sources(&self) -> Vec<&'r dyn Source> {
        [Some(self.input), self.against]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// What does not decide the result.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunOptions {
    /// Worker threads.
    pub threads: usize,
    /// The resident size to stay within, in bytes.
    pub memory: u64,
    /// What is made of records that cannot be used.
    pub tolerance: Tolerance,
    /// Measure recall and precision on so many records.
    pub audit: Option<u64>,
    /// When the work on the request began, and how long what was done since then took, by name.
    pub begun: Instant,
    /// See `begun`.
    pub seconds: Vec<(&'static str, f64)>,
    /// What the user should know of the input.
    pub notes: Vec<String>,
    /// What messages in the result are written as: settings, which they name as errors do, in the words of whoever reads it.
    pub spell: fn(&str) -> String,
}

/// How much goes wrong before a run ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tolerance {
    /// The first record that would be rejected, or whose id had occurred before, ends it.
    Strict,
    /// Fields that are nowhere end it, and rejections once they are the greater part.
    #[default]
    Usual,
    /// No number of rejections ends it.
    Lenient,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            threads: available_parallelism().map_or(1, NonZero::get),
            memory: 2_000_000_000,
            tolerance: Tolerance::Usual,
            audit: None,
            begun: Instant::now(),
            seconds: Vec::new(),
            notes: Vec::new(),
            spell: str::to_string,
        }
    }
}

/// Where a run works and where what it makes goes.
#[non_exhaustive]
pub struct Destination<'r> {
    /// Where it keeps what it needs to go on if it is interrupted.
    pub workspace: Workspace,
    /// Where the rows of the result go.
    pub sink: &'r mut dyn Sink,
    /// Where the corpus without what was removed goes, if it is wanted.
    pub clean: Option<&'r dyn CleanCorpus>,
}

impl<'r> Destination<'r> {
    /// Only the rows.
    pub fn new(workspace: Workspace, sink: &'r mut dyn Sink) -> Self {
        Destination {
            workspace,
            sink,
            clean: None,
        }
    }
}

/// Runs a request and returns its summary, which the sink is given last.
///
/// # Errors
/// If it cannot be started or finished; the sink is then not finished.
pub fn run(
    request: &Request<'_>,
    destination: Destination<'_>,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let Destination {
        workspace,
        sink,
        clean,
    } = destination;
    let mut kernel = request.kernel.clone();
    check_goes_together(request, options, clean)?;
    let sources = request.sources();
    if let Some(is_running_text) = fields::is_running_text(&sources, kernel.spec())? {
        kernel = kernel.with_running_text(is_running_text)?;
    }
    if request.pair_list.is_some() {
        kernel = kernel.by_route(Route::Listed);
    }
    let mut note = None;
    if options.tolerance != Tolerance::Lenient {
        let settled = fields::settle(&sources, kernel.spec(), fields::Lacking::Refused)
            .map_err(Error::or_lenient)?;
        let (input, told) = (settled.spec.input.clone(), settled.note);
        kernel = kernel.reading(input);
        note = told;
    }
    let is_compared_itself = request.against.is_none() || kernel.spec().within;
    if let (Some(answers), true) = (request.input.answers(), is_compared_itself)
        && !kernel.spec().compared_fields().is_empty()
    {
        kernel = kernel.keeping_most(answers.count);
    }
    let corpus = Corpus::new(sources, kernel.spec());
    corpus.check()?;
    let budget = budget(&corpus, &kernel, options)?;
    if let Some(clean) = clean {
        clean.check()?;
    }
    let work = workspace.begin(fingerprint(request)?, observer)?;
    let folder = work.folder.clone();
    let (seconds, peaks) = (Mutex::new(options.seconds.clone()), Mutex::default());
    let context = Context {
        kernel: &kernel,
        corpus: &corpus,
        folder: &folder,
        threads: options.threads.max(1),
        tolerance: options.tolerance,
        budget,
        observer,
        spell: options.spell,
        seconds: &seconds,
        peaks: &peaks,
    };
    let mut run = Run {
        pair_list: request.pair_list.as_ref(),
        audit: options.audit,
        sink,
        clean,
        work,
    };
    observer.stages(&expected_stages(&kernel, options));
    let result = with_lexicons(&context).and_then(|(kernel, budget)| {
        run.stages(&Context {
            kernel: &kernel,
            budget,
            ..context
        })
    });
    // Whatever came of records that changed meanwhile, also if it is an error.
    let result = corpus.check_unchanged().and(result);
    let Run { sink, work, .. } = run;
    match result {
        Ok(mut summary) => {
            summary.lookalike = env!("CARGO_PKG_VERSION").to_string();
            summary.inputs = request.input.names();
            summary.notes.extend(note);
            summary.notes.extend(options.notes.iter().cloned());
            let spelled = summary.notes.iter().map(|note| (options.spell)(note));
            summary.notes = spelled.collect();
            let prints = request.sources().into_iter().map(Source::fingerprint);
            summary.fingerprints = prints.map(|print| format!("{print:016x}")).collect();
            summary.begun = milliseconds_at(options.begun);
            let against = request.against.map(Source::names);
            summary.against = against.unwrap_or_default();
            summary.threads = context.threads;
            summary.memory = options.memory;
            for (stage, time) in seconds.into_inner().unwrap_or_else(PoisonError::into_inner) {
                *summary.seconds.entry(stage.to_string()).or_default() += time;
            }
            let peaks = peaks.into_inner().unwrap_or_else(PoisonError::into_inner);
            summary.stage_memory = peaks
                .into_iter()
                .map(|(stage, peak)| (stage.to_string(), peak))
                .collect();
            summary.total_seconds = options.begun.elapsed().as_secs_f64();
            summary.peak_memory = peak_memory();
            sink.finish(&mut summary).map_err(Error::Sink)?;
            work.finish();
            Ok(summary)
        }
        Err(error) => Err(work.abandon(error)),
    }
}

/// The stages that a run will have, as far as that can be told beforehand.
fn expected_stages(kernel: &Kernel, options: &RunOptions) -> Vec<Stage> {
    let (needs, route) = (kernel.needs(), &kernel.plan().route);
    let locates = kernel.spec().job.locates_passages();
    let mut stages = vec![Stage::Count; needs.lexicons.len()];
    stages.extend([Stage::Sign, Stage::Collapse]);
    if needs.term_weights {
        stages.push(Stage::Weigh);
    }
    if route.needs_prefixes() {
        stages.push(Stage::Select);
    }
    if !matches!(route, Route::Units | Route::Listed) {
        stages.push(Stage::Join);
    }
    if locates {
        stages.push(Stage::Gather);
        stages.extend(kernel.plan().near.map(|_| Stage::Search));
        stages.extend([Stage::Describe, Stage::Align]);
    } else {
        stages.extend([Stage::Describe, Stage::Verify]);
        if kernel.spec().holds_some() {
            stages.push(Stage::Differ);
        }
        stages.push(Stage::Assemble);
    }
    if kernel.spec().top.is_some() {
        stages.push(Stage::Suggest);
    }
    if options.audit.is_some() {
        stages.push(Stage::Audit);
    }
    stages.push(Stage::Write);
    stages
}

/// Refuses what a job cannot do.
fn check_goes_together(
    request: &Request<'_>,
    options: &RunOptions,
    clean: Option<&dyn CleanCorpus>,
) -> Result<(), Error> {
    let spec = request.kernel.spec();
    let job = spec.job;
    let (setting, problem, remedy) = if clean.is_some() && !job.removes_records(spec) {
        (
            Setting::Deduplicated,
            format!(
                "`deduplicated=` writes the corpus without the removed records, but {} removes nothing",
                job.name()
            ),
            "use documents".to_string(),
        )
    } else if spec.keep_per.is_some() && !job.removes_records(spec) {
        (
            Setting::KeepPer,
            format!(
                "`keep-per=` says which records may be removed for each other, but {} removes nothing",
                job.name()
            ),
            "leave it out".to_string(),
        )
    } else if let Some((problem, remedy)) = within_refused(request) {
        (Setting::Within, problem.to_string(), remedy.to_string())
    } else if spec.sentences.history && !request.sources().iter().any(|all| all.has_revisions()) {
        (
            Setting::History,
            "`history=` reads earlier revisions of articles, and the input has none".to_string(),
            "give it a MediaWiki dump with all revisions, or leave it out".to_string(),
        )
    } else if request.pair_list.is_some() && options.audit.is_some() {
        (
            Setting::Audit,
            "`audit=` measures what a search did not find, and `pair-list=` searches nothing"
                .to_string(),
            "leave one of them out".to_string(),
        )
    } else if request.pair_list.is_some() && !job.locates_passages() {
        (
            Setting::PairList,
            "`pair-list=` is for passages".to_string(),
            format!("to score pairs with {} use judge `config=`", job.name()),
        )
    } else if options.audit.is_some() && !request.kernel.plan().verified {
        (
            Setting::Audit,
            "`audit=` compares records exactly, and unverified ones have no similarity".to_string(),
            "leave `unverified=` out".to_string(),
        )
    } else {
        return Ok(());
    };
    Err(KernelError::refused(setting, problem, remedy).into())
}

/// Why the input cannot be compared with itself beside another corpus, and the remedy.
fn within_refused(request: &Request<'_>) -> Option<(&'static str, &'static str)> {
    let spec = request.kernel.spec();
    if !spec.within {
        return None;
    }
    Some(if request.against.is_none() {
        let problem =
            "`within=` compares the input with itself, too, beside the corpus of `against=`";
        (
            problem,
            "leave it out: without another corpus that is what is done",
        )
    } else if spec.input.ids == IdSource::Number {
        let problem = "`within=` needs to tell records of both corpora apart, and with `ids=number` both are numbered from 1";
        (problem, "use `ids=field`")
    } else if spec.top.is_some() {
        let problem =
            "`top=` suggests records of the corpus of `against=`, not of the input as well";
        (problem, "leave `within=` out")
    } else if request.pair_list.is_some() {
        (
            "`within=` is about what is searched, and `pair-list=` searches nothing",
            "leave it out",
        )
    } else {
        return None;
    })
}

/// A run in progress: what it needs from beginning to end beside the [`Context`] of its stages.
struct Run<'r> {
    pair_list: Option<&'r PairList>,
    audit: Option<u64>,
    sink: &'r mut dyn Sink,
    clean: Option<&'r dyn CleanCorpus>,
    work: Work<'r>,
}

/// The kernel with the words of the corpus counted, where it needs them, and what memory they leave.
fn with_lexicons(context: &Context<'_>) -> Result<(Kernel, Budget), Error> {
    let (mut kernel, mut budget) = (context.kernel.clone(), context.budget);
    for text in kernel.needs().lexicons {
        let bytes = context.corpus.bytes();
        let counted = context.timed(Stage::Count, bytes, || lexicon::count(context, text))?;
        kernel = kernel.with(Statistics::of_lexicon(counted))?;
    }
    kernel
        .plan()
        .lexicons()
        .try_for_each(|lexicon| budget.hold(lexicon.memory_bytes(), lexicon.terms()))?;
    Ok((kernel, budget))
}

impl Run<'_> {
    /// From the corpus to the tables of the result.
    fn stages(&mut self, context: &Context<'_>) -> Result<Summary, Error> {
        let (work, bytes) = (&mut self.work, context.corpus.bytes());
        let mut signed = context.timed(Stage::Sign, bytes, || stages::sign(context, work))?;
        let context = &Context {
            budget: signed.budget,
            ..*context
        };
        if work.is_due() {
            work.manifest.signed = Some(signed.save()?);
            work.checkpoint()?;
        }
        let ranks = ranks(context, &signed)?;
        let groups = context.timed(Stage::Collapse, 0, || {
            stages::name_repeated(context, &mut signed)?;
            stages::collapse(context, &signed, &ranks)
        })?;
        let mut all = UnitsMut {
            signed: &mut signed,
            groups: &groups,
            ranks: &ranks,
        };
        if context.spec().job.locates_passages() {
            return self.passages(context, all);
        }
        if !context.kernel.needs().term_weights {
            return self.pairs(context, all);
        }
        let weigh = || stages::weigh(context, all.signed);
        let (kernel, budget) = context.timed(Stage::Weigh, 0, weigh)?;
        let context = Context {
            kernel: &kernel,
            budget,
            ..*context
        };
        if work.manifest.candidates.is_none() {
            context.timed(Stage::Weigh, 0, || stages::key(&context, &mut all))?;
        }
        self.pairs(&context, all)
    }

    /// From signed units to pairs and clusters.
    fn pairs(&mut self, context: &Context<'_>, mut all: UnitsMut<'_>) -> Result<Summary, Error> {
        let mut found = find_pairs(context, &mut all, &mut self.work)?;
        let units = all.units();
        let assemble = || stages::assemble(context, units, &found.verified);
        let assembled = context.timed(Stage::Assemble, 0, assemble)?;
        let audit = self.audit.map(|count| {
            let audit = || audit(context, units, &found.verified.scored, count);
            context.timed(Stage::Audit, context.corpus.bytes(), audit)
        });
        let suggestions = if context.spec().top.is_some() {
            // The memory is theirs alone; what pairs are listed by is read again.
            found.store = None;
            found.texts = None;
            let suggest = || write_suggestions(context, units, self.sink);
            Some(context.timed(Stage::Suggest, context.corpus.bytes(), suggest)?)
        } else {
            None
        };
        let tables = PairTables {
            units,
            suggestions,
            audit: audit.transpose()?,
            assembled: &assembled,
            found,
        };
        context.timed(Stage::Write, 0, || {
            write_pair_tables(context, tables, self.sink, self.clean)
        })
    }

    /// From signed units to documents that share parts.
    fn passages(&mut self, context: &Context<'_>, mut all: UnitsMut<'_>) -> Result<Summary, Error> {
        let read = |list| listed::read(context, all.units(), list);
        let listed = self.pair_list.map(read).transpose()?;
        let (listed, rejected) = listed.map(|listed| (listed.pairs, listed.rejected)).unzip();
        let found = find_passages(context, &mut all, listed, &mut self.work)?;
        let audit = self.audit.map(|count| {
            let audit = || audit_passages(context, all.units(), &found, count);
            context.timed(Stage::Audit, context.corpus.bytes(), audit)
        });
        let audit = audit.transpose()?;
        context.timed(Stage::Write, 0, || {
            all.signed.reject_listed(&rejected.unwrap_or_default())?;
            let tables = PassageTables {
                signed: all.signed,
                found,
                audit,
            };
            write_passage_tables(context, tables, self.sink)
        })
    }
}

/// Another number for another layout of what a checkpoint saves: a run with the old one is not continued.
const LAYOUT: u32 = 2;

/// What a run must have in common with an unfinished one to continue it.
fn fingerprint(request: &Request<'_>) -> Result<String, Error> {
    let kernel = &request.kernel;
    let mut text = toml::to_string(kernel.spec()).map_err(Error::internal)?;
    text.push_str(env!("CARGO_PKG_VERSION"));
    text.push_str(&format!("\nlayout {LAYOUT}"));
    text.push_str(&format!("\n{:032x}", kernel.identity()));
    for source in request.sources() {
        text.push_str(&format!("\n{:016x}", source.fingerprint()));
    }
    if let Some(list) = &request.pair_list {
        text.push_str(&format!("\nlist {:032x}", list.fingerprint()));
    }
    Ok(format!("{:032x}", hash128(text.as_bytes(), Seed(0))))
}

/// What the clock said then, in milliseconds since 1970; none if it is set to a time before.
fn milliseconds_at(then: Instant) -> Option<u64> {
    let clock = SystemTime::now().checked_sub(then.elapsed())?;
    let since = clock.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}
