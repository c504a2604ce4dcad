//! Support for `pickle` and `copy` of modules, operations and limits.
//!
//! A module of a file is pickled as its path, so that a worker maps the file itself; any other as its bytes. An
//! operation is its module and its position. The functions that make them again are in `mlirbc._pickle`.

use ::mlirbc::ir::PositionStep;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::handle::ir::Operation;
use crate::handle::module::Module;
use crate::open_arguments::{Origin, Stamp};

type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

fn function<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("mlirbc._pickle")?.getattr(name)
}

/// Implements `Module.__reduce__`.
pub(crate) fn reduce_module<'py>(module: &Bound<'py, Module>) -> PyResult<Reduced<'py>> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let Some(opened) = this.opened.get() else {
        // The module was made from text or by a conversion: an edit without changes writes the same bytes.
        let bytes = module.call_method0("edit")?.call_method0("write")?;
        let release = this.inner.release().map_err(|error| this.raise(py, error))?.name().map(str::to_owned);
        let keywords = PyDict::new(py);
        if let Some(release) = release {
            keywords.set_item("release", release)?;
        }
        return Ok((function(py, "read")?, (bytes, keywords).into_pyobject(py)?));
    };
    if opened.is_described {
        return Err(PyTypeError::new_err(
            "cannot pickle a module that was opened with dialects or schemas of its own; register them with \
             mlirbc.dialects.register in the process that unpickles it, and open the file there",
        ));
    }
    let keywords = opened.keywords(py)?;
    match &opened.origin {
        Origin::File { path, is_mapped, stamp } => {
            if !is_mapped {
                keywords.set_item("backend", "read")?;
            }
            Ok((function(py, "open")?, (path, *stamp, keywords).into_pyobject(py)?))
        }
        Origin::Object(object) => {
            Ok((function(py, "open")?, (object, None::<Stamp>, keywords).into_pyobject(py)?))
        }
        Origin::Buffer(buffer) => {
            let bytes = py.get_type::<PyBytes>().call1((buffer,))?;
            Ok((function(py, "read")?, (bytes, keywords).into_pyobject(py)?))
        }
    }
}

/// Implements `Operation.__reduce__`.
pub(crate) fn reduce_operation<'py>(op: &Bound<'py, Operation>) -> PyResult<Reduced<'py>> {
    let (py, this) = (op.py(), op.get());
    let steps = this.view()?.position().into_iter().map(|step| (step.region, step.block, step.op));
    let steps = PyTuple::new(py, steps.collect::<Vec<_>>())?;
    Ok((function(py, "operation")?, (this.module.clone_ref(py), steps).into_pyobject(py)?))
}

/// Returns the operation at a position, in the form of `Operation.__reduce__`.
#[pyfunction]
pub(crate) fn _operation_at(module: &Bound<'_, Module>, steps: Vec<(u32, u32, u32)>) -> PyResult<Operation> {
    let py = module.py();
    let steps: Vec<_> =
        steps.into_iter().map(|(region, block, op)| PositionStep { region, block, op }).collect();
    let ids = module
        .get()
        .detached(py, |module| Ok(module.operation_at(&steps)?.map(|op| (op.body_id(), op.id()))))?;
    let (body, id) =
        ids.ok_or_else(|| PyValueError::new_err("the module has no operation at this position"))?;
    Ok(Operation::new(module.clone().unbind(), body, id))
}
