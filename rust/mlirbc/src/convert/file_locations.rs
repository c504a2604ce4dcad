//! The locations of a file that are written unchanged, beside copies of its other entries.
//!
//! Most attributes of a module are locations that one operation has. A location means the same in every
//! dialect, and refers to other locations and to a few names, so copying them would take most of the time of
//! a conversion.

use std::collections::HashMap;
use std::sync::Arc;

use crate::attr::import::{Visitor, visit_after_references};
use crate::attr::table::contains_itself;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::fixed_layout::{self, FixedPart};
use crate::dialect::node::{Field, Node};
use crate::file::{FileEntries, FileTables};
use crate::format::attr_type::NextEntry;
use crate::format::id::AttrId;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::write::canonical::index::PoolAttr;
use crate::write::canonical::pass::CopyReason;

use super::op::Target;
use super::pool::FILE_LINE_COL_RANGE;
use super::release::ReleaseConversion;

/// The locations of a file, and the written indices of the locations and of all attributes that they refer
/// to.
pub(super) struct FileLocations<'m> {
    pub(super) file: &'m FileEntries<'m>,
    /// Written indices by index in the file: locations keep their index, attributes to which they refer have
    /// the index of the copy.
    pub(super) places: Vec<Option<PoolAttr>>,
    /// The first attribute of the file for each copy.
    copied: HashMap<PoolAttr, AttrId>,
    /// The reason why the locations cannot be used after all.
    pub(super) fault: Option<CopyReason>,
    /// The target, if it is another release.
    conversion: Option<Arc<ReleaseConversion>>,
    shortens_ranges: bool,
    /// The code of the last location, and whether the target reads it: most locations have the same code.
    last_read: (u64, bool),
    // Most locations are read in the order of the file.
    next: NextEntry,
    references: Vec<EntryRef>,
    module: &'m FileTables,
    budget: Budget,
}

impl<'m> FileLocations<'m> {
    /// # Errors
    /// If the memory limit is exceeded.
    pub(super) fn new(
        module: &'m FileTables,
        file: &'m FileEntries<'m>,
        target: &Target,
        budget: &Budget,
    ) -> Result<Self> {
        let count = file.bounds().attributes as usize;
        Ok(Self {
            file,
            places: budget.filled(None, count)?,
            copied: HashMap::new(),
            fault: None,
            conversion: target.conversion.clone(),
            shortens_ranges: target.shortens_ranges,
            last_read: (u64::MAX, true),
            next: NextEntry::default(),
            references: Vec::new(),
            module,
            budget: budget.clone(),
        })
    }

    /// Returns the written index of a location, after all attributes that it refers to have one; `copy` gives
    /// the index of other attributes.
    ///
    /// # Errors
    /// If the location cannot be decoded or contains itself, and the errors of `copy`.
    pub(super) fn add(
        &mut self,
        root: AttrId,
        copy: impl FnMut(AttrId) -> Result<PoolAttr>,
    ) -> Result<Option<PoolAttr>> {
        // Most locations refer to a name that other locations have, too.
        let mut references = std::mem::take(&mut self.references);
        references.clear();
        let is_location = self.read(root, &mut references)?;
        let is_plain = is_location && references.is_empty();
        self.references = references;
        match is_plain {
            true => self.set(root, PoolAttr::new(root.number())),
            false => {
                visit_after_references(&mut LocationVisitor { to: self, copy }, EntryRef::Attribute(root))?
            }
        }
        Ok(self.places.get(root.index()).copied().flatten())
    }

    #[inline]
    fn is_known(&self, id: AttrId) -> bool {
        self.places.get(id.index()).is_none_or(Option::is_some)
    }

    #[inline]
    fn set(&mut self, id: AttrId, place: PoolAttr) {
        if let Some(known) = self.places.get_mut(id.index()) {
            *known = Some(place);
        }
    }

    /// Sets the index of an attribute that is not a location.
    fn set_copy(&mut self, id: AttrId, place: PoolAttr) -> Result<()> {
        self.budget.spend(2 * size_of::<(PoolAttr, AttrId)>())?;
        let first = *self.copied.entry(place).or_insert(id);
        // Locations with names that are equal may be equal.
        if first != id {
            self.fault = Some(CopyReason::EqualEntries);
        }
        self.set(id, place);
        Ok(())
    }

    /// Reads the references of a builtin location that have no index yet. Returns whether the attribute is
    /// such a location.
    fn read(&mut self, id: AttrId, references: &mut Vec<EntryRef>) -> Result<bool> {
        let entry_ref = EntryRef::Attribute(id);
        let Some(entry) = self.file.raw_in_order(entry_ref, &mut self.next) else { return Ok(false) };
        let Some(form) = entry.form(entry_ref)?.filter(|form| form.builtin.is_location()) else {
            return Ok(false);
        };
        if self.last_read.0 != form.code {
            let reads =
                |conversion: &Arc<ReleaseConversion>| conversion.reads(entry.dialect, false, form.code);
            let is_kept = !(self.shortens_ranges && form.code == FILE_LINE_COL_RANGE);
            self.last_read = (form.code, is_kept && self.conversion.as_ref().is_none_or(reads));
        }
        if !self.last_read.1 {
            self.fault = Some(CopyReason::StoredDifferently);
        }
        let mut add = |index| {
            if !self.is_known(AttrId::new(index)) {
                references.push(EntryRef::Attribute(AttrId::new(index)));
            }
        };
        if form.has_fixed_layout {
            fixed_layout::parts(
                form,
                entry.data,
                entry.offset,
                &self.file.bounds(),
                &mut |part| match part {
                    FixedPart::Attribute(index, ..) | FixedPart::OptionalAttribute(index, ..) => add(index),
                    _ => {}
                },
            )?;
            return Ok(true);
        }
        let mut node = Node::default();
        if entry.decode(entry_ref, self.file, &mut node)?.is_none() {
            return Ok(false);
        }
        for field in node.all() {
            if let Field::Attribute(index, _) = *field {
                add(index.number());
            }
        }
        Ok(true)
    }
}

/// A visitor that gives indices to locations, and to other attributes the indices of their copies.
struct LocationVisitor<'a, 'm, C> {
    to: &'a mut FileLocations<'m>,
    copy: C,
}

impl<C: FnMut(AttrId) -> Result<PoolAttr>> Visitor for LocationVisitor<'_, '_, C> {
    fn is_done(&self, of: EntryRef) -> bool {
        self.to.is_known(AttrId::new(of.index()))
    }

    fn read(&mut self, of: EntryRef, references: &mut Vec<EntryRef>) -> Result<()> {
        let id = AttrId::new(of.index());
        if !self.to.read(id, references)? {
            let place = (self.copy)(id)?;
            self.to.set_copy(id, place)?;
        }
        Ok(())
    }

    fn visit(&mut self, of: EntryRef) -> Result<()> {
        let id = AttrId::new(of.index());
        if !self.to.is_known(id) {
            self.to.set(id, PoolAttr::new(id.number()));
        }
        Ok(())
    }

    fn cycle(&self, of: EntryRef) -> Error {
        contains_itself(self.to.file.raw(of).map_or(0, |entry| entry.offset))
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.to.budget)
    }

    fn poll(&self) -> Result<()> {
        self.to.module.check_interrupt()
    }
}
