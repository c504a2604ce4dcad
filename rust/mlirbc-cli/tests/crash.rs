//! Whatever happens while a file is replaced, it is the old one or the new one, and nothing is left beside it.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use support::{mlirbc as command, root};

const OLD: usize = 24 << 20;

/// A module with a blob of some megabytes, and a file to put in its place.
fn setting() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (model, weights) = (folder.path().join("model.mlirbc"), folder.path().join("weights.bin"));
    std::fs::write(&weights, vec![1; OLD]).unwrap();
    std::fs::copy(root().join("tests/data/bytecode/llvm-22/v6/resources_external.mlirbc"), &model).unwrap();
    let done = replace(&model, &weights).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    std::fs::write(&weights, vec![2; OLD + 4096]).unwrap();
    (folder, model, weights)
}

fn replace(model: &Path, weights: &Path) -> Command {
    let mut command = command();
    command.args(["resources", model.to_str().unwrap(), "--group", "builtin", "--resize", "--replace"]);
    command.arg(format!("blob={}", weights.display())).arg("-o").arg(model);
    command
}

fn content(model: &Path) -> (usize, u8) {
    let module = mlirbc::Module::open(model).unwrap();
    module.verify().unwrap();
    let resource = module.resources().unwrap().last().unwrap();
    let Some(mlirbc::file::ResourceValue::Blob { bytes, .. }) = resource.value().unwrap() else { panic!() };
    assert!(bytes.iter().all(|&byte| byte == bytes[0]));
    (bytes.len(), bytes[0])
}

#[test]
fn a_kill_at_any_moment_leaves_one_or_the_other() {
    let (folder, model, weights) = setting();
    let mut killed = 0;
    for step in 0..40 {
        let mut child = replace(&model, &weights).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(700 * step));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
        let content = content(&model);
        assert!(content == (OLD, 1) || content == (OLD + 4096, 2), "{content:?}");
        if content.1 == 2 {
            std::fs::write(&weights, vec![1; OLD]).unwrap();
            assert!(replace(&model, &weights).status().unwrap().success());
            std::fs::write(&weights, vec![2; OLD + 4096]).unwrap();
        }
    }
    assert!(killed > 0);
    // A process that was killed leaves only files with names of their own, never a partial model.
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(["model.mlirbc", "weights.bin"].contains(&&*name) || name.starts_with(".mlirbc-"), "{name}");
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_beside_it() {
    let (folder, model, weights) = setting();
    // A file can grow to a few megabytes and no further.
    let command = replace(&model, &weights);
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8192; exec \"$0\" \"$@\""])
        .arg(command.get_program())
        .args(command.get_args())
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(3), "{limited:?}");
    assert!(String::from_utf8_lossy(&limited.stderr).contains("cannot write"), "{limited:?}");
    assert_eq!(content(&model), (OLD, 1));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_file_that_must_not_be_written_stays_as_it_is() {
    let (folder, model, weights) = setting();
    std::fs::set_permissions(&model, std::fs::Permissions::from_mode(0o444)).unwrap();
    let refused = replace(&model, &weights).output().unwrap();
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    assert_eq!(content(&model), (OLD, 1));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_file_of_weights_that_is_gone_is_named() {
    let (_folder, model, weights) = setting();
    std::fs::remove_file(&weights).unwrap();
    let refused = replace(&model, &weights).output().unwrap();
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("weights.bin"), "{refused:?}");
    assert_eq!(content(&model), (OLD, 1));
}
