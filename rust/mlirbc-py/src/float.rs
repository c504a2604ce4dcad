//! Conversion between numbers of floating-point types and their bits.

use ::mlirbc::attr::float::FloatFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

use crate::errors::raise;

fn format(name: &str) -> PyResult<FloatFormat> {
    FloatFormat::from_name(name)
        .ok_or_else(|| PyValueError::new_err(format!("{name} is not a floating-point type")))
}

/// Returns the width in bits of the floating-point type with this name; None for other types.
#[pyfunction]
pub(crate) fn _float_width(name: &str) -> Option<u32> {
    FloatFormat::from_name(name).map(FloatFormat::bits)
}

/// Returns the numbers with these bits as `float64` in the byte order of the machine; each number takes as
/// many bytes as its type needs.
#[pyfunction]
pub(crate) fn _decode_floats<'py>(
    py: Python<'py>,
    name: &str,
    data: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format(name)?;
    let numbers = data.as_bytes().chunks_exact(storage(format)).flat_map(|bytes| {
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte));
        format.decode(bits).to_ne_bytes()
    });
    let numbers: Vec<u8> = numbers.collect();
    Ok(PyBytes::new(py, &numbers))
}

/// Returns the bits of these numbers; each takes as many bytes as its type needs. Raises `InvalidError` for
/// NaN in a format without NaN.
#[pyfunction]
pub(crate) fn _encode_floats<'py>(
    py: Python<'py>,
    name: &str,
    numbers: Vec<f64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format(name)?;
    let mut data = Vec::with_capacity(numbers.len() * storage(format));
    for number in numbers {
        let bits = format.encode(number).map_err(|error| raise(py, error, None))?;
        data.extend_from_slice(&bits.to_le_bytes()[..storage(format)]);
    }
    Ok(PyBytes::new(py, &data))
}

fn storage(format: FloatFormat) -> usize {
    format.bits().div_ceil(8) as usize
}

/// Returns the number of the named floating-point type that has these bits.
#[pyfunction]
pub(crate) fn _decode_float(name: &str, bits: &Bound<'_, PyInt>) -> PyResult<f64> {
    Ok(format(name)?.decode(bits.extract()?))
}

/// Returns the bits of the nearest number of the named floating-point type; raises `InvalidError` as above.
#[pyfunction]
pub(crate) fn _encode_float(py: Python<'_>, name: &str, number: f64) -> PyResult<u128> {
    format(name)?.encode(number).map_err(|error| raise(py, error, None))
}
