//! The directives of parameter transfers (`ops/transfers.rs`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::transfers::{self, TransferPart};

use super::super::operands::Reference;
use super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AsyncParameterGatherOperations" => |call| lines(call, transfers::ASYNC_GATHER),
        "AsyncParameterScatterOperations" => |call| lines(call, transfers::ASYNC_SCATTER),
        "CmdParameterGatherOperations" => |call| lines(call, transfers::GATHER),
        "CmdParameterScatterOperations" => |call| lines(call, transfers::SCATTER),
        "ParameterGatherOperations" => |call| lines(call, transfers::UNSIZED_GATHER),
        "ParameterLoadOperations" => |call| lines(call, transfers::LOAD),
        "ParameterScatterOperations" => |call| lines(call, transfers::UNSIZED_SCATTER),
        _ => return None,
    })
}

fn lines<'t>(call: &mut Call<'_, 't>, parts: &[TransferPart]) -> Parsed<()> {
    let mut is_first = true;
    while is_first || call.parser.eat(TokenKind::Comma)? {
        for part in parts {
            match *part {
                TransferPart::Text(text) => literals(call, text)?,
                TransferPart::Key(scope, keys) => {
                    let first = call.parser.reference()?;
                    if call.parser.eat(TokenKind::Colon)? {
                        call.parser.expect(TokenKind::Colon, "`::` between the scope and the key")?;
                        let key = call.parser.reference()?;
                        shared(call, scope, Some(first), is_first)?;
                        call.add_values(keys, vec![key]);
                    } else {
                        shared(call, scope, None, is_first)?;
                        call.add_values(keys, vec![first]);
                    }
                }
                TransferPart::Each(of) => {
                    let value = call.parser.reference()?;
                    call.add_values(of, vec![value]);
                }
                TransferPart::Shared(of) => {
                    let value = call.parser.reference()?;
                    shared(call, of, Some(value), is_first)?;
                }
                TransferPart::EachType(of) => {
                    let r#type = call.parser.parse_type()?;
                    call.add_types(of, vec![r#type]);
                }
                TransferPart::SharedType(of) => {
                    let r#type = call.parser.parse_type()?;
                    if is_first {
                        call.set_types(of, vec![r#type]);
                    } else if call.known_types(of).is_none_or(|known| known != [r#type]) {
                        return Err(differs(call));
                    }
                }
            }
        }
        is_first = false;
    }
    Ok(())
}

// Brackets, words and arrows with spaces between some of them.
fn literals(call: &mut Call<'_, '_>, text: &str) -> Parsed<()> {
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        call.parser.expect_literal(word)?;
    }
    Ok(())
}

// A value that all lines have, or none of them.
fn shared<'t>(
    call: &mut Call<'_, 't>,
    place: usize,
    value: Option<Reference<'t>>,
    is_first: bool,
) -> Parsed<()> {
    if is_first {
        call.add_values(place, value.into_iter().collect());
        return Ok(());
    }
    let known = call.values(place).and_then(<[_]>::first).map(|known| (known.name, known.number));
    match known == value.as_ref().map(|value| (value.name, value.number)) {
        true => Ok(()),
        false => Err(differs(call)),
    }
}

fn differs(call: &Call<'_, '_>) -> crate::attr::text::parse::Failure {
    call.parser
        .contents(call.pending, "its lines have different scopes or resources; they must have the same ones")
}
