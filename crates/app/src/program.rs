//! The program, as what its `main` calls: so whoever carries it elsewhere, as the Python package does, has the same one.
//!
//! Results go to standard output, messages and the progress bar to standard error. Exit code 0: clean; 1: an error;
//! 2: wrong usage; 3: finished, but records were rejected.
//!
//! The parts below are for those who have the options of the program and no command line: [`job`] is what the options of a
//! job come to, and [`answer`] what a command that answers a question would print.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use crate::commands;
#[cfg(unix)]
use crate::limits;
use crate::{Request, RunOptions, screen, wording};

/// Why a command could not be done, with all that it wraps. Settings are named as in [`respell`](crate::kernel::respell), options
/// as on the command line.
pub type Failure = anyhow::Error;

/// Does what the arguments say, the first of which is the name of the program, and returns the exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    #[cfg(unix)]
    limits::lift();
    lookalike_io::silence_caught_panics();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let done = commands::run(&commands::matches(&arguments));
    let code = done.unwrap_or_else(|error| explained(&error));
    // Nobody else does where this is not the main function of a process.
    let _ = std::io::stdout().flush();
    (0..=u8::MAX)
        .find(|number| ExitCode::from(*number) == code)
        .unwrap_or(1)
}

/// Tells an error on the screen.
fn explained(error: &Failure) -> ExitCode {
    let is_plain = error.chain().len() == 1;
    let mut message = wording::message(error);
    let of_stream = match error.downcast_ref::<crate::Error>() {
        Some(crate::Error::Stream(io)) => Some(io),
        _ => None,
    };
    match error.downcast_ref::<std::io::Error>().or(of_stream) {
        // A reader that closed the pipe has what it wanted.
        Some(io) if io.kind() == std::io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Some(_) if is_plain => message = format!("cannot write to standard output: {message}"),
        _ => {}
    }
    let message = screen::safe_lines(&message);
    let _ = writeln!(anstream::stderr(), "error: {message}");
    ExitCode::from(if wording::is_usage(error) { 2 } else { 1 })
}

/// What the options of a job come to: `["documents", "corpus.jsonl", "--threshold=0.7"]`.
///
/// # Errors
/// If they are wrong.
pub fn job(arguments: &[OsString]) -> Result<(Request, RunOptions), Failure> {
    commands::job_of(&commands::try_matches(arguments)?)
}

/// What a command prints that answers a question: compare, judge, params or tune.
///
/// # Errors
/// If the options are wrong or the question cannot be answered.
pub fn answer(arguments: &[OsString]) -> Result<String, Failure> {
    commands::answer_of(&commands::try_matches(arguments)?)
}

/// The error and its causes in one message, as the library words it.
pub fn message(error: &Failure) -> String {
    wording::plain(error)
}

/// Whether options are wrong, rather than the input or the machine.
pub fn is_usage(error: &Failure) -> bool {
    error.is::<clap::Error>() || wording::is_usage(error)
}

/// The options of a command, each with whether it takes a value.
pub fn options(command: &str) -> Vec<(String, bool)> {
    let program = commands::program();
    let Some(command) = program.find_subcommand(command) else {
        return Vec::new();
    };
    let options = command.get_arguments().filter_map(|option| {
        let takes_value = option.get_action().takes_values();
        Some((option.get_long()?.to_string(), takes_value))
    });
    options.collect()
}
