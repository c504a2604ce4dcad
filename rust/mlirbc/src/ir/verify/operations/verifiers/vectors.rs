//! Vectors whose sizes or scalable dimensions have to fit (`InsertStridedSliceOp::verify` in
//! `mlir/lib/Dialect/Vector/IR/VectorOps.cpp`), and copies of vectors between memories (`DeviceAsyncCopyOp::verify` in
//! `mlir/lib/Dialect/NVGPU/IR/NVGPUDialect.cpp`).

use std::cmp::Ordering;

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{Subject, Verifier};

pub(super) const INSERTED: Verifier = Verifier::new(&[], inserted);
pub(super) const PRINTED: Verifier = Verifier::new(&[], printed);
pub(super) const INTERLEAVED: Verifier = Verifier::new(&[], interleaved);
pub(super) const COPIED: Verifier = Verifier::new(&["dstElements", "bypassL1"], copied);
pub(super) const SELECTED: Verifier = Verifier::new(&["sparsitySelector"], selected);

pub(super) const MASKED: Verifier = Verifier::new(&["mask_dim_sizes"], masked);

/// Casts between vectors, whose shapes had to be groups of each other's dimensions up to IREE 3.4
/// (`isValidShapeCast` in `VectorOps.cpp` of LLVM 19).
pub(super) const REGROUPED: Verifier = Verifier::new(&[], regrouped).until_day("2025-04-28");

/// Parts of memrefs (`LoadOp::verify` and `StoreOp::verify`).
pub(super) const IN_MEMORY: Verifier = Verifier::new(&[], in_memory);

/// Vectors without dimensions, which constraints such as `floating-point-like` do not allow in LLVM 16.
pub(super) const WITH_DIMENSIONS: Verifier =
    Verifier::new(&[], without_dimensions).until(16).of_plain_vectors();
/// Products of vectors (`OuterProductOp::verify`). Later releases allow one scalable vector, too.
pub(super) const OF_TWO: Verifier = Verifier::new(&[], of_two).until(16);

fn without_dimensions(subject: &Subject<'_>) -> Option<String> {
    let is_plain = |typed: &&std::rc::Rc<Typed>| {
        typed.facts.kind == Kind::Vector && typed.shape.as_ref().is_some_and(|shape| shape.rank() == 0)
    };
    let vector = subject.operands.first().filter(is_plain)?;
    Some(format!("operand 0 is {}, which has no dimensions", vector.shown()))
}

fn of_two(subject: &Subject<'_>) -> Option<String> {
    let [left, right, ..] = subject.operands else { return None };
    let are_vectors = left.facts.kind == Kind::Vector && right.facts.kind == Kind::Vector;
    (are_vectors && left.facts.is_scalable != right.facts.is_scalable)
        .then(|| format!("multiplies {} and {}, of which one is scalable", left.shown(), right.shown()))
}

/// For each dimension of a vector, whether it is scalable.
fn scalable_dimensions(vector: &Typed) -> Option<Vec<bool>> {
    let rank = vector.shape.as_ref().filter(|_| vector.facts.kind == Kind::Vector)?.rank();
    let text = vector.shown().trim_matches('`').strip_prefix("vector<")?;
    let dimensions: Vec<bool> = text.split('x').take(rank).map(|size| size.contains('[')).collect();
    // In the text of LLVM 16, one pair of brackets covers several dimensions.
    let is_complete = dimensions.len() == rank
        && !text
            .split('x')
            .take(rank)
            .any(|size| size.ends_with(|last: char| last.is_ascii_digit()) && size.starts_with('['));
    is_complete.then_some(dimensions)
}

fn inserted(subject: &Subject<'_>) -> Option<String> {
    let (source, whole) = (subject.operands.first()?, subject.operands.get(1)?);
    if !subject.is_since(19) {
        return None;
    }
    let (source_scalable, target_scalable) = (scalable_dimensions(source)?, scalable_dimensions(whole)?);
    let (sizes, whole_sizes) = (source.shape.as_ref()?.sizes(), whole.shape.as_ref()?.sizes());
    let before = target_scalable.len().checked_sub(source_scalable.len())?;
    (0..source_scalable.len()).find_map(|at| {
        let (is_scalable, is_expected) = (*source_scalable.get(at)?, *target_scalable.get(before + at)?);
        let (size, whole_size) = (*sizes.get(at)?, *whole_sizes.get(before + at)?);
        match is_scalable {
            _ if is_scalable != is_expected => {
                Some(format!("dimension {at} of {} is not like that of {}", source.shown(), whole.shown()))
            }
            true if size != whole_size => {
                Some(format!("the scalable dimension {at} has the size {size}, expected {whole_size}"))
            }
            _ => None,
        }
    })
}

