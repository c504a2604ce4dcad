//! Sets dialect versions and raw property blobs, and replaces entries.
//!
//! Setting a version does not change operations: the caller changes them first. Entries whose layout depends
//! on the version, according to the table of the dialect, are re-encoded.

use std::collections::HashSet;

use crate::attr::{Attribute, Handle, Type, brief};
use crate::dialect::entries::{Entries, EntryRef, bits_of};
use crate::dialect::node::Node;
use crate::dialect::table::{BuiltinKind, DialectTable, Encoding, Layout};
use crate::dialect::{declarations, primitive};
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::ir::PropertyState;
use crate::ir::module::{Inherent, PropertyReader};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::Cursor;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

use super::arena::{EditAttr, EditType};
use super::attributes::schema_of;
use super::property_versions::{HookUse, ReencodedProperties};
use super::tables::{View, cycle, known_form, no_such_entry};
use super::{EditOp, Editor};

/// A class of attributes that some position requires: readers reject a file with another class there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequiredClass {
    /// The location of an operation or a block argument.
    Location,
    /// A key of a dictionary, or a name in a location.
    String,
    /// The dictionary of an operation.
    Dictionary,
}

impl RequiredClass {
    fn of(view: &View<'_>, of: EntryRef) -> Option<Self> {
        let form = view.raw(of)?.form(of).ok()??;
        match form.builtin {
            BuiltinKind::StringAttr => Some(Self::String),
            BuiltinKind::DictionaryAttr => Some(Self::Dictionary),
            kind => kind.is_location().then_some(Self::Location),
        }
    }

    fn rule(self) -> &'static str {
        match self {
            Self::Location => "a location can only be replaced with a location",
            Self::String => "a string can only be replaced with a string",
            Self::Dictionary => "a dictionary can only be replaced with a dictionary",
        }
    }
}

/// The entries to re-encode, with their bytes.
type Encoded = Vec<(EntryRef, Vec<u8>)>;

