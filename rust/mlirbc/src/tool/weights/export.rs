//! Weights as tensors of a safetensors file.

use std::io::Write;
use std::path::Path;

use crate::attr::text::dense::Element;
use crate::format::resource::ResourcePayload;
use crate::wire::error::{Error, Result};
use crate::wire::order::sort_by;
use crate::wire::progress::Progress;
use crate::write::replace::Replacement;

use super::block::Blocks;
use super::safetensors::{NewTensor, head};
use super::{Weight, WeightKind, Weights};

/// The dtype for the elements of a type, and whether releases of safetensors from 2023 on have it.
const DTYPES: &[(&str, &str, bool)] = &[
    ("i1", "BOOL", true),
    ("i8", "I8", true),
    ("si8", "I8", true),
    ("ui8", "U8", true),
    ("i16", "I16", true),
    ("si16", "I16", true),
    ("ui16", "U16", true),
    ("i32", "I32", true),
    ("si32", "I32", true),
    ("ui32", "U32", true),
    ("i64", "I64", true),
    ("si64", "I64", true),
    ("ui64", "U64", true),
    ("index", "I64", true),
    ("f16", "F16", true),
    ("bf16", "BF16", true),
    ("f32", "F32", true),
    ("f64", "F64", true),
    ("f8E4M3FN", "F8_E4M3", true),
    ("f8E5M2", "F8_E5M2", true),
    ("f8E8M0FNU", "F8_E8M0", false),
    ("f8E4M3FNUZ", "F8_E4M3FNUZ", false),
    ("f8E5M2FNUZ", "F8_E5M2FNUZ", false),
    ("complex<f32>", "C64", false),
];

/// The result of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ExportReport {
    /// The number of weights in the file.
    pub tensors: u64,
    /// The size of the file.
    pub size: u64,
}

/// Returns the dtype and the shape of a weight in a safetensors file. Element types that old releases of the
/// format do not know are stored as bytes, with a last dimension for the bytes of an element.
pub(super) fn exchanged(weight: &Weight) -> (&'static str, Vec<u64>) {
    let dtype = weight.dtype.as_deref().unwrap_or_default();
    if let Some(dtype) = natural(dtype, true).filter(|_| has_whole_elements(weight)) {
        return (dtype, weight.shape.clone());
    }
    let mut shape = weight.shape.clone();
    let (count, size) = (weight.count(), stored_size(weight));
    match size.checked_div(count) {
        Some(1) if size == count => {}
        Some(bytes) if bytes.checked_mul(count) == Some(size) => shape.push(bytes),
        _ => shape = vec![size],
    }
    ("U8", shape)
}

/// Returns the element type of a dtype; the dtype itself for unknown ones.
pub(in crate::tool) fn element_of(dtype: &str) -> &str {
    DTYPES.iter().find(|row| row.1 == dtype).map_or(dtype, |row| row.0)
}

/// Returns the dtype of an element type, even if only new releases of safetensors know it.
pub(super) fn natural(dtype: &str, is_old: bool) -> Option<&'static str> {
    DTYPES.iter().find(|row| row.0 == dtype && (row.2 || !is_old)).map(|row| row.1)
}

/// Returns the size in a safetensors file, where elements of one bit take a byte each.
fn stored_size(weight: &Weight) -> u64 {
    let whole =
        || weight.element.map_or(0, |element| weight.count().saturating_mul(element.storage() as u64));
    match (weight.has_data && weight.kind != WeightKind::Splat, weight.is_packed()) {
        (true, false) => weight.size,
        (true, true) => weight.count(),
        (false, _) => whole(),
    }
}

/// Returns whether the elements take whole bytes, as in attributes.
fn has_whole_elements(weight: &Weight) -> bool {
    let size = |element: Element| weight.count().checked_mul(element.storage() as u64);
    weight.element.is_some_and(|element| size(element) == Some(stored_size(weight)))
}

/// Returns the metadata key for the type of a weight.
pub(super) fn metadata_key(name: &str) -> String {
    format!("mlirbc.weight.{name}")
}

impl Weights {
    /// Returns whether a weight is exported as a tensor: splats and resources without data are not.
    #[doc(hidden)]
    pub fn is_exported(weight: &Weight) -> bool {
        weight.has_data && weight.kind != WeightKind::Splat
    }

    /// Writes the weights that `choose` accepts to a safetensors file, atomically. Data is read and written
    /// in blocks.
    ///
    /// # Errors
    /// System errors, and a request to stop.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("mlirbc-export-{}", std::process::id()));
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let weights = mlirbc::tool::Weights::of(&module)?;
    /// let report = weights.export(&path, &|weight| weight.name.starts_with("layer0"), &Default::default())?;
    /// assert_eq!(report.tensors, 2);
    /// let file = mlirbc::tool::Safetensors::open(&path)?;
    /// assert_eq!(file.get("layer0.bias").unwrap().shape, [4]);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn export(
        &self,
        path: impl AsRef<Path>,
        choose: &dyn Fn(&Weight) -> bool,
        progress: &Progress,
    ) -> Result<ExportReport> {
        let path = path.as_ref();
        let failed = |error| Error::io(format!("cannot write `{}`", path.display()), error);
        let mut chosen: Vec<(&Weight, NewTensor<'_>)> = Vec::new();
        for weight in self.rows().iter().filter(|weight| Self::is_exported(weight) && choose(weight)) {
            let (dtype, shape) = exchanged(weight);
            chosen.push((weight, NewTensor { name: &weight.name, dtype, shape, size: stored_size(weight) }));
        }
        // Data has no gaps, so wide elements are aligned if they come first.
        let alignment = |weight: &Weight| {
            weight.element.map_or(0, |element| 1_usize << element.storage().trailing_zeros().min(3))
        };
        sort_by(&mut chosen, |a, b| alignment(b.0).cmp(&alignment(a.0)));
        let mut metadata = vec![("mlirbc.format".to_owned(), "1".to_owned())];
        for (weight, _) in &chosen {
            metadata.push((metadata_key(&weight.name), self.description(weight)?));
        }
        let (chosen, tensors): (Vec<&Weight>, Vec<NewTensor<'_>>) = chosen.into_iter().unzip();
        let head = head(&tensors, &metadata);
        let all = tensors.iter().map(|tensor| tensor.size).sum::<u64>() + head.len() as u64;
        let mut file = Replacement::begin(path).map_err(failed)?;
        file.write_all(&head).map_err(failed)?;
        let mut done = head.len() as u64;
        let mut blocks = Blocks::new(self.module().source());
        for weight in chosen {
            blocks.each_unpacked(weight, 1, |block| {
                self.module().tables().check_interrupt()?;
                file.write_all(block).map_err(failed)?;
                done += block.len() as u64;
                progress.report(done, all);
                Ok(())
            })?;
        }
        self.module().source().check()?;
        file.commit().map_err(failed)?;
        Ok(ExportReport { tensors: tensors.len() as u64, size: all })
    }

    /// Returns the description of a weight for the metadata: `constant tensor<2xi4>` or `resource 16
    /// tensor<2xi4>`, with the alignment.
    fn description(&self, weight: &Weight) -> Result<String> {
        let r#type = weight.r#type.as_deref().unwrap_or_default();
        let resource = match weight.resource() {
            Some(row) => self.module().tables().resource(row)?,
            None => None,
        };
        let payload = resource.map(|resource| resource.payload()).transpose()?.flatten();
        Ok(match payload {
            Some(ResourcePayload::Blob { alignment, .. }) => format!("resource {alignment} {}", r#type),
            _ => format!("constant {}", r#type),
        })
    }
}
