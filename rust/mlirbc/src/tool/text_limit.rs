//! The limit on the text of one listing of a module.

use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The remaining text of a listing of a module: `max_text` of [`Limits`](crate::wire::limits::Limits) applies to every text
/// made from a file, because a short file can refer to one long text any number of times.
///
/// ```
/// use mlirbc::tool::TextLimit;
/// use mlirbc::Limits;
/// use mlirbc::{Module, ReadOptions};
/// let options = ReadOptions::default().limits(Limits::default().max_text(Some(10)));
/// let module = Module::from_source(mlirbc::doc_example().into(), &options)?;
/// let limit = TextLimit::of(&module);
/// limit.spend(10)?;
/// assert_eq!(limit.spend(1).unwrap_err().identifier(), "mlirbc.limit.text");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct TextLimit {
    budget: Budget,
    is_kept: bool,
}

impl TextLimit {
    /// Returns the text limit of `module`.
    pub fn of(module: &Module) -> Self {
        Self { budget: module.tables().work_budget(), is_kept: false }
    }

    /// Returns the limit for text that stays in memory: it counts towards the memory of a
    /// [`Table`](super::Table), too.
    pub fn of_kept(module: &Module) -> Self {
        Self { budget: module.tables().table_budget(), is_kept: true }
    }

    /// Spends `bytes` of the limit; call before writing them.
    ///
    /// # Errors
    /// [`ErrorKind::TextLimit`](crate::ErrorKind::TextLimit) if less remains, and
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if the text stays in memory and less memory
    /// remains.
    pub fn spend(&self, bytes: u64) -> Result<()> {
        if self.is_kept {
            self.budget.spend(usize::try_from(bytes).unwrap_or(usize::MAX))?;
        }
        self.budget.spend_text(bytes)
    }
}
