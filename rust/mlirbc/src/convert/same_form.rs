//! Decides whether a reader decodes the same module from two files.
//!
//! Owns the comparison of a file for `any` with the conversion for one of its readers, operation by
//! operation. Both are read as files of that reader. Locations are not compared: a note tells their losses.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::attr::text::entry::string_of;
use crate::dialect::entries::EntryRef;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::Module;
use crate::ir::{BodyId, Operation, Value, ValueId};
use crate::print::EntryTexts;
use crate::props::PropertySchema;
use crate::wire::error::Result;
use crate::wire::limits::Budget;
use crate::wire::loss::{Loss, LossKind};
use crate::write::Pulse;

use super::equal_entries::EqualEntries;
use super::release::{absence_means, means_nothing_before, older_spelling};

/// A difference of operations with one name: the reader takes them for something else.
#[derive(Debug)]
pub(super) struct Difference {
    op: String,
    part: String,
    count: u64,
    path: String,
}

impl Difference {
    pub(super) fn into_loss(self) -> Loss {
        let Self { op, part, count, path } = self;
        Loss { op: Some(op), kind: LossKind::OtherForm(part), count, path: Some(path) }
    }
}

type Shape = (OpNameId, Option<PropertyId>, Option<AttrId>);

/// An attribute with different values in two dictionaries, or in only one dictionary.
#[derive(Debug)]
struct NamedDifference {
    name: String,
    texts: [Option<String>; 2],
}

/// Further differences of two dictionaries are not listed.
const MOST_DIFFERENCES: usize = 16;

/// The comparison of two files, with the results for entries that occurred before.
struct Comparison<'t, 'm> {
    modules: [&'m Module; 2],
    entries: [FileEntries<'m>; 2],
    texts: [&'t EntryTexts<'m>; 2],
    /// Many operations may share one long dictionary.
    dictionaries: HashMap<[Option<AttrId>; 2], Arc<Vec<NamedDifference>>>,
    attributes: HashMap<[AttrId; 2], bool>,
    /// The first part that differs, by the parts of both operations in the tables.
    shapes: HashMap<(Shape, Shape), Option<String>>,
    equal_entries: EqualEntries,
    /// The value in the same place of the second file, by value of the first one.
    values: HashMap<(BodyId, ValueId), (BodyId, ValueId)>,
    /// The schema with which both files are read.
    schema: Option<&'m PropertySchema>,
    budget: Budget,
}

/// Returns the newest name of segment sizes: all releases read the older names.
fn newest_name(name: &str) -> &str {
    match name {
        "operand_segment_sizes" => "operandSegmentSizes",
        "result_segment_sizes" => "resultSegmentSizes",
        name => name,
    }
}

/// Whether the attribute contains the sizes of groups. A reader whose operation has no such attribute ignores
/// it: the operands are the same.
fn are_sizes(name: &str) -> bool {
    matches!(name, "operandSegmentSizes" | "resultSegmentSizes")
}

/// Returns all operations of a file, each before its contents.
fn operations(module: &Module) -> Result<impl Iterator<Item = Result<Operation<'_>>>> {
    Ok(module.top_level_block()?.operations().flat_map(|op| op.pre_order()))
}

impl Module {
    /// Returns the operations that `converted`, the same module for the same reader, has in another form.
    ///
    /// # Errors
    /// If a file is malformed, or the memory limit is reached.
    pub(super) fn form_other_than(&self, converted: &Self) -> Result<Vec<Difference>> {
        let texts = [EntryTexts::new(self)?, EntryTexts::new(converted)?];
        let mut comparison = Comparison {
            modules: [self, converted],
            entries: [self.tables().entries()?, converted.tables().entries()?],
            dictionaries: HashMap::new(),
            attributes: HashMap::new(),
            texts: [&texts[0], &texts[1]],
            shapes: HashMap::new(),
            equal_entries: EqualEntries::default(),
            values: HashMap::new(),
            schema: self.release()?.schema().map(|schema| &**schema),
            budget: self.tables().work_budget(),
        };
        let mut differences: BTreeMap<(String, String), Difference> = BTreeMap::new();
        let mut pulse = Pulse::default();
        let mut converted_ops = operations(converted)?;
        for op in operations(self)? {
            pulse.beat(1, self.tables())?;
            let (op, other) = (op?, converted_ops.next().transpose()?);
            let (part, is_end) = match other {
                None => (Some("no operation".to_owned()), true),
                Some(other) if !comparison.have_one_name(&op, &other) => {
                    (Some(format!("the name {}", other.name())), true)
                }
                Some(other) => (comparison.different_part(&op, &other)?, false),
            };
            if let Some(part) = part {
                let key = (op.name(), part.clone());
                let new = || Difference { op: op.name(), part, count: 0, path: op.path() };
                differences.entry(key).or_insert_with(new).count += 1;
            }
            // Later operations have other positions.
            if is_end {
                return Ok(differences.into_values().collect());
            }
        }
        if let Some(added) = converted_ops.next().transpose()? {
            let (op, path) = (added.name(), added.path());
            let key = (op.clone(), String::new());
            differences.insert(key, Difference { op, part: "the operation".to_owned(), count: 1, path });
        }
        Ok(differences.into_values().collect())
    }
}

impl Comparison<'_, '_> {
    fn have_one_name(&self, op: &Operation<'_>, other: &Operation<'_>) -> bool {
        let [first, second] = self.modules;
        match (first.op_name(op.name_id()), second.op_name(other.name_id())) {
            (Some(name), Some(other)) => (name.dialect, name.stem) == (other.dialect, other.stem),
            (name, other) => name.is_none() && other.is_none(),
        }
    }

