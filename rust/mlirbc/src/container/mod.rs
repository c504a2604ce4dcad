//! Containers: files with bytecode inside another format.
//!
//! Owns [`Container`], which recognises a compressed stream, a JAX export, a SavedModel of TensorFlow and a
//! manifest of Orbax, and names the modules inside. A module is a range of the file (or of the decompressed
//! file), and reading it counts offsets and alignments from its own first byte. Files that are bytecode from
//! their first byte have no container. `format::other_files` names other formats, for messages.

mod compression;
mod container_pieces;
mod flatbuffer;
pub(crate) mod hlo_sharding;
pub(crate) mod hosts;
pub mod jax;
mod orbax;
mod protobuf;
#[cfg(test)]
mod protobuf_tests;
mod saved_model;

use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::str::FromStr;

use serde::Serialize;

use crate::format::container::MAGIC;
use crate::release::JaxRelease;
use crate::wire::bytes::Source;
use crate::wire::cursor::FieldVisitor;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

pub use compression::Compression;
use container_pieces::{ContainerPiece, ContainerPieces};
use flatbuffer::Flatbuffer;
pub use hosts::HostTable;
use jax::Exported;
pub(crate) use jax::{NewArgument, SignatureChange};
use protobuf::{CallField, EnclosedModule, Protobuf};

/// The choice of a module of a container.
///
/// ```
/// use mlirbc::container::ModuleChoice;
/// assert_eq!("1".parse(), Ok(ModuleChoice::Index(1)));
/// assert_eq!("step".parse(), Ok(ModuleChoice::Name("step".to_owned())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleChoice {
    /// A module by its index, from 0 on.
    Index(usize),
    /// A module by its path, or else by its name.
    Name(String),
}

/// Parses digits as an index, and other text as a name.
impl FromStr for ModuleChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Index))
    }
}

impl fmt::Display for ModuleChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => index.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// The format of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum ContainerKind {
    /// Compressed bytecode: the file is one module.
    #[serde(rename = "bytecode")]
    Bytecode,
    /// The file that `jax.export.Exported.serialize()` writes.
    #[serde(rename = "jax.export")]
    JaxExport,
    /// The file `saved_model.pb` of TensorFlow, whose `XlaCallModule` operations have modules.
    #[serde(rename = "tf.saved_model")]
    SavedModel,
    /// The file `manifest.pb` of Orbax.
    #[serde(rename = "orbax.manifest")]
    OrbaxManifest,
}

impl fmt::Display for ContainerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytecode => "bytecode",
            Self::JaxExport => "JAX export",
            Self::SavedModel => "TensorFlow SavedModel",
            Self::OrbaxManifest => "Orbax manifest",
        })
    }
}

/// A module of a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContainedModule {
    /// The path in the container: `main`, and `vjp`, `vjp/vjp` for the derivatives of a JAX export; the
    /// function and the node that calls the module in a SavedModel; the object in an Orbax manifest.
    pub path: String,
    /// The name of the function; empty in a compressed file, and for a node that is in no function.
    pub name: String,
    /// The offset in the file, or in the decompressed file.
    pub offset: u64,
    /// The size in bytes.
    pub size: u64,
}

/// A field of a container: two fields with one name are equal if their digests are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerField {
    /// The index of the module to which the field belongs.
    pub module: usize,
    /// The name in the schema of the container.
    pub name: &'static str,
    /// SHA-256 of the contents.
    pub digest: [u8; 32],
    /// The contents for people; empty if mlirbc does not show them.
    pub text: String,
}

/// All information of a container about one of its modules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContainerSummary {
    /// The format of the container.
    pub kind: ContainerKind,
    /// The compression of the file.
    pub compression: Option<Compression>,
    /// The size of the file in bytes, before decompression.
    pub file_size: u64,
    /// The size of the content in bytes, after decompression.
    pub content_size: u64,
    /// The index of the module.
    pub module: usize,
    /// All modules.
    pub modules: Vec<ContainedModule>,
    /// The information of a JAX export about the function of the module.
    pub exported: Option<Exported>,
    /// The information of a SavedModel or an Orbax manifest about the call of the module.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<CallAttribute>,
}

