//! `mlirbc size`: the sizes of the parts of a file.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use mlirbc::tool::{SizeReport, SizeRow, treemap_html, treemap_svg};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::files;
use crate::input::Input;
use crate::modules::{self, ChosenModule, Kernels};
use crate::output::{self, Column, Out, TextTable};
use crate::problem::Problem;
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::shown;

const HELP: &str = "\
Counts each byte of the file once: the sections sum up to the file, and of a JAX export, what is around the module is one \
of them. Operations have the bytes of the IR section, \
inclusive with the operations in them. The modules of a JAX export and the kernels in them follow one another, each below a \
line `module PATH:`, with the same rows as for `--module PATH`; a picture is of the main module or the chosen one. Symbols are the operations in the top-level operation; inclusive is what goes with \
them: attributes, types, properties, strings and resources that nothing else uses. Blobs are not read, except by \
--duplicates, and then only those with the size of another one.

With --json there is one object with all rows: size, and the lists sections, dialects, operations, symbols, kinds, \
constants, strings, resources and duplicates of name, count, size and inclusive. The object of a file with several modules \
is that of the main one, with the list modules of the others, which have path, too.

Examples:
  Show the largest parts:
  $ mlirbc size model.mlirbc

  Draw them:
  $ mlirbc size model.mlirbc --html size.html

  Find weights that are stored twice:
  $ mlirbc size model.mlirbc --duplicates

Exit status:
  0  success
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

/// Show what takes how many bytes, as tables or as a treemap
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// How many rows of each table to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    rows: usize,

    /// Find resources and long attributes with equal bytes
    #[arg(long)]
    duplicates: bool,

    /// Write a treemap with tables to OUT, a page without links to anything else
    #[arg(long, value_name = "OUT", conflicts_with = "more")]
    html: Option<PathBuf>,

    /// Write a treemap to OUT
    #[arg(long, value_name = "OUT", conflicts_with = "more")]
    svg: Option<PathBuf>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The report of the first module.
#[derive(Serialize)]
struct Record {
    #[serde(flatten)]
    report: SizeReport,
    /// The other modules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modules: Vec<ModuleReport>,
}

#[derive(Serialize)]
struct ModuleReport {
    path: String,
    #[serde(flatten)]
    report: SizeReport,
}

type Draw = fn(&SizeReport, &str) -> String;

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if self.html.is_some() || self.svg.is_some() {
            return self.run_on(&self.input, out);
        }
        let texts = Separation::Titled.unless_json(self.json);
        several_files::each(out, (&self.input, &self.more), texts, &|input, out| self.run_on(input, out))
    }
}

impl Options {
    fn run_on(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if self.html.is_some() || self.svg.is_some() {
            self.draw(input)?;
        }
        if self.json {
            return self.write_json(input, out);
        }
        if self.html.is_some() || self.svg.is_some() {
            return Ok(());
        }
        modules::each(input, Kernels::Included, out, &mut |chosen, out| self.write(chosen, out))
    }

    /// Draws the main module, or the chosen one.
    fn draw(&self, input: &Input) -> Result<(), Problem> {
        let report = SizeReport::of(&input.open()?, self.duplicates)?;
        let name = input.name();
        let pictures: [(&Option<PathBuf>, Draw); 2] = [(&self.html, treemap_html), (&self.svg, treemap_svg)];
        for (path, draw) in pictures {
            let Some(path) = path else { continue };
            files::write(path, draw(&report, &name).as_bytes())?;
        }
        Ok(())
    }

    /// Writes the report of the first module, which includes the reports of the other modules.
    fn write_json(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        let mut reports = Vec::new();
        modules::each(input, Kernels::Included, out, &mut |chosen, out| {
            output::limit_text(out, chosen.module());
            let report = SizeReport::of(chosen.module(), self.duplicates)?;
            reports.push(ModuleReport { path: chosen.own_path().to_owned(), report });
            Ok(())
        })?;
        let mut reports = reports.into_iter();
        let Some(ModuleReport { report, .. }) = reports.next() else { return Ok(()) };
        let record = Record { report, modules: reports.collect() };
        Ok(output::list(out, input, "report", &record)?)
    }

    fn write(&self, chosen: &ChosenModule, out: &mut Out) -> Result<(), Problem> {
        let report = SizeReport::of(chosen.module(), self.duplicates)?;
        output::limit_text(out, chosen.module());
        chosen.write_heading(out)?;
        writeln!(out, "{} bytes", report.size)?;
        let lists = [
            ("section", &report.sections),
            ("symbol", &report.symbols),
            ("operation", &report.operations),
            ("attribute or type", &report.kinds),
            ("constant", &report.constants),
            ("dialect", &report.dialects),
            ("resource", &report.resources),
            ("string", &report.strings),
            ("duplicate", &report.duplicates),
        ];
        for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            writeln!(out)?;
            let most = if title == "section" { usize::MAX } else { self.rows };
            table(title, list, most, report.size).write(out)?;
            if list.len() > most {
                writeln!(out, "({} more)", list.len() - most)?;
            }
        }
        Ok(())
    }
}

fn table(title: &'static str, list: &[SizeRow], most: usize, whole: u64) -> TextTable {
    let mut rows = TextTable::new(&[
        Column::Number("bytes"),
        Column::Number("%"),
        Column::Number("inclusive"),
        Column::Number("count"),
        Column::Text(title),
    ]);
    for row in list.iter().take(most) {
        let share = 100.0 * row.size as f64 / whole.max(1) as f64;
        let name = if row.name.is_empty() { "(unnamed)".to_owned() } else { shown(row.name.as_bytes()) };
        let numbers = [row.size.to_string(), format!("{share:.1}"), row.inclusive.to_string()];
        rows.add(numbers.into_iter().chain([row.count.to_string(), name]));
    }
    rows
}
