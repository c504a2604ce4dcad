//! Operations in the encoding of the target: name, dictionary and properties, translated once for all ops
//! that look alike.
//!
//! Since version 5, the inherent attributes of an operation are a blob in the layout of the target release;
//! before, they are in the dictionary (`mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`, `writeOp`;
//! `getAttrDictionary` in Operation.cpp).

mod properties;
mod translator;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use crate::attr::Attribute;
use crate::dialect::declarations::Declared;
use crate::dialect::node::TableIndex;
use crate::file::{Choice, FileEntries};
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::props::{OpSchema, Property, PropertySchema, PropertyValue};
use crate::wire::limits::Budget;
use crate::wire::order::sort_by;
use crate::wire::version::BytecodeVersion;

use super::dictionary::{Dictionaries, Dictionary, DictionaryPart};
use super::loss_paths::OperationShape;
use super::pool::{AttrPool, dictionary_len};
use super::release::ReleaseConversion;
use super::target_schemas::TargetSchemas;
use super::versions::Versions;
use crate::props::op_name::OperationName;
use crate::wire::change::{Change, ChangeKind};
use crate::wire::error::Error;
use crate::wire::loss::{Loss, LossKind};
use crate::write::Pulse;
use crate::write::canonical::index::{EncodingId, PoolAttr, PoolName};
use crate::write::canonical::names::Names;
use crate::write::canonical::op_encoding::{
    EncodedProperties, OpEncoding, PartCounts, PartLimits, RegionShift,
};
use crate::write::canonical::pass::{EntrySource, Result};
use crate::write::canonical::translator::OpTranslator;

/// The target of a write.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) version: BytecodeVersion,
    /// The release that reads the file.
    pub(crate) schema: Option<Arc<PropertySchema>>,
    /// The release conversion, if it is another release.
    pub(crate) conversion: Option<Arc<ReleaseConversion>>,
    /// Whether location ranges are replaced by their start although the release has them.
    pub(crate) shortens_ranges: bool,
    /// Whether the caller wants a list of the parts in another form.
    pub(crate) lists_changes: bool,
}

/// The parts with another form and the same meaning.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) changes: Vec<Change>,
    /// The number of operations with the same form; `None` if they are not translated, or no list is wanted.
    pub(crate) unchanged_operations: Option<u64>,
}

/// The work per encoding, in steps of some microseconds.
const WORK_PER_ENCODING: usize = 8;

/// The name of a terminator in the target.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReplacedName {
    row: PoolName,
    has_operands: bool,
}

/// Bytes for each of the file's op names.
const PER_NAME: usize = 96;

/// Translates ops.
pub(crate) struct OpConverter<'m> {
    pub(crate) pool: AttrPool<'m>,
    pub(crate) module: &'m Module,
    pub(crate) entries: &'m FileEntries<'m>,
    pub(crate) target: Target,
    pub(crate) schemas: TargetSchemas,
    versions: &'m Versions<'m>,
    reader: PropertyReader<'m, 'm>,
    pub(crate) names: Names<'m>,
    // For each operation name of the file: its row, and the operation in the target's schemas.
    pub(crate) rows: Vec<(PoolName, Option<u32>)>,
    /// For each operation name of the file: the rule that removes the operation from the end of blocks, and
    /// the rule that removes the terminator of its blocks; empty if no rule applies.
    removed_ends: Vec<(Option<usize>, Option<usize>)>,
    // For each operation name of the file: the encoding of the terminator that its blocks require in the target.
    ends_with: Vec<Option<EncodingId>>,
    encodings: Vec<OpEncoding>,
    known: HashMap<(u32, u32, u32), EncodingId, foldhash::fast::RandomState>,
    // Encodings completed for the numbers of parts, by encoding and numbers.
    counted: HashMap<(EncodingId, PartCounts), EncodingId>,
    /// The row of the name that an op has in the blocks of another one, by the names of both in the file; `None` if the
    /// op ends these blocks in the target, and does not in the file.
    replaced: HashMap<(u32, u32), Option<ReplacedName>>,
    terminators: HashMap<(PoolName, Option<u32>), EncodingId>,
    /// The added and removed regions, by operation name of the file.
    region_shifts: HashMap<u32, RegionShift>,
    // For each name, the encoding without attributes and properties, which many ops have.
    plain: Vec<Option<EncodingId>>,
    inherent: Vec<Property<'m>>,
    pub(crate) dictionaries: Dictionaries,
    // The empty dictionaries of the file.
    is_empty: HashMap<u32, bool>,
    // The defaults of fields by their text in the schema.
    defaults: Mutex<HashMap<Box<str>, Attribute>>,
    pub(crate) budget: Budget,
    pulse: Pulse,
}

