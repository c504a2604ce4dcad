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
    container: Container,
    /// The sizes of the dimensions; `i64::MIN` is unknown.
    sizes: Vec<i64>,
    is_scalable: bool,
    encoding: Option<FieldValue>,
    element: Type,
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Scalar,
    Vector,
    Tensor,
    UnrankedTensor,
    MemRef,
    UnrankedMemRef,
}

impl Parts {
    fn new(of: &Type, budget: &Budget) -> Result<Self> {
        let container = match of.class() {
            Some("VectorType" | "VectorTypeWithScalableDims") => Container::Vector,
            Some("RankedTensorType" | "RankedTensorTypeWithEncoding") => Container::Tensor,
            Some("UnrankedTensorType") => Container::UnrankedTensor,
            Some("MemRefType" | "MemRefTypeWithMemSpace") => Container::MemRef,
            Some("UnrankedMemRefType" | "UnrankedMemRefTypeWithMemSpace") => Container::UnrankedMemRef,
            _ => Container::Scalar,
        };
        let list = |name| match of.field(name) {
            Ok(Some(FieldValue::List(items))) => items,
            _ => Vec::new(),
        };
        let element = match (container, of.field("elementType")) {
            (Container::Scalar, _) => of.clone(),
            (_, Ok(Some(FieldValue::Type(element)))) => element,
            _ => of.clone(),
        };
        let sizes = list("shape");
        let sizes = sizes.iter().map(|size| if let FieldValue::Signed(size) = size { *size } else { 0 });
        let is_scalable = list("scalable").contains(&FieldValue::Bool(true));
        let encoding = of.field("encoding").ok().flatten();
        let (shape, _held) = Shape::of(&element, budget)?;
        Ok(Self { container, sizes: sizes.collect(), is_scalable, encoding, element, shape })
    }

    /// `verifyCompatibleShape` in `mlir/lib/IR/TypeUtilities.cpp`: unknown sizes agree with any size.
    fn has_compatible_shape(&self, other: &Self) -> bool {
        let agree = |(left, right): (&i64, &i64)| left == right || *left == i64::MIN || *right == i64::MIN;
        self.sizes.len() == other.sizes.len() && self.sizes.iter().zip(&other.sizes).all(agree)
    }

    fn is_integer_or_float(&self) -> bool {
        matches!(self.shape.root(), Node::Integer(_) | Node::Float(_))
    }

    /// Signless integers and floats.
    fn is_arith(&self) -> bool {
        let is_signless = !matches!(self.element.number(), Some(Element::Signed(_) | Element::Unsigned(_)));
        self.is_integer_or_float() && is_signless
    }

    fn is_complex(&self) -> bool {
        matches!(self.shape.root(), Node::Complex(_))
    }

    /// Whether `llvm.bitcast` accepts the type: `LLVM_AnyNonAggregate` in
    /// `mlir/include/mlir/Dialect/LLVMIR/LLVMOpBase.td`.
    fn is_llvm(&self) -> bool {
        match self.container {
            Container::Scalar => {}
            container => return container == Container::Vector && self.sizes.len() == 1,
        }
        match self.shape.root() {
            Node::Integer(_) => self.is_arith(),
            Node::Float(_) => matches!(
                &*self.element.to_string(),
                "f16" | "bf16" | "f32" | "f64" | "f80" | "f128" | "!llvm.ppc_fp128"
            ),
            Node::LlvmArray { .. } | Node::LlvmStruct { .. } | Node::Recursive(_) => false,
            _ => self.element.dialect() == "llvm",
        }
    }

