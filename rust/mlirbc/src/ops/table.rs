//! The definitions of one release, looked up by name in text that is sorted by name.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

use serde_json::Value as Json;

use super::constraint::Constraint;
use super::format::{self, FormatElement};
use super::packs::{self, PackRows};
use super::rows::{
    AttributeDefinition, Multiplicity, PartDefinition, RawOperation, Syntax, Trait, ValueDefinition,
};
use super::transcribed;
use crate::release::{KnownRelease, absent_dialects, find, releases, row_of_llvm};
use crate::wire::order;

// The rows of all releases, which `build.rs` makes of `data/operations` (`tools/operations/README.md`): letters of the
// releases that have the row, a space and the row as JSON, sorted by the names in the rows.
include!(concat!(env!("OUT_DIR"), "/operations.rs"));

// The releases with definitions of their own, the ones that include no other one first (`data/releases.toml`).
static OPENED: LazyLock<Vec<(&'static KnownRelease, OnceLock<OperationDefinitions>)>> = LazyLock::new(|| {
    let defined = releases().unwrap_or_default().iter().filter(|release| release.is_defined());
    let mut opened: Vec<_> = defined.map(|release| (release, OnceLock::new())).collect();
    order::sort_by_key(&mut opened, |(release, _)| (release.definitions.len(), release.revision()));
    opened
});

// Files of builds that have no definitions of their own: the operations that they define in another way than the newest
// definitions of their project, `iree-3.13` for `iree-3.8`.
static FORMS: LazyLock<Vec<OperationDefinitions>> = LazyLock::new(|| {
    let unopened = |name: &&str| OperationDefinitions::of(name).is_none();
    LETTERS.iter().map(|&(name, _)| name).filter(unopened).map(OperationDefinitions::open_forms).collect()
});

/// Whether any release has definitions of operations of a dialect.
pub(super) fn is_defined_dialect(dialect: &str) -> bool {
    DIALECTS.lines().any(|row| row.split_once(' ').is_some_and(|(_, name)| name == dialect))
}

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
    /// Marks its rows; `None` if it has none of its own.
    letter: Option<char>,
    /// The rows of a pack, which has no letter.
    pack: Option<PackRows>,
    included: Option<&'static Self>,
    /// The dialects of `included` that it does not have.
    absent: &'static [Box<str>],
    known: RwLock<HashMap<Box<str>, Option<Arc<OperationDefinition>>>>,
    known_constraints: RwLock<HashMap<Box<str>, Option<Arc<Constraint>>>>,
}

