//! Creates new modules.

use crate::attr::Attribute;
use crate::file::ReadOptions;
use crate::format::container::Bytecode;
use crate::format::dialect::{DialectEntry, DialectSection, OpNameEntry};
use crate::format::ir::{BlockHead, IrWriter, OpHead, OpSink, RegionHead, Root};
use crate::format::string::StringTable;
use crate::ir::module::Module;
use crate::props::registry::Schemas;
use crate::release::Release;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::{Editor, NewOperation};

impl Editor {
    /// Creates a `builtin.module` with one empty block, in the encoding of `release`: one of
    /// [`known_releases`](crate::props::known_releases).
    ///
    /// # Errors
    /// If the release is unknown, or the attribute is not a location.
    ///
    /// ```
    /// use mlirbc::version::BytecodeVersion;
    /// use mlirbc::{Attribute, Module, WriteOptions};
    /// use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
    /// let mut editor = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
    /// let module = editor.operation()?;
    /// let attributes = vec![
    ///     (b"sym_name".to_vec(), Attribute::parse("\"main\"")?),
    ///     (b"function_type".to_vec(), Attribute::parse("() -> ()")?),
    /// ];
    /// let function = NewOperation { attributes, regions: 1, ..NewOperation::new("func.func") };
    /// let body = editor.body(module)?;
    /// let function = editor.create(&function, InsertionPoint::AtEnd(body))?;
    /// let region = editor.regions(function)?[0];
    /// let block = editor.add_block(region, None, &[])?;
    /// editor.create(&NewOperation::new("func.return"), InsertionPoint::AtEnd(block))?;
    /// let mut bytes = Vec::new();
    /// editor.write(&mut bytes, &WriteOptions::default())?;
    /// assert_eq!(Module::from_bytes(bytes)?.operation()?.pre_order().count(), 3);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn create_module(
        release: &Release,
        version: BytecodeVersion,
        location: Option<&Attribute>,
    ) -> Result<Self> {
        Self::create_module_with(release, version, location, ReadOptions::default())
    }

    /// Creates a module as [`Self::create_module`] does, with options for its limits and for the tables and
    /// hooks of dialects. The release in the options is ignored.
    ///
    /// # Errors
    /// As [`Self::create_module`].
    #[doc(hidden)]
    pub fn create_module_with(
        release: &Release,
        version: BytecodeVersion,
        location: Option<&Attribute>,
        options: ReadOptions,
    ) -> Result<Self> {
        let schema = Schemas::snapshot(&[]).find(release.as_str())?;
        // The new module's release is detected from its producer string.
        let exact = format!("MLIR{}", schema.version());
        let producer = match (&options.like, schema.producers().next()) {
            (Some(like), _) => like.bytecode().producer().to_vec(),
            (None, Some(prefix)) if !exact.starts_with(prefix) => prefix.as_bytes().to_vec(),
            _ => exact.into_bytes(),
        };
        let mut sink = ByteSink::new();
        Bytecode::write_header(version, &producer, &mut sink);
        let mut section = |id, body: &ByteSink| sink.section(id, body);
        let is_registered = version.has_registered_flags().then_some(true);
        let dialects = DialectSection {
            dialects: vec![DialectEntry { name: 0, version: None }],
            op_names: vec![OpNameEntry { dialect: 0, name: 1, is_registered }],
        };
        let mut body = ByteSink::new();
        dialects.write(version, &[], &mut body);
        section(SectionId::Dialect, &body);
        let builtin = crate::dialect::registry::builtin();
        let Some(code) = builtin.attributes.code("UnknownLoc") else {
            return Err(Error::message(
                ErrorKind::EntryNoTable,
                "the builtin dialect table has no UnknownLoc",
            ));
        };
        let mut location_data = ByteSink::new();
        location_data.varint(code);
        let mut body = ByteSink::new();
        let encoding = crate::format::attr_type::EntryEncoding::Custom;
        crate::format::attr_type::EntryTable::write(
            &[(0, encoding, location_data.len() as u64)],
            &[],
            &mut body,
        );
        section(SectionId::AttrTypeOffset, &body);
        section(SectionId::AttrType, &location_data);
        let mut writer = IrWriter::new(version, Root::TopLevel);
        writer.begin_region(RegionHead { blocks: 1, values: 0 });
        writer.begin_block(BlockHead { ops: 1, arguments: None });
        writer.op(OpHead { name: 0, location: 0, attributes: None, properties: None });
        writer.regions(1, true);
        writer.begin_region(RegionHead { blocks: 1, values: 0 });
        writer.begin_block(BlockHead { ops: 0, arguments: None });
        writer.end_block();
        writer.end_region();
        writer.end_regions();
        writer.end_block();
        writer.end_region();
        section(SectionId::Ir, &writer.finish());
        let mut body = ByteSink::new();
        body.varint(0);
        section(SectionId::ResourceOffset, &body);
        section(SectionId::Resource, &ByteSink::new());
        let mut body = ByteSink::new();
        StringTable::write([&b"builtin"[..], b"module"].into_iter(), &mut body);
        section(SectionId::String, &body);
        if version.has_native_properties() {
            let mut body = ByteSink::new();
            body.varint(0);
            section(SectionId::Properties, &body);
        }
        let options = options.release(release.clone());
        let module = Module::from_source(sink.into_bytes().into(), &options)?;
        let mut this = Self::new(module)?;
        let op = this.operation()?;
        // The op has its properties from the start, as in MLIR.
        this.edit_attributes(op.row(), &[], &[], true)?;
        if let Some(location) = location {
            this.set_location(op, location)?;
        }
        Ok(this)
    }
}

impl NewOperation {
    /// Adds an attribute.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<Vec<u8>>, value: Attribute) -> Self {
        self.attributes.push((name.into(), value));
        self
    }
}
