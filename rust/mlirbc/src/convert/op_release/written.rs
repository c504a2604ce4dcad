//! The attributes of an operation where the target has them: in properties or in the dictionary.

use super::{Given, OPERAND_SEGMENTS, RESULT_SEGMENTS, Value};
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
    /// An op whose properties are known in the target.
    pub(super) fn declared(
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
    pub(super) fn undeclared(
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
    pub(super) fn push(
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

    pub(super) fn is_as_good_as_absent(&self, one: &Given<'m>) -> bool {
        match (&one.value, one.field) {
            (Value::OfFile(value), Some(field)) => self.is_default(&Property { field, value: value.clone() }),
            _ => false,
        }
    }
}
