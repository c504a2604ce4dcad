//! The texts of types from the C++ that builds them: a constraint with a `builderCall` allows one type only.

use super::constraints::{ClassNames, unqualified};

/// The types that may be inside one another.
const DEEPEST: usize = 8;

const FIXED: &[(&str, &str)] = &[
    ("$_builder.getIndexType()", "index"),
    ("$_builder.getI16Type()", "i16"),
    ("$_builder.getType<::mlir::NoneType>()", "none"),
    ("$_builder.getType<::mlir::IndexType>()", "index"),
    ("$_builder.getType<::mlir::BFloat16Type>()", "bf16"),
    ("$_builder.getType<BFloat16Type>()", "bf16"),
    ("$_builder.getBF16Type()", "bf16"),
    // No record defines this type.
    ("mlir::gpu::AsyncTokenType::get($_builder.getContext())", "!gpu.async.token"),
];

/// The text of the type that an expression builds; `None` if it is not known.
pub(super) fn built_type(expression: &str, classes: &ClassNames) -> Option<String> {
    built(expression, classes, 0)
}

fn built(expression: &str, classes: &ClassNames, depth: usize) -> Option<String> {
    let words: Vec<&str> = expression.split_whitespace().collect();
    let expression = words.join(" ");
    let expression = expression.strip_suffix(';').unwrap_or(&expression).trim();
    if expression.is_empty() || depth > DEEPEST {
        return None;
    }
    if let Some((_, text)) = FIXED.iter().find(|(known, _)| *known == expression) {
        return Some((*text).to_owned());
    }
    integer(expression)
        .or_else(|| float(expression))
        .or_else(|| vector(expression, classes, depth))
        .or_else(|| plain(expression, classes))
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

// `$_builder.getIntegerType(32, /*isSigned=*/false)`
fn integer(expression: &str) -> Option<String> {
    let arguments = expression.strip_prefix("$_builder.getIntegerType(")?.strip_suffix(')')?;
    let (width, sign) = match arguments.split_once(", /*isSigned=*/") {
        None => (arguments, "i"),
        Some((width, "true")) => (width, "si"),
        Some((width, "false")) => (width, "ui"),
        Some(_) => return None,
    };
    Some(format!("{sign}{}", digits(width)?))
}

// `$_builder.getF32Type()`, `$_builder.getType<::mlir::Float8E5M2Type>()`
fn float(expression: &str) -> Option<String> {
    let call = expression.strip_prefix("$_builder.get")?;
    if let Some(width) = call.strip_prefix('F').and_then(|rest| rest.strip_suffix("Type()")) {
        return Some(format!("f{}", digits(width)?));
    }
    let class = unqualified(call.strip_prefix("Type<")?.strip_suffix(">()")?);
    let kind = class.strip_prefix("Float")?.strip_suffix("Type")?;
    kind.starts_with(|c: char| c.is_ascii_digit()).then(|| format!("f{kind}"))
}

// `::mlir::VectorType::get({4}, $_builder.getF32Type())`
fn vector(expression: &str, classes: &ClassNames, depth: usize) -> Option<String> {
    let arguments = unqualified(expression).strip_prefix("VectorType::get({")?.strip_suffix(')')?;
    let (size, element) = arguments.split_once('}')?;
    let element = element.trim_start().strip_prefix(',')?;
    Some(format!("vector<{}x{}>", digits(size)?, built(element, classes, depth + 1)?))
}

// `$_builder.getType<fir::IndexType>()`, `LLVMTokenType::get($_builder.getContext())`
fn plain(expression: &str, classes: &ClassNames) -> Option<String> {
    let of_builder = expression.strip_prefix("$_builder.getType<").and_then(|rest| rest.strip_suffix(">()"));
    let class = of_builder.or_else(|| expression.strip_suffix("::get($_builder.getContext())"))?;
    classes.name(unqualified(class)).map(|name| format!("!{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_built() {
        let classes = ClassNames::default();
        for (expression, expected) in [
            ("$_builder.getIntegerType(32)", Some("i32")),
            ("$_builder.getIntegerType(8, /*isSigned=*/true)", Some("si8")),
            ("$_builder.getIntegerType(8, /*isSigned=*/false)", Some("ui8")),
            ("$_builder.getF64Type()", Some("f64")),
            ("$_builder.getBF16Type()", Some("bf16")),
            ("$_builder.getType<Float8E5M2Type>()", Some("f8E5M2")),
            ("::mlir::VectorType::get({4}, $_builder.getF32Type());", Some("vector<4xf32>")),
            ("$_builder.getType<::a::B>()", None),
            ("$_builder.getIntegerType(width)", None),
            ("", None),
        ] {
            assert_eq!(built_type(expression, &classes).as_deref(), expected, "{expression}");
        }
    }
}
