//! Pointers of LLVM (`GEPOp::verify` in `mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`, and the barriers in `NVVMDialect.cpp` beside it).

use crate::attr::FieldValue;
use crate::attr::text::parse::fields::{body_of, parts};

use super::{LONGEST, Subject, Verifier, is_short};

pub(super) const INDEXED: Verifier = Verifier::new(&["elem_type", "rawConstantIndices"], indexed);
pub(super) const ARRIVED: Verifier = Verifier::new(&[], arrived);
pub(super) const UPDATED: Verifier = Verifier::new(&[], updated);
/// The sizes of vectors of SME (`arm_sme.intr.cntsd`).
pub(super) const COUNTED: Verifier = Verifier::new(&[], counted);

fn indexed(subject: &Subject<'_>) -> Option<String> {
    // LLVM 16 checks only the fields of structs.
    if !subject.is_since(19) {
        return None;
    }
    let indices = subject.integers("rawConstantIndices")?;
    let Ok(Some(FieldValue::Type(element))) = subject.attribute("elem_type")?.value.field("value") else {
        return None;
    };
    let text = element.to_text_within(LONGEST);
    if text.ends_with('…') {
        return None;
    }
    let mut indexed_type = text.strip_prefix("!llvm.").unwrap_or(&text);
    for (number, &index) in indices.iter().enumerate().skip(1) {
        if !is_indexed(indexed_type)? {
            return Some(format!("index {number} is one of `{indexed_type}`, which has no parts"));
        }
        indexed_type = part(indexed_type, index)?;
    }
    None
}

/// LLVM 16 compares the value with the type of the pointer's target (`AtomicUpdateOp::verifyRegions` and
/// `AtomicWriteOp::verify` in `OpenMP/IR/OpenMPDialect.cpp`).
fn updated(subject: &Subject<'_>) -> Option<String> {
    let address = subject.operands.first().filter(|address| is_short(&address.r#type))?;
    let text = address.r#type.to_text_within(LONGEST);
    let space = text.strip_prefix("!llvm.ptr")?;
    let is_opaque = space.bytes().all(|byte| matches!(byte, b'<' | b'>' | b'0'..=b'9'));
    (subject.is_until(16) && is_opaque)
        .then(|| format!("the address is {}, expected a typed pointer", address.shown()))
}

/// Whether a type has parts; `None` if that is unknown.
fn is_indexed(text: &str) -> Option<bool> {
    let is_number = |start: char| {
        let width = text.strip_prefix(start).filter(|width| !width.is_empty());
        width.is_some_and(|width| width.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match text {
        "ptr" | "bf16" => Some(false),
        _ if text.starts_with("ptr<") || is_number('i') || is_number('f') => Some(false),
        _ if ["array<", "struct<", "vector<"].iter().any(|start| text.starts_with(start)) => Some(true),
        _ => None,
    }
}

/// The type of a part of an array or a struct.
fn part(text: &str, index: i64) -> Option<&str> {
    if let Some(body) = text.strip_prefix("array<").and_then(body_of) {
        return Some(body.split_once(" x ")?.1.trim());
    }
    let fields = text.strip_prefix("struct<").and_then(body_of)?;
    let fields = parts(fields).pop()?.trim().trim_start_matches("packed").trim();
    let fields = parts(fields.strip_prefix('(')?.strip_suffix(')')?);
    fields.get(usize::try_from(index).ok()?).map(|field| field.trim())
}

fn arrived(subject: &Subject<'_>) -> Option<String> {
    let barrier = subject.operands.first()?;
    let is_refused =
        subject.is_since(22) && !subject.results.is_empty() && barrier.shown() == "`!llvm.ptr<7>`";
    is_refused.then(|| format!("a barrier with the type {} has no result", barrier.shown()))
}

fn counted(subject: &Subject<'_>) -> Option<String> {
    let count = subject.results.first()?;
    (subject.is_since(19) && count.shown() != "`i64`")
        .then(|| format!("the result is {}, expected `i64`", count.shown()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn only_types_with_parts_are_indexed() {
        let refused = [19, 22];
        for (indices, element, part) in [
            ("%i", "i32", ""),
            ("%i, 0", "!llvm.struct<(i32, ptr)>", ""),
            ("%i, 1", "!llvm.struct<packed (i8, i32)>", ""),
            ("%i, 0", "vector<4xi32>", ""),
            ("%i, 0, 1", "!llvm.array<4 x struct<\"a, (\", (i32, f32)>>", ""),
            ("%i, 0", "!llvm.ptr", "index 1 is one of `ptr`"),
            ("%i, 0", "i32", "index 1 is one of `i32`"),
            ("%i, 1, 0", "!llvm.struct<(i32, ptr)>", "index 2 is one of `ptr`"),
            ("%i, 0, 1", "!llvm.array<4 x i32>", "index 2 is one of `i32`"),
            ("%i, 0, 1, 0", "!llvm.array<4 x struct<\"a\", (i32, f32)>>", "index 3 is one of `f32`"),
        ] {
            let by = if part.is_empty() { &[][..] } else { &refused };
            let text = format!(
                "llvm.func @f(%p: !llvm.ptr, %i: i64) {{\n  %0 = llvm.getelementptr %p[{indices}] : (!llvm.ptr, i64) -> !llvm.ptr, \
                 {element}\n  llvm.return\n}}\n"
            );
            assert_refused(&text, by, part);
        }
    }

    #[test]
    fn barriers_of_other_blocks_have_no_result() {
        for (space, is_fine) in [("", true), ("<3>", true), ("<7>", false)] {
            let pointer = format!("!llvm.ptr{space}");
            let text = format!(
                "func.func @f(%p: {pointer}) {{\n  %0 = \"nvvm.mbarrier.arrive\"(%p) : ({pointer}) -> i64\n  return\n}}\n"
            );
            assert_eq!(complaints(&text, "llvm-22").is_empty(), is_fine, "{text}");
            assert!(complaints(&text, "llvm-19").is_empty(), "{text}");
        }
    }

    #[test]
    fn vectors_of_sme_are_counted_in_i64() {
        for (name, of, by) in
            [("cntsd", "i64", &[][..]), ("cntsd", "i32", &[19, 22]), ("cntsb", "i32", &[19])]
        {
            let text =
                format!("func.func @f() {{\n  %0 = \"arm_sme.intr.{name}\"() : () -> {of}\n  return\n}}\n");
            assert_refused(&text, by, "expected `i64`");
        }
    }

    #[test]
    fn addresses_of_16_have_the_type_of_the_value() {
        for (pointer, by) in [("!llvm.ptr", &[16][..]), ("memref<i32>", &[])] {
            let update = format!(
                "omp.atomic.update %p : {pointer} {{\n  ^bb0(%v: i32):\n    %n = llvm.add %v, %e : i32\n    omp.yield(%n : i32)\n  }}"
            );
            let write = format!("\"omp.atomic.write\"(%p, %e) : ({pointer}, i32) -> ()");
            for operation in [update, write] {
                let text = format!("func.func @f(%p: {pointer}, %e: i32) {{\n  {operation}\n  return\n}}\n");
                assert_refused(&text, by, "expected a typed pointer");
            }
        }
    }
}
