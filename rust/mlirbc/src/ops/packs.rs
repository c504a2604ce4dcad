//! Definitions that packs of users bring, beside the shipped ones.
//!
//! Definitions are looked up by references that stay for the process, as shipped ones are. A pack is therefore stored once for
//! each text, and stays: a process that loads a pack again takes no more memory.

mod sorted_rows;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::Value as Json;

use self::sorted_rows::SortedRows;
use super::classes::{ClassDefinition, ClassRows, RawEnumeration, read_class};
use super::constraint::{Constraint, Enumeration};
use super::rows::RawOperation;
use super::table::{OperationDefinition, OperationDefinitions};
use super::value_names::NameTemplate;
use super::variables::Variables;
use crate::release::waiting;

/// The groups of a format that may be in one another; formats of MLIR have four.
pub(super) const DEEPEST: usize = 32;

/// The elements of a format; formats of MLIR have a hundred at most.
const MOST_ELEMENTS: usize = 4096;

static REGISTERED: RwLock<Vec<&'static OperationDefinitions>> = RwLock::new(Vec::new());

/// The definitions of all texts that were opened, registered or not.
static OPENED: Mutex<Vec<OpenedPack>> = Mutex::new(Vec::new());

struct OpenedPack {
    text: &'static str,
    definitions: &'static OperationDefinitions,
}

/// Attributes and types (`true`) by name; `None` for a row that cannot be read.
type ClassesByName = HashMap<(bool, Box<str>), Option<Arc<ClassDefinition>>>;

/// The kinds of rows that definitions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefinitionKind {
    Constraint,
    Operation,
    Attribute,
    Type,
    Enumeration,
}

impl DefinitionKind {
    const ALL: [Self; 5] =
        [Self::Constraint, Self::Operation, Self::Attribute, Self::Type, Self::Enumeration];

    fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The character before a row in the text of a pack.
    fn letter(self) -> char {
        match self {
            Self::Constraint => 'c',
            Self::Operation => 'o',
            Self::Attribute => 'a',
            Self::Type => 't',
            Self::Enumeration => 'e',
        }
    }
}

/// The reason why the row of an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RowFault {
    /// The format names a part that the operation lacks.
    UnknownPart(Box<str>),
    Invalid(String),
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownPart(name) => {
                write!(f, "the format names `${name}`, which is no part of the operation")
            }
            Self::Invalid(reason) => f.write_str(reason),
        }
    }
}

impl From<String> for RowFault {
    fn from(reason: String) -> Self {
        Self::Invalid(reason)
    }
}

impl From<&str> for RowFault {
    fn from(reason: &str) -> Self {
        Self::Invalid(reason.to_owned())
    }
}

/// The rows of one release of a pack, by name.
#[derive(Debug, Default)]
pub(super) struct PackRows {
    pub(super) operations: SortedRows,
    pub(super) constraints: SortedRows,
    attributes: SortedRows,
    types: SortedRows,
    enumerations: SortedRows,
    dialects: BTreeSet<&'static str>,
    /// Attributes and types that were read.
    classes: RwLock<ClassesByName>,
    /// Types that point to their first parameter.
    pub(super) pointers: BTreeSet<&'static str>,
    /// The names of operations by their names in earlier releases.
    pub(super) renames: SortedRows,
}

impl PackRows {
    fn new<'p>(
        rows: impl Iterator<Item = (DefinitionKind, NamedRow<'static>)>,
        pointers: impl Iterator<Item = &'p str>,
        renames: impl Iterator<Item = (&'p str, String)>,
    ) -> Self {
        let mut sorted_rows = Self::default();
        let mut last_dialect = "";
        for (kind, NamedRow { name, row }) in rows {
            if !matches!(kind, DefinitionKind::Constraint | DefinitionKind::Enumeration) {
                let dialect = name.split('.').next().unwrap_or_default();
                // Rows of one dialect are neighbours.
                if dialect != last_dialect {
                    sorted_rows.dialects.insert(dialect);
                    last_dialect = dialect;
                }
            }
            sorted_rows.of_kind(kind).push(name, row);
        }
        sorted_rows.pointers = pointers.map(leaked).collect();
        renames.for_each(|(name, to)| sorted_rows.renames.push(leaked(name), leaked(&to)));
        for rows in [
            &mut sorted_rows.operations,
            &mut sorted_rows.constraints,
            &mut sorted_rows.attributes,
            &mut sorted_rows.types,
            &mut sorted_rows.enumerations,
            &mut sorted_rows.renames,
        ] {
            rows.sort();
        }
        sorted_rows
    }

    fn of_kind(&mut self, kind: DefinitionKind) -> &mut SortedRows {
        match kind {
            DefinitionKind::Constraint => &mut self.constraints,
            DefinitionKind::Operation => &mut self.operations,
            DefinitionKind::Attribute => &mut self.attributes,
            DefinitionKind::Type => &mut self.types,
            DefinitionKind::Enumeration => &mut self.enumerations,
        }
    }

    pub(super) fn has_dialect(&self, dialect: &str) -> bool {
        self.dialects.contains(dialect)
    }

    pub(super) fn dialect(&self, dialect: &str) -> Option<&'static str> {
        self.dialects.get(dialect).copied()
    }

