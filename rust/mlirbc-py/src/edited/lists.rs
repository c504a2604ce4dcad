//! Lists of handles: operands, results, arguments, successors, regions, blocks and operations.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ::mlirbc::edit::{EditBlock, EditOp, EditRegion, EditValue, Editor};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple, PyType};

use super::handle::{EditedItem, Home, classes};
use super::operation::EditedOperation;
use super::value::EditedValue;
use crate::handle::entry::Type;
use crate::reuse::{Reusable, Slot};

/// The items of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Operands,
    Results,
    Arguments,
    Successors,
    Regions,
    Blocks,
    Operations,
}

/// The number of items up to which the handles' classes are looked up with the items.
const MOST_MARKED: usize = 64;

/// The numbers of the items of a list.
#[derive(Clone, Default)]
struct ItemRows {
    rows: Arc<Vec<u32>>,
    /// A bit for each of the first items, which is set for arguments of blocks; `None` if nothing is known.
    arguments: Option<u64>,
}

impl ItemRows {
    // Returns the number of an item, and whether it is an argument of a block.
    fn get(&self, number: usize) -> Option<(u32, Option<bool>)> {
        let row = *self.rows.get(number)?;
        let mark = self.arguments.filter(|_| number < MOST_MARKED);
        Some((row, mark.map(|marks| marks >> number & 1 == 1)))
    }

    fn change(&mut self) -> &mut Vec<u32> {
        self.arguments = None;
        Arc::make_mut(&mut self.rows)
    }
}

impl From<Arc<Vec<u32>>> for ItemRows {
    fn from(rows: Arc<Vec<u32>>) -> Self {
        Self { rows, arguments: None }
    }
}

fn operands(editor: &Editor, op: EditOp) -> ::mlirbc::Result<ItemRows> {
    let operands = editor.operands(op)?;
    let mut arguments = 0;
    for (number, &operand) in operands.iter().take(MOST_MARKED).enumerate() {
        arguments |= u64::from(editor.definition(operand)?.0.is_err()) << number;
    }
    Ok(ItemRows { rows: Arc::new(numbers(operands, EditValue::to_bits)), arguments: Some(arguments) })
}

impl ListKind {
    // Returns the numbers of the items of an owner.
    fn rows(self, place: &EditedItem<'_>) -> PyResult<ItemRows> {
        let editor = place.editor.get();
        if self == Self::Operations {
            return Ok(editor.rows_of_block(place.py(), place.row)?.into());
        }
        if self == Self::Operands {
            return editor.look(place.py(), |editor| operands(editor, editor.handle(place.row)));
        }
        let rows = editor.look(place.py(), |editor| {
            let row = place.row;
            Ok(match self {
                Self::Operands => numbers(editor.operands(editor.handle(row))?, EditValue::to_bits),
                Self::Results => numbers(editor.results(editor.handle(row))?, EditValue::to_bits),
                Self::Arguments => numbers(editor.arguments(editor.handle(row))?, EditValue::to_bits),
                Self::Successors => numbers(editor.successors(editor.handle(row))?, EditBlock::to_bits),
                Self::Regions => numbers(editor.regions(editor.handle(row))?, EditRegion::to_bits),
                Self::Blocks => numbers(editor.blocks(editor.handle(row))?, EditBlock::to_bits),
                Self::Operations => numbers(editor.operations(editor.handle(row))?, EditOp::to_bits),
            })
        })?;
        Ok(Arc::new(rows).into())
    }

    fn item<'py>(self, place: &EditedItem<'py>, row: u32) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Operands | Self::Results | Self::Arguments => place.value(row),
            Self::Successors | Self::Blocks => place.block(row),
            Self::Regions => place.region(row),
            Self::Operations => place.view(row),
        }
    }

    fn owner<'py>(self, place: &EditedItem<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Operands | Self::Results | Self::Successors | Self::Regions => place.operation(place.row),
            Self::Arguments | Self::Operations => place.block(place.row),
            Self::Blocks => place.region(place.row),
        }
    }

    fn out_of_range(self) -> &'static str {
        match self {
            Self::Blocks => "attempt to access out of bounds block",
            Self::Operations => "attempt to access out of bounds operation",
            _ => "index out of range",
        }
    }
}

fn numbers<H>(handles: Vec<H>, number: impl Fn(H) -> u32) -> Vec<u32> {
    handles.into_iter().map(number).collect()
}

