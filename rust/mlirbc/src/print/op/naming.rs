//! Names values of regions in custom assembly.

use super::OpPrinter;
use crate::attr::text::out::Out;
use crate::ir::body::{BlockRow, NONE};
use crate::ir::{BodyId, OpId, Operation, RegionId, ValueId};
use crate::print::operation_forms::OperationForms;
use crate::wire::error::Result;

impl<'m> OpPrinter<'m, '_> {
    /// Prints an op with the names that its values have in `root`.
    pub(super) fn custom_operation(
        &mut self,
        out: &mut Out<'_>,
        op: Operation<'m>,
        root: Operation<'m>,
    ) -> Result<()> {
        let mut path = vec![op];
        while *path.last().unwrap_or(&root) != root
            && let Some(parent) = path.last().and_then(Operation::parent)
        {
            path.push(parent);
        }
        path.reverse();
        let Some(first) = path.first() else { return Ok(()) };
        self.push_level(first.body_id(), first.columns())?;
        self.name_op(0, first.id().number());
        for pair in path.windows(2) {
            let &[outer, inner] = pair else { continue };
            let level = self.levels.len() - 1;
            let scopes = self.name_regions(level, outer.id().number())?;
            if let Some(custom) = &mut self.custom {
                custom.scopes.enter(scopes + inner.block().region().number());
            }
        }
        let level = self.levels.len() - 1;
        self.full_op(out, level, op.id().number())?;
        self.run(out)
    }

    /// Names the values of each region of an op, and decodes the body of an isolated one; returns the first
    /// scope.
    pub(super) fn name_regions(&mut self, level: usize, op: u32) -> Result<u32> {
        let body = self.levels[level].body;
        let Some(custom) = &self.custom else { return Ok(0) };
        let mark = custom.scopes.mark();
        let Some(detail) = body.detail(OpId::new(op)).filter(|detail| detail.regions > 0) else {
            return Ok(mark);
        };
        let (inner, regions) = if detail.is_isolated {
            let child = body.children[detail.first_region as usize].body;
            let child_body = self.module.body(child)?;
            self.push_level(child, child_body)?;
            (level + 1, &child_body.root_regions[..detail.regions as usize])
        } else {
            (level, &body.op_regions[detail.first_region as usize..][..detail.regions as usize])
        };
        let name = body.op_name[op as usize];
        let inputs = match &mut self.custom {
            Some(custom) => custom.input_count(&self.reader, self.levels[level].id, body, op),
            None => 0,
        };
        for (number, &region) in regions.iter().enumerate() {
            let mut first = Vec::new();
            if let Some(custom) = &mut self.custom {
                custom.scopes.begin_region();
                if number + 1 == regions.len() {
                    first = custom.first_arguments(&self.reader, self.levels[level].id, body, op);
                }
            }
            self.name_region(inner, region, (name, inputs), &first);
            if let Some(custom) = &mut self.custom {
                custom.scopes.end_region(regions.len() == 1);
                custom.charge()?;
            }
        }
        Ok(mark)
    }

    fn name_region(
        &mut self,
        level: usize,
        region: u32,
        (name, inputs): (u32, usize),
        first: &[Option<u32>],
    ) {
        let body = self.levels[level].body;
        let row = body.region(RegionId::new(region));
        let blocks = &body.region_blocks[row.first_block as usize..][..row.blocks as usize];
        // Names that an op suggests for arguments are assigned before all others.
        let Some(custom) = &mut self.custom else { return };
        if let Some(block_name) = custom.know(name).and_then(OperationForms::block_name) {
            self.levels[level].names.name_blocks(blocks, block_name);
        }
        for (number, &block) in blocks.iter().enumerate() {
            let block: &BlockRow = &body.blocks[block as usize];
            for place in 0..block.arguments {
                let suggested = first.get(place as usize).copied().flatten();
                let argument_name = match (number, suggested) {
                    (0, Some(suggested)) => suggested,
                    (0, None) => {
                        let r#type = body.argument_type[(block.first_argument + place) as usize];
                        custom.argument_name(name, place as usize, inputs, r#type)
                    }
                    _ => custom.scopes.number(),
                };
                self.levels[level].names.set_argument(block.first_argument + place, argument_name);
            }
            let mut op = block.first_op;
            let id: BodyId = self.levels[level].id;
            for _ in 0..block.ops {
                if body.result_start[op as usize + 1] > body.result_start[op as usize] {
                    let mut groups = Vec::new();
                    let results = custom.result_names(&self.reader, id, body, op, &mut groups);
                    self.levels[level].names.set_results(op, results, &groups);
                }
                op = body.end_of(OpId::new(op)).number();
            }
        }
    }

    /// Gives the arguments of the only region of an op the names of its operands.
    pub(super) fn name_arguments_as_operands(&mut self, level: usize, op: u32) {
        let body = self.levels[level].body;
        let Some(detail) = body.detail(OpId::new(op)).filter(|detail| detail.regions == 1) else { return };
        let names = &self.levels[level].names;
        let name_of = |value: &ValueId| match body.result_owner(value.row()).filter(|_| !value.is_argument())
        {
            Some(owner) => names.first_result(owner.number()),
            None => names.argument(value.row() as u32),
        };
        let rows = body.operand_rows(OpId::new(op));
        let operands = body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default();
        let operand_names: Vec<u32> = operands.iter().map(name_of).collect();
        let inner = level + usize::from(detail.is_isolated);
        let Some(inner_level) = self.levels.get_mut(inner) else { return };
        let region = match detail.is_isolated {
            true => inner_level.body.root_regions.first(),
            false => body.op_regions.get(detail.first_region as usize),
        };
        let Some(&region) = region else { return };
        let row = inner_level.body.region(RegionId::new(region));
        let Some(&block) = inner_level.body.region_blocks.get(row.first_block as usize) else { return };
        let block: &BlockRow = &inner_level.body.blocks[block as usize];
        for (argument, name) in
            (block.first_argument..block.first_argument + block.arguments).zip(operand_names)
        {
            inner_level.names.set_argument(argument, name);
        }
    }

    pub(super) fn name_op(&mut self, level: usize, op: u32) {
        let body = self.levels[level].body;
        let id = self.levels[level].id;
        let Some(custom) = &mut self.custom else { return };
        if op != NONE && !body.results(OpId::new(op)).is_empty() {
            let mut groups = Vec::new();
            let results = custom.result_names(&self.reader, id, body, op, &mut groups);
            self.levels[level].names.set_results(op, results, &groups);
        }
    }
}
