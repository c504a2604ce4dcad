//! The file a command reads, and how: options that every command has.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use clap::{Args, ValueEnum};
use mlirbc::artifact::{self, ModuleFile};
use mlirbc::bytes::{Backend, Source};
use mlirbc::container::{HostTable, ModuleChoice};
use mlirbc::error::TextPlace;
use mlirbc::limits::Limits;
use mlirbc::props::PropertySchema;
use mlirbc::tool::ParameterFile;
use mlirbc::{Artifact, Error, ErrorKind, Module, ReadOptions, Release};

use crate::files;
use crate::model_folders;
use crate::packs;
use crate::paths::File;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::remote;
use crate::sizes;
use crate::text::{printable, tell};

/// Where the bytes come from and what decoding them may cost.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// The file: bytecode, which may be compressed (gzip, zstd), the text of a module, or a JAX export; `-` reads standard input; a URL works in the command of the Python package
    #[arg(value_name = "FILE")]
    path: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// The offset of the module in a container, once the container is open.
    #[arg(skip)]
    module_start: OnceLock<u64>,

    /// The text of the module, if the file is text.
    #[arg(skip)]
    text: OnceLock<Source>,

    /// Whether other files are read at the same time.
    #[arg(skip)]
    is_one_of_many: bool,

    /// See [`Self::relative`].
    #[arg(skip)]
    relative: PathBuf,
}

/// How files are read, and what decoding them may cost.
#[derive(Debug, Clone, Args)]
pub(crate) struct Reading {
    /// Which module of a file that has several: its path (`main`, `vjp`, `vjp/vjp`), its name, or its index from 0 on; `mlirbc info` lists them [default: all for commands that take all, otherwise `main`]
    #[arg(long, value_name = "PATH", help_heading = "Reading")]
    module: Option<ModuleChoice>,

    /// How the file is accessed: `map` maps it into memory, `read` reads parts of it on demand; use `read` for network disks, and for files that other programs may truncate
    #[arg(long, value_enum, default_value_t = BackendName::Map, hide_possible_values = true)]
    #[arg(value_name = "map|read", help_heading = "Reading")]
    backend: BackendName,

    /// Follow redirects of a URL to another host, which you then trust
    #[arg(long, help_heading = "Reading")]
    allow_redirects: bool,

    /// Limit on the nesting of regions, attributes and types [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "Reading")]
    max_depth: Option<u32>,

    /// Limit on the memory for decoding; the command's own work has a second limit of this size [default: 64 bytes for each byte of the file plus 16 MiB, but at most a quarter of the machine's memory]
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, help_heading = "Reading")]
    max_memory: Option<u64>,

    /// Limit on the text that is printed or listed [default: 1024 bytes for each byte of the file plus 64 MiB]
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, help_heading = "Reading")]
    max_text: Option<u64>,

    /// Limit on what a compressed file decompresses to, in memory [default: `--max-memory` if that is given, otherwise 64 bytes for each byte of the file plus 256 MiB, but at most a quarter of the machine's memory]
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes, help_heading = "Reading")]
    max_decompressed: Option<u64>,

    #[command(flatten)]
    knowledge: Knowledge,
}

impl Reading {
    /// The options as another program of the package takes them.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let Self {
            module,
            backend,
            allow_redirects,
            max_depth,
            max_memory,
            max_text,
            max_decompressed,
            knowledge,
        } = self;
        let mut arguments = Vec::new();
        let mut add = |option: &str, value: &OsStr| {
            let mut argument = OsString::from(option);
            argument.push(value);
            arguments.push(argument);
        };
        if let Some(module) = module {
            add("--module=", module.to_string().as_ref());
        }
        if let BackendName::Read = backend {
            add("--backend=", "read".as_ref());
        }
        if *allow_redirects {
            add("--allow-redirects", "".as_ref());
        }
        let numbers = [
            ("--max-depth=", max_depth.map(u64::from)),
            ("--max-memory=", *max_memory),
            ("--max-text=", *max_text),
            ("--max-decompressed=", *max_decompressed),
        ];
        for (option, number) in numbers {
            if let Some(number) = number {
                add(option, number.to_string().as_ref());
            }
        }
        if let Some(release) = &knowledge.release {
            add("--release=", release.as_ref());
        }
        knowledge.layout.iter().for_each(|layout| add("--layout=", layout.to_string().as_ref()));
        knowledge.dialects.iter().for_each(|path| add("--dialects=", path.as_ref()));
        knowledge.schemas.iter().for_each(|path| add("--schemas=", path.as_ref()));
        knowledge.hosts.iter().for_each(|path| add("--hosts=", path.as_ref()));
        knowledge.unknown.iter().for_each(|dialect| add("--unknown=", dialect.as_ref()));
        arguments
    }
}

