//! What `mlirbc smith` writes, as other commands read it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::Path;
use std::process::Output;

use support::{mlirbc, text};

fn run(folder: &Path, args: &[&str]) -> Output {
    mlirbc().current_dir(folder).args(args).output().unwrap()
}

#[test]
fn declared_encodings_are_known_with_their_table_only() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let args =
        ["smith", "--count", "8", "--bytecode-version", "6", "--with", "declared-encodings", "-o", "out"];
    let output = run(folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut refused = 0;
    for seed in 0..8 {
        let (file, table) = (format!("out/{seed}.mlirbc"), format!("out/{seed}.toml"));
        // `test` is unknown, too, so that `--require-known` cannot be asked for.
        let unknown = |args: &[&str]| {
            let output = run(folder, &[&["verify", &file], args].concat());
            assert!(output.status.success(), "{seed}: {}", text(&output.stderr));
            text(&output.stdout).lines().filter(|line| line.contains("not checked: declared")).count()
        };
        assert_eq!(unknown(&["--dialects", &table]), 0, "{seed}");
        refused += usize::from(unknown(&[]) > 0);
    }
    assert!(refused > 4, "{refused}");
}

#[test]
fn a_version_that_the_release_does_not_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = run(folder, &["smith", "--target", "llvm-16", "--bytecode-version", "6", "-o", "out"]);
    assert!(!output.status.success());
    let said = text(&output.stderr).to_owned();
    assert!(said.contains("llvm-16 reads bytecode version 0 only, not 6"), "{said}");
    let output = run(folder, &["smith", "--target", "llvm-16", "--break", "all", "-o", "out"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rules = |output: &Output| text(&output.stdout).lines().count();
    let all = run(folder, &["smith", "--break", "all", "-o", "all"]);
    assert!(rules(&output) > 50 && rules(&output) < rules(&all), "{} {}", rules(&output), rules(&all));
}
