//! `mlirbc weights`: moves the weights of a module to files and back.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use mlirbc::edit::Editor;
use mlirbc::tool::{ImportReport, Moved, Weight, Weights, externalize_parameters};
use mlirbc::write::Numbering;
use mlirbc::{Error, ErrorKind, WriteOptions};
use wildmatch::WildMatch;

use super::weights_list::List;
use super::weights_rewrite::{Cast, Freeze, Hoist, Quantize};
use crate::commands::CommandOptions;
use crate::commands::convert::Stdout;
use crate::input::Input;
use crate::modules;
use crate::names;
use crate::output::Out;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::several_files::{self, MoreFiles, Separation};
use crate::sizes;
use crate::text::{count, note, shown};

const HELP: &str = "\
Lists constants and resources of all modules that hold data, with the type of their elements, their shape, their size and how often \
operations refer to them. Blobs are not read, except by --stats.

The name of a resource is its key. The name of a constant is that of its location or, without one, its symbol or the \
symbol around it and a number. Names are the same in every run and in all commands. GLOB may have `*` and `?`.

A splat has one element for all places. It is listed, but not exported.

Examples:
  List the weights of 1 MiB and more:
  $ mlirbc weights model.mlirbc --min-size 1M

  Find the layers with the largest ones:
  $ mlirbc weights model.jax --by layer --sort size --top 10

  Look at their numbers:
  $ mlirbc weights model.mlirbc --stats

  Write them to a file that NumPy, PyTorch and JAX read:
  $ mlirbc weights export model.mlirbc -o model.safetensors

  Put changed ones back:
  $ mlirbc weights import model.mlirbc model.safetensors -o new.mlirbc

  Make arguments constants, and constants arguments:
  $ mlirbc weights freeze model.jax --values params.npz -o frozen.jax
  $ mlirbc weights hoist frozen.jax --to params.npz -o model.jax

  Store them in a smaller type:
  $ mlirbc weights cast model.jax --to bf16 -o small.jax
  $ mlirbc weights quantize model.jax --to int8 --per-channel auto -o small.jax

  Leave large constants out of the module:
  $ mlirbc weights externalize model.mlirbc --to model.safetensors -o small.mlirbc

  Make it whole again:
  $ mlirbc weights inline small.mlirbc --from model.safetensors -o whole.mlirbc

Exit status:
  0  success
  1  the output cannot be written, or names, dtypes or shapes do not match
  2  the command line is invalid
  3  the file is malformed or cannot be read";

/// The exit statuses in the help of each nested command.
pub(super) const EXIT_STATUS: &str = "\
Exit status:
  0  the output was written
  1  names, dtypes or shapes do not match, or the output cannot represent everything
  2  the command line is invalid
  3  a file is malformed, or cannot be read or written";

/// List weights, move them to files and back, make them arguments or constants, and store them in smaller types
#[derive(Debug, Args)]
#[command(after_help = HELP, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Options {
    #[command(flatten)]
    input: OptionalInput,

    #[command(flatten)]
    more: MoreFiles,

    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    list: List,
}

/// The input of the list, which is not required before a subcommand.
#[derive(Debug)]
struct OptionalInput(Option<Input>);

impl FromArgMatches for OptionalInput {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_there = matches.contains_id("path");
        Ok(Self(if is_there { Some(Input::from_arg_matches(matches)?) } else { None }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OptionalInput {
    fn augment_args(command: clap::Command) -> clap::Command {
        Input::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Input::augment_args_for_update(command)
    }
}

/// The filter of weights.
#[derive(Debug, Default, Args)]
pub(super) struct Choice {
    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Only weights of such a layer, e.g. `*/Dense_0`; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    pub(super) layer: Vec<WildMatch>,

    /// Only weights of this size and more
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes)]
    min_size: Option<u64>,
}

impl Choice {
    pub(super) fn accepts(&self, weight: &Weight) -> bool {
        let is_in_layer =
            self.layer.is_empty() || self.layer.iter().any(|pattern| pattern.matches(&weight.layer));
        is_in_layer && self.has(&weight.name, weight.size)
    }

