//! Which addresses are maps of ours: written by threads that open and close files, read by a signal handler.
//!
//! Owns the protocol between the two, and nothing else: it knows neither signals nor maps. Its atomics come
//! from the parent module, so that `rust/model` can check every interleaving of this very file.
//!
//! A place holds the two ends of a map and is reused after the map is closed, so a reader could combine the ends
//! of different maps, or one end of a map with the zero of an empty place. Each place therefore counts its
//! changes: the count is odd during a change, and a reader discards what it read unless it found the same
//! even count before and after. It does not try again: the handler may have interrupted the very thread that makes the change, and
//! the place of the map it looks for does not change (see [`Registry::find`]).

use super::sync::{AtomicBool, AtomicPtr, AtomicUsize, Mutex, Ordering, fence};

/// The places of all maps. The list only grows and is followed without a lock; free places are reused.
pub(super) struct Registry {
    pub(super) newest: AtomicPtr<Place>,
    // Never taken by the handler. Registering takes a place from here instead of searching the list for one.
    pub(super) free: Mutex<Vec<&'static Place>>,
}

/// The ends of one map, or of none.
pub(super) struct Place {
    changes: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    lost: AtomicBool,
    next: *mut Place,
}

// SAFETY: `next` is written before the place is shared and never again; what it points to is never freed.
unsafe impl Send for Place {}
// SAFETY: as for `Send`.
unsafe impl Sync for Place {}

impl Registry {
    /// Registers the addresses from `start` up to `end`, in constant time.
    pub(super) fn add(&self, start: usize, end: usize) -> &'static Place {
        let free = self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        let place = free.unwrap_or_else(|| self.grow());
        place.lost.store(false, Ordering::Relaxed);
        place.set(start, end);
        place
    }

    /// Forgets a place. Its addresses must still be mapped.
    pub(super) fn remove(&self, place: &'static Place) {
        place.set(0, 0);
        self.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(place);
    }

    /// The registered map that contains `address`, and its end.
    ///
    /// Async-signal-safe; linear in the number of places, which is no burden: it runs about once for each file that is cut.
    ///
    /// When the calling thread was interrupted while it read `address` through a reference to a map, that
    /// map cannot be closed before the thread goes on, so its place holds still and is found. No other
    /// place can be taken for it: maps that are registered at the same time do not overlap, and the ends
    /// come from one map that was registered during this call.
    pub(super) fn find(&self, address: usize) -> Option<(&'static Place, usize)> {
        let mut next = self.newest.load(Ordering::Acquire);
        // SAFETY: every pointer of the list comes from `Box::leak`.
        while let Some(place) = unsafe { next.cast_const().as_ref() } {
            match place.get() {
                Some((start, end)) if start <= address && address < end => return Some((place, end)),
                _ => next = place.next,
            }
        }
        None
    }

    fn grow(&self) -> &'static Place {
        let mut next = self.newest.load(Ordering::Acquire);
        let place: *mut Place = Box::into_raw(Box::new(Place {
            changes: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
            next,
        }));
        while let Err(now) = self.newest.compare_exchange(next, place, Ordering::AcqRel, Ordering::Acquire) {
            next = now;
            // SAFETY: no other thread knows the place before the exchange succeeds.
            unsafe { (*place).next = next };
        }
        // SAFETY: never freed, and from here on only shared.
        unsafe { &*place }
    }
}

impl Place {
    /// Says that pages of the map are lost. Comes before they are replaced, so that whoever reads a
    /// replaced page and asks afterwards is answered with yes.
    pub(super) fn set_lost(&self) {
        self.lost.store(true, Ordering::Release);
        fence(Ordering::SeqCst);
    }

    /// Whether pages were lost, of the map that is registered now.
    pub(super) fn is_lost(&self) -> bool {
        fence(Ordering::Acquire);
        self.lost.load(Ordering::Acquire)
    }

    // Only one thread at a time holds a place, and places change hands under the lock.
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
