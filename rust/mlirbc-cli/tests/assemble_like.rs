//! `mlirbc assemble --like`: printed text is assembled for the release and version of the file.

#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use mlirbc::{Module, WriteOptions};
use support::{complaint, example, files, mlirbc, run, text};

#[test]
fn the_text_of_a_file_is_assembled_for_its_release_and_version() {
    let folder = tempfile::tempdir().unwrap();
    let [printed, made] = ["text.mlir", "made.mlirbc"].map(|name| folder.path().join(name));
    for release in ["llvm-16", "llvm-19", "llvm-22"] {
        let all = files(format!("tests/data/bytecode/{release}"));
        let mut same = 0;
        for path in all.iter().step_by(1 + all.len() / 24) {
            let module = Module::open(path).unwrap();
            let Some(name) = module.release().unwrap().nearest().map(str::to_owned) else { continue };
            let print = ["print", "--lossless", "--locations", "-o"].map(Into::into);
            let files = [printed.clone().into_os_string(), path.clone().into()];
            assert!(run(print.into_iter().chain(files)).status.success(), "{}", path.display());
            let output = mlirbc()
                .arg("assemble")
                .arg(&printed)
                .arg("--like")
                .arg(path)
                .arg("-o")
                .arg(&made)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}: {}", path.display(), text(&output.stderr));
            let again = Module::open(&made).unwrap();
            assert_eq!(
                again.tables().bytecode().version(),
                module.tables().bytecode().version(),
                "{}",
                path.display()
            );
            let written = |module: &Module| {
                let mut bytes = Vec::new();
                let options = WriteOptions::default()
                    .numbering(mlirbc::write::Numbering::Canonical)
                    .target(mlirbc::Release::named(name.clone()));
                module.write(&mut bytes, &options).map(|_| bytes).ok()
            };
            same += usize::from(written(&again) == written(&module));
        }
        // Some texts do not have the order of uses.
        assert!(same >= 15, "{release}: {same}");
    }
}

#[test]
fn what_the_release_cannot_be_taken_from_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let [text_file, out, bad] = ["a.mlir", "out.mlirbc", "bad.mlirbc"].map(|name| folder.path().join(name));
    std::fs::write(&text_file, "\"t.a\"() : () -> ()\n").unwrap();
    std::fs::write(&bad, b"ML\xefR\x0d").unwrap();
    let assemble = |like: &std::path::Path, more: &[&str]| {
        let mut command = mlirbc();
        command.arg("assemble").arg(&text_file).arg("--like").arg(like).arg("-o").arg(&out).args(more);
        command.output().unwrap()
    };
    let output = assemble(&bad, &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(complaint(&output).contains("bad.mlirbc: error[mlirbc.read."), "{}", complaint(&output));
    let missing = assemble(&folder.path().join("missing"), &[]);
    assert_eq!(missing.status.code(), Some(3));
    assert!(complaint(&missing).contains("missing"), "{}", complaint(&missing));
    assert_eq!(assemble(&example(), &["--target", "llvm-19"]).status.code(), Some(2));
    assert!(!out.exists());
    assert!(assemble(&example(), &["--bytecode-version", "4"]).status.success());
    assert_eq!(Module::open(&out).unwrap().tables().bytecode().version().number(), 4);
}