    pub(super) fn has(&self, name: &str, size: u64) -> bool {
        let is_named = self.name.is_empty() || self.name.iter().any(|pattern| pattern.matches(name));
        is_named && size >= self.min_size.unwrap_or(0)
    }
}

#[derive(Debug, Subcommand)]
enum Action {
    Export(Export),
    Import(Import),
    Externalize(Externalize),
    Inline(Inline),
    Freeze(Freeze),
    Hoist(Hoist),
    Cast(Cast),
    Quantize(Quantize),
}

/// Write weights to a safetensors file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Export {
    #[command(flatten)]
    input: Input,

    /// The safetensors file to write
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    #[command(flatten)]
    choice: Choice,
}

/// Put the tensors of a safetensors file into the weights with their names
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Import {
    #[command(flatten)]
    input: Input,

    /// The safetensors file to read
    #[arg(value_name = "SAFETENSORS")]
    from: PathBuf,

    /// Where to write the module; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Keep the data of weights that the file does not have
    #[arg(long)]
    allow_missing: bool,

    /// Ignore tensors that the module does not have
    #[arg(long)]
    allow_extra: bool,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
}

/// Turn large constants into resources, or move the data of both to a safetensors file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Externalize {
    #[command(flatten)]
    input: Input,

    /// Where to write the module; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Only weights of this size and more
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, default_value = "1M")]
    min_size: u64,

    /// Write their data to this file, so that the module has only keys, or names of parameters
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,

    /// The format of the file of `--to`: with `irpa`, the program is one of StableHLO that IREE compiles
    #[arg(long, value_enum, default_value_t = ExternalFormat::Safetensors, value_name = "FORMAT")]
    format: ExternalFormat,

    /// With `--format irpa`: the scope of the parameters, which IREE's `--parameters=SCOPE=FILE` names
    #[arg(long, default_value = "model", value_name = "SCOPE")]
    scope: String,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExternalFormat {
    /// A safetensors file
    Safetensors,
    /// An IREE parameter archive
    Irpa,
}

/// Turn resources into constants, with their data from the module or a safetensors file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
struct Inline {
    #[command(flatten)]
    input: Input,

    /// Where to write the module; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The safetensors file of `externalize --to`; what was a resource then becomes one again
    #[arg(long, value_name = "SAFETENSORS")]
    from: Option<PathBuf>,

    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        match &self.action {
            Some(Action::Export(options)) => Some(&options.input),
            Some(Action::Import(options)) => Some(&options.input),
            Some(Action::Externalize(options)) => Some(&options.input),
            Some(Action::Inline(options)) => Some(&options.input),
            Some(Action::Freeze(options)) => Some(&options.input),
            Some(Action::Hoist(options)) => Some(&options.input),
            Some(Action::Cast(options)) => Some(&options.input),
            Some(Action::Quantize(options)) => Some(&options.input),
            None => self.input.0.as_ref(),
        }
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        match (&self.action, &self.input.0) {
            (Some(Action::Export(options)), _) => options.run(),
            (Some(Action::Import(options)), _) => options.run(out),
            (Some(Action::Externalize(options)), _) => options.run(out),
            (Some(Action::Inline(options)), _) => options.run(out),
            (Some(Action::Freeze(options)), _) => options.run(out),
            (Some(Action::Hoist(options)), _) => options.run(out),
            (Some(Action::Cast(options)), _) => options.run(out),
            (Some(Action::Quantize(options)), _) => options.run(out),
            (None, Some(input)) => {
                let texts = Separation::Titled.unless_json(self.list.json);
                several_files::each(out, (input, &self.more), texts, &|input, out| self.list.run(input, out))
            }
            (None, None) => Err(Problem::Usage {
                message: "no file is given".to_owned(),
                help: "name a FILE, or a command such as export or freeze".to_owned(),
            }),
        }
    }
}

impl Export {
    fn run(&self) -> Result<(), Problem> {
        let module = self.input.open()?;
        let weights = Weights::of(&module)?;
        crate::signals::remove_unfinished_files();
        let progress = Progress::new("writing").to_core();
        let choose = |weight: &Weight| self.choice.accepts(weight);
        let report = weights.export(&self.output, &choose, &progress).map_err(refused)?;
        note(&format!("{}, {}", count(report.tensors, "tensor"), count(report.size, "byte")));
        modules::note_others(&self.input, &module);
        Ok(())
    }
}

