//! Bit casts: whether the bits of one type may be read as another.

use crate::attr::text::dense::Element;
use crate::attr::{FieldValue, Type};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::dlti::brief;
use super::shape::{Node, Shape};
use super::{DataLayout, TypeSize};

/// The op whose rule applies to a bit cast.
#[doc(hidden)]
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

/// A type, taken apart into its container, its shape and its element.
struct BitcastType {
    container: Container,
    /// The sizes of the dimensions; `i64::MIN` is an unknown size.
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

impl BitcastType {
    fn new(r#type: &Type, budget: &Budget) -> Result<Self> {
        let container = match r#type.class() {
            Some("VectorType" | "VectorTypeWithScalableDims") => Container::Vector,
            Some("RankedTensorType" | "RankedTensorTypeWithEncoding") => Container::Tensor,
            Some("UnrankedTensorType") => Container::UnrankedTensor,
            Some("MemRefType" | "MemRefTypeWithMemSpace") => Container::MemRef,
            Some("UnrankedMemRefType" | "UnrankedMemRefTypeWithMemSpace") => Container::UnrankedMemRef,
            _ => Container::Scalar,
        };
        let list = |name| match r#type.field(name) {
            Ok(Some(FieldValue::List(items))) => items,
            _ => Vec::new(),
        };
        let element = match (container, r#type.field("elementType")) {
            (Container::Scalar, _) => r#type.clone(),
            (_, Ok(Some(FieldValue::Type(element)))) => element,
            _ => r#type.clone(),
        };
        let sizes = list("shape");
        let sizes = sizes.iter().map(|size| if let FieldValue::Signed(size) = size { *size } else { 0 });
        let is_scalable = list("scalable").contains(&FieldValue::Bool(true));
        let encoding = r#type.field("encoding").ok().flatten();
        let (shape, _held) = Shape::of(&element, budget)?;
        Ok(Self { container, sizes: sizes.collect(), is_scalable, encoding, element, shape })
    }

    /// Compares the shapes; unknown sizes agree with any size (`verifyCompatibleShape` in
    /// `mlir/lib/IR/TypeUtilities.cpp`).
    fn has_compatible_shape(&self, other: &Self) -> bool {
        let agree =
            |(source, target): (&i64, &i64)| source == target || *source == i64::MIN || *target == i64::MIN;
        self.sizes.len() == other.sizes.len() && self.sizes.iter().zip(&other.sizes).all(agree)
    }

    fn is_integer_or_float(&self) -> bool {
        matches!(self.shape.root(), Node::Integer(_) | Node::Float(_))
    }

    /// Returns whether the element is a signless integer or a float.
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

    /// The address space of a pointer or a vector of pointers.
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
            // A complex number has twice the size of its element, without padding (`BitcastOp::verify` in
            // `mlir/lib/Dialect/Complex/IR/ComplexOps.cpp`).
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
    let actual = format!("`{}` and `{}`", brief(&from.0), brief(&to.0));
    Error::new(ErrorKind::LayoutOperandType, expected.to_owned(), actual)
}

#[cold]
fn shapes(expected: &str, from: &Type, to: &Type) -> Error {
    let actual = format!("`{}` and `{}`", brief(&from.0), brief(&to.0));
    Error::new(ErrorKind::LayoutShape, expected.to_owned(), actual)
}

