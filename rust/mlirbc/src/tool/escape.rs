//! Escapes text from files for all kinds of output: terminals, HTML and SVG, JSON.
//!
//! Owns the list of risky characters ([`is_risky`]) and one function for each kind of output. Writers of
//! pages and reports call these functions and escape nothing themselves, so that a risky character is escaped
//! everywhere.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use sha2::{Digest, Sha256};

/// Returns whether a terminal or a browser may interpret a character, display nothing for it, or reorder
/// other characters because of it.
#[doc(hidden)]
pub fn is_risky(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}')
        || matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns `text` with risky characters and line ends escaped, so that it stays on one line.
///
/// ```
/// assert_eq!(mlirbc::tool::printable("\u{1b}[2J\n"), r"\u{1b}[2J\n");
/// ```
#[doc(hidden)]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_risky) {
        return text.into();
    }
    let mut safe = String::new();
    for c in text.chars() {
        if is_risky(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    safe.into()
}

/// Returns `text` for the content or a quoted attribute of HTML or SVG: markup is escaped, and risky
/// characters are shown as [`printable`] shows them. Line ends and tabs are preserved.
///
/// ```
/// assert_eq!(mlirbc::tool::escape_markup("<a title='\u{202e}'>"), r"&lt;a title=&#39;\u{202e}&#39;&gt;");
/// ```
#[doc(hidden)]
pub fn escape_markup(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            // XML does not allow U+FFFE and U+FFFF.
            '\u{fffe}' | '\u{ffff}' => safe.extend(c.escape_default()),
            _ if is_risky(c) => safe.extend(c.escape_default()),
            _ => safe.push(c),
        }
    }
    safe
}

/// A writer that passes JSON on with risky characters as JSON escapes (`\u202e`), which leaves the meaning
/// unchanged. Risky characters occur only in strings; line ends between values are preserved.
///
/// ```
/// use std::io::Write;
/// let mut json = mlirbc::tool::JsonWriter::new(Vec::new());
/// json.write_all("[\"\u{202e}\"]\n".as_bytes())?;
/// assert_eq!(json.into_inner(), b"[\"\\u202e\"]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct JsonWriter<W> {
    inner: W,
}

impl<W: Write> JsonWriter<W> {
    /// Wraps a writer. Each write must end at a character boundary, as the writes of `serde_json` do.
    pub fn new(inner: W) -> Self {
        Self { inner }
    }

    /// Returns the inner writer.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for JsonWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| (b' '..0x7f).contains(byte) || *byte == b'\n';
        if bytes.iter().all(is_plain) {
            return self.inner.write_all(bytes).map(|()| bytes.len());
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut safe = String::new();
        for c in text.chars() {
            if c == '\n' || !is_risky(c) {
                safe.push(c);
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
        self.inner.write_all(safe.as_bytes()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Returns the element with the Content-Security-Policy of a page that loads nothing; only the given styles
/// and scripts apply.
///
/// ```
/// let policy = mlirbc::tool::content_policy(&["p{}"], &[]);
/// assert!(policy.contains("default-src 'none'") && policy.contains("style-src 'sha256-"));
/// assert!(!policy.contains("script-src"));
/// ```
#[doc(hidden)]
pub fn content_policy(styles: &[&str], scripts: &[&str]) -> String {
    let mut policy = "default-src 'none'".to_owned();
    for (directive, texts) in [("style-src", styles), ("script-src", scripts)] {
        if !texts.is_empty() {
            let sources: Vec<String> = texts.iter().map(|text| source(text)).collect();
            // Writing to a string does not fail.
            let _ = write!(policy, "; {directive} {}", sources.join(" "));
        }
    }
    policy.push_str("; base-uri 'none'; form-action 'none'");
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")
}

/// Returns the source expression that allows one text: `'sha256-…'`.
fn source(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut base64 = String::new();
    for group in Sha256::digest(text.as_bytes()).chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            base64.push(if place > group.len() { '=' } else { digit.into() });
        }
    }
    format!("'sha256-{base64}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters of Unicode's category Cf (format), its separators of lines and paragraphs, and its controls.
    const INVISIBLE: &[(u32, u32)] = &[
        (0, 0x1f),
        (0x7f, 0x9f),
        (0xad, 0xad),
        (0x61c, 0x61c),
        (0x180e, 0x180e),
        (0x200b, 0x200f),
        (0x2028, 0x202e),
        (0x2060, 0x2064),
        (0x2066, 0x206f),
        (0xfeff, 0xfeff),
        (0xfff9, 0xfffb),
        (0x1bca0, 0x1bca3),
        (0x1d173, 0x1d17a),
        (0xe0001, 0xe0001),
        (0xe0020, 0xe007f),
    ];

    fn invisible() -> impl Iterator<Item = char> {
        INVISIBLE.iter().flat_map(|&(first, last)| first..=last).filter_map(char::from_u32)
    }

    #[test]
    fn characters_that_show_nothing_are_risky() {
        invisible().for_each(|c| assert!(is_risky(c), "{c:?}"));
        "aß層é👍ก\u{fe0f}\u{301} ".chars().for_each(|c| assert!(!is_risky(c), "{c:?}"));
    }

    #[test]
    fn markup_has_no_risky_character_and_no_markup() {
        for c in invisible().chain(['<', '>', '"', '\'', '\u{fffe}', '\u{ffff}']) {
            let text = escape_markup(&c.to_string());
            assert!(matches!(c, '\n' | '\t') || !text.contains(c), "{c:?}: {text:?}");
        }
        assert_eq!(escape_markup("<a b=\"&\">\u{1b}\n"), "&lt;a b=&quot;&amp;&quot;&gt;\\u{1b}\n");
    }

    #[test]
    fn json_says_the_same_without_risky_characters() {
        let text: String = invisible().chain(['"', '\\', '層', '👍']).collect();
        let mut json = JsonWriter::new(Vec::new());
        serde_json::to_writer_pretty(&mut json, &[&text]).unwrap();
        let json = String::from_utf8(json.into_inner()).unwrap();
        assert!(!json.contains(|c| is_risky(c) && c != '\n'), "{json}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).unwrap(), [text]);
    }

    #[test]
    fn the_hash_is_that_of_the_standard() {
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }
}
