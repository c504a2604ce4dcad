//! Operations, regions, blocks and values as handles: their fields, and the functions that make one from
//! another.
//!
//! The methods that Python sees are in one file for each class; those files import this one and not one
//! another.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use ::mlirbc::ir::{BlockId, Body, BodyId, OpId, OpNameId, RegionId, UseOrder, ValueId};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::handle::attribute_map::OpAttributeMap;
use crate::handle::module::Module;
use crate::lost_bytes::reads;
use crate::reuse::{Reusable, Slot};

/// Returns a hash of a handle's target.
pub(crate) fn identity_hash(module: &Py<Module>, id: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (module.as_ptr() as usize, id).hash(&mut hasher);
    hasher.finish()
}

/// A value: a result of an operation or an argument of a block.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
///     >>> [use.owner.name for use in loop.result.uses]
///     ['func.return']
#[pyclass(frozen, subclass, module = "mlirbc")]
pub(crate) struct Value {
    pub(crate) module: Py<Module>,
    // The body in the upper half, the value in the lower half.
    place: AtomicU64,
    pub(crate) is_cached: bool,
    pub(crate) owner: Slot<Operation>,
}

/// An argument of a block.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].regions[0].blocks[0].arguments[2]
///     <mlirbc.BlockArgument 2>
#[pyclass(frozen, extends = Value, module = "mlirbc")]
pub(crate) struct BlockArgument;

/// A result of an operation.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].result
///     <mlirbc.OpResult 0 of scf.for>
#[pyclass(frozen, extends = Value, module = "mlirbc")]
pub(crate) struct OpResult;

fn place(body: BodyId, id: ValueId) -> u64 {
    u64::from(body.number()) << 32 | u64::from(id.to_bits())
}

impl Value {
    /// Returns the Python object for a value, with its most derived class.
    #[inline]
    pub(crate) fn object(
        py: Python<'_>,
        module: Py<Module>,
        body: BodyId,
        id: ValueId,
    ) -> PyResult<Py<PyAny>> {
        if id.is_argument() {
            let base = PyClassInitializer::from(Self::new(module, body, id, false));
            Ok(Py::new(py, base.add_subclass(BlockArgument))?.into_any())
        } else {
            Ok(Self::result(py, module, (body, id), false)?.into_any().unbind())
        }
    }

    pub(crate) fn result(
        py: Python<'_>,
        module: Py<Module>,
        (body, id): (BodyId, ValueId),
        is_cached: bool,
    ) -> PyResult<Bound<'_, OpResult>> {
        let base = PyClassInitializer::from(Self::new(module, body, id, is_cached));
        Bound::new(py, base.add_subclass(OpResult))
    }

    #[inline]
    fn new(module: Py<Module>, body: BodyId, id: ValueId, is_cached: bool) -> Self {
        Self { module, place: AtomicU64::new(place(body, id)), is_cached, owner: Slot::new() }
    }

    #[inline]
    pub(crate) fn id(&self) -> ValueId {
        ValueId::from_bits(self.place.load(Ordering::Relaxed) as u32)
    }

    #[inline]
    pub(crate) fn body(&self) -> BodyId {
        BodyId::new((self.place.load(Ordering::Relaxed) >> 32) as u32)
    }

    pub(crate) fn view(&self, py: Python<'_>) -> PyResult<::mlirbc::ir::Value<'_>> {
        let module = self.module.get();
        module.decoded(py, self.body())?;
        let view = ::mlirbc::ir::Value::from_ids(&module.inner, self.body(), self.id());
        view.ok_or_else(|| PyValueError::new_err("the value is gone"))
    }

    pub(crate) fn ordered_uses(&self, py: Python<'_>, order: UseOrder) -> PyResult<Vec<OpOperand>> {
        let uses = py.detach(|| {
            ::mlirbc::ir::Value::from_ids(&self.module.get().inner, self.body(), self.id())
                .map_or(Ok(Vec::new()), |value| Ok(value.uses(order)?.map(|one| one.row()).collect()))
        });
        let rows = uses.map_err(|error| self.module.get().raise(py, error))?;
        let operand = |row| OpOperand { module: self.module.clone_ref(py), body: self.body(), row };
        Ok(rows.into_iter().map(operand).collect())
    }
}

