//! The list classes of upstream's bindings: sequences whose items are made on access.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyTuple};

/// A list with a known length and access by index.
pub(crate) trait ItemSequence {
    fn len(&self, py: Python<'_>) -> PyResult<usize>;
    /// Returns item `number`, which is below the length.
    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>>;

    fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..self.len(py)?).map(|number| self.item(py, number)).collect()
    }
}

pub(crate) fn get(items: &impl ItemSequence, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = key.py();
    let len = items.len(py)?;
    if let Ok(number) = key.extract::<isize>() {
        let index = if number < 0 { number + len as isize } else { number };
        if index < 0 || index as usize >= len {
            return Err(PyIndexError::new_err(format!("index {number} is out of range for {len} items")));
        }
        return items.item(py, index as usize);
    }
    if let Ok(slice) = key.cast::<PySlice>() {
        let range = slice.indices(len as isize)?;
        let picked = (0..range.slicelength).map(|i| range.start + i as isize * range.step);
        let picked: Vec<_> = picked.map(|i| items.item(py, i as usize)).collect::<PyResult<_>>()?;
        return Ok(PyList::new(py, picked)?.into_any().unbind());
    }
    Err(PyTypeError::new_err("indices are integers or slices"))
}

pub(crate) fn position(items: &impl ItemSequence, value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    for (number, item) in items.all(value.py())?.into_iter().enumerate() {
        if item.bind(value.py()).eq(value)? {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Returns an iterator over the current items; most lists of most operations are empty.
pub(crate) fn iterate<'py>(items: &impl ItemSequence, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
    match items.len(py)? {
        0 => PyTuple::empty(py).try_iter(),
        _ => PyTuple::new(py, items.all(py)?)?.try_iter(),
    }
}

/// The methods of a sequence class. A macro is needed because PyO3 classes cannot be generic.
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
                ItemSequence::len(self, py)
            }

            fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                $crate::sequence::get(self, key)
            }

            fn __iter__<'py>(&self, $py: Python<'py>) -> PyResult<Bound<'py, $iterator>> {
                let $list = self;
                $iter
            }

            fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
                let mut items = ItemSequence::all(self, py)?;
                items.reverse();
                pyo3::types::PyTuple::new(py, items)?.try_iter()
            }

            fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
                Ok($crate::sequence::position(self, value)?.is_some())
            }

            /// Return the position of the first equal item. Raises `ValueError` if there is none within the
            /// bounds.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.strings.index("builtin")
            ///     0
            #[pyo3(signature = (value, start = 0, stop = None))]
            fn index(&self, value: &Bound<'_, PyAny>, start: usize, stop: Option<usize>) -> PyResult<usize> {
                let position = $crate::sequence::position(self, value)?;
                position.filter(|&at| at >= start && stop.is_none_or(|stop| at < stop)).ok_or_else(|| {
                    pyo3::exceptions::PyValueError::new_err("the item is not in the list")
                })
            }

            /// Return the number of items equal to `value`.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.strings.count("builtin"), module.strings.count(0)
            ///     (1, 0)
            fn count(&self, value: &Bound<'_, PyAny>) -> PyResult<usize> {
                let mut count = 0;
                for item in ItemSequence::all(self, value.py())? {
                    count += usize::from(item.bind(value.py()).eq(value)?);
                }
                Ok(count)
            }

            fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                let py = other.py();
                let mut items = ItemSequence::all(self, py)?;
                for item in other.try_iter()? {
                    items.push(item?.unbind());
                }
                pyo3::types::PyList::new(py, items)
            }
        }
    };
}

pub(crate) use sequence_methods;

/// Registers sequence classes and mapping classes with `collections.abc`.
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
