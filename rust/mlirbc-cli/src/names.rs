//! Operation names as text, and how often each occurs.

use std::cmp::Ordering;

use mlirbc::Module;
use mlirbc::ir::OperationName;
use serde::{Serialize, Serializer};

use crate::text::{lossy_chars, shown_chars};

/// The full name as characters; a dialect's name may be long and shared, so it is not copied.
pub(crate) fn chars<'m>(name: &OperationName<'m>) -> impl Iterator<Item = char> + use<'m> {
    let dot = (!name.stem.is_empty()).then_some('.');
    lossy_chars(name.dialect).chain(dot).chain(lossy_chars(name.stem))
}

/// The name for people.
pub(crate) fn shown(name: &OperationName<'_>) -> String {
    shown_chars(chars(name))
}

fn order(a: &OperationName<'_>, b: &OperationName<'_>) -> Ordering {
    if std::ptr::eq(a.dialect, b.dialect) {
        return lossy_chars(a.stem).cmp(lossy_chars(b.stem));
    }
    chars(a).cmp(chars(b))
}

/// How often each operation occurs, most frequent first, then by name.
#[derive(Debug, Default)]
pub(crate) struct OpCounts<'m>(pub(crate) Vec<(OperationName<'m>, u64)>);

impl<'m> OpCounts<'m> {
    /// Reads all of the IR.
    pub(crate) fn read(module: &'m Module) -> mlirbc::Result<Self> {
        let counts = module.op_counts()?;
        let mut rows: Vec<_> = module.op_names()?.zip(counts).filter(|&(_, count)| count > 0).collect();
        rows.sort_by(|(a, _), (b, _)| order(a, b));
        // A file may list a name twice, and two names may look the same as text.
        rows.dedup_by(|(name, count), (kept, total)| {
            let same = order(name, kept).is_eq();
            *total += if same { *count } else { 0 };
            same
        });
        rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        Ok(Self(rows))
    }

    /// How many operations there are.
    pub(crate) fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

impl Serialize for OpCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name.full(), count)))
    }
}
