//! The methods of modules, and the tables beside the IR.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::sync::atomic::Ordering;

use ::mlirbc::ir::{BodyId, OpId, OpNameId};
use ::mlirbc::print::PrintOptions;
use ::mlirbc::tool::operation_html;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};

use crate::attribute::{Table, TableKind};
use crate::blob::keys_in_use;
use crate::columns::Columns;
use crate::container::{Bytecode, Dialect, OperationName};
use crate::errors::raise;
use crate::handle::ir::{Block, Operation, OperationList};
use crate::handle::module::Module;
use crate::ops::OperationChecks;
use crate::print::Printed;
use crate::reading::{ModuleReading, TextSource, module_methods};
use crate::release::Release;
use crate::report::WriteReport;
use crate::resource::Resources;
use crate::text::text;
use crate::verification::Verification;
use crate::write;

impl Module {
    /// Returns the operation names with the indices of their dialects.
    fn all_names(slf: &Bound<'_, Self>) -> PyResult<Vec<(u32, Py<OperationName>)>> {
        let (this, py) = (slf.get(), slf.py());
        let section = this.inner.tables().dialect_section().map_err(|error| this.raise(py, error))?;
        let dialects = this.inner.dialects().map_err(|error| this.raise(py, error))?;
        let dialects = dialects.map(|dialect| Ok(text(py, dialect.name)?.unbind()));
        let dialects = dialects.collect::<PyResult<Vec<_>>>()?;
        let names = section.op_names.iter().enumerate().map(|(id, entry)| {
            let dialect = dialects.get(entry.dialect as usize).map(|name| name.clone_ref(py));
            let name = OperationName {
                module: slf.clone().unbind(),
                id: OpNameId::new(id as u32),
                dialect: dialect.unwrap_or_else(|| PyString::new(py, "").unbind()),
                is_registered: entry.is_registered,
            };
            Ok((entry.dialect, Py::new(py, name)?))
        });
        names.collect()
    }
}

/// Serializes a summary of the core, for the classes of the Python package with the same fields.
fn json(summary: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(summary).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the container of a module, with `data` in place of the module.
#[pyfunction]
#[pyo3(name = "_with_module")]
pub(crate) fn with_module<'py>(
    module: &Bound<'py, Module>,
    data: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, this) = (module.py(), module.get());
    this.ensure_open()?;
    let data = crate::open::foreign(data)?;
    let mut bytes = Vec::new();
    let written = match this.inner.container() {
        Some(container) => {
            let size = (this.inner.tables().module_index(), data.len() as u64);
            container.prepare(&[size]).and_then(|prepared| {
                prepared.write(&mut bytes, &mut |_, out| {
                    out.write_all(&data)
                        .map_err(|error| ::mlirbc::Error::io("cannot write the module", error))
                })
            })
        }
        None => {
            bytes.extend_from_slice(&data);
            Ok(())
        }
    };
    written.map_err(|error| this.raise(py, error))?;
    Ok(PyBytes::new(py, &bytes))
}

// Returns the top-level operation.
fn top_operation(slf: &Bound<'_, Module>) -> PyResult<Operation> {
    let (this, py) = (slf.get(), slf.py());
    this.ensure_open()?;
    this.decoded(py, BodyId::TOP_LEVEL)?;
    this.inner.operation().map_err(|error| this.raise(py, error))?;
    Ok(Operation::new(slf.clone().unbind(), BodyId::TOP_LEVEL, OpId::new(0)))
}

impl TextSource for Module {
    fn with_text<T>(
        slf: &Bound<'_, Self>,
        work: impl FnOnce(&Self, &dyn Printed) -> PyResult<T>,
    ) -> PyResult<T> {
        let this = slf.get();
        this.ensure_open()?;
        let module = &this.inner;
        work(this, &|writer: &mut dyn Write, options: &PrintOptions| module.print(writer, options))
    }
}

