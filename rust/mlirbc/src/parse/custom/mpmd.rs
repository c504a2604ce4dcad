//! What operations of `mpmd` have before their operands (`shardy/dialect/mpmd/ir/dialect.cc` of the Shardy project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "FragmentOptions" => fragment_options,
        "UserOrigin" => user_origin,
        "UserOrigins" => user_origins,
        _ => return None,
    })
}

// `"name"(1)`; zero without a number.
fn origin(call: &mut Call<'_, '_>) -> Parsed<u32> {
    let token = call.parser.expect(TokenKind::String, "a string with the name of a computation")?;
    let mut text = String::from_utf8_lossy(call.parser.spelling(token)).into_owned();
    if call.parser.eat(TokenKind::LeftParen)? {
        text.push_str(&format!("({})", call.parser.integer()?));
        call.parser.expect(TokenKind::RightParen, "`)` after the number of transpositions")?;
    }
    call.parser.text.fragment(false, &format!("#mpmd.user_origin<{text}>"))
}

fn user_origin(call: &mut Call<'_, '_>) -> Parsed<()> {
    let value = origin(call)?;
    call.set_attribute(0, value);
    Ok(())
}

// `["name"(1), …]`
fn user_origins(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut found = Vec::new();
    call.parser.expect(TokenKind::LeftSquare, "`[` and the names of computations")?;
    if !call.parser.eat(TokenKind::RightSquare)? {
        found.push(origin(call)?);
        while call.parser.eat(TokenKind::Comma)? {
            found.push(origin(call)?);
        }
        call.parser.expect(TokenKind::RightSquare, "`,` or `]` after the name of a computation")?;
    }
    let value = call.parser.text.array_value(&found)?;
    call.set_attribute(0, value);
    Ok(())
}

// `, stage=1, in_shardings=[…], out_shardings=[…]`, each of which may be missing.
fn fragment_options(call: &mut Call<'_, '_>) -> Parsed<()> {
    const WORDS: [&str; 3] = ["stage", "in_shardings", "out_shardings"];
    let mut next = 0;
    while call.parser.eat(TokenKind::Comma)? {
        let token = call.parser.peek()?;
        let mut place = next;
        while place < WORDS.len() && !call.parser.eat_word(WORDS[place])? {
            place += 1;
        }
        if place == WORDS.len() {
            return call
                .parser
                .unexpected(token, "`stage`, `in_shardings` or `out_shardings`, in this order");
        }
        call.parser.expect(TokenKind::Equal, "`=` and a value")?;
        match place {
            0 => {
                let i64 = call.parser.type_named("i64")?;
                let value = call.parser.number(i64)?;
                call.set_attribute(0, value);
            }
            _ => {
                let text = call.parser.text_in_brackets()?;
                call.set_text(place, &format!("#sdy.sharding_per_value<{text}>"))?;
            }
        }
        next = place + 1;
    }
    Ok(())
}
