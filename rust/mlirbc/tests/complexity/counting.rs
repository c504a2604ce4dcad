//! Counts allocations of the current thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a count for each thread.
struct Counting;

thread_local! {
    // The counters have no destructors, so that they can be used as long as the thread allocates.
    static BYTES: Cell<u64> = const { Cell::new(0) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    BYTES.with(|counter| counter.set(counter.get() + bytes as u64));
    CALLS.with(|counter| counter.set(counter.get() + 1));
}

// SAFETY: every call is passed on to `System` with the arguments it came with, and its answer is passed back, so that
// what holds for `System` holds here. Counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// All allocations of a piece of work, including freed ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allocated {
    pub(crate) bytes: u64,
    pub(crate) calls: u64,
}

/// Counts the allocations of `work` on this thread.
pub(crate) fn allocated<T>(work: impl FnOnce() -> T) -> (Allocated, T) {
    let (bytes, calls) = (BYTES.get(), CALLS.get());
    let answer = work();
    (Allocated { bytes: BYTES.get() - bytes, calls: CALLS.get() - calls }, answer)
}
