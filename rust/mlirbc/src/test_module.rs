//! Modules for unit tests, assembled from the hex of their IR.

use crate::ReadOptions;
use crate::format::attr_type::{EntryEncoding, EntryTable};
use crate::format::container::Bytecode;
use crate::format::dialect::{DialectEntry, DialectSection, OpNameEntry};
use crate::format::ir::{BlockHead, IrWriter, OpHead, OpSink, RegionHead, Root};
use crate::format::properties::PropertyTable;
use crate::format::string::StringTable;
use crate::ir::Module;
use crate::wire::cursor::ByteSink;
use crate::wire::limits::Limits;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

/// Parses hex text; spaces are ignored.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

/// Returns a file of `version` with ops `builtin.module`, `t.c`, `t.u`, `t.r` (0 to 3), one location, one
/// type, and a `builtin.module` whose one region holds the `block_ops` ops and `values` values of the hex
/// `block`.
pub(crate) fn module_bytes(version: u64, block: &str, block_ops: u64, values: u64) -> Vec<u8> {
    let version = BytecodeVersion::new(version).unwrap();
    let mut sink = ByteSink::new();
    Bytecode::write_header(version, b"test", &mut sink);
    let mut section = |id, bytes: &[u8]| {
        let mut body = ByteSink::new();
        body.bytes(bytes);
        sink.section(id, &body);
    };
    let count = if version.has_op_name_count() { "09" } else { "" };
    let names = if version.has_registered_flags() { "01030b 0307 0d 11 15" } else { "010305 0307 07 09 0b" };
    let dialects = if version.has_dialect_versions() { "05 01 05" } else { "05 01 03" };
    section(SectionId::Dialect, &hex(&format!("{dialects} {count} {names}")));
    section(SectionId::AttrTypeOffset, &hex("03 03 01 03 07 01 03 0b"));
    section(SectionId::AttrType, &hex("1f 01 41"));
    let mut region = ByteSink::new();
    region.varint(1);
    region.varint(values);
    region.varint_with_flag(block_ops, false);
    region.bytes(&hex(block));
    let mut ir = ByteSink::new();
    ir.bytes(&hex("05 01 10 01 07"));
    if version.has_region_sections() {
        ir.section(SectionId::Ir, &region);
    } else {
        ir.bytes(region.as_bytes());
    }
    section(SectionId::Ir, ir.as_bytes());
    let mut strings = ByteSink::new();
    StringTable::write([&b"builtin"[..], b"t", b"module", b"c", b"u", b"r"].into_iter(), &mut strings);
    section(SectionId::String, strings.as_bytes());
    if version.has_native_properties() {
        section(SectionId::Properties, &[]);
    }
    sink.into_bytes()
}

/// Returns the module of [`module_bytes`].
pub(crate) fn module(version: u64, block: &str, block_ops: u64, values: u64) -> Module {
    Module::from_bytes(module_bytes(version, block, block_ops, values)).unwrap()
}

/// The contents of a file of the newest version: strings, dialects by string index, op names by dialect and
/// string index, payloads of builtin attributes, property blobs, and top-level ops by name, dictionary and
/// properties.
#[derive(Default)]
pub(crate) struct TestFile {
    pub(crate) strings: Vec<Vec<u8>>,
    pub(crate) dialects: Vec<u32>,
    pub(crate) op_names: Vec<(u32, u32, bool)>,
    pub(crate) attributes: Vec<Vec<u8>>,
    pub(crate) blobs: Vec<Vec<u8>>,
    pub(crate) ops: Vec<(u32, Option<u32>, Option<u32>)>,
    /// The locations of the first operations; all others have location 0.
    pub(crate) locations: Vec<u32>,
}

impl TestFile {
    /// Creates a file with the builtin dialect and an unknown location.
    pub(crate) fn new() -> Self {
        Self {
            strings: vec![b"builtin".to_vec()],
            dialects: vec![0],
            attributes: vec![varints(&[15])],
            ..Self::default()
        }
    }

