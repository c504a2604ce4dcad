//! Operations of TOSA (`mlir/lib/Dialect/Tosa/IR/TosaOps.cpp` and `mlir/include/mlir/Dialect/Tosa/IR/TosaTypesBase.td`).

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{Subject, Verifier, is_short};

pub(super) const RESHAPED: Verifier = Verifier::new(&["new_shape"], reshaped);
pub(super) const POOLED: Verifier = Verifier::new(&["kernel", "stride", "pad"], pooled);
pub(super) const GATHERED: Verifier = Verifier::new(&[], gathered);
pub(super) const SCATTERED: Verifier = Verifier::new(&[], scattered);
pub(super) const TRANSFORMED: Verifier = Verifier::new(&[], transformed);
pub(super) const LARGEST: Verifier = Verifier::new(&["axis"], largest);
/// The element types of tensors in TOSA.
pub(super) const OF_ELEMENTS: Verifier = Verifier::new(&[], of_elements);

/// The builtin element types of LLVM 16. Later releases allow all integers and floats.
const ELEMENTS_OF_16: &[&str] =
    &["i1", "i8", "i16", "i32", "i48", "i64", "ui8", "ui16", "f16", "bf16", "f32"];

/// The size of the longest of these types, and one more byte.
const LONGEST_ELEMENT: usize = 8;

fn reshaped(subject: &Subject<'_>) -> Option<String> {
    // Later releases have the shape as an operand.
    if !subject.is_of(19) {
        return None;
    }
    let shape = subject.integers("new_shape")?;
    let result = subject.results.first().filter(|result| result.facts.kind == Kind::RankedTensor)?;
    let sizes = result.shape.as_ref()?.sizes();
    if shape.iter().filter(|&&size| size == -1).count() > 1 {
        return Some("`new_shape` must have at most one size that is -1".to_owned());
    }
    if shape.len() != sizes.len() {
        return Some(format!("`new_shape` has {} sizes, but the result has {}", shape.len(), sizes.len()));
    }
    let mut pairs = shape.iter().zip(sizes);
    let (expected, found) =
        pairs.find(|(expected, found)| **expected != -1 && **found >= 0 && expected != found)?;
    Some(format!("`new_shape` has the size {expected} where the result has {found}"))
}

fn of_elements(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_until(16) {
        return None;
    }
    let wrong = subject.operands.iter().chain(subject.results).find(|tensor| {
        let is_tensor = matches!(tensor.facts.kind, Kind::RankedTensor | Kind::UnrankedTensor);
        let element = tensor.facts.element.as_ref().filter(|element| is_tensor && element.is_builtin());
        element.is_some_and(|element| !ELEMENTS_OF_16.contains(&&*element.to_text_within(LONGEST_ELEMENT)))
    })?;
    Some(format!("{} has elements that TOSA of this release does not have", wrong.shown()))
}

fn pooled(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let numbers = |name: &'static str| subject.integers(name);
    let (kernel, stride, pad) = (numbers("kernel")?, numbers("stride")?, numbers("pad")?);
    let (&[height, width], &[down, right], &[top, bottom, before, after]) =
        (&kernel[..], &stride[..], &pad[..])
    else {
        return None;
    };
    for (name, least, values) in [("kernel", 1, &kernel), ("stride", 1, &stride), ("pad", 0, &pad)] {
        if let Some(value) = values.iter().find(|&&value| value < least) {
            return Some(format!("`{name}` has the number {value}, expected at least {least}"));
        }
    }
    let sides = [(1, height, down, top, bottom), (2, width, right, before, after)];
    if let Some((_, size, ..)) = sides.iter().find(|(_, size, _, before, after)| before.max(after) >= size) {
        return Some(format!("`pad` must be less than the size {size} of the kernel"));
    }
    let (input, output) = (ranked(subject.operands.first()?)?, ranked(subject.results.first()?)?);
    sides.into_iter().find_map(|(dimension, kernel, step, before, after)| {
        let (size, found) = (*input.get(dimension)?, *output.get(dimension)?);
        if size < 0 {
            return None;
        }
        let range = size.checked_add(before)?.checked_add(after)?.checked_sub(kernel)?;
        if range % step != 0 {
            return Some(format!(
                "dimension {dimension} has {range} places after the first, in steps of {step}"
            ));
        }
        let expected = (range / step).checked_add(1)?;
        (found >= 0 && found != expected)
            .then(|| format!("dimension {dimension} of the result is {found}, expected {expected}"))
    })
}

