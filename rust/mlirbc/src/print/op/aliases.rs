//! The order in which operations mention entries that get an alias.

use super::OpPrinter;
use crate::attr::text::alias::AliasBuilder;
use crate::dialect::entries::EntryRef;
use crate::file::FileEntries;
use crate::format::id::AttrId;
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::{BodyId, OpId, Operation, RegionId};
use crate::print::custom::Custom;
use crate::print::draft::Regions;
use crate::print::plan::{PlanPiece, RegionStyle};
use crate::props::{Property, PropertyValue};
use crate::wire::error::Result;
use crate::wire::order::sort_by;
use std::collections::HashSet;

/// Visits ops in the order in which the MLIR printer collects aliases: regions before types before
/// attributes.
pub(super) struct AliasWalk<'p, 'm, 'e> {
    // Creates the pieces of ops that are printed in custom form.
    pub(super) custom: Option<&'p mut Custom<'m, 'e>>,
    pub(super) printer: &'p OpPrinter<'m, 'e>,
    pub(super) builder: &'p mut AliasBuilder<'e, FileEntries<'m>>,
    // Names, blobs and dictionaries of visited ops.
    pub(super) visited: HashSet<(u32, u32, u32)>,
    // Dictionaries whose values were all visited.
    pub(super) dictionaries: HashSet<u32>,
    pub(super) inherent: Vec<Property<'m>>,
    pub(super) discardable: Vec<(u32, u32)>,
}

