//! The definitions of one release, looked up by name in text that is sorted by name.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};

use super::constraint::Constraint;
use super::format::{self, FormatElement};
use super::rows::{
    AttributeDefinition, Multiplicity, PartDefinition, RawOperation, Syntax, Trait, ValueDefinition,
};
use super::transcribed;

// One line of JSON for each constraint and each operation, each sorted by name (`tools/operations/README.md`).
// The last is the release whose definitions it has too, as `includes` in `data/releases.toml`.
const SHIPPED: &[(&str, &str, Option<&str>)] = &[
    ("llvm-16", include_str!("../../data/operations/llvm-16.jsonl"), None),
    ("llvm-19", include_str!("../../data/operations/llvm-19.jsonl"), None),
    ("llvm-22", include_str!("../../data/operations/llvm-22.jsonl"), None),
    ("stablehlo-1.20", include_str!("../../data/operations/stablehlo-1.20.jsonl"), Some("llvm-22")),
    ("jaxlib-0.10", "", Some("stablehlo-1.20")),
    ("iree-3.13", include_str!("../../data/operations/iree-3.13.jsonl"), Some("llvm-22")),
];

/// The operation definitions of a release.
///
/// Opening them reads nothing: a definition is parsed when it is asked for, and kept.
///
/// ```
/// let definitions = mlirbc::ops::OperationDefinitions::of("llvm-22").unwrap();
/// let addi = definitions.get("arith.addi").unwrap();
/// assert_eq!(addi.operands().iter().map(|operand| operand.name()).collect::<Vec<_>>(), ["lhs", "rhs"]);
/// assert!(addi.has_trait("SameOperandsAndResultType"));
/// assert!(definitions.get("arith.frobnicate").is_none());
/// ```
#[derive(Debug)]
pub struct OperationDefinitions {
    release: &'static str,
    constraints: &'static str,
    operations: &'static str,
    included: Option<&'static Self>,
    known: RwLock<HashMap<Box<str>, Option<Arc<OperationDefinition>>>>,
    known_constraints: RwLock<HashMap<Box<str>, Option<Arc<Constraint>>>>,
}