impl ModuleReading for Module {
    fn bytecode<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), Bytecode { module: slf.clone().unbind() })?.into_any())
    }

    fn dialects<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        let dialects = this.inner.dialects().map_err(|error| this.raise(py, error))?;
        let mut names: Vec<Vec<Py<OperationName>>> = (0..dialects.len()).map(|_| Vec::new()).collect();
        for (dialect, name) in Self::all_names(slf)? {
            names[dialect as usize].push(name);
        }
        let dialects: Vec<Dialect> = dialects
            .zip(names)
            .map(|(dialect, names)| {
                Ok(Dialect {
                    name: text(py, dialect.name)?.unbind(),
                    version: dialect.version.map(|bytes| PyBytes::new(py, &bytes).unbind()),
                    op_names: PyTuple::new(py, names)?.unbind(),
                })
            })
            .collect::<PyResult<_>>()?;
        Ok(PyTuple::new(py, dialects)?.into_any())
    }

    fn op_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().ensure_open()?;
        let names: Vec<_> = Self::all_names(slf)?.into_iter().map(|(_, name)| name).collect();
        Ok(PyTuple::new(slf.py(), names)?.into_any())
    }

    fn strings<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), Table::new(slf, TableKind::Strings)?)?.into_any())
    }

    fn attributes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), Table::new(slf, TableKind::Attributes)?)?.into_any())
    }

    fn types<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), Table::new(slf, TableKind::Types)?)?.into_any())
    }

    fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), Table::new(slf, TableKind::Properties)?)?.into_any())
    }

    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().ensure_open()?;
        Ok(Bound::new(slf.py(), Resources::new(slf)?)?.into_any())
    }

    fn weights<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().ensure_open()?;
        slf.py().import("mlirbc._weights")?.getattr("Weights")?.call1((slf,))
    }

    fn operation<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), top_operation(slf)?)?.into_any())
    }

    fn operations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().ensure_open()?;
        Ok(Bound::new(slf.py(), OperationList(Block::top_level(slf)?))?.into_any())
    }

    fn body<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(slf.py(), top_operation(slf)?.first_block(slf.py())?)?.into_any())
    }

    fn walk<'py>(
        slf: &Bound<'py, Self>,
        callback: &Bound<'py, PyAny>,
        walk_order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        slf.get().ensure_open()?;
        let block = Block::top_level(slf)?;
        let mut roots = Vec::new();
        for op in block.view(slf.py())?.operations() {
            roots.push(op.id());
        }
        crate::walk::walk(slf, BodyId::TOP_LEVEL, &roots, callback, walk_order)
    }

    fn op_counts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        let counts = this.detached(py, ::mlirbc::Module::op_counts)?;
        let dict = PyDict::new(py);
        for (id, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            let name = this.op_name(py, OpNameId::new(id as u32))?;
            // The table may contain the same name more than once.
            let before: u64 = dict.get_item(&name)?.map_or(Ok(0), |count| count.extract())?;
            dict.set_item(name, before + count)?;
        }
        Ok(dict.into_any())
    }

    fn model_summary<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        match this.detached(py, ::mlirbc::Module::model_summary)? {
            Some(summary) => py.import("mlirbc.models")?.getattr("_made")?.call1((json(&summary)?,)),
            None => Ok(py.None().into_bound(py)),
        }
    }

    fn columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.get().ensure_open()?;
        Ok(Bound::new(slf.py(), Columns::new(slf)?)?.into_any())
    }

    fn decode_all(slf: &Bound<'_, Self>, threads: usize) -> PyResult<()> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        crate::log::debug(py, || format!("decoding all bodies, on {threads} threads"))?;
        this.detached(py, |module| module.decode_all(threads))?;
        // A signal may have arrived when nothing was left to stop.
        this.interrupt.take().map_or(Ok(()), Err)
    }

    fn release<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        let release = this.detached(py, |module| module.release().map(Release::new))?;
        Ok(Bound::new(py, release)?.into_any())
    }
}