/// The base of lists of handles: the items as they were when the list was made.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_HandleList")]
pub(crate) struct HandleList {
    home: Home,
    owner: AtomicU32,
    kind: ListKind,
    // The numbers of the items; `None` before the operations of a block are looked at.
    rows: Mutex<Option<ItemRows>>,
    is_cached: bool,
    iterator: Slot<HandleIterator>,
}

thread_local! {
    static NEXT: RefCell<Option<HandleList>> = const { RefCell::new(None) };
}

impl Reusable for HandleList {
    type Id = u32;

    fn set_id(this: &Bound<'_, Self>, owner: u32) {
        this.get().owner.store(owner, Ordering::Relaxed);
    }
}

impl HandleList {
    /// Returns the list of items of an owner.
    pub(crate) fn of<'py>(place: &EditedItem<'py>, kind: ListKind) -> PyResult<Bound<'py, PyAny>> {
        let rows = match kind {
            // Raises at once if the block was erased.
            ListKind::Operations => {
                place.look(|editor, row| editor.operation_count(editor.handle(row)))?;
                None
            }
            _ => Some(kind.rows(place)?),
        };
        Self::with_rows(place, kind, rows, false)
    }

    /// Returns the list of items of an owner in `slot`, if the list there can be reused.
    pub(crate) fn cached<'py>(
        place: &EditedItem<'py>,
        kind: ListKind,
        slot: &Slot<Self>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = kind.rows(place)?;
        let make =
            |is_cached| Ok(Self::with_rows(place, kind, Some(rows.clone()), is_cached)?.cast_into::<Self>()?);
        let list = slot.get(place.py(), true, place.row, make)?;
        list.get().set_rows(rows);
        Ok(list.into_any())
    }

    fn with_rows<'py>(
        place: &EditedItem<'py>,
        kind: ListKind,
        rows: Option<ItemRows>,
        is_cached: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let list = Self {
            home: place.home(),
            owner: AtomicU32::new(place.row),
            kind,
            rows: Mutex::new(rows),
            is_cached,
            iterator: Slot::new(),
        };
        NEXT.with(|next| next.replace(Some(list)));
        let class = &classes(place.py())?.lists[kind as usize];
        class.object(place.py()).inspect_err(|_| drop(NEXT.with(RefCell::take)))
    }

    fn place<'py>(&self, py: Python<'py>) -> EditedItem<'py> {
        self.home.place(py, self.owner.load(Ordering::Relaxed))
    }

    fn set_rows(&self, rows: ItemRows) {
        *self.rows.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
    }

    fn listed(&self) -> Option<ItemRows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn rows(&self, py: Python<'_>) -> PyResult<ItemRows> {
        if let Some(rows) = self.listed() {
            return Ok(rows);
        }
        let rows = self.kind.rows(&self.place(py))?;
        self.set_rows(rows.clone());
        Ok(rows)
    }
}

#[pymethods]
impl HandleList {
    #[new]
    fn new() -> PyResult<Self> {
        NEXT.with(RefCell::take).ok_or_else(|| PyTypeError::new_err("lists of handles come from handles"))
    }

    /// Returns the class itself: the type of the items is for type checkers.
    #[classmethod]
    fn __class_getitem__<'py>(cls: &Bound<'py, PyType>, _item: &Bound<'py, PyAny>) -> Bound<'py, PyType> {
        cls.clone()
    }

