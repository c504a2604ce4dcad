//! The fields of an export in the form that a release of JAX writes and reads.
//!
//! Owns the relations between slots with the same meaning in different serialization versions: numbers of
//! devices, types of arguments and results, shardings. `schema` lists the slots of each version, and
//! `data/releases.toml` the versions of each release. Reads and changes an [`ExportValue`]; `encode` writes
//! it. Modules are converted elsewhere.

use std::collections::HashMap;
use std::ops::Range;

use crate::container::hlo_sharding::MeshSharding;
use crate::release::JaxRelease;
use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::fields::Digests;
use super::read::slot;
use super::reader_needs::reader_needs;
use super::schema::{EXPORTED, SHARDING, stored_version};
use super::value::{ExportValue, FieldContents, TableId, TableValue};

// Numbers of slots in tables other than the export itself.
pub(super) const AVAL_SHAPE: usize = 1;
const AVAL_DTYPE: u64 = 2;
const SHARDING_KIND: usize = 0;
const HLO_SHARDING: usize = 1;
const SHARDING_NAME: usize = 2;
const MESH_OF_SHARDING: usize = 0;
const SPEC: usize = 1;
const MESH_INDEX: usize = 3;
const AXIS_SIZES: usize = 0;
const AXIS_NAMES: usize = 1;
const AXIS_TYPES: usize = 2;
const PARTITIONS: usize = 0;
const UNREDUCED: usize = 2;
const AXES: usize = 0;

/// The kind of a sharding that has a protocol buffer of HLO.
const HLO_KIND: u32 = 1;
/// The type of an axis that the program distributes by hand.
const MANUAL: u8 = 3;

/// Remarks about features that the other release lacks, by the index of the module.
#[derive(Debug, Default)]
pub(in crate::container) struct Remarks {
    /// Information that is lost.
    pub(in crate::container) notes: Vec<(usize, String)>,
    /// The reasons why there is no such export.
    pub(in crate::container) refusals: Vec<(usize, String)>,
}

/// Gives all levels of an export the form of a release. The value is not usable if there are refusals.
///
/// # Errors
/// If a table is malformed, and an exhausted budget.
pub(super) fn convert(
    content: &Source,
    value: &mut ExportValue,
    release: &JaxRelease,
    budget: &Budget,
) -> Result<Remarks> {
    let levels: Vec<TableId> = value.levels().collect();
    let mut conversion =
        Conversion { content, value, release, budget, level: 0, remarks: Remarks::default() };
    for (index, level) in levels.into_iter().enumerate() {
        conversion.level = index;
        let refusals = reader_needs(conversion.value, index).without_form(release);
        refusals.into_iter().for_each(|reason| conversion.refuse(reason));
        conversion.level(level)?;
    }
    Ok(conversion.remarks)
}

struct Conversion<'c> {
    content: &'c Source,
    value: &'c mut ExportValue,
    release: &'c JaxRelease,
    budget: &'c Budget,
    /// The index of the level.
    level: usize,
    remarks: Remarks,
}

/// A sharding of an argument or a result in both forms; unspecified if both are missing.
struct SpecifiedSharding {
    named: Option<TableId>,
    hlo: Option<FieldContents>,
}

/// The arguments or the results of a level.
struct List {
    avals: Vec<TableId>,
    shardings: Vec<Option<SpecifiedSharding>>,
}

/// The slots of the arguments or the results: the slot of the numbers that choose tables, and the slot of the
/// tables.
struct ListSlots {
    avals: (u64, u64),
    shardings: (u64, u64),
}

const LISTS: [ListSlots; 2] = [
    ListSlots {
        avals: (slot::IN_AVALS_IDXS, slot::IN_AVALS),
        shardings: (slot::IN_SHARDINGS_IDXS, slot::IN_SHARDINGS),
    },
    ListSlots {
        avals: (slot::OUT_AVALS_IDXS, slot::OUT_AVALS),
        shardings: (slot::OUT_SHARDINGS_IDXS, slot::OUT_SHARDINGS),
    },
];