impl<'m> AliasWalk<'_, 'm, '_> {
    pub(super) fn op(&mut self, root: Operation<'m>) -> Result<()> {
        // Pending work: ops with the next region or piece to visit.
        enum PendingVisit<'m> {
            Enter(BodyId, &'m Body, u32),
            Region(BodyId, &'m Body, u32, RegionStyle),
            Block(BodyId, &'m Body, u32, RegionStyle),
            Pieces(BodyId, &'m Body, u32, Box<[PlanPiece]>, usize),
            Ops(BodyId, &'m Body, u32, u32),
            Leave(BodyId, &'m Body, u32),
        }
        let mut pending = vec![PendingVisit::Enter(root.body_id(), root.columns(), root.id().number())];
        while let Some(step) = pending.pop() {
            match step {
                PendingVisit::Enter(id, body, op) => {
                    if self.printer.options.locations {
                        self.builder
                            .visit(EntryRef::Attribute(AttrId::new(body.op_location[op as usize])), true);
                    }
                    if let Some(pieces) = self.pieces(id, body, op)? {
                        pending.push(PendingVisit::Pieces(id, body, op, pieces, 0));
                        continue;
                    }
                    let has_shown =
                        |detail: &&OpDetail| detail.regions > 0 && !self.printer.options.skip_regions;
                    let Some(detail) = body.detail(OpId::new(op)).filter(has_shown) else {
                        self.leave(id, body, op);
                        continue;
                    };
                    pending.push(PendingVisit::Leave(id, body, op));
                    let (id, body, regions) = if detail.is_isolated {
                        let id = body.children[detail.first_region as usize].body;
                        let child = self.printer.module.body(id)?;
                        (id, child, &child.root_regions[..detail.regions as usize])
                    } else {
                        (
                            id,
                            body,
                            &body.op_regions[detail.first_region as usize..][..detail.regions as usize],
                        )
                    };
                    let style = RegionStyle::GENERIC;
                    pending.extend(
                        regions.iter().rev().map(|&region| PendingVisit::Region(id, body, region, style)),
                    );
                }
                PendingVisit::Pieces(id, body, op, pieces, next) => {
                    let stop = self.visit_pieces(body, op, &pieces, next)?;
                    let Some((place, inner, style)) = stop else { continue };
                    let piece = pieces.get(place).copied();
                    pending.push(PendingVisit::Pieces(id, body, op, pieces, place + 1));
                    let Some(detail) = body.detail(OpId::new(op)) else { continue };
                    let inner_id = match detail.is_isolated {
                        true => body.children[detail.first_region as usize].body,
                        false => id,
                    };
                    match piece {
                        Some(PlanPiece::Region(number, _)) if !self.printer.options.skip_regions => {
                            if let Some(&region) = inner.rows.get(number as usize) {
                                pending.push(PendingVisit::Region(inner_id, inner.body, region, style));
                            }
                        }
                        Some(PlanPiece::Inline(row) | PlanPiece::InlineGeneric(row)) => {
                            pending.push(PendingVisit::Enter(inner_id, inner.body, row))
                        }
                        _ => {}
                    }
                }
                PendingVisit::Region(id, body, region, style) => {
                    let row = body.region(RegionId::new(region));
                    let blocks = &body.region_blocks[row.first_block as usize..][..row.blocks as usize];
                    let style_of = |place: usize| if place == 0 { style } else { RegionStyle::FULL };
                    let steps_of_blocks = blocks.iter().enumerate().rev();
                    pending.extend(
                        steps_of_blocks
                            .map(|(place, &block)| PendingVisit::Block(id, body, block, style_of(place))),
                    );
                }
                PendingVisit::Block(id, body, block, style) => {
                    let row = &body.blocks[block as usize];
                    let shown = if style.has_arguments { row.arguments } else { 0 };
                    for argument in row.first_argument..row.first_argument + shown {
                        self.builder.visit(EntryRef::Type(body.argument_type[argument as usize]), false);
                        let location = body.argument_location[argument as usize];
                        if self.printer.options.locations {
                            match location {
                                NONE => self.unknown_location()?,
                                location => {
                                    self.builder.visit(EntryRef::Attribute(AttrId::new(location)), false)
                                }
                            }
                        }
                    }
                    let ops = if style.has_terminator { row.ops } else { row.ops.saturating_sub(1) };
                    pending.push(PendingVisit::Ops(id, body, row.first_op, ops));
                }
                PendingVisit::Ops(id, body, op, left) => {
                    if left > 0 {
                        pending.push(PendingVisit::Ops(
                            id,
                            body,
                            body.end_of(OpId::new(op)).number(),
                            left - 1,
                        ));
                        pending.push(PendingVisit::Enter(id, body, op));
                    }
                }
                PendingVisit::Leave(id, body, op) => self.leave(id, body, op),
            }
        }
        Ok(())
    }

    // Returns the pieces of an op that is printed in custom form.
    fn pieces(&mut self, id: BodyId, body: &'m Body, op: u32) -> Result<Option<Box<[PlanPiece]>>> {
        let Some(custom) = &mut self.custom else { return Ok(None) };
        // Another op of the same shape mentioned the same entries.
        if custom.shapes.find(body, op).is_some_and(|place| custom.shapes.is_custom(place)) {
            return Ok(Some(Box::default()));
        }
        let Some(mark) = custom.draft(&self.printer.reader, id, body, op)? else { return Ok(None) };
        let pieces = custom.plan.pieces.get(mark.0 as usize..).unwrap_or_default();
        let is_visited = |piece: &&PlanPiece| {
            !matches!(
                piece,
                PlanPiece::Text(..) | PlanPiece::Value(_) | PlanPiece::Operand(_) | PlanPiece::Newline
            )
        };
        let visited: Box<[PlanPiece]> = pieces.iter().filter(is_visited).copied().collect();
        custom.plan.rewind(mark);
        Ok(Some(visited))
    }

    // Visits pieces up to one that has operations; returns its position, the regions of the op, and the
    // printed part.
    fn visit_pieces(
        &mut self,
        body: &'m Body,
        op: u32,
        pieces: &[PlanPiece],
        next: usize,
    ) -> Result<Option<(usize, Regions<'m>, RegionStyle)>> {
        for (place, piece) in pieces.iter().enumerate().skip(next) {
            match *piece {
                PlanPiece::Type(index) | PlanPiece::StrippedType(index, _) => {
                    self.builder.visit(EntryRef::Type(index), false);
                }
                PlanPiece::Attribute(index)
                | PlanPiece::Untyped(index)
                | PlanPiece::Stripped(index, _)
                | PlanPiece::StrippedAndTrimmed(index, _)
                | PlanPiece::Array(index)
                | PlanPiece::Named(_, _, index) => self.builder.visit(EntryRef::Attribute(index), false),
                PlanPiece::ArgumentLocation(row) => {
                    let inner = Regions::of(self.printer.module, body, op).map(|regions| regions.body);
                    match inner.and_then(|body| body.argument_location.get(row as usize)).copied() {
                        None | Some(NONE) => self.unknown_location()?,
                        Some(location) => {
                            self.builder.visit(EntryRef::Attribute(AttrId::new(location)), false)
                        }
                    }
                }
                PlanPiece::Region(_, style) => {
                    let regions = Regions::of(self.printer.module, body, op);
                    return Ok(regions.map(|regions| (place, regions, style)));
                }
                PlanPiece::Inline(_) | PlanPiece::InlineGeneric(_) => {
                    let regions = Regions::of(self.printer.module, body, op);
                    return Ok(regions.map(|regions| (place, regions, RegionStyle::FULL)));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn unknown_location(&mut self) -> Result<()> {
        match self.printer.module.tables().unknown_location()? {
            Some(location) => self.builder.visit(EntryRef::Attribute(location), false),
            None => self.builder.visit_unknown_location(),
        }
        Ok(())
    }

    fn leave(&mut self, id: BodyId, body: &'m Body, op: u32) {
        for row in body.operand_rows(OpId::new(op)) {
            self.builder.visit(EntryRef::Type(body.type_of(body.operands[row as usize])), false);
        }
        for row in body.results(OpId::new(op)) {
            self.builder.visit(EntryRef::Type(body.result_type[row as usize]), false);
        }
        let (blob, dictionary) = (body.op_properties.get(op as usize), body.op_attributes.get(op as usize));
        if blob == NONE {
            if dictionary != NONE {
                self.builder.visit_dictionary(AttrId::new(dictionary));
            }
            return;
        }
        if !self.visited.insert((body.op_name[op as usize], blob, dictionary)) {
            return;
        }
        let handle = Operation::new(self.printer.module, body, id, OpId::new(op));
        // Several ops may share one large dictionary.
        let dictionary = handle.attribute_dictionary().filter(|of| !self.dictionaries.contains(&of.number()));
        let (name, blob) = (handle.name_id(), handle.properties());
        let (inherent, discardable) = (&mut self.inherent, &mut self.discardable);
        // Unreadable parts have no aliases; the printer reports them.
        if self.printer.reader.read_parts(name, blob, dictionary, inherent, discardable).is_err() {
            return;
        }
        self.dictionaries.extend(dictionary.map(|of| of.number()));
        let file = self.printer.file;
        let mut values: Vec<(&[u8], u32)> = Vec::new();
        for property in &self.inherent {
            if let PropertyValue::Attribute(index) = property.value {
                values.push((property.name().as_bytes(), index.number()));
            }
        }
        for &(name, value) in &self.discardable {
            values.push((
                crate::attr::text::entry::string_of(file, AttrId::new(name)).unwrap_or_default(),
                value,
            ));
        }
        sort_by(&mut values, |a, b| a.0.cmp(b.0));
        for (_, value) in values {
            self.builder.visit(EntryRef::Attribute(AttrId::new(value)), false);
        }
    }
}
