//! Resources of attributes that were copied from other modules. Their bytes stay in the original file until
//! they are written.
//!
//! A copied resource keeps its key if this module does not use it. If the module has different content under
//! the key, the resource gets the next unused name, `key_1` and so on (`DialectResourceBlobManager::insert`
//! in `mlir/lib/IR/DialectResourceBlobManager.cpp`).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::attr::table::{Home, Origin};
use crate::file::FileTables;
use crate::format::resource::ResourcePayload;
use crate::wire::error::Result;
use crate::wire::steps;

use super::tables::Tables;

/// The module of a blob, its byte range in the file, and its alignment.
type ImportedBlob = (FileTables, Range<u64>, u64);

/// The copied resources, by key number.
#[derive(Debug, Default, Clone)]
pub(crate) struct ImportedResources {
    pub(crate) resources: HashMap<u32, Origin>,
    /// The numbers of copied resources, by the address and index of their origin; the origins keep the
    /// modules alive.
    pub(super) numbers: HashMap<(usize, usize), u32>,
    /// Keys whose content was set in this session.
    pub(super) edited: HashSet<u32>,
    /// Whether a key of the file has its content in another resource.
    pub(super) has_stand_ins: bool,
}

impl Tables {
    /// Returns the key number for a resource that attributes of another module refer to by `index`, and
    /// records the resource. `dialect` is the dialect of the attribute.
    pub(crate) fn import_key(
        &mut self,
        home: &Home,
        (dialect, key): (&[u8], &[u8]),
        index: u32,
    ) -> Result<u32> {
        match home.resource(index)? {
            Some(origin) => self.import_origin(&origin, key),
            None => self.key_for(dialect, key),
        }
    }

    /// Returns the key number for a resource of another module.
    pub(crate) fn import_origin(&mut self, origin: &Origin, key: &[u8]) -> Result<u32> {
        let externals = self.base.tables().resource_directory()?.externals;
        if origin.file.is(self.base.tables())
            && let Some(own_key) = origin.row.checked_sub(externals).and_then(|row| u32::try_from(row).ok())
        {
            return Ok(own_key);
        }
        let place = (origin.file.address(), origin.row);
        if let Some(&number) = self.imported_resources.numbers.get(&place)
            && !self.imported_resources.edited.contains(&number)
        {
            return Ok(number);
        }
        let resource = origin.file.resource(origin.row)?;
        let dialect = resource.as_ref().map_or(&b"builtin"[..], |resource| resource.group());
        let Some(blob) = blob_of(origin)? else { return self.key(dialect, key) };
        let mut name = key.to_vec();
        let mut number = 0_u64;
        let index = loop {
            match self.find_key(dialect, &name)? {
                None => {
                    let index = self.key(dialect, &name)?;
                    self.imported_resources.resources.insert(index, origin.clone());
                    break index;
                }
                Some(index) if self.has_content(index, &origin.file, &blob)? => break index,
                Some(_) => {}
            }
            number += 1;
            name = [key, format!("_{number}").as_bytes()].concat();
        };
        self.imported_resources.numbers.insert(place, index);
        Ok(index)
    }

    /// Records that the content of a resource was replaced.
    pub(crate) fn edited_key(&mut self, index: u32) {
        self.imported_resources.resources.remove(&index);
        self.imported_resources.edited.insert(index);
    }

    /// Returns the module of a copied resource, with its byte range and alignment.
    pub(crate) fn imported_blob(&self, index: u32) -> Result<Option<ImportedBlob>> {
        let Some(origin) = self.imported_resources.resources.get(&index) else { return Ok(None) };
        let blob = blob_of(origin)?;
        Ok(blob.map(|(range, alignment)| (origin.file.clone(), range, alignment)))
    }

    /// Returns the origin of a resource that attributes refer to by this number, if it is unchanged.
    pub(crate) fn resource_of(&self, index: u32) -> Option<Origin> {
        if self.imported_resources.edited.contains(&index) {
            return None;
        }
        if let Some(origin) = self.imported_resources.resources.get(&index) {
            return Some(origin.clone());
        }
        if index >= self.counts.keys {
            return None;
        }
        let row = self.base.tables().resource_directory().ok()?.externals + index as usize;
        Some(Origin { file: self.base.tables().clone(), row })
    }

    fn has_content(&self, index: u32, other: &FileTables, blob: &(Range<u64>, u64)) -> Result<bool> {
        let Some(origin) = self.resource_of(index) else { return Ok(false) };
        let Some((range, alignment)) = blob_of(&origin)? else { return Ok(false) };
        Ok(alignment == blob.1 && same_bytes(&origin.file, &range, other, &blob.0)?)
    }
}

fn blob_of(origin: &Origin) -> Result<Option<(Range<u64>, u64)>> {
    let Some(resource) = origin.file.resource(origin.row)? else { return Ok(None) };
    Ok(match resource.payload()? {
        Some(ResourcePayload::Blob { range, alignment }) => Some((range, alignment)),
        _ => None,
    })
}

fn same_bytes(left: &FileTables, l: &Range<u64>, right: &FileTables, r: &Range<u64>) -> Result<bool> {
    const STEP: u64 = 4 << 20;
    let len = l.end - l.start;
    if len != r.end - r.start {
        return Ok(false);
    }
    let mut done = 0;
    while done < len {
        let step = STEP.min(len - done);
        steps::count(step as usize);
        left.check_interrupt()?;
        let part = |module: &FileTables, range: &Range<u64>| {
            module.source().get(range.start + done..range.start + done + step)
        };
        if part(left, l)? != part(right, r)? {
            return Ok(false);
        }
        done += step;
    }
    Ok(true)
}
