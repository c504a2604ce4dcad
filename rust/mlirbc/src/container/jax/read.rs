//! Decodes the tables of a JAX export.
//!
//! The numbers of slots come from `jax/_src/export/serialization_generated.py`. Later versions of the schema
//! added slots and left the old slots in place, so the newest slot in the file is read. A shared table is
//! charged for each reference.

use crate::container::flatbuffer::{Flatbuffer, Table};
use crate::format::container::MAGIC;
use crate::wire::error::{Error, ErrorKind, Result};

use super::{Aval, Exported, MeshAxis, NamedSharding};

/// The fields of the root table.
pub(super) mod slot {
    pub(in crate::container) const SERIALIZATION_VERSION: u64 = 0;
    pub(in crate::container) const FUNCTION_NAME: u64 = 1;
    pub(in crate::container) const IN_TREE: u64 = 2;
    pub(in crate::container) const IN_AVALS: u64 = 3;
    pub(in crate::container) const OUT_TREE: u64 = 4;
    pub(in crate::container) const OUT_AVALS: u64 = 5;
    pub(in crate::container) const NR_DEVICES_SHORT: u64 = 6;
    pub(in crate::container) const IN_SHARDINGS: u64 = 7;
    pub(in crate::container) const OUT_SHARDINGS: u64 = 8;
    pub(in crate::container) const PLATFORMS: u64 = 9;
    pub(in crate::container) const ORDERED_EFFECTS: u64 = 10;
    pub(in crate::container) const UNORDERED_EFFECTS: u64 = 11;
    pub(in crate::container) const DISABLED_CHECKS: u64 = 12;
    pub(in crate::container) const MODULE: u64 = 13;
    pub(in crate::container) const CALLING_CONVENTION_VERSION: u64 = 14;
    pub(in crate::container) const MODULE_KEPT_VAR_IDX: u64 = 15;
    pub(in crate::container) const USES_GLOBAL_CONSTANTS: u64 = 16;
    pub(in crate::container) const VJP: u64 = 17;
    pub(in crate::container) const NR_DEVICES: u64 = 18;
    pub(in crate::container) const UNIQUE_AVALS: u64 = 19;
    pub(in crate::container) const UNIQUE_ABSTRACT_MESHES: u64 = 20;
    pub(in crate::container) const UNIQUE_NAMED_SHARDINGS: u64 = 21;
    pub(in crate::container) const IN_AVALS_IDXS: u64 = 22;
    pub(in crate::container) const OUT_AVALS_IDXS: u64 = 23;
    pub(in crate::container) const IN_SHARDINGS_IDXS: u64 = 24;
    pub(in crate::container) const OUT_SHARDINGS_IDXS: u64 = 25;
    pub(in crate::container) const JAX_VERSION: u64 = 26;
}

/// The export in a file: its table and the position of its module.
#[derive(Debug, Clone)]
pub(in crate::container) struct Level {
    pub(in crate::container) table: Table,
    pub(in crate::container) fun_name: String,
    /// The position of the vector that holds the module.
    pub(in crate::container) vector: u64,
    pub(in crate::container) offset: u64,
    pub(in crate::container) size: u64,
}

/// Whether the file is a JAX export. A damaged export counts if its root table still leads to bytecode, and
/// an export that was cut off before its module if the table has the fields of an export.
pub(in crate::container) fn is_export(file: &mut Flatbuffer) -> bool {
    leads_to_bytecode(file).unwrap_or(false)
}

fn leads_to_bytecode(file: &mut Flatbuffer) -> Result<bool> {
    let root = file.root()?;
    let Some(field) = file.field(&root, slot::MODULE, 4)? else { return Ok(false) };
    match file.reference(field).and_then(|vector| file.u32(vector + 4)) {
        Ok(start) => Ok(start == u32::from_le_bytes(MAGIC)),
        Err(error) if error.kind() == ErrorKind::Flatbuffer => {
            let version = file.number::<2>(&root, slot::SERIALIZATION_VERSION)?;
            let has_platforms = file.field(&root, slot::PLATFORMS, 4)?.is_some();
            Ok(matches!(version, 2..=255) && has_platforms)
        }
        Err(error) => Err(error),
    }
}

/// The most derivatives of an export. Each order takes JAX several times as long as the order before, and
/// lengthens the path.
const MOST_DERIVATIVES: usize = 64;

