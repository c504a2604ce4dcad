//! JAX exports: the file that `jax.export.Exported.serialize()` writes, a flatbuffer around a portable
//! artifact.
//!
//! Owns [`Exported`], the facts about the exported function; `schema`, which describes the tables; `value`,
//! the tables that were read; `encode` and `replace`, which write the file with other modules; and `trace`,
//! which names every byte around the modules. The file has no magic number. Its root table identifies it:
//! field 13 is a byte vector that begins as bytecode does. Names are those of `jax.export.Exported`.

mod conversion;
mod encode;
pub(super) mod fields;
pub(super) mod read;
mod reader_needs;
mod replace;
mod schema;
mod signature;
pub(super) mod trace;
mod value;

use std::fmt;

use serde::Serialize;

use crate::container::container_pieces::ContainerPieces;
use crate::container::flatbuffer::Flatbuffer;
use crate::release::JaxRelease;
use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

pub(super) use conversion::Remarks;
use read::Level;
pub(crate) use reader_needs::ReaderNeeds;
pub(crate) use signature::{NewArgument, SignatureChange};
use value::{ExportValue, FieldContents};

/// The slot of the platforms.
const PLATFORMS: usize = 9;

/// Returns the pieces of an export with new modules, given by index and size. An export with unknown slots
/// keeps its layout.
///
/// # Errors
/// [`ErrorKind::Flatbuffer`](crate::wire::error::ErrorKind::Flatbuffer) if a table is damaged,
/// [`ErrorKind::Unsupported`](crate::wire::error::ErrorKind::Unsupported) if the file would be too large for its offsets,
/// and an exhausted budget.
pub(super) fn with_modules(
    content: &Source,
    levels: &[Level],
    new: &[(usize, u64)],
    limits: &Limits,
) -> Result<ContainerPieces> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    let value = ExportValue::read(&mut file)?;
    match value.unknown_slot() {
        Some(_) => replace::replace(&mut file, content.len(), levels, new),
        None => encode::encode(content, &value, new, file.budget()),
    }
}

/// Returns the pieces of an export in the form of a release of JAX, with new modules, given by index and
/// size. No pieces if there is no such export; the remarks then give the reasons.
///
/// # Errors
/// As [`with_modules`]; [`ErrorKind::Unsupported`](crate::wire::error::ErrorKind::Unsupported) for an export with unknown
/// slots.
pub(super) fn for_release(
    content: &Source,
    release: &JaxRelease,
    new: &[(usize, u64)],
    limits: &Limits,
) -> Result<(Option<ContainerPieces>, Remarks)> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    let mut value = ExportValue::read(&mut file)?;
    if let Some(place) = value.unknown_slot() {
        let message = "the container has a field that mlirbc does not know, which it cannot write for another release of JAX";
        let error = Error::message(ErrorKind::Unsupported, message).at(place);
        return Err(error.with_hint("convert one module with `--bare`, or export the function again"));
    }
    let sharing = encode::sharing_of(content, &value, file.budget())?;
    let remarks = conversion::convert(content, &mut value, release, file.budget())?;
    if !remarks.refusals.is_empty() {
        return Ok((None, remarks));
    }
    Ok((Some(encode::with_modules(content, &value, new, sharing, file.budget())?), remarks))
}

/// Returns the pieces of an export with other arguments and results, by level, and new modules. `has_derivatives` is
/// whether the derivatives remain.
///
/// # Errors
/// As [`for_release`].
pub(super) fn with_signatures(
    content: &Source,
    changes: &[SignatureChange],
    has_derivatives: bool,
    new: &[(usize, u64)],
    limits: &Limits,
) -> Result<ContainerPieces> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    let mut value = ExportValue::read(&mut file)?;
    if let Some(place) = value.unknown_slot() {
        let message =
            "the container has a field that mlirbc does not know, so its arguments cannot be changed";
        let error = Error::message(ErrorKind::Unsupported, message).at(place);
        return Err(error.with_hint("change one module with `--bare`, or export the function again"));
    }
    let sharing = encode::sharing_of(content, &value, file.budget())?;
    if !has_derivatives {
        let root = value.root();
        value.table_mut(root).set(read::slot::VJP as usize, None);
    }
    let levels: Vec<_> = value.levels().collect();
    for (level, change) in levels.into_iter().zip(changes) {
        signature::change(content, &mut value, level, change, file.budget())?;
    }
    encode::with_modules(content, &value, new, sharing, file.budget())
}

