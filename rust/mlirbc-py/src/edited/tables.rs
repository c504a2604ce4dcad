//! The tables of an edited module: entries by index, and the versions of dialects.

use ::mlirbc::edit::PossibleReference;
use ::mlirbc::format::id::{AttrId, TypeId};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::edit::{PyEditor, bytes_of};
use crate::errors::raise;
use crate::handle::entry::{Attribute, Type};
use crate::handle::module::Module;
use crate::open::foreign;

/// The entries and dialect versions of an edited module.
#[pyclass(frozen, module = "mlirbc._mlirbc", name = "_EditedTables")]
pub(crate) struct EditedTables(pub(crate) Py<PyEditor>);

/// An attribute, with the type and the text in it.
type Reference<'py> = (Bound<'py, Attribute>, Option<Bound<'py, Type>>, Option<Bound<'py, PyAny>>);

#[pymethods]
impl EditedTables {
    #[new]
    fn new(editor: Py<PyEditor>) -> Self {
        Self(editor)
    }

    fn attribute_count(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.get().look(py, |editor| editor.entry_counts())?.0)
    }

    fn type_count(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.0.get().look(py, |editor| editor.entry_counts())?.1)
    }

    fn attribute_at<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Bound<'py, Attribute>> {
        Attribute::object(py, self.0.get().look(py, |editor| editor.attribute_at(index))?)
    }

    fn type_at<'py>(&self, py: Python<'py>, index: u32) -> PyResult<Bound<'py, Type>> {
        Type::object(py, self.0.get().look(py, |editor| editor.type_at(index))?)
    }

    fn replace_attribute(&self, py: Python<'_>, index: u32, value: &Bound<'_, Attribute>) -> PyResult<()> {
        let value = value.get().value(py)?;
        self.0.get().with(py, |editor| editor.replace_attribute(AttrId::new(index), &value))
    }

    fn replace_type(&self, py: Python<'_>, index: u32, value: &Bound<'_, Type>) -> PyResult<()> {
        let value = value.get().value(py)?;
        self.0.get().with(py, |editor| editor.replace_type(TypeId::new(index), &value))
    }

    fn dialect_version<'py>(&self, py: Python<'py>, dialect: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = self.0.get().look(py, |editor| editor.dialect_version(dialect))?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    fn set_dialect_version(
        &self,
        py: Python<'_>,
        dialect: &str,
        version: Option<Vec<u8>>,
        keep_opaque: bool,
    ) -> PyResult<bool> {
        self.0.get().with(py, |editor| match keep_opaque {
            true => editor.set_dialect_version_only(dialect, version.as_deref()),
            false => editor.set_dialect_version(dialect, version.as_deref()),
        })
    }

    /// Returns the parts of the module whose layout in a new version of a dialect is unknown.
    fn opaque_for_version(
        &self,
        py: Python<'_>,
        dialect: &str,
        version: Option<Vec<u8>>,
    ) -> PyResult<Vec<String>> {
        self.0.get().look(py, |editor| editor.opaque_for_version(dialect, version.as_deref()))
    }

    /// Adds a dialect that the module does not use.
    fn add_dialect(&self, py: Python<'_>, dialect: &str) -> PyResult<()> {
        self.0.get().with(py, |editor| editor.add_dialect(dialect))
    }

    /// Sets the target versions for which properties are encoded while operations are converted.
    fn set_target_versions(&self, py: Python<'_>, versions: Vec<(String, Option<Vec<u8>>)>) -> PyResult<()> {
        let versions: Vec<_> = versions.iter().map(|(name, bytes)| (&**name, bytes.as_deref())).collect();
        self.0.get().look(py, |editor| editor.set_target_versions(&versions))
    }

    /// Returns the counts and the hash; None if the module has fewer entries.
    #[pyo3(signature = (counts))]
    fn numbering(&self, py: Python<'_>, counts: Option<[u32; 4]>) -> PyResult<Option<([u32; 4], u64)>> {
        let numbering = self.0.get().look(py, |editor| editor.numbering(counts))?;
        Ok(numbering.map(|state| (state.counts, state.hash)))
    }

    /// Returns property bytes for the module; an index in `bytes` is a position in the list of references.
    fn encode_declared<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        bytes: Vec<u8>,
        references: Vec<Reference<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let references = references.into_iter().map(|(attribute, r#type, text)| {
            Ok(PossibleReference {
                attribute: attribute.get().value(py)?,
                r#type: r#type.map(|value| value.get().value(py)).transpose()?,
                text: text.map(|text| bytes_of(&text)).transpose()?,
            })
        });
        let references = references.collect::<PyResult<Vec<_>>>()?;
        let encoded = self.0.get().with(py, |editor| editor.encode_declared(name, &bytes, &references))?;
        Ok(PyBytes::new(py, &encoded))
    }

    /// Replaces the elements of a weight of the module that is edited.
    fn set_weight(
        &self,
        py: Python<'_>,
        module: &Module,
        name: &str,
        data: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let weights = crate::weights::weights(py, module)?;
        let weight = weights.require(name).map_err(|error| raise(py, error, None))?;
        let bytes = foreign(data)?;
        self.0.get().with(py, |editor| weights.set(editor, weight, bytes))
    }
}
