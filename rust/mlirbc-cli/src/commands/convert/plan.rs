//! `mlirbc convert --dry-run`: what a conversion would do, without writing.

use std::io::Write;

use mlirbc::convert::shardy;
use mlirbc::convert::{Decision, Plan};
use mlirbc::edit::Editor;
use mlirbc::{Artifact, Module, WriteOptions};
use serde::Serialize;

use super::{Options, ShardingForm};
use crate::input::Input;
use crate::output::{self, Column, Out, TextTable};
use crate::problem::{FINDING, Problem};
use crate::release::check_jax_version;
use crate::text::{printable, shown};

/// A module of the file, with its planned conversion.
struct ModulePlan {
    /// The path in an artifact with several modules.
    path: Option<String>,
    plan: Plan,
}

#[derive(Serialize)]
struct Record<'r> {
    file: String,
    is_possible: bool,
    modules: Vec<ModuleRecord<'r>>,
}

/// A conversion for a release of JAX.
#[derive(Serialize)]
struct JaxRecord {
    file: String,
    is_possible: bool,
    bytes: u64,
    release: String,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ModuleRecord<'r> {
    path: Option<&'r str>,
    is_possible: bool,
    refusal: Option<String>,
    unchanged_operations: Option<u64>,
    decisions: Vec<DecisionRecord<'r>>,
}

#[derive(Serialize)]
struct DecisionRecord<'r> {
    verdict: String,
    op: Option<&'r str>,
    count: u64,
    reason: &'r str,
    path: Option<&'r str>,
    option: Option<&'static str>,
}

impl<'r> From<&'r Decision> for DecisionRecord<'r> {
    fn from(decision: &'r Decision) -> Self {
        Self {
            verdict: decision.verdict.to_string(),
            op: decision.op.as_deref(),
            count: decision.count,
            reason: &decision.reason,
            path: decision.path.as_deref(),
            option: decision.verdict.option(),
        }
    }
}

impl<'r> From<&'r ModulePlan> for ModuleRecord<'r> {
    fn from(ModulePlan { path, plan }: &'r ModulePlan) -> Self {
        Self {
            path: path.as_deref(),
            is_possible: plan.refusal().is_none(),
            refusal: plan.refusal().map(ToString::to_string),
            unchanged_operations: plan.unchanged_operations(),
            decisions: plan.decisions().iter().map(DecisionRecord::from).collect(),
        }
    }
}

impl Options {
    /// Reports the conversion of each chosen module of a file.
    pub(super) fn plan(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        let (artifact, nested) = input.open_around()?;
        if let Some(path) = nested {
            let message = format!("the conversion of `{path}` is not planned: it is a nested module");
            return Err(Problem::usage(
                message,
                "extract it with `mlirbc extract`, or leave out `--dry-run`",
            ));
        }
        if let Some(version) = self.jax_version(&artifact)? {
            check_jax_version(version)?;
            return self.plan_for_jax(input, &artifact, version, out);
        }
        if let Some(to) = self.to {
            self.check_dialect(&artifact, to)?;
        }
        let (options, is_canonical) = self.write_options();
        if !self.asks_for_conversion(&options) {
            super::tell_unasked(input, out);
        }
        let mut plans = Vec::new();
        // Without the container, one module is written.
        let chosen = artifact.chosen();
        for index in chosen.into_iter().take(if self.bare { 1 } else { usize::MAX }) {
            let module = artifact.module(index)?;
            let plan = self.plan_module(&module, &options, is_canonical && !self.no_verify);
            let is_of_several = artifact.modules().len() > 1;
            let path =
                artifact.modules().get(index).filter(|_| is_of_several).map(|module| module.path.clone());
            plans.push(ModulePlan { path, plan: plan.map_err(|error| artifact.located(index, error))? });
        }
        let is_possible = plans.iter().all(|module| module.plan.refusal().is_none());
        if self.json {
            let modules = plans.iter().map(ModuleRecord::from).collect();
            output::document(out, input, &Record { file: input.name(), is_possible, modules })?;
        } else {
            for (number, module) in plans.iter().enumerate() {
                if number > 0 {
                    writeln!(out)?;
                }
                write_table(&input.name(), module, out)?;
            }
        }
        out.flush()?;
        if is_possible { Ok(()) } else { Err(Problem::Reported(FINDING)) }
    }

