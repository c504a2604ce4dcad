//! Which Python class an attribute or a type is of.
//!
//! The classes are written in Python, on top of `Attribute` and `Type`, and imported when the first object of any
//! of them is made. They have no state of their own, so an object of any of them is made by calling it while what
//! it is to hold waits in a place of the thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::AtomicU32;

use ::mlirbc::attr::FieldValue;
use ::mlirbc::file::FileTables;
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// The target of a handle: an entry of a file that is not decoded yet, or a value.
pub(crate) enum Held<V> {
    InFile(FileTables, AtomicU32),
    Alone(V),
}

/// What a new object is to hold.
pub(crate) enum Pending {
    Attribute(Held<CoreAttribute>),
    Type(Held<CoreType>),
}

thread_local! {
    static PENDING: RefCell<Option<Pending>> = const { RefCell::new(None) };
}

/// Leaves it for the object that this thread makes next.
pub(crate) fn leave(pending: Pending) {
    PENDING.with(|place| place.replace(Some(pending)));
}

/// Takes what was left.
pub(crate) fn take() -> Option<Pending> {
    PENDING.with(RefCell::take)
}

struct Classes {
    // By number: attributes and types share the numbers; 0 is the base class.
    list: Vec<Py<PyType>>,
    by_name: HashMap<String, u8>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

fn classes(py: Python<'_>) -> PyResult<&'static Classes> {
    match CLASSES.get(py) {
        Some(classes) => Ok(classes),
        None => import(py),
    }
}

#[cold]
fn import(py: Python<'_>) -> PyResult<&'static Classes> {
    let rows: Vec<(String, Py<PyType>)> = py.import("mlirbc._classes")?.getattr("OF_ENTRIES")?.extract()?;
    Ok(CLASSES.get_or_init(py, || {
        let mut classes = Classes { list: Vec::new(), by_name: HashMap::new() };
        for (name, class) in rows.into_iter().take(usize::from(u8::MAX) - 1) {
            classes.list.push(class);
            classes.by_name.insert(name, classes.list.len() as u8);
        }
        classes
    }))
}

/// How many classes there are, the base counted.
pub(crate) fn count(py: Python<'_>) -> PyResult<usize> {
    Ok(classes(py)?.list.len() + 1)
}

/// The class with this number; `None` for the base class.
#[inline]
pub(crate) fn python_class(py: Python<'_>, class: u8) -> PyResult<Option<&Py<PyType>>> {
    let Some(place) = usize::from(class).checked_sub(1) else { return Ok(None) };
    Ok(classes(py)?.list.get(place))
}

/// Whether something of class `is` can be seen as `wanted`; `None` is the base class.
pub(crate) fn may_cast(wanted: &Bound<'_, PyType>, is: Option<&Bound<'_, PyType>>) -> PyResult<bool> {
    let Some(is) = is else { return Ok(false) };
    if is.is_subclass(wanted)? {
        return Ok(true);
    }
    // Classes that are one in MLIR and several in its bindings.
    let also = wanted.getattr("_also")?;
    let name = is.name()?;
    also.cast::<PyTuple>()?.contains(name)
}

fn number(py: Python<'_>, dialect: &str, class: &str) -> PyResult<u8> {
    Ok(classes(py)?.by_name.get(&format!("{dialect}.{class}")).copied().unwrap_or(0))
}

/// The number of the class that an attribute is of.
pub(crate) fn attribute_class(py: Python<'_>, value: &CoreAttribute) -> PyResult<u8> {
    // The class would run the code of the dialect, and a handle asks for nothing.
    if value.has_hooks() {
        return Ok(0);
    }
    let class = match value.class() {
        None if !value.is_builtin() && value.is_text() => return number(py, "builtin", "OpaqueAttr"),
        None => return Ok(0),
        Some("IntegerAttr") if is_bool(value) => "BoolAttr",
        Some("DenseArrayAttr") => dense_array(value),
        Some("DenseIntOrFPElementsAttr") => dense_elements(value),
        Some(class) => class,
    };
    number(py, &value.dialect(), class)
}

/// Whether all attributes with its code are of one class.
pub(crate) fn is_by_code(value: &CoreAttribute) -> bool {
    !matches!(value.class(), None | Some("IntegerAttr" | "DenseArrayAttr" | "DenseIntOrFPElementsAttr"))
}

/// The number of the class that a type is of.
pub(crate) fn type_class(py: Python<'_>, value: &CoreType) -> PyResult<u8> {
    if value.has_hooks() {
        return Ok(0);
    }
    match value.class() {
        None if !value.is_builtin() && value.is_text() => number(py, "builtin", "OpaqueType"),
        None => Ok(0),
        Some(class) => number(py, &value.dialect(), class),
    }
}

fn part(value: &CoreAttribute, name: &str) -> Option<CoreType> {
    match value.field(name) {
        Ok(Some(FieldValue::Type(part))) => Some(part),
        _ => None,
    }
}

// The width of a signless integer type.
fn signless(r#type: &CoreType) -> Option<u64> {
    match r#type.field("widthAndSign") {
        Ok(Some(FieldValue::Unsigned(both))) if both & 3 == 0 => Some(both >> 2),
        _ => None,
    }
}

fn is_bool(value: &CoreAttribute) -> bool {
    // Three numbers. One large integer may be that of many attributes, and is not decoded for each.
    const LONGEST: usize = 32;
    value.payload().len() <= LONGEST && part(value, "type").is_some_and(|part| signless(&part) == Some(1))
}

fn dense_array(value: &CoreAttribute) -> &'static str {
    let Some(element) = part(value, "elementType") else { return "DenseArrayAttr" };
    match (element.class(), signless(&element)) {
        (_, Some(1)) => "DenseBoolArrayAttr",
        (_, Some(8)) => "DenseI8ArrayAttr",
        (_, Some(16)) => "DenseI16ArrayAttr",
        (_, Some(32)) => "DenseI32ArrayAttr",
        (_, Some(64)) => "DenseI64ArrayAttr",
        (Some("Float32Type"), _) => "DenseF32ArrayAttr",
        (Some("Float64Type"), _) => "DenseF64ArrayAttr",
        _ => "DenseArrayAttr",
    }
}

fn dense_elements(value: &CoreAttribute) -> &'static str {
    let element = match part(value, "type").map(|part| part.field("elementType")) {
        Some(Ok(Some(FieldValue::Type(element)))) => element,
        _ => return "DenseElementsAttr",
    };
    match element.class() {
        Some("IntegerType" | "IndexType") => "DenseIntElementsAttr",
        Some(class) if class.contains("Float") => "DenseFPElementsAttr",
        _ => "DenseElementsAttr",
    }
}