const NONE: u32 = u32::MAX;

impl<'m> OpConverter<'m> {
    pub(crate) fn new(
        module: &'m Module,
        entries: &'m FileEntries<'m>,
        (target, versions): (Target, &'m Versions<'m>),
        source: EntrySource,
        budget: &Budget,
    ) -> Result<Self> {
        let mut this = Self {
            pool: AttrPool::new(module, (entries, source), &target, budget)?,
            module,
            entries,
            reader: PropertyReader::new(module, entries)?,
            names: Names::default(),
            rows: Vec::new(),
            removed_ends: Vec::new(),
            ends_with: Vec::new(),
            encodings: Vec::new(),
            known: HashMap::default(),
            counted: HashMap::new(),
            replaced: HashMap::new(),
            terminators: HashMap::new(),
            region_shifts: HashMap::new(),
            plain: Vec::new(),
            inherent: Vec::new(),
            dictionaries: Dictionaries::default(),
            is_empty: HashMap::new(),
            defaults: Mutex::default(),
            budget: budget.clone(),
            pulse: Pulse::default(),
            schemas: TargetSchemas::new(module, &target)?,
            target,
            versions,
        };
        let section = module.tables().dialect_section()?;
        // If there is no target, each operation is written in the layout in which it was read.
        let release = module.release()?;
        let is_own_layout = this.target.conversion.is_none() && this.target.schema.is_some();
        budget.spend(section.op_names.len().saturating_mul(PER_NAME))?;
        for (name, entry) in module.tables().op_names()?.zip(&section.op_names) {
            let file_name = as_in_tables(&name);
            let new = this.renamed(&file_name, name.is_registered).map(str::to_owned);
            let op = match &new {
                Some(new) => this.schemas.row(new.as_bytes()),
                // Every reader looks for inherent attributes in the dictionary, too.
                None if is_own_layout && this.reader.is_agreed_only(name.id) => None,
                None if is_own_layout => this.schemas.row_in_file(release, name.id),
                None => this.schemas.row_of(&name),
            };
            let is_registered = match name.is_registered {
                Some(is_registered) if this.keeps_flags() => is_registered,
                None if this.target.conversion.as_ref().is_some_and(|conversion| conversion.is_any) => true,
                _ if is_own_layout => release.choice(name.id) != Choice::Absent,
                _ => op.is_some(),
            };
            let op = op.filter(|_| is_registered);
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
            if let Some(shift) = conversion.and_then(|it| it.region_shift(&file_name)) {
                this.region_shifts.insert(name.id.number(), shift);
            }
            this.removed_ends.push(conversion.map_or((None, None), |it| it.removed_terminator(&file_name)));
            let end = conversion.and_then(|conversion| conversion.new_terminator(&file_name));
            let end = end.map(|end| this.push_end(end));
            this.ends_with.push(end);
        }
        this.plain = this.rows.iter().map(|_| None).collect();
        if this.removed_ends.iter().all(|(end, _)| end.is_none()) {
            this.removed_ends.clear();
        }
        this.find_replaced()?;
        Ok(this)
    }

    /// Finds the names of terminators that the target replaces in the blocks of some operations.
    fn find_replaced(&mut self) -> Result<()> {
        let Some(conversion) = self.target.conversion.clone().filter(|_| self.rows.len() > 1) else {
            return Ok(());
        };
        let names: Vec<_> =
            self.module.tables().op_names()?.map(|name| (name.id, as_in_tables(&name))).collect();
        let parents = names.iter().filter(|(_, name)| conversion.replaces_terminators(name));
        let parents: Vec<_> = parents.cloned().collect();
        for (parent, parent_name) in parents {
            for (id, name) in &names {
                if let Some((new, has_operands)) = conversion.new_terminator_name(&parent_name, name) {
                    let row = self.names.push(new);
                    self.replaced
                        .insert((parent.number(), id.number()), Some(ReplacedName { row, has_operands }));
                } else if conversion.is_only_terminator(&parent_name, name) {
                    self.replaced.insert((parent.number(), id.number()), None);
                }
            }
        }
        Ok(())
    }

