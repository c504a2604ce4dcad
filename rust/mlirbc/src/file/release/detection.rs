//! The release of an opened file, and the schemas with which it is read.

use std::sync::Arc;

use crate::file::FileTables;
use crate::format::ir::{PathStep, Root};
use crate::props::op_name::OperationName;
use crate::props::schema::PropertySchema;
use crate::wire::error::{ErrorClass, Result};
use crate::wire::progress::Progress;
use crate::wire::section::SectionId;

use super::{DetectedRelease, Evidence, NamedLayouts, RegisteredDialects, Sample, SelectedLayout};

impl FileTables {
    /// The release that wrote the file, detected on first use from the producer string and a bounded number
    /// of property blobs, unless [`ReadOptions::release`](crate::ReadOptions::release) specifies it.
    ///
    /// # Errors
    /// If a table is malformed. Malformed operations are not an error here; the operations before them are
    /// considered.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert_eq!(module.release()?.name(), Some("llvm-22"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn release(&self) -> Result<&DetectedRelease> {
        self.once(&self.0.release, || {
            let section = self.dialect_section()?;
            // A dialect that is treated as unknown is in no release.
            let flag = |name: &OperationName<'_>| match self.0.registry.is_unknown(name.dialect) {
                true => Some(false),
                false => name.is_registered,
            };
            let all = self.op_names()?;
            self.0.budget.spend(all.len().saturating_mul(DetectedRelease::PER_NAME))?;
            let _held = self.0.budget.hold(all.len().saturating_mul(DetectedRelease::PER_NAME_TO_FIND))?;
            let names: Vec<_> =
                all.map(|name| OperationName { is_registered: flag(&name), ..name }).collect();
            let (properties, base) = (self.properties()?, self.properties_base());
            let (producer, version) = (self.0.bytecode.producer(), self.0.bytecode.version());
            let entries = self.entries()?;
            if let Some(layouts) = &self.0.layouts {
                return Ok(layouts.release(&names));
            }
            let selected = &*SelectedLayout::find_all(self.schemas(), &self.0.selected_layouts)?;
            let (names, entries) = (&*names, &entries);
            let evidence = Evidence { producer, version, names, entries, properties, selected, base };
            let is_registered = section.op_names.iter().map(|name| name.is_registered != Some(false));
            evidence.release(self.schemas(), self.0.release_name.as_deref(), || {
                let mut sample = Sample::new(is_registered);
                let mut reader = self.ir_reader(0..self.ir()?.data.len(), 0)?;
                let budget = self.work_budget();
                let describe = |path: &mut dyn Iterator<Item = PathStep>| self.path_of(None, path);
                let account = (&budget, &Progress::default());
                let read = self.read_ir(&mut reader, Root::TopLevel, &mut sample, account, describe);
                self.0.source.check()?;
                match read {
                    Err(error) if error.class() != ErrorClass::Read => Err(error),
                    _ => Ok(sample),
                }
            })
        })
    }

    /// Returns the release whose reader a file is for: the release that the caller specifies, or the released
    /// LLVM in the producer string, regardless of the blobs. `None` for all other files, including files of
    /// development builds.
    ///
    /// # Errors
    /// As [`Self::release`].
    pub(crate) fn claimed_release(&self) -> Result<Option<DetectedRelease>> {
        // A reader uses its own operations, not the registered flags of the file.
        let flag = |name: &OperationName<'_>| self.0.registry.is_unknown(name.dialect).then_some(false);
        let all = self.op_names()?;
        let _held = self
            .0
            .budget
            .hold(all.len().saturating_mul(DetectedRelease::PER_NAME + DetectedRelease::PER_NAME_TO_FIND))?;
        let names: Vec<_> = all.map(|name| OperationName { is_registered: flag(&name), ..name }).collect();
        let (properties, base) = (self.properties()?, self.properties_base());
        let (producer, version) = (self.0.bytecode.producer(), self.0.bytecode.version());
        let entries = self.entries()?;
        let selected = &*SelectedLayout::find_all(self.schemas(), &self.0.selected_layouts)?;
        let (names, entries) = (&*names, &entries);
        let evidence = Evidence { producer, version, names, entries, properties, selected, base };
        evidence.claimed(self.schemas(), self.0.release_name.as_deref())
    }

    /// The layouts of this file by op name.
    ///
    /// # Errors
    /// As [`Self::release`], and if the memory limit is reached.
    pub(crate) fn named_layouts(&self) -> Result<Arc<NamedLayouts>> {
        let release = self.release()?;
        let names: Vec<_> = self.op_names()?.collect();
        let registered = RegisteredDialects::of(release, &names, &self.0.budget)?;
        Ok(Arc::new(NamedLayouts::new(release, &names, registered, &self.0.budget)?))
    }

    /// Whether the caller requested to treat a dialect as unknown.
    pub(crate) fn is_unknown_dialect(&self, dialect: &[u8]) -> bool {
        self.0.registry.is_unknown(dialect)
    }

    /// The schema of a release of this module by name.
    pub(crate) fn find_schema(&self, name: &str) -> Result<Arc<PropertySchema>> {
        self.schemas().find(name)
    }

    /// Returns the schema of [`Self::find_schema`], then the schemas that it includes.
    pub(crate) fn find_schemas(&self, name: &str) -> Result<Vec<Arc<PropertySchema>>> {
        self.schemas().with_includes(self.find_schema(name)?)
    }

    pub(crate) fn properties_base(&self) -> u64 {
        self.0.bytecode.section(SectionId::Properties).map_or(0, |section| section.offset)
    }
}