    /// Adds a string.
    pub(crate) fn string(&mut self, text: impl Into<Vec<u8>>) -> u32 {
        self.strings.push(text.into());
        self.strings.len() as u32 - 1
    }

    /// Adds a dialect.
    pub(crate) fn dialect(&mut self, name: impl Into<Vec<u8>>) -> u32 {
        let name = self.string(name);
        self.dialects.push(name);
        self.dialects.len() as u32 - 1
    }

    /// Adds an op name.
    pub(crate) fn op_name(&mut self, dialect: u32, stem: impl Into<Vec<u8>>, is_registered: bool) -> u32 {
        let stem = self.string(stem);
        self.op_names.push((dialect, stem, is_registered));
        self.op_names.len() as u32 - 1
    }

    /// Adds a builtin attribute.
    pub(crate) fn attribute(&mut self, payload: &[u64]) -> u32 {
        self.attributes.push(varints(payload));
        self.attributes.len() as u32 - 1
    }

    /// Adds a dictionary with `unit` values.
    pub(crate) fn dictionary(&mut self, names: impl Iterator<Item = String>) -> u32 {
        let unit = self.attribute(&[7]);
        let mut payload = vec![1, 0];
        for name in names {
            let name = self.string(name);
            let name = self.attribute(&[2, name.into()]);
            payload.extend([u64::from(name), unit.into()]);
        }
        payload[1] = (payload.len() as u64 - 2) / 2;
        self.attribute(&payload)
    }

    /// Returns the bytes of the file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let version = BytecodeVersion::MAX;
        let mut sink = ByteSink::new();
        Bytecode::write_header(version, b"test", &mut sink);
        let mut section = |id, body: ByteSink| sink.section(id, &body);
        let dialect = |&name: &u32| DialectEntry { name, version: None };
        let op_name = |&(dialect, name, is_registered): &(u32, u32, bool)| OpNameEntry {
            dialect,
            name,
            is_registered: Some(is_registered),
        };
        let dialects = DialectSection {
            dialects: self.dialects.iter().map(dialect).collect(),
            op_names: self.op_names.iter().map(op_name).collect(),
        };
        let mut body = ByteSink::new();
        dialects.write(version, &[], &mut body);
        section(SectionId::Dialect, body);
        let rows: Vec<_> =
            self.attributes.iter().map(|data| (0, EntryEncoding::Custom, data.len() as u64)).collect();
        let mut body = ByteSink::new();
        EntryTable::write(&rows, &[], &mut body);
        section(SectionId::AttrTypeOffset, body);
        let mut body = ByteSink::new();
        self.attributes.iter().for_each(|data| body.bytes(data));
        section(SectionId::AttrType, body);
        let mut writer = IrWriter::new(version, Root::TopLevel);
        writer.begin_region(RegionHead { blocks: 1, values: 0 });
        writer.begin_block(BlockHead { ops: self.ops.len() as u64, arguments: None });
        for (place, &(name, attributes, properties)) in self.ops.iter().enumerate() {
            let location = self.locations.get(place).copied().unwrap_or(0);
            writer.op(OpHead { name, location, attributes, properties });
        }
        writer.end_block();
        section(SectionId::Ir, writer.finish());
        let mut body = ByteSink::new();
        StringTable::write(self.strings.iter().map(Vec::as_slice), &mut body);
        section(SectionId::String, body);
        let mut body = ByteSink::new();
        PropertyTable::write(self.blobs.iter().map(Vec::as_slice), &mut body);
        section(SectionId::Properties, body);
        sink.into_bytes()
    }

    /// Returns the module with this memory limit, which also applies to each piece of work.
    pub(crate) fn module(&self, max_memory: u64) -> Module {
        let limits = Limits { max_memory: Some(max_memory), ..Limits::default() };
        let options = ReadOptions { limits, ..ReadOptions::default() };
        Module::from_source(self.bytes().into(), &options).unwrap()
    }
}

fn varints(numbers: &[u64]) -> Vec<u8> {
    let mut sink = ByteSink::new();
    numbers.iter().for_each(|&number| sink.varint(number));
    sink.into_bytes()
}
