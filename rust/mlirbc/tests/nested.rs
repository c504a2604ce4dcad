//! Modules inside attributes: their hosts, and replacing the modules.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mlirbc::bytes::Bytes;
use mlirbc::container::HostTable;
use mlirbc::parse::{ParseOptions, assemble};
use mlirbc::write::Numbering;
use mlirbc::{Artifact, ErrorKind, ReadOptions, WriteOptions};
use sha2::{Digest as _, Sha256};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn open(name: &str) -> Artifact {
    Artifact::open(path(name)).unwrap()
}

fn artifact(bytes: Vec<u8>) -> Artifact {
    Artifact::from_source(bytes.into(), &ReadOptions::default()).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn stripping() -> WriteOptions {
    WriteOptions::default().numbering(Numbering::Canonical).strip_locations(true)
}

/// Every nested module by path.
fn nested(artifact: &Artifact) -> BTreeMap<String, Bytes> {
    let all = (0..artifact.modules().len()).flat_map(|index| artifact.nested(index).unwrap());
    all.map(|nested| (nested.path, nested.bytes)).collect()
}

fn put(artifact: &Artifact, modules: &[(String, Bytes)]) -> Vec<u8> {
    let prepared = artifact.with_modules(modules).unwrap();
    let mut bytes = Vec::new();
    prepared.write(&mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, prepared.len());
    bytes
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

const FILES: [&str; 11] = [
    "containers/tpu_kernel.jax",
    "containers/tpu_kernel_derivative.jax",
    "containers/mosaic_gpu.jax",
    "containers/triton.jax",
    "nested/mosaic_gpu_text.jax.gz",
    "nested/mosaic_gpu_hash.mlirbc",
    "nested/mosaic_gpu_v2_text.mlirbc",
    "nested/triton_kernel_call_ffi.mlirbc",
    "nested/holder.mlirbc",
    "nested/iree_hal.mlirbc",
    "nested/iree_objects.mlirbc",
];

/// The expected hashes are the hashes of the modules that the author of each file embedded.
#[test]
fn modules_in_attributes_are_found_and_named() {
    for (file, path, host, is_text, version, matches, digest) in [
        ("containers/mosaic_gpu.jax", "scale_gpu", "mosaic_gpu_v2", false, Some(2), Some(true), "6291d582"),
        ("containers/tpu_kernel.jax", "blocked_dot", "tpu_custom_call", false, Some(11), None, "1c5e6f72"),
        ("nested/mosaic_gpu_text.jax.gz", "small_gpu", "mosaic_gpu", true, Some(1), Some(true), "5c7439df"),
        ("nested/mosaic_gpu_hash.mlirbc", "0", "mosaic_gpu", true, Some(2), Some(true), "2c739c58"),
        ("nested/mosaic_gpu_v2_text.mlirbc", "0", "mosaic_gpu_v2", true, Some(2), Some(true), "2c739c58"),
        (
            "nested/triton_kernel_call_ffi.mlirbc",
            "scale_triton",
            "triton_kernel_call_ffi",
            true,
            None,
            None,
            "bdfbc221",
        ),
        ("nested/holder.mlirbc", "library", "llvm.mlir.global", false, None, None, "2ff7fdf3"),
        ("nested/holder.mlirbc", "kernels", "gpu.binary", false, None, None, "2ff7fdf3"),
    ] {
        let nested_modules = open(file).nested(0).unwrap();
        let path = format!("main/kernels/{path}");
        let module = nested_modules.iter().find(|nested| nested.path == path).unwrap();
        assert_eq!((&*module.target, module.is_text), (host, is_text), "{file}");
        assert_eq!(module.version.as_ref().map(|version| version.1), version, "{file}");
        assert_eq!(module.hash_matches, matches, "{file}");
        assert_eq!(hex(&module.bytes)[..8], *digest, "{file}");
    }
    let iree = open("nested/iree_objects.mlirbc").nested(0).unwrap();
    assert_eq!((&*iree[0].path, &iree[0].bytes[..]), ("main/kernels/e", &b"ML\xefR"[..]));
}

#[test]
fn what_is_not_mlir_is_named_and_no_module() {
    let objects = |name: &str| -> Vec<(String, &'static str)> {
        let contents = open(name).nested_contents(0).unwrap();
        contents.objects.into_iter().map(|object| (object.path, object.kind)).collect()
    };
    let named = |path: &str, kind| (format!("main/kernels/{path}"), kind);
    assert_eq!(
        objects("nested/holder.mlirbc"),
        [named("kernels.2", "text of an assembler"), named("kernels.3", "LLVM bitcode")]
    );
    assert_eq!(
        objects("nested/iree_hal.mlirbc"),
        [named("vmvx_bytecode_fb", "an IREE module (.vmfb, as a zip archive)")]
    );
    assert!(open("nested/iree_hal.mlirbc").nested(0).unwrap().is_empty());
}

#[test]
fn the_same_modules_give_the_same_file() {
    for file in FILES {
        let artifact = open(file);
        let modules: Vec<_> = nested(&artifact).into_iter().collect();
        let written = put(&artifact, &modules);
        let expected = match artifact.container().and_then(|container| container.compression()) {
            Some(_) => artifact.container().unwrap().content_size() as usize,
            None => {
                assert!(written == std::fs::read(path(file)).unwrap(), "{file}");
                written.len()
            }
        };
        assert_eq!(written.len(), expected, "{file}");
    }
}

#[test]
fn modules_that_are_put_back_are_read_again() {
    for file in FILES {
        let artifact = open(file);
        let mut modules = BTreeMap::new();
        for index in 0..artifact.modules().len() {
            for kernel in artifact.nested(index).unwrap() {
                // Four bytes of magic are no module.
                if kernel.bytes.len() > 4 {
                    let stripped = kernel.written(&stripping(), artifact.limits()).unwrap();
                    modules.insert(kernel.path, stripped);
                }
            }
        }
        let list: Vec<_> = modules.clone().into_iter().collect();
        let again = self::artifact(put(&artifact, &list));
        let mut reread = nested(&again);
        reread.retain(|_, bytes| bytes.len() > 4);
        assert_eq!(reread, modules, "{file}");
        // Hashes follow, and the fields of the container stay.
        for index in 0..again.modules().len() {
            assert!(again.nested(index).unwrap().iter().all(|nested| nested.hash_matches != Some(false)));
            again.module(index).unwrap().verify().unwrap();
        }
        assert_eq!(again.fields().unwrap(), artifact.fields().unwrap(), "{file}");
    }
}

#[test]
fn stripping_leaves_no_path_in_a_kernel() {
    for (file, mark) in [
        ("containers/tpu_kernel.jax", ".py"),
        ("containers/tpu_kernel_derivative.jax", ".py"),
        ("containers/mosaic_gpu.jax", ".py"),
        ("containers/triton.jax", ".py"),
        ("nested/mosaic_gpu_text.jax.gz", "<stdin>"),
    ] {
        let artifact = open(file);
        assert!(nested(&artifact).values().any(|bytes| has(bytes, mark)), "{file}");
        let options = stripping();
        let prepared = artifact
            .prepare_nested(
                &mut |kernel| kernel.written(&options, artifact.limits()).map(Some),
                &mut |module| module.prepare_write(&options),
            )
            .unwrap();
        let mut bytes = Vec::new();
        prepared.write(&mut bytes).unwrap();
        let again = self::artifact(bytes.clone());
        assert!(!has(&bytes, mark) && nested(&again).values().all(|kernel| !has(kernel, mark)), "{file}");
        let forms = |artifact: &Artifact| -> Vec<_> {
            let all = artifact.nested(0).unwrap().into_iter();
            all.map(|nested| (nested.path, nested.is_text, nested.version)).collect()
        };
        assert_eq!(forms(&again), forms(&artifact), "{file}");
    }
}

/// The JSON around the module is unchanged, and so are the other entries of its dictionary.
#[test]
fn only_the_module_changes() {
    let artifact = open("containers/tpu_kernel.jax");
    let kernel = artifact.nested(0).unwrap().remove(0);
    let new = kernel.written(&stripping(), artifact.limits()).unwrap();
    let config = |artifact: &Artifact| {
        let mut text = Vec::new();
        artifact.module(0).unwrap().print(&mut text, &mlirbc::print::PrintOptions::generic()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let (_, rest) = text.split_once("custom_call_config").unwrap();
        let (before, rest) = rest.split_once("TUzv").unwrap();
        let end =
            rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"+/=".contains(letter)).unwrap();
        (before.to_owned(), rest[end..].to_owned())
    };
    let changed = self::artifact(put(&artifact, &[(kernel.path, new)]));
    let (before, after) = (config(&artifact), config(&changed));
    assert_eq!(before.0, after.0);
    assert_eq!(before.1.split_once("kernel_name"), after.1.split_once("kernel_name"));
}

fn call(target: &str, attributes: &str) -> String {
    format!("  \"stablehlo.custom_call\"() {{call_target_name = \"{target}\", {attributes}}} : () -> ()\n")
}

fn module(operations: &str, target: &str) -> Vec<u8> {
    let text = format!("\"builtin.module\"() ({{\n{operations}}}) : () -> ()\n");
    assemble(text, &ParseOptions::default().target(mlirbc::Release::named(target.to_owned()))).unwrap()
}

/// A string literal with any bytes.
fn literal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("\\{byte:02X}")).collect();
    format!("\"{digits}\"")
}

