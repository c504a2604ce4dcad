//! Digests of attributes and types: equal values of any file have equal digests, and different values have
//! different digests.
//!
//! A digest is SHA-256 of the structure, cut to 16 bytes. Unlike [`super::compare::hash`] it is the same in every
//! process, covers all bytes of blobs and the data of resources, and may be stored.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

use super::compare::{Shape, read_text};
use super::table::{Home, View};
use super::{Attribute, Handle};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::file::resource::{Resource, ResourceValue};
use crate::format::resource::ResourcePayload;
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::steps;

/// The digest of a value.
pub(crate) type Digest = [u8; 16];

/// The digest of a reference back to an entry that contains it; no valid file has one.
const CYCLE: Digest = [0xff; 16];

/// The number of bytes of a blob that are in memory at once.
const STEP: u64 = 8 << 20;

/// Returns the spelling of a text entry in the release in which all modules are compared, if the entry is
/// spelled otherwise there.
pub(crate) type Respell<'v> = &'v dyn Fn(&[u8]) -> Result<Option<Vec<u8>>>;

/// Digests of the entries of one table, each computed once.
pub(crate) struct Digests<'v> {
    home: &'v Home,
    view: &'v View<'v>,
    budget: &'v Budget,
    respell: Respell<'v>,
    digests: HashMap<EntryRef, Digest, foldhash::fast::RandomState>,
    // Digests by the address of a name: many entries may share one long name.
    names: HashMap<(usize, usize), Digest>,
    resources: HashMap<u32, Digest>,
    node: Node,
}

impl<'v> Digests<'v> {
    pub(crate) fn new(home: &'v Home, view: &'v View<'v>, budget: &'v Budget, respell: Respell<'v>) -> Self {
        let (digests, names, resources) = (HashMap::default(), HashMap::new(), HashMap::new());
        Self { home, view, budget, respell, digests, names, resources, node: Node::default() }
    }

    /// The digest of an entry.
    ///
    /// # Errors
    /// If a resource cannot be read, or the memory limit does not allow it.
    pub(crate) fn of(&mut self, root: EntryRef) -> Result<Digest> {
        if let Some(&digest) = self.digests.get(&root) {
            return Ok(digest);
        }
        let mut open = vec![self.open(root)?];
        loop {
            let Some((entry_ref, shape, next)) = open.last_mut() else { return Ok(CYCLE) };
            if let Some(&part) = shape.parts.get(*next) {
                *next += 1;
                if !self.digests.contains_key(&part) {
                    let opened = self.open(part)?;
                    open.push(opened);
                }
                continue;
            }
            let (entry_ref, digest) = (*entry_ref, self.close(*entry_ref, shape)?);
            self.digests.insert(entry_ref, digest);
            open.pop();
            if open.is_empty() {
                return Ok(digest);
            }
        }
    }

    /// Returns the digest of a value of other tables.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(crate) fn of_other(&self, value: &Attribute) -> Result<Digest> {
        self.of_handle(&value.0)
    }

    fn of_handle(&self, value: &Handle) -> Result<Digest> {
        let view = value.home.view()?;
        Digests::new(&value.home, &view, self.budget, self.respell).of(value.of)
    }

    // Opens an entry whose parts are being visited; until it is closed, references to it are a cycle.
    fn open(&mut self, entry_ref: EntryRef) -> Result<(EntryRef, Shape<'v>, usize)> {
        self.budget.spend(2 * size_of::<(EntryRef, Digest)>())?;
        self.digests.insert(entry_ref, CYCLE);
        Ok((entry_ref, Shape::new(self.home, self.view, entry_ref, &mut self.node), 0))
    }

    fn close(&mut self, entry_ref: EntryRef, shape: &Shape<'v>) -> Result<Digest> {
        if shape.is_text {
            if let Some(read) = read_text(self.view, entry_ref) {
                return self.of_handle(&read);
            }
            let (entry, _) = self.view.short(entry_ref).unzip();
            if let Some((dialect, text)) = entry.and_then(|entry| Some((entry.dialect, entry.text()?)))
                && let Some(respelled) = (self.respell)(text)?
            {
                let mut sha = start(entry_ref);
                piece(&mut sha, dialect);
                piece(&mut sha, &respelled);
                return Ok(finish(sha));
            }
            if let Some((dialect, text)) = entry.and_then(|entry| Some((entry.dialect, entry.text()?))) {
                let mut sha = start(entry_ref);
                piece(&mut sha, dialect);
                piece(&mut sha, text);
                return Ok(finish(sha));
            }
        }
        let mut sha = start(entry_ref);
        piece(&mut sha, &shape.head);
        steps::count(shape.head.len() + shape.blob.len());
        for name in &shape.names {
            let key = (name.as_ptr() as usize, name.len());
            let digest = self.names.entry(key).or_insert_with(|| of_bytes(name));
            sha.update(*digest);
        }
        piece(&mut sha, shape.blob);
        for part in &shape.parts {
            sha.update(self.digests.get(part).unwrap_or(&CYCLE));
        }
        for &resource in &shape.resources {
            let digest = match self.resources.get(&resource) {
                Some(&digest) => digest,
                None => {
                    let origin = self.home.resource(resource)?;
                    let value = origin.as_ref().map(|origin| origin.file.resource(origin.row)).transpose()?;
                    let digest = value.flatten().map_or(Ok(CYCLE), |value| of_resource(&value))?;
                    self.resources.insert(resource, digest);
                    digest
                }
            };
            sha.update(digest);
        }
        Ok(finish(sha))
    }
}

/// The digest of the value of a resource.
///
/// # Errors
/// If the resource cannot be read.
pub(crate) fn of_resource(resource: &Resource<'_>) -> Result<Digest> {
    let mut sha = Sha256::new();
    match resource.payload()? {
        Some(ResourcePayload::Blob { range, .. }) => {
            let size = range.end - range.start;
            sha.update(b"blob");
            sha.update(size.to_le_bytes());
            let mut done = 0;
            while done < size {
                let next = size.min(done + STEP);
                sha.update(&resource.read_range(done..next)?);
                // Without this exception, a large file would be in memory as a whole in the end.
                if size >= STEP {
                    resource.forget_range(done..next)?;
                }
                done = next;
            }
        }
        _ => match resource.value()? {
            Some(ResourceValue::Bool(value)) => sha.update([b'b', value.into()]),
            Some(ResourceValue::String(text)) => {
                sha.update(b"string");
                sha.update(text);
            }
            _ => sha.update(b"none"),
        },
    }
    Ok(finish(sha))
}

fn start(entry_ref: EntryRef) -> Sha256 {
    let mut sha = Sha256::new();
    sha.update([matches!(entry_ref, EntryRef::Type(_)).into()]);
    sha
}

fn piece(sha: &mut Sha256, bytes: &[u8]) {
    sha.update((bytes.len() as u64).to_le_bytes());
    sha.update(bytes);
}

/// The digest of bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).first_chunk().copied().unwrap_or_default()
}

pub(crate) fn finish(sha: Sha256) -> Digest {
    sha.finalize().first_chunk().copied().unwrap_or_default()
}