impl Editor {
    /// Sets or removes the version of a dialect; ignored for a dialect that the file does not use. Entries
    /// whose layout depends on the version, according to the table of the dialect, get the layout of the new
    /// version. The code of the dialect re-encodes the entries that it reads.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] below bytecode version 1, which has no dialect versions, and if an
    /// attribute or type lacks a field in the new version. [`ErrorKind::PropertyOpaque`] if
    /// [`Self::opaque_to_version`] is not empty, because readers of the new version may misread these parts.
    /// In these cases nothing has changed, nor after an error of the code of the dialect.
    ///
    /// ```
    /// use mlirbc::{Module, WriteOptions, edit::Editor};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// assert!(editor.set_dialect_version("t", Some(&[0x05]))?);
    /// assert!(!editor.set_dialect_version("nobody", Some(&[0x05]))?);
    /// let mut bytes = Vec::new();
    /// editor.write(&mut bytes, &WriteOptions::default())?;
    /// let module = Module::from_bytes(bytes)?;
    /// assert_eq!(module.dialects()?.nth(1).unwrap().version.as_deref(), Some(&[0x05][..]));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn set_dialect_version(&mut self, dialect: impl AsRef<[u8]>, version: Option<&[u8]>) -> Result<bool> {
        let dialect = dialect.as_ref();
        let is_new = self.dialect_version(dialect)?.as_deref() != version;
        let again = match std::str::from_utf8(dialect) {
            Ok(name) if is_new => self.written_for_version(name, version)?,
            _ => Vec::new(),
        };
        let done: HashSet<EntryRef> = again.iter().map(|(of, _)| *of).collect();
        let mut properties = ReencodedProperties::default();
        if is_new {
            properties = self.reencoded_properties(dialect, version, HookUse::Run)?;
            if let [first, others @ ..] = &self.opaque_except(dialect, &properties, &done)?[..] {
                let parts = match others.len() {
                    0 => first.clone(),
                    more => format!("{first}, and {more} more"),
                };
                let name = String::from_utf8_lossy(dialect);
                let message = format!(
                    "cannot change the version of {name}, because the layout of {parts} is unknown and may depend on it"
                );
                return Err(Error::message(ErrorKind::PropertyOpaque, message));
            }
        }
        let is_used = self.set_version(dialect, version, properties)?;
        self.put_reencoded(again);
        Ok(is_used)
    }

    /// Adds a dialect that the file does not use, so that it can have a version; canonical numbering writes
    /// only dialects that are used.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    #[doc(hidden)]
    pub fn add_dialect(&mut self, dialect: impl AsRef<[u8]>) -> Result<()> {
        self.tables.dialect(dialect.as_ref()).map(drop)
    }

    /// Sets a version as [`Self::set_dialect_version`] does, for parts of unknown layout that do not depend
    /// on the version, or were encoded for the new one.
    ///
    /// # Errors
    /// As [`Self::set_dialect_version`], except for parts of unknown layout.
    #[doc(hidden)]
    pub fn set_dialect_version_only(
        &mut self,
        dialect: impl AsRef<[u8]>,
        version: Option<&[u8]>,
    ) -> Result<bool> {
        let dialect = dialect.as_ref();
        let properties = self.reencoded_properties(dialect, version, HookUse::Keep)?;
        self.set_version(dialect, version, properties)
    }

    fn set_version(
        &mut self,
        dialect: &[u8],
        version: Option<&[u8]>,
        properties: ReencodedProperties,
    ) -> Result<bool> {
        let bytecode_version = self.base.tables().bytecode().version();
        if version.is_some() && !bytecode_version.has_dialect_versions() {
            let message =
                format!("dialect versions need bytecode version 1 or later, not {bytecode_version}");
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        let Some(place) = self.tables.dialects.find(dialect) else { return Ok(false) };
        if self.base.tables().ungated_codec(dialect).is_some_and(|table| table.has_gates())
            && let Some(table) = self.tables.table_for(dialect, version)?
        {
            self.encode_again(place, &table)?;
            self.tables.dialects.set_table(place, table);
        }
        if self.dialect_version(dialect)?.as_deref() != version {
            self.tables.versions.insert(place, version.map(Into::into));
            // All dialects with this name get the version.
            for (row, _) in (0..).zip(self.base.dialects()?).filter(|(_, row)| row.name == dialect) {
                self.tables.versions.insert(row, version.map(Into::into));
            }
        }
        self.put_properties(properties, version)?;
        Ok(true)
    }

    /// Returns the parts of unknown layout that may depend on the version of a dialect: for each operation
    /// name its properties, and its attributes and types. Values set in this session are assumed to be
    /// encoded for the new version. Code of the dialect is not run, so its values are included.
    ///
    /// # Errors
    /// If the IR or a table cannot be read.
    #[doc(hidden)]
    pub fn opaque_to_version(&mut self, dialect: impl AsRef<[u8]>) -> Result<Vec<String>> {
        let dialect = dialect.as_ref();
        let version = self.dialect_version(dialect)?;
        let properties = self.reencoded_properties(dialect, version.as_deref(), HookUse::Refuse)?;
        self.opaque_except(dialect, &properties, &HashSet::new())
    }

    /// Returns the result of [`Self::opaque_to_version`] for a new version, without the parts that the code
    /// of the dialect can re-encode.
    ///
    /// # Errors
    /// As [`Self::set_dialect_version`], except for parts of unknown layout.
    #[doc(hidden)]
    pub fn opaque_for_version(
        &mut self,
        dialect: impl AsRef<[u8]>,
        version: Option<&[u8]>,
    ) -> Result<Vec<String>> {
        let dialect = dialect.as_ref();
        let again = match std::str::from_utf8(dialect) {
            Ok(name) => self.written_for_version(name, version)?,
            Err(_) => Vec::new(),
        };
        let done = again.iter().map(|(of, _)| *of).collect();
        let properties = self.reencoded_properties(dialect, version, HookUse::Run)?;
        self.opaque_except(dialect, &properties, &done)
    }

    fn opaque_except(
        &self,
        dialect: &[u8],
        properties: &ReencodedProperties,
        done: &HashSet<EntryRef>,
    ) -> Result<Vec<String>> {
        let mut unreadable = Vec::new();
        for &(first, count) in properties.opaque.values() {
            let (name, path) = (self.name_text(first), self.path(first));
            unreadable.push(match count {
                1 => format!("properties of {name} at {path}"),
                _ => format!("properties of {count} {name}, the first at {path}"),
            });
        }
        let view = self.tables.view()?;
        let mut node = Node::default();
        let attributes = AttrId::rows(0..self.tables.counts.attributes).map(EntryRef::Attribute);
        let (mut count, mut first) = (0, None);
        for of in attributes.chain(TypeId::rows(0..self.tables.counts.types).map(EntryRef::Type)) {
            let is_replaced = done.contains(&of) || self.tables.replaced.contains_key(&of);
            let Some(entry) = view.raw(of).filter(|entry| !is_replaced && entry.dialect == dialect) else {
                continue;
            };
            // Only the code of a dialect could tell whether a value depends on the version.
            let is_known =
                known_form(&entry, of, &view, &mut node).is_ok_and(|unreadable| unreadable.0.value.is_none());
            if !entry.is_text && !is_known {
                count += 1;
                first = first.or(Some(of));
            }
        }
        if let Some(first) = first {
            let (role, index) = match first {
                EntryRef::Attribute(index) => ("attribute", index.number()),
                EntryRef::Type(index) => ("type", index.number()),
            };
            let dialect = String::from_utf8_lossy(dialect);
            unreadable.push(format!("{count} attributes and types of {dialect}, the first {role} {index}"));
        }
        Ok(unreadable)
    }

    fn encode_again(&mut self, dialect: u32, table: &DialectTable) -> Result<()> {
        let view = self.tables.view()?;
        let bounds = view.bounds();
        let mut new: Encoded = Vec::new();
        let mut node = Node::default();
        let all = AttrId::rows(0..bounds.attributes)
            .map(EntryRef::Attribute)
            .chain(TypeId::rows(0..bounds.types).map(EntryRef::Type));
        for of in all {
            let Some(entry) = view.raw(of).filter(|entry| entry.dialect == table.dialect().as_bytes()) else {
                continue;
            };
            let Some((form, layout)) = entry.decode(of, &view, &mut node)? else { continue };
            if form.value.is_some() {
                continue;
            }
            let forms = match of {
                EntryRef::Attribute(_) => &table.attributes,
                EntryRef::Type(_) => &table.types,
            };
            let Some(to) = forms.rows.iter().find(|row| row.name == form.name) else { continue };
            let (Some(from), Some(target_layout)) = (form.layouts.get(layout), to.layouts.first()) else {
                continue;
            };
            if to.layouts.contains(from) {
                continue;
            }
            new.push((of, in_layout(&view, (form, from), (to, target_layout), &node, entry.data)?));
        }
        for (of, data) in new {
            self.put(of, dialect, data)?;
        }
        Ok(())
    }

    // Replaces the encoding of an entry.
    fn put(&mut self, of: EntryRef, dialect: u32, data: Vec<u8>) -> Result<()> {
        let name = self.tables.dialects.get(dialect).map(|row| row.0.to_vec()).unwrap_or_default();
        let entry = self.tables.encoded_entry(&name, data)?;
        self.tables.put(of, entry);
        Ok(())
    }

    /// Replaces an attribute by its index, for all its users.
    ///
    /// # Errors
    /// If the new attribute cannot be copied, or contains the replaced one; [`ErrorKind::Value`] if only one
    /// of the two is a location, a string or a dictionary, because readers reject that.
    #[doc(hidden)]
    pub fn replace_attribute(&mut self, index: AttrId, value: &Attribute) -> Result<()> {
        self.replace_by(EntryRef::Attribute(index), &value.0)
    }

    /// Replaces a type by its index, for all its users.
    ///
    /// # Errors
    /// As [`Self::replace_attribute`].
    ///
    /// ```
    /// use mlirbc::{Module, Type, edit::Editor, ir::TypeId};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// editor.replace_type(TypeId::new(0), &Type::parse("i16")?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let first = editor.operations(body)?[0];
    /// assert_eq!(editor.value_type(editor.results(first)?[0])?.to_string(), "i16");
    /// assert!(editor.replace_type(TypeId::new(0), &Type::parse("tuple<i8>")?).is_ok());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn replace_type(&mut self, index: TypeId, value: &Type) -> Result<()> {
        self.replace_by(EntryRef::Type(index), &value.0)
    }

    fn replace_by(&mut self, of: EntryRef, value: &Handle) -> Result<()> {
        let bounds = self.tables.view()?.bounds();
        let (index, count) = match of {
            EntryRef::Attribute(index) => (index.number(), bounds.attributes),
            EntryRef::Type(index) => (index.number(), bounds.types),
        };
        if index >= count {
            return Err(no_such_entry(of));
        }
        let new = self.tables.import(&value.home, value.of)?;
        if new == of {
            return Ok(());
        }
        let after = self.tables.view()?.bounds();
        let view = self.tables.view()?;
        if reaches(&view, new, of)? {
            return Err(cycle());
        }
        if let Some(place) =
            RequiredClass::of(&view, of).filter(|place| RequiredClass::of(&view, new) != Some(*place))
        {
            let message = format!("{}, not with `{}`", place.rule(), brief(value));
            return Err(Error::message(ErrorKind::Value, message)
                .with_hint("change the operations that refer to it, one by one"));
        }
        let Some(entry) = view.raw(new) else { return Err(no_such_entry(new)) };
        let (name, data, is_text) = (entry.dialect.to_vec(), entry.data.to_vec(), entry.is_text);
        // A value that the dialect's code encodes keeps the table that the code created for it.
        let own_table = self.tables.own_table(new);
        let entry = match is_text {
            true => self.tables.text_entry(&name, data.strip_suffix(&[0]).unwrap_or(&data))?,
            false => self.tables.value_entry(&name, data, own_table)?,
        };
        // An entry that was added only as a replacement would be stored twice.
        let is_last = match new {
            EntryRef::Attribute(index) => {
                index.number() >= bounds.attributes && index.number() + 1 == after.attributes
            }
            EntryRef::Type(index) => index.number() >= bounds.types && index.number() + 1 == after.types,
        };
        if is_last {
            self.tables.take_last(new);
        }
        self.tables.put(of, entry);
        Ok(())
    }

    /// Returns the numbers of attributes and types, including the file's.
    ///
    /// # Errors
    /// If a table is malformed.
    #[doc(hidden)]
    pub fn entry_counts(&self) -> Result<(u32, u32)> {
        let bounds = self.tables.view()?.bounds();
        Ok((bounds.attributes, bounds.types))
    }

    /// Returns the current attribute with this index.
    ///
    /// # Errors
    /// If there is no such attribute, or it cannot be read.
    #[doc(hidden)]
    pub fn attribute_at(&self, index: u32) -> Result<Attribute> {
        self.tables.attribute_value(EditAttr::new(index))
    }

    /// Returns the current type with this index.
    ///
    /// # Errors
    /// If there is no such type, or it cannot be read.
    #[doc(hidden)]
    pub fn type_at(&self, index: u32) -> Result<Type> {
        self.tables.type_value(EditType::new(index))
    }

    // ---- properties ----

    /// Returns whether the op was registered in the writer; `None` below version 5, where files do not
    /// contain this.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn is_registered(&self, op: EditOp) -> Result<Option<bool>> {
        let name = self.arena.op(self.live(op)?).name();
        let has_flags = self.base.tables().bytecode().version().has_registered_flags();
        Ok(has_flags.then(|| self.tables.is_registered(name)))
    }

    /// Returns the property blob of an op, if any.
    ///
    /// # Errors
    /// If the operation was erased.
    #[doc(hidden)]
    pub fn property_blob(&self, op: EditOp) -> Result<Option<Bytes>> {
        match self.arena.op(self.live(op)?).properties {
            None => Ok(None),
            Some(blob) => self.tables.blob_bytes(blob).map(Some),
        }
    }

    /// Replaces the property blob of an op. Its indices refer to the tables of this module.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] below version 5, which has no property blobs. [`ErrorKind::PropertyBlob`]
    /// if the bytes do not match the known layout of the op.
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let body = editor.body(module)?;
    /// let first = editor.operations(body)?[0];
    /// editor.set_property_blob(first, Some(&[0x05]))?; // another attribute
    /// assert!(editor.set_property_blob(first, Some(&[0xff])).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn set_property_blob(&mut self, op: EditOp, bytes: Option<&[u8]>) -> Result<()> {
        let row = self.live(op)?;
        let version = self.base.tables().bytecode().version();
        if !version.has_native_properties() {
            let message = format!("property blobs need bytecode version 5 or later, not {version}");
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        let old = self.arena.op(row).properties;
        let new = match bytes {
            Some(bytes) => Some(self.tables.blob(bytes.to_vec())?),
            None => None,
        };
        self.arena.op_mut(row).properties = new;
        // Bytes that do not match the layout of the op are rejected.
        if let Err(error) = self.attributes(op) {
            self.arena.op_mut(row).properties = old;
            return Err(error);
        }
        self.arena.touch(row);
        Ok(())
    }

    /// Returns the storage of the properties of an op.
    ///
    /// # Errors
    /// If the operation was erased, or a table is malformed.
    #[doc(hidden)]
    pub fn property_state(&self, op: EditOp) -> Result<PropertyState> {
        let row = self.arena.op(self.live(op)?);
        let (name, blob) = (row.name(), row.properties);
        if !self.base.tables().bytecode().version().has_native_properties() {
            return Ok(PropertyState::Merged);
        }
        let Some(blob) = blob else { return Ok(PropertyState::None) };
        if self.tables.written.contains_key(&(name, blob)) {
            return Ok(PropertyState::Decoded);
        }
        let counts = self.tables.counts;
        if name.number() < counts.op_names && blob.number() < counts.blobs {
            let entries = self.base.tables().entries()?;
            let reader = PropertyReader::new(&self.base, &entries)?;
            let (name, mut inherent) = (OpNameId::new(name.number()), Vec::new());
            return Ok(
                match reader.blob(name, reader.schema(name), PropertyId::new(blob.number()), &mut inherent) {
                    Ok(Inherent::Known | Inherent::Declared(_)) => PropertyState::Decoded,
                    Ok(Inherent::Attribute(_)) => PropertyState::Attribute,
                    Ok(Inherent::Opaque(_)) | Err(_) => PropertyState::Opaque,
                },
            );
        }
        if !self.tables.is_registered(name) {
            let bytes = self.tables.blob_bytes(blob)?;
            let mut cursor = Cursor::new(&bytes, 0, Some(SectionId::Properties));
            let is_one = cursor.index("an attribute", self.tables.view()?.bounds().attributes).is_ok();
            return Ok(if is_one && cursor.is_at_end() {
                PropertyState::Attribute
            } else {
                PropertyState::Opaque
            });
        }
        let schema = schema_of(&self.base, self, name)?;
        let is_known = schema.is_some_and(|schema| !schema.is_opaque());
        Ok(if is_known { PropertyState::Decoded } else { PropertyState::Opaque })
    }
}

