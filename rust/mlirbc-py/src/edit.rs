//! The editor with ids instead of handles; `mlirbc.edit` has the handles.
//!
//! Longer than other files: a class of Python is one block of methods.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::mlirbc::edit::{
    Checkpoint, EditBlock, EditOp, EditRegion, EditValue, Editor, FileShape, Handle, InsertionPoint,
    NewOperation, NewResource, ResourceContent, ResourceGroup,
};
use ::mlirbc::ir::PropertyState;
use ::mlirbc::layout::{LayoutSource, Options};
use ::mlirbc::version::BytecodeVersion;
use ::mlirbc::write::WriteReport;
use ::mlirbc::{Attribute as CoreAttribute, ErrorKind, ReadOptions, Release, Type as CoreType};
use foldhash::fast::RandomState;
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyMapping, PyString};

use crate::dialect_hooks;
use crate::errors::{Interrupt, raise};
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::{Block, Operation, Region, Value};
use crate::handle::module::Module;
use crate::lost_bytes::Reads;
use crate::open::foreign;
use crate::text::text;
use crate::write;
use crate::written_bytes::written_bytes;

/// The number of shapes whose attributes an editor keeps, and the number of attributes of each.
const MOST_SHAPES: usize = 1 << 14;
const MOST_KEPT_ROWS: usize = 64;

/// A block, the number of moves before it was listed, and its operations.
type ListedBlock = (u32, u64, Arc<Vec<u32>>);

/// Edits of a module; operations, blocks, regions and values are numbers.
#[pyclass(frozen, module = "mlirbc._mlirbc", name = "_Editor")]
pub(crate) struct PyEditor {
    inner: Mutex<Editor>,
    // The number that handles carry.
    number: u32,
    // The module that is edited; `None` for a new module.
    module: Option<Py<Module>>,
    interrupt: Arc<Interrupt>,
    // Counts changes, so that dependent objects notice when they are outdated.
    revision: AtomicU64,
    // Attributes by name, of operations that are as in the file. A shape never gets other attributes.
    shapes: Mutex<HashMap<FileShape, Py<PyDict>, RandomState>>,
    // Whether handles are of the classes of `mlirbc.edit`, and whether parts moved to other modules.
    is_plain: AtomicBool,
    has_moved_parts: AtomicBool,
    // The operations of a block that were listed last, with the number of moves before.
    listed: Mutex<Option<ListedBlock>>,
    // How often the operations of a block were listed; a test counts.
    listings: AtomicU64,
    // The latest snapshot of the whole module, and the latest snapshot of a detached operation.
    snapshots: Mutex<[Option<Snapshot>; 2]>,
}

struct Snapshot {
    revision: u64,
    root: Option<EditOp>,
    module: Py<Module>,
}

/// Returns text or bytes as the bytes of a file.
pub(crate) fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match given.cast::<PyString>() {
        Ok(text) => {
            let encoded = text.call_method1("encode", ("utf-8", "surrogateescape"))?;
            Ok(encoded.cast::<PyBytes>()?.as_bytes().to_vec())
        }
        Err(_) => given.extract::<Vec<u8>>(),
    }
}

/// The definition of a value: a result of an operation, or an argument of a block.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _Definition {
    /// Whether the value is an argument.
    is_argument: bool,
    /// The number of the operation or the block.
    owner: u32,
    /// The position among the results or arguments.
    number: usize,
}

/// A use of a value.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _Use {
    /// The number of the operation that uses the value.
    op: u32,
    /// The number of the operand.
    operand_number: usize,
}

impl PyEditor {
    fn of(editor: Editor, module: Option<Py<Module>>, interrupt: Arc<Interrupt>) -> Self {
        Self {
            number: editor.number(),
            inner: Mutex::new(editor),
            module,
            interrupt,
            revision: AtomicU64::new(0),
            shapes: Mutex::default(),
            is_plain: AtomicBool::new(false),
            has_moved_parts: AtomicBool::new(false),
            listed: Mutex::default(),
            listings: AtomicU64::new(0),
            snapshots: Mutex::default(),
        }
    }

