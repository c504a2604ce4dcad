//! Writes operations in custom form, piece by piece.

use super::{Level, OpPrinter, PrintFrame};
use crate::attr::text::entry::Elide;
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::format::id::AttrId;
use crate::ir::OpId;
use crate::ir::body::NONE;
use crate::print::names::Names;
use crate::print::plan::{NamedValue, PlanPiece};
use crate::print::shapes::{Gapped, LONGEST_TEXT};
use crate::print::syntax::stripped;
use crate::wire::error::Result;

impl OpPrinter<'_, '_> {
    /// Prints an op in custom form; returns `false`, without writing anything, if it has no custom form.
    pub(super) fn custom_op(
        &mut self,
        out: &mut Out<'_>,
        level: usize,
        op: u32,
        scopes: u32,
        is_inline: bool,
    ) -> Result<bool> {
        let (body, id) = (self.levels[level].body, self.levels[level].id);
        let Some(custom) = &mut self.custom else { return Ok(false) };
        if let Some(place) = custom.shapes.find(body, op) {
            if !custom.shapes.is_custom(place) {
                custom.note_remark_of(place, id, body, op);
                return Ok(false);
            }
            if custom.shapes.is_new(place) {
                self.make_text(out, level, op, place)?;
            }
            if self.write_shape(out, level, op, place) {
                if !is_inline {
                    self.end_op(out, level, op);
                }
                return Ok(true);
            }
        }
        let Some(custom) = &mut self.custom else { return Ok(false) };
        let drafted = custom.draft(&self.reader, id, body, op)?;
        custom.note_remark(id, body, op);
        let Some(mark) = drafted else { return Ok(false) };
        let prefix = custom.prefix_len(custom.name(body, op).as_bytes()) as u32;
        if let Some(PlanPiece::Text(start, _)) = custom.plan.pieces.get_mut(mark.0 as usize) {
            *start += prefix;
        }
        if is_inline {
            // An op without regions: all pieces are written at once.
            let end = custom.plan.pieces.len() as u32;
            let mut place = mark.0;
            while place < end {
                self.piece(out, level, op, place);
                let piece =
                    self.custom.as_ref().and_then(|custom| custom.plan.pieces.get(place as usize).copied());
                place += 1 + piece.map_or(0, |piece| self.skipped(piece, level, op));
            }
            if let Some(custom) = &mut self.custom {
                custom.plan.rewind(mark);
            }
            return Ok(true);
        }
        if custom.name(body, op) == "emitc.expression" {
            self.name_arguments_as_operands(level, op);
        }
        self.pieces(out, level, op, mark.0, mark, scopes)?;
        Ok(true)
    }

    /// Writes pieces up to the next region, or to the end of the op.
    pub(super) fn pieces(
        &mut self,
        out: &mut Out<'_>,
        level: usize,
        op: u32,
        mut next: u32,
        mark: (u32, u32),
        scopes: u32,
    ) -> Result<()> {
        loop {
            let piece =
                self.custom.as_ref().and_then(|custom| custom.plan.pieces.get(next as usize).copied());
            let place = next;
            next += 1;
            match piece {
                Some(PlanPiece::Region(number, style)) => {
                    self.frames.push(PrintFrame::Pieces { level, op, next, mark, scopes });
                    return self.region(out, level, op, number, scopes + number, style);
                }
                Some(PlanPiece::Inline(inner)) => {
                    let inner_level = self.level_of_regions(level, op);
                    self.inline_op(out, inner_level, inner)?;
                }
                Some(PlanPiece::InlineGeneric(inner)) => {
                    let inner_level = self.level_of_regions(level, op);
                    self.inline_generic_op(out, inner_level, inner)?;
                }
                Some(piece @ (PlanPiece::UnlessNamed { .. } | PlanPiece::Skip(_))) => {
                    next += self.skipped(piece, level, op);
                }
                Some(_) => self.piece(out, level, op, place),
                None => {
                    if let Some(custom) = &mut self.custom {
                        custom.plan.rewind(mark);
                    }
                    self.end_regions(level, scopes);
                    self.end_op(out, level, op);
                    return Ok(());
                }
            }
            out.flush_if_large();
            if out.has_failed() {
                return Ok(());
            }
        }
    }

