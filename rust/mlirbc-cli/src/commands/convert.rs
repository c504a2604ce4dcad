//! `mlirbc convert`: the module for another version or release, or with MLIR's own numbers.

mod plan;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mlirbc::artifact::{JaxConversion, NestedModule, PreparedArtifact};
use mlirbc::bytes::Bytes;
use mlirbc::convert::portable::{self, SerializeOptions, VhloVersion};
use mlirbc::convert::shardy;
use mlirbc::edit::Editor;
use mlirbc::loss::Loss;
use mlirbc::tool::prepare_for_jax;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::replace::Replacement;
use mlirbc::write::{Numbering, PreparedWrite};
use mlirbc::{Artifact, Error, Module, WriteOptions};

use crate::commands::CommandOptions;
use crate::files::unsaved;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::release::check_jax_version;
use crate::several_files::{self, MoreFiles, Separation};
use crate::versions::DialectVersions;

const HELP: &str = "\
Without options the bytes are unchanged. If the version or the release cannot represent something, one error \
reports all of it and nothing is written; with `--drop-unsupported` it is omitted. Orders of uses and ends of \
locations are omitted for a release with a note, without `--strict`. An existing OUT is \
replaced when the output is complete, and unchanged until then. A JAX export remains one: its module and its \
derivatives are converted, or only that of `--module`; `--bare` writes one module alone. Kernels in custom calls stay as they \
are, unless `--module` names one, which is converted in its place. A compressed file is written without compression.

With `--for-jax VERSION` a JAX export, or a portable artifact, becomes one that this release of JAX reads: all modules get its \
version of VHLO, and the container its fields. What it has no form for is an error, and what is lost a note. \
`--target jax-VERSION` and `--target jaxlib-VERSION` do the same for such files; without a patch number, the first release is meant.

With `--dry-run` nothing is written. The answer lists what does not remain the same: `translated` has another form with the same \
meaning, `added` is a default that the target requires, `noted` is harmless to omit, `lost` has no form in the target, and \
`impossible` is refused or misread by the target whatever is omitted.

Several files are written into the folder OUT, which is created if it is missing: each with its path below the folder or \
pattern that stands for it, or its name, and without `.gz` or `.zst`. Each is replaced when it is complete, and those that \
cannot be converted are reported and left out.

Examples:
  Write what `mlir-opt --emit-bytecode` would write:
  $ mlirbc convert model.mlirbc --canonical -o model.canonical.mlirbc

  Convert for a compiler that reads bytecode up to version 4:
  $ mlirbc convert model.mlirbc --bytecode-version 4 -o model.v4.mlirbc

  Convert for MLIR 19:
  $ mlirbc convert model.mlirbc --target llvm-19 -o model.19.mlirbc

  Convert all files of a folder:
  $ mlirbc convert models/ --target llvm-19 -o converted/

  Convert a JAX export for an older JAX:
  $ mlirbc convert model.jax --for-jax 0.7.2 -o model.072.jax

  The StableHLO module in a portable artifact:
  $ mlirbc convert portable.mlirbc --to stablehlo -o model.mlirbc

  A portable artifact for an older consumer:
  $ mlirbc convert model.mlirbc --to vhlo=1.0.0 -o portable.mlirbc

  What a conversion would do, without writing:
  $ mlirbc convert model.mlirbc --target llvm-19 --dry-run

  An export with shardings for JAX before 0.7:
  $ mlirbc convert step.jax --shardy hlo -o step.hlo.jax

Exit status:
  0  the output was written, or could be written
  1  the output cannot represent everything, or an operation breaks a rule of MLIR
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

