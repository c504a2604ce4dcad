//! The attributes of the dlti dialect: specifications, and descriptions of targets
//! (`mlir/include/mlir/Dialect/DLTI/DLTIAttrs.td`).

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::attr::table::Home;
use crate::attr::text::parse::dlti::{DltiForm, DltiIndex, DltiNode, parse_dlti};
use crate::attr::{Attribute, Handle, SHOWN, Type};
use crate::dialect::entries::EntryRef;
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

pub(crate) use crate::attr::{brief, shorten};

/// The key of an entry: a class of types, or a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DltiKey {
    /// A type; in a specification it represents its class.
    Type(Type),
    /// A name, e.g. `dlti.endianness`.
    Identifier(Bytes),
}

impl DltiKey {
    /// Returns the beginning of the text for a message.
    pub(crate) fn brief(&self) -> String {
        match self {
            Self::Type(r#type) => brief(&r#type.0),
            Self::Identifier(_) => shorten(&self.to_string()),
        }
    }
}

impl From<&str> for DltiKey {
    fn from(name: &str) -> Self {
        Self::Identifier(Bytes::copy_from_slice(name.as_bytes()))
    }
}

impl From<Type> for DltiKey {
    fn from(r#type: Type) -> Self {
        Self::Type(r#type)
    }
}

impl fmt::Display for DltiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(r#type) => write!(f, "{type}"),
            Self::Identifier(name) => {
                let mut text = Vec::new();
                crate::attr::text::escape::write_string(&mut text, name);
                f.write_str(&String::from_utf8_lossy(&text))
            }
        }
    }
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DltiEntry {
    /// The key.
    pub key: DltiKey,
    /// The value.
    pub value: Attribute,
}

/// The kinds of attributes that the dlti dialect of LLVM 22 has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DltiKind {
    /// `#dlti.dl_spec`
    DataLayoutSpec,
    /// `#dlti.target_system_spec`
    TargetSystemSpec,
    /// `#dlti.target_device_spec`
    TargetDeviceSpec,
    /// `#dlti.map`
    Map,
    /// `#dlti.dl_entry`
    DataLayoutEntry,
    /// `#dlti.function_pointer_alignment`
    FunctionPointerAlignment,
}

impl DltiKind {
    /// The name of the class in MLIR.
    #[doc(hidden)]
    pub fn class(self) -> &'static str {
        match self {
            Self::DataLayoutSpec => "DataLayoutSpecAttr",
            Self::TargetSystemSpec => "TargetSystemSpecAttr",
            Self::TargetDeviceSpec => "TargetDeviceSpecAttr",
            Self::Map => "MapAttr",
            Self::DataLayoutEntry => "DataLayoutEntryAttr",
            Self::FunctionPointerAlignment => "FunctionPointerAlignmentAttr",
        }
    }

    /// Whether the keys of the attribute can be queried (`DLTIQueryInterface`).
    pub(crate) fn is_queryable(self) -> bool {
        !matches!(self, Self::DataLayoutEntry | Self::FunctionPointerAlignment)
    }

    fn of(form: DltiForm) -> Self {
        match form {
            DltiForm::Spec => Self::DataLayoutSpec,
            DltiForm::System => Self::TargetSystemSpec,
            DltiForm::Device => Self::TargetDeviceSpec,
            DltiForm::Map => Self::Map,
            DltiForm::Entry => Self::DataLayoutEntry,
            DltiForm::FunctionPointerAlignment => Self::FunctionPointerAlignment,
        }
    }
}

/// A parsed attribute of the dlti dialect. `to_string` gives the text that MLIR 22 prints.
#[derive(Clone)]
pub struct DltiAttr {
    home: Home,
    index: AttrId,
    kind: DltiKind,
    nodes: Arc<HashMap<AttrId, DltiNode>>,
}

