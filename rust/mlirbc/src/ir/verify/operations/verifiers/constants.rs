//! Values of constants and the types of their results (`ConstantOp::verify` in `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`,
//! `Arith/IR/ArithOps.cpp` and `EmitC/IR/EmitC.cpp`).

use crate::attr::text::parse::fields::{body_of, parts};
use crate::attr::{Attribute, FieldValue, Type};
use crate::release::Moment;

use super::super::type_traits::{SHOWN, Typed};
use super::super::types::Kind;
use super::{Subject, Verifier, is_named, is_short, nested};

const VALUE: &[&str] = &["value"];

pub(super) const OF_LLVM: Verifier = Verifier::new(VALUE, of_llvm);
pub(super) const OF_ARITH: Verifier = Verifier::new(VALUE, of_arith);
pub(super) const OF_EMITC: Verifier = Verifier::new(VALUE, of_emitc);

pub(super) const OF_VARIABLES: Verifier = Verifier::new(&[], of_variable);
/// Operators of `emitc.apply` and the types of their operands (`ApplyOp::verify`).
pub(super) const APPLIED: Verifier = Verifier::new(&["applicableOperator"], applied);

/// Constants have no address. Since LLVM 20, types forbid taking it.
pub(super) const APPLIED_TO_CONSTANTS: Verifier =
    Verifier::new(&[], applied_to_constant).of_release(19).with_regions();

/// JAX 0.11 and later builds refuse integers of another width than the result.
const WIDTHS: &str = "2026-09-08";

/// The bytes of a text that are enough to recognize its beginning.
const BEGINNING: usize = 64;

fn of_arith(subject: &Subject<'_>) -> Option<String> {
    let (attribute, result) = (subject.attribute("value")?, subject.results.first()?);
    let is_refused = subject.is_since(19)
        && is_scalable(result)
        && attribute.value.class()?.ends_with("ElementsAttr")
        && !is_splat(&attribute.value);
    is_refused.then(|| "a scalable vector must have the same value everywhere".to_owned())
}

fn of_emitc(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(19) {
        return None;
    }
    let result = subject.results.first()?;
    if is_foreign(result, subject.is_since(22)) {
        return Some(format!("has the type {}, which EmitC does not have", result.shown()));
    }
    let value = &subject.attribute("value")?.value;
    if value.is_builtin() && value.class() == Some("StringAttr") {
        return Some("the attribute `value` is a string, expected `#emitc.opaque`".to_owned());
    }
    let is_empty = value.text().is_some_and(|text| text.trim_ascii() == b"#emitc.opaque<\"\">");
    is_empty.then(|| "the attribute `value` must not be empty".to_owned())
}

fn of_variable(subject: &Subject<'_>) -> Option<String> {
    let result = subject.results.first()?;
    let text = result.r#type.to_text_within(BEGINNING);
    let is_refused = match subject.is_since(22) {
        true => !text.starts_with("!emitc.array<") && !text.starts_with("!emitc.lvalue<"),
        false => subject.is_since(19) && is_foreign(result, false),
    };
    is_refused.then(|| format!("has the type {}, which no variable of EmitC has", result.shown()))
}

fn applied(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let attribute = subject.attribute("applicableOperator").filter(|attribute| !attribute.is_long)?;
    let operand = subject.operands.first()?;
    let Ok(Some(FieldValue::String(operator))) = attribute.value.field("value") else { return None };
    let (start, expected) = match &*operator {
        b"&" => ("!emitc.lvalue<", "an lvalue"),
        b"*" => ("!emitc.ptr<", "a pointer"),
        _ => return None,
    };
    let is_right = operand.r#type.to_text_within(BEGINNING).starts_with(start);
    (!is_right).then(|| {
        let operator = String::from_utf8_lossy(&operator);
        format!("the operand of `{operator}` must be {expected}, found {}", operand.shown())
    })
}

fn applied_to_constant(subject: &Subject<'_>) -> Option<String> {
    let owner = subject.op.operands().next()?.owner_op()?;
    is_named(&owner, &[("emitc", "constant")]).then(|| "the operand must not be a constant".to_owned())
}

