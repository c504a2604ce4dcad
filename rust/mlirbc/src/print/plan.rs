//! Plans: the pieces of an operation, which are complete before the first piece is written.
//!
//! An operation that has no complete plan is printed in generic form. Aliases are collected from the same pieces, so the
//! aliases at the top of a text are the aliases in use.

pub(in crate::print) use crate::assembly::RegionStyle;
use crate::format::id::{AttrId, TypeId};
use crate::ir::ValueId;

/// A part of the text of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum PlanPiece {
    /// A range of [`Plan::texts`].
    Text(u32, u32),
    Value(ValueId),
    /// An operand by its number.
    Operand(u32),
    /// An argument of a block of the operation, by its row.
    Argument(u32),
    Type(TypeId),
    /// A type without the prefix `!dialect.mnemonic`, and the length of the prefix.
    StrippedType(TypeId, u32),
    Attribute(AttrId),
    /// An attribute without its type.
    Untyped(AttrId),
    /// An attribute without the prefix `#dialect.mnemonic`, and the length of the prefix.
    Stripped(AttrId, u32),
    /// As [`Self::Stripped`], without the first space, which printers of release 23 and later do not write.
    StrippedAndTrimmed(AttrId, u32),
    /// A dense array as `[1, 2]`.
    Array(AttrId),
    /// `name = value`; the name is a range of [`Plan::texts`].
    Named(u32, u32, AttrId),
    /// A named attribute; no part of its value gets an alias.
    NamedUnaliased(u32, u32, AttrId),
    /// The location of a block argument, by its row.
    ArgumentLocation(u32),
    /// A region of the operation by its number.
    Region(u32, RegionStyle),
    /// A line break and the indentation of the operation.
    Newline,
    /// Increases the indentation of the next lines.
    Indent,
    /// Decreases the indentation of the next lines.
    Dedent,
    /// An operation in a region on the same line, by its row.
    Inline(u32),
    /// An operation in generic form, in a region on the same line.
    InlineGeneric(u32),
    /// Skips `skip` pieces if the printed name of a value is this range of [`Plan::texts`].
    UnlessNamed {
        value: NamedValue,
        start: u32,
        len: u16,
        skip: u16,
    },
    /// Skips this number of pieces.
    Skip(u32),
}

/// A value whose printed name decides about pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum NamedValue {
    /// The first result of the operation.
    FirstResult,
    /// An argument of a block of the operation, by its row.
    Argument(u32),
}

impl PlanPiece {
    /// The range of text that belongs to the piece.
    fn text(&mut self) -> Option<(&mut u32, &mut u32)> {
        match self {
            Self::Text(start, end) | Self::Named(start, end, _) | Self::NamedUnaliased(start, end, _) => {
                Some((start, end))
            }
            _ => None,
        }
    }

    /// The piece with its text at another place.
    pub(in crate::print) fn moved(mut self, from: u32, to: u32) -> Self {
        if let Some((start, end)) = self.text() {
            (*start, *end) = (*start - from + to, *end - from + to);
        }
        if let Self::UnlessNamed { start, .. } = &mut self {
            *start = *start - from + to;
        }
        self
    }
}

/// Pieces of the operations that are being printed, ending with the innermost operation.
#[derive(Debug, Default)]
pub(in crate::print) struct Plan {
    pub(in crate::print) pieces: Vec<PlanPiece>,
    pub(in crate::print) texts: Vec<u8>,
}

impl Plan {
    /// The lengths to return to after an operation.
    pub(in crate::print) fn mark(&self) -> (u32, u32) {
        (self.pieces.len() as u32, self.texts.len() as u32)
    }

    /// Forgets what was added since a mark.
    pub(in crate::print) fn rewind(&mut self, (pieces, texts): (u32, u32)) {
        self.pieces.truncate(pieces as usize);
        self.texts.truncate(texts as usize);
    }

