//! Attributes and types as values, of a file or standalone.
//!
//! Owns [`Attribute`] and [`Type`], small handles to an entry of a table: that of its file, or a table of its
//! own with what the value refers to. Values are compared by structure, whatever table they are in. Text is
//! in `attr::text`.

pub(crate) mod build;
pub(crate) mod canonical;
mod compare;
pub(crate) mod dialects;
pub mod expr;
pub mod float;
pub mod hooks;
mod make;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive::case_of;
use crate::dialect::table::{BuiltinKind, Case, DialectTable, Encoding, Layout, Named, Primitive};
use crate::dialect::template::Piece;
use crate::file::FileTables;
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;
use crate::wire::bytes::Bytes;
use crate::wire::cursor::{ByteSink, Cursor};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::wire::section::SectionId;
use text::affine;
use text::affine::{AffineMap, IntegerSet};
use text::entry::{Elide, EntryPrinter, EntryStyle, TOO_LONG};
use text::out::Out;

use table::{Home, View};

/// An entry and the table it is in.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    pub(crate) home: Home,
    pub(crate) of: EntryRef,
}

/// One field of an attribute or a type.
///
/// ```
/// use mlirbc::{FieldValue, Type};
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
        /// In bits.
        width: u32,
    },
    /// Bytes; those of a file are not copied.
    Blob(Bytes),
    /// Items; an item with several parts is a list of them.
    List(Vec<FieldValue>),
}

