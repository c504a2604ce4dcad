//! Weights by name; `mlirbc.Weights` has the documentation.

use std::sync::Arc;

use ::mlirbc::ir::{AttrId, BodyId, OpId};
use ::mlirbc::tool::{Weights, escape_markup, weight_html};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::handle::entry::Attribute;
use crate::handle::ir::Operation;
use crate::handle::module::Module;

/// Returns the weights of a module, which are found once.
pub(crate) fn weights(py: Python<'_>, module: &Module) -> PyResult<Arc<Weights>> {
    module.ensure_open()?;
    if let Some(known) = module.weights.get() {
        return Ok(known.clone());
    }
    let found_weights = module.detached(py, |module| Weights::of(module).map(Arc::new))?;
    Ok(module.weights.get_or_init(|| found_weights).clone())
}

/// Returns the names of the weights in order.
#[pyfunction]
pub(crate) fn _weight_names(py: Python<'_>, module: &Module) -> PyResult<Vec<String>> {
    Ok(weights(py, module)?.rows().iter().map(|weight| weight.name.clone()).collect())
}

type WeightTuple<'py> = (
    &'static str,
    Option<String>,
    Vec<u64>,
    Option<String>,
    u64,
    bool,
    u64,
    Option<Bound<'py, Attribute>>,
    Option<usize>,
    bool,
    String,
);

/// Returns one weight: kind, dtype, shape, type, size, whether there is data, users, attribute, index of the
/// resource, whether the attribute is also used by operations that are not constants, and the layer.
#[pyfunction]
pub(crate) fn _weight<'py>(py: Python<'py>, module: &Module, name: &str) -> PyResult<WeightTuple<'py>> {
    let weights = weights(py, module)?;
    let weight = weights.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    let attribute = weight.attribute().map(|index| module.attribute(py, AttrId::new(index))).transpose()?;
    Ok((
        weight.kind.name(),
        weight.dtype.clone(),
        weight.shape.clone(),
        weight.r#type.clone(),
        weight.size,
        weight.has_data,
        weight.users,
        attribute,
        weight.resource(),
        weight.is_shared(),
        weight.layer.clone(),
    ))
}

/// Returns a weight as HTML for a notebook.
#[pyfunction]
pub(crate) fn _weight_html(py: Python<'_>, module: &Module, name: &str) -> PyResult<String> {
    let weights = weights(py, module)?;
    let weight = weights.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    module.detached(py, |_| weight_html(&weights, weight))
}

/// Escapes text of a file for HTML.
#[pyfunction]
pub(crate) fn _markup(text: &str) -> String {
    escape_markup(text)
}

/// Returns the operations that refer to a weight.
#[pyfunction]
pub(crate) fn _weight_users(
    py: Python<'_>,
    module: &Bound<'_, Module>,
    name: &str,
) -> PyResult<Vec<Operation>> {
    let this = module.get();
    let weights = weights(py, this)?;
    let weight = weights.get(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    let places = this.detached(py, |_| {
        let users = weights.users(weight)?;
        Ok(users.into_iter().map(|op| (op.body_id(), op.id())).collect::<Vec<(BodyId, OpId)>>())
    })?;
    Ok(places.into_iter().map(|(body, op)| Operation::new(module.clone().unbind(), body, op)).collect())
}
