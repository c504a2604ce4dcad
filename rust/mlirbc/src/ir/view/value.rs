//! Queries about values and their uses.

use crate::format::id::{AttrId, TypeId};
use crate::ir::body::NONE;
use crate::ir::id::{BlockId, BodyId, ValueId};
use crate::ir::module::Module;
use crate::ir::uses::UseOrder;
use crate::wire::error::Result;

use super::{Block, OpOperand, Operation, Value};

impl<'m> Value<'m> {
    /// The value with this id, if its body is decoded and has it.
    #[doc(hidden)]
    pub fn from_ids(module: &'m Module, body_id: BodyId, id: ValueId) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        let rows = if id.is_argument() { body.argument_type.len() } else { body.result_type.len() };
        (id.row() < rows).then_some(Self { module, body, body_id, id })
    }

    /// The module of the value.
    #[doc(hidden)]
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// The id of the value's body.
    #[doc(hidden)]
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// The row among the results or the arguments of its body.
    #[doc(hidden)]
    pub fn id(&self) -> ValueId {
        self.id
    }

    /// The index of the value's type.
    pub fn r#type(&self) -> TypeId {
        let body = self.body;
        let column: &[TypeId] = if self.id.is_argument() { &body.argument_type } else { &body.result_type };
        column[self.id.row()]
    }

    /// The operation of which the value is a result; `None` for an argument.
    pub fn owner_op(&self) -> Option<Operation<'m>> {
        let Self { module, body, body_id, id } = *self;
        let op = if id.is_argument() { None } else { body.result_owner(id.row()) };
        op.map(|id| Operation { module, body, body_id, id })
    }

    /// The block of which the value is an argument; `None` for a result.
    pub fn owner_block(&self) -> Option<Block<'m>> {
        let Self { module, body, body_id, id } = *self;
        let block = || BlockId::new(body.argument_owner[id.row()]);
        id.is_argument().then(|| Block { module, body, body_id, id: block() })
    }

    /// The number among the results of its operation, or among the arguments of its block.
    pub fn number(&self) -> u32 {
        let row = self.id.row() as u32;
        if self.id.is_argument() {
            row - self.body.block(BlockId::new(self.body.argument_owner[self.id.row()])).first_argument
        } else {
            self.body.result_number(row)
        }
    }

    /// The index of the location. An argument has its own location, a result has the location of its
    /// operation. `None` for an argument whose location is unknown and omitted.
    pub fn location(&self) -> Option<AttrId> {
        match self.owner_op() {
            Some(op) => Some(op.location()),
            None => {
                let id = self.body.argument_location[self.id.row()];
                (id != NONE).then_some(AttrId::new(id))
            }
        }
    }

    /// The uses, first to last in the given order. If the file does not store an order, the last use in the
    /// file comes first.
    ///
    /// # Errors
    /// [`ErrorKind::UseList`](crate::ErrorKind::UseList) if a stored use-list order does not match the uses.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let value = module.operation()?.pre_order().nth(1).unwrap()?.results().next().unwrap();
    /// assert_eq!(value.uses(mlirbc::ir::UseOrder::Stored)?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn uses(&self, order: UseOrder) -> Result<impl ExactSizeIterator<Item = OpOperand<'m>> + use<'m>> {
        let Self { module, body, body_id, id } = *self;
        let rows = module.use_index(body_id)?.uses(body, id, order)?;
        Ok(rows.into_iter().map(move |row| OpOperand { module, body, body_id, row }))
    }

    /// Whether the value has uses.
    ///
    /// # Errors
    /// If its body cannot be decoded.
    pub fn has_uses(&self) -> Result<bool> {
        Ok(self.module.use_index(self.body_id)?.has_uses(self.id))
    }
}

impl<'m> OpOperand<'m> {
    /// The use at this row, if its body is decoded and has it.
    #[doc(hidden)]
    pub fn from_ids(module: &'m Module, body_id: BodyId, row: u32) -> Option<Self> {
        let body = module.decoded_body(body_id)?;
        ((row as usize) < body.operands.len()).then_some(Self { module, body, body_id, row })
    }

    /// The id of its body.
    #[doc(hidden)]
    pub fn body_id(&self) -> BodyId {
        self.body_id
    }

    /// The row among the operands of its body.
    #[doc(hidden)]
    pub fn row(&self) -> u32 {
        self.row
    }

    /// The operation that uses the value.
    pub fn owner(&self) -> Operation<'m> {
        let Self { module, body, body_id, row } = *self;
        Operation { module, body, body_id, id: body.operand_owner(row) }
    }

    /// The number of the operand, counted from 0.
    pub fn operand_number(&self) -> u32 {
        self.row - self.body.operand_rows(self.body.operand_owner(self.row)).start
    }

    /// The value.
    pub fn value(&self) -> Value<'m> {
        let Self { module, body, body_id, row } = *self;
        Value { module, body, body_id, id: body.operands[row as usize] }
    }
}
