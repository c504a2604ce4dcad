//! Names of results of `vm`
//! (`compiler/src/iree/compiler/Dialect/VM/IR/VMOps.cpp` of the IREE project).

use crate::attr::text::dense::Element;

use super::draft::{Container, OperationDraft, VmReference};

const FIXED: &str = include_str!("../../../data/assembly/result_names.tsv");

/// The name that the C++ of an operation gives its result.
pub(super) fn fixed_name(operation: &str) -> Option<&'static str> {
    // Operations of other dialects must not pay for the table.
    operation.starts_with("vm.").then_some(())?;
    let mut rows = FIXED.lines().filter_map(|line| line.split_once('\t'));
    rows.find(|(_, all)| all.split(' ').any(|one| one == operation)).map(|(name, _)| name)
}

/// The name of an integer: `zero`, `c5`, or `c` for another attribute.
pub(super) fn integer_name(draft: &OperationDraft<'_, '_, '_>, value: u32, out: &mut Vec<u8>) {
    let start = out.len();
    out.push(b'c');
    if draft.write_digits(value, out) == Some(Element::Signless(1)) {
        out.truncate(start + 1);
    }
    if out.get(start..) == Some(b"c0") {
        out.truncate(start);
        out.extend_from_slice(b"zero");
    }
}

/// The name of a result by its type (`VMOpAsmInterface` in `VMDialect.cpp`); empty for other types.
pub(super) fn reference_name(draft: &mut OperationDraft<'_, '_, '_>, r#type: u32) -> &'static [u8] {
    match draft.vm_reference(r#type) {
        Some(VmReference::Buffer) => b"buffer",
        Some(VmReference::List) => b"list",
        Some(VmReference::Other) => b"ref",
        None if draft.shaped(r#type).is_some_and(|shaped| shaped.container == Container::Vector) => b"v",
        None => b"",
    }
}
