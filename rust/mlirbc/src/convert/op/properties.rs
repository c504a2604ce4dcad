//! The properties of an operation for the target: as a blob, or in its dictionary.

use std::sync::PoisonError;

use super::OpConverter;
use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::attr::native::{attribute_of, native_of_attribute};
use crate::convert::pool::Pair;
use crate::format::id::AttrId;
use crate::props::codec::segment_sizes;
use crate::props::native::{empty_native, native_of};
use crate::props::schema::{DefaultValue, Kind};
use crate::props::{Property, PropertyField, PropertyValue};
use crate::wire::error::{self, Error, ErrorKind};
use crate::wire::loss::LossKind;
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding};
use crate::write::canonical::pass::Result;

impl<'m> OpConverter<'m> {
    fn fits(&self, kind: &Kind, value: &PropertyValue) -> bool {
        match (kind, value) {
            (Kind::Attribute { class, .. }, PropertyValue::Attribute(index)) => {
                class.fits(*index, self.entries)
            }
            _ => true,
        }
    }

    pub(super) fn known_properties(
        &mut self,
        row: u32,
        inherent: &[Property<'m>],
        pairs: &mut Vec<Pair>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let schemas = self.schemas.clone();
        let Some(op) = schemas.op(row) else { return Ok(()) };
        for property in inherent {
            if property.value != PropertyValue::Absent && op.field(property.name()).is_none() {
                self.not_in_target(property, encoding);
            }
        }
        if op.fields().len() == 0 {
            return Ok(());
        }
        let mut values = Vec::new();
        for field in op.wire(self.target.version) {
            let source = inherent.iter().find(|property| field.has_name(property.name().as_bytes()));
            let value = match source {
                // An attribute of a dictionary may be of any class; a blob with a wrong one would be
                // rejected.
                Some(property) if !self.fits(&field.kind, &property.value) => {
                    encoding.losses.push(LossKind::NotOfClass(property.name().to_owned()));
                    None
                }
                Some(property) if property.value != PropertyValue::Absent => {
                    let value = self.value(&field.kind, &property.value)?;
                    // Replacing it with its default would change the program.
                    if value.is_none() {
                        encoding.losses.push(LossKind::NotOfClass(property.name().to_owned()));
                    }
                    value
                }
                _ => None,
            };
            let value = match value {
                Some(value) => value,
                None => match self.default(&field.kind, field.default.as_ref())? {
                    Some(value) => value,
                    None => {
                        encoding.losses.push(LossKind::NoValue(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                },
            };
            values.push(value);
        }
        if encoding.losses.iter().any(|loss| matches!(loss, LossKind::NoValue(_))) {
            // The target has no blob without this value, but every reader accepts the attributes of the
            // dictionary.
            let declared = inherent.iter().filter(|property| op.field(property.name()).is_some());
            for property in declared.filter(|property| property.value != PropertyValue::Absent) {
                self.as_attribute(property.name(), property, pairs)?;
            }
            return Ok(());
        }
        encoding.properties = Some(EncodedProperties::Known { op: row, values: values.into() });
        Ok(())
    }

    /// Converts a value of the file for a field of the target; `None` if it does not fit.
    pub(crate) fn value(&mut self, kind: &Kind, value: &PropertyValue) -> Result<Option<PropertyValue>> {
        Ok(Some(match (kind, value) {
            (Kind::Attribute { .. }, PropertyValue::Attribute(index)) => {
                PropertyValue::Attribute(AttrId::new(self.pool.attribute(*index)?.number()))
            }
            (Kind::Segments { count, .. }, _) => {
                let Some(mut sizes) = segment_sizes(value, self.entries) else { return Ok(None) };
                if sizes.len() > *count as usize {
                    return Ok(None);
                }
                sizes.extend((sizes.len()..*count as usize).map(|_| 0));
                if self.target.version.has_native_segment_sizes() {
                    PropertyValue::Segments(sizes)
                } else if let PropertyValue::Attribute(index) = value {
                    PropertyValue::Attribute(AttrId::new(self.pool.attribute(*index)?.number()))
                } else {
                    PropertyValue::Attribute(AttrId::new(
                        self.pool.value(&builtin::segment_sizes(&sizes)?)?.number(),
                    ))
                }
            }
            (Kind::String, PropertyValue::String(index)) => {
                let text = self.module.tables().string(*index)?;
                PropertyValue::String(self.pool.string(*index, text))
            }
            (Kind::Array(inner), PropertyValue::Array(items)) => {
                let mut out = Vec::new();
                for item in items {
                    match self.value(inner, item)? {
                        Some(item) => out.push(item),
                        None => return Ok(None),
                    }
                }
                PropertyValue::Array(out)
            }
            (Kind::Optional(inner), PropertyValue::Optional(value)) => PropertyValue::Optional(match value {
                None => None,
                Some(value) => match self.value(inner, value)? {
                    Some(value) => Some(Box::new(value)),
                    None => return Ok(None),
                },
            }),
            (Kind::Int { .. } | Kind::Enum { .. }, PropertyValue::Int(_))
            | (Kind::Bool(_), PropertyValue::Bool(_)) => value.clone(),
            // A dictionary may contain a value that is native in the target.
            (kind, PropertyValue::Attribute(index)) => return Ok(native_of(kind, *index, self.entries)),
            // A native value of the file may be an attribute in the target.
            (Kind::Attribute { .. }, value) => {
                let value = match value {
                    PropertyValue::Int(number) => builtin::integer(builtin::signless(64)?, *number)?,
                    PropertyValue::Bool(value) => builtin::boolean(*value)?,
                    PropertyValue::Segments(sizes) => builtin::segment_sizes(sizes)?,
                    _ => return Ok(None),
                };
                PropertyValue::Attribute(AttrId::new(self.pool.value(&value)?.number()))
            }
            _ => return Ok(None),
        }))
    }

    /// Returns an attribute of the file.
    ///
    /// # Errors
    /// If the file does not have it.
    pub(crate) fn file_attribute(&self, index: AttrId) -> error::Result<Attribute> {
        Attribute::of_file(self.module.tables(), index)?.ok_or_else(|| {
            Error::message(ErrorKind::Index, format!("attribute `{index}` is not in the file"))
        })
    }

    /// Returns a value of the file as the attribute that MLIR converts it to.
    ///
    /// # Errors
    /// If the value is not of its kind, or not in the file.
    pub(crate) fn attribute_form(
        &self,
        field: &PropertyField,
        value: &PropertyValue,
    ) -> error::Result<Attribute> {
        attribute_of(&field.kind, value, &|value| match value {
            PropertyValue::String(index) => builtin::string(self.module.tables().string(*index)?),
            PropertyValue::Attribute(index) => self.file_attribute(*index),
            _ => builtin::unit(),
        })
    }

    /// Returns the default of a field, parsed once.
    fn default_attribute(&self, text: &str) -> error::Result<Attribute> {
        if let Some(known) = self.defaults.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(known.clone());
        }
        let value = Attribute::parse(text)?;
        self.defaults.lock().unwrap_or_else(PoisonError::into_inner).insert(text.into(), value.clone());
        Ok(value)
    }

    /// Returns the default that MLIR uses for a field without a value; `None` if it is required.
    pub(crate) fn default(
        &mut self,
        kind: &Kind,
        default: Option<&DefaultValue>,
    ) -> Result<Option<PropertyValue>> {
        let text = match default {
            Some(DefaultValue::Text(text)) => Some(&**text),
            _ => None,
        };
        Ok(Some(match (kind, text) {
            (Kind::Attribute { .. }, Some(text)) => {
                let value = self.default_attribute(text)?;
                PropertyValue::Attribute(AttrId::new(self.pool.value(&value)?.number()))
            }
            (Kind::Attribute { is_optional: true, .. }, None) => PropertyValue::Absent,
            (Kind::Attribute { .. }, None) => return Ok(None),
            (Kind::Segments { count, .. }, _) => {
                let sizes: Vec<i32> = (0..*count).map(|_| 0).collect();
                if self.target.version.has_native_segment_sizes() {
                    PropertyValue::Segments(sizes)
                } else {
                    PropertyValue::Attribute(AttrId::new(
                        self.pool.value(&builtin::segment_sizes(&sizes)?)?.number(),
                    ))
                }
            }
            (kind, Some(text)) => match native_of_attribute(kind, &self.default_attribute(text)?) {
                Some(value) => value,
                None => return Ok(empty_native(kind)),
            },
            (kind, None) => return Ok(empty_native(kind)),
        }))
    }

    // ---- properties in the dictionary ----

    pub(super) fn in_dictionary(
        &mut self,
        row: Option<u32>,
        inherent: &[Property<'m>],
        pairs: &mut Vec<Pair>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let schemas = self.schemas.clone();
        let op = row.and_then(|row| schemas.op(row));
        for property in inherent {
            if property.value == PropertyValue::Absent {
                continue;
            }
            let field = op.and_then(|op| op.field(property.name()));
            if op.is_some() && field.is_none() {
                self.not_in_target(property, encoding);
                continue;
            }
            // Native values of the target are not read from dictionaries.
            if field.is_some_and(|field| !field.is_in_dictionary) || !property.field.is_in_dictionary {
                if !self.is_default(property) {
                    encoding.losses.push(LossKind::NativeProperty(property.name().to_owned()));
                }
                continue;
            }
            let name = field.map_or(property.name(), |field| field.name());
            self.as_attribute(name, property, pairs)?;
        }
        Ok(())
    }

    fn as_attribute(&mut self, name: &str, property: &Property<'m>, pairs: &mut Vec<Pair>) -> Result<()> {
        let value = match &property.value {
            PropertyValue::Attribute(index) => self.pool.attribute(*index)?,
            value => {
                let value = self.attribute_form(property.field, value)?;
                self.pool.value(&value)?
            }
        };
        pairs.push((self.pool.string_attribute(name.as_bytes())?, value));
        Ok(())
    }

    fn not_in_target(&self, property: &Property<'m>, encoding: &mut OpEncoding) {
        if !self.is_default(property) {
            encoding.losses.push(LossKind::NotInTarget(property.name().to_owned()));
        }
    }

    pub(crate) fn is_default(&self, property: &Property<'m>) -> bool {
        let Some(DefaultValue::Text(text)) = &property.field.default else {
            return matches!(&property.value, PropertyValue::Optional(None) | PropertyValue::Bool(false))
                || matches!(&property.value, PropertyValue::Array(items) if items.is_empty())
                || matches!(&property.value, PropertyValue::Segments(sizes) if sizes.iter().all(|&size| size == 0));
        };
        let attribute = match &property.value {
            PropertyValue::Absent => return true,
            value => self.attribute_form(property.field, value),
        };
        attribute.and_then(|attribute| Ok(attribute == self.default_attribute(text)?)).unwrap_or(false)
    }
}
