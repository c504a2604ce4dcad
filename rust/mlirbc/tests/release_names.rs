//! The name of the release that wrote a file: one for all files of one producer, whatever operations they have.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mlirbc::Module;
use mlirbc::file::{ReadOptions, ReleaseKind};
use mlirbc::parse::{ParseOptions, assemble};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

/// The bytes of files of two releases, with operations of many dialects, and of builds between releases.
fn files() -> Vec<Vec<u8>> {
    let folders = ["bytecode/llvm-19/v6", "bytecode/llvm-22/v6", "between"].map(|folder| data().join(folder));
    let paths = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path());
    // Another producer string moves the data of aligned resources.
    let is_usable = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "mlirbc") && !path.to_string_lossy().contains("resources")
    };
    let mut paths: Vec<_> = paths.filter(is_usable).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn with_producer(bytes: &[u8], producer: &str) -> Module {
    let mut bytes = bytes.to_vec();
    let end = 5 + bytes[5..].iter().position(|byte| *byte == 0).unwrap();
    bytes.splice(5..end, producer.bytes());
    Module::from_bytes(bytes).unwrap()
}

#[test]
fn all_files_of_a_producer_have_one_name() {
    let files = files();
    assert!(files.len() > 60, "{}", files.len());
    for (producer, kind, expected) in [
        ("MLIR24.0.0git", ReleaseKind::Development, "a development version of LLVM 24, after llvm-23"),
        (
            "MLIR22.0.0git",
            ReleaseKind::Development,
            "a development version of LLVM 22, between llvm-21 and llvm-22",
        ),
        (
            "MLIR20.0.0git",
            ReleaseKind::Development,
            "a development version of LLVM 20, between llvm-19 and llvm-20",
        ),
        (
            "MLIR19.0.0git",
            ReleaseKind::Development,
            "a development version of LLVM 19, between llvm-18 and llvm-19",
        ),
        (
            "MLIR18.0.0git",
            ReleaseKind::Development,
            "a development version of LLVM 18, between llvm-17 and llvm-18",
        ),
        ("MLIR19.1.7", ReleaseKind::Exact, "llvm-19"),
        ("MLIR20.1.8", ReleaseKind::Exact, "llvm-20"),
        ("MLIR22.1.0-rc1", ReleaseKind::Exact, "llvm-22"),
        ("StableHLO_v1.9.0", ReleaseKind::Portable, "a portable artifact of StableHLO 1.9.0"),
        ("CIRCT firtool-1.162.0", ReleaseKind::Unknown, "unknown"),
        ("IREE", ReleaseKind::Unknown, "unknown"),
        ("nonsense", ReleaseKind::Unknown, "unknown"),
    ] {
        let mut kinds = BTreeMap::new();
        for bytes in &files {
            let module = with_producer(bytes, producer);
            let description = module.release().unwrap().description();
            assert_eq!(description.kind, kind, "{producer}");
            *kinds.entry(description.to_string()).or_insert(0) += 1;
        }
        assert_eq!(kinds.keys().collect::<Vec<_>>(), [expected], "{producer}: {kinds:?}");
    }
}

/// No layout of a build of another version is used, however well it fits.
#[test]
fn layouts_are_from_builds_around_the_producer() {
    let near: BTreeMap<&str, &[&str]> = [
        ("MLIR24.0.0git", &["llvm-23", "iree-3.13", "torch-mlir-20261001"][..]),
        ("MLIR18.0.0git", &["llvm-17", "circt-1.62", "llvm-18"]),
        ("MLIR19.0.0git", &["llvm-18", "llvm-19"]),
    ]
    .into();
    let mut used = BTreeSet::new();
    for bytes in files() {
        for (producer, near) in &near {
            let module = with_producer(&bytes, producer);
            let release = module.release().unwrap();
            let layouts = release.layouts_from();
            used.extend(layouts.iter().map(|name| (*name).to_owned()));
            for contradiction in release.contradictions() {
                assert!(contradiction.offset.is_some(), "{contradiction:?}");
            }
            assert!(
                release.evidence().fits.iter().all(|name| near.contains(name)),
                "{:?}",
                release.evidence()
            );
            let is_near = |name: &&str| near.contains(name) || is_the_nearest_that_knows(name);
            assert!(layouts.iter().all(|name| is_near(&name)), "{producer}: {layouts:?}");
        }
    }
    assert!(used.len() > 4, "{used:?}");
}

/// Builds without an operation bound nothing, so that a build further away may be the nearest one with it.
fn is_the_nearest_that_knows(name: &str) -> bool {
    ["jaxlib-0.10", "jaxlib-0.9", "iree-3.8", "iree-3.4", "iree-3.0", "jaxlib-0.4.31"].contains(&name)
}

#[test]
fn blobs_narrow_the_period_without_changing_the_name() {
    let module = Module::open(data().join("between/iree-3.6_unreachable.mlirbc")).unwrap();
    let release = module.release().unwrap();
    let evidence = release.evidence();
    assert!(evidence.blobs > 0 && !evidence.fits.is_empty(), "{evidence:?}");
    assert!(!evidence.fits.contains(&"iree-3.8"), "{evidence:?}");
    assert_eq!(release.name(), None);
    assert_eq!(release.description().llvm, Some(22));
}

#[test]
fn the_caller_may_name_a_build() {
    let path = data().join("between/iree-3.6_async_transfer.mlirbc");
    let options = ReadOptions { release: Some("iree-3.4".into()), ..ReadOptions::default() };
    let module = Module::open_with(path, &options).unwrap();
    let release = module.release().unwrap();
    assert_eq!(release.to_string(), "iree-3.4, specified by the caller");
    let description = release.description();
    assert_eq!(
        (description.kind, description.name, description.llvm),
        (ReleaseKind::Exact, Some("iree-3.4"), Some(21))
    );
    assert_eq!(release.evidence().blobs, 0);
}

/// `arith.extui` has a flag since LLVM 23, which the build of Torch-MLIR is after.
#[test]
fn text_is_read_with_the_definitions_of_the_nearest_release() {
    let text = "%0 = arith.constant 7 : i8\n%1 = arith.extui %0 nneg : i8 to i32\n";
    for (target, is_read) in
        [("torch-mlir-20261001", true), ("llvm-23", true), ("llvm-22", false), ("jaxlib-0.9", false)]
    {
        let options = ParseOptions { target: target.into(), ..ParseOptions::default() };
        let assembled = assemble(text, &options);
        assert_eq!(assembled.is_ok(), is_read, "{target}: {:?}", assembled.err());
    }
}
