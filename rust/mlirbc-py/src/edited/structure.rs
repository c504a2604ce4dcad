//! Blocks and regions of edited modules.

use std::collections::HashMap;

use ::mlirbc::edit::{EditBlock, EditRegion, EditValue, Handle};
use ::mlirbc::parse::InsertOptions;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyTuple};

use super::handle::{EditedItem, Kind, Target, handle_methods};
use super::lists::{HandleList, ListKind};
use crate::edit::insertion_point;
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::Block;
use crate::reading::{BlockReading, RegionReading, block_methods, region_methods};
use crate::reuse::Reusable;

/// The base of blocks of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedBlock")]
pub(crate) struct EditedBlock {
    target: Target,
}

// Returns the insertion point of a caller, which is in the block, or the end of the block.
fn insertion_point_in<'py>(
    block: &Bound<'py, EditedBlock>,
    place: &EditedItem<'py>,
    point: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(point) = point else {
        let class = block.py().import("mlirbc._edited_blocks")?.getattr("InsertionPoint")?;
        return class.call1((block,));
    };
    if !point.getattr("_module")?.is(&place.module) || !point.getattr("block")?.eq(block)? {
        return Err(PyValueError::new_err("the insertion point is not in this block"));
    }
    Ok(point.clone())
}

fn new_sibling<'py>(
    block: &Bound<'py, EditedBlock>,
    offset: usize,
    types: &Bound<'py, PyTuple>,
    locations: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (this, py) = (block.get(), block.py());
    let Some(region) = BlockReading::region(this, py)? else {
        return Err(PyValueError::new_err("the block is in no region"));
    };
    let number = BlockReading::block_number(this, py)? + offset;
    this.place(py)?.module.call_method1("_new_block", (region, number, types, locations))
}

// Returns the comment of a label, as MLIR prints it.
fn predecessor_comment(block: &EditedBlock, py: Python<'_>, number: usize) -> PyResult<String> {
    if number == 0 {
        return Ok(String::new());
    }
    let mut names = Vec::new();
    for predecessor in BlockReading::predecessors(block, py)?.iter() {
        names.push(format!("^bb{}", predecessor.getattr("block_number")?));
    }
    Ok(match &names[..] {
        [] => "  // no predecessors".to_owned(),
        [name] => format!("  // pred: {name}"),
        names => format!("  // {} preds: {}", names.len(), names.join(", ")),
    })
}

fn handles_by_name<'py, H: Handle>(
    place: &EditedItem<'py>,
    handles: Option<&Bound<'py, PyMapping>>,
) -> PyResult<HashMap<String, H>> {
    let Some(handles) = handles else { return Ok(HashMap::new()) };
    let handle = |pair: Bound<'py, PyAny>| {
        let (name, handle): (String, Bound<'py, PyAny>) = pair.extract()?;
        Ok((name, place.editor.get().handle(place.row_of(&handle)?)))
    };
    handles.items()?.iter().map(handle).collect()
}

impl Reusable for EditedBlock {
    type Id = u32;

    fn set_id(this: &Bound<'_, Self>, row: u32) {
        this.get().target.set_row(row);
    }
}

