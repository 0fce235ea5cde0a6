//! The lookalike program: one file per command in `commands/`.
//!
//! Results go to standard output, messages and the progress bar to standard error. Exit code 0: clean; 1: an error;
//! 2: wrong usage; 3: finished, but records were rejected.

mod commands;
mod options;
mod progress;
mod screen;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = commands::run(&commands::program().get_matches());
    done.unwrap_or_else(|error| {
        // A reader that closed the pipe has what it wanted.
        let closed = error
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe);
        if closed {
            return ExitCode::SUCCESS;
        }
        let _ = writeln!(anstream::stderr(), "error: {}", message(&error));
        ExitCode::from(if is_usage(&error) { 2 } else { 1 })
    })
}

/// Whether the settings are wrong, rather than the input or the machine.
fn is_usage(error: &anyhow::Error) -> bool {
    use lookalike::{engine, io, judge, kernel};
    let mut causes = error.chain();
    causes.any(|cause| {
        let is_refused = |error: &kernel::Error| matches!(error, kernel::Error::Spec(_));
        cause.downcast_ref().is_some_and(is_refused)
            || matches!(cause.downcast_ref(), Some(engine::Error::Kernel(error)) if is_refused(error))
            || matches!(cause.downcast_ref(), Some(judge::Error::Kernel(error)) if is_refused(error))
            || matches!(cause.downcast_ref(), Some(io::Error::NoSuchFormat { .. }))
    })
}

/// The error and its causes, without repeating a cause that the error quotes.
fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(cause.trim()) {
            message += &format!(": {}", cause.trim());
        }
    }
    message
}
