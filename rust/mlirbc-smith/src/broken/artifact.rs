//! Files around a module: compressed streams, exports of JAX, archives and other formats.

use mlirbc::bytes::Bytes;
use mlirbc::edit::{Editor, NewResource, ResourceContent, ResourceGroup};
use mlirbc::print::PrintOptions;
use mlirbc::{Module, Result, WriteOptions};

use crate::draws::Draws;

use super::original::Original;

/// Wraps a module in another file format, which mlirbc reads.
pub(super) type Wrapping = fn(Vec<u8>) -> Vec<u8>;

/// Returns the module without a wrapping.
pub(super) fn bare(module: Vec<u8>) -> Vec<u8> {
    module
}

// ---- other files ----

/// Returns the text of the module in a gzip stream.
pub(super) fn text(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let options = if draws.one_in(2) { PrintOptions::generic() } else { PrintOptions::default() };
    let mut text = Vec::new();
    original.module()?.print(&mut text, &options)?;
    Ok(gzip(text))
}

/// Returns an archive with the module, or a file that begins as an archive.
pub(super) fn archive(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    const MARKS: [&[u8]; 6] =
        [b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\0", b"\x04\x22\x4d\x18", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b\x07"];
    let module = original.bytes;
    let size = module.len();
    Ok(match draws.below(3) {
        0 => {
            let mut file = vec![0; 512];
            let mut field = |at: usize, text: &[u8]| file[at..at + text.len()].copy_from_slice(text);
            field(0, b"module.mlirbc");
            field(100, b"0000644\0");
            field(124, format!("{size:011o}").as_bytes());
            field(257, b"ustar\x0000");
            file.extend(module);
            file.resize(file.len().next_multiple_of(512) + 1024, 0);
            file
        }
        1 => {
            let header = format!("{:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", "module/", 0, 0, 0, 644);
            [b"!<arch>\n", header.as_bytes(), module].concat()
        }
        _ => [draws.pick(&MARKS).copied().unwrap_or_default(), module].concat(),
    })
}

/// Returns a file of another format that contains the module.
pub(super) fn other_format(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    const MARKS: [&[u8]; 9] = [
        b"\x7fELF\x02\x01\x01\0",
        b"\xcf\xfa\xed\xfe",
        b"MZ\x90\0",
        b"BC\xc0\xde",
        b"\x89HDF\r\n\x1a\n",
        b"\x93NUMPY\x01\0",
        b"GGUF\x03\0\0\0",
        b"\x80\x04\x95",
        b"\x20\0\0\0IREE",
    ];
    Ok([draws.pick(&MARKS).copied().unwrap_or_default(), original.bytes].concat())
}

// ---- gzip ----

/// Returns a gzip stream whose blocks are not compressed.
pub(super) fn gzip(content: Vec<u8>) -> Vec<u8> {
    let mut file = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    let blocks: Vec<&[u8]> = if content.is_empty() { vec![&[]] } else { content.chunks(0xffff).collect() };
    for (number, block) in blocks.iter().enumerate() {
        file.push(u8::from(number + 1 == blocks.len()));
        let len = block.len() as u16;
        file.extend(len.to_le_bytes());
        file.extend((!len).to_le_bytes());
        file.extend(*block);
    }
    file.extend(crc32(&content).to_le_bytes());
    file.extend((content.len() as u32).to_le_bytes());
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

/// Damages a compressed stream: removes the end, or changes the checksum, the size or the length of a block.
pub(super) fn compressed(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut file = original.bytes.to_vec();
    let len = file.len();
    match draws.below(4) {
        0 => file.truncate(10 + draws.below(len - 10)),
        1 => file[len - 8 + draws.below(4)] ^= 1 + draws.below(255) as u8,
        2 => file[len - 4 + draws.below(4)] ^= 1 + draws.below(255) as u8,
        _ => file[11 + draws.below(4)] ^= 1 + draws.below(255) as u8,
    }
    Ok(file)
}

/// Compresses the module of a compressed original again, with more bytes in a resource.
pub(super) fn recompressed(original: &Original<'_>, more: &[u8]) -> Result<Vec<u8>> {
    let mut editor = Editor::new(Module::from_bytes(original.bare.to_vec())?)?;
    editor.add_resource(NewResource {
        key: b"large".to_vec(),
        group: ResourceGroup::External(b"broken".to_vec()),
        content: ResourceContent::Blob { bytes: Bytes::copy_from_slice(more), alignment: None },
    })?;
    let mut module = Vec::new();
    editor.write(&mut module, &WriteOptions::default())?;
    Ok(gzip(module))
}

// ---- exports of JAX ----

/// The positions of the root table, of the vector of the module, and of the name.
const TABLE: usize = 36;
const NAME: usize = 48;
const VECTOR: usize = 60;

/// Returns an export of JAX with a name and the module.
pub(super) fn export(module: Vec<u8>) -> Vec<u8> {
    let mut file = vec![0; VECTOR];
    let mut word = |at: usize, value: u32| file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    word(0, TABLE as u32);
    // A vtable of 14 slots, two of which are used: the name (1) and the module (13).
    let vtable = TABLE - 32;
    word(vtable, 32 | 12 << 16);
    word(vtable + 4 + 2, 4);
    word(vtable + 4 + 26, 8);
    word(TABLE, (TABLE - vtable) as u32);
    word(TABLE + 4, (NAME - TABLE - 4) as u32);
    word(TABLE + 8, (VECTOR - TABLE - 8) as u32);
    word(NAME, 4);
    word(NAME + 4, u32::from_le_bytes(*b"main"));
    file.extend((module.len() as u32).to_le_bytes());
    file.extend(module);
    file
}

/// Damages the table of an export: the length of the module or of the name, or the position of the name.
pub(super) fn flatbuffer(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut file = original.bytes.to_vec();
    let large = (file.len() + 1 + draws.below(1_000_000)) as u32;
    let place = match draws.below(3) {
        0 => VECTOR,
        1 => NAME,
        _ => TABLE + 4,
    };
    file[place..place + 4].copy_from_slice(&large.to_le_bytes());
    Ok(file)
}

/// Returns a SavedModel whose graph would need more bytes than the file has.
pub(super) fn protobuf(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    // The version 1, and the header of a graph of 2^21 - 1 bytes.
    let mut file = b"\x08\x01\x12\xff\xff\x7f".to_vec();
    let size = draws.below(1_000).min(original.bytes.len());
    file.extend(original.bytes.iter().take(size));
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_modules_are_read() {
        let module = mlirbc::doc_example();
        for wrap in [bare, gzip, export] {
            Module::from_bytes(wrap(module.clone())).unwrap().verify().unwrap();
        }
        let large = vec![7; 200_000];
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(gzip(large).len(), 10 + 4 * 5 + 200_000 + 8);
    }
}
