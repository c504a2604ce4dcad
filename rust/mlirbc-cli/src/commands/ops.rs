//! `mlirbc ops`: list operations, or count them by name.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use mlirbc::Module;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::format::ir::{OpHead, OpSink, ValueRef};
use mlirbc::ir::{OpNameId, OperationName, PropertyId};
use mlirbc::print::{EntryTexts, OpAttributes, OpTexts};
use mlirbc::tool::TextLimit;
use serde::Serialize;
use wildmatch::WildMatch;

use crate::commands::CommandOptions;
use crate::input::{Input, Stop};
use crate::modules::{self, ChosenModule, Kernels};
use crate::names::{self, OpCounts};
use crate::ops_table::{self, Format};
use crate::output::{self, Column, Out, TextTable};
use crate::problem::Problem;
use crate::several_files::{self, MoreFiles, Separation};
use crate::text::{count, printable};

const HELP: &str = "\
Operations are listed in pre-order, one per line, indented by depth:

  name(OPERANDS)[^SUCCESSOR, ...] -> RESULTS {N regions}

Operands and results are counted; successors are block numbers in the region that contains the operation. A \
listing starts at once, and takes no more memory for a larger file.

The modules of a JAX export and the kernels in them follow one another, each below a line `module PATH:`; --module \
chooses one.

With --json there is one object per line, with module if there are several, and with the fields index (in pre-order), name, depth, operands, \
results, successors, regions, attributes (name to text, inherent and discardable) and properties (the names \
of the inherent ones). With --count --json there is one object: counts by name, or if there are several modules the \
list modules of path and op_counts.

With --format there is a table with a row for each operation, as `ops_table()` of the Python package has it: name, \
parent (its row), location, attributes and properties (rows of the tables of the file), operands (numbers of values: \
results in the order of rows, then arguments of blocks) and result_types (rows of the types). CSV has names as they are \
in the file, and some may begin as a formula of a spreadsheet does (`=`, `+`, `-`, `@`, a tab, a carriage return): \
--quote-formulas writes an apostrophe before them. Several files, and several modules of one, \
have a first column, file, which is `FILE (PATH)` for a module after the main one; rows count from 0 in each. Kernels are \
not in it. json is one object per line; arrow is an Arrow IPC stream; \
parquet is in programs built with the feature of this name, which the Python package is not.

Examples:
  List all operations:
  $ mlirbc ops model.mlirbc

  Count operations, the most frequent first:
  $ mlirbc ops model.mlirbc --count | head

  List one dialect, and all operations whose name contains `constant`:
  $ mlirbc ops model.mlirbc --name 'scf.*' --name '*constant*'

  Write JSON for a program:
  $ mlirbc ops model.mlirbc --json | head -n 3

  Write a table that pyarrow, Polars and DuckDB read:
  $ mlirbc ops model.mlirbc --format arrow -o ops.arrows

Exit status:
  0  the operations were listed, even if none matched
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

// Deeper operations are not indented further; their lines give the depth instead.
const DEEPEST_INDENT: usize = 40;
// More successors are counted rather than listed, except in JSON.
const SHOWN_SUCCESSORS: usize = 16;

/// List operations, or count them by name
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// Count by name, the most frequent first
    #[arg(long)]
    count: bool,

    /// Only operations whose name matches; `*` matches any text, `?` one character; may be repeated
    #[arg(long = "name", value_name = "PATTERN", value_parser = names::pattern)]
    names: Vec<WildMatch>,

    /// Write JSON
    #[arg(long)]
    json: bool,

    /// Write a table with a row for each operation: csv, json (one object per line), arrow (an IPC stream) or parquet
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true, conflicts_with_all = ["count", "names", "json"])]
    format: Option<Format>,

    /// Write an apostrophe before text of CSV that a spreadsheet would take for a formula
    #[arg(long, requires = "format")]
    quote_formulas: bool,

    /// Write the table to this file, which is replaced when it is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT", requires = "format")]
    output: Option<PathBuf>,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if let Some(format) = self.format {
            let format = match (format, self.quote_formulas) {
                (Format::Csv, true) => Format::QuotedCsv,
                (format, _) => format,
            };
            return ops_table::write(format, (&self.input, &self.more), self.output.as_deref(), out);
        }
        let texts = Separation::Titled.unless_json(self.json);
        several_files::each(out, (&self.input, &self.more), texts, &|input, out| match self.count {
            true => self.count(input, out),
            false => self.list(input, out),
        })
    }
}

impl Options {
    // The text of a name is built, and charged to the limit, only if there is a pattern: many names may share
    // one long dialect name.
    fn wants(&self, name: &OperationName<'_>, limit: &TextLimit) -> mlirbc::Result<bool> {
        if self.names.is_empty() {
            return Ok(true);
        }
        limit.spend(name.dialect.len() as u64)?;
        let name = name.full();
        Ok(self.names.iter().any(|pattern| pattern.matches(&name)))
    }

