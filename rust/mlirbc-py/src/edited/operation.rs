//! Operations of edited modules.
//!
//! Longer than other files: a class of Python is one block of methods.

use ::mlirbc::edit::{EditBlock, EditOp, EditProperties, EditValue};
use ::mlirbc::tool::printable;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use super::attributes::AttributeMap;
use super::handle::{EditedItem, Kind, Target, handle_methods};
use super::lists::{HandleList, ListKind};
use super::rename;
use super::walk::walk;
use crate::field::to_python;
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::Operation;
use crate::handle::module::Module;
use crate::print::Printed;
use crate::reading::{OperationReading, TextSource, operation_methods};
use crate::reuse::{Reusable, Slot};
use crate::text::text;

/// The lists and maps of an operation, which a loop reuses.
struct KeptLists {
    operands: Slot<HandleList>,
    results: Slot<HandleList>,
    attributes: Slot<AttributeMap>,
}

impl KeptLists {
    fn new() -> Self {
        Self { operands: Slot::new(), results: Slot::new(), attributes: Slot::new() }
    }
}

/// The base of operations of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedOperation")]
pub(crate) struct EditedOperation {
    target: Target,
    // Only for handles that a loop reuses.
    kept: Option<Box<KeptLists>>,
}

impl Reusable for EditedOperation {
    type Id = u32;

    fn set_id(this: &Bound<'_, Self>, row: u32) {
        this.get().target.set_row(row);
    }
}

fn types_of(py: Python<'_>, types: &[Bound<'_, Type>]) -> PyResult<Vec<::mlirbc::Type>> {
    types.iter().map(|r#type| r#type.get().value(py)).collect()
}

/// Returns items in groups; an empty dictionary if the sizes do not fit.
fn grouped<'py>(
    py: Python<'py>,
    groups: Vec<(String, usize)>,
    items: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let items = PyList::new(py, items.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
    let items_by_name = PyDict::new(py);
    if groups.iter().map(|(_, size)| size).sum::<usize>() != items.len() {
        return Ok(items_by_name);
    }
    let mut next = 0;
    for (name, size) in groups {
        items_by_name.set_item(name, items.get_slice(next, next + size))?;
        next += size;
    }
    Ok(items_by_name)
}

impl EditedOperation {
    fn list<'py>(&self, py: Python<'py>, kind: ListKind) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, kind)
    }

    fn op_properties(&self, py: Python<'_>) -> PyResult<EditProperties> {
        self.place(py)?.look(|editor, row| editor.op_properties(editor.handle(row)))
    }
}

impl TextSource for EditedOperation {
    fn with_text<T>(
        slf: &Bound<'_, Self>,
        work: impl FnOnce(&Module, &dyn Printed) -> PyResult<T>,
    ) -> PyResult<T> {
        Operation::with_text(&read(slf)?, work)
    }
}

/// Returns the operation in a snapshot, as the class of the handle makes it.
fn read<'py>(slf: &Bound<'py, EditedOperation>) -> PyResult<Bound<'py, Operation>> {
    Ok(slf.call_method0("_read")?.cast_into::<Operation>()?)
}

