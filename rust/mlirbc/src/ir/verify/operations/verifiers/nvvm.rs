//! Operations of GPUs by NVIDIA (`MmaOp::verify`, `ReduxOp::verify`, `MBarrierArriveExpectTxOp::verify` and
//! `CpAsyncBulkTensorSharedCTAToGlobalOp::verify` in `mlir/lib/Dialect/LLVMIR/IR/NVVMDialect.cpp`, and
//! `verifyTmaDescriptorWithMemref` in `mlir/lib/Dialect/NVGPU/IR/NVGPUDialect.cpp`).

use std::rc::Rc;

use super::super::type_traits::Typed;
use super::{LONGEST, Subject, Verifier};

pub(super) const MULTIPLIED: Verifier =
    Verifier::new(&["shape", "layoutA", "layoutB", "multiplicandAPtxType"], multiplied).since(22);
/// JAX 0.9 and later builds have the rule, LLVM 22 does not.
pub(super) const SPARSE: Verifier =
    Verifier::new(&["shape", "multiplicandAPtxType"], sparse).since_day("2026-03-10");
pub(super) const REDUCED: Verifier = Verifier::new(&["kind", "abs", "nan"], reduced).since(22);
pub(super) const EXPECTED: Verifier = Verifier::new(&["scope", "relaxed"], expected).since(22);
pub(super) const STORED: Verifier = Verifier::new(&[], stored).since(22);
pub(super) const TRANSFERRED: Verifier = Verifier::new(&[], transferred).since(22);

/// The last word of an attribute such as `#nvvm.mma_layout<row>` or `#nvvm<mma_layout row>`.
fn case_of(subject: &Subject<'_>, name: &str) -> Option<String> {
    let text = subject.word(name)?;
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.rfind(|word| !word.is_empty()).map(str::to_owned)
}

fn multiplied(subject: &Subject<'_>) -> Option<String> {
    let numbers: Vec<u32> = subject
        .word("shape")?
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let layouts = [case_of(subject, "layoutA")?, case_of(subject, "layoutB")?];
    let is_smallest = numbers == [8, 8, 4] && case_of(subject, "multiplicandAPtxType")? == "f16";
    if !is_smallest && (layouts[0] != "row" || layouts[1] != "col") {
        return Some(format!("has the layouts {} and {}, expected row and col", layouts[0], layouts[1]));
    }
    let accumulator = half_or_single(subject.group(2)?.first()?)?;
    let result = half_or_single(subject.results.first()?)?;
    (numbers.first() == Some(&16) && accumulator != result)
        .then(|| "must have the type of its result for operand `operandC`".to_owned())
}

/// Whether a sparse product of small floats has a wrong number of registers for its first factor.
fn sparse(subject: &Subject<'_>) -> Option<String> {
    let is_small = matches!(&*case_of(subject, "multiplicandAPtxType")?, "e4m3" | "e5m2");
    let count = subject.group(0)?.len();
    (is_small && count != 4).then(|| format!("must have 4 values for operand `operandA`, found {count}"))
}

/// Whether the numbers are floats of 16 bits; `None` if they are not floats of 16 or 32 bits.
fn half_or_single(of: &Typed) -> Option<bool> {
    let text = of.r#type.to_text_within(LONGEST);
    let text = text.trim_start_matches("!llvm.struct<(");
    match text {
        _ if text.starts_with("f16") || text.starts_with("vector<2xf16>") => Some(true),
        _ if text.starts_with("f32") => Some(false),
        _ => None,
    }
}

fn reduced(subject: &Subject<'_>) -> Option<String> {
    let result = subject.results.first()?;
    let type_text = result.r#type.to_text_within(LONGEST);
    for name in ["abs", "nan"] {
        if type_text != "f32" && subject.word(name).is_some_and(|value| value == "true") {
            return Some(format!("has `{name}`, which is one of `f32`, not of {}", result.shown()));
        }
    }
    let kind = case_of(subject, "kind")?;
    let expected_type = if matches!(&*kind, "fmin" | "fmax") { "f32" } else { "i32" };
    (type_text != expected_type)
        .then(|| format!("reduces {} by `{kind}`, which is one of `{expected_type}`", result.shown()))
}

