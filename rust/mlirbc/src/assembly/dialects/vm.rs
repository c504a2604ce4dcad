//! Operations of `vm` (`compiler/src/iree/compiler/Dialect/VM/IR/VMOps.cpp` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax, Written};
use crate::attr::text::lexer::TokenKind;

forms! {
    /// The names of arguments and their ellipses are in dictionaries.
    Import: "import" => import,
    /// A number for each argument says whether it is a value, a list or a list of tuples.
    VariadicCall: "call.variadic" => variadic_call,
}

/// `private optional @f(%name : type, type ...) -> type attributes {…}`
fn import<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (inputs, outputs) = s.known_function("function_type")?;
    let attributes = s.known_items("arg_attrs")?;
    let visibility = s.any_attr("sym_visibility");
    s.text(" ")?;
    s.visibility_or_public(visibility)?;
    s.unit_keyword(" optional", "is_optional")?;
    s.text(" ")?;
    s.symbol_name()?;
    let (mut types, mut dictionaries) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, inputs.len(), |s, place| {
        let (name, is_variadic) = argument_attributes(s, attributes.get(place).copied())?;
        let name = s.optional_value_name(name.as_deref())?;
        if name.is_some() {
            s.text(" : ")?;
        }
        types.push(s.r#type(inputs.get(place).copied())?);
        let is_variadic = s.optional_text(" ...", |_| Ok(is_variadic))?;
        let mut entries = Vec::new();
        entries.extend(name.as_deref().map(|name| ("vm.name", Some(name))));
        entries.extend(is_variadic.then_some(("vm.variadic", None)));
        dictionaries.push(if entries.is_empty() { None } else { s.string_dictionary(&entries)? });
        Ok(())
    })?;
    let results = s.optional_arrow_plain(&outputs)?;
    s.set_dictionaries("arg_attrs", &dictionaries)?;
    s.set_function_type("function_type", &types, &results)?;
    s.attr_dict_with_keyword(&[
        "sym_name",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "is_variadic",
        "is_optional",
        "sym_visibility",
    ])?;
    Ok(Progress::Done)
}

/// The name of an argument that is known, and whether it stands for several.
fn argument_attributes<S: Syntax>(
    s: &mut S,
    dictionary: Option<S::Attribute>,
) -> Result<(Option<Vec<u8>>, bool), S::Error> {
    let (mut own, mut is_variadic) = (None, false);
    let Some(dictionary) = dictionary else { return Ok((own, is_variadic)) };
    let pairs = s.pairs(dictionary);
    for (name, value) in s.some(pairs)? {
        match s.string(name).as_deref() {
            Some(b"vm.name") => {
                let text = s.string(value);
                own = Some(s.some(text)?);
            }
            Some(b"vm.variadic") => is_variadic = true,
            _ => s.lose_rather("attributes of its arguments"),
        }
    }
    Ok((own, is_variadic))
}

/// An argument of a call: a value, or a list of values, which may be tuples.
enum Segment<S: Syntax> {
    One(S::Value),
    List(Vec<S::Value>),
}

/// `@f(%a, [%b, %c], [(%d, %e)]) {…} : (i32, i64 ..., tuple<i32, i32> ...) -> i32`
fn variadic_call<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    let (mut sizes, mut types) = (Vec::new(), Vec::new());
    if S::PRINTS {
        let numbers = s.integers_of("segment_sizes");
        sizes = s.some(numbers)?;
        let items = s.attr("segment_types").and_then(|items| s.items(items));
        for item in s.some(items)? {
            let r#type = s.type_in(item);
            types.push(s.some(r#type)?);
        }
        s.require(sizes.len() == types.len())?;
    }
    s.text(" ")?;
    s.named("callee")?;
    let (mut segments, mut remaining) = (Vec::new(), &operands[..]);
    s.list(Bracket::Round, sizes.len(), |s, place| {
        let (size, r#type) = (sizes.get(place).copied(), types.get(place).copied());
        segments.push(segment(s, size, r#type, &mut remaining)?);
        Ok(())
    })?;
    s.require(remaining.is_empty())?;
    s.attr_dict(&["callee", "segment_sizes", "segment_types"])?;
    s.text(" : ")?;
    types_of_segments(s, &segments, &sizes, &types)?;
    let values = segments.into_iter().flat_map(|segment| match segment {
        Segment::One(value) => vec![value],
        Segment::List(values) => values,
    });
    let values = values.collect();
    s.give_values(0, values);
    let results = s.optional_arrow_plain(&results)?;
    s.give_results(results);
    Ok(Progress::Done)
}

fn take<'v, V>(rest: &mut &'v [V], count: usize) -> Option<&'v [V]> {
    let (taken, remaining) = rest.split_at_checked(count)?;
    *rest = remaining;
    Some(taken)
}

fn segment<S: Syntax>(
    s: &mut S,
    size: Option<i64>,
    r#type: Option<S::Type>,
    remaining: &mut &[S::Value],
) -> Result<Segment<S>, S::Error> {
    if !s.at(TokenKind::LeftSquare, |_| Ok(size.is_some_and(|size| size >= 0)))? {
        s.require(!S::PRINTS || size == Some(-1))?;
        let known_value = take(remaining, 1).and_then(|element_values| element_values.first().copied());
        return Ok(Segment::One(s.value(known_value)?));
    }
    let members = r#type.and_then(|r#type| s.tuple_len(r#type));
    // Nothing would say how many there are.
    s.require(members != Some(0))?;
    let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
    let count = if members.is_some() { size.min(remaining.len()) } else { size };
    let mut values = Vec::new();
    s.list(Bracket::Square, count, |s, _| {
        let element_values = take(remaining, if S::PRINTS { members.unwrap_or(1) } else { 0 });
        let element_values = s.some(element_values)?;
        match s.at(TokenKind::LeftParen, |_| Ok(members.is_some()))? {
            true => values.extend(s.values_in(Bracket::Round, element_values)?),
            false => values.push(s.value(element_values.first().copied())?),
        }
        Ok(())
    })?;
    Ok(Segment::List(values))
}

fn types_of_segments<S: Syntax>(
    s: &mut S,
    segments: &[Segment<S>],
    known_sizes: &[i64],
    known_types: &[S::Type],
) -> Written<S> {
    let (mut types, mut sizes, mut items) = (Vec::new(), Vec::new(), Vec::new());
    s.list(Bracket::Round, known_types.len(), |s, place| {
        let segment_type = s.r#type(known_types.get(place).copied())?;
        let is_list = s.optional_text(" ...", |_| Ok(known_sizes.get(place) != Some(&-1)))?;
        if S::PRINTS {
            return Ok(());
        }
        items.push(segment_type);
        match (segments.get(place), is_list) {
            (Some(Segment::One(_)), false) => {
                types.push(segment_type);
                sizes.push(-1);
            }
            (Some(Segment::List(values)), true) => {
                let members = s.tuple_parts(segment_type).unwrap_or_else(|| vec![segment_type]);
                let count = values.len().checked_div(members.len()).unwrap_or(0);
                if count * members.len() != values.len() {
                    return Err(s.refuse("a list has a part of a tuple"));
                }
                types.extend(members.iter().copied().cycle().take(values.len()));
                sizes.push(count as i64);
            }
            _ => return Err(s.refuse("the arguments and their types differ")),
        }
        Ok(())
    })?;
    if !S::PRINTS && segments.len() > items.len() {
        return Err(s.refuse("there are more arguments than types"));
    }
    s.set_types(crate::assembly::Values::Operand(0), types);
    s.set_elements("segment_sizes", "vector", "i16", &sizes)?;
    s.set_type_items("segment_types", &items)
}
