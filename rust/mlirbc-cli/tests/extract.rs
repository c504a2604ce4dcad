//! Taking resources out of a file.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::Path;
use std::process::Output;

use support::{complaint, example, json, newest_files, root, run};

fn extract(file: &Path, key: &str, target: &Path, more: &[&str]) -> Output {
    let mut args = vec!["resources".as_ref(), file.as_os_str(), "--extract".as_ref(), key.as_ref()];
    args.extend(["-o".as_ref(), target.as_os_str()]);
    args.extend(more.iter().map(AsRef::<std::ffi::OsStr>::as_ref));
    run(args)
}

#[test]
fn every_resource_comes_out_as_it_lies_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for file in newest_files().into_iter().chain([example()]) {
        let bytes = std::fs::read(&file).unwrap();
        let listed = json(["resources".as_ref(), file.as_os_str(), "--json".as_ref()]);
        for resource in listed.as_array().unwrap() {
            let (key, group) = (resource["key"].as_str().unwrap(), resource["group"].as_str().unwrap());
            let size = resource["size"].as_u64().unwrap() as usize;
            let expected = match resource["kind"].as_str() {
                Some("blob") => {
                    let offset = resource["offset"].as_u64().unwrap();
                    assert_eq!(offset % resource["alignment"].as_u64().unwrap(), 0);
                    bytes[offset as usize..][..size].to_vec()
                }
                Some("bool") => resource["value"].to_string().into_bytes(),
                Some(_) => resource["value"].as_str().unwrap().as_bytes().to_vec(),
                None => continue,
            };
            for backend in ["map", "read"] {
                let target = folder.path().join("out");
                let output = extract(&file, key, &target, &["--group", group, "--backend", backend]);
                assert!(output.status.success(), "{key}: {}", complaint(&output));
                assert!(output.stdout.is_empty());
                assert_eq!(std::fs::read(&target).unwrap(), expected, "{key}");
            }
            let output = extract(&file, key, Path::new("-"), &["--group", group]);
            assert_eq!(output.stdout, expected);
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} resources");
    let entries: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(entries.len(), 1, "only `out` remains");
}

#[test]
fn a_missing_key_lists_near_ones() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    std::fs::write(&target, b"before").unwrap();
    let output = extract(&example(), "layer0.weigth", &target, &[]);
    assert_eq!(output.status.code(), Some(1));
    let line = complaint(&output);
    assert!(line.contains("no resource `layer0.weigth`; help: did you mean `layer0.weight`"), "{line}");
    assert_eq!(std::fs::read(&target).unwrap(), b"before");

    let output = extract(&example(), "nothing like it", &target, &[]);
    assert!(complaint(&output).ends_with("help: run `mlirbc resources FILE` to list the keys"));
    let output = extract(&example(), "note", &target, &["--group", "builtin"]);
    assert_eq!(output.status.code(), Some(1), "it is in another group");
    let output = extract(&example(), "note", &target, &["--group", "nobody"]);
    assert!(
        complaint(&output)
            .contains("no resource group `nobody`; help: the groups of the file are `example`, `builtin`")
    );
}

#[test]
fn a_key_of_two_groups_needs_the_group() {
    let file = root().join("tests/data/bytecode/llvm-22/v6/resources_test_dialect.mlirbc");
    let listed = json(["resources".as_ref(), file.as_os_str(), "--json".as_ref()]);
    let listed = listed.as_array().unwrap();
    let same = |a: &serde_json::Value| listed.iter().filter(|b| a["key"] == b["key"]).count() > 1;
    let Some(twice) = listed.iter().find(|resource| same(resource)) else {
        panic!("the file has no key twice any more: {listed:?}")
    };
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let output = extract(&file, twice["key"].as_str().unwrap(), &target, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("help: choose with `--group`: "), "{}", complaint(&output));
    assert!(!target.exists());
}

#[test]
fn a_resource_without_data_is_not_an_empty_file() {
    let file = root().join("tests/data/bytecode/llvm-22/v6/resources_without_data.mlirbc");
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let output = extract(&file, "missing1", &target, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("resource `missing1` has no data"));
    assert!(!target.exists());
}

#[test]
fn a_target_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let output = extract(&example(), "note", folder.path(), &[]);
    assert!(complaint(&output).contains("is a directory; help: pass the path of a file, not a directory"));
    let output = extract(&example(), "note", &folder.path().join("no/such/out"), &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        complaint(&output).contains("the folder does not exist; help: check that the folder exists"),
        "{}",
        complaint(&output)
    );
}

#[cfg(unix)]
#[test]
fn links_devices_and_permissions_are_respected() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("out"), folder.path().join("link"));
    std::fs::write(&target, b"before").unwrap();
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o640)).unwrap();
    symlink("out", &link).unwrap();
    assert!(extract(&example(), "note", &link, &[]).status.success());
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read(&target).unwrap(), b"weights chosen by hand");
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, 0o640);

    // As any program's new file.
    let (new, ordinary) = (folder.path().join("new"), folder.path().join("ordinary"));
    assert!(extract(&example(), "note", &new, &[]).status.success());
    std::fs::write(&ordinary, b"").unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
    assert_eq!(mode(&new), mode(&ordinary));

    assert!(extract(&example(), "note", Path::new("/dev/null"), &[]).status.success());
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
}
