//! URLs in place of files.
//!
//! The command itself reads local files only; the program around it, such as the Python package, may open URLs.

use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;

use mlirbc::bytes::Source;
use mlirbc::limits::Limits;
use mlirbc::{Error, ErrorKind, Result};

/// Opens a URL for reading by ranges; the flag says whether a server may redirect to another host.
pub type OpenUrl = fn(&str, &Limits, bool) -> Result<Source>;

static OPEN: Mutex<Option<OpenUrl>> = Mutex::new(None);

/// Sets the function that opens URLs for the command that begins.
pub(crate) fn set(open: Option<OpenUrl>) {
    *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = open;
}

/// Returns the text of an argument that is a URL.
pub(crate) fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b':');
    // A scheme may name the scheme of its contents, as in `zip::https`. One letter is a disk of Windows.
    (scheme.len() > 1 && scheme.bytes().all(is_scheme)).then_some(text)
}

/// Opens a URL.
pub(crate) fn open(url: &str, limits: &Limits, allow_redirects: bool) -> Result<Source> {
    let open = *OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    match open {
        Some(open) => open(url, limits, allow_redirects),
        None => Err(Error::message(
            ErrorKind::Unsupported,
            format!("cannot open `{url}`: this program reads local files"),
        )
        .with_hint(
            "download the file, or use the command of the Python package: pip install 'mlirbc[remote]'",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_from_paths() {
        for text in
            ["https://host/a.mlirbc?x=*", "s3://bucket/a.jax", "file:///a", "zip://a::https://b/c.zip"]
        {
            assert_eq!(url(Path::new(text)), Some(text));
        }
        for text in ["a.mlirbc", "C:\\a.mlirbc", "c://a", "a b://c", "://", "a/b://c", "-"] {
            assert_eq!(url(Path::new(text)), None, "{text}");
        }
    }
}
