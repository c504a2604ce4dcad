//! Affine expressions, maps and integer sets of the core; the classes that Python users see are in
//! `_affine.py`.

use ::mlirbc::attr::expr::{self, AffineExprKind, AffineOperation};
use ::mlirbc::{Error, ErrorKind};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::handle::entry::Attribute;
use crate::lost_bytes::checked as unless_lost;

const OPERATIONS: [AffineOperation; 5] = [
    AffineOperation::Add,
    AffineOperation::Mul,
    AffineOperation::Mod,
    AffineOperation::FloorDiv,
    AffineOperation::CeilDiv,
];

/// The kind of the first operation, after dimensions, symbols and constants.
const FIRST_OPERATION: u8 = 3;

fn done<T>(py: Python<'_>, result: ::mlirbc::Result<T>) -> PyResult<T> {
    result.map_err(|error| raise(py, error, None))
}

/// Converts a number from Python, or raises an error that names the expected values.
fn number<'py, T>(given: &Bound<'py, PyAny>, expected: &'static str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    given.extract().or_else(|_| {
        // Only the text of an integer is worth showing; other objects raise `TypeError`.
        let number_text = format!("`{}`", given.call_method0("__index__")?);
        Err(raise(given.py(), Error::new(ErrorKind::Value, expected, number_text), None))
    })
}

/// An expression; `kind` is the number of the kind in bytecode.
#[pyclass(frozen, eq, hash, module = "mlirbc._mlirbc")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct _AffineExpr {
    inner: expr::AffineExpr,
}

#[pymethods]
impl _AffineExpr {
    #[staticmethod]
    fn dim(position: &Bound<'_, PyAny>) -> PyResult<Self> {
        let number = number(position, "a position below 4096")?;
        Ok(Self { inner: done(position.py(), expr::AffineExpr::dim(number))? })
    }

    #[staticmethod]
    fn symbol(position: &Bound<'_, PyAny>) -> PyResult<Self> {
        let number = number(position, "a position below 4096")?;
        Ok(Self { inner: done(position.py(), expr::AffineExpr::symbol(number))? })
    }

    #[staticmethod]
    fn constant(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: expr::AffineExpr::constant(number(value, "a number of 64 bits")?) })
    }

    #[staticmethod]
    fn binary(py: Python<'_>, kind: u8, lhs: &Self, rhs: &Self) -> PyResult<Self> {
        let operation = OPERATIONS[usize::from(kind.saturating_sub(FIRST_OPERATION)) % OPERATIONS.len()];
        Ok(Self { inner: done(py, expr::AffineExpr::binary(operation, &lhs.inner, &rhs.inner))? })
    }

    #[getter]
    fn kind(&self) -> u8 {
        match self.inner.kind() {
            AffineExprKind::Dim(_) => 0,
            AffineExprKind::Symbol(_) => 1,
            AffineExprKind::Constant(_) => 2,
            AffineExprKind::Binary(operation, ..) => FIRST_OPERATION + operation as u8,
        }
    }

    /// The position of a dimension or a symbol, the value of a constant; 0 for operations.
    #[getter]
    fn value(&self) -> i64 {
        match self.inner.kind() {
            AffineExprKind::Dim(position) | AffineExprKind::Symbol(position) => position.into(),
            AffineExprKind::Constant(value) => value,
            AffineExprKind::Binary(..) => 0,
        }
    }

    /// The operands of an operation; empty for others.
    #[getter]
    fn operands(&self) -> Vec<Self> {
        match self.inner.kind() {
            AffineExprKind::Binary(_, left, right) => vec![Self { inner: left }, Self { inner: right }],
            _ => Vec::new(),
        }
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }
}

/// An affine map.
#[pyclass(frozen, eq, hash, module = "mlirbc._mlirbc")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct _AffineMap {
    inner: expr::AffineMap,
}

#[pymethods]
impl _AffineMap {
    #[new]
    fn new(
        dims: &Bound<'_, PyAny>,
        symbols: &Bound<'_, PyAny>,
        results: Vec<Bound<'_, _AffineExpr>>,
    ) -> PyResult<Self> {
        let (py, dims, symbols) = (dims.py(), inputs(dims)?, inputs(symbols)?);
        let results: Vec<_> = results.iter().map(|result| result.get().inner.clone()).collect();
        Ok(Self { inner: done(py, expr::AffineMap::new(dims, symbols, &results))? })
    }

    /// Returns the map of an attribute.
    #[staticmethod]
    fn of(attribute: &Bound<'_, Attribute>) -> PyResult<Self> {
        let (py, this) = (attribute.py(), attribute.get());
        let map = done(py, expr::AffineMap::of(&this.value(py)?));
        Ok(Self { inner: unless_lost(this, map)? })
    }

    #[getter]
    fn attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        Attribute::object(py, done(py, self.inner.to_attribute())?)
    }

    #[getter]
    fn n_dims(&self) -> u32 {
        self.inner.num_dims()
    }

    #[getter]
    fn n_symbols(&self) -> u32 {
        self.inner.num_symbols()
    }

    #[getter]
    fn results(&self) -> Vec<_AffineExpr> {
        self.inner.results().into_iter().map(|inner| _AffineExpr { inner }).collect()
    }

    #[getter]
    fn is_permutation(&self) -> bool {
        self.inner.is_permutation()
    }

    #[getter]
    fn is_projected_permutation(&self) -> bool {
        self.inner.is_projected_permutation()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }
}

/// An integer set.
#[pyclass(frozen, eq, hash, module = "mlirbc._mlirbc")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct _IntegerSet {
    inner: expr::IntegerSet,
}

#[pymethods]
impl _IntegerSet {
    #[new]
    fn new(
        dims: &Bound<'_, PyAny>,
        symbols: &Bound<'_, PyAny>,
        exprs: Vec<Bound<'_, _AffineExpr>>,
        eq_flags: Vec<bool>,
    ) -> PyResult<Self> {
        let (py, dims, symbols) = (dims.py(), inputs(dims)?, inputs(symbols)?);
        let exprs = exprs.iter().map(|expr| expr.get().inner.clone());
        let constraints: Vec<_> = exprs.zip(eq_flags).collect();
        Ok(Self { inner: done(py, expr::IntegerSet::new(dims, symbols, &constraints))? })
    }

    /// Returns the set of an attribute.
    #[staticmethod]
    fn of(attribute: &Bound<'_, Attribute>) -> PyResult<Self> {
        let (py, this) = (attribute.py(), attribute.get());
        let set = done(py, expr::IntegerSet::of(&this.value(py)?));
        Ok(Self { inner: unless_lost(this, set)? })
    }

    #[getter]
    fn attribute<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
        Attribute::object(py, done(py, self.inner.to_attribute())?)
    }

    #[getter]
    fn n_dims(&self) -> u32 {
        self.inner.num_dims()
    }

    #[getter]
    fn n_symbols(&self) -> u32 {
        self.inner.num_symbols()
    }

    #[getter]
    fn exprs(&self) -> Vec<_AffineExpr> {
        self.inner.constraints().into_iter().map(|(inner, _)| _AffineExpr { inner }).collect()
    }

    #[getter]
    fn eq_flags(&self) -> Vec<bool> {
        self.inner.constraints().into_iter().map(|(_, is_eq)| is_eq).collect()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }
}

fn inputs(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    number(given, "at most 4096 dimensions and symbols")
}
