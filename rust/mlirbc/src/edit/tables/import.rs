//! Imports attributes and types into the tables of an edited module, and exports them as values.

use super::view::View;
use super::{INDEX_BYTES, NewEntry, Tables, cycle, known_form, no_such_entry};
use crate::attr::Handle;
use crate::attr::hooks::WrittenProperties;
use crate::attr::import::{Importer, Read, import, import_with, renumber};
use crate::attr::table::{Builder, Home, is_distinct};
use crate::attr::{Attribute, Type};
use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{DialectTable, Encoding, Layout};
use crate::edit::arena::{EditAttr, EditType};
use crate::edit::release_encodings::ReleaseEncodings;
use crate::format::attr_type::EntryEncoding;
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use std::collections::HashMap;
use std::sync::Arc;

impl Tables {
    pub(crate) fn import_attribute(&mut self, value: &Attribute) -> Result<EditAttr> {
        match self.import(&value.0.home, value.0.of)? {
            EntryRef::Attribute(index) => Ok(EditAttr::new(index.number())),
            r#type => Err(no_such_entry(r#type)),
        }
    }

    pub(crate) fn import_type(&mut self, value: &Type) -> Result<EditType> {
        match self.import(&value.0.home, value.0.of)? {
            EntryRef::Type(index) => Ok(EditType::new(index.number())),
            attribute => Err(no_such_entry(attribute)),
        }
    }

    /// Copies an entry with all entries that it refers to; equal entries of the file are reused.
    pub(crate) fn import(&mut self, home: &Home, root: EntryRef) -> Result<EntryRef> {
        if let Home::File(file) = home
            && file.is(self.base.tables())
        {
            return Ok(root);
        }
        let address = home.address();
        if let Some(copy) = self.copied.get(address, root) {
            return Ok(copy);
        }
        if let Home::File(file) = home {
            file.settle_deeply(root)?;
        }
        if !self.homes.contains_key(&address) {
            self.budget.spend(INDEX_BYTES)?;
            self.homes.insert(address, home.clone());
        }
        let view = home.view()?;
        let mut memory = std::mem::take(&mut self.import_memory);
        let importer = CopyToTables { tables: self, home, address, view: &view, reads: b"builtin" };
        let imported = import_with(importer, root, &mut memory);
        self.import_memory = memory;
        imported
    }

    /// Returns property bytes with the indices of this module, after importing the entries that they refer
    /// to.
    pub(in crate::edit) fn import_properties(&mut self, properties: &WrittenProperties) -> Result<Vec<u8>> {
        let Handle { home, of } = &properties.0;
        let view = home.view()?;
        let Some(entry) = view.raw(*of) else { return Ok(Vec::new()) };
        let mut node = Node::default();
        let (form, layout) = known_form(&entry, *of, &view, &mut node)?;
        let mut references = Vec::new();
        primitive::references(layout, &node, |to, _, _| references.push(to));
        for to in references {
            self.import(home, to)?;
        }
        let address = home.address();
        let mut copy = CopyToTables { tables: self, home, address, view: &view, reads: entry.dialect };
        renumber(&mut copy, &mut node)?;
        let own_view = self.view()?;
        primitive::encode(form, layout, &node, entry.data, &|index| bits_of(&own_view, index))
    }

    /// Returns the table that the dialect's code created for an entry.
    pub(in crate::edit) fn own_table(&self, of: EntryRef) -> Option<Arc<DialectTable>> {
        let first = self.first_new();
        let (rows, base, index) = match of {
            EntryRef::Attribute(index) => (&self.attributes, first.attributes, index.number()),
            EntryRef::Type(index) => (&self.types, first.types, index.number()),
        };
        match (self.replaced.get(&of), index.checked_sub(base)) {
            (Some(entry), _) => entry.own_table.clone(),
            (None, None) if self.moved_tables.as_ref().is_some_and(|moved_tables| moved_tables.has(of)) => {
                None
            }
            (None, None) => self.base.tables().entries().ok()?.own_table(of),
            (None, Some(row)) => rows.get(row as usize)?.own_table.clone(),
        }
    }

