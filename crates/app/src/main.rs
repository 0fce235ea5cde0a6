//! The lookalike program: one file per command in `commands/`.
//!
//! Results go to standard output, messages and the progress bar to standard error. Exit code 0: clean; 1: an error;
//! 2: wrong usage; 3: finished, but records were rejected.

mod commands;
#[cfg(unix)]
mod limits;
mod options;
mod progress;
mod screen;
mod wording;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(unix)]
    limits::lift();
    lookalike_io::silence_caught_panics();
    let done = commands::run(&commands::arguments());
    done.unwrap_or_else(|error| {
        let is_plain = error.chain().len() == 1;
        let error = match error.downcast_ref::<std::io::Error>() {
            // A reader that closed the pipe has what it wanted.
            Some(io) if io.kind() == std::io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Some(_) if is_plain => error.context("cannot write to standard output"),
            _ => error,
        };
        let message = screen::safe_lines(&wording::message(&error));
        let _ = writeln!(anstream::stderr(), "error: {message}");
        ExitCode::from(if wording::is_usage(&error) { 2 } else { 1 })
    })
}
