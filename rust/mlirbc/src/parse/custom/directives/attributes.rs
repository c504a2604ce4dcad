//! Attributes in other forms than their own.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AllReduceOperation" => all_reduce_operation,
        "CachePolicy" => cache_policy,
        "NamedFlag" => named_flag,
        "ClauseAttr" => clause_attr,
        "GlobalMemrefOpTypeAndInitialValue" => global_of_memref,
        "LLVMOpAttrs" => llvm_op_attrs,
        "OffloadingHandler" => offloading_handler,
        "OverflowFlags" => overflow_flags,
        "SymbolVisibility" => symbol_visibility,
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

// `memref<2xi32> = dense<1>`
fn global_of_memref(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    let value = call.parser.text.type_value(r#type)?;
    call.set_attribute(0, value);
    if !call.parser.eat(TokenKind::Equal)? {
        return Ok(());
    }
    let value = match call.parser.eat_word("uninitialized")? {
        true => call.parser.text.unit_value()?,
        false => call.parser.value_of_type(r#type)?,
    };
    call.set_attribute(1, value);
    Ok(())
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

fn overflow_flags(call: &mut Call<'_, '_>) -> Parsed<()> {
    let value = match call.parser.eat_word("overflow")? {
        true => call.parser.text.stripped(false, "llvm.overflow")?,
        false => call.parser.text.fragment(false, "#llvm.overflow<none>")?,
    };
    call.set_attribute(0, value);
    Ok(())
}
