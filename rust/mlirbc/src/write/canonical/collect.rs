//! The first pass over the IR: the target encoding of each op, the number of references to everything, and
//! the ordered mentions of each region.
//!
//! The order of first mentions determines the numbers (`IRNumberingState` in
//! `mlir/lib/Bytecode/Writer/IRNumbering.cpp`), and MLIR visits regions in another order than the file. Each
//! region therefore stores its mentions, each once, and `numbering` visits the regions as MLIR does.

use std::collections::HashMap;

use crate::dialect::entries::Entries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::limits::filled;

use super::index::{EncodingId, PoolAttr, PoolName, PoolType};
use super::op_encoding::{PartCounts, RegionShift};
use super::pass::{Result, Unfinished};
use super::translator::OpTranslator;

/// Something that is numbered, packed: two bits of kind above an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Token(u32);

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mention {
    OpName(PoolName),
    Type(PoolType),
    Attribute(PoolAttr),
    /// The dictionary and the properties of an op, by its encoding.
    Encoding(EncodingId),
}

const INDEX: u32 = (1 << 30) - 1;

/// The number of indices of a kind that a token can represent.
const MOST: usize = 1 << 30;

// Checks that the longest table has at most `most` rows.
fn check_indices(lengths: [usize; 4], most: usize) -> Result<(), Error> {
    match lengths.into_iter().max() {
        Some(length) if length > most => {
            let message = format!(
                "the module has `{length}` attributes, types, names or combinations of attributes; canonical writing numbers at most `{most}`"
            );
            let error = Error::message(ErrorKind::MemoryLimit, message);
            Err(error.with_hint("preserving numbering writes any number of them"))
        }
        _ => Ok(()),
    }
}

impl Token {
    #[inline(always)]
    fn new(mention: Mention) -> Self {
        let (kind, index) = match mention {
            Mention::OpName(name) => (0, name.number()),
            Mention::Type(r#type) => (1, r#type.number()),
            Mention::Attribute(attribute) => (2, attribute.number()),
            Mention::Encoding(encoding) => (3, encoding.number()),
        };
        Self(kind << 30 | index & INDEX)
    }

    pub(crate) fn mention(self) -> Mention {
        let index = self.0 & INDEX;
        match self.0 >> 30 {
            0 => Mention::OpName(PoolName::new(index)),
            1 => Mention::Type(PoolType::new(index)),
            2 => Mention::Attribute(PoolAttr::new(index)),
            _ => Mention::Encoding(EncodingId::new(index)),
        }
    }
}

/// A region: its mentions and its nested regions, each a range of a list of all regions.
#[derive(Debug, Clone, Default)]
pub(crate) struct RegionNode {
    pub(crate) tokens: std::ops::Range<usize>,
    pub(crate) children: std::ops::Range<usize>,
    /// Results and arguments of the region's own blocks.
    pub(crate) values: u32,
}

/// The result of the first pass.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) regions: Vec<RegionNode>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) children: Vec<u32>,
    /// The encoding of each op, in file order; `None` for an op that is left out. Only release conversions store it; otherwise the parts of an
    /// op determine its encoding.
    pub(crate) op_encodings: Vec<Option<EncodingId>>,
    /// For each op with regions, in file order: whether the regions are isolated.
    pub(crate) isolated: Vec<bool>,
    /// The number of mentions by ops and blocks.
    pub(crate) op_name_counts: Vec<u32>,
    pub(crate) type_counts: Vec<u32>,
    pub(crate) attribute_counts: Vec<u32>,
    pub(crate) encoding_counts: Vec<u32>,
    pub(crate) has_use_lists: bool,
    pub(crate) top_level_ops: u64,
    /// Whether the written IR has the same events as the file: the same isolated regions and numbers of
    /// values, and the same unknown locations of arguments omitted.
    pub(crate) is_as_read: bool,
    /// Operations removed from and added to the end of blocks, by block number in file order.
    pub(crate) changed_blocks: HashMap<u64, ChangedBlock>,
    /// Empty regions added and left out, by the number of the operation among the ops with regions.
    pub(crate) changed_regions: HashMap<usize, RegionShift>,
}

