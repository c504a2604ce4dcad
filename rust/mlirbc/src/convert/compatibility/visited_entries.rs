//! The attributes and types that a reader visits.

use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::{OpHead, OpSink};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::progress::Progress;
use crate::write::Pulse;
use crate::write::canonical::numbering::in_value;

/// The attributes and types that a reader visits.
pub(super) struct VisitedEntries {
    attributes: Vec<bool>,
    types: Vec<bool>,
    // Whether there are references to unknown targets.
    is_all: bool,
}

impl OpSink for VisitedEntries {
    #[inline]
    fn op(&mut self, head: OpHead) {
        self.add(EntryRef::Attribute(AttrId::new(head.location)));
        if let Some(attributes) = head.attributes {
            self.add(EntryRef::Attribute(AttrId::new(attributes)));
        }
    }

    #[inline]
    fn result(&mut self, r#type: TypeId) {
        self.add(EntryRef::Type(r#type));
    }

    fn argument(&mut self, r#type: TypeId, location: Option<AttrId>) {
        self.add(EntryRef::Type(r#type));
        if let Some(location) = location {
            self.add(EntryRef::Attribute(location));
        }
    }
}

impl VisitedEntries {
    /// Returns the entries that operations and blocks refer to, without properties.
    pub(super) fn of(module: &Module, budget: &Budget) -> Result<Self> {
        let counts = module.tables().entry_counts()?;
        let (attributes, types) = (counts.attributes as usize, counts.types as usize);
        let (attributes, types) = (budget.filled(false, attributes)?, budget.filled(false, types)?);
        let mut this = Self { attributes, types, is_all: false };
        module.stream_with(&mut this, budget, &Progress::default())?;
        Ok(this)
    }

    /// Marks an entry as visited. Returns whether it was not visited before.
    #[inline]
    pub(super) fn add(&mut self, of: EntryRef) -> bool {
        let row = match of {
            EntryRef::Attribute(index) => self.attributes.get_mut(index.index()),
            EntryRef::Type(index) => self.types.get_mut(index.index()),
        };
        row.is_some_and(|is_visited| !std::mem::replace(is_visited, true))
    }

    pub(super) fn add_properties(
        &mut self,
        reader: &PropertyReader<'_, '_>,
        name: OpNameId,
        blob: PropertyId,
    ) {
        let mut inherent = Vec::new();
        match reader.blob(name, reader.schema(name), blob, &mut inherent) {
            Ok(Inherent::Attribute(index)) => {
                self.add(EntryRef::Attribute(AttrId::new(index)));
            }
            Ok(Inherent::Declared(declared)) => {
                for field in declared.node.all() {
                    match *field {
                        Field::Attribute(index, _) => self.add(EntryRef::Attribute(index)),
                        Field::Type(index, _) => self.add(EntryRef::Type(index)),
                        _ => false,
                    };
                }
            }
            Ok(Inherent::Known) => {
                for property in inherent {
                    in_value(&property.value, &mut |index| {
                        self.add(EntryRef::Attribute(index));
                    });
                }
            }
            // The targets are unknown: any entry is possible.
            Ok(Inherent::Opaque(_)) | Err(_) => self.is_all = true,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = EntryRef> + '_ {
        let is_all = self.is_all;
        let visited = move |(index, &is_visited): (u32, &bool)| (is_visited || is_all).then_some(index);
        let attributes = (0..)
            .zip(&self.attributes)
            .filter_map(visited)
            .map(|index| EntryRef::Attribute(AttrId::new(index)));
        attributes
            .chain((0..).zip(&self.types).filter_map(visited).map(|index| EntryRef::Type(TypeId::new(index))))
    }

    /// Adds all entries that the visited ones refer to.
    pub(super) fn closed(
        mut self,
        entries: &FileEntries<'_>,
        module: &Module,
        budget: &Budget,
    ) -> Result<Self> {
        if self.is_all {
            return Ok(self);
        }
        let (mut node, mut pulse) = (Node::default(), Pulse::default());
        let mut stack: Vec<EntryRef> = budget.vec(self.attributes.len() + self.types.len())?;
        stack.extend(self.all());
        while let Some(of) = stack.pop() {
            pulse.beat(1, module.tables())?;
            let Some(entry) = entries.raw(of) else { continue };
            let Ok(Some((form, layout))) = entry.decode(of, entries, &mut node) else { continue };
            let Some(layout) = form.layouts.get(layout) else { continue };
            primitive::references(layout, &node, |to, _, _| {
                if self.add(to) {
                    stack.push(to);
                }
            });
        }
        Ok(self)
    }
}
