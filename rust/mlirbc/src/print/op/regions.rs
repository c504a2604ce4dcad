//! Prints regions and blocks.

use super::{OpPrinter, PrintFrame};
use crate::attr::text::out::Out;
use crate::format::id::AttrId;
use crate::ir::body::NONE;
use crate::ir::{OpId, RegionId};
use crate::print::plan::RegionStyle;
use crate::wire::error::Result;

impl OpPrinter<'_, '_> {
    /// Prints a region up to its first op.
    pub(super) fn region(
        &mut self,
        out: &mut Out<'_>,
        level: usize,
        op: u32,
        number: u32,
        scope: u32,
        style: RegionStyle,
    ) -> Result<()> {
        if self.options.skip_regions {
            out.text("{...}");
            return Ok(());
        }
        let body = self.levels[level].body;
        let Some(detail) = body.detail(OpId::new(op)) else { return Ok(()) };
        out.text("{\n");
        let (level, region) = if detail.is_isolated {
            let child = body.children[detail.first_region as usize].body;
            let child_body = self.module.body(child)?;
            // All regions of an isolated op are in one body.
            if self.levels.len() == level + 1 {
                self.push_level(child, child_body)?;
            }
            (level + 1, child_body.root_regions[number as usize])
        } else {
            (level, body.op_regions[(detail.first_region + number) as usize])
        };
        if let Some(custom) = &mut self.custom {
            // The parser has no default dialect inside an op in generic form.
            let is_generic = style == RegionStyle::GENERIC;
            let dialect = if is_generic { "" } else { custom.default_dialect(body.op_name[op as usize]) };
            custom.dialects.push(dialect);
            custom.scopes.enter(scope);
        }
        self.next_block(out, level, region, 0, scope, style);
        Ok(())
    }

    /// Ends the last region of an op, whose body and names are no longer needed.
    pub(super) fn end_regions(&mut self, level: usize, scopes: u32) {
        self.levels.truncate(level + 1);
        if let Some(custom) = &mut self.custom {
            custom.scopes.forget(scopes);
        }
    }

    pub(super) fn next_block(
        &mut self,
        out: &mut Out<'_>,
        level: usize,
        region: u32,
        number: u32,
        scope: u32,
        style: RegionStyle,
    ) {
        if number > 0 {
            self.indent -= 2;
        }
        let body = self.levels[level].body;
        let row = body.region(RegionId::new(region));
        if number == row.blocks {
            out.indent(self.indent);
            out.text("}");
            if let Some(custom) = &mut self.custom {
                custom.dialects.pop();
                custom.scopes.leave(scope);
            }
            return;
        }
        let id = body.region_blocks[(row.first_block + number) as usize];
        let block = &body.blocks[id as usize];
        let is_shown = block.ops == 0 && style.has_empty_block || block.arguments > 0 && style.has_arguments;
        if number > 0 || is_shown {
            self.block_head(out, level, id);
        }
        self.indent += 2;
        let (op, mut ops_left) = (block.first_op, block.ops);
        if number == 0 && !style.has_terminator {
            ops_left = ops_left.saturating_sub(1);
        }
        let sections = self.sections(level, op, ops_left);
        if !sections.is_empty() {
            ops_left = 0;
        }
        self.frames.push(PrintFrame::Region { level, region, next_block: number + 1, op, ops_left, scope });
        if !sections.is_empty() {
            self.frames.push(PrintFrame::Sections { level, sections });
        }
    }

    pub(super) fn block_head(&mut self, out: &mut Out<'_>, level: usize, id: u32) {
        let body = self.levels[level].body;
        let block = &body.blocks[id as usize];
        out.indent(self.indent);
        match self.levels[level].names.block(id) {
            Some(name) => {
                out.text("^");
                out.text(name);
            }
            None => {
                out.text("^bb");
                out.number(block.number);
            }
        }
        if block.arguments > 0 {
            out.text("(");
            for row in block.first_argument..block.first_argument + block.arguments {
                if row > block.first_argument {
                    out.text(", ");
                }
                let scopes = self.custom.as_ref().map(|custom| &custom.scopes);
                self.levels[level].names.write_argument(out, body, row, scopes);
                out.text(": ");
                self.entries.r#type(out, body.argument_type[row as usize]);
                if self.options.locations {
                    match body.argument_location[row as usize] {
                        NONE => out.text(" loc(unknown)"),
                        // MLIR prints no location aliases here.
                        location => self.entries.trailing_location(out, AttrId::new(location), false),
                    }
                }
            }
            out.text(")");
        }
        out.text(":");
        match self.levels[level].predecessors.get(id as usize).map_or(&[][..], Vec::as_slice) {
            [] if block.number == 0 => {}
            [] => out.text("  // no predecessors"),
            [only] => {
                out.text("  // pred: ^bb");
                out.number(*only);
            }
            several => {
                out.text("  // ");
                out.number(several.len());
                out.text(" preds: ");
                for (number, block) in several.iter().enumerate() {
                    out.text(if number > 0 { ", ^bb" } else { "^bb" });
                    out.number(*block);
                }
            }
        }
        out.text("\n");
    }
}