    /// Encodes an operation that would have to be the last one of its block.
    fn encode_misplaced(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Result<EncodingId> {
        let encoding = self.encode(name, attributes, properties)?;
        let loss = LossKind::CountNotInTarget("an operation after it".to_owned());
        if let Some(encoding) = self.encodings.get_mut(encoding.index())
            && !encoding.losses.contains(&loss)
        {
            encoding.losses.push(loss);
        }
        Ok(encoding)
    }

    /// Encodes a terminator under its name in the target; it has no properties there.
    fn encode_terminator(&mut self, name: ReplacedName, attributes: Option<AttrId>) -> Result<EncodingId> {
        let ReplacedName { row: name, has_operands } = name;
        let none = PartLimits { least: PartCounts::default(), most: PartCounts::default(), is_common: false };
        let key = (name, attributes.map(|id| id.number()));
        if let Some(&known) = self.terminators.get(&key) {
            return Ok(known);
        }
        let changes = self.target.lists_changes.then_some(ChangeKind::Terminator).into_iter().collect();
        let encoding = OpEncoding {
            name,
            dictionary: self.whole(attributes)?,
            properties: None,
            losses: Vec::new(),
            changes,
            in_file: (attributes, None),
            operand_groups: None,
            operand_order: None,
            limits: (!has_operands).then_some(none),
        };
        let index = self.push_encoding(encoding)?;
        self.terminators.insert(key, index);
        Ok(index)
    }

    // Adds the encoding of an operation that is not in the file.
    fn push_end(&mut self, name: &str) -> EncodingId {
        let row = self.names.push(name);
        let changes = self.target.lists_changes.then_some(ChangeKind::OperationAdded).into_iter().collect();
        self.encodings.push(OpEncoding {
            name: row,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            changes,
            in_file: (None, None),
            operand_groups: None,
            operand_order: None,
            limits: None,
        });
        EncodingId::new(self.encodings.len() as u32 - 1)
    }

    /// Notes the name of an operation in the file.
    pub(crate) fn note_other_name(&self, name: OpNameId, encoding: &mut OpEncoding) {
        self.note(encoding, || {
            let name = self.module.op_name(name);
            ChangeKind::OperationName(name.map_or_else(String::new, |name| as_in_tables(&name)))
        });
    }

    fn note_name(&self, name: OpNameId, encoding: &mut OpEncoding) {
        if self.target.lists_changes
            && let Some(name) = self.module.op_name(name)
        {
            let file_name = as_in_tables(&name);
            if self.renamed(&file_name, name.is_registered).is_some() {
                encoding.changes.push(ChangeKind::OperationName(file_name));
            }
            if self.region_shifts.contains_key(&name.id.number()) {
                encoding.changes.push(ChangeKind::Regions);
            }
        }
    }

    /// Returns the name of an operation in the target. Names that one side does not know are kept.
    fn renamed<'n>(&'n self, name: &'n str, is_registered: Option<bool>) -> Option<&'n str> {
        let new = self.target.conversion.as_ref()?.op_name(name);
        let is_known = || self.schemas.row(new.as_bytes()).is_some();
        (is_registered != Some(false) && new != name && is_known()).then_some(new)
    }

    fn keeps_flags(&self) -> bool {
        self.target.conversion.as_ref().is_none_or(|conversion| conversion.is_any)
    }

    #[cold]
    fn counted(&mut self, encoding: EncodingId, counts: PartCounts) -> Result<EncodingId> {
        if let Some(&known) = self.counted.get(&(encoding, counts)) {
            return Ok(known);
        }
        let new = self.translate_counts(encoding, counts)?;
        let index = EncodingId::new(self.encodings.len() as u32);
        self.budget.spend(new.memory())?;
        self.encodings.push(new);
        self.counted.insert((encoding, counts), index);
        Ok(index)
    }

    /// Returns the schema of the file's release for an operation name of the file.
    pub(crate) fn own_schema(&self, name: OpNameId) -> Option<&'m OpSchema> {
        self.reader.schema(name)
    }

