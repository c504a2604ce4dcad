//! Data layout: rules that Python registers for identifiers and scopes, the policy for vectors, and tables of
//! attributes by type.

use std::sync::Arc;

use ::mlirbc::layout::{self, DltiKey, IdentifierRules, ScopeQuestion, ScopeSpecification, VectorAlignment};
use ::mlirbc::{Attribute as CoreAttribute, Error, ErrorKind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::dlti::{DltiAttr, done, key};
use crate::errors::{of_callback, raise};
use crate::handle::entry::{Attribute, Type};
use crate::handle::ir::Operation;
use crate::lost_bytes::checked as unless_lost;

/// The layout of vectors that have no entry.
///
/// `alignment` is `size` for the size of the vector, rounded up to a power of two, as in MLIR; `element` for
/// the alignment of an element; or a number of bytes. `max` is the largest alignment in bytes. With
/// `elements="packed"` a vector has the bits of its elements, as after release 22 of MLIR, and not their
/// bytes.
///
///     >>> vectors = mlirbc.layout.VectorLayout(max=16)
///     >>> layout = mlirbc.DataLayout.from_specs([], vectors=vectors)
///     >>> layout.get_type_abi_alignment("vector<16xf32>"), layout.get_type_size("vector<16xf32>")
///     (16, 64)
#[pyclass(frozen, eq, module = "mlirbc")]
#[derive(PartialEq)]
pub(crate) struct VectorLayout {
    pub(crate) inner: layout::VectorLayout,
}

#[derive(FromPyObject)]
enum Alignment {
    Bytes(u64),
    Name(String),
}

#[pymethods]
impl VectorLayout {
    #[new]
    #[pyo3(signature = (*, alignment = Alignment::Name("size".to_owned()), max = None, elements = "bytes"),
        text_signature = "(*, alignment='size', max=None, elements='bytes')")]
    fn new(alignment: Alignment, max: Option<u64>, elements: &str) -> PyResult<Self> {
        let alignment = match alignment {
            Alignment::Bytes(bytes) if bytes.is_power_of_two() => VectorAlignment::Bytes(bytes),
            Alignment::Name(name) if name == "size" => VectorAlignment::Size,
            Alignment::Name(name) if name == "element" => VectorAlignment::Element,
            Alignment::Bytes(bytes) => {
                return Err(PyValueError::new_err(format!("alignment is a power of two, not {bytes}")));
            }
            Alignment::Name(name) => {
                let message = format!("alignment is 'size', 'element' or a number of bytes, not {name:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        if let Some(most) = max.filter(|most| !most.is_power_of_two()) {
            return Err(PyValueError::new_err(format!("max is a power of two, not {most}")));
        }
        let is_packed = match elements {
            "bytes" => false,
            "packed" => true,
            other => {
                let message = format!("elements is 'bytes' or 'packed', not {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Self { inner: layout::VectorLayout { alignment, most: max, is_packed } })
    }

    fn __repr__(&self) -> String {
        let layout::VectorLayout { alignment, most, is_packed } = self.inner;
        let alignment = match alignment {
            VectorAlignment::Size => "'size'".to_owned(),
            VectorAlignment::Element => "'element'".to_owned(),
            VectorAlignment::Bytes(bytes) => bytes.to_string(),
        };
        let elements = if is_packed { "packed" } else { "bytes" };
        let max = most.map_or("None".to_owned(), |most| most.to_string());
        format!("VectorLayout(alignment={alignment}, max={max}, elements='{elements}')")
    }
}

/// Returns the rules for the value of `rules=`.
pub(crate) fn rules(name: &str) -> PyResult<layout::Rules> {
    match name {
        "mlir" => Ok(layout::Rules::Mlir),
        "rfc" => Ok(layout::Rules::Rfc),
        other => Err(PyValueError::new_err(format!("rules is 'mlir' or 'rfc', not {other:?}"))),
    }
}

/// A registered Python object, with its name for errors.
#[derive(Debug)]
struct Registered {
    of: String,
    object: Py<PyAny>,
}

impl Registered {
    /// Calls Python. A `ValueError` is a refusal by that object; any other exception ends the query.
    fn ask<T>(
        &self,
        kind: ErrorKind,
        work: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>,
    ) -> ::mlirbc::Result<T> {
        Python::attach(|py| {
            work(py, self.object.bind(py)).map_err(|raised| {
                let is_refusal =
                    raised.get_type(py).is(py.get_type::<PyValueError>()) && raised.cause(py).is_none();
                match raised.value(py).str() {
                    Ok(text) if is_refusal => {
                        let message = format!("{text} (the registered rules of `{}`)", self.of);
                        Error::message(kind, message).with_source(raised)
                    }
                    _ => of_callback(raised),
                }
            })
        })
    }
}

impl IdentifierRules for Registered {
    fn verify(&self, key: &str, value: &CoreAttribute) -> ::mlirbc::Result<()> {
        self.ask(ErrorKind::LayoutEntryKind, |py, object| {
            if object.hasattr("verify")? {
                object.call_method1("verify", (key, Attribute::object(py, value.clone())?))?;
            }
            Ok(())
        })
    }

    fn combine(
        &self,
        key: &str,
        outer: &CoreAttribute,
        inner: &CoreAttribute,
    ) -> ::mlirbc::Result<CoreAttribute> {
        self.ask(ErrorKind::LayoutCombine, |py, object| {
            let (outer, inner) =
                (Attribute::object(py, outer.clone())?, Attribute::object(py, inner.clone())?);
            let combined = object.call_method1("combine", (key, outer, inner))?;
            match combined.cast::<Attribute>() {
                Ok(combined) => combined.get().value(py),
                Err(_) => {
                    let class_name = combined.get_type().name()?;
                    let message =
                        format!("`combine` for `{}` returned {class_name}, not an attribute", self.of);
                    Err(PyTypeError::new_err(message))
                }
            }
        })
    }
}

impl ScopeSpecification for Registered {
    fn specification(&self, question: &ScopeQuestion<'_>) -> ::mlirbc::Result<Option<layout::DltiAttr>> {
        self.ask(ErrorKind::LayoutEntryKind, |py, object| {
            let attributes = PyDict::new(py);
            for (name, value) in question.attributes {
                attributes.set_item(name, Attribute::object(py, value.clone())?)?;
            }
            let answer = object.call1((question.op, attributes, question.region))?;
            if answer.is_none() {
                return Ok(None);
            }
            Ok(Some(specification(&answer)?))
        })
    }
}

/// Parses a specification: an attribute, or text in either spelling.
pub(crate) fn specification(given: &Bound<'_, PyAny>) -> PyResult<layout::DltiAttr> {
    let py = given.py();
    if let Ok(spec) = given.cast::<DltiAttr>() {
        return Ok(spec.get().inner.clone());
    }
    if let Ok(attribute) = given.cast::<Attribute>() {
        let text = attribute.get().value(py)?.to_string();
        let text = unless_lost(attribute.get(), Ok(text))?;
        return done(py, layout::DltiAttr::parse_specification(text));
    }
    match given.cast::<PyString>() {
        Ok(text) => done(py, layout::DltiAttr::parse_specification(text.to_str()?)),
        Err(_) => {
            let class_name = given.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "a specification is an attribute or its text, not {class_name}"
            )))
        }
    }
}

/// Converts rules for identifiers, by dialect.
pub(crate) fn identifiers(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Arc<dyn IdentifierRules>)>> {
    let rows = registered(given)?.into_iter();
    Ok(rows.map(|row| (row.of.clone(), Arc::new(row) as Arc<dyn IdentifierRules>)).collect())
}

/// Converts specifications, by the name of the operation.
pub(crate) fn specifications(
    given: &Bound<'_, PyDict>,
) -> PyResult<Vec<(String, Arc<dyn ScopeSpecification>)>> {
    let rows = registered(given)?.into_iter();
    Ok(rows.map(|row| (row.of.clone(), Arc::new(row) as Arc<dyn ScopeSpecification>)).collect())
}

fn registered(given: &Bound<'_, PyDict>) -> PyResult<Vec<Registered>> {
    given.iter().map(|(of, object)| Ok(Registered { of: of.extract()?, object: object.unbind() })).collect()
}

#[pyfunction]
pub(crate) fn _register_identifiers(dialect: String, rules: Py<PyAny>) {
    let registered = Arc::new(Registered { of: dialect.clone(), object: rules });
    layout::register_identifiers(&dialect, registered);
}

#[pyfunction]
pub(crate) fn _register_specification(op: String, hook: Py<PyAny>) {
    layout::register_specification(&op, Arc::new(Registered { of: op.clone(), object: hook }));
}

/// Attributes by type and name for other purposes than layout. The entries come from the attributes called
/// `name` on an operation and on the operations around it, as `#dlti.map` or as an array of
/// `#datalayout.entry`. The innermost entry wins.
///
///     >>> outer = '#dlti.map<i32 = 1, f32 = 4, "default" = 9>'
///     >>> costs = mlirbc.layout.TypeTable.from_attributes([outer, "[#datalayout.entry<f32, 2>]"])
///     >>> costs.get("f32"), costs.get("i8"), costs.identifier("default")
///     (IntegerAttr(2 : i64), None, IntegerAttr(9 : i64))
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct TypeTable {
    inner: layout::TypeTable,
}

type TypeTableEntries<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, Attribute>)>;

