//! Operations in the custom assembly of their release.
//!
//! Owns the pieces that the text of an operation consists of, the formats that make them, and the names of values.
//! Does not own the order of operations, regions and blocks (`print::op`), or the text of attributes and types.

use std::cell::Cell;
use std::collections::HashMap;

use crate::attr::text::entry::{EntryPrinter, EntryStyle};
use crate::file::FileEntries;
use crate::file::candidate_releases;
use crate::format::id::OpNameId;
use crate::ir::body::Body;
use crate::ir::module::PropertyReader;
use crate::ir::{BodyId, Module, OpId, Operation};
use crate::ops::CandidateReleases;
use crate::props::Property;
use crate::release::Llvm;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, HeldMemory};

use super::dialects::affine;
use super::draft::TypeViews;
use super::names::{Scopes, ValueNames};
use super::op::{Omission, UndecidedForm};
use super::operation_forms::OperationForms;
use super::plan::{self, Plan};
use super::shapes::Shapes;
use super::trial::{Tried, write_op};

/// Puts operations of a file into pieces, and names values.
pub(in crate::print) struct Custom<'m, 'e> {
    pub(super) module: &'m Module,
    pub(super) file: &'e FileEntries<'m>,
    pub(super) releases: CandidateReleases,
    // The release of the definition that is being tried.
    pub(super) release: Llvm,
    pub(super) locations: bool,
    pub(super) lossless: bool,
    // By op name.
    pub(super) known: Vec<Option<OperationForms>>,
    // Prints texts that decide about a form. Aliases would hide their content.
    pub(super) plain: EntryPrinter<'e, FileEntries<'m>>,
    pub(super) views: TypeViews<'m>,
    pub(super) maps: affine::Maps,
    pub(in crate::print) plan: Plan,
    pub(in crate::print) scopes: Scopes,
    pub(in crate::print) shapes: Shapes,
    // The last drafts read nothing but the shape of the op.
    pub(super) is_of_shape: bool,
    pub(in crate::print) dialects: Vec<&'static str>,
    pub(super) inherent: Vec<Property<'m>>,
    pub(super) discardable: Vec<(u32, u32)>,
    /// The part that the text omits.
    pub(in crate::print) omissions: Vec<Omission>,
    // Their places, by op name and part.
    pub(super) remark_of: HashMap<(u32, Remark), usize>,
    /// The operations whose form depends on the build.
    pub(in crate::print) undecided: Vec<UndecidedForm>,
    // The remark about the last draft.
    pub(super) remark: Option<Remark>,
    // Whether the last draft depends on the release besides its definition.
    pub(super) has_asked: Cell<bool>,
    pub(super) held: HeldMemory,
    pub(super) name: Vec<u8>,
    pub(super) value_names: ValueNames<'e>,
}