/// Write the module for another bytecode version or release
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    more: MoreFiles,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output. Of several files, or with a `/` at the end, the folder to write into
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    output: Option<PathBuf>,

    /// Write nothing; say what becomes of each operation, attribute and type that does not remain the same
    #[arg(long)]
    dry_run: bool,

    /// With `--dry-run`: write the result as JSON
    #[arg(long, requires = "dry_run")]
    json: bool,

    /// Keep the numbering of the file (default, unless another option requires renumbering)
    #[arg(long, conflicts_with_all = ["canonical", "bytecode_version", "target"])]
    preserve: bool,

    /// Number everything as MLIR's own writer does
    #[arg(long)]
    canonical: bool,

    /// The dialect to write: `stablehlo` for the module in a portable artifact, `vhlo` for an artifact, or
    /// `vhlo=1.9.0` for one that this version of StableHLO reads
    #[arg(long, value_name = "DIALECT", value_parser = dialect,
          conflicts_with_all = ["canonical", "preserve", "bytecode_version", "producer", "dialect_version", "drop_unsupported"])]
    to: Option<Dialect>,

    /// With `--to vhlo`: refuse operations, attributes and types of other dialects
    #[arg(long, requires = "to")]
    no_other_dialects: bool,

    /// The bytecode version to write, 0 to 6
    #[arg(long, value_name = "N", value_parser = version)]
    bytecode_version: Option<BytecodeVersion>,

    /// The release that will read the output, e.g. `llvm-19`, or `any`: llvm-16, llvm-19, llvm-22 and llvm-23, and jaxlib-0.10 and
    /// iree-3.13 if they have all dialects of the module; the output is checked for each of them
    #[arg(long, alias = "for", value_name = "NAME")]
    target: Option<String>,

    /// The release of JAX that will read the output, a JAX export or a portable artifact, e.g. `0.7.2`
    #[arg(long, value_name = "VERSION",
          conflicts_with_all = ["to", "canonical", "preserve", "bytecode_version", "target", "producer", "dialect_version", "drop_unsupported", "no_verify", "shardy"])]
    for_jax: Option<String>,

    /// The producer string to write
    #[arg(long, value_name = "TEXT")]
    producer: Option<String>,

    #[command(flatten)]
    versions: DialectVersions,

    /// How shardings are written: `hlo` for those of HLO in place of Shardy's, for JAX before 0.7
    #[arg(long, value_name = "FORM")]
    shardy: Option<ShardingForm>,

    /// Omit what the version or the release cannot represent
    #[arg(long)]
    drop_unsupported: bool,

    /// Refuse also what is harmless to omit for a release: orders of uses and ends of locations
    #[arg(long, requires = "target")]
    strict: bool,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,

    /// Write even if operands are used before they are defined, or a block does not end with a terminator
    #[arg(long)]
    no_verify: bool,
}

/// How shardings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShardingForm {
    Hlo,
}

/// A dialect to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Stablehlo,
    Vhlo(Option<VhloVersion>),
}

fn dialect(text: &str) -> Result<Dialect, String> {
    match text.split_once('=') {
        None if text == "stablehlo" => Ok(Dialect::Stablehlo),
        None if text == "vhlo" => Ok(Dialect::Vhlo(None)),
        Some(("vhlo", version)) => version
            .parse()
            .map(|version| Dialect::Vhlo(Some(version)))
            .map_err(|error: Error| error.to_string()),
        _ => Err("the dialects are `stablehlo`, `vhlo` and `vhlo=VERSION`".to_owned()),
    }
}

pub(super) fn version(text: &str) -> Result<BytecodeVersion, String> {
    let number = text.parse().ok().and_then(BytecodeVersion::new);
    number.ok_or_else(|| format!("bytecode versions are 0 to {}", BytecodeVersion::MAX))
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let inputs = (&self.input, &self.more);
        let output = match &self.output {
            Some(output) if !self.dry_run => output,
            _ => {
                let texts = Separation::Paragraphs.unless_json(self.json);
                return several_files::each(out, inputs, texts, &|input, out| self.plan(input, out));
            }
        };
        if several_files::is_into_folder(inputs, output) {
            return several_files::each_into(out, inputs, output, &|input, output, out| {
                self.convert(input, output, out)
            });
        }
        self.convert(&self.input, output, out)
    }
}

impl Options {
    /// The options of the writer, and whether everything is renumbered.
    fn write_options(&self) -> (WriteOptions, bool) {
        let is_canonical = self.canonical || self.asks_for_changes() && !self.preserve;
        let options = WriteOptions::default()
            .numbering(if is_canonical { Numbering::Canonical } else { Numbering::Preserve })
            .version(self.bytecode_version)
            .target(self.target.clone().map(mlirbc::Release::named))
            .producer(self.producer.as_ref().map(|text| text.clone().into_bytes()))
            .drop_unsupported(self.drop_unsupported)
            .strict(self.strict);
        (self.versions.apply(options), is_canonical)
    }

    /// Whether an option may change the bytes.
    fn asks_for_conversion(&self, options: &WriteOptions) -> bool {
        self.asks_for_changes()
            || self.canonical
            || self.preserve
            || self.bare
            || self.to.is_some()
            || self.shardy.is_some()
            || !options.dialect_versions.is_empty()
    }

    fn asks_for_changes(&self) -> bool {
        self.bytecode_version.is_some() || self.target.is_some() || self.producer.is_some()
    }

