//! The facts about operations that rules of verifiers need, with constant operands and arguments of regions
//! for the rules that read them.

use std::rc::Rc;

use crate::ir::view::{Operation, Value};
use crate::wire::error::Result;

use super::Checker;
use super::attributes::AttributeFacts;
use super::rules::Rules;
use super::type_traits::Typed;
use super::verifiers::{OperandValue, Subject, Verifier, integer_of};

/// The types of an operation's operands and results, and the sizes of the groups of operands if they are
/// known.
#[derive(Clone, Copy)]
pub(super) struct ValueTypes<'p> {
    pub(super) operands: &'p [Rc<Typed>],
    pub(super) results: &'p [Rc<Typed>],
    pub(super) operand_sizes: Option<&'p [usize]>,
    pub(super) result_sizes: Option<&'p [usize]>,
}

impl<'m> Checker<'m, '_> {
    /// Returns the messages of the rules of verifiers that an operation breaks.
    pub(super) fn verified(
        &mut self,
        op: &Operation<'m>,
        rules: &Rules,
        facts: &AttributeFacts,
        types: ValueTypes<'_>,
    ) -> Result<Vec<String>> {
        let Some(time) = self.source.time.filter(|_| !rules.verifiers.is_empty()) else {
            return Ok(Vec::new());
        };
        let reads = |is_read: fn(&Verifier) -> bool| rules.verifiers.iter().any(is_read);
        let values = if reads(|rule| rule.reads_values) { self.values(op)? } else { Vec::new() };
        let arguments = if reads(|rule| rule.reads_regions) { self.arguments(op)? } else { Vec::new() };
        let subject = Subject {
            op,
            name: &op.name(),
            time,
            attributes: &facts.verified,
            operands: types.operands,
            results: types.results,
            operand_sizes: types.operand_sizes,
            values: &values,
            arguments: &arguments,
            definitions: self.source.definitions,
            has_spec_constants: self.has_spec_constants,
        };
        Ok(rules.verifiers.iter().filter_map(|rule| (rule.complaint)(&subject)).collect())
    }

    fn values(&mut self, op: &Operation<'m>) -> Result<Vec<OperandValue>> {
        op.operands().map(|operand| self.value(&operand)).collect()
    }

    pub(super) fn value(&mut self, operand: &Value<'m>) -> Result<OperandValue> {
        let Some(owner) = operand.owner_op() else { return Ok(OperandValue::Variable) };
        let Some(rules) = self.rules(owner.name_id()) else { return Ok(OperandValue::Unknown) };
        if !rules.is_constant {
            return Ok(OperandValue::Variable);
        }
        let facts = self.attributes(&owner, &rules)?;
        let mut values =
            facts.verified.iter().filter(|attribute| attribute.name == "value" && !attribute.is_long);
        let integer = values.next().and_then(|attribute| integer_of(&attribute.value));
        Ok(integer.map_or(OperandValue::Unknown, OperandValue::Integer))
    }

    /// For each region: the types of the arguments of its first block, if the region has a block.
    fn arguments(&mut self, op: &Operation<'m>) -> Result<Vec<Option<Vec<Rc<Typed>>>>> {
        let mut all = Vec::new();
        for region in op.regions()? {
            let Some(block) = region.block(0) else {
                all.push(None);
                continue;
            };
            let types = block.arguments().map(|value| self.types.get(value.r#type()));
            all.push(Some(types.collect::<Result<Vec<_>>>()?));
        }
        Ok(all)
    }
}
