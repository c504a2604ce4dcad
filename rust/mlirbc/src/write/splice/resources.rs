//! The resource sections of an edited module.

use crate::edit::Editor;
use crate::edit::ResourceContent;
use crate::edit::tables::NewKey;
use crate::file::FileTables;
use crate::format::resource::{
    ResourceDirectory, ResourceEntry, ResourceKind, ResourceOwner, ResourcePayload,
};
use crate::wire::bytes::open_regular;
use crate::wire::cursor::ByteSink;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::write::file_pieces::{FilePiece, FilePieces};
use std::collections::HashMap;
use std::ops::Range;

impl Editor {
    // Returns all rows, if a change of resources requires that they are written again.
    pub(super) fn resource_rows(&mut self, budget: &Budget) -> Result<Option<Vec<ResourceRow>>> {
        let is_changed = self.resources.is_changed() || !self.tables.keys.is_empty();
        if is_changed { self.all_resource_rows(budget).map(Some) } else { Ok(None) }
    }

    pub(super) fn all_resource_rows(&mut self, budget: &Budget) -> Result<Vec<ResourceRow>> {
        let base = self.base.clone();
        let count = base.resources()?.len() + self.resources.external.len() + self.tables.keys.len();
        // The size includes the bytes that precede the blob.
        const PER_RESOURCE: usize =
            size_of::<ResourceRow>() + size_of::<ResourceEntry>() + 2 * size_of::<FilePiece>();
        budget.spend(count.saturating_mul(PER_RESOURCE))?;
        let (mut rows, mut dialect) = (Vec::new(), Vec::new());
        for resource in base.resources()? {
            let (entry, index) = (resource.entry, resource.index());
            let content = match self.edited_resource(index).cloned() {
                Some(Some(content)) => self.new_content(content, Some(index))?,
                Some(None) if resource.is_external() => continue,
                Some(None) => Content::None,
                None if resource.has_data() => Content::InFile(index),
                None => Content::None,
            };
            let row = ResourceRow { owner: entry.owner, key: entry.key, kind: entry.kind, content };
            if resource.is_external() { rows.push(row) } else { dialect.push(row) }
        }
        let mut rows = self.with_added_resources(rows)?;
        rows.append(&mut dialect);
        if self.tables.keys.is_empty() {
            return Ok(rows);
        }
        for place in 0..self.tables.keys.len() {
            let NewKey { dialect, key } = self.tables.keys[place].clone();
            let (owner, key) = (ResourceOwner::Dialect(dialect), self.tables.string(&key)?);
            let content = self.resources.dialect.get(&(self.tables.counts.keys + place as u32)).cloned();
            let content = match content {
                Some(content) => self.new_content(content, None)?,
                None => match self.tables.imported_blob(self.tables.counts.keys + place as u32)? {
                    Some((module, range, alignment)) => Content::Foreign(module, range, alignment),
                    None => Content::None,
                },
            };
            rows.push(ResourceRow { owner, key, kind: 0, content });
        }
        Ok(rows)
    }

