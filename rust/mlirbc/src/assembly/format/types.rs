//! Types of operands and results.

use crate::assembly::{FormatSyntax, Values, Written};

use super::{TypeCount, TypeElement};

/// A type, or types with commas between them.
pub(super) fn types<S: FormatSyntax>(s: &mut S, element: &TypeElement) -> Written<S> {
    let known = s.known_types(element.of)?;
    let found = match element.count {
        TypeCount::One => return only_type(s, element, known.first().copied()),
        TypeCount::Optional => s.optional_types(&known, true)?,
        TypeCount::Any => {
            // MLIR prints nothing here, but does not parse a list without types (`parseTypeList`).
            if S::PRINTS && known.is_empty() {
                s.lose("that a list of types is empty");
            }
            s.optional_types(&known, false)?
        }
    };
    s.set_types(element.of, found);
    Ok(())
}

fn only_type<S: FormatSyntax>(s: &mut S, element: &TypeElement, known_type: Option<S::Type>) -> Written<S> {
    let found = match &element.class {
        Some(class) => s.type_of_class(known_type, class, element.is_qualified)?,
        None => s.r#type(known_type)?,
    };
    // The printer needs no list.
    if !S::PRINTS {
        s.set_types(element.of, vec![found]);
    }
    Ok(())
}

/// `(a, b) -> c`
pub(super) fn function_type<S: FormatSyntax>(s: &mut S, inputs: Values, results: Values) -> Written<S> {
    let known = (s.known_types(inputs)?, s.known_types(results)?);
    let found = s.function_type(&known.0, &known.1)?;
    s.set_types(inputs, found.0);
    s.set_types(results, found.1);
    Ok(())
}