/// A remark about an operation beside its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::print) enum Remark {
    /// Its custom form does not show a part.
    Omits(&'static str),
    /// Its form is generic, because the declared form would not show a part.
    Hides(&'static str),
    /// Its form is generic, because these releases write it in different ways.
    Undecided(&'static str, &'static str),
}

/// The form of an operation.
enum Settled {
    /// Custom, with the part that it omits.
    Custom(Option<&'static str>),
    Generic,
    /// Generic, because the declared form would not show a part.
    Hiding(&'static str),
    /// Generic, because the definitions of these releases give different forms.
    Undecided(&'static str, &'static str),
}

impl<'m, 'e> Custom<'m, 'e> {
    /// `None` if there are no definitions for the release of the file.
    ///
    /// # Errors
    /// If the memory limit does not allow a row for each name.
    pub(in crate::print) fn new(
        module: &'m Module,
        file: &'e FileEntries<'m>,
        options: &super::PrintOptions,
        budget: &Budget,
    ) -> Result<Option<Self>> {
        let release = module.release()?;
        let llvm = module.tables().release_llvm();
        let releases = candidate_releases(release, llvm);
        if releases.is_empty() {
            return Ok(None);
        }
        let style = EntryStyle { release: llvm, elide_elements: None };
        let names = module.tables().op_names()?.len();
        let held = budget.hold(names * size_of::<Option<OperationForms>>())?;
        let mut forms = Vec::with_capacity(names);
        forms.resize_with(names, || None);
        Ok(Some(Self {
            module,
            file,
            releases,
            release: llvm,
            locations: options.locations,
            lossless: options.lossless,
            known: forms,
            plain: EntryPrinter::new(file, style, u64::MAX).with_budget(budget),
            views: TypeViews::new(budget),
            maps: affine::Maps::new(budget)?,
            plan: Plan::default(),
            scopes: Scopes::default(),
            shapes: Shapes::new(budget.memory_left()),
            is_of_shape: false,
            dialects: vec!["builtin"],
            inherent: Vec::new(),
            discardable: Vec::new(),
            omissions: Vec::new(),
            remark_of: HashMap::new(),
            undecided: Vec::new(),
            remark: None,
            has_asked: Cell::new(false),
            held,
            name: Vec::new(),
            value_names: ValueNames::new(file),
        }))
    }

    /// Charges the memory of pieces and names.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(in crate::print) fn charge(&mut self) -> Result<()> {
        self.held.grow_to(self.memory())
    }

    fn memory(&self) -> usize {
        let names = self.known.len() * size_of::<Option<OperationForms>>();
        names + self.plan.memory() + self.scopes.memory() + self.shapes.memory() + self.views.memory()
    }

    // Before the pieces of an op with very many operands, results or successors are made.
    fn charge_for(&mut self, body: &Body, op: u32) -> Result<()> {
        const FEW: usize = 1 << 10;
        // A piece and the text after it, for the value and for its type; lists of both.
        const EACH: usize = 6 * size_of::<plan::PlanPiece>();
        let successors = body.detail(OpId::new(op)).map_or(0, |detail| detail.successors as usize);
        let parts = body.operand_rows(OpId::new(op)).len() + body.results(OpId::new(op)).len() + successors;
        if parts > FEW {
            self.held.grow_to(self.memory() + EACH * parts)?;
        }
        Ok(())
    }

    pub(super) fn know(&mut self, name: u32) -> Option<&OperationForms> {
        let row = self.known.get(name as usize)?;
        if row.is_none() {
            let forms = self.find(OpNameId::new(name));
            *self.known.get_mut(name as usize)? = Some(forms);
        }
        self.known.get(name as usize)?.as_ref()
    }

    fn find(&self, id: OpNameId) -> OperationForms {
        let names = self.module.tables().dialect_section().map(|section| &section.op_names);
        let is_unregistered = names
            .is_ok_and(|names| names.get(id.index()).is_some_and(|one| one.is_registered == Some(false)));
        if is_unregistered {
            return OperationForms::generic();
        }
        let name = self.module.op_name(id).map(|name| name.full().into_owned()).unwrap_or_default();
        OperationForms::new(&name, self.releases.definitions(&name), |wanted| self.has_op_name(wanted))
    }

    fn has_op_name(&self, wanted: &str) -> bool {
        let names = self.module.tables().dialect_section().map_or(0, |section| section.op_names.len());
        (0..names as u32)
            .filter_map(|name| self.module.op_name(OpNameId::new(name)))
            .any(|name| name.full() == wanted)
    }

    /// The default dialect in the regions of an op.
    pub(in crate::print) fn default_dialect(&mut self, name: u32) -> &'static str {
        self.know(name).map_or("", |known| known.default_dialect)
    }

    /// Plans an op after the pieces of the ops that contain it, and returns where its pieces begin. Returns `None` if the op is to be
    /// printed in generic form.
    ///
    /// # Errors
    /// If the memory budget is spent.
    pub(in crate::print) fn draft(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
    ) -> Result<Option<(u32, u32)>> {
        let Some(&name) = body.op_name.get(op as usize) else { return Ok(None) };
        if self.know(name).is_none_or(|known| !known.has_form()) {
            return Ok(None);
        }
        self.charge_for(body, op)?;
        let mark = self.plan.mark();
        if let Some(place) = self.shapes.find(body, op) {
            self.remark = self.shapes.remark(place);
            return Ok(self.shapes.add(place, &mut self.plan).map(|()| mark));
        }
        self.is_of_shape = true;
        let settled = self.settle(reader, id, body, op, mark);
        let (is_done, remark) = match settled {
            // The generic form omits nothing.
            Settled::Custom(Some(_)) if self.lossless => (false, None),
            Settled::Custom(note) => (true, note.map(Remark::Omits)),
            Settled::Generic => (false, None),
            Settled::Hiding(part) => (false, Some(Remark::Hides(part))),
            Settled::Undecided(first, last) => (false, Some(Remark::Undecided(first, last))),
        };
        if !is_done {
            self.plan.rewind(mark);
        }
        if self.is_of_shape {
            self.shapes.keep(body, op, &self.plan, is_done.then_some(mark), remark);
        }
        self.charge()?;
        self.remark = remark;
        Ok(is_done.then_some(mark))
    }

    /// Puts an op into the pieces on which all definitions that it may have agree.
    fn settle(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        mark: (u32, u32),
    ) -> Settled {
        let name = body.op_name.get(op as usize).copied().unwrap_or(u32::MAX);
        let count = self.know(name).map_or(0, |known| known.candidates.len());
        // The first draft, if there is one, and the releases whose definitions fit.
        let mut drafted: Option<Option<&'static str>> = None;
        let mut fitting: Option<(&'static str, &'static str)> = None;
        let (mut has_failed, mut differs, mut asks) = (false, false, true);
        let mut hidden_part = None;
        for place in 0..count {
            let candidate = self.know(name).and_then(|known| known.candidates.get(place));
            let Some(candidate) = candidate else { continue };
            let (release, is_alike) = (candidate.release, candidate.is_alike);
            if is_alike && !asks && drafted.is_some() {
                continue;
            }
            let middle = self.plan.mark();
            self.has_asked.set(false);
            let tried = self.try_candidate(reader, id, body, op, place, write_op);
            asks = self.has_asked.get() || matches!(tried, Tried::Other);
            if matches!(tried, Tried::Other) {
                self.plan.rewind(middle);
                continue;
            }
            fitting = Some((fitting.map_or(release, |(first, _)| first), release));
            match (tried, drafted) {
                (Tried::Written(note), None) => drafted = Some(note),
                (Tried::Written(note), Some(before)) => {
                    differs |= !self.plan.is_repeated(mark, middle);
                    drafted = Some(before.or(note));
                    // The newest text stays, which has no more spaces than older ones.
                    self.plan.remove(mark, middle);
                }
                (tried, _) => {
                    has_failed = true;
                    if let Tried::Hidden(part) = tried {
                        hidden_part = Some(part);
                    }
                    self.plan.rewind(middle);
                }
            }
        }
        if let Some(part) = hidden_part {
            return Settled::Hiding(part);
        }
        match (drafted, fitting) {
            (Some(note), _) if !differs && !has_failed => Settled::Custom(note),
            (Some(_), Some((first, last))) => Settled::Undecided(first, last),
            _ => Settled::Generic,
        }
    }

    /// Notes what the text of the last draft, which is about to be printed, does not show, or why it is generic.
    pub(in crate::print) fn note_remark(&mut self, id: BodyId, body: &Body, op: u32) {
        let Some(remark) = self.remark.take() else { return };
        let Some(&name) = body.op_name.get(op as usize) else { return };
        // There are at most a few for each definition.
        let place = *self.remark_of.entry((name, remark)).or_insert_with(|| {
            let operation = Operation::new(self.module, body, id, OpId::new(op));
            let (operation, first) = (operation.name().into(), operation.path());
            match remark {
                Remark::Omits(part) | Remark::Hides(part) => {
                    let is_avoided = matches!(remark, Remark::Hides(_));
                    self.omissions.push(Omission { operation, part, is_avoided, count: 0, first });
                    self.omissions.len() - 1
                }
                Remark::Undecided(earlier, later) => {
                    let releases = [earlier, later];
                    self.undecided.push(UndecidedForm { operation, releases, count: 0, first });
                    self.undecided.len() - 1
                }
            }
        });
        let count = match remark {
            Remark::Omits(_) | Remark::Hides(_) => self.omissions.get_mut(place).map(|row| &mut row.count),
            Remark::Undecided(..) => self.undecided.get_mut(place).map(|row| &mut row.count),
        };
        count.into_iter().for_each(|count| *count += 1);
    }

    /// Notes the remark about an op of a shape that is about to be written.
    #[inline]
    pub(in crate::print) fn note_remark_of(&mut self, place: usize, id: BodyId, body: &Body, op: u32) {
        let is_written = self.shapes.text(place).is_some() || !self.shapes.is_custom(place);
        if is_written && self.shapes.remark(place).is_some() {
            self.remark = self.shapes.remark(place);
            self.note_remark(id, body, op);
        }
    }

    /// The length of the prefix of an op name that the default dialect makes unnecessary.
    pub(in crate::print) fn prefix_len(&self, name: &[u8]) -> usize {
        let dialect = self.dialects.last().copied().unwrap_or("");
        let short_name =
            name.strip_prefix(dialect.as_bytes()).and_then(|short_name| short_name.strip_prefix(b"."));
        match short_name {
            Some(short_name) if !dialect.is_empty() && !short_name.contains(&b'.') => dialect.len() + 1,
            _ => 0,
        }
    }

    /// The name of an op.
    pub(in crate::print) fn name(&self, body: &Body, op: u32) -> &str {
        let forms = body.op_name.get(op as usize).and_then(|&name| self.known.get(name as usize)?.as_ref());
        forms.and_then(OperationForms::definition).map_or("", |definition| definition.name())
    }
}
