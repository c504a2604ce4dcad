//! Operations of `llvm` of MLIR 16, whose pointers may have the type of what they point to
//! (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::assembly::steps::Steps;
use crate::assembly::{Flow, Step, Syntax, Values, Written};

/// `volatile` before the operands.
fn volatile<S: Syntax>(s: &mut S) -> Written<S> {
    s.unit_keyword(" volatile", "volatile_")?;
    s.text(" ")
}

/// `volatile %p : !llvm.ptr -> i32`, or `%p : !llvm.ptr<i32>`
pub(super) fn load<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
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
pub(super) fn store<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
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
pub(super) fn read_modify_write<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
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
pub(super) fn compare_exchange<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
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
pub(super) fn fence<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
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
