//! The table of resources.

use crate::format::resource::{ResourceKind, ResourcePayload};
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::texts::Words;
use super::{ColumnValues, Table, TableColumn};

pub(super) fn resources(module: &Module, account: &Budget) -> Result<Table> {
    let resources = module.resources()?;
    let row_count = resources.len();
    let (mut groups, mut keys, mut kinds) =
        (Words::new(account)?, Words::new(account)?, Words::new(account)?);
    let mut numbers = [account.vec(row_count)?, account.vec(row_count)?, account.vec(row_count)?];
    for resource in resources {
        // Resources with one name share the bytes of the name in the file.
        let place = |name: &[u8]| (name.as_ptr().addr(), name.len());
        let (group, key) = (resource.group(), resource.key());
        groups.add_row(place(group), account, |words| words.push(&[group], account))?;
        keys.add_row(place(key), account, |words| words.push(&[key], account))?;
        let kind = resource.kind().map_or("unknown", ResourceKind::name);
        kinds.add_row(kind, account, |words| words.push(&[kind.as_bytes()], account))?;
        let (alignment, offset) = match resource.payload()? {
            Some(ResourcePayload::Blob { alignment, range }) => (Some(alignment), Some(range.start)),
            _ => (None, None),
        };
        for (column, number) in numbers.iter_mut().zip([Some(resource.size()?), alignment, offset]) {
            column.push(number);
        }
    }
    let [sizes, alignments, offsets] = numbers;
    let columns = [
        ("group", groups.into_values()),
        ("key", keys.into_values()),
        ("kind", kinds.into_values()),
        ("size", ColumnValues::sizes(&sizes, account)?),
        ("alignment", ColumnValues::sizes(&alignments, account)?),
        ("offset", ColumnValues::sizes(&offsets, account)?),
    ];
    Ok(Table { row_count, columns: columns.map(|(name, values)| TableColumn { name, values }).into() })
}
