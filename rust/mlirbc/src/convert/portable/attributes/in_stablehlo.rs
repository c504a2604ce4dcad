//! Converts the attributes of an operation of VHLO to StableHLO.

use crate::attr::table::Builder;
use crate::attr::text::dense::Dense;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named, Primitive};
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::super::entries::values::{dialect, form_of, items_of, make, string_of, symbol};
use super::super::entries::{Converted, Direction};
use super::super::rules::OpRules;
use super::read::{class_of, form_in, kind_of, number_of, signed, type_in, wide};
use super::{AttributeConverter, Attributes, element_of, shown};
use crate::convert::rules::VhloVersion;
use crate::convert::rules::{Number, PropertyRule, SplitAttribute, ValueKind};

impl AttributeConverter {
    /// Converts the attributes of an operation of VHLO, in its version `number`, to StableHLO.
    ///
    /// # Errors
    /// The errors of [`Self::in_vhlo`].
    pub(in crate::convert::portable) fn in_stablehlo(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        number: u32,
        mut attributes: Vec<(Box<str>, EntryRef)>,
    ) -> Result<Attributes> {
        for row in rules.versions.iter().filter(|row| row.number > number) {
            for added in rules.added(row) {
                let Some(default) = &added.default else { continue };
                if !attributes.iter().any(|(known, _)| *known == added.after) {
                    attributes.push((added.after.clone(), self.constant(builder, &default.0)?));
                }
            }
            if let Some(dropped) = rules.dropped(row) {
                attributes.retain(|(name, _)| *name != dropped.before);
            }
        }
        let mut redundant: Vec<Box<str>> = Vec::new();
        for row in rules.defaults().filter(|row| !row.is_kept) {
            if self.is_redundant(builder, (rules, row), &attributes)? {
                redundant.push(row.after.clone());
            }
        }
        attributes.retain(|(name, _)| !redundant.contains(name));
        let mut out = Attributes::default();
        for row in &rules.parts {
            let has_some = row.fields.values().any(|name| attributes.iter().any(|(known, _)| known == name));
            let is_single = row.fields.len() == 1;
            if !has_some && (row.is_optional || is_single) {
                continue;
            }
            match self.implode(builder, row, &attributes)? {
                Some(value) => out.push(&row.attribute, value, VhloVersion::OLDEST),
                None => out.lost.push(row.attribute.to_string()),
            }
            attributes.retain(|(name, _)| !row.fields.values().any(|known| known == name));
        }
        for (name, value) in attributes {
            match self.value_in_stablehlo(builder, rules, &name, value)? {
                Some(Some(value)) => out.push(&name, value, VhloVersion::OLDEST),
                Some(None) => {}
                None => out.lost.push(shown(builder, &name, value)),
            }
        }
        out.number = rules.newest();
        Ok(out)
    }

    /// Converts the value of one attribute. Returns `None` if StableHLO has no such value, and `Some(None)`
    /// if StableHLO leaves the attribute out.
    #[allow(clippy::option_option)] // absent and impossible are different answers
    pub(super) fn value_in_stablehlo(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        name: &str,
        value: EntryRef,
    ) -> Result<Option<Option<EntryRef>>> {
        let plain = |converted| match converted {
            Converted::To(to, _) => Some(Some(to)),
            Converted::Nothing => None,
        };
        Ok(match rules.value_kind(name) {
            Some((ValueKind::Unit, _)) => match self.truth(builder, value)? {
                Some(true) => {
                    let unit = crate::attr::build::builtin::unit()?;
                    Some(Some(builder.import(&unit.0.home, unit.0.of)?))
                }
                Some(false) => Some(None),
                None => None,
            },
            Some((ValueKind::Symbol, _)) => match string_of(builder.entries(), value) {
                Some(text) => Some(Some(symbol(builder, &text)?)),
                None => None,
            },
            Some((ValueKind::Symbols, _)) => {
                let mut symbols = Vec::new();
                for item in items_of(builder.entries(), value)? {
                    let Some(text) = string_of(builder.entries(), EntryRef::Attribute(item)) else {
                        return Ok(None);
                    };
                    symbols.push(AttrId::new(symbol(builder, &text)?.index()));
                }
                Some(Some(self.entries.array_of(builder, &symbols)?))
            }
            Some((ValueKind::Array, _)) => self.dense_array(builder, value)?.map(Some),
            Some((ValueKind::Enum, _)) | None => plain(self.entries.convert(builder, value)?),
        })
    }

