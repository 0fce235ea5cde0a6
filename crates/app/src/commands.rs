//! The commands: one file each, one line each in [`COMMANDS`].

mod compare;
mod completions;
mod documents;
mod job;
mod judge;
mod lexicon;
mod messages;
mod params;
mod passages;
mod sentences;
mod threads;
mod tune;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, Args};

use self::job::JobCommand;
use crate::screen::safe;

/// The registry: a new command is one new file and one line here.
const COMMANDS: &[Command] = &[
    job::<documents::Documents>(
        "documents",
        "Find near-duplicate documents, and write the corpus without them",
    ),
    job::<threads::Threads>(
        "threads",
        "Find near-duplicate threads of questions and answers, field by field",
    ),
    job::<sentences::Sentences>(
        "sentences",
        "Find sentences copied between articles, and what changed in the copy",
    ),
    job::<passages::Passages>(
        "passages",
        "Find passages that documents share, and where they are in each",
    ),
    job::<messages::Messages>(
        "messages",
        "Find near-duplicate short messages: SMS, chat lines, titles",
    ),
    command::<lexicon::Lexicon>(
        "lexicon",
        "Count how common words are, for methods that need it, and show the counts",
    ),
    command::<judge::Judge>(
        "judge",
        "Compare a result, or the methods themselves, with labelled pairs or clusters",
    ),
    command::<tune::Tune>(
        "tune",
        "Learn measures, weights and a threshold from labelled pairs",
    ),
    command::<params::Params>(
        "params",
        "Show which bands and rows a threshold needs, and what they find",
    ),
    command::<compare::Compare>(
        "compare",
        "Compare two texts under every measure and show their differences",
    ),
    command::<completions::Completions>("completions", "Print a completion script for a shell"),
];

/// The arguments of a command, and what it does with them.
trait Run: Args {
    fn run(&self) -> anyhow::Result<ExitCode>;
}

struct Command {
    name: &'static str,
    about: &'static str,
    arguments: fn(clap::Command) -> clap::Command,
    run: fn(&ArgMatches) -> anyhow::Result<ExitCode>,
}

const fn command<C: Run>(name: &'static str, about: &'static str) -> Command {
    Command {
        name,
        about,
        arguments: C::augment_args,
        run: |given| C::from_arg_matches(given)?.run(),
    }
}

const fn job<O: job::JobOptions>(name: &'static str, about: &'static str) -> Command {
    command::<JobCommand<O>>(name, about)
}

/// The program with all its commands.
pub(crate) fn program() -> clap::Command {
    let command = |command: &Command| {
        let arguments = (command.arguments)(clap::Command::new(command.name));
        arguments.about(command.about)
    };
    clap::Command::new("lookalike")
        .about("Finds near-duplicate text and proves every duplicate it reports")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(COMMANDS.iter().map(command))
}

/// The arguments of this process. Those that are wrong are told safely: a pattern of names can match any.
pub(crate) fn arguments() -> ArgMatches {
    let safely = |argument: OsString| argument.to_str().map(safe).map_or(argument, OsString::from);
    program()
        .try_get_matches()
        .unwrap_or_else(|_| program().get_matches_from(env::args_os().map(safely)))
}

/// Does what the arguments say.
pub(crate) fn run(program: &ArgMatches) -> anyhow::Result<ExitCode> {
    let given = program.subcommand();
    let found = given.and_then(|(name, given)| {
        let command = COMMANDS.iter().find(|command| command.name == name)?;
        Some((command.run)(given))
    });
    found.unwrap_or(Ok(ExitCode::SUCCESS))
}
