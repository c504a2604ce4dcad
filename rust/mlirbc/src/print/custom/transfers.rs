//! The directives of parameter transfers (`ops/transfers.rs`).

use crate::ops::transfers::{self, TransferPart};

use super::directives::{CustomDirective, operands, types};
use super::draft::{Draft, Drafted};
use super::format::Call;

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "AsyncParameterGatherOperations" => |draft, call| lines(draft, call, transfers::ASYNC_GATHER),
        "AsyncParameterScatterOperations" => |draft, call| lines(draft, call, transfers::ASYNC_SCATTER),
        "CmdParameterGatherOperations" => |draft, call| lines(draft, call, transfers::GATHER),
        "CmdParameterScatterOperations" => |draft, call| lines(draft, call, transfers::SCATTER),
        "ParameterGatherOperations" => |draft, call| lines(draft, call, transfers::UNSIZED_GATHER),
        "ParameterLoadOperations" => |draft, call| lines(draft, call, transfers::LOAD),
        "ParameterScatterOperations" => |draft, call| lines(draft, call, transfers::UNSIZED_SCATTER),
        _ => return None,
    })
}

fn lines(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>, parts: &[TransferPart]) -> Drafted {
    // As many as there are keys.
    let mut count = 0;
    for part in parts {
        if let TransferPart::Key(_, keys) = part {
            count = operands(draft, call, *keys)?.len();
        }
    }
    for place in 0..count {
        draft.text(if place > 0 { "," } else { "" });
        draft.newline();
        draft.text("  ");
        for part in parts {
            match *part {
                TransferPart::Text(text) => draft.text(text),
                TransferPart::Key(scope, keys) => {
                    if let [scope] = *operands(draft, call, scope)? {
                        draft.value(scope);
                        draft.text("::");
                    }
                    draft.value(*operands(draft, call, keys)?.get(place)?);
                }
                TransferPart::Each(of) => draft.value(*operands(draft, call, of)?.get(place)?),
                TransferPart::Shared(of) => draft.value(*operands(draft, call, of)?.first()?),
                TransferPart::EachType(of) => draft.r#type(*types(draft, call, of)?.get(place)?),
                TransferPart::SharedType(of) => draft.r#type(*types(draft, call, of)?.first()?),
            }
        }
    }
    draft.newline();
    Some(())
}