/// An attribute of the call of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallAttribute {
    /// The name of the attribute in TensorFlow or Orbax.
    pub name: &'static str,
    /// The value for people: numbers, truth values and texts; items of a list are separated by commas.
    pub text: String,
}

/// A file with modules inside another format.
///
/// ```
/// use mlirbc::container::{Compression, ContainerKind};
/// let module = mlirbc::Module::open("../../tests/data/containers/two_layers.mlirbc.gz")?;
/// let container = module.container().unwrap();
/// assert_eq!(container.kind(), ContainerKind::Bytecode);
/// assert_eq!(container.compression(), Some(Compression::Gzip));
/// assert_eq!(module.size(), 1474);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Container {
    content: Source,
    file_size: u64,
    compression: Option<Compression>,
    kind: ContainerKind,
    modules: Vec<ContainedModule>,
    /// The levels of a JAX export, one for each module.
    levels: Vec<jax::read::Level>,
    /// The modules inside a protocol buffer.
    enclosed: Vec<EnclosedModule>,
    limits: Limits,
}

// The size of the head that identifies a format.
const HEAD: u64 = 8;

/// The bytes of a compressed file without the name of a bytecode file that are searched for a module.
const SEARCHED: u64 = 16 << 20;

/// The path of the first module.
#[doc(hidden)]
pub const MAIN: &str = "main";

/// The path of the derivative of an order; `main` for order 0.
fn derivative(order: usize) -> String {
    match order {
        0 => MAIN.to_owned(),
        order => vec!["vjp"; order].join("/"),
    }
}

impl Container {
    /// Opens the container in a file; `None` for bytecode, and for unknown files.
    ///
    /// # Errors
    /// If the file is a container, but damaged, or larger than the limits allow.
    pub(crate) fn recognize(source: &Source, limits: &Limits) -> Result<Option<Self>> {
        let head = source.peek(0, HEAD)?;
        if head.starts_with(&MAGIC) {
            return Ok(None);
        }
        let Some(compression) = Compression::of(&head) else { return Self::of_content(source, limits) };
        let content = Source::from(compression.decompress(source, limits)?);
        let mut this = match Self::of_content(&content, limits)? {
            Some(inner) => inner,
            None => {
                let module = ContainedModule {
                    path: MAIN.to_owned(),
                    name: String::new(),
                    offset: 0,
                    size: content.len(),
                };
                Self {
                    content,
                    file_size: 0,
                    compression: None,
                    kind: ContainerKind::Bytecode,
                    modules: vec![module],
                    levels: Vec::new(),
                    enclosed: Vec::new(),
                    limits: limits.clone(),
                }
            }
        };
        this.file_size = source.len();
        this.compression = Some(compression);
        Ok(Some(this))
    }

    /// The content of a container, decompressed if it is compressed; `None` if there is nothing around a module.
    ///
    /// # Errors
    /// If the file cannot be decompressed. The content may be damaged.
    pub(crate) fn content_of(source: &Source, limits: &Limits) -> Result<Option<Source>> {
        let content = match Compression::of(&source.peek(0, HEAD)?) {
            Some(compression) => Source::from(compression.decompress(source, limits)?),
            None => source.clone(),
        };
        let is_export =
            jax::read::is_export(&mut Flatbuffer::new(content.clone(), limits.budget(content.len())));
        content.check()?;
        if !is_export && let Some((kind, _)) = Self::enclosed(&content, limits)? {
            let message = format!("the fields of a file that is a {kind} are not listed");
            let error = Error::message(ErrorKind::Unsupported, message);
            return Err(error.with_hint("`protoc --decode_raw` lists the fields of a protocol buffer"));
        }
        Ok(is_export.then_some(content))
    }

    /// Passes the fields of a content from [`content_of`](Self::content_of) to `visitor`, in the order of the bytes.
    ///
    /// # Errors
    /// If the source cannot be read, or memory does not suffice.
    pub(crate) fn trace(content: &Source, limits: &Limits, visitor: &mut dyn FieldVisitor) -> Result<()> {
        jax::trace::trace(content, limits, visitor)
    }

