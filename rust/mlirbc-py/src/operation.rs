//! Operations and the lists that belong to them.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use ::mlirbc::Body;
use ::mlirbc::ir::{BodyId, OpId, OpNameId, ValueId};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::attribute::{Attribute, Type};
use crate::module::Module;
use crate::reuse::{Reusable, Slot};
use crate::sequence::{Items, sequence_methods};
use crate::structure::{Block, Region};
use crate::value::{OpResult, Value, identity_hash};

/// An operation: a handle that keeps its module.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.operation
///     <mlirbc.Operation builtin.module with 0 operands, 0 results, 1 regions>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Operation {
    pub(crate) module: Py<Module>,
    place: Place,
    // What loops ask every operation for is looked up when the handle is made.
    name: AtomicU32,
    operand_rows: AtomicU64,
    operands: Slot<OpOperandList>,
    results: Slot<OpResultList>,
    regions: Slot<RegionSequence>,
}

/// A body and a row of it, in one word.
pub(crate) struct Place(AtomicU64);

impl Place {
    #[inline]
    fn new(of: (BodyId, OpId)) -> Self {
        Self(AtomicU64::new(Self::word(of)))
    }

    #[inline]
    fn get(&self) -> (BodyId, OpId) {
        let word = self.0.load(Ordering::Relaxed);
        (BodyId((word >> 32) as u32), OpId(word as u32))
    }

    #[inline]
    fn set(&self, of: (BodyId, OpId)) {
        self.0.store(Self::word(of), Ordering::Relaxed);
    }

    #[inline]
    fn word((body, id): (BodyId, OpId)) -> u64 {
        u64::from(body.0) << 32 | u64::from(id.0)
    }
}

/// Which operation a handle is for, and what it knows of it.
#[derive(Clone, Copy)]
pub(crate) struct OpKey {
    body: BodyId,
    id: OpId,
    name: u32,
    operand_rows: u64,
}

impl OpKey {
    /// The key of a row of `columns`, the columns of `body`.
    #[inline]
    pub(crate) fn new(columns: &Body, body: BodyId, id: OpId) -> Self {
        let (name, rows) = columns.name_and_operand_rows(id).unwrap_or((OpNameId(u32::MAX), 0..0));
        Self { body, id, name: name.0, operand_rows: u64::from(rows.end) << 32 | u64::from(rows.start) }
    }
}

impl Reusable for Operation {
    type Id = OpKey;

    #[inline]
    fn set_id(this: &Bound<'_, Self>, key: OpKey) {
        let this = this.get();
        this.place.set((key.body, key.id));
        this.name.store(key.name, Ordering::Relaxed);
        this.operand_rows.store(key.operand_rows, Ordering::Relaxed);
    }
}

impl Operation {
    /// A handle for a row of a body that was decoded.
    pub(crate) fn new(module: Py<Module>, body: BodyId, id: OpId) -> Self {
        let key = match module.get().inner.decoded_body(body) {
            Some(columns) => OpKey::new(columns, body, id),
            None => OpKey { body, id, name: u32::MAX, operand_rows: 0 },
        };
        Self::with_key(module, key)
    }

    #[inline]
    pub(crate) fn with_key(module: Py<Module>, key: OpKey) -> Self {
        Self {
            module,
            place: Place::new((key.body, key.id)),
            name: AtomicU32::new(key.name),
            operand_rows: AtomicU64::new(key.operand_rows),
            operands: Slot::new(),
            results: Slot::new(),
            regions: Slot::new(),
        }
    }

    #[inline]
    pub(crate) fn id(&self) -> OpId {
        self.place.get().1
    }

    #[inline]
    pub(crate) fn body(&self) -> BodyId {
        self.place.get().0
    }

    pub(crate) fn of(module: &Py<Module>, py: Python<'_>, op: ::mlirbc::Operation<'_>) -> Self {
        Self::new(module.clone_ref(py), op.body_id(), op.id())
    }

