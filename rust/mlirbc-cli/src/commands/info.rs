//! `mlirbc info`: the parts of a file.

use std::io::Write;

use clap::Args;
use mlirbc::container::ContainerSummary;
use mlirbc::format::container::Section;
use mlirbc::ir::{AmbiguousOperation, PropertyReading};
use mlirbc::tool::{JaxReader, JaxReaders, ModelSummary};
use mlirbc::{Artifact, Module};
use serde::Serialize;

use super::resources::{self, Record};
use crate::commands::CommandOptions;
use crate::input::Input;
use crate::model;
use crate::names::{self, OpCounts};
use crate::output::{self, Column, Out, TextTable};
use crate::parameters;
use crate::problem::Problem;
use crate::release::{self, ReleaseRecord};
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::{Lossy, count, printable, shown};

const HELP: &str = "\
Offsets and sizes of sections are those of their data, without the header. Of a JAX export, the offsets of sections count \
from the start of the module, and the offsets of modules from the start of the file. Operations are counted by reading all \
of the IR; the bytes of weights are never read. Tables show their first rows only; JSON has all rows.

For a JAX export, the signature and the settings of its function are listed; for a model of StableHLO or VHLO, the \
versions that read it, the entry function, the parameters, and the targets of custom calls.

Examples:
  Show what is in a file:
  $ mlirbc info model.mlirbc

  Write JSON for a program:
  $ mlirbc info model.mlirbc --json

  Show the derivative in a JAX export:
  $ mlirbc info model.jax --module 1

  Read the output of a compiler from a pipe:
  $ cat model.mlirbc | mlirbc info -

Exit status:
  0  success
  2  the command line is invalid
  3  the file is malformed, or cannot be read; everything that was read before the error is printed";

// The rows of a table for people; JSON has all rows.
const SHOWN: usize = 10;

/// Show the parts of a file, and what a model takes, returns and holds
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let texts = Separation::Paragraphs.unless_json(self.json);
        several_files::each(out, (&self.input, &self.more), texts, &|input, out| self.run_on(input, out))
    }
}

impl Options {
    fn run_on(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if let Some(file) = input.parameter_file()? {
            return parameters::write_info(input, &file, self.json, out);
        }
        let artifact = input.open_artifact()?;
        let index = artifact.chosen().first().copied().unwrap_or_default();
        let module = artifact.module(index)?;
        let result = self.write(input, (&artifact, index), &module, out);
        result.map_err(|problem| match problem {
            Problem::File(error) => Problem::File(artifact.located(index, error)),
            other => other,
        })
    }

    fn write(
        &self,
        input: &Input,
        (artifact, index): (&Artifact, usize),
        module: &Module,
        out: &mut Out,
    ) -> Result<(), Problem> {
        output::limit_text(out, module);
        if self.json {
            let summary = module.model_summary()?;
            let known_summary = summary.as_ref().map(|summary| (index, summary));
            let readers = JaxReaders::of_chosen(artifact, known_summary)?;
            let readers = readers.map(|readers| readers.all()).transpose()?;
            let kernels = model::nested_records(artifact)?;
            let info = Info::read(input, module, readers, (kernels, summary))?;
            return Ok(output::document(out, input, &info)?);
        }
        write_tables(input, artifact, module, out)
    }
}

// Writes one table at a time, so that a bad file shows as much as can be read.
fn write_tables(input: &Input, artifact: &Artifact, module: &Module, out: &mut Out) -> Result<(), Problem> {
    let bytecode = module.tables().bytecode();
    writeln!(
        out,
        "{}: bytecode version {} by {}, {}",
        printable(&input.name()),
        bytecode.version(),
        shown(bytecode.producer()),
        count(bytecode.size(), "byte"),
    )?;
    release::write(module, out)?;
    let summary = model::write_container(artifact, module, out)?;
    writeln!(out)?;
    let offset = if artifact.has_fields() { "offset in module" } else { "offset" };
    sections(bytecode.sections(), offset).write(out)?;

    let dialects = dialects(module)?;
    writeln!(out)?;
    write_dialects(&dialects, out)?;

    let ops = OpCounts::read(module)?;
    let counts = Counts::read(module, &ops)?;
    writeln!(
        out,
        "\n{}, {}, {}, {}, {}",
        count(counts.strings, "string"),
        count(counts.attributes, "attribute"),
        count(counts.types, "type"),
        count(counts.operations, "operation"),
        count(counts.resources, "resource"),
    )?;
    write_ops(&ops, out)?;
    write_excluded(module, out)?;
    write_ambiguous(module, out)?;
    write_resources(module, out)?;
    model::write_nested(artifact, out)?;
    let summary = summary.map_or_else(|| module.model_summary(), |summary| Ok(Some(summary)))?;
    summary.map_or(Ok(()), |summary| model::write_summary(&summary, SHOWN, out))
}

