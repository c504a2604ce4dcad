//! The weights of a module: constants and resources that hold data, each with a name, a type and its users.
//!
//! Owns [`Weights`]. A weight is an entry (dense elements, `dense_resource`) that an operation holds as a constant, or a
//! resource; `walk`, `uses` and `find` look for them, `names` gives each a name, `stats` and `histogram` read their elements, `export` and `safetensors` know the
//! exchange format, and `place` moves data between attributes, resources and files. The bytes of blobs are not read
//! before something asks for them. `docs/explanation/tools.md` has the rules.

mod block;
mod export;
pub(super) mod find;
mod histogram;
mod names;
mod place;
mod safetensors;
mod stats;
mod uses;
pub(super) mod walk;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use crate::attr::text::dense::Element;
use crate::ir::{Module, Operation};
use crate::wire::error::{Error, ErrorKind, Result};

use uses::ConstantPlace;

pub use export::ExportReport;
pub use histogram::Histogram;
pub use place::{ImportReport, Moved};
pub use safetensors::{Safetensors, TensorInfo};
pub use stats::WeightStats;

/// Where the data of a weight is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightKind {
    /// In an attribute.
    Constant,
    /// In an attribute that has one element for all places.
    Splat,
    /// In a resource.
    Resource,
}

impl WeightKind {
    /// Its name: `constant`, `splat` or `resource`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Splat => "splat",
            Self::Resource => "resource",
        }
    }
}

/// One weight.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Weight {
    /// Its name, which is unique in the module.
    pub name: String,
    /// Where its data is.
    pub kind: WeightKind,
    /// The type of the elements, e.g. `f32`; `None` if nothing has the type of the resource.
    pub dtype: Option<String>,
    /// The sizes of its dimensions; that of a resource without a type is its size in bytes.
    pub shape: Vec<u64>,
    /// The whole type, in the spelling of the builtin dialect.
    pub r#type: Option<String>,
    /// The bytes in the file.
    pub size: u64,
    /// Whether the file has the data; resources can have only their key.
    pub has_data: bool,
    /// How often operations refer to it, directly or within another attribute.
    pub users: u64,
    /// The attributes that give its type; only resources have several.
    #[serde(skip)]
    pub(crate) attributes: Vec<u32>,
    /// The index of its resource.
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
    /// The index of the attribute that gives its type, and of constants, has its data.
    pub fn attribute(&self) -> Option<u32> {
        self.attributes.first().copied()
    }

    /// The index of the resource that has its data.
    pub fn resource(&self) -> Option<usize> {
        self.resource
    }

    /// Whether an attribute that is not a constant, such as a permutation, is the same entry of the file. It stays as it is
    /// when the weight changes.
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// The number of elements; of a resource without a type, bytes.
    pub(crate) fn count(&self) -> u64 {
        self.shape.iter().fold(1, |product: u64, &size| product.saturating_mul(size))
    }

    /// Whether elements of one bit are stored eight to a byte.
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

/// The weights of a module, in the order of their first use; those without one come last.
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
    /// The places of constants that are the same entries as other attributes, found when one is changed.
    shared_places: OnceLock<HashMap<u32, Vec<ConstantPlace>>>,
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

    /// The module that they belong to.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// All of them.
    pub fn rows(&self) -> &[Weight] {
        &self.rows
    }

    /// The one with that name.
    pub fn get(&self, name: &str) -> Option<&Weight> {
        self.rows.get(*self.by_name.get(name)? as usize)
    }

    /// As [`Self::get`].
    ///
    /// # Errors
    /// [`ErrorKind::Weights`] if there is none.
    pub fn require(&self, name: &str) -> Result<&Weight> {
        self.get(name).ok_or_else(|| invalid(format!("the module has no weight `{}`", shown(name))))
    }

    fn shared_places(&self) -> Result<&HashMap<u32, Vec<ConstantPlace>>> {
        if let Some(known) = self.shared_places.get() {
            return Ok(known);
        }
        let shared = self.rows.iter().filter(|weight| weight.is_shared);
        let shared: HashSet<u32> = shared.filter_map(Weight::attribute).collect();
        let found = uses::places(&self.module, &shared)?;
        Ok(self.shared_places.get_or_init(|| found))
    }

    /// The operations that refer to a resource, or hold a constant, directly or within another attribute, in the order of the
    /// file.
    ///
    /// # Errors
    /// If the module is malformed.
    pub fn users(&self, weight: &Weight) -> Result<Vec<Operation<'_>>> {
        find::users(&self.module, weight)
    }
}

#[cold]
fn invalid(message: String) -> Error {
    Error::message(ErrorKind::Weights, message)
}

/// A name for a message.
fn shown(name: &str) -> String {
    crate::wire::error::cut(name, 200)
}

/// Names for a message, and how many more there are.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 8;
    let count = names.len();
    let mut text = names.take(MOST).map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ");
    if count > MOST {
        text.push_str(&format!(" and {} more", count - MOST));
    }
    text
}
