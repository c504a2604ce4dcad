//! Operations of `linalg` with formats that are written by hand.

pub(super) fn find(name: &str, _: &crate::ops::OperationDefinition, _: crate::release::Llvm) -> Option<super::HandWritten> {
    let _ = name;
    None
}
