//! Operations of `nvvm` (`mlir/lib/Dialect/LLVMIR/IR/NVVMDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax, Written};
use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;
use crate::attr::text::lexer::TokenKind;

forms! {
    /// The types of registers determine the types of the multiplicands.
    Mma: "mma.sync" | "mma.sp.sync" | "mma.block_scale" | "mma.sp.block_scale" => mma,
}

/// The attributes of `nvvm.mma.sync` with their words in its text, in their order there.
const MMA_WORDS: &[(&str, &str)] = &[
    ("shape", "shape"),
    ("b1Op", "b1_op"),
    ("intOverflowBehavior", "int_overflow"),
    ("layoutA", "layout_a"),
    ("layoutB", "layout_b"),
    ("multiplicandAPtxType", "multiplicand_a_ptx_type"),
    ("multiplicandBPtxType", "multiplicand_b_ptx_type"),
];

const MULTIPLICANDS: [&str; 2] = ["multiplicandAPtxType", "multiplicandBPtxType"];

/// `A[%a, %b]`; the brackets may be missing.
fn registers<S: Syntax>(
    s: &mut S,
    keyword: &str,
    known_values: &[S::Value],
) -> Result<Vec<S::Value>, S::Error> {
    s.text(" ")?;
    s.text(keyword)?;
    match s.at(TokenKind::LeftSquare, |_| Ok(true))? {
        true => s.values_in(Bracket::Square, known_values),
        false => s.values(known_values),
    }
}

