//! Work in pieces, on all cores, whose results are used in order.
//!
//! Threads take the next piece when they have finished one, and get only a few pieces ahead of the consumer,
//! so that little memory holds the results. The calling thread does everything without the feature
//! `parallel`, on a machine with one core, and where steps are counted (which is done per thread).

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

const MOST_THREADS: usize = 16;
/// The time between two polls for a request to stop.
const PAUSE: Duration = Duration::from_millis(20);

/// The number of threads to use: one for each core, or the requested number if that is less; 0 requests all.
pub(crate) fn threads(asked: usize) -> usize {
    #[cfg(test)]
    if let Some(forced) = FORCED.get() {
        return forced;
    }
    if !cfg!(feature = "parallel") || cfg!(feature = "steps") {
        return 1;
    }
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS));
    if asked == 0 { cores } else { asked.min(cores) }
}

/// The most pieces that may be complete, or in work, and not used yet.
pub(crate) fn most_ahead(threads: usize) -> usize {
    2 * threads
}

#[cfg(test)]
thread_local! {
    static FORCED: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Runs `work`, for which every call from this thread uses `threads` threads.
#[cfg(test)]
pub(crate) fn on_threads<R>(threads: usize, work: impl FnOnce() -> R) -> R {
    FORCED.set(Some(threads));
    let done = work();
    FORCED.set(None);
    done
}

struct Shared<R> {
    state: Mutex<State<R>>,
    // Tells the consumer that a piece is complete.
    is_done: Condvar,
    // Tells the workers that a piece was used.
    is_used: Condvar,
}

struct State<R> {
    next: usize,
    used: usize,
    done: HashMap<usize, R>,
    is_over: bool,
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.lock().is_over = true;
        self.is_used.notify_all();
        self.is_done.notify_all();
    }
}

/// Ends the work when it is dropped: at the end, or when a thread panics.
struct Ends<'s, R>(&'s Shared<R>);

impl<R> Drop for Ends<'_, R> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Does `count` pieces of work, each with the state of its thread, and passes their results to `take` in
/// order. `take` can end the work, and so can `poll`, which is called now and then in this thread while it
/// waits. Returns whether all pieces were done.
pub(crate) fn in_order<S, R: Send>(
    (count, threads): (usize, usize),
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
    mut take: impl FnMut(usize, R) -> ControlFlow<()>,
    poll: impl Fn() -> ControlFlow<()>,
) -> bool {
    let alone = |take: &mut dyn FnMut(usize, R) -> ControlFlow<()>| {
        let mut state = start();
        (0..count).all(|piece| take(piece, work(&mut state, piece)).is_continue() && poll().is_continue())
    };
    if threads < 2 || count < 2 {
        return alone(&mut take);
    }
    let state = State { next: 0, used: 0, done: HashMap::new(), is_over: false };
    let shared = Shared { state: Mutex::new(state), is_done: Condvar::new(), is_used: Condvar::new() };
    let ahead = most_ahead(threads);
    let worker = || {
        let ends = Ends(&shared);
        let mut worker_state = start();
        loop {
            let piece = {
                let mut state = shared.lock();
                while state.next < count && state.next >= state.used + ahead && !state.is_over {
                    state = shared.is_used.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                if state.next == count || state.is_over {
                    break;
                }
                state.next += 1;
                state.next - 1
            };
            let result = work(&mut worker_state, piece);
            shared.lock().done.insert(piece, result);
            shared.is_done.notify_one();
        }
        // Other workers continue.
        std::mem::forget(ends);
    };
    thread::scope(|scope| {
        let ends = Ends(&shared);
        let workers: Vec<_> = (0..threads.min(count))
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, worker).ok())
            .collect();
        if workers.is_empty() {
            return alone(&mut take);
        }
        let mut is_whole = true;
        for piece in 0..count {
            let Some(result) = next(&shared, piece, &poll) else {
                is_whole = false;
                break;
            };
            if take(piece, result).is_break() {
                is_whole = false;
                break;
            }
        }
        drop(ends);
        for worker in workers {
            if let Err(panic) = worker.join() {
                resume_unwind(panic);
            }
        }
        is_whole
    })
}

