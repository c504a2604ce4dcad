//! The part that all handles of edited modules share: the module, and the number of the item.
//!
//! Handles are objects of Python classes, which are looked up once. To make one, the target is left in a
//! thread-local variable, and the constructor of the native base takes it.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ::mlirbc::edit::{EditOp, Editor};
use ::mlirbc::file::FileTables;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use pyo3::{PyTypeInfo, intern};

use crate::edit::PyEditor;
use crate::handle::ir::{Block, Operation};
use crate::lost_bytes::Reads;
use crate::reading::{BlockReading, OperationReading};

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Operation,
    Block,
    Region,
    Value,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::Block => "block",
            Self::Region => "region",
            Self::Value => "value",
        }
    }
}

/// An edited module and its editor.
pub(crate) struct Home {
    module: Py<PyAny>,
    editor: Py<PyEditor>,
}

impl Home {
    pub(crate) fn new(module: &Bound<'_, PyAny>) -> PyResult<Self> {
        let editor = module.getattr(intern!(module.py(), "_editor"))?.cast_into::<PyEditor>()?;
        Ok(Self { module: module.clone().unbind(), editor: editor.unbind() })
    }

    pub(crate) fn place<'py>(&self, py: Python<'py>, row: u32) -> EditedItem<'py> {
        EditedItem { module: self.module.bind(py).clone(), editor: self.editor.bind(py).clone(), row }
    }
}

impl Reads for Home {
    fn reads(&self) -> Option<&FileTables> {
        self.editor.get().reads()
    }
}

/// The item that a handle refers to.
pub(crate) struct Target {
    home: OnceLock<Home>,
    row: AtomicU32,
    kind: Kind,
    /// Whether a loop will reuse the handle; only such a handle caches other ones.
    pub(crate) is_cached: bool,
}

struct NextTarget {
    home: Home,
    row: u32,
    is_cached: bool,
}

thread_local! {
    static NEXT: RefCell<Option<NextTarget>> = const { RefCell::new(None) };
}

impl Target {
    /// Returns the target of a new handle: the one that was left, or the one of the arguments of the class.
    pub(crate) fn new(kind: Kind, module: Option<&Bound<'_, PyAny>>, row: Option<u32>) -> PyResult<Self> {
        let target = |home, row, is_cached| Self { home, row: AtomicU32::new(row), kind, is_cached };
        Ok(match (module, row) {
            (Some(module), Some(row)) => target(Home::new(module)?.into(), row, false),
            (None, None) => match NEXT.with(RefCell::take) {
                Some(next) => target(next.home.into(), next.row, next.is_cached),
                None => target(OnceLock::new(), 0, false),
            },
            _ => return Err(PyTypeError::new_err("expected a module and the number of an item in it")),
        })
    }

    /// Sets the target of a handle that was made without one.
    pub(crate) fn set(&self, module: &Bound<'_, PyAny>, row: u32) -> PyResult<()> {
        let home = Home::new(module)?;
        match self.home.set(home) {
            Ok(()) => {}
            Err(home) if self.home()?.module.is(&home.module) => {}
            Err(_) => return Err(PyTypeError::new_err("the handle refers to an item of another module")),
        }
        self.set_row(row);
        Ok(())
    }

    pub(crate) fn set_row(&self, row: u32) {
        self.row.store(row, Ordering::Relaxed);
    }

    fn home(&self) -> PyResult<&Home> {
        self.home.get().ok_or_else(|| PyValueError::new_err("the handle refers to nothing yet"))
    }

