//! Transactions, and changes of results, regions and arguments.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::edit::{
    Builder, CloneOptions, ClonePart, EditBlock, EditOp, Editor, InsertionPoint, NewOperation, NewResource,
    ResourceContent, ResourceGroup,
};
use mlirbc::ir::UseOrder;
use mlirbc::version::BytecodeVersion;
use mlirbc::{Attribute, ErrorKind, Module, Type, WriteOptions};
use proptest::prelude::*;

use crate::support::{files, root};

fn written(editor: &mut Editor) -> Vec<u8> {
    let mut bytes = Vec::new();
    editor.set_verification(false, false);
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    bytes
}

/// The bytes, or the error if the edits left something that cannot be written.
fn outcome(editor: &mut Editor) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    editor.set_verification(false, false);
    editor.write(&mut bytes, &WriteOptions::default()).map(|_| bytes).map_err(|error| error.to_string())
}

fn read(editor: &mut Editor) -> Module {
    let module = Module::from_bytes(written(editor)).unwrap();
    module.verify().unwrap();
    module
}

fn example() -> Editor {
    Editor::new(Module::open(root().join("examples/two_layers.mlirbc")).unwrap()).unwrap()
}

fn parts(editor: &mut Editor) -> (Vec<EditOp>, Vec<EditBlock>) {
    let (mut ops, mut blocks) = (editor.operations(editor.top_level()).unwrap(), Vec::new());
    let mut at = 0;
    while at < ops.len() {
        for region in editor.regions(ops[at]).unwrap() {
            for block in editor.blocks(region).unwrap() {
                blocks.push(block);
                ops.extend(editor.operations(block).unwrap());
            }
        }
        at += 1;
    }
    (ops, blocks)
}

