//! The trial of a layout with a blob of a file.

use std::cell::Cell;

use crate::dialect::entries::Entries;
use crate::props::codec::{Property, decode_traced};
use crate::props::schema::OpSchema;
use crate::wire::cursor::{FieldValue, Trace};

use super::{Contradiction, Evidence};

impl<E: Entries> Evidence<'_, E> {
    /// Returns the reason why a blob cannot have the layout of an op; `None` if it fits. `values` receives
    /// the decoded values.
    pub(super) fn contradiction<'s>(
        &self,
        op: &'s OpSchema,
        blob: u32,
        values: &mut Vec<Property<'s>>,
    ) -> Option<Contradiction> {
        let bytes = self.properties.get(blob)?;
        let offset = self.base + self.properties.position(blob).unwrap_or_default();
        let has_numbered_absence = Cell::new(false);
        values.clear();
        let source = (&*bytes, offset, AbsenceTrace(&has_numbered_absence));
        match decode_traced(op, self.version, source, self.entries, values) {
            Err(error) => Some(Contradiction::new(op.name(), &error)),
            Ok(()) if has_numbered_absence.get() => Some(Contradiction::of_absence(op.name(), offset)),
            Ok(()) => None,
        }
    }
}

impl<E> Evidence<'_, E> {
    /// Returns a contradiction if the numbers of groups in a blob are not written as MLIR writes them in the
    /// layout of an op: all numbers, or only the nonzero ones if these are at most half (`writeSparseArray`
    /// in `mlir/include/mlir/Bytecode/BytecodeImplementation.h`). `values` are the values of the blob in this
    /// layout.
    pub(super) fn miscount(
        &self,
        op: &OpSchema,
        blob: u32,
        values: &[Property<'_>],
    ) -> Option<Contradiction> {
        if !op.has_segment_sizes() || !self.version.has_native_segment_sizes() {
            return None;
        }
        let bytes = self.properties.get(blob)?;
        let is_same = op.encode(self.version, values).is_ok_and(|written| written == *bytes);
        let offset = self.base + self.properties.position(blob).unwrap_or_default();
        (!is_same).then(|| Contradiction::of_counts(op.name(), offset))
    }
}

/// Records an absent attribute with an index. MLIR writes zero for an absent attribute
/// (`writeOptionalAttribute` in `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`), so such a number is the index
/// of an attribute that the writer requires.
#[derive(Clone, Copy)]
struct AbsenceTrace<'c>(&'c Cell<bool>);

impl Trace for AbsenceTrace<'_> {
    #[inline]
    fn refine(self, value: FieldValue) {
        if matches!(value, FieldValue::FlaggedIndex(_, 1.., false)) {
            self.0.set(true);
        }
    }
}
