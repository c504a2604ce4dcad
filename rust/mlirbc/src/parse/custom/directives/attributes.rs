//! Attributes in other forms than their own.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::super::frames::AsmParser;
use super::super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AllReduceOperation" => all_reduce_operation,
        "CachePolicy" => cache_policy,
        "NamedFlag" => named_flag,
        "ClauseAttr" => clause_attr,
        "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => global_of_emitc,
        "ForeachMatchSymbols" => foreach_match_symbols,
        "GlobalMemrefOpTypeAndInitialValue" => global_of_memref,
        "ImageOperands" => image_operands,
        "LLVMOpAttrs" => llvm_op_attrs,
        "OffloadingHandler" => offloading_handler,
        "OverflowFlags" => overflow_flags,
        "SymbolVisibility" => symbol_visibility,
        "SynchronizationHint" => synchronization_hint,
        "TBAAMembers" => alias_members,
        "TypedInitialValue" => typed_initial_value,
        _ => return None,
    })
}

fn llvm_op_attrs(call: &mut Call<'_, '_>) -> Parsed<()> {
    call.parser.optional_attributes(call.pending)
}

fn symbol_visibility(call: &mut Call<'_, '_>) -> Parsed<()> {
    // Those of IREE may be without.
    if !call.custom.definition.name().starts_with("ml_program.") {
        return call.parser.optional_visibility(call.pending);
    }
    let word = call.parser.keyword("`public`, `private` or `nested`")?;
    if !matches!(&*word, "public" | "private" | "nested") {
        return Err(call.parser.contents(call.pending, "the visibility is `public`, `private` or `nested`"));
    }
    let value = call.parser.text.string_value(word.as_bytes())?;
    call.set_attribute(0, value);
    Ok(())
}

// `<@member, 0>, <@other, 4>`
fn alias_members(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut members, mut offsets) = (Vec::new(), Vec::new());
    loop {
        call.parser.expect(TokenKind::Less, "`<` and a member")?;
        members.push(call.parser.text.parse_attribute()?);
        call.parser.comma()?;
        offsets.push(call.parser.integer()?);
        call.parser.expect(TokenKind::Greater, "`>` after the offset")?;
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    let members = call.parser.text.array_value(&members)?;
    let offsets = call.parser.numbers_value("i64", &offsets)?;
    call.set_attribute(0, members);
    call.set_attribute(1, offsets);
    Ok(())
}

fn typed_initial_value(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.eat(TokenKind::LeftParen)? {
        let value = call.parser.text.parse_attribute()?;
        call.set_attribute(1, value);
        call.parser.expect(TokenKind::RightParen, "`)` after the value")?;
    }
    let r#type = call.parser.colon_type()?;
    let r#type = call.parser.text.type_value(r#type)?;
    call.set_attribute(0, r#type);
    Ok(())
}

fn global_of_memref(call: &mut Call<'_, '_>) -> Parsed<()> {
    typed_global(call, true)
}

fn global_of_emitc(call: &mut Call<'_, '_>) -> Parsed<()> {
    typed_global(call, false)
}

fn clause_attr(call: &mut Call<'_, '_>) -> Parsed<()> {
    call.parser.class_case(call.pending, call.custom, call.at(0).as_ref())
}

fn all_reduce_operation(call: &mut Call<'_, '_>) -> Parsed<()> {
    let token = call.parser.peek()?;
    if token.kind == TokenKind::Identifier && call.parser.spelling(token) != b"uniform" {
        clause_attr(call)?;
    }
    Ok(())
}

// `name(true)`, or nothing.
fn named_flag(call: &mut Call<'_, '_>) -> Parsed<()> {
    let definition = call.custom.definition.clone();
    let name = call.at(0).and_then(|of| definition.attributes().get(of.number)).map(|one| one.name());
    match name {
        Some(name) if call.parser.eat_word(name)? => call.parser.attribute_in_parentheses(call.pending, name),
        _ => Ok(()),
    }
}

// A number of 32 bits.
fn cache_policy(call: &mut Call<'_, '_>) -> Parsed<()> {
    let number = call.parser.integer()?;
    call.set_text(0, &format!("{number} : i32"))
}

// `speculative, contended`
fn synchronization_hint(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut bits = 0;
    if !call.parser.eat_word("none")? {
        loop {
            let word = call.parser.keyword("a hint")?;
            bits |= match &*word {
                "uncontended" => 1,
                "contended" => 2,
                "nonspeculative" => 4,
                "speculative" => 8,
                _ => return Err(call.parser.contents(call.pending, format!("`{word}` is not a hint"))),
            };
            if !call.parser.eat(TokenKind::Comma)? {
                break;
            }
        }
    }
    call.set_text(0, &format!("{bits} : i64"))
}

fn offloading_handler(call: &mut Call<'_, '_>) -> Parsed<()> {
    let value = match call.parser.eat(TokenKind::Less)? {
        true => {
            let value = call.parser.text.parse_attribute()?;
            call.parser.expect(TokenKind::Greater, "`>` after the handler")?;
            value
        }
        false => call.parser.text.fragment(false, "#gpu.select_object")?,
    };
    call.set_attribute(0, value);
    Ok(())
}

fn image_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.eat(TokenKind::LeftSquare)? {
        let text = call.parser.string("the operands of an image")?;
        let value = call.parser.text.fragment(false, &format!("#spirv.image_operands<{text}>"))?;
        call.set_attribute(0, value);
        call.parser.expect(TokenKind::RightSquare, "`]` after the operands")?;
    }
    Ok(())
}

