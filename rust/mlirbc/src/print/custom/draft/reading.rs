//! Reads values, regions and attributes of an operation.

use crate::attr::text::entry::string_of;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named};
use crate::format::id::OpNameId;
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::module::Inherent;
use crate::ir::{OpId, ValueId};
use crate::props::PropertyValue;
use crate::wire::order;

use super::{InherentAttribute, LONGEST_KEPT, OperationDraft, Regions, results_of};

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
        self.number_in(value)
    }

    /// Whether the next line begins with the results of another op.
    pub(in crate::print) fn precedes_results(&self) -> bool {
        self.reads_others.set(true);
        let next = self.body.end_of(OpId(self.op)).0;
        let block = |op: u32| self.body.op_block.get(op as usize);
        (next as usize) < self.body.len()
            && block(next) == block(self.op)
            && !self.body.results(OpId(next)).is_empty()
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
        self.reads_others.set(true);
        let name = OpNameId(*body.op_name.get(op as usize)?);
        let id = |index: u32| (index != NONE).then_some(index);
        let blob = id(body.op_properties.get(op as usize)).map(crate::format::id::PropertyId);
        let dictionary = id(body.op_attributes.get(op as usize)).map(crate::format::id::AttrId);
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
            entries.push((string_of(self.file, name)?, value));
        }
        order::sort_by_key(&mut entries, |entry| entry.0);
        Some(entries)
    }

    /// The name of an op of a body, `dialect.mnemonic`.
    pub(in crate::print) fn name_of(&self, body: &Body, op: u32) -> String {
        self.reads_others.set(true);
        let name = body.op_name.get(op as usize).and_then(|&name| self.module.op_name(OpNameId(name)));
        name.map_or_else(String::new, |name| name.full().into_owned())
    }

    /// The inherent attribute or property with this name.
    pub(in crate::print) fn property(&self, name: &str) -> Option<&'a InherentAttribute<'a>> {
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
        let entry =
            self.discardable.iter().find(|(key, _)| string_of(self.file, *key) == Some(name.as_bytes()));
        entry.map(|&(_, value)| value)
    }

    pub(super) fn kept(&mut self, text: Vec<u8>) -> Vec<u8> {
        match text.len() as u64 > LONGEST_KEPT {
            true => {
                self.is_too_long = true;
                Vec::new()
            }
            false => text,
        }
    }

    /// The bytes of a string attribute.
    pub(in crate::print) fn string(&self, index: u32) -> Option<&'e [u8]> {
        string_of(self.file, index)
    }

    pub(super) fn decoded<T>(
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
}
