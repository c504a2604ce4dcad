//! Operations of `shape` with formats that are written by hand (`mlir/lib/Dialect/Shape/IR/Shape.cpp`).

use super::HandWritten;
use super::draft::{Draft, Drafted};
use super::func::{name, note_hidden_terminator};
use super::plan::{Piece, RegionStyle};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "assuming" => assuming,
        "const_shape" => const_shape,
        "func" => super::func::function,
        "function_library" => function_library,
        "reduce" => reduce,
        _ => return None,
    })
}

fn assuming(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let results = draft.all_results();
    draft.text(" ");
    draft.values(draft.all_operands());
    if !results.is_empty() {
        draft.text(" -> (");
        draft.types(results);
        draft.text(")");
    }
    draft.text(" ");
    if results.is_empty() {
        let regions = draft.regions()?;
        note_hidden_terminator(draft, regions, 0);
    }
    draft.region(0, RegionStyle::BODY.terminated(!results.is_empty()));
    draft.attr_dict(&[])
}

fn const_shape(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let shape = draft.attr("shape")?;
    let text = String::from_utf8(draft.plain_text(shape)).ok()?;
    let (body, shaped) = text.strip_prefix("dense<")?.rsplit_once("> : ")?;
    let count: usize = shaped.strip_prefix("tensor<")?.split('x').next()?.parse().ok()?;
    draft.text(" ");
    if !draft.dictionary_entries(&["shape"], false)?.is_empty() {
        draft.attr_dict(&["shape"])?;
    }
    match body.strip_prefix('[') {
        // In the form in which the elements are printed.
        Some(_) => draft.text(body),
        None if body.is_empty() => draft.text("[]"),
        None => {
            draft.text("[");
            draft.list(0..count, |draft, _| {
                draft.text(body);
                Some(())
            })?;
            draft.text("]");
        }
    }
    draft.text(" : ");
    draft.types(draft.all_results());
    Some(())
}

fn function_library(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let mapping = draft.attr("mapping")?;
    draft.text(" ");
    name(draft)?;
    draft.attr_dict_with_keyword(&["sym_name", "mapping"])?;
    draft.text(" ");
    // It has no terminator that could be left out.
    draft.region(0, RegionStyle::BODY);
    draft.text(" mapping ");
    draft.push(Piece::Untyped(mapping));
    Some(())
}

fn reduce(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[shape, ref inits @ ..] = draft.all_operands() else { return None };
    draft.text("(");
    draft.value(shape);
    draft.text(", ");
    draft.values(inits);
    draft.text(") : ");
    draft.types_of(&[shape]);
    draft.optional_arrow_types(draft.all_results());
    draft.text(" ");
    draft.region(0, RegionStyle::FULL);
    draft.attr_dict(&[])
}
