//! Facts about the fields of an export that decide which releases of JAX read it, without the module.
//!
//! Owns the range of possible serialization versions of a file. Below version 12 the number in the file
//! stands for several versions, and the slots in use narrow the range. `release` contains the data which
//! release reads which version.

use crate::release::JaxRelease;

use super::read::slot;
use super::schema::{AVAL, CHECK, DEVICE, Layout, NAMED_SHARDING, SHARDING, TREE, versions_of};
use super::value::{ExportValue, FieldContents, TableValue};

/// The facts about one level of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReaderNeeds {
    /// The number of the serialization version in the file.
    pub(crate) stored: u32,
    /// The oldest and the newest possible serialization version of the file.
    pub(crate) serializations: [u32; 2],
    /// Whether the number of devices is in the slot that releases before 0.8.2 read.
    pub(crate) has_short_device_count: bool,
    /// The largest number of an element type.
    pub(crate) newest_dtype: u32,
    /// Whether the number of devices is in the slot that releases from 0.8.2 on read first.
    pub(crate) has_device_count: bool,
    /// Whether there are shardings, and all are without a protocol buffer of HLO.
    pub(crate) has_only_named_shardings: bool,
    /// Whether there are shardings that consist of a protocol buffer of HLO alone.
    pub(crate) has_only_hlo_shardings: bool,
    /// Whether there are arguments; calls without them do not compare the number of devices.
    pub(crate) has_arguments: bool,
    /// Whether the check of shape assertions is disabled.
    disables_shape_assertions: bool,
    /// Whether trees of arguments or results have nodes of custom classes.
    has_custom_nodes: bool,
}

impl ReaderNeeds {
    /// Returns the parts that a release reads in no form of the container: it refuses the export, and a
    /// conversion for it fails.
    pub(crate) fn without_form(&self, release: &JaxRelease) -> Vec<String> {
        let mut reasons = Vec::new();
        if self.disables_shape_assertions && release.refuses_shape_assertions {
            reasons
                .push("it does not read exports that disable the safety check `shape_assertions`".to_owned());
        }
        if self.has_custom_nodes && release.serialization < CUSTOM_NODE.1 {
            reasons.push(
                "it does not read custom pytree nodes, such as named tuples, of arguments or results"
                    .to_owned(),
            );
        }
        reasons
    }
}

// Numbers of slots in tables other than the export itself.
const KIND: u64 = 0;
const DTYPE: u64 = 2;
const HLO_SHARDING: usize = 1;
const NAMED: usize = 2;
const PLATFORM: usize = 2;

/// Element types from this number on are keys of random numbers, which serialization version 4 introduced.
const FIRST_KEY: u32 = 27;
const KIND_OF_CHECK: u64 = 0;
/// The kind of the check that shapes match the symbolic dimensions.
const SHAPE_ASSERTIONS: u32 = 2;
/// The kind of a tree node of a custom class, and the first serialization version with this kind.
const CUSTOM_NODE: (u32, u8) = (5, 3);

pub(super) fn reader_needs(value: &ExportValue, index: usize) -> ReaderNeeds {
    let level = value.levels().nth(index).unwrap_or_else(|| value.root());
    let table = value.table(level);
    let stored = table.number(slot::SERIALIZATION_VERSION);
    let tables_of =
        |layout: &'static Layout| value.tables().iter().filter(move |table| table.layout.name == layout.name);
    let is_hlo = |table: &TableValue| has_bytes(table) && table.field(NAMED).is_none();
    let has_hlo = tables_of(&SHARDING).any(|table| table.field(HLO_SHARDING).is_some());
    ReaderNeeds {
        stored,
        serializations: serializations(value, stored),
        has_short_device_count: table.number(slot::NR_DEVICES_SHORT) != 0,
        newest_dtype: tables_of(&AVAL).map(|table| table.number(DTYPE)).max().unwrap_or_default(),
        has_device_count: table.number(slot::NR_DEVICES) != 0,
        has_only_hlo_shardings: tables_of(&SHARDING).any(is_hlo),
        has_arguments: [slot::IN_AVALS_IDXS, slot::IN_AVALS].into_iter().any(|slot| has_items(table, slot)),
        disables_shape_assertions: tables_of(&CHECK)
            .any(|table| table.number(KIND_OF_CHECK) == SHAPE_ASSERTIONS),
        has_custom_nodes: tables_of(&TREE).any(|table| table.number(KIND) == CUSTOM_NODE.0),
        has_only_named_shardings: tables_of(&NAMED_SHARDING).next().is_some() && !has_hlo,
    }
}

fn serializations(value: &ExportValue, stored: u32) -> [u32; 2] {
    let [mut oldest, mut newest] = versions_of(stored);
    if oldest == newest {
        return [oldest, newest];
    }
    for table in value.tables() {
        let used = table.fields.iter().zip(table.layout.slots).filter(|(field, _)| field.is_some());
        oldest = used.map(|(_, slot)| u32::from(slot.since)).fold(oldest, u32::max);
        oldest = oldest.max(match table.number(KIND) {
            kind if kind == CUSTOM_NODE.0 && is(table, &TREE) => u32::from(CUSTOM_NODE.1),
            _ if is(table, &AVAL) && table.number(DTYPE) >= FIRST_KEY => 4,
            _ => 0,
        });
        // Writers from 11 on give a device its platform.
        if is(table, &DEVICE) && table.field(PLATFORM).is_none() {
            newest = newest.min(10);
        }
    }
    let root = value.table(value.root());
    if stored == 3 {
        if root.field(slot::IN_AVALS_IDXS as usize).is_none() {
            newest = newest.min(9);
        }
        // Version 6 is the last version that writes both numbers of devices; version 5 is the last version
        // without named shardings.
        if root.number(slot::NR_DEVICES_SHORT) != 0 {
            newest = newest.min(6);
        }
        let has = |layout: &'static Layout| value.tables().iter().any(|table| is(table, layout));
        let has_hlo = value.tables().iter().any(|table| is(table, &SHARDING) && has_bytes(table));
        if has_hlo && !has(&NAMED_SHARDING) {
            newest = newest.min(5);
        }
    }
    [oldest.min(newest), newest]
}

fn is(table: &TableValue, layout: &Layout) -> bool {
    table.layout.name == layout.name
}

fn has_items(table: &TableValue, slot: u64) -> bool {
    match table.field(slot as usize) {
        Some(FieldContents::Data(range)) => !range.is_empty(),
        Some(FieldContents::New(bytes)) => !bytes.is_empty(),
        Some(FieldContents::Tables(tables)) => !tables.is_empty(),
        _ => false,
    }
}

fn has_bytes(sharding: &TableValue) -> bool {
    matches!(sharding.field(HLO_SHARDING), Some(FieldContents::Data(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_slots_are_those_of_the_schema() {
        for (layout, number, name) in [
            (&TREE, KIND as usize, "kind"),
            (&AVAL, KIND as usize, "kind"),
            (&AVAL, DTYPE as usize, "dtype"),
            (&SHARDING, HLO_SHARDING, "hlo_sharding_proto"),
            (&SHARDING, NAMED, "named_sharding"),
            (&DEVICE, PLATFORM, "platform"),
        ] {
            assert_eq!(layout.slots.get(number).map(|slot| slot.name), Some(name));
        }
    }
}