impl Reusable for OpResult {
    type Id = (BodyId, ValueId);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, (body, id): Self::Id) {
        this.as_super().get().place.store(place(body, id), Ordering::Relaxed);
    }
}

/// The values that an operation uses.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[0].regions[0].blocks[0].operations[6].operands)
///     [<mlirbc.OpResult 0 of scf.for>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperandList {
    pub(crate) module: Py<Module>,
    pub(crate) body: AtomicU32,
    // The range of operand rows: the end in the upper half, the start in the lower half.
    pub(crate) rows: AtomicU64,
    pub(crate) is_cached: bool,
    pub(crate) values: Slot<OpOperandIterator>,
}

impl Reusable for OpOperandList {
    type Id = (BodyId, u64);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, (body, rows): Self::Id) {
        this.get().body.store(body.number(), Ordering::Relaxed);
        this.get().rows.store(rows, Ordering::Relaxed);
    }
}

impl OpOperandList {
    pub(crate) fn new(module: Py<Module>, (body, rows): (BodyId, u64), is_cached: bool) -> Self {
        let (body, rows) = (AtomicU32::new(body.number()), AtomicU64::new(rows));
        Self { module, body, rows, is_cached, values: Slot::new() }
    }

    #[inline]
    pub(crate) fn body(&self) -> BodyId {
        BodyId::new(self.body.load(Ordering::Relaxed))
    }

    pub(crate) fn rows(&self) -> Range<u32> {
        let rows = self.rows.load(Ordering::Relaxed);
        rows as u32..(rows >> 32) as u32
    }
}

/// An iterator over the values that an operation uses.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> next(iter(module.body.operations[0].regions[0].blocks[0].operations[6].operands))
///     <mlirbc.OpResult 0 of scf.for>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperandIterator {
    pub(crate) module: Py<Module>,
    pub(crate) body: AtomicU32,
    // The remaining range of operand rows: the end in the upper half, the start in the lower half.
    pub(crate) rows: AtomicU64,
    pub(crate) values: [Slot<OpResult>; 2],
}

impl Reusable for OpOperandIterator {
    type Id = (BodyId, u64);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, (body, rows): Self::Id) {
        this.get().body.store(body.number(), Ordering::Relaxed);
        this.get().rows.store(rows, Ordering::Relaxed);
    }
}

/// The operands of an operation as uses.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[0].regions[0].blocks[0].operations[6].op_operands)
///     [<mlirbc.OpOperand 0 of func.return>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpOperands {
    pub(crate) module: Py<Module>,
    pub(crate) body: BodyId,
    pub(crate) op: OpId,
}

/// The values that an operation defines.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[0].regions[0].blocks[0].operations[5].results)
///     [<mlirbc.OpResult 0 of scf.for>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpResultList {
    pub(crate) module: Py<Module>,
    pub(crate) op: AtomicOpId,
    pub(crate) is_cached: bool,
    pub(crate) values: Slot<OpResultIterator>,
}

/// An iterator over the values that an operation defines.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> next(iter(module.body.operations[0].regions[0].blocks[0].operations[5].results))
///     <mlirbc.OpResult 0 of scf.for>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpResultIterator {
    pub(crate) module: Py<Module>,
    pub(crate) body: AtomicU32,
    // The remaining range of results: the end in the upper half, the start in the lower half.
    pub(crate) rows: AtomicU64,
    pub(crate) values: [Slot<OpResult>; 2],
}

impl Reusable for OpResultIterator {
    type Id = (BodyId, u64);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, (body, rows): Self::Id) {
        this.get().body.store(body.number(), Ordering::Relaxed);
        this.get().rows.store(rows, Ordering::Relaxed);
    }
}

impl Reusable for OpResultList {
    type Id = (BodyId, OpId);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, of: Self::Id) {
        this.get().op.set(of);
    }
}

impl OpResultList {
    pub(crate) fn view(&self) -> PyResult<::mlirbc::Operation<'_>> {
        let (body, id) = self.op.get();
        view(&self.module, body, id)
    }
}