    /// Whether a file that is not bytecode contains modules, judged by its beginning.
    pub(crate) fn has_modules(source: &Source, limits: &Limits) -> bool {
        let head = source.peek(0, HEAD).unwrap_or_default();
        if let Some(compression) = Compression::of(&head) {
            // A folder may contain archives of any size.
            let (content, is_whole) = compression.start(source, SEARCHED);
            return content.starts_with(&MAGIC)
                || is_whole && Self::has_modules_inside(&content.into(), limits);
        }
        Self::has_modules_inside(source, limits)
    }

    fn has_modules_inside(source: &Source, limits: &Limits) -> bool {
        // A damaged export contains modules, too.
        jax::read::is_export(&mut Flatbuffer::new(source.clone(), limits.budget(source.len())))
            || Self::enclosed(source, limits).is_ok_and(|found| found.is_some())
    }

    /// The modules inside a protocol buffer; `None` for other files.
    fn enclosed(source: &Source, limits: &Limits) -> Result<Option<(ContainerKind, Vec<EnclosedModule>)>> {
        let head = source.peek(0, HEAD)?;
        let mut file = Protobuf::new(source.clone(), limits.budget(source.len()));
        let (kind, modules) = match () {
            () if head.starts_with(saved_model::MARK) => {
                (ContainerKind::SavedModel, saved_model::modules(&mut file))
            }
            () if head.starts_with(orbax::MARK) => (ContainerKind::OrbaxManifest, orbax::modules(&mut file)),
            () => return Ok(None),
        };
        source.check()?;
        let modules = modules?;
        Ok((!modules.is_empty()).then_some((kind, modules)))
    }

    fn of_protobuf(source: &Source, limits: &Limits) -> Result<Option<Self>> {
        let Some((kind, enclosed)) = Self::enclosed(source, limits)? else { return Ok(None) };
        let mut paths = HashSet::new();
        let modules = enclosed.iter().enumerate().map(|(number, module)| {
            let mut path = match (&*module.function, &*module.node) {
                ("", name) | (name, "") => name.to_owned(),
                (function, node) => format!("{function}/{node}"),
            };
            // Graphs for several uses of a model have the same functions.
            while path.is_empty() || !paths.insert(path.clone()) {
                path = format!("{path}.{number}");
            }
            let value = module.value();
            let (offset, size) = (value.start, value.end - value.start);
            ContainedModule { path, name: module.function.clone(), offset, size }
        });
        Ok(Some(Self {
            content: source.clone(),
            file_size: source.len(),
            compression: None,
            kind,
            modules: modules.collect(),
            levels: Vec::new(),
            enclosed,
            limits: limits.clone(),
        }))
    }

    fn of_content(source: &Source, limits: &Limits) -> Result<Option<Self>> {
        let mut file = Flatbuffer::new(source.clone(), limits.budget(source.len()));
        if !jax::read::is_export(&mut file) {
            source.check()?;
            return Self::of_protobuf(source, limits);
        }
        let levels = jax::read::levels(&mut file);
        source.check()?;
        let levels = levels?;
        // The length of a path grows with the order of the derivative.
        let paths: usize = (0..levels.len()).map(|order| 4 * order).sum();
        file.budget().spend(paths)?;
        let modules = levels.iter().enumerate().map(|(order, level)| ContainedModule {
            path: derivative(order),
            name: level.fun_name.clone(),
            offset: level.offset,
            size: level.size,
        });
        Ok(Some(Self {
            content: source.clone(),
            file_size: source.len(),
            compression: None,
            kind: ContainerKind::JaxExport,
            modules: modules.collect(),
            levels,
            enclosed: Vec::new(),
            limits: limits.clone(),
        }))
    }

    /// The format of the container.
    pub fn kind(&self) -> ContainerKind {
        self.kind
    }

    /// The compression of the file.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// The size of the file in bytes, before decompression.
    #[doc(hidden)]
    pub fn file_size(&self) -> u64 {
        self.file_size
    }

    /// The size of the content in bytes, after decompression.
    #[doc(hidden)]
    pub fn content_size(&self) -> u64 {
        self.content.len()
    }

    /// The modules. In a JAX export these are the function and its derivatives, in the order of
    /// differentiation.
    pub fn modules(&self) -> &[ContainedModule] {
        &self.modules
    }