    /// Returns the module in which the item is now, and its number there.
    pub(crate) fn place<'py>(&self, py: Python<'py>) -> PyResult<EditedItem<'py>> {
        let home = self.home()?;
        let row = self.row.load(Ordering::Relaxed);
        if !home.editor.get().has_moved_parts() {
            return Ok(home.place(py, row));
        }
        let follow = intern!(py, "_follow");
        let (module, row): (Bound<'py, PyAny>, u32) =
            home.module.bind(py).call_method1(follow, (self.kind.name(), row))?.extract()?;
        Ok(Home::new(&module)?.place(py, row))
    }

    pub(crate) fn is_same(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        let (item, other_item) = (self.place(py)?, other.place(py)?);
        Ok(item.row == other_item.row && item.module.is(&other_item.module))
    }

    pub(crate) fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        let place = self.place(py)?;
        let mut hasher = DefaultHasher::new();
        (self.kind, place.row, place.module.as_ptr() as usize).hash(&mut hasher);
        Ok(hasher.finish())
    }
}

impl Reads for Target {
    fn reads(&self) -> Option<&FileTables> {
        self.home.get()?.reads()
    }
}

/// An item in the module in which it is now.
pub(crate) struct EditedItem<'py> {
    pub(crate) module: Bound<'py, PyAny>,
    pub(crate) editor: Bound<'py, PyEditor>,
    pub(crate) row: u32,
}

/// A Python class of handles or lists.
pub(crate) struct HandleClass {
    class: Py<PyType>,
    constructor: Py<PyAny>,
}

impl HandleClass {
    fn new<T: PyTypeInfo>(py: Python<'_>, module: &str, name: &str) -> PyResult<Self> {
        let class = py.import(format!("mlirbc.{module}"))?.getattr(name)?.cast_into::<PyType>()?.unbind();
        // Python initializers of the class are for callers in Python.
        let constructor = T::type_object(py).getattr("__new__")?.unbind();
        Ok(Self { class, constructor })
    }

    /// Makes an object of the class; its constructor takes what was left for it.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.constructor.bind(py).call1((&self.class,))
    }
}

/// The Python classes.
pub(crate) struct Classes {
    operation: HandleClass,
    block: HandleClass,
    region: HandleClass,
    result: HandleClass,
    argument: HandleClass,
    pub(crate) lists: [HandleClass; 7],
    pub(crate) attributes: HandleClass,
    pub(crate) discardable_attributes: HandleClass,
}

pub(crate) fn classes(py: Python<'_>) -> PyResult<&'static Classes> {
    static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || {
        use super::{attributes::AttributeMap, lists::HandleList, operation, structure, value};
        let list = |module, name| HandleClass::new::<HandleList>(py, module, name);
        Ok(Classes {
            operation: HandleClass::new::<operation::EditedOperation>(py, "_edited_operations", "Operation")?,
            block: HandleClass::new::<structure::EditedBlock>(py, "_edited_blocks", "Block")?,
            region: HandleClass::new::<structure::EditedRegion>(py, "_edited_blocks", "Region")?,
            result: HandleClass::new::<value::EditedValue>(py, "_edited_values", "OpResult")?,
            argument: HandleClass::new::<value::EditedValue>(py, "_edited_values", "BlockArgument")?,
            // In the order of `ListKind`.
            lists: [
                list("_edited_values", "OperandList")?,
                list("_edited_values", "ResultList")?,
                list("_edited_values", "ArgumentList")?,
                list("_edited_blocks", "SuccessorList")?,
                list("_edited_handles", "HandleList")?,
                list("_edited_blocks", "BlockList")?,
                list("_edited_blocks", "OperationList")?,
            ],
            attributes: HandleClass::new::<AttributeMap>(py, "_edited_attributes", "OpAttributeMap")?,
            discardable_attributes: HandleClass::new::<AttributeMap>(
                py,
                "_edited_attributes",
                "DiscardableAttributes",
            )?,
        })
    })
}

