//! Predicates of type constraints as trees, because summaries of projects are for people.
//!
//! A tree is `"any"`, `"unknown"` or the name of a builtin kind of types, `["class", "dialect.mnemonic"]`, `["integer", width, sign]`,
//! `["float", class]`, or a list that begins with `or`, `and` or `not`.

use serde_json::{Value as Json, json};

use super::constraints::{ClassNames, unqualified};
use super::records::{Record, Records};

/// Predicates in one another.
const DEEPEST: usize = 12;

/// The builtin classes that have one kind of types.
const KINDS: &[(&str, &str)] = &[
    ("IntegerType", "integer"),
    ("IndexType", "index"),
    ("FloatType", "float"),
    ("ComplexType", "complex"),
    ("TupleType", "tuple"),
    ("NoneType", "none"),
    ("FunctionType", "function"),
    ("VectorType", "vector"),
    ("RankedTensorType", "ranked_tensor"),
    ("UnrankedTensorType", "unranked_tensor"),
    ("MemRefType", "memref"),
    ("UnrankedMemRefType", "unranked_memref"),
];

/// The tree of the predicate of a constraint; `None` if the whole predicate is unknown.
pub(super) fn tree(records: &Records, constraint: &Record, classes: &ClassNames) -> Option<Json> {
    let tree = of_record(records, records.inner(constraint, "predicate")?, classes, 0);
    (tree != json!("unknown") && tree != json!("any")).then_some(tree)
}

fn of_record(records: &Records, predicate: &Record, classes: &ClassNames, depth: usize) -> Json {
    let unknown = || json!("unknown");
    if depth > DEEPEST {
        return unknown();
    }
    let code = predicate.text("predExpr");
    if !code.is_empty() {
        return leaf(code, classes);
    }
    let children = predicate.list("children").filter_map(|child| records.named(Some(child)));
    let children: Vec<Json> = children.map(|child| of_record(records, child, classes, depth + 1)).collect();
    let combiner = records.inner(predicate, "kind").map_or("", |kind| &kind.name);
    let word = match combiner {
        "PredCombinerAnd" => "and",
        "PredCombinerOr" => "or",
        "PredCombinerNot" => "not",
        // Others test a part of the type.
        _ => return unknown(),
    };
    if children.is_empty() {
        return unknown();
    }
    Json::Array([json!(word)].into_iter().chain(children).collect())
}

fn leaf(code: &str, classes: &ClassNames) -> Json {
    let words: Vec<&str> = code.split_whitespace().collect();
    let code = words.join(" ");
    let mut code = &*code;
    while let Some(inside) =
        code.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).filter(|inside| is_balanced(inside))
    {
        code = inside.trim();
    }
    if code == "true" {
        return json!("any");
    }
    of_isa(code, classes).or_else(|| of_method(code)).unwrap_or_else(|| json!("unknown"))
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i64;
    for c in text.chars() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// `::llvm::isa<A, B>($_self)` and `$_self.isa<A>()`
fn of_isa(code: &str, classes: &ClassNames) -> Option<Json> {
    let (before, rest) = code.split_once("isa<")?;
    let (names, after) = rest.split_once('>')?;
    match (before, after) {
        ("" | "::llvm::" | "llvm::" | "::mlir::" | "mlir::", "($_self)") | ("$_self.", "()") => {}
        _ => return None,
    }
    let of_name = |name: &str| {
        let name = unqualified(name);
        let kind = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| json!(kind));
        let class =
            || classes.kind(name).filter(|(is_type, _)| *is_type).map(|(_, name)| json!(["class", name]));
        kind.or_else(class)
    };
    let trees: Vec<Json> = names.split(',').map(of_name).collect::<Option<_>>()?;
    match &trees[..] {
        [only] => Some(only.clone()),
        _ => Some(Json::Array([json!("or")].into_iter().chain(trees).collect())),
    }
}

/// `$_self.isSignlessInteger(32)`
fn of_method(code: &str) -> Option<Json> {
    let (method, argument) = code.strip_prefix("$_self.is")?.strip_suffix(')')?.split_once('(')?;
    let width = match argument {
        "" => None,
        digits => Some(digits.parse::<u64>().ok()?),
    };
    Some(match (method, width) {
        ("SignlessInteger" | "Integer", width) => json!(["integer", width, "i"]),
        ("SignedInteger", width) => json!(["integer", width, "si"]),
        ("UnsignedInteger", width) => json!(["integer", width, "ui"]),
        ("Index", None) => json!("index"),
        ("SignlessIntOrIndex", None) => json!(["or", ["integer", null, "i"], "index"]),
        ("BF16", None) => json!(["float", "BFloat16Type"]),
        ("F16" | "F32" | "F64" | "F80" | "F128", None) => {
            json!(["float", format!("Float{}Type", method.get(1..)?)])
        }
        _ => return None,
    })
}

/// The predicate of a constraint on one type by its text; `None` if only the text of a type says whether it is this one.
pub(super) fn of_only_type(text: &str) -> Option<Json> {
    let bits = |prefix: &str| text.strip_prefix(prefix)?.parse::<u32>().ok();
    match text {
        "index" | "none" => return Some(json!(text)),
        "bf16" => return Some(json!(["float", "BFloat16Type"])),
        "f16" | "f32" | "f64" | "f80" | "f128" => {
            return Some(json!(["float", format!("Float{}Type", text.get(1..)?)]));
        }
        _ => {}
    }
    let sign = ["i", "si", "ui"].into_iter().find_map(|sign| Some((sign, bits(sign)?)));
    sign.map(|(sign, bits)| json!(["integer", bits, sign]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_have_trees() {
        let mut classes = ClassNames::default();
        classes.insert("t::RingType", true, "t.ring", &[]);
        for (code, expected) in [
            ("(::llvm::isa<::t::RingType>($_self))", json!(["class", "t.ring"])),
            ("(($_self.isa<t::RingType>()))", json!(["class", "t.ring"])),
            (
                "(::llvm::isa<::mlir::IndexType, ::t::RingType>($_self))",
                json!(["or", "index", ["class", "t.ring"]]),
            ),
            ("($_self.isSignlessInteger(8))", json!(["integer", 8, "i"])),
            ("$_self.isUnsignedInteger()", json!(["integer", null, "ui"])),
            ("($_self.isF32())", json!(["float", "Float32Type"])),
            ("true", json!("any")),
            ("(::llvm::isa<::t::Frob>($_self))", json!("unknown")),
            ("isa<IndexType>($_self) || frob($_self)", json!("unknown")),
            ("frob($_self)", json!("unknown")),
        ] {
            assert_eq!(leaf(code, &classes), expected, "{code}");
        }
    }

    #[test]
    fn one_type_is_a_predicate() {
        assert_eq!(of_only_type("index"), Some(json!("index")));
        assert_eq!(of_only_type("si8"), Some(json!(["integer", 8, "si"])));
        assert_eq!(of_only_type("f32"), Some(json!(["float", "Float32Type"])));
        for other in ["!t.x", "i", "tensor<1xi1>", "f8E4M3FN"] {
            assert_eq!(of_only_type(other), None, "{other}");
        }
    }
}
