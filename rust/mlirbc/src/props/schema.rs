//! Property schemas: the inherent attributes of the ops of a release, with their order and encoding.
//!
//! A schema is JSON; `docs/reference/properties.md` is its reference. A schema is checked completely when it
//! is loaded, so the codec has no error paths for it. Tests check the shipped schemas, whose ops are parsed
//! from the text when a file uses them.

mod json;
mod rows;

use std::sync::Arc;

use crate::props::op_name::OperationName;
use crate::release::{self, KnownRelease, Llvm};
use crate::wire::error::Result;
use crate::wire::order::sort_by;
use crate::wire::version::BytecodeVersion;

use super::class::{Class, DialectClasses};

use json::{RawDefault, RawField, RawKind, RawOp, RawSchema, Text, classes, fault, order5, pairs_of_classes};
use rows::OpRows;

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

/// The prefix of the names of VHLO's operations.
const VHLO: &str = "vhlo.";

impl OpSchema {
    /// Returns whether every build has this layout: operations of VHLO do not change within their version,
    /// and `builtin.module` has had its two attributes since properties exist.
    pub(crate) fn never_changes(&self) -> bool {
        self.name.starts_with(VHLO) || *self.name == *"builtin.module"
    }

    fn load(name: &str, raw: &RawOp<'_>, classes: &DialectClasses) -> Self {
        let fields = raw.properties.iter().map(|field| PropertyField::load(&field.0, classes)).collect();
        let boxed = |texts: &[Text<'_>]| texts.iter().map(|text| (*text.0).into()).collect();
        Self {
            name: name.into(),
            fields,
            order5: order5(&raw.properties).unwrap_or_default(),
            operands: boxed(&raw.operands),
            results: boxed(&raw.results),
            is_custom: raw.custom,
        }
    }

    /// The full name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The inherent attributes in the order of version 6.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &PropertyField> {
        self.fields.iter()
    }

    /// The inherent attribute with this name; segment sizes have an older name too.
    pub fn field(&self, name: &str) -> Option<&PropertyField> {
        self.field_number(name.as_bytes()).and_then(|number| self.fields.get(number))
    }

    #[inline]
    pub(crate) fn field_number(&self, name: &[u8]) -> Option<usize> {
        self.fields.iter().position(|field| field.has_name(name))
    }

