//! Modules inside attributes of a module: kernels of accelerators in custom calls, and bytecode in other attributes.
//!
//! Owns [`NestedModule`] and the search for the modules that the table of hosts describes. `encoding` and
//! `values` read and write the attributes, `edit` replaces modules. The table belongs to `container::hosts`.

mod attributes;
mod content;
mod edit;
mod encoding;
mod literals;
mod message;
mod scan;
mod values;

use crate::file::ReadOptions;
use crate::format::container::MAGIC;
use crate::ir::Module;
use crate::parse::ParseOptions;
use crate::print::PrintOptions;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};
use crate::write::WriteOptions;

pub(crate) use attributes::{named, named_attributes};
pub(crate) use edit::without_nested_locations;
pub(super) use edit::{Change, with_changes};
use scan::Scan;
pub(crate) use scan::{AttributesKey, key_of};

/// A module inside an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NestedModule {
    /// The path: the path of the module around it, `kernels`, and the name or else the number of the kernel.
    pub path: String,
    /// The target of the custom call, or the name of the operation, that holds the module.
    pub target: String,
    /// Whether the module is stored as text instead of bytecode.
    pub is_text: bool,
    /// The bytecode or the text.
    pub bytes: Bytes,
    /// The attribute of the module with the version of its stable dialect, and that version.
    pub version: Option<(String, u64)>,
    /// Whether the hash that is stored with the module is its own; `None` without a hash.
    pub hash_matches: Option<bool>,
    /// The attributes of the operations that hold the module.
    pub(crate) holder: AttributesKey,
}

/// Whether a path is the path of a nested module.
///
/// ```
/// use mlirbc::artifact::is_nested;
/// assert!(is_nested("vjp/kernels/matmul") && !is_nested("vjp/vjp"));
/// ```
#[doc(hidden)]
pub fn is_nested(path: &str) -> bool {
    path_around(path).is_some()
}

/// Returns the path of the container's module around a nested module; `None` for other paths.
#[doc(hidden)]
pub fn path_around(path: &str) -> Option<&str> {
    path.split_once("/kernels/").map(|(around, _)| around)
}

/// Contents of an attribute that holds modules in other files, but here something that is not MLIR: an
/// archive, machine code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedObject {
    /// The path, formed like the path of a module.
    pub path: String,
    /// The target of the custom call, or the name of the operation, that holds the object.
    pub target: String,
    /// The format: `a zip archive`, `LLVM bitcode`, `data` for an unknown format.
    pub kind: &'static str,
    /// The bytes.
    pub bytes: Bytes,
}

/// The contents of the attributes of a module and of its nested modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NestedContents {
    /// The modules in the order of the operations, each before the modules inside it.
    pub modules: Vec<NestedModule>,
    /// The contents that are not MLIR.
    pub objects: Vec<EmbeddedObject>,
}

impl NestedModule {
    /// Opens the module.
    ///
    /// # Errors
    /// [`ErrorKind::Text`] if it is stored as text, and the errors of reading the module, which name its
    /// path.
    pub fn open(&self, limits: &Limits) -> Result<Module> {
        let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
        Module::from_source(self.bytes.clone().into(), &options).map_err(|error| self.located(error))
    }

