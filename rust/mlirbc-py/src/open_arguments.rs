//! The way in which a module was opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use ::mlirbc::container::ModuleChoice;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::limits::Limits;

/// The choice of a module in a file with several: by index or by name.
#[derive(FromPyObject, Clone)]
pub(crate) enum Choice {
    Index(usize),
    Name(String),
}

impl Choice {
    pub(crate) fn into_core(self) -> ModuleChoice {
        match self {
            Self::Index(index) => ModuleChoice::Index(index),
            Self::Name(name) => ModuleChoice::Name(name),
        }
    }
}

/// The arguments with which a module was opened, so that another process can open it again.
pub(crate) struct OpenArguments {
    pub(crate) origin: Origin,
    pub(crate) limits: Option<Py<Limits>>,
    pub(crate) release: Option<String>,
    pub(crate) unknown_dialects: Option<Vec<String>>,
    pub(crate) layouts: Option<BTreeMap<String, String>>,
    pub(crate) module: Option<Choice>,
    /// Whether a URL may redirect to another host.
    pub(crate) allows_redirects: bool,
    /// Whether the module has tables, schemas or hooks of its own.
    pub(crate) is_described: bool,
}

/// The origin of a module's bytes.
pub(crate) enum Origin {
    File {
        path: PathBuf,
        is_mapped: bool,
        stamp: Option<Stamp>,
    },
    Buffer(Py<PyAny>),
    /// A URL, or an object that reads the bytes.
    Object(Py<PyAny>),
}

impl Origin {
    /// Returns the name of the origin in messages.
    pub(crate) fn described(&self, py: Python<'_>) -> String {
        match self {
            Self::File { path, .. } => path.display().to_string(),
            Self::Buffer(_) => "a buffer".to_owned(),
            Self::Object(object) => {
                object.bind(py).str().map_or_else(|_| "an object".to_owned(), |text| text.to_string())
            }
        }
    }
}

/// The size of a file, and the time of its last change in nanoseconds, to recognize another file with the
/// same name.
pub(crate) type Stamp = (u64, u128);

/// Returns the current stamp of the file at a path.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    stamp_of(&std::fs::metadata(path).ok()?)
}

/// Returns the stamp of the file with this metadata.
pub(crate) fn stamp_of(metadata: &std::fs::Metadata) -> Option<Stamp> {
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((metadata.len(), changed.as_nanos()))
}

impl OpenArguments {
    /// Returns the keywords that were passed to `open` or `read`.
    pub(crate) fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        if let Some(limits) = &self.limits {
            keywords.set_item("limits", limits)?;
        }
        if let Some(release) = &self.release {
            keywords.set_item("release", release)?;
        }
        if let Some(dialects) = &self.unknown_dialects {
            keywords.set_item("unknown_dialects", dialects)?;
        }
        if let Some(layouts) = &self.layouts {
            keywords.set_item("layouts", layouts)?;
        }
        if self.allows_redirects {
            keywords.set_item("allow_redirects", true)?;
        }
        match &self.module {
            Some(Choice::Index(index)) => keywords.set_item("module", index)?,
            Some(Choice::Name(name)) => keywords.set_item("module", name)?,
            None => {}
        }
        Ok(keywords)
    }
}
