//! Orders of uses of edited modules: the same in every version and release, as the reader sees them.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::collections::HashMap;
use std::path::PathBuf;

use mlirbc::edit::{EditBlock, EditValue, Editor, InsertionPoint, NewOperation};
use mlirbc::ir::{UseOrder, Value};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Attribute, ErrorKind, Module, Type, WriteOptions};
use proptest::prelude::*;

use crate::support::files;

/// Returns LLVM's files with stored use orders, which older versions do not have.
fn ordered() -> Vec<PathBuf> {
    let is_ordered = |path: &PathBuf| {
        let text = path.to_string_lossy();
        text.contains("/uses_") && (3..=6).any(|version| text.contains(&format!("/v{version}/")))
    };
    let paths: Vec<_> = files("tests/data/bytecode").into_iter().filter(is_ordered).collect();
    assert!(paths.len() > 20, "the files with orders are missing");
    paths
}

/// An operation as text, and the users of each of its values: the number of the user and of the operand.
type OperationUses = (String, Vec<Vec<(usize, u32)>>);

fn rows(module: &Module) -> Vec<OperationUses> {
    let ops: Vec<_> = module.operation().unwrap().pre_order().map(Result::unwrap).collect();
    let numbers: HashMap<_, _> =
        ops.iter().enumerate().map(|(number, op)| ((op.body_id(), op.id()), number)).collect();
    let uses = |value: Value<'_>| {
        let uses = value.uses(UseOrder::Stored).unwrap();
        uses.map(|one| (numbers[&(one.body_id(), one.owner().id())], one.operand_number())).collect()
    };
    let row = |op: &mlirbc::Operation<'_>| {
        let mut values: Vec<_> = op.results().map(uses).collect();
        for region in op.regions().unwrap() {
            values.extend(region.blocks().flat_map(|block| block.arguments()).map(uses));
        }
        (op.name(), values)
    };
    ops.iter().map(row).collect()
}

fn written(module: &Module, version: Option<u64>, target: Option<&str>) -> mlirbc::Result<Module> {
    let options = WriteOptions::default()
        .numbering(Numbering::Canonical)
        .version(version.and_then(BytecodeVersion::new))
        .target(target.map(str::to_owned).map(mlirbc::Release::named));
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options)?;
    Module::from_bytes(bytes)
}

/// The module with other attributes and new operations, some of which use values that have an order already.
fn edited(module: Module, edits: &[(u8, usize)], numbering: Numbering) -> Module {
    let mut editor = Editor::new(module).unwrap();
    let top = editor.operation().unwrap();
    let mut blocks: Vec<EditBlock> = vec![editor.body(top).unwrap()];
    let mut at = 0;
    let mut ops = Vec::new();
    while at < blocks.len() {
        for op in editor.operations(blocks[at]).unwrap() {
            ops.push(op);
            for region in editor.regions(op).unwrap() {
                blocks.extend(editor.blocks(region).unwrap());
            }
        }
        at += 1;
    }
    for &(kind, place) in edits {
        let op = ops[place % ops.len()];
        let new = NewOperation { results: vec![Type::parse("i8").unwrap()], ..NewOperation::new("x.new") };
        match kind {
            0 => {
                let number = Attribute::parse(format!("{place} : i32")).unwrap();
                editor.set_attribute(op, format!("x.a{}", place % 3), &number).unwrap();
            }
            1 => drop(editor.create(&new, InsertionPoint::Before(op)).unwrap()),
            _ => {
                let operands: Vec<EditValue> = editor.results(op).unwrap();
                editor.create(&NewOperation { operands, ..new }, InsertionPoint::After(op)).unwrap();
            }
        }
    }
    let mut bytes = Vec::new();
    editor.set_verification(false, false); // terminators need not be last here
    editor.write(&mut bytes, &WriteOptions::default().numbering(numbering)).unwrap();
    Module::from_bytes(bytes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    // MLIR applies an order that is not its own inverse the other way round, so that each writing changes it
    // (docs/reference/format-notes.md): what was written equally often is compared.
    #[test]
    fn orders_of_edited_modules_are_the_same_in_every_version_and_release(
        file in 0usize..1000,
        edits in prop::collection::vec((0u8..3, 0usize..100), 0..8),
        is_canonical in any::<bool>(),
    ) {
        let files = ordered();
        let path = &files[file % files.len()];
        let numbering = if is_canonical { Numbering::Canonical } else { Numbering::Preserve };
        let module = edited(Module::open(path).unwrap(), &edits, numbering);
        let source_version = module.tables().bytecode().version().number();
        let release = module.release().unwrap().nearest().unwrap().to_owned();
        let once = written(&module, None, None).unwrap();
        let twice = written(&once, None, None).unwrap();
        for version in 0..=6 {
            let between = written(&module, Some(version), None);
            if version < 3 && rows_have_order(&module) {
                prop_assert_eq!(between.unwrap_err().kind(), ErrorKind::Unsupported);
                continue;
            }
            let between = between.unwrap();
            prop_assert_eq!(rows(&between), rows(&once), "version {} of {}", version, path.display());
            let back = written(&between, Some(source_version.into()), None).unwrap();
            prop_assert_eq!(rows(&back), rows(&twice), "version {} of {}", version, path.display());
        }
        for target in ["llvm-19", "llvm-22"] {
            let between = written(&module, None, Some(target)).unwrap();
            prop_assert_eq!(rows(&between), rows(&once), "{} of {}", target, path.display());
            let back = written(&between, None, Some(&release)).unwrap();
            prop_assert_eq!(rows(&back), rows(&twice), "{} of {}", target, path.display());
        }
    }
}

/// Whether some value is not used last to first, which is the order of a file that stores none.
fn rows_have_order(module: &Module) -> bool {
    rows(module).iter().flat_map(|(_, values)| values).any(|uses| !uses.is_sorted_by(|a, b| a >= b))
}

#[test]
fn the_files_have_orders() {
    for path in ordered() {
        assert!(rows_have_order(&Module::open(&path).unwrap()), "{}", path.display());
    }
}
