//! Operations of one dialect as those of the other, for the canonical writer.
//!
//! Operations that belong to neither are written by [`OpConverter`], which this contains: both add to one
//! pool and to one list of encodings.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use crate::dialect::entries::{EntryRef, RawEntry};
use crate::dialect::node::Node;
use crate::dialect::table::DialectTable;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::format::ir::OpSink;
use crate::ir::Module;
use crate::ir::module::Inherent;
use crate::props::codec::text_of;
use crate::props::schema::Kind;
use crate::props::{OpSchema, PropertySchema, PropertyValue};
use crate::wire::bytes::Bytes;
use crate::wire::error::Error;
use crate::wire::limits::Budget;
use crate::wire::loss::{Loss, LossKind};
use crate::wire::progress::Progress;
use crate::wire::version::BytecodeVersion;
use crate::write::canonical::index::{EncodingId, PoolAttr, PoolName, PoolType, TableRow};
use crate::write::canonical::names::Names;
use crate::write::canonical::op_encoding::{EncodedProperties, OpEncoding};
use crate::write::canonical::pass::{EntrySource, Result};
use crate::write::canonical::tables::Tables;
use crate::write::canonical::translator::OpTranslator;

use super::attributes::{AttributeConverter, Attributes, Need, class_of};
use super::entries::{Converted, Direction, EntryConverter};
use super::orders::UseCollector;
use super::plan::{Planner, Tables as PlanTables};
use super::reconciled::CastUses;
use super::rewired::{Plan, Rewired};
use super::rules::{ConstraintKind, OpRules, Rules};
use super::survey::{Facts, Interest, Survey, TypeInfo};
use super::version::VhloVersion;
use crate::convert::op::{OpConverter, Target};
use crate::convert::versions::Versions;

/// What is written.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    pub(super) direction: Direction,
    /// The version of VHLO that an artifact is for.
    pub(super) version: VhloVersion,
    pub(super) bytecode: BytecodeVersion,
    /// The schema of converted operations.
    pub(super) schema: Arc<PropertySchema>,
    pub(super) allows_others: bool,
}

/// An operation name of the file.
enum Name {
    /// It belongs to neither dialect.
    Other,
    /// It cannot be in the result.
    Refused(LossKind),
    /// With the number of its version in VHLO.
    Converted { rules: Rc<OpRules>, number: u32, names: NamesInTarget },
}

/// Its names in StableHLO: of an operation directly inside of certain others, and elsewhere.
struct NamesInTarget {
    inside: Option<Box<str>>,
    elsewhere: Box<str>,
}

/// The operation that stands where two dialects meet.
const CAST: &str = "builtin.unrealized_conversion_cast";

/// Passes the operations of a module to a sink, changed by a plan.
///
/// # Errors
/// Those of reading the operations.
pub(super) fn stream<S: OpSink>(
    module: &Module,
    plan: &Plan,
    sink: &mut S,
    (budget, progress): (&Budget, &Progress),
) -> Result<bool, Error> {
    module.stream_with(&mut Rewired::new(plan, sink), budget, progress)
}

/// Rows of the schema of converted operations have this bit.
const OF_GOAL: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// Translates a module of one dialect to the other.
pub(super) struct PortableTranslator<'m> {
    others: OpConverter<'m>,
    attributes: AttributeConverter,
    goal: Goal,
    names: Vec<Name>,
    // The full names of other operations whose attributes become properties: the release of a file below version 5 may
    // not be known, and what is written has properties.
    adopted: Vec<Option<Box<str>>>,
    // By full name: its row.
    rows: HashMap<Box<str>, PoolName>,
    // By index in the file.
    types: Vec<PoolType>,
    facts: Facts,
    next_op: u64,
    next_fact: usize,
    known: HashMap<(u32, u32, u32, u32), EncodingId, foldhash::fast::RandomState>,
    plain: Vec<EncodingId>,
    // The number of types without a form, by operation and text.
    lost_types: BTreeMap<(u32, String), u64>,
    current: u32,
    // Casts between the dialects, and use-list orders.
    pub(super) plan: Rc<Plan>,
    // The encoding of a cast.
    cast: EncodingId,
    /// What needs a newer version than the oldest, by encoding.
    pub(super) needs: HashMap<EncodingId, Vec<Need>>,
}

