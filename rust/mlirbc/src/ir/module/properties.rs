//! The inherent attributes of the operations of a file.

use std::sync::Arc;

use crate::dialect::declarations::Declared;
use crate::dialect::entries::{Bounds, Entries};
use crate::file::hooks::HookResult;
use crate::file::release::{DetectedRelease, LayoutReading};
use crate::format::properties::PropertyTable;
use crate::props::codec::{decode, segment_sizes, split};
use crate::props::{OpSchema, Property, PropertyValue};
use crate::wire::bytes::Bytes;
use crate::wire::cursor::Cursor;
use crate::wire::error::Result;
use crate::wire::section::SectionId;

use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::dictionary::{Dictionary, may_be_long};
use crate::ir::view::Operation;

use super::readings::PropertyReading;
use super::{AgreedSchemas, Module};
use crate::file::FileEntries;

/// The inherent attributes of an op.
///
/// ```
/// use mlirbc::ir::InherentAttributes;
/// use mlirbc::Module;
/// let module = Module::open("../../examples/two_layers.mlirbc")?;
/// let ops = module.operation()?.pre_order().collect::<mlirbc::Result<Vec<_>>>()?;
/// let function = ops.iter().find(|op| op.name() == "func.func").unwrap();
/// let InherentAttributes::Known(properties) = function.inherent_attributes()? else { panic!() };
/// let name = properties.iter().find(|property| property.name() == "sym_name").unwrap();
/// assert!(module.attribute_at(name.value.attribute().unwrap())?.is_some());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum InherentAttributes<'m> {
    /// The properties: one for each field of the op, including absent fields. Empty if the op has no
    /// properties, or if its schema is unknown and the op has no blob.
    Known(Vec<Property<'m>>),
    /// The attribute, usually a dictionary, that replaces the properties of an op that was unregistered in
    /// the writer.
    Attribute(AttrId),
    /// A blob of unknown layout.
    Opaque(Bytes),
    /// A blob with a declared encoding of the dialect.
    Declared(DeclaredProperties),
}

impl<'m> InherentAttributes<'m> {
    fn new(found: Inherent, inherent: Vec<Property<'m>>) -> Self {
        match found {
            Inherent::Known => Self::Known(inherent),
            Inherent::Attribute(index) => Self::Attribute(AttrId::new(index)),
            Inherent::Opaque(blob) => Self::Opaque(blob),
            Inherent::Declared(declared) => Self::Declared(DeclaredProperties(declared)),
        }
    }
}

/// The way in which the properties of an operation are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PropertyState {
    /// The op has no properties.
    None,
    /// The properties are in the dictionary, if there are any: below version 5.
    Merged,
    /// A single attribute, because the op was unregistered in the writer.
    Attribute,
    /// A blob of unknown layout.
    Opaque,
    /// A blob that a schema of the release or a declared encoding describes.
    Decoded,
}

impl PropertyState {
    /// The name of the state: `none`, `merged`, `attribute`, `opaque`, `decoded`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Merged => "merged",
            Self::Attribute => "attribute",
            Self::Opaque => "opaque",
            Self::Decoded => "decoded",
        }
    }
}

/// Properties with a declared encoding of the op's dialect.
///
/// ```
/// use mlirbc::attr::FieldValue;
/// use mlirbc::dialect::DialectTable;
/// use mlirbc::ir::InherentAttributes;
/// use mlirbc::{Module, ReadOptions};
/// // As if the writer had known `t.c`, so that the blob has the layout of its definition.
/// let mut bytes = mlirbc::doc_example();
/// bytes[18] |= 0x02;
/// let table = DialectTable::from_toml("dialect = 't'\n[[op]]\nfields = ['value: attribute']")?;
/// let options = ReadOptions::default().dialects(vec![table]);
/// let module = Module::from_source(bytes.into(), &options)?;
/// let op = module.operation()?.pre_order().nth(1).unwrap()?;
/// let InherentAttributes::Declared(properties) = op.inherent_attributes()? else { panic!() };
/// let fields = properties.fields(&module)?;
/// assert!(matches!(&fields[..], [(name, FieldValue::Attribute(_))] if name == "value"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredProperties(pub(crate) Box<Declared>);

impl DeclaredProperties {
    /// The bytes.
    pub fn data(&self) -> &[u8] {
        &self.0.data
    }

    /// Returns names and values in the order of the declared encoding, without absent properties.
    ///
    /// # Errors
    /// If a table of the module is malformed.
    pub fn fields(&self, module: &Module) -> Result<Vec<(String, crate::attr::FieldValue)>> {
        module.tables().unless_lost(crate::attr::declared_fields(module.tables(), &self.0))
    }
}

