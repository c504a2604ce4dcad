//! Limits on the resources that an input may use, and the budget from which reading, editing, printing and
//! writing spend.
//!
//! A `Budget` is an account of memory. A module has one for the tables and bodies that it keeps. Each piece
//! of work on a module (writing, printing, an edit, a layout) has its own account, created by
//! `Budget::for_work`, because its memory is freed at its end. At most twice the limit is in use at a time,
//! plus once for each editor.

mod charged_vec;

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Error, ErrorKind, Result};
use super::options::setters;

pub(crate) use charged_vec::ChargedVec;

/// Bytes of memory per byte of input, unless [`Limits::max_memory`] is set.
pub const MEMORY_PER_BYTE: u64 = 64;
/// Bytes of memory that any input may use, unless [`Limits::max_memory`] is set.
pub const MEMORY_AT_LEAST: u64 = 16 << 20;
/// Bytes of text per byte of input, unless [`Limits::max_text`] is set.
pub const TEXT_PER_BYTE: u64 = 1024;
/// Bytes of text that any input may produce, unless [`Limits::max_text`] is set.
pub const TEXT_AT_LEAST: u64 = 64 << 20;

/// Bytes of decompressed content per byte of a compressed file, unless [`Limits::max_decompressed`] is set.
pub const DECOMPRESSED_PER_BYTE: u64 = 64;
/// Bytes of decompressed content that any compressed file may have, unless [`Limits::max_decompressed`] is set.
pub const DECOMPRESSED_AT_LEAST: u64 = 256 << 20;

/// Limits on the resources that an input may use. The defaults suffice for every file that MLIR writes.
///
/// ```
/// use mlirbc::Limits;
/// let strict = Limits::default().max_depth(100);
/// assert!(strict.max_memory.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum nesting depth of regions, attributes and types. Nesting does not use the machine stack.
    pub max_depth: u32,
    /// The maximum size in bytes of decoded tables and bodies, and of the memory of each piece of work on
    /// them. By default [`MEMORY_PER_BYTE`] per byte of input plus [`MEMORY_AT_LEAST`], but at most a quarter
    /// of the memory of the machine, the control group of the process or its address space (`ulimit -v`).
    pub max_memory: Option<u64>,
    /// The maximum number of bytes of text that printing may produce, indentation included. By default
    /// [`TEXT_PER_BYTE`] per byte of input plus [`TEXT_AT_LEAST`].
    pub max_text: Option<u64>,
    /// The maximum size in bytes of a compressed file (gzip, zstd) after decompression; it is decompressed into
    /// memory. By default `max_memory` if that is set, otherwise [`DECOMPRESSED_PER_BYTE`] per byte of the file
    /// plus [`DECOMPRESSED_AT_LEAST`], but at most a quarter of the memory, as for `max_memory`.
    pub max_decompressed: Option<u64>,
}

setters! {
    Limits {
        max_depth: u32,
        max_memory: Option<u64>,
        max_text: Option<u64>,
        max_decompressed: Option<u64>,
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 10_000_000, max_memory: None, max_text: None, max_decompressed: None }
    }
}

impl Limits {
    /// The bytes of memory that an input of `len` bytes may use.
    pub(crate) fn memory(&self, len: u64) -> u64 {
        let share = || len.saturating_mul(MEMORY_PER_BYTE).saturating_add(MEMORY_AT_LEAST);
        self.max_memory.unwrap_or_else(|| share().min(memory_ceiling()))
    }

    /// The bytes of text that an input of `len` bytes may produce.
    pub(crate) fn text(&self, len: u64) -> u64 {
        self.max_text.unwrap_or_else(|| len.saturating_mul(TEXT_PER_BYTE).saturating_add(TEXT_AT_LEAST))
    }

