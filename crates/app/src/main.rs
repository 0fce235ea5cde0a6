//! The lookalike program: one file per command in `commands/`.
//!
//! Results go to standard output, messages and the progress bar to standard error. Exit code 0: clean; 1: an error;
//! 2: wrong usage; 3: finished, but records were rejected.

mod commands;
mod options;
mod progress;
mod screen;
mod whole;
mod wording;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Finds near-duplicate text and proves every duplicate it reports.
#[derive(Debug, Parser)]
#[command(
    name = "lookalike",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find near-duplicate documents, and write the corpus without them
    Documents(Box<commands::documents::Documents>),
    /// Find near-duplicate threads of questions and answers, field by field
    Threads(Box<commands::threads::Threads>),
    /// Find sentences copied between articles, and what changed in the copy
    Sentences(Box<commands::sentences::Sentences>),
    /// Find passages that documents share, and where they are in each
    Passages(Box<commands::passages::Passages>),
    /// Find near-duplicate short messages: SMS, chat lines, titles
    Messages(Box<commands::messages::Messages>),
    /// Count how common words are, for methods that need it, and show the counts
    #[command(subcommand)]
    Lexicon(commands::lexicon::Lexicon),
    /// Compare a result, or the methods themselves, with labelled pairs or clusters
    Judge(Box<commands::judge::Judge>),
    /// Learn measures, weights and a threshold from labelled pairs
    Tune(Box<commands::tune::Tune>),
    /// Show which bands and rows a threshold needs, and what they find
    Params(commands::params::Params),
    /// Compare two texts under every measure and show their differences
    Compare(commands::compare::Compare),
    /// Print a completion script for a shell
    Completions(commands::completions::Completions),
}

fn main() -> ExitCode {
    let program = Program::parse();
    let done = match &program.command {
        Command::Documents(documents) => documents.run(),
        Command::Threads(threads) => threads.run(),
        Command::Sentences(sentences) => sentences.run(),
        Command::Passages(passages) => passages.run(),
        Command::Messages(messages) => messages.run(),
        Command::Lexicon(lexicon) => lexicon.run(),
        Command::Judge(judge) => judge.run(),
        Command::Tune(tune) => tune.run(),
        Command::Params(params) => params.run(),
        Command::Compare(compare) => compare.run(),
        Command::Completions(completions) => {
            completions.run(&mut <Program as clap::CommandFactory>::command())
        }
    };
    done.unwrap_or_else(|error| {
        // A reader that closed the pipe has what it wanted.
        let closed = error
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe);
        if closed {
            return ExitCode::SUCCESS;
        }
        let _ = writeln!(anstream::stderr(), "error: {}", wording::message(&error));
        ExitCode::from(if wording::is_usage(&error) { 2 } else { 1 })
    })
}
