//! `mlirbc merge`: several modules as one.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use mlirbc::Error;
use mlirbc::limits::Limits;
use mlirbc::tool::symbols::{MergeOptions, Renamed, merge, prepare};
use serde::{Deserialize, Serialize};

use super::convert::write_prepared;
use super::split::MANIFEST;
use crate::commands::CommandOptions;
use crate::files;
use crate::input::{Input, Inputs};
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::text::{count, note, shown};

const HELP: &str = "\
The output has the operations of all files in their order, with the bytecode version and the release of the first one; \
other files are translated. Their top-level operations must have equal attributes, except for the name.

Symbols that are equal, with everything that they refer to, are there once. A declaration refers to the definition in \
another file. Other private symbols with one name get new names (`name_0`), and references follow; public ones are an \
error without --rename. Resources with one key and other data get new keys, too.

A folder that `mlirbc split` wrote stands for its files: the output is the module that was split.

With --json the object has the number operations, the lists renamed and resources (file, name, new), and the lists \
shared and linked of symbols.

Examples:
  Two modules as one:
  $ mlirbc merge encoder.mlirbc decoder.mlirbc -o model.mlirbc

  What was split:
  $ mlirbc merge parts -o model.mlirbc

Exit status:
  0  the output was written
  1  the files do not fit together, or the output cannot be written
  2  the command line is invalid
  3  a file is malformed or cannot be read";

/// Write several modules as one, with renamed clashes
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// More files
    #[arg(value_name = "MORE")]
    more: Vec<PathBuf>,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Rename public symbols as well if several files have different ones with one name
    #[arg(long)]
    rename: bool,

    /// Report what was written as JSON
    #[arg(long)]
    json: bool,

    #[arg(skip)]
    pub(crate) inputs: Inputs,
}

#[derive(Serialize)]
struct Report<'r> {
    operations: u64,
    renamed: Vec<RenamedRow<'r>>,
    resources: Vec<RenamedRow<'r>>,
    shared: &'r [String],
    linked: &'r [String],
}

#[derive(Serialize)]
struct RenamedRow<'r> {
    file: &'r str,
    name: &'r str,
    new: &'r str,
}

/// The fields of the manifest of `mlirbc split` that are used.
#[derive(Deserialize)]
struct Manifest {
    parts: Vec<ManifestPart>,
}

#[derive(Deserialize)]
struct ManifestPart {
    file: String,
    operations: Vec<usize>,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(self.inputs.last().unwrap_or(&self.input))
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        refuse_two_outputs(self.json, &self.output)?;
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut options = MergeOptions::default().rename(self.rename);
        let folder = self.input.path();
        if self.more.is_empty() && std::fs::symlink_metadata(folder.join(MANIFEST)).is_ok() {
            let manifest = manifest(folder, &self.input.limits())?;
            options.order = Some(manifest.order());
            paths.extend(manifest.parts.iter().map(|part| folder.join(&part.file)));
        } else {
            paths.push(folder.to_owned());
            paths.extend(self.more.iter().cloned());
        }
        let mut modules = Vec::with_capacity(paths.len());
        for path in &paths {
            let input = self.inputs.begin(self.input.with_path(path));
            modules.push(input.open()?);
            options.names.push(input.name());
        }
        let names = options.names.clone();
        let mut merged = merge(&modules, &options)?;
        let prepared = prepare(&mut merged.editor, &Progress::new("writing").to_core())?;
        write_prepared(prepared, &self.output, out)?;
        if self.json {
            let report = Report {
                operations: merged.operations,
                renamed: rows(&names, &merged.renamed),
                resources: rows(&names, &merged.resources),
                shared: &merged.shared,
                linked: &merged.linked,
            };
            return Ok(output::json_line(out, &report)?);
        }
        note(&format!("{} of {}", count(merged.operations, "operation"), count(paths.len() as u64, "file")));
        for (what, sigil, list) in [("symbol", "@", &merged.renamed), ("resource", "", &merged.resources)] {
            note_renamed(what, sigil, &names, list);
        }
        Ok(())
    }
}

