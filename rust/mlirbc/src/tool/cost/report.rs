//! Sums of the costs of a walk by operation, name, function and name scope.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::attr::Type;
use crate::ir::{Module, Operation};
use crate::tool::module_view::ModuleView;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::costs::Costs;
use super::facts::DYNAMIC;
use super::flow::{Context, Walker, op_key};
use super::quantity::{Excess, Formula, Quantity, too_large};
use super::rows::{CostAmount, CostNote, CostOptions, CostReport, CostRow, OperationCost};
use super::scopes::{is_within, prefixes};
use super::values::Known;

/// The longest text of a type.
const MAX_TYPE: usize = 200;

impl CostReport {
    /// Counts the cost of a module of StableHLO, linalg or other dialects with rules; operations without a rule are
    /// listed in the notes. A portable artifact counts as the StableHLO in it.
    ///
    /// ```
    /// use mlirbc::tool::{CostOptions, CostReport};
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// let report = CostReport::of(&module, &CostOptions::default())?;
    /// let dots = report.names.iter().find(|row| row.name == "stablehlo.dot_general").unwrap();
    /// assert_eq!(dots.flops.to_string(), "896");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the module is malformed, a cost exceeds 64 bits, or a dimension in the options has no symbol.
    pub fn of(module: &Module, options: &CostOptions) -> Result<Self> {
        match ModuleView::of(module)? {
            ModuleView::StableHlo(lifted) => Counter::new(&lifted, module, options)?.report(),
            ModuleView::Itself => Counter::new(module, module, options)?.report(),
            ModuleView::Vhlo(error) => Err(error
                .in_context("the artifact cannot be translated to StableHLO, whose cost is counted")
                .with_hint("check the file with `mlirbc verify`")),
        }
    }
}

/// The sum of the costs of a row.
#[derive(Clone)]
struct Sum {
    executions: Quantity,
    costs: Costs,
    parameters: Quantity,
}

impl Sum {
    const ZERO: Self = Self { executions: Quantity::ZERO, costs: Costs::ZERO, parameters: Quantity::ZERO };

    fn add(&mut self, executions: &Quantity, costs: &Costs, parameters: &Quantity) -> Result<()> {
        let sum = || -> std::result::Result<Self, Excess> {
            Ok(Self {
                executions: self.executions.plus(executions)?,
                costs: self.costs.plus(costs)?,
                parameters: self.parameters.plus(parameters)?,
            })
        };
        *self = sum().map_err(too_large)?;
        Ok(())
    }
}

struct Counter<'m, 'o> {
    module: &'m Module,
    container: &'o Module,
    options: &'o CostOptions,
    walker: Walker<'m, 'o>,
    budget: Budget,
    values: BTreeMap<String, i128>,
    symbols: BTreeSet<String>,
    /// Contexts, callees before callers.
    finished: Vec<usize>,
    /// The symbols of all formulas before values replace them.
    symbols_before: BTreeSet<String>,
}

/// The sums of scopes in the order of their first operation.
#[derive(Default)]
struct Layers {
    order: Vec<(Rc<str>, Sum)>,
    by_scope: HashMap<Rc<str>, usize>,
}

impl<'m, 'o> Counter<'m, 'o> {
    fn new(module: &'m Module, container: &'o Module, options: &'o CostOptions) -> Result<Self> {
        Ok(Self {
            module,
            container,
            options,
            walker: Walker::new(module, &options.custom_calls)?,
            budget: module.tables().work_budget(),
            values: options.dims.iter().map(|(name, size)| (name.clone(), i128::from(*size))).collect(),
            symbols: BTreeSet::new(),
            finished: Vec::new(),
            symbols_before: BTreeSet::new(),
        })
    }

    fn report(mut self) -> Result<CostReport> {
        let functions = self.walker.functions()?;
        let entry = functions.iter().position(|(_, name, _)| name == "main").or_else(|| {
            let mut public = functions.iter().enumerate().filter(|(_, (_, _, is_public))| *is_public);
            public.next().filter(|_| public.next().is_none()).map(|(at, _)| at)
        });
        let mut roots = Vec::new();
        match entry {
            Some(entry) => {
                let (function, name, _) = &functions[entry];
                let arguments = self.entry_arguments(function)?;
                roots.push(self.walker.walk(*function, name, arguments)?);
            }
            None if functions.is_empty() => {
                let module = self.module.operation()?;
                roots.push(self.walker.walk(module, "", Vec::new())?);
            }
            None => {
                for (function, name, _) in &functions {
                    self.walker.walk(*function, name, Vec::new())?;
                }
            }
        }
        let counted = self.walker.contexts.len();
        for (function, name, _) in &functions {
            let is_counted = self
                .walker
                .contexts
                .iter()
                .take(counted)
                .any(|context| op_key(&context.function) == op_key(function));
            if !is_counted {
                self.walker.walk(*function, name, Vec::new())?;
            }
        }
        if entry.is_none() && roots.is_empty() {
            let called: BTreeSet<_> = self
                .walker
                .contexts
                .iter()
                .flat_map(|context| &context.calls)
                .map(|call| call.callee)
                .collect();
            roots = (0..self.walker.contexts.len()).filter(|context| !called.contains(context)).collect();
        }
        self.rows(&roots)
    }

