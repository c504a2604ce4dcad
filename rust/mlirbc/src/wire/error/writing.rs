//! Parts that a target version or a target release cannot represent.

use super::rule::rules;

rules! {
    Unsupported "unsupported.target" Unsupported "the target version and the target release can represent the module" Some("choose another version or target, or omit what they cannot represent with `drop_unsupported` or `--drop-unsupported`");
    UnknownContent "unsupported.unknown_content" Unsupported "a table, a schema or a hook describes everything in a file that must be known" Some("pass tables, hooks and schemas with `dialects=` or `--dialects` and `schemas=` or `--schemas`, or open the file without `require_known`");
}
