//! Inputs that are not files: what follows [`MARK`] decides a module of `mlirbc-smith`, which is valid.
//!
//! Engines get past the checks of the reader with them, and what they change is the content of the module.

use std::borrow::Cow;

use arbitrary::Unstructured;
use mlirbc_smith::{Config, GeneratedModule};

/// The first byte of such an input. Bytecode begins with `M`.
pub const MARK: u8 = b'S';

/// Whether an input decides a module.
///
/// ```
/// use mlirbc_fuzz::generated::{MARK, is_decision};
/// assert!(is_decision(&[MARK, 0, 1, 2]) && !is_decision(b"ML\xefR"));
/// ```
pub fn is_decision(input: &[u8]) -> bool {
    input.first() == Some(&MARK)
}

/// The file of an input: the module that it decides, or the input. The byte after the mark selects the release.
///
/// # Panics
/// When the generator fails, which is a defect.
///
/// ```
/// use mlirbc_fuzz::generated::{MARK, file_of};
/// assert_eq!(*file_of(b"any bytes"), *b"any bytes");
/// assert!(file_of(&[MARK, 0, 1, 2]).starts_with(b"ML\xefR"));
/// ```
pub fn file_of(input: &[u8]) -> Cow<'_, [u8]> {
    let Some((_, decisions)) = input.split_first().filter(|_| is_decision(input)) else {
        return Cow::Borrowed(input);
    };
    let (&release, decisions) = decisions.split_first().unwrap_or((&0, &[]));
    let releases: Vec<_> = mlirbc_smith::releases().collect();
    let release = releases[usize::from(release) % releases.len()].to_owned();
    let config = Config { release, ..Config::default() };
    match GeneratedModule::new(&config, &mut Unstructured::new(decisions)) {
        Ok(module) => Cow::Owned(module.into_bytes()),
        Err(error) => panic!("no module for these decisions: {error}"),
    }
}