fn largest(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(19) {
        return None;
    }
    let (input, result) = (subject.operands.first()?, subject.results.first()?);
    let element = result.facts.element.as_ref().and_then(|element| element.class());
    if element.is_some_and(|class| class.starts_with("Float") || class == "BFloat16Type") {
        return Some(format!("the result is {}, expected integers", result.shown()));
    }
    let (sizes, found) = (ranked(input)?, ranked(result)?);
    let axis = usize::try_from(subject.number("axis")?).ok()?;
    if !subject.is_since(22) || axis >= sizes.len() {
        return None;
    }
    let (before, after) = sizes.split_at_checked(axis)?;
    let expected: Vec<i64> = before.iter().chain(after.iter().skip(1)).copied().collect();
    let is_same = |(left, right): (&i64, &i64)| left == right || *left < 0 || *right < 0;
    let is_right = expected.len() == found.len() && expected.iter().zip(found).all(is_same);
    (!is_right)
        .then(|| format!("the result is {}, expected the input without dimension {axis}", result.shown()))
}

fn transformed(subject: &Subject<'_>) -> Option<String> {
    if !subject.is_since(22) {
        return None;
    }
    let (input, real) = (subject.operands.first()?, subject.results.first()?);
    let element = input.facts.element.as_ref()?.class()?;
    if element == "IntegerType" {
        return Some(format!("the input is {}, expected floats", input.shown()));
    }
    let (sizes, found) = (ranked(input)?, ranked(real)?);
    let &[_, height, width] = sizes else { return None };
    for size in [height, width].into_iter().filter(|&size| size > 0) {
        if !size.cast_unsigned().is_power_of_two() {
            return Some(format!("a dimension of the input is {size}, expected a power of two"));
        }
    }
    let half = if width < 0 { width } else { width / 2 + 1 };
    let mut pairs = [*sizes.first()?, height, half].into_iter().zip(found).enumerate();
    let wrong = pairs.find(|(_, (expected, found))| *expected >= 0 && **found >= 0 && expected != *found);
    if let Some((dimension, (expected, found))) = wrong {
        return Some(format!("dimension {dimension} of the result is {found}, expected {expected}"));
    }
    let imaginary = subject.results.get(1)?;
    let mut pairs = found.iter().zip(ranked(imaginary)?);
    pairs
        .any(|(left, right)| *left >= 0 && *right >= 0 && left != right)
        .then(|| format!("the results are {} and {}, expected one shape", real.shown(), imaginary.shown()))
}

/// Tensors of an operation, and the dimensions that have each of its sizes.
struct SharedSizes<'s> {
    tensors: Vec<Option<&'s [i64]>>,
    sizes: &'static [&'static [(usize, usize)]],
}

impl SharedSizes<'_> {
    /// Returns the common size of dimensions, or a message about the first dimension with another size.
    fn size(&self, dimensions: &[(usize, usize)]) -> Result<Option<i64>, String> {
        let mut common = None;
        for &(place, dimension) in dimensions {
            let sizes = self.tensors.get(place).copied().flatten();
            let Some(&size) = sizes.and_then(|sizes| sizes.get(dimension)).filter(|size| **size >= 0) else {
                continue;
            };
            match common {
                Some(common) if common != size => {
                    let value = if place + 1 == self.tensors.len() {
                        "the result".to_owned()
                    } else {
                        format!("operand {place}")
                    };
                    return Err(format!("dimension {dimension} of {value} is {size}, expected {common}"));
                }
                _ => common = Some(size),
            }
        }
        Ok(common)
    }

    fn all(&self) -> Result<Vec<Option<i64>>, String> {
        self.sizes.iter().map(|dimensions| self.size(dimensions)).collect()
    }
}

/// The shapes of the operands and of the result.
fn shapes<'s>(subject: &Subject<'s>) -> Vec<Option<&'s [i64]>> {
    subject.operands.iter().chain(subject.results).map(|tensor| ranked(tensor)).collect()
}

