//! The elements of dense attributes: their layout in bytes, and their text.
//!
//! `DenseIntOrFPElementsAttr` and `printDenseElementsAttrImpl` in `mlir/lib/IR/BuiltinAttributes.cpp` and
//! `mlir/lib/IR/AsmPrinter.cpp`.

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::BuiltinKind;
use crate::dialect::template::TemplatePiece;
use crate::format::id::TypeId;

use super::float::Semantics;
use super::int;
use super::out::Out;
use crate::release::Llvm;
use crate::wire::cursor::Cursor;

/// The type of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Signless(u32),
    Signed(u32),
    Unsigned(u32),
    Index,
    Float(Semantics),
    /// Two parts of the same type.
    Complex(Scalar),
}

/// The part of a complex number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    Signless(u32),
    Signed(u32),
    Unsigned(u32),
    Float(Semantics),
}

impl Scalar {
    fn element(self) -> Element {
        match self {
            Self::Signless(width) => Element::Signless(width),
            Self::Signed(width) => Element::Signed(width),
            Self::Unsigned(width) => Element::Unsigned(width),
            Self::Float(semantics) => Element::Float(semantics),
        }
    }
}

impl Element {
    /// The width in bits; for complex numbers, the width of a part.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Signless(width) | Self::Signed(width) | Self::Unsigned(width) => width,
            Self::Index => 64,
            Self::Float(semantics) => semantics.bits(),
            Self::Complex(part) => part.element().bits(),
        }
    }

    /// The bytes of an element in memory and in the file, where one-bit integers are packed.
    pub(crate) fn storage(self) -> usize {
        let bytes = self.bits().div_ceil(8) as usize;
        if matches!(self, Self::Complex(_)) { 2 * bytes } else { bytes }
    }

    /// Whether the text of an integer of this type may be a number.
    pub(crate) fn fits(self, value: i64) -> bool {
        let bits = self.bits();
        if bits >= i64::BITS || bits == 0 {
            return true;
        }
        let all = 1_i128 << bits;
        let (least, end) = match self {
            Self::Unsigned(_) => (0, all),
            Self::Signed(_) => (-all / 2, all / 2),
            _ => (-all / 2, all),
        };
        (least..end).contains(&i128::from(value))
    }

    /// Returns the part of a complex number, or the type itself.
    pub(crate) fn part(self) -> Self {
        match self {
            Self::Complex(part) => part.element(),
            other => other,
        }
    }

    /// Whether the type is an integer type; `index` is not.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Self::Signless(_) | Self::Signed(_) | Self::Unsigned(_))
    }

    /// The name of the type, for example `i32` and `complex<f32>`.
    pub(crate) fn write_name(self, out: &mut Vec<u8>) {
        let is_complex = matches!(self, Self::Complex(_));
        out.extend_from_slice(if is_complex { b"complex<" } else { b"" });
        let (prefix, width) = match self.part() {
            Self::Signless(width) => ("i", Some(width)),
            Self::Signed(width) => ("si", Some(width)),
            Self::Unsigned(width) => ("ui", Some(width)),
            Self::Float(semantics) => (semantics.name(), None),
            Self::Index | Self::Complex(_) => ("index", None),
        };
        out.extend_from_slice(prefix.as_bytes());
        if let Some(width) = width {
            out.extend_from_slice(itoa::Buffer::new().format(width).as_bytes());
        }
        out.extend_from_slice(if is_complex { b">" } else { b"" });
    }

    pub(crate) fn is_bool(self) -> bool {
        self.bits() == 1 && matches!(self, Self::Signless(_) | Self::Signed(_) | Self::Unsigned(_))
    }

    /// Parses the text of a type without parameters: `i8`, `ui4`, `f32`, `index`.
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        let name = std::str::from_utf8(name).ok()?;
        if name == "index" {
            return Some(Self::Index);
        }
        if let Some(semantics) = Semantics::from_name(name) {
            return Some(Self::Float(semantics));
        }
        let width = |digits: &str| digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
        if let Some(digits) = name.strip_prefix("si") {
            return width(digits).map(Self::Signed);
        }
        if let Some(digits) = name.strip_prefix("ui") {
            return width(digits).map(Self::Unsigned);
        }
        name.strip_prefix('i').and_then(width).map(Self::Signless)
    }
}

