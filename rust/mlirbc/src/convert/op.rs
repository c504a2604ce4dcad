//! Operations in the encoding of the target: name, dictionary and properties, translated once for all ops
//! that look alike.
//!
//! From version 5 on the inherent attributes of an op are a blob in the layout of the target release; before,
//! they are in the dictionary (`mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`, `writeOp`; `getAttrDictionary`
//! in Operation.cpp).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::attr::text::entry::{EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::dialect::declared::Declared;
use crate::dialect::node::TableIndex;
use crate::file::FileEntries;
use crate::format::id::{OpNameId, PropertyId};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::props::codec::segment_sizes;
use crate::props::native::{empty_native, native_of_text};
use crate::props::schema::{DefaultValue, Kind};
use crate::props::{OpSchema, Property, PropertySchema, PropertyValue};
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::version::BytecodeVersion;

use super::dictionary::{Dictionaries, Dictionary, Part};
use super::loss_paths::Parts;
use super::pool::{AttrPool, dictionary_len};
use super::release::ReleaseConversion;
use super::versions::Versions;
use crate::dialect::entries::RawEntry;
use crate::dialect::table::DialectTable;
use crate::props::op_name::OperationName;
use crate::wire::bytes::Bytes;
use crate::wire::loss::{Loss, LossKind};
use crate::write::Pulse;
use crate::write::canonical::names::Names;
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding};
use crate::write::canonical::tables::Tables;
use crate::write::canonical::translator::OpTranslator;

/// The target of a write.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) version: BytecodeVersion,
    /// The release that reads the file.
    pub(crate) schema: Option<Arc<PropertySchema>>,
    /// The release conversion, if it is another release.
    pub(crate) conversion: Option<Arc<ReleaseConversion>>,
}

/// The work per encoding, in steps of some microseconds.
const WORK_PER_ENCODING: usize = 8;

/// Bytes for each of the file's op names.
const PER_NAME: usize = 96;

/// Translates ops.
pub(crate) struct OpConverter<'m> {
    pub(crate) pool: AttrPool<'m>,
    pub(crate) module: &'m Module,
    pub(crate) entries: &'m FileEntries<'m>,
    pub(crate) target: Target,
    versions: &'m Versions<'m>,
    reader: PropertyReader<'m, 'm>,
    pub(crate) names: Names<'m>,
    // For each op name of the file: its row, and the op in the target's schema.
    pub(crate) rows: Vec<(u32, Option<u32>)>,
    // By op name of the file: ops that the target does not have, and the encoding of the terminator it
    // requires there.
    left_out: Vec<bool>,
    ends_with: Vec<u32>,
    encodings: Vec<OpEncoding>,
    known: HashMap<(u32, u32, u32), u32, foldhash::fast::RandomState>,
    // By encoding and number of operands.
    grouped: HashMap<(u32, u64), u32>,
    // For each name, the encoding without attributes and properties, which many ops have.
    plain: Vec<u32>,
    inherent: Vec<Property<'m>>,
    pub(crate) dictionaries: Dictionaries,
    // The empty dictionaries of the file.
    is_empty: HashMap<u32, bool>,
    pub(crate) budget: Budget,
    pulse: Pulse,
}

const NONE: u32 = u32::MAX;

