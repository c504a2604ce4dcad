//! A valid file that is going to be damaged.

use mlirbc::section::SectionId;
use mlirbc::varint::VarInt;
use mlirbc::{Error, ErrorKind, Module, ReadOptions, Result};

use super::events::Events;
use super::preparations::{ATTRIBUTE, OTHER};
use super::sections::{Sections, cursor};
use super::tables::Tables;

/// Codes of the builtin attributes that the damage functions look for.
pub(super) mod code {
    pub(in crate::broken) const ARRAY: u64 = 0;
    pub(in crate::broken) const DICTIONARY: u64 = 1;
    pub(in crate::broken) const STRING: u64 = 2;
}

/// A valid file.
#[derive(Debug)]
pub(super) struct Original<'o> {
    /// The file.
    pub(super) bytes: &'o [u8],
    /// The module in the file.
    pub(super) bare: &'o [u8],
    /// The release of the file.
    pub(super) release: &'o str,
    /// The texts of the rule.
    pub(super) texts: &'static [&'static str],
}

impl Original<'_> {
    pub(super) fn module(&self) -> Result<Module> {
        let options = ReadOptions::default().release(mlirbc::Release::named(self.release.to_owned()));
        Module::from_source(self.bare.to_vec().into(), &options)
    }

    pub(super) fn tables(&self) -> Result<Tables> {
        Tables::read(self.bare)
    }

    pub(super) fn sections(&self) -> Result<Sections> {
        Ok(self.tables()?.write())
    }

    pub(super) fn events(&self) -> Result<Events> {
        Events::read(&self.module()?)
    }
}

/// Returns the error for a module that lacks the addition of its preparation.
pub(super) fn missing(what: &str) -> Error {
    Error::message(ErrorKind::Edit, format!("the module has no {what} that could be broken"))
}

/// Decodes an encoding of numbers.
pub(super) fn numbers(data: &[u8]) -> Result<Vec<u64>> {
    let mut cursor = cursor(data);
    let mut numbers = Vec::new();
    while !cursor.is_at_end() {
        numbers.push(cursor.varint()?);
    }
    Ok(numbers)
}

/// Encodes numbers.
pub(super) fn encoding(numbers: &[u64]) -> Vec<u8> {
    let mut data = Vec::new();
    numbers.iter().for_each(|&number| VarInt(number).write(&mut data));
    data
}

impl Tables {
    /// Returns the index of the attribute that a preparation added.
    pub(super) fn prepared(&self) -> Result<usize> {
        self.named(ATTRIBUTE)
    }

    /// Returns the index of the second attribute that a preparation added.
    pub(super) fn prepared_other(&self) -> Result<usize> {
        self.named(OTHER)
    }

    /// Returns the index of the attribute with this name on any operation.
    pub(super) fn named(&self, name: &str) -> Result<usize> {
        let builtin = self.dialect(b"builtin").ok_or_else(|| missing("builtin dialect"))?;
        let string = self.strings.iter().position(|string| string == name.as_bytes());
        let string = string.ok_or_else(|| missing("attribute"))? as u64;
        let encoded = || {
            let rows = self.attributes.iter().enumerate();
            rows.filter(|(_, entry)| entry.dialect == builtin && entry.is_encoded)
        };
        let key = encoding(&[code::STRING, string]);
        let key =
            encoded().find(|(_, entry)| entry.data == key).ok_or_else(|| missing("attribute"))?.0 as u64;
        for (_, entry) in encoded() {
            if let [code::DICTIONARY, _, pairs @ ..] = &numbers(&entry.data).unwrap_or_default()[..]
                && let Some(pair) = pairs.chunks_exact(2).find(|pair| pair.first() == Some(&key))
                && let Some(&value) = pair.get(1)
            {
                return Ok(value as usize);
            }
        }
        Err(missing("attribute"))
    }

    /// Adds an array.
    pub(super) fn push_array(&mut self, items: &[u64]) -> u64 {
        let dialect = self.dialect(b"builtin").unwrap_or_default();
        let data = encoding(&[&[code::ARRAY, items.len() as u64], items].concat());
        self.attributes.push(super::tables::Entry { dialect, is_encoded: true, data });
        self.attributes.len() as u64 - 1
    }
}

impl Sections {
    /// Changes the data of a section.
    pub(super) fn change(&mut self, id: SectionId, change: impl FnOnce(&mut Vec<u8>)) {
        let mut data = self.data(id).to_vec();
        change(&mut data);
        self.set(id, data);
    }
}
