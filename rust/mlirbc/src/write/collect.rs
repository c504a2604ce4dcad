//! The first pass over the IR: what each op looks like in the target's form, how often everything is referred to,
//! and what each region mentions, in order.
//!
//! The order in which things are first met decides their numbers (`IRNumberingState` in
//! `mlir/lib/Bytecode/Writer/IRNumbering.cpp`), and MLIR visits regions in another order than that of the file. So
//! each region keeps what it mentions, each thing once, and `numbering` goes through the regions as MLIR does.

use std::collections::HashMap;

use crate::error::{Error, ErrorKind, Result};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};

use super::forms::Forms;

/// Something that is numbered, packed: two bits of kind above an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Token(u32);

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    OpName(u32),
    Type(u32),
    Attribute(u32),
    /// The dictionary and the properties of an op, by its form.
    Form(u32),
}

const INDEX: u32 = (1 << 30) - 1;

impl Token {
    pub(super) fn mention(self) -> Mention {
        let index = self.0 & INDEX;
        match self.0 >> 30 {
            0 => Mention::OpName(index),
            1 => Mention::Type(index),
            2 => Mention::Attribute(index),
            _ => Mention::Form(index),
        }
    }
}

/// A region: what it mentions and the regions in it, each a range of a list of all regions.
#[derive(Debug, Clone, Default)]
pub(super) struct RegionNode {
    pub(super) tokens: std::ops::Range<usize>,
    pub(super) children: std::ops::Range<usize>,
    /// Results and arguments of its own blocks.
    pub(super) values: u32,
}

/// What the first pass knows in the end.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) regions: Vec<RegionNode>,
    pub(super) tokens: Vec<Token>,
    pub(super) children: Vec<u32>,
    /// The form of each op, in file order.
    pub(super) op_forms: Vec<u32>,
    /// Whether the regions of each op that has some are isolated, in file order.
    pub(super) isolated: Vec<bool>,
    /// How often each thing is mentioned by ops and blocks.
    pub(super) op_name_counts: Vec<u32>,
    pub(super) type_counts: Vec<u32>,
    pub(super) attribute_counts: Vec<u32>,
    pub(super) form_counts: Vec<u32>,
    /// Whether a use-list order can only be read when the uses are counted.
    pub(super) has_pairs: bool,
    pub(super) has_use_lists: bool,
    pub(super) top_level_ops: u64,
    /// What blocks lose and get at their end, by their number in file order.
    pub(super) changed_blocks: HashMap<u64, ChangedBlock>,
}

/// How many ops of a block are left out, and the form and the location of one that is put at its end.
#[derive(Debug, Default)]
pub(super) struct ChangedBlock {
    pub(super) left_out: u64,
    pub(super) end: Option<(u32, u32)>,
}

/// In place of the form of an op that is left out.
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// Listens to the IR.
pub(super) struct Collector<'c, 'm> {
    forms: &'c mut Forms<'m>,
    out: Collected,
    // The last region that mentioned each thing.
    op_name_seen: Vec<u32>,
    type_seen: Vec<u32>,
    attribute_seen: Vec<u32>,
    form_seen: Vec<u32>,
    open: Vec<OpenRegion>,
    // The ops around the current one.
    owners: Vec<Owner>,
    keeps_isolation: bool,
    strips_locations: bool,
    pending: Option<Pending>,
    // Whether the current op is left out; the form and the location of what has to end its blocks.
    is_left_out: bool,
    new_end: Option<(u32, u32)>,
    blocks: u64,
    open_blocks: Vec<u64>,
    fault: Option<Error>,
}

#[derive(Debug, Default)]
struct OpenRegion {
    row: u32,
    tokens: Vec<Token>,
    children: Vec<u32>,
    values: u32,
    // The place in `open` of the outermost region whose values are numbered with those of this one.
    scope: u32,
}

/// An op with regions.
struct Owner {
    /// Its place among all such ops.
    row: usize,
    /// How many regions are open around it.
    depth: u32,
    /// As the file says.
    is_isolated: bool,
    uses_outside: bool,
    new_end: Option<(u32, u32)>,
}

struct Pending {
    form: u32,
    location: u32,
    operands: u64,
}

impl<'c, 'm> Collector<'c, 'm> {
    /// `keeps_isolation`: whether regions are isolated where the file says so, rather than where nothing from outside
    /// is used (MLIR 16 knows only of traits).
    pub(super) fn new(forms: &'c mut Forms<'m>, keeps_isolation: bool, strips_locations: bool) -> Self {
        Self {
            forms,
            out: Collected::default(),
            op_name_seen: Vec::new(),
            type_seen: Vec::new(),
            attribute_seen: Vec::new(),
            form_seen: Vec::new(),
            open: Vec::new(),
            owners: Vec::new(),
            keeps_isolation,
            strips_locations,
            pending: None,
            is_left_out: false,
            new_end: None,
            blocks: 0,
            open_blocks: Vec::new(),
            fault: None,
        }
    }

