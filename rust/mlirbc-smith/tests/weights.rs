//! Weights of generated modules: names are unique, exports can be read again, and moving data out and back
//! restores it.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashSet;
use std::path::Path;

use mlirbc::edit::Editor;
use mlirbc::print::PrintOptions;
use mlirbc::tool::{Safetensors, Weight, Weights};
use mlirbc::write::Numbering;
use mlirbc::{Module, ReadOptions, WriteOptions};
use mlirbc_smith::{Config, GeneratedModule, releases};

fn all(_: &Weight) -> bool {
    true
}

// The producer string of a development build names no release.
fn written(mut editor: Editor, like: &Module) -> Module {
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    let release = like.release().unwrap().name().map(str::to_owned);
    Module::from_source(bytes.into(), &ReadOptions::default().release(release.map(mlirbc::Release::named)))
        .unwrap()
}

fn text(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &PrintOptions::default().locations(true)).unwrap();
    String::from_utf8(text).unwrap()
}

fn assert_same(left: &str, right: &str) {
    let differs = left.lines().zip(right.lines()).find(|(left, right)| left != right);
    assert!(left == right, "{differs:?}");
}

fn canonical(module: &Module) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    module.write(&mut bytes, &options).unwrap();
    bytes
}

fn check(module: &Module, side: &Path) -> usize {
    let weights = Weights::of(module).unwrap();
    let names: HashSet<&str> = weights.rows().iter().map(|weight| weight.name.as_str()).collect();
    assert_eq!(names.len(), weights.rows().len());
    for weight in weights.rows() {
        let users = weights.users(weight).unwrap().len() as u64;
        assert!(users <= weight.users && (users > 0) == (weight.users > 0), "{}", weight.name);
        weights.stats(weight, &Default::default()).unwrap();
    }
    weights.export(side, &all, &Default::default()).unwrap();
    let exported = weights.rows().iter().filter(|weight| Weights::is_exported(weight)).count();
    assert_eq!(Safetensors::open(side).unwrap().tensors().len(), exported);
    let (editor, report) = weights.import(side, true, false).unwrap();
    assert_eq!(report.replaced, exported as u64);
    let before = text(module);
    assert_same(&text(&written(editor, module)), &before);

    let (editor, moved) = weights.externalize(0, &all, Some(side), &Default::default()).unwrap();
    let keys = written(editor, module);
    let again = Weights::of(&keys).unwrap();
    let names_again: HashSet<&str> = again.rows().iter().map(|weight| weight.name.as_str()).collect();
    assert_eq!(names_again, names);
    let exported_again = again.rows().iter().filter(|weight| Weights::is_exported(weight)).count();
    assert_eq!(exported_again as u64, exported as u64 - moved.moved);
    if moved.moved == 0 {
        return exported;
    }
    let (editor, back) = again.inline(&|weight| !weight.has_data, Some(side)).unwrap();
    assert_eq!(back.moved, moved.moved);
    let whole = written(editor, module);
    assert_same(&text(&whole), &before);
    if !text(module).contains("dense_resource") {
        assert_eq!(canonical(&whole), canonical(module));
    }
    exported
}

#[test]
fn weights_of_generated_modules_survive_every_move() {
    let side = std::env::temp_dir().join(format!("mlirbc-weights-{}.safetensors", std::process::id()));
    let mut exported = 0;
    for release in releases() {
        for seed in 0..12 {
            let config = Config { release: release.into(), ..Config::default() };
            let module = GeneratedModule::from_seed(&config, seed).unwrap().module().unwrap();
            exported += check(&module, &side);
        }
    }
    std::fs::remove_file(&side).unwrap();
    assert!(exported > 20, "{exported} weights are too few to test anything");
}