fn in_memory(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let (vector, memref) = match subject.results.first() {
        Some(vector) => (vector, subject.operands.first()?),
        None => (subject.operands.first()?, subject.operands.get(1)?),
    };
    let (rank, dimensions) = (vector.shape.as_ref()?.rank(), memref.shape.as_ref()?.rank());
    (vector.facts.kind == Kind::Vector && memref.facts.kind == Kind::MemRef && dimensions < rank)
        .then(|| format!("{} has fewer dimensions than {}", memref.shown(), vector.shown()))
}

fn regrouped(subject: &Subject<'_>) -> Option<String> {
    let (source, result) = (subject.operands.first()?, subject.results.first()?);
    let (sizes, new_sizes) = (source.shape.as_ref()?.sizes(), result.shape.as_ref()?.sizes());
    let is_right = match sizes.len().cmp(&new_sizes.len()) {
        Ordering::Less => are_grouped(sizes, new_sizes),
        Ordering::Greater => are_grouped(new_sizes, sizes),
        Ordering::Equal => true,
    };
    (!is_right).then(|| {
        format!(
            "{} and {} do not have groups of dimensions of the same sizes",
            source.shown(),
            result.shown()
        )
    })
}

/// Whether each of the fewer sizes is the product of a group of the other ones. Sizes of one at the end belong to the last
/// group.
fn are_grouped(fewer: &[i64], more: &[i64]) -> bool {
    let are_ones = |sizes: &[i64]| sizes.iter().all(|&size| size == 1);
    if fewer.is_empty() && are_ones(more) {
        return true;
    }
    let (mut fewer, mut more) = (fewer, more);
    while let Some((&size, next)) = fewer.split_first().filter(|_| !more.is_empty()) {
        let mut product = 1_i64;
        while let Some((&factor, others)) = more.split_first().filter(|_| product < size) {
            product = product.saturating_mul(factor);
            more = others;
        }
        if product != size {
            break;
        }
        fewer = if are_ones(next) { &[] } else { next };
        if are_ones(more) {
            more = &[];
        }
    }
    fewer.is_empty() && more.is_empty()
}

fn masked(subject: &Subject<'_>) -> Option<String> {
    let result = subject.results.first().filter(|result| result.shown().contains('['))?;
    let size = subject.integers("mask_dim_sizes")?.into_iter().find(|&size| size != 0)?;
    subject.is_until(16).then(|| format!("sets {size} of the elements of {}, expected none", result.shown()))
}

fn printed(subject: &Subject<'_>) -> Option<String> {
    let value = subject.operands.first()?;
    let is_refused = subject.is_since(19)
        && matches!(
            value.facts.kind,
            Kind::RankedTensor | Kind::UnrankedTensor | Kind::MemRef | Kind::UnrankedMemRef | Kind::Complex
        );
    is_refused.then(|| format!("operand 0 is {}, expected a vector or a number", value.shown()))
}

fn interleaved(subject: &Subject<'_>) -> Option<String> {
    let (source, result) = (subject.operands.first()?, subject.results.first()?);
    if !subject.is_since(19) {
        return None;
    }
    let (&[size], &[twice]) = (source.shape.as_ref()?.sizes(), result.shape.as_ref()?.sizes()) else {
        return None;
    };
    let is_right = size.checked_mul(2) == Some(twice)
        && scalable_dimensions(source)? == scalable_dimensions(result)?
        && source.facts.element == result.facts.element;
    (!is_right).then(|| format!("the result {} is not twice {}", result.shown(), source.shown()))
}

