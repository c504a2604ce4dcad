//! Memory maps, and whether they still show the file that they were made from.
//!
//! The only unsafe code of the crate is here and in [`guard`], which survives a mapped file being cut. On
//! Windows a mapped file cannot be cut, so there is no guard.

#![allow(unsafe_code)]

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use ::bytes::Bytes;
use memmap2::{Mmap, MmapOptions};

#[cfg(unix)]
use super::guard;

/// Knows whether a map still shows the file it was made from.
pub(super) struct Watch {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    #[cfg(unix)]
    lost: guard::Lost,
    #[cfg(unix)]
    probe: Probe,
}

/// The last byte of the map's last page that is not zero, or the last byte when all are zero, and where it is.
///
/// Every cut that changes what a reader sees changes this byte: one that takes whole pages away takes this page away, so
/// that reading the byte raises the signal, and one within this page leaves zeros after the new end. Reading a
/// byte makes no system call, so it can be done after each piece of work.
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
        let found = map.get(page..).and_then(|page| page.iter().rposition(|&byte| byte != 0));
        let at = found.map_or(last, |place| page + place);
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
    /// The size the file has now, if its path still leads to it: after an atomic save it leads to another
    /// file, and nothing was lost.
    pub(super) fn size_now(&self) -> Option<u64> {
        let now = std::fs::metadata(&self.path).ok()?;
        (self.identity.is_some() && identity(&now) == self.identity).then_some(now.len())
    }

    /// The file again, if its path still leads to it.
    pub(super) fn reopened(&self) -> Option<File> {
        let file = File::open(&self.path).ok()?;
        let now = file.metadata().ok()?;
        (self.identity.is_some() && identity(&now) == self.identity).then_some(file)
    }

    /// Whether the file lost bytes of `map`, the whole map that this was made with. Stays true.
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

    /// Remembers that the file lost bytes.
    pub(super) fn set_lost(&self) {
        #[cfg(unix)]
        self.lost.set();
    }

    // Another byte than before: the file was cut, unless it was overwritten at the same length.
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

// Fields drop in this order: a map must be unknown to the handler before its addresses are given back.
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

/// Maps the whole of `file`, which is not empty.
pub(super) fn map(file: &File, path: &Path, metadata: &Metadata) -> io::Result<(Bytes, Watch)> {
    // SAFETY: the map is read-only and private. Others may still write to the file; no code of this crate
    // relies on two reads of a byte being equal for memory safety: every index into decoded tables is
    // checked when it is used, and slices are bounded by the map's fixed length. A file that is cut is
    // answered by the guard.
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
        // The probe may have been taken after a cut.
        watch.lost.set();
    }
    let owner = Owner {
        #[cfg(unix)]
        _registration: registration,
        map,
    };
    Ok((Bytes::from_owner(owner), watch))
}
