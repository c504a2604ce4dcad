//! The JSON format of a schema, and the errors in it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::props::class::{Class, DialectClasses};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;

use super::Spelling;

const FORMAT: &str = "mlirbc-properties/1";

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSchema<'a> {
    #[serde(rename = "format", deserialize_with = "known_format")]
    _format: (),
    #[serde(borrow)]
    pub(super) release: Text<'a>,
    #[serde(borrow)]
    pub(super) version: Text<'a>,
    #[serde(borrow)]
    pub(super) producers: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) includes: Vec<Text<'a>>,
    /// The release of LLVM whose rules apply, in place of the one of the producer strings.
    #[serde(borrow)]
    pub(super) llvm: Option<Text<'a>>,
    #[serde(rename = "unmodelled", default)]
    _unmodelled: de::IgnoredAny,
    #[serde(borrow, default, deserialize_with = "pairs")]
    pub(super) attribute_classes: Vec<(Text<'a>, RawClass<'a>)>,
    #[serde(borrow, deserialize_with = "pairs")]
    pub(super) ops: Vec<(Text<'a>, Checked<RawOp<'a>>)>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawClass<'a> {
    #[serde(borrow)]
    pub(super) name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) base: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) value_type: Option<Text<'a>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOp<'a> {
    #[serde(borrow, default)]
    pub(super) properties: Vec<Checked<RawField<'a>>>,
    #[serde(borrow, default)]
    pub(super) operands: Vec<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) results: Vec<Text<'a>>,
    #[serde(default)]
    pub(super) custom: bool,
    #[serde(rename = "since", default)]
    _since: de::IgnoredAny,
    #[serde(rename = "until", default)]
    _until: de::IgnoredAny,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawField<'a> {
    #[serde(borrow)]
    pub(super) name: Option<Text<'a>>,
    #[serde(rename = "property", default)]
    _property: de::IgnoredAny,
    pub(super) kind: RawKind,
    #[serde(borrow)]
    pub(super) class: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) value_type: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) element: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) element_value_type: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) one_of: Vec<Text<'a>>,
    pub(super) count: Option<u32>,
    pub(super) v5_index: Option<u16>,
    #[serde(borrow)]
    pub(super) old_name: Option<Text<'a>>,
    pub(super) bits: Option<u32>,
    #[serde(default)]
    pub(super) signed: bool,
    #[serde(borrow)]
    pub(super) inner: Option<Box<Checked<RawField<'a>>>>,
    #[serde(borrow)]
    pub(super) r#as: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<RawFlags<'a>>,
    #[serde(borrow)]
    pub(super) default: Option<RawDefault<'a>>,
    #[serde(default = "yes")]
    pub(super) in_dictionary: bool,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFlags<'a> {
    #[serde(borrow)]
    pub(super) prefix: Text<'a>,
    #[serde(borrow)]
    pub(super) suffix: Text<'a>,
    #[serde(borrow)]
    pub(super) none: Text<'a>,
    #[serde(borrow, deserialize_with = "pairs")]
    pub(super) flags: Vec<(Text<'a>, Text<'a>)>,
}

#[derive(serde::Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawKind {
    Attr,
    OptionalAttr,
    SegmentSizes,
    Int,
    Enum,
    Bool,
    String,
    Array,
    Optional,
}

pub(super) enum RawDefault<'a> {
    Text(Cow<'a, str>),
    Unknown,
}

/// A text that is borrowed from the file if it has no escapes.
#[derive(serde::Deserialize, PartialEq, Eq, Hash)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

fn yes() -> bool {
    true
}

/// The classes of a schema by name.
pub(super) fn classes(raw: &[(Text<'_>, RawClass<'_>)]) -> HashMap<Box<str>, Class> {
    let plain = DialectClasses::none();
    let class = |class: &RawClass<'_>| match class {
        RawClass { name: Some(name), .. } => Class::of_dialect(&name.0),
        RawClass { base: Some(base), value_type, .. } => {
            Some(Class::new(&base.0, value_type.as_deref(), &plain))
        }
        _ => None,
    };
    raw.iter().map(|(name, raw)| ((*name.0).into(), class(raw).unwrap_or(Class::Any))).collect()
}

