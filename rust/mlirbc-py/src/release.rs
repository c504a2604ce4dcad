//! Releases, and the tables that describe their encodings.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::raise;
use crate::limits::Limits;

/// The release that wrote a module, and the reason why it is known.
///
/// The description follows from the producer string, or from what the caller specifies, so all files of one producer
/// have the same; `evidence` is about this file.
///
///     >>> mlirbc.open("examples/two_layers.mlirbc").release
///     <mlirbc.Release llvm-22, from the producer string `MLIR22.1.8`>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct Release {
    kind: &'static str,
    /// The name, one of `known_releases()`; None for a development version, which many builds share.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.name
    ///     'llvm-22'
    #[pyo3(get)]
    name: Option<String>,
    /// The major version of LLVM; for a development version, the major version of the next release. None if
    /// it is not known.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.llvm
    ///     22
    #[pyo3(get)]
    llvm: Option<u32>,
    /// The version in the producer string: of LLVM, or of StableHLO for a portable artifact.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.version
    ///     '22.1.8'
    #[pyo3(get)]
    version: Option<String>,
    /// The newest known release or build that is older, unless the release is exact.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.after
    ///     'llvm-20'
    #[pyo3(get)]
    after: Option<String>,
    /// The oldest known release or build that is newer, unless the release is exact.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.before
    ///     'llvm-21'
    #[pyo3(get)]
    before: Option<String>,
    /// The known release whose definitions, spellings and codes apply; an approximation unless the release is
    /// exact. None if no release applies.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.nearest
    ///     'llvm-22'
    #[pyo3(get)]
    nearest: Option<String>,
    /// The reason why the release is known.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc", release="llvm-19").release.origin
    ///     'specified by the caller'
    #[pyo3(get)]
    origin: String,
    layouts_from: Vec<String>,
    excluded: Vec<(String, String)>,
    evidence: ReleaseEvidence,
    text: String,
}

impl Release {
    pub(crate) fn new(release: &::mlirbc::file::DetectedRelease) -> Self {
        let description = release.description();
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self {
            kind: description.kind.name(),
            name: owned(description.name),
            llvm: description.llvm,
            version: owned(description.version),
            after: owned(description.after),
            before: owned(description.before),
            nearest: owned(release.nearest()),
            origin: release.origin().to_string(),
            layouts_from: release.layouts_from().into_iter().map(str::to_owned).collect(),
            excluded: release
                .excluded_builds()
                .iter()
                .map(|row| (row.build.clone(), row.op.clone()))
                .collect(),
            evidence: ReleaseEvidence::new(&release.evidence()),
            text: release.to_string(),
        }
    }
}

#[pymethods]
impl Release {
    /// How exactly the release is known: `"exact"`, `"development"` for a version of LLVM's main branch, `"portable"` for
    /// an artifact of StableHLO, or `"unknown"`.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.kind
    ///     'development'
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind
    }

    /// The known releases and builds whose property layouts the operations of the module have, the oldest first.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.layouts_from
    ///     ('llvm-22',)
    #[getter]
    fn layouts_from<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.layouts_from)
    }

    /// The builds around the file that cannot have written it, the oldest first, each with the operation whose properties
    /// say so.
    ///
    ///     >>> mlirbc.open("tests/data/between/iree-3.6_unreachable.mlirbc").release.excluded_builds
    ///     (('iree-3.8', 'util.unreachable'), ('iree-3.10', 'util.unreachable'))
    #[getter]
    fn excluded_builds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.excluded)
    }

    /// Evidence in the properties of this file for or against the release.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.evidence.fits
    ///     ('llvm-22',)
    #[getter]
    fn evidence(&self) -> ReleaseEvidence {
        self.evidence.clone()
    }

    /// The contradictions between the file and its producer string, as one sentence for each operation.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.contradicted
    ///     ()
    #[getter]
    fn contradicted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.evidence.contradictions.iter().map(|contradiction| &contradiction.message))
    }

    /// The operations whose properties are opaque because builds with the same producer string have several
    /// layouts that fit, as one sentence for each operation.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").release.ambiguous
    ///     ()
    #[getter]
    fn ambiguous<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.evidence.ambiguous)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Release {}>", self.text)
    }
}

/// Evidence in the properties of a file for or against its release. It differs between files of the same
/// producer.
///
///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.evidence
///     <mlirbc.ReleaseEvidence of 5 property blobs, 0 contradictions>
#[pyclass(frozen, module = "mlirbc")]
#[derive(Clone)]
pub(crate) struct ReleaseEvidence {
    /// The number of different property blobs that were compared with layouts; 0 if the caller specified the
    /// release.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.evidence.blobs
    ///     5
    #[pyo3(get)]
    blobs: usize,
    fits: Vec<String>,
    /// The newest build before those in `fits` that does not fit, or the release before a development version.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.evidence.after
    ///     'iree-3.4'
    #[pyo3(get)]
    after: Option<String>,
    /// The oldest build after those in `fits` that does not fit, or the release after a development version.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.evidence.before
    ///     'llvm-21'
    #[pyo3(get)]
    before: Option<String>,
    contradictions: Vec<Contradiction>,
    ambiguous: Vec<String>,
}