fn copied(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(19) {
        return None;
    }
    let element = subject.operands.first()?.facts.element.as_ref()?.to_text_within(8);
    let width: i64 = element.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).parse().ok()?;
    let count = subject.number("dstElements")?;
    let bits = count.checked_mul(width)?;
    if !matches!(bits, 32 | 64 | 128) {
        return Some(format!("copies {bits} bits, expected 32, 64 or 128"));
    }
    (bits != 128 && subject.attribute("bypassL1").is_some())
        .then(|| format!("copies {bits} bits with `bypassL1`, expected 128"))
}

fn selected(subject: &Subject<'_>) -> Option<String> {
    let selector = subject.number("sparsitySelector").filter(|_| subject.is_since(19))?;
    (!matches!(selector, 0 | 1)).then(|| format!("`sparsitySelector` is {selector}, expected 0 or 1"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn vectors_fit() {
        let slice = |source: &str, whole: &str, offsets: &str, strides: &str| {
            format!(
                "func.func @f(%a: {source}, %b: {whole}) {{\n  %0 = \"vector.insert_strided_slice\"(%a, %b) {{offsets = {offsets}, strides = \
                 {strides}}} : ({source}, {whole}) -> {whole}\n  return\n}}\n"
            )
        };
        let (row, of_rows) = ("vector<[4]xf32>", "vector<2x[4]xf32>");
        assert_refused(&slice(row, of_rows, "[0, 0]", "[1]"), &[], "");
        assert_refused(&slice("vector<4xf32>", of_rows, "[0, 0]", "[1]"), &[19, 22], "is not like that of");
        assert_refused(&slice(row, "vector<2x8xf32>", "[0, 0]", "[1]"), &[19, 22], "is not like that of");
        let wider = slice("vector<4x[4]xf32>", "vector<4x[8]xf32>", "[0, 0]", "[1, 1]");
        assert_refused(&wider, &[19, 22], "has the size 4, expected 8");
        for (of, by) in [
            ("vector<4xf32>", &[][..]),
            ("index", &[]),
            ("memref<4xf32>", &[19, 22]),
            ("complex<f32>", &[19, 22]),
        ] {
            let text =
                format!("func.func @f(%m: {of}) {{\n  \"vector.print\"(%m) : ({of}) -> ()\n  return\n}}\n");
            assert_refused(&text, by, "expected a vector or a number");
        }
    }

    #[test]
    fn vectors_of_16_have_dimensions() {
        for (operation, of) in [("arith.addf", "f32"), ("arith.addi", "i32"), ("arith.mulf", "f32")] {
            for (vector, by) in [(format!("vector<{of}>"), &[16][..]), (format!("vector<4x{of}>"), &[])] {
                let text = format!(
                    "func.func @f(%a: {vector}) {{\n  %0 = {operation} %a, %a : {vector}\n  return\n}}\n"
                );
                assert_refused(&text, by, "has no dimensions");
            }
        }
        let extended =
            "func.func @f(%a: vector<i3>) {\n  %0 = arith.extsi %a : vector<i3> to vector<i6>\n  return\n}\n";
        assert_refused(extended, &[], "");
    }

    #[test]
    fn products_of_16_are_of_similar_vectors() {
        for (left, right, by) in [
            ("vector<[4]xf32>", "vector<[4]xf32>", &[][..]),
            ("vector<[4]xf32>", "f32", &[]),
            ("vector<4xf32>", "vector<[4]xf32>", &[16]),
        ] {
            let text = format!(
                "func.func @f(%a: {left}, %b: {right}) {{\n  %0 = vector.outerproduct %a, %b : {left}, {right}\n  return\n}}\n"
            );
            assert_refused(&text, by, "of which one is scalable");
        }
    }

    #[test]
    fn masks_of_16_set_nothing_in_scalable_vectors() {
        let text = |size: u32, of: &str| {
            format!(
                "func.func @f() {{\n  %0 = \"vector.constant_mask\"() {{mask_dim_sizes = [{size}]}} : () -> {of}\n  return\n}}\n"
            )
        };
        let is_refused = |text: &str| !super::super::tests::complaints(text, "llvm-16").is_empty();
        assert!(is_refused(&text(4, "vector<[4]xi1>")));
        assert!(!is_refused(&text(0, "vector<[4]xi1>")) && !is_refused(&text(4, "vector<4xi1>")));
        // LLVM 16 requires dimensions, too.
        let cast = "func.func @f(%a: vector<f32>) {\n  %0 = \"vector.shape_cast\"(%a) : (vector<f32>) -> vector<1xf32>\n  return\n}\n";
        assert_refused(cast, &[16], "operand 0 (`source`) is not vector of any type values");
    }

    // The answers of mlir-opt 16, 19 and 22.
    #[test]
    fn older_casts_keep_groups_of_dimensions() {
        for (source, result, by) in [
            ("vector<2x4xf32>", "vector<1x4x2xf32>", &[16, 19][..]),
            ("vector<4x1x3xf32>", "vector<2x6xf32>", &[16, 19]),
            ("vector<2x4xf32>", "vector<4x2xf32>", &[]),
            ("vector<2x4x1xf32>", "vector<8xf32>", &[]),
            ("vector<1x8x1xf32>", "vector<2x4xf32>", &[16, 19]),
            ("vector<8x1xf32>", "vector<2x4x1xf32>", &[]),
            ("vector<6xf32>", "vector<2x3x1x1xf32>", &[]),
        ] {
            let text = format!(
                "func.func @f(%a: {source}) {{\n  %0 = vector.shape_cast %a : {source} to {result}\n  return\n}}\n"
            );
            assert_refused(&text, by, "do not have groups of dimensions");
        }
    }

    #[test]
    fn vectors_in_memory_have_no_more_dimensions() {
        for (memref, indices, vector, by) in [
            ("memref<?xf32>", 1, "vector<4xf32>", &[][..]),
            ("memref<?xf32>", 1, "vector<2x4xf32>", &[22]),
            ("memref<?x?xf32>", 2, "vector<2x4xf32>", &[]),
            ("memref<?x?xf32>", 2, "vector<4xf32>", &[]),
        ] {
            let (names, types) = (["%i", "%i, %i"][indices - 1], ["index", "index, index"][indices - 1]);
            for operation in [
                format!("%0 = \"vector.load\"(%m, {names}) : ({memref}, {types}) -> {vector}"),
                format!("\"vector.store\"(%v, %m, {names}) : ({vector}, {memref}, {types}) -> ()"),
            ] {
                let text = format!(
                    "func.func @f(%m: {memref}, %v: {vector}, %i: index) {{\n  {operation}\n  return\n}}\n"
                );
                assert_refused(&text, by, "has fewer dimensions than");
            }
        }
    }

    #[test]
    fn interleaved_vectors_are_twice_as_long() {
        for (of, result, is_fine) in [
            ("vector<4xi32>", "vector<8xi32>", true),
            ("vector<[4]xi32>", "vector<[8]xi32>", true),
            ("vector<4xi32>", "vector<4xi32>", false),
            ("vector<[4]xi32>", "vector<8xi32>", false),
            ("vector<4xi32>", "vector<8xf32>", false),
        ] {
            let text = format!(
                "llvm.func @f(%m: {of}) {{\n  %0 = \"llvm.intr.vector.interleave2\"(%m, %m) : ({of}, {of}) -> {result}\n  llvm.return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                assert_eq!(super::super::tests::complaints(&text, release).is_empty(), is_fine, "{text}");
            }
        }
    }

    #[test]
    fn copies_have_whole_words() {
        for (element, count, bypass, by) in [
            ("f32", 4, "", &[][..]),
            ("f64", 1, "", &[]),
            ("f32", 3, "", &[19, 22]),
            ("i8", 2, "", &[19, 22]),
            ("f32", 2, ", bypassL1", &[19, 22]),
            ("f16", 8, ", bypassL1", &[]),
        ] {
            let text = format!(
                "func.func @f(%s: memref<128x{element}>, %d: memref<128x{element}, 3>, %i: index) {{\n  %0 = \"nvgpu.device_async_copy\"(%d, %i, \
                 %s, %i) {{dstElements = {count} : index, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>{bypass}}} : (memref<128x{element}, 3>, \
                 index, memref<128x{element}>, index) -> !nvgpu.device.async.token\n  return\n}}\n"
            );
            assert_refused(&text, by, "copies");
        }
    }
}
