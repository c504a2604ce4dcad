//! `mlirbc assemble`: the text of a module as bytecode.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::artifact::default_target;
use mlirbc::bytes::Source;
use mlirbc::file::FileTables;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, TargetFinder, TextRelease, prepare, split};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::PreparedWrite;
use mlirbc::{Module, ReadOptions, Release};

use crate::commands::CommandOptions;
use crate::files;
use crate::input::with_line_of;
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

Several texts become files in the folder `-o`, with the ending `.mlirbc`. With `--split`, the parts between marks `// -----` \
become files in that folder: `NAME.0.mlirbc`, `NAME.1.mlirbc` and so on. Nothing reads parts in one file, because readers \
of bytecode do not look for marks.

With `--verify`, operations are checked with their definitions, as `mlirbc verify --ops` does, and errors name their \
lines; nothing is written then. MLIR's own verifier checks more, which is code.

Examples:
  Assemble a text for the newest release:
  $ mlirbc assemble model.mlir -o model.mlirbc

  Assemble StableHLO; the release of JAX is found:
  $ mlirbc assemble model.stablehlo.mlir -o model.mlirbc

  Assemble what another program prints, for a third one:
  $ mlir-opt-22 --canonicalize model.mlir | mlirbc assemble | mlirbc info -

  Assemble each part of a test of MLIR into a folder:
  $ mlirbc assemble test.mlir --split -o parts

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
    /// The texts; `-` reads standard input, as no text does
    #[arg(value_name = "FILE")]
    paths: Vec<PathBuf>,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output. For several texts and for parts, the folder in which they become files
    #[arg(short, long, value_name = "OUT", default_value = "-", hide_default_value = true)]
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

    /// Assemble the parts between marks `// -----` one by one, each into a file in the folder `-o`
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
        self.paths.first().map_or_else(|| files::name(Path::new("-")), |path| files::name(path))
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let is_into_folder = self.is_into_folder();
        self.refuse_terminals(is_into_folder)?;
        let mut limits = Limits::default().max_memory(self.max_memory);
        limits.max_depth = self.max_depth.unwrap_or(limits.max_depth);
        let dialects = packs::load_dialects(&self.dialects, &limits)?;
        let (target, version, like) = self.target_and_version(&limits)?;
        let options = ParseOptions::default()
            .target(target)
            .version(version)
            .like(like)
            .dialects(dialects)
            .limits(limits);
        match is_into_folder {
            true => self.assemble_into_folder(&options, out),
            false => {
                let stdin = PathBuf::from("-");
                let path = self.paths.first().unwrap_or(&stdin);
                self.assemble(path, &self.output, &options, out)
            }
        }
    }
}

impl Options {
    fn is_into_folder(&self) -> bool {
        self.split || self.paths.len() > 1 || self.output.as_os_str().as_encoded_bytes().ends_with(b"/")
    }

    fn refuse_terminals(&self, is_into_folder: bool) -> Result<(), Problem> {
        let is_stdout = files::is_stdin(&self.output);
        if is_into_folder && is_stdout {
            let message = "several modules cannot be written to standard output";
            return Err(Problem::usage(message, "name a folder with `-o`"));
        }
        if is_stdout && std::io::stdout().is_terminal() {
            return Err(Problem::usage("cannot write bytecode to a terminal", "name a file with `-o`"));
        }
        if self.paths.is_empty() && std::io::stdin().is_terminal() {
            return Err(Problem::usage("no text is given", "name a file, or `-` to type the text"));
        }
        Ok(())
    }

    /// Assembles each text into the folder. Texts with errors are reported, and do not hide the others.
    fn assemble_into_folder(&self, options: &ParseOptions, out: &mut Out) -> Result<(), Problem> {
        let stems = self.stems()?;
        files::create_folder(&self.output)?;
        let mut status = 0;
        for (path, stem) in stems {
            if let Err(problem) = self.assemble(path, &self.output.join(stem), options, out) {
                problem.report(out, &files::name(path), None);
                status = status.max(problem.exit_status());
            }
        }
        if status == 0 { Ok(()) } else { Err(Problem::Reported(status)) }
    }

    /// The texts with their names in the folder, without an ending.
    fn stems(&self) -> Result<Vec<(&Path, String)>, Problem> {
        let mut stems: Vec<(&Path, String)> = Vec::new();
        for path in &self.paths {
            let Some(stem) = path.file_stem().filter(|_| !files::is_stdin(path)) else {
                let help = "name a file to read";
                return Err(Problem::usage("standard input has no name in a folder", help));
            };
            let stem = stem.to_string_lossy().into_owned();
            if let Some((earlier, _)) = stems.iter().find(|(_, taken)| *taken == stem) {
                let (earlier, later) = (earlier.display(), path.display());
                let message = format!("`{earlier}` and `{later}` would both become `{stem}.mlirbc`");
                return Err(Problem::usage(message, "name them in two commands, with two folders"));
            }
            stems.push((path, stem));
        }
        if stems.is_empty() {
            return Err(Problem::usage("standard input has no name in a folder", "name a file to read"));
        }
        Ok(stems)
    }

