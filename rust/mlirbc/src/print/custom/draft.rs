//! The building blocks of custom assembly: what is read of an operation, and what is written for it.

use std::ops::Range;

use crate::attr::text::entry::{Elide, EntryPrinter, string_of};
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named};
use crate::file::FileEntries;
use crate::format::id::OpNameId;
use crate::ir::body::{BlockRow, Body, NONE, OpDetail};
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{Module, OpId, RegionId, ValueId};
use crate::ops::{AttributeDefault, AttributeDefinition, AttributeText, OperationDefinition};
use crate::props::PropertyValue;
use crate::props::codec::segment_sizes;
use crate::release::Llvm;

use super::plan::{Piece, Plan, RegionStyle};

/// The pieces of an operation are complete; `None` if it has no custom form that this printer knows.
pub(in crate::print) type Drafted = Option<()>;

/// An operation that is being put into pieces.
pub(in crate::print) struct Draft<'a, 'm, 'e> {
    pub(in crate::print) module: &'m Module,
    pub(in crate::print) file: &'e FileEntries<'m>,
    pub(in crate::print) release: Llvm,
    pub(in crate::print) body: &'m Body,
    pub(in crate::print) op: u32,
    pub(in crate::print) definition: &'a OperationDefinition,
    pub(in crate::print) inherent: &'a [Own<'a>],
    pub(in crate::print) discardable: &'a [(u32, u32)],
    pub(in crate::print) plain: &'a mut EntryPrinter<'e, FileEntries<'m>>,
    pub(in crate::print) plan: &'a mut Plan,
    pub(in crate::print) reader: &'a PropertyReader<'m, 'e>,
    /// Whether locations of arguments are printed.
    pub(in crate::print) locations: bool,
    /// What the text does not say: a sentence.
    pub(in crate::print) lost: &'a mut Option<&'static str>,
    /// A text that decides about the form is too long to be kept.
    pub(in crate::print) is_too_long: bool,
}

// Longer texts of attributes and types are not kept: an operation whose form depends on one is printed in generic form.
// So the memory for them does not depend on the file.
const LONGEST_KEPT: u64 = 1 << 20;
// What tells a large constant from a word or a number.
const LONGEST_START: u64 = 256;

/// An inherent attribute or a property of an operation.
#[derive(Debug, Clone)]
pub(in crate::print) struct Own<'a> {
    name: &'a str,
    pub(in crate::print) value: PropertyValue,
    /// The value of an absent one.
    pub(in crate::print) default: Option<&'a str>,
}

impl<'a> Own<'a> {
    pub(in crate::print) fn new(name: &'a str, value: PropertyValue, default: Option<&'a str>) -> Self {
        Self { name, value, default }
    }

    pub(in crate::print) fn name(&self) -> &'a str {
        self.name
    }
}

/// The regions of an operation: the body that they are in, and their rows.
#[derive(Clone, Copy)]
pub(in crate::print) struct Regions<'m> {
    pub(in crate::print) body: &'m Body,
    pub(in crate::print) rows: &'m [u32],
}

impl<'m> Regions<'m> {
    /// Those of an op; decodes the body of an isolated one. `None` if it is malformed.
    pub(in crate::print) fn of(module: &'m Module, body: &'m Body, op: u32) -> Option<Self> {
        let Some(detail) = body.detail(OpId(op)) else { return Some(Self { body, rows: &[] }) };
        if detail.is_isolated {
            let child = body.children.get(detail.first_region as usize)?.body;
            let body = module.body(child).ok()?;
            return Some(Self { body, rows: body.root_regions.get(..detail.regions as usize)? });
        }
        let first = detail.first_region as usize;
        Some(Self { body, rows: body.op_regions.get(first..first + detail.regions as usize)? })
    }