    /// Returns an attribute or a type by `dialect.mnemonic`.
    pub(super) fn class(&self, is_type: bool, name: &str) -> Option<Arc<ClassDefinition>> {
        let key = (is_type, name.into());
        if let Some(known) = self.classes.read().ok().and_then(|known| known.get(&key).cloned()) {
            return known;
        }
        let rows = if is_type { &self.types } else { &self.attributes };
        let (name, row) = rows.entry(name)?;
        let class = read_class(NamedRow { name, row }, self).map(Arc::new);
        if let Ok(mut known) = self.classes.write() {
            known.insert(key, class.clone());
        }
        class
    }

    /// Whether attributes and types have constraints of IRDL.
    pub(super) fn has_variables(&self) -> bool {
        let mut rows = self.types.iter().chain(self.attributes.iter());
        rows.any(|(_, row)| row.contains("\"variables\":"))
    }

    /// Returns the names of the attributes or types.
    pub(super) fn class_names(&self, is_type: bool) -> impl Iterator<Item = &'static str> {
        if is_type { &self.types } else { &self.attributes }.names()
    }
}

impl ClassRows for PackRows {
    fn enumeration(&self, name: &str) -> Option<Arc<Enumeration>> {
        RawEnumeration::read(self.enumerations.get(name)?).map(Arc::new)
    }
}

/// A row with the name that it is found by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedRow<'p> {
    pub(crate) name: &'p str,
    /// JSON on one line.
    pub(crate) row: &'p str,
}

/// The rows of a release of a pack that are no definitions, beside which its definitions are stored.
#[derive(Debug, Default)]
pub(crate) struct PackNames<'p> {
    /// Types that point to their first parameter.
    pub(crate) pointers: Vec<&'p str>,
    /// The names of operations by their names in earlier releases.
    pub(crate) renames: Vec<(&'p str, String)>,
}

/// Opens the definitions of a release of a pack. The rows were checked with [`check_operation`], [`check_constraint`],
/// [`check_class`] and [`check_enumeration`]. `included` defines the operations that the pack lacks.
pub(crate) fn open_pack<'p>(
    release: &str,
    rows: impl Iterator<Item = (DefinitionKind, NamedRow<'p>)>,
    names: PackNames<'_>,
    included: Option<&'static OperationDefinitions>,
) -> &'static OperationDefinitions {
    let mut text = String::new();
    for (kind, row) in rows {
        text.push(kind.letter());
        text.extend([row.name, "\t", row.row, "\n"]);
    }
    let definitions = text.len();
    // Packs that differ in these names alone are different.
    for name in &names.pointers {
        text.extend(["!", name, "\t\n"]);
    }
    for (name, to) in &names.renames {
        text.extend(["~", name, "\t", to, "\n"]);
    }
    let read = |text: &'static str| {
        let rows = text.get(..definitions).unwrap_or_default().lines().filter_map(|line| {
            let mut characters = line.chars();
            let kind = DefinitionKind::of_letter(characters.next()?)?;
            let (name, row) = characters.as_str().split_once('\t')?;
            Some((kind, NamedRow { name, row }))
        });
        PackRows::new(rows, names.pointers.into_iter(), names.renames.into_iter())
    };
    open_text(release, text.into(), read, included)
}

/// Opens the definitions of a pack with one release whose text has a seal: its rows are checked when they are used, and read
/// from the text. Takes the kind, the name and the row of each line.
pub(crate) fn open_sealed(
    release: &str,
    text: &'static str,
    rows: impl Iterator<Item = (DefinitionKind, NamedRow<'static>)>,
    names: PackNames<'_>,
    included: Option<&'static OperationDefinitions>,
) -> &'static OperationDefinitions {
    let read = |_: &'static str| PackRows::new(rows, names.pointers.into_iter(), names.renames.into_iter());
    open_text(release, text.into(), read, included)
}

/// Opens the definitions of a text, once for each text.
fn open_text(
    release: &str,
    text: Cow<'static, str>,
    read: impl FnOnce(&'static str) -> PackRows,
    included: Option<&'static OperationDefinitions>,
) -> &'static OperationDefinitions {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |pack: &&OpenedPack| pack.text == text && pack.definitions.release() == release;
    if let Some(pack) = opened.iter().find(is_same) {
        return pack.definitions;
    }
    let text: &'static str = match text {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => Box::leak(text.into_boxed_str()),
    };
    let definitions = OperationDefinitions::of_pack(leaked(release), read(text), included);
    let definitions: &'static OperationDefinitions = Box::leak(Box::new(definitions));
    opened.push(OpenedPack { text, definitions });
    definitions
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// Uses the definitions for texts and files of their release from now on, instead of others with its name.
pub(crate) fn register_definitions(definitions: &'static OperationDefinitions) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.retain(|other| other.release() != definitions.release());
    registered.push(definitions);
}

