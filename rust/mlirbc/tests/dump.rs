//! Dumps: the fields of every file cover each byte once.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::bytes::{Backend, Source};
use mlirbc::tool::{DumpKind, DumpOptions, dump};
use mlirbc::{Module, ReadOptions};

use crate::support::{files, root};

/// Checks that the fields of a module follow one another; returns the number of faults.
fn tile(source: &Source, size: u64, depth: Option<usize>) -> u64 {
    let mut end = 0;
    let options = DumpOptions { depth, ..DumpOptions::default() };
    let faults = dump(source, &ReadOptions::default(), options, &mut |row| {
        if row.kind == DumpKind::Field {
            assert_eq!(row.offset, end, "{row:?}");
            assert!(row.size > 0);
            end += row.size;
        }
        true
    });
    assert_eq!(end, size);
    faults.unwrap()
}

#[test]
fn the_fields_of_every_file_tile_it() {
    let mut count = 0;
    for path in files("tests/data").into_iter().chain(files("examples")) {
        let is_hostile = path.components().any(|part| part.as_os_str() == "hostile");
        let source = Source::open(&path, Backend::Map).unwrap();
        let Ok(module) = Module::from_source(source.clone(), &ReadOptions::default()) else { continue };
        if is_hostile {
            continue;
        }
        assert_eq!(tile(&source, module.bytecode().size(), None), 0, "{}", path.display());
        tile(&source, module.bytecode().size(), Some(2));
        count += 1;
    }
    assert!(count > 50, "{count} files");
}

#[test]
fn the_fields_of_damaged_files_tile_them() {
    for path in files("tests/data/hostile") {
        let source = Source::open(&path, Backend::Map).unwrap();
        if source.len() > 1 << 22 || source.len() < 4 || source.get(0..4).unwrap()[..] != *b"ML\xefR" {
            continue;
        }
        tile(&source, source.len(), None);
    }
}

#[test]
fn the_module_of_a_container_is_dumped() {
    let source = Source::open(root().join("examples/mlp.jax"), Backend::Map).unwrap();
    let module = Module::from_source(source.clone(), &ReadOptions::default()).unwrap();
    assert_eq!(tile(&source, module.bytecode().size(), None), 0);
}

#[test]
fn operations_and_attributes_know_their_offsets() {
    for path in files("tests/data/bytecode") {
        let Ok(module) = Module::open(&path) else { continue };
        let mut expected = Vec::new();
        let source = Source::open(&path, Backend::Map).unwrap();
        dump(&source, &ReadOptions::default(), DumpOptions::default(), &mut |row| {
            if row.kind == DumpKind::Group && row.name.starts_with("operation ") {
                expected.push((row.offset, row.name["operation ".len()..].to_owned()));
            }
            true
        })
        .unwrap();
        let mut found = Vec::new();
        for top in module.top_level_block().unwrap().operations() {
            for op in top.pre_order() {
                let op = op.unwrap();
                found.push((op.offset().unwrap(), op.name()));
            }
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found.len(), expected.len(), "{}", path.display());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.0, expected.0, "{}", path.display());
            // Long names are cut in dumps.
            assert!(expected.1.starts_with(found.1.get(..20).unwrap_or(&found.1)), "{found:?} {expected:?}");
        }
    }
}