module_methods!(Module, {
    /// Parse the text of a module; `mlirbc.parse` has more options.
    ///
    ///     >>> mlirbc.Module.parse('"test.op"() : () -> ()').op_counts()
    ///     {'builtin.module': 1, 'test.op': 1}
    #[staticmethod]
    #[pyo3(signature = (text, *, target = None, limits = None))]
    fn parse(
        py: Python<'_>,
        text: crate::parse::Text,
        target: Option<&str>,
        limits: Option<&crate::limits::Limits>,
    ) -> PyResult<Module> {
        crate::parse::parse(py, text, target, None, "-", limits, None)
    }

    /// Pickled as the path of its file, which must not change before unpickling, or as its bytes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        crate::pickle::reduce_module(slf)
    }

    /// Returns the module itself, which is immutable.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Returns the module itself, which is immutable.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The container around the module: a JAX export, or a compressed file; None for a plain bytecode file.
    /// Raises `ReadError` if the container is damaged.
    ///
    ///     >>> module = mlirbc.open("examples/mlp.jax")
    ///     >>> module.container.exported.fun_name
    ///     'mlp'
    #[getter]
    fn container<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (this, py) = (slf.get(), slf.py());
        this.ensure_open()?;
        let Some(container) = this.inner.container() else { return Ok(None) };
        let summary =
            container.summary(this.inner.tables().module_index()).map_err(|error| raise(py, error, None))?;
        let make_container = py.import("mlirbc.containers")?.getattr("_made")?;
        make_container.call1((slf, json(&summary)?)).map(Some)
    }

    /// Whether `close` was called.
    ///
    ///     >>> with mlirbc.open("examples/two_layers.mlirbc") as module:
    ///     ...     module.closed
    ///     False
    ///     >>> module.closed
    ///     True
    #[getter]
    fn closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Check the whole file. Raises `ReadError` or `LimitError` for the first violated rule; the result lists
    /// unchecked parts.
    ///
    /// With `ops`, operations are checked against the definitions of the release: counts of operands, results, regions and
    /// successors, attributes and their classes, and traits. Raises `InvalidError` for the first one that breaks its
    /// definition; what MLIR accepts is accepted.
    ///
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").verify()
    ///     <mlirbc.Verification for llvm-22, 1 not checked, 0 broken entries>
    #[pyo3(signature = (*, ops = false))]
    fn verify(&self, py: Python<'_>, ops: bool) -> PyResult<Verification> {
        self.ensure_open()?;
        let verification = self.detached(py, |module| module.verify())?;
        let checks = match ops {
            true => {
                Some(OperationChecks::new(py, self, self.detached(py, |module| module.verify_operations())?)?)
            }
            false => None,
        };
        Ok(Verification::new(verification, checks))
    }

    /// Return the module as bytecode.
    ///
    /// Without keywords, and with `numbering='preserve'`, the bytes are those of the file. `numbering='canonical'`
    /// gives what the release that wrote the file would write. `version` is a bytecode version, 0 to 6, and `target`
    /// the release that will read it, one of `known_releases()`. `UnsupportedError` reports everything that these cannot
    /// represent, unless `drop_unsupported`: then it is left out, with a warning that names it.
    /// `strip_locations` makes every location unknown, and `strip_resources` leaves out the data of resources; what
    /// nothing refers to any more is not written.
    ///
    /// `dialect_versions` sets versions of dialects, also of those that the module does not use: text such as
    /// `"1.0.0"`, numbers, or the bytes of the file. Encodings that depend on the version follow; operations are
    /// not changed. Versions newer than the table of the dialect raise `UnsupportedError`, unless
    /// `allow_newer_versions`. The bytes have a `report` of what was done.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.write(numbering="canonical") == module.write()
    ///     True
    ///     >>> mlirbc.read(module.write(version=4)).bytecode.version
    ///     4
    ///     >>> versioned = mlirbc.read(module.write(dialect_versions={"vhlo": "1.0.0"}))
    ///     >>> mlirbc.versions.dialect_versions(versioned)
    ///     {'vhlo': (1, 0, 0)}
    #[pyo3(signature = (*, numbering = None, version = None, target = None, producer = None,
        drop_unsupported = false, strict = false, strip_locations = false, strip_resources = false, dialect_versions = None,
        allow_newer_versions = false))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn write<'py>(
        &self,
        py: Python<'py>,
        numbering: Option<&str>,
        version: Option<u64>,
        target: Option<String>,
        producer: Option<&Bound<'py, PyAny>>,
        drop_unsupported: bool,
        strict: bool,
        strip_locations: bool,
        strip_resources: bool,
        dialect_versions: Option<&Bound<'py, PyMapping>>,
        allow_newer_versions: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.ensure_open()?;
        let producer = write::producer(producer)?;
        let dialect_versions = write::dialect_versions(dialect_versions)?;
        let keywords = write::Keywords {
            numbering,
            version,
            target,
            producer,
            drop_unsupported,
            strict,
            strip_locations,
            strip_resources,
            dialect_versions,
            allow_newer_versions,
            purge: false,
        };
        write::to_bytes(py, self, &keywords.options(Some(self.inner.tables().bytecode().version()))?)
    }

    /// Write the module to a bytecode file, with the keywords of `write`. The file appears, or replaces the
    /// old one, in one step: if anything fails, the old file stays complete, even if this module was read
    /// from it. A module of a JAX export is written in its container, with the other modules unchanged; with
    /// `bare`, the module is written alone. Returns a report of the write.
    ///
    ///     >>> import os, tempfile
    ///     >>> path = os.path.join(tempfile.mkdtemp(), "model.mlirbc")
    ///     >>> mlirbc.open("examples/two_layers.mlirbc").save(path, version=4).mode
    ///     <WriteMode.RENUMBER: 'renumbered'>
    ///     >>> mlirbc.open(path).bytecode.version
    ///     4
    #[pyo3(signature = (path, *, numbering = None, version = None, target = None, producer = None,
        drop_unsupported = false, strict = false, strip_locations = false, strip_resources = false, dialect_versions = None,
        allow_newer_versions = false, bare = false))]
    #[allow(clippy::too_many_arguments)] // keywords
    fn save(
        &self,
        py: Python<'_>,
        path: std::path::PathBuf,
        numbering: Option<&str>,
        version: Option<u64>,
        target: Option<String>,
        producer: Option<&Bound<'_, PyAny>>,
        drop_unsupported: bool,
        strict: bool,
        strip_locations: bool,
        strip_resources: bool,
        dialect_versions: Option<&Bound<'_, PyMapping>>,
        allow_newer_versions: bool,
        bare: bool,
    ) -> PyResult<WriteReport> {
        self.ensure_open()?;
        let producer = write::producer(producer)?;
        let dialect_versions = write::dialect_versions(dialect_versions)?;
        let keywords = write::Keywords {
            numbering,
            version,
            target,
            producer,
            drop_unsupported,
            strict,
            strip_locations,
            strip_resources,
            dialect_versions,
            allow_newer_versions,
            purge: false,
        };
        let options = keywords.options(Some(self.inner.tables().bytecode().version()))?;
        write::to_path(py, self, path, (&options, bare))
    }

    /// Return a table of the operations for pyarrow, Polars, DuckDB or pandas: one row for each operation, in
    /// the order of the text. `mlirbc.tables` describes the columns.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.ops_table().column_names[:3]
    ///     ['name', 'parent', 'location']
    fn ops_table<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.tables")?.getattr("_table")?.call1((this, "ops"))
    }

    /// Return a table of the values for pyarrow, Polars, DuckDB or pandas: one row for each result, in the
    /// order of the text, and then for each argument of a block. `mlirbc.tables` describes the columns.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.values_table().num_rows
    ///     35
    fn values_table<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.tables")?.getattr("_table")?.call1((this, "values"))
    }

    /// Return a table of the attributes for pyarrow, Polars, DuckDB or pandas: one row for each attribute of
    /// the file, locations included. `mlirbc.tables` describes the columns.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.attributes_table().column_names
    ///     ['class', 'text']
    fn attributes_table<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.tables")?.getattr("_table")?.call1((this, "attributes"))
    }

    /// Return a table of the types for pyarrow, Polars, DuckDB or pandas: one row for each type of the file.
    /// `mlirbc.tables` describes the columns.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.types_table().column_names
    ///     ['class', 'text']
    fn types_table<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.tables")?.getattr("_table")?.call1((this, "types"))
    }

    /// Return a table of the symbols for pyarrow, Polars, DuckDB or pandas: one row for each symbol,
    /// including symbols of nested symbol tables. `mlirbc.tables` describes the columns.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.symbols_table().num_rows
    ///     2
    fn symbols_table<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.tables")?.getattr("_table")?.call1((this, "symbols"))
    }

    /// Return a table of the resources for pyarrow, Polars, DuckDB or pandas: one row for each resource.
    /// `mlirbc.tables` describes the columns.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> module.resources_table().num_rows
    ///     6
    fn resources_table<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.tables")?.getattr("_table")?.call1((this, "resources"))
    }

    /// Return an editable version of the module. Edits change neither this module nor its file until they are
    /// saved.
    ///
    ///     >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    ///     >>> edited.rename_symbol("main", "start")
    ///     >>> "@start" in str(mlirbc.read(edited.write()))
    ///     True
    fn edit<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("mlirbc.edit")?.getattr("Module")?.call1((this,))
    }

    /// Close the module: from then on, access to operations or resources raises `ValueError`. The file is
    /// released with the last handle.
    ///
    /// Raises `BufferError`, which names the resource, while there is an array or another buffer of one: it would
    /// keep the file. The module stays open then. Leaving a `with` block closes in any case; buffers stay valid.
    ///
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> weight = memoryview(module.resources["layer0.weight"])
    ///     >>> try:
    ///     ...     module.close()
    ///     ... except BufferError as error:
    ///     ...     print(error)
    ///     a buffer of the resource "layer0.weight" is still in use; delete it, or copy what is needed, before closing
    ///     >>> weight.release()
    ///     >>> module.close()
    fn close(&self) -> PyResult<()> {
        let keys = keys_in_use(self.inner.tables());
        let Some((first, others)) = keys.split_first() else {
            self.closed.store(true, Ordering::Relaxed);
            return Ok(());
        };
        let more = if others.is_empty() { String::new() } else { format!(" and of {} more", others.len()) };
        let key = String::from_utf8_lossy(first);
        Err(PyBufferError::new_err(format!(
            "a buffer of the resource {key:?}{more} is still in use; delete it, or copy what is needed, before closing"
        )))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (exc_type, exc_value, traceback, /))]
    fn __exit__(
        &self,
        exc_type: &Bound<'_, PyAny>,
        exc_value: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) {
        let _ = (exc_type, exc_value, traceback);
        self.closed.store(true, Ordering::Relaxed);
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        slf.is(other)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> u64 {
        let mut hasher = DefaultHasher::new();
        (slf.as_ptr() as usize).hash(&mut hasher);
        hasher.finish()
    }

    #[doc(hidden)]
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.ensure_open()?;
        let title = self.__repr__()?;
        self.detached(py, |module| operation_html(title.trim_matches(['<', '>']), &module.operation()?))
    }

    fn __repr__(&self) -> PyResult<String> {
        let bytecode = self.inner.tables().bytecode();
        let producer = String::from_utf8_lossy(bytecode.producer());
        let (version, size) = (bytecode.version(), bytecode.size());
        Ok(format!("<mlirbc.Module version {version} by {producer:?}, {size} bytes>"))
    }
});
