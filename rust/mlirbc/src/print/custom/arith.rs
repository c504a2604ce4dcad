//! Operations of `arith` with formats that are written by hand.

use super::HandWritten;
use super::draft::{Draft, Drafted};

pub(super) fn find(name: &str) -> Option<HandWritten> {
    (name == "select").then_some(select)
}

fn select(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let operands = draft.all_operands();
    let (&[condition, ..], &[result]) = (operands, draft.all_results()) else { return None };
    draft.text(" ");
    draft.values(operands);
    draft.attr_dict(&[])?;
    draft.text(" : ");
    let r#type = draft.body.type_of(condition);
    if draft.plain_type(r#type) != b"i1" {
        draft.r#type(r#type);
        draft.text(", ");
    }
    draft.r#type(result);
    Some(())
}
