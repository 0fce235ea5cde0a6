//! A long page on a terminal goes through a pager.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

/// Prints a page, by way of `$PAGER` or `less` where standard output is a terminal.
pub(super) fn print(page: &str) -> io::Result<()> {
    if io::stdout().is_terminal() && cfg!(unix) && paged(page).is_ok() {
        return Ok(());
    }
    anstream::stdout().write_all(page.as_bytes())
}

/// An error means that nothing was shown.
fn paged(page: &str) -> io::Result<()> {
    let wanted = env::var("PAGER").unwrap_or_default();
    let mut words = wanted.split_whitespace();
    let (program, arguments): (&str, Vec<&str>) = match words.next() {
        Some(program) => (program, words.collect()),
        // Colours, no paging of what fits, and the page stays on the screen.
        None => ("less", vec!["-RFX"]),
    };
    let mut pager = Command::new(program)
        .args(arguments)
        .env("LESSCHARSET", "utf-8")
        .stdin(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = pager.stdin.take() {
        let coloured = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
        let page = match coloured {
            true => page.to_string(),
            false => anstream::adapter::strip_str(page).to_string(),
        };
        // Who quits the pager has seen enough.
        let _ = input.write_all(page.as_bytes());
    }
    pager.wait().map(|_| ())
}
