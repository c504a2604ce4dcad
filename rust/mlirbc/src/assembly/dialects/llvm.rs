//! Operations of `llvm` (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`), without those that call.

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::steps::Steps;
use crate::assembly::{Flow, RegionStyle, Step, Syntax, Values, Written};
use crate::attr::text::lexer::TokenKind;

use super::llvm_calls::{call, intrinsic, invoke, landing_pad};

forms! {
    Alias: "mlir.alias" => alias,
    Alloca: "alloca" => alloca,
    Assume: "intr.assume" => assume,
    AtomicRmw: "atomicrmw" => read_modify_write,
    Call: "call" => call,
    CallIntrinsic: "call_intrinsic" => intrinsic,
    CompareExchange: "cmpxchg" => compare_exchange,
    Fence: "fence" => fence,
    Function: "func" => function,
    Global: "mlir.global" => global,
    Ifunc: "mlir.ifunc" => ifunc,
    Invoke: "invoke" => invoke,
    LandingPad: "landingpad" => landing_pad,
    Load: "load" => load,
    Store: "store" => store,
}

const LINKAGES: &[&str] = &[
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "weak",
    "common",
    "appending",
    "extern_weak",
    "linkonce_odr",
    "weak_odr",
    "external",
];
const VISIBILITIES: &[&str] = &["", "hidden", "protected"];
const UNNAMED: &[&str] = &["", "local_unnamed_addr", "unnamed_addr"];
const CONVENTIONS: &[&str] = &[
    "ccc",
    "fastcc",
    "coldcc",
    "cc_10",
    "cc_11",
    "anyregcc",
    "preserve_mostcc",
    "preserve_allcc",
    "swiftcc",
    "cxx_fast_tlscc",
    "tailcc",
    "cfguard_checkcc",
    "swifttailcc",
    "x86_stdcallcc",
    "x86_fastcallcc",
    "arm_apcscc",
    "arm_aapcscc",
    "arm_aapcs_vfpcc",
    "msp430_intrcc",
    "x86_thiscallcc",
    "ptx_kernelcc",
    "ptx_devicecc",
    "spir_funccc",
    "spir_kernelcc",
    "intel_ocl_bicc",
    "x86_64_sysvcc",
    "win64cc",
    "x86_vectorcallcc",
    "hhvmcc",
    "hhvm_ccc",
    "x86_intrcc",
    "avr_intrcc",
    "avr_builtincc",
    "amdgpu_vscc",
    "amdgpu_gscc",
    "amdgpu_cscc",
    "amdgpu_kernelcc",
    "x86_regcallcc",
    "amdgpu_hscc",
    "msp430_builtincc",
    "amdgpu_lscc",
    "amdgpu_escc",
    "aarch64_vectorcallcc",
    "aarch64_sve_vectorcallcc",
    "wasm_emscripten_invokecc",
    "amdgpu_gfxcc",
    "m68k_intrcc",
];

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
        true => case_word(s, "CConv", CONVENTIONS, "ccc", CaseClass::Named("llvm.cconv")),
        false => Ok(()),
    }
}

fn linkage<S: Syntax>(s: &mut S, default: &'static str) -> Written<S> {
    // Without the attribute, a global has no word.
    let default = if S::PRINTS { default } else { "external" };
    case_word(s, "linkage", LINKAGES, default, CaseClass::Named("llvm.linkage"))
}

fn visibility<S: Syntax>(s: &mut S) -> Written<S> {
    match S::PRINTS || s.declares("visibility_") {
        true => case_word(s, "visibility_", VISIBILITIES, "default", CaseClass::Number),
        false => Ok(()),
    }
}

/// `volatile` before the operands.
fn volatile<S: Syntax>(s: &mut S) -> Written<S> {
    s.unit_keyword(" volatile", "volatile_")?;
    s.text(" ")
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
        // That of the pointer, before release 17.
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
    Ok(Step::Done)
}

/// `internal fastcc @name(%a: i32, ...) -> i32 attributes {…} {`
fn function<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return Ok(Step::Done);
    }
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
    let known = s.attr("vscale_range");
    if !s.optional_text(" vscale_range(", |_| Ok(known.is_some()))? {
        return Ok(());
    }
    let known = known.and_then(|range| s.text_of(range));
    let text = known.as_deref().unwrap_or_default();
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

/// What globals, aliases and resolved functions begin with (`printCommonGlobalAndAlias`).
fn common<S: Syntax>(s: &mut S) -> Written<S> {
    s.text(" ")?;
    linkage(s, "")?;
    visibility(s)?;
    thread_local(s)?;
    case_word(s, "unnamed_addr", UNNAMED, "none", CaseClass::Number)
}

/// `internal @name : i32 {`
fn alias<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return Ok(Step::Done);
    }
    common(s)?;
    s.symbol_name()?;
    s.attr_dict(&[
        "sym_name",
        "alias_type",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "tls_mode",
        "visibility_",
    ])?;
    s.text(" : ")?;
    s.type_attribute("alias_type")?;
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, Vec::new())
}

/// `external @name : !llvm.func<…>, !llvm.ptr @resolver`, which a declarative format prints.
fn ifunc<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    s.require(!S::PRINTS)?;
    common(s)?;
    s.symbol_name()?;
    s.text(" : ")?;
    s.type_attribute("i_func_type")?;
    s.text(", ")?;
    s.type_attribute("resolver_type")?;
    s.text(" ")?;
    s.named("resolver")?;
    s.attr_dict(&[])?;
    Ok(Step::Done)
}