    /// Adds an encoded entry, with the table that the dialect's code created for it.
    pub(in crate::edit) fn add_encoded(
        &mut self,
        is_type: bool,
        dialect: u32,
        (data, own_table): (Vec<u8>, Option<Arc<DialectTable>>),
        is_unique: bool,
    ) -> Result<EntryRef> {
        let (encoding, data) = (EntryEncoding::Custom, data.into());
        self.add(is_type, NewEntry { dialect, encoding, data, origin: None, own_table }, is_unique)
    }

    // Returns the table with this module's layouts for entries of an encoding; the dialect version may differ
    // from the origin.
    pub(in crate::edit) fn layouts_here(
        &self,
        home: &Home,
        dialect: u32,
        form: &Encoding,
    ) -> Result<Option<Arc<DialectTable>>> {
        let Some((name, own)) = self.dialects.get(dialect) else { return Ok(None) };
        if let Some(own) = own {
            return Ok(Some(own.clone()));
        }
        let Some(table) = home.ungated_codec(name).filter(|_| !form.gates.is_empty()) else {
            return Ok(None);
        };
        let version = match self.versions.get(&dialect) {
            Some(new) => new.as_deref().map(Bytes::copy_from_slice),
            None => self.base.tables().version_of(name)?,
        };
        let Some(version) = version else { return Ok(Some(table)) };
        Ok(Some(match table.read_version(&version, 0, &self.view()?)? {
            Some(numbers) => Arc::new(table.at_version(&numbers)),
            None => table,
        }))
    }

    // Returns the text of an entry that the release of the file does not decode; an error for a builtin
    // entry.
    fn text_for_release(
        &mut self,
        (home, view): (&Home, &crate::attr::table::View<'_>),
        entry: &RawEntry<'_>,
        of: EntryRef,
        (form, layout, node): (&Encoding, &Layout, &Node),
    ) -> Result<Option<Vec<u8>>> {
        let encodings = match &mut self.release_encodings {
            Some(own) => own,
            None => self.release_encodings.insert(ReleaseEncodings::of(&self.base)?),
        };
        let is_type = matches!(of, EntryRef::Type(_));
        match encodings {
            Some(encodings) if encodings.wrote(home) => Ok(None),
            Some(encodings) if !encodings.has_layout(entry.dialect, is_type, (form, layout)) => {
                encodings.check(view, of, entry.dialect, form)?;
                encodings.scalable_vector(view, of, node).map(Some)
            }
            // Entries of the builtin dialect cannot be stored as text in bytecode.
            Some(encodings) if entry.dialect == b"builtin" => {
                encodings.check(view, of, entry.dialect, form).map(|()| None)
            }
            Some(encodings) => {
                if encodings.has(entry.dialect, is_type, form.code) {
                    return Ok(None);
                }
                encodings.check(view, of, entry.dialect, form)?;
                encodings.text(view, of).map(Some)
            }
            None => Ok(None),
        }
    }

    // ---- entries as values ----

    pub(crate) fn attribute_value(&self, index: EditAttr) -> Result<Attribute> {
        self.value(EntryRef::Attribute(AttrId::new(index.number()))).map(Attribute)
    }

    pub(crate) fn type_value(&self, index: EditType) -> Result<Type> {
        self.value(EntryRef::Type(TypeId::new(index.number()))).map(Type)
    }

    pub(crate) fn value(&self, of: EntryRef) -> Result<Handle> {
        if self.replaced.is_empty() {
            if let Some(moved_tables) = self.moved_tables.as_ref().filter(|moved_tables| moved_tables.has(of))
            {
                return Ok(Handle { home: moved_tables.home(), of });
            }
            let first = self.first_new();
            let (rows, base, index) = match of {
                EntryRef::Attribute(index) => (&self.attributes, first.attributes, index.number()),
                EntryRef::Type(index) => (&self.types, first.types, index.number()),
            };
            match index.checked_sub(base) {
                None => return Ok(Handle { home: Home::File(self.base.tables().clone()), of }),
                Some(row) => {
                    if let Some(origin) = rows.get(row as usize).and_then(|entry| entry.origin.clone()) {
                        return Ok(origin);
                    }
                }
            }
        }
        self.standalone(of)
    }

    /// Returns a copy of an entry with the current state of all entries that it refers to.
    fn standalone(&self, root: EntryRef) -> Result<Handle> {
        let (view, mut builder) = (self.view()?, Builder::new());
        let copied = HashMap::new();
        let entry =
            import(CopyFromTables { tables: self, view: &view, builder: &mut builder, copied }, root)?;
        Ok(Handle { home: builder.finish(), of: entry })
    }
}

/// Copies entries of other tables into the tables of an edited module.
struct CopyToTables<'c, 'v> {
    tables: &'c mut Tables,
    home: &'c Home,
    address: usize,
    view: &'c crate::attr::table::View<'v>,
    /// The dialect of the last entry that was read; its fields are the ones that are renumbered.
    reads: &'c [u8],
}

impl CopyToTables<'_, '_> {
    fn origin(&self, of: EntryRef) -> Option<Handle> {
        let is_kept = self.tables.copied.has_origins(self.address);
        is_kept.then(|| Handle { home: self.home.clone(), of })
    }

