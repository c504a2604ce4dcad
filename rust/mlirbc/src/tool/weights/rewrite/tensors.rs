//! Tensors with names, from files and from memory, for arguments that become constants.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::attr::text::dense::Element;
use crate::tool::parameters::{ParameterFile, StoredTensor, TensorStorage, is_npy, npy_tensor};
use crate::tool::weights::{invalid, listed, shown};
use crate::wire::bytes::{Backend, Bytes, Source};
#[cfg(doc)]
use crate::wire::error::ErrorKind;
use crate::wire::error::Result;
use crate::wire::limits::Limits;

/// Where the elements of a tensor are.
#[derive(Debug, Clone)]
pub(super) enum TensorData {
    /// In memory, or in a file with one array.
    Range(Source, Range<u64>),
    /// In a file of tensors, perhaps compressed.
    File(Arc<ParameterFile>, StoredTensor),
}

impl TensorData {
    pub(super) fn bytes(&self) -> Result<Bytes> {
        match self {
            Self::Range(source, range) => {
                let bytes = source.get(range.clone())?;
                source.check()?;
                Ok(bytes)
            }
            Self::File(file, tensor) => file.data(tensor),
        }
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Range(_, range) => range.end - range.start,
            Self::File(_, tensor) => tensor.size,
        }
    }
}

/// A tensor with a name. Its elements are read when they are used.
#[derive(Debug, Clone)]
pub struct NamedTensor {
    pub(super) name: String,
    /// The element type, e.g. `f32` and `ui8`; `raw2` for two bytes without a type.
    pub(super) dtype: String,
    pub(super) shape: Vec<u64>,
    pub(super) data: TensorData,
}

impl NamedTensor {
    /// Creates a tensor from the bytes of its elements in order, Booleans in a byte each.
    ///
    /// ```
    /// let tensor = mlirbc::tool::NamedTensor::new("bias", "f32", &[2], vec![0; 8]);
    /// assert_eq!(tensor.name(), "bias");
    /// ```
    pub fn new(name: impl Into<String>, dtype: impl Into<String>, shape: &[u64], data: Vec<u8>) -> Self {
        let size = data.len() as u64;
        let data = TensorData::Range(Source::from(data), 0..size);
        Self { name: name.into(), dtype: dtype.into(), shape: shape.to_vec(), data }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tensor with another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Reads the tensors of a file that [`ParameterFile`] lists, or the array of a `.npy` file, which gets the name of the
    /// file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], [`ErrorKind::ParameterFile`] and [`ErrorKind::Safetensors`] for a damaged file,
    /// [`ErrorKind::OtherFormat`], and [`ErrorKind::Weights`] for an array in Fortran order.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<Self>> {
        let path = path.as_ref();
        let read = || -> Result<Vec<Self>> {
            let limits = Limits::default();
            let source = Source::open_with(path, Backend::default(), &limits)?;
            if !is_npy(&source.peek(0, 8)?) {
                return Self::of_file(ParameterFile::open(path, &limits)?);
            }
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
            Ok(vec![Self::of_array(&source, &name.unwrap_or_default())?])
        };
        read().map_err(|error| error.in_context(&path.display().to_string()))
    }

    /// Reads the array of a `.npy` file, which gets a name.
    ///
    /// # Errors
    /// As [`Self::read`].
    #[doc(hidden)]
    pub fn of_array(source: &Source, name: &str) -> Result<Self> {
        let tensor = npy_tensor(source, name, &Limits::default())?;
        let TensorStorage::Data(range) = tensor.storage.clone() else {
            return Err(invalid("the array has no data".to_owned()));
        };
        Self::of_stored(&tensor, TensorData::Range(source.clone(), range))
    }

    fn of_file(file: ParameterFile) -> Result<Vec<Self>> {
        let file = Arc::new(file);
        let named =
            |tensor: &StoredTensor| Self::of_stored(tensor, TensorData::File(file.clone(), tensor.clone()));
        file.tensors().iter().map(named).collect()
    }

    fn of_stored(tensor: &StoredTensor, data: TensorData) -> Result<Self> {
        let shape = tensor.shape.clone().unwrap_or_else(|| vec![tensor.size]);
        if tensor.is_column_major && shape.iter().filter(|&&size| size > 1).count() > 1 {
            return Err(invalid(format!("the array `{}` is in Fortran order", shown(&tensor.name)))
                .with_hint("save `numpy.ascontiguousarray` of it"));
        }
        // NumPy saves extension types such as `bf16` as bytes.
        let dtype = tensor.dtype.as_deref().map_or_else(
            || "bytes".to_owned(),
            |dtype| dtype.strip_prefix("|V").map_or_else(|| dtype.to_owned(), |size| format!("raw{size}")),
        );
        Ok(Self { name: tensor.name.clone(), dtype, shape, data })
    }

