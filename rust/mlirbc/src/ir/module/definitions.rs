//! The definitions of the operations of a file.

use std::sync::Arc;

use super::Module;
use crate::ir::view::Operation;
use crate::ops::{ApplicableDefinitions, OperationDefinition};
use crate::wire::error::Result;

impl Module {
    /// Returns the definition of an operation in the release of the file. `None` if the release has no such
    /// operation, or no known definitions certainly apply to the release.
    ///
    /// # Errors
    /// If a table that determines the release is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let addf = module.operation_definition("arith.addf")?.unwrap();
    /// assert_eq!(addf.operands()[0].name(), "lhs");
    /// assert!(module.operation_definition("arith.frobnicate")?.is_none());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn operation_definition(&self, name: &str) -> Result<Option<Arc<OperationDefinition>>> {
        let release = self.release()?.nearest();
        let definitions =
            release.and_then(|name| ApplicableDefinitions::of(name, self.tables().release_llvm().0));
        Ok(definitions.and_then(|definitions| definitions.get(name)))
    }
}

impl Operation<'_> {
    /// Its definition, as [`Module::operation_definition`]; `None` also if the writer did not know the operation.
    ///
    /// # Errors
    /// As [`Module::operation_definition`].
    #[doc(hidden)]
    pub fn definition(&self) -> Result<Option<Arc<OperationDefinition>>> {
        let section = self.module().tables().dialect_section()?;
        let row = section.op_names.get(self.name_id().index());
        if row.is_some_and(|row| row.is_registered == Some(false)) {
            return Ok(None);
        }
        self.module().operation_definition(&self.name())
    }
}
