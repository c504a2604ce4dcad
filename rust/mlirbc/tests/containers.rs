//! Modules within other files: every command of the library reads them where they are, and damaged containers end in
//! typed errors.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mlirbc::bytes::{Backend, Source};
use mlirbc::container::jax::Exported;
use mlirbc::container::{Container, ContainerKind, ModuleChoice};
use mlirbc::error::ErrorClass;
use mlirbc::limits::Limits;
use mlirbc::{Error, ErrorKind, Module, ReadOptions, WriteOptions};
use proptest::prelude::*;

const MLP: &str = "../../../examples/mlp.jax";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/containers").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap()
}

fn exported(module: &Module) -> Exported {
    module.container().unwrap().exported(module.tables().module_index()).unwrap().unwrap()
}

fn open(bytes: &[u8], module: Option<ModuleChoice>) -> mlirbc::Result<Module> {
    Module::from_source(bytes.to_vec().into(), &ReadOptions::default().module(module))
}

#[test]
fn a_module_of_an_export_is_a_range_of_the_file() {
    let whole = bytes(MLP);
    for backend in [Backend::Map, Backend::Read] {
        let options = ReadOptions::default().backend(backend);
        let module = Module::open_with(path(MLP), &options).unwrap();
        let container = module.container().unwrap();
        assert_eq!(container.kind(), ContainerKind::JaxExport);
        assert_eq!(container.compression(), None);
        let names: Vec<_> = container.modules().iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["mlp", "fun_vjp_jax"]);
        let place = &container.modules()[0];
        let alone = &whole[place.offset as usize..(place.offset + place.size) as usize];
        assert!(alone.starts_with(&[0x4d, 0x4c, 0xef, 0x52]));
        assert_eq!(module.source().start(), place.offset);
        let mut written = Vec::new();
        module.write(&mut written, &WriteOptions::default()).unwrap();
        assert_eq!(written, alone);
        module.verify().unwrap();
    }
}

#[test]
fn derivatives_are_chosen_by_index_and_by_name() {
    let whole = bytes(MLP);
    let by_index = open(&whole, Some(ModuleChoice::Index(1))).unwrap();
    let by_name = open(&whole, Some(ModuleChoice::Name("fun_vjp_jax".into()))).unwrap();
    assert_eq!(by_index.source().start(), by_name.source().start());
    assert_eq!((exported(&by_index).vjp_order, exported(&by_name).fun_name.as_str()), (0, "fun_vjp_jax"));
    let by_path = open(&whole, Some(ModuleChoice::Name("vjp".into()))).unwrap();
    assert_eq!(by_path.tables().module_index(), 1);
    for wrong in [ModuleChoice::Index(2), ModuleChoice::Name("vjp/vjp".into())] {
        let error = open(&whole, Some(wrong)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModuleChoice);
        assert_eq!(error.expected(), "one of the modules 0 `main` (`mlp`), 1 `vjp` (`fun_vjp_jax`)");
    }
    let alone = mlirbc::doc_example();
    assert!(open(&alone, Some(ModuleChoice::Index(0))).is_ok());
    assert!(open(&alone, Some(ModuleChoice::Name("main".into()))).is_ok());
    assert_eq!(open(&alone, Some(ModuleChoice::Index(1))).unwrap_err().kind(), ErrorKind::ModuleChoice);
}

#[test]
fn an_export_says_what_jax_says() {
    let mlp = exported(&Module::open(path(MLP)).unwrap());
    assert_eq!((mlp.fun_name.as_str(), mlp.calling_convention_version, mlp.nr_devices), ("mlp", 10, 1));
    assert_eq!((mlp.platforms, mlp.vjp_order, mlp.uses_global_constants), (vec!["cpu".to_owned()], 1, false));
    let avals: Vec<_> = mlp.in_avals.iter().map(ToString::to_string).collect();
    assert_eq!(avals, ["float32[16]", "float32[8,16]", "float32[16,4]", "float32[2,8]"]);
    assert_eq!(mlp.in_paths, ["args[0]['b0']", "args[0]['w0']", "args[0]['w1']", "args[1]"]);
    assert_eq!(mlp.out_paths, ["result['logits']"]);
    assert_eq!(mlp.module_kept_var_idx, [0, 1, 2, 3]);
    assert_eq!(mlp.in_shardings, vec![None; 4]);

    let norm = exported(&Module::open(path("norm.jax")).unwrap());
    assert_eq!(norm.in_avals[0].to_string(), "bfloat16[batch,8]");
    assert_eq!((norm.platforms.join(" "), norm.uses_global_constants), ("cpu tpu cuda".to_owned(), true));

    let sharded = exported(&Module::open(path("sharded.jax")).unwrap());
    assert_eq!(sharded.nr_devices, 8);
    assert_eq!(sharded.in_shardings[0].as_ref().unwrap().to_string(), "P('x', 'y') over 'x': 2, 'y': 4");
    assert_eq!(sharded.in_shardings[0].as_ref().unwrap().mesh[0].kind.as_deref(), Some("auto"));

    let cholesky = exported(&Module::open(path("cholesky.jax")).unwrap());
    assert_eq!(cholesky.disabled_safety_checks, ["custom_call @lapack_spotrf_ffi"]);
}

