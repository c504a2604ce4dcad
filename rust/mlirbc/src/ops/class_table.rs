//! Attributes and types of a pack that is not registered.

use std::collections::HashMap;
use std::sync::Arc;

use super::classes::{ClassDefinition, ClassRows, RawEnumeration, read_class};
use super::constraint::Enumeration;
use super::packs::NamedRow;

/// The enumerations that rows of attributes and types name.
#[derive(Debug)]
pub(crate) struct ClassTable(HashMap<Box<str>, Arc<Enumeration>>);

impl<'p> FromIterator<NamedRow<'p>> for ClassTable {
    fn from_iter<I: IntoIterator<Item = NamedRow<'p>>>(rows: I) -> Self {
        let read = |row: NamedRow<'p>| Some((row.name.into(), Arc::new(RawEnumeration::read(row.row)?)));
        Self(rows.into_iter().filter_map(read).collect())
    }
}

impl ClassRows for ClassTable {
    fn enumeration(&self, name: &str) -> Option<Arc<Enumeration>> {
        self.0.get(name).cloned()
    }
}

/// Reads the checked row of an attribute or a type.
pub(crate) fn read_class_of(row: NamedRow<'_>, table: &ClassTable) -> Option<ClassDefinition> {
    read_class(row, table)
}
