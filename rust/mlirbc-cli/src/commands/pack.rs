//! `mlirbc pack`: makes, shows and compares packs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use mlirbc::limits::Limits;
use mlirbc::pack::{DialectCoverage, Pack, PackMaker, PackOptions, includes_of_build};
use mlirbc::tool::add_irdl;

use crate::commands::CommandOptions;
use crate::files;
use crate::output::Out;
use crate::packs;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::text::{note, shown};

const HELP: &str = "\
A pack has the dialects of a project as data: the other commands then print, parse and check its operations in custom form, \
and read its properties by name (`--dialects NAME.mlirpack`, or the folder in the environment variable MLIRBC_PATH).

It is made from the project's `.td` files, by `llvm-tblgen`: LLVM 19 or newer, of `--tblgen` or the search path. Every file of \
the folders is tried, and those that do not stand alone are skipped. Properties are encoded as the headers of LLVM say, so use \
those that the project is built with. Without `llvm-tblgen`, name the files that it wrote with `--dump-json`.

The table at the end has, for each dialect, the operations by what their custom forms come from: a declarative format, a rule \
of mlirbc, nothing because there is none, and nothing because the form is C++; `--missing` lists the latter.

Examples:
  Make a pack from a folder of `.td` files:
  $ mlirbc pack --td include -I llvm/include --release toy-1 --llvm llvm-22 -o toy.mlirpack

  Make one from a CMake build folder:
  $ mlirbc pack --build build --release toy-1 --producer MLIR22. --llvm llvm-22 -o toy.mlirpack

  Make a pack of the next release, which has the releases before too:
  $ mlirbc pack --td include -I llvm/include --release toy-2 --add toy.mlirpack --llvm llvm-22 -o toy-all.mlirpack

  Make a pack of the dialects that a text in IRDL defines:
  $ mlirbc pack --irdl cmath.irdl.mlir --release cmath-1 -o cmath.mlirpack

  Show what a pack has, and what it lacks:
  $ mlirbc pack --show toy.mlirpack --missing

  Compare two packs:
  $ mlirbc pack --diff old.mlirpack new.mlirpack

Exit status:
  0  the pack was written, or shown
  1  the packs of `--diff` differ
  2  the command line is invalid
  3  no file could be read, or a pack is invalid or cannot be written";

/// Make a pack of the dialects of a project from its `.td` files
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// Records written by `llvm-tblgen --dump-json`
    #[arg(value_name = "DUMP")]
    dumps: Vec<PathBuf>,

    /// A folder of `.td` files, or one file; may be repeated
    #[arg(long, value_name = "DIR")]
    td: Vec<PathBuf>,

    /// A text in IRDL, which defines dialects; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["show", "diff"])]
    irdl: Vec<PathBuf>,

    /// A folder for includes; may be repeated
    #[arg(short = 'I', value_name = "DIR")]
    includes: Vec<PathBuf>,

    /// A CMake build folder, whose `tablegen_compile_commands.yml` has the `.td` files
    #[arg(long, value_name = "DIR")]
    build: Option<PathBuf>,

    /// Forms of operations whose parser and printer are C++, declared in TOML
    #[arg(long, value_name = "FILE")]
    extra: Vec<PathBuf>,

    /// A pack with older releases of the project, which the new pack has too; may be repeated
    #[arg(long, value_name = "PACK", conflicts_with_all = ["show", "diff"])]
    add: Vec<PathBuf>,

    /// The program that reads `.td` files
    #[arg(long, value_name = "PATH", default_value = "llvm-tblgen")]
    tblgen: PathBuf,

    /// The name of the release, e.g. `toy-1`
    #[arg(long, value_name = "NAME")]
    release: Option<String>,

    /// The name of the project [default: the release without its number]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// How the producer strings of the project's files begin; may be repeated
    #[arg(long, value_name = "PREFIX")]
    producer: Vec<String>,

    /// The release of LLVM that the project is built with
    #[arg(long, value_name = "RELEASE", default_value = "llvm-22")]
    llvm: String,

    /// Only this dialect; may be repeated [default: all that the release of LLVM does not have]
    #[arg(long, value_name = "NAME")]
    dialect: Vec<String>,

    /// Write the pack to this file
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["show", "diff"])]
    output: Option<PathBuf>,

    /// Show a pack
    #[arg(long, value_name = "PACK", conflicts_with_all = ["dumps", "td", "build", "output", "diff"])]
    show: Option<PathBuf>,

    /// List the operations without a custom form or a layout
    #[arg(long)]
    missing: bool,

    /// Compare two packs
    #[arg(long, value_names = ["A", "B"], num_args = 2, conflicts_with_all = ["dumps", "td", "build", "output"])]
    diff: Vec<PathBuf>,
}

