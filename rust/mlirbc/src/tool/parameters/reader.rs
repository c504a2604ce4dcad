//! Reads numbers and bytes of a file in order; every length is checked against the file before anything is allocated.

use crate::wire::bytes::{Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};

/// The size of a read, which covers many small fields of a file that is read on demand.
const WINDOW: u64 = 1 << 14;

/// A position in a file.
pub(super) struct Reader<'s> {
    source: &'s Source,
    pub(super) budget: Budget,
    window: (u64, Bytes),
    pub(super) at: u64,
}

impl<'s> Reader<'s> {
    pub(super) fn new(source: &'s Source, limits: &Limits) -> Self {
        Self { source, budget: limits.budget(source.len()), window: (0, Bytes::new()), at: 0 }
    }

    pub(super) fn seek(&mut self, at: u64) {
        self.at = at;
    }

    pub(super) fn len(&self) -> u64 {
        self.source.len()
    }

    fn inside(&self, size: u64) -> Result<u64> {
        let end = self.at.checked_add(size).filter(|&end| end <= self.len());
        end.ok_or_else(|| {
            fault(self.at, format!("{size} bytes"), format!("the end of the file at {:#x}", self.len()))
        })
    }

    /// Returns the next bytes.
    pub(super) fn bytes(&mut self, size: u64) -> Result<Bytes> {
        crate::wire::steps::count(1);
        let end = self.inside(size)?;
        let (start, window) = &self.window;
        if self.at < *start || end > start + window.len() as u64 {
            let window_end = end.max(self.at.saturating_add(WINDOW)).min(self.len());
            self.window = (self.at, self.source.get(self.at..window_end)?);
        }
        let from = (self.at - self.window.0) as usize;
        self.at = end;
        Ok(self.window.1.slice(from..from + size as usize))
    }

    pub(super) fn skip(&mut self, size: u64) -> Result<()> {
        self.at = self.inside(size)?;
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes(N as u64)?;
        let mut array = [0; N];
        array.copy_from_slice(&bytes);
        Ok(array)
    }

    pub(super) fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Returns the next bytes as text, which is charged to the budget.
    pub(super) fn text(&mut self, size: u64) -> Result<String> {
        let start = self.at;
        let bytes = self.bytes(size)?;
        self.budget.spend(2 * bytes.len())?;
        let text = std::str::from_utf8(&bytes);
        text.map(str::to_owned).map_err(|_| fault(start, "UTF-8", "other bytes"))
    }
}

/// Creates the error for a fault of a file.
#[cold]
pub(super) fn fault(at: u64, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(ErrorKind::ParameterFile, expected.into(), found.into()).at(at)
}