    fn count(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if self.json {
            return self.write_counts(input, out);
        }
        modules::each(input, Kernels::Included, out, &mut |chosen, out| {
            output::limit_text(out, chosen.module());
            chosen.write_heading(out)?;
            let mut rows = TextTable::new(&[Column::Number("count"), Column::Text("operation")]);
            for (name, count) in &self.counts(chosen.module())?.0 {
                rows.add([count.to_string(), names::shown(name)]);
            }
            Ok(rows.write(out)?)
        })
    }

    fn write_counts(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        let modules = modules::all(input, Kernels::Included)?;
        let mut records = Vec::new();
        for chosen in &modules {
            output::limit_text(out, chosen.module());
            records.push(CountRecord { path: chosen.own_path(), op_counts: self.counts(chosen.module())? });
        }
        match &records[..] {
            [record] => Ok(output::list(out, input, "op_counts", &record.op_counts)?),
            _ => Ok(output::list(out, input, "op_counts", &CountRecords { modules: records })?),
        }
    }

    fn counts<'m>(&self, module: &'m Module) -> Result<OpCounts<'m>, Problem> {
        let mut counts = OpCounts::read(module)?;
        if !self.names.is_empty() {
            let limit = TextLimit::of(module);
            let mut selected = Vec::new();
            for (name, count) in counts.0 {
                if self.wants(&name, &limit)? {
                    selected.push((name, count));
                }
            }
            counts = OpCounts(selected);
        }
        Ok(counts)
    }

    fn list(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        let stop = Stop::default();
        let artifact = input.open_artifact_until(&stop)?;
        modules::each_of(&artifact, input, Kernels::Included, out, &mut |chosen, out| {
            output::limit_text(out, chosen.module());
            if !self.json {
                chosen.write_heading(out)?;
            }
            self.list_module(input, chosen, &stop, out)
        })
    }

    fn list_module(
        &self,
        input: &Input,
        chosen: &ChosenModule,
        stop: &Stop,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let module = chosen.module();
        let mut names = Vec::new();
        names.resize_with(module.tables().dialect_section()?.op_names.len(), || None);
        let texts = if self.json { Some(EntryTexts::new(module)?) } else { None };
        let mut listing = Listing {
            options: self,
            file: input.is_one_of_many().then(|| input.name()),
            path: chosen.path(),
            module,
            matching: TextLimit::of(module),
            names,
            op: None,
            parts: (None, None),
            texts: texts.as_ref().map(EntryTexts::ops),
            row: OperationRow::default(),
            out,
            stop: stop.clone(),
            failed: None,
        };
        let read = module.stream(&mut listing);
        if read.is_ok() {
            listing.end_op(0);
        }
        match listing.failed {
            Some(problem) => Err(problem),
            None => Ok(read?),
        }
    }
}

/// The counts of one of several modules, as JSON.
#[derive(Serialize)]
struct CountRecord<'m> {
    path: &'m str,
    op_counts: OpCounts<'m>,
}

#[derive(Serialize)]
struct CountRecords<'m> {
    modules: Vec<CountRecord<'m>>,
}

/// An operation as JSON; the name is filled in when it is written.
#[derive(Debug, Default, Serialize)]
struct OperationRow<'n> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'n str>,
    /// The path, if the file has several modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'n str>,
    index: u64,
    name: &'n str,
    depth: usize,
    operands: u64,
    results: u64,
    successors: Vec<u32>,
    regions: u32,
    #[serde(flatten)]
    attributes: Attributes,
}

/// An operation's attributes as JSON.
#[derive(Debug, Default, Serialize)]
struct Attributes {
    attributes: BTreeMap<String, String>,
    properties: Vec<String>,
    /// The attribute in place of properties, if the writer did not know the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    property_attribute: Option<String>,
    /// Bytes of properties whose layout is not known, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    opaque_properties: Option<String>,
}

impl From<OpAttributes> for Attributes {
    fn from(from: OpAttributes) -> Self {
        let properties = from.inherent.iter().map(|(name, _)| name.clone()).collect();
        let opaque = from.opaque.map(|blob| blob.iter().map(|byte| format!("{byte:02x}")).collect());
        Self {
            attributes: from.inherent.into_iter().chain(from.discardable).collect(),
            properties,
            property_attribute: from.property_attribute,
            opaque_properties: opaque,
        }
    }
}

/// The name of an operation, which is built on first use.
enum Name<'m> {
    Unwanted,
    Short(Box<str>),
    // The text of a long name is built only when it is needed: many operations may share one very long
    // dialect name.
    Long(OperationName<'m>),
}

impl Name<'_> {
    const SHORT: usize = 128;
}

