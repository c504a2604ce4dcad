//! Arrays of attributes that are constants of arrays and structs (`verifyStructArrayConstant` in
//! `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::attr::Attribute;
use crate::attr::text::parse::fields::{body_of, parts};

/// The most elements that are examined, because arrays may be inside several others.
const MOST_ELEMENTS: usize = 1 << 10;

/// Describes an error in the elements of an array of LLVM, whose number of elements is right. `text` is its
/// type.
pub(super) fn complaint(elements: &[Attribute], text: &str) -> Option<String> {
    let mut array = text.strip_prefix("!llvm.array<").and_then(body_of)?.to_owned();
    let (mut elements, mut dimension) = (elements.to_vec(), 0_u32);
    loop {
        let part = array.split_once(" x ")?.1.trim();
        dimension += 1;
        if let Some(members) = part.strip_prefix("struct<").and_then(body_of) {
            return of_members(&elements, members);
        }
        let inner = part.strip_prefix("array<").and_then(body_of)?;
        let count: usize = inner.split_once(" x ")?.0.trim().parse().ok()?;
        let mut next = Vec::new();
        for (place, element) in elements.iter().enumerate() {
            // Zeros and undefined values are attributes of the dialect.
            if !element.is_builtin() {
                continue;
            }
            let Some(inside) = elements_of(element) else {
                return Some(format!(
                    "element {place} in dimension {dimension} is an attribute, expected an array of attributes"
                ));
            };
            if inside.len() != count {
                let inner_count = inside.len();
                return Some(format!(
                    "an array in dimension {dimension} has {inner_count} elements, expected {count}"
                ));
            }
            next.extend(inside);
            if next.len() > MOST_ELEMENTS {
                return None;
            }
        }
        (elements, array) = (next, inner.to_owned());
    }
}

fn elements_of(value: &Attribute) -> Option<Vec<Attribute>> {
    if value.class() != Some("ArrayAttr") { None } else { value.elements() }
}

/// Describes an error in the members of structs in an array.
fn of_members(elements: &[Attribute], members: &str) -> Option<String> {
    let list = parts(members).pop()?.trim().trim_start_matches("packed").trim();
    let expected = parts(list.strip_prefix('(')?.strip_suffix(')')?).len();
    elements.iter().filter(|element| element.is_builtin()).enumerate().find_map(|(place, element)| {
        let count = elements_of(element)?.len();
        (count != expected).then(|| {
            format!("element {place} has {count} values, expected one for each of {expected} members")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::complaints;

    // Expected: the verdicts of mlir-opt 22. LLVM 16 and 19 accept the operations.
    #[test]
    fn arrays_of_structs_have_arrays_of_values() {
        for (value, of, is_fine) in [
            ("[[1 : i32, 2.0 : f32]]", "!llvm.array<1 x struct<(i32, f32)>>", true),
            ("[[1 : i32]]", "!llvm.array<1 x struct<(i32, f32)>>", false),
            ("[[[1 : i32]]]", "!llvm.array<1 x array<1 x struct<(i32)>>>", true),
            ("[[1 : i32]]", "!llvm.array<1 x array<1 x array<1 x struct<(i32)>>>>", false),
            ("[[[1 : i32], [2 : i32]]]", "!llvm.array<1 x array<1 x struct<(i32)>>>", false),
        ] {
            let text = format!(
                "\"builtin.module\"() ({{\n  %0 = \"llvm.mlir.constant\"() {{value = {value}}} : () -> {of}\n}}) : () -> ()\n"
            );
            assert_eq!(complaints(&text, "llvm-22").is_empty(), is_fine, "{text}");
            for release in ["llvm-16", "llvm-19"] {
                assert!(complaints(&text, release).is_empty(), "{text}");
            }
        }
    }
}
