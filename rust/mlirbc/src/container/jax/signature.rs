//! Arguments and results of an export that are removed or added, in the trees, types and shardings of a level.
//!
//! Owns [`SignatureChange`]. The slots of a level keep their form: lists of tables remain lists, and indices remain
//! indices. Reads and changes an [`ExportValue`]; `encode` writes it.

use std::collections::HashMap;

use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::fields::Digests;
use super::read::{DTYPES, slot};
use super::schema::{AVAL, Layout, SHARDING, TREE};
use super::value::{ExportValue, FieldContents, TableId, TableValue};

const TREE_KIND: usize = 0;
const CHILDREN: usize = 1;
const NAMES: usize = 2;
/// The kinds of tree nodes.
type TreeKind = u32;
const NONE: TreeKind = 1;
const DICT: TreeKind = 4;

/// An argument that a level gets.
#[derive(Debug, Clone)]
pub(crate) struct NewArgument {
    /// The key in the dictionary of new arguments.
    pub(crate) name: String,
    /// The element type as in JAX, e.g. `float32`.
    pub(crate) dtype: &'static str,
    /// The sizes of the dimensions.
    pub(crate) shape: Vec<u64>,
}

/// The changes of the arguments and results of a level.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignatureChange {
    /// The numbers of removed arguments, among all leaves of the arguments, in ascending order.
    pub(crate) removed_arguments: Vec<u32>,
    /// The numbers of removed results in ascending order.
    pub(crate) removed_results: Vec<u32>,
    /// The arguments of a new dictionary, sorted by name, which is the last positional argument.
    pub(crate) added: Vec<NewArgument>,
}

/// Returns the number of leaves in the positional arguments of a level.
///
/// # Errors
/// If a tree has no children for positional and named arguments, and an exhausted budget.
pub(super) fn positional_leaves(value: &ExportValue, level: TableId, budget: &Budget) -> Result<u32> {
    let Some(&FieldContents::Table(root)) = value.table(level).field(slot::IN_TREE as usize) else {
        return Err(unusual());
    };
    let nodes = nodes_of(value, root, budget)?;
    let Some(&first) = nodes.first().and_then(|node| node.children.first()) else { return Err(unusual()) };
    let mut is_inside = vec![false; nodes.len()];
    let mut leaves = 0;
    for (number, node) in nodes.iter().enumerate() {
        is_inside[number] = number == first || node.parent.is_some_and(|parent| is_inside[parent]);
        leaves += u32::from(is_inside[number] && node.leaf_number.is_some());
    }
    Ok(leaves)
}

/// Changes a level.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for a level that has other slots than JAX writes, and an exhausted budget.
pub(super) fn change(
    content: &Source,
    value: &mut ExportValue,
    level: TableId,
    change: &SignatureChange,
    budget: &Budget,
) -> Result<()> {
    let place = positional_leaves(value, level, budget)?;
    let mut editor = LevelEditor { content, value, level, budget };
    let arguments = ListChange { removed_numbers: &change.removed_arguments, place: place as usize };
    editor.kept(&arguments, change.added.len())?;
    let avals = change.added.iter().map(|new| editor.aval(new)).collect::<Result<Vec<_>>>()?;
    editor.indices(slot::IN_AVALS_IDXS, &arguments, &avals)?;
    editor.tables(slot::IN_AVALS, &arguments, &avals)?;
    editor.unspecified(slot::IN_SHARDINGS_IDXS, slot::IN_SHARDINGS, &arguments, avals.len())?;
    let results = ListChange { removed_numbers: &change.removed_results, place: 0 };
    editor.indices(slot::OUT_AVALS_IDXS, &results, &[])?;
    editor.tables(slot::OUT_AVALS, &results, &[])?;
    editor.unspecified(slot::OUT_SHARDINGS_IDXS, slot::OUT_SHARDINGS, &results, 0)?;
    editor.tree(slot::IN_TREE, &change.removed_arguments, 2)?;
    editor.tree(slot::OUT_TREE, &change.removed_results, 1)?;
    editor.add_dictionary(&change.added)
}

/// The removed items of a list, and the place of new ones before the removal.
struct ListChange<'c> {
    removed_numbers: &'c [u32],
    place: usize,
}