/// Returns the element type that a numeric type represents.
pub(crate) fn element(entries: &impl Entries, index: TypeId) -> Option<Element> {
    let entry_ref = EntryRef::Type(index);
    let entry = entries.entry(entry_ref)?;
    if let Some(text) = entry.text() {
        return Element::from_name(text);
    }
    let form = entry.form(entry_ref).ok()??;
    match form.builtin {
        BuiltinKind::IndexType => return Some(Element::Index),
        BuiltinKind::IntegerType => {
            // The only field follows the code. It is read without a node, because types of numbers are
            // requested most often.
            let mut cursor = Cursor::new(entry.data, entry.offset, None);
            let (_, packed) = (cursor.varint().ok()?, cursor.varint().ok()?);
            let width = u32::try_from(packed >> 2).ok().filter(|_| cursor.is_at_end())?;
            return Some(match packed & 3 {
                1 => Element::Signed(width),
                2 => Element::Unsigned(width),
                _ => Element::Signless(width),
            });
        }
        _ => {}
    }
    // Types without parameters have a fixed text; types of other dialects may refer to a builtin type.
    let template = form.as_builtin.as_ref().unwrap_or(&form.asm);
    if let [TemplatePiece::Text(text)] = &*template.pieces {
        return Element::from_name(text.as_bytes());
    }
    let is_complex =
        matches!(template.pieces.first(), Some(TemplatePiece::Text(text)) if &**text == "complex<");
    if !is_complex {
        return None;
    }
    let mut node = Node::default();
    let (form, layout) = entry.decode(entry_ref, entries, &mut node).ok()??;
    let part = node.r#type(form.layouts.get(layout)?.index("elementType")?)?;
    if part == index {
        return None;
    }
    match simple_element(entries, part)? {
        Element::Signless(width) => Some(Element::Complex(Scalar::Signless(width))),
        Element::Signed(width) => Some(Element::Complex(Scalar::Signed(width))),
        Element::Unsigned(width) => Some(Element::Complex(Scalar::Unsigned(width))),
        Element::Float(semantics) => Some(Element::Complex(Scalar::Float(semantics))),
        _ => None,
    }
}

// Returns the type of the part of a complex number, which is never complex: a chain of complex types must not
// cause recursion.
fn simple_element(entries: &impl Entries, index: TypeId) -> Option<Element> {
    let entry_ref = EntryRef::Type(index);
    let entry = entries.entry(entry_ref)?;
    if entry.text().is_none() {
        let form = entry.form(entry_ref).ok()??;
        let template = form.as_builtin.as_ref().unwrap_or(&form.asm);
        if matches!(template.pieces.first(), Some(TemplatePiece::Text(text)) if &**text == "complex<") {
            return None;
        }
    }
    element(entries, index)
}

/// Returns the element type of a shaped type.
pub(crate) fn element_type(entries: &impl Entries, index: TypeId) -> Option<TypeId> {
    let entry_ref = EntryRef::Type(index);
    let entry = entries.entry(entry_ref)?;
    let mut node = Node::default();
    let (form, layout) = entry.decode(entry_ref, entries, &mut node).ok()??;
    node.r#type(form.layouts.get(layout)?.index("elementType")?)
}

/// Returns the element type of a shaped type, if the elements are numbers.
pub(crate) fn element_of(entries: &impl Entries, index: TypeId) -> Option<Element> {
    if let Some(text) = entries.entry(EntryRef::Type(index))?.text() {
        return shape_and_element(text).map(|(_, element)| element);
    }
    element(entries, element_type(entries, index)?)
}

/// Shaped types without an encoding, up to their shape (`ShapedTypeInterface` in their dialects).
const SHAPED_TEXTS: [&[u8]; 3] = [b"!emitc.array<", b"!spirv.arm.tensor<", b"!spirv.coopmatrix<"];

/// The maximum length that is read of the text of a type: texts with numeric elements are short.
const MAX_SHAPED_TEXT: usize = 256;

