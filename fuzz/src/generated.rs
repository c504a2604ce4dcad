//! Modules that are generated from an input.
//!
//! No file of bytecode and no container begins with a zero byte, so an input of a bytecode target that begins with one
//! stands for a module: the next byte selects the release, and the rest are the decisions of `mlirbc-smith`.

use std::borrow::Cow;

use mlirbc_smith::{Config, GeneratedModule, releases};

/// The first byte of such an input.
pub const MARK: u8 = 0;

/// The bytecode that an input stands for; the input itself if it has no mark.
///
/// # Panics
/// When the module cannot be generated.
pub fn bytecode(data: &[u8]) -> Cow<'_, [u8]> {
    let [MARK, release, decisions @ ..] = data else { return Cow::Borrowed(data) };
    let names: Vec<_> = releases().collect();
    let release = names[usize::from(*release) % names.len()].to_owned();
    let config = Config { release, ..Config::default() };
    let mut decisions = arbitrary::Unstructured::new(decisions);
    Cow::Owned(GeneratedModule::new(&config, &mut decisions).expect("a module").into_bytes())
}