    /// Whether a parser reads the pieces after a mark as those between an earlier one and it: they are the same but for
    /// the numbers of spaces.
    pub(in crate::print) fn is_repeated(&self, first: (u32, u32), second: (u32, u32)) -> bool {
        let before = self.pieces.get(first.0 as usize..second.0 as usize).unwrap_or_default();
        let after = self.pieces.get(second.0 as usize..).unwrap_or_default();
        let is_same = |(before, after): (&PlanPiece, &PlanPiece)| match (*before, *after) {
            (PlanPiece::Text(start, end), PlanPiece::Text(other, other_end)) => {
                words(self.range(start, end)).eq(words(self.range(other, other_end)))
            }
            (PlanPiece::Named(start, end, value), PlanPiece::Named(other, other_end, other_value))
            | (
                PlanPiece::NamedUnaliased(start, end, value),
                PlanPiece::NamedUnaliased(other, other_end, other_value),
            ) => value == other_value && self.range(start, end) == self.range(other, other_end),
            (
                PlanPiece::UnlessNamed { value, start, len, skip },
                PlanPiece::UnlessNamed { value: other, start: other_start, len: other_len, skip: other_skip },
            ) => {
                (value, skip) == (other, other_skip)
                    && self.range(start, start + u32::from(len))
                        == self.range(other_start, other_start + u32::from(other_len))
            }
            // Since LLVM 23 without the space at the start.
            (PlanPiece::Stripped(value, name_len), PlanPiece::StrippedAndTrimmed(other, other_len)) => {
                (value, name_len) == (other, other_len)
            }
            (before, after) => before == after,
        };
        before.len() == after.len() && before.iter().zip(after).all(is_same)
    }

    /// Removes the pieces between two marks.
    pub(in crate::print) fn remove(&mut self, first: (u32, u32), second: (u32, u32)) {
        self.pieces.drain(first.0 as usize..(second.0 as usize).min(self.pieces.len()));
        self.texts.drain(first.1 as usize..(second.1 as usize).min(self.texts.len()));
        for piece in self.pieces.iter_mut().skip(first.0 as usize) {
            *piece = piece.moved(second.1, first.1);
        }
    }

    /// The memory that it takes.
    pub(in crate::print) fn memory(&self) -> usize {
        2 * (self.pieces.capacity() * size_of::<PlanPiece>() + self.texts.capacity())
    }

    /// Adds text.
    #[inline]
    pub(in crate::print) fn text(&mut self, text: &[u8]) {
        self.with_text(|texts| texts.extend_from_slice(text));
    }

    /// Adds text that `write` appends.
    #[inline]
    pub(in crate::print) fn with_text(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.texts.len() as u32;
        write(&mut self.texts);
        let end = self.texts.len() as u32;
        if start == end {
            return;
        }
        match self.pieces.last_mut() {
            Some(PlanPiece::Text(_, last)) if *last == start => *last = end,
            _ => self.pieces.push(PlanPiece::Text(start, end)),
        }
    }

    /// The range of text that `write` appends, which is not a piece yet.
    pub(in crate::print) fn kept(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> (u32, u32) {
        let start = self.texts.len() as u32;
        write(&mut self.texts);
        (start, self.texts.len() as u32)
    }

    /// A range of text.
    pub(in crate::print) fn range(&self, start: u32, end: u32) -> &[u8] {
        self.texts.get(start as usize..end as usize).unwrap_or_default()
    }
}

// The bytes of a text without a space after another one or after an opening bracket, which may be in a string only if both
// texts have it.
fn words(text: &[u8]) -> impl Iterator<Item = u8> {
    let mut last = b'x';
    let mut is_string = false;
    text.iter().copied().filter(move |&byte| {
        is_string ^= byte == b'"';
        let is_redundant = byte == b' ' && matches!(last, b' ' | b'(' | b'[' | b'{') && !is_string;
        last = byte;
        !is_redundant
    })
}