    /// Whether handles are of the classes of `mlirbc.edit`.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain.load(Ordering::Relaxed)
    }

    /// Whether parts of the module moved to other modules, so that handles have to follow.
    pub(crate) fn has_moved_parts(&self) -> bool {
        self.has_moved_parts.load(Ordering::Relaxed)
    }

    /// Returns the operations of a block; further calls return the same list while nothing moved.
    pub(crate) fn rows_of_block(&self, py: Python<'_>, block: u32) -> PyResult<Arc<Vec<u32>>> {
        let moves = self.look(py, |editor| Ok(editor.moves()))?;
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, _, rows)) = listed.filter(|(known, at, _)| (*known, *at) == (block, moves)) {
            return Ok(rows);
        }
        let operations = self.look(py, |editor| editor.operations(editor.handle(block)))?;
        self.listings.fetch_add(1, Ordering::Relaxed);
        let rows: Arc<Vec<u32>> = Arc::new(operations.into_iter().map(EditOp::to_bits).collect());
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        *listed = Some((block, moves, rows.clone()));
        Ok(rows)
    }

    /// Returns the name of an operation; the module keeps the strings of its names.
    pub(crate) fn name_text<'py>(&self, py: Python<'py>, op: u32) -> PyResult<Bound<'py, PyString>> {
        if let Some(module) = &self.module
            && let Some(shape) = self.look(py, |editor| editor.file_shape(editor.handle(op)))?
        {
            return module.get().op_name(py, shape.name);
        }
        let name = self.look(py, |editor| editor.name(editor.handle(op)))?;
        Ok(PyString::new(py, &name))
    }

    /// Returns the location of an operation.
    pub(crate) fn location_of<'py>(&self, py: Python<'py>, op: u32) -> PyResult<Bound<'py, Attribute>> {
        self.attribute_object(py, self.look(py, |editor| editor.location(editor.handle(op)))?)
    }

    /// Returns the type of a value.
    pub(crate) fn type_of<'py>(&self, py: Python<'py>, value: u32) -> PyResult<Bound<'py, Type>> {
        self.type_object(py, self.look(py, |editor| editor.value_type(editor.handle(value)))?)
    }

    fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, Editor>> {
        // The thread that holds the lock may need the interpreter meanwhile.
        self.inner.lock_py_attached(py).map_err(|_| {
            PyValueError::new_err("an earlier edit of this module failed halfway; call `edit()` again")
        })
    }

    fn done<T>(&self, py: Python<'_>, result: ::mlirbc::Result<T>) -> PyResult<T> {
        result.map_err(|error| match error.kind() {
            // The index came from the caller and not from the file.
            ErrorKind::Index if error.offset().is_none() => PyIndexError::new_err(error.to_string()),
            _ => raise(py, error, Some(&self.interrupt)),
        })
    }

    /// Returns the handle of the item with a number.
    pub(crate) fn handle<H: Handle>(&self, number: u32) -> H {
        H::new(number, self.number)
    }

    /// Runs `work` without changing anything.
    pub(crate) fn look<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Editor) -> ::mlirbc::Result<T>,
    ) -> PyResult<T> {
        let result = work(&mut *self.lock(py)?);
        self.done(py, result)
    }

    /// Returns the edited module as a readable module; for an operation outside of blocks, a module with only
    /// this operation. The result is cached until something changes.
    pub(crate) fn snapshot(&self, py: Python<'_>, op: Option<EditOp>) -> PyResult<Py<Module>> {
        let revision = self.revision();
        let root = match op {
            Some(op) => self.look(py, |editor| editor.detached_root_of(op))?,
            None => None,
        };
        if let Some(module) = self.known_snapshot(py, revision, root) {
            return Ok(module);
        }
        let mut editor = self.lock(py)?;
        let inner = &mut *editor;
        let snapshot = py.detach(|| match root {
            Some(root) => inner.snapshot_of(root),
            None => inner.snapshot(),
        });
        drop(editor);
        if let Some(raised) = self.interrupt.take() {
            return Err(raised);
        }
        let module = Py::new(py, Module::new(py, snapshot, self.interrupt.clone())?)?;
        let mut snapshots = self.snapshots.lock().unwrap_or_else(PoisonError::into_inner);
        let cached_snapshot = Snapshot { revision, root, module: module.clone_ref(py) };
        snapshots[usize::from(root.is_some())] = Some(cached_snapshot);
        Ok(module)
    }

    fn known_snapshot(&self, py: Python<'_>, revision: u64, root: Option<EditOp>) -> Option<Py<Module>> {
        let snapshots = self.snapshots.lock().unwrap_or_else(PoisonError::into_inner);
        let cached =
            snapshots.iter().flatten().find(|cached| (cached.revision, cached.root) == (revision, root));
        cached.map(|cached| cached.module.clone_ref(py))
    }

    /// Runs `work`, which may change the module.
    pub(crate) fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Editor) -> ::mlirbc::Result<T>,
    ) -> PyResult<T> {
        let result = work(&mut *self.lock(py)?);
        self.revision.fetch_add(1, Ordering::Relaxed);
        self.done(py, result)
    }

    /// Runs `work` with two editors. The editors are locked in the order of their addresses, so that two
    /// threads with the same two editors cannot deadlock.
    pub(crate) fn with_other<T: Send>(
        &self,
        py: Python<'_>,
        other: &Self,
        work: impl FnOnce(&mut Editor, &mut Editor) -> ::mlirbc::Result<T> + Send,
    ) -> PyResult<T> {
        let is_first = std::ptr::from_ref(self) < std::ptr::from_ref(other);
        let (first, second) = if is_first { (self, other) } else { (other, self) };
        let (mut first, mut second) = (first.lock(py)?, second.lock(py)?);
        let (this_editor, other_editor) =
            if is_first { (&mut *first, &mut *second) } else { (&mut *second, &mut *first) };
        let result = py.detach(|| work(this_editor, other_editor));
        drop((first, second));
        self.revision.fetch_add(1, Ordering::Relaxed);
        if let Some(raised) = other.interrupt.take() {
            return Err(raised);
        }
        self.done(py, result)
    }

    /// Returns the properties and the other attributes by name, sorted; `None` if the writer did not know the
    /// operation, so that a dictionary has its properties. Operations may share the result, which callers must
    /// not change.
    pub(crate) fn attribute_dict<'py>(
        &self,
        py: Python<'py>,
        op: u32,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let shape = self.look(py, |editor| editor.file_shape(editor.handle(op)))?;
        if let Some(shape) = shape
            && let Ok(shapes) = self.shapes.lock()
            && let Some(known) = shapes.get(&shape)
        {
            return Ok(Some(known.bind(py).clone()));
        }
        let state = self.look(py, |editor| editor.property_state(editor.handle(op)))?;
        if state == PropertyState::Attribute {
            return Ok(None);
        }
        let rows = self.read_attributes(py, op)?;
        if let Some(shape) = shape
            && let Ok(mut shapes) = self.shapes.lock()
            && shapes.len() < MOST_SHAPES
            && rows.len() <= MOST_KEPT_ROWS
        {
            shapes.insert(shape, rows.clone().unbind());
        }
        Ok(Some(rows))
    }

    /// Returns the attribute with this name.
    pub(crate) fn attribute_named<'py>(
        &self,
        py: Python<'py>,
        op: u32,
        name: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Bound<'py, Attribute>>> {
        let name = bytes_of(name)?;
        let attribute = self.look(py, |editor| editor.attribute(editor.handle(op), name))?;
        attribute.map(|value| self.attribute_object(py, value)).transpose()
    }

    pub(crate) fn read_attributes<'py>(&self, py: Python<'py>, op: u32) -> PyResult<Bound<'py, PyDict>> {
        let attributes = self.look(py, |editor| editor.attributes(editor.handle(op)))?;
        let rows = PyDict::new(py);
        for row in attributes {
            rows.set_item(text(py, &row.name)?, self.attribute_object(py, row.value)?)?;
        }
        Ok(rows)
    }

    // Returns the object of an attribute; the module keeps the objects of its entries.
    pub(crate) fn attribute_object<'py>(
        &self,
        py: Python<'py>,
        value: CoreAttribute,
    ) -> PyResult<Bound<'py, Attribute>> {
        match (&self.module, value.file(), value.id()) {
            (Some(module), Some(file), Some(id)) if file.is(module.get().inner.tables()) => {
                module.get().attribute(py, id)
            }
            _ => Attribute::object(py, value),
        }
    }

    // Returns the object of a type, as `attribute_object` does.
    fn type_object<'py>(&self, py: Python<'py>, value: CoreType) -> PyResult<Bound<'py, Type>> {
        match (&self.module, value.file(), value.id()) {
            (Some(module), Some(file), Some(id)) if file.is(module.get().inner.tables()) => {
                module.get().r#type(py, id)
            }
            _ => Type::object(py, value),
        }
    }

    /// Returns the module that is edited; `None` for a new module.
    pub(crate) fn module(&self) -> Option<::mlirbc::Module> {
        self.module.as_ref().map(|module| module.get().inner.clone())
    }

    /// Returns a number that changes with every edit.
    pub(crate) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Relaxed)
    }

    /// Returns the source of the data layout at an operation.
    pub(crate) fn layout_source(
        &self,
        py: Python<'_>,
        of: u32,
        is_region: bool,
        options: &Options,
    ) -> PyResult<LayoutSource> {
        let editor = self.lock(py)?;
        let result = match is_region {
            true => LayoutSource::of_edited_region(&editor, editor.handle(of), options),
            false => LayoutSource::of_edit(&editor, editor.handle(of), options),
        };
        drop(editor);
        self.done(py, result)
    }

    fn written(
        &self,
        py: Python<'_>,
        result: ::mlirbc::Result<WriteReport>,
    ) -> PyResult<crate::report::WriteReport> {
        if let Some(raised) = self.interrupt.take() {
            return Err(raised);
        }
        let report = self.done(py, result)?;
        write::warn(py, &report.losses)?;
        Ok(crate::report::WriteReport::new(report))
    }
}