/// How many `.td` files were read, and how many do not stand alone.
#[derive(Default)]
struct FileCounts {
    read: usize,
    skipped: usize,
    /// The complaint of `llvm-tblgen` about the first file that was skipped.
    complaint: String,
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        "pack".to_owned()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        if let [first, second] = &self.diff[..] {
            return diff(first, second, out);
        }
        if let Some(path) = &self.show {
            return self.show(path, out);
        }
        let Some(output) = &self.output else {
            return Err(Problem::usage("nothing to write", "name a file with `-o`"));
        };
        let has_records = !self.dumps.is_empty() || !self.td.is_empty() || self.build.is_some();
        if !has_records && self.irdl.is_empty() {
            let help = "name dumps of `llvm-tblgen --dump-json`, or use `--td`, `--build` or `--irdl`";
            return Err(Problem::usage("nothing to make a pack from", help));
        }
        let text = self.make()?;
        let mut pack = Pack::from_bytes(text.as_bytes(), &Limits::default())?;
        if pack.coverage(0).dialects.is_empty() {
            let help = format!(
                "check the files and `--dialect`; dialects of `{}` are left out unless `--dialect` names them",
                self.llvm
            );
            return Err(Problem::usage("there are no operations, attributes or types for the pack", help));
        }
        if self.producer.is_empty() {
            note("without `--producer` no producer string selects the pack; use it with `--release`");
        }
        let mut text = text;
        for path in self.add.iter().rev() {
            let named = |error| Problem::Other { file: files::name(path), error };
            text = open(path)?.with_newer(&pack).map_err(named)?;
            pack = Pack::from_bytes(text.as_bytes(), &Limits::default())?;
        }
        files::write(output, text.as_bytes())?;
        packs::warn(output, pack.warnings());
        self.report(&pack, out)
    }
}

impl Options {
    fn options(&self) -> Result<PackOptions, Problem> {
        let Some(release) = &self.release else {
            return Err(Problem::usage(
                "the pack has no release",
                "name it with `--release`, e.g. `--release toy-1`",
            ));
        };
        let project = release.rsplit_once('-').map_or(&**release, |(project, _)| project);
        Ok(PackOptions {
            name: self.name.clone().unwrap_or_else(|| project.to_owned()),
            release: release.clone(),
            producers: self.producer.clone(),
            llvm: self.llvm.clone(),
            dialects: self.dialect.clone(),
        })
    }

