//! Changes the operations that the survey found.

use std::rc::Rc;

use crate::attr::build::builtin;
use crate::attr::{Attribute, Type};
use crate::edit::arena::ArenaValue;
use crate::edit::{EditOp, EditValue, Editor, InsertionPoint, NewOperation};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::SHARDING_RULE;
use super::attributes::{Shardings, TensorSharding};
use super::contexts::{CallGraph, ManualContext};
use super::frontend::{self, FrontendAttributes};
use super::functions::{DIFFERENT_CONTEXTS, HLO_SHARDING, ValueAttributes};
use super::refusals::{Attempt, Refusals, refused};
use super::survey::{Change, FoundOp, Manual, Survey};
use super::texts::{ShardingScope, ShardingText, ShardingTexts};

/// Replaces all operations and attributes of Shardy in a module.
///
/// # Errors
/// [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) with everything that HLO does not have; the errors of reading.
pub(super) fn rewrite(editor: &mut Editor) -> Result<()> {
    let budget = editor.base().tables().work_budget();
    let (mut shardings, mut refusals) = (Shardings::new(budget.clone()), Refusals::default());
    let mut survey = Survey::new(editor, &mut shardings, &mut refusals, &budget)?;
    survey.run()?;
    let (mut calls, found) = (survey.calls, survey.found);
    calls.resolve();
    let targets = Targets::new()?;
    let mut rewriter = Rewriter::new(editor, shardings, calls, (targets, &budget));
    let mut computations = Vec::new();
    for FoundOp { op, function, around, change } in found {
        let context = rewriter.calls.context(function, around);
        let attempt = match change {
            Change::Manual(manual) => match rewriter.enter(op, &manual, context) {
                Ok(context) => {
                    computations.push((op, manual, context));
                    Ok(())
                }
                Err(failure) => Err(failure),
            },
            change => rewriter.change(op, &change, context),
        };
        refusals.keep(rewriter.editor, op, attempt)?;
    }
    // Values leave inner computations first, so that the uses of a result are replaced once, however deep it is made.
    if refusals.is_empty() {
        for (op, manual, context) in computations.into_iter().rev() {
            let attempt = rewriter.leave(op, &manual, context);
            refusals.keep(rewriter.editor, op, attempt)?;
        }
    }
    refusals.check()
}

/// The names of the calls.
struct Targets {
    sharding: Attribute,
    full_to_shard: Attribute,
    shard_to_full: Attribute,
}

impl Targets {
    fn new() -> Result<Self> {
        Ok(Self {
            sharding: builtin::string(b"Sharding")?,
            full_to_shard: builtin::string(b"SPMDFullToShardShape")?,
            shard_to_full: builtin::string(b"SPMDShardToFullShape")?,
        })
    }
}

struct Rewriter<'e> {
    editor: &'e mut Editor,
    shardings: Shardings,
    texts: ShardingTexts,
    calls: CallGraph,
    values: ValueAttributes,
    frontend: FrontendAttributes,
    targets: Targets,
}

impl<'e> Rewriter<'e> {
    fn new(
        editor: &'e mut Editor,
        shardings: Shardings,
        calls: CallGraph,
        (targets, budget): (Targets, &Budget),
    ) -> Self {
        Self {
            editor,
            shardings,
            texts: ShardingTexts::new(budget.clone()),
            calls,
            values: ValueAttributes::default(),
            frontend: FrontendAttributes::default(),
            targets,
        }
    }

    fn change(&mut self, op: EditOp, change: &Change, context: Option<ManualContext>) -> Attempt<()> {
        match change {
            Change::Mesh => Ok(self.editor.erase(op)?),
            Change::Constraint => self.constraint(op, context),
            Change::Function => self.function(op, context),
            Change::Attributes => self.attributes(op),
            Change::FrontendCall => self.frontend_call(op),
            Change::Manual(_) => Ok(()),
        }
    }

    fn text(
        &mut self,
        sharding: &TensorSharding,
        context: ManualContext,
        side: ShardingScope,
    ) -> Attempt<Rc<ShardingText>> {
        self.texts.of(sharding, context, side, &self.shardings.meshes.layouts)
    }

