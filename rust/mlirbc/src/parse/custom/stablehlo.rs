//! Directives and operations of `stablehlo` and `chlo` that C++ parses (`stablehlo/dialect/AssemblyFormat.cpp` and
//! `StablehloOps.cpp` of the StableHLO project); `print::custom::stablehlo` prints them.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::{Directive, FormatElement, VariableKind, WINDOW_WORDS, is_reducer};

use super::super::frames::{AsmParser, NONE, Pending};
use super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ComplexOpType" => complex_type,
        "ConvolutionDimensions" => convolution_dimensions,
        "DotDimensionNumbers" => dot_dimensions,
        "ExponentMantissa" => exponent_and_mantissa,
        "PrecisionConfig" | "PrecisionConfigAndAlgorithm" => precision,
        "SameOperandsAndResultType" | "VariadicSameOperandsAndResultType" => same_type,
        "SelectOpType" => select_type,
        "VariadicOperandWithAttribute" => operands_and_comma,
        "WindowAttributes" => window,
        // Of `sdy`.
        "SingleBlockRegionNoBlockId" => region_with_arguments,
        "StrippedTensorShardingPerValueAttr" => shardings,
        _ => return None,
    })
}

// ---- types ----

// The arguments that are types: their places, how many types each has, and whether it is of a result.
fn types_of(call: &Call<'_, '_>) -> Vec<(usize, usize, bool)> {
    let is_type = |place: &usize| {
        matches!(call.arguments.get(*place), Some(FormatElement::Directive(Directive::Type, _)))
    };
    let places = (0..call.arguments.len()).filter(is_type);
    places
        .filter_map(|place| {
            let of = call.at(place)?;
            let is_result = of.kind == VariableKind::Result;
            let is_variadic = call
                .custom
                .definition
                .operands()
                .get(of.number)
                .is_some_and(|operand| !super::parts::is_one(operand.multiplicity()));
            let count = match is_variadic && !is_result {
                true => call.values(place).map_or(0, <[_]>::len),
                false => 1,
            };
            Some((place, count, is_result))
        })
        .collect()
}

// `(type, type) -> type`, for all types.
fn set_all_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (operands, results) = call.parser.function_type()?;
    let (mut operands, mut results) = (operands.into_iter(), results.into_iter());
    for (place, count, is_result) in types_of(call) {
        let list = if is_result { &mut results } else { &mut operands };
        let types: Vec<u32> = list.take(count).collect();
        if types.len() != count {
            return Err(call.parser.contents(call.pending, "its type has fewer types than it has values"));
        }
        call.set_types(place, types);
    }
    if operands.next().is_some() || results.next().is_some() {
        return Err(call.parser.contents(call.pending, "its type has more types than it has values"));
    }
    Ok(())
}

fn is_function_type(call: &mut Call<'_, '_>) -> Parsed<bool> {
    Ok(call.parser.peek()?.kind == TokenKind::LeftParen)
}

// One type for all, or a function type.
fn same_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    if is_function_type(call)? {
        return set_all_types(call);
    }
    let r#type = call.parser.parse_type()?;
    for (place, count, _) in types_of(call) {
        let types = call.parser.list_of(r#type, count)?;
        call.set_types(place, types);
    }
    Ok(())
}

