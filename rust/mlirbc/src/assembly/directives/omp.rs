//! Clauses of `omp` (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

use super::steps::DirectiveSteps;
use super::{maps, omp_regions};

directives! {
    CaptureType: "CaptureType" => capture_type,
    Dependencies: "DependVarList" => dependencies,
    Linear: "LinearClause" => linear,
    MapClause: "MapClause" => maps::map_clause,
    MapEntries: "MapEntries" => map_entries,
    MembersIndex: "MembersIndex" => maps::members_index,
    Order: "OrderClause" => order,
    PrivateList: "PrivateList" => private_list,
    Schedule: "ScheduleClause" => schedule,
    SynchronizationHint: "SynchronizationHint" => synchronization_hint;
    AtomicRegion: "AtomicReductionRegion" => omp_regions::atomic_region,
    CleanupRegion: "CleanupReductionRegion" => omp_regions::cleanup_region,
    LoopControl: "LoopControl" => omp_regions::loop_control,
    RegionWithClauses: "InReductionPrivateReductionRegion" | "InReductionPrivateRegion" | "PrivateReductionRegion"
        | "PrivateRegion" | "TargetOpRegion" | "TaskReductionRegion" | "UseDeviceAddrUseDevicePtrRegion"
        => omp_regions::region_with_clauses,
    RegionWithSymbols: "ParallelRegion" | "Wsloop" => omp_regions::region_with_symbols,
}

fn capture_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.needed_at(call, 0)?;
    let word = s.case_word(known_attribute, "how a variable is captured")?;
    s.set_text_at(call, 0, || format!("#omp<variable_capture_kind({word})>"))
}

/// `taskdependin -> %a : type, …`
fn dependencies<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let has_iterated = S::argument_count(call) > 3;
    if has_iterated {
        require_no_iterated(s, call)?;
    }
    let (known_values, kinds) = (s.values_at(call, 0)?, s.needed_items_at(call, 2)?);
    s.require(kinds.len() == known_values.len())?;
    let (mut values, mut types, mut found) = (Vec::new(), Vec::new(), Vec::new());
    s.separated(known_values.len(), |s, place| {
        let word = s.case_word(kinds.get(place).copied(), "the kind of a dependence")?;
        if !S::PRINTS {
            found.extend(s.attribute_of_text(&format!("#omp<clause_task_depend({word})>"))?);
        }
        s.text(" -> ")?;
        let (value, r#type) = s.typed_value(known_values.get(place).copied())?;
        values.push(value);
        types.push(r#type);
        Ok(())
    })?;
    s.give_at(call, 0, values, types);
    s.set_array_at(call, 2, &found)?;
    if has_iterated { s.set_array_at(call, 5, &[]) } else { Ok(()) }
}

/// How dependences over an iterator are printed is not known.
fn require_no_iterated<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let iterated = s.values_at(call, 3)?;
    s.require(iterated.is_empty())?;
    let kinds = s.attribute_at(call, 5)?.and_then(|kinds| s.items(kinds));
    if kinds.is_none_or(|kinds| !kinds.is_empty()) {
        s.lose("how it stores that no dependence is over an iterator");
    }
    Ok(())
}

/// `%a = %step : type, …`; since release 23, `%a : type = %step : type, …`.
fn linear<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, known_steps) = (s.values_at(call, 0)?, s.values_at(call, 2)?);
    let has_types = S::argument_count(call) > 3;
    if has_types {
        // How modifiers are printed is not known.
        let modifiers = s.attribute_at(call, 4)?;
        s.require(modifiers.is_none() && known_steps.len() == known_values.len())?;
    }
    let known_types = [s.types_of(&known_values), s.types_of(&known_steps)];
    let (mut values, mut steps, mut types) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    s.separated(known_values.len(), |s, place| {
        values.push(s.value(known_values.get(place).copied())?);
        if has_types {
            types[0].push(s.type_after(" : ", known_types[0].get(place).copied())?);
        }
        let step = known_steps.get(place).copied();
        if step.is_some() || !S::PRINTS {
            s.text(" = ")?;
            steps.push(s.value(step)?);
        }
        let type_list = usize::from(has_types);
        types[type_list].push(s.type_after(" : ", known_types[type_list].get(place).copied())?);
        Ok(())
    })?;
    let [types, step_types] = types;
    s.give_at(call, 0, values, types);
    s.add_values_at(call, 2, steps);
    if has_types {
        s.set_types_at(call, 3, step_types);
    }
    Ok(())
}

/// `modifier:kind`, or `kind`
fn order<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (kind, modifier) = (s.attribute_at(call, 0)?, s.attribute_at(call, 1)?);
    let mut word = s.case_word(modifier.or(kind), "the kind of the order")?;
    if s.optional_text(":", |_| Ok(modifier.is_some()))? {
        s.set_text_at(call, 1, || format!("#omp<order_mod {word}>"))?;
        word = s.case_word(kind, "the kind of the order")?;
    }
    s.set_text_at(call, 0, || format!("#omp<orderkind {word}>"))
}

