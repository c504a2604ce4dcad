//! The allocator of the fuzzers and of their tests: the system's, with counters.
//!
//! It is written here because crates with counters have no peak, cannot reset it without a race, or collect a profile.
//! It forwards to the system's allocator, which sanitizers replace.

// Only an allocator can count what is allocated, and it cannot be written without.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// Of the whole process: threads that the library starts allocate, too.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

/// Bytes that are allocated now.
pub(crate) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Allocations and reallocations so far.
pub(crate) fn calls() -> usize {
    CALLS.load(Ordering::Relaxed)
}

/// The peak of allocated bytes since [`begin_peak`].
pub(crate) fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Begins a new peak; returns the one until now, for [`end_peak`].
pub(crate) fn begin_peak() -> usize {
    PEAK.swap(live(), Ordering::Relaxed)
}

/// Goes back to a peak that was interrupted by [`begin_peak`].
pub(crate) fn end_peak(outer: usize) {
    PEAK.fetch_max(outer, Ordering::Relaxed);
}

fn grow(bytes: usize) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(live, Ordering::Relaxed);
}

fn shrink(bytes: usize) {
    LIVE.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: every call is forwarded to the system's allocator with its arguments unchanged, and its answer is returned
// unchanged; the counters are atomics that allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promise is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grow(size);
        shrink(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