impl Module {
    /// The names and values of a long dictionary, sorted by name; `None` for a short one.
    ///
    /// # Errors
    /// If it is malformed, or the memory limit does not allow it.
    #[doc(hidden)]
    pub fn long_dictionary(&self, id: AttrId) -> Result<Option<Vec<(AttrId, AttrId)>>> {
        let entries = self.tables().entries()?;
        if !may_be_long(id, &entries) {
            return Ok(None);
        }
        let dictionary =
            self.tables().unless_lost(self.bodies.dictionaries.read(id, &entries, self.tables().budget()))?;
        let pairs = dictionary.pairs.iter().map(|&(name, value)| (AttrId::new(name), AttrId::new(value)));
        Ok(dictionary.is_long().then(|| pairs.collect()))
    }
}

impl Module {
    /// The attributes of a dictionary; a long one is read once for the module.
    ///
    /// # Errors
    /// If it is malformed, or the memory limit does not allow it.
    pub(crate) fn dictionary(&self, index: AttrId, entries: &FileEntries<'_>) -> Result<Arc<Dictionary>> {
        self.bodies.dictionaries.read(index, entries, self.tables().budget())
    }
}

/// Reads the inherent attributes of many ops.
#[derive(Debug)]
pub(crate) struct PropertyReader<'m, 'e> {
    pub(super) module: &'m Module,
    pub(super) release: &'m DetectedRelease,
    agreed: &'m AgreedSchemas,
    pub(super) properties: &'m PropertyTable,
    base: u64,
    pub(super) entries: &'e FileEntries<'m>,
    bounds: Bounds,
}

/// The result of [`PropertyReader::read`] besides values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Inherent {
    Known,
    Attribute(u32),
    Opaque(Bytes),
    Declared(Box<Declared>),
}

impl<'m, 'e> PropertyReader<'m, 'e> {
    pub(crate) fn new(module: &'m Module, entries: &'e FileEntries<'m>) -> Result<Self> {
        let (release, properties) = (module.release()?, module.tables().properties()?);
        let (base, agreed) = (module.tables().properties_base(), module.agreed_schemas()?);
        Ok(Self { module, release, agreed, properties, base, entries, bounds: entries.bounds() })
    }

