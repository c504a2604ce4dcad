//! Printers of single classes of other dialects, for text that templates cannot express.

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::Named;
use crate::format::id::{AttrId, TypeId};

use super::dense;
use super::dense::{Dense, Element};
use super::entry::{Context, EntryPrinter, Item};
use super::float;
use super::float::Semantics;
use super::out::Out;

// `DW_OP_LLVM_convert`; its arguments are a width and an encoding.
pub(crate) const LLVM_CONVERT: u64 = 0x1001;

impl<'e, E: Entries> EntryPrinter<'e, E> {
    /// `printExpressionArg` in `mlir/lib/Dialect/LLVMIR/IR/LLVMAttrs.cpp`.
    pub(crate) fn llvm_expression(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let opcode = context.node.number(0);
        if let Some(name) = context.named("Operation", opcode) {
            self.emit(out, Item::Text(name));
        }
        let arguments = context.node.items(1);
        if arguments.is_empty() {
            return;
        }
        self.emit(out, Item::Text("("));
        for (place, &argument) in arguments.iter().enumerate() {
            if place > 0 {
                self.emit(out, Item::Text(", "));
            }
            let Field::Unsigned(number) = argument else { continue };
            let name = context.named("Encoding", number).filter(|_| place > 0 && opcode == LLVM_CONVERT);
            self.emit(out, name.map_or(Item::Unsigned(number), Item::Text));
        }
        self.emit(out, Item::Text(")"));
    }

    /// `printConvolutionDimensions` in `stablehlo/dialect/StablehloOps.cpp`.
    pub(crate) fn convolution(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        // The batch, feature and spatial dimensions of the input, the kernel and the output.
        for (group, letters) in [["b", "f"], ["i", "o"], ["b", "f"]].into_iter().enumerate() {
            self.emit(out, Item::Text(["[", "x[", "->["][group]));
            let first = 3 * group;
            let spatial = context.node.items(first + 2);
            let mut places: Vec<_> = spatial.iter().map(|_| None).chain([None; 2]).collect();
            let mut place = |at: u64, item| {
                if let Some(slot) = places.get_mut(at as usize) {
                    *slot = Some(item);
                }
            };
            for (number, &at) in spatial.iter().enumerate() {
                if let Field::Signed(at) = at {
                    place(at as u64, Item::Unsigned(number as u64));
                }
            }
            place(context.node.number(first), Item::Text(letters[0]));
            place(context.node.number(first + 1), Item::Text(letters[1]));
            for (number, item) in places.into_iter().enumerate() {
                if number > 0 {
                    self.emit(out, Item::Text(", "));
                }
                self.emit(out, item.unwrap_or(Item::Text("?")));
            }
            self.emit(out, Item::Text("]"));
        }
    }

