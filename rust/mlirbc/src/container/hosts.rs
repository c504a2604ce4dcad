//! Hosts of nested modules: the attributes of operations that hold a module, and their encoding.
//!
//! Owns the table as data, `data/nested.toml`, and its extension by users. Searching the modules in a file,
//! decoding and replacing them belongs to `artifact::nested`.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use toml::Spanned;

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::toml::{from_str, in_line};

/// A table of hosts: attributes that hold a module.
///
/// ```
/// use mlirbc::container::HostTable;
/// let table = HostTable::from_toml(r#"
///     [[host]]
///     operation = "toy.kernel"
///     attribute = "body"
///     encoding = "raw"
/// "#)?;
/// assert_eq!(table.len(), 1);
/// let error = HostTable::from_toml("[[host]]\nencoding = \"raw\"\nattribute = \"a\"").unwrap_err();
/// assert!(error.to_string().contains("line 1"), "{error}");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct HostTable {
    pub(crate) hosts: Vec<Host>,
}

/// An attribute that holds a module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Host {
    pub(crate) owner: HostOwner,
    /// The names of the attribute; the first one that an operation has is used.
    pub(crate) attributes: Vec<Box<str>>,
    /// The entry of the attribute, which is a dictionary.
    pub(crate) key: Option<Box<str>>,
    pub(crate) encoding: HostEncoding,
    /// The attribute, or the entry of the dictionary, with the name of the module.
    pub(crate) name: Option<Box<str>>,
    /// The attribute, or the entry of the dictionary, with the SHA-256 hash of the module.
    pub(crate) hash: Option<Box<str>>,
    /// The attribute with an array type, whose count is the size of the module.
    pub(crate) sized: Option<Box<str>>,
}

/// The operations that have the attribute.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HostOwner {
    /// Custom calls of StableHLO, VHLO and MHLO with this target.
    Call(Box<str>),
    /// Operations with this name.
    Operation(Box<str>),
}

impl HostOwner {
    /// The target or the name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Call(name) | Self::Operation(name) => name,
        }
    }
}

/// The encoding of a module in the value of the attribute.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HostEncoding {
    /// The bytes.
    Raw,
    /// The bytes, directly or in base64; other contents are not a module, and are not reported.
    Recognized,
    /// The SHA-256 hash of the bytes, and the bytes.
    AfterSha256,
    /// Base64 of the bytes in a field of JSON, which is named from the outermost object inwards.
    JsonBase64 { field: Vec<Box<str>> },
    /// A field of a message of a protocol buffer that is compressed by zlib.
    ZlibMessage(HostMessage),
    /// String literals, and dense elements of 8 bits, in the text of the attribute.
    Literals,
}

