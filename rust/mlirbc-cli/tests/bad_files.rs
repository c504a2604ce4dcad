//! Files that are not bytecode, or bad bytecode, give one sentence and the right exit status.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::Path;

use mlirbc::{Error, Module};
use serde_json::{Value, json};
use support::{complaint, files, root, run, text};

const COMMANDS: [&str; 4] = ["info", "verify", "ops", "resources"];

#[track_caller]
fn refused(path: &Path, expected: &[&str]) {
    for command in COMMANDS {
        for backend in ["map", "read"] {
            let output = run([command.as_ref(), path.as_os_str(), "--backend".as_ref(), backend.as_ref()]);
            assert_eq!(output.status.code(), Some(3), "{command}");
            assert!(output.stdout.is_empty(), "{command}");
            let line = complaint(&output);
            for part in expected {
                assert!(line.contains(part), "{command} {backend}: {line}");
            }
        }
    }
}

#[test]
fn each_other_file_gets_the_sentence_its_user_needs() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    refused(&folder.path().join("none"), &["error[mlirbc.io]: cannot open", "none", "check the path"]);
    refused(&file("empty", b""), &["empty: error[mlirbc.read.empty]", "an empty file", "ran to completion"]);
    // The text of a module is read, but not in a compressed file.
    let text = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcd\x4f\x29\xcd\x49\x55\xa8\xae\xe5\x02\x00\x38\x09\x8e\x02\x0a\x00\x00\x00";
    refused(&file("a.mlir.gz", text), &["error[mlirbc.read.text]", "decompress it"]);
    refused(&file("a.zip", b"PK\x03\x04\x14\0"), &["error[mlirbc.read.archive]", "zip", "unpack it"]);
    refused(&file("a.gz", b"\x1f\x8b\x08\0"), &["error[mlirbc.read.compressed]", "gzip", "download"]);
    refused(&file("a.bz2", b"BZh91AY"), &["error[mlirbc.read.archive]", "bzip2", "unpack it"]);
    refused(&file("elf", b"\x7fELF\x02\x01\x01\0"), &["error[mlirbc.read.other_format]", "ELF", "compiled"]);
    refused(&file("other", b"\x7fOTH\x02\x01\x01\0"), &["error[mlirbc.read.magic]", "`7f 4f 54 48`"]);
    refused(
        &file("new", b"ML\xefR\x0f"),
        &["error[mlirbc.unsupported.version]", "found `7`", "newer mlirbc"],
    );
    refused(&file("cut", b"ML\xef"), &["error[mlirbc.read.truncated]", "at 0x3"]);
}

fn record(file: &Path, error: &Error) -> Value {
    json!({
        "file": file.to_str(),
        "error": {
            "identifier": error.identifier(),
            "message": error.to_string(),
            "offset": error.offset(),
            "section": error.section().map(|section| section.name()),
            "expected": Some(error.expected()).filter(|text| !text.is_empty()),
            "found": Some(error.found()).filter(|text| !text.is_empty()),
            "path": error.path(),
            "hint": error.hint(),
        },
    })
}

#[test]
fn verify_says_what_the_core_says() {
    let mut bad = 0;
    for file in files("tests/data/hostile") {
        let verified = Module::open(&file).and_then(|module| module.verify());
        let plain = run(["verify".as_ref(), file.as_os_str()]);
        let output = run(["verify".as_ref(), file.as_os_str(), "--json".as_ref()]);
        assert_eq!(output.status, plain.status);
        assert!(output.stderr.is_empty());
        let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
        let Err(error) = verified else {
            assert_eq!(output.status.code(), Some(0), "{}", file.display());
            assert_eq!(outcome["error"], Value::Null);
            let line = text(&plain.stdout);
            assert!(line.contains(": ok, bytecode version ") || line.contains(": ok, text for "), "{line}");
            continue;
        };
        bad += 1;
        assert_eq!(output.status.code(), Some(3), "{}", file.display());
        assert_eq!(outcome, record(&file, &error));
        assert!(plain.stdout.is_empty());
        let line = complaint(&plain);
        assert!(line.contains(&format!(": error[{}]: {error}", error.identifier())), "{line}");
        assert!(error.offset().is_none_or(|at| line.contains(&format!(", at {at:#x}"))), "{line}");
    }
    assert!(bad > 100, "only {bad} bad files");
}

#[test]
fn no_command_fails_in_another_way() {
    for file in files("tests/data/hostile") {
        for command in ["info", "ops", "resources"] {
            let output = run([command.as_ref(), file.as_os_str()]);
            match output.status.code() {
                Some(0) => assert!(output.stderr.is_empty()),
                Some(3) => assert!(complaint(&output).contains(": error[mlirbc.")),
                other => panic!("{command} {}: {other:?}", file.display()),
            }
        }
    }
}

#[test]
fn a_bad_file_shows_what_can_be_read_of_it() {
    let file = root().join("tests/data/hostile/count.ops_4294967296.mlirbc");
    let output = run(["info".as_ref(), file.as_os_str()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("\nDialect "));
    assert!(complaint(&output).contains("error[mlirbc.read.count]"));

    let output = run(["info".as_ref(), file.as_os_str(), "--json".as_ref()]);
    assert!(output.stdout.is_empty(), "JSON is there as a whole or not at all");
}

#[test]
fn limits_are_options_and_their_hints_name_them() {
    let file = root().join("tests/data/bytecode/llvm-22/v6/deep.mlirbc");
    for (option, number, identifier) in
        [("--max-depth", "20", "mlirbc.limit.depth"), ("--max-memory", "64", "mlirbc.limit.memory")]
    {
        let args = ["verify".as_ref(), file.as_os_str(), option.as_ref(), number.as_ref()];
        let output = run(args);
        assert_eq!(output.status.code(), Some(3));
        let line = complaint(&output);
        assert!(line.contains(identifier) && line.contains(&format!("raise `{option}`")), "{line}");
    }
}

#[test]
fn names_cannot_command_the_terminal() {
    let mut bytes = mlirbc::doc_example();
    let dialect = bytes.windows(3).position(|window| window == b"\0t\0").unwrap();
    bytes[dialect + 1] = 0x1b;
    bytes[5] = 0x07; // the producer
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bell\x07.mlirbc");
    std::fs::write(&file, bytes).unwrap();
    for args in [&["info"][..], &["verify"], &["ops"], &["ops", "--count"], &["info", "--json"]] {
        let mut args: Vec<_> = args.iter().map(AsRef::as_ref).collect();
        args.insert(1, file.as_os_str());
        let output = run(args);
        assert!(output.status.success());
        let shown = text(&output.stdout);
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    }
    let output = run(["resources".as_ref(), file.as_os_str(), "--group".as_ref(), "\x1b".as_ref()]);
    assert!(complaint(&output).contains("\\u{7}"));
}