fn sections(sections: &[Section], offset: &'static str) -> TextTable {
    let mut rows = TextTable::new(&[
        Column::Text("section"),
        Column::Number("id"),
        Column::Number(offset),
        Column::Number("size"),
        Column::Number("alignment"),
    ]);
    for section in sections {
        rows.add([
            section.id.to_string(),
            section.id.byte().to_string(),
            format!("{:#x}", section.offset),
            section.size.to_string(),
            section.alignment.map_or(String::new(), |alignment| alignment.to_string()),
        ]);
    }
    rows
}

fn write_dialects(dialects: &[DialectRecord<'_>], out: &mut Out) -> Result<(), Problem> {
    let mut rows =
        TextTable::new(&[Column::Text("dialect"), Column::Number("op names"), Column::Text("version")]);
    for dialect in dialects.iter().take(SHOWN) {
        let version = dialect.version.as_deref().unwrap_or_default();
        rows.add([shown(dialect.name.0), dialect.op_names.to_string(), shown(version.as_bytes())]);
    }
    rows.write(out)?;
    Ok(write_rest(dialects.len(), "dialect", "`--json` has them all", out)?)
}

fn write_ops(ops: &OpCounts<'_>, out: &mut Out) -> Result<(), Problem> {
    if ops.0.is_empty() {
        return Ok(());
    }
    let mut rows = TextTable::new(&[Column::Number("count"), Column::Text("operation")]);
    for (name, count) in ops.0.iter().take(SHOWN) {
        rows.add([count.to_string(), names::shown(name)]);
    }
    writeln!(out)?;
    rows.write(out)?;
    Ok(write_rest(ops.0.len(), "name", "`mlirbc ops --count` has them all", out)?)
}

// Writes the builds that the producer string allows and the properties of an operation exclude.
fn write_excluded(module: &Module, out: &mut Out) -> Result<(), Problem> {
    let excluded = module.release()?.excluded_builds();
    if excluded.is_empty() {
        return Ok(());
    }
    let mut rows =
        TextTable::new(&[Column::Text("excluded build"), Column::Text("because of the properties of")]);
    for build in excluded {
        rows.add([build.build.clone(), printable(&build.op).into_owned()]);
    }
    writeln!(out)?;
    Ok(rows.write(out)?)
}

// Writes the operations whose properties have several readings, with the readings of one blob.
fn write_ambiguous(module: &Module, out: &mut Out) -> Result<(), Problem> {
    let ambiguous = module.ambiguous_operations()?;
    if ambiguous.is_empty() {
        return Ok(());
    }
    let mut rows =
        TextTable::new(&[Column::Text("ambiguous properties"), Column::Text("readings of the first ones")]);
    for op in ambiguous.iter().take(SHOWN) {
        for (place, reading) in op.readings().iter().enumerate() {
            let name = if place == 0 { printable(op.name()).into_owned() } else { String::new() };
            rows.add([name, printable(&reading.shown(module)).into_owned()]);
        }
    }
    writeln!(out)?;
    rows.write(out)?;
    Ok(write_rest(ambiguous.len(), "operation", "`--json` has them all", out)?)
}

fn write_resources(module: &Module, out: &mut Out) -> Result<(), Problem> {
    let all = module.resources()?;
    let total = all.len();
    if total == 0 {
        return Ok(());
    }
    let records = all.take(SHOWN).map(Record::read).collect::<mlirbc::Result<Vec<_>>>()?;
    writeln!(out)?;
    resources::table(&records).write(out)?;
    Ok(write_rest(total, "resource", "`mlirbc resources` has them all", out)?)
}

fn write_rest(total: usize, noun: &str, help: &str, out: &mut Out) -> std::io::Result<()> {
    match total.saturating_sub(SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "... and {}; {help}", count(rest as u64, &format!("more {noun}"))),
    }
}

