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
}
