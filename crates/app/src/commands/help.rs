//! What help says: a short page with the common options of a command and examples, a long one with everything. Of defaults
//! that differ from job to job only those of the command are told, and an option that means something else there says so.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Arg, Command};
use lookalike::{Spec, jobs};

/// The options that a short page of any job shows, if the job has them.
const COMMON: &[&str] = &[
    "inputs",
    "out",
    "deduplicated",
    "against",
    "threshold",
    "keep",
    "text-field",
    "id-field",
    "fields",
    "kinds",
    "top",
];

/// What options mean in some of the jobs: `(jobs, option, help)`. The first that fits is told.
const OWN: &[(&[&str], &str, &str)] = &[
    (
        &["documents", "messages"],
        "keep",
        "Which record of a cluster to keep: first, last, longest, or the one with the largest number or date in a field, \
         given by its name [default: first]",
    ),
    (
        &["threads"],
        "keep",
        "Which thread of a cluster to keep: first, last, longest, more (the one whose answer contains most), or the one with \
         the largest number or date in a field, given by its name [default: more if there are answers, else first]",
    ),
    (
        &["documents", "messages"],
        "against",
        "Compare the input with this corpus instead of with itself: what is new? The corpus can be an index",
    ),
    (
        &["passages"],
        "threshold",
        "Documents with sentences at least this similar are compared; with --align sentences, these match [default: 0.5]",
    ),
    (
        &["sentences"],
        "threshold",
        "Sentences at least this similar make a pair [default: 0.4]",
    ),
    (
        &["sentences"],
        "bucket-limit",
        "Compare larger buckets with their leaders only [default: 32]",
    ),
    (
        &["passages"],
        "main-content",
        "Read only the article of web pages (HTML, WARC), without navigation, footers and the like [default]",
    ),
    (
        &["passages"],
        "whole-page",
        "Read everything a visitor sees on web pages",
    ),
];

/// Three examples of each command.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "documents",
        "Examples:
  lookalike documents corpus.jsonl --deduplicated clean.jsonl
  lookalike documents 'shards/*.parquet' --text-field content --keep date
  lookalike documents new.jsonl --against corpus.jsonl    # what is new?",
    ),
    (
        "threads",
        "Examples:
  lookalike threads Posts.xml
  lookalike threads forum.jsonl --fields question,details,answer
  lookalike threads forum.csv --id-field post --keep more",
    ),
    (
        "sentences",
        "Examples:
  lookalike sentences simplewiki-latest-pages-articles.xml.bz2
  lookalike sentences articles.jsonl --kinds factual-drift
  lookalike sentences articles.jsonl --against others.jsonl",
    ),
    (
        "passages",
        "Examples:
  lookalike passages essays.jsonl --against sources.jsonl  # copied from where?
  lookalike passages crawl.warc.gz              # what do the pages share?
  lookalike passages corpus.jsonl --pair-list pairs.jsonl",
    ),
    (
        "messages",
        "Examples:
  lookalike messages sms.csv --text-field body
  lookalike messages chat.txt                    # one message per line
  lookalike messages sms.jsonl --digits codes    # ignore which code was sent",
    ),
    (
        "index",
        "Examples:
  lookalike index create seen && lookalike index add seen corpus.jsonl
  lookalike index check seen page.html           # is something like it known?
  lookalike index filter seen --learn --only-new < crawl.jsonl",
    ),
    (
        "lexicon",
        "Examples:
  lookalike lexicon build corpus.jsonl -o words.txt
  lookalike lexicon show words.txt
  lookalike documents new.jsonl --keys imatch --lexicon words.txt",
    ),
    (
        "judge",
        "Examples:
  lookalike judge lookalike-out --gold pairs.jsonl    # how good is a result?
  lookalike judge --gold pairs.jsonl --sweep          # which method is best?
  lookalike judge --config tuned.toml --gold pairs.jsonl",
    ),
    (
        "tune",
        "Examples:
  lookalike tune pairs.jsonl -o tuned.toml
  lookalike tune links.jsonl --corpus forum.jsonl -o tuned.toml
  lookalike threads forum.jsonl --config tuned.toml      # use what was learnt",
    ),
    (
        "params",
        "Examples:
  lookalike params                                # for the usual threshold
  lookalike params -t 0.6 --recall 0.99
  lookalike params -t 0.8 --bands 20 --rows 5     # what would these find?",
    ),
    (
        "recluster",
        "Examples:
  lookalike recluster lookalike-out -t 0.9 -o stricter
  lookalike recluster lookalike-out --keep longest -o longest
  lookalike report stricter --with lookalike-out  # what has changed?",
    ),
    (
        "completions",
        "Examples:
  lookalike completions bash >> ~/.bash_completion
  lookalike completions zsh > ~/.zfunc/_lookalike
  lookalike completions fish > ~/.config/fish/completions/lookalike.fish",
    ),
    (
        "man",
        "Examples:
  lookalike man ~/.local/share/man/man1
  man lookalike-documents",
    ),
    (
        "show",
        "Examples:
  lookalike show                              # the first pairs in lookalike-out
  lookalike show results --sort similarity    # the most doubtful pairs first
  lookalike show results --cluster 7          # the duplicates of record 7",
    ),
    (
        "report",
        "Examples:
  lookalike report results --open                # look at it in a browser
  lookalike report results --anonymous -o shared.html
  lookalike report results --with earlier        # what has changed since?",
    ),
    (
        "compare",
        "Examples:
  lookalike compare old.txt new.html
  lookalike compare pages.jsonl#7 pages.jsonl#12 --passages
  lookalike compare --text 'one text' 'another text'",
    ),
];