    #[inline]
    pub(crate) fn view(&self) -> PyResult<::mlirbc::Operation<'_>> {
        view(&self.module, self.body(), self.id())
    }

    /// The first block of the first region.
    pub(crate) fn first_block(&self, py: Python<'_>) -> PyResult<Block> {
        let regions = RegionSequence::new(self.module.clone_ref(py), self.place.get());
        let region = match Items::len(&regions, py)? {
            0 => None,
            _ => Some(regions.region(py, 0)?),
        };
        let block = match &region {
            Some(region) => region.view(py)?.block(0).map(|block| (block.body_id(), block.id())),
            None => None,
        };
        let (body, id) =
            block.ok_or_else(|| PyIndexError::new_err("the operation has no block in its first region"))?;
        Ok(Block { module: self.module.clone_ref(py), body, id })
    }
}

// A handle is made only from a body that was decoded, and decoded bodies stay.
#[inline]
fn view(module: &Py<Module>, body: BodyId, id: OpId) -> PyResult<::mlirbc::Operation<'_>> {
    ::mlirbc::Operation::from_ids(&module.get().inner, body, id)
        .ok_or_else(|| PyValueError::new_err("the operation is gone"))
}

#[pymethods]
impl Operation {
    /// Its full name, e.g. `func.func`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].name
    ///     'func.func'
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.module.get().op_name(py, OpNameId(self.name.load(Ordering::Relaxed)))
    }

    /// The values it uses, in order.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> len(loop.operands)  # from, to, step and one value carried along
    ///     4
    #[getter]
    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpOperandList>> {
        let of = (self.body(), self.operand_rows.load(Ordering::Relaxed));
        self.operands.get(py, of, || Bound::new(py, OpOperandList::new(self.module.clone_ref(py), of)))
    }

    /// Its operands as uses, which know their operation and their number.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> [use.operand_number for use in loop.op_operands]
    ///     [0, 1, 2, 3]
    #[getter]
    fn op_operands(&self, py: Python<'_>) -> OpOperands {
        OpOperands { module: self.module.clone_ref(py), body: self.body(), op: self.id() }
    }

    /// The values it defines.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.body.operations[0].regions[0].blocks[0].operations[5].results)
    ///     1
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, OpResultList>> {
        let of = self.place.get();
        let make = || OpResultList { module: self.module.clone_ref(py), op: Place::new(of) };
        self.results.get(py, of, || Bound::new(py, make()))
    }

    /// Its only result. Raises `ValueError` when there is none or more than one.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].result
    ///     <mlirbc.OpResult 0 of scf.for>
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut results = self.view()?.results();
        match (results.len(), results.next()) {
            (1, Some(result)) => Value::object(py, self.module.clone_ref(py), self.body(), result.id()),
            (count, _) => {
                let name = self.view()?.name();
                Err(PyValueError::new_err(format!("{name} has {count} results, not one")))
            }
        }
    }

    /// The blocks that control may go to.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
    ///     >>> [block.block_number for block in branch.successors]
    ///     [1, 2]
    #[getter]
    fn successors(&self, py: Python<'_>) -> OpSuccessors {
        OpSuccessors { module: self.module.clone_ref(py), body: self.body(), op: self.id() }
    }

    /// Its regions; isolated ones are decoded when the first of them is asked for, which raises `ReadError`
    /// when they are malformed.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> len(module.operation.regions)
    ///     1
    #[getter]
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, RegionSequence>> {
        let of = self.place.get();
        self.regions.get(py, of, || Bound::new(py, RegionSequence::new(self.module.clone_ref(py), of)))
    }

    /// Its location, an attribute.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.location.dialect
    ///     'builtin'
    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<Attribute> {
        Ok(Attribute::new(self.module.clone_ref(py), self.view()?.location()))
    }

    /// Its dictionary of attributes as it stands in the file, None for none: discardable ones only from
    /// version 5 on.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dense, main = module.body.operations  # only @main has one: {example.entry}
    ///     >>> dense.attribute_dictionary is None, main.attribute_dictionary.dialect
    ///     (True, 'builtin')
    #[getter]
    fn attribute_dictionary(&self, py: Python<'_>) -> PyResult<Option<Attribute>> {
        let id = self.view()?.attribute_dictionary();
        Ok(id.map(|id| Attribute::new(self.module.clone_ref(py), id)))
    }

    /// The bytes of its native properties; None below version 5 and for operations without any.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> branch = module.body.operations[1].regions[0].blocks[0].operations[-1]
    ///     >>> type(branch.property_blob), branch.regions[:]
    ///     (<class 'bytes'>, [])
    #[getter]
    fn property_blob<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(id) = self.view()?.properties() else { return Ok(None) };
        let module = self.module.get();
        let table = module.inner.properties().map_err(|error| module.raise(py, error))?;
        Ok(table.get(id.0).map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The operation whose region it is in; None at the top level.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].parent.name, module.operation.parent
    ///     ('builtin.module', None)
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        Ok(self.view()?.parent().map(|op| Self::of(&self.module, py, op)))
    }

    /// The block it is in.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].block == module.body
    ///     True
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Block> {
        let id = self.view()?.block().id();
        Ok(Block { module: self.module.clone_ref(py), body: self.body(), id })
    }

    /// The module it belongs to.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.module is module
    ///     True
    #[getter]
    fn module(&self, py: Python<'_>) -> Py<Module> {
        self.module.clone_ref(py)
    }

    /// Itself, as upstream's views have it.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.operation == module.operation
    ///     True
    #[getter]
    #[allow(clippy::self_named_constructors)] // the name is upstream's
    fn operation(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Whether the file says that nothing inside uses values from outside.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> module.operation.is_isolated_from_above, loop.is_isolated_from_above
    ///     (True, False)
    #[getter]
    fn is_isolated_from_above(&self) -> PyResult<bool> {
        Ok(self.view()?.is_isolated_from_above())
    }

    /// Whether the writer knew the op; None below version 5.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.operation.is_registered
    ///     True
    #[getter]
    fn is_registered(&self) -> PyResult<Option<bool>> {
        Ok(self.view()?.operation_name().and_then(|name| name.is_registered))
    }

    /// Its place in the module, outermost operation first; of a very long way only both ends.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[1].path
    ///     'block 0, op 0 (builtin.module) > region 0, block 0, op 1 (func.func)'
    #[getter]
    fn path(&self) -> PyResult<String> {
        Ok(self.view()?.path())
    }

    /// Call `callback` on it and everything inside it, in post-order unless told otherwise; see
    /// `Module.walk`.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> names = []
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> loop.walk(lambda op: names.append(op.name), mlirbc.WalkOrder.PRE_ORDER)
    ///     <WalkResult.ADVANCE: 0>
    ///     >>> names[:3]
    ///     ['scf.for', 'tensor.extract', 'scf.for']
    #[pyo3(signature = (callback, walk_order = None))]
    fn walk(
        slf: &Bound<'_, Self>,
        callback: &Bound<'_, PyAny>,
        walk_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let this = slf.get();
        crate::walk::walk(this.module.bind(slf.py()), this.body(), &[this.id()], callback, walk_order)
    }

    /// Whether it stands before `other`. Raises `ValueError` when they are in different blocks.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dense, main = module.body.operations
    ///     >>> dense.is_before_in_block(main)
    ///     True
    fn is_before_in_block(&self, other: &Self) -> PyResult<bool> {
        if self.view()?.block() != other.view()?.block() {
            return Err(PyValueError::new_err("the operations are in different blocks"));
        }
        Ok(self.id() < other.id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.module.is(&other.module) && self.body() == other.body() && self.id() == other.id()
        })
    }

    fn __hash__(&self) -> u64 {
        identity_hash(&self.module, u64::from(self.body().0) << 32 | u64::from(self.id().0))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.view()?;
        let name = self.name(py)?;
        Ok(format!(
            "<mlirbc.Operation {name} with {} operands, {} results, {} regions>",
            view.operands().len(),
            view.results().len(),
            view.region_count()
        ))
    }
}

