//! What a written module refers to: each attribute, type and string once, in the form the target writes.

use std::collections::HashMap;
use std::sync::Arc;

use crate::codec::entries::{Entries, EntryRef};
use crate::codec::table::BuiltinKind;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::Module;
use crate::ir::module::FileEntries;
use crate::value::table::{Builder, Home};

use super::tables::Tables;

const NONE: u32 = u32::MAX;

/// The tables being filled, and where the file's entries are in them.
pub(super) struct Pool<'m> {
    /// The file's tables, as long as they do as they are.
    file: Option<&'m FileEntries<'m>>,
    needs_copies: bool,
    home: Home,
    builder: Builder,
    attributes: Vec<u32>,
    types: Vec<u32>,
    unknown_location: u32,
    made: HashMap<Box<[u8]>, u32>,
}

impl<'m> Pool<'m> {
    /// `file`: its tables, if its entries shall stay where they are; else all of them are copied.
    pub(super) fn new(module: &Arc<Module>, file: Option<&'m FileEntries<'m>>) -> Result<Self> {
        let counts = module.entry_counts()?;
        let mut this = Self {
            file,
            needs_copies: false,
            home: Home::Module(module.clone()),
            builder: Builder::new(),
            attributes: vec![NONE; if file.is_some() { 0 } else { counts.attributes as usize }],
            types: vec![NONE; if file.is_some() { 0 } else { counts.types as usize }],
            unknown_location: NONE,
            made: HashMap::new(),
        };
        this.unknown_location = match module.unknown_location()? {
            Some(location) => this.attribute(location.0)?,
            // Only where somebody asks for it.
            None if file.is_some() => NONE,
            None => this.made("UnknownLoc", &[])?,
        };
        Ok(this)
    }

    pub(super) fn entries(&self) -> Tables<'_> {
        match self.file {
            Some(file) => Tables::File(file),
            None => Tables::Copied(self.builder.entries()),
        }
    }

    /// Whether something is needed that the file does not have.
    pub(super) fn needs_copies(&self) -> bool {
        self.needs_copies
    }

    /// The place of one of the file's strings.
    pub(super) fn string(&mut self, index: u32, text: &[u8]) -> u32 {
        if self.file.is_some() { index } else { self.builder.string(text) }
    }

    /// The place of one of the file's attributes.
    ///
    /// # Errors
    /// When it cannot be decoded, so that it is not known what it refers to.
    #[inline]
    pub(super) fn attribute(&mut self, index: u32) -> Result<u32> {
        if self.file.is_some() {
            return Ok(index);
        }
        match self.attributes.get(index as usize) {
            Some(&known) if known != NONE => Ok(known),
            _ => self.import(EntryRef::Attribute(index)),
        }
    }

    /// The place of one of the file's types.
    ///
    /// # Errors
    /// As [`Self::attribute`].
    #[inline]
    pub(super) fn r#type(&mut self, index: u32) -> Result<u32> {
        if self.file.is_some() {
            return Ok(index);
        }
        match self.types.get(index as usize) {
            Some(&known) if known != NONE => Ok(known),
            _ => self.import(EntryRef::Type(index)),
        }
    }

    #[cold]
    fn import(&mut self, of: EntryRef) -> Result<u32> {
        let (rows, index) = match of {
            EntryRef::Attribute(index) => (&mut self.attributes, index),
            EntryRef::Type(index) => (&mut self.types, index),
        };
        let (EntryRef::Attribute(copy) | EntryRef::Type(copy)) = self.builder.import(&self.home, of)?;
        match rows.get_mut(index as usize) {
            Some(row) => *row = copy,
            None => {
                return Err(Error::new(
                    ErrorKind::Index,
                    "an attribute or type of the file",
                    format!("{of:?}"),
                ));
            }
        }
        Ok(copy)
    }

    /// The place of one of the file's attributes that was met.
    pub(super) fn known_attribute(&self, index: u32) -> Option<u32> {
        if self.file.is_some() {
            return Some(index);
        }
        self.attributes.get(index as usize).copied().filter(|&place| place != NONE)
    }

    /// The place of one of the file's types that was met.
    pub(super) fn known_type(&self, index: u32) -> Option<u32> {
        if self.file.is_some() {
            return Some(index);
        }
        self.types.get(index as usize).copied().filter(|&place| place != NONE)
    }

    /// Where block arguments are whose location the file leaves out.
    pub(super) fn unknown_location(&mut self) -> u32 {
        self.needs_copies |= self.unknown_location == NONE;
        self.unknown_location
    }

    /// A builtin attribute that the file need not have, by the name of its class and its encoded fields.
    /// The same for reading; there may be none.
    pub(super) fn known_unknown_location(&self) -> u32 {
        self.unknown_location
    }

    fn made(&mut self, kind: &str, fields: &[(&str, crate::value::FieldValue)]) -> Result<u32> {
        let value = crate::value::AttributeValue::build("builtin", kind, fields)?;
        self.value(&value)
    }

    /// A value that stands alone.
    pub(super) fn value(&mut self, value: &crate::value::AttributeValue) -> Result<u32> {
        if self.file.is_some() {
            self.needs_copies = true;
            return Ok(0);
        }
        match self.builder.import(&value.0.home, value.0.of)? {
            EntryRef::Attribute(index) | EntryRef::Type(index) => Ok(index),
        }
    }

    /// A string attribute.
    pub(super) fn string_attribute(&mut self, text: &[u8]) -> Result<u32> {
        if let Some(&known) = self.made.get(text) {
            return Ok(known);
        }
        let value = crate::value::FieldValue::String(text.to_vec().into());
        let index = self.made("StringAttr", &[("value", value)])?;
        self.made.insert(text.into(), index);
        Ok(index)
    }

    /// An attribute of this text.
    pub(super) fn parsed(&mut self, text: &str) -> Result<u32> {
        let value = crate::value::AttributeValue::parse(text)?;
        self.value(&value)
    }

    /// A dictionary of these names and values, both attributes; sorted by name.
    pub(super) fn dictionary(&mut self, pairs: &mut [(u32, u32)]) -> Result<Option<u32>> {
        if pairs.is_empty() {
            return Ok(None);
        }
        if self.file.is_some() {
            self.needs_copies = true;
            return Ok(None);
        }
        {
            let entries = self.builder.entries();
            pairs.sort_by(|a, b| name_of(entries, a.0).cmp(name_of(entries, b.0)));
        }
        self.builder.dictionary(pairs).map(Some)
    }
}

/// The text of a string attribute; empty for anything else.
fn name_of(entries: &impl Entries, index: u32) -> &[u8] {
    crate::asm::entry::string_of(entries, index).unwrap_or_default()
}

/// How many names a dictionary has; `None` for anything else.
pub(super) fn dictionary_len(entries: &impl Entries, index: u32) -> Option<usize> {
    let of = EntryRef::Attribute(index);
    let mut node = crate::codec::node::Node::default();
    let (form, _) = entries.entry(of)?.decode(of, entries, &mut node).ok()??;
    (form.builtin == BuiltinKind::DictionaryAttr).then(|| node.items(0).len() / 2)
}
