//! The definitions of one release, looked up by name in text that is sorted by name.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

use serde_json::Value as Json;

use super::classes::ClassDefinition;
use super::constraint::Constraint;
use super::format::{self, FormatElement};
use super::packs::{self, PackRows};
use super::rows::{
    AttributeDefinition, Multiplicity, PartDefinition, RawOperation, Syntax, Trait, ValueDefinition,
};
use super::transcribed_formats;
use super::value_names::NameTemplate;
use super::variables::Variables;
use crate::release::{
    KnownRelease, Release, absent_dialects, find, keeps_attributes_in_dictionary, releases, row_of_llvm,
};
use crate::wire::order;

// The rows of all releases, which `build.rs` creates from `data/operations` (`tools/operations/README.md`):
// letters of the releases that have the row, a space and the row as JSON, sorted by the names in the rows.
include!(concat!(env!("OUT_DIR"), "/operations.rs"));

// The releases with definitions; releases that include no other one come first (`data/releases.toml`).
static OPENED: LazyLock<Vec<(&'static KnownRelease, OnceLock<OperationDefinitions>)>> = LazyLock::new(|| {
    let defined = releases().unwrap_or_default().iter().filter(|release| release.is_defined());
    let mut opened: Vec<_> = defined.map(|release| (release, OnceLock::new())).collect();
    order::sort_by_key(&mut opened, |(release, _)| (release.definitions.len(), release.revision()));
    opened
});

// Files of builds without full definitions. They contain the operations that differ from the newest
// definitions of the project, for example `iree-3.13` for `iree-3.8`.
static FORMS: LazyLock<Vec<OperationDefinitions>> = LazyLock::new(|| {
    let unopened = |name: &&str| OperationDefinitions::shipped(name).is_none();
    LETTERS.iter().map(|&(name, _)| name).filter(unopened).map(OperationDefinitions::open_forms).collect()
});

/// The letters of the releases that define operations of a dialect, by its name.
static DIALECT_LETTERS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    DIALECTS.lines().filter_map(|row| row.split_once(' ').map(|(letters, name)| (name, letters))).collect()
});

/// Returns whether any release has definitions of operations of a dialect.
pub(crate) fn is_defined_dialect(dialect: &str) -> bool {
    DIALECT_LETTERS.contains_key(dialect)
}

/// The operation definitions of a release.
///
/// Opening the definitions reads nothing: a definition is parsed on first use, and cached.
///
/// ```
/// let definitions = mlirbc::ops::OperationDefinitions::of(&mlirbc::Release::named("llvm-22")).unwrap();
/// let addi = definitions.get("arith.addi").unwrap();
/// assert_eq!(addi.operands().iter().map(|operand| operand.name()).collect::<Vec<_>>(), ["lhs", "rhs"]);
/// assert!(addi.has_trait("SameOperandsAndResultType"));
/// assert!(definitions.get("arith.frobnicate").is_none());
/// ```
#[derive(Debug)]
pub struct OperationDefinitions {
    release: &'static str,
    /// The letter that marks the release's own rows; `None` without such rows.
    letter: Option<char>,
    /// The rows of a pack, which has no letter.
    pack: Option<PackRows>,
    included: Option<&'static Self>,
    /// The dialects of `included` that the release lacks.
    absent: &'static [Box<str>],
    cache: RwLock<HashMap<Box<str>, Option<Arc<OperationDefinition>>>>,
    constraint_cache: RwLock<HashMap<Box<str>, Option<Arc<Constraint>>>>,
}

