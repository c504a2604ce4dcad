//! Listings stream, and their readers may stop at any time.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(unix)]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use support::{complaint, deep, example, mlirbc, root, run, text, wide};

/// Exit status and standard error of a command whose output nobody reads beyond `lines`.
fn read_lines(args: &[&str], file: &Path, lines: usize) -> (Option<i32>, String) {
    let mut child =
        mlirbc().args(args).arg(file).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stdout = child.stdout.take().unwrap();
    assert_eq!(BufReader::new(stdout).lines().take(lines).count(), lines);
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    (child.wait().unwrap().code(), complaint)
}

#[test]
fn a_closed_pipe_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wide.mlirbc");
    std::fs::write(&file, wide(1_000_000)).unwrap();
    for args in [&["ops"][..], &["ops", "--json"]] {
        assert_eq!(read_lines(args, &file, 1), (Some(0), String::new()), "{args:?}");
    }
    let commands = [&["info"][..], &["info", "--json"], &["verify"], &["ops", "--count"], &["resources"]];
    for args in commands {
        assert_eq!(read_lines(args, &example(), 0), (Some(0), String::new()), "{args:?}");
    }
    assert_eq!(read_lines(&["--help"], &example(), 0), (Some(0), String::new()));
}

#[test]
fn colours_add_nothing_but_themselves() {
    let print = |arguments: &[&str]| {
        let file = example();
        let arguments = arguments.iter().map(AsRef::as_ref).chain([file.as_os_str()]);
        let output = run(["print".as_ref()].into_iter().chain(arguments));
        text(&output.stdout).to_owned()
    };
    let (plain, colored) = (print(&[]), print(&["--color", "always"]));
    // Standard output is not a terminal here.
    assert_eq!((print(&["--color", "never"]), print(&["--color", "auto"])), (plain.clone(), plain.clone()));
    let mut without = String::new();
    for (number, piece) in colored.split('\u{1b}').enumerate() {
        without.push_str(if number == 0 { piece } else { piece.split_once('m').unwrap().1 });
    }
    assert!(colored.contains("\u{1b}[33m@main\u{1b}[0m") && without == plain);
    for args in [&["print", "--color", "always"][..], &["print"]] {
        assert_eq!(read_lines(args, &example(), 0), (Some(0), String::new()), "{args:?}");
    }
}

#[test]
fn a_bad_file_is_bad_even_if_nobody_listens() {
    let file = root().join("tests/data/hostile/count.ops_4294967296.mlirbc");
    assert_eq!(read_lines(&["verify", "--json"], &file, 0), (Some(3), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for args in [&["info"][..], &["info", "--json"], &["ops"], &["verify"], &["verify", "--json"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = mlirbc().args(args).arg(example()).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        assert!(complaint(&output).starts_with("error[mlirbc.io]: cannot write to standard output: "));
    }
}

// Operations in memory would need more than the process may have.
#[cfg(target_os = "linux")]
#[test]
fn a_listing_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wide.mlirbc");
    std::fs::write(&file, wide(3_000_000)).unwrap();
    let script = "ulimit -v 100000; exec \"$0\" ops --json \"$1\" | wc -l";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mlirbc")])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout).trim(), "3000000", "{}", text(&output.stderr));
}

#[test]
fn nesting_takes_no_stack_and_no_width() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep.mlirbc");
    std::fs::write(&file, deep(100_000)).unwrap();
    let output = run(["ops".as_ref(), file.as_os_str()]);
    assert!(output.status.success(), "{}", complaint(&output));
    let listing = text(&output.stdout);
    assert_eq!(listing.lines().count(), 100_000);
    assert!(listing.lines().all(|line| line.len() < 150));
    assert!(listing.trim_end().ends_with("(depth 99999) t.c(0) -> 0"));
}

#[test]
fn patterns_choose_names() {
    let names = |patterns: &[&str]| {
        let file = example();
        let mut args = vec!["ops", file.to_str().unwrap(), "--count", "--json"];
        args.extend(patterns.iter().flat_map(|pattern| ["--name", pattern]));
        let counts = support::json(args);
        counts.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&["scf.*"]), ["scf.for", "scf.yield"]);
    assert_eq!(names(&["scf.f?r", "cf.*"]), ["cf.cond_br", "scf.for"]);
    assert_eq!(names(&["*.for"]), ["scf.for"]);
    assert!(names(&["for"]).is_empty(), "a pattern is about the whole name");
}

#[test]
fn a_listing_is_a_text_and_has_its_limit() {
    for args in [
        &["ops"][..],
        &["ops", "--json"],
        &["ops", "--count"],
        &["ops", "--count", "--json"],
        &["info"],
        &["info", "--json"],
        &["resources"],
        &["resources", "--json"],
        &["print"],
    ] {
        let unlimited = mlirbc().args(args).arg(example()).output().unwrap();
        let size = unlimited.stdout.len();
        let limited = |limit: usize| {
            mlirbc().args(args).arg("--max-text").arg(limit.to_string()).arg(example()).output().unwrap()
        };
        let enough = limited(2 * size);
        assert_eq!((enough.status.code(), enough.stdout), (Some(0), unlimited.stdout), "{args:?}");
        let cut = limited(size / 2);
        assert_eq!(cut.status.code(), Some(3), "{args:?}");
        assert!(cut.stdout.len() <= size / 2, "{args:?}");
        assert!(complaint(&cut).contains("error[mlirbc.limit.text]"), "{args:?}: {}", complaint(&cut));
    }
}
