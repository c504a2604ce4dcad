//! Slices of memrefs and tensors (`verifyInBoundsSlice` in `mlir/lib/Dialect/Utils/StaticValueUtils.cpp`, and
//! `SubViewOp::inferResultType` and `SubViewOp::verify` in `mlir/lib/Dialect/MemRef/IR/MemRefOps.cpp`).

use crate::attr::FieldValue;
use crate::release::Moment;

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{LONGEST, Subject, Verifier, is_short};

const STATIC: &[&str] = &["static_offsets", "static_sizes", "static_strides"];

pub(super) const OF_TENSORS: Verifier = Verifier::new(STATIC, of_tensors);
pub(super) const OF_MEMREFS: Verifier = Verifier::new(STATIC, of_memrefs);

/// New offsets, sizes and strides (`ReinterpretCastOp::verify`). JAX 0.9 has the rule for expanded shapes,
/// LLVM 22 does not.
pub(super) const EXPANDED: Verifier =
    Verifier::new(&["static_output_shape"], expanded).since_day("2026-03-10");
pub(super) const REINTERPRETED: Verifier = Verifier::new(STATIC, reinterpreted);

/// Marks a number that is unknown before the program runs.
const DYNAMIC: i64 = i64::MIN;

/// The offsets, sizes and strides of a slice.
struct Slice {
    offsets: Vec<i64>,
    sizes: Vec<i64>,
    strides: Vec<i64>,
}

impl Slice {
    fn of(subject: &Subject<'_>) -> Option<Self> {
        let [offsets, sizes, strides] = STATIC else { return None };
        let slice = Self {
            offsets: subject.integers(offsets)?,
            sizes: subject.integers(sizes)?,
            strides: subject.integers(strides)?,
        };
        let len = slice.offsets.len();
        (len == slice.sizes.len() && len == slice.strides.len()).then_some(slice)
    }

    /// Returns the first dimension in which the slice exceeds a shape.
    fn outside(&self, shape: &[i64]) -> Option<String> {
        if shape.len() != self.offsets.len() {
            return None;
        }
        let numbers = self.offsets.iter().zip(&self.sizes).zip(&self.strides);
        for (dimension, (&bound, ((&offset, &size), &stride))) in shape.iter().zip(numbers).enumerate() {
            if bound < 0 || offset == DYNAMIC {
                continue;
            }
            if offset >= bound {
                return Some(format!(
                    "the offset {offset} is outside of dimension {dimension}, whose size is {bound}"
                ));
            }
            if size == DYNAMIC || stride == DYNAMIC {
                continue;
            }
            let last = size.checked_sub(1)?.checked_mul(stride)?.checked_add(offset)?;
            if last >= bound {
                return Some(format!(
                    "the slice ends at {last}, outside of dimension {dimension}, whose size is {bound}"
                ));
            }
        }
        None
    }
}

fn of_tensors(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let place = usize::from(subject.name != "tensor.extract_slice");
    let whole = subject.operands.get(place).filter(|whole| whole.facts.kind == Kind::RankedTensor)?;
    Slice::of(subject)?.outside(whole.shape.as_ref()?.sizes())
}

fn of_memrefs(subject: &Subject<'_>) -> Option<String> {
    let (source, result) = (subject.operands.first()?, subject.results.first()?);
    let slice = Slice::of(subject)?;
    let shape = source.shape.as_ref()?.sizes();
    if subject.is_since(22)
        && let Some(complaint) = slice.outside(shape)
    {
        return Some(complaint);
    }
    let (from, to) = (Layout::of(source)?, Layout::of(result)?);
    if from.strides.len() != slice.offsets.len() {
        return None;
    }
    let is_zero_kept = subject.is_since(19);
    if !is_zero_kept && !subject.is_until(16) {
        return None;
    }
    let product = |left: i64, right: i64| match (left, right) {
        (0, _) | (_, 0) if is_zero_kept => Some(0),
        (DYNAMIC, _) | (_, DYNAMIC) => Some(DYNAMIC),
        _ => left.checked_mul(right),
    };
    let mut offset = from.offset;
    for (&at, &stride) in slice.offsets.iter().zip(&from.strides) {
        let step = product(at, stride)?;
        offset = if offset == DYNAMIC || step == DYNAMIC { DYNAMIC } else { offset.checked_add(step)? };
    }
    if offset != to.offset {
        let [expected, found] = [offset, to.offset].map(shown);
        return Some(format!("the offset of the result is {found}, expected {expected}"));
    }
    if is_zero_kept {
        let strides = from.strides.iter().zip(&slice.strides).map(|(&left, &right)| product(left, right));
        let mut strides: Vec<i64> = strides.collect::<Option<_>>()?;
        let mut result_strides = to.strides;
        if result_strides.len() != strides.len() {
            // Dimensions of size one may be left out.
            strides = of_others(&strides, &slice.sizes);
            result_strides = of_others(&result_strides, result.shape.as_ref()?.sizes());
        }
        let is_known = strides.len() == result_strides.len();
        let wrong =
            strides.iter().zip(&result_strides).find(|(expected, found)| is_known && expected != found);
        return wrong.map(|(&expected, &found)| {
            format!("a stride of the result is {}, expected {}", shown(found), shown(expected))
        });
    }
    None
}

