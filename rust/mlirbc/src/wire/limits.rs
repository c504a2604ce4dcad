//! What a file may cost its user: limits, and the budget that reading, editing, printing and writing spend.
//!
//! A `Budget` is one account of memory. A module has one for what it keeps: tables and bodies. Each piece of work
//! on a module (writing, printing, one edit, one layout) has one of its own, made by `Budget::for_work`, because
//! its memory is given back when it ends. So at most twice the limit is in use at a time, plus once for each editor.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Error, ErrorKind, Result};

/// Bytes of memory for each byte of input, unless [`Limits::max_memory`] says otherwise.
pub const MEMORY_PER_BYTE: u64 = 64;
/// Bytes of memory that any input may take, however short, unless [`Limits::max_memory`] says otherwise.
pub const MEMORY_AT_LEAST: u64 = 16 << 20;
/// Bytes of text for each byte of input, unless [`Limits::max_text`] says otherwise.
pub const TEXT_PER_BYTE: u64 = 1024;
/// Bytes of text that any input may become, however short, unless [`Limits::max_text`] says otherwise.
pub const TEXT_AT_LEAST: u64 = 64 << 20;

/// Bounds on what one input may cost. The defaults hold for every file that a real writer makes.
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
    /// Bytes that decoded tables and bodies may take, and again that each piece of work on them may take. By default
    /// [`MEMORY_PER_BYTE`] for each byte of the input and [`MEMORY_AT_LEAST`], but never more than a quarter of the
    /// memory that the machine, the process's control group or its address space (`ulimit -v`) has.
    pub max_memory: Option<u64>,
    /// Bytes of text that printing may produce, indentation included. By default [`TEXT_PER_BYTE`] for each byte of the
    /// input and [`TEXT_AT_LEAST`].
    pub max_text: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_depth: 10_000_000, max_memory: None, max_text: None }
    }
}

impl Limits {
    /// The bytes of memory that an input of `len` bytes may take.
    pub(crate) fn memory(&self, len: u64) -> u64 {
        let share = || len.saturating_mul(MEMORY_PER_BYTE).saturating_add(MEMORY_AT_LEAST);
        self.max_memory.unwrap_or_else(|| share().min(memory_ceiling()))
    }

    /// The bytes of text that an input of `len` bytes may become.
    pub(crate) fn text(&self, len: u64) -> u64 {
        self.max_text.unwrap_or_else(|| len.saturating_mul(TEXT_PER_BYTE).saturating_add(TEXT_AT_LEAST))
    }

    /// A fresh budget for an input of `len` bytes.
    pub(crate) fn budget(&self, len: u64) -> Budget {
        let (memory, text) = (self.memory(len), self.text(len));
        Budget(Arc::new(Account { limits: (memory, text), memory: memory.into(), text: text.into() }))
    }
}

/// A quarter of the memory that this process can have: whatever a file's size claims (a sparse file claims any size
/// and costs its maker nothing), decoding it leaves room for the rest of the machine.
fn memory_ceiling() -> u64 {
    static CEILING: OnceLock<u64> = OnceLock::new();
    *CEILING.get_or_init(|| {
        let mut system = sysinfo::System::new();
        system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
        // A system or a group that does not say limits nothing; without `/proc` the group may not even be asked for.
        let known = |bytes: u64| if bytes == 0 { u64::MAX } else { bytes };
        let total = known(system.total_memory());
        let group = match total {
            u64::MAX => u64::MAX,
            _ => system.cgroup_limits().map_or(u64::MAX, |limits| known(limits.total_memory)),
        };
        match total.min(group).min(address_space()) {
            u64::MAX => u64::MAX,
            least => least / 4,
        }
    })
}

/// What `ulimit -v` allows.
#[cfg(unix)]
fn address_space() -> u64 {
    rustix::process::getrlimit(rustix::process::Resource::As).current.unwrap_or(u64::MAX)
}

#[cfg(not(unix))]
fn address_space() -> u64 {
    u64::MAX
}

/// What is left of what an input may cost. Clones share one account, also between threads.
#[derive(Debug, Clone)]
pub(crate) struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    // Of memory and text, when nothing was spent.
    limits: (u64, u64),
    memory: AtomicU64,
    text: AtomicU64,
}