/// Returns a place in an editor from a word and the number of an item.
pub(crate) fn insertion_point(editor: &PyEditor, place: &str, beside: u32) -> PyResult<InsertionPoint> {
    Ok(match place {
        "begin" => InsertionPoint::AtBegin(editor.handle(beside)),
        "end" => InsertionPoint::AtEnd(editor.handle(beside)),
        "before" => InsertionPoint::Before(editor.handle(beside)),
        "after" => InsertionPoint::After(editor.handle(beside)),
        other => return Err(PyValueError::new_err(format!("no place is called {other:?}"))),
    })
}

fn content(given: &Bound<'_, PyAny>, alignment: Option<u64>) -> PyResult<ResourceContent> {
    if let Ok(value) = given.cast::<PyBool>() {
        return Ok(ResourceContent::Bool(value.is_true()));
    }
    if given.is_instance_of::<PyString>() {
        return Ok(ResourceContent::String(bytes_of(given)?));
    }
    if given.hasattr("__fspath__")? {
        let path: PathBuf = given.extract()?;
        return Ok(ResourceContent::File { path, range: None, alignment });
    }
    Ok(ResourceContent::Blob { bytes: foreign(given)?, alignment })
}

impl Reads for PyEditor {
    fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
        self.module.as_ref().map(|module| module.get().inner.tables())
    }
}