/// Returns the number of leaves of the positional arguments of a level.
///
/// # Errors
/// If the level is not in the form that JAX writes.
pub(super) fn positional_leaves(content: &Source, index: usize, limits: &Limits) -> Result<u32> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    let value = ExportValue::read(&mut file)?;
    let level = value.levels().nth(index).unwrap_or_else(|| value.root());
    signature::positional_leaves(&value, level, file.budget())
}

/// Returns the pieces of an export whose arguments and results have the sizes that `dimension` gives for their symbolic
/// dimensions, with new modules, given by index and size.
///
/// # Errors
/// As [`for_release`], and the errors of `dimension`.
pub(super) fn specialized(
    content: &Source,
    dimension: &dyn Fn(&str) -> Result<String>,
    new: &[(usize, u64)],
    limits: &Limits,
) -> Result<ContainerPieces> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    let mut value = ExportValue::read(&mut file)?;
    if let Some(place) = value.unknown_slot() {
        let message = "the container has a field that mlirbc does not know, so that its types cannot change";
        let error = Error::message(ErrorKind::Unsupported, message).at(place);
        return Err(error.with_hint("export the function again"));
    }
    let sharing = encode::sharing_of(content, &value, file.budget())?;
    value.replace_texts((&schema::AVAL, conversion::AVAL_SHAPE), content, dimension)?;
    let levels: Vec<_> = value.levels().collect();
    for level in levels {
        // Modules for several platforms still have the number of the platform as an argument.
        let platforms = value.table(level).field(PLATFORMS);
        if matches!(platforms, Some(FieldContents::Texts(names)) if names.len() > 1) {
            continue;
        }
        value.table_mut(level).set(read::slot::USES_GLOBAL_CONSTANTS as usize, None);
    }
    encode::with_modules(content, &value, new, sharing, file.budget())
}

/// The name of an element type, as in JAX.
pub(crate) fn dtype_name(number: u32) -> String {
    read::DTYPES.get(number as usize).map_or_else(|| format!("dtype {number}"), |&name| name.to_owned())
}

/// Returns the facts that decide which releases of JAX read a level.
///
/// # Errors
/// As [`with_modules`].
pub(super) fn reader_needs(content: &Source, index: usize, limits: &Limits) -> Result<ReaderNeeds> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    Ok(reader_needs::reader_needs(&ExportValue::read(&mut file)?, index))
}

/// Returns the position of a slot because of which an export cannot be written from its fields.
///
/// # Errors
/// As [`with_modules`].
pub(super) fn unknown_slot(content: &Source, limits: &Limits) -> Result<Option<u64>> {
    let mut file = Flatbuffer::new(content.clone(), limits.budget(content.len()));
    Ok(ExportValue::read(&mut file)?.unknown_slot())
}

