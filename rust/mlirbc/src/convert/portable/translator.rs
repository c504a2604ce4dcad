//! Translates the operations of one dialect to the other, for the canonical writer.
//!
//! Operations that belong to neither are written by [`OpConverter`], which this contains: both add to one
//! pool and to one list of encodings.

mod operations;
mod passes;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::dialect::entries::{EntryRef, RawEntry};
use crate::dialect::table::DialectTable;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::OpSink;
use crate::ir::Module;
use crate::props::{OpSchema, PropertySchema};
use crate::wire::bytes::Bytes;
use crate::wire::error::Error;
use crate::wire::limits::Budget;
use crate::wire::loss::{Loss, LossKind};
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;
use crate::write::canonical::index::{EncodingId, PoolAttr, PoolName, PoolType};
use crate::write::canonical::names::Names;
use crate::write::canonical::op_encoding::{OpEncoding, PartCounts};
use crate::write::canonical::pass::{EntrySource, Result};
use crate::write::canonical::tables::Tables;
use crate::write::canonical::translator::OpTranslator;

use super::attributes::{AttributeConverter, Need};
use super::cast_rewriter::{CastPlan, CastRewriter};
use super::entries::{Converted, Direction, EntryConverter};
use super::rules::{OpRules, Rules};
use super::survey::{Facts, TypeInfo};
use crate::convert::op::{Changes, OpConverter, Target};
use crate::convert::rules::VhloVersion;
use crate::convert::versions::Versions;

/// The form of the written module.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    pub(super) direction: Direction,
    /// The version of VHLO that an artifact is for.
    pub(super) version: VhloVersion,
    pub(super) bytecode: BytecodeVersion,
    /// The schema of converted operations.
    pub(super) schema: Arc<PropertySchema>,
    pub(super) allows_others: bool,
    /// Whether readers of the version do not have location ranges.
    pub(super) shortens_ranges: bool,
    /// Whether the caller wants a list of the parts in another form.
    pub(super) lists_changes: bool,
}

impl Goal {
    /// Returns the target of operations that are not converted.
    pub(super) fn target(&self, schema: Option<Arc<PropertySchema>>) -> Target {
        Target {
            version: self.bytecode,
            schema,
            conversion: None,
            shortens_ranges: self.shortens_ranges,
            lists_changes: self.lists_changes,
        }
    }
}

/// An operation name of the file.
enum Name {
    /// The operation belongs to neither dialect.
    Other,
    /// The operation cannot be in the result.
    Refused(LossKind),
    /// The operation is converted; `number` is its version in VHLO.
    Converted { rules: Arc<OpRules>, number: u32, names: NamesInTarget },
}

/// The names of an operation of VHLO in StableHLO: directly inside of certain operations, and elsewhere.
struct NamesInTarget {
    inside: Option<Box<str>>,
    elsewhere: Box<str>,
}

/// The operation that stands where two dialects meet.
const CAST: &str = "builtin.unrealized_conversion_cast";

/// Passes the operations of a module to a sink, changed by a plan.
///
/// # Errors
/// The errors of reading the operations.
pub(super) fn stream<S: OpSink>(
    module: &Module,
    plan: &CastPlan,
    sink: &mut S,
    (budget, progress): (&Budget, &Progress),
) -> Result<bool, Error> {
    module.stream_with(&mut CastRewriter::new(plan, sink), budget, progress)
}

/// Rows of the schema of converted operations have this bit.
const OF_GOAL: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// Translates a module of one dialect to the other.
pub(super) struct PortableTranslator<'m> {
    op_converter: OpConverter<'m>,
    attributes: AttributeConverter,
    goal: Goal,
    names: Vec<Name>,
    // The full names of unconverted operations whose attributes become properties. The release of a file
    // below version 5 may not be known, but the written file has properties.
    adopted: Vec<Option<Box<str>>>,
    // Rows of written names, by full name.
    rows: HashMap<Box<str>, PoolName>,
    // The written types, by index in the file.
    types: Vec<Option<PoolType>>,
    facts: Facts,
    next_op: u64,
    next_fact: usize,
    known: HashMap<(u32, u32, u32, u32), EncodingId, foldhash::fast::RandomState>,
    plain: Vec<Option<EncodingId>>,
    // The number of types without a form, by operation and text.
    lost_types: BTreeMap<(u32, String), u64>,
    current: u32,
    // Casts between the dialects, and use-list orders.
    pub(super) plan: Arc<CastPlan>,
    // The encoding of a cast.
    cast: Option<EncodingId>,
    /// The features that need a newer version than the oldest, by encoding.
    pub(super) needs: HashMap<EncodingId, Vec<Need>>,
}

