//! Values that the code of a dialect reads, re-encoded by that code for another version of the dialect.

use std::collections::HashMap;

use crate::attr::hooks::{DialectValue, WrittenProperties, try_build_with_hook};
use crate::attr::table::Home;
use crate::attr::{Attribute, Handle};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::value_form::ValueSort;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::Result;

use super::Editor;
use super::tables::{NewEntry, known_form};

/// New encodings of values, by index.
pub(super) type ReencodedValues = Vec<(EntryRef, NewEntry)>;

impl Editor {
    /// Re-encodes the values that the code of the dialect read from the file for a version. Values set in
    /// this session are assumed to be encoded for this version; values that the code does not write are left
    /// out.
    ///
    /// # Errors
    /// Errors of the hooks, also if they read a different value than they wrote.
    pub(super) fn written_for_version(
        &mut self,
        dialect: &str,
        version: Option<&[u8]>,
    ) -> Result<ReencodedValues> {
        let Some(interface) = self.base.tables().find_interface(dialect).cloned() else {
            return Ok(Vec::new());
        };
        if !interface.reads_entries() {
            return Ok(Vec::new());
        }
        self.base.tables().settle_entries()?;
        let versions = self.written_versions_with(Some((dialect.as_bytes(), version)))?;
        let file = self.base.tables().clone();
        let entries = file.entries()?;
        let counts = self.tables.counts;
        let attributes = AttrId::rows(0..counts.attributes).map(EntryRef::Attribute);
        let mut reencoded = Vec::new();
        for of in attributes.chain(TypeId::rows(0..counts.types).map(EntryRef::Type)) {
            self.base.tables().check_interrupt()?;
            let Some(entry) = entries.raw(of).filter(|entry| entry.dialect == dialect.as_bytes()) else {
                continue;
            };
            let is_read =
                entry.form(of).ok().flatten().is_some_and(|form| form.value.is_some()) && !entry.is_text;
            if !is_read || self.tables.replaced.contains_key(&of) {
                continue;
            }
            // Each value is encoded in tables of its own, which include the name.
            self.tables.budget.spend(2 * dialect.len() + entry.data.len())?;
            let handle = Handle { home: Home::File(file.clone()), of };
            let value = value_of(&handle)?;
            let sort = match of {
                EntryRef::Attribute(_) => ValueSort::Attribute,
                EntryRef::Type(_) => ValueSort::Type,
            };
            let written = try_build_with_hook(&*interface, sort, ("", &value), &versions)?;
            let Some(written) = written else { continue };
            self.keep_references(&handle.home, &references(&handle)?, &written)?;
            let own_table = written.home.own_table(written.of);
            let data = self.tables.import_properties(&WrittenProperties(written))?;
            reencoded.push((of, self.tables.value_entry(dialect.as_bytes(), data, own_table)?));
        }
        Ok(reencoded)
    }

    /// Replaces values of the file by their new encodings.
    pub(super) fn put_reencoded(&mut self, reencoded: ReencodedValues) {
        for (of, entry) in reencoded {
            self.tables.put(of, entry);
        }
    }

    /// Maps the entries that a new value refers to onto the equal entries that the old value refers to: they
    /// get the same indices, and may themselves be re-encoded.
    ///
    /// # Errors
    /// If a table is malformed.
    #[allow(clippy::mutable_key_type)] // caches, which equality ignores
    pub(super) fn keep_references(&mut self, home: &Home, old: &[EntryRef], written: &Handle) -> Result<()> {
        let handle = |home: &Home, of| (matches!(of, EntryRef::Type(_)), Handle { home: home.clone(), of });
        let is_of_file = matches!(home, Home::File(file) if file.is(self.base.tables()));
        let mut indices = HashMap::new();
        for &of in old {
            let index = if is_of_file { Some(of) } else { self.tables.copied.get(home.address(), of) };
            if let Some(index) = index {
                indices.entry(handle(home, of)).or_insert(index);
            }
        }
        let address = written.home.address();
        for of in references(written)? {
            if let Some(&same) = indices.get(&handle(&written.home, of)) {
                self.tables.copied.insert(address, of, same);
            }
        }
        self.tables.homes.insert(address, written.home.clone());
        Ok(())
    }
}

fn references(value: &Handle) -> Result<Vec<EntryRef>> {
    let view = value.home.view()?;
    let Some(entry) = view.raw(value.of) else { return Ok(Vec::new()) };
    let mut node = Node::default();
    let (_, layout) = known_form(&entry, value.of, &view, &mut node)?;
    let mut entries = Vec::new();
    primitive::references(layout, &node, |to, _, _| entries.push(to));
    Ok(entries)
}

fn value_of(handle: &Handle) -> Result<DialectValue> {
    let view = handle.home.view()?;
    let form = view.raw(handle.of).map(|entry| entry.form(handle.of)).transpose()?.flatten();
    let mnemonic = form.and_then(|form| form.mnemonic.as_deref()).unwrap_or_default();
    let class = form.map(|form| form.kind.to_string());
    let fields = Attribute(handle.clone()).fields()?;
    Ok(DialectValue { mnemonic: mnemonic.to_owned(), class, asm: None, fields })
}
