//! The lists that belong to an operation, and uses of values.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use ::mlirbc::ir::{BodyId, OpId, ValueId};
use ::mlirbc::tool::printable;
use mlirbc_py_macros::checked;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::handle::entry::Type;
use crate::handle::ir::{
    Block, OpOperand, OpOperandIterator, OpOperandList, OpOperands, OpResult, OpResultIterator, OpResultList,
    OpSuccessors, Operation, RegionSequence, Value, identity_hash, view,
};
use crate::reuse::Slot;
use crate::sequence::{ItemSequence, sequence_methods};

impl ItemSequence for OpOperandList {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.rows().len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let columns = self.module.get().inner.decoded_body(self.body());
        let value = columns.and_then(|columns| columns.operand(self.rows().start + number as u32));
        let id = value.ok_or_else(|| PyIndexError::new_err(number))?;
        Value::object(py, self.module.clone_ref(py), self.body(), id)
    }
}

sequence_methods!(OpOperandList, iter = OpOperandIterator, |list, py| {
    let range = (list.body(), list.rows.load(Ordering::Relaxed));
    list.values.get(py, list.is_cached, range, |_| {
        let (body, rows) = (AtomicU32::new(range.0.number()), AtomicU64::new(range.1));
        let values = [Slot::new(), Slot::new()];
        Bound::new(py, OpOperandIterator { module: list.module.clone_ref(py), body, rows, values })
    })
});

#[pymethods]
impl OpOperandIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Threads that share an iterator may see a value twice, never a wrong one.
        let rows = self.rows.load(Ordering::Relaxed);
        let (row, end) = (rows as u32, (rows >> 32) as u32);
        if row >= end {
            return Ok(None);
        }
        self.rows.store(rows + 1, Ordering::Relaxed);
        let body_id = BodyId::new(self.body.load(Ordering::Relaxed));
        let body = self.module.get().inner.decoded_body(body_id);
        let Some(id) = body.and_then(|body| body.operand(row)) else { return Ok(None) };
        if id.is_argument() {
            let value = Value::object(py, self.module.clone_ref(py), body_id, id)?;
            return Ok(Some(value.into_bound(py)));
        }
        let value = Slot::first_free(py, &self.values, (body_id, id), |is_cached| {
            Value::result(py, self.module.clone_ref(py), (body_id, id), is_cached)
        })?;
        Ok(Some(value.into_any()))
    }

    fn __length_hint__(&self) -> u32 {
        let rows = self.rows.load(Ordering::Relaxed);
        ((rows >> 32) as u32).saturating_sub(rows as u32)
    }
}

impl ItemSequence for OpOperands {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(view(&self.module, self.body, self.op)?.op_operands().len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let operand = view(&self.module, self.body, self.op)?.op_operands().nth(number);
        let row = operand.ok_or_else(|| PyIndexError::new_err(number))?.row();
        Ok(Py::new(py, OpOperand { module: self.module.clone_ref(py), body: self.body, row })?.into_any())
    }
}

sequence_methods!(OpOperands);

impl ItemSequence for OpResultList {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.view()?.results().len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let value = self.view()?.results().nth(number);
        let id: ValueId = value.ok_or_else(|| PyIndexError::new_err(number))?.id();
        Value::object(py, self.module.clone_ref(py), self.op.get().0, id)
    }
}

sequence_methods!(
    OpResultList,
    iter = OpResultIterator,
    |list, py| {
        let (body_id, op) = list.op.get();
        let starts = list.view()?.columns().columns().result_start;
        let row = |place: usize| starts.get(place).copied().map(u64::from).unwrap_or_default();
        let range = (body_id, row(op.index() + 1) << 32 | row(op.index()));
        list.values.get(py, list.is_cached, range, |_| {
            let (body, rows) = (AtomicU32::new(range.0.number()), AtomicU64::new(range.1));
            let values = [Slot::new(), Slot::new()];
            Bound::new(py, OpResultIterator { module: list.module.clone_ref(py), body, rows, values })
        })
    },
    {
        /// The types of the results.
        ///
        ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
        ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
        ///     >>> loop.results.types == [loop.result.type]
        ///     True
        #[getter]
        fn types<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Type>>> {
            self.view()?.results().map(|value| self.module.get().r#type(py, value.r#type())).collect()
        }

        /// The operation that defines the values.
        ///
        ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
        ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].results.owner.name
        ///     'scf.for'
        #[getter]
        fn owner(&self, py: Python<'_>) -> Operation {
            let (body, id) = self.op.get();
            Operation::new(self.module.clone_ref(py), body, id)
        }
    }
);

#[pymethods]
impl OpResultIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, OpResult>>> {
        // Threads that share an iterator may see a value twice, never a wrong one.
        let rows = self.rows.load(Ordering::Relaxed);
        let (row, end) = (rows as u32, (rows >> 32) as u32);
        if row >= end {
            return Ok(None);
        }
        self.rows.store(rows + 1, Ordering::Relaxed);
        let place = (BodyId::new(self.body.load(Ordering::Relaxed)), ValueId::from_bits(row));
        Slot::first_free(py, &self.values, place, |is_cached| {
            Value::result(py, self.module.clone_ref(py), place, is_cached)
        })
        .map(Some)
    }

    fn __length_hint__(&self) -> u32 {
        let rows = self.rows.load(Ordering::Relaxed);
        ((rows >> 32) as u32).saturating_sub(rows as u32)
    }
}

impl ItemSequence for OpSuccessors {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(view(&self.module, self.body, self.op)?.successors().len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let block = view(&self.module, self.body, self.op)?.successors().nth(number);
        let id = block.ok_or_else(|| PyIndexError::new_err(number))?.id();
        Ok(Py::new(py, Block { module: self.module.clone_ref(py), body: self.body, id })?.into_any())
    }
}

sequence_methods!(OpSuccessors);

impl ItemSequence for RegionSequence {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.view()?.region_count() as usize)
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, self.region(py, number)?)?.into_any())
    }
}

sequence_methods!(RegionSequence);

impl OpOperand {
    /// Returns the operation that uses the value, and the number of the operand.
    pub(crate) fn position(&self) -> PyResult<(BodyId, OpId, usize)> {
        let operand = self.view()?;
        let owner = operand.owner();
        Ok((owner.body_id(), owner.id(), operand.operand_number() as usize))
    }
}

#[checked]
#[pymethods]
impl OpOperand {
    /// The operation that uses the value.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> next(module.body.operations[0].regions[0].blocks[0].operations[5].result.uses).owner.name
    ///     'func.return'
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Operation> {
        Ok(Operation::of(&self.module, py, self.view()?.owner()))
    }

    /// The number of the operand, counted from 0.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dim = module.body.operations[0].regions[0].blocks[0].operations[3]
    ///     >>> [use.operand_number for use in dim.op_operands]
    ///     [0, 1]
    #[getter]
    fn operand_number(&self) -> PyResult<u32> {
        Ok(self.view()?.operand_number())
    }

    /// The value that is used.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> next(loop.result.uses).value == loop.result
    ///     True
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Value::object(py, self.module.clone_ref(py), self.body, self.view()?.value().id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.module.is(&other.module) && self.body == other.body && self.row == other.row
        })
    }

    fn __hash__(&self) -> u64 {
        identity_hash(&self.module, u64::from(self.body.number()) << 32 | u64::from(self.row))
    }

    fn __repr__(&self) -> PyResult<String> {
        let view = self.view()?;
        Ok(format!("<mlirbc.OpOperand {} of {}>", view.operand_number(), printable(&view.owner().name())))
    }
}
