//! Operations of the affine dialect (`mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::wire::error::ErrorKind;

use super::super::frames::{AsmParser, Pending, wrong};
use super::super::operands::Reference;
use super::parts::same_types;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "affine.for" => AsmParser::affine_for,
        "affine.parallel" => AsmParser::affine_parallel,
        "affine.dma_start" => AsmParser::affine_dma_start,
        "affine.dma_wait" => AsmParser::affine_dma_wait,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `(%i)[%n]`
    pub(super) fn dims_and_symbols(&mut self) -> Parsed<Vec<Reference<'t>>> {
        let mut values = self.references_in_parentheses()?;
        if self.eat(TokenKind::LeftSquare)? {
            values.extend(self.references()?);
            self.expect(TokenKind::RightSquare, "`,` or `]` after a symbol")?;
        }
        Ok(values)
    }

    /// `%i = 0 to %n step 2 iter_args(%x = %a) -> (f32) {`
    fn affine_for(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let index = self.index()?;
        let mut arguments = vec![self.argument_of(index)?];
        self.expect(TokenKind::Equal, "`=` after the induction variable")?;
        // Before MLIR 17, the operands were one group, and the attributes had other names.
        let is_old = !self.release.has_properties();
        let names = if is_old { ["lower_bound", "upper_bound"] } else { ["lowerBoundMap", "upperBoundMap"] };
        let lower = self.bound(pending, "max", names[0])?;
        self.expect_literal("to")?;
        let upper = self.bound(pending, "min", names[1])?;
        let step = match self.eat_word("step")? {
            true => self.number(index)?,
            false => self.text.fragment(false, "1 : index")?,
        };
        self.set_named(pending, "step", step);
        let carried = self.carried_values(pending, "iter_args")?;
        arguments.extend(carried.arguments);
        if is_old {
            let bounds = lower.iter().chain(&upper).map(|_| index);
            let all = bounds.chain(carried.types.iter().copied()).collect();
            custom.give_at(0, lower.into_iter().chain(upper).chain(carried.values).collect(), all);
        } else {
            for (place, values) in [lower, upper].into_iter().enumerate() {
                let types = same_types(index, &values);
                custom.give_at(place, values, types);
            }
            custom.give_at(2, carried.values, carried.types.clone());
        }
        custom.result(carried.types);
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    /// `%a[%i], %b[%j], %tag[%k], %n, %stride, %count : memref<…>, memref<…>, memref<…>`
    fn affine_dma_start(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for name in ["src_map", "dst_map", "tag_map"] {
            places.push(values.len());
            values.extend(self.mapped(pending, name)?);
            self.comma()?;
        }
        let first = values.len();
        values.extend(self.references()?);
        if !matches!(values.len() - first, 1 | 3) {
            return Err(self.contents(pending, "a number of elements is needed, and a stride or none"));
        }
        let memrefs = self.colon_types()?;
        if memrefs.len() != places.len() {
            return Err(self.contents(pending, "three types are needed"));
        }
        self.give_mapped(custom, values, &places, &memrefs)
    }

    /// `%tag[%k], %n : memref<…>`
    fn affine_dma_wait(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let mut values = self.mapped(pending, "tag_map")?;
        self.comma()?;
        values.push(self.reference()?);
        let memref = self.colon_type()?;
        self.give_mapped(custom, values, &[0], &[memref])
    }

    // `%m[%i + 1]`, with the map as an attribute of this name.
    fn mapped(&mut self, pending: &mut Pending<'t>, name: &str) -> Parsed<Vec<Reference<'t>>> {
        let mut values = vec![self.reference()?];
        let (map, operands) = self.map_of_values(TokenKind::LeftSquare, TokenKind::RightSquare)?;
        values.extend(operands);
        self.set_named(pending, name, map);
        Ok(values)
    }

    // Operands that are indices, apart from those at `places`.
    fn give_mapped(
        &mut self,
        custom: &mut Custom<'t>,
        values: Vec<Reference<'t>>,
        places: &[usize],
        memrefs: &[u32],
    ) -> Step<'t> {
        let mut types = same_types(self.index()?, &values);
        for (&place, &memref) in places.iter().zip(memrefs) {
            if let Some(slot) = types.get_mut(place) {
                *slot = memref;
            }
        }
        custom.give_at(0, values, types);
        Ok(None)
    }

    /// A number, a value, or a map of values, whose least or greatest result counts.
    fn bound(&mut self, pending: &mut Pending<'t>, word: &str, name: &str) -> Parsed<Vec<Reference<'t>>> {
        self.eat_word(word)?;
        let token = self.peek()?;
        let (map, values) = match token.kind {
            TokenKind::Value => {
                let value = self.reference()?;
                (self.text.fragment(false, "affine_map<()[s0] -> (s0)>")?, vec![value])
            }
            TokenKind::Integer | TokenKind::Minus => {
                let negative = self.eat(TokenKind::Minus)?;
                let token = self.expect(TokenKind::Integer, "a number")?;
                let digits = String::from_utf8_lossy(self.spelling(token)).into_owned();
                let sign = if negative { "-" } else { "" };
                (self.text.fragment(false, &format!("affine_map<() -> ({sign}{digits})>"))?, Vec::new())
            }
            _ => {
                let map = self.text.parse_attribute()?;
                (map, self.dims_and_symbols()?)
            }
        };
        self.set_named(pending, name, map);
        Ok(values)
    }

    /// Affine expressions of values in brackets, as a map and its operands.
    pub(super) fn map_of_values(
        &mut self,
        open: TokenKind,
        close: TokenKind,
    ) -> Parsed<(u32, Vec<Reference<'t>>)> {
        self.expect(open, "a bracket and affine expressions")?;
        let mut values = MapValues::default();
        let (text, _) = self.expressions(close, false, &mut values)?;
        let map = format!("affine_map<{} -> ({text})>", values.head());
        let map = self.text.fragment(false, &map)?;
        Ok((map, values.into_operands()))
    }

    // The text of expressions with values renamed, up to the closing bracket or, if it ends them, a comma, which is
    // consumed; and whether the bracket came.
    fn expressions(
        &mut self,
        close: TokenKind,
        ends_at_comma: bool,
        values: &mut MapValues<'t>,
    ) -> Parsed<(String, bool)> {
        // A value that occurs twice is one dimension.
        self.repeated.compares_names();
        let (mut text, mut depth) = (String::new(), 0_usize);
        loop {
            let token = self.peek()?;
            match token.kind {
                kind if kind == close && depth == 0 => {
                    self.lexer().seek(token.end);
                    return Ok((text, true));
                }
                TokenKind::Comma if ends_at_comma && depth == 0 => {
                    self.lexer().seek(token.end);
                    return Ok((text, false));
                }
                TokenKind::Value => {
                    let value = self.reference()?;
                    text.push_str(&values.name(value, false));
                    text.push(' ');
                    continue;
                }
                TokenKind::Identifier if self.spelling(token) == b"symbol" => {
                    self.lexer().seek(token.end);
                    self.expect(TokenKind::LeftParen, "`(` and a symbol")?;
                    let value = self.reference()?;
                    self.expect(TokenKind::RightParen, "`)` after the symbol")?;
                    text.push_str(&values.name(value, true));
                    text.push(' ');
                    continue;
                }
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return self.unexpected(token, "an affine expression"),
                },
                TokenKind::Identifier
                    if matches!(self.spelling(token), b"mod" | b"floordiv" | b"ceildiv") => {}
                TokenKind::Integer
                | TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Star
                | TokenKind::Comma => {}
                _ => return self.unexpected(token, "an affine expression"),
            }
            self.lexer().seek(token.end);
            text.push_str(&String::from_utf8_lossy(self.spelling(token)));
            if token.kind != TokenKind::Minus {
                text.push(' ');
            }
        }
    }

    /// `(%i) = (0) to (max(%a, %b)) step (2) reduce ("addf") -> f32 {`
    fn affine_parallel(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        phase: u32,
    ) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let index = self.index()?;
        let arguments = self.arguments_in_parentheses(index)?;
        self.expect(TokenKind::Equal, "`=` and the lower bounds")?;
        let mut operands = self.parallel_bound(pending, "max", "lowerBoundsMap", "lowerBoundsGroups")?;
        self.expect_literal("to")?;
        operands.extend(self.parallel_bound(pending, "min", "upperBoundsMap", "upperBoundsGroups")?);
        let mut steps: Vec<i64> = arguments.iter().map(|_| 1).collect();
        if self.eat_word("step")? {
            steps.clear();
            self.expect(TokenKind::LeftParen, "`(` and the steps")?;
            self.list(TokenKind::RightParen, "`,` or `)` after a step", |this| {
                steps.push(this.integer()?);
                Ok(())
            })?;
        }
        let steps: Vec<String> = steps.iter().map(|step| format!("{step} : i64")).collect();
        self.set_text(pending, "steps", &format!("[{}]", steps.join(", ")))?;
        let mut reductions = Vec::new();
        if self.eat_word("reduce")? {
            self.expect(TokenKind::LeftParen, "`(` and the reductions")?;
            self.list(TokenKind::RightParen, "`,` or `)` after a reduction", |this| {
                let token = this.peek()?;
                let name = this.string("the name of a reduction, as in `\"addf\"`")?;
                if !this.has_certain_numbers("memref.atomic_rmw") {
                    let message = "the releases around the build number reductions in different ways; write the generic form";
                    return Err(wrong(ErrorKind::AsmForm, token.start, message));
                }
                let Some(number) = this.atomic_kind(&name) else {
                    return this.unexpected(token, "the name of a reduction, as in `\"addf\"`");
                };
                reductions.push(format!("{number} : i64"));
                Ok(())
            })?;
        }
        self.set_text(pending, "reductions", &format!("[{}]", reductions.join(", ")))?;
        let results = self.optional_results()?;
        let types = same_types(index, &operands);
        custom.give_at(0, operands, types);
        custom.result(results);
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    // The number of a kind of `arith::AtomicRMWKind`, which differs between releases.
    fn atomic_kind(&self, name: &str) -> Option<i64> {
        let definition = self.definitions.as_ref()?.get("memref.atomic_rmw")?;
        let cases = definition.attribute("kind")?.constraint()?.enumeration()?;
        cases.cases().find(|(_, text)| *text == name).map(|(value, _)| value)
    }

    fn parallel_bound(
        &mut self,
        pending: &mut Pending<'t>,
        word: &str,
        map_name: &str,
        groups_name: &str,
    ) -> Parsed<Vec<Reference<'t>>> {
        self.expect(TokenKind::LeftParen, "`(` and bounds")?;
        let mut values = MapValues::default();
        let (mut text, mut groups) = (String::new(), Vec::new());
        let mut is_done = self.eat(TokenKind::RightParen)?;
        while !is_done {
            if !text.is_empty() {
                text.push_str(", ");
            }
            if self.eat_word(word)? {
                self.expect(TokenKind::LeftParen, "`(` and affine expressions")?;
                let (part, _) = self.expressions(TokenKind::RightParen, false, &mut values)?;
                groups.push(1 + commas(&part));
                text.push_str(&part);
                is_done = !self.goes_on(TokenKind::RightParen, "`,` or `)` after a bound")?;
            } else {
                let (part, is_end) = self.expressions(TokenKind::RightParen, true, &mut values)?;
                groups.push(1);
                text.push_str(&part);
                is_done = is_end;
            }
        }
        self.set_text(pending, map_name, &format!("affine_map<{} -> ({text})>", values.head()))?;
        let count = groups.len();
        let groups: Vec<String> = groups.iter().map(usize::to_string).collect();
        self.set_text(
            pending,
            groups_name,
            &match count {
                0 => "dense<> : tensor<0xi32>".to_owned(),
                _ => format!("dense<[{}]> : tensor<{count}xi32>", groups.join(", ")),
            },
        )?;
        Ok(values.into_operands())
    }
}

