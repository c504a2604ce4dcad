//! Property blobs have indices of attributes, and an index of a required attribute may look like an absent optional one. So
//! every file is read again with one more attribute in front of its table: values stay the same, or are opaque.

#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::path::Path;

use mlirbc::cursor::{Field, FieldValue, FieldVisitor};
use mlirbc::file::trace_fields;
use mlirbc::ir::{AttrId, InherentAttributes};
use mlirbc::limits::Limits;
use mlirbc::props::PropertyValue;
use mlirbc::section::SectionId;
use mlirbc::{Attribute, Error, Module};

use crate::support::files;

/// The positions of attribute indices, and the first row of the table.
#[derive(Default)]
struct Indices {
    required: Vec<(usize, usize)>,
    flagged: Vec<(usize, usize)>,
    has_fault: bool,
}

impl FieldVisitor for Indices {
    fn begin(&mut self, _: &str, _: u64) {}
    fn title(&mut self, _: &str) {}
    fn end(&mut self, _: u64) {}
    fn fault(&mut self, _: &Error) {
        self.has_fault = true;
    }
    fn field(&mut self, field: &Field) {
        let range = (field.offset as usize, field.end as usize);
        match field.value {
            FieldValue::Index(table, _) if table.ends_with("attribute") || table == "a location" => {
                self.required.push(range);
            }
            FieldValue::FlaggedIndex(table, _, true) if table.ends_with("attribute") => {
                self.flagged.push(range)
            }
            _ => {}
        }
    }
}

fn varint(value: u64) -> Vec<u8> {
    let len = (1..8).find(|len| value < 1 << (7 * len)).unwrap();
    let bytes = (value << len | 1 << (len - 1)).to_le_bytes();
    bytes[..len].to_vec()
}

/// The file with a unit attribute in front of its attributes; `None` for a file whose indices would need more bytes, or whose
/// data is aligned.
fn shifted(bytes: &[u8]) -> Option<Vec<u8>> {
    let module = Module::from_bytes(bytes.to_vec()).ok()?;
    let counts = module.tables().entry_counts().ok()?;
    let is_plain = module
        .tables()
        .bytecode()
        .sections()
        .iter()
        .all(|section| section.alignment.is_none_or(|at| at <= 1));
    if counts.attributes > 60 || counts.attributes == 0 || !is_plain || !module.opaque().ok()?.is_empty() {
        return None;
    }
    // The data of resources is aligned.
    if module.resources().ok()?.len() > 0 {
        return None;
    }
    let builtin = module.dialects().ok()?.position(|dialect| dialect.name == b"builtin")?;
    let mut indices = Indices::default();
    trace_fields(module.source(), &Limits::default(), Some(module.tables()), &mut indices).ok()?;
    assert!(!indices.has_fault);
    let mut bytes = bytes.to_vec();
    for &(start, end) in &indices.required {
        assert_eq!(end - start, 1);
        bytes[start] += 2;
    }
    for &(start, end) in &indices.flagged {
        assert_eq!(end - start, 1);
        bytes[start] += 4;
    }
    let first = module.tables().bytecode().sections().first()?.header_offset as usize;
    let mut out = bytes[..first].to_vec();
    for section in module.tables().bytecode().sections() {
        let mut data = bytes[section.offset as usize..][..section.size as usize].to_vec();
        match section.id {
            SectionId::AttrTypeOffset => {
                assert_eq!(data[0] & 1, 1);
                data[0] += 2;
                // A group of one entry: one byte, encoded.
                data.splice(1..1, data[1..1].to_vec());
                let place = 1 + usize::from(data[1] & 1 == 0) + 1;
                data.splice(place..place, [varint(builtin as u64), varint(1), varint(3)].concat());
            }
            // The code of the unit attribute.
            SectionId::AttrType => data.insert(0, 0x0f),
            _ => {}
        }
        out.push(section.id.byte());
        out.extend(varint(data.len() as u64));
        out.extend(data);
    }
    Some(out)
}

