//! An allocator for programs that read large modules, which puts large tables in large pages.
//!
//! A new process spends a third of its time on page faults, since a table of a million rows takes a thousand
//! pages of 4 KiB. Linux provides 2 MiB at a time, in much less time, on request and where memory begins at a
//! multiple of 2 MiB. Small allocations use the system's allocator, so a small module takes no more memory
//! than before; a large module takes at most one large page more for each table.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem::MaybeUninit;

/// The system's allocator (on Linux, the C library's), with a request for large pages in allocations that
/// have room for a large page.
///
/// Intended for programs, as their global allocator; a library leaves that choice to the program.
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
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub struct HugePages;

const PAGE: usize = 2 << 20;

impl HugePages {
    /// Requests large pages for memory of another allocator that is about to be filled; does nothing for less
    /// than a large page.
    ///
    /// ```
    /// let mut table = Vec::<u8>::with_capacity(4 << 20);
    /// mlirbc::bytes::HugePages::advise(table.spare_capacity_mut());
    /// table.resize(4 << 20, 7);
    /// ```
    pub fn advise(memory: &mut [MaybeUninit<u8>]) {
        if memory.len() >= PAGE {
            memory::advise(memory.as_mut_ptr().cast(), memory.len());
        }
    }
}

#[cfg(not(all(target_os = "linux", feature = "mmap")))]
mod memory {
    use super::{GlobalAlloc, Layout, System};

    // SAFETY: every call is passed on to `System` with its arguments, and its result is returned.
    unsafe impl GlobalAlloc for super::HugePages {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller keeps the contract of `alloc`.
            unsafe { System.alloc(layout) }
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller keeps the contract of `alloc_zeroed`.
            unsafe { System.alloc_zeroed(layout) }
        }

        #[inline]
        unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: the caller keeps the contract of `realloc`.
            unsafe { System.realloc(pointer, layout, size) }
        }

        #[inline]
        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            // SAFETY: the caller keeps the contract of `dealloc`.
            unsafe { System.dealloc(pointer, layout) }
        }
    }

    pub(super) fn advise(_: *mut u8, _: usize) {}
}

#[cfg(all(target_os = "linux", feature = "mmap"))]
mod memory {
    use super::{GlobalAlloc, Layout, PAGE, System};

    // The alignment of `malloc` on every target.
    const ALIGNED: usize = 2 * size_of::<usize>();

    /// Whether `malloc` aligns enough. Some allocators align small blocks only to their size.
    #[inline]
    fn is_plain(layout: Layout) -> bool {
        layout.align() <= ALIGNED && layout.align() <= layout.size()
    }

    // SAFETY: memory of a plain layout comes from the C library, and is returned to it: `free` and `realloc`
    // accept the results of `malloc`, `calloc` and `posix_memalign`. Other memory comes from `System` and is
    // returned to it. Both have the size and the alignment of the layout. `advise` changes neither contents
    // nor validity of memory.
    unsafe impl GlobalAlloc for super::HugePages {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            if !is_plain(layout) {
                // SAFETY: the caller keeps the contract of `alloc`.
                return unsafe { System.alloc(layout) };
            }
            if layout.size() >= PAGE {
                return large(layout.size());
            }
            // SAFETY: the size comes from a layout, and is not zero.
            unsafe { libc::malloc(layout.size()) }.cast()
        }