    /// Inserts a call before an operation and returns its result.
    fn call(
        &mut self,
        before: EditOp,
        target: &Attribute,
        (operand, r#type): (EditValue, Type),
        text: &ShardingText,
    ) -> Result<EditValue> {
        let mut call = NewOperation {
            operands: vec![operand],
            results: vec![r#type],
            location: Some(self.editor.location(before)?),
            ..NewOperation::new("stablehlo.custom_call")
        };
        call.attributes.push((b"call_target_name".to_vec(), target.clone()));
        call.attributes.push((HLO_SHARDING.to_vec(), text.sharding.clone()));
        let open = text.open_dimensions.iter().cloned();
        call.attributes.extend(open.map(|open| (b"backend_config".to_vec(), open)));
        let call = self.editor.create(&call, InsertionPoint::Before(before))?;
        Ok(self
            .editor
            .handle_of(self.editor.arena.op(call.row()).first_result.unwrap_or(ArenaValue::PAST_TABLES)))
    }

    fn constraint(&mut self, op: EditOp, context: Option<ManualContext>) -> Attempt<()> {
        let Some(context) = context else { return refused(DIFFERENT_CONTEXTS) };
        let Some(sharding) = self.editor.attribute(op, "sharding")? else {
            return refused("a constraint without a sharding");
        };
        let (&[operand], &[result]) = (&self.editor.operands(op)?[..], &self.editor.results(op)?[..]) else {
            return refused("a constraint of more than one value");
        };
        let sharding = self.shardings.tensor(&sharding)?;
        let text = self.text(&sharding, context, ShardingScope::Value)?;
        let r#type = self.editor.value_type(result)?;
        let target = self.targets.sharding.clone();
        let constrained = self.call(op, &target, (operand, r#type), &text)?;
        self.editor.replace_all_uses_with(result, constrained)?;
        Ok(self.editor.erase(op)?)
    }

    /// Moves the body of a computation before it, with the parts of its operands as arguments.
    fn enter(
        &mut self,
        op: EditOp,
        manual: &Manual,
        context: Option<ManualContext>,
    ) -> Attempt<ManualContext> {
        let Some(context) = context else { return refused(DIFFERENT_CONTEXTS) };
        let (operands, arguments) = (self.editor.operands(op)?, self.editor.arguments(manual.body)?);
        for ((operand, argument), sharding) in operands.into_iter().zip(arguments).zip(&*manual.inputs) {
            let mut part = operand;
            // JAX writes no calls where each device has all of the array.
            if manual.axes.axes != 0 {
                let whole = self.text(sharding, context, ShardingScope::Value)?;
                let inner = self.text(sharding, context, ShardingScope::Part(manual.axes))?;
                let (sharding, divide) = (self.targets.sharding.clone(), self.targets.full_to_shard.clone());
                let r#type = self.editor.value_type(operand)?;
                let whole = self.call(op, &sharding, (operand, r#type), &whole)?;
                let r#type = self.editor.value_type(argument)?;
                part = self.call(op, &divide, (whole, r#type), &inner)?;
            }
            self.editor.replace_all_uses_with(argument, part)?;
        }
        let mut body = self.editor.operations(manual.body)?;
        body.pop();
        for inner in body {
            self.editor.move_before(inner, op)?;
        }
        Ok(context)
    }

    /// Replaces the results of a computation whose body is before it.
    fn leave(&mut self, op: EditOp, manual: &Manual, context: ManualContext) -> Attempt<()> {
        let terminator = self.editor.operations(manual.body)?.pop();
        let parts = terminator.map(|terminator| self.editor.operands(terminator)).transpose()?;
        let (parts, results) = (parts.unwrap_or_default(), self.editor.results(op)?);
        if parts.len() != results.len() {
            return refused("a manual computation with other numbers of values and shardings");
        }
        for ((part, result), sharding) in parts.into_iter().zip(results).zip(&*manual.outputs) {
            let mut whole = part;
            if manual.axes.axes != 0 {
                let inner = self.text(sharding, context, ShardingScope::Part(manual.axes))?;
                let outer = self.text(sharding, context, ShardingScope::Value)?;
                let (sharding, join) = (self.targets.sharding.clone(), self.targets.shard_to_full.clone());
                let r#type = self.editor.value_type(part)?;
                let part = self.call(op, &sharding, (part, r#type), &inner)?;
                let r#type = self.editor.value_type(result)?;
                whole = self.call(op, &join, (part, r#type), &outer)?;
            }
            self.editor.replace_all_uses_with(result, whole)?;
        }
        Ok(self.editor.erase(op)?)
    }

    fn function(&mut self, op: EditOp, context: Option<ManualContext>) -> Attempt<()> {
        for name in ["arg_attrs", "res_attrs"] {
            let Some(list) = self.editor.attribute(op, name)? else { continue };
            let tools = (&mut self.shardings, &mut self.texts);
            if let Some(translated) = self.values.translated(&list, context, tools)? {
                self.editor.set_attribute(op, name, &translated)?;
            }
        }
        Ok(())
    }

    /// Removes strings of Shardy, and the rule of a custom call, from the attributes of an operation.
    fn attributes(&mut self, op: EditOp) -> Attempt<()> {
        self.editor.remove_attribute(op, SHARDING_RULE)?;
        let Some(strings) = self.editor.attribute(op, frontend::ATTRIBUTES)? else { return Ok(()) };
        let has_hlo_sharding = self.editor.attribute(op, HLO_SHARDING)?.is_some();
        let Some(cleaned) = self.frontend.cleaned(&strings, has_hlo_sharding)? else { return Ok(()) };
        match cleaned.attributes {
            Some(remaining) => self.editor.set_attribute(op, frontend::ATTRIBUTES, &remaining)?,
            None => drop(self.editor.remove_attribute(op, frontend::ATTRIBUTES)?),
        }
        let is_sharding =
            self.editor.string_named(op.row(), b"call_target_name")?.as_deref() == Some(b"Sharding");
        if let Some(sharding) = cleaned.sharding.filter(|_| is_sharding)
            && let Some(open) = self.frontend.open_dimensions(&sharding)?
        {
            let config = self.editor.string_named(op.row(), b"backend_config")?.unwrap_or_default();
            if !config.is_empty() {
                return refused("`xla.sdy.sharding` with open dimensions beside `backend_config`");
            }
            self.editor.set_attribute(op, "backend_config", &open)?;
        }
        Ok(())
    }

    fn frontend_call(&mut self, op: EditOp) -> Attempt<()> {
        let target = self.editor.string_named(op.row(), b"call_target_name")?.unwrap_or_default();
        let (operands, results) = (self.editor.operands(op)?, self.editor.results(op)?);
        if target != frontend::RESULT_SHARDING || operands.len() != results.len() {
            return refused(format!("`@{}`", String::from_utf8_lossy(&target)));
        }
        for (operand, result) in operands.into_iter().zip(results) {
            self.editor.replace_all_uses_with(result, operand)?;
        }
        Ok(self.editor.erase(op)?)
    }
}