/// The strides of dimensions whose size is not one.
fn of_others(strides: &[i64], sizes: &[i64]) -> Vec<i64> {
    strides.iter().zip(sizes).filter(|(_, size)| **size != 1).map(|(&stride, _)| stride).collect()
}

fn reinterpreted(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let result = subject.results.first()?;
    let layout = Layout::of(result)?;
    let result_numbers = [&[layout.offset][..], result.shape.as_ref()?.sizes(), &layout.strides];
    // There is one offset, but as many sizes and strides as the result has dimensions.
    let checked = STATIC.iter().zip(["the offset", "a size", "a stride"]).zip(result_numbers);
    // IREE 3.13 refuses a dynamic number for a static one, too.
    let is_exact = subject.time.is_since(Moment::Day("2026-10-10"));
    checked.into_iter().find_map(|((name, what), known)| {
        let declared = subject.integers(name)?;
        let is_wrong = |stated: i64, actual: i64| match (stated == DYNAMIC, actual == DYNAMIC || actual < 0) {
            (true, is_dynamic) => !is_dynamic,
            (false, is_dynamic) => is_exact && is_dynamic,
        };
        let mut pairs = declared.iter().zip(known);
        let (stated, known) = pairs.find(|(stated, known)| is_wrong(**stated, **known))?;
        let [found, expected] =
            [*known, *stated].map(|number| shown(if number < 0 { DYNAMIC } else { number }));
        Some(format!("{what} of the result is {found}, expected {expected}"))
    })
}

/// The result must have the shape that the operation names.
fn expanded(subject: &Subject<'_>) -> Option<String> {
    let named = subject.integers("static_output_shape")?;
    let sizes = subject.results.first()?.shape.as_ref()?.sizes();
    let normal = |size: i64| if size < 0 { DYNAMIC } else { size };
    let mut pairs = named.iter().zip(sizes).enumerate();
    let (place, (&named, &size)) = pairs.find(|(_, (named, size))| normal(**named) != normal(**size))?;
    let [found, expected] = [size, named].map(|size| shown(normal(size)));
    Some(format!("the size of dimension {place} of the result is {found}, expected {expected}"))
}

fn shown(number: i64) -> String {
    if number == DYNAMIC { "dynamic".to_owned() } else { number.to_string() }
}

/// The layout of a memref.
struct Layout {
    offset: i64,
    strides: Vec<i64>,
}

impl Layout {
    /// Returns `None` if the layout is not strided.
    fn of(memref: &Typed) -> Option<Self> {
        if memref.facts.kind != Kind::MemRef || !is_short(&memref.r#type) {
            return None;
        }
        let sizes = memref.shape.as_ref()?.sizes();
        let Ok(Some(FieldValue::Attribute(layout))) = memref.r#type.field("layout") else {
            return Self::of_sizes(sizes);
        };
        match layout.class()? {
            "StridedLayoutAttr" => {
                let Ok(Some(FieldValue::Signed(offset))) = layout.field("offset") else { return None };
                let Ok(Some(FieldValue::List(strides))) = layout.field("strides") else { return None };
                let stride = |stride: FieldValue| match stride {
                    FieldValue::Signed(stride) => Some(stride),
                    _ => None,
                };
                let strides: Vec<i64> = strides.into_iter().map(stride).collect::<Option<_>>()?;
                (strides.len() == sizes.len()).then_some(Self { offset, strides })
            }
            "AffineMapAttr" if layout.payload().len() <= LONGEST => {
                let map = layout.affine_map()?;
                let is_identity = map.num_results() == sizes.len() && map.is_identity();
                if is_identity { Self::of_sizes(sizes) } else { None }
            }
            _ => None,
        }
    }

    /// The layout of a shape without gaps.
    fn of_sizes(sizes: &[i64]) -> Option<Self> {
        let mut strides = vec![1; sizes.len()];
        let mut next = 1_i64;
        for (stride, &size) in strides.iter_mut().zip(sizes).rev() {
            *stride = next;
            next = if size < 0 || next == DYNAMIC { DYNAMIC } else { next.checked_mul(size)? };
        }
        Some(Self { offset: 0, strides })
    }
}

