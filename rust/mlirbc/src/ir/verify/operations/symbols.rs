//! Symbols (`mlir/include/mlir/IR/SymbolInterfaces.td`, `mlir/lib/IR/SymbolTable.cpp`).

use crate::ir::view::Operation;
use crate::ir::{BodyId, OpId};
use crate::wire::error::{ErrorKind, Result};

use super::Checker;
use super::attributes::AttributeFacts;
use super::flow::Complaint;

/// Functions that must not be public if they have no body. Other functions of LLVM may be public, such as
/// `llvm.func`.
const DECLARATIONS: &[&str] =
    &["async.func", "func.func", "ml_program.func", "ml_program.subgraph", "shape.func"];
const VISIBILITIES: &[&[u8]] = &[b"public", b"private", b"nested"];

/// The visibility of a symbol.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) enum Visibility {
    #[default]
    Public,
    Restricted,
    /// The text of an invalid attribute.
    Invalid(Box<str>),
}

impl Visibility {
    /// Parses the text of the attribute; `None` stands for an attribute that is not a string.
    pub(super) fn of(text: Option<&[u8]>) -> Self {
        match text {
            None => Self::Invalid("no string".into()),
            Some(b"public") => Self::Public,
            Some(text) if VISIBILITIES.contains(&text) => Self::Restricted,
            Some(text) => Self::Invalid(format!("`{}`", String::from_utf8_lossy(text)).into()),
        }
    }
}

/// Whether operations of a name are declarations if their region has no block.
pub(super) fn is_declaring(name: &str) -> bool {
    DECLARATIONS.contains(&name)
}

impl<'m> Checker<'m, '_> {
    /// Describes an error of the symbol that an operation defines.
    pub(super) fn symbol(
        &mut self,
        op: &Operation<'m>,
        facts: &AttributeFacts,
        complaints: &mut Vec<Complaint>,
    ) -> Result<()> {
        let Some(symbol) = facts.symbol else { return Ok(()) };
        let mut wrong = |sentence: String| complaints.push((ErrorKind::OpSymbol, sentence));
        let rules = self.rules(op.name_id()).filter(|rules| rules.is_symbol);
        if let Some(rules) = &rules {
            if let Visibility::Invalid(instead) = &facts.visibility {
                wrong(format!("`sym_visibility` must be `public`, `private` or `nested`, found {instead}"));
            }
            if rules.is_declaring
                && facts.visibility == Visibility::Public
                && op.region(0)?.is_some_and(|region| region.is_empty())
            {
                wrong(
                    "is a declaration, which must not be public: `sym_visibility = \"private\"`".to_owned(),
                );
            }
            if self.unwritten.symbols_have_no_results && op.results().len() > 0 {
                wrong("is a symbol, so it must not have results".to_owned());
            }
        }
        let Some(parent) = op.parent() else { return Ok(()) };
        let Some(of_parent) = self.rules(parent.name_id()) else { return Ok(()) };
        if !of_parent.is_symbol_table {
            if rules.is_some() && self.unwritten.symbols_need_tables {
                wrong(format!("is a symbol, but `{}` around it is not a symbol table", parent.name()));
            }
            return Ok(());
        }
        self.hold(size_of::<(BodyId, OpId, u32)>() + 16)?;
        if !self.symbols.insert((parent.body_id(), parent.id(), symbol)) {
            let name = self.shown_symbol(symbol);
            wrong(format!("the symbol `@{name}` is defined twice in `{}`", parent.name()));
        }
        Ok(())
    }
}
