//! Writes a JAX export from its value, with new modules if there are any.
//!
//! Owns the byte layout of JAX's serializer, which builds a file from the end to the beginning: what it
//! creates first lies last. Unchanged fields get the bytes that JAX wrote. Modules are not held in memory:
//! they are pieces between the bytes of the container.

use std::collections::HashMap;
use std::ops::Range;

use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::super::container_pieces::{ContainerPiece, ContainerPieces};
use super::read::slot::MODULE;
use super::schema::Item;
use super::value::{ExportValue, FieldContents, TableId};

/// The condition on which two tables share a vtable; releases of the package `flatbuffers` differ in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VtableSharing {
    /// Tables with fields at the same places and with the same size share a vtable; from 25.12 on.
    SameSize,
    /// Tables with fields at the same places share a vtable; before 25.12.
    AnySize,
}

/// The modules that replace modules of the file: index and size.
pub(super) type NewSizes<'s> = &'s [(usize, u64)];

/// The pieces of the export `value` of the file `content`, with new modules of the given sizes.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the file would be too large for its offsets, and an exhausted budget.
pub(super) fn encode(
    content: &Source,
    value: &ExportValue,
    new: NewSizes<'_>,
    budget: &Budget,
) -> Result<ContainerPieces> {
    let sharing = sharing_of(content, value, budget)?;
    with_modules(content, value, new, sharing, budget)
}

/// Returns the sharing of vtables with which the file `content` was written; `value` is its fields.
///
/// # Errors
/// As [`encode`].
pub(super) fn sharing_of(content: &Source, value: &ExportValue, budget: &Budget) -> Result<VtableSharing> {
    let reproduces = |sharing| with_sharing(content, value, sharing, budget)?.is_identical(content);
    // A file from another writer is valid with either sharing.
    let is_older = !reproduces(VtableSharing::SameSize)? && reproduces(VtableSharing::AnySize)?;
    Ok(if is_older { VtableSharing::AnySize } else { VtableSharing::SameSize })
}

/// The pieces of the export `value` with new modules, whose other data is in `content`.
///
/// # Errors
/// As [`encode`].
pub(super) fn with_modules(
    content: &Source,
    value: &ExportValue,
    new: NewSizes<'_>,
    sharing: VtableSharing,
    budget: &Budget,
) -> Result<ContainerPieces> {
    Encoder::run(content, value, new, sharing, budget)
}

/// Returns the pieces of the export with its own modules.
///
/// # Errors
/// As [`encode`].
pub(super) fn with_sharing(
    content: &Source,
    value: &ExportValue,
    sharing: VtableSharing,
    budget: &Budget,
) -> Result<ContainerPieces> {
    Encoder::run(content, value, &[], sharing, budget)
}

struct Encoder<'e> {
    content: &'e Source,
    value: &'e ExportValue,
    sharing: VtableSharing,
    budget: &'e Budget,
    /// New modules by their table.
    modules: HashMap<usize, (usize, u64)>,
    /// The bytes in reverse order: bytes that are put last come last.
    reversed: Vec<u8>,
    /// ContainerPieces that are not in `reversed`, each with the length of `reversed` when it was put.
    blobs: Vec<(usize, ContainerPiece)>,
    /// The number of bytes so far; positions count from the end of the file.
    size: u64,
    vtables: HashMap<Vec<u8>, u64>,
    /// The position of each table; 0 until it is written.
    written: Vec<u64>,
}

/// A table whose contents are being written.
struct OpenTable {
    table: TableId,
    /// Slots whose contents are still to be written, the next one last.
    slots: Vec<usize>,
    /// Items of the current vector whose tables are written.
    items: usize,
    /// The position of the contents of each slot.
    contents: Vec<u64>,
}

impl<'e> Encoder<'e> {
    fn run(
        content: &'e Source,
        value: &'e ExportValue,
        new: NewSizes<'_>,
        sharing: VtableSharing,
        budget: &'e Budget,
    ) -> Result<ContainerPieces> {
        let sizes: HashMap<usize, u64> = new.iter().copied().collect();
        let modules = value.levels().enumerate();
        let modules = modules.filter_map(|(index, id)| Some((id.index(), (index, *sizes.get(&index)?))));
        let mut encoder = Self {
            content,
            value,
            sharing,
            budget,
            modules: modules.collect(),
            reversed: Vec::new(),
            blobs: Vec::new(),
            size: 0,
            vtables: HashMap::new(),
            written: budget.filled(0, value.len())?,
        };
        encoder.tables()?;
        let root = encoder.written.first().copied().unwrap_or_default();
        encoder.align(4, 4)?;
        encoder.reference(root)?;
        encoder.pieces()
    }

