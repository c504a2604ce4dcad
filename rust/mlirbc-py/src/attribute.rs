//! The methods of attributes and types, and the tables that contain these.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

use ::mlirbc::attr::FieldValue;
use ::mlirbc::file::ResourceValue;
use ::mlirbc::ir::{AttrId, TypeId};
use ::mlirbc::tool::{html_fragment, printable};
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use mlirbc_py_macros::checked;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMemoryView, PyString, PyTuple, PyType};

use crate::blob::Blob;
use crate::class::{self, HandleTarget, Pending};
use crate::errors::raise;
use crate::field::to_python;
use crate::handle::entry::{Attribute, Type};
use crate::handle::entry_cache::EntryCache;
use crate::handle::module::Module;
use crate::lost_bytes::{checked as unless_lost, reads};
use crate::maps::NamedAttribute;
use crate::sequence::{ItemSequence, sequence_methods};
use crate::text::text;

/// A function of the Python module for what only upstream's bindings have.
fn bindings<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("mlirbc._bindings")?.getattr(name)
}

/// Returns the error for text that cannot be parsed; with a context, in the form of upstream's bindings.
#[cold]
fn upstream_error(
    py: Python<'_>,
    error: PyErr,
    (kind, text): (&str, &str),
    context: Option<&Bound<'_, PyAny>>,
) -> PyErr {
    let converted = || -> PyResult<Bound<'_, PyAny>> {
        let modules = py.import("sys")?.getattr("modules")?;
        let diagnostics = modules.call_method1("get", ("mlirbc.mlir._diagnostics",))?;
        if diagnostics.is_none() {
            return Ok(error.value(py).clone().into_any());
        }
        diagnostics.call_method1("parse_failure", (error.value(py), kind, text, context))
    };
    match converted() {
        Ok(converted) => PyErr::from_value(converted),
        Err(other) => other,
    }
}

/// The identifier or the name of a class of attributes or types in MLIR, as a property of the class itself.
///
///     >>> mlirbc.types.IntegerType.type_name, mlirbc.attributes.UnitAttr.attr_name
///     ('builtin.integer', 'builtin.unit')
#[pyclass(frozen, module = "mlirbc._mlirbc")]
pub(crate) struct _ClassProperty {
    function: &'static str,
}

#[pymethods]
impl _ClassProperty {
    fn __get__<'py>(
        &self,
        instance: &Bound<'py, PyAny>,
        owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = owner.cloned().unwrap_or_else(|| instance.get_type().into_any());
        bindings(instance.py(), self.function)?.call1((class,))
    }
}

/// Gives the base classes the properties of classes.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let property = |function| Bound::new(py, _ClassProperty { function });
    py.get_type::<Attribute>().setattr("static_typeid", property("static_typeid")?)?;
    py.get_type::<Type>().setattr("static_typeid", property("static_typeid")?)?;
    py.get_type::<Attribute>().setattr("attr_name", property("name_of_class")?)?;
    py.get_type::<Type>().setattr("type_name", property("name_of_class")?)
}

/// The bytes of a text that is kept with its object. Many values may share one long part.
const LONGEST_KEPT_TEXT: usize = 1024;