#[test]
fn compressed_files_are_those_they_decompress_to() {
    let alone = std::fs::read(path("../../../examples/two_layers.mlirbc")).unwrap();
    for (name, compression) in [("two_layers.mlirbc.gz", "gzip"), ("two_layers.mlirbc.zst", "zstd")] {
        for backend in [Backend::Map, Backend::Read] {
            let options = ReadOptions::default().backend(backend);
            let module = Module::open_with(path(name), &options).unwrap();
            let container = module.container().unwrap();
            assert_eq!(container.compression().unwrap().to_string(), compression);
            assert_eq!((container.file_size(), container.content_size()), (bytes(name).len() as u64, 1474));
            let mut written = Vec::new();
            module.write_contained(&mut written, &WriteOptions::default()).unwrap();
            assert_eq!(written, alone);
        }
        // Two members, as `cat` makes them, are one stream.
        let twice = [bytes(name), bytes(name)].concat();
        let error = open(&twice, None).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::UnknownSection, Some(1474)));
    }
}

#[test]
fn decompression_has_a_limit() {
    for name in ["two_layers.mlirbc.gz", "two_layers.mlirbc.zst"] {
        let limits = |most| Limits::default().max_decompressed(Some(most));
        let open = |most| {
            let options = ReadOptions::default().limits(limits(most));
            Module::from_source(bytes(name).into(), &options)
        };
        assert!(open(1474).is_ok(), "{name}");
        assert_eq!(open(1473).unwrap_err().kind(), ErrorKind::DecompressedLimit, "{name}");
    }
}

// An error that says where, or a module: a cut or changed container may still be one.
fn check(bytes: &[u8]) -> Result<(), Error> {
    let typed = |error: Error| match error.class() {
        ErrorClass::Read | ErrorClass::Unsupported | ErrorClass::Limit => error,
        class => panic!("{class:?}: {error}"),
    };
    let limits = Limits::default().max_memory(Some(1 << 20)).max_decompressed(Some(1 << 20));
    let options = ReadOptions::default().limits(limits);
    let module = Module::from_source(Source::from(bytes.to_vec()), &options).map_err(typed)?;
    let Some(container) = module.container().cloned() else { return Ok(()) };
    for index in 0..container.modules().len() {
        container.exported(index).map_err(typed)?;
        let module = Module::from_source(container.source(index)?, &options).map_err(typed)?;
        module.verify().map_err(typed)?;
    }
    Ok(())
}