/// The definitions of the registered packs, the last one first.
pub(super) fn registered() -> Vec<&'static OperationDefinitions> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().rev().copied().collect()
}

/// The registered definitions of a release.
pub(super) fn registered_for(release: &str) -> Option<&'static OperationDefinitions> {
    waiting::load_for_release(release);
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().find(|definitions| definitions.release() == release).copied()
}

/// The name of a dialect of a registered pack, which stays for the process.
pub(crate) fn registered_dialect(dialect: &str) -> Option<&'static str> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().find_map(|definitions| definitions.dialect_of_pack(dialect))
}

/// The definition of a row, which is not stored.
pub(crate) fn read_operation(
    row: NamedRow<'_>,
    constraints: &PackConstraints,
) -> Option<Arc<OperationDefinition>> {
    let raw: RawOperation<'_> = serde_json::from_str(row.row).ok()?;
    let constraint = |name: &str| constraints.0.get(name).cloned();
    Some(Arc::new(OperationDefinition::new(raw, constraint, |_| None)))
}

/// The constraints of a pack, read.
#[derive(Debug)]
pub(crate) struct PackConstraints(HashMap<Box<str>, Arc<Constraint>>);

impl<'p> FromIterator<NamedRow<'p>> for PackConstraints {
    fn from_iter<I: IntoIterator<Item = NamedRow<'p>>>(rows: I) -> Self {
        let read = |row: NamedRow<'p>| Some((row.name.into(), Arc::new(serde_json::from_str(row.row).ok()?)));
        Self(rows.into_iter().filter_map(read).collect())
    }
}

/// Checks the row of an operation.
///
/// # Errors
/// The reason why the row is refused.
pub(crate) fn check_operation(row: &str) -> Result<(), RowFault> {
    let raw: RawOperation<'_> = serde_json::from_str(row).map_err(|error| error.to_string())?;
    check_traits(&raw.traits)?;
    raw.variables.as_ref().map_or(Ok(()), Variables::check)?;
    let parts =
        [&raw.operands, &raw.results, &raw.attributes, &raw.properties, &raw.regions, &raw.successors];
    let names: BTreeSet<&str> =
        parts.into_iter().flatten().filter_map(|part| part.first().and_then(Json::as_str)).collect();
    check_variables(&raw.format, &names)?;
    check_variables(&raw.form, &names)?;
    if let Json::Array(elements) = &raw.form {
        check_elements(elements, 0, &mut 0)?;
    }
    for template in raw.result_names.iter().chain(&raw.argument_names) {
        NameTemplate::read(template)?;
    }
    if let Some(name) = raw.block_name.as_deref().filter(|name| !is_block_name(name)) {
        return Err(format!("the name of blocks `{}` is no word of letters", name.escape_debug()).into());
    }
    match &raw.format {
        Json::Null => Ok(()),
        Json::String(mark) if mark == "custom" => Ok(()),
        Json::Array(elements) => Ok(check_elements(elements, 0, &mut 0)?),
        _ => Err("`format` is neither a list of elements nor `custom`".into()),
    }
}

/// Checks the row of a constraint.
///
/// # Errors
/// The reason why the row is refused.
pub(crate) fn check_constraint(row: &str) -> Result<(), String> {
    let constraint: Constraint = serde_json::from_str(row).map_err(|error| error.to_string())?;
    check_tree(constraint.predicate(), "predicate")
}

/// The parts of a tree of an expression or a predicate.
const MOST_PARTS: usize = 256;

/// The lists of a tree in one another.
const DEEPEST_TREE: usize = 24;

fn check_tree(tree: &Json, what: &str) -> Result<(), String> {
    let (mut parts, mut open) = (0, vec![(tree, 0)]);
    while let Some((part, depth)) = open.pop() {
        parts += 1;
        let inner = part.as_array().map_or(&[][..], Vec::as_slice);
        if parts > MOST_PARTS || depth > DEEPEST_TREE || part.is_object() {
            return Err(format!(
                "the {what} has more than {MOST_PARTS} parts or {DEEPEST_TREE} levels, or an object"
            ));
        }
        open.extend(inner.iter().map(|part| (part, depth + 1)));
    }
    Ok(())
}

