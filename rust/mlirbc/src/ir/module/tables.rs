//! Queries about the file of a module other than its operations.

use crate::attr::{Attribute, Type};
use crate::container::Container;
use crate::file::table_rows::Dialect;
use crate::file::{DetectedRelease, Resource};
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::props::op_name::OperationName;
use crate::wire::bytes::Source;
use crate::wire::error::Result;
use crate::wire::limits::Limits;
use crate::wire::version::BytecodeVersion;

use super::Module;

impl Module {
    /// The bytecode version of the file.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.version().number(), 6);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn version(&self) -> BytecodeVersion {
        self.tables().bytecode().version()
    }

    /// The producer string, which names the program that wrote the file.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.producer(), b"x");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn producer(&self) -> &[u8] {
        self.tables().bytecode().producer()
    }

    /// The size of the module in bytes, without the container around it.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(module.size(), 131);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn size(&self) -> u64 {
        self.tables().bytecode().size()
    }

    /// The release that wrote the file, detected on first use from the producer string and a bounded number
    /// of property blobs, unless [`ReadOptions::release`](crate::ReadOptions::release) specifies it.
    ///
    /// # Errors
    /// If a table is malformed. Malformed operations are not an error here; the operations before them are
    /// considered.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert_eq!(module.release()?.name(), Some("llvm-22"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn release(&self) -> Result<&DetectedRelease> {
        self.tables().release()
    }

    /// The source of the bytes.
    pub fn source(&self) -> &Source {
        self.tables().source()
    }

    /// The container of the module; `None` for a file that is bytecode from its first byte.
    ///
    /// Offsets of the module count from its own first byte, which is at [`Source::start`] in the content of
    /// the container.
    pub fn container(&self) -> Option<&Container> {
        self.tables().container()
    }

    /// The limits with which the file was opened.
    pub fn limits(&self) -> &Limits {
        self.tables().limits()
    }

    /// The dialects by index.
    ///
    /// # Errors
    /// If the section is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let names: Vec<_> = module.dialects()?.map(|dialect| dialect.name).collect();
    /// assert_eq!(names, [&b"builtin"[..], b"t"]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn dialects(&self) -> Result<impl ExactSizeIterator<Item = Dialect<'_>>> {
        self.tables().dialects()
    }

    /// The operation name with this index, as an [`OpSink`](crate::ir::OpSink) receives it; `None` past the
    /// end, or if a required table is malformed.
    pub fn op_name(&self, id: OpNameId) -> Option<OperationName<'_>> {
        self.tables().op_name(id)
    }

    /// The attribute with this index; `None` past the end.
    ///
    /// # Errors
    /// If the attribute or what it refers to is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let location = module.attribute_at(module.operation()?.location())?;
    /// assert_eq!(location.unwrap().to_string(), "loc(unknown)");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn attribute_at(&self, id: AttrId) -> Result<Option<Attribute>> {
        Attribute::of_file(self.tables(), id)
    }

    /// The type with this index; `None` past the end.
    ///
    /// # Errors
    /// If the type or what it refers to is malformed.
    pub fn type_at(&self, id: TypeId) -> Result<Option<Type>> {
        Type::of_file(self.tables(), id)
    }

    /// The resources in the order of the file, including references to external ones.
    ///
    /// # Errors
    /// If the resource sections are malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// for resource in module.resources()? {
    ///     println!("{}: {} bytes", String::from_utf8_lossy(resource.key()), resource.size()?);
    /// }
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn resources(&self) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        self.tables().resources()
    }

    /// The resources with this key, which several groups may have.
    ///
    /// # Errors
    /// If the resource sections are malformed.
    pub fn resources_named(&self, key: &[u8]) -> Result<impl ExactSizeIterator<Item = Resource<'_>>> {
        self.tables().resources_named(key)
    }
}