    /// Whether the op has operand or result segment sizes, even if the file stores none for an operation.
    pub fn has_segment_sizes(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.kind, Kind::Segments { .. }))
    }

    /// The operand groups, with `*` after variadic ones and `?` after optional ones; empty if the op has no
    /// operand segment sizes.
    pub fn operands(&self) -> impl ExactSizeIterator<Item = &str> {
        self.operands.iter().map(|text| &**text)
    }

    /// The result groups; empty if the op has no result segment sizes.
    pub fn results(&self) -> impl ExactSizeIterator<Item = &str> {
        self.results.iter().map(|text| &**text)
    }

    /// Whether the layout of the op's blob is unknown.
    pub fn is_opaque(&self) -> bool {
        self.is_custom
    }

    /// Returns whether the same bytes mean the same properties. Classes that only one of the two ops accepts
    /// are ignored.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        self.is_alike(other, Kind::reads_like)
    }

    /// Returns whether each blob that fits both layouts has the same names, values and counts in both.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        self.is_alike(other, Kind::agrees_with)
    }

    /// [`Self::agrees_with`] for layouts that may differ in the numbers of groups.
    pub(crate) fn has_fields_of(&self, other: &Self) -> bool {
        self.is_alike(other, |left, right| {
            matches!((left, right), (Kind::Segments { .. }, Kind::Segments { .. })) || left.agrees_with(right)
        })
    }

    fn is_alike(&self, other: &Self, is_alike: impl Fn(&Kind, &Kind) -> bool) -> bool {
        let mut pairs = self.fields.iter().zip(&other.fields);
        self.fields.len() == other.fields.len()
            && self.order5 == other.order5
            && pairs.all(|(left, right)| left.name == right.name && is_alike(&left.kind, &right.kind))
    }

    /// Returns the fields that all these layouts share, which cannot read a blob; `None` if the layouts are
    /// the same.
    pub(crate) fn agreed_with(&self, others: &[&Self]) -> Option<Self> {
        let has_defaults_of = |other: &Self| {
            let pairs = self.fields.iter().zip(&other.fields);
            pairs.into_iter().all(|(field, other)| field.default == other.default)
        };
        if others.iter().all(|other| self.reads_like(other) && has_defaults_of(other)) {
            return None;
        }
        let agreed = |field: &PropertyField| {
            let mut field = field.clone();
            for other in others {
                let counterpart = other.field(&field.name)?;
                if counterpart.is_in_dictionary != field.is_in_dictionary {
                    return None;
                }
                field.default = field.default.filter(|default| counterpart.default.as_ref() == Some(default));
                if matches!(field.kind, Kind::Segments { .. }) && !field.kind.reads_like(&counterpart.kind) {
                    field.kind = Kind::any_attribute();
                }
            }
            Some(field)
        };
        Some(Self {
            name: self.name.clone(),
            fields: self.fields.iter().filter_map(agreed).collect(),
            order5: Vec::new(),
            operands: self.operands.clone(),
            results: self.results.clone(),
            is_custom: true,
        })
    }

    /// Returns the fields that a dictionary can have, which cannot read a blob.
    pub(crate) fn in_dictionary(&self) -> Self {
        let attribute = |field: &PropertyField| {
            let mut field = field.clone();
            // A dictionary need not have segment sizes.
            if matches!(field.kind, Kind::Segments { .. }) {
                field.kind = Kind::any_attribute();
            }
            field
        };
        Self {
            name: self.name.clone(),
            fields: self.fields.iter().filter(|field| field.is_in_dictionary).map(attribute).collect(),
            order5: Vec::new(),
            operands: self.operands.clone(),
            results: self.results.clone(),
            is_custom: true,
        }
    }

    /// The approximate size of the fields in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.fields.iter().map(|field| size_of::<PropertyField>() + field.name.len()).sum()
    }

    /// The fields in wire order.
    #[inline]
    pub(crate) fn wire(&self, version: BytecodeVersion) -> impl Iterator<Item = &PropertyField> {
        let order =
            (!version.has_native_segment_sizes() && !self.order5.is_empty()).then_some(&self.order5[..]);
        (0..self.fields.len()).filter_map(move |place| match order {
            Some(order) => self.fields.get(usize::from(*order.get(place)?)),
            None => self.fields.get(place),
        })
    }
}

impl PropertyField {
    fn load(raw: &RawField<'_>, classes: &DialectClasses) -> Self {
        Self {
            name: raw.name.as_deref().unwrap_or_default().into(),
            kind: Kind::load(raw, classes),
            default: raw.default.as_ref().map(|default| match default {
                RawDefault::Text(text) => DefaultValue::Text((**text).into()),
                RawDefault::Unknown => DefaultValue::Unknown,
            }),
            is_in_dictionary: raw.in_dictionary,
        }
    }

