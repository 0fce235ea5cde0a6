//! Errors in the words of the program: settings are options.

use lookalike::kernel::{self, Choice};
use lookalike::{engine, index, judge};

/// Options that do not go together.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// Whether the settings are wrong, rather than the input or the machine.
pub(crate) fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let refusal = (cause.downcast_ref().and_then(lookalike::Error::refusal))
            .or_else(|| cause.downcast_ref().and_then(kernel::Error::refusal))
            .or_else(|| cause.downcast_ref().and_then(engine::Error::refusal))
            .or_else(|| cause.downcast_ref().and_then(judge::Error::refusal))
            .or_else(|| cause.downcast_ref().and_then(index::Error::refusal));
        refusal.is_some() || cause.is::<Usage>()
    })
}

/// The error and its causes, settings being options.
pub(crate) fn message(error: &anyhow::Error) -> String {
    with_options(&plain(error))
}

/// The error and its causes, without repeating a cause that the error quotes.
pub(crate) fn plain(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(cause.trim()) {
            message += &format!(": {}", cause.trim());
        }
    }
    message
}

/// A message of the library, with settings as options.
pub(crate) fn with_options(message: &str) -> String {
    kernel::respell(message, option)
}

/// `keys=every` is `--keys every`, and `strict=true` is `--strict`.
fn option(choice: &Choice) -> String {
    let name = choice.setting.name();
    match choice.value.as_deref() {
        None | Some("true") => format!("--{name}"),
        Some(value) => format!("--{name} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use lookalike::kernel::Setting;

    /// The sources behind the program, without comments and tests.
    fn library_lines() -> Vec<(PathBuf, String)> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let names = [
            "text", "sign", "pair", "kernel", "engine", "index", "io", "judge",
        ];
        let mut folders: Vec<PathBuf> = names.map(|name| crates.join(name).join("src")).into();
        let mut files = ["error.rs", "files.rs", "lib.rs"]
            .map(|name| crates.join("app/src").join(name))
            .to_vec();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.file_name().and_then(|name| name.to_str()) {
                    _ if path.is_dir() => folders.push(path),
                    Some(name) if name.ends_with(".rs") && name != "tests.rs" => files.push(path),
                    _ => {}
                }
            }
        }
        let mut lines = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let code = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            lines.extend(code.map(|line| (file.clone(), line.to_string())));
        }
        lines
    }

    #[test]
    fn only_the_program_writes_options() {
        for (file, line) in library_lines() {
            let parts = line.split("--").skip(1);
            let options = parts.filter(|part| part.starts_with(|c: char| c.is_ascii_lowercase()));
            assert_eq!(options.count(), 0, "{}: {line}", file.display());
        }
    }

    #[test]
    fn every_setting_that_errors_name_is_an_option() {
        let program = crate::commands::program();
        let commands = || program.get_subcommands();
        let options: BTreeSet<&str> = (commands().flat_map(clap::Command::get_subcommands))
            .chain(commands())
            .flat_map(clap::Command::get_arguments)
            .filter_map(clap::Arg::get_long)
            .collect();
        let mut named = 0;
        for (file, line) in library_lines() {
            for mark in line.split('`').skip(1).step_by(2) {
                let Some((name, _)) = mark.split_once('=') else {
                    continue;
                };
                if name.is_empty() || name.contains(|c: char| !(c.is_ascii_lowercase() || c == '-'))
                {
                    continue;
                }
                assert!(Setting::named(name).is_some(), "{}: {line}", file.display());
                assert!(options.contains(name), "{}: {line}", file.display());
                named += 1;
            }
        }
        assert!(named > 50, "{named}");
    }
}
