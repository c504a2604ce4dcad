//! The reader of hooks: the primitives of an entry, each recorded.

use std::cell::RefCell;
use std::sync::Arc;

use crate::attr::fields::DecodedEntry;
use crate::attr::table::{Home, View};
use crate::attr::{Attribute, FieldValue, Type};
use crate::dialect::node::Node;
use crate::dialect::primitive::decode_field;
use crate::dialect::table::{FieldSpec, Layout, Primitive, Style};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};
use crate::wire::steps;

use super::version::{DialectVersion, Versions};

/// Reads the bytes of an attribute, a type, properties or a version, as `mlir::DialectBytecodeReader`.
///
/// Every call is recorded: the sequence of primitives is the layout of the value. Reading past the end is an
/// error that stays: a hook that ignores it fails nevertheless.
#[derive(Debug)]
pub struct DialectBytecodeReader {
    home: Home,
    data: Bytes,
    /// File offset of `data`.
    offset: u64,
    position: usize,
    primitives: Vec<Primitive>,
    lists: u32,
    calls: usize,
    fault: Option<Error>,
    versions: Arc<Versions>,
    /// The budget that pays for the record.
    budget: Budget,
}

/// A list that is being read.
#[derive(Debug)]
pub struct ListMark {
    /// The position of its count in the primitives.
    count: usize,
    items: usize,
    /// The number of primitives of an item, as long as all items have the same primitives.
    alike: Option<usize>,
    seen: usize,
    start: usize,
}

/// The maximum nesting of lists; the interpreter of layouts recurses once for each level.
const MAX_LISTS: u32 = 16;

impl DialectBytecodeReader {
    pub(crate) fn new(home: Home, data: Bytes, offset: u64, versions: Arc<Versions>) -> Self {
        let budget = match &home {
            Home::File(file) => file.work_budget(),
            Home::Owned(_) => Limits::default().budget(data.len() as u64),
        };
        Self {
            home,
            data,
            offset,
            position: 0,
            primitives: Vec::new(),
            lists: 0,
            calls: 0,
            fault: None,
            versions,
            budget,
        }
    }

