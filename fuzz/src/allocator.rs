//! The allocator of the fuzzers and of their tests: the system's, with counters.
//!
//! Existing crates with counters have no peak, cannot reset it without a race, or collect a profile. It
//! forwards to the system's allocator, which sanitizers replace.

// Counting allocations needs an allocator, and an allocator needs unsafe code.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// The counters cover the whole process, because the library starts threads that allocate, too.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

/// Returns the number of allocated bytes.
pub(crate) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Returns the number of allocations and reallocations so far.
pub(crate) fn calls() -> usize {
    CALLS.load(Ordering::Relaxed)
}

/// Returns the peak of allocated bytes since [`begin_peak`].
pub(crate) fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Begins a new peak; returns the previous peak, for [`end_peak`].
pub(crate) fn begin_peak() -> usize {
    PEAK.swap(live(), Ordering::Relaxed)
}

/// Restores a peak that was interrupted by [`begin_peak`].
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
        // SAFETY: the caller fulfils the contract of `GlobalAlloc`, which the system's allocator requires.
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
