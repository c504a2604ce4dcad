//! Types of operands and results.

use crate::assembly::{FormatSyntax, Values, Written};

use super::{TypeCount, TypeElement};

/// A type, or types with commas between them.
pub(super) fn types<S: FormatSyntax>(s: &mut S, element: &TypeElement) -> Written<S> {
    let printed_types = s.known_types(element.of)?;
    let read_types = match element.count {
        TypeCount::One => return only_type(s, element, printed_types.first().copied()),
        TypeCount::Optional => s.optional_types(&printed_types, true)?,
        TypeCount::Any => {
            // MLIR prints nothing here, but does not parse a list without types (`parseTypeList`).
            if S::PRINTS && printed_types.is_empty() {
                s.lose("that a list of types is empty");
            }
            s.optional_types(&printed_types, false)?
        }
    };
    s.set_types(element.of, read_types);
    Ok(())
}

fn only_type<S: FormatSyntax>(s: &mut S, element: &TypeElement, known_type: Option<S::Type>) -> Written<S> {
    let read_type = match &element.class {
        Some(class) => s.type_of_class(known_type, class, element.is_qualified)?,
        None => s.r#type(known_type)?,
    };
    // The printer needs no list.
    if !S::PRINTS {
        s.set_types(element.of, vec![read_type]);
    }
    Ok(())
}

/// `(a, b) -> c`
pub(super) fn function_type<S: FormatSyntax>(s: &mut S, inputs: Values, results: Values) -> Written<S> {
    let known_types = (s.known_types(inputs)?, s.known_types(results)?);
    let read_types = s.function_type(&known_types.0, &known_types.1)?;
    s.set_types(inputs, read_types.0);
    s.set_types(results, read_types.1);
    Ok(())
}
