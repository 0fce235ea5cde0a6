//! Independent pieces of work on several threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// As many as the machine runs at once.
pub(crate) fn usual_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// What `work` gives for each number below `count`, in their order whichever thread did it.
pub(crate) fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(count);
    if threads <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take_turns = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= count {
                return done;
            }
            done.push((place, work(place)));
        }
    };
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take_turns)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<(usize, T)>>| {
            let result = worker.join();
            result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 50] {
            let squares = in_order(20, threads, |place| place * place);
            let expected: Vec<usize> = (0..20).map(|place| place * place).collect();
            assert_eq!(squares, expected);
        }
        assert!(in_order(0, 4, |place| place).is_empty());
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_passed_on() {
        in_order(4, 2, |place| assert!(place != 2, "the third"));
    }
}