    /// The address space, for pointers and vectors of them.
    fn address_space(&self) -> Option<u64> {
        match self.shape.root() {
            Node::LlvmPointer(space) => Some(*space),
            _ => None,
        }
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
        let widths = || equal_bits(TypeSize::fixed(left.width()), TypeSize::fixed(right.width()), from, to);
        match op {
            BitcastOp::Vector => self.check_vectors(&left, &right, from, to),
            BitcastOp::Arith => check_arith(&left, &right, from, to).and_then(|()| widths()),
            BitcastOp::Tensor => {
                let is_tensor = |parts: &Parts| {
                    matches!(parts.container, Container::Tensor | Container::UnrankedTensor)
                        && parts.is_integer_or_float()
                };
                if !is_tensor(&left) || !is_tensor(&right) {
                    return Err(operands("tensors of integers or floats", from, to));
                }
                let is_ranked = |parts: &Parts| parts.container == Container::Tensor;
                if is_ranked(&left) && is_ranked(&right) && !left.has_compatible_shape(&right) {
                    return Err(shapes("compatible shapes on both sides", from, to));
                }
                widths()
            }
            BitcastOp::Complex => {
                // The op accepts every type that does not change.
                if from == to {
                    return Ok(());
                }
                let is_scalar = |parts: &Parts| {
                    parts.container == Container::Scalar
                        && (parts.is_complex() || parts.is_integer_or_float())
                };
                // A cast of one complex type to another one, or between other types, is not a cast of this
                // op.
                if !is_scalar(&left) || !is_scalar(&right) || left.is_complex() == right.is_complex() {
                    return Err(operands("a complex type and an integer or a float", from, to));
                }
                widths()
            }
            BitcastOp::Llvm => check_llvm(&left, &right, from, to),
        }
    }

    /// `BitCastOp::verify` in `mlir/lib/Dialect/Vector/IR/VectorOps.cpp`.
    fn check_vectors(&self, left: &Parts, right: &Parts, from: &Type, to: &Type) -> Result<()> {
        if left.container != Container::Vector || right.container != Container::Vector {
            return Err(operands("vectors", from, to));
        }
        // Whether a dimension is scalable does not matter: the sizes of both are multiples of the same number.
        let leading = |parts: &Parts| parts.sizes.len().saturating_sub(1);
        let (sizes, others) = (&left.sizes, &right.sizes);
        if sizes.len() != others.len() || sizes[..leading(left)] != others[..leading(right)] {
            return Err(shapes("the same shape but for the last dimension", from, to));
        }
        let bits = |parts: &Parts| -> Result<TypeSize> {
            let last = parts.sizes.last().map_or(1, |&size| size as u64);
            let element = self.type_size_in_bits(&parts.element)?.known_min_value();
            let bits = last.checked_mul(element);
            let bits = bits.ok_or_else(|| {
                let message = format!("a dimension of `{}` has 2^64 bits or more", brief(&parts.element.0));
                Error::message(ErrorKind::LayoutOverflow, message)
            })?;
            Ok(TypeSize::fixed(bits))
        };
        equal_bits(bits(left)?, bits(right)?, from, to)
    }
}

/// `BitcastOp::areCastCompatible` in `mlir/lib/Dialect/Arith/IR/ArithOps.cpp`, without the number of bits.
fn check_arith(left: &Parts, right: &Parts, from: &Type, to: &Type) -> Result<()> {
    // Those of tensors without a rank end the process of MLIR.
    let is_accepted = |parts: &Parts| {
        use Container::{MemRef, Scalar, Tensor, Vector};
        parts.is_arith() && matches!(parts.container, Scalar | Vector | Tensor | MemRef)
    };
    if !is_accepted(left) || !is_accepted(right) || left.container != right.container {
        let expected = "signless integers or floats, or vectors, ranked tensors or ranked memrefs of them";
        return Err(operands(expected, from, to));
    }
    let same = match left.container {
        Container::MemRef => left.has_compatible_shape(right),
        _ => left.sizes == right.sizes,
    };
    if !same || left.is_scalable != right.is_scalable {
        return Err(shapes("the same shape on both sides", from, to));
    }
    if left.encoding != right.encoding {
        return Err(shapes("the same encoding on both sides", from, to));
    }
    Ok(())
}

/// `LLVM::BitcastOp::verify` in `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`.
fn check_llvm(left: &Parts, right: &Parts, from: &Type, to: &Type) -> Result<()> {
    if !left.is_llvm() || !right.is_llvm() {
        return Err(operands("types of LLVM that are not aggregates", from, to));
    }
    match (left.address_space(), right.address_space()) {
        (None, None) => Ok(()),
        (Some(left_space), Some(right_space)) => {
            if (left.container == Container::Vector) != (right.container == Container::Vector) {
                return Err(operands("pointers on both sides, or vectors of them", from, to));
            }
            if left_space != right_space {
                return Err(operands("pointers of one address space", from, to));
            }
            Ok(())
        }
        _ => Err(operands("pointers on both sides or on neither", from, to)),
    }
}
