//! Edits of files that real writers made: what was edited is there, and nothing else changed.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::Path;

use mlirbc::edit::{
    EditOp, Editor, InsertionPoint, NewOperation, NewResource, ResourceContent, ResourceGroup,
};
use mlirbc::file::ResourceValue;
use mlirbc::print::PrintOptions;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Attribute, ErrorKind, Module, Type, WriteOptions};

use crate::support::{data, files};

fn open(path: &Path) -> Module {
    Module::open(path).unwrap()
}

fn written(editor: &mut Editor) -> Vec<u8> {
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    bytes
}

fn text(module: &Module) -> String {
    let mut out = Vec::new();
    let options = PrintOptions::generic().locations(true);
    module.print(&mut out, &options).unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

/// Every op, in file order.
fn all_ops(editor: &mut Editor) -> Vec<EditOp> {
    let mut ops = Vec::new();
    let mut pending: Vec<EditOp> = editor.operations(editor.top_level()).unwrap();
    pending.reverse();
    while let Some(op) = pending.pop() {
        ops.push(op);
        let mut inside = Vec::new();
        for region in editor.regions(op).unwrap() {
            for block in editor.blocks(region).unwrap() {
                inside.extend(editor.operations(block).unwrap());
            }
        }
        pending.extend(inside.into_iter().rev());
    }
    ops
}

// Every body is encoded again, though nothing in it is different.
#[test]
fn what_is_encoded_again_without_a_difference_has_the_same_bytes() {
    for path in files("tests/data/bytecode") {
        let module = open(&path);
        let mut editor = Editor::new(module.clone()).unwrap();
        for op in all_ops(&mut editor) {
            let location = editor.location(op).unwrap();
            editor.set_location(op, &location).unwrap();
        }
        assert!(editor.is_changed());
        let bytes = written(&mut editor);
        assert!(bytes == std::fs::read(&path).unwrap(), "{}", path.display());
    }
}

// Only one operation is edited at a time: the bodies around it are copied with other lengths.
#[test]
fn a_new_location_is_all_that_changes() {
    let location = Attribute::parse("loc(\"edited\":7:9)").unwrap();
    for path in files("tests/data/bytecode") {
        let module = open(&path);
        let mut original = Editor::new(module.clone()).unwrap();
        let ops = all_ops(&mut original);
        let names: Vec<String> = ops.iter().map(|&op| original.name(op).unwrap()).collect();
        for place in [0, ops.len() / 2, ops.len() - 1] {
            let mut editor = Editor::new(module.clone()).unwrap();
            let op = all_ops(&mut editor)[place];
            editor.set_location(op, &location).unwrap();
            let again = Module::from_bytes(written(&mut editor)).unwrap();
            again.verify().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut edited = Editor::new(again).unwrap();
            let edited_ops = all_ops(&mut edited);
            assert_eq!(edited_ops.len(), ops.len());
            for (number, (&op, name)) in edited_ops.iter().zip(&names).enumerate() {
                let new_location = edited.location(op).unwrap();
                assert_eq!(&edited.name(op).unwrap(), name);
                if number == place {
                    assert_eq!(new_location, location, "{}", path.display());
                } else {
                    assert_ne!(new_location, location, "{}", path.display());
                }
            }
        }
    }
}

#[test]
fn an_op_that_is_inserted_and_erased_leaves_the_text_as_it_was() {
    let i8 = Type::parse("tensor<7xi8>").unwrap();
    for path in files("tests/data/bytecode") {
        let module = open(&path);
        let before = text(&module);
        let mut editor = Editor::new(module.clone()).unwrap();
        let mut created = Vec::new();
        for op in all_ops(&mut editor).into_iter().skip(1) {
            let new = NewOperation {
                results: vec![i8.clone(), i8.clone()],
                regions: 1,
                ..NewOperation::new("mlirbc.new")
            };
            created.push(editor.create(&new, InsertionPoint::Before(op)).unwrap());
        }
        if created.is_empty() {
            continue;
        }
        let with = Module::from_bytes(written(&mut editor)).unwrap();
        assert_eq!(text(&with).matches("mlirbc.new").count(), created.len(), "{}", path.display());
        for op in created {
            editor.erase(op).unwrap();
        }
        let bytes = written(&mut editor);
        let after = Module::from_bytes(bytes).unwrap();
        assert!(text(&after) == before, "{}", path.display());
        let canonical = WriteOptions::default().numbering(Numbering::Canonical);
        let (mut old, mut new) = (Vec::new(), Vec::new());
        if module.write(&mut old, &canonical).is_ok() {
            editor.write(&mut new, &canonical).unwrap();
            assert!(old == new, "{}: canonical", path.display());
        }
    }
}

#[test]
fn a_clone_that_takes_the_place_of_its_op_leaves_the_text_as_it_was() {
    for path in files("tests/data/bytecode") {
        let module = open(&path);
        let before = text(&module);
        if before.contains("distinct") {
            continue;
        }
        let mut editor = Editor::new(module.clone()).unwrap();
        let top = editor.operation().unwrap();
        let mut inside = Vec::new();
        for region in editor.regions(top).unwrap() {
            for block in editor.blocks(region).unwrap() {
                inside.extend(editor.operations(block).unwrap());
            }
        }
        for op in inside {
            let copy = editor.clone_op(op).unwrap();
            editor.insert(copy, InsertionPoint::After(op)).unwrap();
            for (old, new) in editor.results(op).unwrap().into_iter().zip(editor.results(copy).unwrap()) {
                editor.replace_all_uses_with(old, new).unwrap();
            }
            if editor.erase(op).is_err() {
                // The operation used its own result, and so does the copy.
                editor.erase(copy).ok();
            }
        }
        editor.set_verification(false, false);
        let bytes = written(&mut editor);
        let after = Module::from_bytes(bytes).unwrap();
        after.verify().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(text(&after), before, "{}", path.display());
    }
}

#[test]
fn attributes_are_set_and_removed_wherever_they_belong() {
    let value = Attribute::parse("[1 : i8, \"x\", @somewhere::@inside]").unwrap();
    for path in files("tests/data/bytecode") {
        let module = open(&path);
        let before = text(&module);
        let mut editor = Editor::new(module.clone()).unwrap();
        let ops = all_ops(&mut editor);
        for &op in &ops {
            editor.set_attribute(op, "mlirbc.test", &value).unwrap();
        }
        let again = Module::from_bytes(written(&mut editor)).unwrap();
        let mut second = Editor::new(again).unwrap();
        for op in all_ops(&mut second) {
            assert_eq!(second.attribute(op, "mlirbc.test").unwrap(), Some(value.clone()));
            assert!(second.remove_attribute(op, "mlirbc.test").unwrap());
        }
        let after = Module::from_bytes(written(&mut second)).unwrap();
        assert!(text(&after) == before, "{}", path.display());
    }
}

#[test]
fn properties_are_set_by_the_schema() {
    let path = data("bytecode/llvm-22/v6/symbols.mlirbc");
    let module = open(&path);
    let mut editor = Editor::new(module).unwrap();
    let ops = all_ops(&mut editor);
    let functions: Vec<_> = ops.into_iter().filter(|&op| editor.name(op).unwrap() == "func.func").collect();
    let name = Attribute::parse("\"another\"").unwrap();
    editor.set_attribute(functions[0], "sym_name", &name).unwrap();
    let attributes = editor.attributes(functions[0]).unwrap();
    assert!(attributes.iter().any(|attribute| attribute.name == b"sym_name" && attribute.is_inherent));
    let error = editor.set_attribute(functions[0], "sym_name", &Attribute::parse("3 : i8").unwrap());
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Value);
    let error = editor.remove_attribute(functions[0], "sym_name").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Value);
    let mut again = Editor::new(Module::from_bytes(written(&mut editor)).unwrap()).unwrap();
    let names = symbol_names(&mut again);
    assert_eq!(names, symbol_names(&mut editor));
    assert_eq!(names.iter().filter(|name| *name == "another").count(), 1);
}

