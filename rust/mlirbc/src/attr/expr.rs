//! Affine expressions, maps and integer sets as values: built, taken apart and printed.
//!
//! Does not own the attributes that contain expressions (`attr`) or the parser (`attr::text`).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::text::affine::{self, Node, write_map, write_set};
use super::{Attribute, FieldValue};
use crate::wire::cursor::{ByteSink, Cursor};
use crate::wire::error::{Error, ErrorKind, Result};

pub use super::text::affine::Operation as AffineOperation;

/// The maximum number of dimensions or symbols that the bytecode reader accepts.
const MAX_INPUTS: u32 = 4096;

/// An affine expression of dimensions, symbols and constants, simplified as MLIR does when it is built.
///
/// ```
/// use mlirbc::attr::expr::{AffineExpr, AffineOperation};
/// let (d0, two) = (AffineExpr::dim(0)?, AffineExpr::constant(2));
/// let product = AffineExpr::binary(AffineOperation::Mul, &two, &d0)?;
/// assert_eq!(product.to_string(), "d0 * 2");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Clone)]
pub struct AffineExpr {
    map: Arc<affine::AffineMap>,
    id: u32,
}

/// The kind of an affine expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AffineExprKind {
    /// The dimension with this number.
    Dim(u32),
    /// The symbol with this number.
    Symbol(u32),
    /// A number.
    Constant(i64),
    /// An operation on two expressions.
    Binary(AffineOperation, AffineExpr, AffineExpr),
}

fn position(position: u32) -> Result<u32> {
    match position < MAX_INPUTS {
        true => Ok(position),
        false => Err(Error::new(
            ErrorKind::Value,
            format!("a position below {MAX_INPUTS}"),
            format!("`{position}`"),
        )),
    }
}

impl AffineExpr {
    fn leaf(node: Node) -> Self {
        Self { map: Arc::new(affine::AffineMap::leaf(node)), id: 0 }
    }

    /// The dimension with this number.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] for numbers from 4096 on.
    pub fn dim(number: u32) -> Result<Self> {
        Ok(Self::leaf(Node::Dim(position(number)?)))
    }

    /// The symbol with this number.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] for numbers from 4096 on.
    pub fn symbol(number: u32) -> Result<Self> {
        Ok(Self::leaf(Node::Symbol(position(number)?)))
    }

    /// A number.
    pub fn constant(value: i64) -> Self {
        Self::leaf(Node::Constant(value))
    }

    /// An operation, simplified. As in MLIR it may be semi-affine, with dimensions in the divisor or in both
    /// factors; the text of such an expression cannot be parsed.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] when simplification would take too long.
    pub fn binary(operation: AffineOperation, left: &Self, right: &Self) -> Result<Self> {
        let map = affine::AffineMap::combined(operation, (&left.map, left.id), (&right.map, right.id))
            .map_err(|expected| Error::new(ErrorKind::Value, expected, "another expression"))?;
        let id = map.results().first().copied().unwrap_or(0);
        Ok(Self { map: Arc::new(map), id })
    }

    /// The kind of the expression, with its operands.
    pub fn kind(&self) -> AffineExprKind {
        let operand = |id| Self { map: self.map.clone(), id };
        match self.map.node(self.id) {
            Node::Dim(position) => AffineExprKind::Dim(position),
            Node::Symbol(position) => AffineExprKind::Symbol(position),
            Node::Constant(value) => AffineExprKind::Constant(value),
            Node::Binary(operation, left, right) => {
                AffineExprKind::Binary(operation, operand(left), operand(right))
            }
        }
    }

    // A map with this expression as its only result, equal for equal expressions.
    fn alone(&self) -> affine::AffineMap {
        affine::AffineMap::of(0, 0, &[(&self.map, self.id)])
    }
}

impl PartialEq for AffineExpr {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.map, &other.map) && self.id == other.id || self.alone() == other.alone()
    }
}

impl Eq for AffineExpr {}

impl Hash for AffineExpr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.alone().hash(state);
    }
}

impl fmt::Display for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        self.map.write_expression(&mut out, self.id);
        f.write_str(&String::from_utf8_lossy(&out))
    }
}

impl fmt::Debug for AffineExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AffineExpr({self})")
    }
}

fn checked(dims: u32, symbols: u32, results: &[AffineExpr]) -> Result<affine::AffineMap> {
    let results: Vec<_> = results.iter().map(|result| (&*result.map, result.id)).collect();
    let map = affine::AffineMap::of(dims, symbols, &results);
    let needed = map.needed_inputs();
    let wrong =
        |expected: String| Err(Error::new(ErrorKind::Value, expected, format!("{dims} and {symbols}")));
    if dims.max(symbols) > MAX_INPUTS {
        return wrong(format!("at most {MAX_INPUTS} dimensions and symbols"));
    }
    if dims < needed.0 || symbols < needed.1 {
        return wrong(format!("{} dimensions and {} symbols", needed.0, needed.1));
    }
    Ok(map)
}

fn blob(attribute: &Attribute, field: &str) -> Result<crate::wire::bytes::Bytes> {
    match attribute.field(field)? {
        Some(FieldValue::Blob(bytes)) => Ok(bytes),
        _ => Err(Error::new(
            ErrorKind::Value,
            format!("an attribute with an affine {field}"),
            format!("`{attribute}`"),
        )),
    }
}

