//! The definitions that apply to a release, which may be one without definitions of its own.

use std::sync::Arc;

use serde_json::Value as Json;

use super::packs::registered_for;
use super::table::{OperationDefinition, OperationDefinitions};
use super::transcribed;
use crate::release;

/// The definitions of a release, or those on which the releases before and after it agree.
///
/// An operation that changed, or that only one of the two has, is not known; nor is any operation of a build after the
/// newest release with definitions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ApplicableDefinitions {
    earlier: &'static OperationDefinitions,
    later: Option<&'static OperationDefinitions>,
    /// The release before a build of the main branch that includes the release after it.
    before: Option<&'static OperationDefinitions>,
}

impl ApplicableDefinitions {
    /// Those for the release with a name; `llvm` is the version of LLVM of a release that is not a known one.
    pub(crate) fn of(name: &str, llvm: u32) -> Option<Self> {
        if let Some(earlier) = registered_for(name) {
            return Some(Self { earlier, later: None, before: None });
        }
        let known = release::find(name).ok().flatten();
        let row = known.or_else(|| release::row_of_llvm(llvm).ok().flatten())?;
        let definitions = |release: &Option<Box<str>>| OperationDefinitions::of(release.as_deref()?);
        let (before, later) = (definitions(&row.before), definitions(&row.after));
        match OperationDefinitions::of(&row.name) {
            Some(earlier) => Some(Self { earlier, later: None, before }),
            None => Some(Self { earlier: before?, later: Some(later?), before: None }),
        }
    }

    /// The definition of an operation.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        let found = self.earlier.get(name)?;
        let may_have_changed = match (self.before, self.later) {
            (Some(before), _) => {
                self.earlier.is_included(name) && !is_same(before, self.earlier.llvm(), name)
            }
            (None, Some(later)) => !is_same(self.earlier, later, name),
            (None, None) => false,
        };
        (!may_have_changed).then_some(found)
    }

    /// A definition of an operation that may have changed or come between: that of the release before, or after.
    pub(crate) fn nearby(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        self.earlier.get(name).or_else(|| self.later?.get(name))
    }
}

// Whether a definition is the same in two releases, but for texts that people read and for the names of constraints.
pub(super) fn is_same(one: &OperationDefinitions, other: &OperationDefinitions, name: &str) -> bool {
    matches!((comparable(one, name), comparable(other, name)), (Some(first), Some(second)) if first == second)
}

// Whether a trait says nothing about the text of an operation.
fn is_silent(one: &Json) -> bool {
    match one {
        // It suggests names and a default dialect.
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
    if let Some(format) = transcribed::format_of(release.release(), name) {
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
        let of = |name, llvm| ApplicableDefinitions::of(name, llvm).unwrap();
        let own = of("llvm-19", 19);

        assert!(own.get("gpu.launch").is_some());
        let between = of("llvm-20", 20);

        assert!(between.get("arith.addi").is_some());
        // 22 has a result type that 19 does not have.
        assert!(between.get("vector.from_elements").is_none());
        // Only 22 has it.
        assert!(between.get("ptr.load").is_none());
        assert!(ApplicableDefinitions::of("llvm-24", 24).is_none());
        // `arith.extui` has a flag in 23, and jaxlib was built before its branch.
        let before = of("jaxlib-0.10", 23);
        assert!(before.get("arith.addi").is_some());
    }
}
