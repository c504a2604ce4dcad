//! The bodies of operations of linalg that are not in the text (`mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).

use crate::assembly::StructuredOperands;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaBlock, ArenaRegion, ArenaValue};
use crate::format::id::TypeId;

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::syntax::FormReader;

/// The operands of a structured operation.
pub(in crate::parse) type Structured<'p, 't> = StructuredOperands<FormReader<'p, 't>>;

/// The name and the attributes of the only operation of a body.
pub(in crate::parse) type Payload = (String, Vec<(u32, u32)>);

impl<'t> AsmParser<'t> {
    /// A body that yields its first argument.
    pub(in crate::parse) fn copying_body(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        operands: &Structured<'_, 't>,
    ) -> Parsed<()> {
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let references = operands.inputs.iter().chain(&operands.outputs).copied();
        let types = operands.input_types.iter().chain(&operands.output_types).copied();
        let all: Vec<_> = references.zip(types).collect();
        let location = pending.location;
        let mut first = None;
        for (reference, r#type) in all {
            let element = self.text.element_of(r#type)?.unwrap_or(r#type);
            let value_location = self.location_of(reference)?;
            let value = self.push_argument(element, block, value_location)?;
            self.editor.arena.block_mut(block).arguments.push(value);
            // An alias may be defined at the end of the text.
            self.located_like.extend(self.defined_value(reference).map(|definition| (value, definition)));
            first = first.or(Some(value));
        }
        let values: Vec<ArenaValue> = first.into_iter().collect();
        self.add_op("linalg.yield", block, (pending.position, location), &values, &[], Vec::new())?;
        custom.regions.push(0);
        pending.regions.push(region);
        Ok(())
    }

    /// A region of one block with arguments of these types; the region, the block and the arguments.
    pub(super) fn new_body(
        &mut self,
        types: &[TypeId],
        location: u32,
    ) -> Parsed<(ArenaRegion, ArenaBlock, Vec<ArenaValue>)> {
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let mut arguments = Vec::new();
        for &r#type in types {
            arguments.push(self.push_argument(r#type, block, location)?);
        }
        self.editor.arena.block_mut(block).arguments.clone_from(&arguments);
        Ok((region, block, arguments))
    }

    /// `{ operation {…} }`, if it comes next: a dictionary of attributes begins with the same brace.
    pub(in crate::parse) fn payload(&mut self) -> Parsed<Option<Payload>> {
        let mut payload = None;
        if self.peek()?.kind == TokenKind::LeftBrace {
            let before_brace = self.lexer().clone();
            self.next()?;
            let token = self.peek()?;
            let after = {
                let mut ahead = self.lexer().clone();
                ahead.next()?;
                ahead.peek()?.kind
            };
            // A dictionary of attributes begins with the same brace.
            if token.kind == TokenKind::Identifier && after != TokenKind::Equal && after != TokenKind::Comma {
                let token = self.next()?;
                let info = self.custom_name(token)?;
                let mut attributes = Vec::new();
                if self.eat(TokenKind::LeftBrace)? {
                    self.attributes(&mut attributes)?;
                }
                self.expect(TokenKind::RightBrace, "`}` after the operation")?;
                payload = Some((info.name.to_string(), attributes));
            } else {
                *self.lexer() = before_brace;
            }
        }
        Ok(payload)
    }

    /// A body of one operation.
    pub(in crate::parse) fn payload_body(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        (name, attributes): Payload,
        is_reduce: bool,
        operands: &Structured<'_, 't>,
    ) -> Parsed<()> {
        custom.regions.push(0);
        let unknown = self.unknown_location()?;
        let maps_init = self.release.passes_init_to_map();
        let outputs = if is_reduce || maps_init { &operands.output_types[..] } else { &[] };
        let mut types = Vec::new();
        for &r#type in operands.input_types.iter().chain(outputs) {
            types.push(self.text.element_of(r#type)?.unwrap_or(r#type));
        }
        let (region, block, mut values) = self.new_body(&types, unknown)?;
        if is_reduce {
            values.rotate_right(1);
        } else if maps_init {
            values.pop();
        }
        let Some(&result) = operands.output_types.last() else {
            return Err(self.contents(pending, "an output is needed"));
        };
        let element = self.text.element_of(result)?.unwrap_or(result);
        let place = (pending.position, pending.location);
        let op = self.add_op(&name, block, place, &values, &[element], attributes)?;
        let results: Vec<ArenaValue> = self.results_of(op).collect();
        self.add_op("linalg.yield", block, place, &results, &[], Vec::new())?;
        pending.regions.push(region);
        Ok(())
    }

    /// `loc(unknown)`.
    pub(in crate::parse) fn unknown_location(&mut self) -> Parsed<u32> {
        self.text.fragment(false, "loc(unknown)")
    }
}
