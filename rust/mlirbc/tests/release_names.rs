//! The name of the release that wrote a file: one for all files of one producer, whatever operations they have.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
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

/// Builds of other versions are not taken for the writer, however well they fit.
#[test]
fn only_builds_of_the_version_fit() {
    let builds = [
        (
            "MLIR24.0.0git",
            &["torch-mlir-20261001", "jaxlib-0.11", "iree-3.12", "circt-1.162", "iree-3.13", "jaxlib-0.12"][..],
        ),
        ("MLIR22.0.0git", &["iree-3.6", "circt-1.130", "jaxlib-0.7", "iree-3.8", "jaxlib-0.8", "iree-3.10"]),
        ("MLIR18.0.0git", &["circt-1.62"]),
        ("MLIR19.0.0git", &[]),
    ];
    let (mut fitting, mut contradicted) = (0, 0);
    for bytes in files() {
        for (producer, builds) in builds {
            let module = with_producer(&bytes, producer);
            let evidence = module.release().unwrap().evidence();
            assert!(evidence.fits.iter().all(|name| builds.contains(name)), "{producer}: {evidence:?}");
            for contradiction in evidence.contradictions {
                assert!(
                    contradiction.offset.is_some() && !contradiction.operation.is_empty(),
                    "{contradiction:?}"
                );
            }
            fitting += evidence.fits.len();
            contradicted += evidence.contradictions.len();
        }
    }
    assert!(fitting > 60 && contradicted > 20, "{fitting} {contradicted}");
}

/// A layout is from the builds around the file, if they know the operation.
#[test]
fn layouts_are_from_the_nearest_builds() {
    let bytes = std::fs::read(data().join("between/jaxlib-0.7.0_cf.mlirbc")).unwrap();
    for (producer, near) in [
        (
            "MLIR24.0.0git",
            &[
                "llvm-23",
                "torch-mlir-20261001",
                "jaxlib-0.11",
                "iree-3.12",
                "circt-1.162",
                "iree-3.13",
                "jaxlib-0.12",
            ][..],
        ),
        (
            "MLIR21.0.0git",
            &["llvm-20", "jaxlib-0.5.3", "iree-3.4", "circt-1.120", "jaxlib-0.6", "jaxlib-0.7.0", "llvm-21"],
        ),
        ("MLIR19.0.0git", &["llvm-18", "llvm-19"]),
    ] {
        let module = with_producer(&bytes, producer);
        let layouts = module.release().unwrap().layouts_from();
        assert!(
            !layouts.is_empty() && layouts.iter().all(|name| near.contains(name)),
            "{producer}: {layouts:?}"
        );
    }
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
    let options = ReadOptions::default().release(mlirbc::Release::named("iree-3.4"));
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
        let options = ParseOptions::default().target(mlirbc::Release::named(target.to_owned()));
        let assembled = assemble(text, &options);
        assert_eq!(assembled.is_ok(), is_read, "{target}: {:?}", assembled.err());
    }
}
