//! Modules that MLIR would reject are written only with an explicit option.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use mlirbc::edit::Editor;
use mlirbc::{Module, WriteOptions};
use support::{complaint, root, run, text};

#[test]
fn a_use_before_its_definition_is_not_converted_unless_told() {
    let folder = tempfile::tempdir().unwrap();
    let (bad, out) = (folder.path().join("bad.mlirbc"), folder.path().join("out.mlirbc"));
    let module = Module::open(root().join("examples/two_layers.mlirbc")).unwrap();
    let mut editor = Editor::new(module).unwrap();
    let main = editor.symbol("main").unwrap().unwrap();
    let body = editor.body(main).unwrap();
    let ops = editor.operations(body).unwrap();
    editor.move_before(*ops.last().unwrap(), ops[0]).unwrap();
    editor.set_verification(false, false);
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    std::fs::write(&bad, &bytes).unwrap();

    for command in [&["convert", "--canonical"][..], &["convert", "--bytecode-version", "4"], &["strip"]] {
        let arguments = |more: &[&'static str]| {
            let words = command.iter().chain(more).map(|word| (*word).into());
            let paths = [bad.clone(), "-o".into(), out.clone()];
            words.chain(paths.map(std::path::PathBuf::into_os_string)).collect::<Vec<std::ffi::OsString>>()
        };
        let output = run(arguments(&[]));
        assert_eq!(output.status.code(), Some(3));
        let line = complaint(&output);
        assert!(line.contains("does not dominate this use") && line.contains("func.func @main > "), "{line}");
        assert!(!out.exists());
        let output = run(arguments(&["--no-verify"]));
        assert_eq!(output.status.code(), Some(0), "{command:?}: {}", text(&output.stderr));
        std::fs::remove_file(&out).unwrap();
    }
    // The bytes that are there already are not judged.
    assert_eq!(
        run(["convert".as_ref(), bad.as_os_str(), "-o".as_ref(), out.as_os_str()]).status.code(),
        Some(0)
    );
    assert_eq!(std::fs::read(&out).unwrap(), bytes);
}
