//! Values: the calls of opened and of edited ones.

use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::handle::entry::{Attribute, Type};

/// The answers of a value.
pub(crate) trait ValueReading: Sized {
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>>;

    fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>>;

    fn uses_in_order<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Vec<Bound<'py, PyAny>>>;

    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>>;

    fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

/// The methods of a class of values.
macro_rules! value_methods {
    ($class:ident, $lookup:ident, { $($more:tt)* }) => {
        #[mlirbc_py_macros::checked]
        #[pymethods]
        impl $class {
            /// The operation or the block that defines the value.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].regions[0].blocks[0].operations[5].result.owner.name
            ///     'scf.for'
            #[getter]
            fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ValueReading::owner(self, py)
            }

            /// The type of the value.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> dense = module.body.operations[0].regions[0].blocks[0]
            ///     >>> dense.operations[5].result.type == dense.arguments[1].type  # the loop adds to a bias
            ///     True
            #[getter]
            fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Type>> {
                $crate::reading::ValueReading::r#type(self, py)
            }

            /// The uses, first to last in the writer's order. Raises `ReadError` if a stored order does not fit the
            /// uses.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> for use in module.body.operations[0].regions[0].blocks[0].operations[5].result.uses:
            ///     ...     print(use.owner.name, use.operand_number)
            ///     func.return 0
            #[getter]
            fn uses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
                $crate::reading::ValueReading::uses(self, py)
            }

            /// Return the uses in the order of the writer (`stored`), or in the order in which MLIR 19 and 22 show
            /// them after reading the file (`upstream`).
            ///
            /// The two orders differ if the file stores an order as pairs that is not its own inverse. Raises
            /// `ValueError` for another word, and `ReadError` if a stored order does not fit the uses.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> value = module.body.operations[0].regions[0].blocks[0].operations[5].result
            ///     >>> value.uses_in_order("upstream")
            ///     [<mlirbc.OpOperand 0 of func.return>]
            #[pyo3(signature = (order = "stored"))]
            fn uses_in_order<'py>(&self, py: Python<'py>, order: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
                $crate::reading::ValueReading::uses_in_order(self, py, order)
            }

            /// The location of the argument, or of the operation that defines the result.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> loop = module.body.operations[0].regions[0].blocks[0].operations[5]
            ///     >>> loop.result.location == loop.location
            ///     True
            #[getter]
            fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Attribute>> {
                $crate::reading::ValueReading::location(self, py)
            }

            /// The module that contains the value.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.operations[0].regions[0].blocks[0].arguments[0].module is module
            ///     True
            #[getter]
            fn module<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::ValueReading::module(self, py)
            }

            $($more)*
        }
    };
}

pub(crate) use value_methods;
