//! Shapes of types and numbers in attributes, as the rules of cost read them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::{Attribute, FieldValue, Type};
use crate::format::id::TypeId;
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The size of a dimension that the type leaves open.
pub(super) const DYNAMIC: i64 = i64::MIN;
/// The greatest number of integers that an attribute has in a rule.
const MAX_NUMBERS: u64 = 1 << 12;

/// The part of a type that decides the cost of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypeShape {
    /// Numbers of one type; `dims` is empty for a number.
    Shaped { dims: Box<[i64]>, bits: u32, is_integer: bool },
    /// A tuple.
    Tuple(Vec<Rc<TypeShape>>),
    /// A token, or a type without numbers of a known width.
    Other,
}

impl TypeShape {
    pub(super) fn is_dynamic(&self) -> bool {
        matches!(self, Self::Shaped { dims, .. } if dims.contains(&DYNAMIC))
    }

    pub(super) fn dims(&self) -> Option<&[i64]> {
        match self {
            Self::Shaped { dims, .. } => Some(dims),
            _ => None,
        }
    }
}

/// The shapes of the types of a module, each read once.
#[derive(Debug)]
pub(super) struct TypeShapes<'m> {
    module: &'m Module,
    budget: Budget,
    shapes: HashMap<TypeId, Rc<TypeShape>>,
}

impl<'m> TypeShapes<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        Self { module, budget: module.tables().work_budget(), shapes: HashMap::new() }
    }

    pub(super) fn get(&mut self, id: TypeId) -> Result<Rc<TypeShape>> {
        if let Some(shape) = self.shapes.get(&id) {
            return Ok(shape.clone());
        }
        let shape = match Type::of_file(self.module.tables(), id)? {
            Some(r#type) => Rc::new(shape_of(&r#type, 0)?),
            None => Rc::new(TypeShape::Other),
        };
        self.budget.spend(2 * size_of::<(TypeId, TypeShape)>() + 8 * shape.dims().map_or(0, <[i64]>::len))?;
        self.shapes.insert(id, shape.clone());
        Ok(shape)
    }

    /// Returns whether a type of the module has an open dimension.
    pub(super) fn has_dynamic_types(&mut self) -> Result<bool> {
        let types = self.module.tables().entry_counts()?.types;
        for index in 0..types {
            if self.get(TypeId::new(index))?.is_dynamic() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tuples in tuples are not followed further.
const MAX_TUPLES: u32 = 8;

fn shape_of(r#type: &Type, depth: u32) -> Result<TypeShape> {
    if let Some((bits, is_integer)) = bits_of(r#type)? {
        return Ok(TypeShape::Shaped { dims: Box::new([]), bits, is_integer });
    }
    let (mut dims, mut element) = (None, None);
    match r#type.class() {
        Some("RankedTensorType" | "MemRefType" | "VectorType") => {}
        Some("TupleType") if depth < MAX_TUPLES => {
            let Some(FieldValue::List(parts)) = r#type.field("types")? else { return Ok(TypeShape::Other) };
            let parts = parts.iter().map(|part| match part {
                FieldValue::Type(part) => shape_of(part, depth + 1).map(Rc::new),
                _ => Ok(Rc::new(TypeShape::Other)),
            });
            return Ok(TypeShape::Tuple(parts.collect::<Result<_>>()?));
        }
        _ => return Ok(TypeShape::Other),
    }
    for (name, field) in r#type.fields()? {
        match (name.as_str(), field) {
            ("shape", FieldValue::List(sizes)) => dims = Some(sizes.iter().map(size_of_dim).collect()),
            ("elementType", FieldValue::Type(of)) => element = bits_of(&of)?,
            _ => {}
        }
    }
    Ok(match (dims, element) {
        (Some(dims), Some((bits, is_integer))) => TypeShape::Shaped { dims, bits, is_integer },
        _ => TypeShape::Other,
    })
}

fn size_of_dim(size: &FieldValue) -> i64 {
    match size {
        FieldValue::Signed(size) => *size,
        FieldValue::Unsigned(size) => i64::try_from(*size).unwrap_or(DYNAMIC),
        _ => DYNAMIC,
    }
}

// The width of a number, and whether it is an integer.
fn bits_of(r#type: &Type) -> Result<Option<(u32, bool)>> {
    if let Some(element) = r#type.number() {
        let is_integer = r#type.class().is_some_and(|class| matches!(class, "IntegerType" | "IndexType"));
        return Ok(Some((element.bits(), is_integer)));
    }
    Ok(match r#type.class() {
        Some("ComplexType") => match r#type.field("elementType")? {
            Some(FieldValue::Type(part)) => part.number().map(|part| (part.bits().saturating_mul(2), false)),
            _ => None,
        },
        Some("UniformQuantizedType" | "UniformQuantizedPerAxisType") => match r#type.field("storageType")? {
            Some(FieldValue::Type(storage)) => storage.number().map(|storage| (storage.bits(), true)),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the integers of an attribute in order: of an integer, an array, a dense array or dense elements.
pub(super) fn numbers(value: &Attribute) -> Option<Vec<i64>> {
    value.integer_elements(MAX_NUMBERS)
}

/// Returns the integers in a field of an attribute.
pub(super) fn field_numbers(value: &Attribute, name: &str) -> Result<Vec<i64>> {
    Ok(match value.field(name)? {
        Some(FieldValue::List(items)) => items.iter().filter_map(field_number).collect(),
        Some(FieldValue::Attribute(array)) => numbers(&array).unwrap_or_default(),
        _ => Vec::new(),
    })
}

/// Returns the integer in a field.
pub(super) fn field_number(field: &FieldValue) -> Option<i64> {
    match field {
        FieldValue::Signed(number) => Some(*number),
        FieldValue::Unsigned(number) => i64::try_from(*number).ok(),
        _ => None,
    }
}

/// Returns the name of an enumerant, the text of a string, or the name of a symbol.
pub(super) fn word(value: &Attribute) -> Result<Option<String>> {
    for name in ["value", "root"] {
        match value.field(name)? {
            Some(FieldValue::String(bytes)) => return Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Some(FieldValue::Attribute(inner)) => return word_of_string(&inner),
            _ => {}
        }
    }
    Ok(None)
}

fn word_of_string(value: &Attribute) -> Result<Option<String>> {
    Ok(match value.field("value")? {
        Some(FieldValue::String(bytes)) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    })
}
