//! The ops of a schema: a list of its own, or the ops of a shipped release, each loaded on first use.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::OnceLock;

use crate::props::class::DialectClasses;
use crate::props::shipped_ops;
use crate::wire::order::sort_by;

use super::OpSchema;
use super::json::{Checked, RawOp};

#[derive(Debug)]
pub(super) enum OpRows {
    /// Sorted by name.
    Own(Vec<OpSchema>),
    Shipped(ShippedRows),
    /// Sorted by name, each loaded on first use.
    OfPack(Box<[PackOp]>),
}

/// The name of an operation of a pack, and its layout as JSON after the opening brace.
pub(crate) struct PackLayout {
    pub(crate) name: Cow<'static, str>,
    pub(crate) layout: Cow<'static, str>,
}

/// The layout of an operation of a pack, which is loaded on first use.
#[derive(Debug)]
pub(super) struct PackOp {
    name: Cow<'static, str>,
    /// The layout as JSON after the opening brace.
    layout: Cow<'static, str>,
    op: OnceLock<Box<OpSchema>>,
}

/// The ops of a shipped release, in the rows of all releases.
#[derive(Debug)]
pub(super) struct ShippedRows {
    // The letter that marks the ops of the release.
    letter: char,
    // A file uses few of the ops of a release, so pages of rows are allocated on first use.
    pages: Box<[OnceLock<Page>]>,
}

/// The loaded ops of `PAGE` rows.
type Page = Box<[OnceLock<Box<OpSchema>>]>;

const PAGE: usize = 32;

impl OpRows {
    pub(super) fn from_ops(mut ops: Vec<OpSchema>) -> Self {
        sort_by(&mut ops, |a, b| a.name.cmp(&b.name));
        Self::Own(ops)
    }

    /// Creates the rows of the shipped ops that are marked with a letter.
    pub(super) fn shipped(letter: char) -> Self {
        let pages = (0..shipped_ops::rows().div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        Self::Shipped(ShippedRows { letter, pages })
    }

    /// Creates the rows of a pack from the names of operations and their layouts.
    pub(super) fn of_pack(ops: impl Iterator<Item = PackLayout>) -> Self {
        let row = |PackLayout { name, layout }| PackOp { name, layout, op: OnceLock::new() };
        let mut rows: Vec<PackOp> = ops.map(row).collect();
        if !rows.is_sorted_by(|a, b| a.name < b.name) {
            sort_by(&mut rows, |a, b| a.name.cmp(&b.name));
        }
        Self::OfPack(rows.into())
    }

    /// A number above every row.
    pub(super) fn end(&self) -> usize {
        match self {
            Self::Own(ops) => ops.len(),
            Self::OfPack(ops) => ops.len(),
            Self::Shipped(_) => shipped_ops::rows(),
        }
    }

    /// Returns the rows with an op of this schema, in the order of the names.
    pub(super) fn all(&self) -> Vec<usize> {
        match self {
            Self::Own(ops) => (0..ops.len()).collect(),
            Self::OfPack(ops) => (0..ops.len()).collect(),
            Self::Shipped(ShippedRows { letter, .. }) => {
                let ops = shipped_ops::from_row(0).filter(|(_, op)| op.letters.contains(*letter));
                ops.map(|(row, _)| row).collect()
            }
        }
    }

    /// Returns the row of the op whose name `order` calls equal to the requested name.
    pub(super) fn find(&self, order: impl Fn(&[u8]) -> Ordering) -> Option<usize> {
        match self {
            Self::Own(ops) => ops.binary_search_by(|op| order(op.name.as_bytes())).ok(),
            Self::OfPack(ops) => ops.binary_search_by(|op| order(op.name.as_bytes())).ok(),
            Self::Shipped(ShippedRows { letter, .. }) => {
                shipped_ops::named(order).find(|(_, op)| op.letters.contains(*letter)).map(|(row, _)| row)
            }
        }
    }

    /// Whether there is an op of this dialect.
    pub(super) fn has_dialect(&self, dialect: &[u8]) -> bool {
        let is_before = |name: &[u8]| {
            let (stem, rest) = name.split_at(name.len().min(dialect.len()));
            stem.cmp(dialect).then(rest.first().cmp(&Some(&b'.'))).is_lt()
        };
        let is_inside =
            |name: &str| name.as_bytes().strip_prefix(dialect).is_some_and(|rest| rest.starts_with(b"."));
        match self {
            Self::Own(ops) => {
                let first = ops.get(ops.partition_point(|op| is_before(op.name.as_bytes())));
                first.is_some_and(|op| is_inside(&op.name))
            }
            Self::OfPack(ops) => {
                let first = ops.get(ops.partition_point(|op| is_before(op.name.as_bytes())));
                first.is_some_and(|op| is_inside(&op.name))
            }
            Self::Shipped(ShippedRows { letter, .. }) => {
                let mut ops = shipped_ops::from(is_before).take_while(|(_, op)| is_inside(op.name));
                ops.any(|(_, op)| op.letters.contains(*letter))
            }
        }
    }

    /// The op in a row.
    pub(super) fn op(&self, row: usize, classes: &DialectClasses) -> Option<&OpSchema> {
        match self {
            Self::Own(ops) => ops.get(row),
            Self::OfPack(ops) => {
                let row = ops.get(row)?;
                Some(row.op.get_or_init(|| {
                    // A layout that does not load is unknown.
                    let json = ["{", &row.layout].concat();
                    let op = serde_json::from_str::<Checked<RawOp<'_>>>(&json).ok();
                    let op = op.map_or_else(RawOp::unknown, |op| op.0);
                    Box::new(OpSchema::load(&row.name, &op, classes))
                }))
            }
            Self::Shipped(ShippedRows { letter, pages }) => {
                let new = || (0..PAGE).map(|_| OnceLock::new()).collect();
                let slot = pages.get(row / PAGE)?.get_or_init(new).get(row % PAGE)?;
                if let Some(op) = slot.get() {
                    return Some(op);
                }
                let shipped = shipped_ops::op(row).filter(|op| op.letters.contains(*letter))?;
                Some(slot.get_or_init(|| {
                    // A text that does not load becomes an op without fields; the tests of shipped schemas
                    // exclude that.
                    let op = serde_json::from_str::<Checked<RawOp<'_>>>(shipped.json).ok();
                    let op = op.map_or_else(RawOp::unknown, |op| op.0);
                    Box::new(OpSchema::load(shipped.name, &op, classes))
                }))
            }
        }
    }

    /// Returns whether two rows of shipped schemas are the same text.
    pub(super) fn share(&self, row: usize, other: &Self, other_row: usize) -> bool {
        matches!((self, other), (Self::Shipped(_), Self::Shipped(_))) && row == other_row
    }
}
