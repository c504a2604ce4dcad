//! Evaluates the rules of `ops::stated` for an operation.
//!
//! Every value may be unknown, and an unknown condition is no finding: no operation that MLIR accepts is refused
//! because a part of it could not be read.

mod attributes;
mod lists;
mod structure;
mod symbol_tables;
mod types;
mod value;

use std::rc::Rc;

use crate::ir::view::Operation;
use crate::ops::{
    AttributeDefinition, Expression, Function, MessagePart, Multiplicity, OperationDefinition, StatedRule,
    ValueDefinition, stated_rules,
};
use crate::release::BuildTime;
use crate::wire::error::Result;

use super::Checker;
use super::attributes::AttributeFacts;
use super::subjects::ValueTypes;
pub(super) use symbol_tables::SymbolTables;
pub(super) use value::RuleValue;

/// The steps of one evaluation, besides those for each value of the operation.
const MOST_STEPS: usize = 1 << 13;
const STEPS_OF_VALUE: usize = 32;

/// A rule, and the parts of a definition that it names.
#[derive(Debug)]
pub(crate) struct AppliedRule {
    number: usize,
    rule: &'static StatedRule,
    slots: Vec<Slot>,
}

impl PartialEq for AppliedRule {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number && self.slots == other.slots
    }
}

/// An operand, a result or an attribute of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Operand(usize, Count),
    Result(usize, Count),
    /// The attribute, and whether an absent one has a default.
    Attribute(&'static str, bool),
}

/// The number of values of an operand or a result of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    One,
    Optional,
    Many,
}

impl Slot {
    fn new(name: &'static str, definition: &OperationDefinition) -> Option<Self> {
        let at = |values: &[ValueDefinition]| {
            let place = values.iter().position(|value| value.name() == name)?;
            let count = match values.get(place)?.multiplicity() {
                Multiplicity::One => Count::One,
                Multiplicity::Optional => Count::Optional,
                _ => Count::Many,
            };
            Some((place, count))
        };
        if let Some((place, count)) = at(definition.operands()) {
            return Some(Self::Operand(place, count));
        }
        if let Some((place, count)) = at(definition.results()) {
            return Some(Self::Result(place, count));
        }
        let has_default = |attribute: &AttributeDefinition| attribute.default().is_some();
        definition.attribute(name).map(|attribute| Self::Attribute(name, has_default(attribute)))
    }
}

impl AppliedRule {
    /// Returns the rules of a definition. A rule that names a part that the definition lacks is about another release.
    pub(crate) fn of(definition: &OperationDefinition) -> Vec<Self> {
        let apply = |(number, rule): (usize, &'static StatedRule)| {
            let slots = rule.names.iter().map(|name| Slot::new(name, definition)).collect::<Option<_>>()?;
            Some(Self { number, rule, slots })
        };
        stated_rules(definition).into_iter().filter_map(apply).collect()
    }

    /// Whether a build of this time certainly has the rule.
    pub(crate) fn is_in_force(&self, time: BuildTime) -> bool {
        time.is_since(self.rule.first) && time.is_until(self.rule.last)
    }

    /// Whether the rule reads more than attributes and types.
    pub(crate) fn reads_surroundings(&self) -> bool {
        self.rule.reads_surroundings
    }

    /// The names of the attributes that the rule reads.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &'static str> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Attribute(name, _) => Some(*name),
            _ => None,
        })
    }
}

/// An element of the list that a list function visits.
struct Visited<'m> {
    item: RuleValue<'m>,
    place: usize,
}

/// The evaluation of a rule for one operation.
struct Evaluation<'c, 'm, 'e> {
    checker: &'c mut Checker<'m, 'e>,
    op: Operation<'m>,
    rule: &'c AppliedRule,
    facts: &'c AttributeFacts,
    types: ValueTypes<'c>,
    visited: Vec<Visited<'m>>,
    steps: usize,
}

