//! What a run shows while it works, on standard error: a bar where that is a terminal, else a line now and then. And how it is
//! stopped: the first Ctrl-C lets it save what it has, the second ends it at once.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::{Observer, Stage};

use crate::screen::{safe, thousands};
use crate::wording::with_options;

/// A line so often where nobody sees a bar.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// A bar so often at most.
const TICK: Duration = Duration::from_millis(200);

/// Whether and how a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Not at all, nor anything else.
    Quiet,
    /// What the user should know, but no progress.
    Notes,
    /// All of it.
    Progress,
}

/// Does something that is watched.
pub(crate) fn watched<T>(shown: Shown, work: impl FnOnce(&dyn Observer) -> T) -> T {
    watch(shown, Arc::default(), work)
}

/// The same for what saves what it has when it is stopped.
pub(crate) fn stoppable<T>(shown: Shown, work: impl FnOnce(&dyn Observer) -> T) -> T {
    watch(shown, stop_flag(), work)
}

fn watch<T>(shown: Shown, stop: Arc<AtomicBool>, work: impl FnOnce(&dyn Observer) -> T) -> T {
    let is_terminal = std::io::stderr().is_terminal();
    let bar = (shown == Shown::Progress && is_terminal).then(|| {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.enable_steady_tick(TICK);
        bar
    });
    let watcher = Watcher {
        shown,
        bar,
        state: Mutex::new(State::new()),
        begun: Instant::now(),
        next_line: AtomicU64::new(LINE_EVERY.as_secs()),
        stop,
    };
    let done = work(&watcher);
    if let Some(bar) = &watcher.bar {
        bar.finish_and_clear();
    }
    done
}

/// Set by Ctrl-C, or by a request to end; the second one ends the process at once.
pub(crate) fn stop_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // In this order: the first signal finds the flag not yet set. What cannot be registered ends the process as usual.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    flag
}

struct Watcher {
    shown: Shown,
    bar: Option<ProgressBar>,
    state: Mutex<State>,
    begun: Instant,
    /// How many seconds after the begin there is to be a line.
    next_line: AtomicU64,
    stop: Arc<AtomicBool>,
}

/// How far a run has come.
struct State {
    /// The stages to come, as far as they are known.
    stages: Vec<Stage>,
    stage: Option<(Stage, usize)>,
    total: u64,
    /// How much of it is done.
    amount: u64,
}

impl State {
    fn new() -> Self {
        State {
            stages: Vec::new(),
            stage: None,
            total: 0,
            amount: 0,
        }
    }

    /// As in `[2/6] choosing rare features`.
    fn title(&self) -> String {
        let Some((stage, number)) = self.stage else {
            return String::new();
        };
        let count = self.stages.len().max(number);
        format!("[{number}/{count}] {}", what(stage))
    }

    /// The share of the whole that is done, by how long stages usually take.
    fn share_done(&self) -> f64 {
        let Some((stage, number)) = self.stage else {
            return 0.0;
        };
        let sum = |stages: &[Stage]| stages.iter().map(|stage| usual_share(*stage)).sum::<f64>();
        let before = sum(&self.stages[..(number - 1).min(self.stages.len())]);
        let part = match self.total {
            0 => 0.0,
            total => (self.amount as f64 / total as f64).min(1.0),
        };
        (before + part * usual_share(stage)) / sum(&self.stages).max(before + usual_share(stage))
    }

    /// How long the rest may take, after so long.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let share = self.share_done();
        (share > 0.02).then(|| elapsed.mul_f64((1.0 - share) / share))
    }

    /// As in `[3/6] finding candidates 40 % (1:05 so far, about 0:30 left)`.
    fn line(&self, elapsed: Duration) -> String {
        let amount = match (self.total, self.amount) {
            (0, 0) => String::new(),
            (0, amount) => format!(" {}", thousands(amount)),
            (total, amount) => {
                let share = (amount as f64 / total as f64).min(1.0);
                format!(" {:.0} %", 100.0 * share)
            }
        };
        let left = self.left(elapsed).map(clock);
        let left = left.map_or(String::new(), |left| format!(", about {left} left"));
        let elapsed = clock(elapsed);
        format!("{}{amount} ({elapsed} so far{left})", self.title())
    }
}