    /// `mlir/lib/Dialect/Quant/IR/TypeParser.cpp`.
    pub(crate) fn quantized(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let node = context.node;
        self.storage(out, context);
        if let Some(expressed) = node.r#type(context.field("expressedType")) {
            self.emit(out, Item::Text(":"));
            self.emit(out, Item::Type(expressed.number()));
        }
        match context.form.print {
            Named::QuantUniform => {
                self.emit(out, Item::Text(", "));
                let (scale, zero) =
                    (node.number(context.field("scale")), node.field(context.field("zeroPoint")));
                self.scale(out, scale, signed(zero));
            }
            Named::QuantPerAxis => {
                self.emit(out, Item::Text(":"));
                self.emit(out, Item::Unsigned(node.number(context.field("quantizedDimension"))));
                self.emit(out, Item::Text(", {"));
                let zeros = node.items(context.field("zeroPoints"));
                for (number, &scale) in node.items(context.field("scales")).iter().enumerate() {
                    if number > 0 {
                        self.emit(out, Item::Text(","));
                    }
                    let Field::Bits(scale) = scale else { continue };
                    self.scale(out, scale, zeros.get(number).map_or(0, |&zero| signed(zero)));
                }
                self.emit(out, Item::Text("}"));
            }
            Named::QuantSubChannel => self.sub_channel(out, context),
            _ => {}
        }
    }

    // Prints `i8` or `u4`, and the limits if they are not the limits of the storage type.
    fn storage(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let node = context.node;
        let Some(storage) = node.r#type(context.field("storageType")) else { return };
        let is_signed = node.number(context.field("flags")) & 1 == 1;
        let element = dense::element(self.entries(), storage);
        let width = element.map_or(0, |element| element.bits().min(63));
        if self.style.release.prints_storage_types() && !matches!(element, None | Some(Element::Signless(_)))
        {
            self.emit(out, Item::Type(storage.number()));
        } else {
            self.emit(out, Item::Text(if is_signed { "i" } else { "u" }));
            self.emit(out, Item::Unsigned(width.into()));
        }
        let (min, max) = (
            signed(node.field(context.field("storageTypeMin"))),
            signed(node.field(context.field("storageTypeMax"))),
        );
        let limits = match (element, is_signed) {
            _ if width == 0 => (0, 0),
            (Some(Element::Float(semantics)), _) => {
                let limit = largest_stored(semantics);
                (-limit, limit)
            }
            (_, true) => (i64::MIN >> (64 - width), i64::MAX >> (64 - width)),
            (_, false) => (0, i64::MAX >> (63 - width)),
        };
        if (min, max) != limits {
            self.emit(out, Item::Text("<"));
            self.emit(out, Item::Signed(min));
            self.emit(out, Item::Text(":"));
            self.emit(out, Item::Signed(max));
            self.emit(out, Item::Text(">"));
        }
    }

    fn scale(&mut self, out: &mut Out<'_>, scale: u64, zero: i64) {
        self.emit(out, Item::Float64(scale));
        if zero != 0 {
            self.emit(out, Item::Text(":"));
            self.emit(out, Item::Signed(zero));
        }
    }

    fn sub_channel(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let node = context.node;
        self.emit(out, Item::Text(":{"));
        let sizes = node.items(context.field("blockSizes"));
        for (number, &dim) in node.items(context.field("quantizedDimensions")).iter().enumerate() {
            if number > 0 {
                self.emit(out, Item::Text(", "));
            }
            self.emit(out, Item::Signed(signed(dim)));
            self.emit(out, Item::Text(":"));
            self.emit(out, Item::Signed(sizes.get(number).map_or(0, |&size| signed(size))));
        }
        self.emit(out, Item::Text("}, "));
        let scales = node.attribute(context.field("scales"));
        let zeros = node.attribute(context.field("zeroPoints"));
        let (Some(scales), Some(zeros)) = (scales, zeros) else { return };
        self.emit(out, Item::Scales(scales.number(), zeros.number()));
    }

    /// Prints nested braces in the shape of the scales.
    pub(crate) fn nested_scales(&self, out: &mut Out<'_>, scales: AttrId, zeros: AttrId) {
        if self.write_scales(out, scales, zeros).is_none() {
            out.text("<<ELEMENTS>>");
        }
    }

    // A splat is short in the file, but its text has all elements of the shape.
    fn write_scales(&self, out: &mut Out<'_>, scales: AttrId, zeros: AttrId) -> Option<()> {
        let entries = self.entries();
        let (mut scale_node, mut zero_node) = (Node::default(), Node::default());
        let scale_entry = entries.entry(EntryRef::Attribute(scales))?;
        let zero_entry = entries.entry(EntryRef::Attribute(zeros))?;
        scale_entry.decode(EntryRef::Attribute(scales), entries, &mut scale_node).ok()??;
        zero_entry.decode(EntryRef::Attribute(zeros), entries, &mut zero_node).ok()??;
        let scale_data = scale_node.blob(scale_node.field(1), scale_entry.data);
        let zero_data = zero_node.blob(zero_node.field(1), zero_entry.data);
        let scales = Dense::new(entries, TypeId::new(scale_node.r#type(0)?.number()), scale_data)?;
        let zeros = Dense::new(entries, TypeId::new(zero_node.r#type(0)?.number()), zero_data)?;
        let Element::Float(semantics) = scales.element else { return None };
        let rank = scales.shape.len().max(1);
        (0..rank).for_each(|_| out.text("{"));
        for at in 0..scales.count {
            if at > 0 {
                // The number of dimensions that end before this element.
                let mut span = 1_u64;
                let ended = scales.shape.iter().rev().take_while(|&&size| {
                    span = span.saturating_mul(u64::try_from(size).unwrap_or(1).max(1));
                    at % span == 0
                });
                let ended = ended.count();
                (0..ended).for_each(|_| out.text("}"));
                out.text(", ");
                (0..ended).for_each(|_| out.text("{"));
            }
            write_number(&mut out.buffer, scales.bytes(at), semantics);
            let zero = integer(zeros.bytes(at), zeros.element.bits());
            if zero != 0 {
                out.text(":");
                out.number(zero);
            }
            out.flush_if_large();
            // Without a budget, the output has no other limit.
            if out.has_failed() || out.position() > self.limit() {
                break;
            }
        }
        (0..rank).for_each(|_| out.text("}"));
        Some(())
    }
}

fn signed(field: Field) -> i64 {
    match field {
        Field::Signed(value) => value,
        Field::Unsigned(value) => value as i64,
        _ => 0,
    }
}

fn write_number(out: &mut Vec<u8>, bytes: &[u8], semantics: Semantics) {
    let mut wide = [0; 16];
    let len = bytes.len().min(16);
    wide[..len].copy_from_slice(&bytes[..len]);
    float::write_float(out, semantics, u128::from_le_bytes(wide));
}

// Reads a little-endian integer of at most 64 bits, sign-extended.
fn integer(bytes: &[u8], bits: u32) -> i64 {
    let mut word = [0; 8];
    let len = bytes.len().min(8);
    word[..len].copy_from_slice(&bytes[..len]);
    let shift = 64 - bits.clamp(1, 64);
    i64::from_le_bytes(word) << shift >> shift
}

/// Returns the default limit of each float type that quantized types may be stored as (`QuantTypes.h` of LLVM
/// 23).
fn largest_stored(semantics: Semantics) -> i64 {
    match semantics {
        Semantics::F8E5M2 => 57344,
        Semantics::F8E4M3FN => 448,
        Semantics::F4E2M1FN => 6,
        _ => 0,
    }
}