/// The blocks to which control may go after an operation.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[1].regions[0].blocks[0].operations[-1].successors)
///     [<mlirbc.Block 1 with 1 operations>, <mlirbc.Block 2 with 2 operations>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OpSuccessors {
    pub(crate) module: Py<Module>,
    pub(crate) body: BodyId,
    pub(crate) op: OpId,
}

/// The regions of an operation.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.operation.regions)
///     [<mlirbc.Region 0 with 1 blocks>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct RegionSequence {
    pub(crate) module: Py<Module>,
    pub(crate) op: AtomicOpId,
}

impl Reusable for RegionSequence {
    type Id = (BodyId, OpId);

    #[inline]
    fn set_id(this: &Bound<'_, Self>, of: Self::Id) {
        this.get().op.set(of);
    }
}

impl RegionSequence {
    pub(crate) fn new(module: Py<Module>, of: (BodyId, OpId)) -> Self {
        Self { module, op: AtomicOpId::new(of) }
    }

    pub(crate) fn view(&self) -> PyResult<::mlirbc::Operation<'_>> {
        let (body, id) = self.op.get();
        view(&self.module, body, id)
    }

    pub(crate) fn region(&self, py: Python<'_>, number: usize) -> PyResult<Region> {
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
    pub(crate) fn view(&self) -> PyResult<::mlirbc::ir::OpOperand<'_>> {
        ::mlirbc::ir::OpOperand::from_ids(&self.module.get().inner, self.body, self.row)
            .ok_or_else(|| PyValueError::new_err("the use is gone"))
    }
}

/// An operation: a handle that keeps its module alive.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.operation
///     <mlirbc.Operation builtin.module with 0 operands, 0 results, 1 regions>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Operation {
    pub(crate) module: Py<Module>,
    pub(crate) place: AtomicOpId,
    // Fields that loops read for every operation are set when the handle is made.
    pub(crate) name: AtomicU32,
    pub(crate) operand_rows: AtomicU64,
    /// Whether a loop will reuse the handle; only such a handle caches other ones.
    pub(crate) is_cached: bool,
    pub(crate) operands: Slot<OpOperandList>,
    pub(crate) results: Slot<OpResultList>,
    pub(crate) regions: Slot<RegionSequence>,
    pub(crate) attributes: Slot<OpAttributeMap>,
}

/// A body and an operation in it, in one atomic word.
pub(crate) struct AtomicOpId(AtomicU64);

impl AtomicOpId {
    #[inline]
    pub(crate) fn new(of: (BodyId, OpId)) -> Self {
        Self(AtomicU64::new(Self::word(of)))
    }

    #[inline]
    pub(crate) fn get(&self) -> (BodyId, OpId) {
        let word = self.0.load(Ordering::Relaxed);
        (BodyId::new((word >> 32) as u32), OpId::new(word as u32))
    }

    #[inline]
    pub(crate) fn set(&self, of: (BodyId, OpId)) {
        self.0.store(Self::word(of), Ordering::Relaxed);
    }

    #[inline]
    fn word((body, id): (BodyId, OpId)) -> u64 {
        u64::from(body.number()) << 32 | u64::from(id.number())
    }
}

/// The target of an operation handle, with fields that are looked up once.
#[derive(Clone, Copy)]
pub(crate) struct OpKey {
    body: BodyId,
    id: OpId,
    name: u32,
    operand_rows: u64,
}

