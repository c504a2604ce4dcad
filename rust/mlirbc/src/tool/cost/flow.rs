//! How often each operation is executed: calls, loops and branches, from the entry function on.
//!
//! Owns the walk over functions. A function is walked once for each list of argument shapes that it is called with; a
//! stack on the heap replaces recursion, because calls and regions may be nested deeply.

mod facts_of_values;
mod operations;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::artifact::nested::{named, named_attributes};
use crate::ir::{BodyId, Module, OpId, Operation, Region, Value};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::costs::Costs;
use super::custom_calls::CustomCallCosts;
use super::facts::{TypeShapes, word};
use super::quantity::{Quantity, too_large};
use super::rules::Rule;
use super::scopes::Scopes;
use super::values::{Environment, Known};
use facts_of_values::symbols;

pub(super) type OpKey = (BodyId, OpId);

pub(super) fn op_key(op: &Operation<'_>) -> OpKey {
    (op.body_id(), op.id())
}

/// An operation with its cost.
pub(super) struct Entry<'m> {
    pub(super) op: Operation<'m>,
    pub(super) scope: Rc<str>,
    /// The cost of one execution.
    pub(super) costs: Costs,
    /// The number of executions in one execution of the function.
    pub(super) times: Quantity,
    /// The number of elements of the weights that it is the first to use.
    pub(super) parameters: Quantity,
}

/// A call with its number in one execution of the caller.
pub(super) struct CallEdge {
    pub(super) callee: usize,
    pub(super) times: Quantity,
    pub(super) scope: Rc<str>,
}

/// A function as it is called with arguments of some shapes.
pub(super) struct Context<'m> {
    pub(super) function: Operation<'m>,
    pub(super) name: String,
    pub(super) entries: Vec<Entry<'m>>,
    pub(super) calls: Vec<CallEdge>,
    /// The cost of one execution, with the functions that it calls.
    pub(super) total: Costs,
    results: Vec<Known>,
    is_complete: bool,
}

/// Sentences about parts that are not counted exactly, with the number of operations.
pub(super) type Notes = std::collections::BTreeMap<String, u64>;

pub(super) struct Walker<'m, 'c> {
    module: &'m Module,
    budget: Budget,
    pub(super) types: TypeShapes<'m>,
    scopes: Scopes<'m>,
    rules: Vec<(Rc<str>, Rule)>,
    functions: HashMap<(Option<OpKey>, String), Operation<'m>>,
    custom_calls: &'c CustomCallCosts,
    is_dynamic: bool,
    pub(super) contexts: Vec<Context<'m>>,
    /// Contexts in the order of their ends: callees before callers.
    pub(super) finished: Vec<usize>,
    by_arguments: HashMap<(OpKey, Vec<Known>), usize>,
    weights: HashMap<super::values::ValueKey, Quantity>,
    pub(super) notes: Notes,
    /// The targets of custom calls.
    pub(super) targets: std::collections::BTreeSet<String>,
    active: Vec<Active<'m>>,
    steps_left: u64,
}

/// An operation with regions whose costs are being counted.
struct OpenOp<'m> {
    op: Operation<'m>,
    regions: std::vec::IntoIter<Region<'m>>,
    /// The number of executions of each region in one execution of the operation; `None` if a single region is executed.
    times: Option<Quantity>,
    /// The number of executions of the first region, if it has another: the condition of a loop also ends the loop.
    first_times: Option<Quantity>,
    branches: Vec<(Costs, Range<usize>, Range<usize>)>,
    /// The number of executions of the operation in its function.
    outer: Quantity,
}

/// A function that is being walked.
struct Active<'m> {
    context: usize,
    environment: Environment,
    call: Option<Operation<'m>>,
    /// The entries and calls of branches that are not executed.
    skipped: Vec<(Range<usize>, Range<usize>)>,
}

enum Frame<'m> {
    /// The innermost function.
    Function,
    Op(OpenOp<'m>),
    Region {
        ops: Box<dyn Iterator<Item = Operation<'m>> + 'm>,
        times: Quantity,
        subtotal: Costs,
        starts: (usize, usize),
    },
}