fn overflow_flags(call: &mut Call<'_, '_>) -> Parsed<()> {
    let value = match call.parser.eat_word("overflow")? {
        true => call.parser.text.stripped(false, "llvm.overflow")?,
        false => call.parser.text.fragment(false, "#llvm.overflow<none>")?,
    };
    call.set_attribute(0, value);
    Ok(())
}

fn foreach_match_symbols(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut matchers, mut actions) = (Vec::new(), Vec::new());
    loop {
        matchers.push(call.parser.text.parse_attribute()?);
        call.parser.expect(TokenKind::Arrow, "`->` and an action")?;
        actions.push(call.parser.text.parse_attribute()?);
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    let matchers = call.parser.text.array_value(&matchers)?;
    let actions = call.parser.text.array_value(&actions)?;
    call.set_attribute(0, matchers);
    call.set_attribute(1, actions);
    Ok(())
}

// `memref<2xi32> = dense<1>`, or a type of emitc.
fn typed_global(call: &mut Call<'_, '_>, is_memref: bool) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    let value = call.parser.text.type_value(r#type)?;
    call.set_attribute(0, value);
    if !call.parser.eat(TokenKind::Equal)? {
        return Ok(());
    }
    let value = if is_memref {
        if call.parser.eat_word("uninitialized")? {
            call.parser.text.unit_value()?
        } else {
            let tensor = call.parser.text.tensor_of_memref(r#type)?;
            typed_elements(call.parser, tensor)?
        }
    } else {
        let text = call.parser.whole_type(r#type)?;
        match text.strip_prefix("!emitc.array<") {
            Some(shape) => {
                let tensor = call.parser.type_named(&format!("tensor<{shape}"))?;
                typed_elements(call.parser, Some(tensor))?
            }
            None => match call.parser.peek()?.kind {
                TokenKind::Integer | TokenKind::Float | TokenKind::Minus => call.parser.number(r#type)?,
                _ => call.parser.text.parse_attribute()?,
            },
        }
    };
    call.set_attribute(1, value);
    Ok(())
}

// Elements whose type is known, so that the text has none.
fn typed_elements(parser: &mut AsmParser<'_>, r#type: Option<u32>) -> Parsed<u32> {
    let (Some(r#type), Ok(token)) = (r#type, parser.peek()) else { return parser.text.parse_attribute() };
    let word = parser.spelling(token);
    if !matches!(word, b"dense" | b"sparse" | b"dense_resource") {
        return parser.text.parse_attribute();
    }
    parser.lexer().seek(token.end);
    let Some(body) = parser.lexer().dialect_body()? else {
        parser.lexer().seek(token.start);
        return parser.text.parse_attribute();
    };
    if parser.peek()?.kind == TokenKind::Colon {
        parser.lexer().seek(token.start);
        return parser.text.parse_attribute();
    }
    let text = parser.whole_type(r#type)?;
    let whole = [word, body, b" : ", text.as_bytes()].concat();
    parser.text.fragment(false, &String::from_utf8_lossy(&whole))
}
