//! The operation names of a written file.
//!
//! A file stores a name as two string indices, so that many names may share one long string. Names are
//! therefore stored, hashed and compared in parts, each part once.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::props::op_name::OperationName;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::index::PoolName;

/// An op name in the target; its parts are texts of [`Names`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameRow {
    pub(crate) dialect: u32,
    pub(crate) stem: u32,
    pub(crate) is_registered: bool,
}

/// Op names of the target, and their texts.
#[derive(Debug, Default)]
pub(crate) struct Names<'m> {
    rows: Vec<NameRow>,
    texts: Vec<Cow<'m, [u8]>>,
    known: HashMap<Cow<'m, [u8]>, u32>,
    // Texts by the file's string indices, so that a string is hashed once.
    of_file: HashMap<u32, u32>,
    // For texts that are dialects: the position of the first dot.
    dots: HashMap<u32, Option<usize>>,
    // Rows by the text before the first dot, the text after it, and whether the op is registered.
    by_name: HashMap<(u32, u32, bool), PoolName>,
}

/// Means that there is no dot.
const NO_TEXT: u32 = u32::MAX;

impl<'m> Names<'m> {
    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// A name; `None` past the end.
    #[inline]
    pub(crate) fn get(&self, name: PoolName) -> Option<NameRow> {
        self.rows.get(name.index()).copied()
    }