impl<'m> Checker<'m, '_> {
    /// Returns the messages of the stated rules that an operation breaks.
    pub(super) fn broken_stated_rules(
        &mut self,
        op: &Operation<'m>,
        rules: &[AppliedRule],
        facts: &AttributeFacts,
        types: ValueTypes<'_>,
    ) -> Result<Vec<String>> {
        let mut messages = Vec::new();
        let value_count = types.operands.len() + types.results.len();
        let steps = MOST_STEPS + value_count * STEPS_OF_VALUE;
        for rule in rules {
            let mut evaluation =
                Evaluation { checker: self, op: *op, rule, facts, types, visited: Vec::new(), steps };
            messages.extend(evaluation.complaint()?);
        }
        Ok(messages)
    }
}

impl<'m> Evaluation<'_, 'm, '_> {
    fn complaint(&mut self) -> Result<Option<String>> {
        let rule = self.rule.rule;
        if !matches!(self.value(&rule.condition)?, RuleValue::Bool(false)) {
            return Ok(None);
        }
        let mut message = String::new();
        for part in &rule.message {
            match part {
                MessagePart::Text(text) => message.push_str(text),
                MessagePart::Value(expression) => message.push_str(&self.value(expression)?.shown()),
            }
        }
        if message.ends_with(" is not defined") {
            message.push_str(&self.similar_symbols()?);
        }
        Ok(Some(message))
    }

    /// Names symbols that are similar to undefined symbols of the operation.
    #[cold]
    fn similar_symbols(&mut self) -> Result<String> {
        let mut sentence = String::new();
        for attribute in &self.facts.verified {
            if let RuleValue::Absent = self.checker.symbol_named(&self.op, &attribute.value)?
                && let Some(similar) = self.checker.similar_symbol(&self.op, &attribute.value)?
            {
                sentence.push_str(&format!("; `@{similar}` is similar"));
            }
        }
        Ok(sentence)
    }

