//! Attributes and types as values, of a file or standalone.
//!
//! Owns [`Attribute`] and [`Type`], small handles to an entry of a table: the table of its file, or a
//! separate table that contains everything the value refers to. Values are compared by structure, whatever
//! table they are in. `attr::text` owns the text.

pub(crate) mod build;
mod builtin_text;
pub(crate) mod canonical;
mod compare;
mod declared_fields;
pub(crate) mod dialects;
pub(crate) mod digest;
mod entry_values;
pub mod expr;
mod fields;
pub mod float;
mod handles;
pub mod hooks;
pub(crate) mod import;
mod make;
pub(crate) mod native;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod text_position;
mod view;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::file::FileTables;
use crate::format::id::{AttrId, TypeId};
use crate::ops::ClassDefinition;
use crate::release::Llvm;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::wire::section::SectionId;
use text::entry::{Elide, EntryPrinter, EntryStyle, TOO_LONG};
use text::out::Out;

use table::Home;

pub(crate) use builtin_text::strided_text;
use builtin_text::{class_of_text, fields_of_text, is_text_before_23, native_text, plain_text};
pub(crate) use entry_values::EntryValues;
pub(crate) use fields::declared_fields;
use fields::{inner_of, items_of};
#[doc(hidden)] // names of the root
pub use handles::{Attribute, Type};
pub(crate) use view::Elements;

/// An entry, and the table that contains it.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    pub(crate) home: Home,
    pub(crate) of: EntryRef,
}

/// A field of an attribute or a type.
///
/// ```
/// use mlirbc::attr::FieldValue;
/// use mlirbc::Type;
/// let f32 = Type::build("builtin", "Float32Type", &[])?;
/// let shape = FieldValue::List(vec![FieldValue::Signed(2), FieldValue::Signed(i64::MIN)]);
/// let fields = [("shape", shape), ("elementType", FieldValue::Type(f32))];
/// let tensor = Type::build("builtin", "RankedTensorType", &fields)?;
/// assert_eq!(tensor.to_string(), "tensor<2x?xf32>");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FieldValue {
    /// An absent optional field.
    Absent,
    /// An integer.
    Unsigned(u64),
    /// A signed integer; a dynamic size is the minimum.
    Signed(i64),
    /// A Boolean.
    Bool(bool),
    /// Text, or any bytes.
    String(Bytes),
    /// The key of a resource.
    Resource(Bytes),
    /// Another attribute.
    Attribute(Attribute),
    /// Another type.
    Type(Type),
    /// An integer or the bits of a float, low word first, with as many words as `width` needs.
    Integer {
        /// The bits above `width` are zero.
        words: Vec<u64>,
        /// The width in bits.
        width: u32,
    },
    /// Bytes; the bytes of a file are not copied.
    Blob(Bytes),
    /// Items; an item with several parts is a list of its parts.
    List(Vec<FieldValue>),
}

