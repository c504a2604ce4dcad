//! Attributes in other forms than their own.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{CaseStyle, DirectiveSyntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    AllReduceOperation: "AllReduceOperation" => all_reduce_operation,
    CachePolicy: "CachePolicy" => cache_policy,
    Case: "Case" => case,
    CaseUnlessNone: "UnlessNone" => case_unless_none,
    ConstantTensor: "ConstantTensor" => constant_tensor,
    Dictionary: "LLVMOpAttrs" => dictionary,
    GlobalMemref: "GlobalMemrefOpTypeAndInitialValue" => global_memref,
    NamedFlag: "NamedFlag" => named_flag,
    NumberAfterWord: "NumberAfterWord" => number_after_word,
    OffloadingHandler: "OffloadingHandler" => offloading_handler,
    OverflowFlags: "OverflowFlags" => overflow_flags,
    Permutation: "Permutation" => permutation,
    PrefetchHints: "PrefetchHints" => prefetch_hints,
    QuotedCase: "QuotedCase" => quoted_case,
    SymbolName: "SymbolName" => symbol_name,
    UnshownAttributes: "UnshownAttributes" => unshown_attributes,
    Visibility: "SymbolVisibility" => visibility,
}

// ---- enumerations ----

/// `add`, after the spaces of the release: the attribute or the format may write one.
fn all_reduce_operation<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let is_optional = s.definition().name() == "gpu.all_reduce";
    let is_known = s.attribute_at(call, 0)?.is_some();
    if !s.at(TokenKind::Identifier, |_| Ok(is_known))? || s.at_word("uniform")? {
        return Ok(());
    }
    let begins_with_space =
        s.release().spaces_cases() || s.release().omits_space_before_optional_case() && is_optional;
    s.text(if begins_with_space { " " } else { "" })?;
    s.word_at(call, 0)
}

fn case<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.case_at(call, 0, CaseStyle::Word)
}

fn quoted_case<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.case_at(call, 0, CaseStyle::Quoted)
}

/// ` word(case)`, or nothing for `None`
fn case_unless_none<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let word = s.some(S::code_at(call, 1))?;
    let known_case = s.known_case_at(call, 0)?;
    if !s.optional_text(&format!(" {word}("), |_| Ok(known_case.as_deref() != Some("None")))? {
        return s.set_case_at(call, 0, "None");
    }
    case(s, call)?;
    s.text(")")
}

/// ` overflow<nsw>`, or nothing
fn overflow_flags<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let place = S::argument_count(call).saturating_sub(1);
    let known_numbers = s.native_integer_at(call, place)?;
    if !s.optional_text(" overflow", |_| Ok(known_numbers != 0))? {
        let name = s.name_at(call, place);
        return s.set_text(&name, "#llvm.overflow<none>");
    }
    if !S::PRINTS {
        let flags = s.stripped(None, "llvm.overflow")?;
        s.set_at(call, place, flags);
        return Ok(());
    }
    match known_numbers {
        1 => s.text("<nsw>"),
        2 => s.text("<nuw>"),
        3 => s.text("<nsw, nuw>"),
        _ => Err(s.refuse("it has other flags")),
    }
}

// ---- numbers ----

/// Refuses a known number that has not so many bits.
fn require_bits<S: DirectiveSyntax>(s: &mut S, known: Option<S::Attribute>, bits: u32) -> Written<S> {
    let value_type = known.and_then(|known| s.elements_type(known)).and_then(|of| s.number_type(of));
    s.require(!S::PRINTS || value_type == Some(Element::Signless(bits)))
}

/// `name(true)`, or nothing. How an attribute that is not Boolean is printed is not known.
fn named_flag<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (name, known_attribute) = (s.name_at(call, 0), s.attribute_at(call, 0)?);
    if !s.optional_text(&format!("{name}("), |_| Ok(known_attribute.is_some()))? {
        return Ok(());
    }
    require_bits(s, known_attribute, 1)?;
    let flag = s.attribute(known_attribute)?;
    s.set_at(call, 0, flag);
    s.text(")")
}

/// A number of 32 bits. How other policies are printed is not known.
fn cache_policy<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    require_bits(s, known_attribute, 32)?;
    let number = s.integer_at(call, 0)?;
    let number = s.integer(number)?;
    s.set_integer_at(call, 0, number, "i32")
}

/// ` word(1)`, or nothing
fn number_after_word<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (word, known_attribute) = (s.some(S::code_at(call, 1))?, s.attribute_at(call, 0)?);
    if !s.optional_text(&format!(" {word}("), |_| Ok(known_attribute.is_some()))? {
        return Ok(());
    }
    if S::PRINTS {
        let number = s.integer_at(call, 0)?;
        s.integer(number)?;
    } else {
        let number = s.attribute(None)?;
        s.set_at(call, 0, number);
    }
    s.text(")")
}