impl<'py> EditedItem<'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.module.py()
    }

    /// Reads from the editor.
    pub(crate) fn look<T>(&self, work: impl FnOnce(&mut Editor, u32) -> ::mlirbc::Result<T>) -> PyResult<T> {
        self.editor.get().look(self.py(), |editor| work(editor, self.row))
    }

    /// Runs `work`, which may change the module.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&mut Editor, u32) -> ::mlirbc::Result<T>,
    ) -> PyResult<T> {
        self.editor.get().with(self.py(), |editor| work(editor, self.row))
    }

    pub(crate) fn home(&self) -> Home {
        Home { module: self.module.clone().unbind(), editor: self.editor.clone().unbind() }
    }

    /// Whether the module makes handles of the classes of `mlirbc.edit`.
    pub(crate) fn is_plain(&self) -> bool {
        self.editor.get().is_plain()
    }

    fn made(&self, class: &HandleClass, row: u32, is_cached: bool) -> PyResult<Bound<'py, PyAny>> {
        NEXT.with(|next| next.replace(Some(NextTarget { home: self.home(), row, is_cached })));
        // If the call fails, the target must not stay for the next object.
        class.object(self.py()).inspect_err(|_| drop(NEXT.with(RefCell::take)))
    }

    fn by_module(&self, method: &Bound<'py, pyo3::types::PyString>, row: u32) -> PyResult<Bound<'py, PyAny>> {
        self.module.call_method1(method, (row,))
    }

    /// Returns a handle of `mlirbc.edit` for an operation; the module is a plain one.
    pub(crate) fn plain_operation(&self, row: u32, is_cached: bool) -> PyResult<Bound<'py, PyAny>> {
        self.made(&classes(self.py())?.operation, row, is_cached)
    }

    /// Returns the handle of an operation.
    pub(crate) fn operation(&self, row: u32) -> PyResult<Bound<'py, PyAny>> {
        match self.is_plain() {
            true => self.plain_operation(row, false),
            false => self.by_module(intern!(self.py(), "_op"), row),
        }
    }

    /// Returns the handle of an operation; in `mlirbc.mlir`, its view.
    pub(crate) fn view(&self, row: u32) -> PyResult<Bound<'py, PyAny>> {
        match self.is_plain() {
            true => self.plain_operation(row, false),
            false => self.by_module(intern!(self.py(), "_view"), row),
        }
    }

    pub(crate) fn block(&self, row: u32) -> PyResult<Bound<'py, PyAny>> {
        self.made(&classes(self.py())?.block, row, false)
    }

    pub(crate) fn region(&self, row: u32) -> PyResult<Bound<'py, PyAny>> {
        self.made(&classes(self.py())?.region, row, false)
    }

    /// Returns whether a value is an argument of a block.
    pub(crate) fn is_argument(&self, row: u32) -> PyResult<bool> {
        self.look(|editor, _| editor.definition(editor.handle(row)).map(|(owner, _)| owner.is_err()))
    }

    /// Returns a handle of `mlirbc.edit` for a value; the module is a plain one.
    pub(crate) fn plain_value(
        &self,
        row: u32,
        is_argument: bool,
        is_cached: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let classes = classes(self.py())?;
        self.made(if is_argument { &classes.argument } else { &classes.result }, row, is_cached)
    }

    /// Returns the handle of a value.
    pub(crate) fn value(&self, row: u32) -> PyResult<Bound<'py, PyAny>> {
        match self.is_plain() {
            true => self.plain_value(row, self.is_argument(row)?, false),
            false => self.by_module(intern!(self.py(), "_value"), row),
        }
    }

    /// Returns the number of a handle of this module, or of the module that it edits.
    pub(crate) fn row_of(&self, handle: &Bound<'py, PyAny>) -> PyResult<u32> {
        self.module.call_method1(intern!(self.py(), "_id_of"), (handle,))?.extract()
    }

    pub(crate) fn rows_of(&self, handles: &Bound<'py, PyAny>) -> PyResult<Vec<u32>> {
        handles.try_iter()?.map(|handle| self.row_of(&handle?)).collect()
    }

    /// Returns the handle of an operation of the module in a snapshot.
    pub(crate) fn snapshot(&self, op: u32) -> PyResult<Operation> {
        let (py, editor) = (self.py(), self.editor.get());
        let op: EditOp = editor.handle(op);
        let module = editor.snapshot(py, Some(op))?;
        let steps = editor.look(py, |editor| editor.position(op))?;
        let position = {
            let module = module.get();
            let ids = |op: ::mlirbc::Operation<'_>| (op.body_id(), op.id());
            module.detached(py, |module| Ok(module.operation_at(&steps)?.map(ids)))?
        };
        let (body, id) =
            position.ok_or_else(|| PyValueError::new_err("the operation is not in the module"))?;
        Ok(Operation::new(module, body, id))
    }

    /// Returns the handle of a block of the module in a snapshot.
    pub(crate) fn snapshot_block(&self, block: u32) -> PyResult<Block> {
        let py = self.py();
        let place = self.look(|editor, _| {
            let Some(region) = editor.region_of(editor.handle(block))? else { return Ok(None) };
            let numbers = (editor.region_number(region)?, editor.block_number(editor.handle(block))?);
            Ok(editor.owner_of_region(region)?.map(|owner| (owner, numbers)))
        })?;
        let Some((owner, (region, number))) = place else {
            return Block::top_level(self.editor.get().snapshot(py, None)?.bind(py));
        };
        self.snapshot(owner.to_bits())?.inner_block(py, region, number)
    }

    /// Returns the handle of a value of the module in a snapshot.
    pub(crate) fn snapshot_value(&self, value: u32) -> PyResult<Bound<'py, PyAny>> {
        let (owner, number) = self.look(|editor, _| editor.definition(editor.handle(value)))?;
        let values = match owner {
            Ok(op) => self.snapshot(op.to_bits())?.results(self.py())?,
            Err(block) => self.snapshot_block(block.to_bits())?.arguments(self.py())?,
        };
        values.get_item(number)
    }
}