macro_rules! values {
    // A macro because attributes and types differ in their name, their id and their half of the table.
    ($name:ident, $id:ident, $sort:ident, $entry:ident, $sample:literal, $text:literal) => {
        impl $name {
            /// The entry of a file with this index; `None` past the end.
            ///
            /// # Errors
            /// If the tables of the file are malformed.
            #[doc(hidden)]
            pub fn of_file(file: &FileTables, id: $id) -> Result<Option<Self>> {
                let is_there = file.entries()?.raw(EntryRef::$sort(id)).is_some();
                let value = || Self(Handle { home: Home::File(file.clone()), of: EntryRef::$sort(id) });
                Ok(is_there.then(value))
            }

            /// The index, if it belongs to a file.
            #[doc(hidden)]
            pub fn id(&self) -> Option<$id> {
                match (&self.0.home, self.0.of) {
                    (Home::File(_), EntryRef::$sort(index)) => Some(index),
                    _ => None,
                }
            }

            /// The tables of the file, if the value belongs to a file.
            #[doc(hidden)]
            pub fn file(&self) -> Option<&FileTables> {
                match &self.0.home {
                    Home::File(file) => Some(file),
                    Home::Owned(_) => None,
                }
            }

            /// The class, e.g. `IntegerAttr` or `RankedTensorType`; `None` for values stored as text, for
            /// dialects without a table, and for values that cannot be decoded.
            pub fn class(&self) -> Option<&str> {
                self.0.class()
            }

            /// The name of the dialect.
            pub fn dialect(&self) -> String {
                self.0.dialect()
            }

            /// Whether the dialect is `builtin`; avoids the copy of a long name that
            /// [`dialect`](Self::dialect) makes.
            #[doc(hidden)]
            pub fn is_builtin(&self) -> bool {
                self.0.is_builtin()
            }

            /// The text, if the value is stored as text.
            pub fn text(&self) -> Option<Bytes> {
                self.0.text()
            }

            /// Whether the value is stored as text.
            #[doc(hidden)]
            pub fn is_text(&self) -> bool {
                self.0.text().is_some()
            }

            /// The bytes: text and a zero byte, or the encoding of the dialect, in which indices refer to
            /// tables. A view of the file; see
            /// [`Source::check_pages`](crate::wire::bytes::Source::check_pages).
            #[doc(hidden)]
            pub fn payload(&self) -> Bytes {
                self.0.home.payload(self.0.of)
            }

            /// The offset of [`payload`](Self::payload) in the file; `None` if the value belongs to no file.
            #[doc(hidden)]
            pub fn offset(&self) -> Option<u64> {
                Some(self.file()?.entries().ok()?.raw(self.0.of)?.offset)
            }

            /// The definition in a pack of a value that is stored as text; `None` if no registered pack describes
            /// its text.
            #[doc(hidden)]
            pub fn definition(&self) -> Option<Arc<ClassDefinition>> {
                self.0.declared_class()
            }

            /// The fields in the order of the dialect's table, except absent ones. Of values stored as text,
            /// builtin attributes and those that a pack describes have fields.
            ///
            /// # Errors
            /// If the bytes do not have their encoding.
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert!(value.fields()?.is_empty());
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn fields(&self) -> Result<Vec<(String, FieldValue)>> {
                self.0.fields()
            }

            /// Whether the code of its dialect decodes the value; the code runs when the class of the value
            /// is requested.
            #[doc(hidden)]
            pub fn has_hooks(&self) -> bool {
                self.0.has_hooks()
            }

            /// Runs the code of dialects for the value, and `deeply` for everything that it contains, so that methods
            /// that cannot return an error do not hide a request to stop.
            #[doc(hidden)]
            pub fn settle(&self, deeply: bool) -> Result<()> {
                if deeply { self.0.settle_deeply() } else { self.0.settle() }
            }

            /// Explains why the value is opaque; `None` for values that can be decoded, and for values stored
            /// as text.
            ///
            /// # Errors
            /// If a table of the file is malformed.
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert!(value.opaque_reason()?.is_none());
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn opaque_reason(&self) -> Result<Option<Error>> {
                self.0.opaque_reason()
            }

            /// The field with this name; `None` if there is none.
            ///
            /// # Errors
            /// As [`Self::fields`].
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert_eq!(value.field("shape")?, None);
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn field(&self, name: &str) -> Result<Option<FieldValue>> {
                Ok(self.0.fields()?.into_iter().find(|field| field.0 == name).map(|field| field.1))
            }

            /// The text in the syntax of a release of LLVM, given by its major version; by default the
            /// release that wrote the file.
            ///
            /// # Errors
            /// If the value, or an entry in it, cannot be decoded.
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert_eq!(value.to_text(Some(22))?, value.to_string());
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn to_text(&self, llvm: Option<u32>) -> Result<String> {
                let (text, fault) = self.0.print(llvm.map(Llvm));
                fault.map_or(Ok(text), Err)
            }

            /// The text, truncated to this number of bytes with `…` at the end. Little more is printed than
            /// is returned.
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert_eq!(value.to_text_within(100), value.to_string());
            /// assert_eq!(value.to_text_within(3).chars().count(), 4);
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            #[doc(hidden)]
            pub fn to_text_within(&self, bytes: usize) -> String {
                truncated(self.0.print_at_most(bytes as u64), bytes)
            }

            /// Creates a value of that kind from fields; fields that are [`FieldValue::Absent`] count as not
            /// given.
            ///
            /// # Errors
            /// [`ErrorKind::Value`] if there is no such kind, or a field is not valid for it.
            ///
            /// ```
            /// use mlirbc::attr::FieldValue;
            /// use mlirbc::{Attribute, Type};
            /// let name = FieldValue::String("x"[..].into());
            /// let name = Attribute::build("builtin", "StringAttr", &[("value", name)])?;
            /// assert_eq!(name.to_string(), "\"x\"");
            ///
            /// let error = Type::build("builtin", "IntegerType", &[]).unwrap_err();
            /// assert_eq!(error.kind(), mlirbc::ErrorKind::Value);
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn build(dialect: &str, kind: &str, fields: &[(&str, FieldValue)]) -> Result<Self> {
                build::build(EntryRef::$sort($id::new(0)), dialect, kind, fields).map(Self)
            }

            /// Creates a value of a dialect that is stored as this text.
            ///
            /// # Errors
            /// [`ErrorKind::Value`] for an empty text and one with a zero byte.
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert_eq!(value.dialect(), "toy");
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            #[doc(hidden)]
            pub fn from_text_entry(dialect: &str, text: impl AsRef<[u8]>) -> Result<Self> {
                build::from_text(EntryRef::$sort($id::new(0)), dialect, text.as_ref()).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0.print(None).0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0.print(None).0)
            }
        }
    };
}

