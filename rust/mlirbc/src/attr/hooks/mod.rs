//! Code for the encodings of a dialect that no table can express.
//!
//! A [`BytecodeDialectInterface`] has the hooks of `mlir::BytecodeDialectInterface`. It is attached when a
//! file is opened, and runs when a value is requested: not while tables are decoded, and not under a lock.
//! The primitives that a hook reads are recorded and become the layout of the value, so the value is printed,
//! compared, copied and renumbered like values of dialects with tables. `docs/explanation/fallback.md`
//! gives the reasons.

pub(crate) mod form;
mod reader;
#[cfg(test)]
mod tests;
mod version;
mod writer;

use std::any::Any;
use std::sync::Arc;

use crate::attr::table::Home;
use crate::attr::{FieldValue, Handle};
use crate::dialect::DialectTable;
use crate::dialect::entries::{EntryRef, why_opaque};
use crate::dialect::node::Node;
use crate::dialect::value_form::ValueSort;
use crate::file::FileTables;
use crate::file::hooks::{HookResult, ValueHooks};
use crate::format::id::{OpNameId, PropertyId};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, Result};

pub use crate::file::hooks::DialectInterfaces;
pub use reader::{DialectBytecodeReader, ListMark};
pub use version::{DialectVersion, WrittenVersions, read_version};
pub(crate) use writer::try_build_with_hook;
pub use writer::{DialectBytecodeWriter, WrittenProperties, version_bytes};

use form::{content_of, form_of};
use version::Versions;

/// The hooks of a dialect, as in `mlir::BytecodeDialectInterface`. Each hook is optional.
///
/// A hook that reads returns `None` to leave a value to the table of the dialect. An error leaves the value
/// opaque and its bytes unchanged; [`Attribute::opaque_reason`](crate::Attribute::opaque_reason) returns the
/// error.
///
/// ```
/// use mlirbc::attr::hooks::*;
/// use mlirbc::attr::FieldValue;
/// use mlirbc::{Attribute, Result};
///
/// struct Toy;
///
/// impl BytecodeDialectInterface for Toy {
///     fn dialect(&self) -> &str {
///         "toy"
///     }
///
///     fn read_attribute(&self, reader: &mut DialectBytecodeReader) -> Result<Option<DialectValue>> {
///         match reader.read_varint()? {
///             0 => {
///                 let first = FieldValue::Signed(reader.read_signed_varint()?);
///                 let second = FieldValue::Signed(reader.read_signed_varint()?);
///                 Ok(Some(DialectValue::new("pair").field("first", first).field("second", second)))
///             }
///             code => Err(reader.error(format!("toy has no attribute with code {code}"))),
///         }
///     }
///
///     fn write_attribute(&self, value: &DialectValue, writer: &mut DialectBytecodeWriter) -> Result<bool> {
///         let (Some(FieldValue::Signed(first)), Some(FieldValue::Signed(second))) =
///             (value.get("first"), value.get("second"))
///         else {
///             return Ok(false);
///         };
///         writer.write_varint(0);
///         writer.write_signed_varint(*first);
///         writer.write_signed_varint(*second);
///         Ok(true)
///     }
/// }
///
/// let pair = DialectValue::new("pair")
///     .field("first", FieldValue::Signed(1))
///     .field("second", FieldValue::Signed(-2));
/// let pair = Attribute::by_interface(&Toy, &pair, vec![])?;
/// assert_eq!(pair.to_string(), "#toy.pair<first = 1, second = -2>");
/// assert_eq!(&pair.payload()[..], [0x01, 0x05, 0x07]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[allow(unused_variables)] // of hooks that are left out
pub trait BytecodeDialectInterface: Send + Sync {
    /// The name of the dialect.
    fn dialect(&self) -> &str;

    /// The object that implements the interface in another language, for bindings.
    #[doc(hidden)]
    fn object(&self) -> Option<&(dyn Any + Send + Sync)> {
        None
    }

    /// Whether the dialect has hooks that read attributes or types; without them tables apply.
    fn reads_entries(&self) -> bool {
        true
    }

    /// Whether the dialect has a hook that reads properties.
    fn reads_properties(&self) -> bool {
        true
    }

    /// Reads an attribute.
    ///
    /// # Errors
    /// If the bytes are not the encoding of an attribute.
    fn read_attribute(&self, reader: &mut DialectBytecodeReader) -> Result<Option<DialectValue>> {
        Ok(None)
    }

    /// Writes an attribute; `false` if the hook does not know the attribute.
    ///
    /// # Errors
    /// If a field is missing or wrong.
    fn write_attribute(&self, value: &DialectValue, writer: &mut DialectBytecodeWriter) -> Result<bool> {
        Ok(false)
    }