fn rows<'a, 'py>(
    py: Python<'py>,
    entries: impl IntoIterator<Item = &'a (DltiKey, CoreAttribute)>,
) -> PyResult<TypeTableEntries<'py>> {
    let row =
        |(of, value): &(DltiKey, CoreAttribute)| Ok((key(py, of)?, Attribute::object(py, value.clone())?));
    entries.into_iter().map(row).collect()
}

fn core_type(of: &Bound<'_, PyAny>) -> PyResult<::mlirbc::Type> {
    let py = of.py();
    match of.cast::<Type>() {
        Ok(of) => of.get().value(py),
        Err(_) => done(py, ::mlirbc::Type::parse(of.extract::<&str>()?)),
    }
}

#[pymethods]
impl TypeTable {
    #[new]
    fn new(op: &Bound<'_, Operation>, name: &str) -> PyResult<Self> {
        op.get().module.get().ensure_open()?;
        let inner = layout::TypeTable::of(op.get().view()?, name);
        let inner = unless_lost(op.get(), inner.map_err(|error| raise(op.py(), error, None)))?;
        Ok(Self { inner })
    }

    /// Make a table of attributes or their texts, outermost first.
    ///
    ///     >>> mlirbc.layout.TypeTable.from_attributes(["#dlti.map<i8 = 1>"]).entries
    ///     [(IntegerType(i8), IntegerAttr(1 : i64))]
    #[staticmethod]
    fn from_attributes(py: Python<'_>, attributes: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut parsed = Vec::new();
        for attribute in &attributes {
            parsed.push(match attribute.cast::<Attribute>() {
                Ok(attribute) => attribute.get().value(py)?,
                Err(_) => done(py, CoreAttribute::parse(attribute.extract::<&str>()?))?,
            });
        }
        Ok(Self { inner: done(py, layout::TypeTable::of_attributes(&parsed))? })
    }

