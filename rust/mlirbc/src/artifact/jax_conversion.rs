//! Conversion of an artifact for another release of JAX: its modules and its container.
//!
//! Owns the choice of the conversions. The form of the container belongs to `container::jax`, and the form of
//! a module to `convert::for_jax`. `data/releases.toml` lists which release reads which form.

use crate::convert::for_jax::for_jax;
use crate::convert::portable;
use crate::ir::Module;
use crate::release::JaxRelease;
use crate::wire::error::Result;
use crate::wire::progress::Progress;

use super::{Artifact, PreparedArtifact, PreparedModule, SHOWN};

/// An artifact that a release of JAX reads, ready to be written.
#[doc(hidden)]
#[derive(Debug)]
pub struct JaxConversion {
    /// The file.
    pub prepared: PreparedArtifact,
    /// The known release that reads the artifact.
    pub release: String,
    /// Whether that is the requested release; otherwise it is the last known release before it.
    pub is_known: bool,
    /// The information that is lost, with the paths of modules.
    pub notes: Vec<String>,
}

impl Artifact {
    /// Whether JAX reads the artifact: it is an export, or a portable artifact as in exports.
    ///
    /// # Errors
    /// If the first module is malformed.
    #[doc(hidden)]
    pub fn is_for_jax(&self) -> Result<bool> {
        Ok(self.has_fields() || portable::is_artifact(&self.first)?)
    }

    /// Prepares all modules, and the container of an export.
    /// [`tool::prepare_for_jax`](crate::tool::prepare_for_jax) also checks whether the release compiles the
    /// modules.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if the release has no form for something, with the path of
    /// the module; the errors of reading.
    pub(crate) fn prepare_for_jax(&self, version: &str, progress: &Progress) -> Result<JaxConversion> {
        let (release, is_known) = JaxRelease::find(version)?;
        // The container is converted first: it is smaller than the modules, and an unsupported one fails
        // early.
        if let Some(container) = self.container() {
            container.prepare_for_jax(release, &[])?;
        }
        let mut notes = Vec::new();
        let mut modules = Vec::new();
        for index in 0..self.modules.len() {
            let module = self.module(index)?;
            let prepared = for_jax(&module, release, progress).map_err(|error| self.located(index, error))?;
            modules.push(PreparedModule::new(index, prepared));
            notes.extend(self.kernel_note(index)?);
        }
        let changed = modules.iter().filter(|module| module.is_changed);
        let sizes: Vec<_> = changed.map(|module| (module.index, module.prepared.len())).collect();
        let container = self.container().map(|container| container.prepare_for_jax(release, &sizes));
        let prepared = match container.transpose()?.flatten() {
            Some((container, lost)) => {
                notes.extend(lost);
                PreparedArtifact { container: Some(container), modules }
            }
            None => PreparedArtifact::with(self.container(), modules)?,
        };
        Ok(JaxConversion { prepared, release: release.version.to_string(), is_known, notes })
    }

    /// Prepares one module for a release of JAX, without the container.
    ///
    /// # Errors
    /// As [`tool::prepare_for_jax`](crate::tool::prepare_for_jax).
    #[doc(hidden)]
    pub fn prepare_module_for_jax(
        &self,
        module: &Module,
        version: &str,
        progress: &Progress,
    ) -> Result<JaxConversion> {
        let (release, is_known) = JaxRelease::find(version)?;
        let index = module.tables().module_index();
        let prepared = for_jax(module, release, progress).map_err(|error| self.located(index, error))?;
        let prepared = PreparedArtifact::new(None, vec![(0, prepared)])?;
        let notes = self.kernel_note(index)?.into_iter().collect();
        Ok(JaxConversion { prepared, release: release.version.to_string(), is_known, notes })
    }

    /// Lists the kernels of a module that are written unchanged: the compilers that read kernels are not part
    /// of JAX.
    fn kernel_note(&self, index: usize) -> Result<Option<String>> {
        let kernels = self.nested(index)?;
        let paths: Vec<_> = kernels.iter().take(SHOWN).map(|kernel| format!("`{}`", kernel.path)).collect();
        let more = if kernels.len() > SHOWN { " and others" } else { "" };
        let note = format!("kernels remain as they are: {}{more}", paths.join(", "));
        Ok((!kernels.is_empty()).then_some(note))
    }
}