    /// The schema of an op; `None` for ops that the release does not have or that were unregistered in the
    /// writer.
    pub(crate) fn schema(&self, name: OpNameId) -> Option<&'m OpSchema> {
        self.agreed.get(name).or_else(|| self.release.op(name))
    }

    /// Whether the layout of an op is unknown, but some of its inherent attributes are known.
    pub(crate) fn is_agreed_only(&self, name: OpNameId) -> bool {
        self.agreed.get(name).is_some()
    }

    /// Whether the writer has no properties for an op; its attributes are then stored and printed together.
    pub(crate) fn is_without_properties(&self, name: OpNameId) -> bool {
        self.release.attributes_of(name).is_some()
    }

    /// Replaces `inherent` and `discardable` by the attributes of an op: inherent ones by field, including
    /// absent ones; discardable ones as indices of name and value.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, or the dictionary is malformed.
    pub(crate) fn read(
        &self,
        op: &Operation<'m>,
        inherent: &mut Vec<Property<'m>>,
        discardable: &mut Vec<(u32, u32)>,
    ) -> Result<Inherent> {
        let (properties, dictionary) = (op.properties(), op.attribute_dictionary());
        self.read_parts(op.name_id(), properties, dictionary, inherent, discardable)
    }

    /// Reads the attributes of an op as [`Self::read`] does, from their parts.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_parts(
        &self,
        name: OpNameId,
        properties: Option<PropertyId>,
        dictionary: Option<AttrId>,
        inherent: &mut Vec<Property<'m>>,
        discardable: &mut Vec<(u32, u32)>,
    ) -> Result<Inherent> {
        inherent.clear();
        discardable.clear();
        let schema = self.schema(name);
        let inherent_state = match properties {
            Some(blob) => self.blob(name, schema, blob, inherent)?,
            None => {
                if let Some(schema) = schema {
                    schema.initial(inherent);
                }
                Inherent::Known
            }
        };
        if let Some(dictionary) = dictionary {
            split(schema, dictionary, self.entries, inherent, discardable)?;
        }
        Ok(inherent_state)
    }

    /// Reads only the inherent attributes. A long dictionary that many ops share is not traversed for each
    /// op.
    ///
    /// # Errors
    /// As [`Self::read`].
    fn read_inherent(&self, op: &Operation<'m>, inherent: &mut Vec<Property<'m>>) -> Result<Inherent> {
        let long = op.attribute_dictionary().filter(|of| may_be_long(AttrId::new(of.number()), self.entries));
        let Some(dictionary) = long else { return self.read(op, inherent, &mut Vec::new()) };
        let inherent_state =
            self.read_parts(op.name_id(), op.properties(), None, inherent, &mut Vec::new())?;
        let (module, entries) = (self.module, self.entries);
        let dictionary = module.bodies.dictionaries.read(dictionary, entries, module.tables().budget())?;
        for property in inherent.iter_mut().filter(|property| property.field.is_in_dictionary) {
            for name in property.field.names() {
                // The last of several attributes with one name is used.
                if let Some(pair) = dictionary.pairs[dictionary.find(name.as_bytes(), entries)].last() {
                    property.value = PropertyValue::Attribute(AttrId::new(pair.1));
                }
            }
        }
        Ok(inherent_state)
    }

    /// Reads a blob; `schema` is the schema of the op.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release.
    pub(crate) fn blob(
        &self,
        name: OpNameId,
        schema: Option<&'m OpSchema>,
        blob: PropertyId,
        inherent: &mut Vec<Property<'m>>,
    ) -> Result<Inherent> {
        let bytes = self.properties.get(blob.number()).unwrap_or_default();
        let offset = self.offset(blob);
        match schema {
            Some(schema) if !schema.is_opaque() => {
                let version = self.module.tables().bytecode().version();
                match decode(schema, version, &bytes, offset, self.entries, inherent) {
                    Ok(()) => Ok(Inherent::Known),
                    // No build has another layout.
                    Err(error) if schema.never_changes() => Err(error),
                    Err(_) => Ok(Inherent::Opaque(bytes)),
                }
            }
            None if !self.is_registered(name) => {
                let mut cursor = Cursor::new(&bytes, offset, Some(SectionId::Properties));
                let attribute = cursor.index("an attribute", self.bounds.attributes)?;
                let is_all = cursor.is_at_end();
                Ok(if is_all { Inherent::Attribute(attribute) } else { Inherent::Opaque(bytes) })
            }
            // A declared encoding that does not match this blob leaves it opaque; [`Module::plan_write`]
            // reports the reason.
            _ => {
                self.module.settle_blob(name, blob)?;
                Ok(match self.declared(name, &bytes, offset) {
                    Ok(Some(declared)) => Inherent::Declared(Box::new(declared)),
                    Ok(None) | Err(_) => Inherent::Opaque(bytes),
                })
            }
        }
    }

    /// Whether the operation was registered in the writer, as far as the file stores it.
    pub(super) fn is_registered(&self, name: OpNameId) -> bool {
        let names = self.module.tables().dialect_section().map(|section| &section.op_names);
        names.is_ok_and(|names| names.get(name.index()).is_none_or(|name| name.is_registered != Some(false)))
    }

    /// Returns the readings that fit a blob of an op with an ambiguous layout.
    pub(super) fn readings(&self, name: OpNameId, blob: PropertyId) -> Vec<PropertyReading<'m>> {
        let bytes = self.properties.get(blob.number()).unwrap_or_default();
        let version = self.module.tables().bytecode().version();
        let read = |reading: &'m LayoutReading| {
            let (schema, mut properties) = (self.release.op_of_reading(reading)?, Vec::new());
            decode(schema, version, &bytes, self.offset(blob), self.entries, &mut properties).ok()?;
            Some(PropertyReading { builds: self.release.builds_of(reading).collect(), properties })
        };
        self.release.readings(name).iter().filter_map(read).collect()
    }

    /// The number of bytes of a blob.
    pub(crate) fn blob_size(&self, blob: PropertyId) -> Option<usize> {
        self.properties.get(blob.number()).map(|bytes| bytes.len())
    }

    /// The file offset of a blob.
    pub(crate) fn offset(&self, blob: PropertyId) -> u64 {
        self.base + self.properties.position(blob.number()).unwrap_or_default()
    }

    /// Decodes a blob of an op with the declared encoding of its dialect; `None` if no encoding is declared.
    ///
    /// # Errors
    /// If the bytes do not have the declared encoding.
    pub(crate) fn declared(&self, name: OpNameId, bytes: &[u8], offset: u64) -> Result<Option<Declared>> {
        match self.module.tables().properties_result(name, offset) {
            Some(HookResult::Opaque(error)) => return Err(error),
            Some(HookResult::Table(table)) => {
                return Declared::read(&table, b"", bytes, offset, self.entries);
            }
            Some(HookResult::Declined) | None => {}
        }
        let Some(name) = self.module.op_name(name) else { return Ok(None) };
        let Some(table) = self.module.tables().codec(name.dialect) else { return Ok(None) };
        Declared::read(&table, name.stem, bytes, offset, self.entries)
    }
}

