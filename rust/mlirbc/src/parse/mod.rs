//! Parses MLIR assembly into modules, as `mlir-opt` of a release does.
//!
//! Owns the grammar of operations, blocks and regions (`mlir/lib/AsmParser/Parser.cpp`): the generic form of
//! all operations, and custom forms with a declarative format in their definition (`ops`) or with a file in
//! `custom`. Does not own attributes and types (`attr::text`) nor the encoding of the module (`edit`,
//! `write`): operations become rows of an [`Editor`], which is written in MLIR's numbering.
//!
//! Uses are created in the order of MLIR's parser, an operation after its nested operations, so that written
//! use orders are equal to MLIR's. Open operations and regions are on an explicit stack, not on the call
//! stack.

mod attribute_lists;
mod case_spelling;
mod cases;
mod completion_cache;
mod custom;
mod dialects;
mod error_positions;
mod expressions;
mod finish;
mod frames;
mod generic;
mod infer;
mod insert;
mod locations;
mod module;
mod names;
mod operands;
mod operation_cache;
mod operation_info;
mod parts;
mod recovery;
mod region;
mod resolve_rows;
mod resources;
mod source;
mod suggest;
mod survey;
mod syntax;
mod text_release;
mod top_level;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::dialect::DialectTable;
use crate::edit::Editor;
use crate::file::hooks::DialectInterfaces;
use crate::file::{FileTables, Interrupt, ReadOptions};
use crate::ir::Module;
use crate::release::{KnownRelease, Llvm, Release};
use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Limits, out_of_memory};
use crate::wire::options::setters;
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;
use crate::write::{Numbering, PreparedWrite, WriteOptions};

use frames::AsmParser;

pub use insert::InsertOptions;
pub use survey::{
    SourceToken, SourceTokenKind, SurveyedOperation, SurveyedValue, TextSurvey, source_tokens, survey,
};
pub use text_release::{TargetFinder, TextRelease};

/// Options for parsing a text.
///
/// ```
/// use mlirbc::parse::ParseOptions;
/// let options = ParseOptions::default().file("model.mlir");
/// assert_eq!(options.target, mlirbc::Release::default());
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The release whose `mlir-opt` the text is for, one of [`Release::known`].
    pub target: Release,
    /// Chooses another release if the target lacks an operation of the text, and another release has all of
    /// them.
    #[doc(hidden)]
    pub finder: Option<TargetFinder>,
    /// A reference file from the build that the module is for. The operations are registered as in that file, and
    /// have the same property layouts.
    #[doc(hidden)]
    pub like: Option<FileTables>,
    /// The bytecode version of the module; by default the newest one that the release writes.
    pub version: Option<BytecodeVersion>,
    /// The name of the file in locations and errors.
    pub file: String,
    /// The first line of the text in that file, from 1.
    #[doc(hidden)]
    pub first_line: u64,
    /// The line and the column for the location of a module operation that is added around the text.
    #[doc(hidden)]
    pub wrapper: (u64, u64),
    /// Whether operations and block arguments have their positions as locations, also where the text has `loc(…)`.
    #[doc(hidden)]
    pub positions: bool,
    /// The limits of memory and depth.
    pub limits: Limits,
    /// Tables of dialects, in place of registered ones.
    pub dialects: Vec<Arc<DialectTable>>,
    /// The code of dialects that reads the module afterwards.
    pub interfaces: DialectInterfaces,
    /// An interrupt that is polled at intervals.
    pub interrupt: Option<Interrupt>,
    /// Receives the number of parsed bytes of the text, and then of written bytes of the module.
    pub progress: Progress,
}

setters! {
    ParseOptions {
        target: Release,
        #[doc(hidden)]
        finder: impl Into<Option<TargetFinder>>,
        #[doc(hidden)]
        like: impl Into<Option<FileTables>>,
        version: impl Into<Option<BytecodeVersion>>,
        file: impl Into<String>,
        #[doc(hidden)]
        first_line: u64,
        #[doc(hidden)]
        wrapper: (u64, u64),
        #[doc(hidden)]
        positions: bool,
        limits: Limits,
        dialects: Vec<Arc<DialectTable>>,
        interfaces: DialectInterfaces,
        interrupt: Interrupt,
        progress: Progress,
    }
}

// The callbacks are only called; their state is not observed.
impl std::panic::UnwindSafe for ParseOptions {}
impl std::panic::RefUnwindSafe for ParseOptions {}