/// The export and its derivatives, in the order of differentiation.
///
/// # Errors
/// [`ErrorKind::Flatbuffer`], also if two modules share bytes, and an exhausted budget: each derivative is further towards
/// the end of the file. [`ErrorKind::DepthLimit`] for more than [`MOST_DERIVATIVES`].
pub(in crate::container) fn levels(file: &mut Flatbuffer) -> Result<Vec<Level>> {
    let mut levels = Vec::new();
    let mut next = Some(file.root()?);
    while let Some(table) = next {
        file.budget().spend(size_of::<Level>())?;
        let fun_name = file.string(&table, slot::FUNCTION_NAME)?.unwrap_or_default();
        let module = file.vector(&table, slot::MODULE, 1)?;
        let level = Level {
            table,
            fun_name,
            vector: module.at.saturating_sub(4),
            offset: module.at,
            size: module.len,
        };
        // Work on all modules would exceed the size of the file.
        let is_apart = |other: &Level| {
            level.offset + level.size <= other.vector || other.offset + other.size <= level.vector
        };
        if level.size > 0 && !levels.iter().all(is_apart) {
            let bytes = "bytes of another module";
            return Err(Error::new(ErrorKind::Flatbuffer, "a module of its own", bytes).at(level.vector));
        }
        levels.push(level);
        next = file.inner(&table, slot::VJP)?;
        if let Some(table) = next.as_ref().filter(|_| levels.len() > MOST_DERIVATIVES) {
            let expected = format!("at most {MOST_DERIVATIVES} derivatives in an export");
            let error = Error::new(ErrorKind::DepthLimit, expected, "one more").at(table.at);
            return Err(error.with_hint("export the function with a smaller `vjp_order`"));
        }
    }
    Ok(levels)
}

/// Reads the table of a level.
///
/// # Errors
/// [`ErrorKind::Flatbuffer`], and an exhausted budget.
pub(in crate::container) fn exported(
    file: &mut Flatbuffer,
    table: &Table,
    vjp_order: u32,
) -> Result<Exported> {
    let shardings = Shardings::read(file, table)?;
    let unique = avals(file, table, slot::UNIQUE_AVALS)?;
    let (in_shardings, in_hlo) = shardings.list(file, table, slot::IN_SHARDINGS_IDXS, slot::IN_SHARDINGS)?;
    let (out_shardings, out_hlo) =
        shardings.list(file, table, slot::OUT_SHARDINGS_IDXS, slot::OUT_SHARDINGS)?;
    Ok(Exported {
        fun_name: file.string(table, slot::FUNCTION_NAME)?.unwrap_or_default(),
        serialization_version: file.number::<2>(table, slot::SERIALIZATION_VERSION)?,
        // The whole file decides the values of these fields.
        oldest_serialization: 0,
        newest_serialization: 0,
        jax_version: file.string(table, slot::JAX_VERSION)?,
        calling_convention_version: file.number::<2>(table, slot::CALLING_CONVENTION_VERSION)?,
        platforms: file.strings(table, slot::PLATFORMS)?,
        nr_devices: match file.number::<4>(table, slot::NR_DEVICES)? {
            0 => file.number::<2>(table, slot::NR_DEVICES_SHORT)?,
            number => number,
        },
        in_paths: paths(file, table, slot::IN_TREE, &["args", "kwargs"])?,
        in_avals: listed_avals(file, table, &unique, slot::IN_AVALS_IDXS, slot::IN_AVALS)?,
        in_shardings,
        out_paths: paths(file, table, slot::OUT_TREE, &[])?,
        out_avals: listed_avals(file, table, &unique, slot::OUT_AVALS_IDXS, slot::OUT_AVALS)?,
        out_shardings,
        has_hlo_shardings: in_hlo || out_hlo,
        module_kept_var_idx: file.numbers::<2>(table, slot::MODULE_KEPT_VAR_IDX)?,
        ordered_effects: effects(file, table, slot::ORDERED_EFFECTS)?,
        unordered_effects: effects(file, table, slot::UNORDERED_EFFECTS)?,
        disabled_safety_checks: checks(file, table)?,
        uses_global_constants: file.number::<1>(table, slot::USES_GLOBAL_CONSTANTS)? != 0,
        vjp_order,
    })
}

fn effects(file: &mut Flatbuffer, table: &Table, slot: u64) -> Result<Vec<String>> {
    let tables = file.tables(table, slot)?;
    tables.iter().map(|effect| Ok(file.string(effect, 0)?.unwrap_or_default())).collect()
}

fn checks(file: &mut Flatbuffer, table: &Table) -> Result<Vec<String>> {
    let tables = file.tables(table, slot::DISABLED_CHECKS)?;
    let text = |check| {
        let target = file.string(check, 1)?;
        Ok(match (file.number::<1>(check, 0)?, target) {
            (0, _) => "platform".to_owned(),
            (1, target) => format!("custom_call @{}", target.unwrap_or_default()),
            (2, _) => "shape_assertions".to_owned(),
            (kind, _) => format!("check {kind}"),
        })
    };
    tables.iter().map(text).collect()
}

