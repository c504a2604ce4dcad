//! Operations in a conversion to another release: their names, attributes and properties in the target.
//!
//! All attributes of an operation, inherent or not, are collected first, and renamed as the table of release
//! differences declares. The operation of the target takes the attributes that it declares, as when MLIR
//! creates an operation from a dictionary; the rest remains discardable or is reported.

mod groups;
mod target_attributes;

use std::sync::Arc;

use self::groups::Groups;
use super::dictionary::{Dictionary, DictionaryPart};
use super::op::{OpConverter, as_in_tables};
use super::pool::dictionary_len;
use super::release::{AddedProperty, NewValue, ReleaseConversion};
use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::attr::text::affine::{AffineMap, Node};
use crate::format::id::{AttrId, OpNameId};
use crate::ir::module::Inherent;
use crate::props::{OpSchema, Property, PropertyField, PropertyValue};
use crate::wire::change::ChangeKind;
use crate::wire::error;
use crate::wire::loss::LossKind;
use crate::wire::order::sort_by;
use crate::write::canonical::index::PoolName;
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding, OperandGroups};
use crate::write::canonical::pass::Result;

/// An attribute or property of an operation.
#[derive(Debug, Clone)]
struct OpAttribute<'m> {
    name: String,
    value: AttributeContent,
    /// The field in the schema of the file's release; `None` for discardable and for unknown attributes.
    field: Option<&'m PropertyField>,
    is_inherent: bool,
    /// The name as an attribute of the file, unless the attribute was renamed.
    key: Option<u32>,
}

#[derive(Debug, Clone)]
enum AttributeContent {
    /// A value with indices of the file.
    OfFile(PropertyValue),
    /// An attribute that is not in the file.
    New(Attribute),
}

