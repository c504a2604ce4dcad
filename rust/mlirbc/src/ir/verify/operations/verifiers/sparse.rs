//! Operations on sparse tensors (`mlir/lib/Dialect/SparseTensor/IR/SparseTensorDialect.cpp`). Releases before
//! 22 print an error for these mistakes, but accept the operation.

use std::rc::Rc;

use crate::attr::FieldValue;
use crate::attr::text::parse::fields::{body_of, parts};

use super::super::type_traits::Typed;
use super::super::types::Kind;
use super::{LONGEST, OperandValue, Subject, Verifier, is_short};

pub(super) const FOREACH: Verifier = Verifier::new(&[], foreach).since(22).with_regions();
pub(super) const SORT: Verifier = Verifier::new(&["perm_map", "ny"], sort).since(22).with_values();
pub(super) const LEVEL_SIZE: Verifier = Verifier::new(&[], level_size).since(22).with_values();
pub(super) const REORDER: Verifier = Verifier::new(&[], reorder).since(22);
pub(super) const ASSEMBLE: Verifier = Verifier::new(&[], assemble).since(22);

/// The levels of a sparse tensor: the expression and the format of each.
fn levels_of(tensor: &Typed) -> Option<Vec<(String, String)>> {
    if tensor.facts.kind != Kind::RankedTensor || !is_short(&tensor.r#type) {
        return None;
    }
    let Ok(Some(FieldValue::Attribute(encoding))) = tensor.r#type.field("encoding") else { return None };
    let text = encoding.to_text_within(LONGEST);
    let body = text.strip_prefix("#sparse_tensor.encoding<").and_then(body_of)?.trim();
    let map = body.strip_prefix('{')?.strip_suffix('}')?.trim().strip_prefix("map = ")?;
    let list = map.split_once("-> (")?.1;
    let end = list.char_indices().scan(1_i32, |depth, (place, letter)| {
        *depth += i32::from(letter == '(') - i32::from(letter == ')');
        Some((place, *depth))
    });
    let (end, _) = end.into_iter().find(|(_, depth)| *depth == 0)?;
    let level = |part: &str| {
        let (expression, format) = part.split_once(" : ")?;
        Some((expression.trim().to_owned(), format.trim().to_owned()))
    };
    parts(list.get(..end)?).into_iter().map(level).collect()
}

