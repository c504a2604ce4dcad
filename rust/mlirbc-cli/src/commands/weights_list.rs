//! `mlirbc weights list`: the weights of the modules of a file, their layers and users, and the tensors of other files.

use std::collections::HashMap;
use std::io::Write;

use clap::Args;
use mlirbc::tool::{Weight, WeightStats, WeightUse, Weights};
use serde::Serialize;

use super::weights::Choice;
use crate::input::Input;
use crate::modules::{self, ChosenModule, Kernels};
use crate::output::{self, Column, Out, TextTable};
use crate::parameters;
use crate::problem::Problem;
use crate::text::{count, shown};

/// The choice of weights to list.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    choice: Choice,

    /// Read the data: minimum, maximum, mean, standard deviation, zeros, NaNs
    #[arg(long)]
    stats: bool,

    /// Sum the weights of each layer (the name scope of the first user), or list each use of a weight
    #[arg(long, value_name = "UNIT", conflicts_with = "stats")]
    by: Option<Unit>,

    /// The largest first
    #[arg(long, value_name = "KEY")]
    sort: Option<SortKey>,

    /// Only the first rows
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// Write JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// The row of a list that is not a list of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Unit {
    Layer,
    User,
}

/// The key of the order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SortKey {
    Size,
}

/// A weight in the list, with statistics if they were requested.
#[derive(Serialize)]
struct Record {
    /// The path, if the file has several modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    #[serde(flatten)]
    weight: Weight,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Option<WeightStats>>,
}

impl List {
    pub(super) fn run(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if let Some(file) = input.parameter_file()? {
            if self.stats || self.by.is_some() || !self.choice.layer.is_empty() {
                return Err(Problem::usage(
                    "a file of tensors has no program, so its tensors have no layers, users or statistics",
                    "leave out `--stats`, `--by` and `--layer`",
                ));
            }
            let mut chosen: Vec<_> =
                file.tensors().iter().filter(|row| self.choice.has(&row.name, row.size)).collect();
            self.order(&mut chosen, |row| row.size);
            return parameters::write_list(input, &chosen, self.json, out);
        }
        match self.by {
            Some(Unit::Layer) => {
                return self.list_rows(input, out, "layer", &|chosen| self.layers(chosen), &layer_table);
            }
            Some(Unit::User) => {
                return self.list_rows(input, out, "use", &|chosen| self.uses(chosen), &use_table);
            }
            None => {}
        }
        let mut listed = Vec::new();
        modules::each(input, Kernels::LeftOut, out, &mut |chosen, out| {
            let records = self.read(input, chosen)?;
            output::limit_text(out, chosen.module());
            if self.json {
                listed.extend(records);
                return Ok(());
            }
            chosen.write_heading(out)?;
            if records.is_empty() {
                return Ok(writeln!(out, "no weights")?);
            }
            table(&records, self.stats).write(out)?;
            let total: u64 = records.iter().map(|record| record.weight.size).sum();
            Ok(writeln!(out, "{}, {}", count(records.len() as u64, "weight"), count(total, "byte"))?)
        })?;
        if self.json { Ok(output::list(out, input, "weights", &listed)?) } else { Ok(()) }
    }

    fn read(&self, input: &Input, chosen: &ChosenModule) -> Result<Vec<Record>, Problem> {
        let weights = Weights::of(chosen.module())?;
        let progress = input.progress("reading").to_core();
        let mut records = Vec::new();
        for weight in weights.rows().iter().filter(|weight| self.choice.accepts(weight)) {
            let stats = self.stats.then(|| weights.stats(weight, &progress)).transpose()?;
            let module = chosen.path().map(str::to_owned);
            records.push(Record { module, weight: weight.clone(), stats });
        }
        self.order(&mut records, |record| record.weight.size);
        Ok(records)
    }

    /// Sorts and cuts rows as requested.
    fn order<T>(&self, rows: &mut Vec<T>, size: impl Fn(&T) -> u64) {
        if self.sort == Some(SortKey::Size) {
            rows.sort_by_key(|row| std::cmp::Reverse(size(row)));
        }
        rows.truncate(self.top.unwrap_or(usize::MAX));
    }

    fn layers(&self, chosen: &ChosenModule) -> Result<Vec<LayerRow>, Problem> {
        let weights = Weights::of(chosen.module())?;
        let mut rows: Vec<LayerRow> = Vec::new();
        let mut places = HashMap::new();
        for weight in weights.rows().iter().filter(|weight| self.choice.accepts(weight)) {
            let place = *places.entry(weight.layer.clone()).or_insert(rows.len());
            if place == rows.len() {
                rows.push(LayerRow { layer: weight.layer.clone(), weights: 0, elements: 0, size: 0 });
            }
            let row = &mut rows[place];
            row.weights += 1;
            row.elements = row.elements.saturating_add(
                weight.shape.iter().fold(1, |product: u64, &size| product.saturating_mul(size)),
            );
            row.size += weight.size;
        }
        self.order(&mut rows, |row| row.size);
        Ok(rows)
    }