    /// Reads a type.
    ///
    /// # Errors
    /// If the bytes are not the encoding of a type.
    fn read_type(&self, reader: &mut DialectBytecodeReader) -> Result<Option<DialectValue>> {
        Ok(None)
    }

    /// Writes a type; `false` if the hook does not know the type.
    ///
    /// # Errors
    /// If a field is missing or wrong.
    fn write_type(&self, value: &DialectValue, writer: &mut DialectBytecodeWriter) -> Result<bool> {
        Ok(false)
    }

    /// Reads the properties of an operation, given by its full name.
    ///
    /// # Errors
    /// If the bytes are not the encoding of its properties.
    fn read_properties(
        &self,
        op: &str,
        reader: &mut DialectBytecodeReader,
    ) -> Result<Option<Vec<(String, FieldValue)>>> {
        Ok(None)
    }

    /// Writes the properties of an operation; `false` if the hook does not know the operation.
    ///
    /// # Errors
    /// If a property is missing or wrong.
    fn write_properties(
        &self,
        op: &str,
        properties: &[(String, FieldValue)],
        writer: &mut DialectBytecodeWriter,
    ) -> Result<bool> {
        Ok(false)
    }

    /// Reads the version of the dialect.
    ///
    /// # Errors
    /// If the bytes are not the encoding of a version, or the hook cannot read files of that version.
    fn read_version(&self, reader: &mut DialectBytecodeReader) -> Result<Option<DialectVersion>> {
        Ok(None)
    }

    /// Writes the version of the dialect that [`DialectBytecodeWriter::dialect_version`] returns, or the
    /// current version. Writes nothing for no version.
    ///
    /// # Errors
    /// If the hook cannot write that version.
    fn write_version(&self, writer: &mut DialectBytecodeWriter) -> Result<()> {
        Ok(())
    }
}

/// An attribute or a type as hooks see it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DialectValue {
    /// The name after `#dialect.` or `!dialect.`.
    pub mnemonic: String,
    /// The class; by default the mnemonic.
    pub class: Option<String>,
    /// The template of the text after the mnemonic; by default all fields as `<name = value, ...>`.
    pub asm: Option<String>,
    /// Fields by name.
    pub fields: Vec<(String, FieldValue)>,
}

impl DialectValue {
    /// Creates a value without fields.
    pub fn new(mnemonic: &str) -> Self {
        Self { mnemonic: mnemonic.to_owned(), ..Self::default() }
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, name: &str, value: FieldValue) -> Self {
        self.fields.push((name.to_owned(), value));
        self
    }

    /// The field with this name.
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.fields.iter().find(|field| field.0 == name).map(|field| &field.1)
    }

    pub(crate) fn class(&self) -> &str {
        self.class.as_deref().unwrap_or(&self.mnemonic)
    }
}

impl DialectInterfaces {
    /// Creates hooks of several dialects; if two are for one dialect, the last one applies.
    pub fn new(interfaces: Vec<Arc<dyn BytecodeDialectInterface>>) -> Self {
        if interfaces.is_empty() { Self(None) } else { Self(Some(Arc::new(Interfaces(interfaces)))) }
    }
}

/// All hooks of a file.
pub(crate) struct Interfaces(Vec<Arc<dyn BytecodeDialectInterface>>);

impl Interfaces {
    /// The hooks that a file was opened with.
    pub(crate) fn of(file: &FileTables) -> Option<&Self> {
        let hooks: &dyn Any = &**file.interfaces().0.as_ref()?;
        hooks.downcast_ref()
    }

    pub(crate) fn find(&self, dialect: &[u8]) -> Option<&Arc<dyn BytecodeDialectInterface>> {
        self.0.iter().rev().find(|interface| interface.dialect().as_bytes() == dialect)
    }
}

impl FileTables {
    /// The hooks of a dialect that the file was opened with.
    pub fn find_interface(&self, dialect: &str) -> Option<&Arc<dyn BytecodeDialectInterface>> {
        Interfaces::of(self)?.find(dialect.as_bytes())
    }
}

impl ValueHooks for Interfaces {
    fn reads_entries(&self, dialect: &[u8]) -> bool {
        self.find(dialect).is_some_and(|interface| interface.reads_entries())
    }

    fn reads_properties(&self, dialect: &[u8]) -> bool {
        self.find(dialect).is_some_and(|interface| interface.reads_properties())
    }

