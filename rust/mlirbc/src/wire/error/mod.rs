//! The error type of the crate and the tables of its rules.
//!
//! Owns [`Error`], [`ErrorKind`] and [`RULES`], which gives every kind a stable identifier, a class, a summary and
//! a hint; the rules have one table for each of [`DOMAINS`]. Does not own the messages: the code that finds a
//! problem writes them. Errors travel up unchanged except for the place, which the layer that knows it adds
//! ([`Error::at`], [`Error::in_section`], [`Error::with_path`]). The reference page `docs/reference/errors.md` is
//! generated from the tables.

mod assembly;
mod container;
mod declarations;
mod editing;
mod entries;
mod ir;
mod kind;
mod layout;
mod limits;
mod message;
mod operations;
mod properties;
mod resources;
mod rule;
mod system;
mod text;
mod text_place;
mod writing;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

pub use kind::ErrorKind;
use message::{Message, shortened};
pub(crate) use message::{counted, cut, cut_bytes, with_article};
pub use rule::{DOMAINS, Domain, ErrorClass, RULES, Rule};
pub use text_place::TextPlace;

use crate::wire::loss::Loss;
use crate::wire::section::SectionId;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error, with its position in the file if there is one. One pointer wide.
///
/// [`Display`](fmt::Display) gives one line; [`Debug`](fmt::Debug) adds the hint, so that a `main` that returns
/// [`Result`] ends in a readable message.
///
/// ```
/// let error = mlirbc::Module::from_bytes(&b"\x4d\x4c\xef\x52\x0f"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "expected a bytecode version of `6` or below, found `7`, at 0x4");
/// assert_eq!(error.class(), mlirbc::ErrorClass::Unsupported);
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    // The offset of the module in its container, from which the error's offset counts.
    module_start: u64,
    section: Option<SectionId>,
    message: Message,
    path: Option<String>,
    hint: Option<Cow<'static, str>>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    losses: Vec<Loss>,
    place: Option<TextPlace>,
    others: Vec<Error>,
    omitted: u64,
}

impl Error {
    /// Creates an error for parsed input: `expected` and `found` are syntax or values.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Index, "a type index below `1`", "`9`");
    /// assert_eq!(error.to_string(), "expected a type index below `1`, found `9`");
    /// ```
    #[doc(hidden)]
    #[cold]
    pub fn new(
        kind: ErrorKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (expected, found) = (shortened(expected.into()), shortened(found.into()));
        Self::with(kind, Message::Mismatch { expected, found })
    }

    /// Creates an error whose message is a sentence, without a capital letter or a full stop.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::message(ErrorKind::Edit, "the block has no arguments");
    /// assert_eq!(error.to_string(), "the block has no arguments");
    /// assert_eq!((error.expected(), error.found()), ("", ""));
    /// ```
    #[doc(hidden)]
    #[cold]
    pub fn message(kind: ErrorKind, sentence: impl Into<Cow<'static, str>>) -> Self {
        Self::with(kind, Message::Sentence(shortened(sentence.into())))
    }

    #[cold]
    fn with(kind: ErrorKind, message: Message) -> Self {
        Self(Box::new(Inner {
            kind,
            offset: None,
            module_start: 0,
            section: None,
            message,
            path: None,
            hint: None,
            source: None,
            losses: Vec::new(),
            place: None,
            others: Vec::new(),
            omitted: 0,
        }))
    }

    /// Creates an error of kind [`ErrorKind::Io`] from a description of the failed action and the error of
    /// the operating system.
    ///
    /// ```
    /// let error = mlirbc::Error::io("cannot open `a.mlirbc`", std::io::Error::other("disk full"));
    /// assert_eq!(error.to_string(), "cannot open `a.mlirbc`: disk full");
    /// ```
    #[doc(hidden)]
    #[cold]
    pub fn io(what: impl Into<Cow<'static, str>>, error: io::Error) -> Self {
        Self::message(ErrorKind::Io, format!("{}: {error}", what.into())).with_source(error)
    }

