//! The tables of operations and of values, from the columns of operations.

use crate::format::id::OpNameId;
use crate::ir::Module;
use crate::tool::columns::{ColumnKind, ColumnLayout, NO_ROW, OPS_TABLE};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::texts::Texts;
use super::{ColumnValues, Table, TableColumn};

pub(super) fn operations(module: &Module, account: &Budget) -> Result<Table> {
    let layout = ColumnLayout::with_account(module, account.clone())?;
    let mut columns = Vec::new();
    for (name, kind, items) in OPS_TABLE {
        let numbers = layout.column(kind)?;
        let values = match items {
            Some(items) => ColumnValues::Lists { offsets: numbers, items: layout.column(items)? },
            None if kind == ColumnKind::OpName => {
                ColumnValues::Words { rows: numbers, words: op_names(module, account)? }
            }
            None => ColumnValues::numbers(numbers, account)?,
        };
        columns.push(TableColumn { name, values });
    }
    Ok(Table { row_count: layout.row_count(), columns })
}

/// The names of operations by index.
fn op_names(module: &Module, account: &Budget) -> Result<Texts> {
    let mut texts = Texts::new(account)?;
    for id in 0..module.tables().dialect_section()?.op_names.len() as u32 {
        match module.op_name(OpNameId::new(id)) {
            Some(name) if name.stem.is_empty() => texts.push(&[name.dialect], account)?,
            Some(name) => texts.push(&[name.dialect, b".", name.stem], account)?,
            None => texts.push(&[], account)?,
        };
    }
    Ok(texts)
}

pub(super) fn values(module: &Module, account: &Budget) -> Result<Table> {
    let layout = ColumnLayout::with_account(module, account.clone())?;
    let offsets = layout.column(ColumnKind::ResultOffsets)?;
    let types = layout.value_types()?;
    let row_count = types.len();
    let (mut operations, mut numbers) = (account.vec(row_count)?, account.vec(row_count)?);
    for (operation, ends) in (0..).zip(offsets.windows(2)) {
        let results = ends[0]..ends[1];
        numbers.extend(0..results.end - results.start);
        operations.resize(numbers.len(), operation);
    }
    // An argument belongs to a block, which has no row.
    for column in [&mut operations, &mut numbers] {
        column.resize(row_count, NO_ROW);
    }
    let columns = [("type", types), ("operation", operations), ("result_number", numbers)];
    let columns = columns
        .into_iter()
        .map(|(name, numbers)| Ok(TableColumn { name, values: ColumnValues::numbers(numbers, account)? }));
    Ok(Table { row_count, columns: columns.collect::<Result<_>>()? })
}