/// `internal constant @name(1 : i32) {…} : i32 {`
fn global<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return Ok(Step::Done);
    }
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
    Ok(Step::Done)
}

/// `%a ["tag"(%b : i32)] : i1`, which a declarative format prints.
fn assume<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    s.require(!S::PRINTS)?;
    let condition = s.value(None)?;
    super::llvm_calls::bundles(s)?;
    let r#type = s.type_after(" : ", None)?;
    s.attr_dict(&[])?;
    s.give(0, vec![condition], vec![r#type]);
    Ok(Step::Done)
}

// ---- operations of MLIR 16, whose pointers may have the type of what they point to ----

/// `volatile %p : !llvm.ptr -> i32`, or `%p : !llvm.ptr<i32>`
fn load<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    s.require(operands.len() == 1 || !S::PRINTS)?;
    volatile(s)?;
    let address = s.value(operands.first().copied())?;
    s.attr_dict(&["volatile_", "elem_type"])?;
    let pointer = s.types_of(&operands).first().copied();
    let pointer = s.type_after(" : ", pointer)?;
    let element = match s.pointee(pointer)? {
        Some(element) => Some(element),
        None => {
            let is_shown = !S::PRINTS || s.is_opaque_pointer(pointer);
            match is_shown {
                true => Some(s.type_after(" -> ", results.first().copied())?),
                false => None,
            }
        }
    };
    s.give(0, vec![address], vec![pointer]);
    s.give_results(element.into_iter().collect());
    Ok(Step::Done)
}

/// `volatile %v, %p : i32, !llvm.ptr`, or `%v, %p : !llvm.ptr<i32>`
fn store<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(operands.len() == 2 || !S::PRINTS)?;
    volatile(s)?;
    let value = s.value(operands.first().copied())?;
    s.text(", ")?;
    let address = s.value(operands.get(1).copied())?;
    s.attr_dict(&["volatile_"])?;
    s.text(" : ")?;
    let types = s.types_of(&operands);
    let is_opaque = types.get(1).is_some_and(|&pointer| s.is_opaque_pointer(pointer));
    let shown = if is_opaque { types.first() } else { types.get(1) };
    let first = s.r#type(shown.copied())?;
    let (element, pointer) = match s.optional_text(", ", |_| Ok(is_opaque))? {
        true => (Some(first), s.r#type(types.get(1).copied())?),
        false => (s.pointee(first)?, first),
    };
    let Some(element) = element else {
        s.require(S::PRINTS)?;
        return Ok(Step::Done);
    };
    s.give(0, vec![value], vec![element]);
    s.give(1, vec![address], vec![pointer]);
    Ok(Step::Done)
}

/// A case of an enumeration as a bare word.
fn case<S: Syntax>(s: &mut S, name: &str) -> Written<S> {
    match S::PRINTS {
        true => {
            let text = s.case(name)?;
            s.text(&text)
        }
        false => s.declared_attribute(name),
    }
}

/// `add %pointer, %value monotonic {…} : i32`
fn read_modify_write<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (operands, results) = (s.all_operands(), s.all_results());
    s.text(" ")?;
    case(s, "bin_op")?;
    s.text(" ")?;
    let values = s.values(&operands)?;
    s.text(" ")?;
    case(s, "ordering")?;
    s.text(" ")?;
    s.attr_dict(&["bin_op", "ordering"])?;
    let r#type = s.type_after(" : ", results.first().copied())?;
    s.same_count(values.len(), 2)?;
    if let (&[pointer, value], Some(of_pointer)) = (&values[..], s.pointer_to(r#type)?) {
        s.give(0, vec![pointer], vec![of_pointer]);
        s.give(1, vec![value], vec![r#type]);
    }
    s.give_results(vec![r#type]);
    Ok(Step::Done)
}

/// `%pointer, %compared, %value acq_rel monotonic {…} : i32`
fn compare_exchange<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(operands.len() == 3 || !S::PRINTS)?;
    s.text(" ")?;
    let values = s.values(&operands)?;
    for name in ["success_ordering", "failure_ordering"] {
        s.text(" ")?;
        case(s, name)?;
    }
    s.attr_dict(&["success_ordering", "failure_ordering"])?;
    let shown = s.types_of(&operands).get(2).copied();
    let r#type = s.type_after(" : ", shown)?;
    s.same_count(values.len(), 3)?;
    if let (&[pointer, compared, value], Some(of_pointer)) = (&values[..], s.pointer_to(r#type)?) {
        s.give(0, vec![pointer], vec![of_pointer]);
        s.give(1, vec![compared], vec![r#type]);
        s.give(2, vec![value], vec![r#type]);
        let result = s.pair_with_bit(r#type)?;
        s.set_types(Values::Result(0), result.into_iter().collect());
    }
    Ok(Step::Done)
}

/// `syncscope("agent") release {…}`
fn fence<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let scope = s.attr("syncscope").and_then(|scope| s.string(scope));
    s.require(scope.is_some() || !S::PRINTS)?;
    s.text(" ")?;
    match s.optional_text("syncscope(", |_| Ok(scope.is_some_and(|scope| !scope.is_empty())))? {
        true => {
            s.named("syncscope")?;
            s.text(") ")?;
        }
        false => s.set_string("syncscope", b"")?,
    }
    case(s, "ordering")?;
    if !S::PRINTS {
        s.attr_dict(&[])?;
    }
    s.lose_discardable();
    Ok(Step::Done)
}