    /// Adds new external rows, each after the last row of its group.
    fn with_added_resources(&mut self, rows: Vec<ResourceRow>) -> Result<Vec<ResourceRow>> {
        let added: Vec<_> = self.resources.external.iter().cloned().collect();
        if added.is_empty() {
            return Ok(rows);
        }
        // For each group name: its owner, and the rows that follow its last row.
        let mut groups: HashMap<Vec<u8>, (ResourceOwner, Vec<ResourceRow>)> = HashMap::new();
        let mut new_groups: Vec<Vec<u8>> = Vec::new();
        let name_of = |editor: &Self, owner: ResourceOwner| match owner {
            ResourceOwner::External(name) => editor.tables.string_bytes(name).to_vec(),
            ResourceOwner::Dialect(_) => Vec::new(),
        };
        let mut last_rows: HashMap<Vec<u8>, usize> = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            let name = name_of(self, row.owner);
            last_rows.insert(name.clone(), place);
            groups.insert(name, (row.owner, Vec::new()));
        }
        for new in added {
            let name = new.group.name().to_vec();
            let new_owner = ResourceOwner::External(self.tables.string(&name)?);
            let key = self.tables.string(&new.key)?;
            let content = self.new_content(new.content, None)?;
            let (owner, following) = groups.entry(name).or_insert_with_key(|name| {
                new_groups.push(name.clone());
                (new_owner, Vec::new())
            });
            following.push(ResourceRow { owner: *owner, key, kind: 0, content });
        }
        let mut all = Vec::new();
        for (place, row) in rows.into_iter().enumerate() {
            let name = name_of(self, row.owner);
            all.push(row);
            if last_rows.get(&name) == Some(&place) {
                all.extend(groups.remove(&name).into_iter().flat_map(|(_, following)| following));
            }
        }
        let new_rows = new_groups.iter().filter_map(|name| groups.remove(name));
        all.extend(new_rows.flat_map(|(_, following)| following));
        Ok(all)
    }

    fn new_content(&mut self, content: ResourceContent, old: Option<usize>) -> Result<Content> {
        Ok(match content {
            ResourceContent::String(text) => Content::String(self.tables.string(&text)?),
            content => Content::New(content, old),
        })
    }

    pub(super) fn resources(&self, rows: Vec<ResourceRow>) -> Result<(ByteSink, FilePieces)> {
        let mut payloads = FilePieces::default();
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            let before = payloads.len();
            let mut kind = row.kind;
            match row.content {
                Content::None => {}
                Content::InFile(index) => {
                    if let Some(payload) =
                        self.base.tables().resource(index)?.map(|old| old.payload()).transpose()?.flatten()
                    {
                        payloads.payload(payload);
                    }
                }
                Content::String(index) => {
                    kind = ResourceKind::String as u8;
                    payloads.payload(ResourcePayload::String(index));
                }
                Content::Foreign(module, range, alignment) => {
                    kind = ResourceKind::Blob as u8;
                    payloads.blob(FilePiece::Foreign(module, range), alignment);
                }
                Content::New(content, old) => {
                    kind = content.kind() as u8;
                    self.new_payload(content, old, &mut payloads)?;
                }
            }
            let size = payloads.len() - before;
            entries.push(ResourceEntry {
                owner: row.owner,
                key: row.key,
                kind,
                position: 0,
                size,
                offset: 0,
            });
        }
        let mut directory = ByteSink::new();
        ResourceDirectory::write(&entries, &mut directory);
        Ok((directory, payloads))
    }

    fn new_payload(&self, content: ResourceContent, old: Option<usize>, out: &mut FilePieces) -> Result<()> {
        let (piece, alignment) = match content {
            ResourceContent::Bool(value) => {
                out.bytes(&[value.into()]);
                return Ok(());
            }
            ResourceContent::String(_) => return Ok(()),
            ResourceContent::Blob { bytes, alignment } => (FilePiece::Shared(bytes), alignment),
            ResourceContent::File { path, range, alignment } => {
                let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
                let size = open_regular(&path).map_err(failed)?.1.len();
                let range = range.unwrap_or(0..size);
                (FilePiece::File(path.clone().into(), range), alignment)
            }
        };
        let before = old.map(|index| self.base.tables().resource(index)).transpose()?.flatten();
        // The replaced resource may be malformed: MLIR writes blobs without data with an alignment of 0.
        let before = match before.and_then(|old| old.payload().ok().flatten()) {
            Some(ResourcePayload::Blob { alignment, .. }) => Some(alignment),
            _ => None,
        };
        out.blob(piece, alignment.or(before).unwrap_or(1));
        Ok(())
    }
}

/// A resource to write.
pub(super) struct ResourceRow {
    owner: ResourceOwner,
    key: u32,
    kind: u8,
    content: Content,
}

enum Content {
    None,
    InFile(usize),
    /// A string of the table.
    String(u32),
    /// A blob of another module, and its alignment.
    Foreign(FileTables, Range<u64>, u64),
    /// New content, and the row of the file that it replaces.
    New(ResourceContent, Option<usize>),
}
