//! The difference between two artifacts: the fields of their containers, and their modules.

use std::collections::HashMap;

use serde::Serialize;

use crate::artifact::nested::nested;
use crate::artifact::{Artifact, NestedModule};
use crate::container::ContainerField;
use crate::ir::Module;
use crate::wire::error::Result;

use super::diff::{ChangeKind, DiffOptions, Difference};

/// A field of a container that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// The path of the module that the field is about.
    pub module: String,
    /// The name in the schema of the container; `container` if only one artifact has one.
    pub field: String,
    /// The contents before; `None` if there was no such field, empty if the contents are not shown.
    pub before: Option<String>,
    /// The contents after, likewise.
    pub after: Option<String>,
}

/// The difference between two modules with one path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModuleDifference {
    /// The path.
    pub path: String,
    /// `added` or `removed` if only one artifact has the module; `changed` for a kernel that is stored as text and differs.
    pub only: Option<ChangeKind>,
    /// The difference between the modules if both artifacts have them as bytecode.
    pub difference: Option<Difference>,
}

/// The difference between two artifacts.
///
/// ```
/// use mlirbc::Artifact;
/// use mlirbc::tool::{ArtifactDifference, DiffOptions};
/// let export = Artifact::open("../../examples/mlp.jax")?;
/// let difference = ArtifactDifference::of(&export, &export, &DiffOptions::default())?;
/// assert!(difference.is_equal());
/// assert_eq!(difference.modules[1].path, "vjp");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ArtifactDifference {
    /// The fields that differ.
    pub fields: Vec<FieldChange>,
    /// The modules of either artifact, with `main` first.
    pub modules: Vec<ModuleDifference>,
}

/// A kernel, opened; `None` for text that cannot be parsed, which is compared as text.
fn opened(kernel: &NestedModule, outer: &Module) -> Result<Option<Module>> {
    match kernel.is_text {
        true => Ok(kernel.read(outer.limits()).ok()),
        false => kernel.open_in(outer).map(Some),
    }
}

impl ArtifactDifference {
    /// Compares the containers and all modules; modules are paired by their paths. Kernels that are equal are not
    /// listed.
    ///
    /// # Errors
    /// As [`Difference::of`], and if a container or a kernel is damaged.
    pub fn of(before: &Artifact, after: &Artifact, options: &DiffOptions) -> Result<Self> {
        let mut difference = Self { fields: fields(before, after)?, modules: Vec::new() };
        let (first, second) = (before.modules(), after.modules());
        for index in 0..first.len().max(second.len()) {
            // The path of a module follows from its index.
            let Some(module) = first.get(index).or(second.get(index)) else { continue };
            let path = module.path.clone();
            let only = match (first.get(index), second.get(index)) {
                (Some(_), Some(_)) => {
                    let (old, new) = (before.module(index)?, after.module(index)?);
                    let compared = Some(Difference::of(&old, &new, options)?);
                    difference.modules.push(ModuleDifference {
                        path: path.clone(),
                        only: None,
                        difference: compared,
                    });
                    let kernels = [nested(&old, &path)?.modules, nested(&new, &path)?.modules];
                    difference.add_kernels(&kernels, [&old, &new], options)?;
                    continue;
                }
                (Some(_), None) => ChangeKind::Removed,
                (None, _) => ChangeKind::Added,
            };
            difference.modules.push(ModuleDifference { path, only: Some(only), difference: None });
        }
        Ok(difference)
    }

    /// Compares the kernels of two modules.
    fn add_kernels(
        &mut self,
        [first, second]: &[Vec<NestedModule>; 2],
        [before, after]: [&Module; 2],
        options: &DiffOptions,
    ) -> Result<()> {
        let by_path = |kernels: &[NestedModule]| -> HashMap<String, NestedModule> {
            kernels.iter().map(|kernel| (kernel.path.clone(), kernel.clone())).collect()
        };
        let (old_kernels, mut new_kernels) = (by_path(first), by_path(second));
        for kernel in first {
            let path = kernel.path.clone();
            let (only, compared) = match new_kernels.remove(&path) {
                None => (Some(ChangeKind::Removed), None),
                Some(new) if new.bytes == kernel.bytes => continue,
                Some(new) => match (opened(kernel, before)?, opened(&new, after)?) {
                    (Some(old), Some(new)) => {
                        let difference = Difference::of(&old, &new, options)?;
                        if difference.equal {
                            continue;
                        }
                        (None, Some(difference))
                    }
                    _ => (Some(ChangeKind::Changed), None),
                },
            };
            self.modules.push(ModuleDifference { path, only, difference: compared });
        }
        for kernel in second.iter().filter(|kernel| !old_kernels.contains_key(&kernel.path)) {
            let (path, only) = (kernel.path.clone(), Some(ChangeKind::Added));
            self.modules.push(ModuleDifference { path, only, difference: None });
        }
        Ok(())
    }

    /// Compares two modules alone.
    ///
    /// # Errors
    /// As [`Difference::of`].
    #[doc(hidden)]
    pub fn of_modules(before: &Module, after: &Module, options: &DiffOptions) -> Result<Self> {
        let path =
            before.container().and_then(|container| container.modules().get(before.tables().module_index()));
        let path = path.map_or_else(|| crate::container::MAIN.to_owned(), |module| module.path.clone());
        let difference = Some(Difference::of(before, after, options)?);
        Ok(Self { fields: Vec::new(), modules: vec![ModuleDifference { path, only: None, difference }] })
    }

    /// Returns whether the artifacts are equal.
    pub fn is_equal(&self) -> bool {
        let is_same =
            |module: &ModuleDifference| module.difference.as_ref().is_some_and(|difference| difference.equal);
        self.fields.is_empty() && self.modules.iter().all(is_same)
    }
}

/// Returns the fields that differ, in the order of the first artifact and then of the second.
fn fields(before: &Artifact, after: &Artifact) -> Result<Vec<FieldChange>> {
    let mut changes = Vec::new();
    if before.has_fields() != after.has_fields() {
        let kind = |artifact: &Artifact| {
            let container = artifact.container().filter(|_| artifact.has_fields());
            container.map(|container| container.kind().to_string())
        };
        let (before, after) = (kind(before), kind(after));
        let (module, field) = (crate::container::MAIN.to_owned(), "container".to_owned());
        changes.push(FieldChange { module, field, before, after });
        return Ok(changes);
    }
    let (first, second) = (before.fields()?, after.fields()?);
    let common_count = before.modules().len().min(after.modules().len());
    let by_key = |fields: &[ContainerField]| -> HashMap<(usize, &'static str), ContainerField> {
        fields.iter().map(|field| ((field.module, field.name), field.clone())).collect()
    };
    let (old_fields, new_fields) = (by_key(&first), by_key(&second));
    let mut add = |old: Option<&ContainerField>, new: Option<&ContainerField>| {
        let Some(field) = old.or(new).filter(|field| field.module < common_count) else { return };
        if old.map(|field| field.digest) != new.map(|field| field.digest) {
            let module =
                before.modules().get(field.module).map_or_else(String::new, |module| module.path.clone());
            let text = |field: Option<&ContainerField>| field.map(|field| field.text.clone());
            changes.push(FieldChange {
                module,
                field: field.name.to_owned(),
                before: text(old),
                after: text(new),
            });
        }
    };
    for old in &first {
        add(Some(old), new_fields.get(&(old.module, old.name)));
    }
    for new in &second {
        if !old_fields.contains_key(&(new.module, new.name)) {
            add(None, Some(new));
        }
    }
    Ok(changes)
}
