//! Types in other forms than a list, and types that follow from others.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AwaitResultType" => await_result_type,
        "ContinuousTileSizeTypes" => continuous_tile_size_types,
        "InsertExtractValueElementType" => insert_extract_value_element_type,
        "LaunchDimType" => launch_dim_type,
        "MultitileSizesTypes" => multitile_sizes_types,
        "RangeType" => range_type,
        "ResultsValueType" => results_value_type,
        "SemiFunctionType" => semi_function_type,
        "ShuffleType" => shuffle_type,
        _ => return None,
    })
}

fn semi_function_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let has_parenthesis = call.parser.eat(TokenKind::LeftParen)?;
    let of = call.parser.parse_type()?;
    call.add_types(0, vec![of]);
    if !has_parenthesis {
        call.add_types(1, Vec::new());
        return Ok(());
    }
    call.parser.expect(TokenKind::RightParen, "`)` after the type")?;
    call.parser.expect(TokenKind::Arrow, "`->` and the types of the results")?;
    let types = call.parser.result_types()?;
    call.add_types(1, types);
    Ok(())
}

fn insert_extract_value_element_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let container = call.known_types(1).unwrap_or_default().first().copied();
    let position = call.found_attribute(2);
    let (Some(container), Some(position)) = (container, position) else { return Ok(()) };
    let r#type = call.parser.member_type(call.pending, container, position)?;
    call.add_types(0, vec![r#type]);
    Ok(())
}

fn shuffle_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let of = call.known_types(0).unwrap_or_default().first().copied();
    let mask = call.found_attribute(2);
    let count = mask.and_then(|mask| call.parser.text.array_length(mask));
    if let (Some(of), Some(count)) = (of, count) {
        let r#type = match call.parser.text.with_first_dimension(of, count)? {
            Some(r#type) => Some(r#type),
            None => resized(call, of, count)?,
        };
        call.add_types(1, r#type.into_iter().collect());
    }
    Ok(())
}

// `!llvm.vec<2 x ptr>` with another number of elements.
fn resized(call: &mut Call<'_, '_>, of: u32, count: i64) -> Parsed<Option<u32>> {
    let text = call.parser.whole_type(of)?;
    let Some(body) = text.strip_prefix("!llvm.vec<") else { return Ok(None) };
    let (scalable, body) = match body.strip_prefix("? x ") {
        Some(body) => ("? x ", body),
        None => ("", body),
    };
    let Some((_, element)) = body.split_once(" x ") else { return Ok(None) };
    call.parser.type_named(&format!("!llvm.vec<{scalable}{count} x {element}")).map(Some)
}

fn range_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = match call.known_types(0).unwrap_or_default().first().copied() {
        Some(first) => {
            let text = call.parser.whole_type(first)?;
            let inner = text.trim_start_matches("!pdl.range<").trim_start_matches("!pdl.");
            call.parser.type_named(&format!("!pdl.range<{}>", inner.trim_end_matches('>')))?
        }
        None => call.parser.colon_type()?,
    };
    call.add_types(1, vec![r#type]);
    Ok(())
}

fn results_value_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let has_index = call.parser.found(call.pending, "index").is_some();
    let r#type = if has_index {
        call.parser.expect(TokenKind::Arrow, "`->` and a type")?;
        call.parser.parse_type()?
    } else {
        call.parser.type_named("!pdl.range<value>")?
    };
    call.add_types(1, vec![r#type]);
    Ok(())
}

fn await_result_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let of = call.parser.parse_type()?;
    call.add_types(0, vec![of]);
    let text = call.parser.whole_type(of)?;
    let inner = text.strip_prefix("!async.value<").and_then(|text| text.strip_suffix('>'));
    let types = match inner {
        Some(inner) => vec![call.parser.type_named(inner)?],
        None => Vec::new(),
    };
    call.add_types(1, types);
    Ok(())
}

fn launch_dim_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let r#type = match call.parser.eat(TokenKind::Colon)? {
        true => call.parser.parse_type()?,
        false => call.parser.index()?,
    };
    call.add_types(0, vec![r#type]);
    let has_cluster = call.values(1).is_some_and(|values| !values.is_empty());
    for place in [2, 3, 4] {
        call.add_types(place, if has_cluster { vec![r#type] } else { Vec::new() });
    }
    Ok(())
}

// `(type) -> type`, for several results of one type
fn multitile_sizes_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (operands, results) = call.parser.function_type()?;
    call.add_types(0, operands);
    for place in 1..call.arguments.len() {
        call.add_types(place, results.iter().take(1).copied().collect());
    }
    Ok(())
}

fn continuous_tile_size_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (operands, results) = call.parser.function_type()?;
    call.add_types(0, operands);
    // Both groups of results have the same type.
    let Some(&r#type) = results.first() else { return Ok(()) };
    call.add_types(1, vec![r#type]);
    call.add_types(2, vec![r#type]);
    Ok(())
}
