//! Attributes and types as handles, made from entries of a file and from values.

use std::sync::atomic::{AtomicU32, Ordering};

use ::mlirbc::ir::{AttrId, TypeId};
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::class::{self, HandleTarget, Pending};
use crate::errors::raise;
use crate::handle::entry_cache::EntryCache;
use crate::lost_bytes::{Reads, checked as unless_lost};
use crate::reuse::Reusable;

/// An attribute: a value of its most derived class, equal to every attribute with the same meaning.
///
/// `str` returns the text, and `repr` the beginning of a long text. `SomeAttr(attribute)` checks that the
/// attribute belongs to that class.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].attributes["sym_name"]
///     StringAttr("dense")
///     >>> mlirbc.attributes.StringAttr(module.body.operations[0].attributes["sym_name"]).value
///     'dense'
#[pyclass(frozen, subclass, module = "mlirbc")]
pub(crate) struct Attribute {
    pub(crate) held: HandleTarget<CoreAttribute>,
    pub(crate) results: EntryCache,
}

/// A type: a value of its most derived class, equal to every type with the same meaning.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.body.operations[0].regions[0].blocks[0].arguments[0].type
///     RankedTensorType(tensor<?x?xf32>)
#[pyclass(frozen, subclass, module = "mlirbc")]
pub(crate) struct Type {
    pub(crate) held: HandleTarget<CoreType>,
    pub(crate) results: EntryCache,
}

/// The bytes of a text that `repr` shows. Many values may share one long part, and a prompt shows all values.
const SHOWN: usize = 300;

/// The functions of both classes. A macro is needed because PyO3 classes cannot be generic.
macro_rules! entry_handle {
    ($name:ident, $value:ident, $id:ident, $sort:ident) => {
        impl $name {
            /// Returns the object for a value.
            pub(crate) fn object(py: Python<'_>, value: $value) -> PyResult<Bound<'_, Self>> {
                let class = class::$sort(&value);
                let held = match (value.file(), value.id()) {
                    (Some(file), Some(id)) => HandleTarget::InFile(file.clone(), AtomicU32::new(id.number())),
                    _ => HandleTarget::Alone(value),
                };
                Self::make(py, class, held)
            }

            fn make(py: Python<'_>, class: u8, held: HandleTarget<$value>) -> PyResult<Bound<'_, Self>> {
                match class::python_class(py, class)? {
                    None => Bound::new(py, Self { held, results: EntryCache::default() }),
                    Some(class) => {
                        class::leave(Pending::$name(held));
                        // If the call fails, the target must not stay for the next object.
                        let object = class.bind(py).call0().inspect_err(|_| drop(class::take()))?;
                        Ok(object.cast_into::<Self>()?)
                    }
                }
            }

            /// Returns the value.
            pub(crate) fn value(&self, py: Python<'_>) -> PyResult<$value> {
                match &self.held {
                    HandleTarget::Alone(value) => Ok(value.clone()),
                    HandleTarget::InFile(file, id) => {
                        let id = $id::new(id.load(Ordering::Relaxed));
                        let value = $value::of_file(file, id).map_err(|error| raise(py, error, None))?;
                        unless_lost(self, value.ok_or_else(|| PyValueError::new_err("the entry is gone")))
                    }
                }
            }

            /// Returns the beginning of a long text, or the whole text.
            pub(crate) fn brief(&self, py: Python<'_>) -> PyResult<String> {
                let value = self.value(py)?;
                value.settle(true).map_err(|error| raise(py, error, None))?;
                unless_lost(self, Ok(py.detach(|| value.to_text_within(SHOWN))))
            }

            // Whether both handles are for the same entry of one module.
            pub(crate) fn is_same(&self, other: &Self) -> bool {
                match (&self.held, &other.held) {
                    (HandleTarget::InFile(left, l), HandleTarget::InFile(right, r)) => {
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
                if let HandleTarget::InFile(_, place) = &this.get().held {
                    place.store(id.number(), Ordering::Relaxed);
                }
            }
        }

        impl Reads for $name {
            #[inline]
            fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
                match &self.held {
                    HandleTarget::InFile(file, _) => Some(file),
                    HandleTarget::Alone(value) => value.file(),
                }
            }
        }
    };
}

entry_handle!(Attribute, CoreAttribute, AttrId, attribute_class);
entry_handle!(Type, CoreType, TypeId, type_class);

impl Attribute {
    /// Returns the object for an entry of a module, with the class of this number.
    pub(crate) fn of_class<'py>(
        py: Python<'py>,
        module: &::mlirbc::Module,
        id: AttrId,
        class: u8,
    ) -> PyResult<Bound<'py, Self>> {
        Self::make(py, class, HandleTarget::InFile(module.tables().clone(), AtomicU32::new(id.number())))
    }
}