// ---- types of arguments and results ----

pub(super) const DTYPES: &[&str] = &[
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "bfloat16",
    "int4",
    "uint4",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float0",
    "float8_e4m3",
    "float8_e3m4",
    "float8_e8m0fnu",
    "float4_e2m1fn",
    "key<fry>",
    "key<rbg>",
    "key<urbg>",
];

fn avals(file: &mut Flatbuffer, table: &Table, slot: u64) -> Result<Vec<Aval>> {
    let tables = file.tables(table, slot)?;
    let mut avals = file.budget().vec(tables.len())?;
    for aval in tables {
        let dtype = match (file.number::<1>(&aval, 0)?, file.number::<1>(&aval, 2)?) {
            (1, _) => "token".to_owned(),
            // A later release of JAX may have more element types.
            (_, dtype) => super::dtype_name(dtype),
        };
        let memory_space = match file.number::<1>(&aval, 3)? {
            0 | 1 => None,
            2 => Some("host".to_owned()),
            3 => Some("any".to_owned()),
            other => Some(format!("memory space {other}")),
        };
        avals.push(Aval { shape: file.strings(&aval, 1)?, dtype, memory_space });
    }
    Ok(avals)
}

/// Returns the avals by index into the unique avals, or, in files of older releases, each from its own table.
fn listed_avals(
    file: &mut Flatbuffer,
    table: &Table,
    unique: &[Aval],
    indices: u64,
    older: u64,
) -> Result<Vec<Aval>> {
    if file.field(table, indices, 4)?.is_none() {
        return avals(file, table, older);
    }
    let mut list = Vec::new();
    let at = file.vector(table, indices, 4)?.at;
    for (number, index) in file.numbers::<4>(table, indices)?.into_iter().enumerate() {
        let aval = unique.get(index as usize).ok_or_else(|| past_end(at, number, index, unique.len()))?;
        let text: usize = aval.shape.iter().map(|dim| dim.len() + size_of::<String>()).sum();
        file.budget().spend(size_of::<Aval>() + aval.dtype.len() + text)?;
        list.push(aval.clone());
    }
    Ok(list)
}

#[cold]
fn past_end(at: u64, number: usize, index: u32, len: usize) -> Error {
    Error::new(ErrorKind::Index, format!("an index below `{len}`"), format!("`{index}`"))
        .at(at + 4 * number as u64)
}

// ---- shardings ----

struct Shardings {
    meshes: Vec<Vec<MeshAxis>>,
    unique: Vec<NamedSharding>,
}

impl Shardings {
    fn read(file: &mut Flatbuffer, table: &Table) -> Result<Self> {
        let tables = file.tables(table, slot::UNIQUE_ABSTRACT_MESHES)?;
        let meshes = tables.iter().map(|table| mesh(file, table)).collect::<Result<_>>()?;
        let mut this = Self { meshes, unique: Vec::new() };
        let tables = file.tables(table, slot::UNIQUE_NAMED_SHARDINGS)?;
        this.unique = tables.iter().map(|table| this.named(file, table)).collect::<Result<_>>()?;
        Ok(this)
    }

    fn named(&self, file: &mut Flatbuffer, table: &Table) -> Result<NamedSharding> {
        let mesh = match file.number::<4>(table, 3)? as usize {
            index if index < self.meshes.len() => {
                let mesh = self.meshes[index].clone();
                file.budget().spend(mesh.iter().map(|axis| size_of::<MeshAxis>() + axis.name.len()).sum())?;
                mesh
            }
            _ => file.inner(table, 0)?.map_or(Ok(Vec::new()), |table| mesh(file, &table))?,
        };
        let mut sharding = NamedSharding {
            mesh,
            spec: Vec::new(),
            reduced: Vec::new(),
            unreduced: Vec::new(),
            memory_kind: file.string(table, 2)?,
        };
        if let Some(spec) = file.inner(table, 1)? {
            let dimensions = file.tables(&spec, 0)?;
            sharding.spec = dimensions.iter().map(|axes| file.strings(axes, 0)).collect::<Result<_>>()?;
            sharding.reduced = file.strings(&spec, 1)?;
            sharding.unreduced = file.strings(&spec, 2)?;
        }
        Ok(sharding)
    }

