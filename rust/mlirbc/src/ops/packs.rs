//! Definitions that packs of users bring, beside the shipped ones.
//!
//! Definitions are looked up by references that stay for the process, as shipped ones are. A pack is therefore stored once for
//! each text, and stays: a process that loads a pack again takes no more memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::Value as Json;

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

type RowsByName = BTreeMap<&'static str, &'static str>;

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

/// The first character of the name of a type that points to its first parameter.
const POINTER: char = '!';

/// The first character of the name of an operation in earlier releases.
const RENAME: char = '~';

/// The rows of one release of a pack, by name.
#[derive(Debug, Default)]
pub(super) struct PackRows {
    pub(super) operations: RowsByName,
    pub(super) constraints: RowsByName,
    attributes: RowsByName,
    types: RowsByName,
    enumerations: RowsByName,
    dialects: BTreeSet<&'static str>,
    /// Attributes and types that were read.
    classes: RwLock<ClassesByName>,
    /// Types that point to their first parameter.
    pub(super) pointers: BTreeSet<&'static str>,
    /// The names of operations by their names in earlier releases.
    pub(super) renames: RowsByName,
}

impl PackRows {
    fn new(text: &'static str) -> Self {
        let mut rows = Self::default();
        for line in text.lines() {
            let mut characters = line.chars();
            let kind = characters.next().unwrap_or_default();
            let Some((name, row)) = characters.as_str().split_once('\t') else { continue };
            if kind == POINTER {
                rows.pointers.insert(name);
                continue;
            }
            if kind == RENAME {
                rows.renames.insert(name, row);
                continue;
            }
            let Some(kind) = DefinitionKind::ALL.into_iter().find(|one| one.letter() == kind) else {
                continue;
            };
            if !matches!(kind, DefinitionKind::Constraint | DefinitionKind::Enumeration) {
                rows.dialects.insert(name.split('.').next().unwrap_or_default());
            }
            rows.of_kind(kind).insert(name, row);
        }
        rows
    }

    fn of_kind(&mut self, kind: DefinitionKind) -> &mut RowsByName {
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
        let (&name, &row) = rows.get_key_value(name)?;
        let class = read_class(NamedRow { name, row }, self).map(Arc::new);
        if let Ok(mut known) = self.classes.write() {
            known.insert(key, class.clone());
        }
        class
    }

    /// Whether attributes and types have constraints of IRDL.
    pub(super) fn has_variables(&self) -> bool {
        let mut rows = self.types.values().chain(self.attributes.values());
        rows.any(|row| row.contains("\"variables\":"))
    }

    /// Returns the names of the attributes or types.
    pub(super) fn class_names(&self, is_type: bool) -> impl Iterator<Item = &'static str> {
        if is_type { &self.types } else { &self.attributes }.keys().copied()
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

/// Opens the definitions of a release of a pack. The rows were checked with [`check_operation`], [`check_constraint`],
/// [`check_class`] and [`check_enumeration`]. `pointers` are types that point to their first parameter, `renames` the names
/// of operations by their names in earlier releases, and `included` defines the operations that the pack lacks.
pub(crate) fn open_pack<'p>(
    release: &str,
    rows: impl Iterator<Item = (DefinitionKind, NamedRow<'p>)>,
    pointers: impl Iterator<Item = &'p str>,
    renames: impl Iterator<Item = (&'p str, String)>,
    included: Option<&'static OperationDefinitions>,
) -> &'static OperationDefinitions {
    let mut text = String::new();
    for (kind, row) in rows {
        text.push(kind.letter());
        text.extend([row.name, "\t", row.row, "\n"]);
    }
    for name in pointers {
        text.push(POINTER);
        text.extend([name, "\t\n"]);
    }
    for (name, to) in renames {
        text.push(RENAME);
        text.extend([name, "\t", &to, "\n"]);
    }
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |pack: &&OpenedPack| pack.text == text && pack.definitions.release() == release;
    if let Some(pack) = opened.iter().find(is_same) {
        return pack.definitions;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    let release: &'static str = Box::leak(release.into());
    let definitions = OperationDefinitions::of_pack(release, PackRows::new(text), included);
    let definitions: &'static OperationDefinitions = Box::leak(Box::new(definitions));
    opened.push(OpenedPack { text, definitions });
    definitions
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
