//! Dialect tables: the codes of entries, their fields, and their text.
//!
//! A table is TOML; `docs/reference/dialect-tables.md` is its reference. It is checked completely when it is
//! loaded, so its interpreters need no error paths for it.

mod alias;
mod load;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::declarations::OpForms;
use super::deviation::Deviation;
use super::template::Template;
use super::value_form::ValueForm;
pub(crate) use alias::{Alias, AliasName, AliasParameter, AliasPiece, AliasValue};
pub(crate) use load::style_without_names;

/// The encodings of one dialect, checked on loading.
#[derive(Debug)]
pub struct DialectTable {
    pub(crate) dialect: Box<str>,
    pub(crate) attributes: Encodings,
    pub(crate) types: Encodings,
    /// The encodings of property blobs, for ops without a schema in the release.
    pub(crate) ops: OpForms,
    /// The encoding of the dialect version in the dialect section.
    pub(crate) version: Option<Encoding>,
    /// The newest version that the table describes, if the table states one.
    pub(crate) newest: Option<Box<[u64]>>,
    /// The op that represents unregistered operations.
    pub(crate) fallback: Option<Box<str>>,
    /// Whether the table is a shipped table. The encodings of other tables are checked for each value.
    pub(crate) is_shipped: bool,
    /// How the encodings of the writer may deviate from a shipped table.
    pub(crate) deviation: Deviation,
    pub(crate) enums: Vec<EnumTable>,
    /// Alias names by mnemonic, for attributes and types stored as text.
    pub(crate) aliases: HashMap<Box<[u8]>, Alias>,
    /// The omitted mnemonic of a nested text, by mnemonic and parameter; `dialect:mnemonic` of another dialect.
    pub(crate) bare: HashMap<Box<[u8]>, ParameterTexts>,
    /// The text that precedes a word in the full text, by mnemonic and parameter, for [`Style::Word`].
    pub(crate) words: HashMap<Box<[u8]>, ParameterTexts>,
    /// The names of values of a type, by its mnemonic.
    pub(crate) value_names: HashMap<Box<[u8]>, Box<str>>,
    /// Widths in bits of types stored as text.
    pub(crate) assembly_bits: HashMap<Box<[u8]>, u64>,
}

/// Texts by the name or the position of a parameter of one mnemonic.
pub(crate) type ParameterTexts = HashMap<Box<[u8]>, Box<str>>;

/// The encodings of attributes or of types, by code and by name.
#[derive(Debug, Default, Clone)]
pub(crate) struct Encodings {
    pub(crate) rows: Vec<Encoding>,
    by_code: Vec<u32>,
    /// The encoding of all codes without an own encoding.
    any: Option<u32>,
}

/// The encoding of one code.
#[derive(Debug, Clone)]
pub(crate) struct Encoding {
    pub(crate) code: u64,
    /// Whether the bytes start with the code; if not, `code` is unused.
    pub(crate) has_code: bool,
    pub(crate) name: Box<str>,
    /// The class in memory, shared by codes that differ in their fields.
    pub(crate) kind: Box<str>,
    pub(crate) builtin: BuiltinKind,
    /// The newest layout first, then older ones with the same code.
    pub(crate) layouts: Vec<Layout>,
    /// Layouts of files whose dialect version is below a version, the lowest first.
    pub(crate) gates: Vec<(Vec<u64>, Layout)>,
    /// Layouts of the releases of LLVM below a number, the lowest first.
    pub(crate) releases: Vec<ReleaseLayout>,
    /// The dialect version that introduced the encoding.
    pub(crate) since: Option<Box<[u64]>>,
    /// The conditions under which the encoding is written in place of the other encodings of its kind.
    pub(crate) when: Vec<WriteCondition>,
    /// Whether MLIR may write values of the encoding in another way, by `when` or `omit`.
    pub(crate) is_restated: bool,
    /// Whether entries of the encoding consist of numbers and references only.
    pub(crate) has_fixed_layout: bool,
    /// Whether entries of the encoding can refer to attributes or types.
    pub(crate) refers: bool,
    pub(crate) bits: Option<Bits>,
    /// The class names that this encoding satisfies.
    pub(crate) classes: Vec<Box<str>>,
    pub(crate) mnemonic: Option<Box<str>>,
    pub(crate) asm: Template,
    pub(crate) print: Named,
    pub(crate) alias: Option<Alias>,
    /// The name of a type of another dialect in a context of builtin types.
    pub(crate) as_builtin: Option<Template>,
    /// The fields of a value that the code of its dialect has read.
    pub(crate) value: Option<Box<ValueForm>>,
}