impl OperationDefinitions {
    /// Returns the definitions of a release, shipped or of a registered pack; `None` if there are none.
    pub fn of(release: &Release) -> Option<&'static Self> {
        Self::named(release.as_str())
    }

    /// Returns the definitions of the release with this name, which a file, a schema or a table states.
    pub(crate) fn named(release: &str) -> Option<&'static Self> {
        Self::shipped(release).or_else(|| packs::registered_for(release))
    }

    /// The definitions of the registered packs, the last one first. An installed pack is registered when its dialects are needed.
    pub fn of_packs() -> impl Iterator<Item = &'static Self> {
        packs::registered().into_iter()
    }

    fn shipped(release: &str) -> Option<&'static Self> {
        let (release, opened) = OPENED.iter().find(|(known, _)| *known.name == *release)?;
        // A release includes only earlier releases.
        let included = || release.definitions.get(1).and_then(|included| Self::shipped(included));
        Some(opened.get_or_init(|| Self::open(&release.name, included())))
    }

    /// Returns the definitions of a release, or of a build the operations that differ from its project.
    pub(super) fn of_forms(name: &str) -> Option<&'static Self> {
        Self::named(name).or_else(|| FORMS.iter().find(|forms| forms.release == name))
    }

    fn open_forms(name: &'static str) -> Self {
        let project = |name: &'static str| name.rsplit_once('-').map(|(project, _)| project);
        let included = OPENED.iter().rfind(|(release, _)| project(&release.name) == project(name));
        Self::open(name, included.and_then(|(release, _)| Self::named(&release.name)))
    }

    /// Returns the definitions for reading text of a release if nothing more is known about an operation: its
    /// own, or those of the nearest release of LLVM. `llvm` is the LLVM version of an unknown release.
    pub(crate) fn nearest(release: &str, llvm: u32) -> Option<&'static Self> {
        if let Some(of_pack) = packs::registered_for(release) {
            return Some(of_pack);
        }
        let exact = find(release).ok().flatten();
        let row = exact.or_else(|| row_of_llvm(llvm).ok().flatten())?;
        Self::named(row.definitions.first()?)
    }

    /// Returns the names of the releases that have definitions.
    pub fn releases() -> impl Iterator<Item = &'static str> {
        OPENED.iter().map(|(release, _)| &*release.name)
    }

    /// Returns the definitions of releases of LLVM, the oldest first.
    pub(crate) fn of_llvm() -> impl Iterator<Item = &'static Self> {
        Self::releases().filter_map(Self::named).filter(|definitions| definitions.included.is_none())
    }

    fn open(release: &'static str, included: Option<&'static Self>) -> Self {
        Self {
            release,
            letter: LETTERS.iter().find(|(name, _)| *name == release).map(|&(_, letter)| letter),
            pack: None,
            included,
            absent: absent_dialects(release),
            cache: RwLock::default(),
            constraint_cache: RwLock::default(),
        }
    }

    /// Creates the definitions of a release of a pack.
    pub(super) fn of_pack(release: &'static str, rows: PackRows, included: Option<&'static Self>) -> Self {
        Self { letter: None, pack: Some(rows), absent: &[], ..Self::open(release, included) }
    }

    /// The name of a dialect of the pack.
    pub(super) fn dialect_of_pack(&self, dialect: &str) -> Option<&'static str> {
        self.pack.as_ref()?.dialect(dialect)
    }

    /// Returns the types of a pack that point to their first parameter, as `dialect.mnemonic`.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = &'static str> {
        self.pack.iter().flat_map(|rows| rows.pointers.iter().copied())
    }

    /// Returns the names of operations of a pack by their names in earlier releases.
    pub(crate) fn renames(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.pack.iter().flat_map(|rows| rows.renames.iter())
    }

    /// Returns whether the definitions are part of a pack.
    pub fn is_of_pack(&self) -> bool {
        self.pack.is_some()
    }

    /// Returns the name of the release, for example `llvm-22`.
    pub fn release(&self) -> &'static str {
        self.release
    }

    /// Returns the names of all operations, sorted.
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
        let rows =
            OPERATIONS.text.lines().filter(|row| letters.iter().any(|&letter| has_letter(row, letter)));
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
        self.pack.iter().flat_map(|rows| rows.operations.names())
    }

    /// Returns an attribute or a type of a pack by `dialect.mnemonic`; `None` if the release has no row for it.
    pub fn class(&self, is_type: bool, name: &str) -> Option<Arc<ClassDefinition>> {
        self.pack.as_ref()?.class(is_type, name)
    }

    /// Returns the attributes or types of a pack, sorted by name.
    pub fn classes(&self, is_type: bool) -> impl Iterator<Item = Arc<ClassDefinition>> {
        let rows = self.pack.as_ref();
        rows.into_iter()
            .flat_map(move |rows| rows.class_names(is_type).filter_map(move |name| rows.class(is_type, name)))
    }

    pub(super) fn has_variables(&self) -> bool {
        self.pack.as_ref().is_some_and(PackRows::has_variables)
    }

    /// Returns whether the release has rows for operations of a dialect, without included releases.
    pub(super) fn has_rows_of(&self, dialect: &str) -> bool {
        if let Some(rows) = &self.pack {
            return rows.has_dialect(dialect);
        }
        let letters = DIALECT_LETTERS.get(dialect);
        self.letter.is_some_and(|letter| letters.is_some_and(|letters| letters.contains(letter)))
    }

    /// Returns the definition of an operation by its full name; `None` if the release lacks it.
    pub fn get(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        if let Ok(cache) = self.cache.read()
            && let Some(cached) = cache.get(name)
        {
            return cached.clone();
        }
        let row = self
            .line(name)
            .filter(|line| self.pack.is_none() || packs::check_operation(line).is_ok())
            .and_then(|line| serde_json::from_str(line).ok());
        let definition = match row {
            Some(raw) => Arc::new(self.operation(raw)),
            // The chain of included releases has at most three members.
            None => self.included.filter(|_| !self.lacks(name)).and_then(|included| included.get(name))?,
        };
        // Only existing names are cached, so that a file with many unknown names takes no memory. Definitions of
        // included releases are cached here as well, because a search of all rows takes microseconds.
        if let Ok(mut cache) = self.cache.write() {
            cache.insert(name.into(), Some(definition.clone()));
        }
        Some(definition)
    }

    /// Returns whether there is a definition of an operation, without reading it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.line(name).is_some()
            || self.included.is_some_and(|included| !self.lacks(name) && included.has(name))
    }

    /// Returns whether the release, or a release that it includes, has operations of a dialect.
    pub(crate) fn includes_dialect(&self, dialect: &str) -> bool {
        self.has_rows_of(dialect)
            || self
                .included
                .is_some_and(|included| !self.lacks(dialect) && included.includes_dialect(dialect))
    }

    // Returns whether the release lacks an operation. Other builds with the same producer string may have
    // further dialects, but only LLVM's.
    fn lacks(&self, name: &str) -> bool {
        let dialect = name.split('.').next().unwrap_or_default();
        let is_of_llvm = || self.included.is_some_and(|included| included.llvm().has_dialect(dialect));
        self.absent.iter().any(|absent| **absent == *dialect) && !is_of_llvm()
    }

    /// Returns the definitions, these or included ones, that have a row for an operation.
    pub(super) fn holder(&'static self, name: &str) -> Option<&'static Self> {
        match self.line(name) {
            Some(_) => Some(self),
            None => self.included.filter(|_| !self.lacks(name)).and_then(|included| included.holder(name)),
        }
    }

    /// Returns the release of LLVM that the release includes, or is.
    pub(super) fn llvm(&'static self) -> &'static Self {
        self.included.map_or(self, Self::llvm)
    }

    /// Returns whether this release's own definitions, without included ones, have operations of a dialect.
    pub(crate) fn has_dialect(&self, dialect: &str) -> bool {
        let is_own = self.has_rows_of(dialect);
        // A build defines some operations of LLVM's dialects differently.
        is_own && self.included.is_none_or(|included| !included.llvm().has_dialect(dialect))
    }

    /// Returns whether only an included release defines an operation; the actual build may have included a
    /// different LLVM release.
    pub fn is_included(&self, name: &str) -> bool {
        self.included.is_some_and(|included| {
            self.line(name).is_none() && (included.included.is_none() || included.is_included(name))
        })
    }

    /// Returns a constraint by its name; `None` if the release lacks it.
    pub fn constraint(&self, name: &str) -> Option<Arc<Constraint>> {
        if let Ok(cache) = self.constraint_cache.read()
            && let Some(cached) = cache.get(name)
        {
            return cached.clone();
        }
        let line = self.constraint_line(name);
        let line = line.filter(|line| self.pack.is_none() || packs::check_constraint(line).is_ok());
        let constraint = match line.and_then(|line| serde_json::from_str(line).ok()) {
            Some(parsed) => Arc::new(parsed),
            None => self.included.and_then(|included| included.constraint(name))?,
        };
        if let Ok(mut cache) = self.constraint_cache.write() {
            cache.insert(name.into(), Some(constraint.clone()));
        }
        Some(constraint)
    }

    /// Returns the enumerations whose attributes have a class, by the class: `gpu.dim`.
    pub(crate) fn enumerations(&self) -> HashMap<Box<str>, Arc<Constraint>> {
        let rows =
            CONSTRAINTS.text.lines().filter(|row| self.letter.is_some_and(|letter| has_letter(row, letter)));
        let names = rows.filter(|row| row.contains("\"enum\"")).filter_map(name_of);
        let of_pack = self.pack.iter().flat_map(|rows| rows.constraints.iter());
        let of_pack = of_pack.filter(|(_, row)| row.contains("\"enum\"")).map(|(name, _)| name);
        let names = names.chain(of_pack);
        let constraints = names.filter_map(|name| self.constraint(name));
        let mut enumerations = self.included.map(Self::enumerations).unwrap_or_default();
        enumerations.extend(
            constraints.filter_map(|constraint| Some((constraint.class()?.into(), constraint.clone()))),
        );
        enumerations
    }

    /// Returns the row of an operation.
    pub(super) fn line(&self, name: &str) -> Option<&'static str> {
        match &self.pack {
            Some(rows) => rows.operations.get(name),
            None => OPERATIONS.row_of(self.letter?, name),
        }
    }

    /// Returns the row of a constraint.
    pub(super) fn constraint_line(&self, name: &str) -> Option<&'static str> {
        match &self.pack {
            Some(rows) => rows.constraints.get(name),
            None => CONSTRAINTS.row_of(self.letter?, name),
        }
    }

    // Returns the transcribed format of an operation. A build has the transcribed formats of the release that
    // it includes.
    fn transcription(&self, name: &str) -> Option<Json> {
        let own_format = transcribed_formats::format_of(self.release, name);
        own_format.or_else(|| self.included.and_then(|included| included.transcription(name)))
    }

    fn operation(&self, mut raw: RawOperation<'_>) -> OperationDefinition {
        let dialect = raw.op.split('.').next().unwrap_or_default();
        raw.strict.get_or_insert(self.pack.is_none() && !keeps_attributes_in_dictionary(dialect));
        OperationDefinition::new(raw, |name| self.constraint(name), |name| self.transcription(name))
    }
}

