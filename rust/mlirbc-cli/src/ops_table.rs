//! The table of operations that `mlirbc ops --format` writes. The core defines its columns.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use mlirbc::Module;
use mlirbc::ir::OpNameId;
use mlirbc::tool::{ColumnKind, NO_ROW, OPS_TABLE, OpColumns, TextLimit};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::arrow;
use crate::files;
use crate::input::Input;
use crate::modules::{self, Kernels};
use crate::output::{self, Out};
use crate::parquet;
use crate::problem::Problem;
use crate::several_files::{self, MoreFiles, Separation};

/// The column with the name of the file, which precedes the columns of the core.
const FILE: &str = "file";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Csv,
    /// CSV in which no text can be taken for a formula; `--quote-formulas` selects it.
    #[value(skip)]
    QuotedCsv,
    Json,
    Arrow,
    Parquet,
}

/// Writes the table of the only file, or one table of several, to standard output or to a file.
pub(crate) fn write(
    format: Format,
    inputs: (&Input, &MoreFiles),
    output: Option<&Path>,
    out: &mut Out,
) -> Result<(), Problem> {
    if format == Format::Parquet {
        parquet::check()?;
    }
    let Some(path) = output.filter(|path| path.as_os_str() != "-") else {
        if matches!(format, Format::Arrow | Format::Parquet) && output::is_terminal() {
            let message = format!("cannot write {format:?} to a terminal");
            return Err(Problem::usage(message, "name a file with `-o`"));
        }
        return write_to(format, inputs, out).1;
    };
    let unwritten = |error| files::unwritten(path, error);
    let mut file = output::to_file(path).map_err(unwritten)?;
    match write_to(format, inputs, &mut file) {
        (_, Err(Problem::Stdout(error))) => Err(unwritten(error)),
        // If no file produced a table, the old output file is kept.
        (false, done) => done,
        (true, done) => output::commit(file).map_err(unwritten).and(done),
    }
}

/// Also returns whether the table of any file was written.
fn write_to(format: Format, inputs: (&Input, &MoreFiles), out: &mut Out) -> (bool, Result<(), Problem>) {
    let any = AtomicBool::new(false);
    let done = match format {
        Format::Parquet => parquet::write(out, |stream| {
            let done = write_tables(Format::Arrow, inputs, stream, &any);
            (any.load(Ordering::Relaxed), done)
        }),
        _ => write_tables(format, inputs, out, &any),
    };
    (any.into_inner(), done)
}

fn write_tables(
    format: Format,
    inputs: (&Input, &MoreFiles),
    out: &mut Out,
    any: &AtomicBool,
) -> Result<(), Problem> {
    if several_files::is_several(inputs.0, inputs.1) {
        format.begin(out, true)?;
    }
    let done = several_files::each(out, inputs, Separation::Lines, &|input, out| {
        modules::each(input, Kernels::LeftOut, out, &mut |chosen, out| {
            let is_one_of_many = input.is_one_of_many() || chosen.path().is_some();
            let table = Table::read(chosen.module(), is_one_of_many.then(|| chosen.row_name(input)))?;
            if !input.is_one_of_many() && chosen.is_first() {
                format.begin(out, is_one_of_many)?;
            }
            if format != Format::Arrow {
                output::limit_text(out, chosen.module());
            }
            format.write(out, &table)?;
            any.store(true, Ordering::Relaxed);
            Ok(())
        })
    });
    let is_complete = matches!(done, Ok(()) | Err(Problem::Reported(_)));
    if is_complete && format == Format::Arrow {
        arrow::end(out)?;
    }
    done
}

/// The rows of a file.
struct Table {
    file: Option<String>,
    names: Vec<String>,
    columns: OpColumns,
}

impl Table {
    fn read(module: &Module, file: Option<String>) -> mlirbc::Result<Self> {
        let columns = OpColumns::read(module)?;
        let limit = TextLimit::of_kept(module);
        let names = (0..module.tables().dialect_section()?.op_names.len() as u32).map(|id| {
            let name =
                module.op_name(OpNameId::new(id)).map_or_else(String::new, |name| name.full().into_owned());
            limit.spend(name.len() as u64).map(|()| name)
        });
        let names = names.collect::<mlirbc::Result<_>>()?;
        Ok(Self { file, names, columns })
    }

    fn row(&self, row: usize) -> OperationRow<'_> {
        OperationRow { table: self, row }
    }
}