impl OperationDefinitions {
    /// The definitions of a release; `None` if there are none for it.
    pub fn of(release: &str) -> Option<&'static Self> {
        static OPENED: [OnceLock<OperationDefinitions>; SHIPPED.len()] =
            [const { OnceLock::new() }; SHIPPED.len()];
        let place = SHIPPED.iter().position(|(name, ..)| *name == release)?;
        let &(name, text, included) = SHIPPED.get(place)?;
        // A release includes only those before it.
        let included = included.and_then(Self::of);
        Some(OPENED.get(place)?.get_or_init(|| Self::open(name, text, included)))
    }

    /// The names of the releases that have definitions.
    pub fn releases() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, ..)| *name)
    }

    fn open(release: &'static str, text: &'static str, included: Option<&'static Self>) -> Self {
        let rows = text.split_once('\n').map_or("", |(_, rows)| rows);
        // The first operation follows the last constraint.
        let split = rows.find("\n{\"op\":").map_or(rows.len(), |end| end + 1);
        let (constraints, operations) = rows.split_at(split);
        Self {
            release,
            constraints,
            operations,
            included,
            known: RwLock::default(),
            known_constraints: RwLock::default(),
        }
    }

    /// The name of the release, for example `llvm-22`.
    pub fn release(&self) -> &'static str {
        self.release
    }

    /// The names of all operations, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let mut names: Vec<_> = self.operations.lines().filter_map(name_of).collect();
        let mut included = self.included;
        while let Some(one) = included {
            names.extend(one.operations.lines().filter_map(name_of));
            included = one.included;
        }
        names.sort_unstable();
        names.dedup();
        names.into_iter()
    }

    /// The definition of an operation by its full name; `None` if the release does not have it.
    pub fn get(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        if let Ok(known) = self.known.read()
            && let Some(found) = known.get(name)
        {
            return found.clone();
        }
        let found = line_of(self.operations, name)
            .and_then(|line| serde_json::from_str(line).ok())
            .map(|raw| Arc::new(self.operation(raw)));
        if found.is_none() {
            // There are three at most.
            return self.included.and_then(|included| included.get(name));
        }
        // Only names that exist are kept, so that a file with many unknown names takes no memory.
        if let Ok(mut known) = self.known.write() {
            known.insert(name.into(), found.clone());
        }
        found
    }

    /// Whether the definitions of this release itself, without those that it includes, have operations of a dialect.
    pub(crate) fn has_dialect(&self, dialect: &str) -> bool {
        let prefix = format!("{dialect}.");
        let first = first_from(self.operations, &prefix).and_then(name_of);
        first.is_some_and(|name| name.starts_with(&prefix))
    }

    /// Whether an operation is only defined by a release that this one includes, which may be another one of LLVM.
    pub fn is_included(&self, name: &str) -> bool {
        self.included.is_some_and(|included| {
            line_of(self.operations, name).is_none()
                && (included.included.is_none() || included.is_included(name))
        })
    }

    /// A constraint by its name; `None` if the release does not have it.
    pub fn constraint(&self, name: &str) -> Option<Arc<Constraint>> {
        if let Ok(known) = self.known_constraints.read()
            && let Some(found) = known.get(name)
        {
            return found.clone();
        }
        let found =
            line_of(self.constraints, name).and_then(|line| serde_json::from_str(line).ok()).map(Arc::new);
        if found.is_none() {
            return self.included.and_then(|included| included.constraint(name));
        }
        if let Ok(mut known) = self.known_constraints.write() {
            known.insert(name.into(), found.clone());
        }
        found
    }

    /// The row of an operation.
    pub(super) fn line(&self, name: &str) -> Option<&'static str> {
        line_of(self.operations, name)
    }

    /// The row of a constraint.
    pub(super) fn constraint_line(&self, name: &str) -> Option<&'static str> {
        line_of(self.constraints, name)
    }

    fn operation(&self, raw: RawOperation<'static>) -> OperationDefinition {
        let value = |raw| ValueDefinition::new(raw, |name| self.constraint(name));
        let operands: Box<[_]> = raw.operands.into_iter().map(value).collect();
        let results: Box<[_]> = raw.results.into_iter().map(value).collect();
        let attributes =
            raw.attributes.into_iter().map(|raw| AttributeDefinition::new(raw, |name| self.constraint(name)));
        let properties = raw
            .properties
            .into_iter()
            .map(|raw| AttributeDefinition::native(raw, |name| self.constraint(name)));
        let regions: Box<[_]> = raw.regions.into_iter().map(PartDefinition::new).collect();
        let successors: Box<[_]> = raw.successors.into_iter().map(PartDefinition::new).collect();
        let mut definition = OperationDefinition {
            name: raw.op.into(),
            summary: raw.summary.unwrap_or_default().into(),
            operands,
            results,
            attributes: attributes.chain(properties).collect(),
            regions,
            successors,
            traits: raw.traits.into_iter().map(Trait::new).collect(),
            syntax: Syntax::Generic,
            transcription: None,
        };
        definition.syntax = Syntax::new(raw.format, &definition);
        if matches!(definition.syntax, Syntax::HandWritten) {
            let rows = transcribed::format_of(self.release, definition.name());
            definition.transcription = rows.and_then(|rows| format::elements(rows.as_array()?, &definition));
        }
        definition
    }
}

/// What an operation of a release is made of.
#[derive(Debug)]
pub struct OperationDefinition {
    name: Box<str>,
    summary: Box<str>,
    operands: Box<[ValueDefinition]>,
    results: Box<[ValueDefinition]>,
    attributes: Box<[AttributeDefinition]>,
    regions: Box<[PartDefinition]>,
    successors: Box<[PartDefinition]>,
    traits: Box<[Trait]>,
    syntax: Syntax,
    transcription: Option<Box<[FormatElement]>>,
}

impl OperationDefinition {
    /// The full name, for example `arith.addi`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line about what the operation does; empty if the definition has none.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The operands in their order in the operation.
    pub fn operands(&self) -> &[ValueDefinition] {
        &self.operands
    }

    /// The results in their order in the operation.
    pub fn results(&self) -> &[ValueDefinition] {
        &self.results
    }

    /// The inherent attributes, then the native properties, in the order of the definition.
    pub fn attributes(&self) -> &[AttributeDefinition] {
        &self.attributes
    }

