//! Puts the attributes of an operation into the properties or the dictionary of the target.

use super::{AttributeContent, OPERAND_SEGMENTS, OpAttribute, RESULT_SEGMENTS};
use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::attr::native::native_of_attribute;
use crate::convert::op::OpConverter;
use crate::convert::pool::Pair;
use crate::convert::release::{ReleaseConversion, absence_means};
use crate::format::id::AttrId;
use crate::props::class::Class;
use crate::props::schema::Kind;
use crate::props::{OpSchema, Property, PropertyField, PropertyValue};
use crate::wire::change::ChangeKind;
use crate::wire::loss::LossKind;
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding};
use crate::write::canonical::pass::Result;

impl<'m> OpConverter<'m> {
    /// Encodes an operation whose properties are known in the target.
    pub(super) fn declared(
        &mut self,
        conversion: &ReleaseConversion,
        (row, target): (u32, &OpSchema),
        attributes: Vec<OpAttribute<'m>>,
        pairs: &mut Vec<Pair>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let keeps_blobs =
            self.target.version.has_native_properties() && !self.schemas.prefers_dictionary(target);
        let mut taken: Vec<Option<OpAttribute<'m>>> = target.fields().map(|_| None).collect();
        for attribute in attributes {
            match target.field_number(attribute.name.as_bytes()) {
                // If the properties and the dictionary contain an attribute, the dictionary is used, as in
                // MLIR.
                Some(number) => taken[number] = Some(attribute),
                None if !attribute.is_inherent => self.push(conversion, &attribute, None, pairs)?,
                None if self.is_as_good_as_absent(&attribute) => {
                    self.note(encoding, || ChangeKind::AttributeOmitted(attribute.name));
                }
                None if conversion.reads_undeclared(target.name(), &attribute.name) => {
                    self.push(conversion, &attribute, None, pairs)?;
                }
                None => encoding.losses.push(LossKind::NotInTarget(attribute.name)),
            }
        }
        if keeps_blobs && target.fields().len() == 0 {
            return Ok(());
        }
        let mut values = Vec::new();
        for field in target.wire(self.target.version) {
            let number = target.field_number(field.name().as_bytes()).unwrap_or_default();
            let attribute = taken.get_mut(number).and_then(Option::take);
            if keeps_blobs {
                values.push(self.field_value(field, attribute.as_ref(), encoding)?);
                continue;
            }
            match attribute {
                Some(attribute) if !field.is_in_dictionary && self.is_as_good_as_absent(&attribute) => {}
                Some(attribute) if !field.is_in_dictionary => {
                    encoding.losses.push(LossKind::NativeProperty(attribute.name));
                }
                Some(mut attribute) => {
                    let was_of_file = matches!(attribute.value, AttributeContent::OfFile(_));
                    if self.reclass(&field.kind, &mut attribute)? {
                        if was_of_file && matches!(attribute.value, AttributeContent::New(_)) {
                            self.note(encoding, || ChangeKind::AttributeValue(attribute.name.clone()));
                        }
                        self.push(conversion, &attribute, Some(field), pairs)?;
                    } else {
                        encoding.losses.push(LossKind::NotOfClass(attribute.name));
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
        attribute: Option<&OpAttribute<'m>>,
        encoding: &mut OpEncoding,
    ) -> Result<PropertyValue> {
        if let Some(attribute) = attribute {
            let value = match &attribute.value {
                AttributeContent::OfFile(value) => {
                    let fits = match (&field.kind, value) {
                        (Kind::Attribute { class, .. }, PropertyValue::Attribute(index)) => {
                            self.is_of_class(class, *index)?
                        }
                        _ => true,
                    };
                    match (fits, &field.kind) {
                        (true, kind) => self.value(kind, value)?,
                        (false, Kind::Attribute { class, .. }) => {
                            let value = self.attribute_of(attribute)?;
                            match self.of_class(class, &value)? {
                                Some(value) => {
                                    self.note(encoding, || {
                                        ChangeKind::AttributeValue(attribute.name.clone())
                                    });
                                    Some(PropertyValue::Attribute(AttrId::new(
                                        self.pool.value(&value)?.number(),
                                    )))
                                }
                                None => None,
                            }
                        }
                        _ => None,
                    }
                }
                AttributeContent::New(value) => match &field.kind {
                    Kind::Attribute { .. } => {
                        Some(PropertyValue::Attribute(AttrId::new(self.pool.value(value)?.number())))
                    }
                    kind => native_of_attribute(kind, value),
                },
            };
            match value {
                Some(value) => return Ok(value),
                None if self.is_as_good_as_absent(attribute) => {}
                None => encoding.losses.push(LossKind::NotOfClass(attribute.name.clone())),
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

    /// Whether an attribute of the file has the class that the target requires, before or after translation.
    fn is_of_class(&mut self, class: &Class, index: AttrId) -> Result<bool> {
        if class.fits(index, self.entries) {
            return Ok(true);
        }
        let copy = self.pool.attribute(index)?;
        Ok(class.fits(AttrId::new(copy.number()), &self.pool.entries()))
    }

    /// Returns the integers of an attribute in the class that the target requires: an array, a dense array,
    /// or dense elements.
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
            if class.fits(AttrId::new(index.number()), &self.pool.entries()) {
                return Ok(Some(value));
            }
        }
        let value = builtin::array_of_integers(&numbers)?;
        let index = self.pool.value(&value)?;
        Ok(class.fits(AttrId::new(index.number()), &self.pool.entries()).then_some(value))
    }

    /// Converts an attribute of the dictionary to the class that the target requires. Returns false if it has
    /// no form in this class.
    fn reclass(&mut self, kind: &Kind, attribute: &mut OpAttribute<'m>) -> Result<bool> {
        let (Kind::Attribute { class, .. }, AttributeContent::OfFile(PropertyValue::Attribute(index))) =
            (kind, &attribute.value)
        else {
            return Ok(true);
        };
        if self.is_of_class(class, *index)? {
            return Ok(true);
        }
        let value = self.attribute_of(attribute)?;
        let Some(value) = self.of_class(class, &value)? else { return Ok(false) };
        attribute.value = AttributeContent::New(value);
        Ok(true)
    }

    /// Encodes an operation of which at most the names of its attributes are known.
    pub(super) fn undeclared(
        &mut self,
        conversion: &ReleaseConversion,
        op: &str,
        attributes: Vec<OpAttribute<'m>>,
        pairs: &mut Vec<Pair>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        for attribute in attributes {
            // Older releases do not have the attribute, and newer ones take its absence for this value.
            if conversion.is_any
                && attribute.is_inherent
                && absence_means(op, &attribute.name, &self.attribute_of(&attribute)?.to_string())
            {
                continue;
            }
            if conversion.is_any
                && (attribute.is_inherent || attribute.name.contains('.'))
                && conversion.has_other_value(op, &attribute.name, &self.attribute_of(&attribute)?)?
                && !self.is_as_good_as_absent(&attribute)
            {
                encoding.losses.push(LossKind::NotInTarget(attribute.name));
                continue;
            }
            // Whether the attribute is inherent for the op: the reader then takes it as a property and may
            // ignore it without an error (`setInherentAttr` in the generated code of ops).
            if let AttributeContent::OfFile(PropertyValue::Attribute(index)) = &attribute.value
                && conversion
                    .is_dropped_by_some(op, &attribute.name, |class| class.fits(*index, self.entries))
            {
                encoding.losses.push(LossKind::NotOfClass(attribute.name));
                continue;
            }
            let is_segments = matches!(&*attribute.name, OPERAND_SEGMENTS | RESULT_SEGMENTS);
            if attribute.is_inherent && !is_segments {
                // A value that a rule made is an attribute.
                let is_of_file = matches!(attribute.value, AttributeContent::OfFile(_));
                let is_native = is_of_file && attribute.field.is_some_and(|field| !field.is_in_dictionary);
                let is_undeclared = conversion.reads_undeclared(op, &attribute.name);
                let is_declared = conversion.has_attribute(op, &attribute.name).filter(|_| !is_undeclared);
                if is_native || is_declared == Some(false) {
                    if self.is_as_good_as_absent(&attribute) {
                        continue;
                    }
                    if is_native {
                        encoding.losses.push(LossKind::NativeProperty(attribute.name));
                        continue;
                    }
                    if !conversion.is_any {
                        encoding.losses.push(LossKind::NotInTarget(attribute.name));
                        continue;
                    }
                }
            }
            self.push(conversion, &attribute, None, pairs)?;
        }
        Ok(())
    }

    /// Adds an attribute to the dictionary; `field` gives its name in the target.
    pub(super) fn push(
        &mut self,
        conversion: &ReleaseConversion,
        attribute: &OpAttribute<'m>,
        field: Option<&PropertyField>,
        pairs: &mut Vec<Pair>,
    ) -> Result<()> {
        let value = match &attribute.value {
            AttributeContent::OfFile(PropertyValue::Attribute(index)) => self.pool.attribute(*index)?,
            _ => {
                let value = self.attribute_of(attribute)?;
                self.pool.value(&value)?
            }
        };
        let name = field.map_or(&*attribute.name, PropertyField::name);
        let key_in_file = attribute.key.filter(|_| name == attribute.name);
        let name = match name {
            OPERAND_SEGMENTS if conversion.has_old_segment_names() => "operand_segment_sizes",
            RESULT_SEGMENTS if conversion.has_old_segment_names() => "result_segment_sizes",
            name => name,
        };
        let name = match key_in_file {
            Some(key) => self.pool.attribute(AttrId::new(key))?,
            None => self.pool.string_attribute(name.as_bytes())?,
        };
        // A dictionary cannot have a name twice: the last one is used.
        pairs.push((name, value));
        Ok(())
    }

    pub(super) fn is_as_good_as_absent(&self, attribute: &OpAttribute<'m>) -> bool {
        match (&attribute.value, attribute.field) {
            (AttributeContent::OfFile(value), Some(field)) => {
                self.is_default(&Property { field, value: value.clone() })
            }
            _ => false,
        }
    }
}
