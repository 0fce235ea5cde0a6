//! A run in a thread of its own, watched by the thread that asked for it: signals are heard and progress is told.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lookalike::program::Failure;
use lookalike::{Observer, Stage};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors::{exception, in_python, settle};

/// So often signals are looked for.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// What a run tells.
#[derive(Default)]
struct Watch {
    stop: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    stages: Vec<&'static str>,
    stage: Option<&'static str>,
    total: u64,
    done: u64,
    notes: Vec<String>,
    is_new: bool,
}

impl Watch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Watch {
    fn stages(&self, stages: &[Stage]) {
        self.state().stages = stages.iter().map(|stage| stage.name()).collect();
    }

    fn begin(&self, stage: Stage, total: u64) {
        let mut state = self.state();
        (state.stage, state.total, state.done) = (Some(stage.name()), total, 0);
        state.is_new = true;
    }

    fn done(&self, amount: u64) {
        let mut state = self.state();
        (state.done, state.is_new) = (amount, true);
    }

    fn note(&self, message: &str) {
        let mut state = self.state();
        state.notes.push(in_python(message));
        state.is_new = true;
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Runs something that can be stopped. `progress` is called with the stages, the stage, what is done of it and how much there is,
/// and what the user should know, whenever one of them is new.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Observer) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let watching = &watch;
        scope.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(watching)));
            // Nobody listens if the thread that asked is gone, and then nobody cares.
            let _ = sender.send(done);
        });
        let mut interrupted = None;
        let done = wait(py, receiver, || {
            if let Err(error) = hear(py).and_then(|()| tell(&watch, progress)) {
                watch.stop.store(true, Ordering::Relaxed);
                interrupted.get_or_insert(error);
            }
            Ok(())
        });
        let _ = tell(&watch, progress);
        // Whatever became of a run that was to stop, the caller is told that it was.
        match interrupted {
            Some(interrupt) => Err(interrupt),
            None => done,
        }
    })
}

/// Does something that writes nothing and cannot be stopped: whoever interrupts it does not wait for its end.
pub(crate) fn awaited<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(work));
        let _ = sender.send(done);
    });
    wait(py, receiver, || hear(py))
}

/// Waits for what another thread does without holding the interpreter, and does something else now and then.
fn wait<T: Send>(
    py: Python<'_>,
    receiver: Receiver<std::thread::Result<Result<T, Failure>>>,
    mut meanwhile: impl FnMut() -> PyResult<()>,
) -> PyResult<T> {
    let receiver = Mutex::new(receiver);
    loop {
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(TICK)
        });
        match received {
            Ok(done) => return settle(py, done),
            Err(RecvTimeoutError::Timeout) => meanwhile()?,
            Err(RecvTimeoutError::Disconnected) => {
                let problem = "internal error: a run was lost; please report this";
                return Err(exception(py, "InternalError", problem));
            }
        }
    }
}

/// Hears signals, of which the main thread tells the others.
pub(crate) fn hear(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    let signals = py.import("lookalike._signals")?;
    match signals.call_method0("is_main_interrupted")?.is_truthy()? {
        true => Err(PyKeyboardInterrupt::new_err(())),
        false => Ok(()),
    }
}

fn tell(watch: &Watch, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(progress) = progress else {
        return Ok(());
    };
    let told = {
        let mut state = watch.state();
        if !std::mem::take(&mut state.is_new) {
            return Ok(());
        }
        let notes = std::mem::take(&mut state.notes);
        (
            state.stages.clone(),
            state.stage,
            state.done,
            state.total,
            notes,
        )
    };
    progress.call1(told).map(drop)
}