    /// The keys and values, in the order in which the keys first occur.
    ///
    ///     >>> mlirbc.layout.TypeTable.from_attributes(['#dlti.map<"a" = 1 : i8>']).entries
    ///     [('a', IntegerAttr(1 : i8))]
    #[getter]
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<TypeTableEntries<'py>> {
        rows(py, self.inner.entries())
    }

    /// Return the value for exactly this type; None if there is none.
    ///
    ///     >>> mlirbc.layout.TypeTable.from_attributes(["#dlti.map<i8 = 1>"]).get("i8")
    ///     IntegerAttr(1 : i64)
    #[pyo3(signature = (r#type, /))]
    fn get<'py>(&self, r#type: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Attribute>>> {
        let entry = self.inner.get(&core_type(r#type)?);
        entry.map(|value| Attribute::object(r#type.py(), value.clone())).transpose()
    }

    /// Return the value for a name; None if there is none.
    ///
    ///     >>> mlirbc.layout.TypeTable.from_attributes(['#dlti.map<"a" = 1 : i8>']).identifier("a")
    ///     IntegerAttr(1 : i8)
    fn identifier<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, Attribute>>> {
        let entry = self.inner.identifier(name);
        entry.map(|value| Attribute::object(py, value.clone())).transpose()
    }

    /// Return the entries for the class of a type, e.g. for all integers; classes are defined as for layouts.
    ///
    ///     >>> mlirbc.layout.TypeTable.from_attributes(["#dlti.map<i8 = 1, f32 = 2>"]).of_class("i64")
    ///     [(IntegerType(i8), IntegerAttr(1 : i64))]
    #[pyo3(signature = (r#type, /))]
    fn of_class<'py>(&self, r#type: &Bound<'py, PyAny>) -> PyResult<TypeTableEntries<'py>> {
        let py = r#type.py();
        rows(py, done(py, self.inner.of_class(&core_type(r#type)?))?)
    }

    fn __len__(&self) -> usize {
        self.inner.entries().len()
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.layout.TypeTable with {} entries>", self.inner.entries().len())
    }
}
