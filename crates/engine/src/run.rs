//! A whole run, from names of files to a folder of results.

mod passages;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use lookalike_io::{CleanWriter, Input, InputOptions};
use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_sign::weights::WeightRules;
use lookalike_text::Seed;
use lookalike_text::hash::hash128;

use crate::Error;
use crate::audit::audit;
use crate::bits::Bits;
use crate::budget::{Budget, budget};
use crate::corpus::Corpus;
use crate::find::find_pairs;
use crate::lexicon;
use crate::metrics::peak_memory;
use crate::observe::{Observer, Stage};
use crate::output::{
    self, ById, Details, HotBuckets, Lines, Listing, Numbers, Quotes, ResultFiles,
    SentencesSummary, Summary,
};
use crate::plan::{Plan, Route};
use crate::rank::{Ranks, ranks};
use crate::resume::{Work, WorkOptions, is_unfinished, spill_folder, write_whole};
use crate::spec::{Job, Pairs, Spec};
use crate::stages::{self, Context, Groups, Signed, Store, Units};
use passages::passages_and_output;

/// What decides the result: a spec and an input.
#[derive(Debug, Clone)]
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

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            out: PathBuf::from("lookalike-out"),
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
pub fn run(
    request: &Request,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let begin = Instant::now();
    check_nothing_is_idle(&request.spec)?;
    let (spec, mut plan) = plan_with_lexicon(&request.spec)?;
    check_goes_together(request, options)?;
    if request.pair_list.is_some() {
        // Nothing is looked up, so no keys are made.
        plan.route = Route::Units;
    }
    if options.audit.is_some() && !plan.verified {
        return Err(Error::Spec(
            "--audit compares records exactly, and imatch alone has no similarity; add --measure cosine"
                .to_string(),
        ));
    }
    if !is_unfinished(&options.out) {
        output::check_replaceable(&options.out)?;
    }
    let work_options = WorkOptions {
        out: &options.out,
        work_dir: options.work_dir.as_deref(),
        restart: options.restart,
        every: options.checkpoint_every,
    };
    let mut seconds = Vec::new();
    let (mut work, (corpus, budget)) = Work::open(&work_options, || {
        let begin = Instant::now();
        let parts = resolve(
            request,
            &options.out,
            &spill_folder(&work_options),
            options.threads,
        )?;
        if parts.iter().any(Input::is_converted) {
            seconds.push(("convert", begin.elapsed().as_secs_f64()));
        }
        let fingerprint = fingerprint(request, &parts)?;
        let corpus = Corpus::new(parts, &request.spec);
        corpus.check()?;
        let budget = budget(&corpus, &request.spec, &plan, options)?;
        if let Some(destination) = &options.deduplicated {
            output::check_destination(destination, &options.out)?;
            // Made and dropped: what is wrong with the destination is known before the work, not after it.
            CleanWriter::new(&corpus.parts()[0], destination)?;
        }
        Ok((fingerprint, (corpus, budget)))
    })?;
    let folder = work.folder.clone();
    let context = Context {
        spec: &spec,
        plan: &plan,
        corpus: &corpus,
        folder: &folder,
        threads: options.threads.max(1),
        strict: options.strict,
        budget,
        observer,
    };
    let result = with_lexicon(&context, &mut seconds).and_then(|(plan, budget)| {
        let context = Context {
            plan: &plan,
            budget,
            ..context
        };
        stages_and_output(&context, request, options, &mut work, &mut seconds)
    });
    match result {
        Ok(mut summary) => {
            for (stage, time) in seconds {
                *summary.seconds.entry(stage.to_string()).or_default() += time;
            }
            summary.total_seconds = begin.elapsed().as_secs_f64();
            summary.peak_memory = peak_memory();
            publish(&summary, &options.out, &work)?;
            work.finish();
            Ok(summary)
        }
        Err(error) => {
            work.abandon(&error);
            Err(error)
        }
    }
}