    fn different_part(&mut self, op: &Operation<'_>, other: &Operation<'_>) -> Result<Option<String>> {
        if op.operands().len() != other.operands().len() {
            return Ok(Some("the number of operands".to_owned()));
        }
        for (value, other) in op.operands().zip(other.operands()) {
            if !self.is_same_value(value, other)? {
                return Ok(Some("the operands".to_owned()));
            }
        }
        let successors = |op: &Operation<'_>| op.successors().map(|block| block.number()).collect::<Vec<_>>();
        if successors(op) != successors(other) {
            return Ok(Some("the successors".to_owned()));
        }
        if let Some(part) = self.different_type("a result", op.results(), other.results())? {
            return Ok(Some(part));
        }
        let (regions, other_regions) = (op.regions()?, other.regions()?);
        if regions.len() != other_regions.len() {
            return Ok(Some("the regions".to_owned()));
        }
        for (region, other) in regions.zip(other_regions) {
            if region.len() != other.len() {
                return Ok(Some("the blocks".to_owned()));
            }
            for (block, other) in region.blocks().zip(other.blocks()) {
                let part = self.different_type("an argument", block.arguments(), other.arguments())?;
                if part.is_some() {
                    return Ok(part);
                }
            }
        }
        self.different_attribute(op, other)
    }

    /// Whether two values are in the same place. Their numbers are not compared, because an isolated region
    /// may have its own numbers in one of the files only.
    fn is_same_value(&mut self, value: Value<'_>, other: Value<'_>) -> Result<bool> {
        let (key, other) = ((value.body_id(), value.id()), (other.body_id(), other.id()));
        if let Some(known) = self.values.get(&key) {
            return Ok(*known == other);
        }
        self.budget.spend(2 * size_of::<[(BodyId, ValueId); 2]>())?;
        self.values.insert(key, other);
        Ok(true)
    }

