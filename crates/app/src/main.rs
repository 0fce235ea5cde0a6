//! The lookalike program: one file per command in `commands/`.
//!
//! Results go to standard output, messages and the progress bar to standard error. Exit code 0: clean; 1: an error;
//! 2: wrong usage; 3: finished, but records were rejected.

mod commands;
mod options;
mod progress;
mod screen;
mod wording;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    lookalike_io::silence_caught_panics();
    let done = commands::run(&commands::program().get_matches());
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
