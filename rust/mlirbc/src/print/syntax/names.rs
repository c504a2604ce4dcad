//! Implements [`NameSyntax`] for the printer: texts that depend on the names of values.
//!
//! Names are given to values after an operation was put into pieces, so the plan has both texts.

use crate::assembly::NameSyntax;

use super::super::draft::OperationDraft;
use super::super::plan::{NamedValue, PlanPiece};
use super::{Written, known};

impl OperationDraft<'_, '_, '_> {
    fn by_name(
        &mut self,
        value: NamedValue,
        name: &[u8],
        same: impl FnOnce(&mut Self) -> Written,
        other: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        // An operation of this shape may have a result with another name.
        self.reads_others.set(true);
        let len = known(u16::try_from(name.len()).ok())?;
        let (start, _) = self.plan.kept(|out| out.extend_from_slice(name));
        let first = self.plan.pieces.len();
        self.push(PlanPiece::UnlessNamed { value, start, len, skip: 0 });
        other(self)?;
        let middle = self.plan.pieces.len();
        self.push(PlanPiece::Skip(0));
        same(self)?;
        // Text that follows must not become a part of the last text.
        self.push(PlanPiece::Skip(0));
        let last = self.plan.pieces.len();
        let skipped = known(u16::try_from(middle - first).ok())?;
        if let Some(PlanPiece::UnlessNamed { skip, .. }) = self.plan.pieces.get_mut(first) {
            *skip = skipped;
        }
        if let Some(PlanPiece::Skip(skip)) = self.plan.pieces.get_mut(middle) {
            *skip = (last - middle - 1) as u32;
        }
        Ok(())
    }
}

impl NameSyntax for OperationDraft<'_, '_, '_> {
    fn by_result_name(
        &mut self,
        name: &[u8],
        same: impl FnOnce(&mut Self) -> Written,
        other: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        self.by_name(NamedValue::FirstResult, name, same, other)
    }

    fn by_argument_name(
        &mut self,
        argument: u32,
        name: &[u8],
        same: impl FnOnce(&mut Self) -> Written,
        other: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        self.by_name(NamedValue::Argument(argument), name, same, other)
    }
}
