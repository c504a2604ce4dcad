//! The parts of a module that neither a table, a property schema nor code of a dialect describes.

use std::collections::HashMap;
use std::fmt::{self, Write};

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::registry;
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::ir::Module;
use crate::ir::module::PropertyReader;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;

use super::Pulse;
use super::plan::OpaqueKind;

/// The kind of an [`Unknown`] row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnknownKind {
    /// Operations that no schema, table or code describes.
    Operation,
    /// Properties whose bytes cannot be decoded.
    Properties,
    /// Attributes that cannot be decoded, or whose text belongs to a dialect that nothing describes.
    Attribute,
    /// Types that cannot be decoded, or whose text belongs to a dialect that nothing describes.
    Type,
}

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operation => "operation",
            Self::Properties => "properties",
            Self::Attribute => "attribute",
            Self::Type => "type",
        })
    }
}

/// Parts of one operation or dialect that nothing describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The kind of the parts.
    pub kind: UnknownKind,
    /// The operation, or the dialect of the attributes and types.
    pub name: String,
    /// The number of operations or entries.
    pub count: u64,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = crate::attr::shorten(&self.name);
        match self.kind {
            UnknownKind::Operation => write!(f, "{} `{name}`", self.kind),
            UnknownKind::Properties => write!(f, "{} of `{name}`", self.kind),
            UnknownKind::Attribute | UnknownKind::Type => write!(f, "{}s of `{name}`", self.kind),
        }?;
        write!(f, " ({})", self.count)
    }
}

/// The most rows that an error lists.
const LISTED: usize = 20;

impl Module {
    /// Everything that neither a table, a schema nor code of a dialect describes: operations by name, and
    /// attributes and types by dialect. Visits all operations and entries.
    ///
    /// # Errors
    /// If a table or the IR is malformed.
    ///
    /// ```
    /// use mlirbc::write::UnknownKind;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let unknown = module.unknown()?;
    /// assert_eq!((unknown[0].kind, &*unknown[0].name), (UnknownKind::Operation, "t.c"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn unknown(&self) -> Result<Vec<Unknown>> {
        let mut unknown = self.unknown_operations()?;
        for opaque in self.opaque()? {
            let kind = match opaque.kind {
                OpaqueKind::Properties => UnknownKind::Properties,
                OpaqueKind::Attribute => UnknownKind::Attribute,
                OpaqueKind::Type => UnknownKind::Type,
            };
            // Properties of an operation that nothing describes are not listed separately.
            let is_listed = |row: &Unknown| row.kind == UnknownKind::Operation && row.name == opaque.name;
            if kind != UnknownKind::Properties || !unknown.iter().any(is_listed) {
                unknown.push(Unknown { kind, name: opaque.name, count: opaque.count });
            }
        }
        self.unknown_texts(&mut unknown)?;
        order::sort_by(&mut unknown, |a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        Ok(unknown)
    }

