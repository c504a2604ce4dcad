//! Directives of `stablehlo` and `chlo` (`stablehlo/dialect/AssemblyFormat.cpp` of the StableHLO project).

use std::ops::Range;

use crate::assembly::blocks::CarriedValues;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Flow, RegionStyle, Written};
use crate::attr::text::lexer::TokenKind;
use crate::ops::WINDOW_WORDS;

use super::steps::DirectiveSteps;

directives! {
    ComplexType: "ComplexOpType" => complex_type,
    ConvolutionDimensions: "ConvolutionDimensions" => convolution_dimensions,
    DotDimensions: "DotDimensionNumbers" => dot_dimensions,
    CarriedTensors: "CarriedTensors" => carried_tensors,
    ExponentAndMantissa: "ExponentMantissa" => exponent_and_mantissa,
    OperandsAndComma: "VariadicOperandWithAttribute" => operands_and_comma,
    Precision: "PrecisionConfig" | "PrecisionConfigAndAlgorithm" => precision,
    SameType: "SameOperandsAndResultType" => same_type,
    ScanTypes: "ScanTypes" => scan_types,
    SameTypes: "VariadicSameOperandsAndResultType" => same_types,
    SelectType: "SelectOpType" => select_type,
    SliceRanges: "SliceRanges" => slice_ranges,
    TupleType: "TupleOpType" => tuple_type,
    Window: "WindowAttributes" => window;
    ConditionBody: "ConditionBody" => condition_body,
}

/// The type of a tuple, which has the types of the operands.
fn tuple_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, S::argument_count(call).saturating_sub(1))?;
    s.require(!S::PRINTS || known_types.len() == 1)?;
    let r#type = s.r#type(known_types.first().copied())?;
    if S::PRINTS {
        return Ok(());
    }
    let Some(parts) = s.tuple_parts(r#type) else {
        return Err(s.refuse("the type of the result is not a tuple"));
    };
    s.set_types_at(call, 0, parts);
    s.set_types_at(call, 1, vec![r#type]);
    Ok(())
}

/// `[0:4, 0:8:2]`
fn slice_ranges<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_numbers = [s.integers_at(call, 0)?, s.integers_at(call, 1)?, s.integers_at(call, 2)?];
    let [starts, limits, strides] = &known_numbers;
    s.require(starts.len() == limits.len() && starts.len() == strides.len())?;
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    s.list(Bracket::Square, starts.len(), |s, place| {
        let [read_starts, read_limits, read_strides] = &mut lists;
        read_starts.push(s.integer(starts.get(place).copied())?);
        s.text(":")?;
        read_limits.push(s.integer(limits.get(place).copied())?);
        let stride = strides.get(place).copied();
        read_strides.push(match s.optional_text(":", |_| Ok(stride != Some(1)))? {
            true => s.integer(stride)?,
            false => 1,
        });
        Ok(())
    })?;
    for (place, numbers) in lists.iter().enumerate() {
        let name = s.name_at(call, place);
        s.set_integers(&name, "i64", numbers)?;
    }
    Ok(())
}

// ---- types ----

/// The types of arguments that are known, one after the other.
fn types_at<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    places: Range<usize>,
) -> Result<Vec<S::Type>, S::Error> {
    let mut all = Vec::new();
    for place in places {
        all.extend(s.types_at(call, place)?);
    }
    Ok(all)
}

/// `(type, type) -> type`, for all types; the last argument is the type of the result.
fn function_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, places: Range<usize>) -> Written<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    let known_types = s.types_of(&operands);
    let (mut operands, results) = s.function_type(&known_types, &results)?;
    let last = places.end.saturating_sub(1);
    let expected: usize = (places.start..last).map(|place| s.value_count_at(call, place)).sum();
    if !S::PRINTS && (operands.len(), results.len()) != (expected, 1) {
        let (inputs, outputs) = (operands.len(), results.len());
        return Err(s.refuse(format!(
            "the numbers of inputs and results in the function type are {inputs} and {outputs}, expected {expected} and 1"
        )));
    }
    for place in places.start..last {
        let count = s.value_count_at(call, place).min(operands.len());
        let later_types = operands.split_off(count);
        s.set_types_at(call, place, std::mem::replace(&mut operands, later_types));
    }
    s.set_types_at(call, last, results);
    Ok(())
}