/// Writes operations as they are read.
struct Listing<'a> {
    options: &'a Options,
    // The name for JSON, if there are several files.
    file: Option<String>,
    // The path for JSON, if there are several modules.
    path: Option<&'a str>,
    module: &'a Module,
    // The text that patterns of `--name` may still look at.
    matching: TextLimit,
    names: Vec<Option<Name<'a>>>,
    // The name of the operation that is being read.
    op: Option<usize>,
    // The property blob and the dictionary of the operation.
    parts: (Option<PropertyId>, Option<AttrId>),
    texts: Option<OpTexts<'a, 'a>>,
    row: OperationRow<'static>,
    out: &'a mut Out,
    stop: Stop,
    failed: Option<Problem>,
}

impl<'a> Listing<'a> {
    fn end_op(&mut self, regions: u32) {
        let Some(name) = self.op.take() else { return };
        if self.failed.is_none() {
            self.row.regions = regions;
            if let Err(error) = self.write(name) {
                self.failed = Some(error);
                self.stop.set();
            }
        }
        self.row.index += 1;
    }

    fn name(&self, id: usize) -> mlirbc::Result<Name<'a>> {
        Ok(match self.module.op_name(OpNameId::new(id as u32)) {
            Some(name) if !self.options.wants(&name, &self.matching)? => Name::Unwanted,
            Some(name) if name.dialect.len() + name.stem.len() > Name::SHORT => Name::Long(name),
            Some(name) => Name::Short(name.full().into()),
            None => Name::Unwanted,
        })
    }

    fn write(&mut self, id: usize) -> Result<(), Problem> {
        let name = match self.names[id].take() {
            Some(name) => name,
            None => self.name(id)?,
        };
        let written = self.write_named(id, &name);
        self.names[id] = Some(name);
        written
    }

    fn write_named(&mut self, id: usize, name: &Name<'_>) -> Result<(), Problem> {
        if self.options.json {
            let name = match name {
                Name::Unwanted => return Ok(()),
                Name::Short(name) => Cow::from(&**name),
                Name::Long(name) => name.full(),
            };
            let successors = std::mem::take(&mut self.row.successors);
            let (properties, dictionary) = self.parts;
            let id = OpNameId::new(id as u32);
            let read = self.texts.as_mut().map(|texts| texts.op(id, properties, dictionary)).transpose();
            let attributes = read?.unwrap_or_default().into();
            let OperationRow { index, depth, operands, results, regions, .. } = self.row;
            let (file, module) = (self.file.as_deref(), self.path);
            let name = &name;
            let row = OperationRow {
                file,
                module,
                index,
                name,
                depth,
                operands,
                results,
                successors,
                regions,
                attributes,
            };
            output::json_line(self.out, &row)?;
            self.row.successors = row.successors;
            return Ok(());
        }
        let name = match name {
            Name::Unwanted => return Ok(()),
            Name::Short(name) => printable(name),
            Name::Long(name) => names::shown(name).into(),
        };
        Ok(write_line(self.out, &name, &self.row)?)
    }
}

fn write_line(out: &mut Out, name: &str, row: &OperationRow<'_>) -> io::Result<()> {
    let OperationRow { depth, operands, results, successors, regions, .. } = row;
    write!(out, "{:1$}", "", 2 * depth.min(&DEEPEST_INDENT))?;
    if *depth > DEEPEST_INDENT {
        write!(out, "(depth {depth}) ")?;
    }
    write!(out, "{name}({operands})")?;
    if successors.len() > SHOWN_SUCCESSORS {
        write!(out, "[{} successors]", successors.len())?;
    } else if !successors.is_empty() {
        let blocks: Vec<_> = successors.iter().map(|block| format!("^{block}")).collect();
        write!(out, "[{}]", blocks.join(", "))?;
    }
    write!(out, " -> {results}")?;
    if *regions > 0 {
        write!(out, " {{{}}}", count((*regions).into(), "region"))?;
    }
    writeln!(out)
}

impl OpSink for Listing<'_> {
    fn op(&mut self, head: OpHead) {
        self.end_op(0);
        self.op = Some(head.name as usize);
        self.parts = (head.properties.map(PropertyId::new), head.attributes.map(AttrId::new));
        self.row.operands = 0;
        self.row.results = 0;
        self.row.successors.clear();
    }

    fn result(&mut self, _: TypeId) {
        self.row.results += 1;
    }

    fn operand(&mut self, _: ValueRef) {
        self.row.operands += 1;
    }

    fn successor(&mut self, block: u32) {
        self.row.successors.push(block);
    }

    fn regions(&mut self, count: u32, _: bool) {
        self.end_op(count);
        self.row.depth += 1;
    }

    fn end_block(&mut self) {
        self.end_op(0);
    }

    fn end_regions(&mut self) {
        self.row.depth -= 1;
    }

    fn memory(&self) -> usize {
        self.names.len() * size_of::<Option<Name<'_>>>()
    }
}
