//! Clones, transactions, and changes of results, regions and operands, with ids; `mlirbc.edit` has handles.

use std::collections::HashMap;

use ::mlirbc::edit::{Checkpoint, CloneOptions, ClonePart, EditBlock, EditOp, EditRegion, EditValue};
use ::mlirbc::parse::InsertOptions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::edit::{PyEditor, bytes_of, insertion_point};
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::{Block, Operation, Region};
use crate::handle::module::Module;

/// A state of the edits of a module.
#[pyclass(frozen, module = "mlirbc._mlirbc")]
pub(crate) struct _Checkpoint(Checkpoint);

#[pyfunction]
pub(crate) fn _edit_checkpoint(py: Python<'_>, editor: &PyEditor) -> PyResult<_Checkpoint> {
    editor.with(py, |editor| editor.checkpoint()).map(_Checkpoint)
}

#[pyfunction]
pub(crate) fn _edit_rollback(py: Python<'_>, editor: &PyEditor, to: &_Checkpoint) -> PyResult<()> {
    editor.with(py, |editor| editor.rollback(&to.0))
}

// ---- assembly ----

/// Parses operations, and inserts them beside an operation or in a block.
#[pyfunction]
pub(crate) fn _edit_insert_asm(
    py: Python<'_>,
    editor: &PyEditor,
    text: &str,
    at: (&str, u32),
    values: HashMap<String, u32>,
    blocks: HashMap<String, u32>,
    file: String,
) -> PyResult<Vec<u32>> {
    let at = insertion_point(editor, at.0, at.1)?;
    let values = values.into_iter().map(|(name, value)| (name, editor.handle(value)));
    let blocks = blocks.into_iter().map(|(name, block)| (name, editor.handle(block)));
    let options = InsertOptions::default().values(values.collect()).blocks(blocks.collect()).file(file);
    let ops = editor.with(py, |editor| editor.insert_asm(text, at, &options))?;
    Ok(ops.into_iter().map(EditOp::to_bits).collect())
}

// ---- clones ----

/// Returns the module of a read-only handle.
#[pyfunction]
pub(crate) fn _module_of(py: Python<'_>, handle: &Bound<'_, PyAny>) -> PyResult<Py<Module>> {
    let module = if let Ok(op) = handle.cast::<Operation>() {
        &op.get().module
    } else if let Ok(block) = handle.cast::<Block>() {
        &block.get().module
    } else if let Ok(region) = handle.cast::<Region>() {
        &region.get().module
    } else {
        return Err(PyTypeError::new_err("expected an operation, a block or a region"));
    };
    Ok(module.clone_ref(py))
}

type Pairs = Vec<(u32, u32)>;
type Names<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// Clones an operation, or blocks, and returns the copies.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // a part, a place and options
pub(crate) fn _edit_clone(
    py: Python<'_>,
    editor: &Bound<'_, PyEditor>,
    source: &Bound<'_, PyEditor>,
    part: (&str, u32),
    at: Option<(&str, u32)>,
    into: Option<(u32, Option<usize>)>,
    mapping: (Pairs, Pairs),
    rename: Names<'_>,
    drop_unsupported: bool,
) -> PyResult<(Option<u32>, Vec<u32>)> {
    let at = at.map(|(place, beside)| insertion_point(editor.get(), place, beside)).transpose()?;
    let (from, to) = (source.get(), editor.get());
    let part = match (part, into) {
        (("operation", op), _) => ClonePart::Op(from.handle(op), at),
        (("block", block), Some((region, before))) => {
            ClonePart::Block(from.handle(block), to.handle(region), before)
        }
        (("region", source_region), Some((region, before))) => {
            ClonePart::Region(from.handle(source_region), to.handle(region), before)
        }
        _ => return Err(PyValueError::new_err("a block or a region is cloned into a region")),
    };
    let (values, blocks) = mapping;
    let values = values.into_iter().map(|(old, new)| (from.handle(old), to.handle(new)));
    let blocks = blocks.into_iter().map(|(old, new)| (from.handle(old), to.handle(new)));
    let rename =
        rename.iter().map(|(old, new)| Ok((bytes_of(old)?, bytes_of(new)?))).collect::<PyResult<Vec<_>>>()?;
    let options = CloneOptions::default()
        .values(values.collect())
        .blocks(blocks.collect())
        .rename(rename)
        .drop_unsupported(drop_unsupported);
    let bits = |blocks: Vec<EditBlock>| blocks.into_iter().map(EditBlock::to_bits).collect::<Vec<_>>();
    if editor.is(source) {
        let (op, blocks) = editor.get().with(py, |editor| editor.clone_within(part, &options))?;
        return Ok((op.map(EditOp::to_bits), bits(blocks)));
    }
    editor.get().with_other(py, source.get(), |editor, source| {
        Ok(match part {
            ClonePart::Op(op, at) => {
                (Some(editor.clone_op_from(source, op, at, &options)?.to_bits()), Vec::new())
            }
            part => (None, bits(editor.clone_blocks_from(source, part, &options)?)),
        })
    })
}