fn expected(subject: &Subject<'_>) -> Option<String> {
    if subject.operands.len() != 3 {
        return None;
    }
    let conflict = match subject.operands.first()?.shown() {
        "`!llvm.ptr<7>`" => "a barrier of another block".to_owned(),
        _ if !subject.results.is_empty() => "a result".to_owned(),
        _ if subject.word("relaxed").is_some_and(|value| value == "true") => "`relaxed`".to_owned(),
        _ => {
            let scope = case_of(subject, "scope").filter(|scope| scope != "cta")?;
            format!("the scope `{scope}`")
        }
    };
    Some(format!("has a predicate, so it cannot have {conflict}"))
}

fn stored(subject: &Subject<'_>) -> Option<String> {
    let dimensions = subject.group(2)?.len();
    (!(1..=5).contains(&dimensions)).then(|| format!("has {dimensions} coordinates, expected 1 to 5"))
}

fn transferred(subject: &Subject<'_>) -> Option<String> {
    let is_descriptor = |typed: &&Rc<Typed>| typed.shown().starts_with("`!nvgpu.tensormap");
    let descriptor = subject.operands.iter().find(is_descriptor)?;
    let text = descriptor.r#type.to_text_within(LONGEST);
    let shape = text.split_once("tensor = memref<")?.1.split([',', '>']).next()?;
    let (sizes, element) = shape.rsplit_once('x')?;
    let size: u64 = sizes.rsplit('x').next()?.parse().ok()?;
    let width: u64 = element.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).parse().ok()?;
    let bytes = size.checked_mul(width)? / 8;
    (bytes % 16 != 0)
        .then(|| format!("the last dimension of the tensor map has {bytes} bytes, expected a multiple of 16"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused_by_22, complaints};

    // Expected: the verdicts of jaxlib 0.8 to 0.12. LLVM 22 accepts the operation.
    #[test]
    fn sparse_products_of_small_floats_have_four_registers() {
        let text = |count: usize| {
            let (values, types) = (vec!["%a"; count].join(", "), vec!["i32"; count].join(", "));
            format!(
                "func.func @f(%a: i32, %c: f32) {{\n  %0 = \"nvvm.mma.sp.sync\"({values}, %a, %a, %a, %a, %c, %c, %c, %c, %a, %a) \
                 <{{multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e4m3>, \
                 operandSegmentSizes = array<i32: {count}, 4, 4, 1, 1>, shape = #nvvm.shape<m = 16, n = 8, k = 64>}}> : \
                 ({types}, i32, i32, i32, i32, f32, f32, f32, f32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>\n  return\n}}\n"
            )
        };
        for (release, count, is_refused) in
            [("jaxlib-0.10", 2, true), ("jaxlib-0.10", 4, false), ("llvm-22", 2, false)]
        {
            let messages = complaints(&text(count), release);
            assert_eq!(!messages.is_empty(), is_refused, "{release}: {count}: {messages:?}");
        }
    }

    // Expected: the verdicts of mlir-opt 19 and 22.
    #[test]
    fn products_have_the_type_of_what_is_added() {
        let (half, single) = ("vector<2xf16>", "f32");
        let halves = format!("!llvm.struct<({half}, {half})>");
        let singles = "!llvm.struct<(f32, f32, f32, f32)>";
        for (accumulator, layout, result, part) in [
            (half, "row", &*halves, ""),
            (single, "row", singles, ""),
            (half, "row", singles, "must have the type of its result"),
            (single, "row", &*halves, "must have the type of its result"),
            (single, "col", singles, "has the layouts col and col"),
        ] {
            let count = if accumulator == half { 2 } else { 4 };
            let operands =
                [vec!["%a"; 6], vec![if count == 2 { "%a" } else { "%c" }; count]].concat().join(", ");
            let types = [vec![half; 6], vec![accumulator; count]].concat().join(", ");
            let text = format!(
                "llvm.func @f(%a: {half}, %c: f32) {{\n  %0 = \"nvvm.mma.sync\"({operands}) <{{layoutA = #nvvm.mma_layout<{layout}>, layoutB \
                 = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, \
                 operandSegmentSizes = array<i32: 4, 2, {count}>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}}> : ({types}) -> {result}\n  \
                 llvm.return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
        let smallest = format!(
            "llvm.func @f(%a: {half}) {{\n  %0 = \"nvvm.mma.sync\"(%a, %a, %a, %a, %a, %a, %a, %a) <{{layoutA = #nvvm.mma_layout<col>, \
             layoutB = #nvvm.mma_layout<row>, multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, \
             operandSegmentSizes = array<i32: 2, 2, 4>, shape = #nvvm.shape<m = 8, n = 8, k = 4>}}> : ({}) -> \
             !llvm.struct<({})>\n  llvm.return\n}}\n",
            [half; 8].join(", "),
            [half; 4].join(", "),
        );
        assert_refused_by_22(&smallest, "");
    }

    #[test]
    fn reductions_are_of_one_type() {
        for (of, kind, attributes, part) in [
            ("i32", "add", "", ""),
            ("i32", "add", ", abs = false", ""),
            ("i32", "add", ", abs = true", "has `abs`"),
            ("i32", "add", ", nan = true", "has `nan`"),
            ("f32", "add", "", "by `add`, which is one of `i32`"),
        ] {
            let text = format!(
                "llvm.func @f(%v: {of}, %m: i32) {{\n  %0 = \"nvvm.redux.sync\"(%v, %m) {{kind = #nvvm<redux_kind {kind}>{attributes}}} : ({of}, \
                 i32) -> {of}\n  llvm.return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
        let float = "llvm.func @f(%v: f32, %m: i32) {\n  %0 = \"nvvm.redux.sync\"(%v, %m) <{kind = #nvvm<redux_kind fmin>, abs = true}> : \
                     (f32, i32) -> f32\n  llvm.return\n}\n";
        assert!(complaints(float, "llvm-22").is_empty());
    }

    #[test]
    fn barriers_with_a_predicate_have_less() {
        for (space, attributes, part) in [
            ("<3>", "", ""),
            ("<3>", "{relaxed = false}", ""),
            ("<3>", "{relaxed = true}", "cannot have `relaxed`"),
            ("<7>", "", "cannot have a barrier of another block"),
        ] {
            let text = format!(
                "llvm.func @f(%b: !llvm.ptr{space}, %t: i32, %p: i1) {{\n  \"nvvm.mbarrier.arrive.expect_tx\"(%b, %t, %p) {attributes} : \
                 (!llvm.ptr{space}, i32, i1) -> ()\n  llvm.return\n}}\n"
            );
            let messages = complaints(&text, "llvm-22");
            assert_eq!(messages.is_empty(), part.is_empty(), "{text}: {messages:?}");
            assert!(messages.iter().all(|message| message.contains(part)), "{text}: {messages:?}");
        }
    }

    #[test]
    fn transfers_have_coordinates() {
        for (count, part) in [(1, ""), (5, ""), (0, "has 0 coordinates"), (6, "has 6 coordinates")] {
            let operands = [vec!["%d", "%s"], vec!["%c"; count]].concat().join(", ");
            let types = [vec!["!llvm.ptr", "!llvm.ptr<3>"], vec!["i32"; count]].concat().join(", ");
            let text = format!(
                "llvm.func @f(%d: !llvm.ptr, %s: !llvm.ptr<3>, %c: i32) {{\n  \"nvvm.cp.async.bulk.tensor.global.shared.cta\"({operands}) \
                 <{{operandSegmentSizes = array<i32: 1, 1, {count}, 0, 0>}}> : ({types}) -> ()\n  llvm.return\n}}\n"
            );
            let messages = complaints(&text, "llvm-22");
            assert_eq!(messages.is_empty(), part.is_empty(), "{text}: {messages:?}");
            assert!(messages.iter().all(|message| message.contains(part)), "{text}: {messages:?}");
        }
    }

    #[test]
    fn tensor_maps_have_whole_lines() {
        for (shape, part) in
            [("32x16xi8", ""), ("32x8xf32", ""), ("32x8xi8", "has 8 bytes"), ("32x2xf32", "has 8 bytes")]
        {
            let map = format!(
                "!nvgpu.tensormap.descriptor<tensor = memref<{shape}, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>"
            );
            let text = format!(
                "func.func @f(%d: {map}, %b: memref<{shape}, 3>, %c: index) {{\n  \"nvgpu.tma.async.store\"(%b, %d, %c, %c) \
                 <{{operandSegmentSizes = array<i32: 1, 1, 2, 0>}}> : (memref<{shape}, 3>, {map}, index, index) -> ()\n  return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
    }
}
