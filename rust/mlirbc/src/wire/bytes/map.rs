//! Memory maps of files, and the detection of changes of the mapped file.
//!
//! Owns unsafe code, together with [`guard`], which handles the truncation of a mapped file. The only other
//! unsafe code of the crate is in [`huge_pages`](super::huge_pages). On Windows a mapped file cannot be
//! truncated, so there is no guard.

#![allow(unsafe_code)]

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;
use memmap2::{Mmap, MmapOptions};

#[cfg(unix)]
use super::guard;

/// Detects whether a map still has the contents of its file.
pub(super) struct Watch {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    #[cfg(unix)]
    lost: guard::Lost,
    #[cfg(unix)]
    probe: Probe,
}

/// The position and value of the last nonzero byte of the last page of the map, or of the last byte if all
/// are zero.
///
/// Every truncation that changes what a reader sees changes this byte: if whole pages are removed, this page
/// is removed too, so that reading the byte raises the signal; otherwise the bytes after the new end are
/// zeros. Reading a byte makes no system call, so it is cheap enough after each piece of work.
#[cfg(unix)]
#[derive(Clone, Copy)]
struct Probe {
    at: usize,
    byte: u8,
}

#[cfg(unix)]
impl Probe {
    fn new(map: &[u8]) -> Self {
        let last = map.len().saturating_sub(1);
        let page = last - last % guard::page_size();
        let last_nonzero = map.get(page..).and_then(|page| page.iter().rposition(|&byte| byte != 0));
        let at = last_nonzero.map_or(last, |place| page + place);
        Self { at, byte: map.get(at).copied().unwrap_or_default() }
    }

    #[inline]
    fn is_there(self, map: &[u8]) -> bool {
        let byte = map.get(self.at).map_or(0, |byte| {
            // SAFETY: a reference is valid to read. Volatile, because others may change the file.
            unsafe { std::ptr::read_volatile(byte) }
        });
        byte == self.byte
    }
}

impl Watch {
    /// The current size of the file, if its path still refers to it: after an atomic save it refers to
    /// another file, and nothing was lost.
    pub(super) fn size_now(&self) -> Option<u64> {
        let metadata = std::fs::metadata(&self.path).ok()?;
        (self.identity.is_some() && identity(&metadata) == self.identity).then_some(metadata.len())
    }

    /// Opens the file again, if its path still refers to it.
    pub(super) fn reopened(&self) -> Option<File> {
        let file = File::open(&self.path).ok()?;
        let metadata = file.metadata().ok()?;
        (self.identity.is_some() && identity(&metadata) == self.identity).then_some(file)
    }

    /// Whether the file lost bytes of `map`, the whole map that this was created with. Remains true.
    #[inline]
    pub(super) fn has_lost(&self, map: &[u8]) -> bool {
        #[cfg(unix)]
        return !self.probe.is_there(map) && self.is_shorter(map) || self.lost.get();
        #[cfg(not(unix))]
        {
            let _ = map;
            false
        }
    }

    /// Records that the file lost bytes.
    pub(super) fn set_lost(&self) {
        #[cfg(unix)]
        self.lost.set();
    }

    // The byte changed: the file was truncated, unless it was overwritten at the same length.
    #[cfg(unix)]
    #[cold]
    fn is_shorter(&self, map: &[u8]) -> bool {
        let is_shorter = self.size_now().is_none_or(|size| size < map.len() as u64);
        if is_shorter {
            self.lost.set();
        }
        is_shorter
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

// Fields are dropped in this order: a map must be unregistered before its addresses are unmapped.
struct Owner {
    #[cfg(unix)]
    _registration: guard::Registration,
    map: Mmap,
}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

/// Returns the pages within a range of a map to the system, which reads the pages again on the next access.
pub(super) fn forget(map: &Bytes, range: std::ops::Range<usize>) {
    #[cfg(target_os = "linux")]
    if let Some(part) = map.get(range) {
        let page = guard::page_size();
        let start = (part.as_ptr() as usize).next_multiple_of(page);
        let end = (part.as_ptr() as usize + part.len()) / page * page;
        if start < end {
            // SAFETY: all pages of the range belong to the map, which `map` keeps alive. The map is
            // read-only, so its pages equal the file's, and they stay mapped; pages that the guard inserted
            // contain zeros, which come again.
            unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_DONTNEED) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (map, range);
}

/// Maps all of `file`, which must not be empty.
pub(super) fn map(file: &File, path: &Path, metadata: &Metadata) -> io::Result<(Bytes, Watch)> {
    // SAFETY: the map is read-only and private. Other processes may still write to the file; no code of this
    // crate relies on two reads of a byte being equal for memory safety: every index into decoded tables is
    // checked when it is used, and slices are bounded by the fixed length of the map. The guard handles
    // truncation.
    let map = unsafe { MmapOptions::new().map(file)? };
    #[cfg(unix)]
    let registration = guard::Registration::new(&map);
    let watch = Watch {
        path: path.to_owned(),
        identity: identity(metadata),
        #[cfg(unix)]
        lost: registration.lost(),
        #[cfg(unix)]
        probe: Probe::new(&map),
    };
    #[cfg(unix)]
    if file.metadata()?.len() < map.len() as u64 {
        // The last byte may have been read after a truncation.
        watch.lost.set();
    }
    let owner = Owner {
        #[cfg(unix)]
        _registration: registration,
        map,
    };
    Ok((Bytes::from_owner(owner), watch))
}