/// The information of a JAX export about its function, besides the module.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
/// let container = module.container().unwrap();
/// let exported = container.exported(0)?.unwrap();
/// assert_eq!(exported.fun_name, "mlp");
/// assert_eq!(exported.in_avals[0].to_string(), "float32[16]");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The name of the function.
    pub fun_name: String,
    /// The serialization version that the file has as a number. Releases of JAX wrote 2 for the versions 2 to 4, and 3 for
    /// the versions 5 to 11.
    pub serialization_version: u32,
    /// The oldest serialization version with the fields of the file.
    pub oldest_serialization: u32,
    /// The newest serialization version with the fields of the file.
    pub newest_serialization: u32,
    /// The release of JAX that wrote the file; `None` below serialization version 12, which does not store it.
    pub jax_version: Option<String>,
    /// The convention that adds arguments of the module to the arguments of the function, and orders them.
    pub calling_convention_version: u32,
    /// The platforms that the module is lowered for.
    pub platforms: Vec<String>,
    /// The number of devices on which the function runs.
    pub nr_devices: u32,
    /// The paths of the arguments in `(args, kwargs)`, e.g. `args[0]['w']`.
    pub in_paths: Vec<String>,
    /// The types of the arguments.
    pub in_avals: Vec<Aval>,
    /// The shardings of the arguments; `None` where unspecified.
    pub in_shardings: Vec<Option<NamedSharding>>,
    /// The paths of the results, e.g. `result['loss']`.
    pub out_paths: Vec<String>,
    /// The types of the results.
    pub out_avals: Vec<Aval>,
    /// The shardings of the results; `None` where unspecified.
    pub out_shardings: Vec<Option<NamedSharding>>,
    /// Whether a release of JAX before 2026 wrote shardings as protocol buffers of HLO, which are not decoded: the
    /// module has them as `mhlo.sharding`.
    pub has_hlo_shardings: bool,
    /// The indices of the arguments that the module has; the module does not have unused arguments.
    pub module_kept_var_idx: Vec<u32>,
    /// Effects whose order matters, as names of Python classes.
    pub ordered_effects: Vec<String>,
    /// Effects whose order does not matter.
    pub unordered_effects: Vec<String>,
    /// Checks that were disabled on export, e.g. `custom_call @target`.
    pub disabled_safety_checks: Vec<String>,
    /// Whether shapes have dimensions that are variables, or the module is for several platforms.
    pub uses_global_constants: bool,
    /// The number of derivatives in the file: modules of reverse-mode derivatives, each of the module before
    /// it.
    pub vjp_order: u32,
}

impl Exported {
    /// Whether the check that the platform is one of [`Self::platforms`] was disabled.
    pub fn runs_anywhere(&self) -> bool {
        self.disabled_safety_checks.iter().any(|check| check == "platform")
    }

    /// Returns a field as text for people, by its name in the schema; empty if it is not shown.
    pub(super) fn text_of(&self, field: &str) -> String {
        let avals = |list: &[Aval]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let shardings = |list: &[Option<NamedSharding>]| {
            let text = |item: &Option<NamedSharding>| {
                item.as_ref().map_or_else(|| "unspecified".to_owned(), ToString::to_string)
            };
            list.iter().map(text).collect::<Vec<_>>().join(", ")
        };
        let text = match field {
            "function_name" => self.fun_name.clone(),
            "in_tree" => self.in_paths.join(", "),
            "in_avals" | "in_avals_idxs" => avals(&self.in_avals),
            "out_tree" => self.out_paths.join(", "),
            "out_avals" | "out_avals_idxs" => avals(&self.out_avals),
            "in_shardings" | "in_shardings_idxs" => shardings(&self.in_shardings),
            "out_shardings" | "out_shardings_idxs" => shardings(&self.out_shardings),
            "nr_devices" => self.nr_devices.to_string(),
            "platforms" => self.platforms.join(", "),
            "ordered_effects" => self.ordered_effects.join(", "),
            "unordered_effects" => self.unordered_effects.join(", "),
            "disabled_checks" => self.disabled_safety_checks.join(", "),
            "calling_convention_version" => self.calling_convention_version.to_string(),
            "module_kept_var_idx" => {
                self.module_kept_var_idx.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
            }
            "uses_global_constants" => self.uses_global_constants.to_string(),
            _ => return String::new(),
        };
        if text.is_empty() { "none".to_owned() } else { text }
    }
}

/// The type of an argument or a result, which JAX calls an abstract value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aval {
    /// The dimensions as text: numbers, or expressions of variables.
    pub shape: Vec<String>,
    /// The name of the element type, as in JAX; `token` for a token.
    pub dtype: String,
    /// The memory of the value, if it is not the default.
    pub memory_space: Option<String>,
}