impl OperationDefinitions {
    /// The definitions of a release, shipped ones or those of a registered pack; `None` if there are none for it.
    pub fn of(release: &str) -> Option<&'static Self> {
        Self::shipped(release).or_else(|| packs::registered_for(release))
    }

    /// The definitions of the registered packs, the last one first.
    pub fn of_packs() -> impl Iterator<Item = &'static Self> {
        packs::registered().into_iter()
    }

    fn shipped(release: &str) -> Option<&'static Self> {
        let (release, opened) = OPENED.iter().find(|(known, _)| *known.name == *release)?;
        // A release includes only those before it.
        let included = || release.definitions.get(1).and_then(|included| Self::shipped(included));
        Some(opened.get_or_init(|| Self::open(&release.name, included())))
    }

    /// The definitions of a release, or the operations that a build is known to define in another way than its project.
    pub(super) fn of_forms(name: &str) -> Option<&'static Self> {
        Self::of(name).or_else(|| FORMS.iter().find(|forms| forms.release == name))
    }

    fn open_forms(name: &'static str) -> Self {
        let project = |name: &'static str| name.rsplit_once('-').map(|(project, _)| project);
        let included = OPENED.iter().rfind(|(release, _)| project(&release.name) == project(name));
        Self::open(name, included.and_then(|(release, _)| Self::of(&release.name)))
    }

    /// The definitions that text for a release is read with where nothing is known about an operation: its own ones, or
    /// those of the release of LLVM nearest to it. `llvm` is the version of LLVM of a release that is not a known one.
    pub(crate) fn nearest(release: &str, llvm: u32) -> Option<&'static Self> {
        if let Some(of_pack) = packs::registered_for(release) {
            return Some(of_pack);
        }
        let known = find(release).ok().flatten();
        let row = known.or_else(|| row_of_llvm(llvm).ok().flatten())?;
        Self::of(row.definitions.first()?)
    }

    /// The names of the releases that have definitions.
    pub fn releases() -> impl Iterator<Item = &'static str> {
        OPENED.iter().map(|(release, _)| &*release.name)
    }

    /// The definitions of releases of LLVM, the oldest first.
    pub(crate) fn of_llvm() -> impl Iterator<Item = &'static Self> {
        Self::releases().filter_map(Self::of).filter(|definitions| definitions.included.is_none())
    }

    fn open(release: &'static str, included: Option<&'static Self>) -> Self {
        Self {
            release,
            letter: LETTERS.iter().find(|(name, _)| *name == release).map(|&(_, letter)| letter),
            pack: None,
            included,
            absent: absent_dialects(release),
            known: RwLock::default(),
            known_constraints: RwLock::default(),
        }
    }

    /// The definitions of a release of a pack.
    pub(super) fn of_pack(release: &'static str, rows: PackRows, included: Option<&'static Self>) -> Self {
        Self { letter: None, pack: Some(rows), absent: &[], ..Self::open(release, included) }
    }

    /// Whether a pack of the user brings the definitions.
    pub fn is_of_pack(&self) -> bool {
        self.pack.is_some()
    }

    /// The name of the release, for example `llvm-22`.
    pub fn release(&self) -> &'static str {
        self.release
    }

    /// The names of all operations, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let mut letters: Vec<char> = self.letter.into_iter().collect();
        let mut of_packs: Vec<&'static str> = self.operations_of_pack().collect();
        let mut included = self.included;
        while let Some(one) = included {
            letters.extend(one.letter);
            of_packs.extend(one.operations_of_pack());
            included = one.included;
        }
        // Rows of one name are neighbours.
        let rows = OPERATIONS.lines().filter(|row| letters.iter().any(|&letter| has_letter(row, letter)));
        let mut names: Vec<_> = rows.filter_map(name_of).filter(|name| !self.lacks(name)).collect();
        if !of_packs.is_empty() {
            names.extend(of_packs);
            order::sort_by(&mut names, Ord::cmp);
        }
        names.dedup();
        names.into_iter()
    }

    /// The operations of the pack itself, sorted by name.
    pub(crate) fn operations_of_pack(&self) -> impl Iterator<Item = &'static str> {
        self.pack.iter().flat_map(|rows| rows.operations.keys().copied())
    }

    /// Whether it has rows for operations of a dialect, without those that it includes.
    fn has_rows_of(&self, dialect: &str) -> bool {
        if let Some(rows) = &self.pack {
            return rows.has_dialect(dialect);
        }
        let row = DIALECTS.lines().find(|row| row.split_once(' ').is_some_and(|(_, name)| name == dialect));
        self.letter.is_some_and(|letter| row.is_some_and(|row| has_letter(row, letter)))
    }

    /// The definition of an operation by its full name; `None` if the release does not have it.
    pub fn get(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        if let Ok(known) = self.known.read()
            && let Some(found) = known.get(name)
        {
            return found.clone();
        }
        let found = self
            .line(name)
            .and_then(|line| serde_json::from_str(line).ok())
            .map(|raw| Arc::new(self.operation(raw)));
        if found.is_none() {
            // There are three at most.
            return self.included.filter(|_| !self.lacks(name)).and_then(|included| included.get(name));
        }
        // Only names that exist are kept, so that a file with many unknown names takes no memory.
        if let Ok(mut known) = self.known.write() {
            known.insert(name.into(), found.clone());
        }
        found
    }

    /// Whether there is a definition of an operation, which is not read.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.line(name).is_some()
            || self.included.is_some_and(|included| !self.lacks(name) && included.has(name))
    }

    /// Whether it has operations of a dialect, its own or those of a release that it includes.
    pub(crate) fn includes_dialect(&self, dialect: &str) -> bool {
        self.has_rows_of(dialect)
            || self
                .included
                .is_some_and(|included| !self.lacks(dialect) && included.includes_dialect(dialect))
    }

    // Other builds with the same producer string have more dialects of LLVM, but none that are not LLVM's.
    fn lacks(&self, name: &str) -> bool {
        let dialect = name.split('.').next().unwrap_or_default();
        let is_of_llvm = || self.included.is_some_and(|included| included.llvm().has_dialect(dialect));
        self.absent.iter().any(|absent| **absent == *dialect) && !is_of_llvm()
    }

    /// The definitions, these or included ones, that have a row for an operation.
    pub(super) fn holder(&'static self, name: &str) -> Option<&'static Self> {
        match self.line(name) {
            Some(_) => Some(self),
            None => self.included.filter(|_| !self.lacks(name)).and_then(|included| included.holder(name)),
        }
    }

    /// The release of LLVM that it includes, or is.
    pub(super) fn llvm(&'static self) -> &'static Self {
        self.included.map_or(self, Self::llvm)
    }

    /// Whether the definitions of this release itself, without those that it includes, have operations of a dialect.
    pub(crate) fn has_dialect(&self, dialect: &str) -> bool {
        let is_own = self.has_rows_of(dialect);
        // A build has some operations of LLVM's dialects, which it defines in another way.
        is_own && self.included.is_none_or(|included| !included.llvm().has_dialect(dialect))
    }

    /// Whether an operation is only defined by a release that this one includes, which may be another one of LLVM.
    pub fn is_included(&self, name: &str) -> bool {
        self.included.is_some_and(|included| {
            self.line(name).is_none() && (included.included.is_none() || included.is_included(name))
        })
    }

    /// A constraint by its name; `None` if the release does not have it.
    pub fn constraint(&self, name: &str) -> Option<Arc<Constraint>> {
        if let Ok(known) = self.known_constraints.read()
            && let Some(found) = known.get(name)
        {
            return found.clone();
        }
        let found = self.constraint_line(name).and_then(|line| serde_json::from_str(line).ok()).map(Arc::new);
        if found.is_none() {
            return self.included.and_then(|included| included.constraint(name));
        }
        if let Ok(mut known) = self.known_constraints.write() {
            known.insert(name.into(), found.clone());
        }
        found
    }

    /// The enumerations whose attributes have a class, by the class: `gpu.dim`.
    pub(crate) fn enumerations(&self) -> HashMap<Box<str>, Arc<Constraint>> {
        let rows =
            CONSTRAINTS.lines().filter(|row| self.letter.is_some_and(|letter| has_letter(row, letter)));
        let names = rows.filter(|row| row.contains("\"enum\"")).filter_map(name_of);
        let of_pack = self.pack.iter().flat_map(|rows| &rows.constraints);
        let of_pack = of_pack.filter(|(_, row)| row.contains("\"enum\"")).map(|(name, _)| *name);
        let names = names.chain(of_pack);
        let constraints = names.filter_map(|name| self.constraint(name));
        let mut enumerations = self.included.map(Self::enumerations).unwrap_or_default();
        enumerations.extend(
            constraints.filter_map(|constraint| Some((constraint.class()?.into(), constraint.clone()))),
        );
        enumerations
    }

    /// The row of an operation.
    pub(super) fn line(&self, name: &str) -> Option<&'static str> {
        match &self.pack {
            Some(rows) => rows.operations.get(name).copied(),
            None => row_of(OPERATIONS, self.letter?, name),
        }
    }

    /// The row of a constraint.
    pub(super) fn constraint_line(&self, name: &str) -> Option<&'static str> {
        match &self.pack {
            Some(rows) => rows.constraints.get(name).copied(),
            None => row_of(CONSTRAINTS, self.letter?, name),
        }
    }

    // A build has the transcribed formats of the release that it includes.
    fn transcription(&self, name: &str) -> Option<Json> {
        let own = transcribed::format_of(self.release, name);
        own.or_else(|| self.included.and_then(|included| included.transcription(name)))
    }

    fn operation(&self, raw: RawOperation<'_>) -> OperationDefinition {
        OperationDefinition::new(raw, |name| self.constraint(name), |name| self.transcription(name))
    }
}