impl<'m> PortableTranslator<'m> {
    /// # Errors
    /// If a table of the file is malformed, or the memory limit is exceeded.
    pub(super) fn new(
        module: &'m Module,
        entries: &'m FileEntries<'m>,
        (goal, rules): (Goal, &'static Rules),
        (versions, source): (&'m Versions<'m>, EntrySource),
        budget: &Budget,
    ) -> Result<Self> {
        let source_schema = module.release()?.schema().cloned();
        let target = goal.target(source_schema);
        let mut op_converter = OpConverter::new(module, entries, (target, versions), source, budget)?;
        let builder = op_converter.pool.builder();
        let constants = EntryConverter::new(rules, Direction::ToVhlo, true, builder, budget)?;
        let converter = EntryConverter::new(rules, goal.direction, goal.allows_others, builder, budget)?;
        let counts = module.tables().entry_counts()?;
        budget.spend((counts.types as usize).saturating_mul(size_of::<TypeInfo>()))?;
        let mut this = Self {
            op_converter,
            attributes: AttributeConverter { entries: converter, constants },
            goal,
            names: Vec::new(),
            adopted: Vec::new(),
            rows: HashMap::new(),
            types: budget.filled(None, counts.types as usize)?,
            facts: Facts::default(),
            next_op: 0,
            next_fact: 0,
            known: HashMap::default(),
            plain: Vec::new(),
            lost_types: BTreeMap::new(),
            current: NONE,
            plan: Arc::default(),
            cast: None,
            needs: HashMap::new(),
        };
        let mut of_stem: HashMap<Box<str>, Arc<OpRules>> = HashMap::new();
        let merges = this.goal.bytecode.has_native_properties()
            && !module.tables().bytecode().version().has_native_properties()
            && module.release()?.schema().is_none();
        for name in module.tables().op_names()? {
            let has_schema = merges && this.goal.schema.row(&name.full_bytes()).is_some();
            this.adopted.push(has_schema.then(|| name.full().into()));
            let name = this.name(rules, &name.full(), &mut of_stem);
            this.names.push(name);
        }
        this.plain = this.names.iter().map(|_| None).collect();
        this.plan = Arc::new(this.planned(rules)?);
        this.survey(rules)?;
        Ok(this)
    }

    fn name(
        &self,
        rules: &'static Rules,
        full: &str,
        rules_by_stem: &mut HashMap<Box<str>, Arc<OpRules>>,
    ) -> Name {
        let mut rules_of = |stem: &str| {
            rules_by_stem.entry(stem.into()).or_insert_with(|| Arc::new(rules.of_op(stem))).clone()
        };
        match self.goal.direction {
            Direction::ToVhlo => {
                let stem = match rules.stem(full) {
                    Some(stem) => Some(stem),
                    None if full.starts_with("func.") => None,
                    None => full.strip_prefix("stablehlo."),
                };
                let Some(stem) = stem else {
                    let is_refused = !self.goal.allows_others && full != "builtin.module";
                    return if is_refused { Name::Refused(LossKind::OtherDialect) } else { Name::Other };
                };
                let of_op = rules_of(stem);
                let number = of_op.newest();
                let names = NamesInTarget { inside: None, elsewhere: Box::default() };
                Name::Converted { rules: of_op, number, names }
            }
            Direction::FromVhlo => {
                let Some(versioned_name) = full.strip_prefix("vhlo.") else { return Name::Other };
                let parts = versioned_name
                    .rsplit_once("_v")
                    .and_then(|(stem, number)| Some((stem, number.parse().ok()?)));
                // Operations of newer versions are not known, and have no form in StableHLO.
                let refused = Name::Refused(LossKind::NoSuchOp);
                let Some((stem, number)) = parts else { return refused };
                let of_op = rules_of(stem);
                if number > of_op.newest() || number == 0 {
                    return refused;
                }
                let mut inside = rules.other_names(stem).filter(|row| !row.inside.is_empty());
                let inside = inside.next().map(|row| row.before.as_str().into());
                let mut elsewhere = rules.other_names(stem).filter(|row| row.inside.is_empty());
                let elsewhere = match elsewhere.next() {
                    Some(row) => row.before.as_str().into(),
                    None => format!("stablehlo.{stem}").into(),
                };
                Name::Converted { rules: of_op, number, names: NamesInTarget { inside, elsewhere } }
            }
        }
    }

    #[cold]
    fn import_type(&mut self, id: TypeId) -> Result<PoolType, Error> {
        let pool_type = self.op_converter.pool.r#type(id)?;
        let entry_ref = EntryRef::Type(TypeId::new(pool_type.number()));
        let builder = self.op_converter.pool.builder();
        Ok(match self.attributes.entries.convert(builder, entry_ref)? {
            Converted::To(to, _) => {
                let to = PoolType::new(to.index());
                if let Some(known) = self.types.get_mut(id.index()) {
                    *known = Some(to);
                }
                to
            }
            Converted::Nothing => {
                let text = super::report::text_of(builder.entries(), entry_ref);
                *self.lost_types.entry((self.current, text)).or_default() += 1;
                pool_type
            }
        })
    }

    /// Returns the location ranges that were replaced by their start.
    pub(super) fn shortened_ranges(&self) -> Option<Loss> {
        self.op_converter.shortened_ranges()
    }

    /// Checks that the locations of the file can be used, as
    /// [`AttrPool::check_locations`](crate::convert::pool::AttrPool::check_locations).
    ///
    /// # Errors
    /// If they cannot be used.
    pub(super) fn check_locations(&self) -> Result<()> {
        self.op_converter.pool.check_locations()
    }

    /// Returns the parts in another form, as [`OpConverter::changes`].
    pub(super) fn changes(&self, counts: &[u32]) -> Result<Changes> {
        self.op_converter.changes(counts)
    }

    /// Returns all losses, as [`OpConverter::losses`].
    ///
    /// # Errors
    /// If the memory limit is reached by the names.
    pub(super) fn losses(&self, counts: &[u32]) -> Result<Vec<Loss>> {
        let mut losses = self.op_converter.losses(counts)?;
        for ((name, text), &count) in &self.lost_types {
            let op =
                self.op_converter.module.op_name(OpNameId::new(*name)).map(|name| name.full().into_owned());
            let kind = match self.goal.direction {
                Direction::ToVhlo => LossKind::NoVhloForm(text.clone()),
                Direction::FromVhlo => LossKind::NoStablehloForm(text.clone()),
            };
            losses.push(Loss { op, kind, count, path: None });
        }
        Ok(losses)
    }

    /// Returns the lowest version that can hold the module, among the encodings that occur.
    pub(super) fn min_version(&self, counts: &[u32]) -> VhloVersion {
        let used = |id: &EncodingId| counts.get(id.index()).is_some_and(|&count| count > 0);
        let needs = self.needs.iter().filter(|(id, _)| used(id)).flat_map(|(_, needs)| needs);
        needs.map(|need| need.0).max().unwrap_or(VhloVersion::OLDEST)
    }
}

impl OpTranslator for PortableTranslator<'_> {
    fn version(&self) -> BytecodeVersion {
        self.goal.bytecode
    }