/// The names of all symbols, in the order of the file.
fn symbol_names(editor: &mut Editor) -> Vec<String> {
    let ops = all_ops(editor);
    let names = ops.into_iter().filter_map(|op| editor.attribute(op, "sym_name").unwrap());
    names.map(|name| name.to_string().trim_matches('"').to_owned()).collect()
}

#[test]
fn a_symbol_is_renamed_with_everything_that_refers_to_it() {
    for version in 0..=6 {
        let path = data(format!("bytecode/llvm-22/v{version}/symbols.mlirbc"));
        let module = open(&path);
        let before = text(&module);
        let mut editor = Editor::new(module.clone()).unwrap();
        let names = symbol_names(&mut editor);
        let dangling = editor.verify(true).map_err(|error| error.to_string());
        for name in &names {
            if names.iter().filter(|other| *other == name).count() > 1 {
                assert_eq!(editor.rename_symbol(name, "x").unwrap_err().kind(), ErrorKind::Edit);
                continue;
            }
            editor.rename_symbol(name, format!("{name}.renamed")).unwrap();
            let after = Module::from_bytes(written(&mut editor)).unwrap();
            let mut again = Editor::new(after).unwrap();
            // A reference to the old name would lead nowhere.
            assert_eq!(again.verify(true).map_err(|error| error.to_string()), dangling, "{name}");
            let renamed = |old: &String| if old == name { format!("{name}.renamed") } else { old.clone() };
            assert_eq!(symbol_names(&mut again), names.iter().map(renamed).collect::<Vec<_>>());
            editor.rename_symbol(format!("{name}.renamed"), name).unwrap();
            assert_eq!(text(&Module::from_bytes(written(&mut editor)).unwrap()), before, "{name}");
        }
        assert_eq!(editor.rename_symbol("nowhere", "x").unwrap_err().kind(), ErrorKind::Edit);
    }
}