impl Budget {
    /// A fresh account with the same limits, for one piece of work whose memory is given back at its end.
    pub(crate) fn for_work(&self) -> Self {
        let (memory, text) = self.0.limits;
        Self(Arc::new(Account { limits: self.0.limits, memory: memory.into(), text: text.into() }))
    }

    /// Takes `bytes` of memory for as long as the account lives. Ask before allocating.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] when less is left.
    pub(crate) fn spend(&self, bytes: usize) -> Result<()> {
        take(&self.0.memory, bytes as u64).map_err(|left| memory_limit(left, bytes as u64))
    }

    /// Takes `bytes` of memory until the answer is dropped.
    ///
    /// # Errors
    /// As [`Self::spend`].
    pub(crate) fn hold(&self, bytes: usize) -> Result<Held> {
        let mut held = Held { budget: self.clone(), bytes: 0 };
        held.grow_to(bytes)?;
        Ok(held)
    }

    /// Takes `bytes` of text. Ask before producing it.
    ///
    /// # Errors
    /// [`ErrorKind::TextLimit`] when less is left.
    pub(crate) fn spend_text(&self, bytes: u64) -> Result<()> {
        take(&self.0.text, bytes).map_err(|_| {
            let limit = self.0.limits.1;
            Error::message(
                ErrorKind::TextLimit,
                format!("the text limit is {limit} bytes, but the text of the module is longer"),
            )
        })
    }

    /// The bytes of memory that may still be taken: for tables that only save time, which must leave the most of it.
    pub(crate) fn memory_left(&self) -> u64 {
        self.0.memory.load(Ordering::Relaxed)
    }

    /// The bytes of text that may still be produced.
    pub(crate) fn text_left(&self) -> u64 {
        self.0.text.load(Ordering::Relaxed)
    }

    /// An empty vector with room for exactly `len` items, whose memory was asked for first.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] when the budget or the system has less.
    pub(crate) fn vec<T>(&self, len: usize) -> Result<Vec<T>> {
        let bytes = len.saturating_mul(size_of::<T>());
        self.spend(bytes)?;
        let mut list = Vec::new();
        list.try_reserve_exact(len).map_err(|_| out_of_memory(bytes))?;
        Ok(list)
    }
}

/// Memory that goes back to its budget when this is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    budget: Budget,
    bytes: u64,
}

impl Held {
    /// Holds `bytes` in all from now on, if that is more than so far.
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

    /// Holds what `other` does, too. Both are of one account.
    pub(crate) fn merge(&mut self, mut other: Self) {
        self.bytes += std::mem::take(&mut other.bytes);
    }

    /// Takes the memory for as long as the account lives.
    pub(crate) fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.0.memory.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

fn take(left: &AtomicU64, amount: u64) -> std::result::Result<(), u64> {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(amount)).map(drop)
}

/// The system refused memory that the budget allowed.
#[cold]
pub(crate) fn out_of_memory(bytes: usize) -> Error {
    Error::message(ErrorKind::MemoryLimit, format!("the system cannot allocate {bytes} bytes of memory"))
        .with_hint("free memory, or raise the memory limits of the process")
}

#[cold]
fn memory_limit(left: u64, bytes: u64) -> Error {
    let message = format!("the memory limit leaves {left} bytes, but this needs {bytes}");
    Error::message(ErrorKind::MemoryLimit, message)
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
        assert_eq!(error.to_string(), "the memory limit leaves 4 bytes, but this needs 6");
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
        // More than any machine has.
        assert_eq!(budget_of(u64::MAX).vec::<u64>(1 << 59).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(budget_of(16).vec::<u64>(2).unwrap().capacity(), 2);
    }

    #[test]
    fn no_length_gets_more_than_a_quarter_of_the_machine() {
        let most = Limits::default().memory(u64::MAX);
        assert!(most < u64::MAX && most > MEMORY_AT_LEAST, "{most}");
        assert_eq!(Limits { max_memory: Some(u64::MAX), ..Limits::default() }.memory(0), u64::MAX);
    }
}
