//! `mlirbc weights`: moves the weights of a module to files and back.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use mlirbc::edit::Editor;
use mlirbc::tool::{ImportReport, Moved, Weight, WeightStats, WeightUse, Weights, externalize_parameters};
use mlirbc::write::Numbering;
use mlirbc::{Error, ErrorKind, WriteOptions};
use serde::Serialize;
use wildmatch::WildMatch;

use super::weights_rewrite::{Cast, Freeze, Hoist, Quantize};
use crate::commands::CommandOptions;
use crate::commands::convert::Stdout;
use crate::input::Input;
use crate::modules::{self, ChosenModule, Kernels};
use crate::names;
use crate::output::{self, Column, Out, TextTable};
use crate::parameters;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::several_files::{self, MoreFiles, Separation};
use crate::sizes;
use crate::text::{count, note, shown};

const HELP: &str = "\
Lists constants and resources of all modules that hold data, with the type of their elements, their shape, their size and how often \
operations refer to them. Blobs are not read, except by --stats.

The name of a resource is its key. The name of a constant is that of its location or, without one, its symbol or the \
symbol around it and a number. Names are the same in every run and in all commands. GLOB may have `*` and `?`.

A splat has one element for all places. It is listed, but not exported.

Examples:
  List the weights of 1 MiB and more:
  $ mlirbc weights model.mlirbc --min-size 1M

  Find the layers with the largest ones:
  $ mlirbc weights model.jax --by layer --sort size --top 10

  Look at their numbers:
  $ mlirbc weights model.mlirbc --stats

  Write them to a file that NumPy, PyTorch and JAX read:
  $ mlirbc weights export model.mlirbc -o model.safetensors

  Put changed ones back:
  $ mlirbc weights import model.mlirbc model.safetensors -o new.mlirbc

  Make arguments constants, and constants arguments:
  $ mlirbc weights freeze model.jax --values params.npz -o frozen.jax
  $ mlirbc weights hoist frozen.jax --to params.npz -o model.jax

  Store them in a smaller type:
  $ mlirbc weights cast model.jax --to bf16 -o small.jax
  $ mlirbc weights quantize model.jax --to int8 --per-channel auto -o small.jax

  Leave large constants out of the module:
  $ mlirbc weights externalize model.mlirbc --to model.safetensors -o small.mlirbc

  Make it whole again:
  $ mlirbc weights inline small.mlirbc --from model.safetensors -o whole.mlirbc

Exit status:
  0  success
  1  the output cannot be written, or names, dtypes or shapes do not match
  2  the command line is invalid
  3  the file is malformed or cannot be read";

/// The exit statuses in the help of each nested command.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0  the output was written
  1  names, dtypes or shapes do not match, or the output cannot represent everything
  2  the command line is invalid
  3  a file is malformed, or cannot be read or written";

/// List weights, move them to files and back, make them arguments or constants, and store them in smaller types
#[derive(Debug, Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Options {
    #[command(flatten)]
    input: OptionalInput,

    #[command(flatten)]
    more: MoreFiles,

    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    list: List,
}

/// The input of the list, which is not required before a subcommand.
#[derive(Debug)]
struct OptionalInput(Option<Input>);

impl FromArgMatches for OptionalInput {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_there = matches.contains_id("path");
        Ok(Self(if is_there { Some(Input::from_arg_matches(matches)?) } else { None }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OptionalInput {
    fn augment_args(command: clap::Command) -> clap::Command {
        Input::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Input::augment_args_for_update(command)
    }
}

/// The choice of weights to list.
#[derive(Debug, Args)]
struct List {
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
    json: bool,
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

/// The filter of weights.
#[derive(Debug, Default, Args)]
struct Choice {
    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Only weights of such a layer, e.g. `*/Dense_0`; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    layer: Vec<WildMatch>,

    /// Only weights of this size and more
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes)]
    min_size: Option<u64>,
}

impl Choice {
    fn accepts(&self, weight: &Weight) -> bool {
        let is_in_layer =
            self.layer.is_empty() || self.layer.iter().any(|pattern| pattern.matches(&weight.layer));
        is_in_layer && self.has(&weight.name, weight.size)
    }

    fn has(&self, name: &str, size: u64) -> bool {
        let is_named = self.name.is_empty() || self.name.iter().any(|pattern| pattern.matches(name));
        is_named && size >= self.min_size.unwrap_or(0)
    }
}

#[derive(Debug, Subcommand)]
enum Action {
    Export(Export),
    Import(Import),
    Externalize(Externalize),
    Inline(Inline),
    Freeze(Freeze),
    Hoist(Hoist),
    Cast(Cast),
    Quantize(Quantize),
}

/// Write weights to a safetensors file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Export {
    #[command(flatten)]
    input: Input,

    /// The safetensors file to write
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    choice: Choice,
}

/// Put the tensors of a safetensors file into the weights with their names
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Import {
    #[command(flatten)]
    input: Input,

    /// The safetensors file to read
    #[arg(value_name = "SAFETENSORS")]
    from: PathBuf,

    /// Where to write the module; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Keep the data of weights that the file does not have
    #[arg(long)]
    allow_missing: bool,

    /// Ignore tensors that the module does not have
    #[arg(long)]
    allow_extra: bool,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
}

/// Turn large constants into resources, or move the data of both to a safetensors file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Externalize {
    #[command(flatten)]
    input: Input,