impl<'m> PortableTranslator<'m> {
    /// # Errors
    /// If a table of the file is malformed, or there is no memory left.
    pub(super) fn new(
        module: &'m Module,
        entries: &'m FileEntries<'m>,
        (goal, rules): (Goal, &'static Rules),
        (versions, source): (&'m Versions<'m>, EntrySource),
        budget: &Budget,
    ) -> Result<Self> {
        let own = module.release()?.schema().cloned();
        let target = Target { version: goal.bytecode, schema: own, conversion: None };
        let mut others = OpConverter::new(module, entries, (target, versions), source, budget)?;
        let builder = others.pool.builder();
        let constants = EntryConverter::new(rules, Direction::ToVhlo, true, builder, budget)?;
        let converter = EntryConverter::new(rules, goal.direction, goal.allows_others, builder, budget)?;
        let counts = module.entry_counts()?;
        budget
            .spend((counts.types as usize).saturating_mul(size_of::<PoolType>() + size_of::<TypeInfo>()))?;
        let mut this = Self {
            others,
            attributes: AttributeConverter { entries: converter, constants },
            goal,
            names: Vec::new(),
            adopted: Vec::new(),
            rows: HashMap::new(),
            types: vec![PoolType::NONE; counts.types as usize],
            facts: Facts::default(),
            next_op: 0,
            next_fact: 0,
            known: HashMap::default(),
            plain: Vec::new(),
            lost_types: BTreeMap::new(),
            current: NONE,
            plan: Rc::default(),
            cast: EncodingId::NONE,
            needs: HashMap::new(),
        };
        let mut of_stem: HashMap<Box<str>, Rc<OpRules>> = HashMap::new();
        let merges = this.goal.bytecode.has_native_properties()
            && !module.bytecode().version().has_native_properties()
            && module.release()?.schema().is_none();
        for name in module.op_names()? {
            let has_schema = merges && this.goal.schema.row(&name.full_bytes()).is_some();
            this.adopted.push(has_schema.then(|| name.full().into()));
            let name = this.name(rules, &name.full(), &mut of_stem);
            this.names.push(name);
        }
        this.plain = vec![EncodingId::NONE; this.names.len()];
        this.plan = Rc::new(this.planned(rules)?);
        this.survey(rules)?;
        Ok(this)
    }

    fn name(&self, rules: &'static Rules, full: &str, known: &mut HashMap<Box<str>, Rc<OpRules>>) -> Name {
        let mut rules_of =
            |stem: &str| known.entry(stem.into()).or_insert_with(|| Rc::new(rules.of_op(stem))).clone();
        match self.goal.direction {
            Direction::ToVhlo => {
                let row = rules.names.iter().find(|row| *row.other == *full);
                let stem = match row {
                    Some(row) => Some(&*row.vhlo),
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
                let Some(own) = full.strip_prefix("vhlo.") else { return Name::Other };
                let parts =
                    own.rsplit_once("_v").and_then(|(stem, number)| Some((stem, number.parse().ok()?)));
                // Names of newer versions are not known, and there is no form of them.
                let refused = Name::Refused(LossKind::NoSuchOp);
                let Some((stem, number)) = parts else { return refused };
                let of_op = rules_of(stem);
                if number > of_op.newest() || number == 0 {
                    return refused;
                }
                let rows: Vec<_> = rules.names.iter().filter(|row| *row.vhlo == *stem).collect();
                let inside = rows.iter().find(|row| !row.parents.is_empty()).map(|row| row.other.clone());
                let elsewhere = rows.iter().find(|row| row.parents.is_empty());
                let elsewhere = match elsewhere {
                    Some(row) => row.other.clone(),
                    None => format!("stablehlo.{stem}").into(),
                };
                Name::Converted { rules: of_op, number, names: NamesInTarget { inside, elsewhere } }
            }
        }
    }

    // ---- the pass that finds casts ----

    fn planned(&mut self, rules: &'static Rules) -> Result<Plan> {
        let module = self.others.module;
        let is_to_vhlo = self.goal.direction == Direction::ToVhlo;
        let is_converted: Vec<bool> =
            self.names.iter().map(|name| matches!(name, Name::Converted { .. })).collect();
        let is_cast: Vec<bool> = module.op_names()?.map(|name| *name.full() == *CAST).collect();
        let mut kept = is_converted.iter().zip(module.op_names()?).filter(|(is_converted, _)| !**is_converted);
        let has_kept_ops = kept.any(|(_, name)| *name.full() != *"builtin.module");
        let mut plan = Plan::default();
        if is_to_vhlo && is_converted.iter().any(|is| !is) || is_cast.iter().any(|is| *is) {
            let types: Vec<(u32, u32)> = (0..self.types.len() as u32)
                .map(|index| {
                    let own = self.others.pool.r#type(TypeId(index)).map_or(NONE, |own| own.0);
                    let builder = self.others.pool.builder();
                    let converted = match own {
                        NONE => Converted::Nothing,
                        own => self.attributes.entries.convert(builder, EntryRef::Type(own))?,
                    };
                    Ok(match converted {
                        Converted::To(to, _) => (own, to.index()),
                        Converted::Nothing => (own, own),
                    })
                })
                .collect::<Result<_>>()?;
            let is_changed: Vec<bool> = types.iter().map(|(own, to)| own != to).collect();
            let converted: Vec<u32> = types.iter().map(|row| row.1).collect();
            let tables = PlanTables {
                is_converted: &is_converted,
                is_cast: &is_cast,
                converted: &converted,
                is_changed: &is_changed,
                is_to_vhlo,
            };
            let budget = self.others.budget.clone();
            let mut planner = Planner::new(tables, &budget);
            module.stream_with(&mut planner, &budget, &Progress::default())?;
            plan = planner.finish()?;
        }
        plan.is_to_vhlo = is_to_vhlo;
        plan.is_converted = is_converted;
        plan.names = self.names.len() as u32;
        plan.types = self.types.len() as u32;
        let has_orders = self.goal.bytecode.has_use_list_orders();
        if is_to_vhlo && has_orders {
            self.order_uses(rules, &mut plan)?;
        }
        if !is_to_vhlo && has_kept_ops {
            let mut uses = CastUses::new(&plan, &self.others.budget);
            module.stream_with(&mut uses, &self.others.budget, &Progress::default())?;
            plan.orders = uses.finish()?;
        }
        Ok(plan)
    }

    /// Finds the values whose uses are in an order that is written.
    fn order_uses(&self, rules: &'static Rules, plan: &mut Plan) -> Result<()> {
        let is_replaced = |name: &Name| match name {
            Name::Other | Name::Refused(_) => false,
            Name::Converted { rules: of_op, .. } => rules.is_replaced(of_op, self.goal.version),
        };
        let is_replaced: Vec<bool> = self.names.iter().map(is_replaced).collect();
        let (module, budget) = (self.others.module, &self.others.budget);
        let mut uses = UseCollector::new(plan, &is_replaced, budget);
        if uses.is_needed() {
            module.stream_with(&mut uses, budget, &Progress::default())?;
        }
        (plan.orders, plan.cast_orders) = uses.finish()?;
        Ok(())
    }

    // ---- the pass that notes facts ----

    fn survey(&mut self, rules: &'static Rules) -> Result<()> {
        let module = self.others.module;
        let is_to = self.goal.direction == Direction::ToVhlo;
        let types = if is_to { self.type_infos()? } else { Vec::new() };
        let is_newer = types.iter().any(|info| info.since > VhloVersion::OLDEST);
        let is_of_class = types.iter().any(|info| info.is_of_class);
        let parents: Vec<&Box<str>> = rules.names.iter().flat_map(|row| &row.parents).collect();
        let mut interests = Vec::with_capacity(self.names.len());
        for (own, name) in module.op_names()?.zip(&self.names) {
            let full = own.full();
            let mut interest = Interest {
                is_parent: !is_to && parents.iter().any(|parent| ***parent == *full),
                ..Interest::default()
            };
            if let Name::Converted { rules, names, .. } = name {
                let has = |kind| rules.constraints.iter().any(|row| row.kind == kind);
                interest.parent = names.inside.is_some();
                interest.types = is_newer;
                if is_to {
                    interest.counts = rules
                        .versions
                        .iter()
                        .any(|row| row.most_operands.is_some() || row.most_regions.is_some());
                    interest.elements = has(ConstraintKind::ElementTypes);
                    interest.class = is_of_class && has(ConstraintKind::OperandType);
                    interest.rank = rules.versions.iter().any(|row| row.drops.is_some());
                }
            }
            interests.push(interest);
        }
        let budget = self.others.budget.clone();
        let mut survey = Survey::new(&interests, &types, &budget);
        if interests.iter().any(|interest| *interest != Interest::default()) {
            stream(module, &self.plan, &mut survey, (&budget, &Progress::default()))?;
        }
        if let Some(error) = survey.fault.take() {
            return Err(error.into());
        }
        self.facts = survey.facts;
        Ok(())
    }

    /// What matters of each type, if any type of the file is newer than the oldest version.
    fn type_infos(&mut self) -> Result<Vec<TypeInfo>> {
        let mut infos = Vec::with_capacity(self.types.len());
        for index in 0..self.types.len() as u32 {
            let unknown =
                TypeInfo { since: VhloVersion::OLDEST, element: None, rank: None, is_of_class: false };
            // Types that cannot be decoded are reported where they are used.
            let Ok(own) = self.others.pool.r#type(TypeId(index)) else {
                infos.push(unknown);
                continue;
            };
            let builder = self.others.pool.builder();
            let converted = self.attributes.entries.convert(builder, EntryRef::Type(own.0))?;
            let Converted::To(to, since) = converted else {
                infos.push(unknown);
                continue;
            };
            let mut node = Node::default();
            let entries = builder.entries();
            let decoded = match entries.short(to) {
                Some((entry, _)) => entry.decode(to, entries, &mut node)?,
                None => None,
            };
            let layout = decoded.and_then(|(form, layout)| form.layouts.get(layout));
            let field = |name| layout.and_then(|layout| layout.index(name));
            let element = field("elementType").and_then(|place| node.r#type(place));
            let rank = field("shape").map(|place| node.items(place).len() as u32);
            let is_of_class = class_of(builder, to).as_deref() == Some("FutureV1Type");
            infos.push(TypeInfo { since: since.max(VhloVersion::OLDEST), element, rank, is_of_class });
        }
        Ok(infos)
    }

    // ---- operations ----

    /// The attributes of an operation of the file, in the pool, by name.
    #[allow(clippy::type_complexity)] // names and values
    fn given(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
        losses: &mut Vec<LossKind>,
    ) -> Result<Vec<(Box<str>, EntryRef)>> {
        let mut inherent = Vec::new();
        let found = self.others.read(name, properties, &mut inherent)?;
        let mut given: Vec<(Box<str>, EntryRef)> = Vec::new();
        match found {
            Inherent::Known => {}
            Inherent::Opaque(_) | Inherent::Declared(_) => losses.push(LossKind::OpaqueProperties),
            Inherent::Attribute(_) => losses.push(LossKind::PropertyAttribute),
        }
        for property in inherent {
            let value = match &property.value {
                PropertyValue::Absent => continue,
                PropertyValue::Attribute(index) => self.others.pool.attribute(AttrId(*index))?,
                value => {
                    let value = self.others.attribute_form(property.field, value)?;
                    self.others.pool.value(&value)?
                }
            };
            given.push((property.name().into(), EntryRef::Attribute(value.0)));
        }
        if let Some(AttrId(index)) = attributes {
            let entries = self.others.entries;
            let dictionary = self.others.dictionaries.get(index, entries, &self.others.budget)?;
            for &(key, value) in &dictionary.pairs {
                let text = text_of(key, entries).unwrap_or_default();
                let name: Box<str> = String::from_utf8_lossy(text).into();
                let value = EntryRef::Attribute(self.others.pool.attribute(AttrId(value))?.0);
                match given.iter_mut().find(|known| known.0 == name) {
                    Some(known) => known.1 = value,
                    None => given.push((name, value)),
                }
            }
        }
        Ok(given)
    }

    fn translate(
        &mut self,
        name: OpNameId,
        attributes: Option<AttrId>,
        properties: Option<PropertyId>,
        fact: Option<u32>,
    ) -> Result<EncodingId> {
        let mut encoding = OpEncoding {
            name: self.others.row_of(name.0),
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            in_file: (attributes, properties),
            operand_groups: None,
        };
        let mut losses = Vec::new();
        let given = self.given(name, attributes, properties, &mut losses)?;
        let Some(Name::Converted { rules, number, names }) = self.names.get(name.index()) else {
            return Ok(EncodingId::NONE);
        };
        let (rules, number) = (rules.clone(), *number);
        let fact = fact.and_then(|row| self.facts.distinct.get(row as usize)).cloned().unwrap_or_default();
        let is_to = self.goal.direction == Direction::ToVhlo;
        let in_stablehlo = match &names.inside {
            Some(inside) if fact.is_in_parent => inside.clone(),
            _ => names.elsewhere.clone(),
        };
        let builder = self.others.pool.builder();
        let new = match is_to {
            true => self.attributes.in_vhlo(builder, &rules, &given, (&fact, self.goal.version))?,
            false => self.attributes.in_stablehlo(builder, &rules, number, given)?,
        };
        let full: Box<str> = if is_to { rules.name_of(new.number).into() } else { in_stablehlo };
        for text in &new.lost {
            losses.push(match is_to {
                true => LossKind::NoVhloForm(text.clone()),
                false => LossKind::NoStablehloForm(text.clone()),
            });
        }
        for (since, what) in new.needs.iter().filter(|need| need.0 > self.goal.version) {
            losses.push(LossKind::NeedsStablehlo(since.to_string(), what.clone()));
        }
        let needs = new.needs.clone();
        if losses.is_empty() {
            self.emit(&full, new, &mut encoding)?;
        } else {
            encoding.losses = losses;
        }
        let id = self.others.push_encoding(encoding)?;
        if !needs.is_empty() {
            self.needs.insert(id, needs);
        }
        Ok(id)
    }

    /// An operation that is only counted, because nothing will be written.
    fn refuse(&mut self, name: OpNameId, loss: LossKind) -> Result<EncodingId> {
        let known = self.plain.get(name.index()).copied().unwrap_or(EncodingId::NONE);
        if known != EncodingId::NONE {
            return Ok(known);
        }
        let id = self.others.push_encoding(OpEncoding {
            name: self.others.row_of(name.0),
            dictionary: None,
            properties: None,
            losses: vec![loss],
            in_file: (None, None),
            operand_groups: None,
        })?;
        if let Some(plain) = self.plain.get_mut(name.index()) {
            *plain = id;
        }
        Ok(id)
    }

    /// The encoding of an operation of another dialect, with its inherent attributes as properties.
    fn adopt(&mut self, name: OpNameId, attributes: Option<AttrId>) -> Result<EncodingId> {
        let key = (name.0, attributes.map_or(NONE, |id| id.0), NONE, NONE);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let mut encoding = OpEncoding {
            name: self.others.row_of(name.0),
            dictionary: None,
            properties: None,
            losses: Vec::new(),
            in_file: (attributes, None),
            operand_groups: None,
        };
        let given = self.given(name, attributes, None, &mut encoding.losses)?;
        let mut new = Attributes::default();
        given.iter().for_each(|(name, value)| new.push(name, *value, VhloVersion::OLDEST));
        let full = self.adopted.get(name.index()).cloned().flatten().unwrap_or_default();
        self.emit(&full, new, &mut encoding)?;
        let id = self.others.push_encoding(encoding)?;
        self.known.insert(key, id);
        Ok(id)
    }

    /// The encoding of an operation with these attributes.
    fn emit(&mut self, full: &str, new: Attributes, encoding: &mut OpEncoding) -> Result<()> {
        let schema = self.goal.schema.clone();
        let Some(row) = schema.row(full.as_bytes()) else {
            encoding.losses.push(LossKind::NoSuchOp);
            return Ok(());
        };
        let Some(op) = schema.op_at(row) else { return Ok(()) };
        let mut list = new.list;
        if self.goal.bytecode.has_native_properties() && op.fields().len() > 0 {
            let mut values = Vec::with_capacity(op.fields().len());
            for field in op.wire(self.goal.bytecode) {
                let place = list.iter().position(|named| field.has_name(named.name.as_bytes()));
                let value = place.map(|place| list.swap_remove(place).value.index());
                let Kind::Attribute { class, is_optional, .. } = &field.kind else {
                    encoding.losses.push(LossKind::NativeProperty(field.name().to_owned()));
                    continue;
                };
                values.push(match value {
                    Some(value) if class.fits(value, self.others.pool.builder().entries()) => {
                        PropertyValue::Attribute(value)
                    }
                    Some(_) => {
                        encoding.losses.push(LossKind::NotOfClass(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                    None if *is_optional => PropertyValue::Absent,
                    None => {
                        encoding.losses.push(LossKind::NoValue(field.name().to_owned()));
                        PropertyValue::Absent
                    }
                });
            }
            encoding.properties =
                Some(EncodedProperties::Known { op: row as u32 | OF_GOAL, values: values.into() });
        }
        let mut pairs = Vec::with_capacity(list.len());
        for named in list {
            let name = self.others.pool.string_attribute(named.name.as_bytes())?;
            pairs.push((name, PoolAttr(named.value.index())));
        }
        encoding.dictionary = self.others.pool.dictionary(&mut pairs, false)?;
        encoding.name = match self.rows.get(full) {
            Some(&known) => known,
            None => {
                let row = self.others.names.push(full);
                self.rows.insert(full.into(), row);
                row
            }
        };
        Ok(())
    }

    #[cold]
    fn cast(&mut self) -> Result<EncodingId> {
        if self.cast == EncodingId::NONE {
            // A name is written once.
            let own = self.others.module.op_names()?.position(|name| *name.full() == *CAST);
            let name = match own {
                Some(own) => self.others.row_of(own as u32),
                None => self.others.names.push(CAST),
            };
            self.cast = self.others.push_encoding(OpEncoding {
                name,
                dictionary: None,
                properties: None,
                losses: Vec::new(),
                in_file: (None, None),
                operand_groups: None,
            })?;
        }
        Ok(self.cast)
    }

    #[cold]
    fn import_type(&mut self, id: TypeId) -> Result<PoolType, Error> {
        let own = self.others.pool.r#type(id)?;
        let of = EntryRef::Type(own.0);
        let builder = self.others.pool.builder();
        Ok(match self.attributes.entries.convert(builder, of)? {
            Converted::To(to, _) => {
                let to = PoolType(to.index());
                if let Some(known) = self.types.get_mut(id.index()) {
                    *known = to;
                }
                to
            }
            Converted::Nothing => {
                let text = super::report::text_of(builder.entries(), of);
                *self.lost_types.entry((self.current, text)).or_default() += 1;
                own
            }
        })
    }

    /// As [`AttrPool::check_locations`](crate::convert::pool::AttrPool::check_locations).
    ///
    /// # Errors
    /// If the locations of the file cannot be used.
    pub(super) fn check_locations(&self) -> Result<()> {
        self.others.pool.check_locations()
    }

    /// All losses, as [`OpConverter::losses`].
    ///
    /// # Errors
    /// If there is no memory left for the names.
    pub(super) fn losses(&self, counts: &[u32]) -> Result<Vec<Loss>> {
        let mut losses = self.others.losses(counts)?;
        for ((name, text), &count) in &self.lost_types {
            let op = self.others.module.op_name(OpNameId(*name)).map(|name| name.full().into_owned());
            let kind = match self.goal.direction {
                Direction::ToVhlo => LossKind::NoVhloForm(text.clone()),
                Direction::FromVhlo => LossKind::NoStablehloForm(text.clone()),
            };
            losses.push(Loss { op, kind, count, path: None });
        }
        Ok(losses)
    }

    /// The lowest version that can hold the module, among those with encodings that occur.
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
        self.others.module
    }

    fn budget(&self) -> &Budget {
        &self.others.budget
    }

    fn entries(&self) -> Tables<'_> {
        self.others.pool.entries()
    }

    fn names(&self) -> &Names<'_> {
        &self.others.names
    }

    fn written_names(&self) -> impl ExactSizeIterator<Item = PoolName> {
        self.others.written_names()
    }

    // Neither artifacts nor what is made from them have versions of dialects.
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

    fn is_left_out(&self, _: OpNameId) -> bool {
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
        self.current = name.0;
        if !matches!(self.names.get(name.index()), Some(Name::Converted { .. })) {
            if name.0 >= self.plan.names && !self.names.is_empty() {
                return self.cast();
            }
            if let Some(Name::Refused(loss)) = self.names.get(name.index()) {
                let loss = loss.clone();
                return self.refuse(name, loss);
            }
            return match self.adopted.get(name.index()) {
                Some(Some(_)) => self.adopt(name, attributes),
                _ => self.others.encode(name, attributes, properties),
            };
        }
        let fact = self.facts.of(op, &mut self.next_fact);
        let is_plain = attributes.is_none() && properties.is_none() && fact.is_none();
        if is_plain
            && let Some(&known) = self.plain.get(name.index())
            && known != EncodingId::NONE
        {
            return Ok(known);
        }
        let number = |id: Option<u32>| id.unwrap_or(NONE);
        let key =
            (name.0, number(attributes.map(|id| id.0)), number(properties.map(|id| id.0)), number(fact));
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let id = self.translate(name, attributes, properties, fact)?;
        if is_plain {
            self.plain[name.index()] = id;
        }
        self.known.insert(key, id);
        Ok(id)
    }

    #[inline]
    fn with_operands(&mut self, encoding: EncodingId, operands: u64) -> Result<EncodingId> {
        self.others.with_operands(encoding, operands)
    }

    #[inline]
    fn attribute(&mut self, id: AttrId) -> Result<PoolAttr, Error> {
        self.others.pool.attribute(id)
    }

    #[inline]
    fn r#type(&mut self, id: TypeId) -> Result<PoolType, Error> {
        match self.types.get(id.index()) {
            Some(&known) if known != PoolType::NONE => Ok(known),
            Some(_) => self.import_type(id),
            // Types that operations of other dialects keep.
            None => self.others.pool.r#type(TypeId(id.0 - self.plan.types)),
        }
    }

    #[inline]
    fn location(&mut self, id: AttrId) -> Result<PoolAttr> {
        Ok(self.others.pool.location(id)?)
    }

    fn unknown_location(&mut self) -> Result<PoolAttr> {
        self.others.pool.unknown_location()
    }

    fn encoding_count(&self) -> usize {
        self.others.encoding_count()
    }

    #[inline]
    fn encoding(&self, id: EncodingId) -> &OpEncoding {
        self.others.encoding(id)
    }

    #[inline]
    fn name_of(&self, encoding: EncodingId) -> PoolName {
        self.others.name_of(encoding)
    }

    fn find(&self, _: OpNameId, _: Option<AttrId>, _: Option<PropertyId>) -> EncodingId {
        EncodingId::NONE
    }

    fn schema(&self, row: u32) -> Option<&OpSchema> {
        match row & OF_GOAL {
            0 => self.others.schema(row),
            _ => self.goal.schema.op_at((row & !OF_GOAL) as usize),
        }
    }

    fn collected_location(&self, id: AttrId) -> Option<PoolAttr> {
        self.others.pool.known_location(id)
    }

    fn collected_type(&self, id: TypeId) -> Option<PoolType> {
        match self.types.get(id.index()) {
            Some(&known) => Some(known).filter(|&known| known != PoolType::NONE),
            None => self.others.pool.known_type(TypeId(id.0.checked_sub(self.plan.types)?)),
        }
    }

    fn type_count(&self, of_file: u32) -> u32 {
        // Each type of the file may be converted, and kept.
        of_file.saturating_mul(2)
    }

    fn stream<S: OpSink>(&self, sink: &mut S, progress: &Progress) -> Result<bool, Error> {
        stream(self.others.module, &self.plan, sink, (&self.others.budget, progress))
    }

    fn has_final_orders(&self) -> bool {
        true
    }

    fn collected_unknown_location(&self) -> PoolAttr {
        self.others.pool.known_unknown_location()
    }
}