    /// The operation, block or region that the items belong to.
    #[doc(hidden)]
    #[getter]
    fn _owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.kind.owner(&self.place(py))
    }

    /// Whether the items were looked at.
    #[doc(hidden)]
    #[getter]
    fn _is_listed(&self) -> bool {
        self.listed().is_some()
    }

    /// Inserts an item that was added to the owner.
    #[doc(hidden)]
    fn _insert(&self, number: usize, row: u32) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = &mut *rows {
            let rows = rows.change();
            rows.insert(number.min(rows.len()), row);
        }
    }

    /// Replaces an item that was replaced in the owner.
    #[doc(hidden)]
    fn _replace(&self, number: usize, row: u32) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(item) = rows.as_mut().and_then(|rows| rows.change().get_mut(number)) {
            *item = row;
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        match self.listed() {
            Some(rows) => Ok(rows.rows.len()),
            None => self.place(py).look(|editor, row| editor.operation_count(editor.handle(row))),
        }
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        let rows = self.rows(py)?.rows;
        if let Ok(slice) = key.cast::<PySlice>() {
            let range = slice.indices(rows.len() as isize)?;
            let picked = (0..range.slicelength).map(|i| range.start + i as isize * range.step);
            let picked: Vec<u32> = picked.map(|index| rows[index as usize]).collect();
            return Self::with_rows(&self.place(py), self.kind, Some(Arc::new(picked).into()), false);
        }
        let Ok(number) = key.extract::<isize>() else {
            let kind = key.get_type().name()?;
            let message = format!("list indices must be integers or slices, not {kind}");
            return Err(PyTypeError::new_err(message));
        };
        let index = if number < 0 { number + rows.len() as isize } else { number };
        let row = usize::try_from(index).ok().and_then(|index| rows.get(index));
        let row = row.ok_or_else(|| PyIndexError::new_err(self.kind.out_of_range()))?;
        self.kind.item(&self.place(py), *row)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, place) = (self.rows(py)?, self.place(py));
        if rows.rows.is_empty() || !place.is_plain() {
            let items = rows.rows.iter().map(|&row| self.kind.item(&place, row));
            return Ok(PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?.try_iter()?.into_any());
        }
        let make = |_| Bound::new(py, HandleIterator::new(place.home(), self.kind));
        let iterator = self.iterator.get(py, self.is_cached, (), make)?;
        iterator.get().restart(rows);
        Ok(iterator.into_any())
    }

    /// Returns the types of the items, which are values.
    #[doc(hidden)]
    fn _types<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, Type>>> {
        let place = self.place(py);
        self.rows(py)?.rows.iter().map(|&row| place.editor.get().type_of(py, row)).collect()
    }
}

/// An iterator over handles of a plain module.
#[pyclass(frozen, module = "mlirbc._mlirbc", name = "_HandleIterator")]
pub(crate) struct HandleIterator {
    home: Home,
    kind: ListKind,
    rows: Mutex<ItemRows>,
    len: AtomicUsize,
    next: AtomicUsize,
    ops: [Slot<EditedOperation>; 2],
    results: [Slot<EditedValue>; 2],
    arguments: [Slot<EditedValue>; 2],
}

impl Reusable for HandleIterator {
    type Id = ();

    fn set_id(_: &Bound<'_, Self>, (): ()) {}
}

impl HandleIterator {
    fn new(home: Home, kind: ListKind) -> Self {
        let slots = || [Slot::new(), Slot::new()];
        let (ops, results, arguments) = ([Slot::new(), Slot::new()], slots(), slots());
        let (len, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { home, kind, rows: Mutex::default(), len, next, ops, results, arguments }
    }

    fn restart(&self, rows: ItemRows) {
        self.len.store(rows.rows.len(), Ordering::Relaxed);
        *self.rows.lock().unwrap_or_else(PoisonError::into_inner) = rows;
        self.next.store(0, Ordering::Relaxed);
    }

    fn value<'py>(&self, place: &EditedItem<'py>, is_argument: bool) -> PyResult<Bound<'py, PyAny>> {
        let row = place.row;
        let make =
            |is_cached| Ok(place.plain_value(row, is_argument, is_cached)?.cast_into::<EditedValue>()?);
        // The classes of the handles differ.
        let slots = if is_argument { &self.arguments } else { &self.results };
        Ok(Slot::first_free(place.py(), slots, row, make)?.into_any())
    }

    fn operation<'py>(&self, place: &EditedItem<'py>, row: u32) -> PyResult<Bound<'py, PyAny>> {
        let make = |is_cached| Ok(place.plain_operation(row, is_cached)?.cast_into::<EditedOperation>()?);
        Ok(Slot::first_free(place.py(), &self.ops, row, make)?.into_any())
    }
}

#[pymethods]
impl HandleIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let number = self.next.load(Ordering::Relaxed);
        if number >= self.len.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let item = self.rows.lock().unwrap_or_else(PoisonError::into_inner).get(number);
        let Some((row, is_argument)) = item else { return Ok(None) };
        self.next.store(number + 1, Ordering::Relaxed);
        let place = self.home.place(py, row);
        match self.kind {
            ListKind::Operations => self.operation(&place, row).map(Some),
            ListKind::Results => self.value(&place, false).map(Some),
            ListKind::Arguments => self.value(&place, true).map(Some),
            ListKind::Operands => {
                let is_argument = is_argument.map_or_else(|| place.is_argument(row), Ok)?;
                self.value(&place, is_argument).map(Some)
            }
            kind => kind.item(&place, row).map(Some),
        }
    }

    fn __length_hint__(&self) -> usize {
        self.len.load(Ordering::Relaxed).saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
