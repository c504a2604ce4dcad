//! The file that `jax.export.Exported.serialize()` writes: a flatbuffer around a portable artifact.
//!
//! Owns [`Exported`], what the file says about the exported function, `replace`, which gives the file another
//! module, and `trace`, which names every byte around it. The file has no magic number; it is recognised by its root table, whose field 13 is a byte vector that
//! begins as bytecode does. Names are those of `jax.export.Exported`.

pub(super) mod read;
pub(super) mod replace;
pub(super) mod trace;

use std::fmt;

use serde::Serialize;

use crate::release;
use crate::wire::error::Result;
use crate::wire::order;

/// What a JAX export says about its function, besides the module.
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
    /// Which arguments the module takes besides those of the function, and in which order.
    pub calling_convention_version: u32,
    /// The platforms that the module is lowered for.
    pub platforms: Vec<String>,
    /// The number of devices that it runs on.
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
    /// The indices of the arguments that the module has; it does not have those that are not used.
    pub module_kept_var_idx: Vec<u32>,
    /// Effects whose order matters, as names of Python classes.
    pub ordered_effects: Vec<String>,
    /// Effects whose order does not matter.
    pub unordered_effects: Vec<String>,
    /// Checks that were disabled on export, e.g. `custom_call @target`.
    pub disabled_safety_checks: Vec<String>,
    /// Whether shapes have dimensions that are variables, or the module is for several platforms.
    pub uses_global_constants: bool,
    /// How many derivatives the file has: modules of reverse-mode derivatives, each of the one before.
    pub vjp_order: u32,
}

impl Exported {
    /// Whether the check was disabled that the platform is one of [`Self::platforms`].
    pub fn runs_anywhere(&self) -> bool {
        self.disabled_safety_checks.iter().any(|check| check == "platform")
    }

    /// The known releases of JAX that support the calling convention, the oldest first.
    ///
    /// # Errors
    /// If the table of releases is invalid, which tests exclude.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// let exported = module.container().unwrap().exported(0)?.unwrap();
    /// assert_eq!(exported.calling_convention_version, 10);
    /// assert_eq!(exported.supported_by()?.first(), Some(&"jaxlib-0.7.0"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn supported_by(&self) -> Result<Vec<&'static str>> {
        let mut rows: Vec<_> = release::releases()?.iter().collect();
        order::sort_by(&mut rows, |a, b| a.revision().cmp(b.revision()));
        let version = self.calling_convention_version;
        let supports = |range: [u32; 2]| (range[0]..=range[1]).contains(&version);
        let rows = rows.into_iter().filter(|row| row.calling_conventions.is_some_and(supports));
        Ok(rows.map(|row| &*row.name).collect())
    }
}

/// The type of an argument or a result: JAX calls it an abstract value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aval {
    /// The dimensions as text: numbers, or expressions of variables.
    pub shape: Vec<String>,
    /// The name of the element type, as in JAX; `token` for a token.
    pub dtype: String,
    /// The memory that it is in, if that is not the default.
    pub memory_space: Option<String>,
}

/// How an argument or a result is distributed over a mesh of devices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedSharding {
    /// The axes of the mesh with their sizes.
    pub mesh: Vec<MeshAxis>,
    /// For each dimension the axes that partition it.
    pub spec: Vec<Vec<String>>,
    /// Axes over which the value is reduced.
    pub reduced: Vec<String>,
    /// Axes over which the value is still to be reduced.
    pub unreduced: Vec<String>,
    /// The kind of memory, if it is specified.
    pub memory_kind: Option<String>,
}

/// One axis of a mesh.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MeshAxis {
    /// The name.
    pub name: String,
    /// The number of devices along it.
    pub size: u32,
    /// `auto`, `explicit` or `manual`; `None` in files that do not say.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// As JAX prints it: `float32[b,16]`.
impl fmt::Display for Aval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dtype.as_str() {
            "token" => f.write_str("token"),
            dtype => write!(f, "{dtype}[{}]", self.shape.join(",")),
        }
    }
}

/// As JAX prints its specification and its mesh: `P('x', None) over 'x': 2, 'y': 4`.
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