/// The properties of all operations; `None` for opaque ones.
fn values(module: &Module) -> Vec<(String, Option<String>)> {
    let text = |index: AttrId| Attribute::of_file(module.tables(), index).unwrap().unwrap().to_string();
    let tops = module.top_level_block().unwrap().operations();
    let ops = tops.flat_map(|op| op.pre_order().collect::<mlirbc::Result<Vec<_>>>().unwrap());
    let value = |op: mlirbc::Operation<'_>| {
        let properties = match op.inherent_attributes().unwrap() {
            InherentAttributes::Known(properties) => {
                let shown = properties.iter().map(|property| match &property.value {
                    PropertyValue::Attribute(index) => format!("{} = {}", property.name(), text(*index)),
                    value => format!("{} = {value}", property.name()),
                });
                Some(shown.collect::<Vec<_>>().join(", "))
            }
            InherentAttributes::Attribute(id) => Some(text(id)),
            InherentAttributes::Declared(declared) => Some(format!("{:?}", declared.data())),
            InherentAttributes::Opaque(_) => None,
        };
        (op.name().to_string(), properties)
    };
    ops.map(value).collect()
}

fn with_producer(bytes: &[u8], producer: &str) -> Vec<u8> {
    let end = 5 + bytes[5..].iter().position(|byte| *byte == 0).unwrap();
    [&bytes[..5], producer.as_bytes(), &bytes[end..]].concat()
}

#[test]
fn one_more_attribute_changes_no_value() {
    let folders = ["tests/data/bytecode/llvm-19/v6", "tests/data/bytecode/llvm-22/v6", "tests/data/between"];
    let paths = folders.iter().flat_map(files);
    let (mut same, mut opaque, mut flips) = (0, 0, Vec::new());
    for path in paths.filter(|path| path.extension().is_some_and(|end| end == "mlirbc")) {
        let original = std::fs::read(&path).unwrap();
        let is_released = !path.to_string_lossy().contains("between");
        let mut variants = vec![original.clone()];
        if is_released {
            let producers = ["MLIR20.0.0git", "MLIR22.0.0git", "MLIR23.0.0git", "MLIR24.0.0git"];
            variants.extend(producers.iter().map(|producer| with_producer(&original, producer)));
        }
        for (number, bytes) in variants.into_iter().enumerate() {
            let Some(again) = shifted(&bytes) else { continue };
            let before = values(&Module::from_bytes(bytes).unwrap());
            let module = Module::from_bytes(again).unwrap();
            module.verify().unwrap();
            let after = values(&module);
            assert_eq!(before.len(), after.len(), "{}", path.display());
            for ((name, before), (_, after)) in before.into_iter().zip(after) {
                match (before, after) {
                    (Some(before), Some(after)) => {
                        assert_eq!(before, after, "{name} in {}, variant {number}", path.display());
                        same += 1;
                    }
                    (None, None) => opaque += 1,
                    // The blobs that decide between two layouts have other indices.
                    (before, after) => {
                        assert!(number > 0 || !is_released, "{name} in {}", path.display());
                        flips.push((name, before, after));
                    }
                }
            }
        }
    }
    assert!(same > 1000, "{same} {opaque}");
    assert!(flips.len() * 10 < same, "{} of {same}: {flips:?}", flips.len());
}

/// The test sees a value that depends on where its attribute stands.
#[test]
fn the_indices_of_a_file_are_shifted() {
    let bytes = std::fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/between/numba_prefetch.mlirbc"),
    );
    let bytes = bytes.unwrap();
    let again = shifted(&bytes).unwrap();
    let counts = |bytes: &[u8]| {
        Module::from_bytes(bytes.to_vec()).unwrap().tables().entry_counts().unwrap().attributes
    };
    assert_eq!(counts(&again), counts(&bytes) + 1);
    let first = |bytes: &[u8]| {
        let module = Module::from_bytes(bytes.to_vec()).unwrap();
        Attribute::of_file(module.tables(), AttrId::new(0)).unwrap().unwrap().to_string()
    };
    assert_eq!(first(&again), "unit");
    assert_ne!(first(&bytes), "unit");
}
