//! Many workers, one order: items are pulled in order, worked on by any thread, and committed in the order pulled.
//!
//! Everything that reaches the output passes through a commit, so the number of threads cannot be seen in it. Where all
//! items are there at once, [`in_parallel`] gives what they come to, in their order.
//!
//! ```
//! use lookalike_pair::workers::{Pulled, in_order};
//!
//! let (mut next, mut squares) = (0, Vec::new());
//! in_order(
//!     2,
//!     || Ok::<_, String>(0),
//!     |mine| Ok(Pulled::number(&mut next, mine, 5)),
//!     |mine| Ok(*mine * *mine),
//!     |square| {
//!         squares.push(square);
//!         Ok(())
//!     },
//! )?;
//! assert_eq!(squares, [0, 1, 4, 9, 16]);
//! # Ok::<(), String>(())
//! ```

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What a pull gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pulled {
    /// Nothing is left.
    Nothing,
    /// An item to work on while others are pulled.
    Item,
    /// An item so large that nothing else should be pulled until it is worked on: two would not fit in memory.
    LargeItem,
}

impl Pulled {
    /// The next of so many numbers.
    pub fn number(next: &mut usize, mine: &mut usize, count: usize) -> Pulled {
        *mine = *next;
        *next += 1;
        if *mine < count {
            Pulled::Item
        } else {
            Pulled::Nothing
        }
    }
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Pull on.
    Continue,
    /// What was committed is enough.
    Stop,
}

/// A commit with nothing to say lets the work go on.
impl From<()> for Flow {
    fn from((): ()) -> Self {
        Flow::Continue
    }
}

struct Turn<R, C, E> {
    /// The number of the item to commit next.
    next: u64,
    /// Results that wait for an earlier one.
    waiting: BTreeMap<u64, Result<R, E>>,
    commit: C,
    /// Nothing more is pulled; what was pulled still takes its turn.
    no_more: bool,
    /// Nothing more is committed.
    stop: bool,
    failed: Option<E>,
}

impl<R, E, C: FnMut(R) -> Result<Flow, E>> Turn<R, C, E> {
    /// Takes a result and commits whatever is in turn. An error counts only once all earlier items are committed, so
    /// neither the error shown nor whether there is one depends on threads.
    fn settle(&mut self, number: u64, result: Result<R, E>) {
        self.no_more |= result.is_err();
        self.waiting.insert(number, result);
        while !self.stop {
            let Some(result) = self.waiting.remove(&self.next) else {
                return;
            };
            self.next += 1;
            match result.and_then(|result| (self.commit)(result)) {
                Ok(Flow::Continue) => {}
                Ok(Flow::Stop) => self.stop = true,
                Err(error) => {
                    self.stop = true;
                    self.failed = Some(error);
                }
            }
        }
    }
}

/// Lets the other workers go if this one panics: its item would never take its turn.
struct Release<'t, R, C, E> {
    turn: &'t Mutex<Turn<R, C, E>>,
    moved: &'t Condvar,
}

impl<R, C, E> Drop for Release<'_, R, C, E> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(self.turn).stop = true;
            self.moved.notify_all();
        }
    }
}

/// Pulls items into a worker's own `W` until there is none, and commits the results in order.
///
/// # Errors
/// What a worker cannot be made for, or the first that pulling, working or committing gives, in the order of the items.
pub fn in_order<W, R: Send, F: Into<Flow>, E: Send>(
    threads: usize,
    worker: impl Fn() -> Result<W, E> + Sync,
    pull: impl FnMut(&mut W) -> Result<Pulled, E> + Send,
    work: impl Fn(&mut W) -> Result<R, E> + Sync,
    mut commit: impl FnMut(R) -> Result<F, E> + Send,
) -> Result<(), E> {
    let source = Mutex::new((0u64, pull));
    let turn = Mutex::new(Turn {
        next: 0,
        waiting: BTreeMap::new(),
        commit: |result| commit(result).map(Into::into),
        no_more: false,
        stop: false,
        failed: None,
    });
    let moved = Condvar::new();
    let most_waiting = 2 * threads;

    let run = || {
        let _release = Release {
            turn: &turn,
            moved: &moved,
        };
        let mut state = match worker() {
            Ok(state) => state,
            Err(error) => {
                let mut turn = lock(&turn);
                turn.stop = true;
                turn.failed.get_or_insert(error);
                moved.notify_all();
                return;
            }
        };
        loop {
            let mut source = lock(&source);
            {
                let turn = lock(&turn);
                if turn.stop || turn.no_more {
                    return;
                }
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
            turn.settle(number, result);
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
    turn.failed.map_or(Ok(()), Err)
}

/// Cuts a list into a piece a thread, and gives what `work` makes of each, in order.
pub fn in_parallel<T: Sync, R: Send>(
    list: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    a_thread_each(list.chunks(list.len().div_ceil(threads).max(1)), work)
}

/// What `work` makes of each item, on a thread each, in order.
pub fn a_thread_each<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    thread::scope(|scope| {
        let work = &work;
        let items = items.into_iter();
        let running: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, R>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().map(join).collect()
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pulls the numbers from 1 to `last`.
    fn count_to(last: u64) -> impl FnMut(&mut u64) -> Result<Pulled, String> {
        let mut next = 0;
        move |item| {
            next += 1;
            *item = next;
            Ok(if next > last {
                Pulled::Nothing
            } else {
                Pulled::Item
            })
        }
    }

    fn squares(threads: usize, stop_after: usize) -> Vec<u64> {
        let mut out = Vec::new();
        in_order(
            threads,
            || Ok(0u64),
            count_to(500),
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
            let result = in_order(
                threads,
                || Ok(0u64),
                count_to(u64::MAX),
                |item| {
                    if *item >= 10 {
                        Err(item.to_string())
                    } else {
                        Ok(())
                    }
                },
                |()| Ok(Flow::Continue),
            );
            assert_eq!(result, Err("10".to_string()));
        }
    }

    #[test]
    fn an_error_after_the_stop_is_never_seen() {
        for threads in [1, 2, 8] {
            for _ in 0..50 {
                let mut committed = 0;
                let result = in_order(
                    threads,
                    || Ok(0u64),
                    count_to(u64::MAX),
                    |item| match *item {
                        1 => {
                            thread::yield_now();
                            Ok(())
                        }
                        _ => Err("too late".to_string()),
                    },
                    |()| {
                        committed += 1;
                        Ok(Flow::Stop)
                    },
                );
                assert!(result.is_ok() && committed == 1);
            }
        }
    }

    #[test]
    fn a_panic_in_one_worker_ends_the_others() {
        let result = std::panic::catch_unwind(|| {
            in_order(
                4,
                || Ok(0u64),
                count_to(1000),
                |item| {
                    assert!(*item != 3, "the third item is bad");
                    Ok(())
                },
                |()| Ok(Flow::Continue),
            )
        });
        assert!(result.is_err());
    }

    #[test]
    fn pieces_are_in_order_on_any_number_of_threads() {
        let numbers: Vec<u64> = (0..20).collect();
        for threads in [1, 2, 3, 50] {
            let pieces = in_parallel(&numbers, threads, <[u64]>::to_vec);
            assert!(pieces.len() <= threads);
            assert_eq!(pieces.concat(), numbers);
        }
        assert!(in_parallel(&[0u64; 0], 4, <[u64]>::len).is_empty());
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_passed_on() {
        a_thread_each(0..4, |place| assert!(place != 2, "the third"));
    }
}
