//! Files that hold tensors by name, without a program: IREE parameter archives, GGUF, safetensors and NPZ.
//!
//! Owns [`ParameterFile`], which lists the tensors of a file. Each format has a module with its grammar; `archive_write`
//! writes IREE archives. Only heads are read: the bytes of a tensor are read when they are requested, and shared with the
//! source if that is possible. Does not own the weights of a module (`weights`).

mod archive;
mod archive_write;
mod externalize;
mod gguf;
mod npy;
mod npz;
mod npz_write;
mod reader;

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::wire::bytes::{Backend, Bytes, Source};
use crate::wire::error::{Error, ErrorKind, Result, cut};
use crate::wire::limits::Limits;

use super::weights::{Safetensors, element_of};
pub use archive_write::{ArchiveHead, NewParameter};
pub use externalize::externalize_parameters;
pub(in crate::tool) use npy::{descr, is_npy, npy_header, tensor as npy_tensor};
pub(in crate::tool) use npz_write::{BlockSink, NpzWriter};

/// The format of a file with tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ParameterFormat {
    /// An IREE parameter archive.
    Irpa,
    /// A file of llama.cpp.
    Gguf,
    /// A file of safetensors.
    Safetensors,
    /// A zip archive of NumPy arrays.
    Npz,
}

impl fmt::Display for ParameterFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Irpa => "IREE parameter archive",
            Self::Gguf => "GGUF file",
            Self::Safetensors => "safetensors file",
            Self::Npz => "archive of NumPy arrays",
        })
    }
}

/// The storage of the bytes of a tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TensorStorage {
    /// A range of the file.
    Data(Range<u64>),
    /// A pattern that is repeated.
    Splat(Vec<u8>),
    /// A range of another file, whose path is relative to the folder of the archive.
    External {
        /// The path in the archive.
        path: String,
        /// The offset in the other file.
        offset: u64,
    },
    /// A compressed range of the file, and the number of decompressed bytes before the tensor.
    Deflated {
        /// The compressed bytes.
        range: Range<u64>,
        /// The size of the header before the data.
        skipped: u64,
    },
}

impl TensorStorage {
    /// Returns the name: `data`, `splat`, `external` or `deflated`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Data(_) => "data",
            Self::Splat(_) => "splat",
            Self::External { .. } => "external",
            Self::Deflated { .. } => "deflated",
        }
    }
}

impl Serialize for TensorStorage {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A tensor of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoredTensor {
    /// The name.
    pub name: String,
    /// The storage of the bytes.
    #[serde(rename = "kind")]
    pub storage: TensorStorage,
    /// The type of the elements as MLIR spells it, or the name of a block format such as `q4_0`; `None` in an archive of
    /// IREE, which stores bytes.
    pub dtype: Option<String>,
    /// The sizes of the dimensions, the slowest first; `None` in an archive of IREE.
    pub shape: Option<Vec<u64>>,
    /// The number of bytes.
    pub size: u64,
    /// The alignment that the file states, or 0.
    pub alignment: u64,
    /// The metadata of the tensor in an archive of IREE.
    #[serde(serialize_with = "as_text", skip_serializing_if = "Vec::is_empty")]
    pub metadata: Vec<u8>,
    /// Whether the elements are in column-major order.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_column_major: bool,
}

fn as_text<S: Serializer>(bytes: &[u8], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&String::from_utf8_lossy(bytes))
}

impl StoredTensor {
    /// Returns whether the elements are numbers that stand alone, and not blocks or bytes without a type.
    pub fn has_elements(&self) -> bool {
        self.dtype.as_deref().is_some_and(|dtype| !gguf::is_block_format(dtype))
    }
}

/// A file with tensors.
///
/// ```
/// use mlirbc::tool::ParameterFile;
/// let file = ParameterFile::open("../../tests/data/parameters/parameters.irpa", &Default::default())?;
/// let names: Vec<_> = file.tensors().iter().map(|tensor| tensor.name.as_str()).collect();
/// assert_eq!(names, ["blk.0.w", "scale", "blk.0.b"]);
/// assert_eq!(file.data(file.require("blk.0.b")?)?.len(), 5);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ParameterFile {
    source: Source,
    limits: Limits,
    format: ParameterFormat,
    tensors: Vec<StoredTensor>,
    by_name: HashMap<String, u32>,
    /// The folder of the file, in which external files may be.
    folder: Option<PathBuf>,
}

