//! Commands on files with several modules: each takes all of them, or the one that is chosen.

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
    assert_eq!((output.status.code(), complaint(&output).as_str()), (Some(0), ""));
    let output = run(["info", out.to_str().unwrap()]);
    assert!(text(&output.stdout).contains("stable_mosaic.version = 11"), "{}", text(&output.stdout));
    let output = run(["print", path, "--module", "main/kernels/blocked_dot"]);
    assert!(text(&output.stdout).contains("stable_mosaic.func.func"));
    // The magic number of the kernel in base64, with another version of bytecode than there is.
    let at = whole.windows(8).position(|window| window == b"TUzvUgFN").unwrap();
    let mut damaged = whole;
    damaged[at + 6] = b'/';
    std::fs::write(&file, &damaged).unwrap();
    let output = run(["verify", path]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), ""));
    assert!(complaint(&output).contains("module `main/kernels/blocked_dot`"), "{}", complaint(&output));
}

/// A command on one kernel changes it in its place, or writes it alone.
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
    for command in [["strip", "--locations"], ["convert", "--canonical"]] {
        let output = run([&command[..], &[path, "--module", kernel, "-o", out_path]].concat());
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", complaint(&output));
        assert_ne!(std::fs::read(&out).unwrap(), whole, "{command:?}");
        assert!(extracted(out_path, kernel).len() < before.len() || command[0] == "convert");
        assert_eq!(extracted(out_path, "main/kernels/forward_kernel"), extracted(path, "main/kernels/forward_kernel"));
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
    std::fs::write(&table, "[[host]]\noperation = \"a.b\"\nattribute = \"c\"\nencoding = \"rot13\"\n").unwrap();
    let output = run(["info", mlp().to_str().unwrap(), "--hosts", table.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(complaint(&output).contains("in line 4"), "{}", complaint(&output));
}