    fn read_entry(&self, file: &FileTables, entry_ref: EntryRef) -> Result<HookResult> {
        let home = Home::File(file.clone());
        let Some(entry) = file.entries()?.raw(entry_ref) else { return Ok(HookResult::Declined) };
        let Some(interface) = self.find(entry.dialect) else { return Ok(HookResult::Declined) };
        let place = (home.payload(entry_ref), entry.offset);
        let (sort, read): (_, fn(&_, &mut _) -> _) = match entry_ref {
            EntryRef::Attribute(_) => (ValueSort::Attribute, read_attribute),
            EntryRef::Type(_) => (ValueSort::Type, read_type),
        };
        read_with_hook(file, sort, interface, place, |reader| read(&**interface, reader))
    }

    fn read_properties(&self, file: &FileTables, name: OpNameId, blob: PropertyId) -> Result<HookResult> {
        let Some(name) = file.op_name(name) else { return Ok(HookResult::Declined) };
        let Some(interface) = self.find(name.dialect) else { return Ok(HookResult::Declined) };
        let op = name.full();
        let data = file.properties()?.get(blob.number()).unwrap_or_default();
        let offset = file.properties_base() + file.properties()?.position(blob.number()).unwrap_or_default();
        read_with_hook(file, ValueSort::Properties, interface, (data, offset), |reader| {
            let fields = interface.read_properties(&op, reader)?;
            Ok(fields.map(|fields| DialectValue {
                mnemonic: op.to_string(),
                fields,
                ..DialectValue::default()
            }))
        })
    }
}

fn read_attribute(
    interface: &dyn BytecodeDialectInterface,
    reader: &mut DialectBytecodeReader,
) -> Result<Option<DialectValue>> {
    interface.read_attribute(reader)
}

fn read_type(
    interface: &dyn BytecodeDialectInterface,
    reader: &mut DialectBytecodeReader,
) -> Result<Option<DialectValue>> {
    interface.read_type(reader)
}

fn read_with_hook(
    file: &FileTables,
    sort: ValueSort,
    interface: &Arc<dyn BytecodeDialectInterface>,
    (data, offset): (Bytes, u64),
    read: impl FnOnce(&mut DialectBytecodeReader) -> Result<Option<DialectValue>>,
) -> Result<HookResult> {
    let home = Home::File(file.clone());
    let mut reader = DialectBytecodeReader::new(home.clone(), data.clone(), offset, Versions::of_file(file));
    let form = || {
        let Some(value) = read(&mut reader)? else { return Ok(None) };
        let primitives = reader.finish()?;
        let form = form_of(&home, (&data, offset), primitives, &value)?;
        // The address represents the name of the dialect, which may be long.
        let content = content_of(sort, Arc::as_ptr(interface).cast::<()>(), &form);
        file.shared_table(content, || DialectTable::of_value(interface.dialect(), sort, form)).map(Some)
    };
    Ok(match form() {
        Ok(Some(table)) => HookResult::Table(table),
        Ok(None) => HookResult::Declined,
        Err(error) => HookResult::Opaque(error),
    })
}

impl Handle {
    /// Runs the code of the dialect of the value, if there is any.
    ///
    /// # Errors
    /// If the caller requested to stop, hooks are nested too deeply, or a table of the file is malformed.
    pub(crate) fn settle(&self) -> Result<()> {
        match &self.home {
            Home::File(file) => file.settle(self.of),
            Home::Owned(_) => Ok(()),
        }
    }

    /// Whether the code of its dialect decodes the value.
    pub(crate) fn has_hooks(&self) -> bool {
        let Home::File(file) = &self.home else { return false };
        if file.interfaces().0.is_none() {
            return false;
        }
        let entry = file.entries().ok().and_then(|entries| entries.raw(self.of));
        entry.is_some_and(|entry| !entry.is_text && file.has_entry_hooks(entry.dialect))
    }

    /// As [`Self::settle`], and for everything that the value refers to.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(crate) fn settle_deeply(&self) -> Result<()> {
        match &self.home {
            Home::File(file) => file.settle_deeply(self.of),
            Home::Owned(_) => Ok(()),
        }
    }

    /// Explains why the bytes of the value are opaque.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(crate) fn opaque_reason(&self) -> Result<Option<Error>> {
        self.settle()?;
        let view = self.home.view()?;
        if let Home::File(file) = &self.home
            && let Some(error) = file.entries()?.hook_error(self.of)
        {
            return Ok(Some(error.clone()));
        }
        let Some(entry) = view.raw(self.of) else { return Ok(None) };
        Ok(why_opaque(&entry, self.of, &view, &mut Node::default()))
    }
}