/// The values that an operation uses.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[0].regions[0].blocks[0].operations[6].operands)
///     [<mlirbc.OpResult 0 of scf.for>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperandList {
    module: Py<Module>,
    body: AtomicU32,
    // The rows of the operands: the end in the upper half.
    rows: AtomicU64,
    values: Slot<OpOperandIterator>,
}

impl Reusable for OpOperandList {
    type Id = (BodyId, u64);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, (body, rows): Self::Id) {
        this.get().body.store(body.0, Ordering::Relaxed);
        this.get().rows.store(rows, Ordering::Relaxed);
    }
}

impl OpOperandList {
    fn new(module: Py<Module>, (body, rows): (BodyId, u64)) -> Self {
        Self { module, body: AtomicU32::new(body.0), rows: AtomicU64::new(rows), values: Slot::new() }
    }

    #[inline]
    fn body(&self) -> BodyId {
        BodyId(self.body.load(Ordering::Relaxed))
    }

    fn rows(&self) -> Range<u32> {
        let rows = self.rows.load(Ordering::Relaxed);
        rows as u32..(rows >> 32) as u32
    }
}

impl Items for OpOperandList {
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
    let of = (list.body(), list.rows.load(Ordering::Relaxed));
    list.values.get(py, of, || {
        let (body, rows) = (AtomicU32::new(of.0.0), AtomicU64::new(of.1));
        let values = [Slot::new(), Slot::new()];
        Bound::new(py, OpOperandIterator { module: list.module.clone_ref(py), body, rows, values })
    })
});

