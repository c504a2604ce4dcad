//! `mlirbc cost`: floating-point operations and bytes by operation, function and name scope.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mlirbc::tool::{CostOptions, CostReport, CostRow, CustomCallCosts, OperationCost};
use serde::Serialize;

use crate::arrow;
use crate::commands::CommandOptions;
use crate::input::Input;
use crate::modules::{self, ChosenModule, Kernels};
use crate::output::{self, Column, Out, TextTable};
use crate::problem::Problem;
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::shown;

const HELP: &str = "\
Counts as XLA does before fusion: a multiplication with an addition is two FLOPs, a transcendental function is not a FLOP, \
each operand is read and each result written. Loops with a constant number of iterations are multiplied, of branches the \
greatest counts, and an operation in a function counts once for each call. Of slices, gathers and updates, only the elements \
that move are read. Executions are those of operations that cost something; of a function, its calls. Layers are the name \
scopes in locations; each has the scopes in it. Parameters are the elements of constants that are not one repeated number, \
and of the arguments that --parameters names, which count for their first user. Notes list what has no rule, or an unknown \
number of iterations; with --csv they are on standard error.

Symbolic dimensions remain in formulas such as 12*b*d^2*s, unless --dim gives values. Names are those of a JAX export; \
the open dimension 0 of argument 2 of another module is arg2.0.

FILE of --custom-calls is TOML: a table [custom_call.TARGET] with the formulas flops, transcendentals, bytes_read and \
bytes_written. A formula has whole numbers, + - *, ^ with a number, floordiv(a, b), mod(a, b), max(a, b), min(a, b), and the \
sizes operand0.elements, operand0.bytes, operand0.dim1, and the same of result0:
  [custom_call.my_matmul]
  flops = \"2 * result0.elements * operand0.dim1\"

With --json there is one object: total, symbols, functions, layers, names, operations and notes. With --csv there is a row \
for each row of the table of --by, with the file and the path of the module.

Examples:
  Show the cost of a model by operation name:
  $ mlirbc cost model.mlirbc

  Show the ten dearest layers:
  $ mlirbc cost model.jax --by layer --sort flops --top 10

  Evaluate the formulas of a symbolic export:
  $ mlirbc cost model.jax --dim b=8 --dim s=128

Exit status:
  0  success
  1  no cost depends on a dimension of --dim, a table of custom calls is invalid, a cost exceeds 64 bits, or --sort
     would have to order formulas
  2  the command line is invalid
  3  a file is malformed or cannot be read";

/// Show FLOPs, bytes and parameters by operation, function and layer
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// The rows of the table
    #[arg(long, value_enum, default_value_t = Rows::Name)]
    by: Rows,

    /// Sort the rows by a column, the greatest first
    #[arg(long, value_enum, value_name = "COLUMN")]
    sort: Option<SortKey>,

    /// Show N rows
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// Show scopes of at most N parts with --by layer
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Give a symbolic dimension a value; may occur several times
    #[arg(long, value_name = "NAME=SIZE", value_parser = parse_dim)]
    dim: Vec<(String, u64)>,

    /// Read the costs of custom calls from FILE
    #[arg(long, value_name = "FILE")]
    custom_calls: Option<PathBuf>,

    /// Count the arguments of the entry function whose names begin with START as parameters; may occur several times
    #[arg(long, value_name = "START")]
    parameters: Vec<String>,

    /// Write JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Write CSV
    #[arg(long)]
    csv: bool,

    /// Write the rows as `arrow`, an Arrow IPC stream; formulas of symbolic dimensions are null there
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true, conflicts_with_all = ["json", "csv"])]
    format: Option<TableFormat>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Arrow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// The whole module
    Total,
    /// Functions, with the functions that they call
    Function,
    /// Name scopes, with the scopes in them
    Layer,
    /// Operations with one name
    Name,
    /// Each operation
    Operation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SortKey {
    Flops,
    Transcendentals,
    Bytes,
    Parameters,
}

pub(super) fn parse_dim(text: &str) -> Result<(String, u64), String> {
    let (name, size) = text.split_once('=').ok_or("expected NAME=SIZE")?;
    let size =
        size.parse().map_err(|_| format!("`{size}` is not a size: write a number of at most 64 bits"))?;
    Ok((name.to_owned(), size))
}

#[derive(Serialize)]
struct Record {
    #[serde(flatten)]
    report: CostReport,
    /// The other modules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modules: Vec<ModuleReport>,
}

