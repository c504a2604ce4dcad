//! `mlirbc extract`: selected symbols and their dependencies as a module of their own.

use std::path::PathBuf;

use clap::Args;
use mlirbc::tool::symbols::{ExtractOptions, Extracted, MissingSymbol, extract, prepare};
use serde::Serialize;

use super::convert::{write_bytes, write_prepared};
use super::merge::refuse_two_outputs;
use crate::commands::CommandOptions;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::text::{count, note, shown};

const HELP: &str = "\
The output has the symbols, everything that they refer to in attributes, properties and types at any depth, and the \
modules around them with their attributes, such as data layouts. Of resources it has those that are used. Operations \
without a symbol, such as entry points of SPIR-V, stay if everything that they refer to does.

With --json the object has the lists symbols, declared, missing (from, name), unknown (symbols with bytes of unknown \
layout, which may refer to others), and the number left_out of operations without a symbol.

Examples:
  A function with what it calls:
  $ mlirbc extract model.mlirbc @main -o main.mlirbc

  A kernel in a custom call, as it is stored:
  $ mlirbc extract model.jax main/kernels/step -o step.mlirbc

  A function in a nested module, with declarations of what it calls:
  $ mlirbc extract model.mlirbc @kernels::@step --declarations -o step.mlirbc

Exit status:
  0  the output was written
  1  there is no such symbol, or the output cannot be written
  2  the command line is invalid
  3  the file is malformed or cannot be read";

/// Write symbols with what they need as a module of their own
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// A symbol, `@main`, or the path to a nested one, `@kernels::@step`; or the path of a module in an attribute, `main/kernels/step`
    #[arg(value_name = "SYMBOL", required = true)]
    symbols: Vec<String>,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Declare other functions instead of copying their bodies
    #[arg(long)]
    declarations: bool,

    /// Report what was written as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'r> {
    symbols: &'r [String],
    declared: &'r [String],
    missing: &'r [MissingSymbol],
    unknown: &'r [String],
    left_out: u64,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        refuse_two_outputs(self.json, &self.output)?;
        if let Some(path) = self.symbols.iter().find(|symbol| mlirbc::artifact::is_nested(symbol)) {
            return self.extract_nested(path, out);
        }
        let module = self.input.open()?;
        let options = ExtractOptions::default().declarations(self.declarations);
        let mut extracted = extract(&module, &self.symbols, options)?;
        let prepared = prepare(&mut extracted.editor, &Progress::new("writing").to_core())?;
        write_prepared(prepared, &self.output, out)?;
        let Extracted { symbols, declared, missing, left_out, unknown, .. } = &extracted;
        if self.json {
            let report = Report { symbols, declared, missing, unknown, left_out: *left_out };
            return Ok(output::json_line(out, &report)?);
        }
        let declarations = match declared.len() as u64 {
            0 => String::new(),
            number => format!(", {}", count(number, "declaration")),
        };
        note(&format!("{}{declarations}", count(symbols.len() as u64, "symbol")));
        if *left_out > 0 {
            note(&format!("{} without a symbol left out", count(*left_out, "operation")));
        }
        note_missing(missing);
        for symbol in unknown {
            let symbol = shown(symbol.as_bytes());
            note(&format!("`{symbol}` has bytes of unknown layout, which may refer to other symbols"));
        }
        Ok(())
    }
}

impl Options {
    /// Writes a nested module as it is stored.
    fn extract_nested(&self, path: &str, out: &mut Out) -> Result<(), Problem> {
        if self.symbols.len() > 1 || self.declarations || self.json {
            let help = "leave out other symbols, `--declarations` and `--json`";
            return Err(Problem::usage("a module in an attribute is written alone", help));
        }
        let (_, nested) = self.input.open_artifact()?.find_nested(path)?;
        write_bytes(&nested.bytes, &self.output, out)
    }
}

/// Reports references to symbols that a file does not have.
pub(super) fn note_missing(missing: &[MissingSymbol]) {
    const MOST: usize = 5;
    for MissingSymbol { from, name } in missing.iter().take(MOST) {
        let (from, name) = (shown(from.as_bytes()), shown(name.as_bytes()));
        match from.is_empty() {
            true => note(&format!("the module refers to `{name}`, which the file does not have")),
            false => note(&format!("`{from}` refers to `{name}`, which the file does not have")),
        }
    }
    if missing.len() > MOST {
        note(&format!("{} more do not exist", missing.len() - MOST));
    }
}
