//! `mlirbc resources`: list resources, write one to a file, or replace some.

use std::io::{IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::bytes::{Backend, Source};
use mlirbc::edit::{Editor, ResourceContent};
use mlirbc::file::{Resource, ResourceValue};
use mlirbc::format::resource::{ResourceKind, ResourcePayload};
use mlirbc::limits::Limits;
use mlirbc::tool::is_special_file;
use mlirbc::{Module, WriteOptions};
use serde::Serialize;

use crate::commands::CommandOptions;
use crate::commands::convert::Stdout;
use crate::files::{self, unsaved};
use crate::input::Input;
use crate::modules::{self, Kernels};
use crate::output::{self, Column, Out, TextTable};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::several_files::{self, MoreFiles, Separation};
use crate::target::Target;
use crate::text::{Lossy, is_risky, shown};

const HELP: &str = "\
A blob is written as its bytes, a string as its text, a bool as `true` or `false`. An existing OUT is \
replaced when the output is complete, and unchanged until then. Blobs are not held in memory.

Examples:
  List all resources:
  $ mlirbc resources model.mlirbc

  List the weights of one dialect, for a program:
  $ mlirbc resources model.mlirbc --group builtin --json

  Extract one to a file:
  $ mlirbc resources model.mlirbc --extract layer0.weight -o weight.bin

  Extract one to a pipe:
  $ mlirbc resources model.mlirbc --extract layer0.weight -o - | wc -c

  Replace one; the bytes are copied from file to file:
  $ mlirbc resources model.mlirbc --replace layer0.weight=weight.bin -o model.mlirbc

Exit status:
  0  success
  1  the file does not have the resource, or it needs another size
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

// The bytes of a blob that are in memory at a time.
const PIECE: u64 = 4 << 20;

/// List resources, extract one to a file, or replace some
#[derive(Debug, Args)]
#[command(after_help = HELP, group = clap::ArgGroup::new("job").args(["extract", "replace"]).multiple(true))]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// Write the resource with this key to OUT
    #[arg(long, value_name = "KEY", requires = "output", conflicts_with = "json")]
    extract: Option<String>,

    /// Write the module to OUT, with the contents of FILE in place of the resource; may be repeated
    #[arg(long, value_name = "KEY=FILE", requires = "output", conflicts_with_all = ["json", "extract"])]
    replace: Vec<String>,

    /// Accept a FILE of another size than the types of the resource's users require
    #[arg(long, requires = "replace")]
    resize: bool,

    /// Where to write the output; `-` is standard output
    #[arg(short, long, value_name = "OUT", requires = "job", conflicts_with = "more")]
    output: Option<PathBuf>,

    /// Only resources of this dialect or external group
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,

    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if self.output.is_some() {
            return self.run_on(&self.input, out);
        }
        let texts = Separation::Titled.unless_json(self.json);
        several_files::each(out, (&self.input, &self.more), texts, &|input, out| self.run_on(input, out))
    }
}

impl Options {
    fn run_on(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        if self.output.is_none() {
            return self.list(input, out);
        }
        let module = input.open()?;
        let resources = self.in_group(&module)?;
        if let (false, Some(path)) = (self.replace.is_empty(), &self.output) {
            return self.replaced(&module, &resources, path, out);
        }
        if let (Some(key), Some(path)) = (&self.extract, &self.output) {
            let resource = self.find(key, &resources)?;
            return Extraction { module: &module, resource }.write(path, out);
        }
        Ok(())
    }

    fn list(&self, input: &Input, out: &mut Out) -> Result<(), Problem> {
        let modules = modules::all(input, Kernels::LeftOut)?;
        let mut all = Vec::new();
        for chosen in &modules {
            output::limit_text(out, chosen.module());
            let resources = self.in_group(chosen.module())?;
            let records = resources.into_iter().map(Record::read).collect::<mlirbc::Result<Vec<_>>>()?;
            if self.json {
                all.extend(records.into_iter().map(|record| ModuleRecord { module: chosen.path(), record }));
                continue;
            }
            chosen.write_heading(out)?;
            match records.is_empty() {
                true => writeln!(out, "no resources")?,
                false => table(&records).write(out)?,
            }
        }
        if self.json { Ok(output::list(out, input, "resources", &all)?) } else { Ok(()) }
    }

