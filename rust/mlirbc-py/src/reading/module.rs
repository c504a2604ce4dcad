//! Modules: the calls of opened and of edited ones.

use pyo3::prelude::*;

use super::TextSource;

/// The answers of a module.
pub(crate) trait ModuleReading: TextSource {
    fn bytecode<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn dialects<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn op_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn strings<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn attributes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn types<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn weights<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn operation<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn operations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn body<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn walk<'py>(
        slf: &Bound<'py, Self>,
        callback: &Bound<'py, PyAny>,
        walk_order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Py<PyAny>>;

    fn op_counts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn model_summary<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;

    fn decode_all(slf: &Bound<'_, Self>, threads: usize) -> PyResult<()>;

    fn release<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>>;
}

/// The methods of a class of modules.
macro_rules! module_methods {
    ($class:ident, { $($more:tt)* }) => {
        $crate::reading::text_methods!($class, [
            /// Return the text, as `mlir-opt` of the release that wrote the file prints it; operations without known
            /// custom assembly are in generic form.
            ///
            /// `print_generic_op_form` prints all of them in generic form. Custom assembly omits a few parts of operations:
            /// an `OmissionWarning` says which, and `lossless` prints these operations in generic form. `enable_debug_info` prints locations too. `large_elements_limit` leaves out dense elements when there are
            /// more, `large_resource_limit` resources whose text has more characters. `use_local_scope` has no aliases,
            /// `skip_regions` prints regions as `{...}`. What cannot be read is marked in the text, with `strict` it raises
            /// `ReadError`. `str(module)` is the same.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> print(module.get_asm(large_elements_limit=4).partition(" attributes")[0])
            ///     module @two_layers
            ///     >>> print(module.get_asm(print_generic_op_form=True).splitlines()[0])
            ///     "builtin.module"() <{sym_name = "two_layers"}> ({
        ], [
            /// Write the text to `file`, by default `sys.stdout`, piece by piece: the text may be larger than memory.
            ///
            /// The keywords are those of `get_asm`; `binary` hands `bytes` to the file instead of `str`.
            ///
            ///     >>> import io
            ///     >>> file = io.StringIO()
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.print(file=file)
            ///     >>> file.getvalue() == str(module)
            ///     True
        ], {
            /// The container of the bytecode: version, producer and sections.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [section.name for section in module.bytecode.sections][:3]
            ///     ['Dialect', 'AttrTypeOffset', 'AttrType']
            #[decoded]
            #[getter]
            fn bytecode<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::bytecode(slf)
            }

            /// The dialects by index. Raises `ReadError` if the table is malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [dialect.name for dialect in module.dialects]
            ///     ['builtin', 'func', 'arith', 'tensor', 'cf', 'scf']
            #[getter]
            fn dialects<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::dialects(slf)
            }

            /// The operation names by index. Raises `ReadError` if the table is malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [op_name.name for op_name in module.op_names][:2]
            ///     ['builtin.module', 'func.return']
            #[getter]
            fn op_names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::op_names(slf)
            }

            /// The strings by index. Raises `ReadError` if the table is malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.strings[0]
            ///     'builtin'
            #[getter]
            fn strings<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::strings(slf)
            }

