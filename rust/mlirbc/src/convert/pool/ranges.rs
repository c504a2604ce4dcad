//! Location ranges as single positions.

use std::collections::HashSet;

use crate::attr::table::{Rewrite, Rewritten};
use crate::dialect::entries::{EntryRef, RawEntry};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::Encoding;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

// Codes of the builtin dialect.
const FILE_LINE_COL_LOC: u64 = 11;
pub(crate) const FILE_LINE_COL_RANGE: u64 = 22;

/// Replaces ranges by their start, and counts them.
#[derive(Debug)]
pub(super) struct RangeShortener {
    /// The number of ranges that were replaced.
    pub(super) count: u64,
    /// Counted ranges: a range is read again after its references have been copied.
    counted: HashSet<EntryRef>,
    budget: Budget,
}

impl RangeShortener {
    pub(super) fn new(budget: &Budget) -> Self {
        Self { count: 0, counted: HashSet::new(), budget: budget.clone() }
    }

    /// Returns the start of a range.
    ///
    /// # Errors
    /// If the memory limit is exceeded.
    pub(super) fn start(&mut self, of: EntryRef, node: &Node) -> Result<Rewritten> {
        let numbers: Vec<u64> = node
            .items(1)
            .iter()
            .map(|field| if let Field::Unsigned(number) = field { *number } else { 0 })
            .collect();
        if numbers.len() > 2 && self.counted.insert(of) {
            self.budget.spend(2 * size_of::<EntryRef>())?;
            self.count += 1;
        }
        let mut fields = Node::default();
        fields.begin_field();
        fields.push(node.field(0));
        for place in 0..2 {
            fields.begin_field();
            fields.push(Field::Unsigned(numbers.get(place).copied().unwrap_or(0)));
        }
        Ok(Rewritten::Form(FILE_LINE_COL_LOC, 0, fields))
    }
}

impl Rewrite for RangeShortener {
    fn text(&mut self, _: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    fn encoded(
        &mut self,
        of: EntryRef,
        entry: &RawEntry<'_>,
        (form, _): (&Encoding, usize),
        node: &Node,
    ) -> Result<Rewritten> {
        let is_range = entry.dialect == b"builtin"
            && matches!(of, EntryRef::Attribute(_))
            && form.code == FILE_LINE_COL_RANGE;
        if is_range { self.start(of, node) } else { Ok(Rewritten::Same) }
    }
}
