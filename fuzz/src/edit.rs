//! Editing arbitrary files: a sequence of edits that depends on the bytes.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | an edit that fails changes nothing in the file | a check that comes after the first change |
//! | an edited module verifies after writing | a dangling use, a number that is off by one |
//! | both numberings of the edited module print the same | an entry that was appended and not renumbered |
//! | erasing an added operation gives the original text and the facts that no text shows | an edit that touches its neighbours |
//! | both numberings have the same versions of dialects, registered bits and orders of uses | a fact that only one of the writers keeps |
//! | renaming a symbol and renaming it back gives the original text, and in between no reference has the old name | a reference that is not found |
//! | a resource has the content that was set | a range that is off by one |

use mlirbc::attr::FieldValue;
use mlirbc::bytes::Bytes;
use mlirbc::edit::{
    EditBlock, EditOp, EditRegion, EditValue, Editor, InsertionPoint, NewOperation, NewResource,
    ResourceContent, ResourceGroup,
};
use mlirbc::file::ResourceValue;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::write::Numbering;
use mlirbc::{Attribute, ErrorKind, Module, Type, WriteOptions};

use crate::clone;
use crate::cost;
use crate::facts::{self, Release};
use crate::mutate::Noise;
use crate::roundtrip::{readable, reopen, text};
use crate::symbols;

/// The number of edits in a run, and the number of operations that edits choose from.
const EDITS: usize = 12;
const MOST: usize = 400;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::edit(data);
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    let seed = data.iter().fold(1_u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let Ok(module) = Module::from_bytes(data.to_vec()) else { return };
    let is_fine = module.verify().is_ok();
    let Ok(mut editor) = Editor::new(module.clone()) else { return };
    let mut noise = Noise::new(seed);
    let mut things = Things::of(&mut editor);
    // The file is verified first, because a readable file need not verify.
    let is_strict = noise.below(2) == 0 && editor.verify(false).is_ok();
    editor.set_verification(is_strict, false);
    undo(&mut editor, &things, &mut noise, &module, is_fine);
    rename(&mut editor, &things, &mut noise, &module, is_fine);
    for _ in 0..=noise.below(EDITS) {
        let _ = things.edit(&mut editor, &mut noise);
    }
    let Some(spliced) = written(&mut editor, Numbering::Preserve) else { return };
    if !is_fine {
        return;
    }
    if let Ok(snapshot) = editor.snapshot() {
        let (snapshot_text, spliced_text) = (readable(&snapshot), readable(&reopen(&module, &spliced)));
        // The file is read with a known release. The release of the snapshot is detected, which fails if
        // several layouts fit its properties, or if no layout fits a replaced attribute.
        let is_clear = !things.has_overridden && readable(&module).is_ok();
        let may_differ = !is_clear && (snapshot_text.is_err() || spliced_text.is_err());
        let is_same =
            snapshot_text == spliced_text || snapshot_text.is_err() && spliced_text.is_err() || may_differ;
        assert!(is_same, "a snapshot and the file print differently:\n{snapshot_text:?}\n{spliced_text:?}");
    }
    clone::check(&module, &mut noise);
    symbols::check(&module, &mut noise);
    let again = reopen(&module, &spliced);
    things.check_resources(&again);
    let verdict = again.verify();
    // The caller of an edit is responsible for replaced types and attributes that do not fit their uses, and for the
    // versions of dialects.
    if let (true, false, Err(error)) = (is_strict, things.has_overridden, &verdict) {
        assert!(error.kind() == ErrorKind::DialectVersion, "what was edited does not verify: {error}");
    }
    // Both numberings of the same edits must print the same.
    if let (Ok(_), Some(canonical)) = (verdict, written(&mut editor, Numbering::Canonical)) {
        let canonical_module = reopen(&module, &canonical);
        facts::compare(&again, &canonical_module, module.tables().bytecode().version(), Release::Same);
        if let (Some(one), Some(two)) = (text(&again), text(&canonical_module)) {
            assert!(one == two, "the numberings print differently:\n{one}\n{two}");
        }
    }
}

