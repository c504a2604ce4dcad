//! The examples in the help work.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(unix)] // they are lines for a shell

mod support;

use std::process::Command;

use support::{example, run, text};

fn examples(args: &[&str]) -> Vec<String> {
    let help = run(args.iter().chain(&["--help"]));
    assert!(help.status.success());
    let lines = text(&help.stdout).lines();
    lines.filter_map(|line| line.trim_start().strip_prefix("$ ")).map(str::to_owned).collect()
}

#[test]
fn every_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(example(), folder.path().join("model.mlirbc")).unwrap();
    std::fs::copy(example().with_file_name("mlp.jax"), folder.path().join("model.jax")).unwrap();
    let invalid =
        "func.func @f(%a: i32) -> i64 {\n  // expected-error @+1 {{returns}}\n  return %a : i32\n}\n";
    std::fs::write(folder.path().join("invalid.mlir"), invalid).unwrap();
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_mlirbc")).parent().unwrap();
    let path = std::env::join_paths(
        [bin.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();

    for command in [&[][..], &["info"], &["verify"], &["ops"], &["resources"]] {
        let examples = examples(command);
        assert!(examples.len() >= 3, "{command:?} has too few examples");
        for example in examples {
            let mut shell = Command::new("sh");
            shell.args(["-c", &example]).current_dir(&folder).env("PATH", &path);
            let output = shell.output().unwrap();
            assert!(output.status.success(), "{example}: {}", text(&output.stderr));
            assert!(output.stderr.is_empty(), "{example}: {}", text(&output.stderr));
        }
    }
    assert_eq!(std::fs::read(folder.path().join("weight.bin")).unwrap().len(), 48);
}

#[test]
fn every_command_says_its_exit_status() {
    let help = run(["--help"]);
    let commands = text(&help.stdout).split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 15, "{names:?}");
    let commands = names.into_iter().map(|name| vec![name]).chain([vec![]]);
    let nested = ["export", "import", "externalize", "inline"].map(|name| vec!["weights", name]);
    for command in commands.chain(nested) {
        let help = run(command.iter().chain(&["--help"]));
        let text = text(&help.stdout);
        for line in ["Exit status:", "\n  0  ", "\n  2  the command line is invalid"] {
            assert!(text.contains(line), "{command:?} lacks {line:?}");
        }
        // This one reads no file.
        assert_eq!(text.contains("\n  3  "), command != ["explain"], "{command:?}");
    }
}

#[test]
fn the_version_is_the_crates() {
    let output = run(["--version"]);
    assert_eq!(text(&output.stdout), concat!("mlirbc ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn licenses_are_those_of_the_distribution() {
    let notices =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../THIRD-PARTY.txt")).unwrap();
    let output = run(["--licenses"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), notices.as_str()));
    for (notice, owner) in [("MIT: bytes", "Carl Lerche"), ("Zlib: foldhash", "Orson Peters")] {
        assert!(notices.contains(notice) && notices.contains(owner), "{owner}");
    }
    // After a command, the word is not taken for the option.
    let output = run(["verify", "--licenses", example().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(["--quiet"]);
    assert!(text(&output.stderr).contains("requires a subcommand"), "{}", text(&output.stderr));
}

#[test]
fn a_wrong_command_line_is_status_2() {
    let file = example();
    let file = file.to_str().unwrap();
    let wrong: &[&[&str]] = &[
        &[],
        &["info"],
        &["nonsense", file],
        &["ops", file, "--nonsense"],
        &["verify", file, "--quiet", "--json"],
        &["verify", file, "--max-depth", "-1"],
        &["resources", file, "--extract", "layer0.weight"],
        &["resources", file, "-o", "out"],
        &["resources", file, "--extract", "layer0.weight", "-o", "out", "--json"],
        &["info", file, "--backend", "guess"],
    ];
    for args in wrong {
        let output = run(*args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}
