//! What the omp dialect says about the variables that it maps (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::print::map_flags_of;
use crate::wire::order;

use super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "CaptureType" => capture_type,
        "MapClause" => map_clause,
        "MembersIndex" => members_index,
        _ => return None,
    })
}

// `always, tofrom`, or `(always, tofrom -> %a : type), …` in MLIR 16
fn map_clause(call: &mut Call<'_, '_>) -> Parsed<()> {
    if call.arguments.len() > 1 {
        return maps_with_values(call);
    }
    let flags = map_flags(call)?;
    let text = if call.parser.release.0 < 22 {
        format!("{} : ui64", bits_of(&flags))
    } else if flags.is_empty() {
        "#omp<clause_map_flags none>".to_owned()
    } else {
        let words: Vec<&str> = flags.iter().map(|(_, word)| *word).collect();
        format!("#omp<clause_map_flags {}>", words.join("|"))
    };
    call.set_text(0, &text)
}

fn maps_with_values(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut types, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        call.parser.expect(TokenKind::LeftParen, "`(` and the kind of a map")?;
        let flags = map_flags(call)?;
        kinds.push(format!("{} : i64", bits_of(&flags)));
        call.parser.expect(TokenKind::Arrow, "`->` and a value")?;
        values.push(call.parser.reference()?);
        types.push(call.parser.colon_type()?);
        call.parser.expect(TokenKind::RightParen, "`)` after the type")?;
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    call.add_values(0, values);
    call.add_types(1, types);
    call.set_text(2, &format!("[{}]", kinds.join(", ")))
}

fn bits_of(flags: &[(u32, &str)]) -> u32 {
    flags.iter().fold(0, |all, (bit, _)| all | bit)
}

// The bits of words with their keywords, in order. Words that MLIR does not know, such as `alloc`, mean nothing to it.
fn map_flags(call: &mut Call<'_, '_>) -> Parsed<Vec<(u32, &'static str)>> {
    let release = call.parser.release.0;
    let mut flags = Vec::new();
    loop {
        let word = call.parser.keyword("a kind of a map")?;
        flags.extend(map_flags_of(&word).filter_map(|flag| match release {
            ..17 if flag.word == "implicit" => None,
            ..22 => (flag.old_bit != 0).then_some((flag.old_bit, flag.keyword)),
            _ => Some((flag.bit, flag.keyword)),
        }));
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    order::sort(&mut flags);
    flags.dedup();
    Ok(flags)
}

fn capture_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let word = call.parser.keyword("how a variable is captured")?;
    call.set_text(0, &format!("#omp<variable_capture_kind({word})>"))
}

// `[0, 1], [2, 3]`: an array of arrays, or a vector before MLIR 20
fn members_index(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut rows = Vec::new();
    loop {
        rows.push(call.parser.numbers_in_brackets()?);
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    let is_vector = call.parser.release.0 < 20;
    let columns = rows.first().map_or(0, Vec::len);
    if is_vector && (columns == 0 || rows.iter().any(|row| row.len() != columns)) {
        let message = "the lists of indices have the same length, which is not zero";
        return Err(call.parser.contents(call.pending, message));
    }
    let count = rows.len();
    let of_row = |row: Vec<i64>| {
        let suffix = if is_vector { "" } else { " : i64" };
        let numbers: Vec<String> = row.iter().map(|number| format!("{number}{suffix}")).collect();
        format!("[{}]", numbers.join(", "))
    };
    let rows: Vec<String> = rows.into_iter().map(of_row).collect();
    let rows = rows.join(", ");
    match is_vector {
        true => call.set_text(0, &format!("dense<[{rows}]> : vector<{count}x{columns}xi32>")),
        false => call.set_text(0, &format!("[{rows}]")),
    }
}
