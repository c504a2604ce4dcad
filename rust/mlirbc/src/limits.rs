//! What a file may cost its reader: limits, and the budget that is spent while decoding.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, ErrorKind, Result};

/// Bounds on what decoding one file may cost. The defaults hold for every file a real writer makes.
///
/// ```
/// use mlirbc::Limits;
/// let strict = Limits { max_depth: 100, ..Limits::default() };
/// assert!(strict.max_memory.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How deep regions, attributes and types may nest. Nesting never uses the machine stack.
    pub max_depth: u32,
    /// Bytes that decoded tables and bodies may take; by default 64 for each byte of the file, and 16 MiB.
    pub max_memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 10_000_000, max_memory: None }
    }
}

impl Limits {
    /// The bytes that a file of this length may become.
    pub(crate) fn memory(&self, len: u64) -> u64 {
        self.max_memory.unwrap_or_else(|| len.saturating_mul(64).saturating_add(16 << 20))
    }

    /// A fresh budget for a file of `len` bytes.
    pub(crate) fn budget(&self, len: u64) -> Budget {
        Budget { memory: AtomicU64::new(self.memory(len)) }
    }
}

/// What is left of the memory a file may cost; shared by all who decode it.
#[derive(Debug)]
pub(crate) struct Budget {
    memory: AtomicU64,
}

impl Budget {
    /// Takes `bytes` from the budget.
    pub(crate) fn spend(&self, bytes: usize) -> Result<()> {
        let bytes = bytes as u64;
        let spent =
            self.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        match spent {
            Ok(_) => Ok(()),
            Err(left) => Err(Error::new(
                ErrorKind::MemoryLimit,
                format!("to need at most {left} more bytes of memory"),
                format!("a table that takes {bytes}"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_once() {
        let budget = Limits { max_memory: Some(10), ..Limits::default() }.budget(0);
        assert!(budget.spend(6).is_ok());
        assert_eq!(budget.spend(6).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert!(budget.spend(4).is_ok());
    }
}