impl ReleaseEvidence {
    fn new(evidence: &::mlirbc::file::ReleaseEvidence<'_>) -> Self {
        Self {
            blobs: evidence.blobs,
            fits: evidence.fits.iter().map(|name| (*name).to_owned()).collect(),
            after: evidence.after.map(str::to_owned),
            before: evidence.before.map(str::to_owned),
            contradictions: evidence.contradictions.iter().map(Contradiction::new).collect(),
            ambiguous: evidence.ambiguous.to_vec(),
        }
    }
}

#[pymethods]
impl ReleaseEvidence {
    /// The known releases and builds whose layouts all of the compared blobs have, the oldest first.
    ///
    ///     >>> mlirbc.open("tests/data/between/jaxlib-0.7.0_cf.mlirbc").release.evidence.fits
    ///     ('circt-1.120', 'jaxlib-0.7.0')
    #[getter]
    fn fits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.fits)
    }

    /// The blobs without the layout of the release, at most one for each operation, and the first eight only.
    ///
    ///     >>> data = mlirbc.open("examples/two_layers.mlirbc").write(numbering="preserve").replace(b"MLIR22", b"MLIR19")
    ///     >>> [row.operation for row in mlirbc.read(data).release.evidence.contradictions]
    ///     ['func.func', 'scf.for', 'func.call', 'cf.cond_br']
    #[getter]
    fn contradictions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.contradictions.iter().cloned())
    }

    fn __repr__(&self) -> String {
        let plural = |number: usize| if number == 1 { "" } else { "s" };
        let (blobs, contradictions) = (self.blobs, self.contradictions.len());
        format!(
            "<mlirbc.ReleaseEvidence of {blobs} property blob{}, {contradictions} contradiction{}>",
            plural(blobs),
            plural(contradictions)
        )
    }
}

/// A property blob that does not have the layout of the release; the properties of its operation are opaque.
///
///     >>> data = mlirbc.open("examples/two_layers.mlirbc").write(numbering="preserve").replace(b"MLIR22", b"MLIR19")
///     >>> mlirbc.read(data).release.evidence.contradictions[1]
///     <mlirbc.Contradiction of scf.for: expected the end of the properties of scf.for, found 1 more byte, at 0x5a1 in the Properties section>
#[pyclass(frozen, module = "mlirbc")]
#[derive(Clone)]
pub(crate) struct Contradiction {
    /// The name of the operation.
    ///
    ///     >>> data = mlirbc.open("examples/two_layers.mlirbc").write(numbering="preserve").replace(b"MLIR22", b"MLIR19")
    ///     >>> mlirbc.read(data).release.evidence.contradictions[1].operation
    ///     'scf.for'
    #[pyo3(get)]
    operation: String,
    /// The file offset where the blob differs.
    ///
    ///     >>> data = mlirbc.open("examples/two_layers.mlirbc").write(numbering="preserve").replace(b"MLIR22", b"MLIR19")
    ///     >>> mlirbc.read(data).release.evidence.contradictions[1].offset
    ///     1441
    #[pyo3(get)]
    offset: Option<u64>,
    /// The message: expected and found values, and the position.
    ///
    ///     >>> data = mlirbc.open("examples/two_layers.mlirbc").write(numbering="preserve").replace(b"MLIR22", b"MLIR19")
    ///     >>> mlirbc.read(data).release.evidence.contradictions[1].message
    ///     'expected the end of the properties of scf.for, found 1 more byte, at 0x5a1 in the Properties section'
    #[pyo3(get)]
    message: String,
}

impl Contradiction {
    fn new(contradiction: &::mlirbc::file::Contradiction) -> Self {
        let ::mlirbc::file::Contradiction { operation, offset, message, .. } = contradiction.clone();
        Self { operation, offset, message }
    }
}

#[pymethods]
impl Contradiction {
    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.Contradiction of {}: {}>", self.operation, self.message)
    }
}

/// Return the names of all releases with known properties, sorted.
///
///     >>> "llvm-22" in mlirbc.known_releases()
///     True
#[pyfunction]
pub(crate) fn known_releases() -> Vec<String> {
    ::mlirbc::props::known_releases()
}

/// Returns the number of operations that a release registers, and the number of those with a known custom
/// form.
#[pyfunction]
#[pyo3(name = "_custom_forms")]
pub(crate) fn custom_forms(py: Python<'_>, release: &str) -> PyResult<(usize, usize)> {
    let forms = ::mlirbc::print::CustomForms::of_release(release).map_err(|error| raise(py, error, None))?;
    Ok((forms.operations, forms.known))
}

/// The encoding of a dialect's attributes and types; `mlirbc.dialects.table` makes one.
///
///     >>> mlirbc.dialects.table({"dialect": "toy"})
///     <mlirbc.DialectTable of toy>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct DialectTable(pub(crate) Arc<::mlirbc::dialect::DialectTable>);

