//! The weights of a module: constants and resources that hold data, each with a name, a type and its users.
//!
//! Owns [`Weights`]. A weight is an entry (dense elements, `dense_resource`) that an operation holds as a
//! constant, or a resource; `walk`, `uses` and `find` look for them, `names` gives each a name, `stats` and
//! `histogram` read their elements, `export` and `safetensors` own the exchange format, and `data_moves` moves
//! data between attributes, resources and files. The bytes of blobs are read only on demand.
//! `docs/explanation/tools.md` has the rules.

mod block;
mod data_moves;
mod export;
pub(super) mod find;
mod histogram;
mod names;
pub(in crate::tool) use names::location_name;
mod rewrite;
mod safetensors;
mod stats;
mod uses;
mod value_uses;
pub(super) mod walk;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use crate::attr::text::dense::{Element, Scalar};
use crate::attr::text::float::Semantics;
use crate::format::id::AttrId;
use crate::ir::{Module, Operation};
use crate::wire::error::{Error, ErrorKind, Result};

use uses::ConstantPlace;

pub use data_moves::{ImportReport, Moved};
pub use export::ExportReport;
pub(super) use export::element_of;
pub use histogram::Histogram;
pub use rewrite::{
    FreezeOptions, FreezeReport, HoistOptions, HoistReport, NamedTensor, Rewrite, StoreForm, StoreReport,
    function_arguments, is_float_tensor,
};
pub use safetensors::{Safetensors, TensorInfo};
pub use stats::WeightStats;
pub use value_uses::WeightUse;

/// The storage of the data of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightKind {
    /// In an attribute.
    Constant,
    /// In an attribute that stores one element for all places.
    Splat,
    /// In a resource.
    Resource,
}

impl WeightKind {
    /// Returns the name: `constant`, `splat` or `resource`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Splat => "splat",
            Self::Resource => "resource",
        }
    }
}

/// A constant or a resource of a module.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Weight {
    /// The name, which is unique in the module.
    pub name: String,
    /// The storage of the data.
    pub kind: WeightKind,
    /// The type of the elements, e.g. `f32`; `None` for a resource that nothing gives a type.
    pub dtype: Option<String>,
    /// The sizes of the dimensions; for a resource without a type, its size in bytes.
    pub shape: Vec<u64>,
    /// The whole type, in the spelling of the builtin dialect.
    pub r#type: Option<String>,
    /// The number of bytes in the file.
    pub size: u64,
    /// Whether the file contains the data; a resource may consist of its key only.
    pub has_data: bool,
    /// The number of references from operations, direct or within another attribute.
    pub users: u64,
    /// The name scope of the first operation that uses the weight, as `mlirbc cost` groups operations; empty
    /// without such a location.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub layer: String,
    /// The attributes with its type; only resources have several.
    #[serde(skip)]
    pub(crate) attributes: Vec<u32>,
    /// The index of the resource.
    #[serde(skip)]
    pub(crate) resource: Option<usize>,
    #[serde(skip)]
    pub(crate) range: Range<u64>,
    #[serde(skip)]
    pub(crate) element: Option<Element>,
    #[serde(skip)]
    pub(crate) is_vhlo: bool,
    /// Whether every user accepts a resource in place of the constant.
    #[serde(skip)]
    pub(crate) may_be_resource: bool,
    /// Whether an attribute that is not a constant is the same entry of the file.
    #[serde(skip)]
    pub(crate) is_shared: bool,
}

impl Weight {
    /// Returns the index of the attribute with the type, which also has the data of a constant.
    #[doc(hidden)]
    pub fn attribute(&self) -> Option<u32> {
        self.attributes.first().copied()
    }

    /// Returns the index of the resource with the data.
    #[doc(hidden)]
    pub fn resource(&self) -> Option<usize> {
        self.resource
    }

    /// Returns whether an attribute that is not a constant, such as a permutation, is the same entry of the
    /// file. The attribute is unchanged when the weight changes.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Returns the number of elements; for a resource without a type, of bytes.
    pub(crate) fn count(&self) -> u64 {
        self.shape.iter().fold(1, |product: u64, &size| product.saturating_mul(size))
    }

