//! The property schemas of the target of a write.

use std::sync::Arc;

use crate::file::{Choice, DetectedRelease};
use crate::format::id::OpNameId;
use crate::ir::Module;
use crate::props::op_name::OperationName;
use crate::props::{OpSchema, PropertySchema};
use crate::release::{optional_dialects, registers};
use crate::wire::error::Result;

use super::op::Target;

/// The schemas of the target: of a release, or the schemas with which the file is read. A row counts through
/// all of them.
#[derive(Debug, Clone)]
pub(crate) struct TargetSchemas {
    schemas: Arc<[Arc<PropertySchema>]>,
    /// The release of a conversion, whose tool does not register the operations of all dialects in its
    /// schema.
    target: Option<Arc<PropertySchema>>,
}

/// Returns a schema, and the shipped schemas that it includes.
pub(super) fn with_included(schema: &Arc<PropertySchema>) -> Arc<[Arc<PropertySchema>]> {
    let included = schema.includes().filter_map(PropertySchema::shipped);
    [schema.clone()].into_iter().chain(included).collect()
}

impl TargetSchemas {
    /// Returns the schemas of a target; empty if its release is unknown.
    ///
    /// # Errors
    /// If the release of the file cannot be determined.
    pub(crate) fn new(module: &Module, target: &Target) -> Result<Self> {
        let schemas: Arc<[_]> = match (&target.conversion, &target.schema) {
            // An operation is written with the schema with which it was read.
            (None, Some(_)) => module.release()?.schemas().into(),
            // A pack has the other operations from the release of LLVM that it includes.
            (Some(_), Some(schema)) if schema.is_of_pack() => with_included(schema),
            // The operations of a release may differ from the operations of releases that it includes.
            (Some(_), Some(schema)) => Arc::new([schema.clone()]),
            (_, None) => Arc::new([]),
        };
        Ok(Self { schemas, target: target.schema.clone().filter(|_| target.conversion.is_some()) })
    }

    /// Returns the row of the layout with which the file is read; `None` if the layout is unknown.
    pub(crate) fn row_in_file(&self, release: &DetectedRelease, name: OpNameId) -> Option<u32> {
        let Choice::Row(schema, row) = release.choice(name) else { return None };
        let before: usize = self.schemas.get(..schema as usize)?.iter().map(|schema| schema.rows_end()).sum();
        u32::try_from(before + row as usize).ok()
    }

    /// Returns the row of the operation with this full name; `None` if the target does not register it.
    pub(crate) fn row(&self, name: &[u8]) -> Option<u32> {
        let is_registered = |target: &Arc<PropertySchema>| registers(target.name(), name);
        self.first(|schema| schema.row(name)).filter(|_| self.target.as_ref().is_none_or(is_registered))
    }

    /// Returns the row as [`Self::row`], for a name in parts.
    pub(crate) fn row_of(&self, name: &OperationName<'_>) -> Option<u32> {
        let is_registered = |target: &Arc<PropertySchema>| registers(target.name(), name.dialect);
        self.first(|schema| schema.row_of(name)).filter(|_| self.target.as_ref().is_none_or(is_registered))
    }

    /// Whether the properties of an op are written to the dictionary: some tools of the target do not register the op and
    /// take a blob for one attribute, and all of them read the dictionary.
    pub(crate) fn prefers_dictionary(&self, op: &OpSchema) -> bool {
        let Some(target) = &self.target else { return false };
        let dialect = op.name().split('.').next().unwrap_or_default();
        optional_dialects(target.name()).iter().any(|optional| **optional == *dialect)
            && op.fields().all(|field| field.is_in_dictionary)
    }

    fn first(&self, find: impl Fn(&PropertySchema) -> Option<usize>) -> Option<u32> {
        let mut before = 0;
        self.schemas.iter().find_map(|schema| {
            let row = find(schema).map(|row| before + row);
            before += schema.rows_end();
            u32::try_from(row?).ok()
        })
    }

    /// Returns the operation in a row.
    pub(crate) fn op(&self, row: u32) -> Option<&OpSchema> {
        let mut row = row as usize;
        let schema = self.schemas.iter().find(|schema| {
            let len = schema.rows_end();
            let is_here = row < len;
            row -= if is_here { 0 } else { len };
            is_here
        })?;
        schema.op_at(row)
    }
}
