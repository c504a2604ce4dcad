//! Sizes of types: a class for the sizes of scalable types, and integers for all others.

use ::mlirbc::layout::TypeSize as CoreSize;
use pyo3::prelude::*;

/// The size of a scalable type: a minimum, which the machine multiplies. Other sizes are integers.
///
///     >>> layout = mlirbc.DataLayout(mlirbc.open("examples/two_layers.mlirbc").operation)
///     >>> layout.get_type_size("vector<[4]xf32>")
///     TypeSize(vscale x 16)
#[pyclass(frozen, eq, hash, module = "mlirbc")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct TypeSize {
    pub(crate) size: CoreSize,
}

#[pymethods]
impl TypeSize {
    #[new]
    fn new(known_min_value: u64) -> Self {
        Self { size: CoreSize::new(known_min_value, true) }
    }

    /// The minimum size.
    ///
    ///     >>> mlirbc.layout.TypeSize(16).known_min_value
    ///     16
    #[getter]
    fn known_min_value(&self) -> u64 {
        self.size.known_min_value()
    }

    /// Whether the machine multiplies the minimum.
    ///
    ///     >>> mlirbc.layout.TypeSize(16).is_scalable
    ///     True
    #[getter]
    fn is_scalable(&self) -> bool {
        self.size.is_scalable()
    }

    fn __repr__(&self) -> String {
        format!("TypeSize({})", self.size)
    }
}

pub(crate) fn size(py: Python<'_>, size: CoreSize) -> PyResult<Py<PyAny>> {
    match size.fixed_value() {
        Some(size) => Ok(size.into_pyobject(py)?.into_any().unbind()),
        None => Ok(Bound::new(py, TypeSize { size })?.into_any().unbind()),
    }
}
