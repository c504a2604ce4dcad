//! Several files: the output is that of each file, in order, and nothing waits for ever.

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
    let one = run(["ops".as_ref(), folder.path().join("00").as_os_str()]).stdout;
    let all = run(["ops".as_ref(), folder.path().as_os_str()]).stdout;
    assert!(one.len() > 1 << 20, "{}", one.len());
    let title = folder.path().join("00").display().to_string().len() + 2;
    assert_eq!(all.len(), 40 * (title + one.len()) + 39);

    let mut child = mlirbc().arg("ops").arg(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