    /// Opens the module with the options of the module around it, but not its release.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn open_in(&self, outer: &Module) -> Result<Module> {
        outer.like_of_release(self.bytes.clone().into(), None).map_err(|error| self.located(error))
    }

    /// Returns the module as it is written with options, in the form in which it is stored. Text is parsed
    /// first, and printed in generic form; only the options that leave out locations and resources apply to
    /// text.
    ///
    /// # Errors
    /// The errors of reading and of writing the module, which name its path.
    ///
    /// ```
    /// use mlirbc::{Artifact, WriteOptions, write::Numbering};
    /// let artifact = Artifact::open("../../tests/data/containers/tpu_kernel.jax")?;
    /// let options = WriteOptions::default().numbering(Numbering::Canonical).strip_locations(true);
    /// let kernel = &artifact.nested(0)?[0];
    /// assert!(kernel.written(&options, artifact.limits())?.len() < kernel.bytes.len());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn written(&self, options: &WriteOptions, limits: &Limits) -> Result<Bytes> {
        let written = match self.is_text {
            true => self.written_text(options, limits),
            false => self.open(limits).and_then(|module| {
                let mut bytes = Vec::new();
                module.write(&mut bytes, options)?;
                Ok(bytes.into())
            }),
        };
        written.map_err(|error| self.located(error))
    }

    fn written_text(&self, options: &WriteOptions, limits: &Limits) -> Result<Bytes> {
        let has_locations = self.bytes.windows(4).any(|window| window == b"loc(");
        let has_resources = self.bytes.windows(3).any(|window| window == b"{-#");
        if !(options.strip_locations && has_locations || options.strip_resources && has_resources) {
            return Ok(self.bytes.clone());
        }
        let module = self.parse(limits)?;
        let options = WriteOptions {
            strip_locations: options.strip_locations,
            strip_resources: options.strip_resources,
            ..WriteOptions::default()
        };
        let module = module.prepare_write(&options)?.into_module()?;
        let locations = !options.strip_locations;
        let print = PrintOptions { lossless: true, strict: true, locations, ..PrintOptions::generic() };
        let mut text = Vec::new();
        module.print(&mut text, &print)?;
        Ok(text.into())
    }

    /// Opens the module, and parses it first if it is stored as text.
    ///
    /// # Errors
    /// The errors of reading or of parsing it, which name its path.
    #[doc(hidden)]
    pub fn read(&self, limits: &Limits) -> Result<Module> {
        match self.is_text {
            true => self.parse(limits).map_err(|error| self.located(error)),
            false => self.open(limits),
        }
    }

    fn parse(&self, limits: &Limits) -> Result<Module> {
        let options =
            ParseOptions { file: self.path.clone(), limits: limits.clone(), ..ParseOptions::default() };
        crate::parse::parse(&self.bytes, &options)
    }

    /// # Errors
    /// If bytes are neither bytecode that can be opened nor, in place of text, the text of a module.
    pub(super) fn check_replacement(&self, bytes: &Bytes) -> Result<()> {
        let new = Self { bytes: bytes.clone(), is_text: false, ..self.clone() };
        match content::Content::of(bytes) {
            content::Content::Text if self.is_text => Ok(()),
            _ => new.open(&Limits::default()).map(drop),
        }
    }

    /// Adds the path of the module to an error.
    #[doc(hidden)]
    pub fn located(&self, error: Error) -> Error {
        error.in_context(&format!("module `{}`", self.path))
    }

    /// A remark for readers of the module if its stored hash is not its own.
    #[doc(hidden)]
    pub fn note(&self) -> Option<String> {
        let note = "has a hash that is not the SHA-256 of its bytes; it stays when the module changes";
        (self.hash_matches == Some(false)).then(|| format!("`{}` {note}", self.path))
    }
}

/// The part of a path between a module and the name of a kernel in it.
pub(super) const KERNELS: &str = "kernels";

/// The most levels of nested modules that are searched; readers of kernels know one level.
pub(super) const DEPTH: usize = 16;

/// Returns the nested modules of a module; `path` is the path of the module.
///
/// # Errors
/// If the module is malformed, an attribute cannot be decoded, modules are nested too deep, or a limit is
/// exceeded. A nested module that cannot be read is listed; reading it returns the error.
pub(crate) fn nested(module: &Module, path: &str) -> Result<NestedContents> {
    let budget = module.tables().work_budget();
    let mut contents = NestedContents::default();
    // Modules that are not listed yet, with the modules around them; the last one is next.
    let mut pending = Vec::new();
    let mut current = Some((module.clone(), path.to_owned(), 0));
    loop {
        if let Some((outer, path, depth)) = current.take() {
            let scan = Scan::of(&outer, &path, &budget)?;
            check_depth(&scan, depth)?;
            contents.objects.extend(scan.objects);
            pending.extend(scan.modules.into_iter().rev().map(|nested| (nested, outer.clone(), depth + 1)));
        }
        let Some((nested, outer, depth)) = pending.pop() else { return Ok(contents) };
        if !nested.is_text {
            spend_opening(&budget, &nested.bytes)?;
            let inner = nested.open_in(&outer);
            current = inner.ok().map(|inner| (inner, nested.path.clone(), depth));
        }
        contents.modules.push(nested);
    }
}

/// # Errors
/// [`ErrorKind::DepthLimit`] for a module inside the innermost module that is searched.
fn check_depth(scan: &Scan, depth: usize) -> Result<()> {
    match scan.modules.first().filter(|_| depth >= DEPTH) {
        Some(nested) => {
            let error =
                Error::message(ErrorKind::DepthLimit, format!("it is the {}th in one another", depth + 1));
            Err(nested.located(error).with_hint(format!("at most {DEPTH} modules in one another are read")))
        }
        None => Ok(()),
    }
}

/// Charges the least work of opening a module.
fn spend_opening(budget: &Budget, bytes: &Bytes) -> Result<()> {
    const TABLES: usize = 1 << 12;
    budget.spend(bytes.len() + TABLES)
}

/// Whether bytes are bytecode.
fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
