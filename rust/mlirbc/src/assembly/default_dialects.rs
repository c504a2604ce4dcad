//! The dialects that names of operations in a region need not mention (`OpAsmOpInterface::getDefaultDialect`).

use crate::ops::{OperationDefinition, registered_dialect};
use crate::release::Llvm;

/// The default dialect of the regions of an operation, which is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DefaultDialect {
    dialect: &'static str,
    /// Whether the default depends on the release.
    is_recent: bool,
}

impl DefaultDialect {
    /// Returns the default dialect in the regions of an operation.
    pub(crate) fn of(operation: &str) -> Option<Self> {
        let operation = OPERATIONS.iter().find(|known| **known == operation)?;
        let (dialect, _) = operation.split_once('.')?;
        Some(Self { dialect, is_recent: dialect == "emitc" })
    }

    /// Returns the default dialect in the regions of an operation, which a pack may define.
    pub(crate) fn of_defined(operation: &str, definition: Option<&OperationDefinition>) -> Option<Self> {
        Self::of(operation).or_else(|| {
            definition.filter(|one| one.is_default_dialect())?;
            let (dialect, _) = operation.split_once('.')?;
            Some(Self { dialect: registered_dialect(dialect)?, is_recent: false })
        })
    }

    /// The dialect that a printer leaves out: only where it is certain that a parser adds it.
    pub(crate) fn for_printer(self, release: Llvm) -> Option<&'static str> {
        (!self.is_recent || release.defaults_to_emitc()).then_some(self.dialect)
    }

    /// The dialect that a parser adds: unless it is certain that MLIR refuses the text.
    pub(crate) fn for_parser(self, release: Llvm) -> Option<&'static str> {
        (!self.is_recent || release.may_default_to_emitc()).then_some(self.dialect)
    }
}

const OPERATIONS: &[&str] = &[
    "async.func",
    "builtin.module",
    "emitc.do",
    "emitc.expression",
    "emitc.file",
    "emitc.for",
    "emitc.func",
    "emitc.if",
    "emitc.switch",
    "func.func",
    "pdl.pattern",
    "pdl.rewrite",
    "shape.func",
    "shape.function_library",
    "transform.sequence",
    "transform.with_pdl_patterns",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_dialect_has_a_first_release() {
        let dialects = |name, release| {
            let default_dialect = DefaultDialect::of(name).unwrap();
            (default_dialect.for_printer(Llvm(release)), default_dialect.for_parser(Llvm(release)))
        };
        assert_eq!(dialects("func.func", 16), (Some("func"), Some("func")));
        // `mlir-opt` 19 has no operation `return` in the body of an `emitc.func`, and 22 has one.
        assert_eq!(dialects("emitc.func", 19), (None, None));
        assert_eq!(dialects("emitc.func", 21), (None, Some("emitc")));
        assert_eq!(dialects("emitc.func", 22), (Some("emitc"), Some("emitc")));
        assert_eq!(DefaultDialect::of("transform.foreach"), None);
    }
}
