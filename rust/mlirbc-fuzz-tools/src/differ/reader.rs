//! Programs that read files.

use std::ffi::OsString;
use std::fmt;

use crate::command::{Template, TemplateError};

/// A command of a reader, and whether it prints the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The command.
    pub command: Template,
    /// Whether the standard output is the text of the module, which is compared between readers.
    pub prints: bool,
}

/// A program that reads files; it accepts a file if all its commands do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// The name in reports.
    pub name: String,
    /// The commands in the order in which they are run; the first failure decides.
    pub stages: Vec<Stage>,
}

/// The reason why a text does not describe a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderError {
    text: String,
    cause: TemplateError,
}

impl fmt::Display for ReaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a reader: {}", self.text, self.cause)
    }
}

impl std::error::Error for ReaderError {}

impl Reader {
    /// The name of mlirbc's own reader.
    pub const OWN: &str = "mlirbc";

    /// Parses `[NAME=][text:]COMMAND`; without a name, the reader is named after its program.
    ///
    /// # Errors
    /// If the command is not one; see [`TemplateError`].
    ///
    /// ```
    /// use mlirbc_fuzz_tools::differ::Reader;
    /// let reader = Reader::parse("jax=text: python3 read.py {}")?;
    /// assert_eq!(reader.name, "jax");
    /// assert!(reader.stages[0].prints);
    /// assert_eq!(Reader::parse("/usr/bin/mlir-opt-22 {}")?.name, "mlir-opt-22");
    /// # Ok::<(), mlirbc_fuzz_tools::differ::ReaderError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ReaderError> {
        let is_name = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let (name, rest) = match text.split_once('=').filter(|(name, _)| is_name(name)) {
            Some((name, rest)) => (Some(name), rest),
            None => (None, text),
        };
        let (prints, rest) = match rest.trim_start().strip_prefix("text:") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let command = Template::new(rest).map_err(|cause| ReaderError { text: text.to_owned(), cause })?;
        let name = name.map_or_else(|| command.program(), str::to_owned);
        Ok(Self { name, stages: vec![Stage { command, prints }] })
    }

    /// Returns mlirbc's own reader, which is run by the words `program`. It prints only if other readers do.
    pub fn own(program: &[OsString], prints: bool) -> Self {
        let stage = |words: &[&str], prints| {
            let words = program.iter().cloned().chain(words.iter().map(OsString::from));
            Stage { command: Template::from_words(words), prints }
        };
        let mut stages = vec![stage(&["verify", "--ops", "--quiet", "{}"], false)];
        if prints {
            stages.push(stage(&["print", "--generic", "{}"], true));
        }
        Self { name: Self::OWN.to_owned(), stages }
    }

    /// Gives readers with the same name different names.
    pub fn make_unique(readers: &mut [Self]) {
        for index in 1..readers.len() {
            let (before, rest) = readers.split_at_mut(index);
            let plain = rest[0].name.clone();
            let mut number = 2;
            while before.iter().any(|reader| reader.name == rest[0].name) {
                rest[0].name = format!("{plain}-{number}");
                number += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_have_different_names() {
        let reader = |text: &str| Reader::parse(text).unwrap();
        let mut readers = vec![reader("a {}"), reader("a --b=c {}"), reader("a-2={} {}"), reader("x/a {}")];
        Reader::make_unique(&mut readers);
        let names: Vec<&str> = readers.iter().map(|reader| &*reader.name).collect();
        assert_eq!(names, ["a", "a-2", "a-2-2", "a-3"]);
    }

    #[test]
    fn a_wrong_reader_is_quoted() {
        let error = Reader::parse("mlir-opt").unwrap_err().to_string();
        assert!(error.starts_with("`mlir-opt` is not a reader: the command lacks `{}`"), "{error}");
    }
}
