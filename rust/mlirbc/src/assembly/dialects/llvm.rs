//! Operations of `llvm` (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`), except calls.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Flow, Progress, Syntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::llvm_calls::{call, intrinsic, invoke};

forms! {
    /// Before MLIR 17, the pointer has the type of the element.
    Alloca: "alloca" => alloca,
    /// The callee is a symbol or an operand; the types of the arguments have dictionaries.
    Call: "call" => call,
    /// The text has the signature and the bundles of a call.
    CallIntrinsic: "call_intrinsic" => intrinsic,
    /// Before MLIR 20, the operands of the successors are printed as arguments, too.
    Invoke: "invoke" => invoke;
    /// Words have defaults that differ between releases; the type is a function type of LLVM.
    Function: "func" => function,
    /// A string value implies the type of the global.
    Global: "mlir.global" => global,
}

/// The words of enumerations, by their class.
static WORDS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let rows =
        include_str!("../../../data/assembly/words.tsv").lines().filter_map(|row| row.split_once('\t'));
    rows.map(|(class, words)| (class, words.split(' ').collect())).collect()
});

const VISIBILITIES: &[&str] = &["", "hidden", "protected"];
const UNNAMED: &[&str] = &["", "local_unnamed_addr", "unnamed_addr"];

/// How an attribute with a case of an enumeration is stored.
pub(super) enum CaseClass {
    Named(&'static str),
    /// An integer that is the number of the case.
    Number,
}

/// A word and a space, unless it is the default.
pub(super) fn case_word<S: Syntax>(
    s: &mut S,
    name: &str,
    cases: &[&'static str],
    default: &'static str,
    class: CaseClass,
) -> Written<S> {
    if S::PRINTS {
        let text = s.case(name)?;
        // A parser stores the default.
        let is_stored = s.attr(name).is_some() || !s.declares(name);
        if !default.is_empty() && !is_stored {
            s.lose("that it has no attribute for a word that is the default");
        }
        if !text.is_empty() && text != default {
            s.text(&text)?;
            s.text(" ")?;
        }
        return Ok(());
    }
    let case = s.optional_word(None, cases)?;
    match class {
        CaseClass::Named(class) => s.set_text(name, &format!("#{class}<{}>", case.unwrap_or(default))),
        CaseClass::Number => {
            let number = cases.iter().position(|known| Some(*known) == case).unwrap_or(0);
            s.set_integer(name, number as i64, "i64")
        }
    }
}

pub(super) fn convention<S: Syntax>(s: &mut S) -> Written<S> {
    match s.declares("CConv") {
        true => case_word(s, "CConv", &WORDS["llvm.cconv"], "ccc", CaseClass::Named("llvm.cconv")),
        false => Ok(()),
    }
}

pub(in crate::assembly) fn linkage<S: Syntax>(s: &mut S, default: &'static str) -> Written<S> {
    // Without the attribute, a global has no word.
    let default = if S::PRINTS { default } else { "external" };
    case_word(s, "linkage", &WORDS["llvm.linkage"], default, CaseClass::Named("llvm.linkage"))
}

fn visibility<S: Syntax>(s: &mut S) -> Written<S> {
    match S::PRINTS || s.declares("visibility_") {
        true => case_word(s, "visibility_", VISIBILITIES, "default", CaseClass::Number),
        false => Ok(()),
    }
}

/// ` comdat(@a::@b)`, or nothing.
fn comdat<S: Syntax>(s: &mut S) -> Written<S> {
    if s.declares("comdat") {
        s.optional_named(" comdat(", "comdat")?;
    }
    Ok(())
}

/// `inalloca %n x i32 {alignment = 4 : i64} : (i64) -> !llvm.ptr`
fn alloca<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    s.require((operands.len(), results.len()) == (1, 1) || !S::PRINTS)?;
    if s.declares("inalloca") {
        s.unit_keyword(" inalloca", "inalloca")?;
    }
    s.text(" ")?;
    let count = s.value(operands.first().copied())?;
    s.text(" x ")?;
    let element = match (S::PRINTS, s.attr("elem_type")) {
        (true, Some(element)) => {
            s.attribute(Some(element))?;
            None
        }
        // Before release 17, the pointer has the type.
        (true, None) => {
            s.pointee_of(results.first().copied())?;
            None
        }
        (false, _) => Some(s.r#type(None)?),
    };
    let alignment = s.integers_of("alignment").and_then(|numbers| numbers.first().copied()).unwrap_or(0);
    let elided = ["elem_type", "inalloca", "alignment"];
    s.attr_dict(if alignment != 0 { &elided[..2] } else { &elided })?;
    s.unset_zero("alignment");
    s.text(" : ")?;
    let inputs = s.types_of(&operands);
    let (inputs, results) = s.function_type(&inputs, &results)?;
    let (&[_], &[pointer]) = (&inputs[..], &results[..]) else {
        return Err(s.refuse("the function type has one argument and one result"));
    };
    // Pointers of MLIR 16 may have the type of the element.
    if let Some(element) = element
        && (s.release().has_properties() || s.pointee(pointer)?.is_none())
    {
        s.set_type("elem_type", element)?;
    }
    s.give(0, vec![count], inputs);
    s.give_results(results);
    Ok(Progress::Done)
}

/// `internal fastcc @name(%a: i32, ...) -> i32 attributes {…} {`
fn function<S: Syntax>(s: &mut S) -> Flow<S> {
    s.text(" ")?;
    linkage(s, "external")?;
    visibility(s)?;
    if S::PRINTS || s.declares("unnamed_addr") {
        case_word(s, "unnamed_addr", UNNAMED, "none", CaseClass::Number)?;
    }
    convention(s)?;
    s.symbol_name()?;
    let signature = FunctionSignature::of(s, "function_type")?;
    s.set_llvm_function_type("function_type", &signature.types, signature.is_variadic, &signature.results)?;
    scale_range(s)?;
    comdat(s)?;
    let mut shown = vec!["sym_name", "function_type", "arg_attrs", "res_attrs", "linkage", "CConv"];
    // In releases whose operation does not define these, they are attributes like any other.
    let later = ["visibility_", "comdat", "unnamed_addr", "vscale_range"];
    shown.extend(later.into_iter().filter(|name| s.declares(name)));
    s.attr_dict_with_keyword(&shown)?;
    signature.give_dictionaries(s)?;
    s.optional_body(signature.arguments)
}

/// ` vscale_range(1, 16)`, or nothing.
fn scale_range<S: Syntax>(s: &mut S) -> Written<S> {
    if !s.declares("vscale_range") {
        return Ok(());
    }
    let known_attribute = s.attr("vscale_range");
    if !s.optional_text(" vscale_range(", |_| Ok(known_attribute.is_some()))? {
        return Ok(());
    }
    let known_text = known_attribute.and_then(|range| s.text_of(range));
    let text = known_text.as_deref().unwrap_or_default();
    let mut bounds = text.split(['=', ',', ':', '>']).filter_map(|part| part.trim().parse().ok());
    let (least, most) = (bounds.next(), bounds.next());
    let least = s.integer(least)?;
    s.text(", ")?;
    let most = s.integer(most)?;
    s.text(")")?;
    let range = format!("#llvm.vscale_range<minRange = {least} : i32, maxRange = {most} : i32>");
    if S::PRINTS && text != range {
        s.lose("the type of the bounds of a range");
    }
    s.set_text("vscale_range", &range)
}

/// `thread_local`, or `thread_local(initialexec)`
fn thread_local<S: Syntax>(s: &mut S) -> Written<S> {
    const MODELS: &[&str] = &["localdynamic", "initialexec", "localexec"];
    if S::PRINTS {
        if s.attr("thread_local_").is_some() {
            s.text("thread_local ")?;
        }
        return case_word(s, "tls_mode", &[], "", CaseClass::Number);
    }
    if !s.declares("tls_mode") {
        return s.unit_keyword("thread_local", "thread_local_").map(drop);
    }
    let mut mode = 0;
    if s.optional_text("thread_local", |_| Ok(false))? {
        mode = 1;
        if s.optional_text("(", |_| Ok(false))? {
            let word = s.optional_word(None, MODELS)?;
            let place = MODELS.iter().position(|model| Some(*model) == word);
            let Some(place) = place else {
                return Err(s.refuse("the model is `localdynamic`, `initialexec` or `localexec`"));
            };
            mode = place as i64 + 2;
            s.text(")")?;
        }
    }
    s.set_integer("tls_mode", mode, "i64")
}

/// The words before the names of globals, aliases and resolved functions (`printCommonGlobalAndAlias`).
pub(in crate::assembly) fn common<S: Syntax>(s: &mut S) -> Written<S> {
    s.text(" ")?;
    linkage(s, "")?;
    visibility(s)?;
    thread_local(s)?;
    case_word(s, "unnamed_addr", UNNAMED, "none", CaseClass::Number)
}

/// `internal constant @name(1 : i32) {…} : i32 {`
fn global<S: Syntax>(s: &mut S) -> Flow<S> {
    common(s)?;
    s.unit_keyword("constant ", "constant")?;
    s.symbol_name()?;
    s.text("(")?;
    let mut value = s.attr("value");
    if !s.at(TokenKind::RightParen, |_| Ok(value.is_none()))? {
        value = Some(s.named("value")?);
    }
    s.text(")")?;
    comdat(s)?;
    s.attr_dict(&[
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "tls_mode",
        "visibility_",
        "comdat",
    ])?;
    let length = value.and_then(|value| s.string_length(value));
    if s.optional_text(" : ", |_| Ok(length.is_none()))? {
        s.type_attribute("global_type")?;
        return s.optional_body(Vec::new());
    }
    let Some(length) = length else { return Err(s.refuse("only a string needs no type")) };
    // The parser makes the type of the string (`parseGlobalOp`).
    if S::PRINTS {
        let r#type = s.attr("global_type").and_then(|of| s.type_in(of));
        if r#type.and_then(|of| s.llvm_string_length(of)) != Some(length as u64) {
            s.lose("the type of its string attribute");
        }
    } else if let Some(r#type) = s.named_type(&format!("!llvm.array<{length} x i8>"))? {
        s.set_type("global_type", r#type)?;
    }
    Ok(Progress::Done)
}
