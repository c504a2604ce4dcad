//! Directives of `llvm` (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::assembly::dialects::{llvm, llvm_calls};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;
use super::switches::segments_name;

directives! {
    AtomicTypes: "AtomicTypes" => atomic_types,
    Bundles: "OpBundles" => bundles,
    GlobalWords: "GlobalWords" => global_words,
    IndirectSuccessors: "IndirectBrOpSucessors" => indirect_successors,
    LandingPadClauses: "LandingPadClauses" => landing_pad_clauses,
    Linkage: "LLVMLinkage" => linkage,
    LoadTypes: "LoadTypes" => load_types,
    StoreTypes: "StoreTypes" => store_types,
    SynchronizationScope: "SyncScope" => synchronization_scope,
}

/// `["tag"(%a : i32), "other"()]`, or nothing.
fn bundles<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    llvm_calls::bundles(s, "")
}

/// `[^bb1(%a : i32), ^bb2]`, one on each line
fn indirect_successors<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let segments = segments_name(s, call, 2);
    let segments = s.some(segments)?;
    let (known_values, count) = (s.values_at(call, 2)?, s.successor_count_at(call, 1));
    let known_sizes = s.integers_of(&segments).filter(|_| S::PRINTS).unwrap_or_default();
    s.require(known_sizes.len() == count)?;
    let (mut remaining, mut place) = (&*known_values, 0);
    let (mut sizes, mut values, mut types) = (Vec::new(), Vec::new(), Vec::new());
    s.text("[")?;
    let mut goes_on = !s.at(TokenKind::RightSquare, |_| Ok(count == 0))?;
    while goes_on {
        s.newline();
        let size = known_sizes.get(place).map_or(Some(0), |&size| usize::try_from(size).ok());
        let (block_operands, later_operands) =
            s.some(size.and_then(|size| remaining.split_at_checked(size)))?;
        remaining = later_operands;
        let (block_values, block_types) = s.successor_at(call, 1, place, block_operands)?;
        sizes.push(block_values.len() as i64);
        values.extend(block_values);
        types.extend(block_types);
        place += 1;
        goes_on = s.optional_text(",", |_| Ok(place < count))?;
    }
    if place > 0 {
        s.newline();
    }
    s.text("]")?;
    s.give_at(call, 2, values, types);
    s.set_integers(&segments, "i32", &sizes)
}

/// ` internal hidden thread_local `, each of which may be absent
fn global_words<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    llvm::common(s)
}

/// `internal`; a text may omit `external`, which is printed.
fn linkage<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    match S::PRINTS {
        true => s.word_at(call, 0),
        false => llvm::linkage(s, "external"),
    }
}

/// `(catch %a : type) (filter %b : type) `
fn landing_pad_clauses<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    let known_types = s.types_of(&known_values);
    let (mut values, mut types) = (Vec::new(), Vec::new());
    while s.optional_text("(", |_| Ok(values.len() < known_values.len()))? {
        let known_type = known_types.get(values.len()).copied();
        let is_filter = known_type.is_some_and(|known_values| s.is_dialect_type(known_values, "llvm.array"));
        if !s.optional_text("filter ", |_| Ok(is_filter))? {
            s.text("catch ")?;
        }
        values.push(s.value(known_values.get(values.len()).copied())?);
        types.push(s.type_after(" : ", known_type)?);
        s.text(") ")?;
    }
    s.give_at(call, 0, values, types);
    Ok(())
}

// ---- operations of MLIR 16, whose pointers may have the type of their pointee ----

/// `!llvm.ptr -> i32`, or `!llvm.ptr<i32>`
fn load_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (pointer_types, result_types) = (s.types_at(call, 0)?, s.types_at(call, 1)?);
    let pointer = s.r#type(pointer_types.first().copied())?;
    let mut element = s.pointee(pointer)?;
    if element.is_none() && (!S::PRINTS || s.is_opaque_pointer(pointer)) {
        element = Some(s.type_after(" -> ", result_types.first().copied())?);
    }
    s.set_types_at(call, 0, vec![pointer]);
    s.set_types_at(call, 1, element.into_iter().collect());
    Ok(())
}

/// `i32, !llvm.ptr`, or `!llvm.ptr<i32>`
fn store_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (value_types, pointer_types) = (s.types_at(call, 0)?, s.types_at(call, 1)?);
    let is_opaque = pointer_types.first().is_some_and(|&pointer| s.is_opaque_pointer(pointer));
    let shown = if is_opaque { &value_types } else { &pointer_types };
    let first = s.r#type(shown.first().copied())?;
    let (element, pointer) = match s.optional_text(", ", |_| Ok(is_opaque))? {
        true => (Some(first), s.r#type(pointer_types.first().copied())?),
        false => (s.pointee(first)?, first),
    };
    let Some(element) = element else { return s.require(S::PRINTS) };
    s.set_types_at(call, 0, vec![element]);
    s.set_types_at(call, 1, vec![pointer]);
    Ok(())
}

/// The type of a value, which determines the type of the pointer. The result of an exchange is a structure of the value and a bit.
fn atomic_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let value = s.r#type(known_types.first().copied())?;
    let Some(pointer) = s.pointer_to(value)? else { return Ok(()) };
    let is_exchange = S::argument_count(call) > 3;
    let result = if is_exchange { s.pair_with_bit(value)? } else { Some(value) };
    s.set_types_at(call, 0, vec![value]);
    s.set_types_at(call, 1, vec![pointer]);
    s.set_types_at(call, 2, result.into_iter().collect());
    if is_exchange {
        s.set_types_at(call, 3, vec![value]);
    }
    Ok(())
}

/// `syncscope("agent") `, or nothing for the empty scope
fn synchronization_scope<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.needed_at(call, 0)?;
    let scope = known_attribute.and_then(|known_attribute| s.string(known_attribute));
    s.require(scope.is_some() || !S::PRINTS)?;
    let name = s.name_at(call, 0);
    if !s.optional_text("syncscope(", |_| Ok(scope.is_some_and(|scope| !scope.is_empty())))? {
        return s.set_string(&name, b"");
    }
    let scope = s.attribute(known_attribute)?;
    s.set_at(call, 0, scope);
    s.text(") ")
}
