//! Operations of the transform dialect (`mlir/lib/Dialect/Linalg/TransformOps/LinalgTransformOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::directives::Variable;
use super::parts::same_types;
use super::{Custom, HandWritten, Parsing};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "transform.named_sequence" => AsmParser::function,
        "transform.structured.fuse" => AsmParser::transform_fuse,
        "transform.structured.split" => AsmParser::transform_split,
        "transform.structured.tile" => AsmParser::transform_tile,
        "transform.structured.tile_to_scf_for" => AsmParser::transform_tile_to_loops,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%a after 4 {dimension = 0 : i64} : !transform.any_op`
    fn transform_split(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let target = self.reference()?;
        self.expect_literal("after")?;
        let point = self.optional_reference()?;
        let number = match point {
            Some(_) => i64::MIN,
            None => self.integer()?,
        };
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let mut types = Vec::new();
        if point.is_some() {
            self.comma()?;
            types.push(self.parse_type()?);
        }
        let name = if custom.has_attribute("static_chunk_sizes") {
            "static_chunk_sizes"
        } else {
            "static_split_point"
        };
        self.set_text(pending, name, &format!("{number} : i64"))?;
        custom.give_at(0, vec![target], vec![r#type]);
        custom.give_at(1, point.into_iter().collect(), types);
        let results = custom.definition.results().len();
        for place in 0..results {
            if let Some(slot) = custom.result_types.get_mut(place) {
                *slot = Some(vec![r#type]);
            }
        }
        Ok(None)
    }

    pub(super) fn transform_directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        match name {
            "ApplyRegisteredPassOptions" => self.pass_options(pending, custom, variables),
            "AlternativesOpSelectedRegion" => {
                match self.optional_reference()? {
                    Some(value) => self.add_values(custom, at(1), vec![value]),
                    None => {
                        let number = self.integer()?;
                        let value = self.text.fragment(false, &format!("{number} : i64"))?;
                        self.add_attribute(pending, custom, at(0), value);
                    }
                }
                Ok(())
            }
            // `%root, %a : (type, type)`, or nothing
            "SequenceOpOperands" => {
                let Some(root) = self.optional_reference()? else { return Ok(()) };
                let mut extra = Vec::new();
                if self.eat(TokenKind::Comma)? {
                    extra = self.references()?;
                }
                self.expect(TokenKind::Colon, "`:` and types")?;
                self.eat(TokenKind::LeftParen)?;
                let first = self.parse_type()?;
                let mut types = Vec::new();
                if !extra.is_empty() {
                    self.comma()?;
                    types = self.type_list()?;
                }
                self.same_count(pending, extra.len(), types.len())?;
                self.eat(TokenKind::RightParen)?;
                self.add_values(custom, at(0), vec![root]);
                self.add_types(custom, at(1), vec![first]);
                self.add_values(custom, at(2), extra);
                self.add_types(custom, at(3), types);
                Ok(())
            }
            _ => Err(self.unsupported(pending, "its format has a directive that is not known")),
        }
    }

    // `{"name" = value, list = [value, %parameter]}`: an operand is an attribute with its number.
    fn pass_options(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        let (mut options, mut operands) = (Vec::new(), Vec::new());
        self.expect(TokenKind::LeftBrace, "`{` and the options")?;
        self.list(TokenKind::RightBrace, "`,` or `}` after an option", |this| {
            let name = match this.peek()?.kind {
                TokenKind::String => this.string("the name of an option")?,
                _ => this.keyword("the name of an option")?,
            };
            this.expect(TokenKind::Equal, "`=` and the value")?;
            let value = if this.peek()?.kind == TokenKind::LeftSquare {
                // Lists in lists are read one after the other, without recursion.
                let mut open: Vec<Vec<u32>> = Vec::new();
                loop {
                    if this.eat(TokenKind::LeftSquare)? {
                        open.push(Vec::new());
                        continue;
                    }
                    let mut value = this.pass_option(&mut operands)?;
                    let done = loop {
                        let Some(items) = open.last_mut() else { break Some(value) };
                        items.push(value);
                        if this.goes_on(TokenKind::RightSquare, "`,` or `]` after a value")? {
                            break None;
                        }
                        let items = open.pop().unwrap_or_default();
                        value = this.text.array_value(&items)?;
                    };
                    if let Some(value) = done {
                        break value;
                    }
                }
            } else {
                this.pass_option(&mut operands)?
            };
            options.push((name.into_bytes(), value));
            Ok(())
        })?;
        let value = self.text.dictionary_value(options)?;
        self.add_attribute(pending, custom, at(0), value);
        self.add_values(custom, at(1), operands);
        Ok(())
    }

    fn pass_option(&mut self, operands: &mut Vec<Reference<'t>>) -> Parsed<u32> {
        match self.optional_reference()? {
            Some(operand) => {
                let number = operands.len();
                operands.push(operand);
                self.text.fragment(false, &format!("#transform.param_operand<index = {number} : i64>"))
            }
            None => self.text.parse_attribute(),
        }
    }

    // ---- operations of MLIR 16 ----

    // `[%a, 4] {interchange = [0, 1]}`; the number of loops, which are the sizes that are not zero.
    fn tile_sizes(&mut self, pending: &mut Pending<'t>) -> Parsed<(Vec<Reference<'t>>, usize)> {
        let (mut values, mut sizes) = (Vec::new(), Vec::new());
        self.expect(TokenKind::LeftSquare, "`[` and the sizes")?;
        self.list(TokenKind::RightSquare, "`,` or `]` after a size", |this| {
            match this.optional_reference()? {
                Some(value) => {
                    values.push(value);
                    sizes.push(i64::MIN);
                }
                None => sizes.push(this.integer()?),
            }
            Ok(())
        })?;
        if self.eat(TokenKind::LeftBrace)? {
            self.expect_literal("interchange")?;
            self.expect(TokenKind::Equal, "`=` and numbers")?;
            let numbers = self.numbers_in_brackets()?;
            let value = self.numbers_value("i64", &numbers)?;
            self.set_named(pending, "interchange", value);
            self.expect(TokenKind::RightBrace, "`}` after the numbers")?;
        }
        let loops = sizes.iter().filter(|&&size| size != 0).count();
        let value = self.numbers_value("i64", &sizes)?;
        self.set_named(pending, "static_sizes", value);
        Ok((values, loops))
    }

    /// `%a[4, %b] : (type, type) -> (type, type)`
    fn transform_tile(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let target = self.reference()?;
        let (values, loops) = self.tile_sizes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
        let (operands, results) = self.function_type()?;
        self.same_count(pending, values.len() + 1, operands.len())?;
        if results.len() != loops + 1 {
            return Err(self.contents(pending, format!("expected `{}` types of results", loops + 1)));
        }
        let mut all = vec![target];
        all.extend(values);
        custom.all_operands = Some(all);
        custom.all_operand_types = Some(operands);
        custom.all_result_types = Some(results);
        Ok(None)
    }

    /// `%a[4, %b]`
    fn transform_tile_to_loops(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Parsing<'t> {
        let target = self.reference()?;
        let (values, loops) = self.tile_sizes(pending)?;
        let r#type = self.type_named("!pdl.operation")?;
        let mut all = vec![target];
        all.extend(values);
        custom.all_operand_types = Some(same_types(r#type, &all));
        custom.all_operands = Some(all);
        custom.all_result_types = Some(self.list_of(r#type, loops + 1)?);
        Ok(None)
    }

    /// `%a {tile_sizes = [4, 0], tile_interchange = [0, 1]}`
    fn transform_fuse(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let target = self.reference()?;
        self.optional_attributes(pending)?;
        let sizes = self.found(pending, "tile_sizes").and_then(|sizes| self.text.array_items(sizes));
        let Some(sizes) = sizes else {
            return Err(self.contents(pending, "attribute `tile_sizes` is missing, or not an array"));
        };
        let mut loops = 0;
        for size in sizes {
            loops += usize::from(!self.whole_attribute(size)?.starts_with("0 "));
        }
        let r#type = self.type_named("!pdl.operation")?;
        custom.all_operands = Some(vec![target]);
        custom.all_operand_types = Some(vec![r#type]);
        custom.all_result_types = Some(self.list_of(r#type, loops + 1)?);
        Ok(None)
    }
}
