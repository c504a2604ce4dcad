//! Groups of operands that a release stores, derives, or has in another order.

use super::{AttributeContent, OPERAND_SEGMENTS, OpAttribute};
use crate::attr::build::builtin;
use crate::attr::{Attribute, FieldValue, Type};
use crate::convert::op::OpConverter;
use crate::convert::release::{ReleaseConversion, TextForm, element_type};
use crate::convert::rules::GroupSize;
use crate::format::id::{AttrId, TypeId};
use crate::props::codec::segment_sizes;
use crate::props::schema::Kind;
use crate::props::{OpSchema, PropertyValue};
use crate::wire::change::ChangeKind;
use crate::wire::loss::LossKind;
use crate::write::canonical::index::EncodingId;
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding, OperandGroups, PartCounts};
use crate::write::canonical::pass::Result;
use crate::write::canonical::translator::OpTranslator;

/// The longest text of a type that is searched for an element type.
const LONGEST_TYPE: usize = 1 << 16;

impl<'m> OpConverter<'m> {
    /// Completes an encoding with the facts that depend on the parts of the operation: the sizes of operand
    /// groups, and the shape or the element type of a value. Adds a loss if the target does not allow the
    /// parts.
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
            new.losses.push(broken);
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
            Some(OperandGroups::ElementTypeOf { property, is_operand }) => {
                let (name, of) = (property.clone(), if *is_operand { counts.operand } else { counts.result });
                self.give_element_type(&name, of, &mut new)?;
                return Ok(new);
            }
            _ => return Ok(new),
        };
        let fixed: i64 = groups.iter().filter(|&&size| size > 0).map(|&size| i64::from(size)).sum();
        let remaining = operands - fixed;
        let remaining = i32::try_from(remaining).ok().filter(|&remaining| remaining >= 0);
        let Some(remaining) = remaining else {
            new.losses.push(LossKind::NoValue(OPERAND_SEGMENTS.to_owned()));
            return Ok(new);
        };
        let sizes: Vec<i32> = groups.iter().map(|&size| if size < 0 { remaining } else { size }).collect();
        let attribute = builtin::segment_sizes(&sizes)?;
        let version = self.target.version;
        if let Some(EncodedProperties::Known { op, values }) = &mut new.properties {
            let place = self.schema(*op).and_then(|op| {
                op.wire(version).position(|field| matches!(field.kind, Kind::Segments { .. }))
            });
            let value = match version.has_native_segment_sizes() {
                true => PropertyValue::Segments(sizes),
                false => PropertyValue::Attribute(AttrId::new(self.pool.value(&attribute)?.number())),
            };
            if let Some(old) = place.and_then(|place| values.get_mut(place)) {
                *old = value;
            }
            return Ok(new);
        }
        self.add_to_dictionary(OPERAND_SEGMENTS, &attribute, &mut new)?;
        Ok(new)
    }

    /// Gives a property the sizes of a type. Adds a loss for a size that is not static, because an operand
    /// has it.
    fn give_shape(&mut self, name: &str, of: Option<TypeId>, encoding: &mut OpEncoding) -> Result<()> {
        let r#type = of.map(|id| Type::of_file(self.module.tables(), id)).transpose()?.flatten();
        let shape = r#type.and_then(|r#type| r#type.field("shape").ok().flatten());
        let sizes = match shape {
            Some(FieldValue::List(sizes)) => sizes.iter().map(size_of_dimension).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let Some(sizes) = sizes else {
            encoding.losses.push(LossKind::NoValue(name.to_owned()));
            return Ok(());
        };
        self.give_attribute(name, &builtin::dense_array(64, &sizes)?, encoding)
    }

    /// Gives a property the element type of a pointer or of a memref. Adds a loss if there is none.
    fn give_element_type(&mut self, name: &str, of: Option<TypeId>, encoding: &mut OpEncoding) -> Result<()> {
        let r#type = of.map(|id| Type::of_file(self.module.tables(), id)).transpose()?.flatten();
        let element = match &r#type {
            Some(r#type) => self.element_type_of(r#type)?,
            None => None,
        };
        match element {
            Some(element) => self.give_attribute(name, &element, encoding),
            None => {
                encoding.losses.push(LossKind::NoValue(name.to_owned()));
                Ok(())
            }
        }
    }

    fn element_type_of(&self, r#type: &Type) -> Result<Option<Attribute>> {
        let element = match r#type.field("elementType").ok().flatten() {
            Some(FieldValue::Type(element)) => Some(element.to_text_within(LONGEST_TYPE)),
            // A longer type is no pointer to a type that an operation names.
            _ => element_type(&r#type.to_text_within(LONGEST_TYPE)),
        };
        let Some(element) = element else { return Ok(None) };
        let form = self.target.conversion.as_ref().map(|conversion| conversion.with_target_fields(&element));
        Ok(match form {
            Some(TextForm::Other(element)) => Some(Attribute::parse(element)?),
            Some(TextForm::Same) => Some(Attribute::parse(element)?),
            Some(TextForm::Lacking) | None => None,
        })
    }

    fn give_attribute(&mut self, name: &str, attribute: &Attribute, encoding: &mut OpEncoding) -> Result<()> {
        let version = self.target.version;
        let Some(EncodedProperties::Known { op, values }) = &mut encoding.properties else {
            return self.add_to_dictionary(name, attribute, encoding);
        };
        let place = self.schema(*op).and_then(|op| op.wire(version).position(|field| field.name() == name));
        let value = PropertyValue::Attribute(AttrId::new(self.pool.value(attribute)?.number()));
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

    // Returns the group sizes as integers, if the properties determine them.
    pub(super) fn group_sizes(
        &self,
        sizes: &[GroupSize],
        attributes: &[OpAttribute<'m>],
    ) -> Option<Box<[i32]>> {
        let number = |size: &GroupSize| match size {
            GroupSize::Number(number) => Some(*number),
            GroupSize::InputsOf(name) => i32::try_from(self.map_in(name, attributes)?.num_inputs()).ok(),
        };
        sizes.iter().map(number).collect()
    }

    // Returns the number of operands, if the target derives these segment sizes from it and from other
    // properties.
    pub(super) fn implied(
        &self,
        conversion: &ReleaseConversion,
        op: &str,
        attributes: &[OpAttribute<'m>],
    ) -> Option<i64> {
        let derived = self.group_sizes(conversion.old_segments(op)?, attributes)?;
        let attribute = attributes.iter().find(|attribute| attribute.name == OPERAND_SEGMENTS)?;
        let AttributeContent::OfFile(value) = &attribute.value else { return None };
        let sizes = segment_sizes(value, self.entries)?;
        let is_same = |(derived, size): (&i32, &i32)| *derived < 0 && *size >= 0 || derived == size;
        (derived.len() == sizes.len() && derived.iter().zip(&sizes).all(is_same))
            .then(|| sizes.iter().map(|&size| i64::from(size)).sum())
    }

    /// Sets the segment sizes for the operand groups of the target.
    pub(super) fn regroup(
        &self,
        groups: &Groups,
        attribute: &mut OpAttribute<'m>,
        encoding: &mut OpEncoding,
    ) {
        let AttributeContent::OfFile(value) = &attribute.value else { return };
        let Some(sizes) = segment_sizes(value, self.entries) else { return };
        if groups.are_same() || sizes.len() > groups.source.len() {
            return;
        }
        let mut new: Vec<_> = groups.target.iter().map(|_| 0).collect();
        let mut last = None;
        for (group, &size) in groups.source.iter().zip(&sizes).filter(|(_, size)| **size != 0) {
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
        attribute.value = AttributeContent::OfFile(PropertyValue::Segments(new));
    }
}

/// A static size.
fn size_of_dimension(size: &FieldValue) -> Option<i64> {
    if let FieldValue::Signed(size) = size { Some(*size).filter(|&size| size >= 0) } else { None }
}

/// The operand groups of the op in the file and in the target, with comparable names; empty if unknown.
#[derive(Debug, Default)]
pub(super) struct Groups {
    source: Vec<String>,
    target: Vec<String>,
}

impl Groups {
    pub(super) fn new(
        conversion: &ReleaseConversion,
        op: &str,
        source: Option<&OpSchema>,
        target: Option<&OpSchema>,
    ) -> Self {
        let (older, newer) = conversion.operand_groups(op);
        let of_schema = |op: Option<&OpSchema>| {
            op.map(|op| op.operands().map(plain).collect::<Vec<_>>()).filter(|names| !names.is_empty())
        };
        let of_data = |names: Vec<String>| names.iter().map(|name| plain(name)).collect::<Vec<_>>();
        let source = older.map(of_data).or_else(|| of_schema(source));
        let target = newer.map(of_data).or_else(|| of_schema(target));
        let (Some(mut source), Some(target)) = (source, target) else { return Self::default() };
        for name in &mut source {
            if let Some(new) = conversion.renamed_group(op, |known| plain(known) == *name) {
                *name = plain(new);
            }
        }
        // If the numbers of groups are equal, groups with other names keep their positions.
        if source.len() == target.len() {
            for place in 0..source.len() {
                if !target.contains(&source[place]) && !source.contains(&target[place]) {
                    source[place].clone_from(&target[place]);
                }
            }
        }
        Self { source, target }
    }

    fn are_same(&self) -> bool {
        self.source == self.target
    }
}

/// Returns a name that can be compared, without `*` and `?`: some releases write `numThreads` and others
/// `num_threads`.
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