    fn different_type<'v>(
        &mut self,
        part: &str,
        values: impl ExactSizeIterator<Item = Value<'v>>,
        others: impl ExactSizeIterator<Item = Value<'v>>,
    ) -> Result<Option<String>> {
        if values.len() != others.len() {
            return Ok(Some(format!("the number of {}s", part.trim_start_matches(['a', 'n']).trim())));
        }
        for (value, other) in values.zip(others) {
            if !self.is_same_value(value, other)? {
                return Ok(Some(format!("{part} in another place")));
            }
            let pair = (value.r#type(), other.r#type());
            let entries = [EntryRef::Type(pair.0), EntryRef::Type(pair.1)];
            if !self.equal_entries.contains(&self.entries, entries, &self.budget)? {
                let (text, other) =
                    (self.texts[0].complete_type(pair.0)?, self.texts[1].complete_type(pair.1)?);
                if !self.is_read_alike(&text, &other)? {
                    return Ok(Some(format!("the type of {part}, `{other}`")));
                }
                self.equal_entries.insert(entries, &self.budget)?;
            }
        }
        Ok(None)
    }

    fn different_attribute(&mut self, op: &Operation<'_>, other: &Operation<'_>) -> Result<Option<String>> {
        if op.properties().is_none() && other.properties().is_none() {
            return self.different_in_dictionary(op, other);
        }
        let shape = |op: &Operation<'_>| (op.name_id(), op.properties(), op.attribute_dictionary());
        let key = (shape(op), shape(other));
        if let Some(known) = self.shapes.get(&key) {
            return Ok(known.clone());
        }
        let (Some(pairs), Some(others)) = (self.pairs(0, key.0)?, self.pairs(1, key.1)?) else {
            return Ok(None);
        };
        let op = op.name();
        let mut part = None;
        for (name, text) in &others {
            let is_same = match pairs.get(name) {
                Some(known) => self.is_read_alike(known, text)?,
                None => self.is_implied(&op, name, text),
            };
            if !is_same {
                part = Some(format!("attribute `{name}`"));
                break;
            }
        }
        let is_extra = |(name, text): &(&String, &String)| {
            !others.contains_key(*name) && !self.has_no_meaning(&op, name, text)
        };
        let extra = || pairs.iter().find(is_extra);
        let part = part.or_else(|| extra().map(|(name, _)| format!("no attribute `{name}`")));
        self.budget.spend(2 * size_of::<(Shape, Shape)>() + part.as_ref().map_or(0, String::len))?;
        self.shapes.insert(key, part.clone());
        Ok(part)
    }

    fn different_in_dictionary(
        &mut self,
        op: &Operation<'_>,
        other: &Operation<'_>,
    ) -> Result<Option<String>> {
        let differences = self.differences([op.attribute_dictionary(), other.attribute_dictionary()])?;
        let name = if differences.is_empty() { String::new() } else { op.name() };
        let is_implied = |difference: &NamedDifference| match &difference.texts {
            [Some(text), None] => self.has_no_meaning(&name, &difference.name, text),
            [None, Some(text)] => self.is_implied(&name, &difference.name, text),
            _ => false,
        };
        // A full list is not complete.
        let is_complete = differences.len() < MOST_DIFFERENCES;
        let difference = differences.iter().find(|difference| !is_complete || !is_implied(difference));
        Ok(difference.map(|difference| match &difference.texts {
            [_, None] => format!("no attribute `{}`", difference.name),
            _ => format!("attribute `{}`", difference.name),
        }))
    }

    /// Returns the first differences of two dictionaries.
    fn differences(&mut self, key: [Option<AttrId>; 2]) -> Result<Arc<Vec<NamedDifference>>> {
        if let Some(known) = self.dictionaries.get(&key) {
            return Ok(known.clone());
        }
        let [pairs, others] = [self.named(0, key[0])?, self.named(1, key[1])?];
        let mut differences = Vec::new();
        let names = pairs.keys().chain(others.keys().filter(|name| !pairs.contains_key(*name)));
        for name in names {
            let values = [pairs.get(name).copied(), others.get(name).copied()];
            let is_same = match values {
                [Some(value), Some(other)] => self.is_same_attribute(value, other)?,
                _ => false,
            };
            if is_same {
                continue;
            }
            let text = |side: usize| match (self.texts.get(side), values.get(side).copied().flatten()) {
                (Some(texts), Some(value)) => texts.complete_attribute(value).map(Some),
                _ => Ok(None),
            };
            differences.push(NamedDifference { name: name.clone(), texts: [text(0)?, text(1)?] });
            if differences.len() == MOST_DIFFERENCES {
                break;
            }
        }
        let differences = Arc::new(differences);
        self.budget.spend(2 * size_of::<[Option<AttrId>; 4]>())?;
        self.dictionaries.insert(key, differences.clone());
        Ok(differences)
    }

    /// Returns the attributes of a dictionary by their newest names.
    fn named(&self, side: usize, dictionary: Option<AttrId>) -> Result<BTreeMap<String, AttrId>> {
        let parts = (self.modules.get(side), self.entries.get(side), dictionary);
        let (Some(module), Some(entries), Some(index)) = parts else { return Ok(BTreeMap::new()) };
        let dictionary = module.dictionary(index, entries)?;
        let _held = self.budget.hold(dictionary.pairs.len().saturating_mul(4 * size_of::<String>()))?;
        let named = dictionary.pairs.iter().map(|&(name, value)| {
            let name = String::from_utf8_lossy(string_of(entries, AttrId::new(name)).unwrap_or_default());
            (newest_name(&name).to_owned(), AttrId::new(value))
        });
        Ok(named.collect())
    }

    fn is_same_attribute(&mut self, value: AttrId, other: AttrId) -> Result<bool> {
        if let Some(&known) = self.attributes.get(&[value, other]) {
            return Ok(known);
        }
        let entries = [EntryRef::Attribute(value), EntryRef::Attribute(other)];
        let is_same = self.equal_entries.contains(&self.entries, entries, &self.budget)? || {
            let text = self.texts[0].complete_attribute(value)?;
            self.is_read_alike(&text, &self.texts[1].complete_attribute(other)?)?
        };
        self.budget.spend(2 * size_of::<([AttrId; 2], bool)>())?;
        self.attributes.insert([value, other], is_same);
        Ok(is_same)
    }

    /// Whether the reader takes the absence of an attribute for this value.
    fn is_implied(&self, op: &str, name: &str, text: &str) -> bool {
        let field = self.schema.and_then(|schema| schema.op(op.as_bytes())?.field(name));
        let default = field.and_then(|field| field.default_text());
        default == Some(text) || absence_means(op, name, text)
    }

    /// Whether an attribute that the conversion leaves out has the same meaning as its absence.
    fn has_no_meaning(&self, op: &str, name: &str, text: &str) -> bool {
        are_sizes(name) || self.is_implied(op, name, text) || means_nothing_before(op, name, text)
    }

    /// Returns the attributes of an operation by their newest names; `None` if the properties are one
    /// attribute, because the operation was unregistered in the writer.
    fn pairs(
        &self,
        side: usize,
        (name, properties, dictionary): Shape,
    ) -> Result<Option<BTreeMap<String, String>>> {
        let Some(texts) = self.texts.get(side) else { return Ok(None) };
        let attributes = texts.op(name, properties, dictionary)?;
        if attributes.property_attribute.is_some() {
            return Ok(None);
        }
        let named = |(name, text): (String, String)| (newest_name(&name).to_owned(), text);
        Ok(Some(attributes.inherent.into_iter().chain(attributes.discardable).map(named).collect()))
    }

    /// Whether two texts are equal, or differ in spellings that newer releases accept.
    fn is_read_alike(&self, text: &str, other: &str) -> Result<bool> {
        if text == other {
            return Ok(true);
        }
        Ok(older_spelling(text, &self.budget)? == older_spelling(other, &self.budget)?)
    }
}
