//! The position of an operation: a way to name it in any module of the same structure.

use crate::ir::module::Module;
use crate::ir::view::Operation;
use crate::wire::error::Result;

/// A step on the way down to an operation: the region of the enclosing operation, the block, and the
/// operation's number in it.
///
/// The top level is a region with one block.
///
/// ```
/// use mlirbc::ir::PositionStep;
/// use mlirbc::Module;
/// let module = Module::from_bytes(mlirbc::doc_example())?;
/// let steps = [PositionStep { region: 0, block: 0, op: 0 }, PositionStep { region: 0, block: 0, op: 1 }];
/// assert_eq!(module.operation_at(&steps)?.unwrap().name(), "t.r");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionStep {
    /// The number of the region.
    pub region: u32,
    /// The number of the block in its region.
    pub block: u32,
    /// The number of the operation in its block.
    pub op: u32,
}

impl Module {
    /// The operation at a position, outermost step first; `None` if there is none.
    ///
    /// # Errors
    /// If a body on the way is malformed.
    #[doc(hidden)]
    pub fn operation_at(&self, steps: &[PositionStep]) -> Result<Option<Operation<'_>>> {
        let Some((first, rest)) = steps.split_first() else { return Ok(None) };
        if (first.region, first.block) != (0, 0) {
            return Ok(None);
        }
        let mut op = self.top_level_block()?.operation(first.op as usize);
        for step in rest {
            let Some(around) = op else { return Ok(None) };
            let block = around.region(step.region)?.and_then(|region| region.block(step.block as usize));
            op = block.and_then(|block| block.operation(step.op as usize));
        }
        Ok(op)
    }
}

impl Operation<'_> {
    /// The position, outermost step first: [`Module::operation_at`] finds the operation by it.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let op = module.operation()?.pre_order().nth(2).unwrap()?;
    /// assert_eq!(module.operation_at(&op.position())?, Some(op));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn position(&self) -> Vec<PositionStep> {
        let step = |op: &Self| {
            let block = op.block();
            let region = block.owner().map_or(0, |_| block.region().number());
            PositionStep { region, block: block.number(), op: op.number_in_block() as u32 }
        };
        let mut steps: Vec<_> =
            std::iter::successors(Some(*self), Self::parent).map(|op| step(&op)).collect();
        steps.reverse();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_that_does_not_exist_has_no_operation() {
        let module = Module::from_bytes(crate::doc_example()).unwrap();
        let step = |region, block, op| PositionStep { region, block, op };
        let top = step(0, 0, 0);
        assert!(module.operation_at(&[]).unwrap().is_none());
        assert!(module.operation_at(&[step(1, 0, 0)]).unwrap().is_none());
        for wrong in [step(1, 0, 0), step(0, 1, 0), step(0, 0, 2)] {
            assert!(module.operation_at(&[top, wrong]).unwrap().is_none(), "{wrong:?}");
        }
        assert_eq!(module.operation_at(&[top, top]).unwrap().unwrap().name(), "t.c");
    }
}
