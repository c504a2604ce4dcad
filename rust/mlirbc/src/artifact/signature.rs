//! Modules with other arguments or results, in a container that describes them.

use crate::container::{Container, SignatureChange};
use crate::wire::error::Result;
use crate::write::PreparedWrite;

use super::{PreparedArtifact, PreparedModule};

impl PreparedArtifact {
    /// Puts modules into a JAX export with other arguments and results, by level.
    ///
    /// # Errors
    /// If the container cannot be written with them.
    pub(crate) fn with_signatures(
        container: &Container,
        modules: Vec<(usize, PreparedWrite)>,
        changes: &[SignatureChange],
        has_derivatives: bool,
    ) -> Result<Self> {
        let sizes: Vec<_> = modules.iter().map(|(index, prepared)| (*index, prepared.len())).collect();
        let container = container.prepare_signatures(changes, has_derivatives, &sizes)?;
        let modules = modules.into_iter().map(|(index, prepared)| PreparedModule::new(index, prepared));
        Ok(Self { container: Some(container), modules: modules.collect() })
    }
}
