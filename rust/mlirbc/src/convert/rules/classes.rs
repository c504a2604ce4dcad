//! Rows that only two dialects have: classes that correspond, and versions of operations.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Names, Since, VhloVersion};
use crate::wire::version::BytecodeVersion;

/// The versions of a dialect whose operations have versions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Portable {
    pub(in crate::convert) oldest: VhloVersion,
    pub(in crate::convert) newest: VhloVersion,
    /// The version of the tools whose bytes are written, as far as they know the version of the artifact.
    pub(in crate::convert) writer: VhloVersion,
    /// The first version whose artifacts have location ranges.
    pub(in crate::convert) location_ranges: VhloVersion,
    /// Releases for which a StableHLO module is written, the preferred one first.
    pub(in crate::convert) releases: Vec<Box<str>>,
    bytecode: Vec<Bytecode>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bytecode {
    at: VhloVersion,
    version: u8,
}

impl Portable {
    /// Returns the first version whose artifacts may have this version of bytecode.
    pub(in crate::convert) fn introduced_bytecode(&self, version: BytecodeVersion) -> Option<VhloVersion> {
        let row = self.bytecode.iter().find(|row| u64::from(row.version) >= version.number().into());
        row.map(|row| row.at)
    }

    /// Returns the bytecode version of artifacts for a version.
    pub(in crate::convert) fn bytecode(&self, version: VhloVersion) -> BytecodeVersion {
        let row = self.bytecode.iter().rev().find(|row| row.at <= version);
        row.and_then(|row| BytecodeVersion::new(row.version.into())).unwrap_or(BytecodeVersion::MAX)
    }
}

/// A class of VHLO and its class in another dialect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct ClassRow {
    pub(in crate::convert) vhlo: Box<str>,
    /// The dialect and the class.
    pub(in crate::convert) other: Option<Box<str>>,
    /// The dialect and the text instead, for a type that is always stored as text.
    pub(in crate::convert) text: Option<[Box<str>; 2]>,
    /// Other names of fields, by their names in VHLO.
    #[serde(default)]
    pub(in crate::convert) fields: BTreeMap<Box<str>, Box<str>>,
    /// Types of fields that the other class has and VHLO does not.
    #[serde(default)]
    pub(in crate::convert) fixed: BTreeMap<Box<str>, Box<str>>,
    /// The field that is the encoding of a tensor.
    pub(in crate::convert) encoding: Option<Box<str>>,
    /// The field that is a string in VHLO and may be a symbol in the other class.
    pub(in crate::convert) symbol: Option<Box<str>>,
    /// The field of the other class that is an identity map.
    pub(in crate::convert) identity_map: Option<Box<str>>,
    pub(in crate::convert) only: Option<Only>,
    /// Whether the other class is a dense array, and the class of VHLO a tensor.
    #[serde(default)]
    pub(in crate::convert) is_array: bool,
    /// Whether versions of inner entries are not checked.
    #[serde(default)]
    pub(in crate::convert) is_opaque: bool,
}

/// The place where a row applies, if not everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::convert) enum Only {
    ToVhlo,
    FromVhlo,
    Encoding,
    /// The other class has no form in VHLO.
    Never,
}

/// A version of an operation after the first one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct VersionRow {
    pub(in crate::convert) op: Names,
    pub(in crate::convert) number: u32,
    pub(in crate::convert) at: Since,
    /// The number of operands of the version before.
    pub(in crate::convert) operands_before: Option<u64>,
    /// The most regions of the version before.
    pub(in crate::convert) most_regions_before: Option<u32>,
}

/// A part that an operation may only have since a version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct Constraint {
    pub(in crate::convert) op: Names,
    pub(in crate::convert) at: Since,
    pub(in crate::convert) what: Box<str>,
    pub(in crate::convert) kind: ConstraintKind,
    pub(in crate::convert) attribute: Option<Box<str>>,
    pub(in crate::convert) class: Option<Box<str>>,
    pub(in crate::convert) number: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::convert) enum ConstraintKind {
    /// The element types of an operand and the result with the same number differ.
    ElementTypes,
    /// An operand has a type of this class.
    OperandType,
    /// An attribute has this class.
    Class,
    /// An attribute has this number in its first field.
    Number,
}

/// An attribute of StableHLO whose fields are attributes of VHLO.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::convert) struct SplitAttribute {
    pub(in crate::convert) op: Names,
    pub(in crate::convert) attribute: Box<str>,
    pub(in crate::convert) class: Box<str>,
    /// Attributes of VHLO by field.
    pub(in crate::convert) fields: BTreeMap<Box<str>, Box<str>>,
    /// Fields that VHLO does not have; they return as zero.
    #[serde(default)]
    pub(in crate::convert) lost: Vec<Box<str>>,
    /// Whether StableHLO may omit the attribute.
    #[serde(default)]
    pub(in crate::convert) is_optional: bool,
}
