//! The parts of a module that a receiver does not know, and its reaction.
//!
//! MLIR's reader only tests whether the registered flag of an op is present, not its value: it reads the
//! properties of an unknown op as the index of an attribute (`readProperties` in
//! `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`). If that index is in range, the op is misread without an
//! error.

mod property_layouts;
mod receiver_knowledge;
mod report;
mod visited_entries;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::attr::text::dense;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::ir::Module;
use crate::ir::module::PropertyReader;
use crate::release::{KnownRelease, Release, SCALABLE_VECTOR, vhlo};
use crate::wire::change::ChangeKind;
use crate::wire::cursor::Cursor;
use crate::wire::error::{ErrorClass, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;

use super::plan::Plan;
use super::pool::{DENSE_ELEMENTS, shortened};
use super::release::{ReleaseConversion, TextForm};
use crate::write::plan::Shapes;
use crate::write::{Numbering, Pulse, WriteOptions};
use receiver_knowledge::ReceiverKnowledge;
pub use report::{CheckReport, ConversionCheck, Finding, FindingKind, Outcome};
use visited_entries::VisitedEntries;

/// The reader whose compatibility is examined.
///
/// ```
/// use mlirbc::convert::Receiver;
/// assert_eq!(Receiver::from_text("func.func\n# comment\nfunc.return\n"), Receiver::Ops(["func.func", "func.return"].map(Into::into).into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Receiver {
    /// A known release, or [`Release::ANY`]: every release that reads files for it.
    Release(Release),
    /// A tool with these operations and their dialects; its property layouts and versions are unknown.
    Ops(BTreeSet<String>),
}

impl Receiver {
    /// Parses a list of operation names, one per line; `#` starts a comment.
    pub fn from_text(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split('#').next()).map(str::trim);
        Self::Ops(lines.filter(|line| !line.is_empty()).map(Into::into).collect())
    }
}

/// The dialects with operations that nothing registers: `mlir-opt` of 16, 19 and 22 accepts any name in them.
pub(super) const ALLOW_UNKNOWN_OPS: &[&str] = &["llvm", "nvvm", "rocdl", "shape", "spirv", "test"];

/// The operation between values of VHLO and of other dialects, without its dialect.
const CAST: &[u8] = b"unrealized_conversion_cast";

type Key = (FindingKind, String, Outcome, Outcome);

/// The address and length of a name: names of one string are one slice.
type Address = (usize, usize);

struct Findings<'b> {
    rows: BTreeMap<Key, Finding>,
    budget: &'b Budget,
}

impl<'b> Findings<'b> {
    fn new(budget: &'b Budget) -> Self {
        Self { rows: BTreeMap::new(), budget }
    }

    /// # Errors
    /// If the memory limit is reached.
    fn add(
        &mut self,
        kind: FindingKind,
        name: &str,
        count: u64,
        (outcome, strict_outcome): (Outcome, Outcome),
        reason: impl FnOnce() -> String,
    ) -> Result<()> {
        // Each part is decided separately: of several with one name, some may be misread and others rejected.
        let held = self.budget.hold(size_of::<(Key, Finding)>() + 2 * name.len())?;
        let row = match self.rows.entry((kind, name.to_owned(), outcome, strict_outcome)) {
            Entry::Occupied(row) => row.into_mut(),
            Entry::Vacant(row) => {
                let reason = reason();
                held.keep();
                self.budget.spend(reason.len())?;
                let name = name.to_owned();
                row.insert(Finding { kind, name, count: 0, outcome, strict_outcome, reason })
            }
        };
        row.count += count;
        Ok(())
    }
}