/// A condition on a value: a field is present and does not have the omitted value.
#[derive(Debug, Clone)]
pub(crate) struct WriteCondition {
    pub(crate) field: Box<str>,
    /// The encodings of which an attribute in the field must have one, by name; empty if any encoding will
    /// do.
    pub(crate) has: Vec<Box<str>>,
}

/// The fields of an encoding, in wire order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) fields: Vec<FieldSpec>,
}

/// The name, the primitive and the style of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldSpec {
    pub(crate) name: Box<str>,
    pub(crate) primitive: Primitive,
    pub(crate) style: Style,
    pub(crate) omit: Option<Omit>,
}

/// The encoding of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Primitive {
    Varint,
    OptionalVarint,
    Signed,
    Byte,
    Bool,
    String,
    Blob,
    Resource,
    Opaque,
    AffineMap,
    IntegerSet,
    Attribute(Option<Box<str>>),
    OptionalAttribute(Option<Box<str>>),
    Type,
    List(Vec<Primitive>),
    OptionalList(Vec<Primitive>),
    /// An integer or the bits of a float with the width of the type in this field.
    Bits(usize),
    /// The bits of a float of known width.
    Float(u64),
    /// Strings: one string if this field is not 0, otherwise as many as fill the entry.
    Splat(usize),
    /// Present only if this field is not 0.
    If(usize, Box<Primitive>),
    OptionalType,
    /// A number and the flag in its lowest bit, with any values.
    VarintWithFlag,
    /// A sparse array with this number of items, the encoding of segment sizes from version 6 on.
    Sparse(u32),
    /// Bytes up to the end that contain no indices of tables.
    Rest,
    /// A case number, and the fields of that case.
    Switch(Vec<Case>),
}

/// A case of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Case {
    /// The number; `None` is every other number.
    pub(crate) kind: Option<u64>,
    pub(crate) items: Vec<Primitive>,
}

/// The layout of releases of LLVM below a number.
#[derive(Debug, Clone)]
pub(crate) struct ReleaseLayout {
    pub(crate) before: u32,
    /// Whether the known builds of the main branch with this number have the layout, too.
    pub(crate) has_builds: bool,
    pub(crate) layout: Layout,
}

/// How a field is printed, if its primitive does not determine it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    #[default]
    Plain,
    /// Index of a table of names.
    Enum(usize),
    /// A set of names, one for each bit.
    Flags(usize),
    /// A nested attribute without the name of its dialect and its mnemonic.
    Bare,
    /// `2x?x`
    Dims,
    /// A string without quotes where it can be.
    Keyword,
    /// The bytes of a string, unquoted.
    Verbatim,
    /// A type with its name in the builtin dialect.
    AsBuiltin,
    /// An attribute whose type is omitted if it is the parser's default: `i64`, `f64`.
    Elided,
    /// A list in brackets.
    Array,
    /// A list whose dynamic sizes are `?`.
    Sizes,
    /// A list of two primitives, as `a = b`.
    Pairs,
    /// The elements of an array attribute, each as [`Style::Bare`].
    Elements,
    /// An attribute of the dialect as the word of its only field, any other attribute in full.
    Word,
    /// An attribute of the dialect as its mnemonic and its text, without the name of the dialect.
    Mnemonic,
    /// A list of numbers of factors as their symbols: `i, j, z_1`.
    Factors,
    /// As [`Style::Factors`] without commas: `ijz_1`.
    FactorProduct,
    /// A list of sizes, each with the symbol of its position: `i=2, j=3`.
    FactorSizes,
}

/// The value that a field has when `{params}` omits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Omit {
    Number(i64),
    /// An empty string or list.
    Empty,
    /// An empty list, or the numbers from 0 on if the list in this field is not empty.
    Iota(usize),
}

/// Names of numbers.
#[derive(Debug, Clone)]
pub(crate) struct EnumTable {
    pub(crate) name: Box<str>,
    pub(crate) rows: Vec<(u64, Box<str>)>,
}

/// The width in bits of a value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bits {
    Fixed(u64),
    /// The number in this field, divided.
    Field(usize, u64),
}

