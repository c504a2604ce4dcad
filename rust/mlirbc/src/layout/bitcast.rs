//! Bit casts: whether the bits of one type may be read as another.

use crate::attr::text::dense::Element;
use crate::attr::{FieldValue, Type};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::dlti::brief;
use super::shape::{Node, Shape};
use super::{DataLayout, TypeSize};

/// The op whose rule applies to a bit cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BitcastOp {
    /// `arith.bitcast`
    Arith,
    /// `complex.bitcast`
    Complex,
    /// `llvm.bitcast`
    Llvm,
    /// `tensor.bitcast`
    Tensor,
    /// `vector.bitcast`
    Vector,
}

const OPS: [(&str, BitcastOp); 5] = [
    ("arith.bitcast", BitcastOp::Arith),
    ("complex.bitcast", BitcastOp::Complex),
    ("llvm.bitcast", BitcastOp::Llvm),
    ("tensor.bitcast", BitcastOp::Tensor),
    ("vector.bitcast", BitcastOp::Vector),
];

impl BitcastOp {
    /// The rule of the op with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        OPS.iter().find(|(op, _)| *op == name).map(|(_, op)| *op)
    }
}

/// A type as its container and its content.
struct Parts {
    /// `vector`, `tensor` or empty.
    container: &'static str,
    sizes: Vec<FieldValue>,
    scalable: Vec<FieldValue>,
    element: Type,
    shape: Shape,
}

impl Parts {
    fn new(of: &Type, budget: &Budget) -> Result<Self> {
        let container = match of.class() {
            Some("VectorType" | "VectorTypeWithScalableDims") => "vector",
            Some("RankedTensorType" | "RankedTensorTypeWithEncoding") => "tensor",
            Some("UnrankedTensorType") => "tensor of unknown rank",
            _ => "",
        };
        let list = |name| match of.field(name) {
            Ok(Some(FieldValue::List(items))) => items,
            _ => Vec::new(),
        };
        let element = match (container, of.field("elementType")) {
            ("", _) => of.clone(),
            (_, Ok(Some(FieldValue::Type(element)))) => element,
            _ => of.clone(),
        };
        let (shape, _held) = Shape::of(&element, budget)?;
        Ok(Self { container, sizes: list("shape"), scalable: list("scalable"), element, shape })
    }

    fn is_integer_or_float(&self) -> bool {
        matches!(self.shape.root(), Node::Integer(_) | Node::Float(_))
    }

    /// Signless integers and floats.
    fn is_arith(&self) -> bool {
        let is_signless = !matches!(self.element.number(), Some(Element::Signed(_) | Element::Unsigned(_)));
        self.is_integer_or_float() && is_signless
    }

    fn width(&self) -> u64 {
        match self.shape.root() {
            Node::Integer(width) => (*width).into(),
            Node::Float(float) => float.bits.into(),
            // Twice the element, and no padding (`BitcastOp::verify` in `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp`).
            Node::Complex(element) => match &self.shape.nodes[*element as usize] {
                Node::Integer(width) => 2 * u64::from(*width),
                Node::Float(float) => 2 * u64::from(float.bits),
                _ => 0,
            },
            _ => 0,
        }
    }
}

#[cold]
fn operands(expected: &str, from: &Type, to: &Type) -> Error {
    let found = format!("`{}` and `{}`", brief(&from.0), brief(&to.0));
    Error::new(ErrorKind::LayoutOperandType, expected.to_owned(), found)
}

#[cold]
fn shapes(expected: &str, from: &Type, to: &Type) -> Error {
    let found = format!("`{}` and `{}`", brief(&from.0), brief(&to.0));
    Error::new(ErrorKind::LayoutShape, expected.to_owned(), found)
}

fn equal_bits(left: TypeSize, right: TypeSize, from: &Type, to: &Type) -> Result<()> {
    if left == right {
        return Ok(());
    }
    let (from, to) = (brief(&from.0), brief(&to.0));
    let message = format!("`{from}` has {left} bits, but `{to}` has {right}");
    Err(Error::message(ErrorKind::LayoutBitWidth, message))
}