        // `large` is not used, because its memory would have to be cleared: a new block of `calloc` is zero
        // already.
        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            if !is_plain(layout) {
                // SAFETY: the caller keeps the contract of `alloc_zeroed`.
                return unsafe { System.alloc_zeroed(layout) };
            }
            // SAFETY: as in `alloc`.
            let pointer = unsafe { libc::calloc(layout.size(), 1) }.cast();
            if layout.size() >= PAGE {
                advise(pointer, layout.size());
            }
            pointer
        }

        #[inline]
        unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: the caller promises that the size, rounded up to the alignment, does not overflow.
            let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
            if !is_plain(layout) || !is_plain(new) {
                // SAFETY: the caller keeps the contract of `realloc`.
                return unsafe { moved(pointer, layout, new) };
            }
            // SAFETY: memory of a plain layout comes from the C library, and the size is not zero.
            let moved = unsafe { libc::realloc(pointer.cast(), size) }.cast();
            if size >= PAGE && size > layout.size() {
                advise(moved, size);
            }
            moved
        }

        #[inline]
        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            if !is_plain(layout) {
                // SAFETY: the caller keeps the contract of `dealloc`.
                return unsafe { System.dealloc(pointer, layout) };
            }
            // SAFETY: memory of a plain layout comes from the C library.
            unsafe { libc::free(pointer.cast()) }
        }
    }

    /// Copies to new memory, for which another allocator may be responsible.
    ///
    /// # Safety
    /// As `GlobalAlloc::realloc`.
    #[cold]
    unsafe fn moved(pointer: *mut u8, layout: Layout, new: Layout) -> *mut u8 {
        // SAFETY: both layouts have a size. The new memory does not overlap the old memory, both have at
        // least the copied number of bytes, and the old memory is returned with its layout.
        unsafe {
            let moved = super::HugePages.alloc(new);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(pointer, layout.size().min(new.size()));
                super::HugePages.dealloc(pointer, layout);
            }
            moved
        }
    }

    /// Allocates memory that begins with a large page, so that large pages can cover it completely.
    #[cold]
    fn large(size: usize) -> *mut u8 {
        let mut pointer = std::ptr::null_mut();
        // SAFETY: the alignment is a power of two, and a multiple of the size of a pointer; `pointer` is written if there is
        // memory.
        let status = unsafe { libc::posix_memalign(&mut pointer, PAGE, size) };
        if status != 0 {
            return std::ptr::null_mut();
        }
        advise(pointer.cast(), size);
        pointer.cast()
    }

    /// Requests large pages within an allocation. The request may be ignored.
    #[cold]
    pub(super) fn advise(pointer: *mut u8, size: usize) {
        if pointer.is_null() {
            return;
        }
        // The range covers all pages of 4 KiB with a part of the allocation. The call requires an aligned
        // start. Without the first page, which begins with the header that `malloc` writes, the kernel would
        // keep two areas that `mremap` cannot move together, so that growing would copy. Memory of `large`
        // begins after that page, so growing it does copy; `large` is for tables whose size is known.
        const SMALL: usize = 4 << 10;
        let start = pointer as usize / SMALL * SMALL;
        let len = (pointer as usize + size).next_multiple_of(SMALL) - start;
        // SAFETY: every page of the range has a part of the allocation, so all pages are mapped; this advice
        // changes neither contents nor validity of memory, including other data on the first and the last
        // page. On a system with larger pages the call may fail, which is ignored.
        unsafe { libc::madvise(start as *mut libc::c_void, len, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_memory_keeps_its_contents() {
        let sizes = [1, 5, PAGE - 1, PAGE, 3 * PAGE + 5];
        for (size, align) in sizes.into_iter().flat_map(|size| [1, 8, 16, 64].map(|align| (size, align))) {
            let layout = Layout::from_size_align(size, align).unwrap();
            let longer = Layout::from_size_align(2 * size, align).unwrap();
            // SAFETY: the layouts have a size; the memory is written before it is read, and returned as it
            // was allocated.
            unsafe {
                let zeros = HugePages.alloc_zeroed(layout);
                assert_eq!((zeros as usize % align, zeros.read(), zeros.add(size - 1).read()), (0, 0, 0));
                HugePages.dealloc(zeros, layout);
                let first = HugePages.alloc(layout);
                first.write_bytes(7, size);
                let second = HugePages.realloc(first, layout, 2 * size);
                assert_eq!((second.read(), second.add(size - 1).read()), (7, 7));
                let third = HugePages.realloc(second, longer, size);
                assert_eq!((third as usize % align, third.read(), third.add(size - 1).read()), (0, 7, 7));
                HugePages.dealloc(third, layout);
            }
        }
    }

    #[test]
    #[cfg(all(target_os = "linux", feature = "mmap"))]
    fn large_memory_begins_with_a_large_page() {
        let layout = Layout::from_size_align(PAGE + 1, 4).unwrap();
        // SAFETY: the layout has a size, and the memory is returned as it was allocated.
        unsafe {
            let memory = HugePages.alloc(layout);
            assert_eq!(memory as usize % PAGE, 0);
            HugePages.dealloc(memory, layout);
        }
    }
}