    // Writes an op of a shape whose text is cached.
    fn write_shape(&mut self, out: &mut Out<'_>, level: usize, op: u32, place: usize) -> bool {
        let Level { body, id, .. } = self.levels[level];
        let Some(custom) = &mut self.custom else { return false };
        custom.note_remark_of(place, id, body, op);
        let custom = &*custom;
        let Some(shape) = custom.shapes.text(place) else { return false };
        let operands = body.operand_rows(OpId::new(op)).start;
        let names = &self.levels[level].names;
        let default = custom.dialects.last().copied().unwrap_or_default().as_bytes();
        let is_default =
            default.len() == shape.dialect as usize && !default.is_empty() && shape.text.starts_with(default);
        let mut start = if is_default { default.len() + 1 } else { 0 };
        for &(end, number) in &shape.gaps {
            out.bytes(shape.text.get(start..end as usize).unwrap_or_default());
            if let Some(&value) = body.operands.get((operands + number) as usize) {
                names.write(out, body, value, Some(&custom.scopes));
            }
            start = end as usize;
        }
        out.bytes(shape.text.get(start..).unwrap_or_default());
        true
    }

    // Creates the text of the ops of a shape.
    fn make_text(&mut self, out: &Out<'_>, level: usize, op: u32, place: usize) -> Result<()> {
        let Some(custom) = &mut self.custom else { return Ok(()) };
        let mark = custom.plan.mark();
        if custom.shapes.add(place, &mut custom.plan).is_none() {
            return Ok(());
        }
        let pieces = mark.0..custom.plan.mark().0;
        let mut text = out.excerpt_beside(LONGEST_TEXT as u64);
        let mut gaps = Vec::new();
        let faults = self.entries.faults.len();
        for piece in pieces {
            let kind = self.custom.as_ref().and_then(|custom| custom.plan.pieces.get(piece as usize));
            match kind {
                Some(&PlanPiece::Operand(number)) => gaps.push((text.buffer.len() as u32, number)),
                _ => self.piece(&mut text, level, op, piece),
            }
            if text.has_enough() {
                break;
            }
        }
        // The first faults are all reported at their position.
        let is_kept = !text.has_enough() && self.entries.faults.len() == faults;
        self.entries.faults.truncate(faults);
        if let Some(custom) = &mut self.custom {
            custom.plan.rewind(mark);
            let name = custom.name(self.levels[level].body, op);
            let dialect = name.split_once('.').filter(|(_, rest)| !rest.contains('.'));
            let dialect = dialect.map_or(0, |(dialect, _)| dialect.len() as u32);
            let cached = is_kept.then(|| Gapped { dialect, text: text.buffer.into(), gaps: gaps.into() });
            custom.shapes.set_text(place, cached);
            custom.charge()?;
        }
        Ok(())
    }

    // How many pieces after this one are not written.
    fn skipped(&self, piece: PlanPiece, level: usize, op: u32) -> u32 {
        let Some(custom) = &self.custom else { return 0 };
        let PlanPiece::UnlessNamed { value, start, len, skip } = piece else {
            return if let PlanPiece::Skip(skip) = piece { skip } else { 0 };
        };
        let name = custom.plan.range(start, start + u32::from(len));
        let printed = match value {
            NamedValue::FirstResult => self.levels[level].names.first_result(op),
            NamedValue::Argument(row) => self.levels[self.level_of_regions(level, op)].names.argument(row),
        };
        let is_same = Names::is_printed_as(printed, name, &custom.scopes);
        if is_same { u32::from(skip) } else { 0 }
    }

    fn operand(&self, out: &mut Out<'_>, level: usize, op: u32, number: u32) {
        let Level { body, ref names, .. } = self.levels[level];
        let row = body.operand_rows(OpId::new(op)).start + number;
        if let Some(&value) = body.operands.get(row as usize) {
            names.write(out, body, value, self.custom.as_ref().map(|custom| &custom.scopes));
        }
    }

    fn level_of_regions(&self, level: usize, op: u32) -> usize {
        let body = self.levels[level].body;
        level + usize::from(body.detail(OpId::new(op)).is_some_and(|detail| detail.is_isolated))
    }

    fn inline_op(&mut self, out: &mut Out<'_>, level: usize, op: u32) -> Result<()> {
        match self.custom_op(out, level, op, 0, true)? {
            true => Ok(()),
            false => self.inline_generic_op(out, level, op),
        }
    }