/// Hands out the values that an operation uses, one by one.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> next(iter(module.body.operations[0].regions[0].blocks[0].operations[6].operands))
///     <mlirbc.OpResult 0 of scf.for>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperandIterator {
    module: Py<Module>,
    body: AtomicU32,
    // The rows that are left: the end in the upper half.
    rows: AtomicU64,
    values: [Slot<OpResult>; 2],
}

impl Reusable for OpOperandIterator {
    type Id = (BodyId, u64);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, (body, rows): Self::Id) {
        this.get().body.store(body.0, Ordering::Relaxed);
        this.get().rows.store(rows, Ordering::Relaxed);
    }
}

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
        let of = BodyId(self.body.load(Ordering::Relaxed));
        let body = self.module.get().inner.decoded_body(of);
        let Some(id) = body.and_then(|body| body.operand(row)) else { return Ok(None) };
        if id.is_argument() {
            let value = Value::object(py, self.module.clone_ref(py), of, id)?;
            return Ok(Some(value.into_bound(py)));
        }
        let value = Slot::first_free(py, &self.values, (of, id), || {
            Value::result(py, self.module.clone_ref(py), of, id)
        })?;
        Ok(Some(value.into_any()))
    }

    fn __length_hint__(&self) -> u32 {
        let rows = self.rows.load(Ordering::Relaxed);
        ((rows >> 32) as u32).saturating_sub(rows as u32)
    }
}

/// The operands of an operation as uses.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[0].regions[0].blocks[0].operations[6].op_operands)
///     [<mlirbc.OpOperand 0 of func.return>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperands {
    module: Py<Module>,
    body: BodyId,
    op: OpId,
}

impl Items for OpOperands {
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

/// The values that an operation defines.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[0].regions[0].blocks[0].operations[5].results)
///     [<mlirbc.OpResult 0 of scf.for>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpResultList {
    module: Py<Module>,
    op: Place,
}

impl Reusable for OpResultList {
    type Id = (BodyId, OpId);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, of: Self::Id) {
        this.get().op.set(of);
    }
}

