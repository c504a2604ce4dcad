//! The table of release differences (`data/translation.toml`, which `docs/explanation/releases.md` explains),
//! and its application to one pair of releases.

mod cases;
mod fields;
mod parts;
mod refused;
mod rules;
mod sparse;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::attr::text::dense::Element;
use crate::ir::Module;
use crate::props::class::Class;
use crate::props::schema::Kind;
use crate::props::{OpSchema, PropertySchema};
use crate::release::{self, CodeRange, KnownRelease, Llvm};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::version::BytecodeVersion;

use super::respell::{Firsts, Pattern, Rule, Text as Spelled};
pub(crate) use fields::TextForm;
pub(crate) use rules::{Added, GroupSize};
use rules::{PropertyRule, Since, Terminator, TextRule, Translation, attributes_16, shipped};

/// The name of the target for files that several releases read: `llvm-16`, `llvm-19`, `llvm-22` and `llvm-23`, and
/// `jaxlib-0.10` and `iree-3.13` if they have all dialects of the module. A conversion is checked for each of them.
pub const ANY: &str = "any";

/// The conversion of a module for its reader.
#[derive(Debug)]
pub(crate) struct ReleaseConversion {
    data: &'static Translation,
    own: Box<str>,
    from: u32,
    to: u32,
    /// The day of the revision of the module's release, if that is a known one.
    from_day: Option<&'static str>,
    pub(crate) is_any: bool,
    release: Option<&'static KnownRelease>,
    /// The producer prefix of a registered release.
    producer: Option<Box<str>>,
    texts: Vec<Rule>,
    /// The prefixes of the texts to which those rules may apply.
    text_firsts: Firsts,
    /// Text that the target does not have under any spelling.
    missing: Vec<&'static Pattern>,
    missing_firsts: Firsts,
    /// The releases with native properties that must all read the file.
    readers: Vec<Arc<PropertySchema>>,
    /// The dialects of which the target has operations.
    dialects: HashSet<Box<str>>,
}

/// The name of a property on the other side, and its value there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Renamed<'r> {
    pub(crate) from: &'r str,
    pub(crate) to: &'r str,
    row: &'r PropertyRule,
    is_up: bool,
}

/// The translation of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NewValue {
    Same,
    Other(Attribute),
    /// Equivalent to none.
    Nothing,
    Unknown,
}

impl ReleaseConversion {
    /// Creates the conversion from the release of a module to the one with this name, or to [`ANY`].
    ///
    /// # Errors
    /// If the data is invalid, which tests exclude.
    pub(crate) fn new(module: &Module, name: &str, schema: Option<&Arc<PropertySchema>>) -> Result<Self> {
        let own = module.release()?.nearest();
        let known = own.and_then(|name| release::find(name).ok().flatten());
        let from = known.map_or_else(|| module.release_llvm(), KnownRelease::llvm).0;
        let mut this = Self::between((own.unwrap_or_default(), from), name, schema)?;
        if this.is_any {
            let with_properties = release::releases()?.iter().filter(|release| release.attributes.is_none());
            this.readers = with_properties.filter_map(|row| module.find_schema(&row.name).ok()).collect();
        }
        Ok(this)
    }

