//! Blocks and regions of edited modules.

use ::mlirbc::edit::{EditBlock, EditRegion, EditValue};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::handle::{Kind, Target, handle_methods};
use super::lists::{HandleList, ListKind};
use crate::handle::entry::{Attribute, Type};

/// The base of blocks of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedBlock")]
pub(crate) struct EditedBlock {
    target: Target,
}

handle_methods!(EditedBlock, {
    #[new]
    #[pyo3(signature = (module = None, id = None))]
    fn new(module: Option<&Bound<'_, PyAny>>, id: Option<u32>) -> PyResult<Self> {
        Ok(Self { target: Target::new(Kind::Block, module, id)? })
    }

    /// Its operations.
    #[getter]
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, ListKind::Operations)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.operations(py)?.try_iter()?.into_any())
    }

    /// Its arguments.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, ListKind::Arguments)
    }

    /// Its number among the blocks of its region.
    #[getter]
    fn block_number(&self, py: Python<'_>) -> PyResult<usize> {
        self.place(py)?.look(|editor, row| match editor.region_of(editor.handle(row))? {
            Some(_) => editor.block_number(editor.handle(row)),
            None => Ok(0),
        })
    }

    /// The blocks that its last operation may go to.
    #[getter]
    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let place = self.place(py)?;
        let successors = place.look(|editor, row| match editor.last_operation(editor.handle(row))? {
            Some(op) => editor.successors(op),
            None => Ok(Vec::new()),
        })?;
        let blocks = successors.into_iter().map(|block| place.block(block.to_bits()));
        PyTuple::new(py, blocks.collect::<PyResult<Vec<_>>>()?)
    }

    /// The region that it is in.
    #[getter]
    fn region<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let region = place.look(|editor, row| editor.region_of(editor.handle(row)))?;
        region.map(|region| place.region(region.to_bits())).transpose()
    }

    /// The operation that it is in; None at the top level.
    #[getter]
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let owner = place.look(|editor, row| match editor.region_of(editor.handle(row))? {
            Some(region) => editor.owner_of_region(region),
            None => Ok(None),
        })?;
        owner.map(|op| place.view(op.to_bits())).transpose()
    }

    /// A new argument after the others; its location is unknown if not given.
    #[pyo3(signature = (r#type, loc = None))]
    fn add_argument<'py>(
        &self,
        r#type: &Bound<'py, Type>,
        loc: Option<&Bound<'py, Attribute>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = r#type.py();
        let (r#type, place) = (r#type.get().value(py)?, self.place(py)?);
        let location = loc.map(|location| location.get().value(py)).transpose()?;
        let argument = place
            .change(|editor, row| editor.add_argument(editor.handle(row), &r#type, location.as_ref()))?;
        place.value(EditValue::to_bits(argument))
    }

    /// Take away an argument that nothing uses.
    fn erase_argument(&self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.erase_argument(editor.handle(row), number))
    }

    /// A new argument before the one with that number; its location is unknown if not given.
    #[pyo3(signature = (index, r#type, loc = None))]
    fn insert_argument<'py>(
        &self,
        index: usize,
        r#type: &Bound<'py, Type>,
        loc: Option<&Bound<'py, Attribute>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = r#type.py();
        let (r#type, place) = (r#type.get().value(py)?, self.place(py)?);
        let location = loc.map(|location| location.get().value(py)).transpose()?;
        let argument = place.change(|editor, row| {
            editor.insert_argument(editor.handle(row), index, &r#type, location.as_ref())
        })?;
        place.value(argument.to_bits())
    }

    /// Put an operation that is in no block at the end.
    fn append(slf: &Bound<'_, Self>, op: &Bound<'_, PyAny>) -> PyResult<()> {
        slf.get()._home(slf.py())?.call_method1("_append", (slf, op)).map(drop)
    }

    /// Move the block to the end of a region, with everything in it.
    ///
    ///     >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    ///     >>> source, target = edited.symbol("dense").regions[0], edited.symbol("main").regions[0]
    ///     >>> source.blocks[0].append_to(target)
    ///     >>> len(source.blocks), len(target.blocks)
    ///     (0, 4)
    fn append_to(slf: &Bound<'_, Self>, region: &Bound<'_, PyAny>) -> PyResult<()> {
        slf.get()._home(slf.py())?.call_method1("_move_block", (slf, region)).map(drop)
    }

    /// Erase it with everything in it.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.erase_block(editor.handle(row)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let place = self.place(py)?;
        Ok(match place.look(|editor, row| editor.operation_count(editor.handle(row))) {
            Ok(count) => format!("<mlirbc.edit.Block with {count} operations>"),
            Err(_) => "<mlirbc.edit.Block, erased>".to_owned(),
        })
    }
});

/// The base of regions of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedRegion")]
pub(crate) struct EditedRegion {
    target: Target,
}

handle_methods!(EditedRegion, {
    #[new]
    #[pyo3(signature = (module = None, id = None))]
    fn new(module: Option<&Bound<'_, PyAny>>, id: Option<u32>) -> PyResult<Self> {
        Ok(Self { target: Target::new(Kind::Region, module, id)? })
    }

    /// Its blocks; `append` makes one.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, ListKind::Blocks)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.blocks(py)?.try_iter()?.into_any())
    }

    /// The operation that contains it; None for the top level.
    #[getter]
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let owner = place.look(|editor, row| editor.owner_of_region(editor.handle(row)))?;
        owner.map(|op| place.view(op.to_bits())).transpose()
    }

    /// Erase everything in it.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.clear_region(editor.handle(row)))
    }

    /// Its number among the regions of its operation.
    #[getter]
    fn region_number(&self, py: Python<'_>) -> PyResult<u32> {
        self.place(py)?.look(|editor, row| editor.region_number(editor.handle(row)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let place = self.place(py)?;
        Ok(match place.look(|editor, row| editor.blocks(editor.handle::<EditRegion>(row))) {
            Ok(blocks) => format!("<mlirbc.edit.Region with {} blocks>", Vec::<EditBlock>::len(&blocks)),
            Err(_) => "<mlirbc.edit.Region, erased>".to_owned(),
        })
    }
});
