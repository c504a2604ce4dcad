//! The inherent attributes of a development build below version 5, where they are in the dictionary.
//!
//! No blob shows the layout of an operation in such a file. An attribute is inherent if it is inherent in all
//! builds that may have written the file, and in the nearest builds before and after them. Other attributes stay
//! in the dictionary, and a default is added if all of these builds have it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::file::release::ReleaseOrigin;
use crate::format::id::OpNameId;
use crate::props::{OpSchema, PropertySchema};
use crate::release::{self, Period};
use crate::wire::error::Result;

use super::Module;

/// The inherent attributes on which builds agree, for operations whose layouts differ between builds.
#[derive(Debug, Default)]
pub(crate) struct AgreedSchemas(HashMap<u32, OpSchema>);

impl AgreedSchemas {
    /// The attributes of an operation; `None` if all builds have the layout of the release.
    #[inline]
    pub(crate) fn get(&self, name: OpNameId) -> Option<&OpSchema> {
        self.0.get(&(name.index() as u32))
    }
}

impl Module {
    /// The inherent attributes of the operations on whose layouts the builds of the file differ.
    ///
    /// # Errors
    /// If a table is malformed, or the memory limit does not allow it.
    pub(crate) fn agreed_schemas(&self) -> Result<&AgreedSchemas> {
        match self.bodies.agreed.get_or_init(|| self.find_agreed()) {
            Ok(agreed) => Ok(agreed),
            Err(error) => Err(error.clone()),
        }
    }

    fn find_agreed(&self) -> Result<AgreedSchemas> {
        let mut agreed = AgreedSchemas::default();
        let release = self.release()?;
        if self.tables().bytecode().version().has_native_properties() {
            for name in self.tables().op_names()? {
                let Some(schema) = release.attributes_of(name.id).map(OpSchema::in_dictionary) else {
                    continue;
                };
                self.tables().budget().spend(size_of::<OpSchema>() + schema.memory())?;
                agreed.0.insert(name.id.index() as u32, schema);
            }
            return Ok(agreed);
        }
        let Some(builds) = self.builds_around()? else { return Ok(agreed) };
        for name in self.tables().op_names()? {
            let Some(own) = release.op(name.id).filter(|op| !release.is_selected(op)) else { continue };
            // Names of operations in a build are short.
            if let Some(schema) = own.agreed_with(&builds.layouts(own.name().as_bytes())) {
                self.tables().budget().spend(size_of::<OpSchema>() + schema.memory())?;
                agreed.0.insert(name.id.index() as u32, schema);
            }
        }
        Ok(agreed)
    }

    /// Returns the inherent attributes of an operation that may not be in the file, for a file below version
    /// 5; `None` if the layout of the release applies.
    ///
    /// # Errors
    /// As [`Self::agreed_schemas`].
    pub(crate) fn agreed_schema_of(&self, name: &[u8]) -> Result<Option<OpSchema>> {
        let release = self.release()?;
        let release_op = release.chosen(release.choice_for(name)).filter(|op| !release.is_selected(op));
        let Some(release_op) = release_op else { return Ok(None) };
        let builds = self.builds_around()?;
        Ok(builds.and_then(|builds| release_op.agreed_with(&builds.layouts(name))))
    }

    /// The builds that may have written the file; `None` if there is only one.
    fn builds_around(&self) -> Result<Option<BuildsAround>> {
        let release = self.release()?;
        let nearest = release.nearest().map(release::find).transpose()?.flatten();
        let Some(nearest) = nearest.filter(|_| *release.origin() != ReleaseOrigin::Caller) else {
            return Ok(None);
        };
        let Some(period) = release::period_of(nearest)? else { return Ok(None) };
        let mut builds = Vec::new();
        for row in &period.releases {
            builds.push(self.tables().find_schema(&row.name)?);
        }
        Ok(Some(BuildsAround { period, builds }))
    }
}

/// The schemas of releases and builds, the oldest first, and the period whose builds may have written the
/// file.
struct BuildsAround {
    period: Period,
    builds: Vec<Arc<PropertySchema>>,
}

impl BuildsAround {
    /// The layouts of an operation in the builds of the period, and in the nearest ones around it that have it.
    fn layouts(&self, name: &[u8]) -> Vec<&OpSchema> {
        let layout = |place: usize| {
            let build = self.builds.get(place)?;
            build.op_at(build.row(name)?)
        };
        let inside = self.period.inside.clone();
        let before = (0..inside.start).rev().find_map(layout);
        let after = (inside.end..self.builds.len()).find_map(layout);
        before.into_iter().chain(inside.filter_map(layout)).chain(after).collect()
    }
}