    // The dimensions of the arguments that the container names, as JAX does: `b`, `2*b + 1`.
    fn entry_arguments(&mut self, function: &Operation<'m>) -> Result<Vec<Known>> {
        let Some(block) = function.region(0)?.and_then(|region| region.block(0)) else {
            return Ok(Vec::new());
        };
        let arguments: Vec<_> = block.arguments().collect();
        let mut facts = self.budget.filled(Known::default(), arguments.len())?;
        let mut unmatched = self.options.parameters.clone();
        for argument in &arguments {
            let name = match argument.location() {
                Some(location) => crate::tool::weights::location_name(self.module, location)?,
                None => None,
            };
            let name = name.unwrap_or_default();
            if self.options.parameters.iter().any(|start| !name.is_empty() && name.starts_with(start)) {
                unmatched.retain(|start| !name.starts_with(start));
                self.walker.add_weight(argument)?;
            }
        }
        for start in unmatched {
            self.walker.note(format!("no argument has a name in its location that begins with `{start}`"));
        }
        let Some(container) = self.container.container() else { return Ok(facts) };
        let Some(exported) = container.exported(self.container.tables().module_index())? else {
            return Ok(facts);
        };
        let kept_arguments = &exported.module_kept_var_idx;
        // Arguments that the calling convention adds come first.
        let added = arguments.len().saturating_sub(kept_arguments.len());
        for (number, &index) in kept_arguments.iter().enumerate() {
            let (Some(argument), Some(aval)) =
                (arguments.get(added + number), exported.in_avals.get(index as usize))
            else {
                continue;
            };
            let shape = self.walker.types.get(argument.r#type())?;
            if !shape.is_dynamic() || shape.dims().map_or(0, <[i64]>::len) != aval.shape.len() {
                continue;
            }
            let dims =
                shape.dims().unwrap_or_default().iter().zip(&aval.shape).map(|(&size, text)| match size {
                    DYNAMIC => {
                        let formula = Formula::parse(text).ok()?;
                        formula.evaluate(&|name, _| Ok(Some(Quantity::symbol(name)))).ok()
                    }
                    size => Some(Quantity::Number(size.into())),
                });
            facts[added + number].dims = dims.collect::<Option<Vec<_>>>().map(Into::into);
        }
        Ok(facts)
    }

    fn rows(mut self, roots: &[usize]) -> Result<CostReport> {
        let contexts = std::mem::take(&mut self.walker.contexts);
        self.finished = std::mem::take(&mut self.walker.finished);
        let counts = executions(&contexts, &self.finished, roots, &self.budget)?;
        let mut total = Sum::ZERO;
        let mut names: HashMap<String, Sum> = HashMap::new();
        let mut operations: HashMap<_, (Operation<'m>, Rc<str>, Sum)> = HashMap::new();
        for (context, count) in contexts.iter().zip(&counts) {
            self.module.tables().check_interrupt()?;
            if *count == Quantity::ZERO {
                continue;
            }
            for entry in &context.entries {
                let times = entry.times.times(count).map_err(too_large)?;
                let costs = entry.costs.times(&times).map_err(too_large)?;
                total.add(&Quantity::ZERO, &costs, &entry.parameters)?;
                self.budget.spend(size_of::<(Operation<'_>, Sum)>())?;
                names.entry(entry.op.name()).or_insert(Sum::ZERO).add(&times, &costs, &entry.parameters)?;
                let row =
                    operations.entry(op_key(&entry.op)).or_insert((entry.op, entry.scope.clone(), Sum::ZERO));
                row.2.add(&times, &costs, &entry.parameters)?;
            }
        }
        total.executions = Quantity::ONE;
        let custom_calls = &self.options.custom_calls;
        for target in custom_calls.targets().filter(|target| !self.walker.targets.contains(*target)) {
            let text = format!("no custom call has the target `{target}`, whose cost is declared");
            *self.walker.notes.entry(text).or_default() += 1;
        }
        let layers = self.layers(&contexts, roots)?;
        let mut rows: Vec<_> = operations.into_values().collect();
        rows.sort_by_key(|(op, ..)| op_key(op));
        let operations = rows
            .into_iter()
            .map(|(op, scope, sum)| self.operation_row(&op, &scope, &sum))
            .collect::<Result<_>>()?;
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort_by(|left, right| left.0.cmp(&right.0));
        let mut names =
            names.into_iter().map(|(name, sum)| self.row(name, &sum)).collect::<Result<Vec<_>>>()?;
        names.sort_by_key(|row| std::cmp::Reverse(row.flops.number()));
        let functions = self.function_rows(&contexts, &counts)?;
        let total = self.row("total".to_owned(), &total)?;
        let report = CostReport {
            total,
            symbols: self.symbols.iter().cloned().collect(),
            functions,
            layers,
            names,
            operations,
            notes: std::mem::take(&mut self.walker.notes)
                .into_iter()
                .map(|(text, count)| CostNote { text, count })
                .collect(),
        };
        check_dims(&self.options.dims, &self.symbols_before)?;
        Ok(report)
    }

    fn amount(&mut self, name: &str, quantity: &Quantity) -> Result<CostAmount> {
        quantity.add_symbols(&mut self.symbols_before);
        let value = quantity.at(&self.values).map_err(too_large)?;
        value.add_symbols(&mut self.symbols);
        match value.number() {
            Some(number) => u64::try_from(number).map(CostAmount::Number).map_err(|_| {
                let problem = if number < 0 { "is negative" } else { "exceeds 64 bits" };
                Error::message(ErrorKind::Value, format!("the cost {number} of `{name}` {problem}"))
                    .with_hint("correct the formulas of --custom-calls, or the values of --dim")
            }),
            None => {
                let text = value.to_string();
                self.budget.spend(text.len())?;
                Ok(CostAmount::Formula(text))
            }
        }
    }

    fn row(&mut self, name: String, sum: &Sum) -> Result<CostRow> {
        self.budget.spend(name.len() + size_of::<CostRow>())?;
        let amounts = [
            &sum.executions,
            &sum.costs.flops,
            &sum.costs.transcendentals,
            &sum.costs.bytes_read,
            &sum.costs.bytes_written,
            &sum.parameters,
        ];
        let [executions, flops, transcendentals, bytes_read, bytes_written, parameters] =
            amounts.map(|quantity| self.amount(&name, quantity));
        Ok(CostRow {
            executions: executions?,
            flops: flops?,
            transcendentals: transcendentals?,
            bytes_read: bytes_read?,
            bytes_written: bytes_written?,
            parameters: parameters?,
            name,
        })
    }

    fn operation_row(&mut self, op: &Operation<'m>, scope: &str, sum: &Sum) -> Result<OperationCost> {
        let r#type = match op.results().next() {
            Some(result) => Type::of_file(self.module.tables(), result.r#type())?,
            None => None,
        };
        let r#type = r#type.map_or_else(String::new, |r#type| r#type.to_builtin_text_within(MAX_TYPE));
        let path = op.path();
        self.budget.spend(path.len() + scope.len() + r#type.len() + size_of::<OperationCost>())?;
        Ok(OperationCost { path, scope: scope.to_owned(), r#type, cost: self.row(op.name(), sum)? })
    }

    fn function_rows(&mut self, contexts: &[Context<'m>], counts: &[Quantity]) -> Result<Vec<CostRow>> {
        let parameters = inclusive_parameters(contexts, &self.finished, &self.budget)?;
        let mut order = Vec::new();
        let mut sums: HashMap<_, Sum> = HashMap::new();
        for (at, context) in contexts.iter().enumerate() {
            let key = op_key(&context.function);
            let sum = sums.entry(key).or_insert_with(|| {
                order.push((key, context.name.clone()));
                Sum::ZERO
            });
            // A function that is not called is shown with the cost of one call.
            let times = if counts[at] == Quantity::ZERO { Quantity::ONE } else { counts[at].clone() };
            sum.add(&counts[at], &context.total.times(&times).map_err(too_large)?, &parameters[at])?;
        }
        order.sort();
        order.into_iter().map(|(key, name)| self.row(name, &sums[&key])).collect()
    }

    // Each operation counts for its scope and the scopes around it. The operations of a function that was traced in
    // another scope, and is shared, count for the scope of the call.
    fn layers(&mut self, contexts: &[Context<'m>], roots: &[usize]) -> Result<Vec<CostRow>> {
        let common = common_scopes(contexts, &self.finished, &self.budget)?;
        let parameters = inclusive_parameters(contexts, &self.finished, &self.budget)?;
        let mut counts = self.budget.filled(Quantity::ZERO, contexts.len())?;
        for &root in roots {
            counts[root] = Quantity::ONE;
        }
        let mut layers = Layers::default();
        for &at in self.finished.iter().rev() {
            let count = std::mem::replace(&mut counts[at], Quantity::ZERO);
            if count == Quantity::ZERO {
                continue;
            }
            for entry in &contexts[at].entries {
                let times = entry.times.times(&count).map_err(too_large)?;
                let costs = entry.costs.times(&times).map_err(too_large)?;
                layers.add(&entry.scope, &self.budget)?.add(&times, &costs, &entry.parameters)?;
            }
            for call in &contexts[at].calls {
                let times = call.times.times(&count).map_err(too_large)?;
                let is_traced_here =
                    common[call.callee].as_deref().is_some_and(|scope| is_within(scope, &call.scope));
                if is_traced_here {
                    counts[call.callee] = counts[call.callee].plus(&times).map_err(too_large)?;
                } else {
                    let costs = contexts[call.callee].total.times(&times).map_err(too_large)?;
                    layers.add(&call.scope, &self.budget)?.add(&times, &costs, &parameters[call.callee])?;
                }
            }
        }
        let mut inclusive = Layers::default();
        for (scope, sum) in layers.order {
            for prefix in prefixes(&scope) {
                inclusive.add(prefix, &self.budget)?.add(&sum.executions, &sum.costs, &sum.parameters)?;
            }
        }
        let rows = inclusive.order.into_iter().map(|(scope, sum)| self.row(scope.to_string(), &sum));
        rows.collect()
    }
}

impl Layers {
    fn add(&mut self, scope: &str, budget: &Budget) -> Result<&mut Sum> {
        let at = match self.by_scope.get(scope) {
            Some(&at) => at,
            None => {
                budget.spend(scope.len() + size_of::<(Rc<str>, Sum)>() + size_of::<(Rc<str>, usize)>())?;
                let scope: Rc<str> = scope.into();
                self.by_scope.insert(scope.clone(), self.order.len());
                self.order.push((scope, Sum::ZERO));
                self.order.len() - 1
            }
        };
        Ok(&mut self.order[at].1)
    }
}

// The number of executions of each context, callers before callees.
fn executions(
    contexts: &[Context<'_>],
    finished: &[usize],
    roots: &[usize],
    budget: &Budget,
) -> Result<Vec<Quantity>> {
    let mut counts = budget.filled(Quantity::ZERO, contexts.len())?;
    for &root in roots {
        counts[root] = Quantity::ONE;
    }
    for &at in finished.iter().rev() {
        let count = counts[at].clone();
        if count == Quantity::ZERO {
            continue;
        }
        for call in &contexts[at].calls {
            let times = call.times.times(&count).map_err(too_large)?;
            counts[call.callee] = counts[call.callee].plus(&times).map_err(too_large)?;
        }
    }
    Ok(counts)
}

// Weights belong to their first user, so that a function counts its weights once, and the weights of its callees.
fn inclusive_parameters(
    contexts: &[Context<'_>],
    finished: &[usize],
    budget: &Budget,
) -> Result<Vec<Quantity>> {
    let mut sums = budget.filled(Quantity::ZERO, contexts.len())?;
    for &at in finished {
        let context = &contexts[at];
        let mut callees: Vec<_> = context.calls.iter().map(|call| call.callee).collect();
        callees.sort_unstable();
        callees.dedup();
        let of_entries = context.entries.iter().map(|entry| &entry.parameters);
        let all = of_entries.chain(callees.iter().map(|&callee| &sums[callee]));
        sums[at] = all.cloned().try_fold(Quantity::ZERO, |sum, part| sum.plus(&part)).map_err(too_large)?;
    }
    Ok(sums)
}

// The scope that contains all operations of a context; `None` without operations.
fn common_scopes(
    contexts: &[Context<'_>],
    finished: &[usize],
    budget: &Budget,
) -> Result<Vec<Option<String>>> {
    let mut common = budget.filled(None::<String>, contexts.len())?;
    for &at in finished {
        let context = &contexts[at];
        let scopes = context.entries.iter().map(|entry| &entry.scope);
        let mut shared: Option<String> = None;
        for scope in scopes.chain(context.calls.iter().map(|call| &call.scope)) {
            shared = Some(match shared {
                None => scope.to_string(),
                Some(shared) => prefixes(scope)
                    .take_while(|prefix| is_within(&shared, prefix))
                    .last()
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        common[at] = shared;
    }
    Ok(common)
}

fn check_dims(dims: &[(String, u64)], symbols: &BTreeSet<String>) -> Result<()> {
    let Some((name, _)) = dims.iter().find(|(name, _)| !symbols.contains(name)) else { return Ok(()) };
    let names: Vec<_> = symbols.iter().take(20).map(|symbol| format!("`{symbol}`")).collect();
    let hint = match names.is_empty() {
        true => "no cost depends on a symbolic dimension".to_owned(),
        false => format!("the costs depend on {}", names.join(", ")),
    };
    let sentence = format!("no cost depends on a dimension `{name}`");
    Err(Error::message(ErrorKind::Value, sentence).with_hint(hint))
}
