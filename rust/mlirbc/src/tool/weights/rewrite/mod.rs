//! Programs with other weights: arguments that become constants and constants that become arguments, in another
//! element type or quantized.
//!
//! Owns [`Rewrite`], the editors of the modules of an artifact with the new signatures of its container. `freeze`
//! and `hoist` change the function and the container, `store` the constants alone. `function` changes a function,
//! `program` creates operations in the dialect of the program, `tensors` and `npy` read and write values. Nothing is written
//! until the rewrite is prepared.

mod freeze;
mod function;
mod hoist;
mod program;
mod store;
mod tensors;

use crate::artifact::{Artifact, PreparedArtifact};
use crate::attr::text::dense::Element;
use crate::container::{Container, SignatureChange};
use crate::edit::{EditOp, EditValue, Editor};
use crate::wire::error::{Error, Result};
use crate::write::{Numbering, WriteOptions};

use super::{Weight, WeightKind, WeightUse, invalid, shown};

pub use freeze::{FreezeOptions, FreezeReport, function_arguments};
pub use hoist::{HoistOptions, HoistReport};
pub use store::{StoreForm, StoreReport};
pub use tensors::NamedTensor;

/// An artifact with other weights, which is not written yet.
#[derive(Debug)]
pub struct Rewrite {
    container: Option<Container>,
    editors: Vec<(usize, Editor)>,
    /// The changes of each level of a JAX export.
    signatures: Vec<SignatureChange>,
    has_derivatives: bool,
}

impl Rewrite {
    /// Creates a rewrite of an artifact, or of its chosen module alone.
    fn new(artifact: &Artifact, is_bare: bool) -> Self {
        let container = artifact.container().filter(|_| !is_bare).cloned();
        Self { container, editors: Vec::new(), signatures: Vec::new(), has_derivatives: true }
    }

    /// Prepares the file.
    ///
    /// # Errors
    /// If a module or the container has no form for the change.
    pub fn prepare(&mut self, options: &WriteOptions) -> Result<PreparedArtifact> {
        // Only the numbering of MLIR omits the old constants.
        let options = options.clone().numbering(Numbering::Strictest);
        let mut modules = Vec::new();
        for (index, editor) in &mut self.editors {
            modules.push((*index, editor.prepare_write(&options)?));
        }
        match &self.container {
            Some(container) if !self.signatures.is_empty() => {
                PreparedArtifact::with_signatures(container, modules, &self.signatures, self.has_derivatives)
            }
            container => PreparedArtifact::new(container.as_ref(), modules),
        }
    }
}

/// Returns the indices of the modules that a rewrite of all modules changes.
fn indices(artifact: &Artifact, is_bare: bool) -> Vec<usize> {
    match is_bare {
        true => vec![artifact.first().tables().module_index()],
        false => artifact.chosen(),
    }
}

/// Whether a weight is chosen if the caller does not name any: a tensor of floats with several elements.
pub fn is_float_tensor(weight: &Weight) -> bool {
    let is_float = matches!(weight.element, Some(Element::Float(_)));
    is_float && weight.has_data && weight.kind != WeightKind::Splat && weight.count() > 1
}

/// The chosen uses of the constant of one operation.
struct HolderUses<'u> {
    holder: EditOp,
    uses: Vec<&'u WeightUse>,
}

/// Groups uses by the operation that holds the constant, in the order of the file.
fn by_holder<'u>(editor: &mut Editor, uses: &'u [WeightUse]) -> Result<Vec<HolderUses<'u>>> {
    let mut groups: Vec<HolderUses<'u>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for weight_use in uses {
        let place = *places.entry(weight_use.holder).or_insert(groups.len());
        if place == groups.len() {
            let (body, op) = weight_use.holder;
            groups.push(HolderUses { holder: editor.op(body, op)?, uses: Vec::new() });
        }
        groups[place].uses.push(weight_use);
    }
    Ok(groups)
}

impl HolderUses<'_> {
    /// Gives the chosen users another value, and erases the constant if nothing uses it any longer.
    fn replace(&self, editor: &mut Editor, value: EditValue) -> Result<bool> {
        for weight_use in &self.uses {
            let (body, op) = weight_use.op;
            let user = editor.op(body, op)?;
            editor.set_operand(user, weight_use.operand as usize, value)?;
        }
        for result in editor.results(self.holder)? {
            if !editor.uses(result)?.is_empty() {
                return Ok(false);
            }
        }
        editor.erase(self.holder)?;
        Ok(true)
    }
}

/// An error about a name that nothing has, with the nearest name.
fn unknown_name<'n>(what: &str, name: &str, names: impl Iterator<Item = &'n str>) -> Error {
    let error = invalid(format!("{what} `{}`", shown(name)));
    match crate::ops::closest(name, names) {
        Some(near) => error.with_hint(format!("did you mean `{}`?", shown(near))),
        None => error,
    }
}

/// Returns an error with the path of its module, if the artifact has several.
fn located<T>(artifact: &Artifact, index: usize, result: Result<T>) -> Result<T> {
    result.map_err(|error| artifact.located(index, error))
}

#[cfg(test)]
mod tests;
