//! The exit status of every command for each kind of problem, and one sentence for the same problem everywhere.
//!
//! 0: all is well; 1: a finding; 2: the command line; 3: a file. `docs/reference/cli.md` has the meaning of each.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(target_os = "linux")] // `/dev/full`, and the words of the system

mod support;

use std::path::Path;

use support::{complaint, example, mlirbc, root, run, text};

/// Commands that read a file: the words before and after its name. `OUT` is a file to write, `DIR` a folder.
const READING: [&str; 21] = [
    "info FILE",
    "verify FILE",
    "ops FILE",
    "layout FILE",
    "print FILE",
    "resources FILE",
    "dump FILE",
    "size FILE",
    "cost FILE",
    "explore FILE -o OUT",
    "check FILE --for llvm-22",
    "convert FILE --canonical -o OUT",
    "strip FILE --locations -o OUT",
    "specialize FILE --dim arg0.0=3 -o OUT",
    "extract FILE @main -o OUT",
    "merge FILE -o OUT",
    "split FILE -o DIR",
    "assemble FILE -o OUT",
    "diff-test FILE",
    "shrink FILE --check cat|{} --expect-status 0 -o OUT",
    "mutate FILE -o DIR",
];

/// The commands that read a file and accept a folder in place of the files in it.
const READING_SEVERAL: [&str; 9] =
    ["convert", "strip", "info", "verify", "ops", "resources", "size", "cost", "check"];

/// Commands that write a file, or into a folder.
const WRITING: [&str; 10] = [
    "print FILE -o OUT",
    "resources FILE --extract note -o OUT",
    "resources FILE --replace note=FILE -o OUT",
    "convert FILE --canonical -o OUT",
    "convert FILE -o OUT",
    "strip FILE --locations -o OUT",
    "size FILE --html OUT",
    "explore FILE -o OUT",
    "extract FILE @main -o OUT",
    "merge FILE -o OUT",
];

const FILLING: [&str; 4] =
    ["mutate FILE -o DIR", "split FILE -o DIR", "smith -o DIR", "diff-test FILE --report DIR"];

fn words(command: &str, file: &Path, out: &Path) -> Vec<String> {
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let words = command.split(' ').map(|word| match word {
        "OUT" | "DIR" => out.to_owned(),
        word => word.replace("FILE", file).replace('|', " "),
    });
    words.collect()
}

#[track_caller]
fn refused(words: &[String], status: i32, expected: &str) {
    let output = run(words);
    assert_eq!(output.status.code(), Some(status), "{words:?}: {}", text(&output.stderr));
    // Notes may come before it.
    let all = text(&output.stderr);
    assert!(all.lines().last().unwrap_or_default().ends_with(expected), "{words:?}: {all}");
}

#[test]
fn a_file_that_cannot_be_opened_is_status_3_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let none = Path::new("/proc/no-such-file");
    let missing = "error[mlirbc.io]: cannot open `/proc/no-such-file`: No such file or directory (os error 2); help: check the path";
    let is_folder = format!(
        "error[mlirbc.io]: cannot open `{}`: is a directory; help: pass a file, not a directory",
        folder.path().display()
    );
    let is_empty = format!(
        "there are no bytecode files in `{}`; help: name a file, or a folder with bytecode files",
        folder.path().display()
    );
    for command in READING {
        refused(&words(command, none, &out), 3, missing);
        let name = command.split(' ').next().unwrap();
        if READING_SEVERAL.contains(&name) {
            refused(&words(command, folder.path(), &out), 2, &is_empty);
        } else if name != "diff-test" {
            refused(&words(command, folder.path(), &out), 3, &is_folder);
        }
        assert!(!out.exists(), "{command}");
    }
    let file = example();
    let dialects = "info FILE --dialects OUT";
    refused(&words(dialects, &file, none), 3, missing);
    let without_packs = format!(
        "there are no packs or dialect tables in `{}`; help: name a file, or a folder with files that end in `.mlirpack` or `.toml`",
        folder.path().display()
    );
    refused(&words(dialects, &file, folder.path()), 2, &without_packs);
    let commands = [
        "info FILE --schemas OUT",
        "layout FILE --layouts OUT",
        "resources FILE --replace note=OTHER -o /dev/null",
    ];
    for command in commands {
        refused(&words(&command.replace("OTHER", "/proc/no-such-file"), &file, none), 3, missing);
        let command = command.replace("OTHER", folder.path().to_str().unwrap());
        refused(&words(&command, &file, folder.path()), 3, &is_folder);
    }
    refused(&words("check FILE --for OUT", &file, folder.path()), 3, &is_folder);
}