/// Whether a type certainly does not belong to EmitC (`isSupportedEmitCType`).
fn is_foreign(of: &Typed, has_short_floats: bool) -> bool {
    let text = of.r#type.to_text_within(SHOWN);
    // Strings inside types may contain any words.
    if text.contains(['"', '…']) {
        return false;
    }
    let is_foreign_kind = match of.facts.kind {
        Kind::Vector | Kind::MemRef | Kind::UnrankedMemRef | Kind::UnrankedTensor | Kind::Complex => true,
        Kind::None | Kind::Function => true,
        Kind::RankedTensor => text.contains('?'),
        Kind::Dialect => !text.starts_with("!emitc."),
        _ => false,
    };
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    is_foreign_kind
        || words.any(|word| {
            let word = word.rsplit('x').next().unwrap_or_default();
            let width = word.trim_start_matches(['s', 'u']).strip_prefix('i');
            let width: Option<u32> = width.and_then(|width| width.parse().ok());
            width.is_some_and(|width| !matches!(width, 1 | 8 | 16 | 32 | 64))
                || matches!(word, "f80" | "f128")
                || !has_short_floats && matches!(word, "f16" | "bf16")
        })
}

fn of_llvm(subject: &Subject<'_>) -> Option<String> {
    let (attribute, result) = (subject.attribute("value")?, subject.results.first()?);
    if subject.is_until(19) && is_no_complex_number(&result.r#type.to_text_within(SHOWN)) {
        return Some(format!("a struct must be a complex number, found {}", result.shown()));
    }
    if !subject.is_since(19) {
        return None;
    }
    let (value, is_new) = (&attribute.value, subject.is_since(22));
    if !value.is_builtin() {
        return None;
    }
    // A type that is stored as text may be a vector or an array of any form.
    let text = result.r#type.to_text_within(BEGINNING);
    match value.class()? {
        "IntegerAttr" | "BoolAttr"
            if result.facts.kind != Kind::Integer && !text.starts_with("!llvm.struct<") =>
        {
            Some(format!("the type of an integer must be one of integers, found {}", result.shown()))
        }
        "IntegerAttr" if subject.time.is_since(Moment::Day(WIDTHS)) => of_integer(value, result),
        "FloatAttr" => of_float(value, result, is_new),
        class if class.ends_with("ElementsAttr") => {
            of_elements(attribute.is_long, value, result, &text, is_new)
        }
        "ArrayAttr" if is_new && !attribute.is_long => of_array(value, result, &text),
        _ => None,
    }
}

/// Whether a text is a struct without a name that does not have exactly two fields of one type.
fn is_no_complex_number(text: &str) -> bool {
    let fields = text.strip_prefix("!llvm.struct<").and_then(body_of);
    let fields = fields.and_then(|body| body.strip_prefix('(')?.strip_suffix(')')).map(parts);
    fields.is_some_and(|fields| match &fields[..] {
        [real, imaginary] => real.trim() != imaginary.trim(),
        _ => true,
    })
}

fn of_integer(value: &Attribute, result: &Typed) -> Option<String> {
    let Ok(Some(FieldValue::Type(own))) = value.field("type") else { return None };
    let is_other = result.facts.kind == Kind::Integer && own != result.r#type;
    is_other.then(|| format!("the integer must have the type of the result, {}", result.shown()))
}