impl OperationReading for EditedOperation {
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let place = self.place(py)?;
        place.editor.get().name_text(py, place.row)
    }

    fn property_state(&self, py: Python<'_>) -> PyResult<&'static str> {
        let state = self.place(py)?.look(|editor, row| editor.property_state(editor.handle(row)))?;
        Ok(state.name())
    }

    fn is_registered(&self, py: Python<'_>) -> PyResult<Option<bool>> {
        self.place(py)?.look(|editor, row| editor.is_registered(editor.handle(row)))
    }

    fn property_blob<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.place(py)?.look(|editor, row| editor.property_blob(editor.handle(row)))?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    fn attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        match &self.kept {
            Some(kept) if place.is_plain() => AttributeMap::cached(&place, &kept.attributes),
            _ => AttributeMap::of(&place, false),
        }
    }

    fn discardable_attributes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        AttributeMap::of(&self.place(py)?, true)
    }

    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self._home(py)
    }

    fn is_before_in_block(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let other_row = self.place(py)?.row_of(other)?;
        let place = self.place(py)?;
        let block_of = |op| place.look(|editor, _| editor.block_of(editor.handle(op)));
        let (block, other_block) = (block_of(place.row)?, block_of(other_row)?);
        let Some(block) = block.filter(|_| block == other_block) else {
            return Err(PyValueError::new_err("the operations are in different blocks"));
        };
        let rows = place.editor.get().rows_of_block(py, EditBlock::to_bits(block))?;
        let number = |op: u32| rows.iter().position(|&row| row == op);
        Ok(number(place.row) < number(other_row))
    }

    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        let place = self.place(py)?;
        place.editor.get().location_of(py, place.row)
    }

    fn operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.kept {
            Some(kept) => HandleList::cached(&self.place(py)?, ListKind::Operands, &kept.operands),
            None => self.list(py, ListKind::Operands),
        }
    }

    fn op_operands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        let count = place.look(|editor, row| editor.operands(editor.handle(row)))?.len();
        let class = py.import("mlirbc._edited_values")?.getattr("OpOperand")?;
        let operands = (0..count).map(|number| class.call1((place.view(place.row)?, number)));
        Ok(PyList::new(py, operands.collect::<PyResult<Vec<_>>>()?)?.into_any())
    }

    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.kept {
            Some(kept) => HandleList::cached(&self.place(py)?, ListKind::Results, &kept.results),
            None => self.list(py, ListKind::Results),
        }
    }

    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        let results = place.look(|editor, row| editor.results(editor.handle(row)))?;
        let [result] = results[..] else {
            let (name, count) = (OperationReading::name(self, py)?, results.len());
            let message = format!("Cannot call .result on operation {name} which has {count} results");
            return Err(PyValueError::new_err(message));
        };
        place.value(result.to_bits())
    }

    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, ListKind::Successors)
    }

    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, ListKind::Regions)
    }

    fn parent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let parent = place.look(|editor, row| editor.parent(editor.handle(row)))?;
        parent.map(|op| place.operation(op.to_bits())).transpose()
    }

    fn block<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let block = place.look(|editor, row| editor.block_of(editor.handle(row)))?;
        block.map(|block| place.block(block.to_bits())).transpose()
    }

    fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let properties = slf.get().op_properties(py)?;
        let class = py.import("mlirbc._edited_attributes")?.getattr("OpPropertyMap")?;
        if properties.opaque.is_some() {
            // A table of the dialect may declare their layout.
            let read = read(slf)?.getattr("properties")?;
            let values = PyDict::from_sequence(&read.call_method0("items")?)?;
            return class.call1((values, read.getattr("opaque")?));
        }
        let values = PyDict::new(py);
        for (name, value) in properties.values {
            values.set_item(text(py, &name)?, to_python(py, value)?)?;
        }
        class.call1((values, py.None()))
    }

    fn operand_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let [operands, _] = self.op_properties(py)?.groups;
        grouped(py, operands, &self.list(py, ListKind::Operands)?)
    }

    fn result_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let [_, results] = self.op_properties(py)?.groups;
        grouped(py, results, &self.list(py, ListKind::Results)?)
    }

    fn region_groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let groups = self.place(py)?.look(|editor, row| editor.region_groups(editor.handle(row)))?;
        grouped(py, groups, &OperationReading::regions(self, py)?)
    }

    fn attribute_dictionary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
        let dictionary =
            self.place(py)?.look(|editor, row| editor.attribute_dictionary(editor.handle(row)))?;
        dictionary.map(|value| Attribute::object(py, value)).transpose()
    }

    fn is_isolated_from_above(slf: &Bound<'_, Self>) -> PyResult<bool> {
        OperationReading::is_isolated_from_above(&read(slf)?)
    }

    fn path(&self, py: Python<'_>) -> PyResult<String> {
        self.place(py)?.look(|editor, row| editor.operation_path(editor.handle(row)))
    }

    fn verify(&self, py: Python<'_>) -> PyResult<bool> {
        self.place(py)?.look(|editor, row| editor.verify_op(editor.handle::<EditOp>(row)))?;
        Ok(true)
    }

    fn walk<'py>(
        slf: &Bound<'py, Self>,
        callback: &Bound<'py, PyAny>,
        walk_order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let place = slf.get().place(slf.py())?;
        walk(&place, &[place.row], callback, walk_order)
    }
}

