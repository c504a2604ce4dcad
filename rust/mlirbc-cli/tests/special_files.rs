//! Pipes, sockets and devices: named ones are read up to a limit; folders and patterns leave them out.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use support::{example, json, text};

/// A command with little memory and time, so that one which reads for ever fails instead of the machine.
fn bounded(line: &str, folder: &Path) -> Output {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v 4000000; mlirbc() {{ \"$MLIRBC\" \"$@\"; }}; {line}");
    command.args(["-c", &limited]).current_dir(folder).env("MLIRBC", env!("CARGO_BIN_EXE_mlirbc"));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            // The command, and what it waits for.
            let group = rustix::process::Pid::from_child(&child);
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
            panic!("{line} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn pipe(path: &Path) {
    rustix::fs::mkfifoat(rustix::fs::CWD, path, 0o600.into()).unwrap();
}

#[test]
fn what_never_ends_is_read_to_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(example(), folder.path().join("a.mlirbc")).unwrap();
    for line in [
        "mlirbc info --max-memory 1M /dev/zero",
        "mlirbc info --max-memory 1M --backend read /dev/zero",
        "mlirbc verify --max-memory 1M - < /dev/zero",
        "yes | mlirbc print --max-memory 1M -",
        "yes | mlirbc print --max-memory 1M /dev/stdin",
        "mlirbc assemble --max-memory 1M /dev/zero -o out",
        "yes | mlirbc assemble --max-memory 1M - -o out",
        "mlirbc assemble --max-memory 1M --like /dev/zero /dev/null -o out",
        "mlirbc info --max-memory 1M --schemas /dev/zero a.mlirbc",
        "mlirbc info --max-memory 1M --dialects /dev/zero a.mlirbc",
        "mlirbc resources --max-memory 1M a.mlirbc --replace layer0.weight=/dev/zero -o out",
        "yes | mlirbc resources --max-memory 1M a.mlirbc --replace layer0.weight=- -o out",
        "mlirbc diff --max-memory 1M a.mlirbc /dev/zero",
        // The default: a quarter of the memory that the process may have.
        "mlirbc info /dev/zero",
        "mlirbc mutate /dev/zero -o outs",
    ] {
        let output = bounded(line, folder.path());
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{line}: {complaint}");
        assert!(complaint.contains("error[mlirbc.limit.memory]"), "{line}: {complaint}");
        assert!(complaint.contains("the limit for what is read into memory"), "{line}: {complaint}");
    }
    assert!(!folder.path().join("out").exists());
}

#[test]
fn what_needs_ranges_must_be_a_regular_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(example(), folder.path().join("a.mlirbc")).unwrap();
    pipe(&folder.path().join("pipe"));
    for name in ["/dev/zero", "pipe"] {
        let output = bounded(&format!("mlirbc weights import a.mlirbc {name} -o out"), folder.path());
        let complaint = text(&output.stderr);
        assert!(complaint.contains("not a regular file"), "{complaint}");
        assert_eq!(output.status.code(), Some(3), "{complaint}");
    }
}

#[test]
fn a_pipe_that_is_named_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(example(), folder.path().join("a.mlirbc")).unwrap();
    pipe(&folder.path().join("pipe.mlirbc"));
    let expected = bounded("mlirbc ops a.mlirbc", folder.path());
    for line in [
        "cat a.mlirbc | mlirbc ops -",
        "cat a.mlirbc | mlirbc ops /dev/stdin",
        "cat a.mlirbc > pipe.mlirbc & mlirbc ops pipe.mlirbc",
    ] {
        let output = bounded(line, folder.path());
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        assert_eq!(output.stdout, expected.stdout, "{line}");
    }
    let line = "mlirbc resources a.mlirbc --extract layer0.weight -o - > bytes; \
                tr '\\0-\\377' '\\7' < bytes > sevens; \
                cat sevens | mlirbc resources a.mlirbc --replace layer0.weight=/dev/stdin -o b.mlirbc && \
                mlirbc resources b.mlirbc --extract layer0.weight -o - | cmp - sevens";
    let output = bounded(line, folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn folders_and_patterns_stand_for_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("in/sub")).unwrap();
    fs::copy(example(), at("in/a.mlirbc")).unwrap();
    symlink("/dev/zero", at("in/zero.mlirbc")).unwrap();
    symlink("a.mlirbc", at("in/link.mlirbc")).unwrap();
    pipe(&at("in/sub/pipe.mlirbc"));
    let _socket = UnixListener::bind(at("in/socket.mlirbc")).unwrap();
    for line in [
        "mlirbc info in",
        "mlirbc info 'in/**/*.mlirbc'",
        "mlirbc verify in",
        "mlirbc ops in",
        "mlirbc convert --bare in -o out",
    ] {
        let output = bounded(line, folder.path());
        let notes = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {notes}");
        for name in ["in/socket.mlirbc", "in/sub/pipe.mlirbc", "in/zero.mlirbc"] {
            let note = format!("note: `{name}` is left out: it is not a regular file\n");
            assert!(notes.contains(&note), "{line}: {notes}");
        }
        assert!(notes.ends_with("2 files, 0 failed\n"), "{line}: {notes}");
    }
    let output = bounded("mlirbc info -q in", folder.path());
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn the_files_of_a_manifest_are_regular_files_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = bounded(&format!("mlirbc split '{}' -o parts", example().display()), folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let parts = folder.path().join("parts");
    let manifest = fs::read_dir(&parts).unwrap().map(|entry| entry.unwrap().path());
    let manifest = manifest.into_iter().find(|path| path.extension() == Some("json".as_ref())).unwrap();
    let list: serde_json::Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    let part = parts.join(list["parts"][0]["file"].as_str().unwrap());
    let bytes = fs::read(&part).unwrap();
    fs::remove_file(&part).unwrap();
    pipe(&part);
    let refused = |line: &str| {
        let output = bounded(line, folder.path());
        let complaint = text(&output.stderr).to_owned();
        assert!(complaint.contains("is not a regular file"), "{complaint}");
        assert_eq!(output.status.code(), Some(1), "{complaint}");
    };
    refused("mlirbc merge parts -o out");
    fs::remove_file(&part).unwrap();
    fs::write(folder.path().join("elsewhere"), bytes).unwrap();
    symlink(folder.path().join("elsewhere"), &part).unwrap();
    refused("mlirbc merge parts -o out");
    assert!(
        json(["info".as_ref(), "--json".as_ref(), folder.path().join("elsewhere").as_os_str()]).is_object()
    );
}