/// The classes of a shipped schema from their JSON, which is valid.
pub(super) fn pairs_of_classes(text: &str) -> Vec<(Text<'_>, RawClass<'_>)> {
    pairs(&mut serde_json::Deserializer::from_str(text)).unwrap_or_default()
}

impl RawField<'_> {
    pub(super) fn class(&self, classes: &DialectClasses) -> Class {
        let value_type = self.element_value_type.as_deref().or(self.value_type.as_deref());
        if let Some(element) = &self.element {
            return Class::Array(Box::new(Class::new(element, value_type, classes)));
        }
        if !self.one_of.is_empty() {
            return Class::OneOf(self.one_of.iter().map(|name| Class::new(name, None, classes)).collect());
        }
        self.class.as_deref().map_or(Class::Any, |class| Class::new(class, value_type, classes))
    }
}

/// Rules that serde does not check: keys that require each other. The rules are checked while loading, so
/// that errors have a line.
trait Check {
    fn check(&self) -> Result<(), String>;
}

pub(super) struct Checked<T>(pub(super) T);

impl<'de, T: Deserialize<'de> + Check> Deserialize<'de> for Checked<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = T::deserialize(deserializer)?;
        value.check().map_err(de::Error::custom)?;
        Ok(Self(value))
    }
}

// Larger numbers of segments are mistakes.
const MAX_SEGMENTS: u32 = 4096;

impl Check for RawField<'_> {
    fn check(&self) -> Result<(), String> {
        let needs = |has: bool, key: &str| if has { Ok(()) } else { Err(format!("missing field `{key}`")) };
        match self.kind {
            RawKind::Attr | RawKind::OptionalAttr => needs(self.class.is_some(), "class")?,
            RawKind::SegmentSizes => {
                needs(self.count.is_some(), "count")?;
                needs(self.v5_index.is_some(), "v5_index")?;
            }
            RawKind::Int => needs(self.bits.is_some(), "bits")?,
            RawKind::Array | RawKind::Optional => {
                needs(self.inner.is_some(), "inner")?;
                if self.inner.as_ref().is_some_and(|inner| inner.0.kind == RawKind::SegmentSizes) {
                    return Err("`inner` cannot be `segment_sizes`".to_owned());
                }
            }
            RawKind::Enum | RawKind::Bool | RawKind::String => {}
        }
        if self.bits.is_some_and(|bits| bits == 0 || bits > 64) {
            return Err("`bits` must be between 1 and 64".to_owned());
        }
        if self.count.is_some_and(|count| count > MAX_SEGMENTS) {
            return Err(format!("`count` must be at most {MAX_SEGMENTS}"));
        }
        if let Some(text) = &self.r#as
            && Spelling::parse(text).is_none()
        {
            return Err(format!("unknown value `{}` of `as`", text.0));
        }
        let bad = |flags: &RawFlags<'_>| flags.flags.iter().any(|(bit, _)| bit.0.parse::<u64>().is_err());
        match &self.text {
            Some(flags) if bad(flags) => Err("the keys of `flags` must be numbers".to_owned()),
            _ => Ok(()),
        }
    }
}

impl RawOp<'_> {
    /// An op with properties of unknown layout.
    pub(super) fn unknown() -> Self {
        Self {
            properties: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            custom: true,
            _since: de::IgnoredAny,
            _until: de::IgnoredAny,
        }
    }
}

impl Check for RawOp<'_> {
    fn check(&self) -> Result<(), String> {
        for (i, field) in self.properties.iter().enumerate() {
            let Some(name) = &field.0.name else { return Err(format!("field {i} has no name")) };
            if self.properties.iter().take(i).any(|other| other.0.name.as_deref() == Some(name)) {
                return Err(format!("two fields `{}`", name.0));
            }
        }
        order5(&self.properties).map(|_| ())
    }
}

