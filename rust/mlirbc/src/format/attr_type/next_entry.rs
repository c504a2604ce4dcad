//! Lookup of entries that are mostly requested in order: the position of the next entry is stored instead of
//! summed.

use super::{Entry, EntryTable, STEP};
use crate::format::id::{AttrId, TypeId};
use crate::wire::steps;
use crate::wire::varint::VarInt;

/// The entry after the last lookup in a table.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NextEntry {
    index: usize,
    // The first entry of the next group; 0 if nothing else is known.
    end: usize,
    dialect: u32,
    start: usize,
    position: usize,
}

impl EntryTable {
    /// Returns an attribute as [`Self::attribute`] does, in less time for the attribute that `next` expects.
    #[inline]
    pub(crate) fn attribute_in_order(&self, index: AttrId, next: &mut NextEntry) -> Option<Entry> {
        (index < AttrId::new(self.counts.attributes)).then(|| self.expected(index.index(), next)).flatten()
    }

    /// Returns a type as [`Self::type`] does, in less time for the type that `next` expects.
    #[inline]
    pub(crate) fn type_in_order(&self, index: TypeId, next: &mut NextEntry) -> Option<Entry> {
        self.expected(self.counts.attributes as usize + index.index(), next)
    }

    #[inline]
    fn expected(&self, index: usize, next: &mut NextEntry) -> Option<Entry> {
        if index != next.index {
            *next = NextEntry { index: index + 1, ..NextEntry::default() };
            return self.entry(index);
        }
        if index >= next.end {
            *next = self.found(index)?;
        }
        steps::count(1);
        let (VarInt(size), len) = VarInt::read(self.directory.get(next.position..)?)?;
        let entry = self.entry_at(next.dialect, next.start, size);
        (next.index, next.start, next.position) = (index + 1, entry.payload.end, next.position + len);
        Some(entry)
    }

    #[cold]
    fn found(&self, index: usize) -> Option<NextEntry> {
        let total = self.counts.attributes as usize + self.counts.types as usize;
        if index >= total {
            return None;
        }
        let after = self.groups.partition_point(|group| group.first as usize <= index);
        let group = self.groups.get(after.checked_sub(1)?)?;
        let end = self.groups.get(after).map_or(total, |next| next.first as usize);
        let place = index - group.first as usize;
        let (start, position) = self.samples.get(group.sample as usize + place / STEP)?;
        let mut next = NextEntry { index, end, dialect: group.dialect, start, position };
        steps::count(place % STEP);
        for _ in 0..place % STEP {
            let (VarInt(size), len) = VarInt::read(self.directory.get(next.position..)?)?;
            next.start = self.entry_at(group.dialect, next.start, size).payload.end;
            next.position += len;
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::super::EntryEncoding;
    use super::*;
    use crate::wire::bytes::Bytes;
    use crate::wire::cursor::ByteSink;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_order_gives_the_same_entries(
            entries in prop::collection::vec((0u32..2, any::<bool>(), 0u64..90), 1..300),
            attributes in any::<prop::sample::Index>(),
            runs in prop::collection::vec((any::<prop::sample::Index>(), 1usize..80), 1..20),
        ) {
            let entries: Vec<_> = entries.into_iter().map(|(dialect, custom, size)| {
                (dialect, if custom { EntryEncoding::Custom } else { EntryEncoding::Assembly }, size)
            }).collect();
            let (attributes, types) = entries.split_at(attributes.index(entries.len()));
            let mut sink = ByteSink::new();
            EntryTable::write(attributes, types, &mut sink);
            let payloads = entries.iter().map(|entry| entry.2 as usize).sum();
            let budget = Limits::default().budget(0);
            let table = EntryTable::read(Bytes::from(sink.into_bytes()), 0, payloads, 2, &budget).unwrap();
            let mut next = NextEntry::default();
            for (first, count) in runs {
                let first = first.index(entries.len());
                for index in first..first + count {
                    prop_assert_eq!(table.expected(index, &mut next), table.entry(index));
                }
            }
            for index in 0..attributes.len() as u32 + 2 {
                prop_assert_eq!(table.attribute_in_order(AttrId::new(index), &mut next), table.attribute(AttrId::new(index)));
            }
            for index in 0..types.len() as u32 + 2 {
                prop_assert_eq!(table.type_in_order(TypeId::new(index), &mut next), table.r#type(TypeId::new(index)));
            }
        }
    }
}