    /// Attaches the error that caused this error, e.g. an error of a callback.
    ///
    /// ```
    /// use std::error::Error as _;
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::message(ErrorKind::LayoutTypeClass, "the callback failed").with_source("no such model");
    /// assert_eq!(error.source().unwrap().to_string(), "no such model");
    /// ```
    #[doc(hidden)]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// Sets the byte offset in the file.
    #[doc(hidden)]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// Sets the offset of the module in its container, from which the error's offset counts.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::message(ErrorKind::Padding, "bad padding").at(0x10).in_module_at(0x400);
    /// assert_eq!(error.to_string(), "bad padding, at 0x10 of the module at 0x400");
    /// ```
    #[doc(hidden)]
    pub fn in_module_at(mut self, start: u64) -> Self {
        self.0.module_start = start;
        self
    }

    /// Sets the section.
    #[doc(hidden)]
    pub fn in_section(mut self, section: SectionId) -> Self {
        self.0.section = Some(section);
        self
    }

    /// Sets the path through the IR.
    #[doc(hidden)]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// Sets the place in a text.
    #[doc(hidden)]
    pub fn in_text(mut self, place: TextPlace) -> Self {
        self.0.place = Some(place);
        self
    }

    /// Returns the place in the text of a module.
    ///
    /// ```
    /// let error = mlirbc::parse::parse("\"t.a\"() : ()", &Default::default()).unwrap_err();
    /// let place = error.text_place().unwrap();
    /// assert_eq!((place.line, place.column), (1, 13));
    /// ```
    pub fn text_place(&self) -> Option<&TextPlace> {
        self.0.place.as_ref()
    }

    /// Returns the later errors of the same text, in the order of the text.
    ///
    /// ```
    /// let text = "%0 = arith.adid %1 : i32\n%2 = \"t.a\"(%0, %0) : (i32) -> i32\n%3 = arith.subi %2 : i32";
    /// let error = mlirbc::parse::parse(text, &Default::default()).unwrap_err();
    /// let lines = error.others().iter().map(|other| other.text_place().unwrap().line);
    /// assert_eq!(lines.collect::<Vec<_>>(), [2, 3]);
    /// ```
    #[doc(hidden)]
    pub fn others(&self) -> &[Error] {
        &self.0.others
    }

    /// Returns the number of errors of the same text that are not in [`Self::others`].
    #[doc(hidden)]
    pub fn omitted(&self) -> u64 {
        self.0.omitted
    }

    /// Sets the later errors of the same text, and the number of errors that are left out.
    pub(crate) fn with_others(mut self, others: Vec<Error>, omitted: u64) -> Self {
        (self.0.others, self.0.omitted) = (others, omitted);
        self
    }

