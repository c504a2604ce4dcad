//! Artifacts: every module and the container of a JAX export, in each piece of work on the whole file.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mlirbc::artifact::Kernels;
use mlirbc::container::ModuleChoice;
use mlirbc::convert::portable::{self, SerializeOptions};
use mlirbc::print::PrintOptions;
use mlirbc::tool::{
    ArtifactDifference, DiffOptions, HashOptions, JaxReaders, artifact_key, content_key, print_nested,
};
use sha2::{Digest as _, Sha256};

use mlirbc::{Artifact, ErrorKind, Module, ReadOptions, WriteOptions};

const MLP: &str = "../../../examples/mlp.jax";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/containers").join(name)
}

fn artifact(bytes: Vec<u8>) -> Artifact {
    Artifact::from_source(bytes.into(), &ReadOptions::default()).unwrap()
}

fn key(artifact: &Artifact) -> String {
    artifact_key(artifact, HashOptions::default()).unwrap()
}

fn difference(before: &Artifact, after: &Artifact) -> ArtifactDifference {
    ArtifactDifference::of(before, after, &DiffOptions::default()).unwrap()
}

fn stripped(artifact: &Artifact) -> Vec<u8> {
    let options = WriteOptions::default().strip_locations(true);
    let prepared = artifact.prepare(&mut |module| module.prepare_write(&options)).unwrap();
    let mut bytes = Vec::new();
    prepared.write(&mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, prepared.len());
    bytes
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The example for another platform: the only `cpu` in the file is in its list of platforms.
fn for_another_platform() -> Vec<u8> {
    let mut bytes = std::fs::read(path(MLP)).unwrap();
    let places: Vec<_> = (0..bytes.len() - 4).filter(|&at| bytes[at..at + 4] == *b"cpu\0").collect();
    for at in places {
        bytes[at..at + 3].copy_from_slice(b"tpu");
    }
    bytes
}

/// The example without its derivative: the slot of the root table is cleared.
fn without_derivative() -> Vec<u8> {
    let mut bytes = std::fs::read(path(MLP)).unwrap();
    let root = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let back = i32::from_le_bytes(bytes[root..root + 4].try_into().unwrap());
    let slot = (root as i64 - i64::from(back)) as usize + 4 + 2 * 17;
    bytes[slot..slot + 2].fill(0);
    bytes
}

#[test]
fn modules_have_paths() {
    let artifact = Artifact::open(path("old.jax")).unwrap();
    let paths: Vec<_> = artifact.modules().iter().map(|module| &*module.path).collect();
    assert_eq!(paths, ["main", "vjp", "vjp/vjp"]);
    for (index, path) in paths.iter().enumerate() {
        assert_eq!(artifact.index_of(path).unwrap(), index);
        assert_eq!(artifact.module(index).unwrap().tables().module_index(), index);
    }
    assert_eq!(artifact.index_of("vjp/vjp/vjp").unwrap_err().kind(), ErrorKind::ModuleChoice);
    assert_eq!(artifact.chosen(), [0, 1, 2]);
    let options = ReadOptions::default().module(ModuleChoice::Name("vjp".into()));
    assert_eq!(Artifact::open_with(path("old.jax"), &options).unwrap().chosen(), [1]);
    let alone = Artifact::from_source(mlirbc::doc_example().into(), &ReadOptions::default()).unwrap();
    assert_eq!((&*alone.modules()[0].path, alone.modules().len()), ("main", 1));
    assert!(alone.fields().unwrap().is_empty() && alone.index_of("vjp").is_err());
}

#[test]
fn a_key_covers_the_container_and_the_other_modules() {
    let before = Artifact::open(path(MLP)).unwrap();
    let changed = [artifact(for_another_platform()), artifact(without_derivative())];
    for after in &changed {
        assert_ne!(key(&before), key(after));
        let alone =
            |artifact: &Artifact| content_key(&artifact.module(0).unwrap(), HashOptions::default()).unwrap();
        assert_eq!(alone(&before), alone(after));
    }
    // Serialization versions 11 and 12 of one function differ in how they store it.
    let newest = Artifact::open(path("newest.jax")).unwrap();
    assert_eq!(key(&newest), key(&Artifact::open(path("sharded_derivative.jax")).unwrap()));
    let alone = artifact(mlirbc::doc_example());
    let module = Module::from_bytes(mlirbc::doc_example()).unwrap();
    assert_eq!(key(&alone), content_key(&module, HashOptions::default()).unwrap());
}

#[test]
fn a_difference_lists_fields_and_pairs_modules_by_path() {
    let before = Artifact::open(path(MLP)).unwrap();
    assert!(difference(&before, &before).is_equal());
    let changes = difference(&before, &artifact(for_another_platform()));
    let fields: Vec<_> = changes.fields.iter().map(|change| (&*change.module, &*change.field)).collect();
    assert_eq!(fields, [("main", "platforms"), ("vjp", "platforms")]);
    assert_eq!(changes.fields[0].before.as_deref(), Some("cpu"));
    assert_eq!(changes.fields[0].after.as_deref(), Some("tpu"));
    assert!(changes.modules.iter().all(|module| module.difference.as_ref().unwrap().equal));
    let changes = difference(&before, &artifact(without_derivative()));
    assert!(changes.fields.is_empty() && !changes.is_equal());
    assert_eq!((&*changes.modules[1].path, changes.modules[1].only.unwrap().name()), ("vjp", "removed"));
    let alone = artifact(mlirbc::doc_example());
    assert_eq!(difference(&before, &alone).fields[0].field, "container");
}

#[test]
fn stripping_reaches_every_module_and_the_file_shrinks() {
    for name in [MLP, "old.jax", "newest.jax", "sharded_derivative.jax"] {
        let artifact = Artifact::open(path(name)).unwrap();
        let whole = std::fs::read(path(name)).unwrap();
        assert!(has(&whole, ".py"), "{name}");
        let bytes = stripped(&artifact);
        assert!(!has(&bytes, ".py"), "{name}");
        let again = Artifact::from_source(bytes.clone().into(), &ReadOptions::default()).unwrap();
        let saved = |artifact: &Artifact| artifact.modules().iter().map(|module| module.size).sum::<u64>();
        let smaller = saved(&artifact) - saved(&again);
        assert!(
            whole.len() as u64 - bytes.len() as u64 + 8 * again.modules().len() as u64 >= smaller,
            "{name}"
        );
        assert_eq!(again.fields().unwrap(), artifact.fields().unwrap(), "{name}");
        assert_eq!(stripped(&again), bytes, "{name}");
    }
}

#[test]
fn a_choice_strips_one_module() {
    let options = ReadOptions::default().module(ModuleChoice::Index(1));
    let artifact = Artifact::open_with(path(MLP), &options).unwrap();
    let again = Artifact::from_source(stripped(&artifact).into(), &ReadOptions::default()).unwrap();
    assert_eq!(again.modules()[0].size, artifact.modules()[0].size);
    assert!(again.modules()[1].size < artifact.modules()[1].size);
}

#[test]
fn conversions_back_and_forth_do_not_grow() {
    let mut artifact = Artifact::open(path(MLP)).unwrap();
    let mut sizes = Vec::new();
    for version in ["1.10.0", "1.15.0"].repeat(5) {
        let version = Some(version.parse().unwrap());
        let options = SerializeOptions::default().version(version);
        let prepared = artifact.prepare(&mut |module| portable::serialize(module, &options)).unwrap();
        let mut bytes = Vec::new();
        prepared.write(&mut bytes).unwrap();
        sizes.push(bytes.len());
        artifact = Artifact::from_source(bytes.into(), &ReadOptions::default()).unwrap();
    }
    assert_eq!(sizes[2..4], sizes[8..10], "{sizes:?}");
    assert_eq!(sizes[0], sizes[8], "{sizes:?}");
}

#[test]
fn an_error_of_a_derivative_names_it() {
    let mut bytes = std::fs::read(path(MLP)).unwrap();
    let place = Artifact::open(path(MLP)).unwrap().modules()[1].clone();
    bytes[place.offset as usize] = 0;
    let artifact = artifact(bytes);
    artifact.module(0).unwrap().verify().unwrap();
    let error = artifact.module(1).unwrap_err();
    assert_eq!((error.offset(), error.module_start()), (Some(0), place.offset));
    assert!(error.to_string().contains("module `vjp`"), "{error}");
}

/// The results of releases of JAX that were run with the files: whether each of `RELEASES` calls the export.
const RELEASES: [&str; 11] =
    ["0.4.30", "0.4.36", "0.5.0", "0.6.2", "0.7.2", "0.8.0", "0.8.3", "0.9.0", "0.9.2", "0.10.0", "0.10.2"];
const FROM_0_8_3: [bool; 11] = [false, false, false, false, false, false, true, true, true, true, true];

#[test]
fn releases_of_jax_call_what_they_called_when_they_were_run() {
    let all = [true; 11];
    let from_0_4_36 = [&[false][..], &[true; 10]].concat().try_into().unwrap();
    for (name, expected) in [
        ("old.jax", all),
        ("platforms.jax", from_0_4_36),
        ("key.jax", FROM_0_8_3),
        ("newest.jax", FROM_0_8_3),
        ("sharded_derivative.jax", FROM_0_8_3),
        ("tree.jax", FROM_0_8_3),
        ("tpu_kernel.jax", FROM_0_8_3),
        ("mosaic_gpu.jax", FROM_0_8_3),
        ("triton.jax", FROM_0_8_3),
    ] {
        let readers = JaxReaders::of(&Artifact::open(path(name)).unwrap(), 0).unwrap().unwrap();
        let calls = RELEASES.map(|version| readers.reader(version).unwrap().calls());
        assert_eq!(calls, expected, "{name}");
    }
    let alone = artifact(mlirbc::doc_example());
    assert!(JaxReaders::of(&alone, 0).unwrap().is_none());
}

#[test]
fn the_answer_names_what_stops_a_release() {
    let readers = |name: &str| JaxReaders::of(&Artifact::open(path(name)).unwrap(), 0).unwrap().unwrap();
    let key = readers("key.jax");
    let reasons = key.reader("0.6.2").unwrap().reasons;
    assert!(reasons.iter().any(|reason| reason.contains("`sdy`")), "{reasons:?}");
    let reasons = key.reader("0.5.0").unwrap().reasons;
    assert!(reasons.iter().any(|reason| reason.contains("key<fry>")), "{reasons:?}");
    let reader = readers("newest.jax").reader("0.8.3").unwrap();
    assert!(reader.calls() && reader.notes[0].contains("shardings"));
    let reasons = readers("newest.jax").reader("0.8.0").unwrap().reasons;
    assert!(reasons[0].contains("serialization version 12"), "{reasons:?}");
    // A release that was not probed is treated like the one before it.
    let reader = readers("old.jax").reader("0.7.1").unwrap();
    assert_eq!((&*reader.version, reader.like.as_deref()), ("0.7.1", Some("0.7.0")));
    for wrong in ["", "0.8.x", "0.1.0", "1.2.3.4"] {
        assert_eq!(readers("old.jax").reader(wrong).unwrap_err().kind(), ErrorKind::Value, "{wrong}");
    }
}

#[test]
fn the_serialization_version_follows_from_the_fields() {
    for (name, stored, range, jax) in [
        ("old.jax", 2, (2, 4), None),
        ("platforms.jax", 2, (2, 4), None),
        ("key.jax", 3, (10, 11), None),
        (MLP, 3, (10, 11), None),
        ("sharded_derivative.jax", 3, (11, 11), None),
        ("newest.jax", 12, (12, 12), Some("0.10.2")),
    ] {
        let module = Module::open(path(name)).unwrap();
        let exported = module.container().unwrap().exported(0).unwrap().unwrap();
        assert_eq!(exported.serialization_version, stored, "{name}");
        assert_eq!((exported.oldest_serialization, exported.newest_serialization), range, "{name}");
        assert_eq!(exported.jax_version.as_deref(), jax, "{name}");
    }
}

#[test]
fn kernels_are_found_and_read_by_path() {
    // The sizes and hashes belong to the bytes that JAX wrote, decoded by hand.
    for (name, path_in_file, target, size, digest) in [
        ("tpu_kernel.jax", "main/kernels/blocked_dot", "tpu_custom_call", 1506, "1c5e6f72"),
        ("tpu_kernel_derivative.jax", "main/kernels/forward_kernel", "tpu_custom_call", 1043, "d188a19f"),
        ("tpu_kernel_derivative.jax", "vjp/kernels/backward_kernel", "tpu_custom_call", 1014, "0ced22bc"),
        ("mosaic_gpu.jax", "main/kernels/scale_gpu", "mosaic_gpu_v2", 16987, "6291d582"),
        ("triton.jax", "main/kernels/scale_triton", "__gpu$xla.gpu.triton", 1194, "819dc1e5"),
    ] {
        let artifact = Artifact::open(path(name)).unwrap();
        let outer = path_in_file.split_once("/kernels/").unwrap().0;
        let kernels = artifact.nested(artifact.index_of(outer).unwrap()).unwrap();
        assert_eq!(kernels.len(), 1, "{name}");
        let kernel = &kernels[0];
        assert_eq!((&*kernel.path, &*kernel.target, kernel.bytes.len()), (path_in_file, target, size));
        let actual_digest: String =
            Sha256::digest(&kernel.bytes).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(actual_digest, digest, "{name}");
        artifact.open_nested(path_in_file).unwrap().verify().unwrap();
    }
    let artifact = Artifact::open(path("tpu_kernel.jax")).unwrap();
    for wrong in ["main/kernels/other", "vjp/kernels/blocked_dot", "kernels", ""] {
        assert_eq!(artifact.open_nested(wrong).unwrap_err().kind(), ErrorKind::ModuleChoice, "{wrong}");
    }
    assert_eq!(Artifact::open(path(MLP)).unwrap().nested(0).unwrap(), []);
}

#[test]
fn base64_that_is_damaged_is_an_error_of_the_kernel() {
    let mut bytes = std::fs::read(path("tpu_kernel.jax")).unwrap();
    let at = bytes.windows(8).position(|window| window == b"TUzvUgFN").unwrap();
    bytes[at + 20] = b'!';
    let error = artifact(bytes).nested(0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Nested);
    assert!(error.to_string().contains("not base64"), "{error}");
}

/// Returns an export with `count` derivatives, each with its own module or all with one module.
fn with_derivatives(count: u32, is_shared: bool) -> Vec<u8> {
    let module = std::fs::read(path("../bytecode/llvm-22/v6/empty.mlirbc")).unwrap();
    // The vtables of a table with a derivative and of the last one: the module is slot 13, the derivative slot 17.
    let vtable = |derivative: u16| {
        let mut slots = [0_u16; 20];
        (slots[0], slots[1], slots[2 + 13], slots[2 + 17]) = (40, 12, 4, derivative);
        slots.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>()
    };
    let (tables, modules) = (84_u32, 84 + 12 * (count + 1));
    let vector = module.len().next_multiple_of(4) as u32 + 4;
    let mut bytes = [tables.to_le_bytes().to_vec(), vtable(8), vtable(0)].concat();
    for order in 0..=count {
        let (at, is_last) = (tables + 12 * order, order == count);
        let to = modules + if is_shared { 0 } else { vector * order };
        let fields = [at - if is_last { 44 } else { 4 }, to - (at + 4), if is_last { 0 } else { 4 }];
        bytes.extend(fields.into_iter().flat_map(u32::to_le_bytes));
    }
    for _ in 0..if is_shared { 1 } else { count + 1 } {
        bytes.extend((module.len() as u32).to_le_bytes());
        bytes.extend(&module);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// Paths, and work on all modules, grow with the square of the number of derivatives.
#[test]
fn an_export_has_few_derivatives_with_modules_of_their_own() {
    for (count, is_shared, kind, offset) in [
        (2, false, None, 0),
        (64, false, None, 0),
        (65, false, Some(ErrorKind::DepthLimit), 84 + 12 * 65),
        (1, true, Some(ErrorKind::Flatbuffer), 84 + 12 * 2),
    ] {
        let opened = Artifact::from_source(with_derivatives(count, is_shared).into(), &Default::default());
        match kind {
            None => assert_eq!(opened.unwrap().modules().len() as u32, count + 1),
            Some(kind) => {
                let error = opened.unwrap_err();
                assert_eq!((error.kind(), error.offset()), (kind, Some(offset)), "{error}");
            }
        }
    }
}

/// A kernel is listed once, however many operations call it; others with its name have a number.
#[test]
fn kernels_are_listed_once() {
    let call = |body: &str, more: &str| {
        let config = format!(r#"{{\\22custom_call_config\\22: {{\\22body\\22: \\22{body}\\22}}}}"#)
            .replace("\\\\", "\\");
        format!(
            "  \"stablehlo.custom_call\"() {{call_target_name = \"tpu_custom_call\", backend_config = \"{config}\", \
             kernel_name = \"k\"{more}}} : () -> ()\n"
        )
    };
    let calls = [call("TUzvUg==", ""), call("TUzvUg==", ""), call("TUzvUg==", ", t.a"), call("TUzvUgA=", "")];
    let text = format!("\"builtin.module\"() ({{\n{}}}) : () -> ()\n", calls.concat());
    let options = mlirbc::parse::ParseOptions::default().target(mlirbc::Release::named("jaxlib-0.10"));
    let artifact = artifact(mlirbc::parse::assemble(text, &options).unwrap());
    let kernels: Vec<_> =
        artifact.nested(0).unwrap().into_iter().map(|kernel| (kernel.path, kernel.bytes)).collect();
    let expected = [("main/kernels/k", &b"ML\xefR"[..]), ("main/kernels/k.1", b"ML\xefR\0")];
    assert_eq!(kernels, expected.map(|(path, bytes)| (path.to_owned(), bytes.into())));
}

fn text(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &PrintOptions::default()).unwrap();
    String::from_utf8(text).unwrap()
}

/// The text without its comments equals the text without kernels, and the comments have the text of each
/// kernel.
#[test]
fn kernels_are_printed_as_comments_below_their_operations() {
    for (name, index, headings) in [
        (
            "tpu_kernel.jax",
            0,
            &["main/kernels/blocked_dot: tpu_custom_call, stable_mosaic 11, 1506 bytes"][..],
        ),
        (
            "tpu_kernel_derivative.jax",
            1,
            &["vjp/kernels/backward_kernel: tpu_custom_call, stable_mosaic 11, 1014 bytes"],
        ),
        ("mosaic_gpu.jax", 0, &["main/kernels/scale_gpu: mosaic_gpu_v2, stable_mosaic_gpu 2, 16987 bytes"]),
        ("triton.jax", 0, &["main/kernels/scale_triton: __gpu$xla.gpu.triton, 1194 bytes"]),
        (MLP, 0, &[]),
    ] {
        let artifact = Artifact::open(path(name)).unwrap();
        let (module, place) = (artifact.module(index).unwrap(), &artifact.modules()[index].path);
        let mut nested = Vec::new();
        print_nested(&module, place, &PrintOptions::default(), &mut nested).unwrap();
        let nested = String::from_utf8(nested).unwrap();
        let is_comment = |line: &&str| line.starts_with("    // ");
        let outer: Vec<_> = nested.lines().filter(|line| !is_comment(line)).collect();
        assert_eq!(outer, text(&module).lines().collect::<Vec<_>>(), "{name}");
        let comments: Vec<_> = nested.lines().filter(is_comment).map(|line| &line[7..]).collect();
        let titles: Vec<_> = comments.iter().filter_map(|line| line.strip_prefix("kernel ")).collect();
        assert_eq!(titles, headings, "{name}");
        let inner: Vec<_> = comments.iter().filter_map(|line| line.strip_prefix("| ")).collect();
        let kernels = artifact.nested(index).unwrap();
        let texts: Vec<_> =
            kernels.iter().map(|kernel| text(&artifact.open_nested(&kernel.path).unwrap())).collect();
        assert_eq!(inner, texts.concat().lines().collect::<Vec<_>>(), "{name}");
        if let Some(begin) = nested.lines().position(|line| line.contains("// kernel ")) {
            assert!(nested.lines().nth(begin - 1).unwrap().contains("vhlo.custom_call_v1"), "{name}");
        }
    }
}

/// A kernel that is text may have a carriage return, at which a comment of MLIR ends; it is not wrapped.
#[test]
fn no_line_of_a_kernel_leaves_its_comment() {
    let call = r#""stablehlo.custom_call"() {call_target_name = "mosaic_gpu_v2",
        mhlo.backend_config = {module = "module {\0D\0A}\0D\22t.escaped\22()"}} : () -> ()"#;
    let options = mlirbc::parse::ParseOptions::default().target(mlirbc::Release::named("jaxlib-0.10"));
    let text = format!("\"builtin.module\"() ({{\n{call}\n}}) : () -> ()\n");
    let module = Module::from_bytes(mlirbc::parse::assemble(text, &options).unwrap()).unwrap();
    let mut nested = Vec::new();
    print_nested(&module, "main", &PrintOptions::default(), &mut nested).unwrap();
    let nested = String::from_utf8(nested).unwrap();
    assert!(!nested.contains('\r'), "{nested}");
    assert!(nested.contains("// kernel main/kernels/0: mosaic_gpu_v2, text, 25 bytes\n"), "{nested}");
    assert!(nested.contains("  // | \"t.escaped\"()\n"), "{nested}");
}

#[test]
fn a_difference_of_a_kernel_is_shown_in_the_kernel() {
    let before = Artifact::open(path("mosaic_gpu.jax")).unwrap();
    let mut bytes = std::fs::read(path("mosaic_gpu.jax")).unwrap();
    let at = bytes.windows(14).position(|window| window == b"global_scratch").unwrap();
    bytes[at + 13] = b'X';
    let changes = difference(&before, &artifact(bytes));
    let paths: Vec<_> = changes.modules.iter().map(|module| &*module.path).collect();
    assert_eq!(paths, ["main", "main/kernels/scale_gpu"]);
    let kernel = changes.modules[1].difference.as_ref().unwrap();
    assert!(!kernel.equal && kernel.to_text(false).contains("global_scratcX"), "{}", kernel.to_text(false));
    assert!(difference(&before, &before).modules.iter().all(|module| module.path == "main"));
    let unrelated = Artifact::open(path("tpu_kernel.jax")).unwrap();
    let changes = difference(&before, &unrelated);
    let only: Vec<_> =
        changes.modules[1..].iter().map(|module| (&*module.path, module.only.unwrap().name())).collect();
    assert_eq!(only, [("main/kernels/scale_gpu", "removed"), ("main/kernels/blocked_dot", "added")]);
}

/// The loop of commands over modules: a kernel follows its module, and an error names the module where it
/// occurred.
#[test]
fn each_module_comes_with_its_kernels() {
    let paths = |artifact: &Artifact, kernels| -> Vec<Result<String, String>> {
        let opened_modules = artifact.each_module(kernels);
        opened_modules
            .map(|opened| opened.map(|opened| opened.path).map_err(|error| error.to_string()))
            .collect()
    };
    let export = Artifact::open(path("tpu_kernel_derivative.jax")).unwrap();
    let all = ["main", "main/kernels/forward_kernel", "vjp", "vjp/kernels/backward_kernel"];
    assert_eq!(paths(&export, Kernels::Included), all.map(|path| Ok(path.to_owned())));
    assert_eq!(paths(&export, Kernels::LeftOut), ["main", "vjp"].map(|path| Ok(path.to_owned())));
    let mut bytes = std::fs::read(path("tpu_kernel.jax")).unwrap();
    let at = bytes.windows(8).position(|window| window == b"TUzvUgFN").unwrap();
    bytes[at + 20] = b'!';
    let opened = paths(&artifact(bytes), Kernels::Included);
    assert_eq!(opened[0], Ok("main".to_owned()));
    assert!(opened[1].as_ref().unwrap_err().contains("not base64"), "{opened:?}");
    assert_eq!(opened.len(), 2);
}