    /// # Errors
    /// What an op could not be translated for.
    pub(super) fn finish(mut self) -> Result<Collected> {
        match self.fault.take() {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }

    #[cold]
    fn fail(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    // The end of a block has nothing but a location.
    #[cold]
    fn fail_left_out(&mut self) {
        let found = "one with operands, results, or regions, which the target does without";
        self.fail(Error::new(ErrorKind::Unsupported, "an operation that says no more than its name", found));
    }

    fn flush(&mut self) {
        let Some(Pending { form, location, operands }) = self.pending.take() else { return };
        let form = match self.forms.with_operands(form, operands) {
            Ok(form) => form,
            Err(error) => return self.fail(error),
        };
        if let Some(last) = self.out.op_forms.last_mut() {
            *last = form;
        }
        self.mention(3, form);
        self.mention(2, location);
    }

    #[inline]
    fn mention(&mut self, kind: u32, index: u32) {
        let (counts, seen) = match kind {
            0 => (&mut self.out.op_name_counts, &mut self.op_name_seen),
            1 => (&mut self.out.type_counts, &mut self.type_seen),
            2 => (&mut self.out.attribute_counts, &mut self.attribute_seen),
            _ => (&mut self.out.form_counts, &mut self.form_seen),
        };
        let at = index as usize;
        if at >= counts.len() {
            counts.resize(at + 1, 0);
            seen.resize(at + 1, u32::MAX);
        }
        counts[at] += 1;
        let Some(region) = self.open.last_mut() else { return };
        if seen[at] != region.row {
            seen[at] = region.row;
            region.tokens.push(Token(kind << 30 | index & INDEX));
        }
    }

    fn r#type(&mut self, index: u32) -> u32 {
        match self.forms.pool.r#type(index) {
            Ok(index) => index,
            Err(error) => {
                self.fail(error);
                0
            }
        }
    }

    fn location(&mut self, index: Option<u32>) -> u32 {
        match index {
            Some(index) if !self.strips_locations => self.attribute(index),
            _ => self.forms.pool.unknown_location(),
        }
    }

    fn attribute(&mut self, index: u32) -> u32 {
        match self.forms.pool.attribute(index) {
            Ok(index) => index,
            Err(error) => {
                self.fail(error);
                0
            }
        }
    }
}

impl OpSink for Collector<'_, '_> {
    fn op(&mut self, head: OpHead) {
        self.flush();
        self.is_left_out = self.forms.is_left_out(head.name);
        if self.is_left_out {
            self.out.op_forms.push(LEFT_OUT);
            if let Some(&block) = self.open_blocks.last() {
                self.out.changed_blocks.entry(block).or_default().left_out += 1;
            }
            return;
        }
        if self.open.len() == 1 {
            self.out.top_level_ops += 1;
        }
        let form = match self.forms.form(head.name, head.attributes, head.properties) {
            Ok(form) => form,
            Err(error) => {
                self.fail(error);
                return;
            }
        };
        let location = self.location(Some(head.location));
        self.out.op_forms.push(form);
        let name = self.forms.name_of(form);
        self.mention(0, name);
        self.new_end = self.forms.new_end(head.name).map(|end| (end, location));
        self.pending = Some(Pending { form, location, operands: 0 });
    }

    fn result(&mut self, r#type: u32) {
        if self.is_left_out {
            return self.fail_left_out();
        }
        let r#type = self.r#type(r#type);
        self.mention(1, r#type);
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
        }
    }

    #[inline]
    fn operand(&mut self, value: ValueRef) {
        if self.is_left_out {
            return self.fail_left_out();
        }
        if let Some(pending) = &mut self.pending {
            pending.operands += 1;
        }
        let Some(current) = self.open.last() else { return };
        let defined_in = current.scope + value.depth;
        for owner in self.owners.iter_mut().rev() {
            if owner.depth <= defined_in {
                break;
            }
            owner.uses_outside = true;
        }
    }

    fn use_list(&mut self, order: UseListOrder<'_>, _: u64, _: u64) {
        self.out.has_use_lists = true;
        self.out.has_pairs |= order.is_pairs;
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        self.flush();
        if self.is_left_out {
            return self.fail_left_out();
        }
        let (row, depth) = (self.out.isolated.len(), self.open.len() as u32);
        self.out.isolated.push(is_isolated);
        let new_end = self.new_end.take();
        self.owners.push(Owner { row, depth, is_isolated, uses_outside: false, new_end });
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        self.fault.is_none()
    }

    fn begin_region(&mut self, _: RegionHead) {
        let row = self.out.regions.len() as u32;
        self.out.regions.push(RegionNode::default());
        if let Some(parent) = self.open.last_mut() {
            parent.children.push(row);
        }
        let scope = match (self.open.last(), self.owners.last()) {
            (Some(parent), Some(owner)) if !owner.is_isolated => parent.scope,
            _ => self.open.len() as u32,
        };
        self.open.push(OpenRegion { row, scope, ..OpenRegion::default() });
    }

    fn begin_block(&mut self, _: BlockHead) {
        self.flush();
        self.open_blocks.push(self.blocks);
        self.blocks += 1;
    }

    fn argument(&mut self, r#type: u32, location: Option<u32>) {
        let location = self.location(location);
        self.mention(2, location);
        let r#type = self.r#type(r#type);
        self.mention(1, r#type);
        if let Some(region) = self.open.last_mut() {
            region.values += 1;
        }
    }

    fn end_block(&mut self) {
        self.flush();
        let Some(block) = self.open_blocks.pop() else { return };
        if let Some((form, location)) = self.owners.last().and_then(|owner| owner.new_end) {
            self.out.changed_blocks.entry(block).or_default().end = Some((form, location));
            self.mention(0, self.forms.name_of(form));
            self.mention(3, form);
            self.mention(2, location);
        }
    }

    fn end_region(&mut self) {
        self.flush();
        let Some(region) = self.open.pop() else { return };
        let (tokens, children) = (self.out.tokens.len(), self.out.children.len());
        self.out.tokens.extend_from_slice(&region.tokens);
        self.out.children.extend_from_slice(&region.children);
        if let Some(node) = self.out.regions.get_mut(region.row as usize) {
            node.tokens = tokens..self.out.tokens.len();
            node.children = children..self.out.children.len();
            node.values = region.values;
        }
    }

    fn end_regions(&mut self) {
        if let Some(owner) = self.owners.pop()
            && !self.keeps_isolation
        {
            self.out.isolated[owner.row] = !owner.uses_outside;
        }
    }
}
