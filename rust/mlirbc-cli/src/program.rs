//! How this program is started, for commands that run it again.

use std::ffi::OsString;
use std::sync::OnceLock;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the words in front of the arguments; they are the same in the whole process.
pub(crate) fn set(words: &[OsString]) {
    WORDS.get_or_init(|| words.to_vec());
}

/// The words in front of the arguments.
pub(crate) fn words() -> &'static [OsString] {
    WORDS.get().map_or(&[], Vec::as_slice)
}