/// The number of bytes that identify a format.
const HEAD: u64 = 64;

impl ParameterFile {
    /// Opens a file and lists its tensors.
    ///
    /// # Errors
    /// [`ErrorKind::ParameterFile`] with the offset of the fault, [`ErrorKind::OtherFormat`] for a file of another format,
    /// and the errors of the system.
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Self> {
        let path = path.as_ref();
        let source = Source::open_with(path, Backend::Map, limits)?;
        let folder = path.parent().map(Path::to_owned);
        Self::recognize(&source, folder, limits)?.ok_or_else(|| {
            let message = format!("`{}` is not a file of tensors that mlirbc reads", path.display());
            let error = Error::message(ErrorKind::OtherFormat, message);
            error.with_hint("name an `.irpa`, `.gguf`, `.safetensors` or `.npz` file")
        })
    }

    /// Lists the tensors of a source in a folder; `None` for other formats.
    ///
    /// # Errors
    /// [`ErrorKind::ParameterFile`] with the offset of the fault, and the errors of the source.
    pub fn recognize(source: &Source, folder: Option<PathBuf>, limits: &Limits) -> Result<Option<Self>> {
        let Some(format) = format_of(&source.peek(0, HEAD)?) else { return Ok(None) };
        let tensors = match format {
            ParameterFormat::Irpa => archive::tensors(source, limits),
            ParameterFormat::Gguf => gguf::tensors(source, limits),
            ParameterFormat::Npz => npz::tensors(source, limits),
            ParameterFormat::Safetensors => safetensors(source, limits),
        };
        source.check()?;
        let tensors = tensors?;
        let mut by_name = HashMap::new();
        for (tensor, row) in tensors.iter().zip(0..) {
            if by_name.insert(tensor.name.clone(), row).is_some() {
                let message = format!("two tensors have the name `{}`", cut(&tensor.name, 100));
                return Err(Error::message(ErrorKind::ParameterFile, message));
            }
        }
        let (source, limits) = (source.clone(), limits.clone());
        Ok(Some(Self { source, limits, format, tensors, by_name, folder }))
    }

    /// Returns the format.
    pub fn format(&self) -> ParameterFormat {
        self.format
    }

    /// Returns the size of the file in bytes.
    pub fn file_size(&self) -> u64 {
        self.source.len()
    }

    /// Returns the tensors in the order of the file.
    pub fn tensors(&self) -> &[StoredTensor] {
        &self.tensors
    }

    /// Returns the tensor with a name.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`] if there is no such tensor.
    pub fn require(&self, name: &str) -> Result<&StoredTensor> {
        let row = self.by_name.get(name).and_then(|&row| self.tensors.get(row as usize));
        row.ok_or_else(|| {
            let message = format!("the file has no tensor `{}`", cut(name, 100));
            Error::message(ErrorKind::Weights, message)
        })
    }

    /// Returns the bytes of a tensor: a part of the file, unless they are repeated, compressed or in another file.
    ///
    /// # Errors
    /// [`ErrorKind::ParameterFile`] for an external file outside the folder or a damaged stream, [`ErrorKind::MemoryLimit`]
    /// for a pattern that is repeated too often, and the errors of the system.
    pub fn data(&self, tensor: &StoredTensor) -> Result<Bytes> {
        let located = |error: Error| error.in_context(&format!("tensor `{}`", cut(&tensor.name, 100)));
        match &tensor.storage {
            TensorStorage::Data(range) => self.source.get(range.clone()),
            TensorStorage::Splat(pattern) => self.repeated(pattern, tensor.size).map_err(located),
            TensorStorage::External { path, offset } => {
                self.external(path, *offset, tensor.size).map_err(located)
            }
            TensorStorage::Deflated { range, skipped } => {
                let bytes = npz::inflated(&self.source, range, skipped + tensor.size, &self.limits);
                bytes.map(|bytes| bytes.slice(*skipped as usize..)).map_err(located)
            }
        }
    }