            /// The attributes by index; locations are attributes. Raises `ReadError` if the table is malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.attributes[64]
            ///     OpaqueAttr(#arith.fastmath<contract>)
            #[getter]
            fn attributes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::attributes(slf)
            }

            /// The types by index. Raises `ReadError` if the table is malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.types)
            ///     13
            #[getter]
            fn types<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::types(slf)
            }

            /// The property blobs by index, as bytes; empty below version 5. Raises `ReadError` if the table is
            /// malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.properties), type(module.properties[0])
            ///     (15, <class 'bytes'>)
            #[getter]
            fn properties<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::properties(slf)
            }

            /// The resources, external ones first. Raises `ReadError` if their directory is malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.resources.keys()[:3]
            ///     ['note', 'trained', 'layer0.weight']
            #[getter]
            fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::resources(slf)
            }

            /// The constants and resources with data, by name. Data is read when it is used.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.weights["layer0.bias"]
            ///     <mlirbc.Weight "layer0.bias": tensor<4xf32>, 16 bytes>
            ///     >>> module.weights["layer0.bias"].to_numpy()
            ///     array([ 0.  ,  0.25, -1.  ,  0.5 ], dtype=float32)
            #[getter]
            fn weights<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::weights(slf)
            }

            /// The top-level operation, usually a `builtin.module`. Raises `ReadError` if there is none or more than
            /// one.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.name
            ///     'builtin.module'
            #[getter]
            fn operation<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::operation(slf)
            }

            /// The top-level operations; nearly always there is one.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [op.name for op in module.operations]
            ///     ['builtin.module']
            #[getter]
            fn operations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::operations(slf)
            }

            /// The block of the top-level operation. Raises `ReadError` as `operation` does, and `IndexError` without
            /// a block.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [op.name for op in module.body]
            ///     ['func.func', 'func.func']
            #[getter]
            fn body<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::body(slf)
            }

            /// Call `callback` on all top-level operations and everything inside them, in post-order by
            /// default.
            ///
            /// The callback returns a `WalkResult`, or None to go on. Returns `WalkResult.INTERRUPT` if the callback
            /// did, else `WalkResult.ADVANCE`. Raises what the callback raises, `ReadError` where the file is
            /// malformed, and `TypeError` when the callback returns anything else.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> def visit(op):
            ///     ...     if op.name == "cf.cond_br":
            ///     ...         print(op.parent.name)
            ///     ...         return mlirbc.WalkResult.INTERRUPT
            ///     >>> module.walk(visit)
            ///     func.func
            ///     <WalkResult.INTERRUPT: 1>
            #[pyo3(signature = (callback, walk_order = None))]
            fn walk<'py>(slf: &Bound<'py, Self>, callback: &Bound<'py, PyAny>, walk_order: Option<&Bound<'py, PyAny>>) -> PyResult<Py<PyAny>> {
                $crate::reading::ModuleReading::walk(slf, callback, walk_order)
            }

            /// Return the number of operations of each name, without keeping operations in memory. Raises `ReadError`
            /// if the operations are malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.op_counts()["arith.constant"]
            ///     7
            fn op_counts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::op_counts(slf)
            }

            /// Return a summary of a model of StableHLO or VHLO: arguments, results, weights, and the versions of
            /// StableHLO that can read it; None for other modules. Reads all operations. Raises `ReadError` if the
            /// file is malformed.
            ///
            ///     >>> model = mlirbc.open("examples/mlp.jax").model_summary()
            ///     >>> model.stablehlo.minimum
            ///     '1.10.0'
            fn model_summary<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::model_summary(slf)
            }

            /// Return all operations as flat `uint32` arrays, with one row for each operation. Raises `ReadError` if
            /// the operations are malformed.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.columns())
            ///     34
            fn columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::columns(slf)
            }

            /// Decode every body now, on `threads` threads, but at most one for each core (0: one for each core), without
            /// the interpreter lock.
            ///
            /// Raises `ReadError` or `LimitError` for the first body that has a fault, in the order of a walk.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.decode_all(threads=2)
            #[pyo3(signature = (*, threads = 1))]
            fn decode_all(slf: &Bound<'_, Self>, threads: usize) -> PyResult<()> {
                $crate::reading::ModuleReading::decode_all(slf, threads)
            }

            /// The release that wrote the file, which determines the meaning of its properties. The release is
            /// detected on first access. Raises `ReadError` if a table is malformed.
            ///
            ///     >>> print(mlirbc.open("examples/two_layers.mlirbc").release)
            ///     llvm-22, from the producer string `MLIR22.1.8`
            #[getter]
            fn release<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ModuleReading::release(slf)
            }

            $($more)*
        });
    };
}

pub(crate) use module_methods;
