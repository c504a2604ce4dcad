use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Barrier, Mutex};

use super::registry::{MapSlot, Registry};
use crate::wire::bytes::{Backend, Source};

fn registry() -> Registry {
    Registry { newest: AtomicPtr::new(std::ptr::null_mut()), free: Mutex::new(Vec::new()) }
}

#[test]
fn places_are_reused_from_the_free_list_and_found_by_address() {
    // A lookup is linear, which Miri makes slow.
    const COUNT: usize = if cfg!(miri) { 20 } else { 1000 };
    let registry = registry();
    let address = |number: usize| 1000 + 10 * number;
    let open = || -> Vec<&'static MapSlot> {
        (0..COUNT).map(|number| registry.add(address(number), address(number) + 5)).collect()
    };
    let first = open();
    for &slot in &first {
        registry.remove(slot);
    }
    assert!((0..COUNT).all(|number| registry.find(address(number)).is_none()));
    let second = open();
    let mut addresses: Vec<_> = first.iter().chain(&second).map(|&slot| std::ptr::from_ref(slot)).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), COUNT, "a slot was made although others were free");
    assert!(registry.free.lock().unwrap().is_empty());
    for number in 0..COUNT {
        assert_eq!(registry.find(address(number) + 4).unwrap().1, address(number) + 5);
        assert!(registry.find(address(number) + 5).is_none());
    }
}

#[test]
fn a_reused_place_has_lost_nothing() {
    let registry = registry();
    let slot = registry.add(10, 20);
    slot.set_lost();
    assert!(slot.is_lost());
    registry.remove(slot);
    assert!(!registry.add(30, 40).is_lost());
}

/// Memory of the test between maps of files that are opened and closed.
struct Canary(&'static [u8]);

impl Canary {
    const BYTE: u8 = 0xa5;

    fn new() -> Self {
        let size = 4 * super::page_size().max(4096);
        // SAFETY: a fresh anonymous mapping, written before it is shared and never unmapped.
        let bytes = unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let start =
                libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            std::ptr::write_bytes(start.cast::<u8>(), Self::BYTE, size);
            std::slice::from_raw_parts(start.cast::<u8>(), size)
        };
        Self(bytes)
    }

    fn is_whole(&self) -> bool {
        // SAFETY: a reference is valid to read; the read is volatile, because a faulty guard would write
        // here.
        self.0.iter().all(|byte| unsafe { std::ptr::read_volatile(byte) } == Self::BYTE)
    }
}

#[test]
fn files_cut_under_readers_while_others_come_and_go_zero_no_foreign_memory() {
    const BYTES: usize = 3 * 65536;
    const ROUNDS: usize = 150;
    let content = vec![7; BYTES];
    let file = || {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().write_all_at(&content, 0).unwrap();
        file
    };
    // Maps, canaries, maps: temporary maps are on both sides.
    let outer = file();
    let sources: Vec<_> = (0..8).map(|_| Source::open(outer.path(), Backend::Map).unwrap()).collect();
    let canaries: Vec<_> = (0..8).map(|_| Canary::new()).collect();
    let (start, is_over) = (Barrier::new(6), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                start.wait();
                while !is_over.load(Ordering::Relaxed) {
                    drop([(); 3].map(|()| Source::open(outer.path(), Backend::Map).unwrap()));
                }
            });
        }
        let cutters = [(0, 0); 2].into_iter().chain([(65536, 65536), (65537, 2 * 65536)]);
        let workers: Vec<_> = cutters
            .map(|(kept, is_zero_from)| {
                let (file, start) = (&file, &start);
                scope.spawn(move || {
                    start.wait();
                    for _ in 0..ROUNDS {
                        let file = file();
                        let source = Source::open(file.path(), Backend::Map).unwrap();
                        let bytes = source.get(0..source.len()).unwrap();
                        assert!(source.check_pages().is_ok());
                        file.as_file().set_len(kept).unwrap();
                        assert!(bytes[..kept as usize].iter().all(|&byte| byte == 7));
                        assert!(bytes[is_zero_from..].iter().all(|&byte| byte == 0));
                        assert!(source.check_pages().is_err());
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(canaries.iter().all(Canary::is_whole), "foreign memory was zeroed");
    assert!(sources.iter().all(|source| source.check_pages().is_ok()), "a map that was not cut is marked");
}

#[test]
fn readers_of_one_file_that_is_cut_all_learn_of_it() {
    const PAGES: u64 = 64;
    for _ in 0..20 {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().write_all_at(&vec![7; PAGES as usize * 4096], 0).unwrap();
        let source = Source::open(file.path(), Backend::Map).unwrap();
        let start = Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    start.wait();
                    let bytes = source.get(0..source.len()).unwrap();
                    for page in 0..PAGES {
                        let is_zero = bytes[page as usize * 4096] == 0;
                        assert!(!is_zero || source.check_pages().is_err(), "zeros became content");
                    }
                });
            }
            start.wait();
            file.as_file().set_len(4096).unwrap();
        });
    }
}
