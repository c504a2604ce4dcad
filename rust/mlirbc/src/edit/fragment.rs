//! A part of a module as a separate module, which can be translated and whose symbols can be renamed.
//!
//! The part is moved out of a copy of the editor, so nothing else is read or copied. Values and blocks from
//! outside become the results of one operation before the part and empty blocks after it. Resources keep only
//! their keys; their content is restored by key afterwards.

use std::collections::HashMap;

use crate::ir::module::Module;
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{ArenaBlock, ArenaValue, EditType};
use super::clone_into::{CloneOptions, ClonePart, outside_of};
use super::{EditBlock, EditOp, EditRegion, EditValue, Editor, InsertionPoint, NewOperation};

/// The name of the operation that defines values from outside, and of the operation around blocks. No release
/// has it.
const OUTSIDE: &str = "mlirbc.outside";
const BLOCKS: &str = "mlirbc.blocks";

/// The bytes of a row of the list of keys.
const KEY_BYTES: usize = 96;

/// A part of a module as a separate module.
#[derive(Debug)]
pub(crate) struct Fragment {
    pub(crate) editor: Editor,
    part: ClonePart,
    /// The symbol table with the symbols of the part.
    scope: EditOp,
    /// The values and blocks of the source that the results of the first operation, and the last blocks,
    /// stand for.
    values: Vec<EditValue>,
    blocks: Vec<EditBlock>,
    wraps: bool,
    /// Whether a block with values from outside precedes the blocks of the part.
    has_head: bool,
}

impl Editor {
    /// Creates a module that contains one part of this one.
    pub(crate) fn fragment(&mut self, part: ClonePart) -> Result<Fragment> {
        let mut editor = self.duplicate()?;
        let steps = editor.steps_of(part)?;
        let outside = outside_of(&editor.arena, &steps);
        let (mut values, mut blocks): (Vec<EditValue>, Vec<EditBlock>) = (Vec::new(), Vec::new());
        let mut of_value: HashMap<ArenaValue, usize> = HashMap::new();
        for &(_, _, value) in &outside.values {
            of_value.entry(value).or_insert_with(|| {
                values.push(editor.handle_of(value));
                values.len() - 1
            });
        }
        let mut of_block: HashMap<ArenaBlock, usize> = HashMap::new();
        for &(_, _, block) in &outside.blocks {
            of_block.entry(block).or_insert_with(|| {
                blocks.push(editor.handle_of(block));
                blocks.len() - 1
            });
        }
        let wraps = !matches!(part, ClonePart::Op(..)) || !blocks.is_empty();

        let new = NewOperation { regions: 1, ..NewOperation::new("builtin.module") };
        let module = editor.create_detached(&new)?;
        let region = editor.regions(module)?.first().copied().ok_or_else(no_region)?;
        let mut block = editor.add_block(region, None, &[])?;
        let mut scope = module;
        let mut around = None;
        let has_head = matches!(part, ClonePart::Op(..)) || !values.is_empty();
        let mut part = part;
        if wraps {
            let new = NewOperation { regions: 1, ..NewOperation::new(BLOCKS) };
            let op = editor.create(&new, InsertionPoint::AtEnd(block))?;
            let region = editor.regions(op)?.first().copied().ok_or_else(no_region)?;
            if has_head {
                block = editor.add_block(region, None, &[])?;
            }
            (scope, around) = (op, Some(region));
        }
        // The part is moved away before the old operations are erased.
        match part {
            ClonePart::Op(op, _) => {
                editor.arena.touch(op.row());
                editor.arena.unlink(op.row());
                editor.arena.link(op.row(), block.row(), None);
                editor.arena.touch(op.row());
            }
            ClonePart::Block(row, ..) => {
                editor.arena.unlist(row.row());
                editor.take_block(row.row(), around);
            }
            ClonePart::Region(row, ..) => {
                let rows = std::mem::take(&mut editor.arena.regions[row.row().index()].blocks);
                for row in rows {
                    editor.take_block(row, around);
                }
                part = part.with_source(&editor, around.map_or(row.to_bits(), |region| region.to_bits()));
            }
        }
        let mut stand_ins = Vec::new();
        if !values.is_empty() {
            let types: Vec<EditType> =
                values.iter().map(|&value| editor.arena.value(value.row()).r#type()).collect();
            let name = editor.tables.op_name(OUTSIDE.as_bytes())?;
            let location = editor.tables.unknown_location()?;
            let op = editor.push_op(name, location, &types)?;
            editor.insert(editor.handle_of(op), InsertionPoint::AtBegin(block))?;
            stand_ins.extend(editor.arena.results(op));
        }
        let mut ends = Vec::new();
        if let Some(region) = around {
            for _ in &blocks {
                ends.push(editor.add_block(region, None, &[])?.row());
            }
        }
        for &(op, number, value) in &outside.values {
            let stand_in = of_value.get(&value).and_then(|&place| stand_ins.get(place));
            let Some(&stand_in) = stand_in else { continue };
            let slot = editor.arena.op(op).first_use.plus(number as u32);
            editor.arena.set_use(slot, Some(stand_in));
            editor.arena.touch(op);
        }
        for &(op, number, block) in &outside.blocks {
            let end = of_block.get(&block).and_then(|&place| ends.get(place));
            let Some(&end) = end else { continue };
            editor.arena.set_successor(op, number, end);
            editor.arena.touch(op);
        }
        let top = editor.top_level();
        for op in editor.operations(top)? {
            editor.arena.touch(op.row());
            editor.arena.unlink(op.row());
            editor.forget(op.row());
        }
        editor.insert(module, InsertionPoint::AtEnd(top))?;
        Ok(Fragment { editor, part, scope, values, blocks, wraps, has_head })
    }

    // Returns the dialect and the key of a resource.
    pub(crate) fn owned_key(&self, index: u32) -> Result<(Vec<u8>, Vec<u8>)> {
        use crate::dialect::entries::Entries;
        let key = self.tables.view()?.resource_key(index).to_vec();
        if let Some(new) = index.checked_sub(self.tables.counts.keys) {
            let new = self.tables.keys.get(new as usize);
            let dialect = new.and_then(|new| self.tables.dialects.get(new.dialect));
            return Ok((dialect.map_or(Vec::new(), |row| row.0.to_vec()), key));
        }
        let row = self.base.tables().resource_directory()?.externals + index as usize;
        let group = self.base.tables().resource(row)?.map(|resource| resource.group().to_vec());
        Ok((group.unwrap_or_default(), key))
    }

    fn take_block(&mut self, block: ArenaBlock, region: Option<EditRegion>) {
        let Some(region) = region else { return };
        self.arena.block_mut(block).region = Some(region.row());
        self.arena.regions[region.row().index()].blocks.push(block);
        self.arena.touch_block(block);
    }
}

impl Fragment {
    /// Renames symbols that the part defines.
    pub(crate) fn rename(&mut self, names: &[(Vec<u8>, Vec<u8>)]) -> Result<()> {
        for (old, new) in names {
            self.editor.rename_symbol_in(old, new, Some(self.scope))?;
        }
        Ok(())
    }

