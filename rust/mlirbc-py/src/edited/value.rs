//! Values of edited modules.

use std::collections::HashMap;

use ::mlirbc::Attribute as CoreAttribute;
use ::mlirbc::edit::EditOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyTuple};

use super::handle::{EditedItem, Kind, Target, handle_methods};
use super::operation::EditedOperation;
use super::structure::EditedBlock;
use crate::errors::raise;
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::Value;
use crate::reading::{ValueReading, value_methods};
use crate::reuse::{Reusable, Slot};
use crate::value::use_order;

/// The base of values of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedValue")]
pub(crate) struct EditedValue {
    pub(crate) target: Target,
    owner: Slot<EditedOperation>,
    block: Slot<EditedBlock>,
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

fn operand_class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("mlirbc._edited_values")?.getattr("OpOperand")
}

impl ValueReading for EditedValue {
    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self._home(py)
    }

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

    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
        let place = self.place(py)?;
        place.editor.get().type_of(py, place.row)
    }

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        match Definition::of(&place)? {
            Definition::Argument(block, _) if self.target.is_cached => {
                let make = |_| Ok(place.block(block)?.cast_into::<EditedBlock>()?);
                Ok(self.block.get(py, true, block, make)?.into_any())
            }
            Definition::Argument(block, _) => place.block(block),
            Definition::Result(op, _) if self.target.is_cached => {
                // The handle caches no others, so that chains of handles have an end.
                let make = |_| Ok(place.plain_operation(op, false)?.cast_into::<EditedOperation>()?);
                Ok(self.owner.get(py, true, op, make)?.into_any())
            }
            Definition::Result(op, _) => place.view(op),
        }
    }

    fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let place = self.place(py)?;
        let class = operand_class(py)?;
        let uses = place.look(|editor, row| editor.uses(editor.handle(row)))?;
        let uses = uses.into_iter().map(|(op, number)| class.call1((place.view(op.to_bits())?, number)));
        PyTuple::new(py, uses.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    fn uses_in_order<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (place, order) = (self.place(py)?, use_order(order)?);
        let class = operand_class(py)?;
        // The snapshot has the same operations in the same order.
        let mut rows = HashMap::new();
        for (op, _) in place.look(|editor, row| editor.uses(editor.handle(row)))? {
            let op = op.to_bits();
            let read = place.snapshot(op)?;
            rows.insert((read.body(), read.id()), op);
        }
        let uses = place.snapshot_value(place.row)?.cast_into::<Value>()?.get().ordered_uses(py, order)?;
        let uses = uses.into_iter().filter_map(|operand| {
            let (body, op, number) = operand.position().ok()?;
            Some((*rows.get(&(body, op))?, number))
        });
        uses.map(|(op, number)| class.call1((place.view(op)?, number))).collect()
    }
}

handle_methods!(EditedValue, value_methods, {
    #[new]
    #[pyo3(signature = (module = None, id = None, **named))]
    fn new(
        module: Option<&Bound<'_, PyAny>>,
        id: Option<u32>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        // Classes that extend this one have arguments of their own.
        let _ = named;
        Ok(Self { target: Target::new(Kind::Value, module, id)?, owner: Slot::new(), block: Slot::new() })
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

    /// Give a block argument another location.
    fn set_location(&self, py: Python<'_>, location: &Bound<'_, Attribute>) -> PyResult<()> {
        let location = location.get().value(py)?;
        self.place(py)?.change(|editor, row| editor.set_argument_location(editor.handle(row), &location))
    }

    /// The name in the text, such as `%0`, of the module or, with `use_local_scope`, of the operation around
    /// that is isolated from above; from a snapshot. With `use_name_loc_as_prefix`, a value with a named
    /// location has this name.
    ///
    ///     >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    ///     >>> edited.symbol("main").regions[0].blocks[0].arguments[0].get_name(True)
    ///     '%arg0'
    #[pyo3(signature = (use_local_scope = false, use_name_loc_as_prefix = false, *, state = None))]
    fn get_name<'py>(
        slf: &Bound<'py, Self>,
        use_local_scope: bool,
        use_name_loc_as_prefix: bool,
        state: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let (this, py) = (slf.get(), slf.py());
        if use_name_loc_as_prefix {
            let location = ValueReading::location(this, py)?;
            if location.is_instance(&py.import("mlirbc._locations")?.getattr("NameLoc")?)? {
                return Ok(format!("%{}", location.getattr("name_str")?.extract::<String>()?));
            }
        }
        let is_local = use_local_scope
            || state.map_or(Ok(false), |state| state.getattr("use_local_scope")?.is_truthy())?;
        slf.call_method0("_read")?.call_method1("get_name", (is_local,))?.extract()
    }

    /// The value in a snapshot.
    #[doc(hidden)]
    fn _read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place(py)?;
        place.snapshot_value(place.row)
    }

    /// Make all its uses uses of another value, but not those by some operations.
    #[doc(hidden)]
    fn _replace_uses_except(&self, value: &Bound<'_, PyAny>, users: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        let value = self.place(py)?.row_of(value)?;
        let users = self.place(py)?.rows_of(users)?;
        self.place(py)?.change(|editor, row| {
            for (op, number) in editor.uses(editor.handle(row))? {
                if !users.contains(&op.to_bits()) {
                    editor.set_operand(op, number, editor.handle(value))?;
                }
            }
            Ok(())
        })
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

/// The base of uses of values of edited modules.
#[pyclass(frozen, subclass, module = "mlirbc._mlirbc", name = "_EditedOperand")]
pub(crate) struct EditedOperand {
    /// The operation that uses the value.
    #[pyo3(get)]
    owner: Py<PyAny>,
    /// The number of the operand, counted from 0.
    #[pyo3(get)]
    operand_number: usize,
}

#[pymethods]
impl EditedOperand {
    #[new]
    fn new(owner: Py<PyAny>, operand_number: usize) -> Self {
        Self { owner, operand_number }
    }

    /// The value that is used, at this time.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.owner.bind(py).getattr("operands")?.get_item(self.operand_number)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other_operand = other.get();
        let is_same = self.operand_number == other_operand.operand_number;
        Ok(is_same && self.owner.bind(other.py()).eq(&other_operand.owner)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        (&self.owner, self.operand_number).into_pyobject(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let owner = self.owner.bind(py).repr()?;
        Ok(format!("<mlirbc.edit.OpOperand {} of {owner}>", self.operand_number))
    }
}
