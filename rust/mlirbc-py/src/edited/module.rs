//! Edited modules: the calls that they share with opened ones.

use ::mlirbc::edit::EditOp;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::handle::{EditedItem, Home};
use super::lists::{HandleList, ListKind};
use super::walk::walk;
use crate::handle::module::Module;
use crate::lost_bytes::Reads;
use crate::print::Printed;
use crate::reading::{ModuleReading, TextSource, module_methods};

/// The base of edited modules. Tables, columns and text come from a snapshot: the module as it would be
/// written, read again; it is kept until the next change.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedModule")]
pub(crate) struct EditedModule;

impl Reads for EditedModule {
    // The classes of the editor and of the snapshot check their file.
    fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
        None
    }
}

// Returns the snapshot, which classes in Python may prepare.
fn read<'py>(slf: &Bound<'py, EditedModule>) -> PyResult<Bound<'py, Module>> {
    Ok(slf.call_method0(intern!(slf.py(), "snapshot"))?.cast_into::<Module>()?)
}

fn top_level<'py>(slf: &Bound<'py, EditedModule>) -> PyResult<EditedItem<'py>> {
    let place = Home::new(slf.as_any())?.place(slf.py(), 0);
    let row = place.look(|editor, _| Ok(editor.top_level().to_bits()))?;
    Ok(EditedItem { row, ..place })
}

impl TextSource for EditedModule {
    fn with_text<T>(
        slf: &Bound<'_, Self>,
        work: impl FnOnce(&Module, &dyn Printed) -> PyResult<T>,
    ) -> PyResult<T> {
        Module::with_text(&read(slf)?, work)
    }
}

impl ModuleReading for EditedModule {
    fn bytecode<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::bytecode(&read(slf)?)
    }

    fn dialects<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::dialects(&read(slf)?)
    }

    fn op_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::op_names(&read(slf)?)
    }

    fn strings<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::strings(&read(slf)?)
    }

    fn attributes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::attributes(&read(slf)?)
    }

    fn types<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::types(&read(slf)?)
    }

    fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::properties(&read(slf)?)
    }

    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("mlirbc._edited_resources")?.getattr("Resources")?.call1((slf,))
    }

    fn weights<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("mlirbc._edited_weights")?.getattr("Weights")?.call1((slf,))
    }

    fn operation<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let place = top_level(slf)?;
        let op = place.look(|editor, _| editor.operation())?;
        place.operation(op.to_bits())
    }

    fn operations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        HandleList::of(&top_level(slf)?, ListKind::Operations)
    }

    fn body<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let place = top_level(slf)?;
        let op = place.look(|editor, _| editor.operation())?;
        let body = place.look(|editor, _| editor.body(op))?;
        place.block(body.to_bits())
    }

    fn walk<'py>(
        slf: &Bound<'py, Self>,
        callback: &Bound<'py, PyAny>,
        walk_order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let place = top_level(slf)?;
        let roots = place.look(|editor, row| editor.operations(editor.handle(row)))?;
        let roots: Vec<u32> = roots.into_iter().map(EditOp::to_bits).collect();
        walk(&place, &roots, callback, walk_order)
    }

    fn op_counts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::op_counts(&read(slf)?)
    }

    fn model_summary<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::model_summary(&read(slf)?)
    }

    fn columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::columns(&read(slf)?)
    }

    fn decode_all(slf: &Bound<'_, Self>, threads: usize) -> PyResult<()> {
        ModuleReading::decode_all(&read(slf)?, threads)
    }

    fn release<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        ModuleReading::release(&read(slf)?)
    }
}

module_methods!(EditedModule, {
    #[new]
    #[pyo3(signature = (*arguments, **keywords))]
    fn new(arguments: &Bound<'_, PyTuple>, keywords: Option<&Bound<'_, PyDict>>) -> Self {
        // Initializers of the Python classes use them.
        let _ = (arguments, keywords);
        Self
    }

    /// The module with its edits as a module to read, the same one until the next change.
    ///
    /// It is written to memory; resources of large modules stay where they are. Changes are not verified, but
    /// operands must be defined around their use, or `InvalidError` is raised.
    ///
    ///     >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    ///     >>> del edited.symbol("main").attributes["example.entry"]
    ///     >>> edited.snapshot().body.operations[1].attributes.keys()
    ///     ['function_type', 'sym_name']
    fn snapshot<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Module>> {
        let place = Home::new(slf.as_any())?.place(slf.py(), 0);
        Ok(place.editor.get().snapshot(slf.py(), None)?.into_bound(slf.py()))
    }
});