macro_rules! values {
    // A macro because attributes and types differ in their name, their id and their half of the table.
    ($(#[$doc:meta])* $name:ident, $id:ident, $sort:ident, $entry:ident, $sample:literal, $text:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name(pub(crate) Handle);

        impl $name {
            /// The entry of a file with this index; `None` past the end.
            ///
            /// # Errors
            /// If the tables of the file are malformed.
            pub fn of_file(file: &FileTables, id: $id) -> Result<Option<Self>> {
                let is_there = file.entries()?.raw(EntryRef::$sort(id.0)).is_some();
                let value = || Self(Handle { home: Home::File(file.clone()), of: EntryRef::$sort(id.0) });
                Ok(is_there.then(value))
            }

            /// The index, if it belongs to a file.
            pub fn id(&self) -> Option<$id> {
                match (&self.0.home, self.0.of) {
                    (Home::File(_), EntryRef::$sort(index)) => Some($id(index)),
                    _ => None,
                }
            }

            /// The tables of its file, if it belongs to one.
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

            /// The name of its dialect.
            pub fn dialect(&self) -> String {
                self.0.dialect()
            }

            /// Whether the dialect is `builtin`; avoids the copy of a long name that
            /// [`dialect`](Self::dialect) makes.
            pub fn is_builtin(&self) -> bool {
                self.0.is_builtin()
            }

            /// The text, if it is stored as text.
            pub fn text(&self) -> Option<Bytes> {
                self.0.text()
            }

            /// Whether it is stored as text.
            pub fn is_text(&self) -> bool {
                self.0.text().is_some()
            }

            /// The bytes: text and a zero byte, or the encoding of the dialect, in which indices refer to its
            /// tables. A view of the file; see [`Source::check_pages`](crate::Source::check_pages).
            pub fn payload(&self) -> Bytes {
                self.0.home.payload(self.0.of)
            }

            /// The fields in the order of the dialect's table, except absent ones. Values stored as text have
            /// none, except builtin attributes.
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

            /// Whether it is decoded by code of its dialect, which runs when the value is asked for its class.
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

            /// Why the value is opaque; `None` for values that can be decoded, and those stored as text.
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

            /// The text in the syntax of a release of LLVM, given by its major version; by default that of
            /// the release that wrote the file.
            ///
            /// # Errors
            /// If it, or something in it, cannot be decoded.
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
            /// what is returned.
            ///
            /// ```
            #[doc = concat!("let value = mlirbc::", stringify!($name), "::", $text, ";")]
            /// assert_eq!(value.to_text_within(100), value.to_string());
            /// assert_eq!(value.to_text_within(3).chars().count(), 4);
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn to_text_within(&self, bytes: usize) -> String {
                let mut text = self.0.print_at_most(bytes as u64);
                let whole = text.strip_suffix(TOO_LONG).map_or(text.len(), str::len);
                if whole == text.len() && whole <= bytes {
                    return text;
                }
                let end = (0..=whole.min(bytes)).rev().find(|&at| text.is_char_boundary(at));
                text.truncate(end.unwrap_or_default());
                text.push('…');
                text
            }

            /// Creates a value of that kind from fields; fields that are [`FieldValue::Absent`] count as not
            /// given.
            ///
            /// # Errors
            /// [`ErrorKind::Value`] if there is no such kind, or a field is not valid for it.
            ///
            /// ```
            /// use mlirbc::{Attribute, FieldValue, Type};
            /// let name = FieldValue::String("x"[..].into());
            /// let name = Attribute::build("builtin", "StringAttr", &[("value", name)])?;
            /// assert_eq!(name.to_string(), "\"x\"");
            ///
            /// let error = Type::build("builtin", "IntegerType", &[]).unwrap_err();
            /// assert_eq!(error.kind(), mlirbc::ErrorKind::Value);
            /// # Ok::<(), mlirbc::Error>(())
            /// ```
            pub fn build(dialect: &str, kind: &str, fields: &[(&str, FieldValue)]) -> Result<Self> {
                build::build(EntryRef::$sort(0), dialect, kind, fields).map(Self)
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
            pub fn from_text_entry(dialect: &str, text: impl AsRef<[u8]>) -> Result<Self> {
                build::from_text(EntryRef::$sort(0), dialect, text.as_ref()).map(Self)
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
    /// A standalone attribute. Cheap to clone; equal to every attribute with the same structure.
    ///
    /// Distinct attributes are equal only to themselves and their copies. Methods that cannot return an error
    /// behave as follows when a mapped file loses bytes: the value equals nothing but the same entry, its
    /// hash is constant, and its text is `<<UNREADABLE>>`; [`Self::fields`] and [`Self::to_text`] return the
    /// error.
    ///
    /// ```
    /// use mlirbc::{Attribute, FieldValue};
    /// let unit = Attribute::build("builtin", "UnitAttr", &[])?;
    /// let list = FieldValue::List(vec![FieldValue::Attribute(unit.clone())]);
    /// let array = Attribute::build("builtin", "ArrayAttr", &[("value", list)])?;
    /// assert_eq!(array.to_string(), "[unit]");
    /// assert_eq!(unit, Attribute::build("builtin", "UnitAttr", &[])?);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    Attribute, AttrId, Attribute, attribute, "loc(unknown)", "from_text_entry(\"toy\", \"#toy.a<1>\")?"
}

values! {
    /// A standalone type. Cheap to clone; equal to every type with the same structure.
    ///
    /// ```
    /// use mlirbc::{FieldValue, Type};
    /// let i8 = Type::build("builtin", "IntegerType", &[("widthAndSign", FieldValue::Unsigned(8 << 2))])?;
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert_eq!(Type::of_file(&module, mlirbc::TypeId(0))?, Some(i8));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
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
    fn decoded<T>(&self, use_it: impl FnOnce(&Encoding, &Decoded<'_>, &View<'_>) -> T) -> Result<Option<T>> {
        let view = self.home.view()?;
        let Some((entry, blob)) = view.short(self.of) else { return Ok(None) };
        let mut node = Node::default();
        let Some((form, number)) = entry.decode(self.of, &view, &mut node)? else { return Ok(None) };
        let Some(layout) = form.layouts.get(number) else { return Ok(None) };
        let short = self.home.short_payload(self.of);
        let strings = RefCell::default();
        let decoded = Decoded { home: &self.home, layout, node: &node, short, blob, strings };
        Ok(Some(use_it(form, &decoded, &view)))
    }

    fn class(&self) -> Option<&str> {
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
                None => Vec::new(),
            });
        }
        self.settle()?;
        self.decoded(|form, entry, view| entry.fields_of(form, view))?.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// At least `chars` characters of the text, or all of it, for messages: little more is printed, however
    /// often the parts of a value repeat.
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

    /// The start of the mark for an encoded entry whose dialect has no table and a longer name: many entries
    /// may share it. Only the shown bytes of the name determine whether it is quoted.
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

    /// Whether it is encoded and its dialect has no table.
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
        let message = format!("there is no table for dialect {dialect}");
        let error = Error::message(ErrorKind::EntryNoTable, message);
        Some(error.at(entry.offset).in_section(SectionId::AttrType))
    }

    /// The text, if it has at most this number of bytes.
    pub(crate) fn text_within(&self, bytes: u64) -> Result<String> {
        let (text, fault) = self.print_within(None, Some(bytes));
        fault.map_or(Ok(text), Err)
    }

    /// The text, with marks for unreadable parts; after this number of bytes it ends with a mark.
    pub(crate) fn print_at_most(&self, bytes: u64) -> String {
        self.print_within(None, Some(bytes)).0
    }

    /// The maximum size of the text: that of the text of a module with the same tables.
    pub(crate) fn text_limit(&self) -> u64 {
        let default = Limits::default();
        let (size, limits) = match &self.home {
            Home::File(file) => (file.source().len(), file.limits()),
            Home::Owned(entries) => (entries.size(), &default),
        };
        // All of it is in memory.
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
        let mut printer = EntryPrinter::new(&view, style, limit).without_cache();
        let mut out = Out::memory();
        match self.of {
            EntryRef::Attribute(index) => printer.attribute(&mut out, index, Elide::Never),
            EntryRef::Type(index) => printer.r#type(&mut out, index),
        }
        let fault = printer.faults.into_iter().next();
        let text = String::from_utf8(out.buffer);
        (text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()), fault)
    }
}

/// The fields of properties with a declared encoding, except absent ones.
///
/// # Errors
/// If a table of the module is malformed.
pub(crate) fn declared_fields(
    file: &FileTables,
    declared: &crate::dialect::declared::Declared,
) -> Result<Vec<(String, FieldValue)>> {
    let home = Home::File(file.clone());
    let Some((form, layout)) = declared.form() else { return Ok(Vec::new()) };
    let short = Bytes::copy_from_slice(&declared.data);
    let decoded =
        Decoded { home: &home, layout, node: &declared.node, short, blob: None, strings: RefCell::default() };
    let view = home.view()?;
    decoded.fields_of(form, &view)
}

/// A decoded entry and its tables.
struct Decoded<'d> {
    home: &'d Home,
    layout: &'d Layout,
    node: &'d Node,
    short: Bytes,
    blob: Option<&'d Bytes>,
    /// Long strings that were copied.
    strings: RefCell<HashMap<u32, Bytes>>,
}