fn edit(editor: &mut Editor, kind: u8, place: usize) -> mlirbc::Result<()> {
    let (ops, blocks) = parts(editor);
    if ops.is_empty() || blocks.is_empty() {
        return Ok(());
    }
    let (op, block) = (ops[place % ops.len()], blocks[place % blocks.len()]);
    let i8 = Type::parse("i8")?;
    match kind {
        0 => editor.set_attribute(op, format!("x.a{place}"), &Attribute::parse(format!("{place} : i16"))?),
        1 => {
            let new = NewOperation { results: vec![i8], regions: place % 2, ..NewOperation::new("x.new") };
            editor.create(&new, InsertionPoint::AtEnd(block)).map(drop)
        }
        2 => editor.erase(op),
        3 => editor.set_results(op, &[i8.clone(), i8]).map(drop),
        4 => {
            let copy = editor.clone_op(op)?;
            editor.insert(copy, InsertionPoint::After(op))
        }
        5 => editor.add_argument(block, &i8, None).map(drop),
        6 => {
            let content = ResourceContent::Blob { bytes: vec![1; 3].into(), alignment: None };
            let key = format!("new{place}").into_bytes();
            editor.add_resource(NewResource { key, group: ResourceGroup::builtin(), content })
        }
        7 => editor.set_dialect_version("example", Some(&[3])).map(drop),
        8 => editor.add_region(op, None).map(drop),
        9 => {
            let region = editor.region_of(block)?.unwrap();
            editor.clone_within(ClonePart::Block(block, region, None), &CloneOptions::default()).map(drop)
        }
        _ => editor.detach(op),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_rollback_restores_every_byte(
        file in 0usize..1000,
        before in prop::collection::vec((0u8..11, 0usize..100), 0..4),
        after in prop::collection::vec((0u8..11, 0usize..100), 1..8),
        inner in prop::collection::vec((0u8..11, 0usize..100), 0..3),
    ) {
        let mut files = files("tests/data/bytecode/llvm-22");
        files.push(root().join("examples/two_layers.mlirbc"));
        let module = Module::open(&files[file % files.len()]).unwrap();
        let mut editor = Editor::new(module).unwrap();
        for &(kind, place) in &before {
            let _ = edit(&mut editor, kind, place);
        }
        let (ops, blocks) = parts(&mut editor);
        let expected = outcome(&mut editor);
        let mut created = None;
        let failed = editor.transaction(|editor| {
            for &(kind, place) in &after {
                let _ = edit(editor, kind, place);
            }
            // The first inner transaction succeeds, and the second one fails.
            let _ = editor.transaction(|editor| inner.iter().try_for_each(|&(kind, place)| edit(editor, kind, place)));
            let module = editor.create_detached(&NewOperation::new("x.last"))?;
            created = Some(module);
            Err::<(), _>(edit(editor, 2, 0).err().unwrap_or_else(|| Attribute::parse("?").unwrap_err()))
        });
        prop_assert!(failed.is_err());
        prop_assert_eq!(&outcome(&mut editor), &expected);
        let error = editor.name(created.unwrap()).unwrap_err();
        prop_assert_eq!(error.kind(), ErrorKind::Erased);
        prop_assert!(error.to_string().contains("rolled back"), "{}", error);
        // Handles from before refer to the same operations.
        let current = parts(&mut editor);
        prop_assert_eq!((&current.0, &current.1), (&ops, &blocks));
        // New handles differ from the handles of undone objects.
        let new = editor.create_detached(&NewOperation::new("x.next")).unwrap();
        prop_assert!(new != created.unwrap());
        // And the same edits are possible again, with the same result.
        for &(kind, place) in &after {
            let _ = edit(&mut editor, kind, place);
        }
        let _ = outcome(&mut editor).map(|bytes| Module::from_bytes(bytes).unwrap());
    }
}

#[test]
fn handles_of_bodies_that_were_read_in_between_stay_valid() {
    let mut editor = example();
    let start = editor.checkpoint().unwrap();
    let dense = editor.symbol("dense").unwrap().unwrap();
    let block = editor.body(dense).unwrap();
    let ops = editor.operations(block).unwrap();
    let count = editor.attributes(ops[0]).unwrap().len();
    editor.set_attribute(ops[0], "x.note", &Attribute::parse("unit").unwrap()).unwrap();
    editor.rollback(&start).unwrap();
    assert!(!editor.is_changed());
    assert_eq!(editor.operations(block).unwrap(), ops);
    assert_eq!(editor.attributes(ops[0]).unwrap().len(), count);
    // The body is not read to other rows.
    assert_eq!(editor.symbol("dense").unwrap(), Some(dense));
    assert_eq!(editor.body(dense).unwrap(), block);
}

#[test]
fn checkpoints_belong_to_one_editor_and_end_with_a_rollback() {
    let (mut editor, mut other) = (example(), example());
    let first = editor.checkpoint().unwrap();
    let second = editor.checkpoint().unwrap();
    assert_eq!(other.rollback(&first).unwrap_err().kind(), ErrorKind::Edit);
    editor.rollback(&second).unwrap();
    editor.rollback(&first).unwrap();
    editor.rollback(&first).unwrap();
    assert_eq!(editor.rollback(&second).unwrap_err().kind(), ErrorKind::Edit);
    let third = editor.checkpoint().unwrap();
    editor.rollback(&third).unwrap();
    let _ = other.checkpoint().unwrap();
}

#[test]
fn many_rollbacks_take_no_memory_of_the_edit() {
    let options =
        mlirbc::ReadOptions::default().limits(mlirbc::limits::Limits::default().max_memory(Some(4 << 20)));
    let module = Module::open_with(root().join("examples/two_layers.mlirbc"), &options).unwrap();
    let mut editor = Editor::new(module).unwrap();
    for number in 0..200 {
        let undone = editor.transaction(|editor| {
            let (_, blocks) = parts(editor);
            for place in 0..50 {
                let text = format!("\"{number} {place} {}\"", "x".repeat(500));
                let attributes = vec![(b"x.a".to_vec(), Attribute::parse(text)?)];
                let new = NewOperation { attributes, ..NewOperation::new("x.new") };
                editor.create(&new, InsertionPoint::AtEnd(blocks[0]))?;
            }
            Err::<(), _>(Attribute::parse("?").unwrap_err())
        });
        assert_ne!(undone.unwrap_err().kind(), ErrorKind::MemoryLimit, "{number}");
    }
}

fn types(texts: &[&str]) -> Vec<Type> {
    texts.iter().map(|text| Type::parse(text).unwrap()).collect()
}

#[test]
fn results_are_added_and_removed_while_handles_stay() {
    let mut editor = example();
    let dense = editor.symbol("dense").unwrap().unwrap();
    let block = editor.body(dense).unwrap();
    let at = InsertionPoint::AtBegin(block);
    let new = NewOperation { results: types(&["i1", "i2", "i3"]), ..NewOperation::new("x.three") };
    let op = editor.create(&new, at).unwrap();
    let values = editor.results(op).unwrap();
    let user = NewOperation { operands: vec![values[1]], ..NewOperation::new("x.user") };
    editor.create(&user, InsertionPoint::After(op)).unwrap();
    assert_eq!(editor.set_results(op, &types(&["i1"])).unwrap_err().kind(), ErrorKind::Edit);
    assert_eq!(editor.erase_result(op, 1).unwrap_err().kind(), ErrorKind::Edit);
    assert_eq!(editor.erase_result(op, 3).unwrap_err().kind(), ErrorKind::Index);
    editor.erase_result(op, 0).unwrap();
    let first = editor.add_result(op, Some(0), &types(&["f32"])[0]).unwrap();
    let last = editor.add_result(op, None, &types(&["f64"])[0]).unwrap();
    assert_eq!(editor.results(op).unwrap(), [first, values[1], values[2], last]);
    assert_eq!(editor.definition(values[1]).unwrap(), (Ok(op), 1));
    assert!(editor.value_type(values[0]).is_err());
    let copy = editor.clone_op(op).unwrap();
    editor.insert(copy, InsertionPoint::After(op)).unwrap();
    let module = read(&mut editor);
    let mut again = Editor::new(module).unwrap();
    let mut result_types = Vec::new();
    for op in parts(&mut again).0 {
        if again.name(op).unwrap() == "x.three" {
            let results = again.results(op).unwrap();
            let texts: Vec<String> =
                results.iter().map(|&value| again.value_type(value).unwrap().to_string()).collect();
            result_types.push(texts.join(" "));
        }
    }
    assert_eq!(result_types, ["f32 i2 i3 f64", "f32 i2 i3 f64"]);
    editor.erase(copy).unwrap();
    editor.set_results(op, &types(&["i9", "i8"])).unwrap();
    assert_eq!(editor.results(op).unwrap(), [first, values[1]]);
    read(&mut editor);
}

#[test]
fn regions_successors_and_arguments_change() {
    let mut editor = example();
    let dense = editor.symbol("dense").unwrap().unwrap();
    let block = editor.body(dense).unwrap();
    let region = editor.region_of(block).unwrap().unwrap();
    let i8 = &types(&["i8"])[0];
    let value = editor.insert_argument(block, 0, i8, None).unwrap();
    let arguments = editor.arguments(block).unwrap();
    for (number, &argument) in arguments.iter().enumerate() {
        assert_eq!(editor.definition(argument).unwrap(), (Err(block), number));
    }
    assert_eq!(arguments[0], value);
    assert_eq!(editor.insert_argument(block, 9, i8, None).unwrap_err().kind(), ErrorKind::Index);
    let second = editor.add_block(region, Some(1), &[]).unwrap();
    assert_eq!(editor.block_number(second).unwrap(), 1);
    let jump = editor.create(&NewOperation::new("x.jump"), InsertionPoint::AtEnd(second)).unwrap();
    let third = editor.add_block(region, None, &[]).unwrap();
    editor.create(&NewOperation::new("x.stop"), InsertionPoint::AtEnd(third)).unwrap();
    editor.set_successors(jump, &[third, third]).unwrap();
    assert_eq!(editor.successors(jump).unwrap(), [third, third]);
    assert!(editor.erase_block(third).is_err());
    let added = editor.add_region(dense, None).unwrap();
    let inner = editor.add_block(added, None, &[]).unwrap();
    editor.create(&NewOperation::new("x.inner"), InsertionPoint::AtEnd(inner)).unwrap();
    let module = read(&mut editor);
    let op = module.operation().unwrap().pre_order().map(Result::unwrap).find(|op| op.name() == "x.inner");
    assert!(op.is_some());
    editor.erase_region(dense, 1).unwrap();
    assert!(editor.blocks(added).is_err());
    editor.set_successors(jump, &[]).unwrap();
    editor.erase_block(third).unwrap();
    editor.erase_region(dense, 0).unwrap();
    assert!(editor.regions(dense).unwrap().is_empty());
    read(&mut editor);
    let again = editor.add_region(dense, None).unwrap();
    editor.add_block(again, None, &[]).unwrap();
    read(&mut editor);
}

#[test]
fn an_operation_becomes_unregistered_and_registered_again() {
    let mut editor = example();
    let dense = editor.symbol("dense").unwrap().unwrap();
    let before = editor.attributes(dense).unwrap();
    editor.set_registered(dense, false).unwrap();
    assert!(editor.property_attribute(dense).unwrap().is_some());
    let module = read(&mut editor);
    let mut again = Editor::new(module).unwrap();
    let top = again.operation().unwrap();
    let body = again.body(top).unwrap();
    let copy = again.operations(body).unwrap()[0];
    assert_eq!(again.is_registered(copy).unwrap(), Some(false));
    editor.set_registered(dense, true).unwrap();
    assert_eq!(editor.attributes(dense).unwrap(), before);
    let old = BytecodeVersion::new(4).unwrap();
    let mut editor = Editor::create_module(&mlirbc::Release::named("llvm-19"), old, None).unwrap();
    let module = editor.operation().unwrap();
    assert_eq!(editor.set_registered(module, false).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn an_order_of_uses_is_written() {
    let mut editor =
        Editor::create_module(&mlirbc::Release::named("llvm-22"), BytecodeVersion::MAX, None).unwrap();
    let module = editor.operation().unwrap();
    let body = editor.body(module).unwrap();
    let mut builder = Builder::at(&mut editor, InsertionPoint::AtBegin(body));
    let source = NewOperation { results: types(&["i8"]), ..NewOperation::new("x.source") };
    let source = builder.create(&source).unwrap();
    let value = builder.editor().results(source).unwrap()[0];
    let new = NewOperation { operands: vec![value, value], ..NewOperation::new("x.user") };
    let users = [builder.create(&new).unwrap(), builder.create(&new).unwrap()];
    let order = [(users[0], 1), (users[1], 0), (users[0], 0), (users[1], 1)];
    editor.set_use_list_order(value, &order).unwrap();
    assert_eq!(editor.use_list_order(value).unwrap(), order);
    for wrong in [&order[..3], &[order[0], order[0], order[1], order[2]], &[(users[0], 2)], &[(source, 0)]] {
        assert_eq!(editor.set_use_list_order(value, wrong).unwrap_err().kind(), ErrorKind::Value);
    }
    let module = read(&mut editor);
    let op = module.operation().unwrap().pre_order().map(Result::unwrap).find(|op| op.name() == "x.source");
    let users: Vec<u32> = op
        .unwrap()
        .results()
        .next()
        .unwrap()
        .uses(UseOrder::Stored)
        .unwrap()
        .map(|one| one.operand_number())
        .collect();
    assert_eq!(users, [1, 0, 0, 1]);
    // The order is kept after reading, and in a clone in another module.
    let mut again = Editor::new(module).unwrap();
    let mut target =
        Editor::create_module(&mlirbc::Release::named("llvm-22"), BytecodeVersion::MAX, None).unwrap();
    let top = again.operation().unwrap();
    let region = again.regions(top).unwrap()[0];
    let into = target.operation().unwrap();
    let into = target.regions(into).unwrap()[0];
    let part = ClonePart::Region(region, into, Some(0));
    let blocks = target.clone_blocks_from(&mut again, part, &CloneOptions::default()).unwrap();
    let ops = target.operations(blocks[0]).unwrap();
    let value = target.results(ops[0]).unwrap()[0];
    let order: Vec<usize> = target.use_list_order(value).unwrap().iter().map(|one| one.1).collect();
    assert_eq!(order, [1, 0, 0, 1]);
}

#[test]
fn a_group_of_operands_is_replaced_with_its_size() {
    let mut editor =
        Editor::create_module(&mlirbc::Release::named("llvm-22"), BytecodeVersion::MAX, None).unwrap();
    let module = editor.operation().unwrap();
    let at = InsertionPoint::AtEnd(editor.body(module).unwrap());
    let sizes = NewOperation { results: types(&["index", "index"]), ..NewOperation::new("x.sizes") };
    let sizes = editor.create(&sizes, at).unwrap();
    let [a, b] = editor.results(sizes).unwrap()[..] else { panic!() };
    let new = NewOperation { results: types(&["memref<?xf32>"]), ..NewOperation::new("memref.alloc") };
    let alloc = editor.create(&new, at).unwrap();
    editor.set_operand_group(alloc, "symbolOperands", &[b]).unwrap();
    editor.set_operand_group(alloc, "dynamicSizes", &[a, b]).unwrap();
    let groups = editor.operand_groups(alloc).unwrap();
    let expected = [("dynamicSizes".to_owned(), vec![a, b]), ("symbolOperands".to_owned(), vec![b])];
    assert_eq!(groups, expected);
    assert_eq!(editor.set_operand_group(alloc, "other", &[a]).unwrap_err().kind(), ErrorKind::Edit);
    assert_eq!(editor.set_operand_group(sizes, "other", &[a]).unwrap_err().kind(), ErrorKind::Edit);
    editor.set_operand_group(alloc, "dynamicSizes", &[]).unwrap();
    assert_eq!(editor.operands(alloc).unwrap(), [b]);
    read(&mut editor);
}
