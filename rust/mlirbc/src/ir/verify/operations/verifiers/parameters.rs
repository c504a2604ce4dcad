//! Attributes of parameters and results of functions (`verifyParameterAttribute` and
//! `verifyRegionResultAttribute` in `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).
//! `data/operations/parameters.tsv` contains the rules.

use std::sync::LazyLock;

use crate::attr::text::parse::fields::{body_of, parts};
use crate::attr::{Attribute, FieldValue, Type};
use crate::wire::bytes::Bytes;

use super::{LONGEST, Subject, Verifier, is_short, spirv, structs};

/// The attributes of a function's parameters.
pub(super) const OF_PARAMETERS: &str = "arg_attrs";

pub(super) const OF_FUNCTIONS: Verifier =
    Verifier::new(&["function_type", OF_PARAMETERS, "res_attrs"], of_functions);

/// Contradictory inlining attributes of LLVM functions (`LLVMFuncOp::verify`).
pub(super) const INLINED: Verifier = Verifier::new(&["no_inline", "always_inline", "optimize_none"], inlined);

/// The bytes of a type's text that are enough to recognize it.
const BEGINNING: usize = 32;

/// The rule for one attribute.
struct ParameterRule {
    name: &'static str,
    since: u32,
    /// The last release with this rule, if later releases have another.
    until: Option<u32>,
    class: &'static str,
    kind: &'static str,
    is_of_results: bool,
}

static RULES: LazyLock<Vec<ParameterRule>> = LazyLock::new(|| {
    let lines = include_str!("../../../../../data/operations/parameters.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.split('\t');
        Some(ParameterRule {
            name: cells.next()?,
            since: cells.next()?.parse().ok()?,
            until: cells.next()?.parse().ok(),
            class: cells.next()?,
            kind: cells.next()?,
            is_of_results: cells.next()? == "yes",
        })
    });
    rows.collect()
});

/// Whether a release checks the attribute with this name.
pub(super) fn is_checked(name: &[u8]) -> bool {
    name == structs::MEMBERS
        || name == spirv::DECORATION
        || RULES.iter().any(|row| row.name.as_bytes() == name)
}

/// The kind of a parameter's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parameter {
    Pointer,
    Integer,
    Float,
    Aggregate,
    /// The type may be one that LLVM does not have, whose attributes are not checked, or one that is not
    /// examined here.
    Unknown,
}

fn of_functions(subject: &Subject<'_>) -> Option<String> {
    let lists = [("arg_attrs", false), ("res_attrs", true)];
    let mut signature = None;
    // Many functions may share dictionaries, so a function reads only a few of their bytes.
    let mut bytes_left = LONGEST;
    lists.into_iter().find_map(|(name, is_result)| {
        let attribute = subject.attribute(name).filter(|attribute| !attribute.is_long)?;
        let dictionaries = attribute.value.elements()?;
        dictionaries.iter().enumerate().find_map(|(place, dictionary)| {
            bytes_left = bytes_left.checked_sub(dictionary.payload().len())?;
            let checked = checked_in(dictionary, subject);
            if checked.is_empty() {
                return None;
            }
            let [inputs, results] = signature.get_or_insert_with(|| signature_of(subject));
            let types = if is_result { results } else { inputs };
            let parameter = types.get(place).copied().unwrap_or(Parameter::Unknown);
            let whose = if is_result { "result" } else { "parameter" };
            checked.into_iter().find_map(|(row, value)| {
                let wrong = row.complaint(&value, parameter, is_result)?;
                Some(format!("the attribute `{}` of {whose} {place} {wrong}", row.name))
            })
        })
    })
}

fn inlined(subject: &Subject<'_>) -> Option<String> {
    let has = |name: &str| subject.attribute(name).is_some();
    let [never, always] = ["no_inline", "always_inline"].map(has);
    match subject.is_since(19) {
        true if never && always => Some("`no_inline` and `always_inline` exclude each other".to_owned()),
        true if has("optimize_none") && !never => Some("`optimize_none` needs `no_inline`".to_owned()),
        _ => None,
    }
}

