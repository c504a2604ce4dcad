//! Removes operations, and parts of operations, from files that can be read.
//!
//! Edits are not verified: the check decides whether a file with a missing operand still has the property.

use std::ops::Range;

use mlirbc::edit::{EditBlock, EditOp, EditRegion, EditValue, Editor};
use mlirbc::write::Numbering;
use mlirbc::{Type, WriteOptions};

use super::Search;

/// The kind of part that a pass removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RemovablePart {
    /// Operations that are nested in this number of others.
    Operations(usize),
    /// Operations around others, which stay.
    Wrappers,
    /// The blocks of a region, and the region itself.
    Regions,
    /// Blocks other than the entry block.
    Blocks,
    /// Property blobs.
    Properties,
    /// Attributes.
    Attributes,
    /// Operands.
    Operands,
    /// Successors.
    Successors,
    /// Results.
    Results,
    /// Block arguments.
    Arguments,
    /// Types of values, which become `i1`.
    Types,
    /// The data of resources.
    Resources,
    /// Versions of dialects.
    Versions,
}

/// The parts in the order of the passes after operations.
const DETAILS: [RemovablePart; 11] = [
    RemovablePart::Resources,
    RemovablePart::Regions,
    RemovablePart::Blocks,
    RemovablePart::Properties,
    RemovablePart::Attributes,
    RemovablePart::Successors,
    RemovablePart::Operands,
    RemovablePart::Results,
    RemovablePart::Arguments,
    RemovablePart::Types,
    RemovablePart::Versions,
];

enum Target {
    Operation(EditOp),
    Wrapper(EditOp),
    Region(EditOp, usize, EditRegion),
    Block(EditBlock),
    Properties(EditOp),
    Attribute(EditOp, Vec<u8>),
    Operand(EditOp, usize),
    Successor(EditOp, usize),
    Result(EditOp, usize),
    Argument(EditBlock, usize),
    Type(EditValue),
    Resource(Vec<u8>),
    Version(Vec<u8>),
}

/// Removes operations.
pub(super) fn remove_operations(search: &mut Search<'_>) {
    let Some(numbering) = numbering(search) else { return };
    for depth in 1.. {
        let editor = search.form.open(search.best.module());
        if search.is_stopped() || editor.is_none_or(|mut editor| deepest(&mut editor) < depth) {
            break;
        }
        reduce(search, RemovablePart::Operations(depth), numbering);
    }
    reduce(search, RemovablePart::Wrappers, numbering);
}

/// Removes parts of operations.
pub(super) fn remove_details(search: &mut Search<'_>) {
    let Some(numbering) = numbering(search) else { return };
    for part in DETAILS {
        reduce(search, part, numbering);
    }
}

fn reduce(search: &mut Search<'_>, part: RemovablePart, numbering: Numbering) {
    let form = search.form.clone();
    let count = |best: &[u8]| form.open(best).map_or(0, |mut editor| targets(&mut editor, part).len());
    search.reduce(1, count, |best, range| without(form.open(best)?, part, range, numbering));
}

/// Returns the numbering that keeps the property, after removing everything that a writer can leave out;
/// `None` if the file cannot be read, or has the property only with its original bytes.
fn numbering(search: &mut Search<'_>) -> Option<Numbering> {
    let mut editor = search.form.open(search.best.module())?;
    if search.form.is_text {
        return Some(Numbering::Canonical);
    }
    let everything =
        options(Numbering::Canonical).strip_locations(true).strip_resources(true).producer(Vec::new());
    let with = [
        everything.clone(),
        options(Numbering::Canonical).strip_locations(true),
        options(Numbering::Canonical).strip_resources(true),
        options(Numbering::Canonical),
    ];
    for options in &with {
        if let Some(bytes) = written(&mut editor, options) {
            let is_same_size = bytes.len() >= search.best.file.len();
            if search.attempt(bytes) {
                return Some(Numbering::Canonical);
            }
            // The file is in this form already, with nothing to leave out.
            if is_same_size && options.producer.is_some() {
                return Some(Numbering::Canonical);
            }
        }
    }
    // Canonical files may still become smaller than the best file after an edit, and are checked then.
    let canonical = written(&mut editor, &options(Numbering::Canonical))?;
    let is_equal = canonical == search.best.file;
    Some(if is_equal { Numbering::Canonical } else { Numbering::Preserve })
}

