//! How many operations of a release, or of a file, are printed as the tool of the release prints them.

use crate::file::release::ReleaseOrigin;
use crate::ir::Module;
use crate::ops::{CandidateDefinition, CandidateReleases, Syntax};
use crate::props::registry::Schemas;
use crate::release::registers;
use crate::wire::error::Result;

use super::known::{Candidate, Form, Known};

/// No operation that a release defines has a longer name.
const LONGEST_NAME: usize = 128;

/// Of how many operations the custom form is known.
///
/// ```
/// use mlirbc::print::CustomForms;
/// let forms = CustomForms::of_release("llvm-22")?;
/// assert!(forms.known > 2000 && forms.known <= forms.operations);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CustomForms {
    /// The number of operations, by their names.
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
        let schema = Schemas::snapshot(&[]).find(release)?;
        let releases = CandidateReleases::new(release, schema.llvm_or_included().0, true);
        let names = schema.ops().map(|op| op.name()).filter(|name| registers(release, name.as_bytes()));
        let mut forms = Self::default();
        for name in names {
            forms.operations += 1;
            forms.known += usize::from(releases.knows_form(name));
        }
        Ok(forms)
    }

    /// The operations of a file that its writer registers.
    ///
    /// # Errors
    /// If a table that tells the release is malformed.
    pub fn of_module(module: &Module) -> Result<Self> {
        let release = module.release()?;
        let nearest = release.nearest().unwrap_or_default();
        let is_specified = *release.origin() == ReleaseOrigin::Caller;
        let evidence = release.evidence();
        let releases = CandidateReleases::new(nearest, module.release_llvm().0, is_specified)
            .within(evidence.after, evidence.before);
        let mut forms = Self::default();
        for name in module.op_names()?.filter(|name| name.is_registered != Some(false)) {
            // Many names may share one long dialect name.
            let is_short = name.dialect.len() + name.stem.len() < LONGEST_NAME;
            let is_looked_up = is_short && !nearest.is_empty();
            forms.operations += 1;
            forms.known += usize::from(is_looked_up && releases.knows_form(&name.full()));
        }
        Ok(forms)
    }
}

impl CandidateReleases {
    fn knows_form(&self, name: &str) -> bool {
        is_known(name, self.definitions(name))
    }
}

/// Whether one form is certain: a release may have only the generic form of an operation.
fn is_known(name: &str, definitions: Vec<CandidateDefinition>) -> bool {
    let is_settled = definitions.iter().skip(1).all(|definition| definition.is_alike);
    let known = Known::new(name, definitions, |_| true);
    let has_form = |candidate: &Candidate| {
        !matches!(candidate.form, Form::Generic) || matches!(candidate.definition.syntax(), Syntax::Generic)
    };
    is_settled && known.candidates.last().is_some_and(has_form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_without_definitions_have_the_forms_that_were_observed() {
        for (release, percent) in [("jaxlib-0.7", 50), ("jaxlib-0.8", 50), ("iree-3.8", 50)] {
            let forms = CustomForms::of_release(release).unwrap();
            assert!(forms.known * 100 > forms.operations * percent, "{release}: {forms:?}");
            assert!(forms.known < forms.operations, "{release}: {forms:?}");
        }
        assert!(CustomForms::of_release("llvm-1").is_err());
    }

    #[test]
    fn names_of_definitions_are_short() {
        let releases = crate::ops::OperationDefinitions::releases();
        let all = releases.filter_map(crate::ops::OperationDefinitions::of);
        assert!(all.flat_map(|definitions| definitions.names()).all(|name| name.len() < LONGEST_NAME));
    }
}