    fn replaced(
        &self,
        module: &Module,
        resources: &[Resource<'_>],
        path: &Path,
        out: &mut Out,
    ) -> Result<(), Problem> {
        if path.as_os_str() == "-" && std::io::stdout().is_terminal() {
            return Err(Problem::usage("cannot write bytecode to a terminal", "name a file with `-o`"));
        }
        let mut editor = Editor::new(module.clone())?;
        let mut seen = Vec::new();
        for given in &self.replace {
            let (resource, file) = self.split(given, resources)?;
            if seen.contains(&resource.index()) {
                let message = format!("`{}` is replaced twice", shown(resource.key()));
                return Err(Problem::usage(message, "give each resource one file"));
            }
            seen.push(resource.index());
            let content = content(resource, file, &self.input.limits())?;
            if self.resize {
                editor.resize_resource_at(resource.index(), content).map_err(unsaved)?;
            } else {
                editor.set_resource_at(resource.index(), content).map_err(unsaved)?;
            }
        }
        let progress = Progress::new("writing");
        let options = WriteOptions::default().progress(progress.to_core());
        if path.as_os_str() == "-" {
            let mut sink = Stdout { out, problem: None };
            let written = editor.prepare_contained(&options).and_then(|prepared| prepared.write(&mut sink));
            return match sink.problem {
                Some(problem) => Err(Problem::Stdout(problem)),
                None => written.map_err(unsaved),
            };
        }
        crate::signals::remove_unfinished_files();
        editor.save_contained(path, &options).map(drop).map_err(unsaved)
    }

    // A key may contain `=`: the first split whose left side is a key is used.
    fn split<'m, 'g>(
        &self,
        given: &'g str,
        resources: &[Resource<'m>],
    ) -> Result<(Resource<'m>, &'g Path), Problem> {
        let mut first = None;
        for (at, _) in given.match_indices('=') {
            let key = &given[..at];
            let matches = matching(resources.to_vec(), key, Resource::key);
            if !matches.is_empty() {
                return Ok((self.find(key, resources)?, Path::new(&given[at + 1..])));
            }
            first = first.or(Some(key));
        }
        match first {
            Some(key) => Err(self.find(key, resources).map_or_else(|problem| problem, |_| no_file(given))),
            None => Err(no_file(given)),
        }
    }

    fn in_group<'m>(&self, module: &'m Module) -> Result<Vec<Resource<'m>>, Problem> {
        let mut resources: Vec<_> = module.resources()?.collect();
        if let Some(wanted) = &self.group {
            let all = names(resources.iter().map(Resource::group));
            resources = matching(resources, wanted, Resource::group);
            if resources.is_empty() {
                let help = match all.is_empty() {
                    true => "the file has no resources".to_owned(),
                    false => format!("the groups of the file are {}", all.join(", ")),
                };
                return Err(Problem::refused(format!("no resource group `{wanted}`"), help));
            }
        }
        Ok(resources)
    }

    fn find<'m>(&self, key: &str, among: &[Resource<'m>]) -> Result<Resource<'m>, Problem> {
        match matching(among.to_vec(), key, Resource::key)[..] {
            [one] => Ok(one),
            [] => {
                let near = near(key, among);
                let help = match near.is_empty() {
                    true => "run `mlirbc resources FILE` to list the keys".to_owned(),
                    false => format!("did you mean {}?", near.join(" or ")),
                };
                let group =
                    self.group.as_ref().map_or_else(String::new, |group| format!(" in group `{group}`"));
                Err(Problem::refused(format!("no resource `{key}`{group}"), help))
            }
            ref several => {
                let groups = names(several.iter().map(Resource::group));
                let help = match groups.len() {
                    // An external group may have the name of a dialect, too.
                    1 => "`--json` lists their offsets and sizes in the file".to_owned(),
                    _ => format!("choose with `--group`: {}", groups.join(" or ")),
                };
                Err(Problem::refused(format!("{} resources have the key `{key}`", several.len()), help))
            }
        }
    }
}