impl Decoded<'_> {
    /// The fields of an encoding, or those that code of the dialect named.
    fn fields_of(&self, form: &Encoding, view: &View<'_>) -> Result<Vec<(String, FieldValue)>> {
        let Some(value) = &form.value else { return Ok(self.fields(view)) };
        let mut at = 0;
        let read = self.layout.fields.iter().map(|spec| self.value(view, &spec.primitive, &mut at));
        hooks::form::fields_of(value, &read.collect::<Vec<_>>())
    }

    fn fields(&self, view: &View<'_>) -> Vec<(String, FieldValue)> {
        let mut at = 0;
        let mut fields = Vec::with_capacity(self.layout.fields.len());
        for spec in &self.layout.fields {
            let value = self.value(view, &spec.primitive, &mut at);
            if value != FieldValue::Absent {
                fields.push((spec.name.to_string(), value));
            }
        }
        count_to_flags(&mut fields);
        fields
    }

    fn value(&self, view: &View<'_>, primitive: &Primitive, at: &mut usize) -> FieldValue {
        let field = self.node.all().get(*at).copied().unwrap_or(Field::Absent);
        *at += 1;
        match field {
            Field::Absent => FieldValue::Absent,
            Field::Unsigned(number) => FieldValue::Unsigned(number),
            Field::Signed(number) => FieldValue::Signed(number),
            Field::Bool(value) => FieldValue::Bool(value),
            Field::String(index) => FieldValue::String(self.string(view, index)),
            Field::Resource(index) => FieldValue::Resource(Bytes::copy_from_slice(view.resource_key(index))),
            Field::Attribute(index, _) => {
                FieldValue::Attribute(Attribute(self.part(EntryRef::Attribute(index))))
            }
            Field::Type(index, _) => FieldValue::Type(Type(self.part(EntryRef::Type(index)))),
            Field::Blob(_) => match self.blob {
                Some(blob) => FieldValue::Blob(blob.clone()),
                None => FieldValue::Blob(self.short.slice(self.node.blob_range(field))),
            },
            Field::Bits(_) | Field::Words { .. } => self.integer(view, primitive, field),
            Field::List(count) => {
                if let Primitive::Switch(cases) = inner_of(primitive) {
                    return self.switch(view, cases, at);
                }
                let items = items_of(primitive);
                FieldValue::List((0..count).map(|_| self.item(view, items, at)).collect())
            }
        }
    }

    // A list may contain a long string many times.
    fn string(&self, view: &View<'_>, index: u32) -> Bytes {
        const LONG: usize = 64;
        let string = view.string(index);
        if string.len() <= LONG {
            return Bytes::copy_from_slice(string);
        }
        let mut strings = self.strings.borrow_mut();
        strings.entry(index).or_insert_with(|| Bytes::copy_from_slice(string)).clone()
    }

    // The number of the case, and its fields.
    fn switch(&self, view: &View<'_>, cases: &[Case], at: &mut usize) -> FieldValue {
        let Some(&Field::Unsigned(kind)) = self.node.all().get(*at) else { return FieldValue::Absent };
        *at += 1;
        let mut parts = vec![FieldValue::Unsigned(kind)];
        for item in case_of(cases, kind).map_or(&[][..], |case| &case.items) {
            parts.push(self.value(view, item, at));
        }
        FieldValue::List(parts)
    }

    fn item(&self, view: &View<'_>, items: &[Primitive], at: &mut usize) -> FieldValue {
        match items {
            [only] => self.value(view, only, at),
            parts => FieldValue::List(parts.iter().map(|part| self.value(view, part, at)).collect()),
        }
    }

    fn integer(&self, view: &View<'_>, primitive: &Primitive, field: Field) -> FieldValue {
        let width = match inner_of(primitive) {
            Primitive::Bits(number) => self.node.r#type(*number).and_then(|index| bits_of(view, index)),
            Primitive::Float(width) => Some(*width),
            _ => None,
        };
        let width = u32::try_from(width.unwrap_or(64)).unwrap_or(u32::MAX);
        let mut words = self.node.words(field).to_vec();
        // As many words as needed, if the file omits upper ones that are zero.
        words.resize(width.div_ceil(64) as usize, 0);
        if let (Some(last), bits @ 1..) = (words.last_mut(), width % 64) {
            *last &= (1 << bits) - 1;
        }
        FieldValue::Integer { words, width }
    }

    fn part(&self, of: EntryRef) -> Handle {
        Handle { home: self.home.clone(), of }
    }
}

