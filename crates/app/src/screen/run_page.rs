//! The summary of a run: what was asked, what was found, what is promised, and what to type next.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use lookalike::io::is_standard_output;
use lookalike::kernel::rows::{Table, TemplatesSummary};
use lookalike::kernel::{CHANGED, PASSAGE_WORDS, Recall, show_size};
use lookalike::pair::assemble::Difference;
use lookalike::{Keep, Pairs, ReadableResult, Summary};
use serde::Serialize;

use super::{
    counted, histogram, line, lost_answers, passages_summary, plain, print, safe, safe_lines,
    sentences_summary, thousands,
};
use crate::commands::LOWEST_EXPLORED;
use crate::wording::with_options;

/// A larger share that is removed is worth a look.
const LARGE_SHARE: f64 = 0.3;

/// So many sources are named that lose nearly everything.
const SOURCES_NAMED: usize = 5;

/// Of suggestions, at most so many of the best are looked for to measure their recall.
const BEST_MEASURED: usize = 5;

/// The summary of a run with what the command knows beside it.
pub(crate) struct RunPage<'r> {
    pub(crate) summary: &'r Summary,
    pub(crate) out: &'r Path,
    pub(crate) deduplicated: Option<&'r Path>,
    pub(crate) annotated: Option<&'r Path>,
    /// Whether there was a result of an earlier run.
    pub(crate) is_replaced: bool,
    /// Whether what is technical is shown, too.
    pub(crate) is_verbose: bool,
}