#[pymethods]
impl DialectTable {
    /// Make a table from the text of a TOML file.
    ///
    /// Raises `InvalidError`, which names the invalid line.
    ///
    ///     >>> mlirbc.dialects.DialectTable.from_toml("dialect = 'toy'")
    ///     <mlirbc.DialectTable of toy>
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str) -> PyResult<Self> {
        ::mlirbc::dialect::DialectTable::from_toml(text).map(Self).map_err(|error| raise(py, error, None))
    }

    /// Make a table from JSON with the same keys; errors name a line of the table as TOML.
    ///
    ///     >>> mlirbc.dialects.DialectTable.from_json('{"dialect": "toy"}')
    ///     <mlirbc.DialectTable of toy>
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        ::mlirbc::dialect::DialectTable::from_json(text).map(Self).map_err(|error| raise(py, error, None))
    }

    /// The name of the dialect.
    ///
    ///     >>> mlirbc.dialects.table({"dialect": "toy"}).dialect
    ///     'toy'
    #[getter]
    fn dialect(&self) -> &str {
        self.0.dialect()
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.DialectTable of {}>", self.0.dialect())
    }
}

/// The property layouts of a release's operations; `mlirbc.schemas.schema` makes one.
///
///     >>> mlirbc.schemas.schema({"format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0",
///     ...     "producers": [], "ops": {}})
///     <mlirbc.PropertySchema of toy-1>
#[pyclass(frozen, module = "mlirbc")]
pub(crate) struct PropertySchema(Arc<::mlirbc::props::PropertySchema>);

#[pymethods]
impl PropertySchema {
    /// Make a schema from the text of a JSON file.
    ///
    /// Raises `InvalidError`, which names the invalid part.
    ///
    ///     >>> try:
    ///     ...     mlirbc.schemas.PropertySchema.from_json("{}")
    ///     ... except mlirbc.InvalidError as error:
    ///     ...     print(error.identifier)
    ///     mlirbc.invalid.property_schema
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        ::mlirbc::props::PropertySchema::from_json(text).map(Self).map_err(|error| raise(py, error, None))
    }

    /// The name of the release.
    ///
    ///     >>> mlirbc.schemas.schema({"format": "mlirbc-properties/1", "release": "toy-1", "version": "1.0",
    ///     ...     "producers": [], "ops": {}}).release
    ///     'toy-1'
    #[getter]
    fn release(&self) -> &str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("<mlirbc.PropertySchema of {}>", self.0.name())
    }
}

/// Registers a dialect table for modules that are opened from now on.
#[pyfunction]
pub(crate) fn _register_dialect(table: &DialectTable) {
    ::mlirbc::dialect::register_dialect(table.0.clone());
}

/// Registers a property schema for modules that are opened from now on.
#[pyfunction]
pub(crate) fn _register_schema(schema: &PropertySchema) {
    ::mlirbc::props::register_schema(schema.0.clone());
}

/// Registers a pack, or the packs of a folder; rows of an installed pack are read when they are needed. Returns the names of the
/// releases, and a text for each skipped row.
#[pyfunction]
pub(crate) fn _load_packs(
    py: Python<'_>,
    path: std::path::PathBuf,
    limits: Option<&Limits>,
    is_installed: bool,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let limits = limits.map_or_else(Default::default, Limits::to_core);
    let packs = match is_installed {
        true => ::mlirbc::pack::install(&path, &limits),
        false => ::mlirbc::pack::load(&path, &limits),
    };
    let packs = packs.map_err(|error| raise(py, error, None))?;
    let skipped = packs.iter().flat_map(|pack| {
        let text = |row: &::mlirbc::pack::PackWarning| {
            format!("{}:{}: {}", pack.path.display(), row.line, row.reason)
        };
        pack.warnings.iter().map(text).collect::<Vec<_>>()
    });
    let skipped = skipped.collect();
    Ok((packs.into_iter().flat_map(|pack| pack.releases).collect(), skipped))
}

/// Returns the names of the dialects with a table.
#[pyfunction]
pub(crate) fn _registered_dialects() -> Vec<String> {
    ::mlirbc::dialect::registered_dialects()
}

/// Converts a list of arguments of `mlirbc.dialects.table` to dialect tables.
pub(crate) fn tables(
    py: Python<'_>,
    list: &Bound<'_, PyAny>,
) -> PyResult<Vec<Arc<::mlirbc::dialect::DialectTable>>> {
    let make = py.import("mlirbc.dialects")?.getattr("table")?;
    let table = |item: PyResult<Bound<'_, PyAny>>| -> PyResult<_> {
        Ok(make.call1((item?,))?.cast::<DialectTable>()?.get().0.clone())
    };
    list.try_iter()?.map(table).collect()
}

/// Converts a list of arguments of `mlirbc.schemas.schema` to property schemas.
pub(crate) fn schemas(
    py: Python<'_>,
    list: &Bound<'_, PyAny>,
) -> PyResult<Vec<Arc<::mlirbc::props::PropertySchema>>> {
    let make = py.import("mlirbc.schemas")?.getattr("schema")?;
    let schema = |item: PyResult<Bound<'_, PyAny>>| -> PyResult<_> {
        Ok(make.call1((item?,))?.cast::<PropertySchema>()?.get().0.clone())
    };
    list.try_iter()?.map(schema).collect()
}