/// `static = %chunk : type, modifier, simd`
fn schedule<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_attribute, chunk) = (s.needed_at(call, 0)?, s.values_at(call, 3)?);
    let kind = s.case_word(known_attribute, "the kind of a schedule")?;
    let may_have_chunk = S::PRINTS || matches!(&*kind, "static" | "dynamic" | "guided");
    if may_have_chunk && s.optional_text(" = ", |_| Ok(!chunk.is_empty()))? {
        let (value, r#type) = s.typed_value(chunk.first().copied())?;
        s.give_at(call, 3, vec![value], vec![r#type]);
    }
    s.set_text_at(call, 0, || format!("#omp<schedulekind {kind}>"))?;
    schedule_modifiers(s, call)
}

/// `, modifier, simd`; a lone `simd` is the second modifier (`verifyScheduleModifiers`).
fn schedule_modifiers<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (modifier, simd) = (s.attribute_at(call, 1)?, s.attribute_at(call, 2)?);
    let (mut shown, mut words) = (Vec::new(), Vec::new());
    if let Some(modifier) = modifier {
        let word = s.case_of(modifier);
        shown.push(s.some(word)?);
    }
    shown.extend(simd.map(|_| "simd".to_owned()));
    while s.optional_text(", ", |_| Ok(words.len() < shown.len()))? {
        let known_text = shown.get(words.len()).map(String::as_str);
        let is_next = |word: &str| match &words[..] {
            [] => true,
            [only] => only != "simd" && word == "simd",
            _ => false,
        };
        let modifier_of_word = |word: &str| (S::PRINTS || is_next(word)).then(|| word.to_owned());
        let word = s.word_as(known_text, "a modifier, and `simd` once after it", modifier_of_word)?;
        words.push(word);
    }
    let (modifier, is_simd) = match &words[..] {
        [simd] if simd == "simd" => (Some("none"), true),
        [] => (None, false),
        [modifier, rest @ ..] => (Some(&**modifier), !rest.is_empty()),
    };
    if let Some(word) = modifier {
        s.set_text_at(call, 1, || format!("#omp<sched_mod {word}>"))?;
    }
    if is_simd { s.set_unit_at(call, 2) } else { Ok(()) }
}

const HINTS: &[&str] = &["uncontended", "contended", "nonspeculative", "speculative"];

/// `speculative, contended`, or `none`
fn synchronization_hint<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_number = s.integer_at(call, 0)?;
    // Other bits have no name.
    s.require(!S::PRINTS || known_number.is_some_and(|bits| bits >> HINTS.len() == 0))?;
    let mut bits = 0;
    if !s.optional_text("none", |_| Ok(known_number == Some(0)))? {
        let is_set = |(bit, _): &(usize, &&str)| known_number.unwrap_or(0) >> bit & 1 == 1;
        let shown: Vec<&str> = HINTS.iter().enumerate().filter(is_set).map(|(_, word)| *word).collect();
        s.separated(shown.len(), |s, place| {
            let hint_of_word = |word: &str| HINTS.iter().position(|hint| *hint == word);
            bits |= 1 << s.word_as(shown.get(place).copied(), "a hint, as in `contended`", hint_of_word)?;
            Ok(())
        })?;
    }
    s.set_integer_at(call, 0, bits, "i64")
}

/// `@p %a -> %arg0 : !llvm.ptr, …`; the arguments belong to the region, after the arguments for its maps.
fn private_list<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, symbols) = (s.values_at(call, 0)?, s.needed_items_at(call, 2)?);
    let (arguments, maps) = (s.arguments(0)?, s.operands("map_operands")?);
    let arguments = arguments.get(maps.len()..).unwrap_or_default();
    s.require(symbols.len() == known_values.len() && arguments.len() >= known_values.len())?;
    let known_types = s.types_of(&known_values);
    let (mut values, mut types, mut found) = (Vec::new(), Vec::new(), Vec::new());
    s.separated(known_values.len(), |s, place| {
        found.push(s.attribute(symbols.get(place).copied())?);
        s.text(" ")?;
        values.push(s.value(known_values.get(place).copied())?);
        s.text(" -> ")?;
        s.argument_name(arguments.get(place).copied())?;
        types.push(s.type_after(" : ", known_types.get(place).copied())?);
        Ok(())
    })?;
    s.give_at(call, 0, values, types);
    s.set_array_at(call, 2, &found)
}

/// `%a -> %arg0, … : types`; the arguments belong to the region of a target.
fn map_entries<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_values, mut values) = (s.values_at(call, 0)?, Vec::new());
    let is_target = s.definition().name() == "omp.target";
    let arguments = if is_target { s.arguments(0)? } else { Vec::new() };
    s.separated(known_values.len(), |s, place| {
        values.push(s.value(known_values.get(place).copied())?);
        if s.optional_text(" -> ", |_| Ok(is_target))? {
            s.argument_name(arguments.get(place).copied())?;
        }
        Ok(())
    })?;
    s.text(" : ")?;
    let known_types = s.types_of(&known_values);
    let types = s.types(&known_types)?;
    s.give_at(call, 0, values, types);
    Ok(())
}