#[test]
fn resources_are_replaced_added_and_taken_away() {
    for path in files("tests/data/bytecode") {
        let module = open(&path);
        let rows: Vec<_> = module.resources().unwrap().collect();
        for row in &rows {
            if module.resources_named(row.key()).unwrap().count() != 1 {
                continue;
            }
            let content = ResourceContent::Blob { bytes: vec![7; 100].into(), alignment: Some(64) };
            let mut editor = Editor::new(module.clone()).unwrap();
            editor.resize_resource(row.key(), content.clone()).unwrap();
            let added_resource = NewResource {
                key: b"mlirbc.added".to_vec(),
                group: ResourceGroup::External(b"notes".to_vec()),
                content: ResourceContent::String(b"hi".to_vec()),
            };
            editor.add_resource(added_resource).unwrap();
            editor
                .add_resource(NewResource {
                    key: b"mlirbc.blob".to_vec(),
                    group: ResourceGroup::builtin(),
                    content,
                })
                .unwrap();
            let again = Module::from_bytes(written(&mut editor)).unwrap();
            again.verify().unwrap();
            assert_eq!(again.resources().unwrap().len(), rows.len() + 2, "{}", path.display());
            let value =
                |key: &[u8]| again.resources_named(key).unwrap().next().unwrap().value().unwrap().unwrap();
            for key in [row.key(), b"mlirbc.blob"] {
                let ResourceValue::Blob { bytes, alignment, .. } = value(key) else { panic!() };
                assert_eq!((&bytes[..], alignment), (&[7; 100][..], 64));
            }
            assert_eq!(value(b"mlirbc.added"), ResourceValue::String(b"hi"));
            for old in rows.iter().filter(|old| old.index() != row.index()) {
                if module.resources_named(old.key()).unwrap().count() == 1 {
                    let new = again.resources_named(old.key()).unwrap().next().unwrap();
                    match (new.value().unwrap(), old.value().unwrap()) {
                        (
                            Some(ResourceValue::Blob { bytes, alignment, .. }),
                            Some(ResourceValue::Blob { bytes: before, alignment: aligned, .. }),
                        ) => assert_eq!((bytes, alignment), (before, aligned)),
                        (new, old) => assert_eq!(new, old),
                    }
                }
            }
        }
    }
}