impl Module {
    /// Determines the parts of the module that a receiver does not know, its reaction, and how the module
    /// would be written.
    ///
    /// # Errors
    /// If there is no release with that name, or a table or the IR is malformed.
    ///
    /// ```
    /// use mlirbc::convert::{FindingKind, Outcome, Receiver};
    /// use mlirbc::Module;
    /// let module = Module::from_bytes(mlirbc::doc_example())?;
    /// let report = module.compatibility(&Receiver::from_text("builtin.module\nt.c"))?;
    /// let ops: Vec<_> = report.findings.iter().map(|finding| (finding.kind, &*finding.name)).collect();
    /// assert_eq!(ops, [(FindingKind::Op, "t.r"), (FindingKind::Op, "t.u"), (FindingKind::Properties, "t.c")]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn compatibility(&self, receiver: &Receiver) -> Result<CheckReport> {
        self.settle()?;
        let findings = match receiver {
            Receiver::Release(release) if *release == Release::ANY => self.findings_of_readers()?,
            receiver => self.findings_of(receiver)?,
        };
        let plan =
            self.plan_write(&WriteOptions { numbering: Numbering::Preserve, ..WriteOptions::default() })?;
        let conversion = match receiver {
            Receiver::Release(release) => Some(self.check_conversion(release.as_str())?),
            Receiver::Ops(_) => None,
        };
        Ok(CheckReport { findings, plan, conversion })
    }

    /// Returns the parts that one receiver does not know.
    pub(super) fn findings_of(&self, receiver: &Receiver) -> Result<Vec<Finding>> {
        let knowledge = ReceiverKnowledge::new(self, receiver)?;
        let budget = self.tables().work_budget();
        let mut findings = Findings::new(&budget);
        self.check_export(&knowledge, &mut findings)?;
        self.check_versions(&knowledge, &mut findings)?;
        let mut visited = VisitedEntries::of(self, &budget)?;
        self.check_ops(&knowledge, &mut findings, &mut visited)?;
        self.check_entries(&knowledge, &mut findings, visited)?;
        if let Receiver::Release(release) = receiver {
            let name = release.as_str();
            self.check_names(&knowledge, name, &mut findings)?;
            self.check_rules(name, &mut findings)?;
        }
        Ok(findings.rows.into_values().collect())
    }

    /// Returns the result of [`Self::write`] for a release.
    fn check_conversion(&self, name: &str) -> Result<ConversionCheck> {
        let options = WriteOptions {
            numbering: Numbering::Canonical,
            target: Some(Release::named(name.to_owned())),
            ..WriteOptions::default()
        };
        let plan = Plan::without_changes(self, &options)?;
        let refusal = plan.refusal().map(ToString::to_string);
        Ok(ConversionCheck { losses: plan.losses().to_vec(), refusal })
    }

    /// Finds the operations with another form in the receiver, and the attributes that it does not find. In
    /// files without native properties, the receiver looks for the attributes of an operation by their names,
    /// and keeps unknown ones as attributes without a meaning.
    fn check_names(
        &self,
        knowledge: &ReceiverKnowledge,
        name: &str,
        findings: &mut Findings<'_>,
    ) -> Result<()> {
        let Some(conversion) = &knowledge.conversion else { return Ok(()) };
        let refused = (Outcome::Refused, Outcome::Refused);
        for (id, count) in (0..).map(OpNameId::new).zip(self.op_counts()?) {
            let Some(op) = self.op_name(id).filter(|_| count > 0) else { continue };
            let _held = findings.budget.hold(op.dialect.len() + op.stem.len())?;
            let op = op.full();
            if let Some(rule) = conversion.incompatible(&op) {
                findings.add(FindingKind::Op, &op, count, refused, || {
                    format!("the receiver refuses it: {rule}")
                })?;
            }
        }
        if self.tables().bytecode().version().has_native_properties() {
            return Ok(());
        }
        let misread = (Outcome::Misread, Outcome::Misread);
        let options = WriteOptions {
            target: Some(Release::named(name.to_owned())),
            drop_unsupported: true,
            lists_changes: true,
            ..WriteOptions::default()
        };
        let prepared = match self.prepare_write(&options) {
            Err(error) if error.class() == ErrorClass::Unsupported => return Ok(()),
            prepared => prepared?,
        };
        for change in &prepared.report.changes {
            let ChangeKind::AttributeName(from, to) = &change.kind else { continue };
            // All readers know the older names of segment sizes.
            if from.ends_with("_segment_sizes") {
                continue;
            }
            let op = change.op.as_deref().unwrap_or_default();
            findings.add(FindingKind::Properties, op, change.count, misread, || {
                format!("the receiver ignores `{from}`: its name for the attribute is `{to}`")
            })?;
        }
        Ok(())
    }

    /// Finds the rules of definitions that operations break if the receiver reads the file unchanged.
    fn check_rules(&self, name: &str, findings: &mut Findings<'_>) -> Result<()> {
        // A file that is refused for another reason may not be readable as a file of the receiver.
        if findings.rows.values().any(|row| row.outcome != Outcome::Kept) {
            return Ok(());
        }
        let read = self.like_of_release(self.source().clone(), Some(name.to_owned()))?;
        let refused = (Outcome::Refused, Outcome::Refused);
        for loss in self.rules_broken_in(&read)? {
            let name = loss.op.as_deref().unwrap_or_default();
            let rule = loss.kind.subject().unwrap_or_default();
            findings.add(FindingKind::Op, name, loss.count, refused, || {
                format!("the receiver refuses it: {rule}")
            })?;
        }
        Ok(())
    }

    // Finds platforms of a JAX export that the receiver does not have.
    fn check_export(&self, knowledge: &ReceiverKnowledge, findings: &mut Findings<'_>) -> Result<()> {
        let exported =
            self.container().map(|container| container.exported(self.tables().module_index())).transpose()?;
        let (Some(exported), Some(release)) = (exported.flatten(), knowledge.release) else { return Ok(()) };
        // JAX checks the calling convention when it exports, and never looks at it when it calls.
        let is_known = |name: &String| release.platforms.iter().any(|platform| **platform == **name);
        if !release.platforms.is_empty()
            && !exported.runs_anywhere()
            && !exported.platforms.iter().any(is_known)
        {
            let refused = (Outcome::Refused, Outcome::Refused);
            findings.add(FindingKind::Platform, &exported.platforms.join(", "), 1, refused, || {
                "the receiver has the platform with a plugin only".to_owned()
            })?;
        }
        Ok(())
    }

    fn check_versions(&self, knowledge: &ReceiverKnowledge, findings: &mut Findings<'_>) -> Result<()> {
        let version = self.tables().bytecode().version();
        if let Some(newest) = knowledge.conversion.as_ref().map(ReleaseConversion::newest_version)
            && version > newest
        {
            let refused = (Outcome::Refused, Outcome::Refused);
            findings.add(FindingKind::BytecodeVersion, &version.to_string(), 1, refused, || {
                format!("the receiver reads bytecode versions up to {newest}")
            })?;
        }
        // The keys are addresses of names: many dialects may share one long name.
        let mut versioned: HashMap<Address, (&[u8], u64)> = HashMap::new();
        for dialect in self.dialects()?.filter(|dialect| dialect.version.is_some()) {
            let address = (dialect.name.as_ptr() as usize, dialect.name.len());
            versioned.entry(address).or_insert((dialect.name, 0)).1 += 1;
        }
        for (name, count) in versioned.into_values() {
            let name = String::from_utf8_lossy(name);
            if !knowledge.reads_version(&name) {
                let refused = (Outcome::Refused, Outcome::Refused);
                findings.add(FindingKind::DialectVersion, &name, count, refused, || {
                    "the receiver does not read versions of the dialect".to_owned()
                })?;
            }
        }
        Ok(())
    }

    fn check_ops(
        &self,
        knowledge: &ReceiverKnowledge,
        findings: &mut Findings<'_>,
        visited: &mut VisitedEntries,
    ) -> Result<()> {
        let (entries, shapes) = (self.tables().entries()?, Shapes::of(self, findings.budget)?);
        let reader = PropertyReader::new(self, &entries)?;
        let budget = findings.budget;
        let name_of = |id: u32| {
            let name = self.op_name(OpNameId::new(id));
            let _held = budget.hold(name.map_or(0, |name| name.dialect.len() + name.stem.len()))?;
            Ok(name.map_or_else(String::new, |name| name.full().into_owned()))
        };
        // A name that is longer than all known names is not built for the lookup.
        let longest = knowledge.ops.iter().map(String::len).max().unwrap_or(0);
        let is_op = |id: u32| {
            let name = self.op_name(OpNameId::new(id));
            let is_short = name.is_none_or(|name| name.dialect.len() + name.stem.len() <= longest);
            Ok(is_short && knowledge.has_op(&name_of(id)?))
        };
        // The number of operations and the reason, by operation name and outcome.
        let mut unknown: BTreeMap<(u32, Outcome), (u64, &'static str)> = BTreeMap::new();
        let mut pulse = Pulse::default();
        let without = "the receiver does not know the operation";
        let is_artifact = self.dialects()?.any(|dialect| dialect.name == b"vhlo");
        let receiver_version = knowledge.refuses_other_dialects().filter(|_| is_artifact).map(vhlo::text);
        let check_cast = |id: u32, count, findings: &mut Findings<'_>| {
            let is_cast =
                |name: crate::ir::OperationName<'_>| name.dialect == b"builtin" && name.stem == CAST;
            let Some(receiver_version) =
                receiver_version.as_ref().filter(|_| self.op_name(OpNameId::new(id)).is_some_and(is_cast))
            else {
                return Ok(());
            };
            let refused = (Outcome::Refused, Outcome::Refused);
            findings.add(FindingKind::Op, "builtin.unrealized_conversion_cast", count, refused, || {
                let since = vhlo::text(vhlo::OTHER_DIALECTS);
                format!("StableHLO {since} allows other dialects in artifacts, and the receiver has {receiver_version}")
            })
        };
        for (&id, &count) in &shapes.without {
            pulse.beat(1, self.tables())?;
            check_cast(id, count, findings)?;
            if !is_op(id)? {
                unknown.entry((id, Outcome::Kept)).or_insert((0, without)).0 += count;
            }
        }
        let mut last = None;
        let mut is_known = false;
        for ((id, blob), count) in shapes.sorted() {
            pulse.beat(1, self.tables())?;
            if last != Some(id) {
                (last, is_known) = (Some(id), is_op(id)?);
            }
            check_cast(id, count, findings)?;
            let blob = PropertyId::new(blob);
            let registered =
                self.op_name(OpNameId::new(id)).and_then(|name| name.is_registered) != Some(false);
            let bytes = self.tables().properties()?.get(blob.number()).unwrap_or_default();
            if !is_known {
                let (outcome, reason) = match first_index(&bytes, &entries) {
                    _ if !registered => (Outcome::Kept, without),
                    Some(_) => (
                        Outcome::Misread,
                        "the receiver takes the first number of the properties for an attribute index",
                    ),
                    None => (
                        Outcome::Refused,
                        "the receiver takes the first number of the properties for an attribute index, which is out of range",
                    ),
                };
                // The receiver resolves only that one attribute of the properties.
                if let Some(index) = first_index(&bytes, &entries) {
                    visited.add(EntryRef::Attribute(AttrId::new(index)));
                }
                unknown.entry((id, outcome)).or_insert((0, reason)).0 += count;
                continue;
            }
            let offset = reader.offset(blob);
            visited.add_properties(&reader, OpNameId::new(id), blob);
            self.check_layout(
                (knowledge, &reader),
                OpNameId::new(id),
                (blob, &bytes, offset),
                count,
                findings,
            )?;
        }
        for ((id, outcome), (count, reason)) in unknown {
            unknown_op(knowledge, &name_of(id)?, count, outcome, reason, findings)?;
        }
        Ok(())
    }

    fn check_entries(
        &self,
        knowledge: &ReceiverKnowledge,
        findings: &mut Findings<'_>,
        visited: VisitedEntries,
    ) -> Result<()> {
        let entries = self.tables().entries()?;
        let (mut node, texts) = (Node::default(), crate::print::EntryTexts::new(self)?);
        let mut pulse = Pulse::default();
        // The known dialects, by the address of their name, which is the same slice for all entries.
        let mut dialects: HashMap<Address, bool> = HashMap::new();
        // Entries of unknown dialects, by the address of the name, the kind, and whether they are text.
        let mut unknown: HashMap<(Address, FindingKind, bool), (&[u8], u64)> = HashMap::new();
        let mut other_elements: HashMap<u32, bool> = HashMap::new();
        // Entries without references are not read.
        for of in visited.closed(&entries, self, findings.budget)?.all() {
            pulse.beat(1, self.tables())?;
            let Some(entry) = entries.raw(of) else { continue };
            let is_type = matches!(of, EntryRef::Type(_));
            let kind = if is_type { FindingKind::Type } else { FindingKind::Attribute };
            let refused = (Outcome::Refused, Outcome::Refused);
            let address = (entry.dialect.as_ptr() as usize, entry.dialect.len());
            let is_known = dialects
                .entry(address)
                .or_insert_with(|| knowledge.has_dialect(&String::from_utf8_lossy(entry.dialect)));
            if !*is_known {
                let row = unknown.entry((address, kind, entry.is_text));
                row.or_insert((entry.dialect, 0)).1 += 1;
                continue;
            }
            let Some(conversion) = &knowledge.conversion else { continue };
            if let Some(text) = entry.text() {
                let words = std::str::from_utf8(text).ok();
                let form = words.map(|text| conversion.with_target_fields(text));
                let is_same = matches!(form, Some(TextForm::Same) | None);
                let has_old_spelling = conversion.needs_respelling(text, findings.budget)?;
                let lacks = has_old_spelling || conversion.lacks(text, findings.budget)?;
                if is_same && !lacks {
                    continue;
                }
                let is_parsed = !lacks && words.is_some_and(|text| conversion.parses(text));
                let outcome = if is_parsed { Outcome::Misread } else { Outcome::Refused };
                let name = String::from_utf8_lossy(text);
                findings.add(kind, &name, 1, (outcome, outcome), || match form {
                    Some(TextForm::Other(new)) if is_parsed => {
                        format!(
                            "the receiver has another default for a field that is left out; it needs `{}`",
                            shortened(new.as_bytes())
                        )
                    }
                    _ if has_old_spelling => "the receiver expects another spelling of the text".to_owned(),
                    _ => "the receiver cannot parse the text".to_owned(),
                })?;
                continue;
            }
            let Ok(code) = Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType)).varint() else {
                continue;
            };
            if code == DENSE_ELEMENTS && !is_type && entry.dialect == b"builtin" {
                let decoded = entry.decode(of, &entries, &mut node).ok().flatten();
                let text = |index| texts.r#type(TypeId::new(index));
                let differing = decoded.and(node.r#type(0)).filter(|&index| {
                    let is_other = other_elements.entry(index.number());
                    *is_other.or_insert_with(|| {
                        let element = dense::element_type(&entries, index);
                        element
                            .and_then(|index| dense::element(&entries, index))
                            .is_some_and(|element| conversion.has_other_elements(element))
                    })
                });
                if let Some(index) = differing {
                    findings.add(
                        kind,
                        &format!("dense elements of {}", text(index.number())),
                        1,
                        refused,
                        || "the receiver encodes elements of this type differently".to_owned(),
                    )?;
                }
            }
            if code == SCALABLE_VECTOR && is_type && conversion.has_other_scalable_form(entry.dialect) {
                let text = texts.r#type(TypeId::new(of.index()));
                findings.add(kind, &text, 1, refused, || {
                    "the receiver encodes scalable vectors differently".to_owned()
                })?;
            }
            let form = entry.form(of).ok().flatten();
            let newer = form.filter(|_| entry.dialect == b"vhlo").and_then(|form| knowledge.newer_vhlo(form));
            if let (Some(since), Some(form)) = (newer, form) {
                findings.add(kind, &format!("vhlo.{}", form.name), 1, refused, || {
                    let receiver_version =
                        knowledge.release.and_then(KnownRelease::stablehlo).map(vhlo::text);
                    let (since, receiver_version) = (vhlo::text(since), receiver_version.unwrap_or_default());
                    format!("StableHLO {since} introduced it, and the receiver has {receiver_version}")
                })?;
            } else if !conversion.reads(entry.dialect, is_type, code) {
                let form = entry.decode(of, &entries, &mut node).ok().flatten();
                let name = form.map_or_else(|| format!("code {code}"), |(form, _)| form.name.to_string());
                let dialect = String::from_utf8_lossy(entry.dialect);
                findings.add(kind, &format!("{dialect}.{name}"), 1, refused, || {
                    format!("the receiver does not read code {code}")
                })?;
            }
        }
        for ((_, kind, is_text), (dialect, count)) in unknown {
            // Text of an unknown dialect is kept; an encoding needs its reader.
            let outcome = if is_text { Outcome::Kept } else { Outcome::Refused };
            let outcomes = (outcome, Outcome::Refused);
            findings.add(kind, &String::from_utf8_lossy(dialect), count, outcomes, || match is_text {
                true => "the receiver does not know the dialect".to_owned(),
                false => "the receiver does not read the encoding of the dialect".to_owned(),
            })?;
        }
        Ok(())
    }
}

