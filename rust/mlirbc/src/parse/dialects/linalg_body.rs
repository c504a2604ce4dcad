//! The bodies of structured operations, which their names stand for.

use crate::attr::text::parse::{Failure, Parsed};
use crate::edit::arena::{ArenaBlock, ArenaRegion, ArenaValue};
use crate::format::id::{AttrId, TypeId};
use crate::ops::{BodyAttribute, StructuredBody, StructuredOperations, case_in, run_program};

use super::super::frames::{AsmParser, Pending};
use super::linalg::Structured;

impl<'t> AsmParser<'t> {
    /// The body of a structured operation, and the maps that it keeps.
    pub(in crate::parse) fn structured_body(
        &mut self,
        pending: &mut Pending<'t>,
        name: &str,
        kind: Option<&str>,
        operands: &Structured<'_, 't>,
    ) -> Parsed<ArenaRegion> {
        let types: Vec<TypeId> = operands.input_types.iter().chain(&operands.output_types).copied().collect();
        let body = match kind {
            Some(kind) => StructuredBody::elementwise(kind, types.len()),
            None => match StructuredBody::of(name, self.release) {
                Some(body) => body,
                None => return Err(self.unsupported(pending, "its body is not known")),
            },
        };
        if types.len() != body.arguments {
            let message = format!("expected `{}` operands, found `{}`", body.arguments, types.len());
            return Err(self.contents(pending, message));
        }
        let unknown = self.unknown_location()?;
        let mut elements = Vec::new();
        for r#type in types {
            let is_container = self.text.is_shaped(r#type) && !self.text.is_vector(r#type);
            let element = if is_container { self.text.element_of(r#type)? } else { None };
            elements.push(element.unwrap_or(r#type));
        }
        let (region, block, arguments) = self.new_body(&elements, unknown)?;
        let place = (pending.position, unknown);
        let release = self.release;
        let mut builder = NewBody { parser: self, pending, arguments, block, place };
        run_program(&mut builder, &body.program, body.functions, release)?;
        self.memoized_maps(pending, body)?;
        Ok(region)
    }

    // The verifier of MLIR stores the maps that it computes.
    fn memoized_maps(&mut self, pending: &mut Pending<'t>, body: StructuredBody) -> Parsed<()> {
        if body.maps.is_empty() {
            return Ok(());
        }
        let mut bindings: Vec<(String, String)> = Vec::new();
        for symbol in body.symbols.split(';').filter(|symbol| !symbol.is_empty()) {
            let mut parts = symbol.split('=');
            let (name, numbers) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let mut values: Vec<String> =
                parts.next().unwrap_or_default().split(',').map(str::to_owned).collect();
            if let Some(attribute) = self.found(pending, name) {
                let text = self.whole_attribute(AttrId::new(attribute))?;
                let list = text.trim_start_matches("dense<").split('>').next().unwrap_or_default();
                let numbers_of_attribute: Vec<String> =
                    list.trim_matches(['[', ']']).split(", ").map(str::to_owned).collect();
                values = match numbers_of_attribute.as_slice() {
                    [number] => numbers.split(',').map(|_| number.clone()).collect(),
                    _ => numbers_of_attribute,
                };
            }
            bindings.extend(numbers.split(',').map(|number| format!("s{number}")).zip(values));
        }
        self.set_text(pending, "linalg.memoized_indexing_maps", &body.maps_with(&bindings))
    }
}

// A body that is made.
struct NewBody<'a, 't> {
    parser: &'a mut AsmParser<'t>,
    pending: &'a Pending<'t>,
    arguments: Vec<ArenaValue>,
    block: ArenaBlock,
    // The position in the text, and the location.
    place: (usize, u32),
}

impl StructuredOperations for NewBody<'_, '_> {
    type BodyValue = ArenaValue;
    type Type = TypeId;
    type Error = Failure;

    fn argument(&self, number: usize) -> Option<ArenaValue> {
        self.arguments.get(number).copied()
    }

    fn type_of(&mut self, value: ArenaValue) -> TypeId {
        TypeId::new(self.parser.editor.arena.value(value).r#type().number())
    }

    fn type_text(&mut self, r#type: &TypeId) -> Parsed<String> {
        self.parser.whole_type(*r#type)
    }

    fn type_named(&mut self, text: &str) -> Parsed<TypeId> {
        self.parser.type_named(text)
    }

    fn case_of(&mut self, attribute: &str) -> Parsed<Option<String>> {
        let Some(value) = self.parser.found(self.pending, attribute) else { return Ok(None) };
        let text = self.parser.whole_attribute(AttrId::new(value))?;
        Ok(Some(case_in(&text).to_owned()))
    }

    fn operation(
        &mut self,
        name: &'static str,
        operands: &[ArenaValue],
        result: TypeId,
        attribute: BodyAttribute<'_, TypeId>,
    ) -> Parsed<ArenaValue> {
        let mut attributes = Vec::new();
        if let Some((name, literal, r#type)) = attribute {
            let r#type = self.parser.whole_type(r#type)?;
            let value = self.parser.text.fragment(false, &format!("{literal} : {type}"))?;
            attributes.push((self.parser.attribute_name(name.as_bytes()), value));
        }
        let op = self.parser.add_op(name, self.block, self.place, operands, &[result], attributes)?;
        let result = self.parser.results_of(op).next();
        result.ok_or_else(|| self.undefined(name))
    }

    fn terminator(&mut self, operands: &[ArenaValue]) -> Parsed<()> {
        self.parser.add_op("linalg.yield", self.block, self.place, operands, &[], Vec::new()).map(drop)
    }

    fn undefined(&mut self, function: &str) -> Failure {
        let message = format!("`{function}` is not defined for the types of the operands");
        self.parser.contents(self.pending, message)
    }

    fn unsupported(&mut self, why: &'static str) -> Failure {
        self.parser.unsupported(self.pending, why)
    }
}