impl RunPage<'_> {
    /// Prints it to standard output, or to standard error if that is where the corpus went; warnings to standard error.
    pub(crate) fn print(&self) -> std::io::Result<()> {
        let page = self.page();
        if self.is_corpus_printed() {
            std::io::stderr().write_all(safe_lines(&page).as_bytes())?;
        } else {
            print(&page)?;
        }
        self.warn(&self.warnings())
    }

    /// Prints what `summary.json` holds, and the warnings, which go to standard error, too, unless the object is there.
    pub(crate) fn print_json(&self) -> anyhow::Result<()> {
        let warnings = self.warnings();
        let mut json = serde_json::to_string_pretty(&WithWarnings {
            summary: self.summary,
            warnings: &warnings,
        })?;
        json.push('\n');
        if self.is_corpus_printed() {
            std::io::stderr().write_all(json.as_bytes())?;
        } else {
            std::io::stdout().write_all(json.as_bytes())?;
            self.warn(&warnings)?;
        }
        Ok(())
    }

    fn warn(&self, warnings: &[String]) -> std::io::Result<()> {
        let mut errors = anstream::stderr();
        for warning in warnings {
            writeln!(errors, "warning: {}", safe(warning))?;
        }
        Ok(())
    }

    /// Prints only what was expected otherwise by `tune`: that is said also to those who want to hear nothing else.
    pub(crate) fn print_expectation(&self) -> std::io::Result<()> {
        self.warn(&Vec::from_iter(self.unexpected()))
    }

    fn is_corpus_printed(&self) -> bool {
        self.deduplicated.is_some_and(is_standard_output)
    }

    fn page(&self) -> String {
        let (summary, out) = (self.summary, self.out);
        let mut page = String::new();
        match (&summary.sentences, &summary.passages) {
            (Some(sentences), _) => sentences_summary::show(&mut page, summary, sentences, out),
            (_, Some(passages)) => passages_summary::show(&mut page, summary, passages),
            (None, None) => found(&mut page, summary),
        }
        unreadable(&mut page, summary);
        unused(&mut page, summary, out);
        match &summary.templates {
            Some(templates) => largest_templates(&mut page, templates),
            None => largest(&mut page, summary),
        }
        promised(&mut page, summary);
        if self.is_verbose {
            technical(&mut page, summary);
        }
        self.written(&mut page);
        page
    }

    /// Where everything is, and what to do with it.
    fn written(&self, page: &mut String) {
        let seconds = format!("{:.1} s", self.summary.total_seconds);
        line(page, "time", seconds);
        let replaced = match self.is_replaced {
            true => " (replacing an earlier result)",
            false => "",
        };
        line(
            page,
            "results in",
            format!("{}{replaced}", self.out.display()),
        );
        if self.summary.files.contains_key("report.html") {
            line(page, "report", self.out.join("report.html").display());
        }
        if let Some(deduplicated) = self.deduplicated.filter(|_| !self.is_corpus_printed()) {
            let (kept, all) = (self.summary.counts.kept, self.summary.cleaned_records);
            let others = match all.unwrap_or(kept).saturating_sub(kept) {
                0 => String::new(),
                others => format!(", and {} that could not be compared", thousands(others)),
            };
            let has = match (others.is_empty(), self.not_cleaned()) {
                (true, None) => String::new(),
                (_, lost) => format!(
                    " ({} kept{others}{})",
                    counted(kept, "record"),
                    lost.map_or(String::new(), |lost| format!("; {lost}"))
                ),
            };
            let deduplicated = format!("{}{has}", deduplicated.display());
            line(page, "cleaned corpus", deduplicated);
        }
        if let Some(annotated) = self.annotated.filter(|path| !is_standard_output(path)) {
            line(page, "annotated input", annotated.display());
        }
        for note in self.summary.notes.iter().chain(&self.notes()) {
            line(page, "note", with_options(note));
        }
        if let Some(next) = self.next() {
            line(page, "next", next);
        }
    }

    /// What the cleaned corpus lacks though nothing stands for it, if there is any such thing.
    fn not_cleaned(&self) -> Option<String> {
        let counts = &self.summary.counts;
        let stay = counts.records.saturating_sub(counts.removed);
        let rows = stay.saturating_sub(self.summary.cleaned_records?);
        let rows = (rows > 0).then(|| counted(rows, "unreadable record"));
        let parts = match counts.unreadable_parts {
            // They may be those of the corpus.
            _ if counts.against_records > 0 => None,
            0 => None,
            1 => Some("1 unreadable file or part of a file".to_string()),
            parts => Some(format!(
                "{} unreadable files or parts of files",
                thousands(parts)
            )),
        };
        let lost: Vec<String> = [rows, parts].into_iter().flatten().collect();
        if lost.is_empty() {
            return None;
        }
        let list = self.out.join(self.summary.file_of(Table::Rejected));
        let lost = lost.join(" and ");
        Some(format!("not in it: {lost}, see {}", list.display()))
    }

    /// Warns of what was done to the data that nobody asked for. Also where nothing else is shown.
    pub(crate) fn print_data_warnings(&self, text_field: &[String]) -> std::io::Result<()> {
        let read = &self.summary.parameters.input.text_field;
        let guessed = (read != text_field).then(|| {
            let [named, read] = [text_field, read].map(|names| names.join("\", \""));
            format!(
                "there is no field \"{named}\", so texts are read from \"{read}\"; --text-field chooses another"
            )
        });
        let lost = self.deduplicated.zip(self.not_cleaned());
        let lost = lost.map(|(clean, lost)| format!("{} is not complete; {lost}", clean.display()));
        self.warn(&Vec::from_iter(guessed.into_iter().chain(lost)))
    }

    /// What follows from the settings and may not have been meant.
    fn notes(&self) -> Vec<String> {
        let (parameters, counts) = (&self.summary.parameters, &self.summary.counts);
        let mut notes = Vec::new();
        if let Some(limit) = parameters.limit.filter(|limit| counts.records >= *limit) {
            let cleaned = match self.deduplicated {
                Some(_) => "; the cleaned corpus has no others",
                None => "",
            };
            notes.push(format!(
                "at most the first {} were read (--limit){cleaned}",
                counted(limit, "record")
            ));
        }
        if self.summary.sentences.is_some()
            && parameters.pairs == Pairs::Auto
            && counts.identical_copies > 0
        {
            notes.push(
                "of identical sentences, only the first is paired with others; --pairs all lists every pair, and the kind of each"
                    .to_string(),
            );
        }
        if parameters.sentences.history && self.is_without_history() {
            notes.push(
                "no factual drift is in articles with several revisions, so nothing is known of their history; full-history dumps \
                 are called pages-meta-history"
                    .to_string(),
            );
        }
        let is_chosen = matches!(parameters.keep, Keep::Last | Keep::Longest | Keep::Field(_));
        if is_chosen && !self.summary.against.is_empty() {
            let within = match parameters.within {
                true => "among the others of the input",
                false => "which of its records is named",
            };
            let keep = String::from(parameters.keep.clone());
            notes.push(format!(
                "what the corpus has always stays; --keep {keep} decides only {within}"
            ));
        }
        notes
    }

    /// Whether there are factual drifts and none of them has a history.
    fn is_without_history(&self) -> bool {
        let is_drift = |line: &String| line.contains("\"factual-drift\"");
        let mut drifts = self.pairs().filter(is_drift).peekable();
        drifts.peek().is_some() && !drifts.any(|line| line.contains("\"since_"))
    }

    /// Whether `show` has the texts, or can read them again.
    fn has_texts(&self) -> bool {
        let Summary {
            inputs,
            against,
            sentences,
            passages,
            parameters,
            ..
        } = self.summary;
        let is_said = passages.is_some() && parameters.passages.text;
        let is_piped = inputs.iter().chain(against).any(|name| name == "-");
        let is_stored = || {
            self.pairs()
                .next()
                .is_some_and(|pair| pair.contains("\"text_a\":"))
        };
        !is_piped || sentences.is_some() || is_said || is_stored()
    }

    /// The rows of `pairs.jsonl`, as far as they can be read.
    fn pairs(&self) -> impl Iterator<Item = String> {
        let readable = ReadableResult::open(self.out).ok();
        let file =
            |readable: &ReadableResult| File::open(readable.folder().join("pairs.jsonl")).ok();
        let lines = readable
            .as_ref()
            .and_then(file)
            .map(|file| BufReader::new(file).lines());
        let lines = lines.into_iter().flatten().map_while(Result::ok);
        // What a copy is made of lasts as long as it is read.
        lines.inspect(move |_| _ = &readable)
    }

    /// What to type next.
    fn next(&self) -> Option<String> {
        let parameters = &self.summary.parameters;
        let is_strict = parameters.threshold.is_some_and(|at| at > LOWEST_EXPLORED);
        let has_report = self.summary.files.contains_key("report.html");
        let has_suggestions = (self.summary.suggestions.as_ref())
            .is_some_and(|suggestions| suggestions.with_suggestions > 0);
        Some(if self.summary.counts.pairs > 0 && self.has_texts() {
            format!("{}   (look at the pairs)", self.command("show", ""))
        } else if self.summary.counts.pairs > 0 && has_report {
            "open the report in a browser   (the texts were on standard input; --with-text stores them for show)".to_string()
        } else if self.summary.counts.pairs > 0 {
            let job = parameters.job.name();
            format!(
                "lookalike {job} … --with-text   (stores the texts, which were on standard input, for show)"
            )
        } else if has_suggestions {
            let show = self.command("show", " --id ID");
            format!("{show}   (what is most similar to a record)")
        } else if self.summary.counts.records == 0 {
            return None;
        } else if is_strict && parameters.job.removes_records(parameters) {
            let job = parameters.job.name();
            format!("lookalike {job} … --explore   (see what lower thresholds would find)")
        } else if parameters.job.suggests() && parameters.top.is_none() {
            let job = parameters.job.name();
            format!("lookalike {job} … --top 5   (the most similar ones, whatever the threshold)")
        } else if has_report {
            let report = self.command("report", " --open");
            format!("{report}   (see what was compared)")
        } else {
            return None;
        })
    }

    /// A command about the result.
    fn command(&self, name: &str, options: &str) -> String {
        let out = self.out.display().to_string();
        let place = match out.as_str() {
            "lookalike-out" => String::new(),
            out if out
                .chars()
                .all(|c| c.is_alphanumeric() || "./_-".contains(c)) =>
            {
                format!(" {out}")
            }
            out => format!(" '{out}'"),
        };
        format!("lookalike {name}{place}{options}")
    }

    /// What `tune` expected otherwise.
    fn unexpected(&self) -> Option<String> {
        let expected = 100.0 * self.summary.removes_too_much()?;
        let removed = 100.0 * self.summary.counts.removed_share;
        Some(format!(
            "{removed:.1} % of the records were removed, where tune expected {expected:.1} %: this corpus is not like the one \
             the threshold was set for; tune again with --corpus and --precision"
        ))
    }

    fn warnings(&self) -> Vec<String> {
        let (counts, lost) = (&self.summary.counts, &self.summary.lost_sources);
        let mut warnings = Vec::new();
        if counts.records == 0 {
            warnings.push("the input has no records".to_string());
        }
        let is_unusable = counts.kept + counts.removed == 0 && self.summary.sentences.is_none();
        if counts.records > 0 && is_unusable {
            warnings
                .push("no record of the input could be used, so nothing was compared".to_string());
        }
        if counts.against_records == 0 && !self.summary.against.is_empty() {
            warnings.push("the corpus has no records, so nothing was compared with it".to_string());
        }
        if counts.against_records > 0 && counts.against_rejected >= counts.against_records {
            warnings
                .push("no record of the corpus could be used, so nothing was compared".to_string());
        }
        if counts.removed_share > LARGE_SHARE && self.summary.sentences.is_none() {
            let share = 100.0 * counts.removed_share;
            let look = self.command("show", " --sort similarity");
            warnings.push(format!(
                "{share:.1} % of the records are removed; to check the least similar pairs, run: {look}"
            ));
        }
        let ranked = (counts.records + counts.against_records)
            .saturating_sub(counts.rejected - counts.unreadable_parts)
            .saturating_sub(counts.without_keep_value);
        let is_by_field = matches!(self.summary.parameters.keep, Keep::Field(_));
        if is_by_field && (1..ranked).contains(&counts.keep_dates) {
            let (dates, numbers) = (counts.keep_dates, ranked - counts.keep_dates);
            let field = String::from(self.summary.parameters.keep.clone());
            warnings.push(format!(
                "--keep {field} compares {} with {}: a date counts as its seconds since 1970, so write all of them the same way",
                counted(dates, "date"),
                counted(numbers, "number")
            ));
        }
        for loss in lost.iter().take(SOURCES_NAMED) {
            let (removed, records) = (thousands(loss.removed), thousands(loss.records));
            warnings.push(format!(
                "{} loses {removed} of its {records} records",
                loss.source
            ));
        }
        if let Some(more) = lost
            .len()
            .checked_sub(SOURCES_NAMED)
            .filter(|more| *more > 0)
        {
            warnings.push(format!(
                "{} lose more than 90 % of their records; summary.json names them",
                counted(more as u64, "more source")
            ));
        }
        warnings.extend(self.unexpected());
        warnings
    }
}

