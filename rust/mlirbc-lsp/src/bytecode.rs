//! Bytecode files and artifacts as texts: documents whose URI has the scheme `mlirbc`.
//!
//! Owns the text of a module in a file, and writing a text back into the file. The file decides the release, the version
//! and the layouts, so a text that is not changed gives the same module.

use std::path::PathBuf;

use gen_lsp_types::Uri;
use mlirbc::bytes::{Backend, Source};
use mlirbc::error::{Error, ErrorKind, Result};
use mlirbc::parse::{ParseOptions, assemble};
use mlirbc::print::PrintOptions;
use mlirbc::{Artifact, Module, ReadOptions, Release};

/// The scheme of documents that are the text of bytecode.
pub(crate) const SCHEME: &str = "mlirbc";

/// A module in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModuleLocation {
    pub(crate) path: PathBuf,
    /// The path of the module; the first one if there is none.
    pub(crate) module: Option<String>,
}

impl ModuleLocation {
    /// Returns the module that a URI names, with the scheme `mlirbc` or `file`: `mlirbc:/model.jax#vjp`.
    pub(crate) fn of(uri: &Uri) -> Option<Self> {
        let (scheme, location) = uri.0.split_once(':')?;
        if scheme != SCHEME && scheme != "file" {
            return None;
        }
        let location = location.strip_prefix("//").unwrap_or(location);
        let (path, module) = match location.split_once('#') {
            Some((path, module)) => (path, Some(decoded(module))),
            None => (location, None),
        };
        let path = decoded(path);
        // The path of a drive, `/C:/model.mlirbc`.
        let has_drive = path.as_bytes().get(2) == Some(&b':') && path.starts_with('/');
        Some(Self { path: path.get(usize::from(has_drive)..)?.into(), module })
    }

    fn index(&self, artifact: &Artifact) -> Result<usize> {
        self.module.as_deref().map_or(Ok(0), |module| artifact.index_of(module))
    }

    fn open(&self, options: &ParseOptions) -> Result<Artifact> {
        // The editor may replace the file while the server runs.
        let source = Source::open(&self.path, Backend::Read)
            .map_err(|error| error.with_path(self.path.display().to_string()))?;
        let read = ReadOptions::default().limits(options.limits.clone()).dialects(options.dialects.clone());
        Artifact::from_source(source, &read)
    }

    /// Returns the text of the module.
    ///
    /// # Errors
    /// The errors of reading and printing the file.
    pub(crate) fn text(&self, options: &ParseOptions) -> Result<String> {
        let artifact = self.open(options)?;
        let module = artifact.module(self.index(&artifact)?)?;
        let print = PrintOptions::default().lossless(true).locations(true).strict(true);
        let mut text = Vec::new();
        module.print(&mut text, &print)?;
        String::from_utf8(text).map_err(|error| Error::message(ErrorKind::AsmSyntax, error.to_string()))
    }

    /// Returns the options for a text that becomes the module.
    ///
    /// # Errors
    /// If the file cannot be read, or its release is unknown.
    pub(crate) fn options(&self, options: &ParseOptions) -> Result<ParseOptions> {
        let artifact = self.open(options)?;
        like(&artifact.module(self.index(&artifact)?)?, options)
    }

    /// Replaces the module in the file by the module of a text.
    ///
    /// # Errors
    /// The errors of reading the file, of parsing the text, and of writing.
    pub(crate) fn save(&self, text: &str, options: &ParseOptions) -> Result<()> {
        let artifact = self.open(options)?;
        let index = self.index(&artifact)?;
        let bytes = assemble(text, &like(&artifact.module(index)?, options)?)?;
        if artifact.container().is_none() {
            return Artifact::from_source(bytes.into(), &ReadOptions::default())?
                .with_modules(&[])?
                .save(&self.path);
        }
        let path = artifact.modules().get(index).map(|module| module.path.clone()).unwrap_or_default();
        artifact.with_modules(&[(path, bytes.into())])?.save(&self.path)
    }
}

/// Returns the options for a text that is written as a module is.
fn like(module: &Module, options: &ParseOptions) -> Result<ParseOptions> {
    let Some(name) = module.release()?.nearest() else {
        let error = Error::message(ErrorKind::UnknownRelease, "the release that wrote the file is unknown");
        return Err(error.with_hint("start the server with `--release`"));
    };
    let version = module.tables().bytecode().version();
    let options = options.clone().finder(None).target(Release::named(name.to_owned()));
    Ok(options.version(version).like(module.tables().clone()))
}

/// Decodes `%20` in a URI.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| byte == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_have_a_path_and_a_module() {
        let location_of = |uri: &str| ModuleLocation::of(&Uri(uri.to_owned()));
        let location = |path: &str, module: Option<&str>| {
            Some(ModuleLocation { path: path.into(), module: module.map(str::to_owned) })
        };
        assert_eq!(location_of("mlirbc:/a%20b.jax#vjp/vjp"), location("/a b.jax", Some("vjp/vjp")));
        assert_eq!(location_of("file:///a.mlirbc"), location("/a.mlirbc", None));
        assert_eq!(location_of("file:///C:/a.mlirbc"), location("C:/a.mlirbc", None));
        assert_eq!(location_of("untitled:a"), None);
    }
}
