//! The meshes of a module.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};
use crate::edit::{EditOp, Editor};
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::attributes::{integers, is_shardy, items, string_field};
use super::refusals::{Attempt, Attempts, Refusals, refused};

/// The axes of a mesh.
#[derive(Debug)]
pub(super) struct Mesh {
    /// The number of the mesh, different for all meshes that were read.
    pub(super) number: usize,
    /// The number of the list of axes with more than one device, of which there are at most 62.
    pub(super) layout: usize,
    /// The position in that list by name, or `None` for an axis with one device.
    places: HashMap<Bytes, Option<usize>>,
}

/// An axis of a mesh.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Axis {
    pub(super) name: Bytes,
    pub(super) size: u64,
}

impl Mesh {
    /// Returns the position of an axis among the axes with more than one device; `None` for an axis with one
    /// device.
    pub(super) fn place(&self, name: &Bytes) -> Attempt<Option<usize>> {
        match self.places.get(name) {
            Some(place) => Ok(*place),
            None => {
                refused(format!("axis `{}`, which the mesh does not have", String::from_utf8_lossy(name)))
            }
        }
    }
}

/// The different lists of axes with more than one device.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    numbers: HashMap<Rc<[Axis]>, usize>,
    lists: Vec<Rc<[Axis]>>,
}

impl Layouts {
    fn number(&mut self, axes: &Rc<[Axis]>) -> usize {
        let next = self.lists.len();
        let number = *self.numbers.entry(axes.clone()).or_insert(next);
        if number == next {
            self.lists.push(axes.clone());
        }
        number
    }

    /// The axes of a layout.
    pub(super) fn axes(&self, number: usize) -> &[Axis] {
        self.lists.get(number).map_or(&[], |axes| axes)
    }
}

/// All meshes that shardings refer to.
#[derive(Debug)]
pub(super) struct Meshes {
    pub(super) layouts: Layouts,
    /// `None` for a mesh that is refused.
    by_name: HashMap<Bytes, Option<Rc<Mesh>>>,
    by_attribute: Attempts<AttrId, Rc<Mesh>>,
    count: usize,
    budget: Budget,
}

impl Meshes {
    pub(super) fn new(budget: Budget) -> Self {
        let (layouts, by_attribute) = (Layouts::default(), Attempts::default());
        Self { layouts, by_name: HashMap::new(), by_attribute, count: 0, budget }
    }

    /// Reads a mesh operation.
    ///
    /// # Errors
    /// If its attributes cannot be read.
    pub(super) fn define(&mut self, editor: &Editor, op: EditOp, refusals: &mut Refusals) -> Result<()> {
        let Some(name) = editor.string_named(op.row(), b"sym_name")? else {
            refusals.add(editor, op, "a mesh without a name".to_owned());
            return Ok(());
        };
        let Some(attribute) = editor.attribute(op, "mesh")? else {
            refusals.add(editor, op, "a mesh without axes".to_owned());
            return Ok(());
        };
        let mesh = self.read(&attribute);
        let mesh = refusals.keep(editor, op, mesh)?;
        self.by_name.insert(name.into(), mesh);
        Ok(())
    }

    /// The mesh of a sharding: the name of a mesh operation, or the mesh itself.
    pub(super) fn of(&mut self, attribute: &Attribute) -> Attempt<Rc<Mesh>> {
        if attribute.class() != Some("FlatSymbolRefAttr") {
            return self.read(attribute);
        }
        let name = match attribute.field("root")? {
            Some(FieldValue::Attribute(root)) => string_field(&root, "value")?,
            _ => Bytes::default(),
        };
        let text = || String::from_utf8_lossy(&name).into_owned();
        match self.by_name.get(&name) {
            Some(Some(mesh)) => Ok(mesh.clone()),
            Some(None) => refused(format!("mesh `@{}`", text())),
            None => refused(format!("mesh `@{}`, which the module does not have", text())),
        }
    }

    fn read(&mut self, attribute: &Attribute) -> Attempt<Rc<Mesh>> {
        if let Some(known) = self.by_attribute.get(attribute.id().as_ref()) {
            return known;
        }
        let mesh = self.read_axes(attribute);
        self.by_attribute.keep(attribute.id(), mesh)
    }

    fn read_axes(&mut self, attribute: &Attribute) -> Attempt<Rc<Mesh>> {
        if !is_shardy(attribute, "MeshAttr") {
            return refused("a sharding without a mesh");
        }
        let axes = items(attribute, "axes")?;
        self.budget.spend(axes.len().saturating_mul(2 * size_of::<(Axis, Option<usize>)>()))?;
        let mut large = Vec::new();
        let mut places = HashMap::new();
        let mut devices = 1_u64;
        for axis in &axes {
            let (name, size) = (string_field(axis, "name")?, axis.field("size")?);
            let Some(FieldValue::Signed(size @ 1..)) = size else {
                return refused("an axis without devices");
            };
            let size = size.unsigned_abs();
            devices = match devices.checked_mul(size).filter(|&devices| devices <= i64::MAX as u64) {
                Some(devices) => devices,
                None => return refused("a mesh with more than 2^63 devices"),
            };
            let place = (size > 1).then_some(large.len());
            if places.insert(name.clone(), place).is_some() {
                return refused("a mesh with two axes of one name");
            }
            if size > 1 {
                large.push(Axis { name, size });
            }
        }
        let identifiers = integers(attribute, "device_ids")?;
        let is_in_order = !axes.is_empty()
            && identifiers.len() as u64 == devices
            && identifiers.iter().enumerate().all(|(place, &device)| device == place as i64);
        if !identifiers.is_empty() && !is_in_order {
            return refused("a mesh with explicit device identifiers");
        }
        let axes: Rc<[Axis]> = large.into();
        let mesh = Rc::new(Mesh { number: self.count, layout: self.layouts.number(&axes), places });
        self.count += 1;
        Ok(mesh)
    }
}