    /// Returns whether elements of one bit are stored eight to a byte.
    pub(crate) fn is_packed(&self) -> bool {
        let count = self.count();
        let is_size = self.size == count.div_ceil(8);
        self.element.is_some_and(Element::is_bool)
            && match self.kind {
                WeightKind::Constant => is_size,
                WeightKind::Splat => true,
                WeightKind::Resource => self.has_data && is_size && self.size != count,
            }
    }
}

/// The weights of a module, in the order of their first use; unused weights come last.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let weights = mlirbc::tool::Weights::of(&module)?;
/// let weight = weights.get("layer0.weight").unwrap();
/// assert_eq!(weight.r#type.as_deref(), Some("tensor<4x3xf32>"));
/// assert_eq!((weight.size, weight.users), (48, 1));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Weights {
    module: Module,
    rows: Vec<Weight>,
    by_name: HashMap<String, u32>,
    /// The places of constants that are the same entries as other attributes; computed when one is changed.
    shared_places: OnceLock<HashMap<AttrId, Vec<ConstantPlace>>>,
}

impl Weights {
    /// Finds the weights of a module. Reads the IR and the heads of attributes and resources, but no blob.
    ///
    /// # Errors
    /// If the module is malformed.
    pub fn of(module: &Module) -> Result<Self> {
        let rows = find::find(module)?;
        let by_name =
            rows.iter().enumerate().map(|(row, weight)| (weight.name.clone(), row as u32)).collect();
        Ok(Self { module: module.clone(), rows, by_name, shared_places: OnceLock::new() })
    }

    /// Returns the module of the weights.
    #[doc(hidden)]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Returns all weights.
    pub fn rows(&self) -> &[Weight] {
        &self.rows
    }

    /// Returns the weight with a name.
    pub fn get(&self, name: &str) -> Option<&Weight> {
        self.rows.get(*self.by_name.get(name)? as usize)
    }

    /// Returns the weight with a name, or an error.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`] if there is no such weight.
    #[doc(hidden)]
    pub fn require(&self, name: &str) -> Result<&Weight> {
        self.get(name).ok_or_else(|| invalid(format!("the module has no weight `{}`", shown(name))))
    }

    fn shared_places(&self) -> Result<&HashMap<AttrId, Vec<ConstantPlace>>> {
        if let Some(cached_places) = self.shared_places.get() {
            return Ok(cached_places);
        }
        let shared = self.rows.iter().filter(|weight| weight.is_shared);
        let shared: HashSet<AttrId> = shared.filter_map(Weight::attribute).map(AttrId::new).collect();
        let places = uses::places(&self.module, &shared)?;
        Ok(self.shared_places.get_or_init(|| places))
    }

    /// Returns the element type with a name: `f32`, `ui8`, `complex<f32>`.
    pub(crate) fn element_named(name: &str) -> Option<Element> {
        if name == "complex<f32>" {
            return Some(Element::Complex(Scalar::Float(Semantics::F32)));
        }
        if name == "complex<f64>" {
            return Some(Element::Complex(Scalar::Float(Semantics::F64)));
        }
        Element::from_name(name.as_bytes())
    }

    /// Returns the operations that refer to a resource, or hold a constant, directly or within another
    /// attribute, in the order of the file.
    ///
    /// # Errors
    /// If the module is malformed.
    #[doc(hidden)]
    pub fn users(&self, weight: &Weight) -> Result<Vec<Operation<'_>>> {
        find::users(&self.module, weight)
    }
}

#[cold]
fn invalid(message: String) -> Error {
    Error::message(ErrorKind::Weights, message)
}

/// Formats a name for a message.
fn shown(name: &str) -> String {
    crate::wire::error::cut(name, 200)
}

/// Formats names for a message, with the number of further ones.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 8;
    let count = names.len();
    let mut text = names.take(MOST).map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ");
    if count > MOST {
        text.push_str(&format!(" and {} more", count - MOST));
    }
    text
}
