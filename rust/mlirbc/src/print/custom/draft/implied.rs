//! Types that the text does not have: a parser infers them from what it has.

use super::Draft;

const OTHER_TYPE: &str = "a type that differs from the inferred one";

impl Draft<'_, '_, '_> {
    /// Notes if one of the types is not the one that the text stands for.
    pub(in crate::print) fn implies(&mut self, types: &[u32], text: &str) {
        if types.iter().any(|&one| self.plain_type(one) != text.as_bytes()) {
            self.lost.get_or_insert(OTHER_TYPE);
        }
    }

    /// Notes if one of the types is not this one, which is printed.
    pub(in crate::print) fn implies_same(&mut self, types: &[u32], printed: u32) {
        // A file may have a type twice.
        let others: Vec<u32> = types.iter().copied().filter(|&one| one != printed).collect();
        if others.is_empty() {
            return;
        }
        let printed = self.plain_type(printed);
        if others.iter().any(|&one| self.plain_type(one) != printed) {
            self.lost.get_or_insert(OTHER_TYPE);
        }
    }

    /// Notes if one of the types is not the pointee of a pointer type, which is printed.
    pub(in crate::print) fn implies_pointee(&mut self, types: &[u32], pointer: u32) {
        let pointer = self.plain_type(pointer);
        let Some(open) = pointer.iter().position(|byte| *byte == b'<') else { return };
        let is_pointee = |text: &[u8]| {
            pointer[open + 1..]
                .strip_prefix(text)
                .is_some_and(|rest| matches!(rest.first(), Some(b',' | b'>')))
        };
        let types: Vec<_> = types.iter().map(|&one| self.plain_type(one)).collect();
        if !types.iter().all(|text| is_pointee(text)) {
            self.lost.get_or_insert(OTHER_TYPE);
        }
    }
}