    fn between((own, from): (&str, u32), name: &str, schema: Option<&Arc<PropertySchema>>) -> Result<Self> {
        let data = shipped()?;
        let release = release::find(name)?;
        let is_any = name == ANY;
        // A registered release is treated like those that it includes.
        let to = match (release, schema) {
            _ if is_any => from,
            (Some(release), _) => release.llvm().0,
            (None, Some(schema)) => schema.llvm_or_included().0,
            (None, None) => from,
        };
        let texts: Vec<Rule> = if from < to {
            data.texts.iter().filter(|row| from < row.at && row.at <= to).map(|row| row.up.clone()).collect()
        } else {
            // All releases read what the oldest reads, if the others still do.
            let is_down = |row: &&TextRule| match is_any {
                true => row.is_read_by_newer && row.at <= from,
                false => to < row.at && row.at <= from,
            };
            data.texts.iter().rev().filter(is_down).map(|row| row.down.clone()).collect()
        };
        let from_day = release::find(own)?.map(KnownRelease::revision);
        let dialect = |op: &OpSchema| op.name().split('.').next().unwrap_or_default().into();
        let dialects = schema.iter().flat_map(|schema| schema.ops()).map(dialect).collect();
        let own = own.into();
        let producer = schema.and_then(|schema| schema.producers().next()).map(Into::into);
        // Entities that were already missing are not reported.
        let (oldest, newest) = if is_any { (Llvm::OLDEST.0, u32::MAX - 1) } else { (to, to) };
        let is_gone = |before: u32, since: u32| {
            oldest < before && from >= before || newest >= since && from < since && !is_any
        };
        let gone = data.missing.iter().filter(|(_, before, since)| is_gone(*before, *since));
        let missing: Vec<&Pattern> = gone.map(|(pattern, ..)| pattern).collect();
        let text_firsts = Firsts::new(texts.iter().map(|rule| &rule.from));
        let missing_firsts = Firsts::new(missing.iter().copied());
        Ok(Self {
            data,
            own,
            producer,
            from,
            to,
            from_day,
            is_any,
            release,
            texts,
            text_firsts,
            missing,
            missing_firsts,
            readers: Vec::new(),
            dialects,
        })
    }

    /// The printing rules of the target.
    pub(crate) fn style(&self) -> Llvm {
        Llvm(self.to)
    }

    /// The producer string of the target; `None` if it is unknown or there is more than one target.
    pub(crate) fn producer(&self) -> Option<&str> {
        self.release.map(|release| &*release.signature).or(self.producer.as_deref())
    }

    /// Whether the target reads versions of a dialect.
    pub(crate) fn reads_versions(&self, dialect: &[u8]) -> bool {
        match self.release {
            Some(release) => release.reads_versions(dialect),
            None => !self.is_any,
        }
    }

    /// The newest version that the target reads.
    pub(crate) fn newest_version(&self) -> BytecodeVersion {
        self.release.map_or(BytecodeVersion::MAX, KnownRelease::newest_version)
    }

    /// The version to write by default.
    pub(crate) fn default_version(&self, own: BytecodeVersion) -> BytecodeVersion {
        if self.is_any { BytecodeVersion::new(0).unwrap_or(own) } else { own.min(self.newest_version()) }
    }

    /// Whether dialects other than builtin may have locations in the target.
    pub(crate) fn has_dialect_locations(&self) -> bool {
        let llvm = if self.is_any { Llvm::OLDEST } else { Llvm(self.to) };
        llvm.has_dialect_locations()
    }

    /// Whether the target's reader has no numbers for results of top-level operations.
    pub(crate) fn numbers_results_without_values(&self) -> bool {
        let llvm = if self.is_any { Llvm::OLDEST } else { Llvm(self.to) };
        llvm.numbers_results_without_values()
    }

    /// Whether the target requires the old names of segment sizes; all releases accept them.
    pub(crate) fn has_old_segment_names(&self) -> bool {
        self.is_any || self.release.is_some_and(|release| release.has_old_segment_names)
    }

    /// Whether the schema of the target does not contain the properties of its ops.
    pub(crate) fn has_no_properties(&self) -> bool {
        self.is_any || self.release.is_some_and(|release| release.attributes.is_some())
    }

    /// Whether an attribute with that name is inherent for an op, in every target release; `None` if unknown.
    pub(crate) fn has_attribute(&self, op: &str, name: &str) -> Option<bool> {
        let names = attributes_16().get(op)?;
        Some(names.split(' ').any(|known| known == name))
    }

    /// Whether one of the target releases has this attribute of an op, optional, in a class that `fits`
    /// rejects. If the op requires the attribute, its verifier reports it.
    pub(crate) fn is_dropped_by_some(&self, op: &str, name: &str, fits: impl Fn(&Class) -> bool) -> bool {
        let field = |schema: &Arc<PropertySchema>| {
            let field = schema.op_at(schema.row(op.as_bytes())?)?.field(name)?;
            let Kind::Attribute { class, is_optional, .. } = &field.kind else { return None };
            Some((*is_optional || field.default.is_some()) && !fits(class))
        };
        self.readers.iter().any(|schema| field(schema).unwrap_or(false))
    }

