//! Operations of `vector` with formats that are written by hand (`mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted, Given};
use super::plan::Piece;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "contract" => contract,
        "mask" => mask,
        "outerproduct" => outerproduct,
        "transfer_read" => transfer_read,
        "transfer_write" => transfer_write,
        _ => return None,
    })
}

// The dictionary without a minor identity map and without bounds that are all false.
fn transfer_attributes(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let mut elided = Vec::new();
    if let Some(attribute) = draft.attr("permutation_map") {
        let map = draft.affine_map(attribute)?;
        let first = map.dimensions.checked_sub(map.results().len());
        if map.symbols == 0 && first.is_some_and(|first| map.has_dimensions_from(first)) {
            elided.push("permutation_map");
        }
    }
    if let Some(bounds) = draft.integers_of("in_bounds")
        && bounds.iter().all(|&bound| bound == 0)
    {
        elided.push("in_bounds");
        // Without it the attribute is absent, and no longer one that every operation has.
        if draft.release().0 < 18 {
            draft.lost.get_or_insert("bounds that are all false");
        }
    }
    draft.attr_dict(&elided)
}

fn transfer_read(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let groups = draft.operand_groups()?;
    let operands = draft.all_operands();
    let of = |place: usize| operands.get(groups.get(place)?.clone());
    let (source, indices, padding, mask) = (of(0)?, of(1)?, of(2)?, of(3)?);
    draft.text(" ");
    draft.values(source);
    draft.text("[");
    draft.values(indices);
    draft.text("], ");
    draft.values(padding);
    if !mask.is_empty() {
        draft.text(", ");
        draft.values(mask);
    }
    transfer_attributes(draft)?;
    draft.text(" : ");
    draft.types_of(source);
    draft.text(", ");
    draft.types(draft.all_results());
    Some(())
}

fn transfer_write(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let groups = draft.operand_groups()?;
    let operands = draft.all_operands();
    let of = |place: usize| operands.get(groups.get(place)?.clone());
    let (value, target, indices, mask) = (of(0)?, of(1)?, of(2)?, of(3)?);
    draft.text(" ");
    draft.values(value);
    draft.text(", ");
    draft.values(target);
    draft.text("[");
    draft.values(indices);
    draft.text("]");
    if !mask.is_empty() {
        draft.text(", ");
        draft.values(mask);
    }
    transfer_attributes(draft)?;
    draft.text(" : ");
    draft.types_of(value);
    draft.text(", ");
    draft.types_of(target);
    Some(())
}

const TRAITS: &[&str] = &["indexing_maps", "iterator_types", "kind"];

fn contract(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[left, right, accumulator, ref masks @ ..] = draft.all_operands() else { return None };
    if !masks.is_empty() {
        return None;
    }
    let mut entries = draft.dictionary_entries(&[], false)?;
    // Flags are newer than the definition, and not printed if there are none (`ContractionOp::print`).
    entries.retain(|&(name, value)| {
        let mut is_default = |index| draft.is_written(index, "#arith.fastmath<none>");
        name != b"fastmath" || !matches!(value, Given::Attribute(index) if is_default(index))
    });
    let (own, other): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|(name, _)| TRAITS.iter().any(|known| known.as_bytes() == *name));
    draft.text(" {");
    draft.list(own, |draft, (name, value)| {
        match (name, value) {
            (b"iterator_types", Given::Attribute(index)) => {
                draft.text("iterator_types = [");
                let types = draft.items(index)?;
                draft.list(types, |draft, item| {
                    let text = draft.word(item)?;
                    let word = text.strip_suffix(b">")?.rsplit(|byte| *byte == b'<').next()?.to_vec();
                    draft.quoted(&word);
                    Some(())
                })?;
                draft.text("]");
            }
            (name, Given::Attribute(index)) => {
                let (start, end) = draft.plan.kept(|out| out.extend_from_slice(name));
                draft.push(Piece::Named(start, end, index));
            }
            (name, Given::Text(text)) => {
                draft.keyword(name);
                draft.text(" = ");
                draft.text(text);
            }
        }
        Some(())
    })?;
    draft.text("} ");
    draft.values(&[left, right, accumulator]);
    if !other.is_empty() {
        draft.text(" ");
        draft.dictionary(&other);
    }
    draft.text(" : ");
    draft.types_of(&[left, right]);
    draft.text(" into ");
    draft.types(draft.all_results());
    Some(())
}

fn outerproduct(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[left, right, ref accumulator @ ..] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.values(draft.all_operands());
    if !accumulator.is_empty() {
        draft.attr_dict(&[])?;
    } else if !draft.dictionary_entries(&["kind"], true)?.is_empty() {
        *draft.lost = Some("its attributes");
    }
    draft.text(" : ");
    draft.types_of(&[left, right]);
    Some(())
}

fn mask(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[mask, ref passthru @ ..] = draft.all_operands() else { return None };
    let regions = draft.regions()?;
    let block = regions.entry(0)?;
    // The operation stands on the same line, so it has no regions of its own.
    if block.ops == 0 || block.ops > 2 || regions.body.detail(crate::ir::OpId(block.first_op)).is_some() {
        return None;
    }
    draft.text(" ");
    draft.value(mask);
    if !passthru.is_empty() {
        draft.text(", ");
        draft.values(passthru);
    }
    draft.text(" { ");
    draft.push(Piece::Inline(block.first_op));
    draft.text(" }");
    draft.attr_dict(&[])?;
    draft.text(" : ");
    draft.types_of(&[mask]);
    let results = draft.all_results();
    if !results.is_empty() {
        draft.text(" -> ");
        draft.types(results);
    }
    // The value of masked lanes has the type of the result.
    let passed = draft.operand_types(passthru);
    match results.first() {
        Some(&result) => draft.implies_same(&passed, result),
        None if !passed.is_empty() => {
            draft.lost.get_or_insert("the type of a value");
        }
        None => {}
    }
    Some(())
}