    /// The options for writing an artifact; `None` if the dialect to write is StableHLO.
    fn serialization(&self, to: Dialect) -> Option<SerializeOptions> {
        let Dialect::Vhlo(version) = to else { return None };
        let allow_other_dialects = !self.no_other_dialects;
        Some(SerializeOptions::default().version(version).allow_other_dialects(allow_other_dialects))
    }

    fn convert(&self, input: &Input, output: &Path, out: &mut Out) -> Result<(), Problem> {
        let (artifact, nested) = input.open_around()?;
        if let Some(to) = self.to {
            if nested.is_some() {
                let help = "name the module around it, e.g. `--module main`";
                return Err(Problem::usage("a kernel is not written in another dialect", help));
            }
            return self.portable(input, &artifact, to, output, out);
        }
        if let Some(version) = self.jax_version(&artifact)? {
            check_jax_version(version)?;
            return self.for_jax(input, (&artifact, nested.as_deref()), version, (output, out));
        }
        let (options, is_canonical) = self.write_options();
        if !self.asks_for_conversion(&options) {
            tell_unasked(input, out);
        }
        // Unchanged bytes need no verification.
        let verifies = is_canonical && !self.no_verify;
        let destination = Destination { input, output, bare: self.bare };
        let is_rewritten = is_canonical || !options.dialect_versions.is_empty();
        let prepare = |module: &Module, options: &WriteOptions| match self.shardy {
            None => module.prepare_write(options),
            Some(ShardingForm::Hlo) => match shardy::to_hlo(module, &options.progress)? {
                prepared if is_rewritten => prepared.into_module()?.prepare_write(options),
                prepared => Ok(prepared),
            },
        };
        let losses = match &nested {
            None => write(&artifact, destination, (&options, &prepare), verifies, out)?,
            Some(path) => convert_nested(&artifact, destination, (path.as_str(), &options), verifies, out)?,
        };
        tell_losses(input, &losses, out);
        Ok(())
    }
}

fn tell_unasked(input: &Input, out: &mut Out) {
    let message = "note: no conversion was requested, so the bytes are unchanged; help: pass `--target`, `--for-jax`, \
         `--bytecode-version`, `--to`, `--shardy` or `--canonical`";
    output::tell(out, &format!("{}: {message}", input.name()));
}

/// The version in a target that names a release of JAX.
fn jax_target(target: &str) -> Option<&str> {
    target.strip_prefix("jax-").or_else(|| target.strip_prefix("jaxlib-"))
}

impl Options {
    /// The release of JAX to convert for; `None` for any other conversion.
    fn jax_version(&self, artifact: &Artifact) -> Result<Option<&str>, Problem> {
        let target = self.target.as_deref().and_then(jax_target);
        let Some(version) = self.for_jax.as_deref().or(target) else { return Ok(None) };
        if artifact.is_for_jax()? {
            let is_plain = self.bytecode_version.is_none()
                && self.producer.is_none()
                && self.shardy.is_none()
                && self.versions.apply(WriteOptions::default()).dialect_versions.is_empty();
            if is_plain && !self.canonical && !self.preserve && !self.drop_unsupported {
                return Ok(Some(version));
            }
            let help = "the release decides the numbering and the versions; pass `--target` alone";
            return Err(Problem::usage("a portable artifact for a release of JAX has one form", help));
        }
        // A target that names jaxlib may be for modules other than exports.
        match self.target.as_deref() {
            Some(target) if target.starts_with("jaxlib-") => Ok(None),
            _ => {
                let help = "for a module in StableHLO pass `--to vhlo=VERSION`, and for others `--target jaxlib-VERSION`";
                Err(Problem::refused("the file is neither a JAX export nor a portable artifact", help))
            }
        }
    }

    /// Converts the artifact for a release of JAX.
    fn conversion_for_jax(
        &self,
        input: &Input,
        (artifact, nested): (&Artifact, Option<&str>),
        version: &str,
    ) -> Result<JaxConversion, Problem> {
        let is_partial = artifact.chosen().len() < artifact.modules().len();
        if is_partial && !self.bare || nested.is_some() {
            let message = "a JAX export is converted for a release of JAX as a whole";
            return Err(Problem::refused(
                message,
                "leave out `--module`, or pass `--bare` to write the module alone",
            ));
        }
        let progress = input.progress("converting").to_core();
        if !self.bare {
            return Ok(prepare_for_jax(artifact, version, &progress)?);
        }
        let index = artifact.chosen().first().copied().unwrap_or_default();
        Ok(artifact.prepare_module_for_jax(&artifact.module(index)?, version, &progress)?)
    }