    /// Reports the losses of a conversion for JAX. The modules are converted as a whole, so there is no list
    /// of operations.
    fn plan_for_jax(
        &self,
        input: &Input,
        artifact: &Artifact,
        version: &str,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let conversion = self.conversion_for_jax(input, (artifact, None), version)?;
        let (file, bytes) = (input.name(), conversion.prepared.len());
        if self.json {
            let record = JaxRecord {
                file,
                is_possible: true,
                bytes,
                release: conversion.release,
                notes: conversion.notes,
            };
            output::document(out, input, &record)?;
        } else {
            let (file, release) = (printable(&file), printable(&conversion.release));
            writeln!(out, "{file}: the conversion is possible: {bytes} bytes for JAX {release}")?;
            for note in &conversion.notes {
                writeln!(out, "  note: {}", printable(note))?;
            }
        }
        Ok(out.flush()?)
    }

    fn plan_module(&self, module: &Module, options: &WriteOptions, verifies: bool) -> mlirbc::Result<Plan> {
        let module = &match self.shardy {
            Some(ShardingForm::Hlo) => shardy::to_hlo(module, &options.progress)?.into_module()?,
            None => module.clone(),
        };
        if let Some(to) = self.to {
            return match self.in_dialect(module, to)? {
                plan if self.target.is_none() || plan.refusal().is_some() => Ok(plan),
                plan => Plan::new(&plan.into_prepared()?.into_module()?, options),
            };
        }
        if verifies {
            Editor::verify_unedited(module)?;
        }
        Plan::new(module, options)
    }

    fn in_dialect(&self, module: &Module, to: super::Dialect) -> mlirbc::Result<Plan> {
        match self.serialization(to) {
            Some(options) => Plan::to_vhlo(module, &options),
            None => Plan::to_stablehlo(module, &mlirbc::progress::Progress::default()),
        }
    }
}

fn write_table(file: &str, ModulePlan { path, plan }: &ModulePlan, out: &mut Out) -> Result<(), Problem> {
    let file = match path {
        Some(path) => format!("{}, module `{}`", printable(file), printable(path)),
        None => printable(file).into_owned(),
    };
    let losses_are_listed = !plan.losses().is_empty();
    match plan.refusal() {
        None => writeln!(out, "{file}: the conversion is possible")?,
        Some(_) if losses_are_listed => writeln!(out, "{file}: the conversion is refused")?,
        Some(error) => {
            writeln!(out, "{file}: the conversion is refused: {}", printable(&error.to_string()))?;
        }
    }
    if !plan.decisions().is_empty() {
        writeln!(out)?;
        let mut rows = TextTable::new(&[
            Column::Text("verdict"),
            Column::Text("operation"),
            Column::Number("count"),
            Column::Text("option"),
            Column::Text("why"),
        ]);
        for decision in plan.decisions() {
            rows.add([
                decision.verdict.to_string(),
                shown(decision.op.as_deref().unwrap_or_default().as_bytes()),
                decision.count.to_string(),
                decision.verdict.option().unwrap_or_default().to_owned(),
                shown(decision.reason.as_bytes()),
            ]);
        }
        rows.write(out)?;
    }
    match plan.unchanged_operations() {
        Some(1) => writeln!(out, "\n1 operation remains the same")?,
        Some(count) => writeln!(out, "\n{count} operations remain the same")?,
        // A refused conversion has no operations to count.
        None if plan.refusal().is_none() => writeln!(out, "\nno operation is translated")?,
        None => {}
    }
    Ok(())
}