impl<'m, 'c> Walker<'m, 'c> {
    pub(super) fn new(module: &'m Module, custom_calls: &'c CustomCallCosts) -> Result<Self> {
        let names = module.tables().dialect_section()?.op_names.len();
        let rules = (0..names).map(|id| {
            let name = module.op_name(crate::format::id::OpNameId::new(id as u32));
            let name = name.map(|name| name.full().into_owned()).unwrap_or_default();
            let rule = Rule::named(&name);
            (name.into(), rule)
        });
        let mut types = TypeShapes::new(module);
        Ok(Self {
            module,
            budget: module.tables().work_budget(),
            is_dynamic: types.has_dynamic_types()?,
            types,
            scopes: Scopes::new(module),
            rules: rules.collect(),
            functions: HashMap::new(),
            custom_calls,
            contexts: Vec::new(),
            finished: Vec::new(),
            by_arguments: HashMap::new(),
            weights: HashMap::new(),
            notes: Notes::new(),
            targets: std::collections::BTreeSet::new(),
            active: Vec::new(),
            steps_left: 0,
        })
    }

    fn rule(&self, op: &Operation<'m>) -> (Rc<str>, Rule) {
        self.rules.get(op.name_id().index()).cloned().unwrap_or_else(|| ("".into(), Rule::Unknown))
    }

    pub(super) fn note(&mut self, text: String) {
        if self.notes.len() < 1 << 12 || self.notes.contains_key(&text) {
            *self.notes.entry(text).or_default() += 1;
        }
    }

