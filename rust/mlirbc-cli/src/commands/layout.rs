//! `mlirbc layout`: sizes and alignments of types at an operation, and the specifications they come from.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mlirbc::format::id::TypeId;
use mlirbc::layout::{self, DataLayout, DltiAttr, DltiKey, LayoutTable, Rules, TypeSize, VectorLayout};
use mlirbc::{Module, Operation, Type};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::hints::hint;
use crate::input::{Input, load};
use crate::output::{self, Column, Out, TextTable};
use crate::problem::{ErrorRecord, Problem};
use crate::text::{lossy_chars, printable, shown};

const HELP: &str = "\
The layout combines the specifications (`dlti.dl_spec`) on the operation and on the operations around it, as \
MLIR 22 does. Sizes and alignments are in bytes unless marked as bits; `vscale x` before a size means that \
the size is multiplied by the vector scale of the machine. Without --type, the types of all results and \
block arguments inside the operation are shown, except those inside nested scopes.

Examples:
  Show the whole module:
  $ mlirbc layout model.mlirbc

  Query types inside a nested module:
  $ mlirbc layout model.mlirbc --at @kernels --type index --type '!llvm.struct<(i8, ptr)>'

  Write JSON for a program:
  $ mlirbc layout model.mlirbc --json

  Follow the rules of the RFC \"Data Layout Modeling\", and align vectors to at most 16 bytes:
  $ mlirbc layout model.mlirbc --rules rfc --vectors alignment=element,max=16

  Use the layout of memrefs that an RFC proposed and MLIR does not have:
  $ mlirbc layout model.mlirbc --layouts memref-rfc --type 'memref<4xmemref<?xf32>>'

Exit status:
  0  success
  1  a specification is invalid, the symbol does not exist, or a type given by --type has no layout
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read";

/// The number of characters that are requested of a type in a table, which cuts longer types anyway.
const WIDEST_TYPE: usize = crate::text::SHOWN;

/// Show the data layout at an operation, and sizes and alignments of types there
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The operation that defines this symbol, e.g. `main` or `@kernels::@step` [default: the module]
    #[arg(long, value_name = "SYMBOL")]
    at: Option<String>,

    /// A type to query, as MLIR text; may be repeated
    #[arg(long = "type", value_name = "TEXT")]
    types: Vec<String>,

    /// A layout table (TOML) for types without a layout, or `memref-rfc`; may be repeated
    #[arg(long, value_name = "FILE")]
    layouts: Vec<PathBuf>,

    /// Name of an operation outside MLIR whose `dlti.dl_spec` applies to the operations inside it; may be repeated
    #[arg(long, value_name = "OP")]
    scope: Vec<String>,

    /// Name of an operation outside MLIR whose `dlti.dl_spec` is ignored; may be repeated
    #[arg(long, value_name = "OP")]
    no_scope: Vec<String>,

    /// The rules of specifications: `mlir` follows MLIR 22, `rfc` the RFC "Data Layout Modeling"
    #[arg(long, value_enum, default_value_t = RulesName::Mlir, hide_possible_values = true)]
    #[arg(value_name = "mlir|rfc")]
    rules: RulesName,

    /// The layout of vectors without an entry, e.g. `alignment=element,max=16,elements=packed`; `alignment` is
    /// `size`, `element` or a number of bytes, `max` a number of bytes, `elements` is `bytes` or `packed`
    #[arg(long, value_name = "POLICY", default_value = "alignment=size", hide_default_value = true)]
    vectors: VectorLayout,

    /// Report nested specifications that make MLIR 22 crash as an error
    #[arg(long)]
    strict: bool,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RulesName {
    Mlir,
    Rfc,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        let op = match &self.at {
            Some(symbol) => find(&module, symbol)?,
            None => module.operation()?,
        };
        let layout = DataLayout::of_with(op, &self.options()?)?;
        let types = match &self.types[..] {
            [] => used(&module, op, &layout)?,
            texts => texts.iter().map(|text| parse(text)).collect::<Result<_, _>>()?,
        };
        let widest = if self.json { None } else { Some(WIDEST_TYPE) };
        let answers: Vec<Answer> =
            types.iter().map(|of| Answer::new(&layout, of, widest)).collect::<Result<_, _>>()?;
        if self.json {
            output::json(out, &Record::new(op, &layout, &answers)?)?;
        } else {
            self.write(op, &layout, &answers, out)?;
        }
        // A type that was requested by name must have an answer, otherwise the command fails.
        match answers.into_iter().find_map(|answer| answer.error).filter(|_| !self.types.is_empty()) {
            Some(error) => Err(Problem::Refused { message: error.to_string(), help: hint(&error) }),
            None => Ok(()),
        }
    }
}

