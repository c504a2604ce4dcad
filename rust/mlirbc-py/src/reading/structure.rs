//! Blocks and regions: the calls of opened and of edited ones.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The answers of a block.
pub(crate) trait BlockReading: Sized {
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn region<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;

    fn block_number(&self, py: Python<'_>) -> PyResult<usize>;

    fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>>;

    fn predecessors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>>;

    fn iter<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.operations(py)?.try_iter()?.into_any())
    }
}

/// The methods of a class of blocks.
macro_rules! block_methods {
    ($class:ident, $lookup:ident, { $($more:tt)* }) => {
        #[mlirbc_py_macros::checked]
        #[pymethods]
        impl $class {
            /// The arguments of the block.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [argument.arg_number for argument in module.body.operations[0].regions[0].blocks[0].arguments]
            ///     [0, 1, 2]
            #[$lookup]
            #[getter]
            fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::BlockReading::arguments(self, py)
            }

            /// The operations of the block in order, without operations of nested regions.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.body.operations)
            ///     2
            #[$lookup]
            #[getter]
            fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::BlockReading::operations(self, py)
            }

            /// The region that contains the block; None at the top level.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.region == module.operation.regions[0], module.operation.block.region
            ///     (True, None)
            #[$lookup]
            #[getter]
            fn region<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                $crate::reading::BlockReading::region(self, py)
            }

            /// The operation whose region contains the block; None at the top level.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.body.owner.name
            ///     'builtin.module'
            #[$lookup]
            #[getter]
            fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                $crate::reading::BlockReading::owner(self, py)
            }

            /// The number of the block within its region.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> [block.block_number for block in module.body.operations[1].regions[0]]
            ///     [0, 1, 2]
            #[$lookup]
            #[getter]
            fn block_number(&self, py: Python<'_>) -> PyResult<usize> {
                $crate::reading::BlockReading::block_number(self, py)
            }

            /// The blocks that the terminator may branch to.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> entry = module.body.operations[1].regions[0].blocks[0]
            ///     >>> [block.block_number for block in entry.successors]
            ///     [1, 2]
            #[$lookup]
            #[getter]
            fn successors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                $crate::reading::BlockReading::successors(self, py)
            }

            /// The blocks whose terminator may branch to this block, once for each such edge.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> hidden = module.body.operations[1].regions[0].blocks[1]
            ///     >>> [block.block_number for block in hidden.predecessors]
            ///     [0]
            #[$lookup]
            #[getter]
            fn predecessors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                $crate::reading::BlockReading::predecessors(self, py)
            }

            #[$lookup]
            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::BlockReading::iter(self, py)
            }

            $($more)*
        }
    };
}

/// The answers of a region.
pub(crate) trait RegionReading: Sized {
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;

    fn region_number(&self, py: Python<'_>) -> PyResult<u32>;

    fn iter<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.blocks(py)?.try_iter()?.into_any())
    }
}

/// The methods of a class of regions.
macro_rules! region_methods {
    ($class:ident, $lookup:ident, { $($more:tt)* }) => {
        #[mlirbc_py_macros::checked]
        #[pymethods]
        impl $class {
            /// The blocks of the region, the entry block first.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> len(module.body.operations[1].regions[0].blocks)
            ///     3
            #[$lookup]
            #[getter]
            fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::RegionReading::blocks(self, py)
            }

            /// The operation that the region belongs to; None for the top level.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.regions[0].owner.name
            ///     'builtin.module'
            #[$lookup]
            #[getter]
            fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                $crate::reading::RegionReading::owner(self, py)
            }

            /// The number of the region within its operation.
            ///
            ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
            ///     >>> module.operation.regions[0].region_number
            ///     0
            #[$lookup]
            #[getter]
            fn region_number(&self, py: Python<'_>) -> PyResult<u32> {
                $crate::reading::RegionReading::region_number(self, py)
            }

            #[$lookup]
            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::reading::RegionReading::iter(self, py)
            }

            $($more)*
        }
    };
}

pub(crate) use {block_methods, region_methods};