impl<'m> OpConverter<'m> {
    /// Fills `encoding` with the attributes of the operation in the target. `dictionary` is the dictionary of
    /// the operation in the file.
    pub(crate) fn across(
        &mut self,
        name: OpNameId,
        (kind, inherent): (Inherent, &mut [Property<'m>]),
        dictionary: Option<(u32, Arc<Dictionary>)>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let Some(conversion) = self.target.conversion.clone() else { return Ok(()) };
        let (_, op) = self.rows.get(name.index()).copied().unwrap_or((PoolName::new(0), None));
        let source_schema = self.own_schema(name);
        let full_name = self.module.op_name(name).map_or_else(String::new, |name| as_in_tables(&name));
        let schemas = self.schemas.clone();
        let target = op.and_then(|row| schemas.op(row));
        let keeps_blobs = self.target.version.has_native_properties();

        let taken = dictionary.as_ref().map_or_else(Vec::new, |(_, it)| self.take(it, inherent));
        let mut attributes = self.inherent_attributes(inherent);
        let special = match (&dictionary, &kind) {
            (None, Inherent::Known | Inherent::Opaque(_) | Inherent::Declared(_)) => Vec::new(),
            _ => conversion.special_names(&full_name, [source_schema, target]),
        };
        let (mut whole, mut scheme, mut inner) = (None, None, None);
        match kind {
            Inherent::Known => {}
            Inherent::Opaque(_) => encoding.losses.push(LossKind::OpaqueProperties),
            // A declared encoding of the op applies if its layout is known.
            Inherent::Declared(declared) => scheme = Some(declared),
            Inherent::Attribute(index) => {
                match self.dictionaries.only(AttrId::new(index), self.entries, &self.budget)? {
                    // Properties that the operation of the target does not declare are lost, each by its
                    // name.
                    Some(pairs) if target.is_some() && !conversion.is_any => {
                        attributes
                            .extend(pairs.pairs.iter().map(|&pair| self.dictionary_attribute(pair, true)));
                    }
                    Some(pairs) => {
                        let left_out = self.divide(&pairs, &special, Vec::new(), true, &mut attributes);
                        inner = Some(DictionaryPart { index, left_out });
                    }
                    None if target.is_none() && keeps_blobs && !conversion.is_any => whole = Some(index),
                    None => encoding.losses.push(LossKind::PropertyAttribute),
                }
            }
        }
        let outer = dictionary.as_ref().map(|(index, pairs)| {
            // If the properties and the dictionary contain an attribute, the last value is used.
            let twice: Vec<String> = attributes.iter().map(|attribute| attribute.name.clone()).collect();
            let special: Vec<&str> = special.into_iter().chain(twice.iter().map(|name| &**name)).collect();
            let left_out = self.divide(pairs, &special, taken, false, &mut attributes);
            DictionaryPart { index: *index, left_out }
        });
        // A dictionary that is not a list of names is kept.
        if attributes.is_empty()
            && inner.is_none()
            && let Some((index, pairs)) = &dictionary
            && pairs.pairs.is_empty()
        {
            let copy = self.pool.attribute(AttrId::new(*index))?;
            encoding.dictionary =
                (dictionary_len(&self.pool.entries(), AttrId::new(copy.number())) != Some(0)).then_some(copy);
        }
        // Releases around the target may have renamed properties, so their names are not enough.
        let is_unknown = target.is_some_and(OpSchema::is_opaque) && !conversion.has_no_properties();
        if is_unknown && attributes.iter().any(|attribute| attribute.is_inherent) {
            encoding.losses.push(LossKind::UnknownLayout);
            return Ok(());
        }
        // The properties still have the names of the file.
        let implied = self.implied(&conversion, &full_name, &attributes);
        // An op that one side does not know is kept: its attributes cannot be interpreted.
        if let Some(source_schema) = source_schema
            && target.is_some()
        {
            for mut attribute in std::mem::take(&mut attributes) {
                attribute.is_inherent |= conversion.declares(&full_name, &attribute.name);
                let is_own = attribute.is_inherent || source_schema.field(&attribute.name).is_some();
                if !is_own && conversion.gains_meaning(&full_name, &attribute.name) {
                    encoding.losses.push(LossKind::GainsMeaning(attribute.name));
                    continue;
                }
                let own_name = attribute.name.clone();
                if !self.rename(&conversion, &full_name, &mut attribute, encoding)? {
                    continue;
                }
                let names = (&*own_name, &*attribute.name);
                let is_attribute =
                    matches!(&attribute.value, AttributeContent::OfFile(PropertyValue::Attribute(_)));
                let case = match is_attribute {
                    true => {
                        conversion.value_in_target(&full_name, names, || self.attribute_of(&attribute))?
                    }
                    false => Ok(NewValue::Same),
                };
                match case {
                    Ok(NewValue::Other(value)) => {
                        self.note(encoding, || ChangeKind::AttributeValue(attribute.name.clone()));
                        attribute.value = AttributeContent::New(value);
                    }
                    Ok(_) => {}
                    Err(loss) => {
                        encoding.losses.push(loss);
                        continue;
                    }
                }
                attributes.push(attribute);
            }
        }
        if target.is_some() {
            if let Some(rule) = conversion.incompatible(&full_name) {
                encoding.losses.push(LossKind::BreaksRule(rule.to_owned()));
            }
            let has = |name: &String| attributes.iter().any(|attribute| attribute.name == *name);
            if let Some(names) = conversion.required(&full_name).filter(|names| !names.iter().any(has)) {
                let rule = format!("requires one of the attributes `{}`", names.join("`, `"));
                encoding.losses.push(LossKind::BreaksRule(rule));
            }
            if let Some(name) = self.fill_constants(&conversion, &full_name, &mut attributes)? {
                self.note(encoding, || ChangeKind::AttributeValue(name.to_owned()));
            }
            let order = conversion.operand_order(&full_name);
            let count = order.as_ref().map(|order| order.len() as u64);
            let is_other = |order: &[u8]| !order.iter().copied().eq(0..order.len() as u8);
            encoding.operand_order = order.filter(|order| is_other(order));
            if encoding.operand_order.is_some() {
                self.note(encoding, || ChangeKind::OperandOrder);
            }
            encoding.limits = conversion.part_limits(&full_name, count);
        }
        let groups = Groups::new(&conversion, &full_name, source_schema, target);
        if let Some(place) = attributes.iter().position(|attribute| attribute.name == OPERAND_SEGMENTS) {
            if let Some(operands) = implied {
                attributes.remove(place);
                encoding.operand_groups = Some(OperandGroups::Implied(operands));
                self.note(encoding, || ChangeKind::OperandGroups);
            } else {
                self.regroup(&groups, &mut attributes[place], encoding);
            }
        } else if target.is_some() {
            let sizes = conversion.new_segments(&full_name);
            let sizes = sizes.and_then(|sizes| self.group_sizes(sizes, &attributes));
            let element_type = conversion.element_type(&full_name);
            let element_type =
                element_type.filter(|(name, _)| attributes.iter().all(|attribute| attribute.name != *name));
            encoding.operand_groups = match (conversion.shape_of_result(&full_name), element_type) {
                (Some(name), _) => Some(OperandGroups::ShapeOfResult(name.into())),
                (None, Some((property, is_operand))) => {
                    Some(OperandGroups::ElementTypeOf { property: property.into(), is_operand })
                }
                (None, None) => sizes.map(OperandGroups::New),
            };
            let change = match &encoding.operand_groups {
                Some(OperandGroups::ElementTypeOf { property, .. }) => {
                    Some(ChangeKind::AttributeAdded(property.to_string()))
                }
                Some(_) => Some(ChangeKind::OperandGroups),
                None => None,
            };
            if let Some(change) = change {
                self.note(encoding, || change);
            }
        }
        for AddedProperty { name, value, each_of, for_constants } in conversion.added(&full_name) {
            if target.is_some() && attributes.iter().all(|attribute| attribute.name != name) {
                let value = match each_of.map(|map| self.map_in(map, &attributes)) {
                    None => value.clone(),
                    Some(Some(map)) => {
                        let is_constant = |&result: &u32| matches!(map.node(result), Node::Constant(_));
                        let item = |result| match for_constants.filter(|_| is_constant(result)) {
                            Some(constant) => constant.clone(),
                            None => value.clone(),
                        };
                        builtin::array(map.results().iter().map(item).collect::<Vec<_>>())?
                    }
                    // The attribute is then reported as missing if it is required.
                    Some(None) => continue,
                };
                self.note(encoding, || ChangeKind::AttributeAdded(name.to_owned()));
                attributes.push(OpAttribute {
                    name: name.to_owned(),
                    value: AttributeContent::New(value),
                    field: None,
                    is_inherent: true,
                    key: None,
                });
            }
        }

        let (mut pairs, mut inner_pairs) = (Vec::new(), Vec::new());
        match target {
            Some(target) if !conversion.has_no_properties() => {
                let row = op.unwrap_or_default();
                self.declared(&conversion, (row, target), attributes, &mut pairs, encoding)?;
            }
            _ if conversion.is_any || target.is_some() => {
                self.undeclared(&conversion, &full_name, attributes, &mut pairs, encoding)?;
            }
            _ => {
                if source_schema.is_some() || conversion.refuses_unknown(&full_name) {
                    encoding.losses.push(LossKind::NoSuchOp);
                }
                for attribute in attributes {
                    let to = if attribute.is_inherent && keeps_blobs { &mut inner_pairs } else { &mut pairs };
                    self.push(&conversion, &attribute, None, to)?;
                }
                let inner = inner.take_if(|_| keeps_blobs);
                let properties = match whole {
                    Some(index) => Some(self.pool.attribute(AttrId::new(index))?),
                    None => self.dictionaries.written([inner, None], inner_pairs, true, &mut self.pool)?,
                };
                encoding.properties = properties.map(EncodedProperties::Attribute);
            }
        }
        if let Some(
            OperandGroups::ShapeOfResult(name) | OperandGroups::ElementTypeOf { property: name, .. },
        ) = &encoding.operand_groups
        {
            let missing = LossKind::NoValue(name.to_string());
            encoding.losses.retain(|loss| *loss != missing);
        }
        if let Some(declared) = scheme {
            encoding.properties = self.by_declared_encoding(&declared, encoding)?;
        }
        if let Some(index) = self.dictionaries.written([inner, outer], pairs, true, &mut self.pool)? {
            encoding.dictionary = Some(index);
        }
        Ok(())
    }

    /// Moves the pairs with these names to the collected attributes, except the pairs at the positions
    /// `left_out`. Returns the positions of all pairs that are not translated with the whole dictionary.
    fn divide(
        &self,
        dictionary: &Dictionary,
        names: &[&str],
        mut left_out: Vec<u32>,
        is_inherent: bool,
        attributes: &mut Vec<OpAttribute<'m>>,
    ) -> Vec<u32> {
        let mut positions = Vec::new();
        for name in names {
            positions.extend(dictionary.find(name.as_bytes(), self.entries));
        }
        sort_by(&mut positions, Ord::cmp);
        positions.dedup();
        positions.retain(|place| left_out.binary_search(place).is_err());
        let pairs = positions.iter().filter_map(|&place| dictionary.pairs.get(place as usize));
        attributes.extend(pairs.map(|&pair| self.dictionary_attribute(pair, is_inherent)));
        left_out.extend(positions);
        sort_by(&mut left_out, Ord::cmp);
        left_out
    }

    fn inherent_attributes(&self, inherent: &[Property<'m>]) -> Vec<OpAttribute<'m>> {
        let present = inherent.iter().filter(|property| property.value != PropertyValue::Absent);
        present
            .map(|property| OpAttribute {
                name: property.name().to_owned(),
                value: AttributeContent::OfFile(property.value.clone()),
                field: Some(property.field),
                is_inherent: true,
                key: None,
            })
            .collect()
    }

    /// Returns a pair of a dictionary of the file as an attribute.
    fn dictionary_attribute(&self, (key, value): (u32, u32), is_inherent: bool) -> OpAttribute<'m> {
        let name = crate::attr::text::entry::string_of(self.entries, AttrId::new(key)).unwrap_or_default();
        // The newer name; the target's name is used for writing.
        let name = match name {
            b"operand_segment_sizes" => OPERAND_SEGMENTS.as_bytes(),
            b"result_segment_sizes" => RESULT_SEGMENTS.as_bytes(),
            name => name,
        };
        OpAttribute {
            name: String::from_utf8_lossy(name).into_owned(),
            value: AttributeContent::OfFile(PropertyValue::Attribute(AttrId::new(value))),
            field: None,
            is_inherent,
            key: Some(key).filter(|_| !name.ends_with(b"SegmentSizes")),
        }
    }

    /// Returns the value as an attribute; a native property becomes the attribute that MLIR converts it to.
    fn attribute_of(&self, attribute: &OpAttribute<'m>) -> error::Result<Attribute> {
        match (&attribute.value, attribute.field) {
            (AttributeContent::New(value), _) => Ok(value.clone()),
            (AttributeContent::OfFile(PropertyValue::Attribute(index)), _) => self.file_attribute(*index),
            (AttributeContent::OfFile(PropertyValue::Segments(sizes)), _) => builtin::segment_sizes(sizes),
            (AttributeContent::OfFile(value), Some(field)) => self.attribute_form(field, value),
            // Only attributes come without a field.
            (AttributeContent::OfFile(_), None) => builtin::unit(),
        }
    }

    /// Gives items for constant results of a map the value that the target requires; returns the name of the attribute.
    fn fill_constants<'c>(
        &self,
        conversion: &'c ReleaseConversion,
        op: &str,
        attributes: &mut [OpAttribute<'m>],
    ) -> error::Result<Option<&'c str>> {
        let Some((name, constant, map)) = conversion.required_for_constants(op) else { return Ok(None) };
        let Some(map) = self.map_in(map, attributes) else { return Ok(None) };
        let Some(attribute) = attributes.iter_mut().find(|attribute| attribute.name == name) else {
            return Ok(None);
        };
        let Some(items) = self.attribute_of(attribute)?.elements() else { return Ok(None) };
        if items.len() != map.num_results() {
            return Ok(None);
        }
        let is_constant = |result: u32| matches!(map.node(result), Node::Constant(_));
        let pairs = map.results().iter().zip(items);
        let new: Vec<Attribute> =
            pairs.map(|(&result, item)| if is_constant(result) { constant.clone() } else { item }).collect();
        attribute.value = AttributeContent::New(builtin::array(new)?);
        Ok(Some(name))
    }

    fn map_in(&self, name: &str, attributes: &[OpAttribute<'m>]) -> Option<AffineMap> {
        let attribute = attributes.iter().find(|attribute| attribute.name == name)?;
        self.attribute_of(attribute).ok()?.affine_map()
    }

    // Sets the name and the value of an attribute in the target. Returns false if the target has no such attribute.
    fn rename(
        &self,
        conversion: &ReleaseConversion,
        op: &str,
        attribute: &mut OpAttribute<'m>,
        encoding: &mut OpEncoding,
    ) -> Result<bool> {
        for rule in conversion.renamed(op) {
            // A rule with an empty name adds or removes an attribute; it does not apply to one whose name is empty.
            if rule.from.is_empty() || rule.from != attribute.name {
                continue;
            }
            let new = rule.value(|| self.attribute_of(attribute))?;
            let old_name = attribute.name.clone();
            if matches!(new, NewValue::Same | NewValue::Other(_)) {
                if rule.to.is_empty() {
                    self.note(encoding, || ChangeKind::AttributeOmitted(old_name));
                    return Ok(false);
                }
                if rule.to != attribute.name {
                    self.note(encoding, || {
                        ChangeKind::AttributeName(attribute.name.clone(), rule.to.to_owned())
                    });
                }
                rule.to.clone_into(&mut attribute.name);
                attribute.key = None;
                // Attributes that releases read from the dictionary have the prefix of their dialect.
                attribute.is_inherent &= !rule.to.contains('.');
            }
            match new {
                NewValue::Same => {}
                NewValue::Other(value) => {
                    self.note(encoding, || ChangeKind::AttributeValue(attribute.name.clone()));
                    attribute.value = AttributeContent::New(value);
                }
                NewValue::Nothing => {
                    self.note(encoding, || ChangeKind::AttributeOmitted(old_name));
                    return Ok(false);
                }
                NewValue::Unknown => {
                    encoding.losses.push(LossKind::NotInTarget(attribute.name.clone()));
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
const RESULT_SEGMENTS: &str = "resultSegmentSizes";