fn inner_of(primitive: &Primitive) -> &Primitive {
    match primitive {
        Primitive::If(_, inner) => inner_of(inner),
        other => other,
    }
}

/// The primitives of the items of a list.
fn items_of(primitive: &Primitive) -> &[Primitive] {
    const STRING: &[Primitive] = &[Primitive::String];
    match inner_of(primitive) {
        Primitive::List(items) | Primitive::OptionalList(items) => items,
        _ => STRING,
    }
}

/// Before release 18 vectors had the number of trailing scalable dimensions.
fn count_to_flags(fields: &mut [(String, FieldValue)]) {
    let rank = fields.iter().find_map(|(name, value)| match value {
        FieldValue::List(sizes) if name == "shape" => Some(sizes.len() as u64),
        _ => None,
    });
    let (Some((name, value)), Some(rank)) = (fields.first_mut(), rank) else { return };
    if let ("numScalable", FieldValue::Unsigned(count)) = (&**name, &*value) {
        let fixed = rank.saturating_sub(*count);
        *value = FieldValue::List((0..rank).map(|place| FieldValue::Bool(place >= fixed)).collect());
        "scalable".clone_into(name);
    }
}

/// The class of a builtin attribute or type that is stored as text.
fn class_of_text<'t>(builtin: &'t DialectTable, of: EntryRef, text: &[u8]) -> Option<&'t str> {
    match of {
        EntryRef::Attribute(_) if text.starts_with(b"affine_map<") => Some("AffineMapAttr"),
        EntryRef::Attribute(_) if text.starts_with(b"affine_set<") => Some("IntegerSetAttr"),
        EntryRef::Attribute(_) if text.starts_with(b"strided<") => Some("StridedLayoutAttr"),
        EntryRef::Attribute(_) => None,
        EntryRef::Type(_) => {
            let form = builtin.types.rows.iter().find(|form| plain_text(form) == Some(text))?;
            Some(&form.kind)
        }
    }
}

/// The text of an encoding without parameters.
fn plain_text(form: &Encoding) -> Option<&[u8]> {
    match &*form.asm.pieces {
        [Piece::Text(text)] => Some(text.as_bytes()),
        _ => None,
    }
}