/// Options that describe the writer of the file and its dialects, beyond the tables of mlirbc.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Knowledge {
    /// The release that wrote the file, instead of detecting it, or for which a text is; see `docs/reference/properties.md`
    #[arg(long, value_name = "NAME", help_heading = "Decoding")]
    release: Option<String>,

    /// Read the properties of this operation with the layout of this release; may be repeated
    #[arg(long, value_name = "OP=RELEASE", help_heading = "Decoding")]
    layout: Vec<OpLayout>,

    /// A dialect table (TOML), a pack (`mlirbc pack`), or a folder of both; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Decoding")]
    dialects: Vec<PathBuf>,

    /// A property schema (JSON) of a release; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Decoding")]
    schemas: Vec<PathBuf>,

    /// A table of hosts (TOML), operations and custom calls that hold modules in attributes; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Decoding")]
    hosts: Vec<PathBuf>,

    /// A dialect to treat as unknown, even if mlirbc has a table for it; may be repeated
    #[arg(long, value_name = "DIALECT", help_heading = "Decoding")]
    unknown: Vec<String>,
}

impl Knowledge {
    fn read(&self, options: ReadOptions) -> Result<ReadOptions, Problem> {
        let limits = &options.limits.clone();
        let dialects = packs::load_dialects(&self.dialects, limits)?;
        let schemas = self.schemas.iter().map(|path| load(path, limits, PropertySchema::from_json));
        let hosts = self.hosts.iter().map(|path| load(path, limits, HostTable::from_toml));
        Ok(options
            .hosts(hosts.collect::<Result<_, _>>()?)
            .dialects(dialects)
            .schemas(schemas.collect::<Result<_, _>>()?)
            .release(self.release.clone().map(Release::named))
            .layouts(self.layout.iter().map(|layout| (layout.op.clone(), layout.release.clone())).collect())
            .unknown_dialects(self.unknown.clone()))
    }
}

/// An operation, and the release whose layout its properties have.
#[derive(Debug, Clone)]
struct OpLayout {
    op: String,
    release: String,
}

impl FromStr for OpLayout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').filter(|(op, release)| !op.is_empty() && !release.is_empty());
        let (op, release) = parts
            .ok_or_else(|| "expected an operation and a release, such as `tpu.iota=jaxlib-0.6`".to_owned())?;
        Ok(Self { op: op.to_owned(), release: release.to_owned() })
    }
}

impl Display for OpLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.op, self.release)
    }
}

/// Reads and parses an additional file of the command line.
pub(crate) fn load<T>(
    path: &Path,
    limits: &Limits,
    parse: impl Fn(&str) -> mlirbc::Result<T>,
) -> Result<T, Problem> {
    let text = files::read_text(path, limits)?;
    parse(&text).map_err(|error| Problem::Other { file: files::name(path), error })
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BackendName {
    Map,
    Read,
}

/// Asks long work to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn options(&self) -> ReadOptions {
        let flag = Arc::clone(&self.0);
        let interrupt = Arc::new(move || flag.load(Ordering::Relaxed));
        ReadOptions::default().interrupt(interrupt)
    }
}

/// The inputs of a command that reads several, in the order of reading.
#[derive(Debug, Default)]
pub(crate) struct Inputs(boxcar::Vec<Input>);

impl Inputs {
    /// Adds the input that is read from now on.
    pub(crate) fn begin(&self, input: Input) -> &Input {
        let number = self.0.push(input);
        &self.0[number]
    }

    /// The input that is being read, unless that is the first one.
    pub(crate) fn last(&self) -> Option<&Input> {
        self.0.get(self.0.count().checked_sub(1)?)
    }
}

/// Whether a choice is the path of a nested module.
fn chooses_nested(choice: &ModuleChoice) -> bool {
    matches!(choice, ModuleChoice::Name(path) if artifact::is_nested(path))
}