impl ListChange<'_> {
    fn apply<T: Clone>(&self, items: &[T], new: &[T]) -> Vec<T> {
        let place = self.place.min(items.len());
        let is_kept = |number: usize| self.removed_numbers.binary_search(&(number as u32)).is_err();
        let part = |from: usize, to: usize| {
            (from..to).filter(|&number| is_kept(number)).map(|number| items[number].clone())
        };
        part(0, place).chain(new.iter().cloned()).chain(part(place, items.len())).collect()
    }
}

/// A node of a tree, in the order of a depth-first walk.
struct TreeNode {
    table: TableId,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The number of the leaf.
    leaf_number: Option<u32>,
}

/// The state of a node after the removal of leaves.
#[derive(Clone, Copy, PartialEq)]
enum Remaining {
    Same,
    Changed(TableId),
    /// No leaf of the node remains.
    Gone,
}

fn nodes_of(value: &ExportValue, root: TableId, budget: &Budget) -> Result<Vec<TreeNode>> {
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut leaves = 0;
    let mut open = vec![(root, None)];
    while let Some((table, parent)) = open.pop() {
        budget.spend(size_of::<TreeNode>() + 2 * size_of::<(TableId, Option<usize>)>())?;
        let number = nodes.len();
        if let Some(parent) = parent {
            let parent: usize = parent;
            nodes[parent].children.push(number);
        }
        let row = value.table(table);
        let is_leaf = row.number(TREE_KIND as u64) == 0;
        nodes.push(TreeNode { table, parent, children: Vec::new(), leaf_number: is_leaf.then_some(leaves) });
        leaves += u32::from(is_leaf);
        if let Some(FieldContents::Tables(children)) = row.field(CHILDREN).filter(|_| !is_leaf) {
            open.extend(children.iter().rev().map(|&child| (child, Some(number))));
        }
    }
    Ok(nodes)
}

struct LevelEditor<'c> {
    content: &'c Source,
    value: &'c mut ExportValue,
    level: TableId,
    budget: &'c Budget,
}