    /// The shardings of the arguments or the results, and whether some are protocol buffers of HLO.
    fn list(
        &self,
        file: &mut Flatbuffer,
        table: &Table,
        indices: u64,
        older: u64,
    ) -> Result<(Vec<Option<NamedSharding>>, bool)> {
        let mut list = Vec::new();
        if file.field(table, indices, 4)?.is_some() {
            let at = file.vector(table, indices, 4)?.at;
            for (number, index) in file.numbers::<4>(table, indices)?.into_iter().enumerate() {
                let sharding = match index.checked_sub(1) {
                    None => None,
                    Some(index) => {
                        let sharding = self.unique.get(index as usize);
                        Some(sharding.ok_or_else(|| past_end(at, number, index + 1, self.unique.len() + 1))?)
                    }
                };
                file.budget().spend(sharding.map_or(0, memory) + size_of::<Option<NamedSharding>>())?;
                list.push(sharding.cloned());
            }
            return Ok((list, false));
        }
        let mut has_hlo = false;
        for sharding in file.tables(table, older)? {
            has_hlo |= file.number::<1>(&sharding, 0)? == 1;
            let named = file.inner(&sharding, 2)?;
            list.push(named.map(|named| self.named(file, &named)).transpose()?);
        }
        Ok((list, has_hlo))
    }
}

fn memory(sharding: &NamedSharding) -> usize {
    let names = |names: &[String]| names.iter().map(|name| size_of::<String>() + name.len()).sum::<usize>();
    let mesh: usize = sharding.mesh.iter().map(|axis| size_of::<MeshAxis>() + axis.name.len()).sum();
    let spec: usize = sharding.spec.iter().map(|axes| size_of::<Vec<String>>() + names(axes)).sum();
    mesh + spec + names(&sharding.reduced) + names(&sharding.unreduced)
}

fn mesh(file: &mut Flatbuffer, table: &Table) -> Result<Vec<MeshAxis>> {
    let sizes = file.numbers::<4>(table, 0)?;
    let names = file.strings(table, 1)?;
    let kinds = file.numbers::<1>(table, 2)?;
    file.budget().spend(sizes.len() * size_of::<MeshAxis>())?;
    let axes = sizes.into_iter().zip(names).enumerate().map(|(number, (size, name))| {
        let kind = match kinds.get(number) {
            Some(1) => Some("auto"),
            Some(2) => Some("explicit"),
            Some(3) => Some("manual"),
            _ => None,
        };
        MeshAxis { name, size, kind: kind.map(str::to_owned) }
    });
    Ok(axes.collect())
}

// ---- trees of arguments and results ----

/// Returns the paths of the leaves of a tree, as JAX writes them: `args[0]['w']`. If the root has as many
/// children as there are `roots`, these are their names.
fn paths(file: &mut Flatbuffer, table: &Table, slot: u64, roots: &[&str]) -> Result<Vec<String>> {
    let Some(root) = file.inner(table, slot)? else { return Ok(Vec::new()) };
    let mut paths = Vec::new();
    let mut stack = Vec::new();
    match file.tables(&root, 1)?.as_slice() {
        children if children.len() == roots.len() && !roots.is_empty() => {
            let named = children.iter().zip(roots).map(|(child, root)| (*child, (*root).to_owned()));
            stack.extend(named.rev());
        }
        _ => stack.push((root, "result".to_owned())),
    }
    while let Some((node, path)) = stack.pop() {
        match file.number::<1>(&node, 0)? {
            0 => {
                paths.push(path);
                continue;
            }
            // Children of a dictionary have names, other children have numbers.
            4 => {
                let names = file.strings(&node, 2)?;
                let children = file.tables(&node, 1)?;
                for (child, name) in children.into_iter().zip(names).rev() {
                    file.budget().spend(path.len() + name.len() + size_of::<(Table, String)>())?;
                    stack.push((child, format!("{path}['{name}']")));
                }
            }
            _ => {
                for (number, child) in file.tables(&node, 1)?.into_iter().enumerate().rev() {
                    file.budget().spend(path.len() + size_of::<(Table, String)>())?;
                    stack.push((child, format!("{path}[{number}]")));
                }
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::super::schema::EXPORTED;
    use super::slot;

    /// Code that needs single slots refers to them by number; the schema owns the numbers.
    #[test]
    fn numbers_of_slots_are_those_of_the_schema() {
        let name = |slot: u64| EXPORTED.slots.get(slot as usize).map(|slot| slot.name);
        for (number, expected) in [
            (slot::SERIALIZATION_VERSION, "serialization_version"),
            (slot::FUNCTION_NAME, "function_name"),
            (slot::NR_DEVICES_SHORT, "nr_devices_short"),
            (slot::MODULE, "mlir_module_serialized"),
            (slot::VJP, "vjp"),
            (slot::IN_AVALS_IDXS, "in_avals_idxs"),
            (slot::JAX_VERSION, "jax_version"),
        ] {
            assert_eq!(name(number), Some(expected));
        }
    }
}
