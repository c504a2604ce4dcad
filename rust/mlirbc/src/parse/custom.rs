//! Operations in their custom form.
//!
//! Runs the programs and the forms of `assembly` up to the next region. While a region is parsed, the operation around it
//! is represented by the number of an instruction or a phase, not by a frame of the stack.

use std::rc::Rc;
use std::sync::Arc;

use crate::assembly::{AssemblyForm, Cursor, Progress};
use crate::attr::text::lexer::Token;
use crate::attr::text::parse::{Failure, Parsed};
use crate::edit::arena::ArenaBlock;
use crate::format::id::{AttrId, TypeId};
use crate::ops::{OperationDefinition, Syntax};
use crate::wire::error::{Error, ErrorKind};

use super::frames::{AsmParser, Next, OperationForm, Pending};
use super::names::Names;
use super::operands::Reference;
use super::operation_info::OpInfo;
use super::region::EntryArgument;

use super::syntax::FormReader;

const PACK_LACKS_IT: &str = "it is C++ of its project, and the pack does not declare it";

fn dialect_of(operation: &str) -> &str {
    operation.split('.').next().unwrap_or_default()
}

/// A custom form that is being parsed.
pub(super) struct Custom<'t> {
    pub(super) definition: Arc<OperationDefinition>,
    pub(super) form: Rc<AssemblyForm>,
    pub(super) cursor: Cursor,
    /// The values of each operand of the definition.
    pub(super) operands: Vec<Vec<Reference<'t>>>,
    pub(super) operand_types: Vec<Option<Vec<TypeId>>>,
    pub(super) result_types: Vec<Option<Vec<TypeId>>>,
    /// The types of all operands or results, where the format has them together.
    pub(super) all_operands: Option<Vec<Reference<'t>>>,
    pub(super) all_operand_types: Option<Vec<TypeId>>,
    pub(super) all_result_types: Option<Vec<TypeId>>,
    /// The region of the definition that each parsed one is.
    pub(super) regions: Vec<usize>,
    pub(super) successors: Vec<Vec<ArenaBlock>>,
    /// The arguments of the next region, and numbers of its cases, that directives parsed.
    pub(super) entry: Vec<EntryArgument<'t>>,
    pub(super) numbers: Vec<i64>,
    /// Words that later directives need.
    pub(super) words: Vec<String>,
    /// The values outside of a region that has names of its own.
    pub(super) outer: Option<Names<'t>>,
}

impl<'t> Custom<'t> {
    /// The names outside of a region that has names of its own.
    pub(super) fn take_outer_names(&mut self) -> Option<Names<'t>> {
        self.outer.take()
    }
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

    /// Whether the operation has no sizes of groups in the release, where the definition has them. A release may lack the
    /// definition that says how its operands are grouped.
    fn has_other_groups(&self, info: &OpInfo, definition: &OperationDefinition) -> bool {
        let schema = self.schema_of(info).filter(|schema| !schema.is_opaque() && schema.fields().len() > 0);
        self.release.has_properties()
            && definition.has_trait("AttrSizedOperandSegments")
            && schema.is_some_and(|schema| schema.field("operandSegmentSizes").is_none())
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
        let form =
            pending.info.form.get_or_init(|| match self.has_other_groups(&pending.info, &definition) {
                true => Err("the operands have other groups in the release"),
                false => AssemblyForm::to_parse(&definition, self.release).map(Rc::new),
            });
        let form = form.clone().map_err(|why| {
            let is_of_pack =
                self.text.pack().is_some_and(|pack| pack.has_dialect(dialect_of(definition.name())));
            let is_code =
                matches!(definition.syntax(), Syntax::HandWritten) && definition.assembly().is_none();
            let why = if is_of_pack && is_code { PACK_LACKS_IT } else { why };
            self.unsupported(pending, why)
        })?;
        let cursor = Cursor::default();
        let mut custom = match self.spare_customs.pop() {
            Some(mut custom) => {
                (custom.form, custom.cursor, custom.definition) = (form, cursor, definition);
                custom
            }
            None => Box::new(Custom {
                form,
                cursor,
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
        custom.operands.iter_mut().for_each(Vec::clear);
        custom.operand_types.clear();
        custom.result_types.clear();
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
        let (form, mut cursor) = (custom.form.clone(), custom.cursor);
        let mut reader = FormReader { parser: self, pending, custom: &mut custom, opened: None };
        let progress = form.run(&mut reader, &mut cursor)?;
        let opened = reader.opened.take().filter(|_| progress == Progress::Region);
        custom.cursor = cursor;
        let next = match opened {
            Some(region) => Next::Region(region),
            None => self.finish_custom(pending, &mut custom)?,
        };
        pending.form = OperationForm::Custom(custom);
        Ok(next)
    }

    /// Adds an attribute.
    pub(super) fn set_named(&mut self, pending: &mut Pending<'t>, name: &str, value: AttrId) {
        let name = self.attribute_name(name.as_bytes());
        pending.attributes.retain(|&(known, _)| known != name);
        pending.attributes.push((name, value.number()));
    }
}