impl<'m> Operation<'m> {
    /// The inherent attributes according to the release that wrote the file: from the property blob, and from
    /// the dictionary below version 5. Each call looks up the tables again; [`crate::print::EntryTexts`] is
    /// cheaper for many ops.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, or a table is malformed.
    pub fn inherent_attributes(&self) -> Result<InherentAttributes<'m>> {
        let (entries, mut inherent) = (self.module().tables().entries()?, Vec::new());
        let inherent_state = PropertyReader::new(self.module(), &entries)?.read_inherent(self, &mut inherent);
        Ok(InherentAttributes::new(self.module().tables().unless_lost(inherent_state)?, inherent))
    }

    /// The discardable attributes, as their name, a string attribute, and their value.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, or a table is malformed.
    pub fn discardable_attributes(&self) -> Result<Vec<(AttrId, AttrId)>> {
        Ok(self.attributes()?.1)
    }

    /// [`Self::inherent_attributes`] and [`Self::discardable_attributes`] in one pass.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, or a table is malformed.
    pub fn attributes(&self) -> Result<(InherentAttributes<'m>, Vec<(AttrId, AttrId)>)> {
        let entries = self.module().tables().entries()?;
        let (mut inherent, mut discardable) = (Vec::new(), Vec::new());
        let reader = PropertyReader::new(self.module(), &entries)?;
        let inherent_state = reader.read(self, &mut inherent, &mut discardable);
        let attributes =
            InherentAttributes::new(self.module().tables().unless_lost(inherent_state)?, inherent);
        Ok((
            attributes,
            discardable.into_iter().map(|(name, value)| (AttrId::new(name), AttrId::new(value))).collect(),
        ))
    }

    /// Returns the way in which the properties are stored, determined for this op alone.
    ///
    /// # Errors
    /// If a table is malformed.
    #[doc(hidden)]
    pub fn property_state(&self) -> Result<PropertyState> {
        if !self.module().tables().bytecode().version().has_native_properties() {
            return Ok(PropertyState::Merged);
        }
        let Some(blob) = self.properties() else { return Ok(PropertyState::None) };
        let entries = self.module().tables().entries()?;
        let reader = PropertyReader::new(self.module(), &entries)?;
        let (name, mut inherent) = (self.name_id(), Vec::new());
        let decoded = reader.blob(name, reader.schema(name), blob, &mut inherent);
        self.module().source().check_pages()?;
        Ok(match decoded {
            Ok(Inherent::Known | Inherent::Declared(_)) => PropertyState::Decoded,
            Ok(Inherent::Attribute(_)) => PropertyState::Attribute,
            // Malformed bytes are opaque.
            Ok(Inherent::Opaque(_)) | Err(_) => PropertyState::Opaque,
        })
    }

    /// The number of operands in each operand group; `None` if it has no groups or the release is unknown.
    /// [`OpSchema::operands`] names them.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, or a table is malformed.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let ops = module.operation()?.pre_order().collect::<mlirbc::Result<Vec<_>>>()?;
    /// let branch = ops.iter().find(|op| op.name() == "cf.cond_br").unwrap();
    /// assert_eq!(branch.operand_segment_sizes()?.unwrap().len(), 3); // the condition, and for each target
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn operand_segment_sizes(&self) -> Result<Option<Vec<i32>>> {
        self.segment_sizes("operandSegmentSizes")
    }

    /// The number of results in each result group; `None` if it has no groups or the release is unknown.
    ///
    /// # Errors
    /// If the blob does not have the layout of the release, or a table is malformed.
    #[doc(hidden)]
    pub fn result_segment_sizes(&self) -> Result<Option<Vec<i32>>> {
        self.segment_sizes("resultSegmentSizes")
    }

    fn segment_sizes(&self, name: &str) -> Result<Option<Vec<i32>>> {
        let (entries, mut inherent) = (self.module().tables().entries()?, Vec::new());
        let reader = PropertyReader::new(self.module(), &entries)?;
        // Most ops have no groups.
        if reader.schema(self.name_id()).is_none_or(|schema| schema.field(name).is_none()) {
            return Ok(None);
        }
        reader.read_inherent(self, &mut inherent)?;
        let sizes = inherent.iter().find(|property| property.name() == name);
        let sizes = sizes.and_then(|property| segment_sizes(&property.value, &entries));
        self.module().tables().unless_lost(Ok(sizes))
    }
}
