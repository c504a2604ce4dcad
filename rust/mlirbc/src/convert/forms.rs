//! Ops in the form of the target: their name, dictionary and properties, translated once for all ops that look alike.
//!
//! From version 5 on the inherent values of an op are a blob in the layout of the target release; below, they are in
//! the dictionary (`mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`, `writeOp`; `getAttrDictionary` in Operation.cpp).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::attr::id::{OpNameId, PropertyId};
use crate::attr::text::entry::{EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::dialect::node::Field;
use crate::dialect::scheme::Declared;
use crate::ir::Module;
use crate::ir::module::{FileEntries, Inherent, PropertyReader};
use crate::props::codec::segment_sizes;
use crate::props::native::{empty_native, native_of_text};
use crate::props::schema::{DefaultValue, Kind};
use crate::props::{OpSchema, Property, PropertySchema, PropertyValue};
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::version::BytecodeVersion;

use super::dictionary::{Dictionaries, Dictionary, Part};
use super::names::{NameRow, Names, as_in_tables};
use super::pool::{Pool, dictionary_len};
use super::translation::Crossing;
use crate::wire::loss::{Loss, LossKind};
use crate::write::Pulse;

/// What is written.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) version: BytecodeVersion,
    /// The release that shall read it.
    pub(crate) schema: Option<Arc<PropertySchema>>,
    /// The way there, if it is another release.
    pub(crate) crossing: Option<Arc<Crossing>>,
}

/// What ops that look alike have in common; indices are those of the pool.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) name: u32,
    pub(crate) dictionary: Option<u32>,
    pub(crate) properties: Option<FormProperties>,
    pub(crate) losses: Vec<LossKind>,
    /// The dictionary and the properties in the file.
    pub(crate) in_file: (Option<u32>, Option<u32>),
    /// Groups of operands that the file does not have; -1 is however many are left.
    pub(crate) operand_groups: Option<Box<[i32]>>,
}

impl Form {
    // With its places in the tables that find it by its parts and by its blob.
    fn memory(&self) -> usize {
        let values = match &self.properties {
            Some(FormProperties::Known { values, .. }) => size_of_val(&**values),
            Some(FormProperties::Declared(declared)) => {
                size_of::<Declared>() + size_of_val(declared.node.all())
            }
            _ => 0,
        };
        PER_FORM + values + self.losses.capacity() * size_of::<LossKind>()
    }
}

const PER_FORM: usize = size_of::<Form>() + 4 * size_of::<(u32, u32, u32, u32)>();

/// What is done for a form, in steps of some microseconds.
const WORK_PER_FORM: usize = 8;

/// Bytes for each of the file's op names.
const PER_NAME: usize = 96;

/// The properties of an op.
#[derive(Debug, Clone)]
pub(crate) enum FormProperties {
    /// The one attribute of an op that the writer does not know.
    Attribute(u32),
    /// A value for each field in the order of the wire; the op's row in the target's schema.
    Known { op: u32, values: Box<[PropertyValue]> },
    /// By a scheme that the dialect declares.
    Declared(Box<Declared>),
}

/// Translates ops.
pub(crate) struct Forms<'m> {
    pub(crate) pool: Pool<'m>,
    pub(crate) module: &'m Module,
    pub(crate) entries: &'m FileEntries<'m>,
    pub(crate) target: Target,
    reader: PropertyReader<'m, 'm>,
    pub(crate) names: Names<'m>,
    // For each of the file's op names: its row, and the op in the target's schema.
    pub(crate) rows: Vec<(u32, Option<u32>)>,
    // By the file's op names: ops that the target does without, and the form of what ends their blocks there.
    left_out: Vec<bool>,
    ends_with: Vec<u32>,
    forms: Vec<Form>,
    known: HashMap<(u32, u32, u32), u32, foldhash::fast::RandomState>,
    // By form and number of operands.
    grouped: HashMap<(u32, u64), u32>,
    // Of each name without attributes and properties, which many ops have.
    plain: Vec<u32>,
    inherent: Vec<Property<'m>>,
    pub(crate) dictionaries: Dictionaries,
    // Which of the file's dictionaries are empty.
    is_empty: HashMap<u32, bool>,
    pub(crate) budget: Budget,
    pulse: Pulse,
}

