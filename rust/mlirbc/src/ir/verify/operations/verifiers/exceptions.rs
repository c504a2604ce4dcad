//! Operations of LLVM that belong together (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`): the types of landing pads in a
//! function (`LLVMFuncOp::verifyRegions`), vectors of pointers (`masked_gather::verify`), and members of structs in metadata.

use crate::attr::Type;
use crate::format::id::TypeId;
use crate::ir::view::Operation;

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{Subject, Verifier, is_named};

pub(super) const LANDED: Verifier = Verifier::new(&[], landed).since(19).with_regions();
pub(super) const GATHERED: Verifier = Verifier::new(&[], gathered).since(19);
pub(super) const DESCRIBED: Verifier = Verifier::new(&["members", "offsets"], described).until(16);

/// The size of the longest text of a vector of pointers.
const LONGEST_TEXT: usize = 64;

fn landed(subject: &Subject<'_>) -> Option<String> {
    let region = subject.op.region(0).ok()??;
    let of_pad = |op: Operation<'_>| match op {
        _ if is_named(&op, &[("llvm", "landingpad")]) => op.results().next().map(|value| value.r#type()),
        _ if is_named(&op, &[("llvm", "resume")]) => op.operands().next().map(|value| value.r#type()),
        _ => None,
    };
    let mut types = region.blocks().flat_map(|block| block.operations()).filter_map(of_pad);
    let first = types.next()?;
    let read = |of: TypeId| Type::of_file(subject.op.module().tables(), of).ok().flatten();
    // The file may contain a type twice.
    types
        .find(|&of| of != first)
        .is_some_and(|of| read(of) != read(first))
        .then(|| "must have one type for all `llvm.landingpad` and `llvm.resume` in it".to_owned())
}

/// The number of elements of a vector, and whether it is scalable.
fn length(of: &Typed) -> Option<(i64, bool)> {
    if of.facts.kind == Kind::Vector {
        let &[size] = of.shape.as_ref()?.sizes() else { return None };
        return Some((size, of.facts.is_scalable));
    }
    let text = of.r#type.to_text_within(LONGEST_TEXT);
    let body = text.strip_prefix("!llvm.vec<")?;
    let (is_scalable, body) = body.strip_prefix("? x ").map_or((false, body), |body| (true, body));
    Some((body.split_once(" x ")?.0.trim().parse().ok()?, is_scalable))
}

fn gathered(subject: &Subject<'_>) -> Option<String> {
    let (pointers, values) = match subject.results.first() {
        Some(result) => (subject.operands.first()?, result),
        None => (subject.operands.get(1)?, subject.operands.first()?),
    };
    (length(pointers)? != length(values)?)
        .then(|| format!("{} has not as many pointers as {} has values", pointers.shown(), values.shown()))
}

fn described(subject: &Subject<'_>) -> Option<String> {
    let attribute = subject.attribute("members").filter(|attribute| !attribute.is_long)?;
    let (members, offsets) = (attribute.value.elements()?.len(), subject.integers("offsets")?.len());
    (members != offsets).then(|| format!("has {members} members, but {offsets} offsets"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn landing_pads_have_one_type() {
        for (first, second, by) in [("i32", "i32", &[][..]), ("i32", "i64", &[19, 22])] {
            let text = format!(
                "llvm.func @g()\nllvm.func @p(...) -> i32\nllvm.func @f() attributes {{personality = @p}} {{\n  llvm.invoke @g() to ^a unwind \
                 ^b : () -> ()\n^a:\n  llvm.invoke @g() to ^c unwind ^d : () -> ()\n^b:\n  %0 = llvm.landingpad cleanup : {first}\n  \
                 llvm.unreachable\n^c:\n  llvm.return\n^d:\n  %1 = llvm.landingpad cleanup : {second}\n  llvm.unreachable\n}}\n"
            );
            assert_refused(&text, by, "must have one type");
        }
    }

    #[test]
    fn there_are_as_many_pointers_as_values() {
        for (pointers, values, is_fine) in [
            ("!llvm.vec<7 x ptr>", "vector<7xf32>", true),
            ("!llvm.vec<? x 7 x ptr>", "vector<[7]xf32>", true),
            ("!llvm.vec<7 x ptr>", "vector<[7]xf32>", false),
            ("!llvm.vec<6 x ptr>", "vector<7xf32>", false),
        ] {
            let mask = values.replace("f32", "i1");
            let text = format!(
                "llvm.func @f(%p: {pointers}, %m: {mask}, %v: {values}) {{\n  %0 = \"llvm.intr.masked.gather\"(%p, %m) <{{alignment = 1 : i32}}> \
                 : ({pointers}, {mask}) -> {values}\n  \"llvm.intr.masked.scatter\"(%v, %p, %m) <{{alignment = 1 : i32}}> : ({values}, \
                 {pointers}, {mask}) -> ()\n  llvm.return\n}}\n"
            );
            let messages = complaints(&text, "llvm-19");
            assert_eq!(messages.len(), if is_fine { 0 } else { 2 }, "{text}: {messages:?}");
            assert!(complaints(&text.replace("<{", "{").replace("}>", "}"), "llvm-16").is_empty());
        }
    }

    #[test]
    fn members_have_offsets() {
        for (offsets, is_fine) in [("0, 4", true), ("0", false)] {
            let text = format!(
                "\"llvm.metadata\"() ({{\n  \"llvm.tbaa_root\"() {{identity = \"a\", sym_name = \"b\"}} : () -> ()\n  \"llvm.tbaa_type_desc\"() \
                 {{identity = \"c\", members = [@b, @b], offsets = array<i64: {offsets}>, sym_name = \"d\"}} : () -> ()\n}}) {{sym_name = \
                 \"e\"}} : () -> ()\n"
            );
            assert_eq!(complaints(&text, "llvm-16").is_empty(), is_fine, "{text}");
        }
    }
}