    fn repeated(&self, pattern: &[u8], size: u64) -> Result<Bytes> {
        let budget = self.limits.budget(self.source.len());
        let count = usize::try_from(size).unwrap_or(usize::MAX).checked_div(pattern.len()).unwrap_or(0);
        let size = count.saturating_mul(pattern.len());
        let mut bytes = budget.vec(size)?;
        (0..count).for_each(|_| bytes.extend_from_slice(pattern));
        Ok(bytes.into())
    }

    fn external(&self, path: &str, offset: u64, size: u64) -> Result<Bytes> {
        let refused = |message: String| {
            let error = Error::message(ErrorKind::ParameterFile, message);
            error.with_hint(
                "an archive may refer to files in its own folder only; check where the archive is from",
            )
        };
        let shown = cut(path, 200);
        let Some(folder) = &self.folder else {
            return Err(refused(format!("the archive has no folder with the file `{shown}`")));
        };
        let is_inside = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        if path.is_empty() || !is_inside(Path::new(path)) {
            return Err(refused(format!("the file `{shown}` is outside the folder of the archive")));
        }
        let target = folder.join(path);
        // A link may lead out of the folder.
        let real = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            path.canonicalize().map_err(|error| Error::io(format!("cannot open `{}`", path.display()), error))
        };
        if !real(&target)?.starts_with(real(folder)?) {
            return Err(refused(format!("the file `{shown}` is a link out of the folder of the archive")));
        }
        let source = Source::open_with(&target, Backend::Map, &self.limits)?;
        let end = offset.checked_add(size).filter(|&end| end <= source.len());
        let Some(end) = end else {
            let file_size = source.len();
            return Err(refused(format!(
                "`{shown}` has {file_size} bytes, but {size} are to be read at {offset}"
            )));
        };
        source.get(offset..end)
    }
}

/// Returns the format of a file that begins with `head`.
fn format_of(head: &[u8]) -> Option<ParameterFormat> {
    if head.starts_with(b"IRPA") {
        return Some(ParameterFormat::Irpa);
    }
    if head.starts_with(b"GGUF") {
        return Some(ParameterFormat::Gguf);
    }
    if npz::is_npz(head) {
        return Some(ParameterFormat::Npz);
    }
    // The length of a header of JSON comes first.
    let is_json = head.get(8..10) == Some(b"{\"") && head.get(6..8) == Some(&[0, 0]);
    is_json.then_some(ParameterFormat::Safetensors)
}

fn safetensors(source: &Source, limits: &Limits) -> Result<Vec<StoredTensor>> {
    let mut reader = reader::Reader::new(source, limits);
    let length = reader.u64()?;
    let header = reader.bytes(length.min(source.len()))?;
    let file = Safetensors::parse(&header, source.len())?;
    let tensor = |info: &super::weights::TensorInfo| StoredTensor {
        name: info.name.clone(),
        storage: TensorStorage::Data(info.range.clone()),
        dtype: Some(element_of_safetensors(&info.dtype)),
        shape: Some(info.shape.clone()),
        size: info.range.end - info.range.start,
        alignment: 0,
        metadata: Vec::new(),
        is_column_major: false,
    };
    Ok(file.tensors().iter().map(tensor).collect())
}

/// Names of element types that safetensors has and `weights export` does not write, because their elements share bytes.
const PACKED: &[(&str, &str)] = &[("F6_E2M3", "f6E2M3FN"), ("F6_E3M2", "f6E3M2FN"), ("F4", "f4E2M1FN")];

fn element_of_safetensors(dtype: &str) -> String {
    let row = PACKED.iter().find(|(name, _)| *name == dtype);
    row.map_or_else(|| element_of(dtype), |(_, element)| element).to_owned()
}

/// Returns the number of elements of a shape; `None` if it exceeds 64 bits.
fn count(shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |product, &size| product.checked_mul(size))
}

#[cfg(test)]
mod tests;
