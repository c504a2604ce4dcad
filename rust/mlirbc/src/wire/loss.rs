//! Parts that a bytecode version or a release cannot represent.
//!
//! Owns the description of a loss. Does not find losses: the writers and the release conversion do. They
//! report losses in [`Error::losses`](crate::Error::losses), or leave the parts out with `drop_unsupported`.

use std::fmt;

/// A part that the target version or release cannot represent.
///
/// ```
/// use mlirbc::loss::{Loss, LossKind};
/// let loss = Loss { op: Some("llvm.add".to_owned()), kind: LossKind::NativeProperty("overflowFlags".to_owned()), count: 2, path: None };
/// assert_eq!(loss.to_string(), "2 llvm.add operations: native property `overflowFlags` needs bytecode version 5 or later");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The name of the operations; `None` if the loss does not concern operations.
    pub op: Option<String>,
    /// The kind of the part.
    pub kind: LossKind,
    /// The number of operations, or of occurrences.
    pub count: u64,
    /// The path of the first of the operations; `None` if the loss does not concern operations.
    pub path: Option<String>,
}

/// The kind of a [`Loss`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LossKind {
    /// A property that is not an attribute; versions below 5 cannot represent it.
    NativeProperty(String),
    /// The properties of an operation that was unregistered in the writer.
    PropertyAttribute,
    /// A property blob of unknown layout: the indices in it cannot be renumbered.
    OpaqueProperties,
    /// A use-list order.
    UseListOrders,
    /// The version of a dialect, on which the dialect's operations may depend.
    DialectVersion(String),
    /// The version of a dialect for which the target does not read a version.
    DialectVersionNotInTarget(String),
    /// The second version of a dialect that occurs twice in the file. Only one version can be written.
    SecondDialectVersion(String),
    /// A property that the target's operation does not have.
    NotInTarget(String),
    /// A property whose value is of a class that the target's operation does not accept. Readers reject or ignore it.
    NotOfClass(String),
    /// A property without a value that the target's operation requires.
    NoValue(String),
    /// The target's operation has another number of operands, results or regions. The value is the number in
    /// the file.
    CountNotInTarget(String),
    /// Releases before and after the target have another number of operands, results or regions. The value is
    /// the number in the file.
    CountNotKnown(String),
    /// The layout of the properties in the target is not known, so they cannot be written. No option accepts this loss.
    UnknownLayout,
    /// A case of an enumeration that the target does not have, and the property.
    NoSuchCase(String, String),
    /// The rule of the target's definition that the operation breaks.
    BreaksRule(String),
    /// For the target `any`: the releases that do not read the file, or read it differently, and the reason.
    NotReadBy(String, Box<LossKind>),
    /// A part of the operation has another form in a release that must read the file. The value is the part.
    OtherForm(String),
    /// The rules of the target's definitions were not checked: memory does not suffice for the operations of the module.
    RulesNotChecked,
    /// The target does not have the operation.
    NoSuchOp,
    /// An attribute or type, given as text, that the target cannot read.
    NoSuchEntry(String),
    /// An attribute that shares a distinct attribute with another attribute. The target reads one of the two
    /// as text, and each text creates its own distinct attributes.
    SplitsDistinct(String),
    /// An attribute of the dictionary that is a property in the target, but not in the release of the file.
    GainsMeaning(String),
    /// An attribute or a type that VHLO, the dialect of portable artifacts, does not have.
    NoVhloForm(String),
    /// An attribute or a type of VHLO that StableHLO does not have.
    NoStablehloForm(String),
    /// A sharding of Shardy that HLO does not have.
    NoHloForm(String),
    /// A part that an artifact for an older version of StableHLO cannot hold: the first version that can hold
    /// it, and the part.
    NeedsStablehlo(String, String),
    /// An operation of another dialect, which the caller does not allow in an artifact.
    OtherDialect,
    /// Location ranges. The target has single positions only, so the start is kept.
    LocationRange,
}