    /// Whether StableHLO leaves an attribute out.
    pub(super) fn is_redundant(
        &mut self,
        builder: &mut Builder,
        (rules, row): (&OpRules, &PropertyRule),
        attributes: &[(Box<str>, EntryRef)],
    ) -> Result<bool> {
        let value_of =
            |name: &str| attributes.iter().find(|(known, _)| **known == *name).map(|(_, value)| *value);
        let (Some(value), Some(constant)) = (value_of(&row.after), &row.default) else { return Ok(false) };
        if row.each_of.is_some() {
            return self.is_splat_of(builder, element_of(row)?, value);
        }
        let default = self.default_of(builder, (rules, &row.after), &constant.0)?;
        let mut is_default = self.is_default(builder, default, value)?;
        if let Some(alternative) = &row.or {
            let alternative = self.constant(builder, &alternative.0)?;
            is_default |= self.is_default(builder, alternative, value)?;
        }
        if let Some(with) = row.with.as_ref().and_then(|with| value_of(with)) {
            is_default &= self.is_default(builder, default, with)?;
        }
        Ok(is_default)
    }

    /// Whether a value is a default, both of VHLO.
    pub(super) fn is_default(
        &mut self,
        builder: &mut Builder,
        default: EntryRef,
        value: EntryRef,
    ) -> Result<bool> {
        if default == value {
            return Ok(true);
        }
        let class = class_of(builder, default);
        if class.is_none() || class != class_of(builder, value) {
            return Ok(false);
        }
        let Some(form) = form_in(builder, default) else { return Ok(false) };
        let is_list = form.0;
        if is_list {
            let items = items_of(builder.entries(), default)?;
            let values = items_of(builder.entries(), value)?;
            return Ok(values.iter().all(|item| items.first() == Some(item)));
        }
        if form.1 == Named::DenseElements {
            // The default is an empty list of elements.
            return Ok(self.elements(builder, value)?.is_some_and(|bytes| bytes.is_empty()));
        }
        if form.1 == Named::Integer {
            return Ok(number_of(builder, default).map(signed(builder, default))
                == number_of(builder, value).map(signed(builder, value)));
        }
        Ok(false)
    }

