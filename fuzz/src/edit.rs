//! Editing arbitrary files: a row of edits that is drawn from the bytes.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | an edit that is refused changes nothing that can be seen in the file | a check that comes after the first change |
//! | what was edited and written can be verified | a dangling use, a number that is off by one |
//! | both numberings of the edited module print alike | an entry that was appended and not renumbered |
//! | undoing by erasing what was added gives the text that was there | an edit that touches its neighbours |

use std::sync::Arc;

use mlirbc::edit::{EditBlock, EditOp, EditRegion, EditValue, Editor, InsertionPoint, NewOperation};
use mlirbc::{AttributeValue, Module, Numbering, TypeValue, WriteOptions};

use crate::cost;
use crate::mutate::Noise;
use crate::roundtrip::{reopen, text};

/// Edits of one run, and ops, blocks and values that are drawn from.
const EDITS: usize = 12;
const MOST: usize = 400;

/// Runs the oracle.
///
/// # Panics
/// When it says no.
pub fn run(data: &[u8]) {
    cost::edit(data);
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    let seed = data.iter().fold(1_u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let Ok(module) = Module::from_bytes(data.to_vec()) else { return };
    let is_fine = module.verify(&|_, _| {}).is_ok();
    let module = Arc::new(module);
    let Ok(mut editor) = Editor::new(module.clone()) else { return };
    let mut noise = Noise::new(seed);
    let mut things = Things::of(&mut editor);
    // What reading takes need not be what a verifier takes, so that is asked of the file first.
    let is_strict = noise.below(2) == 0 && editor.verify(false).is_ok();
    editor.set_verification(is_strict, false);
    undo(&mut editor, &things, &mut noise, &module, is_fine);
    for _ in 0..=noise.below(EDITS) {
        let _ = things.edit(&mut editor, &mut noise);
    }
    let Some(spliced) = written(&mut editor, Numbering::Preserve) else { return };
    if !is_fine {
        return;
    }
    let again = Arc::new(reopen(&module, &spliced));
    let verdict = again.verify(&|_, _| {});
    if let (true, Err(error)) = (is_strict, &verdict) {
        panic!("what was edited does not verify: {error}");
    }
    // A written file of its own stands for the editor when it is written in MLIR's order.
    if let (Ok(()), Some(canonical)) = (verdict, written(&mut editor, Numbering::Canonical)) {
        let other = reopen(&module, &canonical);
        if let (Some(one), Some(two)) = (text(&again), text(&other)) {
            assert!(one == two, "the numberings print differently:\n{one}\n{two}");
        }
    }
}

// Adds an op, writes, erases it, writes: the text must be that of before.
fn undo(editor: &mut Editor, things: &Things, noise: &mut Noise, module: &Module, is_fine: bool) {
    let Some(&place) = pick(&things.ops, noise) else { return };
    let new = NewOperation { results: vec![things.types[0].clone()], ..NewOperation::new("fuzz.new") };
    let Ok(op) = editor.create(&new, InsertionPoint::Before(place)) else { return };
    let with = written(editor, Numbering::Preserve);
    assert!(editor.erase(op).is_ok(), "an op that nothing uses cannot be erased");
    let (Some(_), Some(bytes), true) = (with, written(editor, Numbering::Preserve), is_fine) else { return };
    if let (Some(before), Some(after)) = (text(module), text(&reopen(module, &bytes))) {
        assert!(before == after, "an op that came and went left something:\n{before}\n{after}");
    }
}

fn written(editor: &mut Editor, numbering: Numbering) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let options = WriteOptions { numbering, drop_unsupported: true, ..WriteOptions::default() };
    editor.write(&mut bytes, &options).ok().map(|_| bytes)
}

fn pick<'t, T>(list: &'t [T], noise: &mut Noise) -> Option<&'t T> {
    if list.is_empty() { None } else { list.get(noise.below(list.len())) }
}

/// What edits choose from; what was erased stays here, so that it is touched, too.
struct Things {
    ops: Vec<EditOp>,
    blocks: Vec<EditBlock>,
    regions: Vec<EditRegion>,
    values: Vec<EditValue>,
    attributes: Vec<AttributeValue>,
    locations: Vec<AttributeValue>,
    types: Vec<TypeValue>,
}