impl fmt::Debug for ParseOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParseOptions")
            .field("target", &self.target)
            .field("finder", &self.finder)
            .field("like", &self.like.is_some())
            .field("version", &self.version)
            .field("file", &self.file)
            .field("first_line", &self.first_line)
            .field("wrapper", &self.wrapper)
            .field("positions", &self.positions)
            .field("limits", &self.limits)
            .field("dialects", &self.dialects)
            .field("interrupt", &self.interrupt.is_some())
            .field("progress", &self.progress)
            .finish()
    }
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            target: Release::default(),
            finder: None,
            like: None,
            version: None,
            file: "-".into(),
            first_line: 1,
            wrapper: (0, 0),
            positions: false,
            limits: Limits::default(),
            dialects: Vec::new(),
            interfaces: DialectInterfaces::default(),
            interrupt: None,
            progress: Progress::default(),
        }
    }
}

/// Parses a text into a module that is equal to the output of `mlir-opt FILE --emit-bytecode
/// --allow-unregistered-dialect`, byte for byte.
///
/// A text that is not exactly one `builtin.module` becomes the body of one.
///
/// # Errors
/// Errors of the domain Assembly with the [place](Error::text_place) in the text; `DepthLimit` and
/// `MemoryLimit`; [`ErrorKind::UnknownRelease`]; [`ErrorKind::Interrupted`] if a stop was requested. Parsing
/// continues after an error if that is safe: the first error is returned, and contains the
/// [others](Error::others).
///
/// ```
/// let text = r#"
///     %0 = arith.constant 1 : i32
///     %1 = arith.addi %0, %0 : i32
///     "test.use"(%1) : (i32) -> ()
/// "#;
/// let module = mlirbc::parse::parse(text, &Default::default())?;
/// assert_eq!(module.operation()?.pre_order().count(), 4);
///
/// let error = mlirbc::parse::parse("%0 = arith.adid %1, %1 : i32", &Default::default()).unwrap_err();
/// assert_eq!(error.hint(), Some("did you mean `arith.addi`?"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn parse(text: impl AsRef<[u8]>, options: &ParseOptions) -> Result<Module> {
    let bytes = assemble(text.as_ref(), options)?;
    let chosen_release = options.finder.as_ref().and_then(TargetFinder::found);
    let read = ReadOptions {
        release: Some(
            chosen_release
                .map_or_else(|| options.target.clone(), |chosen_release| Release::named(chosen_release.name)),
        ),
        limits: options.limits.clone(),
        interrupt: options.interrupt.clone(),
        dialects: options.dialects.clone(),
        interfaces: options.interfaces.clone(),
        like: options.like.clone(),
        ..ReadOptions::default()
    };
    Module::from_source(bytes.into(), &read)
}

/// Returns the bytes of the module of a text.
///
/// # Errors
/// As [`parse`].
pub fn assemble(text: impl AsRef<[u8]>, options: &ParseOptions) -> Result<Vec<u8>> {
    let prepared = prepared(text, None, options)?;
    let (len, mut bytes) = (prepared.len() as usize, Vec::new());
    bytes.try_reserve_exact(len).map_err(|_| out_of_memory(len))?;
    prepared.write(&mut bytes)?;
    Ok(bytes)
}

/// Prepares the module of a text from a source, which may be a mapped file; the bytes are produced when they
/// are written.
///
/// # Errors
/// As [`parse`], and [`ErrorKind::Shrunk`] if a mapped file became shorter.
///
/// ```
/// use mlirbc::bytes::{Backend, Source};
/// # let path = std::env::temp_dir().join(format!("mlirbc-text-{}", std::process::id()));
/// # std::fs::write(&path, "\"t.a\"() : () -> ()").unwrap();
/// let source = Source::open(&path, Backend::Map)?;
/// let prepared = mlirbc::parse::prepare(source, &Default::default())?;
/// let mut bytes = Vec::new();
/// prepared.write(&mut bytes)?;
/// assert_eq!(bytes, mlirbc::parse::assemble("\"t.a\"() : () -> ()", &Default::default())?);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn prepare(source: Source, options: &ParseOptions) -> Result<PreparedWrite> {
    prepared(source.get(0..source.len())?, Some(source), options)
}

/// Releases the parsed part of a text at intervals, because the rows of the editor take more memory than the
/// text, and both need not be in memory together. Each pass over the text begins at zero.
fn forgetting(source: Source, progress: Progress) -> Progress {
    const STEP: u64 = 4 << 20;
    let forgotten = AtomicU64::new(0);
    Progress::new(move |done, all| {
        let from = forgotten.load(Ordering::Relaxed);
        if done < from || done >= from + STEP {
            source.forget(from.min(done)..if done < from { source.len() } else { done });
            forgotten.store(done, Ordering::Relaxed);
        }
        progress.report(done, all);
    })
}

