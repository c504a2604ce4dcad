//! The schema of a JAX export as data: the tables of `jax/_src/export/serialization.fbs` with their slots.
//!
//! Owns names, types and versions of the slots, and the two orders that decide the bytes of the file: the
//! order in which JAX creates the targets of a table's references, and the order in which it adds the fields.
//! Reading (`value`), writing (`encode`) and listing bytes (`trace`) follow these tables and name no slots.
//! An absent scalar slot is 0.

/// The contents of a slot.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// A number of this many bytes.
    Number(u64),
    Text,
    Bytes,
    Numbers(u64),
    Texts,
    Table(&'static Layout),
    Tables(&'static Layout),
}

impl Item {
    /// The size of the field in its table: a number is stored there, other contents by reference.
    pub(super) fn field_size(self) -> u64 {
        if let Self::Number(size) = self { size } else { 4 }
    }

    /// The size of an item of the vector that the field refers to.
    pub(super) fn item_size(self) -> u64 {
        match self {
            Self::Numbers(size) => size,
            Self::Text | Self::Bytes => 1,
            _ => 4,
        }
    }
}

/// A slot of a table.
#[derive(Debug)]
pub(super) struct Slot {
    /// The name in the schema.
    pub(super) name: &'static str,
    pub(super) item: Item,
    /// The first serialization version that has the slot.
    pub(super) since: u8,
    /// The last serialization version that writes the slot; later versions store the information in another
    /// slot.
    pub(super) until: u8,
    /// Information that an export for an older version lacks; `None` if another slot has it, too.
    pub(super) loss: Option<Loss>,
}

/// Information that is in one slot only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loss {
    pub(super) subject: &'static str,
    /// The largest number in the slot that means the same as an absent slot.
    pub(super) default: u32,
}

/// A table of the schema.
#[derive(Debug)]
pub(super) struct Layout {
    /// The name in the schema.
    pub(super) name: &'static str,
    /// The slots by number.
    pub(super) slots: &'static [Slot],
    /// Slots whose contents are created before the contents of the other slots, in this order; the others
    /// follow by number.
    pub(super) created_first: &'static [usize],
    /// A slot that is added directly before another slot: both numbers.
    pub(super) added_before: Option<(usize, usize)>,
}

const fn slot(name: &'static str, item: Item, since: u8) -> Slot {
    Slot { name, item, since, until: u8::MAX, loss: None }
}

impl Slot {
    const fn until(self, until: u8) -> Self {
        Self { until, ..self }
    }

    const fn losing(self, subject: &'static str, default: u32) -> Self {
        Self { loss: Some(Loss { subject, default }), ..self }
    }

    /// Whether a serialization version writes the slot.
    pub(super) fn is_written_by(&self, serialization: u8) -> bool {
        (self.since..=self.until).contains(&serialization)
    }
}

/// A table whose contents are created and whose fields are added in the order of their numbers.
const fn by_number(name: &'static str, slots: &'static [Slot]) -> Layout {
    Layout { name, slots, created_first: &[], added_before: None }
}