const NONE: u32 = u32::MAX;

impl<'m> Forms<'m> {
    /// `copies`: whether entries are copied because something has to be translated.
    pub(crate) fn new(
        module: &'m Arc<Module>,
        entries: &'m FileEntries<'m>,
        target: Target,
        copies: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let mut this = Self {
            pool: Pool::new(module, (!copies).then_some(entries), target.crossing.clone(), budget)?,
            module,
            entries,
            reader: PropertyReader::new(module, entries)?,
            names: Names::default(),
            rows: Vec::new(),
            left_out: Vec::new(),
            ends_with: Vec::new(),
            forms: Vec::new(),
            known: HashMap::default(),
            grouped: HashMap::new(),
            plain: Vec::new(),
            inherent: Vec::new(),
            dictionaries: Dictionaries::default(),
            is_empty: HashMap::new(),
            budget: budget.clone(),
            pulse: Pulse::default(),
            target,
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
                None if this.target.crossing.as_ref().is_some_and(|crossing| crossing.is_any) => true,
                _ => op.is_some(),
            };
            let op = op.filter(|_| is_registered).map(|row| row as u32);
            // What a file has twice under one name, once known to its writer and once not, stays two; but where the file
            // to be cannot say which of the two an op is, a name is one.
            let tells = this.target.version.has_registered_flags();
            let strings =
                (section.dialects.get(entry.dialect as usize).map_or(NONE, |row| row.name), entry.name);
            let row =
                this.names.add((&name, strings), new.as_deref(), (is_registered, tells), &this.budget)?;
            this.rows.push((row, op));
            let crossing = this.target.crossing.clone().filter(|_| name.is_registered != Some(false));
            let crossing = crossing.as_deref();
            this.left_out.push(crossing.is_some_and(|crossing| crossing.does_without(&own)));
            let end = crossing.and_then(|crossing| crossing.new_terminator(&own));
            let end = end.map_or(NONE, |end| this.push_end(end));
            this.ends_with.push(end);
        }
        this.plain = vec![NONE; this.rows.len()];
        Ok(this)
    }

    // The form of an op that the file does not have.
    fn push_end(&mut self, name: &str) -> u32 {
        let row = self.names.push(name);
        self.forms.push(Form {
            name: row,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            in_file: (None, None),
            operand_groups: None,
        });
        self.forms.len() as u32 - 1
    }

    /// Whether the target does without ops of this name.
    pub(crate) fn is_left_out(&self, name: u32) -> bool {
        self.left_out.get(name as usize).copied().unwrap_or(false)
    }

    /// The form of the op that has to be put at the end of each block of ops with this name.
    pub(crate) fn new_end(&self, name: u32) -> Option<u32> {
        self.ends_with.get(name as usize).copied().filter(|&form| form != NONE)
    }

    /// The other name of an op in the target. What one side does not know keeps its name.
    fn renamed<'n>(&'n self, name: &'n str, is_registered: Option<bool>) -> Option<&'n str> {
        let (schema, crossing) = (self.target.schema.as_ref()?, self.target.crossing.as_ref()?);
        let new = crossing.op_name(name);
        (is_registered != Some(false) && new != name && schema.row(new.as_bytes()).is_some()).then_some(new)
    }

    fn keeps_flags(&self) -> bool {
        self.target.crossing.as_ref().is_none_or(|crossing| crossing.is_any)
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    pub(crate) fn names(&self) -> &[NameRow] {
        self.names.rows()
    }

    pub(crate) fn get(&self, form: u32) -> &Form {
        &self.forms[form as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.forms.len()
    }

    pub(crate) fn name_of(&self, form: u32) -> u32 {
        self.forms.get(form as usize).map_or(NONE, |form| form.name)
    }

    /// The schema of an op in the target.
    pub(crate) fn op(&self, row: u32) -> Option<&OpSchema> {
        self.target.schema.as_ref()?.op_at(row as usize)
    }

    /// The form of an op with so many operands: mostly the one that it has without.
    ///
    /// # Errors
    /// When there are too many forms.
    #[inline]
    pub(crate) fn with_operands(&mut self, form: u32, operands: u64) -> Result<u32> {
        match self.forms.get(form as usize) {
            Some(Form { operand_groups: Some(_), .. }) => self.grouped(form, operands),
            _ => Ok(form),
        }
    }

    #[cold]
    fn grouped(&mut self, form: u32, operands: u64) -> Result<u32> {
        if let Some(&known) = self.grouped.get(&(form, operands)) {
            return Ok(known);
        }
        let new = self.translate_groups(form, operands)?;
        let index = self.forms.len() as u32;
        self.budget.spend(new.memory())?;
        self.forms.push(new);
        self.grouped.insert((form, operands), index);
        Ok(index)
    }

    /// The schema of the file's release for one of the file's op names.
    pub(crate) fn own_schema(&self, name: OpNameId) -> Option<&'m OpSchema> {
        self.reader.schema(name)
    }

    /// What was lost, over all ops: `counts` says how many ops have each form.
    ///
    /// # Errors
    /// When there is no memory left for the names.
    pub(crate) fn losses(&self, counts: &[u32]) -> Result<Vec<Loss>> {
        let mut all: BTreeMap<(u32, &LossKind), u64> = BTreeMap::new();
        for (form, &count) in self.forms.iter().zip(counts) {
            for kind in &form.losses {
                *all.entry((form.name, kind)).or_default() += u64::from(count);
            }
        }
        let mut losses = Vec::new();
        for ((name, kind), count) in all {
            let op = Some(self.names.full(name, &self.budget)?);
            losses.push(Loss { op, kind: kind.clone(), count });
        }
        losses.sort_by(|a, b| (&a.op, &a.kind).cmp(&(&b.op, &b.kind)));
        // Registered ops and others of one name are one.
        losses.dedup_by(|again, first| {
            let is_same = again.op == first.op && again.kind == first.kind;
            first.count += if is_same { again.count } else { 0 };
            is_same
        });
        losses.extend(self.pool.lacking().map(|(text, count)| {
            let kind = LossKind::NoSuchEntry(text.to_owned());
            Loss { op: None, kind, count }
        }));
        let ranges = self.pool.shortened_ranges();
        if ranges > 0 {
            losses.push(Loss { op: None, kind: LossKind::LocationRange, count: ranges });
        }
        Ok(losses)
    }

    /// The form of an op with these parts, indices of the file.
    ///
    /// # Errors
    /// When the blob does not have the layout of the file's release, or an entry cannot be decoded.
    #[inline]
    pub(crate) fn form(
        &mut self,
        name: u32,
        attributes: Option<u32>,
        properties: Option<u32>,
    ) -> Result<u32> {
        if attributes.is_none()
            && properties.is_none()
            && let Some(&form) = self.plain.get(name as usize)
            && form != NONE
        {
            return Ok(form);
        }
        let key = (name, attributes.unwrap_or(NONE), properties.unwrap_or(NONE));
        if let Some(&form) = self.known.get(&key) {
            return Ok(form);
        }
        let form = self.translate(name, attributes, properties)?;
        let index = self.forms.len() as u32;
        self.budget.spend(form.memory())?;
        self.pulse.beat(WORK_PER_FORM, self.module)?;
        self.forms.push(form);
        self.known.insert(key, index);
        if attributes.is_none() && properties.is_none() {
            self.plain[name as usize] = index;
        }
        Ok(index)
    }

    /// The form of an op that was met, of a file that does not go to another release.
    #[inline]
    pub(crate) fn met(&self, name: u32, attributes: Option<u32>, properties: Option<u32>) -> u32 {
        if attributes.is_none() && properties.is_none() {
            return self.plain.get(name as usize).copied().unwrap_or(NONE);
        }
        let key = (name, attributes.unwrap_or(NONE), properties.unwrap_or(NONE));
        self.known.get(&key).copied().unwrap_or(NONE)
    }

    fn translate(&mut self, name: u32, attributes: Option<u32>, properties: Option<u32>) -> Result<Form> {
        let keeps_blobs = self.target.version.has_native_properties();
        let (row, op) = self.rows.get(name as usize).copied().unwrap_or((0, None));
        let mut form = Form {
            name: row,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            in_file: (attributes, properties),
            operand_groups: None,
        };
        // A dictionary of everything stays one.
        if self.target.crossing.is_none()
            && !keeps_blobs
            && !self.module.bytecode().version().has_native_properties()
        {
            form.dictionary = self.whole(attributes)?;
            return Ok(form);
        }
        let mut inherent = std::mem::take(&mut self.inherent);
        let found = self.read(OpNameId(name), properties, &mut inherent)?;
        let dictionary = match attributes {
            Some(index) => Some((index, self.dictionaries.get(index, self.entries, &self.budget)?)),
            None => None,
        };
        if self.target.crossing.is_some() {
            let across = self.across(OpNameId(name), (found, &mut inherent), dictionary, &mut form);
            self.inherent = inherent;
            return across.map(|()| form);
        }
        let taken = dictionary.as_ref().map_or_else(Vec::new, |(_, it)| self.take(it, &mut inherent));
        // A dictionary that is no list of names stays what it is.
        let is_whole = dictionary
            .as_ref()
            .is_none_or(|(_, it)| it.len.is_none_or(|len| len == it.pairs.len() - taken.len()));
        let mut added = Vec::new();
        match (found, op) {
            (Inherent::Opaque(_), op) => {
                form.losses.push(LossKind::OpaqueProperties);
                if let Some(op) = op.filter(|_| keeps_blobs) {
                    self.known_properties(op, &[], &mut added, &mut form)?;
                }
            }
            (Inherent::Declared(declared), _) => form.properties = self.by_scheme(&declared, &mut form)?,
            (Inherent::Attribute(attribute), _) if keeps_blobs => {
                form.properties = Some(FormProperties::Attribute(self.pool.attribute(attribute)?));
            }
            (Inherent::Attribute(_), _) => form.losses.push(LossKind::PropertyAttribute),
            (Inherent::Known, Some(op)) if keeps_blobs => {
                self.known_properties(op, &inherent, &mut added, &mut form)?;
            }
            (Inherent::Known, op) => self.in_dictionary(op, &inherent, &mut added, &mut form)?,
        }
        self.inherent = inherent;
        form.dictionary = if is_whole && added.is_empty() {
            self.whole(attributes)?
        } else {
            let part = attributes.map(|index| Part { index, left_out: taken });
            self.dictionaries.written([part, None], added, false, &mut self.pool)?
        };
        Ok(form)
    }

    // The blob of an op, by field; absent ones included.
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

    /// Puts what a dictionary has of inherent values in their place, as [`split`](crate::props::codec::split) does;
    /// the places of those pairs.
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

    // ---- properties by a declared scheme ----

    /// The same blob with the pool's numbers; none where the version has no place for blobs.
    pub(crate) fn by_scheme(
        &mut self,
        declared: &Declared,
        form: &mut Form,
    ) -> Result<Option<FormProperties>> {
        if !self.target.version.has_native_properties() || declared.is_opaque() {
            form.losses.push(LossKind::OpaqueProperties);
            return Ok(None);
        }
        let (mut new, mut fault) = (declared.clone(), None);
        let pool = &mut self.pool;
        new.node.map(|field| {
            let moved = match field {
                Field::Attribute(index, at) => pool.attribute(index).map(|index| Field::Attribute(index, at)),
                Field::Type(index, at) => pool.r#type(index).map(|index| Field::Type(index, at)),
                Field::String(index) => {
                    self.module.string(index).map(|text| Field::String(pool.string(index, text)))
                }
                Field::Resource(index) => Ok(Field::Resource(pool.resource(index, self.entries))),
                other => Ok(other),
            };
            moved.unwrap_or_else(|error| {
                fault.get_or_insert(error);
                field
            })
        });
        match fault {
            Some(error) => Err(error),
            None => Ok(Some(FormProperties::Declared(Box::new(new)))),
        }
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
        form: &mut Form,
    ) -> Result<()> {
        let schema = self.target.schema.clone();
        let Some(op) = schema.as_ref().and_then(|schema| schema.op_at(row as usize)) else { return Ok(()) };
        for property in inherent {
            if property.value != PropertyValue::Absent && op.field(property.name()).is_none() {
                self.not_in_target(property, form);
            }
        }
        if op.fields().len() == 0 {
            return Ok(());
        }
        let mut values = Vec::with_capacity(op.fields().len());
        for field in op.wire(self.target.version) {
            let given = inherent.iter().find(|property| field.has_name(property.name().as_bytes()));
            let value = match given {
                // What was in a dictionary may be of any class; a blob with it would not be read.
                Some(property) if !self.fits(&field.kind, &property.value) => {
                    form.losses.push(LossKind::NotOfClass(property.name().to_owned()));
                    None
                }
                Some(property) if property.value != PropertyValue::Absent => {
                    let value = self.value(&field.kind, &property.value)?;
                    // Its default in its place would be another program.
                    if value.is_none() {
                        form.losses.push(LossKind::NotOfClass(property.name().to_owned()));
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
                        form.losses.push(LossKind::NoValue(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                },
            };
            values.push(value);
        }
        if form.losses.iter().any(|loss| matches!(loss, LossKind::NoValue(_))) {
            // There is no such blob, but every reader takes what there is from the dictionary.
            let given = inherent.iter().filter(|property| op.field(property.name()).is_some());
            for property in given.filter(|property| property.value != PropertyValue::Absent) {
                self.as_attribute(property.name(), property, pairs)?;
            }
            return Ok(());
        }
        form.properties = Some(FormProperties::Known { op: row, values: values.into() });
        Ok(())
    }

    /// A value of the file as the target's field has it; `None` when it does not fit.
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
            // A dictionary may hold what is native in the target.
            (kind, PropertyValue::Attribute(index)) => return Ok(self.native(kind, *index)),
            // The other way round: native here, an attribute there.
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

    // A native value of no field, as far as it has a text of its own.
    fn text_of(&self, value: &PropertyValue) -> Option<String> {
        Some(match value {
            PropertyValue::Int(number) => format!("{number} : i64"),
            PropertyValue::Bool(value) => value.to_string(),
            PropertyValue::Segments(sizes) => segments_text(sizes),
            _ => return None,
        })
    }

    /// What MLIR fills in for a field that nothing is given for; `None` when it must be given.
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
        form: &mut Form,
    ) -> Result<()> {
        let schema = self.target.schema.clone();
        let op = row.and_then(|row| schema.as_ref()?.op_at(row as usize));
        for property in inherent {
            if property.value == PropertyValue::Absent {
                continue;
            }
            let field = op.and_then(|op| op.field(property.name()));
            if op.is_some() && field.is_none() {
                self.not_in_target(property, form);
                continue;
            }
            // What is native in the target is taken from no dictionary.
            if field.is_some_and(|field| !field.is_in_dictionary) || !property.field.is_in_dictionary {
                if !self.is_default(property) {
                    form.losses.push(LossKind::NativeProperty(property.name().to_owned()));
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

    fn not_in_target(&self, property: &Property<'m>, form: &mut Form) {
        if !self.is_default(property) {
            form.losses.push(LossKind::NotInTarget(property.name().to_owned()));
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

pub(crate) fn segments_text(sizes: &[i32]) -> String {
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    if sizes.is_empty() { "array<i32>".to_owned() } else { format!("array<i32: {}>", sizes.join(", ")) }
}
