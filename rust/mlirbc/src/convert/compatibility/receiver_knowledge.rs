//! The knowledge of a receiver: its operations and dialects, the layouts of properties, and versions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::convert::portable::{self, VhloVersion};
use crate::convert::release::ReleaseConversion;
use crate::dialect::table::Encoding;
use crate::ir::Module;
use crate::props::{OpSchema, PropertySchema};
use crate::release::{self, KnownRelease, vhlo};
use crate::wire::error::Result;

use super::Receiver;

/// The prefix of operations of VHLO.
const VHLO: &str = "vhlo.";

/// The operations, dialects, layouts and versions of a receiver.
pub(super) struct ReceiverKnowledge {
    pub(super) name: Option<String>,
    pub(super) schemas: Vec<Arc<PropertySchema>>,
    pub(super) ops: BTreeSet<String>,
    pub(super) dialects: BTreeSet<String>,
    pub(super) conversion: Option<ReleaseConversion>,
    pub(super) release: Option<&'static KnownRelease>,
}

impl ReceiverKnowledge {
    pub(super) fn new(module: &Module, receiver: &Receiver) -> Result<Self> {
        let dialect = |op: &str| op.split('.').next().unwrap_or(op).to_owned();
        match receiver {
            Receiver::Ops(ops) => {
                let mut dialects: BTreeSet<String> = ops.iter().map(|op| dialect(op)).collect();
                dialects.insert("builtin".to_owned());
                let (schemas, ops) = (Vec::new(), ops.clone());
                Ok(Self { name: None, schemas, ops, dialects, conversion: None, release: None })
            }
            Receiver::Release(release) => {
                let name = release.as_str();
                let schema = module.tables().find_schema(name)?;
                let release = release::find(name)?;
                let mut ops: BTreeSet<String> = schema.ops().map(|op| op.name().to_owned()).collect();
                ops.retain(|op| release::registers(name, op.as_bytes()));
                // Readers of artifacts need not register VHLO, so a schema that was probed may lack it.
                if let Some(version) = release.and_then(KnownRelease::stablehlo) {
                    ops.retain(|op| !op.starts_with(VHLO));
                    let newest = module.tables().find_schema(vhlo::NEWEST_SCHEMA)?;
                    let since = |op: &str| portable::introduced(op).unwrap_or(VhloVersion::OLDEST).numbers();
                    let has = |op: &&str| op.strip_prefix(VHLO).is_some_and(|op| since(op) <= version);
                    ops.extend(newest.ops().map(OpSchema::name).filter(has).map(str::to_owned));
                }
                let mut dialects: BTreeSet<String> = ops.iter().map(|op| dialect(op)).collect();
                dialects.insert("builtin".to_owned());
                // `dlti` has no operations, but the dialect `llvm` depends on it.
                if dialects.contains("llvm") {
                    dialects.insert("dlti".to_owned());
                }
                let conversion = ReleaseConversion::new(module, name, Some(&schema))?;
                let included = schema.includes().filter_map(|name| module.tables().find_schema(name).ok());
                let included: Vec<_> = included.collect();
                let mut schemas = vec![schema.clone()];
                schemas.extend(included);
                let (name, conversion) = (Some(name.to_owned()), Some(conversion));
                Ok(Self { name, schemas, ops, dialects, conversion, release })
            }
        }
    }

    pub(super) fn schema(&self, op: &str) -> Option<&OpSchema> {
        self.schemas.iter().find_map(|schema| schema.op(op.as_bytes()))
    }

    pub(super) fn has_op(&self, op: &str) -> bool {
        self.ops.contains(op)
    }

    pub(super) fn has_dialect(&self, dialect: &str) -> bool {
        self.dialects.contains(dialect)
    }

    pub(super) fn reads_version(&self, dialect: &str) -> bool {
        match self.release {
            Some(release) => release.reads_versions(dialect.as_bytes()) || self.reads_vhlo_version(dialect),
            None => self.name.is_none() && self.has_dialect(dialect),
        }
    }

    // Every release with VHLO reads a version of the dialect, although no release writes one.
    pub(super) fn reads_vhlo_version(&self, dialect: &str) -> bool {
        dialect == "vhlo" && self.has_dialect(dialect)
    }

    /// Returns the version of StableHLO, if it is too old for artifacts with operations of other dialects.
    pub(super) fn refuses_other_dialects(&self) -> Option<vhlo::Version> {
        self.release?.stablehlo().filter(|version| *version < vhlo::OTHER_DIALECTS)
    }

    /// Returns the version of VHLO that introduced an entry, if the receiver is older.
    pub(super) fn newer_vhlo(&self, form: &Encoding) -> Option<vhlo::Version> {
        let version = self.release?.stablehlo()?;
        let since = form.since.as_deref().and_then(|since| <vhlo::Version>::try_from(since).ok());
        since.filter(|since| *since > version)
    }
}
