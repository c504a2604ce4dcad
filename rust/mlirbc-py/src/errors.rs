//! Exception classes, and the conversion of core errors to exceptions.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ::mlirbc::ErrorKind;
use ::mlirbc::error::{ErrorClass, RULES};
use ::mlirbc::tool::printable;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

create_exception!(
    mlirbc,
    Error,
    PyException,
    "The base class of all errors of mlirbc; its fields say what is wrong, where, and what to do.

`identifier` is stable, and `message` a sentence. `offset` counts bytes from the start of the file; `section`,
`expected`, `found`, `path` through the operations, and `hint` are text. All but the first two may be None. `errors`
has the other errors of the same text, for `mlirbc.parse`.

    >>> try:
    ...     mlirbc.read(b'module {}')
    ... except mlirbc.Error as error:
    ...     print(error.identifier, error.offset)
    mlirbc.read.text 0
"
);
create_exception!(
    mlirbc,
    ReadError,
    Error,
    "The bytes break a rule of the format.

    >>> try:
    ...     mlirbc.read(b'')
    ... except mlirbc.ReadError as error:
    ...     print(error.identifier)
    mlirbc.read.empty
"
);
create_exception!(
    mlirbc,
    LimitError,
    Error,
    "Reading the bytes needs more than the limits allow.

    >>> module = mlirbc.open('examples/two_layers.mlirbc', limits=mlirbc.Limits(max_depth=1))
    >>> try:
    ...     module.verify()
    ... except mlirbc.LimitError as error:
    ...     print(error.identifier)
    mlirbc.limit.depth
"
);
create_exception!(
    mlirbc,
    UnsupportedError,
    Error,
    "The bytes are well-formed, but of a version or kind that this release of mlirbc does not support.

    >>> try:
    ...     mlirbc.read(b'ML\\xefR\\x0f')  # bytecode version 7
    ... except mlirbc.UnsupportedError as error:
    ...     print(error.identifier, error.offset)
    mlirbc.unsupported.version 4
"
);
create_exception!(
    mlirbc,
    OmissionWarning,
    PyUserWarning,
    "The custom assembly of MLIR does not show a part of some operations: which part, how many, and where the first is.

    >>> import warnings
    >>> module = mlirbc.open('tests/data/bytecode/llvm-22/v6/omitted.mlirbc')
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter('always')
    ...     text = str(module)
    >>> print(str(caught[0].message).partition(',')[0])
    the custom form of `scf.if` does not show the attributes of its terminator
"
);

/// A part of the module that the version or the target cannot represent; `UnsupportedError.losses` has all of
/// these.
///
///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
///     >>> try:
///     ...     module.write(version=0)
///     ... except mlirbc.UnsupportedError as error:
///     ...     print(error.losses[0].kind, error.losses[0].lowest_version)
///     use_list_orders 3
#[pyclass(frozen, eq, get_all, module = "mlirbc")]
#[derive(PartialEq)]
pub(crate) struct Loss {
    /// The name of the operation; None for a loss that belongs to no operation.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].op)
    ///     None
    op: Option<String>,
    /// The kind of loss: `native_property`, `property_attribute`, `opaque_properties`, `use_list_orders`,
    /// `not_in_target`, `not_of_class`, `no_value`, `count_not_in_target`, `count_not_known`, `unknown_layout`, `no_such_case`, `breaks_rule`, `rules_not_checked`, `no_such_op`, `no_such_entry`, `splits_distinct`, `dialect_version`,
    /// `dialect_version_not_in_target`, `second_dialect_version`, `gains_meaning`, `no_vhlo_form`,
    /// `no_stablehlo_form`, `no_hlo_form`, `needs_stablehlo`, `other_dialect` or `location_range`.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].kind)
    ///     use_list_orders
    kind: Cow<'static, str>,
    /// The property, the dialect, or the text of the attribute or type; None for the other kinds.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].name)
    ///     None
    name: Option<String>,
    /// The number of affected operations or entries.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].count)
    ///     1
    count: u64,
    /// The lowest bytecode version that can represent the part; None if no version can.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].lowest_version)
    ///     3
    lowest_version: Option<u8>,
    /// The place of the first operation in the module, as `Operation.path`; None for a loss that belongs to
    /// no operation.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/native_properties.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].path.split(" > ")[-1])
    ///     region 0, block 0, op 0 (llvm.add)
    path: Option<String>,
    /// The loss as text.
    ///
    ///     >>> module = mlirbc.open("tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")
    ///     >>> try:
    ///     ...     module.write(version=0)
    ///     ... except mlirbc.UnsupportedError as error:
    ///     ...     print(error.losses[0].text)
    ///     a use-list order needs bytecode version 3 or later
    text: String,
}

