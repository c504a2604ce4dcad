//! The Python classes of attributes and types.
//!
//! The classes are written in Python, on top of `Attribute` and `Type`, and each is imported when its first
//! object is made. The classes have no state of their own: to make an object, the target is left in a
//! thread-local variable, and the class is called without arguments.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicU32;

use ::mlirbc::attr::FieldValue;
use ::mlirbc::file::FileTables;
use ::mlirbc::{Attribute as CoreAttribute, Type as CoreType};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// The target of a handle: an entry of a file that is not decoded yet, or a value.
pub(crate) enum HandleTarget<V> {
    InFile(FileTables, AtomicU32),
    Alone(V),
}

/// The target of the object that is made next.
pub(crate) enum Pending {
    Attribute(HandleTarget<CoreAttribute>),
    Type(HandleTarget<CoreType>),
}

thread_local! {
    static PENDING: RefCell<Option<Pending>> = const { RefCell::new(None) };
}

/// Leaves the target for the object that this thread makes next.
pub(crate) fn leave(pending: Pending) {
    PENDING.with(|place| place.replace(Some(pending)));
}

/// Takes the target that was left.
pub(crate) fn take() -> Option<Pending> {
    PENDING.with(RefCell::take)
}

/// The modules of the package that define the classes, and the names of the classes in dialect tables: `Entry`,
/// `Entry:PythonName` if the name in Python differs, `dialect.Entry` if the dialect is not the builtin one.
const MODULES: [(&str, &str); 9] = [
    (
        "_attributes",
        "IntegerAttr BoolAttr FloatAttr ArrayAttr DictionaryAttr:DictAttr TypeAttr UnitAttr SymbolRefAttr \
         FlatSymbolRefAttr DistinctAttr OpaqueAttr",
    ),
    ("_affine_attributes", "AffineMapAttr IntegerSetAttr StridedLayoutAttr"),
    (
        "_dense_arrays",
        "DenseArrayAttr DenseBoolArrayAttr DenseI8ArrayAttr DenseI16ArrayAttr DenseI32ArrayAttr DenseI64ArrayAttr \
         DenseF32ArrayAttr DenseF64ArrayAttr",
    ),
    ("_elements", "DenseElementsAttr DenseIntElementsAttr DenseFPElementsAttr"),
    (
        "_sparse_elements",
        "DenseStringElementsAttr DenseResourceElementsAttr SparseElementsAttr vhlo.TensorV1Attr:TensorV1Attr",
    ),
    ("_strings", "StringAttr"),
    ("_locations", "UnknownLoc FileLineColLoc NameLoc CallSiteLoc FusedLoc"),
    ("_shaped", "VectorType RankedTensorType UnrankedTensorType MemRefType UnrankedMemRefType"),
    (
        "_types",
        "IntegerType IndexType NoneType ComplexType TupleType FunctionType OpaqueType Float16Type:F16Type \
         BFloat16Type:BF16Type Float32Type:F32Type Float64Type:F64Type FloatTF32Type Float80Type:F80Type \
         Float128Type:F128Type Float8E5M2Type Float8E4M3Type Float8E4M3FNType Float8E5M2FNUZType Float8E4M3FNUZType \
         Float8E4M3B11FNUZType Float8E3M4Type Float8E8M0FNUType Float6E2M3FNType Float6E3M2FNType Float4E2M1FNType",
    ),
];

/// A Python class, which is imported with its module when its first object is made.
struct Class {
    module: &'static str,
    name: &'static str,
    imported: PyOnceLock<Py<PyType>>,
}

struct Classes {
    // Classes by number: attributes and types share the numbers; 0 is the base class.
    list: Vec<Class>,
    by_name: HashMap<String, u8>,
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let mut classes = Classes { list: Vec::new(), by_name: HashMap::new() };
    for (module, names) in MODULES {
        for entry in names.split_ascii_whitespace() {
            let (entry, name) = entry.split_once(':').unwrap_or((entry, entry));
            let entry = if entry.contains('.') { entry.to_owned() } else { format!("builtin.{entry}") };
            classes.list.push(Class { module, name, imported: PyOnceLock::new() });
            classes.by_name.insert(entry, classes.list.len() as u8);
        }
    }
    classes
});