/// Returns whether an entry refers to another one, directly or indirectly.
fn reaches(view: &View<'_>, from: EntryRef, to: EntryRef) -> Result<bool> {
    let mut node = Node::default();
    let (mut stack, mut seen) = (vec![from], HashSet::from([from]));
    while let Some(of) = stack.pop() {
        if of == to {
            return Ok(true);
        }
        let Some(entry) = view.raw(of).filter(|entry| !entry.is_text) else { continue };
        let (_, layout) = known_form(&entry, of, view, &mut node)?;
        primitive::references(layout, &node, |next, _, _| {
            if seen.insert(next) {
                stack.push(next);
            }
        });
    }
    Ok(false)
}

/// Encodes the fields of an entry in another layout of the same encoding.
pub(crate) fn in_layout(
    view: &View<'_>,
    (form, from): (&Encoding, &Layout),
    (to, wanted): (&Encoding, &Layout),
    node: &Node,
    data: &[u8],
) -> Result<Vec<u8>> {
    let node = declarations::in_layout(form, from, wanted, node)?;
    primitive::encode(to, wanted, &node, data, &|index| bits_of(view, index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DialectTable;
    use crate::{Module, ReadOptions, WriteOptions};

    const TABLE: &str = "dialect = 'test'\nversion = ['major: varint', 'minor: varint']\n\
        [[attribute]]\ncode = 0\nname = 'A'\nfields = ['v0: varint', 'v1: varint']\n\
        gates = [{ before = '2.0', fields = ['v1: varint', 'v0: varint'] }]";

    fn open(bytes: Vec<u8>) -> Module {
        let dialects = vec![DialectTable::from_toml(TABLE).unwrap()];
        let options = ReadOptions { dialects, ..ReadOptions::default() };
        Module::from_source(bytes.into(), &options).unwrap()
    }

    #[test]
    fn what_depends_on_the_version_is_encoded_anew() {
        let mut editor = Editor::create_module(
            &crate::Release::named("llvm-22"),
            crate::wire::version::BytecodeVersion::MAX,
            None,
        )
        .unwrap();
        let op = editor.operation().unwrap();
        let mut bytes = Vec::new();
        editor.write(&mut bytes, &WriteOptions::default()).unwrap();
        let mut editor = Editor::new(open(bytes)).unwrap();
        let entry = editor.tables.encoded_entry(b"test", vec![0x01, 0x05, 0x07]).unwrap();
        editor.tables.replace(EntryRef::Attribute(AttrId::new(0)), entry);
        assert!(editor.set_dialect_version("test", Some(&[0x03, 0x01])).unwrap());
        editor.set_verification(false, false);
        let mut old = Vec::new();
        editor.write(&mut old, &WriteOptions::default()).unwrap();
        let _ = op;
        let module = open(old);
        let raw = module.tables().attribute(AttrId::new(0)).unwrap().unwrap();
        assert_eq!(raw.data, &[0x01, 0x07, 0x05][..]);
        let value = Editor::new(module.clone()).unwrap().attribute_at(0).unwrap();
        assert_eq!(value.field("v0").unwrap(), Some(crate::attr::FieldValue::Unsigned(2)));
        // The old version has the old layout again.
        let mut editor = Editor::new(module).unwrap();
        editor.set_dialect_version("test", Some(&[0x05, 0x01])).unwrap();
        editor.set_verification(false, false);
        let mut new = Vec::new();
        editor.write(&mut new, &WriteOptions::default()).unwrap();
        let raw = open(new);
        assert_eq!(raw.tables().attribute(AttrId::new(0)).unwrap().unwrap().data, &[0x01, 0x05, 0x07][..]);
    }

    #[test]
    fn an_entry_gets_the_layout_of_the_version_that_it_goes_to() {
        let written = |editor: &mut Editor| {
            editor.set_verification(false, false);
            let mut bytes = Vec::new();
            editor.write(&mut bytes, &WriteOptions::default()).unwrap();
            bytes
        };
        let module = || {
            Editor::create_module(
                &crate::Release::named("llvm-22"),
                crate::wire::version::BytecodeVersion::MAX,
                None,
            )
            .unwrap()
        };
        let table = TABLE.replace("'test'", "'gated'");
        let options = || ReadOptions {
            dialects: vec![DialectTable::from_toml(&table).unwrap()],
            ..ReadOptions::default()
        };
        let with = |data: [u8; 3], version: &[u8]| {
            let mut editor = module();
            let entry = editor.tables.encoded_entry(b"gated", data.to_vec()).unwrap();
            editor.tables.replace(EntryRef::Attribute(AttrId::new(0)), entry);
            assert!(editor.set_dialect_version_only("gated", Some(version)).unwrap());
            written(&mut editor)
        };
        let (new, old) = (with([0x01, 0x05, 0x07], &[0x05, 0x01]), with([0x01, 0x09, 0x0b], &[0x03, 0x01]));
        let source = Module::from_source(new.into(), &options()).unwrap();
        let value = Editor::new(source).unwrap().attribute_at(0).unwrap();
        for has_table in [true, false] {
            let options = if has_table { options() } else { ReadOptions::default() };
            let target = Module::from_source(old.clone().into(), &options).unwrap();
            let mut editor = Editor::new(target).unwrap();
            let index = editor.tables.import_attribute(&value).unwrap();
            let data = editor
                .tables
                .view()
                .unwrap()
                .raw(EntryRef::Attribute(AttrId::new(index.number())))
                .unwrap()
                .data
                .to_vec();
            assert_eq!(data, [0x01, 0x07, 0x05], "{has_table}");
            if has_table {
                let again = editor.attribute_at(index.number()).unwrap();
                assert_eq!(again.field("v0").unwrap(), value.field("v0").unwrap());
            }
        }
    }

    #[test]
    fn an_entry_does_not_replace_what_it_holds() {
        let module = Module::from_bytes(crate::doc_example()).unwrap();
        let mut editor = Editor::new(module.clone()).unwrap();
        let own_type = editor.type_at(0).unwrap();
        let field = [("types", crate::attr::FieldValue::List(vec![crate::attr::FieldValue::Type(own_type)]))];
        let tuple = Type::build("builtin", "TupleType", &field).unwrap();
        assert_eq!(editor.replace_type(TypeId::new(0), &tuple).unwrap_err().kind(), ErrorKind::EntryCycle);
        assert!(editor.replace_type(TypeId::new(9), &tuple).is_err());
    }
}
