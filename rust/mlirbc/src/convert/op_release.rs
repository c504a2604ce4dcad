//! Operations in a conversion to another release: the names, attributes and properties that they have there.
//!
//! All attributes of an op, inherent or not, are collected first, and renamed as the table of release
//! differences declares. The op of the target takes those that it declares, as when MLIR creates an op from a
//! dictionary; the rest remains discardable or is reported.

use std::sync::Arc;

use super::dictionary::{Dictionary, Part};
use super::op::{OpConverter, as_in_tables};
use super::pool::{Pair, dictionary_len};
use super::release::{Added, GroupSize, NewValue, ReleaseConversion, absence_means};
use crate::attr::build::builtin;
use crate::attr::native::native_of_attribute;
use crate::attr::text::affine::{AffineMap, Node};
use crate::attr::{Attribute, FieldValue, Type};
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::ir::module::Inherent;
use crate::props::class::Class;
use crate::props::codec::segment_sizes;
use crate::props::schema::Kind;
use crate::props::{OpSchema, Property, PropertyField, PropertyValue};
use crate::wire::change::ChangeKind;
use crate::wire::error;
use crate::wire::loss::LossKind;
use crate::wire::order::sort_by;
use crate::write::canonical::index::{EncodingId, PoolName};
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding, OperandGroups, PartCounts};
use crate::write::canonical::pass::Result;
use crate::write::canonical::translator::OpTranslator;

/// An attribute or property of an op.
#[derive(Debug, Clone)]
struct Given<'m> {
    name: String,
    value: Value,
    /// Its field in the file's release; `None` for discardable attributes and for unknown ones.
    field: Option<&'m PropertyField>,
    is_inherent: bool,
    /// The attribute of the file that is its name, unless it was renamed.
    key: Option<u32>,
}

#[derive(Debug, Clone)]
enum Value {
    /// With indices of the file.
    OfFile(PropertyValue),
    /// An attribute that is not in the file.
    New(Attribute),
}

