//! The lowest version of StableHLO that reads a portable artifact.
//!
//! An artifact names the version that it was written for, but a reader only needs to know its contents. Each
//! operation, attribute and type of VHLO has the version that introduced it; some constraints were loosened
//! without a new name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::attr::{FieldValue, Type};
use crate::convert::portable::{self, SerializeOptions, VhloVersion};
use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::ir::{Module, Operation};
use crate::release::vhlo::{NEWEST_SCHEMA, OLDEST, OTHER_DIALECTS, Version, parse, text};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::loss::{Loss, LossKind};
use crate::wire::order;

use crate::artifact::nested::named;
use crate::artifact::nested::named_attributes;

/// The versions of StableHLO that read a portable artifact, or the artifact that a StableHLO module would
/// become.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StableHloVersions {
    /// Whether the module is an artifact. The text form and the bytecode of StableHLO itself are not
    /// guaranteed to work across versions; for such a module, the versions apply to the artifacts that can be
    /// made from it.
    pub is_artifact: bool,
    /// The version that the writer of the artifact aimed at, according to the producer string.
    pub written_for: Option<String>,
    /// The lowest version that supports everything in the module; `None` if mlirbc does not know something in
    /// it, or if artifacts cannot contain something.
    pub minimum: Option<String>,
    /// Features newer than version 0.9.0, the newest first.
    pub requirements: Vec<Requirement>,
}

/// Something that needs a version of StableHLO.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Requirement {
    /// The lowest version with the feature; `None` if mlirbc knows no such version.
    pub version: Option<String>,
    /// The feature, e.g. `vhlo.tan_v1`, or the value of an attribute of an operation.
    pub feature: String,
    #[serde(skip)]
    pub(crate) kind: RequirementKind,
}

/// The source of a requirement: VHLO, or other contents of a portable artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RequirementKind {
    Vhlo,
    /// Operations, attributes or types of Shardy.
    Shardy,
    /// Operations, attributes or types of other dialects.
    OtherDialects,
    LocationRanges,
}

impl RequirementKind {
    fn of_dialect(name: &str) -> Self {
        if name == "sdy" { Self::Shardy } else { Self::OtherDialects }
    }
}

const LOCATION_RANGES: Version = [1, 9, 0];
const PROMOTION: Version = [0, 17, 0];
const TYPED_CALL: Version = [1, 3, 0];
const FUTURE_OPERAND: Version = [1, 17, 0];

/// Constraints of operations that depend on more than the name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constraint {
    None,
    /// Results may have other element types than operands.
    Promotion,
    CustomCall,
}

/// Collects features and the versions that they need.
pub(super) struct Finder<'m> {
    module: &'m Module,
    constraints: Vec<Constraint>,
    needs: BTreeMap<Version, BTreeSet<(String, RequirementKind)>>,
    unknown: BTreeSet<String>,
    element_types: HashMap<TypeId, Option<TypeId>>,
}

impl<'m> Finder<'m> {
    pub(super) fn new(module: &'m Module) -> Result<Self> {
        let mut this = Self {
            module,
            constraints: Vec::new(),
            needs: BTreeMap::new(),
            unknown: BTreeSet::new(),
            element_types: HashMap::new(),
        };
        for id in 0..module.tables().dialect_section()?.op_names.len() {
            let name = module.op_name(OpNameId::new(id as u32));
            let name = name.map(|name| name.full().into_owned()).unwrap_or_default();
            let constraint = this.op_name(&name);
            this.constraints.push(constraint);
        }
        Ok(this)
    }

    fn op_name(&mut self, name: &str) -> Constraint {
        let Some(stem) = name.strip_prefix("vhlo.") else {
            if name != "builtin.module" {
                let feature = format!("an operation of another dialect (`{name}`)");
                let dialect = name.split('.').next().unwrap_or_default();
                self.need_of(RequirementKind::of_dialect(dialect), OTHER_DIALECTS, feature);
            }
            return Constraint::None;
        };
        match portable::introduced(stem).map(VhloVersion::numbers) {
            Some(since) => self.need(since, name.to_owned()),
            None if !is_known(self.module, name) => drop(self.unknown.insert(name.to_owned())),
            None => {}
        }
        match stem {
            "all_reduce_v1"
            | "reduce_v1"
            | "reduce_scatter_v1"
            | "reduce_window_v1"
            | "scatter_v1"
            | "select_and_scatter_v1" => Constraint::Promotion,
            "custom_call_v1" => Constraint::CustomCall,
            _ => Constraint::None,
        }
    }

    fn need(&mut self, version: Version, feature: String) {
        self.need_of(RequirementKind::Vhlo, version, feature);
    }

