//! Long lists of words, in memory of their own.

#![allow(unsafe_code)]

use memmap2::MmapMut;

/// Words that begin as zeros. Long lists are in large pages, which Linux fills in a third of the time: an allocation has
/// none at its beginning, where the C library writes its size before large pages are asked for.
pub(crate) enum Words {
    Short(Vec<u32>),
    Long(MmapMut, usize),
}

const PAGE: usize = 2 << 20;

impl Words {
    pub(crate) fn zeros(len: usize) -> Self {
        let size = len.saturating_mul(4);
        // The kernel gives whole large pages an address at the beginning of one (`thp_get_unmapped_area` in
        // `mm/huge_memory.c`). Whether it has any does not matter.
        let whole = size.checked_next_multiple_of(PAGE).filter(|whole| whole - size <= size / 4);
        let map = (size >= PAGE).then(|| MmapMut::map_anon(whole.unwrap_or(size)).ok()).flatten();
        let Some(map) = map else { return Self::Short(vec![0; len]) };
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Self::Long(map, len)
    }

    pub(crate) fn as_slice(&self) -> &[u32] {
        match self {
            Self::Short(words) => words,
            // SAFETY: any four bytes are a word. A mapping is aligned, so all its words are in the middle part.
            Self::Long(map, len) => unsafe { map.align_to::<u32>().1.get(..*len).unwrap_or_default() },
        }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u32] {
        match self {
            Self::Short(words) => words,
            // SAFETY: as above, and any word is four bytes.
            Self::Long(map, len) => unsafe {
                map.align_to_mut::<u32>().1.get_mut(..*len).unwrap_or_default()
            },
        }
    }
}
