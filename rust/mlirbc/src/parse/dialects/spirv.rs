//! Operations of the spirv dialect (`mlir/lib/Dialect/SPIRV/IR`).

use crate::attr::text::brackets::split;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaRegion, ArenaValue};
use crate::format::id::{AttrId, TypeId};

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;

use super::super::frames::{NONE, OperationForm};

impl<'t> AsmParser<'t> {
    /// An operation in generic form, in a region that yields its first result; the type of that.
    pub(in crate::parse) fn wrapped_operation(
        &mut self,
        pending: &mut Pending<'t>,
    ) -> Parsed<(ArenaRegion, Vec<TypeId>)> {
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let token = self.expect(TokenKind::String, "an operation in generic form")?;
        let name = self.text.string_of(token)?;
        let info = self.info(&name, token.start)?;
        let location = self.location_at(token.start)?;
        let mut inner = Pending {
            info,
            position: token.start,
            location,
            results: Vec::new(),
            operands: Vec::new(),
            successors: Vec::new(),
            properties: NONE,
            attributes: Vec::new(),
            regions: Vec::new(),
            block: Some(block),
            form: OperationForm::Generic,
            default_dialect: None,
        };
        self.begin_generic(&mut inner, None)?;
        if self.eat(TokenKind::LeftBrace)? {
            self.attributes(&mut inner.attributes)?;
        }
        self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
        let (operands, results) = self.function_type()?;
        self.create(&mut inner, &operands, &results)?;
        let op = self.editor.arena.block(block).last_op;
        // A location after the inner operation applies to the outer operation, too.
        let location = op.map_or(location, |op| self.editor.arena.op(op).location.number());
        let values: Vec<ArenaValue> = op.into_iter().flat_map(|op| self.results_of(op).take(1)).collect();
        self.add_op("spirv.mlir.yield", block, (token.start, location), &values, &[], Vec::new())?;
        pending.location = location;
        Ok((region, results.into_iter().take(1).collect()))
    }

    /// Returns the type that indices select from a pointer to a type with this text.
    pub(in crate::parse) fn spirv_chain_element(
        &mut self,
        pending: &Pending<'t>,
        pointee: String,
        indices: &[Reference<'t>],
    ) -> Parsed<TypeId> {
        let mut text = pointee;
        for &index in indices {
            // An index of a structure has to be a constant, whose value is needed.
            let number = match text.starts_with("!spirv.struct<") {
                true => self.constant_of(index),
                false => Some(0),
            };
            match number.and_then(|number| element_text(&text, number)) {
                Some(part) => text = part,
                None => {
                    let message = format!("`{text}` has no element with a constant index");
                    return Err(self.contents(pending, message));
                }
            }
        }
        self.type_named(&text)
    }

    // The value of a `spirv.Constant` of an integer type.
    fn constant_of(&mut self, of: Reference<'t>) -> Option<usize> {
        let op = self.defining_op(of)?;
        let row = self.editor.arena.op(op);
        let (index, list) = (row.name().number(), row.attributes?.number());
        if &*self.infos_by_index.get(&index)?.name != "spirv.Constant" {
            return None;
        }
        let name = self.attribute_name(b"value");
        let value = self.lists.get(list)?.attributes().find(|(known, _)| *known == name)?.1;
        self.whole_attribute(AttrId::new(value)).ok()?.split(' ').next()?.parse().ok()
    }
}

/// The text of an element of a vector, an array, a matrix or a structure.
pub(in crate::parse) fn element_text(text: &str, index: usize) -> Option<String> {
    let inner = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix('>');
    if let Some(body) = inner("vector<") {
        return body.rsplit_once('x').map(|(_, element)| element.to_owned());
    }
    if let Some(body) = inner("!spirv.array<").or_else(|| inner("!spirv.matrix<")) {
        let (_, element) = body.split_once(" x ")?;
        return Some(without_stride(element));
    }
    if let Some(body) = inner("!spirv.rtarray<") {
        return Some(without_stride(body));
    }
    if let Some(body) = inner("!spirv.coopmatrix<") {
        let (_, rest) = body.split_once('x')?;
        let (_, element) = rest.split_once('x')?;
        return element.split_once(", ").map(|(element, _)| element.to_owned());
    }
    let body = inner("!spirv.struct<")?;
    // A structure with a name has it before the members.
    let body = body.find('(').and_then(|place| body.get(place + 1..))?.strip_suffix(')').or_else(|| {
        let place = body.rfind(')')?;
        body.get(body.find('(')? + 1..place)
    })?;
    let parts = split(body)?;
    let &part = parts.get(index)?;
    // Decorations follow the type.
    Some(part.split_once(" [").map_or(part, |(member, _)| member).to_owned())
}

fn without_stride(text: &str) -> String {
    match text.rsplit_once(", stride=") {
        Some((element, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => element.to_owned(),
        _ => text.to_owned(),
    }
}
