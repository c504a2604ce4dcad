//! Values of edited modules.

use ::mlirbc::Attribute as CoreAttribute;
use ::mlirbc::edit::EditOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyTuple};

use super::handle::{EditedItem, Kind, Target, handle_methods};
use super::operation::EditedOperation;
use crate::errors::raise;
use crate::handle::entry::{Attribute, Type};
use crate::reuse::{Reusable, Slot};

/// The base of values of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedValue")]
pub(crate) struct EditedValue {
    pub(crate) target: Target,
    owner: Slot<EditedOperation>,
}

impl Reusable for EditedValue {
    type Id = u32;

    fn set_id(this: &Bound<'_, Self>, row: u32) {
        this.get().target.set_row(row);
    }
}

/// The definition of a value: its owner, an operation or a block, and its number there.
enum Definition {
    Result(u32, usize),
    Argument(u32, usize),
}

impl Definition {
    fn of(value: &EditedItem<'_>) -> PyResult<Self> {
        let (owner, number) = value.look(|editor, row| editor.definition(editor.handle(row)))?;
        Ok(match owner {
            Ok(op) => Self::Result(op.to_bits(), number),
            Err(block) => Self::Argument(block.to_bits(), number),
        })
    }
}

handle_methods!(EditedValue, {
    #[new]
    #[pyo3(signature = (module = None, id = None, **named))]
    fn new(
        module: Option<&Bound<'_, PyAny>>,
        id: Option<u32>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        // Classes that extend this one have arguments of their own.
        let _ = named;
        Ok(Self { target: Target::new(Kind::Value, module, id)?, owner: Slot::new() })
    }

    /// The edited module that it belongs to.
    #[getter]
    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self._home(py)
    }

    /// Its location: an argument's own, a result's operation's.
    #[getter]
    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        let place = self.place(py)?;
        let editor = place.editor.get();
        if let Definition::Result(op, _) = Definition::of(&place)? {
            return editor.location_of(py, op);
        }
        let location = place.look(|editor, row| editor.location_of_argument(editor.handle(row)))?;
        let unknown = || CoreAttribute::build("builtin", "UnknownLoc", &[]);
        let location = location.map_or_else(unknown, Ok).map_err(|error| raise(py, error, None))?;
        editor.attribute_object(py, location)
    }

    /// Its type.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
        let place = self.place(py)?;
        place.editor.get().type_of(py, place.row)
    }

    /// Give it another type.
    fn set_type(&self, py: Python<'_>, r#type: &Bound<'_, Type>) -> PyResult<()> {
        let r#type = r#type.get().value(py)?;
        self.place(py)?.change(|editor, row| editor.set_type(editor.handle(row), &r#type))
    }

    /// Whether it is an argument of a block.
    #[getter]
    fn is_argument(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(matches!(Definition::of(&self.place(py)?)?, Definition::Argument(..)))
    }

    /// Its place among the results or arguments.
    #[getter]
    fn number(&self, py: Python<'_>) -> PyResult<usize> {
        match Definition::of(&self.place(py)?)? {
            Definition::Result(_, number) | Definition::Argument(_, number) => Ok(number),
        }
    }

    /// The operation whose result it is, or the block whose argument.
    #[getter]
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        match Definition::of(&place)? {
            Definition::Argument(block, _) => place.block(block),
            Definition::Result(op, _) if self.target.is_cached => {
                // The handle caches no others, so that chains of handles have an end.
                let make = |_| Ok(place.plain_operation(op, false)?.cast_into::<EditedOperation>()?);
                Ok(self.owner.get(py, true, op, make)?.into_any())
            }
            Definition::Result(op, _) => place.view(op),
        }
    }

    /// Give a block argument another location.
    fn set_location(&self, py: Python<'_>, location: &Bound<'_, Attribute>) -> PyResult<()> {
        let location = location.get().value(py)?;
        self.place(py)?.change(|editor, row| editor.set_argument_location(editor.handle(row), &location))
    }

    /// Its uses, the newest first, as they are now.
    #[getter]
    fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let place = self.place(py)?;
        let class = py.import("mlirbc._edited_values")?.getattr("OpOperand")?;
        let uses = place.look(|editor, row| editor.uses(editor.handle(row)))?;
        let uses = uses.into_iter().map(|(op, number)| class.call1((place.view(op.to_bits())?, number)));
        PyTuple::new(py, uses.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    /// Make all its uses uses of another value.
    fn replace_all_uses_with(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let value = self.place(py)?.row_of(value)?;
        self.place(py)?
            .change(|editor, row| editor.replace_all_uses_with(editor.handle(row), editor.handle(value)))
    }

    /// The operations that use it, and as which operand, in the order of its use list.
    ///
    /// The order is the stored one, or the last use first. Setting it takes the same uses in another order,
    /// which the file then stores (bytecode version 3 or later); later changes of the uses drop it. Raises
    /// `InvalidError` when it is set to anything else than the uses of the value, each once.
    ///
    ///     >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    ///     >>> value = edited.symbol("dense").regions[0].blocks[0].arguments[0]
    ///     >>> value.use_list_order = value.use_list_order[::-1]
    #[getter]
    fn use_list_order<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, usize)>> {
        let place = self.place(py)?;
        let uses = place.look(|editor, row| editor.use_list_order(editor.handle(row)))?;
        uses.into_iter().map(|(op, number)| Ok((place.operation(op.to_bits())?, number))).collect()
    }

    #[setter]
    fn set_use_list_order(&self, py: Python<'_>, order: Vec<(Bound<'_, PyAny>, usize)>) -> PyResult<()> {
        let place = self.place(py)?;
        let uses =
            order.iter().map(|(op, number)| Ok((place.editor.get().handle(place.row_of(op)?), *number)));
        let uses: Vec<(EditOp, usize)> = uses.collect::<PyResult<_>>()?;
        place.change(|editor, row| editor.set_use_list_order(editor.handle(row), &uses))
    }
});