fn attribute(class: &str, field: &str, sink: ByteSink) -> Result<Attribute> {
    Attribute::build("builtin", class, &[(field, FieldValue::Blob(sink.into_bytes().into()))])
}

/// An affine map: from dimensions and symbols to the values of expressions.
///
/// ```
/// use mlirbc::attr::expr::{AffineExpr, AffineMap};
/// let swap = AffineMap::new(2, 0, &[AffineExpr::dim(1)?, AffineExpr::dim(0)?])?;
/// assert_eq!(swap.to_string(), "(d0, d1) -> (d1, d0)");
/// assert!(swap.is_permutation());
/// assert_eq!(swap.to_attribute()?.to_string(), "affine_map<(d0, d1) -> (d1, d0)>");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AffineMap(Arc<affine::AffineMap>);

impl AffineMap {
    /// The map with these results.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] when the results need more dimensions or symbols, or there are more than 4096.
    pub fn new(dims: u32, symbols: u32, results: &[AffineExpr]) -> Result<Self> {
        Ok(Self(Arc::new(checked(dims, symbols, results)?)))
    }

    /// The map of an `AffineMapAttr`.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] for another attribute, and errors of its encoding.
    pub fn of(attribute: &Attribute) -> Result<Self> {
        let bytes = blob(attribute, "map")?;
        Ok(Self(Arc::new(affine::AffineMap::decode(&mut Cursor::new(&bytes, 0, None))?)))
    }

    /// The `AffineMapAttr` of the map.
    ///
    /// # Errors
    /// As [`Attribute::build`].
    pub fn to_attribute(&self) -> Result<Attribute> {
        let mut sink = ByteSink::new();
        self.0.encode(&mut sink);
        attribute("AffineMapAttr", "map", sink)
    }

    /// The number of dimensions.
    pub fn num_dims(&self) -> u32 {
        self.0.num_dims()
    }

    /// The number of symbols.
    pub fn num_symbols(&self) -> u32 {
        self.0.num_symbols()
    }

    /// The results.
    pub fn results(&self) -> Vec<AffineExpr> {
        self.0.results().iter().map(|&id| AffineExpr { map: self.0.clone(), id }).collect()
    }

    /// Whether each result is a dimension, and each dimension occurs once.
    pub fn is_permutation(&self) -> bool {
        self.is_projected_permutation() && self.0.num_results() == self.num_dims() as usize
    }

    /// Whether the results are different dimensions, and the map has no symbols.
    pub fn is_projected_permutation(&self) -> bool {
        self.0.is_projected_permutation()
    }
}

impl fmt::Display for AffineMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        write_map(&mut out, &self.0);
        f.write_str(&String::from_utf8_lossy(&out))
    }
}

/// An integer set: the points where affine expressions are zero or not negative.
///
/// ```
/// use mlirbc::attr::expr::{AffineExpr, IntegerSet};
/// let set = IntegerSet::new(1, 0, &[(AffineExpr::dim(0)?, false)])?;
/// assert_eq!(set.to_string(), "(d0) : (d0 >= 0)");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntegerSet {
    map: Arc<affine::AffineMap>,
    equalities: Vec<bool>,
}

impl IntegerSet {
    /// The set with these constraints: an expression, and whether it is zero rather than not negative.
    ///
    /// # Errors
    /// As [`AffineMap::new`].
    pub fn new(dims: u32, symbols: u32, constraints: &[(AffineExpr, bool)]) -> Result<Self> {
        let (results, equalities): (Vec<_>, Vec<_>) = constraints.iter().cloned().unzip();
        Ok(Self { map: Arc::new(checked(dims, symbols, &results)?), equalities })
    }

    /// The set of an `IntegerSetAttr`.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] for another attribute, and errors of its encoding.
    pub fn of(attribute: &Attribute) -> Result<Self> {
        let bytes = blob(attribute, "set")?;
        let set = affine::IntegerSet::decode(&mut Cursor::new(&bytes, 0, None))?;
        Ok(Self { map: Arc::new(set.map().clone()), equalities: set.equalities().to_vec() })
    }

    fn to_core(&self) -> affine::IntegerSet {
        affine::IntegerSet::new((*self.map).clone(), self.equalities.clone())
    }

    /// The `IntegerSetAttr` of the set.
    ///
    /// # Errors
    /// As [`Attribute::build`].
    pub fn to_attribute(&self) -> Result<Attribute> {
        let mut sink = ByteSink::new();
        self.to_core().encode(&mut sink);
        attribute("IntegerSetAttr", "set", sink)
    }

    /// The number of dimensions.
    pub fn num_dims(&self) -> u32 {
        self.map.num_dims()
    }

    /// The number of symbols.
    pub fn num_symbols(&self) -> u32 {
        self.map.num_symbols()
    }

    /// The constraints: an expression, and whether it is zero rather than not negative.
    pub fn constraints(&self) -> Vec<(AffineExpr, bool)> {
        let expr = |&id: &u32| AffineExpr { map: self.map.clone(), id };
        self.map.results().iter().map(expr).zip(self.equalities.iter().copied()).collect()
    }
}

impl fmt::Display for IntegerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        write_set(&mut out, &self.to_core());
        f.write_str(&String::from_utf8_lossy(&out))
    }
}
