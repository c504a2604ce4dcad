//! Files that claim to be large and cost their maker nothing: each table ends in an error before the machine does.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Output;

use mlirbc::Module;
use mlirbc::cursor::ByteSink;
use mlirbc::format::container::Bytecode;
use mlirbc::section::SectionId;
use support::{mlirbc, text};

const SIZE: u64 = 1 << 29;

/// The core's smallest module, with `head` and then zeros in place of one section; they take no place on the disk.
fn write_sparse(path: &Path, hollow: SectionId, head: &[u8]) {
    let bytes = mlirbc::doc_example();
    let module = Module::from_bytes(bytes.clone()).unwrap();
    let bytecode = module.tables().bytecode();
    let mut file = File::create(path).unwrap();
    let mut start = ByteSink::new();
    Bytecode::write_header(bytecode.version(), bytecode.producer(), &mut start);
    file.write_all(start.as_bytes()).unwrap();
    let mut has_hollow = false;
    let sections = bytecode
        .sections()
        .iter()
        .map(|section| (section.id, &bytes[section.offset as usize..][..section.size as usize]));
    let resources = [(SectionId::Resource, &[][..]), (SectionId::ResourceOffset, &[][..])];
    for (id, data) in sections.chain(resources.into_iter().filter(|(id, _)| bytecode.section(*id).is_none()))
    {
        if id != hollow && data.is_empty() {
            continue;
        }
        let mut section = ByteSink::new();
        section.byte(id.byte());
        if id == hollow {
            has_hollow = true;
            section.varint(SIZE);
            file.write_all(section.as_bytes()).unwrap();
            file.write_all(head).unwrap();
            file.seek(SeekFrom::Current((SIZE - head.len() as u64) as i64)).unwrap();
        } else {
            section.varint(data.len() as u64);
            section.bytes(data);
            file.write_all(section.as_bytes()).unwrap();
        }
    }
    assert!(has_hollow, "{hollow:?}");
    let end = file.stream_position().unwrap();
    file.set_len(end).unwrap();
}

/// Runs with 1 GiB of address space.
fn run_confined(command: &str, backend: &str, path: &Path) -> Output {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -v 1048576; exec \"$0\" \"$@\""]).arg(mlirbc().get_program());
    shell.args([command, "--backend", backend]).arg(path).output().unwrap()
}

fn varints(numbers: &[u64]) -> Vec<u8> {
    let mut sink = ByteSink::new();
    numbers.iter().for_each(|&number| sink.varint(number));
    sink.into_bytes()
}

#[test]
fn each_hollow_section_ends_in_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let many = SIZE - 64;
    let hollow = [
        (SectionId::String, varints(&[many / 2])),
        (SectionId::Dialect, varints(&[many])),
        // A group of very many names of dialect 0, after two dialects and the number of names.
        (SectionId::Dialect, varints(&[2, 0, 2, many, 0, many])),
        (SectionId::AttrTypeOffset, varints(&[many, 0, 0, many])),
        (SectionId::Properties, varints(&[many])),
        (SectionId::ResourceOffset, varints(&[0, 0, many / 3])),
        (SectionId::ResourceOffset, varints(&[many])),
        (SectionId::Ir, varints(&[many * 2])),
    ];
    for (place, (section, head)) in hollow.iter().enumerate() {
        let path = folder.path().join(format!("{place}.mlirbc"));
        write_sparse(&path, *section, head);
        for command in ["info", "verify", "ops", "print"] {
            for backend in ["map", "read"] {
                let output = run_confined(command, backend, &path);
                let complaint = text(&output.stderr);
                assert_eq!(
                    output.status.code(),
                    Some(3),
                    "{section:?} {place} {command} {backend}: {complaint}"
                );
                assert!(
                    complaint.contains("error[mlirbc."),
                    "{section:?} {place} {command} {backend}: {complaint}"
                );
            }
        }
    }
}