impl LevelEditor<'_> {
    fn set(&mut self, slot: u64, contents: FieldContents) {
        self.value.table_mut(self.level).set(slot as usize, Some(contents));
    }

    /// The numbers in a vector; `None` without the slot.
    fn numbers<const SIZE: usize>(&self, slot: u64) -> Result<Option<Vec<u32>>> {
        let bytes = match self.value.table(self.level).field(slot as usize) {
            Some(FieldContents::Data(range)) => self.content.get(range.clone())?.to_vec(),
            Some(FieldContents::New(bytes)) => bytes.clone(),
            _ => return Ok(None),
        };
        self.budget.spend(bytes.len() * 2)?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        Ok(Some(bytes.chunks_exact(SIZE).map(number).collect()))
    }

    /// Changes the numbers of the arguments that the module has.
    fn kept(&mut self, change: &ListChange<'_>, added: usize) -> Result<()> {
        let old_numbers = self.numbers::<2>(slot::MODULE_KEPT_VAR_IDX)?.unwrap_or_default();
        let place = change.place as u32;
        let removed_before =
            |number: u32| change.removed_numbers.partition_point(|&other| other < number) as u32;
        let is_kept = |number: &&u32| change.removed_numbers.binary_search(number).is_err();
        let shifted = |&number: &u32| {
            let shift = if number >= place { added as u32 } else { 0 };
            number - removed_before(number) + shift
        };
        let mut numbers: Vec<u32> = old_numbers.iter().filter(is_kept).map(shifted).collect();
        let first = place - removed_before(place);
        numbers.extend(first..first + added as u32);
        numbers.sort_unstable();
        let bytes = numbers.iter().map(|&number| u16::try_from(number).map(u16::to_le_bytes));
        let bytes: Vec<[u8; 2]> = bytes.collect::<std::result::Result<_, _>>().map_err(|_| {
            Error::message(ErrorKind::Unsupported, "a JAX export has at most 65,535 arguments")
        })?;
        self.set(slot::MODULE_KEPT_VAR_IDX, FieldContents::New(bytes.concat()));
        Ok(())
    }

    fn aval(&mut self, new: &NewArgument) -> Result<TableId> {
        let dtype = DTYPES.iter().position(|&name| name == new.dtype).ok_or_else(unusual)?;
        let mut table = TableValue::new(&AVAL);
        let shape = new.shape.iter().map(|size| size.to_string().into_bytes()).collect();
        // A model keeps the kind and the memory space of this release.
        if let Some(model) = self.value.tables().iter().find(|table| is(table, &AVAL)) {
            table.set(0, model.field(0).cloned());
            table.set(3, model.field(3).cloned());
        }
        table.set(1, Some(FieldContents::NewTexts(shape)));
        table.set(2, (dtype != 0).then_some(FieldContents::Number(dtype as u32)));
        self.value.add(table, self.budget)
    }

    /// Changes a vector of numbers of types.
    fn indices(&mut self, slot: u64, change: &ListChange<'_>, new: &[TableId]) -> Result<()> {
        let Some(numbers) = self.numbers::<4>(slot)? else { return Ok(()) };
        let mut unique = match self.value.table(self.level).field(slot::UNIQUE_AVALS as usize) {
            Some(FieldContents::Tables(tables)) => tables.clone(),
            _ => Vec::new(),
        };
        let mut added = Vec::new();
        if !new.is_empty() {
            let mut digests = Digests::new(self.content, self.value, self.budget)?;
            let mut places = HashMap::new();
            for (place, &table) in unique.iter().enumerate() {
                places.entry(digests.of_table(table)?).or_insert(place);
            }
            for &aval in new {
                let place = *places.entry(digests.of_table(aval)?).or_insert(unique.len());
                if place == unique.len() {
                    unique.push(aval);
                }
                added.push(place as u32);
            }
        }
        let numbers = change.apply(&numbers, &added);
        self.set(slot::UNIQUE_AVALS, FieldContents::Tables(unique));
        self.set(slot, vector(&numbers));
        Ok(())
    }

    fn tables(&mut self, slot: u64, change: &ListChange<'_>, new: &[TableId]) -> Result<()> {
        let Some(FieldContents::Tables(tables)) = self.value.table(self.level).field(slot as usize) else {
            return Ok(());
        };
        // Releases with numbers of types leave this slot empty.
        if tables.is_empty() && self.value.table(self.level).field(slot::IN_AVALS_IDXS as usize).is_some() {
            return Ok(());
        }
        let tables = change.apply(tables, new);
        self.set(slot, FieldContents::Tables(tables));
        Ok(())
    }

    /// Changes shardings; new arguments have unspecified shardings.
    fn unspecified(&mut self, indices: u64, slot: u64, change: &ListChange<'_>, count: usize) -> Result<()> {
        if let Some(numbers) = self.numbers::<4>(indices)? {
            let numbers = change.apply(&numbers, &vec![0; count]);
            self.set(indices, vector(&numbers));
        }
        let mut new = Vec::new();
        for _ in 0..count {
            new.push(self.value.add(TableValue::new(&SHARDING), self.budget)?);
        }
        self.tables(slot, change, &new)
    }

    /// Removes leaves of a tree. Keys of dictionaries and items of the sequences at `depth` go with their leaves, items of
    /// other sequences become `None`.
    fn tree(&mut self, slot: u64, removed_numbers: &[u32], depth: usize) -> Result<()> {
        let Some(&FieldContents::Table(root)) = self.value.table(self.level).field(slot as usize) else {
            return Err(unusual());
        };
        if removed_numbers.is_empty() {
            return Ok(());
        }
        let nodes = nodes_of(self.value, root, self.budget)?;
        let mut depths = vec![0; nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            depths[number] = node.parent.map_or(0, |parent| depths[parent] + 1);
        }
        let mut remaining = vec![Remaining::Same; nodes.len()];
        for (number, node) in nodes.iter().enumerate().rev() {
            let is_frame = depths[number] < depth;
            remaining[number] = match node.leaf_number {
                Some(leaf) if removed_numbers.binary_search(&leaf).is_ok() => Remaining::Gone,
                Some(_) => Remaining::Same,
                None => self.node(node, &nodes, &remaining, (is_frame, depths[number] + 1 == depth))?,
            };
        }
        let new_root = match remaining[0] {
            Remaining::Same => root,
            Remaining::Changed(table) => table,
            Remaining::Gone => self.none()?,
        };
        self.set(slot, FieldContents::Table(new_root));
        Ok(())
    }

    fn node(
        &mut self,
        node: &TreeNode,
        nodes: &[TreeNode],
        remaining: &[Remaining],
        (is_frame, shrinks): (bool, bool),
    ) -> Result<Remaining> {
        let states: Vec<Remaining> = node.children.iter().map(|&child| remaining[child]).collect();
        if states.iter().all(|state| *state == Remaining::Same) {
            return Ok(Remaining::Same);
        }
        let is_without_leaves =
            |child: usize| nodes[child].leaf_number.is_none() && nodes[child].children.is_empty();
        let is_gone = node.children.iter().zip(&states).all(|(&child, state)| {
            *state == Remaining::Gone || *state == Remaining::Same && is_without_leaves(child)
        });
        if is_gone && !is_frame {
            return Ok(Remaining::Gone);
        }
        let mut table = self.value.table(node.table).clone();
        let drops = shrinks || table.number(TREE_KIND as u64) == DICT;
        let mut children = Vec::new();
        let mut kept_numbers = Vec::new();
        for (number, (&child, state)) in node.children.iter().zip(&states).enumerate() {
            children.push(match *state {
                Remaining::Same => nodes[child].table,
                Remaining::Changed(table) => table,
                Remaining::Gone if drops => continue,
                Remaining::Gone => self.none()?,
            });
            kept_numbers.push(number);
        }
        if let Some(FieldContents::Texts(names)) = table.field(NAMES) {
            let names = kept_numbers.iter().filter_map(|&number| names.get(number).cloned()).collect();
            table.set(NAMES, Some(FieldContents::Texts(names)));
        }
        table.set(CHILDREN, Some(FieldContents::Tables(children)));
        Ok(Remaining::Changed(self.value.add(table, self.budget)?))
    }

    fn none(&mut self) -> Result<TableId> {
        let mut table = TableValue::new(&TREE);
        table.set(TREE_KIND, Some(FieldContents::Number(NONE)));
        self.value.add(table, self.budget)
    }

    /// Appends a dictionary to the positional arguments.
    fn add_dictionary(&mut self, new: &[NewArgument]) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let Some(&FieldContents::Table(root)) = self.value.table(self.level).field(slot::IN_TREE as usize)
        else {
            return Err(unusual());
        };
        let mut children = match self.value.table(root).field(CHILDREN) {
            Some(FieldContents::Tables(children)) if children.len() == 2 => children.clone(),
            _ => return Err(unusual()),
        };
        let mut dictionary = TableValue::new(&TREE);
        dictionary.set(TREE_KIND, Some(FieldContents::Number(DICT)));
        let mut leaves = Vec::new();
        for _ in new {
            leaves.push(self.value.add(TableValue::new(&TREE), self.budget)?);
        }
        dictionary.set(CHILDREN, Some(FieldContents::Tables(leaves)));
        let names = new.iter().map(|new| new.name.clone().into_bytes()).collect();
        dictionary.set(NAMES, Some(FieldContents::NewTexts(names)));
        let dictionary = self.value.add(dictionary, self.budget)?;
        let mut positional = self.value.table(children[0]).clone();
        let mut arguments = match positional.field(CHILDREN) {
            Some(FieldContents::Tables(arguments)) => arguments.clone(),
            _ => Vec::new(),
        };
        arguments.push(dictionary);
        positional.set(CHILDREN, Some(FieldContents::Tables(arguments)));
        children[0] = self.value.add(positional, self.budget)?;
        let mut table = self.value.table(root).clone();
        table.set(CHILDREN, Some(FieldContents::Tables(children)));
        let root = self.value.add(table, self.budget)?;
        self.set(slot::IN_TREE, FieldContents::Table(root));
        Ok(())
    }
}

