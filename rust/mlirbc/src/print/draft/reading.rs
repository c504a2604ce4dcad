//! Reads values, regions and attributes of an operation.

use std::sync::Arc;

use crate::attr::EntryValues;
use crate::attr::text::entry::{Elide, string_of};
use crate::attr::text::out::Out;
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::module::Inherent;
use crate::ir::{OpId, ValueId};
use crate::props::PropertyValue;
use crate::wire::order;

use super::super::dialects::affine::Map;
use super::{InherentAttribute, OperationDraft, Regions, results_of};

/// The words of an enumeration are shorter.
pub(super) const LONGEST_WORD: usize = 512;
// Longer texts of attributes are not kept: an operation whose form depends on one is printed in generic form. So the memory
// for them does not depend on the file.
const LONGEST_KEPT: u64 = 1 << 20;

impl<'a, 'm, 'e> OperationDraft<'a, 'm, 'e> {
    /// The op of the same body that has a value as its result.
    pub(in crate::print) fn defining_op(&self, value: ValueId) -> Option<u32> {
        self.reads_others.set(true);
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
        self.file.integer(value)?.as_integer()
    }

    /// Whether the next line begins with the results of another op.
    pub(in crate::print) fn precedes_results(&self) -> bool {
        self.reads_others.set(true);
        let next = self.body.end_of(OpId::new(self.op)).number();
        let block = |op: u32| self.body.op_block.get(op as usize);
        (next as usize) < self.body.len()
            && block(next) == block(self.op)
            && !self.body.results(OpId::new(next)).is_empty()
    }

    pub(in crate::print) fn detail(&self) -> Option<&'m OpDetail> {
        self.body.detail(OpId::new(self.op))
    }

    pub(in crate::print) fn successor_count(&self) -> usize {
        self.detail().map_or(0, |detail| detail.successors as usize)
    }

    pub(in crate::print) fn regions(&self) -> Option<Regions<'m>> {
        Regions::of(self.module, self.body, self.op)
    }

    pub(in crate::print) fn all_operands(&self) -> &'m [ValueId] {
        let rows = self.body.operand_rows(OpId::new(self.op));
        self.body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    }

    pub(in crate::print) fn all_results(&self) -> &'m [TypeId] {
        results_of(self.body, self.op)
    }

    pub(in crate::print) fn operand_types(&self, values: &[ValueId]) -> Vec<TypeId> {
        values.iter().map(|&value| self.body.type_of(value)).collect()
    }

    /// The attributes of another op, sorted by name; `None` if it has native properties.
    pub(in crate::print) fn entries_of(&self, body: &Body, op: u32) -> Option<Vec<(&'e [u8], AttrId)>> {
        self.reads_others.set(true);
        let name = OpNameId::new(*body.op_name.get(op as usize)?);
        let id = |index: u32| (index != NONE).then_some(index);
        let blob = id(body.op_properties.get(op as usize)).map(crate::format::id::PropertyId::new);
        let dictionary = id(body.op_attributes.get(op as usize)).map(AttrId::new);
        let (mut inherent, mut discardable) = (Vec::new(), Vec::new());
        let knowledge =
            self.reader.read_parts(name, blob, dictionary, &mut inherent, &mut discardable).ok()?;
        if knowledge != Inherent::Known {
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
            entries.push((string_of(self.file, AttrId::new(name))?, AttrId::new(value)));
        }
        order::sort_by_key(&mut entries, |entry| entry.0);
        Some(entries)
    }

    /// The name of an op of a body, `dialect.mnemonic`.
    pub(in crate::print) fn name_of(&self, body: &Body, op: u32) -> String {
        self.reads_others.set(true);
        let name = body.op_name.get(op as usize).and_then(|&name| self.module.op_name(OpNameId::new(name)));
        name.map_or_else(String::new, |name| name.full().into_owned())
    }

    /// The inherent attribute or property with this name.
    pub(in crate::print) fn property(&self, name: &str) -> Option<&'a InherentAttribute<'a>> {
        self.inherent.iter().find(|property| property.name() == name)
    }

    /// The inherent attribute with this name, if the operation has it.
    pub(in crate::print) fn attr(&self, name: &str) -> Option<u32> {
        match self.property(name)?.value {
            PropertyValue::Attribute(index) => Some(index.number()),
            _ => None,
        }
    }

    /// A discardable attribute.
    pub(in crate::print) fn discardable_attr(&self, name: &str) -> Option<u32> {
        let entry = self
            .discardable
            .iter()
            .find(|(key, _)| string_of(self.file, AttrId::new(*key)) == Some(name.as_bytes()));
        entry.map(|&(_, value)| value)
    }

    // ---- texts ----

    /// The map, or the constraints of the set, in an attribute.
    pub(in crate::print) fn affine_map(&mut self, index: AttrId) -> Option<Arc<Map>> {
        self.maps.get(index, self.file, self.plain.style.release)
    }

    /// The text of an attribute that is a word or a few: of an enumeration, or of the parameters that a dialect stores as
    /// text. `None` if it is too long for that.
    pub(in crate::print) fn word(&mut self, index: AttrId) -> Option<Vec<u8>> {
        self.plain.short_text(index, LONGEST_WORD)
    }

    /// Whether an attribute is the one with this text.
    pub(in crate::print) fn is_written(&mut self, index: AttrId, text: &str) -> bool {
        // There are few lengths, so each length is noted.
        let most = text.len().max(LONGEST_WORD);
        self.plain.short_text(index, most).is_some_and(|found| found == text.as_bytes())
    }

    /// The text of a type without aliases, which becomes part of the output.
    pub(in crate::print) fn printed_type(&mut self, index: TypeId) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_KEPT + 1);
        self.plain.r#type(&mut out, index);
        self.kept(out)
    }

    /// The text of an attribute without aliases, which becomes part of the output.
    pub(in crate::print) fn printed(&mut self, index: AttrId) -> Vec<u8> {
        let mut out = Out::excerpt(LONGEST_KEPT + 1);
        self.plain.attribute(&mut out, index, Elide::Never);
        self.kept(out)
    }

    fn kept(&mut self, out: Out) -> Vec<u8> {
        if out.buffer.len() as u64 > LONGEST_KEPT {
            self.is_too_long = true;
            return Vec::new();
        }
        out.buffer
    }
}