/// What `summary.json` holds, and what is worth a warning.
#[derive(Serialize)]
struct WithWarnings<'r> {
    #[serde(flatten)]
    summary: &'r Summary,
    warnings: &'r [String],
}

/// How many records there were, and with how many others they were compared.
pub(super) fn read(page: &mut String, summary: &Summary, what: &str) {
    line(page, what, thousands(summary.counts.records));
    if summary.counts.against_records > 0 {
        let against = thousands(summary.counts.against_records);
        let within = match summary.parameters.within {
            true => ", and each other",
            false => "",
        };
        line(page, "compared with", format!("{against} {what}{within}"));
    }
}

/// What was found among records.
fn found(page: &mut String, summary: &Summary) {
    read(page, summary, "records");
    let counts = &summary.counts;
    let parameters = &summary.parameters;
    let (removed, share) = (thousands(counts.removed), 100.0 * counts.removed_share);
    let clusters = counted(counts.clusters, "cluster");
    let duplicates = format!("{removed} ({share:.1} % of the input) in {clusters}");
    line(page, "duplicates", duplicates);
    let copies = thousands(counts.identical_copies);
    let of_what = match (counts.against_records > 0, parameters.within) {
        (false, _) if lost_answers::not_compared(summary).is_some() => {
            "an earlier record in everything that is compared"
        }
        (false, _) => "an earlier record",
        (true, false) => "a record in the corpus in everything that is compared",
        (true, true) => "an earlier record or one in the corpus in everything that is compared",
    };
    let copies = format!("{copies}, identical to {of_what}");
    line(page, "  exact copies", copies);
    lost_answers::show(page, summary);
    line(page, "kept", thousands(counts.kept));
    let threshold = parameters.threshold.unwrap_or_default();
    let reached = match threshold >= 1.0 {
        true => "at 1".to_string(),
        false => format!("at {threshold} or more"),
    };
    let which = if counts.assumed_pairs > 0 {
        let assumed = thousands(counts.assumed_pairs);
        format!("{reached}, compared exactly except for {assumed} that were assumed")
    } else if parameters.verify.measure.is_some() || parameters.model.is_some() {
        format!("{reached}, each compared exactly")
    } else {
        "with a common digest, not verified".to_string()
    };
    let bins = &summary.similarities;
    let pairs: Vec<u64> = bins.iter().map(|bin| bin.pairs).collect();
    let listed = format!(
        "{} {which}{}",
        thousands(counts.pairs),
        histogram::scale(&pairs)
    );
    line(page, "pairs listed", listed);
    histogram::similarities(page, bins);
    differences(page, summary);
}