values! {
    Attribute, AttrId, Attribute, attribute, "loc(unknown)", "from_text_entry(\"toy\", \"#toy.a<1>\")?"
}

values! {
    Type, TypeId, Type, r#type, "i8", "from_text_entry(\"toy\", \"!toy.t<1>\")?"
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        compare::equal(self, other)
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(compare::hash(self));
    }
}

impl Handle {
    pub(crate) fn class(&self) -> Option<&str> {
        self.settle().ok()?;
        let view = self.home.view().ok()?;
        let entry = view.raw(self.of)?;
        match entry.text() {
            Some(text) if entry.dialect == b"builtin" => class_of_text(view.builtin_table(), self.of, text),
            Some(_) => None,
            None => Some(&entry.form(self.of).ok()??.kind),
        }
    }

    fn dialect(&self) -> String {
        let view = self.home.view().ok();
        let entry = view.as_ref().and_then(|view| view.raw(self.of));
        String::from_utf8_lossy(entry.map_or(&[], |entry| entry.dialect)).into_owned()
    }

    fn is_builtin(&self) -> bool {
        let view = self.home.view().ok();
        view.as_ref().and_then(|view| view.raw(self.of)).is_some_and(|entry| entry.dialect == b"builtin")
    }

    fn text(&self) -> Option<Bytes> {
        let view = self.home.view().ok()?;
        let text = view.raw(self.of)?.text()?;
        Some(self.home.short_payload(self.of).slice(..text.len()))
    }

    pub(crate) fn fields(&self) -> Result<Vec<(String, FieldValue)>> {
        self.home.unless_lost(self.fields_now())
    }