impl<'m> OpConverter<'m> {
    /// Fills `encoding` with the attributes of the op in the target. `dictionary` is that of the file.
    pub(crate) fn across(
        &mut self,
        name: OpNameId,
        (found, inherent): (Inherent, &mut [Property<'m>]),
        dictionary: Option<(u32, Arc<Dictionary>)>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let Some(conversion) = self.target.conversion.clone() else { return Ok(()) };
        let (_, op) = self.rows.get(name.index()).copied().unwrap_or((PoolName(0), None));
        let own = self.own_schema(name);
        let full_name = self.module.op_name(name).map_or_else(String::new, |name| as_in_tables(&name));
        let schemas = self.schemas.clone();
        let target = op.and_then(|row| schemas.op(row));
        let keeps_blobs = self.target.version.has_native_properties();

        let taken = dictionary.as_ref().map_or_else(Vec::new, |(_, it)| self.take(it, inherent));
        let mut given = self.given(inherent);
        let special = match (&dictionary, &found) {
            (None, Inherent::Known | Inherent::Opaque(_) | Inherent::Declared(_)) => Vec::new(),
            _ => conversion.special_names(&full_name, [own, target]),
        };
        let (mut whole, mut scheme, mut inner) = (None, None, None);
        match found {
            Inherent::Known => {}
            Inherent::Opaque(_) => encoding.losses.push(LossKind::OpaqueProperties),
            // A declared encoding of the op applies if its layout is known.
            Inherent::Declared(declared) => scheme = Some(declared),
            Inherent::Attribute(index) => {
                match self.dictionaries.only(index, self.entries, &self.budget)? {
                    // Properties that the op of the target does not declare are lost, each by its name.
                    Some(pairs) if target.is_some() && !conversion.is_any => {
                        given.extend(pairs.pairs.iter().map(|&pair| self.one_of(pair, true)));
                    }
                    Some(pairs) => {
                        let left_out = self.divide(&pairs, &special, Vec::new(), true, &mut given);
                        inner = Some(Part { index, left_out });
                    }
                    None if target.is_none() && keeps_blobs && !conversion.is_any => whole = Some(index),
                    None => encoding.losses.push(LossKind::PropertyAttribute),
                }
            }
        }
        let outer = dictionary.as_ref().map(|(index, pairs)| {
            // Of values given twice the last one is used.
            let twice: Vec<String> = given.iter().map(|one| one.name.clone()).collect();
            let special: Vec<&str> = special.into_iter().chain(twice.iter().map(|name| &**name)).collect();
            let left_out = self.divide(pairs, &special, taken, false, &mut given);
            Part { index: *index, left_out }
        });
        // A dictionary that is not a list of names is kept.
        if given.is_empty()
            && inner.is_none()
            && let Some((index, pairs)) = &dictionary
            && pairs.pairs.is_empty()
        {
            let copy = self.pool.attribute(AttrId(*index))?;
            encoding.dictionary = (dictionary_len(&self.pool.entries(), copy.0) != Some(0)).then_some(copy);
        }
        // Before its properties have the names of the target.
        let implied = self.implied(&conversion, &full_name, &given);
        // An op that one side does not know is kept: its attributes cannot be interpreted.
        if let Some(own) = own
            && target.is_some()
        {
            for mut one in std::mem::take(&mut given) {
                one.is_inherent |= conversion.declares(&full_name, &one.name);
                let is_own = one.is_inherent || own.field(&one.name).is_some();
                if !is_own && conversion.gains_meaning(&full_name, &one.name) {
                    encoding.losses.push(LossKind::GainsMeaning(one.name));
                    continue;
                }
                let own_name = one.name.clone();
                if !self.rename(&conversion, &full_name, &mut one, encoding)? {
                    continue;
                }
                let names = (&*own_name, &*one.name);
                let is_attribute = matches!(&one.value, Value::OfFile(PropertyValue::Attribute(_)));
                let case = match is_attribute {
                    true => conversion.value_in_target(&full_name, names, || self.attribute_of(&one))?,
                    false => Ok(NewValue::Same),
                };
                match case {
                    Ok(NewValue::Other(value)) => {
                        self.note(encoding, || ChangeKind::AttributeValue(one.name.clone()));
                        one.value = Value::New(value);
                    }
                    Ok(_) => {}
                    Err(loss) => {
                        encoding.losses.push(loss);
                        continue;
                    }
                }
                given.push(one);
            }
        }
        if target.is_some() {
            if let Some(rule) = conversion.incompatible(&full_name) {
                encoding.losses.push(LossKind::BreaksRule(rule.to_owned()));
            }
            let has = |name: &String| given.iter().any(|one| one.name == *name);
            if let Some(names) = conversion.required(&full_name).filter(|names| !names.iter().any(has)) {
                let rule = format!("requires one of the attributes `{}`", names.join("`, `"));
                encoding.losses.push(LossKind::BreaksRule(rule));
            }
            if let Some(name) = self.fill_constants(&conversion, &full_name, &mut given)? {
                self.note(encoding, || ChangeKind::AttributeValue(name.to_owned()));
            }
            encoding.operand_order = conversion.operand_order(&full_name);
            if encoding.operand_order.is_some() {
                self.note(encoding, || ChangeKind::OperandOrder);
            }
            let count = encoding.operand_order.as_ref().map(|order| order.len() as u64);
            encoding.limits = conversion.part_limits(&full_name, count);
        }
        let groups = Groups::new(&conversion, &full_name, own, target);
        if let Some(place) = given.iter().position(|one| one.name == OPERAND_SEGMENTS) {
            if let Some(operands) = implied {
                given.remove(place);
                encoding.operand_groups = Some(OperandGroups::Implied(operands));
                self.note(encoding, || ChangeKind::OperandGroups);
            } else {
                self.regroup(&groups, &mut given[place], encoding);
            }
        } else if target.is_some() {
            let sizes = conversion.new_segments(&full_name);
            let sizes = sizes.and_then(|sizes| self.group_sizes(sizes, &given));
            encoding.operand_groups = match conversion.shape_of_result(&full_name) {
                Some(name) => Some(OperandGroups::ShapeOfResult(name.into())),
                None => sizes.map(OperandGroups::New),
            };
            if encoding.operand_groups.is_some() {
                self.note(encoding, || ChangeKind::OperandGroups);
            }
        }
        for Added { name, value, each_result_of, for_constants } in conversion.added(&full_name) {
            if target.is_some() && given.iter().all(|one| one.name != name) {
                let value = match each_result_of.map(|map| self.map_in(map, &given)) {
                    None => value.clone(),
                    Some(Some(map)) => {
                        let is_constant = |&result: &u32| matches!(map.node(result), Node::Constant(_));
                        let item = |result| match for_constants.filter(|_| is_constant(result)) {
                            Some(constant) => constant.clone(),
                            None => value.clone(),
                        };
                        builtin::array(map.results().iter().map(item).collect::<Vec<_>>())?
                    }
                    // It is then reported as missing if it is required.
                    Some(None) => continue,
                };
                self.note(encoding, || ChangeKind::AttributeAdded(name.to_owned()));
                given.push(Given {
                    name: name.to_owned(),
                    value: Value::New(value),
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
                self.declared(&conversion, (row, target), given, &mut pairs, encoding)?;
            }
            _ if conversion.is_any || target.is_some() => {
                self.undeclared(&conversion, &full_name, given, &mut pairs, encoding)?;
            }
            _ => {
                if own.is_some() || conversion.refuses_unknown(&full_name) {
                    encoding.losses.push(LossKind::NoSuchOp);
                }
                for one in given {
                    let to = if one.is_inherent && keeps_blobs { &mut inner_pairs } else { &mut pairs };
                    self.push(&conversion, &one, None, to)?;
                }
                let inner = inner.take_if(|_| keeps_blobs);
                let properties = match whole {
                    Some(index) => Some(self.pool.attribute(AttrId(index))?),
                    None => self.dictionaries.written([inner, None], inner_pairs, true, &mut self.pool)?,
                };
                encoding.properties = properties.map(EncodedProperties::Attribute);
            }
        }
        if let Some(OperandGroups::ShapeOfResult(name)) = &encoding.operand_groups {
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

    /// Moves the pairs with these names to the collected values, except those at the positions `left_out`;
    /// returns the positions of all others, which are translated with the whole dictionary.
    fn divide(
        &self,
        dictionary: &Dictionary,
        names: &[&str],
        mut left_out: Vec<u32>,
        is_inherent: bool,
        given: &mut Vec<Given<'m>>,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        for name in names {
            found.extend(dictionary.find(name.as_bytes(), self.entries));
        }
        sort_by(&mut found, Ord::cmp);
        found.dedup();
        found.retain(|place| left_out.binary_search(place).is_err());
        let pairs = found.iter().filter_map(|&place| dictionary.pairs.get(place as usize));
        given.extend(pairs.map(|&pair| self.one_of(pair, is_inherent)));
        left_out.extend(found);
        sort_by(&mut left_out, Ord::cmp);
        left_out
    }

    fn given(&self, inherent: &[Property<'m>]) -> Vec<Given<'m>> {
        let there = inherent.iter().filter(|property| property.value != PropertyValue::Absent);
        there
            .map(|property| Given {
                name: property.name().to_owned(),
                value: Value::OfFile(property.value.clone()),
                field: Some(property.field),
                is_inherent: true,
                key: None,
            })
            .collect()
    }

    /// A pair of one of the file's dictionaries.
    fn one_of(&self, (key, value): (u32, u32), is_inherent: bool) -> Given<'m> {
        let name = crate::attr::text::entry::string_of(self.entries, key).unwrap_or_default();
        // The newer name; the target's name is used for writing.
        let name = match name {
            b"operand_segment_sizes" => OPERAND_SEGMENTS.as_bytes(),
            b"result_segment_sizes" => RESULT_SEGMENTS.as_bytes(),
            name => name,
        };
        Given {
            name: String::from_utf8_lossy(name).into_owned(),
            value: Value::OfFile(PropertyValue::Attribute(value)),
            field: None,
            is_inherent,
            key: Some(key).filter(|_| !name.ends_with(b"SegmentSizes")),
        }
    }

    /// The value as an attribute: for a native property, the one that MLIR converts it to.
    fn attribute_of(&self, one: &Given<'m>) -> error::Result<Attribute> {
        match (&one.value, one.field) {
            (Value::New(value), _) => Ok(value.clone()),
            (Value::OfFile(PropertyValue::Attribute(index)), _) => self.file_attribute(*index),
            (Value::OfFile(PropertyValue::Segments(sizes)), _) => builtin::segment_sizes(sizes),
            (Value::OfFile(value), Some(field)) => self.attribute_form(field, value),
            // Only attributes come without a field.
            (Value::OfFile(_), None) => builtin::unit(),
        }
    }

    /// An encoding with operand group sizes that the op has in the target only, or without those that it does not
    /// have there, and with a loss if the op has parts that the target does not allow.
    pub(crate) fn translate_counts(
        &mut self,
        encoding: EncodingId,
        counts: PartCounts,
    ) -> Result<OpEncoding> {
        let encoding = self.encoding(encoding);
        let mut new = OpEncoding {
            name: encoding.name,
            dictionary: encoding.dictionary,
            properties: encoding.properties.clone(),
            losses: encoding.losses.clone(),
            changes: encoding.changes.clone(),
            in_file: encoding.in_file,
            operand_groups: None,
            operand_order: encoding.operand_order.clone(),
            limits: None,
        };
        if let Some(broken) = encoding.limits.and_then(|limits| limits.broken_by(counts)) {
            new.operand_order = None;
            new.losses.push(LossKind::CountNotInTarget(broken));
            return Ok(new);
        }
        let operands = i64::try_from(counts.operands).unwrap_or(i64::MAX);
        let groups = match &encoding.operand_groups {
            Some(OperandGroups::New(groups)) => groups,
            Some(OperandGroups::Implied(implied)) if *implied != operands => {
                new.losses.push(LossKind::NotInTarget(OPERAND_SEGMENTS.to_owned()));
                return Ok(new);
            }
            Some(OperandGroups::ShapeOfResult(name)) => {
                let name = name.clone();
                self.give_shape(&name, counts.result, &mut new)?;
                return Ok(new);
            }
            _ => return Ok(new),
        };
        let fixed: i64 = groups.iter().filter(|&&size| size > 0).map(|&size| i64::from(size)).sum();
        let rest = operands - fixed;
        let rest = i32::try_from(rest).ok().filter(|&rest| rest >= 0);
        let Some(rest) = rest else {
            new.losses.push(LossKind::NoValue(OPERAND_SEGMENTS.to_owned()));
            return Ok(new);
        };
        let sizes: Vec<i32> = groups.iter().map(|&size| if size < 0 { rest } else { size }).collect();
        let attribute = builtin::segment_sizes(&sizes)?;
        let version = self.target.version;
        if let Some(EncodedProperties::Known { op, values }) = &mut new.properties {
            let place = self.schema(*op).and_then(|op| {
                op.wire(version).position(|field| matches!(field.kind, Kind::Segments { .. }))
            });
            let value = match version.has_native_segment_sizes() {
                true => PropertyValue::Segments(sizes),
                false => PropertyValue::Attribute(self.pool.value(&attribute)?.0),
            };
            if let Some(old) = place.and_then(|place| values.get_mut(place)) {
                *old = value;
            }
            return Ok(new);
        }
        self.add_to_dictionary(OPERAND_SEGMENTS, &attribute, &mut new)?;
        Ok(new)
    }

    /// Gives a property the sizes of a type, or says that there is no value: sizes that are not static are operands.
    fn give_shape(&mut self, name: &str, of: Option<TypeId>, encoding: &mut OpEncoding) -> Result<()> {
        let r#type = of.map(|id| Type::of_file(self.module, id)).transpose()?.flatten();
        let shape = r#type.and_then(|r#type| r#type.field("shape").ok().flatten());
        let sizes = match shape {
            Some(FieldValue::List(sizes)) => sizes.iter().map(size_of_dimension).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let Some(sizes) = sizes else {
            encoding.losses.push(LossKind::NoValue(name.to_owned()));
            return Ok(());
        };
        let attribute = builtin::dense_array(64, &sizes)?;
        let version = self.target.version;
        let Some(EncodedProperties::Known { op, values }) = &mut encoding.properties else {
            return self.add_to_dictionary(name, &attribute, encoding);
        };
        let place = self.schema(*op).and_then(|op| op.wire(version).position(|field| field.name() == name));
        let value = PropertyValue::Attribute(self.pool.value(&attribute)?.0);
        if let Some(old) = place.and_then(|place| values.get_mut(place)) {
            *old = value;
        }
        Ok(())
    }

    fn add_to_dictionary(&mut self, name: &str, value: &Attribute, encoding: &mut OpEncoding) -> Result<()> {
        let value = self.pool.value(value)?;
        let name = self.pool.string_attribute(name.as_bytes())?;
        let mut pairs = encoding.dictionary.map_or_else(Vec::new, |index| self.pool.pairs(index));
        pairs.push((name, value));
        encoding.dictionary = self.pool.dictionary(&mut pairs, false)?;
        Ok(())
    }

    // As integers, if the properties determine them.
    fn group_sizes(&self, sizes: &[GroupSize], given: &[Given<'m>]) -> Option<Box<[i32]>> {
        let number = |size: &GroupSize| match size {
            GroupSize::Number(number) => Some(*number),
            GroupSize::InputsOf(name) => i32::try_from(self.map_in(name, given)?.num_inputs()).ok(),
        };
        sizes.iter().map(number).collect()
    }

    /// Gives items for constant results of a map the value that the target requires; returns the name of the attribute.
    fn fill_constants<'c>(
        &self,
        conversion: &'c ReleaseConversion,
        op: &str,
        given: &mut [Given<'m>],
    ) -> error::Result<Option<&'c str>> {
        let Some((name, constant, map)) = conversion.required_for_constants(op) else { return Ok(None) };
        let Some(map) = self.map_in(map, given) else { return Ok(None) };
        let Some(one) = given.iter_mut().find(|one| one.name == name) else { return Ok(None) };
        let Some(items) = self.attribute_of(one)?.elements() else { return Ok(None) };
        if items.len() != map.num_results() {
            return Ok(None);
        }
        let is_constant = |result: u32| matches!(map.node(result), Node::Constant(_));
        let pairs = map.results().iter().zip(items);
        let new: Vec<Attribute> =
            pairs.map(|(&result, item)| if is_constant(result) { constant.clone() } else { item }).collect();
        one.value = Value::New(builtin::array(new)?);
        Ok(Some(name))
    }

    fn map_in(&self, name: &str, given: &[Given<'m>]) -> Option<AffineMap> {
        let one = given.iter().find(|one| one.name == name)?;
        self.attribute_of(one).ok()?.affine_map()
    }

    // The number of operands, if the target derives these segment sizes from it and from other properties.
    fn implied(&self, conversion: &ReleaseConversion, op: &str, given: &[Given<'m>]) -> Option<i64> {
        let known = self.group_sizes(conversion.old_segments(op)?, given)?;
        let one = given.iter().find(|one| one.name == OPERAND_SEGMENTS)?;
        let Value::OfFile(value) = &one.value else { return None };
        let sizes = segment_sizes(value, self.entries)?;
        let is_same = |(known, size): (&i32, &i32)| *known < 0 && *size >= 0 || known == size;
        (known.len() == sizes.len() && known.iter().zip(&sizes).all(is_same))
            .then(|| sizes.iter().map(|&size| i64::from(size)).sum())
    }

    /// The segment sizes for the operand groups of the target.
    fn regroup(&self, groups: &Groups, one: &mut Given<'m>, encoding: &mut OpEncoding) {
        let Value::OfFile(value) = &one.value else { return };
        let Some(sizes) = segment_sizes(value, self.entries) else { return };
        if groups.are_same() || sizes.len() > groups.own.len() {
            return;
        }
        let mut new: Vec<_> = groups.target.iter().map(|_| 0).collect();
        let mut last = None;
        for (group, &size) in groups.own.iter().zip(&sizes).filter(|(_, size)| **size != 0) {
            // The order of operands is kept.
            match groups.target.iter().position(|known| known == group) {
                Some(place) if last.is_none_or(|last| last < place) => {
                    new[place] = size;
                    last = Some(place);
                }
                _ => encoding.losses.push(LossKind::NotInTarget(group.clone())),
            }
        }
        self.note(encoding, || ChangeKind::OperandGroups);
        one.value = Value::OfFile(PropertyValue::Segments(new));
    }

    // Gives an attribute its name and its value in the target; `false` if the target does not have it.
    fn rename(
        &self,
        conversion: &ReleaseConversion,
        op: &str,
        one: &mut Given<'m>,
        encoding: &mut OpEncoding,
    ) -> Result<bool> {
        for rule in conversion.renamed(op) {
            // A rule with an empty name adds or removes an attribute; it does not apply to one whose name is empty.
            if rule.from.is_empty() || rule.from != one.name {
                continue;
            }
            let new = rule.value(|| self.attribute_of(one))?;
            let old_name = one.name.clone();
            if matches!(new, NewValue::Same | NewValue::Other(_)) {
                if rule.to.is_empty() {
                    self.note(encoding, || ChangeKind::AttributeOmitted(old_name));
                    return Ok(false);
                }
                if rule.to != one.name {
                    self.note(encoding, || ChangeKind::AttributeName(one.name.clone(), rule.to.to_owned()));
                }
                rule.to.clone_into(&mut one.name);
                one.key = None;
                // Attributes that releases read from the dictionary have the prefix of their dialect.
                one.is_inherent &= !rule.to.contains('.');
            }
            match new {
                NewValue::Same => {}
                NewValue::Other(value) => {
                    self.note(encoding, || ChangeKind::AttributeValue(one.name.clone()));
                    one.value = Value::New(value);
                }
                NewValue::Nothing => {
                    self.note(encoding, || ChangeKind::AttributeOmitted(old_name));
                    return Ok(false);
                }
                NewValue::Unknown => {
                    encoding.losses.push(LossKind::NotInTarget(one.name.clone()));
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// An op whose properties are known in the target.
    fn declared(
        &mut self,
        conversion: &ReleaseConversion,
        (row, target): (u32, &OpSchema),
        given: Vec<Given<'m>>,
        pairs: &mut Vec<Pair>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let keeps_blobs =
            self.target.version.has_native_properties() && !self.schemas.prefers_dictionary(target);
        let mut taken: Vec<Option<Given<'m>>> = target.fields().map(|_| None).collect();
        for one in given {
            match target.field_number(one.name.as_bytes()) {
                // If both are given, the dictionary is used, as in MLIR.
                Some(number) => taken[number] = Some(one),
                None if !one.is_inherent => self.push(conversion, &one, None, pairs)?,
                None if self.is_as_good_as_absent(&one) => {
                    self.note(encoding, || ChangeKind::AttributeOmitted(one.name));
                }
                None if conversion.reads_undeclared(target.name(), &one.name) => {
                    self.push(conversion, &one, None, pairs)?;
                }
                None => encoding.losses.push(LossKind::NotInTarget(one.name)),
            }
        }
        if keeps_blobs && target.fields().len() == 0 {
            return Ok(());
        }
        let mut values = Vec::new();
        for field in target.wire(self.target.version) {
            let number = target.field_number(field.name().as_bytes()).unwrap_or_default();
            let one = taken.get_mut(number).and_then(Option::take);
            if keeps_blobs {
                values.push(self.field_value(field, one.as_ref(), encoding)?);
                continue;
            }
            match one {
                Some(one) if !field.is_in_dictionary && self.is_as_good_as_absent(&one) => {}
                Some(one) if !field.is_in_dictionary => {
                    encoding.losses.push(LossKind::NativeProperty(one.name));
                }
                Some(mut one) => {
                    let was_of_file = matches!(one.value, Value::OfFile(_));
                    if self.reclass(&field.kind, &mut one)? {
                        if was_of_file && matches!(one.value, Value::New(_)) {
                            self.note(encoding, || ChangeKind::AttributeValue(one.name.clone()));
                        }
                        self.push(conversion, &one, Some(field), pairs)?;
                    } else {
                        encoding.losses.push(LossKind::NotOfClass(one.name));
                    }
                }
                None if matches!(&field.kind, Kind::Attribute { is_optional: false, .. })
                    && field.default.is_none() =>
                {
                    encoding.losses.push(LossKind::NoValue(field.name().to_owned()));
                }
                None => {}
            }
        }
        if keeps_blobs {
            encoding.properties = Some(EncodedProperties::Known { op: row, values: values.into() });
        }
        Ok(())
    }

    fn field_value(
        &mut self,
        field: &PropertyField,
        one: Option<&Given<'m>>,
        encoding: &mut OpEncoding,
    ) -> Result<PropertyValue> {
        if let Some(one) = one {
            let value = match &one.value {
                Value::OfFile(value) => {
                    let fits = match (&field.kind, value) {
                        (Kind::Attribute { class, .. }, PropertyValue::Attribute(index)) => {
                            self.is_of_class(class, *index)?
                        }
                        _ => true,
                    };
                    match (fits, &field.kind) {
                        (true, kind) => self.value(kind, value)?,
                        (false, Kind::Attribute { class, .. }) => {
                            let value = self.attribute_of(one)?;
                            match self.of_class(class, &value)? {
                                Some(value) => {
                                    self.note(encoding, || ChangeKind::AttributeValue(one.name.clone()));
                                    Some(PropertyValue::Attribute(self.pool.value(&value)?.0))
                                }
                                None => None,
                            }
                        }
                        _ => None,
                    }
                }
                Value::New(value) => match &field.kind {
                    Kind::Attribute { .. } => Some(PropertyValue::Attribute(self.pool.value(value)?.0)),
                    kind => native_of_attribute(kind, value),
                },
            };
            match value {
                Some(value) => return Ok(value),
                None if self.is_as_good_as_absent(one) => {}
                None => encoding.losses.push(LossKind::NotOfClass(one.name.clone())),
            }
        }
        Ok(match self.default(&field.kind, field.default.as_ref())? {
            Some(value) => value,
            None => {
                encoding.losses.push(LossKind::NoValue(field.name().to_owned()));
                PropertyValue::Absent
            }
        })
    }

    /// Whether an attribute of the file is of the class that the target requires, as it is or after
    /// translation.
    fn is_of_class(&mut self, class: &Class, index: u32) -> Result<bool> {
        if class.fits(index, self.entries) {
            return Ok(true);
        }
        let copy = self.pool.attribute(AttrId(index))?;
        Ok(class.fits(copy.0, &self.pool.entries()))
    }

    /// The same integers in the class that the target requires: an array, a dense array, or dense elements.
    fn of_class(&mut self, class: &Class, value: &Attribute) -> Result<Option<Attribute>> {
        if *class == Class::Any {
            return Ok(None);
        }
        let Some(numbers) = value.integers() else { return Ok(None) };
        for width in [64, 32] {
            let is_in_range = |&number: &i64| width == 64 || i32::try_from(number).is_ok();
            if !numbers.iter().all(is_in_range) {
                continue;
            }
            let value = builtin::dense_array(width, &numbers)?;
            let index = self.pool.value(&value)?;
            if class.fits(index.0, &self.pool.entries()) {
                return Ok(Some(value));
            }
        }
        let value = builtin::array_of_integers(&numbers)?;
        let index = self.pool.value(&value)?;
        Ok(class.fits(index.0, &self.pool.entries()).then_some(value))
    }

    /// Converts an attribute of the dictionary to the class that the target requires; returns whether it is
    /// of that class.
    fn reclass(&mut self, kind: &Kind, one: &mut Given<'m>) -> Result<bool> {
        let (Kind::Attribute { class, .. }, Value::OfFile(PropertyValue::Attribute(index))) =
            (kind, &one.value)
        else {
            return Ok(true);
        };
        if self.is_of_class(class, *index)? {
            return Ok(true);
        }
        let value = self.attribute_of(one)?;
        let Some(value) = self.of_class(class, &value)? else { return Ok(false) };
        one.value = Value::New(value);
        Ok(true)
    }

    /// An op of which at most the names of its attributes are known.
    fn undeclared(
        &mut self,
        conversion: &ReleaseConversion,
        op: &str,
        given: Vec<Given<'m>>,
        pairs: &mut Vec<Pair>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        for one in given {
            // Older releases do not have it, and newer ones take its absence for this value.
            if conversion.is_any
                && one.is_inherent
                && absence_means(op, &one.name, &self.attribute_of(&one)?.to_string())
            {
                continue;
            }
            if conversion.is_any
                && (one.is_inherent || one.name.contains('.'))
                && conversion.has_other_value(op, &one.name, &self.attribute_of(&one)?)?
                && !self.is_as_good_as_absent(&one)
            {
                encoding.losses.push(LossKind::NotInTarget(one.name));
                continue;
            }
            // Whether the attribute is inherent for the op: the reader then takes it as a property and may
            // ignore it without an error (`setInherentAttr` in the generated code of ops).
            if let Value::OfFile(PropertyValue::Attribute(index)) = &one.value
                && conversion.is_dropped_by_some(op, &one.name, |class| class.fits(*index, self.entries))
            {
                encoding.losses.push(LossKind::NotOfClass(one.name));
                continue;
            }
            let is_segments = matches!(&*one.name, OPERAND_SEGMENTS | RESULT_SEGMENTS);
            if one.is_inherent && !is_segments {
                // A value that a rule made is an attribute.
                let is_of_file = matches!(one.value, Value::OfFile(_));
                let is_native = is_of_file && one.field.is_some_and(|field| !field.is_in_dictionary);
                let is_undeclared = conversion.reads_undeclared(op, &one.name);
                let is_declared = conversion.has_attribute(op, &one.name).filter(|_| !is_undeclared);
                if is_native || is_declared == Some(false) {
                    if self.is_as_good_as_absent(&one) {
                        continue;
                    }
                    if is_native {
                        encoding.losses.push(LossKind::NativeProperty(one.name));
                        continue;
                    }
                    if !conversion.is_any {
                        encoding.losses.push(LossKind::NotInTarget(one.name));
                        continue;
                    }
                }
            }
            self.push(conversion, &one, None, pairs)?;
        }
        Ok(())
    }

    /// As an attribute of the dictionary; `field` is its name in the target.
    fn push(
        &mut self,
        conversion: &ReleaseConversion,
        one: &Given<'m>,
        field: Option<&PropertyField>,
        pairs: &mut Vec<Pair>,
    ) -> Result<()> {
        let value = match &one.value {
            Value::OfFile(PropertyValue::Attribute(index)) => self.pool.attribute(AttrId(*index))?,
            _ => {
                let value = self.attribute_of(one)?;
                self.pool.value(&value)?
            }
        };
        let name = field.map_or(&*one.name, PropertyField::name);
        let kept = one.key.filter(|_| name == one.name);
        let name = match name {
            OPERAND_SEGMENTS if conversion.has_old_segment_names() => "operand_segment_sizes",
            RESULT_SEGMENTS if conversion.has_old_segment_names() => "result_segment_sizes",
            name => name,
        };
        let name = match kept {
            Some(key) => self.pool.attribute(AttrId(key))?,
            None => self.pool.string_attribute(name.as_bytes())?,
        };
        // A dictionary cannot have a name twice: the last one is used.
        pairs.push((name, value));
        Ok(())
    }

    fn is_as_good_as_absent(&self, one: &Given<'m>) -> bool {
        match (&one.value, one.field) {
            (Value::OfFile(value), Some(field)) => self.is_default(&Property { field, value: value.clone() }),
            _ => false,
        }
    }
}

/// A static size.
fn size_of_dimension(size: &FieldValue) -> Option<i64> {
    if let FieldValue::Signed(size) = size { Some(*size).filter(|&size| size >= 0) } else { None }
}

const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The operand groups of the op in the file and in the target, with comparable names; empty if unknown.
#[derive(Debug, Default)]
struct Groups {
    own: Vec<String>,
    target: Vec<String>,
}

impl Groups {
    fn new(
        conversion: &ReleaseConversion,
        op: &str,
        own: Option<&OpSchema>,
        target: Option<&OpSchema>,
    ) -> Self {
        let (older, newer) = conversion.operand_groups(op);
        let of_schema = |op: Option<&OpSchema>| {
            op.map(|op| op.operands().map(plain).collect::<Vec<_>>()).filter(|names| !names.is_empty())
        };
        let of_data = |names: Vec<String>| names.iter().map(|name| plain(name)).collect::<Vec<_>>();
        let own = older.map(of_data).or_else(|| of_schema(own));
        let target = newer.map(of_data).or_else(|| of_schema(target));
        let (Some(mut own), Some(target)) = (own, target) else { return Self::default() };
        for name in &mut own {
            if let Some(new) = conversion.renamed_group(op, |known| plain(known) == *name) {
                *name = plain(new);
            }
        }
        // The same number of groups: those with other names keep their positions.
        if own.len() == target.len() {
            for place in 0..own.len() {
                if !target.contains(&own[place]) && !own.contains(&target[place]) {
                    own[place].clone_from(&target[place]);
                }
            }
        }
        Self { own, target }
    }

    fn are_same(&self) -> bool {
        self.own == self.target
    }
}

/// Some releases write `numThreads` and others `num_threads`; marks give the number of operands.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '*' | '?'));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_compared_by_name() {
        assert_eq!(plain("num_threads*"), plain("numThreads"));
        assert_ne!(plain("grid_x"), plain("grid_y"));
    }
}