/// In what the pairs differ, and which of them remove nothing.
fn differences(page: &mut String, summary: &Summary) {
    let counted = |kind: &Difference| summary.kinds.get(kind.name()).copied();
    for kind in Difference::ALL {
        let Some(count) = counted(kind) else {
            continue;
        };
        let removes = match summary.parameters.removes(*kind) {
            true => "",
            false => ", listed but not removed",
        };
        line(
            page,
            &format!("  {kind}"),
            format!("{}{removes}", thousands(count)),
        );
    }
}

/// Files that could not be read, or not to their end.
fn unreadable(page: &mut String, summary: &Summary) {
    let count = summary.counts.unreadable_parts;
    if count == 0 {
        return;
    }
    let count = match count {
        1 => "1 file or part of a file".to_string(),
        count => format!("{} files or parts of files", thousands(count)),
    };
    line(page, "incomplete", format!("{count} could not be read"));
    for part in &summary.unreadable {
        *page += &format!("  {}\n", safe(with_options(part)));
    }
}

/// What matches nothing or could not be used.
fn unused(page: &mut String, summary: &Summary, out: &Path) {
    let counts = &summary.counts;
    let some = |count: u64| (count > 0).then(|| thousands(count));
    if let Some(empty) = some(counts.empty) {
        line(page, "empty texts", format!("{empty}, matching nothing"));
    }
    if let Some(without) = some(counts.without_features) {
        let without = format!("{without}, matching nothing");
        line(page, "without features", without);
    }
    if let Some(without) = some(counts.without_keep_value) {
        let without = format!("{without}, without a number or date to rank by; they rank last");
        line(page, "unranked", without);
    }
    if let Some(repeated) = some(counts.repeated_ids) {
        let list = out.join(summary.file_of(Table::Repeated));
        let repeated = format!(
            "{repeated}, renamed as in id#2 and listed in {}",
            list.display()
        );
        line(page, "repeated ids", repeated);
    }
    if let Some(rejected) = some(counts.rejected) {
        let list = out.join(summary.file_of(Table::Rejected));
        let sides = match counts.against_rejected {
            0 => String::new(),
            of_corpus => format!(", {} of them in the corpus", thousands(of_corpus)),
        };
        let rejected = format!("{rejected}{sides}, listed in {}", list.display());
        line(page, "rejected", rejected);
        for rejection in &summary.first_rejections {
            *page += &format!("  {}\n", safe(with_options(rejection)));
        }
    }
}

