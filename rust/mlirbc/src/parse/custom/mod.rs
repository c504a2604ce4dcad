//! Operations in their custom form.
//!
//! Runs the programs and the forms of `assembly` up to the next region, so that an operation whose region is being parsed
//! is a number of an instruction or a phase, not a frame of the program's stack.

mod affine;
mod call;
mod case_spelling;
mod cases;
mod elements;
mod expressions;
mod finish;
mod function;
mod infer;
mod linalg;
mod linalg_body;
mod llvm;
mod llvm_members;
mod parts;
mod remembered;
mod shaped;
mod spirv;
mod stablehlo;
#[cfg(test)]
mod switch_tests;
mod syntax;
mod tosa;
mod transformers;
mod typed_values;
mod util;
mod vector;

use std::rc::Rc;
use std::sync::Arc;

use crate::assembly::{self, Cursor, Program, Progress};
use crate::attr::text::lexer::Token;
use crate::attr::text::parse::{Failure, Parsed};
use crate::ops::{OperationDefinition, OperationDefinitions, Syntax};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::order;

use super::frames::{AsmParser, Next, OperationForm, Pending};
use super::names::Names;
use super::operands::Reference;
use super::operation_info::OpInfo;
use super::region::{EntryArgument, OpenRegion};
use super::text_release::hint_for_dialect;
use crate::ops::closest;

pub(super) use case_spelling::CaseSpelling;
pub(super) use llvm_members::Containers;
pub(super) use remembered::Remembered;
use syntax::FormReader;

fn dialect_of(operation: &str) -> &str {
    operation.split('.').next().unwrap_or_default()
}

/// A custom form that is being parsed.
pub(super) struct Custom<'t> {
    definition: Arc<OperationDefinition>,
    syntax: SyntaxState,
    /// The values of each operand of the definition.
    operands: Vec<Vec<Reference<'t>>>,
    operand_types: Vec<Option<Vec<u32>>>,
    result_types: Vec<Option<Vec<u32>>>,
    /// The types of all operands or results, where the format has them together.
    all_operands: Option<Vec<Reference<'t>>>,
    all_operand_types: Option<Vec<u32>>,
    all_result_types: Option<Vec<u32>>,
    /// The region of the definition that each parsed one is.
    regions: Vec<usize>,
    successors: Vec<Vec<u32>>,
    /// The arguments of the next region, and numbers of its cases, that directives parsed.
    entry: Vec<EntryArgument<'t>>,
    numbers: Vec<i64>,
    /// Words that later directives need.
    words: Vec<String>,
    /// The values outside of a region that has names of its own.
    outer: Option<Names<'t>>,
}

#[derive(Clone)]
enum SyntaxState {
    Declared {
        program: Rc<Program>,
        cursor: Cursor,
    },
    /// Parsed by a function, which is called with the number of regions that were parsed.
    Assembly {
        form: assembly::CustomForm,
        phase: u32,
    },
}

/// The code that parses the form of an operation.
fn code_of(name: &str) -> Option<SyntaxState> {
    let form = assembly::CustomForm::of(name).filter(|_| !assembly::is_printed_only(name))?;
    Some(SyntaxState::Assembly { form, phase: 0 })
}

impl<'t> Custom<'t> {
    /// The names outside of a region that has names of its own.
    pub(super) fn take_outer_names(&mut self) -> Option<Names<'t>> {
        self.outer.take()
    }
}

/// Whether a release of LLVM has an operation.
fn is_upstream(op: &str) -> bool {
    OperationDefinitions::of_llvm().any(|definitions| definitions.has(op))
}

impl<'t> AsmParser<'t> {
    /// The operation of a name without quotes, of which the default dialect may be left out.
    pub(super) fn custom_name(&mut self, token: Token) -> Parsed<Rc<OpInfo>> {
        let spelling = self.spelling(token);
        let is_short = !spelling.contains(&b'.');
        let default = self.default_dialect().filter(|_| is_short);
        self.full_name.clear();
        if let Some(default) = default {
            self.full_name.extend_from_slice(default.as_bytes());
            self.full_name.push(b'.');
        }
        self.full_name.extend_from_slice(spelling);
        if let Some(known) = self.infos.get(&self.full_name).filter(|info| info.is_registered) {
            return Ok(known.clone());
        }
        let full = self.full_name.clone();
        if full.contains(&b'.') && self.has_op(&full) {
            return self.info(&full, token.start);
        }
        Err(self.unknown_operation(token, spelling, is_short.then_some(full)))
    }