/// A single type for all values, or a function type.
fn one_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, places: Range<usize>) -> Written<S> {
    let known_types = types_at(s, call, places.clone())?;
    let result = known_types.last().copied();
    let is_same = result.is_some_and(|result| known_types.iter().all(|&of| s.is_same_type(of, result)));
    if s.at(TokenKind::LeftParen, |_| Ok(!is_same))? {
        return function_type(s, call, places);
    }
    let r#type = s.r#type(result)?;
    let last = places.end.saturating_sub(1);
    for place in places.start..last {
        let count = s.value_count_at(call, place);
        let types = s.repeated_type(r#type, count)?;
        s.set_types_at(call, place, types);
    }
    s.set_types_at(call, last, vec![r#type]);
    Ok(())
}

fn same_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    one_type(s, call, 0..S::argument_count(call))
}

/// The first argument has the operands.
fn same_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    one_type(s, call, 1..S::argument_count(call))
}

/// The type of the result; the operands have the type of its real part.
fn complex_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = types_at(s, call, 0..3)?;
    let is_short = match known_types[..] {
        [left, right, result] => s.is_same_type(left, right) && s.is_real_part(left, result),
        _ => s.require(!S::PRINTS).map(|()| false)?,
    };
    if s.at(TokenKind::LeftParen, |_| Ok(!is_short))? {
        return function_type(s, call, 0..3);
    }
    let r#type = s.r#type(known_types.last().copied())?;
    let real = s.real_part(r#type)?;
    for (place, of) in [real, real, Some(r#type)].into_iter().enumerate() {
        s.set_types_at(call, place, of.into_iter().collect());
    }
    Ok(())
}

/// The types of the predicate and of the values, or a function type.
fn select_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = types_at(s, call, 0..4)?;
    let is_short = match known_types[..] {
        [_, left, right, result] => s.is_same_type(left, result) && s.is_same_type(right, result),
        _ => s.require(!S::PRINTS).map(|()| false)?,
    };
    if s.at(TokenKind::LeftParen, |_| Ok(!is_short))? {
        return function_type(s, call, 0..4);
    }
    let predicate = s.r#type(known_types.first().copied())?;
    let r#type = s.type_after(", ", known_types.last().copied())?;
    s.set_types_at(call, 0, vec![predicate]);
    for place in 1..4 {
        s.set_types_at(call, place, vec![r#type]);
    }
    Ok(())
}

// ---- attributes ----

/// Values with a comma after each value.
fn operands_and_comma<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, mut values) = (s.values_at(call, 0)?, Vec::new());
    while let Some(value) = s.optional_value(known_values.get(values.len()).copied())? {
        values.push(value);
        s.text(if values.len() < known_values.len() { ", " } else { "," })?;
    }
    if S::PRINTS && known_values.is_empty() {
        s.text(",")?;
    }
    s.add_values_at(call, 0, values);
    Ok(())
}

const FLOAT_BITS: &str = "the bits of the exponent and of the mantissa, as in `e5m10`";

/// `e5m10`
fn exponent_and_mantissa<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_text = (s.integer_at(call, 0)?, s.integer_at(call, 1)?);
    let known_text = match known_text {
        (Some(exponent), Some(mantissa)) => Some(format!("e{exponent}m{mantissa}")),
        _ => None,
    };
    let bits_of_word = |word: &str| {
        let (exponent, mantissa) = word.strip_prefix('e')?.split_once('m')?;
        Some([number(exponent)?, number(mantissa)?])
    };
    let bits = s.word_as(known_text.as_deref(), FLOAT_BITS, bits_of_word)?;
    for (place, bits) in bits.into_iter().enumerate() {
        s.set_integer_at(call, place, i64::from(bits), "i32")?;
    }
    Ok(())
}

fn number(digits: &str) -> Option<i32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

const CONVOLUTION: &str = "#stablehlo.conv<";

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: the attribute has the same text, but for dimensions that are not in order.
fn convolution_dimensions<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    let text = known_attribute.and_then(|known_attribute| s.long_text_of(known_attribute));
    let is_ordered =
        text.is_some_and(|text| text.strip_prefix(CONVOLUTION).is_some_and(|rest| rest.starts_with('[')));
    s.require(is_ordered || !S::PRINTS)?;
    let value = s.inner_attribute(known_attribute, CONVOLUTION, |s| {
        let mut text = s.read_brackets()?;
        for separator in ["x", "->"] {
            s.text(separator)?;
            text = [&text, separator, &s.read_brackets()?].concat();
        }
        Ok(text)
    })?;
    s.set_at(call, 0, value);
    Ok(())
}

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
fn dot_dimensions<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.needed_at(call, 0)?;
    let mut fields = Vec::new();
    if s.optional_text("batching_dims", |s| {
        let lists = pair_of_lists(s, known_attribute, "batching")?;
        Ok(lists.iter().any(|list| !list.is_empty()))
    })? {
        dimensions(s, known_attribute, "batching", &mut fields)?;
        s.text(", ")?;
    }
    s.text("contracting_dims")?;
    dimensions(s, known_attribute, "contracting", &mut fields)?;
    s.set_text_at(call, 0, || format!("#stablehlo.dot<{}>", fields.join(", ")))
}

