//! Pointers and composites of `spirv` (`mlir/lib/Dialect/SPIRV/IR`).

use crate::assembly::dialects::spirv::{access, pointer_parts, pointer_to, pointer_with_class};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    BlockPointer: "BlockPointer" => block_pointer,
    BlockType: "BlockType" => block_type,
    ChainTypes: "ChainTypes" => chain_types,
    CompositeType: "CompositeType" => composite_type,
    ExtendedType: "ExtendedType" => extended_type,
    MemoryAccess: "MemoryAccess" => memory_access,
    Pointee: "PointeeType" => pointee,
    Pointer: "Pointer" => pointer,
    PointerAndElements: "PointerAndElements" => pointer_and_elements,
    VariableType: "VariableType" => variable_type,
}

/// ` "Function" %p`, whose type is known when the type of the value is.
fn pointer<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    s.require(known_values.len() == 1 || !S::PRINTS)?;
    let (class, value) = pointer_with_class(s, known_values.first().copied())?;
    s.keep_word(class);
    s.add_values_at(call, 0, vec![value]);
    Ok(())
}

/// The type of the value that the pointer points to.
fn pointee<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.type_at(call, 0)?;
    let r#type = s.r#type(known_type)?;
    let class = s.kept_word().unwrap_or_default();
    if let Some(pointer) = pointer_to(s, Some(r#type), &class)? {
        s.set_types_at(call, 0, vec![r#type]);
        s.set_types_at(call, 1, vec![pointer]);
    }
    Ok(())
}

/// The type of the pointer, which is the first operand; the other operands and the result have the type of its pointee.
fn pointer_and_elements<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.type_at(call, 0)?;
    let pointer = s.r#type(known_type)?;
    if S::PRINTS {
        let operands = s.all_operands();
        let mut other_types = s.types_of(operands.get(1..).unwrap_or_default());
        other_types.extend(s.all_results().iter());
        s.implies_pointee(&other_types, pointer);
        return Ok(());
    }
    let (pointee, _) = pointer_parts(s, pointer)?;
    if let Some(pointee) = s.named_type(&pointee)? {
        s.set_operand_types(pointer, pointee);
        s.give_results(vec![pointee]);
    }
    Ok(())
}

/// ` ["Aligned", 4]`, or nothing
fn memory_access<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_attribute, alignment) = (s.attribute_at(call, 0)?, s.attribute_at(call, 1)?);
    let number = s.integer_at(call, 1)?;
    let mut shows_alignment = false;
    if s.at(TokenKind::LeftSquare, |_| Ok(known_attribute.is_some()))? {
        let (access_name, alignment_name) = (s.name_at(call, 0), s.name_at(call, 1));
        s.text(" ")?;
        shows_alignment = access(s, &access_name, [&access_name, &alignment_name], number)?;
    }
    s.require(alignment.is_none() || shows_alignment)
}

/// The type of a composite, which determines the type of its part.
fn composite_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = s.type_at(call, 0)?;
    let r#type = s.r#type(known_type)?;
    if S::PRINTS {
        return Ok(());
    }
    let indices = s.read_attribute_at(call, 1).and_then(|indices| s.integers_in(indices));
    let mut part = r#type;
    for index in indices.unwrap_or_default() {
        let member = match usize::try_from(index) {
            Ok(index) => s.spirv_element(part, index)?,
            Err(_) => None,
        };
        let Some(member) = member else {
            let text = s.type_text(part).unwrap_or_default();
            return Err(s.refuse(format!("`{text}` has no such element")));
        };
        part = member;
    }
    s.set_types_at(call, 0, vec![r#type]);
    s.set_types_at(call, 2, vec![part]);
    Ok(())
}

/// The types of a pointer and of indices, from which the type of the result follows.
fn chain_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_pointer, last) = (s.type_at(call, 0)?, S::argument_count(call).saturating_sub(1));
    let mut known_types = Vec::new();
    for place in 1..last {
        known_types.extend(s.types_at(call, place)?);
    }
    let pointer = s.r#type(known_pointer)?;
    s.text(", ")?;
    if known_types.is_empty() {
        // MLIR prints nothing here, but does not parse a list without types.
        s.lose("that a list of types is empty");
    }
    let mut index_types = s.types(&known_types)?;
    if S::PRINTS {
        return Ok(());
    }
    s.set_types_at(call, 0, vec![pointer]);
    for place in 1..last {
        let count = s.value_count_at(call, place);
        let later_types = index_types.split_off(count.min(index_types.len()));
        s.same_count(count, index_types.len())?;
        s.set_types_at(call, place, index_types);
        index_types = later_types;
    }
    s.same_count(0, index_types.len())?;
    let (indices, (pointee, class)) = (s.read_values_at(call, last - 1), pointer_parts(s, pointer)?);
    let element = s.chain_element(pointee, &indices)?;
    let result = pointer_to(s, element, &class)?;
    s.set_types_at(call, last, result.into_iter().collect());
    Ok(())
}

/// The type of a pointer, which determines the type of the initial value and the storage class.
fn variable_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let pointer = s.r#type(known_types.first().copied())?;
    if S::PRINTS {
        return Ok(());
    }
    let (pointee, class) = pointer_parts(s, pointer)?;
    if let Some(pointee) = s.named_type(&pointee)? {
        s.set_one_type_at(call, 1, pointee);
    }
    s.set_types_at(call, 0, vec![pointer]);
    s.set_text_at(call, 2, || format!("#spirv.storage_class<{class}>"))
}

/// The type of a structure of two members, whose type the operands have.
fn extended_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let structure = s.r#type(known_types.first().copied())?;
    let Some(member) = s.spirv_element(structure, 0)? else {
        return match S::PRINTS {
            true => Ok(()),
            false => Err(s.refuse("the type is a structure of two members")),
        };
    };
    s.set_types_at(call, 0, vec![structure]);
    for place in 1..S::argument_count(call) {
        s.set_types_at(call, place, vec![member]);
    }
    Ok(())
}

/// `"StorageBuffer" %p`, where MLIR prints no storage class, but does not parse that.
fn block_pointer<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_values = s.values_at(call, 0)?;
    if S::PRINTS {
        s.lose("the storage class of its pointer");
    } else {
        let class = s.quoted(None)?;
        s.keep_word(String::from_utf8_lossy(&class).into_owned());
    }
    let pointer = s.value(known_values.first().copied())?;
    s.add_values_at(call, 0, vec![pointer]);
    Ok(())
}

/// The type of a block, whose elements the pointer points to.
fn block_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 0)?;
    let block = s.r#type(known_types.first().copied())?;
    let class = s.kept_word().unwrap_or_default();
    let element = s.element_type(block)?.unwrap_or(block);
    if let Some(pointer) = pointer_to(s, Some(element), &class)? {
        s.set_types_at(call, 0, vec![block]);
        s.set_types_at(call, 1, vec![pointer]);
    }
    Ok(())
}