    fn make(&self) -> Result<String, Problem> {
        let limits = Limits::default();
        let invalid = |error| Problem::Other { file: "pack".to_owned(), error };
        let mut maker = PackMaker::new(self.options()?).map_err(invalid)?;
        for path in &self.dumps {
            let named = |error| Problem::Other { file: files::name(path), error };
            maker.add_dump(&files::read(path, &limits)?, &limits).map_err(named)?;
        }
        for path in &self.irdl {
            let (name, text) = (files::name(path), files::read(path, &limits)?);
            add_irdl(&mut maker, &text, &name, &limits)
                .map_err(|error| Problem::Other { file: name.clone(), error })?;
        }
        let inputs = self.inputs(&limits)?;
        if inputs.is_empty() {
            return self.finish(maker, &limits);
        }
        if let Some(folder) = self.includes.iter().find(|folder| !folder.is_dir()) {
            let message = format!("there is no folder `{}`, which `-I` names", folder.display());
            return Err(Problem::usage(message, "name the folders of LLVM and of the project"));
        }
        let progress = Progress::new("reading `.td` files");
        let mut counts = FileCounts::default();
        for (path, includes) in &inputs {
            match self.dump(path, includes)? {
                Ok(dump) => {
                    let named = |error| Problem::Other { file: files::name(path), error };
                    maker.add_dump(&dump, &limits).map_err(named)?;
                    counts.read += 1;
                }
                Err(complaint) => {
                    counts.skipped += 1;
                    if counts.complaint.is_empty() {
                        counts.complaint = format!("{}: {complaint}", files::name(path));
                    }
                }
            }
        }
        drop(progress);
        note(&format!("{} `.td` files were read; {} do not stand alone", counts.read, counts.skipped));
        if counts.read == 0 {
            let message = format!("`{}` accepts no file; {}", self.tblgen.display(), counts.complaint);
            return Err(Problem::usage(message, help_for(&counts.complaint)));
        }
        self.finish(maker, &limits)
    }

    fn finish(&self, mut maker: PackMaker, limits: &Limits) -> Result<String, Problem> {
        for path in &self.extra {
            let named = |error| Problem::Other { file: files::name(path), error };
            for unused in maker.add_extra(&files::read_text(path, limits)?).map_err(named)? {
                note(&format!("{}: {}", files::name(path), shown(unused.as_bytes())));
            }
        }
        Ok(maker.finish())
    }

    /// The `.td` files with their folders for includes.
    fn inputs(&self, limits: &Limits) -> Result<BTreeMap<PathBuf, Vec<PathBuf>>, Problem> {
        let mut inputs = BTreeMap::new();
        if let Some(build) = &self.build {
            let text = files::read_text(&build.join("tablegen_compile_commands.yml"), limits)?;
            inputs.extend(includes_of_build(&text, limits)?);
        }
        for folder in &self.td {
            let mut files = Vec::new();
            add_td_files(folder, &mut files)?;
            let includes = || self.td.iter().filter(|path| path.is_dir()).cloned().collect();
            inputs.extend(files.into_iter().map(|path| (path, includes())));
        }
        Ok(inputs)
    }

