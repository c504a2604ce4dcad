//! The table of release differences (`data/translation/releases.toml`, which explains its keys),
//! and its application to one pair of releases.

mod cases;
mod fields;
mod part_limits;
mod pointers;
mod refusals;
mod sparse;
mod symbols;
#[cfg(test)]
mod tests;
mod texts;
mod translation;
mod values;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::attr::Attribute;
use crate::ir::Module;
use crate::ops::OperationDefinitions;
use crate::props::class::Class;
use crate::props::schema::Kind;
use crate::props::{OpSchema, PropertySchema};
use crate::release::{self, ANY, KnownRelease, Llvm};
use crate::wire::error::Result;
use crate::wire::version::BytecodeVersion;

use super::respell::{Firsts, Pattern};
use super::rules::{GroupSize, PropertyRule, ReplacedTerminator, Since, Terminator};
use super::target_schemas::with_included;
pub(crate) use fields::TextForm;
pub(crate) use pointers::element_type;
pub(crate) use texts::older_spelling;
pub(crate) use translation::AddedProperty;
use translation::{Respelling, TextRule, Translation, attributes_16, shipped};
pub(crate) use values::{NewValue, PropertyRename};

/// The conversion of a module for its reader.
#[derive(Debug)]
pub(crate) struct ReleaseConversion {
    data: &'static Translation,
    own: Box<str>,
    from: u32,
    to: u32,
    /// The day of the revision of the module's release, if the release is known.
    from_day: Option<&'static str>,
    pub(crate) is_any: bool,
    release: Option<&'static KnownRelease>,
    /// The producer prefix of a registered release.
    producer: Option<Box<str>>,
    texts: Vec<Respelling>,
    /// The prefixes of the texts to which `texts` may apply.
    text_firsts: Firsts,
    /// Patterns of texts that the target does not have under any spelling.
    missing: Vec<&'static Pattern>,
    missing_firsts: Firsts,
    /// The releases with native properties that must all read the file.
    readers: Vec<Arc<PropertySchema>>,
    /// The dialects in which the target has operations.
    dialects: HashSet<Box<str>>,
    /// The dialects in which the release of the file has operations.
    own_dialects: HashSet<Box<str>>,
    /// The names that packs give to operations of the file in the target.
    names_in_packs: HashMap<&'static str, &'static str>,
}

/// Returns the new names of operations that only one of two releases of packs has renamed.
fn renames_of_packs(source: &str, target: &str) -> HashMap<&'static str, &'static str> {
    let renames = |release: &str| -> Vec<(&'static str, &'static str)> {
        OperationDefinitions::named(release).map_or_else(Vec::new, |all| all.renames().collect())
    };
    let (source, target) = (renames(source), renames(target));
    let up = target.iter().filter(|rename| !source.contains(rename)).copied();
    let down = source.iter().filter(|rename| !target.contains(rename)).map(|&(from, to)| (to, from));
    match target.is_empty() && source.is_empty() {
        true => HashMap::new(),
        false => down.chain(up).collect(),
    }
}

impl ReleaseConversion {
    /// Creates the conversion from the release of a module to the one with this name, or to [`Release::ANY`].
    ///
    /// # Errors
    /// If the data is invalid, which tests exclude.
    pub(crate) fn new(module: &Module, name: &str, schema: Option<&Arc<PropertySchema>>) -> Result<Self> {
        let source_release = module.release()?.nearest();
        let known_release = source_release.and_then(|name| release::find(name).ok().flatten());
        let from = known_release.map_or_else(|| module.tables().release_llvm(), KnownRelease::llvm).0;
        let mut this = Self::between((source_release.unwrap_or_default(), from), name, schema)?;
        if this.is_any {
            let with_properties = release::releases()?.iter().filter(|release| release.attributes.is_none());
            this.readers =
                with_properties.filter_map(|row| module.tables().find_schema(&row.name).ok()).collect();
        }
        Ok(this)
    }

