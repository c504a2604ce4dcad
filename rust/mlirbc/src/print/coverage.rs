//! How many operations of a release, or of a file, are printed as the tool of the release prints them.

use crate::file::candidate_releases;
use crate::ir::Module;
use crate::ops::{CandidateReleases, OperationDefinition, Syntax};
use crate::props::OpSchema;
use crate::props::registry::Schemas;
use crate::release::registers;
use crate::wire::error::Result;

use super::operation_forms::OperationForms;

/// No operation that a release defines has a longer name.
const LONGEST_NAME: usize = 128;

/// The operations whose custom form is known.
///
/// ```
/// use mlirbc::print::CustomForms;
/// let forms = CustomForms::of_release("llvm-22")?;
/// assert!(forms.known > 2000 && forms.known <= forms.operations);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CustomForms {
    /// The number of operations with a custom form, or with an unknown form, by their names. VHLO is not counted: its
    /// operations have no custom form.
    pub operations: usize,
    /// The operations that are printed in the form that the release has. The form of the others is not known, or only
    /// within limits, and they are printed in generic form where it is not certain.
    pub known: usize,
}

impl CustomForms {
    /// The operations that a known release registers.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownRelease`](crate::ErrorKind::UnknownRelease) if the release is not known.
    pub fn of_release(release: &str) -> Result<Self> {
        let mut forms = Self::default();
        for_each_registered(release, |op, releases| {
            forms.add(op.name(), form_in_release(op, releases));
        })?;
        Ok(forms)
    }

    /// The names of the operations that a known release registers and whose form is not known, or only within limits.
    ///
    /// ```
    /// # use mlirbc::print::CustomForms;
    /// let unknown = CustomForms::unknown_of_release("jaxlib-0.8")?;
    /// assert!(!unknown.iter().any(|name| name == "arith.addi"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::UnknownRelease`](crate::ErrorKind::UnknownRelease) if the release is not known.
    pub fn unknown_of_release(release: &str) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for_each_registered(release, |op, releases| {
            let mut forms = Self::default();
            forms.add(op.name(), form_in_release(op, releases));
            if forms.known < forms.operations {
                names.push(op.name().to_owned());
            }
        })?;
        Ok(names)
    }

    /// The operations of a file that its writer registers.
    ///
    /// # Errors
    /// If a table that tells the release is malformed.
    pub fn of_module(module: &Module) -> Result<Self> {
        let releases = candidate_releases(module.release()?, module.tables().release_llvm());
        let mut forms = Self::default();
        for name in module.tables().op_names()?.filter(|name| name.is_registered != Some(false)) {
            // Many names may share one long dialect name.
            match name.dialect.len() + name.stem.len() < LONGEST_NAME {
                true => {
                    let name = name.full();
                    forms.add(&name, form_of(&name, &releases, |_| true));
                }
                false => forms.operations += 1,
            }
        }
        Ok(forms)
    }

    fn add(&mut self, name: &str, form: KnownForm) {
        let has_none = form == KnownForm::Generic || name.starts_with("vhlo.");
        self.operations += usize::from(!has_none);
        self.known += usize::from(form == KnownForm::Custom && !has_none);
    }
}

fn for_each_registered(release: &str, mut visit: impl FnMut(&OpSchema, &CandidateReleases)) -> Result<()> {
    let schema = Schemas::snapshot(&[]).find(release)?;
    let releases = CandidateReleases::new(release, schema.llvm_or_included().0, true);
    let operations = schema.ops().filter(|op| registers(release, op.name().as_bytes()));
    operations.for_each(|op| visit(op, &releases));
    Ok(())
}

/// The knowledge about the form of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KnownForm {
    Custom,
    /// The releases define no custom form.
    Generic,
    Unknown,
}

/// A definition of another release does not apply if only one definition has groups of operands.
fn form_in_release(op: &OpSchema, releases: &CandidateReleases) -> KnownForm {
    let traits = ["AttrSizedOperandSegments", "AttrSizedResultSegments"];
    form_of(op.name(), releases, |definition| {
        let has_groups = traits.into_iter().any(|name| definition.has_trait(name));
        op.fields().len() == 0 || has_groups == op.has_segment_sizes()
    })
}

fn form_of(
    name: &str,
    releases: &CandidateReleases,
    applies: impl Fn(&OperationDefinition) -> bool,
) -> KnownForm {
    let definitions = releases.definitions(name);
    let is_settled = definitions.iter().skip(1).all(|definition| definition.is_alike);
    let forms = OperationForms::new(name, definitions, |_| true);
    let Some(candidate) = forms.candidates.last().filter(|_| is_settled) else { return KnownForm::Unknown };
    match (&candidate.form, candidate.definition.syntax()) {
        (None, Syntax::Generic) => KnownForm::Generic,
        (None, _) => KnownForm::Unknown,
        _ if !applies(&candidate.definition) => KnownForm::Unknown,
        _ => KnownForm::Custom,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_without_definitions_have_the_forms_that_were_observed() {
        for (release, percent) in [("jaxlib-0.7", 50), ("jaxlib-0.8", 50), ("iree-3.8", 50)] {
            let forms = CustomForms::of_release(release).unwrap();
            assert!(forms.known * 100 > forms.operations * percent, "{release}: {forms:?}");
            let unknown = CustomForms::unknown_of_release(release).unwrap();
            assert_eq!(forms.operations - forms.known, unknown.len(), "{release}");
            assert!(!unknown.is_empty(), "{release}: {forms:?}");
        }
        assert!(CustomForms::of_release("llvm-1").is_err());
    }

    // Operations in texts of these builds that are printed in generic form.
    #[test]
    fn forms_that_only_the_build_knows_are_not_counted() {
        let of_hal = ["hal.executable.condition", "hal.executable.constant.block"];
        let of_torch = ["torch.copy.to_vtensor", "torch.operator", "torch.overwrite.tensor.contents"];
        let of_iree = [&of_hal[..], &of_torch, &["stream.tensor.trace"]].concat();
        let of_older = ["amdgpu.gather_to_lds", "util.unreachable"];
        for (release, names) in [("iree-3.6", [&of_iree[..], &of_older].concat()), ("iree-3.8", of_iree)] {
            let unknown = CustomForms::unknown_of_release(release).unwrap();
            let is_counted = |name: &&&str| !unknown.iter().any(|one| one == **name);
            assert_eq!(names.iter().find(is_counted), None, "{release}");
        }
    }

    // `acc.copyout` has groups of operands since LLVM 19, `amdgpu.gather_to_lds` since LLVM 22.
    #[test]
    fn definitions_with_other_groups_do_not_apply() {
        let of_acc = ["acc.copyout", "acc.delete", "acc.detach", "acc.update_host"];
        for (release, names) in [("llvm-18", &of_acc[..]), ("llvm-21", &["amdgpu.gather_to_lds"])] {
            let unknown = CustomForms::unknown_of_release(release).unwrap();
            let is_counted = |name: &&&str| !unknown.iter().any(|one| one == **name);
            assert_eq!(names.iter().find(is_counted), None, "{release}");
        }
    }

    #[test]
    fn names_of_definitions_are_short() {
        let releases = crate::ops::OperationDefinitions::releases();
        let all = releases.filter_map(crate::ops::OperationDefinitions::named);
        assert!(all.flat_map(|definitions| definitions.names()).all(|name| name.len() < LONGEST_NAME));
    }
}