// Commas outside of parentheses: no function of affine expressions has several arguments.
fn commas(text: &str) -> usize {
    text.matches(',').count()
}

/// The values of affine expressions, each once.
#[derive(Default)]
struct MapValues<'t> {
    known: Vec<(&'t [u8], u32, String)>,
    dims: Vec<Reference<'t>>,
    symbols: Vec<Reference<'t>>,
}

impl<'t> MapValues<'t> {
    fn name(&mut self, value: Reference<'t>, is_symbol: bool) -> String {
        let known =
            self.known.iter().find(|(name, number, _)| *name == value.name && *number == value.number);
        if let Some((_, _, text)) = known {
            return text.clone();
        }
        let (list, letter) = match is_symbol {
            true => (&mut self.symbols, 's'),
            false => (&mut self.dims, 'd'),
        };
        let text = format!("{letter}{}", list.len());
        list.push(value);
        self.known.push((value.name, value.number, text.clone()));
        text
    }

    fn head(&self) -> String {
        let list = |letter, count| {
            (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(", ")
        };
        match self.symbols.len() {
            0 => format!("({})", list("d", self.dims.len())),
            count => format!("({})[{}]", list("d", self.dims.len()), list("s", count)),
        }
    }

    fn into_operands(self) -> Vec<Reference<'t>> {
        self.dims.into_iter().chain(self.symbols).collect()
    }
}