    fn between((own, from): (&str, u32), name: &str, schema: Option<&Arc<PropertySchema>>) -> Result<Self> {
        let data = shipped()?;
        let release = release::find(name)?;
        let is_any = name == ANY;
        // A registered release is treated like the releases that it includes.
        let to = match (release, schema) {
            _ if is_any => from,
            (Some(release), _) => release.llvm().0,
            (None, Some(schema)) => schema.llvm_or_included().0,
            (None, None) => from,
        };
        let texts: Vec<Respelling> = if from < to {
            data.texts.iter().filter(|row| from < row.at && row.at <= to).map(TextRule::upgrade).collect()
        } else {
            // All releases read what the oldest one reads, if newer ones still accept it.
            let is_down = |row: &&TextRule| match is_any {
                true => row.is_read_by_newer && row.at <= from,
                false => to < row.at && row.at <= from,
            };
            data.texts.iter().rev().filter(is_down).map(TextRule::downgrade).collect()
        };
        let from_day = release::find(own)?.map(KnownRelease::revision);
        let dialect = |op: &OpSchema| op.name().split('.').next().unwrap_or_default().into();
        let of_target: Arc<[Arc<PropertySchema>]> = match schema {
            Some(schema) if schema.is_of_pack() => with_included(schema),
            schema => schema.into_iter().cloned().collect(),
        };
        let dialects = of_target.iter().flat_map(|schema| schema.ops()).map(dialect).collect();
        let own_schema = PropertySchema::shipped(own);
        let own_dialects = own_schema.iter().flat_map(|schema| schema.ops()).map(dialect).collect();
        let producer = schema.and_then(|schema| schema.producers().next()).map(Into::into);
        // Entities that were already missing are not reported.
        let (oldest, newest) = if is_any { (Llvm::OLDEST.0, u32::MAX - 1) } else { (to, to) };
        let is_gone = |before: u32, since: u32| {
            oldest < before && from >= before || newest >= since && from < since && !is_any
        };
        let gone = data.missing.iter().filter(|(_, before, since)| is_gone(*before, *since));
        let missing: Vec<&Pattern> = gone.map(|(pattern, ..)| pattern).collect();
        let text_firsts = Firsts::new(texts.iter().map(|respelling| &respelling.rule.from));
        let missing_firsts = Firsts::new(missing.iter().copied());
        Ok(Self {
            data,
            own: own.into(),
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
            own_dialects,
            names_in_packs: renames_of_packs(own, name),
        })
    }

    /// Returns the printing rules of the target.
    pub(crate) fn style(&self) -> Llvm {
        Llvm(self.to)
    }

    /// Returns the producer string of the target; `None` if it is unknown or there is more than one target.
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

    /// Returns the newest version that the target reads.
    pub(crate) fn newest_version(&self) -> BytecodeVersion {
        self.release.map_or(BytecodeVersion::MAX, KnownRelease::newest_version)
    }

    /// Returns the version to write by default.
    pub(crate) fn default_version(&self, own: BytecodeVersion) -> BytecodeVersion {
        if self.is_any { BytecodeVersion::new(0).unwrap_or(own) } else { own.min(self.newest_version()) }
    }

    /// Whether dialects other than builtin may have locations in the target.
    pub(crate) fn has_dialect_locations(&self) -> bool {
        let llvm = if self.is_any { Llvm::OLDEST } else { Llvm(self.to) };
        llvm.has_dialect_locations()
    }

    /// Whether the target numbers the results of top-level operations, for which its reader has no place.
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

    /// Whether one of the target releases has this attribute of an operation as optional, in a class that
    /// `fits` rejects. If the operation requires the attribute, its verifier reports it.
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
        let source_release = release::find(&self.own).ok().flatten();
        let is_same = self.release.is_some_and(|release| *release.name == *self.own);
        let is_development =
            |release: Option<&KnownRelease>| release.is_some_and(|release| !release.is_released());
        let is_near = |at: u32| at == self.from || at == self.to;
        let is_vague = !is_same && (is_development(source_release) || is_development(self.release));
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

    /// Returns the name of an operation in the target.
    pub(crate) fn op_name<'n>(&'n self, name: &'n str) -> &'n str {
        let mut name = self.names_in_packs.get(name).copied().unwrap_or(name);
        for row in &self.data.rows.op {
            let Some(is_up) = self.direction(&row.at) else { continue };
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            if *name == **from && (is_up || !row.is_up_only) {
                name = to;
            }
        }
        name
    }

    /// Returns the number of the rule that removes an operation from the end of blocks, and the number of the
    /// rule that removes the terminator of its blocks.
    pub(crate) fn removed_terminator(&self, op: &str) -> (Option<usize>, Option<usize>) {
        let rows = &self.data.rows.terminator;
        let applies = |row: &Terminator| self.direction(&row.until) == Some(true);
        let end = rows.iter().position(|row| row.op == op && applies(row));
        let owner = rows.iter().position(|row| row.of.iter().any(|name| name == op) && applies(row));
        (end, owner)
    }

    /// Returns the terminator that the target requires in the blocks of an operation.
    pub(crate) fn new_terminator(&self, of: &str) -> Option<&str> {
        let mut rows = self.data.rows.terminator.iter().filter(|row| row.of.iter().any(|name| name == of));
        rows.find(|row| self.direction(&row.until) == Some(false)).map(|row| &*row.op)
    }