    fn need_of(&mut self, kind: RequirementKind, version: Version, feature: String) {
        if version > OLDEST {
            let features = self.needs.entry(version).or_default();
            // The first name of a dialect represents all its names.
            let is_dialect = matches!(kind, RequirementKind::Shardy | RequirementKind::OtherDialects);
            if !is_dialect || !features.iter().any(|(_, known)| *known == kind) {
                features.insert((feature, kind));
            }
        }
    }

    pub(super) fn visit(&mut self, op: &Operation<'m>) -> Result<()> {
        match self.constraints.get(op.name_id().index()) {
            Some(Constraint::Promotion) => {
                for (operand, result) in op.operands().zip(op.results()) {
                    if self.element(operand.r#type())? != self.element(result.r#type())? {
                        self.need(PROMOTION, format!("{} with results of another element type", op.name()));
                    }
                }
            }
            Some(Constraint::CustomCall) => {
                let attributes = named_attributes(op)?;
                let class = |name: &str| named(&attributes, name).and_then(|value| value.class());
                let api = named(&attributes, "api_version").map_or(Ok(None), |value| value.field("value"))?;
                if class("backend_config") == Some("DictionaryV1Attr") || api == Some(FieldValue::Unsigned(4))
                {
                    self.need(TYPED_CALL, "custom calls with a typed interface".to_owned());
                }
                for operand in op.operands() {
                    let operand_type = Type::of_file(self.module.tables(), operand.r#type())?;
                    if operand_type.is_some_and(|operand_type| operand_type.class() == Some("FutureV1Type")) {
                        self.need(FUTURE_OPERAND, "custom calls with futures as operands".to_owned());
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, id: TypeId) -> Result<Option<TypeId>> {
        if let Some(&known) = self.element_types.get(&id) {
            return Ok(known);
        }
        let type_value = Type::of_file(self.module.tables(), id)?;
        let element = match type_value.map_or(Ok(None), |type_value| type_value.field("elementType"))? {
            Some(FieldValue::Type(element)) => element.id(),
            _ => None,
        };
        self.element_types.insert(id, element);
        Ok(element)
    }

    /// Returns the versions, including the requirements of attributes and types.
    pub(super) fn finish(mut self) -> Result<StableHloVersions> {
        let counts = self.module.tables().entry_counts()?;
        let entries = self.module.tables().entries()?;
        let attributes = AttrId::rows(0..counts.attributes).map(EntryRef::Attribute);
        for of in attributes.chain(TypeId::rows(0..counts.types).map(EntryRef::Type)) {
            let Some(entry) = entries.raw(of) else { continue };
            match (entry.dialect, entry.form(of).ok().flatten()) {
                (b"vhlo", Some(form)) => {
                    let since = form.since.as_deref().and_then(|since| <Version>::try_from(since).ok());
                    let sigil = if matches!(of, EntryRef::Type(_)) { '!' } else { '#' };
                    let mnemonic = form.mnemonic.as_deref().unwrap_or(&form.name);
                    self.need(since.unwrap_or(OLDEST), format!("{sigil}vhlo.{mnemonic}"));
                }
                (b"builtin", Some(form)) if *form.name == *"FileLineColRange" => {
                    let feature = "a location that is a range of a file".to_owned();
                    self.need_of(RequirementKind::LocationRanges, LOCATION_RANGES, feature);
                }
                (b"vhlo", None) => drop(self.unknown.insert("attributes or types of vhlo".to_owned())),
                (b"builtin", _) => {}
                (other, _) => {
                    let dialect = String::from_utf8_lossy(other);
                    let feature = format!("an attribute or a type of another dialect (`{dialect}`)");
                    self.need_of(RequirementKind::of_dialect(&dialect), OTHER_DIALECTS, feature);
                }
            }
        }
        let version = self.module.tables().bytecode().version().number();
        if let Some(since) = portable::introduced_bytecode(self.module.tables().bytecode().version()) {
            self.need(since.numbers(), format!("bytecode version {version}"));
        }
        let minimum = self.needs.keys().next_back().copied().unwrap_or(OLDEST);
        let known_features = self.needs.into_iter().rev().flat_map(|(version, features)| {
            let version = text(version);
            let row = move |(feature, kind)| Requirement { version: Some(version.clone()), feature, kind };
            features.into_iter().map(row)
        });
        let unknown = self.unknown.into_iter().map(|feature| Requirement {
            version: None,
            feature,
            kind: RequirementKind::Vhlo,
        });
        let requirements: Vec<_> = unknown.chain(known_features).collect();
        let is_known = requirements.iter().all(|requirement| requirement.version.is_some());
        Ok(StableHloVersions {
            is_artifact: true,
            written_for: written_for(self.module.tables().bytecode().producer()),
            minimum: is_known.then(|| text(minimum)),
            requirements,
        })
    }
}

/// Returns the versions that can represent the artifact of a StableHLO module, and the operations that
/// require them.
pub(super) fn of_artifacts(module: &Module) -> Result<StableHloVersions> {
    let (minimum, losses) = match portable::min_version(module) {
        Ok(minimum) if minimum == VhloVersion::OLDEST => (Some(minimum), Vec::new()),
        // The features that the oldest version cannot represent are the reasons for a newer one.
        Ok(minimum) => {
            let options =
                SerializeOptions { version: Some(VhloVersion::OLDEST), ..SerializeOptions::default() };
            let losses = portable::serialize(module, &options).err().map(|error| error.losses().to_vec());
            (Some(minimum), losses.unwrap_or_default())
        }
        Err(error) if error.kind() == ErrorKind::Unsupported => (None, error.losses().to_vec()),
        Err(error) => return Err(error),
    };
    let mut requirements: Vec<(Option<Version>, String)> = losses.iter().map(requirement).collect();
    order::sort_by(&mut requirements, |a, b| (a.0.is_some(), b.0, &a.1).cmp(&(b.0.is_some(), a.0, &b.1)));
    requirements.dedup();
    let kind = RequirementKind::Vhlo;
    let row =
        |(version, feature): (Option<Version>, _)| Requirement { version: version.map(text), feature, kind };
    Ok(StableHloVersions {
        is_artifact: false,
        written_for: None,
        minimum: minimum.map(|version| version.to_string()),
        requirements: requirements.into_iter().map(row).collect(),
    })
}

fn requirement(loss: &Loss) -> (Option<Version>, String) {
    let op = loss.op.as_deref();
    match (&loss.kind, op) {
        (LossKind::NeedsStablehlo(since, what), Some(op)) if what == "the operation" => {
            (parse(since), op.to_owned())
        }
        (LossKind::NeedsStablehlo(since, what), Some(op)) => (parse(since), format!("{what} of {op}")),
        (LossKind::NeedsStablehlo(since, what), None) => (parse(since), what.clone()),
        (other, Some(op)) => (None, format!("{op}: {other}")),
        (other, None) => (None, other.to_string()),
    }
}

/// Returns the version in the producer string of an artifact.
fn written_for(producer: &[u8]) -> Option<String> {
    let version = std::str::from_utf8(producer).ok()?.split_once("StableHLO_v")?.1;
    parse(version).map(text)
}

// Returns whether the newest version has an operation. An operation without a row has existed from the start.
fn is_known(module: &Module, name: &str) -> bool {
    let schema = module.tables().find_schema(NEWEST_SCHEMA);
    schema.is_ok_and(|schema| schema.op(name.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_the_newest_version_has_a_version() {
        let module = Module::from_bytes(crate::doc_example()).unwrap();
        let schema = module.tables().find_schema(NEWEST_SCHEMA).unwrap();
        let stems = schema.ops().filter_map(|op| op.name().strip_prefix("vhlo."));
        let newer: Vec<&str> = stems.filter(|stem| portable::introduced(stem).is_some()).collect();
        assert_eq!(newer.len(), 31, "{newer:?}");
        assert!(is_known(&module, "vhlo.tan_v2") && !is_known(&module, "vhlo.abs_v9"));
        assert_eq!(portable::introduced("tan_v1"), Some(VhloVersion { major: 1, minor: 4, patch: 0 }));
        assert_eq!(portable::introduced("abs_v1"), None);
    }

    #[test]
    fn every_version_of_bytecode_has_a_first_version() {
        let first = |number| {
            let bytecode = crate::wire::version::BytecodeVersion::new(number).unwrap();
            portable::introduced_bytecode(bytecode).map(VhloVersion::numbers)
        };
        assert_eq!(
            (0..=6).map(first).collect::<Vec<_>>(),
            [
                Some([0, 9, 0]),
                Some([0, 10, 0]),
                Some([0, 12, 0]),
                Some([0, 12, 0]),
                Some([0, 14, 0]),
                Some([0, 15, 0]),
                Some([0, 15, 0]),
            ]
        );
    }

    #[test]
    fn the_version_is_that_of_the_producer() {
        assert_eq!(written_for(b"StableHLO_v1.15.0").as_deref(), Some("1.15.0"));
        assert_eq!(written_for(b"MLIR22.1.8"), None);
        assert_eq!(written_for(b"StableHLO_v1.15"), None);
    }
}
