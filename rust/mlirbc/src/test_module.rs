//! Modules for unit tests, put together from the hex of their IR.

use crate::cursor::ByteSink;
use crate::format::container::Bytecode;
use crate::format::string::StringTable;
use crate::ir::Module;
use crate::section::SectionId;
use crate::version::BytecodeVersion;

/// Bytes of hex text; blanks do not count.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

/// A file of `version` with ops `builtin.module`, `t.c`, `t.u`, `t.r` (0 to 3), one location, one type, and a
/// `builtin.module` whose one region holds the `block_ops` ops and `values` values of the hex `block`.
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

/// The module of [`module_bytes`].
pub(crate) fn module(version: u64, block: &str, block_ops: u64, values: u64) -> Module {
    Module::from_bytes(module_bytes(version, block, block_ops, values)).unwrap()
}
