//! Clones of operations, blocks and regions in other modules, of the same release and of other ones.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::Path;

use mlirbc::edit::{
    CloneOptions, ClonePart, EditBlock, EditOp, Editor, InsertionPoint, NewOperation, NewResource,
    ResourceContent, ResourceGroup,
};
use mlirbc::file::ResourceValue;
use mlirbc::print::PrintOptions;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Attribute, ErrorKind, Module, Type, WriteOptions};

use crate::support::{files, root};

fn open(path: impl AsRef<Path>) -> Editor {
    Editor::new(Module::open(path).unwrap()).unwrap()
}

fn written(editor: &mut Editor) -> Module {
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    let module = Module::from_bytes(bytes).unwrap();
    module.verify().unwrap();
    module
}

fn text(module: &Module) -> String {
    text_with(module, true)
}

fn text_with(module: &Module, locations: bool) -> String {
    let mut out = Vec::new();
    let options = PrintOptions::generic().locations(locations);
    module.print(&mut out, &options).unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

/// The operations inside the top-level one, and the names of the resources.
fn inside(module: &Module) -> String {
    let text = text(module);
    let is_inside = |line: &&str| !line.starts_with("\"builtin.module\"");
    let lines: Vec<&str> = text.lines().take_while(|line| !line.starts_with('}')).filter(is_inside).collect();
    lines.join("\n")
}

fn body(editor: &mut Editor) -> EditBlock {
    let top = editor.operation().unwrap();
    editor.body(top).unwrap()
}

fn end(editor: &mut Editor) -> InsertionPoint {
    InsertionPoint::AtEnd(body(editor))
}

fn empty(release: &str, version: u64) -> Editor {
    Editor::create_module(
        &mlirbc::Release::named(release.to_owned()),
        BytecodeVersion::new(version).unwrap(),
        None,
    )
    .unwrap()
}

fn assert_same(found: &str, expected: &str, path: &Path) {
    let place = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    if let Some(place) = place {
        let line = |text: &str| text.lines().nth(place).unwrap_or_default().to_owned();
        panic!("{}:\n{}\n{}", path.display(), line(found), line(expected));
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "{}", path.display());
}

/// Clones everything in the top-level operation; operands come from what was cloned before.
fn clone_all(source: &mut Editor, target: &mut Editor) -> mlirbc::Result<()> {
    let mut options = CloneOptions::default();
    let from = body(source);
    let (top, own) = (source.operation()?, target.operation()?);
    target.set_location(own, &source.location(top)?)?;
    for op in source.operations(from)? {
        let at = end(target);
        let copy = target.clone_op_from(source, op, Some(at), &options)?;
        options.values.extend(source.results(op)?.into_iter().zip(target.results(copy)?));
    }
    Ok(())
}

#[test]
fn what_is_cloned_within_a_release_is_printed_the_same() {
    let mut count = 0;
    for path in files("tests/data/bytecode") {
        let module = Module::open(&path).unwrap();
        let Some(release) = module.release().unwrap().nearest().map(str::to_owned) else { continue };
        let mut source = Editor::new(module.clone()).unwrap();
        let top = source.operation().unwrap();
        if source.name(top).unwrap() != "builtin.module" {
            continue;
        }
        let mut target = empty(&release, module.tables().bytecode().version().number().into());
        if let Err(error) = clone_all(&mut source, &mut target) {
            // Undecodable properties and attributes cannot be copied. The operations of a graph region may
            // use later operations.
            let is_graph = path.to_string_lossy().contains("graph") && error.kind() == ErrorKind::Edit;
            if is_graph {
                continue;
            }
            let kinds = [ErrorKind::EntryNoTable, ErrorKind::PropertyOpaque];
            assert!(kinds.contains(&error.kind()), "{}: {error}", path.display());
            continue;
        }
        target.set_verification(false, false);
        assert_same(&inside(&written(&mut target)), &inside(&module), &path);
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn what_is_cloned_to_another_release_is_what_conversion_writes() {
    let mut counts = (0, 0);
    for (number, path) in files("tests/data/bytecode").into_iter().enumerate() {
        let module = Module::open(&path).unwrap();
        let releases = ["llvm-16", "llvm-19", "llvm-22"];
        let source_release = module.release().unwrap().nearest().unwrap_or_default().to_owned();
        let target = releases[number % 3];
        // Each translated clone has distinct attributes of its own.
        let is_distinct = path.to_string_lossy().contains("distinct");
        if source_release == target || is_distinct || module.operation().unwrap().name() != "builtin.module" {
            continue;
        }
        let version = match target {
            "llvm-16" => 0,
            _ => 6,
        };
        let options = WriteOptions::default()
            .numbering(Numbering::Canonical)
            .version(BytecodeVersion::new(version))
            .target(mlirbc::Release::named(target.to_owned()));
        let mut bytes = Vec::new();
        let converted = module.write(&mut bytes, &options);
        let mut source = Editor::new(module.clone()).unwrap();
        let mut into = empty(target, version);
        let cloned = clone_all(&mut source, &mut into);
        match (converted, cloned) {
            (Ok(_), Ok(())) => {
                into.set_verification(false, false);
                let expected = inside(&Module::from_bytes(bytes).unwrap());
                assert_same(&inside(&written(&mut into)), &expected, &path);
                counts.0 += 1;
            }
            (Err(_), Err(error)) => {
                let expected_kinds = [
                    ErrorKind::Unsupported,
                    ErrorKind::PropertyOpaque,
                    ErrorKind::EntryNoTable,
                    ErrorKind::Edit,
                ];
                assert!(expected_kinds.contains(&error.kind()), "{}: {error}", path.display());
                let at = into.operations(into.top_level()).unwrap();
                assert!(at.len() == 1);
                counts.1 += 1;
            }
            // Attributes of the module do not travel.
            (Err(_), Ok(())) => {}
            (Ok(_), Err(error)) => {
                let expected_kinds = [ErrorKind::PropertyOpaque, ErrorKind::EntryNoTable];
                let is_graph = path.to_string_lossy().contains("graph") && error.kind() == ErrorKind::Edit;
                // A conversion notes what it leaves out without harm; a clone has no notes.
                let losses = error.losses();
                let is_noted = !losses.is_empty() && losses.iter().all(|loss| loss.kind.is_harmless());
                assert!(
                    is_graph || is_noted || expected_kinds.contains(&error.kind()),
                    "{}: {error}",
                    path.display()
                );
            }
        }
    }
    assert!(counts.0 > 20 && counts.1 > 5, "{counts:?}");
}

fn example() -> Editor {
    open(root().join("examples/two_layers.mlirbc"))
}

fn blob(module: &Module, key: &str) -> Vec<u8> {
    let resource = module.resources_named(key.as_bytes()).unwrap().next().unwrap();
    let Some(ResourceValue::Blob { bytes, .. }) = resource.value().unwrap() else { panic!("{key}") };
    bytes.to_vec()
}

#[test]
fn a_resource_comes_along_and_gets_another_key_if_its_own_is_taken() {
    for (release, version) in [("llvm-22", 6), ("llvm-19", 6)] {
        let mut source = example();
        let mut target = empty(release, version);
        let content = ResourceContent::Blob { bytes: vec![7; 48].into(), alignment: None };
        let taken = NewResource { key: b"layer0.weight".to_vec(), group: ResourceGroup::builtin(), content };
        target.add_resource(taken).unwrap();
        for name in ["first", "second"] {
            let op = source.symbol("dense").unwrap().unwrap();
            let main = source.symbol("main").unwrap().unwrap();
            let rename = vec![(b"main".to_vec(), name.as_bytes().to_vec())];
            let options = CloneOptions::default().rename(rename);
            let at = end(&mut target);
            target.clone_op_from(&mut source, main, Some(at), &options).unwrap();
            let _ = op;
        }
        let module = written(&mut target);
        let weights = source.base().clone();
        assert_eq!(blob(&module, "layer0.weight"), [7; 48]);
        assert_eq!(blob(&module, "layer0.weight_1"), blob(&weights, "layer0.weight"));
        let mut keys: Vec<Vec<u8>> =
            module.resources().unwrap().map(|resource| resource.key().to_vec()).collect();
        keys.sort();
        let shown: Vec<_> = keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
        assert!(!shown.contains(&"layer0.weight_2".to_owned()), "{shown:?}");
        assert!(text(&module).contains("dense_resource<layer0.weight_1>"));
    }
}

#[test]
fn content_that_was_set_in_the_session_comes_along() {
    for (release, version) in [("llvm-22", 6), ("llvm-19", 6)] {
        let mut source = example();
        let content = ResourceContent::Blob { bytes: vec![9; 48].into(), alignment: Some(16) };
        source.set_resource("layer0.weight", content).unwrap();
        let mut target = empty(release, version);
        let main = source.symbol("main").unwrap().unwrap();
        let at = end(&mut target);
        target.clone_op_from(&mut source, main, Some(at), &CloneOptions::default()).unwrap();
        assert_eq!(blob(&written(&mut target), "layer0.weight"), [9; 48]);
        // Another editor of the file still has the old content.
        let mut second_target = Editor::new(source.base().clone()).unwrap();
        let top = body(&mut second_target);
        let main = source.symbol("main").unwrap().unwrap();
        let rename = vec![(b"main".to_vec(), b"copy".to_vec())];
        let options = CloneOptions::default().rename(rename);
        second_target.clone_op_from(&mut source, main, Some(InsertionPoint::AtEnd(top)), &options).unwrap();
        let module = written(&mut second_target);
        assert_eq!(blob(&module, "layer0.weight_1"), [9; 48]);
        assert_eq!(blob(&module, "layer0.weight"), blob(source.base(), "layer0.weight"));
    }
}

#[test]
fn references_inside_a_clone_follow_its_new_name() {
    let mut target = empty("llvm-22", 6);
    let mut source = example();
    let dense = source.symbol("dense").unwrap().unwrap();
    let main = source.symbol("main").unwrap().unwrap();
    let rename = vec![(b"dense".to_vec(), b"layer".to_vec())];
    let options = CloneOptions::default().rename(rename);
    let at = end(&mut target);
    target.clone_op_from(&mut source, dense, Some(at), &options).unwrap();
    target.clone_op_from(&mut source, main, Some(at), &CloneOptions::default()).unwrap();
    // `main` calls `dense`, which the target does not have.
    assert!(target.verify(true).is_err());
    assert!(target.verify(false).is_ok());
    assert!(target.symbol("layer").unwrap().is_some());
    assert_eq!(source.symbol("dense").unwrap(), Some(dense));
}

fn refused(target: &mut Editor, source: &mut Editor, part: ClonePart, options: &CloneOptions) -> ErrorKind {
    let before = text(&written(target));
    let (ops, changed) = (target.moves(), target.is_changed());
    let error = match part {
        ClonePart::Op(op, at) => target.clone_op_from(source, op, at, options).map(drop).unwrap_err(),
        part => target.clone_blocks_from(source, part, options).map(drop).unwrap_err(),
    };
    assert_eq!((target.moves(), target.is_changed()), (ops, changed), "{error}");
    assert_eq!(text(&written(target)), before, "{error}");
    assert!(!error.to_string().is_empty());
    error.kind()
}

#[test]
fn what_cannot_be_cloned_is_refused_before_anything_changes() {
    let mut source = example();
    let mut target = example();
    let dense = source.symbol("dense").unwrap().unwrap();
    let at = end(&mut target);
    let none = CloneOptions::default();
    // The symbol exists.
    assert_eq!(refused(&mut target, &mut source, ClonePart::Op(dense, Some(at)), &none), ErrorKind::Edit);
    // Operands from outside.
    let block = source.body(dense).unwrap();
    let user = *source
        .operations(block)
        .unwrap()
        .iter()
        .find(|&&op| !source.operands(op).unwrap().is_empty())
        .unwrap();
    assert_eq!(refused(&mut target, &mut source, ClonePart::Op(user, Some(at)), &none), ErrorKind::Edit);
    let target_function = target.symbol("dense").unwrap().unwrap();
    let own_block = target.body(target_function).unwrap();
    let argument = target.arguments(own_block).unwrap()[0];
    let values = source.operands(user).unwrap().into_iter().map(|value| (value, argument)).collect();
    let options = CloneOptions::default().values(values);
    // Mapped, but not visible there, or erased.
    assert_eq!(refused(&mut target, &mut source, ClonePart::Op(user, Some(at)), &options), ErrorKind::Edit);
    let inside = InsertionPoint::AtBegin(own_block);
    target.transaction(|target| target.clone_op_from(&mut source, user, Some(inside), &options)).unwrap();
    // A value that is defined later.
    let last = *target
        .operations(own_block)
        .unwrap()
        .iter()
        .rev()
        .find(|&&op| !target.results(op).unwrap().is_empty())
        .unwrap();
    let later = target.results(last).unwrap()[0];
    let values = source.operands(user).unwrap().into_iter().map(|value| (value, later)).collect();
    let options = CloneOptions::default().values(values);
    assert_eq!(
        refused(&mut target, &mut source, ClonePart::Op(user, Some(inside)), &options),
        ErrorKind::Edit
    );
    // Places and parts that do not exist.
    let region = target.regions(target_function).unwrap()[0];
    let past = ClonePart::Block(block, region, Some(9));
    assert_eq!(refused(&mut target, &mut source, past, &none), ErrorKind::Index);
}

#[test]
fn a_release_that_lacks_an_operation_refuses_it() {
    let mut source = empty("llvm-22", 6);
    let at = end(&mut source);
    let results = vec![Type::parse("vector<4xindex>").unwrap()];
    let op = source.create(&NewOperation { results, ..NewOperation::new("vector.step") }, at).unwrap();
    let mut target = empty("llvm-16", 0);
    let at = end(&mut target);
    let kind = refused(&mut target, &mut source, ClonePart::Op(op, Some(at)), &CloneOptions::default());
    assert_eq!(kind, ErrorKind::Unsupported);
}

#[test]
fn blocks_and_regions_are_cloned_with_their_values() {
    for (release, version) in [("llvm-22", 6), ("llvm-19", 6), ("llvm-16", 0)] {
        let mut source = example();
        let mut target = empty(release, version);
        let dense = source.symbol("dense").unwrap().unwrap();
        let region = source.regions(dense).unwrap()[0];
        let new = NewOperation { regions: 1, ..NewOperation::new("t.holder") };
        let at = end(&mut target);
        let holder = target.create(&new, at).unwrap();
        let into = target.regions(holder).unwrap()[0];
        let none = CloneOptions::default().drop_unsupported(true);
        let blocks =
            target.clone_blocks_from(&mut source, ClonePart::Region(region, into, None), &none).unwrap();
        assert_eq!(target.blocks(into).unwrap(), blocks);
        let block = source.blocks(region).unwrap()[0];
        let again = ClonePart::Block(block, into, Some(0));
        let first = target.clone_blocks_from(&mut source, again, &none).unwrap();
        assert_eq!(target.blocks(into).unwrap()[0], first[0]);
        assert_eq!(target.arguments(first[0]).unwrap().len(), source.arguments(block).unwrap().len());
        let names = |editor: &Editor, block| -> Vec<String> {
            editor.operations(block).unwrap().iter().map(|&op| editor.name(op).unwrap()).collect()
        };
        assert_eq!(names(&target, first[0]), names(&source, block));
        target.set_verification(false, false);
        written(&mut target);
    }
}

#[test]
fn a_clone_within_the_module_keeps_what_it_uses() {
    let mut editor = example();
    let dense = editor.symbol("dense").unwrap().unwrap();
    let block = editor.body(dense).unwrap();
    let count = editor.operations(block).unwrap().len();
    let region = editor.regions(dense).unwrap()[0];
    let (none, blocks) =
        editor.clone_within(ClonePart::Block(block, region, None), &CloneOptions::default()).unwrap();
    assert!(none.is_none());
    assert_eq!(editor.operations(blocks[0]).unwrap().len(), count);
    assert_eq!(editor.blocks(region).unwrap().len(), 2);
    let copies: Vec<EditOp> = editor.operations(blocks[0]).unwrap();
    let originals = editor.operations(block).unwrap();
    for (copy, original) in copies.iter().zip(&originals) {
        assert_eq!(editor.attributes(*copy).unwrap(), editor.attributes(*original).unwrap());
    }
    written(&mut editor);
}

#[test]
fn an_edited_source_gives_what_it_has_now() {
    let mut source = example();
    let dense = source.symbol("dense").unwrap().unwrap();
    let note = Attribute::parse("#foo.bar<{a = [1, \"x\"]}>").unwrap();
    source.set_attribute(dense, "example.note", &note).unwrap();
    let block = source.body(dense).unwrap();
    source.create(&NewOperation::new("x.new"), InsertionPoint::AtBegin(block)).unwrap();
    for (release, version) in [("llvm-22", 6), ("llvm-19", 5)] {
        let mut target = empty(release, version);
        let at = end(&mut target);
        let options = CloneOptions::default().drop_unsupported(true);
        let copy = target.clone_op_from(&mut source, dense, Some(at), &options).unwrap();
        assert_eq!(target.attribute(copy, "example.note").unwrap(), Some(note.clone()));
        let block = target.body(copy).unwrap();
        assert_eq!(target.name(target.operations(block).unwrap()[0]).unwrap(), "x.new");
        written(&mut target);
    }
}

#[cfg(feature = "arbitrary")]
mod generated {
    use mlirbc::smith::{generate_module, rows};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        // Every attribute and type of every dialect, from noise.
        #[test]
        fn what_the_generator_makes_is_cloned_or_refused(
            row in 0usize..100_000,
            noise in prop::collection::vec(any::<u8>(), 0..64),
            is_twice in any::<bool>(),
        ) {
            let rows = rows();
            let row = &rows[row % rows.len()];
            let module = Module::from_bytes(generate_module(row, &noise)).unwrap();
            let Some(release) = module.release().unwrap().nearest().map(str::to_owned) else { return Ok(()) };
            let mut source = Editor::new(module.clone()).unwrap();
            let mut target = empty(&release, module.tables().bytecode().version().number().into());
            if is_twice {
                // Entries that were added in the session are copied in another way.
                let mut first = empty(&release, module.tables().bytecode().version().number().into());
                if clone_all(&mut source, &mut first).is_err() {
                    return Ok(());
                }
                source = first;
            }
            match clone_all(&mut source, &mut target) {
                Ok(()) => {
                    target.set_verification(false, false);
                    // A file may have an entry twice, which gives it two aliases.
                    let copied_text = text_with(&written(&mut target), false);
                    prop_assert_eq!(copied_text, text_with(&module, false), "{}", row);
                }
                Err(error) => {
                    let kinds = [ErrorKind::EntryNoTable, ErrorKind::PropertyOpaque, ErrorKind::Unsupported];
                    prop_assert!(kinds.contains(&error.kind()), "{}: {}", row, error);
                }
            }
        }
    }
}