impl Conversion<'_> {
    fn level(&mut self, level: TableId) -> Result<()> {
        self.numbers(level);
        let mut lists = Vec::new();
        for slots in &LISTS {
            let avals = self.avals(level, slots)?;
            let shardings = self.shardings(level, slots)?;
            lists.push(List { avals, shardings });
        }
        if EXPORTED.writes(slot::IN_AVALS_IDXS as usize, self.release.serialization) {
            self.index(level, &lists)?;
        }
        for (slots, list) in LISTS.iter().zip(&lists) {
            let tables = self.listed_shardings(list)?;
            let avals = self.copies(&list.avals)?;
            let table = self.value.table_mut(level);
            table.set(slots.avals.1 as usize, Some(FieldContents::Tables(avals)));
            table.set(slots.shardings.1 as usize, Some(FieldContents::Tables(tables)));
        }
        self.leave_out_newer_slots(level)
    }

    /// The numbers of the level itself.
    fn numbers(&mut self, level: TableId) {
        let JaxRelease { serialization, calling_convention, .. } = *self.release;
        let table = self.value.table(level);
        let devices = match table.number(slot::NR_DEVICES) {
            0 => table.number(slot::NR_DEVICES_SHORT),
            number => number,
        };
        let convention = table.number(slot::CALLING_CONVENTION_VERSION);
        let table = self.value.table_mut(level);
        let mut set = |slot: u64, number: u32| {
            let is_written = EXPORTED.writes(slot as usize, serialization) && number != 0;
            table.set(slot as usize, is_written.then_some(FieldContents::Number(number)));
        };
        set(slot::SERIALIZATION_VERSION, stored_version(serialization));
        set(slot::NR_DEVICES, devices);
        set(slot::NR_DEVICES_SHORT, devices);
        // An older release writes modules of an older convention, but reads any convention.
        if convention > calling_convention {
            set(slot::CALLING_CONVENTION_VERSION, calling_convention);
        }
        if EXPORTED.writes(slot::NR_DEVICES_SHORT as usize, serialization) && devices > i16::MAX as u32 {
            let most = i16::MAX;
            self.refuse(format!("the export is for {devices} devices, and the field has at most {most}"));
        }
    }

    fn refuse(&mut self, reason: String) {
        let refusal = (self.level, reason);
        if !self.remarks.refusals.contains(&refusal) {
            self.remarks.refusals.push(refusal);
        }
    }

    fn note(&mut self, note: String) {
        let note = (self.level, note);
        if !self.remarks.notes.contains(&note) {
            self.remarks.notes.push(note);
        }
    }

    // ---- tables ----

    /// Copies a table with all tables that it refers to. The schema bounds the depth.
    fn copy(&mut self, id: TableId) -> Result<TableId> {
        let mut table = self.value.table(id).clone();
        for value in table.fields.iter_mut().flatten() {
            match value {
                FieldContents::Table(inner) => *inner = self.copy(*inner)?,
                FieldContents::Tables(tables) => {
                    for inner in tables {
                        *inner = self.copy(*inner)?;
                    }
                }
                _ => {}
            }
        }
        self.value.add(table, self.budget)
    }

    /// Returns the tables that numbers in a vector choose; if the numbers count from 1, the number 0 chooses
    /// none.
    fn chosen(&self, level: TableId, indices: u64, unique: u64, first: u32) -> Result<Vec<Option<TableId>>> {
        let table = self.value.table(level);
        let Some(FieldContents::Data(range)) = table.field(indices as usize) else { return Ok(Vec::new()) };
        let tables = match table.field(unique as usize) {
            Some(FieldContents::Tables(tables)) => &tables[..],
            _ => &[],
        };
        let bytes = self.content.get(range.clone())?;
        let mut chosen = self.budget.vec(bytes.len() / 4)?;
        for (place, number) in bytes.as_chunks::<4>().0.iter().enumerate() {
            let number = u32::from_le_bytes(*number);
            chosen.push(match number.checked_sub(first) {
                None => None,
                Some(index) => Some(*tables.get(index as usize).ok_or_else(|| {
                    let expected = format!("an index below `{}`", tables.len() + first as usize);
                    let error = Error::new(ErrorKind::Index, expected, format!("`{number}`"));
                    error.at(range.start + 4 * place as u64)
                })?),
            });
        }
        Ok(chosen)
    }

    /// The tables of a vector.
    fn listed(&self, level: TableId, slot: u64) -> Result<Vec<TableId>> {
        let Some(FieldContents::Tables(tables)) = self.value.table(level).field(slot as usize) else {
            return Ok(Vec::new());
        };
        let mut list = self.budget.vec(tables.len())?;
        list.extend(tables);
        Ok(list)
    }

    // ---- types ----

    /// The types of the arguments or the results.
    fn avals(&mut self, level: TableId, slots: &ListSlots) -> Result<Vec<TableId>> {
        let chosen = self.chosen(level, slots.avals.0, slot::UNIQUE_AVALS, 0)?;
        let avals = match chosen.is_empty() {
            false => chosen.into_iter().flatten().collect(),
            true => self.listed(level, slots.avals.1)?,
        };
        let newest = self.release.newest_dtype;
        let dtypes = avals.iter().map(|&aval| self.value.table(aval).number(AVAL_DTYPE));
        if let Some(dtype) = dtypes.filter(|&dtype| dtype > newest).max() {
            let name = super::dtype_name(dtype);
            let hint = if name.starts_with("key<") {
                "; export a function that takes and returns `jax.random.key_data` in the place of keys"
            } else {
                ""
            };
            self.refuse(format!("it does not know the element type {name} of arguments or results{hint}"));
        }
        Ok(avals)
    }

    fn rank(&self, aval: TableId) -> usize {
        match self.value.table(aval).field(AVAL_SHAPE) {
            Some(FieldContents::Texts(dimensions)) => dimensions.len(),
            Some(FieldContents::NewTexts(dimensions)) => dimensions.len(),
            _ => 0,
        }
    }

    // ---- shardings ----

    /// Returns the shardings of the arguments or the results; `None` for unspecified shardings.
    fn shardings(&mut self, level: TableId, slots: &ListSlots) -> Result<Vec<Option<SpecifiedSharding>>> {
        let chosen = self.chosen(level, slots.shardings.0, slot::UNIQUE_NAMED_SHARDINGS, 1)?;
        let meshes = self.listed(level, slot::UNIQUE_ABSTRACT_MESHES)?;
        let mut shardings = Vec::new();
        if !chosen.is_empty() {
            for named in chosen {
                let named = named.map(|named| self.with_mesh(named, &meshes)).transpose()?;
                shardings.push(named.map(|named| SpecifiedSharding { named: Some(named), hlo: None }));
            }
            return Ok(shardings);
        }
        for sharding in self.listed(level, slots.shardings.1)? {
            let table = self.value.table(sharding);
            let hlo = match table.field(HLO_SHARDING) {
                Some(FieldContents::Data(range)) => Some(FieldContents::Data(range.clone())),
                _ => None,
            };
            let named = match table.field(SHARDING_NAME) {
                Some(&FieldContents::Table(named)) => Some(named),
                _ => None,
            };
            let named = named.map(|named| self.with_mesh(named, &meshes)).transpose()?;
            let is_specified = named.is_some() || hlo.is_some();
            shardings.push(is_specified.then_some(SpecifiedSharding { named, hlo }));
        }
        Ok(shardings)
    }

    /// Returns a copy of a named sharding that contains its mesh.
    fn with_mesh(&mut self, named: TableId, meshes: &[TableId]) -> Result<TableId> {
        let index = self.value.table(named).number(MESH_INDEX as u64);
        let copy = self.copy(named)?;
        if let Some(&mesh) = meshes.get(index as usize) {
            let mesh = self.copy(mesh)?;
            self.value.table_mut(copy).set(MESH_OF_SHARDING, Some(FieldContents::Table(mesh)));
        }
        self.value.table_mut(copy).set(MESH_INDEX, None);
        Ok(copy)
    }

    /// Returns the tables of shardings for the slot with one table for each argument or result.
    fn listed_shardings(&mut self, list: &List) -> Result<Vec<TableId>> {
        let serialization = self.release.serialization;
        let has_names = SHARDING.writes(SHARDING_NAME, serialization);
        let has_hlo = SHARDING.writes(HLO_SHARDING, serialization);
        let mut tables = Vec::new();
        for (number, sharding) in list.shardings.iter().enumerate() {
            let mut table = TableValue::new(&SHARDING);
            if let Some(SpecifiedSharding { named, hlo }) = sharding {
                let hlo = match (hlo, named) {
                    // JAX reads the protocol buffer of an older file.
                    (Some(hlo), named) if has_hlo || named.is_none() => Some(hlo.clone()),
                    (None, Some(named)) if has_hlo => {
                        let rank = list.avals.get(number).map_or(0, |&aval| self.rank(aval));
                        self.hlo_sharding(*named, rank)?.map(FieldContents::New)
                    }
                    _ => None,
                };
                if hlo.is_some() {
                    table.set(SHARDING_KIND, Some(FieldContents::Number(HLO_KIND)));
                }
                table.set(HLO_SHARDING, hlo);
                if let Some(named) = named.filter(|_| has_names) {
                    table.set(SHARDING_NAME, Some(FieldContents::Table(named)));
                }
                if named.is_some() && !has_names {
                    self.note(
                        "shardings are written as tiles, without the axes of the mesh and the kinds of memory"
                            .to_owned(),
                    );
                }
            }
            tables.push(self.value.add(table, self.budget)?);
        }
        Ok(tables)
    }

    /// The protocol buffer of a named sharding; `None` if it was refused.
    fn hlo_sharding(&mut self, named: TableId, rank: usize) -> Result<Option<Vec<u8>>> {
        let (mesh, spec) = (self.inner(named, MESH_OF_SHARDING), self.inner(named, SPEC));
        let sizes = self.bytes(mesh, AXIS_SIZES)?;
        let sizes = sizes.as_chunks::<4>().0.iter().map(|size| u64::from(u32::from_le_bytes(*size)));
        let names = self.texts(mesh, AXIS_NAMES)?;
        let places: HashMap<&[u8], usize> =
            names.iter().enumerate().map(|(place, name)| (&name[..], place)).collect();
        let partitions = match spec.and_then(|spec| self.value.table(spec).field(PARTITIONS)) {
            Some(FieldContents::Tables(partitions)) => &partitions[..],
            _ => &[],
        };
        let mut dimensions = Vec::new();
        let mut is_known = true;
        for &axes in partitions {
            let axes = self.texts(Some(axes), AXES)?;
            let axes: Option<Vec<_>> = axes.iter().map(|axis| places.get(&axis[..]).copied()).collect();
            is_known &= axes.is_some();
            dimensions.push(axes.unwrap_or_default());
        }
        let reason = if !self.texts(spec, UNREDUCED)?.is_empty() {
            "a sharding has unreduced axes, which it does not have"
        } else if self.bytes(mesh, AXIS_TYPES)?.contains(&MANUAL) {
            "a sharding has manual axes of a mesh, which it has only within a module"
        } else if dimensions.len() > rank {
            "a sharding has more dimensions than its array"
        } else if !is_known {
            "a sharding names an axis that its mesh does not have"
        } else {
            dimensions.resize(rank, Vec::new());
            let mesh = sizes.collect();
            let sharding = MeshSharding { mesh, dimensions, manual: Vec::new() };
            match sharding.to_hlo() {
                Some(sharding) => return Ok(Some(sharding.message())),
                None => "a sharding uses an axis twice, or has more devices than fit its form",
            }
        };
        self.refuse(reason.to_owned());
        Ok(None)
    }

    fn inner(&self, table: TableId, slot: usize) -> Option<TableId> {
        match self.value.table(table).field(slot) {
            Some(&FieldContents::Table(inner)) => Some(inner),
            _ => None,
        }
    }

    fn bytes(&self, table: Option<TableId>, slot: usize) -> Result<Vec<u8>> {
        match table.and_then(|table| self.value.table(table).field(slot)) {
            Some(FieldContents::Data(range)) => self.data(range),
            _ => Ok(Vec::new()),
        }
    }

    fn texts(&self, table: Option<TableId>, slot: usize) -> Result<Vec<Vec<u8>>> {
        match table.and_then(|table| self.value.table(table).field(slot)) {
            Some(FieldContents::Texts(texts)) => texts.iter().map(|text| self.data(text)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    fn data(&self, range: &Range<u64>) -> Result<Vec<u8>> {
        self.budget.spend((range.end - range.start) as usize + size_of::<Vec<u8>>())?;
        Ok(self.content.get(range.clone())?.to_vec())
    }

    // ---- indices ----

    /// Fills the slots that have equal types and shardings once.
    fn index(&mut self, level: TableId, lists: &[List]) -> Result<()> {
        // Axes of a mesh cannot be told from the form of HLO.
        let mut specified = lists.iter().flat_map(|list| list.shardings.iter().flatten());
        let has_names = specified.all(|sharding| sharding.named.is_some());
        let mut digests = Digests::new(self.content, self.value, self.budget)?;
        let (mut avals, mut meshes, mut shardings) =
            (UniqueTables::default(), UniqueTables::default(), UniqueTables::default());
        let mut mesh_numbers = Vec::new();
        let mut numbers = Vec::new();
        for list in lists {
            let mut aval_numbers = Vec::new();
            for &aval in &list.avals {
                aval_numbers.push(avals.add(aval, digests.of_table(aval)?));
            }
            let mut sharding_numbers = Vec::new();
            for sharding in &list.shardings {
                let Some(named) = sharding.as_ref().and_then(|parts| parts.named) else {
                    sharding_numbers.push(0);
                    continue;
                };
                sharding_numbers.push(1 + shardings.add(named, digests.of_table(named)?));
                if let Some(mesh) = self.inner(named, MESH_OF_SHARDING) {
                    mesh_numbers.push((named, meshes.add(mesh, digests.of_table(mesh)?)));
                }
            }
            let count = list.avals.len() + list.shardings.len();
            self.budget.spend(count * size_of::<([u8; 32], [u32; 4])>())?;
            numbers.push((aval_numbers, sharding_numbers));
        }
        for (named, mesh) in mesh_numbers {
            // The number of the first mesh is absent, like any number 0.
            self.value.table_mut(named).set(MESH_INDEX, (mesh != 0).then_some(FieldContents::Number(mesh)));
        }
        let avals = self.copies(&avals.tables)?;
        let (meshes, shardings) = match has_names {
            true => (self.copies(&meshes.tables)?, self.copies(&shardings.tables)?),
            false => (Vec::new(), Vec::new()),
        };
        let table = self.value.table_mut(level);
        table.set(slot::UNIQUE_AVALS as usize, Some(FieldContents::Tables(avals)));
        table.set(slot::UNIQUE_ABSTRACT_MESHES as usize, Some(FieldContents::Tables(meshes)));
        table.set(slot::UNIQUE_NAMED_SHARDINGS as usize, Some(FieldContents::Tables(shardings)));
        for (slots, (avals, shardings)) in LISTS.iter().zip(&numbers) {
            let vector = |numbers: &[u32]| {
                FieldContents::New(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
            };
            table.set(slots.avals.0 as usize, Some(vector(avals)));
            table.set(slots.shardings.0 as usize, has_names.then(|| vector(shardings)));
        }
        Ok(())
    }

    fn copies(&mut self, tables: &[TableId]) -> Result<Vec<TableId>> {
        tables.iter().map(|&table| self.copy(table)).collect()
    }

    // ---- other slots ----

    /// Leaves out the slots that the serialization version does not have, in all tables of the level.
    fn leave_out_newer_slots(&mut self, level: TableId) -> Result<()> {
        let serialization = self.release.serialization;
        let mut is_seen = self.budget.filled(false, self.value.len())?;
        let mut open = vec![level];
        let mut lost = Vec::new();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut is_seen[id.index()], true) {
                continue;
            }
            let table = self.value.table_mut(id);
            let layout = table.layout;
            for (number, known) in layout.slots.iter().enumerate() {
                let Some(value) = table.field(number) else { continue };
                if known.since > serialization {
                    let is_default =
                        |most: u32| matches!(value, FieldContents::Number(number) if *number <= most);
                    lost.extend(known.loss.filter(|loss| !is_default(loss.default)).map(|loss| loss.subject));
                    table.set(number, None);
                    continue;
                }
                match value {
                    // The derivative is a level of its own.
                    FieldContents::Table(_) if layout.name == EXPORTED.name && number as u64 == slot::VJP => {
                    }
                    FieldContents::Table(inner) => open.push(*inner),
                    FieldContents::Tables(tables) => open.extend(tables),
                    _ => {}
                }
            }
        }
        lost.sort_unstable();
        lost.dedup();
        lost.into_iter().for_each(|subject| self.note(format!("{subject} are left out")));
        Ok(())
    }
}

/// Tables with different contents, in the order of their first occurrence.
#[derive(Default)]
struct UniqueTables {
    tables: Vec<TableId>,
    numbers: HashMap<[u8; 32], u32>,
}

impl UniqueTables {
    fn add(&mut self, table: TableId, digest: [u8; 32]) -> u32 {
        let next = self.tables.len() as u32;
        let number = *self.numbers.entry(digest).or_insert(next);
        if number == next {
            self.tables.push(table);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::schema::{
        AVAL, AXES as AXES_LAYOUT, Layout, MESH, NAMED_SHARDING, SPEC as SPEC_LAYOUT,
    };
    use super::*;

    #[test]
    fn numbers_of_slots_are_those_of_the_schema() {
        let slots: &[(&Layout, usize, &str)] = &[
            (&AVAL, AVAL_SHAPE, "shape"),
            (&AVAL, AVAL_DTYPE as usize, "dtype"),
            (&SHARDING, SHARDING_KIND, "kind"),
            (&SHARDING, HLO_SHARDING, "hlo_sharding_proto"),
            (&SHARDING, SHARDING_NAME, "named_sharding"),
            (&NAMED_SHARDING, MESH_OF_SHARDING, "mesh"),
            (&NAMED_SHARDING, SPEC, "spec"),
            (&NAMED_SHARDING, MESH_INDEX, "abstract_mesh_idx"),
            (&MESH, AXIS_SIZES, "axis_sizes"),
            (&MESH, AXIS_NAMES, "axis_names"),
            (&MESH, AXIS_TYPES, "axis_types"),
            (&SPEC_LAYOUT, PARTITIONS, "partitions"),
            (&SPEC_LAYOUT, UNREDUCED, "unreduced"),
            (&AXES_LAYOUT, AXES, "axes"),
        ];
        for &(layout, number, name) in slots {
            assert_eq!(layout.slots.get(number).map(|slot| slot.name), Some(name));
        }
    }

    /// The axes of a mesh, the axes of each dimension of an array, and the message of JAX 0.10.2.
    #[derive(Deserialize)]
    struct Sample {
        mesh: Vec<u64>,
        dimensions: Vec<Vec<usize>>,
        message: String,
    }

    /// `scripts/jax-conversions shardings` runs this with many more samples.
    #[test]
    fn messages_are_those_of_jax() {
        let stored = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/containers/hlo_shardings.jsonl");
        let path = std::env::var("MLIRBC_HLO_SHARDINGS").unwrap_or_else(|_| stored.to_owned());
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.lines().count() >= 400);
        for line in text.lines() {
            let Sample { mesh, dimensions, message } = serde_json::from_str(line).unwrap();
            let sharding = MeshSharding { mesh, dimensions, manual: Vec::new() }.to_hlo().unwrap();
            let hex: String = sharding.message().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, message, "{line}");
        }
    }

    #[test]
    fn impossible_shardings_have_no_form() {
        for (mesh, dimensions) in [
            (vec![2, 4], vec![vec![0], vec![0]]),
            (vec![2, 4], vec![vec![2]]),
            (vec![1 << 32, 1 << 32], vec![vec![0]]),
        ] {
            assert_eq!(MeshSharding { mesh, dimensions, manual: Vec::new() }.to_hlo(), None);
        }
    }
}