#[pymethods]
impl Loss {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        printable(&format!("<mlirbc.Loss {}>", self.text)).into_owned()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("mlirbc._mlirbc")?.getattr("_loss")?;
        let Self { op, kind, name, count, lowest_version, path, text } = self;
        Ok((make, (op, kind, name, count, lowest_version, path, text).into_pyobject(py)?))
    }
}

/// Restores a loss that was pickled.
#[pyfunction]
pub(crate) fn _loss(
    op: Option<String>,
    kind: String,
    name: Option<String>,
    count: u64,
    lowest_version: Option<u8>,
    path: Option<String>,
    text: String,
) -> Loss {
    Loss { op, kind: kind.into(), name, count, lowest_version, path, text }
}

impl Loss {
    pub(crate) fn new(loss: &::mlirbc::loss::Loss) -> Self {
        Self {
            op: loss.op.clone(),
            kind: loss.kind.name().into(),
            name: loss.kind.subject().map(str::to_owned),
            count: loss.count,
            lowest_version: loss.kind.lowest_version(),
            path: loss.path.clone(),
            text: loss.to_string(),
        }
    }
}

const INVALID: &str =
    "An argument is invalid: a dialect table, a property schema, a text, a value; also a `ValueError`.

    >>> try:
    ...     mlirbc.dialects.register({'dialect': 'toy', 'colour': 'red'})
    ... except mlirbc.InvalidError as error:
    ...     print(error.identifier)
    mlirbc.invalid.dialect_table
";

/// Returns the class `InvalidError`, which has two bases.
fn invalid_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.get_or_try_init(py, || {
        let bases = PyTuple::new(py, [py.get_type::<Error>(), py.get_type::<PyValueError>()])?;
        let body = PyDict::new(py);
        body.set_item("__module__", "mlirbc")?;
        body.set_item("__doc__", INVALID)?;
        let class = py.get_type::<PyType>().call1(("InvalidError", bases, body))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

const TEXTS: [&str; 2] = ["identifier", "message"];
const OPTIONAL: [&str; 6] = ["offset", "section", "expected", "found", "path", "hint"];

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let base = py.get_type::<Error>();
    for field in TEXTS {
        base.setattr(field, "")?;
    }
    for field in OPTIONAL {
        base.setattr(field, py.None())?;
    }
    base.setattr("errors", PyTuple::empty(py))?;
    base.setattr("error_diagnostics", PyTuple::empty(py))?;
    module.add("Error", base)?;
    module.add("ReadError", py.get_type::<ReadError>())?;
    module.add("LimitError", py.get_type::<LimitError>())?;
    let unsupported = py.get_type::<UnsupportedError>();
    unsupported.setattr("losses", PyTuple::empty(py))?;
    module.add("UnsupportedError", unsupported)?;
    module.add("OmissionWarning", py.get_type::<OmissionWarning>())?;
    module.add_class::<Loss>()?;
    module.add("InvalidError", invalid_error(py)?)
}

/// Every identifier that an error can have, with its class and the rule in one sentence.
///
///     >>> rules = {identifier: (kind, rule) for identifier, kind, rule in mlirbc.error_identifiers()}
///     >>> rules["mlirbc.read.truncated"]
///     ('ReadError', 'a value, a section and the file are complete')
#[pyfunction]
pub(crate) fn error_identifiers() -> Vec<(&'static str, &'static str, &'static str)> {
    let class = |class| match class {
        ErrorClass::Read => "ReadError",
        ErrorClass::Limit => "LimitError",
        ErrorClass::Unsupported => "UnsupportedError",
        ErrorClass::Invalid => "InvalidError",
        ErrorClass::Io => "OSError",
        _ => "KeyboardInterrupt",
    };
    RULES.iter().map(|rule| (rule.identifier, class(rule.class), rule.summary)).collect()
}

/// Stops long work on Ctrl-C and other signals.
///
/// The core calls [`Interrupt::requested`] from time to time; an exception that Python raised is kept until
/// the core returns.
#[derive(Default)]
pub(crate) struct Interrupt {
    stop: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

impl Interrupt {
    /// Whether work should end; also looks for signals.
    pub(crate) fn requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || Python::attach(|py| self.check_signals(py))
    }

    /// Runs the handlers of pending signals; only Python's main thread has any.
    pub(crate) fn check_signals(&self, py: Python<'_>) -> bool {
        match py.check_signals() {
            Ok(()) => false,
            Err(error) => {
                self.stop.store(true, Ordering::Relaxed);
                if let Ok(mut raised) = self.raised.lock() {
                    *raised = Some(error);
                }
                true
            }
        }
    }

    /// Takes the exception that Python raised, if any.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.stop.store(false, Ordering::Relaxed);
        self.raised.lock().ok()?.take()
    }
}

