//! Tables of a module for other programs: operations, values, attributes, types, symbols and resources.
//!
//! Owns the columns that Python's `ops_table` and its neighbours pass to Arrow, and their cost: rows and text
//! are charged to an account of the table before they are created. Does not own the encoding. A text that
//! rows share is stored once, so the memory of a table grows with the file and with its distinct texts.

mod account;
mod entries;
mod operations;
mod resources;
mod symbols;
mod texts;

use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

pub use account::TableAccount;
pub use texts::Texts;

use super::columns::NO_ROW;
use texts::Words;

/// The longest text of an attribute or a type in a table, in bytes; a longer one is null.
///
/// Most longer attributes are the data of a constant.
#[doc(hidden)]
pub const LONGEST_TEXT: usize = 1 << 16;

/// Columns of equal length.
///
/// ```
/// use mlirbc::tool::{ColumnValues, Table, TableKind};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let table = Table::new(&module, TableKind::Symbols)?;
/// assert_eq!(table.row_count, 2);
/// let ColumnValues::Words { rows, words } = &table.columns[0].values else { panic!() };
/// assert_eq!((table.columns[0].name, words.get(rows[1])), ("path", "@main"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct Table {
    /// The number of rows.
    pub row_count: usize,
    /// The columns in order.
    pub columns: Vec<TableColumn>,
}

/// Selects a table of a module.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKind {
    /// A row for each operation, in pre-order.
    Operations,
    /// A row for each result in the order of operations, then for each argument of a block.
    Values,
    /// A row for each attribute of the file.
    Attributes,
    /// A row for each type of the file.
    Types,
    /// A row for each symbol.
    Symbols,
    /// A row for each resource.
    Resources,
}

/// A column of a [`Table`].
#[doc(hidden)]
#[derive(Debug)]
pub struct TableColumn {
    /// The name.
    pub name: &'static str,
    /// The values.
    pub values: ColumnValues,
}

/// The values of a column.
#[doc(hidden)]
#[derive(Debug)]
pub enum ColumnValues {
    /// Texts that rows may share, by their number in `words`; never null.
    Words {
        /// The number of the text of each row.
        rows: Vec<u32>,
        /// The texts.
        words: Texts,
    },
    /// A text for each row.
    Texts {
        /// The texts; an empty one where the row is null.
        texts: Texts,
        /// The rows that have a text.
        validity: Validity,
    },
    /// A number for each row, [`NO_ROW`] where it is null.
    Numbers {
        /// The numbers.
        numbers: Vec<u32>,
        /// The rows that have a number.
        validity: Validity,
    },
    /// A list of numbers for each row.
    Lists {
        /// Where the list of each row begins, and the end of the last one.
        offsets: Vec<u32>,
        /// The numbers of all lists.
        items: Vec<u32>,
    },
    /// A size or a file offset for each row.
    Sizes {
        /// The sizes; 0 where the row is null.
        sizes: Vec<u64>,
        /// The rows that have a size.
        validity: Validity,
    },
}

/// The rows of a column that are not null, as a bitmap with the lowest bit first.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Validity {
    /// A bit for each row; empty if no row is null.
    pub bits: Vec<u8>,
    /// The number of rows that are null.
    pub null_count: usize,
}

impl Table {
    /// Makes a table.
    ///
    /// Rows and text are charged to an account of the table: `max_text` of
    /// [`Limits`](crate::wire::limits::Limits) limits its text, and `max_memory` its total memory. Without
    /// `max_memory` the memory for the text is granted in addition to the memory for decoding.
    ///
    /// # Errors
    /// If the data that the table shows is malformed, and if a limit is exceeded.
    pub fn new(module: &Module, kind: TableKind) -> Result<Self> {
        Self::charged(module, kind, &module.tables().table_budget())
    }

    /// Makes a table for one of several files, with the columns `file` and `row` before the others; it is
    /// charged to the common account.
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// ```
    /// use mlirbc::tool::{Table, TableAccount, TableKind};
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let mut account = TableAccount::new(module.limits());
    /// account.admit(&module)?;
    /// let table = Table::of_file(&module, TableKind::Types, "two_layers.mlirbc", &account)?;
    /// let names: Vec<_> = table.columns.iter().map(|column| column.name).collect();
    /// assert_eq!(names, ["file", "row", "class", "text"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn of_file(module: &Module, kind: TableKind, file: &str, account: &TableAccount) -> Result<Self> {
        let account = account.budget();
        let mut table = Self::charged(module, kind, account)?;
        let mut files = Words::new(account)?;
        let number = files.number((), account, |words| words.push(&[file.as_bytes()], account))?;
        files.rows = account.vec(table.row_count)?;
        files.rows.resize(table.row_count, number.number());
        let mut rows = account.vec(table.row_count)?;
        rows.extend(0..table.row_count as u32);
        let rows = ColumnValues::numbers(rows, account)?;
        let before = [("file", files.into_values()), ("row", rows)];
        table.columns.splice(0..0, before.map(|(name, values)| TableColumn { name, values }));
        Ok(table)
    }

    fn charged(module: &Module, kind: TableKind, account: &Budget) -> Result<Self> {
        module.tables().unless_lost(match kind {
            TableKind::Operations => operations::operations(module, account),
            TableKind::Values => operations::values(module, account),
            TableKind::Attributes => entries::attributes(module, account),
            TableKind::Types => entries::types(module, account),
            TableKind::Symbols => symbols::symbols(module, account),
            TableKind::Resources => resources::resources(module, account),
        })
    }
}

impl Validity {
    /// Marks the rows for which `is_valid` holds.
    fn of(rows: usize, is_valid: impl Fn(usize) -> bool, account: &Budget) -> Result<Self> {
        let null_count = (0..rows).filter(|&row| !is_valid(row)).count();
        if null_count == 0 {
            return Ok(Self::default());
        }
        let mut bits = account.vec(rows.div_ceil(8))?;
        for first in (0..rows).step_by(8) {
            let row_bits =
                (first..rows.min(first + 8)).filter(|&row| is_valid(row)).map(|row| 1 << (row - first));
            bits.push(row_bits.fold(0u8, |byte, bit| byte | bit));
        }
        Ok(Self { bits, null_count })
    }
}

impl ColumnValues {
    fn numbers(numbers: Vec<u32>, account: &Budget) -> Result<Self> {
        let validity = Validity::of(numbers.len(), |row| numbers[row] != NO_ROW, account)?;
        Ok(Self::Numbers { numbers, validity })
    }

    fn sizes(sizes: &[Option<u64>], account: &Budget) -> Result<Self> {
        let validity = Validity::of(sizes.len(), |row| sizes[row].is_some(), account)?;
        let mut numbers = account.vec(sizes.len())?;
        numbers.extend(sizes.iter().map(|size| size.unwrap_or_default()));
        Ok(Self::Sizes { sizes: numbers, validity })
    }
}

#[cfg(test)]
mod tests;
