//! Generated and mutated files, for `mlirbc.testing`.

use std::collections::BTreeSet;

use ::mlirbc::version::BytecodeVersion;
use mlirbc_fuzz_tools::mutate::{Mutation, mutate};
use mlirbc_fuzz_tools::noise::Noise;
use mlirbc_smith::{Config, Decide, Features, GeneratedModule};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raise;

/// Decisions that Python functions make. After an exception each is 0, which ends the module soon.
struct Decisions<'py> {
    number: Bound<'py, PyAny>,
    begin: Bound<'py, PyAny>,
    end: Bound<'py, PyAny>,
    raised: Option<PyErr>,
}

impl Decisions<'_> {
    fn keep(&mut self, done: PyResult<()>) {
        self.raised = self.raised.take().or(done.err());
    }
}

impl Decide for Decisions<'_> {
    fn number(&mut self, last: u64) -> u64 {
        if self.raised.is_some() {
            return 0;
        }
        let drawn = self.number.call1((last,)).and_then(|drawn| drawn.extract());
        drawn.unwrap_or_else(|error| {
            self.raised = Some(error);
            0
        })
    }

    fn begin(&mut self) {
        if self.raised.is_none() {
            let done = self.begin.call0().map(drop);
            self.keep(done);
        }
    }

    fn end(&mut self) {
        if self.raised.is_none() {
            let done = self.end.call0().map(drop);
            self.keep(done);
        }
    }
}

// A feature that smith gets needs its word here: the compiler says so.
fn features(words: &BTreeSet<String>) -> Features {
    let has = |word: &str| words.contains(word);
    Features {
        unregistered: has("unregistered"),
        control_flow: has("control_flow"),
        forward_references: has("forward_references"),
        use_list_orders: has("use_list_orders"),
        attributes: has("attributes"),
        dialect_entries: has("dialect_entries"),
        locations: has("locations"),
        resources: has("resources"),
        dialect_versions: has("dialect_versions"),
    }
}

/// The bytecode of a valid module for a release, by the decisions of the three functions.
///
/// `number(last)` decides for a number up to `last`; `begin` and `end` are called around what can be left out. `what` is
/// `module`, or `attribute` or `type` for a module around one.
#[pyfunction]
#[pyo3(signature = (what, number, begin, end, *, release, version, dialects, features, max_operations, max_depth))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _generate_file<'py>(
    py: Python<'py>,
    what: &str,
    number: Bound<'py, PyAny>,
    begin: Bound<'py, PyAny>,
    end: Bound<'py, PyAny>,
    release: String,
    version: u64,
    dialects: Option<Vec<String>>,
    features: BTreeSet<String>,
    max_operations: usize,
    max_depth: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let config = Config {
        release,
        version: BytecodeVersion::new(version),
        max_operations,
        max_depth,
        dialects,
        features: self::features(&features),
        ..Config::default()
    };
    let mut decisions = Decisions { number, begin, end, raised: None };
    let generated = match what {
        "module" => GeneratedModule::decide(&config, &mut decisions),
        "attribute" => GeneratedModule::decide_attribute(&config, &mut decisions),
        "type" => GeneratedModule::decide_type(&config, &mut decisions),
        _ => return Err(PyValueError::new_err("expected `module`, `attribute` or `type`")),
    };
    match (decisions.raised, generated) {
        (Some(raised), _) => Err(raised),
        (None, Ok(generated)) => Ok(PyBytes::new(py, generated.bytes())),
        (None, Err(error)) => Err(raise(py, error, None)),
    }
}

/// The releases that modules are generated for, oldest first.
#[pyfunction]
pub(crate) fn _generated_releases() -> Vec<&'static str> {
    mlirbc_smith::releases().collect()
}

/// The dialects whose operations are generated for a release.
#[pyfunction]
pub(crate) fn _generated_dialects(release: &str) -> Vec<&'static str> {
    mlirbc_smith::dialects(release).into_iter().collect()
}

/// A file changed by one mutation, of which `seed` chooses the place; None if it would stay as it is. `other` is for
/// `splice`.
#[pyfunction]
pub(crate) fn _mutate<'py>(
    py: Python<'py>,
    file: &[u8],
    other: &[u8],
    kind: &str,
    seed: u64,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Some(kind) = Mutation::ALL.into_iter().find(|known| known.name() == kind) else {
        let known: Vec<_> = Mutation::ALL.iter().map(|known| known.name()).collect();
        return Err(PyValueError::new_err(format!(
            "`{kind}` is not a mutation; expected one of {}",
            known.join(", ")
        )));
    };
    let changed = py.detach(|| mutate(file, other, kind, &mut Noise::new(seed)));
    Ok(changed.map(|changed| PyBytes::new(py, &changed)))
}
