//! The operations of a walk: their costs, their calls and their regions.

use crate::artifact::nested::{named, named_attributes};
use crate::ir::{Operation, Value};
use crate::tool::cost::costs::Costs;
use crate::tool::cost::facts::word;
use crate::tool::cost::quantity::{Quantity, too_large};
use crate::tool::cost::rules::{Failure, Parts, Rule};
use crate::tool::cost::trips::{Loop, invariant_arguments};
use crate::tool::cost::values::{Known, is_constant, key_of};
use crate::wire::error::Result;

use super::{Entry, Frame, OpenOp, Walker, is_function_name, op_key};

impl<'m> Walker<'m, '_> {
    pub(super) fn visit(
        &mut self,
        stack: &mut Vec<Frame<'m>>,
        op: Operation<'m>,
        times: Quantity,
    ) -> Result<()> {
        let (name, rule) = self.rule(&op);
        self.steps_left = self.steps_left.saturating_sub(1);
        match rule {
            Rule::Call | Rule::Composite => return self.call(stack, op, rule, times),
            Rule::While | Rule::For | Rule::AffineFor | Rule::Choice | Rule::Manual | Rule::Container => {
                return self.enter_op(stack, op, rule, times);
            }
            Rule::Unknown if op.region_count() > 0 => {
                if is_function_name(&name) {
                    return Ok(());
                }
                self.note(format!("no rule for `{name}`: the operations in it are counted once"));
                return self.enter_op(stack, op, Rule::Container, times);
            }
            _ => {}
        }
        if is_return(&name) {
            self.keep_results(stack, &op)?;
        }
        self.infer(&op, &name)?;
        let costs = self.costs(&op, &name, rule)?;
        self.add_entry(stack, &op, costs, times)
    }

    fn add_entry(
        &mut self,
        stack: &mut [Frame<'m>],
        op: &Operation<'m>,
        costs: Costs,
        times: Quantity,
    ) -> Result<()> {
        let parameters = self.parameters(op)?;
        if costs.is_zero() && parameters == Quantity::ZERO {
            return Ok(());
        }
        Self::add(stack, &costs.times(&times).map_err(too_large)?)?;
        let scope = self.scopes.get(op.location())?;
        self.budget.spend(size_of::<Entry<'_>>())?;
        if let Some(active) = self.active.last() {
            self.contexts[active.context].entries.push(Entry { op: *op, scope, costs, times, parameters });
        }
        Ok(())
    }

    // The elements of constants, and of arguments that are weights, belong to their first user.
    fn parameters(&mut self, op: &Operation<'m>) -> Result<Quantity> {
        if is_constant(&op.name()) {
            if let Some(value) = op.results().next() {
                let shape = self.types.get(value.r#type())?;
                let elements =
                    shape.dims().map(|dims| dims.iter().map(|&dim| i128::from(dim)).product::<i128>());
                if elements.is_some_and(|elements| elements > 1) && !is_splat(op)? {
                    self.budget.spend(64)?;
                    let elements = Quantity::Number(elements.unwrap_or_default());
                    self.weights.insert(key_of(&value), elements);
                }
            }
            return Ok(Quantity::ZERO);
        }
        let mut sum = Quantity::ZERO;
        if !self.weights.is_empty() {
            for value in op.operands() {
                if let Some(elements) = self.weights.remove(&key_of(&value)) {
                    sum = sum.plus(&elements).map_err(too_large)?;
                }
            }
        }
        Ok(sum)
    }

    fn costs(&mut self, op: &Operation<'m>, name: &str, rule: Rule) -> Result<Costs> {
        if rule == Rule::Free {
            return Ok(Costs::ZERO);
        }
        if rule == Rule::Unknown {
            self.note(format!("no rule for `{name}`: it counts as nothing"));
            return Ok(Costs::ZERO);
        }
        let (operands, results) = (self.shapes_of(op.operands())?, self.shapes_of(op.results())?);
        let attributes = named_attributes(op)?;
        let parts =
            Parts { name, operands: &operands, results: &results, attributes: &attributes, bodies: &[] };
        if rule == Rule::CustomCall {
            return self.custom_call(&parts);
        }
        let bodies = if rule.has_body() { self.bodies(op)? } else { Vec::new() };
        match (Parts { bodies: &bodies, ..parts }).costs(rule) {
            Ok(costs) => Ok(costs),
            Err(Failure::Excess(reason)) => Err(too_large(reason).with_path(op.path())),
            Err(Failure::Shape) => {
                self.note(format!(
                    "the cost of some `{name}` does not follow from their shapes: they count as nothing"
                ));
                Ok(Costs::ZERO)
            }
        }
    }

    fn custom_call(&mut self, parts: &Parts<'_>) -> Result<Costs> {
        let target = named(parts.attributes, "call_target_name");
        let target = target.map_or(Ok(None), word)?.unwrap_or_default();
        if !self.targets.contains(&target) {
            self.budget.spend(target.len() + size_of::<String>())?;
            self.targets.insert(target.clone());
        }
        match self.custom_calls.costs(&target, parts)? {
            Some(costs) => Ok(costs),
            None => {
                self.note(format!(
                    "no cost is declared for custom calls of `{target}`: they count as nothing"
                ));
                Ok(Costs::ZERO)
            }
        }
    }

    // The steps of one execution of each body; its operations are not walked otherwise.
    fn bodies(&mut self, op: &Operation<'m>) -> Result<Vec<Costs>> {
        let mut bodies = Vec::new();
        for region in op.regions()? {
            let mut body = Costs::ZERO;
            for op in region.blocks().flat_map(|block| block.operations()) {
                let (name, rule) = self.rule(&op);
                if op.region_count() > 0 || matches!(rule, Rule::Call | Rule::Unknown) {
                    self.note(format!("`{name}` in the body of an operation counts as nothing"));
                    continue;
                }
                body = body.plus(&self.costs(&op, &name, rule)?.without_bytes()).map_err(too_large)?;
            }
            bodies.push(body);
        }
        Ok(bodies)
    }

    fn enter_op(
        &mut self,
        stack: &mut Vec<Frame<'m>>,
        op: Operation<'m>,
        rule: Rule,
        times: Quantity,
    ) -> Result<()> {
        let mut is_known = false;
        let per_execution = match rule {
            Rule::While | Rule::For | Rule::AffineFor => {
                if rule != Rule::AffineFor {
                    self.bind_loop(&op, rule)?;
                }
                let Some(active) = self.active.last() else { return Ok(()) };
                let mut counted = Loop { op, environment: &active.environment, types: &mut self.types };
                let iterations = match rule {
                    Rule::For => counted.range()?,
                    Rule::AffineFor => counted.affine_range()?,
                    _ => counted.iterations()?,
                };
                match iterations {
                    Some(iterations) => {
                        is_known = true;
                        Some(iterations)
                    }
                    None => {
                        self.note(format!(
                            "the number of iterations of some `{}` is unknown: they count once",
                            op.name()
                        ));
                        Some(Quantity::ONE)
                    }
                }
            }
            Rule::Choice => None,
            _ => {
                self.bind_arguments(&op, 0, &op.operands().collect::<Vec<_>>())?;
                Some(Quantity::ONE)
            }
        };
        self.budget.spend(size_of::<Frame<'_>>())?;
        let is_known = is_known && rule == Rule::While;
        let first_times = match per_execution.as_ref().filter(|_| is_known) {
            Some(iterations) => Some(iterations.plus(&Quantity::ONE).map_err(too_large)?),
            None => None,
        };
        let regions: Vec<_> = op.regions()?.collect();
        let open = OpenOp {
            op,
            regions: regions.into_iter(),
            times: per_execution,
            first_times,
            branches: Vec::new(),
            outer: times,
        };
        stack.push(Frame::Op(open));
        Ok(())
    }

    fn bind_arguments(&mut self, op: &Operation<'m>, region: u32, values: &[Value<'m>]) -> Result<()> {
        let Some(block) = op.region(region)?.and_then(|region| region.block(0)) else { return Ok(()) };
        let Some(active) = self.active.last_mut() else { return Ok(()) };
        for (argument, value) in block.arguments().zip(values) {
            let facts = active.environment.get(value);
            active.environment.bind(&argument, facts);
        }
        Ok(())
    }

    // Arguments of a loop have the dimensions of its operands, and their elements if the loop does not change them.
    fn bind_loop(&mut self, op: &Operation<'m>, rule: Rule) -> Result<()> {
        let skipped = if rule == Rule::For { 3 } else { 0 };
        let operands: Vec<_> = op.operands().skip(skipped).collect();
        let unchanged = if rule == Rule::For { Vec::new() } else { invariant_arguments(op)? };
        let shapes: Vec<_> =
            operands.iter().map(|value| self.types.get(value.r#type())).collect::<Result<_>>()?;
        let Some(active) = self.active.last_mut() else { return Ok(()) };
        for (region, first) in [(0, usize::from(rule == Rule::For)), (1, 0)] {
            let Some(block) = op.region(region)?.and_then(|region| region.block(0)) else { continue };
            for (number, argument) in block.arguments().skip(first).enumerate() {
                let Some(value) = operands.get(number) else { break };
                let dims = active.environment.get(value).dims;
                let content = match unchanged.contains(&number) {
                    true => active.environment.content(value, &shapes[number])?,
                    false => None,
                };
                active.environment.bind(&argument, Known { dims, content });
            }
        }
        for (result, value) in op.results().zip(&operands) {
            let dims = active.environment.get(value).dims;
            active.environment.bind(&result, Known { dims, content: None });
        }
        Ok(())
    }

    fn call(
        &mut self,
        stack: &mut Vec<Frame<'m>>,
        op: Operation<'m>,
        rule: Rule,
        times: Quantity,
    ) -> Result<()> {
        let attributes = named_attributes(&op)?;
        let name = if rule == Rule::Call { "callee" } else { "decomposition" };
        let callee = named(&attributes, name).map_or(Ok(None), word)?.unwrap_or_default();
        let function = self.active.last().and_then(|active| self.contexts[active.context].function.parent());
        let function = self.functions.get(&(function.as_ref().map(op_key), callee.clone())).copied();
        let function = match function {
            Some(function) if function.region(0)?.is_some_and(|region| !region.is_empty()) => function,
            _ => {
                self.note(format!("the function `{callee}` has no body here: calls of it count as nothing"));
                return self.bind_unknown(&op);
            }
        };
        let arguments = self.arguments(&op)?;
        if let Some(&context) = self.by_arguments.get(&(op_key(&function), arguments.clone())) {
            if !self.contexts[context].is_complete {
                self.note(format!("`{callee}` calls itself: inner calls count as nothing"));
                return self.bind_unknown(&op);
            }
            return self.add_call(stack, &op, context, times);
        }
        self.budget.spend(size_of::<Frame<'_>>())?;
        let context = self.open(function, callee, arguments.clone())?;
        self.enter(stack, context, &arguments, Some(op))
    }

    // Returns the facts about the operands of a call. In a module without open dimensions all calls are alike.
    fn arguments(&mut self, op: &Operation<'m>) -> Result<Vec<Known>> {
        if !self.is_dynamic {
            return Ok(Vec::new());
        }
        if self.steps_left == 0 {
            self.note(
                "many functions are called with many shapes: later calls have dimensions of their own"
                    .to_owned(),
            );
            return Ok(Vec::new());
        }
        let mut arguments = Vec::new();
        for value in op.operands() {
            let shape = self.types.get(value.r#type())?;
            let Some(active) = self.active.last() else { break };
            let content = active.environment.content(&value, &shape)?;
            arguments.push(Known { dims: active.environment.get(&value).dims, content });
        }
        Ok(arguments)
    }

    fn keep_results(&mut self, stack: &[Frame<'m>], op: &Operation<'m>) -> Result<()> {
        // The region of a function is the one above its frame.
        let is_of_function = stack.len() >= 2 && matches!(stack[stack.len() - 2], Frame::Function);
        if !is_of_function || !self.is_dynamic {
            return Ok(());
        }
        let Some(active) = self.active.last() else { return Ok(()) };
        let mut results = Vec::new();
        for value in op.operands() {
            let shape = self.types.get(value.r#type())?;
            let content = active.environment.content(&value, &shape)?;
            results.push(Known { dims: active.environment.get(&value).dims, content });
        }
        self.contexts[active.context].results = results;
        Ok(())
    }
}

fn is_return(name: &str) -> bool {
    matches!(name, "func.return" | "stablehlo.return")
}

fn is_splat(op: &Operation<'_>) -> Result<bool> {
    let attributes = named_attributes(op)?;
    Ok(named(&attributes, "value").is_none_or(|value| value.is_splat()))
}