/// The methods of both classes. A macro is needed because PyO3 classes cannot be generic.
macro_rules! entry_methods {
    ($name:ident, $value:ident, $id:ident, $sort:ident, $kind:literal, $parsed:literal, $shown:literal, $fields:literal,
     $class:literal, $code:literal, $opaque:literal, { $($more:tt)* }) => {
        #[checked]
        #[pymethods]
        impl $name {
            $($more)*

            /// Pickled as the bytes of a module that contains the value.
            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                slf.py().import("mlirbc._pickle")?.getattr("reduced_entry")?.call1((slf,))
            }

            /// Returns the object itself, which is immutable.
            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            /// Returns the object itself, which is immutable.
            fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
                slf
            }

            #[new]
            #[classmethod]
            #[pyo3(signature = (cast_from = None, /))]
            pub(crate) fn new(cls: &Bound<'_, PyType>, cast_from: Option<&Bound<'_, Self>>) -> PyResult<Self> {
                let py = cls.py();
                let Some(from) = cast_from else {
                    return match class::take() {
                        Some(Pending::$name(held)) => Ok(Self { held, results: EntryCache::default() }),
                        _ => {
                            let name = cls.name()?;
                            Err(PyTypeError::new_err(format!("{name}() expects the attribute or type to cast")))
                        }
                    };
                };
                let value = from.get().value(py)?;
                let is = class::python_class(py, class::$sort(&value))?;
                unless_lost(from.get(), Ok(()))?;
                if !class::may_cast(cls, is.map(|class| class.bind(py)))? && !cls.is(&py.get_type::<Self>()) {
                    let (name, from) = (cls.name()?, from.get().brief(py)?);
                    let message = format!(
                        "Cannot cast {} to {name} (from {}({from}))",
                        $kind,
                        stringify!($name),
                    );
                    return Err(PyValueError::new_err(printable(&message).into_owned()));
                }
                Ok(Self {
                    held: match &from.get().held {
                        HandleTarget::Alone(value) => HandleTarget::Alone(value.clone()),
                        HandleTarget::InFile(file, id) => {
                            HandleTarget::InFile(file.clone(), AtomicU32::new(id.load(Ordering::Relaxed)))
                        }
                    },
                    results: EntryCache::default(),
                })
            }

            /// The index in the file, counted from 0; None for a value that belongs to no file.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].index, module.types[0].index
            ///     (64, 0)
            #[getter]
            fn index(&self) -> Option<u32> {
                match &self.held {
                    HandleTarget::InFile(_, id) => Some(id.load(Ordering::Relaxed)),
                    HandleTarget::Alone(value) => value.id().map(|id| id.number()),
                }
            }

            /// The name of the dialect.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].dialect, module.types[0].dialect
            ///     ('arith', 'builtin')
            #[getter]
            fn dialect(&self, py: Python<'_>) -> PyResult<String> {
                Ok(self.value(py)?.dialect())
            }

            /// The name of the class in the dialect's table or in a pack; None for other text, and for dialects
            /// without a table.
            ///
            #[doc = $class]
            #[getter]
            fn class_name<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
                let value = self.value(py)?;
                value.settle(false).map_err(|error| raise(py, error, None))?;
                if let Some(class) = value.class() {
                    return Ok(Some(PyString::new(py, class)));
                }
                Ok(value.definition().map(|definition| PyString::new(py, definition.class())))
            }

            /// The fields by name, as the dialect's table or a pack defines them; empty for other text, and for
            /// dialects without a table.
            ///
            /// Raises `ReadError` if the bytes do not match the definition.
            ///
            #[doc = $fields]
            #[getter]
            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let fields = self.value(py)?.fields().map_err(|error| raise(py, error, None))?;
                let dict = PyDict::new(py);
                for (name, value) in fields {
                    dict.set_item(name, to_python(py, value)?)?;
                }
                Ok(dict)
            }

            /// The reason why the bytes cannot be decoded, as a sentence; None if they can be decoded, and
            /// for text.
            ///
            #[doc = $opaque]
            #[getter]
            fn opaque_reason(&self, py: Python<'_>) -> PyResult<Option<String>> {
                let value = self.value(py)?;
                let reason = py.detach(|| value.opaque_reason()).map_err(|error| raise(py, error, None))?;
                Ok(reason.map(|error| error.to_string()))
            }

            /// Returns the field with this name; None if there is no such field.
            #[doc(hidden)]
            fn _field(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
                let field = self.value(py)?.field(name).map_err(|error| raise(py, error, None))?;
                field.map(|field| to_python(py, field)).transpose()
            }

            /// Returns the result of `make` for this object. The result is cached, so that access to an item
            /// of a long list costs no more than the item.
            #[doc(hidden)]
            fn _kept(slf: &Bound<'_, Self>, make: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let (py, this) = (slf.py(), slf.get());
                let index = this.index();
                let kept_object = this.results.get(index, |results| results.object.as_ref().map(|kept| kept.clone_ref(py)));
                if let Some(kept) = kept_object {
                    return Ok(kept);
                }
                let value = make.call1((slf,))?.unbind();
                this.results.keep(index, |results| results.object = Some(value.clone_ref(py)));
                Ok(value)
            }

            /// The text in the file, if the dialect writes text; otherwise None.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].text, module.types[0].text
            ///     ('#arith.fastmath<contract>', None)
            #[getter]
            fn text<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
                self.value(py)?.text().map(|bytes| text(py, &bytes)).transpose()
            }

            /// Whether the file stores text.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].is_text, module.types[0].is_text
            ///     (True, False)
            #[getter]
            fn is_text(&self, py: Python<'_>) -> PyResult<bool> {
                Ok(self.value(py)?.is_text())
            }

            /// The bytes in the file; text includes the zero byte at the end. Numbers in the bytes refer to
            /// the file's tables.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64].payload, len(module.types[0].payload)
            ///     (b'#arith.fastmath<contract>\x00', 1)
            #[getter]
            fn payload<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                Ok(PyBytes::new(py, &self.value(py)?.payload()))
            }

            /// The offset of `payload` in the file, or in the module of a container; None for a value that
            /// belongs to no file.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[0].offset, mlirbc.Attribute.parse("1 : i32").offset
            ///     (145, None)
            #[getter]
            fn offset(&self, py: Python<'_>) -> PyResult<Option<u64>> {
                Ok(self.value(py)?.offset())
            }

            /// Parse the text of an attribute or a type; raises `InvalidError` if the text is not valid.
            ///
            #[doc = $parsed]
            #[doc = $shown]
            #[staticmethod]
            #[pyo3(signature = (asm, context = None, *, dialects = None))]
            fn parse<'py>(
                py: Python<'py>,
                asm: &str,
                context: Option<&Bound<'py, PyAny>>,
                dialects: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, Self>> {
                let raised = |error| upstream_error(py, raise(py, error, None), ($kind, asm), context);
                let Some(dialects) = dialects else {
                    return Self::object(py, $value::parse(asm).map_err(raised)?);
                };
                let dialects = PyList::new(py, dialects.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
                let (tables, interfaces) = crate::dialect_hooks::split(py, dialects.as_any())?;
                let value = $value::parse_for(asm, &tables).map_err(raised)?;
                let value = Self::object(py, value)?;
                if interfaces.is_empty() {
                    return Ok(value);
                }
                // Hooks also decode values that come from text.
                let encoded = py.import("mlirbc._hook_text")?.getattr("encoded_value")?;
                Ok(encoded.call1((value, dialects))?.cast_into()?)
            }

            /// The context of upstream's bindings: the current one, or the one that was used last. A value of
            /// mlirbc belongs to no context.
            ///
            ///     >>> from mlirbc.mlir import ir
            ///     >>> with ir.Context() as context:
            ///     ...     mlirbc.types.IndexType.get().context is context
            ///     True
            #[getter]
            fn context(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                bindings(slf.py(), "context_of")?.call1((slf,)).map(Bound::unbind)
            }

            /// Print the text to the standard error output.
            ///
            ///     >>> mlirbc.types.IndexType.get().dump()
            fn dump(&self, py: Python<'_>) -> PyResult<()> {
                let options = PyDict::new(py);
                options.set_item("file", py.import("sys")?.getattr("stderr")?)?;
                py.import("builtins")?.getattr("print")?.call((self.__str__(py)?,), Some(&options))?;
                Ok(())
            }

            /// The identifier of the class in MLIR, equal for values of the same class.
            ///
            ///     >>> mlirbc.types.IndexType.get().typeid == mlirbc.types.IndexType.static_typeid
            ///     True
            #[getter]
            fn typeid(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                bindings(slf.py(), "typeid_of")?.call1((slf,)).map(Bound::unbind)
            }

            /// Whether a value is of this class, as `isinstance` says; older bindings have this method.
            ///
            ///     >>> mlirbc.types.IndexType.isinstance(mlirbc.types.IndexType.get())
            ///     True
            #[classmethod]
            fn isinstance(cls: &Bound<'_, PyType>, other: &Bound<'_, Self>) -> PyResult<bool> {
                if other.is_instance(cls)? {
                    return Ok(true);
                }
                let value = other.get().value(cls.py())?;
                let is = class::python_class(cls.py(), class::$sort(&value))?;
                class::may_cast(cls, is.map(|class| class.bind(cls.py())))
            }

            /// Call `get` of the class with these arguments. The values of mlirbc are always checked.
            ///
            ///     >>> mlirbc.types.VectorType.get_unchecked([2], mlirbc.types.F32Type.get())
            ///     VectorType(vector<2xf32>)
            #[classmethod]
            #[pyo3(signature = (*args, **kwargs))]
            fn get_unchecked<'py>(
                cls: &Bound<'py, PyType>,
                args: &Bound<'py, PyTuple>,
                kwargs: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                cls.getattr("get")?.call(args, kwargs)
            }

            #[getter]
            #[pyo3(name = "_CAPIPtr")]
            #[doc(hidden)]
            fn capsule(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
                bindings(slf.py(), "capsule")?.call0().map(Bound::unbind)
            }

            #[staticmethod]
            #[pyo3(name = "_CAPICreate")]
            #[doc(hidden)]
            fn of_capsule(py: Python<'_>, capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let _ = capsule;
                bindings(py, "capsule")?.call0().map(Bound::unbind)
            }

            /// Returns an object that was made from the bytes of its fields, unless the file has lost bytes
            /// meanwhile.
            #[doc(hidden)]
            fn _whole(&self, made: Py<PyAny>) -> PyResult<Py<PyAny>> {
                Ok(made)
            }

            /// Returns the object itself, which always has its most derived class. Upstream's bindings have
            /// this method, too.
            ///
            #[doc = $code]
            fn maybe_downcast<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
                Self::object(slf.py(), slf.get().value(slf.py())?)
            }

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                let Ok(other) = other.cast::<Self>() else { return Ok(false) };
                if self.is_same(other.get()) {
                    return Ok(true);
                }
                let (own_value, other_value) = (self.value(py)?, other.get().value(py)?);
                for value in [&own_value, &other_value] {
                    value.settle(true).map_err(|error| raise(py, error, None))?;
                }
                let equal = own_value == other_value;
                unless_lost(other.get(), Ok(equal))
            }

            fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
                let mut hasher = DefaultHasher::new();
                let value = self.value(py)?;
                value.settle(true).map_err(|error| raise(py, error, None))?;
                value.hash(&mut hasher);
                Ok(hasher.finish())
            }

            fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
                let index = self.index();
                let kept_text = self.results.get(index, |results| results.text.as_ref().map(|kept| kept.clone_ref(py)));
                if let Some(kept) = kept_text {
                    return Ok(kept.into_bound(py));
                }
                let value = self.value(py)?;
                value.settle(true).map_err(|error| raise(py, error, None))?;
                let string = py.detach(|| value.to_string());
                let text = PyString::new(py, &string);
                if string.len() <= LONGEST_KEPT_TEXT {
                    self.results.keep(index, |results| results.text = Some(text.clone().unbind()));
                }
                Ok(text)
            }

            #[doc(hidden)]
            fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
                // The excerpt of a large value is cut after this many bytes.
                const SHOWN: usize = 2000;
                let (py, class) = (slf.py(), slf.get_type().name()?.to_string());
                let value = slf.get().value(py)?;
                Ok(py.detach(|| html_fragment(&class, &value.to_text_within(SHOWN), "")))
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let text = format!("{}({})", slf.get_type().name()?, slf.get().brief(slf.py())?);
                Ok(printable(&text).into_owned())
            }
        }
    };
}