/// Returns the sizes of a ranked tensor. Long types are not read, because many operations may share them.
fn ranked(tensor: &Typed) -> Option<&[i64]> {
    let is_read = tensor.facts.kind == Kind::RankedTensor && is_short(&tensor.r#type);
    Some(tensor.shape.as_ref().filter(|_| is_read)?.sizes())
}

// TOSA calls the sizes of both operations N, K, W and C.
fn gathered(subject: &Subject<'_>) -> Option<String> {
    const SIZES: &[&[(usize, usize)]] = &[&[(0, 0), (1, 0), (2, 0)], &[(1, 1), (2, 1)], &[(0, 2), (2, 2)]];
    if !subject.is_since(22) || subject.operands.len() != 2 {
        return None;
    }
    SharedSizes { tensors: shapes(subject), sizes: SIZES }.all().err()
}

fn scattered(subject: &Subject<'_>) -> Option<String> {
    const SIZES: &[&[(usize, usize)]] =
        &[&[(0, 0), (1, 0), (2, 0), (3, 0)], &[(0, 1), (3, 1)], &[(1, 1), (2, 1)], &[(0, 2), (2, 2), (3, 2)]];
    if !subject.is_since(22) || subject.operands.len() != 3 {
        return None;
    }
    match (SharedSizes { tensors: shapes(subject), sizes: SIZES }).all() {
        Ok(sizes) => {
            let (&places, &count) = (sizes.get(1)?.as_ref()?, sizes.get(2)?.as_ref()?);
            (count > places).then(|| format!("writes to {count} places of a tensor that has {places}"))
        }
        Err(complaint) => Some(complaint),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_refused, complaints};

    // Expected: the verdicts of mlir-opt 16, 19 and 22.
    #[test]
    fn new_shapes_are_those_of_the_result() {
        let text = |shape: &str, result: &str| {
            format!(
                "func.func @f(%t: tensor<4x6xf32>) {{\n  %0 = \"tosa.reshape\"(%t) <{{new_shape = array<i64: {shape}>}}> : (tensor<4x6xf32>) -> \
                 {result}\n  return\n}}\n"
            )
        };
        for (shape, result, is_fine) in [
            ("3, 8", "tensor<3x8xf32>", true),
            ("-1, 8", "tensor<3x8xf32>", true),
            ("3, -1", "tensor<3x?xf32>", true),
            ("-1, -1", "tensor<?x?xf32>", false),
            ("3, 8", "tensor<8x3xf32>", false),
            ("3, 8", "tensor<24xf32>", false),
        ] {
            assert_eq!(complaints(&text(shape, result), "llvm-19").is_empty(), is_fine, "{shape}: {result}");
        }
    }

    #[test]
    fn scattered_values_have_a_place() {
        let refused = [22];
        for (values, indices, input, result, part) in [
            ("3x8x5", "3x6", "3x6x5", "3x8x5", ""),
            ("?x?x?", "?x6", "3x6x?", "3x8x5", ""),
            ("3x4x5", "3x6", "3x6x5", "3x4x5", "writes to 6 places"),
            ("3x8x5", "3x6", "3x6x5", "3x7x5", "dimension 1 of the result is 7, expected 8"),
            ("3x8x5", "3x6", "3x6x5", "2x8x5", "dimension 0 of the result is 2, expected 3"),
            ("3x8x5", "3x6", "3x7x5", "3x8x5", "dimension 1 of operand 2 is 7, expected 6"),
            ("3x8x5", "2x6", "3x6x5", "3x8x5", "dimension 0 of operand 1 is 2, expected 3"),
            ("3x8x5", "3x6", "3x6x4", "3x8x5", "dimension 2 of operand 2 is 4, expected 5"),
        ] {
            let by = if part.is_empty() { &[][..] } else { &refused };
            let [values, indices, input, result] =
                [values, indices, input, result].map(|sizes| format!("tensor<{sizes}xi32>"));
            let text = format!(
                "func.func @f(%v: {values}, %i: {indices}, %n: {input}) {{\n  %0 = \"tosa.scatter\"(%v, %i, %n) : ({values}, {indices}, {input}) -> \
                 {result}\n  return\n}}\n"
            );
            assert_refused(&text, by, part);
        }
    }

    #[test]
    fn gathered_values_have_the_sizes_of_the_indices() {
        for (values, indices, result, by) in [
            ("3x4x5", "3x6", "3x6x5", &[][..]),
            ("?x4x5", "3x6", "3x6x?", &[]),
            ("3x4x5", "2x6", "3x6x5", &[22]),
            ("3x4x5", "3x6", "3x7x5", &[22]),
            ("3x4x5", "3x6", "3x6x4", &[22]),
        ] {
            let [values, indices, result] =
                [values, indices, result].map(|sizes| format!("tensor<{sizes}xi32>"));
            let text = format!(
                "func.func @f(%v: {values}, %i: {indices}) {{\n  %0 = \"tosa.gather\"(%v, %i) : ({values}, {indices}) -> {result}\n  return\n}}\n"
            );
            assert_refused(&text, by, "expected");
        }
    }

    #[test]
    fn kernels_fit_in_their_input() {
        for (kernel, stride, pad, result, by, part) in [
            ("2, 2", "1, 1", "0, 0, 0, 0", "1x3x3x4", &[][..], ""),
            ("2, 2", "1, 1", "0, 0, 0, 0", "1x?x?x4", &[], ""),
            ("0, 1", "1, 1", "0, 0, 0, 0", "1x5x4x4", &[22], "`kernel` has the number 0"),
            ("1, 1", "0, 1", "0, 0, 0, 0", "1x4x4x4", &[22], "`stride` has the number 0"),
            ("1, 1", "1, 1", "-1, 0, 0, 0", "1x3x4x4", &[22], "`pad` has the number -1"),
            ("1, 1", "1, 1", "1, 0, 0, 0", "1x5x4x4", &[22], "less than the size 1 of the kernel"),
            ("2, 2", "1, 1", "0, 0, 0, 0", "1x32x32x4", &[22], "dimension 1 of the result is 32, expected 3"),
            ("2, 2", "3, 3", "0, 0, 0, 0", "1x1x1x4", &[22], "in steps of 3"),
        ] {
            let text = format!(
                "func.func @f(%t: tensor<1x4x4x4xf32>) {{\n  %0 = \"tosa.max_pool2d\"(%t) {{kernel = array<i64: {kernel}>, stride = array<i64: \
                 {stride}>, pad = array<i64: {pad}>}} : (tensor<1x4x4x4xf32>) -> tensor<{result}xf32>\n  return\n}}\n"
            );
            assert_refused(&text, by, part);
        }
    }

    #[test]
    fn transforms_have_half_of_the_width() {
        for (input, real, imaginary, by, part) in [
            ("1x4x8xf32", "1x4x5xf32", "1x4x5xf32", &[][..], ""),
            ("1x4x?xf32", "1x4x5xf32", "1x4x5xf32", &[], ""),
            ("1x4x8xi32", "1x4x5xi32", "1x4x5xi32", &[22], "expected floats"),
            ("1x4x8xf32", "1x4x6xf32", "1x4x6xf32", &[22], "dimension 2 of the result is 6, expected 5"),
            ("1x3x8xf32", "1x3x5xf32", "1x3x5xf32", &[22], "is 3, expected a power of two"),
            ("1x4x9xf32", "1x4x5xf32", "1x4x5xf32", &[22], "is 9, expected a power of two"),
            ("1x4x8xf32", "2x4x5xf32", "2x4x5xf32", &[22], "dimension 0 of the result is 2, expected 1"),
            ("1x?x8xf32", "1x3x5xf32", "1x4x5xf32", &[22], "expected one shape"),
        ] {
            let text = format!(
                "func.func @f(%t: tensor<{input}>) {{\n  %0, %1 = \"tosa.rfft2d\"(%t) : (tensor<{input}>) -> (tensor<{real}>, tensor<{imaginary}>)\n  \
                 return\n}}\n"
            );
            assert_refused(&text, by, part);
        }
    }

    #[test]
    fn places_of_the_largest_are_integers() {
        for (result, by) in [
            ("tensor<8xi32>", &[][..]),
            ("tensor<*xi32>", &[]),
            ("tensor<8xf32>", &["llvm-19", "llvm-22"]),
            ("tensor<7xi32>", &["llvm-22"]),
            ("tensor<1x8xi32>", &["llvm-22"]),
        ] {
            let text = format!(
                "func.func @f(%t: tensor<4x8xf32>) {{\n  %0 = \"tosa.argmax\"(%t) {{axis = 0 : i32}} : (tensor<4x8xf32>) -> {result}\n  return\n}}\n"
            );
            for release in ["llvm-19", "llvm-22"] {
                let messages = complaints(&text, release);
                assert_eq!(!messages.is_empty(), by.contains(&release), "{result}: {release}: {messages:?}");
            }
        }
    }

    #[test]
    fn elements_are_those_of_the_release() {
        for (element, by) in [
            ("i1", &[][..]),
            ("i48", &[]),
            ("ui16", &[]),
            ("bf16", &[]),
            ("i4", &[16]),
            ("i128", &[16]),
            ("ui32", &[16]),
            ("f64", &[16]),
            ("f8E5M2", &[16]),
        ] {
            let text = format!(
                "func.func @f(%t: tensor<1x{element}>) {{\n  %0 = \"tosa.identity\"(%t) : (tensor<1x{element}>) -> tensor<1x{element}>\n  return\n}}\n"
            );
            assert_refused(&text, by, "has elements that TOSA");
        }
        let empty = "func.func @f(%t: tensor<0xi8>) {\n  %0 = \"tosa.cast\"(%t) : (tensor<0xi8>) -> tensor<*xi32>\n  return\n}\n";
        assert_refused(empty, &[22], "operand 0 (`input`) is not tosa-conformant tensor of number values");
    }
}