/// The number of removed ops of a block, and the encoding and location of an added terminator.
#[derive(Debug, Default)]
pub(crate) struct ChangedBlock {
    pub(crate) left_out: u64,
    pub(crate) end: Option<(EncodingId, PoolAttr)>,
}

/// The location of an op without a location in the file.
const UNKNOWN: u32 = u32::MAX;

/// Counts the mentions of each item of one kind.
#[derive(Default)]
struct Tally {
    counts: Vec<u32>,
    // For each item: the number of the last region that mentioned it, starting at one.
    seen: Vec<u32>,
}

impl Tally {
    fn with_len(len: usize) -> Self {
        Self { counts: filled(0, len), seen: filled(0, len) }
    }

    /// Counts a mention; returns the new count.
    #[inline(always)]
    fn count(&mut self, at: usize) -> u32 {
        if at >= self.counts.len() {
            self.grow(at);
        }
        self.counts[at] += 1;
        self.counts[at]
    }

    /// Whether this is the first mention in this region.
    #[inline(always)]
    fn is_first_in(&mut self, region: u32, at: usize) -> bool {
        if at >= self.counts.len() {
            self.grow(at);
        }
        std::mem::replace(&mut self.seen[at], region + 1) != region + 1
    }

    #[cold]
    fn grow(&mut self, at: usize) {
        self.counts.resize(at + 1, 0);
        self.seen.resize(at + 1, 0);
    }
}

/// The sink of the first pass.
pub(crate) struct Collector<'c, T> {
    ops: &'c mut T,
    out: Collected,
    op_names: Tally,
    types: Tally,
    attributes: Tally,
    op_encodings: Tally,
    // The innermost region, and the enclosing regions.
    region: OpenRegion,
    outer: Vec<OpenRegion>,
    // Lists of tokens of completed regions, for reuse.
    spare: Vec<Vec<Token>>,
    // The capacity of these lists and of the lists of enclosing regions.
    tokens_aside: usize,
    // The enclosing ops of the current op.
    owners: Vec<Owner>,
    keeps_isolation: bool,
    strips_locations: bool,
    pending: Option<Pending>,
    // Whether the current op is removed, and the encoding and location of the terminator that its blocks
    // need.
    is_left_out: bool,
    new_end: Option<(EncodingId, PoolAttr)>,
    /// The name of the last op.
    name: OpNameId,
    blocks: u64,
    open_blocks: Vec<u64>,
    is_as_read: bool,
    elides: bool,
    keeps_encodings: bool,
    tracks_types: bool,
    /// The number of types in the lists of all open regions.
    open_types: usize,
    fault: Option<Unfinished>,
}

#[derive(Debug, Default)]
struct OpenRegion {
    row: u32,
    tokens: Vec<Token>,
    children: Vec<u32>,
    values: u32,
    /// The types of the values in the file, if the translator needs the types of operands.
    value_types: Vec<TypeId>,
    declared_values: u64,
    // The number of regions around this region, and around the outermost region of its scope.
    depth: u32,
    scope: u32,
}

/// An op with regions.
struct Owner {
    /// The index among all ops with regions.
    row: usize,
    /// The number of enclosing regions.
    depth: u32,
    /// Whether the file marks the op as isolated.
    is_isolated: bool,
    /// The number of regions around the outermost definition that is used inside.
    outermost_use: u32,
    new_end: Option<(EncodingId, PoolAttr)>,
    name: OpNameId,
    /// The number of regions that have begun.
    begun: u32,
}

struct Pending {
    form: EncodingId,
    location: PoolAttr,
    counts: PartCounts,
}

