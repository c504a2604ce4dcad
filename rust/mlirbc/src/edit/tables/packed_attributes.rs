//! Attributes whose payloads are in one buffer: the text positions of operations, one for each operation.

use super::{NewEntry, Tables};
use crate::format::attr_type::EntryEncoding;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

/// Encoded attributes after all others.
#[derive(Debug, Clone, Default)]
pub(crate) struct PackedAttributes {
    pub(crate) dialect: u32,
    pub(crate) data: Bytes,
    /// The end of each payload.
    ends: Vec<u32>,
}

impl PackedAttributes {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        self.data.get(self.range(row)?)
    }

    /// Returns the end of each payload.
    pub(crate) fn ends(&self) -> &[u32] {
        &self.ends
    }

    fn range(&self, row: usize) -> Option<std::ops::Range<usize>> {
        let start = match row.checked_sub(1) {
            None => 0,
            Some(before) => *self.ends.get(before)?,
        };
        Some(start as usize..*self.ends.get(row)? as usize)
    }
}

impl Tables {
    /// Adds attributes of the builtin dialect without searching for equal ones, and returns the index of the
    /// first. They are stored separately until another attribute is added.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`].
    pub(crate) fn add_packed(&mut self, data: Vec<u8>, ends: Vec<u32>) -> Result<u32> {
        self.unpack();
        let dialect = self.dialect(b"builtin")?;
        let first = self.first_new().attributes as usize + self.attributes.len();
        let last = first + ends.len();
        let Some(first) = u32::try_from(last).ok().filter(|&last| last != u32::MAX).map(|_| first as u32)
        else {
            let message = "a module cannot have 2^32 attributes or types";
            return Err(Error::message(ErrorKind::MemoryLimit, message));
        };
        self.budget.spend(data.len() + ends.len() * size_of::<u32>())?;
        self.packed = PackedAttributes { dialect, data: data.into(), ends };
        Ok(first)
    }

    /// Converts packed attributes to rows, which keep their indices.
    pub(super) fn unpack(&mut self) {
        let PackedAttributes { dialect, data, ends } = std::mem::take(&mut self.packed);
        let mut start = 0;
        for end in ends {
            self.attributes.push(NewEntry {
                dialect,
                encoding: EntryEncoding::Custom,
                data: data.slice(start..end as usize),
                origin: None,
                own_table: None,
            });
            start = end as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::edit::Editor;
    use crate::edit::arena::EditAttr;
    use crate::release;

    #[test]
    fn packed_attributes_become_rows_when_another_one_is_added() {
        let version = release::find("llvm-22").unwrap().unwrap().newest_version();
        let mut editor = Editor::create_module(&crate::Release::named("llvm-22"), version, None).unwrap();
        let tables = &mut editor.tables;
        let file = tables.string_attribute(b"a.mlir").unwrap();
        let code = tables.view().map(|view| {
            use crate::dialect::entries::Entries;
            view.builtin().attributes.code("FileLineColLoc").unwrap()
        });
        let code = code.unwrap() as u8;
        // The numbers are varints of one byte.
        let payload = |line: u8| [code << 1 | 1, (file.number() as u8) << 1 | 1, line << 1 | 1, 3];
        let data = [payload(1), payload(2)].concat();
        let first = tables.add_packed(data, vec![4, 8]).unwrap();
        let texts = |tables: &crate::edit::tables::Tables| {
            [first, first + 1].map(|index| tables.attribute_value(EditAttr::new(index)).unwrap().to_string())
        };
        let expected = ["loc(\"a.mlir\":1:1)", "loc(\"a.mlir\":2:1)"];
        assert_eq!(texts(tables), expected);
        let next = tables.string_attribute(b"new").unwrap();
        assert_eq!(next, EditAttr::new(first + 2));
        assert_eq!(texts(tables), expected);
    }
}