/// Returns the order of version 5, in which segment sizes are attributes sorted by name; empty if version 6
/// has the same order.
pub(super) fn order5(fields: &[Checked<RawField<'_>>]) -> Result<Vec<u16>, String> {
    let is_segments = |field: &&Checked<RawField<'_>>| field.0.kind == RawKind::SegmentSizes;
    if !fields.iter().any(|field| is_segments(&field)) {
        return Ok(Vec::new());
    }
    let numbers = || (0..fields.len() as u16).zip(fields);
    let mut order: Vec<u16> = numbers().filter(|(_, field)| !is_segments(field)).map(|(i, _)| i).collect();
    let mut segments: Vec<_> = numbers().filter(|(_, field)| is_segments(field)).collect();
    sort_by(&mut segments, |a, b| a.1.0.v5_index.cmp(&b.1.0.v5_index));
    for (number, field) in segments {
        let place = usize::from(field.0.v5_index.unwrap_or_default());
        if place > order.len() {
            return Err(format!(
                "`v5_index` of `{}` is past the last field",
                field.0.name.as_deref().unwrap_or_default()
            ));
        }
        order.insert(place, number);
    }
    Ok(order)
}

impl<'de: 'a, 'a> Deserialize<'de> for RawDefault<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DefaultVisitor;
        impl<'de> Visitor<'de> for DefaultVisitor {
            type Value = RawDefault<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or `true`")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(RawDefault::Text(text.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(RawDefault::Text(text.to_owned().into()))
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
                let unexpected = de::Unexpected::Bool(value);
                if value { Ok(RawDefault::Unknown) } else { Err(E::invalid_value(unexpected, &self)) }
            }
        }
        deserializer.deserialize_any(DefaultVisitor)
    }
}

fn known_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let text = Text::deserialize(deserializer)?;
    if *text.0 == *FORMAT {
        return Ok(());
    }
    Err(de::Error::custom(format!("format `{}` is not `{FORMAT}`", text.0)))
}

/// An object with unique keys, in its order.
fn pairs<'de, D: Deserializer<'de>, V: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<(Text<'de>, V)>, D::Error> {
    struct Pairs<V>(PhantomData<V>);
    impl<'de, V: Deserialize<'de>> Visitor<'de> for Pairs<V> {
        type Value = Vec<(Text<'de>, V)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut rows = Vec::new();
            while let Some(row) = map.next_entry()? {
                rows.push(row);
            }
            let mut names: Vec<&str> = rows.iter().map(|(name, _): &(Text<'_>, V)| &*name.0).collect();
            sort_by(&mut names, Ord::cmp);
            match names.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => Err(de::Error::custom(format!("`{}` occurs twice", pair[0]))),
                None => Ok(rows),
            }
        }
    }
    deserializer.deserialize_map(Pairs(PhantomData))
}

/// Converts an error of serde, and adds the op and the field, which are determined only now.
#[cold]
pub(super) fn fault(text: &str, error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let position = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&position).unwrap_or(&message);
    let place = locate_fault(text).map_or_else(String::new, |place| format!("{place}, "));
    let message = format!("invalid property schema: {message} ({place}line {line} column {column})");
    Error::message(ErrorKind::PropertySchema, message)
}

// The parts are read from their text in the same way as when loading, so that the code exists once.
fn locate_fault(text: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Loose<'a> {
        #[serde(borrow)]
        ops: BTreeMap<String, &'a RawValue>,
    }
    #[derive(serde::Deserialize)]
    struct LooseOp<'a> {
        #[serde(borrow, default)]
        properties: Vec<&'a RawValue>,
    }
    #[derive(serde::Deserialize)]
    struct LooseField<'a> {
        #[serde(borrow)]
        name: Text<'a>,
    }
    let loose: Loose<'_> = serde_json::from_str(text).ok()?;
    let is_bad_op = |op: &str| serde_json::from_str::<Checked<RawOp<'_>>>(op).is_err();
    let is_bad_field =
        |field: &&RawValue| serde_json::from_str::<Checked<RawField<'_>>>(field.get()).is_err();
    let (name, op) = loose.ops.into_iter().find(|(_, op)| is_bad_op(op.get()))?;
    let fields = serde_json::from_str(op.get()).map_or_else(|_| Vec::new(), |op: LooseOp<'_>| op.properties);
    Some(match fields.into_iter().find(is_bad_field) {
        Some(field) => match serde_json::from_str::<LooseField<'_>>(field.get()) {
            Ok(field) => format!("field `{}` of `{name}`", &*field.name),
            Err(_) => format!("a field of `{name}`"),
        },
        None => format!("op `{name}`"),
    })
}