fn what(stage: Stage) -> &'static str {
    match stage {
        Stage::Count => "counting words",
        Stage::Sign => "reading",
        Stage::Collapse => "finding identical texts",
        Stage::Weigh => "weighing words",
        Stage::Select => "choosing rare features",
        Stage::Join => "finding candidates",
        Stage::Describe => "rereading candidates",
        Stage::Verify => "comparing",
        Stage::Differ => "classifying differences",
        Stage::Gather => "gathering documents",
        Stage::Search => "searching for shared words",
        Stage::Align => "locating passages",
        Stage::Assemble => "clustering",
        Stage::Suggest => "ranking suggestions",
        Stage::Audit => "auditing",
        Stage::Write => "writing",
    }
}

/// About what share of a run's time a stage takes, for the estimate of the rest.
fn usual_share(stage: Stage) -> f64 {
    match stage {
        Stage::Sign | Stage::Count | Stage::Audit => 4.0,
        Stage::Align => 6.0,
        Stage::Describe | Stage::Join | Stage::Select | Stage::Verify | Stage::Search => 2.0,
        Stage::Suggest => 8.0,
        Stage::Weigh | Stage::Gather | Stage::Differ | Stage::Write => 1.0,
        Stage::Collapse | Stage::Assemble => 0.3,
    }
}

/// As in `1:05:09` or `0:07`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

impl Watcher {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.println(safe(message)),
            None => {
                let _ = writeln!(anstream::stderr(), "{}", safe(message));
            }
        }
    }
}

impl Observer for Watcher {
    fn stages(&self, stages: &[Stage]) {
        self.state().stages = stages.to_vec();
    }

    fn begin(&self, stage: Stage, total: u64) {
        let mut state = self.state();
        let after = state.stage.map_or(0, |(_, number)| number);
        // A stage that runs again, or was not foreseen, does not count anew.
        let ahead = state
            .stages
            .iter()
            .skip(after)
            .position(|next| *next == stage);
        let number = ahead.map_or(after.max(1), |steps| after + steps + 1);
        (state.stage, state.total) = (Some((stage, number)), total);
        state.amount = 0;
        let Some(bar) = &self.bar else {
            return;
        };
        let template = match (stage, total) {
            (_, 0) => "{prefix} {spinner} {msg}",
            (Stage::Count | Stage::Sign | Stage::Describe | Stage::Audit, _) => {
                "{prefix} {wide_bar} {bytes}/{total_bytes} {msg}"
            }
            _ => "{prefix} {wide_bar} {human_pos}/{human_len} {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(state.title());
        bar.set_length(total);
        bar.set_position(0);
    }

    fn done(&self, amount: u64) {
        if self.shown != Shown::Progress {
            return;
        }
        let mut state = self.state();
        state.amount = amount;
        if let Some(bar) = &self.bar {
            let left = state.left(self.begun.elapsed()).map(clock);
            bar.set_position(amount);
            bar.set_message(match (state.total, left) {
                (_, Some(left)) => format!("about {left} left"),
                // How much there is to do is not known.
                (0, None) => thousands(amount),
                (_, None) => String::new(),
            });
        }
    }

    fn note(&self, message: &str) {
        if self.shown != Shown::Quiet {
            self.line(&with_options(message));
        }
    }

    /// Asked all the time, whatever is done, so this is where lines come from, too.
    fn is_stopped(&self) -> bool {
        if self.shown == Shown::Progress && self.bar.is_none() {
            let (elapsed, next) = (self.begun.elapsed(), &self.next_line);
            let now = elapsed.as_secs();
            let due = next.load(Ordering::Relaxed);
            let after = now + LINE_EVERY.as_secs();
            let order = Ordering::Relaxed;
            if now >= due && next.compare_exchange(due, after, order, order).is_ok() {
                let line = self.state().line(elapsed);
                self.line(&line);
            }
        }
        self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_is_estimated_from_the_stages_before_and_after() {
        let mut state = State::new();
        state.stages = vec![Stage::Sign, Stage::Join, Stage::Verify];
        (state.stage, state.total, state.amount) = (Some((Stage::Sign, 1)), 100, 50);
        assert_eq!(state.title(), "[1/3] reading");
        assert_eq!(state.share_done(), 0.25);
        (state.stage, state.total, state.amount) = (Some((Stage::Verify, 3)), 10, 0);
        assert_eq!(state.share_done(), 0.75);
        state.amount = 20;
        assert_eq!(state.share_done(), 1.0);
    }

    #[test]
    fn times_are_shown_as_on_a_clock() {
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(clock(Duration::from_secs(3909)), "1:05:09");
    }
}
