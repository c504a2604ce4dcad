//! Counts the steps of typical loops of callers: twice the size must take little more than twice the steps.

use super::module::Module;
use crate::attr::{Attribute, Type};
use crate::edit::{EditBlock, EditOp, EditRegion, Editor, InsertionPoint, NewOperation};
use crate::wire::error::Result;
use crate::wire::steps;
use crate::wire::version::BytecodeVersion;
use crate::write::WriteOptions;

fn new_module() -> Result<(Editor, EditBlock)> {
    let mut editor = Editor::create_module(&crate::Release::named("llvm-22"), BytecodeVersion::MAX, None)?;
    let op = editor.operation()?;
    let body = editor.body(op)?;
    Ok((editor, body))
}

fn with_region(editor: &mut Editor, at: EditBlock) -> Result<(EditOp, EditRegion)> {
    let op = editor
        .create(&NewOperation { regions: 1, ..NewOperation::new("t.region") }, InsertionPoint::AtEnd(at))?;
    Ok((op, editor.regions(op)?[0]))
}

// Creates blocks that all have the second block as a successor.
fn blocks(editor: &mut Editor, body: EditBlock, count: usize) -> Result<EditRegion> {
    let (_, region) = with_region(editor, body)?;
    let blocks: Vec<EditBlock> =
        (0..count).map(|_| editor.add_block(region, None, &[])).collect::<Result<_>>()?;
    for &block in &blocks {
        let branch = NewOperation { successors: vec![blocks[1]], ..NewOperation::new("t.branch") };
        editor.create(&branch, InsertionPoint::AtEnd(block))?;
    }
    Ok(region)
}

// Creates nested ops and returns them, the outermost first.
fn nest(editor: &mut Editor, body: EditBlock, depth: usize) -> Result<Vec<EditOp>> {
    let mut at = body;
    let mut ops = Vec::new();
    for _ in 0..depth {
        let (op, region) = with_region(editor, at)?;
        at = editor.add_block(region, None, &[])?;
        ops.push(op);
    }
    // An op that uses values from outside has no body of its own.
    let value = NewOperation { results: vec![Type::parse("i8")?], ..NewOperation::new("t.value") };
    let value = editor.create(&value, InsertionPoint::AtBegin(body))?;
    let user = NewOperation { operands: editor.results(value)?, ..NewOperation::new("t.user") };
    editor.create(&user, InsertionPoint::AtBegin(at))?;
    Ok(ops)
}

fn read_again(mut editor: Editor) -> Result<Module> {
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default())?;
    let module = Module::from_bytes(bytes)?;
    module.decode_all(1)?;
    Ok(module)
}

fn assert_linear(what: &str, steps_of: impl Fn(usize) -> Result<u64>) {
    let (some, twice) = (steps_of(500).unwrap(), steps_of(1000).unwrap());
    assert!(some >= 500, "{what}: nothing was counted");
    assert!(twice * 10 < some * 25, "{what}: {some} steps, then {twice}");
}

fn counted<T>(work: impl FnOnce() -> Result<T>) -> Result<u64> {
    let before = steps::taken();
    work()?;
    Ok(steps::taken() - before)
}

#[test]
fn blocks_around_a_block_are_found_at_once() {
    assert_linear("predecessors", |count| {
        let (mut editor, body) = new_module()?;
        blocks(&mut editor, body, count)?;
        let module = read_again(editor)?;
        let outer = module.operation()?.pre_order().nth(1).unwrap()?;
        counted(|| {
            let region = outer.region(0)?.unwrap();
            for (number, block) in region.blocks().enumerate() {
                let expected = if number == 1 { count } else { 0 };
                assert_eq!((block.predecessors().len(), block.successors().len()), (expected, 1));
            }
            let target = region.block(1).unwrap();
            assert!(target.predecessors().into_iter().eq(region.blocks()));
            Ok(())
        })
    });
}