    /// The name in attribute dictionaries and in text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the field is an attribute that may be absent.
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self.kind, Kind::Attribute { is_optional: true, .. })
    }

    /// The kind in schemas: `attr`, `optional_attr`, `segment_sizes`, `int`, `enum`, `bool`, `string`,
    /// `array` or `optional`.
    pub fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Attribute { is_optional: false, .. } => "attr",
            Kind::Attribute { is_optional: true, .. } => "optional_attr",
            Kind::Segments { .. } => "segment_sizes",
            Kind::Int { .. } => "int",
            Kind::Enum { .. } => "enum",
            Kind::Bool(_) => "bool",
            Kind::String => "string",
            Kind::Array(_) => "array",
            Kind::Optional(_) => "optional",
        }
    }

    /// The required class of attribute in schemas.
    pub fn class(&self) -> Option<&str> {
        match &self.kind {
            Kind::Attribute { class_name, .. } => Some(class_name),
            _ => None,
        }
    }

    /// The text of the default; `None` if there is no default or its text is unknown.
    pub fn default_text(&self) -> Option<&str> {
        match &self.default {
            Some(DefaultValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether files below version 5 store the field among the attributes; otherwise they cannot store it.
    pub fn is_in_dictionary(&self) -> bool {
        self.is_in_dictionary
    }

    /// The possible names of the field in a dictionary.
    #[doc(hidden)]
    #[inline]
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let old = match &self.kind {
            Kind::Segments { old_name, .. } => old_name.as_deref(),
            _ => None,
        };
        [&*self.name].into_iter().chain(old)
    }

    pub(crate) fn has_name(&self, name: &[u8]) -> bool {
        let is_old = |old: &Option<Box<str>>| old.as_ref().is_some_and(|old| old.as_bytes() == name);
        self.name.as_bytes() == name
            || matches!(&self.kind, Kind::Segments { old_name, .. } if is_old(old_name))
    }
}

impl Kind {
    fn any_attribute() -> Self {
        Self::Attribute { class: Class::Any, class_name: "Attribute".into(), is_optional: true }
    }

    fn reads_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Attribute { is_optional: a, .. }, Self::Attribute { is_optional: b, .. }) => a == b,
            (Self::Segments { count: a, .. }, Self::Segments { count: b, .. }) => a == b,
            (Self::Array(a), Self::Array(b)) | (Self::Optional(a), Self::Optional(b)) => a.reads_like(b),
            (Self::Int { bits: a, is_signed: x, .. }, Self::Int { bits: b, is_signed: y, .. }) => {
                (a, x) == (b, y)
            }
            (Self::Enum { bits: a, .. }, Self::Enum { bits: b, .. }) => a == b,
            (Self::Bool(_), Self::Bool(_)) | (Self::String, Self::String) => true,
            _ => false,
        }
    }

    /// As [`Self::reads_like`], but numbers may have different widths: a number that fits both is the same.
    fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(left), Self::Array(right)) | (Self::Optional(left), Self::Optional(right)) => {
                left.agrees_with(right)
            }
            (Self::Int { .. } | Self::Enum { .. }, Self::Int { .. } | Self::Enum { .. }) => true,
            _ => self.reads_like(other),
        }
    }

    // `check` rejects missing keys.
    fn load(raw: &RawField<'_>, classes: &DialectClasses) -> Self {
        let spelling = |bits| Spelling::load(raw, bits);
        let inner =
            || Box::new(raw.inner.as_ref().map_or(Self::String, |inner| Self::load(&inner.0, classes)));
        let bits = raw.bits.unwrap_or(64);
        match raw.kind {
            RawKind::Attr | RawKind::OptionalAttr => Self::Attribute {
                class: raw.class(classes),
                class_name: raw.class.as_deref().unwrap_or_default().into(),
                is_optional: raw.kind == RawKind::OptionalAttr,
            },
            RawKind::SegmentSizes => Self::Segments {
                count: raw.count.unwrap_or_default(),
                old_name: raw.old_name.as_deref().map(Into::into),
            },
            RawKind::Int => Self::Int { bits, is_signed: raw.signed, spelling: spelling(bits) },
            RawKind::Enum => Self::Enum { bits, spelling: spelling(bits) },
            RawKind::Bool => Self::Bool(spelling(1)),
            RawKind::String => Self::String,
            RawKind::Array => Self::Array(inner()),
            RawKind::Optional => Self::Optional(inner()),
        }
    }
}

impl Spelling {
    fn load(raw: &RawField<'_>, bits: u32) -> Self {
        if let Some(text) = &raw.text {
            let mut names: Vec<_> = text
                .flags
                .iter()
                .filter_map(|(bit, name)| Some((bit.0.parse().ok()?, (*name.0).into())))
                .collect();
            sort_by(&mut names, Ord::cmp);
            let boxed = |text: &Text<'_>| Box::from(&*text.0);
            let (prefix, suffix, none) = (boxed(&text.prefix), boxed(&text.suffix), boxed(&text.none));
            return Self::Flags(Box::new(Flags { prefix, suffix, none, names }));
        }
        let plain = if raw.kind == RawKind::Bool { Self::Bool } else { Self::Integer(bits) };
        raw.r#as.as_deref().and_then(Self::parse).unwrap_or(plain)
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "bool" => Some(Self::Bool),
            "unit" => Some(Self::Unit),
            _ => text.strip_prefix('i')?.parse().ok().map(Self::Integer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::error::ErrorKind;

    fn schema(op: &str) -> String {
        format!(
            r#"{{"format": "mlirbc-properties/1", "release": "r", "version": "1", "producers": [],
            "ops": {{"t.good": {{}},
            "t.op": {op}}}}}"#
        )
    }

    fn refused(op: &str) -> String {
        let error = PropertySchema::from_json(&schema(op)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PropertySchema);
        error.to_string()
    }