impl LossKind {
    /// Returns the name: `native_property`, `property_attribute`, `opaque_properties`, `use_list_orders`, `dialect_version`,
    /// `dialect_version_not_in_target`, `second_dialect_version`, `not_in_target`, `not_of_class`, `no_value`, `count_not_in_target`, `count_not_known`, `unknown_layout`, `no_such_case`, `breaks_rule`, `not_read_by`, `other_form`, `rules_not_checked`, `no_such_op`, `no_such_entry`, `splits_distinct`, `gains_meaning`, `no_vhlo_form`,
    /// `no_stablehlo_form`, `no_hlo_form`, `needs_stablehlo`, `other_dialect`, `location_range`.
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
            Self::CountNotInTarget(_) => "count_not_in_target",
            Self::CountNotKnown(_) => "count_not_known",
            Self::UnknownLayout => "unknown_layout",
            Self::NoSuchCase(..) => "no_such_case",
            Self::BreaksRule(_) => "breaks_rule",
            Self::NotReadBy(..) => "not_read_by",
            Self::OtherForm(_) => "other_form",
            Self::RulesNotChecked => "rules_not_checked",
            Self::NoSuchOp => "no_such_op",
            Self::NoSuchEntry(_) => "no_such_entry",
            Self::SplitsDistinct(_) => "splits_distinct",
            Self::GainsMeaning(_) => "gains_meaning",
            Self::NoVhloForm(_) => "no_vhlo_form",
            Self::NoStablehloForm(_) => "no_stablehlo_form",
            Self::NoHloForm(_) => "no_hlo_form",
            Self::NeedsStablehlo(..) => "needs_stablehlo",
            Self::OtherDialect => "other_dialect",
            Self::LocationRange => "location_range",
        }
    }

    /// Returns the property, the dialect, or the text of the attribute or type.
    #[doc(hidden)]
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
            | Self::SplitsDistinct(name)
            | Self::NoVhloForm(name)
            | Self::NoStablehloForm(name)
            | Self::NoHloForm(name)
            | Self::NeedsStablehlo(_, name)
            | Self::CountNotInTarget(name)
            | Self::CountNotKnown(name)
            | Self::BreaksRule(name)
            | Self::NoSuchCase(_, name)
            | Self::OtherForm(name)
            | Self::GainsMeaning(name) => Some(name),
            Self::NotReadBy(_, kind) => kind.subject(),
            _ => None,
        }
    }

    /// Returns the effect of `drop_unsupported`: `left out`, `shortened` if a part remains, `split` if one
    /// part becomes two, or `kept` if the target refuses it all the same.
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::LocationRange => "shortened",
            Self::SplitsDistinct(_) => "split",
            Self::BreaksRule(_) | Self::CountNotInTarget(_) | Self::CountNotKnown(_) => "kept",
            Self::RulesNotChecked | Self::UnknownLayout => "kept",
            Self::NotReadBy(..) | Self::OtherForm(_) => "kept",
            _ => "left out",
        }
    }

    /// The bytes of the kind and its texts.
    pub(crate) fn memory(&self) -> usize {
        size_of::<Self>() + self.subject().map_or(0, str::len)
    }

    /// Whether the target refuses or misreads the part also with `drop_unsupported`, because nothing can be omitted.
    pub(crate) fn is_kept(&self) -> bool {
        self.outcome() == "kept"
    }

    /// Whether no meaning is lost: a target release is then written to, and the loss is reported as a note.
    ///
    /// ```
    /// use mlirbc::loss::LossKind;
    /// assert!(LossKind::UseListOrders.is_harmless());
    /// assert!(!LossKind::NoSuchOp.is_harmless());
    /// ```
    pub fn is_harmless(&self) -> bool {
        matches!(self, Self::UseListOrders | Self::LocationRange | Self::RulesNotChecked)
    }

    /// Returns the lowest bytecode version that can represent the part; `None` if no version can.
    #[doc(hidden)]
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
            Self::PropertyAttribute => f.write_str("the property attribute of an unregistered operation")?,
            Self::OpaqueProperties => {
                f.write_str("the layout of the properties is unknown, so they cannot be renumbered")?;
            }
            Self::UseListOrders => f.write_str("a use-list order")?,
            Self::DialectVersion(name) => {
                write!(f, "the version of dialect {name}, on which its operations may depend,")?;
            }
            Self::DialectVersionNotInTarget(name) => {
                write!(f, "the target does not read a version of dialect {name}")?;
            }
            Self::SecondDialectVersion(name) => {
                write!(
                    f,
                    "dialect {name} has two versions in the file, and only one of them can be written"
                )?;
            }
            Self::NotInTarget(name) => write!(f, "the target has no property `{name}`")?,
            Self::NotOfClass(name) => write!(f, "the target does not accept the class of property `{name}`")?,
            Self::NoValue(name) => write!(f, "the target requires property `{name}`, which has no value")?,
            Self::CountNotInTarget(count) => write!(f, "the operation of the target cannot have {count}")?,
            Self::CountNotKnown(count) => {
                write!(f, "it has {count}, and releases before and after the target differ in what they accept")?;
            }
            Self::UnknownLayout => {
                f.write_str("the layout of its properties in the target is not known")?;
            }
            Self::NoSuchCase(case, name) => {
                write!(f, "the target has no case `{case}` of property `{name}`")?
            }
            Self::BreaksRule(rule) => write!(f, "the target refuses it: {rule}")?,
            Self::NotReadBy(releases, kind) => write!(f, "{releases} cannot read it as it is: {kind}")?,
            Self::OtherForm(part) => write!(f, "the target has {part} instead")?,
            Self::RulesNotChecked => f.write_str(
                "the result was not checked with the rules of the target, which needs more memory than the limit allows",
            )?,
            Self::NoSuchOp => f.write_str("the target does not have the operation")?,
            Self::NoSuchEntry(text) => write!(f, "the target cannot read `{text}`")?,
            Self::SplitsDistinct(text) => {
                write!(f, "`{text}` would no longer share its distinct attribute with another attribute")?;
            }
            Self::GainsMeaning(name) => {
                write!(
                    f,
                    "attribute `{name}` is a property in the target, but not in the release of the file"
                )?;
            }
            Self::NoVhloForm(name) => write!(f, "`{name}` has no form in VHLO")?,
            Self::NoStablehloForm(name) => write!(f, "`{name}` has no form in StableHLO")?,
            Self::NoHloForm(name) => write!(f, "HLO does not have {name}")?,
            Self::NeedsStablehlo(version, what) => write!(f, "{what} needs StableHLO {version} or later")?,
            Self::OtherDialect => f.write_str("only operations of StableHLO are allowed in the artifact")?,
            Self::LocationRange => {
                f.write_str("the target cannot represent location ranges, only their start")?;
            }
        }
        match self.lowest_version() {
            Some(version) => write!(f, " needs bytecode version {version} or later"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_counted(f, (self.op.as_deref(), self.count), &self.kind)
    }
}

/// Writes the subject of a sentence: a number of operations with a name, or of attributes and types.
pub(super) fn write_counted(
    f: &mut fmt::Formatter<'_>,
    (op, count): (Option<&str>, u64),
    sentence: &dyn fmt::Display,
) -> fmt::Result {
    match op {
        Some(op) if count == 1 => write!(f, "1 {op} operation: {sentence}"),
        Some(op) => write!(f, "{count} {op} operations: {sentence}"),
        None if count == 1 => sentence.fmt(f),
        None => write!(f, "{sentence} ({count} times)"),
    }
}
