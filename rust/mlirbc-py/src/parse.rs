//! Parsing the text of modules.

use std::sync::Arc;

use ::mlirbc::parse::{ParseOptions, TargetFinder};
use ::mlirbc::version::BytecodeVersion;
use ::mlirbc::{ReadOptions, Release};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyList;

use crate::dialect_hooks;
use crate::errors::Interrupt;
use crate::handle::module::Module;
use crate::limits::Limits;

/// The text of a module. Bytes need not be UTF-8, because strings in MLIR's text need not be.
pub(crate) enum Text {
    Str(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(of: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = of.extract() {
            return Ok(Self::Str(text));
        }
        of.extract().map(Self::Bytes).map_err(|_| {
            let class_name =
                of.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("the text of a module is a `str` or `bytes`, not `{class_name}`"))
        })
    }
}

impl Text {
    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Str(text) => text.as_bytes(),
            Self::Bytes(text) => text,
        }
    }
}

/// Parse the text of a module, in generic or custom form, as `mlir-opt` of the release `target` does.
///
/// Without `target`, a text is for LLVM 22. If that does not have an operation in custom form, it is for the newest release
/// that has all of them: of LLVM, or else of JAX (StableHLO, Shardy), or else of IREE. `module.release` names it.
///
/// The text is a `str`, or `bytes`, which need not be UTF-8. `bytecode_version` is that of the module, by default the newest one that the release writes; `file` is the name of
/// the file in locations and errors. A text that is not exactly one `builtin.module` becomes the body of one.
///
/// `dialects` are tables and objects of `mlirbc.dialects.BytecodeDialectInterface`, as of `mlirbc.open`: attributes and
/// types of these dialects are encoded as they say.
///
/// Raises `InvalidError` with the line and the column when the text is not valid, and `LimitError` beyond `limits`.
///
///     >>> module = mlirbc.parse("%0 = arith.constant 1 : i32")
///     >>> [op.name for op in module.body]
///     ['arith.constant']
///     >>> mlirbc.parse("%0 = stablehlo.constant dense<1> : tensor<i32>").release.name
///     'jaxlib-0.10'
///     >>> mlirbc.parse("%0 = arith.constnat 1 : i32", file="a.mlir")
///     Traceback (most recent call last):
///         ...
///     mlirbc.InvalidError: llvm-22 has no operation `arith.constnat`, at a.mlir:1:6; did you mean `arith.constant`?
#[pyfunction]
#[pyo3(signature = (text, *, target = None, bytecode_version = None, file = "-", limits = None,
    dialects = None))]
pub(crate) fn parse(
    py: Python<'_>,
    text: Text,
    target: Option<&str>,
    bytecode_version: Option<u64>,
    file: &str,
    limits: Option<&Limits>,
    dialects: Option<&Bound<'_, PyAny>>,
) -> PyResult<Module> {
    let version = match bytecode_version {
        None => None,
        Some(number) => match BytecodeVersion::new(number) {
            Some(version) => Some(version),
            None => {
                let most = BytecodeVersion::MAX;
                return Err(PyValueError::new_err(format!(
                    "expected a bytecode version of 0 to {most}, found {number}"
                )));
            }
        },
    };
    let interrupt = Arc::new(Interrupt::default());
    let interrupt_flag = interrupt.clone();
    let (tables, interfaces) = match dialects {
        Some(list) => dialect_hooks::split(py, list)?,
        None => (Vec::new(), Vec::new()),
    };
    let options = ParseOptions::default()
        .dialects(tables)
        .interfaces(dialect_hooks::interfaces(py, &interfaces)?)
        .target(target.map_or_else(Release::default, |name| Release::named(name.to_owned())))
        .finder(target.is_none().then(TargetFinder::default))
        .version(version)
        .file(file.to_owned())
        .limits(limits.map_or_else(Default::default, Limits::to_core))
        .interrupt(Arc::new(move || interrupt_flag.requested()));
    let parsed = py.detach(|| ::mlirbc::parse::parse(text.as_bytes(), &options));
    let text_release = options.finder.as_ref().and_then(TargetFinder::found);
    if let Some(text_release) = &text_release {
        let reason = text_release.reason(options.target.as_str());
        crate::log::debug(py, || format!("parsed the text for {}, because {reason}", text_release.name))?;
    }
    let target =
        text_release.map_or_else(|| options.target.clone(), |text_release| Release::named(text_release.name));
    let module = Module::new(py, parsed, interrupt.clone())?;
    if interfaces.is_empty() {
        return Ok(module);
    }
    // Hooks also decode values that come from text.
    let module = Py::new(py, module)?;
    let encoded = py.import("mlirbc._hook_text")?.getattr("encoded")?;
    let written = encoded.call1((module.clone_ref(py), PyList::new(py, &interfaces)?))?;
    let mut read = ReadOptions::default()
        .release(target)
        .limits(options.limits.clone())
        .dialects(options.dialects.clone())
        .interfaces(options.interfaces.clone());
    read.interrupt.clone_from(&options.interrupt);
    let again = match written.is_none() {
        true => Ok(module.get().inner.clone()),
        false => {
            let bytes: Vec<u8> = written.call_method0("__bytes__")?.extract()?;
            py.detach(|| ::mlirbc::Module::from_source(bytes.into(), &read))
        }
    };
    Module::new(py, again, interrupt)
}
