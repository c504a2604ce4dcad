//! The attributes and types that MLIR prints with class-specific code, which templates cannot express.

use std::collections::HashSet;

use crate::attr::text::affine;
use crate::attr::text::affine::{AffineMap, IntegerSet};
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::attr::text::escape;
use crate::attr::text::float;
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named, Style};
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind};
use crate::wire::section::SectionId;

use super::cache::Key;
use super::{
    Context, DistinctKey, Elide, EntryPrinter, Item, dimension, is_identity_layout, number_of, string_of,
};

impl<'e, E: Entries> EntryPrinter<'e, E> {
    pub(super) fn content(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, elide: Elide) {
        let node = context.node;
        match context.form.print {
            Named::Template => {}
            Named::Dictionary => self.dictionary(out, node),
            Named::Text => {
                self.field(out, context, 0, None);
                self.typed(out, node.r#type(1));
            }
            Named::SymbolRef => {
                self.pending.extend(node.attribute(0).map(Item::Symbol));
                for item in node.items(1) {
                    let &Field::Attribute(nested, _) = item else { continue };
                    self.pending.push(Item::Text("::"));
                    self.pending.extend(self.symbol_name(nested).map(Item::Symbol));
                }
            }
            Named::Integer => self.integer(out, context, elide),
            Named::Float => self.float(out, context, elide),
            Named::NameLoc => {
                self.location_name(out, node.attribute(0));
                let child = node.attribute(1).filter(|&child| !self.is_unknown_location(child));
                if let Some(child) = child {
                    self.emit(out, Item::Text("("));
                    self.emit(out, Item::Location(child.number()));
                    self.emit(out, Item::Text(")"));
                }
            }
            Named::Range => self.range(out, node),
            Named::Resource => {
                self.emit(out, Item::Text("dense_resource<"));
                if let Field::Resource(index) = node.field(1) {
                    self.resource_key(out, index);
                }
                self.emit(out, Item::Text(">"));
                self.typed(out, node.r#type(0));
            }
            Named::DenseArray => self.dense_array(out, context),
            Named::DenseElements => self.dense_elements(out, context),
            Named::DenseStrings => self.dense_strings(out, context),
            Named::Sparse => self.sparse(out, context),
            Named::Distinct => {
                // The position in the file identifies a distinct attribute: equal attributes are distinct.
                let number = self.distinct_number(DistinctKey::Entry(context.entry.offset));
                self.emit(out, Item::Text("distinct["));
                self.emit(out, Item::Unsigned(number));
                self.emit(out, Item::Text("]<"));
                if let Some(referenced) = node.attribute(0).filter(|&index| !self.is_unit(index)) {
                    self.emit(out, Item::Attribute(referenced.number(), Elide::Never));
                }
                self.emit(out, Item::Text(">"));
            }
            Named::AffineMap | Named::IntegerSet => self.affine(out, context),
            Named::StridedLayout => self.strided_layout(out, context),
            Named::IntegerType => {
                let width_and_sign = node.number(0);
                let prefix = match width_and_sign & 3 {
                    1 => "si",
                    2 => "ui",
                    _ => "i",
                };
                self.emit(out, Item::Text(prefix));
                self.emit(out, Item::Unsigned(width_and_sign >> 2));
            }
            Named::FunctionType => {
                self.emit(out, Item::Text("("));
                self.field(out, context, 0, None);
                self.emit(out, Item::Text(") -> "));
                let results = node.items(1);
                match results {
                    &[Field::Type(only, _)] if !self.is_function(only) => {
                        self.emit(out, Item::Type(only.number()))
                    }
                    _ => {
                        self.emit(out, Item::Text("("));
                        self.field(out, context, 1, None);
                        self.emit(out, Item::Text(")"));
                    }
                }
            }
            Named::MemRef => self.memref(out, context),
            Named::Vector => self.vector(out, context),
            Named::LlvmExpression => self.llvm_expression(out, context),
            Named::Convolution => self.convolution(out, context),
            Named::QuantAny | Named::QuantUniform | Named::QuantPerAxis | Named::QuantSubChannel => {
                self.quantized(out, context);
            }
        }
    }

    // Prints ` : type`, unless the type is `none`.
    fn typed(&mut self, out: &mut Out<'_>, r#type: Option<TypeId>) {
        if self.drops_type {
            return;
        }
        if let Some(index) = r#type.filter(|&index| self.kind_of_type(index) != BuiltinKind::NoneType) {
            self.emit(out, Item::Text(" : "));
            self.emit(out, Item::AsBuiltin(index.number()));
        }
    }

    fn kind_of_type(&self, index: TypeId) -> BuiltinKind {
        let entry_ref = EntryRef::Type(index);
        let form = self.entries.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
        form.map_or(BuiltinKind::Other, |form| form.builtin)
    }

    fn is_function(&self, index: TypeId) -> bool {
        let entry = self.entries.entry(EntryRef::Type(index));
        match entry.and_then(|entry| entry.text()) {
            Some(text) => text.trim_ascii_start().starts_with(b"("),
            None => self.kind_of_type(index) == BuiltinKind::FunctionType,
        }
    }

    /// Whether the single result type of an op needs parentheses.
    pub(crate) fn needs_parentheses(&self, index: TypeId) -> bool {
        match self.cache.get(Key::whole(EntryRef::Type(index))) {
            // The text of a function type begins with a parenthesis, unless the type has an alias.
            Some([first, ..]) if !matches!(first, b'(' | b'!') => false,
            _ => self.is_function(index),
        }
    }

    fn is_unknown_location(&self, index: AttrId) -> bool {
        let entry_ref = EntryRef::Attribute(index);
        let form = self.entries.entry(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
        form.is_some_and(|form| form.builtin == BuiltinKind::UnknownLoc)
    }

    // Returns the string within a flat symbol reference.
    fn symbol_name(&self, index: AttrId) -> Option<AttrId> {
        let entry_ref = EntryRef::Attribute(index);
        let entry = self.entries.entry(entry_ref)?;
        let mut node = Node::default();
        entry.decode(entry_ref, self.entries, &mut node).ok()??;
        node.attribute(0)
    }

    fn dictionary(&mut self, out: &mut Out<'_>, node: &Node) {
        self.emit(out, Item::Text("{"));
        let mut is_first = true;
        // MLIR sorts the dictionaries that it reads (`DictionaryAttr::get` in BuiltinAttributes.cpp).
        let sorted = crate::attr::canonical::sorted(node, self.entries);
        for pair in sorted.as_ref().unwrap_or(node).items(0).chunks_exact(2) {
            let [Field::Attribute(key, _), Field::Attribute(value, _)] = *pair else { continue };
            if !std::mem::take(&mut is_first) {
                self.emit(out, Item::Text(", "));
            }
            self.pending.push(Item::Named(key.number(), value.number()));
        }
        self.emit(out, Item::Text("}"));
    }

    fn integer(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, elide: Elide) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let value = context.node.field(1);
        let element = dense::element(self.entries, r#type);
        let Some(element) = element.filter(|_| !matches!(value, Field::Blob(_))) else {
            // The width of the values is unknown for a type of another dialect.
            self.unknown(out, "<<VALUE>>");
            return self.typed(out, Some(r#type));
        };
        debug_assert!(self.pending.is_empty());
        dense::write_integer(&mut out.buffer, &context.node.words(value), element);
        let is_i64 = element == Element::Signless(64);
        if element == Element::Signless(1) || elide == Elide::May && is_i64 {
            return;
        }
        self.typed(out, Some(r#type));
    }

    fn float(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>, elide: Elide) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let value = context.node.field(1);
        match dense::element(self.entries, r#type) {
            Some(Element::Float(semantics)) if !matches!(value, Field::Blob(_)) => {
                let words = context.node.words(value);
                let is_hexadecimal = out.float(semantics, dense::to_u128(&words));
                let is_guessed = !(is_hexadecimal && self.style.release.types_hexadecimal_floats());
                if elide == Elide::May && semantics == float::Semantics::F64 && is_guessed {
                    return;
                }
            }
            _ => self.unknown(out, "<<VALUE>>"),
        }
        self.typed(out, Some(r#type));
    }

    // Prints a mark in place of values whose type has no known layout.
    fn unknown(&mut self, out: &mut Out<'_>, mark: &str) {
        out.text(mark);
        let message =
            "cannot print values of a type without a known layout, or whose data does not fit the type";
        self.fault(Error::message(ErrorKind::EntryNoTable, message));
    }

    // Prints the string alone, whatever its type (`printLocationInternal` in AsmPrinter.cpp).
    pub(super) fn location_name(&mut self, out: &mut Out<'_>, name: Option<AttrId>) {
        let index = name.unwrap_or(AttrId::PAST_TABLES);
        let entries = self.entries;
        let text = string_of(entries, index);
        self.emit(out, text.map_or(Item::Attribute(index.number(), Elide::Never), Item::Quoted));
    }

    // Prints a range (`FileLineColRange` in AsmPrinter.cpp); the numbers are start line, start column, end
    // line, end column.
    fn range(&mut self, out: &mut Out<'_>, node: &Node) {
        self.location_name(out, node.attribute(0));
        let numbers: Vec<u64> = node.items(1).iter().map(|&field| number_of(field)).collect();
        let (line, column, end_line, end_column) = match *numbers {
            [] => (0, 0, 0, 0),
            [line] => (line, 0, line, 0),
            [line, column] => (line, column, line, column),
            [line, column, end] => (line, column, line, end),
            [line, column, end_line, end_column, ..] => (line, column, end_line, end_column),
        };
        self.pending.extend([Item::Text(":"), Item::Unsigned(line), Item::Text(":"), Item::Unsigned(column)]);
        if (line, column) != (end_line, end_column) {
            if line == end_line {
                self.pending.extend([Item::Text(" to :"), Item::Unsigned(end_column)]);
            } else {
                self.pending.push(Item::Text(" to "));
                self.pending.extend([Item::Unsigned(end_line), Item::Text(":"), Item::Unsigned(end_column)]);
            }
        }
    }

    fn dense_array(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let Some(r#type) = context.node.r#type(0) else { return };
        out.text("array<");
        self.with_type(out, r#type);
        let count = context.node.number(1);
        let data = context.node.blob(context.node.field(2), context.entry.data);
        if count > 0 {
            out.text(": ");
            match dense::element(self.entries, r#type) {
                Some(element) if dense::write_array(out, data, count, element) => {}
                _ => self.unknown(out, "<<ELEMENTS>>"),
            }
        }
        out.text(">");
    }

    /// Prints a dense array as `[1, 2]`, and any other attribute unchanged.
    pub(crate) fn array_as_list(&mut self, out: &mut Out<'_>, index: AttrId) {
        let (entry_ref, entries) = (EntryRef::Attribute(index), self.entries);
        let mut node = Node::default();
        let entry = entries.entry(entry_ref).filter(|entry| {
            let decoded = entry.decode(entry_ref, entries, &mut node);
            matches!(decoded, Ok(Some((form, _))) if form.print == Named::DenseArray)
        });
        let element = node.r#type(0).and_then(|r#type| dense::element(entries, r#type));
        let Some((entry, element)) = entry.zip(element) else {
            return self.attribute(out, index, Elide::Never);
        };
        out.text("[");
        if !dense::write_array(out, node.blob(node.field(2), entry.data), node.number(1), element) {
            self.unknown(out, "<<ELEMENTS>>");
        }
        out.text("]");
    }

    // Schedules a type that must be printed before text that is written at once.
    fn with_type(&mut self, out: &mut Out<'_>, index: TypeId) {
        debug_assert!(self.pending.is_empty());
        let pending = std::mem::take(&mut self.pending);
        let node = std::mem::take(&mut self.node);
        self.run(out, Item::Type(index.number()));
        self.node = node;
        self.pending = pending;
    }

    fn elides(&self, count: u64, is_splat: bool) -> bool {
        !is_splat && self.style.elide_elements.is_some_and(|limit| count > limit)
    }

    fn dense_elements(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let data = context.node.blob(context.node.field(1), context.entry.data);
        match self.dense(r#type, data) {
            Some(dense) if self.elides(dense.count, dense.is_splat) => out.text("dense_resource<__elided__>"),
            Some(dense) => {
                out.text("dense<");
                dense.write(out, true, self.style.release);
                out.text(">");
            }
            None => {
                out.text("dense<");
                self.unknown(out, "<<ELEMENTS>>");
                out.text(">");
            }
        }
        self.typed(out, Some(r#type));
    }

    fn dense<'d>(&self, r#type: TypeId, data: &'d [u8]) -> Option<dense::Dense<'d>> {
        dense::Dense::new(self.entries, r#type, data).map(dense::Dense::collapsed)
    }

    fn dense_strings(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let Some(r#type) = context.node.r#type(0) else { return };
        let shape = dense::shape(self.entries, r#type).unwrap_or_default();
        let strings = context.node.items(2);
        let is_splat = self.are_one(context.node);
        if self.elides(strings.len() as u64, is_splat) {
            out.text("dense_resource<__elided__>");
        } else {
            out.text("dense<");
            self.strings(out, &shape, strings, is_splat);
            out.text(">");
        }
        self.typed(out, Some(r#type));
    }

    // Whether dense strings are a splat: declared as a splat, or all equal.
    fn are_one(&self, node: &Node) -> bool {
        let strings = node.items(2);
        if node.number(1) != 0 {
            return true;
        }
        let Some(&Field::String(first)) = strings.first() else { return false };
        // Each text is compared once: a few long texts may occur often.
        let mut same = HashSet::from([first]);
        strings.iter().all(|field| match *field {
            Field::String(index) => {
                let is_same = |index| self.entries.string(index) == self.entries.string(first);
                same.contains(&index) || is_same(index) && same.insert(index)
            }
            _ => false,
        })
    }

    fn strings(&mut self, out: &mut Out<'_>, shape: &[i64], strings: &[Field], is_splat: bool) {
        dense::write_nested(out, shape, strings.len() as u64, is_splat, |out, at| {
            if let Some(&Field::String(index)) = strings.get(at as usize) {
                escape::write_string(&mut out.buffer, self.entries.string(index));
            }
        });
    }

    // Indices are never hexadecimal; values may be.
    fn sparse(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let (indices, values) = (context.node.attribute(1), context.node.attribute(2));
        let r#type = context.node.r#type(0);
        let is_elided = [indices, values].into_iter().flatten().any(|index| self.is_elided_dense(index));
        if is_elided {
            out.text("dense_resource<__elided__>");
        } else {
            out.text("sparse<");
            if indices.is_some_and(|index| self.dense_count(index) != Some(0)) {
                self.raw_elements(out, indices, out.has_all_rows, false);
                out.text(", ");
                self.raw_elements(out, values, false, true);
            }
            out.text(">");
        }
        self.typed(out, r#type);
    }

    fn dense_count(&self, index: AttrId) -> Option<u64> {
        let entry_ref = EntryRef::Attribute(index);
        let entry = self.entries.entry(entry_ref)?;
        let mut node = Node::default();
        let (form, _) = entry.decode(entry_ref, self.entries, &mut node).ok()??;
        match form.print {
            Named::DenseElements => {
                let data = node.blob(node.field(1), entry.data);
                Some(dense::Dense::new(self.entries, TypeId::new(node.r#type(0)?.number()), data)?.count)
            }
            _ => Some(dense::count(&dense::shape(self.entries, TypeId::new(node.r#type(0)?.number()))?)),
        }
    }

    fn is_elided_dense(&self, index: AttrId) -> bool {
        let entry_ref = EntryRef::Attribute(index);
        let Some(entry) = self.entries.entry(entry_ref) else { return false };
        let mut node = Node::default();
        let Ok(Some((form, _))) = entry.decode(entry_ref, self.entries, &mut node) else { return false };
        let Some(r#type) = node.r#type(0) else { return false };
        if form.print == Named::DenseElements {
            let data = node.blob(node.field(1), entry.data);
            return self.dense(r#type, data).is_some_and(|dense| self.elides(dense.count, dense.is_splat));
        }
        false
    }

    // Prints the elements of a dense attribute without `dense<>` and type. With `in_rows`, every row is
    // written even if all elements are equal.
    fn raw_elements(&mut self, out: &mut Out<'_>, index: Option<AttrId>, in_rows: bool, may_be_hex: bool) {
        let Some(index) = index else { return };
        let entry_ref = EntryRef::Attribute(index);
        let entries = self.entries;
        let Some(entry) = entries.entry(entry_ref) else { return };
        let mut node = Node::default();
        let Ok(Some((form, _))) = entry.decode(entry_ref, entries, &mut node) else {
            return self.unknown(out, "<<ELEMENTS>>");
        };
        let Some(r#type) = node.r#type(0) else { return };
        match form.print {
            Named::DenseElements => {
                let data = node.blob(node.field(1), entry.data);
                match self.dense(r#type, data) {
                    Some(dense) if in_rows => dense.write_rows(out),
                    Some(dense) => dense.write(out, may_be_hex, self.style.release),
                    None => self.unknown(out, "<<ELEMENTS>>"),
                }
            }
            Named::DenseStrings => {
                let shape = dense::shape(entries, r#type).unwrap_or_default();
                self.strings(out, &shape, node.items(2), self.are_one(&node));
            }
            _ => self.unknown(out, "<<ELEMENTS>>"),
        }
    }

    fn affine(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let data = context.node.blob(context.node.field(0), context.entry.data);
        let mut cursor = Cursor::new(data, context.entry.offset, Some(SectionId::AttrType));
        let written = match context.form.print {
            Named::AffineMap => AffineMap::decode(&mut cursor).map(|map| {
                out.text("affine_map<");
                affine::write_map(&mut out.buffer, &map);
            }),
            _ => IntegerSet::decode(&mut cursor).map(|set| {
                out.text("affine_set<");
                affine::write_set(&mut out.buffer, &set);
            }),
        };
        match written {
            Ok(()) => out.text(">"),
            Err(error) => {
                out.text("<<AFFINE>>");
                self.fault(error);
            }
        }
    }

    // `StridedLayoutAttr::print` in BuiltinAttributes.cpp
    fn strided_layout(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        self.emit(out, Item::Text("strided<["));
        for (number, &item) in context.node.items(1).iter().enumerate() {
            if number > 0 {
                self.emit(out, Item::Text(", "));
            }
            self.emit(out, dimension(item));
        }
        self.emit(out, Item::Text("]"));
        let offset = context.node.field(0);
        if offset != Field::Signed(0) {
            self.emit(out, Item::Text(", offset: "));
            self.emit(out, dimension(offset));
        }
        self.emit(out, Item::Text(">"));
    }

    fn memref(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let layout = context.layout;
        let at = |name: &str| layout.index(name).unwrap_or(usize::MAX);
        self.emit(out, Item::Text("memref<"));
        self.field(out, context, at("shape"), Some(Style::Dims));
        self.field(out, context, at("elementType"), None);
        if let Some(index) = context.node.attribute(at("layout"))
            && !self.is_identity(index)
        {
            self.emit(out, Item::Text(", "));
            self.emit(out, Item::Attribute(index.number(), Elide::May));
        }
        if let Some(space) = context.node.attribute(at("memorySpace")) {
            self.emit(out, Item::Text(", "));
            self.emit(out, Item::Attribute(space.number(), Elide::May));
        }
        self.emit(out, Item::Text(">"));
    }

    /// Whether a layout is the identity map, which memrefs omit.
    pub(crate) fn is_identity(&mut self, index: AttrId) -> bool {
        if let Some(&is_identity) = self.identity_layouts.get(&index) {
            return is_identity;
        }
        let is_identity = is_identity_layout(self.entries, index);
        self.identity_layouts.insert(index, is_identity);
        is_identity
    }

    fn vector(&mut self, out: &mut Out<'_>, context: &Context<'_, 'e>) {
        let (layout, node) = (context.layout, context.node);
        let at = |name: &str| layout.index(name).unwrap_or(usize::MAX);
        let shape = node.items(at("shape"));
        let scalable = node.items(at("scalable"));
        // Before release 18, only the last dimensions could be scalable, and their number was written.
        let counted = layout.index("numScalable").map_or(0, |field| node.number(field));
        let first_counted = (shape.len() as u64).saturating_sub(counted);
        self.emit(out, Item::Text("vector<"));
        for (number, &dim) in shape.iter().enumerate() {
            let is_scalable =
                scalable.get(number) == Some(&Field::Bool(true)) || number as u64 >= first_counted;
            if counted > 0 {
                // A single pair of brackets encloses all scalable dimensions: `vector<2x[4x8]xf32>`.
                if number as u64 == first_counted {
                    self.emit(out, Item::Text("["));
                }
                self.emit(out, dimension(dim));
                self.emit(out, Item::Text(if number + 1 == shape.len() { "]x" } else { "x" }));
                continue;
            }
            let (open, close) = if is_scalable { ("[", "]x") } else { ("", "x") };
            self.emit(out, Item::Text(open));
            self.emit(out, dimension(dim));
            self.emit(out, Item::Text(close));
        }
        self.field(out, context, at("elementType"), None);
        self.emit(out, Item::Text(">"));
    }
}