    pub(super) fn truth(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<bool>> {
        let yes = self.boolean(builder, true)?;
        let no = self.boolean(builder, false)?;
        Ok(if value == yes {
            Some(true)
        } else if value == no {
            Some(false)
        } else {
            None
        })
    }

    /// Returns the bytes of the elements of a tensor of VHLO.
    pub(super) fn elements(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<Bytes>> {
        let mut node = Node::default();
        let entries = builder.entries();
        let Some((entry, blob)) = entries.short(value) else { return Ok(None) };
        let Some((form, _)) = entry.decode(value, entries, &mut node)? else { return Ok(None) };
        if form.print != Named::DenseElements {
            return Ok(None);
        }
        Ok(Some(match blob {
            Some(blob) => blob.clone(),
            None => entries.short_payload(value).slice(node.blob_range(node.field(1))),
        }))
    }

    /// Returns a tensor of VHLO, or a dense attribute, as a builtin dense attribute.
    pub(super) fn dense(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<EntryRef>> {
        if self.entries.direction == Direction::FromVhlo {
            let Converted::To(to, _) = self.entries.convert(builder, value)? else { return Ok(None) };
            let is_dense = kind_of(builder, to) == BuiltinKind::DenseIntOrFPElementsAttr;
            return Ok(Some(to).filter(|_| is_dense));
        }
        Ok(None)
    }

    pub(super) fn is_splat_of(
        &mut self,
        builder: &mut Builder,
        number: Number,
        value: EntryRef,
    ) -> Result<bool> {
        let Some(dense) = self.dense(builder, value)? else { return Ok(false) };
        let Some(elements) = self.elements(builder, dense)? else { return Ok(false) };
        let entries = builder.entries();
        let mut node = Node::default();
        let Some((entry, _)) = entries.short(dense) else { return Ok(false) };
        entry.decode(dense, entries, &mut node)?;
        let Some(tensor) = node.r#type(0).and_then(|index| Dense::new(entries, index, &elements)) else {
            return Ok(false);
        };
        Ok(tensor.is_splat
            && match number {
                Number::Bool(value) => tensor.element.is_bool() && tensor.bit(0) == value,
                Number::Integer(number) => {
                    let bytes = tensor.bytes(0);
                    let expected = number.to_le_bytes();
                    !tensor.element.is_bool() && expected.get(..bytes.len()) == Some(bytes)
                }
            })
    }

    /// Returns the integers of a tensor of VHLO; `None` for anything else.
    pub(super) fn integers(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<Vec<i64>>> {
        let Some(elements) = self.elements(builder, value)? else { return Ok(None) };
        let entries = builder.entries();
        let mut node = Node::default();
        let Some((entry, _)) = entries.short(value) else { return Ok(None) };
        entry.decode(value, entries, &mut node)?;
        let Some(tensor) = node.r#type(0).and_then(|index| Dense::new(entries, index, &elements)) else {
            return Ok(None);
        };
        // A splat stands for more elements than its bytes.
        self.entries.charge(tensor.count.saturating_mul(8))?;
        Ok(Some((0..tensor.count).map(|at| wide(&tensor, at)).collect()))
    }

    /// Converts a tensor of VHLO to a dense array.
    pub(super) fn dense_array(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<EntryRef>> {
        let Some(dense) = self.dense(builder, value)? else { return Ok(None) };
        let Some(numbers) = self.integers_of_dense(builder, dense)? else { return Ok(None) };
        let (element, is_bool, numbers) = numbers;
        let width = if is_bool { 1 } else { 8 };
        let bytes: Vec<u8> =
            numbers.iter().flat_map(|number| number.to_le_bytes()[..width].to_vec()).collect();
        let (id, table) = dialect(builder, "builtin")?;
        let mut node = Node::default();
        node.begin_field();
        node.push(Field::Type(TypeId::new(element), 0));
        node.begin_field();
        node.push(Field::Unsigned(numbers.len() as u64));
        node.begin_field();
        node.push_blob(0..bytes.len());
        let form = form_of(&table, false, "DenseArrayAttr")?;
        make(builder, (false, id), form, &node, &bytes.into()).map(Some)
    }

    /// Returns the type of the elements, whether they are booleans, and the elements.
    pub(super) fn integers_of_dense(
        &mut self,
        builder: &mut Builder,
        dense: EntryRef,
    ) -> Result<Option<(u32, bool, Vec<i64>)>> {
        let Some(elements) = self.elements(builder, dense)? else { return Ok(None) };
        let entries = builder.entries();
        let mut node = Node::default();
        let Some((entry, _)) = entries.short(dense) else { return Ok(None) };
        entry.decode(dense, entries, &mut node)?;
        let Some(r#type) = node.r#type(0) else { return Ok(None) };
        let Some(tensor) = Dense::new(entries, r#type, &elements) else { return Ok(None) };
        let Some(element) = crate::attr::text::dense::element_type(entries, r#type) else { return Ok(None) };
        let is_bool = tensor.element.is_bool();
        if !is_bool && tensor.element.bits() != 64 {
            return Ok(None);
        }
        self.entries.charge(tensor.count.saturating_mul(8))?;
        let number = |at| if is_bool { tensor.bit(at).into() } else { wide(&tensor, at) };
        Ok(Some((element.number(), is_bool, (0..tensor.count).map(number).collect())))
    }

    /// Builds the attribute that has these attributes as fields; `None` if one is missing or of another
    /// class.
    pub(super) fn implode(
        &mut self,
        builder: &mut Builder,
        row: &SplitAttribute,
        attributes: &[(Box<str>, EntryRef)],
    ) -> Result<Option<EntryRef>> {
        let (id, table) = dialect(builder, "stablehlo")?;
        let form = form_of(&table, false, &row.class)?;
        let Some(layout) = form.layouts.first() else { return Ok(None) };
        let mut node = Node::default();
        for spec in &layout.fields {
            node.begin_field();
            if row.lost.contains(&spec.name) {
                node.push(Field::Signed(0));
                continue;
            }
            let name = row.fields.get(&spec.name);
            let value = name.and_then(|name| attributes.iter().find(|(known, _)| known == name));
            let Some(&(_, value)) = value else { return Ok(None) };
            match &spec.primitive {
                Primitive::List(_) => {
                    let Some(numbers) = self.integers(builder, value)? else { return Ok(None) };
                    let at = node.begin_list();
                    numbers.iter().for_each(|&number| node.push(Field::Signed(number)));
                    node.end_list(at, numbers.len() as u32);
                }
                Primitive::Type => {
                    let Converted::To(to, _) = self.entries.convert(builder, value)? else { return Ok(None) };
                    let Some(r#type) = type_in(builder, to)? else { return Ok(None) };
                    node.push(Field::Type(TypeId::new(r#type), 0));
                }
                Primitive::Bool => {
                    let Some(value) = self.truth(builder, value)? else { return Ok(None) };
                    node.push(Field::Bool(value));
                }
                _ => {
                    let is_integer = form_in(builder, value).is_some_and(|form| form.1 == Named::Integer);
                    let number = number_of(builder, value).filter(|_| is_integer);
                    let Some(number) = number.map(signed(builder, value)) else { return Ok(None) };
                    node.push(Field::Signed(number));
                }
            }
        }
        make(builder, (false, id), form, &node, &Bytes::new()).map(Some)
    }
}
