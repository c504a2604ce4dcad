//! Types that follow from others by texts: a type around another one, or inside of one.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};
use crate::attr::text::items::{inside, split_at};

directives! {
    ElementOf: "ElementOf" => element_of,
    InnerIfPresent: "InnerTypeIfPresent" => inner_if_present,
    TypeIfPresent: "OptionalTypeMatch" | "TypeIfPresent" => type_if_present,
}

/// The text of `!NAME<inner>`, and the inner type with its prefix, which types of one dialect may lack within one another.
fn around(name: &str, inner: &str, is_short: bool) -> String {
    let dialect = name.split('.').next().unwrap_or_default();
    let inner = if is_short { inner.strip_prefix(&format!("!{dialect}.")).unwrap_or(inner) } else { inner };
    format!("!{name}<{inner}>")
}

/// The first parameter of a type, as a type of its own.
fn first_inside(text: &str) -> Option<String> {
    let (head, _) = text.split_once('<')?;
    let inner = *split_at(inside(text), b',')?.first()?;
    let dialect = head.strip_prefix('!')?.split('.').next()?;
    let word = inner.split(['<', ' ']).next().unwrap_or(inner);
    // A type of the dialect lacks its prefix; builtin types with parameters have these names.
    let is_builtin = matches!(word, "vector" | "tensor" | "memref" | "tuple" | "complex");
    let lacks_prefix =
        inner.contains('<') && word.starts_with(|c: char| c.is_ascii_lowercase()) && !is_builtin;
    Some(if lacks_prefix { format!("!{dialect}.{inner}") } else { inner.to_owned() })
}

/// The type of elements, of which the first argument is a collection: `!NAME<element>`, where the third argument says the name
/// and a fourth one that the element has no prefix. Further types are those of the elements.
fn element_of<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let name = S::code_at(call, 2).unwrap_or_default().to_owned();
    let is_short = S::code_at(call, 3).is_some();
    if S::PRINTS {
        let known_type = s.types_at(call, 0)?.first().copied();
        let text = known_type.and_then(|known_type| s.text_of_type(known_type));
        let text = s.some(text)?;
        let inner = s.some(first_inside(&text))?;
        // A type with more parameters is not the one that a parser makes.
        s.require(around(&name, &inner, is_short) == text)?;
        match s.types_at(call, 1)?.first() {
            Some(&element) => {
                let elements = s.types_at(call, 1)?;
                s.implies(&elements, &inner);
                s.r#type(Some(element))?;
            }
            None => s.raw(inner.as_bytes()),
        }
        return Ok(());
    }
    let element = s.r#type(None)?;
    let text = s.text_of_type(element);
    let text = s.some(text)?;
    let collection = s.named_type(&around(&name, &text, is_short))?;
    s.set_types_at(call, 0, collection.into_iter().collect());
    s.set_one_type_at(call, 1, element);
    Ok(())
}

/// Nothing: an optional operand has the type that the first argument says, or `!NAME<type>` if a text says the name.
fn type_if_present<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let wrapped = S::code_at(call, 3).map(str::to_owned);
    if S::PRINTS {
        let (source_types, value_types) = (s.types_at(call, 0)?, s.types_at(call, 2)?);
        let Some(&source_types) = source_types.first() else { return Ok(()) };
        match &wrapped {
            None => s.implies_same(&value_types, source_types),
            Some(name) => {
                let text = s.text_of_type(source_types);
                let text = s.some(text)?;
                s.implies(&value_types, &around(name, &text, false));
            }
        }
        return Ok(());
    }
    let Some(&of) = s.read_types_at(call, 0).first() else { return Ok(()) };
    if s.value_count_at(call, 1) == 0 {
        return Ok(());
    }
    let r#type = match wrapped {
        None => Some(of),
        Some(name) => {
            let text = s.text_of_type(of);
            let text = s.some(text)?;
            s.named_type(&around(&name, &text, false))?
        }
    };
    s.set_types_at(call, 2, r#type.into_iter().collect());
    Ok(())
}

/// Nothing: an optional operand has the type inside of the type of the first argument.
fn inner_if_present<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let types = if S::PRINTS { s.types_at(call, 0)? } else { s.read_types_at(call, 0) };
    if s.value_count_at(call, 1) == 0 {
        return Ok(());
    }
    let text = types.first().and_then(|&first| s.text_of_type(first));
    let text = s.some(text)?;
    let inner = s.some(first_inside(&text))?;
    if S::PRINTS {
        let value_types = s.types_at(call, 2)?;
        s.implies(&value_types, &inner);
        return Ok(());
    }
    let r#type = s.named_type(&inner)?;
    s.set_types_at(call, 2, r#type.into_iter().collect());
    Ok(())
}