pub(super) fn options(numbering: Numbering) -> WriteOptions {
    WriteOptions::default().numbering(numbering).drop_unsupported(true)
}

pub(super) fn written(editor: &mut Editor, options: &WriteOptions) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    editor.write(&mut bytes, options).ok().map(|_| bytes)
}

fn without(
    mut editor: Editor,
    part: RemovablePart,
    range: Range<usize>,
    numbering: Numbering,
) -> Option<Vec<u8>> {
    let mut is_changed = false;
    // Targets are removed from the end, because the numbers of operands, results and arguments were
    // determined before.
    for target in targets(&mut editor, part).into_iter().take(range.end).skip(range.start).rev() {
        is_changed |= remove(&mut editor, target).is_ok();
    }
    let first = is_changed.then(|| written(&mut editor, &options(numbering))).flatten();
    // A file whose order differs from MLIR's keeps its order.
    first.or_else(|| is_changed.then(|| written(&mut editor, &options(Numbering::Preserve))).flatten())
}

/// Returns all operations with their depths, outer operations before inner ones; the outermost depth is 0.
pub(super) fn operations(editor: &mut Editor, until: usize) -> Vec<(EditOp, usize)> {
    let mut operations = Vec::new();
    let mut pending = vec![(editor.top_level(), 0)];
    while let Some((block, depth)) = pending.pop() {
        for op in editor.operations(block).unwrap_or_default() {
            operations.push((op, depth));
            if depth >= until {
                continue;
            }
            for region in editor.regions(op).unwrap_or_default() {
                let blocks = editor.blocks(region).unwrap_or_default();
                pending.extend(blocks.into_iter().map(|block| (block, depth + 1)));
            }
        }
    }
    operations
}

pub(super) fn deepest(editor: &mut Editor) -> usize {
    operations(editor, usize::MAX).into_iter().map(|(_, depth)| depth).max().unwrap_or(0)
}

fn targets(editor: &mut Editor, part: RemovablePart) -> Vec<Target> {
    let until = if let RemovablePart::Operations(depth) = part { depth } else { usize::MAX };
    let mut targets = Vec::new();
    match part {
        RemovablePart::Resources => {
            let all = editor.base().resources();
            let all = all.into_iter().flatten().filter(|one| one.has_data());
            return all.map(|one| Target::Resource(one.key().to_vec())).collect();
        }
        RemovablePart::Versions => {
            let all = editor.base().dialects();
            let names = all.into_iter().flatten().map(|dialect| dialect.name.to_vec());
            let names: Vec<Vec<u8>> = names.collect();
            let has_version = |name: &Vec<u8>| matches!(editor.dialect_version(name), Ok(Some(_)));
            return names.into_iter().filter(has_version).map(Target::Version).collect();
        }
        _ => {}
    }
    for (op, depth) in operations(editor, until) {
        match part {
            RemovablePart::Operations(wanted) => {
                if depth == wanted {
                    targets.push(Target::Operation(op));
                }
            }
            RemovablePart::Wrappers => {
                if depth > 0 && !editor.regions(op).unwrap_or_default().is_empty() {
                    targets.push(Target::Wrapper(op));
                }
            }
            RemovablePart::Regions => {
                let regions = editor.regions(op).unwrap_or_default();
                let regions = regions.into_iter().enumerate();
                targets.extend(regions.map(|(number, region)| Target::Region(op, number, region)));
            }
            RemovablePart::Blocks => {
                for region in editor.regions(op).unwrap_or_default() {
                    let blocks = editor.blocks(region).unwrap_or_default();
                    targets.extend(blocks.into_iter().skip(1).map(Target::Block));
                }
            }
            RemovablePart::Properties => {
                if matches!(editor.property_blob(op), Ok(Some(_))) {
                    targets.push(Target::Properties(op));
                }
            }
            RemovablePart::Attributes => {
                let attributes = editor.attributes(op).unwrap_or_default();
                targets.extend(attributes.into_iter().map(|one| Target::Attribute(op, one.name.to_vec())));
            }
            RemovablePart::Operands => {
                let count = editor.operands(op).map_or(0, |all| all.len());
                targets.extend((0..count).map(|number| Target::Operand(op, number)));
            }
            RemovablePart::Successors => {
                let count = editor.successors(op).map_or(0, |all| all.len());
                targets.extend((0..count).map(|number| Target::Successor(op, number)));
            }
            RemovablePart::Results => {
                let count = editor.results(op).map_or(0, |all| all.len());
                targets.extend((0..count).map(|number| Target::Result(op, number)));
            }
            RemovablePart::Arguments => {
                for region in editor.regions(op).unwrap_or_default() {
                    for block in editor.blocks(region).unwrap_or_default() {
                        let count = editor.arguments(block).map_or(0, |all| all.len());
                        targets.extend((0..count).map(|number| Target::Argument(block, number)));
                    }
                }
            }
            RemovablePart::Types => {
                let mut values = editor.results(op).unwrap_or_default();
                for region in editor.regions(op).unwrap_or_default() {
                    for block in editor.blocks(region).unwrap_or_default() {
                        values.extend(editor.arguments(block).unwrap_or_default());
                    }
                }
                let is_other =
                    |value: &EditValue| editor.value_type(*value).is_ok_and(|of| of.to_string() != SIMPLE);
                targets.extend(values.into_iter().filter(is_other).map(Target::Type));
            }
            RemovablePart::Resources | RemovablePart::Versions => {}
        }
    }
    targets
}