/// `write, locality<3>, data`
fn prefetch_hints<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let mut known_numbers = [None; 2];
    for (number, place) in known_numbers.iter_mut().zip([0, 2]) {
        *number = s.integer_at(call, place)?;
    }
    s.require(!S::PRINTS || known_numbers.iter().all(Option::is_some))?;
    let [is_write, is_data] = known_numbers.map(|number| number != Some(0));
    let access = s.optional_word(Some(if is_write { b"write" } else { b"read" }), &["read", "write"])?;
    let Some(access) = access else { return Err(s.refuse("the access is `read` or `write`")) };
    s.text(", locality<")?;
    let locality = s.attribute_at(call, 1)?;
    let locality = s.untyped_number(locality, "i32")?;
    s.text(">, ")?;
    let cache = s.optional_word(Some(if is_data { b"data" } else { b"instr" }), &["data", "instr"])?;
    let Some(cache) = cache else { return Err(s.refuse("the cache is `data` or `instr`")) };
    s.set_text_at(call, 0, || (access == "write").to_string())?;
    s.set_at(call, 1, locality);
    s.set_text_at(call, 2, || (cache == "data").to_string())
}

/// `(d0, d1) -> (d1, d0)`
fn permutation<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    let map = s.bare_map(known_attribute)?;
    s.set_at(call, 0, map);
    Ok(())
}

// ---- lists and dictionaries ----

/// The dictionary without attributes of default values, of LLVM 16 and 19.
fn dictionary<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.dictionary_without(call, "fastmathFlags", "#llvm.fastmath<none>")
}

/// Attributes that a text may have, and that are not printed.
fn unshown_attributes<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    match S::PRINTS {
        true => Ok(()),
        false => s.attr_dict(&[]),
    }
}

// ---- symbols and their values ----

/// `@name`; an optional one has its own space.
fn symbol_name<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let is_optional = S::code_at(call, 1).is_some();
    let (known_attribute, known_text) = (s.attribute_at(call, 0)?, s.string_at(call, 0)?);
    if is_optional && !s.at(TokenKind::Symbol, |_| Ok(known_attribute.is_some()))? {
        return Ok(());
    }
    s.text(if is_optional { " " } else { "" })?;
    let name = s.symbol(known_text.as_deref())?;
    s.set_string("sym_name", &name)
}

/// A symbol without a visibility is printed as a public one. In texts of IREE, the visibility is optional.
fn visibility<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    let is_read = s.visibility_or_public(known_attribute)?;
    if known_attribute.is_none() {
        s.lose("that it has no visibility");
    }
    match is_read || !s.definition().name().starts_with("ml_program.") {
        true => Ok(()),
        false => Err(s.refuse("the visibility is `public`, `private` or `nested`")),
    }
}

/// `memref<2xi32> = dense<1>`, where the elements have no type.
fn global_memref<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let value = s.attribute_at(call, 1)?;
    let r#type = s.type_attribute_at(call, 0)?;
    if !s.optional_text(" = ", |_| Ok(value.is_some()))? {
        return Ok(());
    }
    if s.optional_text("uninitialized", |s| Ok(value.is_some_and(|value| s.is_unit(value))))? {
        return s.set_unit_at(call, 1);
    }
    let value = s.untyped_attribute(value, r#type)?;
    s.set_at(call, 1, value);
    Ok(())
}

/// ` {…} dense<0> : tensor<i32>` (`printConstantOp` of the StableHLO project), whose result has the type of the value.
fn constant_tensor<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    // The generic form is accepted after the name (`parseConstantOp`).
    if s.optional_text("()", |_| Ok(false))? {
        s.properties()?;
        s.attr_dict(&[])?;
        s.text(" : ")?;
        let (_, results) = s.function_type(&[], &[])?;
        s.give_results(results);
        return Ok(());
    }
    let (known_attribute, result_types) = (s.attribute_at(call, 1)?, s.types_at(call, 2)?);
    s.attr_dict(&S::mentioned(call))?;
    s.text(" ")?;
    let value = s.attribute(known_attribute)?;
    s.set_at(call, 1, value);
    let Some(value_type) = s.elements_type(value) else {
        return Err(s.refuse("its value has no type of elements"));
    };
    // If the types differ, only the generic form is exact.
    let is_same = result_types.first().is_none_or(|&result| s.is_same_type(value_type, result));
    s.require(is_same)?;
    s.set_types_at(call, 2, vec![value_type]);
    Ok(())
}

/// `<handler>`, or nothing for the default one
fn offloading_handler<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    const DEFAULT: &str = "#gpu.select_object";
    let known_attribute = s.attribute_at(call, 0)?;
    if !s.optional_text("<", |s| {
        Ok(known_attribute.is_some_and(|known_attribute| !s.is_written(known_attribute, DEFAULT)))
    })? {
        return s.set_text_at(call, 0, || DEFAULT.to_owned());
    }
    let handler = s.attribute(known_attribute)?;
    s.set_at(call, 0, handler);
    s.text(">")
}
