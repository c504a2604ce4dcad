//! The translation of one operation.

use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::module::Inherent;
use crate::props::PropertyValue;
use crate::props::codec::text_of;
use crate::props::schema::Kind;
use crate::wire::loss::LossKind;
use crate::write::canonical::index::{EncodingId, PoolAttr};
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding};
use crate::write::canonical::pass::Result;
use crate::write::canonical::translator::OpTranslator;

use super::super::attributes::Attributes;
use super::super::entries::Direction;
use super::{CAST, NONE, Name, OF_GOAL, PortableTranslator};
use crate::convert::rules::VhloVersion;

impl PortableTranslator<'_> {
    /// Returns the attributes of an operation of the file as entries of the pool, by name.
    #[allow(clippy::type_complexity)] // names and values
    pub(super) fn source_attributes(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
        losses: &mut Vec<LossKind>,
    ) -> Result<Vec<(Box<str>, EntryRef)>> {
        let mut inherent = Vec::new();
        let kind = self.op_converter.read(name, properties, &mut inherent)?;
        let mut named: Vec<(Box<str>, EntryRef)> = Vec::new();
        match kind {
            Inherent::Known => {}
            Inherent::Opaque(_) | Inherent::Declared(_) => losses.push(LossKind::OpaqueProperties),
            Inherent::Attribute(_) => losses.push(LossKind::PropertyAttribute),
        }
        for property in inherent {
            let value = match &property.value {
                PropertyValue::Absent => continue,
                PropertyValue::Attribute(index) => self.op_converter.pool.attribute(*index)?,
                value => {
                    let value = self.op_converter.attribute_form(property.field, value)?;
                    self.op_converter.pool.value(&value)?
                }
            };
            named.push((property.name().into(), EntryRef::Attribute(AttrId::new(value.number()))));
        }
        if let Some(index) = attributes.map(AttrId::number) {
            let entries = self.op_converter.entries;
            let dictionary =
                self.op_converter.dictionaries.get(AttrId::new(index), entries, &self.op_converter.budget)?;
            for &(key, value) in &dictionary.pairs {
                let text = text_of(AttrId::new(key), entries).unwrap_or_default();
                let name: Box<str> = String::from_utf8_lossy(text).into();
                let value = EntryRef::Attribute(AttrId::new(
                    self.op_converter.pool.attribute(AttrId::new(value))?.number(),
                ));
                match named.iter_mut().find(|pair| pair.0 == name) {
                    Some(pair) => pair.1 = value,
                    None => named.push((name, value)),
                }
            }
        }
        Ok(named)
    }

    pub(super) fn translate(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
        fact: Option<u32>,
    ) -> Result<EncodingId> {
        let mut encoding = OpEncoding {
            name: self.op_converter.row_of(name.number()),
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            changes: Vec::new(),
            in_file: (attributes, properties),
            operand_groups: None,
            operand_order: None,
            limits: None,
        };
        let mut losses = Vec::new();
        let source_attributes = self.source_attributes(name, attributes, properties, &mut losses)?;
        let Some(Name::Converted { rules, number, names }) = self.names.get(name.index()) else {
            return self.op_converter.encode(name, attributes, properties);
        };
        let (rules, number) = (rules.clone(), *number);
        let fact = fact.and_then(|row| self.facts.distinct.get(row as usize)).cloned().unwrap_or_default();
        let is_to = self.goal.direction == Direction::ToVhlo;
        let in_stablehlo = match &names.inside {
            Some(inside) if fact.is_in_parent => inside.clone(),
            _ => names.elsewhere.clone(),
        };
        let builder = self.op_converter.pool.builder();
        let new = match is_to {
            true => {
                self.attributes.in_vhlo(builder, &rules, &source_attributes, (&fact, self.goal.version))?
            }
            false => self.attributes.in_stablehlo(builder, &rules, number, source_attributes)?,
        };
        let full: Box<str> = if is_to { rules.name_of(new.number).into() } else { in_stablehlo };
        for text in &new.lost {
            losses.push(match is_to {
                true => LossKind::NoVhloForm(text.clone()),
                false => LossKind::NoStablehloForm(text.clone()),
            });
        }
        for (since, feature) in new.needs.iter().filter(|need| need.0 > self.goal.version) {
            losses.push(LossKind::NeedsStablehlo(since.to_string(), feature.clone()));
        }
        let needs = new.needs.clone();
        if losses.is_empty() {
            self.op_converter.note_other_name(name, &mut encoding);
            self.emit(&full, new, &mut encoding)?;
        } else {
            encoding.losses = losses;
        }
        let id = self.op_converter.push_encoding(encoding)?;
        if !needs.is_empty() {
            self.needs.insert(id, needs);
        }
        Ok(id)
    }

    /// Encodes an operation that is only counted, because nothing will be written.
    pub(super) fn refuse(&mut self, name: OpNameId, loss: LossKind) -> Result<EncodingId> {
        if let Some(&Some(existing)) = self.plain.get(name.index()) {
            return Ok(existing);
        }
        let id = self.op_converter.push_encoding(OpEncoding {
            name: self.op_converter.row_of(name.number()),
            dictionary: None,
            properties: None,
            losses: vec![loss],
            changes: Vec::new(),
            in_file: (None, None),
            operand_groups: None,
            operand_order: None,
            limits: None,
        })?;
        if let Some(plain) = self.plain.get_mut(name.index()) {
            *plain = Some(id);
        }
        Ok(id)
    }

    /// Encodes an operation of another dialect, with its inherent attributes as properties.
    pub(super) fn adopt(&mut self, name: OpNameId, attributes: Option<AttrId>) -> Result<EncodingId> {
        let key = (name.number(), attributes.map_or(NONE, |id| id.number()), NONE, NONE);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let mut encoding = OpEncoding {
            name: self.op_converter.row_of(name.number()),
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            changes: Vec::new(),
            in_file: (attributes, None),
            operand_groups: None,
            operand_order: None,
            limits: None,
        };
        let source_attributes = self.source_attributes(name, attributes, None, &mut encoding.losses)?;
        let mut new = Attributes::default();
        source_attributes.iter().for_each(|(name, value)| new.push(name, *value, VhloVersion::OLDEST));
        let full = self.adopted.get(name.index()).cloned().flatten().unwrap_or_default();
        self.emit(&full, new, &mut encoding)?;
        let id = self.op_converter.push_encoding(encoding)?;
        self.known.insert(key, id);
        Ok(id)
    }

    /// Encodes an operation with these attributes.
    pub(super) fn emit(&mut self, full: &str, new: Attributes, encoding: &mut OpEncoding) -> Result<()> {
        let schema = self.goal.schema.clone();
        let Some(row) = schema.row(full.as_bytes()) else {
            encoding.losses.push(LossKind::NoSuchOp);
            return Ok(());
        };
        let Some(op) = schema.op_at(row) else { return Ok(()) };
        let mut list = new.list;
        if self.goal.bytecode.has_native_properties() && op.fields().len() > 0 {
            let mut values = Vec::new();
            for field in op.wire(self.goal.bytecode) {
                let position = list.iter().position(|named| field.has_name(named.name.as_bytes()));
                let value = position.map(|position| list.swap_remove(position).value.index());
                let Kind::Attribute { class, is_optional, .. } = &field.kind else {
                    encoding.losses.push(LossKind::NativeProperty(field.name().to_owned()));
                    continue;
                };
                values.push(match value {
                    Some(value)
                        if class.fits(AttrId::new(value), self.op_converter.pool.builder().entries()) =>
                    {
                        PropertyValue::Attribute(AttrId::new(value))
                    }
                    Some(_) => {
                        encoding.losses.push(LossKind::NotOfClass(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                    None if *is_optional => PropertyValue::Absent,
                    None => {
                        encoding.losses.push(LossKind::NoValue(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                });
            }
            encoding.properties =
                Some(EncodedProperties::Known { op: row as u32 | OF_GOAL, values: values.into() });
        }
        let mut pairs = Vec::new();
        for named in list {
            let name = self.op_converter.pool.string_attribute(named.name.as_bytes())?;
            pairs.push((name, PoolAttr::new(named.value.index())));
        }
        encoding.dictionary = self.op_converter.pool.dictionary(&mut pairs, false)?;
        encoding.name = match self.rows.get(full) {
            Some(&known) => known,
            None => {
                let row = self.op_converter.names.push(full);
                self.rows.insert(full.into(), row);
                row
            }
        };
        Ok(())
    }

    #[cold]
    pub(super) fn cast(&mut self) -> Result<EncodingId> {
        if let Some(cast) = self.cast {
            return Ok(cast);
        }
        // Each name is written once.
        let position = self.op_converter.module.tables().op_names()?.position(|name| *name.full() == *CAST);
        let name = match position {
            Some(position) => self.op_converter.row_of(position as u32),
            None => self.op_converter.names.push(CAST),
        };
        let cast = self.op_converter.push_encoding(OpEncoding {
            name,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            changes: Vec::new(),
            in_file: (None, None),
            operand_groups: None,
            operand_order: None,
            limits: None,
        })?;
        self.cast = Some(cast);
        Ok(cast)
    }
}