fn of_float(value: &Attribute, result: &Typed, is_new: bool) -> Option<String> {
    let Ok(Some(FieldValue::Type(own))) = value.field("type") else { return None };
    let own_width = width_of(own.class()?)?;
    let is_wrong = match result.facts.kind {
        Kind::Float if is_new => own != result.r#type,
        Kind::Float => width_of(result.r#type.class()?)? != own_width,
        Kind::Integer => result.r#type.to_text_within(BEGINNING) != format!("i{own_width}"),
        _ => false,
    };
    is_wrong.then(|| format!("the type of a float of {own_width} bits cannot be {}", result.shown()))
}

fn width_of(class: &str) -> Option<u32> {
    Some(match class {
        "Float16Type" | "BFloat16Type" => 16,
        "Float32Type" => 32,
        "Float64Type" => 64,
        "Float80Type" => 80,
        "Float128Type" => 128,
        _ => return None,
    })
}

fn of_elements(is_long: bool, value: &Attribute, result: &Typed, text: &str, is_new: bool) -> Option<String> {
    let is_splat = !is_long && is_splat(value);
    let is_number = matches!(result.facts.kind, Kind::Integer | Kind::Float | Kind::Index);
    if (is_number || text.starts_with("!llvm.ptr")) && (is_new || is_splat) {
        return Some(format!("elements must be in a vector or an array, found {}", result.shown()));
    }
    if !is_new {
        return None;
    }
    if is_scalable(result) && !is_splat && !is_long {
        return Some("a scalable vector must have the same value everywhere".to_owned());
    }
    let Ok(Some(FieldValue::Type(value_type))) = value.field("type") else { return None };
    if !is_short(&value_type) {
        return None;
    }
    let value_type = Typed::new(u32::MAX, value_type);
    let value_count = product(value_type.facts.shape.as_deref()?)?;
    let is_of_integers = value_type.facts.element.as_ref()?.class() == Some("IntegerType");
    let (count, element) = match result.facts.kind {
        Kind::Vector if !is_scalable(result) => {
            (product(result.shape.as_ref()?.sizes())?, result.facts.element.clone())
        }
        _ => innermost(text)?,
    };
    let class = element.as_ref().and_then(Type::class).filter(|class| is_number_class(class));
    if let (Some(value_element), Some(element)) = (&value_type.facts.element, &element)
        && let Some(width) = value_element.class().and_then(width_of)
    {
        let is_wrong = match class? {
            "IntegerType" => element.to_text_within(BEGINNING) != format!("i{width}"),
            _ => value_element != element,
        };
        if is_wrong {
            return Some(format!("floats of {width} bits cannot be in {}", result.shown()));
        }
    }
    if is_of_integers && class != Some("IntegerType") {
        return Some(format!("integers cannot be in {}", result.shown()));
    }
    (class.is_some() && count != value_count)
        .then(|| format!("{value_count} elements cannot be in {}", result.shown()))
}

fn is_number_class(class: &str) -> bool {
    class == "IntegerType" || width_of(class).is_some()
}

fn product(sizes: &[i64]) -> Option<i64> {
    sizes.iter().try_fold(1_i64, |all, &size| all.checked_mul(size))
}

/// Returns the number of values in nested arrays and vectors, and their type if it is a builtin type; `None`
/// for types other than arrays.
fn innermost(text: &str) -> Option<(i64, Option<Type>)> {
    let mut inner = text.strip_prefix("!llvm.").filter(|inner| inner.starts_with("array<"))?;
    let mut count = 1_i64;
    while let Some(body) = inner.strip_prefix("array<").and_then(body_of) {
        let (size, element) = body.split_once(" x ")?;
        count = count.checked_mul(size.trim().parse().ok()?)?;
        inner = element.trim();
    }
    let element = Type::parse(inner).ok().filter(Type::is_builtin);
    match element {
        Some(vector) if vector.class() == Some("VectorType") => {
            let vector = Typed::new(u32::MAX, vector);
            if vector.shown().contains('[') {
                return None;
            }
            count = count.checked_mul(product(vector.facts.shape.as_deref()?)?)?;
            Some((count, vector.facts.element.clone()))
        }
        element => Some((count, element)),
    }
}

fn of_array(value: &Attribute, result: &Typed, text: &str) -> Option<String> {
    let elements = value.elements()?;
    if matches!(result.facts.kind, Kind::Integer | Kind::Float | Kind::Vector)
        || text.starts_with("!llvm.ptr")
    {
        return Some(format!(
            "an array of attributes must be in an array or a struct, found {}",
            result.shown()
        ));
    }
    if let Some((count, innermost)) = array_of(text) {
        let element_count = elements.len();
        if i64::try_from(element_count).ok() != Some(count) {
            return Some(format!("{element_count} elements cannot be in {}", result.shown()));
        }
        let is_number =
            innermost.starts_with("ptr") || Type::parse(innermost).is_ok_and(|of| of.is_builtin());
        if !is_number && let Some(complaint) = nested::complaint(&elements, text) {
            return Some(complaint);
        }
        return is_number.then(|| format!("an array of attributes cannot be in {}", result.shown()));
    }
    let fields =
        text.strip_prefix("!llvm.struct<").and_then(body_of)?.strip_prefix('(')?.strip_suffix(')')?;
    let fields = parts(fields);
    let mut pairs = elements.iter().zip(&fields);
    pairs.find_map(|(element, field)| {
        let Ok(Some(FieldValue::Type(own))) = element.field("type") else { return None };
        let expected = Type::parse(field.trim()).ok().filter(Type::is_builtin)?;
        (matches!(element.class()?, "IntegerAttr" | "FloatAttr") && own != expected).then(|| {
            format!(
                "a value of type `{}` cannot be a `{}` of a struct",
                own.to_text_within(BEGINNING),
                field.trim()
            )
        })
    })
}

/// The number of elements of `!llvm.array<4 x array<2 x i32>>`, and the type of the elements of the innermost array.
fn array_of(text: &str) -> Option<(i64, &str)> {
    let mut body = text.strip_prefix("!llvm.array<").and_then(body_of)?;
    let count = body.split_once(" x ")?.0.trim().parse().ok()?;
    loop {
        let element = body.split_once(" x ")?.1.trim();
        match element.strip_prefix("array<").and_then(body_of) {
            Some(inner) => body = inner,
            None => return Some((count, element)),
        }
    }
}

fn is_scalable(typed: &Typed) -> bool {
    typed.facts.kind == Kind::Vector && typed.shown().contains('[')
}

/// Whether MLIR prints dense elements as one value.
fn is_splat(value: &Attribute) -> bool {
    !["dense<[", "dense<\"", "dense_resource<"]
        .iter()
        .any(|start| value.to_text_within(16).starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of jaxlib 0.10 and IREE 3.13.
    #[test]
    fn integers_have_the_width_of_the_result() {
        let text = |value: &str| {
            format!(
                "llvm.func @f() {{\n  %0 = \"llvm.mlir.constant\"() <{{value = {value}}}> : () -> i32\n  llvm.return\n}}\n"
            )
        };
        for (release, value, is_refused) in [
            ("jaxlib-0.10", "1 : i64", false),
            ("iree-3.13", "1 : i64", true),
            ("iree-3.13", "1 : index", true),
            ("iree-3.13", "1 : i32", false),
        ] {
            let messages = complaints(&text(value), release);
            assert_eq!(!messages.is_empty(), is_refused, "{release}: {value}: {messages:?}");
        }
    }

    #[test]
    fn constants_of_emitc_have_no_address() {
        let text = "func.func @f() {\n  %0 = \"emitc.constant\"() {value = 42 : i32} : () -> i32\n  %1 = \"emitc.apply\"(%0) \
                    {applicableOperator = \"&\"} : (i32) -> !emitc.ptr<i32>\n  return\n}\n";
        assert!(complaints(text, "llvm-16").is_empty());
        assert!(complaints(text, "llvm-19")[0].contains("must not be a constant"));
        assert_eq!(complaints(text, "llvm-22").len(), 1);
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn constants_of_llvm_have_the_type_of_their_value() {
        for (value, result, by) in [
            ("1 : i32", "i64", &[][..]),
            ("true", "i32", &[]),
            ("1 : i32", "f32", &[19, 22]),
            ("1 : i64", "!llvm.ptr", &[19, 22]),
            ("1 : index", "vector<4xi32>", &[19, 22]),
            ("1.0 : f32", "f32", &[]),
            ("1.0 : f32", "i32", &[]),
            ("1.0 : f32", "!llvm.ptr", &[]),
            ("1.0 : f32", "f16", &[19, 22]),
            ("1.0 : f64", "i16", &[19, 22]),
            ("1.0 : bf16", "f16", &[22]),
            ("dense<1> : vector<4xi32>", "vector<4xi32>", &[]),
            ("dense<1> : vector<4xi32>", "i32", &[19, 22]),
            ("dense<[1, 2]> : vector<2xi32>", "i32", &[22]),
            ("dense<[1, 2]> : vector<2xi32>", "vector<4xi32>", &[22]),
            ("dense<[1, 2]> : vector<2xi32>", "!llvm.array<2 x i32>", &[]),
            ("dense<1> : tensor<4xi32>", "!llvm.array<2 x i32>", &[22]),
            ("dense<1> : vector<4xi32>", "!llvm.array<4 x f32>", &[22]),
            ("dense<1.0> : vector<4xf32>", "!llvm.array<4 x i32>", &[]),
            ("dense<1> : vector<2xi32>", "!llvm.array<2 x ptr>", &[22]),
            ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "!llvm.array<2 x array<2 x i32>>", &[]),
            ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "!llvm.array<2 x array<2 x f32>>", &[22]),
            ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "!llvm.array<2 x array<3 x i32>>", &[22]),
            ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "!llvm.array<2 x vector<2xi32>>", &[]),
            ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "!llvm.array<2 x vector<2xf32>>", &[22]),
            ("dense<[1, 2]> : vector<2xi32>", "!llvm.array<2 x struct<(i32)>>", &[22]),
            ("dense<[1, 2]> : vector<2xi32>", "vector<[4]xi32>", &[22]),
            ("dense<1> : vector<4xi32>", "vector<[4]xi32>", &[]),
            ("dense<[1.0, 2.0]> : vector<2xf16>", "vector<2xf16>", &[]),
            ("dense<[1.0, 2.0]> : vector<2xf16>", "vector<2xi16>", &[]),
            ("dense<[1.0, 2.0]> : vector<2xf16>", "vector<2xbf16>", &[22]),
            ("dense<[1.0, 2.0]> : vector<2xf16>", "vector<2xi8>", &[22]),
            ("[1 : i32, 2 : i32]", "!llvm.struct<(i32, i32)>", &[]),
            ("[1 : i32, 2 : i32]", "!llvm.struct<(f32, f32)>", &[22]),
            ("[1 : i32, 2 : i64]", "!llvm.struct<(i32, i64)>", &[16, 19]),
            ("[1 : i32]", "!llvm.struct<(i32)>", &[16, 19]),
            ("[1 : i32, 2 : i32]", "i32", &[22]),
            ("[1 : i32, 2 : i32]", "!llvm.array<2 x i32>", &[22]),
            ("[1 : i32, 2 : i32]", "!llvm.array<4 x i32>", &[22]),
            ("\"abc\"", "!llvm.array<3 x i8>", &[]),
        ] {
            let text = format!(
                "\"builtin.module\"() ({{\n  %0 = \"llvm.mlir.constant\"() {{value = {value}}} : () -> {result}\n}}) : () -> ()\n"
            );
            assert_refused(&text, by, "");
        }
    }

    #[test]
    fn other_constants_have_a_value_that_their_dialect_allows() {
        let constant = |operation: &str, value: &str, result: &str| {
            format!(
                "\"builtin.module\"() ({{\n  %0 = \"{operation}\"() {{value = {value}}} : () -> {result}\n}}) : () -> ()\n"
            )
        };
        let (splat, elements) = ("dense<1> : vector<[4]xi32>", "dense<[1, 2, 3, 4]> : vector<[4]xi32>");
        assert_refused(&constant("arith.constant", splat, "vector<[4]xi32>"), &[], "");
        assert_refused(
            &constant("arith.constant", elements, "vector<[4]xi32>"),
            &[19, 22],
            "a scalable vector",
        );
        assert_refused(&constant("emitc.constant", "#emitc.opaque<\"x\">", "i32"), &[], "");
        assert_refused(
            &constant("emitc.constant", "#emitc.opaque<\"\">", "i32"),
            &[19, 22],
            "must not be empty",
        );
        assert_refused(
            &constant("emitc.constant", "\"x\"", "!emitc.opaque<\"t\">"),
            &[19, 22],
            "is a string",
        );
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn constants_of_emitc_have_its_types() {
        for (of, by) in [
            ("si32", &[][..]),
            ("i11", &[19, 22]),
            ("ui7", &[19, 22]),
            ("f64", &[]),
            ("f80", &[19, 22]),
            ("bf16", &[19]),
            ("index", &[]),
            ("tensor<2xf32>", &[]),
            ("tensor<?xf32>", &[19, 22]),
            ("tensor<2xi11>", &[19, 22]),
            ("tuple<i32, f64>", &[]),
            ("tuple<i32, f80>", &[19, 22]),
            ("vector<4xf32>", &[19, 22]),
            ("!emitc.ptr<i32>", &[]),
            ("!emitc.ptr<f16>", &[19]),
            ("!llvm.ptr", &[19, 22]),
        ] {
            let text = format!(
                "\"builtin.module\"() ({{\n  %0 = \"emitc.constant\"() {{value = #emitc.opaque<\"x\">}} : () -> {of}\n}}) : () -> ()\n"
            );
            assert_refused(&text, by, "which EmitC does not have");
        }
        for (of, by) in [("i32", &[22][..]), ("i11", &[19, 22]), ("!emitc.opaque<\"t\">", &[22])] {
            let text = format!(
                "\"builtin.module\"() ({{\n  %0 = \"emitc.variable\"() {{value = #emitc.opaque<\"x\">}} : () -> {of}\n}}) : () -> ()\n"
            );
            assert_refused(&text, by, "which no variable of EmitC has");
        }
    }
}
