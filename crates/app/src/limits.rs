//! What the system allows this process.

use std::sync::Arc;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGXFSZ;

/// As many open files as may be allowed, and an error of the write that makes a file too large: by default its signal
/// ends the process without a word. Where the system refuses either, all stays as it was.
pub(crate) fn lift() {
    let files = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: files.maximum,
        ..files
    };
    let _ = setrlimit(Resource::Nofile, most);
    // A signal that is handled does not end the process; nobody asks for the flag.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}
