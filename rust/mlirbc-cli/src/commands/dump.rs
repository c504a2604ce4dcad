//! `mlirbc dump`: every byte with its field.

use std::io::{self, Write};

use clap::Args;
use mlirbc::bytes::Source;
use mlirbc::container::ModuleChoice;
use mlirbc::section::SectionId;
use mlirbc::tool::{DumpKind, DumpOptions, DumpRow, check_offset, dump};
use mlirbc::{Artifact, ReadOptions};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::{BAD_FILE, Problem};
use crate::text::printable;

const HELP: &str = "\
Every byte of the module is in one line: its offset, the first bytes, the field's name in the format \
(`docs/reference/format-notes.md`) and the decoded value; lines without bytes begin a group of fields. An error is \
shown with the bytes around it and a caret, and bytes that cannot be decoded because of it are one field.

The modules of a JAX export follow one another, each below a line `module PATH:`, with offsets from the start of the \
module; --at is an offset in the main module, or in that of --module, which may be a kernel.

With --json there is one object per line, with module if there are several, and the fields kind (group, field or fault), depth, offset, size, name, \
value and bytes (the first 8, in hexadecimal; of a fault those from 8 before its offset to 8 after).

Examples:
  Show all fields:
  $ mlirbc dump model.mlirbc | less

  Ask what a byte is:
  $ mlirbc dump model.mlirbc --at 0x1a2f

  Show the sections and their entries, without the fields in them:
  $ mlirbc dump model.mlirbc --depth 2

  Show the directory of attributes and types:
  $ mlirbc dump model.mlirbc --section AttrTypeOffset

  Show what a JAX export has around its module:
  $ mlirbc dump model.jax --container

Exit status:
  0  success
  1  the file has no byte at the offset
  2  the command line is invalid
  3  the file is malformed, or cannot be read";

/// Show every byte with its field in the format and its value
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Only this section, for example `IR`
    #[arg(long, value_name = "SECTION", value_parser = section)]
    section: Option<SectionId>,

    /// Only the field with the byte at this offset, decimal or with `0x`, and the groups that it is in
    #[arg(long, value_name = "OFFSET", value_parser = offset)]
    at: Option<u64>,

    /// The bytes around the modules of a JAX export instead of a module, with offsets from the start of the file
    #[arg(long, conflicts_with = "section")]
    container: bool,

    /// How many levels to show: 1 is the sections, 2 what they consist of
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

fn section(name: &str) -> Result<SectionId, String> {
    SectionId::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names = SectionId::ALL.map(SectionId::name);
        format!("the sections are {}", names.join(", "))
    })
}

fn offset(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a number of bytes, decimal or with `0x`".to_owned())
}

/// Returns the paths of the modules of a file; none if the file is too damaged.
fn module_paths(source: &Source, options: &ReadOptions) -> Vec<String> {
    let artifact = Artifact::from_source(source.clone(), options).ok();
    let modules = artifact.as_ref().map_or(&[][..], Artifact::modules);
    modules.iter().map(|module| module.path.clone()).collect()
}

#[derive(Serialize)]
struct Record<'r> {
    /// The path, if the file has several modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'r str>,
    kind: &'static str,
    depth: usize,
    offset: u64,
    size: u64,
    name: &'r str,
    value: &'r str,
    bytes: String,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let (source, options) = self.input.unopened()?;
        if self.input.is_text() {
            let message = "the file is text, which has no bytes of bytecode to list";
            return Err(Problem::refused(message, "assemble it with `mlirbc assemble`, and list that file"));
        }
        if let Some(at) = self.at {
            check_offset(at, source.len()).map_err(|error| Problem::Unknown(error.to_string()))?;
        }
        let paths = match self.at.is_some() || self.container || self.input.chooses_module() {
            true => Vec::new(),
            false => module_paths(&source, &options),
        };
        if paths.len() < 2 {
            return self.dump(&source, &options, None, out);
        }
        let mut dumped = Ok(());
        for (index, path) in paths.iter().enumerate() {
            if !self.json {
                writeln!(out, "{}module {}:", if index == 0 { "" } else { "\n" }, printable(path))?;
            }
            let options = options.clone().module(ModuleChoice::Index(index));
            match self.dump(&source, &options, Some(path), out) {
                // The fault of one module does not hide the others.
                Err(Problem::Reported(status)) => dumped = Err(Problem::Reported(status)),
                Err(problem) => return Err(problem),
                Ok(()) => {}
            }
        }
        dumped
    }
}

impl Options {
    fn dump(
        &self,
        source: &Source,
        options: &ReadOptions,
        path: Option<&str>,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let depth = self.depth.map(|depth| depth as usize);
        let container = self.container;
        let selection = DumpOptions { section: self.section, at: self.at, depth, container };
        let mut written = Ok(());
        let faults = dump(source, options, selection, &mut |row| {
            written = self.write(out, path, &row);
            written.is_ok()
        })?;
        written?;
        if faults > 0 { Err(Problem::Reported(BAD_FILE)) } else { Ok(()) }
    }

    fn write(&self, out: &mut Out, module: Option<&str>, row: &DumpRow) -> io::Result<()> {
        if !self.json {
            return write_row(out, row);
        }
        let (kind, name, value) = (row.kind.name(), &row.name, &row.value);
        let bytes = hex(&row.bytes, "");
        let (depth, offset, size) = (row.depth, row.offset, row.size);
        Ok(output::json_line(out, &Record { module, kind, depth, offset, size, name, value, bytes })?)
    }
}

fn hex(bytes: &[u8], between: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * (2 + between.len()));
    for (index, byte) in bytes.iter().enumerate() {
        text.push_str(if index > 0 { between } else { "" });
        text.extend([byte >> 4, byte & 15].map(|digit| char::from(DIGITS[usize::from(digit)])));
    }
    text
}

/// Writes a row for people; a fault has three lines.
pub(crate) fn write_row(out: &mut impl Write, row: &DumpRow) -> io::Result<()> {
    // Deeper rows are not indented further.
    let indent = 2 * row.depth.min(20);
    let bytes = hex(&row.bytes, " ");
    let (offset, name, value) = (row.offset, printable(&row.name), printable(&row.value));
    match row.kind {
        DumpKind::Group => writeln!(out, "{offset:08x}  {:24}  {:indent$}{name}", "", ""),
        DumpKind::Field => {
            let more = if row.size > row.bytes.len() as u64 { "…" } else { "" };
            let padding = 26 + indent - bytes.len().min(24) - more.chars().count();
            writeln!(out, "{offset:08x}  {bytes}{more}{:padding$}{name}: {value}", "")
        }
        DumpKind::Fault => {
            let start = row.offset - row.caret as u64;
            writeln!(out, "error[{name}]: {value}")?;
            writeln!(out, "{start:08x}  {bytes}")?;
            writeln!(out, "{:8}  {:2$}^^", "", "", 3 * row.caret)
        }
    }
}
