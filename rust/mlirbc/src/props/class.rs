//! The classes of attributes that property fields require, and the check that an attribute belongs to a class.
//!
//! If the answer is unknown (the class of an interface, an attribute of unknown code), every attribute fits.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::table::{BuiltinKind, Encoding};
use crate::format::id::{AttrId, TypeId};
use crate::wire::cursor::Cursor;
use crate::wire::error::with_article;
use crate::wire::section::SectionId;

use super::codec::describe;

/// The class that a field requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Class {
    Any,
    /// Any of these builtin classes.
    Builtin(&'static [BuiltinKind]),
    /// Any class except these builtin ones and locations.
    Not(&'static [BuiltinKind]),
    Location,
    /// A builtin class whose encoding starts with a type, and the required type.
    Typed(BuiltinKind, ValueType),
    /// An array, and the class of its elements.
    Array(Box<Class>),
    Dialect(Arc<DialectClass>),
    OneOf(Vec<Class>),
}

/// A class of another dialect.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DialectClass {
    dialect: Box<[u8]>,
    mnemonic: Box<[u8]>,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueType {
    /// Width times four, plus the signedness: none, signed, unsigned.
    Integer(u64),
    /// The name of the encoding of the type, and the text of the type.
    Named(&'static str, &'static str),
}

const NAMED: &[ValueType] = &[
    ValueType::Named("IndexType", "index"),
    ValueType::Named("BFloat16Type", "bf16"),
    ValueType::Named("Float16Type", "f16"),
    ValueType::Named("Float32Type", "f32"),
    ValueType::Named("Float64Type", "f64"),
    ValueType::Named("Float80Type", "f80"),
    ValueType::Named("Float128Type", "f128"),
];

impl ValueType {
    pub(crate) const I1: Self = Self::Integer(1 << 2);
    pub(crate) const I32: Self = Self::Integer(32 << 2);

    /// Parses `i32`, `si8`, `ui64`, `index`, `f32`; returns `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(named) =
            NAMED.iter().find(|named| matches!(named, Self::Named(_, known) if *known == text))
        {
            return Some(*named);
        }
        let (sign, width) = match text.split_once('i')? {
            ("", width) => (0, width),
            ("s", width) => (1, width),
            ("u", width) => (2, width),
            _ => return None,
        };
        Some(Self::Integer(u64::from(width.parse::<u32>().ok()?) << 2 | sign))
    }

    fn is_text(self, text: &[u8]) -> bool {
        match self {
            Self::Named(_, name) => name.as_bytes() == text,
            Self::Integer(width) => {
                let sign = ["i", "si", "ui", "?"][(width & 3) as usize];
                format!("{sign}{}", width >> 2).as_bytes() == text
            }
        }
    }

    /// Returns whether a type of the file is this type.
    pub(crate) fn is(self, index: TypeId, entries: &impl Entries) -> bool {
        let type_ref = EntryRef::Type(index);
        let Some(entry) = entries.entry(type_ref) else { return false };
        if let Some(text) = entry.text() {
            return self.is_text(text);
        }
        match (entry.form(type_ref), self) {
            (Ok(Some(form)), Self::Integer(width_and_sign)) => {
                form.builtin == BuiltinKind::IntegerType && first_field(&entry) == Some(width_and_sign)
            }
            (Ok(Some(form)), Self::Named(name, _)) => *form.name == *name,
            (Ok(None), _) => entry.dialect != b"builtin",
            (Err(_), _) => true,
        }
    }
}

impl std::fmt::Display for ValueType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Named(_, name) => f.write_str(name),
            Self::Integer(width) => {
                write!(f, "{}{}", ["i", "si", "ui", "?"][(width & 3) as usize], width >> 2)
            }
        }
    }
}

/// Returns the number after the code of an encoded entry.
pub(crate) fn first_field(entry: &RawEntry<'_>) -> Option<u64> {
    let mut cursor = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType));
    cursor.varint().ok()?;
    cursor.varint().ok()
}