/// `A[%a, %b] B[%c] C[%d] {…} : (type, type, type) -> type`
fn mma<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let name = s.definition().name();
    let (is_sparse, is_scaled, is_plain) =
        (name.contains(".sp."), name.ends_with("block_scale"), name == "nvvm.mma.sync");
    let (mut fragments, mut first_types) = (Vec::new(), Vec::new());
    for (group, keyword) in ["A", "B", "C"].into_iter().enumerate() {
        let known_registers = s.operands(group)?;
        s.require(!known_registers.is_empty() || !S::PRINTS)?;
        first_types.extend(s.types_of(known_registers.get(..1).unwrap_or_default()));
        fragments.push(registers(s, keyword, &known_registers)?);
        s.text(if is_plain { " " } else { "" })?;
    }
    let mut single = Vec::new();
    let mut lists: Vec<(&str, &[&str])> = Vec::new();
    if is_sparse {
        lists.extend([("sparseMetadata", &["i32"][..]), ("selector", &["i32"][..])]);
    }
    if is_scaled {
        lists.extend([("scaleA", &["i32", "i16", "i16"][..]), ("scaleB", &["i32", "i16", "i16"][..])]);
    }
    for (keyword, types) in lists {
        let mut known_registers = Vec::new();
        for place in 0..types.len() {
            known_registers.extend_from_slice(&s.operands(3 + single.len() + place)?);
        }
        let values = registers(s, keyword, &known_registers)?;
        s.same_count(values.len(), types.len())?;
        single.extend(values.into_iter().zip(types.iter().copied()));
    }
    let elided = inferred(s, &first_types, is_plain);
    if is_plain && s.release().brackets_cases() {
        words(s, &elided)?;
        s.attr_dict(&MMA_WORDS.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
    } else {
        s.attr_dict(&elided)?;
    }
    s.text(" : ")?;
    let results = s.all_results();
    let (types, results) = s.function_type(&first_types, &results)?;
    s.same_count(fragments.len(), types.len())?;
    infer_multiplicands(s, &types, is_plain, is_scaled)?;
    if is_sparse && is_scaled && s.attr("orderedMetadata").is_none() {
        s.set_unit("orderedMetadata")?;
    }
    for (place, (values, r#type)) in fragments.into_iter().zip(types).enumerate() {
        s.give_of_type(place, values, Some(r#type));
    }
    for (place, (value, text)) in single.into_iter().enumerate() {
        let r#type = s.named_type(text)?;
        s.give_of_type(place + 3, vec![value], r#type);
    }
    s.give_results(results);
    Ok(Progress::Done)
}

/// `shape = <m = 16, n = 8, k = 16>, layout_a = row`
fn words<S: Syntax>(s: &mut S, elided: &[&str]) -> Written<S> {
    let mut separator = " ";
    for (name, word) in MMA_WORDS.iter().filter(|_| S::PRINTS) {
        let Some(value) = s.attr(name).filter(|_| !elided.contains(name)) else { continue };
        s.text(separator)?;
        s.text(word)?;
        s.text(" = ")?;
        let text = s.text_of(value);
        let text = s.some(text)?;
        let inner = text.find('<').map(|at| &text[at..]);
        let inner = s.some(inner)?;
        // Only the shape has brackets.
        let case = inner.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let shown = if *name == "shape" { Some(inner) } else { case };
        s.word(shown, "")?;
        separator = ", ";
    }
    let all: Vec<&'static str> = MMA_WORDS.iter().map(|(_, word)| *word).collect();
    while !S::PRINTS
        && let Some(found) = s.optional_word(None, &all)?
    {
        s.text("=")?;
        let name = MMA_WORDS.iter().find(|(_, word)| *word == found).map_or("", |(name, _)| name);
        s.declared_attribute(name)?;
        if !s.optional_text(",", |_| Ok(false))? {
            break;
        }
    }
    Ok(())
}

/// Returns the attributes of multiplicands whose types follow from their registers; in `nvvm.mma.sync`, the first
/// register decides about both.
fn inferred<S: Syntax>(s: &mut S, first_types: &[S::Type], is_plain: bool) -> Vec<&'static str> {
    let mut elided = Vec::new();
    for (place, name) in MULTIPLICANDS.into_iter().enumerate() {
        let place = if is_plain { 0 } else { place };
        if first_types.get(place).is_some_and(|&of| infers_multiplicand(s, of)) {
            elided.push(name);
        }
    }
    elided
}

/// Whether a register has the type of its multiplicand: `f16`, `f32`, `f64`, `vector<2xf16>`.
fn infers_multiplicand<S: Syntax>(s: &mut S, r#type: S::Type) -> bool {
    match s.number_type(r#type) {
        Some(Element::Float(Semantics::F16 | Semantics::F32 | Semantics::F64)) => true,
        Some(Element::Float(_)) => false,
        _ => match s.vector_parts(r#type) {
            Some((sizes, scalable, element)) => {
                sizes == [2]
                    && scalable == [false]
                    && s.number_type(element) == Some(Element::Float(Semantics::F16))
            }
            None => false,
        },
    }
}

fn infer_multiplicands<S: Syntax>(
    s: &mut S,
    types: &[S::Type],
    is_plain: bool,
    is_scaled: bool,
) -> Written<S> {
    for (place, attribute) in MULTIPLICANDS.into_iter().enumerate().filter(|_| !S::PRINTS) {
        if s.attr(attribute).is_some() {
            continue;
        }
        let text = types.get(place).and_then(|&of| s.type_text(of));
        match text.and_then(|text| mma_type(&text, is_plain)) {
            Some(inferred) => s.set_text(attribute, &format!("#nvvm.mma_type<{inferred}>"))?,
            None if is_scaled => {}
            None => return Err(s.refuse(format!("`{attribute}` is missing, and cannot be inferred"))),
        }
    }
    Ok(())
}

/// The type of the elements in registers of a type (`inferOperandMMAType`).
fn mma_type(mut text: &str, is_accumulator: bool) -> Option<&'static str> {
    while let Some(inner) = text.strip_prefix("!llvm.struct<(").or_else(|| text.strip_prefix("struct<(")) {
        text = inner;
    }
    let end = text.find([',', ')']).unwrap_or(text.len());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match &text[..end] {
        "f64" => Some("f64"),
        "f16" | "vector<2xf16>" => Some("f16"),
        "f32" => Some(if is_accumulator { "f32" } else { "tf32" }),
        first if is_accumulator && first.strip_prefix('i').is_some_and(is_number) => Some("s32"),
        _ => None,
    }
}