    // The recursion is as deep as an expression of the table.
    fn value(&mut self, expression: &Expression) -> Result<RuleValue<'m>> {
        let Some(steps) = self.steps.checked_sub(1) else { return Ok(RuleValue::Unknown) };
        self.steps = steps;
        let item = |number: usize, visited: &[Visited<'m>]| {
            let place = visited.len().checked_sub(number);
            place.and_then(|place| visited.get(place)).map_or(RuleValue::Unknown, |one| one.item.clone())
        };
        Ok(match expression {
            Expression::Number(number) => RuleValue::Number(*number),
            Expression::Bool(value) => RuleValue::Bool(*value),
            Expression::Text(text) => RuleValue::Text((*text).into()),
            Expression::Name(number) => self.named(*number),
            Expression::Operands => RuleValue::of_types(self.types.operands),
            Expression::Results => RuleValue::of_types(self.types.results),
            Expression::Item => item(1, &self.visited),
            Expression::OuterItem => item(2, &self.visited),
            Expression::Place => {
                self.visited.last().map_or(RuleValue::Unknown, |one| RuleValue::of_count(one.place))
            }
            Expression::List(items) => {
                let items = items.iter().map(|item| self.value(item)).collect::<Result<Rc<[_]>>>()?;
                RuleValue::List(items)
            }
            Expression::Not(inner) => match self.value(inner)? {
                RuleValue::Bool(value) => RuleValue::Bool(!value),
                _ => RuleValue::Unknown,
            },
            Expression::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            Expression::Call(function, arguments) => self.call(*function, arguments)?,
        })
    }

    /// Returns the types of a name, or an attribute.
    fn named(&self, number: usize) -> RuleValue<'m> {
        match self.rule.slots.get(number) {
            Some(&Slot::Operand(place, count)) => {
                of_group(self.types.operands, self.types.operand_sizes, place, count)
            }
            Some(&Slot::Result(place, count)) => {
                of_group(self.types.results, self.types.result_sizes, place, count)
            }
            Some(&Slot::Attribute(name, has_default)) => self.attribute(name, has_default),
            None => RuleValue::Unknown,
        }
    }

    fn attribute(&self, name: &str, has_default: bool) -> RuleValue<'m> {
        let read = self.facts.verified.iter().find(|attribute| attribute.name == name);
        match read {
            Some(attribute) => RuleValue::Attribute(attribute.value.clone()),
            None if !self.facts.is_known || has_default || self.facts.unread.contains(&name) => {
                RuleValue::Unknown
            }
            None => RuleValue::Absent,
        }
    }

    /// The range of the operands of a name.
    fn operand_range(&self, name: &Expression) -> Option<std::ops::Range<usize>> {
        let slot = match name {
            Expression::Name(number) => self.rule.slots.get(*number)?,
            Expression::Operands => return Some(0..self.types.operands.len()),
            _ => return None,
        };
        let Slot::Operand(place, _) = *slot else { return None };
        let sizes = self.types.operand_sizes?;
        let start: usize = sizes.get(..place)?.iter().sum();
        Some(start..start + sizes.get(place)?)
    }

    fn call(&mut self, function: Function, arguments: &[Expression]) -> Result<RuleValue<'m>> {
        match (function, arguments) {
            (Function::Every | Function::Some | Function::Each | Function::Where, [list, body]) => {
                self.visit(function, list, body)
            }
            (Function::Constants, [name]) => self.constants(name),
            (Function::Definitions, [name]) => Ok(self.definitions(name)),
            (Function::ArgumentOwners, [name]) => Ok(self.argument_owners(name)),
            (Function::Identities, [name]) => Ok(self.identities(name)),
            _ => {
                let values =
                    arguments.iter().map(|argument| self.value(argument)).collect::<Result<Vec<_>>>()?;
                self.apply(function, &values)
            }
        }
    }

    fn apply(&mut self, function: Function, values: &[RuleValue<'m>]) -> Result<RuleValue<'m>> {
        use RuleValue as V;
        if let (Function::Has, [value]) = (function, values) {
            return Ok(match value {
                V::Unknown => V::Unknown,
                V::Absent => V::Bool(false),
                _ => V::Bool(true),
            });
        }
        if values.iter().any(|value| matches!(value, V::Unknown)) {
            return Ok(V::Unknown);
        }
        if let Some(value) = self.of_structure(function, values)? {
            return Ok(value);
        }
        if let Some(value) = self.of_list(function, values)? {
            return Ok(value);
        }
        let is_affordable = match values.first() {
            Some(V::Type(typed)) => self.checker.affords_list(typed.r#type.payload().len()),
            Some(V::Attribute(attribute)) => self.checker.affords_list(attribute.payload().len()),
            _ => true,
        };
        if !is_affordable {
            return Ok(V::Unknown);
        }
        Ok(match values {
            [V::Type(typed)] => self.of_type(function, typed)?,
            [V::Attribute(attribute)] => self.of_attribute(function, attribute)?,
            [V::Attribute(attribute), V::Text(name)] if function == Function::Field => {
                attributes::field(attribute.field(name).ok().flatten(), self.checker)?
            }
            [V::Type(typed), V::Text(name)] if function == Function::Field => {
                attributes::field(typed.r#type.field(name).ok().flatten(), self.checker)?
            }
            _ => V::Unknown,
        })
    }
}

fn of_group<'m>(
    types: &[Rc<super::type_traits::Typed>],
    sizes: Option<&[usize]>,
    place: usize,
    count: Count,
) -> RuleValue<'m> {
    let group = || {
        let sizes = sizes?;
        let start: usize = sizes.get(..place)?.iter().sum();
        types.get(start..)?.get(..*sizes.get(place)?)
    };
    match (group(), count) {
        (None, _) => RuleValue::Unknown,
        (Some(types), Count::Many) => RuleValue::of_types(types),
        (Some([]), Count::Optional) => RuleValue::Absent,
        (Some([one]), _) => RuleValue::Type(one.clone()),
        _ => RuleValue::Unknown,
    }
}
