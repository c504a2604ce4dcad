//! Writes the properties of an operation, and the rest of its dictionary.

use super::{Level, OpPrinter, Shared, Tail};
use crate::attr::text::entry::Elide;
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::format::id::{AttrId, OpNameId};
use crate::ir::body::{Body, NONE};
use crate::ir::module::Inherent;
use crate::ir::{OpId, Operation};
use crate::print::declared_properties::sorted_fields;
use crate::wire::error::{Error, Result};

impl<'m> OpPrinter<'m, '_> {
    /// Prints the properties if the release prints them separately; stores the rest of the dictionary for the
    /// tail.
    pub(super) fn properties(&mut self, out: &mut Out<'_>, level: usize, op: u32) -> Result<()> {
        let body = self.levels[level].body;
        let (blob, dictionary) = (body.op_properties.get(op as usize), body.op_attributes.get(op as usize));
        if !self.style.has_properties()
            || blob == NONE && dictionary == NONE && !self.has_fields(body, op)
            || self.reader.is_without_properties(OpNameId::new(body.op_name[op as usize]))
        {
            return Ok(());
        }
        let key = (body.op_name[op as usize], blob, dictionary);
        if let Some(shared) = self.shared.get(&key)
            // The first faults are all reported.
            && !(shared.is_fault && self.entries.keeps_faults())
        {
            out.bytes(&shared.properties);
            if !matches!(shared.tail, Tail::Own) {
                self.tails.push((level, op));
            }
            return Ok(());
        }
        let start = out.position();
        let handle = Operation::new(self.module, body, self.levels[level].id, OpId::new(op));
        let mut inherent = std::mem::take(&mut self.inherent);
        let mut discardable = std::mem::take(&mut self.discardable);
        match self.reader.read(&handle, &mut inherent, &mut discardable) {
            Ok(Inherent::Known) => self.entries.properties(out, &mut inherent),
            Ok(Inherent::Attribute(index)) => {
                out.text(" <");
                self.entries.attribute(out, AttrId::new(index), Elide::Never);
                out.text(">");
            }
            Ok(Inherent::Opaque(blob)) => self.opaque(out, &handle, &blob),
            Ok(Inherent::Declared(declared)) => {
                let fields = sorted_fields(self.module, &declared)?;
                self.entries.declared_properties(out, &fields);
            }
            Err(error) => {
                let blob = self.module.tables().properties()?.get(blob).unwrap_or_default();
                self.unreadable(out, error, &blob);
                self.inherent = inherent;
                self.discardable = discardable;
                self.share(out, start, key, Tail::Own, true);
                return Ok(());
            }
        }
        // The dictionary is written unchanged unless some attributes were inherent.
        let is_own =
            dictionary == NONE || self.total_attributes(AttrId::new(dictionary)) == Some(discardable.len());
        if !is_own {
            self.tails.push((level, op));
        }
        self.inherent = inherent;
        self.discardable = discardable;
        self.share(out, start, key, if is_own { Tail::Own } else { Tail::Rest }, false);
        Ok(())
    }

    // Caches the text since `start` for ops with the same properties and dictionary.
    fn share(&mut self, out: &Out<'_>, start: u64, key: (u32, u32, u32), tail: Tail, is_fault: bool) {
        let text = out.since(start).filter(|text| text.len() <= self.longest_shared);
        if let Some(text) = text
            && self.has_room(text.len() + 2 * size_of::<((u32, u32, u32), Shared)>())
        {
            self.shared.insert(key, Shared { properties: text.into(), tail, is_fault });
        }
    }

    fn has_room(&mut self, len: usize) -> bool {
        let bytes = self.shared_bytes + len;
        let has_room = bytes < self.most_shared && self.held.grow_to(bytes).is_ok();
        if has_room {
            self.shared_bytes = bytes;
        }
        has_room
    }

    // Returns whether an op may have property values; ops without blob and dictionary may still have default
    // values.
    fn has_fields(&self, body: &Body, op: u32) -> bool {
        let name = OpNameId::new(body.op_name[op as usize]);
        self.reader.schema(name).is_some_and(|schema| schema.fields().len() > 0)
    }

    /// Writes the dictionary of an op without its inherent part.
    pub(super) fn rest(&mut self, out: &mut Out<'_>, level: usize, op: u32) {
        let Level { body, id, .. } = self.levels[level];
        let (blob, dictionary) = (body.op_properties.get(op as usize), body.op_attributes.get(op as usize));
        let key = (body.op_name[op as usize], blob, dictionary);
        if let Some(Shared { tail: Tail::Text(text), .. }) = self.shared.get(&key) {
            return out.bytes(text);
        }
        let start = out.position();
        let handle = Operation::new(self.module, body, id, OpId::new(op));
        let mut inherent = std::mem::take(&mut self.inherent);
        let mut discardable = std::mem::take(&mut self.discardable);
        // A failure was already reported before the regions.
        if self.reader.read(&handle, &mut inherent, &mut discardable).is_ok() {
            self.write_attributes(out, &discardable);
        }
        self.inherent = inherent;
        self.discardable = discardable;
        if let Some(text) = out.since(start).filter(|text| text.len() <= self.longest_shared)
            && self.has_room(text.len())
            && let Some(shared) = self.shared.get_mut(&key)
        {
            shared.tail = Tail::Text(text.into());
        }
    }

    fn total_attributes(&mut self, dictionary: AttrId) -> Option<usize> {
        let attribute = EntryRef::Attribute(dictionary);
        let mut node = std::mem::take(&mut self.node);
        let decoded = self.file.entry(attribute).map(|entry| entry.decode(attribute, self.file, &mut node));
        let total = matches!(decoded, Some(Ok(Some(_)))).then(|| node.items(0).len() / 2);
        self.node = node;
        total
    }

    fn write_attributes(&mut self, out: &mut Out<'_>, attributes: &[(u32, u32)]) {
        for (place, &(name, value)) in attributes.iter().enumerate() {
            out.text(if place == 0 { " {" } else { ", " });
            let file = self.file;
            let name = crate::attr::text::entry::string_of(file, AttrId::new(name)).unwrap_or_default();
            self.entries.named(out, name, AttrId::new(value));
            out.flush_if_large();
            if out.has_failed() {
                return;
            }
        }
        if !attributes.is_empty() {
            out.text("}");
        }
    }

    fn opaque(&mut self, out: &mut Out<'_>, op: &Operation<'m>, blob: &[u8]) {
        let Some(id) = op.properties() else { return };
        let mut error = self.reader.why_opaque(op.name_id(), id);
        // The length of a path grows with the depth of the op.
        if self.entries.keeps_faults() {
            error = error.with_path(op.path());
        }
        self.unreadable(out, error, blob);
    }

    fn unreadable(&mut self, out: &mut Out<'_>, error: Error, blob: &[u8]) {
        out.text(" <<PROPERTIES 0x");
        out.hex(blob);
        out.text(">>");
        self.entries.fault(error);
    }
}
