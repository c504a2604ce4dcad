//! Read access to edited modules, for `mlirbc.edit`.

use ::mlirbc::edit::EditProperties;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::edit::PyEditor;
use crate::field::to_python;
use crate::handle::entry::Attribute;
use crate::handle::ir::Operation;
use crate::handle::module::Module;
use crate::ops::OperationChecks;
use crate::text::text;

/// A name with its value.
type Named<'py, T> = (Bound<'py, PyString>, T);

/// Values, opaque bytes, names of discardable attributes, groups of operands and of results.
type Properties<'py> = (
    Vec<Named<'py, Py<PyAny>>>,
    Option<Bound<'py, PyBytes>>,
    Vec<Bound<'py, PyString>>,
    Vec<(String, usize)>,
    Vec<(String, usize)>,
);

/// Returns the edited module as a readable module, cached until something changes.
#[pyfunction]
pub(crate) fn _edit_snapshot(py: Python<'_>, editor: &PyEditor) -> PyResult<Py<Module>> {
    editor.snapshot(py, None)
}

/// Returns the handle of an operation of the edited module in its snapshot.
#[pyfunction]
pub(crate) fn _edit_snapshot_op(py: Python<'_>, editor: &PyEditor, op: u32) -> PyResult<Operation> {
    let op = editor.handle(op);
    let module = editor.snapshot(py, Some(op))?;
    let steps = editor.look(py, |editor| editor.position(op))?;
    let position = {
        let module = module.get();
        module.detached(py, |module| Ok(module.operation_at(&steps)?.map(|op| (op.body_id(), op.id()))))?
    };
    let (body, id) = position.ok_or_else(|| PyValueError::new_err("the operation is not in the module"))?;
    Ok(Operation::new(module, body, id))
}

#[pyfunction]
pub(crate) fn _edit_properties<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Properties<'py>> {
    let properties = editor.look(py, |editor| editor.op_properties(editor.handle(op)))?;
    let EditProperties { values, opaque, discardable, groups: [operands, results] } = properties;
    let values = values.into_iter().map(|(name, value)| Ok((text(py, &name)?, to_python(py, value)?)));
    let values = values.collect::<PyResult<Vec<_>>>()?;
    let opaque = opaque.map(|bytes| PyBytes::new(py, &bytes));
    let discardable = discardable.iter().map(|name| text(py, name)).collect::<PyResult<Vec<_>>>()?;
    Ok((values, opaque, discardable, operands, results))
}

/// Returns the names and sizes of groups of regions.
#[pyfunction]
pub(crate) fn _edit_region_groups(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Vec<(String, usize)>> {
    editor.look(py, |editor| editor.region_groups(editor.handle(op)))
}

#[pyfunction]
pub(crate) fn _edit_attribute_dictionary<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    op: u32,
) -> PyResult<Option<Bound<'py, Attribute>>> {
    let dictionary = editor.look(py, |editor| editor.attribute_dictionary(editor.handle(op)))?;
    dictionary.map(|value| Attribute::object(py, value)).transpose()
}

#[pyfunction]
pub(crate) fn _edit_argument_location<'py>(
    py: Python<'py>,
    editor: &PyEditor,
    value: u32,
) -> PyResult<Option<Bound<'py, Attribute>>> {
    let location = editor.look(py, |editor| editor.location_of_argument(editor.handle(value)))?;
    location.map(|value| Attribute::object(py, value)).transpose()
}

#[pyfunction]
pub(crate) fn _edit_path(py: Python<'_>, editor: &PyEditor, op: u32) -> PyResult<String> {
    editor.look(py, |editor| editor.operation_path(editor.handle(op)))
}

#[pyfunction]
pub(crate) fn _edit_top_level(py: Python<'_>, editor: &PyEditor) -> PyResult<u32> {
    editor.look(py, |editor| Ok(editor.top_level().to_bits()))
}

#[pyfunction]
pub(crate) fn _edit_verify_op(py: Python<'_>, editor: &PyEditor, op: u32) -> PyResult<()> {
    editor.look(py, |editor| editor.verify_op(editor.handle(op)))
}

/// Checks an operation and everything inside it against the definitions of the release.
#[pyfunction]
pub(crate) fn _edit_verify_definitions(py: Python<'_>, editor: &PyEditor, op: u32) -> PyResult<()> {
    let op = editor.handle(op);
    let snapshot = editor.snapshot(py, Some(op))?;
    let steps = editor.look(py, |editor| editor.position(op))?;
    let module = snapshot.get();
    let checks = module.detached(py, |module| {
        module.operation_at(&steps)?.map(|operation| operation.verify_operations()).transpose()
    })?;
    checks.map_or(Ok(()), |checks| OperationChecks::new(py, module, checks).map(drop))
}