/// Prepares the module of a text, which may belong to a source.
fn prepared(text: impl AsRef<[u8]>, source: Option<Source>, options: &ParseOptions) -> Result<PreparedWrite> {
    if u32::try_from(text.as_ref().len()).is_err() {
        return Err(Error::message(ErrorKind::MemoryLimit, "a text cannot have 4 GiB"));
    }
    let read = |options: &ParseOptions| match &source {
        None => AsmParser::parse(text.as_ref(), options),
        Some(source) => {
            let progress = forgetting(source.clone(), options.progress.clone());
            let parsed = AsmParser::parse(text.as_ref(), &ParseOptions { progress, ..options.clone() });
            source.check()?;
            parsed
        }
    };
    let mut parsed = read(options);
    if let (Err(error), Some(finder)) = (&parsed, &options.finder)
        && error.kind() == ErrorKind::AsmOperation
    {
        // Parsing ended at the first operation that the target lacks.
        let mut again = ParseOptions { finder: None, ..options.clone() };
        if let Some(release) = TextRelease::of(text.as_ref(), &options.target) {
            again.target = Release::named(release.name);
            finder.keep(release);
        }
        parsed = read(&again);
    } else if parsed.is_ok()
        && let Some(finder) = options.finder.as_ref().filter(|finder| finder.has_generic())
        && let Some(release) = TextRelease::of_any_form(text.as_ref(), &options.target)
    {
        let target = Release::named(release.name);
        let again = read(&ParseOptions { finder: None, target, ..options.clone() });
        // A text that is only generic for the other release stays as it is.
        if again.is_ok() {
            finder.keep(release);
            parsed = again;
        }
    }
    let (module, lines) = parsed.map_err(|error| error_positions::of_file(text.as_ref(), error))?;
    // Writing the module needs neither a text that was moved here nor the rows of the editor.
    drop((text, source));
    let editor: Editor = module.place(&lines)?;
    drop(lines);
    let module = editor.into_module()?;
    let progress = options.progress.clone();
    let options = WriteOptions { numbering: Numbering::Canonical, progress, ..WriteOptions::default() };
    module.prepare_write(&options)
}

/// Splits a text at the marks `// -----`; returns the parts, each with options for its position in the file.
///
/// Before MLIR 22, locations in a part count from its first line, in a file that is named after the line.
///
/// ```
/// use mlirbc::parse::split;
/// let parts = split(b"\"t.a\"() : () -> ()\n// -----\n\"t.b\"() : () -> ()\n", &Default::default());
/// assert_eq!((parts.len(), parts[1].1.first_line), (2, 2));
/// ```
#[doc(hidden)]
pub fn split<'t>(text: &'t [u8], options: &ParseOptions) -> Vec<(&'t [u8], ParseOptions)> {
    const MARK: &[u8] = b"// -----";
    let llvm = crate::release::find_base(options.target.as_str())
        .ok()
        .flatten()
        .map_or(Llvm::NEWEST, KnownRelease::llvm);
    let options_at = |(line, column): (u64, u64), is_first: bool| match llvm.numbers_lines_of_splits() {
        true => {
            let wrapper = if is_first { options.wrapper } else { (line, column) };
            ParseOptions { first_line: line, wrapper, ..options.clone() }
        }
        false => {
            let file = format!("within split at {}:{line} offset ", options.file);
            ParseOptions { file, first_line: 1, ..options.clone() }
        }
    };
    let (mut parts, mut start, mut place) = (Vec::new(), 0, (options.first_line, 1));
    let (mut line, mut line_start) = (options.first_line, 0);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\n' => {
                line += 1;
                line_start = at + 1;
            }
            // A mark may be anywhere in its line, but not at the end of the text or before a zero byte
            // (`splitAndProcessBuffer` in `mlir/lib/Support/ToolUtilities.cpp`).
            b'/' if at >= start && text.get(at..).is_some_and(|rest| rest.starts_with(MARK)) => {
                let end = at + MARK.len();
                if matches!(text.get(end), None | Some(b'0')) {
                    continue;
                }
                parts.push((text.get(start..at).unwrap_or_default(), options_at(place, parts.is_empty())));
                // The rest of the line after a mark belongs to the next part.
                (start, place) = (end, (line, (end - line_start) as u64 + 1));
            }
            _ => {}
        }
    }
    parts.push((text.get(start..).unwrap_or_default(), options_at(place, parts.is_empty())));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    // This is the behaviour of `mlir-opt --split-input-file` of release 22.
    #[test]
    fn a_mark_may_be_anywhere_in_its_line() {
        let text = b"\"t.a\"() : () -> ()\n  // // -----\n\"t.b\"() : () -> ()\n// -----0\n// -----";
        let parts = split(text, &ParseOptions::default());
        let texts: Vec<_> = parts.iter().map(|part| String::from_utf8_lossy(part.0)).collect();
        assert_eq!(texts, ["\"t.a\"() : () -> ()\n  // ", "\n\"t.b\"() : () -> ()\n// -----0\n// -----"]);
        assert_eq!((parts[1].1.first_line, parts[1].1.wrapper), (2, (2, 14)));
    }
}