/// Does two pieces of work at the same time if a thread is worthwhile and there is a second core, otherwise
/// one after the other. The second is done in this thread; while it waits for the first, `poll` is called now
/// and then.
pub(crate) fn both<A: Send, B>(
    is_worth_it: bool,
    first: impl Fn() -> A + Sync,
    second: impl FnOnce() -> B,
    poll: impl Fn(),
) -> (A, B) {
    if !is_worth_it || threads(0) < 2 {
        return (first(), second());
    }
    let waiting = thread::current();
    thread::scope(|scope| {
        let work = || {
            let done = first();
            waiting.unpark();
            done
        };
        let Ok(helper) = thread::Builder::new().spawn_scoped(scope, work) else {
            return (first(), second());
        };
        let second = second();
        while !helper.is_finished() {
            thread::park_timeout(PAUSE);
            poll();
        }
        (helper.join().unwrap_or_else(|panic| resume_unwind(panic)), second)
    })
}

// Waits for a result; `None` if the work ended.
fn next<R>(shared: &Shared<R>, piece: usize, poll: &impl Fn() -> ControlFlow<()>) -> Option<R> {
    let mut state = shared.lock();
    loop {
        if let Some(result) = state.done.remove(&piece) {
            state.used = piece + 1;
            shared.is_used.notify_all();
            return Some(result);
        }
        if state.is_over {
            return None;
        }
        let waited = shared.is_done.wait_timeout(state, PAUSE).unwrap_or_else(PoisonError::into_inner);
        state = waited.0;
        if waited.1.timed_out() {
            drop(state);
            if poll().is_break() {
                return None;
            }
            state = shared.lock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const GO: ControlFlow<()> = ControlFlow::Continue(());
    const STOP: ControlFlow<()> = ControlFlow::Break(());

    #[test]
    fn results_come_in_order_and_each_thread_has_its_state() {
        for threads in [1, 2, 5] {
            let (started, mut seen) = (AtomicUsize::new(0), Vec::new());
            let start = || started.fetch_add(1, Ordering::Relaxed);
            let work = |_: &mut usize, piece: usize| {
                if piece.is_multiple_of(7) {
                    thread::sleep(Duration::from_micros(100));
                }
                piece * piece
            };
            let take = |piece, result| {
                seen.push((piece, result));
                GO
            };
            assert!(in_order((100, threads), start, work, take, || GO));
            assert!((0..100).map(|piece| (piece, piece * piece)).eq(seen));
            assert!(started.into_inner() <= threads);
        }
    }

    #[test]
    fn threads_do_not_get_far_ahead() {
        let (used, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |_: &mut (), piece: usize| {
            most.fetch_max(piece + 1 - used.load(Ordering::Relaxed).min(piece), Ordering::Relaxed);
        };
        let take = |piece, ()| {
            thread::sleep(Duration::from_micros(50));
            used.store(piece, Ordering::Relaxed);
            GO
        };
        assert!(in_order((200, 3), || (), work, take, || GO));
        assert!(most.into_inner() <= most_ahead(3) + 2);
    }

    #[test]
    fn the_consumer_and_a_request_end_the_work() {
        for threads in [1, 3] {
            let done = AtomicUsize::new(0);
            let count = |_: &mut (), _| done.fetch_add(1, Ordering::Relaxed);
            let take = |piece, _| if piece == 10 { STOP } else { GO };
            assert!(!in_order((100_000, threads), || (), count, take, || GO));
            assert!(done.into_inner() < 100);
            let slow = |_: &mut (), _| thread::sleep(PAUSE * 2);
            assert!(!in_order((100, threads), || (), slow, |_, ()| GO, || STOP));
        }
        assert!(in_order((0, 3), || (), |_: &mut (), _| (), |_, ()| GO, || STOP));
    }

    #[test]
    fn two_things_give_two_results() {
        for pause in [Duration::ZERO, PAUSE * 2] {
            let polled = AtomicUsize::new(0);
            let first = || {
                thread::sleep(pause);
                "first"
            };
            let poll = || {
                polled.fetch_add(1, Ordering::Relaxed);
            };
            assert_eq!(both(true, first, || "second", poll), ("first", "second"));
            assert_eq!(both(false, || 1, || 2, || unreachable!()), (1, 2));
            assert!(pause.is_zero() || threads(0) < 2 || polled.into_inner() > 0);
        }
    }

    #[test]
    #[should_panic(expected = "at piece 5")]
    fn a_panic_in_a_thread_is_one_of_the_caller() {
        let work = |_: &mut (), piece| assert!(piece != 5, "at piece 5");
        in_order((1000, 3), || (), work, |_, ()| GO, || GO);
    }
}