    /// Writes every table after the tables that it refers to.
    fn tables(&mut self) -> Result<()> {
        let mut stack = vec![self.frame(self.value.root())?];
        while let Some(mut frame) = stack.pop() {
            match self.contents(&mut frame)? {
                Some(inner) => {
                    let inner = self.frame(inner)?;
                    stack.push(frame);
                    stack.push(inner);
                }
                None => {
                    let at = self.fields(&frame)?;
                    self.written[frame.table.index()] = at;
                }
            }
        }
        Ok(())
    }

    fn frame(&self, table: TableId) -> Result<OpenTable> {
        let layout = self.value.table(table).layout;
        let mut slots = self.budget.vec(layout.slots.len())?;
        slots.extend(layout.creation_order());
        slots.reverse();
        Ok(OpenTable { table, slots, items: 0, contents: self.budget.filled(0, layout.slots.len())? })
    }

    /// Writes the contents of a table up to a table that must be written before; `None` if all are written.
    fn contents(&mut self, frame: &mut OpenTable) -> Result<Option<TableId>> {
        let table = self.value.table(frame.table);
        while let Some(&slot) = frame.slots.last() {
            let at = match (table.field(slot), table.layout.slots[slot].item) {
                (None | Some(FieldContents::Number(_)), _) => 0,
                (Some(FieldContents::Data(range)), item) => match self.modules.get(&frame.table.index()) {
                    Some(&(index, size)) if is_module(table.layout.name, slot) => {
                        self.blob(ContainerPiece::Module { index, size }, size, 0)?
                    }
                    _ => self.data(range, item)?,
                },
                (Some(FieldContents::New(bytes)), item) => self.new_data(bytes, item)?,
                (Some(FieldContents::Texts(texts)), _) => {
                    let mut items = self.budget.vec(texts.len())?;
                    for text in texts {
                        items.push(self.data(text, Item::Text)?);
                    }
                    self.references(&items)?
                }
                (Some(FieldContents::NewTexts(texts)), _) => {
                    let mut items = self.budget.vec(texts.len())?;
                    for text in texts {
                        items.push(self.new_text(text)?);
                    }
                    self.references(&items)?
                }
                (Some(FieldContents::Table(inner)), _) => match self.written[inner.index()] {
                    0 => return Ok(Some(*inner)),
                    at => at,
                },
                (Some(FieldContents::Tables(tables)), _) => {
                    while let Some(inner) = tables.get(frame.items) {
                        if self.written[inner.index()] == 0 {
                            return Ok(Some(*inner));
                        }
                        frame.items += 1;
                    }
                    frame.items = 0;
                    let mut items = self.budget.vec(tables.len())?;
                    items.extend(tables.iter().map(|inner| self.written[inner.index()]));
                    self.references(&items)?
                }
            };
            frame.contents[slot] = at;
            frame.slots.pop();
        }
        Ok(None)
    }

    /// Writes a text, bytes or numbers with their length.
    fn data(&mut self, range: &Range<u64>, item: Item) -> Result<u64> {
        let len = range.end - range.start;
        match item {
            Item::Numbers(size) => {
                self.align(4, len)?;
                self.align(size, len)?;
                self.put_range(range)?;
                self.put_number(len / size)
            }
            Item::Text => self.blob(ContainerPiece::Copy(range.clone()), len, 1),
            _ => self.blob(ContainerPiece::Copy(range.clone()), len, 0),
        }
    }

    /// Writes bytes or numbers that are not in the file, with their length.
    fn new_data(&mut self, bytes: &[u8], item: Item) -> Result<u64> {
        let (len, size) = (bytes.len() as u64, item.item_size());
        self.align(4, len)?;
        self.align(size, len)?;
        self.put(bytes)?;
        self.put_number(len / size)
    }

    /// Writes a text that is not in the file, with its length.
    fn new_text(&mut self, text: &[u8]) -> Result<u64> {
        let len = text.len() as u64;
        self.align(4, len + 1)?;
        self.put(&[0])?;
        self.put(text)?;
        self.put_number(len)
    }

    /// Writes bytes and `zeros` after them, with their length.
    fn blob(&mut self, piece: ContainerPiece, len: u64, zeros: usize) -> Result<u64> {
        self.align(4, len + zeros as u64)?;
        self.put(&[0; 1][..zeros])?;
        match piece {
            ContainerPiece::Copy(range) if len <= SMALL => self.put_range(&range)?,
            piece => {
                self.budget.spend(size_of::<(usize, ContainerPiece)>())?;
                self.blobs.push((self.reversed.len(), piece));
                self.size += len;
            }
        }
        self.put_number(len)
    }