    fn fields_now(&self) -> Result<Vec<(String, FieldValue)>> {
        if let Some(text) = self.text() {
            return Ok(match self.class() {
                Some(class) => fields_of_text(class, &text),
                None => self.declared_fields(&text)?,
            });
        }
        self.settle()?;
        self.decoded(|form, entry, view| entry.fields_of(form, view))?.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Returns at least `chars` characters of the text, or the whole text, for messages. Little more is
    /// printed, however often the parts of a value repeat.
    pub(crate) fn excerpt(&self, chars: usize) -> String {
        if let Some(text) = self.encoded_excerpt(chars) {
            return text;
        }
        // Most characters are one byte.
        let text = self.print_within(None, Some(chars as u64)).0;
        if text.as_bytes().get(..=chars).unwrap_or(text.as_bytes()).is_ascii() {
            return text;
        }
        self.print_within(None, Some((chars as u64).saturating_mul(4))).0
    }

    /// Returns the start of the mark for an encoded entry whose dialect has no table and a longer name, which
    /// many entries may share. Only the shown bytes of the name determine whether it is quoted.
    fn encoded_excerpt(&self, chars: usize) -> Option<String> {
        self.settle().ok()?;
        let view = self.home.view().ok()?;
        let entry = view.raw(self.of)?;
        let name = entry.dialect.get(..chars.saturating_mul(4)).filter(|_| self.has_no_table(&entry))?;
        let mut text = match self.of {
            EntryRef::Attribute(_) => b"<<ENCODED #".to_vec(),
            EntryRef::Type(_) => b"<<ENCODED !".to_vec(),
        };
        text::escape::write_keyword_or_string(&mut text, name);
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// Whether the entry is encoded and its dialect has no table.
    fn has_no_table(&self, entry: &RawEntry<'_>) -> bool {
        entry.text().is_none() && entry.table.is_none()
    }

    /// The error for an encoded entry whose dialect has no table.
    pub(crate) fn no_table(&self) -> Option<Error> {
        self.settle().ok()?;
        let view = self.home.view().ok()?;
        let entry = view.raw(self.of).filter(|entry| self.has_no_table(entry))?;
        let dialect = entry.dialect.get(..4 * SHOWN + 4).unwrap_or(entry.dialect);
        let dialect = shorten(&String::from_utf8_lossy(dialect));
        let message = format!("no table is known for dialect {dialect}");
        let error = Error::message(ErrorKind::EntryNoTable, message);
        Some(error.at(entry.offset).in_section(SectionId::AttrType))
    }

    /// The text, if it has at most this number of bytes.
    pub(crate) fn text_within(&self, bytes: u64) -> Result<String> {
        let (text, fault) = self.print_within(None, Some(bytes));
        fault.map_or(Ok(text), Err)
    }

    /// The text, with marks for unreadable parts; after this number of bytes the text ends with a mark.
    pub(crate) fn print_at_most(&self, bytes: u64) -> String {
        self.print_within(None, Some(bytes)).0
    }

    /// The text of a type with the names of the builtin dialect.
    fn builtin_text_within(&self, bytes: usize) -> String {
        let print =
            |printer: &mut EntryPrinter<'_, &dyn Entries>, out: &mut Out<'_>, entry_ref| match entry_ref {
                EntryRef::Attribute(index) => printer.attribute(out, index, Elide::Never),
                EntryRef::Type(index) => printer.builtin_type(out, index),
            };
        let printed = self.settle_deeply().map(|()| self.print_by(None, Some(bytes as u64), print).0);
        let printed = printed.and_then(|text| self.home.unless_lost(Ok(text)));
        printed.map_or_else(|_| "<<UNREADABLE>>".to_owned(), |text| truncated(text, bytes))
    }

    /// The maximum size of the text: the limit for the text of a module with the same tables.
    pub(crate) fn text_limit(&self) -> u64 {
        let default = Limits::default();
        let (size, limits) = match &self.home {
            Home::File(file) => (file.source().len(), file.limits()),
            Home::Owned(entries) => (entries.size(), &default),
        };
        // The whole text is in memory.
        limits.text(size).min(limits.memory(size))
    }

    /// The text, with marks for unreadable parts, and the error of the first mark.
    fn print(&self, llvm: Option<Llvm>) -> (String, Option<Error>) {
        self.print_within(llvm, None)
    }

    fn print_within(&self, llvm: Option<Llvm>, limit: Option<u64>) -> (String, Option<Error>) {
        if let Err(error) = self.settle_deeply() {
            return ("<<UNREADABLE>>".to_owned(), Some(error));
        }
        let printed = self.print_now(llvm, limit);
        self.home.unless_lost(Ok(printed)).unwrap_or_else(|error| ("<<UNREADABLE>>".to_owned(), Some(error)))
    }

    fn print_now(&self, llvm: Option<Llvm>, limit: Option<u64>) -> (String, Option<Error>) {
        self.print_by(llvm, limit, |printer, out, entry_ref| match entry_ref {
            EntryRef::Attribute(index) => printer.attribute(out, index, Elide::Never),
            EntryRef::Type(index) => printer.r#type(out, index),
        })
    }

    fn print_by(
        &self,
        llvm: Option<Llvm>,
        limit: Option<u64>,
        print: impl FnOnce(&mut EntryPrinter<'_, &dyn Entries>, &mut Out<'_>, EntryRef),
    ) -> (String, Option<Error>) {
        let llvm = llvm.unwrap_or_else(|| match &self.home {
            Home::File(file) => file.release_llvm(),
            Home::Owned(_) => Llvm::NEWEST,
        });
        let view = match self.home.view() {
            Ok(view) => view,
            Err(error) => return ("<<UNREADABLE>>".to_owned(), Some(error)),
        };
        let limit = limit.unwrap_or_else(|| self.text_limit());
        let style = EntryStyle { release: llvm, elide_elements: None };
        let entries: &dyn Entries = &view;
        let mut printer = EntryPrinter::new(&entries, style, limit).without_cache();
        let mut out = Out::excerpt(limit);
        print(&mut printer, &mut out, self.of);
        let fault = printer.faults.into_iter().next();
        let text = String::from_utf8(out.buffer);
        (text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()), fault)
    }
}

/// Converts a text that was printed to a limit to its shown form.
pub(crate) fn truncated(mut text: String, bytes: usize) -> String {
    let whole = text.strip_suffix(TOO_LONG).map_or(text.len(), str::len);
    if whole == text.len() && whole <= bytes {
        return text;
    }
    let end = (0..=whole.min(bytes)).rev().find(|&at| text.is_char_boundary(at));
    text.truncate(end.unwrap_or_default());
    text.push('…');
    text
}

/// The error of an invalid value.
#[cold]
fn misfit(expected: impl Into<String>, actual: impl Into<String>) -> Error {
    Error::new(ErrorKind::Value, expected.into(), actual.into())
}

/// Describes an entry for messages.
pub(crate) fn describe(entry: &RawEntry<'_>, entry_ref: EntryRef) -> String {
    let sort = if matches!(entry_ref, EntryRef::Type(_)) { "a type" } else { "an attribute" };
    match entry.form(entry_ref) {
        Ok(Some(form)) => form.kind.to_string(),
        _ => match entry.text() {
            Some(text) => {
                let shown = text.get(..4 * SHOWN + 4).unwrap_or(text);
                format!("`{}`", shorten(&String::from_utf8_lossy(shown)))
            }
            None => format!("{sort} of the {} dialect", String::from_utf8_lossy(entry.dialect)),
        },
    }
}

/// The maximum number of characters of a text in a message.
pub(crate) const SHOWN: usize = 80;

/// Returns the start of an attribute or a type, for a message. Little more is printed, so an error costs the
/// same however long the whole text is.
pub(crate) fn brief(value: &Handle) -> String {
    shorten(&value.excerpt(SHOWN + 1))
}

/// Truncates a text for a message.
pub(crate) fn shorten(text: &str) -> String {
    crate::wire::error::cut(text, SHOWN)
}