    /// Replaces the hint of the rule.
    #[doc(hidden)]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the violated rule.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the stable identifier of the rule; `docs/reference/errors.md` explains each.
    pub fn identifier(&self) -> &'static str {
        self.0.kind.rule().identifier
    }

    /// Returns the class of the rule.
    pub fn class(&self) -> ErrorClass {
        self.0.kind.rule().class
    }

    /// Returns the byte offset in the file, or in the module of a container; `None` when no single byte is the cause.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the offset of the module in its container, from which the error's offset counts; 0 without a
    /// container.
    #[doc(hidden)]
    pub fn module_start(&self) -> u64 {
        self.0.module_start
    }

    /// Returns the section that was read; `None` for the container around the sections.
    pub fn section(&self) -> Option<SectionId> {
        self.0.section
    }

    /// Returns the expected syntax or value; empty when the message is a sentence ([`Error::message`]).
    pub fn expected(&self) -> &str {
        match &self.0.message {
            Message::Mismatch { expected, .. } => expected,
            Message::Sentence(_) => "",
        }
    }

    /// Returns the actual syntax or value; empty when the message is a sentence ([`Error::message`]).
    pub fn found(&self) -> &str {
        match &self.0.message {
            Message::Mismatch { found, .. } => found,
            Message::Sentence(_) => "",
        }
    }

    /// Returns the path through the IR, outermost operation first; `None` outside the IR section.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Returns advice for the user.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref().or(self.0.kind.rule().hint)
    }

    /// Returns every part that cannot be written, for errors of kind [`ErrorKind::Unsupported`]; the message
    /// names only the first parts.
    ///
    /// ```
    /// use mlirbc::version::BytecodeVersion;
    /// use mlirbc::{Module, WriteOptions};
    /// let module = Module::open("../../tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")?;
    /// let options = WriteOptions::default().version(BytecodeVersion::new(0));
    /// let options = options.numbering(mlirbc::write::Numbering::Canonical);
    /// let error = module.write(&mut Vec::new(), &options).unwrap_err();
    /// assert_eq!(error.losses()[0].kind, mlirbc::loss::LossKind::UseListOrders);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn losses(&self) -> &[Loss] {
        &self.0.losses
    }

    pub(crate) fn with_losses(mut self, losses: Vec<Loss>) -> Self {
        self.0.losses = losses;
        self
    }

    /// Returns the error of the operating system, for errors of class [`ErrorClass::Io`].
    ///
    /// ```
    /// let error = mlirbc::Module::open("no/such/file.mlirbc").unwrap_err();
    /// assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn io_error(&self) -> Option<&io::Error> {
        let source: &(dyn std::error::Error + 'static) = self.0.source.as_deref()?;
        source.downcast_ref()
    }

    /// Returns the message without the place, the section and the path.
    ///
    /// ```
    /// let error = mlirbc::parse::parse("\"t.a\"() : ()", &Default::default()).unwrap_err();
    /// assert!(error.to_string().starts_with(&error.without_place()) && !error.without_place().contains("1:13"));
    /// ```
    #[doc(hidden)]
    pub fn without_place(&self) -> String {
        self.sentence()
    }

    /// Returns the message without the position.
    pub(crate) fn sentence(&self) -> String {
        self.0.message.to_string()
    }

    /// Adds the context in which a value was read: `expected X for CONTEXT`, or a sentence that starts with
    /// it.
    pub(crate) fn in_context(mut self, context: &str) -> Self {
        match &mut self.0.message {
            Message::Mismatch { expected, .. } => *expected = format!("{expected} for {context}").into(),
            Message::Sentence(text) => *text = format!("{context}: {text}").into(),
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.message.fmt(f)?;
        if self.0.kind == ErrorKind::Io {
            return Ok(());
        }
        if let Some(place) = &self.0.place {
            write!(f, ", at {place}")?;
        } else if let Some(offset) = self.0.offset {
            write!(f, ", at {offset:#x}")?;
            if self.0.module_start > 0 {
                write!(f, " of the module at {:#x}", self.0.module_start)?;
            }
        }
        if let Some(section) = self.0.section {
            write!(f, " in the {section} section")?;
        }
        if let Some(path) = &self.0.path {
            write!(f, " ({path})")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match self.hint() {
            Some(hint) => write!(f, "\nhelp: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_is_the_message_and_the_hint() {
        let error = Error::new(ErrorKind::TopLevel, "one top-level operation", "`2`");
        assert_eq!(
            format!("{error:?}"),
            "expected one top-level operation, found `2`\nhelp: read the operations with `Module.operations`, which accepts any number of top-level operations"
        );
    }

    #[test]
    fn sources_are_kept() {
        let error = Error::io("cannot open `x`", io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(error.io_error().unwrap().kind(), io::ErrorKind::NotFound);
        let error = Error::message(ErrorKind::LayoutTypeClass, "the callback failed").with_source("why");
        assert!(error.io_error().is_none());
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "why");
    }

    #[test]
    fn text_says_expected_found_and_where() {
        let error = Error::new(ErrorKind::Index, "a dialect index below `4`", "`9`")
            .at(0x1a2f)
            .in_section(SectionId::Dialect);
        assert_eq!(
            error.to_string(),
            "expected a dialect index below `4`, found `9`, at 0x1a2f in the Dialect section"
        );
    }
}
