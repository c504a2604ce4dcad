//! A file in any form that has a module: bytecode, a container, or the text of a module.
//!
//! Owns [`ModuleFile`], which decides by the content of a file whether it is text, and assembles text in memory. The
//! result is bytecode, which `ir` reads; the parser belongs to `parse`, and containers to `container`.

use std::fmt;
use std::path::Path;

use crate::file::ReadOptions;
use crate::format::container::is_text;
use crate::ir::Module;
use crate::ops::OperationDefinitions;
use crate::parse::{ParseOptions, TargetFinder, TextRelease, prepare};
use crate::release::Release;
use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result, TextPlace};
use crate::wire::limits::out_of_memory;

/// A file whose content is bytecode, a container, or the text of a module.
///
/// ```
/// use mlirbc::artifact::ModuleFile;
/// let text = b"%0 = arith.constant 1 : i32".to_vec();
/// let module = ModuleFile::new("a.mlir").open(text.into(), &Default::default())?;
/// assert_eq!(module.operation()?.pre_order().count(), 2);
/// assert!(ModuleFile::new("a.mlir").open(mlirbc::doc_example().into(), &Default::default()).is_ok());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct ModuleFile {
    name: String,
    finder: TargetFinder,
}

/// Bytecode or a container, and how it is read.
#[doc(hidden)]
#[derive(Clone)]
pub struct BinaryModule {
    /// The bytes; for a text, the bytecode that was assembled.
    pub source: Source,
    /// The options for reading the bytes.
    pub options: ReadOptions,
    /// Whether the file is text.
    pub is_text: bool,
}

impl fmt::Debug for BinaryModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BinaryModule")
            .field("source", &self.source)
            .field("is_text", &self.is_text)
            .finish_non_exhaustive()
    }
}

impl ModuleFile {
    /// Creates a file with its name in locations and errors of a text.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), finder: TargetFinder::of_any_form() }
    }

    /// Opens the module that the options choose.
    ///
    /// # Errors
    /// As [`Module::from_source`], and for text as [`parse`](crate::parse::parse).
    pub fn open(&self, source: Source, options: &ReadOptions) -> Result<Module> {
        let binary = self.assembled(source, options)?;
        Module::from_source(binary.source, &binary.options)
    }

    /// Assembles the file if it is text, for the release in the options or else for the release that has its
    /// operations. Other files are returned unchanged.
    ///
    /// # Errors
    /// The errors of reading the source, and for text as [`parse`](crate::parse::parse).
    pub fn assembled(&self, source: Source, options: &ReadOptions) -> Result<BinaryModule> {
        if !is_text(&source)? {
            return Ok(BinaryModule { source, options: options.clone(), is_text: false });
        }
        let parse = self.parse_options(options);
        let prepared = prepare(source, &parse).map_err(with_hint_for_other_texts)?;
        let (len, mut bytes) = (prepared.len() as usize, Vec::new());
        bytes.try_reserve_exact(len).map_err(|_| out_of_memory(len))?;
        prepared.write(&mut bytes)?;
        let release = self.finder.found().map(|found| Release::named(found.name));
        // The producer string names the default release.
        let release = release.or_else(|| Some(parse.target).filter(|target| *target != Release::default()));
        let options = ReadOptions { release: options.release.clone().or(release), ..options.clone() };
        Ok(BinaryModule { source: bytes.into(), options, is_text: true })
    }

    fn parse_options(&self, options: &ReadOptions) -> ParseOptions {
        ParseOptions {
            target: options.release.clone().unwrap_or_else(|| default_target(!options.dialects.is_empty())),
            finder: options.release.is_none().then(|| self.finder.clone()),
            like: options.like.clone(),
            file: self.name.clone(),
            limits: options.limits.clone(),
            dialects: options.dialects.clone(),
            interfaces: options.interfaces.clone(),
            interrupt: options.interrupt.clone(),
            ..ParseOptions::default()
        }
    }

    /// The release for which a text was assembled, if the default release does not have its operations.
    pub fn text_release(&self) -> Option<TextRelease> {
        self.finder.found()
    }
}

