//! Dumps: the fields of every file cover each byte once.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::bytes::{Backend, Source};
use mlirbc::tool::{DumpKind, DumpOptions, dump};
use mlirbc::{Module, ReadOptions};

use crate::support::{files, root};

/// Checks that the fields of a module follow one another; returns the number of faults.
fn tile(source: &Source, size: u64, depth: Option<usize>) -> u64 {
    tiled(source, size, DumpOptions { depth, ..DumpOptions::default() })
}

fn tiled(source: &Source, size: u64, options: DumpOptions) -> u64 {
    let mut end = 0;
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
        assert_eq!(tile(&source, module.tables().bytecode().size(), None), 0, "{}", path.display());
        tile(&source, module.tables().bytecode().size(), Some(2));
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
    assert_eq!(tile(&source, module.tables().bytecode().size(), None), 0);
}

fn exports() -> Vec<std::path::PathBuf> {
    let folders = ["examples", "tests/data/artifacts", "tests/data/containers"];
    let all = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    all.map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jax"))
        .collect()
}

#[test]
fn the_fields_around_modules_tile_the_file() {
    let paths = exports();
    assert!(paths.len() >= 3, "{paths:?}");
    for path in paths {
        let source = Source::open(&path, Backend::Map).unwrap();
        let module = Module::from_source(source.clone(), &ReadOptions::default()).unwrap();
        for depth in [None, Some(1), Some(2)] {
            let options = DumpOptions { container: true, depth, ..DumpOptions::default() };
            assert_eq!(tiled(&source, source.len(), options), 0, "{}", path.display());
        }
        // The modules are the fields that the reader says, and all else is known to the schema.
        let (mut modules, mut unused) = (Vec::new(), 0);
        let options = DumpOptions { container: true, ..DumpOptions::default() };
        dump(&source, &ReadOptions::default(), options, &mut |row| {
            if row.name == "module" {
                modules.push((row.offset, row.size));
            }
            unused += if row.name == "unused" { row.size } else { 0 };
            true
        })
        .unwrap();
        let container = module.container().unwrap();
        let mut expected: Vec<_> = container.modules().iter().map(|one| (one.offset, one.size)).collect();
        expected.sort_unstable();
        assert_eq!((modules, unused), (expected, 0), "{}", path.display());
    }
}

#[test]
fn the_fields_of_damaged_containers_tile_them() {
    let bytes = std::fs::read(root().join("examples/mlp.jax")).unwrap();
    let start =
        Module::open(root().join("examples/mlp.jax")).unwrap().container().unwrap().modules()[0].offset;
    let container = DumpOptions { container: true, ..DumpOptions::default() };
    let mut faults = 0;
    for at in (4..start as usize).step_by(5) {
        for value in [0, 1, 0x7f, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            let source = Source::from(damaged);
            // Where the root table no longer leads to bytecode, the file is not a container.
            if dump(&source, &ReadOptions::default(), container, &mut |_| true).is_ok() {
                faults += tiled(&source, bytes.len() as u64, container);
            }
        }
    }
    assert!(faults > 100, "{faults}");
    // A file that is cut within its module is a container without one.
    let source = Source::from(bytes[..start as usize + 100].to_vec());
    assert!(tile(&source, start + 100, None) > 0);
}

#[test]
fn a_damaged_module_in_a_container_is_dumped() {
    let path = root().join("examples/mlp.jax");
    let (offset, size) = {
        let module = Module::open(&path).unwrap();
        let module_range = &module.container().unwrap().modules()[0];
        (module_range.offset as usize, module_range.size)
    };
    let mut bytes = std::fs::read(path).unwrap();
    // The bytecode version.
    bytes[offset + 4] = 0xff;
    assert!(tile(&Source::from(bytes), size, None) > 0);
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
        let mut offsets = Vec::new();
        for top in module.top_level_block().unwrap().operations() {
            for op in top.pre_order() {
                let op = op.unwrap();
                offsets.push((op.offset().unwrap(), op.name()));
            }
        }
        offsets.sort_unstable();
        expected.sort_unstable();
        assert_eq!(offsets.len(), expected.len(), "{}", path.display());
        for (offsets, expected) in offsets.iter().zip(&expected) {
            assert_eq!(offsets.0, expected.0, "{}", path.display());
            // Long names are cut in dumps.
            assert!(
                expected.1.starts_with(offsets.1.get(..20).unwrap_or(&offsets.1)),
                "{offsets:?} {expected:?}"
            );
        }
    }
}