/// The largest clusters.
fn largest(page: &mut String, summary: &Summary) {
    if summary.largest_clusters.is_empty() {
        return;
    }
    *page += "\nlargest clusters\n";
    for cluster in &summary.largest_clusters {
        let (size, text) = (thousands(cluster.size), cluster.text.trim_end());
        let id = plain(&cluster.cluster);
        // A sentence says more than the number of its article.
        let named = match (summary.sentences.is_some(), text) {
            (true, text) => text.to_string(),
            (false, "") => id,
            (false, text) => format!("{text}  ({id})"),
        };
        *page += &format!("  {size:>7} × {}\n", safe(named));
    }
    page.push('\n');
}

/// The largest templates, which say more than the messages that were kept for them.
fn largest_templates(page: &mut String, templates: &TemplatesSummary) {
    if templates.largest.is_empty() {
        return;
    }
    let count = counted(templates.templates, "template");
    *page += &format!("\nlargest of {count}\n");
    for template in &templates.largest {
        let size = thousands(template.size);
        let text = safe(&template.template);
        *page += &format!("  {size:>7} × {text}\n");
    }
    page.push('\n');
}

/// What is promised about what was not found.
fn promised(page: &mut String, summary: &Summary) {
    let threshold = summary.parameters.threshold.unwrap_or_default();
    let hint = match is_found_by_prefixes(summary) {
        true => "; --keys prefix finds all, but may take many times as long",
        false => "",
    };
    let stated = stated(&summary.recall, threshold);
    line(page, "recall", format!("{stated}{hint}"));
    if let Some(audit) = &summary.audit {
        let [found, all, sampled] =
            [audit.found_pairs, audit.true_pairs, audit.sampled].map(thousands);
        let [recall, precision] = [audit.recall, audit.precision].map(|share| 100.0 * share);
        let measured = match audit.true_pairs {
            0 => format!("not known: none of {sampled} sampled records has a similar one"),
            _ => format!(
                "{recall:.1} % ({found} of {all} matches of {sampled} sampled records); precision {precision:.1} %"
            ),
        };
        line(page, "measured recall", measured);
    }
    if let Some(suggestions) = &summary.suggestions {
        let [with, records] = [suggestions.with_suggestions, suggestions.records].map(thousands);
        let (recall, sampled) = (100.0 * suggestions.recall, thousands(suggestions.sampled));
        let best = match summary.parameters.top {
            Some(1) => "one".to_string(),
            Some(top) if top < BEST_MEASURED => thousands(top as u64),
            _ => thousands(BEST_MEASURED as u64),
        };
        let made = format!(
            "for {with} of {records} records; {recall:.1} % of the true best {best}, measured on {sampled} records"
        );
        line(page, "suggestions", made);
    }
}