    /// The most decompressed bytes of a compressed file of `len` bytes.
    pub(crate) fn decompressed(&self, len: u64) -> u64 {
        let share = || len.saturating_mul(DECOMPRESSED_PER_BYTE).saturating_add(DECOMPRESSED_AT_LEAST);
        self.max_decompressed.or(self.max_memory).unwrap_or_else(|| share().min(memory_ceiling()))
    }

    /// The most bytes of a stream: a pipe, a device, standard input. A stream has no size that could be
    /// looked up, and is kept in memory. This is [`max_memory`](Self::max_memory) if that is set, otherwise a
    /// quarter of the memory, as for `max_memory`.
    ///
    /// ```
    /// use mlirbc::Limits;
    /// assert_eq!(Limits::default().max_memory(Some(1 << 20)).stream(), 1 << 20);
    /// ```
    #[doc(hidden)]
    pub fn stream(&self) -> u64 {
        self.max_memory.unwrap_or_else(memory_ceiling)
    }

    /// Creates a fresh budget for a table of an input of `len` bytes, which keeps its text in memory. Unless
    /// the memory is limited explicitly, the memory for the text is added to the memory for decoding.
    pub(crate) fn table_budget(&self, len: u64) -> Budget {
        let memory = || self.memory(len).saturating_add(self.text(len)).min(memory_ceiling());
        let max_memory = Some(self.max_memory.unwrap_or_else(memory));
        Self { max_memory, ..self.clone() }.budget(len)
    }

    /// A fresh budget for an input of `len` bytes.
    pub(crate) fn budget(&self, len: u64) -> Budget {
        let (memory, text) = (self.memory(len), self.text(len));
        Budget(Arc::new(Account { limits: (memory, text), memory: memory.into(), text: text.into() }))
    }
}

/// A quarter of the memory available to this process: whatever the size of a file (a sparse file can have any
/// size at no cost), decoding it leaves memory for other programs.
fn memory_ceiling() -> u64 {
    static CEILING: OnceLock<u64> = OnceLock::new();
    *CEILING.get_or_init(|| {
        if cfg!(miri) {
            // Miri has no `/proc` and no `sysconf` that the query needs.
            return u64::MAX;
        }
        let mut system = sysinfo::System::new();
        system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
        // A system or group that reports zero is unlimited; without `/proc` the group is not queried.
        let or_unlimited = |bytes: u64| if bytes == 0 { u64::MAX } else { bytes };
        let total = or_unlimited(system.total_memory());
        let group = match total {
            u64::MAX => u64::MAX,
            _ => system.cgroup_limits().map_or(u64::MAX, |limits| or_unlimited(limits.total_memory)),
        };
        match total.min(group).min(address_space()) {
            u64::MAX => u64::MAX,
            least => least / 4,
        }
    })
}

/// The limit of `ulimit -v`.
#[cfg(unix)]
fn address_space() -> u64 {
    rustix::process::getrlimit(rustix::process::Resource::As).current.unwrap_or(u64::MAX)
}

#[cfg(not(unix))]
fn address_space() -> u64 {
    u64::MAX
}

/// The remaining resources of an input. Clones share one account, also between threads.
#[derive(Debug, Clone)]
pub(crate) struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    // The initial limits on memory and text.
    limits: (u64, u64),
    memory: AtomicU64,
    text: AtomicU64,
}

impl Budget {
    /// Creates a fresh account with the same limits, for one piece of work whose memory is freed at its end.
    pub(crate) fn for_work(&self) -> Self {
        let (memory, text) = self.0.limits;
        Self(Arc::new(Account { limits: self.0.limits, memory: memory.into(), text: text.into() }))
    }

    /// Spends `bytes` of memory for the lifetime of the account. Call before allocating.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] if less remains.
    pub(crate) fn spend(&self, bytes: usize) -> Result<()> {
        take(&self.0.memory, bytes as u64).map_err(|left| memory_limit(left, bytes as u64))
    }

