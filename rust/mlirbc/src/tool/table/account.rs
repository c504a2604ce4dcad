//! The account of the tables of several files, and of the output of a query about them.

use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, Limits};

/// The account of tables of several files: it allows as much as the tables of one file of their total size.
///
/// ```
/// use mlirbc::Limits;
/// use mlirbc::tool::{Table, TableAccount, TableKind};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let mut account = TableAccount::new(&Limits::default().max_text(Some(2000)));
/// account.admit(&module)?;
/// Table::of_file(&module, TableKind::Types, "a.mlirbc", &account)?;
/// let error = Table::of_file(&module, TableKind::Attributes, "a.mlirbc", &account).unwrap_err();
/// assert_eq!(error.identifier(), "mlirbc.limit.text");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct TableAccount {
    limits: Limits,
    // The total size of the admitted files.
    size: u64,
    budget: Budget,
}

impl TableAccount {
    /// Creates the account for files that are read with these limits.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), size: 0, budget: limits.table_budget(0) }
    }

    /// Adds the size of the file of a module, which default limits depend on.
    ///
    /// # Errors
    /// If more was spent than the limits allow.
    pub fn admit(&mut self, module: &Module) -> Result<()> {
        let spent = |budget: &Budget, size| {
            let full = self.limits.table_budget(size);
            (full.memory_left() - budget.memory_left(), full.text_left() - budget.text_left())
        };
        let (memory, text) = spent(&self.budget, self.size);
        self.size = self.size.saturating_add(module.source().len());
        self.budget = self.limits.table_budget(self.size);
        self.budget.spend(usize::try_from(memory).unwrap_or(usize::MAX))?;
        self.budget.spend_text(text)
    }

    /// Charges text that is shown; call before showing it.
    ///
    /// # Errors
    /// [`ErrorKind::TextLimit`](crate::ErrorKind::TextLimit) if less remains.
    pub fn spend_text(&self, bytes: u64) -> Result<()> {
        self.budget.spend_text(bytes)
    }

    /// Charges memory for rows that the caller stores until the output begins; call it before storing them.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if less remains.
    pub fn spend_memory(&self, bytes: u64) -> Result<()> {
        self.budget.spend(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Returns the bytes of memory that the tables may take together.
    pub fn max_memory(&self) -> u64 {
        self.limits.table_budget(self.size).memory_left()
    }

    /// Returns the remaining bytes of memory.
    pub fn memory_left(&self) -> u64 {
        self.budget.memory_left()
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }
}
