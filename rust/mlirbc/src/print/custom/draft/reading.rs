//! What is read of an operation: its values, regions, attributes, and the texts that decide about its form.

use crate::attr::text::entry::{Elide, string_of};
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named};
use crate::format::id::OpNameId;
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::module::Inherent;
use crate::ir::{OpId, ValueId};
use crate::props::PropertyValue;
use crate::wire::order;

use super::{Draft, LONGEST_KEPT, LONGEST_START, Own, Regions, results_of};

impl<'a, 'm, 'e> Draft<'a, 'm, 'e> {
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
        let text = self.plain_text(value);
        std::str::from_utf8(&text).ok()?.split(" : ").next()?.parse().ok()
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