#[test]
fn a_malformed_file_is_status_3_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, text, out) =
        (folder.path().join("empty"), folder.path().join("text"), folder.path().join("out"));
    std::fs::write(&empty, b"").unwrap();
    std::fs::write(&text, b"module { wrong }").unwrap();
    let reason = "error[mlirbc.read.empty]: expected the magic bytes `4d 4c ef 52`, found an empty file, at 0x0; help: check that the program that writes the file ran to completion";
    for command in READING {
        let is_text = command.starts_with("assemble");
        // An empty text is an empty module, and the readers of `diff-test` agree about it.
        if !is_text && !command.starts_with("diff-test") {
            refused(&words(command, &empty, &out), 3, &format!("{}: {reason}", empty.display()));
        }
        // These commands read any bytes.
        let reads_all = ["diff-test", "shrink", "mutate"].iter().any(|name| command.starts_with(name));
        if !reads_all {
            let output = run(words(command, &text, &out));
            assert_eq!(output.status.code(), Some(3), "{command}: {output:?}");
            assert!(!out.exists(), "{command}");
        }
    }
    for option in ["--dialects", "--schemas"] {
        let output = run(words(&format!("info FILE {option} OUT"), &example(), &text));
        assert_eq!(output.status.code(), Some(3), "{option}: {output:?}");
        let expected = format!("{}: error[mlirbc.invalid.", text.display());
        assert!(complaint(&output).starts_with(&expected), "{}", complaint(&output));
    }
    // A file that exceeds a limit cannot be read.
    let limited = run(words("verify FILE --max-memory 64", &example(), &out));
    assert_eq!(limited.status.code(), Some(3));
}

#[test]
fn an_output_that_cannot_be_written_is_status_3_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none/out");
    let full = "error[mlirbc.io]: cannot write `/dev/full`: No space left on device (os error 28); help: free some space, or write to another disk";
    let no_folder = format!(
        "error[mlirbc.io]: cannot write `{}`: the folder does not exist; help: check that the folder exists",
        nowhere.display()
    );
    let is_folder = format!(
        "error[mlirbc.io]: cannot write `{}`: is a directory; help: pass the path of a file, not a directory",
        folder.path().display()
    );
    let text = root().join("examples/two_layers.mlir");
    let jax = root().join("examples/mlp.jax");
    let commands = WRITING.iter().map(|command| (*command, example()));
    let other_inputs = [("assemble FILE -o OUT", text), ("convert FILE -o OUT", jax)];
    let shrink = ("shrink FILE --check grep|-q|note|{} -o OUT", example());
    for (command, file) in commands.chain(other_inputs).chain([shrink]) {
        refused(&words(command, &file, Path::new("/dev/full")), 3, full);
        refused(&words(command, &file, &nowhere), 3, &no_folder);
        refused(&words(command, &file, folder.path()), 3, &is_folder);
    }
    let no_folder = "error[mlirbc.io]: cannot write `/dev/full`: File exists (os error 17); help: pass the path of a folder, not a file";
    for command in FILLING {
        refused(&words(command, &example(), Path::new("/dev/full")), 3, no_folder);
    }
    for command in READING {
        if command.contains("OUT") || command.contains("DIR") {
            continue;
        }
        let stdout = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = mlirbc().args(words(command, &example(), &nowhere)).stdout(stdout).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{command}");
        let expected = full.replace("`/dev/full`", "to standard output");
        assert_eq!(complaint(&output), expected, "{command}");
    }
}

#[test]
fn a_command_line_that_is_invalid_is_status_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".hidden"), b"x").unwrap();
    let no_files = format!(
        "error: no files to read in `{}`; help: pass files, or folders that have some; hidden files are left out",
        folder.path().display()
    );
    refused(&words("diff-test OUT", &example(), folder.path()), 2, &no_files);
    for command in [
        "smith --count 0 -o OUT",
        "mutate FILE --count 0 -o OUT",
        "info",
        "info FILE --unknown-option",
        "info FILE --release llvm-1",
        "convert FILE --target llvm-1 -o OUT",
        "convert FILE --to vhlo --target llvm-19 -o OUT",
        "check FILE --for no-such-release",
        "layout FILE --type !!",
        "resources FILE --replace note -o OUT",
        "smith --dialect nonsense -o OUT",
        "explain arith.addi --release llvm-1",
        "dump FILE --at x",
    ] {
        let out = folder.path().join("out");
        let output = run(words(command, &example(), &out));
        assert_eq!(output.status.code(), Some(2), "{command}: {}", text(&output.stderr));
        assert!(!out.exists(), "{command}");
    }
}

#[test]
fn a_finding_is_status_1_and_all_is_well_is_0() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for command in [
        "verify FILE --require-known --unknown arith",
        "print FILE --unknown arith",
        "check FILE --for llvm-16",
        "resources FILE --extract nothing -o OUT",
        "layout FILE --at nothing",
        "dump FILE --at 99999999",
        "explain arith.nothing",
        "diff-test FILE --reader false|{}",
        "shrink FILE --check false|{} --expect-status 0 -o OUT",
        "shrink FILE --check true|{} -o OUT",
    ] {
        let output = run(words(command, &example(), &out));
        assert_eq!(output.status.code(), Some(1), "{command}: {}", text(&output.stderr));
        assert!(!out.exists(), "{command}");
    }
    // The example has no symbolic dimensions in StableHLO.
    let left_out = ["assemble", "shrink", "specialize"];
    for command in READING.iter().filter(|command| !left_out.iter().any(|word| command.starts_with(word))) {
        let output = run(words(command, &example(), &folder.path().join(command)));
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
    }
}
