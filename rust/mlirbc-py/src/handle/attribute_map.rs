//! The attributes of an operation by name, as an object of Python.

use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::handle::module::Module;
use crate::handle::rows::AttributeRows;
use crate::reuse::Reusable;

/// The rows of a map: shared rows of a shape, which the module keeps, or separate rows.
enum MapRows {
    Kept(AtomicU32),
    Own(Box<AttributeRows>),
}

/// The attributes of an operation by name, sorted.
///
/// A missing name raises `KeyError`. An integer index gives the `NamedAttribute` at that position.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> dense = module.body.operations[0]
///     >>> list(dense.attributes)
///     ['function_type', 'sym_name', 'sym_visibility']
///     >>> dense.attributes["sym_name"], dense.attributes[1].name
///     (StringAttr("dense"), 'sym_name')
#[pyclass(frozen, mapping, module = "mlirbc")]
pub(crate) struct OpAttributeMap {
    pub(crate) module: Py<Module>,
    rows: MapRows,
}

impl OpAttributeMap {
    /// Creates the map of a shape that the module keeps.
    pub(crate) fn of_shape(module: Py<Module>, number: u32) -> Self {
        Self { module, rows: MapRows::Kept(AtomicU32::new(number)) }
    }

    /// Creates the map of an operation whose shape is not kept.
    pub(crate) fn of_rows(module: Py<Module>, rows: AttributeRows) -> Self {
        Self { module, rows: MapRows::Own(Box::new(rows)) }
    }

    #[inline]
    pub(crate) fn rows(&self) -> PyResult<&AttributeRows> {
        match &self.rows {
            MapRows::Own(rows) => Ok(rows),
            MapRows::Kept(number) => self
                .module
                .get()
                .shapes
                .rows(number.load(Ordering::Relaxed))
                .ok_or_else(|| PyKeyError::new_err("the attributes are gone")),
        }
    }
}

impl Reusable for OpAttributeMap {
    type Id = u32;

    #[inline]
    fn set_id(this: &Bound<'_, Self>, number: u32) {
        if let MapRows::Kept(place) = &this.get().rows {
            place.store(number, Ordering::Relaxed);
        }
    }
}