handle_methods!(EditedOperation, operation_methods, {
    #[new]
    #[pyo3(signature = (module = None, id = None))]
    fn new(module: Option<&Bound<'_, PyAny>>, id: Option<u32>) -> PyResult<Self> {
        let target = Target::new(Kind::Operation, module, id)?;
        let lists = target.is_cached.then(|| Box::new(KeptLists::new()));
        Ok(Self { target, kept: lists })
    }

    #[setter]
    fn set_is_registered(&self, py: Python<'_>, is_registered: bool) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.set_registered(editor.handle(row), is_registered))
    }

    #[setter]
    fn set_property_blob(&self, py: Python<'_>, data: Option<Vec<u8>>) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.set_property_blob(editor.handle(row), data.as_deref()))
    }

    #[setter]
    fn set_location(&self, location: &Bound<'_, Attribute>) -> PyResult<()> {
        let py = location.py();
        let location = location.get().value(py)?;
        self.place(py)?.change(|editor, row| editor.set_location(editor.handle(row), &location))
    }

    #[setter]
    fn set_operands(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = values.py();
        let values = self.place(py)?.rows_of(values)?;
        let place = self.place(py)?;
        let values: Vec<EditValue> = values.into_iter().map(|row| place.editor.get().handle(row)).collect();
        place.change(|editor, row| editor.set_operands(editor.handle(row), &values))
    }

    #[setter]
    fn set_successors(&self, blocks: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = blocks.py();
        let blocks = self.place(py)?.rows_of(blocks)?;
        let place = self.place(py)?;
        let blocks: Vec<EditBlock> = blocks.into_iter().map(|row| place.editor.get().handle(row)).collect();
        place.change(|editor, row| editor.set_successors(editor.handle(row), &blocks))
    }

    /// Give its results these types; results are added or removed at the end.
    ///
    /// Raises `InvalidError` when a result that would be removed is used.
    ///
    ///     >>> edited = mlirbc.edit.Module.create()
    ///     >>> op = edited.detached("test.op", results=[mlirbc.Type.parse("i1")])
    ///     >>> first = op.result
    ///     >>> op.set_results([mlirbc.Type.parse("i32"), mlirbc.Type.parse("f32")])[0] == first
    ///     True
    fn set_results<'py>(
        &self,
        py: Python<'py>,
        types: Vec<Bound<'py, Type>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (types, place) = (types_of(py, &types)?, self.place(py)?);
        let results = place.change(|editor, row| editor.set_results(editor.handle(row), &types))?;
        results.into_iter().map(|result| place.value(result.to_bits())).collect()
    }

    /// A new result before the one with that number, or at the end.
    #[pyo3(signature = (r#type, index = None))]
    fn add_result<'py>(
        &self,
        r#type: &Bound<'py, Type>,
        index: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = r#type.py();
        let (r#type, place) = (r#type.get().value(py)?, self.place(py)?);
        let result = place.change(|editor, row| editor.add_result(editor.handle(row), index, &r#type))?;
        place.value(result.to_bits())
    }

    /// Take away a result. Raises `InvalidError` when it is used.
    fn erase_result(&self, py: Python<'_>, index: usize) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.erase_result(editor.handle(row), index))
    }

    /// A new region without blocks, before the one with that number or at the end.
    #[pyo3(signature = (index = None))]
    fn add_region<'py>(&self, py: Python<'py>, index: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        let region = place.change(|editor, row| editor.add_region(editor.handle(row), index))?;
        place.region(region.to_bits())
    }

    /// Take away a region with everything in it.
    ///
    /// Raises `InvalidError` when one of its values is used elsewhere.
    fn erase_region(&self, py: Python<'_>, index: usize) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.erase_region(editor.handle(row), index))
    }

    /// Replace the operands of one group, and update the segment sizes of the operation.
    ///
    /// Raises `InvalidError` when the operation has no such group, or the group cannot have as many.
    fn set_operand_group(&self, name: &str, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = values.py();
        let values = self.place(py)?.rows_of(values)?;
        let place = self.place(py)?;
        let values: Vec<EditValue> = values.into_iter().map(|row| place.editor.get().handle(row)).collect();
        place.change(|editor, row| editor.set_operand_group(editor.handle(row), name, &values))
    }

    /// Whether it was erased.
    #[getter]
    fn is_erased(&self, py: Python<'_>) -> PyResult<bool> {
        self.place(py)?.look(|editor, row| Ok(editor.is_erased(editor.handle(row))))
    }

    /// Erase it and everything inside it. Raises `InvalidError` when a result is still used.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.erase(editor.handle(row)))
    }

    /// Take it out of its block; it can be put elsewhere.
    fn detach_from_parent(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().place(slf.py())?.change(|editor, row| editor.detach(editor.handle(row)))?;
        Ok(slf)
    }

    /// Move it in front of another operation, in any block.
    fn move_before(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        let other_row = self.place(py)?.row_of(other)?;
        self.place(py)?.change(|editor, row| editor.move_before(editor.handle(row), editor.handle(other_row)))
    }

    /// Move it after another operation, in any block.
    fn move_after(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = other.py();
        let other_row = self.place(py)?.row_of(other)?;
        self.place(py)?.change(|editor, row| editor.move_after(editor.handle(row), editor.handle(other_row)))
    }

    #[doc(hidden)]
    #[pyo3(signature = (name, is_registered, properties))]
    fn _rename(
        &self,
        py: Python<'_>,
        name: &str,
        is_registered: bool,
        properties: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        rename::rename(&self.place(py)?, name, is_registered, properties)
    }

    #[doc(hidden)]
    fn _property_attribute<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Attribute>>> {
        rename::property_attribute(&self.place(py)?)
    }

    #[doc(hidden)]
    fn _property_references<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<rename::PropertyReferences<'py>>> {
        rename::property_references(&self.place(py)?)
    }

    /// Checks it and everything inside it against the definitions of the release.
    #[doc(hidden)]
    fn _verify_definitions(&self, py: Python<'_>) -> PyResult<()> {
        let place: EditedItem<'_> = self.place(py)?;
        place.snapshot(place.row)?.check_definitions(py)
    }

    /// The operation in a snapshot.
    #[doc(hidden)]
    fn _read(&self, py: Python<'_>) -> PyResult<Operation> {
        let place = self.place(py)?;
        place.snapshot(place.row)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if self.is_erased(py)? {
            return Ok("<mlirbc.edit.Operation, erased>".to_owned());
        }
        let name = self.name(py)?.to_string();
        Ok(printable(&format!("<mlirbc.edit.Operation {name}>")).into_owned())
    }
});
