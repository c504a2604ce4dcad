//! Files of tensors without a program; `mlirbc.parameters` has the documentation.

use std::path::PathBuf;

use ::mlirbc::tool::{ParameterFile, TensorStorage};
use pyo3::prelude::*;

use crate::blob::Blob;
use crate::errors::raise;
use crate::limits::Limits;

/// A file of tensors.
#[pyclass(frozen, module = "mlirbc._mlirbc")]
pub(crate) struct _ParameterFile {
    file: ParameterFile,
}

type ParameterTuple<'f> =
    (&'f str, &'static str, Option<&'f str>, Option<&'f [u64]>, u64, u64, &'f [u8], (bool, bool));

#[pymethods]
impl _ParameterFile {
    #[new]
    #[pyo3(signature = (path, limits, /))]
    fn new(py: Python<'_>, path: PathBuf, limits: Option<&Limits>) -> PyResult<Self> {
        let limits = limits.map(Limits::to_core).unwrap_or_default();
        let file = py.detach(|| ParameterFile::open(path, &limits));
        Ok(Self { file: file.map_err(|error| raise(py, error, None))? })
    }

    /// Returns the name of the format.
    fn format(&self) -> String {
        self.file.format().to_string()
    }

    /// Returns name, storage, dtype, shape, size, alignment, metadata, and whether the tensor has elements and is in
    /// column-major order.
    fn rows(&self) -> Vec<ParameterTuple<'_>> {
        let tensors = self.file.tensors().iter();
        tensors
            .map(|tensor| {
                (
                    &*tensor.name,
                    tensor.storage.name(),
                    tensor.dtype.as_deref(),
                    tensor.shape.as_deref(),
                    tensor.size,
                    tensor.alignment,
                    &*tensor.metadata,
                    (tensor.has_elements(), tensor.is_column_major),
                )
            })
            .collect()
    }

    /// Returns the bytes of a tensor.
    fn data(&self, py: Python<'_>, name: &str) -> PyResult<Blob> {
        let read = py.detach(|| {
            let tensor = self.file.require(name)?;
            let offset = match &tensor.storage {
                TensorStorage::Data(range) => range.start,
                _ => 0,
            };
            Ok((self.file.data(tensor)?, offset))
        });
        let (bytes, offset) = read.map_err(|error| raise(py, error, None))?;
        let alignment = if offset == 0 { 1 } else { 1 << offset.trailing_zeros().min(12) };
        Ok(Blob::new(None, bytes, offset, alignment))
    }
}
