//! A reader of protocol buffers that trusts no input, and modules inside messages.
//!
//! Owns [`Protobuf`], which reads the fields of a message one after another and skips fields that are not
//! requested, and [`EnclosedModule`], a module with the messages around it. If the size of a module changes,
//! the lengths of these messages change; all other bytes stay. `saved_model` and `orbax` own the meaning of
//! messages.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::wire::bytes::{Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::container_pieces::{ContainerPiece, ContainerPieces};

/// A field whose value has a length: text, bytes, or a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delimited {
    /// The position of the length.
    pub(super) length: u64,
    /// The position of the value.
    pub(super) start: u64,
    /// The position after the value.
    pub(super) end: u64,
}

impl Delimited {
    pub(super) fn range(&self) -> Range<u64> {
        self.start..self.end
    }
}

/// The contents of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contents {
    Number(u64),
    /// A number of 4 or 8 bytes, which nothing here needs.
    Fixed,
    Delimited(Delimited),
}

/// A field of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessageField {
    pub(super) number: u64,
    pub(super) contents: Contents,
}

/// A file of one message.
pub(super) struct Protobuf {
    source: Source,
    budget: Budget,
    /// The last bytes read, and their position.
    window: (u64, Bytes),
}

/// The size of a read, which suffices for the tags and the lengths that follow one another.
const WINDOW: u64 = 4096;
/// The most bytes of a number.
const LONGEST: u64 = 10;
/// The most bytes of a message that its readers allow.
const LARGEST: u64 = i32::MAX as u64;

