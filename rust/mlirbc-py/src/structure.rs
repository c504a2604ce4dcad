//! The methods of regions and blocks.

use std::sync::atomic::{AtomicU32, Ordering};

use ::mlirbc::ir::OpId;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

use crate::handle::entry::Type;
use crate::handle::ir::{
    Block, BlockArgumentList, BlockList, OpKey, Operation, OperationIterator, OperationList, Region, Value,
    identity_hash,
};
use crate::reading::{BlockReading, RegionReading, block_methods, region_methods};
use crate::reuse::Slot;
use crate::sequence::{ItemSequence, sequence_methods};

impl RegionReading for Region {
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let blocks = BlockList(Self { module: self.module.clone_ref(py), ..*self });
        Ok(Bound::new(py, blocks)?.into_any())
    }

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(owner) = self.view(py)?.owner() else { return Ok(None) };
        Ok(Some(Bound::new(py, Operation::of(&self.module, py, owner))?.into_any()))
    }

    fn region_number(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.view(py)?.number())
    }
}

region_methods!(Region, decoded, {
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.module.is(&other.module) && self.body == other.body && self.id == other.id
        })
    }

    fn __hash__(&self) -> u64 {
        identity_hash(&self.module, u64::from(self.body.number()) << 32 | u64::from(self.id.number()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view(py)?;
        Ok(format!("<mlirbc.Region {} with {} blocks>", view.number(), view.len()))
    }
});

impl ItemSequence for BlockList {
    fn len(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.view(py)?.len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let block = self.0.view(py)?.block(number);
        let id = block.ok_or_else(|| PyIndexError::new_err(number))?.id();
        let block = Block { module: self.0.module.clone_ref(py), body: self.0.body, id };
        Ok(Py::new(py, block)?.into_any())
    }
}

sequence_methods!(BlockList);

impl Block {
    fn copy(&self, py: Python<'_>) -> Self {
        Self { module: self.module.clone_ref(py), ..*self }
    }

    fn others(&self, py: Python<'_>, blocks: Vec<::mlirbc::ir::Block<'_>>) -> Vec<Self> {
        let block = |block: ::mlirbc::ir::Block<'_>| Self { id: block.id(), ..self.copy(py) };
        blocks.into_iter().map(block).collect()
    }
}

impl BlockReading for Block {
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, BlockArgumentList(self.copy(py)))?.into_any())
    }

    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, OperationList(self.copy(py)))?.into_any())
    }

    fn region<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let region = self.view(py)?.region();
        if region.owner().is_none() {
            return Ok(None);
        }
        let region = Region { module: self.module.clone_ref(py), body: self.body, id: region.id() };
        Ok(Some(Bound::new(py, region)?.into_any()))
    }

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(owner) = self.view(py)?.owner() else { return Ok(None) };
        Ok(Some(Bound::new(py, Operation::of(&self.module, py, owner))?.into_any()))
    }

    fn block_number(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.view(py)?.number() as usize)
    }

    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.others(py, self.view(py)?.successors()))
    }

    fn predecessors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.others(py, self.view(py)?.predecessors()))
    }
}

block_methods!(Block, decoded, {
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.module.is(&other.module) && self.body == other.body && self.id == other.id
        })
    }

    fn __hash__(&self) -> u64 {
        identity_hash(&self.module, u64::from(self.body.number()) << 32 | u64::from(self.id.number()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view(py)?;
        Ok(format!("<mlirbc.Block {} with {} operations>", view.number(), view.len()))
    }
});

impl ItemSequence for BlockArgumentList {
    fn len(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.view(py)?.arguments().len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let value = self.0.view(py)?.arguments().nth(number);
        let id = value.ok_or_else(|| PyIndexError::new_err(number))?.id();
        Value::object(py, self.0.module.clone_ref(py), self.0.body, id)
    }
}

sequence_methods!(BlockArgumentList, {
    /// The types of the arguments.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> weights, bias, x = module.body.operations[0].regions[0].blocks[0].arguments.types
    ///     >>> bias == x  # both are tensor<?xf32>
    ///     True
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Type>>> {
        let arguments = self.0.view(py)?.arguments();
        arguments.map(|value| self.0.module.get().r#type(py, value.r#type())).collect()
    }
});

impl ItemSequence for OperationList {
    fn len(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.0.view(py)?.len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let op = self.0.view(py)?.operation(number);
        let op = op.ok_or_else(|| PyIndexError::new_err(number))?;
        Ok(Py::new(py, Operation::of(&self.0.module, py, op))?.into_any())
    }

    fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let ops = self.0.view(py)?.operations();
        ops.map(|op| Ok(Py::new(py, Operation::of(&self.0.module, py, op))?.into_any())).collect()
    }
}

#[pymethods]
impl OperationList {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        ItemSequence::len(self, py)
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        crate::sequence::get(self, key)
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = value.py();
        let Ok(op) = value.cast::<Operation>() else { return Ok(false) };
        let op = op.get();
        Ok(self.0.module.is(&op.module) && op.view()?.block() == self.0.view(py)?)
    }

    pub(crate) fn __iter__(&self, py: Python<'_>) -> PyResult<OperationIterator> {
        let view = self.0.view(py)?;
        let first = view.operations().next().map_or(OpId::new(0), |op| op.id());
        Ok(OperationIterator {
            module: self.0.module.clone_ref(py),
            body: self.0.body,
            next: AtomicU32::new(first.number()),
            left: AtomicU32::new(view.len() as u32),
            ops: [Slot::new(), Slot::new()],
        })
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let mut all = ItemSequence::all(self, py)?;
        all.reverse();
        PyTuple::new(py, all)?.try_iter()
    }

    /// Return the position of an operation. Raises `ValueError` if it is not in the block, or outside `start`
    /// to `stop`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations.index(module.body.operations[1])
    ///     1
    #[pyo3(signature = (value, start = 0, stop = None))]
    fn index(&self, value: &Bound<'_, PyAny>, start: usize, stop: Option<usize>) -> PyResult<usize> {
        let position = match self.__contains__(value)? {
            true => Some(value.cast::<Operation>()?.get().view()?.number_in_block()),
            false => None,
        };
        position
            .filter(|&at| at >= start && stop.is_none_or(|stop| at < stop))
            .ok_or_else(|| PyValueError::new_err("the item is not in the list"))
    }

    /// Return the number of items equal to `value`: 1 or 0.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations.count(module.operation)
    ///     0
    fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(usize::from(self.__contains__(value)?))
    }
}

#[pymethods]
impl OperationIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Operation>>> {
        // Threads that share an iterator may see an operation twice, never a wrong one.
        let remaining = self.left.load(Ordering::Relaxed);
        let Some(body) = self.module.get().inner.decoded_body(self.body).filter(|_| remaining > 0) else {
            return Ok(None);
        };
        self.left.store(remaining - 1, Ordering::Relaxed);
        let id = OpId::new(self.next.load(Ordering::Relaxed));
        self.next.store(body.end_of(id).number(), Ordering::Relaxed);
        let key = OpKey::new(body, self.body, id);
        let make = |is_cached| Bound::new(py, Operation::with_key(self.module.clone_ref(py), key, is_cached));
        Slot::first_free(py, &self.ops, key, make).map(Some)
    }

    fn __length_hint__(&self) -> u32 {
        self.left.load(Ordering::Relaxed)
    }
}
