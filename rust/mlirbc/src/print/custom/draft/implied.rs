//! Types that the text omits, and that a parser infers from the rest of the text.

use super::{Dimension, OperationDraft};

const OTHER_TYPE: &str = "a type that differs from the inferred one";

impl OperationDraft<'_, '_, '_> {
    fn note_other_type_unless(&mut self, is_inferred: bool) {
        if !is_inferred {
            self.lost.get_or_insert(OTHER_TYPE);
        }
    }

    /// Notes if one of the types is not the one that the text stands for.
    pub(in crate::print) fn implies(&mut self, types: &[u32], text: &str) {
        let is_inferred = types.iter().all(|&index| self.is_constant_type(index, text));
        self.note_other_type_unless(is_inferred);
    }

    /// Notes if one of the types is not this one, which is printed.
    pub(in crate::print) fn implies_same(&mut self, types: &[u32], printed: u32) {
        let is_inferred = types.iter().all(|&index| self.is_same_type(index, printed));
        self.note_other_type_unless(is_inferred);
    }

    /// Notes if one of the types is not the pointee of a pointer type, which is printed.
    pub(in crate::print) fn implies_pointee(&mut self, types: &[u32], pointer: u32) {
        let is_inferred = match self.spirv_pointer(pointer) {
            Some(pointer) => types.iter().all(|&index| self.is_part(pointer.pointee(), index)),
            None => false,
        };
        self.note_other_type_unless(is_inferred);
    }

    /// Notes if a type is not a reference to a local variable of another one, which is printed.
    pub(in crate::print) fn implies_local_reference(&mut self, reference: u32, target: u32) {
        let is_inferred = self.is_local_reference_to(reference, target);
        self.note_other_type_unless(is_inferred);
    }

    /// Notes if one of the types is not a vector with this size and this type of elements.
    pub(in crate::print) fn implies_vector(&mut self, types: &[u32], first: Dimension, element: u32) {
        let is_inferred = types.iter().all(|&index| self.is_vector_of(index, first, element));
        self.note_other_type_unless(is_inferred);
    }
}
