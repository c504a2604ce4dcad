//! Attributes of struct members in parameters and results of functions, which only LLVM 16 has
//! (`verifyStructAttr` in `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::attr::text::parse::fields::{body_of, parts};
use crate::attr::{Attribute, FieldValue, Type};

use super::parameters::{OF_PARAMETERS, pairs_of};
use super::{LONGEST, Subject, Verifier, is_short};

pub(super) const OF_STRUCTS: Verifier =
    Verifier::new(&["function_type", OF_PARAMETERS, "res_attrs"], of_structs).until(16);

/// The name of the attribute.
pub(super) const MEMBERS: &[u8] = b"llvm.struct_attrs";

fn of_structs(subject: &Subject<'_>) -> Option<String> {
    // Many functions may share dictionaries, so a function reads only a few of their bytes.
    let mut bytes_left = LONGEST;
    [(OF_PARAMETERS, "parameter"), ("res_attrs", "result")].into_iter().find_map(|(name, whose)| {
        let attribute = subject.attribute(name).filter(|attribute| !attribute.is_long)?;
        attribute.value.elements()?.iter().enumerate().find_map(|(place, dictionary)| {
            bytes_left = bytes_left.checked_sub(dictionary.payload().len())?;
            let (_, value) = pairs_of(dictionary).into_iter().find(|(name, _)| **name == *MEMBERS)?;
            let wrong = complaint(&value, &type_text(subject, whose, place)?)?;
            Some(format!("the attribute `llvm.struct_attrs` of {whose} {place} {wrong}"))
        })
    })
}

fn complaint(value: &Attribute, type_text: &str) -> Option<String> {
    let text = type_text.strip_prefix("!llvm.").unwrap_or(type_text);
    let fields = text.strip_prefix("struct<").and_then(body_of);
    let Some(fields) = fields else {
        // The type of a pointer may be a struct.
        let is_other = ["array<", "i", "f"].iter().any(|start| text.starts_with(start));
        return is_other.then(|| "is one of structs".to_owned());
    };
    if value.class() != Some("ArrayAttr") {
        return Some("must be an array".to_owned());
    }
    let last = parts(fields).pop()?.trim().trim_start_matches("packed").trim();
    let members = last.strip_prefix('(')?.strip_suffix(')')?;
    let expected = if members.trim().is_empty() { 0 } else { parts(members).len() };
    let element_count = value.elements()?.len();
    (element_count != expected).then(|| format!("has {element_count} elements for {expected} members"))
}

/// The text of the type of a parameter or a result.
fn type_text(subject: &Subject<'_>, whose: &str, place: usize) -> Option<String> {
    let attribute = subject.attribute("function_type")?;
    let Ok(Some(FieldValue::Type(signature))) = attribute.value.field("value") else { return None };
    if !is_short(&signature) {
        return None;
    }
    if signature.class() == Some("FunctionType") {
        let name = if whose == "result" { "results" } else { "inputs" };
        let Ok(Some(FieldValue::List(items))) = signature.field(name) else { return None };
        let FieldValue::Type(of) = items.get(place)? else { return None };
        return Some(Type::to_text_within(of, LONGEST)).filter(|text| !text.ends_with('…'));
    }
    let text = signature.to_text_within(LONGEST);
    let body = text.strip_prefix("!llvm.func<").and_then(body_of)?.trim();
    if whose == "result" {
        let (result, _) = body.split_once('(').filter(|_| place == 0)?;
        // A struct has parentheses itself.
        return Some(result.trim().to_owned()).filter(|result| !result.contains('<'));
    }
    let start = body.char_indices().rev().scan(0_i32, |depth, (at, letter)| {
        *depth += i32::from(letter == ')') - i32::from(letter == '(');
        Some((at, *depth))
    });
    let (start, _) = start.into_iter().find(|(_, depth)| *depth == 0)?;
    let inputs = body.get(start + 1..)?.strip_suffix(')')?;
    Some(parts(inputs).get(place)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn members_of_structs_have_attributes() {
        for (of, attributes, by, part) in [
            ("!llvm.struct<(i32)>", "[{}]", &[][..], ""),
            ("!llvm.struct<(i32)>", "[1]", &[], ""),
            ("!llvm.struct<(i32)>", "{}", &[16], "must be an array"),
            ("!llvm.struct<(i32)>", "[]", &[16], "has 0 elements for 1 members"),
            ("!llvm.struct<packed (i32, f32)>", "[{}]", &[16], "has 1 elements for 2 members"),
            ("!llvm.struct<\"a\", (i32, struct<(f32, f32)>)>", "[{}, {}]", &[], ""),
            ("i32", "[]", &[16], "is one of structs"),
        ] {
            for function in
                ["func.func private @f(TYPE)", "func.func private @f() -> (TYPE)", "llvm.func @f(TYPE)"]
            {
                let typed = format!("{of} {{llvm.struct_attrs = {attributes}}}");
                assert_refused(&format!("{}\n", function.replace("TYPE", &typed)), by, part);
            }
        }
    }
}
