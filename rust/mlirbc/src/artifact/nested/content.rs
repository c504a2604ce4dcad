//! Recognises the bytes in an attribute: bytecode, text of a module, or another format with a name.

use crate::format::container::MAGIC;
use crate::format::other_files;

/// The format of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Bytecode,
    /// The text of a module.
    Text,
    /// Another format, with its name.
    Other(&'static str),
    Unknown,
}

/// Formats that occur in attributes and are not files.
const OTHERS: [(usize, &[u8], &str); 4] = [
    (0, b"\x50\xed\x55\xba", "a fat binary of CUDA"),
    (4, b"CDA1", "an executable of IREE for CUDA"),
    (4, b"HIP1", "an executable of IREE for HIP"),
    (4, b"VKE1", "an executable of IREE for Vulkan"),
];

impl Content {
    pub(super) fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&MAGIC) {
            return Self::Bytecode;
        }
        let format =
            OTHERS.iter().find(|(at, mark, _)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(mark)));
        if let Some(name) = format.map(|(_, _, name)| *name).or_else(|| other_files::known(bytes)) {
            return Self::Other(name);
        }
        match first_word(bytes) {
            Some(word) if word.starts_with(b".version") => Self::Other("PTX"),
            Some(word) if is_start_of_module(word) => Self::Text,
            _ => Self::Unknown,
        }
    }
}

/// Returns the text from the first word on, without leading comments.
fn first_word(bytes: &[u8]) -> Option<&[u8]> {
    let mut text = bytes.trim_ascii_start();
    while text.starts_with(b"//") {
        let end = text.iter().position(|&byte| byte == b'\n')?;
        text = text.get(end..)?.trim_ascii_start();
    }
    Some(text)
}

/// Whether a word begins a module: an alias, an operation in generic form, or an operation in custom form.
fn is_start_of_module(text: &[u8]) -> bool {
    let is_alias = |rest: &[u8]| rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    match text {
        [b'#' | b'!', rest @ ..] => is_alias(rest),
        _ => [&b"module"[..], b"\"", b"builtin.module"].iter().any(|word| text.starts_with(word)),
    }
}

/// The name of the module and the version of its stable dialect, read from text without parsing it.
pub(super) fn facts_of_text(bytes: &[u8]) -> (Option<String>, Option<(String, u64)>) {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().find(|line| line.starts_with("module") || line.starts_with("\"builtin.module\""));
    let symbol = line.and_then(|line| {
        let word = |rest: &str, end: &[char]| rest.split(end).next().map(str::to_owned);
        match (line.strip_prefix("module @"), line.split_once("sym_name = \"")) {
            (Some(rest), _) => word(rest.trim_start_matches('"'), &[' ', '"', '{', '\n']),
            (None, Some((_, rest))) => word(rest, &['"']),
            _ => None,
        }
    });
    let version = DIALECT_VERSIONS.iter().find_map(|name| {
        let (_, rest) = text.split_once(&format!("{name} = "))?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        Some(((*name).to_owned(), rest.get(..digits)?.parse().ok()?))
    });
    (symbol.filter(|name| !name.is_empty()), version)
}

/// The attributes of a module with the version of the dialect that it is written in.
pub(super) const DIALECT_VERSIONS: [&str; 2] = ["stable_mosaic.version", "stable_mosaic_gpu.version"];