fn kernel(name: &str) -> Vec<u8> {
    let text = format!("\"builtin.module\"() ({{}}) {{sym_name = \"{name}\"}} : () -> ()");
    assemble(text, &ParseOptions::default()).unwrap()
}

/// A hash that is the module's own follows it, at all operations; another one stays, and is noted.
#[test]
fn hashes_follow_the_module_at_all_operations() {
    let old = kernel("old");
    let config = |hash: &[u8], more: &str| {
        let (hash, module) = (literal(hash), literal(&old));
        call(
            "mosaic_gpu_v2",
            &format!("mhlo.backend_config = {{kernel_hash = {hash}, module = {module}}}{more}"),
        )
    };
    let old_digest = Sha256::digest(&old);
    for (hash, is_own) in [(&old_digest[..], true), (&[7; 32][..], false)] {
        let calls = [config(hash, ""), config(hash, ""), config(hash, ", t.a")].concat();
        let artifact = artifact(module(&calls, "jaxlib-0.10"));
        let before = artifact.nested(0).unwrap();
        assert_eq!((before.len(), before[0].hash_matches), (1, Some(is_own)));
        assert_eq!(before[0].path, "main/kernels/old");
        assert_eq!(before[0].note().is_some(), !is_own);
        let new = Bytes::from(kernel("another"));
        let bytes = put(&artifact, &[("main/kernels/old".to_owned(), new.clone())]);
        let again = self::artifact(bytes.clone());
        let after = again.nested(0).unwrap();
        assert_eq!((after.len(), &*after[0].path, &after[0].bytes), (1, "main/kernels/another", &new));
        assert_eq!(after[0].hash_matches, Some(is_own));
        let notes = again.verify_each(&mut |module| module.verify()).unwrap().remove(0).notes;
        assert_eq!(notes.len(), usize::from(!is_own));
        assert!(!bytes.windows(old.len()).any(|window| window == old));
    }
}

