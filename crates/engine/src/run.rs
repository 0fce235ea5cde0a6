//! A whole run, from a source of records to the rows of a result.

mod passages;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use lookalike_kernel::rows::{HotBuckets, Numbers, Summary};
use lookalike_kernel::{Kernel, Pairs, Route, Setting, Statistics};
use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_text::Seed;
use lookalike_text::hash::hash128;

use crate::Error;
use crate::audit::audit;
use crate::bits::Bits;
use crate::budget::{Budget, budget};
use crate::corpus::Corpus;
use crate::find::find_pairs;
use crate::lexicon;
use crate::listed::PairList;
use crate::metrics::peak_memory;
use crate::observe::{Observer, Stage};
use crate::output::{self, ById, Details, Lines, Listing, Quotes, ResultFiles};
use crate::rank::{Ranks, ranks};
use crate::resume::{Work, Workspace, write_whole};
use crate::source::{CleanCorpus, Source};
use crate::stages::{self, Context, Groups, Signed, Store, Units};
use passages::passages_and_output;

/// What decides the result: a kernel and records.
#[derive(Debug)]
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
pub struct RunOptions<'r> {
    /// The folder of the results.
    pub out: PathBuf,
    /// Worker threads.
    pub threads: usize,
    /// The resident size to stay within, in bytes.
    pub memory: u64,
    /// End at the first record that would be rejected.
    pub strict: bool,
    /// Measure recall and precision on so many records.
    pub audit: Option<u64>,
    /// Where to write the corpus without what was removed.
    pub clean: Option<&'r dyn CleanCorpus>,
    /// When the work on the request began, and how long what was done since then took, by name.
    pub begun: Instant,
    /// See `begun`.
    pub seconds: Vec<(&'static str, f64)>,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        RunOptions {
            out: PathBuf::from("lookalike-out"),
            threads: available_parallelism().map_or(1, NonZero::get),
            memory: 2_000_000_000,
            strict: false,
            audit: None,
            clean: None,
            begun: Instant::now(),
            seconds: Vec::new(),
        }
    }
}

/// Runs a request and returns its summary, which is also the last file written.
///
/// # Errors
/// If it cannot be started or finished; nothing half-written is left where results are expected.
pub fn run(
    request: &Request<'_>,
    workspace: Workspace,
    options: &RunOptions<'_>,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let mut kernel = request.kernel.clone();
    check_goes_together(request, options)?;
    if request.pair_list.is_some() {
        kernel = kernel.by_route(Route::Listed);
    }
    let corpus = Corpus::new(request.sources(), kernel.spec());
    corpus.check()?;
    let budget = budget(&corpus, &kernel, options)?;
    if let Some(clean) = options.clean {
        clean.check()?;
    }
    let mut work = workspace.begin(fingerprint(request)?)?;
    let folder = work.folder.clone();
    let context = Context {
        kernel: &kernel,
        corpus: &corpus,
        folder: &folder,
        threads: options.threads.max(1),
        strict: options.strict,
        budget,
        observer,
    };
    let mut seconds = options.seconds.clone();
    let result = with_lexicons(&context, &mut seconds).and_then(|(kernel, budget)| {
        let context = Context {
            kernel: &kernel,
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
            summary.total_seconds = options.begun.elapsed().as_secs_f64();
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
fn check_goes_together(request: &Request<'_>, options: &RunOptions<'_>) -> Result<(), Error> {
    let spec = request.kernel.spec();
    let job = spec.job;
    let (setting, problem, remedy) = if options.clean.is_some() && !job.removes_records(spec) {
        (
            Setting::Deduplicated,
            format!(
                "`deduplicated=` writes the corpus without what was removed, and {} removes nothing",
                job.name()
            ),
            "use documents".to_string(),
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
            "`audit=` compares records exactly, and imatch alone has no similarity".to_string(),
            "add `measure=cosine`".to_string(),
        )
    } else {
        return Ok(());
    };
    Err(lookalike_kernel::Error::refused(setting, problem, remedy).into())
}

/// The kernel with the words of the corpus counted, where it needs them, and what memory they leave.
fn with_lexicons(
    context: &Context<'_>,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<(Kernel, Budget), Error> {
    let (mut kernel, mut budget) = (context.kernel.clone(), context.budget);
    for text in kernel.needs().lexicons {
        let counted = context.timed(Stage::Count, context.corpus.bytes(), seconds, || {
            lexicon::count(context, text)
        });
        kernel = kernel.with(Statistics::of_lexicon(counted?))?;
    }
    kernel
        .plan()
        .lexicons()
        .try_for_each(|lexicon| budget.hold(lexicon.memory_bytes(), lexicon.terms()))?;
    Ok((kernel, budget))
}

fn stages_and_output(
    context: &Context<'_>,
    request: &Request<'_>,
    options: &RunOptions<'_>,
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
    if context.spec().job.locates_passages() {
        let all = (&mut signed, &groups, &ranks);
        return passages_and_output(context, (request, options), all, work, seconds);
    }
    if !context.kernel.needs().term_weights {
        let all = (&mut signed, &groups, &ranks);
        return pairs_and_output(context, (request, options), all, work, seconds);
    }
    let (kernel, budget) =
        context.timed(Stage::Weigh, 0, seconds, || stages::weigh(context, &signed))?;
    let context = Context {
        kernel: &kernel,
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
    (request, options): (&Request<'_>, &RunOptions<'_>),
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
            Some(output::sentences_summary(
                signed, &pairs, &clusters, articles,
            ))
        };
        let first_rejections = files.write("rejected.jsonl", |file| {
            output::write_rejected(file, signed)
        })?;
        if let Some(clean) = options.clean {
            output::write_clean(context, signed, &removed_units, clean)?;
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
                ..output::numbers_read(counts)
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
    request: &Request<'_>,
    options: &RunOptions<'_>,
) -> Result<Summary, Error> {
    Ok(Summary {
        lookalike: env!("CARGO_PKG_VERSION").to_string(),
        inputs: request.input.names(),
        against: request
            .against
            .map_or(Vec::new(), |against| against.names()),
        threads: context.threads,
        memory: options.memory,
        parameters: context.spec().resolved()?,
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
    if context.spec().pairs != Pairs::None
        && let Some(details) = Details::new(context, units, (scored, store))?
    {
        return Ok(Box::new(details));
    }
    Ok(Box::new(ById { units }))
}

/// What a run must have in common with an unfinished one to continue it.
fn fingerprint(request: &Request<'_>) -> Result<String, Error> {
    let kernel = &request.kernel;
    let mut text =
        toml::to_string(kernel.spec()).map_err(|error| Error::Internal(error.to_string()))?;
    text.push_str(env!("CARGO_PKG_VERSION"));
    text.push_str(&format!("\n{:032x}", kernel.identity()));
    for source in request.sources() {
        text.push_str(&format!("\n{:016x}", source.fingerprint()));
    }
    if let Some(list) = &request.pair_list {
        text.push_str(&format!("\nlist {:032x}", list.fingerprint()));
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