    /// The blocks of a region.
    pub(in crate::print) fn blocks(&self, number: usize) -> &'m [u32] {
        self.rows.get(number).map_or(&[], |&region| self.body.blocks_of(RegionId(region)))
    }

    /// The entry block of a region.
    pub(in crate::print) fn entry(&self, number: usize) -> Option<&'m BlockRow> {
        self.body.blocks.get(*self.blocks(number).first()? as usize)
    }

    /// The arguments of its entry block.
    pub(in crate::print) fn arguments(&self, number: usize) -> Range<u32> {
        self.entry(number).map_or(0..0, |block| block.first_argument..block.first_argument + block.arguments)
    }

    /// The last op of its entry block.
    pub(in crate::print) fn last_op(&self, number: usize) -> Option<u32> {
        self.entry(number).filter(|block| block.ops > 0).map(|block| block.last_op)
    }
}

impl<'a, 'm, 'e> Draft<'a, 'm, 'e> {
    // ---- writing ----

    pub(in crate::print) fn text(&mut self, text: &str) {
        self.plan.text(text.as_bytes());
    }

    pub(in crate::print) fn bytes(&mut self, text: &[u8]) {
        self.plan.text(text);
    }

    pub(in crate::print) fn number(&mut self, number: impl itoa::Integer) {
        self.plan.with_text(|out| out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()));
    }

    pub(in crate::print) fn quoted(&mut self, text: &[u8]) {
        self.plan.with_text(|out| escape::write_string(out, text));
    }

    pub(in crate::print) fn keyword(&mut self, text: &[u8]) {
        self.plan.with_text(|out| escape::write_keyword_or_string(out, text));
    }

    pub(in crate::print) fn symbol(&mut self, name: &[u8]) {
        let quotes_empty = self.release.quotes_empty_symbols();
        self.plan.with_text(|out| match name {
            [] if quotes_empty => out.extend_from_slice(b"@\"\""),
            name => escape::write_symbol_name(out, name),
        });
    }

    pub(in crate::print) fn push(&mut self, piece: Piece) {
        self.plan.pieces.push(piece);
    }

    pub(in crate::print) fn value(&mut self, value: ValueId) {
        self.push(Piece::Value(value));
    }

    /// `write` for each item with commas between them.
    pub(in crate::print) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Drafted,
    ) -> Drafted {
        for (place, item) in items.into_iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            write(self, item)?;
        }
        Some(())
    }

    pub(in crate::print) fn values(&mut self, values: &[ValueId]) {
        for (place, &value) in values.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.value(value);
        }
    }

    pub(in crate::print) fn r#type(&mut self, index: u32) {
        self.push(Piece::Type(index));
    }

    pub(in crate::print) fn types(&mut self, types: &[u32]) {
        for (place, &index) in types.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.r#type(index);
        }
    }

    pub(in crate::print) fn types_of(&mut self, values: &[ValueId]) {
        for (place, &value) in values.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.r#type(self.body.type_of(value));
        }
    }

    /// `(a, b) -> c` (`AsmPrinter::printFunctionalType`).
    pub(in crate::print) fn functional_type(&mut self, inputs: &[u32], results: &[u32]) {
        self.text("(");
        self.types(inputs);
        self.text(") -> ");
        self.result_types(results);
    }

    /// What follows the arrow: parentheses unless there is exactly one type that is not a function type.
    pub(in crate::print) fn result_types(&mut self, results: &[u32]) {
        match *results {
            [only] if !self.plain.needs_parentheses(only) => self.r#type(only),
            _ => {
                self.text("(");
                self.types(results);
                self.text(")");
            }
        }
    }

    /// ` -> …`, or nothing without types (`AsmPrinter::printOptionalArrowTypeList`).
    pub(in crate::print) fn optional_arrow_types(&mut self, results: &[u32]) {
        if !results.is_empty() {
            self.text(" -> ");
            self.result_types(results);
        }
    }

    pub(in crate::print) fn attribute(&mut self, index: u32) {
        self.push(Piece::Attribute(index));
    }

    pub(in crate::print) fn newline(&mut self) {
        self.push(Piece::Newline);
    }

    pub(in crate::print) fn region(&mut self, number: usize, style: RegionStyle) {
        self.push(Piece::Region(number as u32, style));
    }

    /// A block argument with its type (`OpAsmPrinter::printRegionArgument`).
    pub(in crate::print) fn argument(&mut self, regions: Regions<'m>, row: u32) {
        self.push(Piece::Argument(row));
        self.text(": ");
        self.r#type(regions.body.argument_type.get(row as usize).copied().unwrap_or(NONE));
    }

    pub(in crate::print) fn argument_location(&mut self, row: u32) {
        if self.locations {
            self.push(Piece::ArgumentLocation(row));
        }
    }

    pub(in crate::print) fn successor(&mut self, number: usize) -> Drafted {
        let detail = self.detail()?;
        if number >= detail.successors as usize {
            return None;
        }
        let block = *self.body.successors.get(detail.first_successor as usize + number)?;
        self.text("^bb");
        self.number(block);
        Some(())
    }

    /// `^bb1(%a : i32)`.
    pub(in crate::print) fn successor_with(&mut self, number: usize, operands: &[ValueId]) -> Drafted {
        self.successor(number)?;
        if !operands.is_empty() {
            self.text("(");
            self.values(operands);
            self.text(" : ");
            self.types_of(operands);
            self.text(")");
        }
        Some(())
    }

    // ---- reading ----

    /// The op of the same body that has a value as its result.
    pub(in crate::print) fn defining_op(&self, value: ValueId) -> Option<u32> {
        let row = (!value.is_argument()).then(|| value.to_bits())?;
        let op = self.body.result_start.partition_point(|&start| start <= row).checked_sub(1)?;
        u32::try_from(op).ok()
    }

    /// The value of an integer constant.
    pub(in crate::print) fn constant(&mut self, value: ValueId) -> Option<i64> {
        let op = self.defining_op(value)?;
        if !matches!(&*self.name_of(self.body, op), "arith.constant" | "index.constant") {
            return None;
        }
        let entries = self.entries_of(self.body, op)?;
        let (_, value) = *entries.iter().find(|(name, _)| *name == b"value")?;
        let text = self.plain_text(value);
        std::str::from_utf8(&text).ok()?.split(" : ").next()?.parse().ok()
    }

    pub(in crate::print) fn detail(&self) -> Option<&'m OpDetail> {
        self.body.detail(OpId(self.op))
    }

    pub(in crate::print) fn successor_count(&self) -> usize {
        self.detail().map_or(0, |detail| detail.successors as usize)
    }

    pub(in crate::print) fn regions(&self) -> Option<Regions<'m>> {
        Regions::of(self.module, self.body, self.op)
    }

    pub(in crate::print) fn all_operands(&self) -> &'m [ValueId] {
        let rows = self.body.operand_rows(OpId(self.op));
        self.body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    }

    pub(in crate::print) fn all_results(&self) -> &'m [u32] {
        results_of(self.body, self.op)
    }

    pub(in crate::print) fn operand_types(&self, values: &[ValueId]) -> Vec<u32> {
        values.iter().map(|&value| self.body.type_of(value)).collect()
    }

    /// The attributes of another op, sorted by name; `None` if it has native properties.
    pub(in crate::print) fn entries_of(&self, body: &Body, op: u32) -> Option<Vec<(&'e [u8], u32)>> {
        let name = OpNameId(*body.op_name.get(op as usize)?);
        let id = |index: u32| (index != NONE).then_some(index);
        let blob = id(body.op_properties.get(op as usize)).map(crate::format::id::PropertyId);
        let dictionary = id(body.op_attributes.get(op as usize)).map(crate::format::id::AttrId);
        let (mut inherent, mut discardable) = (Vec::new(), Vec::new());
        let found = self.reader.read_parts(name, blob, dictionary, &mut inherent, &mut discardable).ok()?;
        if found != Inherent::Known {
            return None;
        }
        let mut entries = Vec::new();
        for property in &inherent {
            let name: &'m str = property.name();
            match property.value {
                PropertyValue::Attribute(index) => entries.push((name.as_bytes(), index)),
                PropertyValue::Absent => {}
                _ => return None,
            }
        }
        for (name, value) in discardable {
            entries.push((string_of(self.file, name)?, value));
        }
        entries.sort_by_key(|entry| entry.0);
        Some(entries)
    }

    /// The name of an op of a body, `dialect.mnemonic`.
    pub(in crate::print) fn name_of(&self, body: &Body, op: u32) -> String {
        let name = body.op_name.get(op as usize).and_then(|&name| self.module.op_name(OpNameId(name)));
        name.map_or_else(String::new, |name| name.full().into_owned())
    }

    /// The inherent attribute or property with this name.
    pub(in crate::print) fn property(&self, name: &str) -> Option<&'a Own<'a>> {
        self.inherent.iter().find(|property| property.name() == name)
    }

    /// The inherent attribute with this name, if the operation has it.
    pub(in crate::print) fn attr(&self, name: &str) -> Option<u32> {
        match self.property(name)?.value {
            PropertyValue::Attribute(index) => Some(index),
            _ => None,
        }
    }

    /// A discardable attribute.
    pub(in crate::print) fn discardable_attr(&self, name: &str) -> Option<u32> {
        let found =
            self.discardable.iter().find(|(key, _)| string_of(self.file, *key) == Some(name.as_bytes()));
        found.map(|&(_, value)| value)
    }

    /// The text of an attribute without aliases.
    pub(in crate::print) fn plain_text(&mut self, index: u32) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_KEPT + 1);
        self.plain.attribute(&mut out, index, Elide::Never);
        self.kept(out.buffer)
    }

    fn kept(&mut self, text: Vec<u8>) -> Vec<u8> {
        match text.len() as u64 > LONGEST_KEPT {
            true => {
                self.is_too_long = true;
                Vec::new()
            }
            false => text,
        }
    }

    /// The first bytes of the text of an attribute without aliases; all of a short one.
    pub(in crate::print) fn plain_start(&mut self, index: u32) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_START);
        self.plain.attribute(&mut out, index, Elide::Never);
        out.buffer.truncate(LONGEST_START as usize);
        out.buffer
    }

    /// The text of a type without aliases.
    pub(in crate::print) fn plain_type(&mut self, index: u32) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_KEPT + 1);
        self.plain.r#type(&mut out, index);
        self.kept(out.buffer)
    }

    /// The bytes of a string attribute.
    pub(in crate::print) fn string(&self, index: u32) -> Option<&'e [u8]> {
        string_of(self.file, index)
    }

    fn decoded<T>(
        &self,
        of: EntryRef,
        read: impl FnOnce(BuiltinKind, Named, &Node) -> Option<T>,
    ) -> Option<T> {
        let mut node = Node::default();
        let (form, _) = self.file.entry(of)?.decode(of, self.file, &mut node).ok()??;
        read(form.builtin, form.print, &node)
    }

    /// The items of an array attribute.
    pub(in crate::print) fn items(&self, index: u32) -> Option<Vec<u32>> {
        self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::ArrayAttr).then_some(())?;
            node.items(0)
                .iter()
                .map(|item| if let Field::Attribute(index, _) = item { Some(*index) } else { None })
                .collect()
        })
    }

    /// The names and values of a dictionary attribute.
    pub(in crate::print) fn pairs(&self, index: u32) -> Option<Vec<(u32, u32)>> {
        self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::DictionaryAttr).then_some(())?;
            let pair = |pair: &[Field]| match *pair {
                [Field::Attribute(key, _), Field::Attribute(value, _)] => Some((key, value)),
                _ => None,
            };
            node.items(0).chunks(2).map(pair).collect()
        })
    }

    /// The type in a type attribute.
    pub(in crate::print) fn type_in(&self, index: u32) -> Option<u32> {
        self.decoded(EntryRef::Attribute(index), |kind, _, node| {
            (kind == BuiltinKind::TypeAttr).then(|| node.r#type(0)).flatten()
        })
    }

    /// The type of a builtin attribute with elements.
    pub(in crate::print) fn type_of_elements(&self, index: u32) -> Option<u32> {
        self.decoded(EntryRef::Attribute(index), |_, _, node| node.r#type(0))
    }

    /// The type of the elements of a builtin shaped type.
    pub(in crate::print) fn element_type(&self, index: u32) -> Option<u32> {
        use BuiltinKind::{MemRefType, RankedTensorType, UnrankedMemRefType, UnrankedTensorType, VectorType};
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            let kinds = [MemRefType, RankedTensorType, UnrankedMemRefType, UnrankedTensorType, VectorType];
            kinds.contains(&kind).then_some(())?;
            (0..node.len()).find_map(|field| node.r#type(field))
        })
    }

    /// The inputs and results of a function type.
    pub(in crate::print) fn function_type(&self, index: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            (kind == BuiltinKind::FunctionType).then_some(())?;
            let types = |number| {
                let index = |item: &Field| if let Field::Type(index, _) = item { Some(*index) } else { None };
                node.items(number).iter().map(index).collect::<Option<Vec<u32>>>()
            };
            Some((types(0)?, types(1)?))
        })
    }

    /// The numbers of a dense array, an array of integers, or an integer.
    pub(in crate::print) fn integers(&mut self, index: u32) -> Option<Vec<i64>> {
        let text = self.plain_text(index);
        let text = std::str::from_utf8(&text).ok()?;
        let inner = match (text.strip_prefix("array<i"), text.strip_prefix("dense<")) {
            (Some(rest), _) => {
                let rest = rest.strip_suffix('>')?;
                rest.split_once(": ").map_or("", |(_, items)| items)
            }
            (None, Some(rest)) => return dense_integers(rest),
            (None, None) => text.strip_prefix('[').map_or(Some(text), |rest| rest.strip_suffix(']'))?,
        };
        if inner.is_empty() {
            return Some(Vec::new());
        }
        let number = |item: &str| match item.split(" : ").next()? {
            "true" => Some(1),
            "false" => Some(0),
            digits => digits.parse().ok(),
        };
        inner.split(", ").map(number).collect()
    }

    /// The numbers of an inherent attribute.
    pub(in crate::print) fn integers_of(&mut self, name: &str) -> Option<Vec<i64>> {
        match &self.property(name)?.value {
            PropertyValue::Attribute(index) => self.integers(*index),
            PropertyValue::Segments(sizes) => Some(sizes.iter().map(|&size| i64::from(size)).collect()),
            _ => None,
        }
    }

    /// The sizes of the groups of operands or results, by the trait of the definition.
    fn groups(
        &self,
        names: [&str; 2],
        is_sized: bool,
        marks: &[Mark],
        total: usize,
    ) -> Option<Vec<Range<usize>>> {
        let mut sizes = Vec::with_capacity(marks.len());
        if is_sized {
            let property = self.inherent.iter().find(|property| names.contains(&property.name()))?;
            let of_file = segment_sizes(&property.value, self.file)?;
            sizes.extend(of_file.iter().map(|&size| usize::try_from(size).unwrap_or(usize::MAX)));
        } else {
            let fixed = marks.iter().filter(|mark| **mark == Mark::One).count();
            let open = marks.len() - fixed;
            let left = total.checked_sub(fixed)?;
            let each = match open {
                0 => 0,
                open if left % open == 0 => left / open,
                _ => return None,
            };
            sizes.extend(marks.iter().map(|mark| if *mark == Mark::One { 1 } else { each }));
        }
        if sizes.len() != marks.len() {
            return None;
        }
        let mut start = 0usize;
        let mut groups = Vec::with_capacity(marks.len());
        for (size, mark) in sizes.into_iter().zip(marks) {
            let fits = match mark {
                Mark::One => size == 1,
                Mark::Optional => size <= 1,
                Mark::Any => true,
            };
            let end = start.checked_add(size).filter(|&end| fits && end <= total)?;
            groups.push(start..end);
            start = end;
        }
        (start == total).then_some(groups)
    }

    /// For each operand of the definition, its range among the operands.
    pub(in crate::print) fn operand_groups(&self) -> Option<Vec<Range<usize>>> {
        let marks: Vec<_> =
            self.definition.operands().iter().map(|one| Mark::of(one.multiplicity())).collect();
        let is_sized = self.definition.has_trait("AttrSizedOperandSegments");
        let names = ["operandSegmentSizes", "operand_segment_sizes"];
        self.groups(names, is_sized, &marks, self.all_operands().len())
    }

    /// For each result of the definition, its range among the results.
    pub(in crate::print) fn result_groups(&self) -> Option<Vec<Range<usize>>> {
        let marks: Vec<_> =
            self.definition.results().iter().map(|one| Mark::of(one.multiplicity())).collect();
        let is_sized = self.definition.has_trait("AttrSizedResultSegments");
        let names = ["resultSegmentSizes", "result_segment_sizes"];
        self.groups(names, is_sized, &marks, self.all_results().len())
    }

    /// The operands of one name of the definition.
    pub(in crate::print) fn operands_named(&self, name: &str) -> Option<&'m [ValueId]> {
        let place = self.definition.operands().iter().position(|one| one.name() == name)?;
        self.all_operands().get(self.operand_groups()?.get(place)?.clone())
    }

    // ---- dictionaries ----

    /// Whether an inherent attribute has its default value; `None` if that is not known.
    pub(in crate::print) fn is_default(
        &mut self,
        definition: &AttributeDefinition,
        property: &Own<'_>,
    ) -> Option<bool> {
        let text: &str = match (property.default, definition.default()) {
            (Some(text), _) => text,
            // An empty list, or a null attribute.
            (None, Some(AttributeDefault::Code(code))) if &**code == "{}" => {
                return match property.value {
                    PropertyValue::Absent => Some(true),
                    PropertyValue::Attribute(index) => {
                        let found = self.plain_text(index);
                        let is_array = found.starts_with(b"array<");
                        Some(found == b"[]" || is_array && !found.contains(&b':'))
                    }
                    _ => None,
                };
            }
            (None, Some(AttributeDefault::Text(text))) => text,
            // A case of an enumeration.
            (None, Some(AttributeDefault::Code(code))) if code.contains("::") => {
                let case = code.rsplit("::").next()?.trim_end_matches([')', '}']);
                return match property.value {
                    PropertyValue::Absent => Some(true),
                    PropertyValue::Attribute(index) => {
                        let found = self.plain_text(index);
                        let constraint = definition.constraint()?;
                        if let AttributeText::Case(_, cases) = constraint.attribute_text() {
                            let number = std::str::from_utf8(untyped(&found)).ok()?.parse().ok()?;
                            return Some(cases.text(number)? == case);
                        }
                        let inner =
                            found.strip_suffix(b">")?.rsplit(|byte| matches!(byte, b'<' | b' ')).next()?;
                        Some(inner == case.as_bytes())
                    }
                    _ => None,
                };
            }
            (None, Some(AttributeDefault::Code(code))) => known_code(code)?,
            (None, None) => return Some(false),
        };
        match &property.value {
            PropertyValue::Absent => Some(true),
            PropertyValue::Attribute(index) => {
                let found = match text.len() < LONGEST_START as usize / 2 {
                    true => self.plain_start(*index),
                    false => self.plain_text(*index),
                };
                Some(found == text.as_bytes() || untyped(&found) == text.as_bytes())
            }
            PropertyValue::Int(number) => Some(text.split(' ').next() == Some(&number.to_string())),
            PropertyValue::Bool(value) => Some(match text {
                "true" | "unit" => *value,
                _ => !*value,
            }),
            _ => None,
        }
    }

    /// The entries of the dictionary but these inherent ones and segment sizes, sorted by name; without default values if the
    /// format is declarative.
    pub(in crate::print) fn dictionary_entries(
        &mut self,
        elided: &[&str],
        elides_defaults: bool,
    ) -> Option<Vec<(&'a [u8], Given<'a>)>> {
        let mut entries: Vec<(&'a [u8], Given<'a>)> = Vec::new();
        for property in self.inherent {
            let name = property.name();
            if elided.contains(&name) || is_segment_name(name) {
                continue;
            }
            let definition = self.definition.attribute(name);
            match &property.value {
                PropertyValue::Absent => {
                    let is_filled =
                        definition.is_some_and(|one| one.default().is_some() && !one.is_optional());
                    // A null attribute is not there either.
                    let is_null = definition.and_then(AttributeDefinition::default)
                        == Some(&AttributeDefault::Code("{}".into()));
                    if is_filled && !elides_defaults && !is_null {
                        entries.push((name.as_bytes(), Given::Text(property.default?)));
                    }
                }
                PropertyValue::Attribute(index) => {
                    let has_default = definition.is_some_and(|one| one.default().is_some());
                    if elides_defaults
                        && has_default
                        && let Some(definition) = definition
                        && self.is_default(definition, property)?
                    {
                        continue;
                    }
                    entries.push((name.as_bytes(), Given::Attribute(*index)));
                }
                // Native properties are never part of the dictionary.
                _ if definition.is_some_and(AttributeDefinition::is_native) => {
                    *self.lost = Some("a property that the assembly format does not mention");
                }
                _ => return None,
            }
        }
        for &(name, value) in self.discardable {
            let name = string_of(self.file, name)?;
            if !elided.iter().any(|elided| elided.as_bytes() == name) {
                entries.push((name, Given::Attribute(value)));
            }
        }
        entries.sort_by_key(|entry| entry.0);
        Some(entries)
    }

    /// `{name = value}` with these entries.
    pub(in crate::print) fn dictionary(&mut self, entries: &[(&[u8], Given<'_>)]) {
        self.text("{");
        for (place, &(name, value)) in entries.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            match value {
                Given::Attribute(value) => {
                    let (start, end) = self.plan.kept(|out| out.extend_from_slice(name));
                    self.push(Piece::Named(start, end, value));
                }
                Given::Text(text) => {
                    self.keyword(name);
                    if text != "unit" {
                        self.text(" = ");
                        self.text(text);
                    }
                }
            }
        }
        self.text("}");
    }

    /// The dictionary after a space, or nothing if it is empty (`OpAsmPrinter::printOptionalAttrDict`).
    pub(in crate::print) fn attr_dict(&mut self, elided: &[&str]) -> Drafted {
        self.attr_dict_after(" ", elided)
    }

    /// The dictionary after the keyword `attributes`, or nothing if it is empty.
    pub(in crate::print) fn attr_dict_with_keyword(&mut self, elided: &[&str]) -> Drafted {
        self.attr_dict_after(" attributes ", elided)
    }

    fn attr_dict_after(&mut self, start: &str, elided: &[&str]) -> Drafted {
        let entries = self.dictionary_entries(elided, false)?;
        if !entries.is_empty() {
            self.text(start);
            self.dictionary(&entries);
        }
        Some(())
    }

    /// The dictionary of a block argument after a space, or nothing.
    ///
    /// `printRegionArgument` of the printer that collects aliases in `mlir/lib/IR/AsmPrinter.cpp` passes over it.
    pub(in crate::print) fn dictionary_of_argument(&mut self, index: u32) -> Drafted {
        let mark = self.plan.pieces.len();
        self.dictionary_of(index)?;
        for piece in self.plan.pieces.iter_mut().skip(mark) {
            if let Piece::Named(start, end, value) = *piece {
                *piece = Piece::NamedUnaliased(start, end, value);
            }
        }
        Some(())
    }

    /// The dictionary of the type of a function argument or result after a space, or nothing.
    pub(in crate::print) fn dictionary_of(&mut self, index: u32) -> Drafted {
        let mut entries = Vec::new();
        for (name, value) in self.pairs(index)? {
            entries.push((string_of(self.file, name)?, Given::Attribute(value)));
        }
        entries.sort_by_key(|entry| entry.0);
        if !entries.is_empty() {
            self.text(" ");
            self.dictionary(&entries);
        }
        Some(())
    }

    /// Whether a terminator of an implicit kind is printed: it has operands, results or attributes.
    pub(in crate::print) fn shows_terminator(&self, regions: Regions<'m>, number: usize) -> bool {
        let Some(last) = regions.last_op(number) else { return true };
        has_operands_or_results(regions.body, last) || has_attributes(regions.body, last)
    }
}

