//! The definitions that apply to a release, which may be one without definitions of its own.

use std::sync::Arc;

use serde_json::Value as Json;

use super::classes::ClassDefinition;
use super::packs::registered_for;
use super::table::{OperationDefinition, OperationDefinitions};
use super::transcribed_formats;
use crate::release;

/// The definitions of a release, or definitions on which the releases before and after it agree.
///
/// An operation is unknown if it changed between these releases or if only one of them has it. All operations
/// of a build after the newest release with definitions are unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ApplicableDefinitions {
    earlier: &'static OperationDefinitions,
    later: Option<&'static OperationDefinitions>,
    /// The release before a build of the main branch that includes the release after it, or the other neighbour of the
    /// build that a pack includes.
    before: Option<&'static OperationDefinitions>,
}

impl ApplicableDefinitions {
    /// Returns the definitions for a release; `llvm` is the LLVM version of an unknown release.
    pub(crate) fn of(name: &str, llvm: u32) -> Option<Self> {
        if let Some(earlier) = registered_for(name) {
            return Some(Self { earlier, later: None, before: neighbour_of_base(name) });
        }
        let release_row = release::find(name).ok().flatten();
        let row = release_row.or_else(|| release::row_of_llvm(llvm).ok().flatten())?;
        let definitions = |release: &Option<Box<str>>| OperationDefinitions::named(release.as_deref()?);
        let (before, later) = (definitions(&row.before), definitions(&row.after));
        match OperationDefinitions::named(&row.name) {
            Some(earlier) => Some(Self { earlier, later: None, before }),
            None => Some(Self { earlier: before?, later: Some(later?), before: None }),
        }
    }

    /// Returns the definition of an operation, if it is known.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        let definition = self.earlier.get(name)?;
        let may_have_changed = match (self.before, self.later) {
            (Some(before), _) => {
                self.earlier.is_included(name) && !is_same(before, self.earlier.llvm(), name)
            }
            (None, Some(later)) => !is_same(self.earlier, later, name),
            (None, None) => false,
        };
        (!may_have_changed).then_some(definition)
    }

    /// Returns whether an operation is defined by a pack, and not by the release that it includes.
    pub(crate) fn is_of_project(&self, name: &str) -> bool {
        self.earlier.is_of_pack() && !self.earlier.is_included(name)
    }

    /// Returns an attribute or a type of a pack.
    pub(crate) fn class(&self, is_type: bool, name: &str) -> Option<Arc<ClassDefinition>> {
        self.earlier.class(is_type, name)
    }

    /// Returns whether attributes or types of a pack have constraints of IRDL.
    pub(crate) fn has_variables(&self) -> bool {
        self.earlier.has_variables()
    }

    /// Returns a definition of an operation that may differ in this release: the earlier release's, or the
    /// later one's.
    pub(crate) fn nearby(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        self.earlier.get(name).or_else(|| self.later?.get(name))
    }
}

// Returns the release that has to agree with the definitions that a pack includes, if these are not of its own build.
fn neighbour_of_base(pack: &str) -> Option<&'static OperationDefinitions> {
    let base = release::find_base(pack).ok().flatten()?;
    if OperationDefinitions::named(&base.name).is_some() {
        return None;
    }
    let included = base.definitions.first()?;
    let neighbours = [&base.before, &base.after].into_iter().flatten();
    neighbours.filter(|name| *name != included).find_map(|name| OperationDefinitions::named(name))
}

// Returns whether a definition is the same in two releases, except for texts for readers and the names of
// constraints.
pub(super) fn is_same(
    first_release: &OperationDefinitions,
    second_release: &OperationDefinitions,
    name: &str,
) -> bool {
    let rows = (comparable(first_release, name), comparable(second_release, name));
    matches!(rows, (Some(first), Some(second)) if first == second)
}

// Returns whether a trait does not affect the text of an operation.
fn is_silent(trait_json: &Json) -> bool {
    match trait_json {
        // This interface suggests names and a default dialect.
        Json::String(name) => name.ends_with("Interface") && name != "OpAsmOpInterface",
        Json::Array(parts) => parts.first().is_some_and(|name| name == "HasParent"),
        _ => false,
    }
}

fn comparable(release: &OperationDefinitions, name: &str) -> Option<Json> {
    let mut row: Json = serde_json::from_str(release.line(name)?).ok()?;
    row.as_object_mut()?.remove("summary");
    if let Some(traits) = row.get_mut("traits").and_then(Json::as_array_mut) {
        traits.retain(|one| !is_silent(one));
    }
    if let Some(format) = transcribed_formats::format_of(release.release(), name) {
        row.as_object_mut()?.insert("transcription".into(), format);
    }
    for key in ["operands", "results", "attributes", "properties"] {
        let parts = row.get_mut(key).and_then(Json::as_array_mut).into_iter().flatten();
        for constraint in parts.filter_map(|part| part.get_mut(1)) {
            let line = constraint.as_str().and_then(|name| release.constraint_line(name));
            let parsed = line.and_then(|line| serde_json::from_str::<Json>(line).ok());
            if let Some(Json::Object(mut fields)) = parsed {
                fields.remove("constraint");
                fields.remove("summary");
                *constraint = Json::Object(fields);
            }
        }
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_between_two_others_have_what_did_not_change() {
        let definitions_of = |name, llvm| ApplicableDefinitions::of(name, llvm).unwrap();
        let llvm_19 = definitions_of("llvm-19", 19);

        assert!(llvm_19.get("gpu.launch").is_some());
        let between = definitions_of("llvm-20", 20);

        assert!(between.get("arith.addi").is_some());
        // Release 22 has a result type that 19 does not have.
        assert!(between.get("vector.from_elements").is_none());
        // Only release 22 has the operation.
        assert!(between.get("ptr.load").is_none());
        assert!(ApplicableDefinitions::of("llvm-24", 24).is_none());
        // `arith.extui` has a flag in 23, and jaxlib was built before the branch of 23.
        let before = definitions_of("jaxlib-0.10", 23);
        assert!(before.get("arith.addi").is_some());
    }
}