/// A module in a module in a module: readers look into sixteen.
#[test]
fn modules_in_one_another_have_paths_and_a_bounded_depth() {
    let chain = |depth: usize| {
        let mut inner = kernel("innermost");
        for level in 0..depth {
            let attributes =
                format!("mhlo.backend_config = {{ir = {}, name = \"k{level}\"}}", literal(&inner));
            inner = module(&call("__gpu$xla.gpu.triton", &attributes), "jaxlib-0.10");
        }
        artifact(inner)
    };
    let deep = chain(3);
    let paths: Vec<_> = deep.nested(0).unwrap().into_iter().map(|nested| nested.path).collect();
    let expected = ["main/kernels/k2", "main/kernels/k2/kernels/k1", "main/kernels/k2/kernels/k1/kernels/k0"];
    assert_eq!(paths, expected);
    let new = Bytes::from(kernel("another"));
    let again = artifact(put(&deep, &[(paths[2].clone(), new.clone())]));
    assert_eq!(nested(&again)[&paths[2]], new);
    assert_eq!(chain(16).nested(0).unwrap().len(), 16);
    for depth in [17, 40] {
        let error = chain(depth).nested(0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit);
        assert!(error.to_string().contains(&format!("main/kernels/k{}/kernels/", depth - 1)), "{error}");
    }
}