/// Whether many pairs may be missing, and another search would find them.
fn is_found_by_prefixes(summary: &Summary) -> bool {
    const LITTLE: f64 = 0.9;
    let is_little = summary.recall.at_threshold.is_some_and(|at| at < LITTLE);
    let mut spec = summary.parameters.clone();
    spec.keys.method = "prefix".to_string();
    (spec.keys.bands, spec.keys.rows) = (None, None);
    is_little && summary.recall.bands.is_some() && spec.plan().is_ok()
}

/// What few want to know: how pairs were searched for, texts that are variants of a few, where the time went, memory.
fn technical(page: &mut String, summary: &Summary) {
    let recall = &summary.recall;
    let bands = match (recall.bands, recall.rows) {
        (Some(bands), Some(rows)) => format!(", {bands} bands of {rows} rows"),
        _ => String::new(),
    };
    let search = format!("{}{bands}: {}", recall.keys, recall.because);
    line(page, "search", search);
    let hot = &summary.hot_buckets;
    if hot.buckets > 0 {
        let [records, linked, left] =
            [hot.records, hot.linked, hot.pairs_not_compared].map(thousands);
        let variants = match &summary.passages {
            Some(_) => format!(
                "{records} sentences are variants of a few; up to {left} of their pairs were not examined"
            ),
            None => format!(
                "{records} records are variants of a few texts: {linked} were linked to a kept one; up to {left} of \
                 their pairs were not compared"
            ),
        };
        line(page, "variants", variants);
    }
    let stages = STAGES.iter().filter_map(|(stage, words)| {
        let seconds = summary.seconds.get(*stage)?;
        Some(format!("{words} {seconds:.2}"))
    });
    let stages = stages.collect::<Vec<String>>().join(", ");
    line(page, "seconds", stages);
    if let Some(peak) = summary.peak_memory {
        let [peak, allowed] = [peak, summary.memory].map(show_size);
        line(page, "peak memory", format!("{peak} of {allowed}"));
    }
}

/// What is promised about the pairs that were not found.
fn stated(recall: &Recall, threshold: f64) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    match (recall.at_threshold, recall.above_threshold) {
        _ if recall.exact => "100 %: nothing that reaches the threshold is missing".to_string(),
        (Some(at), Some(above)) if recall.bands.is_none() => format!(
            "{} of the pairs with a passage of {PASSAGE_WORDS} words of which {:.0} % were changed, {} where it was {:.0} %",
            percent(at),
            100.0 * CHANGED[0],
            percent(above),
            100.0 * CHANGED[1],
        ),
        (Some(at), Some(above)) => format!(
            "{} of the pairs at {threshold}, {} at {:.2}",
            percent(at),
            percent(above),
            (threshold + 0.1).min(1.0),
        ),
        _ => format!(
            "not known ({}: {}); --audit 1000 measures it",
            recall.keys, recall.because
        ),
    }
}

/// The stages in the order in which they run, and in words.
const STAGES: [(&str, &str); 18] = [
    ("convert", "converting"),
    ("count", "counting words"),
    ("sign", "reading"),
    ("collapse", "finding identical texts"),
    ("weigh", "weighing words"),
    ("select", "choosing rare features"),
    ("join", "finding candidates"),
    ("gather", "gathering documents"),
    ("search", "searching for shared words"),
    ("describe", "rereading candidates"),
    ("verify", "comparing"),
    ("differ", "classifying differences"),
    ("align", "locating passages"),
    ("assemble", "clustering"),
    ("suggest", "ranking suggestions"),
    ("audit", "auditing"),
    ("write", "writing"),
    ("report", "writing the report"),
];
