//! What a version or a release cannot hold.

use std::fmt;

/// Something that cannot be written.
///
/// ```
/// use mlirbc::{Loss, LossKind};
/// let loss = Loss { op: Some("llvm.add".to_owned()), kind: LossKind::NativeProperty("overflowFlags".to_owned()), count: 2 };
/// assert_eq!(loss.to_string(), "2 of llvm.add: native property `overflowFlags` (version 5 could hold it)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The op's name; `None` for what belongs to no op.
    pub op: Option<String>,
    /// What it is.
    pub kind: LossKind,
    /// How many ops, or things, it concerns.
    pub count: u64,
}

/// What cannot be written.
///
/// ```
/// assert_eq!(mlirbc::LossKind::PropertyAttribute.lowest_version(), Some(5));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LossKind {
    /// A property that is no attribute; versions below 5 have no place for it.
    NativeProperty(String),
    /// The properties of an op that its writer did not know.
    PropertyAttribute,
    /// A blob that no schema explains: the numbers in it cannot be changed.
    OpaqueProperties,
    /// The order of uses.
    UseListOrders,
    /// The version of a dialect, on which the dialect's operations may depend.
    DialectVersion(String),
    /// The same; the target reads no version of the dialect.
    DialectVersionNotInTarget(String),
    /// A second version of a dialect that the file has twice: one is written, and readers upgrade operations for each.
    SecondDialectVersion(String),
    /// The target's op has no such property.
    NotInTarget(String),
    /// The target's op takes this property, but no value of that class: readers refuse it, or drop it in silence.
    NotOfClass(String),
    /// The target's op requires this property, and there is no value for it.
    NoValue(String),
    /// The target does not have the op.
    NoSuchOp,
    /// The target cannot read this attribute or type, given as text.
    NoSuchEntry(String),
    /// An attribute of the dictionary that the target's op reads, and the op of the file's release does not.
    GainsMeaning(String),
    /// Locations that are ranges; the target has single positions only, and they become their start.
    LocationRange,
}

impl LossKind {
    /// Its name: `native_property`, `property_attribute`, `opaque_properties`, `use_list_orders`, `dialect_version`,
    /// `dialect_version_not_in_target`, `second_dialect_version`, `not_in_target`, `not_of_class`, `no_value`, `no_such_op`, `no_such_entry`, `gains_meaning`, `location_range`.
    ///
    /// ```
    /// assert_eq!(mlirbc::LossKind::UseListOrders.name(), "use_list_orders");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Self::NativeProperty(_) => "native_property",
            Self::PropertyAttribute => "property_attribute",
            Self::OpaqueProperties => "opaque_properties",
            Self::UseListOrders => "use_list_orders",
            Self::DialectVersion(_) => "dialect_version",
            Self::DialectVersionNotInTarget(_) => "dialect_version_not_in_target",
            Self::SecondDialectVersion(_) => "second_dialect_version",
            Self::NotInTarget(_) => "not_in_target",
            Self::NotOfClass(_) => "not_of_class",
            Self::NoValue(_) => "no_value",
            Self::NoSuchOp => "no_such_op",
            Self::NoSuchEntry(_) => "no_such_entry",
            Self::GainsMeaning(_) => "gains_meaning",
            Self::LocationRange => "location_range",
        }
    }

    /// The property, the dialect, or the text of the attribute or type, that it concerns.
    ///
    /// ```
    /// assert_eq!(mlirbc::LossKind::NoValue("callee".to_owned()).subject(), Some("callee"));
    /// ```
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::NativeProperty(name)
            | Self::NotInTarget(name)
            | Self::NotOfClass(name)
            | Self::NoValue(name)
            | Self::DialectVersion(name)
            | Self::DialectVersionNotInTarget(name)
            | Self::SecondDialectVersion(name)
            | Self::NoSuchEntry(name)
            | Self::GainsMeaning(name) => Some(name),
            _ => None,
        }
    }

    /// What happens to it when it is written anyway: `left out`, or `shortened` when a part of it is written.
    ///
    /// ```
    /// assert_eq!(mlirbc::LossKind::LocationRange.outcome(), "shortened");
    /// ```
    pub fn outcome(&self) -> &'static str {
        if matches!(self, Self::LocationRange) { "shortened" } else { "left out" }
    }

    /// The lowest bytecode version that could hold it; `None` when none could.
    ///
    /// ```
    /// assert_eq!(mlirbc::LossKind::UseListOrders.lowest_version(), Some(3));
    /// ```
    pub fn lowest_version(&self) -> Option<u8> {
        match self {
            Self::NativeProperty(_) | Self::PropertyAttribute => Some(5),
            Self::UseListOrders => Some(3),
            Self::DialectVersion(_) => Some(1),
            _ => None,
        }
    }
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NativeProperty(name) => write!(f, "native property `{name}`")?,
            Self::PropertyAttribute => f.write_str("properties of an op that its writer did not know")?,
            Self::OpaqueProperties => f.write_str("properties of unknown layout")?,
            Self::UseListOrders => f.write_str("order of uses")?,
            Self::DialectVersion(name) => {
                write!(f, "version of the dialect {name}, on which its operations may depend")?;
            }
            Self::DialectVersionNotInTarget(name) => {
                write!(f, "version of the dialect {name}, which the target does not read")?;
            }
            Self::SecondDialectVersion(name) => {
                write!(f, "second version of the dialect {name}, on which its operations may depend")?;
            }
            Self::NotInTarget(name) => write!(f, "property `{name}`, which the target does not have")?,
            Self::NotOfClass(name) => {
                write!(f, "property `{name}`, whose value is of a class that the target does not take")?
            }
            Self::NoValue(name) => write!(f, "no value for property `{name}`, which the target requires")?,
            Self::NoSuchOp => f.write_str("the target does not have the op")?,
            Self::NoSuchEntry(text) => write!(f, "`{text}`, which the target cannot read")?,
            Self::GainsMeaning(name) => {
                write!(f, "attribute `{name}`, which means something only to the target's op")?;
            }
            Self::LocationRange => f.write_str("ranges of locations, which become their start")?,
        }
        match self.lowest_version() {
            Some(version) => write!(f, " (version {version} could hold it)"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.op {
            Some(op) => write!(f, "{} of {op}: {}", self.count, self.kind),
            None => write!(f, "{}: {}", self.count, self.kind),
        }
    }
}