impl BlockReading for EditedBlock {
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, ListKind::Operations)
    }

    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, ListKind::Arguments)
    }

    fn block_number(&self, py: Python<'_>) -> PyResult<usize> {
        self.place(py)?.look(|editor, row| match editor.region_of(editor.handle(row))? {
            Some(_) => editor.block_number(editor.handle(row)),
            None => Ok(0),
        })
    }

    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let place = self.place(py)?;
        let successors = place.look(|editor, row| match editor.last_operation(editor.handle(row))? {
            Some(op) => editor.successors(op),
            None => Ok(Vec::new()),
        })?;
        let blocks = successors.into_iter().map(|block| place.block(block.to_bits()));
        PyTuple::new(py, blocks.collect::<PyResult<Vec<_>>>()?)
    }

    fn region<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let region = place.look(|editor, row| editor.region_of(editor.handle(row)))?;
        region.map(|region| place.region(region.to_bits())).transpose()
    }

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let owner = place.look(|editor, row| match editor.region_of(editor.handle(row))? {
            Some(region) => editor.owner_of_region(region),
            None => Ok(None),
        })?;
        owner.map(|op| place.view(op.to_bits())).transpose()
    }

    fn predecessors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let place = self.place(py)?;
        let region = place.look(|editor, row| editor.region_of(editor.handle(row)))?;
        let Some(region) = region else { return Ok(PyTuple::empty(py)) };
        let blocks = place.look(|editor, _| editor.blocks(region))?;
        let read = place.snapshot_block(place.row)?;
        let numbers = read.view(py)?.predecessors().into_iter().map(|block| block.number() as usize);
        let blocks =
            numbers.filter_map(|number| blocks.get(number)).map(|block| place.block(block.to_bits()));
        PyTuple::new(py, blocks.collect::<PyResult<Vec<_>>>()?)
    }
}