impl Things {
    fn of(editor: &mut Editor) -> Self {
        let attribute = |text: &str| AttributeValue::parse(text).expect("the text of an attribute");
        let r#type = |text: &str| TypeValue::parse(text).expect("the text of a type");
        let mut this = Self {
            ops: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            values: Vec::new(),
            attributes: ["1 : i8", "\"x\"", "[@a::@b, unit]", "dense<1> : tensor<2xi3>", "#fuzz.a", "i8"]
                .map(attribute)
                .to_vec(),
            locations: ["loc(unknown)", "loc(\"f\":1:2)", "loc(fused[\"a\", \"b\"])"].map(attribute).to_vec(),
            types: ["i1", "tensor<?x3xf32>", "!fuzz.t", "(i1) -> index"].map(r#type).to_vec(),
        };
        let mut pending = vec![editor.top_level()];
        while let Some(block) = pending.pop() {
            this.blocks.push(block);
            this.values.extend(editor.arguments(block).unwrap_or_default());
            for op in editor.operations(block).unwrap_or_default() {
                this.ops.push(op);
                this.values.extend(editor.results(op).unwrap_or_default());
                for region in editor.regions(op).unwrap_or_default() {
                    this.regions.push(region);
                    pending.extend(editor.blocks(region).unwrap_or_default());
                }
                if this.ops.len() > MOST {
                    return this;
                }
            }
        }
        this
    }

    // `None` when there is nothing to edit, or the edit was refused.
    fn edit(&mut self, editor: &mut Editor, noise: &mut Noise) -> Option<()> {
        let op = *pick(&self.ops, noise)?;
        let other = *pick(&self.ops, noise)?;
        let value = pick(&self.values, noise).copied();
        let names: [&[u8]; 4] = [b"sym_name", b"fuzz", b"value", b"operandSegmentSizes"];
        let name = names[noise.below(names.len())];
        match noise.below(20) {
            0 => editor.set_attribute(op, name, pick(&self.attributes, noise)?).ok(),
            1 => editor.remove_attribute(op, name).ok().map(drop),
            2 => editor.set_location(op, pick(&self.locations, noise)?).ok(),
            3 => editor.set_type(value?, pick(&self.types, noise)?).ok(),
            4 => {
                let operands: Vec<EditValue> =
                    (0..noise.below(3)).filter_map(|_| pick(&self.values, noise).copied()).collect();
                let new = NewOperation {
                    operands,
                    results: vec![pick(&self.types, noise)?.clone(); noise.below(3)],
                    regions: noise.below(2),
                    ..NewOperation::new("fuzz.made")
                };
                let made = editor.create(&new, InsertionPoint::After(op)).ok()?;
                self.ops.push(made);
                self.values.extend(editor.results(made).ok()?);
                self.regions.extend(editor.regions(made).ok()?);
                Some(())
            }
            5 => editor.move_before(op, other).ok(),
            6 => editor.move_after(op, other).ok(),
            7 => {
                let copy = editor.clone_op(op).ok()?;
                self.ops.push(copy);
                editor.insert(copy, InsertionPoint::After(other)).ok()
            }
            8 => editor.erase(op).ok(),
            9 => editor.replace_all_uses_with(value?, *pick(&self.values, noise)?).ok(),
            10 => editor.set_operands(op, &[value?]).ok(),
            11 => editor.set_operand(op, noise.below(2), value?).ok(),
            12 => editor.erase_block(*pick(&self.blocks, noise)?).ok(),
            13 => editor.clear_region(*pick(&self.regions, noise)?).ok(),
            14 => editor.erase_argument(*pick(&self.blocks, noise)?, noise.below(2)).ok(),
            15 => editor.set_successor(op, 0, *pick(&self.blocks, noise)?).ok(),
            16 => editor.rename_symbol(b"f".as_slice(), b"renamed".as_slice()).ok(),
            17 => editor.set_argument_location(value?, pick(&self.locations, noise)?).ok(),
            18 => editor.detach(op).ok(),
            _ => editor.attributes(op).ok().map(drop),
        }
    }
}