    /// Returns the number of the argument that a tensor with a name is for, among the names of arguments.
    ///
    /// # Errors
    /// [`ErrorKind::Weights`](crate::ErrorKind::Weights) if it may be for several.
    #[doc(hidden)]
    pub fn argument(name: &str, arguments: &[String]) -> Result<Option<usize>> {
        matching_argument(name, arguments)
    }

    /// Returns why a tensor is not the value of an argument with a type.
    pub(super) fn misfit(&self, element_name: &str, element: Element, shape: &[u64]) -> Option<String> {
        let is_dtype = self.dtype == element_name
            || self
                .dtype
                .strip_prefix('i')
                .is_some_and(|width| element_name.strip_prefix("si") == Some(width))
            || self.dtype == "i64" && element_name == "index"
            || self.dtype == format!("raw{}", element.storage()) && !is_numpy(element_name);
        if is_dtype && self.shape == shape {
            let count = shape.iter().fold(1, |count: u64, &size| count.saturating_mul(size));
            let size = self.data.size();
            let expected = count.saturating_mul(element.storage() as u64);
            return (size != expected).then(|| format!("it has {size} bytes instead of {expected}"));
        }
        let text = |dtype: &str, shape: &[u64]| format!("{dtype} {}", shown(&format!("{shape:?}")));
        Some(format!(
            "the argument is {}, but the tensor is {}",
            text(element_name, shape),
            text(&self.dtype, &self.shape)
        ))
    }
}

/// Whether NumPy itself has a dtype for the elements.
fn is_numpy(element: &str) -> bool {
    matches!(element, "f16" | "f32" | "f64" | "complex<f32>" | "complex<f64>" | "i1" | "index")
        || element
            .trim_start_matches(['s', 'u'])
            .strip_prefix('i')
            .is_some_and(|width| width.len() > 1 || width == "8")
}

/// The parts of a path: `args`, `0`, `w` of `args[0]['w']`, and `dense`, `kernel` of `dense/kernel`.
fn parts(path: &str) -> Vec<&str> {
    path.split(['[', ']', '\'', '"', '/', '.']).filter(|part| !part.is_empty()).collect()
}

/// Returns the argument that a tensor is for: by its name, or by the parts of its name, which may lack `args` and the
/// number of the argument.
///
/// # Errors
/// If several arguments have these parts.
pub(super) fn matching_argument(tensor: &str, arguments: &[String]) -> Result<Option<usize>> {
    if let Some(place) = arguments.iter().position(|name| name == tensor) {
        return Ok(Some(place));
    }
    let tensor_parts = parts(tensor);
    let starts: [fn(&[&str]) -> usize; 3] = [
        |_| 0,
        |parts| usize::from(parts.first().is_some_and(|part| matches!(*part, "args" | "kwargs"))),
        |parts| if parts.first() == Some(&"args") { 2 } else { 0 },
    ];
    for start in starts {
        let is_it = |name: &&String| {
            let parts = parts(name);
            let key = parts.get(start(&parts)..).unwrap_or_default();
            !key.is_empty() && key == tensor_parts
        };
        let matches: Vec<usize> =
            arguments.iter().enumerate().filter(|(_, name)| is_it(name)).map(|(place, _)| place).collect();
        match matches.as_slice() {
            [] => {}
            [place] => return Ok(Some(*place)),
            several => {
                let names = listed(several.iter().map(|&place| arguments[place].as_str()));
                return Err(invalid(format!("`{}` may be the value of {names}", shown(tensor)))
                    .with_hint("give the tensor the whole name of the argument"));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_are_for_arguments_with_their_parts() {
        let names = ["args[0]['dense']['w']", "args[0]['b']", "args[1]", "kwargs['scale']", "args[2]['b']"];
        let names = names.map(str::to_owned);
        let place = |tensor: &str| matching_argument(tensor, &names).ok().flatten();
        assert_eq!(place("args[1]"), Some(2));
        assert_eq!(place("dense/w"), Some(0));
        assert_eq!(place("dense.w"), Some(0));
        assert_eq!(place("0.dense.w"), Some(0));
        assert_eq!(place("scale"), Some(3));
        assert_eq!(place("w"), None);
        assert!(matching_argument("b", &names).is_err());
    }
}