impl OpKey {
    /// Returns the key of a row of `columns`, the columns of `body`.
    #[inline]
    pub(crate) fn new(columns: &Body, body: BodyId, id: OpId) -> Self {
        let (name, rows) = columns.name_and_operand_rows(id).unwrap_or((OpNameId::new(u32::MAX), 0..0));
        Self {
            body,
            id,
            name: name.number(),
            operand_rows: u64::from(rows.end) << 32 | u64::from(rows.start),
        }
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
    /// Creates a handle for a row of a decoded body.
    pub(crate) fn new(module: Py<Module>, body: BodyId, id: OpId) -> Self {
        let key = match module.get().inner.decoded_body(body) {
            Some(columns) => OpKey::new(columns, body, id),
            None => OpKey { body, id, name: u32::MAX, operand_rows: 0 },
        };
        Self::with_key(module, key, false)
    }

    #[inline]
    pub(crate) fn with_key(module: Py<Module>, key: OpKey, is_cached: bool) -> Self {
        Self {
            module,
            place: AtomicOpId::new((key.body, key.id)),
            name: AtomicU32::new(key.name),
            operand_rows: AtomicU64::new(key.operand_rows),
            is_cached,
            operands: Slot::new(),
            results: Slot::new(),
            regions: Slot::new(),
            attributes: Slot::new(),
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

    /// Returns the first block of the first region.
    pub(crate) fn first_block(&self, py: Python<'_>) -> PyResult<Block> {
        self.inner_block(py, 0, 0)
    }

    /// Returns a block of a region.
    pub(crate) fn inner_block(&self, py: Python<'_>, region: u32, number: usize) -> PyResult<Block> {
        let regions = RegionSequence::new(self.module.clone_ref(py), self.place.get());
        let region = match regions.view()?.region_count() > region {
            true => Some(regions.region(py, region as usize)?),
            false => None,
        };
        let block = match &region {
            Some(region) => region.view(py)?.block(number).map(|block| (block.body_id(), block.id())),
            None => None,
        };
        let (body, id) =
            block.ok_or_else(|| PyIndexError::new_err("the operation has no block in its first region"))?;
        Ok(Block { module: self.module.clone_ref(py), body, id })
    }
}

// A handle is made only from a decoded body, and decoded bodies stay decoded.
#[inline]
pub(crate) fn view(module: &Py<Module>, body: BodyId, id: OpId) -> PyResult<::mlirbc::Operation<'_>> {
    ::mlirbc::Operation::from_ids(&module.get().inner, body, id)
        .ok_or_else(|| PyValueError::new_err("the operation is gone"))
}

/// A region of an operation.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.operation.regions[0]
///     <mlirbc.Region 0 with 1 blocks>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Region {
    pub(crate) module: Py<Module>,
    pub(crate) body: BodyId,
    pub(crate) id: RegionId,
}

impl Region {
    pub(crate) fn view(&self, py: Python<'_>) -> PyResult<::mlirbc::ir::Region<'_>> {
        let module = self.module.get();
        module.decoded(py, self.body)?;
        ::mlirbc::ir::Region::from_ids(&module.inner, self.body, self.id)
            .ok_or_else(|| PyValueError::new_err("the region is gone"))
    }
}

/// The blocks of a region.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[1].regions[0].blocks[2]
///     <mlirbc.Block 2 with 2 operations>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct BlockList(pub(crate) Region);

/// A block of a region.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body
///     <mlirbc.Block 0 with 2 operations>
///     >>> [op.name for op in module.body]
///     ['func.func', 'func.func']
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Block {
    pub(crate) module: Py<Module>,
    pub(crate) body: BodyId,
    pub(crate) id: BlockId,
}

impl Block {
    pub(crate) fn top_level(module: &Bound<'_, Module>) -> PyResult<Self> {
        module.get().decoded(module.py(), BodyId::TOP_LEVEL)?;
        Ok(Self { module: module.clone().unbind(), body: BodyId::TOP_LEVEL, id: BlockId::new(0) })
    }

    pub(crate) fn view(&self, py: Python<'_>) -> PyResult<::mlirbc::ir::Block<'_>> {
        let module = self.module.get();
        module.decoded(py, self.body)?;
        ::mlirbc::ir::Block::from_ids(&module.inner, self.body, self.id)
            .ok_or_else(|| PyValueError::new_err("the block is gone"))
    }
}

/// The arguments of a block.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> list(module.body.operations[1].regions[0].blocks[1].arguments)
///     [<mlirbc.BlockArgument 0>]
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct BlockArgumentList(pub(crate) Block);

/// The operations of a block.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> [op.name for op in module.body.operations]
///     ['func.func', 'func.func']
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OperationList(pub(crate) Block);

/// An iterator over the operations of a block.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> next(iter(module.body)).name
///     'func.func'
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct OperationIterator {
    pub(crate) module: Py<Module>,
    pub(crate) body: BodyId,
    pub(crate) next: AtomicU32,
    pub(crate) left: AtomicU32,
    pub(crate) ops: [Slot<Operation>; 2],
}

reads! { Operation: module; Value: module; OpOperand: module; Block: module; Region: module; }