/// The value of an entry of a dictionary.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum Given<'m> {
    Attribute(u32),
    /// A default value that the file does not have.
    Text(&'m str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    One,
    Optional,
    Any,
}

impl Mark {
    fn of(multiplicity: &crate::ops::Multiplicity) -> Self {
        match multiplicity {
            crate::ops::Multiplicity::One => Self::One,
            crate::ops::Multiplicity::Optional => Self::Optional,
            _ => Self::Any,
        }
    }
}

/// Whether an op has operands or results.
pub(in crate::print) fn has_operands_or_results(body: &Body, op: u32) -> bool {
    !body.operand_rows(OpId(op)).is_empty() || !body.results(OpId(op)).is_empty()
}

/// Whether an op has a dictionary or a blob of properties.
pub(in crate::print) fn has_attributes(body: &Body, op: u32) -> bool {
    body.op_attributes.get(op as usize) != NONE
}

/// The types of the results of an op.
pub(in crate::print) fn results_of(body: &Body, op: u32) -> &[u32] {
    let rows = body.results(OpId(op));
    body.result_type.get(rows.start as usize..rows.end as usize).unwrap_or_default()
}

/// Whether an attribute has the sizes of groups.
pub(in crate::print) fn is_segment_name(name: &str) -> bool {
    matches!(
        name,
        "operandSegmentSizes" | "resultSegmentSizes" | "operand_segment_sizes" | "result_segment_sizes"
    )
}