    /// An inherent attribute or a native property by its name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeDefinition> {
        self.attributes.iter().find(|attribute| attribute.name() == name)
    }

    /// The regions.
    pub fn regions(&self) -> &[PartDefinition] {
        &self.regions
    }

    /// The successors.
    pub fn successors(&self) -> &[PartDefinition] {
        &self.successors
    }

    /// How many of `count` operands each operand of the definition stands for; `None` if that does not follow from the
    /// number, or no operation can have so many.
    ///
    /// ```
    /// let definitions = mlirbc::ops::OperationDefinitions::of("llvm-22").unwrap();
    /// let alloca = definitions.get("memref.load").unwrap();
    /// assert_eq!(alloca.operand_counts(3), Some(vec![1, 2]));
    /// assert_eq!(alloca.operand_counts(0), None);
    /// ```
    pub fn operand_counts(&self, count: usize) -> Option<Vec<usize>> {
        let marks = self.operands.iter().map(ValueDefinition::multiplicity);
        counts(marks, count, self.has_trait("SameVariadicOperandSize"))
    }

    /// As [`Self::operand_counts`] for results.
    pub fn result_counts(&self, count: usize) -> Option<Vec<usize>> {
        let marks = self.results.iter().map(ValueDefinition::multiplicity);
        counts(marks, count, self.has_trait("SameVariadicResultSize"))
    }

    /// As [`Self::operand_counts`] for regions.
    pub fn region_counts(&self, count: usize) -> Option<Vec<usize>> {
        let mark = |part: &PartDefinition| {
            if part.is_variadic() { &Multiplicity::Variadic } else { &Multiplicity::One }
        };
        counts(self.regions.iter().map(mark), count, false)
    }

    /// The traits and interfaces.
    pub fn traits(&self) -> &[Trait] {
        &self.traits
    }

    /// Whether the operation has a trait or an interface without arguments.
    pub fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|one| one.name() == name)
    }

    /// How the custom assembly is written.
    pub fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    /// The elements of a declarative assembly format; `None` if the operation has none.
    pub fn format(&self) -> Option<&[FormatElement]> {
        match &self.syntax {
            Syntax::Format(elements) => Some(elements),
            _ => None,
        }
    }

    /// The elements of the format, also of one that MLIR has as C++, where they are known.
    pub(crate) fn assembly(&self) -> Option<&[FormatElement]> {
        self.format().or(self.transcription.as_deref())
    }
}

fn counts<'a>(
    marks: impl Iterator<Item = &'a Multiplicity> + Clone,
    count: usize,
    is_same: bool,
) -> Option<Vec<usize>> {
    let single = marks.clone().filter(|mark| **mark == Multiplicity::One).count();
    let others = marks.clone().count() - single;
    let rest = count.checked_sub(single)?;
    let size = match others {
        0 if rest > 0 => return None,
        0 => 0,
        1 => rest,
        _ if is_same && rest % others == 0 => rest / others,
        _ => return None,
    };
    marks
        .map(|mark| match mark {
            Multiplicity::One => Some(1),
            Multiplicity::Optional if size > 1 => None,
            _ => Some(size),
        })
        .collect()
}

// The name that a line begins with, `{"op":"arith.addi",…`.
fn name_of(line: &'static str) -> Option<&'static str> {
    let (_, rest) = line.split_once(":\"")?;
    // Names of operations have no escapes; those of constraints do not begin a search if they have.
    rest.split_once('"').map(|(name, _)| name)
}

fn line_of(text: &'static str, name: &str) -> Option<&'static str> {
    first_from(text, name).filter(|line| name_of(line) == Some(name))
}

// The first line whose name is not before this one: a binary search over lines that are sorted by their names.
fn first_from(text: &'static str, name: &str) -> Option<&'static str> {
    let (mut start, mut end) = (0, text.len());
    while start < end {
        let middle = start + (end - start) / 2;
        let line_start = text.get(..middle)?.rfind('\n').map_or(0, |place| place + 1).max(start);
        let line = text.get(line_start..)?.split('\n').next()?;
        match name_of(line)?.as_bytes().cmp(name.as_bytes()) {
            Ordering::Equal => return Some(line),
            Ordering::Less => start = line_start + line.len() + 1,
            Ordering::Greater => end = line_start,
        }
    }
    text.get(start..)?.lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_name() {
        for release in OperationDefinitions::releases() {
            let definitions = OperationDefinitions::of(release).unwrap();
            let mut count = 0;
            for name in definitions.names() {
                let found =
                    definitions.get(name).unwrap_or_else(|| panic!("{name} of {release} is not read"));
                assert_eq!(found.name(), name);
                count += 1;
            }
            assert!(count > 1200, "{release} has {count}");
        }
    }

    #[test]
    fn lines_that_a_search_does_not_find() {
        let definitions = OperationDefinitions::of("llvm-22").unwrap();
        for name in ["", "a", "arith.add", "arith.addi0", "zzz", "\u{10ffff}"] {
            assert!(definitions.get(name).is_none(), "{name}");
        }
        assert!(OperationDefinitions::of("llvm-1").is_none());
    }
}
