//! Moves the constants of a program into an IREE parameter archive, to which the program then refers.
//!
//! A constant becomes `flow.tensor.constant` with `#flow.parameter.named<"scope"::"name">`, which `iree-compile` reads in a
//! program of StableHLO, linalg or other dialects of MLIR. An artifact of VHLO becomes StableHLO.

use std::io::Write;
use std::path::Path;

use crate::attr::Attribute;
use crate::convert::portable;
use crate::edit::{EditOp, Editor, InsertionPoint, NewOperation};
use crate::ir::{BodyId, Module, OpId};
use crate::tool::weights::{Moved, Weight, WeightKind, Weights};
use crate::wire::bytes::Source;
use crate::wire::error::{Error, Result};
use crate::wire::progress::Progress;
use crate::write::replace::Replacement;

use super::{ArchiveHead, NewParameter};

/// Operations that a parameter replaces.
const CONSTANTS: &[&str] = &["stablehlo.constant", "mhlo.constant", "arith.constant"];

/// The number of bytes that are copied at once.
const BLOCK: u64 = 1 << 20;

/// A constant that moves, and the operations that hold it.
struct MovedConstant<'w> {
    weight: &'w Weight,
    operations: Vec<(BodyId, OpId)>,
}

/// Writes the weights of at least `min_size` bytes that `choose` accepts to an archive at `path`, and returns the program
/// without them. Weights that something other than a constant uses stay.
///
/// # Errors
/// The errors of reading and of the system. The archive is complete or not there.
pub fn externalize_parameters(
    module: &Module,
    (min_size, choose): (u64, &dyn Fn(&Weight) -> bool),
    (path, scope): (&Path, &str),
    progress: &Progress,
) -> Result<(Editor, Moved)> {
    let module = match portable::is_artifact(module)? {
        true => portable::deserialize(module, progress)?.into_module()?,
        false => module.clone(),
    };
    let weights = Weights::of(&module)?;
    let mut moved = Moved::default();
    let mut constants = Vec::new();
    for weight in weights.rows().iter().filter(|weight| weight.size >= min_size && choose(weight)) {
        match movable(&weights, weight)? {
            Ok(operations) => {
                moved.moved += 1;
                moved.size += weight.size;
                constants.push(MovedConstant { weight, operations });
            }
            Err(reason) => moved.kept.push((weight.name.clone(), reason)),
        }
    }
    write_archive(module.source(), &constants, path, progress)?;
    let mut editor = Editor::new(module.clone())?;
    for constant in &constants {
        for &(body, op) in &constant.operations {
            let op = editor.op(body, op)?;
            replace(&mut editor, op, constant.weight, scope)?;
        }
    }
    Ok((editor, moved))
}

/// Returns the operations of a weight, or the reason why it stays.
fn movable(
    weights: &Weights,
    weight: &Weight,
) -> Result<std::result::Result<Vec<(BodyId, OpId)>, &'static str>> {
    if weight.kind == WeightKind::Splat {
        return Ok(Err("one element stands for all places"));
    }
    if !weight.has_data {
        return Ok(Err("the module does not have its data"));
    }
    let size = weight.element.map(|element| weight.count().saturating_mul(element.storage() as u64));
    if weight.element.is_some_and(|element| element.is_bool()) || size != Some(weight.size) {
        return Ok(Err("its elements are not stored in whole bytes"));
    }
    let users = weights.users(weight)?;
    if users.is_empty() {
        return Ok(Err("no operation uses it"));
    }
    let is_constant = users.iter().all(|op| CONSTANTS.contains(&&*op.name()));
    Ok(match is_constant {
        true => Ok(users.iter().map(|op| (op.body_id(), op.id())).collect()),
        false => Err("an operation that is not a constant uses it"),
    })
}

fn write_archive(
    source: &Source,
    constants: &[MovedConstant<'_>],
    path: &Path,
    progress: &Progress,
) -> Result<()> {
    let failed = |error| Error::io(format!("cannot write `{}`", path.display()), error);
    let parameter = |constant: &'_ MovedConstant<'_>| (constant.weight.name.clone(), constant.weight.size);
    let named: Vec<_> = constants.iter().map(parameter).collect();
    let parameters: Vec<_> = named
        .iter()
        .map(|(name, size)| NewParameter { name, metadata: b"", size: *size, pattern: None })
        .collect();
    let head = ArchiveHead::new(&parameters);
    let mut file = Replacement::begin(path).map_err(failed)?;
    file.write_all(&head.bytes).map_err(failed)?;
    let mut done = head.bytes.len() as u64;
    for (constant, offset) in constants.iter().zip(head.offsets) {
        zeros(&mut file, offset.saturating_sub(done)).map_err(failed)?;
        let range = constant.weight.range.clone();
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start.saturating_add(BLOCK));
            file.write_all(&source.get(start..end)?).map_err(failed)?;
            start = end;
            progress.report(offset + (start - range.start), head.file_size);
        }
        done = offset + constant.weight.size;
    }
    zeros(&mut file, head.file_size.saturating_sub(done)).map_err(failed)?;
    source.check()?;
    file.commit().map_err(failed)
}

// Padding is shorter than a page.
fn zeros(file: &mut impl Write, count: u64) -> std::io::Result<()> {
    file.write_all(&[0; 4096][..count.min(4096) as usize])
}

fn replace(editor: &mut Editor, op: EditOp, weight: &Weight, scope: &str) -> Result<()> {
    let results = editor.results(op)?;
    let Some(&result) = results.first() else { return Ok(()) };
    let r#type = editor.value_type(result)?;
    let quoted = |text: &str| text.replace('\\', "\\5C").replace('"', "\\22");
    let (scope, name) = (quoted(scope), quoted(&weight.name));
    let text = format!("#flow.parameter.named<\"{scope}\"::\"{name}\"> : {}", r#type.to_text_within(1 << 12));
    let value = Attribute::from_text_entry("flow", text)?;
    let mut new = NewOperation::new("flow.tensor.constant").attribute("value", value);
    new.location = Some(editor.location(op)?);
    new.results = vec![r#type];
    let created = editor.create(&new, InsertionPoint::Before(op))?;
    editor.replace_all_uses_with(result, editor.results(created)?[0])?;
    editor.erase(op)
}
