//! Variables that `omp` maps (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::wire::order;

use super::map_flags::{MapFlag, flags_of, words};
use super::steps::DirectiveSteps;

/// `always, tofrom`, or `(always, tofrom -> %a : type), …` before release 17
pub(super) fn map_clause<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::argument_count(call) > 1 {
        return maps_with_values(s, call);
    }
    let shown = match s.needed_at(call, 0)? {
        Some(known) => shown_words(s, known)?,
        None => Vec::new(),
    };
    let flags = map_words(s, &shown)?;
    if !s.release().names_map_flags() {
        return s.set_integer_at(call, 0, bits_of(&flags), "ui64");
    }
    s.set_text_at(call, 0, || {
        let words: Vec<&str> = flags.iter().map(|(_, word)| *word).collect();
        let words = if words.is_empty() { "none".to_owned() } else { words.join("|") };
        format!("#omp<clause_map_flags {words}>")
    })
}

fn shown_words<S: DirectiveSyntax>(
    s: &mut S,
    known_attribute: S::Attribute,
) -> Result<Vec<&'static str>, S::Error> {
    if let Some([bits]) = s.integers_in(known_attribute).as_deref() {
        return Ok(bit_words(*bits, |_| true, "exit_release_or_enter_alloc"));
    }
    let text = s.text_of(known_attribute);
    let flags =
        text.as_deref().and_then(|text| text.strip_prefix("#omp<clause_map_flags ")?.strip_suffix('>'));
    s.some(flags.map(keyword_words))
}

/// The flags of 22.
fn keyword_words(text: &str) -> Vec<&'static str> {
    let words = words(|flag| text.split('|').any(|keyword| keyword == flag.keyword));
    if words.is_empty() && text == "none" { vec!["none"] } else { words }
}

/// The names of the flags in an integer, or `none` for an integer without a direction and without `delete`.
fn bit_words(bits: i64, is_shown: impl Fn(&MapFlag) -> bool, none: &'static str) -> Vec<&'static str> {
    let has = |flag: &MapFlag| is_shown(flag) && bits & i64::from(flag.old_bit) != 0;
    let mut names = words(has);
    if !names.iter().any(|name| matches!(*name, "to" | "from" | "tofrom" | "delete")) {
        names.push(none);
    }
    names
}

fn bits_of(flags: &[(u32, &str)]) -> i64 {
    flags.iter().fold(0, |all, (bit, _)| all | i64::from(*bit))
}

/// The bits of words with their keywords, in order. Words that MLIR does not know, such as `alloc`, mean nothing to it.
fn map_words<S: DirectiveSyntax>(s: &mut S, shown: &[&str]) -> Result<Vec<(u32, &'static str)>, S::Error> {
    let release = s.release();
    let mut flags = Vec::new();
    s.separated(shown.len(), |s, place| {
        let word = s.word(shown.get(place).copied(), "a kind of a map")?;
        flags.extend(flags_of(&word).filter_map(|flag| match release.names_map_flags() {
            _ if flag.word == "implicit" && !release.has_implicit_maps() => None,
            false => (flag.old_bit != 0).then_some((flag.old_bit, flag.keyword)),
            true => Some((flag.bit, flag.keyword)),
        }));
        Ok(())
    })?;
    order::sort(&mut flags);
    flags.dedup();
    Ok(flags)
}

/// `(always, tofrom -> %a : type)` for each operand.
fn maps_with_values<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, kinds) = (s.values_at(call, 0)?, s.integers_at(call, 2)?);
    s.require(kinds.len() == known_values.len())?;
    let none = if s.definition().name().ends_with("exit_data") { "release" } else { "alloc" };
    let (mut values, mut types, mut found) = (Vec::new(), Vec::new(), Vec::new());
    s.separated(known_values.len(), |s, place| {
        let bits = kinds.get(place).copied();
        let shown =
            bits.map(|bits| bit_words(bits, |flag| flag.word != "implicit", none)).unwrap_or_default();
        // MLIR prints these without anything between them.
        s.require(!matches!(*shown, [.., "to" | "from" | "tofrom", "delete"]))?;
        s.text("(")?;
        let flags = map_words(s, &shown)?;
        found.push(bits_of(&flags));
        s.text(" -> ")?;
        let (value, r#type) = s.typed_value(known_values.get(place).copied())?;
        values.push(value);
        types.push(r#type);
        s.text(")")
    })?;
    s.give_at(call, 0, values, types);
    s.set_integer_items_at(call, 2, "i64", &found)
}

/// `[0, 1], [2, 3]`: an array of arrays, or a vector before release 20, whose rows have no spaces.
pub(super) fn members_index<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let Some(known) = s.attribute_at(call, 0)? else {
        return if S::PRINTS { Ok(()) } else { read_members(s, call) };
    };
    if let Some(rows) = s.rows_in(known) {
        return s.separated(rows.len(), |s, place| row_of_vector(s, rows.get(place).map(Vec::as_slice)));
    }
    let rows = s.items(known);
    let rows = s.some(rows)?;
    s.separated(rows.len(), |s, place| {
        let row = rows.get(place).and_then(|&row| s.integers_in(row));
        let row = s.some(row)?;
        s.integers_list(Bracket::Square, &row).map(drop)
    })
}

fn row_of_vector<S: DirectiveSyntax>(s: &mut S, row: Option<&[i64]>) -> Written<S> {
    for (column, number) in row.unwrap_or_default().iter().enumerate() {
        s.text(if column > 0 { "," } else { "[" })?;
        s.integer(Some(*number))?;
    }
    s.text("]")
}

fn read_members<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let rows = s.each_separated(&[(); 0], |s, _| s.integers_list(Bracket::Square, &[]))?;
    let name = s.name_at(call, 0);
    if s.release().nests_member_lists() {
        let mut lists = Vec::new();
        for row in rows {
            let items = row.into_iter().map(|number| s.integer_attribute(number, "i64"));
            lists.push(items.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?);
        }
        return s.set_arrays(&name, &lists);
    }
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 || rows.iter().any(|row| row.len() != columns) {
        return Err(s.refuse("the lists of indices have the same length, which is not zero"));
    }
    s.set_rows(&name, "vector", "i32", columns, &rows.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_flags_have_an_order_of_their_own() {
        assert_eq!(keyword_words("to|from|always|del"), ["always", "tofrom", "delete"]);
        assert_eq!(keyword_words("from|priv"), ["from", "private"]);
        assert_eq!(keyword_words("none"), ["none"]);
        assert_eq!(bit_words(0x205, |_| true, "none"), ["always", "implicit", "to"]);
        assert_eq!(bit_words(0x600, |flag| flag.word != "implicit", "alloc"), ["close", "alloc"]);
    }
}
