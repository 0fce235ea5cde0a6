//! Work on several threads whose results come in order. In come items one after the other, out go their results in the
//! same order; so the number of threads cannot be seen in what is made of them.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::Error;

/// Pulls items until there are none, works on them in any thread, and commits the results in the order pulled. An error
/// counts once everything before it is committed.
pub(crate) fn in_order<T: Send, U: Send>(
    threads: usize,
    pull: impl FnMut() -> Result<Option<T>, Error> + Send,
    work: impl Fn(T) -> U + Sync,
    commit: impl FnMut(U) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let source = Mutex::new(Source {
        pull,
        next: 0,
        ended: false,
    });
    let results = Results {
        state: Mutex::new(State {
            commit,
            next: 0,
            waiting: BTreeMap::new(),
            outcome: Ok(()),
            stopped: false,
        }),
        changed: Condvar::new(),
        most_waiting: threads.max(1),
    };
    let turn = || {
        let _guard = StopOnPanic(&results);
        while let Some((number, item)) = next_item(&source) {
            if !results.put(number, item.map(&work)) {
                lock(&source).ended = true;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(turn);
        }
        turn();
    });
    results
        .state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .outcome
}

struct Source<P> {
    pull: P,
    next: u64,
    ended: bool,
}

type Item<T> = (u64, Result<T, Error>);

fn next_item<T, P: FnMut() -> Result<Option<T>, Error>>(
    source: &Mutex<Source<P>>,
) -> Option<Item<T>> {
    let mut source = lock(source);
    if source.ended {
        return None;
    }
    let item = (source.pull)().transpose();
    source.ended = !matches!(item, Some(Ok(_)));
    source.next += 1;
    item.map(|item| (source.next - 1, item))
}

struct Results<U, C> {
    state: Mutex<State<U, C>>,
    changed: Condvar,
    most_waiting: usize,
}

struct State<U, C> {
    commit: C,
    /// The number of the result to commit next.
    next: u64,
    waiting: BTreeMap<u64, Result<U, Error>>,
    outcome: Result<(), Error>,
    stopped: bool,
}

impl<U, C: FnMut(U) -> Result<(), Error>> Results<U, C> {
    /// Commits what can be committed; false if there is nothing more to do.
    fn put(&self, number: u64, result: Result<U, Error>) -> bool {
        let mut state = lock(&self.state);
        state.waiting.insert(number, result);
        while let Some(result) = {
            let next = state.next;
            state.waiting.remove(&next)
        } {
            state.next += 1;
            if !state.stopped {
                state.outcome = result.and_then(&mut state.commit);
                state.stopped = state.outcome.is_err();
            }
            self.changed.notify_all();
        }
        while state.waiting.len() > self.most_waiting && !state.stopped {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        !state.stopped
    }
}

/// The others must not wait for a result that never comes.
struct StopOnPanic<'a, U, C>(&'a Results<U, C>);

impl<U, C> Drop for StopOnPanic<'_, U, C> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(&self.0.state).stopped = true;
            self.0.changed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, fail_at: u64) -> (Vec<u64>, bool) {
        let mut numbers = 0..200;
        let mut committed = Vec::new();
        let result = in_order(
            threads,
            || match numbers.next() {
                Some(number) if number == fail_at => Err(Error::StandardInputTwice),
                number => Ok(number),
            },
            |number| (0..(number * 7919) % 5000).fold(number * number, |sum, _| sum),
            |square| {
                committed.push(square);
                Ok(())
            },
        );
        (committed, result.is_ok())
    }

    #[test]
    fn results_come_in_order_and_an_error_after_all_before_it() {
        let squares: Vec<u64> = (0..200).map(|number| number * number).collect();
        for threads in [1, 2, 5] {
            assert_eq!(run(threads, 1000), (squares.clone(), true));
            assert_eq!(run(threads, 77), (squares[..77].to_vec(), false));
        }
    }
}
