//! `mlirbc assemble`: the text of a module as bytecode.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use mlirbc::bytes::Source;
use mlirbc::error::TextPlace;
use mlirbc::file::FileTables;
use mlirbc::limits::Limits;
use mlirbc::ops::OperationDefinitions;
use mlirbc::parse::{ParseOptions, TargetFinder, TextRelease, prepare, split};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::PreparedWrite;
use mlirbc::{Error, Module, ReadOptions, Release};

use crate::commands::CommandOptions;
use crate::files;
use crate::output::Out;
use crate::packs;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::sizes;
use crate::target::{Target, Writer};
use crate::text::note;

const HELP: &str = "\
Writes what `mlir-opt FILE --emit-bytecode` of the release writes. Operations in custom form need a definition in the \
release. Those in generic form may be of any dialect; operations that the release has need their attributes.

Without `--target`, a text is for LLVM 22. If that does not have an operation in custom form, the text is for the newest \
release that has all of them: of LLVM, or else of JAX (StableHLO, Shardy), or else of IREE. A note says which was chosen.

With `--verify`, operations are checked with their definitions, as `mlirbc verify --ops` does, and errors name their \
lines; nothing is written then. MLIR's own verifier checks more, which is code.

Examples:
  Assemble a text for the newest release:
  $ mlirbc assemble model.mlir -o model.mlirbc

  Assemble StableHLO; the release of JAX is found:
  $ mlirbc assemble model.stablehlo.mlir -o model.mlirbc

  Assemble it for MLIR 19, in an older version of the format:
  $ mlirbc assemble model.mlir --target llvm-19 --bytecode-version 4 -o model.mlirbc

  Edit the text of a file, and assemble it for the release that wrote the file:
  $ mlirbc print model.mlirbc -o model.mlir
  $ mlirbc assemble model.mlir --like model.mlirbc -o changed.mlirbc

Exit status:
  0  the output was written
  2  the command line is invalid
  3  the text is invalid, or a file cannot be read or written";

/// Write the text of a module as bytecode
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The text; `-` reads standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// The release whose syntax the text has, and which reads the output, e.g. `llvm-19` [default: llvm-22, or if it does not have an operation of the text, the newest release that does]
    #[arg(long, aliases = ["release", "for"], value_name = "NAME")]
    target: Option<String>,

    /// Take the release, and the bytecode version unless one is given, from this bytecode file, for example to assemble its text after an edit
    #[arg(long, value_name = "FILE", conflicts_with = "target")]
    like: Option<PathBuf>,

    /// The bytecode version to write, 0 to 6 [default: the newest one of the release]
    #[arg(long, value_name = "N", value_parser = super::convert::version)]
    bytecode_version: Option<BytecodeVersion>,

    /// A pack (`mlirbc pack`) with dialects of the text, or a folder of packs; may be repeated. Without `--target` and `--like`, the text is for the release of the last pack
    #[arg(long, value_name = "FILE")]
    dialects: Vec<PathBuf>,

    /// Assemble the parts between marks `// -----` one by one, and write them with such a line between them
    #[arg(long)]
    split: bool,

    /// Check operations with their definitions before the output is written
    #[arg(long)]
    verify: bool,

    /// Limit on the nesting of regions, attributes and types [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "Reading")]
    max_depth: Option<u32>,

    /// Limit on the memory for parsing [default: 256 bytes for each byte of the text plus 16 MiB]
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, help_heading = "Reading")]
    max_memory: Option<u64>,
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        files::name(&self.path)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if self.output.as_os_str() == "-" && std::io::stdout().is_terminal() {
            return Err(Problem::usage("cannot write bytecode to a terminal", "name a file with `-o`"));
        }
        let mut limits = Limits::default().max_memory(self.max_memory);
        limits.max_depth = self.max_depth.unwrap_or(limits.max_depth);
        let dialects = packs::load_dialects(&self.dialects, &limits)?;
        let text = files::map(&self.path, &limits)?;
        let (target, version, like) = self.target_and_version(&limits)?;
        let progress = Progress::new("assembling");
        let options = ParseOptions::default()
            .target(Release::named(target))
            .finder((self.target.is_none() && self.like.is_none()).then(TargetFinder::default))
            .version(version)
            .like(like)
            .dialects(dialects)
            .file(self.path.display().to_string())
            .limits(limits)
            .progress(progress.to_core());
        let output = match self.split {
            true => parts(&text, &options, self.verify).map(AssembledOutput::Parts),
            false => module(text.clone(), &options, self.verify).map(AssembledOutput::Module),
        };
        if let Some(found) = options.finder.as_ref().and_then(TargetFinder::found) {
            let (name, reason) = (found.name, found.reason(options.target.as_str()));
            note(&format!("the text is for {name}, because {reason}; `--target` chooses another release"));
        }
        let output = output.map_err(|problem| self.with_lines(problem, &text))?;
        let mut target = Target::open(&self.output, out)?;
        match output {
            AssembledOutput::Parts(bytes) => target.write(&bytes)?,
            AssembledOutput::Module(prepared) => {
                let mut writer = Writer::new(&mut target);
                let written = prepared.write(&mut writer);
                writer.done(written)?;
            }
        }
        drop(progress);
        target.finish()
    }
}