fn vector(numbers: &[u32]) -> FieldContents {
    FieldContents::New(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

fn is(table: &TableValue, layout: &Layout) -> bool {
    table.layout.name == layout.name
}

#[cold]
fn unusual() -> Error {
    let message = "the arguments of the export are not in the form that JAX writes";
    Error::message(ErrorKind::Unsupported, message).with_hint("change the module alone with `--bare`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_slots_are_those_of_the_schema() {
        for (layout, number, name) in [
            (&TREE, TREE_KIND, "kind"),
            (&TREE, CHILDREN, "children"),
            (&TREE, NAMES, "children_names"),
            (&AVAL, 1, "shape"),
            (&AVAL, 2, "dtype"),
            (&AVAL, 3, "memory_space"),
        ] {
            assert_eq!(layout.slots.get(number).map(|slot| slot.name), Some(name));
        }
    }

    #[test]
    fn new_items_are_at_their_place_and_removed_ones_are_gone() {
        let change = ListChange { removed_numbers: &[0, 3], place: 2 };
        assert_eq!(change.apply(&[10, 11, 12, 13], &[7, 8]), [11, 7, 8, 12]);
        assert_eq!(ListChange { removed_numbers: &[], place: 9 }.apply(&[1], &[2]), [1, 2]);
    }
}