    /// The number of texts.
    pub(crate) fn text_count(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn text(&self, index: u32) -> &[u8] {
        self.texts.get(index as usize).map_or(&[], |text| text)
    }

    /// Returns the full name of a row, built if `budget` has the memory for it.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit).
    pub(crate) fn full(&self, name: PoolName, budget: &Budget) -> Result<String> {
        let Some(row) = self.get(name) else { return Ok(String::new()) };
        let (dialect, stem) = (self.text(row.dialect), self.text(row.stem));
        budget.spend(dialect.len() + stem.len() + size_of::<String>())?;
        let dialect = String::from_utf8_lossy(dialect);
        Ok(match stem.is_empty() {
            true => dialect.into_owned(),
            false => format!("{dialect}.{}", String::from_utf8_lossy(stem)),
        })
    }

    /// Returns the row of a name of the file with the parts `strings`, or of the name `new` if it is `Some`.
    /// Equal names share a row, unless `tells` separates registered ops from unregistered ops.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn add(
        &mut self,
        (name, strings): (&OperationName<'m>, (u32, u32)),
        new: Option<&str>,
        (is_registered, tells): (bool, bool),
        budget: &Budget,
    ) -> Result<PoolName> {
        if let Some(new) = new {
            let (dialect, stem) = new.split_once('.').unwrap_or((new, ""));
            let [dialect, stem] = [dialect, stem].map(|text| self.owned(text.as_bytes().to_vec()));
            let after_dot = if new.contains('.') { stem } else { NO_TEXT };
            return Ok(self.row((dialect, after_dot, tells && is_registered), dialect, stem, is_registered));
        }
        let (dialect, stem) = (self.borrowed(strings.0, name.dialect), self.borrowed(strings.1, name.stem));
        let after_dot = if name.stem.is_empty() { NO_TEXT } else { stem };
        // The text before the first dot is the dialect, whatever the file declares.
        let dot =
            *self.dots.entry(dialect).or_insert_with(|| name.dialect.iter().position(|&byte| byte == b'.'));
        let (first, after_dot) = match dot {
            None => (dialect, after_dot),
            Some(dot) => {
                budget.spend(name.dialect.len() + name.stem.len() + size_of::<Vec<u8>>())?;
                let mut whole = name.full_bytes();
                let after_dot = whole.split_off(dot + 1);
                whole.truncate(dot);
                (self.owned(whole), self.owned(after_dot))
            }
        };
        Ok(self.row((first, after_dot, tells && is_registered), dialect, stem, is_registered))
    }

    /// Returns a row for an op that the file does not have.
    pub(crate) fn push(&mut self, name: &str) -> PoolName {
        let (dialect, stem) = name.split_once('.').unwrap_or((name, ""));
        let [dialect, stem] = [dialect, stem].map(|text| self.owned(text.as_bytes().to_vec()));
        self.rows.push(NameRow { dialect, stem, is_registered: true });
        PoolName::new(self.rows.len() as u32 - 1)
    }

    fn row(&mut self, key: (u32, u32, bool), dialect: u32, stem: u32, is_registered: bool) -> PoolName {
        let rows = &mut self.rows;
        *self.by_name.entry(key).or_insert_with(|| {
            rows.push(NameRow { dialect, stem, is_registered });
            PoolName::new(rows.len() as u32 - 1)
        })
    }

    fn borrowed(&mut self, string: u32, text: &'m [u8]) -> u32 {
        if let Some(&known) = self.of_file.get(&string) {
            return known;
        }
        let text = self.intern(Cow::Borrowed(text));
        self.of_file.insert(string, text);
        text
    }

    fn owned(&mut self, text: Vec<u8>) -> u32 {
        self.intern(Cow::Owned(text))
    }

    fn intern(&mut self, text: Cow<'m, [u8]>) -> u32 {
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let index = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.known.insert(text, index);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::id::OpNameId;
    use crate::wire::error::ErrorKind;
    use crate::wire::limits::Limits;

    fn rows(of: &[(&'static [u8], &'static [u8], bool)], budget: &Budget) -> Result<Vec<u32>> {
        let mut names = Names::default();
        let mut strings = 0;
        of.iter()
            .map(|&(dialect, stem, is_registered)| {
                let name = OperationName { id: OpNameId::new(0), dialect, stem, is_registered: None };
                strings += 2;
                let row = names.add((&name, (strings, strings + 1)), None, (is_registered, true), budget)?;
                Ok(row.number())
            })
            .collect()
    }

    #[test]
    fn equal_names_are_one_however_they_are_split() {
        let names: [(&[u8], &[u8], bool); 9] = [
            (b"a", b"b.c", true),
            (b"a", b"b.c", false),
            (b"a.b", b"c", true),
            (b"a.b.c", b"", true),
            (b"a", b"b", true),
            (b"a.b", b"", true),
            (b"a", b"", true),
            (b"a.", b"", true),
            (b"a", b"b.c", true),
        ];
        assert_eq!(rows(&names, &Limits::default().budget(0)).unwrap(), [0, 1, 0, 0, 2, 2, 3, 4, 0]);
    }

    #[test]
    fn a_name_has_its_dialect_and_a_dot() {
        let budget = Limits::default().budget(0);
        let mut names = Names::default();
        let mut full = |dialect, stem, strings| {
            let name = OperationName { id: OpNameId::new(0), dialect, stem, is_registered: None };
            let row = names.add((&name, strings), None, (true, true), &budget).unwrap();
            names.full(row, &budget).unwrap()
        };
        assert_eq!(full(b"a", b"b.c", (0, 1)), "a.b.c");
        assert_eq!(full(b"d", b"", (2, 3)), "d");
    }

    #[test]
    fn a_full_name_is_paid_for() {
        let mut names = Names::default();
        let name = OperationName { id: OpNameId::new(0), dialect: b"a", stem: b"b", is_registered: None };
        let row = names.add((&name, (0, 1)), None, (true, true), &Limits::default().budget(0)).unwrap();
        let full_with = |bytes: usize| {
            names.full(row, &Limits { max_memory: Some(bytes as u64), ..Limits::default() }.budget(0))
        };
        let needed = 2 + size_of::<String>();
        assert_eq!(full_with(needed - 1).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(full_with(needed).unwrap(), "a.b");
    }

    #[test]
    fn a_name_is_put_together_when_there_is_memory() {
        let names: [(&[u8], &[u8], bool); 1] = [(b"a.b", b"c", true)];
        let budget = Limits { max_memory: Some(8), ..Limits::default() }.budget(0);
        assert_eq!(rows(&names, &budget).unwrap_err().kind(), ErrorKind::MemoryLimit);
        assert_eq!(rows(&[(b"a", b"a name that is longer", true)], &budget).unwrap(), [0]);
    }
}
