//! An allocator for programs that read large modules: the memory of large tables comes in large pages.
//!
//! A new process spends a third of its time on page faults, since a table of a million rows takes a thousand pages of
//! 4 KiB. Linux gives 2 MiB at a time to whoever asks, for a tenth of the time. Small allocations are those of the
//! system, so a small module takes no more memory than before; a large one takes at most one such page more for each table.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem::MaybeUninit;

/// The allocator of the system, with a request for large pages where an allocation has room for one.
///
/// For programs, as their global allocator; a library leaves that choice to the program.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: mlirbc::bytes::HugePages = mlirbc::bytes::HugePages;
///
/// # fn main() {
/// let table = vec![1u32; 1 << 20];
/// assert_eq!(table.iter().sum::<u32>(), 1 << 20);
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct HugePages;

const PAGE: usize = 2 << 20;

impl HugePages {
    /// Asks for large pages for memory of another allocator that is about to be filled; for less than such a page it does
    /// nothing.
    ///
    /// ```
    /// let mut table = Vec::<u8>::with_capacity(4 << 20);
    /// mlirbc::bytes::HugePages::advise(table.spare_capacity_mut());
    /// table.resize(4 << 20, 7);
    /// ```
    pub fn advise(memory: &mut [MaybeUninit<u8>]) {
        if memory.len() >= PAGE {
            advise(memory.as_mut_ptr().cast(), memory.len());
        }
    }
}

// SAFETY: every call is passed on to `System` with its arguments, and what it returns is returned; `advise` changes
// neither contents nor validity of memory.
unsafe impl GlobalAlloc for HugePages {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let pointer = unsafe { System.alloc(layout) };
        if layout.size() >= PAGE {
            advise(pointer, layout.size());
        }
        pointer
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if layout.size() >= PAGE {
            advise(pointer, layout.size());
        }
        pointer
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let pointer = unsafe { System.realloc(pointer, layout, size) };
        if size >= PAGE && size > layout.size() {
            advise(pointer, size);
        }
        pointer
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Asks for large pages within an allocation. Whether they are given does not matter.
#[cold]
fn advise(pointer: *mut u8, size: usize) {
    #[cfg(all(target_os = "linux", feature = "mmap"))]
    if !pointer.is_null() {
        // All pages of 4 KiB that the allocation is in: the call wants its start aligned, and without the first page, which
        // begins with what the system notes about the allocation, the kernel would keep two areas that `mremap` cannot
        // move as one, so that growing would copy.
        const SMALL: usize = 4 << 10;
        let start = pointer as usize / SMALL * SMALL;
        let len = (pointer as usize + size).next_multiple_of(SMALL) - start;
        // SAFETY: every page of the range has a part of the allocation, so all are mapped; this advice changes neither
        // contents nor validity of memory, also of what else is on the first and the last page. On a system with larger
        // pages the call fails, which is ignored.
        unsafe { libc::madvise(start as *mut libc::c_void, len, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", feature = "mmap")))]
    let _ = (pointer, size);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_memory_keeps_its_contents() {
        for size in [1, PAGE - 1, PAGE, 3 * PAGE + 5] {
            let layout = Layout::from_size_align(size, 8).unwrap();
            let longer = Layout::from_size_align(2 * size, 8).unwrap();
            // SAFETY: the layouts have a size; the memory is written before it is read, and given back as it was taken.
            unsafe {
                let zeros = HugePages.alloc_zeroed(layout);
                assert_eq!((zeros.read(), zeros.add(size - 1).read()), (0, 0));
                HugePages.dealloc(zeros, layout);
                let first = HugePages.alloc(layout);
                first.write_bytes(7, size);
                let second = HugePages.realloc(first, layout, 2 * size);
                assert_eq!((second.read(), second.add(size - 1).read()), (7, 7));
                HugePages.dealloc(second, longer);
            }
        }
    }
}
