//! Commands on files with several modules: each command takes all modules, or the one that `--module`
//! chooses.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::PathBuf;

use support::{complaint, root, run, text};

fn mlp() -> PathBuf {
    root().join("examples/mlp.jax")
}

#[test]
fn a_derivative_that_is_damaged_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(mlp()).unwrap();
    let place = 0x394;
    bytes[place + 400..place + 500].iter_mut().for_each(|byte| *byte ^= 0xff);
    let file = folder.path().join("broken.jax");
    std::fs::write(&file, bytes).unwrap();
    let path = file.to_str().unwrap();
    let output = run(["verify", path]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), ""));
    assert!(complaint(&output).contains("for module `vjp`"), "{}", complaint(&output));
    let output = run(["verify", "--module", "main", path]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn every_writer_keeps_the_container() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.safetensors");
    let (mlp, weights) = (mlp(), weights.to_str().unwrap());
    let mlp = mlp.to_str().unwrap();
    assert_eq!(run(["weights", "export", mlp, "-o", weights]).status.code(), Some(0));
    for command in [
        vec!["strip", mlp],
        vec!["convert", mlp, "--canonical"],
        vec!["convert", mlp, "--to", "vhlo=1.12.0"],
        vec!["weights", "import", mlp, weights],
        vec!["weights", "externalize", mlp, "--min-size", "64"],
    ] {
        let out = folder.path().join("out.jax");
        let path = out.to_str().unwrap();
        let output = run([&command[..], &["-o", path]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", complaint(&output));
        let info = run(["info", path]);
        assert!(text(&info.stdout).contains("container: JAX export"), "{command:?}");
        let output = run([&command[..], &["--bare", "-o", path]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", complaint(&output));
        assert!(std::fs::read(&out).unwrap().starts_with(b"ML\xefR"), "{command:?}");
    }
    let out = folder.path().join("none.jax");
    let output = run(["convert", mlp, "--to", "stablehlo", "-o", out.to_str().unwrap()]);
    assert_eq!((output.status.code(), out.exists()), (Some(1), false));
}

#[test]
fn kernels_are_checked_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(root().join("tests/data/containers/tpu_kernel.jax")).unwrap();
    let file = folder.path().join("kernel.jax");
    std::fs::write(&file, &whole).unwrap();
    let path = file.to_str().unwrap();
    let output = run(["verify", path]);
    assert!(text(&output.stdout).contains("(main/kernels/blocked_dot): ok"), "{}", text(&output.stdout));
    let out = folder.path().join("out.jax");
    let output = run(["strip", path, "-o", out.to_str().unwrap()]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let output = run(["info", out.to_str().unwrap()]);
    assert!(text(&output.stdout).contains("stable_mosaic.version = 11"), "{}", text(&output.stdout));
    let output = run(["print", path, "--module", "main/kernels/blocked_dot"]);
    assert!(text(&output.stdout).contains("stable_mosaic.func.func"));
    // The magic number of the kernel in base64, followed by a bytecode version that does not exist.
    let at = whole.windows(8).position(|window| window == b"TUzvUgFN").unwrap();
    let mut damaged = whole.clone();
    damaged[at + 6] = b'/';
    std::fs::write(&file, &damaged).unwrap();
    let output = run(["verify", path]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), ""));
    assert!(complaint(&output).contains("module `main/kernels/blocked_dot`"), "{}", complaint(&output));
    // Invalid base64 is reported with its position, and nothing is written.
    let mut damaged = whole;
    damaged[at + 6] = b'!';
    std::fs::write(&file, &damaged).unwrap();
    std::fs::remove_file(&out).unwrap();
    let output = run(["strip", path, "-o", out.to_str().unwrap()]);
    assert_eq!((output.status.code(), out.exists()), (Some(3), false));
    assert!(
        complaint(&output).contains("not base64") && complaint(&output).contains(" at 0x"),
        "{}",
        complaint(&output)
    );
}

/// A command on one kernel changes it in place, or writes it alone.
#[test]
fn one_kernel_is_changed_in_its_place_or_extracted() {
    let folder = tempfile::tempdir().unwrap();
    let data = root().join("tests/data/containers/tpu_kernel_derivative.jax");
    let (path, whole) = (data.to_str().unwrap(), std::fs::read(&data).unwrap());
    let out = folder.path().join("out.jax");
    let out_path = out.to_str().unwrap();
    let kernel = "vjp/kernels/backward_kernel";
    let extracted = |file: &str, kernel: &str| {
        let alone = folder.path().join("kernel.mlirbc");
        let output = run(["extract", file, kernel, "-o", alone.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        std::fs::read(alone).unwrap()
    };
    let before = extracted(path, kernel);
    assert!(before.starts_with(b"ML\xefR"));
    for command in [["strip", "--locations"], ["convert", "--producer=other"]] {
        let output = run([&command[..], &[path, "--module", kernel, "-o", out_path]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", complaint(&output));
        assert_ne!(std::fs::read(&out).unwrap(), whole, "{command:?}");
        assert!(extracted(out_path, kernel).len() < before.len() || command[0] == "convert");
        assert_eq!(
            extracted(out_path, "main/kernels/forward_kernel"),
            extracted(path, "main/kernels/forward_kernel")
        );
        let output = run([&command[..], &[path, "--module", kernel, "--bare", "-o", out_path]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", complaint(&output));
        assert!(std::fs::read(&out).unwrap().starts_with(b"ML\xefR"), "{command:?}");
    }
    let output = run(["convert", path, "--module", kernel, "--to", "vhlo", "-o", out_path]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(["strip", path, "--module", "vjp/kernels/other", "-o", out_path]);
    assert!(complaint(&output).contains("vjp/kernels/backward_kernel"), "{}", complaint(&output));
}

#[test]
fn a_table_of_hosts_is_checked_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("hosts.toml");
    std::fs::write(&table, "[[host]]\noperation = \"a.b\"\nattribute = \"c\"\nencoding = \"rot13\"\n")
        .unwrap();
    let output = run(["info", mlp().to_str().unwrap(), "--hosts", table.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(complaint(&output).contains("in line 4"), "{}", complaint(&output));
}

#[test]
fn exports_are_converted_for_a_release_of_jax() {
    let folder = tempfile::tempdir().unwrap();
    let (mlp, out) = (mlp(), folder.path().join("out.jax"));
    let (mlp, out_path) = (mlp.to_str().unwrap(), out.to_str().unwrap());
    for (option, version) in [
        (vec!["--for-jax", "0.7.2"], "0.7.2"),
        (vec!["--target", "jax-0.8.0"], "0.8.0"),
        (vec!["--target", "jaxlib-0.6"], "0.6.0"),
    ] {
        let output = run([&["convert", mlp, "-o", out_path][..], &option].concat());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{option:?}");
        for module in ["main", "vjp"] {
            let check = run(["check", out_path, "--module", module, "--target", &format!("jax-{version}")]);
            assert_eq!(check.status.code(), Some(0), "{option:?}: {}", text(&check.stdout));
        }
    }
    // A module without its container is a portable artifact, which a release of jaxlib reads.
    let output = run(["convert", mlp, "--bare", "--for-jax", "0.6.2", "-o", out_path]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let info = run(["info", out_path]);
    assert!(text(&info.stdout).contains("by StableHLO_v1.11.0"), "{}", text(&info.stdout));
    let output = run(["convert", out_path, "--target", "jaxlib-0.5.3", "-o", out_path]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let info = run(["info", out_path]);
    assert!(text(&info.stdout).contains("by StableHLO_v1.10.0"), "{}", text(&info.stdout));
}

#[test]
fn a_conversion_for_jax_that_is_not_possible_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.jax");
    let out_path = out.to_str().unwrap();
    let data = root().join("tests/data/containers");
    let key = data.join("key.jax");
    let (key, mlp) = (key.to_str().unwrap(), mlp());
    let layers = root().join("examples/two_layers.mlirbc");
    for (command, status, message) in [
        (vec![key, "--for-jax", "0.5.0"], 1, "does not know the element type key<fry>"),
        (vec![key, "--for-jax", "0.1"], 2, "is not a release of JAX that mlirbc knows"),
        (vec![mlp.to_str().unwrap(), "--module", "vjp", "--for-jax", "0.7.2"], 1, "as a whole"),
        (vec![mlp.to_str().unwrap(), "--target", "jaxlib-0.7", "--canonical"], 2, "pass `--target` alone"),
        (
            vec![layers.to_str().unwrap(), "--for-jax", "0.7.2"],
            1,
            "neither a JAX export nor a portable artifact",
        ),
    ] {
        let output = run([&["convert"][..], &command, &["-o", out_path]].concat());
        assert!(complaint(&output).contains(message), "{command:?}: {}", complaint(&output));
        assert_eq!((output.status.code(), out.exists()), (Some(status), false), "{command:?}");
    }
    let sharded = data.join("sharded.jax");
    let output = run(["convert", sharded.to_str().unwrap(), "--for-jax", "0.8.1", "-o", out_path]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        complaint(&output).contains("note: `main`: shardings are written as tiles"),
        "{}",
        complaint(&output)
    );
}
