//! Runs that are killed, with no chance to clean up.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::Place;
use super::corpus::Random;

/// When runs are killed: once they have saved one to six checkpoints, the same ones however fast the machine is.
pub(crate) struct Moments(Random);

impl Moments {
    pub(crate) fn new() -> Self {
        Moments(Random(12))
    }

    /// Starts a run and kills it. False if it was finished already.
    pub(crate) fn kill(&mut self, place: &Place, mut command: Command) -> bool {
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        let manifest = place.path("out/.lookalike/manifest.json");
        let saved_at = || std::fs::metadata(&manifest).and_then(|file| file.modified());
        let (mut last, mut seen) = (saved_at().ok(), 0);
        let wanted = self.0.below(6) + 1;
        while seen < wanted && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
            let now = saved_at().ok();
            seen += usize::from(now.is_some() && now != last);
            last = now;
        }
        kill(child)
    }
}

/// Kills the run. False if it was finished already.
pub(crate) fn kill(mut child: Child) -> bool {
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

/// Starts a run and kills it once `is_saved` says so of its manifest; where this process was too slow for that, again.
pub(crate) fn interrupt(place: &Place, arguments: &str, is_saved: impl Fn(&str) -> bool) {
    let manifest = place.path("out/.lookalike/manifest.json");
    for _ in 0..50 {
        let mut command = place.command(arguments);
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        let is_due = || std::fs::read_to_string(&manifest).is_ok_and(|saved| is_saved(&saved));
        while !is_due() && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        if kill(child) && manifest.exists() {
            return;
        }
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    unreachable!("the run was always quicker than this process");
}