/// What no short page shows.
const RARE: &[&str] = &[
    "seed",
    "seed-file",
    "seed-env",
    "commit-every",
    "commit-after",
    "threads",
    "no-progress",
    "work-dir",
    "thresholds",
    "folds",
    "starts",
];

/// Examples of the program as a whole.
pub(super) const OF_PROGRAM: &str = "Examples:
  lookalike documents corpus.jsonl --deduplicated clean.jsonl
  lookalike show                                  # look at what was found
  lookalike report --open                         # the same in a browser";

/// What a job that removes nothing shows on no short page,
const OF_REMOVAL: &[&str] = &["deduplicated", "keep"];

/// and what it refuses.
const REFUSED: &[&str] = &["deduplicated", "annotate", "explore"];

/// The headings of options that few need: of commands that are no jobs, they are on the long page.
const SPECIAL: &[&str] = &[
    "What counts as the same text",
    "Method",
    "Search",
    "Input",
    "Passages",
];

/// A command with both pages of its help, and examples.
pub(super) fn with_help(command: Command) -> Command {
    let name = command.get_name().to_string();
    let example = EXAMPLES.iter().find(|(of, _)| *of == name);
    let command = with_pages(command);
    match example {
        Some((_, example)) => command.after_help(*example),
        None => command,
    }
}

/// A command, and those below it, with both pages of their help.
fn with_pages(command: Command) -> Command {
    let name = command.get_name().to_string();
    let job = jobs::named(&name);
    let is_job = job.is_some();
    let removes = job.is_none_or(|job| job.removes_records(&Spec::of_job(job)));
    let command = command.mut_args(|arg| {
        let arg = own_default(arg, &name);
        let long = arg.get_long().unwrap_or(arg.get_id().as_str());
        let is_common = COMMON.contains(&long) && (removes || !OF_REMOVAL.contains(&long));
        let is_special = (arg.get_help_heading()).is_some_and(|heading| SPECIAL.contains(&heading));
        let is_rare = is_special || RARE.contains(&long);
        let is_refused = !removes && REFUSED.contains(&long);
        arg.hide_short_help(if is_job { !is_common } else { is_rare })
            .hide(is_refused)
    });
    command.mut_subcommands(with_pages)
}

/// An option whose help gives only the default of this job.
fn own_default(arg: Arg, job: &str) -> Arg {
    let long = arg.get_long().unwrap_or_default();
    let own = OWN
        .iter()
        .find(|(jobs, option, _)| *option == long && jobs.contains(&job));
    if let Some((_, _, help)) = own {
        return arg.help(*help);
    }
    let Some(help) = arg.get_help().map(StyledStr::to_string) else {
        return arg;
    };
    match of_job(&help, job) {
        Some(own) => arg.help(own),
        None => arg,
    }
}

/// In `[default: 0.8, threads 0.5]` what is of this job; none if nothing is of any job.
fn of_job(help: &str, job: &str) -> Option<String> {
    let (before, rest) = help.split_once("[default: ")?;
    let (defaults, after) = rest.split_once(']')?;
    let defaults = defaults.split_whitespace().collect::<Vec<_>>().join(" ");
    let of = |part: &&str| {
        let (name, value) = part.split_once(' ')?;
        jobs::named(name).map(|job| (job.name(), value.to_string()))
    };
    let parts: Vec<&str> = defaults.split(", ").collect();
    if !parts.iter().any(|part| of(part).is_some()) {
        return None;
    }
    let own = parts.iter().filter_map(of).find(|(name, _)| *name == job);
    let own = own.map_or_else(
        || {
            let general: Vec<&str> = parts
                .iter()
                .copied()
                .filter(|part| of(part).is_none())
                .collect();
            general.join(", ")
        },
        |(_, value)| value,
    );
    Some(format!("{before}[default: {own}]{after}"))
}