    /// Whether the target decodes this code.
    pub(crate) fn reads(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let llvm = if self.is_any { Llvm::OLDEST } else { Llvm(self.to) };
        let name = self.release.map(|release| &*release.name);
        if self.has_other_layout(dialect, is_type, code) {
            return false;
        }
        release::reads_code(llvm, name, (dialect, is_type, code)).unwrap_or(false)
    }

    /// Whether the target may expect other bytes under this code. A build of the main branch between two releases
    /// may have the layout of either.
    fn has_other_layout(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let rows = release::codes().unwrap_or_default();
        let Some(row) = rows.iter().find(|row| row.has(dialect, is_type, code)) else { return false };
        let own = release::find(&self.own).ok().flatten();
        let is_same = self.release.is_some_and(|release| *release.name == *self.own);
        let is_development =
            |release: Option<&KnownRelease>| release.is_some_and(|release| !release.is_released());
        let is_near = |at: u32| at == self.from || at == self.to;
        let is_vague = !is_same && (is_development(own) || is_development(self.release));
        row.changes.iter().any(|&at| self.crosses(at) || is_vague && is_near(at))
    }

    /// Whether the encoding of scalable vectors contains the number of trailing scalable dimensions.
    pub(crate) fn counts_scalable_dims(&self) -> bool {
        Llvm(self.to).counts_scalable_dims() && !self.is_any
    }

    /// Whether the target encodes the scalable vectors of a dialect in another way than the file.
    pub(crate) fn has_other_scalable_form(&self, dialect: &[u8]) -> bool {
        let counts = |llvm: u32| Llvm(llvm).counts_scalable_dims();
        dialect == b"builtin" && !self.is_any && counts(self.from) != counts(self.to)
    }

    /// Whether all target releases encode scalable vectors in the same way.
    pub(crate) fn has_one_scalable_form(&self) -> bool {
        !self.is_any
    }