    /// Writes the artifact for a release of JAX.
    fn for_jax(
        &self,
        input: &Input,
        (artifact, nested): (&Artifact, Option<&str>),
        version: &str,
        (output, out): (&Path, &mut Out),
    ) -> Result<(), Problem> {
        let conversion = self.conversion_for_jax(input, (artifact, nested), version)?;
        write_artifact(&conversion.prepared, output, out)?;
        let file = input.name();
        if !conversion.is_known {
            let note = format!("JAX {version} is not known; the file is for {}", conversion.release);
            output::tell(out, &format!("{file}: note: {note}"));
        }
        for note in &conversion.notes {
            output::tell(out, &format!("{file}: note: {note}"));
        }
        Ok(())
    }
}

impl Options {
    /// Refuses a dialect that the file, or another option, excludes.
    fn check_dialect(&self, artifact: &Artifact, to: Dialect) -> Result<(), Problem> {
        if let (Some(_), Dialect::Vhlo(_)) = (&self.target, to) {
            let help = "name the version of the reader, e.g. `--to vhlo=1.9.0`";
            return Err(Problem::usage("an artifact is not for a release", help));
        }
        if artifact.has_fields() && to == Dialect::Stablehlo && !self.bare {
            let message =
                "a JAX export holds portable artifacts, and JAX does not read StableHLO in their place";
            return Err(Problem::refused(message, "pass `--bare` to write the module alone"));
        }
        Ok(())
    }

    /// Writes the modules in another dialect.
    fn portable(
        &self,
        input: &Input,
        artifact: &Artifact,
        to: Dialect,
        output: &Path,
        out: &mut Out,
    ) -> Result<(), Problem> {
        self.check_dialect(artifact, to)?;
        let progress = input.progress("converting").to_core();
        let mut prepare = |module: &Module| {
            let module = &match self.shardy {
                Some(ShardingForm::Hlo) => shardy::to_hlo(module, &progress)?.into_module()?,
                None => module.clone(),
            };
            let prepared = match self.serialization(to) {
                None => portable::deserialize(module, &progress)?,
                Some(options) => {
                    let options = options.progress(progress.clone());
                    portable::serialize(module, &options)?
                }
            };
            match &self.target {
                None => Ok(prepared),
                Some(target) => {
                    let options = WriteOptions::default().target(mlirbc::Release::named(target.clone()));
                    prepared.into_module()?.prepare_write(&options)
                }
            }
        };
        let prepared = prepared(artifact, self.bare, &mut prepare)?;
        write_artifact(&prepared, output, out)?;
        tell_losses(input, prepared.reports().flat_map(|(_, report)| &report.losses), out);
        Ok(())
    }
}

/// Reports omissions and shortened values.
fn tell_losses<'l>(input: &Input, losses: impl IntoIterator<Item = &'l Loss>, out: &mut Out) {
    for loss in losses {
        output::tell(out, &format!("{}: {}: {loss}", input.name(), loss.kind.outcome()));
    }
}

/// Converts a nested module, in place or on its own.
fn convert_nested(
    artifact: &Artifact,
    destination: Destination<'_>,
    (path, options): (&str, &WriteOptions),
    verifies: bool,
    out: &mut Out,
) -> Result<Vec<Loss>, Problem> {
    let mut losses = Vec::new();
    let mut change = |kernel: &NestedModule| -> mlirbc::Result<Option<Bytes>> {
        if kernel.path != path {
            return Ok(None);
        }
        let module = kernel.open(artifact.limits())?;
        if verifies {
            Editor::verify_unedited(&module).map_err(|error| kernel.located(error))?;
        }
        let mut bytes = Vec::new();
        let report = module.write(&mut bytes, options).map_err(|error| kernel.located(error))?;
        losses.extend(report.losses);
        Ok(Some(bytes.into()))
    };
    if destination.bare {
        let (_, kernel) = artifact.find_nested(path)?;
        let bytes = change(&kernel)?.unwrap_or_default();
        write_bytes(&bytes, destination.output, out)?;
    } else {
        write_nested(artifact, destination, &WriteOptions::default(), (false, &mut change), out)?;
    }
    Ok(losses)
}

/// Returns the bytes that replace a nested module, or `None` to leave it unchanged.
type ChangeNested<'c> = &'c mut dyn FnMut(&NestedModule) -> mlirbc::Result<Option<Bytes>>;

