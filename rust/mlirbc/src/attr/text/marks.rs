//! Where the operations and values of a text are, for readers who follow references in it.

use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// What is at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// The text of an operation begins; its row.
    Begin,
    /// The text of the operation that began last ends.
    End,
    /// The name of a value where it is defined; its bits.
    Definition,
    /// The name of a value where it is used; its bits.
    Use,
}

/// A position in bytes from the start of the text, and what is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) position: u64,
    /// In bytes, of names.
    pub(crate) len: u32,
    /// The number of the body, and what identifies an operation or a value in it.
    pub(crate) body: u32,
    pub(crate) id: u32,
    pub(crate) kind: MarkKind,
}

/// All marks of a text, in its order.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) rows: Vec<Mark>,
    /// Whether long texts are cut from the third time on.
    pub(crate) abridges: bool,
    budget: Budget,
}

impl Marks {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { rows: Vec::new(), abridges: true, budget: budget.clone() }
    }

    /// As [`Self::new`], for a text that is printed as without marks.
    pub(crate) fn of_whole_text(budget: &Budget) -> Self {
        Self { abridges: false, ..Self::new(budget) }
    }

    pub(super) fn add(&mut self, mark: Mark) -> Result<()> {
        if self.rows.len() == self.rows.capacity() {
            self.budget.spend(self.rows.len().max(64) * size_of::<Mark>())?;
        }
        self.rows.push(mark);
        Ok(())
    }
}