fn no_file(given: &str) -> Problem {
    Problem::usage(format!("`{given}` is not `KEY=FILE`"), "pass `--replace KEY=FILE`")
}

/// Reads the content of a file as the kind of the resource that it replaces.
fn content(resource: Resource<'_>, file: &Path, limits: &Limits) -> Result<ResourceContent, Problem> {
    Ok(match resource.kind().filter(|_| resource.has_data()) {
        Some(ResourceKind::String) => ResourceContent::String(files::read(file, limits)?.to_vec()),
        Some(ResourceKind::Bool) => match files::read(file, limits)?.trim_ascii() {
            b"true" => ResourceContent::Bool(true),
            b"false" => ResourceContent::Bool(false),
            _ => {
                let message = format!(
                    "`{}` is a bool, but `{}` holds neither `true` nor `false`",
                    shown(resource.key()),
                    file.display()
                );
                return Err(Problem::refused(message, "write `true` or `false` into the file"));
            }
        },
        // A pipe can be read only once, and has no size.
        _ if files::is_stdin(file) || is_special_file(file) => {
            ResourceContent::Blob { bytes: files::read(file, limits)?, alignment: None }
        }
        _ => {
            // The file is read when the output is written.
            Source::open(file, Backend::Read).map_err(Problem::Open)?;
            ResourceContent::File { path: file.to_owned(), range: None, alignment: None }
        }
    })
}

/// Returns the resources whose name has these bytes or, if there are none, whose shown name is this text.
fn matching<'m>(
    resources: Vec<Resource<'m>>,
    wanted: &str,
    name: impl Fn(&Resource<'m>) -> &'m [u8],
) -> Vec<Resource<'m>> {
    let mut exact = resources.clone();
    exact.retain(|resource| name(resource) == wanted.as_bytes());
    if exact.is_empty() {
        exact = resources;
        exact.retain(|resource| {
            let name = name(resource);
            shown(name) == wanted || String::from_utf8_lossy(name) == wanted
        });
    }
    exact
}

/// Returns names for a message, each once, and only the first ones.
fn names<'n>(all: impl Iterator<Item = &'n [u8]>) -> Vec<String> {
    const MOST: usize = 8;
    let mut names: Vec<String> = Vec::new();
    for name in all.map(|name| format!("`{}`", shown(name))) {
        if names.contains(&name) {
            continue;
        }
        if names.len() == MOST {
            names.push("more".to_owned());
            break;
        }
        names.push(name);
    }
    names
}

/// Returns the keys that resemble `key`, most similar first.
fn near(key: &str, among: &[Resource<'_>]) -> Vec<String> {
    // The comparison takes time proportional to the product of the lengths, and long names are not typed by
    // hand.
    const LONGEST: usize = 200;
    const LOOKED_AT: usize = 10_000;
    let short = among.iter().map(Resource::key).filter(|name| name.len() <= LONGEST);
    let mut scored: Vec<_> = short
        .take(if key.len() <= LONGEST { LOOKED_AT } else { 0 })
        .map(|name| (strsim::jaro_winkler(key, &String::from_utf8_lossy(name)), name))
        .filter(|&(score, _)| score > 0.9)
        .collect();
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.dedup_by_key(|&mut (_, name)| name);
    scored.truncate(3);
    names(scored.into_iter().map(|(_, name)| name))
}

/// A resource with the path of its module, if the file has several modules.
#[derive(Serialize)]
struct ModuleRecord<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'m str>,
    #[serde(flatten)]
    record: Record<'m>,
}

