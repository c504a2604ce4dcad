//! The bytes of a file and their ownership.
//!
//! Owns [`Source`], which is either *resident* (a memory map, a vector, a foreign buffer) or *ranged* (read
//! on demand). Every view is a range of the one owner: resident ranges are shared without a copy, ranged ones
//! are read into memory on request. Clones are cheap.

#[cfg(all(unix, feature = "mmap"))]
#[allow(unsafe_code)]
mod guard;
mod huge_pages;
#[cfg(feature = "mmap")]
mod map;
mod shared_bytes;
mod stream;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A shared, immutable range of bytes; clones and slices do not copy.
pub use ::bytes::Bytes;
pub use huge_pages::HugePages;
pub(crate) use shared_bytes::SharedBytes;
pub(crate) use stream::open_regular;

use super::error::{Error, ErrorKind, Result};
use super::limits::{Limits, out_of_memory};

/// Something that can be read at any offset: a file, an object store, a network connection.
///
/// ```
/// use mlirbc::bytes::ReadAt;
/// struct Store(Vec<u8>);
/// impl ReadAt for Store {
///     fn len(&self) -> u64 { self.0.len() as u64 }
///     fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
///         let start = offset as usize;
///         buffer.copy_from_slice(&self.0[start..start + buffer.len()]);
///         Ok(())
///     }
/// }
/// # let bytes = mlirbc::doc_example();
/// let module = mlirbc::Module::from_source(Store(bytes).into(), &Default::default()).unwrap();
/// assert_eq!(module.version().number(), 6);
/// ```
pub trait ReadAt: Send + Sync {
    /// The size in bytes at the time of opening.
    fn len(&self) -> u64;

    /// Whether the size is zero.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// Errors of the implementation. [`io::ErrorKind::UnexpectedEof`] means that the file became shorter; a
    /// [`Source`] reports it as [`ErrorKind::Shrunk`], and any other as [`ErrorKind::Io`].
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl<T: ReadAt + 'static> From<T> for Source {
    fn from(ranged: T) -> Self {
        Self::ranged(ranged)
    }
}

/// The method of reading a local file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// Map it into memory: pages are read when they are accessed. If the file shrinks afterwards, accesses
    /// report [`ErrorKind::Shrunk`]; see [`Source::check`].
    #[default]
    Map,
    /// Read sections and single resources on demand: for network disks, and for files that other programs may
    /// truncate.
    Read,
}

/// The owner of the bytes of a file, or a part of one.
#[derive(Clone)]
pub struct Source {
    kind: Kind,
    // The offset of the part in the file, and its size.
    start: u64,
    len: u64,
}

#[derive(Clone)]
enum Kind {
    Resident(Bytes),
    #[cfg(feature = "mmap")]
    Mapped(Bytes, Arc<map::Watch>),
    Ranged(Arc<dyn ReadAt>),
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match &self.kind {
            Kind::Resident(_) => "resident",
            #[cfg(feature = "mmap")]
            Kind::Mapped(..) => "mapped",
            Kind::Ranged(_) => "ranged",
        };
        write!(f, "Source({kind}, {} bytes)", self.len())
    }
}

/// Returns the bytes of a regular file of at most 64 KiB, read at once, and its metadata; `None` if the file
/// is larger, not regular, or cannot be read. For many small files this takes less time than mapping each.
///
/// ```
/// let (bytes, metadata) = mlirbc::bytes::read_small("../../examples/two_layers.mlirbc".as_ref()).unwrap();
/// assert_eq!((bytes.len(), metadata.len()), (1474, 1474));
/// ```
#[doc(hidden)]
pub fn read_small(path: &Path) -> Option<(Bytes, std::fs::Metadata)> {
    const MOST: usize = 64 << 10;
    // Opening a pipe would wait for its writer.
    let metadata = path.metadata().ok().filter(|metadata| metadata.is_file())?;
    let len = usize::try_from(metadata.len()).ok().filter(|&len| len <= MOST)?;
    // A byte more is requested, in case the file grows in the meantime; a shorter result is the end of the
    // file.
    let mut bytes = vec![0; len + 1];
    let read = io::Read::read(&mut File::open(path).ok()?, &mut bytes).ok().filter(|&read| read <= len)?;
    bytes.truncate(read);
    Some((bytes.into(), metadata))
}

