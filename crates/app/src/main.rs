//! The lookalike program; all of it is in [`lookalike::program`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(lookalike::program::main(std::env::args_os()))
}