#[test]
fn a_new_resource_comes_after_the_others_of_its_group() {
    let resource = |group: &[u8], key: &[u8]| NewResource {
        key: key.to_vec(),
        group: ResourceGroup::External(group.to_vec()),
        content: ResourceContent::Bool(true),
    };
    let added = |bytes: Vec<u8>, new: &[(&[u8], &[u8])]| {
        let mut editor = Editor::new(Module::from_bytes(bytes).unwrap()).unwrap();
        for (group, key) in new {
            editor.add_resource(resource(group, key)).unwrap();
        }
        written(&mut editor)
    };
    let bytes = std::fs::read("../../examples/two_layers.mlirbc").unwrap();
    let bytes = added(bytes, &[(b"a", b"1"), (b"a", b"2"), (b"b", b"3")]);
    let module = Module::from_bytes(added(bytes, &[(b"a", b"4"), (b"b", b"5"), (b"a", b"6")])).unwrap();
    let keys: Vec<_> = module.resources().unwrap().map(|row| row.key().to_vec()).collect();
    let of_groups: Vec<_> = keys.iter().filter(|key| key.len() == 1).map(|key| key[0] as char).collect();
    assert_eq!(of_groups, ['1', '2', '4', '6', '3', '5']);
}

#[test]
fn a_module_is_built_from_nothing() {
    for release in ["llvm-16", "llvm-19", "llvm-22"] {
        for version in BytecodeVersion::all() {
            if release == "llvm-16" && version.number() > 0 {
                continue;
            }
            let parse = |text: &str| Attribute::parse(text).unwrap();
            let i32 = Type::parse("i32").unwrap();
            let mut editor = Editor::create_module(
                &mlirbc::Release::named(release),
                version,
                Some(&parse("loc(\"new\")")),
            )
            .unwrap();
            let module = editor.operation().unwrap();
            let top = editor.body(module).unwrap();
            let function = NewOperation { regions: 1, ..NewOperation::new("func.func") }
                .attribute("sym_name", parse("\"f\""))
                .attribute("function_type", parse("(i32) -> i32"));
            let function = editor.create(&function, InsertionPoint::AtEnd(top)).unwrap();
            let region = editor.regions(function).unwrap()[0];
            let entry = editor.add_block(region, None, std::slice::from_ref(&i32)).unwrap();
            let exit = editor.add_block(region, None, std::slice::from_ref(&i32)).unwrap();
            let argument = editor.arguments(entry).unwrap()[0];
            let last = editor.arguments(exit).unwrap()[0];
            let sum = NewOperation {
                operands: vec![argument, argument],
                results: vec![i32.clone()],
                ..NewOperation::new("arith.addi")
            };
            let sum = editor.create(&sum, InsertionPoint::AtEnd(entry)).unwrap();
            let sum = editor.results(sum).unwrap();
            let branch = NewOperation { operands: sum, successors: vec![exit], ..NewOperation::new("cf.br") };
            editor.create(&branch, InsertionPoint::AtEnd(entry)).unwrap();
            let back = NewOperation { operands: vec![last], ..NewOperation::new("func.return") };
            editor.create(&back, InsertionPoint::AtEnd(exit)).unwrap();
            let bytes = written(&mut editor);
            let again = Module::from_bytes(bytes).unwrap();
            again.verify().unwrap();
            assert_eq!(again.operation().unwrap().pre_order().count(), 5);
            assert_eq!(again.release().unwrap().name(), Some(release));
        }
    }
}

#[test]
fn what_does_not_hang_together_is_not_written() {
    let module = open(&data("bytecode/llvm-22/v6/cfg.mlirbc"));
    let mut editor = Editor::new(module).unwrap();
    let ops = all_ops(&mut editor);
    let inside: Vec<_> = ops.iter().copied().filter(|&op| !editor.results(op).unwrap().is_empty()).collect();
    let user = inside.iter().copied().find(|&op| !editor.operands(op).unwrap().is_empty()).unwrap();
    let own_result = editor.results(user).unwrap()[0];
    editor.set_operand(user, 0, own_result).unwrap();
    let mut bytes = Vec::new();
    let error = editor.write(&mut bytes, &WriteOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Ir);
    assert!(bytes.is_empty() && error.path().unwrap().contains(&editor.name(user).unwrap()));
    editor.set_verification(false, false);
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
}

