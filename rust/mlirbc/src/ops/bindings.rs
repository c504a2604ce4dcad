//! The names that MLIR's Python bindings give to operations: classes, and the order of arguments of builders.
//!
//! `tools/operations/bindings.py` writes `data/operations/bindings.tsv` from generated bindings. The table has the classes and
//! orders that do not follow from the definition: definitions list operands before attributes. Operations of
//! packs follow the rule.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::packs;
use super::table::{OperationDefinition, OperationDefinitions};
use crate::release::waiting;

const TABLE: &str = include_str!("../../data/operations/bindings.tsv");

/// The releases that define what bindings present, if several define an operation.
const PREFERRED: [&str; 5] = ["llvm-22", "stablehlo-1.20", "jaxlib-0.10", "iree-3.13", "llvm-23"];

const ENUMERATIONS: &str = include_str!("../../data/operations/enumerations.tsv");

static ROWS: LazyLock<Vec<BindingRow>> =
    LazyLock::new(|| TABLE.lines().filter_map(BindingRow::new).collect());

struct BindingRow {
    operation: &'static str,
    class: &'static str,
    required: &'static str,
}

impl BindingRow {
    fn new(line: &'static str) -> Option<Self> {
        let (operation, rest) = line.split_once('\t')?;
        let (class, required) = rest.split_once('\t').unwrap_or((rest, ""));
        Some(Self { operation, class, required })
    }

    fn of(operation: &str) -> Option<&'static Self> {
        let place = ROWS.binary_search_by_key(&operation, |row| row.operation).ok()?;
        ROWS.get(place)
    }
}

/// Returns the name of the class that MLIR's Python bindings have for an operation.
///
/// ```
/// assert_eq!(mlirbc::ops::binding_class("arith.addf"), "AddFOp");
/// assert_eq!(mlirbc::ops::binding_class("toy.do_it"), "DoItOp");
/// ```
pub fn binding_class(operation: &str) -> Cow<'static, str> {
    match BindingRow::of(operation) {
        Some(row) if !row.class.is_empty() => Cow::Borrowed(row.class),
        _ => Cow::Owned(default_class(operation)),
    }
}

fn default_class(operation: &str) -> String {
    let mnemonic = operation.split_once('.').map_or(operation, |(_, mnemonic)| mnemonic);
    let mut class = String::with_capacity(mnemonic.len() + 2);
    for word in mnemonic.split(['_', '.']) {
        let mut letters = word.chars();
        class.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        class.push_str(letters.as_str());
    }
    class + "Op"
}

/// Returns the names of the required operands and attributes in the order of the arguments of builders; empty
/// if operands come first, as in the definition.
pub fn binding_arguments(operation: &str) -> impl Iterator<Item = &'static str> {
    BindingRow::of(operation).map_or("", |row| row.required).split_whitespace()
}

/// Returns the definitions that bindings present for a dialect: packs first, then releases in the order of
/// preference.
fn presented(dialect: &str) -> impl Iterator<Item = &'static OperationDefinitions> {
    waiting::load_for_dialect(dialect);
    let of_packs = packs::registered().into_iter();
    let preferred = PREFERRED.into_iter().filter_map(OperationDefinitions::named);
    of_packs.chain(preferred).filter(move |definitions| definitions.has_rows_of(dialect))
}

/// Returns the definition of an operation that bindings present.
pub fn binding_definition(operation: &str) -> Option<BoundDefinition> {
    let dialect = operation.split('.').next().unwrap_or_default();
    presented(dialect).find_map(|definitions| {
        let definition = definitions.get(operation)?;
        Some(BoundDefinition { release: definitions.release(), definition })
    })
}

/// Returns the operations of a dialect that bindings present, sorted by name.
pub fn binding_operations(dialect: &str) -> Vec<&'static str> {
    let is_of_dialect = |name: &&str| name.strip_prefix(dialect).is_some_and(|rest| rest.starts_with('.'));
    // Builds that include another release define few of its operations.
    let mut names: Vec<&'static str> = match presented(dialect).next() {
        Some(definitions) => definitions.names().filter(is_of_dialect).collect(),
        None => Vec::new(),
    };
    for definitions in presented(dialect).skip(1) {
        names.extend(definitions.names().filter(is_of_dialect));
    }
    crate::wire::order::sort_by(&mut names, Ord::cmp);
    names.dedup();
    names
}

/// Returns the enumerations of a dialect as rows of `data/operations/enumerations.tsv` without the dialect, which
/// `tools/operations/enumerations.py` describes.
pub fn binding_enumerations(dialect: &str) -> impl Iterator<Item = &'static str> {
    ENUMERATIONS.lines().filter_map(move |line| line.strip_prefix(dialect)?.strip_prefix('\t'))
}

/// A definition with its release.
#[derive(Debug)]
pub struct BoundDefinition {
    release: &'static str,
    definition: std::sync::Arc<OperationDefinition>,
}

impl BoundDefinition {
    /// Returns the name of the release.
    pub fn release(&self) -> &'static str {
        self.release
    }

    /// Returns the definition.
    pub fn definition(&self) -> &OperationDefinition {
        &self.definition
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_name_operations() {
        assert!(ROWS.is_sorted_by(|one, next| one.operation < next.operation));
        for row in ROWS.iter() {
            let bound = binding_definition(row.operation).unwrap_or_else(|| panic!("{}", row.operation));
            let definition = bound.definition();
            for name in row.required.split(' ').filter(|name| !name.is_empty()) {
                let is_operand = definition.operands().iter().any(|one| one.name() == name);
                assert!(is_operand || definition.attribute(name).is_some(), "{}: {name}", row.operation);
            }
            assert_ne!(row.class, default_class(row.operation), "{}", row.operation);
        }
    }

    #[test]
    fn a_dialect_is_presented_by_the_preferred_release() {
        assert_eq!(binding_definition("arith.addi").unwrap().release(), "llvm-22");
        assert_eq!(binding_definition("stablehlo.add").unwrap().release(), "stablehlo-1.20");
        assert_eq!(binding_definition("hal.allocator.allocate").unwrap().release(), "iree-3.13");
        assert!(binding_definition("arith.frobnicate").is_none());
        assert!(binding_operations("frobnicate").is_empty());
        assert!(binding_operations("cf").iter().eq(&["cf.assert", "cf.br", "cf.cond_br", "cf.switch"]));
    }

    #[test]
    fn enumerations_have_cases_or_a_text() {
        for line in ENUMERATIONS.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            assert!(matches!(fields.len(), 3 | 5), "{line}");
        }
        assert!(binding_enumerations("arith").any(|row| row.starts_with("CmpIPredicate\t64\t")));
        assert_eq!(binding_enumerations("arit").count(), 0);
    }

    #[test]
    fn classes_follow_the_mnemonic() {
        assert_eq!(binding_class("stablehlo.multiply"), "MulOp");
        assert_eq!(binding_class("scf.execute_region"), "ExecuteRegionOp");
        assert_eq!(binding_class("transform.structured.tile_using_for"), "TileUsingForOp");
        assert!(binding_arguments("arith.cmpi").eq(["predicate", "lhs", "rhs"]));
        assert_eq!(binding_arguments("arith.addi").count(), 0);
    }
}