pub(super) static EXPORTED: Layout = Layout {
    name: "Exported",
    slots: &[
        slot("serialization_version", Item::Number(2), 1),
        slot("function_name", Item::Text, 1),
        slot("in_tree", Item::Table(&TREE), 1),
        slot("in_avals", Item::Tables(&AVAL), 1),
        slot("out_tree", Item::Table(&TREE), 1),
        slot("out_avals", Item::Tables(&AVAL), 1),
        slot("nr_devices_short", Item::Number(2), 1).until(6),
        slot("in_shardings", Item::Tables(&SHARDING), 1),
        slot("out_shardings", Item::Tables(&SHARDING), 1),
        slot("platforms", Item::Texts, 1),
        slot("ordered_effects", Item::Tables(&EFFECT), 1),
        slot("unordered_effects", Item::Tables(&EFFECT), 1),
        slot("disabled_checks", Item::Tables(&CHECK), 1),
        slot("mlir_module_serialized", Item::Bytes, 1),
        slot("calling_convention_version", Item::Number(2), 1),
        slot("module_kept_var_idx", Item::Numbers(2), 1),
        slot("uses_global_constants", Item::Number(1), 1),
        slot("vjp", Item::Table(&EXPORTED), 1),
        slot("nr_devices", Item::Number(4), 5),
        slot("unique_avals", Item::Tables(&AVAL), 10),
        slot("unique_abstract_meshes", Item::Tables(&MESH), 10),
        slot("unique_named_shardings", Item::Tables(&NAMED_SHARDING), 10),
        slot("in_avals_idxs", Item::Numbers(4), 10),
        slot("out_avals_idxs", Item::Numbers(4), 10),
        slot("in_shardings_idxs", Item::Numbers(4), 10),
        slot("out_shardings_idxs", Item::Numbers(4), 10),
        slot("jax_version", Item::Text, 12),
    ],
    // The serializer walks arguments before results, and writes the platforms after the checks.
    created_first: &[1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 9],
    added_before: Some((18, 6)),
};
pub(super) static TREE: Layout = by_number(
    "PyTreeDef",
    &[
        slot("kind", Item::Number(1), 1),
        slot("children", Item::Tables(&TREE), 1),
        slot("children_names", Item::Texts, 1),
        slot("custom_name", Item::Text, 3),
        slot("custom_auxdata", Item::Bytes, 3),
    ],
);
pub(super) static AVAL: Layout = by_number(
    "AbstractValue",
    &[
        slot("kind", Item::Number(1), 1),
        slot("shape", Item::Texts, 1),
        slot("dtype", Item::Number(1), 1),
        slot("memory_space", Item::Number(1), 5).losing("memory spaces of arguments or results", 1),
    ],
);
pub(super) static SHARDING: Layout = Layout {
    name: "Sharding",
    slots: &[
        slot("kind", Item::Number(1), 1).until(8),
        slot("hlo_sharding_proto", Item::Bytes, 1).until(8),
        slot("named_sharding", Item::Table(&NAMED_SHARDING), 6),
    ],
    created_first: &[2, 1],
    added_before: None,
};
pub(super) static NAMED_SHARDING: Layout = by_number(
    "NamedSharding",
    &[
        slot("mesh", Item::Table(&MESH), 6),
        slot("spec", Item::Table(&SPEC), 6),
        slot("memory_kind", Item::Text, 6),
        slot("abstract_mesh_idx", Item::Number(4), 10),
    ],
);
pub(super) static MESH: Layout = by_number(
    "AbstractMesh",
    &[
        slot("axis_sizes", Item::Numbers(4), 6),
        slot("axis_names", Item::Texts, 6),
        slot("axis_types", Item::Numbers(1), 6),
        slot("abstract_device", Item::Table(&DEVICE), 8).losing("devices of meshes", 0),
    ],
);
pub(super) static DEVICE: Layout = by_number(
    "AbstractDevice",
    &[
        slot("device_kind", Item::Text, 8),
        slot("num_cores", Item::Number(4), 8),
        slot("platform", Item::Text, 11).losing("platforms of the devices of meshes", 0),
    ],
);
pub(super) static SPEC: Layout = by_number(
    "PartitionSpec",
    &[
        slot("partitions", Item::Tables(&AXES), 6),
        slot("reduced", Item::Texts, 6),
        slot("unreduced", Item::Texts, 6),
    ],
);
pub(super) static AXES: Layout = by_number("PartitionSpecOneAxis", &[slot("axes", Item::Texts, 6)]);
static EFFECT: Layout = by_number("Effect", &[slot("type_name", Item::Text, 1)]);
pub(super) static CHECK: Layout = by_number(
    "DisabledSafetyCheck",
    &[slot("kind", Item::Number(1), 1), slot("custom_call_target", Item::Text, 1)],
);

/// Slots of an export with information about its writer, and slots that hold modules.
pub(super) const WITHOUT_MEANING: &[&str] =
    &["serialization_version", "jax_version", "mlir_module_serialized", "vjp"];

/// The numbers that stand for serialization versions in a file, each with its first and last version. Any
/// other version is stored as its own number.
const STORED_VERSIONS: &[(u32, [u32; 2])] = &[(2, [2, 4]), (3, [5, 11])];

/// Returns the number that a file of a serialization version has.
pub(super) fn stored_version(serialization: u8) -> u32 {
    let version = u32::from(serialization);
    let row = STORED_VERSIONS.iter().find(|(_, [first, last])| (*first..=*last).contains(&version));
    row.map_or(version, |(stored, _)| *stored)
}

/// The first and the last serialization version that the number in a file stands for.
pub(super) fn versions_of(stored: u32) -> [u32; 2] {
    let row = STORED_VERSIONS.iter().find(|(number, _)| *number == stored);
    row.map_or([stored, stored], |(_, versions)| *versions)
}

/// A slot that older releases have instead of another one.
pub(super) const OLDER_NAMES: &[(&str, &str)] = &[("nr_devices_short", "nr_devices")];

impl Layout {
    /// Whether a serialization version writes a slot.
    pub(super) fn writes(&self, number: usize, serialization: u8) -> bool {
        self.slots.get(number).is_some_and(|slot| slot.is_written_by(serialization))
    }

    /// The slots in the order in which the serializer creates their contents.
    pub(super) fn creation_order(&self) -> impl Iterator<Item = usize> {
        let others_by_number = (0..self.slots.len()).filter(|number| !self.created_first.contains(number));
        self.created_first.iter().copied().chain(others_by_number)
    }

    /// Returns the slots in the order in which the serializer adds the fields: later fields lie nearer to the
    /// start of the table.
    pub(super) fn addition_order(&self) -> impl Iterator<Item = usize> {
        let early = self.added_before;
        (0..self.slots.len())
            .flat_map(move |number| match early {
                Some((moved, _)) if number == moved => [None, None],
                Some((moved, next)) if number == next => [Some(moved), Some(number)],
                _ => [Some(number), None],
            })
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_have_each_slot_once() {
        for layout in [&EXPORTED, &TREE, &AVAL, &SHARDING, &NAMED_SHARDING, &MESH, &DEVICE, &SPEC, &CHECK] {
            for order in [layout.creation_order().collect::<Vec<_>>(), layout.addition_order().collect()] {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..layout.slots.len()).collect::<Vec<_>>(), "{}: {order:?}", layout.name);
            }
        }
    }
}