impl Options {
    fn options(&self) -> Result<layout::Options, Problem> {
        let mut types = Vec::new();
        for path in &self.layouts {
            types.extend(match path.to_str() {
                Some("memref-rfc") => layout::rfc_memref_layout().types(),
                _ => load(path, &self.input.limits(), LayoutTable::from_toml)?.types(),
            });
        }
        let named =
            |ops: &[String], is_scope| ops.iter().map(|op| (op.clone(), is_scope)).collect::<Vec<_>>();
        Ok(layout::Options::default()
            .strict(self.strict)
            .types(types)
            .scopes([named(&self.scope, true), named(&self.no_scope, false)].concat())
            .rules(match self.rules {
                RulesName::Mlir => Rules::Mlir,
                RulesName::Rfc => Rules::Rfc,
            })
            .vectors(self.vectors))
    }

    fn write(
        &self,
        op: Operation<'_>,
        layout: &DataLayout,
        answers: &[Answer],
        out: &mut Out,
    ) -> Result<(), Problem> {
        writeln!(out, "{}: data layout at {}", printable(&self.input.name()), shown(name(&op)?.as_bytes()))?;
        let scopes = layout.scopes();
        let mut rows = TextTable::new(&[Column::Text("entry"), Column::Text("value"), Column::Text("from")]);
        let mut is_empty = true;
        for row in layout.entries() {
            is_empty = false;
            let from = scopes.get(row.scope).map_or("", |scope| &scope.path);
            let (key, value) = (row.entry.key.to_string(), row.entry.value.to_string());
            rows.add([key, value, from.to_owned()].map(|cell| shown(cell.as_bytes())));
        }
        if is_empty {
            writeln!(out, "no entries: every type has its default")?;
        } else {
            writeln!(out)?;
            rows.write(out)?;
        }
        if let Some(system) = layout.target_system_spec() {
            let columns = [Column::Text("device"), Column::Text("property"), Column::Text("value")];
            let mut rows = TextTable::new(&columns);
            for (device, property, value) in properties(system)? {
                rows.add([device, property, value].map(|cell| shown(cell.as_bytes())));
            }
            writeln!(out)?;
            rows.write(out)?;
        }
        if answers.is_empty() {
            return Ok(());
        }
        let mut rows = TextTable::new(&[
            Column::Text("type"),
            Column::Number("size"),
            Column::Number("bits"),
            Column::Number("ABI alignment"),
            Column::Number("preferred"),
            Column::Number("index bits"),
        ]);
        for answer in answers {
            let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
            let size = |size: Option<TypeSize>| size.map_or("-".to_owned(), |size| size.to_string());
            rows.add([
                shown(answer.text.as_bytes()),
                size(answer.size),
                size(answer.bits),
                number(answer.abi),
                number(answer.preferred),
                number(answer.index),
            ]);
        }
        writeln!(out)?;
        Ok(rows.write(out)?)
    }
}

fn parse(text: &str) -> Result<Type, Problem> {
    Type::parse(text).map_err(|error| {
        Problem::usage(format!("`--type {text}`: {error}"), error.hint().unwrap_or_default())
    })
}