impl<'m> OpConverter<'m> {
    /// `copies`: whether entries are copied because something must be translated.
    pub(crate) fn new(
        module: &'m Module,
        entries: &'m FileEntries<'m>,
        (target, versions): (Target, &'m Versions<'m>),
        copies: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let mut this = Self {
            pool: AttrPool::new(module, (!copies).then_some(entries), target.conversion.clone(), budget)?,
            module,
            entries,
            reader: PropertyReader::new(module, entries)?,
            names: Names::default(),
            rows: Vec::new(),
            left_out: Vec::new(),
            ends_with: Vec::new(),
            encodings: Vec::new(),
            known: HashMap::default(),
            grouped: HashMap::new(),
            plain: Vec::new(),
            inherent: Vec::new(),
            dictionaries: Dictionaries::default(),
            is_empty: HashMap::new(),
            budget: budget.clone(),
            pulse: Pulse::default(),
            target,
            versions,
        };
        let section = module.dialect_section()?;
        budget.spend(section.op_names.len().saturating_mul(PER_NAME))?;
        for (name, entry) in module.op_names()?.zip(&section.op_names) {
            let own = as_in_tables(&name);
            let new = this.renamed(&own, name.is_registered).map(str::to_owned);
            let schema = this.target.schema.as_ref();
            let op = schema.and_then(|schema| match &new {
                Some(new) => schema.row(new.as_bytes()),
                None => schema.row_of(&name),
            });
            let is_registered = match name.is_registered {
                Some(is_registered) if this.keeps_flags() => is_registered,
                None if this.target.conversion.as_ref().is_some_and(|conversion| conversion.is_any) => true,
                _ => op.is_some(),
            };
            let op = op.filter(|_| is_registered).map(|row| row as u32);
            // A name that the file has twice, registered and unregistered, remains two names; but if the
            // target version does not store the flag, they become one.
            let tells = this.target.version.has_registered_flags();
            let strings =
                (section.dialects.get(entry.dialect as usize).map_or(NONE, |row| row.name), entry.name);
            let row =
                this.names.add((&name, strings), new.as_deref(), (is_registered, tells), &this.budget)?;
            this.rows.push((row, op));
            let conversion = this.target.conversion.clone().filter(|_| name.is_registered != Some(false));
            let conversion = conversion.as_deref();
            this.left_out.push(conversion.is_some_and(|conversion| conversion.does_without(&own)));
            let end = conversion.and_then(|conversion| conversion.new_terminator(&own));
            let end = end.map_or(NONE, |end| this.push_end(end));
            this.ends_with.push(end);
        }
        this.plain = vec![NONE; this.rows.len()];
        Ok(this)
    }

    // The encoding of an op that is not in the file.
    fn push_end(&mut self, name: &str) -> u32 {
        let row = self.names.push(name);
        self.encodings.push(OpEncoding {
            name: row,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            in_file: (None, None),
            operand_groups: None,
        });
        self.encodings.len() as u32 - 1
    }

    /// The name of an op in the target. Names that one side does not know are kept.
    fn renamed<'n>(&'n self, name: &'n str, is_registered: Option<bool>) -> Option<&'n str> {
        let (schema, conversion) = (self.target.schema.as_ref()?, self.target.conversion.as_ref()?);
        let new = conversion.op_name(name);
        (is_registered != Some(false) && new != name && schema.row(new.as_bytes()).is_some()).then_some(new)
    }

    fn keeps_flags(&self) -> bool {
        self.target.conversion.as_ref().is_none_or(|conversion| conversion.is_any)
    }

    #[cold]
    fn grouped(&mut self, encoding: u32, operands: u64) -> Result<u32> {
        if let Some(&known) = self.grouped.get(&(encoding, operands)) {
            return Ok(known);
        }
        let new = self.translate_groups(encoding, operands)?;
        let index = self.encodings.len() as u32;
        self.budget.spend(new.memory())?;
        self.encodings.push(new);
        self.grouped.insert((encoding, operands), index);
        Ok(index)
    }

