//! Tensors with names, from files and from memory, for arguments that become constants.

use std::ops::Range;
use std::path::Path;

use crate::attr::text::dense::Element;
use crate::tool::weights::safetensors::Safetensors;
use crate::tool::weights::{invalid, listed, shown};
use crate::wire::bytes::{Backend, Bytes, Source};
use crate::wire::error::Result;
use crate::wire::limits::Limits;

use super::npy;

/// The range of a file with the elements of a tensor.
#[derive(Debug, Clone)]
pub(super) struct TensorData {
    pub(super) source: Source,
    pub(super) range: Range<u64>,
}

impl TensorData {
    pub(super) fn bytes(&self) -> Result<Bytes> {
        let bytes = self.source.get(self.range.clone())?;
        self.source.check()?;
        Ok(bytes)
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
        let data = TensorData { source: Source::from(data), range: 0..size };
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

    /// Reads the tensors of a safetensors or `.npz` file, or the array of a `.npy` file, which gets the name of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io), [`ErrorKind::Safetensors`](crate::ErrorKind::Safetensors), and
    /// [`ErrorKind::Weights`](crate::ErrorKind::Weights) for an archive that is damaged.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<Self>> {
        let path = path.as_ref();
        let read = || -> Result<Vec<Self>> {
            let source = Source::open_with(path, Backend::default(), &Limits::default())?;
            let start = source.get(0..source.len().min(2))?;
            if !matches!(&*start, b"PK" | b"\x93N") {
                return safetensors(path, &source);
            }
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
            Self::of_source(&source, &name.unwrap_or_default())
        };
        read().map_err(|error| error.in_context(&path.display().to_string()))
    }

    /// Reads a `.npz` file, or the array of a `.npy` file, which gets a name.
    ///
    /// # Errors
    /// As [`Self::read`].
    #[doc(hidden)]
    pub fn of_source(source: &Source, name: &str) -> Result<Vec<Self>> {
        match source.peek(0, 2)?.starts_with(b"PK") {
            true => npy::npz(source, &Limits::default().budget(source.len())),
            false => Ok(vec![npy::npy(source, name)?]),
        }
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
            let size = self.data.range.end - self.data.range.start;
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

fn safetensors(path: &Path, source: &Source) -> Result<Vec<NamedTensor>> {
    let file = Safetensors::open(path)?;
    let tensor = |tensor: &crate::tool::TensorInfo| NamedTensor {
        name: tensor.name.clone(),
        dtype: crate::tool::weights::export::element_of(&tensor.dtype).to_owned(),
        shape: tensor.shape.clone(),
        data: TensorData { source: source.clone(), range: tensor.range.clone() },
    };
    Ok(file.tensors().iter().map(tensor).collect())
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

/// Returns the name that is nearest to another one.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    const MOST: usize = 200;
    let name: Vec<char> = name.chars().take(MOST).collect();
    let distance = |other: &str| {
        let mut row: Vec<usize> = (0..=name.len()).collect();
        for (at, letter) in other.chars().take(MOST).enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], at + 1);
            for place in 0..name.len() {
                let cost = diagonal + usize::from(name[place] != letter);
                diagonal = row[place + 1];
                row[place + 1] = cost.min(diagonal + 1).min(row[place] + 1);
            }
        }
        row[name.len()]
    };
    let near = names.take(1000).map(|other| (distance(other), other)).min_by_key(|near| near.0)?;
    (near.0 <= 2 + name.len() / 3).then_some(near.1)
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

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["layer0.weight", "layer0.bias"];
        assert_eq!(nearest("layer0.weigth", names.into_iter()), Some("layer0.weight"));
        assert_eq!(nearest("x", names.into_iter()), None);
    }
}
