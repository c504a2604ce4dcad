//! Several readings of an op, and the layouts that the caller selects for ops.

use std::sync::Arc;

use crate::props::op_name::OperationName;
use crate::props::registry::Schemas;
use crate::props::schema::PropertySchema;
use crate::wire::error::{Error, ErrorKind, Result};

use super::Choice;

/// The layouts that fit the blobs of an op and give different properties.
#[derive(Debug, Clone)]
pub(crate) struct Ambiguity {
    pub(crate) readings: Vec<LayoutReading>,
}

/// A layout of an ambiguous op.
#[derive(Debug, Clone)]
pub(crate) struct LayoutReading {
    /// The builds with the layout, by their indices in the schemas of the release, the oldest first.
    pub(crate) builds: Vec<usize>,
    pub(crate) schema: u32,
    pub(crate) row: u32,
}

impl Ambiguity {
    /// Returns the same readings for schemas that follow `first` other schemas.
    pub(super) fn after(mut self, first: usize) -> Self {
        for reading in &mut self.readings {
            reading.builds.iter_mut().for_each(|build| *build += first);
            reading.schema += first as u32;
        }
        self
    }
}

/// A build that cannot have written the file, although the producer string allows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExcludedBuild {
    /// The name of the build.
    pub build: String,
    /// The first operation of the file whose properties do not have the layout of the build.
    pub op: String,
}

/// A layout that the caller selects for an op.
#[derive(Debug, Clone)]
pub(crate) struct SelectedLayout {
    pub(super) op: Box<str>,
    pub(super) schema: Arc<PropertySchema>,
    pub(super) row: usize,
}

impl SelectedLayout {
    /// Finds the layouts that a caller selects as pairs of an op and a release.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownRelease`] for a release that is not known, or that does not have the op.
    pub(crate) fn find_all(schemas: &Schemas, named: &[(String, String)]) -> Result<Vec<Self>> {
        let find = |(op, release): &(String, String)| {
            let schema = schemas.find(release)?;
            let row = schema.row(op.as_bytes()).ok_or_else(|| {
                let message =
                    format!("{release} has no operation `{op}`, so it has no layout of its properties");
                let hint = format!("`mlirbc explain {op}` lists releases that have the operation");
                Error::message(ErrorKind::UnknownRelease, message).with_hint(hint)
            })?;
            Ok(Self { op: op.as_str().into(), schema, row })
        };
        named.iter().map(find).collect()
    }

    pub(super) fn is_of(&self, name: &OperationName<'_>) -> bool {
        name.is_registered != Some(false) && name.compare_to(self.op.as_bytes()).is_eq()
    }

    /// Returns the choice of this layout, and adds its schema to `schemas` if it is not there.
    pub(super) fn choice(&self, schemas: &mut Vec<Arc<PropertySchema>>) -> Choice {
        let position = schemas.iter().position(|schema| Arc::ptr_eq(schema, &self.schema));
        let schema = position.unwrap_or_else(|| {
            schemas.push(self.schema.clone());
            schemas.len() - 1
        });
        Choice::Row(schema as u32, self.row as u32)
    }
}