/// The operation and its symbol, or its position.
fn name(op: &Operation<'_>) -> mlirbc::Result<String> {
    Ok(match layout::symbol_of(op)? {
        Some(symbol) => format!("{} @{}", op.name(), lossy_chars(&symbol).collect::<String>()),
        None => op.path(),
    })
}

/// Returns the operation that a symbol path names; a single name may be anywhere in the module.
fn find<'m>(module: &'m Module, symbol: &str) -> Result<Operation<'m>, Problem> {
    let names: Vec<&str> =
        symbol.split("::").map(|name| name.trim_start_matches('@').trim_matches('"')).collect();
    let mut at = module.operation()?;
    let mut remaining = &names[..];
    if let [first, others @ ..] = remaining
        && is_named(&at, first)?
    {
        remaining = others;
    }
    for (place, name) in remaining.iter().enumerate() {
        at = match child(at, name)? {
            Some(found) => found,
            None if names.len() == 1 => return anywhere(module, name),
            None => {
                let message = format!("no operation defines `@{name}` in `@{}`", names[..place].join("::@"));
                return Err(Problem::refused(message, "`mlirbc print` shows which symbols there are"));
            }
        };
    }
    Ok(at)
}

fn is_named(op: &Operation<'_>, name: &str) -> mlirbc::Result<bool> {
    Ok(layout::symbol_of(op)?.as_deref() == Some(name.as_bytes()))
}

fn child<'m>(op: Operation<'m>, name: &str) -> mlirbc::Result<Option<Operation<'m>>> {
    for region in op.regions()? {
        for block in region.blocks() {
            for op in block.operations() {
                if is_named(&op, name)? {
                    return Ok(Some(op));
                }
            }
        }
    }
    Ok(None)
}

fn anywhere<'m>(module: &'m Module, name: &str) -> Result<Operation<'m>, Problem> {
    let mut definition = None;
    for op in module.operation()?.pre_order() {
        let op = op?;
        if is_named(&op, name)? && definition.replace(op).is_some() {
            let message = format!("several operations define `@{name}`");
            return Err(Problem::refused(message, "give the path of one of them, e.g. `@outer::@inner`"));
        }
    }
    let help = "`mlirbc print` shows which symbols there are";
    definition.ok_or_else(|| Problem::refused(format!("no operation defines `@{name}`"), help))
}