/// The type that replaces every other type.
const SIMPLE: &str = "i1";

fn remove(editor: &mut Editor, target: Target) -> mlirbc::Result<()> {
    match target {
        Target::Operation(op) => {
            unuse_within(editor, &[op])?;
            editor.erase(op)
        }
        Target::Wrapper(op) => unwrap(editor, op),
        Target::Region(op, number, region) => {
            let blocks = editor.blocks(region)?;
            unuse_blocks(editor, &blocks)?;
            editor.clear_region(region)?;
            // Operations with native properties may need their number of regions.
            let _ = editor.erase_region(op, number);
            Ok(())
        }
        Target::Block(block) => {
            unuse_blocks(editor, &[block])?;
            unlink(editor, block)?;
            editor.erase_block(block)
        }
        Target::Properties(op) => editor.set_property_blob(op, None),
        Target::Attribute(op, name) => editor.remove_attribute(op, name).map(drop),
        Target::Operand(op, number) => {
            let mut operands = editor.operands(op)?;
            operands.remove(number);
            editor.set_operands(op, &operands)
        }
        Target::Successor(op, number) => {
            let mut successors = editor.successors(op)?;
            successors.remove(number);
            editor.set_successors(op, &successors)
        }
        Target::Result(op, number) => {
            let results = editor.results(op)?;
            unuse(editor, &results[number..=number])?;
            editor.erase_result(op, number)
        }
        Target::Argument(block, number) => {
            let arguments = editor.arguments(block)?;
            unuse(editor, &arguments[number..=number])?;
            editor.erase_argument(block, number)
        }
        Target::Type(value) => editor.set_type(value, &Type::parse(SIMPLE)?),
        Target::Resource(key) => editor.remove_resource(key),
        Target::Version(dialect) => editor.set_dialect_version(dialect, None).map(drop),
    }
}

/// Removes operands that are among these values.
fn unuse(editor: &mut Editor, values: &[EditValue]) -> mlirbc::Result<()> {
    for value in values {
        let users: Vec<EditOp> = editor.uses(*value)?.into_iter().map(|(user, _)| user).collect();
        for user in users {
            let mut operands = editor.operands(user)?;
            let count = operands.len();
            operands.retain(|operand| operand != value);
            // A user with two of the operands occurs twice.
            if operands.len() < count {
                editor.set_operands(user, &operands)?;
            }
        }
    }
    Ok(())
}

/// Removes all uses of values that these operations define. Nested operations need no change.
pub(super) fn unuse_within(editor: &mut Editor, ops: &[EditOp]) -> mlirbc::Result<()> {
    for &op in ops {
        let results = editor.results(op)?;
        unuse(editor, &results)?;
    }
    Ok(())
}

pub(super) fn unuse_blocks(editor: &mut Editor, blocks: &[EditBlock]) -> mlirbc::Result<()> {
    for &block in blocks {
        let arguments = editor.arguments(block)?;
        unuse(editor, &arguments)?;
        let ops = editor.operations(block)?;
        unuse_within(editor, &ops)?;
    }
    Ok(())
}