// Attributes without a type: not a `TypedAttr`.
const UNTYPED: &[BuiltinKind] = &[
    BuiltinKind::ArrayAttr,
    BuiltinKind::DictionaryAttr,
    BuiltinKind::UnitAttr,
    BuiltinKind::TypeAttr,
    BuiltinKind::FlatSymbolRefAttr,
    BuiltinKind::SymbolRefAttr,
    BuiltinKind::AffineMapAttr,
    BuiltinKind::IntegerSetAttr,
    BuiltinKind::StridedLayoutAttr,
    BuiltinKind::DenseArrayAttr,
];
// Attributes without elements: not an `ElementsAttr`.
const NO_ELEMENTS: &[BuiltinKind] = &[
    BuiltinKind::ArrayAttr,
    BuiltinKind::DictionaryAttr,
    BuiltinKind::UnitAttr,
    BuiltinKind::TypeAttr,
    BuiltinKind::FlatSymbolRefAttr,
    BuiltinKind::SymbolRefAttr,
    BuiltinKind::AffineMapAttr,
    BuiltinKind::IntegerSetAttr,
    BuiltinKind::StridedLayoutAttr,
    BuiltinKind::StringAttr,
    BuiltinKind::IntegerAttr,
    BuiltinKind::FloatAttr,
    BuiltinKind::DenseArrayAttr,
];

// Builtin classes that are determined by their kind alone.
const BUILTIN: &[(&str, Class)] = &[
    ("AffineMapAttr", Class::Builtin(&[BuiltinKind::AffineMapAttr])),
    ("ArrayAttr", Class::Builtin(&[BuiltinKind::ArrayAttr])),
    ("BoolAttr", Class::Typed(BuiltinKind::IntegerAttr, ValueType::I1)),
    ("DenseArrayAttr", Class::Builtin(&[BuiltinKind::DenseArrayAttr])),
    (
        "DenseElementsAttr",
        Class::Builtin(&[BuiltinKind::DenseIntOrFPElementsAttr, BuiltinKind::DenseStringElementsAttr]),
    ),
    ("DenseFPElementsAttr", Class::Builtin(&[BuiltinKind::DenseIntOrFPElementsAttr])),
    ("DenseIntElementsAttr", Class::Builtin(&[BuiltinKind::DenseIntOrFPElementsAttr])),
    ("DenseIntOrFPElementsAttr", Class::Builtin(&[BuiltinKind::DenseIntOrFPElementsAttr])),
    ("DenseResourceElementsAttr", Class::Builtin(&[BuiltinKind::DenseResourceElementsAttr])),
    ("DenseStringElementsAttr", Class::Builtin(&[BuiltinKind::DenseStringElementsAttr])),
    ("DictionaryAttr", Class::Builtin(&[BuiltinKind::DictionaryAttr])),
    ("DistinctAttr", Class::Builtin(&[BuiltinKind::DistinctAttr])),
    ("ElementsAttr", Class::Not(NO_ELEMENTS)),
    ("FlatSymbolRefAttr", Class::Builtin(&[BuiltinKind::FlatSymbolRefAttr])),
    ("FloatAttr", Class::Builtin(&[BuiltinKind::FloatAttr])),
    ("IntegerAttr", Class::Builtin(&[BuiltinKind::IntegerAttr])),
    ("IntegerSetAttr", Class::Builtin(&[BuiltinKind::IntegerSetAttr])),
    ("LocationAttr", Class::Location),
    ("SparseElementsAttr", Class::Builtin(&[BuiltinKind::SparseElementsAttr])),
    ("StridedLayoutAttr", Class::Builtin(&[BuiltinKind::StridedLayoutAttr])),
    ("StringAttr", Class::Builtin(&[BuiltinKind::StringAttr])),
    ("SymbolRefAttr", Class::Builtin(&[BuiltinKind::FlatSymbolRefAttr, BuiltinKind::SymbolRefAttr])),
    ("TypeAttr", Class::Builtin(&[BuiltinKind::TypeAttr])),
    ("TypedAttr", Class::Not(UNTYPED)),
    ("UnitAttr", Class::Builtin(&[BuiltinKind::UnitAttr])),
];