/// The text of an attribute without ` : type` at its end, for numbers and strings.
pub(in crate::print) fn untyped(text: &[u8]) -> &[u8] {
    let end = text.windows(3).rposition(|window| window == b" : ");
    match text.first() {
        Some(b'0'..=b'9' | b'-') => end.map_or(text, |end| &text[..end]),
        _ => text,
    }
}

// The numbers of `[1, 2]> : tensor<2xi32>`, and of the same with one number for all.
fn dense_integers(text: &str) -> Option<Vec<i64>> {
    let (body, shaped) = text.rsplit_once("> : ")?;
    let count: usize = shaped.split_once('<')?.1.split('x').next()?.parse().ok()?;
    match body.strip_prefix('[') {
        Some(items) => items.strip_suffix(']')?.split(", ").map(|item| item.parse().ok()).collect(),
        None if body.is_empty() => Some(Vec::new()),
        // The count is that of the file: as large as its text may be.
        None if count > 1 << 16 => None,
        None => Some(vec![body.parse().ok()?; count]),
    }
}

// The text of a default that is given as C++.
fn known_code(code: &str) -> Option<&str> {
    let is_number = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    let is_quoted = code.len() > 1 && code.starts_with('"') && code.ends_with('"');
    (matches!(code, "true" | "false") || is_number || is_quoted).then_some(code)
}
