//! Resources: the calls of opened and of edited modules.

use pyo3::PyClass;
use pyo3::prelude::*;

use crate::resource::Resources;

/// Resources of a module; an edited module has the resources of its snapshot.
pub(crate) trait ResourceReading: PyClass {
    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Resources>>;
}

/// The methods of a class of resources.
macro_rules! resource_methods {
    ($class:ident, { $($more:tt)* }) => {
        #[mlirbc_py_macros::checked]
        #[pymethods]
        impl $class {
            fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
                Ok($crate::reading::ResourceReading::resources(slf)?.get().length())
            }

            fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyIterator>> {
                Self::keys(slf)?.try_iter()
            }

            fn __contains__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
                Ok($crate::reading::ResourceReading::resources(slf)?.get().first(key)?.is_some())
            }

            fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<$crate::resource::Resource> {
                $crate::reading::ResourceReading::resources(slf)?.get().by_key(key)
            }

            /// Return the first resource with this key, or with this group and key; `default` if there is none.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.resources.get("layer0.bias").size
            ///     16
            ///     >>> module.resources.get(("builtin", "nothing")) is None
            ///     True
            #[pyo3(signature = (key, default = None))]
            fn get<'py>(
                slf: &Bound<'py, Self>,
                key: &Bound<'py, PyAny>,
                default: Option<Bound<'py, PyAny>>,
            ) -> PyResult<Option<Bound<'py, PyAny>>> {
                match $crate::reading::ResourceReading::resources(slf)?.get().first(key)? {
                    Some(resource) => Ok(Some(Bound::new(slf.py(), resource)?.into_any())),
                    None => Ok(default),
                }
            }

            /// Return all resources with this key, and in this group if one is given, in file order.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [resource.size for resource in module.resources.get_all("layer0.bias")]
            ///     [16]
            #[pyo3(signature = (key, group = None))]
            fn get_all(
                slf: &Bound<'_, Self>,
                key: &Bound<'_, pyo3::types::PyString>,
                group: Option<&Bound<'_, pyo3::types::PyString>>,
            ) -> PyResult<Vec<$crate::resource::Resource>> {
                $crate::reading::ResourceReading::resources(slf)?.get().of_key(key, group)
            }

            /// Return the keys in file order; a repeated key occurs several times.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.resources.keys()[2:]
            ///     ['layer0.weight', 'layer0.bias', 'layer1.weight', 'layer1.bias']
            fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                let keys = $crate::reading::ResourceReading::resources(slf)?.get().all_keys(slf.py())?;
                pyo3::types::PyList::new(slf.py(), keys)
            }

            /// Return the resources in file order.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [resource.kind for resource in module.resources.values()]
            ///     ['string', 'bool', 'blob', 'blob', 'blob', 'blob']
            fn values(slf: &Bound<'_, Self>) -> PyResult<Vec<$crate::resource::Resource>> {
                Ok($crate::reading::ResourceReading::resources(slf)?.get().all(slf.py()))
            }

            /// Return keys and resources in file order.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [key for key, resource in module.resources.items() if resource.is_external]
            ///     ['note', 'trained']
            fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, pyo3::types::PyTuple>>> {
                $crate::reading::ResourceReading::resources(slf)?.get().pairs(slf.py())
            }

            $($more)*
        }
    };
}

pub(crate) use resource_methods;