/// What an operation of a release is made of.
#[derive(Debug)]
pub struct OperationDefinition {
    name: Box<str>,
    summary: Box<str>,
    source: Box<str>,
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
    /// The definition of a row, with the constraints that it names and the transcribed format of one that MLIR has as C++.
    pub(super) fn new(
        raw: RawOperation<'_>,
        constraint: impl Fn(&str) -> Option<Arc<Constraint>>,
        transcription: impl Fn(&str) -> Option<Json>,
    ) -> Self {
        let value = |raw| ValueDefinition::new(raw, &constraint);
        let operands: Box<[_]> = raw.operands.into_iter().map(value).collect();
        let results: Box<[_]> = raw.results.into_iter().map(value).collect();
        let attributes = raw.attributes.into_iter().map(|raw| AttributeDefinition::new(raw, &constraint));
        let properties = raw.properties.into_iter().map(|raw| AttributeDefinition::native(raw, &constraint));
        let regions: Box<[_]> = raw.regions.into_iter().map(PartDefinition::new).collect();
        let successors: Box<[_]> = raw.successors.into_iter().map(PartDefinition::new).collect();
        let mut definition = Self {
            name: raw.op.into(),
            summary: raw.summary.unwrap_or_default().into(),
            source: raw.at.unwrap_or_default().into(),
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
            let rows = if raw.form.is_null() { transcription(definition.name()) } else { Some(raw.form) };
            definition.transcription = rows.and_then(|rows| format::elements(rows.as_array()?, &definition));
        }
        definition
    }

