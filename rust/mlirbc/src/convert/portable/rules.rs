//! The rows of `data/vhlo-stablehlo.toml`, as the file has them, and the ones for one operation.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::attr::Attribute;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;
use crate::wire::toml::from_str;
use crate::wire::version::BytecodeVersion;

use super::version::VhloVersion;

/// All rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    pub(super) oldest: VhloVersion,
    pub(super) newest: VhloVersion,
    /// The version of the tools whose bytes are written, as far as they know the version of the artifact.
    pub(super) writer: VhloVersion,
    /// The first version whose artifacts have location ranges.
    pub(super) location_ranges: VhloVersion,
    /// Releases for which a StableHLO module is written, the preferred one first.
    pub(super) releases: Vec<Box<str>>,
    bytecode: Vec<Bytecode>,
    #[serde(rename = "type")]
    pub(super) types: Vec<EntryRow>,
    #[serde(rename = "attribute")]
    pub(super) attributes: Vec<EntryRow>,
    #[serde(rename = "name")]
    pub(super) names: Vec<NameRow>,
    since: BTreeMap<Box<str>, VhloVersion>,
    #[serde(rename = "version")]
    versions: Vec<VersionRow>,
    #[serde(rename = "constraint")]
    constraints: Vec<Constraint>,
    parts: Vec<Parts>,
    #[serde(rename = "value")]
    values: Vec<ValueRow>,
    #[serde(rename = "default")]
    defaults: Vec<Default>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bytecode {
    since: VhloVersion,
    version: u8,
}

/// A class of VHLO and one of another dialect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryRow {
    pub(super) vhlo: Box<str>,
    /// The dialect and the class.
    pub(super) other: Option<Box<str>>,
    /// Its dialect and its text instead, for a type that is always stored as text.
    pub(super) text: Option<[Box<str>; 2]>,
    /// Other names of fields, by their names in VHLO.
    #[serde(default)]
    pub(super) fields: BTreeMap<Box<str>, Box<str>>,
    /// Types in fields of the other class that VHLO does not have.
    #[serde(default)]
    pub(super) fixed: BTreeMap<Box<str>, Box<str>>,
    /// The field that is the encoding of a tensor.
    pub(super) encoding: Option<Box<str>>,
    /// The field that is a string in VHLO and may be a symbol in the other class.
    pub(super) symbol: Option<Box<str>>,
    /// The field of the other class that is an identity map.
    pub(super) identity_map: Option<Box<str>>,
    pub(super) only: Option<Only>,
    /// Whether the other class is a dense array, and the one of VHLO a tensor.
    #[serde(default)]
    pub(super) is_array: bool,
    /// Whether versions of what is inside are not checked.
    #[serde(default)]
    pub(super) is_opaque: bool,
}

/// Where a row applies, if not everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Only {
    ToVhlo,
    FromVhlo,
    Encoding,
    /// The other class has no form in VHLO.
    Never,
}

/// A name in VHLO and in another dialect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameRow {
    /// Without dialect and version.
    pub(super) vhlo: Box<str>,
    pub(super) other: Box<str>,
    /// Applies only directly inside of these operations.
    #[serde(default)]
    pub(super) parents: Vec<Box<str>>,
}

/// A version of an operation after the first one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionRow {
    ops: Vec<Box<str>>,
    pub(super) number: u32,
    pub(super) since: VhloVersion,
    #[serde(default)]
    pub(super) adds: BTreeMap<Box<str>, Constant>,
    pub(super) drops: Option<Dropped>,
    /// The most operands that the version before has.
    pub(super) most_operands: Option<u64>,
    pub(super) most_regions: Option<u32>,
}

/// An attribute that a version does not have any longer: a tensor of this number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dropped {
    pub(super) name: Box<str>,
    pub(super) value: Number,
    pub(super) columns: u64,
    /// The number of rows is the rank of the first operand less this.
    pub(super) rank_less: u64,
}

/// What an operation may only have since a version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Constraint {
    ops: Vec<Box<str>>,
    pub(super) since: VhloVersion,
    pub(super) what: Box<str>,
    pub(super) kind: ConstraintKind,
    pub(super) attribute: Option<Box<str>>,
    pub(super) class: Option<Box<str>>,
    pub(super) number: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ConstraintKind {
    /// The element types of an operand and the result with the same number differ.
    ElementTypes,
    /// An operand has a type of this class.
    OperandType,
    /// An attribute has this class.
    Class,
    /// An attribute has this number in its first field.
    Number,
}

/// One attribute of StableHLO and the attributes of VHLO that its fields are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parts {
    ops: Vec<Box<str>>,
    pub(super) attribute: Box<str>,
    pub(super) class: Box<str>,
    /// Attributes of VHLO by field.
    pub(super) fields: BTreeMap<Box<str>, Box<str>>,
    /// Fields that VHLO does not have; they return as zero.
    #[serde(default)]
    pub(super) lost: Vec<Box<str>>,
    /// Whether StableHLO need not have it.
    #[serde(default)]
    pub(super) is_optional: bool,
}

/// Attributes with one name whose values do not correspond by class.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueRow {
    ops: Vec<Box<str>>,
    kind: ValueKind,
    names: Vec<Box<str>>,
    class: Option<Box<str>>,
}

/// How a value corresponds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ValueKind {
    Unit,
    Symbol,
    Symbols,
    Enum,
    Array,
}

/// An attribute that VHLO requires and StableHLO does not.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Default {
    ops: Vec<Box<str>>,
    pub(super) names: Vec<Box<str>>,
    value: Box<str>,
    pub(super) rows_of: Option<Box<str>>,
    pub(super) columns: Option<u64>,
    pub(super) with: Option<Box<str>>,
    /// Whether it remains in StableHLO, where it is the default of the operation.
    #[serde(default)]
    pub(super) is_kept: bool,
    pub(super) or: Option<Constant>,
    pub(super) r#if: Option<Condition>,
}