    fn uses(&self, chosen: &ChosenModule) -> Result<Vec<WeightUse>, Problem> {
        let mut uses = Weights::of(chosen.module())?.uses(&|weight| self.choice.accepts(weight))?;
        self.order(&mut uses, |weight_use| weight_use.size);
        Ok(uses)
    }

    fn list_rows<T: Serialize>(
        &self,
        input: &Input,
        out: &mut Out,
        noun: &str,
        read: &dyn Fn(&ChosenModule) -> Result<Vec<T>, Problem>,
        table: &dyn Fn(&[T]) -> TextTable,
    ) -> Result<(), Problem> {
        let mut listed = Vec::new();
        modules::each(input, Kernels::LeftOut, out, &mut |chosen, out| {
            let rows = read(chosen)?;
            output::limit_text(out, chosen.module());
            if self.json {
                let module = chosen.path().map(str::to_owned);
                listed.extend(rows.into_iter().map(|row| InModule { module: module.clone(), row }));
                return Ok(());
            }
            chosen.write_heading(out)?;
            if rows.is_empty() {
                return Ok(writeln!(out, "no weights")?);
            }
            table(&rows).write(out)?;
            Ok(writeln!(out, "{}", count(rows.len() as u64, noun))?)
        })?;
        if self.json { Ok(output::list(out, input, "weights", &listed)?) } else { Ok(()) }
    }
}

/// The weights of a layer.
#[derive(Serialize)]
struct LayerRow {
    layer: String,
    weights: u64,
    elements: u64,
    size: u64,
}

/// A row with the path of its module, if the file has several.
#[derive(Serialize)]
struct InModule<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    #[serde(flatten)]
    row: T,
}

fn layer_table(rows: &[LayerRow]) -> TextTable {
    let columns = [
        Column::Text("layer"),
        Column::Number("weights"),
        Column::Number("elements"),
        Column::Number("size"),
    ];
    let mut table = TextTable::new(&columns);
    for row in rows {
        let layer = if row.layer.is_empty() { "-".to_owned() } else { shown(row.layer.as_bytes()) };
        table.add(vec![layer, row.weights.to_string(), row.elements.to_string(), row.size.to_string()]);
    }
    table
}

fn use_table(rows: &[WeightUse]) -> TextTable {
    let columns = [
        Column::Text("name"),
        Column::Text("user"),
        Column::Number("operand"),
        Column::Number("size"),
        Column::Text("path"),
    ];
    let mut table = TextTable::new(&columns);
    for row in rows {
        let [name, user, path] = [&row.name, &row.user, &row.path].map(|text| shown(text.as_bytes()));
        table.add(vec![name, user, row.operand.to_string(), row.size.to_string(), path]);
    }
    table
}

fn table(records: &[Record], has_stats: bool) -> TextTable {
    let mut columns = vec![
        Column::Text("name"),
        Column::Text("kind"),
        Column::Text("dtype"),
        Column::Text("shape"),
        Column::Number("size"),
        Column::Number("users"),
    ];
    if has_stats {
        columns.extend(["min", "max", "mean", "std", "zeros", "nan"].map(Column::Number));
    }
    let mut rows = TextTable::new(&columns);
    for Record { weight, stats, .. } in records {
        let shape: Vec<String> = weight.shape.iter().map(u64::to_string).collect();
        let size = if weight.has_data { weight.size.to_string() } else { "no data".to_owned() };
        let mut cells = vec![
            shown(weight.name.as_bytes()),
            weight.kind.name().to_owned(),
            weight.dtype.as_deref().map_or_else(|| "-".to_owned(), |dtype| shown(dtype.as_bytes())),
            shown(shape.join("x").as_bytes()),
            size,
            weight.users.to_string(),
        ];
        if has_stats {
            let number = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), significant);
            match stats.as_ref().and_then(Option::as_ref) {
                Some(stats) => {
                    cells.extend([stats.min, stats.max, stats.mean, stats.std].map(number));
                    cells.extend([stats.zeros, stats.nans].map(|count| count.to_string()));
                }
                None => cells.extend(["-"; 6].map(str::to_owned)),
            }
        }
        rows.add(cells);
    }
    rows
}

/// Formats a number with six significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-5..15).contains(&magnitude) {
        return format!("{value:.5e}");
    }
    let text = format!("{value:.*}", (5 - magnitude).max(0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (-1.5, "-1.5"),
            (1.0 / 3.0, "0.333333"),
            (1234567.0, "1234567"),
            (1e-9, "1.00000e-9"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(significant(value), text);
        }
    }
}