    fn add(&mut self, of: EntryRef, entry: NewEntry, is_unique: bool) -> Result<EntryRef> {
        self.tables.add(matches!(of, EntryRef::Type(_)), entry, is_unique)
    }
}

impl<'v> Importer<'v> for CopyToTables<'_, 'v> {
    type Entry = (RawEntry<'v>, u32);

    fn copy_of(&self, of: EntryRef) -> Option<EntryRef> {
        self.tables.copied.get(self.address, of)
    }

    fn record(&mut self, of: EntryRef, copy: EntryRef) -> Result<()> {
        self.tables.copied.insert(self.address, of, copy);
        Ok(())
    }

    fn read(&mut self, of: EntryRef, node: &mut Node) -> Result<Read<'v, Self::Entry>> {
        let entry = self.view.raw(of).ok_or_else(|| no_such_entry(of))?;
        self.reads = entry.dialect;
        let dialect = self.tables.dialect(entry.dialect)?;
        let origin = self.origin(of);
        if entry.is_text {
            let data = self.home.payload(of);
            let row = NewEntry { dialect, encoding: EntryEncoding::Assembly, data, origin, own_table: None };
            return self.add(of, row, false).map(Read::Added);
        }
        let (form, layout) = known_form(&entry, of, self.view, node)?;
        // The release does not determine the form of values that the dialect's code reads.
        let text = match form.value {
            Some(_) => None,
            None => self.tables.text_for_release((self.home, self.view), &entry, of, (form, layout, node))?,
        };
        if let Some(text) = text {
            self.tables.budget.spend(text.len())?;
            let (encoding, data) = (EntryEncoding::Assembly, [&text[..], b"\0"].concat().into());
            let row = NewEntry { dialect, encoding, data, origin, own_table: None };
            return self.add(of, row, false).map(Read::Added);
        }
        Ok(Read::Fields((entry, dialect), form, layout))
    }

    fn string(&mut self, index: u32) -> Result<u32> {
        if let Some(known_copy) = self.tables.copied.string(self.address, index) {
            return Ok(known_copy);
        }
        let copy = self.tables.string(self.view.string(index))?;
        self.tables.copied.insert_string(self.address, index, copy);
        Ok(copy)
    }

    fn resource(&mut self, index: u32) -> Result<u32> {
        self.tables.import_key(self.home, (self.reads, self.view.resource_key(index)), index)
    }