/// The distinct types of results and block arguments in an operation, without nested scopes.
fn used(module: &Module, op: Operation<'_>, layout: &DataLayout) -> Result<Vec<Type>, Problem> {
    let (mut seen, mut types) = (HashSet::new(), Vec::new());
    let mut add = |id: TypeId| -> mlirbc::Result<()> {
        if seen.insert(id) {
            types.extend(Type::of_file(module.tables(), id)?);
        }
        Ok(())
    };
    let mut walk = op.pre_order();
    while let Some(inner) = walk.next() {
        let inner = inner?;
        if inner != op && layout.begins_scope(&inner) {
            walk.skip_regions();
            continue;
        }
        inner.results().try_for_each(|value| add(value.r#type()))?;
        for region in inner.regions()? {
            for block in region.blocks() {
                block.arguments().try_for_each(|value| add(value.r#type()))?;
            }
        }
    }
    Ok(types)
}

/// Device, property and value of each property.
fn properties(system: &DltiAttr) -> mlirbc::Result<Vec<(String, String, String)>> {
    let mut rows = Vec::new();
    for device in system.entries() {
        for property in DltiAttr::parse(device.value.to_string())?.entries() {
            rows.push((plain(&device.key), plain(&property.key), property.value.to_string()));
        }
    }
    Ok(rows)
}

/// A name without quotes, or a type unchanged.
fn plain(key: &DltiKey) -> String {
    match key {
        DltiKey::Identifier(name) => lossy_chars(name).collect(),
        key => key.to_string(),
    }
}

/// The answers of the data layout about a type.
struct Answer {
    text: String,
    size: Option<TypeSize>,
    bits: Option<TypeSize>,
    abi: Option<u64>,
    preferred: Option<u64>,
    index: Option<u64>,
    /// The first error, if a value is missing.
    error: Option<mlirbc::Error>,
}

impl Answer {
    fn new(layout: &DataLayout, of: &Type, widest: Option<usize>) -> mlirbc::Result<Self> {
        let mut error = None;
        let mut keep_first = |refused: mlirbc::Error| {
            error.get_or_insert(refused);
        };
        let size = layout.type_size(of).map_err(&mut keep_first).ok();
        let bits = layout.type_size_in_bits(of).map_err(&mut keep_first).ok();
        let abi = layout.type_abi_alignment(of).map_err(&mut keep_first).ok();
        let preferred = layout.type_preferred_alignment(of).map_err(&mut keep_first).ok();
        let index = layout.type_index_bitwidth(of).map_err(&mut keep_first).ok().flatten();
        Ok(Self { text: layout.text_of(of, widest)?, size, bits, abi, preferred, index, error })
    }
}

/// The whole output of `--json`; documented in `docs/reference/cli-output.md`.
#[derive(Serialize)]
struct Record<'l> {
    at: String,
    scopes: Vec<ScopeRecord<'l>>,
    entries: Vec<EntryRecord<'l>>,
    target: Vec<PropertyRecord>,
    types: Vec<TypeRecord<'l>>,
}

#[derive(Serialize)]
struct ScopeRecord<'l> {
    operation: &'l str,
    attribute: &'l str,
    spec: String,
}

#[derive(Serialize)]
struct EntryRecord<'l> {
    key: String,
    is_type: bool,
    value: String,
    from: Option<&'l str>,
}

#[derive(Serialize)]
struct PropertyRecord {
    device: String,
    property: String,
    value: String,
}

#[derive(Serialize)]
struct TypeRecord<'l> {
    r#type: &'l str,
    size: Option<u64>,
    size_in_bits: Option<u64>,
    is_scalable: bool,
    abi_alignment: Option<u64>,
    preferred_alignment: Option<u64>,
    index_bitwidth: Option<u64>,
    error: Option<ErrorRecord<'l>>,
}

impl<'l> Record<'l> {
    fn new(op: Operation<'_>, layout: &'l DataLayout, answers: &'l [Answer]) -> mlirbc::Result<Self> {
        let scopes = layout.scopes();
        let target = layout.target_system_spec().map(properties).transpose()?.unwrap_or_default();
        Ok(Self {
            at: name(&op)?,
            scopes: scopes
                .iter()
                .map(|scope| ScopeRecord {
                    operation: &scope.path,
                    attribute: &scope.attribute,
                    spec: scope.spec.to_string(),
                })
                .collect(),
            entries: layout
                .entries()
                .map(|row| EntryRecord {
                    key: plain(&row.entry.key),
                    is_type: matches!(row.entry.key, DltiKey::Type(_)),
                    value: row.entry.value.to_string(),
                    from: scopes.get(row.scope).map(|scope| &*scope.path),
                })
                .collect(),
            target: target
                .into_iter()
                .map(|(device, property, value)| PropertyRecord { device, property, value })
                .collect(),
            types: answers.iter().map(TypeRecord::from).collect(),
        })
    }
}

impl<'l> From<&'l Answer> for TypeRecord<'l> {
    fn from(answer: &'l Answer) -> Self {
        Self {
            r#type: &answer.text,
            size: answer.size.map(TypeSize::known_min_value),
            size_in_bits: answer.bits.map(TypeSize::known_min_value),
            is_scalable: answer.bits.is_some_and(TypeSize::is_scalable),
            abi_alignment: answer.abi,
            preferred_alignment: answer.preferred,
            index_bitwidth: answer.index,
            error: answer.error.as_ref().map(ErrorRecord::from),
        }
    }
}
