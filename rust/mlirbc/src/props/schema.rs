//! Property schemas: the inherent attributes of the ops of a release, with their order and encoding.
//!
//! A schema is JSON; `docs/reference/properties.md` is its reference. A schema is checked completely when it
//! is loaded, so the codec has no error paths for it. Tests check the shipped schemas, whose ops are parsed
//! from the text when a file uses them.

mod fields;
mod json;
mod operations;
mod rows;

use std::sync::Arc;

use crate::props::op_name::OperationName;
use crate::release::{self, KnownRelease, Llvm};
use crate::wire::error::Result;

use super::class::{Class, DialectClasses};

use json::{RawSchema, Text, classes, fault, pairs_of_classes};
use rows::OpRows;
pub(crate) use rows::PackLayout;

/// The inherent attributes of all ops of one release.
///
/// ```
/// let schema = mlirbc::props::PropertySchema::from_json(r#"{
///     "format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0", "producers": ["TOY1."],
///     "ops": { "toy.print": { "properties": [
///         {"name": "format", "kind": "optional_attr", "class": "StringAttr"},
///         {"name": "times", "kind": "int", "bits": 32}
///     ] } }
/// }"#)?;
/// assert_eq!((schema.name(), schema.version()), ("toy-1", "1.0"));
/// assert_eq!(schema.op(b"toy.print").unwrap().fields().count(), 2);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct PropertySchema {
    name: Box<str>,
    version: Box<str>,
    producers: Vec<Box<str>>,
    includes: Vec<Box<str>>,
    /// The release of LLVM whose rules apply, in place of the one of the producer strings.
    llvm: Option<Box<str>>,
    classes: DialectClasses,
    ops: OpRows,
}

/// The inherent attributes of an op.
#[derive(Debug)]
pub struct OpSchema {
    name: Box<str>,
    // The fields in the order of version 6.
    fields: Vec<PropertyField>,
    // The order of version 5.
    order5: Vec<u16>,
    operands: Vec<Box<str>>,
    results: Vec<Box<str>>,
    is_custom: bool,
}

/// An inherent attribute of an op.
///
/// ```
/// let schema = mlirbc::props::PropertySchema::shipped("llvm-22").unwrap();
/// let field = schema.op(b"llvm.add").unwrap().field("overflowFlags").unwrap();
/// assert_eq!((field.kind(), field.default_text()), ("enum", Some("0 : i32")));
/// assert!(!field.is_in_dictionary());
/// ```
#[derive(Debug, Clone)]
pub struct PropertyField {
    pub(crate) name: Box<str>,
    pub(crate) kind: Kind,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) is_in_dictionary: bool,
}

/// The encoding of a value.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Attribute {
        class: Class,
        /// The name of the class in messages.
        class_name: Box<str>,
        is_optional: bool,
    },
    Segments {
        count: u32,
        old_name: Option<Box<str>>,
    },
    Int {
        bits: u32,
        is_signed: bool,
        spelling: Spelling,
    },
    Enum {
        bits: u32,
        spelling: Spelling,
    },
    Bool(Spelling),
    String,
    Array(Box<Kind>),
    Optional(Box<Kind>),
}

/// The text of a value that is not an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `3 : i32`, of this width.
    Integer(u32),
    /// `true`
    Bool,
    /// `unit`, or `false`.
    Unit,
    Flags(Box<Flags>),
}

/// Names of bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flags {
    pub(crate) prefix: Box<str>,
    pub(crate) suffix: Box<str>,
    pub(crate) none: Box<str>,
    /// The names by bit, ascending.
    pub(crate) names: Vec<(u64, Box<str>)>,
}

/// The value of an absent field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DefaultValue {
    Text(Box<str>),
    /// There is a default, but its text is unknown.
    Unknown,
}

/// The LLVM of a release that is shipped.
fn llvm_of(name: &str) -> Option<Llvm> {
    release::find(name).ok().flatten().map(KnownRelease::llvm)
}

impl PropertySchema {
    /// Loads a schema from its JSON text.
    ///
    /// # Errors
    /// [`ErrorKind::PropertySchema`](crate::ErrorKind::PropertySchema) with the op, the field and the line of
    /// the error.
    ///
    /// ```
    /// let text = r#"{
    ///     "format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0", "producers": [],
    ///     "ops": {
    ///         "toy.print": { "properties": [{"name": "times", "kind": "number"}] }
    ///     }
    /// }"#;
    /// let error = mlirbc::props::PropertySchema::from_json(text).unwrap_err();
    /// assert!(error.to_string().contains("unknown variant `number`"), "{error}");
    /// assert!(error.to_string().contains("field `times` of `toy.print`, line 4 column"), "{error}");
    /// ```
    pub fn from_json(text: &str) -> Result<Arc<Self>> {
        let raw: RawSchema<'_> = serde_json::from_str(text).map_err(|error| fault(text, &error))?;
        let classes = classes(&raw.attribute_classes);
        let classes = DialectClasses::when_needed(|| classes);
        let ops = raw.ops.iter().map(|(name, op)| OpSchema::load(name, &op.0, &classes)).collect();
        Ok(Arc::new(Self::load(&raw, classes, OpRows::from_ops(ops))))
    }

