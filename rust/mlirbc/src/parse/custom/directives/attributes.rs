//! Attributes in other forms than their own.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => global_of_emitc,
        "ForeachMatchSymbols" => foreach_match_symbols,
        "ImageOperands" => image_operands,
        "SynchronizationHint" => synchronization_hint,
        "TBAAMembers" => alias_members,
        _ => return None,
    })
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

fn global_of_emitc(call: &mut Call<'_, '_>) -> Parsed<()> {
    typed_global(call, false)
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

fn image_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.parser.eat(TokenKind::LeftSquare)? {
        let text = call.parser.string("the operands of an image")?;
        let value = call.parser.text.fragment(false, &format!("#spirv.image_operands<{text}>"))?;
        call.set_attribute(0, value);
        call.parser.expect(TokenKind::RightSquare, "`]` after the operands")?;
    }
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
            call.parser.typed_elements(tensor)?
        }
    } else {
        let text = call.parser.whole_type(r#type)?;
        match text.strip_prefix("!emitc.array<") {
            Some(shape) => {
                let tensor = call.parser.type_named(&format!("tensor<{shape}"))?;
                call.parser.typed_elements(Some(tensor))?
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
