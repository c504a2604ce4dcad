//! Resources: named blobs, bools and strings that are stored beside the IR.

use std::ops::Range;

use crate::format::resource::{ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result, cut};

use super::FileTables;

/// The most characters of a key in an error.
const LONGEST_KEY: usize = 100;

/// A resource of a module.
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
        /// The alignment, a power of two that divides the file offset.
        alignment: u64,
    },
    /// A Boolean.
    Bool(bool),
    /// A string.
    String(&'m [u8]),
}

impl<'m> Resource<'m> {
    /// The index among all resources of the file, external ones first.
    #[doc(hidden)]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The key, any bytes. The keys of a dialect are unique: if the file has one twice, the later one is
    /// renamed as in MLIR, to `key_1`; [`ResourceDirectory`](crate::format::resource::ResourceDirectory) has
    /// the key in the file. Keys of external resources may repeat.
    pub fn key(&self) -> &'m [u8] {
        self.key
    }

    /// The dialect of the resource, or the name of the external group.
    pub fn group(&self) -> &'m [u8] {
        self.group
    }

    /// Whether the resource belongs to a client outside the IR instead of a dialect.
    pub fn is_external(&self) -> bool {
        matches!(self.entry.owner, ResourceOwner::External(_))
    }

    /// The kind, if it is known; not valid without data.
    pub fn kind(&self) -> Option<ResourceKind> {
        ResourceKind::from_byte(self.entry.kind)
    }

    /// Whether the file has data besides the key.
    pub fn has_data(&self) -> bool {
        self.entry.has_data()
    }

    /// The size in the file, with alignment and padding, in bytes.
    #[doc(hidden)]
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
    /// let Some(ResourcePayload::Blob { range, alignment }) = module.tables().resource(2)?.unwrap().payload()? else {
    ///     panic!("the weights are a blob");
    /// };
    /// assert_eq!((range.end - range.start, alignment, range.start % alignment), (48, 16, 0));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn payload(&self) -> Result<Option<ResourcePayload>> {
        self.tables.resource_payload(&self.entry)
    }

    /// The value; `None` without data.
    ///
    /// # Errors
    /// As [`Self::payload`], and if the file can no longer be read.
    ///
    /// ```
    /// use mlirbc::ir::ResourceValue;
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let note = module.tables().resource(0)?.unwrap().value()?;
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

    /// The bytes of a part of a blob, without the rest: shared if the file is resident, otherwise read.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if it is not a blob with data, or for a range that is not within it. As
    /// [`Self::payload`], and if the file can no longer be read.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let bias = module.tables().resource(5)?.unwrap();
    /// assert_eq!(bias.read_range(4..8)?, (-0.125f32).to_le_bytes()[..]);
    /// assert_eq!(bias.read_range(4..9).unwrap_err().identifier(), "mlirbc.invalid.value");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn read_range(&self, range: Range<u64>) -> Result<Bytes> {
        let blob = self.blob_range()?;
        let size = blob.end - blob.start;
        if range.start > range.end || range.end > size {
            let Range { start, end } = range;
            return Err(self.past_end(format!("the range {start}..{end}"), size));
        }
        self.tables.unless_lost(self.tables.source().get(blob.start + range.start..blob.start + range.end))
    }

    /// Releases the memory of a range of a blob that was read, if the file is mapped.
    pub(crate) fn forget_range(&self, range: Range<u64>) -> Result<()> {
        let start = self.blob_range()?.start;
        self.tables.source().forget(start + range.start..start + range.end);
        Ok(())
    }

    /// Fills `buffer` with the bytes of a blob from `offset` on, and returns their number, which is smaller
    /// than the buffer only at the end of the blob.
    ///
    /// # Errors
    /// As [`Self::read_range`]; `offset` may be the end of the blob, but not past it.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let mut buffer = [0; 6];
    /// assert_eq!(module.tables().resource(5)?.unwrap().read_into(4, &mut buffer)?, 4);
    /// assert_eq!(buffer[..4], (-0.125f32).to_le_bytes());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn read_into(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let blob = self.blob_range()?;
        let size = blob.end - blob.start;
        if offset > size {
            return Err(self.past_end(format!("the offset {offset}"), size));
        }
        let count = usize::try_from(size - offset).map_or(buffer.len(), |rest| rest.min(buffer.len()));
        self.tables.source().read_into(blob.start + offset, &mut buffer[..count])?;
        Ok(count)
    }

    fn blob_range(&self) -> Result<Range<u64>> {
        let actual = match self.payload()? {
            Some(ResourcePayload::Blob { range, .. }) => return Ok(range),
            Some(ResourcePayload::Bool(_)) => "is a bool",
            Some(ResourcePayload::String(_)) => "is a string",
            None => "has no data in the file",
        };
        let key = cut(&String::from_utf8_lossy(self.key), LONGEST_KEY);
        let message = format!("resource `{key}` {actual}; only the bytes of a blob can be read in parts");
        Err(Error::message(ErrorKind::Value, message))
    }

    #[cold]
    fn past_end(&self, what: String, size: u64) -> Error {
        let key = cut(&String::from_utf8_lossy(self.key), LONGEST_KEY);
        Error::message(ErrorKind::Value, format!("{what} is not within resource `{key}` of {size} bytes"))
    }
}