fn equal_bits(source: TypeSize, target: TypeSize, from: &Type, to: &Type) -> Result<()> {
    if source == target {
        return Ok(());
    }
    let (from, to) = (brief(&from.0), brief(&to.0));
    let message = format!("`{from}` has {source} bits, but `{to}` has {target}");
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
    #[doc(hidden)]
    pub fn check_bitcast(&self, from: &Type, to: &Type, op: Option<BitcastOp>) -> Result<()> {
        let Some(op) = op else {
            return equal_bits(self.type_size_in_bits(from)?, self.type_size_in_bits(to)?, from, to);
        };
        let (source, target) = (BitcastType::new(from, self.budget())?, BitcastType::new(to, self.budget())?);
        let widths =
            || equal_bits(TypeSize::fixed(source.width()), TypeSize::fixed(target.width()), from, to);
        match op {
            BitcastOp::Vector => self.check_vectors(&source, &target, from, to),
            BitcastOp::Arith => check_arith(&source, &target, from, to).and_then(|()| widths()),
            BitcastOp::Tensor => {
                let is_tensor = |parts: &BitcastType| {
                    matches!(parts.container, Container::Tensor | Container::UnrankedTensor)
                        && parts.is_integer_or_float()
                };
                if !is_tensor(&source) || !is_tensor(&target) {
                    return Err(operands("tensors of integers or floats", from, to));
                }
                let is_ranked = |parts: &BitcastType| parts.container == Container::Tensor;
                if is_ranked(&source) && is_ranked(&target) && !source.has_compatible_shape(&target) {
                    return Err(shapes("compatible shapes on both sides", from, to));
                }
                widths()
            }
            BitcastOp::Complex => {
                // The op accepts every type that does not change.
                if from == to {
                    return Ok(());
                }
                let is_scalar = |parts: &BitcastType| {
                    parts.container == Container::Scalar
                        && (parts.is_complex() || parts.is_integer_or_float())
                };
                // A cast of one complex type to another, or between other types, is not a cast of this op.
                if !is_scalar(&source) || !is_scalar(&target) || source.is_complex() == target.is_complex() {
                    return Err(operands("a complex type and an integer or a float", from, to));
                }
                widths()
            }
            BitcastOp::Llvm => check_llvm(&source, &target, from, to),
        }
    }

    /// `BitCastOp::verify` in `mlir/lib/Dialect/Vector/IR/VectorOps.cpp`.
    fn check_vectors(
        &self,
        source: &BitcastType,
        target: &BitcastType,
        from: &Type,
        to: &Type,
    ) -> Result<()> {
        if source.container != Container::Vector || target.container != Container::Vector {
            return Err(operands("vectors", from, to));
        }
        // Whether a dimension is scalable does not matter: the sizes of both are multiples of the same number.
        let leading = |parts: &BitcastType| parts.sizes.len().saturating_sub(1);
        let (sizes, others) = (&source.sizes, &target.sizes);
        if sizes.len() != others.len() || sizes[..leading(source)] != others[..leading(target)] {
            return Err(shapes("the same shape but for the last dimension", from, to));
        }
        let bits = |parts: &BitcastType| -> Result<TypeSize> {
            let last = parts.sizes.last().map_or(1, |&size| size as u64);
            let element = self.type_size_in_bits(&parts.element)?.known_min_value();
            let bits = last.checked_mul(element);
            let bits = bits.ok_or_else(|| {
                let message = format!("a dimension of `{}` has 2^64 bits or more", brief(&parts.element.0));
                Error::message(ErrorKind::LayoutOverflow, message)
            })?;
            Ok(TypeSize::fixed(bits))
        };
        equal_bits(bits(source)?, bits(target)?, from, to)
    }
}

/// `BitcastOp::areCastCompatible` in `mlir/lib/Dialect/Arith/IR/ArithOps.cpp`, without the number of bits.
fn check_arith(source: &BitcastType, target: &BitcastType, from: &Type, to: &Type) -> Result<()> {
    // MLIR aborts on tensors without a rank.
    let is_accepted = |parts: &BitcastType| {
        use Container::{MemRef, Scalar, Tensor, Vector};
        parts.is_arith() && matches!(parts.container, Scalar | Vector | Tensor | MemRef)
    };
    if !is_accepted(source) || !is_accepted(target) || source.container != target.container {
        let expected = "signless integers or floats, or vectors, ranked tensors or ranked memrefs of them";
        return Err(operands(expected, from, to));
    }
    let same = match source.container {
        Container::MemRef => source.has_compatible_shape(target),
        _ => source.sizes == target.sizes,
    };
    if !same || source.is_scalable != target.is_scalable {
        return Err(shapes("the same shape on both sides", from, to));
    }
    if source.encoding != target.encoding {
        return Err(shapes("the same encoding on both sides", from, to));
    }
    Ok(())
}

/// `LLVM::BitcastOp::verify` in `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`.
fn check_llvm(source: &BitcastType, target: &BitcastType, from: &Type, to: &Type) -> Result<()> {
    if !source.is_llvm() || !target.is_llvm() {
        return Err(operands("types of LLVM that are not aggregates", from, to));
    }
    match (source.address_space(), target.address_space()) {
        (None, None) => Ok(()),
        (Some(left_space), Some(right_space)) => {
            if (source.container == Container::Vector) != (target.container == Container::Vector) {
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