// Parses `2x3xf32` in the text of a type.
fn shape_and_element(text: &[u8]) -> Option<(Vec<i64>, Element)> {
    let mut remaining = SHAPED_TEXTS.iter().find_map(|start| text.strip_prefix(*start))?;
    remaining = remaining.get(..remaining.len().min(MAX_SHAPED_TEXT))?;
    let mut shape = Vec::new();
    loop {
        let digits = remaining.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (size, after) = match remaining.strip_prefix(b"?") {
            Some(after) => (i64::MIN, after),
            None if digits > 0 => {
                (std::str::from_utf8(&remaining[..digits]).ok()?.parse().ok()?, &remaining[digits..])
            }
            None => break,
        };
        shape.push(size);
        remaining = after.strip_prefix(b"x")?;
    }
    let end = remaining.iter().position(|byte| matches!(byte, b',' | b'>'))?;
    Some((shape, Element::from_name(&remaining[..end])?))
}

/// Returns the dimensions of a shaped type; dynamic ones are `i64::MIN`.
pub(crate) fn shape(entries: &impl Entries, index: TypeId) -> Option<Vec<i64>> {
    let entry_ref = EntryRef::Type(index);
    let entry = entries.entry(entry_ref)?;
    if let Some(text) = entry.text() {
        return shape_and_element(text).map(|(shape, _)| shape);
    }
    let mut node = Node::default();
    let (form, layout) = entry.decode(entry_ref, entries, &mut node).ok()??;
    let field = form.layouts.get(layout)?.index("shape")?;
    let dims = node.items(field).iter().map(|&dim| match dim {
        Field::Signed(size) => size,
        _ => 0,
    });
    Some(dims.collect())
}