const SIDES: [&str; 2] = ["lhs", "rhs"];

fn pair_of_lists<S: DirectiveSyntax>(
    s: &mut S,
    known: Option<S::Attribute>,
    kind: &str,
) -> Result<[Vec<i64>; 2], S::Error> {
    let mut lists = [Vec::new(), Vec::new()];
    if let Some(known) = known {
        for (side, list) in SIDES.into_iter().zip(&mut lists) {
            let numbers = s.numbers_in_field(known, &format!("{side}_{kind}_dimensions"));
            *list = s.some(numbers)?;
        }
    }
    Ok(lists)
}

/// ` = [0] x [0]`; the fields of the attribute that are not empty when a text is read.
fn dimensions<S: DirectiveSyntax>(
    s: &mut S,
    known_attribute: Option<S::Attribute>,
    kind: &str,
    fields: &mut Vec<String>,
) -> Written<S> {
    let lists = pair_of_lists(s, known_attribute, kind)?;
    for ((text, side), known_attribute) in [" = ", " x "].into_iter().zip(SIDES).zip(&lists) {
        s.text(text)?;
        let numbers = s.integers_list(Bracket::Square, known_attribute)?;
        if !S::PRINTS && !numbers.is_empty() {
            fields.push(format!("{side}_{kind}_dimensions = {numbers:?}"));
        }
    }
    Ok(())
}

const PRECISION_WORDS: &[&str] = &["precision", "algorithm"];

/// `, precision = [DEFAULT, DEFAULT], algorithm = <…>`, each of which may be absent
fn precision<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let words = PRECISION_WORDS.get(..S::argument_count(call)).unwrap_or(PRECISION_WORDS);
    let mut known_attributes = Vec::new();
    for place in 0..words.len() {
        known_attributes.push(s.attribute_at(call, place)?);
    }
    let mut next = 0;
    loop {
        let shown =
            (next..words.len()).find(|&place| known_attributes.get(place).is_some_and(Option::is_some));
        if next == words.len() || !s.optional_text(", ", |_| Ok(shown.is_some()))? {
            return Ok(());
        }
        let place_of_word =
            |word: &str| words.iter().position(|known| *known == word).filter(|&place| place >= next);
        let shown = shown.and_then(|place| words.get(place)).copied();
        let place = s.word_as(shown, "`precision` or `algorithm`, in this order", place_of_word)?;
        s.text(" = ")?;
        match place {
            0 => precisions(s, call)?,
            _ => {
                let known_attributes = known_attributes.get(place).copied().flatten();
                let value = s.stripped(known_attributes, "stablehlo.dot_algorithm")?;
                s.set_at(call, place, value);
            }
        }
        next = place + 1;
    }
}

/// `[DEFAULT, DEFAULT]`
fn precisions<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_items, mut found) = (s.items_at(call, 0)?, Vec::new());
    s.list(Bracket::Square, known_items.len(), |s, place| {
        let word = s.case_word(known_items.get(place).copied(), "a precision, as in `DEFAULT`")?;
        if !S::PRINTS {
            found.extend(s.attribute_of_text(&format!("#stablehlo<precision {word}>"))?);
        }
        Ok(())
    })?;
    s.set_array_at(call, 0, &found)
}

const WINDOW: &str = "`stride`, `pad`, `lhs_dilate`, `rhs_dilate` or `reverse`, each once";

/// `stride = [2, 1], pad = [[0, 1], [2, 3]], reverse = [true, false]`, read in any order
fn window<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut present = Vec::new();
    for place in 0..WINDOW_WORDS.len() {
        if s.attribute_at(call, place)?.is_some() {
            present.push(place);
        }
    }
    let mut seen = Vec::new();
    while s.at(TokenKind::Identifier, |_| Ok(seen.len() < present.len()))? {
        let shown = present.get(seen.len()).and_then(|&place| WINDOW_WORDS.get(place));
        let place_of_word = |word: &str| {
            let place = WINDOW_WORDS.iter().position(|known| *known == word)?;
            (!seen.contains(&place)).then_some(place)
        };
        let place = s.word_as(shown.copied(), WINDOW, place_of_word)?;
        seen.push(place);
        s.text(" = ")?;
        match WINDOW_WORDS.get(place) {
            Some(&"pad") => padding(s, call, place)?,
            Some(&"reverse") => reversal(s, call, place)?,
            _ => {
                let known_numbers = s.integers_at(call, place)?;
                let numbers = s.integers_list(Bracket::Square, &known_numbers)?;
                s.set_integers_at(call, place, "i64", &numbers)?;
            }
        }
        if !s.optional_text(", ", |_| Ok(seen.len() < present.len()))? {
            break;
        }
    }
    Ok(())
}

