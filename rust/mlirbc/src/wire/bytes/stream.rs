//! Reads sources without a size: pipes, devices, standard input. A stream is kept in memory, so its length is
//! limited.
//!
//! Owns the only loop that reads a source to its end, and the check for files that must have a size.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::{Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Limits, out_of_memory};

/// The size of the first read; each later read is at most as large as all reads before it.
const STEP: u64 = 64 << 10;

impl Source {
    /// Reads a stream to its end; `name` is its name in errors.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] for a stream with more than [`Limits::stream`] bytes, [`ErrorKind::Io`] if it
    /// cannot be read.
    ///
    /// ```
    /// use mlirbc::bytes::Source;
    /// use mlirbc::Limits;
    /// let source = Source::from_stream(&b"MLIR"[..], "a buffer", &Limits::default())?;
    /// assert_eq!(source.len(), 4);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_stream(stream: impl Read, name: &str, limits: &Limits) -> Result<Self> {
        read_all(stream, name, limits).map(Into::into)
    }

    /// Compares the length that a stream announces with the limit, so that a stream that is too long is not
    /// read first.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] for more than [`Limits::stream`] bytes.
    ///
    /// ```
    /// use mlirbc::bytes::Source;
    /// use mlirbc::Limits;
    /// let limits = Limits::default().max_memory(Some(1 << 20));
    /// assert!(Source::check_announced(1 << 20, "the file", &limits).is_ok());
    /// assert!(Source::check_announced(u64::MAX, "the file", &limits).is_err());
    /// ```
    #[doc(hidden)]
    pub fn check_announced(len: u64, name: &str, limits: &Limits) -> Result<()> {
        let limit = limits.stream();
        if len <= limit { Ok(()) } else { Err(too_long(name, limit)) }
    }

    /// All bytes of the source: shared if resident, otherwise read under the limit of a stream.
    ///
    /// # Errors
    /// As [`Self::get`]; [`ErrorKind::MemoryLimit`] for a source that must be read and is longer than
    /// [`Limits::stream`].
    ///
    /// ```
    /// use mlirbc::bytes::Source;
    /// use mlirbc::Limits;
    /// assert_eq!(Source::from(&b"MLIR"[..]).all(&Limits::default())?, &b"MLIR"[..]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn all(&self, limits: &Limits) -> Result<Bytes> {
        if self.is_ranged() {
            Self::check_announced(self.len(), "the file", limits)?;
        }
        self.get(0..self.len())
    }
}

/// Returns all bytes of a stream, which errors call `name`.
///
/// # Errors
/// [`ErrorKind::MemoryLimit`] for a stream longer than [`Limits::stream`], after that many bytes;
/// [`ErrorKind::Io`] if it cannot be read.
fn read_all(mut stream: impl Read, name: &str, limits: &Limits) -> Result<Bytes> {
    let limit = limits.stream();
    // A byte more is read, which distinguishes a stream that ends at the limit from a longer stream.
    let most = limit.saturating_add(1);
    let mut bytes = Vec::new();
    loop {
        let len = bytes.len() as u64;
        let step = len.max(STEP).min(most - len);
        let room = usize::try_from(step).map_err(|_| too_long(name, limit))?;
        bytes.try_reserve_exact(room).map_err(|_| out_of_memory(room))?;
        let failed = |error| Error::io(format!("cannot read {name}"), error);
        let read = Read::by_ref(&mut stream).take(step).read_to_end(&mut bytes).map_err(failed)? as u64;
        if read < step {
            bytes.shrink_to_fit();
            return Ok(bytes.into());
        }
        if bytes.len() as u64 == most {
            return Err(too_long(name, limit));
        }
    }
}

#[cold]
fn too_long(name: &str, limit: u64) -> Error {
    let message = format!("{name} has more than {limit} bytes, the limit for what is read into memory");
    Error::message(ErrorKind::MemoryLimit, message)
        .with_hint("name a regular file, or raise `max_memory` or `--max-memory` if you trust the input")
}

/// Opens a file whose ranges are read, and returns its metadata.
///
/// # Errors
/// The errors of the system, and an error for a folder, a pipe, a socket or a device, which have no size and
/// no ranges. Such a file is not opened, because a pipe would wait for its writer.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, Metadata)> {
    let is_regular = |metadata: &Metadata| match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    };
    is_regular(&path.metadata()?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    is_regular(&metadata)?;
    Ok((file, metadata))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(bytes: u64) -> Limits {
        Limits { max_memory: Some(bytes), ..Limits::default() }
    }

    #[test]
    fn a_stream_that_does_not_end_is_read_to_the_limit() {
        struct Counted(u64);
        impl Read for Counted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                // Like a pipe, this returns less than was requested.
                let len = buffer.len().min(50_000);
                self.0 += len as u64;
                buffer[..len].fill(0);
                Ok(len)
            }
        }
        for limit in [0, 1, 65_535, 65_536, 65_537, 1 << 20] {
            let mut stream = Counted(0);
            let error = read_all(&mut stream, "`x`", &limits(limit)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MemoryLimit);
            assert!(error.to_string().starts_with(&format!("`x` has more than {limit} bytes")), "{error}");
            assert_eq!(stream.0, limit + 1);
        }
    }

    #[test]
    fn a_stream_as_long_as_the_limit_is_read() {
        for len in [0_u64, 1, 65_535, 65_536, 65_537, 200_000] {
            let read = read_all(io::repeat(7).take(len), "`x`", &limits(len)).unwrap();
            assert_eq!(read.len() as u64, len);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_ranges_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        for path in [&pipe, Path::new("/dev/zero"), folder.path()] {
            assert!(open_regular(path).is_err(), "{}", path.display());
        }
    }
}
