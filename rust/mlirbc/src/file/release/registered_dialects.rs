//! The dialects that the writer of a file registers, as far as the file tells.
//!
//! From version 5 on, a file stores for each operation name whether the writer registers the operation. If
//! the writer does not register an operation that builds of that time have, it does not have the dialect. A
//! dialect is also taken for unregistered if it has no operations in the file, and attributes or types as
//! text only although there is a table for it: readers parse the text of a registered dialect, but cannot
//! read the encoding of an unregistered one.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use crate::file::FileTables;
use crate::format::attr_type::EntryEncoding;
use crate::props::op_name::OperationName;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::{Choice, DetectedRelease};

/// The dialects and operations that a writer registers.
#[derive(Debug, Default)]
pub(crate) struct RegisteredDialects {
    dialects: HashMap<Box<[u8]>, bool>,
    unregistered_ops: HashSet<Box<[u8]>>,
}

impl RegisteredDialects {
    /// Collects the dialects and operations from operation names of a file.
    ///
    /// # Errors
    /// If a table of the file is malformed, or the budget has less memory than the names need.
    pub(super) fn of(
        release: &DetectedRelease,
        names: &[OperationName<'_>],
        budget: &Budget,
    ) -> Result<Self> {
        let mut this = Self::default();
        for name in names {
            let Some(is_registered) = name.is_registered else { continue };
            let is_known = || release.choice_of(|schema| schema.row_of(name)) != Choice::Absent;
            match this.dialects.get_mut(name.dialect) {
                Some(known) => *known |= is_registered,
                None if !is_registered && !is_known() => {}
                None => {
                    budget.spend(name.dialect.len() + size_of::<(Box<[u8]>, bool)>())?;
                    this.dialects.insert(name.dialect.into(), is_registered);
                }
            }
            if !is_registered {
                let full = name.full_bytes();
                budget.spend(full.len() + size_of::<Box<[u8]>>())?;
                this.unregistered_ops.insert(full.into());
            }
        }
        Ok(this)
    }

    /// Whether the writer registers a dialect; `None` if the file has no operation of the dialect.
    pub(super) fn dialect(&self, name: &[u8]) -> Option<bool> {
        self.dialects.get(name).copied()
    }

    /// Whether the file tells that the writer does not register an operation.
    pub(super) fn is_unregistered_op(&self, name: &[u8]) -> bool {
        let dialect = name.split(|&byte| byte == b'.').next().unwrap_or_default();
        self.dialect(dialect) == Some(false) || self.unregistered_ops.contains(name)
    }
}

/// The forms of attributes and types by which a file shows what its build registers.
#[derive(Debug, Default)]
pub(crate) struct WrittenForms {
    registered: RegisteredDialects,
    /// The dialects with a table whose entries are text only.
    text_only: HashSet<Box<[u8]>>,
}

impl WrittenForms {
    /// Whether the writer does not register a dialect.
    pub(crate) fn is_unregistered(&self, dialect: &str) -> bool {
        let is_registered = self.registered.dialect(dialect.as_bytes());
        is_registered
            .map_or_else(|| self.text_only.contains(dialect.as_bytes()), |is_registered| !is_registered)
    }
}

/// The encodings of a dialect's attributes and types in a file.
#[derive(Debug, Clone, Copy, Default)]
struct Encodings {
    has_text: bool,
    has_custom: bool,
}

impl FileTables {
    /// Returns the forms of attributes and types in the file.
    ///
    /// # Errors
    /// If a table of the file is malformed, or the budget has less memory than the names need.
    pub(crate) fn written_forms(&self) -> Result<WrittenForms> {
        let budget = self.work_budget();
        let release = self.release()?;
        let names: Vec<_> = self.op_names()?.collect();
        let registered = RegisteredDialects::of(release, &names, &budget)?;
        let table = &self.entry_table()?.table;
        budget.spend(self.dialects()?.len() * size_of::<Encodings>())?;
        let mut encodings: Vec<Encodings> = self.dialects()?.map(|_| Encodings::default()).collect();
        let counts = table.counts();
        let all = 0..counts.attributes as usize + counts.types as usize;
        let _: ControlFlow<()> = table.each_in(all, |_, entry| {
            let is_coded = entry.encoding == EntryEncoding::Custom;
            if let Some(row) = encodings.get_mut(entry.dialect as usize) {
                row.has_text |= !is_coded;
                row.has_custom |= is_coded;
            }
            ControlFlow::Continue(())
        });
        // The table of a pack may have aliases alone.
        let has_table = |name: &[u8]| {
            let table = self.registry().find_at(name, release.llvm());
            table.is_some_and(|table| table.is_shipped || table.has_encodings())
        };
        let dialects = self.dialects()?.zip(encodings).filter(|(_, row)| row.has_text && !row.has_custom);
        let text_only = dialects.filter(|(dialect, _)| has_table(dialect.name));
        let text_only = text_only.map(|(dialect, _)| dialect.name.into()).collect();
        Ok(WrittenForms { registered, text_only })
    }
}