#[test]
fn what_is_damaged_is_an_error_with_the_path() {
    let json = |config: &str| {
        let attributes = format!("backend_config = {}, kernel_name = \"k\"", literal(config.as_bytes()));
        artifact(module(&call("tpu_custom_call", &attributes), "jaxlib-0.10")).nested(0).unwrap_err()
    };
    for (config, message) in [
        ("{\"custom_call_config\": {\"body\": \"TUz\"}}", "not base64"),
        ("{\"custom_call_config\": {\"body\": 1}}", "not text"),
        ("{\"custom_call_config\": {}}", "no field `body`"),
        ("{\"custom_call_config\": {\"body\": \"\", \"body\": \"\"}}", "occurs twice"),
        ("{\"custom_call_config\"", "not JSON"),
    ] {
        let error = json(config);
        assert_eq!(error.kind(), ErrorKind::Nested);
        assert!(error.offset().is_some());
        let error = error.to_string();
        assert!(error.contains(message) && error.contains("module `main/kernels/k`"), "{error}");
    }
    let short = call("mosaic_gpu", "backend_config = \"short\"");
    let error = artifact(module(&short, "jaxlib-0.10")).nested(0).unwrap_err();
    assert!(error.to_string().contains("shorter than its hash"), "{error}");
    let artifact = open("containers/tpu_kernel.jax");
    let put = |path: &str, bytes: &'static [u8]| {
        artifact.with_modules(&[(path.to_owned(), bytes.into())]).err().unwrap()
    };
    assert_eq!(put("main/kernels/other", b"ML\xefR").kind(), ErrorKind::ModuleChoice);
    assert_eq!(put("vjp", b"ML\xefR").kind(), ErrorKind::ModuleChoice);
    assert!(put("main/kernels/blocked_dot", b"module {}").to_string().contains("blocked_dot"));
    assert!(put("main", b"ML\xefR").to_string().contains("module `main`"));
}

#[test]
fn users_extend_the_table() {
    let hosts = HostTable::from_toml(
        r#"
            [[host]]
            operation = "toy.holder"
            attribute = "body"
            encoding = "raw"
            name = "title"
            hash = "sum"
        "#,
    );
    let old = kernel("old");
    let sum = literal(&Sha256::digest(&old));
    let holder =
        format!("  \"toy.holder\"() {{body = {}, sum = {sum}, title = \"a/b\"}} : () -> ()\n", literal(&old));
    let artifact = artifact(module(&holder, "llvm-22"));
    assert!(artifact.nested(0).unwrap().is_empty());
    let artifact = artifact.with_hosts(vec![hosts.unwrap()]).unwrap();
    let before = artifact.nested(0).unwrap();
    // A slash would end the name in a path.
    assert_eq!((&*before[0].path, before[0].hash_matches), ("main/kernels/a.b", Some(true)));
    let new = Bytes::from(kernel("new"));
    let again = artifact.like(put(&artifact, &[(before[0].path.clone(), new.clone())]).into()).unwrap();
    let after = again.nested(0).unwrap();
    assert_eq!((&after[0].bytes, after[0].hash_matches), (&new, Some(true)));
}

/// The type of a global has the size of what it holds.
#[test]
fn the_type_of_a_global_follows_its_module() {
    let artifact = open("nested/holder.mlirbc");
    let new = Bytes::from(kernel("another"));
    let bytes = put(&artifact, &[("main/kernels/library".to_owned(), new.clone())]);
    let mut text = Vec::new();
    let again = self::artifact(bytes);
    again.module(0).unwrap().print(&mut text, &mlirbc::print::PrintOptions::generic()).unwrap();
    assert!(has(&text, &format!("global_type = !llvm.array<{} x i8>", new.len())));
    assert_eq!(nested(&again)["main/kernels/library"], new);
}
