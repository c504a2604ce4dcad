//! Operations of `transform` with formats that are written by hand.

use super::HandWritten;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    (name == "named_sequence").then_some(super::func::function)
}
