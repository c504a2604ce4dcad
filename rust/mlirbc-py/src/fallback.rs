//! Opaque values, plans of writing, receivers and versions, for `mlirbc.fallback` and `mlirbc.versions`.

use std::collections::HashSet;

use ::mlirbc::WriteOptions;
use ::mlirbc::convert::{CheckReport, Decision, Finding, Plan, Receiver};
use ::mlirbc::format::id::OpNameId;
use ::mlirbc::version::BytecodeVersion;
use ::mlirbc::write::{Numbering, Opaque, WritePlan};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::edit::PyEditor;
use crate::handle::module::Module;
use crate::release::DialectTable;
use crate::write::Keywords;

/// Undecoded values of one operation or dialect: `mlirbc.fallback.Opaque`.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _Opaque {
    kind: String,
    name: String,
    count: u64,
    offset: u64,
    reason: String,
}

impl From<Opaque> for _Opaque {
    fn from(row: Opaque) -> Self {
        Self {
            kind: row.kind.to_string(),
            name: row.name,
            count: row.count,
            offset: row.offset,
            reason: row.reason,
        }
    }
}

/// A write mode, and the reason why no stricter mode applies: `mlirbc.fallback.WritePlan`.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _WritePlan {
    mode: String,
    after_an_edit: String,
    opaque: Vec<Py<_Opaque>>,
}

impl _WritePlan {
    fn new(py: Python<'_>, plan: WritePlan) -> PyResult<Self> {
        let (mode, after_an_edit) = (plan.mode.to_string(), plan.after_an_edit().to_string());
        let opaque = plan.opaque.into_iter().map(|row| Py::new(py, _Opaque::from(row)));
        Ok(Self { mode, after_an_edit, opaque: opaque.collect::<PyResult<_>>()? })
    }
}

/// An item that a receiver does not know: `mlirbc.fallback.Finding`.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _Finding {
    kind: String,
    name: String,
    count: u64,
    outcome: String,
    strict_outcome: String,
    reason: String,
}

impl From<Finding> for _Finding {
    fn from(row: Finding) -> Self {
        Self {
            kind: row.kind.to_string(),
            name: row.name,
            count: row.count,
            outcome: row.outcome.to_string(),
            strict_outcome: row.strict_outcome.to_string(),
            reason: row.reason,
        }
    }
}

/// The answer of `_compatibility`: `mlirbc.fallback.CheckReport`.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _CheckReport {
    findings: Vec<Py<_Finding>>,
    plan: Py<_WritePlan>,
}

/// The planned conversion of a part of a module: `mlirbc.fallback.Decision`.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _Decision {
    verdict: String,
    op: Option<String>,
    count: u64,
    reason: String,
    path: Option<String>,
}

impl From<&Decision> for _Decision {
    fn from(decision: &Decision) -> Self {
        Self {
            verdict: decision.verdict.to_string(),
            op: decision.op.clone(),
            count: decision.count,
            reason: decision.reason.clone(),
            path: decision.path.clone(),
        }
    }
}

/// The planned conversion of a module: `mlirbc.fallback.ConversionPlan`.
#[pyclass(frozen, get_all, module = "mlirbc._mlirbc")]
pub(crate) struct _ConversionPlan {
    decisions: Vec<Py<_Decision>>,
    unchanged_operations: Option<u64>,
    refusal: Option<String>,
}

/// Plans a conversion for a release.
#[pyfunction]
pub(crate) fn _plan_conversion(
    py: Python<'_>,
    module: &Module,
    target: String,
    strict: bool,
) -> PyResult<_ConversionPlan> {
    module.ensure_open()?;
    let numbering = Numbering::Canonical;
    let options =
        WriteOptions::default().target(::mlirbc::Release::named(target)).strict(strict).numbering(numbering);
    let (rows, unchanged_operations, refusal) = module.detached(py, |module| {
        let plan = Plan::new(module, &options)?;
        let refusal = plan.refusal().map(ToString::to_string);
        Ok((plan.decisions().to_vec(), plan.unchanged_operations(), refusal))
    })?;
    let decisions = rows.iter().map(|row| Py::new(py, _Decision::from(row))).collect::<PyResult<_>>()?;
    Ok(_ConversionPlan { decisions, unchanged_operations, refusal })
}

