//! The definitions that apply to a release, which may be one without definitions of its own.

use std::sync::Arc;

use serde_json::Value as Json;

use super::constraint::Enumeration;
use super::rows::AttributeDefinition;
use super::table::{OperationDefinition, OperationDefinitions};
use super::transcribed;

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
    /// Those for the release with a name, of this version of LLVM; for a development build, of the next one.
    pub(crate) fn of(name: &str, llvm: u32) -> Option<Self> {
        let releases = || OperationDefinitions::releases().filter_map(|name| Some((number(name)?, name)));
        let earlier = releases().filter(|(number, _)| *number < llvm).max();
        if let Some(own) = OperationDefinitions::of(name) {
            let is_before =
                own.release() != own.llvm().release() && number(own.llvm().release()) == Some(llvm);
            let before = earlier.filter(|_| is_before).and_then(|(_, name)| OperationDefinitions::of(name));
            return Some(Self { earlier: own, later: None, before });
        }
        let later = releases().filter(|(number, _)| *number >= llvm).min()?;
        Some(Self {
            earlier: OperationDefinitions::of(earlier?.1)?,
            later: Some(OperationDefinitions::of(later.1)?),
            before: None,
        })
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

    /// Whether the definition of an operation is that of a release of LLVM before a build.
    pub(crate) fn is_earlier(&self, name: &str) -> bool {
        self.before.is_none() && self.earlier.is_included(name)
    }

    /// Whether the words for enumerations in the custom form of an operation stand for the same numbers in all releases that
    /// have the operation.
    pub(crate) fn agree_on_numbers(&self, name: &str) -> bool {
        let Some(found) = self.earlier.get(name) else { return true };
        let others = [self.before, self.later].into_iter().flatten().filter_map(|release| release.get(name));
        others.into_iter().all(|other| {
            found.attributes().iter().all(|attribute| {
                let cases = cases_of(attribute).zip(other.attribute(attribute.name()).and_then(cases_of));
                cases.is_none_or(|(first, second)| {
                    let number = |word: &str| second.cases().find(|(_, text)| *text == word);
                    first.cases().all(|(value, word)| number(word).is_none_or(|(other, _)| other == value))
                })
            })
        })
    }

    /// The versions of LLVM whose rules have to agree: one, or that before and that after the release.
    pub(crate) fn llvms(&self) -> (Option<u32>, Option<u32>) {
        (number(self.earlier.release()), self.later.and_then(|later| number(later.release())))
    }
}

fn number(release: &str) -> Option<u32> {
    release.strip_prefix("llvm-")?.parse().ok()
}

fn cases_of(attribute: &AttributeDefinition) -> Option<&Enumeration> {
    attribute.constraint()?.enumeration()
}

// Whether a definition is the same in two releases, but for texts that people read and for the names of constraints.
fn is_same(one: &OperationDefinitions, other: &OperationDefinitions, name: &str) -> bool {
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
        assert_eq!(own.llvms(), (Some(19), None));
        assert!(own.get("gpu.launch").is_some());
        let between = of("llvm-20", 20);
        assert_eq!(between.llvms(), (Some(19), Some(22)));
        assert!(between.get("arith.addi").is_some());
        // 22 has a result type that 19 does not have.
        assert!(between.get("vector.from_elements").is_none());
        // Only 22 has it.
        assert!(between.get("ptr.load").is_none());
        // A development build of 22 is between the branches of 21 and 22.
        assert_eq!(of("jaxlib-0.8", 22).llvms(), (Some(19), Some(22)));
        assert!(ApplicableDefinitions::of("llvm-24", 24).is_none());
        // `arith.extui` has a flag in 23, and jaxlib was built before its branch.
        let before = of("jaxlib-0.10", 23);
        assert!(before.get("arith.addi").is_some() && !before.is_earlier("arith.addi"));
        assert!(of("iree-3.13", 24).is_earlier("arith.addi") && !of("llvm-23", 23).is_earlier("arith.addi"));
    }
}
