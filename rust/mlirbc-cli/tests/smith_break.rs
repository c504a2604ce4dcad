//! `mlirbc smith --break`: the name of each file is the identifier that reading it raises.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn mlirbc(arguments: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mlirbc")).args(arguments).arg(path).output().unwrap()
}

#[test]
fn each_file_raises_the_identifier_in_its_name() {
    let folder = tempfile::tempdir().unwrap();
    assert!(mlirbc(&["smith", "--break", "all", "-o"], folder.path()).status.success());
    let list = Command::new(env!("CARGO_BIN_EXE_mlirbc")).args(["smith", "--list-rules"]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let rules: Vec<Vec<&str>> =
        list.lines().skip(1).map(|line| line.split_whitespace().take(2).collect()).collect();
    assert!(rules.len() > 80);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), rules.len());
    // Other rules need another call, or other limits.
    let is_verified = |rule: &&Vec<&str>| rule[1] == "verify" && !rule[0].contains(".limit");
    for rule in rules.iter().filter(is_verified) {
        let output = mlirbc(&["verify"], &folder.path().join(format!("0-{}.mlirbc", rule[0])));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("error[{}]", rule[0])), "{}: {error}", rule[0]);
    }
}
