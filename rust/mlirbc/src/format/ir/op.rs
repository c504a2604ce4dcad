//! An operation: a mask defines its fields.
//!
//! ```text
//! op := name  mask:u8  location
//!       [01: dictionary]  [40, v5..: properties]  [02: n type[n]]  [04: n value[n]]  [08: n block[n]]
//!       [20, v3..: use-list orders of the results]  [10: n << 1 | isolated   regions]
//! ```
//!
//! A zero count under a set bit is accepted although MLIR does not write it; bit 80 has no meaning
//! (`BytecodeReader::Impl::parseOpWithoutRegions` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

use crate::format::id::TypeId;
use crate::wire::cursor::{ByteSink, Trace};
use crate::wire::error::{ErrorKind, Result};

use super::region::IrReader;
use super::{OpSink, use_list};

/// The bits of the mask byte of an op (`bytecode::OpEncodingMask` in
/// `mlir/include/mlir/Bytecode/Encoding.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpMask(pub u8);

#[allow(missing_docs)] // each bit announces the field it is named after
impl OpMask {
    pub const ATTRIBUTES: u8 = 0x01;
    pub const RESULTS: u8 = 0x02;
    pub const OPERANDS: u8 = 0x04;
    pub const SUCCESSORS: u8 = 0x08;
    pub const REGIONS: u8 = 0x10;
    pub const USE_LIST_ORDERS: u8 = 0x20;
    pub const PROPERTIES: u8 = 0x40;
}

/// The fields that an op has at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpHead {
    /// Index of the op's name.
    pub name: u32,
    /// Index of the op's location, an attribute.
    pub location: u32,
    /// Index of the op's dictionary of attributes.
    pub attributes: Option<u32>,
    /// Index of the op's property blob.
    pub properties: Option<u32>,
}

/// A use of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueRef {
    /// The number in the file: a slot of the current scope.
    pub number: u64,
    /// The region that defines the value; 0 is the outermost region of the scope.
    pub depth: u32,
    /// The position among the values of that region.
    pub index: u64,
    /// Whether the value is defined later in the file.
    pub is_forward: bool,
}

impl<T: Trace> IrReader<'_, T> {
    /// Reads one op up to its regions; returns the number of regions and whether they are isolated.
    #[inline(always)]
    pub(super) fn read_op<S: OpSink>(&mut self, sink: &mut S) -> Result<(OpHead, u32, bool)> {
        self.cursor.begin("operation");
        self.cursor.label("name");
        let name = self.cursor.index("an operation name", self.bounds.op_names)?;
        let mask_offset = self.cursor.offset();
        self.cursor.label("mask");
        let mask = self.cursor.byte()?;
        self.cursor.label("location");
        let location = self.cursor.index("an attribute", self.bounds.attributes)?;
        let mut head = OpHead { name, location, attributes: None, properties: None };
        if mask & OpMask::ATTRIBUTES != 0 {
            self.cursor.label("attributes");
            head.attributes = Some(self.cursor.index("an attribute", self.bounds.attributes)?);
        }
        if mask & OpMask::PROPERTIES != 0 {
            head.properties = Some(self.read_properties(mask_offset)?);
        }
        sink.op(head);
        let mut results = 0;
        let results_position = self.cursor.position();
        if mask & OpMask::RESULTS != 0 {
            results = self.cursor.count("results")?;
            if results == 0 {
                self.note_nothing();
            }
            for _ in 0..results {
                self.cursor.label("result type");
                sink.result(TypeId::new(self.cursor.index("a type", self.bounds.types)?));
            }
        }
        if mask & OpMask::OPERANDS != 0 {
            self.read_operands(sink)?;
        }
        // MLIR creates the op here: its operands are resolved before its own results exist.
        if results != 0 {
            self.define_results(results as u64, results_position)?;
        }
        const OTHERS: u8 = !(OpMask::ATTRIBUTES | OpMask::PROPERTIES | OpMask::RESULTS | OpMask::OPERANDS);
        if mask & OTHERS == 0 {
            return Ok((head, 0, false));
        }
        self.is_shortest &= mask >> 7 == 0;
        if mask & OpMask::SUCCESSORS != 0 {
            let successors = self.cursor.count("successors")?;
            if successors == 0 {
                self.note_nothing();
            }
            for _ in 0..successors {
                self.cursor.label("successor");
                sink.successor(self.read_successor()?);
            }
        }
        if mask & OpMask::USE_LIST_ORDERS != 0 && self.version.has_use_list_orders() {
            use_list::read(&mut self.cursor, results as u64, &mut self.scratch, sink)?;
        }
        if mask & OpMask::USE_LIST_ORDERS != 0 {
            self.is_shortest &= self.version.has_use_list_orders();
        }
        if mask & OpMask::REGIONS == 0 {
            return Ok((head, 0, false));
        }
        let offset = self.cursor.offset();
        self.cursor.label("number of regions");
        let (regions, is_isolated) = self.cursor.varint_with_flag()?;
        match u32::try_from(regions) {
            Ok(count) if regions <= self.cursor.remaining() as u64 => {
                self.is_shortest &= count > 0;
                Ok((head, count, is_isolated))
            }
            _ => Err(self
                .cursor
                .error(
                    ErrorKind::Count,
                    format!("at most `{}` regions in the remaining bytes", self.cursor.remaining()),
                    format!("`{regions}`"),
                )
                .at(offset)),
        }
    }

    #[inline]
    fn read_properties(&mut self, mask_offset: u64) -> Result<u32> {
        if !self.version.has_native_properties() {
            return Err(self
                .cursor
                .error(
                    ErrorKind::PropertyVersion,
                    format!("no properties at bytecode version `{}`", self.version),
                    "bit `40` of the operation mask",
                )
                .at(mask_offset));
        }
        self.cursor.label("properties");
        self.cursor.index("a property blob", self.bounds.properties)
    }
}

/// Writes the head of an op; `mask` is patched when the op's other fields are known.
#[inline]
pub(super) fn write_head(head: &OpHead, sink: &mut ByteSink) -> (usize, u8) {
    sink.varint(head.name.into());
    let position = sink.len();
    sink.byte(0);
    sink.varint(head.location.into());
    let mut mask = 0;
    if let Some(attributes) = head.attributes {
        mask |= OpMask::ATTRIBUTES;
        sink.varint(attributes.into());
    }
    if let Some(properties) = head.properties {
        mask |= OpMask::PROPERTIES;
        sink.varint(properties.into());
    }
    (position, mask)
}
