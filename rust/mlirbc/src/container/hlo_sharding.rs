//! Shardings of HLO: XLA's representation of the distribution of an array over the devices of a mesh.
//!
//! Owns the tiles of an array, XLA's normal form of the order of devices, and both ways of writing a sharding: the text
//! of `mhlo.sharding` and the protocol buffer `OpSharding`. Does not read shardings of JAX or Shardy: their readers
//! describe them as a [`MeshSharding`].

use std::fmt;

/// The distribution of an array over a mesh.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshSharding {
    /// The number of devices along each axis of the mesh.
    pub(crate) mesh: Vec<u64>,
    /// For each dimension of the array: the axes that partition it, by their positions in the mesh.
    pub(crate) dimensions: Vec<Vec<usize>>,
    /// The axes whose devices each compute their own part, in the order of their numbers.
    pub(crate) manual: Vec<usize>,
}

/// A sharding in XLA's normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HloSharding {
    /// Every device has the whole array.
    Replicated,
    /// Every device has its own part, which XLA does not describe.
    Manual,
    /// The array is divided into tiles.
    Tiled(TileAssignment),
}

/// The assignment of tiles to devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TileAssignment {
    /// The number of tiles along each dimension of the array, then the sizes of the groups.
    tiles: Vec<u64>,
    /// The meaning of the last numbers in `tiles`.
    groups: Vec<DeviceGroup>,
    /// The array of all devices in their order.
    shape: Vec<u64>,
    /// The transposition of that array that gives the array of tiles.
    order: Vec<u64>,
}

/// Devices that have the same tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DeviceGroup {
    Manual,
    Replicated,
}

// `OpSharding.Type`.
const OTHER: u64 = 3;
const MANUAL: u64 = 4;
const REPLICATED: u64 = 0;

// Numbers of the fields of `OpSharding`.
const TYPE: u64 = 1;
const TILE_ASSIGNMENT_DIMENSIONS: u64 = 3;
const REPLICATE_ON_LAST_TILE_DIM: u64 = 6;
const LAST_TILE_DIMS: u64 = 8;
const IOTA_RESHAPE_DIMS: u64 = 9;
const IOTA_TRANSPOSE_PERM: u64 = 10;

impl MeshSharding {
    /// The sharding in XLA's normal form; `None` if an axis is used twice, is not in the mesh, or the mesh has more
    /// devices than XLA's numbers hold.
    pub(crate) fn to_hlo(&self) -> Option<HloSharding> {
        let devices = self.mesh.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        if devices.is_none_or(|devices| devices == 0 || devices > i64::MAX as u64) {
            return None;
        }
        let mut order = AxisOrder { is_used: vec![false; self.mesh.len()], axes: Vec::new() };
        let mut tiles = Vec::with_capacity(self.dimensions.len() + 2);
        for axes in &self.dimensions {
            tiles.push(order.push(axes.iter().copied(), &self.mesh)?);
        }
        let is_whole = tiles.iter().all(|&tile| tile == 1);
        let mut groups = Vec::new();
        let manual = order.push(self.manual.iter().copied(), &self.mesh)?;
        if manual > 1 {
            tiles.push(manual);
            groups.push(DeviceGroup::Manual);
        }
        let unused = (0..self.mesh.len()).filter(|&axis| !order.is_used.get(axis).is_some_and(|used| *used));
        let unused: Vec<usize> = unused.collect();
        let replicas = order.push(unused.into_iter(), &self.mesh)?;
        if replicas > 1 {
            tiles.push(replicas);
            groups.push(DeviceGroup::Replicated);
        }
        Some(match (is_whole, manual > 1, replicas > 1) {
            (true, false, _) => HloSharding::Replicated,
            (true, true, false) => HloSharding::Manual,
            _ => {
                let (shape, order) = normal_form(&self.mesh, &order.axes);
                HloSharding::Tiled(TileAssignment { tiles, groups, shape, order })
            }
        })
    }
}

