//! The forms of the operations of a name: one for each definition that they may have.

use std::sync::Arc;

use crate::assembly::{AssemblyForm, DefaultDialect, Program};
use crate::ops::{CandidateDefinition, OperationDefinition};
use crate::release::Llvm;

use super::names::suggested_names::{self as names, ArgumentNames, ResultNames};

/// The forms of the operations of a name.
pub(super) struct OperationForms {
    /// The oldest first; empty for an operation without a definition.
    pub(super) candidates: Vec<Candidate>,
    pub(super) results: ResultNames,
    pub(super) arguments: ArgumentNames,
    pub(super) default_dialect: &'static str,
}

/// A definition that the operations may have.
pub(super) struct Candidate {
    pub(super) definition: Arc<OperationDefinition>,
    /// `None` for the generic form.
    pub(super) form: Option<AssemblyForm>,
    /// The definition belongs to an earlier release, whose format may mention fewer attributes.
    pub(super) is_earlier: bool,
    pub(super) release: &'static str,
    pub(super) llvm: Llvm,
    /// The form equals the form of the candidate before this one, except for gates of the release.
    pub(super) is_alike: bool,
}

// Operations whose formats did not change between the newest release and later builds.
const UNCHANGED: &str = include_str!("../../data/operations/unchanged.txt");

/// Knowledge about the format of an operation in a build after the release that defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Continuity {
    Unknown,
    /// Printed in the same way if the format mentions all inherent attributes that are set.
    Format,
    /// Printed in the same way in all cases.
    Whole,
}

fn continuity_of(name: &str) -> Continuity {
    let marked = UNCHANGED.lines().find_map(|line| match line.strip_prefix(name)? {
        "" => Some(Continuity::Format),
        " properties" => Some(Continuity::Whole),
        _ => None,
    });
    marked.unwrap_or(Continuity::Unknown)
}

impl OperationForms {
    /// The forms of the operations of a name; `has_operation` tells whether the file has operations of another name.
    pub(super) fn new(
        name: &str,
        definitions: Vec<CandidateDefinition>,
        has_operation: impl Fn(&str) -> bool,
    ) -> Self {
        let mut candidates: Vec<Candidate> = Vec::new();
        for definition in definitions {
            let before = candidates.last().map(|candidate| candidate.llvm);
            let Some(candidate) = Candidate::new(name, definition, before) else { return Self::generic() };
            candidates.push(candidate);
        }
        let Some(newest) = candidates.last() else { return Self::generic() };
        // Names do not decide whether a text is valid.
        let (definition, release) = (&newest.definition, newest.llvm);
        let results = match names::results(definition, release) {
            // Only such a product has a name.
            ResultNames::Computed(names::Computed::Scaled) if !has_operation("vector.vscale") => {
                ResultNames::Numbered
            }
            results => results,
        };
        let arguments = names::arguments(definition, release);
        // Where the definitions differ, each name is written with its dialect.
        let default_dialect = DefaultDialect::of_defined(name, Some(definition))
            .filter(|default| candidates.iter().all(|one| default.for_printer(one.llvm).is_some()))
            .and_then(|default| default.for_printer(newest.llvm));
        Self { candidates, results, arguments, default_dialect: default_dialect.unwrap_or("") }
    }

    /// Operations about whose custom form nothing is known.
    pub(super) fn generic() -> Self {
        let (results, arguments) = (ResultNames::Numbered, ArgumentNames::Numbered);
        Self { candidates: Vec::new(), results, arguments, default_dialect: "" }
    }

    /// The name of blocks of the regions.
    pub(super) fn block_name(&self) -> Option<&str> {
        self.definition()?.block_name()
    }

    /// Whether the operations have a custom form by any definition.
    pub(super) fn has_form(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.form.is_some())
    }

    /// The newest definition.
    pub(super) fn definition(&self) -> Option<&Arc<OperationDefinition>> {
        self.candidates.last().map(|candidate| &candidate.definition)
    }
}

impl Candidate {
    /// `None` if a release before the build has the definition, and its format may have changed since.
    fn new(name: &str, candidate: CandidateDefinition, before: Option<Llvm>) -> Option<Self> {
        let CandidateDefinition { definition, release, llvm, is_continued, is_alike } = candidate;
        let llvm = Llvm(llvm);
        let continuity = if is_continued { continuity_of(name) } else { Continuity::Whole };
        if continuity == Continuity::Unknown {
            return None;
        }
        let form = AssemblyForm::to_print(&definition, llvm);
        // `linalg::find` asks for the release, and formats are compiled for it.
        let is_alike = is_alike
            && !name.starts_with("linalg.")
            && before.is_some_and(|before| Program::is_compiled_alike(before, llvm));
        let is_earlier = continuity != Continuity::Whole;
        Some(Self { definition, form, is_earlier, release, llvm, is_alike })
    }
}