impl Options {
    /// The release to assemble for, the bytecode version unless it is the newest one of the release, and the
    /// file whose layouts the module uses.
    fn target_and_version(
        &self,
        limits: &Limits,
    ) -> Result<(String, Option<BytecodeVersion>, Option<FileTables>), Problem> {
        let Some(path) = &self.like else {
            let of_pack = || OperationDefinitions::of_packs().next().filter(|_| !self.dialects.is_empty());
            let default =
                || of_pack().map_or_else(|| Release::default().to_string(), |pack| pack.release().to_owned());
            let target = self.target.clone().unwrap_or_else(default);
            return Ok((target, self.bytecode_version, None));
        };
        let file_problem = |error| Problem::Other { file: files::name(path), error };
        let read = ReadOptions::default().limits(limits.clone());
        let module = Module::from_source(files::map(path, limits)?, &read).map_err(file_problem)?;
        let Some(name) = module.release().map_err(file_problem)?.nearest() else {
            let message = format!("the release that wrote `{}` is unknown", path.display());
            return Err(Problem::usage(message, "name a release with `--target`"));
        };
        let version = self.bytecode_version.or(Some(module.tables().bytecode().version()));
        Ok((name.to_owned(), version, Some(module.tables().clone())))
    }

    // Adds the line to errors of an assembled module, which know only their position in the text.
    fn with_lines(&self, problem: Problem, text: &Source) -> Problem {
        let is_open = |error: &Error| error.text_place().is_some_and(|place| place.text.is_empty());
        let name = self.path.display().to_string();
        let fill = |error: Error, text: &[u8]| match error.text_place() {
            Some(place) if place.text.is_empty() && place.file == name => {
                let place = with_line(place.clone(), text);
                error.in_text(place)
            }
            _ => error,
        };
        match problem {
            Problem::File(error) if is_open(&error) => match text.get(0..text.len()) {
                Ok(text) => Problem::File(fill(error, &text)),
                Err(_) => Problem::File(error),
            },
            Problem::Texts(errors) if errors.iter().any(is_open) => match text.get(0..text.len()) {
                Ok(text) => Problem::Texts(errors.into_iter().map(|error| fill(error, &text)).collect()),
                Err(_) => Problem::Texts(errors),
            },
            other => other,
        }
    }
}

fn with_line(place: TextPlace, text: &[u8]) -> TextPlace {
    let index = usize::try_from(place.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = text.split(|byte| *byte == b'\n').nth(index).unwrap_or_default();
    place.with_line(line.strip_suffix(b"\r").unwrap_or(line))
}

/// The output of the command.
enum AssembledOutput {
    Module(PreparedWrite),
    Parts(Vec<u8>),
}

/// Assembles the module of a text, and checks its operations if `verify` is set.
fn module(text: Source, options: &ParseOptions, verify: bool) -> Result<PreparedWrite, Problem> {
    let prepared = prepare(text, options)?;
    if verify {
        let mut bytes = Vec::with_capacity(prepared.len() as usize);
        prepared.write(&mut bytes)?;
        match options.finder.as_ref().and_then(TargetFinder::found) {
            Some(found) => check(bytes, &options.clone().target(Release::named(found.name)))?,
            None => check(bytes, options)?,
        }
    }
    Ok(prepared)
}

/// Checks the operations of an assembled module.
fn check(bytes: Vec<u8>, options: &ParseOptions) -> Result<(), Problem> {
    let read = ReadOptions::default().release(options.target.clone()).limits(options.limits.clone());
    let checks = Module::from_source(bytes.into(), &read)?.verify_operations()?;
    // The location of an operation may differ from its place in the text.
    if let Some(error) = checks.errors().iter().find(|error| error.text_place().is_none()) {
        return Err(error.clone().into());
    }
    match checks.errors() {
        [] => Ok(()),
        errors => Err(Problem::Texts(errors.to_vec())),
    }
}

/// Assembles each part of a text, and joins the bytecode with the same marker lines. All parts are for one
/// release.
fn parts(source: &Source, options: &ParseOptions, verify: bool) -> Result<Vec<u8>, Problem> {
    let assembled = parts_for_target(source, options, verify);
    let Some(finder) = options.finder.as_ref().filter(|finder| finder.found().is_some()) else {
        return assembled;
    };
    let text = source.get(0..source.len())?;
    let Some(found) = TextRelease::of(&text, options.target.as_str()) else { return assembled };
    let all = options.clone().target(Release::named(found.name)).finder(None);
    finder.keep(found);
    parts_for_target(source, &all, verify)
}

fn parts_for_target(source: &Source, options: &ParseOptions, verify: bool) -> Result<Vec<u8>, Problem> {
    let text = source.get(0..source.len())?;
    let mut written = Vec::new();
    let mut errors = Vec::new();
    for (place, (part, options)) in split(&text, options).iter().enumerate() {
        if place > 0 {
            written.extend_from_slice(b"// -----\n");
        }
        match module(text.slice_ref(part).into(), options, verify) {
            Ok(prepared) => drop(prepared.write(&mut written)?),
            Err(Problem::File(error)) if error.text_place().is_some() => errors.push(error),
            Err(Problem::Texts(several)) => errors.extend(several),
            Err(problem) => return Err(problem),
        }
    }
    source.check()?;
    if errors.is_empty() { Ok(written) } else { Err(Problem::Texts(errors)) }
}
