//! Names of results of `vm`
//! (`compiler/src/iree/compiler/Dialect/VM/IR/VMOps.cpp` of the IREE project).

use crate::attr::EntryValues;
use crate::attr::text::dense::Element;
use crate::format::id::{AttrId, TypeId};

use super::draft::{Container, OperationDraft, VmReference};

/// Results with a name in their C++.
pub(in crate::print) const FIXED: &[(&str, &str)] = &[
    ("vm.cmp.eq.i32", "eq"),
    ("vm.cmp.eq.i64", "eq"),
    ("vm.cmp.eq.ref", "req"),
    ("vm.cmp.gt.i32.s", "sgt"),
    ("vm.cmp.gt.i32.u", "ugt"),
    ("vm.cmp.gt.i64.s", "sgt"),
    ("vm.cmp.gt.i64.u", "ugt"),
    ("vm.cmp.gte.i32.s", "sgte"),
    ("vm.cmp.gte.i32.u", "ugte"),
    ("vm.cmp.gte.i64.s", "sgte"),
    ("vm.cmp.gte.i64.u", "ugte"),
    ("vm.cmp.lt.i32.s", "slt"),
    ("vm.cmp.lt.i32.u", "ult"),
    ("vm.cmp.lt.i64.s", "slt"),
    ("vm.cmp.lt.i64.u", "ult"),
    ("vm.cmp.lte.i32.s", "slte"),
    ("vm.cmp.lte.i32.u", "ulte"),
    ("vm.cmp.lte.i64.s", "slte"),
    ("vm.cmp.lte.i64.u", "ulte"),
    ("vm.cmp.ne.i32", "ne"),
    ("vm.cmp.ne.i64", "ne"),
    ("vm.cmp.ne.ref", "rne"),
    ("vm.cmp.nz.i32", "nz"),
    ("vm.cmp.nz.i64", "nz"),
    ("vm.cmp.nz.ref", "rnz"),
    ("vm.const.f32.zero", "zero"),
    ("vm.const.f64.zero", "zero"),
    ("vm.const.i32.zero", "zero"),
    ("vm.const.i64.zero", "zero"),
    ("vm.const.ref.zero", "null"),
];

/// The name of an integer: `zero`, `c5`, or `c` for another attribute.
pub(in crate::print) fn integer_name(draft: &OperationDraft<'_, '_, '_>, value: AttrId, out: &mut Vec<u8>) {
    let start = out.len();
    out.push(b'c');
    if draft.file.write_digits(value, out) == Some(Element::Signless(1)) {
        out.truncate(start + 1);
    }
    if out.get(start..) == Some(b"c0") {
        out.truncate(start);
        out.extend_from_slice(b"zero");
    }
}

/// The name of a result by its type (`VMOpAsmInterface` in `VMDialect.cpp`); empty for other types.
pub(in crate::print) fn reference_name(
    draft: &mut OperationDraft<'_, '_, '_>,
    r#type: TypeId,
) -> &'static [u8] {
    match draft.vm_reference(r#type) {
        Some(VmReference::Buffer) => b"buffer",
        Some(VmReference::List) => b"list",
        Some(VmReference::Other) => b"ref",
        None if draft.shaped(r#type).is_some_and(|shaped| shaped.container == Container::Vector) => b"v",
        None => b"",
    }
}