/// Casts between memrefs without rank, which later releases accept.
pub(super) const CAST: Verifier = Verifier::new(&[], cast).until(22);

fn cast(subject: &Subject<'_>) -> Option<String> {
    let (source, result) = (subject.operands.first()?, subject.results.first()?);
    let is_unranked = |of: &Typed| of.facts.kind == Kind::UnrankedMemRef;
    (is_unranked(source) && is_unranked(result))
        .then(|| format!("{} cannot be cast to {}", source.shown(), result.shown()))
}

/// Transposed memrefs. Later releases compare layouts by their meaning.
pub(super) const TRANSPOSED: Verifier = Verifier::new(&[], transposed).until(16);

fn transposed(subject: &Subject<'_>) -> Option<String> {
    let result = &subject.results.first()?.r#type;
    let layout = result.field("layout").ok()?;
    let is_strided = |layout: &FieldValue| matches!(layout, FieldValue::Attribute(layout) if layout.class() == Some("StridedLayoutAttr"));
    (!layout.as_ref().is_some_and(is_strided))
        .then(|| "the type of the result must have a strided layout".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused;

    #[test]
    fn dynamic_numbers_have_dynamic_results() {
        let cast = |numbers: [&str; 3], groups: &str, result: &str| {
            let [offset, size, stride] = numbers.map(|number| match number {
                "?" => "-9223372036854775808",
                number => number,
            });
            format!(
                "func.func @f(%m: memref<4x4xf32>, %i: index) {{\n  %0 = \"memref.reinterpret_cast\"(%m, %i) {{static_offsets = array<i64: {offset}>, \
                 static_sizes = array<i64: {size}>, static_strides = array<i64: {stride}>, operandSegmentSizes = array<i32: 1, {groups}>}} : \
                 (memref<4x4xf32>, index) -> {result}\n  return\n}}\n"
            )
        };
        for (numbers, groups, result, by, part) in [
            (["?", "4", "1"], "1, 0, 0", "memref<4xf32, strided<[1], offset: ?>>", &[][..], ""),
            (
                ["?", "4", "1"],
                "1, 0, 0",
                "memref<4xf32, strided<[1], offset: 4>>",
                &[22],
                "the offset of the result is 4",
            ),
            (["0", "?", "1"], "0, 1, 0", "memref<?xf32>", &[], ""),
            (["0", "?", "1"], "0, 1, 0", "memref<4xf32>", &[22], "a size of the result is 4"),
            (["0", "4", "?"], "0, 0, 1", "memref<4xf32, strided<[?]>>", &[], ""),
            (["0", "4", "?"], "0, 0, 1", "memref<4xf32>", &[22], "a stride of the result is 1"),
        ] {
            assert_refused(&cast(numbers, groups, result), by, part);
        }
    }

    fn extracted(shape: &str, slice: &str, result: &str) -> String {
        format!(
            "func.func @f(%t: {shape}, %s: index) {{\n  %0 = tensor.extract_slice %t{slice} : {shape} to {result}\n  return\n}}\n"
        )
    }

    fn viewed(shape: &str, slice: &str, result: &str) -> String {
        format!(
            "func.func @f(%t: {shape}, %s: index) {{\n  %0 = memref.subview %t{slice} : {shape} to {result}\n  return\n}}\n"
        )
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn slices_are_inside_of_what_they_are_taken_from() {
        assert_refused(&extracted("tensor<4xf32>", "[2] [2] [1]", "tensor<2xf32>"), &[], "");
        assert_refused(&extracted("tensor<4xf32>", "[3] [2] [1]", "tensor<2xf32>"), &[22], "ends at 4");
        assert_refused(&extracted("tensor<4xf32>", "[4] [0] [1]", "tensor<0xf32>"), &[22], "the offset 4");
        assert_refused(&extracted("tensor<?xf32>", "[4] [2] [1]", "tensor<2xf32>"), &[], "");
        let result = "memref<2xf32, strided<[1], offset: 3>>";
        assert_refused(&viewed("memref<4xf32>", "[3] [2] [1]", result), &[22], "ends at 4");
        assert_refused(&viewed("memref<4xf32>", "[0] [6] [%s]", "memref<6xf32, strided<[?]>>"), &[], "");
        let inserted = "func.func @f(%t: tensor<4xf32>, %p: tensor<2xf32>) {\n  %0 = tensor.insert_slice %p into %t[3] [2] [1] : \
                        tensor<2xf32> into tensor<4xf32>\n  return\n}\n";
        assert_refused(inserted, &[22], "ends at 4");
    }

    #[test]
    fn views_have_the_offset_that_follows() {
        let (unknown, known) = ("memref<?x?xf32>", "memref<8x8xf32>");
        let (dynamic, zero) =
            ("memref<3x4xf32, strided<[?, 1], offset: ?>>", "memref<3x4xf32, strided<[?, 1]>>");
        let (first, all) = ("[0, 0] [3, 4] [1, 1]", &[16, 19, 22]);
        assert_refused(
            &viewed(unknown, first, dynamic),
            &[19, 22],
            "the offset of the result is dynamic, expected 0",
        );
        assert_refused(
            &viewed(unknown, first, zero),
            &[16],
            "the offset of the result is 0, expected dynamic",
        );
        let second = "[0, 1] [3, 4] [1, 1]";
        let (right, wrong) =
            ("memref<3x4xf32, strided<[8, 1], offset: 1>>", "memref<3x4xf32, strided<[8, 1], offset: ?>>");
        assert_refused(&viewed(known, second, right), &[], "");
        assert_refused(&viewed(known, second, wrong), all, "the offset of the result");
        let other_stride = "memref<3x4xf32, strided<[?, 1], offset: 1>>";
        assert_refused(&viewed(known, second, other_stride), &[19, 22], "a stride of the result");
        // The result has a lower rank.
        let row = "[0, 1] [1, 4] [1, 1]";
        assert_refused(&viewed(known, row, "memref<4xf32, strided<[1], offset: 1>>"), &[], "");
        assert_refused(&viewed(known, row, "memref<4xf32, strided<[1], offset: ?>>"), all, "the offset");
        let with_steps = "[0, 0] [1, 4] [1, 2]";
        assert_refused(&viewed(known, with_steps, "memref<4xf32, strided<[2]>>"), &[], "");
        assert_refused(&viewed(known, with_steps, "memref<4xf32, strided<[8]>>"), &[19, 22], "a stride");
        assert_refused(&viewed(known, with_steps, "memref<4xf32>"), &[19, 22], "a stride of the result");
        let cube = "memref<8x8x8xf32>";
        let column = "[0, 0, 0] [1, 4, 1] [1, 2, 1]";
        assert_refused(&viewed(cube, column, "memref<1x4xf32, strided<[64, 16]>>"), &[], "");
        let somewhere = "[%s, 1] [1, 4] [1, 1]";
        assert_refused(
            &viewed(known, somewhere, "memref<4xf32, strided<[1], offset: 1>>"),
            all,
            "the offset",
        );
        assert_refused(&viewed(known, "[0, 0] [8, 8] [1, 1]", known), &[], "");
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn transposed_memrefs_are_strided() {
        for (layout, by) in [("", &[16][..]), (", strided<[3, 1]>", &[])] {
            let text = format!(
                "func.func @f(%m: memref<2x3xf32>) {{\n  %0 = \"memref.transpose\"(%m) {{permutation = affine_map<(d0, d1) -> (d0, \
                 d1)>}} : (memref<2x3xf32>) -> memref<2x3xf32{layout}>\n  return\n}}\n"
            );
            assert_refused(&text, by, "must have a strided layout");
        }
    }

    // Expected: the verdicts of mlir-opt 16, 19 and 22. The build jaxlib 0.10 accepts both.
    #[test]
    fn unranked_memrefs_are_cast_to_ranked_ones() {
        for (result, by) in [("memref<*xf32>", &[16, 19, 22][..]), ("memref<2xf32>", &[])] {
            let text = format!(
                "func.func @f(%m: memref<*xf32>) {{\n  %0 = \"memref.cast\"(%m) : (memref<*xf32>) -> {result}\n  return\n}}\n"
            );
            assert_refused(&text, by, "cannot be cast to");
        }
    }
}