    /// Returns the part in the fragment, and the options with the fragment's handles. Applies only to a
    /// fragment that was not written and read again.
    pub(crate) fn part(&mut self, options: &CloneOptions) -> Result<(ClonePart, CloneOptions)> {
        let part = self.part;
        if let ClonePart::Region(region, ..) = part {
            self.leave_head(region)?;
        }
        let steps = self.editor.steps_of(part)?;
        let outside = outside_of(&self.editor.arena, &steps);
        let mut new = CloneOptions::default();
        // The stand-ins are in the order of the values.
        for &(.., value) in &outside.values {
            let owner = self.editor.arena.value(value).op();
            let first = owner.and_then(|owner| self.editor.arena.op(owner).first_result);
            let number = first.map(|first| value.since(first) as usize);
            let source_value = number.and_then(|number| self.values.get(number).copied());
            if let Some(&with) = source_value.and_then(|source_value| options.values.get(&source_value)) {
                new.values.insert(self.editor.handle_of(value), with);
            }
        }
        if let Some(&(.., first)) = outside.blocks.first()
            && let Some(region) = self.editor.arena.block(first).region
        {
            self.map_blocks(self.editor.handle_of(region), options, &mut new)?;
        }
        Ok((part, new))
    }

    // The first block contains only the values from outside.
    fn leave_head(&mut self, region: EditRegion) -> Result<()> {
        if let Some(first) = self.editor.blocks(region)?.first().filter(|_| self.has_head) {
            self.editor.arena.unlist(first.row());
        }
        Ok(())
    }

    fn map_blocks(&self, region: EditRegion, options: &CloneOptions, new: &mut CloneOptions) -> Result<()> {
        let all = self.editor.blocks(region)?;
        let ends = all.len().saturating_sub(self.blocks.len());
        for (block, of) in all[ends..].iter().zip(&self.blocks) {
            if let Some(&with) = options.blocks.get(of) {
                new.blocks.insert(*block, with);
            }
        }
        Ok(())
    }

