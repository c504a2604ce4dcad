//! Typed views of Shardy's attributes.

use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::limits::Budget;

use super::DIALECT;
use super::meshes::{Mesh, Meshes};
use super::refusals::{Attempt, Attempts, refused};

/// The sharding of one value.
#[derive(Debug)]
pub(super) struct TensorSharding {
    /// The number of the sharding, equal for the same attribute of a file.
    pub(super) number: usize,
    pub(super) mesh: Rc<Mesh>,
    pub(super) dimensions: Vec<DimensionSharding>,
}

/// The sharding of one dimension.
#[derive(Debug)]
pub(super) struct DimensionSharding {
    /// The axes with more than one device, by their places in the mesh.
    pub(super) axes: Vec<usize>,
    /// Whether propagation may add axes.
    pub(super) is_open: bool,
}

/// Shardings that were read, by attribute of the file.
#[derive(Debug)]
pub(super) struct Shardings {
    pub(super) meshes: Meshes,
    tensors: Attempts<AttrId, Rc<TensorSharding>>,
    lists: Attempts<AttrId, Rc<[Rc<TensorSharding>]>>,
    /// Manual axes by the attribute and the number of the mesh.
    manual_axes: Attempts<(AttrId, usize), u64>,
    count: usize,
    budget: Budget,
}

impl Shardings {
    // No array of XLA has more dimensions, and every operation with such a sharding would repeat them.
    const MOST_DIMENSIONS: usize = 1 << 10;

    pub(super) fn new(budget: Budget) -> Self {
        let meshes = Meshes::new(budget.clone());
        let (tensors, lists, manual_axes) = (Attempts::default(), Attempts::default(), Attempts::default());
        Self { meshes, tensors, lists, manual_axes, count: 0, budget }
    }

    /// The sharding of one value.
    pub(super) fn tensor(&mut self, attribute: &Attribute) -> Attempt<Rc<TensorSharding>> {
        if let Some(known) = self.tensors.get(attribute.id().as_ref()) {
            return known;
        }
        let sharding = self.read_tensor(attribute);
        self.tensors.keep(attribute.id(), sharding)
    }

    fn read_tensor(&mut self, attribute: &Attribute) -> Attempt<Rc<TensorSharding>> {
        if !is_shardy(attribute, "TensorShardingAttr") {
            return refused("a sharding of an unknown form");
        }
        let Some(FieldValue::Attribute(mesh)) = attribute.field("mesh_or_ref")? else {
            return refused("a sharding without a mesh");
        };
        let mesh = self.meshes.of(&mesh)?;
        let dimensions = items(attribute, "dim_shardings")?;
        if dimensions.len() > Self::MOST_DIMENSIONS {
            return refused(format!("a sharding of more than {} dimensions", Self::MOST_DIMENSIONS));
        }
        if !items(attribute, "unreduced_axes")?.is_empty() {
            return refused("unreduced axes");
        }
        let dimensions: Vec<_> = dimensions
            .iter()
            .map(|dimension| dimension_sharding(dimension, &mesh))
            .collect::<Attempt<_>>()?;
        let is_open = dimensions.iter().any(|dimension| dimension.is_open);
        if is_open && !items(attribute, "replicated_axes")?.is_empty() {
            return refused("explicitly replicated axes beside open dimensions");
        }
        let axes: usize = dimensions.iter().map(|dimension| dimension.axes.len()).sum();
        self.budget.spend(
            size_of::<TensorSharding>() + dimensions.len() * size_of::<DimensionSharding>() + 8 * axes,
        )?;
        let sharding = Rc::new(TensorSharding { number: self.count, mesh, dimensions });
        self.count += 1;
        Ok(sharding)
    }

    /// Returns the shardings of several values.
    pub(super) fn list(&mut self, attribute: &Attribute) -> Attempt<Rc<[Rc<TensorSharding>]>> {
        if let Some(known) = self.lists.get(attribute.id().as_ref()) {
            return known;
        }
        let shardings = self.read_list(attribute);
        self.lists.keep(attribute.id(), shardings)
    }

    fn read_list(&mut self, attribute: &Attribute) -> Attempt<Rc<[Rc<TensorSharding>]>> {
        if !is_shardy(attribute, "TensorShardingPerValueAttr") {
            return refused("shardings of an unknown form");
        }
        let shardings = items(attribute, "shardings")?;
        self.budget.spend(shardings.len() * size_of::<Rc<TensorSharding>>())?;
        Ok(shardings.iter().map(|sharding| self.tensor(sharding)).collect::<Attempt<Vec<_>>>()?.into())
    }

    /// Returns the manual axes of a computation that have more than one device, as a bit for each position in
    /// the mesh.
    pub(super) fn manual_axes(&mut self, attribute: &Attribute, mesh: &Mesh) -> Attempt<u64> {
        let key = attribute.id().map(|id| (id, mesh.number));
        if let Some(known) = self.manual_axes.get(key.as_ref()) {
            return known;
        }
        self.manual_axes.keep(key, read_manual_axes(attribute, mesh))
    }
}

fn dimension_sharding(attribute: &Attribute, mesh: &Mesh) -> Attempt<DimensionSharding> {
    if let Some(FieldValue::Unsigned(_) | FieldValue::Signed(_)) = attribute.field("priority")? {
        return refused("a priority of a dimension");
    }
    let mut axes = Vec::new();
    for axis in items(attribute, "axes")? {
        if let Some(FieldValue::Attribute(_)) = axis.field("sub_axis_info")? {
            return refused("a sub-axis");
        }
        axes.extend(mesh.place(&string_field(&axis, "name")?)?);
    }
    let is_open = attribute.field("is_closed")? != Some(FieldValue::Bool(true));
    Ok(DimensionSharding { axes, is_open })
}

fn read_manual_axes(attribute: &Attribute, mesh: &Mesh) -> Attempt<u64> {
    if !is_shardy(attribute, "ManualAxesAttr") {
        return refused("manual axes of an unknown form");
    }
    let mut axes = 0;
    for name in items(attribute, "value")? {
        axes |= mesh.place(&string_field(&name, "value")?)?.map_or(0, |axis| 1 << axis);
    }
    Ok(axes)
}

/// Whether an attribute is of this class of Shardy; StableHLO has classes with equal names.
pub(super) fn is_shardy(attribute: &Attribute, class: &str) -> bool {
    attribute.class() == Some(class) && attribute.dialect().as_bytes() == DIALECT
}

/// Returns the attributes in a field.
pub(super) fn items(attribute: &Attribute, field: &str) -> Attempt<Vec<Attribute>> {
    let Some(FieldValue::List(items)) = attribute.field(field)? else { return Ok(Vec::new()) };
    let items = items.into_iter().filter_map(|item| match item {
        FieldValue::Attribute(item) => Some(item),
        _ => None,
    });
    Ok(items.collect())
}

/// Returns the integers in a field.
pub(super) fn integers(attribute: &Attribute, field: &str) -> Attempt<Vec<i64>> {
    let Some(FieldValue::List(items)) = attribute.field(field)? else { return Ok(Vec::new()) };
    let items = items.into_iter().filter_map(|item| match item {
        FieldValue::Signed(number) => Some(number),
        _ => None,
    });
    Ok(items.collect())
}

/// Returns the string in a field.
pub(super) fn string_field(attribute: &Attribute, field: &str) -> Attempt<Bytes> {
    match attribute.field(field)? {
        Some(FieldValue::String(text)) => Ok(text),
        _ => refused("a name that is not a string"),
    }
}