fn foreach(subject: &Subject<'_>) -> Option<String> {
    let tensor = subject.operands.first()?;
    let rank = tensor.shape.as_ref()?.rank();
    let arguments = subject.arguments.first()?.as_ref()?;
    if let Some(place) = arguments.iter().take(rank).position(|argument| argument.facts.kind != Kind::Index) {
        return Some(format!("argument {place} of its region must be an index"));
    }
    let (element, value) = (tensor.facts.element.as_ref()?, arguments.get(rank)?);
    (is_short(element) && is_short(&value.r#type) && *element != value.r#type)
        .then(|| format!("argument {rank} of its region must have the type of the elements"))
}

fn sort(subject: &Subject<'_>) -> Option<String> {
    let attribute = subject.attribute("perm_map").filter(|attribute| !attribute.is_long)?;
    let map = attribute.value.affine_map()?;
    let rank = i64::from(map.num_dims());
    if !map.is_projected_permutation() || map.num_results() != map.num_dims() as usize {
        return Some("`perm_map` must be a permutation".to_owned());
    }
    let OperandValue::Integer(count) = *subject.values.first()? else { return None };
    let extra_keys = subject.number("ny").unwrap_or(0);
    let keys = count.checked_mul(rank.checked_add(extra_keys)?)?;
    let least = std::iter::once(keys).chain(std::iter::repeat(count));
    let mut buffers = subject.operands.iter().skip(1).zip(least);
    buffers.find_map(|(buffer, least): (&Rc<Typed>, i64)| {
        let size = *buffer.shape.as_ref()?.sizes().first()?;
        (size >= 0 && size < least)
            .then(|| format!("{} has {size} elements, expected {least} or more", buffer.shown()))
    })
}

fn level_size(subject: &Subject<'_>) -> Option<String> {
    let OperandValue::Integer(level) = *subject.values.get(1)? else { return None };
    let source = subject.operands.first()?;
    let count = levels_of(source)?.len();
    (u64::try_from(level).ok()? >= count as u64).then(|| format!("the tensor has no level {level}"))
}

fn reorder(subject: &Subject<'_>) -> Option<String> {
    let (input, result) = (subject.operands.first()?, subject.results.first()?);
    let (input_levels, result_levels) = (levels_of(input)?, levels_of(result)?);
    if !input_levels.iter().map(|level| &level.0).eq(result_levels.iter().map(|level| &level.0)) {
        return Some("the levels of the result must be those of the operand".to_owned());
    }
    (input.facts.element != result.facts.element)
        .then(|| "the elements of the result must have the type of those of the operand".to_owned())
}

/// Returns the number of trailing levels that form one list of coordinates.
fn trailing_coordinates(levels: &[(String, String)]) -> Option<usize> {
    let start = levels.iter().rposition(|(_, format)| !format.starts_with("singleton"))?;
    let (_, first) = levels.get(start)?;
    let is_start = first.starts_with("compressed(") && first.contains("nonunique");
    let count = levels.len() - start;
    let has_arrays = levels.iter().any(|(_, format)| format.contains("soa"));
    (is_start && count > 1 && !has_arrays).then_some(count)
}

fn assemble(subject: &Subject<'_>) -> Option<String> {
    let (tensor, levels) = match subject.name {
        "sparse_tensor.assemble" => (subject.results.first()?, subject.group(0)?),
        _ => (subject.operands.first()?, subject.group(1)?),
    };
    let expected = trailing_coordinates(&levels_of(tensor)?)?;
    let last = levels.last()?;
    let sizes = last.shape.as_ref()?.sizes();
    let is_right = matches!(sizes, [_, size] if usize::try_from(*size) == Ok(expected));
    (!is_right).then(|| format!("the coordinates are {}, expected {expected} in each row", last.shown()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_refused_by_22;

    const COMPRESSED: &str =
        "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>";
    const COORDINATES: &str =
        "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>";
    const TURNED: &str =
        "#sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : compressed(nonunique), d0 : singleton) }>";

    // Expected: the verdicts of mlir-opt 22. LLVM 19 accepts the operations.
    #[test]
    fn elements_are_visited_with_their_indices() {
        for (arguments, part) in [
            ("%a: index, %b: index, %v: f64", ""),
            ("%a: index, %b: f64, %v: f64", "argument 1 of its region must be an index"),
            ("%a: index, %b: index, %v: f32", "argument 2 of its region must have the type"),
        ] {
            let tensor = format!("tensor<2x4xf64, {COMPRESSED}>");
            let text = format!(
                "func.func @f(%t: {tensor}) {{\n  \"sparse_tensor.foreach\"(%t) ({{\n  ^bb0({arguments}):\n    \"sparse_tensor.yield\"() : () -> \
                 ()\n  }}) : ({tensor}) -> ()\n  return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
    }

    #[test]
    fn buffers_are_large_enough() {
        for (count, keys, other, map, part) in [
            ("arith.constant 20 : index", 60, 20, "(d0, d1) -> (d1, d0)", ""),
            ("arith.constant 20 : index", 50, 20, "(d0, d1) -> (d0, d1)", "has 50 elements, expected 60"),
            ("arith.constant 20 : index", 60, 10, "(d0, d1) -> (d0, d1)", "has 10 elements, expected 20"),
            ("arith.addi %a, %a : index", 50, 10, "(d0, d1) -> (d0, d1)", ""),
            ("arith.addi %a, %a : index", 50, 10, "(d0, d1) -> (d0, d0)", "must be a permutation"),
        ] {
            let (xy, y) = (format!("memref<{keys}xindex>"), format!("memref<{other}xf32>"));
            let text = format!(
                "func.func @f(%a: index, %x: {xy}, %y: {y}) {{\n  %n = {count}\n  \"sparse_tensor.sort\"(%n, %x, %y) <{{algorithm = \
                 #sparse_tensor<SparseTensorSortAlgorithm hybrid_quick_sort>, ny = 1 : index, perm_map = affine_map<{map}>}}> : (index, {xy}, \
                 {y}) -> ()\n  return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
    }

    #[test]
    fn levels_exist() {
        for (level, part) in [(1, ""), (2, "the tensor has no level 2")] {
            let tensor = format!("tensor<?x?xf64, {COMPRESSED}>");
            let text = format!(
                "func.func @f(%t: {tensor}) {{\n  %c = arith.constant {level} : index\n  %0 = sparse_tensor.lvl %t, %c : {tensor}\n  return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
    }

    #[test]
    fn coordinates_are_reordered_in_their_levels() {
        for (encoding, element, part) in [
            (COORDINATES, "f32", ""),
            (TURNED, "f32", "the levels of the result"),
            (COORDINATES, "f64", "the elements of the result"),
        ] {
            let (source, result) =
                (format!("tensor<?x?xf32, {COORDINATES}>"), format!("tensor<?x?x{element}, {encoding}>"));
            let text = format!(
                "func.func @f(%t: {source}) {{\n  %0 = \"sparse_tensor.reorder_coo\"(%t) <{{algorithm = #sparse_tensor<SparseTensorSortAlgorithm \
                 quick_sort>}}> : ({source}) -> {result}\n  return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
    }

    #[test]
    fn coordinates_have_a_place_for_each_level() {
        for (size, part) in [(2, ""), (3, "expected 2 in each row")] {
            let (tensor, crd) =
                (format!("tensor<100x2xf64, {COORDINATES}>"), format!("tensor<6x{size}xindex>"));
            let text = format!(
                "func.func @f(%v: tensor<6xf64>, %p: tensor<2xindex>, %c: {crd}) {{\n  %0 = \"sparse_tensor.assemble\"(%p, %c, %v) : \
                 (tensor<2xindex>, {crd}, tensor<6xf64>) -> {tensor}\n  return\n}}\n"
            );
            assert_refused_by_22(&text, part);
        }
    }
}