/// As [`write`], after nested modules were changed.
pub(crate) fn write_nested(
    artifact: &Artifact,
    Destination { input, output, bare }: Destination<'_>,
    options: &WriteOptions,
    (verifies, change): (bool, ChangeNested<'_>),
    out: &mut Out,
) -> Result<(), Problem> {
    if output.as_os_str() == "-" {
        refuse_terminal()?;
    }
    let progress = input.progress("writing");
    let options = &options.clone().progress(progress.to_core());
    let mut prepare = |module: &Module| {
        if verifies {
            Editor::verify_unedited(module)?;
        }
        module.prepare_write(options)
    };
    let first = artifact.chosen().first().copied().unwrap_or_default();
    let artifact = if bare { &artifact.with_choice(first)? } else { artifact };
    let prepared = artifact.prepare_nested(change, &mut prepare)?;
    let prepared = if bare { prepared.without_container() } else { prepared };
    write_artifact(&prepared, output, out)
}

/// Writes bytes to a path or to standard output.
pub(super) fn write_bytes(bytes: &[u8], output: &Path, out: &mut Out) -> Result<(), Problem> {
    if output.as_os_str() == "-" {
        refuse_terminal()?;
        return Ok(out.write_all(bytes)?);
    }
    crate::signals::remove_unfinished_files();
    let write = || {
        let mut file = Replacement::begin(output)?;
        file.write_all(bytes)?;
        file.commit()
    };
    write().map_err(|error| unsaved(Error::io(format!("cannot write `{}`", output.display()), error)))
}

/// Prepares the artifact with its chosen modules as `prepare` returns them, or only the first module without
/// its container.
fn prepared(
    artifact: &Artifact,
    bare: bool,
    prepare: &mut dyn FnMut(&Module) -> mlirbc::Result<PreparedWrite>,
) -> mlirbc::Result<PreparedArtifact> {
    if !bare {
        return artifact.prepare(prepare);
    }
    let index = artifact.chosen().first().copied().unwrap_or_default();
    let module = artifact.module(index)?;
    let prepared = prepare(&module).map_err(|error| artifact.located(index, error))?;
    PreparedArtifact::new(None, vec![(0, prepared)])
}

/// Writes a prepared module, without a container, to a path or to standard output.
pub(super) fn write_prepared(prepared: PreparedWrite, output: &Path, out: &mut Out) -> Result<(), Problem> {
    write_artifact(&PreparedArtifact::new(None, vec![(0, prepared)])?, output, out)
}

/// Writes a prepared artifact to a path or to standard output.
pub(super) fn write_artifact(
    prepared: &PreparedArtifact,
    output: &Path,
    out: &mut Out,
) -> Result<(), Problem> {
    if output.as_os_str() != "-" {
        crate::signals::remove_unfinished_files();
        return prepared.save(output).map_err(unsaved);
    }
    refuse_terminal()?;
    let mut sink = Stdout { out, problem: None };
    let written = prepared.write(&mut sink);
    match sink.problem {
        Some(problem) => Err(Problem::Stdout(problem)),
        None => written.map_err(Problem::File),
    }
}

fn refuse_terminal() -> Result<(), Problem> {
    match std::io::stdout().is_terminal() {
        true => Err(Problem::usage("cannot write bytecode to a terminal", "name a file with `-o`")),
        false => Ok(()),
    }
}

/// The destination of a module, and whether its container is left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Destination<'o> {
    pub(crate) input: &'o Input,
    pub(crate) output: &'o Path,
    pub(crate) bare: bool,
}

/// Prepares the module that is written in place of the given one.
type Prepare<'p> = &'p dyn Fn(&Module, &WriteOptions) -> mlirbc::Result<PreparedWrite>;

/// Writes the modules that `prepare` returns to a path or to standard output, with a progress bar if it takes
/// long. Returns what was omitted.
pub(crate) fn write(
    artifact: &Artifact,
    Destination { input, output, bare }: Destination<'_>,
    (options, prepare): (&WriteOptions, Prepare<'_>),
    verifies: bool,
    out: &mut Out,
) -> Result<Vec<Loss>, Problem> {
    if output.as_os_str() == "-" {
        refuse_terminal()?;
    }
    let progress = input.progress("writing");
    let options = &options.clone().progress(progress.to_core());
    let prepared = prepared(artifact, bare, &mut |module| {
        if verifies {
            Editor::verify_unedited(module)?;
        }
        prepare(module, options)
    })?;
    write_artifact(&prepared, output, out)?;
    Ok(prepared.reports().flat_map(|(_, report)| report.losses.iter().cloned()).collect())
}

/// Keeps the reason why standard output could not be written.
pub(crate) struct Stdout<'o> {
    pub(crate) out: &'o mut Out,
    pub(crate) problem: Option<std::io::Error>,
}

impl Write for Stdout<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            self.problem = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
