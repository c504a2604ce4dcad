//! The order in which operations mention what gets an alias.

use super::OpPrinter;
use crate::attr::text::alias::AliasBuilder;
use crate::dialect::entries::EntryRef;
use crate::file::FileEntries;
use crate::ir::body::{Body, NONE, OpDetail};
use crate::ir::{BodyId, OpId, Operation, RegionId};
use crate::props::{Property, PropertyValue};
use crate::wire::error::Result;
use crate::wire::order::sort_by;
use std::collections::HashSet;

/// Visits ops in the order in which the MLIR printer collects aliases: regions before types before
/// attributes.
pub(super) struct AliasWalk<'p, 'm, 'e> {
    pub(super) printer: &'p OpPrinter<'m, 'e>,
    pub(super) builder: &'p mut AliasBuilder<'e, FileEntries<'m>>,
    // Names, blobs and dictionaries of ops that were visited.
    pub(super) visited: HashSet<(u32, u32, u32)>,
    // Dictionaries all of whose values were visited.
    pub(super) dictionaries: HashSet<u32>,
    pub(super) inherent: Vec<Property<'m>>,
    pub(super) discardable: Vec<(u32, u32)>,
}

impl<'m> AliasWalk<'_, 'm, '_> {
    pub(super) fn op(&mut self, root: Operation<'m>) -> Result<()> {
        // Ops whose regions are still to visit: the body, the op, the next region.
        enum Step<'m> {
            Enter(BodyId, &'m Body, u32),
            Region(BodyId, &'m Body, u32),
            Block(BodyId, &'m Body, u32),
            Ops(BodyId, &'m Body, u32, u32),
            Leave(BodyId, &'m Body, u32),
        }
        let mut steps = vec![Step::Enter(root.body_id(), root.columns(), root.id().0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id, body, op) => {
                    if self.printer.options.locations {
                        self.builder.visit(EntryRef::Attribute(body.op_location[op as usize]), true);
                    }
                    let has_shown =
                        |detail: &&OpDetail| detail.regions > 0 && !self.printer.options.skip_regions;
                    let Some(detail) = body.detail(OpId(op)).filter(has_shown) else {
                        self.leave(id, body, op);
                        continue;
                    };
                    steps.push(Step::Leave(id, body, op));
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
                    steps.extend(regions.iter().rev().map(|&region| Step::Region(id, body, region)));
                }
                Step::Region(id, body, region) => {
                    let row = body.region(RegionId(region));
                    let blocks = &body.region_blocks[row.first_block as usize..][..row.blocks as usize];
                    steps.extend(blocks.iter().rev().map(|&block| Step::Block(id, body, block)));
                }
                Step::Block(id, body, block) => {
                    let row = &body.blocks[block as usize];
                    for argument in row.first_argument..row.first_argument + row.arguments {
                        self.builder.visit(EntryRef::Type(body.argument_type[argument as usize]), false);
                        let location = body.argument_location[argument as usize];
                        if self.printer.options.locations {
                            match location {
                                NONE => self.unknown_location()?,
                                location => self.builder.visit(EntryRef::Attribute(location), false),
                            }
                        }
                    }
                    steps.push(Step::Ops(id, body, row.first_op, row.ops));
                }
                Step::Ops(id, body, op, left) => {
                    if left > 0 {
                        steps.push(Step::Ops(id, body, body.end_of(OpId(op)).0, left - 1));
                        steps.push(Step::Enter(id, body, op));
                    }
                }
                Step::Leave(id, body, op) => self.leave(id, body, op),
            }
        }
        Ok(())
    }

    fn unknown_location(&mut self) -> Result<()> {
        match self.printer.module.unknown_location()? {
            Some(location) => self.builder.visit(EntryRef::Attribute(location.0), false),
            None => self.builder.visit_unknown_location(),
        }
        Ok(())
    }

    fn leave(&mut self, id: BodyId, body: &'m Body, op: u32) {
        for row in body.operand_rows(OpId(op)) {
            self.builder.visit(EntryRef::Type(body.type_of(body.operands[row as usize])), false);
        }
        for row in body.results(OpId(op)) {
            self.builder.visit(EntryRef::Type(body.result_type[row as usize]), false);
        }
        let (blob, dictionary) = (body.op_properties.get(op as usize), body.op_attributes.get(op as usize));
        if blob == NONE {
            if dictionary != NONE {
                self.builder.visit_dictionary(dictionary);
            }
            return;
        }
        if !self.visited.insert((body.op_name[op as usize], blob, dictionary)) {
            return;
        }
        let handle = Operation::new(self.printer.module, body, id, OpId(op));
        // Many ops may share one large dictionary.
        let dictionary = handle.attribute_dictionary().filter(|of| !self.dictionaries.contains(&of.0));
        let (name, blob) = (handle.name_id(), handle.properties());
        let (inherent, discardable) = (&mut self.inherent, &mut self.discardable);
        // Unreadable parts have no aliases; the printer reports them.
        if self.printer.reader.read_parts(name, blob, dictionary, inherent, discardable).is_err() {
            return;
        }
        self.dictionaries.extend(dictionary.map(|of| of.0));
        let file = self.printer.file;
        let mut values: Vec<(&[u8], u32)> = Vec::new();
        for property in &self.inherent {
            if let PropertyValue::Attribute(index) = property.value {
                values.push((property.name().as_bytes(), index));
            }
        }
        for &(name, value) in &self.discardable {
            values.push((crate::attr::text::entry::string_of(file, name).unwrap_or_default(), value));
        }
        sort_by(&mut values, |a, b| a.0.cmp(b.0));
        for (_, value) in values {
            self.builder.visit(EntryRef::Attribute(value), false);
        }
    }
}
