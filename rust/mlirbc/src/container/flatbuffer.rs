//! A reader of flatbuffers that trusts no input: every offset and length is checked against the file.
//!
//! Owns tables, vectors and strings at their positions; does not know their meaning. Only requested fields
//! are read, so a file is not loaded completely. References point towards the end of the file only, so
//! following them terminates. Vectors may be shared, so all bytes read are charged to a budget.

use crate::wire::bytes::{Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

// The size of a read, which suffices for the vtables and the short vectors that follow one another.
const WINDOW: u64 = 4096;

/// A file of one root table.
pub(crate) struct Flatbuffer {
    source: Source,
    budget: Budget,
    // The last bytes read, and their position.
    window: (u64, Bytes),
}

/// A table, whose fields its vtable locates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Table {
    /// The position in the file.
    pub(crate) at: u64,
    /// The position of the vtable.
    pub(crate) vtable: u64,
    /// The number of slots in the vtable.
    pub(crate) slots: u64,
    size: u64,
}

/// A vector of `len` items, the first at `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vector {
    /// The position of the first item.
    pub(crate) at: u64,
    pub(crate) len: u64,
}

impl Flatbuffer {
    pub(crate) fn new(source: Source, budget: Budget) -> Self {
        Self { source, budget, window: (0, Bytes::new()) }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    fn bytes<const N: usize>(&mut self, at: u64) -> Result<[u8; N]> {
        crate::wire::steps::count(1);
        let inside = |(start, bytes): &(u64, Bytes)| {
            let from = usize::try_from(at.checked_sub(*start)?).ok()?;
            bytes.get(from..from.checked_add(N)?)?.try_into().ok()
        };
        if let Some(found) = inside(&self.window) {
            return Ok(found);
        }
        let end = self.source.len();
        if at.checked_add(N as u64).is_none_or(|after| after > end) {
            return Err(outside(at, end));
        }
        let most = WINDOW.max(N as u64).min(end - at);
        self.window = (at, self.source.get(at..at + most)?);
        inside(&self.window).ok_or_else(|| outside(at, end))
    }

    pub(crate) fn u16(&mut self, at: u64) -> Result<u16> {
        Ok(u16::from_le_bytes(self.bytes(at)?))
    }

    pub(crate) fn u32(&mut self, at: u64) -> Result<u32> {
        Ok(u32::from_le_bytes(self.bytes(at)?))
    }

    /// The table that the first bytes of the file refer to.
    pub(crate) fn root(&mut self) -> Result<Table> {
        let at = self.reference(0)?;
        self.table(at)
    }

    /// The position that the reference at `at` leads to.
    pub(crate) fn reference(&mut self, at: u64) -> Result<u64> {
        let target = at + u64::from(self.u32(at)?);
        // A reference of 0 would lead to itself.
        if target < at + 4 || target >= self.source.len() {
            return Err(Error::new(
                ErrorKind::Flatbuffer,
                format!("a reference to a position between {:#x} and {:#x}", at + 4, self.source.len()),
                format!("`{target:#x}`"),
            )
            .at(at));
        }
        Ok(target)
    }

    /// The table at `at`.
    pub(crate) fn table(&mut self, at: u64) -> Result<Table> {
        let back = i64::from(i32::from_le_bytes(self.bytes(at)?));
        let vtable = at.checked_add_signed(-back).ok_or_else(|| outside(at, self.source.len()))?;
        let len = u64::from(self.u16(vtable)?);
        let size = u64::from(self.u16(vtable + 2)?);
        if len < 4 || len % 2 == 1 || vtable + len > self.source.len() {
            return Err(Error::new(
                ErrorKind::Flatbuffer,
                "a vtable of an even number of bytes, 4 or more, within the file",
                format!("`{len}` bytes"),
            )
            .at(vtable));
        }
        if size < 4 || at + size > self.source.len() {
            let error = Error::new(
                ErrorKind::Flatbuffer,
                format!("a table of 4 to {} bytes", self.source.len() - at),
                format!("`{size}` bytes"),
            );
            return Err(error.at(vtable + 2));
        }
        Ok(Table { at, vtable, slots: (len - 4) / 2, size })
    }

    /// Returns the position of a field of `size` bytes; `None` if the table does not have the field.
    pub(crate) fn field(&mut self, table: &Table, slot: u64, size: u64) -> Result<Option<u64>> {
        if slot >= table.slots {
            return Ok(None);
        }
        let entry = table.vtable + 4 + 2 * slot;
        match u64::from(self.u16(entry)?) {
            0 => Ok(None),
            offset if offset >= 4 && offset + size <= table.size => Ok(Some(table.at + offset)),
            offset => Err(Error::new(
                ErrorKind::Flatbuffer,
                format!("a field of {size} bytes within a table of {} bytes", table.size),
                format!("offset `{offset}`"),
            )
            .at(entry)),
        }
    }

    /// The number of 1, 2 or 4 bytes at `at`.
    pub(crate) fn number_at(&mut self, at: u64, size: u64) -> Result<u32> {
        Ok(match size {
            1 => u32::from(u8::from_le_bytes(self.bytes(at)?)),
            2 => u32::from(self.u16(at)?),
            _ => self.u32(at)?,
        })
    }

    /// The number in a field; 0 if the table does not have it.
    pub(crate) fn number<const N: usize>(&mut self, table: &Table, slot: u64) -> Result<u32> {
        let Some(at) = self.field(table, slot, N as u64)? else { return Ok(0) };
        let mut word = [0; 4];
        word[..N].copy_from_slice(&self.bytes::<N>(at)?);
        Ok(u32::from_le_bytes(word))
    }

    /// The table in a field.
    pub(crate) fn inner(&mut self, table: &Table, slot: u64) -> Result<Option<Table>> {
        match self.field(table, slot, 4)? {
            Some(at) => {
                let at = self.reference(at)?;
                self.table(at).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The vector in a field, of items of `size` bytes; an empty one if the table does not have it.
    pub(crate) fn vector(&mut self, table: &Table, slot: u64, size: u64) -> Result<Vector> {
        match self.field(table, slot, 4)? {
            Some(at) => {
                let at = self.reference(at)?;
                self.vector_at(at, size)
            }
            None => Ok(Vector { at: table.at, len: 0 }),
        }
    }

    /// The vector at `at`, of items of `size` bytes.
    pub(crate) fn vector_at(&mut self, at: u64, size: u64) -> Result<Vector> {
        let len = u64::from(self.u32(at)?);
        let bytes_left = self.source.len() - at - 4;
        if len.saturating_mul(size) > bytes_left {
            return Err(Error::new(
                ErrorKind::Flatbuffer,
                format!("at most {} items of {size} bytes", bytes_left / size),
                format!("`{len}`"),
            )
            .at(at));
        }
        Ok(Vector { at: at + 4, len })
    }

    /// The tables of a vector of references.
    pub(crate) fn tables(&mut self, table: &Table, slot: u64) -> Result<Vec<Table>> {
        let items = self.vector(table, slot, 4)?;
        let mut tables = self.budget.vec(items.len as usize)?;
        for item in 0..items.len {
            let at = self.reference(items.at + 4 * item)?;
            tables.push(self.table(at)?);
        }
        Ok(tables)
    }

    /// The numbers of a vector of `N` bytes each.
    pub(crate) fn numbers<const N: usize>(&mut self, table: &Table, slot: u64) -> Result<Vec<u32>> {
        let items = self.vector(table, slot, N as u64)?;
        let mut numbers = self.budget.vec(items.len as usize)?;
        for item in 0..items.len {
            let mut word = [0; 4];
            word[..N].copy_from_slice(&self.bytes::<N>(items.at + N as u64 * item)?);
            numbers.push(u32::from_le_bytes(word));
        }
        Ok(numbers)
    }

    /// The string in a field; `None` if the table does not have it. Invalid UTF-8 is replaced.
    pub(crate) fn string(&mut self, table: &Table, slot: u64) -> Result<Option<String>> {
        match self.field(table, slot, 4)? {
            Some(at) => {
                let at = self.reference(at)?;
                self.string_at(at).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The strings of a vector of references.
    pub(crate) fn strings(&mut self, table: &Table, slot: u64) -> Result<Vec<String>> {
        let items = self.vector(table, slot, 4)?;
        let mut strings = self.budget.vec(items.len as usize)?;
        for item in 0..items.len {
            let at = self.reference(items.at + 4 * item)?;
            strings.push(self.string_at(at)?);
        }
        Ok(strings)
    }

    fn string_at(&mut self, at: u64) -> Result<String> {
        let text = self.vector_at(at, 1)?;
        // A byte that is not UTF-8 becomes three.
        self.budget.spend((text.len as usize).saturating_mul(3))?;
        crate::wire::steps::count(text.len as usize);
        let bytes = self.source.get(text.at..text.at + text.len)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cold]
fn outside(at: u64, end: u64) -> Error {
    let expected = format!("a position before the end of the file at {end:#x}");
    Error::new(ErrorKind::Flatbuffer, expected, format!("`{at:#x}`")).at(at.min(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    // The example is a root table at 12 with the vtable before it: slot 0 is a reference at 16, slot 1 a byte
    // at 20.
    #[rustfmt::skip]
    const SMALL: [u8; 32] = [
        12, 0, 0, 0, 8, 0, 12, 0, 4, 0, 8, 0, 8, 0, 0, 0,
        8, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0,
    ];

    fn of(bytes: &[u8]) -> Flatbuffer {
        Flatbuffer::new(bytes.to_vec().into(), Limits::default().budget(bytes.len() as u64))
    }

    fn read(bytes: &[u8]) -> Result<(String, u32)> {
        let mut file = of(bytes);
        let root = file.root()?;
        assert!(file.field(&root, 2, 1)?.is_none());
        Ok((file.string(&root, 0)?.unwrap_or_default(), file.number::<1>(&root, 1)?))
    }

    #[test]
    fn fields_are_found_through_the_vtable() {
        assert_eq!(read(&SMALL).unwrap(), ("hi".to_owned(), 9));
    }

    #[test]
    fn every_lie_is_an_error_of_its_place() {
        for (place, value, at) in [(0, 99, 0), (4, 7, 4), (6, 99, 6), (8, 11, 8), (16, 99, 16), (24, 99, 24)]
        {
            let mut bytes = SMALL;
            bytes[place] = value;
            let error = read(&bytes).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Flatbuffer, Some(at)), "{place}: {error}");
        }
    }

    #[test]
    fn a_reference_to_itself_is_refused() {
        let mut bytes = SMALL;
        bytes[16] = 0;
        assert_eq!(read(&bytes).unwrap_err().offset(), Some(16));
    }

    #[test]
    fn every_cut_is_an_error() {
        for len in 0..SMALL.len() - 2 {
            assert!(read(&SMALL[..len]).is_err(), "cut at {len}");
        }
    }
}