/// The number of classes, including the base class.
pub(crate) fn count() -> usize {
    CLASSES.list.len() + 1
}

/// Returns the class with this number; `None` for the base class.
#[inline]
pub(crate) fn python_class(py: Python<'_>, class: u8) -> PyResult<Option<&Py<PyType>>> {
    let Some(class) = usize::from(class).checked_sub(1).and_then(|place| CLASSES.list.get(place)) else {
        return Ok(None);
    };
    match class.imported.get(py) {
        Some(known) => Ok(Some(known)),
        None => import(py, class).map(Some),
    }
}

#[cold]
fn import(py: Python<'_>, class: &'static Class) -> PyResult<&'static Py<PyType>> {
    let module = py.import(format!("mlirbc.{}", class.module))?;
    let class_object = module.getattr(class.name)?.cast_into::<PyType>()?.unbind();
    Ok(class.imported.get_or_init(py, || class_object))
}

/// Whether an object of class `is` may be cast to `wanted`; `None` is the base class.
pub(crate) fn may_cast(wanted: &Bound<'_, PyType>, is: Option<&Bound<'_, PyType>>) -> PyResult<bool> {
    // Classes of dialects look at the text themselves.
    if wanted.getattr_opt("_checks_itself")?.is_some() {
        return Ok(true);
    }
    let Some(is) = is else { return Ok(false) };
    if is.is_subclass(wanted)? {
        return Ok(true);
    }
    // Some single classes of MLIR are several classes in its bindings.
    let also = wanted.getattr("_also")?;
    let name = is.name()?;
    also.cast::<PyTuple>()?.contains(name)
}

fn number(dialect: &str, class: &str) -> u8 {
    CLASSES.by_name.get(&format!("{dialect}.{class}")).copied().unwrap_or(0)
}

/// Returns the class number of an attribute.
pub(crate) fn attribute_class(value: &CoreAttribute) -> u8 {
    // Finding the class would run the code of the dialect, and a handle does not need the class.
    if value.has_hooks() {
        return 0;
    }
    let class = match value.class() {
        None if !value.is_builtin() && value.is_text() => return number("builtin", "OpaqueAttr"),
        None => return 0,
        Some("IntegerAttr") if is_bool(value) => "BoolAttr",
        Some("DenseArrayAttr") => dense_array(value),
        Some("DenseIntOrFPElementsAttr") => dense_elements(value),
        Some(class) => class,
    };
    number(&value.dialect(), class)
}

/// Whether all attributes with the same code have the same class.
pub(crate) fn is_by_code(value: &CoreAttribute) -> bool {
    !matches!(value.class(), None | Some("IntegerAttr" | "DenseArrayAttr" | "DenseIntOrFPElementsAttr"))
}

/// Returns the class number of a type.
pub(crate) fn type_class(value: &CoreType) -> u8 {
    if value.has_hooks() {
        return 0;
    }
    match value.class() {
        None if !value.is_builtin() && value.is_text() => number("builtin", "OpaqueType"),
        None => 0,
        Some(class) => number(&value.dialect(), class),
    }
}

fn part(value: &CoreAttribute, name: &str) -> Option<CoreType> {
    match value.field(name) {
        Ok(Some(FieldValue::Type(part))) => Some(part),
        _ => None,
    }
}

// Returns the width of a signless integer type.
fn signless(r#type: &CoreType) -> Option<u64> {
    match r#type.field("widthAndSign") {
        Ok(Some(FieldValue::Unsigned(both))) if both & 3 == 0 => Some(both >> 2),
        _ => None,
    }
}

fn is_bool(value: &CoreAttribute) -> bool {
    // Large enough for three numbers. Many attributes may share one large integer, which is not decoded for
    // each attribute.
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