#[test]
fn items_by_number_cost_one_step() {
    assert_linear("items", |count| {
        let (mut editor, body) = new_module()?;
        let results = vec![Type::parse("i8")?; count];
        let op = NewOperation { results, ..NewOperation::new("t.many") };
        let op = editor.create(&op, InsertionPoint::AtEnd(body))?;
        let user = NewOperation { operands: editor.results(op)?, ..NewOperation::new("t.user") };
        editor.create(&user, InsertionPoint::AtEnd(body))?;
        let module = read_again(editor)?;
        let ops: Vec<_> = module.operation()?.pre_order().collect::<Result<_>>()?;
        counted(|| {
            for number in 0..count {
                let result = ops[1].results().nth(number).unwrap();
                assert_eq!(ops[2].operands().nth(number), Some(result));
                assert_eq!(ops[2].op_operands().nth(number).unwrap().operand_number() as usize, number);
            }
            assert_eq!(ops[1].results().nth(count), None);
            assert_eq!(ops[1].results().nth_back(0), ops[2].operands().last());
            Ok(())
        })
    });
}

#[test]
fn ops_with_regions_between_them_are_found_by_number() {
    assert_linear("ops", |count| {
        let (mut editor, body) = new_module()?;
        for _ in 0..count {
            nest(&mut editor, body, 1)?;
        }
        let module = read_again(editor)?;
        let block = module.operation()?.region(0)?.unwrap().block(0).unwrap();
        counted(|| {
            for (number, op) in block.operations().enumerate() {
                assert_eq!(block.operation(number), Some(op));
                assert_eq!(op.number_in_block(), number);
            }
            assert_eq!(block.operation(2 * count), None);
            Ok(())
        })
    });
}

#[test]
fn ops_that_nest_deep_are_changed_one_by_one() {
    assert_linear("locations", |depth| {
        let (mut editor, body) = new_module()?;
        let ops = nest(&mut editor, body, depth)?;
        let mut editor = Editor::new(read_again(editor)?)?;
        let op = editor.operation()?;
        let mut body = editor.body(op)?;
        let mut nested = Vec::new();
        while nested.len() < ops.len() {
            let op = editor.operations(body)?.pop().unwrap();
            nested.push(op);
            body = editor.body(op)?;
        }
        assert_eq!(nested.len(), depth);
        let location = Attribute::parse("loc(\"here\")")?;
        let counted = counted(|| nested.iter().rev().try_for_each(|&op| editor.set_location(op, &location)))?;
        assert!(editor.is_changed());
        Ok(counted)
    });
}

#[test]
fn deep_uses_are_left_once() {
    assert_linear("uses", |depth| {
        let (mut editor, body) = new_module()?;
        let (_, region) = with_region(&mut editor, body)?;
        let inside = editor.add_block(region, None, &[])?;
        let value = NewOperation { results: vec![Type::parse("i8")?], ..NewOperation::new("t.value") };
        let value = editor.create(&value, InsertionPoint::AtEnd(inside))?;
        for op in nest(&mut editor, inside, depth)? {
            let operands = editor.results(value)?;
            editor.set_operands(op, &operands)?;
        }
        let counted = counted(|| editor.clear_region(region))?;
        assert!(editor.blocks(region)?.is_empty());
        Ok(counted)
    });
}

#[test]
fn blocks_are_erased_one_by_one() {
    for is_reversed in [false, true] {
        assert_linear("erased blocks", |count| {
            let (mut editor, body) = new_module()?;
            let region = blocks(&mut editor, body, count)?;
            let mut listed = editor.blocks(region)?;
            let target = listed.remove(1);
            assert!(editor.erase_block(target).is_err());
            if is_reversed {
                listed.reverse();
            }
            let counted = counted(|| {
                for &block in &listed {
                    editor.erase_block(block)?;
                }
                // Only the block's own operation branches to it at this point.
                editor.erase_block(target)
            })?;
            assert!(editor.blocks(region)?.is_empty());
            Ok(counted)
        });
    }
}
