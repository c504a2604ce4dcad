//! Resources: named blobs, bools and strings that are stored beside the IR.

use std::ops::Range;

use crate::format::resource::{ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::FileTables;

/// One resource of a module.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'m> {
    pub(crate) tables: &'m FileTables,
    pub(crate) index: usize,
    pub(crate) entry: ResourceEntry,
    pub(crate) group: &'m [u8],
    pub(crate) key: &'m [u8],
}

/// The value of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceValue<'m> {
    /// Raw bytes.
    Blob {
        /// The bytes, shared with the file if it is resident, otherwise read.
        bytes: Bytes,
        /// The range in the file.
        range: Range<u64>,
        /// A power of two; the file offset is a multiple of it.
        alignment: u64,
    },
    /// A Boolean.
    Bool(bool),
    /// A string.
    String(&'m [u8]),
}

impl<'m> Resource<'m> {
    /// The index among all resources of the file, external ones first.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The key, any bytes. The keys of a dialect are unique: if the file has one twice, the later one is
    /// renamed as in MLIR, to `key_1`; [`ResourceDirectory`](crate::format::resource::ResourceDirectory) has
    /// the key in the file. Keys of external resources may repeat.
    pub fn key(&self) -> &'m [u8] {
        self.key
    }

    /// The dialect that it belongs to, or the name of the external group.
    pub fn group(&self) -> &'m [u8] {
        self.group
    }

    /// Whether it belongs to a client outside the IR instead of a dialect.
    pub fn is_external(&self) -> bool {
        matches!(self.entry.owner, ResourceOwner::External(_))
    }

    /// The kind, if it is a known one; not valid without data.
    pub fn kind(&self) -> Option<ResourceKind> {
        ResourceKind::from_byte(self.entry.kind)
    }

    /// Whether the file has more than the key.
    pub fn has_data(&self) -> bool {
        self.entry.has_data()
    }

    /// The size in the file, with alignment and padding, in bytes.
    pub fn encoded_size(&self) -> u64 {
        self.entry.size
    }

    /// The size in bytes of the blob or the string, 1 for a bool, 0 without data.
    ///
    /// # Errors
    /// As [`Self::payload`].
    pub fn size(&self) -> Result<u64> {
        Ok(match self.payload()? {
            None => 0,
            Some(ResourcePayload::Bool(_)) => 1,
            Some(ResourcePayload::String(index)) => self.tables.string(index)?.len() as u64,
            Some(ResourcePayload::Blob { range, .. }) => range.end - range.start,
        })
    }

    /// The kind and position of the payload, without reading the bytes of a blob; `None` without data.
    ///
    /// # Errors
    /// If the payload does not match its row in the directory.
    ///
    /// ```
    /// use mlirbc::format::resource::ResourcePayload;
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let Some(ResourcePayload::Blob { range, alignment }) = module.resource(2)?.unwrap().payload()? else {
    ///     panic!("the weights are a blob");
    /// };
    /// assert_eq!((range.end - range.start, alignment, range.start % alignment), (48, 16, 0));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn payload(&self) -> Result<Option<ResourcePayload>> {
        self.tables.resource_payload(&self.entry)
    }

    /// The value; `None` without data.
    ///
    /// # Errors
    /// As [`Self::payload`], and if the file can no longer be read.
    ///
    /// ```
    /// use mlirbc::file::ResourceValue;
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let note = module.resource(0)?.unwrap().value()?;
    /// assert_eq!(note, Some(ResourceValue::String(b"weights chosen by hand")));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn value(&self) -> Result<Option<ResourceValue<'m>>> {
        Ok(match self.payload()? {
            None => None,
            Some(ResourcePayload::Bool(value)) => Some(ResourceValue::Bool(value)),
            Some(ResourcePayload::String(index)) => Some(ResourceValue::String(self.tables.string(index)?)),
            Some(ResourcePayload::Blob { range, alignment }) => {
                let bytes = self.tables.source().get(range.clone())?;
                Some(ResourceValue::Blob { bytes, range, alignment })
            }
        })
    }
}