/// Refuses what a job cannot do.
fn check_goes_together(request: &Request, options: &RunOptions) -> Result<(), Error> {
    let job = request.spec.job;
    let removes = matches!(job, Job::Documents | Job::Threads | Job::Messages);
    let problem = if options.deduplicated.is_some() && !removes {
        format!(
            "--deduplicated writes the corpus without what was removed, and {} removes nothing; use documents",
            job.name()
        )
    } else if request.pair_list.is_some() && options.audit.is_some() {
        "--audit measures what a search did not find, and --pair-list searches nothing; leave one of them out".to_string()
    } else if request.pair_list.is_some() && job != Job::Passages {
        format!(
            "--pair-list is for passages; to score pairs with {} use judge --config",
            job.name()
        )
    } else {
        return Ok(());
    };
    Err(Error::Spec(problem))
}

/// The plan with the words of the corpus counted, where it needs them, and what memory they leave.
fn with_lexicon(
    context: &Context<'_>,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<(Plan, Budget), Error> {
    let (mut plan, mut budget) = (context.plan.clone(), context.budget);
    for text in plan.lexicons_missing() {
        let counted = context.timed(Stage::Count, context.corpus.bytes(), seconds, || {
            lexicon::count(context, text)
        });
        plan.add_lexicon(counted?);
    }
    plan.lexicons()
        .try_for_each(|lexicon| budget.hold(lexicon.memory_bytes(), lexicon.terms()))?;
    Ok((plan, budget))
}

/// Refuses weights and a lexicon that nothing looks at.
fn check_nothing_is_idle(spec: &Spec) -> Result<(), Error> {
    if spec.weights != WeightRules::default() && !spec.plan()?.weighs {
        return Err(Error::Spec(
            "the weights of words are not needed: nothing is weighed; leave them out, or use --features weighted-terms and \
             --measure weighted-jaccard"
                .to_string(),
        ));
    }
    let Some(path) = &spec.features.lexicon else {
        return Ok(());
    };
    let plan = spec.plan()?;
    if plan.weighs || !plan.lexicons_needed().is_empty() {
        return Ok(());
    }
    let features = plan.features.as_ref().map(ToString::to_string);
    Err(Error::Spec(format!(
        "the lexicon {} is not needed: {} do not look at how common words are; leave it out",
        path.display(),
        features.as_deref().unwrap_or("the parts of the model")
    )))
}

/// The plan of a spec, with the lexicon that it names. A range of idf that the lexicon was built for is the one used,
/// unless the spec has another.
pub(crate) fn plan_with_lexicon(spec: &Spec) -> Result<(Spec, Plan), Error> {
    let mut spec = spec.clone();
    let Some(path) = &spec.features.lexicon else {
        let plan = spec.plan()?;
        return Ok((spec, plan));
    };
    let path = path.clone();
    let mut plan = spec.plan()?;
    if plan.weighs {
        let counts = lexicon::read_counts(&path, &plan.background)?;
        plan.set_collection(&Arc::new(counts));
        return Ok((spec, plan));
    }
    let lexicon = lexicon::read(&path, Seed(spec.seed))?;
    spec.imatch.idf = spec.imatch.idf.or(lexicon.idf_range());
    let mut plan = spec.plan()?;
    plan.add_lexicon(Arc::new(lexicon));
    // A lexicon that does not fit is known before the work, not after it.
    if plan.lexicons_missing().is_empty() || plan.model.is_none() {
        plan.check_describers()?;
    }
    Ok((spec, plan))
}

