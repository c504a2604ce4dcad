//! Operations of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax};
use crate::attr::text::lexer::TokenKind;

forms! {
    /// The type of the result follows from the type of the base and constant indices.
    AccessChain: "AccessChain" | "InBoundsPtrAccessChain" | "PtrAccessChain" => access_chain,
    /// The text has the type of the result only if the value does not imply it.
    Constant: "Constant" => constant,
    /// A word precedes the operation of the region, which is in generic form.
    ConstantOperation: "SpecConstantOperation" => constant_operation,
    /// The access of the target is the default of the access of the source.
    CopyMemory: "CopyMemory" => copy_memory,
    /// The text may have one type, or a function type.
    OneResult: "GL.FClamp" | "GL.Fma" | "GL.SClamp" | "GL.UClamp" => one_result;
    /// The form is for printing: MLIR stores the type of a graph as text that it does not read.
    Graph: "ARM.Graph" => graph,
}

/// A case of the enumeration in an attribute, as a string.
fn quoted_case<S: Syntax>(s: &mut S, class: &str, known_name: &str, name: &str) -> Result<String, S::Error> {
    let known_case = s.case(known_name)?;
    let text = s.quoted(Some(known_case.as_bytes()))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    s.set_text(name, &format!("#spirv.{class}<{text}>"))?;
    Ok(text)
}

/// `@name(%a: !spirv.arm.tensor<4xi32>) -> !spirv.arm.tensor<4xi32> {`
fn graph<S: Syntax>(s: &mut S) -> Flow<S> {
    s.text(" ")?;
    s.symbol_name()?;
    let signature = FunctionSignature::of(s, "function_type")?;
    s.attr_dict_with_keyword(&["sym_name", "function_type", "arg_attrs", "res_attrs"])?;
    s.optional_body(signature.arguments)
}

/// The pointee and the storage class of a pointer that was read.
pub(in crate::assembly) fn pointer_parts<S: Syntax>(
    s: &mut S,
    pointer: S::Type,
) -> Result<(String, String), S::Error> {
    let text = s.type_text(pointer).unwrap_or_default();
    let inner = text.strip_prefix("!spirv.ptr<").and_then(|text| text.strip_suffix('>'));
    match inner.and_then(|inner| inner.rsplit_once(", ")) {
        Some((pointee, class)) => Ok((pointee.to_owned(), class.to_owned())),
        None => Err(s.refuse("the type is `!spirv.ptr<…>`")),
    }
}

/// A pointer to a type that was read.
pub(in crate::assembly) fn pointer_to<S: Syntax>(
    s: &mut S,
    pointee: Option<S::Type>,
    class: &str,
) -> Result<Option<S::Type>, S::Error> {
    let Some(text) = pointee.and_then(|pointee| s.type_text(pointee)) else { return Ok(None) };
    s.named_type(&format!("!spirv.ptr<{text}, {class}>"))
}

/// `1 : i32`, or `[1, 2] : !spirv.array<2 x i32>`
fn constant<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let (value, results) = (s.attr("value"), s.all_results());
    s.require(results.len() == 1 || !S::PRINTS)?;
    s.text(" ")?;
    let value = s.attribute(value)?;
    s.set("value", value);
    let result = results.first().copied();
    let value_type = s.elements_type(value);
    let mut shows_type = !S::PRINTS && value_type.is_none_or(|of| s.needs_type(of));
    if let Some(result) = result {
        shows_type = s.is_dialect_type(result, "spirv.array");
        let value_type = value_type.filter(|_| s.type_in(value).is_none());
        let has_type = value_type.is_some_and(|of| s.is_same_type(of, result));
        // The parser wants a type after a tensor, and only there (`ConstantOp::parse`).
        if !(has_type || shows_type && value_type.is_none_or(|of| s.needs_type(of))) {
            s.lose("that its value and its result have different types");
        }
    }
    let r#type = match (shows_type, value_type) {
        (false, Some(value_type)) => value_type,
        (false, None) => return Ok(Progress::Done),
        (true, _) => s.type_after(" : ", result)?,
    };
    s.give_results(vec![r#type]);
    Ok(Progress::Done)
}

/// ` ["Aligned", 4]`, or nothing (`printMemoryAccessAttribute`). The printer takes the case from the attribute `known`; the parser
/// gives the attributes with the names after it.
pub(in crate::assembly) fn access<S: Syntax>(
    s: &mut S,
    known: &str,
    [access, alignment]: [&str; 2],
    known_alignment: Option<i64>,
) -> Result<bool, S::Error> {
    s.text("[")?;
    let text = quoted_case(s, "memory_access", known, access)?;
    let is_aligned = text.split('|').any(|one| one.trim() == "Aligned");
    let shows_alignment = is_aligned && (known_alignment.is_some() || !S::PRINTS);
    if shows_alignment {
        s.text(", ")?;
        let number = s.integer(known_alignment)?;
        s.set_integer(alignment, number, "i32")?;
    }
    s.text("]")?;
    Ok(shows_alignment)
}

/// `"Function" %p`; the class of a pointer that was read.
pub(in crate::assembly) fn pointer_with_class<S: Syntax>(
    s: &mut S,
    known_value: Option<S::Value>,
) -> Result<(String, S::Value), S::Error> {
    let class = known_value.and_then(|known_value| s.storage_class(known_value));
    s.text(" ")?;
    let class = s.quoted(class.as_deref().map(str::as_bytes))?;
    s.text(" ")?;
    let value = s.value(known_value)?;
    Ok((String::from_utf8_lossy(&class).into_owned(), value))
}

fn first_integer<S: Syntax>(s: &mut S, name: &str) -> Option<i64> {
    s.integers_of(name)?.first().copied()
}

/// `"Function" %a, "Function" %b ["Aligned", 4], ["Aligned", 4] : f32`
fn copy_memory<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(operands.len() == 2 || !S::PRINTS)?;
    s.text(" ")?;
    let (target_class, target) = pointer_with_class(s, operands.first().copied())?;
    s.text(", ")?;
    let (source_class, source) = pointer_with_class(s, operands.get(1).copied())?;
    let mut elided = vec!["storage_class"];
    let alignment = first_integer(s, "alignment");
    if s.at(TokenKind::LeftSquare, |s| Ok(s.attr("memory_access").is_some()))? {
        elided.push("memory_access");
        s.text(" ")?;
        if access(s, "memory_access", ["memory_access", "alignment"], alignment)? {
            elided.push("alignment");
        }
    }
    if s.optional_text(", ", |_| Ok(true))? {
        // If the source declares no access, the access of the target is used.
        let access_name = ["source_memory_access", "memory_access"];
        let access_name = access_name.into_iter().find(|name| s.attr(name).is_some());
        if s.at(TokenKind::LeftSquare, |_| Ok(access_name.is_some()))? {
            elided.push("source_memory_access");
            if access_name == Some("memory_access") {
                s.lose("that it has no access to its source");
            }
            let alignment = first_integer(s, "source_alignment").or(alignment);
            s.text(" ")?;
            let names = ["source_memory_access", "source_alignment"];
            if access(s, access_name.unwrap_or_default(), names, alignment)? {
                elided.push("source_alignment");
            }
        }
    }
    // MLIR prints attributes before the type, and reads them after it.
    if S::PRINTS {
        s.attr_dict(&elided)?;
    }
    s.text(" : ")?;
    let target_type = s.types_of(operands.get(..1).unwrap_or_default()).first().copied();
    let pointee = s.spirv_pointee(target_type)?;
    if !S::PRINTS {
        s.attr_dict(&elided)?;
    }
    let pointer_type = pointer_to(s, pointee, &target_class)?;
    s.give_of_type(0, vec![target], pointer_type);
    let pointer_type = pointer_to(s, pointee, &source_class)?;
    s.give_of_type(1, vec![source], pointer_type);
    Ok(Progress::Done)
}