/// The text that releases up to 22 write for what newer ones encode.
fn native_text(form: &Encoding, node: &Node, data: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let blob = || Cursor::new(node.blob(node.field(0), data), 0, None);
    match (form.builtin, form.print) {
        (BuiltinKind::AffineMapAttr, Named::AffineMap) => {
            text.extend_from_slice(b"affine_map<");
            affine::write_map(&mut text, &AffineMap::decode(&mut blob()).ok()?);
        }
        (BuiltinKind::IntegerSetAttr, Named::IntegerSet) => {
            text.extend_from_slice(b"affine_set<");
            affine::write_set(&mut text, &IntegerSet::decode(&mut blob()).ok()?);
        }
        (BuiltinKind::StridedLayoutAttr, Named::StridedLayout) => {
            let signed = |field: Field| match field {
                Field::Signed(number) => number,
                _ => 0,
            };
            let strides: Vec<i64> = node.items(1).iter().map(|&field| signed(field)).collect();
            return Some(strided_text(&strides, signed(node.field(0))));
        }
        _ if form.builtin == BuiltinKind::Other && is_text_before_23(form) => {
            return plain_text(form).map(<[u8]>::to_vec);
        }
        _ => return None,
    }
    text.push(b'>');
    Some(text)
}

/// Whether it is a float type that only bytecode after release 22 encodes.
fn is_text_before_23(form: &Encoding) -> bool {
    let text = plain_text(form).unwrap_or_default();
    form.kind.starts_with("Float") && crate::dialect::registry::builtin().assembly_bits.contains_key(text)
}

/// `strided<[4, ?], offset: 3>` (`StridedLayoutAttr::print` in `mlir/lib/IR/BuiltinAttributes.cpp`).
pub(crate) fn strided_text(strides: &[i64], offset: i64) -> Vec<u8> {
    let size = |size: i64| if size == i64::MIN { "?".to_owned() } else { size.to_string() };
    let strides: Vec<String> = strides.iter().map(|&stride| size(stride)).collect();
    let mut text = format!("strided<[{}]", strides.join(", "));
    if offset != 0 {
        text.push_str(", offset: ");
        text.push_str(&size(offset));
    }
    text.push('>');
    text.into_bytes()
}

/// The fields that the encoded form of a builtin attribute has, from its text.
fn fields_of_text(class: &str, text: &[u8]) -> Vec<(String, FieldValue)> {
    let llvm = Llvm::NEWEST;
    let start = text.iter().position(|&byte| byte == b'<').map_or(text.len(), |at| at + 1);
    let body = text.get(start..).and_then(|body| body.strip_suffix(b">")).unwrap_or_default();
    let mut sink = ByteSink::new();
    let name = match class {
        "AffineMapAttr" => {
            let Ok(map) = AffineMap::parse(body, llvm) else { return Vec::new() };
            map.encode(&mut sink);
            "map"
        }
        "IntegerSetAttr" => {
            let Ok(set) = IntegerSet::parse(body, llvm) else { return Vec::new() };
            set.encode(&mut sink);
            "set"
        }
        "StridedLayoutAttr" => {
            let Some((strides, offset)) = parse_strided(body) else { return Vec::new() };
            let strides = strides.into_iter().map(FieldValue::Signed).collect();
            return vec![
                ("offset".to_owned(), FieldValue::Signed(offset)),
                ("strides".to_owned(), FieldValue::List(strides)),
            ];
        }
        _ => return Vec::new(),
    };
    vec![(name.to_owned(), FieldValue::Blob(sink.into_bytes().into()))]
}

/// `[4, ?], offset: 3`
fn parse_strided(body: &[u8]) -> Option<(Vec<i64>, i64)> {
    let body = std::str::from_utf8(body).ok()?.trim();
    let (strides, rest) = body.strip_prefix('[')?.split_once(']')?;
    let size = |text: &str| if text.trim() == "?" { Some(i64::MIN) } else { text.trim().parse().ok() };
    let strides = match strides.trim() {
        "" => Vec::new(),
        strides => strides.split(',').map(size).collect::<Option<_>>()?,
    };
    let offset = match rest.trim() {
        "" => 0,
        rest => size(rest.strip_prefix(',')?.trim().strip_prefix("offset")?.trim().strip_prefix(':')?)?,
    };
    Some((strides, offset))
}

/// The error of an invalid value.
#[cold]
fn misfit(expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(ErrorKind::Value, expected.into(), found.into())
}

/// A description of an entry for messages.
pub(crate) fn describe(entry: &RawEntry<'_>, of: EntryRef) -> String {
    let sort = if matches!(of, EntryRef::Type(_)) { "a type" } else { "an attribute" };
    match entry.form(of) {
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

/// The start of an attribute or a type, for a message. Little more is printed, so an error costs the same
/// however long the whole text is.
pub(crate) fn brief(value: &Handle) -> String {
    shorten(&value.excerpt(SHOWN + 1))
}

/// Truncates a text for a message.
pub(crate) fn shorten(text: &str) -> String {
    crate::wire::error::cut(text, SHOWN)
}