/// The distribution of an argument or a result over a mesh of devices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedSharding {
    /// The axes of the mesh with their sizes.
    pub mesh: Vec<MeshAxis>,
    /// For each dimension: the axes that partition it.
    pub spec: Vec<Vec<String>>,
    /// Axes over which the value is reduced.
    pub reduced: Vec<String>,
    /// Axes over which the value is not reduced yet.
    pub unreduced: Vec<String>,
    /// The kind of memory, if it is specified.
    pub memory_kind: Option<String>,
}

/// An axis of a mesh.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MeshAxis {
    /// The name.
    pub name: String,
    /// The number of devices along it.
    pub size: u32,
    /// `auto`, `explicit` or `manual`; `None` in files without this information.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// Formats the type as JAX does: `float32[b,16]`.
impl fmt::Display for Aval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dtype.as_str() {
            "token" => f.write_str("token"),
            dtype => write!(f, "{dtype}[{}]", self.shape.join(",")),
        }
    }
}

/// Formats the specification and the mesh as JAX does: `P('x', None) over 'x': 2, 'y': 4`.
impl fmt::Display for NamedSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("P(")?;
        for (number, axes) in self.spec.iter().enumerate() {
            if number > 0 {
                f.write_str(", ")?;
            }
            match axes.as_slice() {
                [] => f.write_str("None")?,
                [axis] => write!(f, "'{axis}'")?,
                axes => write!(f, "('{}')", axes.join("', '"))?,
            }
        }
        f.write_str(")")?;
        for (number, axis) in self.mesh.iter().enumerate() {
            let before = if number == 0 { " over " } else { ", " };
            write!(f, "{before}'{}': {}", axis.name, axis.size)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::encode::VtableSharing;
    use super::*;

    fn content(name: &str) -> Source {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/containers").join(name);
        std::fs::read(path).unwrap().into()
    }

    fn value(content: &Source) -> ExportValue {
        let mut file = Flatbuffer::new(content.clone(), Limits::default().budget(content.len()));
        ExportValue::read(&mut file).unwrap()
    }

    fn bytes(content: &Source, pieces: &ContainerPieces) -> Vec<u8> {
        let mut bytes = Vec::new();
        pieces.write(content, &mut bytes, &mut |_, _| Ok(())).unwrap();
        bytes
    }

    // Serialization versions 2 to 4, 5, 10, 11 and 12, with and without derivatives, shardings and custom trees.
    const EXPORTS: &[&str] = &[
        "../../../examples/mlp.jax",
        "cholesky.jax",
        "key.jax",
        "mosaic_gpu.jax",
        "newest.jax",
        "norm.jax",
        "old.jax",
        "platforms.jax",
        "sharded.jax",
        "sharded_derivative.jax",
        "tpu_kernel.jax",
        "tpu_kernel_derivative.jax",
        "tree.jax",
        "triton.jax",
    ];

    #[test]
    fn unchanged_fields_have_the_bytes_that_jax_wrote() {
        for name in EXPORTS {
            let content = content(name);
            let value = value(&content);
            assert_eq!(value.unknown_slot(), None, "{name}");
            let budget = Limits::default().budget(content.len());
            let pieces = encode::encode(&content, &value, &[], &budget).unwrap();
            assert!(bytes(&content, &pieces) == content.get(0..content.len()).unwrap()[..], "{name}");
            assert!(pieces.is_identical(&content).unwrap(), "{name}");
        }
    }

    #[test]
    fn the_sharing_of_vtables_is_that_of_the_file() {
        let content = content("tree.jax");
        let budget = Limits::default().budget(content.len());
        let older =
            encode::with_sharing(&content, &value(&content), VtableSharing::AnySize, &budget).unwrap();
        let older = Source::from(bytes(&content, &older));
        assert!(older.len() < content.len());
        let again = encode::encode(&older, &value(&older), &[], &budget).unwrap();
        assert!(again.is_identical(&older).unwrap());
    }
}
