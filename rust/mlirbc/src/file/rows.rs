//! Views of the file's tables: dialects, attributes and types as they stand in the file.

use crate::format::attr_type::EntryEncoding;
use crate::wire::bytes::Bytes;

use crate::format::id::{AttrId, TypeId};

/// A dialect of a file.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let dialect = module.dialects()?.next().unwrap();
/// assert_eq!((dialect.name, dialect.version), (&b"builtin"[..], None));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect<'m> {
    /// Its name; any bytes.
    pub name: &'m [u8],
    /// The bytes of its version, if the file has one; their meaning is the dialect's.
    pub version: Option<Bytes>,
}

/// An attribute as it stands in the file; locations and dictionaries are attributes too.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let entry = module.attribute(mlirbc::AttrId(2))?.unwrap();
/// assert_eq!((entry.offset, &entry.data[..]), (41, &[0x05, 0x0d][..])); // the string `k`
/// # Ok::<(), mlirbc::Error>(())
/// ```
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
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let entry = module.r#type(mlirbc::TypeId(0))?.unwrap();
/// assert_eq!((entry.offset, &entry.data[..]), (46, &[0x01, 0x41][..])); // `i8`
/// # Ok::<(), mlirbc::Error>(())
/// ```
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
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let entry = module.attribute(mlirbc::AttrId(64))?.unwrap();
    /// assert_eq!(entry.assembly(), Some(&b"#arith.fastmath<contract>"[..]));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn assembly(&self) -> Option<&[u8]> {
        assembly(self.encoding, &self.data)
    }
}

impl TypeEntry<'_> {
    /// The assembly text, if that is how it is written.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.r#type(mlirbc::TypeId(0))?.unwrap().assembly(), None); // written by its codec
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn assembly(&self) -> Option<&[u8]> {
        assembly(self.encoding, &self.data)
    }
}