    /// Returns the primitives that were read.
    ///
    /// # Errors
    /// The first error of a call, or an error if bytes remain.
    pub(crate) fn finish(self) -> Result<Vec<Primitive>> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        match self.data.len() - self.position {
            0 => Ok(self.primitives),
            left => {
                let message = format!("the hook leaves {left} of {} bytes", self.data.len());
                Err(Error::message(ErrorKind::DialectHook, message).at(self.offset + self.position as u64))
            }
        }
    }

    /// Moves the reader out, for code that must own it; the remaining reader refuses to read.
    #[doc(hidden)]
    #[must_use]
    pub fn moved(&mut self) -> Self {
        let empty = Self::new(self.home.clone(), Bytes::new(), self.offset, self.versions.clone());
        std::mem::replace(self, empty)
    }

    /// The first error of a call.
    #[doc(hidden)]
    pub fn fault(&self) -> Option<&Error> {
        self.fault.as_ref()
    }

    /// The number of remaining bytes.
    pub fn remaining(&self) -> usize {
        self.data.len() - self.position
    }

    /// The bytecode version of the file; the newest version for values that belong to no file.
    pub fn bytecode_version(&self) -> u64 {
        self.versions.bytecode
    }

    /// The version of a dialect in the file; `None` if the file has no version of the dialect.
    ///
    /// # Errors
    /// Errors of the hook that reads the version.
    pub fn dialect_version(&self, dialect: &str) -> Result<Option<DialectVersion>> {
        self.versions.of(dialect)
    }

    /// Creates an error with this sentence at the current position, for a hook to return.
    pub fn error(&self, sentence: impl Into<String>) -> Error {
        Error::message(ErrorKind::DialectHook, sentence.into()).at(self.offset + self.position as u64)
    }

    fn fail<T>(&mut self, error: Error) -> Result<T> {
        self.fault.get_or_insert_with(|| error.clone());
        Err(error)
    }

    /// Reads one primitive.
    fn take(&mut self, primitive: Primitive) -> Result<FieldValue> {
        steps::count(1);
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        // A primitive takes a byte, except an empty rest. More calls than bytes read nothing.
        self.calls += 1;
        if self.calls > 16 + 2 * self.data.len() {
            let message = "the hook reads more often than the value has bytes";
            return self.fail(Error::message(ErrorKind::HookLimit, message));
        }
        if let Err(error) = self.budget.spend(size_of::<Primitive>()) {
            return self.fail(error);
        }
        match self.read_now(&primitive) {
            Ok((value, position)) => {
                self.position = position;
                self.primitives.push(primitive);
                Ok(value)
            }
            Err(error) => self.fail(error),
        }
    }

    fn read_now(&self, primitive: &Primitive) -> Result<(FieldValue, usize)> {
        let view: View<'_> = self.home.view()?;
        let mut node = Node::default();
        let place = (self.position, self.offset);
        let position = decode_field(primitive, &self.data, place, &view, &mut node)?;
        let spec =
            FieldSpec { name: "".into(), primitive: primitive.clone(), style: Style::Plain, omit: None };
        let layout = Layout { fields: vec![spec] };
        let decoded = DecodedEntry {
            home: &self.home,
            layout: &layout,
            node: &node,
            short: self.data.clone(),
            blob: None,
            strings: RefCell::default(),
        };
        let value = decoded.value(&view, primitive, &mut 0);
        self.home.unless_lost(Ok((value, position)))
    }

    /// Reads an unsigned varint (`readVarInt`).
    ///
    /// # Errors
    /// If the bytes end, as for all other methods, and [`ErrorKind::HookLimit`] for far too many calls.
    pub fn read_varint(&mut self) -> Result<u64> {
        self.take(Primitive::Varint).map(number)
    }

    /// Reads a signed varint (`readSignedVarInt`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_signed_varint(&mut self) -> Result<i64> {
        self.take(Primitive::Signed).map(|value| match value {
            FieldValue::Signed(number) => number,
            _ => 0,
        })
    }

    /// Reads a varint with a flag in its lowest bit (`readVarIntWithFlag`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_varint_with_flag(&mut self) -> Result<(u64, bool)> {
        self.take(Primitive::VarintWithFlag).map(|value| match value {
            FieldValue::List(parts) => match &*parts {
                [FieldValue::Unsigned(number), FieldValue::Bool(flag)] => (*number, *flag),
                _ => (0, false),
            },
            _ => (0, false),
        })
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_byte(&mut self) -> Result<u8> {
        self.take(Primitive::Byte).map(|value| number(value) as u8)
    }

    /// Reads a byte that is 0 or 1 (`readBool`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_bool(&mut self) -> Result<bool> {
        self.take(Primitive::Bool).map(|value| value == FieldValue::Bool(true))
    }

    /// Reads a string of the file (`readString`).
    ///
    /// # Errors
    /// As [`Self::read_varint`], and for an index past the strings of the file.
    pub fn read_string(&mut self) -> Result<Bytes> {
        self.take(Primitive::String).map(bytes)
    }

    /// Reads a size and that many bytes (`readBlob`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_blob(&mut self) -> Result<Bytes> {
        self.take(Primitive::Blob).map(bytes)
    }

    /// Reads an attribute of the file (`readAttribute`). The attribute is decoded only when one of its
    /// properties is requested.
    ///
    /// # Errors
    /// As [`Self::read_varint`], and for an index past the attributes of the file.
    pub fn read_attribute(&mut self) -> Result<Attribute> {
        match self.take(Primitive::Attribute(None))? {
            FieldValue::Attribute(value) => Ok(value),
            _ => Err(self.error("there is no attribute")),
        }
    }

    /// Reads an attribute that may be absent (`readOptionalAttribute`).
    ///
    /// # Errors
    /// As [`Self::read_attribute`].
    pub fn read_optional_attribute(&mut self) -> Result<Option<Attribute>> {
        self.take(Primitive::OptionalAttribute(None)).map(|value| match value {
            FieldValue::Attribute(value) => Some(value),
            _ => None,
        })
    }

    /// Reads a type of the file (`readType`).
    ///
    /// # Errors
    /// As [`Self::read_varint`], and for an index past the types of the file.
    pub fn read_type(&mut self) -> Result<Type> {
        match self.take(Primitive::Type)? {
            FieldValue::Type(value) => Ok(value),
            _ => Err(self.error("there is no type")),
        }
    }

    /// Reads a type that may be absent, encoded like an optional attribute.
    ///
    /// # Errors
    /// As [`Self::read_type`].
    pub fn read_optional_type(&mut self) -> Result<Option<Type>> {
        self.take(Primitive::OptionalType).map(|value| match value {
            FieldValue::Type(value) => Some(value),
            _ => None,
        })
    }

    /// Reads the key of a dialect resource (`readResourceHandle`).
    ///
    /// # Errors
    /// As [`Self::read_varint`], and for an index past the resources of the file.
    pub fn read_resource_handle(&mut self) -> Result<Bytes> {
        self.take(Primitive::Resource).map(bytes)
    }

    /// Reads an integer of this width in bits, low word first (`readAPIntWithKnownWidth`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_apint_with_known_width(&mut self, width: u32) -> Result<Vec<u64>> {
        self.take(Primitive::Float(width.into())).map(|value| match value {
            FieldValue::Integer { words, .. } => words,
            _ => Vec::new(),
        })
    }

    /// Reads the bits of a float of this width (`readAPFloatWithKnownSemantics`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    pub fn read_apfloat_with_known_semantics(&mut self, width: u32) -> Result<Vec<u64>> {
        self.read_apint_with_known_width(width)
    }

    /// Reads a sparse array of this many numbers (`readSparseArray`).
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    #[doc(hidden)]
    pub fn read_sparse_array(&mut self, len: u32) -> Result<Vec<u64>> {
        self.take(Primitive::Sparse(len)).map(|value| match value {
            FieldValue::List(items) => items.into_iter().map(number).collect(),
            _ => Vec::new(),
        })
    }

    /// Reads all remaining bytes, which must not contain indices of tables.
    ///
    /// # Errors
    /// As [`Self::read_varint`].
    #[doc(hidden)]
    pub fn read_rest(&mut self) -> Result<Bytes> {
        self.take(Primitive::Rest).map(bytes)
    }

    /// Reads a count, and that many items, each with `item` (`readList`).
    ///
    /// # Errors
    /// Errors of `item`, and an error for a count above the number of remaining bytes.
    pub fn read_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut list = self.begin_list()?;
        let mut items = Vec::new();
        for _ in 0..list.items {
            items.push(item(self)?);
            self.end_item(&mut list);
        }
        self.end_list(list);
        Ok(items)
    }

    /// Reads the count of a list; [`Self::end_item`] follows each item, and [`Self::end_list`] the last one.
    #[doc(hidden)]
    pub fn begin_list(&mut self) -> Result<ListMark> {
        let count = self.primitives.len();
        let items = self.read_varint()?;
        if items > self.remaining() as u64 {
            let message = format!("a list of `{items}` items has {} bytes", self.remaining());
            let error = Error::message(ErrorKind::Count, message);
            return self.fail(error.at(self.offset + self.position as u64));
        }
        self.lists += 1;
        if self.lists > MAX_LISTS {
            let message = format!("lists are nested more than {MAX_LISTS} deep");
            return self.fail(Error::message(ErrorKind::HookLimit, message));
        }
        let start = self.primitives.len();
        Ok(ListMark { count, items: items as usize, alike: None, seen: 0, start })
    }

    #[doc(hidden)]
    pub fn end_item(&mut self, list: &mut ListMark) {
        let len = self.primitives.len() - list.start;
        let first = list.count + 1;
        list.seen += 1;
        match list.alike {
            // The first item is kept, and the other items are compared with it.
            None if list.seen == 1 => list.alike = Some(len),
            Some(alike)
                if alike == len
                    && self.primitives.get(first..first + alike) == self.primitives.get(list.start..) =>
            {
                self.primitives.truncate(list.start);
            }
            Some(alike) => {
                // The primitives of earlier items were dropped, but are needed after all.
                let item = self.primitives.get(first..first + alike).unwrap_or_default().to_vec();
                let last = self.primitives.split_off(list.start);
                for _ in 2..list.seen {
                    self.primitives.extend_from_slice(&item);
                }
                self.primitives.extend(last);
                list.alike = None;
            }
            None => {}
        }
        list.start = self.primitives.len();
    }

    #[doc(hidden)]
    pub fn end_list(&mut self, list: ListMark) {
        self.lists = self.lists.saturating_sub(1);
        let items = match (list.items, list.alike) {
            (0, _) => vec![Primitive::Varint],
            (_, Some(1..)) => self.primitives.split_off(list.count + 1),
            _ => return,
        };
        self.primitives.truncate(list.count);
        self.primitives.push(Primitive::List(items));
    }
}

impl ListMark {
    /// The number of items.
    #[doc(hidden)]
    pub fn items(&self) -> usize {
        self.items
    }
}

fn number(value: FieldValue) -> u64 {
    match value {
        FieldValue::Unsigned(number) => number,
        _ => 0,
    }
}

fn bytes(value: FieldValue) -> Bytes {
    match value {
        FieldValue::String(bytes) | FieldValue::Blob(bytes) | FieldValue::Resource(bytes) => bytes,
        _ => Bytes::new(),
    }
}
