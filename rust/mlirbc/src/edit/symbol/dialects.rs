//! Facts about symbols that bytecode does not contain: `data/symbols.toml`.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::toml::{TomlError, from_str};

/// The rows of `data/symbols.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SymbolData {
    tables: HashSet<Box<str>>,
    outside: HashSet<Box<str>>,
    strings: Vec<Strings>,
    declarations: HashMap<Box<str>, Declaration>,
}

/// An operation that declares its symbol if it has no body, or no value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Declaration {
    /// The attribute that a declaration shares with its definition.
    pub(crate) r#type: Box<str>,
    /// The attribute with the value.
    pub(crate) value: Option<Box<str>>,
    /// Attributes that declarations do not have.
    #[serde(default)]
    pub(crate) without: Vec<Box<str>>,
    /// Attributes with the values that declarations have.
    #[serde(default)]
    pub(crate) with: HashMap<Box<str>, Box<str>>,
    /// Attributes that are replaced by these values if they exist.
    #[serde(default)]
    pub(crate) instead: HashMap<Box<str>, Box<str>>,
}

/// A dialect whose symbols are strings in an attribute of the dialect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strings {
    pub(crate) dialect: Box<str>,
    /// The attribute class of such a string.
    pub(crate) string: Box<str>,
    /// The attribute class of a list of strings, which are in its first field.
    pub(crate) list: Box<str>,
    name: HashMap<Box<str>, Box<str>>,
    uses: HashMap<Box<str>, Vec<Box<str>>>,
    attributes: HashMap<Box<str>, Box<str>>,
}

impl SymbolData {
    /// Returns the shipped data.
    pub(crate) fn shipped() -> Result<&'static Self> {
        static SHIPPED: OnceLock<Result<SymbolData, String>> = OnceLock::new();
        let load = || from_str(include_str!("../../../data/symbols.toml"));
        let loaded = SHIPPED.get_or_init(|| load().map_err(|error: TomlError| error.to_string()));
        loaded.as_ref().map_err(|error| {
            Error::message(ErrorKind::DialectTable, format!("the table of symbols is invalid: {error}"))
        })
    }

    /// Returns the dialects whose symbols are strings in an attribute of the dialect.
    pub(crate) fn dialects(&self) -> impl Iterator<Item = &str> {
        self.strings.iter().map(|row| &*row.dialect)
    }

    /// Returns the descriptions of the string attributes, for dialects that have them.
    pub(crate) fn strings(&self) -> impl Iterator<Item = &Strings> {
        self.strings.iter()
    }

    /// Returns whether an op has the trait `SymbolTable`.
    pub(crate) fn is_table(&self, op: &str) -> bool {
        self.tables.contains(op)
    }

    /// Returns whether references of an op are resolved in the enclosing symbol table.
    pub(crate) fn is_outside(&self, op: &str) -> bool {
        self.outside.contains(op)
    }

    /// Returns the field in which an op defines a symbol by a string of its dialect.
    pub(crate) fn name_of(&self, op: &str) -> Option<(&Strings, &str)> {
        let mut rows = self.strings.iter();
        rows.find_map(|row| row.name.get(op).map(|field| (row, &**field)))
    }

    /// Returns the fields in which an op refers to symbols by strings of its dialect.
    pub(crate) fn uses_of(&self, op: &str) -> Option<(&Strings, &[Box<str>])> {
        let mut rows = self.strings.iter();
        rows.find_map(|row| row.uses.get(op).map(|fields| (row, &**fields)))
    }

    /// Returns the rules for declaring the symbol of an op; `None` if the op can only define it.
    pub(crate) fn declaration(&self, op: &str) -> Option<&Declaration> {
        self.declarations.get(op)
    }

    /// Returns the field of an attribute that refers to a symbol if it is a string of the dialect.
    pub(crate) fn attribute(&self, dialect: &[u8], form: &str) -> Option<(&Strings, &str)> {
        let row = self.strings.iter().find(|row| row.dialect.as_bytes() == dialect)?;
        row.attributes.get(form).map(|field| (row, &**field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::registry::Registry;
    use crate::props::PropertySchema;

    #[test]
    fn the_rows_name_operations_and_attributes_that_there_are() {
        let data = SymbolData::shipped().unwrap();
        assert!(data.is_table("builtin.module") && !data.is_table("func.func"));
        let ops = PropertySchema::shipped("stablehlo-1.20").unwrap();
        for row in &data.strings {
            let table = Registry::snapshot(&[], &[]).find(row.dialect.as_bytes()).unwrap();
            let form = |name: &str| table.attributes.rows.iter().find(|form| &*form.name == name).unwrap();
            assert!(
                form(&row.string).layouts[0].fields.len() == 1
                    && form(&row.list).layouts[0].fields.len() == 1
            );
            for (attribute, field) in &row.attributes {
                assert!(form(attribute).layouts[0].index(field).is_some(), "{attribute}");
            }
            let uses = row.uses.iter().flat_map(|(op, fields)| fields.iter().map(move |field| (op, field)));
            for (op, field) in row.name.iter().chain(uses) {
                assert!(ops.op(op.as_bytes()).unwrap().field(field).is_some(), "{op}");
            }
        }
    }
}