/// The definition of an operation in a release.
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
    /// Whether a pack declares the form, or a directive in it: MLIR has not checked it.
    has_declared_form: bool,
    /// Templates of directives by name.
    directives: BTreeMap<Box<str>, Box<str>>,
    has_strict_properties: bool,
    result_names: Box<[NameTemplate]>,
    argument_names: Box<[NameTemplate]>,
    block_name: Option<Box<str>>,
    order: Box<[Box<str>]>,
    is_default_dialect: bool,
    variables: Option<Arc<Variables>>,
}

impl OperationDefinition {
    /// Creates a definition from a row, the constraints that the row names, and the transcribed format of a C++ form.
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
            has_declared_form: !raw.form.is_null(),
            directives: raw.directives,
            has_strict_properties: raw.strict.unwrap_or_default(),
            result_names: templates(&raw.result_names),
            argument_names: templates(&raw.argument_names),
            order: raw.order.iter().map(|name| (**name).into()).collect(),
            block_name: raw.block_name.map(|name| name.into_owned().into()),
            is_default_dialect: raw.is_default_dialect,
            variables: raw.variables.map(Arc::new),
        };
        definition.syntax = Syntax::new(raw.format, &definition);
        if matches!(definition.syntax, Syntax::HandWritten) {
            let rows = if raw.form.is_null() { transcription(definition.name()) } else { Some(raw.form) };
            definition.transcription = rows.and_then(|rows| format::elements(rows.as_array()?, &definition));
        }
        let elements = definition.assembly().unwrap_or_default();
        definition.has_declared_form |= elements.iter().any(FormatElement::has_declared_directive);
        definition
    }

    /// Templates of the names of results, which a pack declares.
    pub(crate) fn result_names(&self) -> &[NameTemplate] {
        &self.result_names
    }

    /// Templates of the names of arguments of entry blocks, which a pack declares.
    pub(crate) fn argument_names(&self) -> &[NameTemplate] {
        &self.argument_names
    }

    /// Returns the names of operands and attributes in the order of the arguments of builders; empty if operands come first.
    #[doc(hidden)]
    pub fn argument_order(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|name| &**name)
    }

    /// The name of blocks of the regions, which a pack declares.
    pub(crate) fn block_name(&self) -> Option<&str> {
        self.block_name.as_deref()
    }

    /// Whether names of operations in the regions may omit the dialect, as a pack declares.
    pub fn is_default_dialect(&self) -> bool {
        self.is_default_dialect
    }

    /// Constraints of IRDL on the parts of an operation.
    pub(crate) fn variables(&self) -> Option<&Arc<Variables>> {
        self.variables.as_ref()
    }

    /// Returns the full name, for example `arith.addi`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a summary of the operation in one line; empty if the definition has no summary.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Returns the file and line of the definition, such as `FIROps.td:3374`; empty for shipped definitions.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the operands in their order in the operation.
    pub fn operands(&self) -> &[ValueDefinition] {
        &self.operands
    }

    /// Returns the results in their order in the operation.
    pub fn results(&self) -> &[ValueDefinition] {
        &self.results
    }

    /// Returns the inherent attributes, then the native properties, in the order of the definition.
    pub fn attributes(&self) -> &[AttributeDefinition] {
        &self.attributes
    }

    /// Returns an inherent attribute or a native property by its name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeDefinition> {
        self.attributes.iter().find(|attribute| attribute.name() == name)
    }

    /// Returns the regions.
    pub fn regions(&self) -> &[PartDefinition] {
        &self.regions
    }

    /// Returns the successors.
    pub fn successors(&self) -> &[PartDefinition] {
        &self.successors
    }

    /// Returns how many of `count` operands each operand of the definition stands for; `None` if the total
    /// number does not determine this, or is impossible.
    ///
    /// ```
    /// let definitions = mlirbc::ops::OperationDefinitions::of(&mlirbc::Release::named("llvm-22")).unwrap();
    /// let alloca = definitions.get("memref.load").unwrap();
    /// assert_eq!(alloca.operand_counts(3), Some(vec![1, 2]));
    /// assert_eq!(alloca.operand_counts(0), None);
    /// ```
    pub fn operand_counts(&self, count: usize) -> Option<Vec<usize>> {
        let marks = self.operands.iter().map(ValueDefinition::multiplicity);
        counts(marks, count, self.has_trait("SameVariadicOperandSize"))
    }

    /// Returns the numbers of results, as [`Self::operand_counts`] does for operands.
    pub fn result_counts(&self, count: usize) -> Option<Vec<usize>> {
        let marks = self.results.iter().map(ValueDefinition::multiplicity);
        counts(marks, count, self.has_trait("SameVariadicResultSize"))
    }

    /// Returns the numbers of regions, as [`Self::operand_counts`] does for operands.
    pub fn region_counts(&self, count: usize) -> Option<Vec<usize>> {
        let mark = |part: &PartDefinition| {
            if part.is_variadic() { &Multiplicity::Variadic } else { &Multiplicity::One }
        };
        counts(self.regions.iter().map(mark), count, false)
    }

    /// Returns the traits and interfaces.
    pub fn traits(&self) -> &[Trait] {
        &self.traits
    }

    /// Returns whether the operation has a trait or an interface without arguments.
    pub fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|one| one.name() == name)
    }

    /// Returns whether LLVM 24 and later print inherent attributes apart from the dictionary: a choice of each dialect.
    pub(crate) fn has_strict_properties(&self) -> bool {
        self.has_strict_properties
    }

    /// Returns the source of the custom assembly.
    pub fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    /// Returns the elements of the declarative assembly format, if the operation has one.
    pub fn format(&self) -> Option<&[FormatElement]> {
        match &self.syntax {
            Syntax::Format(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns whether a pack declares the form, or a directive in it.
    pub(crate) fn has_declared_form(&self) -> bool {
        self.has_declared_form
    }

    /// Returns the template of a directive that the pack of the definition brings.
    pub(crate) fn directive(&self, name: &str) -> Option<&str> {
        self.directives.get(name).map(|template| &**template)
    }

    /// Returns the elements of the format, even if MLIR implements it in C++, if they are known.
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
    let variable = marks.clone().count() - single;
    let remaining = count.checked_sub(single)?;
    let size = match variable {
        0 if remaining > 0 => return None,
        0 => 0,
        1 => remaining,
        _ if is_same && remaining % variable == 0 => remaining / variable,
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

// Returns whether a letter is before the first space.
fn has_letter(row: &str, letter: char) -> bool {
    row.chars().take_while(|&one| one != ' ').any(|one| one == letter)
}

// Returns the name in a row such as `abc {"op":"arith.addi",…`; more rows may follow.
fn name_of(row: &'static str) -> Option<&'static str> {
    // The standard library prepares a search for a pattern, which takes longer than to look at the few bytes before it.
    let start = row.as_bytes().windows(2).position(|pair| matches!(pair, [b':', b'"']))? + 2;
    // Names of operations have no escapes, and searches never begin at a constraint whose name has one.
    let len = row.as_bytes().get(start..)?.iter().position(|&byte| byte == b'"')?;
    row.get(start..start + len)
}

/// Rows of all releases, sorted by name.
struct DefinitionRows {
    text: &'static str,
    /// The places where rows start.
    starts: &'static [u32],
}

impl DefinitionRows {
    /// Returns the JSON of the row with a name that belongs to the release with a letter.
    fn row_of(&self, letter: char, name: &str) -> Option<&'static str> {
        let row_at = |start: &u32| self.text.get(*start as usize..).unwrap_or_default();
        let is_before = |start: &u32| {
            name_of(row_at(start)).is_some_and(|row_name| row_name.as_bytes() < name.as_bytes())
        };
        let starts = self.starts.get(self.starts.partition_point(is_before)..)?.iter();
        let mut named = starts.map(row_at).take_while(|row| name_of(row) == Some(name));
        let row = named.find(|row| has_letter(row, letter))?;
        row.lines().next()?.split_once(' ').map(|(_, json)| json)
    }
}

// The rows were checked.
fn templates(texts: &[Cow<'_, str>]) -> Box<[NameTemplate]> {
    texts.iter().filter_map(|text| NameTemplate::read(text).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_name() {
        for release in OperationDefinitions::releases() {
            let definitions = OperationDefinitions::named(release).unwrap();
            let mut count = 0;
            for name in definitions.names() {
                let definition =
                    definitions.get(name).unwrap_or_else(|| panic!("{name} of {release} is not read"));
                assert_eq!(definition.name(), name);
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
                let list = if row.starts_with("{\"op\"") { &OPERATIONS } else { &CONSTRAINTS };
                let name = row.split_once(":\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
                // A search does not find constraints whose name has an escape.
                if !name.ends_with('\\') {
                    assert_eq!(list.row_of(letter, name), Some(*row), "{release}");
                }
            }
            let merged = CONSTRAINTS.text.lines().chain(OPERATIONS.text.lines());
            assert_eq!(merged.filter(|row| has_letter(row, letter)).count(), rows.len(), "{release}");
        }
    }

    #[test]
    fn a_release_has_its_own_dialects() {
        let has = |release, dialect| OperationDefinitions::named(release).unwrap().has_dialect(dialect);
        assert!(has("llvm-16", "arith") && has("stablehlo-1.20", "stablehlo") && has("iree-3.13", "hal"));
        assert!(
            !has("llvm-16", "xegpu") && !has("stablehlo-1.20", "arith") && !has("jaxlib-0.10", "stablehlo")
        );
        assert!(!has("llvm-22", "a") && !has("llvm-22", "arit") && !has("llvm-22", ""));
    }

    #[test]
    fn lines_that_a_search_does_not_find() {
        let definitions = OperationDefinitions::named("llvm-22").unwrap();
        for name in ["", "a", "arith.add", "arith.addi0", "zzz", "\u{10ffff}"] {
            assert!(definitions.get(name).is_none(), "{name}");
        }
        assert!(OperationDefinitions::named("llvm-1").is_none());
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
            // Its LLVM has the number 23, but was two months after 22 and four months before 23.
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