/// A row of the table: the cell for the file, if there are several files, and then the columns of the core.
#[derive(Clone, Copy)]
struct OperationRow<'t> {
    table: &'t Table,
    row: usize,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Cell<'t> {
    Text(&'t str),
    Number(Option<u32>),
    List(&'t [u32]),
}

impl<'t> OperationRow<'t> {
    fn cells(self) -> impl Iterator<Item = (&'static str, Cell<'t>)> {
        let Self { table, row } = self;
        let file = table.file.as_deref().map(|file| (FILE, Cell::Text(file)));
        file.into_iter().chain(OPS_TABLE.iter().map(move |&(name, kind, items)| {
            let numbers = table.columns.column(kind);
            let cell = match items {
                Some(items) => {
                    Cell::List(&table.columns.column(items)[numbers[row] as usize..numbers[row + 1] as usize])
                }
                None if kind == ColumnKind::OpName => {
                    Cell::Text(table.names.get(numbers[row] as usize).map_or("", String::as_str))
                }
                None => Cell::Number(Some(numbers[row]).filter(|&number| number != NO_ROW)),
            };
            (name, cell)
        }))
    }
}

impl Serialize for OperationRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, cell) in self.cells() {
            map.serialize_entry(name, &cell)?;
        }
        map.end()
    }
}

impl Format {
    fn begin(self, out: &mut Out, has_file: bool) -> Result<(), Problem> {
        let file = has_file.then_some((FILE, arrow::Kind::Words));
        let columns = file.into_iter().chain(OPS_TABLE.iter().map(|&(name, kind, items)| {
            let kind = match items {
                Some(_) => arrow::Kind::Lists,
                None if kind == ColumnKind::OpName => arrow::Kind::Words,
                None => arrow::Kind::Numbers,
            };
            (name, kind)
        }));
        let columns: Vec<_> = columns.collect();
        match self {
            Self::Csv | Self::QuotedCsv => {
                let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
                writeln!(out, "{}", names.join(","))?;
            }
            Self::Json => {}
            Self::Arrow | Self::Parquet => arrow::begin(out, &columns)?,
        }
        Ok(())
    }

    fn write(self, out: &mut Out, table: &Table) -> Result<(), Problem> {
        let rows = table.columns.op_name.len();
        match self {
            Self::Csv | Self::QuotedCsv => {
                (0..rows).try_for_each(|row| write_csv(out, table.row(row), self == Self::QuotedCsv))
            }
            Self::Json => (0..rows).try_for_each(|row| Ok(output::json_line(out, &table.row(row))?)),
            Self::Arrow | Self::Parquet => write_batch(out, table),
        }
    }
}

/// Whether a spreadsheet may take a text for a formula: the text begins with a sign, perhaps in wide form or after white
/// space, or with a character that ends the cell before.
pub fn is_formula(text: &str) -> bool {
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let is_skipped = |c: char| c.is_whitespace() || matches!(c, '\0' | '\u{feff}');
    text.starts_with(['\t', '\r', '\n']) || text.trim_start_matches(is_skipped).starts_with(SIGNS)
}

fn write_csv(out: &mut Out, row: OperationRow<'_>, quotes_formulas: bool) -> Result<(), Problem> {
    for (number, (_, cell)) in row.cells().enumerate() {
        if number > 0 {
            write!(out, ",")?;
        }
        match cell {
            Cell::Text(text) => {
                let quote = if quotes_formulas && is_formula(text) { "'" } else { "" };
                match text.contains([',', '"', '\n', '\r']) {
                    true => write!(out, "\"{quote}{}\"", text.replace('"', "\"\""))?,
                    false => write!(out, "{quote}{text}")?,
                }
            }
            Cell::Number(number) => number.map_or(Ok(()), |number| write!(out, "{number}"))?,
            Cell::List(items) => {
                // A list is JSON; the comma in a longer one needs the quotes.
                let quotes = if items.len() > 1 { "\"" } else { "" };
                write!(out, "{quotes}")?;
                serde_json::to_writer(&mut *out, items)?;
                write!(out, "{quotes}")?;
            }
        }
    }
    Ok(writeln!(out)?)
}

fn write_batch(out: &mut Out, table: &Table) -> Result<(), Problem> {
    let rows = table.columns.op_name.len();
    let (mut columns, mut files) = (Vec::new(), Vec::new());
    if let Some(file) = &table.file {
        arrow::dictionary(out, 0, std::slice::from_ref(file))?;
        files.resize(rows, 0);
        columns.push(arrow::Column::Words(&files));
    }
    for (_, kind, items) in OPS_TABLE {
        let numbers = table.columns.column(kind);
        columns.push(match items {
            Some(items) => arrow::Column::Lists(numbers, table.columns.column(items)),
            None if kind == ColumnKind::OpName => {
                arrow::dictionary(out, columns.len() as u64, &table.names)?;
                arrow::Column::Words(numbers)
            }
            None => arrow::Column::Numbers(numbers),
        });
    }
    Ok(arrow::batch(out, rows, &columns)?)
}