/// Checks that an operation has the parts that its format names. The depth of the format is checked elsewhere, and limited by the
/// reader of JSON.
fn check_variables(format: &Json, names: &BTreeSet<&str>) -> Result<(), RowFault> {
    let mut open: Vec<&Json> = vec![format];
    while let Some(element) = open.pop() {
        match element {
            Json::Array(parts) if parts.first().is_some_and(|name| name == "code" || name == "attribute") => {
            }
            Json::Array(parts) => open.extend(parts),
            Json::String(word) => match word.strip_prefix('$') {
                Some(name) if !names.contains(name) => {
                    return Err(RowFault::UnknownPart(name.into()));
                }
                _ => {}
            },
            _ => {}
        }
    }
    Ok(())
}

/// Returns the names of the constraints of a checked row with the parts that have them.
pub(crate) fn constraints_of(row: &str) -> Vec<(String, String)> {
    let Ok(raw) = serde_json::from_str::<RawOperation<'_>>(row) else { return Vec::new() };
    let parts = [raw.operands, raw.results, raw.attributes, raw.properties].into_iter().flatten();
    let text =
        |part: &[Json], place: usize| part.get(place).and_then(Json::as_str).unwrap_or_default().to_owned();
    parts.map(|part| (text(&part, 1), text(&part, 0))).collect()
}

/// Checks the expressions in the traits of an operation.
/// Whether a name of blocks differs from a number, `bb0`.
fn is_block_name(name: &str) -> bool {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    is_word && !name.is_empty()
}

fn check_traits(traits: &[Json]) -> Result<(), String> {
    let arguments = traits.iter().filter_map(Json::as_array).flatten().filter_map(Json::as_str);
    for text in arguments.filter(|text| text.starts_with('[')) {
        let tree =
            serde_json::from_str(text).map_err(|error| format!("an expression is not JSON: {error}"))?;
        check_tree(&tree, "expression")?;
    }
    Ok(())
}

fn check_elements(elements: &[Json], depth: usize, count: &mut usize) -> Result<(), String> {
    *count += elements.len();
    if depth > DEEPEST || *count > MOST_ELEMENTS {
        return Err(format!("the format has more than {DEEPEST} levels or {MOST_ELEMENTS} elements"));
    }
    elements.iter().try_for_each(|element| check_element(element, depth, count))
}

fn check_element(element: &Json, depth: usize, count: &mut usize) -> Result<(), String> {
    let row = match element {
        Json::String(text) => return check_word(text),
        Json::Array(row) => row,
        _ => return Err(format!("`{element}` is no element of a format")),
    };
    let (Some(name), arguments) = (row.first().and_then(Json::as_str), row.get(1..).unwrap_or_default())
    else {
        return Err("a list in a format begins with the name of a directive".to_owned());
    };
    match name {
        "group" => check_group(arguments, depth, count),
        "oilist" => arguments.iter().try_for_each(|clause| {
            let clause = clause.as_array().ok_or("a clause of `oilist` is a list")?;
            let opens = clause.first().and_then(Json::as_str).is_some_and(is_visible_literal);
            // The parser would take a clause that reads nothing again and again.
            if !opens {
                return Err("a clause of `oilist` begins with a literal".to_owned());
            }
            check_elements(clause, depth + 1, count)
        }),
        "code" | "attribute" => arguments
            .first()
            .filter(|text| text.is_string())
            .map(drop)
            .ok_or_else(|| format!("`{name}` has a text")),
        "custom" => check_elements(arguments.get(1..).unwrap_or_default(), depth + 1, count),
        _ => check_elements(arguments, depth + 1, count),
    }
}

fn check_group(arguments: &[Json], depth: usize, count: &mut usize) -> Result<(), String> {
    let elements = |place: usize| arguments.get(place).and_then(Json::as_array);
    let present = elements(0).ok_or("a group has a list of elements")?;
    let otherwise = elements(2).map_or(&[][..], Vec::as_slice);
    let anchor = arguments.get(1).and_then(Json::as_i64).ok_or("a group has the number of its anchor")?;
    let (anchored, place) =
        if anchor < 0 { (otherwise, anchor.saturating_neg() - 1) } else { (&present[..], anchor) };
    if usize::try_from(place).map_or(true, |place| place >= anchored.len()) {
        return Err(format!("the anchor {anchor} of a group is past its elements"));
    }
    check_elements(present, depth + 1, count)?;
    check_elements(otherwise, depth + 1, count)
}

fn is_visible_literal(text: &str) -> bool {
    text.strip_prefix('`').is_some_and(|literal| !literal.trim().is_empty())
}

fn check_word(text: &str) -> Result<(), String> {
    match text.strip_prefix('`') {
        Some("\n") => Ok(()),
        Some(literal) if literal.bytes().any(|byte| !matches!(byte, b' '..=b'~') || byte == b'"') => {
            Err(format!("the literal {literal:?} of the format is not printable"))
        }
        None if text.is_empty() => Err("an element of the format is empty".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