    /// Assembles a text into a file, or its parts into files whose names begin with the path.
    fn assemble(
        &self,
        path: &Path,
        output: &Path,
        options: &ParseOptions,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let text = files::map(path, &options.limits)?;
        let progress = Progress::new("assembling");
        let options = options
            .clone()
            .finder((self.target.is_none() && self.like.is_none()).then(TargetFinder::default))
            .file(path.display().to_string())
            .progress(progress.to_core());
        let output = match self.split {
            true => parts(&text, &options, self.verify).map(|parts| numbered(output, parts)),
            false => module(text.clone(), &options, self.verify)
                .map(|module| vec![(self.output_of(output), module)]),
        };
        if let Some(found) = options.finder.as_ref().and_then(TargetFinder::found) {
            let (name, reason) = (found.name, found.reason(options.target.as_str()));
            note(&format!("the text is for {name}, because {reason}; `--target` chooses another release"));
        }
        for (path, module) in output.map_err(|problem| with_lines(problem, &text, &options.file))? {
            let mut target = Target::open(&path, out)?;
            let mut writer = Writer::new(&mut target);
            let written = module.write(&mut writer);
            writer.done(written)?;
            target.finish()?;
        }
        Ok(())
    }

    fn output_of(&self, output: &Path) -> PathBuf {
        if self.is_into_folder() { with_ending(output, "mlirbc") } else { output.to_owned() }
    }

    /// The release to assemble for, the bytecode version unless it is the newest one of the release, and the
    /// file whose layouts the module uses.
    fn target_and_version(
        &self,
        limits: &Limits,
    ) -> Result<(Release, Option<BytecodeVersion>, Option<FileTables>), Problem> {
        let Some(path) = &self.like else {
            let default = || default_target(!self.dialects.is_empty());
            let target = self.target.clone().map_or_else(default, Release::named);
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
        Ok((Release::named(name.to_owned()), version, Some(module.tables().clone())))
    }
}

/// Adds the line to errors of an assembled module, which know only their position in the text.
fn with_lines(problem: Problem, text: &Source, file: &str) -> Problem {
    match problem {
        Problem::File(error) => Problem::File(with_line_of(error, text, file)),
        Problem::Texts(errors) => {
            Problem::Texts(errors.into_iter().map(|error| with_line_of(error, text, file)).collect())
        }
        other => other,
    }
}

/// The files of parts, whose names begin with a path.
fn numbered(path: &Path, parts: Vec<PreparedWrite>) -> Vec<(PathBuf, PreparedWrite)> {
    let named = |(number, part)| (with_ending(path, &format!("{number}.mlirbc")), part);
    parts.into_iter().enumerate().map(named).collect()
}

/// A path with an ending, which does not replace the text after a dot in the name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
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

/// Assembles each part of a text. All parts are for one release.
fn parts(source: &Source, options: &ParseOptions, verify: bool) -> Result<Vec<PreparedWrite>, Problem> {
    let assembled = parts_for_target(source, options, verify);
    let Some(finder) = options.finder.as_ref().filter(|finder| finder.found().is_some()) else {
        return assembled;
    };
    let text = source.get(0..source.len())?;
    let Some(found) = TextRelease::of(&text, &options.target) else { return assembled };
    let all = options.clone().target(Release::named(found.name)).finder(None);
    finder.keep(found);
    parts_for_target(source, &all, verify)
}

fn parts_for_target(
    source: &Source,
    options: &ParseOptions,
    verify: bool,
) -> Result<Vec<PreparedWrite>, Problem> {
    let text = source.get(0..source.len())?;
    let mut assembled = Vec::new();
    let mut errors = Vec::new();
    for (part, options) in split(&text, options) {
        match module(text.slice_ref(part).into(), &options, verify) {
            Ok(prepared) => assembled.push(prepared),
            Err(Problem::File(error)) if error.text_place().is_some() => errors.push(error),
            Err(Problem::Texts(several)) => errors.extend(several),
            Err(problem) => return Err(problem),
        }
    }
    source.check()?;
    if errors.is_empty() { Ok(assembled) } else { Err(Problem::Texts(errors)) }
}