impl Source {
    fn whole(kind: Kind) -> Self {
        let len = match &kind {
            Kind::Resident(bytes) => bytes.len() as u64,
            #[cfg(feature = "mmap")]
            Kind::Mapped(bytes, _) => bytes.len() as u64,
            Kind::Ranged(ranged) => ranged.len(),
        };
        Self { kind, start: 0, len }
    }

    /// Returns the bytes of `range` as a separate source, whose offsets count from the start of the range.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] for a range outside the source.
    ///
    /// ```
    /// let source = mlirbc::bytes::Source::from(&b"a module inside"[..]);
    /// let part = source.part(2..8)?;
    /// assert_eq!((part.len(), part.start()), (6, 2));
    /// assert_eq!(part.get(0..3)?, &b"mod"[..]);
    /// assert!(part.get(0..7).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn part(&self, range: Range<u64>) -> Result<Self> {
        self.check_range(&range)?;
        Ok(Self { kind: self.kind.clone(), start: self.start + range.start, len: range.end - range.start })
    }

    /// The offset of the first byte in the file; 0 unless the source is a [`part`](Self::part).
    #[doc(hidden)]
    pub fn start(&self) -> u64 {
        self.start
    }

    // Converts a range of the part to a range of the file.
    fn in_file(&self, range: &Range<u64>) -> Range<u64> {
        self.start + range.start..self.start + range.end
    }

    /// Opens a local file. A pipe or a device is read completely, under the default limits; see [`Self::open_with`].
    ///
    /// # Errors
    /// [`ErrorKind::Io`] with the reason of the system, and [`ErrorKind::MemoryLimit`] for a pipe or a device with more
    /// than [`Limits::stream`] bytes.
    ///
    /// ```
    /// use mlirbc::bytes::{Backend, Source};
    /// # let path = std::env::temp_dir().join(format!("mlirbc-source-{}", std::process::id()));
    /// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
    /// assert_eq!(Source::open(&path, Backend::Read)?.len(), 131);
    /// # std::fs::remove_file(&path).unwrap();
    /// assert!(Source::open("no/such/file.mlirbc", Backend::Map).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self> {
        Self::open_with(path, backend, &Limits::default())
    }

    /// Opens a local file as [`Self::open`] does, with limits.
    ///
    /// # Errors
    /// As [`Self::open`].
    ///
    /// ```
    /// use mlirbc::bytes::{Backend, Source};
    /// use mlirbc::Limits;
    /// let limits = Limits::default().max_memory(Some(1 << 20));
    /// # #[cfg(unix)]
    /// assert!(Source::open_with("/dev/zero", Backend::Map, &limits).is_err());
    /// ```
    #[doc(hidden)]
    pub fn open_with(path: impl AsRef<Path>, backend: Backend, limits: &Limits) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| Error::io(format!("cannot open `{}`", path.display()), error))?;
        Self::opened(file, path, backend, limits)
    }

    /// Opens a file that is already open, and that may no longer have a name.
    pub(crate) fn opened(file: File, path: &Path, backend: Backend, limits: &Limits) -> Result<Self> {
        let failed = |error| Error::io(format!("cannot open `{}`", path.display()), error);
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if !metadata.is_file() {
            return Self::from_stream(file, &format!("`{}`", path.display()), limits);
        }
        match backend {
            #[cfg(feature = "mmap")]
            Backend::Map if metadata.len() > 0 => {
                let (bytes, watch) = map::map(&file, path, &metadata).map_err(failed)?;
                Ok(Self::whole(Kind::Mapped(bytes, Arc::new(watch))))
            }
            Backend::Map if metadata.len() == 0 => Ok(Bytes::new().into()),
            _ => Ok(Self::ranged(LocalFile::new(file, metadata.len()))),
        }
    }

    /// Creates a source that is read on demand: each range costs a call of [`ReadAt::read_at`].
    ///
    /// ```
    /// use mlirbc::bytes::{ReadAt, Source};
    /// struct Zeros(u64);
    /// impl ReadAt for Zeros {
    ///     fn len(&self) -> u64 { self.0 }
    ///     fn read_at(&self, _: u64, buffer: &mut [u8]) -> std::io::Result<()> { buffer.fill(0); Ok(()) }
    /// }
    /// assert_eq!(Source::ranged(Zeros(9)).get(2..4)?, &[0, 0][..]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn ranged(source: impl ReadAt + 'static) -> Self {
        Self::whole(Kind::Ranged(Arc::new(source)))
    }

    /// Creates a source from a foreign buffer without a copy; the owner is dropped with the last view.
    ///
    /// ```
    /// let text: String = "any owner of bytes".into();
    /// assert_eq!(mlirbc::bytes::Source::foreign(text).get(4..9)?, &b"owner"[..]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn foreign(owner: impl AsRef<[u8]> + Send + 'static) -> Self {
        Self::whole(Kind::Resident(Bytes::from_owner(owner)))
    }

    /// The size in bytes at the time of opening.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the size is zero.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of `range`, in offsets of this source: shared if resident, otherwise read.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] for a range outside the file, [`ErrorKind::Shrunk`] or [`ErrorKind::Io`] if
    /// the file became shorter or cannot be read.
    pub fn get(&self, range: Range<u64>) -> Result<Bytes> {
        self.check_range(&range)?;
        let range = self.in_file(&range);
        match &self.kind {
            Kind::Resident(bytes) => Ok(bytes.slice(range.start as usize..range.end as usize)),
            #[cfg(feature = "mmap")]
            Kind::Mapped(bytes, _) => Ok(bytes.slice(range.start as usize..range.end as usize)),
            Kind::Ranged(ranged) => read_range(ranged.as_ref(), range, self.start),
        }
    }

    /// Fills `buffer` with the bytes from `offset` on, without allocating.
    ///
    /// # Errors
    /// As [`Self::get`].
    ///
    /// ```
    /// let mut buffer = [0; 2];
    /// mlirbc::bytes::Source::from(&b"MLIR"[..]).read_into(1, &mut buffer)?;
    /// assert_eq!(&buffer, b"LI");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn read_into(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let range = offset..offset.saturating_add(buffer.len() as u64);
        self.check_range(&range)?;
        match &self.kind {
            Kind::Ranged(ranged) => fill(ranged.as_ref(), self.start + offset, buffer, self.start),
            _ => {
                buffer.copy_from_slice(&self.get(range)?);
                self.check_pages()
            }
        }
    }

    fn check_range(&self, range: &Range<u64>) -> Result<()> {
        if range.start > range.end || range.end > self.len() {
            return Err(Error::new(
                ErrorKind::Truncated,
                format!("{} bytes", range.end.saturating_sub(range.start)),
                format!("the end of the file at {:#x}", self.len()),
            )
            .at(range.start));
        }
        Ok(())
    }

    /// Returns at most `most` bytes from `offset` on; all of these bytes if resident.
    pub(crate) fn peek(&self, offset: u64, most: u64) -> Result<Bytes> {
        let end = match &self.kind {
            Kind::Ranged(_) => self.len.min(offset.saturating_add(most)),
            _ => self.len,
        };
        self.get(offset.min(end)..end)
    }

    /// Opens the local file again, for copying ranges between files; `None` if its path refers to another
    /// file now. Offsets in the file are larger by [`start`](Self::start).
    pub(crate) fn reopened(&self) -> Option<File> {
        match &self.kind {
            #[cfg(feature = "mmap")]
            Kind::Mapped(_, watch) => watch.reopened(),
            _ => None,
        }
    }

    /// Whether reading costs input and output operations, so that callers read no more than they need.
    pub(crate) fn is_ranged(&self) -> bool {
        matches!(self.kind, Kind::Ranged(_))
    }

    /// Returns an error if a mapped file has become shorter since it was mapped.
    ///
    /// Accessing the lost part of a map would end the process. A guard fills the lost pages with zeros
    /// instead and records the loss; this check also queries the current size of the file. The module calls
    /// it before and after long pieces of work, and [`Self::check_pages`] after each short one.
    ///
    /// # Errors
    /// [`ErrorKind::Shrunk`]. Sources that are not mapped always pass.
    #[doc(hidden)]
    pub fn check(&self) -> Result<()> {
        match &self.kind {
            #[cfg(feature = "mmap")]
            Kind::Mapped(bytes, watch) => match watch.size_now() {
                Some(size) if size < bytes.len() as u64 => {
                    watch.set_lost();
                    Err(self.shrunk(format!("is now `{size}` bytes long")).at(size))
                }
                _ => self.check_pages(),
            },
            _ => Ok(()),
        }
    }

    /// Releases the memory of a range of a map that is not needed soon; the range can still be read.
    pub(crate) fn forget(&self, range: Range<u64>) {
        #[cfg(feature = "mmap")]
        if let (Kind::Mapped(map, _), Ok(())) = (&self.kind, self.check_range(&range)) {
            let range = self.in_file(&range);
            map::forget(map, range.start as usize..range.end as usize);
        }
        #[cfg(not(feature = "mmap"))]
        let _ = range;
    }

    /// The part of [`Self::check`] that makes no system call.
    ///
    /// Called after bytes of a map were read, it tells whether these were bytes of the file. It fails after a
    /// lost page was accessed, and accesses the last page itself. It may pass if the file lost only zeros of
    /// its last page, which are read correctly.
    ///
    /// # Errors
    /// [`ErrorKind::Shrunk`]. Sources that are not mapped always pass.
    #[inline]
    pub fn check_pages(&self) -> Result<()> {
        match &self.kind {
            #[cfg(feature = "mmap")]
            Kind::Mapped(map, watch) if watch.has_lost(map) => {
                Err(self.shrunk("can no longer be read completely"))
            }
            _ => Ok(()),
        }
    }

    #[cfg(feature = "mmap")]
    #[cold]
    fn shrunk(&self, now: impl std::fmt::Display) -> Error {
        let len = match &self.kind {
            Kind::Mapped(bytes, _) => bytes.len() as u64,
            _ => self.len,
        };
        Error::message(ErrorKind::Shrunk, format!("the mapped file had `{len}` bytes and {now}"))
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<Bytes> for Source {
    fn from(bytes: Bytes) -> Self {
        Self::whole(Kind::Resident(bytes))
    }
}

impl From<&'static [u8]> for Source {
    fn from(bytes: &'static [u8]) -> Self {
        Bytes::from_static(bytes).into()
    }
}