#[test]
fn handles_of_what_was_erased_say_so() {
    let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example()).unwrap()).unwrap();
    let module = editor.operation().unwrap();
    let body = editor.body(module).unwrap();
    let ops = editor.operations(body).unwrap();
    let inner = editor.body(ops[1]).unwrap();
    let deep = editor.operations(inner).unwrap()[0];
    editor.erase(ops[1]).unwrap();
    for error in [editor.name(ops[1]).unwrap_err(), editor.name(deep).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Erased);
    }
    assert_eq!(editor.operations(inner).unwrap_err().kind(), ErrorKind::Erased);
    assert!(editor.uses(editor.results(ops[0]).unwrap()[0]).unwrap().is_empty());
}

/// Describes a module, with values and blocks by number.
fn said(editor: &mut Editor) -> Vec<String> {
    let mut values = std::collections::HashMap::new();
    let mut blocks = std::collections::HashMap::new();
    let ops = all_ops(editor);
    for &op in &ops {
        for value in editor.results(op).unwrap() {
            let next = values.len();
            values.insert(value, next);
        }
        for region in editor.regions(op).unwrap() {
            for block in editor.blocks(region).unwrap() {
                let next = blocks.len();
                blocks.insert(block, next);
                for value in editor.arguments(block).unwrap() {
                    let next = values.len();
                    values.insert(value, next);
                }
            }
        }
    }
    let mut lines = Vec::new();
    for op in ops {
        let operands: Vec<_> = editor.operands(op).unwrap().iter().map(|value| values[value]).collect();
        let successors: Vec<_> = editor.successors(op).unwrap().iter().map(|block| blocks[block]).collect();
        let types: Vec<_> = editor
            .results(op)
            .unwrap()
            .into_iter()
            .map(|value| editor.value_type(value).unwrap().to_string())
            .collect();
        let attributes: Vec<_> = editor
            .attributes(op)
            .unwrap()
            .into_iter()
            .map(|attribute| (attribute.name, attribute.value.to_string()))
            .collect();
        let parent = editor.parent(op).unwrap().map(|parent| editor.name(parent).unwrap());
        lines.push(format!(
            "{} {operands:?} {successors:?} {types:?} {attributes:?} {} in {parent:?}",
            editor.name(op).unwrap(),
            editor.location(op).unwrap(),
        ));
    }
    lines
}