/// Adds the line to an error of an assembled module, which knows only its position in the text of the file `name`.
pub(crate) fn with_line_of(error: Error, text: &Source, name: &str) -> Error {
    match error.text_place().cloned() {
        Some(place) if place.text.is_empty() && place.file == name => match text.get(0..text.len()) {
            Ok(text) => error.in_text(with_line(place, &text)),
            Err(_) => error,
        },
        _ => error,
    }
}

fn with_line(place: TextPlace, text: &[u8]) -> TextPlace {
    let index = usize::try_from(place.line.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = text.split(|byte| *byte == b'\n').nth(index).unwrap_or_default();
    place.with_line(line.strip_suffix(b"\r").unwrap_or(line))
}

impl Input {
    /// Another file that is read in the same way.
    pub(crate) fn with_path(&self, path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            reading: self.reading.clone(),
            module_start: OnceLock::new(),
            text: OnceLock::new(),
            is_one_of_many: self.is_one_of_many,
            relative: PathBuf::new(),
        }
    }

    /// As [`Self::with_path`], for one of several files that are read on their own.
    pub(crate) fn one_of_many(&self, file: File) -> Self {
        Self { is_one_of_many: true, relative: file.relative, ..self.with_path(&file.path) }
    }

    /// The path below which output for one of several files is written: relative to the folder or pattern
    /// that matched it.
    pub(crate) fn relative(&self) -> &Path {
        &self.relative
    }

    pub(crate) fn is_one_of_many(&self) -> bool {
        self.is_one_of_many
    }

    /// A bar for work on this file, unless there is one for all files.
    pub(crate) fn progress(&self, what: &'static str) -> Progress {
        if self.is_one_of_many { Progress::hidden() } else { Progress::new(what) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The release that the command line names.
    pub(crate) fn release(&self) -> Option<&str> {
        self.reading.knowledge.release.as_deref()
    }

    pub(crate) fn open(&self) -> Result<Module, Problem> {
        self.open_with(ReadOptions::default())
    }

    /// The file with all its modules, of which `--module` chooses one; a nested module is a file of its own.
    pub(crate) fn open_artifact(&self) -> Result<Artifact, Problem> {
        self.open_artifact_with(ReadOptions::default())
    }

    /// As [`Self::open_artifact`]; reading the IR ends in an error soon after `stop` was set.
    pub(crate) fn open_artifact_until(&self, stop: &Stop) -> Result<Artifact, Problem> {
        self.open_artifact_with(stop.options())
    }

    fn open_artifact_with(&self, options: ReadOptions) -> Result<Artifact, Problem> {
        let (source, options) = self.unopened_with(options)?;
        if options.module.as_ref().is_some_and(chooses_nested) {
            return Ok(Artifact::of(&self.open()?));
        }
        Ok(Artifact::from_source(source, &options)?)
    }

    /// Opens the file with all its modules. If `--module` names a nested module, the result is the enclosing module and the
    /// path of the nested one.
    pub(crate) fn open_around(&self) -> Result<(Artifact, Option<String>), Problem> {
        let (source, mut options) = self.unopened_with(ReadOptions::default())?;
        let nested = match &options.module {
            Some(ModuleChoice::Name(path)) if artifact::is_nested(path) => Some(path.clone()),
            _ => None,
        };
        if let Some(around) = nested.as_deref().and_then(artifact::path_around) {
            options.module = Some(ModuleChoice::Name(around.to_owned()));
        }
        let artifact = Artifact::from_source(source, &options)?;
        if let Some(path) = &nested {
            artifact.find_nested(path)?;
        }
        Ok((artifact, nested))
    }

    /// The tensors of a file without a program; `None` for other files.
    pub(crate) fn parameter_file(&self) -> Result<Option<ParameterFile>, Problem> {
        // The usual message is better for a file that cannot be opened.
        let Ok(source) = self.source() else { return Ok(None) };
        let folder = self.path.parent().filter(|_| remote::url(&self.path).is_none() && !self.is_stdin());
        let folder = folder.map(Path::to_owned);
        ParameterFile::recognize(&source, folder, &self.limits()).map_err(Problem::File)
    }

    /// Whether `--module` is given.
    pub(crate) fn chooses_module(&self) -> bool {
        self.reading.module.is_some()
    }

    fn open_with(&self, options: ReadOptions) -> Result<Module, Problem> {
        let (source, options) = self.unopened_with(options)?;
        if let Some(ModuleChoice::Name(path)) =
            options.module.as_ref().filter(|choice| chooses_nested(choice))
        {
            let options = options.clone().module(None);
            return Ok(Artifact::from_source(source, &options)?.open_nested(path)?);
        }
        let module = Module::from_source(source, &options)?;
        self.module_start.get_or_init(|| module.source().start());
        Ok(module)
    }

    /// The file and how to read it, for a command that reads damaged files.
    pub(crate) fn unopened(&self) -> Result<(Source, ReadOptions), Problem> {
        let (source, options) = self.unopened_with(ReadOptions::default())?;
        match options.module.as_ref().is_some_and(chooses_nested) {
            // A nested module is a file of its own.
            true => Ok((self.open()?.source().clone(), options.module(None))),
            false => Ok((source, options)),
        }
    }

    fn unopened_with(&self, options: ReadOptions) -> Result<(Source, ReadOptions), Problem> {
        let (limits, module) = (self.limits(), self.reading.module.clone());
        let options = self.reading.knowledge.read(options.limits(limits).module(module))?;
        let source = self.source().map_err(|error| match error.kind() {
            ErrorKind::Io => Problem::Open(error),
            _ => Problem::File(error),
        })?;
        self.binary(source, &options)
    }

    /// The bytecode of a text, and other files unchanged.
    fn binary(&self, source: Source, options: &ReadOptions) -> Result<(Source, ReadOptions), Problem> {
        let file = ModuleFile::new(self.path.display().to_string());
        let binary = file.assembled(source.clone(), options)?;
        if binary.is_text && self.text.set(source).is_ok() {
            self.note_release(&file);
        }
        Ok((binary.source, binary.options))
    }

    fn note_release(&self, file: &ModuleFile) {
        let Some(found) = file.text_release() else { return };
        let reason = found.reason(Release::default().as_str());
        let (name, release) = (self.name(), found.name);
        let note =
            format!("the text is for {release}, because {reason}; `--release` chooses another release");
        tell(&format!("{}: note: {note}", printable(&name)));
    }

    /// Whether the file is text, which was assembled; known once the file is open.
    pub(crate) fn is_text(&self) -> bool {
        self.text.get().is_some()
    }

    /// The limits that the options set, with defaults for the other limits.
    pub(crate) fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits::default()
            .max_depth(self.reading.max_depth.unwrap_or(default.max_depth))
            .max_memory(self.reading.max_memory.or(default.max_memory))
            .max_text(self.reading.max_text.or(default.max_text))
            .max_decompressed(self.reading.max_decompressed.or(default.max_decompressed))
    }

    /// An error of the module, saying where in a container the module is, or with the line of a text.
    pub(crate) fn located(&self, error: Error) -> Error {
        if let Some(text) = self.text.get() {
            return with_line_of(error, text, &self.path.display().to_string());
        }
        match self.module_start.get() {
            Some(&start) if error.module_start() == 0 => error.in_module_at(start),
            _ => error,
        }
    }

    fn source(&self) -> mlirbc::Result<Source> {
        if self.is_stdin() {
            return files::read_stdin(&self.limits()).map(Into::into);
        }
        if let Some(url) = remote::url(&self.path) {
            return remote::open(url, &self.limits(), self.reading.allow_redirects);
        }
        let backend = match self.reading.backend {
            BackendName::Map if self.is_one_of_many() => {
                // Mapping many small files, and unmapping them in all threads, takes longer than reading them.
                if let Some((bytes, _)) = mlirbc::bytes::read_small(&self.path) {
                    return Ok(bytes.into());
                }
                Backend::Map
            }
            BackendName::Map => Backend::Map,
            BackendName::Read => Backend::Read,
        };
        let model_file = if self.path.is_dir() { model_folders::model_file(&self.path) } else { None };
        Source::open_with(model_file.as_deref().unwrap_or(&self.path), backend, &self.limits())
    }

    fn is_stdin(&self) -> bool {
        files::is_stdin(&self.path)
    }

    /// The name of the file in messages.
    pub(crate) fn name(&self) -> String {
        files::name(&self.path)
    }
}
