//! Inputs that are not files: [`MARK`] is followed by the choices for a valid module of `mlirbc-smith`,
//! [`TEXT`] by the text of a module, and [`LARGE`] by the choices for a module of [`crate::large`].
//!
//! They let fuzzing engines get past the checks of the reader and mutate the content of the module instead. Texts cover
//! operations that the generator does not make, such as those of IREE.

use std::borrow::Cow;

use arbitrary::Unstructured;
use mlirbc::WriteOptions;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc_smith::{Config, GeneratedModule};

/// The first byte of an input of choices. Bytecode begins with `M`.
pub const MARK: u8 = b'S';

/// The first byte of an input with text.
pub const TEXT: u8 = b'T';

/// The first byte of an input of choices for a module with large values.
pub const LARGE: u8 = b'L';

/// The releases of texts: the byte before the text is an index modulo the length, so the digit N selects entry N.
pub const TEXT_RELEASES: [&str; 6] = ["llvm-22", "llvm-19", "llvm-16", "llvm-23", "jaxlib-0.10", "iree-3.13"];

/// Splits an input into the release that its first byte selects, and the text; `None` for an empty input.
///
/// ```
/// use mlirbc_fuzz::generated::text_of;
/// assert_eq!(text_of(b"1module {}"), Some(("llvm-19", &b"module {}"[..])));
/// ```
pub fn text_of(input: &[u8]) -> Option<(&'static str, &[u8])> {
    let (&first, text) = input.split_first()?;
    Some((TEXT_RELEASES[usize::from(first) % TEXT_RELEASES.len()], text))
}

/// Whether an input begins with a mark, and is not a file.
///
/// ```
/// use mlirbc_fuzz::generated::{MARK, is_marked};
/// assert!(is_marked(&[MARK, 0, 1, 2]) && !is_marked(b"ML\xefR"));
/// ```
pub fn is_marked(input: &[u8]) -> bool {
    matches!(input.first(), Some(&(MARK | TEXT | LARGE)))
}

/// Returns the file of an input: the generated module, the module of the text, or the input itself. The byte
/// after the mark selects the release. Returns no bytes for a text that does not parse.
///
/// # Panics
/// When the generator fails, or a module that was read from text cannot be written. Either is a bug.
///
/// ```
/// use mlirbc_fuzz::generated::file_of;
/// assert_eq!(*file_of(b"any bytes"), *b"any bytes");
/// for input in [&b"S\x00\x01\x02"[..], b"T0module {}"] {
///     assert!(file_of(input).starts_with(b"ML\xefR"));
/// }
/// assert!(file_of(b"T0module {").is_empty());
/// ```
pub fn file_of(input: &[u8]) -> Cow<'_, [u8]> {
    match input.split_first() {
        Some((&MARK, decisions)) => Cow::Owned(decided(decisions)),
        Some((&TEXT, text)) => Cow::Owned(assembled(text)),
        Some((&LARGE, decisions)) => Cow::Owned(assembled(&crate::large::module(decisions).input)),
        _ => Cow::Borrowed(input),
    }
}

fn assembled(input: &[u8]) -> Vec<u8> {
    let Some((target, text)) = text_of(input) else { return Vec::new() };
    let limits = Limits::default().max_depth(200).max_memory(Some(64 << 20));
    let Ok(module) = parse(
        text,
        &ParseOptions::default().target(mlirbc::Release::named(target.to_owned())).limits(limits),
    ) else {
        return Vec::new();
    };
    let mut bytes = Vec::new();
    match module.write(&mut bytes, &WriteOptions::default()) {
        Ok(_) => bytes,
        Err(error) => panic!("a module that was read from text cannot be written: {error}"),
    }
}

fn decided(decisions: &[u8]) -> Vec<u8> {
    let (&release, decisions) = decisions.split_first().unwrap_or((&0, &[]));
    let releases: Vec<_> = mlirbc_smith::releases().collect();
    let release = releases[usize::from(release) % releases.len()].to_owned();
    let config = Config { release, ..Config::default() };
    match GeneratedModule::new(&config, &mut Unstructured::new(decisions)) {
        Ok(module) => module.into_bytes(),
        Err(error) => panic!("no module for these decisions: {error}"),
    }
}