    /// Returns the names of attributes of an operation that schemas or rules mention. All other names are
    /// treated the same for all operations.
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
        for row in self.data.rows.property.iter().filter(|row| row.op.cover(op)) {
            names.extend([&*row.before, &row.after]);
            names.extend(row.each_of.as_deref());
        }
        for row in self.data.rows.segments.iter().filter(|row| row.op == op) {
            names.extend(row.sizes.iter().filter_map(|size| match size {
                GroupSize::InputsOf(name) => Some(&**name),
                GroupSize::Number(_) => None,
            }));
        }
        names
    }

    /// Returns the rules for properties of an operation that change.
    pub(crate) fn renamed(&self, op: &str) -> impl Iterator<Item = PropertyRename<'_>> {
        let rows = self.data.rows.property.iter().filter(move |row| row.op.cover(op));
        rows.filter_map(move |row| {
            let is_up = self.direction(&row.at)?;
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            (!is_up || !row.before.is_empty()).then_some(PropertyRename { from, to, row, is_up })
        })
    }

    /// Whether a discardable attribute in the module's release would be inherent in the target, because the
    /// target gives its name to a renamed attribute or property.
    pub(crate) fn gains_meaning(&self, op: &str, name: &str) -> bool {
        let is_of_target = self.renamed(op).any(|rule| rule.to == name && ![name, ""].contains(&rule.from));
        // The schema of 16 does not contain the attributes of its ops.
        is_of_target && !(self.from == Llvm::OLDEST.0 && self.has_attribute(op, name) == Some(true))
    }

    /// Returns the attributes that only the target requires: names and values.
    pub(crate) fn added(&self, op: &str) -> impl Iterator<Item = AddedProperty<'_>> {
        let rows = self.data.rows.property.iter().filter(move |row| row.op.cover(op));
        rows.filter_map(|row| {
            let name = match self.direction(&row.at)? {
                true if row.is_added => &row.after,
                false if row.after.is_empty() => &row.before,
                true | false => return None,
            };
            let (value, each_of) = (&row.default.as_ref()?.0, row.each_of.as_deref());
            let for_constants = row.for_constants.as_ref().map(|constant| &constant.0);
            Some(AddedProperty { name, value, each_of, for_constants })
        })
    }

    /// Returns the property that newer releases require, and whose value is the shape of the result.
    pub(crate) fn shape_of_result(&self, op: &str) -> Option<&str> {
        let mut rows =
            self.data.rows.property.iter().filter(|row| row.is_shape_of_result && row.op.cover(op));
        rows.find(|row| self.direction(&row.at) == Some(true)).map(|row| &*row.after)
    }

    /// Returns the property whose items for constant results of a map must have one value in older targets,
    /// that value, and the property with the map.
    pub(crate) fn required_for_constants(&self, op: &str) -> Option<(&str, &Attribute, &str)> {
        let mut rows = self.data.rows.property.iter().filter(|row| row.op.cover(op));
        rows.find_map(|row| {
            let until = row.constants_until.as_ref()?;
            let (value, map) = (&row.for_constants.as_ref()?.0, row.each_of.as_deref()?);
            (self.direction(until) == Some(false)).then_some((&*row.after, value, map))
        })
    }

    /// Returns attributes of which the operation must have one in the target only.
    pub(crate) fn required(&self, op: &str) -> Option<&[String]> {
        let mut rows = self.data.rows.required.iter().filter(|row| row.op == op);
        rows.find(|row| self.direction(&row.at) == Some(true)).map(|row| &*row.one_of)
    }

    /// Returns the condition that the operation must meet in the target and never meets in the file.
    pub(crate) fn incompatible(&self, op: &str) -> Option<&str> {
        let mut rows = self.data.rows.incompatible.iter().filter(|row| row.op == op);
        rows.find_map(|row| Some(if self.direction(&row.at)? { &*row.after } else { &*row.before }))
    }

    /// Returns operand group sizes that the target requires and the module's release did not have.
    pub(crate) fn new_segments(&self, op: &str) -> Option<&[GroupSize]> {
        self.segments(op, true)
    }

    /// Returns operand group sizes that the module's release stores and the target derives.
    pub(crate) fn old_segments(&self, op: &str) -> Option<&[GroupSize]> {
        self.segments(op, false)
    }

    fn segments(&self, op: &str, is_up: bool) -> Option<&[GroupSize]> {
        let mut rows = self.data.rows.segments.iter();
        rows.find(|row| row.op == op && self.direction(&row.at) == Some(is_up)).map(|row| &*row.sizes)
    }

    /// Returns for each operand of an operation in the target its position among the operands in the file;
    /// `None` if the order is the same.
    pub(crate) fn operand_order(&self, op: &str) -> Option<Box<[u8]>> {
        let mut rows = self.data.rows.operands.iter().filter(|row| row.op == op);
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
        self.replaced_terminators(of).next().is_some()
    }

    /// Returns the rows for the terminators of an operation, and whether the target has the newer ones.
    fn replaced_terminators(&self, of: &str) -> impl Iterator<Item = (&ReplacedTerminator, bool)> {
        let rows = self.data.rows.replaced_terminator.iter();
        let rows = rows.filter(move |row| row.of == of || row.of == self.op_name(of));
        rows.filter_map(|row| Some((row, self.direction(&row.at)?)))
    }

    /// Returns the name that an operation in the blocks of another one has in the target, if it has another
    /// name there, and whether it keeps its operands.
    pub(crate) fn new_terminator_name(&self, of: &str, op: &str) -> Option<(&str, bool)> {
        self.replaced_terminators(of).find_map(|(row, is_up)| {
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            (from == op).then_some((&**to, row.has_operands))
        })
    }

    /// Whether an op ends the blocks of another one in the target only.
    pub(crate) fn is_only_terminator(&self, of: &str, op: &str) -> bool {
        self.replaced_terminators(of).any(|(row, is_up)| row.after == op && is_up)
    }

    /// Whether the release of the module declares the attributes of its operations although it has no
    /// properties, and declares this attribute.
    pub(crate) fn declares(&self, op: &str, name: &str) -> bool {
        self.declares_attributes() && self.has_attribute(op, name) == Some(true)
    }

    fn declares_attributes(&self) -> bool {
        let source_release = release::find(&self.own).ok().flatten();
        source_release.is_some_and(|source_release| source_release.attributes.is_some())
    }

    /// Whether the op of the target reads an attribute that it does not declare.
    pub(crate) fn reads_undeclared(&self, op: &str, name: &str) -> bool {
        let rows =
            self.data.rows.undeclared.iter().filter(|row| !self.target_has(&row.at) && row.op.cover(op));
        rows.flat_map(|row| &row.names).any(|known| known == name)
    }

    /// Returns the operand groups of an operation in the module's release and in the target, if their schemas
    /// do not contain the groups.
    pub(crate) fn operand_groups(&self, op: &str) -> (Option<Vec<String>>, Option<Vec<String>>) {
        let groups = |release: &str| {
            if let Some(known) = self.data.rows.operand_groups.get(release).and_then(|ops| ops.get(op)) {
                return Some(known.clone());
            }
            let like = release::find(release).ok()??.operand_groups_like.as_ref()?;
            let schema = PropertySchema::shipped(like)?;
            let names: Vec<_> = schema.op(op.as_bytes())?.operands().map(str::to_owned).collect();
            (!names.is_empty()).then_some(names)
        };
        (groups(&self.own), self.release.and_then(|release| groups(&release.name)))
    }

    /// Returns the name in the target of an operand group, which `is_it` recognizes; `None` if it is the
    /// same.
    pub(crate) fn renamed_group(&self, op: &str, is_it: impl Fn(&str) -> bool) -> Option<&str> {
        self.data.rows.group.iter().filter(|row| row.op.cover(op)).find_map(|row| {
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

    /// Whether the target is certainly older than a day.
    fn is_before(&self, day: &str) -> bool {
        !has_day(self.to, self.release.map(KnownRelease::revision), day)
    }

    /// Whether all target releases have a difference.
    fn target_has(&self, at: &Since) -> bool {
        !self.is_any && has(self.to, self.release.map(KnownRelease::revision), at)
    }
}

/// Whether a build has a difference; without a known revision, the number of its LLVM decides.
fn has(llvm: u32, day: Option<&str>, at: &Since) -> bool {
    match (at, day) {
        (Since::Always | Since::Version(_), _) => true,
        (Since::Release(number), _) => llvm >= *number,
        (Since::Day(since), day) => has_day(llvm, day, since),
    }
}

fn has_day(llvm: u32, day: Option<&str>, since: &str) -> bool {
    match day {
        Some(day) => day >= since,
        None => first_release_after(since).is_some_and(|number| llvm >= number),
    }
}

/// Returns the number of the first release whose branch is from this day or later.
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
    let rows = shipped().map_or(&[][..], |data| &data.rows.property);
    let of_name = rows.iter().filter(|row| *row.after == *name && is_meant(row) && row.op.cover(op));
    of_name.filter_map(|row| row.default.as_ref()).any(|default| default.0.to_string() == text)
}