impl ParameterRule {
    fn complaint(&self, value: &Attribute, parameter: Parameter, is_result: bool) -> Option<String> {
        if is_result && !self.is_of_results {
            return Some("is not one of results".to_owned());
        }
        let class = value.class();
        let (is_right, expected) = match self.class {
            "unit" => (class == Some("UnitAttr"), "a unit attribute"),
            "type" => (class == Some("TypeAttr"), "a type"),
            "integer" => (matches!(class, Some("IntegerAttr" | "BoolAttr")), "an integer"),
            _ => (true, ""),
        };
        if !is_right {
            return Some(format!("must be {expected}"));
        }
        let expected = match self.kind {
            "pointer" => Parameter::Pointer,
            "integer" => Parameter::Integer,
            _ => return None,
        };
        let is_known = parameter != Parameter::Unknown;
        (is_known && parameter != expected).then(|| format!("is one of {}s", self.kind))
    }
}

/// The names and values of a dictionary.
pub(super) fn pairs_of(dictionary: &Attribute) -> Vec<(Bytes, Attribute)> {
    if dictionary.class() != Some("DictionaryAttr") {
        return Vec::new();
    }
    let Ok(Some(FieldValue::List(items))) = dictionary.field("value") else { return Vec::new() };
    let pair = |item: FieldValue| {
        let FieldValue::List(parts) = item else { return None };
        let [FieldValue::Attribute(name), FieldValue::Attribute(value)] = &parts[..] else { return None };
        let Ok(Some(FieldValue::String(name))) = name.field("value") else { return None };
        Some((name, value.clone()))
    };
    items.into_iter().filter_map(pair).collect()
}

/// Returns the attributes of a dictionary that the release checks, with their rules.
fn checked_in(dictionary: &Attribute, subject: &Subject<'_>) -> Vec<(&'static ParameterRule, Attribute)> {
    let row_of = |name: &[u8]| {
        let is_checked = |row: &&ParameterRule| {
            *name == *row.name.as_bytes()
                && subject.is_since(row.since)
                && row.until.is_none_or(|until| subject.is_until(until))
        };
        RULES.iter().find(is_checked)
    };
    let pairs = pairs_of(dictionary).into_iter();
    pairs.filter_map(|(name, value)| Some((row_of(&name)?, value))).collect()
}

/// Returns the kinds of the parameters and the results of a function.
fn signature_of(subject: &Subject<'_>) -> [Vec<Parameter>; 2] {
    let of_type = || {
        let attribute = subject.attribute("function_type")?;
        let Ok(Some(FieldValue::Type(signature))) = attribute.value.field("value") else { return None };
        if !is_short(&signature) {
            return None;
        }
        if signature.class() == Some("FunctionType") {
            let list = |name: &str| {
                let Ok(Some(FieldValue::List(items))) = signature.field(name) else { return None };
                Some(items.iter().map(of_item).collect())
            };
            return Some([list("inputs")?, list("results")?]);
        }
        let text = signature.text()?;
        let body = std::str::from_utf8(&text).ok()?.strip_prefix("!llvm.func<").and_then(body_of)?.trim();
        let (inputs, result) = (body.rfind('(')?, body.strip_suffix(')')?);
        // The last list in parentheses is the parameters, unless a parameter contains parentheses itself.
        if result.get(inputs + 1..)?.contains(')') {
            return None;
        }
        let inputs_text = result.get(inputs + 1..)?;
        let inputs_list = parts(inputs_text).into_iter().map(|part| of_text(part.trim())).collect();
        Some([inputs_list, vec![of_text(body.get(..inputs)?.trim())]])
    };
    of_type().unwrap_or_default()
}