    /// The schema of the file's release for an op name of the file.
    pub(crate) fn own_schema(&self, name: OpNameId) -> Option<&'m OpSchema> {
        self.reader.schema(name)
    }

    /// All losses: `counts` has the number of ops with each encoding.
    ///
    /// # Errors
    /// If there is no memory left for the names.
    pub(crate) fn losses(&self, counts: &[u32]) -> Result<Vec<Loss>> {
        let mut all: BTreeMap<(u32, &LossKind), u64> = BTreeMap::new();
        for (encoding, &count) in self.encodings.iter().zip(counts) {
            for kind in &encoding.losses {
                *all.entry((encoding.name, kind)).or_default() += u64::from(count);
            }
        }
        let mut losses = Vec::new();
        for ((name, kind), count) in all {
            let op = Some(self.names.full(name, &self.budget)?);
            losses.push(Loss { op, kind: kind.clone(), count, path: None });
        }
        losses.sort_by(|a, b| (&a.op, &a.kind).cmp(&(&b.op, &b.kind)));
        // Registered and unregistered ops with one name are counted together.
        losses.dedup_by(|again, first| {
            let is_same = again.op == first.op && again.kind == first.kind;
            first.count += if is_same { again.count } else { 0 };
            is_same
        });
        losses.extend(self.pool.lacking().map(|(text, count)| {
            let kind = LossKind::NoSuchEntry(text.to_owned());
            Loss { op: None, kind, count, path: None }
        }));
        let ranges = self.pool.shortened_ranges();
        if ranges > 0 {
            losses.push(Loss { op: None, kind: LossKind::LocationRange, count: ranges, path: None });
        }
        Ok(losses)
    }

    /// The numbers of the losses of each operation, by its parts in the file.
    ///
    /// # Errors
    /// If there is no memory left for the names.
    pub(crate) fn loss_places(&self, counts: &[u32], losses: &[Loss]) -> Result<HashMap<Parts, Vec<usize>>> {
        let of_loss = |(place, loss): (usize, &'_ Loss)| Some(((loss.op.clone()?, loss.kind.clone()), place));
        let numbers: BTreeMap<(String, LossKind), usize> =
            losses.iter().enumerate().filter_map(of_loss).collect();
        let mut places: HashMap<Parts, Vec<usize>> = HashMap::new();
        for (encoding, _) in self.encodings.iter().zip(counts).filter(|(_, count)| **count > 0) {
            for kind in &encoding.losses {
                let key = (self.names.full(encoding.name, &self.budget)?, kind.clone());
                if let Some(&place) = numbers.get(&key) {
                    let (dictionary, properties) = encoding.in_file;
                    self.budget.spend(size_of::<(Parts, Vec<usize>)>())?;
                    places.entry((encoding.name, dictionary, properties)).or_default().push(place);
                }
            }
        }
        Ok(places)
    }

    /// The row of the text of an op name of the file.
    pub(crate) fn row_of(&self, name: u32) -> u32 {
        self.rows.get(name as usize).map_or(0, |row| row.0)
    }

    fn translate(
        &mut self,
        name: u32,
        attributes: Option<u32>,
        properties: Option<u32>,
    ) -> Result<OpEncoding> {
        let keeps_blobs = self.target.version.has_native_properties();
        let (row, op) = self.rows.get(name as usize).copied().unwrap_or((0, None));
        let mut encoding = OpEncoding {
            name: row,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            in_file: (attributes, properties),
            operand_groups: None,
        };
        // A dictionary with all attributes is kept.
        if self.target.conversion.is_none()
            && !keeps_blobs
            && !self.module.bytecode().version().has_native_properties()
        {
            encoding.dictionary = self.whole(attributes)?;
            return Ok(encoding);
        }
        let mut inherent = std::mem::take(&mut self.inherent);
        let found = self.read(OpNameId(name), properties, &mut inherent)?;
        let dictionary = match attributes {
            Some(index) => Some((index, self.dictionaries.get(index, self.entries, &self.budget)?)),
            None => None,
        };
        if self.target.conversion.is_some() {
            let across = self.across(OpNameId(name), (found, &mut inherent), dictionary, &mut encoding);
            self.inherent = inherent;
            return across.map(|()| encoding);
        }
        let taken = dictionary.as_ref().map_or_else(Vec::new, |(_, it)| self.take(it, &mut inherent));
        // A dictionary that is not a list of names is kept.
        let is_whole = dictionary
            .as_ref()
            .is_none_or(|(_, it)| it.len.is_none_or(|len| len == it.pairs.len() - taken.len()));
        let mut added = Vec::new();
        match (found, op) {
            (Inherent::Opaque(_), op) => {
                encoding.losses.push(LossKind::OpaqueProperties);
                if let Some(op) = op.filter(|_| keeps_blobs) {
                    self.known_properties(op, &[], &mut added, &mut encoding)?;
                }
            }
            (Inherent::Declared(declared), _) => {
                encoding.properties = self.by_declared_encoding(&declared, &mut encoding)?
            }
            (Inherent::Attribute(attribute), _) if keeps_blobs => {
                encoding.properties = Some(EncodedProperties::Attribute(self.pool.attribute(attribute)?));
            }
            (Inherent::Attribute(_), _) => encoding.losses.push(LossKind::PropertyAttribute),
            (Inherent::Known, Some(op)) if keeps_blobs => {
                self.known_properties(op, &inherent, &mut added, &mut encoding)?;
            }
            (Inherent::Known, op) => self.in_dictionary(op, &inherent, &mut added, &mut encoding)?,
        }
        self.inherent = inherent;
        encoding.dictionary = if is_whole && added.is_empty() {
            self.whole(attributes)?
        } else {
            let part = attributes.map(|index| Part { index, left_out: taken });
            self.dictionaries.written([part, None], added, false, &mut self.pool)?
        };
        Ok(encoding)
    }

    // The blob of an op, by field; including absent ones.
    fn read(
        &self,
        name: OpNameId,
        properties: Option<u32>,
        inherent: &mut Vec<Property<'m>>,
    ) -> Result<Inherent> {
        inherent.clear();
        let schema = self.reader.schema(name);
        match properties {
            Some(blob) => self.reader.blob(name, schema, PropertyId(blob), inherent),
            None => {
                if let Some(schema) = schema {
                    schema.initial(inherent);
                }
                Ok(Inherent::Known)
            }
        }
    }

    /// Puts the inherent attributes of a dictionary into their fields, as
    /// [`split`](crate::props::codec::split) does; returns the positions of those pairs.
    pub(crate) fn take(&self, dictionary: &Dictionary, inherent: &mut [Property<'m>]) -> Vec<u32> {
        let mut taken = Vec::new();
        for known in inherent.iter_mut().filter(|known| known.field.is_in_dictionary) {
            let mut last = None;
            for name in known.field.names() {
                let places = dictionary.find(name.as_bytes(), self.entries);
                last = last.max(places.clone().last());
                taken.extend(places);
            }
            if let Some(&(_, value)) = last.and_then(|place| dictionary.pairs.get(place as usize)) {
                known.value = PropertyValue::Attribute(value);
            }
        }
        taken.sort_unstable();
        taken
    }

    // The file's dictionary, unless it is empty.
    fn whole(&mut self, attributes: Option<u32>) -> Result<Option<u32>> {
        let Some(index) = attributes else { return Ok(None) };
        let is_empty = self.is_empty.entry(index);
        match *is_empty.or_insert_with(|| dictionary_len(self.entries, index) == Some(0)) {
            true => Ok(None),
            false => self.pool.attribute(index).map(Some),
        }
    }

    // ---- properties with a declared encoding ----

    /// The same blob with the indices of the pool; `None` if the version has no blobs.
    pub(crate) fn by_declared_encoding(
        &mut self,
        declared: &Declared,
        encoding: &mut OpEncoding,
    ) -> Result<Option<EncodedProperties>> {
        if !self.target.version.has_native_properties() || declared.is_opaque() {
            encoding.losses.push(LossKind::OpaqueProperties);
            return Ok(None);
        }
        let (mut new, pool) = (declared.clone(), &mut self.pool);
        new.node.renumber(|index| match index {
            TableIndex::Attribute(index) => pool.attribute(index),
            TableIndex::Type(index) => pool.r#type(index),
            TableIndex::String(index) => Ok(pool.string(index, self.module.string(index)?)),
            TableIndex::Resource(index) => Ok(pool.resource(index, self.entries)),
        })?;
        Ok(Some(EncodedProperties::Declared(Box::new(new))))
    }

    // ---- properties as a blob ----

    fn fits(&self, kind: &Kind, value: &PropertyValue) -> bool {
        match (kind, value) {
            (Kind::Attribute { class, .. }, PropertyValue::Attribute(index)) => {
                class.fits(*index, self.entries)
            }
            _ => true,
        }
    }

    fn known_properties(
        &mut self,
        row: u32,
        inherent: &[Property<'m>],
        pairs: &mut Vec<(u32, u32)>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let schema = self.target.schema.clone();
        let Some(op) = schema.as_ref().and_then(|schema| schema.op_at(row as usize)) else { return Ok(()) };
        for property in inherent {
            if property.value != PropertyValue::Absent && op.field(property.name()).is_none() {
                self.not_in_target(property, encoding);
            }
        }
        if op.fields().len() == 0 {
            return Ok(());
        }
        let mut values = Vec::with_capacity(op.fields().len());
        for field in op.wire(self.target.version) {
            let given = inherent.iter().find(|property| field.has_name(property.name().as_bytes()));
            let value = match given {
                // An attribute of a dictionary may be of any class; a blob with a wrong one would be
                // rejected.
                Some(property) if !self.fits(&field.kind, &property.value) => {
                    encoding.losses.push(LossKind::NotOfClass(property.name().to_owned()));
                    None
                }
                Some(property) if property.value != PropertyValue::Absent => {
                    let value = self.value(&field.kind, &property.value)?;
                    // Replacing it with its default would change the program.
                    if value.is_none() {
                        encoding.losses.push(LossKind::NotOfClass(property.name().to_owned()));
                    }
                    value
                }
                _ => None,
            };
            let value = match value {
                Some(value) => value,
                None => match self.default(&field.kind, field.default.as_ref())? {
                    Some(value) => value,
                    None => {
                        encoding.losses.push(LossKind::NoValue(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                },
            };
            values.push(value);
        }
        if encoding.losses.iter().any(|loss| matches!(loss, LossKind::NoValue(_))) {
            // There is no such blob, but every reader accepts the attributes of the dictionary.
            let given = inherent.iter().filter(|property| op.field(property.name()).is_some());
            for property in given.filter(|property| property.value != PropertyValue::Absent) {
                self.as_attribute(property.name(), property, pairs)?;
            }
            return Ok(());
        }
        encoding.properties = Some(EncodedProperties::Known { op: row, values: values.into() });
        Ok(())
    }

    /// A value of the file for a field of the target; `None` if it does not fit.
    pub(crate) fn value(&mut self, kind: &Kind, value: &PropertyValue) -> Result<Option<PropertyValue>> {
        Ok(Some(match (kind, value) {
            (Kind::Attribute { .. }, PropertyValue::Attribute(index)) => {
                PropertyValue::Attribute(self.pool.attribute(*index)?)
            }
            (Kind::Segments { count, .. }, _) => {
                let Some(mut sizes) = segment_sizes(value, self.entries) else { return Ok(None) };
                sizes.resize(*count as usize, 0);
                if self.target.version.has_native_segment_sizes() {
                    PropertyValue::Segments(sizes)
                } else if let PropertyValue::Attribute(index) = value {
                    PropertyValue::Attribute(self.pool.attribute(*index)?)
                } else {
                    PropertyValue::Attribute(self.pool.parsed(&segments_text(&sizes))?)
                }
            }
            (Kind::String, PropertyValue::String(index)) => {
                let text = self.module.string(*index)?;
                PropertyValue::String(self.pool.string(*index, text))
            }
            (Kind::Array(inner), PropertyValue::Array(items)) => {
                let mut out = Vec::with_capacity(items.len());
                for item in items {
                    match self.value(inner, item)? {
                        Some(item) => out.push(item),
                        None => return Ok(None),
                    }
                }
                PropertyValue::Array(out)
            }
            (Kind::Optional(inner), PropertyValue::Optional(value)) => PropertyValue::Optional(match value {
                None => None,
                Some(value) => match self.value(inner, value)? {
                    Some(value) => Some(Box::new(value)),
                    None => return Ok(None),
                },
            }),
            (Kind::Int { .. } | Kind::Enum { .. }, PropertyValue::Int(_))
            | (Kind::Bool(_), PropertyValue::Bool(_)) => value.clone(),
            // A dictionary may contain a value that is native in the target.
            (kind, PropertyValue::Attribute(index)) => return Ok(self.native(kind, *index)),
            // The reverse: native here, an attribute in the target.
            (Kind::Attribute { .. }, value) => match self.text_of(value) {
                Some(text) => PropertyValue::Attribute(self.pool.parsed(&text)?),
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    pub(crate) fn native(&self, kind: &Kind, index: u32) -> Option<PropertyValue> {
        let mut out = Out::memory();
        self.printer().attribute(&mut out, index, crate::attr::text::entry::Elide::Never);
        native_of_text(kind, &String::from_utf8_lossy(&out.buffer))
    }

    pub(crate) fn printer(&self) -> EntryPrinter<'m, FileEntries<'m>> {
        let release = self.module.release_llvm();
        let style = EntryStyle { release, elide_elements: None };
        EntryPrinter::new(self.entries, style, crate::print::op::text_limit(self.module)).without_cache()
    }

    // A native value without a field, if its text is known.
    fn text_of(&self, value: &PropertyValue) -> Option<String> {
        Some(match value {
            PropertyValue::Int(number) => format!("{number} : i64"),
            PropertyValue::Bool(value) => value.to_string(),
            PropertyValue::Segments(sizes) => segments_text(sizes),
            _ => return None,
        })
    }

    /// The default that MLIR uses for a field without a value; `None` if it is required.
    pub(crate) fn default(
        &mut self,
        kind: &Kind,
        default: Option<&DefaultValue>,
    ) -> Result<Option<PropertyValue>> {
        let text = match default {
            Some(DefaultValue::Text(text)) => Some(&**text),
            _ => None,
        };
        Ok(Some(match (kind, text) {
            (Kind::Attribute { .. }, Some(text)) => PropertyValue::Attribute(self.pool.parsed(text)?),
            (Kind::Attribute { is_optional: true, .. }, None) => PropertyValue::Absent,
            (Kind::Attribute { .. }, None) => return Ok(None),
            (Kind::Segments { count, .. }, _) => {
                let sizes = vec![0; *count as usize];
                if self.target.version.has_native_segment_sizes() {
                    PropertyValue::Segments(sizes)
                } else {
                    PropertyValue::Attribute(self.pool.parsed(&segments_text(&sizes))?)
                }
            }
            (kind, Some(text)) => match native_of_text(kind, text) {
                Some(value) => value,
                None => return Ok(empty_native(kind)),
            },
            (kind, None) => return Ok(empty_native(kind)),
        }))
    }

    // ---- properties in the dictionary ----

    fn in_dictionary(
        &mut self,
        row: Option<u32>,
        inherent: &[Property<'m>],
        pairs: &mut Vec<(u32, u32)>,
        encoding: &mut OpEncoding,
    ) -> Result<()> {
        let schema = self.target.schema.clone();
        let op = row.and_then(|row| schema.as_ref()?.op_at(row as usize));
        for property in inherent {
            if property.value == PropertyValue::Absent {
                continue;
            }
            let field = op.and_then(|op| op.field(property.name()));
            if op.is_some() && field.is_none() {
                self.not_in_target(property, encoding);
                continue;
            }
            // Native values of the target are not read from dictionaries.
            if field.is_some_and(|field| !field.is_in_dictionary) || !property.field.is_in_dictionary {
                if !self.is_default(property) {
                    encoding.losses.push(LossKind::NativeProperty(property.name().to_owned()));
                }
                continue;
            }
            let name = field.map_or(property.name(), |field| field.name());
            self.as_attribute(name, property, pairs)?;
        }
        Ok(())
    }

    fn as_attribute(
        &mut self,
        name: &str,
        property: &Property<'m>,
        pairs: &mut Vec<(u32, u32)>,
    ) -> Result<()> {
        let value = match &property.value {
            PropertyValue::Attribute(index) => self.pool.attribute(*index)?,
            value => {
                let mut out = Out::memory();
                self.printer().property_value(&mut out, property.field, value);
                let text = String::from_utf8_lossy(&out.buffer).into_owned();
                self.pool.parsed(&text)?
            }
        };
        pairs.push((self.pool.string_attribute(name.as_bytes())?, value));
        Ok(())
    }

    fn not_in_target(&self, property: &Property<'m>, encoding: &mut OpEncoding) {
        if !self.is_default(property) {
            encoding.losses.push(LossKind::NotInTarget(property.name().to_owned()));
        }
    }

    pub(crate) fn is_default(&self, property: &Property<'m>) -> bool {
        let Some(DefaultValue::Text(text)) = &property.field.default else {
            return matches!(&property.value, PropertyValue::Optional(None) | PropertyValue::Bool(false))
                || matches!(&property.value, PropertyValue::Array(items) if items.is_empty())
                || matches!(&property.value, PropertyValue::Segments(sizes) if sizes.iter().all(|&size| size == 0));
        };
        let mut out = Out::memory();
        let mut printer = self.printer();
        match &property.value {
            PropertyValue::Attribute(index) => {
                printer.attribute(&mut out, *index, crate::attr::text::entry::Elide::Never);
            }
            value => printer.property_value(&mut out, property.field, value),
        }
        out.buffer == text.as_bytes()
    }
}

impl OpTranslator for OpConverter<'_> {
    fn version(&self) -> BytecodeVersion {
        self.target.version
    }

    fn is_for_other_release(&self) -> bool {
        self.target.conversion.is_some()
    }

    fn module(&self) -> &Module {
        self.module
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn entries(&self) -> Tables<'_> {
        self.pool.entries()
    }

    fn names(&self) -> &Names<'_> {
        &self.names
    }

    fn written_names(&self) -> impl ExactSizeIterator<Item = u32> {
        self.rows.iter().map(|row| row.0)
    }

    fn dialect_version(&self, dialect: &[u8]) -> Option<&Bytes> {
        self.versions.written(dialect)
    }

    fn keeps_entry_encodings(&self) -> bool {
        self.versions.is_encoding_kept()
    }

    #[inline]
    fn reader_table(&self, entry: &RawEntry<'_>) -> Option<&DialectTable> {
        self.versions.table_of(entry)
    }

    fn is_left_out(&self, name: u32) -> bool {
        self.left_out.get(name as usize).copied().unwrap_or(false)
    }

    fn new_terminator(&self, name: u32) -> Option<u32> {
        self.ends_with.get(name as usize).copied().filter(|&encoding| encoding != NONE)
    }

    #[inline]
    fn encode(&mut self, name: u32, attributes: Option<u32>, properties: Option<u32>) -> Result<u32> {
        if attributes.is_none()
            && properties.is_none()
            && let Some(&encoding) = self.plain.get(name as usize)
            && encoding != NONE
        {
            return Ok(encoding);
        }
        let key = (name, attributes.unwrap_or(NONE), properties.unwrap_or(NONE));
        if let Some(&encoding) = self.known.get(&key) {
            return Ok(encoding);
        }
        let encoding = self.translate(name, attributes, properties)?;
        let index = self.encodings.len() as u32;
        self.budget.spend(encoding.memory())?;
        self.pulse.beat(WORK_PER_ENCODING, self.module)?;
        self.encodings.push(encoding);
        self.known.insert(key, index);
        if attributes.is_none() && properties.is_none() {
            self.plain[name as usize] = index;
        }
        Ok(index)
    }

    #[inline]
    fn with_operands(&mut self, encoding: u32, operands: u64) -> Result<u32> {
        match self.encodings.get(encoding as usize) {
            Some(OpEncoding { operand_groups: Some(_), .. }) => self.grouped(encoding, operands),
            _ => Ok(encoding),
        }
    }

    #[inline]
    fn attribute(&mut self, index: u32) -> Result<u32> {
        self.pool.attribute(index)
    }

    #[inline]
    fn r#type(&mut self, index: u32) -> Result<u32> {
        self.pool.r#type(index)
    }

    fn unknown_location(&mut self) -> u32 {
        self.pool.unknown_location()
    }

    fn encoding_count(&self) -> usize {
        self.encodings.len()
    }

    #[inline]
    fn encoding(&self, encoding: u32) -> &OpEncoding {
        &self.encodings[encoding as usize]
    }

    #[inline]
    fn name_of(&self, encoding: u32) -> u32 {
        self.encodings.get(encoding as usize).map_or(NONE, |encoding| encoding.name)
    }

    #[inline]
    fn find(&self, name: u32, attributes: Option<u32>, properties: Option<u32>) -> u32 {
        if attributes.is_none() && properties.is_none() {
            return self.plain.get(name as usize).copied().unwrap_or(NONE);
        }
        let key = (name, attributes.unwrap_or(NONE), properties.unwrap_or(NONE));
        self.known.get(&key).copied().unwrap_or(NONE)
    }

    fn schema(&self, row: u32) -> Option<&OpSchema> {
        self.target.schema.as_ref()?.op_at(row as usize)
    }

    fn collected_attribute(&self, index: u32) -> Option<u32> {
        self.pool.known_attribute(index)
    }

    fn collected_type(&self, index: u32) -> Option<u32> {
        self.pool.known_type(index)
    }

    fn collected_unknown_location(&self) -> u32 {
        self.pool.known_unknown_location()
    }
}

pub(crate) fn segments_text(sizes: &[i32]) -> String {
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    if sizes.is_empty() { "array<i32>".to_owned() } else { format!("array<i32: {}>", sizes.join(", ")) }
}

/// Longer names are not in the table of release differences.
const LONGEST: usize = 1 << 10;

/// A full name for lookup in the table of release differences: a name longer than any of its names is
/// truncated.
pub(crate) fn as_in_tables(name: &OperationName<'_>) -> String {
    let mut full = name.dialect.get(..=LONGEST).unwrap_or(name.dialect).to_vec();
    if full.len() <= LONGEST && !name.stem.is_empty() {
        full.push(b'.');
        full.extend_from_slice(name.stem.get(..=LONGEST).unwrap_or(name.stem));
    }
    String::from_utf8_lossy(&full).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_see_the_beginning_of_a_long_name() {
        let long = vec![b'a'; 5 * LONGEST];
        let name = OperationName { id: OpNameId(0), dialect: b"omp", stem: &long, is_registered: None };
        let cut = as_in_tables(&name);
        assert!(cut.starts_with("omp.aaa") && cut.len() > LONGEST && cut.len() < 2 * LONGEST);
        let name = OperationName { dialect: &long, ..name };
        assert_eq!(as_in_tables(&name).len(), LONGEST + 1);
        let name = OperationName { dialect: b"omp", stem: b"", ..name };
        assert_eq!(as_in_tables(&name), "omp");
    }
}
