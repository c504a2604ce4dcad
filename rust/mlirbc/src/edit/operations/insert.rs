//! Inserts, moves and detaches operations.

use super::InsertionPoint;
use crate::edit::arena::{ArenaBlock, ArenaOp};
use crate::edit::clone_checks::ClonePlace;
use crate::edit::{EditOp, Editor};
use crate::wire::error::{Error, ErrorKind, Result};

impl Editor {
    // Returns the block of an insertion point, and the op that follows.
    pub(crate) fn place(&self, at: InsertionPoint) -> Result<ClonePlace> {
        let beside = |op: EditOp| {
            let op = self.live(op)?;
            match self.arena.op(op).block {
                None => {
                    Err(Error::message(ErrorKind::Edit, format!("{} is not in a block", self.name_text(op))))
                }
                Some(block) => Ok((block, op)),
            }
        };
        Ok(match at {
            InsertionPoint::AtBegin(block) => {
                let block = self.live_block(block)?;
                (block, self.arena.block(block).first_op)
            }
            InsertionPoint::AtEnd(block) => (self.live_block(block)?, None),
            InsertionPoint::Before(op) => {
                let (block, op) = beside(op)?;
                (block, Some(op))
            }
            InsertionPoint::After(op) => {
                let (block, op) = beside(op)?;
                (block, self.arena.op(op).next)
            }
        })
    }

    /// Inserts a detached operation.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the operation is already in a block, or the insertion point is inside it, and
    /// if something was erased.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let op = editor.create_detached(&NewOperation::new("t.c"))?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// editor.insert(op, InsertionPoint::AtBegin(body))?;
    /// assert_eq!(editor.operations(body)?[0], op);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn insert(&mut self, op: EditOp, at: InsertionPoint) -> Result<()> {
        let op = self.live(op)?;
        if self.arena.op(op).block.is_some() {
            let message = format!("{} is already in a block", self.path(op));
            return Err(Error::message(ErrorKind::Edit, message).with_hint("detach it first"));
        }
        let (block, next) = self.place(at)?;
        self.outside_of(op, block)?;
        self.arena.link(op, block, next);
        self.arena.touch(op);
        Ok(())
    }

    // Checks that an op is not inserted into itself.
    fn outside_of(&self, op: ArenaOp, block: ArenaBlock) -> Result<()> {
        let mut owner = self.arena.owner_of_block(block);
        while let Some(outer) = owner {
            if outer == op {
                let message = format!("cannot move {} into itself", self.name_text(op));
                return Err(Error::message(ErrorKind::Edit, message));
            }
            owner = self.arena.parent(outer);
        }
        Ok(())
    }

    fn moved(&mut self, op: EditOp, at: InsertionPoint) -> Result<()> {
        let op = self.live(op)?;
        let (InsertionPoint::Before(beside) | InsertionPoint::After(beside)) = at else { return Ok(()) };
        if self.live(beside)? == op {
            return Ok(());
        }
        let (block, _) = self.place(at)?;
        self.outside_of(op, block)?;
        self.arena.touch(op);
        self.arena.unlink(op);
        // Removing the op may have changed the insertion point.
        let (block, next) = self.place(at)?;
        self.arena.link(op, block, next);
        self.arena.touch(op);
        Ok(())
    }

    /// Moves an operation before another one, in any block.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the other operation is inside the moved one, or detached, and if either was
    /// erased.
    pub fn move_before(&mut self, op: EditOp, other: EditOp) -> Result<()> {
        self.moved(op, InsertionPoint::Before(other))
    }

    /// Moves an operation after another one, in any block.
    ///
    /// # Errors
    /// As [`Self::move_before`].
    pub fn move_after(&mut self, op: EditOp, other: EditOp) -> Result<()> {
        self.moved(op, InsertionPoint::After(other))
    }

    /// Removes an operation from its block, so that it can be inserted elsewhere. Detached operations are not
    /// written.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn detach(&mut self, op: EditOp) -> Result<()> {
        let op = self.live(op)?;
        self.arena.touch(op);
        self.arena.unlink(op);
        Ok(())
    }
}