entry_methods!(
    Attribute,
    CoreAttribute,
    AttrId,
    attribute_class,
    "attribute",
    "    >>> mlirbc.Attribute.parse(\"[1 : i8, @main]\")",
    "    ArrayAttr([1 : i8, @main])",
    "     >>> mlirbc.Attribute.parse(\"7 : i8\").fields\n    {'type': IntegerType(i8), 'value': 7}",
    "     >>> mlirbc.Attribute.parse(\"{}\").class_name\n    'DictionaryAttr'",
    "     >>> mlirbc.Attribute(mlirbc.attributes.UnitAttr.get()).maybe_downcast()\n    UnitAttr(unit)",
    "     >>> mlirbc.Attribute.parse(\"7 : i8\").opaque_reason is None\n    True",
    {
        /// Returns the field `value` of a string attribute; None if there is no such field.
        #[doc(hidden)]
        fn _text_value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
            if let HandleTarget::InFile(file, id) = &self.held {
                let id = AttrId::new(id.load(Ordering::Relaxed));
                let stored_text = file.string_attribute(id).map_err(|error| raise(py, error, None))?;
                if let Some(bytes) = stored_text {
                    return Ok(Some(text(py, bytes)?.into_any().unbind()));
                }
            }
            self._field(py, "value")
        }

        /// The type of the attribute; `NoneType(none)` for attributes without a type.
        ///
        ///     >>> mlirbc.Attribute.parse("7 : i8").type, mlirbc.Attribute.parse("unit").type
        ///     (IntegerType(i8), NoneType(none))
        #[getter]
        fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
            let raise = |error| raise(py, error, None);
            match self.value(py)?.field("type").map_err(raise)? {
                Some(FieldValue::Type(found)) => Type::object(py, found),
                _ => Type::object(py, CoreType::build("builtin", "NoneType", &[]).map_err(raise)?),
            }
        }

        /// Pair the attribute with a name.
        ///
        ///     >>> mlirbc.attributes.UnitAttr.get().get_named("pure")
        ///     NamedAttribute(pure=unit)
        fn get_named(slf: Bound<'_, Self>, name: Py<PyString>) -> NamedAttribute {
            NamedAttribute::new(name, slf)
        }

        /// Returns the bytes of the dialect resource with this key; None if there is no such resource.
        #[doc(hidden)]
        fn _resource<'py>(
            &self,
            py: Python<'py>,
            key: &Bound<'py, PyString>,
        ) -> PyResult<Option<Bound<'py, PyMemoryView>>> {
            let value = self.value(py)?;
            let key = crate::resource::name(key)?;
            let Some(file) = value.file() else { return Ok(None) };
            let raise = |error| raise(py, error, None);
            for resource in file.resources_named(&key).map_err(raise)? {
                if resource.is_external() {
                    continue;
                }
                if let Some(ResourceValue::Blob { bytes, .. }) = resource.value().map_err(raise)? {
                    let blob = Bound::new(py, Blob::of_resource(file, &key, bytes, 0, 1))?;
                    return PyMemoryView::from(blob.as_any()).map(Some);
                }
            }
            Ok(None)
        }
    }
);
entry_methods!(
    Type,
    CoreType,
    TypeId,
    type_class,
    "type",
    "    >>> mlirbc.Type.parse(\"tensor<?x2xf32>\")",
    "    RankedTensorType(tensor<?x2xf32>)",
    "     >>> mlirbc.Type.parse(\"complex<f32>\").fields\n    {'elementType': F32Type(f32)}",
    "     >>> mlirbc.Type.parse(\"bf16\").class_name\n    'BFloat16Type'",
    "     >>> mlirbc.Type(mlirbc.types.IndexType.get()).maybe_downcast()\n    IndexType(index)",
    "     >>> mlirbc.Type.parse(\"i8\").opaque_reason is None\n    True",
    {
        /// The sizes; a dynamic one is `get_dynamic_size()`. Raises `ValueError` without a rank.
        ///
        ///     >>> mlirbc.Type.parse("tensor<2x?xf32>").shape
        ///     [2, -9223372036854775808]
        #[getter]
        fn _shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
            let index = self.index();
            let kept_sizes =
                self.results.get(index, |results| results.shape.as_ref().map(|kept| kept.clone_ref(py)));
            let sizes = match kept_sizes {
                Some(kept) => kept.into_bound(py),
                None => {
                    let sizes = self.read_sizes(py)?;
                    self.results.keep(index, |results| results.shape = Some(sizes.clone().unbind()));
                    sizes
                }
            };
            // The caller may change its list.
            Ok(sizes.get_slice(0, sizes.len()))
        }

        /// The type of the elements.
        ///
        ///     >>> mlirbc.Type.parse("tensor<4xf32>").element_type
        ///     F32Type(f32)
        #[getter]
        fn _element_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
            let index = self.index();
            let kept_element =
                self.results.get(index, |results| results.element.as_ref().map(|kept| kept.clone_ref(py)));
            if let Some(kept) = kept_element {
                return Ok(kept.into_bound(py));
            }
            let field = self.value(py)?.field("elementType").map_err(|error| raise(py, error, None))?;
            let Some(FieldValue::Type(element)) = field else {
                return Err(PyTypeError::new_err(format!("{} has no element type", self.brief(py)?)));
            };
            let is_plain = element.payload().len() <= LONGEST_PLAIN_TYPE && is_scalar(&element);
            let element = Type::object(py, element)?.into_any();
            if is_plain {
                self.results.keep(index, |results| results.element = Some(element.clone().unbind()));
            }
            Ok(element)
        }
    }
);