    /// The index of a module; the first one if there is no choice.
    ///
    /// # Errors
    /// [`ErrorKind::ModuleChoice`] if there is no such module, or several of the name.
    #[doc(hidden)]
    pub fn index_of(&self, choice: Option<&ModuleChoice>) -> Result<usize> {
        let index = match choice {
            None => return Ok(0),
            Some(&ModuleChoice::Index(index)) => (index < self.modules.len()).then_some(index),
            Some(ModuleChoice::Name(name)) => {
                let mut named = (0..self.modules.len()).filter(|&index| self.modules[index].name == *name);
                let by_path = self.modules.iter().position(|module| module.path == *name);
                match (named.next(), named.next()) {
                    _ if by_path.is_some() => by_path,
                    (Some(_), Some(_)) => {
                        let message = format!("the file has several modules named `{name}`");
                        let error = Error::message(ErrorKind::ModuleChoice, message);
                        return Err(error.with_hint("select one by its index"));
                    }
                    (found, _) => found,
                }
            }
        };
        index.ok_or_else(|| {
            const SHOWN: usize = 8;
            let names = self.modules.iter().take(SHOWN).enumerate();
            let named = |(index, module): (usize, &ContainedModule)| match &*module.name {
                "" => format!("{index} `{}`", module.path),
                name => format!("{index} `{}` (`{name}`)", module.path),
            };
            let mut names: Vec<_> = names.map(named).collect();
            if self.modules.len() > SHOWN {
                names.push(format!("... {}", self.modules.len() - 1));
            }
            let requested = choice.map_or_else(String::new, ToString::to_string);
            let expected = format!("one of the modules {}", names.join(", "));
            Error::new(ErrorKind::ModuleChoice, expected, format!("`{requested}`"))
        })
    }

    /// The bytes of a module: a part of the file, which is not copied.
    ///
    /// # Errors
    /// [`ErrorKind::ModuleChoice`] if there are fewer modules.
    #[doc(hidden)]
    pub fn source(&self, index: usize) -> Result<Source> {
        let index = self.index_of(Some(&ModuleChoice::Index(index)))?;
        let ContainedModule { offset, size, .. } = self.modules[index];
        self.content.part(offset..offset + size)
    }

    /// The information of a JAX export about the function of a module; `None` for other containers, and past
    /// the last module.
    ///
    /// # Errors
    /// If the container is damaged.
    pub fn exported(&self, index: usize) -> Result<Option<Exported>> {
        let Some(level) = self.levels.get(index) else { return Ok(None) };
        let mut file = Flatbuffer::new(self.content.clone(), self.limits.budget(self.content.len()));
        let vjp_order = (self.levels.len() - 1 - index) as u32;
        let exported = jax::read::exported(&mut file, &level.table, vjp_order);
        self.content.check()?;
        let mut exported = exported?;
        let needs = jax::reader_needs(&self.content, index, &self.limits)?;
        [exported.oldest_serialization, exported.newest_serialization] = needs.serializations;
        Ok(Some(exported))
    }

    /// The facts that decide which releases of JAX read a module; `None` for containers that JAX does not
    /// read.
    ///
    /// # Errors
    /// If the container is damaged.
    pub(crate) fn reader_needs(&self, index: usize) -> Result<Option<jax::ReaderNeeds>> {
        if index >= self.levels.len() {
            return Ok(None);
        }
        jax::reader_needs(&self.content, index, &self.limits).map(Some)
    }

    /// All information of the container about a module.
    ///
    /// # Errors
    /// As [`exported`](Self::exported).
    #[doc(hidden)]
    pub fn summary(&self, index: usize) -> Result<ContainerSummary> {
        let exported = self.exported(index)?;
        Ok(ContainerSummary {
            kind: self.kind,
            compression: self.compression,
            file_size: self.file_size,
            content_size: self.content_size(),
            module: index,
            modules: self.modules.clone(),
            exported,
            attributes: self.attributes(index),
        })
    }

    fn attributes(&self, index: usize) -> Vec<CallAttribute> {
        let module = self.enclosed.get(index);
        let fields = module.map_or(&[][..], |module| &module.fields);
        fields.iter().map(|field| CallAttribute { name: field.name, text: field.text.clone() }).collect()
    }