/// Removes a block from the successors of the operations in its region.
pub(super) fn unlink(editor: &mut Editor, block: EditBlock) -> mlirbc::Result<()> {
    let Some(region) = editor.region_of(block)? else { return Ok(()) };
    for other in editor.blocks(region)? {
        for op in editor.operations(other)? {
            let mut successors = editor.successors(op)?;
            if successors.contains(&block) {
                successors.retain(|successor| *successor != block);
                editor.set_successors(op, &successors)?;
            }
        }
    }
    Ok(())
}

/// Moves the operations of an operation's regions before it, and erases it.
fn unwrap(editor: &mut Editor, op: EditOp) -> mlirbc::Result<()> {
    for region in editor.regions(op)? {
        for block in editor.blocks(region)? {
            let arguments = editor.arguments(block)?;
            unuse(editor, &arguments)?;
            for inner in editor.operations(block)? {
                // Successors cannot leave their region.
                editor.set_successors(inner, &[])?;
                editor.move_before(inner, op)?;
            }
        }
    }
    unuse_within(editor, &[op])?;
    editor.erase(op)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlirbc::Module;

    use crate::shrink::form::ModuleForm;
    use crate::shrink::{Verdict, shrink};

    fn assembled(text: &str) -> Vec<u8> {
        mlirbc::parse::assemble(text.as_bytes(), &mlirbc::parse::ParseOptions::default()).unwrap()
    }

    /// Whether a file can be read and has an operation of this name.
    fn has(bytes: &[u8], name: &str) -> bool {
        let Ok(module) = Module::from_bytes(bytes.to_vec()) else { return false };
        module.op_counts().is_ok_and(|_| {
            module.operation().is_ok_and(|top| top.pre_order().any(|op| op.is_ok_and(|op| op.name() == name)))
        })
    }

    fn shrunk_to(file: Vec<u8>, name: &str) -> (Vec<u8>, u64) {
        let check = |_: usize, bytes: &[u8]| if has(bytes, name) { Verdict::Holds } else { Verdict::Fails };
        let shrunk = shrink(file, 1, &check);
        (shrunk.bytes, shrunk.checks)
    }

    #[test]
    fn an_operation_is_left_alone() {
        let text = "module { func.func @f(%a: i32, %b: i32) -> i32 {
            %0 = arith.addi %a, %b : i32
            %1 = \"test.op\"(%0, %a) ({ %x = arith.addi %a, %0 : i32 }) {k = \"value\"} : (i32, i32) -> i32
            %2 = arith.muli %1, %0 : i32
            cf.br ^bb1(%2 : i32)
          ^bb1(%z: i32):
            return %z : i32
          } }";
        let file = assembled(text);
        let (bytes, checks) = shrunk_to(file.clone(), "test.op");
        let module = Module::from_bytes(bytes.clone()).unwrap();
        assert!(module.operation().unwrap().pre_order().count() <= 2);
        assert!(bytes.len() * 3 < file.len(), "{} of {}", bytes.len(), file.len());
        assert!(checks < 2000, "{checks}");
    }

    #[test]
    fn a_long_file_takes_few_checks() {
        let mut text = "module {\n".to_owned();
        for number in 0..3000 {
            let name = if number == 1234 { "test.needle" } else { "test.hay" };
            text.push_str(&format!("\"{name}\"() {{key = \"attribute number {number}\"}} : () -> ()\n"));
        }
        text.push_str("}\n");
        let file = assembled(&text);
        assert!(file.len() > 50_000);
        let (bytes, checks) = shrunk_to(file, "test.needle");
        assert!(bytes.len() < 120, "{}", bytes.len());
        assert!(checks < 1000, "{checks}");
    }

    #[test]
    fn what_is_inside_is_lifted_out() {
        let file = assembled(
            "module { \"a.outer\"() ({ \"a.middle\"() ({ \"a.inner\"() : () -> () }) : () -> () }) : () -> () }",
        );
        let mut editor = ModuleForm::default().open(&file).unwrap();
        assert_eq!(deepest(&mut editor), 3);
        let lifted = without(editor, RemovablePart::Wrappers, 0..1, Numbering::Canonical).unwrap();
        assert!(has(&lifted, "a.inner") && has(&lifted, "a.middle") && !has(&lifted, "a.outer"));
    }
}