    /// The full name, for example `arith.addi`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line about what the operation does; empty if the definition has none.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The file and the line of the definition, `FIROps.td:3374`; empty for shipped definitions.
    pub fn source(&self) -> &str {
        &self.source
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

// Whether the letters before the first space have this one.
fn has_letter(row: &str, letter: char) -> bool {
    row.chars().take_while(|&one| one != ' ').any(|one| one == letter)
}

// The name in a row, `abc {"op":"arith.addi",…`.
fn name_of(row: &'static str) -> Option<&'static str> {
    let (_, rest) = row.split_once(":\"")?;
    // Names of operations have no escapes; those of constraints do not begin a search if they have.
    rest.split_once('"').map(|(name, _)| name)
}

// The JSON of the row with this name that the release of a letter has.
fn row_of(rows: &'static str, letter: char, name: &str) -> Option<&'static str> {
    let named = rows_from(rows, name).lines().take_while(|row| name_of(row) == Some(name));
    let row = named.into_iter().find(|row| has_letter(row, letter))?;
    row.split_once(' ').map(|(_, json)| json)
}

// The rows whose names are not before this one: a binary search over rows that are sorted by their names.
fn rows_from(rows: &'static str, name: &str) -> &'static str {
    let (mut start, mut end) = (0, rows.len());
    while start < end {
        let middle = start + (end - start) / 2;
        // Bytes, because `middle` may be within a character.
        let before = rows.as_bytes().get(start..middle).unwrap_or_default();
        let newline = before.iter().rposition(|&byte| byte == b'\n');
        let row_start = newline.map_or(start, |place| start + place + 1);
        let row = rows.get(row_start..).and_then(|rows| rows.lines().next()).unwrap_or_default();
        if name_of(row).is_some_and(|found| found.as_bytes() < name.as_bytes()) {
            start = row_start + row.len() + 1;
        } else {
            end = row_start;
        }
    }
    rows.get(start..).unwrap_or_default()
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
    fn rows_are_those_of_the_files() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/operations");
        for (release, letter) in LETTERS {
            let text = std::fs::read_to_string(folder.join(format!("{release}.jsonl"))).unwrap();
            let rows: Vec<&str> = text.lines().skip(1).collect();
            for row in &rows {
                let list = if row.starts_with("{\"op\"") { OPERATIONS } else { CONSTRAINTS };
                let name = row.split_once(":\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
                // A search finds no constraint whose name has an escape.
                if !name.ends_with('\\') {
                    assert_eq!(row_of(list, letter, name), Some(*row), "{release}");
                }
            }
            let merged = CONSTRAINTS.lines().chain(OPERATIONS.lines());
            assert_eq!(merged.filter(|row| has_letter(row, letter)).count(), rows.len(), "{release}");
        }
    }

    #[test]
    fn a_release_has_its_own_dialects() {
        let has = |release, dialect| OperationDefinitions::of(release).unwrap().has_dialect(dialect);
        assert!(has("llvm-16", "arith") && has("stablehlo-1.20", "stablehlo") && has("iree-3.13", "hal"));
        assert!(
            !has("llvm-16", "xegpu") && !has("stablehlo-1.20", "arith") && !has("jaxlib-0.10", "stablehlo")
        );
        assert!(!has("llvm-22", "a") && !has("llvm-22", "arit") && !has("llvm-22", ""));
    }

    #[test]
    fn lines_that_a_search_does_not_find() {
        let definitions = OperationDefinitions::of("llvm-22").unwrap();
        for name in ["", "a", "arith.add", "arith.addi0", "zzz", "\u{10ffff}"] {
            assert!(definitions.get(name).is_none(), "{name}");
        }
        assert!(OperationDefinitions::of("llvm-1").is_none());
    }

    fn nearest(release: &str, llvm: u32) -> &'static str {
        OperationDefinitions::nearest(release, llvm).unwrap().release()
    }

    #[test]
    fn a_release_without_definitions_has_those_of_the_nearest_release() {
        for (release, expected) in [
            ("llvm-17", "llvm-16"),
            ("circt-1.62", "llvm-19"),
            ("llvm-18", "llvm-19"),
            ("jaxlib-0.4.31", "llvm-19"),
            ("llvm-20", "llvm-19"),
            ("iree-3.4", "llvm-22"),
            ("llvm-21", "llvm-22"),
            ("jaxlib-0.8", "llvm-22"),
            // Its LLVM is numbered 23, but it is two months after 22 and four months before 23.
            ("jaxlib-0.9", "llvm-22"),
            ("torch-mlir-20261001", "llvm-23"),
        ] {
            assert_eq!(nearest(release, 0), expected, "{release}");
        }
        assert_eq!(nearest("iree-3.13", 24), "iree-3.13");
    }

    #[test]
    fn a_registered_release_has_the_definitions_of_its_llvm() {
        let expected = [
            (16, "llvm-16"),
            (17, "llvm-16"),
            (19, "llvm-19"),
            (22, "llvm-22"),
            (23, "llvm-23"),
            (99, "llvm-23"),
        ];
        for (llvm, release) in expected {
            assert_eq!(nearest("toy-1", llvm), release, "{llvm}");
        }
        assert_eq!(nearest("toy-1", 3), "llvm-16");
    }
}
