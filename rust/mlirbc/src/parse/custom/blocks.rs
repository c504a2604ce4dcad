//! Building blocks of transcribed formats, by their names; `print::custom::blocks` prints each of them.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::AttributeText;

use super::super::frames::NONE;
use super::call::{Call, CustomDirective};
use super::parts::same_types;
use super::spirv::element_text;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AffineSubscript" => affine_subscript,
        "Assignments" => assignments,
        "AsyncOperands" => async_operands,
        "Body" => body,
        "BodyWithoutTerminator" | "FullRegion" | "YieldingRegion" => region,
        "Bounds" => bounds,
        "Case" => bare_case,
        "CompositeType" => composite_type,
        "DimensionsAndSymbols" => map_operands,
        "FixedType" => fixed_type,
        "Induction" => induction,
        "Items" => items,
        "MemoryAccess" => memory_access,
        "NumberAfterWord" => number_after_word,
        "OneType" => one_type,
        "Permutation" => permutation,
        "PointeeType" => pointee_type,
        "Pointer" => pointer,
        "PointerAndElements" => pointer_and_elements,
        "PrefetchHints" => prefetch_hints,
        "QuotedCase" => quoted_case,
        "RangeElement" => range_element,
        "RepeatCount" => repeat_count,
        "RepeatedType" => repeated_type,
        "ResultTypes" | "TypesInParentheses" => result_types,
        "SelectTypes" => select_types,
        "SuccessorWithOperands" => successor_with_operands,
        "SymbolName" => symbol_name,
        "TrailingItems" => trailing_items,
        "TypeAndElement" => type_and_element,
        "UnlessNone" => unless_none,
        "UnshownAttributes" => unshown_attributes,
        _ => return None,
    })
}

// ---- types ----

// One type or `(type, type)`, for each of the arguments.
fn result_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let types = call.parser.result_types()?;
    for place in 0..call.arguments.len() {
        call.set_types(place, types.clone());
    }
    Ok(())
}

