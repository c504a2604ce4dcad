//! The lists that upstream's bindings have: sequences whose items are made when they are asked for.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyTuple};

/// A list with a known length and items by number.
pub(crate) trait Items {
    fn len(&self, py: Python<'_>) -> PyResult<usize>;
    /// Item `number`, which is below the length.
    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>>;

    fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..self.len(py)?).map(|number| self.item(py, number)).collect()
    }
}

pub(crate) fn get(items: &impl Items, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = key.py();
    let len = items.len(py)?;
    if let Ok(number) = key.extract::<isize>() {
        let wanted = if number < 0 { number + len as isize } else { number };
        if wanted < 0 || wanted as usize >= len {
            return Err(PyIndexError::new_err(format!("index {number} is out of range for {len} items")));
        }
        return items.item(py, wanted as usize);
    }
    if let Ok(slice) = key.cast::<PySlice>() {
        let range = slice.indices(len as isize)?;
        let picked = (0..range.slicelength).map(|i| range.start + i as isize * range.step);
        let picked: Vec<_> = picked.map(|i| items.item(py, i as usize)).collect::<PyResult<_>>()?;
        return Ok(PyList::new(py, picked)?.into_any().unbind());
    }
    Err(PyTypeError::new_err("indices are integers or slices"))
}

pub(crate) fn position(items: &impl Items, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    for (number, item) in items.all(value.py())?.into_iter().enumerate() {
        if item.bind(value.py()).eq(value)? {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// An iterator over what the list holds now; most lists of most operations are empty.
pub(crate) fn iterate<'py>(items: &impl Items, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
    match items.len(py)? {
        0 => PyTuple::empty(py).try_iter(),
        _ => PyTuple::new(py, items.all(py)?)?.try_iter(),
    }
}

/// The methods of a sequence class; a macro because PyO3 classes cannot be generic.
macro_rules! sequence_methods {
    ($name:ident $(, { $($more:tt)* })?) => {
        $crate::sequence::sequence_methods!($name, iter = pyo3::types::PyIterator, |list, py| {
            $crate::sequence::iterate(list, py)
        } $(, { $($more)* })?);
    };
    ($name:ident, iter = $iterator:ty, |$list:ident, $py:ident| $iter:block $(, { $($more:tt)* })?) => {
        #[pymethods]
        impl $name {
            $($($more)*)?

            fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
                Items::len(self, py)
            }

            fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::sequence::get(self, key)
            }

            fn __iter__<'py>(&self, $py: Python<'py>) -> PyResult<Bound<'py, $iterator>> {
                let $list = self;
                $iter
            }

            fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
                let mut items = Items::all(self, py)?;
                items.reverse();
                pyo3::types::PyTuple::new(py, items)?.try_iter()
            }

            fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
                Ok($crate::sequence::position(self, value)?.is_some())
            }

            /// The position of the first equal item. Raises `ValueError` when the bounds hold none.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.strings.index("builtin")
            ///     0
            #[pyo3(signature = (value, start = 0, stop = None))]
            fn index(&self, value: &Bound<'_, PyAny>, start: usize, stop: Option<usize>) -> PyResult<usize> {
                let found = $crate::sequence::position(self, value)?;
                found.filter(|&at| at >= start && stop.is_none_or(|stop| at < stop)).ok_or_else(|| {
                    pyo3::exceptions::PyValueError::new_err("the item is not in the list")
                })
            }

            /// How many items are equal to `value`.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.strings.count("builtin"), module.strings.count(0)
            ///     (1, 0)
            fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
                let mut count = 0;
                for item in Items::all(self, value.py())? {
                    count += usize::from(item.bind(value.py()).eq(value)?);
                }
                Ok(count)
            }

            fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                let py = other.py();
                let mut items = Items::all(self, py)?;
                for item in other.try_iter()? {
                    items.push(item?.unbind());
                }
                pyo3::types::PyList::new(py, items)
            }
        }
    };
}

pub(crate) use sequence_methods;

/// Tells `collections.abc` which of these classes are sequences, and which mappings.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let sequence = module.py().import("collections.abc")?.getattr("Sequence")?;
    for name in [
        "OpOperandList",
        "OpOperands",
        "OpResultList",
        "OpSuccessors",
        "RegionSequence",
        "BlockList",
        "BlockArgumentList",
        "OperationList",
        "Table",
    ] {
        sequence.call_method1("register", (module.getattr(name)?,))?;
    }
    let mapping = module.py().import("collections.abc")?.getattr("Mapping")?;
    for name in ["OpAttributeMap", "OpPropertyMap"] {
        mapping.call_method1("register", (module.getattr(name)?,))?;
    }
    Ok(())
}
