//! Attributes and types as handles: made from entries of a file and from values.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ::mlirbc::ir::{AttrId, TypeId};
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::class::{self, Held, Pending};
use crate::errors::raise;
use crate::lost::{Reads, checked as unless_lost};
use crate::reuse::Reusable;

/// An attribute: a value, equal to every attribute that says the same, and of the class that it is.
///
/// `str` is its text, of which `repr` shows the beginning if it is long, and `SomeAttr(attribute)` checks that it is of
/// that class.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].attributes["sym_name"]
///     StringAttr("dense")
///     >>> mlirbc.StringAttr(module.body.operations[0].attributes["sym_name"]).value
///     'dense'
#[pyclass(frozen, subclass, module = "mlirbc")]
pub(crate) struct Attribute {
    pub(crate) held: Held<CoreAttribute>,
    pub(crate) kept: Kept,
}

/// A type: a value, equal to every type that says the same, and of the class that it is.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].regions[0].blocks[0].arguments[0].type
///     RankedTensorType(tensor<?x?xf32>)
#[pyclass(frozen, subclass, module = "mlirbc")]
pub(crate) struct Type {
    pub(crate) held: Held<CoreType>,
    pub(crate) kept: Kept,
}

/// What the classes in Python made of the fields, and the entry that these were of: handles are used again.
pub(crate) type Kept = Mutex<Option<(Option<u32>, Py<PyAny>)>>;

/// How many bytes of a text `repr` shows. Many values may share one long part, and a prompt shows all of them.
const SHOWN: usize = 300;

/// What both classes have in common; a macro because PyO3 classes cannot be generic.
macro_rules! entry_handle {
    ($name:ident, $value:ident, $id:ident, $sort:ident) => {
        impl $name {
            /// The object for a value.
            pub(crate) fn object(py: Python<'_>, value: $value) -> PyResult<Bound<'_, Self>> {
                let class = class::$sort(&value);
                let held = match (value.file(), value.id()) {
                    (Some(file), Some(id)) => Held::InFile(file.clone(), AtomicU32::new(id.0)),
                    _ => Held::Alone(value),
                };
                Self::make(py, class, held)
            }

            fn make(py: Python<'_>, class: u8, held: Held<$value>) -> PyResult<Bound<'_, Self>> {
                match class::python_class(py, class)? {
                    None => Bound::new(py, Self { held, kept: Kept::default() }),
                    Some(class) => {
                        class::leave(Pending::$name(held));
                        // When that fails, nothing is left for another object.
                        let made = class.bind(py).call0().inspect_err(|_| drop(class::take()))?;
                        Ok(made.cast_into::<Self>()?)
                    }
                }
            }

            /// The value.
            pub(crate) fn value(&self, py: Python<'_>) -> PyResult<$value> {
                match &self.held {
                    Held::Alone(value) => Ok(value.clone()),
                    Held::InFile(file, id) => {
                        let id = $id(id.load(Ordering::Relaxed));
                        let value = $value::of_file(file, id).map_err(|error| raise(py, error, None))?;
                        unless_lost(self, value.ok_or_else(|| PyValueError::new_err("the entry is gone")))
                    }
                }
            }

            /// The beginning of its text, or all of it.
            pub(crate) fn brief(&self, py: Python<'_>) -> PyResult<String> {
                let value = self.value(py)?;
                value.settle(true).map_err(|error| raise(py, error, None))?;
                unless_lost(self, Ok(py.detach(|| value.to_text_within(SHOWN))))
            }

            // Whether both are the same entry of one module.
            pub(crate) fn is_same(&self, other: &Self) -> bool {
                match (&self.held, &other.held) {
                    (Held::InFile(left, l), Held::InFile(right, r)) => {
                        left.is(right) && l.load(Ordering::Relaxed) == r.load(Ordering::Relaxed)
                    }
                    _ => false,
                }
            }
        }

        impl Reusable for $name {
            type Id = $id;

            #[inline]
            fn set_id(this: &Bound<'_, Self>, id: $id) {
                if let Held::InFile(_, place) = &this.get().held {
                    place.store(id.0, Ordering::Relaxed);
                }
            }
        }

        impl Reads for $name {
            #[inline]
            fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
                match &self.held {
                    Held::InFile(file, _) => Some(file),
                    Held::Alone(value) => value.file(),
                }
            }
        }
    };
}

entry_handle!(Attribute, CoreAttribute, AttrId, attribute_class);
entry_handle!(Type, CoreType, TypeId, type_class);

impl Attribute {
    /// The object for an entry of a module: of the class with this number.
    pub(crate) fn of_class<'py>(
        py: Python<'py>,
        module: &::mlirbc::Module,
        id: AttrId,
        class: u8,
    ) -> PyResult<Bound<'py, Self>> {
        Self::make(py, class, Held::InFile(module.tables().clone(), AtomicU32::new(id.0)))
    }
}