// A type for all values of the arguments.
fn one_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    for place in 0..call.arguments.len() {
        let types = call.values(place).map_or_else(|| vec![r#type], |values| same_types(r#type, values));
        call.set_types(place, types);
    }
    Ok(())
}

// The text does not have the type.
fn fixed_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.type_named(call.code(1).unwrap_or_default())?;
    let types = call.values(0).map_or_else(|| vec![r#type], |values| same_types(r#type, values));
    call.set_types(0, types);
    Ok(())
}

// The number that tells how many times wider the result is.
fn repeat_count(call: &mut Call<'_, '_>) -> Parsed<()> {
    let count = call.parser.integer()?;
    call.custom.numbers.push(count);
    Ok(())
}

// `!smt.bv<8>`, and that many times as wide.
fn repeated_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    let text = call.parser.whole_type(r#type)?;
    let width = text.strip_prefix("!smt.bv<").and_then(|text| text.strip_suffix('>'));
    let width = width.and_then(|digits| digits.parse::<i64>().ok());
    let wide = width.zip(call.custom.numbers.pop()).and_then(|(width, count)| width.checked_mul(count));
    let Some(wide) = wide.filter(|wide| *wide > 0) else {
        return Err(call.parser.contents(call.pending, "the result is not a bit vector of a known width"));
    };
    let wide = call.parser.type_named(&format!("!smt.bv<{wide}>"))?;
    call.set_types(0, vec![r#type]);
    call.set_types(1, vec![wide]);
    Ok(())
}

// The type of a memref, and that of its elements.
fn type_and_element(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    let element = call.parser.text.element_of(r#type)?.unwrap_or(r#type);
    call.set_types(0, vec![r#type]);
    call.set_types(1, vec![element]);
    Ok(())
}

// `vector<2xi1>, vector<2xi32>`, or `i32`
fn select_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut condition, mut r#type) = (call.parser.type_named("i1")?, call.parser.parse_type()?);
    if call.parser.eat(TokenKind::Comma)? {
        condition = std::mem::replace(&mut r#type, call.parser.parse_type()?);
    }
    call.set_types(0, vec![condition]);
    call.set_types(1, vec![r#type]);
    Ok(())
}

// ---- regions and their arguments ----

// The region follows.
fn region(_: &mut Call<'_, '_>) -> Parsed<()> {
    Ok(())
}

// The region follows; its arguments have the types that are known now.
fn body(call: &mut Call<'_, '_>) -> Parsed<()> {
    if let Some(types) = call.known_types(1) {
        for (argument, r#type) in call.custom.entry.iter_mut().zip(types) {
            argument.r#type = r#type;
        }
    }
    Ok(())
}

// `(%i, %j)`
fn induction(call: &mut Call<'_, '_>) -> Parsed<()> {
    let index = call.parser.index()?;
    let arguments = call.parser.arguments_in_parentheses(index)?;
    call.custom.entry.extend(arguments);
    Ok(())
}

// `(%a, %b)`, one for each argument of the region.
fn bounds(call: &mut Call<'_, '_>) -> Parsed<()> {
    let values = call.parser.references_in_parentheses()?;
    if values.len() != call.custom.entry.len() {
        let message = "the numbers of bounds, steps and induction variables differ";
        return Err(call.parser.contents(call.pending, message));
    }
    call.add_values(0, values);
    Ok(())
}

// `(%x = %a)`, or nothing
fn assignments(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.peek()?.kind == TokenKind::LeftParen {
        let (arguments, values) = call.parser.assignments()?;
        call.custom.entry.extend(arguments);
        call.add_values(0, values);
    }
    Ok(())
}

// `%v as %x : !async.value<type>`, `%w as %y : …`
fn async_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut types) = (Vec::new(), Vec::new());
    // The parentheses may be empty.
    let mut goes_on = call.parser.peek()?.kind != TokenKind::RightParen;
    while goes_on {
        values.push(call.parser.reference()?);
        call.parser.expect_literal("as")?;
        let mut argument = call.parser.argument_of(NONE)?;
        let r#type = call.parser.colon_type()?;
        let text = call.parser.whole_type(r#type)?;
        argument.r#type = match text.strip_prefix("!async.value<").and_then(|text| text.strip_suffix('>')) {
            Some(inner) => call.parser.type_named(inner)?,
            None => {
                return Err(call.parser.contents(call.pending, "the type of a value is `!async.value<…>`"));
            }
        };
        types.push(r#type);
        call.custom.entry.push(argument);
        goes_on = call.parser.eat(TokenKind::Comma)?;
    }
    call.add_values(0, values);
    call.set_types(1, types);
    Ok(())
}

// `%x : !pdl.operation`
fn range_element(call: &mut Call<'_, '_>) -> Parsed<()> {
    let argument = call.parser.typed_argument()?;
    let text = call.parser.whole_type(argument.r#type)?;
    let range = call.parser.type_named(&format!("!pdl.range<{}>", text.trim_start_matches("!pdl.")))?;
    call.custom.entry.push(argument);
    call.set_types(1, vec![range]);
    Ok(())
}

// `^bb1(%a : f32)`
fn successor_with_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (block, values, types) = call.parser.successor_with_values(call.pending)?;
    call.add_successor(0, block);
    call.add_values(1, values);
    call.set_types(2, types);
    Ok(())
}

// ---- affine maps ----

// `(%i)[%n]`
fn map_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    let values = call.parser.dims_and_symbols()?;
    let index = call.parser.index()?;
    call.set_types(0, same_types(index, &values));
    call.add_values(0, values);
    Ok(())
}

// `[%i + 1]`
fn affine_subscript(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (map, values) = call.parser.map_of_values(TokenKind::LeftSquare, TokenKind::RightSquare)?;
    call.set_attribute(1, map);
    call.add_values(0, values);
    Ok(())
}

// `(i, j) -> (j, i)`, a map without `affine_map`
fn permutation(call: &mut Call<'_, '_>) -> Parsed<()> {
    let start = call.parser.peek()?.start;
    let (mut end, mut open) = (start, 2);
    while open > 0 {
        let token = call.parser.next()?;
        match token.kind {
            TokenKind::RightParen => (end, open) = (token.end, open - 1),
            TokenKind::End => {
                return call.parser.unexpected(token, "an affine map, as in `(i, j) -> (j, i)`");
            }
            _ => {}
        }
    }
    let text = call.parser.text.text().get(start..end).unwrap_or_default();
    let map = format!("affine_map<{}>", String::from_utf8_lossy(text));
    call.set_text(0, &map)
}

// ---- attributes ----

// The text of a case, as an attribute of its class or as its number.
fn set_case(call: &mut Call<'_, '_>, text: &str) -> Parsed<()> {
    let constraint = call.attribute(0).and_then(|one| one.constraint());
    match constraint.and_then(|constraint| constraint.class()).map(str::to_owned) {
        Some(class) => call.set_text(0, &format!("#{class}<{text}>")),
        None => {
            let message = "it has an enumeration that is not known";
            Err(call.parser.unsupported(call.pending, message))
        }
    }
}

fn quoted_case(call: &mut Call<'_, '_>) -> Parsed<()> {
    let definition = call.custom.definition.clone();
    let constraint =
        call.attribute_number(0).and_then(|number| definition.attributes().get(number)?.constraint());
    if let Some(AttributeText::Case(r#type, cases)) = constraint.map(|one| one.attribute_text()) {
        let value = call.parser.case(r#type, cases)?;
        call.set_attribute(0, value);
        return Ok(());
    }
    let text = call.parser.string("a string with the name of a case")?;
    set_case(call, &text)
}

fn bare_case(call: &mut Call<'_, '_>) -> Parsed<()> {
    let text = call.parser.keyword("the name of a case")?;
    set_case(call, &text)
}

// `word(case)`, or nothing for `None`
fn unless_none(call: &mut Call<'_, '_>) -> Parsed<()> {
    if !call.eat_code(1)? {
        return set_case(call, "None");
    }
    call.parser.expect(TokenKind::LeftParen, "`(` and the name of a case")?;
    bare_case(call)?;
    call.parser.expect(TokenKind::RightParen, "`)` after the case").map(drop)
}

// `@name`, which an optional one may be without.
fn symbol_name(call: &mut Call<'_, '_>) -> Parsed<()> {
    let is_optional = call.code(1).is_some();
    if is_optional && call.parser.peek()?.kind != TokenKind::Symbol {
        return Ok(());
    }
    call.parser.symbol_name(call.pending)
}

// `word(1)`, or nothing
fn number_after_word(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.eat_code(1)? {
        call.parser.expect(TokenKind::LeftParen, "`(` and a number")?;
        let value = call.parser.text.parse_attribute()?;
        call.set_attribute(0, value);
        call.parser.expect(TokenKind::RightParen, "`)` after the number")?;
    }
    Ok(())
}

// Symbols or numbers with commas between them.
fn items(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut found = vec![item(call)?];
    while call.parser.eat(TokenKind::Comma)? {
        found.push(item(call)?);
    }
    let value = call.parser.text.array_value(&found)?;
    call.set_attribute(0, value);
    Ok(())
}

// The same with a comma before each, or nothing.
fn trailing_items(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut found = Vec::new();
    while call.parser.eat(TokenKind::Comma)? {
        found.push(item(call)?);
    }
    let value = call.parser.text.array_value(&found)?;
    call.set_attribute(0, value);
    Ok(())
}

fn item(call: &mut Call<'_, '_>) -> Parsed<u32> {
    match call.parser.begins_integer()? {
        true => {
            let i32 = call.parser.type_named("i32")?;
            call.parser.number(i32)
        }
        false => call.parser.text.parse_attribute(),
    }
}

// `read, locality<3>, data`
fn prefetch_hints(call: &mut Call<'_, '_>) -> Parsed<()> {
    let access = call.parser.keyword("`read` or `write`")?;
    call.parser.comma()?;
    call.parser.expect_literal("locality")?;
    call.parser.expect(TokenKind::Less, "`<` and the locality")?;
    let i32 = call.parser.type_named("i32")?;
    let hint = call.parser.number(i32)?;
    call.parser.expect(TokenKind::Greater, "`>` after the locality")?;
    call.parser.comma()?;
    let cache = call.parser.keyword("`data` or `instr`")?;
    if !matches!(&*access, "read" | "write") || !matches!(&*cache, "data" | "instr") {
        let message = "the access is `read` or `write`, and the cache `data` or `instr`";
        return Err(call.parser.contents(call.pending, message));
    }
    call.set_text(0, if access == "write" { "true" } else { "false" })?;
    call.set_attribute(1, hint);
    call.set_text(2, if cache == "data" { "true" } else { "false" })
}

// Attributes that are not printed.
fn unshown_attributes(call: &mut Call<'_, '_>) -> Parsed<()> {
    call.parser.optional_attributes(call.pending)
}

// ---- pointers and composites of spirv ----

// `"Function" %p`; its type is known when the type of the value is.
fn pointer(call: &mut Call<'_, '_>) -> Parsed<()> {
    let class = call.parser.string("the storage class")?;
    let value = call.parser.reference()?;
    call.custom.words.push(class);
    call.add_values(0, vec![value]);
    Ok(())
}

// The type of the value, which the pointer points to.
fn pointee_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    let class = call.custom.words.pop().unwrap_or_default();
    let of = call.parser.spirv_pointer(r#type, &class)?;
    call.set_types(0, vec![r#type]);
    call.set_types(1, vec![of]);
    Ok(())
}

// The type of the pointer that is the first operand; the others and the result have that of its pointee.
fn pointer_and_elements(call: &mut Call<'_, '_>) -> Parsed<()> {
    let pointer = call.parser.parse_type()?;
    let (pointee, _) = call.parser.spirv_class(call.pending, pointer)?;
    let pointee = call.parser.type_named(&pointee)?;
    let operands = call.custom.all_operands.as_deref().unwrap_or_default();
    let mut types = same_types(pointee, operands);
    if let Some(first) = types.first_mut() {
        *first = pointer;
    }
    call.custom.all_operand_types = Some(types);
    call.custom.result(vec![pointee]);
    Ok(())
}

// `["Aligned", 4]`, or nothing
fn memory_access(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (access, alignment) = (call.attribute_name(0), call.attribute_name(1));
    call.parser.spirv_access(call.pending, &access, &alignment)
}

// The type of a composite, and that of its part.
fn composite_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    let name = call.attribute_name(1);
    let indices = call.parser.found(call.pending, &name);
    let mut text = call.parser.whole_type(r#type)?;
    for item in indices.and_then(|indices| call.parser.text.array_items(indices)).unwrap_or_default() {
        let index = call.parser.whole_attribute(item)?;
        let index = index.split(' ').next().and_then(|digits| digits.parse().ok());
        let Some(part) = index.and_then(|index| element_text(&text, index)) else {
            return Err(call.parser.contents(call.pending, format!("`{text}` has no such element")));
        };
        text = part;
    }
    let part = call.parser.type_named(&text)?;
    call.set_types(0, vec![r#type]);
    call.set_types(2, vec![part]);
    Ok(())
}
