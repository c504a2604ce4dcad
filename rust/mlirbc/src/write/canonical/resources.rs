//! The dialect resources of a written module: their rows in the file, and their order.
//!
//! `mlir-opt` writes the resources that the module refers to, grouped by dialect, resources with data before
//! the others (`BytecodeWriter::writeResourceSection` in `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).
//! Omitting the data does not change the order. References in the text of an attribute are unknown here, so
//! resources of dialects other than builtin are kept if the dialect is used.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::attr::table::Origin;
use crate::dialect::entries::Entries;
use crate::file::FileTables;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::numbering::Numbering;
use super::tables::Tables;

/// The bytes that a resource takes while the order is determined.
const PER_RESOURCE: usize = 4 * size_of::<(u32, DialectResource)>();

/// A dialect resource to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DialectResource {
    /// The number of the resource's dialect.
    pub(crate) dialect: u32,
    /// The index in the file; `None` if attributes refer to a key that the file does not have.
    pub(crate) row: Option<usize>,
    /// The number in the pool; `None` if no attribute is known to refer to the resource.
    pub(crate) key: Option<u32>,
}

/// Returns the index in the file of each resource of the pool.
pub(crate) fn rows(module: &FileTables, entries: Tables<'_>, budget: &Budget) -> Result<Vec<Option<usize>>> {
    let count = entries.bounds().resources;
    if count == 0 {
        return Ok(Vec::new());
    }
    budget.spend((count as usize).saturating_mul(PER_RESOURCE))?;
    let externals = module.resource_directory()?.externals;
    let pool = match entries {
        Tables::File(_) => return Ok((0..count as usize).map(|index| Some(externals + index)).collect()),
        Tables::Copied(pool) | Tables::Mixed { copies: pool, .. } => pool,
    };
    let mut rows = Vec::with_capacity(count as usize);
    for index in 0..count {
        rows.push(match pool.origin(index) {
            Some(Origin { file, row }) if file.address() == module.address() => Some(*row),
            // The translation created the attribute from text, which refers to resources of builtin.
            _ => {
                let mut resources = module.resources_named(entries.resource_key(index))?;
                let resource =
                    resources.find(|resource| !resource.is_external() && resource.group() == b"builtin");
                resource.map(|resource| resource.index())
            }
        });
    }
    Ok(rows)
}

/// A resource of the pool, and its position in the written file.
pub(crate) struct KeyPosition {
    pub(crate) key: u32,
    pub(crate) position: u32,
}

/// Returns the resources in the order of the written file, and the position of each resource of the pool.
pub(crate) fn order(
    module: &FileTables,
    numbering: &Numbering,
    budget: &Budget,
) -> Result<(Vec<DialectResource>, Vec<KeyPosition>)> {
    budget.spend(numbering.resources.len().saturating_mul(PER_RESOURCE))?;
    let mut dialects = DialectNumbers { numbering, known: HashMap::new() };
    // The resources of each dialect: resources with data, then the others.
    let mut groups: BTreeMap<u32, [Vec<DialectResource>; 2]> = BTreeMap::new();
    let mut mentioned = HashSet::new();
    let mut equal = Vec::new();
    for &key in &numbering.resources {
        let row = numbering.resource_rows.get(key as usize).copied().flatten();
        if let Some(row) = row
            && !mentioned.insert(row)
        {
            equal.push((key, row));
            continue;
        }
        let resource = row.map(|row| module.resource(row)).transpose()?.flatten();
        let has_data = resource.as_ref().is_some_and(|resource| resource.has_data());
        let dialect = dialects.number(resource.as_ref().map_or(b"builtin", |resource| resource.group()));
        let dialect = dialect.unwrap_or_default();
        groups.entry(dialect).or_default()[usize::from(!has_data)].push(DialectResource {
            dialect,
            row,
            key: Some(key),
        });
    }
    for resource in module.resources()?.filter(|resource| !resource.is_external()) {
        let row = resource.index();
        if resource.group() == b"builtin" || mentioned.contains(&row) {
            continue;
        }
        budget.spend(PER_RESOURCE)?;
        let Some(dialect) = dialects.number(resource.group()) else { continue };
        let unreferenced = DialectResource { dialect, row: Some(row), key: None };
        groups.entry(dialect).or_default()[usize::from(!resource.has_data())].push(unreferenced);
    }
    let all: Vec<_> = groups.into_values().flatten().flatten().collect();
    let mut positions = Vec::new();
    let mut place_of_row = HashMap::new();
    for (place, resource) in (0..).zip(&all) {
        if let Some(key) = resource.key {
            positions.push(KeyPosition { key, position: place });
        }
        if let Some(row) = resource.row {
            place_of_row.insert(row, place);
        }
    }
    positions.extend(
        equal
            .into_iter()
            .filter_map(|(key, row)| Some(KeyPosition { key, position: *place_of_row.get(&row)? })),
    );
    Ok((all, positions))
}

/// The numbers of dialects by the address of their name, because many resources may belong to a dialect with
/// a long name.
struct DialectNumbers<'n> {
    numbering: &'n Numbering,
    known: HashMap<(usize, usize), Option<u32>>,
}

impl DialectNumbers<'_> {
    fn number(&mut self, name: &[u8]) -> Option<u32> {
        let address = (name.as_ptr() as usize, name.len());
        *self.known.entry(address).or_insert_with(|| self.numbering.find_dialect(name))
    }
}