    fn is_for_other_release(&self) -> bool {
        true
    }

    // Every release that reads StableHLO numbers results as the current one does.
    fn refuses_top_level_results(&self) -> bool {
        false
    }

    fn module(&self) -> &Module {
        self.op_converter.module
    }

    fn budget(&self) -> &Budget {
        &self.op_converter.budget
    }

    fn entries(&self) -> Tables<'_> {
        self.op_converter.pool.entries()
    }

    fn names(&self) -> &Names<'_> {
        &self.op_converter.names
    }

    fn written_names(&self) -> impl ExactSizeIterator<Item = PoolName> {
        self.op_converter.written_names()
    }

    // Artifacts, and modules converted from artifacts, have no versions of dialects.
    fn dialect_version(&self, _: &[u8]) -> Option<&Bytes> {
        None
    }

    fn keeps_entry_encodings(&self) -> bool {
        true
    }

    #[inline]
    fn reader_table(&self, _: &RawEntry<'_>) -> Option<&DialectTable> {
        None
    }

    fn is_left_out(&self, _: Option<OpNameId>, _: OpNameId) -> bool {
        false
    }

    fn new_terminator(&self, _: OpNameId) -> Option<EncodingId> {
        None
    }

    #[inline]
    fn encode(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
    ) -> Result<EncodingId> {
        let op = self.next_op;
        self.next_op += 1;
        self.current = name.number();
        if !matches!(self.names.get(name.index()), Some(Name::Converted { .. })) {
            if name.number() >= self.plan.names && !self.names.is_empty() {
                return self.cast();
            }
            if let Some(Name::Refused(loss)) = self.names.get(name.index()) {
                let loss = loss.clone();
                return self.refuse(name, loss);
            }
            return match self.adopted.get(name.index()) {
                Some(Some(_)) => self.adopt(name, attributes),
                _ => self.op_converter.encode(name, attributes, properties),
            };
        }
        let fact = self.facts.of(op, &mut self.next_fact);
        let is_plain = attributes.is_none() && properties.is_none() && fact.is_none();
        if is_plain && let Some(&Some(known)) = self.plain.get(name.index()) {
            return Ok(known);
        }
        let number = |id: Option<u32>| id.unwrap_or(NONE);
        let key = (
            name.number(),
            number(attributes.map(|id| id.number())),
            number(properties.map(|id| id.number())),
            number(fact),
        );
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let id = self.translate(name, attributes, properties, fact)?;
        if is_plain {
            self.plain[name.index()] = Some(id);
        }
        self.known.insert(key, id);
        Ok(id)
    }

    #[inline]
    fn with_counts(&mut self, encoding: EncodingId, counts: PartCounts) -> Result<EncodingId> {
        self.op_converter.with_counts(encoding, counts)
    }

    #[inline]
    fn attribute(&mut self, id: AttrId) -> Result<PoolAttr, Error> {
        self.op_converter.pool.attribute(id)
    }

    #[inline]
    fn r#type(&mut self, id: TypeId) -> Result<PoolType, Error> {
        match self.types.get(id.index()) {
            Some(&Some(known)) => Ok(known),
            Some(_) => self.import_type(id),
            // Greater numbers stand for types that operations of other dialects keep.
            None => self.op_converter.pool.r#type(TypeId::new(id.number() - self.plan.types)),
        }
    }

    #[inline]
    fn location(&mut self, id: AttrId) -> Result<PoolAttr> {
        self.op_converter.pool.location(id)
    }

    fn unknown_location(&mut self) -> Result<PoolAttr> {
        self.op_converter.pool.unknown_location()
    }

    fn encoding_count(&self) -> usize {
        self.op_converter.encoding_count()
    }

    #[inline]
    fn encoding(&self, id: EncodingId) -> &OpEncoding {
        self.op_converter.encoding(id)
    }

    fn operand_order(&self, id: EncodingId) -> Option<&[u8]> {
        self.op_converter.operand_order(id)
    }

    #[inline]
    fn name_of(&self, encoding: EncodingId) -> Option<PoolName> {
        self.op_converter.name_of(encoding)
    }

    fn find(&self, _: OpNameId, _: Option<AttrId>, _: Option<PropertyId>) -> Option<EncodingId> {
        None
    }

    fn schema(&self, row: u32) -> Option<&OpSchema> {
        match row & OF_GOAL {
            0 => self.op_converter.schema(row),
            _ => self.goal.schema.op_at((row & !OF_GOAL) as usize),
        }
    }

    fn collected_location(&self, id: AttrId) -> Option<PoolAttr> {
        self.op_converter.pool.known_location(id)
    }

    fn collected_type(&self, id: TypeId) -> Option<PoolType> {
        match self.types.get(id.index()) {
            Some(&known) => known,
            None => self.op_converter.pool.known_type(TypeId::new(id.number().checked_sub(self.plan.types)?)),
        }
    }

    fn type_count(&self, of_file: u32) -> u32 {
        // Each type of the file may be converted, and kept.
        of_file.saturating_mul(2)
    }

    fn stream<S: OpSink>(&self, sink: &mut S, progress: &Progress) -> Result<bool, Error> {
        stream(self.op_converter.module, &self.plan, sink, (&self.op_converter.budget, progress))
    }

    fn has_final_orders(&self) -> bool {
        true
    }

    fn collected_unknown_location(&self) -> Option<PoolAttr> {
        self.op_converter.pool.known_unknown_location()
    }
}