    /// Collects the functions by the symbol table that they are in; returns them in order.
    pub(super) fn functions(&mut self) -> Result<Vec<(Operation<'m>, String, bool)>> {
        let mut list = Vec::new();
        let mut walked = 0u64;
        for op in self.module.operation()?.pre_order() {
            self.module.tables().check_interrupt()?;
            let op = op?;
            walked += 1;
            if !is_function_name(&op.name()) {
                continue;
            }
            let attributes = named_attributes(&op)?;
            let text = |name: &str| named(&attributes, name).map_or(Ok(None), word);
            let Some(name) = text("sym_name")? else { continue };
            let is_public = text("sym_visibility")?
                .is_none_or(|visibility| visibility.is_empty() || visibility == "public");
            self.budget.spend(name.len() + 2 * size_of::<(Operation<'_>, String)>())?;
            self.functions.insert((op.parent().as_ref().map(op_key), name.clone()), op);
            if op.region(0)?.is_some_and(|region| !region.is_empty()) {
                list.push((op, name, is_public));
            }
        }
        // A function is walked again for other shapes, but a module of many calls must not grow without a limit.
        self.steps_left = walked.saturating_mul(16).saturating_add(1 << 12);
        Ok(list)
    }

    /// Marks an argument of the entry function as a weight.
    pub(super) fn add_weight(&mut self, value: &Value<'m>) -> Result<()> {
        let elements = self.shape_of(value, &Environment::default())?.elements().map_err(too_large)?;
        self.weights.insert(super::values::key_of(value), elements);
        Ok(())
    }

    /// Counts a function that is called with arguments of these shapes.
    pub(super) fn walk(
        &mut self,
        function: Operation<'m>,
        name: &str,
        mut arguments: Vec<Known>,
    ) -> Result<usize> {
        if !self.is_dynamic {
            arguments.clear();
        }
        if let Some(&context) = self.by_arguments.get(&(op_key(&function), arguments.clone())) {
            return Ok(context);
        }
        let context = self.open(function, name.to_owned(), arguments.clone())?;
        let mut stack = Vec::new();
        self.enter(&mut stack, context, &arguments, None)?;
        while !stack.is_empty() {
            self.module.tables().check_interrupt()?;
            self.advance(&mut stack)?;
        }
        Ok(context)
    }

    fn open(&mut self, function: Operation<'m>, name: String, arguments: Vec<Known>) -> Result<usize> {
        self.budget.spend(size_of::<Context<'_>>() + name.len() + arguments.len() * size_of::<Known>())?;
        let context = self.contexts.len();
        self.contexts.push(Context {
            function,
            name,
            entries: Vec::new(),
            calls: Vec::new(),
            total: Costs::ZERO,
            results: Vec::new(),
            is_complete: false,
        });
        self.by_arguments.insert((op_key(&function), arguments), context);
        Ok(context)
    }

    fn enter(
        &mut self,
        stack: &mut Vec<Frame<'m>>,
        context: usize,
        arguments: &[Known],
        call: Option<Operation<'m>>,
    ) -> Result<()> {
        let function = self.contexts[context].function;
        let mut environment = Environment::default();
        if let Some(block) = function.region(0)?.and_then(|region| region.block(0)) {
            for (number, argument) in block.arguments().enumerate() {
                let mut facts = arguments.get(number).cloned().unwrap_or_default();
                let shape = self.types.get(argument.r#type())?;
                if facts.dims.is_none() && shape.is_dynamic() {
                    let prefix = if self.contexts.len() == 1 {
                        "arg".to_owned()
                    } else {
                        format!("{}.arg", self.contexts[context].name)
                    };
                    facts.dims = Some(symbols(&shape, &format!("{prefix}{number}")));
                }
                environment.bind(&argument, facts);
            }
        }
        self.active.push(Active { context, environment, call, skipped: Vec::new() });
        stack.push(Frame::Function);
        if let Some(region) = function.region(0)? {
            self.enter_region(stack, region, Quantity::ONE);
        }
        Ok(())
    }

    fn enter_region(&self, stack: &mut Vec<Frame<'m>>, region: Region<'m>, times: Quantity) {
        let ops = region.blocks().flat_map(|block| block.operations());
        let starts = self.active.last().map_or((0, 0), |active| {
            let context = &self.contexts[active.context];
            (context.entries.len(), context.calls.len())
        });
        stack.push(Frame::Region { ops: Box::new(ops), times, subtotal: Costs::ZERO, starts });
    }

    // Does the next step of the top of the stack.
    fn advance(&mut self, stack: &mut Vec<Frame<'m>>) -> Result<()> {
        match stack.last_mut() {
            Some(Frame::Region { ops, times, .. }) => match ops.next() {
                Some(op) => {
                    let times = times.clone();
                    self.visit(stack, op, times)
                }
                None => self.leave_region(stack),
            },
            Some(Frame::Op(open)) => match open.regions.next() {
                Some(region) => {
                    let times = match open.first_times.take().as_ref().or(open.times.as_ref()) {
                        Some(times) => open.outer.times(times).map_err(too_large)?,
                        None => open.outer.clone(),
                    };
                    self.enter_region(stack, region, times);
                    Ok(())
                }
                None => self.leave_op(stack),
            },
            Some(Frame::Function) => self.leave_function(stack),
            None => Ok(()),
        }
    }

    // Adds a cost of the function to the region that is being walked.
    fn add(stack: &mut [Frame<'m>], costs: &Costs) -> Result<()> {
        if let Some(Frame::Region { subtotal, .. }) = stack.last_mut() {
            *subtotal = subtotal.plus(costs).map_err(too_large)?;
        }
        Ok(())
    }

    fn leave_region(&mut self, stack: &mut Vec<Frame<'m>>) -> Result<()> {
        let Some(Frame::Region { subtotal, starts, .. }) = stack.pop() else { return Ok(()) };
        let Some(active) = self.active.last() else { return Ok(()) };
        let context = &mut self.contexts[active.context];
        match stack.last_mut() {
            Some(Frame::Op(open)) => {
                let ends = (context.entries.len(), context.calls.len());
                open.branches.push((subtotal, starts.0..ends.0, starts.1..ends.1));
            }
            _ => context.total = subtotal,
        }
        Ok(())
    }

    fn leave_op(&mut self, stack: &mut Vec<Frame<'m>>) -> Result<()> {
        let Some(Frame::Op(open)) = stack.pop() else { return Ok(()) };
        let mut branches = open.branches;
        if open.times.is_none() && branches.len() > 1 {
            // The branch with the greatest cost, as XLA counts; formulas are compared with all dimensions at 1.
            let weight = |costs: &Costs| weight_of(costs);
            let greatest =
                (0..branches.len()).max_by_key(|&at| (weight(&branches[at].0), std::cmp::Reverse(at)));
            let executed = branches.swap_remove(greatest.unwrap_or_default());
            if let Some(active) = self.active.last_mut() {
                active.skipped.extend(branches.into_iter().map(|(_, entries, calls)| (entries, calls)));
            }
            branches = vec![executed];
            self.note("of several branches, the one with the greatest cost is counted".to_owned());
        }
        for (subtotal, ..) in &branches {
            Self::add(stack, subtotal)?;
        }
        let shapes_known = open.op.results().len() == 0;
        if !shapes_known {
            self.bind_unknown(&open.op)?;
        }
        Ok(())
    }

    fn leave_function(&mut self, stack: &mut Vec<Frame<'m>>) -> Result<()> {
        stack.pop();
        let Some(active) = self.active.pop() else { return Ok(()) };
        let context = &mut self.contexts[active.context];
        remove(&mut context.entries, active.skipped.iter().map(|(entries, _)| entries), &self.budget)?;
        remove(&mut context.calls, active.skipped.iter().map(|(_, calls)| calls), &self.budget)?;
        context.is_complete = true;
        self.finished.push(active.context);
        if let Some(call) = active.call {
            let times = match stack.last() {
                Some(Frame::Region { times, .. }) => times.clone(),
                _ => Quantity::ONE,
            };
            self.add_call(stack, &call, active.context, times)?;
        }
        Ok(())
    }

    // Adds a call of a function whose cost is known.
    fn add_call(
        &mut self,
        stack: &mut [Frame<'m>],
        call: &Operation<'m>,
        callee: usize,
        times: Quantity,
    ) -> Result<()> {
        let scope = self.scopes.get(call.location())?;
        let costs = self.contexts[callee].total.times(&times).map_err(too_large)?;
        Self::add(stack, &costs)?;
        let Some(active) = self.active.last_mut() else { return Ok(()) };
        self.budget.spend(size_of::<CallEdge>())?;
        self.contexts[active.context].calls.push(CallEdge { callee, times, scope });
        let results = self.contexts[callee].results.clone();
        for (value, known) in call.results().zip(results) {
            active.environment.bind(&value, known);
        }
        self.bind_unknown(call)
    }
}

fn is_function_name(name: &str) -> bool {
    matches!(name, "func.func" | "vhlo.func_v1" | "util.func" | "flow.func")
}

// Removes the elements in ranges, some of which may contain others.
fn remove<'r, T>(
    items: &mut Vec<T>,
    ranges: impl Iterator<Item = &'r Range<usize>>,
    budget: &Budget,
) -> Result<()> {
    let mut changes = budget.filled(0i64, items.len() + 1)?;
    for range in ranges {
        changes[range.start] += 1;
        changes[range.end] -= 1;
    }
    let mut depth = 0;
    let mut at = 0;
    items.retain(|_| {
        depth += changes[at];
        at += 1;
        depth == 0
    });
    Ok(())
}

fn weight_of(costs: &Costs) -> i128 {
    let mut names = std::collections::BTreeSet::new();
    costs.flops.add_symbols(&mut names);
    costs.bytes_read.add_symbols(&mut names);
    let values = names.into_iter().map(|name| (name, 1)).collect();
    let number = |quantity: &Quantity| {
        quantity.at(&values).ok().and_then(|quantity| quantity.number()).unwrap_or_default()
    };
    number(&costs.flops)
        .saturating_add(number(&costs.transcendentals))
        .saturating_mul(1 << 20)
        .saturating_add(number(&costs.bytes_read))
}