/// The release of a text if nothing in the text decides: with dialects of a pack, the release of the pack.
#[doc(hidden)]
pub fn default_target(has_dialects: bool) -> Release {
    let pack = OperationDefinitions::of_packs().next().filter(|_| has_dialects);
    pack.map_or_else(Release::default, |pack| Release::named(pack.release()))
}

/// An error at the first word of a text may mean that the text is not MLIR; later errors say nothing then.
fn with_hint_for_other_texts(error: Error) -> Error {
    let is_at_start = error.text_place().is_some_and(is_start);
    match error.kind() == ErrorKind::AsmSyntax && is_at_start {
        true => error
            .with_others(Vec::new(), 0)
            .with_hint("pass MLIR: bytecode, text that `mlir-opt` reads, or an artifact with modules"),
        false => error,
    }
}

fn is_start(place: &TextPlace) -> bool {
    let is_no_word = |c: char| c.is_whitespace() || matches!(c, '#' | '!' | '%' | '@' | '^');
    place.line == 1 && place.text.chars().take(place.before).all(is_no_word)
}

impl Module {
    /// Opens a file: bytecode, a container with modules, or the text of a module, which is assembled in memory.
    ///
    /// # Errors
    /// If the file cannot be opened, or is neither bytecode, nor a container, nor valid text.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-open-{}", std::process::id()));
    /// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
    /// let module = mlirbc::Module::open(&path)?;
    /// assert_eq!(module.size(), 131);
    /// # std::fs::write(&path, "module {}").unwrap();
    /// assert_eq!(mlirbc::Module::open(&path)?.operation()?.name(), "builtin.module");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Opens a file with options. A text is assembled for [`ReadOptions::release`], or else for LLVM 22 or the newest
    /// release that has all its operations.
    ///
    /// # Errors
    /// As [`Self::open`].
    ///
    /// ```
    /// use mlirbc::bytes::Backend;
    /// use mlirbc::{Module, ReadOptions};
    /// # let path = std::env::temp_dir().join(format!("mlirbc-open-with-{}", std::process::id()));
    /// # std::fs::write(&path, mlirbc::doc_example()).unwrap();
    /// let options = ReadOptions::default().backend(Backend::Read);
    /// assert_eq!(Module::open_with(&path, &options)?.size(), 131);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let source = Source::open_with(&path, options.backend, &options.limits)?;
        ModuleFile::new(path.as_ref().display().to_string()).open(source, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &[u8], options: &ReadOptions) -> Result<Module> {
        ModuleFile::new("a.mlir").open(text.to_vec().into(), options)
    }

    #[test]
    fn text_is_assembled_for_the_release_that_has_its_operations() {
        let text = b"func.func @f(%x: tensor<f32>) { %0 = stablehlo.abs %x : tensor<f32>\n return }";
        let module = open(text, &ReadOptions::default()).unwrap();
        assert_eq!(module.release().unwrap().name(), Some("jaxlib-0.10"));
        let options = ReadOptions::default().release(Release::named("llvm-19"));
        let error = open(text, &options).unwrap_err();
        assert_eq!((error.kind(), error.text_place().unwrap().line), (ErrorKind::AsmOperation, 1));
        let generic = b"%0 = \"stablehlo.constant\"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>";
        assert_eq!(
            open(generic, &ReadOptions::default()).unwrap().release().unwrap().name(),
            Some("jaxlib-0.10")
        );
        let module = open(b"module {}", &options).unwrap();
        assert_eq!(module.release().unwrap().name(), Some("llvm-19"));
    }

    #[test]
    fn other_files_have_clear_errors() {
        let kind = |bytes: &[u8]| open(bytes, &ReadOptions::default()).unwrap_err().kind();
        assert_eq!(kind(b""), ErrorKind::Empty);
        assert_eq!(kind(b"\x01\x02\x03\x04"), ErrorKind::Magic);
        assert_eq!(kind(b"HloModule f"), ErrorKind::OtherFormat);
        for text in [&b"{\"a\": 1}\n{"[..], b"# A title\n\nA line.\n= ("] {
            let error = open(text, &ReadOptions::default()).unwrap_err();
            assert!(error.hint().is_some_and(|hint| hint.starts_with("pass MLIR")), "{error}");
            assert!(error.others().is_empty());
        }
    }
}