impl<'c, T: OpTranslator> Collector<'c, T> {
    /// With `keeps_isolation`, regions are isolated if they are isolated in the file; otherwise if they use
    /// no value from outside (MLIR 16 only knows traits).
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn new(ops: &'c mut T, keeps_isolation: bool, strips_locations: bool) -> Result<Self> {
        let bounds = ops.entries().bounds();
        ops.budget().spend(
            (bounds.types as usize + bounds.attributes as usize).saturating_mul(2 * size_of::<u32>()),
        )?;
        let keeps_encodings = ops.is_for_other_release();
        let tracks_types = ops.tracks_operand_types();
        let elides = ops.version().elides_unknown_argument_locations();
        // Most attributes are locations with one mention.
        let tokens = Vec::with_capacity(bounds.attributes as usize);
        Ok(Self {
            ops,
            out: Collected { tokens, ..Collected::default() },
            op_names: Tally::default(),
            types: Tally::with_len(bounds.types as usize),
            attributes: Tally::with_len(bounds.attributes as usize),
            op_encodings: Tally::default(),
            region: OpenRegion::default(),
            outer: Vec::new(),
            spare: Vec::new(),
            tokens_aside: 0,
            owners: Vec::new(),
            keeps_isolation,
            strips_locations,
            pending: None,
            is_left_out: false,
            new_end: None,
            name: OpNameId::new(0),
            blocks: 0,
            open_blocks: Vec::new(),
            is_as_read: true,
            elides,
            keeps_encodings,
            tracks_types,
            open_types: 0,
            fault: None,
        })
    }

