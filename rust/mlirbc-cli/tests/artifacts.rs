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
    assert!(complaint(&output).contains("`main/kernels/blocked_dot` keeps its locations"));
    let output = run(["print", path, "--module", "main/kernels/blocked_dot"]);
    assert!(text(&output.stdout).contains("stable_mosaic.func.func"));
    // The magic number of the kernel in base64, with another version of bytecode than there is.
    let at = whole.windows(8).position(|window| window == b"TUzvUgFN").unwrap();
    let mut damaged = whole.clone();
    damaged[at + 6] = b'/';
    std::fs::write(&file, &damaged).unwrap();
    let output = run(["verify", path]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), ""));
    assert!(complaint(&output).contains("module `main/kernels/blocked_dot`"), "{}", complaint(&output));
    // What is not base64 has a position, and nothing is written.
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