/// The fields of a protocol buffer that hold modules, by number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HostMessage {
    /// The paths to the messages that hold a module.
    pub(crate) messages: Vec<Vec<u32>>,
    /// The field with the module in each of these messages.
    pub(crate) module: u32,
    /// The field with the name of the module, in the same message.
    pub(crate) label: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    host: Vec<Spanned<RawHost>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHost {
    target: Option<Box<str>>,
    operation: Option<Spanned<Box<str>>>,
    attribute: Spanned<RawNames>,
    key: Option<Box<str>>,
    encoding: Spanned<RawEncoding>,
    field: Option<Spanned<Vec<Box<str>>>>,
    messages: Option<Spanned<Vec<Vec<u32>>>>,
    module: Option<u32>,
    label: Option<u32>,
    name: Option<Box<str>>,
    hash: Option<Spanned<Box<str>>>,
    sized: Option<Spanned<Box<str>>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a name, or a list of names")]
enum RawNames {
    One(Box<str>),
    List(Vec<Box<str>>),
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawEncoding {
    Raw,
    Recognized,
    AfterSha256,
    JsonBase64,
    ZlibMessage,
    Literals,
}

/// An error in the text of a table, at a byte.
type Fault = (usize, String);

impl HostTable {
    /// Reads a table from its TOML text; `docs/reference/nested-modules.md` has the keys.
    ///
    /// # Errors
    /// [`ErrorKind::HostTable`] with the line of the error.
    pub fn from_toml(text: &str) -> Result<Arc<Self>> {
        let error = |(at, message): Fault| {
            let message = format!("invalid table of hosts: {}", in_line(&message, at, text));
            Error::message(ErrorKind::HostTable, message)
        };
        let table: RawTable =
            from_str(text).map_err(|fault| error((fault.offset(), fault.message().to_owned())))?;
        let hosts = table.host.into_iter().map(|row| Host::load(row).map_err(error));
        Ok(Arc::new(Self { hosts: hosts.collect::<Result<_>>()? }))
    }

    /// Returns the table that is part of mlirbc.
    ///
    /// # Errors
    /// If it is invalid.
    pub(crate) fn shipped() -> Result<Arc<Self>> {
        static TABLE: OnceLock<Result<Arc<HostTable>, String>> = OnceLock::new();
        let load = || Self::from_toml(include_str!("../../data/nested.toml"));
        let table = TABLE.get_or_init(|| load().map_err(|error| error.to_string()));
        table.clone().map_err(|message| Error::message(ErrorKind::HostTable, message))
    }

    /// The number of hosts.
    #[doc(hidden)]
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Whether there are no hosts.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }
}

impl Host {
    fn load(row: Spanned<RawHost>) -> Result<Self, Fault> {
        let at = row.span().start;
        let raw = row.into_inner();
        let encoding_at = raw.encoding.span().start;
        let owner = match (raw.target, raw.operation) {
            (Some(target), None) => HostOwner::Call(target),
            (None, Some(name)) if name.get_ref().contains('.') => HostOwner::Operation(name.into_inner()),
            (None, Some(name)) => {
                return Err((name.span().start, "an operation is named with its dialect".to_owned()));
            }
            _ => return Err((at, "a host has either a `target` or an `operation`".to_owned())),
        };
        let attribute_at = raw.attribute.span().start;
        let attributes = match raw.attribute.into_inner() {
            RawNames::One(name) => vec![name],
            RawNames::List(names) => names,
        };
        if attributes.is_empty() || attributes.iter().any(|name| name.is_empty()) {
            return Err((attribute_at, "`attribute` is the name of an attribute, or several".to_owned()));
        }
        let encoding = raw.encoding.into_inner();
        let is_json = encoding == RawEncoding::JsonBase64;
        let is_message = encoding == RawEncoding::ZlibMessage;
        if let Some(field) = raw.field.as_ref().filter(|_| !is_json) {
            return Err((field.span().start, "only `json-base64` has a `field`".to_owned()));
        }
        if let Some(messages) = raw.messages.as_ref().filter(|_| !is_message) {
            return Err((messages.span().start, "only `zlib-message` has `messages`".to_owned()));
        }
        if let (Some(_), false) = (raw.module.or(raw.label), is_message) {
            return Err((at, "only `zlib-message` has `module` and `label`".to_owned()));
        }
        let is_one_module = matches!(encoding, RawEncoding::Raw | RawEncoding::Recognized);
        if let Some(dependent) = raw.hash.as_ref().or(raw.sized.as_ref()).filter(|_| !is_one_module) {
            let message = "only `raw` and `recognized` have `hash` and `sized`".to_owned();
            return Err((dependent.span().start, message));
        }
        let encoding = match encoding {
            RawEncoding::Raw => HostEncoding::Raw,
            RawEncoding::Recognized => HostEncoding::Recognized,
            RawEncoding::AfterSha256 => HostEncoding::AfterSha256,
            RawEncoding::Literals => HostEncoding::Literals,
            RawEncoding::JsonBase64 => {
                let field = raw.field.map(Spanned::into_inner).filter(|field| !field.is_empty());
                let missing = || (encoding_at, "`json-base64` has the names of a `field`".to_owned());
                HostEncoding::JsonBase64 { field: field.ok_or_else(missing)? }
            }
            RawEncoding::ZlibMessage => {
                let missing = || (encoding_at, "`zlib-message` has `messages` and `module`".to_owned());
                let is_path = |path: &Vec<u32>| !path.is_empty() && path.len() <= MESSAGES;
                let messages = raw.messages.map(Spanned::into_inner);
                let messages = messages.filter(|paths| !paths.is_empty() && paths.iter().all(is_path));
                HostEncoding::ZlibMessage(HostMessage {
                    messages: messages.ok_or_else(missing)?,
                    module: raw.module.ok_or_else(missing)?,
                    label: raw.label,
                })
            }
        };
        let inner = |text: Option<Spanned<Box<str>>>| text.map(Spanned::into_inner);
        Ok(Self {
            owner,
            attributes,
            key: raw.key,
            encoding,
            name: raw.name,
            hash: inner(raw.hash),
            sized: inner(raw.sized),
        })
    }
}

// The most levels of nested messages.
const MESSAGES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_is_valid() {
        assert!(HostTable::shipped().unwrap().len() > 5);
    }

    #[test]
    fn errors_name_the_line() {
        let row = |rows: &str| format!("\n[[host]]\nattribute = \"a\"\n{rows}\n");
        for (text, line, message) in [
            ("[[hosts]]".to_owned(), 1, "unknown field"),
            (row("target = \"t\"\noperation = \"a.b\"\nencoding = \"raw\""), 2, "either a `target`"),
            (row("operation = \"b\"\nencoding = \"raw\""), 4, "with its dialect"),
            (row("target = \"t\"\nencoding = \"rot13\""), 5, "unknown variant `rot13`"),
            (row("target = \"t\"\nencoding = \"json-base64\""), 5, "names of a `field`"),
            (row("target = \"t\"\nencoding = \"raw\"\nfield = [\"a\"]"), 6, "only `json-base64`"),
            (row("target = \"t\"\nencoding = \"literals\"\nhash = \"h\""), 6, "have `hash`"),
            (
                row("target = \"t\"\nencoding = \"zlib-message\"\nmessages = [[]]\nmodule = 1"),
                5,
                "`messages`",
            ),
            ("[[host]]\ntarget = \"t\"\nattribute = []\nencoding = \"raw\"".to_owned(), 3, "the name of"),
            (
                "[[host]]\ntarget = \"t\"\nattribute = 3\nencoding = \"raw\"".to_owned(),
                3,
                "a name, or a list",
            ),
        ] {
            let error = HostTable::from_toml(&text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::HostTable);
            let error = error.to_string();
            assert!(error.contains(message) && error.contains(&format!("in line {line}:")), "{error}");
        }
    }
}
