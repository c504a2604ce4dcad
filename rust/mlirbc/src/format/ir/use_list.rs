//! Use-list orders: the order of the uses of a value in the memory of the writer.
//!
//! ```text
//! orders := [r != 1: count:varint]  entry[count, or 1 if r = 1]        r: number of results or arguments
//! entry  := [r != 1: value:varint]  m << 1 | pairs   number[m]
//! ```
//!
//! The reference order of uses is descending by position in the file. A full list has, for each use in the
//! reference order, its position in the list; pairs contain only the uses that moved. `r = 0` is equivalent
//! to `r = 1` (`parseUseListOrderForRange` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

use super::OpSink;
use crate::wire::cursor::{ByteSink, Cursor, Trace};
use crate::wire::error::Result;

/// A stored order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseListOrder<'a> {
    /// The number of the result or argument; an order with a number out of range is ignored.
    pub value: u64,
    /// Whether `indices` are pairs `(position, reference position)` of the uses that moved.
    pub is_pairs: bool,
    /// The numbers as stored.
    pub indices: &'a [u64],
    /// File offset of the entry.
    pub offset: u64,
}

/// Reads the orders for `values` results or arguments; returns their number.
pub(super) fn read<S: OpSink, T: Trace>(
    cursor: &mut Cursor<'_, T>,
    values: u64,
    scratch: &mut Vec<u64>,
    sink: &mut S,
) -> Result<u64> {
    let several = values > 1;
    let entries = if several { cursor.count("use-list orders")? as u64 } else { 1 };
    for _ in 0..entries {
        let offset = cursor.offset();
        cursor.label("use-list order of value");
        let value = if several { cursor.varint()? } else { 0 };
        let count_offset = cursor.offset();
        cursor.label("number of use-list indices");
        let (count, is_pairs) = cursor.varint_with_flag()?;
        if count > cursor.remaining() as u64 {
            return Err(cursor
                .error(
                    crate::wire::error::ErrorKind::Count,
                    format!("at most `{}` use-list indices in the remaining bytes", cursor.remaining()),
                    format!("`{count}`"),
                )
                .at(count_offset));
        }
        scratch.clear();
        for _ in 0..count {
            cursor.label("use-list index");
            scratch.push(cursor.varint()?);
        }
        sink.use_list(UseListOrder { value, is_pairs, indices: scratch, offset }, values, entries);
    }
    Ok(entries)
}

/// Writes the head of the orders for `values` results or arguments.
pub(super) fn write_head(values: u64, entries: u64, sink: &mut ByteSink) {
    if values > 1 {
        sink.varint(entries);
    }
}

/// Writes one order.
pub(super) fn write_entry(order: &UseListOrder<'_>, values: u64, sink: &mut ByteSink) {
    if values > 1 {
        sink.varint(order.value);
    }
    sink.varint_with_flag(order.indices.len() as u64, order.is_pairs);
    for &index in order.indices {
        sink.varint(index);
    }
}
