//! Mutations of operations through an editor, for files that can be read.

use mlirbc::edit::{EditBlock, EditOp, EditValue, Editor, InsertionPoint};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Module, Type, WriteOptions};

use super::{Noise, edit};

/// The number of operations and values to draw from; a larger file has enough of each kind among its first
/// ones.
const MOST: usize = 2000;

/// The operations, blocks and values that mutations draw from.
#[derive(Debug, Default)]
pub(super) struct ModuleParts {
    pub(super) ops: Vec<EditOp>,
    pub(super) blocks: Vec<EditBlock>,
    pub(super) values: Vec<EditValue>,
}

impl ModuleParts {
    /// Returns the parts of a module within its top-level operation.
    pub(super) fn of(editor: &mut Editor) -> Self {
        let mut this = Self::default();
        let mut pending = vec![editor.top_level()];
        while let Some(block) = pending.pop() {
            let is_top = block == editor.top_level();
            if !is_top {
                this.blocks.push(block);
                this.values.extend(editor.arguments(block).unwrap_or_default());
            }
            for op in editor.operations(block).unwrap_or_default() {
                if !is_top {
                    this.ops.push(op);
                    this.values.extend(editor.results(op).unwrap_or_default());
                }
                for region in editor.regions(op).unwrap_or_default() {
                    pending.extend(editor.blocks(region).unwrap_or_default());
                }
                if this.ops.len() > MOST {
                    return this;
                }
            }
        }
        this
    }
}

pub(super) fn open(file: &[u8]) -> Option<Editor> {
    let mut editor = Module::from_bytes(file.to_vec()).and_then(Editor::new).ok()?;
    editor.set_verification(false, false);
    Some(editor)
}

pub(super) fn written(editor: &mut Editor) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let options = WriteOptions::default().drop_unsupported(true);
    editor.write(&mut bytes, &options).ok().map(|_| bytes)
}

/// Erases, copies or moves an operation, or changes its operands, types, attributes or successors.
pub(super) fn operation(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut editor = open(file)?;
    let parts = ModuleParts::of(&mut editor);
    let (op, other) = (*noise.pick(&parts.ops)?, *noise.pick(&parts.ops)?);
    let value = noise.pick(&parts.values).copied();
    let editor = &mut editor;
    match noise.below(11) {
        0 => {
            for result in editor.results(op).ok()? {
                // The uses move to another value, so that the operation can be erased.
                editor.replace_all_uses_with(result, value?).ok()?;
            }
            editor.erase(op).ok()?;
        }
        1 => {
            let copy = editor.clone_op(op).ok()?;
            editor.insert(copy, InsertionPoint::After(other)).ok()?;
        }
        2 => editor.move_before(op, other).ok()?,
        3 => {
            let mut operands = editor.operands(op).ok()?;
            operands.insert(noise.below(operands.len() + 1), value?);
            editor.set_operands(op, &operands).ok()?;
        }
        4 => {
            let mut operands = editor.operands(op).ok()?;
            if operands.is_empty() {
                return None;
            }
            operands.remove(noise.below(operands.len()));
            editor.set_operands(op, &operands).ok()?;
        }
        5 => {
            let count = editor.operands(op).ok()?.len();
            editor.set_operand(op, noise.below(count.max(1)), value?).ok()?;
        }
        6 => {
            let types = ["i1", "index", "f32", "tensor<?x3xf32>", "!mutate.t", "vector<4xi8>"];
            editor.set_type(value?, &Type::parse(noise.pick(&types)?).ok()?).ok()?;
        }
        7 => {
            let all = editor.attributes(op).ok()?;
            let name = noise.pick(&all)?.name.to_vec();
            editor.remove_attribute(op, name).ok()?;
        }
        8 => {
            let (all, others) = (editor.attributes(op).ok()?, editor.attributes(other).ok()?);
            let name = noise.pick(&all).map_or_else(|| b"mutate".to_vec(), |one| one.name.to_vec());
            let from = noise.pick(&others)?.name.to_vec();
            let value = editor.attribute(other, from).ok()??;
            editor.set_attribute(op, name, &value).ok()?;
        }
        9 => {
            let mut successors = editor.successors(op).ok()?;
            match noise.below(2) {
                0 => drop(successors.pop()?),
                _ => successors.push(*noise.pick(&parts.blocks)?),
            }
            editor.set_successors(op, &successors).ok()?;
        }
        _ => {
            let types = noise.pick(&parts.values).map(|&value| editor.value_type(value));
            editor.add_result(op, None, &types?.ok()?).ok()?;
        }
    }
    written(editor)
}

/// Edits the property bytes of an operation, copies the property bytes of another one, or removes them.
pub(super) fn property(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut editor = open(file)?;
    let parts = ModuleParts::of(&mut editor);
    let with: Vec<EditOp> =
        parts.ops.into_iter().filter(|&op| matches!(editor.property_blob(op), Ok(Some(_)))).collect();
    let (op, other) = (*noise.pick(&with)?, *noise.pick(&with)?);
    let mut bytes = editor.property_blob(op).ok()??.to_vec();
    match noise.below(4) {
        0 => bytes = editor.property_blob(other).ok()??.to_vec(),
        1 => {
            editor.set_property_blob(op, None).ok()?;
            return written(&mut editor);
        }
        _ => {
            edit(&mut bytes, noise);
        }
    }
    editor.set_property_blob(op, Some(&bytes)).ok()?;
    written(&mut editor)
}

/// Shuffles the uses of a value with several uses.
pub(super) fn use_list(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut editor = open(file)?;
    let parts = ModuleParts::of(&mut editor);
    let is_shared = |value: &EditValue| editor.uses(*value).is_ok_and(|uses| uses.len() > 1);
    let shared: Vec<EditValue> = parts.values.into_iter().filter(is_shared).collect();
    let value = *noise.pick(&shared)?;
    let mut order = editor.use_list_order(value).ok()?;
    for end in (1..order.len()).rev() {
        order.swap(end, noise.below(end + 1));
    }
    editor.set_use_list_order(value, &order).ok()?;
    written(&mut editor)
}

/// Converts the module to another version, changes only the version number, or changes the version of a
/// dialect.
pub(super) fn version(file: &[u8], noise: &mut Noise) -> Option<Vec<u8>> {
    let number = noise.below(8) as u64;
    match noise.below(3) {
        0 => {
            let mut changed = file.to_vec();
            // Versions are below 128, so the number is one byte.
            *changed.get_mut(4)? = (number << 1 | 1) as u8;
            Some(changed)
        }
        1 => {
            let options = WriteOptions::default()
                .version(BytecodeVersion::new(number)?)
                .numbering(Numbering::Canonical)
                .drop_unsupported(true);
            let mut bytes = Vec::new();
            Module::from_bytes(file.to_vec()).ok()?.write(&mut bytes, &options).ok()?;
            Some(bytes)
        }
        _ => {
            let mut editor = open(file)?;
            let names: Vec<Vec<u8>> = editor.base().dialects().ok()?.map(|one| one.name.to_vec()).collect();
            let bytes = [noise.bits() as u8 | 1, noise.bits() as u8 | 1];
            let version = [None, Some(&bytes[..1]), Some(&bytes[..])][noise.below(3)];
            editor.set_dialect_version(noise.pick(&names)?, version).ok()?;
            written(&mut editor)
        }
    }
}
