//! The commands: one file each, one line each in [`COMMANDS`].

mod against_index;
mod compare;
mod completions;
mod documents;
mod explore;
mod help;
mod index;
mod job;
mod judge;
mod lexicon;
mod man;
mod messages;
mod params;
mod passages;
mod recluster;
mod report;
mod sentences;
mod show;
mod threads;
mod tune;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches};

pub(crate) use self::explore::LOWEST as LOWEST_EXPLORED;
use self::job::JobCommand;
use crate::screen::{self, safe};
use crate::{Request, RunOptions};

/// The registry: a new command is one new file and one line here.
const COMMANDS: &[Command] = &[
    job::<documents::Documents>(
        "documents",
        "Find near-duplicate documents, and write the corpus without them",
    ),
    job::<threads::Threads>(
        "threads",
        "Find near-duplicate question threads, field by field",
    ),
    job::<sentences::Sentences>(
        "sentences",
        "Find sentences copied between articles, and what changed in the copies",
    ),
    job::<passages::Passages>(
        "passages",
        "Find passages that documents share, and their positions in each",
    ),
    job::<messages::Messages>(
        "messages",
        "Find near-duplicate short messages: SMS, chat lines, titles",
    ),
    command::<index::Index>(
        "index",
        "Keep texts on disk, and find out whether something like a new text was seen before",
    ),
    command::<lexicon::Lexicon>(
        "lexicon",
        "Count how common words are, for the methods that need it",
    ),
    question::<judge::Judge>(
        "judge",
        "Judge a result, or the methods themselves, by labelled pairs or clusters",
    ),
    question::<tune::Tune>(
        "tune",
        "Learn measures, weights and a threshold from labelled pairs",
    ),
    question::<params::Params>(
        "params",
        "Show the MinHash bands and rows for a threshold, and what they find",
    ),
    command::<show::Show>(
        "show",
        "Show the pairs and clusters of a result side by side, with differences marked",
    ),
    command::<report::Report>(
        "report",
        "Write the report page of a result again, or compare two results",
    ),
    command::<recluster::Recluster>(
        "recluster",
        "Derive a new result from a finished one, with a higher threshold or another --keep",
    ),
    question::<compare::Compare>(
        "compare",
        "Compare two texts under every measure and show their differences",
    ),
    command::<completions::Completions>("completions", "Print a completion script for a shell"),
    command::<man::ManPages>("man", "Write manual pages into a folder"),
];

/// The arguments of a command, and what it does with them.
trait Run: Args {
    fn run(&self) -> anyhow::Result<ExitCode>;
}

/// The arguments of a command that answers a question.
trait Answer: Args {
    /// What it prints.
    fn answer(&self) -> anyhow::Result<String>;
}

type OfMatches<T> = fn(&ArgMatches) -> anyhow::Result<T>;

struct Command {
    name: &'static str,
    about: &'static str,
    arguments: fn(clap::Command) -> clap::Command,
    run: OfMatches<ExitCode>,
    /// What it runs, if it is a job.
    job: Option<OfMatches<(Request, RunOptions)>>,
    /// What it prints, if it answers a question.
    answer: Option<OfMatches<String>>,
}

const fn command<C: Run>(name: &'static str, about: &'static str) -> Command {
    Command {
        name,
        about,
        arguments: C::augment_args,
        run: |given| C::from_arg_matches(given)?.run(),
        job: None,
        answer: None,
    }
}

const fn job<O: job::JobOptions>(name: &'static str, about: &'static str) -> Command {
    Command {
        job: Some(|given| JobCommand::<O>::from_arg_matches(given)?.called()),
        ..command::<JobCommand<O>>(name, about)
    }
}

const fn question<Q: Answer>(name: &'static str, about: &'static str) -> Command {
    Command {
        name,
        about,
        arguments: Q::augment_args,
        run: |given| {
            screen::print_coloured(&Q::from_arg_matches(given)?.answer()?)?;
            Ok(ExitCode::SUCCESS)
        },
        job: None,
        answer: Some(|given| Q::from_arg_matches(given)?.answer()),
    }
}

/// The program with all its commands.
pub(crate) fn program() -> clap::Command {
    let command = |command: &Command| {
        let arguments = (command.arguments)(clap::Command::new(command.name));
        help::with_help(arguments.about(command.about))
    };
    clap::Command::new("lookalike")
        .about("Finds near-duplicate and partly copied text, and compares every pair it reports exactly")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(color())
        .after_help(help::OF_PROGRAM)
        .subcommands(COMMANDS.iter().map(command))
}

/// Whether colours are used, for every command.
fn color() -> clap::Arg {
    clap::Arg::new("color")
        .long("color")
        .global(true)
        .value_name("WHEN")
        .value_parser(["auto", "always", "never"])
        .default_value("auto")
        .hide_default_value(true)
        .hide_possible_values(true)
        .hide_short_help(true)
        .help("Colours: auto, always or never [default: auto]")
}

/// What these arguments say. Those that are wrong are told safely, and end the process: a pattern of names can match any.
pub(crate) fn matches(arguments: &[OsString]) -> ArgMatches {
    let safely = |argument: &OsString| {
        argument
            .to_str()
            .map(safe)
            .map_or(argument.clone(), OsString::from)
    };
    let given = program().try_get_matches_from(arguments);
    if let Err(error) = &given {
        let mut program = program();
        program.build();
        if let Some(hint) = help::hint(error, &program, arguments) {
            let mut command = help::chosen(&program, arguments).1.clone();
            let unknown = clap::error::ErrorKind::UnknownArgument;
            command.error(unknown, hint).exit();
        }
    }
    given.unwrap_or_else(|_| program().get_matches_from(arguments.iter().map(safely)))
}

/// The same without the name of the program, and told to the caller if they are wrong.
pub(crate) fn try_matches(arguments: &[OsString]) -> anyhow::Result<ArgMatches> {
    let name = OsString::from("lookalike");
    Ok(program().try_get_matches_from([name].iter().chain(arguments))?)
}

/// Does what the arguments say.
pub(crate) fn run(program: &ArgMatches) -> anyhow::Result<ExitCode> {
    let colors = match program.get_one::<String>("color").map(String::as_str) {
        Some("always") => anstream::ColorChoice::AlwaysAnsi,
        Some("never") => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Auto,
    };
    colors.write_global();
    let Some((command, given)) = chosen(program) else {
        return Ok(ExitCode::SUCCESS);
    };
    (command.run)(given)
}

/// What the options of a job come to.
pub(crate) fn job_of(program: &ArgMatches) -> anyhow::Result<(Request, RunOptions)> {
    match chosen(program).and_then(|(command, given)| Some((command.job?, given))) {
        Some((job, given)) => job(given),
        None => anyhow::bail!("this command is no job"),
    }
}

/// What a command prints that answers a question.
pub(crate) fn answer_of(program: &ArgMatches) -> anyhow::Result<String> {
    match chosen(program).and_then(|(command, given)| Some((command.answer?, given))) {
        Some((answer, given)) => answer(given),
        None => anyhow::bail!("this command answers no question"),
    }
}

fn chosen(program: &ArgMatches) -> Option<(&'static Command, &ArgMatches)> {
    let (name, given) = program.subcommand()?;
    let command = COMMANDS.iter().find(|command| command.name == name)?;
    Some((command, given))
}