impl Import {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        modules::note_others(&self.input, &module);
        let weights = Weights::of(&module)?;
        let imported = weights.import(&self.from, self.allow_missing, self.allow_extra);
        let (editor, report) = imported.map_err(refused)?;
        save(editor, (&self.output, self.bare), Numbering::Preserve, out)?;
        let ImportReport { replaced, missing, extra } = report;
        let mut line = format!("{} replaced", count(replaced, "weight"));
        for (names, what) in [(missing, "not in the file"), (extra, "not in the module")] {
            if !names.is_empty() {
                line.push_str(&format!(", {} {what}", names.len()));
            }
        }
        note(&line);
        Ok(())
    }
}

impl Externalize {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        modules::note_others(&self.input, &module);
        let weights = Weights::of(&module)?;
        let choice = Choice { name: self.name.clone(), ..Choice::default() };
        let progress = Progress::new("writing").to_core();
        crate::signals::remove_unfinished_files();
        let choose = |weight: &Weight| choice.accepts(weight);
        if self.format == ExternalFormat::Irpa {
            let Some(to) = &self.to else {
                return Err(Problem::usage("no archive is named", "name it with `--to model.irpa`"));
            };
            let moved =
                externalize_parameters(&module, (self.min_size, &choose), (to, &self.scope), &progress);
            let (editor, moved) = moved.map_err(refused)?;
            // Resources whose data is in the archive have no users.
            save(editor, (&self.output, true), Numbering::Strictest, out)?;
            tell(&moved);
            return Ok(());
        }
        let (editor, moved) =
            weights.externalize(self.min_size, &choose, self.to.as_deref(), &progress).map_err(refused)?;
        save(editor, (&self.output, self.bare), Numbering::Preserve, out)?;
        tell(&moved);
        Ok(())
    }
}

impl Inline {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        modules::note_others(&self.input, &module);
        let weights = Weights::of(&module)?;
        let choice = Choice { name: self.name.clone(), ..Choice::default() };
        let choose = |weight: &Weight| choice.accepts(weight);
        let inlined = weights.inline(&choose, self.from.as_deref());
        let (editor, moved) = inlined.map_err(refused)?;
        // Only MLIR's numbering omits keys without references.
        save(editor, (&self.output, self.bare), Numbering::Strictest, out)?;
        tell(&moved);
        Ok(())
    }
}

/// Writes an edited module, in its original container unless it is `bare`.
fn save(
    mut editor: Editor,
    (path, bare): (&Path, bool),
    numbering: Numbering,
    out: &mut Out,
) -> Result<(), Problem> {
    let progress = Progress::new("writing").to_core();
    let options = WriteOptions::default().numbering(numbering).progress(progress);
    if path.as_os_str() != "-" {
        crate::signals::remove_unfinished_files();
        let saved = if bare { editor.save(path, &options) } else { editor.save_contained(path, &options) };
        return saved.map(drop).map_err(refused);
    }
    if std::io::stdout().is_terminal() {
        return Err(Problem::refused("cannot write bytecode to a terminal", "name a file with `-o`"));
    }
    let mut sink = Stdout { out, problem: None };
    let written = match bare {
        true => editor.write(&mut sink, &options).map(drop),
        false => editor.prepare_contained(&options).and_then(|prepared| prepared.write(&mut sink)),
    };
    match sink.problem {
        Some(problem) => Err(Problem::Stdout(problem)),
        None => written.map_err(refused),
    }
}

fn tell(moved: &Moved) {
    const MOST: usize = 5;
    note(&format!("{} moved, {}", count(moved.moved, "weight"), count(moved.size, "byte")));
    for (name, why) in moved.kept.iter().take(MOST) {
        note(&format!("`{}` stays: {why}", shown(name.as_bytes())));
    }
    if moved.kept.len() > MOST {
        note(&format!("{} more stay", moved.kept.len() - MOST));
    }
}

// Errors of names, other files and the output are not errors of the module.
pub(super) fn refused(error: Error) -> Problem {
    match error.kind() {
        ErrorKind::Io | ErrorKind::Unsupported | ErrorKind::Weights | ErrorKind::Safetensors | ErrorKind::MemoryLimit => {
            Problem::Request(error)
        }
        _ => Problem::File(error),
    }
}
