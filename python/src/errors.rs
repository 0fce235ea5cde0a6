//! Errors as exceptions, in the words of Python: `threshold=`, not `--threshold`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lookalike::engine::Error as EngineError;
use lookalike::kernel::{Choice, respell};
use lookalike::program::{self, Failure};
use pyo3::prelude::*;

/// Calls something of the library without the interpreter; what goes wrong there is an exception, also if it is a panic.
pub(crate) fn calling<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let called = py.detach(|| catch_unwind(AssertUnwindSafe(call)));
    settle(py, called)
}

/// What became of a call.
pub(crate) fn settle<T>(
    py: Python<'_>,
    called: std::thread::Result<Result<T, Failure>>,
) -> PyResult<T> {
    match called {
        Ok(result) => result.map_err(|error| raise(py, &error)),
        Err(panic) => {
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(panic.downcast_ref::<&str>().copied())
                .unwrap_or("no reason given");
            let message = format!("internal error: {message}; please report this");
            Err(exception(py, "InternalError", &message))
        }
    }
}

/// The exception for an error.
pub(crate) fn raise(py: Python<'_>, error: &Failure) -> PyErr {
    let message = match error.downcast_ref::<clap::Error>() {
        Some(usage) => of_usage(usage),
        None => program::message(error),
    };
    exception(py, class_of(error), &in_python(&message))
}

/// An exception of the package.
pub(crate) fn exception(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = py
        .import("lookalike.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message,)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

fn class_of(error: &Failure) -> &'static str {
    if program::is_usage(error) {
        return "OptionError";
    }
    let of_engine = error.chain().find_map(|cause| {
        let engine = cause.downcast_ref::<EngineError>();
        engine.or_else(|| match cause.downcast_ref() {
            Some(lookalike::Error::Engine(engine)) => Some(engine),
            _ => None,
        })
    });
    match of_engine {
        Some(
            EngineError::LexiconMemory { .. }
            | EngineError::Budget { .. }
            | EngineError::LargeCluster { .. }
            | EngineError::Spill(_)
            | EngineError::WorkDir { .. }
            | EngineError::TooMany(_),
        ) => "ResourceError",
        Some(
            EngineError::Output { .. }
            | EngineError::Sink(_)
            | EngineError::NotOurs { .. }
            | EngineError::Unfinished { .. }
            | EngineError::Damaged { .. }
            | EngineError::Busy { .. },
        ) => "OutputError",
        Some(EngineError::Internal(_)) => "InternalError",
        Some(_) => "InputError",
        None => of_files(error),
    }
}

fn of_files(error: &Failure) -> &'static str {
    use lookalike::io::Error as Files;
    let of_files = error.chain().find_map(|cause| {
        let files = cause.downcast_ref::<Files>();
        files.or_else(|| match cause.downcast_ref() {
            Some(lookalike::Error::Files(files)) => Some(files),
            _ => None,
        })
    });
    match of_files {
        Some(Files::Output { .. } | Files::Result { .. } | Files::Foreign { .. }) => "OutputError",
        Some(Files::Internal(_)) => "InternalError",
        _ => "InputError",
    }
}

/// What clap says of wrong arguments, without its advice on the command line.
fn of_usage(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let text = rendered.trim_start_matches("error: ");
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let text = text
        .split("\n\nFor more information")
        .next()
        .unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .collect::<Vec<_>>()
        .join("; ")
        .replace("; tip: ", "; ")
}

/// A message with settings and options as arguments.
pub(crate) fn in_python(message: &str) -> String {
    let message = message.replace("`index create`", "Index.create");
    let message = message.replace("`lexicon build`", "`lookalike lexicon build`");
    without_options(&respell(&message, argument))
}

/// `keys=every` is `keys="every"`, and `strict=true` is `strict=True`.
fn argument(choice: &Choice) -> String {
    let name = choice.setting.name().replace('-', "_");
    match choice.value.as_deref() {
        None => format!("{name}="),
        Some("true") => format!("{name}=True"),
        Some("false") => format!("{name}=False"),
        Some(value) if value.parse::<f64>().is_ok() => format!("{name}={value}"),
        Some(value) => format!("{name}=\"{value}\""),
    }
}

/// `--text-field <FIELD>` is `text_field=`.
fn without_options(message: &str) -> String {
    let (mut out, mut rest) = (String::new(), message);
    while let Some(at) = rest.find("--") {
        let name: String = rest[at + 2..]
            .chars()
            .take_while(|c| c.is_ascii_lowercase() || *c == '-' || c.is_ascii_digit())
            .collect();
        let begins_word = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        if name.is_empty() || !begins_word {
            out += &rest[..at + 2];
            rest = &rest[at + 2..];
            continue;
        }
        out += &rest[..at];
        out += &name.replace('-', "_");
        out.push('=');
        rest = &rest[at + 2 + name.len()..];
        // What stands for the value, and the value that was given.
        if let Some(value) = rest.strip_prefix(" <") {
            rest = value.split_once('>').map_or("", |(_, after)| after);
        }
        rest = rest.strip_prefix('=').unwrap_or(rest);
    }
    out + rest
}
