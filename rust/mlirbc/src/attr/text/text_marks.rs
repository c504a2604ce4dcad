//! The positions of operations and values in a text, for readers who follow references in it.

use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The kind of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// The text of an operation begins; the mark has its row.
    Begin,
    /// The text of the operation that began last ends.
    End,
    /// The name of a value at its definition; the mark has its bits.
    Definition,
    /// The name of a value at a use; the mark has its bits.
    Use,
}

/// An operation or a value at a position, in bytes from the start of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) position: u64,
    /// The length in bytes, for names.
    pub(crate) len: u32,
    /// The number of the body, and the identity of the operation or value in the body.
    pub(crate) body: u32,
    pub(crate) id: u32,
    pub(crate) kind: MarkKind,
}

/// All marks of a text, in the order of the text.
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

    /// As [`Self::new`], for a text that is not abridged.
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
