//! `mlirbc hash`: content keys of modules.

use std::io::Write;

use clap::Args;
use mlirbc::tool::{HashOptions, artifact_key, content_key, symbol_keys};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::shown;

const HELP: &str = "\
The key of a module is the same for every bytecode version, release and producer that it is stored with, and for every \
order of its tables: it is SHA-256 of the operations, attributes, types and resources, as LLVM 22 spells them. Locations \
are covered only with --locations. With --stored-facts the key also covers what files store and no text shows: the versions of \
dialects, whether the writer had operations registered, which regions are bodies of their own, and the orders of uses. \
Bytecode versions differ in which of these they store, so such keys are for files of one bytecode version. Operations and the data of resources are read completely. A later mlirbc that makes \
other keys begins them with another prefix. With --rename-private, private symbols with a definition are numbered in the order of \
their symbol table, so that their names do not count.

The key of a JAX export covers its derivatives and the fields around the modules, such as platforms, types and shardings, \
but not the version of JAX. With --bare it is the key of the main module, and with --module that of another one.

With --json there is one object for each file, in a line: file and key, and with --symbols the list symbols of name and key.

Examples:
  Find out whether two files hold the same module:
  $ mlirbc hash a.mlirbc b.mlirbc

  Show a key for each function:
  $ mlirbc hash model.mlirbc --symbols

Exit status:
  0  success
  2  the command line is invalid
  3  a file is malformed or cannot be read";

/// Show a key of the content, without locations and producer
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// Show the key of each operation in the top-level operation, too
    #[arg(long)]
    symbols: bool,

    /// Cover the locations of operations and block arguments
    #[arg(long)]
    locations: bool,

    /// Cover what files store and no text shows: dialect versions, registered bits, isolated bodies, orders of uses
    #[arg(long)]
    stored_facts: bool,

    /// Treat private symbols that only differ in their names as equal
    #[arg(long)]
    rename_private: bool,

    /// Cover the main module alone, not its container and the other modules in it
    #[arg(long)]
    bare: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct HashRow {
    file: String,
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<Vec<Named>>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    key: String,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        several_files::each(out, (&self.input, &self.more), Separation::Lines, &|input, out| {
            self.run_on(input, out)
        })
    }
}

impl Options {
    fn run_on(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        let options = HashOptions::default()
            .locations(self.locations)
            .stored_facts(self.stored_facts)
            .rename_private(self.rename_private);
        let artifact = input.open_artifact()?;
        let module = artifact.module(artifact.chosen().first().copied().unwrap_or_default())?;
        let key = match self.bare || input.chooses_module() {
            true => content_key(&module, options)?,
            false => artifact_key(&artifact, options)?,
        };
        let keys = if self.symbols { Some(symbol_keys(&module, options)?) } else { None };
        let file = input.name();
        if self.json {
            let named = |(name, key)| Named { name, key };
            let symbols = keys.map(|keys| keys.into_iter().map(named).collect());
            return Ok(output::json_line(out, &HashRow { file, key, symbols })?);
        }
        let file = shown(file.as_bytes());
        writeln!(out, "{key}  {file}")?;
        for (name, key) in keys.into_iter().flatten() {
            writeln!(out, "{key}  {file} {}", shown(name.as_bytes()))?;
        }
        Ok(())
    }
}