impl OpResultList {
    fn view(&self) -> PyResult<::mlirbc::Operation<'_>> {
        let (body, id) = self.op.get();
        view(&self.module, body, id)
    }
}

impl Items for OpResultList {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.view()?.results().len())
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let value = self.view()?.results().nth(number);
        let id: ValueId = value.ok_or_else(|| PyIndexError::new_err(number))?.id();
        Value::object(py, self.module.clone_ref(py), self.op.get().0, id)
    }
}

sequence_methods!(OpResultList, {
    /// The types of the results.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    ///     >>> loop.results.types == [loop.result.type]
    ///     True
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Type>> {
        let results = self.view()?.results();
        Ok(results.map(|value| Type::new(self.module.clone_ref(py), value.r#type())).collect())
    }

    /// The operation that defines them.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].results.owner.name
    ///     'scf.for'
    #[getter]
    fn owner(&self, py: Python<'_>) -> Operation {
        let (body, id) = self.op.get();
        Operation::new(self.module.clone_ref(py), body, id)
    }
});

/// The blocks that control may go to after an operation.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[1].regions[0].blocks[0].operations[-1].successors)
///     [<mlirbc.Block 1 with 1 operations>, <mlirbc.Block 2 with 2 operations>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpSuccessors {
    module: Py<Module>,
    body: BodyId,
    op: OpId,
}

impl Items for OpSuccessors {
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

/// The regions of an operation.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.operation.regions)
///     [<mlirbc.Region 0 with 1 blocks>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct RegionSequence {
    module: Py<Module>,
    op: Place,
}

impl Reusable for RegionSequence {
    type Id = (BodyId, OpId);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, of: Self::Id) {
        this.get().op.set(of);
    }
}

impl RegionSequence {
    fn new(module: Py<Module>, of: (BodyId, OpId)) -> Self {
        Self { module, op: Place::new(of) }
    }

    fn view(&self) -> PyResult<::mlirbc::Operation<'_>> {
        let (body, id) = self.op.get();
        view(&self.module, body, id)
    }

    fn region(&self, py: Python<'_>, number: usize) -> PyResult<Region> {
        let module = self.module.get();
        let op = self.view()?;
        if let Some(body) = op.isolated_body() {
            module.decoded(py, body)?;
        }
        let region = op.region(number as u32).map_err(|error| module.raise(py, error))?;
        let region = region.ok_or_else(|| PyIndexError::new_err(number))?;
        Ok(Region { module: self.module.clone_ref(py), body: region.body_id(), id: region.id() })
    }
}

impl Items for RegionSequence {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.view()?.region_count() as usize)
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, self.region(py, number)?)?.into_any())
    }
}

sequence_methods!(RegionSequence);

/// A use of a value.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> use = next(module.body.operations[0].regions[0].blocks[0].operations[5].result.uses)
///     >>> use.owner.name, use.operand_number
///     ('func.return', 0)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperand {
    pub(crate) module: Py<Module>,
    pub(crate) body: BodyId,
    pub(crate) row: u32,
}

impl OpOperand {
    fn view(&self) -> PyResult<::mlirbc::OpOperand<'_>> {
        ::mlirbc::OpOperand::from_ids(&self.module.get().inner, self.body, self.row)
            .ok_or_else(|| PyValueError::new_err("the use is gone"))
    }
}

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

    /// Which of the operation's operands it is, counted from 0.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> dim = module.body.operations[0].regions[0].blocks[0].operations[3]
    ///     >>> [use.operand_number for use in dim.op_operands]
    ///     [0, 1]
    #[getter]
    fn operand_number(&self) -> PyResult<u32> {
        Ok(self.view()?.operand_number())
    }

    /// The value.
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
        identity_hash(&self.module, u64::from(self.body.0) << 32 | u64::from(self.row))
    }

    fn __repr__(&self) -> PyResult<String> {
        let view = self.view()?;
        Ok(format!("<mlirbc.OpOperand {} of {}>", view.operand_number(), view.owner().name()))
    }
}