    /// Returns memory that was spent since `left` bytes remained and that is free again.
    pub(crate) fn refund_to(&self, left: u64) {
        self.0.memory.fetch_max(left, Ordering::Relaxed);
    }

    /// Spends `bytes` of memory until the result is dropped.
    ///
    /// # Errors
    /// As [`Self::spend`].
    pub(crate) fn hold(&self, bytes: usize) -> Result<HeldMemory> {
        let mut held = HeldMemory { budget: self.clone(), bytes: 0 };
        held.grow_to(bytes)?;
        Ok(held)
    }

    /// Spends `bytes` of text. Call before producing the text.
    ///
    /// # Errors
    /// [`ErrorKind::TextLimit`] if less remains.
    pub(crate) fn spend_text(&self, bytes: u64) -> Result<()> {
        take(&self.0.text, bytes).map_err(|_| {
            let limit = self.0.limits.1;
            Error::message(
                ErrorKind::TextLimit,
                format!("the text limit is {limit} bytes, but the text of the module is longer"),
            )
        })
    }

    /// The remaining bytes of memory, for tables that only save time and must leave most of the budget.
    pub(crate) fn memory_left(&self) -> u64 {
        self.0.memory.load(Ordering::Relaxed)
    }

    /// The remaining bytes of text.
    pub(crate) fn text_left(&self) -> u64 {
        self.0.text.load(Ordering::Relaxed)
    }

    /// Creates an empty vector with capacity for exactly `len` items, whose memory is spent first.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] if the budget or the system has less.
    pub(crate) fn vec<T>(&self, len: usize) -> Result<Vec<T>> {
        let bytes = len.saturating_mul(size_of::<T>());
        self.spend(bytes)?;
        let mut list = Vec::new();
        list.try_reserve_exact(len).map_err(|_| out_of_memory(bytes))?;
        Ok(list)
    }

    /// Creates an empty string with room for `len` bytes, which are spent first.
    ///
    /// # Errors
    /// As [`Self::vec`].
    pub(crate) fn string(&self, len: usize) -> Result<String> {
        self.spend(len)?;
        let mut text = String::new();
        text.try_reserve_exact(len).map_err(|_| out_of_memory(len))?;
        Ok(text)
    }

    /// Creates a vector of `len` equal items, whose memory is spent first.
    ///
    /// # Errors
    /// As [`Self::vec`].
    pub(crate) fn filled<T: Clone>(&self, item: T, len: usize) -> Result<Vec<T>> {
        let mut list = self.vec(len)?;
        list.resize(len, item);
        Ok(list)
    }

    /// Creates a string of `count` times the same text, whose memory is spent first.
    ///
    /// # Errors
    /// As [`Self::vec`].
    pub(crate) fn repeat(&self, text: &str, count: usize) -> Result<String> {
        let mut repeated = self.string(text.len().saturating_mul(count))?;
        repeated.extend(std::iter::repeat_n(text, count));
        Ok(repeated)
    }
}

/// Memory that is returned to its budget on drop.
#[derive(Debug)]
pub(crate) struct HeldMemory {
    budget: Budget,
    bytes: u64,
}

impl HeldMemory {
    /// Holds `bytes` in total from now on, if that is more than before.
    ///
    /// # Errors
    /// As [`Budget::spend`].
    #[inline]
    pub(crate) fn grow_to(&mut self, bytes: usize) -> Result<()> {
        let bytes = bytes as u64;
        if bytes > self.bytes {
            take(&self.budget.0.memory, bytes - self.bytes)
                .map_err(|left| memory_limit(left, bytes - self.bytes))?;
            self.bytes = bytes;
        }
        Ok(())
    }

    /// Also holds the memory of `other`. Both must belong to the same account.
    pub(crate) fn merge(&mut self, mut other: Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }

    /// Keeps the memory for the lifetime of the account.
    pub(crate) fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        self.budget.0.memory.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

fn take(left: &AtomicU64, amount: u64) -> std::result::Result<(), u64> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(amount)).map(drop)
}