    fn refused_field(field: &str) -> String {
        refused(&format!(r#"{{"properties": [{{"name": "good", "kind": "string"}}, {field}]}}"#))
    }

    #[test]
    fn a_bad_schema_says_where() {
        let text = refused(r#"{"property": []}"#);
        assert!(text.contains("unknown field `property`") && text.contains("(op `t.op`, line 3"), "{text}");
        let text = refused_field(r#"{"name": "x", "kind": "attr"}"#);
        assert!(text.contains("missing field `class` (field `x` of `t.op`, line 3"), "{text}");
        for (field, complaint) in [
            (r#"{"name": "x", "kind": "attr", "class": 3}"#, "expected a string"),
            (r#"{"name": "x", "kind": "segment_sizes", "count": 2}"#, "missing field `v5_index`"),
            (r#"{"name": "x", "kind": "segment_sizes", "count": 9999, "v5_index": 0}"#, "at most 4096"),
            (r#"{"name": "x", "kind": "int"}"#, "missing field `bits`"),
            (r#"{"name": "x", "kind": "int", "bits": 65}"#, "between 1 and 64"),
            (r#"{"name": "x", "kind": "array"}"#, "missing field `inner`"),
            (r#"{"name": "x", "kind": "optional", "inner": {"kind": "int"}}"#, "missing field `bits`"),
            (r#"{"name": "x", "kind": "bool", "as": "text"}"#, "unknown value `text` of `as`"),
            (r#"{"name": "x", "kind": "bool", "default": false}"#, "a string or `true`"),
        ] {
            let text = refused_field(field);
            assert!(text.contains(complaint) && text.contains("field `x` of `t.op`"), "{text}");
        }
        assert!(refused_field(r#"{"name": "good", "kind": "string"}"#).contains("two fields `good`"));
        let far = r#"{"name": "x", "kind": "segment_sizes", "count": 1, "v5_index": 2}"#;
        assert!(refused_field(far).contains("past the last field"));
        assert!(refused(r#"{}, "t.op": {}"#).contains("`t.op` occurs twice"));
        assert!(refused("{").contains("line 3"));
        let newer = schema("{}").replace("properties/1", "properties/2");
        assert!(PropertySchema::from_json(&newer).unwrap_err().to_string().contains("properties/2` is not"));
    }

    #[test]
    fn segment_sizes_of_version_5_stand_among_the_names() {
        let op = r#"{"properties": [
            {"name": "Battr", "kind": "attr", "class": "Attribute"},
            {"name": "operand_t", "kind": "attr", "class": "Attribute"},
            {"name": "q_attr", "kind": "attr", "class": "Attribute"},
            {"name": "zattr", "kind": "attr", "class": "Attribute"},
            {"name": "native", "kind": "bool"},
            {"name": "operandSegmentSizes", "kind": "segment_sizes", "count": 2, "v5_index": 1},
            {"name": "resultSegmentSizes", "kind": "segment_sizes", "count": 2, "v5_index": 4}
        ]}"#;
        let schema = PropertySchema::from_json(&schema(op)).unwrap();
        let names = |version| {
            let op = schema.op(b"t.op").unwrap();
            let names = op.wire(BytecodeVersion::new(version).unwrap()).map(|field| field.name().to_owned());
            names.collect::<Vec<_>>().join(" ")
        };
        let five = "Battr operandSegmentSizes operand_t q_attr resultSegmentSizes zattr native";
        assert_eq!(names(5), five);
        let six = "Battr operand_t q_attr zattr native operandSegmentSizes resultSegmentSizes";
        assert_eq!(names(6), six);
    }

    #[test]
    fn classes_explain_names() {
        let text = r#"{"format": "mlirbc-properties/1", "release": "r", "version": "1", "producers": [],
            "ops": {"t.op": {"properties": [
                {"name": "a", "kind": "attr", "class": "T::AAttr"},
                {"name": "b", "kind": "attr", "class": "T::BAttr"},
                {"name": "c", "kind": "attr", "class": "T::CAttr"}]}},
            "attribute_classes": {
                "T::AAttr": {"name": "t.a"}, "T::BAttr": {"base": "IntegerAttr", "value_type": "i32"}}}"#;
        let schema = PropertySchema::from_json(text).unwrap();
        let class = |name| match &schema.op(b"t.op").unwrap().field(name).unwrap().kind {
            Kind::Attribute { class, .. } => class.clone(),
            _ => panic!(),
        };
        assert_eq!(class("a"), Class::of_dialect("t.a").unwrap());
        assert_eq!(class("b"), Class::new("IntegerAttr", Some("i32"), &DialectClasses::none()));
        assert_eq!(class("c"), Class::Any);
    }
}
