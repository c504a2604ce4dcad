//! Functions of types.

use std::rc::Rc;

use crate::attr::text::parse::fields::{body_of, parts};
use crate::ops::Function;
use crate::wire::error::Result;

use super::super::type_cache::Shape;
use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::super::verifiers::{LONGEST, is_short};
use super::Evaluation;
use super::value::RuleValue;

/// Floats whose names do not contain their bits.
const FLOAT_BITS: &[(&str, i64)] = &[("BFloat16Type", 16), ("FloatTF32Type", 19)];

impl<'m> Evaluation<'_, 'm, '_> {
    pub(super) fn of_type(&mut self, function: Function, typed: &Rc<Typed>) -> Result<RuleValue<'m>> {
        use RuleValue as V;
        let is_read = is_short(&typed.r#type);
        let shape = typed.shape.as_ref().filter(|_| is_read);
        Ok(match function {
            Function::Rank => typed.shape.as_ref().map_or(V::Unknown, |shape| V::of_count(shape.rank())),
            Function::Shape => shape.map_or(V::Unknown, sizes),
            Function::Extents => shape.map_or(V::Unknown, |shape| {
                V::List(shape.sizes().iter().map(|&size| V::Number(size)).collect())
            }),
            Function::IsScalable => match typed.facts.kind {
                Kind::Unknown | Kind::Dialect => V::Unknown,
                _ => V::Bool(typed.facts.is_scalable),
            },
            Function::DynamicCount => shape.map_or(V::Unknown, |shape| {
                V::of_count(shape.sizes().iter().filter(|&&size| size < 0).count())
            }),
            Function::ElementCount => {
                let count = shape.and_then(Shape::element_count).and_then(|count| i64::try_from(count).ok());
                count.map_or(V::Unknown, V::Number)
            }
            Function::Element => match (typed.facts.is_shaped(), &typed.facts.element) {
                (Some(true), Some(element)) => V::Type(self.checker.types.part(element)?),
                (Some(false), _) => V::Type(typed.clone()),
                _ => V::Unknown,
            },
            Function::Kind => kind(typed),
            Function::Width => width(typed),
            Function::Sign => match typed.facts.kind {
                Kind::Integer => V::Text(typed.facts.integer.1.into()),
                _ => V::Unknown,
            },
            Function::Text => V::of_text(&typed.r#type.to_text_within(LONGEST)),
            Function::Inputs | Function::Outputs => self.signature(function, typed)?,
            _ if !is_read => V::Unknown,
            Function::Parameters => {
                let text = typed.r#type.to_text_within(LONGEST);
                let body = text.split_once('<').and_then(|(_, rest)| body_of(rest));
                let texts = |body: &str| parts(body).iter().map(|part| V::of_text(part.trim())).collect();
                body.map_or(V::Unknown, |body| V::List(texts(body)))
            }
            Function::LlvmText => V::Text(llvm_text(&typed.r#type.to_text_within(LONGEST)).into()),
            Function::LlvmInputs | Function::LlvmOutput => llvm_signature(
                &typed.r#type.to_text_within(LONGEST),
            )
            .map_or(V::Unknown, |(output, inputs)| match function {
                Function::LlvmInputs => V::List(inputs.iter().map(|text| V::of_text(text)).collect()),
                _ => V::of_text(&output),
            }),
            _ => V::Unknown,
        })
    }

    fn signature(&mut self, function: Function, typed: &Typed) -> Result<RuleValue<'m>> {
        let Some([inputs, outputs]) = &typed.signature else { return Ok(RuleValue::Unknown) };
        let types = if function == Function::Inputs { inputs } else { outputs };
        let types = types.iter().map(|one| Ok(RuleValue::Type(self.checker.types.part(one)?)));
        Ok(RuleValue::List(types.collect::<Result<Rc<[_]>>>()?))
    }
}

fn sizes<'m>(shape: &Shape) -> RuleValue<'m> {
    let size = |&size: &i64| if size < 0 { RuleValue::Unknown } else { RuleValue::Number(size) };
    RuleValue::List(shape.sizes().iter().map(size).collect())
}

fn kind<'m>(typed: &Typed) -> RuleValue<'m> {
    let name = match typed.facts.kind {
        Kind::Integer => "integer",
        Kind::Index => "index",
        Kind::Float => "float",
        Kind::Complex => "complex",
        Kind::Tuple => "tuple",
        Kind::None => "none",
        Kind::Function => "function",
        Kind::Vector => "vector",
        Kind::RankedTensor => "tensor",
        Kind::UnrankedTensor => "unranked_tensor",
        Kind::MemRef => "memref",
        Kind::UnrankedMemRef => "unranked_memref",
        Kind::Dialect => &typed.facts.class,
        Kind::Unknown => return RuleValue::Unknown,
    };
    RuleValue::Text(name.into())
}

fn width<'m>(typed: &Typed) -> RuleValue<'m> {
    let class = &*typed.facts.class;
    let bits = match typed.facts.kind {
        Kind::Integer => i64::try_from(typed.facts.integer.0).ok(),
        Kind::Float => FLOAT_BITS.iter().find(|row| row.0 == class).map(|row| row.1).or_else(|| {
            let digits = class.strip_prefix("Float")?;
            digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        }),
        _ => None,
    };
    bits.map_or(RuleValue::Unknown, RuleValue::Number)
}

/// Returns the text of a type within a type of LLVM, without spaces.
fn llvm_text(text: &str) -> String {
    let text = text.strip_prefix("!llvm.").unwrap_or(text);
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns the result and the inputs of a function type of LLVM.
fn llvm_signature(text: &str) -> Option<(String, Vec<String>)> {
    let body = text.strip_prefix("!llvm.func<").and_then(body_of)?.trim();
    let inside = body.strip_suffix(')')?;
    let mut depth = 0;
    let open = inside.char_indices().rev().find_map(|(place, letter)| {
        match letter {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(place),
            '(' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let (output, inputs) = (inside.get(..open)?, inside.get(open + 1..)?);
    let inputs = if inputs.trim().is_empty() { Vec::new() } else { parts(inputs) };
    Some((llvm_text(output.trim()), inputs.iter().map(|text| llvm_text(text.trim())).collect()))
}

#[cfg(test)]
mod tests {
    use super::llvm_signature;

    #[test]
    fn signatures_of_llvm_are_split() {
        let split = |text| llvm_signature(text).map(|(output, inputs)| (output, inputs.join("|")));
        let pair = |output: &str, inputs: &str| Some((output.to_owned(), inputs.to_owned()));
        assert_eq!(split("!llvm.func<void ()>"), pair("void", ""));
        assert_eq!(split("!llvm.func<i32 (ptr, ...)>"), pair("i32", "ptr|..."));
        assert_eq!(
            split("!llvm.func<struct<(i32, f32)> (struct<(i8, i8)>, i1)>"),
            pair("struct<(i32,f32)>", "struct<(i8,i8)>|i1")
        );
        assert_eq!(split("!llvm.ptr"), None);
    }
}
