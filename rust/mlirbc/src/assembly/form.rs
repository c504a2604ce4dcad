//! The custom form of an operation: the program of its declarative format, or code.

use std::sync::Arc;

use crate::ops::{OperationDefinition, Syntax};
use crate::release::Llvm;

use super::dialects::is_read_only;
use super::{Cursor, CustomForm, Flow, FormatSyntax, Program, Progress, format};

/// A custom form, which one function or program writes and reads.
#[derive(Debug)]
pub(crate) enum AssemblyForm {
    Declared(Program),
    Code(CustomForm),
}

const UNKNOWN_DIRECTIVE: &str = "its format has a directive that is not known";

impl AssemblyForm {
    /// Returns the form that operations of a definition are printed in, if it is known.
    pub(crate) fn to_print(definition: &Arc<OperationDefinition>, release: Llvm) -> Option<Self> {
        let name = definition.name();
        match definition.syntax() {
            Syntax::Generic => None,
            _ if definition.assembly().is_some() => Program::compile(definition, release).map(Self::Declared),
            _ => CustomForm::of(name).filter(|_| !is_read_only(name)).map(Self::Code),
        }
    }

    /// Returns the form that operations of a definition are read in.
    ///
    /// # Errors
    /// The reason why there is none.
    pub(crate) fn to_parse(
        definition: &Arc<OperationDefinition>,
        release: Llvm,
    ) -> Result<Self, &'static str> {
        let name = definition.name();
        let code = || CustomForm::of(name).map(Self::Code);
        match (definition.assembly(), definition.syntax()) {
            (Some(_), _) => {
                Program::compile(definition, release).map(Self::Declared).ok_or(UNKNOWN_DIRECTIVE)
            }
            (None, Syntax::HandWritten) => code().ok_or("its format is written by hand in MLIR"),
            (None, _) => Err("it has only a generic form"),
        }
    }

    /// Writes or reads an operation up to its next region, or to its end.
    pub(crate) fn run<S: FormatSyntax>(&self, s: &mut S, cursor: &mut Cursor) -> Flow<S> {
        match self {
            Self::Declared(program) => format::run(s, program, cursor),
            Self::Code(form) => {
                let progress = form.run(s, cursor.phase)?;
                cursor.phase += u32::from(progress == Progress::Region);
                Ok(progress)
            }
        }
    }
}