    /// Where to write the module; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Only weights of this size and more
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, default_value = "1M")]
    min_size: u64,

    /// Write their data to this file, so that the module has only keys, or names of parameters
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,

    /// The format of the file of `--to`: with `irpa`, the program is one of StableHLO that IREE compiles
    #[arg(long, value_enum, default_value_t = ExternalFormat::Safetensors, value_name = "FORMAT")]
    format: ExternalFormat,

    /// With `--format irpa`: the scope of the parameters, which IREE's `--parameters=SCOPE=FILE` names
    #[arg(long, default_value = "model", value_name = "SCOPE")]
    scope: String,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExternalFormat {
    /// A safetensors file
    Safetensors,
    /// An IREE parameter archive
    Irpa,
}

/// Turn resources into constants, with their data from the module or a safetensors file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Inline {
    #[command(flatten)]
    input: Input,

    /// Where to write the module; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The safetensors file of `externalize --to`; what was a resource then becomes one again
    #[arg(long, value_name = "SAFETENSORS")]
    from: Option<PathBuf>,

    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
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

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        match &self.action {
            Some(Action::Export(options)) => Some(&options.input),
            Some(Action::Import(options)) => Some(&options.input),
            Some(Action::Externalize(options)) => Some(&options.input),
            Some(Action::Inline(options)) => Some(&options.input),
            Some(Action::Freeze(options)) => Some(&options.input),
            Some(Action::Hoist(options)) => Some(&options.input),
            Some(Action::Cast(options)) => Some(&options.input),
            Some(Action::Quantize(options)) => Some(&options.input),
            None => self.input.0.as_ref(),
        }
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        match (&self.action, &self.input.0) {
            (Some(Action::Export(options)), _) => options.run(),
            (Some(Action::Import(options)), _) => options.run(out),
            (Some(Action::Externalize(options)), _) => options.run(out),
            (Some(Action::Inline(options)), _) => options.run(out),
            (Some(Action::Freeze(options)), _) => options.run(out),
            (Some(Action::Hoist(options)), _) => options.run(out),
            (Some(Action::Cast(options)), _) => options.run(out),
            (Some(Action::Quantize(options)), _) => options.run(out),
            (None, Some(input)) => {
                let texts = Separation::Titled.unless_json(self.list.json);
                several_files::each(out, (input, &self.more), texts, &|input, out| self.list.run(input, out))
            }
            (None, None) => Err(Problem::Usage {
                message: "no file is given".to_owned(),
                help: "name a FILE, or a command such as export or freeze".to_owned(),
            }),
        }
    }
}