/// The axes of a mesh in the order of their use.
struct AxisOrder {
    is_used: Vec<bool>,
    axes: Vec<usize>,
}

impl AxisOrder {
    /// Adds axes and returns their number of devices; `None` if an axis is already used or not in the mesh.
    fn push(&mut self, axes: impl Iterator<Item = usize>, mesh: &[u64]) -> Option<u64> {
        let mut devices = 1;
        for axis in axes {
            if std::mem::replace(self.is_used.get_mut(axis)?, true) {
                return None;
            }
            self.axes.push(axis);
            devices *= mesh.get(axis)?;
        }
        Some(devices)
    }
}

/// Returns the array of devices 0, 1, 2 and so on with the shape `mesh`, and its transposition by `order`:
/// without axes of size 1, and with adjacent axes merged if the transposition keeps them adjacent.
fn normal_form(mesh: &[u64], order: &[usize]) -> (Vec<u64>, Vec<u64>) {
    let size = |axis: usize| mesh.get(axis).copied().unwrap_or(1);
    // For each axis: its number, counting only axes with more than one device.
    let mut count = 0;
    let mut numbers = Vec::with_capacity(mesh.len());
    for &devices in mesh {
        numbers.push(count);
        count += usize::from(devices != 1);
    }
    // Merged neighbours: the number of the first axis, and the number of their devices.
    let mut merged: Vec<(usize, u64)> = Vec::new();
    let mut next = None;
    for axis in order.iter().copied().filter(|&axis| size(axis) != 1) {
        let number = numbers.get(axis).copied().unwrap_or_default();
        match merged.last_mut().filter(|_| next == Some(number)) {
            Some((_, devices)) => *devices *= size(axis),
            None => merged.push((number, size(axis))),
        }
        next = Some(number + 1);
    }
    if merged.is_empty() {
        return (vec![1], vec![0]);
    }
    let mut in_mesh: Vec<(usize, &(usize, u64))> = merged.iter().enumerate().collect();
    in_mesh.sort_unstable_by_key(|(_, (number, _))| *number);
    let shape = in_mesh.iter().map(|(_, (_, devices))| *devices).collect();
    let mut places = vec![0; merged.len()];
    for (place, (group, _)) in in_mesh.iter().enumerate() {
        if let Some(known) = places.get_mut(*group) {
            *known = place as u64;
        }
    }
    (shape, places)
}

impl HloSharding {
    /// The bytes of the protocol buffer `OpSharding`.
    pub(crate) fn message(&self) -> Vec<u8> {
        let mut message = Vec::new();
        match self {
            // The number of this type is 0, which is not written.
            Self::Replicated => {}
            Self::Manual => number(&mut message, TYPE, MANUAL),
            Self::Tiled(TileAssignment { tiles, groups, shape, order }) => {
                number(&mut message, TYPE, OTHER);
                numbers(&mut message, TILE_ASSIGNMENT_DIMENSIONS, tiles);
                match groups[..] {
                    [] => {}
                    [DeviceGroup::Replicated] => number(&mut message, REPLICATE_ON_LAST_TILE_DIM, 1),
                    _ => {
                        let types = groups.iter().map(|group| match group {
                            DeviceGroup::Manual => MANUAL,
                            DeviceGroup::Replicated => REPLICATED,
                        });
                        numbers(&mut message, LAST_TILE_DIMS, &types.collect::<Vec<_>>());
                    }
                }
                numbers(&mut message, IOTA_RESHAPE_DIMS, shape);
                numbers(&mut message, IOTA_TRANSPOSE_PERM, order);
            }
        }
        message
    }
}

