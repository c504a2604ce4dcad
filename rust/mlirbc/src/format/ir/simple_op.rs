//! A fast path for common operations: at most one result, and otherwise only attributes and operands.
//!
//! Numbers are read at a position in a local variable, and the head of an operation before the sink is
//! called. Other operations, numbers in an unusual form and wrong indices are left to [`IrReader::read_op`]
//! and the cursor, which read the same operation or number again and report errors.

use crate::format::id::TypeId;
use crate::wire::cursor::Trace;
use crate::wire::error::Result;
use crate::wire::steps;

use super::OpSink;
use super::op::{OpHead, OpMask};
use super::region::IrReader;

/// The fields of the operations that the fast path reads.
const COMMON: u8 = OpMask::ATTRIBUTES | OpMask::PROPERTIES | OpMask::RESULTS | OpMask::OPERANDS;

/// The varint 1.
const ONE: u8 = 0x03;

/// Reads the number at a position; returns it and the position after it. Numbers of more than four bytes,
/// longer forms than necessary, and the last bytes of the data are left to the cursor.
#[inline(always)]
fn number(data: &[u8], position: usize) -> Option<(u32, usize)> {
    steps::count(1);
    let bytes: &[u8; 4] = data.get(position..)?.first_chunk()?;
    let word = u32::from_le_bytes(*bytes);
    // Each length has its own branch: the processor predicts it, and starts with the next number before this
    // number is known.
    if word & 1 != 0 {
        return Some(((word & 0xff) >> 1, position + 1));
    }
    let (value, len) = match word {
        _ if word & 2 != 0 => ((word & 0xffff) >> 2, 2),
        _ if word & 4 != 0 => ((word & 0xff_ffff) >> 3, 3),
        _ if word & 8 != 0 => (word >> 4, 4),
        _ => return None,
    };
    let is_shortest = value >> (7 * (len - 1)) != 0;
    is_shortest.then_some((value, position + len))
}

#[inline(always)]
fn index(data: &[u8], position: usize, bound: u32) -> Option<(u32, usize)> {
    number(data, position).filter(|&(index, _)| index < bound)
}

impl<T: Trace> IrReader<'_, T> {
    /// Reads one op without regions if the fast path applies; otherwise reads nothing.
    #[inline(always)]
    pub(super) fn read_common_op<S: OpSink>(&mut self, sink: &mut S) -> Result<bool> {
        if T::OBSERVES {
            return Ok(false);
        }
        let (data, bounds, start) = (self.cursor.data(), self.bounds, self.cursor.position());
        let Some((name, position)) = index(data, start, bounds.op_names) else { return Ok(false) };
        steps::count(1);
        let Some(&mask) = data.get(position) else { return Ok(false) };
        let Some((location, mut position)) = index(data, position + 1, bounds.attributes) else {
            return Ok(false);
        };
        let has_properties = mask & OpMask::PROPERTIES != 0;
        if mask & !COMMON != 0 || has_properties && !self.version.has_native_properties() {
            return Ok(false);
        }
        let mut head = OpHead { name, location, attributes: None, properties: None };
        if mask & OpMask::ATTRIBUTES != 0 {
            let Some((attributes, end)) = index(data, position, bounds.attributes) else { return Ok(false) };
            (head.attributes, position) = (Some(attributes), end);
        }
        if has_properties {
            let Some((properties, end)) = index(data, position, bounds.properties) else { return Ok(false) };
            (head.properties, position) = (Some(properties), end);
        }
        if mask & OpMask::RESULTS == 0 {
            self.cursor.start_at(position);
            sink.op(head);
            if mask & OpMask::OPERANDS != 0 {
                self.read_operands(sink)?;
            }
            return Ok(true);
        }
        let results_position = position;
        steps::count(1);
        if data.get(position) != Some(&ONE) {
            return Ok(false);
        }
        let Some((r#type, position)) = index(data, position + 1, bounds.types) else { return Ok(false) };
        self.cursor.start_at(position);
        sink.op(head);
        sink.result(TypeId::new(r#type));
        if mask & OpMask::OPERANDS != 0 {
            self.read_operands(sink)?;
        }
        // MLIR creates the op here: its operands are resolved before its own results exist.
        self.define_results(1, results_position)?;
        Ok(true)
    }

    /// Reads the list of operands.
    #[inline(always)]
    pub(super) fn read_operands<S: OpSink>(&mut self, sink: &mut S) -> Result<()> {
        let data = self.cursor.data();
        // The number of operands is at most the number of bytes, as `Cursor::count` checks.
        let few =
            |(count, end): &(u32, usize)| !T::OBSERVES && *count != 0 && *count as usize <= data.len() - end;
        let (operands, mut position) = match number(data, self.cursor.position()).filter(few) {
            Some((count, end)) => (count as usize, end),
            None => {
                let count = self.cursor.count("operands")?;
                if count == 0 {
                    self.note_nothing();
                }
                (count, self.cursor.position())
            }
        };
        for _ in 0..operands {
            let fast = if T::OBSERVES { None } else { number(data, position) };
            let value = match fast {
                Some((number, end)) => {
                    let start = std::mem::replace(&mut position, end);
                    self.resolve(number.into(), start)?
                }
                None => {
                    self.cursor.start_at(position);
                    self.cursor.label("operand");
                    let number = self.cursor.varint()?;
                    let start = std::mem::replace(&mut position, self.cursor.position());
                    self.resolve(number, start)?
                }
            };
            sink.operand(value);
        }
        self.cursor.start_at(position);
        Ok(())
    }
}
