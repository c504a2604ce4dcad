//! Copies attributes, types and resources of another edited module.
//!
//! `Tables::import` copies entries of the other module's file, and remembers them. This module copies entries
//! that were added or replaced in the session, and all other entries if edits changed their meaning.

use std::collections::{HashMap, HashSet};

use crate::attr::table::Home;
use crate::dialect::entries::{EntryRef, bits_of};
use crate::dialect::node::{Node, TableIndex};
use crate::dialect::primitive;
use crate::dialect::table::Encoding;
use crate::file::resource::ResourceValue;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind, Result};

use super::tables::{Tables, cycle, known_form, no_such_entry};
use super::{Editor, ResourceContent};

/// The bytes of a row of the list of copied entries.
const COPIED_BYTES: usize = 32;

/// The copied entries, by their index in the source.
pub(super) type Copied = HashMap<EntryRef, EntryRef>;

/// The lengths of the tables whose rows have effects of their own: unused resources are written, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    attributes: usize,
    types: usize,
    keys: usize,
}

impl Tables {
    pub(super) fn mark(&self) -> Mark {
        Mark { attributes: self.attributes.len(), types: self.types.len(), keys: self.keys.len() }
    }

    /// Removes entries and resources that were added since the mark.
    fn return_to(&mut self, mark: Mark) {
        self.attributes.truncate(mark.attributes);
        self.types.truncate(mark.types);
        self.keys.truncate(mark.keys);
        let keys = self.counts.keys + mark.keys as u32;
        self.imported_resources.resources.retain(|&index, _| index < keys);
        self.imported_resources.numbers.retain(|_, index| *index < keys);
        self.imported_resources.edited.retain(|&index| index < keys);
        self.key_ids = None;
        self.entry_ids = None;
        self.unknown_location = None;
        self.copied.clear();
        self.homes.clear();
        self.dictionaries.clear();
    }

    // Returns whether entries of the file, and the resources that they refer to, are unchanged.
    fn keeps_entries(&self) -> bool {
        self.replaced.is_empty()
            && self.imported_resources.edited.is_empty()
            && !self.imported_resources.has_stand_ins
    }
}

impl Editor {
    /// Removes the entries and resources that were added since the mark.
    pub(super) fn return_to(&mut self, mark: Mark) {
        self.tables.return_to(mark);
        let keys = self.tables.counts.keys + self.tables.keys.len() as u32;
        self.resources.dialect.retain(|&index, _| index < keys);
        self.resources.resized.retain(|&index| index < keys);
    }

    /// Returns the index of a copy of an entry of `source`.
    ///
    /// # Errors
    /// [`ErrorKind::EntryNoTable`] if its encoding, or that of something it refers to, is unknown.
    pub(super) fn copied_entry(
        &mut self,
        source: &Self,
        root: EntryRef,
        copied: &mut Copied,
    ) -> Result<EntryRef> {
        if let Some(&known) = copied.get(&root) {
            return Ok(known);
        }
        let home = Home::File(source.base.tables().clone());
        let is_same = source.base.tables().is(self.base.tables());
        let keeps = source.tables.keeps_entries() && (!is_same || self.tables.keeps_entries());
        let counts = source.tables.counts;
        let is_of_file = |of: EntryRef| match of {
            EntryRef::Attribute(index) => index < AttrId::new(counts.attributes),
            EntryRef::Type(index) => index < TypeId::new(counts.types),
        };
        let view = source.tables.view()?;
        let mut node = Node::default();
        let mut open = HashSet::new();
        let mut missing = Vec::new();
        let mut stack = vec![root];
        while let Some(&of) = stack.last() {
            if copied.contains_key(&of) {
                stack.pop();
                continue;
            }
            self.tables.budget.spend(COPIED_BYTES)?;
            if keeps && is_of_file(of) {
                copied.insert(of, self.tables.import(&home, of)?);
                stack.pop();
                continue;
            }
            let entry = view.raw(of).ok_or_else(|| no_such_entry(of))?;
            let is_type = matches!(of, EntryRef::Type(_));
            let copy = if entry.is_text {
                self.tables.add_entry(is_type, entry.dialect, true, entry.data.to_vec(), false)?
            } else {
                let (form, layout) = known_form(&entry, of, &view, &mut node)?;
                missing.clear();
                primitive::references(layout, &node, |to, _, _| {
                    if !copied.contains_key(&to) {
                        missing.push(to);
                    }
                });
                if !missing.is_empty() {
                    open.insert(of);
                    if missing.iter().any(|to| open.contains(to)) {
                        return Err(cycle());
                    }
                    stack.extend_from_slice(&missing);
                    continue;
                }
                let copy_of = |of: EntryRef| copied.get(&of).map_or(of.index(), |copy| copy.index());
                node.renumber(|index| {
                    Ok(match index {
                        TableIndex::String(index) => self.tables.string(source.tables.string_bytes(index))?,
                        TableIndex::Resource(index) => self.copied_key(source, index)?,
                        TableIndex::Attribute(index) => copy_of(EntryRef::Attribute(AttrId::new(index))),
                        TableIndex::Type(index) => copy_of(EntryRef::Type(TypeId::new(index))),
                    })
                })?;
                let dialect = self.tables.dialect(entry.dialect)?;
                let table = match form.value {
                    Some(_) => None,
                    None => self.tables.layouts_here(&home, dialect, form)?,
                };
                let forms =
                    table.as_deref().map(|table| if is_type { &table.types } else { &table.attributes });
                let to = forms.and_then(|forms| forms.rows.iter().find(|to| to.name == form.name));
                let to: Option<&Encoding> = to.filter(|to| !to.layouts.contains(layout));
                let target_view = self.tables.view()?;
                let data = match to.and_then(|to| Some((to, to.layouts.first()?))) {
                    Some(to) => {
                        super::versions::in_layout(&target_view, (form, layout), to, &node, entry.data)?
                    }
                    None => primitive::encode(form, layout, &node, entry.data, &|index| {
                        bits_of(&target_view, index)
                    })?,
                };
                let is_unique = crate::attr::table::is_distinct(form);
                let own_table = source.tables.own_table(of);
                self.tables.add_encoded(is_type, dialect, (data, own_table), is_unique)?
            };
            open.remove(&of);
            copied.insert(of, copy);
            stack.pop();
        }
        copied.get(&root).copied().ok_or_else(|| no_such_entry(root))
    }