/// Creates the error for an allocation that the system refused although the budget allowed it.
#[cold]
pub(crate) fn out_of_memory(bytes: usize) -> Error {
    Error::message(ErrorKind::MemoryLimit, format!("the system cannot allocate {bytes} bytes of memory"))
        .with_hint("free memory, or raise the memory limits of the process")
}

#[cold]
fn memory_limit(left: u64, bytes: u64) -> Error {
    let message = format!("{bytes} bytes of memory are needed, but the memory limit leaves only {left}");
    Error::message(ErrorKind::MemoryLimit, message)
}

/// Reserves memory for more items in a long list. The spare capacity is a quarter of the list instead of the
/// whole list.
#[inline]
pub(crate) fn reserve_tight<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 4).max(16));
    }
}

/// A list of equal numbers, written one by one. In memory that the system has filled with zeros, a page that
/// is read before it is written faults twice, and the second fault interrupts all threads.
pub(crate) fn filled<T: Copy>(number: T, len: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(len);
    list.resize(len, std::hint::black_box(number));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget_of(bytes: u64) -> Budget {
        Limits { max_memory: Some(bytes), max_text: Some(bytes), ..Limits::default() }.budget(0)
    }

    #[test]
    fn a_budget_is_spent_once() {
        let budget = budget_of(10);
        assert!(budget.spend(6).is_ok());
        let error = budget.clone().spend(6).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        assert_eq!(error.to_string(), "6 bytes of memory are needed, but the memory limit leaves only 4");
        assert!(budget.spend(4).is_ok());
        assert!(budget.for_work().spend(10).is_ok());
    }

    #[test]
    fn held_memory_goes_back() {
        let budget = budget_of(10);
        let mut held = budget.hold(6).unwrap();
        held.grow_to(3).unwrap();
        assert!(held.grow_to(11).is_err());
        held.grow_to(10).unwrap();
        assert!(budget.spend(1).is_err());
        drop(held);
        assert!(budget.spend(10).is_ok());
    }

    #[test]
    fn text_is_limited_apart_from_memory() {
        let budget = budget_of(10);
        budget.spend_text(4).unwrap();
        assert_eq!(budget.text_left(), 6);
        let error = budget.spend_text(7).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TextLimit);
        assert_eq!(error.to_string(), "the text limit is 10 bytes, but the text of the module is longer");
        assert!(budget.spend(10).is_ok());
    }

    #[test]
    fn a_vector_is_asked_for_before_it_is_made() {
        assert_eq!(budget_of(10).vec::<u64>(2).unwrap_err().kind(), ErrorKind::MemoryLimit);
        // The size is more than any machine has.
        assert_eq!(budget_of(u64::MAX).vec::<u64>(1 << 59).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(budget_of(16).vec::<u64>(2).unwrap().capacity(), 2);
    }

    #[test]
    fn repeated_items_and_texts_are_asked_for_before_they_are_made() {
        assert_eq!(budget_of(15).filled(7_u64, 2).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(budget_of(16).filled(7_u64, 2).unwrap(), [7, 7]);
        assert_eq!(budget_of(u64::MAX).filled(7_u64, usize::MAX).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(budget_of(5).repeat("ab", 3).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(budget_of(6).repeat("ab", 3).unwrap(), "ababab");
        assert_eq!(budget_of(u64::MAX).repeat("ab", usize::MAX).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(budget_of(u64::MAX).string(1 << 62).unwrap_err().kind(), ErrorKind::MemoryLimit);
    }

    #[test]
    fn no_length_gets_more_than_a_quarter_of_the_machine() {
        let most = Limits::default().memory(u64::MAX);
        assert!(most < u64::MAX && most > MEMORY_AT_LEAST, "{most}");
        assert_eq!(Limits { max_memory: Some(u64::MAX), ..Limits::default() }.memory(0), u64::MAX);
    }
}