// Adds an operation, writes, erases it, writes: the text must be the original one.
fn undo(editor: &mut Editor, things: &Things, noise: &mut Noise, module: &Module, is_fine: bool) {
    let Some(&place) = pick(&things.ops, noise) else { return };
    let new = NewOperation { results: vec![things.types[0].clone()], ..NewOperation::new("fuzz.new") };
    let Ok(op) = editor.create(&new, InsertionPoint::Before(place)) else { return };
    let with = written(editor, Numbering::Preserve);
    assert!(editor.erase(op).is_ok(), "an op that nothing uses cannot be erased");
    let (Some(_), Some(bytes), true) = (with, written(editor, Numbering::Preserve), is_fine) else { return };
    let after = reopen(module, &bytes);
    facts::compare(module, &after, module.tables().bytecode().version(), Release::Same);
    if let (Some(before), Some(after)) = (text(module), text(&after)) {
        assert!(before == after, "an op that came and went left something:\n{before}\n{after}");
    }
}

// Renames a symbol to a name that the module does not contain, and back: the text must be the original one.
fn rename(editor: &mut Editor, things: &Things, noise: &mut Noise, module: &Module, is_fine: bool) {
    const NEW: &str = "fuzz_no_such_name";
    let named = |editor: &Editor, op: &EditOp| editor.attribute(*op, "sym_name").ok().flatten();
    let names: Vec<Vec<u8>> =
        things.ops.iter().filter_map(|op| named(editor, op)).filter_map(string).collect();
    let Some(old) = pick(&names, noise).filter(|name| !name.is_empty()) else { return };
    let Some(before) = text(module).filter(|text| is_fine && !text.contains(NEW)) else { return };
    let is_resolved = editor.verify_everything(true).is_ok();
    if editor.rename_symbol(old, NEW).is_err() {
        return;
    }
    if let (true, Err(error)) = (is_resolved, editor.verify_everything(true)) {
        panic!("after a symbol was renamed, a reference has no definition: {error}");
    }
    let meanwhile = written(editor, Numbering::Preserve).and_then(|bytes| text(&reopen(module, &bytes)));
    assert!(editor.rename_symbol(NEW, old).is_ok(), "a symbol cannot be renamed back");
    let after = written(editor, Numbering::Preserve).and_then(|bytes| text(&reopen(module, &bytes)));
    if let (Some(meanwhile), Some(after)) = (meanwhile, after) {
        assert!(meanwhile.contains(NEW), "a symbol that was renamed has its old name:\n{meanwhile}");
        assert!(before == after, "a symbol that was renamed and back left something:\n{before}\n{after}");
    }
}

fn string(value: Attribute) -> Option<Vec<u8>> {
    match value.field("value").ok()?? {
        FieldValue::String(bytes) => Some(bytes.to_vec()),
        _ => None,
    }
}

fn written(editor: &mut Editor, numbering: Numbering) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let options = WriteOptions::default().numbering(numbering).drop_unsupported(true);
    let report = editor.write(&mut bytes, &options).ok()?;
    // Properties of unknown layout cannot be renumbered.
    (numbering == Numbering::Preserve || report.losses.is_empty()).then_some(bytes)
}

fn pick<'t, T>(list: &'t [T], noise: &mut Noise) -> Option<&'t T> {
    if list.is_empty() { None } else { list.get(noise.below(list.len())) }
}