impl DltiAttr {
    /// Parses an attribute.
    ///
    /// # Errors
    /// The error in the text: syntax, a repeated or empty key, a key or a value that is not allowed there, an
    /// empty list.
    ///
    /// ```
    /// use mlirbc::layout::DltiAttr;
    /// let error = DltiAttr::parse("#dlti.map<\"a\" = 1, \"a\" = 2>").unwrap_err();
    /// assert_eq!(error.identifier(), "mlirbc.layout.duplicate_key");
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        let text = text.as_ref();
        let (home, index, nodes) = parse_dlti(text, &Limits::default())?;
        let Some(node) = nodes.get(&index) else {
            let excerpt = String::from_utf8_lossy(text.get(..40).unwrap_or(text)).into_owned();
            let expected = "an attribute of the dlti dialect";
            return Err(Error::new(ErrorKind::LayoutUnknownMnemonic, expected, format!("`{excerpt}`")));
        };
        Ok(Self { kind: DltiKind::of(node.form), home, index, nodes: Arc::new(nodes) })
    }

    /// The size of the attribute's table in bytes.
    pub(crate) fn size(&self) -> u64 {
        match &self.home {
            Home::File(module) => module.source().len(),
            Home::Owned(entries) => entries.size(),
        }
    }

    /// A number that copies share, unique as long as a copy exists.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.nodes) as usize
    }

    /// The kind.
    #[doc(hidden)]
    pub fn kind(&self) -> DltiKind {
        self.kind
    }

    /// The attribute as a standalone value.
    #[doc(hidden)]
    pub fn value(&self) -> Attribute {
        self.attribute(self.index)
    }

    /// The keys and values in order; empty for the alignment of function pointers.
    pub fn entries(&self) -> Vec<DltiEntry> {
        let items = self.nodes.get(&self.index).map_or(&[][..], |node| &node.items);
        items
            .iter()
            .map(|(key, value)| DltiEntry { key: self.key(key), value: self.attribute(*value) })
            .collect()
    }

    /// Looks up a chain of keys, as `transform.dlti.query` does.
    ///
    /// # Errors
    /// If a key does not exist, or the value of a key before the last has no keys.
    ///
    /// ```
    /// let map = mlirbc::layout::DltiAttr::parse("#dlti.map<\"a\" = #dlti.map<i32 = 7 : i8>>")?;
    /// let i32 = mlirbc::Type::parse("i32")?;
    /// assert_eq!(map.query(&["a".into(), i32.into()])?.to_string(), "7 : i8");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn query(&self, keys: &[DltiKey]) -> Result<Attribute> {
        let mut at = self.index;
        for (place, key) in keys.iter().enumerate() {
            let node = self.nodes.get(&at).filter(|node| DltiKind::of(node.form).is_queryable());
            let Some(node) = node else {
                let before = place.checked_sub(1).and_then(|place| keys.get(place));
                return Err(not_queryable(before, key, &self.attribute(at)));
            };
            let item = node.items.iter().find(|(other, _)| self.key(other) == *key);
            let Some((_, value)) = item else {
                return Err(no_such_key(key, node.items.iter().map(|(key, _)| self.key(key))));
            };
            at = *value;
        }
        Ok(self.attribute(at))
    }

    fn attribute(&self, index: AttrId) -> Attribute {
        Attribute(Handle { home: self.home.clone(), of: EntryRef::Attribute(index) })
    }

    fn key(&self, key: &DltiIndex) -> DltiKey {
        match key {
            DltiIndex::Type(index) => {
                DltiKey::Type(Type(Handle { home: self.home.clone(), of: EntryRef::Type(*index) }))
            }
            DltiIndex::Identifier(name) => DltiKey::Identifier(Bytes::copy_from_slice(name)),
        }
    }
}

/// Creates the error for a query in a value without keys.
#[cold]
pub(crate) fn not_queryable(before: Option<&DltiKey>, key: &DltiKey, value: &Attribute) -> Error {
    let queried = match before {
        None => "the attribute".to_owned(),
        Some(before) => format!("the value of key {}", before.brief()),
    };
    let (key, value) = (key.brief(), brief(&value.0));
    let message = format!("cannot query {queried} for key {key}: `{value}` has no keys");
    Error::message(ErrorKind::LayoutNotQueryable, message)
}

/// Creates the error for a key that is not among the existing keys.
#[cold]
pub(crate) fn no_such_key(key: &DltiKey, keys: impl Iterator<Item = DltiKey>) -> Error {
    // The message shows no more keys.
    let keys: Vec<String> = keys.take(SHOWN).map(|key| key.brief()).collect();
    let (key, keys) = (key.brief(), keys.join(", "));
    let message = format!("there is no key {key}; the keys are {}", shorten(&keys));
    Error::message(ErrorKind::LayoutKeyNotFound, message)
}

impl fmt::Display for DltiAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl fmt::Debug for DltiAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DltiAttr({self})")
    }
}

impl PartialEq for DltiAttr {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Eq for DltiAttr {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_without_end_are_read_without_recursion() {
        let deep = format!("{}1{}", "#dlti.map<\"a\" = ".repeat(300), ">".repeat(300));
        let map = DltiAttr::parse(&deep).unwrap();
        let keys = vec![DltiKey::from("a"); 300];
        assert_eq!(map.query(&keys).unwrap().to_string(), "1 : i64");
    }

    #[test]
    fn text_that_would_repeat_itself_without_bound_is_refused() {
        let deep = format!("{}1{}", "#dlti.map<\"a\" = ".repeat(100_000), ">".repeat(100_000));
        assert_eq!(DltiAttr::parse(&deep).unwrap_err().kind(), ErrorKind::MemoryLimit);
    }

    #[test]
    fn other_attributes_are_refused() {
        for text in ["1 : i8", "#toy.a<1>", "[#dlti.map<>]"] {
            assert_eq!(DltiAttr::parse(text).unwrap_err().identifier(), "mlirbc.layout.unknown_mnemonic");
        }
    }
}
