//! Sections that already have their canonical bytes are copied, and no others.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::cursor::ByteSink;
use mlirbc::section::SectionId;
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions, smith};

use crate::support::files;

/// Writes the file in MLIR's order with and without copying of sections; returns the bytes or the error.
fn both(bytes: &[u8]) -> [Result<Vec<u8>, String>; 2] {
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    let written = |write: &dyn Fn(&Module) -> mlirbc::Result<Vec<u8>>| {
        let module = Module::from_bytes(bytes.to_vec());
        module.and_then(|module| write(&module)).map_err(|error| error.to_string())
    };
    let copying = |module: &Module| {
        let mut out = Vec::new();
        module.write(&mut out, &options).map(|_| out)
    };
    [written(&copying), written(&|module| smith::canonical_anew(module, &options))]
}

#[test]
fn copied_sections_are_those_that_would_be_written() {
    for path in files("tests/data") {
        let bytes = std::fs::read(&path).unwrap();
        let [copied, anew] = both(&bytes);
        assert!(copied == anew, "{}", path.display());
        if let Ok(canonical) = copied {
            let [copied, anew] = both(&canonical);
            assert!(copied == anew, "{}, twice", path.display());
        }
    }
}

/// The sections of a small file that MLIR wrote, which are joined again after one was changed.
struct FileSections {
    header: Vec<u8>,
    sections: Vec<(SectionId, Vec<u8>)>,
}

impl FileSections {
    fn of(bytes: &[u8]) -> Self {
        let module = Module::from_bytes(bytes.to_vec()).unwrap();
        let sections = module.tables().bytecode().sections();
        let data = |offset: u64, size: u64| bytes[offset as usize..(offset + size) as usize].to_vec();
        let mut header = ByteSink::new();
        mlirbc::format::container::Bytecode::write_header(
            module.tables().bytecode().version(),
            module.tables().bytecode().producer(),
            &mut header,
        );
        Self {
            header: header.into_bytes(),
            sections: sections
                .iter()
                .map(|section| (section.id, data(section.offset, section.size)))
                .collect(),
        }
    }

    fn file_with(&self, id: SectionId, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let (mut file, mut change) = (ByteSink::new(), Some(change));
        file.bytes(&self.header);
        for (section, data) in &self.sections {
            let mut data = data.clone();
            if *section == id
                && let Some(change) = change.take()
            {
                change(&mut data);
            }
            let mut body = ByteSink::new();
            body.bytes(&data);
            file.section(*section, &body);
        }
        file.into_bytes()
    }
}

// The example has an operation with a result, one with an operand, and a region; each possible redundant
// encoding is tested.
#[test]
fn redundant_encodings_are_not_copied() {
    let example = mlirbc::doc_example();
    let parts = FileSections::of(&example);
    let ir = &parts.sections.iter().find(|section| section.0 == SectionId::Ir).unwrap().1;
    let mut longer = 0;
    // Each varint of one byte is written in two bytes; the section around it grows accordingly.
    for place in 0..ir.len() {
        for id in [SectionId::Ir, SectionId::AttrTypeOffset, SectionId::AttrType] {
            let file = parts.file_with(id, |data| {
                if let Some(&byte) = data.get(place).filter(|byte| **byte & 1 == 1) {
                    data.splice(place..=place, [(byte & !1) << 1 | 2, byte >> 7]);
                }
            });
            let [copied, anew] = both(&file);
            longer += usize::from(file != example && copied.as_ref() == Ok(&example));
            assert_eq!(copied, anew, "byte {place} of {id:?}");
        }
    }
    assert!(longer > 10, "{longer} files with longer numbers were read");
    // Bytes that no reader uses.
    for id in [SectionId::Ir, SectionId::AttrType] {
        let [copied, anew] = both(&parts.file_with(id, |data| data.push(1)));
        assert_eq!(copied, anew, "a byte more of {id:?}");
    }
}

// Each byte of each file is changed once: a file that can still be read must give the same canonical form
// with and without copying.
#[test]
fn changed_files_are_written_the_same_either_way() {
    let (mut read, mut noise) = (0, 1_u32);
    for path in files("tests/data") {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.is_empty() || bytes.len() > 3000 {
            continue;
        }
        for _ in 0..12 {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut changed = bytes.clone();
            let place = noise as usize / 256 % changed.len();
            changed[place] ^= 1 << (noise % 8);
            let [copied, anew] = both(&changed);
            read += usize::from(copied.is_ok());
            assert!(copied == anew, "{}, byte {place}, bit {}", path.display(), noise % 8);
        }
    }
    assert!(read > 300, "{read} changed files could be written");
}