/// The bytes of an element type that is kept, such as an integer type.
const LONGEST_PLAIN_TYPE: usize = 16;

/// Whether a type has no parts.
fn is_scalar(value: &CoreType) -> bool {
    matches!(value.class(), Some(class) if class == "IntegerType" || class == "IndexType" || class.contains("Float"))
}

impl Type {
    fn read_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match self.value(py)?.field("shape").map_err(|error| raise(py, error, None))? {
            Some(field @ FieldValue::List(_)) => Ok(to_python(py, field)?.into_bound(py).cast_into()?),
            _ => Err(PyValueError::new_err("calling this method requires that the type has a rank.")),
        }
    }
}

/// A table of the file; entries are read when they are accessed.
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
                TableKind::Strings => module.tables().strings()?.len(),
                TableKind::Attributes => module.tables().entry_counts()?.attributes as usize,
                TableKind::Types => module.tables().entry_counts()?.types as usize,
                TableKind::Properties => module.tables().properties()?.len(),
            })
        })?;
        Ok(Self { module: module.clone().unbind(), kind, len })
    }
}

reads! { Table: module; }

impl ItemSequence for Table {
    fn len(&self, _: Python<'_>) -> PyResult<usize> {
        Ok(self.len)
    }

    fn item(&self, py: Python<'_>, number: usize) -> PyResult<Py<PyAny>> {
        let module = self.module.get();
        let index = number as u32;
        let item = match self.kind {
            TableKind::Strings => {
                let strings = module.inner.tables().strings().map_err(|error| module.raise(py, error))?;
                text(py, strings.get(index).unwrap_or_default())?.into_any().unbind()
            }
            TableKind::Attributes => module.attribute(py, AttrId::new(index))?.into_any().unbind(),
            TableKind::Types => module.r#type(py, TypeId::new(index))?.into_any().unbind(),
            TableKind::Properties => {
                let table = module.inner.tables().properties().map_err(|error| module.raise(py, error))?;
                PyBytes::new(py, &table.get(index).unwrap_or_default()).into_any().unbind()
            }
        };
        unless_lost(self, Ok(item))
    }
}

sequence_methods!(Table, {
    #[classmethod]
    fn __class_getitem__(cls: &Bound<'_, PyType>, item: &Bound<'_, PyAny>) -> Py<PyAny> {
        let _ = item;
        cls.clone().into_any().unbind()
    }
});