    /// A text in the spelling of the target; `None` if it is the same.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(crate) fn respelled(&self, text: &[u8], budget: &Budget) -> Result<Option<Vec<u8>>> {
        let mut new: Option<Vec<u8>> = None;
        let (mut found, mut done) = (self.text_firsts.found(text), 0);
        while let Some(place) = found.iter().copied().find(|place| *place >= done) {
            done = place + 1;
            let Some(rule) = self.texts.get(place) else { break };
            if let Some(respelled) = rule.apply(new.as_deref().unwrap_or(text), budget)? {
                // The output of one rule may be the input of a later one.
                found = self.text_firsts.found(&respelled);
                new = Some(respelled);
            }
        }
        Ok(new)
    }

    /// Whether the target does not have something in this text.
    ///
    /// # Errors
    /// As [`Self::respelled`].
    pub(crate) fn lacks(&self, text: &[u8], budget: &Budget) -> Result<bool> {
        let found = self.missing_firsts.found(text);
        if found.is_empty() {
            return Ok(false);
        }
        let _held = budget.hold(text.len())?;
        let types = self.without_cases(text);
        let text = Spelled::new(&types, budget)?;
        Ok(found.into_iter().any(|place| self.missing.get(place).is_some_and(|pattern| pattern.is_in(&text))))
    }

    /// The name of an op in the target.
    pub(crate) fn op_name<'n>(&'n self, name: &'n str) -> &'n str {
        let mut name = name;
        for row in &self.data.raw.op {
            let Some(is_up) = self.direction(&row.at) else { continue };
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            if *name == **from && (is_up || !row.is_up_only) {
                name = to;
            }
        }
        name
    }

    /// The numbers of the rules that remove an op from the end of blocks, and the ends of the blocks of an op.
    pub(crate) fn removed_terminator(&self, op: &str) -> (Option<usize>, Option<usize>) {
        let rows = &self.data.raw.terminator;
        let applies = |row: &Terminator| self.direction(&row.until) == Some(true);
        let end = rows.iter().position(|row| row.op == op && applies(row));
        let owner = rows.iter().position(|row| row.of.iter().any(|name| name == op) && applies(row));
        (end, owner)
    }

    /// The terminator that the target requires in the blocks of an op.
    pub(crate) fn new_terminator(&self, of: &str) -> Option<&str> {
        let mut rows = self.data.raw.terminator.iter().filter(|row| row.of.iter().any(|name| name == of));
        rows.find(|row| self.direction(&row.until) == Some(false)).map(|row| &*row.op)
    }

    /// The names of attributes of an op that schemas or rules mention. All other names are treated the same
    /// for all ops.
    pub(crate) fn special_names<'a>(&'a self, op: &str, schemas: [Option<&'a OpSchema>; 2]) -> Vec<&'a str> {
        // Rules without a name are skipped; segment sizes have two names each.
        let mut names = vec![
            "",
            "operandSegmentSizes",
            "operand_segment_sizes",
            "resultSegmentSizes",
            "result_segment_sizes",
        ];
        let readers = self.readers.iter().filter_map(|schema| schema.op(op.as_bytes()));
        for schema in schemas.into_iter().flatten().chain(readers) {
            names.extend(schema.fields().flat_map(|field| field.names()));
        }
        if self.declares_attributes() {
            names.extend(attributes_16().get(op).into_iter().flat_map(|names| names.split(' ')));
        }
        for row in self.data.raw.property.iter().filter(|row| fits(&row.op, op)) {
            names.extend([&*row.before, &row.after]);
            names.extend(row.each_result_of.as_deref());
        }
        for row in self.data.raw.segments.iter().filter(|row| row.op == op) {
            names.extend(row.sizes.iter().filter_map(|size| match size {
                GroupSize::InputsOf(name) => Some(&**name),
                GroupSize::Number(_) => None,
            }));
        }
        names
    }

    /// The properties of an op that change.
    pub(crate) fn renamed(&self, op: &str) -> impl Iterator<Item = Renamed<'_>> {
        let rows = self.data.raw.property.iter().filter(move |row| fits(&row.op, op));
        rows.filter_map(move |row| {
            let is_up = self.direction(&row.at)?;
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            (!is_up || !row.before.is_empty()).then_some(Renamed { from, to, row, is_up })
        })
    }

    /// Whether a discardable attribute in the module's release would be inherent in the target, because its
    /// name is that of a renamed attribute or property there.
    pub(crate) fn gains_meaning(&self, op: &str, name: &str) -> bool {
        let is_of_target = self.renamed(op).any(|rule| rule.to == name && ![name, ""].contains(&rule.from));
        // The schema of 16 does not contain the attributes of its ops.
        is_of_target && !(self.from == Llvm::OLDEST.0 && self.has_attribute(op, name) == Some(true))
    }

    /// The attributes that newer releases require: names and values.
    pub(crate) fn added(&self, op: &str) -> impl Iterator<Item = Added<'_>> {
        let rows =
            self.data.raw.property.iter().filter(move |row| {
                row.is_added && fits(&row.op, op) && self.direction(&row.at) == Some(true)
            });
        rows.filter_map(|row| {
            let (value, each_result_of) = (&row.default.as_ref()?.0, row.each_result_of.as_deref());
            let for_constants = row.for_constants.as_ref().map(|constant| &constant.0);
            Some(Added { name: &row.after, value, each_result_of, for_constants })
        })
    }

    /// The property that newer releases require, and whose value is the shape of the result.
    pub(crate) fn shape_of_result(&self, op: &str) -> Option<&str> {
        let mut rows = self.data.raw.property.iter().filter(|row| row.is_shape_of_result && row.op == op);
        rows.find(|row| self.direction(&row.at) == Some(true)).map(|row| &*row.after)
    }

    /// The properties whose items for constant results of a map older targets require to have one value: the property, that
    /// value and the property with the map.
    pub(crate) fn required_for_constants(&self, op: &str) -> Option<(&str, &Attribute, &str)> {
        let mut rows = self.data.raw.property.iter().filter(|row| fits(&row.op, op));
        rows.find_map(|row| {
            let until = row.constants_until.as_ref()?;
            let (value, map) = (&row.for_constants.as_ref()?.0, row.each_result_of.as_deref()?);
            (self.direction(until) == Some(false)).then_some((&*row.after, value, map))
        })
    }

    /// Attributes of which the op must have one in the target only.
    pub(crate) fn required(&self, op: &str) -> Option<&[String]> {
        let mut rows = self.data.raw.required.iter().filter(|row| row.op == op);
        rows.find(|row| self.direction(&row.at) == Some(true)).map(|row| &*row.one_of)
    }

    /// What the op must have in the target and never has in the file.
    pub(crate) fn incompatible(&self, op: &str) -> Option<&str> {
        let mut rows = self.data.raw.incompatible.iter().filter(|row| row.op == op);
        rows.find_map(|row| Some(if self.direction(&row.at)? { &*row.after } else { &*row.before }))
    }

    /// Whether the meaning of an attribute with this name and value differs between the releases.
    ///
    /// # Errors
    /// If the other value cannot be made.
    pub(crate) fn has_other_value(&self, op: &str, name: &str, value: &Attribute) -> Result<bool> {
        let rows = self.data.raw.property.iter().filter(|row| fits(&row.op, op));
        let is_other =
            |rule: &Renamed<'_>| Ok::<_, Error>(rule.value(|| Ok(value.clone()))? != NewValue::Same);
        for row in rows.filter(|row| row.before == name || row.after == name) {
            let up = Renamed { from: &row.before, to: &row.after, row, is_up: true };
            let down = Renamed { from: &row.after, to: &row.before, row, is_up: false };
            let is_different = match row.before == row.after {
                true => is_other(&up)? || is_other(&down)?,
                false => row.default.as_ref().is_none_or(|default| default.0 != *value),
            };
            if is_different {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Operand group sizes that the target requires and the module's release did not have.
    pub(crate) fn new_segments(&self, op: &str) -> Option<&[GroupSize]> {
        self.segments(op, true)
    }

    /// Operand group sizes that the module's release stores and the target derives.
    pub(crate) fn old_segments(&self, op: &str) -> Option<&[GroupSize]> {
        self.segments(op, false)
    }

    fn segments(&self, op: &str, is_up: bool) -> Option<&[GroupSize]> {
        let mut rows = self.data.raw.segments.iter();
        rows.find(|row| row.op == op && self.direction(&row.at) == Some(is_up)).map(|row| &*row.sizes)
    }

    /// For each operand of an op in the target, its place among the operands in the file; `None` if the order is the
    /// same.
    pub(crate) fn operand_order(&self, op: &str) -> Option<Box<[u8]>> {
        let mut rows = self.data.raw.operands.iter().filter(|row| row.op == op);
        rows.find_map(|row| {
            let is_up = self.direction(&row.at)?;
            let mut order = row.order.clone();
            if !is_up {
                for (new, &old) in (0_u8..).zip(&row.order) {
                    *order.get_mut(usize::from(old))? = new;
                }
            }
            Some(order.into())
        })
    }

    /// Whether an op has a terminator with another name in the target.
    pub(crate) fn replaces_terminators(&self, of: &str) -> bool {
        let mut rows = self.data.raw.replaced_terminator.iter().filter(|row| row.of == of);
        rows.any(|row| self.direction(&row.at).is_some())
    }

    /// Whether an op in the blocks of another one has another name in the target: its name there.
    pub(crate) fn new_terminator_name(&self, of: &str, op: &str) -> Option<&str> {
        let mut rows = self.data.raw.replaced_terminator.iter().filter(|row| row.of == of);
        rows.find_map(|row| {
            let (from, to) = match self.direction(&row.at)? {
                true => (&row.before, &row.after),
                false => (&row.after, &row.before),
            };
            (from == op).then_some(&**to)
        })
    }

    /// Whether an op ends the blocks of another one in the target only.
    pub(crate) fn is_only_terminator(&self, of: &str, op: &str) -> bool {
        let mut rows = self.data.raw.replaced_terminator.iter().filter(|row| row.of == of);
        rows.any(|row| row.after == op && self.direction(&row.at) == Some(true))
    }

    /// Whether the release of the module declares the attributes of its ops although it has no properties, and this is
    /// one of them.
    pub(crate) fn declares(&self, op: &str, name: &str) -> bool {
        self.declares_attributes() && self.has_attribute(op, name) == Some(true)
    }

    fn declares_attributes(&self) -> bool {
        let own = release::find(&self.own).ok().flatten();
        own.is_some_and(|own| own.attributes.is_some())
    }

    /// Whether dense elements of a type have other bytes in the target.
    pub(crate) fn has_other_elements(&self, element: Element) -> bool {
        let mut rows = self.data.raw.elements.iter().filter(|row| self.is_any || self.crosses(row.at));
        rows.any(|row| Element::from_name(row.r#type.as_bytes()) == Some(element.part()))
    }

    /// Whether the target does not have the entity with this code.
    pub(crate) fn has_no_text(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let oldest = if self.is_any { Llvm::OLDEST.0 } else { self.to };
        let mut rows = release::codes().unwrap_or_default().iter();
        // Text of a dialect that the target does not have is kept.
        let is_listed = |row: &CodeRange, release: &KnownRelease| {
            !self.dialects.contains(&row.dialect) || row.releases.contains(&release.name)
        };
        let is_too_old = |row: &CodeRange| match row.since {
            // Without a release, the builds that have it are listed.
            0 => self.release.is_some_and(|release| !is_listed(row, release)),
            since => since > oldest,
        };
        rows.any(|row| row.has(dialect, is_type, code) && row.has_no_text && is_too_old(row))
    }

    /// Whether the op of the target reads an attribute that it does not declare.
    pub(crate) fn reads_undeclared(&self, op: &str, name: &str) -> bool {
        let rows =
            self.data.raw.undeclared.iter().filter(|row| !self.target_has(&row.at) && fits(&row.op, op));
        rows.flat_map(|row| &row.names).any(|known| known == name)
    }

    /// The operand groups of an op in the module's release and in the target, if their schemas do not contain
    /// them.
    pub(crate) fn operand_groups(&self, op: &str) -> (Option<Vec<String>>, Option<Vec<String>>) {
        let groups = |release: &str| {
            if let Some(known) = self.data.raw.operand_groups.get(release).and_then(|ops| ops.get(op)) {
                return Some(known.clone());
            }
            let like = release::find(release).ok()??.operand_groups_like.as_ref()?;
            let schema = PropertySchema::shipped(like)?;
            let names: Vec<_> = schema.op(op.as_bytes())?.operands().map(str::to_owned).collect();
            (!names.is_empty()).then_some(names)
        };
        (groups(&self.own), self.release.and_then(|release| groups(&release.name)))
    }

    /// The name in the target of an operand group, which `is_it` recognizes; `None` if it is the same.
    pub(crate) fn renamed_group(&self, op: &str, is_it: impl Fn(&str) -> bool) -> Option<&str> {
        self.data.raw.group.iter().filter(|row| fits(&row.op, op)).find_map(|row| {
            let (from, to) = match self.direction(&row.at)? {
                true => (&row.before, &row.after),
                false => (&row.after, &row.before),
            };
            is_it(from).then_some(&**to)
        })
    }

    fn crosses(&self, at: u32) -> bool {
        self.from.min(self.to) < at && at <= self.from.max(self.to)
    }

    /// Whether the target has a difference and the module's release does not, or the other way round; `None` if both
    /// are on the same side.
    fn direction(&self, at: &Since) -> Option<bool> {
        let is_in_file = has(self.from, self.from_day, at);
        let is_in_target = has(self.to, self.release.map(KnownRelease::revision), at);
        (is_in_file != is_in_target && !self.is_any).then_some(is_in_target)
    }

    /// Whether all target releases have a difference.
    fn target_has(&self, at: &Since) -> bool {
        !self.is_any && has(self.to, self.release.map(KnownRelease::revision), at)
    }
}

/// Whether a build has a difference; without a known revision, the number of its LLVM decides.
fn has(llvm: u32, day: Option<&str>, at: &Since) -> bool {
    match (at, day) {
        (Since::Release(number), _) => llvm >= *number,
        (Since::Day(since), Some(day)) => day >= &**since,
        (Since::Day(since), None) => first_release_after(since).is_some_and(|number| llvm >= number),
    }
}

/// The number of the first release whose branch is from this day or later.
fn first_release_after(day: &str) -> Option<u32> {
    let rows = release::releases().unwrap_or_default().iter();
    let later = rows.filter(|row| row.is_branch() && row.revision() >= day);
    later.map(|row| row.llvm().0).min()
}

/// Whether the absence of an attribute says the same as this value, in releases that have the attribute.
pub(crate) fn absence_means(op: &str, name: &str, text: &str) -> bool {
    has_default(op, name, text, |row| !row.is_added)
}

/// Whether a release that lacks the attribute, and keeps it without a meaning, reads the operation as releases do that
/// require this value.
pub(super) fn means_nothing_before(op: &str, name: &str, text: &str) -> bool {
    has_default(op, name, text, |row| row.is_added)
}

fn has_default(op: &str, name: &str, text: &str, is_meant: impl Fn(&PropertyRule) -> bool) -> bool {
    let rows = shipped().map_or(&[][..], |data| &data.raw.property);
    let of_name = rows.iter().filter(|row| row.after == name && is_meant(row) && fits(&row.op, op));
    of_name.filter_map(|row| row.default.as_ref()).any(|default| default.0.to_string() == text)
}

/// A text in the oldest spelling that newer releases accept, which is written for [`ANY`].
///
/// # Errors
/// If the memory limit does not allow it.
pub(crate) fn older_spelling(text: &str, budget: &Budget) -> Result<Vec<u8>> {
    let mut older = text.as_bytes().to_vec();
    for row in shipped()?.texts.iter().rev().filter(|row| row.is_read_by_newer) {
        if let Some(respelled) = row.down.apply(&older, budget)? {
            older = respelled;
        }
    }
    Ok(older)
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

impl Renamed<'_> {
    /// The corresponding value on the other side; `value` is called only if that depends on it.
    ///
    /// # Errors
    /// If `value` fails, or the other value cannot be made.
    pub(crate) fn value(&self, value: impl FnOnce() -> Result<Attribute>) -> Result<NewValue> {
        let row = self.row;
        if !self.needs_value() {
            return Ok(if self.to.is_empty() { NewValue::Unknown } else { NewValue::Same });
        }
        let value = &value()?;
        if let Some(flags) = &row.flags {
            let new = if self.is_up { flags.spelled(value) } else { flags.number(value) }?;
            return Ok(new.map_or(NewValue::Unknown, NewValue::Other));
        }
        if !self.is_up && row.is_shape_of_result {
            let is_static = value.integers().is_some_and(|sizes| !sizes.contains(&i64::MIN));
            return Ok(if is_static { NewValue::Nothing } else { NewValue::Unknown });
        }
        if !self.is_up && row.default.as_ref().is_some_and(|default| default.0 == *value) {
            return Ok(NewValue::Nothing);
        }
        if self.to.is_empty() {
            return Ok(NewValue::Unknown);
        }
        if !row.numbers.is_empty() {
            return Ok(match value.renumbered(|number| self.number(number))? {
                Some(new) if new == *value => NewValue::Same,
                Some(new) => NewValue::Other(new),
                None => NewValue::Unknown,
            });
        }
        if row.was_array {
            return Ok(self.other_array(value)?.map_or(NewValue::Unknown, NewValue::Other));
        }
        if row.values.is_empty() {
            return Ok(NewValue::Same);
        }
        let mut pairs = row
            .values
            .iter()
            .map(|(before, after)| if self.is_up { (before, after) } else { (after, before) });
        let other = pairs.find(|(own, _)| own.0 == *value).map(|(_, other)| other.0.clone());
        Ok(other.map_or(NewValue::Unknown, NewValue::Other))
    }

    fn number(&self, number: i64) -> Option<i64> {
        let mut pairs = self.row.numbers.iter().map(|&(before, after)| match self.is_up {
            true => (before, after),
            false => (after, before),
        });
        pairs.find(|(own, _)| *own == number).map(|(_, other)| other)
    }

    // A number of an operand does not occur in arrays of attributes.
    fn other_array(&self, value: &Attribute) -> Result<Option<Attribute>> {
        let Some(numbers) = value.integers().filter(|numbers| !numbers.contains(&i64::MIN)) else {
            return Ok(None);
        };
        match self.is_up {
            true => builtin::dense_array(64, &numbers),
            false => builtin::array_of_integers(&numbers),
        }
        .map(Some)
    }

    /// Whether the rule has numbers of an enumeration.
    pub(crate) fn has_numbers(&self) -> bool {
        !self.row.numbers.is_empty()
    }

    /// Whether the value must be examined.
    fn needs_value(&self) -> bool {
        let row = self.row;
        row.flags.is_some()
            || row.is_shape_of_result
            || row.default.is_some()
            || row.was_array
            || !row.values.is_empty()
            || !row.numbers.is_empty()
    }
}