    fn inline_generic_op(&mut self, out: &mut Out<'_>, level: usize, op: u32) -> Result<()> {
        // An op without regions is written at once.
        self.is_inline = true;
        self.full_op(out, level, op)?;
        self.is_inline = false;
        Ok(())
    }

    fn piece(&mut self, out: &mut Out<'_>, level: usize, op: u32, place: u32) {
        let Some(custom) = &self.custom else { return };
        let Some(&piece) = custom.plan.pieces.get(place as usize) else { return };
        match piece {
            PlanPiece::Text(start, end) => out.bytes(custom.plan.range(start, end)),
            PlanPiece::Value(value) => {
                let names = &self.levels[level].names;
                names.write(out, self.levels[level].body, value, Some(&custom.scopes));
            }
            PlanPiece::Operand(number) => self.operand(out, level, op, number),
            PlanPiece::Type(index) => self.entries.r#type(out, index),
            PlanPiece::StrippedType(index, prefix) => {
                let mut text = out.beside();
                self.entries.r#type(&mut text, index);
                out.bytes(stripped(&text.buffer, prefix as usize));
            }
            PlanPiece::Attribute(index) => self.entries.attribute(out, index, Elide::Never),
            PlanPiece::Untyped(index) => self.entries.attribute_without_type(out, index),
            PlanPiece::Stripped(index, prefix) | PlanPiece::StrippedAndTrimmed(index, prefix) => {
                let mut text = out.beside();
                self.entries.attribute(&mut text, index, Elide::Never);
                let body = stripped(&text.buffer, prefix as usize);
                let trimmed =
                    body.strip_prefix(b" ").filter(|_| matches!(piece, PlanPiece::StrippedAndTrimmed(..)));
                out.bytes(trimmed.unwrap_or(body));
            }
            PlanPiece::Array(index) => self.entries.array_as_list(out, index),
            PlanPiece::Named(start, end, value) | PlanPiece::NamedUnaliased(start, end, value) => {
                let name = custom.plan.range(start, end);
                escape::write_keyword_or_string(&mut out.buffer, name);
                self.entries.value_of_named(out, value);
            }
            PlanPiece::Argument(row) => {
                let level = self.level_of_regions(level, op);
                let names = &self.levels[level].names;
                names.write_argument(out, self.levels[level].body, row, Some(&custom.scopes));
            }
            PlanPiece::ArgumentLocation(row) => {
                let body = self.levels[self.level_of_regions(level, op)].body;
                match body.argument_location.get(row as usize).copied().unwrap_or(NONE) {
                    NONE => out.text(" loc(unknown)"),
                    location => self.entries.trailing_location(out, AttrId::new(location), false),
                }
            }
            PlanPiece::Newline => {
                out.text("\n");
                out.indent(self.indent);
            }
            PlanPiece::Indent => self.indent += 2,
            PlanPiece::Dedent => self.indent -= 2,
            // Whoever writes the pieces decides about these.
            PlanPiece::Region(..)
            | PlanPiece::Inline(_)
            | PlanPiece::InlineGeneric(_)
            | PlanPiece::UnlessNamed { .. }
            | PlanPiece::Skip(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};
    use crate::print::PrintOptions;

    #[test]
    fn a_long_constant_is_printed_in_full_each_time() {
        let elements: Vec<String> = (0..400).map(|element| element.to_string()).collect();
        let function = |name: &str| {
            format!(
                "  func.func @{name}() -> tensor<400xi64> {{\n    %cst = arith.constant dense<[{}]> : tensor<400xi64>\n    \
                 return %cst : tensor<400xi64>\n  }}\n",
                elements.join(", ")
            )
        };
        let text = format!("module {{\n{}{}{}}}\n", function("f"), function("g"), function("h"));
        let options =
            ParseOptions { target: crate::release::Release::named("llvm-22"), ..ParseOptions::default() };
        let module = parse(text.as_bytes(), &options).unwrap();
        let mut printed = Vec::new();
        module.print(&mut printed, &PrintOptions::default()).unwrap();
        let hexadecimal = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            text.split("dense<")
                .skip(1)
                .map(|rest| rest.split('>').next().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let literals = hexadecimal(&printed);
        // Quotes, `0x`, and two digits for each byte.
        assert_eq!(literals.iter().map(String::len).collect::<Vec<_>>(), [2 + 2 + 400 * 8 * 2; 3]);
        assert!(literals.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
