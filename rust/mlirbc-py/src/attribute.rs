//! Attributes and types as they stand in the file, and the tables they are in.

use ::mlirbc::ir::{AttrId, TypeId};
use ::mlirbc::{Bytes, EntryEncoding};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::module::{Module, text};
use crate::sequence::{Items, sequence_methods};

/// An attribute of a module, by its index.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.attributes[64]
///     <mlirbc.Attribute 64: #arith.fastmath<contract>>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Attribute {
    module: Py<Module>,
    id: AttrId,
}

/// A type of a module, by its index.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.types[0].dialect
///     'builtin'
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Type {
    module: Py<Module>,
    id: TypeId,
}

struct Parts<'m> {
    dialect: &'m [u8],
    encoding: EntryEncoding,
    data: Bytes,
}

impl Attribute {
    pub(crate) fn new(module: Py<Module>, id: AttrId) -> Self {
        Self { module, id }
    }

    fn parts(&self, py: Python<'_>) -> PyResult<Parts<'_>> {
        let module = self.module.get();
        let entry = module.inner.attribute(self.id).map_err(|error| module.raise(py, error))?;
        Ok(entry.map_or_else(Parts::empty, |e| Parts {
            dialect: e.dialect,
            encoding: e.encoding,
            data: e.data,
        }))
    }
}

impl Type {
    pub(crate) fn new(module: Py<Module>, id: TypeId) -> Self {
        Self { module, id }
    }

    fn parts(&self, py: Python<'_>) -> PyResult<Parts<'_>> {
        let module = self.module.get();
        let entry = module.inner.r#type(self.id).map_err(|error| module.raise(py, error))?;
        Ok(entry.map_or_else(Parts::empty, |e| Parts {
            dialect: e.dialect,
            encoding: e.encoding,
            data: e.data,
        }))
    }
}

impl Parts<'_> {
    fn empty() -> Self {
        Self { dialect: b"", encoding: EntryEncoding::Custom, data: Bytes::new() }
    }

    fn asm<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        match self.encoding {
            EntryEncoding::Custom => Ok(None),
            EntryEncoding::Assembly => text(py, self.data.strip_suffix(&[0]).unwrap_or(&self.data)).map(Some),
        }
    }

    fn encoding(&self) -> &'static str {
        match self.encoding {
            EntryEncoding::Custom => "custom",
            EntryEncoding::Assembly => "assembly",
        }
    }
}

/// The methods of both classes; a macro because PyO3 classes cannot be generic.
macro_rules! entry_methods {
    ($name:ident) => {
        #[pymethods]
        impl $name {
            /// Its index in the file, counted from 0.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].index, module.types[0].index
            ///     (64, 0)
            #[getter]
            fn index(&self) -> u32 {
                self.id.0
            }

            /// The dialect whose group it is in.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].dialect, module.types[0].dialect
            ///     ('arith', 'builtin')
            #[getter]
            fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
                text(py, self.parts(py)?.dialect)
            }

            /// How it is written: by its dialect's codec (`custom`), or as text (`assembly`).
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].encoding, module.types[0].encoding
            ///     ('assembly', 'custom')
            #[getter]
            fn encoding(&self, py: Python<'_>) -> PyResult<&'static str> {
                Ok(self.parts(py)?.encoding())
            }

            /// Its bytes in the file, of text with the zero byte that ends it.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].data, len(module.types[0].data)
            ///     (b'#arith.fastmath<contract>\x00', 1)
            #[getter]
            fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                Ok(PyBytes::new(py, &self.parts(py)?.data))
            }

            /// Its assembly text; None when it is written by its dialect's codec.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].asm, module.types[0].asm
            ///     ('#arith.fastmath<contract>', None)
            #[getter]
            fn asm<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
                self.parts(py)?.asm(py)
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other
                    .cast::<Self>()
                    .is_ok_and(|other| self.module.is(&other.get().module) && self.id == other.get().id)
            }

            fn __hash__(&self) -> u64 {
                crate::value::identity_hash(&self.module, u64::from(self.id.0))
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let parts = self.parts(py)?;
                Ok(match parts.asm(py)? {
                    Some(asm) => format!(concat!("<mlirbc.", stringify!($name), " {}: {}>"), self.id.0, asm),
                    None => format!(
                        concat!("<mlirbc.", stringify!($name), " {} of {}, {} bytes>"),
                        self.id.0,
                        String::from_utf8_lossy(parts.dialect),
                        parts.data.len()
                    ),
                })
            }
        }
    };
}

entry_methods!(Attribute);
entry_methods!(Type);

/// A table of the file, read entry by entry when asked.
///
///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
///     >>> module.strings[0], len(module.strings)
///     ('builtin', 47)
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Table {
    module: Py<Module>,
    kind: TableKind,
    len: usize,
}

#[derive(Clone, Copy)]
pub(crate) enum TableKind {
    Strings,
    Attributes,
    Types,
    Properties,
}

impl Table {
    pub(crate) fn new(module: &Bound<'_, Module>, kind: TableKind) -> PyResult<Self> {
        module.get().ensure_open()?;
        let len = module.get().detached(module.py(), |module| {
            Ok(match kind {
                TableKind::Strings => module.strings()?.len(),
                TableKind::Attributes => module.entry_counts()?.attributes as usize,
                TableKind::Types => module.entry_counts()?.types as usize,
                TableKind::Properties => module.properties()?.len(),
            })
        })?;
        Ok(Self { module: module.clone().unbind(), kind, len })
    }
}

impl Items for Table {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.len)
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let module = self.module.get();
        let index = number as u32;
        Ok(match self.kind {
            TableKind::Strings => {
                let strings = module.inner.strings().map_err(|error| module.raise(py, error))?;
                text(py, strings.get(index).unwrap_or_default())?.into_any().unbind()
            }
            TableKind::Attributes => {
                Py::new(py, Attribute::new(self.module.clone_ref(py), AttrId(index)))?.into_any()
            }
            TableKind::Types => Py::new(py, Type::new(self.module.clone_ref(py), TypeId(index)))?.into_any(),
            TableKind::Properties => {
                let table = module.inner.properties().map_err(|error| module.raise(py, error))?;
                PyBytes::new(py, &table.get(index).unwrap_or_default()).into_any().unbind()
            }
        })
    }
}

sequence_methods!(Table, {
    #[classmethod]
    fn __class_getitem__(cls: &Bound<'_, PyType>, item: &Bound<'_, PyAny>) -> Py<PyAny> {
        let _ = item;
        cls.clone().into_any().unbind()
    }
});