    /// # Errors
    /// The reason why an op could not be translated.
    pub(crate) fn finish(mut self) -> Result<Collected> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let tallies = [&self.op_names, &self.types, &self.attributes, &self.op_encodings];
        check_indices(tallies.map(|tally| tally.counts.len()), MOST)?;
        // A mention of an encoding is a mention of its name.
        for (form, &count) in self.op_encodings.counts.iter().enumerate() {
            let name = self.ops.name_of(EncodingId::new(form as u32));
            if let Some(names) = name.and_then(|name| self.op_names.counts.get_mut(name.index())) {
                *names += count;
            }
        }
        self.out.op_name_counts = self.op_names.counts;
        self.out.type_counts = self.types.counts;
        self.out.attribute_counts = self.attributes.counts;
        self.out.encoding_counts = self.op_encodings.counts;
        self.out.is_as_read = self.is_as_read && !self.out.has_use_lists && !self.strips_locations;
        Ok(self.out)
    }

    #[cold]
    fn fail(&mut self, fault: impl Into<Unfinished>) {
        let fault = fault.into();
        self.fault.get_or_insert(fault);
    }

    #[cold]
    fn fail_top_level(&mut self) {
        let message =
            "a top-level operation has results, for which LLVM 16 has no numbers; move it into a module";
        self.fail(Error::message(ErrorKind::Unsupported, message));
    }

    // The terminator of a block only has a location.
    #[cold]
    fn fail_left_out(&mut self) {
        let message = "the target release represents this operation by its name, but it has operands, results or regions";
        self.fail(Error::message(ErrorKind::Unsupported, message));
    }

    #[cold]
    fn fail_left_out_region(&mut self) {
        let message = "an operation has a region with blocks that it does not have in the target release";
        self.fail(Error::message(ErrorKind::Unsupported, message));
    }

    #[inline]
    fn flush(&mut self) {
        let Some(Pending { form, location, counts }) = self.pending.take() else { return };
        if self.fault.is_some() {
            return;
        }
        let form = match self.ops.with_counts(form, counts) {
            Ok(form) => form,
            Err(fault) => return self.fail(fault),
        };
        if let Some(last) = self.out.op_encodings.last_mut() {
            *last = Some(form);
        }
        self.mention_encoding(form);
        self.mention_attribute(location);
    }

    // Names are counted by their encodings.
    fn mention_name(&mut self, form: EncodingId) {
        let Some(name) = self.ops.name_of(form) else { return };
        if self.op_names.is_first_in(self.region.row, name.index()) {
            self.region.tokens.push(Token::new(Mention::OpName(name)));
        }
    }

    #[inline]
    fn mention_encoding(&mut self, form: EncodingId) {
        self.op_encodings.count(form.index());
        if self.op_encodings.is_first_in(self.region.row, form.index()) {
            self.region.tokens.push(Token::new(Mention::Encoding(form)));
        }
    }

    #[inline]
    fn mention_type(&mut self, r#type: PoolType) {
        self.types.count(r#type.index());
        if self.types.is_first_in(self.region.row, r#type.index()) {
            self.region.tokens.push(Token::new(Mention::Type(r#type)));
        }
    }

    // Most attributes are locations with a single mention, and the region of that mention is not stored. An
    // extra token is harmless.
    #[inline]
    fn mention_attribute(&mut self, attribute: PoolAttr) {
        let at = attribute.index();
        if self.attributes.count(at) == 1 || self.attributes.is_first_in(self.region.row, at) {
            self.region.tokens.push(Token::new(Mention::Attribute(attribute)));
        }
    }

    /// Notes the type of a value of the innermost region.
    #[inline]
    fn define(&mut self, r#type: TypeId) {
        if self.tracks_types {
            self.region.value_types.push(r#type);
            self.open_types += 1;
        }
    }

    /// Returns the type of a value of a region with `depth` enclosing regions; `None` if the value is defined
    /// later.
    #[cold]
    fn type_of(&self, depth: u32, value: u64) -> Option<TypeId> {
        // The list of enclosing regions begins with a region around the top level.
        let region =
            if depth == self.region.depth { &self.region } else { self.outer.get(depth as usize + 1)? };
        region.value_types.get(usize::try_from(value).ok()?).copied()
    }

    // After an error nothing more is translated, so the remaining events cost no more than reading them.
    fn r#type(&mut self, index: TypeId) -> PoolType {
        if self.fault.is_some() {
            return PoolType::new(0);
        }
        match self.ops.r#type(index) {
            Ok(r#type) => r#type,
            Err(error) => {
                self.fail(error);
                PoolType::new(0)
            }
        }
    }

    fn location(&mut self, index: Option<AttrId>) -> PoolAttr {
        match index {
            Some(index) if !self.strips_locations && index != AttrId::new(UNKNOWN) => {
                self.known_location(index)
            }
            _ => self.unknown_location(),
        }
    }

    fn unknown_location(&mut self) -> PoolAttr {
        if self.fault.is_some() {
            return PoolAttr::new(0);
        }
        match self.ops.unknown_location() {
            Ok(location) => location,
            Err(fault) => {
                self.fail(fault);
                PoolAttr::new(0)
            }
        }
    }

    fn known_location(&mut self, index: AttrId) -> PoolAttr {
        if self.fault.is_some() {
            return PoolAttr::new(0);
        }
        match self.ops.location(index) {
            Ok(location) => location,
            Err(fault) => {
                self.fail(fault);
                PoolAttr::new(0)
            }
        }
    }
}

impl<T: OpTranslator> OpSink for Collector<'_, T> {
    #[inline]
    fn op(&mut self, head: OpHead) {
        self.flush();
        if self.fault.is_some() {
            return;
        }
        let name = OpNameId::new(head.name);
        let parent = self.owners.last().map(|owner| owner.name);
        self.is_left_out = self.ops.is_left_out(parent, name);
        if self.is_left_out {
            self.out.op_encodings.push(None);
            if let Some(&block) = self.open_blocks.last() {
                self.out.changed_blocks.entry(block).or_default().left_out += 1;
            }
            return;
        }
        if self.region.depth == 0 {
            self.out.top_level_ops += 1;
        }
        let (attributes, properties) =
            (head.attributes.map(AttrId::new), head.properties.map(PropertyId::new));
        let form = match self.ops.encode_inside(parent, name, attributes, properties) {
            Ok(form) => form,
            Err(fault) => {
                self.fail(fault);
                return;
            }
        };
        let location = self.location(Some(AttrId::new(head.location)));
        if self.keeps_encodings {
            self.out.op_encodings.push(Some(form));
        }
        // A mention of the encoding was also a mention of its name.
        if self.op_encodings.seen.get(form.index()) != Some(&(self.region.row + 1)) {
            self.mention_name(form);
        }
        self.new_end = self.ops.new_terminator(name).map(|end| (end, location));
        self.name = name;
        self.pending = Some(Pending { form, location, counts: PartCounts::default() });
    }

    #[inline]
    fn result(&mut self, r#type: TypeId) {
        if self.is_left_out {
            return self.fail_left_out();
        }
        if self.region.depth == 0 && self.ops.refuses_top_level_results() {
            return self.fail_top_level();
        }
        if let Some(pending) = &mut self.pending {
            pending.counts.result.get_or_insert(r#type);
            pending.counts.results += 1;
        }
        self.define(r#type);
        let r#type = self.r#type(r#type);
        self.mention_type(r#type);
        self.region.values += 1;
    }

    #[inline]
    fn operand(&mut self, value: ValueRef) {
        if self.is_left_out {
            return self.fail_left_out();
        }
        let defined_in = self.region.scope + value.depth;
        let is_first = self.pending.as_ref().is_some_and(|pending| pending.counts.operands == 0);
        let r#type = (is_first && self.tracks_types).then(|| self.type_of(defined_in, value.index)).flatten();
        if let Some(pending) = &mut self.pending {
            pending.counts.operands += 1;
            pending.counts.operand = pending.counts.operand.or(r#type);
        }
        if defined_in >= self.region.depth {
            return;
        }
        // The value is also outside of the enclosing ops, up to its definition; that is determined when each
        // of these ops ends.
        if let Some(owner) = self.owners.last_mut() {
            owner.outermost_use = owner.outermost_use.min(defined_in);
        }
    }

    fn use_list(&mut self, _: UseListOrder<'_>, _: u64, _: u64) {
        self.out.has_use_lists = true;
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        if let Some(pending) = &mut self.pending {
            pending.counts.regions = count.into();
        }
        self.flush();
        if self.is_left_out {
            return self.fail_left_out();
        }
        let (row, depth) = (self.out.isolated.len(), self.region.depth + 1);
        self.out.isolated.push(is_isolated);
        let new_end = self.new_end.take();
        let name = self.name;
        if let Some(shift) = self.ops.region_shift(name).filter(|shift| shift.count == count) {
            self.out.changed_regions.insert(row, shift);
            self.is_as_read = false;
        }
        self.owners.push(Owner { row, depth, is_isolated, outermost_use: u32::MAX, new_end, name, begun: 0 });
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        self.fault.is_none()
    }

    fn begin_region(&mut self, head: RegionHead) {
        if let Some(owner) = self.owners.last_mut() {
            let shift = self.out.changed_regions.get(&owner.row);
            let is_left_out = shift.is_some_and(|shift| shift.leaves_out(owner.begun));
            owner.begun += 1;
            if is_left_out && head.blocks > 0 {
                self.fail_left_out_region();
            }
        }
        let row = self.out.regions.len() as u32;
        self.out.regions.push(RegionNode::default());
        let mut region = OpenRegion { row, ..OpenRegion::default() };
        region.tokens = self.spare.pop().unwrap_or_default();
        self.tokens_aside = self.tokens_aside + self.region.tokens.capacity() - region.tokens.capacity();
        region.declared_values = head.values;
        // The first region is the top level, which is in no region.
        if row > 0 {
            self.region.children.push(row);
            region.depth = self.region.depth + 1;
            region.scope = match self.owners.last() {
                Some(owner) if !owner.is_isolated => self.region.scope,
                _ => region.depth,
            };
        }
        self.outer.push(std::mem::replace(&mut self.region, region));
    }

    fn begin_block(&mut self, _: BlockHead) {
        self.flush();
        self.open_blocks.push(self.blocks);
        self.blocks += 1;
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        let is_given = location.is_some();
        let location = self.location(location);
        if is_given && self.elides {
            self.is_as_read &= Some(location) != self.ops.collected_unknown_location();
        }
        self.mention_attribute(location);
        self.define(r#type);
        let r#type = self.r#type(r#type);
        self.mention_type(r#type);
        self.region.values += 1;
    }

    fn end_block(&mut self) {
        self.flush();
        let Some(block) = self.open_blocks.pop() else { return };
        if let Some((form, location)) = self.owners.last().and_then(|owner| owner.new_end) {
            self.out.changed_blocks.entry(block).or_default().end = Some((form, location));
            self.mention_name(form);
            self.mention_encoding(form);
            self.mention_attribute(location);
        }
    }

    fn end_region(&mut self) {
        self.flush();
        let Some(outer) = self.outer.pop() else { return };
        let mut region = std::mem::replace(&mut self.region, outer);
        self.tokens_aside -= self.region.tokens.capacity();
        self.open_types -= region.value_types.len();
        let (tokens, children) = (self.out.tokens.len(), self.out.children.len());
        // The top level numbers no values.
        self.is_as_read &= region.declared_values == u64::from(region.values) || region.row == 0;
        self.out.tokens.append(&mut region.tokens);
        self.out.children.extend_from_slice(&region.children);
        if let Some(node) = self.out.regions.get_mut(region.row as usize) {
            node.tokens = tokens..self.out.tokens.len();
            node.children = children..self.out.children.len();
            node.values = region.values;
        }
        self.tokens_aside += region.tokens.capacity();
        self.spare.push(region.tokens);
    }

    fn end_regions(&mut self) {
        let Some(owner) = self.owners.pop() else { return };
        if let Some(outer) = self.owners.last_mut() {
            outer.outermost_use = outer.outermost_use.min(owner.outermost_use);
        }
        if !self.keeps_isolation {
            let uses_outside = owner.outermost_use < owner.depth;
            self.out.isolated[owner.row] = !uses_outside;
            self.is_as_read &= owner.is_isolated != uses_outside;
        }
    }

    fn memory(&self) -> usize {
        let tallies = [&self.op_names, &self.types, &self.attributes, &self.op_encodings];
        let counts: usize = tallies.iter().map(|tally| 2 * tally.counts.capacity() * size_of::<u32>()).sum();
        let lists = self.out.tokens.capacity() * size_of::<Token>()
            + (self.region.tokens.capacity() + self.tokens_aside) * size_of::<Token>()
            + self.out.children.capacity() * size_of::<u32>()
            + self.out.op_encodings.capacity() * size_of::<u32>()
            + self.out.regions.capacity() * size_of::<RegionNode>()
            + self.out.isolated.capacity()
            + self.out.changed_blocks.capacity() * size_of::<(u64, ChangedBlock)>()
            + self.out.changed_regions.capacity() * size_of::<(usize, RegionShift)>()
            + self.outer.capacity() * size_of::<OpenRegion>()
            + self.owners.capacity() * size_of::<Owner>()
            + self.open_blocks.capacity() * size_of::<u64>()
            + 2 * self.open_types * size_of::<TypeId>();
        // The list doubles, as a full vector does.
        counts + 2 * lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_entries_than_a_token_can_tell_apart_are_refused() {
        assert!(check_indices([1, 4, 0, 2], 4).is_ok());
        let error = check_indices([1, 5, 0, 2], 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        assert!(error.to_string().contains("canonical writing numbers at most `4`"), "{error}");
        // The largest index that a token can contain.
        let largest = Mention::Attribute(PoolAttr::new(MOST as u32 - 1));
        assert_eq!(Token::new(largest).mention(), largest);
    }
}
