//! Clones, with numbers of items; `mlirbc.edit` has handles.

use ::mlirbc::edit::{CloneOptions, ClonePart, EditBlock, EditOp};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::edit::{PyEditor, bytes_of, insertion_point};
use crate::handle::ir::{Block, Operation, Region};
use crate::handle::module::Module;

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
pub(crate) fn _clone_part(
    py: Python<'_>,
    editor: &Bound<'_, PyEditor>,
    source: &Bound<'_, PyEditor>,
    part: (String, u32),
    at: Option<(String, u32)>,
    into: Option<(u32, Option<usize>)>,
    mapping: (Pairs, Pairs),
    rename: Names<'_>,
    drop_unsupported: bool,
) -> PyResult<(Option<u32>, Vec<u32>)> {
    let at = at.map(|(place, beside)| insertion_point(editor.get(), &place, beside)).transpose()?;
    let (from, to) = (source.get(), editor.get());
    let part = match ((&*part.0, part.1), into) {
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
