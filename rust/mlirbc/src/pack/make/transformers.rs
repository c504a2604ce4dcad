//! Names for the C++ expressions with which `TypesMatchWith` computes one type from another.
//!
//! `assembly` implements each name. An expression that is not listed has no name: the type that it computes is not known, and
//! an operation whose text leaves it out is neither printed nor read in custom form.

/// Expressions without casts, namespaces and spaces.
const NAMES: &[(&str, &str)] = &[
    ("$_self", "same"),
    ("$_self[0]", "same"),
    ("$_self.getPointeeType()", "pointee"),
    ("$_self.getElementType()", "element"),
    ("getVectorElementType($_self)", "element"),
    ("getElementTypeOrSelf($_self)", "element_or_self"),
    ("getI1SameShape($_self)", "i1_same_shape"),
    ("$_self.clone(IntegerType::get($_self.getContext(),1))", "i1_same_shape"),
    ("$_self.getInputs()", "inputs"),
    ("$_self.getResults()", "results"),
    ("SmallVector<Type>($_self.getNumElements(),$_self.getElementType())", "elements"),
    ("SmallVector<Type,2>($_self.getNumElements(),$_self.getElementType())", "elements"),
];

/// The name of an expression; `None` for one that is not listed.
pub(super) fn name(expression: &str) -> Option<&'static str> {
    let text: String = expression.split_whitespace().collect();
    let text = without_namespaces(&without_casts(&text));
    NAMES.iter().find(|(known, _)| *known == text).map(|(_, name)| *name)
}

/// Replaces `cast<T>(x)` by `x`, and removes `.cast<T>()`.
fn without_casts(text: &str) -> String {
    const MOST: usize = 16;
    let mut text = text.to_owned();
    for _ in 0..MOST {
        let Some(shorter) = without_cast(&text) else { break };
        text = shorter;
    }
    text
}

fn without_cast(text: &str) -> Option<String> {
    let start = text.find("cast<")?;
    let open = start + text.get(start..)?.find(">(")? + 1;
    let close = closing(text, open)?;
    let (before, inside) = (text.get(..start)?, text.get(open + 1..close)?);
    let after = text.get(close + 1..)?;
    let before = match inside {
        "" => before.strip_suffix('.')?,
        _ => before.trim_end_matches("llvm::").trim_end_matches("mlir::").trim_end_matches("::"),
    };
    Some(format!("{before}{inside}{after}"))
}

/// The place of the parenthesis that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(place),
            b')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn without_namespaces(text: &str) -> String {
    text.replace("::mlir::", "").replace("::llvm::", "").replace("mlir::", "").replace("llvm::", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_names() {
        for (expression, expected) in [
            ("$_self", Some("same")),
            ("::llvm::cast<::mlir::ShapedType>($_self).getElementType()", Some("element")),
            ("$_self.cast<ShapedType>().getElementType()", Some("element")),
            ("cast<A>(cast<B>($_self)).getElementType()", Some("element")),
            ("::mlir::getElementTypeOrSelf($_self)", Some("element_or_self")),
            ("frobnicate($_self)", None),
            ("cast<", None),
            ("cast<A>((", None),
        ] {
            assert_eq!(name(expression), expected, "{expression}");
        }
    }
}