    /// Loads a shipped schema, which is valid, from three parts: its JSON without ops and classes, the JSON
    /// of its classes, and the letter that marks its ops.
    pub(crate) fn from_shipped(head: &str, of_attributes: &'static str, letter: char) -> Option<Arc<Self>> {
        let head = serde_json::from_str(head).ok()?;
        let classes = DialectClasses::when_needed(|| classes(&pairs_of_classes(of_attributes)));
        Some(Arc::new(Self::load(&head, classes, OpRows::shipped(letter))))
    }

    /// Loads a schema of a pack from its JSON without ops, its classes as a JSON object, and the layouts of its operations, each
    /// of which is read on first use.
    pub(crate) fn of_pack(
        head: &str,
        of_attributes: String,
        ops: impl Iterator<Item = PackLayout>,
    ) -> Result<Arc<Self>> {
        let raw: RawSchema<'_> = serde_json::from_str(head).map_err(|error| fault(head, &error))?;
        let classes = DialectClasses::when_needed(move || classes(&pairs_of_classes(&of_attributes)));
        Ok(Arc::new(Self::load(&raw, classes, OpRows::of_pack(ops))))
    }

    /// The schema of a shipped release, loaded on first use.
    pub fn shipped(name: &str) -> Option<Arc<Self>> {
        super::registry::shipped_schema(name)
    }

    /// The name of the release.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The exact version of the release that the schema was made from.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The prefixes of the producer strings in files of the release.
    pub fn producers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.producers.iter().map(|text| &**text)
    }

    /// The releases that provide the ops that this release lacks.
    pub fn includes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.includes.iter().map(|text| &**text)
    }

    /// The ops, sorted by name.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = &OpSchema> {
        let ops: Vec<_> = self.ops.all().into_iter().filter_map(|row| self.op_at(row)).collect();
        ops.into_iter()
    }

    /// The op with this full name, e.g. `func.func`.
    pub fn op(&self, name: &[u8]) -> Option<&OpSchema> {
        self.row(name).and_then(|row| self.op_at(row))
    }

    /// Returns whether the schema has an op of this dialect.
    pub(crate) fn has_dialect(&self, dialect: &[u8]) -> bool {
        self.ops.has_dialect(dialect)
    }

    /// Returns whether the release has no properties.
    pub(crate) fn has_no_properties(&self) -> bool {
        self.llvm().is_some_and(|llvm| !llvm.has_properties())
    }

    /// A number above every row.
    pub(crate) fn rows_end(&self) -> usize {
        self.ops.end()
    }

    pub(crate) fn row(&self, name: &[u8]) -> Option<usize> {
        self.ops.find(|other| other.cmp(name))
    }

    /// [`Self::row`] for a name in two parts.
    pub(crate) fn row_of(&self, name: &OperationName<'_>) -> Option<usize> {
        self.ops.find(|other| name.compare_to(other))
    }

    pub(crate) fn op_at(&self, row: usize) -> Option<&OpSchema> {
        self.ops.op(row, &self.classes)
    }

    /// Returns whether two rows of shipped schemas are the same text.
    pub(crate) fn shares_row(&self, row: usize, other: &Self, other_row: usize) -> bool {
        self.ops.share(row, &other.ops, other_row)
    }

    /// The release of LLVM in the producer strings, if known.
    pub(crate) fn llvm(&self) -> Option<Llvm> {
        let of_producers =
            || self.producers.iter().find_map(|producer| Llvm::of_producer(producer.as_bytes()));
        self.llvm.as_deref().and_then(llvm_of).or_else(of_producers)
    }

    /// The release of LLVM of a known release, of the producer strings, or of the first included release.
    pub(crate) fn llvm_or_included(&self) -> Llvm {
        self.known_llvm().unwrap_or(Llvm::NEWEST)
    }

    /// As [`Self::llvm_or_included`]; `None` if nothing determines the release of LLVM.
    pub(crate) fn known_llvm(&self) -> Option<Llvm> {
        let declared = self.llvm.as_deref().and_then(llvm_of);
        declared
            .or_else(|| llvm_of(self.name()))
            .or_else(|| self.llvm())
            .or_else(|| self.includes().find_map(llvm_of))
    }

    /// Whether a pack has it: a project whose operations no other release has.
    pub(crate) fn is_of_pack(&self) -> bool {
        self.llvm.is_some()
    }

    /// The length of the matching producer prefix, if any.
    pub(crate) fn claims(&self, producer: &[u8]) -> Option<usize> {
        let fitting = self.producers.iter().filter(|prefix| producer.starts_with(prefix.as_bytes()));
        fitting.map(|prefix| prefix.len()).max()
    }

    fn load(raw: &RawSchema<'_>, classes: DialectClasses, ops: OpRows) -> Self {
        let boxed = |texts: &[Text<'_>]| texts.iter().map(|text| (*text.0).into()).collect();
        let RawSchema { release: Text(name), .. } = raw;
        Self {
            name: (**name).into(),
            version: (*raw.version.0).into(),
            producers: boxed(&raw.producers),
            includes: boxed(&raw.includes),
            llvm: raw.llvm.as_ref().map(|llvm| (*llvm.0).into()),
            classes,
            ops,
        }
    }
}

#[cfg(test)]
mod tests;