fn of_item(item: &FieldValue) -> Parameter {
    let FieldValue::Type(r#type) = item else { return Parameter::Unknown };
    of_text(&Type::to_text_within(r#type, BEGINNING))
}

fn of_text(text: &str) -> Parameter {
    let is_pointer = |rest: &str| rest.is_empty() || rest.starts_with('<');
    let pointer = text.strip_prefix("!llvm.").unwrap_or(text).strip_prefix("ptr");
    let width = text.strip_prefix('i').filter(|width| !width.is_empty());
    match text {
        _ if pointer.is_some_and(is_pointer) => Parameter::Pointer,
        "f16" | "bf16" | "f32" | "f64" => Parameter::Float,
        _ if ["!llvm.array<", "!llvm.struct<", "array<", "struct<"]
            .iter()
            .any(|start| text.starts_with(start)) =>
        {
            Parameter::Aggregate
        }
        _ if width.is_some_and(|width| width.bytes().all(|byte| byte.is_ascii_digit())) => Parameter::Integer,
        _ => Parameter::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 19 and 22. LLVM 16 accepts the functions.
    #[test]
    fn attributes_belong_to_parameters_of_their_kind() {
        for (parameter, by, part) in [
            ("!llvm.ptr {llvm.noalias}", &[][..], ""),
            ("!llvm.ptr<3> {llvm.align = 4 : i64}", &[], ""),
            ("i32 {llvm.zeroext}", &[], ""),
            ("i32 {llvm.noundef}", &[], ""),
            ("i32 {llvm.align = 4 : i64}", &[19, 22], "`llvm.align` of parameter 0 is one of pointers"),
            ("f32 {llvm.signext}", &[19, 22], "is one of integers"),
            ("!llvm.ptr {llvm.signext}", &[19, 22], "is one of integers"),
            ("!llvm.ptr {llvm.sret = 1 : i32}", &[19, 22], "must be a type"),
            ("!llvm.ptr {llvm.readonly = i32}", &[19, 22], "must be a unit attribute"),
            ("!llvm.ptr {llvm.elementtype}", &[22], "must be a type"),
            ("!llvm.ptr {llvm.alignstack = 8 : i64}", &[], ""),
            ("i32 {llvm.alignstack = 8 : i64}", &[19], "is one of pointers"),
            ("!llvm.array<2 x f32> {llvm.alignstack = 8 : i64}", &[19], "is one of pointers"),
            ("i32 {llvm.alignstack}", &[19, 22], "must be an integer"),
            ("!llvm.ptr {llvm.foo = 1 : i32}", &[], ""),
        ] {
            assert_refused(&format!("llvm.func @f(i8, {parameter})\n").replace("i8, ", ""), by, part);
        }
        // The rules apply to functions of other dialects, too, unless LLVM does not have the type.
        assert_refused("func.func private @f(index {llvm.noalias})\n", &[], "");
        assert_refused("func.func private @f(i32 {llvm.noalias})\n", &[19, 22], "is one of pointers");
    }

    #[test]
    fn results_have_fewer_attributes() {
        for (name, is_fine) in [
            ("llvm.noalias", true),
            ("llvm.nonnull", true),
            ("llvm.readonly", false),
            ("llvm.allocptr", false),
        ] {
            let text = format!("func.func private @f() -> (!llvm.ptr {{{name}}})\n");
            for release in ["llvm-19", "llvm-22"] {
                assert_eq!(complaints(&text, release).is_empty(), is_fine, "{text}");
            }
        }
    }

    // Expected: the verdicts of mlir-opt 19 and 22. In LLVM 16 the attributes have no meaning.
    #[test]
    fn functions_are_inlined_or_not() {
        for (attributes, by) in [
            ("always_inline", &[][..]),
            ("no_inline, always_inline", &[19, 22]),
            ("optimize_none", &[19, 22]),
            ("no_inline, optimize_none", &[]),
        ] {
            assert_refused(&format!("llvm.func @f() attributes {{{attributes}}}\n"), by, "`no_inline`");
        }
    }
}
