//! Several files: the output is the concatenated output of the files, in order, and nothing waits for ever.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::fs;
use std::io::Read;
use std::process::Stdio;

use serde_json::Value;
use support::{example, mlirbc, newest_files, run, text, wide};

#[test]
fn output_is_that_of_each_file_in_order() {
    let files = newest_files();
    assert!(files.len() > 16);
    for command in [&["verify"][..], &["hash"]] {
        let single: Vec<_> = files.iter().map(|file| run([command[0].as_ref(), file.as_os_str()])).collect();
        let all =
            run(command.iter().map(std::ffi::OsStr::new).chain(files.iter().map(|file| file.as_os_str())));
        let expected: Vec<u8> = single.iter().flat_map(|output| output.stdout.clone()).collect();
        assert_eq!(text(&all.stdout), text(&expected));
        let mut complaints: Vec<u8> = single.iter().flat_map(|output| output.stderr.clone()).collect();
        let failed = single.iter().filter(|output| !output.status.success()).count();
        complaints.extend(format!("{} files, {failed} failed\n", files.len()).bytes());
        assert_eq!(text(&all.stderr), text(&complaints));
        assert_eq!(all.status.code(), single.iter().map(|output| output.status.code()).max().unwrap());
    }
}

#[test]
fn lines_of_json_name_their_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::copy(example(), folder.path().join(name)).unwrap();
    }
    for command in [&["info"][..], &["size"], &["weights"], &["resources"], &["ops", "--count"], &["verify"]]
    {
        let args = command.iter().map(std::ffi::OsStr::new);
        let output = run(args.chain([folder.path().as_os_str(), "--json".as_ref()]));
        assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
        let files: Vec<String> = text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_owned())
            .collect();
        let expected = ["a", "b", "c"].map(|name| folder.path().join(name).display().to_string());
        assert_eq!(files, expected, "{command:?}");
        assert_eq!(text(&output.stderr), "3 files, 0 failed\n");
    }
}

/// Longer output than waits for its turn, from more files than are read ahead; then a reader that stops reading.
#[test]
fn long_output_is_complete_and_a_closed_pipe_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..40 {
        fs::write(folder.path().join(format!("{number:02}")), wide(120_000)).unwrap();
    }
    let single = run(["ops".as_ref(), folder.path().join("00").as_os_str()]).stdout;
    let all = run(["ops".as_ref(), folder.path().as_os_str()]).stdout;
    assert!(single.len() > 1 << 20, "{}", single.len());
    let title = folder.path().join("00").display().to_string().len() + 2;
    assert_eq!(all.len(), 40 * (title + single.len()) + 39);

    let mut child = mlirbc().arg("ops").arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Every file that is made, by its path in the folder.
fn made(folder: &std::path::Path) -> Vec<String> {
    let (mut found, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().display().to_string().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn several_files_become_files_of_the_same_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("in/deep")).unwrap();
    fs::copy(example(), at("in/a.mlirbc")).unwrap();
    fs::copy(example(), at("in/deep/b.mlirbc")).unwrap();
    let command = |command: &str, inputs: &[&str], output: &str| {
        let words = [command.into(), "--bare".into(), "-o".into(), at(output).into_os_string()];
        run(words.into_iter().chain(inputs.iter().map(|name| at(name).into_os_string())))
    };

    for name in ["convert", "strip"] {
        let output = command(name, &["in"], &format!("{name}/new"));
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), "2 files, 0 failed\n"));
        assert_eq!(made(&at(name)), ["new/a.mlirbc", "new/deep/b.mlirbc"]);
    }
    assert_eq!(fs::read(at("convert/new/deep/b.mlirbc")).unwrap(), fs::read(example()).unwrap());
    command("strip", &["in/a.mlirbc"], "one.mlirbc");
    assert_eq!(fs::read(at("strip/new/a.mlirbc")).unwrap(), fs::read(at("one.mlirbc")).unwrap());

    // The path after the part of a pattern without wildcards, and the name of a file.
    command("convert", &["in/*", "one.mlirbc"], "patterns");
    assert_eq!(made(&at("patterns")), ["a.mlirbc", "deep/b.mlirbc", "one.mlirbc"]);
    command("convert", &["one.mlirbc"], "slash/");
    assert_eq!(made(&at("slash")), ["one.mlirbc"]);
}

#[test]
fn what_cannot_be_converted_is_left_out_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("bad.mlirbc"), "MLIR").unwrap();
    fs::create_dir(at("out")).unwrap();
    fs::write(at("out/bad.mlirbc"), "old").unwrap();
    let arguments = |more: &[&std::path::Path], output: &std::path::Path| {
        let mut words: Vec<std::ffi::OsString> = ["convert", "--canonical", "-o"].map(Into::into).to_vec();
        words.push(output.into());
        words.extend(more.iter().map(|path| path.as_os_str().to_owned()));
        words
    };
    let output = run(arguments(&[&at("bad.mlirbc"), &example()], &at("out")));
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).ends_with("2 files, 1 failed\n"), "{}", text(&output.stderr));
    assert_eq!(made(&at("out")), ["bad.mlirbc", "two_layers.mlirbc"]);
    assert_eq!(fs::read(at("out/bad.mlirbc")).unwrap(), b"old");

    // Nothing is written when two outputs would have the same name, when -o names no folder, or when it names a file.
    fs::create_dir(at("twin")).unwrap();
    fs::copy(example(), at("twin/two_layers.mlirbc")).unwrap();
    let twin = at("twin/two_layers.mlirbc");
    let output = run(arguments(&[&twin, &example()], &at("none")));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("would both become `two_layers.mlirbc`"));
    assert!(!at("none").exists());
    assert_eq!(run(arguments(&[&twin, &at("bad.mlirbc")], "-".as_ref())).status.code(), Some(2));
    assert_eq!(run(arguments(&["-".as_ref(), &twin], &at("none"))).status.code(), Some(2));
    assert_eq!(run(arguments(&[&twin, &example()], &at("bad.mlirbc"))).status.code(), Some(2));
    assert_eq!(run(arguments(&[&twin, &at("bad.mlirbc")], &twin)).status.code(), Some(3));
}

#[test]
fn quiet_says_only_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.mlirbc"), b"\x01\x02\x03\x04").unwrap();
    let bad = folder.path().join("bad.mlirbc");
    let good = example();
    for command in [&["verify"][..], &["info"], &["size"], &["ops"], &["hash"], &["weights"], &["resources"]]
    {
        let words = || command.iter().map(std::ffi::OsStr::new).chain(["-q".as_ref()]);
        let output = run(words().chain([good.as_os_str(), good.as_os_str()]));
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{command:?}");
        let output = run(words().chain([good.as_os_str(), bad.as_os_str()]));
        assert_eq!(output.status.code(), Some(3), "{command:?}");
        let lines: Vec<_> = text(&output.stderr).lines().collect();
        assert_eq!((lines.len(), lines[1]), (2, "2 files, 1 failed"), "{command:?}");
        assert!(lines[0].starts_with(&bad.display().to_string()), "{command:?}: {}", lines[0]);
    }
    let out = folder.path().join("out");
    let words = ["convert", "-q", "--canonical", "-o"].map(std::ffi::OsStr::new);
    let layout = good.with_file_name("layout.mlirbc");
    let output = run(words.into_iter().chain([out.as_os_str(), good.as_os_str(), layout.as_os_str()]));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