#[test]
fn a_container_that_is_cut_is_a_typed_error() {
    for name in [MLP, "norm.jax", "sharded.jax", "two_layers.mlirbc.gz", "two_layers.mlirbc.zst"] {
        let whole = bytes(name);
        check(&whole).unwrap();
        // JAX aligns the end of the last string; its padding is not missed.
        for len in 0..whole.len() - 4 {
            let error = check(&whole[..len]).unwrap_err();
            assert!(
                error.offset().is_some() || error.kind() == ErrorKind::Compressed,
                "{name} cut at {len}: {error}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_container_with_changed_bytes_is_read_or_refused(
        name in prop::sample::select(vec![MLP, "sharded.jax", "two_layers.mlirbc.gz", "two_layers.mlirbc.zst"]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        in_front in any::<bool>(),
    ) {
        let mut bytes = bytes(name);
        let len = if in_front { bytes.len().min(400) } else { bytes.len() };
        for (place, value) in changes {
            bytes[place.index(len)] = value;
        }
        let _ = check(&bytes);
    }

    #[test]
    fn other_modules_leave_the_fields_as_they_were(
        name in prop::sample::select(vec![MLP, "sharded_derivative.jax", "old.jax", "newest.jax", "tree.jax"]),
        sizes in prop::collection::vec(prop::option::of(0usize..8000), 3),
    ) {
        let whole = bytes(name);
        let module = open(&whole, None).unwrap();
        let container = module.container().unwrap();
        let count = container.modules().len();
        let replacement = |index: usize| {
            let mut replacement = mlirbc::doc_example();
            replacement.splice(5..5, std::iter::repeat_n(b'x', sizes[index].unwrap()));
            replacement
        };
        let replaced: Vec<usize> = (0..count).filter(|&index| sizes[index].is_some()).collect();
        let new: Vec<_> = replaced.iter().map(|&index| (index, replacement(index).len() as u64)).collect();
        let prepared = container.prepare(&new).unwrap();
        let mut written = Vec::new();
        prepared.write(&mut written, &mut |index, out| {
            out.write_all(&replacement(index)).map_err(|error| Error::io("", error))
        }).unwrap();
        prop_assert_eq!(written.len() as u64, prepared.len());
        let reopened = open(&written, None).unwrap();
        let new_container = reopened.container().unwrap();
        let all = |container: &Container, index: usize| {
            let size = container.modules()[index].size;
            container.source(index).unwrap().get(0..size).unwrap()
        };
        for index in 0..count {
            let expected = match replaced.contains(&index) {
                true => replacement(index).into(),
                false => all(container, index),
            };
            prop_assert_eq!(all(new_container, index), expected);
            prop_assert_eq!(container.exported(index).unwrap(), new_container.exported(index).unwrap());
        }
        // Nothing of the old modules remains: the size follows from theirs, up to the alignment of each.
        let sum = |container: &Container| container.modules().iter().map(|module| module.size).sum::<u64>();
        let around = |container: &Container| container.content_size() - sum(container);
        prop_assert!(around(new_container).abs_diff(around(container)) <= 8 * count as u64);
        // The old modules in the new container give the old file.
        let old: Vec<_> = replaced.iter().map(|&index| (index, container.modules()[index].size)).collect();
        let mut restored = Vec::new();
        new_container.prepare(&old).unwrap().write(&mut restored, &mut |index, out| {
            out.write_all(&all(container, index)).map_err(|error| Error::io("", error))
        }).unwrap();
        prop_assert!(restored == whole);
    }
}

#[test]
fn an_unknown_field_keeps_the_other_bytes_in_place() {
    let mut whole = bytes(MLP);
    let container = open(&whole, None).unwrap().container().unwrap().clone();
    assert_eq!(container.unknown_field().unwrap(), None);
    // The last slot of the longer vtable becomes one that no schema has: the vtable grows into the bytes before it.
    let root = u32::from_le_bytes(whole[0..4].try_into().unwrap()) as usize;
    let back = i32::from_le_bytes(whole[root..root + 4].try_into().unwrap());
    let vtable = (root as i64 - i64::from(back)) as usize;
    let len = u16::from_le_bytes(whole[vtable..vtable + 2].try_into().unwrap()) as usize;
    let moved = whole.len().next_multiple_of(4);
    let slots = 29 * 2 + 4;
    let mut longer = whole[vtable..vtable + len].to_vec();
    longer.resize(slots, 0);
    longer[..2].copy_from_slice(&(slots as u16).to_le_bytes());
    longer[slots - 2..].copy_from_slice(&4u16.to_le_bytes());
    whole.resize(moved, 0);
    whole.extend(longer);
    whole[root..root + 4].copy_from_slice(&(root as i32 - moved as i32).to_le_bytes());
    let module = open(&whole, None).unwrap();
    let container = module.container().unwrap();
    assert_eq!(container.unknown_field().unwrap(), Some((moved + slots - 2) as u64));
    let old = &container.modules()[0];
    for size in [old.size - 10, old.size + 10] {
        let mut written = Vec::new();
        container
            .prepare(&[(0, size)])
            .unwrap()
            .write(&mut written, &mut |_, out| {
                out.write_all(&vec![b'x'; size as usize]).map_err(|error| Error::io("", error))
            })
            .unwrap();
        let start = old.offset as usize;
        assert_eq!(written[start + old.size as usize..whole.len()], whole[start + old.size as usize..]);
        let place = written.windows(size as usize).position(|window| window.iter().all(|&byte| byte == b'x'));
        assert_eq!(place.unwrap() == start, size < old.size);
    }
}

/// A download that stopped is still called an export, and the error has the position that leads past its end.
#[test]
fn an_export_that_ends_early_is_called_one() {
    let whole = include_bytes!("../../../examples/mlp.jax");
    let table = 0x100;
    for size in (table..whole.len()).step_by(61) {
        let error =
            Module::from_bytes(whole[..size].to_vec()).and_then(|module| module.verify()).unwrap_err();
        assert_ne!(error.kind(), ErrorKind::Magic, "{size}: {error}");
        assert!(error.offset().is_some_and(|offset| offset < size as u64), "{size}: {error}");
    }
}

#[test]
fn a_long_chain_of_derivatives_with_one_module_is_refused() {
    // Tables of 12 bytes, each with its module and the next one: a vtable of 18 slots, shared by all.
    let mut file = vec![0; 4 + 40];
    file[4..8].copy_from_slice(&[40, 0, 12, 0]);
    file[4 + 4 + 2 * 13] = 4;
    file[4 + 4 + 2 * 17] = 8;
    const LEVELS: u32 = 20_000;
    file[0] = 44;
    for level in 0..LEVELS {
        let at = 44 + 12 * level;
        file.extend((at as i32 - 4).to_le_bytes());
        file.extend((44 + 12 * LEVELS - at - 4).to_le_bytes());
        file.extend(4u32.to_le_bytes());
    }
    let vector = file.len() as u64;
    let module = mlirbc::doc_example();
    file.extend((module.len() as u32).to_le_bytes());
    file.extend(module);
    let error = open(&file, None).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Flatbuffer, Some(vector)));
    file[4 + 4 + 2 * 17] = 0;
    assert_eq!(open(&file, None).unwrap().container().unwrap().modules().len(), 1);
}
