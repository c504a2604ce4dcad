//! Operations of the linalg dialect (`mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

use super::super::operands::Reference;

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "linalg.generic" => AsmParser::linalg_generic,
        "linalg.map" | "linalg.reduce" => AsmParser::linalg_with_payload,
        "linalg.transpose" | "linalg.broadcast" => AsmParser::linalg_reshape,
        name if name.starts_with("linalg.") => AsmParser::linalg_named,
        _ => return None,
    };
    Some(form)
}

/// The operands of a structured operation with their types.
pub(super) struct Structured<'t> {
    inputs: Vec<Reference<'t>>,
    pub(super) input_types: Vec<u32>,
    outputs: Vec<Reference<'t>>,
    pub(super) output_types: Vec<u32>,
}

impl<'t> AsmParser<'t> {
    /// `<{…}> {…} ins(%a : type) outs(%b : type)`
    fn structured_operands(&mut self, pending: &mut Pending<'t>) -> Parsed<Structured<'t>> {
        if self.eat(TokenKind::Less)? {
            self.expect(TokenKind::LeftBrace, "`{` and the properties")?;
            self.attributes(&mut pending.attributes)?;
            self.expect(TokenKind::Greater, "`>` after the properties")?;
        }
        self.optional_attributes(pending)?;
        let (mut inputs, mut input_types) = (Vec::new(), Vec::new());
        if self.eat_word("ins")? {
            (inputs, input_types) = self.typed_in_parentheses(pending)?;
        }
        let (mut outputs, mut output_types) = (Vec::new(), Vec::new());
        if self.eat_word("outs")? {
            (outputs, output_types) = self.typed_in_parentheses(pending)?;
        }
        Ok(Structured { inputs, input_types, outputs, output_types })
    }

    fn give_structured(&self, custom: &mut Custom<'t>, of: Structured<'t>) {
        custom.give_at(0, of.inputs, of.input_types);
        custom.give_at(1, of.outputs, of.output_types);
    }

    /// `{indexing_maps = …} ins(%a : type) outs(%b : type) attrs = {…} { … } -> type`
    fn linalg_generic(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            let results = self.optional_results()?;
            custom.result(results);
            return Ok(None);
        }
        let token = self.peek()?;
        let dictionary = self.text.parse_attribute()?;
        if !self.dictionary_entries(pending, dictionary) {
            return self.unexpected(token, "a dictionary of attributes");
        }
        // Before MLIR 16, iterator types were strings.
        self.iterator_types(pending, "linalg.iterator_type")?;
        let operands = self.structured_operands(pending)?;
        self.give_structured(custom, operands);
        if self.eat_word("attrs")? {
            self.expect(TokenKind::Equal, "`=` and attributes")?;
            self.optional_attributes(pending)?;
        }
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `ins(%a, %b : type, type) outs(%c : type) -> type`, with a body that the operation has by its name
    fn linalg_named(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let definition = custom.definition.clone();
        let name = definition.name().trim_start_matches("linalg.");
        let mut maps = None;
        let mut kind = None;
        if name == "elementwise" {
            self.expect_literal("kind")?;
            self.expect(TokenKind::Equal, "`=` and the kind")?;
            let value = self.named_attribute(pending, "kind")?;
            kind = Some(self.whole_attribute(value)?);
        }
        if custom.has_attribute("indexing_maps") && self.eat_word("indexing_maps")? {
            self.expect(TokenKind::Equal, "`=` and the maps")?;
            maps = Some(self.named_attribute(pending, "indexing_maps")?);
        }
        let operands = self.structured_operands(pending)?;
        self.optional_attributes(pending)?;
        let results = self.optional_results()?;
        custom.result(results);
        if custom.has_attribute("indexing_maps") && maps.is_none() {
            let rank = operands
                .output_types
                .first()
                .and_then(|&first| self.text.shape_of(first))
                .map_or(0, |shape| shape.len());
            let count = operands.input_types.len() + operands.output_types.len();
            let Some(maps) = default_maps(name, rank) else {
                return Err(self.contents(pending, "`indexing_maps` are needed"));
            };
            let mut items = Vec::new();
            for map in &maps {
                items.push(self.text.fragment(false, map)?);
            }
            if let ([map], "elementwise") = (&*items, name) {
                items = self.editor.tables.budget.filled(*map, count)?;
            }
            let value = self.text.array_value(&items)?;
            self.set_named(pending, "indexing_maps", value);
        }
        let region = self.structured_body(pending, name, kind.as_deref(), &operands)?;
        self.give_structured(custom, operands);
        custom.regions.push(0);
        pending.regions.push(region);
        Ok(None)
    }

    /// `ins(%a : type) outs(%b : type) permutation = [1, 0]`
    fn linalg_reshape(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let operands = self.structured_operands(pending)?;
        let name = if custom.has_attribute("permutation") { "permutation" } else { "dimensions" };
        self.results_of_outputs(custom, &operands);
        self.list_attribute(pending, name)?;
        self.optional_attributes(pending)?;
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let references = operands.inputs.iter().chain(&operands.outputs).copied();
        let types = operands.input_types.iter().chain(&operands.output_types).copied();
        let all: Vec<_> = references.zip(types).collect();
        let location = pending.location;
        let mut first = None;
        for (reference, r#type) in all {
            let element = self.text.element_of(r#type)?.unwrap_or(r#type);
            let own = self.location_of(reference)?;
            let value = self.push_value(element, block, true, own)?;
            self.editor.arena.block_mut(block).arguments.push(value);
            // An alias may be defined at the end of the text.
            self.located_like.extend(self.defined_value(reference).map(|known| (value, known)));
            first = first.or(Some(value));
        }
        let values: Vec<u32> = first.into_iter().collect();
        self.add_op("linalg.yield", block, (pending.position, location), &values, &[], Vec::new())?;
        self.give_structured(custom, operands);
        custom.regions.push(0);
        pending.regions.push(region);
        Ok(None)
    }

    fn results_of_outputs(&mut self, custom: &mut Custom<'t>, operands: &Structured<'t>) {
        let types = operands.output_types.iter().copied().filter(|&of| self.is_ranked_tensor(of)).collect();
        custom.result(types);
    }

    fn list_attribute(&mut self, pending: &mut Pending<'t>, name: &str) -> Parsed<()> {
        self.expect_literal(name)?;
        self.expect(TokenKind::Equal, "`=` and numbers")?;
        let numbers = self.numbers_in_brackets()?;
        let value = self.numbers_value("i64", &numbers)?;
        self.set_named(pending, name, value);
        Ok(())
    }

    /// `{ arith.addf } ins(…) outs(…)`, or `ins(…) outs(…) (%a: f32, %b: f32) { … }`
    fn linalg_with_payload(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        phase: u32,
    ) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        let is_reduce = custom.definition.name() == "linalg.reduce";
        let mut payload = None;
        if self.peek()?.kind == TokenKind::LeftBrace {
            let here = self.lexer().clone();
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
                *self.lexer() = here;
            }
        }
        let operands = self.structured_operands(pending)?;
        self.results_of_outputs(custom, &operands);
        if is_reduce {
            self.list_attribute(pending, "dimensions")?;
        }
        self.optional_attributes(pending)?;
        custom.regions.push(0);
        let Some((name, attributes)) = payload else {
            self.give_structured(custom, operands);
            let mut arguments = Vec::new();
            self.expect(TokenKind::LeftParen, "`(` and the arguments of the body")?;
            self.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
                let argument = this.typed_argument()?;
                arguments.push(argument);
                Ok(())
            })?;
            return self.open_region(arguments).map(Some);
        };
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let unknown = self.unknown_location()?;
        let maps_init = self.release.0 >= 22;
        let mut types: Vec<u32> = operands.input_types.clone();
        if is_reduce || maps_init {
            types.extend(&operands.output_types);
        }
        let mut values = Vec::new();
        for &r#type in &types {
            let element = self.text.element_of(r#type)?.unwrap_or(r#type);
            let value = self.push_value(element, block, true, unknown)?;
            self.editor.arena.block_mut(block).arguments.push(value);
            values.push(value);
        }
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
        let results: Vec<u32> = self.results_of(op).collect();
        self.add_op("linalg.yield", block, place, &results, &[], Vec::new())?;
        self.give_structured(custom, operands);
        pending.regions.push(region);
        Ok(None)
    }

    /// `loc(unknown)`.
    pub(super) fn unknown_location(&mut self) -> Parsed<u32> {
        self.text.fragment(false, "loc(unknown)")
    }
}

/// The maps of an operation whose text has none; an elementwise one has the same map for each operand.
fn default_maps(name: &str, rank: usize) -> Option<Vec<String>> {
    let map = |dims: usize, results: &str| {
        let dims: Vec<String> = (0..dims).map(|dim| format!("d{dim}")).collect();
        format!("affine_map<({}) -> ({results})>", dims.join(", "))
    };
    Some(match name {
        "matmul" => vec![map(3, "d0, d2"), map(3, "d2, d1"), map(3, "d0, d1")],
        "batch_matmul" => vec![map(4, "d0, d1, d3"), map(4, "d0, d3, d2"), map(4, "d0, d1, d2")],
        "batch_reduce_matmul" => vec![map(4, "d0, d1, d3"), map(4, "d0, d3, d2"), map(4, "d1, d2")],
        "elementwise" => {
            let all: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
            vec![map(rank, &all.join(", "))]
        }
        _ => return None,
    })
}