/// A state of the edits of a module.
#[pyclass(frozen, module = "mlirbc._mlirbc")]
pub(crate) struct _Checkpoint(Checkpoint);

#[checked]
#[pymethods]
impl PyEditor {
    #[new]
    fn new(py: Python<'_>, module: Bound<'_, Module>) -> PyResult<Self> {
        module.get().ensure_open()?;
        let (inner, interrupt) = (module.get().inner.clone(), module.get().interrupt.clone());
        let editor = py.detach(|| Editor::new(inner)).map_err(|error| module.get().raise(py, error))?;
        Ok(Self::of(editor, Some(module.unbind()), interrupt))
    }

    #[staticmethod]
    fn create_module(
        py: Python<'_>,
        release: &str,
        version: u64,
        location: Option<&Bound<'_, Attribute>>,
        dialects: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let version = BytecodeVersion::new(version).ok_or_else(|| {
            PyValueError::new_err(format!("expected a bytecode version from 0 to 6, found {version}"))
        })?;
        let location = location.map(|location| location.get().value(py)).transpose()?;
        let interrupt = Arc::new(Interrupt::default());
        let (tables, interfaces) = match dialects {
            Some(list) => dialect_hooks::split(py, list)?,
            None => (Vec::new(), Vec::new()),
        };
        let interrupt_flag = interrupt.clone();
        let options = ReadOptions::default()
            .dialects(tables)
            .interfaces(dialect_hooks::interfaces(py, &interfaces)?)
            .interrupt(Arc::new(move || interrupt_flag.requested()));
        let editor = Editor::create_module_with(
            &Release::named(release.to_owned()),
            version,
            location.as_ref(),
            options,
        );
        let editor = editor.map_err(|error| raise(py, error, Some(&interrupt)))?;
        Ok(Self::of(editor, None, interrupt))
    }

