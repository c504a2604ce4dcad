//! Caches of one verifying thread, because many entries of a large file differ in a number alone.

use std::cell::Cell;

use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::table::{DialectTable, Encoding, Primitive};
use crate::file::FileEntries;
use crate::format::id::TypeId;
use crate::wire::varint::VarInt;

/// The entries, with a cache of recent lookups: most numbers of a file have one of a few types.
pub(super) struct RecentEntries<'e, 'm> {
    entries: &'e FileEntries<'m>,
    recent: [Cell<Option<(EntryRef, RawEntry<'m>)>>; 16],
}

impl<'e, 'm> RecentEntries<'e, 'm> {
    pub(super) fn new(entries: &'e FileEntries<'m>) -> Self {
        Self { entries, recent: [const { Cell::new(None) }; 16] }
    }
}

impl Entries for RecentEntries<'_, '_> {
    fn bounds(&self) -> Bounds {
        self.entries.bounds()
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        let slot = self.recent.get(of.index() as usize % self.recent.len())?;
        match slot.get() {
            Some((same, entry)) if same == of => Some(entry),
            _ => {
                let entry = self.entries.raw(of)?;
                slot.set(Some((of, entry)));
                Some(entry)
            }
        }
    }

    fn string(&self, index: u32) -> &[u8] {
        self.entries.string(index)
    }

    fn resource_key(&self, index: u32) -> &[u8] {
        self.entries.resource_key(index)
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        self.entries.table(dialect)
    }

    fn builtin(&self) -> &DialectTable {
        self.entries.builtin()
    }
}

/// The prefixes of valid entries that consist of a code, a reference and numbers: integers, floats and locations.
/// Another entry with the same code and reference differs in its numbers, so it needs no second check of the
/// reference.
#[derive(Default)]
pub(super) struct RecentBeginnings<'m>([Option<Beginning<'m>>; 16]);

struct Beginning<'m> {
    form: &'m Encoding,
    // The code and the reference.
    bytes: [u8; 12],
    len: usize,
    suffix: Suffix,
}

/// The numbers after the reference.
#[derive(Clone, Copy)]
enum Suffix {
    Byte,
    Varints(usize),
}

impl Suffix {
    #[inline]
    fn is(self, mut data: &[u8]) -> bool {
        let Self::Varints(count) = self else { return data.len() == 1 };
        for _ in 0..count {
            let Some((_, len)) = VarInt::read(data) else { return false };
            data = data.get(len..).unwrap_or_default();
        }
        data.is_empty()
    }
}

impl<'m> RecentBeginnings<'m> {
    // Most codes have one byte.
    fn slot(data: &[u8]) -> usize {
        match data {
            [code, reference, ..] => usize::from(code >> 1 ^ reference >> 1) % 16,
            _ => 0,
        }
    }

    /// Whether an entry begins like one that was added, and is valid as well.
    #[inline]
    pub(super) fn have(&self, form: &Encoding, data: &[u8]) -> bool {
        let Some(Some(known)) = self.0.get(Self::slot(data)) else { return false };
        let Some(beginning) = known.bytes.get(..known.len) else { return false };
        std::ptr::eq(known.form, form)
            && data.strip_prefix(beginning).is_some_and(|rest| known.suffix.is(rest))
    }

    /// Adds a valid entry if its encoding is one reference and numbers, and the target of the reference has
    /// no references. `bits` returns the number of bits in numbers of a type.
    pub(super) fn add(&mut self, form: &'m Encoding, data: &[u8], bits: impl FnOnce(TypeId) -> Option<u64>) {
        let [layout] = &form.layouts[..] else { return };
        let [reference, numbers @ ..] = &layout.fields[..] else { return };
        if !form.has_code || !matches!(reference.primitive, Primitive::Type | Primitive::Attribute(_)) {
            return;
        }
        let Some((_, code)) = VarInt::read(data) else { return };
        let Some((VarInt(index), len)) = VarInt::read(data.get(code..).unwrap_or_default()) else { return };
        let is_varint = |primitive: &Primitive| matches!(primitive, Primitive::Varint | Primitive::Signed);
        let suffix = match numbers {
            // `DialectReader::readAPIntWithKnownWidth` in BytecodeReader.cpp.
            [value] if value.primitive == Primitive::Bits(0) => {
                match u32::try_from(index).ok().map(TypeId::new).and_then(bits) {
                    Some(0..=8) => Suffix::Byte,
                    Some(9..=64) => Suffix::Varints(1),
                    _ => return,
                }
            }
            _ if numbers.iter().all(|number| is_varint(&number.primitive)) => Suffix::Varints(numbers.len()),
            _ => return,
        };
        let (mut bytes, len) = ([0; 12], code + len);
        if let (Some(beginning), Some(copy)) = (data.get(..len), bytes.get_mut(..len)) {
            copy.copy_from_slice(beginning);
            self.0[Self::slot(data)] = Some(Beginning { form, bytes, len, suffix });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::registry;

    #[test]
    fn entries_with_a_known_beginning_differ_in_their_numbers() {
        let builtin = registry::builtin();
        let form = |code| builtin.attributes.by_code(code).unwrap();
        let (integer, float, location) = (form(8), form(9), form(11));
        let bits =
            |r#type: TypeId| [Some(32), Some(8), None, Some(128)].get(r#type.index()).copied().flatten();
        let mut recent = RecentBeginnings::default();
        // The code, the type and the value.
        for known in [&[17, 1, 5][..], &[17, 3, 5], &[17, 5, 5], &[17, 7, 3, 5]] {
            recent.add(integer, known, bits);
        }
        // The code, the name of the file, line and column.
        recent.add(location, &[23, 9, 3, 3], bits);
        assert!(recent.have(integer, &[17, 1, 7]) && recent.have(integer, &[17, 1, 2, 9]));
        assert!(recent.have(integer, &[17, 3, 2]));
        assert!(recent.have(location, &[23, 9, 5, 2, 7]));
        for other in [
            &[17, 1][..],
            &[17, 1, 7, 7],
            &[17, 1, 2],
            &[17, 3],
            &[17, 3, 2, 9],
            &[17, 5, 5],
            &[17, 7, 3, 5],
            &[17],
            &[],
        ] {
            assert!(!recent.have(integer, other), "{other:?}");
        }
        for other in [&[23, 9, 5][..], &[23, 9, 5, 5, 5], &[23, 9, 5, 2], &[23, 11, 3, 3]] {
            assert!(!recent.have(location, other), "{other:?}");
        }
        assert!(!recent.have(float, &[17, 1, 7]));
        // A list is not a number.
        recent.add(form(0), &[1, 3, 1], bits);
        assert!(!recent.have(form(0), &[1, 3, 1]));
    }
}
