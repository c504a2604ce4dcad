//! Values of inherent attributes, by the constraints of their definitions.

use mlirbc::ops::{AttributeDefinition, AttributeText, Constraint, Enumeration};

use crate::draws::Draws;

/// Returns the text of a value for an attribute; `None` if no value of its constraint is known.
pub(crate) fn value(definition: &AttributeDefinition, draws: &mut Draws<'_, '_>) -> Option<String> {
    let constraint = definition.constraint()?;
    if definition.is_native() {
        return native(constraint, draws);
    }
    if let Some(cases) = constraint.enumeration()
        && let Some(text) = case_of(constraint, cases, draws)
    {
        return Some(text);
    }
    of_class(definition.name(), constraint, draws)
}

fn native(constraint: &Constraint, draws: &mut Draws<'_, '_>) -> Option<String> {
    if constraint.is_property_kind("UnitProp") {
        return Some("unit".to_owned());
    }
    let r#type = match constraint.name() {
        "I32Property" | "I32Prop" => "i32",
        "I64Property" | "I64Prop" => "i64",
        _ => return None,
    };
    Some(format!("{} : {type}", draws.below(8)))
}

// Enumerations with an attribute class are written as that class, others as the number of the case.
fn case_of(constraint: &Constraint, cases: &Enumeration, draws: &mut Draws<'_, '_>) -> Option<String> {
    let cases: Vec<_> = cases.cases().collect();
    let &(value, text) = draws.pick(&cases)?;
    match (constraint.class(), constraint.attribute_text()) {
        (_, AttributeText::Case(r#type, _)) if constraint.class().is_none() => {
            Some(format!("{value} : {}", if r#type.is_empty() { "i64" } else { r#type }))
        }
        (Some(class), _) => {
            let (dialect, mnemonic) = class.split_once('.')?;
            let format: String = constraint
                .assembly_format()
                .unwrap_or("$value")
                .chars()
                .filter(|c| !matches!(c, '`' | ' '))
                .collect();
            let inner = format.replace("$value", text);
            Some(match inner.strip_prefix('<') {
                Some(_) => format!("#{class}{inner}"),
                None => format!("#{dialect}<{mnemonic} {inner}>"),
            })
        }
        _ => None,
    }
}

fn of_class(name: &str, constraint: &Constraint, draws: &mut Draws<'_, '_>) -> Option<String> {
    let text = constraint.attribute_text();
    let typed = match text {
        AttributeText::Typed(r#type) if !r#type.is_empty() && r#type != "none" => Some(r#type),
        _ => None,
    };
    let about = constraint.summary();
    let has = |words: &str| about.contains(words) || constraint.name().contains(words);
    Some(match constraint.storage() {
        "UnitAttr" => "unit".to_owned(),
        "BoolAttr" => draws.text(&["false", "true"]).to_owned(),
        "IntegerAttr" => {
            let r#type = typed.unwrap_or(if has("index") || has("Index") { "index" } else { "i64" });
            let number = if has("power of two") || has("positive") || r#type == "i1" {
                draws.text(&["1", "1", "1"])
            } else if r#type == "i8" || r#type == "i2" {
                draws.text(&["0", "1"])
            } else {
                draws.text(&["0", "1", "2", "4", "8", "16", "32"])
            };
            format!("{number} : {type}")
        }
        "FloatAttr" => {
            format!("{} : {}", draws.text(&["1.0", "0.0", "-2.5", "0.5"]), typed.unwrap_or("f32"))
        }
        "StringAttr" if matches!(text, AttributeText::Symbol) || name == "sym_name" => {
            "\"symbol\"".to_owned()
        }
        "StringAttr" => format!("\"{}\"", draws.text(&["", "text", "a\\00b", "+"])),
        "FlatSymbolRefAttr" => format!("@{}", draws.text(&["nowhere", "other"])),
        "SymbolRefAttr" => draws.text(&["@nowhere", "@nowhere::@inner"]).to_owned(),
        "TypeAttr" if has("function type") || has("FunctionType") => {
            draws.text(&["() -> ()", "(i32) -> ()"]).to_owned()
        }
        "TypeAttr" if has("MemRef") || has("memref") => {
            draws.text(&["memref<4xf32>", "memref<f32>"]).to_owned()
        }
        "TypeAttr" if has("LLVM function") => "!llvm.func<void ()>".to_owned(),
        "TypeAttr" => draws.text(&["f32", "i32", "i64", "tensor<4xf32>"]).to_owned(),
        "ArrayAttr" => array(about, draws),
        "DenseBoolArrayAttr" => list(draws, "i1", &["true", "false"]),
        "DenseI8ArrayAttr" => list(draws, "i8", &["0", "1", "2"]),
        "DenseI16ArrayAttr" => list(draws, "i16", &["0", "1", "2"]),
        "DenseI32ArrayAttr" => list(draws, "i32", &["1", "0", "2", "4"]),
        "DenseI64ArrayAttr" => list(draws, "i64", &["1", "0", "2", "4"]),
        "DenseF32ArrayAttr" => list(draws, "f32", &["1.0", "0.5"]),
        "DenseF64ArrayAttr" => list(draws, "f64", &["1.0", "0.5"]),
        "DenseIntElementsAttr" | "DenseIntOrFPElementsAttr" | "DenseElementsAttr" | "ElementsAttr" => {
            let element = if has("32-bit") {
                "i32"
            } else if has("index") {
                "index"
            } else {
                "i64"
            };
            let shape =
                draws.text(&["tensor<1x", "tensor<2x", "tensor<3x", "tensor<", "tensor<2x2x", "vector<2x"]);
            format!("dense<{}> : {shape}{element}>", draws.text(&["1", "0", "2"]))
        }
        "AffineMapAttr" => {
            let map = draws.text(&["(d0) -> (d0)", "() -> ()", "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)"]);
            format!("affine_map<{map}>")
        }
        "IntegerSetAttr" => "affine_set<(d0) : (d0 >= 0)>".to_owned(),
        "DictionaryAttr" => draws.text(&["{}", "{a = 1 : i32}"]).to_owned(),
        "TypedAttr" | "Attribute" => draws
            .text(&["1 : i32", "1.0 : f32", "dense<1.0> : tensor<4xf32>", "1 : index", "true", "1 : i64"])
            .to_owned(),
        "LocationAttr" => "loc(unknown)".to_owned(),
        _ => return None,
    })
}

fn list(draws: &mut Draws<'_, '_>, element: &str, values: &[&'static str]) -> String {
    let values: Vec<_> = (0..draws.up_to(3)).map(|_| draws.text(values)).collect();
    let colon = if values.is_empty() { "" } else { ": " };
    format!("array<{element}{colon}{}>", values.join(", "))
}

fn array(about: &str, draws: &mut Draws<'_, '_>) -> String {
    let item: &[&'static str] = if about.contains("AffineMap") {
        &["affine_map<(d0) -> (d0)>", "affine_map<(d0, d1) -> (d0, d1)>"]
    } else if about.contains("boolean") {
        &["true", "false"]
    } else if about.contains("32-bit integer") {
        &["1 : i32", "0 : i32"]
    } else if about.contains("Array of 64-bit") || about.contains("arrays of i64") {
        &["[0]", "[1, 2]"]
    } else if about.contains("64-bit integer") {
        &["1", "0", "2"]
    } else if about.contains("string") {
        &["\"a\"", "\"b\""]
    } else if about.contains("ymbol ref") || about.contains("SymbolRef") {
        &["@nowhere", "@other"]
    } else if about.contains("type") {
        &["i32", "f32"]
    } else if about.contains("dictionary") {
        &["{}", "{a = 1 : i32}"]
    } else {
        &["1", "\"a\""]
    };
    let items: Vec<_> = (0..draws.up_to(2)).map(|_| draws.text(item)).collect();
    format!("[{}]", items.join(", "))
}
