//! The generic form of operations: names, operands, successors, properties and types.

use super::{OpPrinter, PrintFrame};
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::attr::text::text_marks::MarkKind;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Field;
use crate::format::id::{AttrId, OpNameId};
use crate::ir::OpId;
use crate::ir::body::NONE;
use crate::print::plan::RegionStyle;
use crate::props::op_name::OperationName;
use crate::release::Llvm;
use crate::wire::error::Result;

impl OpPrinter<'_, '_> {
    pub(super) fn next_region(
        &mut self,
        out: &mut Out<'_>,
        level: usize,
        op: u32,
        number: u32,
        scopes: u32,
    ) -> Result<()> {
        let body = self.levels[level].body;
        let Some(detail) = body.detail(OpId::new(op)) else { return Ok(()) };
        if number == detail.regions {
            out.text(")");
            self.end_regions(level, scopes);
            self.tail(out, level, op);
            return Ok(());
        }
        if number > 0 {
            out.text(", ");
        }
        self.frames.push(PrintFrame::Op { level, op, next: number + 1, scopes });
        self.region(out, level, op, number, scopes + number, RegionStyle::GENERIC)
    }

    /// Prints an op up to its regions, or the whole op if it has no regions.
    pub(super) fn full_op(&mut self, out: &mut Out<'_>, level: usize, op: u32) -> Result<()> {
        let body = self.levels[level].body;
        let is_inline = self.is_inline;
        let mut scopes_of_regions = 0;
        if !is_inline {
            if self.custom.is_some() {
                scopes_of_regions = self.name_regions(level, op)?;
            }
            out.indent(self.indent);
            out.mark(MarkKind::Begin, out.position(), self.levels[level].id.number(), op);
            if !body.results(OpId::new(op)).is_empty() {
                let scopes = self.custom.as_ref().map(|custom| &custom.scopes);
                self.levels[level].names.write_results(out, body, op, scopes);
            }
        }
        if !is_inline && self.custom.is_some() && self.custom_op(out, level, op, scopes_of_regions, false)? {
            return Ok(());
        }
        let name = body.op_name[op as usize];
        match self.op_names.get(name as usize) {
            Some(text) if !text.is_empty() => out.bytes(text),
            _ => match self.module.op_name(OpNameId::new(name)) {
                Some(name) => write_op_name(&mut out.buffer, &name, self.style),
                None => out.text("\"\""),
            },
        }
        out.text("(");
        let scopes = self.custom.as_ref().map(|custom| &custom.scopes);
        let names = &self.levels[level].names;
        for row in body.operand_rows(OpId::new(op)) {
            if row > body.operand_start[op as usize] {
                out.text(", ");
            }
            names.write(out, body, body.operands[row as usize], scopes);
        }
        out.text(")");
        let detail = body.detail(OpId::new(op));
        if let Some(detail) = detail.filter(|detail| detail.successors > 0) {
            out.text("[");
            let successors =
                &body.successors[detail.first_successor as usize..][..detail.successors as usize];
            for (number, block) in successors.iter().enumerate() {
                out.text(if number > 0 { ", ^bb" } else { "^bb" });
                out.number(*block);
            }
            out.text("]");
        }
        self.properties(out, level, op)?;
        match detail.filter(|detail| detail.regions > 0) {
            Some(_) => {
                out.text(" (");
                self.frames.push(PrintFrame::Op { level, op, next: 0, scopes: scopes_of_regions });
            }
            None => self.tail(out, level, op),
        }
        Ok(())
    }

    /// Prints the part after the regions.
    pub(super) fn tail(&mut self, out: &mut Out<'_>, level: usize, op: u32) {
        let body = self.levels[level].body;
        let attributes = body.op_attributes.get(op as usize);
        if self.tails.last() == Some(&(level, op)) {
            self.tails.pop();
            self.rest(out, level, op);
        } else if attributes != NONE && self.has_entries(AttrId::new(attributes)) {
            out.text(" ");
            self.entries.op_dictionary(out, AttrId::new(attributes));
        }
        out.text(" : (");
        for row in body.operand_rows(OpId::new(op)) {
            if row > body.operand_start[op as usize] {
                out.text(", ");
            }
            self.entries.r#type(out, body.type_of(body.operands[row as usize]));
        }
        out.text(") -> ");
        let results = &body.result_type
            [body.results(OpId::new(op)).start as usize..body.results(OpId::new(op)).end as usize];
        match *results {
            [only] if !self.entries.needs_parentheses(only) => self.entries.r#type(out, only),
            _ => {
                out.text("(");
                for (number, &r#type) in results.iter().enumerate() {
                    if number > 0 {
                        out.text(", ");
                    }
                    self.entries.r#type(out, r#type);
                }
                out.text(")");
            }
        }
        self.end_op(out, level, op);
    }

    /// Prints the location and the end of the line.
    pub(super) fn end_op(&mut self, out: &mut Out<'_>, level: usize, op: u32) {
        if self.is_inline {
            return;
        }
        if self.options.locations {
            let location = self.levels[level].body.op_location[op as usize];
            self.entries.trailing_location(out, AttrId::new(location), true);
        }
        out.mark(MarkKind::End, out.position(), self.levels[level].id.number(), op);
        if !self.frames.is_empty() {
            out.text("\n");
        }
    }

    // Returns whether a dictionary has any entries.
    pub(super) fn has_entries(&mut self, index: AttrId) -> bool {
        let attribute = EntryRef::Attribute(index);
        if self.entries.has_text(attribute) {
            return true;
        }
        let mut node = std::mem::take(&mut self.node);
        let decoded = self.file.entry(attribute).map(|entry| entry.decode(attribute, self.file, &mut node));
        let is_empty = matches!(decoded, Some(Ok(Some(_)))) && node.field(0) == Field::List(0);
        self.node = node;
        !is_empty
    }
}

pub(super) fn write_op_name(out: &mut Vec<u8>, name: &OperationName<'_>, style: Llvm) {
    out.push(b'"');
    escape::write_escaped(out, name.dialect);
    if !name.stem.is_empty() || style.ends_bare_names_with_dot() {
        out.push(b'.');
    }
    escape::write_escaped(out, name.stem);
    out.push(b'"');
}