/// The dialect classes of a schema by name; loaded on first use, because most fields have builtin classes.
#[derive(Debug)]
pub(crate) struct DialectClasses(LazyLock<HashMap<Box<str>, Class>, LoadClasses>);

type LoadClasses = Box<dyn FnOnce() -> HashMap<Box<str>, Class> + Send>;

impl DialectClasses {
    pub(crate) fn none() -> Self {
        Self::when_needed(HashMap::new)
    }

    pub(crate) fn when_needed(load: impl FnOnce() -> HashMap<Box<str>, Class> + Send + 'static) -> Self {
        Self(LazyLock::new(Box::new(load)))
    }
}

impl Class {
    /// The class with this name, with values or elements of this type.
    pub(crate) fn new(name: &str, value_type: Option<&str>, classes: &DialectClasses) -> Self {
        let value_type = value_type.and_then(ValueType::parse);
        match (name, value_type) {
            ("IntegerAttr", Some(value_type)) => return Self::Typed(BuiltinKind::IntegerAttr, value_type),
            ("FloatAttr", Some(value_type)) => return Self::Typed(BuiltinKind::FloatAttr, value_type),
            _ => {}
        }
        if let Ok(row) = BUILTIN.binary_search_by_key(&name, |row| row.0) {
            return BUILTIN[row].1.clone();
        }
        if let Some(class) = classes.0.get(name) {
            return class.clone();
        }
        // `DenseI64ArrayAttr` and similar.
        let element = name.strip_prefix("Dense").and_then(|rest| rest.strip_suffix("ArrayAttr"));
        match element.map(|element| ValueType::parse(&element.to_ascii_lowercase())) {
            Some(Some(element)) => Self::Typed(BuiltinKind::DenseArrayAttr, element),
            Some(None) if name == "DenseBoolArrayAttr" => {
                Self::Typed(BuiltinKind::DenseArrayAttr, ValueType::I1)
            }
            _ => Self::Any,
        }
    }

    /// The class that a dialect writes as `#dialect.mnemonic<…>`; its name has a dot in it.
    pub(crate) fn of_dialect(name: &str) -> Option<Self> {
        let (dialect, mnemonic) = name.split_once('.')?;
        Some(Self::Dialect(Arc::new(DialectClass {
            dialect: dialect.as_bytes().into(),
            mnemonic: mnemonic.as_bytes().into(),
        })))
    }

    /// Returns whether an attribute of the file can be of the C++ class `name`. MLIR's reader tests nothing
    /// else: its verifier checks the types of numbers and elements, unless the class implies them.
    pub(crate) fn is_read(&self, name: &str, index: AttrId, entries: &impl Entries) -> bool {
        match self {
            Self::Any | Self::OneOf(_) => true,
            Self::Array(_) => Self::Builtin(&[BuiltinKind::ArrayAttr]).fits(index, entries),
            Self::Typed(BuiltinKind::IntegerAttr, _) if name == "IntegerAttr" => {
                Self::Builtin(&[BuiltinKind::IntegerAttr]).fits(index, entries)
            }
            Self::Typed(BuiltinKind::FloatAttr, _) if name == "FloatAttr" => {
                Self::Builtin(&[BuiltinKind::FloatAttr]).fits(index, entries)
            }
            _ => self.fits(index, entries),
        }
    }

