//! A command line with a placeholder for the name of a file.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::process::Command;

/// The placeholder for the name of the file: a word, or a part of a word.
const PLACE: &str = "{}";

/// A command that reads a file.
///
/// The text is split into words by the rules of a POSIX shell, but no shell runs: quotes and backslashes
/// work, while variables, pipes and redirections are ordinary text. `{}` is replaced by the name of the file
/// within its word, so no name can add a word or an option of its own.
///
/// ```
/// use mlirbc_fuzz_tools::command::Template;
/// let template = Template::new("mlir-opt --mlir-print-op-generic '{}'")?;
/// let words = template.words("a b; rm.mlirbc".as_ref());
/// assert_eq!(words[2], "a b; rm.mlirbc");
/// assert!(Template::new("true").unwrap_err().to_string().contains("{}"));
/// # Ok::<(), mlirbc_fuzz_tools::command::TemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    words: Vec<OsString>,
}

/// The reason why a text is not a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateError {
    /// A quote is not closed, or a backslash ends the text.
    Quotes,
    /// The command is empty.
    Empty,
    /// No word contains `{}`.
    NoPlace,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quotes => "the command has a quote that is not closed, or ends with a backslash",
            Self::Empty => "the command is empty",
            Self::NoPlace => "the command lacks `{}`, which stands for the name of the file",
        })
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// Splits a command into words.
    ///
    /// # Errors
    /// See [`TemplateError`].
    pub fn new(text: &str) -> Result<Self, TemplateError> {
        let words = shlex::split(text).ok_or(TemplateError::Quotes)?;
        if words.is_empty() {
            return Err(TemplateError::Empty);
        }
        // The user names the program, so no file name may become the program.
        if !words[1..].iter().any(|word| word.contains(PLACE)) {
            return Err(TemplateError::NoPlace);
        }
        Ok(Self { text: text.to_owned(), words: words.into_iter().map(OsString::from).collect() })
    }

    /// Makes a command of words that need no splitting.
    pub fn from_words(words: impl IntoIterator<Item = OsString>) -> Self {
        let words: Vec<OsString> = words.into_iter().collect();
        let text = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        Self { text, words }
    }

    /// Returns the words with the name of a file.
    pub fn words(&self, file: &Path) -> Vec<OsString> {
        self.words.iter().map(|word| fill(word, file.as_os_str())).collect()
    }

    /// Returns the command for a file.
    pub fn command(&self, file: &Path) -> Command {
        let mut words = self.words(file).into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }

    /// Returns the name of the program, without its folder.
    pub fn program(&self) -> String {
        let name = self.words.first().map(|word| Path::new(word).file_name().unwrap_or(word));
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn fill(word: &OsStr, file: &OsStr) -> OsString {
    // Only text can contain the placeholder.
    let Some(text) = word.to_str() else { return word.to_owned() };
    let mut filled = OsString::new();
    for (number, part) in text.split(PLACE).enumerate() {
        if number > 0 {
            filled.push(file);
        }
        filled.push(part);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_word() {
        let template = Template::new(r#"cat "a b" --in={} {}"#).unwrap();
        let words = template.words("$(x); 'y' \"z\"".as_ref());
        assert_eq!(words, ["cat", "a b", "--in=$(x); 'y' \"z\"", "$(x); 'y' \"z\""]);
        assert_eq!(template.program(), "cat");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_may_be_any_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let name = OsStr::from_bytes(b"\xff.mlirbc");
        assert_eq!(Template::new("cat {}").unwrap().words(name.as_ref())[1], name);
    }

    #[test]
    fn wrong_commands_are_named() {
        assert_eq!(Template::new("cat '{}").unwrap_err(), TemplateError::Quotes);
        assert_eq!(Template::new("  ").unwrap_err(), TemplateError::Empty);
        assert_eq!(Template::new("{}").unwrap_err(), TemplateError::NoPlace);
    }
}