// ---- operations that print nothing but their operands and types ----

/// `%a, %b, %c : f32`, or `(%a, %b) : (f32, f32) -> f32` (`printOneResultOp`)
fn one_result<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    if s.at(TokenKind::LeftParen, |_| Ok(false))? {
        let values = s.values_in(Bracket::Round, &[])?;
        s.attr_dict(&[])?;
        s.text(" : ")?;
        let (types, results) = s.function_type(&[], &[])?;
        s.give_all(values, types);
        s.give_results(results);
        return Ok(Progress::Done);
    }
    let (operands, results) = (s.all_operands(), s.all_results());
    if S::PRINTS {
        let &[result] = &results[..] else { return Err(s.refuse("it has one result")) };
        for r#type in s.types_of(&operands) {
            let is_same = s.is_same_type(r#type, result);
            s.require(is_same)?;
        }
    }
    s.text(" ")?;
    let values = s.values(&operands)?;
    s.attr_dict(&[])?;
    let r#type = s.type_after(" : ", results.first().copied())?;
    let types = values.iter().map(|_| r#type).collect();
    s.give_all(values, types);
    s.give_results(vec![r#type]);
    Ok(Progress::Done)
}

/// `%p[%i, %j] : !spirv.ptr<…>, i32, i32`, of releases before MLIR 20, or with `-> type`
fn access_chain<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    let operands = s.all_operands();
    s.require(!operands.is_empty() || !S::PRINTS)?;
    let known_indices = operands.get(1..).unwrap_or_default();
    s.text(" ")?;
    let base = s.value(operands.first().copied())?;
    let mut indices = s.values_in(Bracket::Square, known_indices)?;
    if !S::PRINTS {
        s.attr_dict(&[])?;
    }
    let base_type = s.types_of(operands.get(..1).unwrap_or_default()).first().copied();
    s.text(" : ")?;
    if S::PRINTS {
        s.r#type(base_type)?;
        s.text(", ")?;
        if known_indices.is_empty() {
            // MLIR prints nothing here, but does not parse a list without types.
            s.lose("that a list of types is empty");
        }
        let known_types = s.types_of(known_indices);
        s.types(&known_types)?;
        s.lose_discardable();
        return Ok(Progress::Done);
    }
    let mut types = s.types(&[])?;
    s.same_count(indices.len() + 1, types.len())?;
    let pointer = types.remove(0);
    let has_element = s.definition().operands().len() > 2;
    let member_indices = indices.split_off(usize::from(has_element).min(indices.len()));
    let index_types = types.split_off(usize::from(has_element).min(types.len()));
    let result = match s.optional_text(" -> ", |_| Ok(false))? {
        true => s.r#type(None)?,
        false => {
            let (pointee, class) = pointer_parts(s, pointer)?;
            let element = s.chain_element(pointee, &member_indices)?;
            let result = pointer_to(s, element, &class)?;
            s.some(result)?
        }
    };
    s.give_results(vec![result]);
    s.give(0, vec![base], vec![pointer]);
    if has_element {
        s.give(1, indices, types);
    }
    s.give(1 + usize::from(has_element), member_indices, index_types);
    Ok(Progress::Done)
}

/// `wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32`
fn constant_operation<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    s.text(" wraps ")?;
    let results = s.wrapped_operation(0)?;
    if !S::PRINTS {
        s.attr_dict(&[])?;
    }
    s.lose_discardable();
    s.give_results(results);
    Ok(Progress::Done)
}
