//! The operations and types that a program needs for its weights, in the dialect of the program.

use crate::attr::build::builtin;
use crate::attr::text::dense::Element;
use crate::attr::{Attribute, FieldValue, Type};
use crate::convert::portable::VhloVersion;
use crate::edit::{EditOp, EditValue, Editor, InsertionPoint, NewOperation};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use crate::tool::weights::invalid;

/// The dialect of a constant, and of the operations beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramDialect {
    StableHlo,
    Vhlo,
    Arith,
}

/// The first version of VHLO that has a type, if it is above 0.9.0.
const VHLO_TYPES: &[(&str, [u32; 2])] = &[
    ("f8E4M3FNUZ", [0, 10]),
    ("f8E5M2FNUZ", [0, 10]),
    ("f8E4M3B11FNUZ", [0, 11]),
    ("f8E4M3", [1, 7]),
    ("f8E3M4", [1, 7]),
    ("f4E2M1FN", [1, 8]),
    ("f6E2M3FN", [1, 8]),
    ("f6E3M2FN", [1, 8]),
    ("f8E8M0FNU", [1, 8]),
];

impl ProgramDialect {
    /// Returns the dialect of a constant, by the name of its operation.
    pub(super) fn of_constant(name: &str) -> Option<Self> {
        Some(match name {
            "stablehlo.constant" => Self::StableHlo,
            "vhlo.constant_v1" => Self::Vhlo,
            "arith.constant" => Self::Arith,
            _ => return None,
        })
    }