fn rows<'r>(names: &'r [String], list: &'r [Renamed]) -> Vec<RenamedRow<'r>> {
    let file = |module: usize| names.get(module).map_or("", String::as_str);
    list.iter().map(|row| RenamedRow { file: file(row.module), name: &row.name, new: &row.new }).collect()
}

fn note_renamed(what: &str, sigil: &str, names: &[String], list: &[Renamed]) {
    const MOST: usize = 5;
    for row in rows(names, list).iter().take(MOST) {
        let [file, name, new] = [row.file, row.name, row.new].map(|text| shown(text.as_bytes()));
        note(&format!("{what} `{sigil}{name}` of {file} is now `{sigil}{new}`"));
    }
    if list.len() > MOST {
        note(&format!("{} more {what}s have other names", list.len() - MOST));
    }
}

impl Manifest {
    /// Whether each operation of the module that was split is in one part.
    fn check_operations(&self) -> Result<(), String> {
        let count = self.parts.iter().map(|part| part.operations.len()).sum();
        let mut is_there = vec![false; count];
        for &number in self.parts.iter().flat_map(|part| &part.operations) {
            match is_there.get_mut(number) {
                Some(is_there) if !*is_there => *is_there = true,
                Some(_) => return Err(format!("operation `{number}` is in it twice")),
                None => return Err(format!("it has operation `{number}` of {count}")),
            }
        }
        Ok(())
    }

    /// The operations of all parts in the order of the module that was split.
    fn order(&self) -> Vec<(usize, usize)> {
        mlirbc::tool::symbols::order_of(self.parts.iter().map(|part| part.operations.as_slice()))
    }
}

/// A manifest is a list of names and numbers; a longer one is not from `mlirbc split`.
const LONGEST_MANIFEST: u64 = 256 << 20;

/// Returns the metadata of a regular file in a folder that `mlirbc split` wrote; such a folder has no links.
fn regular(path: &Path) -> Result<Metadata, Problem> {
    let metadata = std::fs::symlink_metadata(path);
    let unreadable = |error| Problem::Open(Error::io(format!("cannot read `{}`", path.display()), error));
    let metadata = metadata.map_err(unreadable)?;
    if !metadata.is_file() {
        let message = format!("`{}` is not a regular file", path.display());
        return Err(Problem::refused(message, "name the files instead of the folder"));
    }
    Ok(metadata)
}

fn manifest(folder: &Path, limits: &Limits) -> Result<Manifest, Problem> {
    let path = folder.join(MANIFEST);
    let refused = |why: String| {
        let message = format!("`{}` is not a manifest of `mlirbc split`: {why}", path.display());
        Problem::refused(message, "name the files instead of the folder")
    };
    let size = regular(&path)?.len();
    if size > LONGEST_MANIFEST {
        return Err(refused(format!("it has {size} bytes, more than {LONGEST_MANIFEST}")));
    }
    let text = files::read_text(&path, limits)?;
    let manifest: Manifest = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
    let mut names = HashSet::new();
    for part in &manifest.parts {
        // Only regular files directly in the folder are accepted: a link may lead to any file, and a pipe may
        // block for ever.
        let parts: Vec<Component<'_>> = Path::new(&part.file).components().collect();
        if !matches!(parts[..], [Component::Normal(_)]) {
            return Err(refused(format!("`{}` is not the name of a file", part.file)));
        }
        if !names.insert(&part.file) {
            return Err(refused(format!("it has `{}` twice", part.file)));
        }
        regular(&folder.join(&part.file))?;
    }
    manifest.check_operations().map_err(refused)?;
    Ok(manifest)
}

/// A report and a module cannot both go to standard output.
pub(super) fn refuse_two_outputs(is_json: bool, output: &Path) -> Result<(), Problem> {
    if is_json && output.as_os_str() == "-" {
        let help = "name a file with `-o`, or leave out `--json`";
        return Err(Problem::usage(
            "the module and the report cannot both be written to standard output",
            help,
        ));
    }
    Ok(())
}