/// Returns the allowed sizes in bytes of a resource with the elements of a type; `None` if the width or the
/// number of the elements is unknown. Elements that are not whole bytes may be packed.
pub(crate) fn resource_sizes(entries: &impl Entries, r#type: TypeId) -> Option<Vec<u64>> {
    let element = element_of(entries, r#type)?;
    let mut sizes = shape(entries, r#type)?.into_iter().map(|size| u64::try_from(size).ok());
    let count = sizes.try_fold(1_u64, |product, size| product.checked_mul(size?))?;
    let mut all = vec![count.checked_mul(element.storage() as u64)?];
    let parts = if matches!(element, Element::Complex(_)) { 2 } else { 1 };
    if element.bits() % 8 != 0 {
        all.push(count.checked_mul(parts * u64::from(element.bits()))?.div_ceil(8));
        // LLVM 19 stored tf32 in four bytes.
        if element.part() == Element::Float(Semantics::TF32) {
            all.push(count.checked_mul(4 * parts)?);
        }
    }
    Some(all)
}

/// Returns the number of elements of a shape; 0 for an invalid shape.
pub(crate) fn count(shape: &[i64]) -> u64 {
    let sizes = shape.iter().map(|&size| u64::try_from(size).ok());
    let product = sizes.into_iter().try_fold(1_u64, |product, size| product.checked_mul(size?));
    product.unwrap_or(0)
}

/// The numbers of a dense attribute.
#[derive(Debug, Clone)]
pub(crate) struct Dense<'d> {
    pub(crate) element: Element,
    pub(crate) shape: Vec<i64>,
    pub(crate) count: u64,
    pub(crate) is_splat: bool,
    pub(crate) data: &'d [u8],
    /// Whether one-bit elements are stored eight to a byte.
    pub(crate) is_packed: bool,
    /// The number of bytes of an element.
    storage: usize,
}

impl<'d> Dense<'d> {
    /// Reads elements; `None` if the bytes do not match the type.
    pub(crate) fn new(entries: &impl Entries, r#type: TypeId, data: &'d [u8]) -> Option<Self> {
        let shape = shape(entries, r#type)?;
        let element = element_of(entries, r#type)?;
        Self::from_parts(element, shape, data)
    }

    /// As [`Self::new`], from known parts.
    pub(crate) fn from_parts(element: Element, shape: Vec<i64>, data: &'d [u8]) -> Option<Self> {
        let count = count(&shape);
        let size = data.len() as u64;
        let mut this = Self {
            element,
            shape,
            count,
            is_splat: false,
            data,
            is_packed: false,
            storage: element.storage(),
        };
        if element.is_bool() {
            // Writers pack one-bit elements; for a short time in early 2026 they did not.
            this.is_splat = size == 1 && (count == 1 || matches!(data, [0 | 0xff]));
            this.is_packed = size == count.div_ceil(8);
            return (this.is_splat || this.is_packed || size == count).then_some(this);
        }
        // LLVM 19 stored tf32 in four bytes, 22 stores it in three.
        let is_tf32 = element.part() == Element::Float(Semantics::TF32);
        let storages = [element.storage(), element.storage() / 3 * 4];
        for &storage in &storages[..if is_tf32 { 2 } else { 1 }] {
            this.storage = storage;
            // A single element represents all elements, even if there are none.
            this.is_splat = storage > 0 && size == storage as u64;
            if this.is_splat || count.checked_mul(storage as u64) == Some(size) {
                return Some(this);
            }
        }
        None
    }

    /// Stores equal elements once, as MLIR does after reading (`DenseIntOrFPElementsAttrStorage::getKey` in
    /// AttributeDetail.h).
    pub(crate) fn collapsed(mut self) -> Self {
        if self.is_splat || self.count == 0 {
            return self;
        }
        self.is_splat = if self.element.is_bool() {
            (1..self.count).all(|at| self.bit(at) == self.bit(0))
        } else {
            let repeats = self.data.len().saturating_sub(self.storage);
            self.data.get(..repeats) == self.data.get(self.storage..)
        };
        self
    }

    /// Returns the bytes of an element.
    pub(crate) fn bytes(&self, at: u64) -> &'d [u8] {
        let size = self.storage;
        let start = if self.is_splat { 0 } else { at as usize * size };
        self.data.get(start..start + size).unwrap_or_default()
    }

    /// Returns a one-bit element.
    pub(crate) fn bit(&self, at: u64) -> bool {
        if self.is_splat {
            return self.data.first().is_some_and(|&byte| byte != 0);
        }
        if self.is_packed {
            return self.data.get((at / 8) as usize).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        }
        self.data.get(at as usize).is_some_and(|&byte| byte != 0)
    }

    /// Returns one-bit elements packed into bytes.
    pub(crate) fn packed_bits(&self) -> Vec<u8> {
        let bits = |places: std::ops::Range<u64>| {
            places.enumerate().map(|(place, at)| u8::from(self.bit(at)) << place).sum()
        };
        (0..self.count.div_ceil(8)).map(|byte| bits(8 * byte..self.count.min(8 * byte + 8))).collect()
    }

    /// Whether the text has the bytes in hexadecimal (`shouldPrintElementsAttrWithHex` in AsmPrinter.cpp).
    pub(crate) fn is_hexadecimal(&self) -> bool {
        !self.is_splat && self.count > 100
    }

    /// Writes the text between `dense<` and `>`.
    pub(crate) fn write(&self, out: &mut Out<'_>, may_be_hex: bool, style: Llvm) {
        if may_be_hex && self.is_hexadecimal() {
            out.text("\"0x");
            if self.element.is_bool() && style.unpacks_booleans() == self.is_packed {
                self.hex_repacked(out, style);
            } else {
                out.hex(self.data);
            }
            return out.text("\"");
        }
        write_nested(out, &self.shape, self.count, self.is_splat, |out, at| {
            if self.element.is_bool() {
                return out.text(if self.bit(at) { "true" } else { "false" });
            }
            if !style.unpacks_booleans()
                && matches!(self.element, Element::Complex(part) if part.element().is_bool())
            {
                return self.complex_bool(out, at);
            }
            write_element(out, self.bytes(at), self.element);
        });
    }

    /// As [`Self::write`], but writes every row of a matrix with equal elements and several rows.
    pub(crate) fn write_rows(&self, out: &mut Out<'_>) {
        let is_short = self.is_splat && self.shape.first().is_none_or(|&rows| rows <= 1);
        write_nested(out, &self.shape, self.count, is_short, |out, at| {
            write_element(out, self.bytes(at), self.element);
        });
    }

    // MLIR writes a byte for each part, but reads packed bits (`ComplexIntElementIterator` in
    // BuiltinAttributes.cpp). The text shows the elements as MLIR reads them.
    fn complex_bool(&self, out: &mut Out<'_>, at: u64) {
        let at = if self.is_splat { 0 } else { at };
        let bit = |at: u64| self.data.get((at / 8) as usize).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        let text = |is_true| if is_true { "true" } else { "false" };
        out.text("(");
        out.text(text(bit(2 * at)));
        out.text(",");
        out.text(text(bit(2 * at + 1)));
        out.text(")");
    }

    // The printing release stores booleans differently than the file.
    fn hex_repacked(&self, out: &mut Out<'_>, style: Llvm) {
        let mut piece = Vec::new();
        let step = if style.unpacks_booleans() { 1 } else { 8 };
        let mut at = 0;
        while at < self.count {
            let bits = (at..(at + step).min(self.count)).enumerate();
            piece.push(bits.map(|(place, at)| u8::from(self.bit(at)) << place).sum::<u8>());
            at += step;
            if piece.len() == 4096 || at >= self.count {
                out.hex(&piece);
                piece.clear();
            }
        }
    }
}

/// Writes elements in nested brackets.
pub(crate) fn write_nested(
    out: &mut Out<'_>,
    shape: &[i64],
    count: u64,
    is_splat: bool,
    mut write: impl FnMut(&mut Out<'_>, u64),
) {
    if is_splat {
        return write(out, 0);
    }
    if count == 0 {
        return;
    }
    // The number of elements between two brackets, for each dimension.
    let mut spans: Vec<u64> = Vec::new();
    let mut span = 1_u64;
    for &size in shape.iter().rev() {
        span = span.saturating_mul(u64::try_from(size).unwrap_or(1).max(1));
        spans.push(span);
    }
    let rank = spans.len();
    for at in 0..count {
        let closed = spans.iter().take_while(|&&span| at % span == 0).count();
        if at > 0 {
            for _ in 0..closed {
                out.text("]");
            }
            out.text(", ");
        }
        let opened = if at == 0 { rank } else { closed };
        for _ in 0..opened {
            out.text("[");
        }
        write(out, at);
        out.flush_if_large();
        if out.has_enough() {
            return;
        }
    }
    for _ in 0..rank {
        out.text("]");
    }
}

fn write_element(out: &mut Out<'_>, bytes: &[u8], element: Element) {
    match element {
        Element::Complex(part) => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            out.text("(");
            write_part(out, real, part.element());
            out.text(",");
            write_part(out, imaginary, part.element());
            out.text(")");
        }
        element => write_part(out, bytes, element),
    }
}

fn write_part(out: &mut Out<'_>, bytes: &[u8], element: Element) {
    match element {
        Element::Float(semantics) => {
            let mut wide = [0; 16];
            let len = bytes.len().min(16);
            wide[..len].copy_from_slice(&bytes[..len]);
            out.float(semantics, u128::from_le_bytes(wide));
        }
        Element::Signless(1) | Element::Signed(1) | Element::Unsigned(1) => {
            let is_true = bytes.first().is_some_and(|&byte| byte & 1 == 1);
            out.text(if is_true { "true" } else { "false" });
        }
        _ => {
            let mut short = [0_u64; 2];
            let words = bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            if bytes.len() <= 16 {
                let len = bytes.len().div_ceil(8).max(1);
                for (slot, word) in short.iter_mut().zip(words) {
                    *slot = word;
                }
                write_integer(&mut out.buffer, &short[..len], element);
            } else {
                write_integer(&mut out.buffer, &words.collect::<Vec<_>>(), element);
            }
        }
    }
}

/// Writes an integer of that type; one-bit integers are `true` and `false`.
pub(crate) fn write_integer(out: &mut Vec<u8>, words: &[u64], element: Element) {
    let is_signed = !matches!(element, Element::Unsigned(_));
    if element == Element::Signless(1) {
        let is_true = words.first().is_some_and(|word| word & 1 == 1);
        out.extend_from_slice(if is_true { b"true" } else { b"false" });
        return;
    }
    int::write_int(out, words, element.bits(), is_signed);
}

/// Writes the elements of a dense array, which take whole bytes; returns whether the data has all elements.
pub(crate) fn write_array(out: &mut Out<'_>, data: &[u8], count: u64, element: Element) -> bool {
    let size = if element.bits() == 1 { 1 } else { (element.bits() / 8) as usize };
    for at in 0..count {
        if at > 0 {
            out.text(", ");
        }
        let start = at as usize * size;
        let Some(bytes) = data.get(start..start + size) else {
            return false;
        };
        write_part(out, bytes, element);
        out.flush_if_large();
        if out.has_enough() {
            break;
        }
    }
    true
}

/// Returns the low 128 bits.
pub(crate) fn to_u128(words: &[u64]) -> u128 {
    let word = |at: usize| u128::from(words.get(at).copied().unwrap_or_default());
    word(0) | word(1) << 64
}