    pub(super) fn constant_name(self) -> &'static str {
        match self {
            Self::StableHlo => "stablehlo.constant",
            Self::Vhlo => "vhlo.constant_v1",
            Self::Arith => "arith.constant",
        }
    }

    /// Returns a type with other elements, e.g. `tensor<2xbf16>` for `tensor<2xf32>`.
    pub(super) fn with_element(self, r#type: &Type, element: &str) -> Result<Type> {
        let element = Type::parse(match self {
            Self::Vhlo if element == "i1" => "!vhlo.bool_v1".to_owned(),
            Self::Vhlo => format!("!vhlo.{element}_v1"),
            Self::StableHlo | Self::Arith => element.to_owned(),
        })?;
        self.with_fields(r#type, None, element)
    }

    /// Returns a vector with the elements of a type along one of its dimensions.
    pub(super) fn along(self, r#type: &Type, size: u64) -> Result<Type> {
        let Some(FieldValue::Type(element)) = r#type.field("elementType")? else { return Err(no_tensor()) };
        let size = i64::try_from(size).map_err(|_| no_tensor())?;
        self.with_fields(r#type, Some(vec![FieldValue::Signed(size)]), element)
    }

    fn with_fields(self, r#type: &Type, shape: Option<Vec<FieldValue>>, element: Type) -> Result<Type> {
        let class = r#type.class().filter(|class| class.contains("RankedTensor")).ok_or_else(no_tensor)?;
        let mut fields = r#type.fields()?;
        for (name, field) in &mut fields {
            match name.as_str() {
                "elementType" => *field = FieldValue::Type(element.clone()),
                "shape" => {
                    if let Some(shape) = &shape {
                        *field = FieldValue::List(shape.clone());
                    }
                }
                _ => {}
            }
        }
        let fields: Vec<_> = fields.iter().map(|(name, field)| (name.as_str(), field.clone())).collect();
        Type::build(&r#type.dialect(), class, &fields)
    }

    /// Returns the elements of a constant with this type.
    pub(super) fn elements(self, r#type: &Type, data: Bytes) -> Result<Attribute> {
        let (dialect, class) = match self {
            Self::Vhlo => ("vhlo", "TensorV1Attr"),
            Self::StableHlo | Self::Arith => ("builtin", "DenseIntOrFPElementsAttr"),
        };
        Attribute::build(
            dialect,
            class,
            &[("type", FieldValue::Type(r#type.clone())), ("data", FieldValue::Blob(data))],
        )
    }

    /// The name of the operation that converts between types of elements.
    fn convert_name(self, from: Element, to: Element) -> &'static str {
        match self {
            Self::StableHlo => "stablehlo.convert",
            Self::Vhlo => "vhlo.convert_v1",
            Self::Arith if from.is_integer() => "arith.sitofp",
            Self::Arith if from.bits() < to.bits() => "arith.extf",
            Self::Arith => "arith.truncf",
        }
    }

    fn multiply_name(self) -> &'static str {
        match self {
            Self::StableHlo => "stablehlo.multiply",
            Self::Vhlo => "vhlo.multiply_v1",
            Self::Arith => "arith.mulf",
        }
    }

    /// Returns why a program of this version of VHLO has no such elements.
    pub(super) fn why_no_element(self, element: &str, version: Option<VhloVersion>) -> Option<String> {
        let (_, [major, minor]) = VHLO_TYPES.iter().find(|(name, _)| *name == element)?;
        let version = version.filter(|_| self == Self::Vhlo)?;
        ((version.major, version.minor) < (*major, *minor)).then(|| {
            format!("StableHLO {version} has no elements {element}: they are in {major}.{minor}.0 and later")
        })
    }
}

/// Creates the operations of a weight before a constant.
pub(super) struct ProgramBuilder<'e> {
    pub(super) editor: &'e mut Editor,
    pub(super) dialect: ProgramDialect,
    pub(super) at: InsertionPoint,
    pub(super) location: Attribute,
}

impl ProgramBuilder<'_> {
    fn create(&mut self, name: &str, operands: Vec<EditValue>, results: &Type) -> Result<EditOp> {
        self.create_with(name, operands, results, Vec::new())
    }

    fn create_with(
        &mut self,
        name: &str,
        operands: Vec<EditValue>,
        result: &Type,
        attributes: Vec<(Vec<u8>, Attribute)>,
    ) -> Result<EditOp> {
        let new = NewOperation {
            operands,
            results: vec![result.clone()],
            attributes,
            location: Some(self.location.clone()),
            ..NewOperation::new(name)
        };
        let op = self.editor.create(&new, self.at)?;
        self.at = InsertionPoint::After(op);
        Ok(op)
    }

    fn result(&self, op: EditOp) -> Result<EditValue> {
        self.editor.results(op)?.first().copied().ok_or_else(no_tensor)
    }

    pub(super) fn constant(&mut self, r#type: &Type, data: Bytes) -> Result<EditValue> {
        let value = self.dialect.elements(r#type, data)?;
        let op = self.create_with(
            self.dialect.constant_name(),
            Vec::new(),
            r#type,
            vec![(b"value".to_vec(), value)],
        )?;
        self.result(op)
    }

    pub(super) fn convert(
        &mut self,
        value: EditValue,
        r#type: &Type,
        (from, to): (Element, Element),
    ) -> Result<EditValue> {
        let op = self.create(self.dialect.convert_name(from, to), vec![value], r#type)?;
        self.result(op)
    }

    pub(super) fn multiply(&mut self, left: EditValue, right: EditValue, r#type: &Type) -> Result<EditValue> {
        let op = self.create(self.dialect.multiply_name(), vec![left, right], r#type)?;
        self.result(op)
    }

    /// Repeats a vector along the other dimensions of a type.
    pub(super) fn broadcast(&mut self, value: EditValue, axis: usize, r#type: &Type) -> Result<EditValue> {
        let axis = axis as i64;
        let (name, dimensions) = match self.dialect {
            ProgramDialect::Vhlo => {
                let text = format!("#vhlo.tensor_v1<dense<{axis}> : tensor<1xi64>>");
                ("vhlo.broadcast_in_dim_v1", Attribute::parse(text)?)
            }
            ProgramDialect::StableHlo => ("stablehlo.broadcast_in_dim", builtin::dense_array(64, &[axis])?),
            ProgramDialect::Arith => {
                return Err(invalid("a program of arith has no scales for each channel".to_owned())
                    .with_hint("quantize with one scale for each tensor"));
            }
        };
        let attributes = vec![(b"broadcast_dimensions".to_vec(), dimensions)];
        let op = self.create_with(name, vec![value], r#type, attributes)?;
        self.result(op)
    }
}

#[cold]
fn no_tensor() -> crate::wire::error::Error {
    invalid("the type of a weight is not a tensor with a shape".to_owned())
}