fn options(
    numbering: Option<&str>,
    version: Option<u64>,
    target: Option<String>,
    own: Option<BytecodeVersion>,
) -> PyResult<WriteOptions> {
    Keywords { numbering, version, target, ..Keywords::default() }.options(own)
}

/// Plans how a module would be written.
#[pyfunction]
pub(crate) fn _plan_write(
    py: Python<'_>,
    module: &Module,
    numbering: Option<&str>,
    version: Option<u64>,
    target: Option<String>,
) -> PyResult<_WritePlan> {
    module.ensure_open()?;
    let options = options(numbering, version, target, Some(module.inner.tables().bytecode().version()))?;
    let plan = module.detached(py, |module| module.plan_write(&options))?;
    _WritePlan::new(py, plan)
}

/// Plans how an edited module would be written.
#[pyfunction]
pub(crate) fn _plan_edited(
    py: Python<'_>,
    editor: &PyEditor,
    numbering: Option<&str>,
    version: Option<u64>,
    target: Option<String>,
) -> PyResult<_WritePlan> {
    let source_version = editor.look(py, |editor| Ok(editor.base().tables().bytecode().version()))?;
    let options = options(numbering, version, target, Some(source_version))?;
    _WritePlan::new(py, editor.look(py, |editor| editor.plan_write(&options))?)
}

/// Lists the items that a receiver does not know; the receiver is a release by name, or a list of operations.
#[pyfunction]
pub(crate) fn _compatibility(
    py: Python<'_>,
    module: &Module,
    release: Option<String>,
    ops: Vec<String>,
) -> PyResult<_CheckReport> {
    module.ensure_open()?;
    let receiver = match release {
        Some(name) => Receiver::Release(::mlirbc::Release::named(name)),
        None => Receiver::Ops(ops.into_iter().collect()),
    };
    let CheckReport { findings, plan, .. } = module.detached(py, |module| module.compatibility(&receiver))?;
    let findings = findings.into_iter().map(|row| Py::new(py, _Finding::from(row)));
    let plan = Py::new(py, _WritePlan::new(py, plan)?)?;
    Ok(_CheckReport { findings: findings.collect::<PyResult<_>>()?, plan })
}

/// Returns the operation names of a module that its release defines; `None` if the release is not known.
#[pyfunction]
pub(crate) fn _defined_ops(py: Python<'_>, module: &Module) -> PyResult<Option<HashSet<String>>> {
    module.ensure_open()?;
    module.detached(py, |module| {
        let release = module.release()?;
        if release.schema().is_none() {
            return Ok(None);
        }
        let ids = (0..).map(OpNameId::new);
        let defined = module.tables().op_names()?.zip(ids).filter(|(_, id)| release.op(*id).is_some());
        Ok(Some(defined.map(|(name, _)| name.full().into_owned()).collect()))
    })
}

/// Returns the numbers of a dialect's version in a module, decoded by the table of the dialect.
#[pyfunction]
pub(crate) fn _version_numbers(py: Python<'_>, module: &Module, dialect: &str) -> PyResult<Option<Vec<u64>>> {
    module.inner.tables().dialect_version(dialect).map_err(|error| module.raise(py, error))
}

/// Returns the bytes of a version, encoded by a table.
#[pyfunction]
pub(crate) fn _version_bytes<'py>(
    py: Python<'py>,
    table: &DialectTable,
    numbers: Vec<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = table.0.version_bytes(&numbers).ok_or_else(|| {
        let dialect = table.0.dialect();
        PyValueError::new_err(format!(
            "the table of dialect {dialect} does not declare a version with {} numbers",
            numbers.len()
        ))
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns the table that is registered for a dialect, or that a module was opened with.
#[pyfunction]
pub(crate) fn _find_table(module: Option<&Module>, dialect: &str) -> Option<DialectTable> {
    match module {
        Some(module) => module.inner.tables().dialect_table_of(dialect).map(DialectTable),
        None => ::mlirbc::pack::table_of(dialect).map(DialectTable),
    }
}

/// Returns the operation that replaces unknown operations, as the table of the dialect declares it.
#[pyfunction]
pub(crate) fn _fallback_op(table: &DialectTable) -> Option<String> {
    table.0.fallback().map(str::to_owned)
}