/// What people type that know other tools, and what it is called here. The nearest name would be a wrong guess.
const CALLED_OTHERWISE: &[(&str, &str)] = &[
    (
        "--output",
        "--out DIR, or --output-format jsonl|csv|parquet",
    ),
    ("--output-dir", "--out DIR"),
    ("--dedup", "--deduplicated FILE"),
    ("--dedupe", "--deduplicated FILE"),
    ("--similarity", "--threshold 0..1"),
    ("--min-similarity", "--threshold 0..1"),
    ("--text", "--text-field FIELD"),
    ("--column", "--text-field FIELD"),
    ("--field", "--text-field FIELD"),
    ("--field", "--fields FIELD,FIELD"),
    ("--text-field", "--fields FIELD,FIELD"),
    ("--kinds", "--remove-kinds KINDS"),
    ("--kinds", "--kind KIND"),
    ("--kind", "--kinds KINDS"),
    ("--text-column", "--text-field FIELD"),
    ("--id", "--id-field FIELD"),
    (
        "--ngram",
        "--features shingles:words:N, or shingles:chars:N",
    ),
    (
        "--ngram-size",
        "--features shingles:words:N, or shingles:chars:N",
    ),
    ("--num-perm", "--keys minhash:N"),
    ("--num-hashes", "--keys minhash:N"),
    ("--method", "--features, --keys and --measure"),
    ("--workers", "--threads N"),
    ("--jobs", "--threads N"),
    ("--num-proc", "--threads N"),
    ("--max-memory", "--memory SIZE"),
    ("--no-color", "--color never"),
    ("--overwrite", "--force"),
    ("--csv", "--output-format csv"),
    ("--parquet", "--output-format parquet"),
    ("--min-sim", "--threshold 0..1"),
    ("--jaccard", "--threshold 0..1"),
    ("--exclude", "--against CORPUS"),
    ("--texts", "--with-text"),
    ("--include-text", "--with-text"),
];

/// What people type as a command that know other tools, and what it is called here.
const COMMANDS_CALLED_OTHERWISE: &[(&str, &str)] = &[
    ("dedup", "documents INPUT --deduplicated FILE"),
    ("dedupe", "documents INPUT --deduplicated FILE"),
    ("deduplicate", "documents INPUT --deduplicated FILE"),
    ("diff", "compare A B"),
    ("plagiarism", "passages INPUT --against SOURCES"),
    ("sms", "messages INPUT"),
    ("forum", "threads INPUT"),
    ("questions", "threads INPUT"),
    ("open", "report DIR --open"),
    ("view", "show DIR"),
    ("evaluate", "judge DIR --gold FILE"),
    ("train", "tune PAIRS -o CONFIG"),
];

/// The command that these arguments choose, by its name below the program.
pub(super) fn chosen<'p>(
    program: &'p clap::Command,
    arguments: &[OsString],
) -> (String, &'p clap::Command) {
    let (mut names, mut command) = (Vec::new(), program);
    for argument in arguments.iter().skip(1).map(|name| name.to_string_lossy()) {
        let Some(found) = command.find_subcommand(&*argument) else {
            break;
        };
        names.push(found.get_name());
        command = found;
    }
    (names.join(" "), command)
}

fn has_option(command: &clap::Command, option: &str) -> bool {
    let name = option.trim_start_matches("--");
    command
        .get_arguments()
        .any(|argument| argument.get_long() == Some(name) && !argument.is_hide_set())
}

/// The commands that have an option, by their names below the program.
fn commands_with(command: &clap::Command, before: &str, option: &str) -> Vec<String> {
    let mut found = Vec::new();
    for command in command.get_subcommands() {
        let name = format!("{before}{}", command.get_name());
        if has_option(command, option) {
            found.push(name.clone());
        }
        found.extend(commands_with(command, &format!("{name} "), option));
    }
    found
}

/// A hint for an option or a command that there is not; none where clap's guess is as good.
pub(super) fn hint(
    error: &clap::Error,
    program: &clap::Command,
    arguments: &[OsString],
) -> Option<String> {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let of = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(typed)) => Some(typed.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let name = of(ContextKind::InvalidArg)?.split(['=', ' ']).next()?;
            let (command, chosen) = chosen(program, arguments);
            let is_here = |here: &str| {
                let option = here.split([' ', ',']).next();
                option.is_some_and(|option| has_option(chosen, option))
            };
            let mut called = CALLED_OTHERWISE.iter().filter(|(other, _)| *other == name);
            if let Some((_, here)) = called.find(|(_, here)| is_here(here)) {
                return Some(format!("there is no option {name}; use {here}"));
            }
            let others = commands_with(program, "", name);
            if others.is_empty() || !name.starts_with("--") {
                return None;
            }
            let others = others[..others.len().min(5)].join(", ");
            Some(format!(
                "{command} has no option {name}, but these have: {others}"
            ))
        }
        ErrorKind::MissingRequiredArgument => {
            let ContextValue::Strings(missing) = error.get(ContextKind::InvalidArg)? else {
                return None;
            };
            let lacks_input = missing.iter().any(|name| name.starts_with("<INPUT"));
            lacks_input.then(|| "to read standard input, give - as the input".to_string())
        }
        ErrorKind::InvalidSubcommand => {
            let name = of(ContextKind::InvalidSubcommand)?;
            let mut called = COMMANDS_CALLED_OTHERWISE.iter();
            let (_, here) = called.find(|(other, _)| *other == name)?;
            Some(format!("there is no command {name}; use lookalike {here}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_default_of_the_command_is_told() {
        let help = "Numbers [default: as-written,\nthreads canonical, messages as, is]";
        assert_eq!(
            of_job(help, "threads").unwrap(),
            "Numbers [default: canonical]"
        );
        assert_eq!(
            of_job(help, "documents").unwrap(),
            "Numbers [default: as-written, is]"
        );
        assert_eq!(of_job("Case [default: fold]", "threads"), None);
    }
}