#[derive(Serialize)]
struct ModuleReport {
    path: String,
    #[serde(flatten)]
    report: CostReport,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let mut options = CostOptions::default().dims(self.dim.clone()).parameters(self.parameters.clone());
        if let Some(path) = &self.custom_calls {
            let text = std::fs::read_to_string(path)
                .map_err(|error| mlirbc::Error::io(format!("cannot read `{}`", path.display()), error))?;
            options = options.custom_calls(CustomCallCosts::parse(&text)?);
        }
        if self.csv {
            write_csv_header(self.by, out)?;
        }
        if self.format.is_some() {
            if output::is_terminal() {
                return Err(Problem::refused(
                    "cannot write Arrow to a terminal",
                    "redirect the output to a file",
                ));
            }
            begin_arrow(self.by, out)?;
        }
        let texts = Separation::Titled.unless_json(self.json || self.csv || self.format.is_some());
        let done = several_files::each(out, (&self.input, &self.more), texts, &|input, out| {
            self.run_on(input, &options, out)
        });
        if self.format.is_some() && matches!(done, Ok(()) | Err(Problem::Reported(_))) {
            arrow::end(out)?;
        }
        done
    }
}

impl Options {
    fn run_on(&self, input: &Input, options: &CostOptions, out: &mut Out) -> Result<(), Problem> {
        if self.json {
            return self.write_json(input, options, out);
        }
        // Kernels have dialects of their own; the estimates of their authors count.
        modules::each(input, Kernels::LeftOut, out, &mut |chosen, out| {
            self.write(&input.name(), chosen, options, out)
        })
    }

    fn write_json(&self, input: &Input, options: &CostOptions, out: &mut Out) -> Result<(), Problem> {
        let mut reports = Vec::new();
        modules::each(input, Kernels::LeftOut, out, &mut |chosen, out| {
            output::limit_text(out, chosen.module());
            let report = CostReport::of(chosen.module(), options)?;
            reports.push(ModuleReport { path: chosen.own_path().to_owned(), report });
            Ok(())
        })?;
        let mut reports = reports.into_iter();
        let Some(ModuleReport { report, .. }) = reports.next() else { return Ok(()) };
        Ok(output::list(out, input, "report", &Record { report, modules: reports.collect() })?)
    }

    fn write(
        &self,
        file: &str,
        chosen: &ChosenModule,
        options: &CostOptions,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let report = CostReport::of(chosen.module(), options)?;
        if self.format.is_none() {
            output::limit_text(out, chosen.module());
        }
        let mut rows = self.rows(&report);
        let all = rows.len();
        self.order(&mut rows, &report)?;
        let omitted = all - rows.len();
        // The sum is the last row, whatever the order.
        rows.extend((self.by == Rows::Name).then_some(Row { cost: &report.total, operation: None }));
        let notes = report.notes.iter().map(|note| format!("note: {} ({})", note.text, note.count));
        if self.csv {
            write_csv(&rows, file, chosen.own_path(), out)?;
            notes.for_each(|note| output::tell(out, &format!("{file}: {note}")));
            return Ok(());
        }
        if self.format.is_some() {
            write_arrow(&rows, self.by, file, chosen.own_path(), out)?;
            notes.for_each(|note| output::tell(out, &format!("{file}: {note}")));
            return Ok(());
        }
        chosen.write_heading(out)?;
        table(&rows, self.by).write(out)?;
        if omitted > 0 {
            writeln!(out, "({omitted} more)")?;
        }
        for note in notes {
            writeln!(out, "{}", shown(note.as_bytes()))?;
        }
        Ok(())
    }

    fn rows<'r>(&self, report: &'r CostReport) -> Vec<Row<'r>> {
        let plain = |cost| Row { cost, operation: None };
        match self.by {
            Rows::Total => vec![plain(&report.total)],
            Rows::Function => report.functions.iter().map(plain).collect(),
            Rows::Name => report.names.iter().map(plain).collect(),
            Rows::Layer => {
                let depth = self.depth.unwrap_or(usize::MAX);
                let shallow = |row: &&CostRow| row.name.split('/').count() <= depth;
                report.layers.iter().filter(shallow).map(plain).collect()
            }
            Rows::Operation => {
                report.operations.iter().map(|op| Row { cost: &op.cost, operation: Some(op) }).collect()
            }
        }
    }

    // Formulas have an order only for some values of their dimensions.
    fn order(&self, rows: &mut Vec<Row<'_>>, report: &CostReport) -> Result<(), Problem> {
        if let Some(key) = self.sort {
            if rows.iter().any(|row| key.of(row.cost).is_none()) {
                let example = report.symbols.first().map_or("NAME", String::as_str);
                let message = format!("the order depends on the dimensions {}", report.symbols.join(", "));
                return Err(Problem::refused(
                    message,
                    format!("give values to all of them: `--dim {example}=8`"),
                ));
            }
            rows.sort_by_key(|row| std::cmp::Reverse(key.of(row.cost)));
        }
        rows.truncate(self.top.unwrap_or(usize::MAX));
        Ok(())
    }
}

