//! Many workers, one order: items are pulled in order, worked on by any thread, and committed in the order pulled.
//!
//! Everything that reaches the output passes through a commit, so the number of threads cannot be seen in it.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::Error;

/// What a pull gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pulled {
    /// Nothing is left.
    Nothing,
    /// An item to work on while others are pulled.
    Item,
    /// An item so large that nothing else should be pulled until it is worked on: two would not fit in memory.
    LargeItem,
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Pull on.
    Continue,
    /// What was committed is enough.
    Stop,
}

struct Turn<R, C> {
    /// The number of the item to commit next.
    next: u64,
    /// Results that wait for an earlier one.
    waiting: BTreeMap<u64, R>,
    commit: C,
    stop: bool,
    /// The failure of the earliest item, so that the error shown does not depend on threads either.
    failed: Option<(u64, Error)>,
}

/// Pulls items into a worker's own `W` until there is none, and commits the results in order.
pub(crate) fn in_order<W, R: Send>(
    threads: usize,
    worker: impl Fn() -> W + Sync,
    pull: impl FnMut(&mut W) -> Result<Pulled, Error> + Send,
    work: impl Fn(&mut W) -> Result<R, Error> + Sync,
    commit: impl FnMut(R) -> Result<Flow, Error> + Send,
) -> Result<(), Error> {
    let source = Mutex::new((0u64, pull));
    let turn = Mutex::new(Turn {
        next: 0,
        waiting: BTreeMap::new(),
        commit,
        stop: false,
        failed: None,
    });
    let moved = Condvar::new();
    let most_waiting = 2 * threads;

    let run = || {
        let mut state = worker();
        loop {
            let mut source = lock(&source);
            if lock(&turn).stop {
                return;
            }
            let number = source.0;
            let pulled = (source.1)(&mut state);
            source.0 += 1;
            let result = match pulled {
                Ok(Pulled::Nothing) => return,
                Ok(Pulled::Item) => {
                    drop(source);
                    work(&mut state)
                }
                Ok(Pulled::LargeItem) => {
                    let result = work(&mut state);
                    drop(source);
                    result
                }
                Err(error) => {
                    drop(source);
                    Err(error)
                }
            };
            let mut turn = lock(&turn);
            // The worker whose turn it is never waits, so this always ends.
            while turn.next < number && turn.waiting.len() >= most_waiting && !turn.stop {
                turn = moved.wait(turn).unwrap_or_else(PoisonError::into_inner);
            }
            settle(&mut turn, number, result);
            moved.notify_all();
        }
    };
    if threads <= 1 {
        run();
    } else {
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(run);
            }
        });
    }
    let turn = turn.into_inner().unwrap_or_else(PoisonError::into_inner);
    match turn.failed {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

fn settle<R, C: FnMut(R) -> Result<Flow, Error>>(
    turn: &mut Turn<R, C>,
    number: u64,
    result: Result<R, Error>,
) {
    match result {
        Ok(result) => {
            turn.waiting.insert(number, result);
        }
        Err(error) => fail(turn, number, error),
    }
    while !turn.stop {
        let Some(result) = turn.waiting.remove(&turn.next) else {
            return;
        };
        let number = turn.next;
        turn.next += 1;
        match (turn.commit)(result) {
            Ok(Flow::Continue) => {}
            Ok(Flow::Stop) => turn.stop = true,
            Err(error) => fail(turn, number, error),
        }
    }
}

fn fail<R, C>(turn: &mut Turn<R, C>, number: u64, error: Error) {
    turn.stop = true;
    if turn
        .failed
        .as_ref()
        .is_none_or(|(earlier, _)| number < *earlier)
    {
        turn.failed = Some((number, error));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, stop_after: usize) -> Vec<u64> {
        let mut next = 0;
        let mut out = Vec::new();
        in_order(
            threads,
            || 0u64,
            |item| {
                next += 1;
                *item = next;
                Ok(if next > 500 {
                    Pulled::Nothing
                } else {
                    Pulled::Item
                })
            },
            |item| {
                // Later items tend to be done first.
                if *item % 7 == 0 {
                    thread::yield_now();
                }
                Ok(*item * *item)
            },
            |square| {
                out.push(square);
                Ok(if out.len() == stop_after {
                    Flow::Stop
                } else {
                    Flow::Continue
                })
            },
        )
        .unwrap();
        out
    }

    #[test]
    fn results_are_committed_in_the_order_pulled_whatever_the_threads() {
        let expected: Vec<u64> = (1..=500).map(|n| n * n).collect();
        for threads in [1, 2, 3, 8] {
            assert_eq!(squares(threads, usize::MAX), expected);
            assert_eq!(squares(threads, 100), expected[..100]);
        }
    }

    #[test]
    fn the_error_of_the_earliest_item_is_the_one_returned() {
        for threads in [1, 2, 8] {
            let mut next = 0u64;
            let result = in_order(
                threads,
                || 0u64,
                |item| {
                    next += 1;
                    *item = next;
                    Ok(Pulled::Item)
                },
                |item| {
                    if *item >= 10 {
                        Err(Error::Internal(item.to_string()))
                    } else {
                        Ok(())
                    }
                },
                |()| Ok(Flow::Continue),
            );
            assert!(matches!(result, Err(Error::Internal(item)) if item == "10"));
        }
    }
}