fn unknown_op(
    knowledge: &ReceiverKnowledge,
    name: &str,
    count: u64,
    outcome: Outcome,
    reason: &str,
    findings: &mut Findings<'_>,
) -> Result<()> {
    let dialect = name.split('.').next().unwrap_or(name);
    // The verifier of MLIR refuses unknown operations of a loaded dialect, also where unknown dialects are allowed.
    let is_open = ALLOW_UNKNOWN_OPS.contains(&dialect);
    let (outcome, reason) = match outcome {
        Outcome::Kept | Outcome::Misread if knowledge.has_dialect(dialect) && !is_open => {
            (Outcome::Refused, "the receiver knows the dialect, but not the operation")
        }
        _ => (outcome, reason),
    };
    let strict = if is_open && knowledge.has_dialect(dialect) { outcome } else { Outcome::Refused };
    // MLIR loads the dialect before it reads the op.
    findings.add(FindingKind::Op, name, count, (outcome, strict), || reason.to_owned())?;
    if !knowledge.has_dialect(dialect) {
        findings.add(FindingKind::Dialect, dialect, count, (Outcome::Kept, Outcome::Refused), || {
            "the receiver does not know the dialect".to_owned()
        })?;
    }
    Ok(())
}

/// Returns the attribute that MLIR reads in place of properties of unknown layout.
fn first_index(bytes: &[u8], entries: &FileEntries<'_>) -> Option<u32> {
    let mut cursor = Cursor::new(bytes, 0, Some(SectionId::Properties));
    cursor.index("an attribute", entries.bounds().attributes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(receiver: &str) -> CheckReport {
        let module = Module::open("../../examples/two_layers.mlirbc").unwrap();
        module.compatibility(&Receiver::Release(Release::named(receiver.to_owned()))).unwrap()
    }

    #[test]
    fn the_release_that_wrote_a_file_knows_it() {
        assert!(report("llvm-22").is_known());
    }

    #[test]
    fn each_release_with_stablehlo_reads_the_artifacts_that_its_version_reads() {
        let outcome = |path: &str, receiver: &str| {
            let module = Module::open(path).unwrap();
            let report =
                module.compatibility(&Receiver::Release(Release::named(receiver.to_owned()))).unwrap();
            report.findings.into_iter().map(|finding| (finding.kind, finding.name)).collect::<Vec<_>>()
        };
        // The artifact needs StableHLO 1.10.0.
        let model = "../../examples/mlp.jax";
        for release in
            ["jaxlib-0.10", "jaxlib-0.9", "jaxlib-0.8", "jaxlib-0.7", "stablehlo-1.20", "iree-3.13"]
        {
            assert_eq!(outcome(model, release), [], "{release}");
        }
        let older = outcome(model, "jaxlib-0.5");
        assert!(older.iter().all(|(kind, _)| kind.to_string() != "calling convention"));
        assert!(older.contains(&(FindingKind::Op, "vhlo.tanh_v2".to_owned())));
        assert!(older.contains(&(FindingKind::Attribute, "vhlo.ResultAccuracyV1Attr".to_owned())));
        assert!(!older.contains(&(FindingKind::Op, "vhlo.add_v1".to_owned())));
        // Shardy beside VHLO needs 1.11.0.
        let sharded = "../../tests/data/containers/sharded.jax";
        assert_eq!(outcome(sharded, "jaxlib-0.7"), []);
        let cast = (FindingKind::Op, "builtin.unrealized_conversion_cast".to_owned());
        assert!(outcome(sharded, "jaxlib-0.5").contains(&cast));
    }

    #[test]
    fn another_release_has_other_layouts() {
        let report = report("llvm-19");
        let names: Vec<_> = report.findings.iter().map(|finding| (&*finding.name, finding.outcome)).collect();
        // `tests/python/test_fallback.py` shows that `mlir-opt` does this.
        assert_eq!(
            names[..3],
            [
                ("cf.cond_br", Outcome::Misread),
                ("func.call", Outcome::Refused),
                ("func.func", Outcome::Refused)
            ]
        );
        assert_eq!(names[3..], [("builtin.FileLineColRange", Outcome::Refused)]);
        assert_eq!(report.worst(), Some((Outcome::Refused, Outcome::Refused)));
    }

    #[test]
    fn an_op_that_is_not_listed_is_counted() {
        let module = Module::open("../../examples/two_layers.mlirbc").unwrap();
        let ops: Vec<String> =
            module.tables().op_names().unwrap().map(|name| name.full().into_owned()).collect();
        let but_one = ops.iter().filter(|name| *name != "arith.addf").cloned().collect();
        let report = module.compatibility(&Receiver::Ops(but_one)).unwrap();
        assert_eq!(report.findings.len(), 1);
        assert_eq!(report.findings[0].name, "arith.addf");
        assert!(module.compatibility(&Receiver::Release(Release::named("llvm-99"))).is_err());
    }
}