/// The whole output of `--json`; documented in `docs/reference/cli-output.md`.
#[derive(Serialize)]
struct Info<'m> {
    /// Set only for one of several files.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    version: u8,
    producer: Lossy<'m>,
    release: ReleaseRecord<'m>,
    file_size: u64,
    container: Option<ContainerSummary>,
    /// For a JAX export: whether each known release of JAX can call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    jax: Option<Vec<JaxReader>>,
    /// Contents of attributes: modules, and objects that are not MLIR.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<model::NestedRecord>,
    sections: Vec<SectionRecord>,
    dialects: Vec<DialectRecord<'m>>,
    counts: Counts,
    op_counts: OpCounts<'m>,
    /// Operations whose properties have several readings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ambiguous: Vec<AmbiguousRecord>,
    resources: Vec<Record<'m>>,
    model: Option<ModelSummary>,
}

#[derive(Serialize)]
struct AmbiguousRecord {
    operation: String,
    /// The possible readings of the operation's first properties in the file.
    readings: Vec<ReadingRecord>,
}

#[derive(Serialize)]
struct ReadingRecord {
    builds: Vec<String>,
    text: String,
}

#[derive(Serialize)]
struct SectionRecord {
    id: u8,
    name: &'static str,
    header_offset: u64,
    offset: u64,
    size: u64,
    alignment: Option<u64>,
}

#[derive(Serialize)]
struct DialectRecord<'m> {
    name: Lossy<'m>,
    version: Option<String>,
    op_names: u64,
}

#[derive(Serialize)]
struct Counts {
    strings: u64,
    attributes: u64,
    types: u64,
    operations: u64,
    resources: u64,
}

impl<'m> Info<'m> {
    fn read(
        input: &Input,
        module: &'m Module,
        jax: Option<Vec<JaxReader>>,
        (kernels, model): (Vec<model::NestedRecord>, Option<ModelSummary>),
    ) -> mlirbc::Result<Self> {
        let bytecode = module.tables().bytecode();
        let op_counts = OpCounts::read(module)?;
        Ok(Self {
            file: input.is_one_of_many().then(|| input.name()),
            version: bytecode.version().number(),
            producer: Lossy(bytecode.producer()),
            release: ReleaseRecord::read(module)?,
            file_size: bytecode.size(),
            container: model::container(module)?,
            jax,
            kernels,
            sections: bytecode.sections().iter().map(SectionRecord::from).collect(),
            dialects: dialects(module)?,
            counts: Counts::read(module, &op_counts)?,
            op_counts,
            ambiguous: ambiguous(module)?,
            resources: module.resources()?.map(Record::read).collect::<mlirbc::Result<_>>()?,
            model,
        })
    }
}

fn ambiguous(module: &Module) -> mlirbc::Result<Vec<AmbiguousRecord>> {
    let reading = |reading: &PropertyReading<'_>| ReadingRecord {
        builds: reading.builds().iter().map(|&build| build.to_owned()).collect(),
        text: reading.shown(module),
    };
    let record = |op: &AmbiguousOperation<'_>| AmbiguousRecord {
        operation: op.name().to_owned(),
        readings: op.readings().iter().map(reading).collect(),
    };
    Ok(module.ambiguous_operations()?.iter().map(record).collect())
}

impl Counts {
    fn read(module: &Module, ops: &OpCounts<'_>) -> mlirbc::Result<Self> {
        let entries = module.tables().entry_counts()?;
        Ok(Self {
            strings: module.tables().strings()?.len() as u64,
            attributes: entries.attributes.into(),
            types: entries.types.into(),
            operations: ops.total(),
            resources: module.resources()?.len() as u64,
        })
    }
}

impl From<&Section> for SectionRecord {
    fn from(section: &Section) -> Self {
        let &Section { id, header_offset, offset, size, alignment } = section;
        Self { id: id.byte(), name: id.name(), header_offset, offset, size, alignment }
    }
}

fn dialects(module: &Module) -> mlirbc::Result<Vec<DialectRecord<'_>>> {
    let mut records: Vec<_> = module
        .dialects()?
        .map(|dialect| DialectRecord {
            name: Lossy(dialect.name),
            version: dialect.version.map(|bytes| hex(&bytes)),
            op_names: 0,
        })
        .collect();
    for name in &module.tables().dialect_section()?.op_names {
        records[name.dialect as usize].op_names += 1;
    }
    Ok(records)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
