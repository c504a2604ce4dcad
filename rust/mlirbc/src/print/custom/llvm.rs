//! Operations of `llvm` with formats that are written by hand (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

mod calls;

use super::directives::CustomDirective;
use super::draft::{Draft, Drafted};

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "IndirectBrOpSucessors" => calls::indirect_successors,
        "OpBundles" => calls::bundles_of_directive,
        "TBAAMembers" => alias_members,
        _ => return None,
    })
}

fn alias_members(draft: &mut Draft<'_, '_, '_>, call: &super::format::Call<'_>) -> Drafted {
    let members = super::directives::attr(draft, call, 0)??;
    let (members, offsets) = (draft.items(members)?, super::directives::integers(draft, call, 1)?);
    draft.list(members.into_iter().zip(offsets), |draft, (member, offset)| {
        draft.text("<");
        draft.attribute(member);
        draft.text(", ");
        draft.number(offset);
        draft.text(">");
        Some(())
    })
}