    /// Returns whether an attribute of the file can be of this class.
    pub(crate) fn fits(&self, index: AttrId, entries: &impl Entries) -> bool {
        match self {
            Self::Any => return true,
            Self::OneOf(classes) => return classes.iter().any(|class| class.fits(index, entries)),
            _ => {}
        }
        let Some(entry) = entries.entry(EntryRef::Attribute(index)) else { return false };
        let kind = match KnownClass::of(&entry, index) {
            KnownClass::Builtin(kind) => kind,
            KnownClass::Dialect { dialect, mnemonic } => {
                return match self {
                    Self::Dialect(class) => {
                        *class.dialect == *dialect && mnemonic.is_none_or(|actual| *class.mnemonic == *actual)
                    }
                    Self::Not(_) => true,
                    _ => false,
                };
            }
            KnownClass::Unknown => return true,
        };
        match self {
            Self::Any | Self::OneOf(_) => true,
            Self::Builtin(kinds) => kinds.contains(&kind),
            Self::Not(kinds) => !kinds.contains(&kind) && !kind.is_location(),
            Self::Location => kind.is_location(),
            Self::Dialect(_) => false,
            Self::Typed(expected_kind, value_type) => {
                kind == *expected_kind
                    && match first_field(&entry).map(u32::try_from) {
                        Some(Ok(r#type)) if !entry.is_text => value_type.is(TypeId::new(r#type), entries),
                        _ => entry.is_text,
                    }
            }
            Self::Array(class) => {
                kind == BuiltinKind::ArrayAttr && (entry.is_text || elements_fit(&entry, class, entries))
            }
        }
    }
}

impl Class {
    /// Describes the expected class of a property and the actual attribute, with details if the class names
    /// are equal.
    #[cold]
    pub(crate) fn mismatch(&self, name: &str, index: AttrId, entries: &impl Entries) -> (String, String) {
        let actual = describe(index, entries);
        match self {
            Self::Array(class) if actual == "an ArrayAttr" => {
                let element = entries.entry(EntryRef::Attribute(index)).and_then(|entry| {
                    elements(&entry).find(|&element| !class.fits(AttrId::new(element), entries))
                });
                let element = element
                    .map_or_else(String::new, |at| format!(" with {}", describe(AttrId::new(at), entries)));
                (format!("an ArrayAttr of {}", class.noun()), actual + &element)
            }
            Self::Typed(_, value_type) if actual == with_article(name) => {
                (format!("{actual} of type {value_type}"), "one of another type".to_owned())
            }
            _ => (with_article(name), actual),
        }
    }

    fn noun(&self) -> String {
        match self {
            Self::Builtin([kind, ..]) => format!("{kind:?}"),
            Self::Typed(kind, value_type) => format!("{kind:?} of type {value_type}"),
            Self::Dialect(class) => {
                let name = [&*class.dialect, &*class.mnemonic].map(String::from_utf8_lossy).join(".");
                format!("`#{name}`")
            }
            _ => "other attributes".to_owned(),
        }
    }
}

// Many blobs may refer to one large array, so only the first elements are checked.
const CHECKED_ELEMENTS: usize = 64;

/// The first elements of an ArrayAttr; an index that is not valid is `u32::MAX`.
fn elements<'a>(entry: &RawEntry<'a>) -> impl Iterator<Item = u32> + use<'a> {
    let mut cursor = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType));
    let count = cursor.varint().and_then(|_| cursor.count("elements")).unwrap_or_default();
    (0..count.min(CHECKED_ELEMENTS)).map(move |_| match cursor.varint().map(u32::try_from) {
        Ok(Ok(index)) => index,
        _ => u32::MAX,
    })
}

fn elements_fit(entry: &RawEntry<'_>, class: &Class, entries: &impl Entries) -> bool {
    let mut cursor = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType));
    let (Ok(_), Ok(count)) = (cursor.varint(), cursor.count("elements")) else { return false };
    (0..count.min(CHECKED_ELEMENTS)).all(|_| match cursor.varint().map(u32::try_from) {
        Ok(Ok(index)) => class.fits(AttrId::new(index), entries),
        _ => false,
    })
}

/// The class of an attribute, if it is known.
enum KnownClass<'a> {
    Builtin(BuiltinKind),
    Dialect { dialect: &'a [u8], mnemonic: Option<&'a [u8]> },
    Unknown,
}

