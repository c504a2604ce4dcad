//! Every file that a real writer made: read, verified, and written again section by section.
//!
//! Writing what was read and getting the same bytes accounts for every byte of a file.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::bytes::Backend;
use mlirbc::cursor::ByteSink;
use mlirbc::format::attr_type::EntryTable;
use mlirbc::format::container::Bytecode;
use mlirbc::format::dialect::DialectSection;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::format::ir::{IrWriter, Root};
use mlirbc::format::properties::PropertyTable;
use mlirbc::format::resource::{ResourceDirectory, ResourcePayload};
use mlirbc::format::string::StringTable;
use mlirbc::section::SectionId;
use mlirbc::{Module, ReadOptions};

use crate::support::files;

/// Writes the file again from its decoded content.
fn rewrite(module: &Module) -> Vec<u8> {
    let version = module.tables().bytecode().version();
    let mut file = ByteSink::new();
    Bytecode::write_header(version, module.tables().bytecode().producer(), &mut file);
    for id in Bytecode::writing_order(version) {
        let mut body = ByteSink::new();
        match id {
            SectionId::String => StringTable::write(module_strings(module).iter().copied(), &mut body),
            SectionId::Dialect => write_dialects(module, &mut body),
            SectionId::AttrTypeOffset => write_directory(module, &mut body),
            SectionId::AttrType => write_payloads(module, &mut body),
            SectionId::Ir => {
                let mut writer = IrWriter::new(version, Root::TopLevel);
                module.stream(&mut writer).unwrap();
                body = writer.finish();
            }
            SectionId::Properties => {
                let table = module.tables().properties().unwrap();
                let blobs: Vec<_> = (0..table.len() as u32).map(|i| table.get(i).unwrap()).collect();
                PropertyTable::write(blobs.iter().map(|blob| &blob[..]), &mut body);
            }
            SectionId::ResourceOffset => {
                ResourceDirectory::write(&module.tables().resource_directory().unwrap().entries, &mut body);
            }
            SectionId::Resource => write_resources(module, &mut body),
            SectionId::DialectVersions => {}
        }
        file.section(id, &body);
    }
    file.into_bytes()
}

fn module_strings(module: &Module) -> Vec<&[u8]> {
    module.tables().strings().unwrap().iter().collect()
}

fn write_dialects(module: &Module, body: &mut ByteSink) {
    let section = module.tables().bytecode().section(SectionId::Dialect).unwrap();
    let data = module.source().get(section.offset..section.offset + section.size).unwrap();
    let dialects: &DialectSection = module.tables().dialect_section().unwrap();
    dialects.write(module.tables().bytecode().version(), &data, body);
}

fn write_directory(module: &Module, body: &mut ByteSink) {
    let names: Vec<_> = module.dialects().unwrap().map(|dialect| dialect.name.to_vec()).collect();
    let dialect = |name: &[u8]| names.iter().position(|known| known == name).unwrap() as u32;
    let counts = module.tables().entry_counts().unwrap();
    let attributes: Vec<_> = (0..counts.attributes)
        .map(|i| module.tables().attribute(AttrId::new(i)).unwrap().unwrap())
        .map(|entry| (dialect(entry.dialect), entry.encoding, entry.data.len() as u64))
        .collect();
    let types: Vec<_> = (0..counts.types)
        .map(|i| module.tables().r#type(TypeId::new(i)).unwrap().unwrap())
        .map(|entry| (dialect(entry.dialect), entry.encoding, entry.data.len() as u64))
        .collect();
    EntryTable::write(&attributes, &types, body);
}

fn write_payloads(module: &Module, body: &mut ByteSink) {
    let counts = module.tables().entry_counts().unwrap();
    for i in 0..counts.attributes {
        body.bytes(&module.tables().attribute(AttrId::new(i)).unwrap().unwrap().data);
    }
    for i in 0..counts.types {
        body.bytes(&module.tables().r#type(TypeId::new(i)).unwrap().unwrap().data);
    }
}

fn write_resources(module: &Module, body: &mut ByteSink) {
    for resource in module.resources().unwrap() {
        match resource.payload().unwrap() {
            None => {}
            Some(ResourcePayload::Bool(value)) => ResourcePayload::write_bool(value, body),
            Some(ResourcePayload::String(index)) => ResourcePayload::write_string(index, body),
            Some(ResourcePayload::Blob { range, alignment }) => {
                let bytes = module.source().get(range).unwrap();
                ResourcePayload::write_blob(alignment, &bytes, body);
            }
        }
    }
}

#[test]
fn every_byte_of_every_file_is_accounted_for() {
    for path in files("tests/data/bytecode") {
        let module = Module::open(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert!(rewrite(&module) == bytes, "{} changed", path.display());
    }
}

#[test]
fn every_file_verifies_with_every_backend() {
    for path in files("tests/data/bytecode") {
        for backend in [Backend::Map, Backend::Read] {
            let options = ReadOptions::default().backend(backend);
            let module = Module::open_with(&path, &options).unwrap();
            module.verify().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for resource in module.resources().unwrap() {
                resource.value().unwrap();
            }
        }
    }
}

#[test]
fn counting_agrees_with_walking_in_both_orders() {
    for path in files("tests/data/bytecode") {
        let module = Module::open(&path).unwrap();
        let mut walked = vec![0u64; module.ir_bounds().unwrap().op_names as usize];
        let root = module.operation().unwrap();
        for op in root.pre_order() {
            walked[op.unwrap().name_id().index()] += 1;
        }
        assert_eq!(module.op_counts().unwrap(), walked, "{}", path.display());
        assert_eq!(root.post_order().count() as u64, walked.iter().sum::<u64>());
    }
}

#[test]
fn bodies_are_the_same_on_any_number_of_threads() {
    for path in files("tests/data/bytecode") {
        let single_threaded = Module::open(&path).unwrap();
        single_threaded.decode_all(1).unwrap();
        let multi_threaded = Module::open(&path).unwrap();
        multi_threaded.decode_all(2).unwrap();
        let list = |module: &Module| -> Vec<String> {
            module
                .operation()
                .unwrap()
                .pre_order()
                .map(|op| {
                    let op = op.unwrap();
                    let operands: Vec<_> = op.operands().map(|value| (value.id(), value.r#type())).collect();
                    format!("{} {operands:?} {:?}", op.name(), op.location())
                })
                .collect()
        };
        assert_eq!(list(&single_threaded), list(&multi_threaded));
    }
}

#[test]
fn a_cut_file_is_an_error_wherever_it_is_cut() {
    let smallest =
        files("tests/data/bytecode").into_iter().min_by_key(|path| path.metadata().unwrap().len()).unwrap();
    let bytes = std::fs::read(smallest).unwrap();
    for len in 0..bytes.len() {
        let result = Module::from_bytes(bytes[..len].to_vec()).and_then(|m| m.verify());
        let error = result.expect_err("a cut file was read");
        assert!(error.offset().is_some_and(|offset| offset <= len as u64), "{error}");
    }
}
