//! The addresses of all maps. Threads that open and close files write it, and a signal handler reads it.
//!
//! Owns the synchronisation between threads and handler. Does not own signals or maps. Its atomics come from
//! the parent module, so that `rust/model` can check every interleaving of this file.
//!
//! A slot holds the two ends of a map and is reused after the map is closed. A reader could therefore combine
//! the ends of different maps, or one end of a map with the zero of an empty slot. To prevent this, each slot
//! counts its changes: the count is odd during a change, and a reader discards the ends unless the count is
//! even and equal before and after. The reader does not retry: the handler may have interrupted the thread that
//! makes the change, and the slot that the handler needs does not change (see [`Registry::find`]).

use super::sync::{AtomicBool, AtomicPtr, AtomicUsize, Mutex, Ordering, fence};

/// The slots of all maps. The list only grows and is traversed without a lock; free slots are reused.
pub(super) struct Registry {
    pub(super) newest: AtomicPtr<MapSlot>,
    // The free slots, never locked by the handler. A registration takes a slot from here instead of searching
    // the list.
    pub(super) free: Mutex<Vec<&'static MapSlot>>,
}

/// The ends of a map; zeros for a free slot.
pub(super) struct MapSlot {
    changes: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    lost: AtomicBool,
    next: *mut MapSlot,
}

// SAFETY: `next` is written before the slot is shared and never again; its target is never freed.
unsafe impl Send for MapSlot {}
// SAFETY: as for `Send`.
unsafe impl Sync for MapSlot {}

impl Registry {
    /// Registers the addresses from `start` up to `end`, in constant time.
    pub(super) fn add(&self, start: usize, end: usize) -> &'static MapSlot {
        let free = self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        let slot = free.unwrap_or_else(|| self.grow());
        slot.lost.store(false, Ordering::Relaxed);
        slot.set(start, end);
        slot
    }

    /// Unregisters a slot. Its addresses must still be mapped.
    pub(super) fn remove(&self, slot: &'static MapSlot) {
        slot.set(0, 0);
        self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(slot);
    }

    /// The registered map that contains `address`, and its end.
    ///
    /// Async-signal-safe. Linear in the number of slots, which is acceptable: it runs about once per
    /// truncated file.
    ///
    /// The calling thread was interrupted while it read `address` through a reference to a map. This map cannot
    /// be closed before the thread continues, so its slot does not change and is found. No other slot can match:
    /// maps that are registered at the same time do not overlap, and both ends come from one map that was
    /// registered during this call.
    pub(super) fn find(&self, address: usize) -> Option<(&'static MapSlot, usize)> {
        let mut next = self.newest.load(Ordering::Acquire);
        // SAFETY: every pointer of the list comes from `Box::leak`.
        while let Some(slot) = unsafe { next.cast_const().as_ref() } {
            match slot.get() {
                Some((start, end)) if start <= address && address < end => return Some((slot, end)),
                _ => next = slot.next,
            }
        }
        None
    }

    fn grow(&self) -> &'static MapSlot {
        let mut next = self.newest.load(Ordering::Acquire);
        let slot: *mut MapSlot = Box::into_raw(Box::new(MapSlot {
            changes: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
            next,
        }));
        while let Err(now) = self.newest.compare_exchange(next, slot, Ordering::AcqRel, Ordering::Acquire) {
            next = now;
            // SAFETY: no other thread has access to the slot before the exchange succeeds.
            unsafe { (*slot).next = next };
        }
        // SAFETY: never freed, and only shared from here on.
        unsafe { &*slot }
    }
}

impl MapSlot {
    /// Marks the map as lost. Called before its pages are replaced, so that a thread that read a replaced
    /// page sees the mark afterwards.
    pub(super) fn set_lost(&self) {
        self.lost.store(true, Ordering::Release);
        fence(Ordering::SeqCst);
    }

    /// Whether pages of the currently registered map were lost.
    pub(super) fn is_lost(&self) -> bool {
        fence(Ordering::Acquire);
        self.lost.load(Ordering::Acquire)
    }

    // Only one thread at a time owns a slot, and slots change owners under the lock.
    fn set(&self, start: usize, end: usize) {
        let changes = self.changes.load(Ordering::Relaxed);
        self.changes.store(changes.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.start.store(start, Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        self.changes.store(changes.wrapping_add(2), Ordering::Release);
    }

    fn get(&self) -> Option<(usize, usize)> {
        let before = self.changes.load(Ordering::Acquire);
        let ends = (self.start.load(Ordering::Relaxed), self.end.load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        let after = self.changes.load(Ordering::Relaxed);
        (before == after && before.is_multiple_of(2)).then_some(ends)
    }
}