/// The items that edits choose from. Erased items stay, so that edits of erased items are tested.
struct Things {
    ops: Vec<EditOp>,
    blocks: Vec<EditBlock>,
    regions: Vec<EditRegion>,
    values: Vec<EditValue>,
    attributes: Vec<Attribute>,
    locations: Vec<Attribute>,
    types: Vec<Type>,
    keys: Vec<Vec<u8>>,
    has_overridden: bool,
    // Resources that were set, which are set only once.
    set: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Things {
    fn of(editor: &mut Editor) -> Self {
        let attribute = |text: &str| Attribute::parse(text).expect("the text of an attribute");
        let r#type = |text: &str| Type::parse(text).expect("the text of a type");
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
            keys: vec![b"fuzz.new".to_vec()],
            has_overridden: false,
            set: Vec::new(),
        };
        if let Ok(resources) = editor.base().resources() {
            this.keys.extend(resources.map(|resource| resource.key().to_vec()).take(MOST));
        }
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

    // Makes a random edit; `None` if there is nothing to edit, or the edit failed.
    fn edit(&mut self, editor: &mut Editor, noise: &mut Noise) -> Option<()> {
        let op = *pick(&self.ops, noise)?;
        let neighbour = *pick(&self.ops, noise)?;
        let value = pick(&self.values, noise).copied();
        let names: [&[u8]; 4] = [b"sym_name", b"fuzz", b"value", b"operandSegmentSizes"];
        let name = names[noise.below(names.len())];
        match noise.below(28) {
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
                let created = editor.create(&new, InsertionPoint::After(op)).ok()?;
                self.ops.push(created);
                self.values.extend(editor.results(created).ok()?);
                self.regions.extend(editor.regions(created).ok()?);
                Some(())
            }
            5 => editor.move_before(op, neighbour).ok(),
            6 => editor.move_after(op, neighbour).ok(),
            7 => {
                let copy = editor.clone_op(op).ok()?;
                self.ops.push(copy);
                editor.insert(copy, InsertionPoint::After(neighbour)).ok()
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
            19 => {
                let region = *pick(&self.regions, noise)?;
                let arguments = vec![pick(&self.types, noise)?.clone(); noise.below(3)];
                let before = Some(noise.below(3)).filter(|&before| before > 0);
                let block = editor.add_block(region, before, &arguments).ok()?;
                self.values.extend(editor.arguments(block).ok()?);
                self.blocks.push(block);
                Some(())
            }
            20 => {
                let location = pick(&self.locations, noise).filter(|_| noise.bits().is_multiple_of(2));
                let (block, of) = (*pick(&self.blocks, noise)?, pick(&self.types, noise)?);
                self.values.push(editor.add_argument(block, of, location).ok()?);
                Some(())
            }
            21 => self.set_resource(editor, noise),
            22 => {
                let key = pick(&self.keys, noise)?.clone();
                editor.remove_resource(&key).ok()?;
                self.set.retain(|(set, _)| *set != key);
                Some(())
            }
            23 => {
                let external = ResourceGroup::External(b"fuzz.group".to_vec());
                let dialect = ResourceGroup::Dialect(b"fuzz".to_vec());
                let group = [ResourceGroup::builtin(), dialect, external][noise.below(3)].clone();
                let blob = ResourceContent::Blob { bytes: Bytes::from(vec![1, 2, 3]), alignment: None };
                let content = [ResourceContent::Bool(true), ResourceContent::String(b"text".to_vec()), blob];
                let content = content[noise.below(3)].clone();
                editor.add_resource(NewResource { key: b"fuzz.added".to_vec(), group, content }).ok()
            }
            24 => {
                let dialects: Vec<Vec<u8>> =
                    editor.base().dialects().ok()?.map(|one| one.name.to_vec()).collect();
                let versions: [Option<&[u8]>; 3] = [None, Some(&[0x03, 0x05]), Some(&[0x05, 0x01])];
                editor.set_dialect_version(pick(&dialects, noise)?, versions[noise.below(3)]).ok().map(drop)
            }
            25 => {
                let (attributes, _) = editor.entry_counts().ok()?;
                let index = noise.below(attributes.max(1) as usize) as u32;
                self.has_overridden = true;
                editor.replace_attribute(AttrId::new(index), pick(&self.attributes, noise)?).ok()
            }
            26 => {
                let (_, types) = editor.entry_counts().ok()?;
                self.has_overridden = true;
                let index = noise.below(types.max(1) as usize) as u32;
                editor.replace_type(TypeId::new(index), pick(&self.types, noise)?).ok()
            }
            _ => editor.attributes(op).ok().map(drop),
        }
    }

    fn set_resource(&mut self, editor: &mut Editor, noise: &mut Noise) -> Option<()> {
        let key = pick(&self.keys, noise)?.clone();
        let bytes = vec![noise.bits() as u8; noise.below(40)];
        let alignment = [None, Some(1), Some(64)][noise.below(3)];
        let content = ResourceContent::Blob { bytes: Bytes::from(bytes.clone()), alignment };
        editor.set_resource(&key, content).ok()?;
        self.set.retain(|(set, _)| *set != key);
        self.set.push((key, bytes));
        Some(())
    }

    // Checks that each resource that was set has its content, unless the file has several resources of one
    // name.
    fn check_resources(&self, module: &Module) {
        let Ok(all) = module.resources() else { return };
        let all: Vec<_> = all.collect();
        for (key, expected) in &self.set {
            let matches: Vec<_> = all.iter().filter(|resource| resource.key() == key).collect();
            let [one] = matches[..] else { continue };
            match one.value() {
                Ok(Some(ResourceValue::Blob { bytes, .. })) => {
                    assert!(
                        bytes[..] == expected[..],
                        "the resource {key:?} has other bytes than it was set to"
                    );
                }
                other => panic!("the resource {key:?} that was set is {other:?}"),
            }
        }
    }
}