// ---- results, regions, successors ----

#[pyfunction]
pub(crate) fn _edit_set_results(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    types: Vec<Bound<'_, Type>>,
) -> PyResult<Vec<u32>> {
    let types = types.iter().map(|of| of.get().value(py)).collect::<PyResult<Vec<_>>>()?;
    let results = editor.with(py, |editor| editor.set_results(editor.handle(op), &types))?;
    Ok(results.into_iter().map(EditValue::to_bits).collect())
}

#[pyfunction]
pub(crate) fn _edit_add_result(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    before: Option<usize>,
    r#type: &Bound<'_, Type>,
) -> PyResult<u32> {
    let r#type = r#type.get().value(py)?;
    editor.with(py, |editor| editor.add_result(editor.handle(op), before, &r#type)).map(EditValue::to_bits)
}

#[pyfunction]
pub(crate) fn _edit_erase_result(py: Python<'_>, editor: &PyEditor, op: u32, number: usize) -> PyResult<()> {
    editor.with(py, |editor| editor.erase_result(editor.handle(op), number))
}

#[pyfunction]
pub(crate) fn _edit_add_region(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    before: Option<usize>,
) -> PyResult<u32> {
    editor.with(py, |editor| editor.add_region(editor.handle(op), before)).map(EditRegion::to_bits)
}

#[pyfunction]
pub(crate) fn _edit_erase_region(py: Python<'_>, editor: &PyEditor, op: u32, number: usize) -> PyResult<()> {
    editor.with(py, |editor| editor.erase_region(editor.handle(op), number))
}

#[pyfunction]
pub(crate) fn _edit_set_successors(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    blocks: Vec<u32>,
) -> PyResult<()> {
    let blocks: Vec<_> = blocks.into_iter().map(|block| editor.handle(block)).collect();
    editor.with(py, |editor| editor.set_successors(editor.handle(op), &blocks))
}

// ---- operands, registration ----

#[pyfunction]
pub(crate) fn _edit_set_operand_group(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    name: &str,
    values: Vec<u32>,
) -> PyResult<()> {
    let values: Vec<_> = values.into_iter().map(|value| editor.handle(value)).collect();
    editor.with(py, |editor| editor.set_operand_group(editor.handle(op), name, &values))
}

#[pyfunction]
pub(crate) fn _edit_set_registered(
    py: Python<'_>,
    editor: &PyEditor,
    op: u32,
    is_registered: bool,
) -> PyResult<()> {
    editor.with(py, |editor| editor.set_registered(editor.handle(op), is_registered))
}

// ---- blocks and uses ----

#[pyfunction]
pub(crate) fn _edit_insert_argument(
    py: Python<'_>,
    editor: &PyEditor,
    block: u32,
    number: usize,
    r#type: &Bound<'_, Type>,
    location: Option<&Bound<'_, Attribute>>,
) -> PyResult<u32> {
    let r#type = r#type.get().value(py)?;
    let location = location.map(|location| location.get().value(py)).transpose()?;
    let block = editor.handle(block);
    editor
        .with(py, |editor| editor.insert_argument(block, number, &r#type, location.as_ref()))
        .map(EditValue::to_bits)
}

#[pyfunction]
pub(crate) fn _edit_block_number(py: Python<'_>, editor: &PyEditor, block: u32) -> PyResult<usize> {
    editor.with(py, |editor| editor.block_number(editor.handle(block)))
}

#[pyfunction]
pub(crate) fn _edit_use_list_order(
    py: Python<'_>,
    editor: &PyEditor,
    value: u32,
) -> PyResult<Vec<(u32, usize)>> {
    let uses = editor.with(py, |editor| editor.use_list_order(editor.handle(value)))?;
    Ok(uses.into_iter().map(|(op, number)| (op.to_bits(), number)).collect())
}

#[pyfunction]
pub(crate) fn _edit_set_use_list_order(
    py: Python<'_>,
    editor: &PyEditor,
    value: u32,
    order: Vec<(u32, usize)>,
) -> PyResult<()> {
    let order: Vec<_> = order.into_iter().map(|(op, number)| (editor.handle(op), number)).collect();
    editor.with(py, |editor| editor.set_use_list_order(editor.handle(value), &order))
}
