//! The texts of default values, which `.td` files have as C++.

use super::constraints::{ClassNames, unqualified};
use super::records::{Record, Records};

/// The text of the default of an attribute; `None` if only C++ is known.
pub(super) fn attribute_default(
    records: &Records,
    record: &Record,
    base: &Record,
    classes: &ClassNames,
) -> Option<String> {
    let code = code_of(record)?;
    let storage = unqualified(base.text("storageType"));
    match storage {
        "BoolAttr" => matches!(code, "true" | "false").then(|| code.to_owned()),
        "StringAttr" if code == "{}" => Some("\"\"".to_owned()),
        "StringAttr" => is_string(code).then(|| code.to_owned()),
        "IntegerAttr" => integer_default(records, base, code, classes),
        // A class in C++ stands for the integers of an enumeration.
        _ if base.list("enumerants").next().is_some() => integer_default(records, base, code, classes),
        "ArrayAttr" if code == "{}" => Some("[]".to_owned()),
        "DictionaryAttr" if code == "{}" => Some("{}".to_owned()),
        _ if code == "{}" => {
            let element = storage.strip_prefix("Dense")?.strip_suffix("ArrayAttr")?;
            let element = if element == "Bool" { "i1".to_owned() } else { element.to_lowercase() };
            Some(format!("array<{element}>"))
        }
        _ => {
            let (name, cases) = (classes.name(storage)?, records.inner(base, "enum")?);
            // Formats other than `<case>` are read by C++ or by the format of the attribute.
            let is_plain = matches!(base.text("assemblyFormat").trim(), "" | "`<` $value `>`");
            let case = case_named(records, cases, code).filter(|_| is_plain)?;
            Some(format!("#{name}<{}>", case.text("str")))
        }
    }
}

/// The number of a default, which may be the case of an enumeration, with its type.
fn integer_default(records: &Records, base: &Record, code: &str, classes: &ClassNames) -> Option<String> {
    let call = records.inner(base, "valueType")?.text("builderCall");
    let integer_type = super::built_types::built_type(call, classes)?;
    let number = case_number(records, base, code).or_else(|| code.parse().ok())?;
    Some(format!("{number} : {integer_type}"))
}

/// The text of the default of a native property that is a number or a truth value.
pub(super) fn property_default(record: &Record, kind: &str, bits: Option<u64>) -> Option<String> {
    let code = code_of(record)?;
    match kind {
        "bool" => matches!(code, "true" | "false").then(|| code.to_owned()),
        "int" => Some(format!("{} : i{}", code.parse::<i64>().ok()?, bits?)),
        "array" if code == "{}" => Some("[]".to_owned()),
        "optional" if code == "std::nullopt" => Some("[]".to_owned()),
        _ => None,
    }
}

/// The C++ of a default; `None` if the record has no default.
pub(super) fn code_of(record: &Record) -> Option<&str> {
    let code = record.text("defaultValue").trim();
    (!code.is_empty()).then_some(code)
}

fn is_string(code: &str) -> bool {
    code.len() > 1 && code.starts_with('"') && code.ends_with('"')
}

// `::mlir::arith::FastMathFlags::none` is the case with the symbol `none`.
fn case_named<'r>(records: &'r Records, cases: &'r Record, code: &str) -> Option<&'r Record> {
    let symbol = code.rsplit("::").next()?;
    let mut cases = cases.list("enumerants").filter_map(|case| records.named(Some(case)));
    cases.find(|case| case.text("symbol") == symbol)
}

fn case_number(records: &Records, base: &Record, code: &str) -> Option<i64> {
    case_named(records, base, code)?.number("value")
}
