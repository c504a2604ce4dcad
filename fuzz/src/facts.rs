//! Facts that a file stores and no text shows, compared after a module was written in another version and back.
//!
//! | fact | gate |
//! |---|---|
//! | versions of dialects | bytecode version 1 |
//! | orders of uses | 3 |
//! | registered bits of operations | 5 |
//! | names, isolated bodies, numbers of operands, results, successors and regions, argument locations | none |
//!
//! `tests/python/test_symmetry.py` compares the same facts of generated modules exactly. As in MLIR, an order of uses
//! that is stored in pairs is inverted by each write, so here an order and its inverse are the same.

use std::collections::{BTreeMap, BTreeSet};

use mlirbc::ir::{Operation, UseOrder, Value};
use mlirbc::print::EntryTexts;
use mlirbc::version::BytecodeVersion;
use mlirbc::{Module, Result};

/// The number of operations above which modules are not compared.
const MOST: usize = 20_000;

/// The facts of a module that all versions in between store.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    dialect_versions: BTreeMap<Vec<u8>, Vec<u8>>,
    operations: Vec<OperationFacts>,
}

const UNKNOWN: &str = "loc(unknown)";

/// The facts of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OperationFacts {
    name: Option<String>,
    is_registered: Option<bool>,
    is_isolated: bool,
    /// The numbers of operands, results, successors and regions.
    counts: [usize; 4],
    argument_locations: Vec<String>,
    /// For each result and each argument: the positions of its uses, if they are not in the order of reading.
    use_orders: Vec<Vec<usize>>,
}

/// Whether operations keep their names, registered bits and bodies, which differ between releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The release of the original.
    Same,
    /// Another release in between.
    Other,
}

impl Facts {
    /// Returns the facts of a module that all versions from `oldest` on store; `None` if there are too many,
    /// or the module cannot be read.
    pub fn of(module: &Module, oldest: BytecodeVersion, release: Release) -> Option<Self> {
        let mut facts = Self::default();
        if oldest.has_dialect_versions() {
            for dialect in module.dialects().ok()? {
                match dialect.version {
                    Some(version) => facts.dialect_versions.insert(dialect.name.to_vec(), version.to_vec()),
                    None => facts.dialect_versions.remove(dialect.name),
                };
            }
        }
        let texts = EntryTexts::new(module).ok()?;
        let mut used = BTreeSet::new();
        for op in module.operation().ok()?.pre_order() {
            if facts.operations.len() == MOST {
                return None;
            }
            let op = op.ok()?;
            used.extend(op.operation_name().map(|name| name.dialect.to_vec()));
            facts.operations.push(of_operation(&op, &texts, oldest, release).ok()?);
        }
        // As in MLIR, a dialect without uses is not written.
        facts.dialect_versions.retain(|dialect, _| used.contains(dialect));
        Some(facts)
    }
}

fn of_operation(
    op: &Operation<'_>,
    texts: &EntryTexts<'_>,
    oldest: BytecodeVersion,
    release: Release,
) -> Result<OperationFacts> {
    let is_same = release == Release::Same;
    let mut values: Vec<Value<'_>> = op.results().collect();
    let mut argument_locations = Vec::new();
    for region in op.regions()? {
        for block in region.blocks() {
            for argument in block.arguments() {
                let location = argument.location().filter(|_| is_same).map(|id| texts.attribute(id));
                // The writer omits an unknown location (mlir/lib/Bytecode/Writer/BytecodeWriter.cpp).
                argument_locations.push(location.filter(|text| text != UNKNOWN).unwrap_or_default());
                values.push(argument);
            }
        }
    }
    let orders = values.iter().filter(|_| oldest.has_use_list_orders()).map(order_of);
    let registered = op.operation_name().and_then(|name| name.is_registered);
    Ok(OperationFacts {
        name: is_same.then(|| op.name()),
        is_registered: registered.filter(|_| is_same && oldest.has_registered_flags()),
        is_isolated: is_same && op.is_isolated_from_above(),
        counts: [op.operands().len(), op.results().len(), op.successors().len(), op.region_count() as usize],
        argument_locations,
        use_orders: orders.collect::<Result<_>>()?,
    })
}

// Returns the positions of uses in the order of reading, or the inverse order if that is less.
fn order_of(value: &Value<'_>) -> Result<Vec<usize>> {
    let stored: Vec<u32> = value.uses(UseOrder::Stored)?.map(|operand| operand.row()).collect();
    let mut read = stored.clone();
    read.sort_unstable_by(|one, two| two.cmp(one));
    let order: Vec<usize> =
        stored.iter().filter_map(|row| read.binary_search_by(|other| row.cmp(other)).ok()).collect();
    let mut inverse = vec![0; order.len()];
    for (place, &position) in order.iter().enumerate() {
        inverse[position] = place;
    }
    if order.iter().enumerate().all(|(place, &position)| place == position) {
        return Ok(Vec::new());
    }
    Ok(order.min(inverse))
}

/// Compares the facts of a module before and after it was written; `oldest` is the oldest version in between.
///
/// # Panics
/// When a fact differs.
pub fn compare(before: &Module, after: &Module, oldest: BytecodeVersion, release: Release) {
    let oldest = oldest.min(before.tables().bytecode().version()).min(after.tables().bytecode().version());
    let facts = |module| Facts::of(module, oldest, release);
    let (Some(before), Some(after)) = (facts(before), facts(after)) else { return };
    // Some releases do not read versions of dialects.
    assert!(
        release == Release::Other || before.dialect_versions == after.dialect_versions,
        "the versions of dialects differ: {:?} and {:?}",
        before.dialect_versions,
        after.dialect_versions
    );
    for (one, two) in before.operations.iter().zip(&after.operations) {
        // A writer isolates every region that uses no value from above, even if another writer did not.
        let is_isolated = two.is_isolated && (one.is_isolated || one.counts[3] > 0);
        let expected = OperationFacts { is_isolated, ..one.clone() };
        assert!(expected == *two, "what is stored of an operation differs:\n{one:?}\n{two:?}");
        assert!(two.is_isolated || !one.is_isolated, "an operation is not isolated any more: {one:?}");
    }
    assert!(before.operations.len() == after.operations.len(), "the numbers of operations differ");
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlirbc::WriteOptions;
    use mlirbc::edit::Editor;

    fn edited(edit: impl FnOnce(&mut Editor)) -> Module {
        let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example()).unwrap()).unwrap();
        edit(&mut editor);
        let mut bytes = Vec::new();
        editor.write(&mut bytes, &WriteOptions::default()).unwrap();
        Module::from_bytes(bytes).unwrap()
    }

    #[test]
    fn equal_modules_have_equal_facts() {
        compare(&edited(|_| {}), &edited(|_| {}), BytecodeVersion::MAX, Release::Same);
    }

    #[test]
    #[should_panic(expected = "the versions of dialects differ")]
    fn versions_of_dialects_are_compared() {
        let with_version = edited(|editor| assert!(editor.set_dialect_version("t", Some(&[0x05])).unwrap()));
        compare(&edited(|_| {}), &with_version, BytecodeVersion::MAX, Release::Same);
    }

    #[test]
    fn facts_that_a_version_does_not_store_are_not_compared() {
        let with_version = edited(|editor| assert!(editor.set_dialect_version("t", Some(&[0x05])).unwrap()));
        compare(&edited(|_| {}), &with_version, BytecodeVersion::MIN, Release::Same);
    }
}
