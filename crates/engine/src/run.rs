//! A whole run, from names of files to a folder of results.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use lookalike_io::{Block, CleanWriter, Input, InputOptions};
use lookalike_sign::Keys;
use lookalike_sign::keys::MinHash;
use lookalike_text::Seed;
use lookalike_text::hash::hash128;

use crate::Error;
use crate::audit::audit;
use crate::bits::Bits;
use crate::corpus::Corpus;
use crate::metrics::peak_memory;
use crate::observe::{Observer, Stage};
use crate::output::{
    self, ClusterSummary, HotBuckets, Numbers, OutputFile, Recall, Summary, Written,
};
use crate::rank::Ranks;
use crate::resume::{Work, WorkOptions, is_unfinished, spill_folder, write_whole};
use crate::size::show_size;
use crate::spec::{Keep, Plan, Spec};
use crate::stages::{self, Budget, Candidates, Context, Groups, Signed, Units, Verified};

/// What decides the result: a spec and an input.
#[derive(Debug, Clone)]
pub struct Request {
    /// The choices.
    pub spec: Spec,
    /// Files, folders, globs or `-`.
    pub inputs: Vec<String>,
    /// Another corpus: then the input is compared with it and not with itself.
    pub against: Vec<String>,
}

impl Request {
    /// The input compared with itself.
    pub fn new(spec: Spec, inputs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Request {
            spec,
            inputs: inputs.into_iter().map(Into::into).collect(),
            against: Vec::new(),
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
    let plan = request.spec.plan()?;
    if !is_unfinished(&options.out) {
        output::check_replaceable(&options.out)?;
    }
    let work_options = WorkOptions {
        out: &options.out,
        work_dir: options.work_dir.as_deref(),
        restart: options.restart,
        every: options.checkpoint_every,
    };
    let (mut work, (corpus, budget)) = Work::open(&work_options, || {
        let parts = resolve(request, &spill_folder(&work_options))?;
        let fingerprint = fingerprint(request, &parts)?;
        let corpus = Corpus::new(parts, &request.spec);
        let budget = budget(&corpus, &request.spec, &plan, options)?;
        if let Some(destination) = &options.deduplicated {
            // Made and dropped: what is wrong with the destination is known before the work, not after it.
            CleanWriter::new(&corpus.parts()[0], destination)?;
        }
        Ok((fingerprint, (corpus, budget)))
    })?;
    let folder = work.folder.clone();
    let context = Context {
        spec: &request.spec,
        plan: &plan,
        corpus: &corpus,
        folder: &folder,
        threads: options.threads.max(1),
        strict: options.strict,
        budget,
        observer,
    };
    let mut seconds = Vec::new();
    let result = stages_and_output(&context, request, options, &mut work, &mut seconds);
    match result {
        Ok(mut summary) => {
            summary.seconds = seconds
                .into_iter()
                .map(|(stage, time)| (stage.to_string(), time))
                .collect();
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
    let (verified, hot_buckets) = pairs(context, (&mut signed, &groups, &ranks), work, seconds)?;
    let units = Units {
        signed: &signed,
        groups: &groups,
        ranks: &ranks,
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
        let result = work.new_written_folder()?;
        let mut files: BTreeMap<String, Written> = BTreeMap::new();
        let mut removed_units = Bits::new(units.count());
        let mut pairs_file = OutputFile::create(&result, "pairs.jsonl")?;
        let pairs = output::write_pairs(context, units, scored, &assembled, &mut pairs_file)?;
        files.insert("pairs.jsonl".to_string(), pairs_file.finish()?);
        let mut removed_file = OutputFile::create(&result, "removed.jsonl")?;
        output::write_removed(&mut removed_file, &signed.ids, &assembled, |removed| {
            removed_units.insert(removed.unit().get());
        })?;
        files.insert("removed.jsonl".to_string(), removed_file.finish()?);
        let mut clusters_file = OutputFile::create(&result, "clusters.jsonl")?;
        let clusters = output::write_clusters(&mut clusters_file, &signed.ids, &assembled)?;
        files.insert("clusters.jsonl".to_string(), clusters_file.finish()?);
        let mut rejected_file = OutputFile::create(&result, "rejected.jsonl")?;
        let first_rejections = write_rejected(&mut rejected_file, &signed)?;
        files.insert("rejected.jsonl".to_string(), rejected_file.finish()?);
        if let Some(destination) = &options.deduplicated {
            write_deduplicated(context, &signed, &removed_units, destination)?;
        }
        let counts = signed.counts;
        Ok(Summary {
            lookalike: env!("CARGO_PKG_VERSION").to_string(),
            inputs: request.inputs.clone(),
            against: request.against.clone(),
            counts: Numbers {
                records: counts.input_records,
                against_records: counts.records - counts.input_records,
                rejected: counts.rejected + counts.rejected_parts,
                empty: counts.empty,
                identical_copies: groups.copies() as u64,
                candidate_pairs: verified.candidates,
                pairs,
                clusters: clusters.count,
                removed: clusters.removed,
                kept: counts.input_records - counts.input_rejected - clusters.removed,
                removed_share: if counts.input_records == 0 {
                    0.0
                } else {
                    clusters.removed as f64 / counts.input_records as f64
                },
                without_keep_value: counts.unranked,
            },
            recall: recall(context),
            hot_buckets: HotBuckets {
                buckets: hot_buckets,
                records: verified.hot_units,
                linked: verified.hot_linked,
            },
            largest_clusters: largest_clusters(context, &signed, &clusters.largest)?,
            first_rejections,
            audit,
            seconds: BTreeMap::new(),
            total_seconds: 0.0,
            peak_memory: None,
            threads: context.threads,
            memory: options.memory,
            parameters: context.spec.clone(),
            files,
        })
    })
}

/// Join, describe and verify, each skipped where a checkpoint has its result. Returns the verified pairs and how many
/// buckets were hot.
fn pairs(
    context: &Context<'_>,
    (signed, groups, ranks): (&mut Signed, &Groups, &Ranks),
    work: &mut Work,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<(Verified, u64), Error> {
    let mut candidates = match work.manifest.candidates.clone() {
        Some(saved) => Candidates::new(context, signed.units()).restore(saved)?,
        None => {
            let units = Units {
                signed,
                groups,
                ranks,
            };
            let candidates =
                context.timed(Stage::Join, 0, seconds, || stages::join(context, units))?;
            signed.postings.clear();
            candidates
        }
    };
    if work.is_due() {
        work.save_joined(signed, &mut candidates)?;
        work.checkpoint()?;
    }
    if let Some(saved) = work.manifest.verified.clone() {
        let verified = Verified::new(context, signed.units()).restore(saved)?;
        return Ok((verified, candidates.hot.count()));
    }
    let store = context.timed(Stage::Describe, context.corpus.bytes(), seconds, || {
        stages::describe(context, signed, &mut candidates, work)
    })?;
    let total = candidates.pairs.total();
    let units = Units {
        signed,
        groups,
        ranks,
    };
    let mut verified = context.timed(Stage::Verify, total, seconds, || {
        stages::verify(context, units, &candidates, &store)
    })?;
    candidates.pairs.clear();
    if work.is_due() {
        work.save_joined(signed, &mut candidates)?;
        work.manifest.described = None;
        work.manifest.verified = Some(verified.save()?);
        work.checkpoint()?;
    }
    Ok((verified, candidates.hot.count()))
}

fn resolve(request: &Request, spool: &Path) -> Result<Vec<Input>, Error> {
    let spec = &request.spec.input;
    let options = InputOptions {
        format: spec.format.as_deref().map(str::parse).transpose()?,
        max_record: spec.max_record,
        max_expansion: spec.max_expansion,
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
    for part in parts {
        text.push_str(&format!("\n{:016x}", part.fingerprint()));
    }
    Ok(format!("{:032x}", hash128(text.as_bytes(), Seed(0))))
}

/// Room for the program, the blocks being worked on and the descriptions of one large record.
const WORKING_ROOM: u64 = 40_000_000;
const WORKING_ROOM_A_THREAD: u64 = 8_000_000;

/// What stays resident a record: the first unit of its group, its place among candidates, bits; and, for another
/// keep rule than `first`, its value, its rank, the record at its rank and the best rank of its group.
fn resident_bytes(corpus: &Corpus, spec: &Spec) -> u64 {
    if spec.keep == Keep::First && !corpus.is_against() {
        16
    } else {
        36
    }
}

/// Shares the memory out, or refuses a budget that what stays resident does not fit in.
fn budget(
    corpus: &Corpus,
    spec: &Spec,
    plan: &Plan,
    options: &RunOptions,
) -> Result<Budget, Error> {
    let mut records = estimated_records(corpus)?;
    if let (Some(limit), false) = (spec.limit, corpus.is_against()) {
        records = records.min(limit);
    }
    let resident = resident_bytes(corpus, spec);
    let fixed = WORKING_ROOM + WORKING_ROOM_A_THREAD * options.threads as u64 + records * resident;
    // At least as much again for what is being sorted.
    let needed = fixed + fixed / 4;
    if options.memory < needed {
        return Err(Error::Budget {
            given: show_size(options.memory),
            needed: show_size(needed),
            records,
            resident,
        });
    }
    // About a record in a hundred bytes: short texts are the worst case.
    let postings = corpus.bytes() / 100 * u64::from(plan.curve.bands) * 12;
    let partitions = (postings / 32_000_000).next_power_of_two().clamp(16, 1024);
    Ok(Budget {
        total: (options.memory - fixed) as usize,
        partitions: partitions as usize,
    })
}

/// About how many records there are, judged by the first block.
fn estimated_records(corpus: &Corpus) -> Result<u64, Error> {
    let mut pass = corpus.pass();
    let mut block = Block::default();
    if pass.next_block(&mut block)?.is_none() {
        return Ok(0);
    }
    let slots = u64::from(block.decode(&mut |_| false, &mut |_, _| {})?);
    let read = pass.bytes_read().max(1);
    Ok((slots as f64 * corpus.bytes().max(read) as f64 / read as f64) as u64)
}

fn ranks(context: &Context<'_>, signed: &Signed) -> Result<Ranks, Error> {
    let against_from = signed.against_from();
    let count = signed.units() as u32;
    let units: Vec<u32> = match (&context.spec.keep, context.corpus.is_against()) {
        (Keep::First, false) => return Ok(Ranks::AsRead),
        (Keep::First, true) => (against_from..count).chain(0..against_from).collect(),
        (Keep::Last, against) => {
            let (input, corpus) = ((0..against_from).rev(), (against_from..count).rev());
            if against {
                corpus.chain(input).collect()
            } else {
                input.collect()
            }
        }
        (Keep::Longest | Keep::Field(_), false) => {
            return Ok(Ranks::by_value(&signed.rank_values.read_all()?));
        }
        (Keep::Longest | Keep::Field(_), true) => {
            // The corpus first: it is what the input is compared with.
            let values = signed.rank_values.read_all()?;
            let mut units: Vec<u32> = (0..count).collect();
            units.sort_unstable_by_key(|&unit| {
                (
                    unit < against_from,
                    std::cmp::Reverse(values[unit as usize]),
                    unit,
                )
            });
            units
        }
    };
    Ok(Ranks::ordered(units))
}

fn recall(context: &Context<'_>) -> Recall {
    let (curve, threshold) = (context.plan.curve, context.spec.threshold);
    let keys = MinHash::new(curve, context.plan.seed);
    Recall {
        bands: curve.bands,
        rows: curve.rows,
        at_threshold: keys.recall(threshold),
        above_threshold: keys.recall((threshold + 0.1).min(1.0)),
    }
}

/// Copies the rejections into their file and returns the first few as text.
fn write_rejected(file: &mut OutputFile, signed: &Signed) -> Result<Vec<String>, Error> {
    const SHOWN: usize = 3;
    const PIECE: usize = 1 << 16;
    let mut first = Vec::new();
    let mut piece = vec![0; PIECE];
    let (mut at, end) = (0, signed.rejected.len());
    while at < end {
        piece.truncate((end - at) as usize);
        signed.rejected.read_at(&mut piece, at)?;
        if at == 0 {
            let lines = piece.split(|&byte| byte == b'\n').take(SHOWN);
            let rejections = lines
                .filter_map(|line| serde_json::from_slice::<lookalike_io::Rejection>(line).ok());
            first = rejections
                .map(|rejection| {
                    format!("{}: {}", crate::error::place(&rejection), rejection.reason)
                })
                .collect();
        }
        file.write_bytes(&piece)?;
        at += piece.len() as u64;
    }
    Ok(first)
}

/// The input without what was removed or rejected.
fn write_deduplicated(
    context: &Context<'_>,
    signed: &Signed,
    removed: &Bits,
    destination: &Path,
) -> Result<(), Error> {
    let mut writer = CleanWriter::new(&context.corpus.parts()[0], destination)?;
    let mut pass = context.corpus.pass();
    let mut block = Block::default();
    for mark in signed
        .blocks
        .read_all()?
        .iter()
        .take_while(|mark| mark.part() == 0)
    {
        pass.next_block(&mut block)?;
        let (mut rejected, mut id) = (Vec::new(), Vec::new());
        let source = block.place.source;
        block.decode(&mut |_| true, &mut |slot, record| {
            id.clear();
            let has_id = |record| context.corpus.id(&record, 0, source, &mut id).is_ok();
            if !record.is_ok_and(has_id) {
                rejected.push(slot);
            }
        })?;
        writer.write(&block, &mut |slot| {
            slot < mark.records
                && !removed.contains(mark.first + slot)
                && rejected.binary_search(&slot).is_err()
        })?;
    }
    writer.finish()?;
    Ok(())
}

/// The largest clusters with the beginning of their kept text.
fn largest_clusters(
    context: &Context<'_>,
    signed: &Signed,
    largest: &[(u32, u64)],
) -> Result<Vec<ClusterSummary>, Error> {
    const SHOWN: usize = 100;
    let marks = signed.blocks.read_all()?;
    let mut lookup = signed.ids.lookup();
    let mut clusters = Vec::new();
    for &(kept, size) in largest {
        let text = stages::text_of(context, &marks, kept)?;
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        clusters.push(ClusterSummary {
            cluster: serde_json::from_str(lookup.id(kept)?).unwrap_or_default(),
            size,
            text: line.chars().take(SHOWN).collect(),
        });
    }
    Ok(clusters)
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