/// The text of `mhlo.sharding`.
impl fmt::Display for HloSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replicated => f.write_str("{replicated}"),
            Self::Manual => f.write_str("{manual}"),
            Self::Tiled(TileAssignment { tiles, groups, shape, order }) => {
                f.write_str("{devices=[")?;
                write_list(f, ",", tiles)?;
                f.write_str("]<=[")?;
                write_list(f, ",", shape)?;
                f.write_str("]")?;
                if !order.is_sorted() {
                    f.write_str("T(")?;
                    write_list(f, ",", order)?;
                    f.write_str(")")?;
                }
                match groups[..] {
                    [] => {}
                    [DeviceGroup::Replicated] => f.write_str(" last_tile_dim_replicate")?,
                    _ => {
                        f.write_str(" last_tile_dims={")?;
                        let names = groups.iter().map(|group| match group {
                            DeviceGroup::Manual => "manual",
                            DeviceGroup::Replicated => "replicated",
                        });
                        write_list(f, ", ", names)?;
                        f.write_str("}")?;
                    }
                }
                f.write_str("}")
            }
        }
    }
}

fn write_list<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    separator: &str,
    items: impl IntoIterator<Item = T>,
) -> fmt::Result {
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

fn varint(message: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        message.push(number as u8 | 0x80);
        number >>= 7;
    }
    message.push(number as u8);
}

fn number(message: &mut Vec<u8>, field: u64, number: u64) {
    varint(message, field << 3);
    varint(message, number);
}

fn numbers(message: &mut Vec<u8>, field: u64, numbers: &[u64]) {
    let mut packed = Vec::new();
    numbers.iter().for_each(|&number| varint(&mut packed, number));
    varint(message, field << 3 | 2);
    varint(message, packed.len() as u64);
    message.extend(packed);
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// A sharding and the HLO sharding that JAX 0.10.2 derives; written by
    /// `tests/data/shardy/make_shardings.py`.
    #[derive(Deserialize)]
    struct Sample {
        mesh: Vec<u64>,
        dimensions: Vec<Vec<usize>>,
        manual: Vec<usize>,
        text: String,
        message: String,
    }

    #[test]
    fn both_forms_are_those_of_jax() {
        // The file may have more samples than the repository, if the script wrote it.
        let stored =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/shardy/hlo_shardings.jsonl").to_owned();
        let path = std::env::var("MLIRBC_HLO_SHARDINGS").unwrap_or(stored);
        let samples = std::fs::read_to_string(path).unwrap();
        assert!(samples.lines().count() > 100);
        for line in samples.lines() {
            let Sample { mesh, dimensions, manual, text, message } = serde_json::from_str(line).unwrap();
            let sharding = MeshSharding { mesh, dimensions, manual }.to_hlo().unwrap();
            assert_eq!(sharding.to_string(), text, "{line}");
            let hex: String = sharding.message().iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, message, "{line}");
        }
    }

    #[test]
    fn invalid_shardings_have_no_form() {
        for (mesh, dimensions, manual) in [
            (vec![2, 4], vec![vec![0], vec![0]], vec![]),
            (vec![2, 4], vec![vec![0]], vec![0]),
            (vec![2, 4], vec![vec![2]], vec![]),
            (vec![1 << 32, 1 << 32], vec![vec![0]], vec![]),
            (vec![2, 0], vec![vec![0]], vec![]),
            (vec![0, u64::MAX, u64::MAX], vec![], vec![]),
        ] {
            assert_eq!(MeshSharding { mesh, dimensions, manual }.to_hlo(), None);
        }
    }

    #[test]
    fn thousands_of_axes_with_one_device_change_nothing() {
        let axes = 100_000;
        let sharding =
            MeshSharding { mesh: vec![1; axes], dimensions: vec![(0..axes).collect()], manual: vec![] };
        assert_eq!(sharding.to_hlo(), Some(HloSharding::Replicated));
        let mut mesh = vec![1; axes];
        mesh.extend([2, 3]);
        let sharding = MeshSharding { mesh, dimensions: vec![vec![axes + 1], vec![axes]], manual: vec![] };
        assert_eq!(sharding.to_hlo().unwrap().to_string(), "{devices=[3,2]<=[2,3]T(1,0)}");
    }
}
