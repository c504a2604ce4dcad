//! Files generated from noise, for the tests of this repository; not in released wheels.

use mlirbc::smith::{self, TableRow};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns all rows of the dialect tables: the identifier that [`generate`] takes, and the name in the table.
#[pyfunction(name = "_rows")]
fn rows() -> Vec<(String, String)> {
    smith::rows().iter().map(|row| (row.to_string(), row.name().to_owned())).collect()
}

/// Generates a file with an entry of that row from `noise`.
#[pyfunction(name = "_generate")]
fn generate<'py>(py: Python<'py>, row: &str, noise: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let row: TableRow = row.parse().map_err(to_value_error)?;
    Ok(PyBytes::new(py, &smith::generate_module(&row, noise)))
}

type Recoded = (String, Vec<u8>, Vec<u8>);

/// For each entry of a file whose dialect has a table, returns the row, the bytes, and the bytes that mlirbc
/// writes.
#[pyfunction(name = "_recode")]
fn recode(data: &[u8]) -> PyResult<Vec<Recoded>> {
    let module = mlirbc::Module::from_bytes(data.to_vec()).map_err(to_value_error)?;
    let entries = smith::recode(&module).map_err(to_value_error)?;
    let done = entries.into_iter().map(|entry| {
        let entry = entry?;
        Ok((entry.row.to_string(), entry.original, entry.encoded?))
    });
    done.collect::<mlirbc::Result<_>>().map_err(to_value_error)
}

/// Replaces the observations of builds by a table, before anything was printed; `False` if there is a
/// replacement already.
#[pyfunction(name = "_assume_forms")]
fn assume_forms(table: String) -> bool {
    smith::assume_forms(table)
}

/// Returns the operations of a release whose custom form is not known.
#[pyfunction(name = "_unknown_forms")]
fn unknown_forms(release: &str) -> PyResult<Vec<String>> {
    mlirbc::print::CustomForms::unknown_of_release(release).map_err(to_value_error)
}

fn to_value_error(error: mlirbc::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rows, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(assume_forms, module)?)?;
    module.add_function(wrap_pyfunction!(unknown_forms, module)?)?;
    module.add_function(wrap_pyfunction!(recode, module)?)
}
