//! Values: results of operations and arguments of blocks.

use ::mlirbc::Attribute as CoreAttribute;
use ::mlirbc::ir::{OpId, TypeId, UseOrder};
use ::mlirbc::tool::printable;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::{Block, BlockArgument, OpKey, OpResult, Operation, Value, identity_hash};
use crate::reading::{ValueReading, value_methods};

impl Value {
    // Returns the operation of a result without a view; `None` for an argument.
    #[inline]
    fn owner_key(&self, py: Python<'_>) -> Option<OpKey> {
        let (id, body) = (self.id(), self.module.get().inner.decoded_body(self.body())?);
        if id.is_argument() {
            return None;
        }
        let hint = self.owner.cached(py).map_or(OpId::new(id.to_bits()), |owner| owner.get().id());
        let op = body.result_owner_near(id.row(), hint)?;
        Some(OpKey::new(body, self.body(), op))
    }

    #[inline]
    fn type_id(&self, py: Python<'_>) -> PyResult<TypeId> {
        let (id, body) = (self.id(), self.module.get().inner.decoded_body(self.body()));
        let column = body.filter(|_| !id.is_argument()).map(|body| body.columns().result_type);
        match column.and_then(|types| types.get(id.row())) {
            Some(&index) => Ok(index),
            None => Ok(self.view(py)?.r#type()),
        }
    }
}

/// Returns the order of uses that a caller names.
pub(crate) fn use_order(name: &str) -> PyResult<UseOrder> {
    match name {
        "stored" => Ok(UseOrder::Stored),
        "upstream" => Ok(UseOrder::Upstream),
        _ => Err(PyValueError::new_err(format!("expected order='stored' or 'upstream', found {name:?}"))),
    }
}

impl ValueReading for Value {
    #[inline]
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(key) = self.owner_key(py) {
            // The handle caches no others, so that chains of handles have an end.
            let make = |_| Bound::new(py, Operation::with_key(self.module.clone_ref(py), key, false));
            return Ok(self.owner.get(py, self.is_cached, key, make)?.into_any());
        }
        let Some(block) = self.view(py)?.owner_block() else { return Ok(py.None().into_bound(py)) };
        let block = Block { module: self.module.clone_ref(py), body: self.body(), id: block.id() };
        Ok(Bound::new(py, block)?.into_any())
    }

    #[inline]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
        self.module.get().r#type(py, self.type_id(py)?)
    }

    fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let uses = self.ordered_uses(py, UseOrder::Stored)?;
        PyTuple::new(py, uses)?.try_iter()
    }

    fn uses_in_order<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let uses = self.ordered_uses(py, use_order(order)?)?;
        uses.into_iter().map(|operand| Ok(Bound::new(py, operand)?.into_any())).collect()
    }

    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        let module = self.module.get();
        match self.view(py)?.location() {
            Some(id) => module.attribute(py, id),
            None => {
                let unknown = CoreAttribute::build("builtin", "UnknownLoc", &[]);
                Attribute::object(py, unknown.map_err(|error| module.raise(py, error))?)
            }
        }
    }

    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.module.bind(py).clone().into_any())
    }
}

value_methods!(Value, inline, {
    /// Return the name of the value in the custom assembly of the module, as `%0`, `%arg1` or `%2#1`; with
    /// `use_local_scope`, its name in the assembly of the innermost isolated operation around it.
    ///
    /// The name depends on the values before it, so this takes as long as printing that part of the module:
    /// to name many values, print the operation.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> block = module.body.operations[0].regions[0].blocks[0]
    ///     >>> [argument.get_name() for argument in block.arguments], block.operations[5].result.get_name()
    ///     (['%arg0', '%arg1', '%arg2'], '%0')
    #[pyo3(signature = (use_local_scope = false))]
    fn get_name(&self, py: Python<'_>, use_local_scope: bool) -> PyResult<String> {
        let (body, id) = (self.body(), self.id());
        self.module.get().detached(py, |module| {
            let value = ::mlirbc::ir::Value::from_ids(module, body, id);
            value.map_or(Ok(String::new()), |value| value.assembly_name(use_local_scope))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.module.is(&other.module) && self.body() == other.body() && self.id() == other.id()
        })
    }

    fn __hash__(&self) -> u64 {
        let kind = u64::from(self.id().is_argument()) << 31;
        identity_hash(&self.module, u64::from(self.body().number()) << 32 | kind | self.id().row() as u64)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view(py)?;
        Ok(match view.owner_op() {
            Some(op) => format!("<mlirbc.OpResult {} of {}>", view.number(), printable(&op.name())),
            None => format!("<mlirbc.BlockArgument {}>", view.number()),
        })
    }
});

#[pymethods]
impl BlockArgument {
    /// The number of the argument within its block, counted from 0.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> [argument.arg_number for argument in module.body.operations[1].regions[0].blocks[0].arguments]
    ///     [0, 1]
    #[getter]
    fn arg_number(slf: PyRef<'_, Self>) -> PyResult<u32> {
        let py = slf.py();
        Ok(slf.into_super().view(py)?.number())
    }
}

#[pymethods]
impl OpResult {
    /// The number of the result within its operation, counted from 0.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].result.result_number
    ///     0
    #[getter]
    fn result_number(slf: PyRef<'_, Self>) -> PyResult<u32> {
        let py = slf.py();
        Ok(slf.into_super().view(py)?.number())
    }
}