    #[getter]
    fn is_changed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.lock(py)?.is_changed())
    }

    // ---- from handles of the module ----

    fn op(&self, py: Python<'_>, handle: &Bound<'_, Operation>) -> PyResult<u32> {
        let handle = handle.get();
        self.check(&handle.module)?;
        self.look(py, |editor| editor.op(handle.body(), handle.id())).map(EditOp::to_bits)
    }

    fn block(&self, py: Python<'_>, handle: &Bound<'_, Block>) -> PyResult<u32> {
        let handle = handle.get();
        self.check(&handle.module)?;
        self.look(py, |editor| editor.block(handle.body, handle.id)).map(EditBlock::to_bits)
    }

    fn region(&self, py: Python<'_>, handle: &Bound<'_, Region>) -> PyResult<u32> {
        let handle = handle.get();
        self.check(&handle.module)?;
        self.look(py, |editor| editor.region(handle.body, handle.id)).map(EditRegion::to_bits)
    }

    fn value(&self, py: Python<'_>, handle: &Bound<'_, Value>) -> PyResult<u32> {
        let handle = handle.get();
        self.check(&handle.module)?;
        self.look(py, |editor| editor.value(handle.body(), handle.id())).map(EditValue::to_bits)
    }

    // ---- queries ----

    fn operation(&self, py: Python<'_>) -> PyResult<u32> {
        self.look(py, |editor| editor.operation()).map(EditOp::to_bits)
    }

    fn name<'py>(&self, py: Python<'py>, op: u32) -> PyResult<Bound<'py, PyString>> {
        self.name_text(py, op)
    }

    /// How often the operations of a block were listed.
    #[getter]
    fn listings(&self) -> u64 {
        self.listings.load(Ordering::Relaxed)
    }

    /// A number that changes with every edit.
    #[getter(revision)]
    fn current_revision(&self) -> u64 {
        self.revision()
    }

    /// Returns the number of the block of the top-level operations.
    fn top_level(&self, py: Python<'_>) -> PyResult<u32> {
        self.look(py, |editor| Ok(editor.top_level().to_bits()))
    }

    /// Returns the module as a readable one, cached until something changes.
    #[pyo3(name = "snapshot")]
    fn module_snapshot(&self, py: Python<'_>) -> PyResult<Py<Module>> {
        self.snapshot(py, None)
    }

    fn checkpoint(&self, py: Python<'_>) -> PyResult<_Checkpoint> {
        self.with(py, |editor| editor.checkpoint()).map(_Checkpoint)
    }

    fn rollback(&self, py: Python<'_>, to: &_Checkpoint) -> PyResult<()> {
        self.with(py, |editor| editor.rollback(&to.0))
    }

    #[setter]
    fn set_is_plain(&self, is_plain: bool) {
        self.is_plain.store(is_plain, Ordering::Relaxed);
    }

    #[setter]
    fn set_has_moved_parts(&self, has_moved_parts: bool) {
        self.has_moved_parts.store(has_moved_parts, Ordering::Relaxed);
    }

    fn is_erased(&self, py: Python<'_>, op: u32) -> PyResult<bool> {
        Ok(self.lock(py)?.is_erased(self.handle(op)))
    }

    fn operands(&self, py: Python<'_>, op: u32) -> PyResult<Vec<u32>> {
        let operands = self.look(py, |editor| editor.operands(editor.handle(op)))?;
        Ok(operands.into_iter().map(EditValue::to_bits).collect())
    }

    fn results(&self, py: Python<'_>, op: u32) -> PyResult<Vec<u32>> {
        let results = self.look(py, |editor| editor.results(editor.handle(op)))?;
        Ok(results.into_iter().map(EditValue::to_bits).collect())
    }

    fn successors(&self, py: Python<'_>, op: u32) -> PyResult<Vec<u32>> {
        let successors = self.look(py, |editor| editor.successors(editor.handle(op)))?;
        Ok(successors.into_iter().map(EditBlock::to_bits).collect())
    }

    fn regions(&self, py: Python<'_>, op: u32) -> PyResult<Vec<u32>> {
        let regions = self.look(py, |editor| editor.regions(editor.handle(op)))?;
        Ok(regions.into_iter().map(EditRegion::to_bits).collect())
    }

    fn parent(&self, py: Python<'_>, op: u32) -> PyResult<Option<u32>> {
        Ok(self.look(py, |editor| editor.parent(editor.handle(op)))?.map(EditOp::to_bits))
    }

    fn block_of(&self, py: Python<'_>, op: u32) -> PyResult<Option<u32>> {
        Ok(self.look(py, |editor| editor.block_of(editor.handle(op)))?.map(EditBlock::to_bits))
    }

    fn region_of(&self, py: Python<'_>, block: u32) -> PyResult<Option<u32>> {
        Ok(self.look(py, |editor| editor.region_of(editor.handle(block)))?.map(EditRegion::to_bits))
    }

    fn owner_of_region(&self, py: Python<'_>, region: u32) -> PyResult<Option<u32>> {
        let owner = self.look(py, |editor| editor.owner_of_region(editor.handle(region)))?;
        Ok(owner.map(EditOp::to_bits))
    }

    fn blocks(&self, py: Python<'_>, region: u32) -> PyResult<Vec<u32>> {
        let blocks = self.look(py, |editor| editor.blocks(editor.handle(region)))?;
        Ok(blocks.into_iter().map(EditBlock::to_bits).collect())
    }

    fn operations(&self, py: Python<'_>, block: u32) -> PyResult<Vec<u32>> {
        let operations = self.look(py, |editor| editor.operations(editor.handle(block)))?;
        Ok(operations.into_iter().map(EditOp::to_bits).collect())
    }

    /// Returns the last operation of a block, without listing the others.
    fn last_operation(&self, py: Python<'_>, block: u32) -> PyResult<Option<u32>> {
        let last = self.look(py, |editor| editor.last_operation(editor.handle(block)))?;
        Ok(last.map(EditOp::to_bits))
    }

    fn operation_count(&self, py: Python<'_>, block: u32) -> PyResult<usize> {
        self.look(py, |editor| editor.operation_count(editor.handle(block)))
    }

    /// Returns the number of insertions into blocks and removals; a list of operations is valid until it
    /// changes.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.moves())
    }

    fn arguments(&self, py: Python<'_>, block: u32) -> PyResult<Vec<u32>> {
        let arguments = self.look(py, |editor| editor.arguments(editor.handle(block)))?;
        Ok(arguments.into_iter().map(EditValue::to_bits).collect())
    }

    fn definition(&self, py: Python<'_>, value: u32) -> PyResult<_Definition> {
        let (owner, number) = self.look(py, |editor| editor.definition(editor.handle(value)))?;
        Ok(match owner {
            Ok(op) => _Definition { is_argument: false, owner: op.to_bits(), number },
            Err(block) => _Definition { is_argument: true, owner: block.to_bits(), number },
        })
    }

    fn uses(&self, py: Python<'_>, value: u32) -> PyResult<Vec<_Use>> {
        let uses = self.look(py, |editor| editor.uses(editor.handle(value)))?;
        Ok(uses.into_iter().map(|(op, number)| _Use { op: op.to_bits(), operand_number: number }).collect())
    }

    /// Returns the names of the properties and of the other attributes.
    fn attribute_names<'py>(&self, py: Python<'py>, op: u32) -> PyResult<Bound<'py, PyList>> {
        match self.attribute_dict(py, op)? {
            Some(rows) => Ok(rows.keys()),
            None => Ok(self.read_attributes(py, op)?.keys()),
        }
    }

    fn attribute<'py>(
        &self,
        py: Python<'py>,
        op: u32,
        name: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Bound<'py, Attribute>>> {
        self.attribute_named(py, op, name)
    }

    // ---- changes ----

    fn set_attribute(
        &self,
        py: Python<'_>,
        op: u32,
        name: &Bound<'_, PyAny>,
        value: &Bound<'_, Attribute>,
    ) -> PyResult<()> {
        let (name, value) = (bytes_of(name)?, value.get().value(py)?);
        self.with(py, |editor| editor.set_attribute(editor.handle(op), name, &value))
    }

    fn remove_attribute(&self, py: Python<'_>, op: u32, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let name = bytes_of(name)?;
        self.with(py, |editor| editor.remove_attribute(editor.handle(op), name))
    }

    fn set_location(&self, py: Python<'_>, op: u32, location: &Bound<'_, Attribute>) -> PyResult<()> {
        let location = location.get().value(py)?;
        self.with(py, |editor| editor.set_location(editor.handle(op), &location))
    }

    fn set_argument_location(
        &self,
        py: Python<'_>,
        value: u32,
        location: &Bound<'_, Attribute>,
    ) -> PyResult<()> {
        let location = location.get().value(py)?;
        self.with(py, |editor| editor.set_argument_location(editor.handle(value), &location))
    }

    fn set_type(&self, py: Python<'_>, value: u32, r#type: &Bound<'_, Type>) -> PyResult<()> {
        let r#type = r#type.get().value(py)?;
        self.with(py, |editor| editor.set_type(editor.handle(value), &r#type))
    }

    fn set_operand(&self, py: Python<'_>, op: u32, number: usize, value: u32) -> PyResult<()> {
        let value = self.handle(value);
        self.with(py, |editor| editor.set_operand(editor.handle(op), number, value))
    }

    fn set_operands(&self, py: Python<'_>, op: u32, values: Vec<u32>) -> PyResult<()> {
        let values: Vec<_> = values.into_iter().map(|value| self.handle(value)).collect();
        self.with(py, |editor| editor.set_operands(editor.handle(op), &values))
    }

    fn set_successor(&self, py: Python<'_>, op: u32, number: usize, block: u32) -> PyResult<()> {
        let block = self.handle(block);
        self.with(py, |editor| editor.set_successor(editor.handle(op), number, block))
    }

    fn replace_all_uses_with(&self, py: Python<'_>, value: u32, other: u32) -> PyResult<()> {
        let (value, other) = (self.handle(value), self.handle(other));
        self.with(py, |editor| editor.replace_all_uses_with(value, other))
    }

    // ---- creation, moves, removal ----

    #[allow(clippy::too_many_arguments)] // the parts of an operation
    fn create(
        &self,
        py: Python<'_>,
        name: String,
        operands: Vec<u32>,
        results: Vec<Bound<'_, Type>>,
        attributes: Vec<(Bound<'_, PyAny>, Bound<'_, Attribute>)>,
        successors: Vec<u32>,
        regions: usize,
        location: Option<&Bound<'_, Attribute>>,
        verify: bool,
    ) -> PyResult<u32> {
        let new = NewOperation {
            name,
            operands: operands.into_iter().map(|value| self.handle(value)).collect(),
            results: results.iter().map(|of| of.get().value(py)).collect::<PyResult<_>>()?,
            attributes: attributes
                .iter()
                .map(|(name, value)| Ok((bytes_of(name)?, value.get().value(py)?)))
                .collect::<PyResult<_>>()?,
            successors: successors.into_iter().map(|block| self.handle(block)).collect(),
            regions,
            location: location.map(|location| location.get().value(py)).transpose()?,
            is_unchecked: !verify,
        };
        self.with(py, |editor| editor.create_detached(&new)).map(EditOp::to_bits)
    }

    fn insert(&self, py: Python<'_>, op: u32, place: &str, beside: u32) -> PyResult<()> {
        let at = insertion_point(self, place, beside)?;
        self.with(py, |editor| editor.insert(editor.handle(op), at))
    }

    fn add_block(
        &self,
        py: Python<'_>,
        region: u32,
        before: Option<usize>,
        types: Vec<Bound<'_, Type>>,
    ) -> PyResult<u32> {
        let types = types.iter().map(|of| of.get().value(py)).collect::<PyResult<Vec<_>>>()?;
        self.with(py, |editor| editor.add_block(editor.handle(region), before, &types))
            .map(EditBlock::to_bits)
    }

    fn add_argument(
        &self,
        py: Python<'_>,
        block: u32,
        r#type: &Bound<'_, Type>,
        location: Option<&Bound<'_, Attribute>>,
    ) -> PyResult<u32> {
        let r#type = r#type.get().value(py)?;
        let location = location.map(|location| location.get().value(py)).transpose()?;
        self.with(py, |editor| editor.add_argument(editor.handle(block), &r#type, location.as_ref()))
            .map(EditValue::to_bits)
    }

    fn clone(&self, py: Python<'_>, op: u32) -> PyResult<u32> {
        self.with(py, |editor| editor.clone_op(editor.handle(op))).map(EditOp::to_bits)
    }

    fn move_before(&self, py: Python<'_>, op: u32, other: u32) -> PyResult<()> {
        let other = self.handle(other);
        self.with(py, |editor| editor.move_before(editor.handle(op), other))
    }

    fn move_after(&self, py: Python<'_>, op: u32, other: u32) -> PyResult<()> {
        let other = self.handle(other);
        self.with(py, |editor| editor.move_after(editor.handle(op), other))
    }

    fn detach(&self, py: Python<'_>, op: u32) -> PyResult<()> {
        self.with(py, |editor| editor.detach(editor.handle(op)))
    }

    fn erase(&self, py: Python<'_>, op: u32) -> PyResult<()> {
        self.with(py, |editor| editor.erase(editor.handle(op)))
    }

    fn erase_block(&self, py: Python<'_>, block: u32) -> PyResult<()> {
        self.with(py, |editor| editor.erase_block(editor.handle(block)))
    }

    fn erase_argument(&self, py: Python<'_>, block: u32, number: usize) -> PyResult<()> {
        self.with(py, |editor| editor.erase_argument(editor.handle(block), number))
    }

    fn clear_region(&self, py: Python<'_>, region: u32) -> PyResult<()> {
        self.with(py, |editor| editor.clear_region(editor.handle(region)))
    }

    // ---- symbols, resources ----

    fn symbol(&self, py: Python<'_>, name: &Bound<'_, PyAny>, scope: Option<u32>) -> PyResult<Option<u32>> {
        let (name, scope) = (bytes_of(name)?, scope.map(|op| self.handle(op)));
        Ok(self.look(py, |editor| editor.symbol_in(name, scope))?.map(EditOp::to_bits))
    }

    fn rename_symbol(
        &self,
        py: Python<'_>,
        old: &Bound<'_, PyAny>,
        new: &Bound<'_, PyAny>,
        scope: Option<u32>,
    ) -> PyResult<()> {
        let (old, new, scope) = (bytes_of(old)?, bytes_of(new)?, scope.map(|op| self.handle(op)));
        self.with(py, |editor| editor.rename_symbol_in(old, new, scope))
    }

    pub(crate) fn set_resource(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        given: &Bound<'_, PyAny>,
        alignment: Option<u64>,
        resize: bool,
    ) -> PyResult<()> {
        let (key, content) = (bytes_of(key)?, content(given, alignment)?);
        self.with(py, |editor| match resize {
            true => editor.resize_resource(key, content),
            false => editor.set_resource(key, content),
        })
    }

    pub(crate) fn add_resource(
        &self,
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        given: &Bound<'_, PyAny>,
        group: &Bound<'_, PyAny>,
        is_external: bool,
        alignment: Option<u64>,
    ) -> PyResult<()> {
        let (key, content, name) = (bytes_of(key)?, content(given, alignment)?, bytes_of(group)?);
        let group = if is_external { ResourceGroup::External(name) } else { ResourceGroup::Dialect(name) };
        self.with(py, |editor| editor.add_resource(NewResource { key, group, content }))
    }

    pub(crate) fn remove_resource(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = bytes_of(key)?;
        self.with(py, |editor| editor.remove_resource(key))
    }

    // ---- writing ----

    fn verify(&self, py: Python<'_>, symbols: bool) -> PyResult<()> {
        let mut editor = self.lock(py)?;
        let inner = &mut *editor;
        let verified = py.detach(|| inner.verify(symbols));
        drop(editor);
        self.done(py, verified)
    }

    #[pyo3(signature = (*, verify = true, numbering = None, version = None, target = None, producer = None,
        drop_unsupported = false, strict = false, strip_locations = false, strip_resources = false, dialect_versions = None,
        allow_newer_versions = false, purge = false))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn write<'py>(
        &self,
        py: Python<'py>,
        verify: bool,
        numbering: Option<&str>,
        version: Option<u64>,
        target: Option<String>,
        producer: Option<&Bound<'py, PyAny>>,
        drop_unsupported: bool,
        strict: bool,
        strip_locations: bool,
        strip_resources: bool,
        dialect_versions: Option<&Bound<'py, PyMapping>>,
        allow_newer_versions: bool,
        purge: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let producer = write::producer(producer)?;
        let dialect_versions = write::dialect_versions(dialect_versions)?;
        let keywords = write::Keywords {
            numbering,
            version,
            target,
            producer,
            drop_unsupported,
            strict,
            strip_locations,
            strip_resources,
            dialect_versions,
            allow_newer_versions,
            purge,
        };
        let source_version = self.look(py, |editor| Ok(editor.base().tables().bytecode().version()))?;
        let options = keywords.options(Some(source_version))?;
        let mut memory = write::Memory { bytes: Vec::new(), interrupt: self.interrupt.clone() };
        let mut editor = self.lock(py)?;
        editor.set_verification(verify, false);
        let inner = &mut *editor;
        let report = py.detach(|| inner.write(&mut memory, &options));
        drop(editor);
        let report = self.written(py, report)?;
        written_bytes(py, memory.bytes.len(), |place| {
            place.copy_from_slice(&memory.bytes);
            Ok(report)
        })
    }

    #[pyo3(signature = (path, *, verify = true, numbering = None, version = None, target = None, producer = None,
        drop_unsupported = false, strict = false, strip_locations = false, strip_resources = false, dialect_versions = None,
        allow_newer_versions = false, purge = false, bare = false))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        verify: bool,
        numbering: Option<&str>,
        version: Option<u64>,
        target: Option<String>,
        producer: Option<&Bound<'_, PyAny>>,
        drop_unsupported: bool,
        strict: bool,
        strip_locations: bool,
        strip_resources: bool,
        dialect_versions: Option<&Bound<'_, PyMapping>>,
        allow_newer_versions: bool,
        purge: bool,
        bare: bool,
    ) -> PyResult<crate::report::WriteReport> {
        let producer = write::producer(producer)?;
        let dialect_versions = write::dialect_versions(dialect_versions)?;
        let keywords = write::Keywords {
            numbering,
            version,
            target,
            producer,
            drop_unsupported,
            strict,
            strip_locations,
            strip_resources,
            dialect_versions,
            allow_newer_versions,
            purge,
        };
        let source_version = self.look(py, |editor| Ok(editor.base().tables().bytecode().version()))?;
        let options = keywords.options(Some(source_version))?;
        let mut editor = self.lock(py)?;
        editor.set_verification(verify, false);
        let inner = &mut *editor;
        let report = py.detach(|| match bare {
            true => inner.save(&path, &options),
            false => inner.save_contained(&path, &options),
        });
        drop(editor);
        if report.is_ok() {
            crate::log::saved(py, &path)?;
        }
        self.written(py, report)
    }
}

impl PyEditor {
    // A handle of another module has no meaning in this editor.
    fn check(&self, module: &Py<Module>) -> PyResult<()> {
        match &self.module {
            Some(own) if own.is(module) => Ok(()),
            _ => Err(PyTypeError::new_err("the handle belongs to another module")),
        }
    }
}
