//! Definitions that packs of users bring, beside the shipped ones.
//!
//! Definitions are looked up by references that stay for the process, as shipped ones are. A pack is therefore stored once for
//! each text, and stays: a process that loads a pack again takes no more memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::Value as Json;

use super::constraint::Constraint;
use super::rows::RawOperation;
use super::table::{OperationDefinition, OperationDefinitions};

/// The groups of a format that may be in one another; formats of MLIR have four.
const DEEPEST: usize = 32;

/// The elements of a format; formats of MLIR have a hundred at most.
const MOST_ELEMENTS: usize = 4096;

static REGISTERED: RwLock<Vec<&'static OperationDefinitions>> = RwLock::new(Vec::new());

/// The definitions of all texts that were opened, registered or not.
static OPENED: Mutex<Vec<OpenedPack>> = Mutex::new(Vec::new());

struct OpenedPack {
    text: &'static str,
    definitions: &'static OperationDefinitions,
}

/// The rows of one release of a pack, by name.
#[derive(Debug, Default)]
pub(super) struct PackRows {
    pub(super) operations: BTreeMap<&'static str, &'static str>,
    pub(super) constraints: BTreeMap<&'static str, &'static str>,
    dialects: BTreeSet<&'static str>,
    /// Types that point to their first parameter.
    pub(super) pointers: BTreeSet<&'static str>,
}

impl PackRows {
    fn new(text: &'static str, count_of_constraints: usize) -> Self {
        let mut rows = Self::default();
        for (place, line) in text.lines().enumerate() {
            let Some((name, row)) = line.split_once('\t') else { continue };
            if let Some(name) = name.strip_prefix('!') {
                rows.pointers.insert(name);
                continue;
            }
            match place < count_of_constraints {
                true => drop(rows.constraints.insert(name, row)),
                false => {
                    rows.dialects.insert(name.split('.').next().unwrap_or_default());
                    rows.operations.insert(name, row);
                }
            }
        }
        rows
    }

    pub(super) fn has_dialect(&self, dialect: &str) -> bool {
        self.dialects.contains(dialect)
    }
}

/// A row with the name that it is found by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedRow<'p> {
    pub(crate) name: &'p str,
    /// JSON on one line.
    pub(crate) row: &'p str,
}

/// Opens the definitions of a release of a pack. The rows were checked with [`check_operation`] and [`check_constraint`].
/// `pointers` are types that point to their first parameter, and `included` defines the operations that the pack lacks.
pub(crate) fn open_pack<'p>(
    release: &str,
    constraints: impl Iterator<Item = NamedRow<'p>>,
    operations: impl Iterator<Item = NamedRow<'p>>,
    pointers: impl Iterator<Item = &'p str>,
    included: Option<&'static OperationDefinitions>,
) -> &'static OperationDefinitions {
    let mut text = String::new();
    let mut add = |row: NamedRow<'p>| {
        text.extend([row.name, "\t", row.row, "\n"]);
        1
    };
    let count: usize = constraints.map(&mut add).sum();
    operations.for_each(|row| _ = add(row));
    pointers.for_each(|name| text.extend(["!", name, "\t\n"]));
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |pack: &&OpenedPack| pack.text == text && pack.definitions.release() == release;
    if let Some(pack) = opened.iter().find(is_same) {
        return pack.definitions;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    let release: &'static str = Box::leak(release.into());
    let definitions = OperationDefinitions::of_pack(release, PackRows::new(text, count), included);
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
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().find(|definitions| definitions.release() == release).copied()
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
pub(crate) fn check_operation(row: &str) -> Result<(), String> {
    let raw: RawOperation<'_> = serde_json::from_str(row).map_err(|error| error.to_string())?;
    if let Json::Array(elements) = &raw.form {
        check_elements(elements, 0, &mut 0)?;
    }
    match &raw.format {
        Json::Null => Ok(()),
        Json::String(mark) if mark == "custom" => Ok(()),
        Json::Array(elements) => check_elements(elements, 0, &mut 0),
        _ => Err("`format` is neither a list of elements nor `custom`".to_owned()),
    }
}

/// Checks the row of a constraint.
///
/// # Errors
/// The reason why the row is refused.
pub(crate) fn check_constraint(row: &str) -> Result<(), String> {
    serde_json::from_str::<Constraint>(row).map(drop).map_err(|error| error.to_string())
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
mod tests {
    use super::*;

    fn row(format: &str) -> String {
        format!(r#"{{"op":"t.a","operands":[["x","AnyType"]],"format":{format}}}"#)
    }

    #[test]
    fn formats_are_checked() {
        for format in [
            "null",
            r#""custom""#,
            r#"["$x","attr-dict","`:",["type","$x"]]"#,
            r#"[["group",["`a","$x"],1]]"#,
            r#"[["group",["`a"],-1,["$x"]]]"#,
            r#"[["oilist",["`a","$x"]]]"#,
            r#"["`","` ","`\n"]"#,
        ] {
            assert_eq!(check_operation(&row(format)), Ok(()), "{format}");
        }
        let deep = format!("{}{}", r#"["type","#.repeat(100), "\"$x\"".to_owned() + &"]".repeat(100));
        for (format, complaint) in [
            ("3", "neither a list"),
            ("[3]", "no element"),
            ("[[]]", "begins with the name"),
            (r#"[["group",["$x"],1]]"#, "past its elements"),
            (r#"[["group",["$x"],-9223372036854775808]]"#, "past its elements"),
            (r#"[["oilist",[]]]"#, "begins with a literal"),
            (r#"[["oilist",["$x"]]]"#, "begins with a literal"),
            (r#"[["oilist",["` "]]]"#, "begins with a literal"),
            (r#"["`\u0000"]"#, "not printable"),
            (&format!("[{deep}]"), "levels"),
        ] {
            let error = check_operation(&row(format)).unwrap_err();
            assert!(error.contains(complaint), "{format}: {error}");
        }
    }

    #[test]
    fn a_text_is_stored_once() {
        let operations = [NamedRow { name: "once.a", row: r#"{"op":"once.a"}"# }];
        let open =
            || open_pack("once-1", [].into_iter(), operations.into_iter(), ["once.ptr"].into_iter(), None);
        assert!(std::ptr::eq(open(), open()));
        assert!(open().get("once.a").is_some() && open().has_dialect("once"));
        assert_eq!(open().pointers().collect::<Vec<_>>(), ["once.ptr"]);
        assert!(OperationDefinitions::of("once-1").is_none());
    }
}