/// A resource in the list.
#[derive(Debug, Serialize)]
pub(crate) struct Record<'m> {
    index: usize,
    group: Lossy<'m>,
    is_external: bool,
    key: Lossy<'m>,
    has_data: bool,
    kind: Option<&'static str>,
    size: u64,
    alignment: Option<u64>,
    offset: Option<u64>,
    value: Option<ValueRecord<'m>>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ValueRecord<'m> {
    Bool(bool),
    String(Lossy<'m>),
}

impl<'m> Record<'m> {
    /// Reads the properties of a resource, never the bytes of a blob.
    pub(crate) fn read(resource: Resource<'m>) -> mlirbc::Result<Self> {
        let mut record = Self {
            index: resource.index(),
            group: Lossy(resource.group()),
            is_external: resource.is_external(),
            key: Lossy(resource.key()),
            has_data: resource.has_data(),
            kind: None,
            size: resource.size()?,
            alignment: None,
            offset: None,
            value: None,
        };
        let payload = resource.payload()?;
        if payload.is_some() {
            record.kind = resource.kind().map(|kind| kind.name());
        }
        match payload {
            None => {}
            Some(ResourcePayload::Blob { range, alignment }) => {
                record.alignment = Some(alignment);
                record.offset = Some(range.start);
            }
            Some(ResourcePayload::Bool(value)) => {
                record.value = Some(ValueRecord::Bool(value));
            }
            Some(ResourcePayload::String(_)) => {
                if let Some(ResourceValue::String(text)) = resource.value()? {
                    record.value = Some(ValueRecord::String(Lossy(text)));
                }
            }
        }
        Ok(record)
    }

    fn detail(&self) -> String {
        match (&self.value, self.offset) {
            (Some(ValueRecord::Bool(value)), _) => value.to_string(),
            (Some(ValueRecord::String(text)), _) => format!("\"{}\"", shown(text.0)),
            (None, Some(offset)) => format!("at {offset:#x}"),
            (None, None) => "no data".to_owned(),
        }
    }
}

/// Returns the table for people.
pub(crate) fn table(records: &[Record<'_>]) -> TextTable {
    let mut rows = TextTable::new(&[
        Column::Text("group"),
        Column::Text("key"),
        Column::Text("kind"),
        Column::Number("size"),
        Column::Number("alignment"),
        Column::Text("value"),
    ]);
    for record in records {
        rows.add([
            shown(record.group.0),
            shown(record.key.0),
            record.kind.unwrap_or("-").to_owned(),
            record.size.to_string(),
            record.alignment.map_or(String::new(), |alignment| alignment.to_string()),
            record.detail(),
        ]);
    }
    rows
}

/// A resource that is extracted to a file.
struct Extraction<'m> {
    module: &'m Module,
    resource: Resource<'m>,
}

impl Extraction<'_> {
    fn write(&self, path: &Path, out: &mut Out) -> Result<(), Problem> {
        let text = match self.resource.payload()? {
            Some(ResourcePayload::Blob { range, .. }) => return self.write_blob(range, path, out),
            Some(ResourcePayload::Bool(value)) => value.to_string().into_bytes(),
            Some(ResourcePayload::String(_)) => match self.resource.value()? {
                Some(ResourceValue::String(text)) => text.to_vec(),
                _ => Vec::new(),
            },
            None => {
                let message = format!("resource `{}` has no data", shown(self.resource.key()));
                return Err(Problem::refused(message, "write the file again without eliding resources"));
            }
        };
        let is_text = str::from_utf8(&text).is_ok_and(|text| !text.contains(is_risky));
        self.refuse_terminal(path, is_text)?;
        let mut target = Target::open(path, out)?;
        target.write(&text)?;
        target.finish()
    }

    fn write_blob(&self, range: Range<u64>, path: &Path, out: &mut Out) -> Result<(), Problem> {
        self.refuse_terminal(path, false)?;
        let source = self.module.source();
        let progress = Progress::new("writing");
        let mut target = Target::open(path, out)?;
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start + PIECE);
            let piece = source.get(start..end)?;
            let written = target.write(&piece);
            // A file that was truncated meanwhile explains a failed write, and turns success into failure.
            source.check()?;
            written?;
            progress.update(end - range.start, range.end - range.start);
            start = end;
        }
        target.finish()
    }

    fn refuse_terminal(&self, path: &Path, is_text: bool) -> Result<(), Problem> {
        if path.as_os_str() == "-" && output::is_terminal() && !is_text {
            let help = "name a file with `-o`, or send it through a pipe";
            return Err(Problem::usage("cannot write binary data to a terminal", help));
        }
        Ok(())
    }
}