    /// Refuses a module with parts that nothing describes, for callers that must understand the whole module.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownContent`] with a list, and as [`Self::unknown`].
    ///
    /// ```
    /// use mlirbc::{ErrorKind, Module};
    /// Module::open("../../examples/two_layers.mlirbc")?.require_known()?;
    /// let error = Module::from_bytes(mlirbc::doc_example())?.require_known().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::UnknownContent);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn require_known(&self) -> Result<()> {
        let unknown = self.unknown()?;
        if unknown.is_empty() {
            return Ok(());
        }
        let mut message = String::from("no table, schema or hook describes ");
        for (number, row) in unknown.iter().take(LISTED).enumerate() {
            let separator = if number == 0 { "" } else { ", " };
            let _ = write!(message, "{separator}{row}");
        }
        if unknown.len() > LISTED {
            let _ = write!(message, ", and {} more", unknown.len() - LISTED);
        }
        Err(Error::message(ErrorKind::UnknownContent, message))
    }

    fn unknown_operations(&self) -> Result<Vec<Unknown>> {
        let entries = self.tables().entries()?;
        let reader = PropertyReader::new(self, &entries)?;
        let budget = self.tables().work_budget();
        let mut unknown: Vec<Unknown> = Vec::new();
        let mut row_of: HashMap<Vec<u8>, usize> = HashMap::new();
        for ((index, count), name) in (0..).zip(self.op_counts()?).zip(self.tables().op_names()?) {
            if count == 0 || reader.schema(OpNameId::new(index)).is_some() {
                continue;
            }
            let dialect = String::from_utf8_lossy(name.dialect);
            // A table that a caller made for a dialect need not list operations without properties.
            let is_described = self.tables().codec(name.dialect).is_some_and(|table| {
                table.ops.find(name.stem).is_some() || registry::shipped(&dialect).is_none()
            });
            if is_described || self.tables().find_interface(&dialect).is_some() {
                continue;
            }
            let full = name.full_bytes();
            budget.spend(2 * full.len() + size_of::<Unknown>())?;
            match row_of.get(&full).and_then(|&row| unknown.get_mut(row)) {
                Some(row) => row.count += count,
                None => {
                    let name = String::from_utf8_lossy(&full).into_owned();
                    row_of.insert(full, unknown.len());
                    unknown.push(Unknown { kind: UnknownKind::Operation, name, count });
                }
            }
        }
        Ok(unknown)
    }

    // Attributes and types that are stored as text, of dialects that nothing describes.
    fn unknown_texts(&self, found: &mut Vec<Unknown>) -> Result<()> {
        let entries = self.tables().entries()?;
        let schema = self.release()?.schema();
        let (bounds, budget) = (entries.bounds(), self.tables().work_budget());
        let mut pulse = Pulse::default();
        for kind in [UnknownKind::Attribute, UnknownKind::Type] {
            let is_type = kind == UnknownKind::Type;
            // By the address of the dialect's name, which is the same slice for all its entries.
            let mut counts: HashMap<(usize, usize), (&[u8], u64)> = HashMap::new();
            for index in 0..if is_type { bounds.types } else { bounds.attributes } {
                let entry_ref = if is_type {
                    EntryRef::Type(TypeId::new(index))
                } else {
                    EntryRef::Attribute(AttrId::new(index))
                };
                pulse.beat(1, self.tables())?;
                let Some(entry) = entries.raw(entry_ref).filter(|entry| entry.is_text) else { continue };
                let name = entry.dialect;
                counts.entry((name.as_ptr() as usize, name.len())).or_insert((name, 0)).1 += 1;
            }
            let mut by_name: HashMap<&[u8], u64> = HashMap::new();
            for (name, count) in counts.into_values() {
                *by_name.entry(name).or_default() += count;
            }
            for (name, count) in by_name {
                let has_code = |dialect| self.tables().find_interface(dialect).is_some();
                let is_known = name == b"builtin"
                    || schema.is_some_and(|schema| schema.has_dialect(name))
                    || self.tables().codec(name).is_some()
                    || std::str::from_utf8(name).is_ok_and(has_code);
                if is_known {
                    continue;
                }
                budget.spend(name.len() + size_of::<Unknown>())?;
                let name = String::from_utf8_lossy(name).into_owned();
                match found.iter_mut().find(|row| row.kind == kind && row.name == name) {
                    Some(row) => row.count += count,
                    None => found.push(Unknown { kind, name, count }),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DialectTable;
    use crate::{ReadOptions, parse};

    #[test]
    fn a_table_of_a_caller_describes_all_operations_of_its_dialect() {
        let text = "\"unheard.a\"() : () -> ()\n\"stablehlo.a\"() : () -> ()\n\"unheard.b\"() : () -> ()\n";
        let bytes = parse::assemble(text, &parse::ParseOptions::default()).unwrap();
        let unknown = |dialects| {
            let options = ReadOptions { dialects, ..ReadOptions::default() };
            let module = Module::from_source(bytes.clone().into(), &options).unwrap();
            let rows = module.unknown().unwrap();
            rows.into_iter().map(|row| (row.kind, row.name, row.count)).collect::<Vec<_>>()
        };
        let row = |name: &str| (UnknownKind::Operation, name.to_owned(), 1);
        assert_eq!(unknown(Vec::new()), [row("stablehlo.a"), row("unheard.a"), row("unheard.b")]);
        let table = DialectTable::from_toml("dialect = 'unheard'").unwrap();
        assert_eq!(unknown(vec![table]), [row("stablehlo.a")]);
    }
}
