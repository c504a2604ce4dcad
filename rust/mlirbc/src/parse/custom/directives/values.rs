//! Values with words, names and types.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::super::frames::AsmParser;
use super::super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AccVar" => acc_var,
        "CreateOperationOpResults" => create_operation_op_results,
        "NamedValueList" | "NamedValueListWithVariadicity" => named_value_list,
        "AttributesOp" | "CreateOperationOpAttributes" => operation_op_attributes,
        "RecipeSym" => recipe_sym,
        "ValuesWithVariadicity" => value_list,
        "Var" => var,
        "VarPtrType" => var_ptr_type,
        _ => return None,
    })
}

fn operation_op_attributes(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut names) = (Vec::new(), Vec::new());
    if call.parser.eat(TokenKind::LeftBrace)? {
        call.parser.list(TokenKind::RightBrace, "`,` or `}` after an attribute", |this| {
            names.push(this.text.parse_attribute()?);
            this.expect(TokenKind::Equal, "`=` and a value")?;
            values.push(this.reference()?);
            Ok(())
        })?;
    }
    let names = call.parser.text.array_value(&names)?;
    call.add_values(0, values);
    call.set_attribute(1, names);
    Ok(())
}

fn create_operation_op_results(call: &mut Call<'_, '_>) -> Parsed<()> {
    if !call.parser.eat(TokenKind::Arrow)? {
        return Ok(());
    }
    if call.parser.eat(TokenKind::Less)? {
        call.parser.expect_literal("inferred")?;
        call.parser.expect(TokenKind::Greater, "`>`")?;
        let unit = call.parser.text.unit_value()?;
        call.set_attribute(2, unit);
        return Ok(());
    }
    let (values, types) = call.parser.typed_in_parentheses(call.pending)?;
    call.add_values(0, values);
    call.add_types(1, types);
    Ok(())
}

// `(name: %a, other: optional %b)`
fn named_value_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let has_variadicity = call.at(2).is_some();
    let (mut values, mut names, mut variadicities) = (Vec::new(), Vec::new(), Vec::new());
    call.parser.expect(TokenKind::LeftParen, "`(` and named values")?;
    call.parser.list(TokenKind::RightParen, "`,` or `)` after a value", |this| {
        let name = match this.peek()?.kind {
            TokenKind::String => this.string("a name")?,
            _ => this.keyword("a name")?,
        };
        names.push(this.text.string_value(name.as_bytes())?);
        this.expect(TokenKind::Colon, "`:` and a value")?;
        if has_variadicity {
            variadicities.push(variadicity(this)?);
        }
        values.push(this.reference()?);
        Ok(())
    })?;
    let names = call.parser.text.array_value(&names)?;
    call.set_attribute(1, names);
    if has_variadicity {
        set_variadicities(call, 2, &variadicities)?;
    }
    call.add_values(0, values);
    Ok(())
}

// `(%a, optional %b)`
fn value_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut variadicities) = (Vec::new(), Vec::new());
    call.parser.expect(TokenKind::LeftParen, "`(` and values")?;
    call.parser.list(TokenKind::RightParen, "`,` or `)` after a value", |this| {
        variadicities.push(variadicity(this)?);
        values.push(this.reference()?);
        Ok(())
    })?;
    call.add_values(0, values);
    set_variadicities(call, 1, &variadicities)
}

// `parseValueWithVariadicity` in `mlir/lib/Dialect/IRDL/IR/IRDL.cpp`.
fn variadicity(parser: &mut AsmParser<'_>) -> Parsed<&'static str> {
    for word in ["single", "optional", "variadic"] {
        if parser.eat_word(word)? {
            return Ok(word);
        }
    }
    Ok("single")
}

fn set_variadicities(call: &mut Call<'_, '_>, place: usize, words: &[&str]) -> Parsed<()> {
    call.set_text(place, &format!("#irdl<variadicity_array[ {}]>", words.join(",  ")))
}

fn var(call: &mut Call<'_, '_>) -> Parsed<()> {
    if !call.parser.eat_word("varPtr")? {
        call.parser.expect_literal("var")?;
    }
    call.parser.expect(TokenKind::LeftParen, "`(` and a value")?;
    let value = call.parser.reference()?;
    call.add_values(0, vec![value]);
    Ok(())
}

fn acc_var(call: &mut Call<'_, '_>) -> Parsed<()> {
    if !call.parser.eat_word("accPtr")? {
        call.parser.expect_literal("accVar")?;
    }
    call.parser.expect(TokenKind::LeftParen, "`(` and a value")?;
    let value = call.parser.reference()?;
    call.add_values(0, vec![value]);
    let r#type = call.parser.colon_type()?;
    call.add_types(1, vec![r#type]);
    call.parser.expect(TokenKind::RightParen, "`)` after the type")?;
    Ok(())
}

// `: type` of a value and, if it is not the pointee, `varType(type)`
fn var_ptr_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = call.parser.parse_type()?;
    call.parser.expect(TokenKind::RightParen, "`)` after the type")?;
    call.add_types(0, vec![r#type]);
    let of = if call.parser.eat_word("varType")? {
        call.parser.expect(TokenKind::LeftParen, "`(` and a type")?;
        let own = call.parser.parse_type()?;
        call.parser.expect(TokenKind::RightParen, "`)` after the type")?;
        own
    } else {
        // The element of a memref is that of a pointer-like type; other types stand for themselves.
        pointee(call.parser, r#type)?
    };
    let value = call.parser.text.type_value(of)?;
    call.set_attribute(1, value);
    Ok(())
}

fn recipe_sym(call: &mut Call<'_, '_>) -> Parsed<()> {
    let value = call.parser.text.parse_attribute()?;
    call.set_attribute(0, value);
    Ok(())
}

fn pointee(parser: &mut AsmParser<'_>, r#type: u32) -> Parsed<u32> {
    let is_memref = parser.whole_type(r#type)?.starts_with("memref<");
    match is_memref {
        true => Ok(parser.text.element_of(r#type)?.unwrap_or(r#type)),
        false => Ok(r#type),
    }
}