    /// Maps everything from outside to itself, for a copy within the module.
    pub(crate) fn keep_outside(&self, options: &mut CloneOptions) {
        for &value in &self.values {
            options.values.entry(value).or_insert(value);
        }
        for &block in &self.blocks {
            options.blocks.entry(block).or_insert(block);
        }
    }

    /// Removes the contents of resources before writing.
    pub(crate) fn leave_resources(&mut self) -> Result<()> {
        let editor = &mut self.editor;
        for row in 0..editor.base.resources()?.len() {
            editor.resources.replaced.insert(row, None);
        }
        editor.resources.dialect.clear();
        editor.resources.external.clear();
        editor.tables.imported_resources.resources.clear();
        Ok(())
    }

    /// Continues with a translated fragment: returns its part, and the options with its handles.
    pub(crate) fn translated(
        &mut self,
        module: Module,
        source: &Editor,
        options: &CloneOptions,
    ) -> Result<(ClonePart, CloneOptions)> {
        self.editor = Editor::new(module)?;
        self.restore_resources(source)?;
        let editor = &mut self.editor;
        let top = editor.operation()?;
        let mut block = editor.body(top)?;
        let mut region = None;
        if self.wraps {
            let op = editor.operations(block)?.first().copied().ok_or_else(no_region)?;
            region = editor.regions(op)?.first().copied();
            block = editor.body(op)?;
        }
        let ops = if self.has_head { editor.operations(block)? } else { Vec::new() };
        let mut new = CloneOptions::default();
        let mut place = 0;
        if !self.values.is_empty() {
            let results = match ops.first() {
                Some(&first) => editor.results(first)?,
                None => Vec::new(),
            };
            for (value, of) in results.into_iter().zip(&self.values) {
                if let Some(&with) = options.values.get(of) {
                    new.values.insert(value, with);
                }
            }
            place = 1;
        }
        let part = match (self.part, region) {
            (ClonePart::Op(..), _) => {
                let op = ops.get(place).copied().ok_or_else(no_region)?;
                self.part.with_source(editor, op.to_bits())
            }
            (ClonePart::Block(..), Some(region)) => {
                let block =
                    editor.blocks(region)?.get(usize::from(self.has_head)).copied().ok_or_else(no_region)?;
                self.part.with_source(editor, block.to_bits())
            }
            (_, Some(region)) => {
                self.leave_head(region)?;
                self.part.with_source(&self.editor, region.to_bits())
            }
            (_, None) => return Err(no_region()),
        };
        if let Some(region) = region {
            self.map_blocks(region, options, &mut new)?;
        }
        Ok((part, new))
    }

    // Restores the content of resources, whose keys are the same in the source.
    fn restore_resources(&mut self, source: &Editor) -> Result<()> {
        let counts = source.tables.counts;
        // Several dialects may have the same key.
        let mut by_key: HashMap<(Vec<u8>, Vec<u8>), Option<u32>> = HashMap::new();
        for index in 0..counts.keys + source.tables.keys.len() as u32 {
            source.tables.budget.spend(KEY_BYTES)?;
            by_key.entry(source.owned_key(index)?).and_modify(|known| *known = None).or_insert(Some(index));
        }
        let editor = &mut self.editor;
        let externals = editor.base.tables().resource_directory()?.externals;
        for own_key in 0..editor.tables.counts.keys {
            let key = editor.owned_key(own_key)?;
            let Some(&index) = by_key.get(&key) else { continue };
            let Some(index) = index else {
                let key = String::from_utf8_lossy(&key.1);
                let message = format!("the source has several resources with the key `{key}`");
                return Err(Error::message(ErrorKind::Unsupported, message));
            };
            if let Some(content) = source.edited_content(index)? {
                editor.resources.replaced.insert(externals + own_key as usize, Some(content));
                editor.tables.imported_resources.edited.insert(own_key);
                if source.resources.resized.contains(&index) {
                    editor.resources.resized.insert(own_key);
                }
            } else if let Some(origin) = source.tables.resource_of(index) {
                editor.tables.imported_resources.resources.insert(own_key, origin);
                editor.tables.imported_resources.has_stand_ins = true;
            }
        }
        Ok(())
    }
}

#[cold]
fn no_region() -> Error {
    Error::message(ErrorKind::Edit, "the part to clone was lost in the translation")
}
