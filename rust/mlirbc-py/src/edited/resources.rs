//! The resources of edited modules.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::handle::Home;
use crate::lost_bytes::Reads;
use crate::reading::{ResourceReading, resource_methods};
use crate::resource::Resources;

/// The base of resources of edited modules.
#[pyclass(frozen, subclass, mapping, module = "mlirbc._mlirbc", name = "_EditedResources")]
pub(crate) struct EditedResources(Home);

impl Reads for EditedResources {
    fn reads(&self) -> Option<&::mlirbc::file::FileTables> {
        self.0.reads()
    }
}

impl ResourceReading for EditedResources {
    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Resources>> {
        let module = slf.get().0.place(slf.py(), 0).module;
        Ok(module.call_method0("snapshot")?.getattr("resources")?.cast_into::<Resources>()?)
    }
}

resource_methods!(EditedResources, {
    #[new]
    fn new(module: &Bound<'_, PyAny>) -> PyResult<Self> {
        Home::new(module).map(Self)
    }

    fn __setitem__(&self, key: &Bound<'_, PyAny>, content: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(key, content, None, false)
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        self.remove(key)
    }

    /// Put other content into a resource: a buffer, an array, an object with `__dlpack__` or a path for bytes;
    /// text, bools outside of dialects.
    ///
    /// Without `alignment` bytes are aligned as the old ones. Raises `InvalidError` when attributes refer to the
    /// resource and none of their types needs as many bytes, unless `resize` is true.
    #[pyo3(signature = (key, content, *, alignment = None, resize = false))]
    fn replace(
        &self,
        key: &Bound<'_, PyAny>,
        content: &Bound<'_, PyAny>,
        alignment: Option<u64>,
        resize: bool,
    ) -> PyResult<()> {
        self.0.place(key.py(), 0).editor.get().set_resource(key.py(), key, content, alignment, resize)
    }

    /// Add a resource: to the builtin dialect, for `dense_resource` attributes, or to a group.
    ///
    /// A dialect and a group outside of dialects may have one name, so `is_external` says which `group` is.
    /// Attributes of a dialect refer to its resources.
    #[pyo3(signature = (key, content, *, group = None, is_external = None, alignment = None))]
    fn add(
        &self,
        key: &Bound<'_, PyAny>,
        content: &Bound<'_, PyAny>,
        group: Option<&Bound<'_, PyAny>>,
        is_external: Option<bool>,
        alignment: Option<u64>,
    ) -> PyResult<()> {
        let py = key.py();
        let (group, is_external) = match (group, is_external) {
            (None, None) => (PyString::new(py, "builtin").into_any(), false),
            (Some(group), Some(is_external)) => (group.clone(), is_external),
            _ => {
                return Err(PyTypeError::new_err(
                    "pass `group` and `is_external` together: `is_external=False` for the name of a dialect, \
                     `is_external=True` for a group outside of dialects",
                ));
            }
        };
        let editor = self.0.place(py, 0).editor;
        editor.get().add_resource(py, key, content, &group, is_external, alignment)
    }

    /// Take a resource away; a resource of a dialect keeps its key, since attributes refer to it by number.
    fn remove(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.place(key.py(), 0).editor.get().remove_resource(key.py(), key)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        match Self::resources(slf) {
            Ok(resources) => format!("<mlirbc.edit.Resources of {} entries>", resources.get().length()),
            Err(_) => "<mlirbc.edit.Resources>".to_owned(),
        }
    }
});
