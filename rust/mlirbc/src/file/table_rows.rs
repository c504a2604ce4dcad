//! Views of the rows of a file's tables: dialects, attributes and types, as stored in the file.

use crate::format::attr_type::EntryEncoding;
use crate::wire::bytes::Bytes;

use crate::format::id::{AttrId, TypeId};

/// A dialect of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect<'m> {
    /// The name; any bytes.
    pub name: &'m [u8],
    /// The bytes of the version, if there is one; the dialect defines their meaning.
    pub version: Option<Bytes>,
}

/// An attribute in the file; locations and dictionaries are attributes too.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeEntry<'m> {
    /// The index.
    pub id: AttrId,
    /// The name of the dialect of its group.
    pub dialect: &'m [u8],
    /// The encoding.
    pub encoding: EntryEncoding,
    /// The payload.
    pub data: Bytes,
    /// The file offset of the payload.
    pub offset: u64,
}

/// A type in the file.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeEntry<'m> {
    /// The index.
    pub id: TypeId,
    /// The name of the dialect of its group.
    pub dialect: &'m [u8],
    /// The encoding.
    pub encoding: EntryEncoding,
    /// The payload.
    pub data: Bytes,
    /// The file offset of the payload.
    pub offset: u64,
}

/// The text of an assembly entry, without the zero byte that ends it.
pub(crate) fn assembly(encoding: EntryEncoding, data: &[u8]) -> Option<&[u8]> {
    match encoding {
        EntryEncoding::Assembly => Some(data.strip_suffix(&[0]).unwrap_or(data)),
        EntryEncoding::Custom => None,
    }
}

impl AttributeEntry<'_> {
    /// The assembly text; `None` for a custom encoding.
    pub fn assembly(&self) -> Option<&[u8]> {
        assembly(self.encoding, &self.data)
    }
}

impl TypeEntry<'_> {
    /// The assembly text; `None` for a custom encoding.
    pub fn assembly(&self) -> Option<&[u8]> {
        assembly(self.encoding, &self.data)
    }
}