impl DataLayout {
    /// Checks that the bits of one type may be read as another: both have the same size in bits in this
    /// layout. With `op`, the rule of that op applies, which may not depend on the layout.
    ///
    /// # Errors
    /// The reason: the number of bits, the shape, a type that the op does not accept, or a type without a
    /// layout.
    ///
    /// ```
    /// use mlirbc::{Type, layout::{BitcastOp, DataLayout, Options}};
    /// let layout = DataLayout::of_specs(&[], &Options::default())?;
    /// let types = |from, to| Ok::<_, mlirbc::Error>((Type::parse(from)?, Type::parse(to)?));
    /// let (three, nine) = types("vector<3xi3>", "vector<9xi1>")?;
    /// // In memory they take 4 and 16 bytes; of the op's rule only the bits of the elements count.
    /// assert!(layout.check_bitcast(&three, &nine, None).is_err());
    /// assert!(layout.check_bitcast(&three, &nine, Some(BitcastOp::Vector)).is_ok());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn check_bitcast(&self, from: &Type, to: &Type, op: Option<BitcastOp>) -> Result<()> {
        let Some(op) = op else {
            return equal_bits(self.type_size_in_bits(from)?, self.type_size_in_bits(to)?, from, to);
        };
        let (left, right) = (Parts::new(from, self.budget())?, Parts::new(to, self.budget())?);
        let same_shape =
            left.container == right.container && left.sizes == right.sizes && left.scalable == right.scalable;
        let widths = || equal_bits(TypeSize::fixed(left.width()), TypeSize::fixed(right.width()), from, to);
        match op {
            BitcastOp::Vector => self.check_vectors(&left, &right, from, to),
            BitcastOp::Arith => {
                if !left.is_arith() || !right.is_arith() {
                    return Err(operands(
                        "signless integers or floats, or vectors or tensors of them",
                        from,
                        to,
                    ));
                }
                if !same_shape {
                    return Err(shapes("the same shape on both sides", from, to));
                }
                widths()
            }
            BitcastOp::Tensor => {
                let is_tensor = |parts: &Parts| parts.container == "tensor" && parts.is_integer_or_float();
                if !is_tensor(&left) || !is_tensor(&right) {
                    return Err(operands("tensors of integers or floats", from, to));
                }
                if !same_shape {
                    return Err(shapes("the same shape on both sides", from, to));
                }
                widths()
            }
            BitcastOp::Complex => {
                let is_complex = |parts: &Parts| matches!(parts.shape.root(), Node::Complex(_));
                let is_scalar = |parts: &Parts| parts.container.is_empty();
                let fits = |parts: &Parts| is_complex(parts) || parts.is_arith();
                // A cast of one complex type to another one, or between other types, is not a cast of this
                // op.
                if !is_scalar(&left)
                    || !is_scalar(&right)
                    || !fits(&left)
                    || !fits(&right)
                    || is_complex(&left) == is_complex(&right)
                {
                    return Err(operands("a complex type and an integer or a float", from, to));
                }
                widths()
            }
            BitcastOp::Llvm => {
                let is_pointer = |parts: &Parts| matches!(parts.shape.root(), Node::LlvmPointer(_));
                if is_pointer(&left) != is_pointer(&right) {
                    return Err(operands("pointers on both sides or on neither", from, to));
                }
                Ok(())
            }
        }
    }

    /// `BitCastOp::verify` in `mlir/lib/Dialect/Vector/IR/VectorOps.cpp`.
    fn check_vectors(&self, left: &Parts, right: &Parts, from: &Type, to: &Type) -> Result<()> {
        if left.container != "vector" || right.container != "vector" {
            return Err(operands("vectors", from, to));
        }
        let dims = |parts: &Parts| {
            parts
                .sizes
                .iter()
                .map(|size| if let FieldValue::Signed(size) = size { *size } else { 0 })
                .collect()
        };
        let (sizes, others): (Vec<i64>, Vec<i64>) = (dims(left), dims(right));
        let is_scalable = |parts: &Parts, place| parts.scalable.get(place) == Some(&FieldValue::Bool(true));
        let leading = |sizes: &[i64]| sizes.len().saturating_sub(1);
        let same = (0..leading(&sizes)).all(|place| {
            sizes.get(place) == others.get(place) && is_scalable(left, place) == is_scalable(right, place)
        });
        if sizes.len() != others.len() || !same {
            return Err(shapes("the same shape but for the last dimension", from, to));
        }
        let bits = |parts: &Parts, sizes: &[i64]| -> Result<TypeSize> {
            let last = sizes.last().map_or(1, |&size| size as u64);
            let element = self.type_size_in_bits(&parts.element)?.known_min_value();
            let bits = last.checked_mul(element);
            let bits = bits.ok_or_else(|| {
                let message = format!("a dimension of `{}` has 2^64 bits or more", brief(&parts.element.0));
                Error::message(ErrorKind::LayoutOverflow, message)
            })?;
            Ok(TypeSize::new(bits, is_scalable(parts, leading(sizes))))
        };
        equal_bits(bits(left, &sizes)?, bits(right, &others)?, from, to)
    }
}