    /// Returns the fields of the container besides the modules; empty for a compressed file. The fields of a
    /// JAX export are listed level by level, without the serialization version and the version of JAX, which
    /// describe the writer. The fields of a protocol buffer are the attributes of each call, and `rest`,
    /// which stands for everything else.
    ///
    /// # Errors
    /// If the container is damaged, or a limit is exceeded.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// let fields = module.container().unwrap().fields()?;
    /// let platforms = fields.iter().find(|field| field.name == "platforms").unwrap();
    /// assert_eq!((platforms.module, &*platforms.text), (0, "cpu"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn fields(&self) -> Result<Vec<ContainerField>> {
        let mut fields = Vec::new();
        if self.kind == ContainerKind::JaxExport {
            let jax_fields = jax::fields::fields(&self.content, &self.limits);
            self.content.check()?;
            fields = jax_fields?;
            let mut exported = (usize::MAX, None);
            for field in &mut fields {
                if exported.0 != field.module {
                    exported = (field.module, self.exported(field.module)?);
                }
                field.text = exported.1.as_ref().map_or_else(String::new, |level| level.text_of(field.name));
            }
        }
        let file = Protobuf::new(self.content.clone(), self.limits.budget(self.content.len()));
        for (module, enclosed) in self.enclosed.iter().enumerate() {
            for CallField { name, range, text } in &enclosed.fields {
                let digest = file.digest(range.clone())?;
                fields.push(ContainerField { module, name, digest, text: text.clone() });
            }
        }
        if !self.enclosed.is_empty() {
            let digest = protobuf::rest_digest(&self.content, &self.enclosed)?;
            fields.push(ContainerField { module: 0, name: "rest", digest, text: String::new() });
            self.content.check()?;
        }
        Ok(fields)
    }

    /// Prepares the container with other modules, each given by index and size in bytes. A compressed file is
    /// written without compression.
    ///
    /// In a protocol buffer, only the lengths of the messages around a module change with its size. A JAX
    /// export is written from its fields, as JAX writes it: it contains no trace of the old modules, and
    /// exports with the same modules have the same bytes. An export with a field that mlirbc does not know
    /// keeps the positions of all other bytes; see [`Self::unknown_field`].
    ///
    /// # Errors
    /// [`ErrorKind::ModuleChoice`], [`ErrorKind::Flatbuffer`] if the container is damaged, [`ErrorKind::Unsupported`] if
    /// the file would be too large for its offsets, and errors of the source.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// let container = module.container().unwrap();
    /// let prepared = container.prepare(&[(0, 8)])?;
    /// let mut bytes = Vec::new();
    /// prepared.write(&mut bytes, &mut |_, output| Ok(output.write_all(b"ML\xefRcut.").unwrap()))?;
    /// assert_eq!(bytes.len() as u64, prepared.len());
    /// // Nothing of the old main module remains.
    /// let before = std::fs::metadata("../../examples/mlp.jax").unwrap().len();
    /// assert!(prepared.len() < before - container.modules()[0].size + 100);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn prepare(&self, modules: &[(usize, u64)]) -> Result<PreparedContainer> {
        for &(index, _) in modules {
            self.index_of(Some(&ModuleChoice::Index(index)))?;
        }
        let mut pieces = ContainerPieces::default();
        match (self.kind, modules) {
            (_, []) => pieces.push(ContainerPiece::Copy(0..self.content.len())),
            (ContainerKind::Bytecode, &[(index, size), ..]) => {
                pieces.push(ContainerPiece::Module { index, size })
            }
            (ContainerKind::JaxExport, _) => {
                let written = jax::with_modules(&self.content, &self.levels, modules, &self.limits);
                self.content.check()?;
                pieces = written?;
            }
            (ContainerKind::SavedModel | ContainerKind::OrbaxManifest, _) => {
                pieces = protobuf::with_modules(&self.content, &self.enclosed, modules)?;
            }
        }
        Ok(PreparedContainer { content: self.content.clone(), pieces })
    }

    /// Prepares the container as [`Self::prepare`] does, in the form that a release of JAX reads; `None` if
    /// it is not a JAX export.
    ///
    /// # Errors
    /// As [`Self::prepare`]; [`ErrorKind::Unsupported`] with all reasons if the release reads no such export.
    pub(crate) fn prepare_for_jax(
        &self,
        release: &JaxRelease,
        modules: &[(usize, u64)],
    ) -> Result<Option<(PreparedContainer, Vec<String>)>> {
        if self.kind != ContainerKind::JaxExport {
            return Ok(None);
        }
        let written = jax::for_release(&self.content, release, modules, &self.limits);
        self.content.check()?;
        let (pieces, remarks) = written?;
        let Some(pieces) = pieces else {
            let reasons = self.lines(&remarks.refusals).join("; ");
            let message = format!("JAX {} cannot read the export: {reasons}", release.version);
            let error = Error::message(ErrorKind::Unsupported, message);
            return Err(error.with_hint("convert for another release of JAX, or export the function again"));
        };
        let notes = self.lines(&remarks.notes);
        Ok(Some((PreparedContainer { content: self.content.clone(), pieces }, notes)))
    }

    /// Prepares a JAX export with other arguments and results, by level.
    ///
    /// # Errors
    /// As [`Self::prepare`]; [`ErrorKind::Unsupported`] if the export has fields that are not known.
    pub(crate) fn prepare_signatures(
        &self,
        changes: &[SignatureChange],
        has_derivatives: bool,
        modules: &[(usize, u64)],
    ) -> Result<PreparedContainer> {
        let written = jax::with_signatures(&self.content, changes, has_derivatives, modules, &self.limits);
        self.content.check()?;
        Ok(PreparedContainer { content: self.content.clone(), pieces: written? })
    }

    /// Returns the number of leaves of the positional arguments of a level of a JAX export.
    ///
    /// # Errors
    /// If the container is damaged.
    pub(crate) fn positional_leaves(&self, index: usize) -> Result<u32> {
        let leaves = jax::positional_leaves(&self.content, index, &self.limits);
        self.content.check()?;
        leaves
    }

    /// Prepares an export whose symbolic dimensions have the sizes that `dimension` gives, with new modules; other containers
    /// as [`prepare`](Self::prepare) does.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for an export with unknown fields, and the errors of `dimension`.
    pub(crate) fn prepare_specialized(
        &self,
        dimension: &dyn Fn(&str) -> Result<String>,
        modules: &[(usize, u64)],
    ) -> Result<PreparedContainer> {
        if self.kind != ContainerKind::JaxExport {
            return self.prepare(modules);
        }
        let pieces = jax::specialized(&self.content, dimension, modules, &self.limits);
        self.content.check()?;
        Ok(PreparedContainer { content: self.content.clone(), pieces: pieces? })
    }

    /// Returns remarks with the paths of their modules; a remark about several modules is one line.
    fn lines(&self, remarks: &[(usize, String)]) -> Vec<String> {
        let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
        for (index, remark) in remarks {
            let path = self.modules.get(*index).map_or(MAIN, |module| &module.path);
            let path = format!("`{path}`");
            match lines.iter_mut().find(|(text, _)| text == remark) {
                Some((_, paths)) => paths.push(path),
                None => lines.push((remark, vec![path])),
            }
        }
        lines.into_iter().map(|(text, paths)| format!("{}: {text}", paths.join(", "))).collect()
    }

    /// The position of a field that mlirbc does not know, because of which the container cannot be written again from its
    /// fields; `None` if there is none.
    ///
    /// # Errors
    /// If the container is damaged.
    #[doc(hidden)]
    pub fn unknown_field(&self) -> Result<Option<u64>> {
        match self.kind {
            ContainerKind::JaxExport => {
                let slot = jax::unknown_slot(&self.content, &self.limits);
                self.content.check()?;
                slot
            }
            ContainerKind::Bytecode | ContainerKind::SavedModel | ContainerKind::OrbaxManifest => Ok(None),
        }
    }
}

/// A container that is ready to be written, created by [`Container::prepare`].
#[derive(Debug, Clone)]
pub struct PreparedContainer {
    content: Source,
    pieces: ContainerPieces,
}

impl PreparedContainer {
    /// The size in bytes.
    #[doc(hidden)]
    pub fn len(&self) -> u64 {
        self.pieces.len()
    }

    /// Whether there are no bytes, which is never the case for a container.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the container; `module` writes the new module with an index, in the declared size.
    ///
    /// # Errors
    /// Errors of the source, of the writer and of `module`.
    #[doc(hidden)]
    pub fn write(
        &self,
        output: &mut dyn Write,
        module: &mut dyn FnMut(usize, &mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        self.pieces.write(&self.content, output, module)
    }
}
