//! Making the tables of arbitrary files.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | every table ends as a table or an error, within its limits | rows or text that are made before they are charged |
//! | columns are as long as the table, and row numbers, offsets and bitmaps fit | a column that is built apart from the others |
//! | the operations, the attributes and the types of a table are those of the module | a walk that leaves something out |

use mlirbc::limits::Limits;
use mlirbc::tool::{ColumnValues, Table, TableKind, Validity};
use mlirbc::{Module, ReadOptions};

use crate::cost;

/// The tables of a module.
pub const KINDS: [TableKind; 6] = [
    TableKind::Operations,
    TableKind::Values,
    TableKind::Attributes,
    TableKind::Types,
    TableKind::Symbols,
    TableKind::Resources,
];

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::tables(data);
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    let limits = Limits::default().max_text(Some(1 << 20)).max_memory(Some(64 << 20));
    let options = ReadOptions::default().limits(limits);
    let Ok(module) = Module::from_source(data.to_vec().into(), &options) else { return };
    for kind in KINDS {
        let Ok(table) = Table::new(&module, kind) else { continue };
        for column in &table.columns {
            check_column(column.name, &column.values, table.row_count);
        }
        if let Some(count) = row_count(&module, kind) {
            assert_eq!(table.row_count, count, "rows of the table of {kind:?}");
        }
    }
}

/// Returns the number of rows that the table must have; `None` if it is not known without making the table.
fn row_count(module: &Module, kind: TableKind) -> Option<usize> {
    let counts = module.tables().entry_counts().ok()?;
    match kind {
        TableKind::Operations => Some(module.operation().ok()?.pre_order().flatten().count()),
        TableKind::Attributes => Some(counts.attributes as usize),
        TableKind::Types => Some(counts.types as usize),
        _ => None,
    }
}

fn check_column(name: &str, values: &ColumnValues, row_count: usize) {
    match values {
        ColumnValues::Words { rows, words } => {
            assert_eq!(rows.len(), row_count, "{name}");
            assert!(rows.iter().all(|&row| (row as usize) < words.len()), "{name}: a text that is not there");
        }
        ColumnValues::Texts { texts, validity } => {
            assert_eq!(texts.len(), row_count, "{name}");
            check_validity(name, validity, row_count);
        }
        ColumnValues::Numbers { numbers, validity } => {
            assert_eq!(numbers.len(), row_count, "{name}");
            check_validity(name, validity, row_count);
        }
        ColumnValues::Sizes { sizes, validity } => {
            assert_eq!(sizes.len(), row_count, "{name}");
            check_validity(name, validity, row_count);
        }
        ColumnValues::Lists { offsets, items } => {
            assert_eq!(offsets.len(), row_count + 1, "{name}");
            assert!(offsets.is_sorted(), "{name}: offsets that descend");
            assert_eq!(offsets.last().map(|&end| end as usize), Some(items.len()), "{name}");
        }
    }
}

fn check_validity(name: &str, validity: &Validity, row_count: usize) {
    let Validity { bits, null_count } = validity;
    if bits.is_empty() {
        assert_eq!(*null_count, 0, "{name}");
        return;
    }
    assert_eq!(bits.len(), row_count.div_ceil(8), "{name}");
    let valid: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
    assert_eq!(valid + null_count, row_count, "{name}: bits that do not add up");
}