    /// Returns the number of the key that a copied attribute refers to, and copies the resource; the key is
    /// `key_1` if this module has other content under the key.
    pub(super) fn copied_key(&mut self, source: &Self, index: u32) -> Result<u32> {
        let (dialect, key) = source.owned_key(index)?;
        if let Some(content) = source.edited_content(index)? {
            let new_key = self.content_key(&dialect, &key, content)?;
            if source.resources.resized.contains(&index) {
                self.resources.resized.insert(new_key);
            }
            return Ok(new_key);
        }
        let Some(origin) = source.tables.resource_of(index) else {
            return self.tables.key(&dialect, &key);
        };
        let externals = self.base.tables().resource_directory()?.externals;
        let own_key = origin.row.checked_sub(externals).and_then(|row| u32::try_from(row).ok());
        if origin.file.is(self.base.tables())
            && own_key.is_some_and(|own_key| self.tables.imported_resources.edited.contains(&own_key))
            && let Some(resource) = origin.file.resource(origin.row)?
            && let Some(ResourceValue::Blob { bytes, alignment, .. }) = resource.value()?
        {
            // Another editor of the same file changed the resource.
            let content = ResourceContent::Blob { bytes, alignment: Some(alignment) };
            return self.content_key(&dialect, &key, content);
        }
        self.tables.import_origin(&origin, &key)
    }

    /// Returns the content that a resource got in the session.
    pub(super) fn edited_content(&self, index: u32) -> Result<Option<ResourceContent>> {
        if let Some(content) = self.resources.dialect.get(&index) {
            return Ok(Some(content.clone()));
        }
        if index >= self.tables.counts.keys {
            return Ok(None);
        }
        let row = self.base.tables().resource_directory()?.externals + index as usize;
        Ok(self.resources.replaced.get(&row).cloned().flatten())
    }

    fn content_key(&mut self, dialect: &[u8], key: &[u8], content: ResourceContent) -> Result<u32> {
        let mut name = key.to_vec();
        let mut number = 0_u64;
        loop {
            match self.tables.find_key(dialect, &name)? {
                None => {
                    let index = self.tables.key(dialect, &name)?;
                    self.tables.edited_key(index);
                    self.resources.dialect.insert(index, content);
                    return Ok(index);
                }
                Some(index) => {
                    let current = self.edited_content(index)?;
                    if current.is_some_and(|current| is_same(&current, &content)) {
                        return Ok(index);
                    }
                }
            }
            number += 1;
            name = [key, format!("_{number}").as_bytes()].concat();
        }
    }
}

fn is_same(a: &ResourceContent, b: &ResourceContent) -> bool {
    if let (
        ResourceContent::Blob { bytes: a, alignment: known },
        ResourceContent::Blob { bytes: b, alignment },
    ) = (a, b)
        && std::ptr::eq::<[u8]>(&**a, &**b)
    {
        return known == alignment;
    }
    a == b
}

/// Creates the error for an operation that cannot be cloned.
#[cold]
pub(super) fn cannot_clone(path: String, reason: impl std::fmt::Display) -> Error {
    Error::message(ErrorKind::Edit, format!("cannot clone the operation: {reason}")).with_path(path)
}
