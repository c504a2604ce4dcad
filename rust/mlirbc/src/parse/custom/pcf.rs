//! The bodies of `pcf.generic` and `pcf.loop` (`PCFOps.cpp` of IREE).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::NONE;
use super::call::{Call, CustomDirective};
use super::shaped::dynamic_parts;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "InferNumIndexArgs" => index_count,
        "ParallelExecutionBody" => body,
        _ => return None,
    })
}

fn index_count(call: &mut Call<'_, '_>) -> Parsed<()> {
    let count = call.custom.numbers.pop().unwrap_or_default();
    call.set_text(2, &format!("{count} : i64"))
}

// `-> (%a: index) execute(%ref = %init, %other)[%id: index] : (types) -> (type, type{%d})`, and the region.
fn body(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut leading = Vec::new();
    if call.arguments.len() > 6 {
        if call.parser.eat(TokenKind::Arrow)? {
            call.parser.expect(TokenKind::LeftParen, "`(` and arguments")?;
            call.parser.list(TokenKind::RightParen, "`,` or `)` after an argument", |parser| {
                leading.push(parser.typed_argument()?);
                Ok(())
            })?;
        }
        call.set_text(6, &format!("{} : i64", leading.len()))?;
    }
    call.parser.expect_literal("execute")?;
    let (mut references, mut inits, mut tied) = (Vec::new(), Vec::new(), Vec::new());
    if call.parser.eat(TokenKind::LeftParen)? {
        loop {
            references.push(call.parser.argument_of(NONE)?);
            let is_tied = call.parser.eat(TokenKind::Equal)?;
            if is_tied {
                inits.push(call.parser.reference()?);
            }
            tied.push(is_tied);
            if !call.parser.eat(TokenKind::Comma)? {
                break;
            }
        }
        call.parser.expect(TokenKind::RightParen, "`,` or `)` after an argument")?;
    }
    let mut indices = Vec::new();
    call.parser.expect(TokenKind::LeftSquare, "`[` and the arguments for indices")?;
    call.parser.list(TokenKind::RightSquare, "`,` or `]` after an argument", |parser| {
        indices.push(parser.typed_argument()?);
        Ok(())
    })?;
    let (mut sizes, mut init_types, mut results) = (Vec::new(), Vec::new(), Vec::new());
    if !references.is_empty() {
        call.parser.expect(TokenKind::Colon, "`:` and the types of the arguments")?;
        let token = call.parser.peek()?;
        let types = call.parser.result_types()?;
        if types.len() != references.len() {
            return call.parser.unexpected(token, "a type for each argument after `execute`");
        }
        for (argument, r#type) in references.iter_mut().zip(types) {
            argument.r#type = r#type;
        }
        call.parser.expect(TokenKind::Arrow, "`->` and the types of the results")?;
        call.parser.expect(TokenKind::LeftParen, "`(` and the types of the results")?;
        for (place, &is_tied) in tied.iter().enumerate() {
            if place > 0 {
                call.parser.comma()?;
            }
            let result = call.parser.parse_type()?;
            results.push(result);
            if is_tied {
                init_types.push(result);
            } else if dynamic_parts(&call.parser.whole_type(result)?) != Some(0) {
                call.parser.expect(TokenKind::LeftBrace, "`{` and the dynamic sizes of the result")?;
                call.parser.list(TokenKind::RightBrace, "`,` or `}` after a size", |parser| {
                    sizes.push(parser.reference()?);
                    Ok(())
                })?;
            }
        }
        call.parser.expect(TokenKind::RightParen, "`)` after the types of the results")?;
    }
    call.custom.numbers.push(i64::try_from(indices.len()).unwrap_or(i64::MAX));
    let flags: Vec<String> = tied.iter().map(bool::to_string).collect();
    call.add_values(0, inits);
    call.set_types(1, init_types);
    call.add_values(2, sizes);
    call.set_types(3, results);
    call.set_text(4, &format!("[{}]", flags.join(", ")))?;
    for arguments in [leading, references, indices] {
        call.custom.entry.extend(arguments);
    }
    Ok(())
}