/// `[[0, 1], [2, 3]]`, of `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`
fn padding<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, place: usize) -> Written<S> {
    let known_rows = s.attribute_at(call, place)?.and_then(|known_rows| s.rows_in(known_rows));
    s.require(known_rows.is_some() || !S::PRINTS)?;
    let (known_rows, mut numbers) = (known_rows.unwrap_or_default(), Vec::new());
    s.list(Bracket::Square, known_rows.len(), |s, place| {
        let pair = s.integers_list(Bracket::Square, known_rows.get(place).map_or(&[], Vec::as_slice))?;
        s.require(pair.len() == 2)?;
        numbers.extend(pair);
        Ok(())
    })?;
    let name = s.name_at(call, place);
    s.set_rows(&name, "tensor", "i64", 2, &numbers)
}

/// `[true, false]`; a number is read, too.
fn reversal<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, place: usize) -> Written<S> {
    let (known_flags, mut flags) = (s.integers_at(call, place)?, Vec::new());
    s.list(Bracket::Square, known_flags.len(), |s, place| {
        let known_flag = known_flags.get(place).map(|&flag| flag != 0);
        let is_true = s.optional_text("true", |_| Ok(known_flag == Some(true)))?;
        let is_false = !is_true && s.optional_text("false", |_| Ok(true))?;
        flags.push(is_true || !is_false && s.integer(None)? != 0);
        Ok(())
    })?;
    s.set_booleans_at(call, place, &flags)
}

/// `(%x = %a, %y = %b) : type, type`, where both regions have these arguments.
fn carried_tensors<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let inits = s.values_at(call, 0)?;
    let arguments = known_arguments(s, &inits)?;
    let carried = CarriedValues::assignments(s, &arguments, &inits)?;
    let mut types = Vec::new();
    if !carried.values.is_empty() {
        s.text(" : ")?;
        let known_types = s.types_of(&inits);
        types = s.types(&known_types)?;
    }
    s.same_count(carried.values.len(), types.len())?;
    let arguments = s.with_types(carried.arguments, &types);
    s.give_at(call, 0, carried.values, types.clone());
    s.set_types_at(call, 2, types);
    s.keep_arguments(&arguments);
    Ok(())
}

/// A region that shares its arguments with the next region.
fn condition_body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let (region, arguments) = (s.only_region(call)?, s.kept_arguments());
    s.keep_arguments(&arguments);
    s.region(region, RegionStyle::BODY, arguments)
}

/// Returns the arguments of the body, if each region has an argument for each value.
fn known_arguments<S: DirectiveSyntax>(s: &mut S, inits: &[S::Value]) -> Result<Vec<S::Argument>, S::Error> {
    let regions = [s.arguments(0)?, s.arguments(1)?];
    s.require(regions.iter().all(|arguments| arguments.len() == inits.len()))?;
    // The parser knows the types of the operands only (`WhileOp::parse`).
    let types = s.types_of(inits);
    let mut is_alike = s.all_results()[..] == types[..];
    for arguments in &regions {
        for (&argument, &r#type) in arguments.iter().zip(&types) {
            is_alike &= s.argument_type(argument)? == r#type;
        }
    }
    if !is_alike {
        s.lose("types of its regions or results that differ from those of its operands");
    }
    let [_, body_arguments] = regions;
    Ok(body_arguments)
}

/// `(type, type) -> (type, type)` of inputs, initial values, outputs and carries.
fn scan_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (operands, known_results) = (s.all_operands(), s.all_results());
    let (input_count, init_count) = (s.value_count_at(call, 0), s.value_count_at(call, 1));
    let carries = s.integers_of("resultSegmentSizes").and_then(|sizes| sizes.last().copied());
    if carries != i64::try_from(init_count).ok() {
        // The parser takes as many carries as there are initial values.
        s.lose("how many of its results are carries");
    }
    let known_types = s.types_of(&operands);
    let (mut inputs, mut outputs) = s.function_type(&known_types, &known_results)?;
    if S::PRINTS {
        return Ok(());
    }
    s.same_count(input_count + init_count, inputs.len())?;
    let Some(output_count) = outputs.len().checked_sub(init_count) else {
        return Err(s.refuse("its type has fewer results than it has initial values"));
    };
    let (inits, carries) = (inputs.split_off(input_count), outputs.split_off(output_count));
    for (place, types) in [inputs, inits, outputs, carries].into_iter().enumerate() {
        s.set_types_at(call, place + 2, types);
    }
    Ok(())
}
