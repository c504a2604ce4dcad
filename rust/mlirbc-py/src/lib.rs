//! `mlirbc._mlirbc`: the core, dressed for Python. It decides nothing.

mod attribute;
mod blob;
mod cli;
mod columns;
mod errors;
mod module;
mod operation;
mod resource;
mod reuse;
mod sequence;
mod structure;
mod value;
mod walk;

use pyo3::prelude::*;

/// Read MLIR bytecode of any version and release, without LLVM.
#[pymodule(gil_used = false, name = "_mlirbc")]
mod mlirbc_module {
    #[pymodule_export]
    use super::attribute::{Attribute, Table, Type};
    #[pymodule_export]
    use super::blob::Blob;
    #[pymodule_export]
    use super::cli::run_cli;
    #[pymodule_export]
    use super::columns::{Column, Columns};
    #[pymodule_export]
    use super::errors::error_identifiers;
    #[pymodule_export]
    use super::module::{Bytecode, Dialect, Limits, Module, OperationName, Section, open, read};
    #[pymodule_export]
    use super::operation::{
        OpOperand, OpOperandIterator, OpOperandList, OpOperands, OpResultList, OpSuccessors, Operation,
        RegionSequence,
    };
    #[pymodule_export]
    use super::resource::{Resource, Resources};
    #[pymodule_export]
    use super::structure::{Block, BlockArgumentList, BlockList, OperationIterator, OperationList, Region};
    #[pymodule_export]
    use super::value::{BlockArgument, OpResult, Value};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        errors::register(module)?;
        sequence::register(module)
    }
}