    /// The records of a file as JSON, or the first line of what `llvm-tblgen` complains about.
    fn dump(&self, path: &Path, includes: &[PathBuf]) -> Result<Result<Vec<u8>, String>, Problem> {
        let mut command = Command::new(&self.tblgen);
        command.arg("--dump-json").arg(path).stdin(Stdio::null());
        for folder in
            path.parent().into_iter().chain(includes.iter().chain(&self.includes).map(|path| &**path))
        {
            command.arg("-I").arg(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        }
        let ran = command.output().map_err(|error| {
            let message = format!("cannot run `{}`: {error}", self.tblgen.display());
            Problem::usage(
                message,
                "name `llvm-tblgen` of LLVM 19 or newer with `--tblgen`, or pass its dumps",
            )
        })?;
        if ran.status.success() {
            return Ok(Ok(ran.stdout));
        }
        Ok(Err(complaint(&ran.stderr)))
    }

    fn show(&self, path: &Path, out: &mut Out) -> Result<(), Problem> {
        let pack = open(path)?;
        packs::warn(path, pack.warnings());
        self.report(&pack, out)
    }

    fn report(&self, pack: &Pack, out: &mut Out) -> Result<(), Problem> {
        for (place, release) in pack.header().releases.iter().enumerate() {
            writeln!(out, "{} with {}", release.name, release.llvm)?;
            let coverage = pack.coverage(place);
            let width =
                coverage.dialects.keys().map(String::len).max().unwrap_or_default().max("dialect".len());
            writeln!(
                out,
                "  {:width$}  operations  declarative  by rule  generic  C++  layouts  attributes  unknown  types  unknown  encodings",
                "dialect"
            )?;
            let mut total = DialectCoverage::default();
            for (name, dialect) in &coverage.dialects {
                write_row(name, width, dialect, out)?;
                total += *dialect;
            }
            write_row("all", width, &total, out)?;
            if self.missing {
                coverage.missing.iter().try_for_each(|line| writeln!(out, "  {}", shown(line.as_bytes())))?;
            } else if !coverage.missing.is_empty() {
                writeln!(
                    out,
                    "  {} operations lack something; `--missing` lists them",
                    coverage.missing.len()
                )?;
            }
        }
        Ok(())
    }
}

fn write_row(name: &str, width: usize, row: &DialectCoverage, out: &mut Out) -> Result<(), Problem> {
    Ok(writeln!(
        out,
        "  {name:width$}  {:>10}  {:>11}  {:>7}  {:>7}  {:>3}  {:>7}  {:>10}  {:>7}  {:>5}  {:>7}  {:>9}",
        row.operations,
        row.declarative,
        row.by_rule,
        row.generic,
        row.unknown_forms(),
        row.layouts,
        row.attributes,
        row.unknown_attributes,
        row.types,
        row.unknown_types,
        row.encodings,
    )?)
}

fn open(path: &Path) -> Result<Pack, Problem> {
    let limits = Limits::default();
    let bytes = files::read(path, &limits)?;
    Pack::from_bytes(&bytes, &limits).map_err(|error| Problem::Other { file: files::name(path), error })
}

fn diff(first: &Path, second: &Path, out: &mut Out) -> Result<(), Problem> {
    let (first, second) = (open(first)?, open(second)?);
    let differences = first.differences(&second);
    let newest = |pack: &Pack| pack.header().releases.last().cloned();
    let is_other_release = newest(&first) != newest(&second);
    if is_other_release {
        writeln!(out, "! the release: its name, producers, LLVM or version")?;
    }
    for one in &differences {
        let name = shown(one.name.as_bytes());
        match (one.is_in_first, one.is_in_second) {
            (true, false) => writeln!(out, "- {} {name}", one.kind)?,
            (false, true) => writeln!(out, "+ {} {name}", one.kind)?,
            _ => writeln!(out, "! {} {name}: {}", one.kind, one.keys.join(", "))?,
        }
    }
    if differences.is_empty() && !is_other_release {
        Ok(())
    } else {
        Err(Problem::Reported(crate::problem::FINDING))
    }
}

/// The line of an output that names the fault: the first line of an error, which may follow other lines.
fn complaint(output: &[u8]) -> String {
    let lines: Vec<&[u8]> = output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    let is_error = |line: &&&[u8]| line.windows(6).any(|part| part == b"error:");
    shown(lines.iter().find(is_error).or(lines.first()).copied().unwrap_or_default())
}

/// The help for a complaint of `llvm-tblgen`.
fn help_for(complaint: &str) -> &'static str {
    if complaint.to_ascii_lowercase().contains("could not find include file") {
        return "name the folders of LLVM and of the project with `-I`";
    }
    if complaint.contains("dump-json") {
        return "name `llvm-tblgen` of LLVM 19 or newer with `--tblgen`; `mlir-tblgen` does not write JSON";
    }
    if complaint.contains("Unknown operator") {
        return "use `llvm-tblgen` and headers of one release with `--tblgen` and `-I`; LLVM 19 or newer is needed";
    }
    "correct the `.td` file, or leave it out"
}

/// Adds the `.td` files of a folder, sorted by path.
fn add_td_files(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), Problem> {
    if !path.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    let unreadable =
        |error| Problem::Open(mlirbc::Error::io(format!("cannot list `{}`", path.display()), error));
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut paths: Vec<_> = entries.map_err(unreadable)?.iter().map(std::fs::DirEntry::path).collect();
    paths.sort_unstable();
    for path in paths {
        // A link to a folder may lead to a circle.
        let is_folder = path.is_dir() && !path.is_symlink();
        if is_folder {
            add_td_files(&path, found)?;
        } else if path.extension() == Some(OsStr::new("td")) {
            found.push(path);
        }
    }
    Ok(())
}