impl List {
    fn run(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if let Some(file) = input.parameter_file()? {
            let chosen: Vec<_> =
                file.tensors().iter().filter(|row| self.choice.has(&row.name, row.size)).collect();
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
            row.elements = row.elements.saturating_add(weight.shape.iter().fold(1, |product: u64, &size| product.saturating_mul(size)));
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
    let columns =
        [Column::Text("layer"), Column::Number("weights"), Column::Number("elements"), Column::Number("size")];
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

impl Export {
    fn run(&self) -> Result<(), Problem> {
        let module = self.input.open()?;
        let weights = Weights::of(&module)?;
        crate::signals::remove_unfinished_files();
        let progress = Progress::new("writing").to_core();
        let choose = |weight: &Weight| self.choice.accepts(weight);
        let report = weights.export(&self.output, &choose, &progress).map_err(refused)?;
        note(&format!("{}, {}", count(report.tensors, "tensor"), count(report.size, "byte")));
        modules::note_others(&self.input, &module);
        Ok(())
    }
}

impl Import {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        modules::note_others(&self.input, &module);
        let weights = Weights::of(&module)?;
        let imported = weights.import(&self.from, self.allow_missing, self.allow_extra);
        let (editor, report) = imported.map_err(refused)?;
        save(editor, (&self.output, self.bare), Numbering::Preserve, out)?;
        let ImportReport { replaced, missing, extra } = report;
        let mut line = format!("{} replaced", count(replaced, "weight"));
        for (names, what) in [(missing, "not in the file"), (extra, "not in the module")] {
            if !names.is_empty() {
                line.push_str(&format!(", {} {what}", names.len()));
            }
        }
        note(&line);
        Ok(())
    }
}

impl Externalize {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        modules::note_others(&self.input, &module);
        let weights = Weights::of(&module)?;
        let choice = Choice { name: self.name.clone(), ..Choice::default() };
        let progress = Progress::new("writing").to_core();
        crate::signals::remove_unfinished_files();
        let choose = |weight: &Weight| choice.accepts(weight);
        if self.format == ExternalFormat::Irpa {
            let Some(to) = &self.to else {
                return Err(Problem::usage("no archive is named", "name it with `--to model.irpa`"));
            };
            let moved =
                externalize_parameters(&module, (self.min_size, &choose), (to, &self.scope), &progress);
            let (editor, moved) = moved.map_err(refused)?;
            // Resources whose data is in the archive have no users.
            save(editor, (&self.output, true), Numbering::Strictest, out)?;
            tell(&moved);
            return Ok(());
        }
        let (editor, moved) =
            weights.externalize(self.min_size, &choose, self.to.as_deref(), &progress).map_err(refused)?;
        save(editor, (&self.output, self.bare), Numbering::Preserve, out)?;
        tell(&moved);
        Ok(())
    }
}

impl Inline {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        modules::note_others(&self.input, &module);
        let weights = Weights::of(&module)?;
        let choice = Choice { name: self.name.clone(), ..Choice::default() };
        let choose = |weight: &Weight| choice.accepts(weight);
        let inlined = weights.inline(&choose, self.from.as_deref());
        let (editor, moved) = inlined.map_err(refused)?;
        // Only MLIR's numbering omits keys without references.
        save(editor, (&self.output, self.bare), Numbering::Strictest, out)?;
        tell(&moved);
        Ok(())
    }
}

/// Writes an edited module, in its original container unless it is `bare`.
fn save(
    mut editor: Editor,
    (path, bare): (&Path, bool),
    numbering: Numbering,
    out: &mut Out,
) -> Result<(), Problem> {
    let progress = Progress::new("writing").to_core();
    let options = WriteOptions::default().numbering(numbering).progress(progress);
    if path.as_os_str() != "-" {
        crate::signals::remove_unfinished_files();
        let saved = if bare { editor.save(path, &options) } else { editor.save_contained(path, &options) };
        return saved.map(drop).map_err(refused);
    }
    if std::io::stdout().is_terminal() {
        return Err(Problem::refused("cannot write bytecode to a terminal", "name a file with `-o`"));
    }
    let mut sink = Stdout { out, problem: None };
    let written = match bare {
        true => editor.write(&mut sink, &options).map(drop),
        false => editor.prepare_contained(&options).and_then(|prepared| prepared.write(&mut sink)),
    };
    match sink.problem {
        Some(problem) => Err(Problem::Stdout(problem)),
        None => written.map_err(refused),
    }
}

fn tell(moved: &Moved) {
    const MOST: usize = 5;
    note(&format!("{} moved, {}", count(moved.moved, "weight"), count(moved.size, "byte")));
    for (name, why) in moved.kept.iter().take(MOST) {
        note(&format!("`{}` stays: {why}", shown(name.as_bytes())));
    }
    if moved.kept.len() > MOST {
        note(&format!("{} more stay", moved.kept.len() - MOST));
    }
}

// Errors of names, other files and the output are not errors of the module.
pub(super) fn refused(error: Error) -> Problem {
    match error.kind() {
        ErrorKind::Io | ErrorKind::Unsupported | ErrorKind::Weights | ErrorKind::Safetensors | ErrorKind::MemoryLimit => {
            Problem::Request(error)
        }
        _ => Problem::File(error),
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
