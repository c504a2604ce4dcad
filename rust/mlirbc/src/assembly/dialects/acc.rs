//! Operations of `acc` in release 16 (`mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, RegionStyle, Syntax, Written};
use crate::attr::text::lexer::TokenKind;

forms! {
    /// `gang`, `worker` and `vector` are bits of one number.
    Loop: "loop" => r#loop,
}

const LOOP_CLAUSES: &[(&str, &str)] =
    &[(" tile", "tileOperands"), (" private", "privateOperands"), (" reduction", "reductionOperands")];

/// `%a: type`
fn typed<S: Syntax>(s: &mut S, known_value: Option<S::Value>) -> Result<(S::Value, S::Type), S::Error> {
    let value = s.value(known_value)?;
    let known_type = s.types_of(known_value.as_slice()).first().copied();
    Ok((value, s.type_after(": ", known_type)?))
}

/// ` keyword(%a: type, %b: type)` for each group of operands that is not empty.
fn clauses<S: Syntax>(s: &mut S) -> Written<S> {
    for &(keyword, name) in LOOP_CLAUSES {
        let known_values = s.operands(name)?;
        if !s.optional_text(keyword, |_| Ok(!known_values.is_empty()))? {
            continue;
        }
        let (mut values, mut types) = (Vec::new(), Vec::new());
        s.list(Bracket::Round, known_values.len(), |s, place| {
            let known_value = known_values.get(place).copied();
            let (value, r#type) = typed(s, known_value)?;
            values.push(value);
            types.push(r#type);
            Ok(())
        })?;
        s.give(name, values, types);
    }
    Ok(())
}

/// `gang(num=%a: i64, static=%b: i64) worker vector(%c: i64) … {`
fn r#loop<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    const GANG: i64 = 4;
    const WORKER: i64 = 2;
    const VECTOR: i64 = 1;
    if phase > 0 {
        s.attr_dict_with_keyword(&["exec_mapping"])?;
        return Ok(Progress::Done);
    }
    let known_number = match s.any_attr("exec_mapping") {
        Some(attribute) => {
            let first = s.integers_in(attribute).and_then(|numbers| numbers.first().copied());
            s.some(first)?
        }
        None => 0,
    };
    let mut mapping = 0;
    if s.optional_text(" gang", |_| Ok(known_number & GANG != 0))? {
        mapping |= GANG;
        gang(s)?;
    }
    for (bit, keyword, name) in [(WORKER, " worker", "workerNum"), (VECTOR, " vector", "vectorLength")] {
        if !s.optional_text(keyword, |_| Ok(known_number & bit != 0))? {
            continue;
        }
        mapping |= bit;
        let values = s.operands(name)?;
        if s.optional_text("(", |_| Ok(!values.is_empty()))? {
            let (value, r#type) = typed(s, values.first().copied())?;
            s.text(")")?;
            s.give(name, vec![value], vec![r#type]);
        }
    }
    clauses(s)?;
    if mapping != 0 {
        s.set_integer("exec_mapping", mapping, "i64")?;
    }
    let known_results = s.all_results();
    if s.optional_text(" -> ", |_| Ok(!known_results.is_empty()))? {
        let results = s.types_in_parentheses(&known_results)?;
        s.give_results(results);
    } else {
        s.give_results(Vec::new());
    }
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, Vec::new())
}

/// `(num=%a: i64, static=%b: i64)`, or nothing.
fn gang<S: Syntax>(s: &mut S) -> Written<S> {
    const PARTS: [(&str, &str); 2] = [("num", "gangNum"), ("static", "gangStatic")];
    let mut known_operands = Vec::new();
    for (keyword, name) in PARTS {
        let values = s.operands(name)?;
        known_operands.extend(values.first().map(|&value| (keyword, value)));
    }
    if !s.at(TokenKind::LeftParen, |_| Ok(!known_operands.is_empty()))? {
        return Ok(());
    }
    s.list(Bracket::Round, known_operands.len(), |s, place| {
        let known_operands = known_operands.get(place);
        let word = s.word(known_operands.map(|(keyword, _)| *keyword), "`num` or `static`")?;
        let name = PARTS.iter().find(|(keyword, _)| *keyword == word).map(|(_, name)| *name);
        let Some(name) = name else { return Err(s.refuse("the value is `num` or `static`")) };
        s.text("=")?;
        let (value, r#type) = typed(s, known_operands.map(|(_, value)| *value))?;
        s.give(name, vec![value], vec![r#type]);
        Ok(())
    })
}
