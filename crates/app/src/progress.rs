//! The progress bar, on standard error of a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::{Observer, Stage, Unobserved};

use crate::screen::safe;

struct Bar(ProgressBar);

/// Does something that is watched, unless nobody would see it.
pub(crate) fn watched<T>(quiet: bool, work: impl FnOnce(&dyn Observer) -> T) -> T {
    if quiet || !std::io::stderr().is_terminal() {
        return work(&Unobserved);
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.enable_steady_tick(Duration::from_millis(200));
    let bar = Bar(bar);
    let done = work(&bar);
    bar.0.finish_and_clear();
    done
}

fn what(stage: Stage) -> &'static str {
    match stage {
        Stage::Count => "counting words",
        Stage::Sign => "reading",
        Stage::Collapse => "finding identical texts",
        Stage::Weigh => "weighing words",
        Stage::Select => "choosing rare features",
        Stage::Join => "finding candidates",
        Stage::Describe => "reading the candidates again",
        Stage::Verify => "comparing",
        Stage::Gather => "gathering documents",
        Stage::Align => "locating passages",
        Stage::Assemble => "clustering",
        Stage::Audit => "auditing",
        Stage::Write => "writing",
    }
}

impl Observer for Bar {
    fn begin(&self, stage: Stage, total: u64) {
        let template = match (stage, total) {
            (_, 0) => "{msg} {spinner}",
            (Stage::Count | Stage::Sign | Stage::Describe | Stage::Audit, _) => {
                "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta} left"
            }
            _ => "{msg} {wide_bar} {human_pos}/{human_len} {per_sec} {eta} left",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        self.0.set_message(what(stage));
        self.0.set_length(total);
        self.0.set_position(0);
        self.0.reset_eta();
    }

    fn done(&self, amount: u64) {
        self.0.set_position(amount);
    }

    fn note(&self, message: &str) {
        self.0.println(safe(message));
    }
}