fn stages_and_output(
    context: &Context<'_>,
    request: &Request,
    options: &RunOptions,
    work: &mut Work,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<Summary, Error> {
    let mut signed = context.timed(Stage::Sign, context.corpus.bytes(), seconds, || {
        stages::sign(context, work)
    })?;
    if work.is_due() {
        work.manifest.signed = Some(signed.save()?);
        work.checkpoint()?;
    }
    let ranks = ranks(context, &signed)?;
    let groups = context.timed(Stage::Collapse, 0, seconds, || {
        stages::check_ids(context, &signed)?;
        stages::collapse(context, &signed, &ranks)
    })?;
    if context.spec.job == Job::Passages {
        let all = (&mut signed, &groups, &ranks);
        return passages_and_output(context, (request, options), all, work, seconds);
    }
    if !context.plan.weighs {
        let all = (&mut signed, &groups, &ranks);
        return pairs_and_output(context, (request, options), all, work, seconds);
    }
    let (plan, budget) =
        context.timed(Stage::Weigh, 0, seconds, || stages::weigh(context, &signed))?;
    let context = Context {
        plan: &plan,
        budget,
        ..*context
    };
    if work.manifest.candidates.is_none() {
        context.timed(Stage::Weigh, 0, seconds, || {
            stages::key(&context, &mut signed, &groups)
        })?;
    }
    let all = (&mut signed, &groups, &ranks);
    pairs_and_output(&context, (request, options), all, work, seconds)
}

/// From signed units to the results.
fn pairs_and_output(
    context: &Context<'_>,
    (request, options): (&Request, &RunOptions),
    (signed, groups, ranks): (&mut Signed, &Groups, &Ranks),
    work: &mut Work,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<Summary, Error> {
    let found = find_pairs(context, (signed, groups, ranks), work, seconds)?;
    let (verified, hot_buckets) = (&found.verified, &found.hot);
    let signed = &*signed;
    let units = Units {
        signed,
        groups,
        ranks,
    };
    let scored = &verified.scored;
    let assembled = context.timed(Stage::Assemble, 0, seconds, || {
        stages::assemble(context, units, scored)
    })?;
    let audit = match options.audit {
        Some(count) => Some(context.timed(
            Stage::Audit,
            context.corpus.bytes(),
            seconds,
            || audit(context, units, scored, count),
        )?),
        None => None,
    };

    context.timed(Stage::Write, 0, seconds, || {
        let mut files = ResultFiles::new(work.new_written_folder()?);
        let mut removed_units = Bits::new(units.count());
        let lines = lines(context, units, (scored, found.store))?;
        let listing = Listing {
            units,
            scored,
            assembled: &assembled,
            lines: &*lines,
        };
        let pairs = files.write("pairs.jsonl", |file| {
            output::write_pairs(context, listing, file)
        })?;
        let whole = context.corpus.is_whole();
        if whole {
            files.write("removed.jsonl", |file| {
                output::write_removed(file, signed, &assembled, |removed| {
                    removed_units.insert(removed.unit().get());
                })
            })?;
        }
        let clusters = files.write("clusters.jsonl", |file| {
            output::write_clusters(file, &*lines, &assembled)
        })?;
        let sentences = if whole {
            None
        } else {
            let articles = files.write("articles.jsonl", |file| {
                output::write_articles(context, units, scored, file)
            })?;
            Some(SentencesSummary::new(signed, &pairs, &clusters, articles))
        };
        let first_rejections = files.write("rejected.jsonl", |file| {
            output::write_rejected(file, signed)
        })?;
        if let Some(destination) = &options.deduplicated {
            output::write_deduplicated(context, signed, &removed_units, destination)?;
        }
        let counts = &signed.counts;
        // A rejected record is a unit only where records are units.
        let rejected_units = if whole { counts.input_rejected } else { 0 };
        Ok(Summary {
            counts: Numbers {
                identical_copies: groups.copies() as u64,
                candidate_pairs: verified.candidates,
                assumed_pairs: verified.assumed,
                pairs: pairs.listed,
                clusters: clusters.count,
                removed: clusters.removed,
                kept: counts.input_units - rejected_units - clusters.removed,
                removed_share: if counts.input_units == 0 {
                    0.0
                } else {
                    clusters.removed as f64 / counts.input_units as f64
                },
                ..Numbers::read(counts)
            },
            recall: found.recall,
            hot_buckets: HotBuckets {
                buckets: hot_buckets.count(),
                pairs_not_compared: hot_buckets.left_out(),
                records: verified.hot_units,
                linked: verified.hot_linked,
            },
            sentences,
            largest_clusters: output::largest_clusters(context, signed, &clusters.largest)?,
            first_rejections,
            audit,
            files: files.written,
            ..summary(context, request, options)?
        })
    })
}

/// What a summary says before anything is found.
fn summary(
    context: &Context<'_>,
    request: &Request,
    options: &RunOptions,
) -> Result<Summary, Error> {
    Ok(Summary {
        lookalike: env!("CARGO_PKG_VERSION").to_string(),
        inputs: request.inputs.clone(),
        against: request.against.clone(),
        threads: context.threads,
        memory: options.memory,
        parameters: context.spec.resolved()?,
        ..Summary::default()
    })
}

/// What is said of pairs and members in this job.
fn lines<'r>(
    context: &'r Context<'r>,
    units: Units<'r>,
    (scored, store): (&Shuffle<Scored>, Option<Store>),
) -> Result<Box<dyn Lines + 'r>, Error> {
    if !context.corpus.is_whole() {
        drop(store);
        return Ok(Box::new(Quotes::read(context, units, scored)?));
    }
    if context.spec.pairs != Pairs::None
        && let Some(details) = Details::new(context, units, (scored, store))?
    {
        return Ok(Box::new(details));
    }
    Ok(Box::new(ById { units }))
}

