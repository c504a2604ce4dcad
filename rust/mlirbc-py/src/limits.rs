//! Limits on memory, depth and output.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Limits for a module: `max_depth` levels of nesting, `max_memory` bytes for decoded tables and again for
/// each piece of work on these, `max_text` bytes of printed text, and `max_decompressed` bytes of a
/// compressed file.
///
/// None means the default. `max_depth`: 10,000,000 levels. `max_memory`: 64 bytes for each byte of the file
/// plus 16 MiB, but at most a quarter of the machine's memory. `max_text`: 1024 bytes for each byte of the
/// file plus 64 MiB. `max_decompressed`: `max_memory` if that is given, otherwise 64 bytes for each byte of
/// the file plus 256 MiB, but at most a quarter of the machine's memory. Exceeding a limit raises
/// `LimitError`.
///
///     >>> limits = mlirbc.Limits(max_depth=1000, max_memory=64 << 20)
///     >>> mlirbc.open("examples/two_layers.mlirbc", limits=limits).bytecode.version
///     6
#[pyclass(frozen, module = "mlirbc", eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Limits {
    /// The maximum nesting depth of regions, attributes and types.
    ///
    ///     >>> mlirbc.Limits().max_depth
    ///     10000000
    #[pyo3(get)]
    max_depth: u32,
    /// The maximum number of bytes for decoded tables and bodies; None for the default.
    ///
    ///     >>> mlirbc.Limits(max_memory=1 << 20).max_memory
    ///     1048576
    #[pyo3(get)]
    max_memory: Option<u64>,
    /// Bytes of text that printing may produce; None for the default.
    ///
    ///     >>> mlirbc.Limits(max_text=1 << 20).max_text
    ///     1048576
    #[pyo3(get)]
    max_text: Option<u64>,
    /// The maximum size in bytes of a decompressed file, in memory; None for the default.
    ///
    ///     >>> mlirbc.Limits(max_decompressed=1 << 30).max_decompressed
    ///     1073741824
    #[pyo3(get)]
    max_decompressed: Option<u64>,
}

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (*, max_depth = None, max_memory = None, max_text = None, max_decompressed = None))]
    fn new(
        max_depth: Option<u32>,
        max_memory: Option<u64>,
        max_text: Option<u64>,
        max_decompressed: Option<u64>,
    ) -> Self {
        let default = ::mlirbc::limits::Limits::default();
        Self { max_depth: max_depth.unwrap_or(default.max_depth), max_memory, max_text, max_decompressed }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let fields = (this.max_depth, this.max_memory, this.max_text, this.max_decompressed);
        Ok((py.import("mlirbc._pickle")?.getattr("limits")?, fields.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        let number = |limit: Option<u64>| limit.map_or("None".to_owned(), |bytes| bytes.to_string());
        let (memory, text) = (number(self.max_memory), number(self.max_text));
        let decompressed = match self.max_decompressed {
            Some(bytes) => format!(", max_decompressed={bytes}"),
            None => String::new(),
        };
        format!("Limits(max_depth={}, max_memory={memory}, max_text={text}{decompressed})", self.max_depth)
    }
}

impl Limits {
    /// Converts the limits for the core.
    pub(crate) fn to_core(&self) -> ::mlirbc::limits::Limits {
        ::mlirbc::limits::Limits::default()
            .max_depth(self.max_depth)
            .max_memory(self.max_memory)
            .max_text(self.max_text)
            .max_decompressed(self.max_decompressed)
    }
}