// Memory grows with the bytes that were read, not with the requested range: a sparse file, or a file with a
// wrong size, costs only its contents. Offsets in errors count from `start`, like the offsets of the caller.
fn read_range(source: &dyn ReadAt, range: Range<u64>, start: u64) -> Result<Bytes> {
    const STEP: u64 = 64 << 20;
    let mut buffer = Vec::new();
    let mut offset = range.start;
    while offset < range.end {
        let step = STEP.min(range.end - offset) as usize;
        let filled = buffer.len();
        buffer.try_reserve(step).map_err(|_| out_of_memory(step).at(offset - start))?;
        buffer.resize(filled + step, 0);
        fill(source, offset, &mut buffer[filled..], start)?;
        offset += step as u64;
    }
    Ok(buffer.into())
}

fn fill(source: &dyn ReadAt, offset: u64, buffer: &mut [u8], start: u64) -> Result<()> {
    let size = buffer.len();
    source.read_at(offset, buffer).map_err(|error| {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Error::message(ErrorKind::Shrunk, "the file became shorter while it was read").at(offset - start)
        } else {
            Error::io(format!("cannot read {size} bytes"), error).at(offset - start)
        }
    })
}

struct LocalFile {
    file: File,
    len: u64,
    #[cfg(not(any(unix, windows)))]
    position: std::sync::Mutex<()>,
}