macro_rules! names {
    ($(#[$doc:meta])* $type:ident: $default:ident, $($variant:ident),*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub(crate) enum $type { #[default] $default, $($variant),* }

        impl $type {
            fn from_name(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($variant) => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

names! {
    /// Classes of the builtin dialect with printer rules that other classes share: when a type is omitted,
    /// which nested locations are printed in full.
    BuiltinKind: Other,
    ArrayAttr, DictionaryAttr, StringAttr, FlatSymbolRefAttr, SymbolRefAttr, TypeAttr, UnitAttr, IntegerAttr,
    FloatAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc, UnknownLoc, DenseResourceElementsAttr,
    DenseArrayAttr, DenseIntOrFPElementsAttr, DenseStringElementsAttr, SparseElementsAttr, DistinctAttr,
    AffineMapAttr, IntegerSetAttr, StridedLayoutAttr, IntegerType, IndexType, FunctionType, ComplexType,
    MemRefType, NoneType, RankedTensorType, TupleType, UnrankedMemRefType, UnrankedTensorType, VectorType,
    TokenType
}

names! {
    /// Text that a template cannot express.
    Named: Template,
    Dictionary, Text, SymbolRef, Integer, Float, NameLoc, Range, Resource, DenseArray, DenseElements,
    DenseStrings, Sparse, Distinct, AffineMap, IntegerSet, StridedLayout, IntegerType, FunctionType, MemRef,
    Vector, Convolution, LlvmExpression, QuantAny, QuantUniform, QuantPerAxis, QuantSubChannel
}

impl BuiltinKind {
    pub(crate) fn is_location(self) -> bool {
        matches!(
            self,
            Self::CallSiteLoc | Self::FileLineColLoc | Self::FusedLoc | Self::NameLoc | Self::UnknownLoc
        )
    }
}

impl DialectTable {
    /// The name of the dialect.
    pub fn dialect(&self) -> &str {
        &self.dialect
    }

    /// Whether the table has encodings of attributes or types.
    pub(crate) fn has_encodings(&self) -> bool {
        !self.attributes.rows.is_empty() || !self.types.rows.is_empty()
    }

    /// Creates an empty table.
    pub(crate) fn empty(dialect: &str) -> Self {
        Self {
            dialect: dialect.into(),
            attributes: Encodings::default(),
            types: Encodings::default(),
            ops: OpForms::default(),
            version: None,
            newest: None,
            fallback: None,
            is_shipped: true,
            deviation: Deviation::None,
            enums: Vec::new(),
            aliases: HashMap::new(),
            bare: HashMap::new(),
            words: HashMap::new(),
            value_names: HashMap::new(),
            assembly_bits: HashMap::new(),
        }
    }
}

impl Encodings {
    /// Creates encodings with one encoding for all codes.
    pub(super) fn any(form: Encoding) -> Self {
        Self { rows: vec![form], by_code: Vec::new(), any: Some(0) }
    }

    /// The encoding with this code.
    #[inline]
    pub(crate) fn by_code(&self, code: u64) -> Option<&Encoding> {
        self.rows.get(self.row_by_code(code)?)
    }

    /// The row of the encoding with this code.
    #[inline]
    pub(crate) fn row_by_code(&self, code: u64) -> Option<usize> {
        let row = usize::try_from(code).ok().and_then(|code| self.by_code.get(code)).copied();
        row.filter(|&row| row != u32::MAX).or(self.any).map(|row| row as usize)
    }

    /// The code of the encoding with this name.
    pub(crate) fn code(&self, name: &str) -> Option<u64> {
        self.rows.iter().find(|form| *form.name == *name).map(|form| form.code)
    }

    /// The encodings of one kind.
    pub(crate) fn of_kind<'t, 'k>(
        &'t self,
        kind: &'k str,
    ) -> impl Iterator<Item = &'t Encoding> + use<'t, 'k> {
        self.rows.iter().filter(move |form| *form.kind == *kind)
    }

    /// The largest code plus one.
    pub(crate) fn code_bound(&self) -> u64 {
        self.by_code.len() as u64
    }
}

impl Encoding {
    /// Whether an unconditional number follows the code.
    pub(crate) fn starts_with_varint(&self) -> bool {
        let first = self.layouts.first().and_then(|layout| layout.fields.first());
        first.is_some_and(|field| field.primitive == Primitive::Varint)
    }
}

impl EnumTable {
    /// The name of a number.
    pub(crate) fn text(&self, number: u64) -> Option<&str> {
        let row = self.rows.binary_search_by_key(&number, |row| row.0).ok()?;
        Some(&self.rows[row].1)
    }
}

/// Returns whether entries of these layouts can refer to attributes or types.
pub(super) fn refers(layouts: &[Layout]) -> bool {
    layouts.iter().flat_map(|layout| &layout.fields).any(|field| field.primitive.refers())
}

impl Layout {
    /// The index of the field with this name.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| *field.name == *name)
    }
}