// The type of the result; the operands have that of its real part.
fn complex_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    if is_function_type(call)? {
        return set_all_types(call);
    }
    let r#type = call.parser.parse_type()?;
    let text = call.parser.whole_type(r#type)?;
    let real = text.split_once("complex<").and_then(|(before, rest)| {
        let (part, after) = rest.split_once('>')?;
        Some(format!("{before}{part}{after}"))
    });
    let Some(real) = real else {
        return Err(call.parser.contents(call.pending, "the elements of the result are not complex"));
    };
    let real = call.parser.type_named(&real)?;
    call.set_types(0, vec![real]);
    call.set_types(1, vec![real]);
    call.set_types(2, vec![r#type]);
    Ok(())
}

fn select_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    if is_function_type(call)? {
        return set_all_types(call);
    }
    let predicate = call.parser.parse_type()?;
    call.parser.comma()?;
    let r#type = call.parser.parse_type()?;
    call.set_types(0, vec![predicate]);
    for place in 1..4 {
        call.set_types(place, vec![r#type]);
    }
    Ok(())
}

// ---- attributes ----

// Values with a comma after each of them.
fn operands_and_comma(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut values = Vec::new();
    while let Some(value) = call.parser.optional_reference()? {
        values.push(value);
        call.parser.comma()?;
    }
    call.add_values(0, values);
    Ok(())
}

// `e5m10`
fn exponent_and_mantissa(call: &mut Call<'_, '_>) -> Parsed<()> {
    let token = call.parser.next()?;
    let word = std::str::from_utf8(call.parser.spelling(token)).unwrap_or_default();
    let parts = word.strip_prefix('e').and_then(|rest| rest.split_once('m'));
    let numbers = parts.and_then(|(exponent, mantissa)| Some((number(exponent)?, number(mantissa)?)));
    let Some((exponent, mantissa)) = numbers else {
        return call.parser.unexpected(token, "the bits of the exponent and of the mantissa, as in `e5m10`");
    };
    call.set_text(0, &format!("{exponent} : i32"))?;
    call.set_text(1, &format!("{mantissa} : i32"))
}

fn number(digits: &str) -> Option<i32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
fn convolution_dimensions(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut text = call.parser.text_in_brackets()?;
    call.parser.expect_literal("x")?;
    text.push('x');
    text.push_str(&call.parser.text_in_brackets()?);
    call.parser.expect(TokenKind::Arrow, "`->` and the dimensions of the result")?;
    text.push_str("->");
    text.push_str(&call.parser.text_in_brackets()?);
    call.set_text(0, &format!("#stablehlo.conv<{text}>"))
}

// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
fn dot_dimensions(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut fields = Vec::new();
    if call.parser.eat_word("batching_dims")? {
        pair_of_lists(call, "batching", &mut fields)?;
        call.parser.comma()?;
    }
    call.parser.expect_literal("contracting_dims")?;
    pair_of_lists(call, "contracting", &mut fields)?;
    call.set_text(0, &format!("#stablehlo.dot<{}>", fields.join(", ")))
}

fn pair_of_lists(call: &mut Call<'_, '_>, kind: &str, fields: &mut Vec<String>) -> Parsed<()> {
    call.parser.expect(TokenKind::Equal, "`=` and dimensions")?;
    let left = call.parser.numbers_in_brackets()?;
    call.parser.expect_literal("x")?;
    let right = call.parser.numbers_in_brackets()?;
    for (side, numbers) in [("lhs", left), ("rhs", right)] {
        if !numbers.is_empty() {
            fields.push(format!("{side}_{kind}_dimensions = [{}]", joined(&numbers)));
        }
    }
    Ok(())
}

fn joined(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

// `, precision = [DEFAULT, DEFAULT], algorithm = <…>`, each of which may be absent
fn precision(call: &mut Call<'_, '_>) -> Parsed<()> {
    if !call.parser.eat(TokenKind::Comma)? {
        return Ok(());
    }
    let has_algorithm = call.arguments.len() > 1;
    if !(has_algorithm && call.parser.eat_word("algorithm")?) {
        call.parser.expect_literal("precision")?;
        call.parser.expect(TokenKind::Equal, "`=` and precisions")?;
        call.parser.expect(TokenKind::LeftSquare, "`[` and precisions")?;
        let mut precisions = Vec::new();
        call.parser.list(TokenKind::RightSquare, "`,` or `]` after a precision", |parser| {
            let precision = parser.keyword("a precision, as in `DEFAULT`")?;
            precisions.push(format!("#stablehlo<precision {precision}>"));
            Ok(())
        })?;
        call.set_text(0, &format!("[{}]", precisions.join(", ")))?;
        if !has_algorithm || !call.parser.eat(TokenKind::Comma)? {
            return Ok(());
        }
        call.parser.expect_literal("algorithm")?;
    }
    call.parser.expect(TokenKind::Equal, "`=` and an algorithm")?;
    let text = call.parser.text_in_brackets()?;
    call.set_text(1, &format!("#stablehlo.dot_algorithm{text}"))
}

// `stride = [2, 1], pad = [[0, 1], [2, 3]], reverse = [true, false]`, in any order
fn window(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut seen = [false; WINDOW_WORDS.len()];
    loop {
        let token = call.parser.peek()?;
        if token.kind != TokenKind::Identifier {
            return Ok(());
        }
        let word = call.parser.spelling(token);
        let place = WINDOW_WORDS.iter().position(|name| name.as_bytes() == word);
        let Some(place) = place.filter(|&place| !std::mem::replace(&mut seen[place], true)) else {
            return call
                .parser
                .unexpected(token, "`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`, each once");
        };
        call.parser.next()?;
        call.parser.expect(TokenKind::Equal, "`=` and numbers")?;
        match WINDOW_WORDS[place] {
            "pad" => {
                let mut pairs = Vec::new();
                call.parser.expect(TokenKind::LeftSquare, "`[` and pairs of numbers")?;
                call.parser.list(TokenKind::RightSquare, "`,` or `]` after a pair", |parser| {
                    let token = parser.peek()?;
                    match parser.numbers_in_brackets()?[..] {
                        [low, high] => pairs.push(format!("[{low}, {high}]")),
                        _ => return parser.unexpected(token, "two numbers"),
                    }
                    Ok(())
                })?;
                let text = match pairs.len() {
                    0 => "dense<> : tensor<0x2xi64>".to_owned(),
                    count => format!("dense<[{}]> : tensor<{count}x2xi64>", pairs.join(", ")),
                };
                call.set_text(place, &text)?;
            }
            "reverse" => {
                let mut flags = Vec::new();
                call.parser.expect(TokenKind::LeftSquare, "`[` and `true` or `false`")?;
                call.parser.list(TokenKind::RightSquare, "`,` or `]` after a value", |parser| {
                    let flag = if parser.eat_word("true")? {
                        true
                    } else {
                        !parser.eat_word("false")? && parser.integer()? != 0
                    };
                    flags.push(flag.to_string());
                    Ok(())
                })?;
                let separator = if flags.is_empty() { "" } else { ": " };
                call.set_text(place, &format!("array<i1{separator}{}>", flags.join(", ")))?;
            }
            _ => {
                let numbers = call.parser.numbers_in_brackets()?;
                let value = call.parser.numbers_value("i64", &numbers)?;
                call.set_attribute(place, value);
            }
        }
        if !call.parser.eat(TokenKind::Comma)? {
            return Ok(());
        }
    }
}

// ---- sdy ----

// `(%a: type, %b: type)`, and the region
fn region_with_arguments(call: &mut Call<'_, '_>) -> Parsed<()> {
    call.parser.expect(TokenKind::LeftParen, "`(` and the arguments of the body")?;
    let mut arguments = Vec::new();
    call.parser.list(TokenKind::RightParen, "`,` or `)` after an argument", |parser| {
        arguments.push(parser.typed_argument()?);
        Ok(())
    })?;
    call.custom.entry.extend(arguments);
    Ok(())
}

// `[<@mesh, [{}]>, …]`
fn shardings(call: &mut Call<'_, '_>) -> Parsed<()> {
    let text = call.parser.text_in_brackets()?;
    call.set_text(0, &format!("#sdy.sharding_per_value<{text}>"))
}

// ---- bodies that a name stands for ----

impl<'t> AsmParser<'t> {
    /// `applies name`, or nothing.
    pub(super) fn reducer(&mut self) -> Parsed<Option<String>> {
        if !self.eat_word("applies")? {
            return Ok(None);
        }
        let token = self.next()?;
        let name = self.custom_name(token)?.name.to_string();
        let definition = self.definitions.as_ref().and_then(|known| known.get(&name));
        match definition.is_some_and(|definition| is_reducer(&definition)) {
            true => Ok(Some(name)),
            false => self.unexpected(token, "a commutative operation of StableHLO with two operands"),
        }
    }

    /// A region with that operation, for values of a type.
    pub(super) fn reducer_body(
        &mut self,
        pending: &Pending<'t>,
        name: &str,
        r#type: Option<u32>,
    ) -> Parsed<u32> {
        let element = match r#type {
            Some(r#type) => self.text.element_of(r#type)?.unwrap_or(r#type),
            None => NONE,
        };
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let element = self.whole_type(element)?;
        let r#type = self.type_named(&format!("tensor<{element}>"))?;
        let location = self.own_location_ahead(pending.location)?;
        let mut values = Vec::new();
        for _ in 0..2 {
            let value = self.push_value(r#type, block, true, location)?;
            self.editor.arena.block_mut(block).arguments.push(value);
            values.push(value);
        }
        let place = (pending.position, location);
        let op = self.add_op(name, block, place, &values, &[r#type], Vec::new())?;
        let results: Vec<u32> = self.results_of(op).collect();
        self.add_op("stablehlo.return", block, place, &results, &[], Vec::new())?;
        Ok(region)
    }

    // The location that follows, which the caller parses for the operation; the given one if none does.
    fn own_location_ahead(&mut self, otherwise: u32) -> Parsed<u32> {
        let here = self.lexer().clone();
        if !self.eat_word("loc")? {
            return Ok(otherwise);
        }
        let mut later = None;
        let found = self.location_in_parentheses(|_, name, position| later = Some((name, position)))?;
        let found = match (found, later) {
            (Some(found), _) => found,
            (None, Some((name, position))) => self.later_location(name, position),
            (None, None) => otherwise,
        };
        *self.lexer() = here;
        Ok(found)
    }
}