/// The other value of a default applies if an attribute has this number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Condition {
    pub(super) name: Box<str>,
    pub(super) number: u64,
}

impl Default {
    /// The value; `None` if it is the element of a tensor.
    ///
    /// # Errors
    /// If it is not an attribute, which tests exclude.
    pub(super) fn constant(&self) -> Result<Option<Attribute>> {
        if self.rows_of.is_some() { Ok(None) } else { Attribute::parse(&*self.value).map(Some) }
    }

    /// The element of a tensor.
    pub(super) fn element(&self) -> Number {
        Number::of(&self.value)
    }
}

/// An element of a tensor: a 64-bit integer or a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "Box<str>")]
pub(super) enum Number {
    Integer(i64),
    Bool(bool),
}

impl Number {
    fn of(text: &str) -> Self {
        match text.parse() {
            Ok(number) => Self::Integer(number),
            Err(_) => Self::Bool(text == "true"),
        }
    }
}

impl From<Box<str>> for Number {
    fn from(text: Box<str>) -> Self {
        Self::of(&text)
    }
}

/// An attribute that a row mentions.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Constant(pub(super) Attribute);

impl TryFrom<String> for Constant {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        Attribute::parse(text).map(Self)
    }
}

impl<'de> Deserialize<'de> for VhloVersion {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error: Error| serde::de::Error::custom(error.to_string()))
    }
}

/// The rows for one operation, by its name in VHLO without version.
#[derive(Debug)]
pub(super) struct OpRules {
    pub(super) stem: Box<str>,
    pub(super) since: VhloVersion,
    /// Ascending.
    pub(super) versions: Vec<&'static VersionRow>,
    pub(super) constraints: Vec<&'static Constraint>,
    pub(super) parts: Vec<&'static Parts>,
    pub(super) defaults: Vec<&'static Default>,
    values: Vec<&'static ValueRow>,
}

impl OpRules {
    /// How the value of an attribute corresponds, and the class of an enumeration.
    pub(super) fn value_kind(&self, name: &str) -> Option<(ValueKind, Option<&'static str>)> {
        let row = self.values.iter().find(|row| row.names.iter().any(|own| **own == *name))?;
        Some((row.kind, row.class.as_deref()))
    }

    /// The number of the newest version.
    pub(super) fn newest(&self) -> u32 {
        self.versions.last().map_or(1, |row| row.number)
    }

    /// The full name of a version in VHLO.
    pub(super) fn name_of(&self, number: u32) -> String {
        format!("vhlo.{}_v{number}", self.stem)
    }
}

impl Rules {
    /// The rows for an operation.
    pub(super) fn of_op(&'static self, stem: &str) -> OpRules {
        let mut versions: Vec<_> = self.versions.iter().collect();
        versions.retain(|row| row.ops.iter().any(|op| **op == *stem));
        order::sort_by_key(&mut versions, |row| row.number);
        let has = |ops: &[Box<str>]| ops.iter().any(|op| **op == *stem);
        OpRules {
            stem: stem.into(),
            since: self.since.get(stem).copied().unwrap_or(self.oldest),
            versions,
            constraints: self.constraints.iter().filter(|row| has(&row.ops)).collect(),
            parts: self.parts.iter().filter(|row| has(&row.ops)).collect(),
            defaults: self.defaults.iter().filter(|row| has(&row.ops)).collect(),
            values: self.values.iter().filter(|row| has(&row.ops)).collect(),
        }
    }

    /// Whether the tools make an operation in a newer version first, and replace it for this one.
    pub(super) fn is_replaced(&self, rules: &OpRules, target: VhloVersion) -> bool {
        let writer = if target <= self.writer { self.writer } else { self.newest };
        rules.versions.iter().any(|row| target < row.since && row.since <= writer)
    }

    /// The version that introduced an operation, by its name in VHLO without the dialect, e.g. `tan_v2`; `None` if it
    /// is not newer than the oldest one, or not known.
    pub(super) fn introduced(&self, name: &str) -> Option<VhloVersion> {
        let (stem, number) = name.rsplit_once("_v")?;
        match number.parse().ok()? {
            1 => self.since.get(stem).copied(),
            number => {
                let has = |row: &&VersionRow| row.number == number && row.ops.iter().any(|op| **op == *stem);
                self.versions.iter().find(has).map(|row| row.since)
            }
        }
    }

    /// The first version whose artifacts may have this version of bytecode.
    pub(super) fn introduced_bytecode(&self, version: BytecodeVersion) -> Option<VhloVersion> {
        let row = self.bytecode.iter().find(|row| u64::from(row.version) >= version.number().into());
        row.map(|row| row.since)
    }

    /// The bytecode version of artifacts for a version.
    pub(super) fn bytecode(&self, version: VhloVersion) -> BytecodeVersion {
        let row = self.bytecode.iter().rev().find(|row| row.since <= version);
        row.and_then(|row| BytecodeVersion::new(row.version.into())).unwrap_or(BytecodeVersion::MAX)
    }
}

/// The shipped rows.
///
/// # Errors
/// If they are invalid, which tests exclude.
pub(super) fn shipped() -> Result<&'static Rules> {
    static SHIPPED: OnceLock<Result<Rules, String>> = OnceLock::new();
    let load = || from_str(include_str!("../../../data/vhlo-stablehlo.toml"));
    let loaded = SHIPPED.get_or_init(|| load().map_err(|error| error.to_string()));
    loaded.as_ref().map_err(|error| {
        Error::message(ErrorKind::DialectTable, format!("the rules of VHLO are invalid: {error}"))
    })
}
