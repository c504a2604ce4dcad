//! Encodings of modules in bytes: reading modules and replacing them.
//!
//! Each encoding is one function for reading and writing. It passes every module to a visitor, and writes the
//! replacement that the visitor returns. Without a replacement the bytes do not change.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::container::hosts::HostEncoding;
use crate::format::container::MAGIC;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::{literals, message};

/// A module or other contents in the bytes of an attribute.
#[derive(Debug, Clone)]
pub(super) struct EmbeddedContent {
    pub(super) bytes: Bytes,
    /// The name that is stored beside the contents.
    pub(super) label: Option<String>,
    /// Whether the attribute says that the contents are assembler text.
    pub(super) is_assembly: bool,
    /// Whether the hash before the contents is their own; `None` without a hash.
    pub(super) hash_matches: Option<bool>,
}

impl EmbeddedContent {
    pub(super) fn new(bytes: Bytes) -> Self {
        Self { bytes, label: None, is_assembly: false, hash_matches: None }
    }
}

/// Receives each module, and returns its replacement.
pub(super) type Visit<'v> = dyn FnMut(EmbeddedContent) -> Result<Option<Bytes>> + 'v;

/// The size of a SHA-256 hash.
const HASH: usize = 32;
/// The first letters of bytecode in base64, as far as all their bits are known.
pub(super) const BASE64_MAGIC: &[u8] = b"TUzvU";

pub(super) fn digest(bytes: &[u8]) -> [u8; HASH] {
    Sha256::digest(bytes).into()
}

/// Passes the modules in the bytes of an attribute to a visitor, and returns the bytes with the visitor's
/// replacements; `None` if it replaces none of them.
///
/// # Errors
/// [`ErrorKind::Nested`] if the bytes do not have the encoding, and the errors of the visitor.
pub(super) fn translate(
    encoding: &HostEncoding,
    bytes: &Bytes,
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> Result<Option<Vec<u8>>> {
    match encoding {
        HostEncoding::Raw => raw(bytes, visit),
        HostEncoding::Recognized if bytes.starts_with(&MAGIC) => raw(bytes, visit),
        HostEncoding::Recognized if bytes.starts_with(BASE64_MAGIC) => {
            let decoded = decoded(bytes, 0, budget)?;
            Ok(visit(EmbeddedContent::new(decoded))?.map(|new| BASE64_STANDARD.encode(new).into_bytes()))
        }
        HostEncoding::Recognized => Ok(None),
        HostEncoding::AfterSha256 => after_hash(bytes, visit),
        HostEncoding::JsonBase64 { field } => json_base64(bytes, field, budget, visit),
        HostEncoding::ZlibMessage(rules) => message::translate(rules, bytes, budget, visit),
        HostEncoding::Literals => literals::translate(bytes, budget, visit),
    }
}

fn raw(bytes: &Bytes, visit: &mut Visit<'_>) -> Result<Option<Vec<u8>>> {
    Ok(visit(EmbeddedContent::new(bytes.clone()))?.map(Vec::from))
}

/// Handles a hash before the module. A hash of something else is kept, because its subject is unknown.
fn after_hash(bytes: &Bytes, visit: &mut Visit<'_>) -> Result<Option<Vec<u8>>> {
    let Some((hash, module)) = bytes.split_at_checked(HASH) else {
        return Err(damaged(bytes.len(), "is shorter than its hash".to_owned()));
    };
    let is_own = digest(module) == *hash;
    let content = EmbeddedContent { hash_matches: Some(is_own), ..EmbeddedContent::new(bytes.slice(HASH..)) };
    let Some(new) = visit(content)? else { return Ok(None) };
    let new_hash = digest(&new);
    Ok(Some([if is_own { &new_hash[..] } else { hash }, &new].concat()))
}

fn json_base64(
    json: &Bytes,
    field: &[Box<str>],
    budget: &Budget,
    visit: &mut Visit<'_>,
) -> Result<Option<Vec<u8>>> {
    let value = json_field(json, field).map_err(|error| {
        let at = if error.line() == 1 { error.column() } else { 0 };
        damaged(at, format!("is not JSON with one module: {error}"))
    })?;
    // The field is a part of the JSON text.
    let start = value.as_ptr().addr() - json.as_ptr().addr();
    // Only a text without escapes can be borrowed.
    let text: Cow<'_, str> = match serde_json::from_str(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            budget.spend(value.len())?;
            let text = serde_json::from_str(value);
            Cow::Owned(text.map_err(|_| damaged(start, "has a module that is not text".to_owned()))?)
        }
    };
    let decoded = decoded(text.as_bytes(), start + 1, budget)?;
    let Some(new) = visit(EmbeddedContent::new(decoded))? else { return Ok(None) };
    let text = BASE64_STANDARD.encode(new);
    let (before, after) = (json.get(..start), json.get(start + value.len()..));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    Ok(Some([before, b"\"", text.as_bytes(), b"\"", after].concat()))
}

/// Decodes base64 that begins at a byte of an attribute.
fn decoded(text: &[u8], at: usize, budget: &Budget) -> Result<Bytes> {
    budget.spend(text.len())?;
    let decoded = BASE64_STANDARD.decode(text);
    Ok(decoded.map_err(|error| damaged(at, format!("has a module that is not base64: {error}")))?.into())
}

/// Creates an error about the contents at a byte of an attribute.
pub(super) fn damaged(at: usize, what: String) -> Error {
    Error::message(ErrorKind::Nested, format!("{what}, after byte {at} of the attribute"))
}

/// Returns the field of JSON. Other values are skipped, however large they are.
fn json_field<'j>(json: &'j [u8], field: &[Box<str>]) -> serde_json::Result<&'j str> {
    let value: &RawValue = serde_json::from_slice(json)?;
    let mut value = value.get();
    for name in field {
        let mut deserializer = serde_json::Deserializer::from_str(value);
        value = NamedField(name).deserialize(&mut deserializer)?;
    }
    Ok(value)
}

/// The value of the field with a name, which an object has once.
struct NamedField<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for NamedField<'_> {
    type Value = &'de str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NamedField<'_> {
    type Value = &'de str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the field `{}`", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut value: Option<&'de RawValue> = None;
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            if name != self.0 {
                map.next_value::<IgnoredAny>()?;
            } else if value.replace(map.next_value()?).is_some() {
                return Err(A::Error::custom(format_args!("the field `{}` occurs twice", self.0)));
            }
        }
        value.map(RawValue::get).ok_or_else(|| A::Error::custom(format_args!("no field `{}`", self.0)))
    }
}
