//! Resources: named blobs, bools and strings that travel beside the IR.

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

/// What a resource holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceValue<'m> {
    /// Raw bytes.
    Blob {
        /// The bytes; shared with the file when it is resident, read otherwise.
        bytes: Bytes,
        /// Where they lie in the file.
        range: Range<u64>,
        /// The file offset is a multiple of this power of two.
        alignment: u64,
    },
    /// A truth value.
    Bool(bool),
    /// A string.
    String(&'m [u8]),
}

impl<'m> Resource<'m> {
    /// Its place among all resources of the file, external ones first.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its key, any bytes. A dialect's keys differ: where the file has one twice, the later one is renamed as MLIR renames
    /// it, to `key_1`; [`ResourceDirectory`](crate::format::resource::ResourceDirectory) has it as the file does.
    /// Those of external resources may repeat.
    pub fn key(&self) -> &'m [u8] {
        self.key
    }

    /// The dialect it belongs to, or the name of an external group.
    pub fn group(&self) -> &'m [u8] {
        self.group
    }

    /// Whether it belongs to a client outside the IR rather than to a dialect.
    pub fn is_external(&self) -> bool {
        matches!(self.entry.owner, ResourceOwner::External(_))
    }

    /// What it holds, if the file knows the kind; meaningless without data.
    pub fn kind(&self) -> Option<ResourceKind> {
        ResourceKind::from_byte(self.entry.kind)
    }

    /// Whether the file has more of it than the key.
    pub fn has_data(&self) -> bool {
        self.entry.has_data()
    }

    /// Bytes in the file, alignment and padding included.
    pub fn encoded_size(&self) -> u64 {
        self.entry.size
    }

    /// Bytes of what it holds: of the blob, of the string, one of a bool, none without data.
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

    /// What kind of payload and where, without touching a blob's bytes; `None` when there is no data.
    ///
    /// # Errors
    /// When the payload does not fit its row in the directory.
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

    /// The value; `None` when there is no data.
    ///
    /// # Errors
    /// As [`Self::payload`], and when the file cannot be read any more.
    ///
    /// ```
    /// use mlirbc::ResourceValue;
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