impl LocalFile {
    fn new(file: File, len: u64) -> Self {
        Self {
            file,
            len,
            #[cfg(not(any(unix, windows)))]
            position: std::sync::Mutex::new(()),
        }
    }
}

impl ReadAt for LocalFile {
    fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    buffer = &mut buffer[n..];
                    offset += n as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek};
        let _turn = self.position.lock();
        let mut file = &self.file;
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    #[test]
    fn only_small_regular_files_are_read_at_once() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("file");
        for (size, is_small) in [(0, true), (5, true), (64 << 10, true), ((64 << 10) + 1, false)] {
            std::fs::write(&path, vec![7; size]).unwrap();
            assert_eq!(read_small(&path).map(|(bytes, _)| bytes.len()), is_small.then_some(size));
        }
        assert!(read_small(folder.path()).is_none());
        assert!(read_small(&folder.path().join("none")).is_none());
    }

    #[test]
    fn every_backend_gives_the_same_ranges() {
        let bytes: Vec<u8> = (0..=255).collect();
        let file = file_with(&bytes);
        for backend in [Backend::Map, Backend::Read] {
            let source = Source::open(file.path(), backend).unwrap();
            assert_eq!(source.len(), 256);
            assert_eq!(source.get(10..20).unwrap(), &bytes[10..20]);
            assert_eq!(source.get(256..256).unwrap(), &[][..]);
            assert_eq!(source.get(250..257).unwrap_err().kind(), ErrorKind::Truncated);
            assert_eq!(&source.peek(250, 4).unwrap()[..4], &bytes[250..254]);
        }
    }

    #[test]
    fn every_backend_fills_a_buffer() {
        let bytes: Vec<u8> = (0..=255).collect();
        let file = file_with(&bytes);
        for backend in [Backend::Map, Backend::Read] {
            let source = Source::open(file.path(), backend).unwrap();
            let mut buffer = [0; 6];
            source.read_into(250, &mut buffer).unwrap();
            assert_eq!(buffer, bytes[250..]);
            assert_eq!(source.read_into(251, &mut buffer).unwrap_err().kind(), ErrorKind::Truncated);
            assert_eq!(source.read_into(u64::MAX, &mut buffer).unwrap_err().kind(), ErrorKind::Truncated);
            file.as_file().set_len(100).unwrap();
            assert_eq!(source.read_into(250, &mut buffer).unwrap_err().kind(), ErrorKind::Shrunk);
            std::fs::write(file.path(), &bytes).unwrap();
        }
    }

    #[test]
    fn resident_ranges_share_their_owner() {
        let source = Source::from(vec![1, 2, 3, 4]);
        let (a, b) = (source.get(0..4).unwrap(), source.get(2..4).unwrap());
        assert_eq!(a[2..].as_ptr(), b.as_ptr());
    }

    #[test]
    fn a_missing_file_says_which() {
        let error = Source::open("no/such/file.mlirbc", Backend::Map).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("no/such/file.mlirbc"), "{error}");
    }

    #[test]
    fn a_file_cut_under_the_read_backend_is_an_error() {
        let file = file_with(&[7; 100]);
        let source = Source::open(file.path(), Backend::Read).unwrap();
        file.as_file().set_len(50).unwrap();
        assert!(source.get(0..50).is_ok());
        assert_eq!(source.get(40..60).unwrap_err().kind(), ErrorKind::Shrunk);
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn a_file_cut_under_a_map_neither_kills_nor_goes_unnoticed() {
        let file = file_with(&vec![7; 3 * 65536]);
        let source = Source::open(file.path(), Backend::Map).unwrap();
        let all = source.get(0..source.len()).unwrap();
        assert_eq!(all[0], 7);
        file.as_file().set_len(65536).unwrap();
        assert_eq!(all[2 * 65536], 0, "lost pages read as zeros");
        assert_eq!(all[100], 7, "kept pages keep their bytes");
        assert_eq!(source.check().unwrap_err().kind(), ErrorKind::Shrunk);
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn what_was_forgotten_is_read_again() {
        let bytes: Vec<u8> = (0..5 * 65536_u32).map(|at| (at / 7) as u8).collect();
        let file = file_with(&bytes);
        let source = Source::open(file.path(), Backend::Map).unwrap();
        let all = source.get(0..source.len()).unwrap();
        for range in [0..source.len(), 5000..200_000, 7..7, 0..1, 0..source.len() + 1] {
            assert_eq!(all, bytes);
            source.forget(range);
        }
        file.as_file().set_len(65536).unwrap();
        assert_eq!(all[2 * 65536], 0, "lost pages read as zeros");
        source.forget(0..source.len());
        assert_eq!((all[2 * 65536], all[700]), (0, 100), "also after they were forgotten");
        assert_eq!(source.check().unwrap_err().kind(), ErrorKind::Shrunk);
        source.part(65536..2 * 65536).unwrap().forget(0..65536);
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn a_cut_within_the_last_page_is_noticed() {
        let file = file_with(&[7; 100]);
        let source = Source::open(file.path(), Backend::Map).unwrap();
        assert!(source.check().is_ok());
        file.as_file().set_len(99).unwrap();
        assert_eq!(source.check().unwrap_err().kind(), ErrorKind::Shrunk);
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn a_cut_is_noticed_without_a_system_call_wherever_it_is() {
        for (size, kept) in [(100, 99), (100, 0), (3 * 65536, 65536), (3 * 65536, 65537), (65536 + 1, 65536)]
        {
            let file = file_with(&vec![7; size]);
            let source = Source::open(file.path(), Backend::Map).unwrap();
            assert!(source.check_pages().is_ok());
            file.as_file().set_len(kept).unwrap();
            assert_eq!(source.check_pages().unwrap_err().kind(), ErrorKind::Shrunk, "{size} to {kept}");
            // Extending the file again does not restore the bytes.
            file.as_file().set_len(size as u64).unwrap();
            assert_eq!(source.check_pages().unwrap_err().kind(), ErrorKind::Shrunk, "{size} to {kept}");
        }
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn a_cut_that_takes_only_zeros_of_the_last_page_changes_nothing() {
        let mut bytes = vec![7; 65536 + 100];
        bytes[65536 + 50..].fill(0);
        let file = file_with(&bytes);
        let source = Source::open(file.path(), Backend::Map).unwrap();
        file.as_file().set_len(65536 + 50).unwrap();
        assert!(source.check_pages().is_ok());
        assert_eq!(source.get(0..source.len()).unwrap(), &bytes[..]);
        file.as_file().set_len(65536 + 49).unwrap();
        assert!(source.check_pages().is_err());
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn a_file_overwritten_in_place_is_not_cut() {
        let file = file_with(&[7; 100]);
        let source = Source::open(file.path(), Backend::Map).unwrap();
        std::os::unix::fs::FileExt::write_all_at(file.as_file(), &[0; 100], 0).unwrap();
        assert!(source.check_pages().is_ok());
    }

    #[cfg(all(unix, feature = "mmap"))]
    #[test]
    fn a_file_that_was_replaced_or_removed_stays_readable() {
        let file = file_with(&[7; 100]);
        let source = Source::open(file.path(), Backend::Map).unwrap();
        let shorter = file_with(&[1; 10]);
        std::fs::rename(shorter.path(), file.path()).unwrap();
        assert!(source.check().is_ok());
        std::fs::remove_file(file.path()).unwrap();
        assert!(source.check().is_ok());
        assert_eq!(source.get(99..100).unwrap(), &[7][..]);
    }
}
