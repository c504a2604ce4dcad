//! The text of attributes and types, as callers pass it.

use super::rule::rules;

rules! {
    AsmText "invalid.text" Invalid "the text is a valid attribute or type" Some("correct the text at the offset; `mlirbc print` shows how values of the same kind are written");
}
