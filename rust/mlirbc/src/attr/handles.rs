//! The handles of attributes and types, which the root of the crate names.

use super::Handle;

/// A standalone attribute. Cheap to clone; equal to every attribute with the same structure.
///
/// Distinct attributes are equal only to themselves and their copies. Methods that cannot return an error
/// behave as follows when a mapped file loses bytes: the value equals nothing but the same entry, its
/// hash is constant, and its text is `<<UNREADABLE>>`; [`Self::fields`] and [`Self::to_text`] return the
/// error.
///
/// ```
/// use mlirbc::attr::FieldValue;
/// use mlirbc::Attribute;
/// let unit = Attribute::build("builtin", "UnitAttr", &[])?;
/// let list = FieldValue::List(vec![FieldValue::Attribute(unit.clone())]);
/// let array = Attribute::build("builtin", "ArrayAttr", &[("value", list)])?;
/// assert_eq!(array.to_string(), "[unit]");
/// assert_eq!(unit, Attribute::build("builtin", "UnitAttr", &[])?);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Attribute(pub(crate) Handle);

/// A standalone type. Cheap to clone; equal to every type with the same structure.
///
/// ```
/// use mlirbc::attr::FieldValue;
/// use mlirbc::Type;
/// let i8 = Type::build("builtin", "IntegerType", &[("widthAndSign", FieldValue::Unsigned(8 << 2))])?;
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// assert_eq!(module.type_at(mlirbc::ir::TypeId::new(0))?, Some(i8));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Type(pub(crate) Handle);
