//! Parsing of TOML tables, with the positions of errors.

use serde::de::DeserializeOwned;

/// Parses a value from a text.
///
/// # Errors
/// If the text is not TOML, or the value does not accept its contents.
pub(crate) fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, TomlError> {
    toml::from_str(text).map_err(TomlError)
}

/// An error in a text, with the position of its first byte.
#[derive(Debug)]
pub(crate) struct TomlError(toml::de::Error);

impl TomlError {
    pub(crate) fn message(&self) -> &str {
        self.0.message()
    }

    /// The offset of the error in the text.
    pub(crate) fn offset(&self) -> usize {
        self.0.span().map_or(0, |span| span.start)
    }
}

/// Formats the error without the excerpt that the crate `toml` prints: callers print the position.
impl std::fmt::Display for TomlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for TomlError {}

/// Returns a message with the line of the byte at `at`.
pub(crate) fn in_line(message: &str, at: usize, text: &str) -> String {
    let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let content = text.lines().nth(line - 1).unwrap_or_default().trim();
    format!("{message} in line {line}: `{content}`")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Table {
        name: String,
        rows: Option<Vec<u64>>,
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        for (text, message, place) in [
            ("name", "key with no value", ""),
            ("name = 'a'\nname = 'b'", "duplicate key", "name = 'b'"),
            ("name = 3", "invalid type: integer `3`, expected a string", "3"),
            ("nam = 'a'", "unknown field `nam`", "nam"),
            ("name = 'a'\nrows = [true]", "invalid type: boolean `true`, expected u64", "true"),
        ] {
            let error = from_str::<Table>(text).unwrap_err();
            assert!(error.message().starts_with(message), "{error}");
            assert!(error.offset() <= text.len() && text[error.offset()..].starts_with(place), "{error}");
            assert_eq!(error.to_string(), error.message());
        }
    }
}
