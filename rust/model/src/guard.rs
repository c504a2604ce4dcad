//! The protocol of the guard for mapped files. A thread that calls `find` plays the signal handler.

#[path = "../../mlirbc/src/wire/bytes/guard/registry.rs"]
mod registry;

mod sync {
    pub(super) use loom::sync::Mutex;
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
}

use loom::sync::Arc;
use loom::thread;
use registry::Registry;
use sync::{AtomicBool, AtomicPtr, AtomicUsize, Mutex, Ordering};

fn registry() -> Arc<Registry> {
    let newest = AtomicPtr::new(std::ptr::null_mut());
    Arc::new(Registry { newest, free: Mutex::new(Vec::new()) })
}

fn ends(found: Option<(&'static registry::MapSlot, usize)>) -> Option<usize> {
    found.map(|(_, end)| end)
}

// Another thread closes a map and opens one in the same place while `address` is looked for.
fn is_never_found(address: usize) {
    loom::model(move || {
        let registry = registry();
        let first = registry.add(10, 20);
        let shared = registry.clone();
        let closes_and_opens = thread::spawn(move || {
            shared.remove(first);
            shared.add(30, 40);
        });
        assert_eq!(ends(registry.find(address)), None);
        closes_and_opens.join().unwrap();
    });
}

#[test]
fn an_end_is_never_combined_with_the_zero_of_an_empty_place() {
    is_never_found(5);
}

#[test]
fn ends_of_different_maps_are_never_combined() {
    is_never_found(25);
}

#[test]
fn a_map_that_stays_open_is_found_while_others_come_and_go() {
    loom::model(|| {
        let registry = registry();
        let closed = registry.add(10, 20);
        registry.add(100, 110);
        let shared = registry.clone();
        let closes_and_opens = thread::spawn(move || {
            shared.remove(closed);
            shared.add(30, 40);
            shared.add(50, 60);
        });
        assert_eq!(ends(registry.find(105)), Some(110));
        closes_and_opens.join().unwrap();
        assert_eq!(ends(registry.find(15)), None);
        assert_eq!(ends(registry.find(35)), Some(40));
        assert_eq!(ends(registry.find(55)), Some(60));
    });
}

#[test]
fn threads_that_open_at_once_get_places_of_their_own() {
    loom::model(|| {
        let registry = registry();
        let closed = registry.add(10, 20);
        let (first_registry, second_registry) = (registry.clone(), registry.clone());
        let closes = thread::spawn(move || {
            first_registry.remove(closed);
            first_registry.add(30, 40);
        });
        let opens = thread::spawn(move || {
            second_registry.add(50, 60);
            assert_eq!(ends(second_registry.find(55)), Some(60));
        });
        closes.join().unwrap();
        opens.join().unwrap();
        assert_eq!(ends(registry.find(35)), Some(40));
        assert_eq!(ends(registry.find(55)), Some(60));
    });
}

// The handler marks, then replaces the page; a reader reads the page, then asks for the mark.
fn page_is_replaced(mark_first: bool) {
    loom::model(move || {
        let registry = registry();
        let place = registry.add(10, 20);
        let page_is_zeros = Arc::new(AtomicBool::new(false));
        let replaced = page_is_zeros.clone();
        let handler = thread::spawn(move || {
            if mark_first {
                place.set_lost();
            }
            replaced.store(true, Ordering::Relaxed);
            if !mark_first {
                place.set_lost();
            }
        });
        if page_is_zeros.load(Ordering::Relaxed) {
            assert!(place.is_lost(), "zeros became content");
        }
        handler.join().unwrap();
    });
}

#[test]
fn whoever_reads_a_replaced_page_sees_the_mark() {
    page_is_replaced(true);
}

#[test]
#[should_panic(expected = "zeros became content")]
fn the_checker_rejects_marking_after_replacing() {
    page_is_replaced(false);
}

/// The protocol before the sequence counter: two ends that are written and read one after the other.
struct OldPlace {
    start: AtomicUsize,
    end: AtomicUsize,
}

impl OldPlace {
    fn set(&self, start: usize, end: usize) {
        self.start.store(start, Ordering::Relaxed);
        self.end.store(end, Ordering::Release);
    }

    fn clear(&self) {
        self.end.store(0, Ordering::Release);
        self.start.store(0, Ordering::Relaxed);
    }

    fn contains(&self, address: usize) -> bool {
        let end = self.end.load(Ordering::Acquire);
        let start = self.start.load(Ordering::Relaxed);
        start <= address && address < end
    }
}

#[test]
#[should_panic(expected = "a foreign address was claimed")]
fn the_checker_rejects_the_old_protocol() {
    loom::model(move || {
        let place = Arc::new(OldPlace { start: AtomicUsize::new(0), end: AtomicUsize::new(0) });
        place.set(10, 20);
        let shared = place.clone();
        let closes = thread::spawn(move || shared.clear());
        assert!(!place.contains(5), "a foreign address was claimed");
        closes.join().unwrap();
    });
}
