//! The limits of memory, depth, text and hooks of dialects.

use super::rule::rules;

rules! {
    DepthLimit "limit.depth" Limit "nesting does not exceed the depth limit" Some("raise `max_depth` if you trust the file");
    MemoryLimit "limit.memory" Limit "memory use does not exceed the memory limit" Some("raise `max_memory` if you trust the file");
    TextLimit "limit.text" Limit "printed text does not exceed the text limit" Some("raise `max_text` or `--max-text` if you trust the file");
    HookLimit "limit.dialect_hook" Limit "hooks of dialects do not nest deeper than 64 values, and read no more often than their bytes allow" Some("in the hook, do not ask for the fields of the value that is read or of values that contain it, and stop reading when `remaining` is 0");
    DecompressedLimit "limit.decompressed" Limit "a compressed file does not decompress to more than the limit" Some("raise `max_decompressed` in `Limits` if you trust the file");
}