fn some_edit(editor: &mut Editor, kind: u8, a: usize, b: usize) {
    let ops = all_ops(editor);
    if ops.len() < 3 {
        return;
    }
    let (first, second) = (ops[1 + a % (ops.len() - 1)], ops[1 + b % (ops.len() - 1)]);
    let values: Vec<_> = ops.iter().flat_map(|&op| editor.results(op).unwrap()).collect();
    let value = |n: usize| (!values.is_empty()).then(|| values[n % values.len()]);
    // An impossible edit returns an error and changes nothing.
    match kind % 10 {
        0 => drop(editor.erase(first)),
        1 => drop(editor.move_before(first, second)),
        2 => drop(editor.move_after(first, second)),
        3 => {
            let copy = editor.clone_op(first).unwrap();
            drop(editor.insert(copy, InsertionPoint::Before(second)));
        }
        4 => {
            let operands = value(b).into_iter().collect();
            let new = NewOperation {
                operands,
                results: vec![Type::parse("i7").unwrap()],
                regions: b % 3,
                ..NewOperation::new("mlirbc.new")
            };
            drop(editor.create(&new, InsertionPoint::After(first)));
        }
        5 => {
            if let (Some(old), Some(new)) = (value(a), value(b)) {
                drop(editor.replace_all_uses_with(old, new));
            }
        }
        6 => drop(editor.set_attribute(
            first,
            format!("mlirbc.a{}", b % 5),
            &Attribute::parse("[@x, 2 : i8]").unwrap(),
        )),
        7 => drop(editor.set_location(first, &Attribute::parse("loc(\"moved\")").unwrap())),
        8 => {
            if let Some(value) = value(a) {
                drop(editor.set_type(value, &Type::parse("vector<4xf16>").unwrap()));
            }
        }
        _ => {
            for region in editor.regions(first).unwrap() {
                if let Ok(block) = editor.add_block(region, None, &[Type::parse("index").unwrap()]) {
                    let operands = editor.arguments(block).unwrap();
                    let new = NewOperation { operands, ..NewOperation::new("mlirbc.user") };
                    drop(editor.create(&new, InsertionPoint::AtEnd(block)));
                }
            }
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn random_edits_read_back_as_they_were(
        file in 0usize..1000,
        edits in proptest::collection::vec((0u8..10, 0usize..1000, 0usize..1000), 1..12),
    ) {
        let files = files("tests/data/bytecode");
        let path = &files[file % files.len()];
        if !path.to_string_lossy().contains("deep") {
            let module = open(path);
            let mut editor = Editor::new(module).unwrap();
            for (kind, a, b) in edits {
                some_edit(&mut editor, kind, a, b);
            }
            editor.set_verification(false, false);
            let mut bytes = Vec::new();
            match editor.write(&mut bytes, &WriteOptions::default()) {
                // A value that was carried out of its scope.
                Err(error) => proptest::prop_assert_eq!(error.kind(), ErrorKind::Ir),
                Ok(_) => {
                    let again = Module::from_bytes(bytes.clone()).unwrap();
                    again.verify().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                    let mut second = Editor::new(again).unwrap();
                    proptest::prop_assert_eq!(said(&mut second), said(&mut editor));
                    let mut twice = Vec::new();
                    editor.write(&mut twice, &WriteOptions::default()).unwrap();
                    proptest::prop_assert!(bytes == twice, "writing again gives the same bytes");
                }
            }
        }
    }
}

#[test]
fn a_writer_that_fails_is_reported() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example()).unwrap()).unwrap();
    let module = editor.operation().unwrap();
    editor.set_location(module, &Attribute::parse("loc(\"x\")").unwrap()).unwrap();
    let error = editor.write(&mut Full(50), &WriteOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    editor.write(&mut Full(1000), &WriteOptions::default()).unwrap();
}

#[test]
fn a_handle_of_another_editor_is_refused() {
    let module = Module::from_bytes(mlirbc::doc_example()).unwrap();
    let (mut editor, mut source) = (Editor::new(module.clone()).unwrap(), Editor::new(module).unwrap());
    let (top, value_type) = (source.operation().unwrap(), Type::parse("i32").unwrap());
    let region = source.regions(top).unwrap()[0];
    let block = source.blocks(region).unwrap()[0];
    let value = source.add_argument(block, &value_type, None).unwrap();
    let inside = source.operations(block).unwrap()[0];
    let (own_top, own_block) = (editor.operation().unwrap(), editor.top_level());
    let unit = Attribute::parse("unit").unwrap();
    let new = NewOperation { operands: vec![value], ..NewOperation::new("test.op") };
    let results = [
        editor.name(top).map(drop),
        editor.regions(top).map(drop),
        editor.blocks(region).map(drop),
        editor.operations(block).map(drop),
        editor.value_type(value).map(drop),
        editor.uses(value).map(drop),
        editor.set_attribute(top, b"a", &unit),
        editor.set_operands(own_top, &[value]),
        editor.set_type(value, &value_type),
        editor.create(&new, InsertionPoint::AtEnd(own_block)).map(drop),
        editor.create(&NewOperation::new("test.op"), InsertionPoint::AtEnd(block)).map(drop),
        editor.move_before(own_top, top),
        editor.move_after(inside, own_top),
        editor.add_block(region, None, &[]).map(drop),
        editor.erase(inside),
        editor.erase_block(block),
        editor.replace_all_uses_with(value, value).map(drop),
        editor.clone_op(inside).map(drop),
    ];
    for (number, result) in results.into_iter().enumerate() {
        let error = result.expect_err(&number.to_string());
        assert_eq!(error.kind(), ErrorKind::Edit, "{number}: {error}");
        assert!(error.to_string().contains("belongs to another editor"), "{number}: {error}");
    }
    assert!(!editor.is_changed());
}