impl Protobuf {
    pub(super) fn new(source: Source, budget: Budget) -> Self {
        Self { source, budget, window: (0, Bytes::new()) }
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the whole file as the value of a field.
    pub(super) fn whole(&self) -> Range<u64> {
        0..self.source.len()
    }

    fn byte(&mut self, at: u64) -> Result<u8> {
        crate::wire::steps::count(1);
        let inside = |(start, bytes): &(u64, Bytes)| {
            bytes.get(usize::try_from(at.checked_sub(*start)?).ok()?).copied()
        };
        if let Some(byte) = inside(&self.window) {
            return Ok(byte);
        }
        let end = self.source.len().min(at.saturating_add(WINDOW));
        self.window = (at, self.source.get(at.min(end)..end)?);
        inside(&self.window).ok_or_else(|| cut(at))
    }

    /// Reads the number at `at`, and moves `at` behind it.
    pub(super) fn number(&mut self, at: &mut u64, end: u64) -> Result<u64> {
        let start = *at;
        let mut number: u64 = 0;
        for place in 0..LONGEST {
            if *at >= end {
                return Err(cut(start));
            }
            let byte = self.byte(*at)?;
            *at += 1;
            // Bits past the 64th are dropped, as other readers drop them.
            number |= u64::from(byte & 0x7f).wrapping_shl(7 * place as u32);
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Error::new(ErrorKind::Protobuf, "a number of at most 10 bytes", "a longer one").at(start))
    }

    /// Reads the field at `at`, and moves `at` behind it; `None` at the end of the message.
    ///
    /// # Errors
    /// [`ErrorKind::Protobuf`].
    pub(super) fn next(&mut self, at: &mut u64, end: u64) -> Result<Option<MessageField>> {
        if *at >= end {
            return Ok(None);
        }
        let start = *at;
        let tag = self.number(at, end)?;
        let (number, wire) = (tag >> 3, tag & 7);
        let contents = match wire {
            0 => Contents::Number(self.number(at, end)?),
            1 | 5 => {
                *at += if wire == 1 { 8 } else { 4 };
                Contents::Fixed
            }
            2 => {
                let length = *at;
                let size = self.number(at, end)?;
                let start = *at;
                let bytes_left = end - start;
                if size > bytes_left {
                    let expected =
                        format!("a length of at most {bytes_left} bytes, to the end of the message");
                    return Err(Error::new(ErrorKind::Protobuf, expected, format!("`{size}`")).at(length));
                }
                *at += size;
                Contents::Delimited(Delimited { length, start, end: *at })
            }
            wire => {
                let expected = "the wire type 0, 1, 2 or 5";
                return Err(Error::new(ErrorKind::Protobuf, expected, format!("`{wire}`")).at(start));
            }
        };
        if *at > end {
            return Err(cut(start));
        }
        if number == 0 {
            return Err(Error::new(ErrorKind::Protobuf, "a field number of 1 or more", "`0`").at(start));
        }
        Ok(Some(MessageField { number, contents }))
    }

    /// Passes the delimited values of one field of a message to `visit`, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Protobuf`], and errors of `visit`.
    pub(super) fn each(
        &mut self,
        message: Range<u64>,
        number: u64,
        visit: &mut dyn FnMut(&mut Self, Delimited) -> Result<()>,
    ) -> Result<()> {
        let mut at = message.start;
        while let Some(field) = self.next(&mut at, message.end)? {
            match field.contents {
                Contents::Delimited(value) if field.number == number => visit(self, value)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the last delimited value of a field of a message: readers use the last value.
    ///
    /// # Errors
    /// [`ErrorKind::Protobuf`].
    pub(super) fn last(&mut self, message: Range<u64>, number: u64) -> Result<Option<Delimited>> {
        let mut last = None;
        self.each(message, number, &mut |_, value| {
            last = Some(value);
            Ok(())
        })?;
        Ok(last)
    }

    /// Returns the text in a value; invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// An exhausted budget, and errors of the source.
    pub(super) fn text(&mut self, value: Delimited) -> Result<String> {
        let size = value.end - value.start;
        self.budget.spend(usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(3))?;
        Ok(String::from_utf8_lossy(&self.source.get(value.range())?).into_owned())
    }

    /// Whether a value is a text.
    pub(super) fn is(&mut self, value: Delimited, text: &[u8]) -> Result<bool> {
        Ok(value.end - value.start == text.len() as u64 && self.source.get(value.range())? == *text)
    }

    /// Whether a value begins with a text.
    pub(super) fn begins(&mut self, value: Delimited, text: &[u8]) -> Result<bool> {
        let end = value.end.min(value.start + text.len() as u64);
        Ok(self.source.get(value.start..end)? == *text)
    }

    /// SHA-256 of a range.
    pub(super) fn digest(&self, range: Range<u64>) -> Result<[u8; 32]> {
        let mut sha = Sha256::new();
        feed(&self.source, range, &mut sha)?;
        Ok(sha.finalize().into())
    }
}

#[cold]
fn cut(at: u64) -> Error {
    Error::new(ErrorKind::Protobuf, "a field within its message", "the end of the message").at(at)
}

const STEP: u64 = 4 << 20;

fn feed(source: &Source, range: Range<u64>, sha: &mut Sha256) -> Result<()> {
    let mut at = range.start;
    while at < range.end {
        let next = range.end.min(at + STEP);
        sha.update(source.get(at..next)?);
        at = next;
    }
    Ok(())
}

/// An attribute of the call of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallField {
    pub(super) name: &'static str,
    /// The value as bytes of the file.
    pub(super) range: Range<u64>,
    pub(super) text: String,
}

/// A module inside messages, each inside the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EnclosedModule {
    /// The function or the object that contains the module; empty for a node of the main graph.
    pub(super) function: String,
    /// The name of the node that calls the module; empty for a node without a name.
    pub(super) node: String,
    pub(super) fields: Vec<CallField>,
    /// The messages from the outermost one to the value that is the module.
    pub(super) messages: Vec<Delimited>,
}

impl EnclosedModule {
    /// The value that is the module.
    pub(super) fn value(&self) -> Delimited {
        self.messages.last().copied().unwrap_or(Delimited { length: 0, start: 0, end: 0 })
    }
}

/// A message around modules, and the change of its size.
struct Resized {
    message: Delimited,
    parent: Option<usize>,
    /// If the message is a module: its index and its new size.
    module: Option<(usize, u64)>,
    growth: i64,
}

/// Returns the pieces of a file with new modules, given by index and size. Lengths that do not change keep
/// their bytes.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if a message would be too large.
pub(super) fn with_modules(
    content: &Source,
    modules: &[EnclosedModule],
    new: &[(usize, u64)],
) -> Result<ContainerPieces> {
    let mut messages = resized(modules, new);
    for place in (0..messages.len()).rev() {
        let Resized { message, parent, module, growth } = &mut messages[place];
        let old = message.end - message.start;
        if let Some((_, size)) = module {
            *growth = i64::try_from(*size).unwrap_or(i64::MAX).saturating_sub_unsigned(old);
        }
        let size = old.saturating_add_signed(*growth);
        if size > LARGEST {
            let message = format!("a message of {size} bytes is too large for a protocol buffer");
            let error = Error::message(ErrorKind::Unsupported, message);
            return Err(error.with_hint("write the module alone with `--bare`"));
        }
        let length = match *growth {
            0 => 0,
            _ => varint(size).len() as i64 - (message.start - message.length) as i64,
        };
        let total = *growth + length;
        if let Some(parent) = *parent {
            messages[parent].growth += total;
        }
    }
    let mut pieces = ContainerPieces::default();
    let mut at = 0;
    for Resized { message, module, growth, .. } in &messages {
        if *growth != 0 {
            pieces.push(ContainerPiece::Copy(at..message.length));
            pieces.push_bytes(varint((message.end - message.start).saturating_add_signed(*growth)));
            at = message.start;
        }
        if let &Some((index, size)) = module {
            pieces.push(ContainerPiece::Copy(at..message.start));
            pieces.push(ContainerPiece::Module { index, size });
            at = message.end;
        }
    }
    pieces.push(ContainerPiece::Copy(at..content.len()));
    if pieces.len() > LARGEST {
        let message = format!("a file of {} bytes is too large for a protocol buffer", pieces.len());
        return Err(Error::message(ErrorKind::Unsupported, message));
    }
    Ok(pieces)
}

/// Returns the messages around the new modules in the order of the file; each occurs once, after its parent.
fn resized(modules: &[EnclosedModule], new: &[(usize, u64)]) -> Vec<Resized> {
    let mut sorted: Vec<_> =
        new.iter().filter_map(|&(index, size)| Some((modules.get(index)?, index, size))).collect();
    sorted.sort_by_key(|(module, ..)| module.value().start);
    let mut messages: Vec<Resized> = Vec::new();
    // The indices of the messages around the previous module.
    let mut open: Vec<usize> = Vec::new();
    for (module, index, size) in sorted {
        let is_same = |(place, message): &(&usize, &Delimited)| messages[**place].message == **message;
        let shared = open.iter().zip(&module.messages).take_while(is_same).count();
        open.truncate(shared);
        for message in module.messages.iter().skip(shared) {
            let resized =
                Resized { message: *message, parent: open.last().copied(), module: None, growth: 0 };
            open.push(messages.len());
            messages.push(resized);
        }
        if let Some(message) = open.last().and_then(|place| messages.get_mut(*place)) {
            message.module = Some((index, size));
        }
    }
    messages
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Returns the SHA-256 hash of all bytes except modules, fields of their calls, and lengths of messages
/// around them.
///
/// # Errors
/// Errors of the source.
pub(super) fn rest_digest(content: &Source, modules: &[EnclosedModule]) -> Result<[u8; 32]> {
    let mut skipped: Vec<Range<u64>> = Vec::new();
    for module in modules {
        skipped.extend(module.messages.iter().map(|message| message.length..message.start));
        skipped.push(module.value().range());
        skipped.extend(module.fields.iter().map(|field| field.range.clone()));
    }
    skipped.sort_by_key(|range| (range.start, range.end));
    let (mut sha, mut at) = (Sha256::new(), 0);
    for range in skipped {
        feed(content, at..range.start.max(at), &mut sha)?;
        at = at.max(range.end);
    }
    feed(content, at..content.len(), &mut sha)?;
    Ok(sha.finalize().into())
}
