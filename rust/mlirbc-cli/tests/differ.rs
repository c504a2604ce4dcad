//! `diff-test` with readers that crash, hang, use much memory, reject or print, and `shrink` with a check
//! that keeps its result.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(unix)] // the readers are scripts

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use support::{example, heed_signals, mlirbc, text};

fn script(folder: &Path, name: &str, body: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A folder with a valid file and a truncated one, whose names are hard to pass on a command line.
fn files(folder: &Path) -> PathBuf {
    let files = folder.join("files");
    std::fs::create_dir(&files).unwrap();
    let bytes = std::fs::read(example()).unwrap();
    std::fs::write(files.join("good '$(touch x)'; touch y.mlirbc"), &bytes).unwrap();
    std::fs::write(files.join("short.mlirbc"), &bytes[..100]).unwrap();
    files
}

fn run(folder: &Path, args: &[&str]) -> Output {
    mlirbc().current_dir(folder).args(args).output().unwrap()
}

fn report(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("out/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn counts(report: &Value, reader: &str, class: &str) -> u64 {
    let readers = report["readers"].as_array().unwrap();
    let row = readers.iter().find(|row| row["name"] == reader).unwrap();
    row["counts"][class].as_u64().unwrap()
}

#[test]
fn every_class_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    files(folder);
    script(folder, "crash", "echo 'x.cpp:3: f(): Assertion `i < n'\\'' failed.' >&2; kill -SEGV $$");
    script(folder, "hang", "sleep 100");
    script(folder, "memory", "echo 'LLVM ERROR: out of memory' >&2; exit 1");
    script(folder, "reject", "echo \"$1:1:2: error: number 17\" >&2; exit 1");
    let mut args = vec!["diff-test", "files", "--report", "out", "--timeout", "3", "--jobs", "2"];
    for reader in ["./crash {}", "./hang {}", "./memory {}", "./reject {}"] {
        args.extend(["--reader", reader]);
    }
    let output = run(folder, &args);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = report(folder);
    assert_eq!(counts(&report, "crash", "crashes"), 2);
    assert_eq!(counts(&report, "hang", "hangs"), 2);
    assert_eq!(counts(&report, "memory", "out-of-memory"), 2);
    assert_eq!(counts(&report, "reject", "rejects"), 2);
    assert_eq!((counts(&report, "mlirbc", "accepts"), counts(&report, "mlirbc", "rejects")), (1, 1));
    let groups = report["groups"].as_array().unwrap();
    let crash = groups.iter().find(|group| group["kind"] == "crash").unwrap();
    assert_eq!(crash["signature"], "SIGSEGV | assertion failed: i < n");
    assert_eq!(crash["files"].as_array().unwrap().len(), 2);
    let disagreement = groups.iter().find(|group| group["kind"] == "disagreement").unwrap();
    assert_eq!(disagreement["readers"], serde_json::json!(["mlirbc", "reject"]));
    // No name was taken for a command.
    assert!(!folder.join("x").exists() && !folder.join("y").exists());
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(page.contains("2 of 2 files") && !page.contains("http:") && !page.contains("https:"), "{page}");
    let sarif = std::fs::read_to_string(folder.join("out/report.sarif")).unwrap();
    assert!(sarif.contains("\"version\": \"2.1.0\""));
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    files(folder);
    script(folder, "eater", "exec dd if=/dev/zero of=/dev/null bs=1G count=1");
    let args = ["diff-test", "files", "--reader", "./eater {}", "--memory", "200M", "--report", "out"];
    let output = run(folder, &[&args[..], &["--timeout", "60"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(counts(&report(folder), "eater", "out-of-memory"), 2, "{}", text(&output.stdout));
}

#[test]
fn texts_are_compared_and_spelling_need_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let files = files(folder);
    std::fs::remove_file(files.join("short.mlirbc")).unwrap();
    let bin = env!("CARGO_BIN_EXE_mlirbc");
    let same = format!("text: {bin} print --generic {{}}");
    let output = run(folder, &["diff-test", "files", "--reader", &same]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(text(&output.stdout).lines().count(), 3);

    script(folder, "respelled", &format!("{bin} print --generic \"$1\" | sed 's/^/ /; s/^ *}}/&\\n/'"));
    let reader = ["diff-test", "files", "--reader", "text: ./respelled {}"];
    assert_eq!(run(folder, &reader).status.code(), Some(1));
    let output = run(folder, &[&reader[..], &["--canonical"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));

    script(folder, "other", &format!("{bin} print --generic \"$1\" | sed 's/arith.addf/arith.subf/'"));
    let output = run(folder, &["diff-test", "files", "--reader", "text: ./other {}", "--canonical"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("meaning-"), "{}", text(&output.stdout));
}

#[test]
fn a_run_is_resumed_and_cases_are_shrunk() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let files = files(folder);
    let body = "echo x >> log; grep -q arith \"$1\" && kill -ABRT $$; exit 1";
    script(folder, "reader", body);
    let args = ["diff-test", "files", "--reader", "./reader {}", "--report", "out"];
    assert_eq!(run(folder, &args).status.code(), Some(1));
    let runs = || std::fs::read_to_string(folder.join("log")).unwrap().lines().count();
    assert_eq!(runs(), 2);

    // The last record is truncated, as if the system had stopped, and a file changes.
    let state = folder.join("out/runs.jsonl");
    let before = std::fs::read(&state).unwrap();
    std::fs::write(&state, &before[..before.len() - 5]).unwrap();
    assert_eq!(run(folder, &[&args[..], &["--resume"]].concat()).status.code(), Some(1));
    assert_eq!(runs(), 3);
    std::fs::write(files.join("short.mlirbc"), b"new").unwrap();
    let output = run(folder, &[&args[..], &["--resume", "--shrink"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = report(folder);
    assert_eq!(report["complete"], true);
    let crash = &report["groups"][0];
    assert_eq!(crash["kind"], "crash");
    let case = folder.join("out").join(crash["case"]["file"].as_str().unwrap());
    let size = std::fs::read(case).unwrap().len();
    assert!(size < 110, "{size}");

    let arguments = ["diff-test", "files", "--reader", "./other {}", "--report", "out", "--resume"];
    let output = run(folder, &arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("other readers or limits"), "{}", text(&output.stderr));
}

#[test]
fn ctrl_c_keeps_what_was_done() {
    heed_signals();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    files(folder);
    script(folder, "reader", "case \"$1\" in *short*) kill -INT $PPID; sleep 100;; esac");
    let args =
        ["diff-test", "files", "--reader", "./reader {}", "--report", "out", "--timeout", "3", "--jobs", "1"];
    let output = run(folder, &args);
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(2), "{output:?}");
    assert!(text(&output.stdout).ends_with("interrupted after 1 of 2 files\n"), "{}", text(&output.stdout));
    assert_eq!(report(folder)["complete"], false);
    script(folder, "reader", "exit 0");
    run(folder, &[&args[..], &["--resume"]].concat());
    let report = report(folder);
    assert_eq!((&report["complete"], counts(&report, "reader", "accepts")), (&Value::Bool(true), 2));
}

#[test]
fn a_file_shrinks_while_the_check_holds() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = example();
    let file = file.to_str().unwrap();
    let bin = env!("CARGO_BIN_EXE_mlirbc");
    script(folder, "check", &format!("{bin} ops \"$1\" 2>&1 | grep -q arith.maximumf"));
    let output = run(folder, &["shrink", file, "--check", "./check {}", "-o", "small.mlirbc"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let size = std::fs::read(folder.join("small.mlirbc")).unwrap().len();
    assert!(size < 300, "{size}");
    let verified = run(folder, &["verify", "--ops", "small.mlirbc"]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
    assert!(text(&output.stdout).contains(&format!(" to {size} bytes, ")), "{}", text(&output.stdout));

    let args = ["shrink", file, "--check", "./check {}", "--allow-invalid", "-o", "tiny.mlirbc"];
    assert!(run(folder, &args).status.success());
    let size = std::fs::read(folder.join("tiny.mlirbc")).unwrap().len();
    assert!(size < 150, "{size}");

    let args = ["shrink", file, "--check", "./check {}", "--expect-status", "7", "-o", "none.mlirbc"];
    let output = run(folder, &args);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("status 0 for the original, not status 7"));
    assert!(!folder.join("none.mlirbc").exists());
}

#[test]
fn a_text_stays_a_valid_text() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let module = "\
        func.func @unused(%x: f32) -> f32 {\n  return %x : f32\n}\n\
        func.func @main(%x: tensor<4x8xf64>, %n: index) -> tensor<4x8xf64> {\n  \
        %u = func.call @twice(%x) : (tensor<4x8xf64>) -> tensor<4x8xf64>\n  \
        %v = arith.mulf %u, %x : tensor<4x8xf64>\n  %w = arith.addf %v, %u : tensor<4x8xf64>\n  \
        return %w : tensor<4x8xf64>\n}\n\
        func.func @twice(%x: tensor<4x8xf64>) -> tensor<4x8xf64> {\n  \
        %y = arith.addf %x, %x : tensor<4x8xf64>\n  return %y : tensor<4x8xf64>\n}\n";
    std::fs::write(folder.join("model.mlir"), module).unwrap();
    script(folder, "check", "grep -q arith.mulf \"$1\"");
    for until in ["operations", "attributes", "bytes"] {
        let args = ["shrink", "model.mlir", "--check", "./check {}", "--until", until, "-o", "small.mlir"];
        let output = run(folder, &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let verified = run(folder, &["verify", "--ops", "small.mlir"]);
        assert!(verified.status.success(), "{}", text(&verified.stderr));
        let small = std::fs::read_to_string(folder.join("small.mlir")).unwrap();
        assert!(!small.contains("addf") && !small.contains("twice"), "{small}");
        assert_eq!(small.contains("f64"), until == "operations", "{small}");
    }
}

#[test]
fn a_file_shrinks_to_the_same_with_any_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = example();
    let file = file.to_str().unwrap();
    let bin = env!("CARGO_BIN_EXE_mlirbc");
    // Each check has a file of its own, or it would see the answers of another check.
    script(
        folder,
        "check",
        &format!(
            "a=$(cksum < \"$1\"); {bin} ops \"$1\" 2>&1 | grep -q arith.maximumf || exit 1\n[ \"$a\" = \"$(cksum < \"$1\")\" ]"
        ),
    );
    let with = |jobs: &str| {
        let args = ["shrink", file, "--check", "./check {}", "--jobs", jobs, "-o", "small.mlirbc"];
        let output = run(folder, &args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(folder.join("small.mlirbc")).unwrap()
    };
    assert_eq!(with("1"), with("3"));
    let output = run(folder, &["shrink", file, "--check", "./check {}", "--jobs", "0", "-o", "small.mlirbc"]);
    assert_eq!(output.status.code(), Some(2));
}

/// The bytes of a file that mlirbc rejects, and the result of `shrink` with these options.
fn shrunk(folder: &Path, file: &Path, options: &[&str]) -> (Output, Option<Vec<u8>>) {
    let out = folder.join("small.mlirbc");
    let _ = std::fs::remove_file(&out);
    let words = ["shrink", file.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let output = run(folder, &[&words[..], options].concat());
    (output, std::fs::read(out).ok())
}

#[test]
fn a_file_that_is_rejected_stays_rejected_for_the_same_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = support::root().join("tests/data/hostile/count.ops_4294967296.mlirbc");
    let check = format!("{} verify {{}}", env!("CARGO_BIN_EXE_mlirbc"));
    let (output, small) = shrunk(folder, &file, &["--check", &check]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("status 3 and `mlirbc.read.count`"), "{}", text(&output.stdout));
    let small = small.unwrap();
    assert!(!small.is_empty() && small.len() < std::fs::read(&file).unwrap().len());
    let error = mlirbc::Module::from_bytes(small).and_then(|module| module.verify().map(drop)).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.read.count");

    // The status alone does not distinguish files: an empty file is rejected, too.
    let (output, small) = shrunk(folder, &file, &["--check", &check, "--expect-status", "3"]);
    assert_eq!((output.status.code(), small), (Some(1), None));
    assert!(text(&output.stderr).contains("an empty file has the property, too"), "{}", text(&output.stderr));
    let any = &["--check", &check, "--expect-output", "error"];
    let (output, _) = shrunk(folder, &file, any);
    assert_eq!(output.status.code(), Some(1));

    let (output, small) =
        shrunk(folder, &file, &["--check", &check, "--expect-output", r"read\.(count|index)"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!small.unwrap().is_empty());
    let (output, small) = shrunk(folder, &file, &["--check", &check, "--expect-output", "nothing like it"]);
    assert_eq!((output.status.code(), small), (Some(1), None));
    assert!(text(&output.stderr).contains("does not match the expression"), "{}", text(&output.stderr));
}

#[test]
fn messages_are_compared_without_numbers_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let body = "test -s \"$1\" || exit 1; echo \"$1:$(wc -c < \"$1\"): error: too long\" >&2; test $(wc -c < \"$1\") -gt 700";
    script(folder, "reader", &format!("{body} || {{ echo short >&2; exit 1; }}; kill -ABRT $$"));
    let (output, small) = shrunk(folder, &example(), &["--check", "./reader {}"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(small.unwrap().len() > 700);
    // A check that gives different results for the same file would end the search without a message.
    script(
        folder,
        "random",
        "test -s \"$1\" || exit 0; echo x >> n; test $(wc -l < n) -gt 1 && echo b >&2 || echo a >&2; exit 1",
    );
    let (output, small) = shrunk(folder, &example(), &["--check", "./random {}"]);
    assert_eq!((output.status.code(), small), (Some(1), None));
    assert!(
        text(&output.stderr).contains("status 1 and `a`, and then with status 1 and `b`"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn mutations_are_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = example();
    let file = file.to_str().unwrap();
    for name in ["a", "b"] {
        let output = run(folder, &["mutate", file, "--seed", "3", "--count", "20", "-o", name]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let all = |name: &str| {
        let mut files: Vec<_> =
            std::fs::read_dir(folder.join(name)).unwrap().map(|one| one.unwrap().path()).collect();
        files.sort();
        files
            .into_iter()
            .map(|path| (path.file_name().unwrap().to_owned(), std::fs::read(path).unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(all("a").len(), 20);
    assert_eq!(all("a"), all("b"));
}

#[test]
fn wrong_options_are_status_2() {
    let folder = tempfile::tempdir().unwrap();
    let wrong: &[&[&str]] = &[
        &["diff-test"],
        &["diff-test", "x", "--reader", "mlir-opt"],
        &["diff-test", "x", "--reader", "mlir-opt '{}"],
        &["diff-test", "x", "--memory", "much"],
        &["diff-test", "x", "--timeout", "0"],
        &["diff-test", "x", "--resume"],
        &["shrink", "x", "--check", "true", "-o", "y"],
        &["mutate", "x", "--only", "nonsense", "-o", "y"],
        &["shrink", "x", "--check", "cat {}", "--expect-output", "(", "-o", "y"],
    ];
    for args in wrong {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