/// The block of methods of a class of handles; the macro `$reading` has the shared methods.
macro_rules! handle_methods {
    ($name:ident, $reading:ident, { $($more:tt)* }) => {
        impl $crate::lost_bytes::Reads for $name {
            fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
                self.target.reads()
            }
        }

        impl $name {
            pub(crate) fn place<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<$crate::edited::handle::EditedItem<'py>> {
                self.target.place(py)
            }
        }

        $reading!($name, inline, {
            $($more)*

            /// Sets the item of a handle that was made without one.
            #[doc(hidden)]
            fn _set_target(&self, module: &Bound<'_, PyAny>, id: u32) -> PyResult<()> {
                self.target.set(module, id)
            }

            /// The module that it is in now.
            #[doc(hidden)]
            #[getter]
            fn _home<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(self.place(py)?.module)
            }

            /// The module that it is in now.
            #[doc(hidden)]
            #[getter]
            fn _module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(self.place(py)?.module)
            }

            #[doc(hidden)]
            #[getter]
            fn _editor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, $crate::edit::PyEditor>> {
                Ok(self.place(py)?.editor)
            }

            /// The number of the item in `_home`.
            #[doc(hidden)]
            #[getter]
            fn _id(&self, py: Python<'_>) -> PyResult<u32> {
                Ok(self.place(py)?.row)
            }

            /// The number of the item in `_home`.
            #[doc(hidden)]
            #[getter]
            fn _row(&self, py: Python<'_>) -> PyResult<u32> {
                Ok(self.place(py)?.row)
            }

            /// Returns the number of a handle of the same module.
            #[doc(hidden)]
            fn _id_of<'py>(&self, py: Python<'py>, handle: &Bound<'py, PyAny>) -> PyResult<u32> {
                self.place(py)?.row_of(handle)
            }

            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let py = other.py();
                let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
                let is_same = self.target.is_same(py, &other.get().target)?;
                Ok(pyo3::types::PyBool::new(py, is_same).to_owned().into_any().unbind())
            }

            fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
                self.target.hash(py)
            }
        });
    };
}

pub(crate) use handle_methods;
