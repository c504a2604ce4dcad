//! The fields of layouts: their kinds and defaults.

use super::json::{RawDefault, RawField, RawKind, Text};
use super::{DefaultValue, Flags, Kind, PropertyField, Spelling};
use crate::props::class::{Class, DialectClasses};
use crate::wire::order::sort_by;

impl PropertyField {
    pub(super) fn load(raw: &RawField<'_>, classes: &DialectClasses) -> Self {
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
    pub(super) fn any_attribute() -> Self {
        Self::Attribute { class: Class::Any, class_name: "Attribute".into(), is_optional: true }
    }

    pub(super) fn reads_like(&self, other: &Self) -> bool {
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
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(left), Self::Array(right)) | (Self::Optional(left), Self::Optional(right)) => {
                left.agrees_with(right)
            }
            (Self::Int { .. } | Self::Enum { .. }, Self::Int { .. } | Self::Enum { .. }) => true,
            _ => self.reads_like(other),
        }
    }

    // `check` rejects missing keys.
    pub(super) fn load(raw: &RawField<'_>, classes: &DialectClasses) -> Self {
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
    pub(super) fn load(raw: &RawField<'_>, bits: u32) -> Self {
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

    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "bool" => Some(Self::Bool),
            "unit" => Some(Self::Unit),
            _ => text.strip_prefix('i')?.parse().ok().map(Self::Integer),
        }
    }
}
