//! Types of operands and results.

use crate::assembly::{FormatSyntax, Values, Written};

use super::{TypeCount, TypeElement};

/// A type, or types with commas between them.
pub(super) fn types<S: FormatSyntax>(s: &mut S, element: &TypeElement) -> Written<S> {
    let known = s.known_types(element.of)?;
    let found = match (element.count, &element.class) {
        (TypeCount::One, Some(class)) => {
            vec![s.type_of_class(known.first().copied(), class, element.is_qualified)?]
        }
        (TypeCount::One, None) => vec![s.r#type(known.first().copied())?],
        (TypeCount::Optional, _) => s.optional_types(&known, true)?,
        (TypeCount::Any, _) => {
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

/// `(a, b) -> c`
pub(super) fn function_type<S: FormatSyntax>(s: &mut S, inputs: Values, results: Values) -> Written<S> {
    let known = (s.known_types(inputs)?, s.known_types(results)?);
    let found = s.function_type(&known.0, &known.1)?;
    s.set_types(inputs, found.0);
    s.set_types(results, found.1);
    Ok(())
}