/// Returns `text` with terminal controls and line ends as escapes, for `repr`.
#[pyfunction]
pub(crate) fn _printable(text: &str) -> String {
    printable(text).into_owned()
}

/// Returns the exception for a core error.
#[cold]
pub(crate) fn raise(py: Python<'_>, error: ::mlirbc::Error, interrupt: Option<&Interrupt>) -> PyErr {
    let exception = match error.class() {
        ErrorClass::Interrupted => {
            let raised = interrupt.and_then(Interrupt::take).or_else(|| raised_by_callback(py, &error));
            return raised.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()));
        }
        ErrorClass::Io => return os_error(py, &error),
        ErrorClass::Limit => LimitError::new_err(text(&error)),
        ErrorClass::Unsupported => UnsupportedError::new_err(text(&error)),
        ErrorClass::Invalid => match invalid_error(py) {
            Ok(class) => PyErr::from_type(class.clone(), text(&error)),
            Err(other) => return other,
        },
        _ => ReadError::new_err(text(&error)),
    };
    let value = exception.value(py);
    let set = || -> PyResult<()> {
        value.setattr("identifier", error.identifier())?;
        value.setattr("message", error.to_string())?;
        value.setattr("offset", error.offset())?;
        value.setattr("section", error.section().map(|section| section.name()))?;
        // The field is empty if the message is a sentence.
        let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        value.setattr("expected", part(error.expected()))?;
        value.setattr("found", part(error.found()))?;
        value.setattr("path", error.path())?;
        value.setattr("hint", error.hint())?;
        if !error.others().is_empty() {
            let other_errors =
                error.others().iter().map(|other| raise(py, other.clone(), None).into_value(py));
            value.setattr("errors", PyTuple::new(py, other_errors.collect::<Vec<_>>())?)?;
        }
        if error.losses().is_empty() {
            return Ok(());
        }
        value.setattr("losses", PyTuple::new(py, error.losses().iter().map(Loss::new))?)
    };
    match set() {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// The core error for an exception that a Python callback raised; [`raise`] gives that exception back.
pub(crate) fn of_callback(raised: PyErr) -> ::mlirbc::Error {
    let description = "an exception of a Python callback";
    ::mlirbc::Error::new(ErrorKind::Interrupted, "an answer", description).with_source(raised)
}

fn raised_by_callback(py: Python<'_>, error: &::mlirbc::Error) -> Option<PyErr> {
    std::error::Error::source(error)?.downcast_ref::<PyErr>().map(|raised| raised.clone_ref(py))
}

fn text(error: &::mlirbc::Error) -> String {
    let text = match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    };
    // A traceback goes to a terminal, and contains names from the file.
    printable(&text).into_owned()
}

fn os_error(py: Python<'_>, error: &::mlirbc::Error) -> PyErr {
    // A Python file object raised the error, see `open`.
    let raised =
        error.io_error().and_then(|io| io.get_ref()).and_then(|source| source.downcast_ref::<PyErr>());
    if let Some(raised) = raised {
        return raised.clone_ref(py);
    }
    match error.io_error() {
        // From an error number, Python picks the subclass, e.g. FileNotFoundError.
        Some(io) => match io.raw_os_error() {
            Some(number) => PyOSError::new_err((number, error.to_string())),
            None => PyErr::from(std::io::Error::new(io.kind(), error.to_string())),
        },
        None => PyOSError::new_err(error.to_string()),
    }
}