    /// The dialect that names here need not mention.
    pub(super) fn default_dialect(&self) -> Option<&'static str> {
        match (self.enclosing(), &self.surroundings) {
            (Some(pending), _) => pending.default_dialect,
            (None, Some(surroundings)) => surroundings.default_dialect,
            (None, None) => Some("builtin"),
        }
    }

    /// Whether a word is an operation of the default dialect here.
    pub(super) fn is_short_name(&self, word: &[u8]) -> bool {
        self.default_dialect().is_some_and(|default| self.has_op(&[default.as_bytes(), b".", word].concat()))
    }

    #[cold]
    fn unknown_operation(&self, token: Token, spelling: &[u8], tried: Option<Vec<u8>>) -> Failure {
        let name = String::from_utf8_lossy(spelling).into_owned();
        let mut message = format!("{} has no operation `{name}`", self.options.target);
        let full = match &tried {
            Some(tried) if tried.contains(&b'.') => {
                let tried = String::from_utf8_lossy(tried).into_owned();
                message = format!("{message} and no `{tried}`");
                tried
            }
            _ => name,
        };
        let dialect = full.split_once('.').map(|(dialect, _)| dialect).filter(|_| tried.is_none());
        if let Some(dialect) = dialect.filter(|dialect| !self.schema.has_dialect(dialect.as_bytes())) {
            message = format!("{} has no dialect `{dialect}`", self.options.target);
            if is_upstream(&full) {
                let message = format!("{} does not register the dialect `{dialect}`", self.options.target);
                let hint = "choose a target that registers it, or write the generic form, which makes an unregistered operation";
                let error = Error::message(ErrorKind::AsmOperation, message).at(token.start as u64);
                return Failure::Other(error.with_hint(hint));
            }
        }
        let error = Error::message(ErrorKind::AsmOperation, message).at(token.start as u64);
        if self.recovery.is_full() {
            return Failure::Other(error);
        }
        let dialect = dialect.filter(|dialect| !self.schema.has_dialect(dialect.as_bytes()));
        if let Some(hint) = dialect.and_then(|dialect| hint_for_dialect(dialect, &self.options.target)) {
            return Failure::Other(error.with_hint(hint));
        }
        Failure::Other(match self.operation_meant(&full, spelling) {
            Some(found) => error.with_hint(format!("did you mean {found}?")),
            None if dialect.is_some() => error.with_hint(
                "bring the definitions of its project with `--dialects` or `mlirbc.dialects.load`; `mlirbc pack` makes them",
            ),
            None => error,
        })
    }

    // The names of operations that an unknown one may stand for, in quotes.
    fn operation_meant(&self, full: &str, spelling: &[u8]) -> Option<String> {
        let names = || self.schema.ops().map(|op| op.name());
        let quoted = |name: &str| format!("`{name}`");
        if let Some(found) = closest(full, names()) {
            return Some(quoted(found));
        }
        if let Some((dialect, stem)) = full.split_once('.') {
            // The name without a dialect may be right.
            let split = || names().filter_map(|name| name.split_once('.'));
            let near = closest(dialect, split().map(|(dialect, _)| dialect));
            let full_name = near.map(|near| format!("{near}.{stem}"));
            if let Some(op) = full_name.and_then(|full_name| self.schema.op(full_name.as_bytes())) {
                return Some(quoted(op.name()));
            }
            // The operation may have belonged to another dialect in an older release.
            let mut same_stem: Vec<_> = split().filter(|(_, other)| *other == stem).collect();
            order::sort(&mut same_stem);
            if !same_stem.is_empty() && same_stem.len() <= 3 && !self.schema.has_dialect(dialect.as_bytes()) {
                let all = same_stem.iter().map(|(dialect, stem)| format!("`{dialect}.{stem}`"));
                return Some(all.collect::<Vec<_>>().join(" or "));
            }
        }
        // The keyword after a declaration.
        let word = std::str::from_utf8(spelling).unwrap_or_default();
        closest(word, ["attributes"].into_iter()).map(quoted)
    }

    /// Begins the form of an operation whose name was parsed.
    pub(super) fn begin_custom(&mut self, pending: &Pending<'t>) -> Parsed<Box<Custom<'t>>> {
        let Some(definition) = pending.info.definition.clone() else {
            return Err(self.unsupported(pending, "it has no definition with a custom form"));
        };
        if !pending.info.has_certain_numbers {
            let why =
                "the releases around the build number its words in different ways; write the generic form";
            return Err(self.unsupported(pending, why));
        }
        let syntax = match (definition.assembly(), definition.syntax()) {
            (Some(_), _) if assembly::replaces_format(definition.name()) => {
                match code_of(definition.name()) {
                    Some(syntax) => syntax,
                    None => {
                        return Err(self.unsupported(pending, "its format has a directive that is not known"));
                    }
                }
            }
            (Some(_), _) => {
                let compile = || Program::compile(&definition, self.release).map(Rc::new);
                let program = pending.info.program.get_or_init(compile);
                match program {
                    Some(program) => {
                        SyntaxState::Declared { program: program.clone(), cursor: Cursor::default() }
                    }
                    None => {
                        return Err(self.unsupported(pending, "its format has a directive that is not known"));
                    }
                }
            }
            (None, Syntax::HandWritten) => match code_of(definition.name()) {
                Some(syntax) => syntax,
                None if self
                    .text
                    .pack()
                    .is_some_and(|pack| pack.has_dialect(dialect_of(definition.name()))) =>
                {
                    return Err(self
                        .unsupported(pending, "it is C++ of its project, and the pack does not declare it"));
                }
                None => return Err(self.unsupported(pending, "its format is written by hand in MLIR")),
            },
            (None, _) => return Err(self.unsupported(pending, "it has only a generic form")),
        };
        let mut custom = match self.spare_customs.pop() {
            Some(mut custom) => {
                (custom.syntax, custom.definition) = (syntax, definition);
                custom
            }
            None => Box::new(Custom {
                syntax,
                operands: Vec::new(),
                operand_types: Vec::new(),
                result_types: Vec::new(),
                all_operands: None,
                all_operand_types: None,
                all_result_types: None,
                regions: Vec::new(),
                successors: Vec::new(),
                entry: Vec::new(),
                numbers: Vec::new(),
                words: Vec::new(),
                outer: None,
                definition,
            }),
        };
        let Custom { definition, operands, operand_types, result_types, successors, .. } = &mut *custom;
        operands.resize_with(definition.operands().len(), Vec::new);
        operand_types.resize_with(definition.operands().len(), || None);
        result_types.resize_with(definition.results().len(), || None);
        successors.resize_with(definition.successors().len(), Vec::new);
        Ok(custom)
    }

    /// Keeps the lists of a form that is complete for the next one.
    pub(super) fn recycle(&mut self, mut custom: Box<Custom<'t>>) {
        const MOST: usize = 16;
        if self.spare_customs.len() >= MOST {
            return;
        }
        let lists = |types: &mut Vec<Option<Vec<u32>>>| types.clear();
        custom.operands.iter_mut().for_each(Vec::clear);
        lists(&mut custom.operand_types);
        lists(&mut custom.result_types);
        custom.successors.iter_mut().for_each(Vec::clear);
        (custom.all_operands, custom.all_operand_types, custom.all_result_types) = (None, None, None);
        custom.regions.clear();
        custom.entry.clear();
        custom.numbers.clear();
        custom.words.clear();
        custom.outer = None;
        self.spare_customs.push(custom);
    }

    #[cold]
    pub(super) fn unsupported(&self, pending: &Pending<'t>, why: &str) -> Failure {
        let message = format!("the custom form of `{}` cannot be parsed: {why}", pending.info.name);
        Failure::Other(Error::message(ErrorKind::AsmForm, message).at(pending.position as u64))
    }

    /// Continues a custom form up to its next region, or to its end.
    pub(super) fn custom(&mut self, pending: &mut Pending<'t>) -> Parsed<Next<'t>> {
        let OperationForm::Custom(mut custom) = std::mem::replace(&mut pending.form, OperationForm::Generic)
        else {
            return Err(self.unsupported(pending, "it was begun in the generic form"));
        };
        let next = match self.syntax(pending, &mut custom)? {
            Some(region) => Next::Region(region),
            None => self.finish_custom(pending, &mut custom)?,
        };
        pending.form = OperationForm::Custom(custom);
        Ok(next)
    }

    // The syntax up to the next region, which it needs.
    fn syntax(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Option<Box<OpenRegion<'t>>>> {
        let syntax = custom.syntax.clone();
        let mut reader = FormReader { parser: self, pending, custom, opened: None };
        let step = match syntax {
            SyntaxState::Declared { program, mut cursor } => {
                let step = assembly::run(&mut reader, &program, &mut (), &mut cursor)?;
                if step == Progress::Region {
                    reader.custom.syntax = SyntaxState::Declared { program, cursor };
                }
                step
            }
            SyntaxState::Assembly { form, phase } => {
                reader.custom.syntax = SyntaxState::Assembly { form, phase: phase + 1 };
                form.run(&mut reader, phase)?
            }
        };
        Ok(reader.opened.filter(|_| step == Progress::Region))
    }

    /// Adds an attribute of the definition.
    fn set_attribute(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        attribute: usize,
        value: u32,
    ) {
        if let Some(definition) = custom.definition.attributes().get(attribute) {
            self.set_named(pending, definition.name(), value);
        }
    }

    /// Adds an attribute.
    fn set_named(&mut self, pending: &mut Pending<'t>, name: &str, value: u32) {
        let name = self.attribute_name(name.as_bytes());
        pending.attributes.retain(|&(known, _)| known != name);
        pending.attributes.push((name, value));
    }
}