struct Row<'r> {
    cost: &'r CostRow,
    operation: Option<&'r OperationCost>,
}

impl SortKey {
    fn of(self, row: &CostRow) -> Option<u64> {
        match self {
            Self::Flops => row.flops.number(),
            Self::Transcendentals => row.transcendentals.number(),
            Self::Bytes => Some(row.bytes_read.number()?.saturating_add(row.bytes_written.number()?)),
            Self::Parameters => row.parameters.number(),
        }
    }
}

impl Row<'_> {
    fn numbers(&self) -> [String; 6] {
        let CostRow { executions, flops, transcendentals, bytes_read, bytes_written, parameters, .. } =
            self.cost;
        [executions, flops, transcendentals, bytes_read, bytes_written, parameters].map(ToString::to_string)
    }

    fn amounts(&self) -> [Option<u64>; 6] {
        let CostRow { executions, flops, transcendentals, bytes_read, bytes_written, parameters, .. } =
            self.cost;
        [executions, flops, transcendentals, bytes_read, bytes_written, parameters]
            .map(|amount| amount.number())
    }

    fn texts(&self) -> Vec<String> {
        match self.operation {
            Some(op) => vec![self.cost.name.clone(), op.r#type.clone(), op.scope.clone(), op.path.clone()],
            None => vec![self.cost.name.clone()],
        }
    }
}

const NUMBERS: [&str; 6] =
    ["executions", "flops", "transcendentals", "bytes read", "bytes written", "parameters"];

fn titles(by: Rows) -> &'static [&'static str] {
    match by {
        Rows::Total => &["module"],
        Rows::Function => &["function"],
        Rows::Layer => &["layer"],
        Rows::Name => &["operation"],
        Rows::Operation => &["operation", "type", "layer", "path"],
    }
}

fn table(rows: &[Row<'_>], by: Rows) -> TextTable {
    let columns: Vec<_> =
        NUMBERS.into_iter().map(Column::Number).chain(titles(by).iter().copied().map(Column::Text)).collect();
    let mut table = TextTable::new(&columns);
    for row in rows {
        let texts = row.texts().into_iter().map(|text| match text.is_empty() {
            true => "(none)".to_owned(),
            false => shown(text.as_bytes()),
        });
        table.add(row.numbers().into_iter().chain(texts));
    }
    table
}

fn begin_arrow(by: Rows, out: &mut Out) -> Result<(), Problem> {
    let texts = ["file", "module_path"].into_iter().chain(titles(by).iter().copied());
    let columns = texts.map(|name| (name, arrow::Kind::Words));
    let names = NUMBERS.map(|name| name.replace(' ', "_"));
    let numbers = names.iter().map(|name| (&**name, arrow::Kind::LongNumbers));
    Ok(arrow::begin(out, &columns.chain(numbers).collect::<Vec<_>>())?)
}

fn write_arrow(rows: &[Row<'_>], by: Rows, file: &str, path: &str, out: &mut Out) -> Result<(), Problem> {
    let place: Vec<u32> = vec![0; rows.len()];
    for (column, text) in [file, path].into_iter().enumerate() {
        arrow::dictionary(out, column as u64, &[text.to_owned()])?;
    }
    let texts: Vec<Vec<String>> = rows.iter().map(Row::texts).collect();
    let row_numbers: Vec<u32> = (0..rows.len() as u32).collect();
    let mut columns = vec![arrow::Column::Words(&place), arrow::Column::Words(&place)];
    for column in 0..titles(by).len() {
        let words: Vec<String> =
            texts.iter().map(|row| row.get(column).cloned().unwrap_or_default()).collect();
        arrow::dictionary(out, 2 + column as u64, &words)?;
        columns.push(arrow::Column::Words(&row_numbers));
    }
    let numbers: Vec<Vec<Option<u64>>> =
        (0..NUMBERS.len()).map(|column| rows.iter().map(|row| row.amounts()[column]).collect()).collect();
    columns.extend(numbers.iter().map(|column| arrow::Column::LongNumbers(column)));
    Ok(arrow::batch(out, rows.len(), &columns)?)
}

fn write_csv_header(by: Rows, out: &mut Out) -> Result<(), Problem> {
    let names = ["file", "module_path"].into_iter().chain(titles(by).iter().copied()).chain(NUMBERS);
    writeln!(out, "{}", names.map(|name| name.replace(' ', "_")).collect::<Vec<_>>().join(","))?;
    Ok(())
}

fn write_csv(rows: &[Row<'_>], file: &str, path: &str, out: &mut Out) -> Result<(), Problem> {
    for row in rows {
        let cells = [file.to_owned(), path.to_owned()].into_iter().chain(row.texts()).chain(row.numbers());
        let cells = cells.map(|text| quoted(&text));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

// RFC 4180: cells with separators are quoted.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