    fn put_number(&mut self, number: u64) -> Result<u64> {
        let number = u32::try_from(number).map_err(|_| too_large(number))?;
        self.put(&number.to_le_bytes())?;
        Ok(self.size)
    }

    fn put_range(&mut self, range: &Range<u64>) -> Result<()> {
        let bytes = self.content.get(range.clone())?;
        self.put(&bytes)
    }

    /// Puts bytes before the bytes that were already put.
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        crate::wire::steps::count(bytes.len());
        self.budget.spend(bytes.len())?;
        self.reversed.extend(bytes.iter().rev());
        self.size += bytes.len() as u64;
        Ok(())
    }

    /// Puts zeros so that after `more` bytes the position is a multiple of `alignment`.
    fn align(&mut self, alignment: u64, more: u64) -> Result<()> {
        let end = self.size + more;
        let padding = (end.next_multiple_of(alignment) - end) as usize;
        self.put(&[0; 8][..padding])
    }

    fn references(&mut self, targets: &[u64]) -> Result<u64> {
        self.align(4, 4 * targets.len() as u64)?;
        for &target in targets.iter().rev() {
            self.reference(target)?;
        }
        self.put_number(targets.len() as u64)
    }

    fn reference(&mut self, target: u64) -> Result<()> {
        self.align(4, 0)?;
        let distance = self.size + 4 - target;
        let distance = u32::try_from(distance).map_err(|_| too_large(self.size))?;
        self.put(&distance.to_le_bytes())
    }

    /// Writes the fields of a table after its contents.
    fn fields(&mut self, frame: &OpenTable) -> Result<u64> {
        let table = self.value.table(frame.table);
        let end = self.size;
        let mut places = self.budget.filled(0, table.layout.slots.len())?;
        for slot in table.layout.addition_order() {
            match table.field(slot) {
                None => continue,
                Some(&FieldContents::Number(number)) => {
                    let size = table.layout.slots[slot].item.field_size();
                    self.align(size, 0)?;
                    self.put(&number.to_le_bytes()[..size as usize])?;
                }
                Some(_) => self.reference(frame.contents[slot])?,
            }
            places[slot] = self.size;
        }
        self.align(4, 0)?;
        let at = self.size + 4;
        let used = places.iter().rposition(|&place| place != 0).map_or(0, |last| last + 1);
        let offsets = places[..used].iter().map(|&place| if place == 0 { 0 } else { at - place });
        let header = [4 + 2 * used as u64, at - end];
        // The fields of a table take at most a few hundred bytes.
        let vtable: Vec<u8> =
            header.into_iter().chain(offsets).flat_map(|number| (number as u16).to_le_bytes()).collect();
        let mut key = vtable.clone();
        if self.sharing == VtableSharing::AnySize {
            key.drain(2..4);
        }
        let known_vtable = self.vtables.get(&key).copied();
        let target = known_vtable.unwrap_or(at + vtable.len() as u64);
        let distance = target as i64 - at as i64;
        let distance = i32::try_from(distance).map_err(|_| too_large(self.size))?;
        self.put(&distance.to_le_bytes())?;
        if known_vtable.is_none() {
            self.put(&vtable)?;
            self.budget.spend(2 * key.len() + size_of::<(Vec<u8>, u64)>())?;
            self.vtables.insert(key, target);
        }
        Ok(at)
    }

    /// The pieces in the order of the file.
    fn pieces(self) -> Result<ContainerPieces> {
        let mut pieces = ContainerPieces::default();
        let mut end = self.reversed.len();
        for (start, blob) in self.blobs.into_iter().rev() {
            pieces.push_bytes(self.reversed[start..end].iter().rev().copied().collect());
            pieces.push(blob);
            end = start;
        }
        pieces.push_bytes(self.reversed[..end].iter().rev().copied().collect());
        Ok(pieces)
    }
}

// Ranges up to this size are copied between the other bytes; larger ranges are copied when the file is
// written.
const SMALL: u64 = 4096;

fn is_module(layout: &str, slot: usize) -> bool {
    layout == "Exported" && slot as u64 == MODULE
}

#[cold]
fn too_large(size: u64) -> Error {
    let message =
        format!("a JAX export of more than {size} bytes does not fit its offsets, which have 32 bits");
    Error::message(ErrorKind::Unsupported, message).with_hint("write the module alone, or make it smaller")
}