// The prefixes of builtin attributes that some releases write as text.
const TEXTS: &[(&[u8], BuiltinKind)] = &[
    (b"affine_map<", BuiltinKind::AffineMapAttr),
    (b"affine_set<", BuiltinKind::IntegerSetAttr),
    (b"strided<", BuiltinKind::StridedLayoutAttr),
];

impl<'a> KnownClass<'a> {
    fn of(entry: &RawEntry<'a>, index: AttrId) -> Self {
        if let Some(text) = entry.text() {
            return Self::of_text(text);
        }
        match entry.form(EntryRef::Attribute(index)) {
            Ok(Some(Encoding { builtin: BuiltinKind::Other, mnemonic, .. }))
                if entry.dialect != b"builtin" =>
            {
                let mnemonic = mnemonic.as_ref().map(|mnemonic| mnemonic.as_bytes());
                Self::Dialect { dialect: entry.dialect, mnemonic }
            }
            Ok(Some(form)) if form.builtin != BuiltinKind::Other => Self::Builtin(form.builtin),
            Ok(None) if entry.dialect != b"builtin" => {
                Self::Dialect { dialect: entry.dialect, mnemonic: None }
            }
            // A code of a newer release.
            _ => Self::Unknown,
        }
    }

    // `#dialect.mnemonic<…>` or `#dialect<mnemonic …>`
    fn of_text(text: &'a [u8]) -> Self {
        let Some(name) = text.strip_prefix(b"#") else {
            let known_text = TEXTS.iter().find(|(start, _)| text.starts_with(start));
            return known_text.map_or(Self::Unknown, |&(_, kind)| Self::Builtin(kind));
        };
        let (dialect, rest) = split_word(name, |byte| byte.is_ascii_alphanumeric() || b"_$".contains(&byte));
        let Some((b'.' | b'<', rest)) = rest.split_first() else { return Self::Unknown };
        let (mnemonic, _) = split_word(rest, |byte| byte.is_ascii_alphanumeric() || b"_$.-".contains(&byte));
        Self::Dialect { dialect, mnemonic: (!mnemonic.is_empty()).then_some(mnemonic) }
    }
}

fn split_word(text: &[u8], is_part: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| !is_part(byte)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtin_classes_are_sorted() {
        assert!(BUILTIN.is_sorted_by_key(|row| row.0));
    }

    #[test]
    fn value_types() {
        for text in ["i1", "i64", "si32", "ui8", "index", "f64", "bf16"] {
            assert_eq!(ValueType::parse(text).unwrap().to_string(), text);
            assert!(ValueType::parse(text).unwrap().is_text(text.as_bytes()));
        }
        assert_eq!(ValueType::parse("tensor<i8>"), None);
        assert_eq!(ValueType::parse("i"), None);
    }

    #[test]
    fn dense_arrays_by_name() {
        let classes = DialectClasses::none();
        let array = |value_type| Class::Typed(BuiltinKind::DenseArrayAttr, value_type);
        assert_eq!(Class::new("DenseI32ArrayAttr", None, &classes), array(ValueType::I32));
        assert_eq!(Class::new("DenseBoolArrayAttr", None, &classes), array(ValueType::I1));
        assert_eq!(Class::new("DenseFooArrayAttr", None, &classes), Class::Any);
    }

    #[test]
    fn names_of_dialect_attributes_in_text() {
        let name = |text: &'static str| match KnownClass::of_text(text.as_bytes()) {
            KnownClass::Dialect { dialect, mnemonic } => Some((dialect, mnemonic.unwrap_or(b"?"))),
            _ => None,
        };
        assert_eq!(name("#arith.fastmath<none>"), Some((&b"arith"[..], &b"fastmath"[..])));
        assert_eq!(name("#arith<fastmath none>"), Some((&b"arith"[..], &b"fastmath"[..])));
        assert_eq!(name("#acc.construct"), Some((&b"acc"[..], &b"construct"[..])));
        assert_eq!(name("#x<\"\">"), Some((&b"x"[..], &b"?"[..])));
        assert_eq!(name("affine_map<() -> ()>"), None);
    }
}
