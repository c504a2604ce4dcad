//! Operations in custom form, piece by piece.

use super::{Frame, OpPrinter};
use crate::attr::text::entry::Elide;
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::ir::body::NONE;
use crate::ir::{OpId, ValueId};
use crate::print::custom::plan::Piece;
use crate::print::custom::{array_as_list, stripped};
use crate::wire::error::Result;

impl OpPrinter<'_, '_> {
    /// Prints an op in custom form; `false` if it has none and nothing was written.
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
        let Some(mark) = custom.draft(&self.reader, id, body, op)? else { return Ok(false) };
        custom.note_omission(id, body, op);
        let prefix = custom.prefix_len(custom.name(body, op).as_bytes()) as u32;
        if let Some(Piece::Text(start, _)) = custom.plan.pieces.get_mut(mark.0 as usize) {
            *start += prefix;
        }
        if is_inline {
            // It has no regions: its pieces are written at once.
            let end = custom.plan.pieces.len() as u32;
            for place in mark.0..end {
                self.piece(out, level, op, place);
            }
            if let Some(custom) = &mut self.custom {
                custom.plan.rewind(mark);
            }
            return Ok(true);
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
                Some(Piece::Region(number, style)) => {
                    self.frames.push(Frame::Pieces { level, op, next, mark, scopes });
                    return self.region(out, level, op, number, scopes + number, style);
                }
                Some(Piece::Inline(inner)) => {
                    let inner_level = self.level_of_regions(level, op);
                    self.inline_op(out, inner_level, inner)?;
                }
                Some(Piece::InlineGeneric(inner)) => {
                    let inner_level = self.level_of_regions(level, op);
                    self.inline_generic_op(out, inner_level, inner)?;
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

    fn level_of_regions(&self, level: usize, op: u32) -> usize {
        let body = self.levels[level].body;
        level + usize::from(body.detail(OpId(op)).is_some_and(|detail| detail.is_isolated))
    }

    fn inline_op(&mut self, out: &mut Out<'_>, level: usize, op: u32) -> Result<()> {
        match self.custom_op(out, level, op, 0, true)? {
            true => Ok(()),
            false => self.inline_generic_op(out, level, op),
        }
    }

    fn inline_generic_op(&mut self, out: &mut Out<'_>, level: usize, op: u32) -> Result<()> {
        // It has no regions, so all of it is written at once.
        self.is_inline = true;
        self.full_op(out, level, op)?;
        self.is_inline = false;
        Ok(())
    }

    fn piece(&mut self, out: &mut Out<'_>, level: usize, op: u32, place: u32) {
        let Some(custom) = &self.custom else { return };
        let Some(&piece) = custom.plan.pieces.get(place as usize) else { return };
        match piece {
            Piece::Text(start, end) => out.bytes(custom.plan.range(start, end)),
            Piece::Value(value) => {
                let names = &self.levels[level].names;
                names.write(out, self.levels[level].body, value, Some(&custom.scopes));
            }
            Piece::Type(index) => self.entries.r#type(out, index),
            Piece::StrippedType(index, prefix) => {
                let mut text = Out::memory();
                self.entries.r#type(&mut text, index);
                out.bytes(stripped(&text.buffer, prefix as usize));
            }
            Piece::Attribute(index) => self.entries.attribute(out, index, Elide::Never),
            Piece::Untyped(index) => self.entries.attribute_without_type(out, index),
            Piece::Stripped(index, prefix) => {
                let mut text = Out::memory();
                self.entries.attribute(&mut text, index, Elide::Never);
                out.bytes(stripped(&text.buffer, prefix as usize));
            }
            Piece::Array(index) => {
                let mut text = Out::memory();
                self.entries.attribute(&mut text, index, Elide::Never);
                array_as_list(&text.buffer, &mut out.buffer);
            }
            Piece::Named(start, end, value) | Piece::NamedUnaliased(start, end, value) => {
                let name = custom.plan.range(start, end);
                escape::write_keyword_or_string(&mut out.buffer, name);
                self.entries.value_of_named(out, value);
            }
            Piece::Argument(row) => {
                let level = self.level_of_regions(level, op);
                let names = &self.levels[level].names;
                names.write(out, self.levels[level].body, ValueId::argument(row), Some(&custom.scopes));
            }
            Piece::ArgumentLocation(row) => {
                let body = self.levels[self.level_of_regions(level, op)].body;
                match body.argument_location.get(row as usize).copied().unwrap_or(NONE) {
                    NONE => out.text(" loc(unknown)"),
                    location => self.entries.trailing_location(out, location, false),
                }
            }
            Piece::Newline => {
                out.text("\n");
                out.indent(self.indent);
            }
            Piece::Indent => self.indent += 2,
            Piece::Dedent => self.indent -= 2,
            Piece::Region(..) | Piece::Inline(_) | Piece::InlineGeneric(_) => {}
        }
    }
}