pub(crate) fn resolve(
    request: &Request,
    out: &Path,
    spool: &Path,
    threads: usize,
) -> Result<Vec<Input>, Error> {
    let spec = &request.spec.input;
    let options = InputOptions {
        format: spec.format.as_deref().map(str::parse).transpose()?,
        skip: std::path::absolute(out).ok(),
        max_record: spec.max_record,
        max_expansion: spec.max_expansion,
        code: spec.code,
        main_content: spec.main_content,
        text_is_lines: request.spec.job == Job::Messages,
        namespaces: spec.namespaces.clone(),
        threads,
        ..InputOptions::default()
    };
    let mut parts = vec![Input::resolve(&request.inputs, &options, spool)?];
    if !request.against.is_empty() {
        if request
            .against
            .iter()
            .chain(&request.inputs)
            .filter(|name| *name == "-")
            .count()
            > 1
        {
            return Err(Error::Spec(
                "standard input (-) can be read once only".to_string(),
            ));
        }
        parts.push(Input::resolve(&request.against, &options, spool)?);
    }
    Ok(parts)
}

/// What a run must have in common with an unfinished one to continue it.
fn fingerprint(request: &Request, parts: &[Input]) -> Result<String, Error> {
    let mut text =
        toml::to_string(&request.spec).map_err(|error| Error::Internal(error.to_string()))?;
    text.push_str(env!("CARGO_PKG_VERSION"));
    if let Some(lexicon) = &request.spec.features.lexicon {
        text.push_str(&format!("\n{:032x}", lexicon::fingerprint(lexicon)?));
    }
    for part in parts {
        text.push_str(&format!("\n{:016x}", part.fingerprint()));
    }
    if let Some(list) = &request.pair_list {
        let bytes = std::fs::read(list).map_err(|source| {
            Error::Spec(format!(
                "cannot read the pair list {}: {source}",
                list.display()
            ))
        })?;
        text.push_str(&format!("\nlist {:032x}", hash128(&bytes, Seed(0))));
    }
    Ok(format!("{:032x}", hash128(text.as_bytes(), Seed(0))))
}

fn publish(summary: &Summary, out: &Path, work: &Work) -> Result<(), Error> {
    let written = work.written_folder();
    let path = written.join("summary.json");
    let mut bytes =
        serde_json::to_vec_pretty(summary).map_err(|error| Error::Internal(error.to_string()))?;
    bytes.push(b'\n');
    write_whole(&path, &bytes).map_err(Error::output("write", &path))?;
    output::move_into_place(&written, out)
}
