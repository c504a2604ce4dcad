//! What a thread of the sweep has looked at last: many entries of a large file are alike.

use std::cell::Cell;

use crate::dialect::entries::{Bounds, Entries, EntryRef, RawEntry};
use crate::dialect::table::{DialectTable, Encoding, Primitive};
use crate::file::FileEntries;
use crate::wire::varint::VarInt;

/// The entries, with those that were looked up last: numbers are of a few types.
pub(super) struct RecentEntries<'e, 'm> {
    entries: &'e FileEntries<'m>,
    known: [Cell<Option<(EntryRef, RawEntry<'m>)>>; 16],
}

impl<'e, 'm> RecentEntries<'e, 'm> {
    pub(super) fn new(entries: &'e FileEntries<'m>) -> Self {
        Self { entries, known: [const { Cell::new(None) }; 16] }
    }
}

impl Entries for RecentEntries<'_, '_> {
    fn bounds(&self) -> Bounds {
        self.entries.bounds()
    }

    fn entry(&self, of: EntryRef) -> Option<RawEntry<'_>> {
        let known = self.known.get(of.index() as usize % self.known.len())?;
        match known.get() {
            Some((same, entry)) if same == of => Some(entry),
            _ => {
                let entry = self.entries.raw(of)?;
                known.set(Some((of, entry)));
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

/// Numbers that were valid: another one with the same code and type differs in its value only.
#[derive(Default)]
pub(super) struct RecentNumbers<'m>([Option<KnownNumber<'m>>; 8]);

struct KnownNumber<'m> {
    form: &'m Encoding,
    // The code and the type, as bytes.
    beginning: [u8; 12],
    len: usize,
    bits: u64,
}

impl<'m> RecentNumbers<'m> {
    // Types differ in their second byte, if the code has one.
    fn slot(data: &[u8]) -> usize {
        data.get(1).map_or(0, |byte| usize::from(byte >> 1) % 8)
    }

    /// Whether an entry is a number like one that was added.
    #[inline]
    pub(super) fn have(&self, form: &Encoding, data: &[u8]) -> bool {
        let Some(Some(known)) = self.0.get(Self::slot(data)) else { return false };
        let Some(beginning) = known.beginning.get(..known.len) else { return false };
        std::ptr::eq(known.form, form)
            && data.strip_prefix(beginning).is_some_and(|value| match known.bits {
                // `DialectReader::readAPIntWithKnownWidth` in BytecodeReader.cpp.
                0..=8 => value.len() == 1,
                _ => VarInt::read(value).is_some_and(|(_, len)| len == value.len()),
            })
    }

    /// Adds a valid entry whose type has no references, if it is a number of up to 64 bits; `bits` says how many a type has.
    pub(super) fn add(&mut self, form: &'m Encoding, data: &[u8], bits: impl FnOnce(u32) -> Option<u64>) {
        let [layout] = &form.layouts[..] else { return };
        let [r#type, value] = &layout.fields[..] else { return };
        let is_number =
            matches!((&r#type.primitive, &value.primitive), (Primitive::Type, Primitive::Bits(0)));
        if !is_number || !form.has_code {
            return;
        }
        let Some((_, code)) = VarInt::read(data) else { return };
        let Some((VarInt(index), len)) = VarInt::read(data.get(code..).unwrap_or_default()) else { return };
        let (mut beginning, len) = ([0; 12], code + len);
        let bits = u32::try_from(index).ok().and_then(bits);
        if let (Some(bits @ 0..=64), Some(bytes), Some(copy)) =
            (bits, data.get(..len), beginning.get_mut(..len))
        {
            copy.copy_from_slice(bytes);
            self.0[Self::slot(data)] = Some(KnownNumber { form, beginning, len, bits });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::registry;

    #[test]
    fn numbers_of_a_known_type_differ_in_their_value() {
        let builtin = registry::builtin();
        let form = |code| builtin.attributes.by_code(code).unwrap();
        let (integer, float) = (form(8), form(9));
        let bits = |r#type| [Some(32), Some(8), None, Some(128)].get(r#type as usize).copied().flatten();
        let mut numbers = RecentNumbers::default();
        // The code, the type and the value.
        numbers.add(integer, &[17, 1, 5], bits);
        numbers.add(integer, &[17, 3, 5], bits);
        numbers.add(integer, &[17, 5, 5], bits);
        numbers.add(integer, &[17, 7, 3, 5], bits);
        assert!(numbers.have(integer, &[17, 1, 7]) && numbers.have(integer, &[17, 1, 2, 9]));
        assert!(numbers.have(integer, &[17, 3, 2]));
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
            assert!(!numbers.have(integer, other), "{other:?}");
        }
        assert!(!numbers.have(float, &[17, 1, 7]));
        // A list is not a number.
        numbers.add(form(0), &[1, 3, 1], bits);
        assert!(!numbers.have(form(0), &[1, 3, 1]));
    }
}