handle_methods!(EditedBlock, block_methods, {
    #[new]
    #[pyo3(signature = (module = None, id = None))]
    fn new(module: Option<&Bound<'_, PyAny>>, id: Option<u32>) -> PyResult<Self> {
        Ok(Self { target: Target::new(Kind::Block, module, id)? })
    }

    /// The block in a snapshot.
    #[doc(hidden)]
    fn _read(&self, py: Python<'_>) -> PyResult<Block> {
        let place = self.place(py)?;
        place.snapshot_block(place.row)
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

    /// Parse operations in custom or generic form, and insert them at `ip` or at the end of the block.
    ///
    /// The text is in the form of the module's release, as for `mlirbc.parse`. It can use the values and the
    /// blocks that are given by name: `%a` is `values["a"]`. In the first block of a function, or of another
    /// operation that is isolated from above, `%arg0`, `%arg1` and so on are the arguments of the block, as they
    /// are printed. `file` is the name of the file in errors, and in locations of operations without `loc(...)`.
    ///
    /// Returns the operations. Raises `InvalidError` with the line and the column if the text is invalid, a
    /// value is not visible at the place, or a symbol is already defined. Nothing is changed then.
    ///
    ///     >>> edited = mlirbc.parse("func.func @f(%a: i32) -> i32 { return %a : i32 }").edit()
    ///     >>> block = edited.symbol("f").regions[0].blocks[0]
    ///     >>> before = mlirbc.edit.InsertionPoint.before(block.operations[0])
    ///     >>> sum, = block.insert_asm("%0 = arith.addi %arg0, %arg0 : i32", before)
    ///     >>> block.operations[1].operands[0] = sum.result
    ///     >>> block.insert_asm("arith.addi %x, %z : i32", before, values={"x": sum.result})
    ///     Traceback (most recent call last):
    ///         ...
    ///     mlirbc.InvalidError: `%z` is used, but it is not defined, at -:1:16; ...
    #[pyo3(signature = (text, ip = None, *, values = None, blocks = None, file = "-"))]
    fn insert_asm<'py>(
        slf: &Bound<'py, Self>,
        text: &str,
        ip: Option<&Bound<'py, PyAny>>,
        values: Option<&Bound<'py, PyMapping>>,
        blocks: Option<&Bound<'py, PyMapping>>,
        file: &str,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (py, place) = (slf.py(), slf.get().place(slf.py())?);
        let point = insertion_point_in(slf, &place, ip)?;
        let values = handles_by_name(&place, values)?;
        let blocks = handles_by_name(&place, blocks)?;
        let beside: u32 = point.getattr("_beside")?.getattr("_id")?.extract()?;
        let at = insertion_point(place.editor.get(), &point.getattr("_place")?.extract::<String>()?, beside)?;
        let options = InsertOptions::default().values(values).blocks(blocks).file(file.to_owned());
        let ops = place.editor.get().with(py, |editor| editor.insert_asm(text, at, &options))?;
        let ops = ops.into_iter().map(|op| place.operation(op.to_bits())).collect::<PyResult<Vec<_>>>()?;
        if let Some(last) = ops.last() {
            point.call_method1("_passed", (last,))?;
        }
        Ok(ops)
    }

    /// A new block before this one, in the same region, with arguments of these types and locations.
    ///
    ///     >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    ///     >>> region = edited.symbol("dense").regions[0]
    ///     >>> new = region.blocks[0].create_after(mlirbc.Type.parse("i32"))
    ///     >>> region.blocks[1] == new
    ///     True
    #[pyo3(signature = (*arg_types, arg_locs = None))]
    fn create_before<'py>(
        slf: &Bound<'py, Self>,
        arg_types: &Bound<'py, PyTuple>,
        arg_locs: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        new_sibling(slf, 0, arg_types, arg_locs)
    }

    /// A new block after this one, in the same region, with arguments of these types and locations.
    #[pyo3(signature = (*arg_types, arg_locs = None))]
    fn create_after<'py>(
        slf: &Bound<'py, Self>,
        arg_types: &Bound<'py, PyTuple>,
        arg_locs: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        new_sibling(slf, 1, arg_types, arg_locs)
    }

    /// A new block before all others of a region, with arguments of these types and locations.
    #[staticmethod]
    #[pyo3(signature = (parent, arg_types = None, arg_locs = None))]
    fn create_at_start<'py>(
        parent: &Bound<'py, PyAny>,
        arg_types: Option<&Bound<'py, PyAny>>,
        arg_locs: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = parent.py();
        let types = arg_types.map_or_else(|| PyTuple::empty(py).into_any(), Bound::clone);
        parent.getattr("_home")?.call_method1("_new_block", (parent, 0, types, arg_locs))
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (this, py) = (slf.get(), slf.py());
        let mut arguments = Vec::new();
        for argument in BlockReading::arguments(this, py)?.try_iter()? {
            let argument = argument?;
            let name = argument.call_method0("get_name")?;
            arguments.push(format!("{name}: {}", argument.getattr("type")?));
        }
        let mut lines = String::new();
        for op in BlockReading::operations(this, py)?.try_iter()? {
            let text = op?.getattr("operation")?.str()?.to_string();
            lines += format!("{text}\n").replace("\n\n", "\n").as_str();
        }
        let number = BlockReading::block_number(this, py)?;
        let arguments =
            if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let lines: Vec<String> = lines
            .split('\n')
            .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
            .collect();
        let comment = predecessor_comment(this, py, number)?;
        Ok(format!("^bb{number}{arguments}:{comment}\n{}", lines.join("\n")))
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

impl RegionReading for EditedRegion {
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&self.place(py)?, ListKind::Blocks)
    }

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.place(py)?;
        let owner = place.look(|editor, row| editor.owner_of_region(editor.handle(row)))?;
        owner.map(|op| place.view(op.to_bits())).transpose()
    }

    fn region_number(&self, py: Python<'_>) -> PyResult<u32> {
        self.place(py)?.look(|editor, row| editor.region_number(editor.handle(row)))
    }
}

handle_methods!(EditedRegion, region_methods, {
    #[new]
    #[pyo3(signature = (module = None, id = None))]
    fn new(module: Option<&Bound<'_, PyAny>>, id: Option<u32>) -> PyResult<Self> {
        Ok(Self { target: Target::new(Kind::Region, module, id)? })
    }

    /// Erase everything in it.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.place(py)?.change(|editor, row| editor.clear_region(editor.handle(row)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let place = self.place(py)?;
        Ok(match place.look(|editor, row| editor.blocks(editor.handle::<EditRegion>(row))) {
            Ok(blocks) => format!("<mlirbc.edit.Region with {} blocks>", Vec::<EditBlock>::len(&blocks)),
            Err(_) => "<mlirbc.edit.Region, erased>".to_owned(),
        })
    }
});
