//! Lists of named values of `irdl` (`mlir/lib/Dialect/IRDL/IR/IRDL.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};

use super::steps::DirectiveSteps;

directives! {
    NamedValues: "NamedValueList" | "NamedValueListWithVariadicity" => named_values,
    Values: "ValuesWithVariadicity" => values,
}

const KINDS: &[&str] = &["single", "optional", "variadic"];

/// How often values may occur, of which the most usual kind is not printed.
struct Variadicities {
    known: Vec<String>,
    read: Vec<&'static str>,
}

impl Variadicities {
    /// The kinds in `#irdl<variadicity_array[ single,  optional]>`.
    fn of<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, place: usize) -> Result<Self, S::Error> {
        let text = s.needed_at(call, place)?.and_then(|known| s.long_text_of(known));
        let inner = text.as_deref().and_then(|text| text.split_once('[')?.1.rsplit_once(']'));
        s.require(inner.is_some() || !S::PRINTS)?;
        let words = inner.map_or("", |(inner, _)| inner).split(',').map(str::trim);
        Ok(Self {
            known: words.filter(|word| !word.is_empty()).map(str::to_owned).collect(),
            read: Vec::new(),
        })
    }

    fn kind<S: DirectiveSyntax>(&mut self, s: &mut S, place: usize) -> Written<S> {
        let known_word = self.known.get(place).map(String::as_str);
        s.require(known_word.is_some() || !S::PRINTS)?;
        let shown = known_word.filter(|known_word| *known_word != "single").map(str::as_bytes);
        let kind = s.optional_word(shown, KINDS)?;
        if shown.is_some() {
            s.text(" ")?;
        }
        self.read.push(kind.unwrap_or("single"));
        Ok(())
    }

    fn give<S: DirectiveSyntax>(self, s: &mut S, call: S::Call<'_>, place: usize) -> Written<S> {
        s.set_text_at(call, place, || format!("#irdl<variadicity_array[ {}]>", self.read.join(",  ")))
    }
}

/// `(name: %a, other: optional %b)`
fn named_values<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, names) = (s.values_at(call, 0)?, s.needed_items_at(call, 1)?);
    let mut kinds = match S::argument_count(call) {
        2 => None,
        _ => Some(Variadicities::of(s, call, 2)?),
    };
    let (mut values, mut found) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        let name = names.get(place).and_then(|&name| s.string(name));
        let name = s.bare_name(name.as_deref(), "a name")?;
        found.extend(s.string_attribute(&name)?);
        s.text(": ")?;
        if let Some(kinds) = &mut kinds {
            kinds.kind(s, place)?;
        }
        values.push(s.value(known_values.get(place).copied())?);
        Ok(())
    })?;
    s.set_array_at(call, 1, &found)?;
    if let Some(kinds) = kinds {
        kinds.give(s, call, 2)?;
    }
    s.add_values_at(call, 0, values);
    Ok(())
}

/// `(%a, optional %b)`, before release 20.
fn values<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let (mut kinds, mut values) = (Variadicities::of(s, call, 1)?, Vec::new());
    s.list(Bracket::Round, known_values.len(), |s, place| {
        kinds.kind(s, place)?;
        values.push(s.value(known_values.get(place).copied())?);
        Ok(())
    })?;
    s.add_values_at(call, 0, values);
    kinds.give(s, call, 1)
}