    fn add(
        &mut self,
        of: EntryRef,
        (entry, dialect): Self::Entry,
        (form, layout): (&'v Encoding, &'v Layout),
        node: &mut Node,
    ) -> Result<EntryRef> {
        let table = match form.value {
            Some(_) => None,
            None => self.tables.layouts_here(self.home, dialect, form)?,
        };
        let forms = table.as_deref().map(|table| match of {
            EntryRef::Attribute(_) => &table.attributes,
            EntryRef::Type(_) => &table.types,
        });
        let to = forms.and_then(|forms| forms.rows.iter().find(|to| to.name == form.name));
        let to = to.filter(|to| !to.layouts.contains(layout));
        let to = to.and_then(|to| Some((to, to.layouts.first()?)));
        let own_table = self.home.own_table(of);
        let is_unique = is_distinct(form);
        if let Some(to) = to {
            let view = self.tables.view()?;
            let data = crate::edit::versions::in_layout(&view, (form, layout), to, node, entry.data)?;
            // A later request must not get the value in a different layout.
            let (encoding, data, origin) = (EntryEncoding::Custom, data.into(), None);
            return self.add(of, NewEntry { dialect, encoding, data, origin, own_table }, is_unique);
        }
        let mut sink = self.tables.sink();
        let view = self.tables.view()?;
        primitive::encode_into(form, layout, node, entry.data, &|index| bits_of(&view, index), &mut sink)?;
        let origin = self.origin(of);
        let is_type = matches!(of, EntryRef::Type(_));
        self.tables.add_sink(is_type, dialect, sink, (origin, own_table), is_unique)
    }

    fn cycle(&self, _: EntryRef) -> Error {
        cycle()
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.tables.budget)
    }

    fn poll(&self) -> Result<()> {
        self.tables.base.tables().check_interrupt()
    }
}

/// Copies entries of an edited module to tables of their own.
struct CopyFromTables<'c, 'v> {
    tables: &'v Tables,
    view: &'c View<'v>,
    builder: &'c mut Builder,
    copied: HashMap<EntryRef, EntryRef>,
}

impl<'v> Importer<'v> for CopyFromTables<'_, 'v> {
    type Entry = (RawEntry<'v>, u32);

    fn copy_of(&self, of: EntryRef) -> Option<EntryRef> {
        self.copied.get(&of).copied()
    }

    fn record(&mut self, of: EntryRef, copy: EntryRef) -> Result<()> {
        self.copied.insert(of, copy);
        Ok(())
    }

    fn read(&mut self, of: EntryRef, node: &mut Node) -> Result<Read<'v, Self::Entry>> {
        let entry = self.view.raw(of).ok_or_else(|| no_such_entry(of))?;
        // The entry has the layout of the dialect version in this module.
        let own_table = self.tables.own_table(of);
        let table = own_table.or_else(|| self.tables.dialects.table(entry.dialect).cloned());
        let dialect = self.builder.dialect_with(entry.dialect, table);
        if let Some(text) = entry.text() {
            return self.builder.text(matches!(of, EntryRef::Type(_)), dialect, text).map(Read::Added);
        }
        let (form, layout) = known_form(&entry, of, self.view, node)?;
        Ok(Read::Fields((entry, dialect), form, layout))
    }

    fn string(&mut self, index: u32) -> Result<u32> {
        Ok(self.builder.string(self.tables.string_bytes(index)))
    }

    fn resource(&mut self, index: u32) -> Result<u32> {
        let key = self.view.resource_key(index);
        Ok(match self.tables.resource_of(index) {
            Some(origin) => self.builder.key_at(key, origin),
            None => self.builder.key(key),
        })
    }

    fn add(
        &mut self,
        of: EntryRef,
        (entry, dialect): Self::Entry,
        (form, layout): (&'v Encoding, &'v Layout),
        node: &mut Node,
    ) -> Result<EntryRef> {
        let data = Bytes::copy_from_slice(entry.data);
        let identity = match is_distinct(form) {
            true => Home::File(self.tables.base.tables().clone()).identity(of),
            false => None,
        };
        let is_type = matches!(of, EntryRef::Type(_));
        self.builder.encoded(is_type, dialect, (form, layout), node, &data, identity)
    }

    fn cycle(&self, _: EntryRef) -> Error {
        cycle()
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.tables.budget)
    }

    fn poll(&self) -> Result<()> {
        self.tables.base.tables().check_interrupt()
    }
}
