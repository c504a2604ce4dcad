//! Functions of regions and of other operations.

use std::rc::Rc;

use crate::ir::view::{Operation, Region, Value};
use crate::ops::{Expression, Function};
use crate::wire::error::Result;

use super::Evaluation;
use super::value::RuleValue;
use crate::ir::verify::operations::verifiers::OperandValue;

/// The most operations around an operation that `around` looks at.
const FARTHEST: usize = 64;

impl<'m> Evaluation<'_, 'm, '_> {
    /// Applies a function of regions or operations; `None` if the function is of another kind.
    pub(super) fn of_structure(
        &mut self,
        function: Function,
        values: &[RuleValue<'m>],
    ) -> Result<Option<RuleValue<'m>>> {
        use RuleValue as V;
        let op = self.op;
        Ok(Some(match (function, values) {
            (Function::RegionCount, []) => V::Number(op.region_count().into()),
            (Function::This, []) => V::Operation(op),
            (Function::Arguments, [number]) => self.arguments(op, number)?,
            (Function::ArgumentsOf, [V::Operation(op), number]) => self.arguments(*op, number)?,
            (Function::BlockCount, [number]) => {
                region(op, number)?.map_or(V::Absent, |region| V::of_count(region.len()))
            }
            (Function::Yielded | Function::End, [number]) => match self.terminator(number)? {
                None => V::Unknown,
                Some(last) if function == Function::End => V::of_text(&last.name()),
                Some(last) => self.operand_types(last)?,
            },
            (Function::Yields, [number, V::Text(names)]) => self.yields(number, names)?,
            (Function::Body, [number]) => self.body(number)?,
            (Function::Parent, [V::Operation(op)]) => op.parent().map_or(V::Absent, V::Operation),
            (Function::Around, [V::Text(names)]) => self.around(names),
            (Function::Name, [V::Operation(op)]) => V::of_text(&op.name()),
            (Function::OperandsOf, [V::Operation(op)]) => self.operand_types(*op)?,
            (Function::ResultsOf, [V::Operation(op)]) => {
                let types = op.results().map(|value| self.checker.types.get(value.r#type()).map(V::Type));
                V::List(types.collect::<Result<Rc<[_]>>>()?)
            }
            (Function::AttributeOf, [V::Operation(op), V::Text(name)]) => {
                self.checker.attribute_of(op, name)?
            }
            (Function::HasTrait, [V::Operation(op), V::Text(name)]) => {
                let definition = self.checker.source.definitions.and_then(|all| all.get(&op.name()));
                V::of_bool(definition.map(|definition| definition.has_trait(name)))
            }
            (Function::IsDeclaration, [V::Operation(op)]) => {
                V::of_bool(op.region(0)?.map(|region| region.is_empty()))
            }
            (Function::Symbol, [V::Attribute(reference)]) => self.checker.symbol_named(&op, reference)?,
            _ => return Ok(None),
        }))
    }

    fn arguments(&mut self, op: Operation<'m>, number: &RuleValue<'m>) -> Result<RuleValue<'m>> {
        let Some(block) = region(op, number)?.and_then(|region| region.block(0)) else {
            return Ok(RuleValue::Absent);
        };
        let types =
            block.arguments().map(|value| self.checker.types.get(value.r#type()).map(RuleValue::Type));
        Ok(RuleValue::List(types.collect::<Result<Rc<[_]>>>()?))
    }

    fn operand_types(&mut self, op: Operation<'m>) -> Result<RuleValue<'m>> {
        let types = op.operands().map(|value| self.checker.types.get(value.r#type()).map(RuleValue::Type));
        Ok(RuleValue::List(types.collect::<Result<Rc<[_]>>>()?))
    }

    /// The terminator of a region with one block.
    fn terminator(&mut self, number: &RuleValue<'m>) -> Result<Option<Operation<'m>>> {
        let region = region(self.op, number)?.filter(|region| region.len() == 1);
        let last = region.and_then(|region| region.block(0)).and_then(|block| block.last_operation());
        let is_terminator =
            |op: &Operation<'m>| self.checker.rules(op.name_id()).is_some_and(|rules| rules.is_terminator);
        Ok(last.filter(is_terminator))
    }

    fn yields(&mut self, number: &RuleValue<'m>, names: &str) -> Result<RuleValue<'m>> {
        let Some(region) = region(self.op, number)? else { return Ok(RuleValue::Unknown) };
        let mut all = Vec::new();
        for last in region.blocks().filter_map(|block| block.last_operation()) {
            if names.split(' ').any(|name| *name == *last.name()) {
                all.push(self.operand_types(last)?);
            }
        }
        Ok(RuleValue::List(all.into()))
    }

    fn body(&mut self, number: &RuleValue<'m>) -> Result<RuleValue<'m>> {
        let Some(block) = region(self.op, number)?.and_then(|region| region.block(0)) else {
            return Ok(RuleValue::Absent);
        };
        let operations: Rc<[_]> = block.operations().take(self.steps).map(RuleValue::Operation).collect();
        self.steps -= operations.len();
        Ok(if self.steps == 0 { RuleValue::Unknown } else { RuleValue::List(operations) })
    }

    fn around(&self, names: &str) -> RuleValue<'m> {
        let mut current = self.op.parent();
        for _ in 0..FARTHEST {
            match current {
                None => return RuleValue::Absent,
                Some(op) if names.split(' ').any(|name| *name == *op.name()) => {
                    return RuleValue::Operation(op);
                }
                Some(op) => current = op.parent(),
            }
        }
        RuleValue::Unknown
    }

    pub(super) fn constants(&mut self, name: &Expression) -> Result<RuleValue<'m>> {
        let Some(range) = self.operand_range(name) else { return Ok(RuleValue::Unknown) };
        let operands = self.op.operands().skip(range.start).take(range.len());
        let constants = operands.map(|operand| {
            Ok(match self.checker.value(&operand)? {
                OperandValue::Integer(number) => RuleValue::Number(number),
                _ => RuleValue::Unknown,
            })
        });
        Ok(RuleValue::List(constants.collect::<Result<Rc<[_]>>>()?))
    }

    pub(super) fn argument_owners(&self, name: &Expression) -> RuleValue<'m> {
        let Some(range) = self.operand_range(name) else { return RuleValue::Unknown };
        let operands = self.op.operands().skip(range.start).take(range.len());
        let owner = |operand: Value<'m>| {
            let block = operand.owner_block().filter(|_| operand.owner_op().is_none());
            block.and_then(|block| block.owner()).map_or(RuleValue::Absent, RuleValue::Operation)
        };
        RuleValue::List(operands.map(owner).collect())
    }

    pub(super) fn identities(&self, name: &Expression) -> RuleValue<'m> {
        let Some(range) = self.operand_range(name) else { return RuleValue::Unknown };
        let operands = self.op.operands().skip(range.start).take(range.len());
        RuleValue::List(operands.map(|operand| RuleValue::Number(operand.id().to_bits().into())).collect())
    }

    pub(super) fn definitions(&self, name: &Expression) -> RuleValue<'m> {
        let Some(range) = self.operand_range(name) else { return RuleValue::Unknown };
        let operands = self.op.operands().skip(range.start).take(range.len());
        let owner = |operand: Value<'m>| operand.owner_op().map_or(RuleValue::Absent, RuleValue::Operation);
        RuleValue::List(operands.map(owner).collect())
    }
}

fn region<'m>(op: Operation<'m>, number: &RuleValue<'m>) -> Result<Option<Region<'m>>> {
    match number.as_number().and_then(|number| u32::try_from(number).ok()) {
        Some(number) => op.region(number),
        None => Ok(None),
    }
}