    /// Returns all losses. `counts` contains the number of operations with each encoding.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn losses(&self, counts: &[u32]) -> Result<Vec<Loss>> {
        let counted = self.counted_by_name(counts, |encoding| &encoding.losses, LossKind::memory)?;
        let of_op = |((op, kind), count)| Loss { op: Some(op), kind, count, path: None };
        let mut losses: Vec<Loss> = counted.into_iter().map(of_op).collect();
        let of_pool = |kind: LossKind, count| Loss { op: None, kind, count, path: None };
        let lacking = self.pool.lacking();
        losses.extend(lacking.map(|(text, count)| of_pool(LossKind::NoSuchEntry(text.to_owned()), count)));
        let split = self.pool.split();
        losses.extend(split.map(|(text, count)| of_pool(LossKind::SplitsDistinct(text.to_owned()), count)));
        if !self.target.shortens_ranges {
            losses.extend(self.shortened_ranges());
        }
        Ok(losses)
    }

    /// Returns the parts with another form and the same meaning. `counts` contains the number of operations
    /// with each encoding.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn changes(&self, counts: &[u32]) -> Result<Changes> {
        if !self.target.lists_changes {
            return Ok(Changes::default());
        }
        let is_unchanged = |encoding: &OpEncoding| encoding.changes.is_empty() && encoding.losses.is_empty();
        let unchanged = self.encodings.iter().zip(counts).filter(|(encoding, _)| is_unchanged(encoding));
        let unchanged_operations = Some(unchanged.map(|(_, &count)| u64::from(count)).sum());
        let counted = self.counted_by_name(counts, |encoding| &encoding.changes, ChangeKind::memory)?;
        let of_op = |((op, kind), count)| Change { op: Some(op), kind, count };
        let mut changes: Vec<Change> = counted.into_iter().map(of_op).collect();
        let of_pool = |(kind, count): (&ChangeKind, u64)| Change { op: None, kind: kind.clone(), count };
        changes.extend(self.pool.changes().map(of_pool));
        Ok(Changes { changes, unchanged_operations })
    }

    /// Counts the operations of a name with each kind of change or loss, sorted. Registered and unregistered
    /// operations with one name are counted together.
    fn counted_by_name<K: Clone + Ord>(
        &self,
        counts: &[u32],
        kinds: impl Fn(&OpEncoding) -> &Vec<K>,
        memory: impl Fn(&K) -> usize,
    ) -> Result<BTreeMap<(String, K), u64>> {
        let mut by_row: BTreeMap<(PoolName, &K), u64> = BTreeMap::new();
        for (encoding, &count) in self.encodings.iter().zip(counts).filter(|(_, count)| **count > 0) {
            for kind in kinds(encoding) {
                *by_row.entry((encoding.name, kind)).or_default() += u64::from(count);
            }
        }
        let mut by_name: BTreeMap<(String, K), u64> = BTreeMap::new();
        for ((name, kind), count) in by_row {
            self.budget.spend(memory(kind))?;
            let key = (self.names.full(name, &self.budget)?, kind.clone());
            *by_name.entry(key).or_default() += count;
        }
        Ok(by_name)
    }

    /// Adds a change to an encoding, if the caller wants a list.
    pub(crate) fn note(&self, encoding: &mut OpEncoding, change: impl FnOnce() -> ChangeKind) {
        if self.target.lists_changes {
            encoding.changes.push(change());
        }
    }

    /// Returns the location ranges that were replaced by their start.
    pub(crate) fn shortened_ranges(&self) -> Option<Loss> {
        let count = self.pool.shortened_ranges();
        (count > 0).then_some(Loss { op: None, kind: LossKind::LocationRange, count, path: None })
    }

    /// Returns the numbers of the losses of each operation, by its parts in the file.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn loss_places(
        &self,
        counts: &[u32],
        losses: &[Loss],
    ) -> Result<HashMap<OperationShape, Vec<usize>>> {
        let of_loss = |(place, loss): (usize, &'_ Loss)| Some(((loss.op.clone()?, loss.kind.clone()), place));
        let numbers: BTreeMap<(String, LossKind), usize> =
            losses.iter().enumerate().filter_map(of_loss).collect();
        let mut places: HashMap<OperationShape, Vec<usize>> = HashMap::new();
        for (encoding, _) in self.encodings.iter().zip(counts).filter(|(_, count)| **count > 0) {
            for kind in &encoding.losses {
                let key = (self.names.full(encoding.name, &self.budget)?, kind.clone());
                if let Some(&place) = numbers.get(&key) {
                    let (dictionary, properties) = encoding.in_file;
                    self.budget.spend(size_of::<(OperationShape, Vec<usize>)>())?;
                    places.entry((encoding.name, dictionary, properties)).or_default().push(place);
                }
            }
        }
        Ok(places)
    }

    /// Returns the row of the text of an operation name of the file.
    pub(crate) fn row_of(&self, name: u32) -> PoolName {
        self.rows.get(name as usize).map_or(PoolName::new(0), |row| row.0)
    }

    fn translate(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Result<OpEncoding> {
        let keeps_blobs = self.target.version.has_native_properties();
        let (row, op) = self.rows.get(name.index()).copied().unwrap_or((PoolName::new(0), None));
        let mut encoding = OpEncoding {
            name: row,
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            changes: Vec::new(),
            in_file: (attributes, properties),
            operand_groups: None,
            operand_order: None,
            limits: None,
        };
        // A dictionary with all attributes is kept.
        if self.target.conversion.is_none()
            && !keeps_blobs
            && !self.module.tables().bytecode().version().has_native_properties()
        {
            encoding.dictionary = self.whole(attributes)?;
            return Ok(encoding);
        }
        let mut inherent = std::mem::take(&mut self.inherent);
        let kind = self.read(name, properties, &mut inherent)?;
        let dictionary = match attributes {
            Some(index) => Some((index.number(), self.dictionaries.get(index, self.entries, &self.budget)?)),
            None => None,
        };
        if self.target.conversion.is_some() {
            self.note_name(name, &mut encoding);
            let across = self.across(name, (kind, &mut inherent), dictionary, &mut encoding);
            self.inherent = inherent;
            return across.map(|()| encoding);
        }
        let taken = dictionary.as_ref().map_or_else(Vec::new, |(_, it)| self.take(it, &mut inherent));
        // A dictionary that is not a list of names is kept.
        let is_whole = dictionary
            .as_ref()
            .is_none_or(|(_, it)| it.len.is_none_or(|len| len == it.pairs.len() - taken.len()));
        let mut added = Vec::new();
        match (kind, op) {
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
                encoding.properties =
                    Some(EncodedProperties::Attribute(self.pool.attribute(AttrId::new(attribute))?));
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
            let part = attributes.map(|id| DictionaryPart { index: id.number(), left_out: taken });
            self.dictionaries.written([part, None], added, false, &mut self.pool)?
        };
        Ok(encoding)
    }

    /// Adds an encoding that was made elsewhere.
    ///
    /// # Errors
    /// If the memory limit is reached.
    pub(crate) fn push_encoding(&mut self, encoding: OpEncoding) -> Result<EncodingId> {
        self.budget.spend(encoding.memory())?;
        self.pulse.beat(WORK_PER_ENCODING, self.module.tables())?;
        self.encodings.push(encoding);
        Ok(EncodingId::new(self.encodings.len() as u32 - 1))
    }

    /// Reads the properties of an operation by field, including absent ones.
    ///
    /// # Errors
    /// If it does not have the layout of the release.
    pub(crate) fn read(
        &self,
        name: OpNameId,
        properties: Option<PropertyId>,
        inherent: &mut Vec<Property<'m>>,
    ) -> Result<Inherent, Error> {
        inherent.clear();
        let schema = self.reader.schema(name);
        match properties {
            Some(blob) => self.reader.blob(name, schema, blob, inherent),
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
                known.value = PropertyValue::Attribute(AttrId::new(value));
            }
        }
        sort_by(&mut taken, Ord::cmp);
        taken
    }

    // Returns the file's dictionary, unless it is empty.
    fn whole(&mut self, attributes: Option<AttrId>) -> Result<Option<PoolAttr>> {
        let Some(id) = attributes else { return Ok(None) };
        let is_empty = self.is_empty.entry(id.number());
        match *is_empty.or_insert_with(|| dictionary_len(self.entries, id) == Some(0)) {
            true => Ok(None),
            false => Ok(Some(self.pool.attribute(id)?)),
        }
    }

    // ---- properties with a declared encoding ----

    /// Copies the blob with the indices of the pool; `None` if the version has no blobs.
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
        new.node.renumber(|index| {
            Ok(match index {
                TableIndex::Attribute(index) => pool.attribute(AttrId::new(index))?.number(),
                TableIndex::Type(index) => pool.r#type(TypeId::new(index))?.number(),
                TableIndex::String(index) => pool.string(index, self.module.tables().string(index)?),
                TableIndex::Resource(index) => pool.resource(index, self.entries)?,
            })
        })?;
        Ok(Some(EncodedProperties::Declared(Box::new(new))))
    }
}

/// Longer names are not in the table of release differences.
const LONGEST: usize = 1 << 10;

/// Returns a full name for lookup in the table of release differences. A name longer than all names of the
/// table is truncated.
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
        let name = OperationName { id: OpNameId::new(0), dialect: b"omp", stem: &long, is_registered: None };
        let cut = as_in_tables(&name);
        assert!(cut.starts_with("omp.aaa") && cut.len() > LONGEST && cut.len() < 2 * LONGEST);
        let name = OperationName { dialect: &long, ..name };
        assert_eq!(as_in_tables(&name).len(), LONGEST + 1);
        let name = OperationName { dialect: b"omp", stem: b"", ..name };
        assert_eq!(as_in_tables(&name), "omp");
    }
}
