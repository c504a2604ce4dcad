//! Views of the file's tables: dialects, attributes and types as they stand in the file.

use crate::format::attr_type::EntryEncoding;
use crate::wire::bytes::Bytes;

use crate::format::id::{AttrId, TypeId};

/// A dialect of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect<'m> {
    /// Its name; any bytes.
    pub name: &'m [u8],
    /// The bytes of its version, if the file has one; their meaning is the dialect's.
    pub version: Option<Bytes>,
}

/// An attribute as it stands in the file; locations and dictionaries are attributes too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeEntry<'m> {
    /// Its index.
    pub id: AttrId,
    /// The name of the dialect whose group it is in.
    pub dialect: &'m [u8],
    /// How it is written.
    pub encoding: EntryEncoding,
    /// Its payload.
    pub data: Bytes,
    /// File offset of the payload.
    pub offset: u64,
}

/// A type as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeEntry<'m> {
    /// Its index.
    pub id: TypeId,
    /// The name of the dialect whose group it is in.
    pub dialect: &'m [u8],
    /// How it is written.
    pub encoding: EntryEncoding,
    /// Its payload.
    pub data: Bytes,
    /// File offset of the payload.
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
    /// The assembly text, if that is how it is written.
    pub fn assembly(&self) -> Option<&[u8]> {
        assembly(self.encoding, &self.data)
    }
}

impl TypeEntry<'_> {
    /// The assembly text, if that is how it is written.
    pub fn assembly(&self) -> Option<&[u8]> {
        assembly(self.encoding, &self.data)
    }
}
