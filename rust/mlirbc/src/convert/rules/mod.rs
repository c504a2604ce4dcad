//! The language of the rows that say how modules are translated: between releases, and between StableHLO and VHLO.
//!
//! Owns the content of rows and the moment since when each holds; `data/translation/releases.toml` explains
//! the keys. Does not apply the rows: [`release`](super::release) and [`portable`](super::portable) do.

mod classes;
mod names;
mod property;
mod rows;
mod since;
mod vhlo_version;

use serde::Deserialize;

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::toml::from_str;

pub(super) use classes::{ClassRow, Constraint, ConstraintKind, Only, Portable, SplitAttribute, VersionRow};
pub(super) use names::{Names, covers};
pub(super) use property::{Number, PropertyRule, ValueKind};
pub(super) use rows::{
    AddedSegments, ElementTypeRule, Elements, FieldRule, FieldsRule, FirstValue, GroupName, GroupSize,
    IncompatibleForm, MissingText, NewDefault, NumbersOnlySymbol, OpRule, OperandOrder, Regions,
    ReplacedTerminator, RequiredAttribute, Terminator, Text, UndeclaredAttributes,
};
pub(super) use since::Since;
pub use vhlo_version::VhloVersion;

use rows::OperandGroups;

/// The rows of one file of `data/translation`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
pub(super) struct TranslationRows {
    /// The versions of the dialect on one side; only between StableHLO and VHLO.
    pub(super) portable: Option<Portable>,
    pub(super) op: Vec<OpRule>,
    #[serde(deserialize_with = "property::one_for_each_name")]
    pub(super) property: Vec<PropertyRule>,
    pub(super) operands: Vec<OperandOrder>,
    pub(super) group: Vec<GroupName>,
    pub(super) segments: Vec<AddedSegments>,
    /// The names of operand groups, by release and operation.
    pub(super) operand_groups: OperandGroups,
    pub(super) regions: Vec<Regions>,
    pub(super) terminator: Vec<Terminator>,
    pub(super) replaced_terminator: Vec<ReplacedTerminator>,
    pub(super) undeclared: Vec<UndeclaredAttributes>,
    pub(super) required: Vec<RequiredAttribute>,
    pub(super) incompatible: Vec<IncompatibleForm>,
    pub(super) version: Vec<VersionRow>,
    pub(super) constraint: Vec<Constraint>,
    pub(super) parts: Vec<SplitAttribute>,
    pub(super) text: Vec<Text>,
    pub(super) missing: Vec<MissingText>,
    pub(super) only_numbers: Vec<NumbersOnlySymbol>,
    pub(super) element_type: Vec<ElementTypeRule>,
    pub(super) field: Vec<FieldRule>,
    pub(super) fields: Vec<FieldsRule>,
    pub(super) elements: Vec<Elements>,
    pub(super) r#type: Vec<ClassRow>,
    pub(super) attribute: Vec<ClassRow>,
}

impl TranslationRows {
    /// Reads a file of rows.
    ///
    /// # Errors
    /// If a row is invalid, which tests exclude for the shipped files.
    pub(super) fn load(text: &str) -> Result<Self> {
        from_str(text).map_err(|error| Error::message(ErrorKind::DialectTable, error.message().to_owned()))
    }
}

/// The error for a shipped file with an invalid row.
pub(super) fn invalid(file: &str, reason: &str) -> Error {
    Error::message(ErrorKind::DialectTable, format!("the rows of `{file}` are invalid: {reason}"))
}
