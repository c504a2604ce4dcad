//! Tables of the core as arrays that `mlirbc.tables` passes to Arrow.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::mlirbc::ErrorKind;
use ::mlirbc::tool::{ColumnValues, Table, TableAccount, TableKind, Texts, Validity};
use pyo3::exceptions::{PyBaseException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::columns::Column;
use crate::errors::raise;
use crate::handle::module::Module;
use crate::limits::Limits;

/// The formats of Arrow's C data interface.
const NUMBERS: &str = "I";
const SIZES: &str = "L";
const TEXTS: &str = "U";
const LISTS: &str = "+l";

/// An array in the form that `_arrow_stream` takes.
struct Array<'py> {
    name: &'static str,
    format: &'static str,
    is_nullable: bool,
    length: usize,
    null_count: usize,
    // The validity bitmap, or None if nothing is null, followed by the buffers of the format.
    buffers: Vec<Option<Bound<'py, Column>>>,
    children: Vec<Bound<'py, PyTuple>>,
    dictionary: Option<Bound<'py, PyTuple>>,
}

impl<'py> Array<'py> {
    fn new(name: &'static str, format: &'static str, length: usize) -> Self {
        let (buffers, children) = (Vec::new(), Vec::new());
        Self { name, format, is_nullable: false, length, null_count: 0, buffers, children, dictionary: None }
    }

    fn with_validity(mut self, py: Python<'py>, validity: Validity, is_nullable: bool) -> PyResult<Self> {
        let bitmap = (validity.null_count > 0).then(|| Bound::new(py, Column::from(validity.bits)));
        self.buffers.push(bitmap.transpose()?);
        (self.is_nullable, self.null_count) = (is_nullable, validity.null_count);
        Ok(self)
    }

    fn with(mut self, py: Python<'py>, values: impl Into<Column>) -> PyResult<Self> {
        if self.buffers.is_empty() {
            self.buffers.push(None);
        }
        self.buffers.push(Some(Bound::new(py, values.into())?));
        Ok(self)
    }

    fn into_tuple(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Self { name, format, is_nullable, length, null_count, buffers, children, dictionary } = self;
        (name, format, is_nullable, length, null_count, buffers, children, dictionary).into_pyobject(py)
    }
}

fn texts<'py>(py: Python<'py>, name: &'static str, texts: Texts, validity: Validity) -> PyResult<Array<'py>> {
    let length = texts.len();
    let (offsets, bytes) = texts.into_parts();
    // A dictionary has no name and no nulls.
    let array = Array::new(name, TEXTS, length).with_validity(py, validity, !name.is_empty())?;
    array.with(py, offsets)?.with(py, bytes)
}

fn column<'py>(
    py: Python<'py>,
    name: &'static str,
    rows: usize,
    values: ColumnValues,
) -> PyResult<Bound<'py, PyTuple>> {
    let array = match values {
        ColumnValues::Words { rows: numbers, words } => {
            let dictionary = texts(py, "", words, Validity::default())?.into_tuple(py)?;
            let array = Array::new(name, NUMBERS, rows).with(py, numbers)?;
            Array { dictionary: Some(dictionary), ..array }
        }
        ColumnValues::Texts { texts: values, validity } => texts(py, name, values, validity)?,
        ColumnValues::Numbers { numbers, validity } => {
            // Every value has a type, and every row has a number.
            let is_nullable = !matches!(name, "type" | "row");
            Array::new(name, NUMBERS, rows).with_validity(py, validity, is_nullable)?.with(py, numbers)?
        }
        ColumnValues::Sizes { sizes, validity } => {
            Array::new(name, SIZES, rows).with_validity(py, validity, true)?.with(py, sizes)?
        }
        // Offsets are signed in Arrow; the size of the file keeps them far below that limit.
        ColumnValues::Lists { offsets, items } => {
            let item = Array::new("item", NUMBERS, items.len()).with(py, items)?.into_tuple(py)?;
            let array = Array::new(name, LISTS, rows).with(py, offsets)?;
            Array { children: vec![item], ..array }
        }
    };
    array.into_tuple(py)
}

/// The shared limits of several tables, and of the text that is shown from them.
#[pyclass(frozen, module = "mlirbc._mlirbc")]
pub(crate) struct _TableAccount(Mutex<TableAccount>);

impl _TableAccount {
    fn lock(&self) -> MutexGuard<'_, TableAccount> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl _TableAccount {
    #[new]
    #[pyo3(signature = (limits, /))]
    fn new(limits: Option<&Limits>) -> Self {
        Self(Mutex::new(TableAccount::new(&limits.map(Limits::to_core).unwrap_or_default())))
    }

    /// Add the size of a file, which the default limits depend on.
    fn admit(&self, module: &Bound<'_, Module>) -> PyResult<()> {
        let (py, module) = (module.py(), module.get());
        self.lock().admit(&module.inner).map_err(|error| module.raise(py, error))
    }

    /// Charge text before it is shown.
    fn spend_text(&self, text: &str, py: Python<'_>) -> PyResult<()> {
        self.lock().spend_text(text.len() as u64).map_err(|error| raise(py, error, None))
    }

    /// Charge memory for rows that the caller keeps until the output begins.
    fn spend_memory(&self, bytes: u64, py: Python<'_>) -> PyResult<()> {
        self.lock().spend_memory(bytes).map_err(|error| raise(py, error, None))
    }

    /// Return the number of bytes of memory that the tables may use together.
    #[getter]
    fn max_memory(&self) -> u64 {
        self.lock().max_memory()
    }

    /// Return the number of bytes of memory that are left.
    #[getter]
    fn memory_left(&self) -> u64 {
        self.lock().memory_left()
    }
}

/// Returns the error for a query that needs more memory than DuckDB may use.
#[pyfunction]
pub(crate) fn _query_memory_error(py: Python<'_>, message: &str) -> Py<PyBaseException> {
    let reason = message.lines().next().unwrap_or_default();
    let message = format!("the query needs more memory than the limit allows: {reason}");
    let error = ::mlirbc::Error::message(ErrorKind::MemoryLimit, message)
        .with_hint("raise `max_memory` if you trust the files, or ask for less");
    raise(py, error, None).into_value(py)
}

/// Returns the number of rows of a table, and its columns for `mlirbc.tables.Table`; a given file name means
/// that the table covers several files.
#[pyfunction]
#[pyo3(signature = (module, kind, file = None, account = None))]
pub(crate) fn _table<'py>(
    module: &Bound<'py, Module>,
    kind: &str,
    file: Option<&str>,
    account: Option<&_TableAccount>,
) -> PyResult<(usize, Bound<'py, PyList>)> {
    let (this, py) = (module.get(), module.py());
    this.ensure_open()?;
    let kind = match kind {
        "ops" => TableKind::Operations,
        "values" => TableKind::Values,
        "attributes" => TableKind::Attributes,
        "types" => TableKind::Types,
        "symbols" => TableKind::Symbols,
        "resources" => TableKind::Resources,
        kind => return Err(PyValueError::new_err(format!("there is no table `{kind}`"))),
    };
    let table = this.detached(py, |module| match (file, account) {
        (Some(file), Some(account)) => Table::of_file(module, kind, file, &account.lock()),
        _ => Table::new(module, kind),
    })?;
    let rows = table.row_count;
    let columns = PyList::empty(py);
    for table_column in table.columns {
        columns.append(column(py, table_column.name, rows, table_column.values)?)?;
    }
    Ok((rows, columns))
}
